-- A dancing figure of capsules, on which a dress can be simulated without recorded data.
--
--   for _, part in ipairs(dancer.parts { delay = 1 }) do scene:collider(part[1], part[2]) end
--   scene:body("dress", { mesh = dancer.dress(), ... })
--
-- It stands on y = 0, is 1.7 m tall and looks along +z. It stands still for `delay` seconds; then the dance starts.

local tide = require "springtide"

local dancer = {}

-- Poses contain rotations as an axis and an angle. In this file rotations are 3 x 3 matrices, as lists of rows.
local function times(a, b)
  local r = {}
  for i = 1, 3 do
    r[i] = {}
    for j = 1, 3 do r[i][j] = a[i][1] * b[1][j] + a[i][2] * b[2][j] + a[i][3] * b[3][j] end
  end
  return r
end

local function apply(a, x, y, z)
  return a[1][1] * x + a[1][2] * y + a[1][3] * z, a[2][1] * x + a[2][2] * y + a[2][3] * z,
    a[3][1] * x + a[3][2] * y + a[3][3] * z
end

local function about_x(t)
  local c, s = math.cos(t), math.sin(t)
  return { { 1, 0, 0 }, { 0, c, -s }, { 0, s, c } }
end

local function about_y(t)
  local c, s = math.cos(t), math.sin(t)
  return { { c, 0, s }, { 0, 1, 0 }, { -s, 0, c } }
end

local function about_z(t)
  local c, s = math.cos(t), math.sin(t)
  return { { c, -s, 0 }, { s, c, 0 }, { 0, 0, 1 } }
end

-- Converts a rotation matrix to an axis and an angle. Near pi m - m' vanishes; the axis then comes from m + m'.
local function axis_angle(m)
  local w = math.sqrt(math.max(0, 1 + m[1][1] + m[2][2] + m[3][3])) / 2
  if w > 1e-3 then
    local x, y, z = m[3][2] - m[2][3], m[1][3] - m[3][1], m[2][1] - m[1][2]
    local s = math.sqrt(x * x + y * y + z * z) / (4 * w)
    if s < 1e-9 then return { 0, 1, 0, 0 } end
    return { x, y, z, 2 * math.atan(s, w) }
  end
  local x = math.sqrt(math.max(0, (1 + m[1][1]) / 2))
  local y = math.sqrt(math.max(0, (1 + m[2][2]) / 2)) * (m[1][2] + m[2][1] < 0 and -1 or 1)
  local z = math.sqrt(math.max(0, (1 + m[3][3]) / 2)) * (m[1][3] + m[3][1] < 0 and -1 or 1)
  if x < 1e-3 and m[2][3] + m[3][2] < 0 then z = -math.abs(z) * (y < 0 and -1 or 1) end
  return { x, y, z, math.pi }
end

-- Parts: name, parent, joint in the parent's frame, the two ends of the capsule in the part's own frame, radius; in m.
local parts = {
  { "hips", nil, { 0, 0.95, 0 }, { -0.06, 0, 0 }, { 0.06, 0, 0 }, 0.115 },
  { "waist", "hips", { 0, 0.1, 0 }, { -0.03, 0.05, 0 }, { 0.03, 0.05, 0 }, 0.092 },
  { "chest", "waist", { 0, 0.1, 0 }, { -0.065, 0.1, 0 }, { 0.065, 0.1, 0 }, 0.11 },
  { "neck", "chest", { 0, 0.22, 0 }, { 0, 0, 0 }, { 0, 0.1, 0 }, 0.045 },
  { "head", "neck", { 0, 0.13, 0 }, { 0, 0.05, 0.01 }, { 0, 0.12, 0.01 }, 0.085 },
}
for side = -1, 1, 2 do
  local name = side < 0 and "right " or "left "
  for _, part in ipairs {
    { "upper arm", "chest", { 0.185 * side, 0.17, 0 }, { 0, 0, 0 }, { 0, -0.25, 0 }, 0.043 },
    { "forearm", "upper arm", { 0, -0.27, 0 }, { 0, 0, 0 }, { 0, -0.22, 0 }, 0.036 },
    { "hand", "forearm", { 0, -0.27, 0 }, { 0, 0, 0 }, { 0, -0.08, 0 }, 0.035 },
    { "thigh", "hips", { 0.085 * side, -0.06, 0 }, { 0, 0, 0 }, { 0, -0.36, 0 }, 0.075 },
    { "shin", "thigh", { 0, -0.4, 0 }, { 0, 0, 0 }, { 0, -0.36, 0 }, 0.052 },
    { "foot", "shin", { 0, -0.41, 0 }, { 0, -0.03, -0.02 }, { 0, -0.03, 0.14 }, 0.042 },
  } do
    local own = part[1]
    part[1] = name .. own
    if part[2] ~= "chest" and part[2] ~= "hips" then part[2] = name .. part[2] end
    part.joint, part.side = own, side
    parts[#parts + 1] = part
  end
end

-- Returns a joint's rotation. `beat` is the phase (rad), `swing` the amplitude, `arms` the arms' lift; both 0 to 1.
local function turn_of(part, beat, swing, arms)
  local side, joint = part.side, part.joint or part[1]
  local step = math.sin(beat) * swing
  if joint == "hips" then return times(about_y(1.1 * math.sin(beat / 2) * swing), about_z(0.09 * step)) end
  if joint == "waist" then return times(about_y(-0.25 * math.sin(beat / 2) * swing), about_z(-0.12 * step)) end
  if joint == "chest" then return about_z(-0.05 * step) end
  if joint == "head" then return about_y(0.3 * math.sin(beat / 2) * swing) end
  if joint == "neck" then return about_x(0) end
  if joint == "upper arm" then
    return times(about_z(side * (0.5 + arms * (0.9 + 0.35 * math.sin(beat + side)))), about_x(-0.3 * step * side))
  end
  if joint == "forearm" then return about_z(side * arms * (0.5 + 0.4 * math.sin(beat + 1 - side))) end
  local lift = math.max(0, side * step)
  if joint == "thigh" then return times(about_x(-0.5 * lift), about_z(side * 0.06 - 0.09 * step)) end
  if joint == "shin" then return about_x(0.8 * lift) end
  return about_x(-0.3 * lift)
end

local function poses(t, delay)
  local since = math.max(0, t - delay)
  local swing = since < 2 and since * since * (3 - since) / 4 or 1
  local beat = 2 * math.pi * since / 1.6
  local at, turns = {}, {}
  for _, part in ipairs(parts) do
    local own, joint = turn_of(part, beat, swing, swing), part[3]
    if part[2] then
      local base, x, y, z = at[part[2]], apply(turns[part[2]], joint[1], joint[2], joint[3])
      at[part[1]] = { base[1] + x, base[2] + y, base[3] + z }
      turns[part[1]] = times(turns[part[2]], own)
    else
      at[part[1]] = { joint[1] + 0.07 * math.sin(beat) * swing, joint[2] - 0.015 * (1 - math.cos(2 * beat)) * swing,
        joint[3] + 0.1 * math.sin(beat / 2) * swing }
      turns[part[1]] = own
    end
  end
  return at, turns
end

---@class springtide.DancerOptions
---@field delay? number # s that the figure stands still first; default 0
---@field friction? number # of every part; default 0.3
---@field thickness? number # of every part, in m; default 0
---@field skin? number[] # red, green, blue of the figure

---Colliders of the figure: a list of { name, definition }.
---@param options? springtide.DancerOptions
---@return table[]
function dancer.parts(options)
  options = options or {}
  local delay, list = options.delay or 0, {}
  local time, at, turns
  for i, part in ipairs(parts) do
    local from, to = part[4], part[5]
    local middle = { (from[1] + to[1]) / 2, (from[2] + to[2]) / 2, (from[3] + to[3]) / 2 }
    list[i] = { part[1], {
      shape = "capsule", from = from, to = to, radius = part[6], friction = options.friction or 0.3,
      thickness = options.thickness or 0,
      colour = options.skin or { 0.8, 0.62, 0.5 },
      move = function(t)
        if t ~= time then time, at, turns = t, poses(t, delay) end
        local turn, base = turns[part[1]], at[part[1]]
        local x, y, z = apply(turn, middle[1], middle[2], middle[3])
        return base[1] + x, base[2] + y, base[3] + z, axis_angle(turn)
      end,
    } }
  end
  return list
end

-- The dress's outline from below, linear in between: { height, c, r } in m, at distance r from a segment of length 2 c.
local outline = {
  { 0.42, 0.06, 0.36 }, { 0.83, 0.06, 0.165 }, { 0.95, 0.06, 0.13 }, { 1.04, 0.045, 0.112 }, { 1.1, 0.032, 0.105 },
  { 1.16, 0.052, 0.104 }, { 1.21, 0.066, 0.117 }, { 1.25, 0.067, 0.122 }, { 1.3, 0.066, 0.119 },
}

local function around(y, angle)
  local k = 2
  while k < #outline and y > outline[k][1] do k = k + 1 end
  local low, high = outline[k - 1], outline[k]
  local share = (y - low[1]) / (high[1] - low[1])
  local c, r = low[2] + share * (high[2] - low[2]), low[3] + share * (high[3] - low[3])
  local cosine = math.cos(angle)
  local e = math.exp(6 * cosine)                 -- (e - 1) / (e + 1) = tanh(3 cosine), near -1 and 1 on the ends
  return c * (e - 1) / (e + 1) + r * cosine, r * math.sin(angle)
end

---A dress that the figure wears as it stands at first: a skirt and a bodice in one piece, round it, and a strap over
---either shoulder. 3,522 vertices and 6,880 triangles.
---@return tide.Mesh
function dancer.dress()
  local columns, rows, steps = 64, 53, 14        -- around, upwards, and along a strap
  local vertices, triangles = {}, {}
  local function index(column, row) return row * columns + column % columns + 1 end
  local function patch(a, b, c, d, even)         -- corners in order around a cell, seen from outside
    triangles[#triangles + 1] = { a, b, even and c or d }
    triangles[#triangles + 1] = { even and a or b, c, d }
  end
  for row = 0, rows - 1 do
    for column = 0, columns - 1 do
      local angle = 2 * math.pi * column / columns
      local top = 1.18 + 0.09 * math.sin(angle) ^ 2          -- lower below the arms
      local y = 0.42 + (top - 0.42) * row / (rows - 1)
      local x, z = around(y, angle)
      vertices[#vertices + 1] = { x, y, z }
    end
  end
  for row = 0, rows - 2 do
    for column = 0, columns - 1 do
      patch(index(column, row), index(column, row + 1), index(column + 1, row + 1), index(column + 1, row),
        (column + row) % 2 == 0)
    end
  end
  for _, first in ipairs { 10, 18 } do           -- each strap joins five columns in front to their mirror images behind
    local strip = {}
    for k = 0, 4 do
      local from, to = index(first + k, rows - 1), index(columns - first - k, rows - 1)
      local x, y, z = table.unpack(vertices[from])
      local start, out = math.atan(y - 1.25, z), math.sqrt((y - 1.25) ^ 2 + z ^ 2)
      strip[k] = { [0] = from, [steps] = to }
      for i = 1, steps - 1 do                    -- an arc about the chest's axis
        local share = i / steps
        local angle, bulge = start + (math.pi - 2 * start) * share, math.sin(math.pi * share)
        local r = out + (0.122 - out) * bulge
        vertices[#vertices + 1] = { x * (1 - 0.12 * bulge), 1.25 + r * math.sin(angle), r * math.cos(angle) }
        strip[k][i] = #vertices
      end
    end
    for k = 0, 3 do
      for i = 0, steps - 1 do
        patch(strip[k][i], strip[k][i + 1], strip[k + 1][i + 1], strip[k + 1][i], (k + i) % 2 == 0)
      end
    end
  end
  return tide.mesh.new { vertices = vertices, triangles = triangles }
end

return dancer
