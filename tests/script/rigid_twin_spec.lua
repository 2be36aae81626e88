-- A rigid body and a very stiff solid of the same mesh and masses move alike: they drop, slide, topple and tumble.
local helper = dofile "tests/script/helper.lua"
local tide = helper.tide

-- Of 1e9 Pa, a hundredth of steel: the solid changes its size by less than a millionth here.
local solid = { density = 1000, solid = { young = 1e9, poisson = 0.3 } }

local function box(scene, options, size, place, axis, angle)
  local mesh = tide.mesh.box { size = size, cells = { 2, 2, 2 } }
  if axis then mesh = mesh:rotate(axis, angle) end
  options.mesh, options.friction = mesh:translate(table.unpack(place)), 0.4
  return scene:body("box", options)
end

-- Makes a scene twice, with the solid and with the rigid body, which has the masses of the solid's vertices.
local function twins(timestep, make)
  local function create(options)
    local scene = tide.scene { timestep = timestep, solver = { "newton", iterations = 50 } }
    local given = {}
    for name, value in pairs(options) do given[name] = value end
    return { scene = scene, body = make(scene, given) }
  end
  local soft = create(solid)
  return soft, create { rigid = true, masses = soft.scene:system():masses() }
end

local function apart(a, b)
  return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2)
end

-- Steps both; returns the largest differences of place, velocity and spin until then.
local function compare(soft, rigid, seconds)
  local place, velocity, spin = 0, 0, 0
  for _ = 1, math.floor(seconds / soft.scene.timestep + 0.5) do
    assert(soft.scene:step())
    assert(rigid.scene:step())
    local a, b = soft.body:motion(), rigid.body:motion()
    place = math.max(place, apart(a.centre, b.centre))
    velocity = math.max(velocity, apart(a.velocity, b.velocity))
    spin = math.max(spin, apart(a.spin, b.spin))
  end
  return place, velocity, spin
end

describe("a rigid body and its stiff twin", function()
  it("fall and stop alike, within 0.02 mm and 0.1 mm/s", function()
    local soft, rigid = twins(1 / 240, function(scene, options)
      scene:collider("floor", { shape = "plane", friction = 0.4 })
      return box(scene, options, { 0.2, 0.2, 0.2 }, { 0, 0.4, 0 })
    end)
    compare(soft, rigid, 0.3) -- the impact itself takes different times
    local place, velocity, spin = compare(soft, rigid, 0.3)
    assert.is_true(place < 2e-5, tostring(place))
    assert.is_true(velocity < 1e-4, tostring(velocity))
    assert.is_true(spin < 1e-3, tostring(spin))
    assert.is_near(0.1, rigid.body:motion().centre[2], 2e-3)
  end)

  it("slide on friction alike, within 1 mm of 0.14 m, and as Coulomb's law has it", function()
    local slope = math.atan(0.5)
    local soft, rigid = twins(1 / 240, function(scene, options)
      local normal = { math.sin(slope), math.cos(slope), 0 }
      scene:collider("slope", { shape = "plane", normal = normal, friction = 0.4 })
      return box(scene, options, { 0.2, 0.1, 0.2 }, { 0, 0.0505 / math.cos(slope) + 0.001, 0 }, { 0, 0, 1 }, -slope)
    end)
    local before = rigid.body:motion().centre
    compare(soft, rigid, 0.1) -- they land
    local place, velocity, spin = compare(soft, rigid, 0.5)
    assert.is_true(place < 1e-3, tostring(place))
    assert.is_true(velocity < 4e-3, tostring(velocity))
    assert.is_true(spin < 1e-2, tostring(spin))
    local slid = 9.81 * (math.sin(slope) - 0.4 * math.cos(slope)) * 0.6 ^ 2 / 2
    assert.is_near(slid, apart(before, rigid.body:motion().centre), 0.02 * slid)
  end)

  it("topple from an edge alike, within 0.5 mm until they fall on their side", function()
    local soft, rigid = twins(1 / 240, function(scene, options)
      scene:collider("floor", { shape = "plane", friction = 0.8 })
      return box(scene, options, { 0.1, 0.4, 0.1 }, { 0, 0.2125, 0 }, { 0, 0, 1 }, 0.3)
    end)
    local place, velocity, spin = compare(soft, rigid, 0.55)
    assert.is_true(place < 5e-4, tostring(place))
    assert.is_true(velocity < 0.4, tostring(velocity))
    assert.is_true(spin < 1.4, tostring(spin))
    assert.is_true(rigid.body:motion().centre[2] < 0.18)
    place = compare(soft, rigid, 0.35)
    assert.is_near(0.05, rigid.body:motion().centre[2], 2e-3)
    assert.is_true(place < 0.012, tostring(place))
    assert.is_true(apart(soft.body:motion().centre, rigid.body:motion().centre) < 0.01)
  end)

  -- Implicit Euler slows the rotation of the solid, by its first order in the timestep; the rigid body's is exact.
  it("tumble alike as the timestep goes to 0", function()
    local spins, differences = {}, {}
    local rigid
    for n = 1, 2 do
      local soft
      soft, rigid = twins(1 / 240 / n, function(scene, options)
        local body = box(scene, options, { 0.1, 0.2, 0.4 }, { 0, 1, 0 })
        body:set_motion { spin = { 0.1, 6, 0.2 }, velocity = { 1, 2, 0 } }
        return body
      end)
      local place, velocity
      place, velocity, differences[n] = compare(soft, rigid, 0.6)
      assert.is_true(place < 1e-9, tostring(place))
      assert.is_true(velocity < 1e-9, tostring(velocity))
      spins[n] = soft.body:motion().spin
    end
    assert.is_true(differences[1] < 0.6, differences[1]) -- rad/s, of 6
    assert.is_near(2, differences[1] / differences[2], 0.4)
    local expected = {}
    for k = 1, 3 do expected[k] = 2 * spins[2][k] - spins[1][k] end
    assert.is_true(apart(expected, rigid.body:motion().spin) < 0.4)
  end)
end)
