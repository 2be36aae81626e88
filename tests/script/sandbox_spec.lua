-- What a scene script can and cannot reach.
local helper = dofile "tests/script/helper.lua"
local tide, has = helper.tide, helper.has

-- Runs Lua text as a scene script and returns its `result`.
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
        if rawget(_G, name) ~= nil then result = result .. name .. " " end
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
    assert.is_true(run [[result = math.pi > 3.1 and tide.mesh.grid ~= nil and rawget(_G, "x") == nil]])
    assert.are.equal("string", run [[result = getmetatable("")]])
    assert.are.equal("tide.Scene", run [[result = getmetatable(scene)]])
  end)
  it("loads text only, in its own environment", function()
    assert.are.equal(3, run [[y = 3; result = load("return y")()]])
    assert.are.equal(4, run [[result = load("return y", "name", "t", { y = 4 })()]])
    assert.is_true(run [[result = load("return rawget(_G, 'os')")() == nil]])
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
    assert.is_true(run [[result = collectgarbage() == 0 and collectgarbage("step")]])
    _, why = run [[collectgarbage("count")]]
    has(why, "cannot read how much memory is in use")
    _, why = run [[setmetatable({}, { __mode = "k" })]]
    has(why, "scene.lua:4: scene scripts cannot have weak tables (__mode)")
  end)
  it("cannot make a table weak later", function()
    local later = "scene scripts cannot have weak tables (__mode)"
    local _, why = run [[local mt = {}; local t = setmetatable({}, mt)
      mt.__mode = "k"]]
    has(why, "scene.lua:5: " .. later)
    for _, text in ipairs {
      "local mt = {}; setmetatable({}, mt); rawset(mt, '__mode', 'v')",
      "local mt = setmetatable({}, { __index = {} }); setmetatable({}, mt); mt.__mode = 'k'",
      "local mt = {}; setmetatable({}, mt); setmetatable(mt, { __call = print }); mt.__mode = 'k'",
      "local mt = {}; setmetatable({}, mt); setmetatable(mt, nil); mt.__mode = 'k'",
      "local mt = {}; setmetatable(mt, mt); mt.__mode = 'k'",
      "local mt = setmetatable({}, { __newindex = rawset }); setmetatable({}, mt); mt.__mode = 'k'",
      "local mt, own = {}, {}; setmetatable({}, mt); load('__mode = [[k]]', 'name', 't', mt)()",
    } do
      local result
      result, why = run(text)
      assert.is_nil(result, text)
      has(why, later)
    end
  end)
  it("can have classes whose metamethods come later", function()
    assert.are.equal("nil 3 7 10 4 dog true 9", run [[
      local Base = {}
      local early = setmetatable({ n = 3 }, Base)
      Base.__index = Base
      function Base:count() return self.n end
      Base.__add = function(a, b) return a.n + b.n end
      local Derived = setmetatable({}, { __index = Base, __call = function(class, n)
        return setmetatable({ n = n }, class)
      end })
      Derived.__index = Derived
      Derived.__add = Base.__add
      local late = Derived(4)
      function Derived.name() return "dog" end
      local log = {}
      local Strict = setmetatable({}, { __newindex = function(t, k, v) rawset(t, k, v); log[#log + 1] = k end })
      setmetatable({}, Strict)
      Strict.nine = 9
      late.more = 10
      result = table.concat({ tostring(getmetatable(Base)), early:count(), early + late, late.more, late:count(),
        late.name(), tostring(getmetatable(late) == Derived and log[1] == "nine"), Strict.nine }, " ")]])
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
  it("refuses variables that nobody has assigned", function()
    local _, why = run [[local stiffness = 5; scene.timestep = stifness]]
    has(why, 'scene.lua:4: variable: stifness: unknown; did you mean "stiffness"?')
    _, why = run [[total = 1; local function f() return totl end; f()]]
    has(why, 'scene.lua:4: variable: totl: unknown; did you mean "total"?')
    _, why = run [[if debugging then result = 1 end]]
    has(why, 'unknown; assign it first; to see whether there is such a global, rawget(_G, "debugging")')
    assert.are.equal(3, run [[count = 1; function more() count = count + 1 end; more(); more(); result = count]])
    assert.is_true(run [[result = rawget(_G, "debugging") == nil]])
  end)
  it("goes through what has no order of its own in that of creation", function()
    local text = [[
      result = ""
      local mesh, keys = tide.mesh.grid { columns = 2, rows = 2 }, {}
      for i = 9, 1, -1 do
        keys[scene:body("b" .. i, { mesh = mesh, mass = 1, stiffness = 1 })] = i
      end
      for _, i in pairs(keys) do result = result .. i end
      for _, i in next, keys do result = result .. i end
      local strings = {}
      for i = 1, 20 do strings["k" .. i] = true end
      for k in next, strings do result = result .. " " .. k end]]
    assert.are.equal("987654321987654321 k1 k10 k11 k12 k13 k14 k15 k16 k17 k18 k19 k2 k20 k3 k4 k5 k6 k7 k8 k9",
      run(text))
  end)
  it("has no addresses in texts", function()
    has(run [[result = tostring({}) .. tostring(print) .. tostring(scene) .. ("%p %s"):format({}, {})]],
      "table: 0x000000")
    assert.are.equal("true true", run [[
      local t = {}
      result = tostring(tostring(t) == tostring(t)) .. " " .. tostring(tostring(t) ~= tostring({}))]])
  end)
  it("sorts lists and keeps the order of equals", function()
    assert.is_true(run [[
      local list = {}
      for i = 1, 500 do list[i] = { i * 7919 % 5, i } end
      table.sort(list, function(a, b) return a[1] < b[1] end)
      result = true
      for i = 2, 500 do
        local a, b = list[i - 1], list[i]
        result = result and (a[1] < b[1] or (a[1] == b[1] and a[2] < b[2]))
      end
      local words = { "b", "c", "a" }
      table.sort(words)
      result = result and table.concat(words) == "abc"]])
  end)
  it("removes keys while next goes through them", function()
    assert.are.equal("ace 1", run [[
      local t = { a = 1, b = 1, c = 1, d = 1, e = 1 }
      result = ""
      for k in next, t do
        result = result .. k
        t[k], t[string.char(k:byte() + 1)] = nil, nil
      end
      t[1] = 1
      result = result .. " " .. next(t)]])
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

describe("patterns", function()
  -- The results of Lua's own functions for the same arguments.
  local cases = {
    { "hello world", "o" }, { "hello world", "(o)(.)" }, { "key = value", "^(%w+)%s*=%s*(%w+)$" }, { "", "" },
    { "  trim ", "^%s*(.-)%s*$" }, { "f(a(b)c)d", "%b()" }, { "THE (quick) fox", "%f[%a]%a+%f[%A]" },
    { "abcabc", "(abc)%1" }, { "a.b", "%." }, { "x]y", "[%]]" }, { "x-y^z", "[%-^]" }, { "0x1F", "^0[xX](%x+)$" },
    { "aaa", "a-" }, { "aaa", "a-$" }, { "aab", "a?a?a?b" }, { "äö", "[\xc3][\x80-\xbf]" }, { "a\0b", "%z?b" },
    { "abc", "()b()" }, { "a$b", "a$b" }, { "axb", "a[^a-w]b" }, { "one;two;;four", "([^;]*)" }, { "abc", "" },
    { "x^y", "^x%^" }, { "a]", "[^]]" }, { "hello", ".-l" }, { "hello", "l+" }, { "hello", "xyz*" }, { "a+b", "+" },
  }
  local bad = { "(", "%", "[a", "[%", "%1", "(()", ")", "%f", "%b", "%bx", "(a)%2" }
  local function all(lib, text, pattern)
    local list = {}
    local function add(...)
      list[#list + 1] = table.pack(...)
    end
    for _, start in ipairs { 1, 2, -2, 0, 50, -50 } do
      add(pcall(lib.find, text, pattern, start))
      add(pcall(lib.match, text, pattern, start))
    end
    add(pcall(lib.find, text, pattern, 1, true))
    add(pcall(lib.gsub, text, pattern, "<%0>"))
    add(pcall(lib.gsub, text, pattern, "<%1%%>", 1))
    add(pcall(lib.gsub, text, pattern, function(a) return a == "o" and "0" or nil end))
    add(pcall(lib.gsub, text, pattern, { abc = 1, o = "O" }))
    add(pcall(lib.gsub, text, pattern, "%9"))
    add(pcall(lib.gsub, text, pattern, "%x"))
    add(pcall(function()
      for a, b in lib.gmatch(text, pattern) do
        add(a, b)
      end
    end))
    return list
  end
  it("match as those of Lua", function()
    local path = helper.write("sandbox/strings.lua",
      "local scene = require 'springtide'.scene {}\nfunction scene.update() return string end\nreturn scene\n")
    local own = assert(tide.load(path)).update()
    for _, case in ipairs(cases) do
      assert.are.same(all(string, case[1], case[2]), all(own, case[1], case[2]), case[2])
    end
    for _, pattern in ipairs(bad) do
      for _, f in ipairs { "find", "match", "gsub" } do
        assert.are.equal((pcall(string[f], "abc (a)", pattern, "")), (pcall(own[f], "abc (a)", pattern, "")), pattern)
      end
    end
  end)
end)

describe("require", function()
  it("looks in the scene's folder, once for each run", function()
    helper.write("sandbox/parts/flags.lua", "runs = (rawget(_G, 'runs') or 0) + 1\nreturn { name = ..., runs = runs }")
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

describe("limits of tide.load", function()
  local function load(text, limits)
    return tide.load(helper.write("sandbox/limited.lua", "local tide = require 'springtide'\n" ..
      "local scene = tide.scene {}\n" .. text .. "\nreturn scene\n"), limits)
  end
  it("stop a file that runs too long", function()
    for _, text in ipairs { "while true do end", "while true do pcall(function() while true do end end) end",
      "local s = ('a'):rep(40); s:find(('a?'):rep(40) .. s)",
      "local s = ('a'):rep(40); string.find(s, ('a?'):rep(40) .. s)",
      "coroutine.wrap(function() while true do end end)()" } do
      local scene, why = load(text, { time_limit = 0.3 })
      assert.is_nil(scene)
      has(why, "limited.lua:3: script: stopped: it took more than 0.3 s")
    end
    assert.is_truthy(load("", { time_limit = 10 }))
  end)
  it("stop a callback, and the scene goes on after it", function()
    local scene = assert(load("function scene.update()\n" ..
      "while scene.state.stuck do pcall(function() while true do end end) end end", { time_limit = 2 }))
    assert.is_true(scene:step(3))
    scene.state.stuck = true
    local ok, why = scene:step()
    assert.is_nil(ok)
    has(why, "limited.lua:4: script: stopped: it took more than 2 s")
    assert.are.equal(3, scene.frame)
    scene.state.stuck = false
    assert.is_true(scene:step(2))
    assert.are.equal(5, scene.frame)
  end)
  it("stop what takes too much memory, in Lua or in the engine", function()
    for _, text in ipairs { "local t = {} while true do t[#t + 1] = {} end",
      "local t = {} while true do pcall(function() t[#t + 1] = ('x'):rep(1e5) .. #t end) end",
      "local t = {} while true do t[#t + 1] = tide.mesh.grid { columns = 50 + #t, rows = 50 } end" } do
      local scene, why = load(text, { memory_limit = 16 })
      assert.is_nil(scene)
      has(why, "out of memory: stopped at the limit of 16 MB")
    end
    local scene = assert(load("local all = {}\nfunction scene.update()\n" ..
      "if scene.state.grow then for i = 1, 1e7 do all[#all + 1] = { i } end end end", { memory_limit = 16 }))
    assert.is_true(scene:step(100))
    scene.state.grow = true
    local ok, why = scene:step()
    assert.is_nil(ok)
    has(why, "out of memory: stopped at the limit of 16 MB")
    scene = assert(load("function scene.update() local t = {} while true do t[#t + 1] = ('x'):rep(1e5) .. #t end end",
      { memory_limit = 16 }))
    ok, why = scene:step()
    assert.is_nil(ok)
    has(why, "out of memory: stopped at the limit of 16 MB")
  end)
  it("leave the host as it was", function()
    local find = ("x").find
    local hooked = 0
    debug.sethook(function() hooked = hooked + 1 end, "", 100)
    load("while true do end", { time_limit = 0.3, memory_limit = 50 })
    local before = hooked
    for _ = 1, 1000 do
      before = before + 0
    end
    debug.sethook()
    assert.is_true(hooked > before)
    assert.are.equal(find, ("x").find)
  end)
  it("are checked", function()
    has(select(2, pcall(load, "", { time_limit = -1 })), "load: time_limit = -1")
    has(select(2, pcall(load, "", { memory_limit = "much" })), "load: memory_limit")
  end)
end)
