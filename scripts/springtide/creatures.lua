-- Animals as signed distances, for tide.mesh.tetrahedralize. They are about 1 m long, stand on y = 0 and look along +x.
--   local creatures = require "springtide.creatures"
--   local mesh = tide.mesh.tetrahedralize { distance = creatures.hippo(), vertices = 2387 }
local tide = require "springtide"
local distance = tide.distance

local creatures = {}

-- A limb through points { x, y, z, radius }: blended capsules, each with the radius of its second point.
local function limb(points, blend)
  local parts = { blend = blend or 0.02 }
  for i = 2, #points do
    local a, b = points[i - 1], points[i]
    parts[#parts + 1] = distance.capsule { from = { a[1], a[2], a[3] }, to = { b[1], b[2], b[3] }, radius = b[4] }
  end
  return #parts > 1 and distance.union(parts) or parts[1]
end

local function ball(x, y, z, radius)
  return distance.sphere { position = { x, y, z }, radius = radius }
end

local function egg(x, y, z, a, b, c)
  return distance.ellipsoid { position = { x, y, z }, radii = { a, b, c } }
end

-- Calls make(1) and make(-1), one for each side, and adds the results to `parts`.
local function both(parts, make)
  for side = 1, -1, -2 do
    for _, part in ipairs { make(side) } do
      parts[#parts + 1] = part
    end
  end
  return parts
end

-- Cuts the shape at y = 0, so that the feet have flat soles.
local function standing(shape)
  return distance.intersection { shape, distance.plane { normal = { 0, -1, 0 }, offset = 0 } }
end

---A stand-in for the hippo of Table 1.
---@return tide.Distance
function creatures.hippo()
  local trunk = distance.union { blend = 0.12,
    egg(-0.12, 0.34, 0, 0.34, 0.22, 0.22), egg(0.1, 0.36, 0, 0.2, 0.2, 0.2),
    limb { { 0.15, 0.4, 0 }, { 0.32, 0.42, 0, 0.13 } },
  }
  local head = distance.union { blend = 0.06,
    egg(0.36, 0.42, 0, 0.13, 0.12, 0.12), limb { { 0.38, 0.42, 0 }, { 0.54, 0.36, 0, 0.095 } },
    egg(0.57, 0.33, 0, 0.11, 0.09, 0.165), egg(0.51, 0.245, 0, 0.13, 0.065, 0.125),
  }
  local body = distance.union(both({ blend = 0.06, trunk, head }, function(side)
    return limb { { 0.14, 0.25, 0.12 * side }, { 0.15, 0.04, 0.13 * side, 0.078 } },
      limb { { -0.28, 0.25, 0.12 * side }, { -0.29, 0.04, 0.13 * side, 0.08 } }
  end))
  return standing(distance.union(both({ blend = 0.05, body,
    limb { { -0.44, 0.4, 0 }, { -0.5, 0.3, 0, 0.035 } },
  }, function(side)
    return limb { { 0.26, 0.52, 0.09 * side }, { 0.25, 0.585, 0.11 * side, 0.042 } },
      ball(0.39, 0.515, 0.075 * side, 0.05), ball(0.6, 0.4, 0.085 * side, 0.05)
  end)))
end

---A stand-in for the frog of Table 1: sitting, or with its hind legs stretched out behind it.
---@param leaping? boolean
---@return tide.Distance
function creatures.frog(leaping)
  local trunk = distance.union { blend = 0.12,
    egg(-0.16, 0.2, 0, 0.24, 0.15, 0.18), egg(0.06, 0.27, 0, 0.18, 0.15, 0.17),
    egg(0.24, 0.36, 0, 0.18, 0.085, 0.18),
  }
  local knee = leaping and { -0.42, 0.22, 0.32 } or { 0, 0.21, 0.29 }
  local ankle = leaping and { -0.66, 0.16, 0.2 } or { -0.3, 0.06, 0.3 }
  local tip = leaping and { -0.95, 0.14, 0.3 } or { 0, 0.025, 0.35 }
  local thick = leaping and 0.034 or 0.03      -- radius of the toes
  local limbs = distance.union(both({ blend = 0.03 }, function(side)
    local function at(point, radius, aside)
      return { point[1], point[2], (point[3] + (aside or 0)) * side, radius }
    end
    local parts = {
      limb { at({ -0.26, 0.17, 0.14 }), at(knee, 0.075) }, limb { at(knee), at(ankle, 0.05) },
      limb { at({ 0.1, 0.24, 0.15 }), at({ 0.12, 0.12, 0.25 }, 0.045), at({ 0.2, 0.035, 0.22 }, 0.035) },
    }
    for toe = -1, 1 do
      parts[#parts + 1] = limb { at(ankle), at(tip, thick, 0.12 * toe) }
      parts[#parts + 1] = limb {
        at({ 0.2, 0.03, 0.22 }), at({ 0.31 - 0.02 * toe ^ 2, 0.02, 0.22 }, 0.9 * thick, 0.1 * toe),
      }
    end
    return table.unpack(parts)
  end))
  return standing(distance.union(both({ blend = 0.03, trunk, limbs }, function(side)
    return ball(0.19, 0.46, 0.105 * side, 0.062)
  end)))
end

---A stand-in for the dog of Table 1.
---@return tide.Distance
function creatures.dog()
  local trunk = distance.union { blend = 0.1,
    egg(0.14, 0.5, 0, 0.19, 0.16, 0.12), limb { { 0.1, 0.52, 0 }, { -0.26, 0.54, 0, 0.095 } },
    egg(-0.28, 0.53, 0, 0.12, 0.12, 0.1), limb { { 0.24, 0.58, 0 }, { 0.36, 0.78, 0, 0.08 } },
  }
  local head = distance.union { blend = 0.05,
    egg(0.4, 0.83, 0, 0.11, 0.095, 0.09), limb { { 0.46, 0.8, 0 }, { 0.6, 0.775, 0, 0.05 } },
    ball(0.65, 0.795, 0, 0.026),
  }
  local legs = both({ blend = 0.04 }, function(side)
    return limb { { 0.2, 0.46, 0.08 * side }, { 0.18, 0.27, 0.085 * side, 0.05 }, { 0.2, 0.04, 0.085 * side, 0.036 } },
      egg(0.225, 0.025, 0.085 * side, 0.06, 0.04, 0.045),
      limb { { -0.28, 0.49, 0.075 * side }, { -0.22, 0.32, 0.085 * side, 0.075 } },
      limb { { -0.22, 0.32, 0.085 * side }, { -0.36, 0.2, 0.085 * side, 0.042 }, { -0.32, 0.04, 0.085 * side, 0.034 } },
      egg(-0.295, 0.025, 0.085 * side, 0.06, 0.04, 0.045)
  end)
  local ears = both({}, function(side)
    return egg(0, 0, 0, 0.05, 0.095, 0.024):rotate({ 1, 0, 0 }, 0.25 * side):translate(0.345, 0.81, 0.1 * side)
  end)
  return standing(distance.union { blend = 0.03,
    distance.union { blend = 0.06, trunk, head, distance.union(legs) },
    limb { { -0.37, 0.58, 0 }, { -0.48, 0.68, 0, 0.032 }, { -0.52, 0.83, 0, 0.028 } },
    ears[1], ears[2],
  })
end

return creatures
