-- What `springtide convergence` runs: a study with the options of the command line, its tables and its pictures.
-- `springtide compare` has its panes planned here.
local output = require "springtide.lab.output"
local reader = require "springtide.lab.request"
local shared = require "springtide.lab.shared"

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

-- `functions` are the program's: see engine/script/laboratory.c.
return function(request, functions)
  return shared.command(run, request, functions)
end
