-- Materials of bodies: masses, wrong definitions, reloads; solids of tetrahedra.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local box = tide.mesh.box { size = { 1, 0.2, 0.2 }, cells = { 4, 1, 1 } }
local models = { "corotated", "arap", "stvk", "neo_hookean" }

local function body_of(definition)
  local scene = tide.scene { timestep = 1 / 60 }
  definition.mesh = definition.mesh or box
  return scene, scene:body("bar", definition)
end

local function total(masses)
  local sum = 0
  for i = 1, #masses do sum = sum + masses[i] end
  return sum
end

describe("the masses of a body with a material", function()
  it("are density times volume", function()
    local scene = body_of { density = 1200, solid = { young = 1e5 } }
    assert.is_near(1200 * 0.04, total(scene:system():masses()), 1e-12)
  end)
  it("are area_density times area, beside density or alone", function()
    local grid = tide.mesh.grid { columns = 5, rows = 4, width = 2, height = 3 }
    local scene = body_of { mesh = grid, area_density = 0.2, stiffness = 10 }
    assert.is_near(1.2, total(scene:system():masses()), 1e-12)
    scene = body_of { density = 1200, area_density = 2, solid = { young = 1e5 } }
    assert.is_near(1200 * 0.04 + 2 * (2 * 0.04 + 4 * 0.2), total(scene:system():masses()), 1e-12)
  end)
  it("may be one mass or a list", function()
    local scene = body_of { mass = 3, solid = { young = 1e5 } }
    assert.is_near(3, total(scene:system():masses()), 1e-12)
    scene = body_of { masses = function(i) return i end, solid = { young = 1e5 } }
    assert.are.equal(2, scene:system():masses()[2])
  end)
end)

describe("wrong materials are refused with the body, the field and what to do:", function()
  local cases = {
    { { density = 1, solid = { young = 0 } }, 'body "bar": solid.young = 0:' },
    { { density = 1, solid = { young = -1 } }, 'body "bar": solid.young = -1:' },
    { { density = 1, solid = { young = 0 / 0 } }, 'body "bar": solid.young = ' },
    { { density = 1, solid = { young = 1 / 0 } }, 'body "bar": solid.young = ' },
    { { density = 1, solid = {} }, 'body "bar": solid.young: missing; Young\'s modulus' },
    { { density = 1, solid = { young = 1, poisson = 0.5 } },
      'body "bar": solid.poisson = 0.5: expected a number above -1' },
    { { density = 1, solid = { young = 1, poisson = -1 } },
      'body "bar": solid.poisson = -1: expected a number above -1' },
    { { density = 1, solid = { young = 1, poisson = 0.6 } }, 'body "bar": solid.poisson = 0.6:' },
    { { density = 1, solid = { "neohookean", young = 1 } }, 'did you mean "neo_hookean"?' },
    { { density = 1, solid = { yung = 1 } }, 'solid.yung: unknown field; did you mean "young"?' },
    { { density = 1, solid = { young = 1, incompressible = 2 } },
      'body "bar": solid.incompressible = 2: expected true or false' },
    { { density = 1, solid = 5 }, 'body "bar": solid = 5: expected a table of its options' },
    { { density = 1, sold = { young = 1 } }, 'body "bar": sold: unknown field; did you mean "solid"?' },
    { { solid = { young = 1 } }, 'body "bar": density: is missing; with a material give density' },
    { { density = 1, mass = 1, solid = { young = 1 } }, "give either mass or density, not both" },
    { { mass = 1, area_density = 1, solid = { young = 1 } }, "give either mass or area_density, not both" },
    { { area_density = 0, solid = { young = 1 } }, 'body "bar": area_density = 0:' },
    { { mesh = tide.mesh.grid { columns = 3, rows = 3 }, density = 1, solid = { young = 1 } },
      'body "bar": solid: the body\'s mesh has no tetrahedra; use tide.mesh.box' },
    { { mesh = tide.mesh.strand { points = 3, to = { 1, 0, 0 } }, area_density = 1, stiffness = 1 },
      'body "bar": area_density: the body\'s mesh has no triangles' },
  }
  for _, case in ipairs(cases) do
    it(case[2], function()
      local scene, other = body_of { density = 1, solid = { young = 1e3 } }
      case[1].mesh = case[1].mesh or box
      local scene_message = message(function() tide.scene {}:body("bar", case[1]) end)
      has(scene_message, case[2])
      has(scene_message, "solids_spec.lua:")
      -- the world goes on
      assert.is_true(scene:step(1))
      assert.is_true(other.vertex_count > 0)
    end)
  end
  it("inverted and flat tetrahedra at rest", function()
    local function tetrahedron(z)
      return tide.mesh.new { vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, z } },
        tetrahedra = { { 1, 2, 3, 4 } } }
    end
    local function refused(definition, expected)
      has(message(function() body_of(definition) end), expected)
    end
    refused({ mesh = tetrahedron(1), rest = tetrahedron(1):scale(1, 1, -1), density = 1, solid = { young = 1 } },
      'body "bar": solid: tetrahedron 1 (1, 2, 3, 4) is inverted at rest; move one of its vertices or leave it out')
    refused({ mesh = tetrahedron(1),
      rest = tide.mesh.new { vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 } } },
      density = 1, solid = { young = 1 } },
      "is flat at rest")
    local folded = tide.mesh.new { vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 0.2, 0.2, 0.5 } },
      tetrahedra = { { 1, 2, 3, 4 }, { 1, 2, 3, 5 } } }
    refused({ mesh = folded, density = 1, solid = { young = 1 } }, "so that one of them is inverted")
  end)
end)

describe("a solid", function()
  it("is kept over a reload, which tells what changed", function()
    local text = [[
local tide = require "springtide"
local scene = tide.scene { timestep = 1 / 60 }
scene:body("bar", { mesh = tide.mesh.box { size = { 1, 0.2, 0.2 }, cells = { 4, 1, 1 } }, density = 1000, %s })
return scene]]
    local path = helper.write("solids/bar.lua", text:format "solid = { young = 2e4 }")
    local scene = assert(tide.load(path))
    assert(scene:step(3))
    local hash = scene:hash()
    local ok, kept = scene:reload()
    assert(ok, kept)
    assert.are.equal(hash, scene:hash())
    assert.is_false(kept.refactored)
    helper.write("solids/bar.lua", text:format "solid = { young = 5e4, model = 'stvk' }")
    ok, kept = scene:reload()
    assert(ok, kept)
    has(kept.changes, 'bar: solid.model corotated -> stvk, solid.young 20000 -> 50000 Pa; refactored')
    assert.is_true(kept.refactored)
    helper.write("solids/bar.lua", text:format "stiffness = 100")
    ok, kept = scene:reload()
    assert(ok, kept)
    has(kept.changes, "solid removed")
    assert(scene:step(3))
  end)
  it("that is as rigid as possible has Poisson's ratio in mu alone", function()
    local hashes = {}
    for i, solid in ipairs { { "arap", young = 2e4, poisson = 0.25 }, { "arap", young = 2e4 / 1.25 } } do
      local scene = body_of { density = 1000, solid = solid }
      assert(scene:step(5))
      hashes[i] = scene:hash()
    end
    assert.are.equal(hashes[1], hashes[2])
  end)
  it("can be forked, restored and left out", function()
    for _, model in ipairs(models) do
      local scene = body_of { density = 1000, solid = { model, young = 2e4 } }
      assert(scene:step(2))
      local snapshot, fork = scene:snapshot(), scene:fork()
      assert(scene:step(3))
      assert(fork:step(3))
      assert.are.equal(scene:hash(), fork:hash())
      local hash = scene:hash()
      assert(scene:restore(snapshot))
      assert(scene:step(3))
      assert.are.equal(hash, scene:hash())
    end
    local _, bar = body_of { density = 1000, stiffness = 5, solid = false }
    assert.is_true(bar.spring_count > 0)
  end)
end)

describe("the energies of solids", function()
  -- The vectors e_i of F = sum of e_i R_i', the entries of F' F, and det F, from positions now and at rest.
  local function invariants(a, b, c, d, A, B, C, D)
    local e, E = { b - a, c - a, d - a }, { B - A, C - A, D - A }
    local rest = tide.det(E[1], E[2], E[3])
    local R = { E[2]:cross(E[3]) / rest, E[3]:cross(E[1]) / rest, E[1]:cross(E[2]) / rest }
    local metric, dual, trace, square = {}, {}, 0, 0
    for i = 1, 3 do
      metric[i], dual[i] = {}, {}
      for j = 1, 3 do metric[i][j], dual[i][j] = e[i]:dot(e[j]), R[i]:dot(R[j]) end
    end
    for i = 1, 3 do
      for j = 1, 3 do
        trace = trace + metric[i][j] * dual[i][j]
        for k = 1, 3 do
          for l = 1, 3 do square = square + metric[i][j] * dual[j][k] * metric[k][l] * dual[l][i] end
        end
      end
    end
    return trace, square, tide.det(e[1], e[2], e[3]) / rest, rest / 6
  end
  local densities = {
    stvk = function(p, i1, i2)
      return p.mu * (i2 - 2 * i1 + 3) / 4 + p.lambda / 8 * (i1 - 3) ^ 2
    end,
    neo_hookean = function(p, i1, _, j)
      local m, l = 4 / 3 * p.mu, p.lambda + 5 / 6 * p.mu
      local alpha = 1 + 3 * m / (4 * l)
      return m / 2 * (i1 - 3) - m / 2 * tide.log((i1 + 1) / 4) + l / 2 * ((j - alpha) ^ 2 - (1 - alpha) ^ 2)
    end,
  }
  for model, density in pairs(densities) do
    it("are those of the same formula as an element of one's own: " .. model, function()
      local own = tide.element { vertices = 4, parameters = { mu = 1, lambda = 1 },
        energy = function(p, ...)
          local i1, i2, j, volume = invariants(...)
          return volume * density(p, i1, i2, j)
        end }
      local young, poisson = 1e3, 0.35
      local mu, lambda = young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))
      local built_in = body_of { density = 1, solid = { model, young = young, poisson = poisson } }:system()
      local written = body_of { density = 1,
        elements = { { own, on = "tetrahedra", mu = mu, lambda = lambda } } }:system()
      local x, direction = built_in:positions(), tide.linear.vector(built_in:hessian(built_in:positions()):rows())
      for _, stretch in ipairs { 1, 1.4, 0.6, -0.8 } do -- also inside out
        for i = 1, #x do x[i] = (i % 3 == 1 and stretch or 1) * built_in:positions()[i] + 0.02 * math.sin(17 * i) end
        for i = 1, #direction do direction[i] = math.cos(5 * i) end
        local energy, gradient = built_in:energy(x), built_in:gradient(x)
        assert.is_near(energy, written:energy(x), 1e-9 * energy)
        local apart = gradient - written:gradient(x)
        assert.is_true(apart:norm() <= 1e-9 * gradient:norm())
        local product = built_in:hessian(x) * direction
        assert.is_true((product - written:hessian(x) * direction):norm() <= 1e-9 * product:norm())
      end
    end)
  end
end)
