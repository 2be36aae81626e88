-- Stresses of solids and membranes against the formulas of the models: body:stress, body:largest_stress, body:tension.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local young, poisson, thickness = 2e4, 0.3, 1e-3
local mu, lambda = young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))

-- A rotation about (1, 2, 2) / 3 by 1 rad, as rows.
local function rotation()
  local u, c, s = { 1 / 3, 2 / 3, 2 / 3 }, math.cos(1), math.sin(1)
  local r = {}
  local skew = { { 0, -u[3], u[2] }, { u[3], 0, -u[1] }, { -u[2], u[1], 0 } }
  for i = 1, 3 do
    r[i] = {}
    for j = 1, 3 do r[i][j] = (i == j and c or 0) + (1 - c) * u[i] * u[j] + s * skew[i][j] end
  end
  return r
end
local turn = rotation()

-- Moves the vertices to R diag(s) X.
local function deform(body, s)
  for v = 1, body.vertex_count do
    local x = { body.mesh:vertex(v) }
    local p = {}
    for i = 1, 3 do p[i] = turn[i][1] * s[1] * x[1] + turn[i][2] * s[2] * x[2] + turn[i][3] * s[3] * x[3] end
    body:set_position(v, p[1], p[2], p[3])
  end
end

-- The stress R diag(p) R' is found in each element.
local function expect(body, count, p, scale)
  local names = { { "xx", "xy", "zx" }, { "xy", "yy", "yz" }, { "zx", "yz", "zz" } }
  local sorted = { p[1], p[2], p[3] }
  table.sort(sorted, function(a, b) return a > b end)
  local mises = math.sqrt(((p[1] - p[2]) ^ 2 + (p[2] - p[3]) ^ 2 + (p[3] - p[1]) ^ 2) / 2)
  for e = 1, count do
    local stress = body:stress(e)
    for i = 1, 3 do
      for j = i, 3 do
        local value = 0
        for k = 1, 3 do value = value + turn[i][k] * p[k] * turn[j][k] end
        assert.is_near(value, stress[names[i][j]], 1e-8 * scale)
      end
      assert.is_near(sorted[i], stress.principal[i], 1e-8 * scale)
      local d, along = stress.directions[i], 0
      for k = 1, 3 do along = along + d[k] * stress[names[1][k]] end
      assert.is_near(stress.principal[i] * d[1], along, 1e-8 * scale)
    end
    assert.is_near(mises, stress.von_mises, 1e-8 * scale)
  end
  assert.is_near(mises, (body:largest_stress()), 1e-8 * scale)
end

-- Principal values of the first Piola-Kirchhoff stress of each model.
local solids = {
  corotated = function(s, i) return 2 * mu * (s[i] - 1) + lambda * (s[1] + s[2] + s[3] - 3) end,
  arap = function(s, i) return young * (s[i] - 1) end,
  stvk = function(s, i)
    local e = {}
    for k = 1, 3 do e[k] = (s[k] ^ 2 - 1) / 2 end
    return s[i] * (2 * mu * e[i] + lambda * (e[1] + e[2] + e[3]))
  end,
  neo_hookean = function(s, i) -- Smith et al. 2018, eq. 14
    local m, l, j = 4 * mu / 3, lambda + 5 * mu / 6, s[1] * s[2] * s[3]
    return m * (1 - 1 / (s[1] ^ 2 + s[2] ^ 2 + s[3] ^ 2 + 1)) * s[i] + l * (j - 1 - 3 * m / (4 * l)) * j / s[i]
  end,
}

-- Principal forces per width at rest, N/m, and the stretch of the thickness.
local k = young * thickness
local membranes = {
  stvk = function(a, b) return k / (1 - poisson ^ 2) * ((a * a - 1) + poisson * (b * b - 1)) / 2 * a end,
  arap = function(a) return k * (a - 1) end,
  orthotropic = function(a, b, first) -- the weft is half as stiff
    local c = k / (1 - poisson ^ 2 * 0.5)
    local e, f = (a * a - 1) / 2, (b * b - 1) / 2
    return first and c * (e + 0.5 * poisson * f) * a or c * (0.5 * e + 0.5 * poisson * f) * a
  end,
  baraff_witkin = function(a) return k * (a - 1) end,
}

local function solid(options)
  options.young = young
  local scene = tide.scene {}
  return scene:body("bar", { mesh = tide.mesh.box { size = { 1, 0.5, 0.4 }, cells = { 2, 1, 1 } }, density = 1000,
    solid = options }), scene
end

local function sheet(options)
  options.thickness = thickness
  local scene = tide.scene {}
  return scene:body("sheet", { mesh = tide.mesh.grid { columns = 3, rows = 3, width = 1, height = 1 }, density = 1000,
    membrane = options }), scene
end

describe("the stress of a solid", function()
  for model, formula in pairs(solids) do
    it("follows the formula of " .. model, function()
      for _, s in ipairs { { 1.2, 0.9, 1.05 }, { 0.8, 0.7, 1.3 }, { 1, 1, 1 }, { 2, 1.5, 0.5 } } do
        local body = solid { model = model, poisson = model ~= "arap" and poisson or nil }
        deform(body, s)
        local p, j = {}, s[1] * s[2] * s[3]
        for i = 1, 3 do p[i] = formula(s, i) * s[i] / j end
        expect(body, body.mesh.tetrahedron_count, p, young)
      end
    end)
  end
  it("is that of the shape and the volume together", function()
    local s = { 1.02, 0.99, 1.01 }
    local body = solid { model = "corotated", poisson = poisson, incompressible = true }
    deform(body, s)
    local p, j = {}, s[1] * s[2] * s[3]
    for i = 1, 3 do p[i] = solids.corotated(s, i) * s[i] / j + 100 * young * (j - 1) end
    expect(body, body.mesh.tetrahedron_count, p, 100 * young)
  end)
  it("carries the force at a held end", function()
    local body, scene = solid { model = "neo_hookean", poisson = 0 }
    scene.solver = { "newton", iterations = 100, tolerance = 1e-13 }
    scene.gravity, scene.timestep, scene.drag = { 0, 0, 0 }, 10, 1
    body:pin(function(_, x) return math.abs(x) > 0.49 end)
    for v = 1, body.vertex_count do
      local x, y, z = body:position(v)
      if x > 0.49 then body:move_pin(v, 1.3 * x, y, z) end
    end
    for _ = 1, 5 do
      assert(scene:step())
      for v = 1, body.vertex_count do body:set_velocity(v, 0, 0, 0) end
    end
    assert(scene:step())
    local pull = body:reaction(function(_, x) return x > 0.49 end)
    local carried, volume = 0, 0 -- the mean of sigma_xx, without stress at the sides, is the force times the length
    for t = 1, body.mesh.tetrahedron_count do
      local v = { body.mesh:tetrahedron(t) }
      local a, b, c, d = { body:position(v[1]) }, { body:position(v[2]) }, { body:position(v[3]) },
        { body:position(v[4]) }
      local e, f, g = {}, {}, {}
      for i = 1, 3 do e[i], f[i], g[i] = b[i] - a[i], c[i] - a[i], d[i] - a[i] end
      local size = math.abs(e[1] * (f[2] * g[3] - f[3] * g[2]) + e[2] * (f[3] * g[1] - f[1] * g[3]) +
        e[3] * (f[1] * g[2] - f[2] * g[1])) / 6
      carried, volume = carried + size * body:stress(t).xx, volume + size
    end
    assert.is_true(pull > 100 and volume > 0.2)
    assert.is_near(pull * (0.5 * 1.3 + 0.5), carried, 1e-6 * pull)
  end)
end)

describe("the stress of a membrane", function()
  for model, formula in pairs(membranes) do
    it("follows the formula of " .. model, function()
      local threads = model == "orthotropic" or model == "baraff_witkin"
      for _, s in ipairs { { 1.2, 1, 0.9 }, { 0.8, 1, 1.1 }, { 1, 1, 1 } } do
        local body = sheet { model = model, young = not threads and young or nil, warp = threads and young or nil,
          weft = model == "orthotropic" and young / 2 or nil, shear = threads and 1 or nil,
          poisson = (model == "stvk" or model == "orthotropic") and poisson or nil }
        deform(body, s)
        local second = threads and (model == "orthotropic" and
          (function()
            local c, e, f = k / (1 - poisson ^ 2 * 0.5), (s[1] ^ 2 - 1) / 2, (s[3] ^ 2 - 1) / 2
            return c * (0.5 * f + 0.5 * poisson * e) * s[3]
          end)() or k * (s[3] - 1)) or formula(s[3], s[1])
        expect(body, body.triangle_count, { formula(s[1], s[3], true) / s[3] / thickness, 0,
          second / s[1] / thickness }, young)
      end
    end)
  end
  it("of rubber counts the thickness at present", function()
    local body = sheet { model = "neo_hookean", young = young, poisson = 0.4999999 }
    deform(body, { 1.5, 1, 1.5 })
    local stress = young / 3 * (1.5 ^ 2 - 1.5 ^ -4) -- of the incompressible solid without stress across
    expect(body, body.triangle_count, { stress, 0, stress }, 100 * young)
  end)
  it("includes that of a strain limit", function()
    local scene = tide.scene {}
    local body = scene:body("sheet", { mesh = tide.mesh.grid { columns = 2, rows = 2 }, density = 1000,
      membrane = { young = young, thickness = thickness }, strain_limit = { stretch = 0.05 } })
    deform(body, { 1.04, 1, 1 })
    local within = body:stress(1).von_mises
    deform(body, { 1.3, 1, 1 })
    assert.is_true(body:stress(1).von_mises > 20 * within)
  end)
end)

describe("stress and tension", function()
  it("of a cut element are 0", function()
    local body = solid { model = "stvk" }
    deform(body, { 1.3, 1, 1 })
    body:cut { elements = { 1 } }
    assert.are.equal(0, body:stress(1).von_mises)
    assert.are.same({ 0, 0, 0 }, body:stress(1).principal)
    assert.is_true(body:stress(2).von_mises > 0)
    local _, largest = body:largest_stress()
    assert.is_true(largest > 1)
  end)
  it("tell tetrahedra and triangles of a body with both", function()
    local scene = tide.scene {}
    local body = scene:body("skin", { mesh = tide.mesh.box { size = { 1, 1, 1 }, cells = { 1, 1, 1 } }, density = 1000,
      solid = { young = young, poisson = 0 }, membrane = { young = 10 * young, poisson = 0, thickness = thickness } })
    deform(body, { 1.1, 1, 1 })
    local inside, skin = 0, 0
    for t = 1, body.mesh.tetrahedron_count do inside = math.max(inside, body:stress(t).von_mises) end
    for t = 1, body.triangle_count do skin = math.max(skin, body:stress(t, "triangles").von_mises) end
    assert.is_near(0.1 * young, inside, 1e-8 * young)
    assert.is_near(10 * young * 0.105 * 1.1, skin, 1e-7 * young)
    assert.are.equal(body:stress(1).xx, body:stress(1, "tetrahedra").xx)
    assert.are.equal(inside, (body:largest_stress()))
  end)
  it("of the edges of a rod are those of their springs", function()
    local scene = tide.scene {}
    local body = scene:body("wire", { mesh = tide.mesh.strand { points = 3, to = { 1, 0, 0 } }, density = 1000,
      rod = { young = 1e6, radius = 1e-3 } })
    body:set_position(3, 1.01, 0, 0)
    assert.is_near(0, body:tension(1), 1e-12)
    assert.is_near(1e6 * math.pi * 1e-6 * 0.02, body:tension(2), 1e-9)
    has(message(body.tension, body, 3), 'body "wire": tension = 3: this element is of the kind rod_bend')
  end)
  it("tell springs of a solid, which have a tension", function()
    local body = solid { model = "spring" }
    deform(body, { 1.1, 1.1, 1.1 })
    assert.is_true(body:tension(1) > 0)
    has(message(body.stress, body, 1), "neither solid nor membrane")
    has(message(solid, { model = "spring", poisson = 0.3 }), "springs have Poisson's ratio 1/4; leave it out")
  end)
  it("refuse what has none", function()
    local body = solid { model = "stvk" }
    has(message(body.stress, body, 0), "expected a tetrahedron from 1 to")
    has(message(body.stress, body, 1, "triangles"), 'body "bar": stress: this body has no membrane')
    has(message(body.stress, body, 1, "triangle"), 'did you mean "triangles"')
    has(message(body.stress, body), "expected a tetrahedron from 1 to")
    has(message(sheet { young = young }.stress, sheet { young = young }, 1, "tetrahedra"), "has no solid")
    local net = tide.scene {}:body("net", { mesh = tide.mesh.grid { columns = 2, rows = 2 }, mass = 1, stiffness = 1 })
    has(message(net.stress, net, 1), 'body "net": stress: this body has neither solid nor membrane with a stress')
    assert.are.same({ 0 }, { net:largest_stress() })
  end)
end)
