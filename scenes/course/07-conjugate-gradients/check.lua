local check = require "springtide.check"
local tide = require "springtide"
local linear = tide.linear

-- Springs in a chain with both ends held, times a factor. Its eigenvalues are factor (2 - 2 cos(j pi / (n + 1))).
local function chain(n, factor)
  local entries = {}
  for i = 1, n do
    entries[#entries + 1] = { i, i, 2 * factor }
    if i > 1 then entries[#entries + 1] = { i, i - 1, -factor } end
  end
  return linear.sparse(n, n, entries, { symmetric = true })
end

local function random_vector(case, n)
  local v = linear.vector(n)
  for i = 1, n do v[i] = case:number(0.5, 1.5) * (i % 3 == 0 and -1 or 1) end
  return v
end

return check.exercise {
  title = "Conjugate gradients and the power method",
  checks = {
    { name = "the power method", points = 3,
      hint = "w = A v; v = w / |w|, again and again; at the end v'A v is the eigenvalue, as |v| = 1. Lesson 7, eq. 3.",
      run = function(t)
        local power = t:answer("power", "function")
        for _, case in t:cases(4) do
          local n, factor = case:integer(3, 9), case:number(50, 500)
          local exact = factor * (2 - 2 * math.cos(n * math.pi / (n + 1)))
          local A, v = chain(n, factor), random_vector(case, n)
          local value, vector = power(A, v, 1000)
          t:expect(type(value) ~= "number" or math.abs(value) < 1e30,
            "the value has grown out of all bounds: divide v by its length after each multiplication")
          t:near(value, exact, { relative = 1e-8, message = "largest eigenvalue of a chain" })
          t:expect(vector ~= nil, "return the eigenvector, too: return value, v")
          t:residual((A * vector - exact * linear.vector(vector)):norm() / exact, 1e-4,
            "A v - lambda v for the vector that power returned")
          t:near(linear.vector(vector):norm(), 1, { tolerance = 1e-9, message = "length of the eigenvector" })
        end
        local negative = power(-1 * chain(5, 10), linear.vector { 1, -2, 2, -1, 1 }, 1000)
        t:near(negative, -10 * (2 - 2 * math.cos(5 * math.pi / 6)), { tolerance = 1e-6,
          message = "a matrix whose largest eigenvalue is negative (v'A v keeps the sign, |A v| does not)" })
      end },
    { name = "conjugate gradients solve", points = 3,
      hint = "alpha = r'r / p'A p; x grows by alpha p, r shrinks by alpha A p; p = r + beta p. Lesson 7, eq. 8 to 10.",
      run = function(t)
        local solve = t:answer("conjugate_gradients", "function")
        for _, case in t:cases(4) do
          local n = case:integer(5, 40)
          local A = chain(n, case:number(10, 100)) + linear.diagonal(case:vector(n, 1, 2))
          local b = random_vector(case, n)
          local x = solve(A, b, 1e-10)
          t:expect(x ~= nil, "conjugate_gradients returned nothing: return x and the number of products")
          t:residual((b - A * x):norm() / b:norm(), 1.1e-10, "|b - A x| / |b| at tolerance 1e-10")
        end
        local x, products = solve(chain(4, 1), linear.vector(4), 1e-10)
        t:near(x, { 0, 0, 0, 0 }, { tolerance = 0, message = "x for b = 0 (0 / 0 is no number: stop before it)" })
        t:near(products, 0, { tolerance = 0, message = "products for b = 0" })
      end },
    { name = "conjugate gradients are fast", points = 2,
      hint = "beta = r'r of the new residual / r'r of the old one. In exact arithmetic as many products as A has "
        .. "different eigenvalues are enough.",
      run = function(t)
        local solve = t:answer("conjugate_gradients", "function")
        for _, case in t:cases(4) do
          local n, count = case:integer(20, 40), case:integer(2, 4)
          local values = {}
          for i = 1, n do values[i] = 3 ^ (i % count) end
          local _, products = solve(linear.diagonal(values), random_vector(case, n), 1e-9)
          t:expect(type(products) == "number", "the second result must be the number of products A * p")
          t:expect(products >= 2, ("%g products cannot be enough here: count each A * p"):format(products))
          t:expect(products <= count, ("A has %d different eigenvalues, so %d products are enough; yours took %g. Is "
            .. "beta the new r'r over the old one? Without beta it is steepest descent"):format(count, count, products))
        end
      end },
    { name = "the longest stable timestep", points = 2,
      hint = "With S = diagonal(1 / sqrt(masses)), S K S is symmetric and has the eigenvalues of M^-1 K.",
      run = function(t)
        local longest = t:answer("longest_timestep", "function")
        for _, case in t:cases(3) do
          local n, k, m = case:integer(3, 12), case:number(10, 1000), case:number(0.1, 3)
          local top = k * (2 - 2 * math.cos(n * math.pi / (n + 1)))
          local masses = {}
          for i = 1, n do masses[i] = m end
          local value = longest(chain(n, k), masses)
          t:near(value, 2 / math.sqrt(top / m), { relative = 1e-6,
            message = "timestep of a chain of equal masses", mistakes = {
              { 2 / math.sqrt(top), "the masses are left out: k0 is an eigenvalue of M^-1 K" },
              { 2 / math.sqrt(top) / m, "S has the roots of the masses, and stands on both sides of K" } } })
        end
        -- Two equal masses m and a light one M between them: by hand the largest eigenvalue is 2 k / M + k / m.
        local k, heavy, light = 100, 2, 0.5
        local K = linear.sparse(3, 3, { { 1, 1, k }, { 2, 1, -k }, { 2, 2, 2 * k }, { 3, 2, -k }, { 3, 3, k } },
          { symmetric = true })
        t:near(longest(K, { heavy, light, heavy }), 2 / math.sqrt(2 * k / light + k / heavy), { relative = 1e-6,
          message = "timestep of a molecule of masses 2, 0.5 and 2 kg" })
      end },
  },
}
