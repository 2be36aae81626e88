-- Options with a word for "not given" and options with fields of their own, of whatever solvers have them.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

-- The value of a default as it is listed.
local function value(text)
  local quoted = text:match '^"(.*)"$'
  if quoted or text == "true" or text == "false" then
    return quoted or text == "true"
  end
  return tonumber(text)
end

-- Calls visit(solver's name, option, the options of its own by name) for every option of every solver.
local function each_option(visit)
  for _, solver in ipairs(tide.solvers()) do
    local records, plain = {}, {}
    for _, option in ipairs(solver.options) do
      local outer, inner = option.name:match "^([%w_]+)%.([%w_]+)$"
      if outer then
        assert(records[outer], option.name .. " does not follow its record")
        table.insert(records[outer], { name = inner, default = value(option.default) })
      else
        plain[#plain + 1] = option
        records[option.name] = {}
      end
    end
    for _, option in ipairs(plain) do
      visit(solver.name, option, records[option.name])
    end
  end
end

local function each_record(visit)
  each_option(function(solver, option, fields)
    if #fields > 0 then
      visit(solver, option, fields)
    end
  end)
end

local function given(solver, name, what)
  return tide.scene { solver = { solver, [name] = what } }.solver[name]
end

local empty = helper.write("options.lua", 'return require("springtide").scene {}\n')
local function on_the_command_line(text)
  return tide.load(empty, { solver = text })
end

describe("options", function()
  it("are read again as they are told", function()
    each_option(function(solver, option)
      local told = tide.scene({ solver = solver }).solver
      assert.are.same(told, tide.scene({ solver = told }).solver)
      if value(option.default) ~= nil then
        assert.are.equal(value(option.default), told[option.name])
        assert.are.equal(value(option.default), given(solver, option.name, value(option.default)))
        local scene = assert(on_the_command_line(("%s,%s=%s"):format(solver, option.name, value(option.default))))
        assert.are.same(told, scene.solver)
      end
    end)
  end)

  it("take a word for a number that is not given, and no NaN for it", function()
    each_option(function(solver, option)
      local word = option.type:match '^number|"(.*)"$'
      if word then
        assert.are.equal(word, given(solver, option.name, word))
        for _, bad in ipairs { 0 / 0, 1 / 0, -1 / 0 } do
          has(message(given, solver, option.name, bad), "expected a finite number")
        end
        has(message(given, solver, option.name, word .. word:sub(-1)), ('did you mean "%s"?'):format(word))
      end
    end)
  end)
end)

describe("options with fields of their own", function()
  it("have these fields' defaults when given as a table", function()
    each_record(function(solver, option, fields)
      local made, first = given(solver, option.name, {}), fields[1]
      if type(made) == "string" then -- as when it is not given
        assert.are.equal(first.default, made)
        return
      end
      for _, field in ipairs(fields) do
        assert.are.equal(field.default, made[field.name])
      end
      assert.are.same(made, given(solver, option.name, first.default))
      assert.are.same(made, given(solver, option.name, { first.default }))
      assert.are.same(made, given(solver, option.name, { [first.name] = first.default }))
    end)
  end)

  it("are given by names with a dot on a command line, in any order", function()
    each_record(function(solver, option, fields)
      local forwards, backwards, whole = solver, "", {}
      for _, field in ipairs(fields) do
        local item = (",%s.%s=%s"):format(option.name, field.name, field.default)
        forwards, backwards = forwards .. item, item .. backwards
        whole[field.name] = field.default
        assert.are.same(given(solver, option.name, {}), assert(on_the_command_line(solver .. item)).solver[option.name])
      end
      whole = given(solver, option.name, whole)
      assert.are.same(whole, assert(on_the_command_line(forwards)).solver[option.name])
      assert.are.same(whole, assert(on_the_command_line(solver .. backwards)).solver[option.name])
      local text = (",%s=%s"):format(option.name, fields[1].default)
      assert.are.same(whole, assert(on_the_command_line(solver .. backwards .. text)).solver[option.name])
      assert.are.same(whole, assert(on_the_command_line(solver .. text .. backwards)).solver[option.name])
    end)
  end)

  it("name what is wrong with them", function()
    each_record(function(solver, option, fields)
      local owner = ('solver "%s": %s'):format(solver, option.name)
      local last, first = fields[#fields].name, fields[1].default
      has(message(given, solver, option.name, "no such thing"), owner .. ' = "no such thing": expected one of "')
      has(message(given, solver, option.name, first .. first:sub(-1)), ('did you mean "%s"?'):format(first))
      has(message(given, solver, option.name, 3), owner .. " = 3: expected one of ")
      has(message(given, solver, option.name, { 3 }), owner .. "[1] = 3: expected one of ")
      has(message(given, solver, option.name, { first, first }), owner .. "[2]: unexpected")
      has(message(given, solver, option.name, { first, [fields[1].name] = first }), "given twice")
      has(message(given, solver, option.name, { [last .. "x"] = 1 }),
        ('%s.%sx: unknown field; did you mean "%s"?'):format(owner, last, last))
      has(message(given, solver, option.name, { [last] = print }),
        ("%s.%s = a function: expected "):format(owner, last))
      local _, why = on_the_command_line(("%s,%s.%sx=1"):format(solver, option.name, last))
      has(why, ('%s.%sx: unknown field; did you mean "%s"?'):format(owner, last, last))
      _, why = on_the_command_line(("%s,%s=nothing at all"):format(solver, option.name))
      has(why, owner .. ' = "nothing at all": expected one of "')
    end)
  end)
end)
