-- Nothing is inside anything: each scene that has colliders runs, and after every frame all vertices that can touch
-- (fine ones where a body carries a surface) are held against all colliders. Then every solver lays a cloth on a ball.
--     lua5.4 scene_contacts.lua TOP [SCENE...]      SCENE: as "table1/frog"; none: all of them, and the solvers
-- From there each scene takes a few more frames under every solver. SPRINGTIDE_CONTACT_FRAMES:
-- frames of each scene, in place of the numbers below; SPRINGTIDE_SOLVER_FRAMES: under every solver. Its lines are
-- TAP's, two a scene.
local tide = require "springtide"

local DEPTH = 1e-6             -- m, allowed below what a collider keeps between its surface and what touches it
local FEW = 40                 -- frames, where the table below names no other number
local UNDER_EVERY = 1          -- frames under every solver

-- Scenes whose first frames are not enough to touch anything, or that take long: how many frames. `apart`: nothing
-- touches a collider in so few. `free`: it has none, but is to stay finite. `large`: methods
-- that factor a matrix in every iteration take one a step. `without`: solvers that
-- are left out, and why.
local unstable = { bdf2 = "bdf2 gains energy where cloth touches itself, and its pairs then fill the memory" }
local hessian = "the factor of its Hessian takes many seconds"
local slow = { newton = hessian, bdf2 = hessian, implicit_midpoint = hessian }
local scenes = {
  ["hair"] = { large = true, without = unstable },
  ["drape"] = { large = true, without = unstable },
  ["fish"] = { free = true },
  ["flag"] = { apart = true, large = true, without = unstable },
  ["softstack"] = { frames = 50 },
  ["skin"] = { frames = 40 },
  ["table1/brush"] = { frames = 40 },
  ["table1/dress"] = { frames = 25, large = true, without = unstable },
  ["table1/frog"] = { apart = true, without = slow },
}

-- Where each solver answers contacts. All of them can: what they leave is put right at the end of every step, so that
-- no vertex is inside a collider whatever the method. Those that say "end" know nothing of contacts before it.
local answers = {
  local_global = "in every iteration",
  newton = "in every iteration",
  lbfgs = "in every iteration",
  nonlinear_cg = "in every iteration",
  vbd = "in every iteration",
  pbd = "in every iteration",
  xpbd = "in every iteration",
  bdf2 = "in every iteration",                                   -- of Newton's method for its own g
  semi_implicit = "in every solve",                              -- one linear system, solved again with their forces
  imex = "in every solve",
  implicit_midpoint = "at the end of each step",     -- its unknown is the middle of the step
  explicit_euler = "at the end of each substep",
  symplectic_euler = "at the end of each substep",
  verlet = "at the end of each substep",
  midpoint = "at the end of each substep",
  rk4 = "at the end of each substep",
  linearized_explicit = "at the end of each substep",
}

-- Options of those that gain energy when they have none.
local options = {
  explicit_euler = { damping = "auto" },
  midpoint = { damping = "auto" },
}

local function is_finite(value)
  return value == value and math.abs(value) < math.huge
end

-- The positions of what can touch, as a function of its index, and how many there are.
local function points_of(body)
  local surface = body:current_surface()
  if surface then
    return surface.vertex_count, function(i) return surface:vertex(i) end
  end
  return body.vertex_count, function(i) return body:position(i) end
end

-- What is deepest after a frame: { depth, a text }. An error where a number is not finite.
local function deepest(scene)
  local worst = { -math.huge, "" }
  for _, body in ipairs(scene:bodies()) do
    local count, point = points_of(body)
    local fine = body:current_surface() ~= nil
    for i = 1, count do
      local x, y, z = point(i)
      if not (is_finite(x) and is_finite(y) and is_finite(z)) then
        error(("vertex %d of \"%s\" is at %g %g %g in frame %d"):format(i, body.name, x, y, z, scene.frame))
      end
      for _, collider in ipairs((fine or not body:is_pinned(i)) and scene:colliders() or {}) do
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

local factors = { newton = true, bdf2 = true, implicit_midpoint = true }

-- A solver with the options that it needs to run for long.
local function with_options(name, large)
  return { name, damping = (options[name] or {}).damping, iterations = large and factors[name] and 1 or nil }
end

local function test_scene(path, name)
  local settings = scenes[name] or {}
  local frames = tonumber(os.getenv "SPRINGTIDE_CONTACT_FRAMES") or settings.frames or FEW
  local more = tonumber(os.getenv "SPRINGTIDE_SOLVER_FRAMES") or UNDER_EVERY
  local scene = assert(tide.load(path))
  if #scene:colliders() == 0 and not settings.free then return end
  test(("%s: nothing is inside a collider in %d frames"):format(name, frames), function()
    local worst, touched = run(scene, frames)
    assert(worst[1] <= DEPTH, worst[2])
    assert(touched or settings.apart or settings.free, "nothing touches a collider: this tests nothing")
    return ("%s%s"):format(worst[2], touched and "" or "; nothing touches")
  end)
  local start = scene:snapshot()
  test(("%s: nor in %d more, under every solver"):format(name, more), function()
    for _, solver in ipairs(tide.solvers()) do
      if not (settings.without or {})[solver.name] then
        scene:restore(start)
        scene.solver = with_options(solver.name, settings.large)
        local ok, worst = pcall(run, scene, more)
        assert(ok, solver.name .. ": " .. tostring(worst))
        assert(worst[1] <= DEPTH, solver.name .. ": " .. worst[2])
      end
    end
  end)
  for solver, reason in pairs(settings.without or {}) do
    count = count + 1
    print(("ok %d - %s under %s # SKIP %s"):format(count, name, solver, reason))
  end
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
  local known = 0
  for _, solver in ipairs(tide.solvers()) do
    known = known + 1
    test(("%s, contacts answered %s: a cloth lies on a ball"):format(solver.name, answers[solver.name]), function()
      assert(answers[solver.name], "the table does not say where this solver answers contacts")
      local scene = cloth_on_ball(with_options(solver.name))
      local worst, touched = run(scene, 20)
      assert(worst[1] <= DEPTH, worst[2])
      assert(touched, "it does not touch the ball")
      local _, y = scene:body("cloth"):position(41)
      assert(y > 0.2, ("its middle is at %g"):format(y))
      return ("%s; the middle is at %.4f m"):format(worst[2], y)
    end)
  end
  test("the table of solvers names no other", function()
    local listed = 0
    for _ in pairs(answers) do listed = listed + 1 end
    assert(listed == known, ("%d in the table, %d solvers"):format(listed, known))
  end)
end

local top = assert(arg[1], "the top folder is missing")
local chosen = {}
for k = 2, #arg do chosen[arg[k]] = true end
local files = io.popen(("find '%s/scenes' -name '*.lua' | sort"):format(top))
local found = 0
for path in files:lines() do
  local name = path:match("/scenes/(.+)%.lua$")
  if not next(chosen) or chosen[name] then
    found = found + 1
    test_scene(path, name)
  end
end
files:close()
if not next(chosen) then test_solvers() end
print("1.." .. count)
os.exit(bad == 0 and found > 0, true)
