-- tide.linear and scene:system() against plain loops, dense elimination and finite differences.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message
local linear = tide.linear

-- A symmetric positive definite matrix: a chain's Laplacian plus the identity.
local function chain(n)
  local triplets = {}
  for i = 1, n do
    triplets[#triplets + 1] = { i, i, 1 }
  end
  for i = 1, n - 1 do
    triplets[#triplets + 1] = { i, i, 1 }
    triplets[#triplets + 1] = { i + 1, i + 1, 1 }
    triplets[#triplets + 1] = { i + 1, i, -1 }
  end
  return linear.sparse(n, n, triplets, { symmetric = true })
end

local function near(expected, found, tolerance)
  assert.are.equal(#expected, #found)
  for i = 1, #expected do
    assert.is_near(expected[i], found[i], tolerance or 1e-12)
  end
end

describe("vectors", function()
  it("add, scale and measure", function()
    local a, b = linear.vector { 1, 2, 3 }, linear.vector { 4, 5, 6 }
    assert.are.same({ 5, 7, 9 }, (a + b):table())
    assert.are.same({ -3, -3, -3 }, (a - b):table())
    assert.are.same({ 2, 4, 6 }, (2 * a):table())
    assert.are.same({ 0.5, 1, 1.5 }, (a / 2):table())
    assert.are.same({ -1, -2, -3 }, (-a):table())
    assert.are.equal(32, a:dot(b))
    assert.are.equal(32, a:dot { 4, 5, 6 })
    assert.are.equal(math.sqrt(14), a:norm())
    assert.are.same({ 9, 12, 15 }, a:copy():add(b, 2):table())
    assert.are.same({ 1, 2, 3 }, a:table())
    assert.are.same({ 0, 0 }, linear.vector(2):table())
    a[2] = 7
    assert.are.equal(7, a[2])
    assert.is_nil(a[4])
  end)
  it("are read like lists and show their first numbers", function()
    local a, seen = linear.vector { 1, 0.5, 1 / 3 }, {}
    for i, number in ipairs(a) do seen[i] = number end
    assert.are.same({ 1, 0.5, 1 / 3 }, seen)
    assert.are.equal("vector(3) { 1, 0.5, 0.333333 }", tostring(a))
    assert.are.equal("vector(10) { 0, 0, 0, 0, 0, 0, 0, 0, ... }", tostring(linear.vector(10)))
    assert.are.equal("vector(0) { }", tostring(linear.vector(0)))
  end)
  it("refuse what does not fit", function()
    local a = linear.vector { 1, 2, 3 }
    has(message(function() return a[0] end), "vector: index = 0: expected an integer from 1 to 3")
    has(message(function() a[4] = 1 end), "vector: index = 4: expected an integer from 1 to 3")
    has(message(function() a[1] = 0 / 0 end), "vector: element = nan: expected a finite number")
    has(message(function() return a + linear.vector(2) end), "vector: + = 2 numbers: expected 3 numbers")
    has(message(function() return a:dot { 1 } end), "vector: dot = 1 numbers: expected 3 numbers")
    has(message(function() return a / 0 end), "expected a number other than 0")
    has(message(function() return a:dot {} end), "vector: dot = 0 numbers: expected 3 numbers")
    has(message(function() return linear.vector(0) + a end), "vector: +: expected no numbers, got 3")
    has(message(function() return linear.vector(0):dot { 1 } end), "vector: dot: expected no numbers, got 1")
    has(message(function() return a + 1 end), "vector: + = 1: expected a vector or a list of numbers, not a number")
    has(message(function() return a * a end), "expected a number; a:dot(b) is the dot product, a:times(b)")
    has(message(function() return a / a end), "expected a number; a:over(b) is the elementwise quotient")
    has(message(function() return 2 / a end), "expected a number; a:over(b)")
    has(message(function() return a * linear.diagonal { 1, 2, 3 } end), "expected the matrix on the left: A * v")
    has(message(linear.vector, { 1, "x" }), 'vector: values[2] = "x": expected a finite number')
    has(message(linear.vector, -1), "vector: size = -1: expected an integer from 0")
  end)
end)

describe("matrices", function()
  it("hold, sum and multiply entries", function()
    local a = linear.sparse(2, 3, { { 1, 1, 2 }, { 2, 3, 5 }, { 1, 1, 1 } })
    assert.are.equal(3, a:get(1, 1))
    assert.are.equal(0, a:get(1, 2))
    assert.are.equal(5, a:get(2, 3))
    assert.are.same({ 2, 3, 2 }, { a:rows(), a:columns(), a:nonzeros() })
    assert.are.same({ 3, 15 }, a:multiply({ 1, 2, 3 }):table())
    assert.are.same({ 3, 15 }, (a * linear.vector { 1, 2, 3 }):table())
    assert.are.same({ 3, 6, 15, 30 }, a:multiply({ 1, 2, 2, 4, 3, 6 }):table()) -- two interleaved vectors
    assert.are.same({ { 1, 1, 3 }, { 2, 3, 5 } }, a:triplets())
    local s = chain(4)
    assert.are.equal(-1, s:get(1, 2))
    assert.are.equal(-1, s:get(2, 1))
    assert.are.same({ 1, 1, 1, 1 }, s:multiply({ 1, 1, 1, 1 }):table())
    local sum = s + 2 * linear.diagonal { 1, 2, 3, 4 }
    assert.are.equal(2 + 2, sum:get(1, 1))
    assert.are.equal(-1, sum:get(4, 3))
    local mixed = linear.sparse(4, 4, { { 1, 4, 9 } }) + s
    assert.are.equal(9, mixed:get(1, 4))
    assert.are.equal(0, mixed:get(4, 1))
    assert.are.equal(-1, mixed:get(1, 2))
  end)
  it("take both triangles of a symmetric matrix only where they are equal", function()
    local lower = { { 1, 1, 4 }, { 2, 1, -1 }, { 2, 2, 4 }, { 3, 2, 0.1 }, { 3, 3, 5 }, { 3, 2, 0.2 } }
    local both = { { 1, 1, 4 }, { 1, 2, -1 }, { 2, 1, -1 }, { 2, 2, 4 }, { 3, 2, 0.1 }, { 2, 3, 0.2 }, { 3, 3, 5 },
      { 3, 2, 0.2 }, { 2, 3, 0.1 } }
    local function product(triplets)
      return linear.sparse(3, 3, triplets, { symmetric = true }):multiply({ 1, 2, 3 }):table()
    end
    local expected = product(lower)
    for i, value in ipairs(product(both)) do assert.is_near(expected[i], value, 1e-14) end
    has(message(product, { { 1, 1, 4 }, { 1, 2, -1 }, { 2, 2, 4 }, { 3, 2, 1 } }),
      "sparse: entry (1, 2) = -1: entry (2, 1) is 0; with symmetric = true give one triangle alone, the lower (row >= "
        .. "column) or the upper, or both with equal entries")
    has(message(product, { { 2, 1, 3 }, { 1, 2, -1 } }), "sparse: entry (1, 2) = -1: entry (2, 1) is 3; with symmetric")
  end)
  it("take the upper triangle of a symmetric matrix alone", function()
    local upper = { { 1, 1, 4 }, { 1, 2, -1 }, { 2, 2, 4 }, { 2, 3, 0.1 }, { 3, 3, 5 }, { 2, 3, 0.2 } }
    local lower = {}
    for i, entry in ipairs(upper) do lower[i] = { entry[2], entry[1], entry[3] } end
    local a = linear.sparse(3, 3, upper, { symmetric = true })
    local b = linear.sparse(3, 3, lower, { symmetric = true })
    assert.are.same(b:triplets(), a:triplets())
    assert.are.same({ -1, -1, 0 }, { a:get(1, 2), a:get(2, 1), a:get(1, 3) })
    assert.is_near(1, (linear.cholesky(a):solve(a * { 1, 2, 3 }))[1], 1e-12)
  end)
  it("have the arithmetic of matrices", function()
    local function full(a, rows, columns) -- the product with each unit vector, so that no other operation is used
      local out = {}
      for column = 1, columns do
        local unit = linear.vector(columns)
        unit[column] = 1
        local image = a * unit
        for row = 1, rows do out[(row - 1) * columns + column] = image[row] end
      end
      return out
    end
    local function check(expected, a, rows, columns)
      assert.are.same({ rows, columns }, { a:rows(), a:columns() })
      near(expected, full(a, rows, columns))
    end
    local a = linear.sparse(2, 3, { { 1, 1, 1 }, { 1, 3, 2 }, { 2, 1, -3 }, { 2, 2, 4 } })
    local b = linear.sparse(3, 2, { { 1, 1, 5 }, { 1, 2, 6 }, { 2, 2, 7 }, { 3, 1, -8 } })
    local s = linear.sparse(3, 3, { { 1, 1, 2 }, { 2, 1, -1 }, { 2, 2, 2 }, { 3, 2, -1 }, { 3, 3, 2 } },
      { symmetric = true })
    check({ 1, -3, 0, 4, 2, 0 }, a:transpose(), 3, 2)
    check({ 2, -1, 0, -1, 2, -1, 0, -1, 2 }, s:transpose(), 3, 3)
    check({ -11, 6, -15, 10 }, a * b, 2, 2)
    check({ -13, 24, 10, -21, 28, 0, -8, 0, -16 }, b * a, 3, 3)
    check({ 2, -3, 4, -10, 11, -4 }, a * s, 2, 3)
    check({ 5, -4, 1, -4, 6, -4, 1, -4, 5 }, s * s, 3, 3)
    check({ 10, 5, 3, 8, -16, -7 }, s * b, 3, 2)
    check({ -4, 3, -2, 3, -4, 3, 0, 0, 0 }, linear.sparse(3, 3, { { 1, 3, -2 }, { 2, 3, 2 }, { 1, 2, 2 }, { 2, 1, 2 },
      { 3, 2, -1 }, { 3, 3, 2 }, { 1, 1, -2 }, { 2, 2, -2 } }) - s, 3, 3)
    check({ -1, 0, -2, 3, -4, 0 }, -a, 2, 3)
    check({ 0.25, 0, 0.5, -0.75, 1, 0 }, a / 4, 2, 3)
    assert.is_near(math.sqrt(1 + 4 + 9 + 16), a:norm(), 1e-14)
    assert.is_near(4, s:norm(), 1e-14)
    near({ -1, 4, 4 }, a:transpose() * linear.vector { 2, 1 })
    -- A' A is what Cholesky takes once it is called symmetric
    local square = a * a:transpose()
    has(message(linear.cholesky, square), "linear.sparse(n, n, A:triplets(), { symmetric = true })")
    local factor = linear.cholesky(linear.sparse(2, 2, square:triplets(), { symmetric = true }))
    near({ 1, 2 }, factor:solve(square * { 1, 2 }))
    has(message(function() return a * a end),
      "matrix: *: expected as many columns of the first as rows of the second, got 2 x 3 and 2 x 3")
    has(message(function() return a - b end), "matrix: -: expected matrices of one size, got 2 x 3 and 3 x 2")
    has(message(function() return a / 0 end), "matrix: / = 0: expected a number other than 0")
    has(message(function() return a / b end), "matrix: / = ")
    has(message(function() return a + 1 end), "matrix: expected a matrix, not 1")
  end)
  it("show their size and their first entries", function()
    assert.are.equal("matrix(3 x 3, symmetric) { { 2, -1, 0 }, { -1, 2, -1 }, { 0, -1, 2 } }", tostring(linear.sparse(
      3, 3, { { 1, 1, 2 }, { 2, 1, -1 }, { 2, 2, 2 }, { 3, 2, -1 }, { 3, 3, 2 } }, { symmetric = true })))
    local wide = tostring(linear.sparse(1, 7, { { 1, 6, 1 / 3 }, { 1, 7, 9 } }))
    assert.are.equal("matrix(1 x 7) { { 0, 0, 0, 0, 0, 0.333333, ... } }", wide)
    has(tostring(linear.diagonal { 1, 2, 3, 4, 5, 6, 7 }), "{ 0, 0, 0, 0, 0, 6, ... }, ... }")
  end)
  it("refuse what does not fit", function()
    local a = chain(3)
    has(message(function() a:get(4, 1) end), "matrix: get (row) = 4: expected a row from 1 to 3")
    has(message(function() a:multiply { 1, 2 } end), "matrix: multiply: expected 3 numbers")
    has(message(function() return a + chain(4) end), "expected matrices of one size, got 3 x 3 and 4 x 4")
    has(message(linear.sparse, 2, 2, { { 1, 2 } }), "sparse: triplets[1] = a table: expected { row, column, value }")
    has(message(linear.sparse, 2, 2, { { 3, 1, 1 } }), "sparse: triplets[1] = 3: expected a row from 1 to 2")
    has(message(linear.sparse, 2, 3, {}, { symmetric = true }), "expected as many rows as columns")
    has(message(linear.cholesky, linear.sparse(2, 2, {})), "cholesky: A: expected a symmetric matrix")
    has(message(linear.cholesky, 3), "matrix: expected a matrix, not 3")
  end)
  it("are factored and solved", function()
    local a, x = chain(20), linear.vector(20)
    for i = 1, 20 do
      x[i] = math.sin(i)
    end
    local factor = assert(linear.cholesky(a))
    assert.are.equal(20, factor:rows())
    assert.is_true(factor:nonzeros() >= a:nonzeros())
    near(x, factor:solve(a * x))
    local two = linear.vector(40)
    for i = 1, 40 do
      two[i] = math.cos(i)
    end
    near(two, factor:solve(a:multiply(two)))
    local none, why = linear.cholesky(linear.diagonal { 1, -1 })
    assert.is_nil(none)
    has(why, "cholesky: the matrix is not positive definite (row 2)")
    has(message(function() factor:solve { 1 } end), "factor: solve: expected 20 numbers")
  end)
  it("are solved by conjugate gradients", function()
    local a, b = chain(20), linear.vector(20)
    for i = 1, 20 do
      b[i] = i % 3
    end
    local _
    local x, how = linear.conjugate_gradient(a, b, { tolerance = 1e-13 })
    assert.is_true(how.converged and how.iterations <= 25 and how.residual <= 1e-13)
    near(linear.cholesky(a):solve(b), x, 1e-10)
    _, how = linear.conjugate_gradient(a, b, { start = x, tolerance = 1e-8 })
    assert.are.equal(0, how.iterations)
    local early
    _, early = linear.conjugate_gradient(a, b, { max_iterations = 2 })
    assert.is_false(early.converged)
    has(message(linear.conjugate_gradient, a, { 1 }), "conjugate_gradient: b = 1 numbers: expected 20 numbers")
    has(message(linear.conjugate_gradient, a, b, { tolerence = 1 }), 'did you mean "tolerance"?')
  end)
  it("have a largest eigenvalue", function()
    -- of a chain's Laplacian plus 1: 1 + 2 - 2 cos(pi (n - 1) / n)
    local a = chain(10)
    local value, vector, how = linear.largest_eigenvalue(a, { tolerance = 1e-14, max_iterations = 100000 })
    assert.is_true(how.converged)
    assert.is_near(3 - 2 * math.cos(math.pi * 9 / 10), value, 1e-9)
    near(value * vector, a * vector, 1e-5)
    assert.is_near(1, vector:norm(), 1e-12)
  end)
end)

describe("scene:system()", function()
  local scene, cloth, system
  before_each(function()
    scene, cloth = helper.cloth({}, { bend = 10 })
    scene:step(3)
    system = scene:system()
  end)
  it("counts and gives the state", function()
    assert.are.same({ 25, 23 }, { system.particle_count, system.free_count })
    local x, v = system:positions(), system:velocities()
    assert.are.equal(75, #x)
    assert.are.same({ cloth:position(7) }, { x[19], x[20], x[21] })
    assert.are.same({ cloth:velocity(7) }, { v[19], v[20], v[21] })
    near(system:masses():table(), (function()
      local masses = {}
      for i = 1, 25 do masses[i] = 1 / 25 end
      return masses
    end)())
    assert.is_near(scene:energy().elastic, system:energy(x), 1e-12)
    assert.are.equal(system:energy(x), system:energy(cloth:positions()))
    assert.are.equal(system:energy(x), system:energy(x:table()))
  end)
  it("has a gradient and a Hessian that agree with finite differences", function()
    local x, h = system:positions(), 1e-6
    local gradient, hessian = system:gradient(x), system:hessian(x)
    local analytic = system:gather(gradient)
    assert.are.equal(69, #analytic)
    assert.are.equal(69, hessian:rows())
    for _, i in ipairs { 4, 20, 40, 60, 75 } do
      local plus, minus = x:copy(), x:copy()
      plus[i], minus[i] = plus[i] + h, minus[i] - h
      local pinned = i <= 3 or (i >= 13 and i <= 15)
      if not pinned then
        assert.is_near((system:energy(plus) - system:energy(minus)) / (2 * h), gradient[i], 1e-6)
        local column = linear.vector(75)
        column[i] = 1
        near((system:gather(system:gradient(plus)) - system:gather(system:gradient(minus))) / (2 * h),
          hessian * system:gather(column), 1e-3)
      end
    end
    for i = 1, 3 do
      assert.are.equal(0, gradient[i])
    end
    local direction = system:gather(x)
    local projected = system:hessian(x, { project = true })
    assert.is_true(direction:dot(projected * direction) >= direction:dot(hessian * direction) - 1e-9)
  end)
  it("has A = M + h^2 L", function()
    local h = scene.timestep
    local masses = {}
    for _ = 1, 23 do
      masses[#masses + 1] = 1 / 25
    end
    local sum = linear.diagonal(masses) + h * h * system:laplacian()
    local direct = system:matrix()
    for row = 1, 23 do
      for column = 1, 23 do
        assert.is_near(sum:get(row, column), direct:get(row, column), 1e-14)
      end
    end
    assert.is_near(1 / 25, system:matrix(0):get(1, 1), 1e-15)
    has(message(function() return system:matrix(-1) end), "system: matrix = -1: expected a timestep of at least 0 s")
    has(message(function() return system:matrix(0 / 0) end), "system: matrix = nan: expected a finite number")
  end)
  it("is enough to write the solver in Lua", function()
    -- Newton on g(x) = 1/2 (x - y)' M (x - y) + h^2 E(x), against the engine's step run to convergence
    scene.solver = { "local_global", iterations = 20000, tolerance = 1e-13 }
    local h, x, v, m = scene.timestep, system:positions(), system:velocities(), 1 / 25
    local y = x + h * v
    for i = 2, 75, 3 do
      y[i] = y[i] - 9.81 * h * h
    end
    local q = x:copy()
    x = system:scatter(system:gather(y), q)
    for _ = 1, 50 do
      local gradient = system:gather(m * (x - y) + h * h * system:gradient(x))
      local unit = linear.vector(69)
      for i = 1, 69 do
        unit[i] = m
      end
      local factor = assert(linear.cholesky(linear.diagonal(unit) + h * h * system:hessian(x, { project = true })))
      x = system:scatter(system:gather(x) - factor:solve(gradient), q)
      if gradient:norm() < 1e-14 then break end
    end
    assert.is_true(scene:step())
    near(x, scene:system():positions(), 1e-8)
  end)
  it("of a scene with every particle pinned is empty", function()
    cloth:pin(function() return true end)
    local empty = tide.linear.vector(0)
    local A = system:matrix()
    assert.are.equal(0, A:rows())
    assert.are.equal(0, #system:gather(system:positions()))
    assert.are.equal(0, #(A * empty))
    assert.are.equal(0, (A * A):rows())
    assert.are.equal("matrix(0 x 0, symmetric) { }", tostring(A:transpose()))
    local factor = tide.linear.cholesky(A)
    assert.are.equal(0, #factor:solve(empty))
    has(message(function() factor:solve { 1 } end), "factor: solve: expected 0 numbers")
    has(message(function() return A * { 1, 2 } end), "matrix: multiply: expected 0 numbers")
    has(message(tide.linear.conjugate_gradient, A, { 1 }), "conjugate_gradient: b: expected no numbers")
    assert.are.equal(0, #tide.linear.conjugate_gradient(A, empty))
    local value, vector = tide.linear.largest_eigenvalue(A)
    assert.are.equal(0, value)
    assert.are.equal(0, #vector)
  end)
  it("follows the scene and refuses other sizes", function()
    has(message(function() system:energy { 1, 2, 3 } end), "system: energy = 3 numbers: expected 75 numbers")
    has(message(function() system:hessian(system:positions(), { projct = true }) end), 'did you mean "project"?')
    cloth:unpin()
    assert.are.equal(25, system.free_count)
  end)
end)
