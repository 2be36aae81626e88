-- Properties of scenes and functions that a check expects: methods of `t`. The last argument of each, `message`, stands
-- in front of what was found.
local tide = require "springtide"
local values = require "springtide.check.values"

local properties = {}

local function fail(t, message, text)
  t:fail(message and ("%s: %s"):format(message, text) or text)
end

-- False for NaN.
local function at_most(number, bound)
  return number <= bound
end

local function step(t, scene, message)
  local stepped, problem = scene:step()
  if not stepped then
    fail(t, message, ("the step to frame %d failed: %s"):format(scene.frame + 1, problem))
  end
end

-- A list of numbers from what a submission returned, all finite.
local function numbers_of(t, value, message, what)
  local flat = values.flat(value)
  if not flat then
    fail(t, message, ("%s is %s, expected numbers"):format(what, values.show(value)))
  end
  for i, number in ipairs(flat) do
    if number ~= number or math.abs(number) == math.huge then
      fail(t, message, ("%s has %s as number %d"):format(what, values.show(number), i))
    end
  end
  return flat
end

local function number_of(t, value, message, what)
  if type(value) ~= "number" then
    fail(t, message, ("%s is %s, expected a number"):format(what, values.show(value)))
  end
  return numbers_of(t, value, message, what)[1]
end

-- --- scenes ----------------------------------------------------------------------------------------------------------

-- The momentum of all particles, and the sum of the absolute values of its parts, in kg m/s.
local function momentum(scene)
  local system = scene:system()
  local masses, velocities = system:masses():table(), system:velocities():table()
  local sum, scale = { 0, 0, 0 }, 0
  for i, mass in ipairs(masses) do
    for axis = 1, 3 do
      local part = mass * velocities[3 * (i - 1) + axis]
      sum[axis], scale = sum[axis] + part, scale + math.abs(part)
    end
  end
  return sum, scale
end

-- Expects that no frame changes the momentum by more than tolerance (1e-9) times the sum of all |m v|.
function properties:conserves_momentum(scene, frames, tolerance, message)
  local before = momentum(scene)
  for _ = 1, frames do
    step(self, scene, message)
    local now, scale = momentum(scene)
    for axis = 1, 3 do
      local change = math.abs(now[axis] - before[axis])
      if not at_most(change, (tolerance or 1e-9) * math.max(scale, 1e-300)) then
        fail(self, message, ("the momentum along %s changes from %.6g to %.6g kg m/s by frame %d"):format(
          ("xyz"):sub(axis, axis), before[axis], now[axis], scene.frame))
      end
    end
  end
end

-- Expects that the total energy never rises by more than tolerance (1e-9) times the sum of its absolute parts.
function properties:energy_never_rises(scene, frames, tolerance, message)
  local before = scene:energy()
  for _ = 1, frames do
    step(self, scene, message)
    local now = scene:energy()
    local scale = math.abs(before.kinetic) + math.abs(before.elastic) + math.abs(before.gravity)
    if not at_most(now.total - before.total, (tolerance or 1e-9) * math.max(scale, 1e-300)) then
      fail(self, message, ("the energy rises from %.6g to %.6g J at frame %d"):format(before.total, now.total,
                                                                                     scene.frame))
    end
    before = now
  end
end

local function find_body(scene, name)
  for _, body in ipairs(scene:bodies()) do
    if body.name == name then
      return body
    end
  end
end

-- The largest distance between vertices of the same bodies, and where it is.
local function largest_distance(t, scene, reference, message)
  local largest, place = 0, "nowhere"
  for _, body in ipairs(reference:bodies()) do
    local other = find_body(scene, body.name)
    if not other then
      fail(t, message, ("the scene has no body \"%s\""):format(body.name))
    elseif other.vertex_count ~= body.vertex_count then
      fail(t, message, ("the body \"%s\" has %d vertices instead of %d"):format(body.name, other.vertex_count,
                                                                              body.vertex_count))
    end
    local a, b = other:positions():table(), body:positions():table()
    for i = 1, #a, 3 do
      local x, y, z = a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]
      local distance = math.sqrt(x * x + y * y + z * z)
      if not at_most(distance, largest) then
        largest, place = distance, ("vertex %d of \"%s\""):format((i + 2) // 3, body.name)
      end
    end
  end
  return largest, place
end

-- Expects that all vertices of the reference's bodies stay within tolerance (m) of it, over so many frames.
function properties:agrees_with(scene, reference, frames, tolerance, message)
  for frame = 0, frames do
    if frame > 0 then
      step(self, scene, message)
      step(self, reference, "the reference")
    end
    local distance, place = largest_distance(self, scene, reference, message)
    if not at_most(distance, tolerance) then
      fail(self, message, ("%s is %.3g m away from the reference at frame %d (tolerance %.3g m)"):format(
        place, distance, frame, tolerance))
    end
  end
end

-- --- functions -------------------------------------------------------------------------------------------------------

-- The slope of a straight line through the points, by least squares.
local function slope(xs, ys)
  local n, x_mean, y_mean, above, below = #xs, 0, 0, 0, 0
  for i = 1, n do
    x_mean, y_mean = x_mean + xs[i] / n, y_mean + ys[i] / n
  end
  for i = 1, n do
    above = above + (xs[i] - x_mean) * (ys[i] - y_mean)
    below = below + (xs[i] - x_mean) ^ 2
  end
  return above / below
end

-- Expects that the error f(h) falls as h^order. options = { tolerance = 0.2, steps = { h, ... } }: the slope of log f
-- over log h is within the tolerance of the order.
function properties:has_order(f, order, options, message)
  local steps = options and options.steps or { 0.1, 0.05, 0.025, 0.0125 }
  local logs, errors = {}, {}
  for i, h in ipairs(steps) do
    local found = number_of(self, f(h), message, ("the error for h = %g"):format(h))
    if found <= 0 then
      fail(self, message, ("the error for h = %g is %g; an order cannot be seen"):format(h, found))
    end
    logs[i], errors[i] = math.log(h), math.log(found)
  end
  local seen = slope(logs, errors)
  if not at_most(math.abs(seen - order), (options and options.tolerance or 0.2)) then
    fail(self, message, ("the order is %.2f, expected %g: halving h divides the error by %.2g"):format(seen, order,
                                                                                                    2 ^ seen))
  end
end

-- Expects that a number, or the norm of a vector, is at most the bound.
function properties:residual(value, bound, message)
  local sum = 0
  for _, number in ipairs(numbers_of(self, value, message, "the residual")) do
    sum = sum + number * number
  end
  if not at_most(math.sqrt(sum), bound) then
    fail(self, message, ("the residual is %.3g, expected at most %.3g"):format(math.sqrt(sum), bound))
  end
end

-- Expects gradient(x) to agree with central differences of f at x, a list of numbers: within tolerance (1e-6) times the
-- largest part of the gradient, or 1.
function properties:gradient_matches(f, gradient, x, tolerance, message)
  local given = numbers_of(self, gradient(x), message, "the gradient")
  local at = numbers_of(self, x, message, "x")
  if #given ~= #at then
    fail(self, message, ("the gradient has the wrong size: %d instead of %d"):format(#given, #at))
  end
  local scale = 1
  for _, number in ipairs(given) do
    scale = math.max(scale, math.abs(number))
  end
  for i = 1, #at do
    local h, middle = 1e-5 * math.max(1, math.abs(at[i])), at[i]
    at[i] = middle + h
    local above = number_of(self, f(at), message, "the function")
    at[i] = middle - h
    local below = number_of(self, f(at), message, "the function")
    at[i] = middle
    local difference = (above - below) / (2 * h)
    if not at_most(math.abs(difference - given[i]), (tolerance or 1e-6) * scale) then
      fail(self, message, ("part %d of the gradient is %.8g, finite differences give %.8g"):format(i, given[i],
                                                                                                 difference))
    end
  end
end

-- Expects f() to end within so many seconds of processor time. Returns what it returns.
function properties:within(seconds, f, message)
  local results = table.pack(tide.limited({ time_limit = seconds }, function() return true, pcall(f) end))
  if not results[1] then
    fail(self, message, ("it took more than %g s of processor time"):format(seconds))
  elseif not results[3] then
    error(results[4], 0)
  end
  return table.unpack(results, 4, results.n)
end

return properties
