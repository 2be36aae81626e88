-- What `springtide convergence` runs: a study with the options of the command line, its tables and its pictures.
local output = require "springtide.lab.output"

-- The studies by the names of their options; --error is what the command does without one.
local modules = { error = "convergence" }

local function run(request, functions)
  local module = require("springtide.lab." .. (modules[request.study] or request.study))
  local out = output.writer(functions, request.folder)
  request.open_file = functions.open
  request.seconds = functions.seconds
  request.progress = functions.progress
  return module.run(request.scene, request, out)
end

-- Returns true, or nil and a message. `functions` are the program's: see engine/script/laboratory.c.
return function(request, functions)
  local done, failure = pcall(run, request, functions)
  if done then
    return true
  end
  if type(failure) == "table" and failure.usage then
    local option, value, remedy = table.unpack(failure.usage)
    return functions.refuse("--" .. option, value or nil, remedy)
  end
  return nil, tostring(failure)
end
