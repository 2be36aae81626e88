-- Friction: the closed formulas of blocks on slopes, pairs of materials, friction by direction, and bad input.
local helper = dofile "tests/script/helper.lua"
local tide, message = helper.tide, helper.message

local g = 9.81
-- Methods of all ways to solve contacts: projected gradients, the semismooth Newton method, one after another, and the
-- rest in passes.
local methods = { "local_global", "newton", "vbd", "xpbd", "lbfgs", "semi_implicit", "implicit_midpoint" }

-- A floor under gravity that is tilted by `angle` towards x, and a sheet or a block that lies on it.
local function slope(angle, solver, on_floor, on_body, rigid)
  local scene = tide.scene {
    timestep = 1 / 120, gravity = { g * math.sin(angle), -g * math.cos(angle), 0 }, solver = solver, ground = false,
    friction_pairs = { { "wool", "steel", 0.45 }, { "wool", "wool", 0.2 } },
  }
  local floor = { shape = "plane" }
  for name, value in pairs(on_floor) do
    floor[name] = value
  end
  scene:collider("floor", floor)
  local body = { mesh = tide.mesh.grid { columns = 5, rows = 5, width = 0.2, height = 0.2 }:translate(0, 0.0025, 0),
    mass = 0.2, stiffness = 400 }
  if rigid then
    body = { mesh = tide.mesh.box { size = { 0.2, 0.1, 0.2 }, cells = { 2, 1, 2 } }:translate(0, 0.051, 0), mass = 0.2,
      rigid = true }
  end
  for name, value in pairs(on_body) do
    body[name] = value
  end
  return scene, scene:body("body", body)
end

-- The mean acceleration along x and z over `steps` steps, after `before` of them.
local function acceleration(scene, body, before, steps)
  local function velocity()
    local x, z = 0, 0
    for i = 1, body.vertex_count do
      local vx, _, vz = body:velocity(i)
      x, z = x + vx / body.vertex_count, z + vz / body.vertex_count
    end
    return x, z
  end
  assert(scene:step(before))
  local x0, z0 = velocity()
  assert(scene:step(steps))
  local x1, z1 = velocity()
  return (x1 - x0) / (steps * scene.timestep), (z1 - z0) / (steps * scene.timestep)
end

-- Integrates a point under a constant pull along the plane, with friction in an ellipse of the semi-axes a, b (m/s^2)
-- along the angle `axis`: by bisection for the nearest point, in short steps of another length than the scenes'.
local function predict(pull, a, b, axis, from, to)
  local ex, ez, vx, vz, h = math.cos(axis), math.sin(axis), 0, 0, 1e-4
  local x0, z0
  for step = 1, math.floor(to / h + 0.5) do
    local d1, d2 = vx * ex + vz * ez + h * pull * ex, -vx * ez + vz * ex - h * pull * ez
    local p, q = a * h, b * h
    local low, high = 0, 1e3
    if (d1 / p) ^ 2 + (d2 / q) ^ 2 <= 1 then
      d1, d2 = 0, 0
    else
      for _ = 1, 100 do
        local m = (low + high) / 2
        if (p * d1 / (p * p + m)) ^ 2 + (q * d2 / (q * q + m)) ^ 2 > 1 then low = m else high = m end
      end
      d1, d2 = d1 * low / (p * p + low), d2 * low / (q * q + low)
    end
    vx, vz = d1 * ex - d2 * ez, d1 * ez + d2 * ex
    if step == math.floor(from / h + 0.5) then
      x0, z0 = vx, vz
    end
  end
  return (vx - x0) / (to - from), (vz - z0) / (to - from)
end

-- The sum of the contact forces on a body, friction included.
local function total(scene, body)
  local sum = { 0, 0, 0 }
  for _, c in ipairs(scene:contacts()) do
    local sign = c.body == body and 1 or c.other == body and -1 or 0
    for k = 1, 3 do
      sum[k] = sum[k] + sign * (c.force * c.normal[k] + c.friction[k])
    end
  end
  return sum
end

describe("friction on a slope", function()
  for _, method in ipairs(methods) do
    for _, rigid in ipairs { false, true } do
      local what = method .. (rigid and ", rigid" or ", cloth")
      it("holds below the angle of the cone, and carries the weight: " .. what, function()
        local angle = math.atan(0.5) - 0.03
        local scene, body = slope(angle, method, { friction = 0.5 }, {}, rigid)
        scene:step(120)
        local x = body:position(1)
        scene:step(120)
        -- xpbd takes one pass over the contacts of a rigid body in a step, and leaves it a slow creep.
        assert.is_near(x, (body:position(1)), method == "xpbd" and rigid and 6e-3 or 1e-4)
        local sum = total(scene, body)
        local on_floor = scene:collider("floor"):force()
        for k, weight in ipairs { 0.2 * g * math.sin(angle), -0.2 * g * math.cos(angle), 0 } do
          assert.is_near(-weight, sum[k], 0.01 * 0.2 * g)
          assert.is_near(-sum[k], on_floor[k], 1e-9)
        end
        local rx, ry = body:contact_force()
        assert.is_near(sum[1], rx, 0.02 * 0.2 * g)
        assert.is_near(sum[2], ry, 0.02 * 0.2 * g)
      end)
      it("slides above it with g (sin - mu cos): " .. what, function()
        local angle = math.atan(0.5) + 0.2
        local scene, body = slope(angle, method, { friction = 0.5 }, {}, rigid)
        local a, across = acceleration(scene, body, 30, 60)
        assert.is_near(g * (math.sin(angle) - 0.5 * math.cos(angle)), a, 0.02)
        assert.is_near(0, across, 1e-3)
        for _, c in ipairs(scene:contacts()) do
          assert.is_near(-0.5 * c.force, c.friction[1], 5e-3 * c.force + 1e-6)
        end
      end)
      it("slides aside where it depends on the direction: " .. what, function()
        local angle, axis = 0.6, 0.8
        local directed = { along = 0.1, across = 0.5, direction = { math.cos(axis), 0, math.sin(axis) } }
        local scene, body = slope(angle, method, { friction = directed }, {}, rigid)
        local a, across = acceleration(scene, body, 30, 60)
        local normal = g * math.cos(angle)
        local x, z = predict(g * math.sin(angle), 0.1 * normal, 0.5 * normal, axis, 0.25, 0.75)
        assert.is_near(x, a, 0.02)
        assert.is_near(z, across, 0.02)
        assert.is_true(across > 0.5)
      end)
    end
  end
  it("holds across the direction and slides along it", function()
    for _, z in ipairs { 0, 1 } do
      local directed = { along = 0.1, across = 0.9, direction = { 1 - z, 0, z } }
      local scene, body = slope(0.4, "newton", { friction = directed }, {})
      local a = acceleration(scene, body, 30, 60)
      assert.is_near(z == 1 and 0 or g * (math.sin(0.4) - 0.1 * math.cos(0.4)), a, 0.01)
    end
  end)
end)

describe("friction between bodies", function()
  for _, method in ipairs { "newton", "local_global", "vbd", "xpbd" } do
    it("depends on the direction likewise: " .. method, function()
      local angle, axis = 0.6, 0.8
      local scene = tide.scene { timestep = 1 / 240, gravity = { g * math.sin(angle), -g * math.cos(angle), 0 },
        solver = method, ground = false }
      local wide = tide.mesh.grid { columns = 9, rows = 5, width = 1.6, height = 0.8 }
      local lower = scene:body("lower", { mesh = wide:translate(-0.3, 0, -0.3), mass = 1, stiffness = 1000,
        friction = { along = 0.1, across = 0.5, direction = { math.cos(axis), 0, math.sin(axis) } } })
      lower:pin(function() return true end)
      local small = tide.mesh.grid { columns = 7, rows = 7, width = 0.2, height = 0.2 }
      local upper = scene:body("upper", { mesh = small:translate(-0.1, 0.0052, -0.1), mass = 0.2, stiffness = 400 })
      local a, across = acceleration(scene, upper, 60, 60)
      local normal = g * math.cos(angle)
      local x, z = predict(g * math.sin(angle), 0.1 * normal, 0.5 * normal, axis, 0.25, 0.5)
      assert.is_near(x, a, 0.06)
      assert.is_near(z, across, 0.06)
    end)
  end
end)

describe("the axis of friction", function()
  local along_z = { along = 0.1, across = 0.9, direction = { 0, 0, 1 } }
  it("turns with the collider", function()
    local scene, body = slope(0.4, "newton", { friction = along_z }, {})
    scene:collider("floor").rotation = { 0, 1, 0, math.pi / 2 }
    assert.is_near(g * (math.sin(0.4) - 0.1 * math.cos(0.4)), (acceleration(scene, body, 30, 60)), 0.01)
  end)
  it("is given in the world, for a collider that is defined turned", function()
    local scene, body = slope(0.4, "newton", {
      shape = "box", size = { 20, 1, 20 }, position = { 0, -0.5, 0 }, rotation = { 0, 1, 0, 0.7 },
      friction = { along = 0.1, across = 0.9, direction = { 1, 0, 0 } },
    }, {})
    assert.is_near(g * (math.sin(0.4) - 0.1 * math.cos(0.4)), (acceleration(scene, body, 30, 60)), 0.01)
  end)
  it("moves with the body: rigid, solid and cloth", function()
    local box = tide.mesh.box { size = { 0.2, 0.1, 0.2 }, cells = { 2, 1, 2 } }
    local grid = tide.mesh.grid { columns = 5, rows = 5, width = 0.2, height = 0.2 }
    for name, definition in pairs {
      rigid = { mesh = box, rigid = true },
      solid = { mesh = box, solid = { model = "neo_hookean", young = 1e6, poisson = 0.3 } },
      cloth = { mesh = grid, stiffness = 400 },
      warp = { mesh = grid, stiffness = 400 },
    } do
      definition.mass, definition.density = definition.solid == nil and 0.2 or nil, definition.solid and 50
      definition.friction = { along = 0.1, across = 0.9, direction = name == "warp" and "warp" or { 1, 0, 0 } }
      local height = definition.mesh == box and 0.051 or 0.0025
      for _, turned in ipairs { false, true } do
        local scene = tide.scene { timestep = 1 / 120, gravity = { g * math.sin(0.4), -g * math.cos(0.4), 0 },
          ground = false }
        scene:collider("floor", { shape = "plane", friction = 0.4 })
        local made = {}
        for key, value in pairs(definition) do
          made[key] = value
        end
        -- The mesh is turned, or the body: its axis is along x of the mesh, or has turned by a right angle with it.
        if turned and definition.rigid then
          made.mesh = definition.mesh:translate(0, height, 0)
          local body = scene:body("body", made)
          body:set_motion { spin = { 0, math.pi / 2, 0 }, velocity = { 0, 0, 0 } }
          scene.gravity = { 0, 0, 0 }
          scene:step(120)
          scene.gravity = { g * math.sin(0.4), -g * math.cos(0.4), 0 }
          body:set_motion { spin = { 0, 0, 0 }, velocity = { 0, 0, 0 } }
          assert.is_near(0, (acceleration(scene, body, 30, 60)), 0.02)
        elseif turned then
          made.mesh = definition.mesh:translate(0, height, 0)
          local body = scene:body("body", made)
          for i = 1, body.vertex_count do
            local x, y, z = body:position(i)
            body:set_position(i, z, y, -x)
          end
          assert.is_near(0, (acceleration(scene, body, 30, 60)), 0.02)
        else
          made.mesh = definition.mesh:translate(0, height, 0)
          local body = scene:body("body", made)
          local expected = g * (math.sin(0.4) - math.sqrt(0.1 * 0.4) * math.cos(0.4))
          assert.is_near(expected, (acceleration(scene, body, 30, 60)), 0.03)
        end
      end
    end
  end)
  it("follows the collider's friction where a script sets it, in proportion", function()
    local scene, body = slope(0.4, "newton", { friction = { along = 0.9, across = 0.1, direction = { 1, 0, 0 } } }, {})
    scene:collider("floor").friction = 0.2
    assert.is_near(g * (math.sin(0.4) - 0.2 * math.cos(0.4)), (acceleration(scene, body, 30, 60)), 0.01)
  end)
end)

describe("two sides", function()
  -- The coefficient that a block on a floor shows as it slides.
  local function found(on_floor, on_body, pairs_of)
    local scene, body = slope(0.9, "newton", on_floor, on_body)
    if pairs_of then
      scene.friction_pairs = pairs_of
    end
    return (g * math.sin(0.9) - acceleration(scene, body, 30, 60)) / (g * math.cos(0.9))
  end
  it("combine by the geometric mean, unless a pair says otherwise", function()
    assert.is_near(math.sqrt(0.2 * 0.6), found({ friction = 0.2 }, { friction = 0.6 }), 2e-3)
    assert.is_near(0.2, found({ friction = 0.2 }, {}), 2e-3)
    assert.is_near(0.45, found({ friction = 0.9, contact_material = "wool" },
      { friction = 0.9, contact_material = "steel" }), 2e-3)
    assert.is_near(0.45, found({ contact_material = "steel" }, { contact_material = "wool" }), 2e-3)
    assert.is_near(0.2, found({ contact_material = "wool" }, { contact_material = "wool" }), 2e-3)
    -- No pair of steel and steel, and none of a side without a material.
    assert.is_near(0.3, found({ contact_material = "steel" }, { contact_material = "steel" }), 2e-3)
    assert.is_near(0.1, found({ friction = 0.1, contact_material = "wool" }, {}), 2e-3)
  end)
  it("take a new table from the next step on", function()
    assert.is_near(0.7, found({ contact_material = "wool" }, { contact_material = "steel" },
      { { "steel", "wool", 0.7 } }), 2e-3)
  end)
  it("of a pair have its friction in all directions", function()
    assert.is_near(0.45, found({ contact_material = "wool" },
      { contact_material = "steel", friction = { along = 0.01, across = 0.9, direction = "warp" } }), 2e-3)
  end)
  it("may be a body and the ground", function()
    local scene = tide.scene { timestep = 1 / 120, gravity = { 3, -9.8, 0 }, solver = "newton",
      friction_pairs = { { "ice", "steel", 0.05 } },
      ground = { height = 0, contact_material = "ice", rolling = 0.002 } }
    local grid = tide.mesh.grid { columns = 4, rows = 4, width = 0.2, height = 0.2 }
    local sheet = scene:body("sheet", { mesh = grid:translate(0, 0.0026, 0), mass = 0.1, stiffness = 100,
      contact_material = "steel" })
    assert.is_near(3 - 0.05 * 9.8, (acceleration(scene, sheet, 30, 60)), 0.01)
    local bad = tide.scene { ground = { height = 0, contact_material = "ice" } }
    bad:body("sheet", { mesh = grid, mass = 0.1, stiffness = 100 })
    local ok, why = bad:step()
    assert.is_nil(ok)
    helper.has(why, 'collider "ground": contact_material = "ice": the scene has no friction_pairs; give them first')
  end)
  it("exchange opposite forces, and keep the momentum of two bodies", function()
    for _, method in ipairs(methods) do
      local scene = tide.scene { timestep = 1 / 120, gravity = { 0, 0, 0 }, ground = false, solver = method }
      local box = tide.mesh.box { size = { 0.2, 0.1, 0.2 }, cells = { 2, 1, 2 } }
      local axis = { along = 0.2, across = 0.7, direction = { 1, 0, 0.6 } }
      local lower = scene:body("lower", { mesh = box, mass = 0.3, rigid = true, friction = axis })
      local upper = scene:body("upper", { mesh = box:translate(0.02, 0.1019, 0), mass = 0.2, rigid = true,
        friction = 0.5 })
      upper:set_motion { velocity = { 0.3, -0.1, 0.2 }, spin = { 0, 0, 0 } }
      local touched = 0
      for _ = 1, 20 do
        scene:step()
        local of_upper, of_lower = total(scene, upper), total(scene, lower)
        for k = 1, 3 do
          assert.is_near(0, of_upper[k] + of_lower[k], 1e-9)
        end
        touched = touched + #scene:contacts()
      end
      assert.is_true(touched > 0)
      local a, b = lower:motion().velocity, upper:motion().velocity
      for k, speed in ipairs { 0.3, -0.1, 0.2 } do
        assert.is_near(0.2 * speed, 0.3 * a[k] + 0.2 * b[k], 2e-4)
      end
      assert.is_true(a[1] > 0.005, method)
    end
  end)
end)

describe("the description of friction", function()
  local grid = tide.mesh.grid { columns = 3, rows = 3 }
  local function scene_of(more)
    local definition = { ground = false, friction_pairs = { { "wool", "steel", 0.3 } } }
    for name, value in pairs(more or {}) do
      definition[name] = value
    end
    return tide.scene(definition)
  end
  local function body_message(friction, more)
    local definition = { mesh = grid, mass = 1, stiffness = 10, friction = friction }
    for name, value in pairs(more or {}) do
      definition[name] = value
    end
    definition.stiffness = not definition.rigid and definition.stiffness or nil
    return message(function() scene_of():body("b", definition) end)
  end
  it("refuses bad friction by direction", function()
    local along, across, direction = 0.2, 0.4, { 1, 0, 0 }
    local function says(expected, ...)
      assert.matches(expected, body_message(...), 1, true)
    end
    says('body "b": friction: along = -1', { along = -1, across = across, direction = direction })
    says("nan: expected", { along = along, across = 0 / 0, direction = direction })
    says('body "b": friction: across = 0', { along = along, across = 0, direction = direction })
    says('body "b": friction: across: missing', { along = along, direction = direction })
    says('body "b": friction: direction: missing', { along = along, across = across })
    says('body "b": friction.direction = {0, 0, 0}: expected a direction',
      { along = along, across = across, direction = { 0, 0, 0 } })
    says('body "b": friction.direction = wrap: did you mean "warp"?',
      { along = along, across = across, direction = "wrap" })
    says('body "b": friction.direction = "north": expected a direction as { x, y, z }, or "warp" for a cloth',
      { along = along, across = across, direction = "north" })
    says('body "b": friction: axis: unknown', { along = along, across = across, axis = direction })
    says('body "b": friction = "high": expected a number', "high")
    says('body "b": friction.direction: lines and single vertices have no surface',
      { along = along, across = across, direction = direction }, { mesh = tide.mesh.strand { points = 5 } })
    says('body "b": friction.direction = "warp": only cloth has a warp',
      { along = along, across = across, direction = "warp" }, { rigid = true })
    assert.matches('collider "c": friction.direction = "warp": only cloth has a warp; give a vector',
      message(function()
        scene_of():collider("c", { shape = "plane", friction = { along = 1, across = 2, direction = "warp" } })
      end), 1, true)
  end)
  it("refuses bad pairs and unknown materials", function()
    local function says(expected, list)
      assert.matches(expected, message(function() scene_of { friction_pairs = list } end), 1, true)
    end
    says('scene: friction_pairs[1] = -0.1: expected a coefficient of friction from 0 to 1000 for "a" on "b"',
      { { "a", "b", -0.1 } })
    says("nan: expected a coefficient of friction", { { "a", "b", 0 / 0 } })
    says('scene: friction_pairs[2]: "b" and "a" are in entry 1 too', { { "a", "b", 0.1 }, { "b", "a", 0.2 } })
    says('scene: friction_pairs[1] = a table: expected { "wool", "steel", 0.3 }', { { "a", "b" } })
    says('scene: friction_pairs[1] = "": expected the name of a material', { { "", "b", 1 } })
    says("scene: friction_pairs = 3: expected a list", 3)
    assert.matches('body "b": contact_material = wol: did you mean the contact material "wool"?',
      body_message(nil, { contact_material = "wol" }), 1, true)
    assert.matches('collider "c": contact_material = "wool": the scene has no friction_pairs; give them first',
      message(function()
        tide.scene { ground = false }:collider("c", { shape = "plane", contact_material = "wool" })
      end), 1, true)
    local scene = scene_of()
    scene:body("b", { mesh = grid, mass = 1, stiffness = 10, contact_material = "wool" })
    assert.matches('body "b": contact_material = "wool": the scene has no friction_pairs',
      message(function() scene.friction_pairs = {} end), 1, true)
    assert.are.same({ { "wool", "steel", 0.3 } }, scene.friction_pairs)
  end)
  it("is part of forks, not of the state, and takes effect in a reload", function()
    local scene, body = slope(0.9, "newton", { contact_material = "wool" }, { contact_material = "steel" })
    scene:step(10)
    local fork, hash = scene:fork(), scene:hash()
    assert.are.equal(hash, fork:hash())
    scene.friction_pairs = { { "wool", "steel", 0.1 } }
    assert.are.equal(hash, scene:hash())
    local snapshot = scene:snapshot()
    scene:step(30)
    fork:step(30)
    assert.is_true(body:velocity(1) > 0.3 + fork:body("body"):velocity(1))
    local first = scene:hash()
    scene:restore(snapshot)
    scene:step(30)
    assert.are.equal(first, scene:hash())
  end)
end)

describe("rolling friction", function()
  local radius, inertia = 0.1, 0.4 * 0.2 * 0.1 ^ 2
  -- A ball of 0.2 kg on a floor that is tilted towards x.
  local function ball_on(angle, rolling, options)
    local scene = tide.scene { timestep = options.timestep or 1 / 120, ground = false, solver = options.solver,
      gravity = { g * math.sin(angle), -g * math.cos(angle), 0 } }
    local floor = scene:collider("floor", { shape = "plane", friction = 0.6, rolling = options.floor })
    local mesh = tide.mesh.sphere { radius = radius, subdivisions = options.subdivisions or 4 }
    local ball = scene:body("ball", { mesh = mesh:translate(0, radius + 0.001, 0), mass = 0.2, rigid = true,
      rolling = rolling })
    return scene, ball, floor
  end
  for _, method in ipairs { "local_global", "newton", "vbd", "xpbd" } do
    it("slows a ball down by 5/7 g b / r: " .. method, function()
      for _, b in ipairs { 0.003, 0.006 } do
        local scene, ball = ball_on(0, b, { solver = method, subdivisions = 5, timestep = 1 / 480 })
        ball:set_motion { velocity = { 0.6, 0, 0 }, spin = { 0, 0, -6 } }
        scene:step(96)
        local before = ball:motion().velocity[1]
        scene:step(192)
        local slower = (before - ball:motion().velocity[1]) / 0.4
        assert.is_near(5 / 7 * g * b / radius, slower, 0.02)
      end
    end)
    it("holds a ball on a slope, and lets it roll down a steeper one: " .. method, function()
      local scene, ball, floor = ball_on(0.08, 0.01, { solver = method })
      scene:step(180)
      local x = ball:motion().centre[1]
      scene:step(120)
      assert.is_near(x, ball:motion().centre[1], 1e-3)
      if method == "newton" or method == "vbd" then -- the others find the place of a force only roughly
        local _, torque = floor:force() -- about the origin, near the place below the ball
        local expected = -0.2 * g * (math.cos(0.08) * x + math.sin(0.08) * radius)
        assert.is_near(expected, torque[3], 0.02 * math.abs(expected))
      end
      scene, ball = ball_on(0.3, nil, { solver = method, floor = 0.01, timestep = 1 / 240 })
      scene:step(120)
      x = ball:motion().velocity[1]
      scene:step(120)
      assert.is_near(5 / 7 * g * (math.sin(0.3) - 0.1 * math.cos(0.3)), (ball:motion().velocity[1] - x) / 0.5, 0.06)
    end)
  end
  it("stops a ball, which rolls on without it", function()
    for _, b in ipairs { 0, 0.01 } do
      local scene, ball = ball_on(0, b, { solver = "newton" })
      ball:set_motion { velocity = { 0.5, 0, 0.2 }, spin = { 2, 0, -5 } }
      scene:step(240)
      local m = ball:motion()
      if b == 0 then
        assert.is_true(m.velocity[1] > 0.4)
      else
        for k = 1, 3, 2 do -- it may still turn about the normal
          assert.is_near(0, m.velocity[k], 1e-4)
          assert.is_near(0, m.spin[k], 1e-3)
        end
      end
    end
  end)
  it("is a torque of b N by a collider that turns, and acts back on it", function()
    -- The arm is long against the edges of the ball, on which it rocks.
    local scene = tide.scene { timestep = 1 / 480, solver = "newton", ground = false }
    local wheel = scene:collider("wheel", { shape = "sphere", radius = 1, position = { 0, -1, 0 }, friction = 0,
      rolling = 0.05, move = function(t) return { position = { 0, -1, 0 }, rotation = { 0, 0, 1, 10 * t } } end })
    local mesh = tide.mesh.sphere { radius = radius, subdivisions = 5 }:translate(0, radius + 0.0011, 0)
    local ball = scene:body("ball", { mesh = mesh, mass = 0.2, rigid = true, friction = 0 })
    scene:step(8)
    local before = ball:motion().spin[3]
    scene:step(20)
    local expected = 0.05 * 0.2 * g / inertia
    assert.is_near(expected, (ball:motion().spin[3] - before) / (20 / 480), 0.08 * expected)
    local x, y, _, _, _, tz = ball:contact_force(nil, { 0, -1, 0 })
    local force, torque = wheel:force()
    assert.is_near(-x, force[1], 1e-6)
    assert.is_near(-y, force[2], 1e-6)
    assert.is_near(-tz, torque[3], 1e-5)
  end)
  it("gives two bodies opposite torques, until they turn alike", function()
    -- Two balls press on each other with 1 N, without friction.
    local function run(rolling, steps)
      local scene = tide.scene { timestep = 1 / 240, gravity = { 0, 0, 0 }, solver = "newton", ground = false }
      local mesh = tide.mesh.sphere { radius = radius, subdivisions = 3 }
      local a = scene:body("a", { mesh = mesh, mass = 0.2, rigid = true, friction = 0, rolling = rolling })
      local b = scene:body("b", { mesh = mesh:translate(0, 0.2025, 0), mass = 0.2, rigid = true, friction = 0 })
      b:set_motion { velocity = { 0, 0, 0 }, spin = { 0, 0, 4 } }
      for _ = 1, steps do
        for i = 1, a.vertex_count do
          a:force(i, 0, 1 / a.vertex_count, 0)
          b:force(i, 0, -1 / b.vertex_count, 0)
        end
        assert(scene:step())
      end
      return a:motion().spin[3], b:motion().spin[3]
    end
    local a0, b0 = run(0, 6)
    local a, b = run(0.02, 6)
    assert.is_near(0.02 * 1 / inertia * 6 / 240, a - a0, 0.05)
    assert.is_near(b0 - b, a - a0, 0.01)
    a, b = run(0.02, 24)
    assert.is_near(a, b, 1e-3)
  end)
  it("is part of snapshots, forks and reloads", function()
    local scene, ball = ball_on(0.08, 0.01, { solver = "newton" })
    scene:step(100)
    local snapshot, fork = scene:snapshot(), scene:fork()
    scene:step(20)
    local hash = scene:hash()
    scene:restore(snapshot)
    scene:step(20)
    assert.are.equal(hash, scene:hash())
    fork:step(20)
    assert.are.equal(hash, fork:hash())
    assert.is_near(0, ball:motion().velocity[1], 1e-4)
  end)
  it("refuses bad input", function()
    local grid = tide.mesh.grid { columns = 3, rows = 3 }
    local scene = tide.scene { ground = false }
    assert.matches('body "b": rolling = 0.01: only rigid bodies and colliders have rolling friction', message(function()
      scene:body("b", { mesh = grid, mass = 1, stiffness = 10, rolling = 0.01 })
    end), 1, true)
    assert.matches('body "b": rolling = -1: expected a number from 0 to 1000 m', message(function()
      scene:body("b", { mesh = grid, mass = 1, rigid = true, rolling = -1 })
    end), 1, true)
    assert.matches("nan: expected a finite number", message(function()
      scene:collider("c", { shape = "plane", rolling = 0 / 0 })
    end), 1, true)
  end)
end)

describe("a reload", function()
  local template = [[
local tide = require "springtide"
local scene = tide.scene { timestep = 1 / 120, ground = false, gravity = { $pull, -9.8, 0 }, solver = "newton",
  friction_pairs = { { "wool", "steel", $pair } } }
$first
scene:collider("floor", { shape = "plane", friction = $friction, rolling = $rolling, contact_material = "$material" })
scene:body("ball", { mesh = tide.mesh.sphere { radius = 0.1, subdivisions = 4 }:translate(0, 0.101, 0), mass = 0.2,
  rigid = true })
local grid = tide.mesh.grid { columns = 4, rows = 4, width = 0.2, height = 0.2 }
scene:body("sheet", { mesh = grid:translate(1, 0.0026, 0), mass = 0.1,
  stiffness = 100, friction = $cloth, contact_material = "steel" })
return scene
]]
  local function script(changes)
    local values = { pull = 0.8, pair = 0.9, friction = 0.6, rolling = 0.015, material = "wool", cloth = 0.5 }
    values.first = ""
    for name, value in pairs(changes or {}) do
      values[name] = value
    end
    return helper.write("friction_reload/scene.lua", (template:gsub("%$(%w+)", values)))
  end
  it("tells of new friction, which takes effect", function()
    local scene = assert(tide.load(script()))
    scene:step(60)
    local _, what = scene:reload(script { pair = 0.01 })
    helper.has(what.changes, "scene: friction_pairs changed")
    local sheet = scene:body("sheet")
    local before = sheet:velocity(1)
    scene:step(30)
    assert.is_near(0.8 - 0.01 * 9.8, (sheet:velocity(1) - before) / 0.25, 0.02)
    _, what = scene:reload(script { pair = 0.01, cloth = "{ along = 0.1, across = 0.2, direction = 'warp' }" })
    helper.has(what.changes, "sheet: friction 0.5 -> 0.1, friction by direction changed")
    _, what = scene:reload(script { pair = 0.01, friction = "{ along = 0.6, across = 0.2, direction = { 1, 0, 0 } }",
      rolling = 0.02, cloth = "{ along = 0.1, across = 0.2, direction = 'warp' }" })
    helper.has(what.changes, "floor: rolling 0.015 -> 0.02 m, friction by direction changed")
    local ok, why = scene:reload(script { material = "wol" })
    assert.is_nil(ok)
    helper.has(why, 'collider "floor": contact_material = wol: did you mean the contact material "wool"?')
    assert.is_true(scene:step())
  end)
  it("keeps the couple that holds a ball, also beside a new collider", function()
    for _, first in ipairs { "", 'scene:collider("wall", { shape = "plane", normal = { -1, 0, 0 }, offset = -9 })' } do
      local scene = assert(tide.load(script()))
      scene:step(200)
      local fork = scene:fork()
      assert.is_true(scene:reload(script { first = first }))
      scene:step(1)
      fork:step(1)
      local here, there = scene:body("ball"):motion(), fork:body("ball"):motion()
      assert.is_near(there.spin[3], here.spin[3], 1e-6)
      assert.is_near(0, here.spin[3], 1e-4)
    end
  end)
end)
