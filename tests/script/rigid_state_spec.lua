-- Rigid bodies across reloads, snapshots, rewinding and forks: place, rotation, velocity and spin are kept.
local helper = dofile "tests/script/helper.lua"
local tide, has = helper.tide, helper.has

local template = [[
local tide = require "springtide"
local scene = tide.scene { timestep = 1 / 60, gravity = { 0, 0, 0 }, solver = { "newton" } }
local body = scene:body("box", { mesh = $mesh, $options })
$more
return scene
]]

local function script(changes)
  local values = {
    mesh = "tide.mesh.box { size = { 0.2, 0.1, 0.4 }, cells = { 2, 2, 2 } }:translate(0, 1, 0)",
    options = "density = 1000, rigid = true", more = "body:set_motion { velocity = { 1, 2, 0 }, spin = { 3, 1, 2 } }",
  }
  for name, value in pairs(changes or {}) do values[name] = value end
  return helper.write("scene.lua", (template:gsub("%$(%w+)", values)))
end

local function near(expected, actual, tolerance)
  for k = 1, 3 do assert.is_near(expected[k], actual[k], tolerance) end
end

-- The vectors from one vertex to others, which turn with the body.
local function arms(body, list)
  local x, y, z = body:position(list[1])
  local found = {}
  for i = 2, #list do
    local a, b, c = body:position(list[i])
    found[#found + 1] = { a - x, b - y, c - z }
  end
  return found
end

local corners = { 1, 3, 7, 19 } -- of a box of 2 x 2 x 2 cells

describe("a rigid body", function()
  local scene, body, motion
  before_each(function()
    scene = assert(tide.load(script()))
    body = scene:body("box")
    assert(scene:step(20))
    motion = body:motion()
    assert.is_true(math.abs(motion.centre[1] - 20 / 60) < 1e-6)
  end)

  local function reload(changes)
    changes.more = changes.more or ""
    local ok, what = scene:reload(script(changes))
    assert.is_true(ok, what)
    return what
  end

  it("keeps its motion with another density", function()
    local place, hash = { body:position(5) }, scene:hash()
    local what = reload { options = "density = 500, rigid = true" }
    assert.are.equal(1, what.kept)
    near(place, { body:position(5) }, 0)
    assert.are.equal(hash, scene:hash())
    near(motion.spin, body:motion().spin, 1e-12)
  end)

  it("keeps its place, rotation, velocity and spin with another size", function()
    local before = arms(body, corners)
    local what = reload { mesh = "tide.mesh.box { size = { 0.3, 0.2, 0.4 }, cells = { 2, 2, 2 } }:translate(0, 1, 0)" }
    assert.are.equal(1, what.rebuilt)
    has(what.changes, "rest shape changed")
    local now = body:motion()
    near(motion.centre, now.centre, 1e-12)
    near(motion.velocity, now.velocity, 1e-12)
    near(motion.spin, now.spin, 1e-12)
    for i, arm in ipairs(arms(body, corners)) do
      local factor = ({ 1.5, 2, 1 })[i]
      near({ before[i][1] * factor, before[i][2] * factor, before[i][3] * factor }, arm, 1e-12)
    end
    assert(scene:step(10))
    near({ motion.centre[1] + 10 / 60, motion.centre[2] + 20 / 60, 0 }, body:motion().centre, 1e-9)
  end)

  it("keeps its surface in place when its centre of mass moves", function()
    local place = { body:position(7) }
    local x, _, z = body:velocity(7)
    reload { options = [[rigid = true, masses = (function()
      local masses = {}
      for i = 1, 27 do masses[i] = i < 10 and 1 or 0.1 end
      return masses end)()]] }
    assert.is_true(math.abs(body:motion().centre[3] - motion.centre[3]) > 0.01)
    near(place, { body:position(7) }, 1e-12)
    near({ x, 0, z }, { (body:velocity(7)), 0, (select(3, body:velocity(7))) }, 1e-12)
    near(motion.spin, body:motion().spin, 1e-12)
  end)

  it("stays where it is when the script places or turns its mesh", function()
    local places = arms(body, corners)
    reload { mesh = [[tide.mesh.box { size = { 0.2, 0.1, 0.4 }, cells = { 2, 2, 2 } }
      :rotate({ 1, 2, 3 }, 1):translate(7, 8, 9)]] }
    near(motion.centre, body:motion().centre, 1e-12)
    near(motion.spin, body:motion().spin, 1e-12)
    for i, arm in ipairs(arms(body, corners)) do near(places[i], arm, 1e-12) end
  end)

  it("keeps its motion with another mesh near the old one, and starts anew elsewhere", function()
    local what = reload { mesh = "tide.mesh.box { size = { 0.2, 0.1, 0.4 }, cells = { 1, 1, 1 } }:translate(0, 1, 0)" }
    has(what.changes, "27 -> 8 vertices, shape kept")
    near(motion.centre, body:motion().centre, 1e-12)
    near(motion.velocity, body:motion().velocity, 1e-12)
    near(motion.spin, body:motion().spin, 1e-12)
    what = reload { mesh = "tide.mesh.box { size = { 0.2, 0.1, 0.4 }, cells = { 2, 1, 1 } }:translate(9, 1, 0)" }
    has(what.changes, "starts anew")
    near({ 9, 1, 0 }, body:motion().centre, 1e-12)
    near({ 0, 0, 0 }, body:motion().velocity, 0)
  end)

  it("keeps its motion when it becomes soft and rigid again", function()
    local place = { body:position(7) }
    local what = reload { options = "density = 1000, solid = { young = 1e5, poisson = 0.3 }" }
    has(what.changes, "rigid true -> false")
    assert.is_falsy(what.changes:find("anew"))
    assert.are.equal(27, #body:positions() // 3)
    near(place, { body:position(7) }, 1e-12)
    local now = body:motion()
    near(motion.velocity, now.velocity, 1e-12)
    near(motion.spin, now.spin, 1e-12)
    assert.is_near(0, scene:energy().elastic, 1e-12)
    assert(scene:step(20))
    now = body:motion()
    reload { options = "density = 1000, rigid = true" }
    near(now.velocity, body:motion().velocity, 1e-12)
    near(now.spin, body:motion().spin, 0.05) -- it was bent a little
    near(now.centre, body:motion().centre, 1e-3)
  end)

  it("keeps its pins with another mesh", function()
    reload { more = "body:pin { 1 }" }
    local place = { body:position(1) }
    assert(scene:step())
    near(place, { body:position(1) }, 1e-4)
    body:move_pin(1, place[1] + 0.1, place[2], place[3])
    local what = reload {
      mesh = "tide.mesh.box { size = { 0.2, 0.1, 0.4 }, cells = { 1, 1, 1 } }:translate(0, 1, 0)",
      more = "body:pin { 1 }",
    }
    assert.is_falsy(what.changes:find("pin"))
    assert(scene:step(2))
    near({ place[1] + 0.1, place[2], place[3] }, { body:position(1) }, 1e-4)
    what = reload { mesh = "tide.mesh.box { size = { 0.2, 0.1, 0.4 }, cells = { 1, 1, 1 } }:translate(0, 1, 0)" }
    has(what.changes, "1 -> 0 pins")
  end)

  it("takes a snapshot from before a change of size, and refuses one of another mesh", function()
    local snapshot, hash = scene:snapshot(), scene:hash()
    reload { mesh = "tide.mesh.box { size = { 0.3, 0.2, 0.4 }, cells = { 2, 2, 2 } }:translate(0, 1, 0)" }
    assert(scene:step(15))
    scene:restore(snapshot)
    assert.are.equal(20, scene.frame)
    near(motion.centre, body:motion().centre, 1e-12)
    near(motion.velocity, body:motion().velocity, 1e-12)
    near(motion.spin, body:motion().spin, 0.05 * 3) -- its angular momentum, of other moments of inertia
    local shape = arms(body, corners)
    assert.is_near(0.09, shape[1][1] ^ 2 + shape[1][2] ^ 2 + shape[1][3] ^ 2, 1e-12)
    local before = scene:hash()
    scene:restore(scene:snapshot())
    assert.are.equal(before, scene:hash())
    reload {}
    scene:restore(snapshot)
    assert.are.equal(hash, scene:hash())
    reload { mesh = "tide.mesh.box { size = { 0.2, 0.1, 0.4 }, cells = { 1, 1, 1 } }:translate(0, 1, 0)" }
    has(helper.message(function() scene:restore(snapshot) end), "of other bodies")
  end)

  it("goes on in a fork as in the scene, and to the start with reset", function()
    reload { mesh = "tide.mesh.box { size = { 0.3, 0.2, 0.4 }, cells = { 2, 2, 2 } }:translate(0, 1, 0)" }
    local fork = scene:fork()
    assert.are.equal(scene:hash(), fork:hash())
    assert(scene:step(10))
    assert(fork:step(10))
    assert.are.equal(scene:hash(), fork:hash())
    scene:reset()
    near({ 0, 1, 0 }, body:motion().centre, 1e-12)
    near({ 0, 0, 0 }, body:motion().spin, 0)
  end)
end)
