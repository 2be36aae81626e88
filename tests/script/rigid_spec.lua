-- Rigid bodies in scripts: masses, vertices, motion, pins, attachments, reload, wrong definitions.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local function box()
  return tide.mesh.box { size = { 0.2, 0.1, 0.4 }, cells = { 1, 1, 1 } }
end

local function new_scene(options)
  options = options or {}
  options.solver = options.solver or { "newton" }
  options.timestep = 1 / 60
  return tide.scene(options)
end

local function mass_of(scene)
  local sum = 0
  for _, mass in ipairs(scene:system():masses()) do sum = sum + mass end
  return sum
end

describe("a rigid body", function()
  it("has the mass of its volume, of its area, or the given one", function()
    for expected, options in pairs {
      [16] = { density = 2000 }, [3] = { mass = 3 }, [0.28 * 2] = { area_density = 2 },
      [0.8] = { masses = { 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 } },
    } do
      local scene = new_scene()
      options.mesh, options.rigid = box(), true
      scene:body("box", options)
      assert.is_near(expected, mass_of(scene), 1e-12)
    end
  end)

  it("spreads a mass over an open surface", function()
    local scene = new_scene { gravity = { 0, 0, 0 } }
    local plate = scene:body("plate", {
      mesh = tide.mesh.grid { columns = 3, rows = 5, width = 1, height = 2 }, mass = 3, rigid = true,
    })
    local centre = plate:motion().centre
    assert.is_near(0.5, centre[1], 1e-12)
    assert.is_near(1, centre[3], 1e-12)
    plate:set_motion { spin = { 0, 2, 0 } }
    assert.is_near(0.5 * 3 * (1 + 4) / 12 * 4, scene:energy().kinetic, 1e-4)
  end)

  it("has the vertices of its mesh", function()
    local scene = new_scene()
    local mesh = box():translate(1, 2, 3)
    local body = scene:body("box", { mesh = mesh, density = 500, rigid = true })
    assert.are.equal(8, body.vertex_count)
    assert.are.equal(12, body.triangle_count)
    assert.are.equal(0, body.element_count)
    body:set_motion { velocity = { 1, 0, 0 }, spin = { 0, 0, 2 } }
    for i = 1, 8 do
      local x, y, z = mesh:vertex(i)
      local px, py, pz = body:position(i)
      assert.is_near(0, math.abs(px - x) + math.abs(py - y) + math.abs(pz - z), 1e-12)
      local vx, vy, vz = body:velocity(i)
      assert.is_near(1 - 2 * (y - 2), vx, 1e-12)
      assert.is_near(2 * (x - 1), vy, 1e-12)
      assert.is_near(0, vz, 1e-12)
    end
    assert.is_near(2, body:motion().spin[3], 1e-12)
    assert.are.equal(8, body:current_mesh().vertex_count)
  end)

  it("turns under a force at a vertex by T = r x F", function()
    local scene = new_scene { gravity = { 0, 0, 0 } }
    local body = scene:body("box", { mesh = box(), density = 1000, rigid = true })
    local x = body:position(1)
    body:force(1, 0, 0.8, 0)
    assert(scene:step())
    local motion = body:motion()
    assert.is_near(0.8 / 8 / 60, motion.velocity[2], 1e-9)
    assert.is_near(x * 0.8 / (8 * (0.04 + 0.01) / 12) / 60, motion.spin[3], 2e-5)
  end)

  it("hangs on pins, which move it", function()
    local scene = new_scene()
    local body = scene:body("box", { mesh = box(), density = 1000, rigid = true })
    body:pin(function(_, _, y) return y > 0 end)
    assert.is_true(body:is_pinned(8) or body:is_pinned(1))
    local pinned
    for i = 1, 8 do if body:is_pinned(i) then pinned = i end end
    local before = { body:position(pinned) }
    assert(scene:step(30))
    local x, y, z = body:position(pinned)
    assert.is_near(0, math.abs(x - before[1]) + math.abs(y - before[2]) + math.abs(z - before[3]), 1e-6)
    local _, up = body:reaction()
    assert.is_near(8 * 9.81, up, 0.1)
    for i = 1, 8 do
      if body:is_pinned(i) then
        local px, py, pz = body:position(i)
        body:move_pin(i, px + 0.01, py, pz)
      end
    end
    assert(scene:step(3))
    assert.is_near(before[1] + 0.01, (body:position(pinned)), 1e-4)
    body:unpin()
    assert(scene:step(10))
    assert.is_true(body:motion().velocity[2] < -1)
  end)

  it("hangs on cloth and on other rigid bodies", function()
    local scene = new_scene()
    local rope = scene:body("rope", {
      mesh = tide.mesh.strand { points = 5, from = { 0, 1, 0 }, to = { 0, 0, 0 } }, mass = 0.1, stiffness = 5000,
    })
    rope:pin { 1 }
    local a = scene:body("a", { mesh = box():translate(0, -0.05, 0), density = 100, rigid = true, collide = "none" })
    local b = scene:body("b", { mesh = box():translate(0, -0.15, 0), density = 100, rigid = true, collide = "none" })
    local function top(body) -- the vertex at the corner of the lowest x and z, at the top
      local best, most = nil, -math.huge
      for i = 1, 8 do
        local x, y, z = body:position(i)
        if y - x - z > most then best, most = i, y - x - z end
      end
      return best
    end
    scene:attach(rope, 5, a, top(a), { stiffness = 5000 })
    scene:attach(a, 1, b, 1, { stiffness = 5000 })
    assert(scene:step(120))
    assert.is_true(a:motion().centre[2] < 0 and a:motion().centre[2] > -0.6)
    assert.is_true(b:motion().centre[2] < 0.2 and b:motion().centre[2] > -1)
  end)

  it("swings on a pin under every method that carries it", function()
    local function swing(solver, parts)
      local scene = tide.scene { timestep = 1 / 240 / (parts or 1), solver = solver }
      local bar = scene:body("bar", {
        mesh = tide.mesh.box { size = { 0.6, 0.1, 0.1 }, cells = { 3, 1, 1 } }, rigid = true, density = 1000,
      }):pin { 1 }
      local before = scene:energy()
      assert(scene:step(60 * (parts or 1)))
      local after = scene:energy()
      local fallen = before.gravity - after.gravity
      assert.is_true(fallen > 13.5, solver[1]) -- J, of 17.7 J in free fall
      assert.is_near(fallen, after.kinetic, 0.04 * fallen, solver[1])
      return bar:position(16)
    end
    local x, y, z = swing({ "implicit_midpoint" }, 8)
    for _, solver in ipairs { "newton", "local_global", "lbfgs", "nonlinear_cg", "vbd", "semi_implicit",
      "implicit_midpoint", "pbd", "xpbd" } do
      local a, b, c = swing { solver }
      assert.is_near(x, a, 0.015, solver) -- they are off by 0.006 at most
      assert.is_near(y, b, 0.015, solver)
      assert.is_near(z, c, 0.015, solver)
    end
  end)

  it("comes back with a snapshot", function()
    local scene = new_scene { gravity = { 0, 0, 0 } }
    local body = scene:body("box", { mesh = box(), density = 1000, rigid = true })
    body:set_motion { spin = { 1, 2, 3 } }
    assert(scene:step(10))
    local snapshot = scene:snapshot()
    local hash = scene:hash()
    assert(scene:step(10))
    scene:restore(snapshot)
    assert.are.equal(hash, scene:hash())
  end)

  it("refuses what does not fit, with a remedy", function()
    local scene = new_scene()
    local grid = tide.mesh.grid { columns = 3, rows = 3 }
    for text, options in pairs {
      ["density: is missing; a rigid body needs"] = { mesh = box() },
      ["encloses no volume"] = { mesh = grid, density = 1000 },
      ["stiffness: has no effect on a rigid body"] = { mesh = box(), mass = 1, stiffness = 5 },
      ["solid: has no effect on a rigid body"] = { mesh = box(), mass = 1, solid = { young = 5 } },
      ["surface: a rigid body shows"] = { mesh = box(), mass = 1, surface = tide.mesh.sphere {} },
      ["has no triangles"] = { mesh = tide.mesh.strand { points = 3 }, mass = 1 },
    } do
      options.rigid = true
      has(message(function() scene:body("box", options) end), 'body "box"', text, "rigid_spec.lua:")
    end
  end)

  it("refuses to move its vertices one by one", function()
    local scene = new_scene()
    local body = scene:body("box", { mesh = box(), mass = 1, rigid = true })
    has(message(function() body:set_position(1, 0, 0, 0) end), "set_position", "set_motion")
    has(message(function() body:set_velocity(1, 0, 0, 0) end), "set_velocity", "set_motion")
    has(message(function() body:positions() end), "positions", "position(i)")
    has(message(function() body:set_motion { velocity = { 0, 0 / 0, 0 } } end), "velocity")
    has(message(function() body:set_motion { speed = 1 } end), "speed", "unknown field")
    has(message(function() body:position(9) end), "position", "9")
    has(message(function() body:cut { plane = { normal = { 1, 0, 0 }, offset = 0 } } end), "cut", "does not come apart")
  end)

  it("is refused by methods that cannot carry it", function()
    local scene = new_scene { solver = { "verlet" } }
    scene:body("box", { mesh = box(), mass = 1, rigid = true })
    local ok, why = scene:step()
    assert.is_nil(ok)
    has(why, 'solver "verlet"', "rigid", "newton")
  end)
end)

-- A free rigid ball flies at a free soft body, without gravity. What the one loses the other gains.
describe("contact of a rigid body with a soft one", function()
  local soft = {
    cloth = { mesh = tide.mesh.grid { columns = 9, rows = 9, width = 0.6, height = 0.6 }:translate(-0.3, 0, -0.3),
      area_density = 1, membrane = { model = "stvk", young = 2e4, thickness = 1e-3 } },
    net = { mesh = tide.mesh.grid { columns = 9, rows = 9, width = 0.6, height = 0.6 }:translate(-0.3, 0, -0.3),
      mass = 0.36, stiffness = 60, bend = 2 },
    solid = { mesh = tide.mesh.box { size = { 0.4, 0.2, 0.4 }, cells = { 4, 2, 4 } }:translate(0, -0.1, 0),
      density = 20, solid = { model = "neo_hookean", young = 5e3, poisson = 0.3 } },
  }
  local function collide(kind, solver)
    local scene = tide.scene { timestep = 1 / 120, gravity = { 0, 0, 0 },
      solver = { solver, iterations = 15, tolerance = 1e-12 } }
    soft[kind].friction = 0.5
    local body = scene:body("soft", soft[kind])
    local ball = scene:body("ball", { mesh = tide.mesh.sphere { radius = 0.1 }:translate(0.04, 0.12, 0.02),
      mass = 0.5, rigid = true, friction = 0.5 })
    ball:set_motion { velocity = { 0.5, -2, 0.3 }, spin = { 0, 4, 3 } }
    local mass = -0.5
    for _, m in ipairs(scene:system():masses()) do mass = mass + m end
    local touched = {}
    function scene.contact(c)
      touched[c.body.name] = true
      touched[c.other.name] = true
    end
    for _ = 1, 30 do
      assert(scene:step())
      local a, b = ball:motion().velocity, body:motion().velocity
      for k, before in ipairs { 0.5, -2, 0.3 } do
        assert.is_near(0.5 * before, 0.5 * a[k] + mass * b[k], 1e-10)
      end
    end
    assert.is_true(touched.ball and touched.soft)
    return ball:motion().velocity, body:motion().velocity
  end
  for kind in pairs(soft) do
    for _, solver in ipairs { "newton", "local_global", "lbfgs" } do
      it(("keeps momentum: %s, %s"):format(kind, solver), function()
        local ball, body = collide(kind, solver)
        assert.is_true(ball[2] > -1.4 and body[2] < -0.9) -- each changes the velocity of the other
        assert.is_true(math.abs(body[1]) > 0.01) -- friction too
      end)
    end
  end
end)
