-- The folder of a sweep: its definition, and the results of its runs.
local definition = require "springtide.sweep.definition"
local results = require "springtide.sweep.result"

local folder = {}

-- Returns the content of a file, or nil and a message. `open_file` is io.open.
function folder.read(open_file, path)
  local file, message = open_file(path, "rb")
  if not file then
    return nil, message
  end
  local content, why = file:read "a"
  file:close()
  if not content then
    return nil, ("%s: %s"):format(path, why)
  end
  return content
end

function folder.definition_path(out)
  return out .. "/sweep.txt"
end

function folder.result_name(number)
  return ("%06d.run"):format(number)
end

function folder.result_path(out, number)
  return ("%s/runs/%s"):format(out, folder.result_name(number))
end

-- The sweep of the folder, or nil and a message.
function folder.open(open_file, out)
  local path = folder.definition_path(out)
  local text, message = folder.read(open_file, path)
  if not text then
    return nil, message
  end
  local sweep = definition.read(text)
  if not sweep then
    return nil, ("%s: this is not the definition of a sweep; choose another --out"):format(path)
  end
  return sweep, text
end

-- The result of a run, or nil if it is not there or not whole.
function folder.result(open_file, out, number)
  local bytes = folder.read(open_file, folder.result_path(out, number))
  return bytes and results.decode(bytes) or nil
end

-- The runs without a result.
function folder.pending(open_file, out, count)
  local pending = {}
  for number = 1, count do
    if not folder.result(open_file, out, number) then
      pending[#pending + 1] = number
    end
  end
  return pending
end

return folder
