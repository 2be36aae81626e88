-- Shared by the Lua tests, which run from the top folder of the repository.
local build = os.getenv("SPRINGTIDE_BUILD") or "build/release"
package.cpath = build .. "/?.so;" .. package.cpath

-- Each file of tests has its own folder, named after the file that requires this one: others run at the same time.
local spec = debug.getinfo(3, "S").source:match("([%w_]+)%.lua$")
local helper = { tide = require "springtide", folder = ("%s/test-files/%s/"):format(build, spec) }
os.execute("mkdir -p " .. helper.folder)

-- Writes a file below the folder of test files; returns its path.
function helper.write(name, text)
  local path = helper.folder .. name
  local folder = path:match("^(.*)/")
  os.execute("mkdir -p '" .. folder .. "'")
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  return path
end

-- The message of the error that a function raises.
function helper.message(f, ...)
  local ok, message = pcall(f, ...)
  assert(not ok, "no error was raised")
  assert(type(message) == "string", "the error is not a string")
  return message
end

-- Whether a text has a part, with both in the message when not.
function helper.has(text, part)
  if not tostring(text):find(part, 1, true) then
    error(("%q does not contain %q"):format(tostring(text), part), 2)
  end
end

-- A small cloth pinned at two corners.
function helper.cloth(settings, more)
  local tide = helper.tide
  local scene = tide.scene(settings or {})
  local mesh = tide.mesh.grid { columns = 5, rows = 5, width = 1, height = 1 }
  local definition = { mesh = mesh, mass = 1, stiffness = 100 }
  for name, value in pairs(more or {}) do
    definition[name] = value
  end
  local cloth = scene:body("cloth", definition)
  cloth:pin { 1, 5 }
  return scene, cloth
end

return helper
