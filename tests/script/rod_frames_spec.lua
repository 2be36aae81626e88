-- The frames of rods that twist are carried along when a body is placed or turned, without false twist.
local helper = dofile "tests/script/helper.lua"
local tide = helper.tide

-- The corner of an L is vertex `half + 1`; its legs are 0.4 m long, along x and then along y.
local function corner(half)
  local vertices, edges = {}, {}
  for i = -half, half do vertices[#vertices + 1] = { 0.4 * math.min(i, 0) / half, 0.4 * math.max(i, 0) / half, 0 } end
  for i = 1, 2 * half do edges[i] = { i, i + 1 } end
  return tide.mesh.new { vertices = vertices, edges = edges }
end

local function rod(mesh, options)
  options = options or {}
  local scene = tide.scene {
    timestep = options.timestep or 1e-3, gravity = { 0, 0, 0 },
    solver = { options.solver or "newton", iterations = 100, tolerance = 1e-12 },
  }
  return scene, scene:body("rod", {
    mesh = mesh, density = 1000, rod = { young = 2e7, poisson = 0.3, radius = 5e-3, twist = true },
  })
end

-- Rotates a vector about an axis of length 1 (Rodrigues).
local function rotated(axis, angle, v)
  local c, s = math.cos(angle), math.sin(angle)
  local dot = axis[1] * v[1] + axis[2] * v[2] + axis[3] * v[3]
  return {
    v[1] * c + (axis[2] * v[3] - axis[3] * v[2]) * s + axis[1] * dot * (1 - c),
    v[2] * c + (axis[3] * v[1] - axis[1] * v[3]) * s + axis[2] * dot * (1 - c),
    v[3] * c + (axis[1] * v[2] - axis[2] * v[1]) * s + axis[3] * dot * (1 - c),
  }
end

local function turn(body, axis, angle, first, last)
  for i = first or 1, last or body.vertex_count do
    body:set_position(i, table.unpack(rotated(axis, angle, { body:position(i) })))
  end
end

local axes = { { 1, 0, 0 }, { 0, 1, 0 }, { 0.48, 0.6, 0.64 } }

describe("the frames of a rod", function()
  it("turn with its vertices", function()
    for _, axis in ipairs(axes) do
      for _, angle in ipairs { 0.3, math.pi / 2, 3 } do
        local scene, body = rod(corner(4))
        turn(body, axis, angle)
        assert.is_near(0, scene:energy().elastic, 1e-12)
      end
    end
    local scene, body = rod(corner(4))
    turn(body, { 0, 0, 1 }, 0.5, 6) -- one leg alone
    assert.is_true(scene:energy().elastic > 1e-3)
  end)

  it("keep their twist when the rod is turned, and so do those of each strand alone", function()
    local mesh = corner(4)
    local vertices, edges = {}, {}
    for s = 0, 1 do
      for i = 1, 9 do
        local x, y, z = mesh:vertex(i)
        vertices[9 * s + i] = { x, y, z + s }
        if i < 9 then edges[#edges + 1] = { 9 * s + i, 9 * s + i + 1 } end
      end
    end
    local scene, body = rod(tide.mesh.new { vertices = vertices, edges = edges })
    body:pin { 1, 2, 8, 9 }
    body:turn(8, 9, 0.8)
    assert(scene:step(3))
    local energy = scene:energy().elastic
    assert.is_true(energy > 1e-4)
    turn(body, axes[3], 1, 1, 9)
    turn(body, axes[1], -2, 10, 18)
    assert.is_near(1, scene:energy().elastic / energy, 1e-9)
  end)

  it("follow by the shortest rotation what bends", function()
    local scene, body = rod(tide.mesh.strand { points = 5, from = { 0, 0, 0 }, to = { 0.4, 0, 0 } })
    for i = 1, 5 do body:set_position(i, table.unpack(rotated({ 0, 0, 1 }, 1, { body:position(i) }))) end
    assert.is_near(0, scene:energy().elastic, 1e-12)
    local x, y, z = body:position(5)
    body:set_position(5, x, y + 0.02, z)
    assert.is_true(scene:energy().elastic > 1e-5)
  end)

  it("spin with the rod", function()
    for _, spin in ipairs { { 2, 0, 0 }, { 0, 3, 0 }, { 1, -2, 0.5 } } do
      local function energies(set)
        local scene, body = rod(corner(4), { solver = "implicit_midpoint", timestep = 1e-4 })
        set(body)
        local kinetic = scene:energy().kinetic
        for k = 1, 3 do assert.is_near(spin[k], body:motion().spin[k], 1e-9) end
        assert(scene:step(20))
        return kinetic, scene:energy().elastic
      end
      local kinetic, elastic = energies(function(body) body:set_motion { spin = spin } end)
      assert.is_true(elastic < 1e-4 * kinetic, tostring(elastic / kinetic)) -- centrifugal forces stretch it
      local same, also = energies(function(body)
        local c = body:motion().centre
        for i = 1, 9 do
          local x, y, z = body:position(i)
          local r = { x - c[1], y - c[2], z - c[3] }
          body:set_velocity(i, spin[2] * r[3] - spin[3] * r[2], spin[3] * r[1] - spin[1] * r[3],
            spin[1] * r[2] - spin[2] * r[1])
        end
      end)
      assert.is_near(1, same / kinetic, 1e-9)
      assert.is_near(1, also / elastic, 1e-6)
    end
  end)

  it("spin about a straight rod as set_motion says", function()
    local scene, body = rod(tide.mesh.strand { points = 5, from = { 0, 0, 0 }, to = { 0.4, 0, 0 } })
    body:set_motion { spin = { 7, 0, 0 } }
    assert.is_near(7, body:motion().spin[1], 1e-9)
    assert.is_near(0.5 * (1000 * math.pi * 5e-3 ^ 2 * 0.4) * 5e-3 ^ 2 / 2 * 49, scene:energy().kinetic, 1e-7)
    assert(scene:step(10))
    assert.is_near(7, body:motion().spin[1], 0.04) -- implicit Euler slows it by 0.004
  end)

  it("turn with pins that move as one", function()
    for _, axis in ipairs(axes) do
      local scene, body = rod(corner(4))
      local places = {}
      for i = 1, 9 do places[i] = { body:position(i) } end
      body:pin(function() return true end)
      for step = 1, 10 do
        for i, place in ipairs(places) do body:move_pin(i, table.unpack(rotated(axis, 0.15 * step, place))) end
        assert(scene:step())
        assert.is_near(0, scene:energy().elastic, 1e-12)
      end
      local x, y, z = table.unpack(places[9])
      body:move_pin(9, table.unpack(rotated(axis, 1.5, { x, y, z + 0.05 }))) -- bends the last edge
      assert(scene:step())
      assert.is_true(scene:energy().elastic > 1e-3)
    end
  end)

  it("are carried to another mesh by a reload", function()
    local text = [[
      local tide = require "springtide"
      local scene = tide.scene { gravity = { 0, 0, 0 }, solver = { "newton" } }
      local vertices, edges = {}, {}
      for i = -$half, $half do
        vertices[#vertices + 1] = { 0.4 * math.min(i, 0) / $half, 0.4 * math.max(i, 0) / $half, 0 }
      end
      for i = 1, 2 * $half do edges[i] = { i, i + 1 } end
      scene:body("rod", { mesh = tide.mesh.new { vertices = vertices, edges = edges }, density = 1000,
        rod = { young = 2e7, poisson = 0.3, radius = 5e-3, twist = $twist } })
      return scene
    ]]
    local function script(half, twist)
      return helper.write("scene.lua", (text:gsub("%$(%w+)", { half = half, twist = tostring(twist) })))
    end
    for _, axis in ipairs(axes) do
      local scene = assert(tide.load(script(4, true)))
      local body = scene:body("rod")
      turn(body, axis, 1.2)
      body:set_motion { spin = { 1, 2, 3 } }
      assert.is_true(scene:reload(script(8, true)))
      assert.are.equal(17, body.vertex_count)
      assert.is_near(0, scene:energy().elastic, 1e-12)
      for k = 1, 3 do assert.is_near(k, body:motion().spin[k], 1e-6) end
      assert.is_true(scene:reload(script(8, false)))
      assert.is_true(scene:reload(script(8, true))) -- the frames are new
      assert.is_near(0, scene:energy().elastic, 1e-12)
    end
  end)
end)
