-- Materials of surfaces: membranes, shells, gas, limits of strain. Wrong definitions, closed formulas, solvers.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local grid = tide.mesh.grid { columns = 5, rows = 5, width = 1, height = 1 }
local ball = tide.mesh.sphere { radius = 0.1, subdivisions = 2 }
local sheet = { young = 1e5, thickness = 1e-3 }

local function total(masses)
  local sum = 0
  for i = 1, #masses do sum = sum + masses[i] end
  return sum
end

-- A scene without gravity whose steps are so long that each of them ends in equilibrium.
local function still(solver)
  solver = solver or { "newton", iterations = 200, tolerance = 1e-13 }
  return tide.scene { timestep = 10, gravity = { 0, 0, 0 }, solver = solver }
end

describe("wrong materials are refused with the body, the field and what to do:", function()
  local flat = tide.mesh.new { vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 1 }, { 1, 0, 1 } },
    triangles = { { 1, 2, 3 }, { 2, 4, 3 } } }
  local line = tide.mesh.new { vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 }, { 1, 0, 1 } },
    triangles = { { 1, 2, 3 }, { 2, 4, 3 } } }
  local open = tide.mesh.new { vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
    triangles = { { 1, 3, 2 }, { 1, 2, 4 }, { 1, 4, 3 } } }
  local inward = tide.mesh.new { vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
    triangles = { { 1, 2, 3 }, { 1, 4, 2 }, { 1, 3, 4 }, { 2, 4, 3 } } }
  local cases = {
    { { membrane = { young = -1, thickness = 1 } }, 'body "b": membrane.young = -1: expected' },
    { { membrane = { young = 1, thickness = 0 } }, 'body "b": membrane.thickness = 0: expected' },
    { { membrane = { young = 1 } }, 'body "b": membrane.thickness: missing' },
    { { membrane = { thickness = 1 } }, 'body "b": membrane.young: missing; Young' },
    { { membrane = { young = 1 / 0, thickness = 1 } }, 'body "b": membrane.young = inf' },
    { { membrane = { young = 1, thickness = 1, poisson = 0.5 } },
      "membrane.poisson = 0.5: expected a number above -1 and below 0.5" },
    { { membrane = { young = 1, thickness = 1, poisson = -1 } }, "membrane.poisson = -1: expected a number above -1" },
    { { membrane = { "baraff_witkin", young = 1, thickness = 1, poisson = 0.3 } }, 'choose model = "orthotropic"' },
    { { membrane = { "neo_hookean", young = 1, thickness = 1, poisson = -0.3 } }, 'neo_hookean expects at least 0' },
    { { membrane = { "stvk", young = 1, thickness = 1, weft = 2 } }, "membrane.weft: stvk is alike in all directions" },
    { { membrane = { "orthotropic", young = 1, warp = 2, thickness = 1 } }, "give either young or warp, not both" },
    { { membrane = { "orthotropic", warp = 1, weft = 20, thickness = 1 } }, "poisson^2 weft / warp must be below 1" },
    { { membrane = { "orthotropic", warp = 1, thickness = 1, direction = { 0, 1, 0 } } },
      "membrane = triangle 1 (1, 6, 7): lies across the direction of the warp" },
    { { membrane = { "stvkk", young = 1, thickness = 1 } }, 'did you mean "stvk"?' },
    { { mesh = line, membrane = sheet }, "triangle 1 (1, 2, 3)" },
    { { mesh = tide.mesh.strand { points = 3, to = { 1, 0, 0 } }, mass = 1, membrane = sheet },
      "membrane: the body's mesh has no triangles" },
    { { shell = { bending = 0 } }, 'body "b": shell.bending = 0: expected' },
    { { shell = {} }, 'body "b": shell.bending: missing' },
    { { shell = { bending = 1, rest = "shape" } },
      'quadratic is for sheets that are flat at rest; choose model = "discrete"' },
    { { mesh = tide.mesh.new { vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 1 } }, triangles = { { 1, 2, 3 } } },
      shell = { bending = 1 } },
      "shell: the body's mesh has no two triangles that share an edge" },
    { { gas = { pressure = 5 } }, "gas = edge (1, 2): the surface is not closed" },
    { { mesh = open, pressure = 5 }, "pressure = edge (2, 3): the surface is not closed" },
    { { mesh = inward, pressure = 5 }, "pressure: the surface faces inward" },
    { { mesh = ball, pressure = "much" }, 'body "b": pressure = "much": expected a table of its options, or a number' },
    { { mesh = ball, pressure = 0 / 0 }, 'body "b": pressure.pressure = ' },
    { { mesh = ball, gas = { pressure = -2e5, isothermal = true } }, "expected more than -ambient" },
    { { strain_limit = { stretch = 0.1 } }, "the body has none; give solid, membrane or stiffness" },
    { { membrane = sheet, strain_limit = {} }, "strain_limit.stretch: missing; give stretch, compression or both" },
    { { membrane = sheet, strain_limit = { stretch = -0.1 } }, "strain_limit.stretch = -0.1" },
    { { membrane = sheet, strain_limit = { compression = 1.5 } }, "strain_limit.compression = 1.5" },
    { { membrane = sheet, area_density = false }, "area_density" },
    { { membrane = sheet, none = true }, "density: is missing; with a material give density", true },
  }
  for _, case in ipairs(cases) do
    it(case[2], function()
      local scene = tide.scene { timestep = 1 / 60 }
      local other = scene:body("other", { mesh = flat, area_density = 1, membrane = sheet })
      local definition = case[1]
      definition.mesh = definition.mesh or grid
      if definition.none then
        definition.none = nil
      elseif definition.area_density == nil and not definition.mass then
        definition.area_density = 1
      end
      local text = message(function() scene:body("b", definition) end)
      has(text, case[2])
      has(text, "surfaces_spec.lua:")
      assert.is_true(scene:step(1)) -- the world goes on
      assert.are.equal(4, other.vertex_count)
    end)
  end
end)

describe("a membrane", function()
  it("has the mass of its thickness", function()
    local scene = tide.scene {}
    scene:body("b", { mesh = grid, density = 1100, membrane = sheet })
    assert.is_near(1.1, total(scene:system():masses()), 1e-12)
  end)
  -- A sheet of 1 m is pinned at the boundary as stretched by (u, v); the vertices inside start at wrong places.
  local function stretched(options, u, v)
    local scene = still()
    local b = scene:body("b", { mesh = grid:scale(u, 1, v), rest = grid, area_density = 1e-5, membrane = options })
    b:pin(function(_, x, _, z) return x < 1e-9 or z < 1e-9 or x > u - 1e-9 or z > v - 1e-9 end)
    local right, top, wrong = {}, {}, {}
    for i = 1, b.vertex_count do
      local x, y, z = b:position(i)
      if x > u - 1e-9 then right[#right + 1] = i end
      if z > v - 1e-9 then top[#top + 1] = i end
      if x > 1e-9 and x < u - 1e-9 and z > 1e-9 and z < v - 1e-9 then
        wrong[i] = { x, y, z }
        b:set_position(i, x + (i % 3 - 1) * 0.03, y + 0.001 * i, z + (i % 5 - 2) * 0.02)
      end
    end
    assert(scene:step(1))
    assert(scene:report().converged)
    for i, place in pairs(wrong) do
      local x, y, z = b:position(i)
      assert.is_near(place[1], x, 1e-9)
      assert.is_near(place[2], y, 1e-9)
      assert.is_near(place[3], z, 1e-9)
    end
    local px = b:reaction(right)
    local _, _, pz = b:reaction(top)
    return px, pz -- N per 1 m of the edge at rest
  end
  it("is stretched uniformly by an affine boundary, with the stress of its model", function()
    local k, u = 1e5 * 1e-3, 1.3
    local e = (u * u - 1) / 2
    local function options(model, more)
      local o = { model = model, young = 1e5, thickness = 1e-3 }
      for key, value in pairs(more or {}) do o[key] = value end
      return o
    end
    local function expect(px, pz, o, v)
      local x, z = stretched(o, u, v)
       assert.is_near(px, x, 1e-8 * k)
      assert.is_near(pz, z, 1e-8 * k)
    end
    -- tension along x without stress along z, by the lateral contraction of each model
    expect(k * (u - 1), 0, options "arap", 1)
    expect(k / 1.25 * (u - 1), 0, options("arap", { poisson = 0.25 }), 1) -- 2 mu
    expect(k * e * u, 0, options("stvk", { poisson = 0.3 }), math.sqrt(1 - 2 * 0.3 * e))
    expect(k * e * u, 0, options("orthotropic", { poisson = 0.3, weft = 4e4 }), math.sqrt(1 - 2 * 0.3 * e))
    expect(k * (u - 1), 0, options("baraff_witkin", { weft = 4e4 }), 1)
    -- along the weft
    expect(k * (u - 1), 0.4 * k * 0.1, options("baraff_witkin", { weft = 4e4 }), 1.1)
    expect(0.4 * k * e * u, 0, options("orthotropic", { poisson = 0.3, weft = 4e4, direction = { 0, 0, 1 } }),
      math.sqrt(1 - 2 * 0.3 * 0.4 * e))
    -- rubber: s3^2 = s2^2 by symmetry, so that (1 + l/(2 m)) / (1 + l/(2 m) u^2 s^2) = s
    local poisson = 0.45
    local mu, ratio = k / (2 * (1 + poisson)), poisson / (1 - 2 * poisson)
    local low, high = 0.1, 1
    for _ = 1, 200 do
      local s = (low + high) / 2
      if (1 + ratio) / (1 + ratio * u * u * s) > s then low = s else high = s end
    end
    local a = mu * (1 + ratio)
    local q = u * u * low
    expect(mu * u - a * mu / (u * (mu + mu * ratio * q)), 0, options("neo_hookean", { poisson = poisson }),
      math.sqrt(low))
  end)
  it("has the warp along the texture, or along a direction", function()
    local turned = grid:rotate({ 0, 1, 0 }, math.pi / 2) -- the texture turns with it
    local function energy(mesh, direction)
      local scene = still()
      scene:body("b", { mesh = mesh:scale(1, 1, 1.1), rest = mesh, area_density = 1e-5,
        membrane = { "orthotropic", warp = 1e5, weft = 1e3, poisson = 0, thickness = 1e-3, direction = direction } })
      return scene:energy().elastic
    end
    local textured = energy(turned)
    assert.is_true(math.abs(textured - energy(turned, { 0, 0, 1 })) < 1e-12
      or math.abs(textured - energy(turned, { 1, 0, 0 })) < 1e-12)
    assert.is_near(100, energy(turned, { 0, 0, 1 }) / energy(turned, { 1, 0, 0 }), 1e-9)
  end)
end)

describe("a shell", function()
  -- A strip of unit width that is clamped in the middle between its first two columns of vertices,
  -- under a small load q.
  local function deflection(model, columns)
    local h = 1 / (columns - 1.5)
    local scene = tide.scene { timestep = 1, gravity = { 0, -1e-4, 0 },
      solver = { "newton", iterations = 100, tolerance = 1e-12 } }
    local strip = tide.mesh.grid { columns = columns, rows = (columns + 1) // 2, width = h * (columns - 1),
      height = h * (columns - 1) / 2 }
    local b = scene:body("strip",
      { mesh = strip, area_density = 1e-2, membrane = { "stvk", young = 1e7, thickness = 1e-3 },
      shell = { model = model, bending = 0.1 } })
    b:pin(function(_, x) return x < 1.5 * h end)
    assert(scene:step(6))
    local _, y = b:position(columns * ((columns + 1) // 4 + 1))
    return -y / (1e-6 / (8 * 0.1)) -- q L^4 / (8 B)
  end
  for _, model in ipairs { "quadratic", "discrete" } do
    it("as a cantilever bends by q L^4 / (8 B): " .. model, function()
      local coarse, fine, finest = deflection(model, 9), deflection(model, 17), deflection(model, 33)
      assert.is_near(1, finest, 0.01)
      assert.is_near(2, (fine - coarse) / (finest - fine), 0.3) -- first order: free edges bend differently
    end)
  end
  it("of either model moves in the same way however small the motion is, at each step converged", function()
    -- A strip of 1 m, clamped at one end. Its motion is proportional to the velocity at which it starts.
    local function moved(model, speed)
      local scene = tide.scene { timestep = 1 / 240, gravity = { 0, 0, 0 },
        solver = { "implicit_midpoint", tolerance = 1e-9, iterations = 50 } }
      local body = scene:body("strip", { mesh = tide.mesh.grid { columns = 21, rows = 3, width = 1, height = 0.1 },
        density = 1000, membrane = { young = 1e6, thickness = 1e-3 }, shell = { model, bending = 1e-3 } })
      body:pin(function(_, x) return x < 0.051 end)
      for i = 1, body.vertex_count do
        local x = body.mesh:vertex(i)
        body:set_velocity(i, 0, speed * x ^ 2, 0)
      end
      local iterations = 0
      for _ = 1, 60 do
        assert(scene:step(1))
        assert.is_true(scene:report().converged)
        iterations = iterations + scene:report().iterations
      end
      assert.is_true(iterations < 3 * 60)
      local _, y = body:position(21)
      return y / speed
    end
    local expected = moved("discrete", 1e-4)
    for _, speed in ipairs { 1e-4, 1e-6, 1e-8 } do
      assert.is_near(1, moved("quadratic", speed) / expected, 2e-3)
    end
  end)
  it("keeps the angles of its shape at rest, or flattens", function()
    local bent = tide.mesh.new { vertices = { { 0, 0, 0 }, { 0, 0, 1 }, { 1, 0.5, 0 }, { -1, 0.5, 1 } },
      triangles = { { 1, 2, 3 }, { 2, 1, 4 } } }
    local function energy(rest)
      local scene = still()
      scene:body("b", { mesh = bent, area_density = 1e-5, shell = { "discrete", bending = 2, rest = rest } })
      return scene:energy().elastic
    end
    local angle, areas = math.pi - 2 * math.atan(2), math.sqrt(1.25)
    assert.is_near(0, energy "shape", 1e-15)
    assert.is_near(1.2 * 2 / 2 * angle ^ 2 / areas, energy "flat", 1e-12)
  end)
end)

describe("a balloon of rubber", function()
  -- The gas of a large ambient pressure holds the volume: so states beyond the largest pressure are stable, too.
  it("has the pressure 2 mu t / R (1/l - 1/l^7) with its maximum at l = 7^(1/6)", function()
    local sphere = tide.mesh.sphere { radius = 0.1, subdivisions = 3 }
    local young, thickness, ambient, largest, at = 1e6, 1e-4, 3e3, 0, 0
    local scale = 2 * young / 3 * thickness / 0.1
    local best = 7 ^ (-1 / 6) - 7 ^ (-7 / 6)
    for _, stretch in ipairs { 1.1, 1.25, 1.34, 1.38, 1.43, 1.6 } do
      local scene = still { "newton", iterations = 300, tolerance = 1e-8 }
      -- filled so that the volume at this stretch has the formula's pressure
      local wanted = scale * (1 / stretch - 1 / stretch ^ 7)
      local b = scene:body("b", { mesh = sphere:scale(stretch), rest = sphere, area_density = 1e-5,
        membrane = { "neo_hookean", young = young, thickness = thickness, poisson = 0.4999 },
        gas = { pressure = (ambient + wanted) * stretch ^ 3 - ambient, isothermal = true, ambient = ambient } })
      assert(scene:step(1))
      assert(scene:report().converged)
      local sum = 0
      for i = 1, b.vertex_count do
        local x, y, z = b:position(i)
        sum = sum + math.sqrt(x * x + y * y + z * z)
      end
      local l = sum / b.vertex_count / 0.1
      local pressure = (ambient + wanted) * stretch ^ 3 / l ^ 3 - ambient
      local exact = scale * (1 / l - 1 / l ^ 7)
      assert.is_near(1, pressure / exact, 0.01)
      if pressure > largest then largest, at = pressure, stretch end
    end
    assert.are.equal(1.38, at) -- 7^(1/6) is 1.383
    assert.is_near(1, largest / (scale * best), 0.01)
  end)
  it("whose gas joins all vertices lets Newton's method converge, with either linear solver", function()
    for _, linear in ipairs { "cholesky", "pcg" } do
      local scene = tide.scene { timestep = 1 / 60, solver = { "newton", iterations = 30, linear = linear } }
      scene:body("b", { mesh = tide.mesh.sphere { radius = 0.3, subdivisions = 2 }, area_density = 0.2,
        membrane = { "neo_hookean", young = 1e6, poisson = 0.49, thickness = 3e-4 },
        gas = { pressure = 60000, isothermal = true } })
      for frame = 1, 12 do
        assert(scene:step())
        local report = scene:report()
        assert.is_true(report.converged and report.iterations < 15, linear .. " at frame " .. frame)
      end
    end
  end)
  it("is an error under solvers for which an isothermal gas does not converge", function()
    for _, name in ipairs { "vbd", "xpbd", "pbd" } do
      local scene = tide.scene { timestep = 1 / 60, solver = { name } }
      scene:body("b", { mesh = ball, area_density = 1, membrane = sheet, gas = { pressure = 100, isothermal = true } })
      local ok, text = scene:step(1)
      assert.is_nil(ok)
      has(text, ('solver "%s": element = "gas": this kind of element'):format(name))
    end
  end)
end)

describe("strain_limit", function()
  -- The largest and smallest singular values of the triangles of a grid of cells of 1/4 m.
  local function stretches(b, mesh, rest)
    local largest, smallest = 0, math.huge
    for t = 1, #mesh.triangles do
      local p = {}
      for c = 1, 3 do p[c] = { b:position(mesh.triangles[t][c]) } end
      local f = {}
      for k = 1, 3 do
        local a, c = p[2][k] - p[1][k], p[3][k] - p[1][k]
        f[k] = { a * rest[t][1] + c * rest[t][3], a * rest[t][2] + c * rest[t][4] }
      end
      local c11, c12, c22 = 0, 0, 0
      for k = 1, 3 do
        c11, c12, c22 = c11 + f[k][1] ^ 2, c12 + f[k][1] * f[k][2], c22 + f[k][2] ^ 2
      end
      local m, d = (c11 + c22) / 2, math.sqrt(((c11 - c22) / 2) ^ 2 + c12 ^ 2)
      largest, smallest = math.max(largest, math.sqrt(m + d)), math.min(smallest, math.sqrt(m - d))
    end
    return largest, smallest
  end
  local list = { vertices = {}, triangles = {} }
  local rest = {}
  for r = 0, 4 do
    for c = 0, 4 do list.vertices[#list.vertices + 1] = { c / 4, 0, r / 4 } end
  end
  for r = 0, 3 do
    for c = 1, 4 do
      local i = 5 * r + c
      list.triangles[#list.triangles + 1] = { i, i + 5, i + 1 } -- edges (0, 1/4), (1/4, 0)
      rest[#rest + 1] = { 0, 4, 4, 0 }
      list.triangles[#list.triangles + 1] = { i + 6, i + 1, i + 5 } -- (0, -1/4), (-1/4, 0)
      rest[#rest + 1] = { 0, -4, -4, 0 }
    end
  end
  local function hung(solver, limit, load)
    local scene = tide.scene { timestep = 1 / 30, gravity = { 0, -9.81, 0 }, solver = solver }
    local b = scene:body("b",
      { mesh = tide.mesh.new(list), area_density = load, membrane = { "stvk", young = 1e4, thickness = 1e-3 },
      strain_limit = limit })
    b:pin { 1, 5 }
    assert(scene:step(60))
    assert.is_true(scene:report().converged)
    return stretches(b, list, rest)
  end
  it("holds the largest singular value at the limit and the tolerance", function()
    local largest = hung({ "newton", iterations = 100, tolerance = 1e-8 }, nil, 0.3)
    assert.is_true(largest > 1.2, largest) -- without a limit
    for _, stretch in ipairs { 0.02, 0.1 } do
      for _, solver in ipairs { { "newton", iterations = 100, tolerance = 1e-8 },
        { "lbfgs", iterations = 5000, tolerance = 1e-6 } } do
        largest = hung(solver, { stretch = stretch }, 0.3)
        assert.is_true(largest > 1 + stretch and largest <= 1 + stretch + 0.002, largest)
      end
    end
  end)
  it("holds compression", function()
    local scene = still()
    local mesh = tide.mesh.new(list)
    local b = scene:body("b", { mesh = mesh:scale(0.9, 1, 1), rest = mesh, area_density = 1e-5,
      membrane = { "stvk", young = 1e4, thickness = 1e-3, poisson = 0 },
      strain_limit = { compression = 0.05 } })
    local x1, x2 = {}, {}
    for i = 1, b.vertex_count do
      local x = b:position(i)
      if x < 1e-9 then x1[#x1 + 1] = i elseif x > 0.9 - 1e-9 then x2[#x2 + 1] = i end
    end
    local plain = 10 * 0.9 * (1 - 0.81) / 2
    b:pin(function() return true end)
    assert(scene:step(1))
    assert.is_true(-b:reaction(x2) > 10 * plain)
    assert.is_near(-b:reaction(x2), (b:reaction(x1)), 1e-8) -- the sheet pushes on both sides alike
  end)
  it("makes the threads of a net biphasic", function()
    local scene = tide.scene { timestep = 1 / 30, solver = { "newton", iterations = 100, tolerance = 1e-9 } }
    local b = scene:body("net", { mesh = tide.mesh.strand { points = 3, to = { 0, -1, 0 } }, mass = 3, stiffness = 20,
      strain_limit = { stretch = 0.25 } })
    b:pin { 1 }
    assert(scene:step(200))
    local _, y2 = b:position(2)
    local _, y3 = b:position(3)
    assert.is_true(-y2 / 0.5 > 1.25 and -y2 / 0.5 <= 1.252, y2)
    assert.is_true((y2 - y3) / 0.5 > 1.25 and (y2 - y3) / 0.5 <= 1.252, y3)
  end)
end)

describe("a gas", function()
  -- A cube that is held, of the side s at rest 1: the elastic energy, and the force on its top.
  local function held(gas, sides)
    local scene = tide.scene { timestep = 1, gravity = { 0, 0, 0 } }
    local mesh = tide.mesh.box { size = { 1, 1, 1 }, cells = { 1, 1, 1 } }
    local outside = { vertices = {}, triangles = {} }
    for i = 1, mesh.vertex_count do outside.vertices[i] = { mesh:vertex(i) } end
    for t = 1, mesh.triangle_count do outside.triangles[t] = { mesh:triangle(t) } end
    local body = scene:body("b", { mesh = tide.mesh.new(outside), area_density = 1, gas = gas })
    local top, all = {}, {}
    for i, p in ipairs(outside.vertices) do
      all[i] = i
      if p[2] > 0.49 then top[#top + 1] = i end
    end
    body:pin(all)
    local forces, energies = {}, {}
    for n, s in ipairs(sides) do
      for i, p in ipairs(outside.vertices) do body:move_pin(i, s * p[1], s * p[2], s * p[3]) end
      assert(scene:step(3))
      forces[n] = -select(2, body:reaction(top)) -- at rest again after the move
      energies[n] = scene:energy().elastic
    end
    return forces, energies
  end
  local sides = { 1, 1.3, 0.8, 1.3 + 1e-4, 1.3 - 1e-4 }
  it("has a constant pressure without `isothermal`, as `pressure` has", function()
    for _, pressure in ipairs { 500, -200 } do
      local forces, energies = held({ pressure = pressure }, sides)
      for n, s in ipairs(sides) do
        assert.is_near(pressure * s ^ 2, forces[n], 1e-9)
        assert.is_near(-pressure * (s ^ 3 - sides[1] ^ 3), energies[n] - energies[1], 1e-9)
      end
      -- The force from the energy: the six sides move outward by half of the growth.
      assert.is_near(-(energies[4] - energies[5]) / 2e-4, 6 * 0.5 * forces[2], 1e-4)
    end
  end)
  it("has p V constant with `isothermal`, of the absolute pressure", function()
    local forces, energies = held({ pressure = 500, isothermal = true, ambient = 2000 }, sides)
    for n, s in ipairs(sides) do
      assert.is_near((2500 / s ^ 3 - 2000) * s ^ 2, forces[n], 1e-9)
    end
    assert.is_near(-(energies[4] - energies[5]) / 2e-4, 6 * 0.5 * forces[2], 1e-4)
  end)
end)
