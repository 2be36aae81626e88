local helper = dofile "tests/script/helper.lua"
local has, message = helper.has, helper.message

-- 25 vertices, at rest
local function buffers()
  local scene, cloth = helper.cloth()
  return cloth:positions(), cloth:velocities(), cloth, scene
end

describe("a buffer", function()
  it("gives and takes the numbers of a vertex", function()
    local p, v, cloth = buffers()
    assert.are.same({ cloth:position(7) }, { p:get(7) })
    v:set(7, 1, 2, -3)
    assert.are.same({ 1, 2, -3 }, { cloth:velocity(7) })
    assert.are.same({ 1, 2, -3 }, { v[19], v[20], v[21] })
    assert.are.same({ 0, 0, 0 }, { v:get(8) })
  end)
  it("becomes a table and a vector", function()
    local p = buffers()
    local t = p:table()
    assert.are.equal(75, #t)
    for i = 1, #p do
      assert.are.equal(p[i], t[i])
    end
    local longer = {}
    for i = 1, 80 do
      longer[i] = i
    end
    assert.are.equal(longer, p:table(longer))
    assert.are.same(t, longer)
    assert.are.same(t, p:copy():table())
    p[1] = p[1] + 1 -- the copies stay
    assert.are.equal(p[1] - 1, t[1])
  end)
  it("takes tables, vectors and other buffers", function()
    local p, v = buffers()
    local t, c = p:table(), p:copy()
    for i = 1, #t do
      t[i] = 2 * t[i]
    end
    assert.are.equal(v, v:assign(t))
    assert.are.same(t, v:table())
    v:assign(c)
    assert.are.same(c:table(), v:table())
    v:fill(0, -1, 0.5)
    assert.are.same({ 0, -1, 0.5 }, { v:get(1) })
    assert.are.same({ 0, -1, 0.5 }, { v:get(25) })
    v:assign(p)
    assert.are.same(p:table(), v:table())
    v:assign(v)
    assert.are.same(p:table(), v:table())
  end)
  it("adds", function()
    local p, v = buffers()
    local before = p:table()
    v:fill(0.5, 0, -2)
    p:add(v, 0.1):add(before, -1)
    for i = 1, #before, 3 do
      assert.is_true(math.abs(p[i] - 0.05) < 1e-12 and math.abs(p[i + 1]) < 1e-12 and math.abs(p[i + 2] + 0.2) < 1e-12)
    end
    p:add(p)
    assert.is_true(math.abs(p[1] - 0.1) < 1e-12)
  end)
  it("is visited vertex by vertex", function()
    local p = buffers()
    local before, seen = p:table(), 0
    assert.are.equal(p, p:each(function(i, x, y, z)
      seen = seen + 1
      assert.are.equal(seen, i)
      assert.are.same({ before[3 * i - 2], before[3 * i - 1], before[3 * i] }, { x, y, z })
      if i % 2 == 0 then
        return x + 1, y + i, p[1] -- the others are still as they were
      end
    end))
    assert.are.equal(25, seen)
    for i = 1, 25 do
      local even = i % 2 == 0
      assert.are.equal(before[3 * i - 2] + (even and 1 or 0), p[3 * i - 2])
      assert.are.equal(before[3 * i - 1] + (even and i or 0), p[3 * i - 1])
      assert.are.equal(even and before[1] or before[3 * i], p[3 * i])
    end
  end)
  it("does the same whole as number by number", function()
    local scenes = {}
    for k = 1, 2 do
      local _, v, _, scene = buffers()
      for _ = 1, 5 do
        scene:step(1)
        if k == 1 then
          for i = 1, #v do
            v[i] = v[i] * 0.5
          end
        else
          v:each(function(_, x, y, z) return x * 0.5, y * 0.5, z * 0.5 end)
        end
      end
      scenes[k] = scene:hash()
    end
    assert.are.equal(scenes[1], scenes[2])
  end)
  it("becomes raw bytes and takes them back", function()
    local p, v, cloth = buffers()
    p:set(25, 0.1, -1 / 3, 1e-300)
    local bytes = p:bytes()
    assert.are.equal(8 * 75, #bytes)
    for i = 1, 75 do
      assert.are.equal(p[i], (string.unpack("<d", bytes, 8 * i - 7)))
    end
    assert.are.equal(v, v:set(bytes))
    assert.are.same(p:table(), v:table())
    local numbers = {}
    for i = 1, 75 do numbers[i] = string.pack("<d", i / 7) end
    v:set(table.concat(numbers))
    assert.are.same({ 19 / 7, 20 / 7, 21 / 7 }, { cloth:velocity(7) })
    local before = v:table()
    has(message(function() v:set(bytes:sub(2)) end), 'body "cloth": velocities = 599 bytes: expected 600 bytes')
    has(message(function() v:set(bytes .. "\0") end), "velocities = 601 bytes: expected 600 bytes, 8 a number")
    has(message(function() v:set("") end), "velocities = 0 bytes: expected 600 bytes")
    numbers[9] = string.pack("<d", -1 / 0)
    has(message(function() v:set(table.concat(numbers)) end), "velocities: number 9 of the bytes is not finite")
    assert.are.same(before, v:table())
  end)
  it("changes nothing when something is wrong", function()
    local p, v, cloth = buffers()
    local before = p:table()
    has(message(function() p:get(26) end), 'body "cloth": positions = 26: expected a vertex from 1 to 25')
    has(message(function() p:set(0, 1, 1, 1) end), 'body "cloth": positions = 0: expected a vertex from 1 to 25')
    has(message(function() p:set(1, 1, 0 / 0, 1) end), 'body "cloth": positions = nan: expected a finite number')
    has(message(function() p:set(1, 1) end), 'body "cloth": positions')
    has(message(function() v:fill(1, 2, "x") end), 'body "cloth": velocities = "x": expected a finite number')
    has(message(function() p:assign { 1, 2, 3 } end), 'body "cloth": positions = 3 numbers: expected 75 numbers')
    local bad = p:table()
    bad[40] = 1 / 0
    has(message(function() p:assign(bad) end), "positions[40] = inf: expected a finite number")
    bad[40] = "no"
    has(message(function() p:add(bad) end), 'positions[40] = "no": expected a finite number')
    has(message(function() p:assign(5) end), "positions = 5: expected a vector or a list of numbers")
    local vector = p:copy()
    vector[2] = 1e308
    has(message(function() p:add(vector, 1e10) end), "positions: number 2 of the sum is not finite")
    has(message(function() p:each(3) end),
      "positions = 3: expected a function(i, x, y, z), to be called for 25 vertices")
    has(message(function() p:each(function(i) return i < 20 and i or nil, 0 / 0, 0 end) end), "positions = nan")
    has(message(function() p:each(function(i) if i == 9 then error "enough" end return 0, 0, 0 end) end), "enough")
    has(message(function() p:table(true) end), "positions = true: expected a table to fill with 75 numbers")
    has(message(function() p.get(cloth, 1) end), "call it with a colon")
    assert.are.same(before, p:table())
  end)
end)
