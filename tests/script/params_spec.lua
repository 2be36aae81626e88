local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local text = [[
local tide = require "springtide"
local scene = tide.scene {}
scene.state.values = {
  count = tide.param("count", 3, { min = 1, max = 10 }),
  size = tide.param("size", 0.5, { min = 0.1, max = 10, scale = "log", unit = "m", help = "how large" }),
  fast = tide.param("fast", false),
  name = tide.param("name", "none"),
  shape = tide.param("shape", "round", { choices = { "round", "square" } }),
}
return scene
]]

describe("parameters", function()
  local path = helper.write("params.lua", text)
  local function values(set)
    local scene, why = tide.load(path, set and { set = set })
    return scene and scene.state.values, why
  end
  it("have defaults and take values", function()
    assert.are.same({ count = 3, size = 0.5, fast = false, name = "none", shape = "round" }, values())
    local found = values { count = 7, size = "2", fast = true, name = "x", shape = "square" }
    assert.are.same({ count = 7, size = 2, fast = true, name = "x", shape = "square" }, found)
    assert.are.equal("integer", math.type(found.count))
    assert.are.equal("float", math.type(found.size))
    assert.are.equal(0.1, values({ size = 0.1 }).size)
    assert.are.equal(0.5, values({ size = "1/2" }).size)
    assert.is_true(values({ fast = "true" }).fast)
  end)
  it("refuse bad values", function()
    local function refused(set, part)
      local scene, why = values(set)
      assert.is_nil(scene)
      has(why, "params.lua:")
      has(why, part)
    end
    refused({ count = 11 }, 'param "count": 11: expected a number from 1 to 10')
    refused({ count = "many" }, 'param "count": "many": expected a number')
    refused({ fast = 1 }, 'param "fast": "1": expected true or false')
    refused({ shape = "squar" }, 'param "shape": "squar": expected one of "round", "square"; did you mean "square"?')
    refused({ conut = 1 }, 'set: conut = 1: the script has no such parameter; did you mean "count"?')
    has(message(tide.load, path, { set = 3 }), "load: set = 3: expected a table")
    has(message(tide.load, path, { set = { count = {} } }), "load: count = a table: expected a number")
  end)
  it("refuse bad declarations", function()
    has(message(tide.param, "x", {}), 'param "x": a table: expected a default')
    has(message(tide.param, "x", 1, { min = 1 }), 'param "x": max: missing; give both or neither')
    has(message(tide.param, "x", 1, { min = 2, max = 1 }), 'param "x": min: expected no more than max')
    has(message(tide.param, "x", 5, { min = 1, max = 2 }), 'param "x": 5: expected a number from 1 to 2')
    has(message(tide.param, "x", 1, { min = 0, max = 2, scale = "log" }), "expected more than 0 for a logarithmic")
    has(message(tide.param, "x", 1, { unt = "m" }), 'did you mean "unit"?')
    has(message(tide.param, "x", "c", { choices = { "a", "b" } }), 'param "x": "c": expected one of "a", "b"')
    has(message(tide.param, 1, 1), "param: name = 1: expected a string")
    local twice = helper.write("twice.lua",
      "local t = require 'springtide'\nt.param('a', 1)\nt.param('a', 2)\nreturn t.scene {}")
    local scene, why = tide.load(twice)
    assert.is_nil(scene)
    has(why, 'twice.lua:3: param "a": declared twice')
    assert.are.equal(1, tide.param("again", 1))
    assert.are.equal(2, tide.param("again", 2))
  end)
end)

describe("tide.load", function()
  it("replaces solver, timestep and seed", function()
    local path = helper.write("options.lua", [[
      local tide = require "springtide"
      local scene = tide.scene { timestep = 0.5, solver = "symplectic_euler" }
      scene.state.drawn = tide.random(1, 1000000)
      return scene]])
    local plain = assert(tide.load(path))
    assert.are.equal(0.5, plain.timestep)
    local other = assert(tide.load(path, { timestep = 0.25, solver = "local_global,iterations=3", seed = 5 }))
    assert.are.equal(0.25, other.timestep)
    assert.are.equal("local_global", other.solver[1])
    assert.are.equal(3, other.solver.iterations)
    assert.are_not.equal(plain.state.drawn, other.state.drawn)
    assert.are_not.equal(plain:random(), other:random())
    assert.are.equal(other.state.drawn, assert(tide.load(path, { seed = 5 })).state.drawn)
    local scene, why = tide.load(path, { solver = "local_global,iteration=3" })
    assert.is_nil(scene)
    has(why, 'solver "local_global": iteration: unknown field; did you mean "iterations"?')
    scene, why = tide.load(path, { solver = "local_global,iterations" })
    assert.is_nil(scene)
    has(why, "expected option=value")
    scene, why = tide.load(path, { solver = "newton_raphson_method" })
    assert.is_nil(scene)
    has(why, "newton_raphson_method")
  end)
end)
