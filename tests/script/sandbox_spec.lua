-- What a scene script can and cannot reach.
local helper = dofile "tests/script/helper.lua"
local tide, has = helper.tide, helper.has

-- Runs Lua text as a scene script; what it leaves in `result` comes back.
local function run(text, name)
  local path = helper.write(name or "sandbox/scene.lua",
    "local tide = require 'springtide'\nlocal scene = tide.scene {}\nlocal result\n" .. text ..
    "\nscene.state.result = result\nreturn scene\n")
  local scene, why = tide.load(path)
  if not scene then
    return nil, why
  end
  return scene.state.result
end

describe("a script", function()
  it("has no os, io, debug, package, dofile or loadfile", function()
    assert.are.equal("", run [[
      result = ""
      for _, name in ipairs { "os", "io", "debug", "package", "dofile", "loadfile", "warn" } do
        if _G[name] ~= nil then result = result .. name .. " " end
      end]])
  end)
  it("has the harmless libraries", function()
    assert.are.equal("3 b 2 2.0 9 true", run [[
      local list = table.pack(3, 2, 1)
      table.sort(list)
      local co = coroutine.wrap(function() coroutine.yield("b") end)
      result = ("%d %s %d %s %d %s"):format(#list, co(), utf8.len("äö"), math.sqrt(4), ("x9"):match("%d"),
        tostring(select("#", table.unpack { 1, 2 }) == 2))]])
  end)
  it("cannot change what others see", function()
    assert.is_nil(run [[
      string.len, table.insert, math.pi, tide.mesh.grid, tide.load, x = nil, nil, 3, nil, nil, 1]])
    assert.is_function(string.len)
    assert.is_function(tide.load)
    assert.is_nil(rawget(_G, "x"))
    assert.is_true(run [[result = math.pi > 3.1 and tide.mesh.grid ~= nil and x == nil and _G.x == nil]])
    assert.are.equal("string", run [[result = getmetatable("")]])
    assert.are.equal("tide.Scene", run [[result = getmetatable(scene)]])
  end)
  it("loads text only, in its own environment", function()
    assert.are.equal(3, run [[y = 3; result = load("return y")()]])
    assert.are.equal(4, run [[result = load("return y", "name", "t", { y = 4 })()]])
    assert.is_true(run [[result = load("return os")() == nil]])
    assert.are.equal(7, run [[local parts = { "return ", "7" }; local i = 0
      result = load(function() i = i + 1; return parts[i] end)()]])
    has(run [[local _, why = load("\27Lua"); result = why]], "attempt to load a binary chunk")
    has(run [[local _, why = load("x ="); result = why]], "unexpected symbol")
    assert.is_nil(run [[result = string.dump]])
  end)
  it("has no finalizers, and protected metatables stay", function()
    local _, why = run [[setmetatable({}, { __gc = function() end })]]
    has(why, "scene.lua:4: scene scripts cannot have finalizers (__gc)")
    _, why = run [[setmetatable(setmetatable({}, { __metatable = 1 }), {})]]
    has(why, "cannot change a protected metatable")
    assert.are.equal(5, run [[result = setmetatable({}, { __index = function() return 5 end }).x]])
    _, why = run [[collectgarbage("stop")]]
    has(why, "invalid option 'stop'")
    assert.is_true(run [[result = collectgarbage("count") > 0 and collectgarbage() == 0]])
  end)
  it("is not held up by C functions that loop for ever", function()
    assert.are.equal("", run [[result = string.rep("", 1e15)]])
    local _, why = run [[table.move({}, 1, 1e15, 2)]]
    has(why, "too many elements to move")
    _, why = run [[table.insert(setmetatable({}, { __len = function() return 1 << 60 end }), 1, 2)]]
    has(why, "the table is too long")
    assert.are.same({ 1, 2, 3 }, run [[result = table.move({ 1, 2, 3 }, 1, 3, 1, {})]])
    assert.are.same({ 1, 2, 3 }, run [[result = { 2 }; table.insert(result, 3); table.insert(result, 1, 1)]])
    assert.are.equal("a,a", run [[result = ("a"):rep(2, ",")]])
  end)
  it("draws the same random numbers every time", function()
    local text = [[result = { math.random(), math.random(10), math.random(5, 7), tide.random(), math.random(0) }]]
    local first, second = run(text), run(text)
    assert.are.same(first, second)
    assert.is_true(first[1] >= 0 and first[1] < 1 and first[2] >= 1 and first[2] <= 10)
    assert.is_true(first[3] >= 5 and first[3] <= 7)
    assert.is_true(run [[math.randomseed(3); local a = math.random(); math.randomseed(3); result = a == math.random()]])
    local _, why = run [[math.random(2, 1)]]
    has(why, "interval is empty")
    local counts = run [[
      result = { 0, 0, 0, 0, 0, 0 }
      for _ = 1, 6000 do
        local k = math.random(6)
        result[k] = result[k] + 1
      end]]
    for k = 1, 6 do
      assert.is_true(counts[k] > 850 and counts[k] < 1150)
    end
  end)
  it("goes through tables in a fixed order", function()
    assert.are.equal("1 2 2.5 10 a b c true ", run [[
      local t = { c = 1, a = 1, [10] = 1, b = 1, [true] = 1, [2.5] = 1, "x", "y" }
      result = ""
      for k in pairs(t) do result = result .. tostring(k) .. " " end]])
    assert.are.equal("abd", run [[
      local t = { a = 1, b = 1, c = 1, d = 1 }
      result = ""
      for k in pairs(t) do
        result = result .. k
        t.c = nil
      end]])
    assert.are.equal("xy", run [[
      local t = setmetatable({}, { __pairs = function() return next, { x = "y" }, nil end })
      for k, v in pairs(t) do result = k .. v end]])
    local _, why = run [[for _ in pairs(nil) do end]]
    has(why, "table expected, got nil")
  end)
end)

describe("require", function()
  it("looks in the scene's folder, once for each run", function()
    helper.write("sandbox/parts/flags.lua", "runs = (runs or 0) + 1\nreturn { name = ..., runs = runs }")
    helper.write("sandbox/wide/init.lua", "return 'wide'")
    assert.are.same({ name = "parts.flags", runs = 1 }, run [[require "parts.flags"; result = require "parts.flags"]])
    assert.are.same({ name = "parts.flags", runs = 1 }, run [[result = require "parts.flags"]])
    assert.are.equal("wide", run [[result = require "wide"]])
    assert.is_true(run [[result = require "springtide" == tide]])
    assert.is_table(run [[result = { require "springtide.library" ~= nil }]]) -- in scripts/
  end)
  it("names what it cannot do", function()
    local _, why = run [[require "missing"]]
    has(why, "scene.lua:4: require: missing: not found; tried " .. helper.folder .. "sandbox/missing.lua")
    for _, name in ipairs { "../params", "/etc/passwd", "a..b", "", ".x" } do
      _, why = run(("require %q"):format(name))
      has(why, "expected a module's name")
    end
    helper.write("sandbox/loop.lua", "require 'loop'")
    _, why = run [[require "loop"]]
    has(why, "the module requires itself")
    helper.write("sandbox/broken.lua", "local x = = 1")
    _, why = run [[require "broken"]]
    has(why, "broken.lua:1:")
    helper.write("sandbox/throws.lua", "\nerror 'inside'")
    _, why = run [[require "throws"]]
    has(why, "throws.lua:2: inside")
  end)
  it("finds meshes and scenes beside the script", function()
    helper.write("sandbox/one.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n")
    assert.are.equal(2, run [[result = tide.mesh.load("one.obj").vertex_count]])
    helper.write("sandbox/inner.lua", "return require 'springtide'.scene { title = 'inner' }")
    assert.are.equal("inner", run [[result = tide.load("inner.lua").title]])
  end)
end)
