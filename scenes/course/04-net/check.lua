-- What marks lesson 4: gradient and Hessian of a net, finite differences, and the net's motion with both.
local check = require "springtide.check"

-- A net of five particles with random places, not closer than 0.2 m, and six springs.
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

-- The difference of the ends of a spring, and its length.
local function reach(x, i, j)
  local d = {}
  for axis = 1, 3 do d[axis] = x[3 * i - 3 + axis] - x[3 * j - 3 + axis] end
  return d, math.sqrt(d[1] ^ 2 + d[2] ^ 2 + d[3] ^ 2)
end

local function constant(value)
  return function() return value end
end

-- The gradient where a spring pulls by pull(k, r, l) along a - b, and its second end takes `back` times as much.
local function gradient_by(springs, x, pull, back)
  local g = {}
  for n = 1, #x do g[n] = 0 end
  for _, spring in ipairs(springs) do
    local i, j, k, r = table.unpack(spring)
    local d, l = reach(x, i, j)
    for axis = 1, 3 do
      local value = pull(k, r, l) * d[axis]
      g[3 * i - 3 + axis], g[3 * j - 3 + axis] = g[3 * i - 3 + axis] + value, g[3 * j - 3 + axis] + back * value
    end
  end
  return g
end

local function pull(k, r, l) return k * (l - r) / l end

-- A block along(k, r, l) n n' + across(k, r, l) (I - n n').
local function block_by(k, r, d, l, along, across)
  local rows = {}
  for row = 1, 3 do
    rows[row] = {}
    for column = 1, 3 do
      local nn = d[row] * d[column] / l ^ 2
      rows[row][column] = along(k, r, l) * nn + across(k, r, l) * ((row == column and 1 or 0) - nn)
    end
  end
  return rows
end

local function stiff(k) return k end
local function tense(k, r, l) return k * (1 - r / l) end
local none = constant(0)

-- The dense Hessian; the signs are those of the blocks at (i, i), (j, j) and off the diagonal.
local function hessian_by(springs, x, at_i, at_j, off)
  local H = {}
  for row = 1, #x do
    H[row] = {}
    for column = 1, #x do H[row][column] = 0 end
  end
  for _, spring in ipairs(springs) do
    local i, j, k, r = table.unpack(spring)
    local d, l = reach(x, i, j)
    local rows = block_by(k, r, d, l, stiff, tense)
    for _, place in ipairs { { i, i, at_i }, { j, j, at_j }, { i, j, off }, { j, i, off } } do
      for row = 1, 3 do
        for column = 1, 3 do
          local to = H[3 * place[1] - 3 + row]
          to[3 * place[2] - 3 + column] = to[3 * place[2] - 3 + column] + place[3] * rows[row][column]
        end
      end
    end
  end
  return H
end

-- The dense matrix of triplets of the submission.
local function dense(t, triplets, size)
  local H = {}
  for row = 1, size do
    H[row] = {}
    for column = 1, size do H[row][column] = 0 end
  end
  t:expect(type(triplets) == "table", "hessian must return a list of triplets { row, column, value }")
  for n, triplet in ipairs(triplets) do
    t:expect(type(triplet) == "table", ("triplet %d is not a list { row, column, value }"):format(n))
    local row, column, value = table.unpack(triplet)
    t:expect(type(value) == "number" and H[row] and H[row][column],
      ("triplet %d: rows and columns go from 1 to %d"):format(n, size))
    H[row][column] = H[row][column] + value
  end
  return H
end

return check.exercise {
  title = "A net of springs",
  checks = {
    { name = "the gradient of the net", points = 3,
      hint = "k (l - r) (a - b) / l is added to particle i and subtracted from j", run = function(t)
        local gradient = t:answer("gradient", "function")
        for _, case in t:cases(3) do
          local springs, x = net_of(case)
          t:near(gradient(springs, x), gradient_by(springs, x, pull, -1), { message = "five particles, six springs",
            mistakes = {
              { gradient_by(springs, x, function(...) return -pull(...) end, -1),
                "these are the forces: the gradient has the opposite sign" },
              { gradient_by(springs, x, pull, 0), "the second end of each spring is missing: it gets the opposite" },
              { gradient_by(springs, x, pull, 1), "both ends get the same; the second one gets the opposite" },
              { gradient_by(springs, x, function(k, r, l) return k * (l - r) end, -1),
                "a - b is not a unit vector: divide it by the length l" },
            } })
        end
      end },
    { name = "the block of a spring", points = 3,
      hint = "k n n' + k (1 - r/l) (I - n n'), with n = (a - b) / l", run = function(t)
        local block = t:answer("block", "function")
        for _, case in t:cases(4) do
          local k, r, a, d = case:number(1, 50), case:number(0.2, 1), case:vector(3, -1, 1), case:vector(3, 0.2, 0.8)
          local l = math.sqrt(d[1] ^ 2 + d[2] ^ 2 + d[3] ^ 2)
          local b = { a[1] - d[1], a[2] - d[2], a[3] - d[3] }
          t:near(block(k, r, a, b), block_by(k, r, d, l, stiff, tense), { message = "a random spring", mistakes = {
            { block_by(k, r, d, l, stiff, none),
              "k n n' is there; the part across the spring, k (1 - r/l) (I - n n'), is missing" },
            { block_by(k, r, d, l, function(s) return -s end, function(...) return -tense(...) end),
              "this is the Jacobian of the force; the Hessian has the opposite sign" },
            { block_by(k, r, d, l, constant(1), function(_, s, m) return 1 - s / m end), "the stiffness k is missing" },
            { block_by(k, r, d, l, tense, tense), "along the spring the stiffness is k, not k (1 - r/l)" },
            { block_by(k, r, d, l, tense, stiff), "along and across are exchanged: k belongs to n n'" },
            { block_by(k, r, d, l, stiff, stiff), "across the spring the stiffness is k (1 - r/l), not k" },
            { block_by(k, r, d, l, function(s) return s * l ^ 2 end, function(s, q) return s * (1 - q / l) end),
              "n is not a unit vector: divide the outer product by l^2" },
          } })
        end
      end },
    { name = "the Hessian of the net", points = 2,
      hint = "the energy depends on a - b only: moving all particles alike changes nothing, so each row has the sum 0",
      run = function(t)
        local hessian = t:answer("hessian", "function")
        for _, case in t:cases(2) do
          local springs, x = net_of(case)
          local found = dense(t, hessian(springs, x), #x)
          t:near(found, hessian_by(springs, x, 1, 1, -1), { message = "five particles, six springs", mistakes = {
            { hessian_by(springs, x, 1, 1, 1), "the blocks off the diagonal, at (i, j) and (j, i), have a minus" },
            { hessian_by(springs, x, 1, 1, 0), "the blocks off the diagonal, at (i, j) and (j, i), are missing" },
            { hessian_by(springs, x, 1, 0, -1), "the block at (j, j) is missing" },
            { hessian_by(springs, x, -1, -1, 1), "all signs are opposite: this is the Jacobian of the forces" },
          } })
        end
      end },
    { name = "finite differences", points = 1, hint = "(f(x + h e) - f(x - h e)) / (2 h) for each unit vector e",
      run = function(t)
        local differences = t:answer("differences", "function")
        for _, case in t:cases(2) do
          local x, c, h = case:vector(4, -1, 1), case:vector(4, 1, 2), 0.01
          local function f(at)
            local sum = 0
            for n = 1, 4 do sum = sum + c[n] * math.exp(at[n]) end
            return sum
          end
          local central, forward, twice = {}, {}, {}
          for n = 1, 4 do
            central[n] = c[n] * math.exp(x[n]) * (math.exp(h) - math.exp(-h)) / (2 * h)
            forward[n], twice[n] = c[n] * math.exp(x[n]) * (math.exp(h) - 1) / h, 2 * central[n]
          end
          t:near(differences(f, x, h), central, { tolerance = 1e-8, message = "a sum of exponentials", mistakes = {
            { forward, "these are forward differences: their error is of order h, that of central ones of order h^2" },
            { twice, "the two points are 2 h apart: divide by 2 h" },
          } })
        end
      end },
    { name = "the net swings", points = 1, hint = "the scene is right when gradient and hessian are", run = function(t)
      local scene, reference = t:scene(), t:scene { solver = "semi_implicit,linear=cholesky,definite=none" }
      t:agrees_with(scene, reference, 15, 1e-8, "beside the engine's semi_implicit")
    end },
  },
}
