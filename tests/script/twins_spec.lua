-- Kinds of elements of the engine against the same energies by tide.element: membranes, solids of singular values,
-- shells, rods, rigid bodies, limits, pressure and gas. own_element_spec.lua has the other solids,
-- tests/model/test_expression_element.c springs.
local helper = dofile "tests/script/helper.lua"
local tide = helper.tide

local k, poisson = 20, 0.3 -- N/m, Young's modulus times thickness

-- The invariants of C = F' F of a triangle by its edges now and at rest: tr C, det C, and the area at rest.
local function invariants(a, b, c, A, B, C)
  local e, f, E, F = b - a, c - a, B - A, C - A
  local g11, g12, g22, G11, G12, G22 = e:dot(e), e:dot(f), f:dot(f), E:dot(E), E:dot(F), F:dot(F)
  local det = G11 * G22 - G12 * G12
  return (G22 * g11 - 2 * G12 * g12 + G11 * g22) / det, (g11 * g22 - g12 * g12) / det, tide.sqrt(det) / 2
end

local laws = {
  stvk = function(trace, det)
    local square = trace * trace - 2 * det -- tr C^2
    local e, e2 = (trace - 2) / 2, (square - 2 * trace + 2) / 4
    return k / (2 * (1 - poisson ^ 2)) * (poisson * e * e + (1 - poisson) * e2)
  end,
  arap = function(trace, det) -- the sum of the singular values is sqrt(tr C + 2 sqrt det C)
    return k / (2 * (1 + poisson)) * (trace - 2 * tide.sqrt(trace + 2 * tide.sqrt(det)) + 2)
  end,
  neo_hookean = function(trace, det)
    local mu, lambda = k / (2 * (1 + poisson)), k * poisson / ((1 + poisson) * (1 - 2 * poisson))
    local a = mu + lambda / 2
    return mu / 2 * (trace - 2) - a / 2 * (tide.log(det) - tide.log((mu + lambda / 2 * det) / a))
  end,
}

local function membrane(law)
  return tide.element { vertices = 3, energy = function(_, ...)
    local trace, det, area = invariants(...)
    return area * law(trace, det)
  end }
end

local volume = tide.element { vertices = 4, energy = function(_, a, b, c, d, A, B, C, D)
  return k / 2 * ((tide.det(b - a, c - a, d - a) - tide.det(B - A, C - A, D - A)) / 6) ^ 2
end }

-- Cloth: with the columns w_u, w_v of F along the warp, the x axis, and across it, the invariants c_uu, c_vv, c_uv.
local ratios = { weft = 0.4, shear = 0.15 } -- of the warp's modulus
local cloths = {
  baraff_witkin = function(uu, vv, uv)
    return k / 2 * ((tide.sqrt(uu) - 1) ^ 2 + ratios.weft * (tide.sqrt(vv) - 1) ^ 2 + ratios.shear * uv ^ 2)
  end,
  orthotropic = function(uu, vv, uv) -- plane stress: nu_12 is given, nu_21 = nu_12 weft / warp
    local e1, e2, stiff = (uu - 1) / 2, (vv - 1) / 2, k / (1 - poisson ^ 2 * ratios.weft)
    local stretch = e1 ^ 2 + ratios.weft * e2 ^ 2 + 2 * poisson * ratios.weft * e1 * e2
    return stiff / 2 * stretch + ratios.shear * k / 2 * uv ^ 2
  end,
}

local function cloth(law)
  return tide.element { vertices = 3, energy = function(_, a, b, c, A, B, C)
    local e, f, E, F = b - a, c - a, B - A, C - A
    local det = E.x * F.z - E.z * F.x -- the mesh lies in the plane y = 0 at rest
    local u, v = (e * F.z - f * E.z) / det, (f * E.x - e * F.x) / det
    return tide.abs(det) / 2 * law(u:dot(u), v:dot(v), u:dot(v))
  end }
end

-- The singular values of a matrix by its columns, the last negative where its determinant is: the eigenvalues of F'F by
-- the cubic's trigonometric solution. At a multiple of I their derivatives are wrong.
local function singular_values(f1, f2, f3)
  local c11, c22, c33 = f1:dot(f1), f2:dot(f2), f3:dot(f3)
  local c12, c13, c23 = f1:dot(f2), f1:dot(f3), f2:dot(f3)
  local q = (c11 + c22 + c33) / 3
  local d1, d2, d3 = c11 - q, c22 - q, c33 - q
  local p = tide.max(tide.sqrt((d1 ^ 2 + d2 ^ 2 + d3 ^ 2 + 2 * (c12 ^ 2 + c13 ^ 2 + c23 ^ 2)) / 6), 1e-9)
  local det = d1 * d2 * d3 + 2 * c12 * c13 * c23 - d1 * c23 ^ 2 - d2 * c13 ^ 2 - d3 * c12 ^ 2
  local cosine = det / (2 * p ^ 3)
  local angle = tide.atan2(tide.sqrt(tide.max(1 - cosine ^ 2, 1e-15)), cosine) / 3
  local function root(turn)
    return tide.sqrt(tide.max(q + 2 * p * tide.cos(angle + turn), 1e-15))
  end
  local sign = tide.select(tide.det(f1, f2, f3), 1, -1)
  return root(0), root(-2 * math.pi / 3), sign * root(2 * math.pi / 3)
end

-- The columns of F of a tetrahedron, and its volume at rest.
local function deformation(a, b, c, d, A, B, C, D)
  local e, E = { b - a, c - a, d - a }, { B - A, C - A, D - A }
  local det = tide.det(E[1], E[2], E[3])
  local rows = { E[2]:cross(E[3]) / det, E[3]:cross(E[1]) / det, E[1]:cross(E[2]) / det }
  local function column(axis)
    return e[1] * rows[1][axis] + e[2] * rows[2][axis] + e[3] * rows[3][axis]
  end
  return column "x", column "y", column "z", det / 6
end

local function of_singular_values(law)
  return tide.element { vertices = 4, energy = function(_, ...)
    local f1, f2, f3, rest = deformation(...)
    return rest * law(singular_values(f1, f2, f3))
  end }
end

local dilatation = tide.element { vertices = 4, energy = function(_, ...)
  local f1, f2, f3, rest = deformation(...)
  return rest * 100 * k / 2 * (tide.det(f1, f2, f3) - 1) ^ 2
end }

-- The energy of a limit (engine/model/strain_limit.h), relative to its stiffness.
local limit = { stretch = 0.05, compression = 0.1, tolerance = 0.2 }
local function barrier(r)
  r = tide.max(r, 0)
  local at = tide.min(r, 0.98)
  local beyond, left = r - at, 1 - at
  local slope = at * (at / left - 2 * tide.log(left))
  local curvature = at * (4 + at / left) / left - 2 * tide.log(left)
  return -at ^ 2 * tide.log(left) + beyond * (slope + curvature / 2 * beyond)
end
local function limited(s)
  local t = limit.tolerance
  return t ^ 2 * (barrier((s - 1 - limit.stretch) / t) + barrier((1 - limit.compression - s) / t))
end

-- The angle between the normals of (a, b, c) and (b, a, d).
local function hinge_angle(a, b, c, d)
  local edge = (b - a):normalized()
  local m, n = (b - a):cross(c - a), (a - b):cross(d - b)
  return tide.atan2(m:cross(n):dot(edge), m:dot(n))
end

local bending = 0.7 -- N m
local hinges = {
  discrete = function(a, b, c, d, A, B, C, D)
    local area = ((B - A):cross(C - A):length() + (A - B):cross(D - B):length()) / 2
    local turn = hinge_angle(a, b, c, d) - hinge_angle(A, B, C, D)
    return bending * 6 / 5 / 2 * (B - A):dot(B - A) / area * turn ^ 2
  end,
  quadratic = function(a, b, c, d, A, B, C, D)
    local function cotangent(p, q, r) -- at p
      return (q - p):dot(r - p) / (q - p):cross(r - p):length()
    end
    local area = ((B - A):cross(C - A):length() + (A - B):cross(D - B):length()) / 2
    local c1, c2 = cotangent(A, B, C), cotangent(A, B, D)
    local c3, c4 = cotangent(B, A, C), cotangent(B, A, D)
    local sum = a * (c3 + c4) + b * (c1 + c2) - c * (c1 + c3) - d * (c2 + c4)
    return bending * 6 / 5 / 2 / area * sum:dot(sum)
  end,
}

-- --- rods, rigid bodies, gas -----------------------------------------------------------------------------------------

local rod = { young = 2e4, poisson = 0.3, radius = 0.05 }
local section = math.pi * rod.radius ^ 2
local stiffness = rod.young * section * rod.radius ^ 2 / 4 -- E I, N m^2

local stretching = tide.element { vertices = 2, energy = function(_, a, b, A, B)
  local length = (B - A):length()
  return rod.young * section / length / 2 * ((b - a):length() - length) ^ 2
end }

local function curvature(a, b, c) -- 2 tan(phi / 2)
  local u = (b - a):normalized():dot((c - b):normalized())
  return 2 * tide.sqrt((1 - u) / (1 + u))
end

local straight = tide.element { vertices = 3, energy = function(_, a, b, c, A, B, C)
  local u = (b - a):normalized():dot((c - b):normalized())
  return stiffness / ((B - A):length() + (C - B):length()) * 4 * (1 - u) / (1 + u)
end }

local curved = tide.element { vertices = 3, energy = function(_, a, b, c, A, B, C)
  return stiffness / ((B - A):length() + (C - B):length()) * (curvature(a, b, c) - curvature(A, B, C)) ^ 2
end }

-- The frame t, d, e of an edge with a particle g beside it, which is on the side `sign`.
local function frame(a, b, g, sign)
  local t, p = (b - a):normalized(), g - (a + b) / 2
  local d = (p - t * p:dot(t)):normalized() * sign
  return t, d, t:cross(d)
end

local function bent_and_twisted(a, b, c, g, h) -- kb . d and kb . e in both frames, and the twist
  local t0, d0, e0 = frame(a, b, g, 1)
  local t1, d1, e1 = frame(b, c, h, -1)
  local kb = t0:cross(t1) * 2 / (1 + t0:dot(t1))
  return { kb:dot(d0), kb:dot(e0), kb:dot(d1), kb:dot(e1) },
    tide.atan2(e0:dot(d1) - d0:dot(e1), d0:dot(d1) + e0:dot(e1))
end

local twisting = tide.element { vertices = 5, energy = function(_, a, b, c, g, h, A, B, C, G, H)
  local bent, twist = bent_and_twisted(a, b, c, g, h)
  local bent_at_rest, twist_at_rest = bent_and_twisted(A, B, C, G, H)
  local sum, reach = 0, ((B - A):length() + (C - B):length()) / 2
  for i = 1, 4 do sum = sum + (bent[i] - bent_at_rest[i]) ^ 2 end
  return stiffness / reach * (sum / 4 + (twist - twist_at_rest) ^ 2 / (1 + rod.poisson) / 2)
end }

local holding = tide.element { vertices = 3, energy = function(_, a, b, g, A, B, G)
  local function place(p, q, r)
    local t, arm = (q - p):normalized(), r - (p + q) / 2
    local z = arm:dot(t)
    return (arm - t * z):length(), z
  end
  local r, z = place(a, b, g)
  local r0, z0 = place(A, B, G)
  return stiffness / (1 + rod.poisson) / ((B - A):length() * r0 ^ 2) / 2 * ((r - r0) ^ 2 + (z - z0) ^ 2)
end }

local function sum_of(points)
  local sum = points[1]
  for i = 2, #points do sum = sum + points[i] end
  return sum
end

-- The least of k/2 sum |x_i - c - R r_i|^2 over rotations R, by the singular values of sum (x_i - c) r_i'.
local held = tide.element { vertices = 4, parameters = { k = 1 }, energy = function(p, ...)
  local all, x, r = { ... }, {}, {}
  for i = 1, 4 do x[i], r[i] = all[i], all[4 + i] end
  local c, o, squares, columns = sum_of(x) / 4, sum_of(r) / 4, 0, {}
  for i = 1, 4 do
    local y, q = x[i] - c, r[i] - o
    squares = squares + y:dot(y) + q:dot(q)
    for axis, name in ipairs { "x", "y", "z" } do
      columns[axis] = i == 1 and y * q[name] or columns[axis] + y * q[name]
    end
  end
  local s1, s2, s3 = singular_values(columns[1], columns[2], columns[3])
  return p.k / 2 * (squares - 2 * (s1 + s2 + s3))
end }

local pressing = tide.element { vertices = 3, energy = function(_, a, b, c)
  return -k / 6 * tide.det(a, b, c)
end }

-- --- the comparison --------------------------------------------------------------------------------------------------

local function system_of(mesh, material)
  material.mesh, material.mass = mesh, 1
  local scene = tide.scene {}
  scene:body("b", material)
  return scene:system()
end

-- At rest, stretched, compressed, turned inside out where `inverted`, and out of shape. `generic`: not where singular
-- values are equal.
local function check(own, built_in, scale, options)
  options = options or {}
  local rest, n = own:positions(), 0
  for round = options.generic and 3 or 0, options.inverted and 9 or 7 do
    local x, v = rest:copy(), rest:copy()
    for i = 1, #x do
      local factor = ({ [0] = 1, 1.4, 0.6 })[round] or 1
      if round > 7 and i % 3 == 0 then factor = -1 end -- a reflection
      x[i] = factor * x[i] + (round > 2 and (options.size or 0.2) * math.sin(7 * i + round) or 0)
      v[i] = math.cos(3 * i)
    end
    n = n + 1
    assert.is_near(built_in:energy(x), own:energy(x), 1e-9 * scale)
    assert.is_true((built_in:gradient(x) - own:gradient(x)):norm() < 1e-9 * scale)
    assert.is_true((built_in:hessian(x) * v - own:hessian(x) * v):norm() < 1e-9 * scale)
  end
  assert.is_true(n > 4)
end

describe("the derivation from the energy gives what the engine has:", function()
  local grid = tide.mesh.grid { columns = 3, rows = 3, width = 2, height = 2 }
  local box = tide.mesh.box { size = { 2, 2, 2 }, cells = { 1, 1, 1 } }
  for model, law in pairs(laws) do
    it("membrane " .. model, function()
      check(system_of(grid, { elements = { { membrane(law), on = "triangles" } } }),
        system_of(grid, { membrane = { model = model, young = 1e3 * k, poisson = poisson, thickness = 1e-3 } }), 10 * k)
    end)
  end
  for model, law in pairs(cloths) do
    it("membrane " .. model, function()
      check(system_of(grid, { elements = { { cloth(law), on = "triangles" } } }), system_of(grid, { membrane = {
        model = model, warp = 1e3 * k, weft = 1e3 * k * ratios.weft, shear = 1e3 * k * ratios.shear, thickness = 1e-3,
        poisson = model == "orthotropic" and poisson or nil, direction = { 1, 0, 0 },
      } }), 10 * k)
    end)
  end

  it("volume_spring", function()
    check(system_of(box, { elements = { { volume, on = "tetrahedra" } } }),
      system_of(box, { elements = { { "volume_spring", on = "tetrahedra", stiffness = k } } }), 10 * k,
      { inverted = true })
  end)

  local mu, lambda = k / 2 / (1 + poisson), k * poisson / (1 + poisson) / (1 - 2 * poisson)
  it("solid corotated", function()
    local law = of_singular_values(function(a, b, c)
      return mu * ((a - 1) ^ 2 + (b - 1) ^ 2 + (c - 1) ^ 2) + lambda / 2 * (a + b + c - 3) ^ 2
    end)
    local built_in = system_of(box, { solid = { model = "corotated", young = k, poisson = poisson } })
    check(system_of(box, { elements = { { law, on = "tetrahedra" } } }), built_in, 10 * k,
      { generic = true, inverted = true })
    -- Where the singular values are equal: at rest all models are linear elasticity.
    local linear, x = system_of(box, { solid = { model = "stvk", young = k, poisson = poisson } }), built_in:positions()
    local v = x:copy()
    for i = 1, #v do v[i] = math.cos(3 * i) end
    assert.is_true((built_in:hessian(x) * v - linear:hessian(x) * v):norm() < 1e-9 * k)
  end)
  it("solid arap", function()
    local law = of_singular_values(function(a, b, c)
      return k / 2 * ((a - 1) ^ 2 + (b - 1) ^ 2 + (c - 1) ^ 2)
    end)
    check(system_of(box, { elements = { { law, on = "tetrahedra" } } }),
      system_of(box, { solid = { model = "arap", young = k } }), 10 * k, { generic = true, inverted = true })
  end)
  it("solid, incompressible", function()
    local law = of_singular_values(function(a, b, c)
      return k / 2 * ((a - 1) ^ 2 + (b - 1) ^ 2 + (c - 1) ^ 2)
    end)
    check(system_of(box, { elements = { { law, on = "tetrahedra" }, { dilatation, on = "tetrahedra" } } }),
      system_of(box, { solid = { model = "arap", young = k, incompressible = true } }), 1000 * k,
      { generic = true, inverted = true })
  end)

  local sheet = tide.mesh.new { -- two hinges, one of them bent at rest
    vertices = { { 0, 0, 0 }, { 1, 0, 0.2 }, { 0.3, 0, 1.1 }, { 1.4, 0.5, 0.9 }, { 0.6, 0.8, 2.1 } },
    triangles = { { 1, 3, 2 }, { 2, 3, 4 }, { 3, 5, 4 } },
  }
  local corners = { { 2, 3, 4, 1 }, { 3, 4, 2, 5 } } -- the ends of the edge, then the opposite vertices
  for model, energy in pairs(hinges) do
    it("shell " .. model, function()
      local hinge = tide.element { vertices = 4, energy = function(_, ...) return energy(...) end }
      check(system_of(sheet, { elements = { { hinge, vertices = corners } } }),
        system_of(sheet, { shell = {
          model = model, bending = bending, rest = model == "discrete" and "shape" or "flat",
        } }), 10 * bending)
    end)
  end

  it("strain limits of springs, triangles and tetrahedra", function()
    local spring = tide.element { vertices = 2, energy = function(_, a, b, A, B)
      local length = (B - A):length()
      return k / 2 * ((b - a):length() - length) ^ 2 + 10 * k * length ^ 2 * limited((b - a):length() / length)
    end }
    local strand = tide.mesh.strand { points = 4, from = { 0, 0, 0 }, to = { 1, 0.5, 0 } }
    check(system_of(strand, { elements = { { spring, on = "edges" } } }),
      system_of(strand, { stiffness = k, strain_limit = limit }), 1e4 * k)

    local triangle = tide.element { vertices = 3, energy = function(_, ...)
      local trace, det, area = invariants(...)
      local root = tide.sqrt(tide.max(trace * trace / 4 - det, 1e-20))
      local a, b = tide.sqrt(trace / 2 + root), tide.sqrt(tide.max(trace / 2 - root, 1e-20))
      return area * (laws.stvk(trace, det) + 10 * k * (limited(a) + limited(b)))
    end }
    check(system_of(grid, { elements = { { triangle, on = "triangles" } } }), system_of(grid, { strain_limit = limit,
      membrane = { model = "stvk", young = 1e3 * k, poisson = poisson, thickness = 1e-3 } }), 1e4 * k,
      { generic = true })

    local tetrahedron = of_singular_values(function(a, b, c)
      local elastic = k / 2 * ((a - 1) ^ 2 + (b - 1) ^ 2 + (c - 1) ^ 2)
      return elastic + 10 * k * (limited(a) + limited(b) + limited(c))
    end)
    check(system_of(box, { elements = { { tetrahedron, on = "tetrahedra" } } }),
      system_of(box, { strain_limit = limit, solid = { model = "arap", young = k } }), 1e4 * k,
      { generic = true, inverted = true })
  end)

  local function polyline(last)
    return tide.mesh.new { vertices = { { 0, 0, 0 }, { 1, 0.2, -0.1 }, last }, edges = { { 1, 2 }, { 2, 3 } } }
  end
  it("rods, straight and curved at rest", function()
    for _, sample in ipairs { { straight, { 2, 0.4, -0.2 } }, { curved, { 1.3, 0.9, 0.2 } } } do
      local line = polyline(sample[2])
      check(system_of(line, { elements = { { stretching, on = "edges" }, { sample[1], vertices = { { 1, 2, 3 } } } } }),
        system_of(line, { rod = rod }), 10 * rod.young * section)
    end
  end)

  it("rods that twist", function()
    local twisted = { twist = true }
    for name, value in pairs(rod) do twisted[name] = value end
    for _, last in ipairs { { 2, 0.4, -0.2 }, { 1.3, 0.9, 0.2 } } do
      local built_in = system_of(polyline(last), { rod = twisted })
      local x, points = built_in:positions(), {} -- the vertices, then the particles of the frames
      for i = 1, #x / 3 do points[i] = { x[3 * i - 2], x[3 * i - 1], x[3 * i] } end
      assert.are.equal(5, #points)
      check(system_of(tide.mesh.new { vertices = points }, { elements = {
        { stretching, vertices = { { 1, 2 }, { 2, 3 } } }, { twisting, vertices = { { 1, 2, 3, 4, 5 } } },
        { holding, vertices = { { 1, 2, 4 }, { 2, 3, 5 } } },
      } }), built_in, 10 * rod.young * section, { size = 0.02 })
    end
  end)

  it("rigid bodies", function()
    local built_in = system_of(tide.mesh.box { size = { 1, 2, 3 }, cells = { 1, 1, 1 } }, { rigid = true })
    local x, points, squares = built_in:positions(), {}, 0
    for i = 1, 4 do points[i] = { x[3 * i - 2], x[3 * i - 1], x[3 * i] } end
    assert.are.equal(12, #x)
    for i = 1, 12 do squares = squares + x[i] ^ 2 end -- the centre is the origin
    local own_stiffness = built_in:energy(2 * x) / (squares / 2)
    check(system_of(tide.mesh.new { vertices = points }, { elements = {
      { held, vertices = { { 1, 2, 3, 4 } }, k = own_stiffness },
    } }), built_in, 10 * own_stiffness, { inverted = true })
  end)

  it("pressure", function()
    local ball = tide.mesh.sphere { radius = 1, subdivisions = 1 }
    check(system_of(ball, { elements = { { pressing, on = "triangles" } } }),
      system_of(ball, { pressure = { pressure = k } }), 10 * k)
  end)

  it("gas", function()
    local form = tide.mesh.new { vertices = { { 0, 0, 0 }, { 1, 0.1, 0 }, { 0.2, 1.1, 0 }, { 0.1, 0.2, 0.9 } },
      triangles = { { 1, 3, 2 }, { 1, 2, 4 }, { 2, 3, 4 }, { 3, 1, 4 } } }
    local ambient, over = 60, k
    local enclosed = tide.element { vertices = 4, energy = function(_, a, b, c, d, A, B, C, D)
      local now, rest = tide.det(b - a, c - a, d - a) / 6, tide.det(B - A, C - A, D - A) / 6
      return ambient * (now - rest) - (ambient + over) * rest * tide.log(tide.max(now / rest, 1e-6))
    end }
    check(system_of(form, { elements = { { enclosed, vertices = { { 1, 2, 3, 4 } } } } }),
      system_of(form, { gas = { pressure = over, ambient = ambient, isothermal = true } }), 1e3 * k, { size = 0.05 })
  end)
end)
