-- Signed distances, and the meshes and shapes that are made of them.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message
local distance = tide.distance

-- The value at a point, without the gradient.
local function at(d, x, y, z)
  return (d:at(x, y, z))
end

-- The gradient is that of finite differences.
local function check_gradient(d, x, y, z)
  local h, _, gx, gy, gz = 1e-5, d:at(x, y, z)
  assert.is_near((at(d, x + h, y, z) - at(d, x - h, y, z)) / (2 * h), gx, 1e-6)
  assert.is_near((at(d, x, y + h, z) - at(d, x, y - h, z)) / (2 * h), gy, 1e-6)
  assert.is_near((at(d, x, y, z + h) - at(d, x, y, z - h)) / (2 * h), gz, 1e-6)
end

describe("a distance", function()
  it("is one of the primitives", function()
    assert.is_near(0.5, at(distance.sphere { position = { 1, 0, 0 }, radius = 0.5 }, 2, 0, 0), 1e-15)
    assert.is_near(-0.25, at(distance.capsule { from = { 0, 0, 0 }, to = { 0, 2, 0 }, radius = 0.25 }, 0, 1, 0), 1e-15)
    assert.is_near(0.5, at(distance.cylinder { from = { 0, 0, 0 }, to = { 0, 2, 0 }, radius = 0.25 }, 0, 2.5, 0), 1e-15)
    assert.is_near(1, at(distance.box { position = { 0, 3, 0 }, size = { 2, 4, 6 } }, 0, 6, 0), 1e-15)
    assert.is_near(math.sqrt(3) - 1, at(distance.box { size = { 4, 4, 4 }, rounding = 1 }, 2, 2, 2), 1e-12)
    assert.is_near(0.5, at(distance.ellipsoid { radii = { 1, 2, 3 } }, 0, 0, 3.5), 1e-9)
    assert.is_near(-0.1, at(distance.torus { axis = { 0, 0, 2 }, major = 1, minor = 0.1 }, 0, 1, 0), 1e-15)
    assert.is_near(-2, at(distance.plane { normal = { 0, 2, 0 }, offset = 1 }, 7, -1, 0), 1e-15)
  end)
  it("has defaults", function()
    assert.is_near(-0.5, at(distance.sphere(), 0, 0, 0), 0)
    assert.is_near(-0.5, at(distance.box {}, 0, 0, 0), 0)
    assert.is_near(1, at(distance.plane(), 0, 1, 0), 0)
  end)
  it("tells its gradient and its bounds", function()
    local all = { distance.sphere(), distance.torus(), distance.ellipsoid { radii = { 1, 2, 3 } }, distance.capsule(),
      distance.cylinder(), distance.box(), distance.sphere():scale(3):rotate({ 1, 2, 3 }, 1):translate(0.1, 0.2, 0.3) }
    for _, d in ipairs(all) do
      check_gradient(d, 0.71, 0.32, 0.94)
      check_gradient(d, 0.11, 0.13, 0.06)
    end
    assert.are.same({ 0.5, 1.5, 2.5, 1.5, 2.5, 3.5 }, { distance.sphere { position = { 1, 2, 3 } }:bounds() })
    assert.are.equal(-math.huge, (distance.plane { normal = { 1, 0, 0 } }:bounds()))
  end)
  it("is moved, turned, scaled, grown and copied", function()
    local rod = distance.capsule { from = { -1, 0, 0 }, to = { 1, 0, 0 }, radius = 0.1 }
    assert.is_near(-0.1, at(rod:translate(0, 5, 0), 1, 5, 0), 1e-15)
    assert.is_near(-0.1, at(rod:rotate({ 0, 0, 1 }, math.pi / 2), 0, 1, 0), 1e-15)
    assert.is_near(-0.3, at(rod:scale(3), 3, 0, 0), 1e-15)
    assert.is_near(-0.5, at(rod:grow(0.4), 0, 0, 0), 1e-15)
    local row = distance.sphere { radius = 0.1 }:copies({ 3, 1, 1 }, { 1, 1, 1 })
    for x = -1, 1 do
      assert.is_near(-0.1, at(row, x, 0, 0), 1e-15)
    end
    assert.is_near(0.9, at(row, 2, 0, 0), 1e-15)
    assert.is_near(-0.5, at(distance.sphere(), 0, 0, 0), 0) -- what it was made of has not changed
  end)
  it("is combined, by functions and by operators", function()
    local a = distance.sphere { position = { -0.5, 0, 0 }, radius = 1 }
    local b = distance.sphere { position = { 0.5, 0, 0 }, radius = 1 }
    local c = distance.sphere { position = { 0, 0.5, 0 }, radius = 1 }
    for _, p in ipairs { { 0, 0, 0 }, { 1, 0.2, 0 }, { -1, -0.3, 0.4 }, { 2, 1, 0 } } do
      local x, y, z = table.unpack(p)
      local da, db, dc = at(a, x, y, z), at(b, x, y, z), at(c, x, y, z)
      assert.is_near(math.min(da, db, dc), at(distance.union { a, b, c }, x, y, z), 1e-15)
      assert.is_near(math.max(da, db, dc), at(distance.intersection { a, b, c }, x, y, z), 1e-15)
      assert.is_near(math.max(da, -db, -dc), at(distance.difference { a, b, c }, x, y, z), 1e-15)
      assert.is_near(math.min(da, db), at(a + b, x, y, z), 1e-15)
      assert.is_near(math.max(da, db), at(a * b, x, y, z), 1e-15)
      assert.is_near(math.max(da, -db), at(a - b, x, y, z), 1e-15)
    end
    assert.is_true(at(distance.union { a, b, blend = 0.2 }, 0, 0.9, 0) < at(a + b, 0, 0.9, 0))
    assert.is_near(at(a, 0, 0, 0), at(distance.union { a }, 0, 0, 0), 0)
  end)
  it("refuses to be nested without end", function()
    local ball = distance.sphere { radius = 1 }
    local moved, joined, parts = ball, ball, {}
    local why = message(function()
      for _ = 1, 120000 do
        moved = moved:translate(1e-6, 0, 0)
      end
    end)
    has(why, "distance_spec.lua:80: distance translate: at most 1000 operations may be nested")
    has(message(function()
      for _ = 1, 80000 do
        joined = joined + ball
      end
    end), "distance union: at most 1000 operations may be nested; combine many parts in one call")
    assert.is_near(-1 + 1e-3, at(moved, 0, 0, 0), 1e-9)
    assert.is_near(-1, at(joined, 0, 0, 0), 1e-15)
    for i = 1, 5000 do -- in one call there may be any number
      parts[i] = ball
    end
    assert.is_near(-1, at(distance.union(parts), 0, 0, 0), 1e-15)
    assert.is_near(0.5, at(distance.difference(parts), 1.5, 0, 0), 1e-15)
  end)
  it("is a function, sampled on a grid", function()
    local calls = 0
    local d = distance.fn {
      fn = function(x, y, z)
        calls = calls + 1
        return 2 * x + 3 * y - z
      end,
      bounds = { { -1, -1, -1 }, { 1, 1, 1 } },
      cell = 0.5,
    }
    assert.are.equal(125, calls)
    local value, gx, gy, gz = d:at(0.3, -0.2, 0.1)
    -- One that changes by more than 1 a metre is made to change by 1 at most; its surface is where it was.
    local scale = value / (2 * 0.3 - 3 * 0.2 - 0.1)
    assert.is_true(scale > 0 and scale <= 1)
    assert.is_near(2 * scale, gx, 1e-12)
    assert.is_near(3 * scale, gy, 1e-12)
    assert.is_near(-scale, gz, 1e-12)
    collectgarbage()
    assert.are.equal(125, calls)
  end)
  it("is that from a closed mesh", function()
    local box = tide.mesh.box { size = { 2, 2, 2 } }
    local d = distance.mesh(box)
    local exact = distance.box { size = { 2, 2, 2 } }
    for _, p in ipairs { { 0.3, 0.2, 0.1 }, { 2, 2, 2 }, { 0.9, 3, 0 }, { -1.1, 0, 0.2 } } do
      assert.is_near(at(exact, table.unpack(p)), at(d, table.unpack(p)), 1e-12)
    end
  end)
  it("is that to the union where closed pieces overlap", function()
    local vertices, triangles = {}, {}
    for _, x in ipairs { 0, 0.5 } do
      local ball, first = tide.mesh.sphere { radius = 1, subdivisions = 4 }:translate(x, 0, 0), #vertices
      for i = 1, ball.vertex_count do vertices[#vertices + 1] = { ball:vertex(i) } end
      for i = 1, ball.triangle_count do
        local a, b, c = ball:triangle(i)
        triangles[#triangles + 1] = { a + first, b + first, c + first }
      end
    end
    local mesh = tide.mesh.new { vertices = vertices, triangles = triangles }
    local d = distance.mesh(mesh)
    assert.is_near(-0.3, at(d, -0.7, 0, 0), 2e-3)
    assert.is_near(-0.968, at(d, 0.25, 0, 0), 2e-3)
    assert.is_near(0.2, at(d, -1.2, 0, 0), 2e-3)
    local solid = tide.mesh.tetrahedralize { mesh = mesh, cell = 0.12 }
    local volume = 0
    for i = 1, solid.tetrahedron_count do
      local corners = { solid:tetrahedron(i) }
      local ox, oy, oz = solid:vertex(corners[1])
      local e = {}
      for k = 2, 4 do
        local x, y, z = solid:vertex(corners[k])
        e[k] = { x - ox, y - oy, z - oz }
      end
      local a, b, c = e[2], e[3], e[4]
      volume = volume + (a[1] * (b[2] * c[3] - b[3] * c[2]) + a[2] * (b[3] * c[1] - b[1] * c[3]) +
        a[3] * (b[1] * c[2] - b[2] * c[1])) / 6
    end
    assert.is_near(5.727, volume, 0.06) -- two balls less the lens that they share
  end)
  it("refuses what is wrong", function()
    has(message(distance.sphere, { radus = 1 }), 'distance sphere: radus: unknown field; did you mean "radius"?')
    has(message(distance.sphere, { radius = -1 }), "distance sphere: radius = -1: expected a number greater than 0")
    has(message(distance.sphere, { radius = 0 / 0 }), "distance sphere: radius = nan")
    has(message(distance.sphere, 3), "distance sphere: expected a table of fields, not 3")
    has(message(distance.box, { rounding = 1 }), "distance box: rounding = 1: expected a number from 0 to 0.5 m")
    has(message(distance.torus, { major = 1, minor = 2 }), "distance torus: minor = 2: expected at most the major")
    has(message(distance.plane, { normal = { 0, 0, 0 } }), "distance plane: normal")
    has(message(distance.cylinder, { from = { 0, 0, 0 }, to = { 0, 0, 0 } }), "distance cylinder: to")
    has(message(function() return distance.spere end), 'tide.distance: spere: unknown; did you mean "sphere"?')
    local d = distance.sphere()
    has(message(function() return d.bound end), 'distance: bound: unknown; did you mean "bounds"?')
    has(message(function() d:translate(1, 2) end), "distance: translate = nil: expected a finite number")
    has(message(function() d:rotate({ 0, 0, 0 }, 1) end), "distance rotate: axis")
    has(message(function() d:rotate(1, 2) end), "distance: rotate = 1: expected three numbers")
    has(message(function() d:scale(0) end), "distance scale: factor = 0")
    has(message(function() d:scale(-1) end), "distance scale: factor = -1")
    has(message(function() d:grow "much" end), 'distance: grow = "much": expected a finite number')
    has(message(function() d:copies({ 0, 1, 1 }, { 1, 1, 1 }) end), "distance: copies (counts) = 0: expected whole")
    has(message(function() d:copies({ 1.5, 1, 1 }, { 1, 1, 1 }) end), "distance: copies (counts) = 1.5: expected whole")
    has(message(function() d:copies({ 2, 1, 1 }, { 0, 1, 1 }) end), "distance repeat: spacing")
    has(message(function() d:at(0, 0, "z") end), 'distance: at = "z": expected a finite number')
    has(message(d.at, 3), "call it with a colon: distance:method(...)")
    has(message(distance.union, {}), "distance union: expected distances, { a, b, ... }")
    has(message(distance.union, { d, 3 }), "distance union: [2] = 3: expected a distance")
    has(message(distance.union, { d, blend = -1 }), "distance union: blend = -1: expected a number from 0")
    has(message(distance.union, { d, blent = 1 }), 'distance union: blent: unknown field; did you mean "blend"?')
    has(message(distance.intersection, { d, tide }), "distance intersection: [2] = a table: expected a distance")
    has(message(distance.difference, 3), "distance difference: expected a table of fields, not 3")
    has(message(function() return d + 1 end), "distance: + = 1: expected a distance")
    has(message(function() return "x" * d end), 'distance: * = "x": expected a distance')
    has(message(distance.mesh, 3), "distance: mesh = 3: expected a mesh")
    has(message(distance.mesh, tide.mesh.grid { columns = 3, rows = 3 }), "the surface is open")
  end)
  it("refuses what is wrong with a function", function()
    local bounds = { { -1, -1, -1 }, { 1, 1, 1 } }
    local function try(fields)
      return message(distance.fn, fields)
    end
    has(try { fn = print }, "distance fn: bounds: missing")
    has(try { bounds = bounds }, "distance fn: fn: missing")
    has(try { fn = 3, bounds = bounds }, "distance fn: fn = 3: expected a function(x, y, z)")
    has(try { fn = math.abs, bounds = 3 }, "distance fn: bounds = 3: expected two corners")
    has(try { fn = math.abs, bounds = { { 0, 0, 0 }, { 1, 1 } } }, "distance fn: bounds[2] = a table: expected three")
    has(try { fn = math.abs, bounds = { { 0, 0, 0 }, { 1, 0, 1 } } }, "distance fn: bounds: expected a second corner")
    has(try { fn = math.abs, bounds = bounds, cell = 0 }, "distance fn: cell = 0: expected a number greater than 0")
    has(try { fn = math.abs, bounds = bounds, cell = 1e-7 }, "use larger cells")
    has(try { fn = function() return "far" end, bounds = bounds },
      'distance fn: fn = "far": expected it to return a finite number at {-1, -1, -1}')
    has(try { fn = function() return 0 / 0 end, bounds = bounds }, "distance fn: fn = nan: expected it to return")
    local line = debug.getinfo(1, "l").currentline + 1
    has(try { fn = function() error "no" end, bounds = bounds },
      "distance_spec.lua:" .. line .. ": distance fn: fn: no")
  end)
end)

describe("tide.mesh.tetrahedralize", function()
  local function volume(mesh)
    local total = 0
    for i = 1, mesh.tetrahedron_count do
      local p = {}
      for k, v in ipairs { mesh:tetrahedron(i) } do
        p[k] = { mesh:vertex(v) }
      end
      local a, b, c = {}, {}, {}
      for k = 1, 3 do
        a[k], b[k], c[k] = p[2][k] - p[1][k], p[3][k] - p[1][k], p[4][k] - p[1][k]
      end
      total = total + (a[1] * (b[2] * c[3] - b[3] * c[2]) - a[2] * (b[1] * c[3] - b[3] * c[1])
        + a[3] * (b[1] * c[2] - b[2] * c[1])) / 6
    end
    return total
  end
  local ball = 4 / 3 * math.pi

  it("fills a distance, a function and a closed mesh", function()
    local exact = tide.mesh.tetrahedralize { distance = distance.sphere { radius = 1 }, cell = 0.15 }
    assert.is_near(ball, volume(exact), 0.02 * ball)
    local sampled = tide.mesh.tetrahedralize {
      distance = function(x, y, z) return math.sqrt(x * x + y * y + z * z) - 1 end,
      bounds = { { -1.1, -1.1, -1.1 }, { 1.1, 1.1, 1.1 } },
      cell = 0.15,
    }
    assert.is_near(ball, volume(sampled), 0.03 * ball)
    local box = tide.mesh.tetrahedralize { mesh = tide.mesh.box { size = { 1, 2, 3 } }, cell = 0.1 }
    assert.is_near(6, volume(box), 0.2)
  end)
  it("takes a number of vertices, and bounds that cut", function()
    local d = distance.sphere { radius = 1 }
    local mesh = tide.mesh.tetrahedralize { distance = d, vertices = 2000 }
    assert.is_near(2000, mesh.vertex_count, 200)
    local half = tide.mesh.tetrahedralize { distance = d, cell = 0.15, bounds = { { -1, 0, -1 }, { 1, 1, 1 } } }
    assert.is_near(ball / 2, volume(half), 0.05 * ball)
    local guessed = tide.mesh.tetrahedralize {
      distance = function(x, y, z) return math.sqrt(x * x + y * y + z * z) - 1 end,
      bounds = { { -1.1, -1.1, -1.1 }, { 1.1, 1.1, 1.1 } }, vertices = 800 }
    assert.is_near(800, guessed.vertex_count, 80)
  end)
  it("remembers what it made of distances, but not of functions", function()
    local function made(radius)
      return { distance = distance.sphere { radius = radius } - distance.box():rotate({ 0, 1, 0 }, 0.3), cell = 0.06 }
    end
    local mesh = tide.mesh.tetrahedralize(made(1.01))
    assert.are.equal(mesh, tide.mesh.tetrahedralize(made(1.01)))
    assert.are_not.equal(mesh, tide.mesh.tetrahedralize(made(1.02)))
    local calls = 0
    local function fn(x, y, z)
      calls = calls + 1
      return x * x + y * y + z * z - 1
    end
    local definition = { distance = fn, bounds = { { -1.5, -1.5, -1.5 }, { 1.5, 1.5, 1.5 } }, cell = 0.5 }
    tide.mesh.tetrahedralize(definition)
    local once = calls
    tide.mesh.tetrahedralize(definition)
    assert.are.equal(2 * once, calls)
  end)
  it("refuses what is wrong", function()
    local function try(fields)
      return message(tide.mesh.tetrahedralize, fields)
    end
    has(try {}, "mesh tetrahedralize: distance: missing; give it or a mesh")
    has(try { distance = 3 }, "mesh tetrahedralize: distance = 3: expected a distance")
    has(try { distance = math.abs }, "mesh tetrahedralize: bounds: missing")
    has(try { mesh = 3 }, "mesh tetrahedralize: mesh = 3: expected a mesh")
    has(try { mesh = tide.mesh.grid { columns = 3, rows = 3 } }, "the surface is open")
    has(try { mesh = tide.mesh.box {}, distance = distance.box() }, "mesh tetrahedralize: distance: given together")
    has(try { distance = distance.box(), cell = -1 }, "mesh tetrahedralize: cell = -1: expected")
    has(try { distance = distance.box(), cel = 1 }, 'mesh tetrahedralize: cel: unknown field; did you mean "cell"?')
    has(try { distance = distance.box(), cell = 1, vertices = 10 }, "mesh tetrahedralize")
    has(try { distance = distance.plane() }, "mesh tetrahedralize")
    has(try { distance = math.abs, bounds = { { 0, 0, 0 }, { 1, 1, 1 } } },
      "mesh tetrahedralize: distance = a function: nothing is inside")
    has(try { distance = math.abs, bounds = { { 0, 0, 0 } } }, "mesh tetrahedralize: bounds = a table: expected two")
  end)
end)
