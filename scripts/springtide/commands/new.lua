-- `springtide new`: writes a scene to start from.

local template = [[
-- $TITLE: a cloth that hangs from two corners.
-- Run it:    springtide $PATH
-- Change it: springtide $PATH --set stiffness=400, or edit this file. Units are m, kg, s, N; y is up.
local tide = require "springtide"

-- a parameter: its default, and what it may be
local stiffness = tide.param("stiffness", 100, { min = 1, max = 1e4, scale = "log", unit = "N/m" })

local scene = tide.scene {
  title = "$TITLE",
  timestep = 1 / 30,                                 -- s
  gravity = { 0, -9.81, 0 },                         -- m/s^2
  solver = { "local_global", iterations = 20 },      -- `springtide solvers` lists them all
  ground = true,                                     -- solid, just below the scene; or its height
}

-- a body: a mesh (`springtide meshes` lists the builders) and what it is made of
local columns, rows = 31, 31
local cloth = scene:body("cloth", {
  mesh = tide.mesh.grid { columns = columns, rows = rows, width = 1, height = 1 },
  mass = 0.3, stiffness = stiffness, bend = stiffness / 10,
})
cloth:pin { 1, columns }                             -- hold the two corners of the first row

-- called before each step
function scene.update()
  local gust = 0.1 * math.sin(3 * scene.time)        -- N, to and fro, on the corner that hangs free
  cloth:force(columns * rows, gust, 0, 0)
end

return scene
]]

local NO_SUCH_FILE, NOT_A_FOLDER = 2, 20 -- ENOENT, ENOTDIR

return function(request, functions)
  local name = request.subjects[1]
  local path = name:find "..%.lua$" and name or name .. ".lua"
  local title = path:match "[^/]*$":gsub("%.[^.]*$", "")
  if title == "" or title:find '["\\\n\r%%]' then
    return nil, ("new scene: NAME = %s: expected a file name without quotes, backslashes and percent signs"):format(
      path)
  end
  local file, _, code = functions.open_file(path)
  if file then
    file:close()
  end
  if code == nil or not (code == NO_SUCH_FILE or code == NOT_A_FOLDER) then
    return nil, path .. ": cannot be written: there is such a file already; choose another name"
  end
  local scene = template:gsub("%$(%u+)", { TITLE = title, PATH = path })
  local saved, message = functions.save(path, scene)
  if not saved then
    return nil, message
  end
  print(("%s\nRun it with: springtide %s"):format(path, path))
  return true
end
