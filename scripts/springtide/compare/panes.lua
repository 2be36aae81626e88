-- Implements tide.compare: writes the panes of a scene file in the syntax of the command line.

-- engine: functions of engine/script/scene_compare.c.
return function(options, engine)
  local function refuse(field, value, remedy)
    engine.refuse("compare", field, value, remedy)
  end

  local function numbers(list, field)
    local words = {}
    for i = 1, rawlen(list) do
      local value = rawget(list, i)
      if type(value) ~= "number" then
        refuse(field, value, "expected numbers")
      end
      words[i] = engine.number_text(value)
    end
    return table.concat(words, ",")
  end

  -- Appends ",key=value" to the words of a solver; a table gives an item for each of its options.
  local function add_option(words, key, value)
    if type(value) == "table" then
      if rawget(value, 1) ~= nil then
        add_option(words, key, rawget(value, 1))
      end
      for name, part in next, value do
        if type(name) == "string" then
          add_option(words, key .. "." .. name, part)
        end
      end
      return
    end
    local text = type(value) == "number" and engine.number_text(value) or tostring(value)
    if text:find "[,=]" then
      refuse("solvers", value, "expected an option's value without commas and =")
    end
    words[#words + 1] = key .. "=" .. text
  end

  -- Returns the text of a solver that is given as a text or as a table.
  local function solver_text(solver)
    local name = type(solver) == "table" and rawget(solver, 1) or solver
    if type(name) ~= "string" then
      refuse("solvers", solver, 'expected "NAME", "NAME,key=value" or a table like { "newton", iterations = 5 }')
    end
    local words = { name }
    for key, value in next, type(solver) == "table" and solver or {} do
      if type(key) == "string" then
        add_option(words, key, value)
      end
    end
    local text = table.concat(words, ",")
    engine.check_text(text, "solvers")
    return text
  end

  local function solvers(list)
    local texts = {}
    for i = 1, rawlen(list) do
      texts[i] = solver_text(rawget(list, i))
    end
    return table.concat(texts, ",")
  end

  local listed = { solvers = engine.list(options, "solvers"), timesteps = engine.list(options, "timesteps") }
  local name, values = engine.varied(options)
  if not listed.solvers and not listed.timesteps and not name then
    refuse(nil, nil, "expected solvers, vary or timesteps in it")
  end
  engine.declare(listed.solvers and solvers(listed.solvers), name and name .. "=" .. numbers(values, "vary"),
                 listed.timesteps and numbers(listed.timesteps, "timesteps"))
end
