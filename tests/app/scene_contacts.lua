-- Every solver lays a cloth on a ball. After each frame, the test measures the depth of all vertices in the ball.
-- scene_check.c tests the scenes under every solver.
--     lua5.4 scene_contacts.lua
-- The output is TAP.
local tide = require "springtide"

local DEPTH = 1e-6             -- m, allowed below what a collider keeps between its surface and what touches it

local function is_finite(value)
  return value == value and math.abs(value) < math.huge
end

-- Returns the deepest penetration after a frame: { depth, description }. Fails if a number is not finite.
local function deepest(scene)
  local worst = { -math.huge, "" }
  for _, body in ipairs(scene:bodies()) do
    for i = 1, body.vertex_count do
      local x, y, z = body:position(i)
      if not (is_finite(x) and is_finite(y) and is_finite(z)) then
        error(("vertex %d of \"%s\" is at %g %g %g in frame %d"):format(i, body.name, x, y, z, scene.frame))
      end
      for _, collider in ipairs(scene:colliders()) do
        local depth = -collider:distance(x, y, z)
        assert(is_finite(depth), "a distance is not finite")
        if depth > worst[1] then
          worst = { depth, ("vertex %d of \"%s\" is %.3g m in \"%s\" in frame %d"):format(i, body.name, depth,
            collider.name, scene.frame) }
        end
      end
    end
  end
  return worst
end

local function touches_collider(scene)
  for _, contact in ipairs(scene:contacts()) do
    if contact.collider then return true end
  end
  return false
end

-- Steps a scene; returns the deepest of all frames, and whether anything touched a collider.
local function run(scene, frames)
  local worst, touched = { -math.huge, "" }, false
  for _ = 1, frames do
    assert(scene:step())
    local now = deepest(scene)
    if now[1] > worst[1] then worst = now end
    touched = touched or touches_collider(scene)
  end
  return worst, touched
end

-- --- TAP

local count, bad = 0, 0

local function test(name, f)
  local start = os.clock()
  local ok, message = xpcall(f, debug.traceback)
  count = count + 1
  print(("%s %d - %s"):format(ok and "ok" or "not ok", count, name))
  print(("# %.1f s%s"):format(os.clock() - start, message and ": " .. tostring(message):gsub("\n", "\n# ") or ""))
  io.stdout:flush()
  if not ok then bad = bad + 1 end
end

-- Returns a solver with the damping that it needs in long runs: a method whose theory has no stable undamped substep.
local function with_options(solver)
  local grows = solver.amplification and solver.amplification(0, 1) > 1 + 1e-9
  return { solver.name, damping = grows and "auto" or nil }
end

local function cloth_on_ball(solver)
  local scene = tide.scene { timestep = 1 / 60, solver = solver }
  scene:body("cloth", {
    mesh = tide.mesh.grid { columns = 9, rows = 9, width = 0.8, height = 0.8 }:translate(-0.4, 0.22, -0.4),
    mass = 0.2, stiffness = 40, bend = 2, thickness = 0.01,
  })
  scene:collider("ball", { shape = "sphere", radius = 0.2, friction = 0.5, thickness = 0.005 })
  return scene
end

local function test_solvers()
  for _, solver in ipairs(tide.solvers()) do
    test(solver.name .. ": a cloth lies on a ball", function()
      local scene = cloth_on_ball(with_options(solver))
      local worst, touched = run(scene, 20)
      assert(worst[1] <= DEPTH, worst[2])
      assert(touched, "it does not touch the ball")
      local _, y = scene:body("cloth"):position(41)
      assert(y > 0.2, ("its middle is at %g"):format(y))
      return ("%s; the middle is at %.4f m"):format(worst[2], y)
    end)
  end
end

test_solvers()
print("1.." .. count)
os.exit(bad == 0, true)
