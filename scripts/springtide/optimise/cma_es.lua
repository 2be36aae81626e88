-- CMA-ES: evolution with an adapted covariance matrix (Hansen, "The CMA Evolution Strategy: A Tutorial", 2016, whose
-- numbers of equations are given). A generation is one batch of points, which may be evaluated side by side.
local eigen = require "springtide.optimise.eigen"
local new_normal = require "springtide.optimise.normal"

local SMALLEST_STEP = 1e-12 -- of the first

-- Weights and rates for n numbers (Table 1 of the tutorial, without negative weights).
local function settings(n, population)
  local s = { lambda = population or 4 + math.floor(3 * math.log(n)), weights = {} }
  local parents, sum, squares = s.lambda // 2, 0, 0
  for i = 1, parents do
    s.weights[i] = math.log((s.lambda + 1) / 2) - math.log(i)
    sum = sum + s.weights[i]
  end
  for i = 1, parents do
    s.weights[i] = s.weights[i] / sum
    squares = squares + s.weights[i] ^ 2
  end
  local mu = 1 / squares
  s.mu = mu
  s.c_sigma = (mu + 2) / (n + mu + 5)
  s.d_sigma = 1 + 2 * math.max(0, math.sqrt((mu - 1) / (n + 1)) - 1) + s.c_sigma
  s.c_c = (4 + mu / n) / (n + 4 + 2 * mu / n)
  s.c_1 = 2 / ((n + 1.3) ^ 2 + mu)
  s.c_mu = math.min(1 - s.c_1, 2 * (mu - 2 + 1 / mu) / ((n + 2) ^ 2 + mu))
  s.chi = math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n)) -- E |N(0, I)|
  return s
end

local function zeros(n)
  local list = {}
  for i = 1, n do
    list[i] = 0
  end
  return list
end

local function identity(n)
  local matrix = {}
  for i = 1, n do
    matrix[i] = zeros(n)
    matrix[i][i] = 1
  end
  return matrix
end

local function norm(list)
  local sum = 0
  for _, x in ipairs(list) do
    sum = sum + x * x
  end
  return math.sqrt(sum)
end

-- y = B D z, eq. 39: B has the eigenvectors, D the square roots of the eigenvalues.
local function spread(state, z)
  local y = zeros(#z)
  for k = 1, #z do
    local scaled = state.D[k] * z[k]
    for i = 1, #z do
      y[i] = y[i] + state.B[i][k] * scaled
    end
  end
  return y
end

-- C^(-1/2) y
local function whiten(state, y)
  local n, w = #y, zeros(#y)
  for k = 1, n do
    local sum = 0
    for i = 1, n do
      sum = sum + state.B[i][k] * y[i]
    end
    for i = 1, n do
      w[i] = w[i] + state.B[i][k] * sum / state.D[k]
    end
  end
  return w
end

local function sample(state, normal)
  local points, n = {}, #state.mean
  for j = 1, state.s.lambda do
    local z = {}
    for i = 1, n do
      z[i] = normal()
    end
    local point = { y = spread(state, z), order = j }
    for i = 1, n do
      point[i] = state.mean[i] + state.sigma * point.y[i]
    end
    points[j] = point
  end
  return points
end

-- Moves the mean, the paths, the covariance and the step; `points` are sorted, the best first.
local function update(state, points)
  local s, n, mean_y = state.s, #state.mean, zeros(#state.mean)
  for i, weight in ipairs(s.weights) do
    for k = 1, n do
      mean_y[k] = mean_y[k] + weight * points[i].y[k]
    end
  end
  local white = whiten(state, mean_y)
  state.generation = state.generation + 1
  for k = 1, n do
    state.mean[k] = state.mean[k] + state.sigma * mean_y[k]
    state.p_sigma[k] = (1 - s.c_sigma) * state.p_sigma[k] + math.sqrt(s.c_sigma * (2 - s.c_sigma) * s.mu) * white[k]
  end
  local length = norm(state.p_sigma)
  local stall = length / math.sqrt(1 - (1 - s.c_sigma) ^ (2 * state.generation)) < (1.4 + 2 / (n + 1)) * s.chi
  local h = stall and 1 or 0 -- h_sigma: keeps the path from growing where the step is much too small
  for k = 1, n do
    state.p_c[k] = (1 - s.c_c) * state.p_c[k] + h * math.sqrt(s.c_c * (2 - s.c_c) * s.mu) * mean_y[k]
  end
  local kept = 1 - s.c_1 - s.c_mu + (1 - h) * s.c_1 * s.c_c * (2 - s.c_c)
  for i = 1, n do
    for k = 1, i do
      local rank_mu = 0
      for j, weight in ipairs(s.weights) do
        rank_mu = rank_mu + weight * points[j].y[i] * points[j].y[k]
      end
      state.C[i][k] = kept * state.C[i][k] + s.c_1 * state.p_c[i] * state.p_c[k] + s.c_mu * rank_mu -- eq. 47
      state.C[k][i] = state.C[i][k]
    end
  end
  state.sigma = state.sigma * math.exp(math.min(1, s.c_sigma / s.d_sigma * (length / s.chi - 1))) -- eq. 44
end

local function decompose(state)
  local values
  values, state.B = eigen(state.C)
  for i, value in ipairs(values) do
    state.D[i] = math.sqrt(math.max(value, 1e-300))
  end
end

local function has_ended(state, problem, values, recent)
  local least, most = values[1], values[#values]
  for _, value in ipairs(recent) do
    least, most = math.min(least, value), math.max(most, value)
  end
  return (#recent >= 10 + 30 * #state.mean / state.s.lambda and most - least <= problem.tolerance)
    or state.sigma * math.max(table.unpack(state.D)) <= SMALLEST_STEP * problem.step
end

-- Minimises problem.evaluate(points), a list of values. The problem has start (a list of numbers), step (the first
-- standard deviation), tolerance, evaluations (the most), seed and population (nil: the default). Returns why it ended.
return function(problem)
  local n = #problem.start
  local state = { s = settings(n, problem.population), mean = table.move(problem.start, 1, n, 1, {}),
                  sigma = problem.step, p_sigma = zeros(n), p_c = zeros(n), C = identity(n), B = identity(n), D = {},
                  generation = 0 }
  local normal, used, recent = new_normal(problem.seed), 0, {}
  while used + state.s.lambda <= problem.evaluations do
    decompose(state)
    local points = sample(state, normal)
    for j, value in ipairs(problem.evaluate(points)) do
      points[j].value = value
    end
    used = used + #points
    table.sort(points, function(a, b) return a.value < b.value or (a.value == b.value and a.order < b.order) end)
    update(state, points)
    local values = {}
    for j, point in ipairs(points) do
      values[j] = point.value
    end
    recent[#recent + 1] = values[1]
    if #recent > 10 + 30 * n / state.s.lambda then
      table.remove(recent, 1)
    end
    if has_ended(state, problem, values, recent) then
      return "tolerance"
    end
  end
  return "evaluations"
end
