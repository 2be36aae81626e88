-- Recorded motions become keyframes; the dancer of capsules holds together.
local helper = dofile "tests/script/helper.lua"
local tide, has = helper.tide, helper.has
local motion, dancer = require "springtide.motion", require "springtide.dancer"

local half = math.sqrt(0.5)
local text = ([[
NumFrames: 2
body[0] position
1 2 3
1 2 4

body[0] orientation
1 0 0 0
%.17g 0 0 %.17g
]]):format(half, half)

-- A vector turned by an axis with an angle (Rodrigues).
local function turned(rotation, v)
  local x, y, z, angle = table.unpack(rotation)
  local n = math.sqrt(x * x + y * y + z * z)
  x, y, z = x / n, y / n, z / n
  local c, s, along = math.cos(angle), math.sin(angle), x * v[1] + y * v[2] + z * v[3]
  return {
    c * v[1] + s * (y * v[3] - z * v[2]) + (1 - c) * along * x,
    c * v[2] + s * (z * v[1] - x * v[3]) + (1 - c) * along * y,
    c * v[3] + s * (x * v[2] - y * v[1]) + (1 - c) * along * z,
  }
end

local function near(expected, actual)
  for k = 1, 3 do
    assert.is_near(expected[k], actual[k], 1e-9)
  end
end

describe("a recorded motion", function()
  it("has z up, which becomes y", function()
    local keys = assert(motion.parse(text, "m", { delay = 1 }))[1]
    assert.are.equal(2, #keys)
    assert.is_near(1 + 1 / 30, keys[2].time, 1e-12)
    near({ 1, 3, -2 }, keys[1].position)
    near({ 0, 1, 0 }, turned(keys[1].rotation, { 0, 0, 1 }))
    near({ 0, 0, -1 }, turned(keys[2].rotation, { 1, 0, 0 })) -- x to y by the frame, y to -z
  end)
  it("is turned, then moved", function()
    local keys = assert(motion.parse(text, "m", { turn = { 0, 0, 2, -math.pi / 2 }, offset = { 0, 0, -1 }, rate = 10,
      z_up = false }))[1]
    near({ 2, -1, 2 }, keys[1].position)
    near({ 0, -1, 0 }, turned(keys[1].rotation, { 1, 0, 0 }))
    near({ 1, 0, 0 }, turned(keys[2].rotation, { 1, 0, 0 }))
    assert.is_near(0.1, keys[2].time, 1e-12)
  end)
  it("is what colliders follow", function()
    local scene = tide.scene { timestep = 1 / 30, gravity = { 0, 0, 0 } }
    scene:body("grain", { mesh = tide.mesh.new { vertices = { { 9, 9, 9 } } } })
    local box = scene:collider("box", { shape = "box", size = { 1, 2, 4 }, keyframes = motion.parse(text, "m")[1] })
    assert.is_near(0, (box:distance(1, 5, -2)), 1e-9) -- 4 m along z stand up
    assert(scene:step())
    near({ 1, 4, -2 }, box.position)
  end)
  it("that is broken is refused by name", function()
    local function fails(broken, expected)
      local keys, why = motion.parse(broken, "dance.mot")
      assert.is_nil(keys)
      has(why, expected)
    end
    fails("", "dance.mot: expected NumFrames:")
    fails("NumFrames: 2", "no body[0] position was found")
    fails(text:gsub("1 2 4\n", ""), "body[0] position: expected 2 lines, found 1")
    fails(text:gsub("1 2 4", "1 2 x"), "body[0] position, frame 2: expected 3 numbers")
    fails(text:gsub("body%[0%] orientation.*", ""), "body[0] orientation: expected 2 lines, found 0")
  end)
end)

describe("the dancer", function()
  local parts = {}
  for _, part in ipairs(dancer.parts { delay = 1 }) do
    parts[part[1]] = part[2]
  end
  local function ends(part, t)
    local x, y, z, rotation = part.move(t)
    local out = {}
    for i, p in ipairs { part.from, part.to } do
      local v = {}
      for k = 1, 3 do
        v[k] = p[k] - (part.from[k] + part.to[k]) / 2
      end
      v = turned(rotation, v)
      out[i] = { x + v[1], y + v[2], z + v[3] }
    end
    return out[1], out[2]
  end
  local function distance(a, b)
    return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2)
  end
  it("stands still, then moves, and holds together", function()
    local moved = 0
    for t = 0, 20, 0.05 do
      for _, side in ipairs { "left ", "right " } do
        local _, elbow = ends(parts[side .. "upper arm"], t)
        assert.is_near(0.02, distance(elbow, (ends(parts[side .. "forearm"], t))), 1e-9)
        local _, knee = ends(parts[side .. "thigh"], t)
        assert.is_near(0.04, distance(knee, (ends(parts[side .. "shin"], t))), 1e-9)
      end
      local _, hand = ends(parts["left hand"], t)
      local _, at_first = ends(parts["left hand"], 0)
      local far = distance(hand, at_first)
      assert.is_true(t > 1 or far < 1e-12)
      moved = math.max(moved, far)
    end
    assert.is_true(moved > 0.3)
  end)
  it("fits its dress, which nothing of it touches at first", function()
    local dress, least = dancer.dress(), math.huge
    assert.equal(3522, dress.vertex_count)
    assert.equal(6880, dress.triangle_count)
    for name, part in pairs(parts) do
      local a, b = ends(part, 0)
      local along, length = {}, distance(a, b)
      for k = 1, 3 do along[k] = (b[k] - a[k]) / length end
      for i = 1, dress.vertex_count do
        local p = { dress:vertex(i) }
        local s = 0
        for k = 1, 3 do s = s + (p[k] - a[k]) * along[k] end
        s = math.max(0, math.min(length, s))
        local gap = distance(p, { a[1] + s * along[1], a[2] + s * along[2], a[3] + s * along[3] }) - part.radius
        assert(gap > 0.005, ("vertex %d is %.4f m from the %s"):format(i, gap, name))
        least = math.min(least, gap)
      end
    end
    assert.is_true(least < 0.02)       -- and it is on it
    -- an edge has one triangle at the hem, the neckline and the straps' sides, and two that go opposite ways elsewhere
    local ways, rims = {}, 0
    for t = 1, dress.triangle_count do
      local v = { dress:triangle(t) }
      for k = 1, 3 do
        local way = v[k] .. " " .. v[k % 3 + 1]
        assert.is_nil(ways[way])
        ways[way] = v[k % 3 + 1] .. " " .. v[k]
      end
    end
    for _, back in pairs(ways) do rims = rims + (ways[back] and 0 or 1) end
    assert.equal(64 + 64 - 4 * 4 + 4 * 14, rims)
  end)
end)
