-- A start from a tangle, as a script sees it: what is said, when it is over, and that going back repeats it.
local helper = dofile "tests/script/helper.lua"
local tide = helper.tide

local function sheet(scene, name, n, width, move, more)
  local definition = { mesh = move(tide.mesh.grid { columns = n, rows = n, width = width, height = width }),
                       mass = 0.3, stiffness = 100, bend = 5, thickness = 0.01 }
  for key, value in pairs(more or {}) do
    definition[key] = value
  end
  return scene:body(name, definition)
end

-- The border of the second sheet is below the first.
local function crossed(more)
  local scene = tide.scene { gravity = { 0, 0, 0 }, contact = { continuous = true } }
  local first = sheet(scene, "first", 17, 1, function(mesh) return mesh end, more)
  local second = sheet(scene, "second", 12, 0.5, function(mesh)
    return mesh:rotate({ 1, 0, 0.1 }, 1.1):translate(0.263, 0.15, 0.527)
  end, more)
  return scene, first, second
end

describe("a start from a tangle", function()
  it("is pulled apart, and again in the same way after going back", function()
    local scene = crossed()
    assert.is_true(scene:certify().count > 20)
    scene:step(10)
    local snapshot = scene:snapshot()
    scene:step(60)
    assert.is_true(scene:certify().clean)
    local hash = scene:hash()
    scene:restore(snapshot)
    scene:step(60)
    assert.are.equal(hash, scene:hash())
    local fork = scene:fork()
    scene:step(5)
    fork:step(5)
    assert.are.equal(scene:hash(), fork:hash())
  end)

  it("is left alone where the scene lets bodies pass", function()
    local scene, first, second = crossed()
    scene:set_touching(first, second, false)
    local before = scene:certify().count
    scene:step(30)
    assert.are.equal(before, scene:certify().allowed)
    scene:set_touching(first, second, true) -- now they are to part
    scene:step(90)
    assert.is_true(scene:certify().clean)
  end)

  it("begins where a pin jumps", function()
    local scene = tide.scene { gravity = { 0, 0, 0 } }
    sheet(scene, "first", 17, 1, function(mesh) return mesh end)
    local second = sheet(scene, "second", 12, 0.5, function(mesh) return mesh:translate(0.263, 0.1, 0.227) end)
    second:pin(1)
    scene:step(2)
    second:move_pin(1, 0.263, -0.1, 0.227)
    scene:step(1)
    second:unpin(1)
    scene:step(150)
    assert.is_true(scene:certify().clean)
  end)
end)
