-- What marks lesson 6: the local step, the matrix and the right side of the global step, when the matrix changes, and
-- that the iteration is the engine's and ends where Newton's method does.
local check = require "springtide.check"

-- Five particles in random places, and six springs.
local function net_of(case)
  local x, springs = {}, {}
  for i = 1, 5 do
    for axis = 1, 3 do x[3 * i - 3 + axis] = (axis == i % 3 + 1 and 0.5 * i or 0) + case:number(-0.1, 0.1) end
  end
  for s, pair in ipairs { { 1, 2 }, { 2, 3 }, { 4, 3 }, { 4, 5 }, { 5, 1 }, { 1, 3 } } do
    springs[s] = { pair[1], pair[2], case:number(1, 50), case:number(0.2, 1) }
  end
  return springs, x
end

local function difference(a, b)
  local d = { a[1] - b[1], a[2] - b[2], a[3] - b[3] }
  return d, math.sqrt(d[1] ^ 2 + d[2] ^ 2 + d[3] ^ 2)
end

local function scaled(d, s)
  return { s * d[1], s * d[2], s * d[3] }
end

-- A dense matrix of springs: what is added at (i, i), (j, j) and off the diagonal, in units of k.
local function matrix_by(springs, n, at_i, at_j, off, stiff)
  local L = {}
  for row = 1, n do
    L[row] = {}
    for column = 1, n do L[row][column] = 0 end
  end
  for _, spring in ipairs(springs) do
    local i, j, k = spring[1], spring[2], stiff and stiff(spring) or spring[3]
    L[i][i], L[j][j] = L[i][i] + at_i * k, L[j][j] + at_j * k
    L[i][j], L[j][i] = L[i][j] + off * k, L[j][i] + off * k
  end
  return L
end

local function dense(t, triplets, n)
  local L = matrix_by({}, n)
  t:expect(type(triplets) == "table", "laplacian must return a list of triplets { row, column, value }")
  for number, triplet in ipairs(triplets) do
    t:expect(type(triplet) == "table", ("triplet %d is not a list { row, column, value }"):format(number))
    local row, column, value = table.unpack(triplet)
    t:expect(type(value) == "number" and L[row] and L[row][column],
      ("triplet %d: rows and columns go from 1 to %d, one per particle"):format(number, n))
    L[row][column] = L[row][column] + value
  end
  return L
end

-- The right side with the factors of inertia and of the directions, and what the second end of a spring gets of them.
local function side_by(springs, masses, y, x, inertia, factor, back)
  local b = {}
  for n = 1, #y do b[n] = inertia(masses[(n + 2) // 3]) * y[n] end
  for _, spring in ipairs(springs) do
    local i, j, k, r = table.unpack(spring)
    local d, l = difference({ x[3 * i - 2], x[3 * i - 1], x[3 * i] }, { x[3 * j - 2], x[3 * j - 1], x[3 * j] })
    for axis = 1, 3 do
      local part = factor(k) * r * d[axis] / l
      b[3 * i - 3 + axis], b[3 * j - 3 + axis] = b[3 * i - 3 + axis] + part, b[3 * j - 3 + axis] + back * part
    end
  end
  return b
end

local reasons = {
  positions = "x is the unknown that A multiplies: it is on the other side",
  velocities = "the velocities are in y, on the right side",
  gravity = "gravity is in y, on the right side",
  masses = "M is a part of A",
  stiffness = "L is made of the stiffnesses",
  rest_length = "rest lengths are in d, on the right side",
  timestep = "A = M + h^2 L has h in it",
  a_new_spring = "L has an entry for each spring",
}

return check.exercise {
  title = "Local and global steps",
  checks = {
    { name = "the local step", points = 2, hint = "keep the direction of a - b, and give it the length r",
      run = function(t)
        local projection = t:answer("projection", "function")
        for _, case in t:cases(4) do
          local r, a, b = case:number(0.2, 2), case:vector(3, -1, 0), case:vector(3, 0.2, 1)
          local d, l = difference(a, b)
          t:near(projection(r, a, b), scaled(d, r / l), { message = "a random spring", mistakes = {
            { d, "this is a - b itself: give it the length r" },
            { scaled(d, 1 / l), "this has the length 1: give it the length r" },
            { scaled(d, r), "divide a - b by its length before you multiply by r" },
            { scaled(d, -r / l), "this points from a to b; d has the direction of a - b" },
          } })
        end
      end },
    { name = "the matrix L", points = 2, hint = "k at (i, i) and (j, j), -k at (i, j) and (j, i)", run = function(t)
      local laplacian = t:answer("laplacian", "function")
      for _, case in t:cases(2) do
        local springs = net_of(case)
        t:near(dense(t, laplacian(springs), 5), matrix_by(springs, 5, 1, 1, -1), {
          message = "five particles, six springs", mistakes = {
            { matrix_by(springs, 5, 1, 1, 1), "off the diagonal L has -k" },
            { matrix_by(springs, 5, 1, 1, 0), "the entries off the diagonal are missing" },
            { matrix_by(springs, 5, 1, 0, -1), "the entry at (j, j) is missing: each row has the sum 0" },
            { matrix_by(springs, 5, -1, -1, 1), "all signs are opposite: L is positive semidefinite" },
            { matrix_by(springs, 5, 1, 1, -1, function() return 1 end), "the stiffness k is missing" },
            { matrix_by(springs, 5, 1, 1, -1, function(s) return s[3] * s[4] end), "the rest length is not in L" },
          } })
      end
    end },
    { name = "the right side", points = 3,
      hint = "M y + h^2 J d: J d is k d at i and -k d at j, summed over the springs",
      run = function(t)
        local right_side = t:answer("right_side", "function")
        local function same(m) return m end
        for _, case in t:cases(3) do
          local springs, x = net_of(case)
          local y, masses, h = case:vector(15, -1, 1), case:vector(5, 0.1, 1), case:number(0.1, 0.5)
          local function square(k) return h ^ 2 * k end
          t:near(right_side(springs, masses, y, h, x), side_by(springs, masses, y, x, same, square, -1), {
            message = "five particles, six springs", mistakes = {
              { side_by(springs, masses, y, x, same, function(k) return h * k end, -1),
                "the directions have the factor h^2, not h" },
              { side_by(springs, masses, y, x, same, same, -1), "the factor h^2 of the directions is missing" },
              { side_by(springs, masses, y, x, same, function() return h ^ 2 end, -1), "the stiffness k is missing" },
              { side_by(springs, masses, y, x, same, square, 1), "the second end of a spring gets -h^2 k d" },
              { side_by(springs, masses, y, x, same, square, 0), "the second end of a spring is missing: -h^2 k d" },
              { side_by(springs, masses, y, x, same, function(k) return -h ^ 2 * k end, -1),
                "the directions have the wrong sign: they are the term -h^2 x' J d of g, so +h^2 J d on the right" },
              { side_by(springs, masses, y, y, same, square, -1), "the directions must be those of x, not of y: "
                .. "they change in each iteration" },
            } })
        end
      end },
    { name = "when to factor again", points = 1, hint = "look at A = M + h^2 L: which of these is in M, h or L?",
      run = function(t)
        local answers = t:answer("factor_again", "table")
        for _, name in ipairs { "positions", "velocities", "gravity", "masses", "stiffness", "rest_length", "timestep",
          "a_new_spring" } do
          local expected = name == "masses" or name == "stiffness" or name == "timestep" or name == "a_new_spring"
          t:expect(type(answers[name]) == "boolean", name .. " is neither true nor false")
          t:expect(answers[name] == expected, ("%s: think again: %s"):format(name, reasons[name]))
        end
      end },
    { name = "the iteration", points = 2, hint = "the scene is right when the three functions are", run = function(t)
      t:agrees_with(t:scene(), t:scene { solver = "local_global,iterations=10,solve=double" }, 10, 1e-6,
        "10 iterations beside the engine's local_global")
      t:credit(0.5, "the iteration is right; many of them do not come to the minimum")
      t:agrees_with(t:scene { set = { iterations = 100 } }, t:scene { solver = "newton" }, 2, 1e-4,
        "100 iterations beside newton")
    end },
  },
}
