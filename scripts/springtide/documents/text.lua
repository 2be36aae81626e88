-- A growing text, and what the documents share.
local text = {}

local class = {}
class.__index = class

function text.new()
  return setmetatable({}, class)
end

-- Adds strings. nil is empty.
function class:add(...)
  for i = 1, select("#", ...) do
    self[#self + 1] = select(i, ...) or ""
  end
end

function class:format(format, ...)
  self[#self + 1] = format:format(...)
end

function class:text()
  return table.concat(self)
end

-- Returns the fields in a list, those of a record after it with names such as "filter.lambda".
function text.flatten(fields)
  local list = {}
  for _, field in ipairs(fields) do
    list[#list + 1] = field
    for _, inner in ipairs(field.record or {}) do
      local within = { name = field.name .. "." .. inner.name }
      for key, value in pairs(inner) do
        within[key] = within[key] or value
      end
      list[#list + 1] = within
    end
  end
  return list
end

-- Converts "local_global" after the prefix to "LocalGlobal".
function text.camel(prefix, name)
  return prefix .. ("_" .. name):gsub("_(.?)", string.upper)
end

return text
