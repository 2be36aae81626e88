local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local mesh = tide.mesh.grid { columns = 4, rows = 3, width = 3, height = 2 }

local function sheet(definition)
  local scene = tide.scene {}
  definition.mesh = definition.mesh or mesh
  return scene, scene:body("sheet", definition)
end

-- The energy of the edges' springs, each stretched by a tenth, with the stiffness that `k` gives them.
local function stretched_energy(k)
  local sum = 0
  for e = 1, mesh.edge_count do
    local i, j = mesh:edge(e)
    local xi, yi, zi = mesh:vertex(i)
    local xj, yj, zj = mesh:vertex(j)
    local rest = math.sqrt((xi - xj) ^ 2 + (yi - yj) ^ 2 + (zi - zj) ^ 2)
    sum = sum + 0.5 * k(i, j, rest) * (0.1 * rest) ^ 2
  end
  return sum
end

local function energy_when_stretched(scene, body)
  for i = 1, body.vertex_count do
    local x, y, z = body:position(i)
    body:set_position(i, 1.1 * x, 1.1 * y, 1.1 * z)
  end
  return scene:energy().elastic
end

describe("values of each vertex", function()
  it("are given by a function of index and place", function()
    local seen = {}
    sheet { mass = 1, stiffness = function(i, x, y, z)
      seen[#seen + 1] = { i, x, y, z }
      return 1
    end }
    assert.are.equal(mesh.vertex_count, #seen)
    for i, values in ipairs(seen) do
      assert.are.same({ i, mesh:vertex(i) }, values)
    end
  end)
  it("make springs with the mean of their ends", function()
    local function value(_, x) return 10 + 5 * x end
    local function mean(i, j)
      return (value(i, (mesh:vertex(i))) + value(j, (mesh:vertex(j)))) / 2
    end
    assert.is_near(stretched_energy(mean), energy_when_stretched(sheet { stiffness = value }), 1e-12)
    assert.is_near(stretched_energy(function(i, j, rest) return mean(i, j) / rest end),
      energy_when_stretched(sheet { modulus = value }), 1e-12)
    local plain = energy_when_stretched(sheet { stiffness = 1, bend = 20 })
    assert.is_near(plain, energy_when_stretched(sheet { stiffness = 1, bend = function() return 20 end }), 1e-12)
    plain = energy_when_stretched(sheet { stiffness = 1, bend_modulus = 20 })
    local bend_modulus = function() return 20 end
    assert.is_near(plain, energy_when_stretched(sheet { stiffness = 1, bend_modulus = bend_modulus }), 1e-12)
  end)
  it("make masses", function()
    local scene = sheet { stiffness = 1, masses = function(i) return i end }
    local masses = scene:system():masses()
    for i = 1, mesh.vertex_count do
      assert.are.equal(i, masses[i])
    end
    scene = sheet { stiffness = 1, density = function(_, x) return x end }
    masses = scene:system():masses()
    local total = 0
    for i = 1, mesh.vertex_count do
      total = total + masses[i]
    end
    assert.is_near(2 * 3 ^ 2 / 2, total, 1e-12)
  end)
  it("are refused with the vertex", function()
    has(message(sheet, { stiffness = function(i) return i == 5 and -1 or 1 end }),
      'body "sheet": stiffness = -1: at vertex 5; expected a number from 0 to 1e+15')
    has(message(sheet, { bend = function(i) return i == 3 and "soft" or 1 end }),
      'body "sheet": bend(3) = "soft": expected that the function(i, x, y, z) gives a finite number for each vertex')
    has(message(sheet, { modulus = function() end }), "modulus(1) = nil: expected that the function")
    has(message(sheet, { density = function(i) return i == 2 and 0 / 0 or 1 end }), "density(2) = ")
    has(message(sheet, { masses = function(i) return 2 - i end }), "gives vertex 2 this mass; expected more")
    has(message(sheet, { stiffness = function() error("of my own") end }), "of my own")
    has(message(sheet, { stiffness = function() return 1 end, modulus = 2 }), "give either stiffness or modulus")
    has(message(sheet, { stiffness = { 1, 2 } }), "stiffness = a table: expected a number")
    has(message(sheet, { mass = function() return 1 end }), "mass = a function: expected a number")
  end)
  it("stay as they are when a scene is run again", function()
    local script = [[
      local tide = require "springtide"
      local scene = tide.scene {}
      local body = scene:body("sheet", { mesh = tide.mesh.grid { columns = 4, rows = 3, width = 3, height = 2 },
        stiffness = function(i) return i end })
      body:pin { 1 }
      return scene
    ]]
    local path = helper.write("materials.lua", script)
    local a, b = tide.load(path), tide.load(path)
    a:step(5)
    b:step(5)
    assert.are.equal(a:hash(), b:hash())
  end)
end)
