-- Reads recorded motions of rigid parts as keyframes of colliders.
--
--   local motion = require "springtide.motion"
--   local parts = assert(motion.load("dress/dance.mot", { turn = { 0, 0, 1, -math.pi / 2 }, offset = { 0, 0, -1 } }))
--   scene:collider("arm", { shape = "mesh", mesh = arm, keyframes = parts[1] })
--
-- The file has `NumFrames: N`, then for each part `body[i] position` with N lines of x y z, and `body[i] orientation`
-- with N lines of a quaternion w x y z. `turn` and then `offset` apply first; `z_up` then maps z to y.

local tide = require "springtide"

local motion = {}

-- Multiplies quaternions (w, x, y, z). The product a b applies the rotation b first.
local function product(a, b)
  return { a[1] * b[1] - a[2] * b[2] - a[3] * b[3] - a[4] * b[4], a[1] * b[2] + a[2] * b[1] + a[3] * b[4] - a[4] * b[3],
    a[1] * b[3] - a[2] * b[4] + a[3] * b[1] + a[4] * b[2], a[1] * b[4] + a[2] * b[3] - a[3] * b[2] + a[4] * b[1] }
end

local function turned(q, p)
  local r = product(product(q, { 0, p[1], p[2], p[3] }), { q[1], -q[2], -q[3], -q[4] })
  return { r[2], r[3], r[4] }
end

local function quaternion(axis, angle)
  local length = math.sqrt(axis[1] ^ 2 + axis[2] ^ 2 + axis[3] ^ 2)
  local s = length > 0 and math.sin(angle / 2) / length or 0
  return { math.cos(angle / 2), s * axis[1], s * axis[2], s * axis[3] }
end

-- Converts a unit quaternion to a unit axis and an angle from 0 to pi.
local function axis_angle(q)
  local sign = q[1] < 0 and -1 or 1
  local s = math.sqrt(q[2] ^ 2 + q[3] ^ 2 + q[4] ^ 2)
  if s < 1e-12 then return { 0, 1, 0, 0 } end
  return { sign * q[2] / s, sign * q[3] / s, sign * q[4] / s, 2 * math.atan(s, sign * q[1]) }
end

local function parse(text, path)
  local count = tonumber(text:match "NumFrames:%s*(%d+)")
  if not count or count < 1 then return nil, path .. ": expected NumFrames: and a number of at least 1" end
  local parts, values = {}, nil
  for line in text:gmatch "[^\r\n]+" do
    local index, what = line:match "^body%[(%d+)%] (%a+)"
    if index then
      index = tonumber(index) + 1
      parts[index] = parts[index] or {}
      values = {}
      parts[index][what] = values
    elseif values then
      local row = {}
      for word in line:gmatch "%S+" do row[#row + 1] = tonumber(word) end
      values[#values + 1] = row
    end
  end
  for index, part in ipairs(parts) do
    for _, kind in ipairs { { "position", 3 }, { "orientation", 4 } } do
      local what, size = kind[1], kind[2]
      local rows = part[what]
      if not rows or #rows ~= count then
        return nil, ("%s: body[%d] %s: expected %d lines, found %d"):format(path, index - 1, what, count,
          rows and #rows or 0)
      end
      for frame, row in ipairs(rows) do
        if #row ~= size then
          return nil, ("%s: body[%d] %s, frame %d: expected %d numbers"):format(path, index - 1, what, frame, size)
        end
      end
    end
  end
  if #parts == 0 then return nil, path .. ": no body[0] position was found" end
  return parts, count
end

---@class springtide.MotionOptions
---@field rate? number # frames a second; default 30
---@field delay? number # s that the first pose is held before the motion begins; default 0
---@field turn? number[] # axis x, y, z and an angle, of everything; default none
---@field offset? number[] # added after the turn, in m; default none
---@field z_up? boolean # whether the file's z axis is up; default true

---Keyframes of every part: { { time, position, rotation }, ... }, rotations as an axis and an angle.
---@param text string # what the file says
---@param name string # what messages call it
---@param options? springtide.MotionOptions
---@return table[]? keyframes, string? message
function motion.parse(text, name, options)
  options = options or {}
  local rate, delay, turn = options.rate or 30, options.delay or 0, options.turn or { 0, 0, 1, 0 }
  local offset = options.offset or { 0, 0, 0 }
  local parts, why = parse(text, name)
  if not parts then return nil, why end
  local about = quaternion(turn, turn[4])
  local up = options.z_up == false and { 1, 0, 0, 0 } or quaternion({ 1, 0, 0 }, -math.pi / 2)
  local result = {}
  for i, part in ipairs(parts) do
    local keys = {}
    for frame, p in ipairs(part.position) do
      local q = turned(about, p)
      keys[frame] = {
        time = delay + (frame - 1) / rate,
        position = turned(up, { q[1] + offset[1], q[2] + offset[2], q[3] + offset[3] }),
        rotation = axis_angle(product(up, product(about, part.orientation[frame]))),
      }
    end
    result[i] = keys
  end
  return result
end

---The same of a file in the data folder, the one that SPRINGTIDE_DATA names.
---@param name string
---@param options? springtide.MotionOptions
---@return table[]? keyframes, string? message
function motion.load(name, options)
  local text, why = tide.read(name)
  if not text then return nil, why end
  return motion.parse(text, name, options)
end

return motion
