-- Running a script again: kept and rebuilt state, and failures, which change nothing.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local template = [[
local tide = require "springtide"
local stiffness = tide.param("stiffness", $stiffness)
local scene = tide.scene { title = "$title" }
local cloth = scene:body("cloth", {
  mesh = tide.mesh.grid { columns = $columns, rows = 5, width = 1, height = 1 }, stiffness = stiffness })
cloth:pin { 1, 5 }
$more
function scene.update()
  scene.state.calls = (scene.state.calls or 0) + 1
  cloth:force(7, 0, 0.1, 0)
end
return scene
]]

local function script(changes)
  local values = { stiffness = 100, title = "first", columns = 5, more = "" }
  for name, value in pairs(changes or {}) do
    values[name] = value
  end
  return helper.write("reload/scene.lua", (template:gsub("%$(%w+)", values)))
end

local function positions(body)
  local list, buffer = {}, body:positions()
  for i = 1, #buffer do
    list[i] = buffer[i]
  end
  return list
end

describe("reload", function()
  local path, scene, cloth
  before_each(function()
    path = script()
    scene = assert(tide.load(path))
    cloth = scene:body("cloth")
    assert.is_true(scene:step(5))
  end)

  it("of the same script changes nothing", function()
    local hash = scene:hash()
    local ok, what = scene:reload(path)
    assert.is_true(ok)
    assert.are.same({ 1, 0, 0, 0 }, { what.kept, what.rebuilt, what.added, what.removed })
    assert.is_false(what.refactored)
    assert.are.equal(hash, scene:hash())
    scene:reset()
    assert.are.equal(0, scene.frame)
    assert.is_nil(scene.state.calls)
  end)
  it("goes on exactly as without it", function()
    local other = assert(tide.load(path))
    other:step(5)
    assert.is_true(scene:reload())
    scene:step(5)
    other:step(5)
    assert.are.equal(other:hash(), scene:hash())
  end)
  it("keeps positions with the same topology and another stiffness", function()
    local before = positions(cloth)
    local ok, what = scene:reload(script { stiffness = 200, title = "second" })
    assert.is_true(ok)
    assert.are.equal(1, what.kept)
    assert.are.same(before, positions(cloth))
    assert.are.equal("second", scene.title)
    assert.are.equal(5, scene.frame)
    assert.are.equal(5, scene.state.calls)
    assert.is_true(scene:step())
    assert.are.equal(6, scene.state.calls)
  end)
  it("takes values of parameters", function()
    local other = assert(tide.load(path, { set = { stiffness = 200 } }))
    assert.is_true(scene:reload(path, { set = { stiffness = 200 } }))
    assert.are.equal(other:system():energy(scene:system():positions()), scene:energy().elastic)
    assert.is_true(scene:reload()) -- keeps them
    assert.are.equal(other:system():energy(scene:system():positions()), scene:energy().elastic)
  end)
  it("tells what it changed", function()
    local _, what = scene:reload(script { stiffness = 200 })
    assert.is_truthy(what.changes:find("^cloth: stiffness 100 %-> 200 N/m; refactored in [%d.]+ ms$"))
    _, what = scene:reload(script { stiffness = 200 })
    assert.are.equal("nothing changed", what.changes)
    _, what = scene:reload(script { stiffness = 200, columns = 9 })
    has(what.changes, "cloth: 25 -> 45 vertices, shape kept")
  end)
  it("gives a body of another topology the old one's shape, unless it is elsewhere, and keeps the others", function()
    local ball = [[scene:body("ball", { mesh = tide.mesh.new { vertices = { { 0, 0, 0 } } } })]]
    assert.is_true(scene:reload(script { more = ball }))
    scene:step(3)
    local x, y, z = scene:body("ball"):position(1)
    local ok, what = scene:reload(script { more = ball, columns = 6 })
    assert.is_true(ok)
    assert.are.same({ 1, 1, 0, 0 }, { what.kept, what.rebuilt, what.added, what.removed })
    assert.are.same({ x, y, z }, { scene:body("ball"):position(1) })
    assert.are.equal(30, cloth.vertex_count) -- the old handle is of the new body
    for i = 1, 4 do -- the free edge hangs where it did
      local _, height = cloth:position(24 + i)
      assert.is_true(height < -0.3)
    end
    local far = [[scene:body("ball", { mesh = tide.mesh.strand { points = 2, from = { 0, 50, 0 },
      to = { 1, 50, 0 } } })]]
    ok, what = scene:reload(script { more = far, columns = 6 })
    assert.is_true(ok)
    has(what.changes, "ball: 1 -> 2 vertices, starts anew")
    assert.are.same({ 0, 50, 0 }, { scene:body("ball"):position(1) })
    ok, what = scene:reload(script())
    assert.is_true(ok)
    assert.are.same({ 0, 1, 0, 1 }, { what.kept, what.rebuilt, what.added, what.removed })
  end)
  it("makes handles of what is gone say so", function()
    assert.is_true(scene:reload(script {
      more = [[scene:body("ball", { mesh = tide.mesh.strand { points = 2, to = { 1, 0, 0 } } })]],
    }))
    local ball = scene:body("ball")
    local buffer = ball:positions()
    assert.are.equal(6, #buffer)
    assert.is_true(scene:reload(script()))
    has(message(function() ball:position(1) end), 'body "ball" is gone')
    has(message(function() return buffer[1] end), 'body "ball" is gone')
    has(message(function() return #buffer end), 'body "ball" is gone')
    has(message(function() return ball.name end), 'body "ball" is gone')
    assert.is_true(scene:step())
  end)
  it("changes nothing when it fails", function()
    local hash, title = scene:hash(), scene.title
    local function fails(text, part)
      local ok, why = scene:reload(helper.write("reload/bad.lua", text))
      assert.is_nil(ok)
      has(why, part)
      assert.are.equal(hash, scene:hash())
      assert.are.equal(title, scene.title)
      assert.are.equal("cloth", cloth.name)
    end
    fails("return = 3", "bad.lua:1: ")
    fails("error 'stop'", "bad.lua:1: stop")
    fails("return 1", "the script returned 1")
    fails("local s = require 'springtide'.scene {}\n\ns:body('x', { mas = 1 })\nreturn s", "bad.lua:3: ")
    local ok, why = scene:reload("nowhere.lua")
    assert.is_nil(ok)
    has(why, "nowhere.lua: cannot be read")
    ok, why = scene:reload(path, { set = { stifness = 3 } })
    assert.is_nil(ok)
    has(why, 'the script has no such parameter; did you mean "stiffness"?')
    scene.state.bad = print
    ok, why = scene:reload(path)
    assert.is_nil(ok)
    has(why, "state.bad = a function")
    scene.state.bad = nil
    local calls = scene.state.calls
    assert.is_true(scene:step())
    assert.are.equal(calls + 1, scene.state.calls)
  end)
  it("keeps what the new script adds to the state", function()
    assert.is_true(scene:reload(script { more = "scene.state.wind = 3; scene.state.calls = 0" }))
    assert.are.same({ calls = 5, wind = 3 }, scene.state)
    scene:reset()
    assert.are.same({ calls = 0, wind = 3 }, scene.state)
  end)
  it("is refused in a callback", function()
    local why
    function scene.update()
      why = message(function() scene:reload(path) end)
    end
    assert.is_true(scene:step())
    has(why, "the scene is running a callback")
  end)
  it("leaves forks as they are", function()
    local fork = scene:fork()
    local hash = fork:hash()
    assert.is_true(scene:reload(script { columns = 7 }))
    assert.are.equal(hash, fork:hash())
    assert.is_true(fork:step(2))
    assert.are.equal(7, fork.frame)
    assert.are.equal(7, fork.state.calls)
    assert.are.equal(5, scene.frame)
  end)
  it("of a script that returns a fork runs its callbacks on the fork", function()
    local file = helper.write("reload/fork.lua", [[
      local tide = require "springtide"
      local scene = tide.scene {}
      local pair = scene:body("pair", { mesh = tide.mesh.strand { points = 2 } })
      function scene.update()
        scene.state.calls = (scene.state.calls or 0) + 1
        pair:force(1, 1, 0, 0)
      end
      return scene:fork()]])
    local made = assert(tide.load(file))
    for round = 1, 3 do
      local x = made:body("pair"):velocity(1)
      assert.is_true(made:step(2))
      assert.are.equal(2 * round, made.state.calls)
      assert.is_true(made:body("pair"):velocity(1) > x)
      assert.is_true(made:reload())
      collectgarbage()
    end
    helper.write("reload/fork.lua", [[
      local scene = require "springtide".scene {}
      function scene.update() scene.state.calls = scene.state.calls + 100 end
      return scene]])
    assert.is_true(made:reload())
    assert.is_true(made:step())
    assert.are.equal(106, made.state.calls)
  end)
  it("names a compiled chunk", function()
    local file = helper.write("reload/compiled.lua", string.dump(function() return 1 end))
    local ok, why = tide.load(file)
    assert.is_nil(ok)
    helper.has(why, "reload/compiled.lua:1: attempt to load a binary chunk")
  end)
  it("of a scene made in plain Lua takes a script over", function()
    local plain = tide.scene {}
    has(message(function() plain:reload() end), "give a path")
    assert.is_true(plain:reload(path))
    assert.are.equal(25, plain:body("cloth").vertex_count)
    assert.is_true(plain:step())
    assert.are.equal(1, plain.state.calls)
  end)
  it("builds the same meshes once", function()
    local first = tide.mesh.grid { columns = 9, rows = 9, width = 1, height = 1 }
    local second = tide.mesh.grid { rows = 9, columns = 9, height = 1, width = 1 }
    assert.are.equal(first, second)
    for i = 2, 200 do -- more than the cache holds
      assert.are.equal(i * 2, tide.mesh.grid { columns = i, rows = 2, width = 1, height = 1 }.vertex_count)
    end
    assert.are.equal(first, tide.mesh.grid { columns = 9, rows = 9, width = 1, height = 1 })
  end)
end)
