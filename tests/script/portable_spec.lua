-- The portable mode: the field, the option of tide.load, and Lua's functions in it. Its states and bits are golden:
-- they are those of every platform.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local template = [[
local tide = require "springtide"
local ball = tide.mesh.sphere { radius = 0.2 }:rotate({ 1, 1, 0 }, 0.3)
local scene = tide.scene { $field }
local body = scene:body("ball", { mesh = ball, mass = 1, stiffness = 500, bend = 10 })
body:pin { 1 }
function scene.update()
  local x, y, z = body:position(2)
  body:force(2, math.sin(40 * x), math.exp(y), math.log(2 + z))
end
return scene
]]

local function script(name, field)
  return helper.write(name .. ".lua", (template:gsub("%$field", field)))
end

local function hash_of(path, options)
  local scene = assert(tide.load(path, options))
  assert.is_true(scene:step(20))
  return scene:hash()
end

describe("the portable mode", function()
  local normal, portable
  before_each(function()
    normal, portable = script("normal", ""), script("portable", "portable = true")
  end)

  it("is the field of a scene or the option of tide.load", function()
    local hash = hash_of(portable)
    assert.are.equal(hash, hash_of(normal, { portable = true }))
    assert.are.equal(hash, hash_of(portable, { portable = true }))
    assert.are.equal(hash, hash_of(script("twice", "portable = true"), { portable = false }))
  end)

  it("has the same states on every platform", function()
    assert.are.equal("a09b75d475a067ac", hash_of(portable))
  end)

  it("leaves other scenes as they are", function()
    local before = hash_of(normal)
    local one, other = assert(tide.load(portable)), assert(tide.load(normal))
    for _ = 1, 20 do
      assert.is_true(one:step())
      assert.is_true(other:step())
    end
    assert.are.equal(hash_of(portable), one:hash())
    assert.are.equal(before, other:hash())
  end)

  it("keeps its hash for any number of threads", function()
    local hashes = {}
    for threads = 1, 3 do
      tide.threads(threads)
      hashes[threads] = hash_of(portable)
    end
    tide.threads(0)
    assert.are.same({ hashes[1], hashes[1], hashes[1] }, hashes)
  end)

  it("is the mode of forks, snapshots and reloads", function()
    local scene = assert(tide.load(portable))
    assert.is_true(scene:step(10))
    local fork, snapshot = scene:fork(), scene:snapshot()
    assert.is_true(fork:step(10))
    assert.are.equal(hash_of(portable), fork:hash())
    assert(scene:restore(snapshot))
    assert.is_true(scene:reload(normal))
    assert.is_true(scene:step(10))
    assert.are.equal(hash_of(portable), scene:hash())
  end)

  it("cannot begin while a scene runs", function()
    local scene = assert(tide.load(normal))
    assert.is_true(scene:step(3))
    local hash = scene:hash()
    local ok, text = scene:reload(portable)
    assert.is_nil(ok)
    has(text, "portable.lua:3")
    has(text, "scene: portable = true: ")
    has(text, "open the scene again")
    has(message(scene.reload, scene, normal, { portable = true }), "reload: portable = true: ")
    assert.are.equal(hash, scene:hash())
    assert.is_true(scene:step())
  end)

  it("begins though the script catches the error", function()
    local path = helper.write("caught.lua", [[
      local tide = require "springtide"
      local ok, scene = pcall(tide.scene, { portable = true })
      if not ok then scene = tide.scene {} end
      scene:body("cloth", { mesh = tide.mesh.sphere { radius = 0.3 }, mass = 1, stiffness = 100 }):pin { 1 }
      return scene
    ]])
    assert.are.equal(hash_of(path, { portable = true }), hash_of(path))
  end)

  it("begins with the scene in plain Lua", function()
    local function make(field)
      local scene = tide.scene { portable = field }
      local ball = tide.mesh.sphere { radius = 0.2 }:rotate({ 1, 1, 0 }, 0.3)
      scene:body("ball", { mesh = ball, mass = 1, stiffness = 500, bend = 10 }):pin { 1 }
      assert.is_true(scene:step(5))
      return scene:hash()
    end
    local path = helper.write("plain.lua", [[
      local tide = require "springtide"
      local scene = tide.scene {}
      local ball = tide.mesh.sphere { radius = 0.2 }:rotate({ 1, 1, 0 }, 0.3)
      scene:body("ball", { mesh = ball, mass = 1, stiffness = 500, bend = 10 }):pin { 1 }
      return scene
    ]])
    local scene = assert(tide.load(path, { portable = true }))
    assert.is_true(scene:step(5))
    assert.are.equal(scene:hash(), make(true))
  end)

  it("refuses what is neither true nor false", function()
    has(message(tide.scene, { portable = "yes" }), 'scene: portable = "yes": expected true or false')
    has(message(tide.load, portable, { portable = 1 }), "load: portable = 1: expected true or false")
  end)
end)

describe("Lua's functions in the portable mode", function()
  -- Runs the lines in the mode; returns scene.state.
  local function state_of(lines)
    local path = helper.write("functions.lua", [[
      local tide = require "springtide"
      local scene = tide.scene { portable = true }
      local function bits(x) return ("%a"):format(x) end
    ]] .. lines .. " return scene")
    return assert(tide.load(path)).state
  end

  it("have the bits of every platform", function()
    local state = state_of [[
      scene.state.bits = { bits(math.sin(1e22)), bits(math.cos(2.5)), bits(math.tan(11)), bits(math.asin(0.3)),
        bits(math.acos(-0.7)), bits(math.atan(0.4)), bits(math.atan(1, -3)), bits(math.exp(3.3)), bits(math.log(7)) }
    ]]
    assert.are.same({
      "-0x1.b453ab76bf397p-1", "-0x1.9a2f7ef858b7dp-1", "-0x1.c3e6d558b0924p+7", "0x1.380159e14f6fep-2",
      "0x1.2c501446cd5f1p+1", "0x1.85a376b677dcp-2", "0x1.68f095fdf593cp+1", "0x1.b1cd5e7807b7bp+4",
      "0x1.f2272ae325a57p+0" }, state.bits)
  end)

  it("are those of Lua where these are exact", function()
    local state = state_of [[
      scene.state.exact = { math.log(8, 2), math.log(1000, 10), math.atan(0), math.exp(0), math.sin(0), math.log(1),
        math.fmod(7.5, 2), math.sqrt(2.25), 3 ^ 2, 2.5 ^ 2, 2 ^ 10, 7 // 2, -7 % 3, math.type(math.exp(0)) }
      scene.state.near = { math.log(9, 3), math.atan(1, 0), math.atan(-1, -1) }
      scene.state.whole = math.exp(1) == math.exp("1")
      scene.state.errors = { pcall(math.sin, "x") }
    ]]
    assert.are.same({ 3, 3, 0, 1, 0, 0, 1.5, 1.5, 9, 6.25, 1024, 3, 2, "float" }, state.exact)
    assert.is_true(math.abs(state.near[1] - 2) < 1e-15)
    assert.is_true(math.abs(state.near[2] - math.pi / 2) < 1e-15)
    assert.is_true(math.abs(state.near[3] + 3 * math.pi / 4) < 1e-15)
    assert.is_true(state.whole)
    assert.is_false(state.errors[1])
    has(state.errors[2], "number expected, got string")
  end)
end)
