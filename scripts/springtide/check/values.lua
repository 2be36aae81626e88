-- Values that a submission returns. It may return anything: tables with metatables, cycles, NaN. They are copied into
-- plain data by raw accesses before a check looks at them, so that no code of the submission runs in a comparison.
local values = {}

local MOST_ITEMS = 10000000
local MOST_DEPTH = 32

local objects = { -- of the engine, whose metatables no script can change
  ["tide.Vector"] = true, ["tide.Matrix"] = true, ["tide.Buffer"] = true, ["tide.Scene"] = true, ["tide.Body"] = true,
  ["tide.System"] = true, ["tide.Mesh"] = true, ["tide.Factor"] = true, ["tide.Snapshot"] = true,
  ["tide.Collider"] = true, ["tide.ElementKind"] = true, ["tide.Problem"] = true, ["tide.Method"] = true,
}

-- The class of an object of the engine: "tide.Vector"; nil for other values.
function values.class(value)
  if type(value) ~= "userdata" then
    return nil
  end
  local class = getmetatable(value)
  return type(class) == "string" and objects[class] and class or nil
end

local function refuse(what)
  return nil, what
end

local copy

local function copy_table(value, wrap, depth, budget)
  if depth > MOST_DEPTH then
    return refuse "tables that nest too deep or contain themselves"
  end
  local copied = {}
  for key, item in next, value do
    budget.items = budget.items + 1
    if budget.items > MOST_ITEMS then
      return refuse "too many values"
    end
    if type(key) ~= "string" and type(key) ~= "number" then
      return refuse(("a table with a %s as a key"):format(type(key)))
    end
    local plain, problem = copy(item, wrap, depth + 1, budget)
    if problem then
      return nil, problem
    end
    copied[key] = plain
  end
  return copied
end

function copy(value, wrap, depth, budget)
  local kind = type(value)
  if kind == "table" then
    return copy_table(value, wrap, depth, budget)
  elseif kind == "function" and wrap then
    return wrap(value)
  elseif kind == "nil" or kind == "boolean" or kind == "number" or kind == "string" then
    return value
  elseif values.class(value) then
    return values.class(value) == "tide.Vector" and value:copy() or value
  end
  return refuse(("a %s"):format(kind))
end

-- Copies a value. Returns nil and what is wrong where that cannot be: a cycle, a coroutine. wrap(f) makes of a function
-- the one that takes its place; without it, functions are refused.
function values.copy(value, wrap)
  return copy(value, wrap, 1, { items = 0 })
end

-- --- comparing -------------------------------------------------------------------------------------------------------

local function matrix_lists(matrix)
  local lists, columns = {}, matrix:columns()
  for i = 1, matrix:rows() do
    local row = {}
    for j = 1, columns do
      row[j] = matrix:get(i, j)
    end
    lists[i] = row
  end
  return lists
end

-- Numbers and lists of the vectors, buffers and matrices in a copied value.
local function plain(value)
  local class = values.class(value)
  if class == "tide.Vector" or class == "tide.Buffer" then
    return value:table()
  elseif class == "tide.Matrix" then
    return matrix_lists(value)
  end
  return value
end

local function show_number(number)
  if number ~= number then
    return "NaN"
  end
  return math.type(number) == "integer" and tostring(number) or ("%.10g"):format(number)
end

-- A short text of a copied value, for messages.
function values.show(value)
  local kind = type(value)
  if kind == "number" then
    return show_number(value)
  elseif kind == "string" then
    return ("%q"):format(#value > 60 and value:sub(1, 57) .. "..." or value)
  elseif kind == "userdata" then
    return "a " .. (values.class(value) or "userdata")
  elseif kind ~= "table" then
    return kind == "nil" and "nothing (nil)" or kind == "function" and "a function" or tostring(value)
  end
  local shown = {}
  for i = 1, math.min(#value, 4) do
    shown[i] = values.show(value[i])
  end
  return ("{ %s%s }"):format(table.concat(shown, ", "), #value > 4 and ", ..." or "")
end

local function name_of(path)
  return path == "" and "it" or "element " .. path
end

local function below(path, key)
  return path == "" and ("[%s]"):format(key) or ("%s[%s]"):format(path, key)
end

local function near_number(value, expected, options, path)
  if type(value) ~= "number" then
    return ("%s is %s, expected the number %s"):format(name_of(path), values.show(value), show_number(expected))
  elseif value ~= value then
    return ("%s is NaN (not a number)"):format(name_of(path))
  end
  local allowed = options.tolerance + options.relative * math.abs(expected)
  if value == expected or math.abs(value - expected) <= allowed then
    return nil
  end
  return ("%s is %s, expected %s (tolerance %.3g)"):format(name_of(path), show_number(value), show_number(expected),
                                                          allowed)
end

local difference

local function near_table(value, expected, options, path)
  if type(value) ~= "table" then
    return ("%s is %s, expected a list of %d numbers"):format(name_of(path), values.show(value), #expected)
  elseif #value ~= #expected then
    return ("%s has the wrong size: %d instead of %d"):format(name_of(path), #value, #expected)
  end
  for i = 1, #expected do
    local problem = difference(value[i], expected[i], options, below(path, i))
    if problem then
      return problem
    end
  end
  for key, item in pairs(expected) do
    if not (math.type(key) == "integer" and key >= 1 and key <= #expected) then
      local problem = difference(value[key], item, options, below(path, key))
      if problem then
        return problem
      end
    end
  end
end

function difference(value, expected, options, path)
  value, expected = plain(value), plain(expected)
  if type(expected) == "number" then
    return near_number(value, expected, options, path)
  elseif type(expected) == "table" then
    return near_table(value, expected, options, path)
  elseif value ~= expected then
    return ("%s is %s, expected %s"):format(name_of(path), values.show(value), values.show(expected))
  end
end

-- What makes a copied value differ from the expected one: a text that begins with "it" or "element"; nil: nothing.
-- options = { tolerance =, relative = }: |value - expected| <= tolerance + relative |expected|.
function values.difference(value, expected, options)
  return difference(value, expected, options, "")
end

-- The numbers of a copied number, list, vector, matrix or buffer, one after another; nil if it has anything else.
function values.flat(value, into)
  into = into or {}
  value = plain(value)
  if type(value) == "number" then
    into[#into + 1] = value
    return into
  elseif type(value) ~= "table" then
    return nil
  end
  for i = 1, #value do
    if not values.flat(value[i], into) then
      return nil
    end
  end
  return into
end

return values
