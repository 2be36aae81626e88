local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message
local wind = require "springtide.wind"

-- A sheet of 1 m^2 and 1 kg in the x-y plane, facing along z, whose springs keep it as it is.
local function sheet(definition, timestep, mass)
  local scene = tide.scene { timestep = timestep or 1e-3, gravity = { 0, 0, 0 }, solver = "newton" }
  scene:body("other", { mesh = tide.mesh.strand {}:translate(0, 5, 0), mass = 77, stiffness = 1 })
  local mesh = tide.mesh.grid { columns = 5, rows = 5 }:rotate({ 1, 0, 0 }, math.pi / 2)
  local body = scene:body("sheet", { mesh = mesh, mass = mass or 1, stiffness = 100 })
  local air = wind.new(scene, body, definition)
  function scene.update(dt)
    air:blow(dt)
  end
  return scene, body, air
end

-- m a of the whole body in the next step, in N
local function thrust(scene, body, mass)
  local function momentum()
    local sum, v = { 0, 0, 0 }, body:velocities()
    for i = 1, #v do
      sum[(i - 1) % 3 + 1] = sum[(i - 1) % 3 + 1] + v[i] * mass / body.vertex_count
    end
    return sum
  end
  local before = momentum()
  assert(scene:step())
  local after = momentum()
  for k = 1, 3 do
    after[k] = (after[k] - before[k]) / scene.timestep
  end
  return after
end

local function near(expected, actual, tolerance)
  for k = 1, 3 do
    assert.is_near(expected[k], actual[k], tolerance)
  end
end

describe("wind", function()
  it("presses along the normal with 1/2 rho drag A u^2", function()
    local scene, body = sheet({ velocity = { 0, 0, 3 }, density = 1.5, drag = 0.8, friction = 0 }, 1e-6)
    near({ 0, 0, 0.5 * 1.5 * 0.8 * 9 }, thrust(scene, body, 1), 1e-4)
    scene, body = sheet({ velocity = { 4, 0, -3 }, friction = 0 }, 1e-6)
    near({ 0, 0, -0.5 * 1.2 * 9 }, thrust(scene, body, 1), 1e-4)
  end)
  it("rubs along the surface with 1/2 rho friction A u^2", function()
    local scene, body = sheet({ velocity = { 3, 0, 0 }, density = 2, friction = 0.1 }, 1e-6)
    near({ 0.5 * 2 * 0.1 * 9, 0, 0 }, thrust(scene, body, 1), 1e-4)
    -- at a slant: the pressure of u.n = 4 and the friction of |u| = 5 on the 3 m/s along it
    scene, body = sheet({ velocity = { 0, 3, 4 }, density = 2, drag = 1, friction = 0.1 }, 1e-6)
    near({ 0, 0.1 * 5 * 3, 16 }, thrust(scene, body, 1), 1e-3)
  end)
  it("is what passes the body, not what passes the ground", function()
    local scene, body = sheet({ velocity = { 1, 2, 3 } })
    for i = 1, body.vertex_count do
      body:set_velocity(i, 1, 2, 3)
    end
    near({ 0, 0, 0 }, thrust(scene, body, 1), 1e-9)
    scene, body = sheet({ friction = 0 }, 1e-6) -- at rest
    for i = 1, body.vertex_count do
      body:set_velocity(i, 0, 0, 2)
    end
    near({ 0, 0, -0.5 * 1.2 * 4 }, thrust(scene, body, 1), 1e-4)
  end)
  it("never takes away more speed than there is, however dense, and so loses energy", function()
    local scene, body = sheet({ density = 1e6, friction = 1 }, 0.1, 0.01)
    for i = 1, body.vertex_count do
      body:set_velocity(i, 1, 1, 1)
    end
    local last = scene:energy().total
    for _ = 1, 20 do
      assert(scene:step())
      local now = scene:energy().total
      assert.is_true(now <= last)
      last = now
      for _, v in ipairs { body:velocity(13) } do
        assert.is_true(v > -0.1 and v < 1)
      end
    end
    assert.is_true(last < 1e-3 * 0.5 * 0.01 * 3)
  end)
  it("asks its function where each triangle is and when", function()
    local seen, times = {}, {}
    local scene = sheet({ velocity = function(x, y, z, t)
      seen[#seen + 1], times[t] = { x, y, z }, true
      return 0, 0, 0
    end }, 0.5)
    assert(scene:step(2))
    assert.are.equal(64, #seen)
    assert.is_true(times[0] and times[0.5])
    local middle = { 0, 0, 0 }
    for i = 1, 32 do
      for k = 1, 3 do
        middle[k] = middle[k] + seen[i][k] / 32
      end
    end
    near({ 0.5, -0.5, 0 }, middle, 1e-12)
  end)
  it("runs the same again", function()
    local scene = sheet({ velocity = { 1, 2, 3 } })
    assert(scene:step(5))
    local hash = scene:hash()
    scene:reset()
    assert(scene:step(5))
    assert.are.equal(hash, scene:hash())
  end)
  it("refuses what makes no sense", function()
    local scene, body = sheet()
    for _, case in ipairs {
      { "density = -1: expected a finite number of at least 0", { density = -1 } },
      { "drag = inf: expected a finite number of at least 0", { drag = math.huge } },
      { 'friction = "x": expected a finite number', { friction = "x" } },
      { "velocity = 3: expected { x, y, z } or a function", { velocity = 3 } },
      { "velocity = a table: expected { x, y, z }", { velocity = { 1, 2 } } },
      { "velocity = nan: expected three finite numbers", { velocity = { 1, 2, 0 / 0 } } },
      { "speed: unknown; expected one of velocity, density, drag, friction", { speed = 3 } },
      { "expected a table { velocity", 7 },
    } do
      local text = message(function() wind.new(scene, body, case[2]) end)
      has(text, case[1])
      has(text, "wind_spec.lua:")
    end
    has(message(function() wind.new(scene, scene:body "other") end), 'body "other" has no triangles')
  end)
  it("takes what is assigned as what it was made with", function()
    local given = { velocity = { 1, 2, 3 }, density = 3, drag = 0.5, friction = 0.1 }
    local made, assigned, _, air = sheet(given), sheet()
    for name, value in pairs(given) do
      air[name] = nil
      air[name] = value
    end
    assert(made:step(3))
    assert(assigned:step(3))
    assert.are.equal(made:hash(), assigned:hash())
    air.velocity[1] = 9
    assert(made:step())
    assert(assigned:step())
    assert.are_not.equal(made:hash(), assigned:hash())
  end)
  it("refuses what is assigned and makes no sense", function()
    local scene, _, air = sheet()
    for _, case in ipairs {
      { "speed", 3, "wind: speed: unknown; expected one of velocity, density, drag, friction" },
      { "density", -1, "wind: density = -1: expected a finite number of at least 0" },
      { "drag", "2", 'wind: drag = "2": expected a finite number' },
      { "friction", 0 / 0, "wind: friction = nan: expected a finite number" },
      { "velocity", { 1, 2 }, "wind: velocity = a table: expected { x, y, z }" },
      { "velocity", { 1, 2, 0 / 0 }, "wind: velocity = nan: expected three finite numbers" },
    } do
      local before = rawget(air, case[1])
      local text = message(function()
        air[case[1]] = case[2]
        air:blow(1e-3)
      end)
      has(text, case[3])
      has(text, "wind_spec.lua:")
      rawset(air, case[1], before)
    end
    assert(scene:step())
  end)
end)
