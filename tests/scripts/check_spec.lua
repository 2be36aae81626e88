-- The library of checks in plain Lua: what each property accepts and refuses, and how a submission is marked.
local helper = dofile "tests/script/helper.lua"
local tide, has = helper.tide, helper.has
local check = require "springtide.check"
local cases = require "springtide.check.cases"
local json = require "springtide.check.json"
local printable = require "springtide.check.printable"
local run = require "springtide.check.run"

local head = [[
local tide = require "springtide"
local scene = tide.scene { gravity = { 0, 0, 0 }, timestep = 1 / 60, solver = { "newton", iterations = 30 } }
local body = scene:body("spring", { mesh = tide.mesh.strand { points = 2 }, mass = 1, stiffness = 50 })
body:set_velocity(2, 0.3, 0, 0)
]]

-- Marks a submission, `head` and these lines, by one check. Returns its result.
local function mark(f, lines, more)
  local definition = { name = "it", points = 4, hint = "think", run = f }
  for name, value in pairs(more or {}) do
    definition[name] = value
  end
  local exercise = check.exercise { title = "Test", time_limit = 20, checks = { definition } }
  local path = helper.write("submission.lua", head .. (lines or "return scene, {}"))
  helper.write("lesson/scene.lua", head .. "return scene")
  return run.mark_exercise(exercise, helper.folder .. "lesson", path, { seed = 3 }).checks[1]
end

local function passes(f, lines)
  local result = mark(f, lines)
  assert.is_true(result.passed, result.message)
  assert.are.equal(4, result.points)
  assert.is_nil(result.hint)
end

local function fails(part, f, lines)
  local result = mark(f, lines)
  assert.is_false(result.passed)
  assert.are.equal(0, result.points)
  assert.are.equal("think", result.hint)
  has(result.message, part)
end

describe("A check", function()
  it("compares numbers, lists, vectors and matrices", function()
    local matrix = tide.linear.sparse(2, 2, { { 1, 1, 2 }, { 2, 2, 3 } })
    passes(function(t)
      t:near(1, 1 + 1e-10)
      t:near({ 1, { 2, 3 } }, { 1, { 2, 3 } })
      t:near(tide.linear.vector { 1, 2 }, { 1, 2 })
      t:near(matrix, { { 2, 0 }, { 0, 3 } })
      t:near(100, 101, { relative = 0.02 })
      t:near("a", "a")
    end)
    for part, values in pairs {
      ["it is 1.1, expected 1"] = { 1.1, 1 }, ["it is NaN"] = { 0 / 0, 1 },
      ["element [2] is NaN"] = { { 1, 0 / 0 }, { 1, 1 } },
      ["wrong size: 1 instead of 2"] = { { 1 }, { 1, 2 } }, ["element [1][2] is 4"] = { { { 1, 4 } }, { { 1, 2 } } },
      ["it is nothing (nil)"] = { nil, 1 }, ["it is \"a\", expected the number 1"] = { "a", 1 },
      ["expected a list of 1 numbers"] = { 1, { 1 } }, ["it is inf"] = { math.huge, 1 },
    } do
      fails(part, function(t) t:near(values[1], values[2]) end)
    end
  end)
  it("tells typical mistakes", function()
    fails("energy: is 1/2 there?", function(t)
      t:near(4, 2, { message = "energy", mistakes = { { 3, "no" }, { 4, "is 1/2 there?" } } })
    end)
  end)
  it("gives credit for a part", function()
    local result = mark(function(t)
      t:credit(0.5, "the energy is right")
      t:credit(0.25)
      t:fail("the force is not")
    end)
    assert.are.equal(2, result.points)
    has(result.message, "the force is not")
  end)
  it("tests momentum and energy", function()
    passes(function(t) t:conserves_momentum(t:scene(), 10, 1e-9) end)
    passes(function(t) t:energy_never_rises(t:scene(), 10, 1e-9) end)
    local push = "function scene.update() body:force(1, 1, 0, 0) end return scene"
    fails("here: the momentum along x changes", function(t) t:conserves_momentum(t:scene(), 3, 1e-9, "here") end, push)
    fails("the energy rises from", function(t) t:energy_never_rises(t:scene(), 3) end, push)
  end)
  it("compares scenes with the reference", function()
    passes(function(t) t:agrees_with(t:scene(), t:reference(), 5, 1e-12) end)
    fails('away from the reference at frame 1', function(t) t:agrees_with(t:scene(), t:reference(), 5, 1e-9) end,
          "body:set_velocity(2, 0.4, 0, 0) return scene")
    fails('has no body "spring"', function(t) t:agrees_with(t:scene(), t:reference(), 5, 1) end, "return tide.scene {}")
    fails("the step to frame 1 failed: submission.lua:5: it is enough",
          function(t) t:agrees_with(t:scene(), t:reference(), 5, 1) end,
          "function scene.update() error('it is enough', 0) end return scene")
  end)
  it("measures orders, residuals and gradients", function()
    passes(function(t)
      t:has_order(function(h) return 3 * h ^ 2 end, 2)
      t:residual({ 3, 4 }, 5)
      t:gradient_matches(function(x) return x[1] ^ 2 * x[2] end,
                         function(x) return { 2 * x[1] * x[2], x[1] ^ 2 } end, { 1, 2 })
    end)
    fails("the order is 1.00, expected 2", function(t) t:has_order(function(h) return h end, 2) end)
    fails("an order cannot be seen", function(t) t:has_order(function() return 0 end, 2) end)
    fails("the residual is 5, expected at most 4", function(t) t:residual({ 3, 4 }, 4) end)
    fails("part 2 of the gradient is 0", function(t)
      t:gradient_matches(function(x) return x[1] + x[2] end, function() return { 1, 0 } end, { 1, 2 })
    end)
    fails("wrong size: 1 instead of 2", function(t)
      t:gradient_matches(function(x) return x[1] + x[2] end, function() return { 1 } end, { 1, 2 })
    end)
  end)
  it("limits the time of a call", function()
    passes(function(t) assert(t:within(10, function() return 7 end) == 7) end)
    fails("it took more than 0.05 s", function(t) t:within(0.05, function() while true do end end) end)
    fails("own words", function(t) t:within(10, function() t:fail "own words" end) end)
  end)
  it("asks for answers", function()
    fails("the file returns no answers", function(t) t:answer "f" end, "return scene")
    fails('the answer "f" is missing', function(t) t:answer "f" end)
    fails('the answer "f" is a number, expected a function', function(t) t:answer("f", "function") end,
          "return scene, { f = 1 }")
    passes(function(t) t:near(t:answer("f")(2), 4) end, "return scene, { f = function(x) return 2 * x end }")
    fails("neither makes scenes", function(t) t:answer("f", "function", { scenes = false })() end,
          "return scene, { f = function() return tide.scene {} end }")
  end)
  it("has no methods but these", function()
    fails('t has no method "nera"', function(t) t:nera(1, 1) end)
  end)
  it("goes on after a loop, and keeps the places of the library out", function()
    local exercise = check.exercise { title = "Test", time_limit = 0.4, checks = {
      { name = "a", points = 1, run = function(t) t:answer("f", "function")() end },
      { name = "b", points = 1, run = function(t) t:scene() end },
    } }
    local path = helper.write("loops.lua", head .. "return scene, { f = function() while true do end end }")
    local result = run.mark_exercise(exercise, helper.folder, path, {})
    assert.are.equal(1, result.points)
    has(result.checks[1].message, "loops.lua:5: stopped: it took more than")
    assert.is_nil(result.checks[1].message:find(helper.folder, 1, true))
  end)
end)

describe("check.exercise", function()
  it("names what is wrong", function()
    local function refused(part, definition)
      has(helper.message(check.exercise, definition), part)
    end
    local function f() end
    refused("chekcs: there is no such field", { title = "a", chekcs = {} })
    refused("checks: is missing", { title = "a" })
    refused("expected at least one check", { title = "a", checks = {} })
    refused("check 1: points", { title = "a", checks = { { name = "a", points = -1, run = f } } })
    refused("an earlier check has this name", { title = "a", checks = {
      { name = "a", points = 1, run = f }, { name = "a", points = 1, run = f } } })
  end)
end)

describe("Hidden cases", function()
  it("depend on the seed, the check and the number alone", function()
    local function list(seed, name)
      local found = {}
      for number, case in cases.each(seed, name, 3) do
        found[number] = { case:number(0, 1), case:integer(1, 6), case:vector(2, -1, 1) }
      end
      return found
    end
    assert.are.same(list(1, "a"), list(1, "a"))
    assert.are_not.same(list(1, "a"), list(2, "a"))
    assert.are_not.same(list(1, "a"), list(1, "b"))
    assert.are_not.same(list(1, "a")[1], list(1, "a")[2])
  end)
  it("fill their range", function()
    local low, high, seen = 1, 0, {}
    for _, case in cases.each(1, "range", 2000) do
      local x, i = case:number(0, 1), case:integer(1, 3)
      low, high, seen[i] = math.min(low, x), math.max(high, x), true
      assert.is_true(x >= 0 and x < 1 and i >= 1 and i <= 3)
    end
    assert.is_true(low < 0.01 and high > 0.99 and seen[1] and seen[2] and seen[3])
  end)
end)

describe("Texts of results", function()
  it("are one printable line", function()
    assert.are.equal("a; b \\x1B[31m \\xFF \\x00 é", printable "a\nb \27[31m \xFF \0 é")
    assert.is_true(#printable(("x"):rep(1e6)) <= 2000)
  end)
  it("are JSON", function()
    assert.are.equal('{\n  "a": [\n    1,\n    0.5,\n    null\n  ],\n  "b": "\\"\\\\\\n\\u001b",\n  "c": []\n}\n',
                     json.text { a = { 1, 0.5, 0 / 0 }, b = '"\\\n\27', c = json.list {} })
  end)
end)
