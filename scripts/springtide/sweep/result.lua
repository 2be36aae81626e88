-- The result of a run as bytes: a list of entries with a name and a text or numbers.
--
--   local result = results.new()
--   result:text("status", "done")
--   result:number("measure/height", 0.4)
--   result:numbers("series/height", { 0, 0.1, 0.4 })        -- or as bytes, with the extents
--   local again = results.decode(result:encode())           -- nil and a message if the bytes are no whole result
--   again:get("measure/height")
--
-- The bytes begin with a mark, and end with the number of entries: a file that was cut is none.
local results = {}

local MARK = "springtide run 1\n"
local CHUNK = 128 -- numbers packed in one call
local LARGEST = 1 << 32

local result_class = {}
result_class.__index = result_class

function results.new()
  return setmetatable({ entries = {}, by_name = {} }, result_class)
end

local function add(self, entry)
  self.entries[#self.entries + 1] = entry
  self.by_name[entry.name] = entry
end

function result_class:text(name, text)
  add(self, { kind = "t", name = name, value = text })
end

function result_class:number(name, number)
  add(self, { kind = "n", name = name, value = number })
end

-- Doubles, as HDF5 takes them.
function results.pack(list)
  local parts = {}
  for first = 1, #list, CHUNK do
    local last = math.min(first + CHUNK - 1, #list)
    parts[#parts + 1] = string.pack("<" .. ("d"):rep(last - first + 1), table.unpack(list, first, last))
  end
  return table.concat(parts)
end

-- `list`: numbers, or their bytes. `extents`: { rows, columns }; by default one dimension.
function result_class:numbers(name, list, extents)
  local bytes = type(list) == "string" and list or results.pack(list)
  add(self, { kind = "a", name = name, value = bytes, extents = extents or { #bytes // 8 } })
end

-- The text, the number or the bytes of an entry, or nil.
function result_class:get(name)
  local entry = self.by_name[name]
  return entry and entry.value
end

function result_class:encode()
  local parts = { MARK }
  for _, entry in ipairs(self.entries) do
    parts[#parts + 1] = entry.kind .. string.pack("<s4", entry.name)
    if entry.kind == "n" then
      parts[#parts + 1] = string.pack("<d", entry.value)
    elseif entry.kind == "t" then
      parts[#parts + 1] = string.pack("<s4", entry.value)
    else
      parts[#parts + 1] = string.pack("<I4I4s8", entry.extents[1], entry.extents[2] or 1, entry.value)
    end
  end
  parts[#parts + 1] = "e" .. string.pack("<I4", #self.entries)
  return table.concat(parts)
end

local function read_entry(bytes, at, result)
  local kind = bytes:sub(at, at)
  if kind == "e" then
    local count
    count, at = string.unpack("<I4", bytes, at + 1)
    return (count == #result.entries and at == #bytes + 1) and "end"
  end
  local name, value
  name, at = string.unpack("<s4", bytes, at + 1)
  if kind == "n" then
    value, at = string.unpack("<d", bytes, at)
    result:number(name, value)
  elseif kind == "t" then
    value, at = string.unpack("<s4", bytes, at)
    result:text(name, value)
  elseif kind == "a" then
    local rows, columns
    rows, columns, value, at = string.unpack("<I4I4s8", bytes, at)
    if rows * columns >= LARGEST or 8 * rows * columns ~= #value then
      return nil
    end
    result:numbers(name, value, columns == 1 and { rows } or { rows, columns })
  else
    return nil
  end
  return at
end

function results.decode(bytes)
  local result, at = results.new(), #MARK + 1
  if bytes:sub(1, #MARK) ~= MARK then
    return nil, "this is not the result of a run"
  end
  repeat
    local read, following = pcall(read_entry, bytes, at, result)
    at = read and following
  until not at or at == "end"
  if not at then
    return nil, "this result of a run is not whole"
  end
  return result
end

return results
