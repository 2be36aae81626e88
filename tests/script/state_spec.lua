-- Snapshots, restore, fork, reset, hash and scene.state.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local function driven()
  local scene, cloth = helper.cloth()
  function scene.update()
    scene.state.calls = (scene.state.calls or 0) + 1
    cloth:force(13, 0, 0, tide.random() + scene:random())
    cloth:move_pin(1, 0, 0.1 * math.sin(scene.time), 0)
  end
  return scene, cloth
end

describe("a snapshot", function()
  it("brings back the complete state", function()
    local scene = driven()
    scene:step(5)
    local snapshot = scene:snapshot()
    assert.are.equal(5, snapshot.frame)
    assert.are.equal(scene.time, snapshot.time)
    assert.are.equal(scene:hash(), snapshot:hash())
    assert.is_true(snapshot.size > 25 * 3 * 8 * 2)
    scene:step(7)
    local later = scene:hash()
    assert.are_not.equal(later, snapshot:hash())
    assert.are.equal(scene, scene:restore(snapshot))
    assert.are.equal(snapshot:hash(), scene:hash())
    assert.are.equal(5, scene.state.calls)
    assert.are.equal(5, scene.frame)
    scene:step(7)
    assert.are.equal(later, scene:hash())
  end)
  it("is refused by a scene of other bodies", function()
    local scene = helper.cloth()
    local other = tide.scene {}
    has(message(function() other:restore(scene:snapshot()) end), "snapshot: it is of other bodies")
    has(message(function() other:restore(3) end), "snapshot: expected a snapshot, not 3")
  end)
  it("is restored by another scene of the same bodies", function()
    local first, second = driven(), driven()
    first:step(4)
    second:restore(first:snapshot())
    assert.are.equal(first:hash(), second:hash())
    assert.are.equal(4, second.state.calls)
  end)
  it("resets to before the first step, before update", function()
    local scene = driven()
    scene:body("cloth"):set_velocity(7, 0, 1, 0)
    scene.state.calls = 10
    local hash = scene:hash()
    scene:step(3)
    local third = scene:hash()
    assert.are.equal(scene, scene:reset())
    assert.are.equal(hash, scene:hash())
    assert.are.equal(10, scene.state.calls)
    scene:step(3)
    assert.are.equal(third, scene:hash())
  end)
  it("does not grow the process when it is dropped", function()
    local scene = helper.cloth()
    collectgarbage()
    for _ = 1, 1000 do
      scene:snapshot()
    end
    collectgarbage()
    assert.is_true(collectgarbage("count") < 50000)
  end)
end)

describe("a fork", function()
  it("goes its own way from the same state", function()
    local scene = driven()
    scene:step(3)
    local fork = scene:fork()
    assert.are_not.equal(scene, fork)
    assert.are.equal(scene:hash(), fork:hash())
    local hash = scene:hash()
    assert.is_true(fork:step(4))
    assert.are.equal(hash, scene:hash())
    assert.are.equal(3, scene.state.calls)
    assert.are.equal(7, fork.state.calls)
    assert.is_true(scene:step(4))
    assert.are.equal(scene:hash(), fork:hash())
  end)
  it("runs under another solver beside the first", function()
    local scene, cloth = driven()
    scene:step(2)
    local fork = scene:fork()
    fork.solver = { "local_global", iterations = 50 }
    assert.are_not.equal(50, scene.solver.iterations)
    fork:step(5)
    scene:step(5)
    assert.are.equal(50, fork:report().iterations)
    local mine, theirs = fork:body("cloth"):positions(), cloth:positions()
    local difference = 0
    for i = 1, #mine do
      difference = math.max(difference, math.abs(mine[i] - theirs[i]))
    end
    assert.is_true(difference > 0 and difference < 0.2)
  end)
  it("of a fork takes the callbacks' handles too", function()
    local scene = driven()
    local second = scene:fork():fork()
    second:step(2)
    assert.are.equal(0, scene.frame)
    assert.are.equal(2, second.state.calls)
    assert.is_nil(scene.state.calls)
    scene:step(2)
    assert.are.equal(scene:hash(), second:hash())
  end)
  it("gives the handles back after an error", function()
    local scene, cloth = helper.cloth()
    local fork = scene:fork()
    local forks
    function scene.update()
      cloth:set_position(13, 0, 5, 0)
      forks = select(2, fork:body("cloth"):position(13))
      error("here")
    end
    assert.is_nil((fork:step()))
    assert.are.equal(5, forks)
    cloth:set_position(13, 0, 3, 0)
    assert.are.equal(3, select(2, cloth:position(13)))
    assert.are.equal(0, select(2, fork:body("cloth"):position(13)))
  end)
  it("outlives its origin", function()
    local fork
    do
      local scene = driven()
      scene:step()
      fork = scene:fork()
    end
    collectgarbage()
    collectgarbage()
    assert.is_true(fork:step(3))
    assert.are.equal(4, fork.state.calls)
  end)
end)

describe("scene.state", function()
  it("is in the hash, and absent or empty it is not", function()
    local scene = helper.cloth()
    local bare = scene:hash()
    assert.are.same({}, scene.state)
    assert.are.equal(bare, scene:hash())
    scene.state.x = 1
    assert.are_not.equal(bare, scene:hash())
    scene.state.x = nil
    assert.are.equal(bare, scene:hash())
    scene.state = { y = 2 }
    assert.are_not.equal(bare, scene:hash())
    scene.state = nil
    assert.are.equal(bare, scene:hash())
    has(message(function() scene.state = 3 end), "scene: state = 3: expected a table")
  end)
  it("does not depend on the order in which it was filled", function()
    local first, second = helper.cloth(), helper.cloth()
    for i = 1, 50 do
      first.state["key" .. i] = i
      second.state["key" .. 51 - i] = 51 - i
    end
    first.state[1], first.state[2.5], first.state[true] = "a", "b", { 1, { 2 } }
    second.state[true], second.state[2.5], second.state[1] = { 1, { 2 } }, "b", "a"
    assert.are.equal(first:hash(), second:hash())
    second.state[true][2][1] = 2.0
    assert.are_not.equal(first:hash(), second:hash()) -- an integer and a float are two things
  end)
  it("stays the same table over restore", function()
    local scene = helper.cloth()
    local state = scene.state
    state.list, state.text, state.small = { 1, 2, 3 }, "a\0b", 0.1
    local snapshot = scene:snapshot()
    state.list[2], state.more = 9, true
    scene:restore(snapshot)
    assert.are.same({ list = { 1, 2, 3 }, text = "a\0b", small = 0.1 }, state)
    assert.are.equal(state, scene.state)
  end)
  it("names what it cannot hold", function()
    local scene = helper.cloth()
    scene.state.balls = { {}, { hit = print } }
    has(message(function() scene:snapshot() end), "scene: state.balls[2].hit = a function: expected plain data")
    local ok, why = scene:step()
    assert.is_nil(ok)
    has(why, "state.balls[2].hit")
    local loop = {}
    loop.again = loop
    scene.state = { loop = loop }
    has(message(function() scene:hash() end), "scene: state.loop.again = a table that contains itself")
    scene.state = { [{}] = 1 }
    has(message(function() scene:hash() end), "a key of this type")
    scene.state = { x = setmetatable({}, {}) }
    has(message(function() scene:fork() end), "scene: state.x = a table with a metatable")
    scene.state = nil
    assert.is_true(scene:step())
  end)
end)
