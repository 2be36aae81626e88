-- The simplex of Nelder and Mead (1965), with the coefficients of Gao and Han (2012), which suit more numbers. The
-- corners of the first simplex and of a shrunken one are a batch; all other points are evaluated one after the other.

-- a + t (b - a)
local function between(a, b, t)
  local point = {}
  for i = 1, #a do
    point[i] = a[i] + t * (b[i] - a[i])
  end
  return point
end

local function sort(simplex)
  table.sort(simplex, function(a, b) return a.value < b.value or (a.value == b.value and a.order < b.order) end)
end

local function size_of(simplex)
  local size = 0
  for j = 2, #simplex do
    for i = 1, #simplex[1] do
      size = math.max(size, math.abs(simplex[j][i] - simplex[1][i]))
    end
  end
  return size
end

-- The middle of all corners but the worst, which is the last.
local function centre_of(simplex)
  local centre, n = {}, #simplex - 1
  for i = 1, n do
    centre[i] = 0
    for j = 1, n do
      centre[i] = centre[i] + simplex[j][i] / n
    end
  end
  return centre
end

-- The problem and the result are those of cma_es.lua; it uses no seed.
return function(problem)
  local n, used, simplex = #problem.start, 0, {}
  local expansion, contraction, shrinkage = 1 + 2 / n, 0.75 - 1 / (2 * n), 1 - 1 / n
  if n == 1 then
    expansion, contraction, shrinkage = 2, 0.5, 0.5
  end

  local function evaluate(points)
    for j, value in ipairs(problem.evaluate(points)) do
      used = used + 1
      points[j].value, points[j].order = value, used
    end
  end
  local function try(point)
    evaluate { point }
    return point
  end
  local function replace_worst(point)
    simplex[n + 1] = point
  end
  local function shrink()
    local points = {}
    for j = 2, n + 1 do
      points[j - 1] = between(simplex[1], simplex[j], shrinkage)
      simplex[j] = points[j - 1]
    end
    evaluate(points)
  end

  local function move()
    local centre, worst = centre_of(simplex), simplex[n + 1]
    local reflected = try(between(centre, worst, -1))
    if reflected.value < simplex[1].value then
      local expanded = try(between(centre, worst, -expansion))
      replace_worst(expanded.value < reflected.value and expanded or reflected)
    elseif reflected.value < simplex[n].value then
      replace_worst(reflected)
    else
      local outside = reflected.value < worst.value
      local contracted = try(between(centre, worst, outside and -contraction or contraction))
      if contracted.value < math.min(reflected.value, worst.value) then
        replace_worst(contracted)
      else
        shrink()
      end
    end
  end

  for j = 1, n + 1 do
    simplex[j] = table.move(problem.start, 1, n, 1, {})
    if j > 1 then
      simplex[j][j - 1] = simplex[j][j - 1] + problem.step
    end
  end
  if n + 1 > problem.evaluations then
    return "evaluations"
  end
  evaluate(simplex)
  sort(simplex)
  while used + 2 + n <= problem.evaluations do -- a move takes at most so many
    move()
    sort(simplex)
    local spread, size = simplex[n + 1].value - simplex[1].value, size_of(simplex) / problem.step
    if size <= 1e-12 or (size <= 1e-3 and spread <= problem.tolerance) then
      return "tolerance"
    end
  end
  return "evaluations"
end
