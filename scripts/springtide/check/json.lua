-- Writes JSON (RFC 8259). Tables with a field [1], and `json.list { }`, become arrays; others become objects, whose
-- names are in order. Texts are expected to be UTF-8.
local json = {}

local list_class = { __name = "list" }

function json.list(items)
  return setmetatable(items, list_class)
end

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function quote(text)
  return '"' .. text:gsub('[%c"\\\127]', function(c)
    return escapes[c] or ("\\u%04x"):format(c:byte())
  end) .. '"'
end

local function number(value)
  if value ~= value or math.abs(value) == math.huge then
    return "null" -- JSON has no such numbers
  end
  return math.type(value) == "integer" and tostring(value) or ("%.15g"):format(value)
end

local write

local function bracket(open, close, parts, indent)
  if #parts == 0 then
    return open .. close
  end
  local inner = "\n" .. ("  "):rep(indent + 1)
  return open .. inner .. table.concat(parts, "," .. inner) .. "\n" .. ("  "):rep(indent) .. close
end

local function write_table(value, indent)
  local parts = {}
  if getmetatable(value) == list_class or value[1] ~= nil then
    for i, item in ipairs(value) do
      parts[i] = write(item, indent + 1)
    end
    return bracket("[", "]", parts, indent)
  end
  local names = {}
  for name in pairs(value) do
    names[#names + 1] = name
  end
  table.sort(names)
  for i, name in ipairs(names) do
    parts[i] = quote(name) .. ": " .. write(value[name], indent + 1)
  end
  return bracket("{", "}", parts, indent)
end

function write(value, indent)
  local kind = type(value)
  if kind == "table" then
    return write_table(value, indent)
  elseif kind == "number" then
    return number(value)
  elseif kind == "string" then
    return quote(value)
  end
  return kind == "nil" and "null" or tostring(value)
end

-- The text of a value, with a line end.
function json.text(value)
  return write(value, 0) .. "\n"
end

return json
