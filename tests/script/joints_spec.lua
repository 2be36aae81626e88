-- Joints of rigid bodies: hinges, ball joints and motors, under every method that carries rigid bodies.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local methods = {
  "newton", "local_global", "lbfgs", "nonlinear_cg", "vbd", "semi_implicit", "implicit_midpoint", "pbd", "xpbd",
}

local function new_scene(solver, rate, gravity)
  return tide.scene { timestep = 1 / (rate or 60), solver = solver or "newton", gravity = { 0, gravity or -9.81, 0 } }
end

-- A bar of 6 kg, 0.6 m long, with its centre at x, y.
local function bar(scene, name, x, y)
  local mesh = tide.mesh.box { size = { 0.6, 0.1, 0.1 }, cells = { 1, 1, 1 } }
  return scene:body(name, { mesh = mesh:translate(x, y, 0), density = 1000, rigid = true })
end

local inertia = 6 * (0.36 + 0.01) / 12 -- about the centre, across the bar

local function hinge(x, y, motor)
  return { joint = "hinge", point = { x, y, 0 }, axis = { 0, 0, 2 }, motor = motor }
end

-- The period of a physical pendulum from rest at an angle, by the arithmetic-geometric mean.
local function period(at_rest, amplitude)
  local a, b = 1, math.cos(amplitude / 2)
  for _ = 1, 8 do a, b = (a + b) / 2, math.sqrt(a * b) end
  return 2 * math.pi * math.sqrt(at_rest / 9.81) / a
end

describe("a hinge", function()
  it("swings as a physical pendulum of the same length", function()
    local scene = new_scene("implicit_midpoint", 2000)
    local joint = scene:attach(bar(scene, "bar", 0.3, 0), hinge(0, 0))
    local expected = period((inertia + 6 * 0.09) / (6 * 0.3), math.pi / 2) / 2
    local before = { 0, 0 }
    while joint:angle() <= before[2] do -- until it turns back
      before = { scene.time, joint:angle() }
      assert(scene:step())
    end
    assert.is_near(-math.pi, before[2], 1e-4)
    assert.is_near(expected, scene.time, 1.5 * scene.timestep)
  end)

  it("joins two bodies alike under every method", function()
    local function swing(solver, rate)
      local iterative = solver ~= "semi_implicit" and solver ~= "implicit_midpoint"
      local scene = new_scene({ solver, iterations = iterative and 100 or nil }, rate)
      local a, b = bar(scene, "a", 0.3, 0), bar(scene, "b", 0.9, 0)
      scene:attach(a, hinge(0, 0))
      local joint = scene:attach(b, a, hinge(0.6, 0))
      assert(scene:step(rate // 2))
      local ax, ay = a:position(8)
      local bx, by = b:position(1)
      assert.is_near(ax, bx, 0.12, solver) -- corners at both sides of the joint
      assert.is_near(ay, by, 0.12, solver)
      return b:motion().centre, joint:angle()
    end
    local exact, angle = swing("newton", 960)
    for _, solver in ipairs(methods) do
      local centre, at = swing(solver, 480)
      for k = 1, 3 do assert.is_near(exact[k], centre[k], 0.02, solver) end
      assert.is_near(angle, at, 0.05, solver)
    end
  end)

  it("keeps momenta, also with a motor", function()
    local scene = new_scene("implicit_midpoint", 240, 0) -- implicit Euler does not keep angular momentum
    local a, b = bar(scene, "a", 0, 0), bar(scene, "b", 0.5, 0)
    a:set_motion { velocity = { 0.1, 0, 0 }, spin = { 0, 0.5, 0 } }
    b:set_motion { velocity = { 0.1, 0, -0.25 }, spin = { 0, 0.5, 0 } }
    scene:attach(a, b, hinge(0.3, 0, { torque = 0.5 }))
    local function momenta()
      local sum, turning = { 0, 0, 0 }, { 0, 0, 0 }
      local system = scene:system()
      local masses, x, v = system:masses(), scene:system():positions(), system:velocities()
      for p = 0, #masses - 1 do
        local i, m = 3 * p, masses[p + 1]
        for k = 1, 3 do
          local k1, k2 = k % 3 + 1, (k + 1) % 3 + 1
          sum[k] = sum[k] + m * v[i + k]
          turning[k] = turning[k] + m * (x[i + k1] * v[i + k2] - x[i + k2] * v[i + k1])
        end
      end
      return sum, turning
    end
    local p, l = momenta()
    assert(scene:step(60))
    local q, m = momenta()
    for k = 1, 3 do
      assert.is_near(p[k], q[k], 1e-6)
      assert.is_near(l[k], m[k], 2e-3)
    end
  end)

  it("counts whole turns", function()
    local scene = new_scene("newton", 60, 0)
    local body = bar(scene, "bar", 0, 0)
    local joint = scene:attach(body, hinge(0, 0))
    body:set_motion { spin = { 0, 0, 8 } }
    assert(scene:step(120))
    assert.is_near(16, joint:angle(), 0.01)
    assert.is_near(8, joint:speed(), 0.01)
    body:set_motion { spin = { 0, 0, -8 } }
    assert(scene:step(240))
    assert.is_near(-16, joint:angle(), 0.02)
  end)

  it("lets its bodies pass through each other unless `touching` says otherwise", function()
    local function fold(touching)
      local scene = new_scene("newton", 240, 0)
      local a, b = bar(scene, "a", 0, 0), bar(scene, "b", 0.75, 0)
      local options = hinge(0.375, 0, { speed = 3, max_torque = 5 })
      options.touching = touching
      local joint = scene:attach(b, a, options)
      assert(scene:step(360))
      return joint:angle()
    end
    assert.is_near(4.5, fold(false), 0.2)
    assert.is_true(fold(true) < 2.5)
  end)
end)

describe("a ball joint", function()
  it("holds the point and leaves the bodies free to turn", function()
    local scene = new_scene("newton", 240)
    local body = bar(scene, "bar", 0.3, 0)
    local joint = scene:attach(body, { joint = "ball", point = { 0, 0, 0 } })
    body:set_motion { velocity = { 0, 0, -0.9 }, spin = { 2, 3, 0 } }
    assert.are.equal("ball", joint.kind)
    for _ = 1, 60 do
      assert(scene:step(4))
      local centre = body:motion().centre
      assert.is_near(0.3, math.sqrt(centre[1] ^ 2 + centre[2] ^ 2 + centre[3] ^ 2), 1e-3)
    end
    assert.is_true(math.abs(body:motion().centre[3]) > 1e-3)
    has(message(function() joint:angle() end), "ball joint has no axis")
    has(message(function() joint.motor = { speed = 1 } end), "motor", "make it a hinge")
    assert.is_nil(joint.motor)
  end)
end)

describe("a joint to a collider", function()
  local far = { 0, 0, 5 } -- the shape of the collider does not matter

  it("moves with it: a pendulum on an accelerated carrier hangs askew", function()
    for _, solver in ipairs { "newton", "local_global", "vbd", "semi_implicit", "xpbd" } do
      local scene = new_scene(solver, 240)
      local carrier = scene:collider("carrier", { shape = "sphere", radius = 0.1, position = far, move = function(t)
        return 2 * t * t, 0, 5 -- 4 m/s^2
      end })
      local lean = math.atan(4, 9.81)
      local body = scene:body("bar", { density = 1000, rigid = true, mesh = tide.mesh.box {
        size = { 0.6, 0.1, 0.1 }, cells = { 1, 1, 1 } }:rotate({ 0, 0, 1 }, -math.pi / 2)
        :translate(0, -0.3, 0):rotate({ 0, 0, 1 }, -lean) })
      local joint = scene:attach(body, carrier, hinge(0, 0))
      assert(scene:step(240))
      assert.is_near(0, joint:angle(), 0.01, solver)
      local centre = body:motion().centre
      assert.is_near(2 - 0.3 * math.sin(lean), centre[1], 0.01, solver)
      assert.is_near(4, body:motion().velocity[1], 0.05, solver)
    end
  end)

  it("turns with it, and its motor against it", function()
    for _, solver in ipairs { "newton", "lbfgs", "implicit_midpoint", "pbd" } do
      local scene = new_scene(solver, 120)
      local carrier = scene:collider("carrier", { shape = "sphere", radius = 0.1, position = far, move = function(t)
        return { position = far, rotation = { 0, 0, 1, t } }
      end })
      local body = bar(scene, "bar", 0.3, 0)
      local joint = scene:attach(body, carrier, hinge(0, 0, { speed = 0 }))
      assert(scene:step(60))
      local start = joint:angle()
      assert(scene:step(120))
      assert.is_near(start, joint:angle(), 0.01, solver)
      assert.is_near(1, body:motion().spin[3], 0.1, solver)
      joint.motor.speed = 2
      assert(scene:step(60))
      local fork = scene:fork()
      assert(scene:step(30) and fork:step(30))
      assert.is_near(3, body:motion().spin[3], 0.1, solver)
      assert.is_near(2, joint:speed(), 0.05, solver)
      assert.are.equal(scene:hash(), fork:hash())
    end
  end)
end)

describe("a motor", function()
  it("turns by a constant torque", function()
    for _, solver in ipairs(methods) do
      local scene = new_scene(solver, 240, 0)
      local joint = scene:attach(bar(scene, "bar", 0, 0), hinge(0, 0, { torque = 0.5 }))
      assert(scene:step(240))
      assert.is_near(0.5 / inertia, joint:speed(), 0.01 * 0.5 / inertia, solver)
      assert.are.equal(0.5, joint:torque())
    end
  end)

  it("holds a speed against a load that changes", function()
    for _, solver in ipairs(methods) do
      local scene = new_scene(solver, 60)
      local joint = scene:attach(bar(scene, "bar", 0.3, 0), hinge(0, 0, { speed = 3 }))
      assert(scene:step(30))
      local before = joint:angle()
      assert(scene:step(60))
      assert.is_near(3, joint:angle() - before, 0.02, solver)
      assert.is_near(6 * 9.81 * 0.3 * math.cos(joint:angle()), joint:torque(), 3, solver)
    end
  end)

  it("gives no more than its largest torque", function()
    local scene = new_scene("newton", 60)
    local joint = scene:attach(bar(scene, "bar", 0.3, 0), hinge(0, 0, { speed = 0, max_torque = 10 }))
    local most = 0
    for _ = 1, 120 do
      assert(scene:step())
      most = math.max(most, math.abs(joint:torque()))
    end
    assert.are.equal(10, most)
    assert.is_true(joint:angle() < -0.5) -- it gives way to 17.7 N m
    joint.motor = { speed = 0, max_torque = 50 }
    assert(scene:step(60))
    assert.is_near(0, joint:speed(), 1e-3)
    joint.motor.speed = 2
    assert.are.equal(50, joint.motor.max_torque)
    assert(scene:step(30))
    assert.is_near(2, joint:speed(), 0.02)
    joint.motor = nil
    assert(scene:step())
    assert.are.equal(0, joint:torque())
  end)

  it("adds the energy of its torque and no other", function()
    local scene = new_scene("newton", 480, 0)
    local a, b = bar(scene, "a", 0, 0), bar(scene, "b", 0.5, 0.2)
    local joint = scene:attach(a, b, hinge(0.3, 0, { torque = 1 }))
    assert(scene:step(240))
    assert.is_near(joint:angle(), scene:energy().kinetic, 0.03 * joint:angle())
  end)
end)

describe("the state of joints", function()
  local function machine()
    local scene = new_scene("newton", 60)
    local a, b = bar(scene, "a", 0.3, 0), bar(scene, "b", 0.9, 0)
    scene:attach(a, hinge(0, 0, { speed = 2, max_torque = 60 }))
    return scene, scene:attach(b, a, hinge(0.6, 0, { speed = -1, max_torque = 8 }))
  end

  it("comes back with a snapshot, in a fork and at a reset", function()
    local scene, joint = machine()
    local start = scene:hash()
    assert(scene:step(20))
    local snapshot, angle = scene:snapshot(), joint:angle()
    assert(scene:step(10))
    local hash = scene:hash()
    joint.motor = { torque = 3 }
    assert(scene:step(10))
    scene:restore(snapshot)
    assert.are.equal(angle, joint:angle())
    assert.are.equal(-1, joint.motor.speed)
    local fork = scene:fork()
    assert(scene:step(10))
    assert.are.equal(hash, scene:hash())
    assert(fork:step(10))
    assert.are.equal(hash, fork:hash())
    joint.motor = nil
    scene:reset()
    assert.are.equal(start, scene:hash())
    assert.are.equal(-1, joint.motor.speed)
  end)

  it("differs in the hash by the motor alone", function()
    local scene, joint = machine()
    assert(scene:step())
    local hash = scene:hash()
    joint.motor = { torque = 3 }
    assert.are_not.equal(hash, scene:hash())
  end)
end)

describe("a reload", function()
  local text = [[
    local tide = require "springtide"
    local scene = tide.scene { timestep = 1 / 60, solver = "newton" }
    local mesh = tide.mesh.box { size = { 0.6, 0.1, 0.1 }, cells = { 1, 1, 1 } }
    local body = scene:body("bar", { mesh = mesh:translate(0.3, 0, 0), density = DENSITY, rigid = true })
    local joint = scene:attach(body, {
      joint = "hinge", point = { 0, 0, 0 }, axis = { 0, 0, 1 }, motor = { speed = SPEED },
    })
    scene.update = function()
      joint.motor.speed = scene.state.speed or joint.motor.speed
      scene.state.seen = { joint:angle(), joint.motor.speed }
    end
    return scene
  ]]

  it("keeps the angle and a motor whose description stays", function()
    local path = os.tmpname() .. ".lua"
    local function write(density, speed)
      local file = assert(io.open(path, "w"))
      file:write((text:gsub("DENSITY", density):gsub("SPEED", speed)))
      file:close()
    end
    write(1000, 3)
    local scene = assert(tide.load(path))
    assert(scene:step(200))
    local angle = scene.state.seen[1]
    assert.is_true(angle > 9)
    scene.state.speed = 1
    assert(scene:step())
    scene.state.speed = nil
    for _, case in ipairs { { 1500, 3, 1 }, { 1500, 5, 5 } } do
      write(case[1], case[2])
      assert(scene:reload(path))
      assert(scene:step())
      assert.is_near(angle + 3 / 60, scene.state.seen[1], 0.1)
      assert.are.equal(case[3], scene.state.seen[2])
    end
    assert(scene:step(30))
    assert.is_near(angle + 3 / 60 + 31 * 5 / 60, scene.state.seen[1], 0.2)
    os.remove(path)
  end)
end)

describe("a wrong joint", function()
  it("is refused with a remedy, and changes nothing", function()
    local scene = new_scene()
    local a, b = bar(scene, "a", 0, 0), bar(scene, "b", 1, 0)
    local cloth = scene:body("cloth", { mesh = tide.mesh.grid { columns = 3, rows = 3 }, stiffness = 5 })
    local ball = new_scene():collider("ball", { shape = "sphere", radius = 1 })
    local before = scene:hash()
    local function refuses(expected, ...)
      local arguments = table.pack(...)
      has(message(function() scene:attach(table.unpack(arguments, 1, arguments.n)) end), expected, "joints_spec.lua:")
    end
    refuses("joint: joint: missing", a, b, { point = { 0, 0, 0 } })
    refuses("joint: point: missing", a, b, { joint = "ball" })
    refuses("expected one of", a, b, { joint = "slider", point = { 0, 0, 0 } })
    refuses("axis: expected the direction", a, b, { joint = "hinge", point = { 0, 0, 0 } })
    refuses("axis: a ball joint turns about every axis", a, { joint = "ball", point = { 0, 0, 0 }, axis = { 1, 0, 0 } })
    refuses("make it a hinge", a, { joint = "ball", point = { 0, 0, 0 }, motor = { speed = 1 } })
    refuses("torque or speed, not both", a, hinge(0, 0, { speed = 1, torque = 2 }))
    refuses("max_torque limits", a, hinge(0, 0, { max_torque = 2 }))
    refuses("unknown", a, hinge(0, 0, { power = 2 }))
    refuses('body "cloth": joint: holds rigid bodies', cloth, b, hinge(0, 0))
    refuses("joins a body to itself", a, a, hinge(0, 0))
    refuses("this collider is of another scene", a, ball, hinge(0, 0))
    refuses([[body "c" is of another scene]], a, bar(new_scene(), "c", 0, 0), hinge(0, 0))
    refuses("stiffness", a, b, { joint = "ball", point = { 0, 0, 0 }, stiffness = -1 })
    refuses("point", a, b, { joint = "ball", point = { 0, 0, 1e12 } })
    assert.are.equal(before, scene:hash())
  end)

  it("is refused by methods that carry no rigid bodies", function()
    local scene = new_scene("verlet", 60)
    scene:attach(bar(scene, "a", 0, 0), hinge(0, 0))
    local ok, why = scene:step()
    assert.is_nil(ok)
    has(why, "verlet", "rigid")
  end)
end)
