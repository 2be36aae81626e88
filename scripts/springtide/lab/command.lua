-- What `springtide convergence` runs: a study with the options of the command line, its tables and its pictures.
-- `springtide compare` has its panes planned here.
local output = require "springtide.lab.output"
local reader = require "springtide.lab.request"

local function run(request, functions)
  local module = reader.read(request, functions)
  if not module then
    return reader.plan(request, functions)
  end
  request.open_file = functions.open
  request.seconds = functions.seconds
  request.progress = functions.progress
  return module.run(request.scene, request, output.writer(functions, request.folder))
end

-- Returns true, or nil and a message. `functions` are the program's: see engine/script/laboratory.c.
return function(request, functions)
  local done, failure = pcall(run, request, functions)
  if done then
    return true
  end
  if type(failure) == "table" and failure.usage then
    if failure.usage.solver then
      return functions.refuse_solver(failure.usage.solver)
    end
    local option, value, remedy = table.unpack(failure.usage)
    return functions.refuse(option and "--" .. option or nil, value or nil, remedy)
  end
  return nil, tostring(failure)
end
