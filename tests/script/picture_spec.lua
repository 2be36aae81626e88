local helper = dofile "tests/script/helper.lua"
local tide = require "springtide"

-- Returns the size in the header of a PNG file, and its bytes.
local function read(path)
  local file = assert(io.open(path, "rb"))
  local bytes = file:read("a")
  file:close()
  assert.are.equal("\137PNG\r\n\26\n", bytes:sub(1, 8))
  return string.unpack(">I4I4", bytes, 17), string.unpack(">I4", bytes, 21), bytes
end

describe("a picture of a scene", function()
  local path = helper.folder .. "a.png"
  it("is of the size asked for, and repeats to the byte", function()
    local scene = helper.cloth()
    local before = scene:hash()
    assert.is_true(scene:picture(path, { width = 160, height = 90 }))
    local width, height, bytes = read(path)
    assert.are.same({ 160, 90 }, { width, height })
    assert.is_true(scene:picture(path, { width = 160, height = 90 }))
    assert.are.equal(bytes, select(3, read(path)))
    assert.are.equal(before, scene:hash())
  end)
  it("changes with the state, the colours and the camera", function()
    local scene = helper.cloth()
    local seen = {}
    local function look(options)
      options.width, options.height = 160, 90
      assert.is_true(scene:picture(path, options))
      local bytes = select(3, read(path))
      assert.is_nil(seen[bytes])
      seen[bytes] = true
    end
    look {}
    look { wireframe = true }
    scene:step(10)
    look {}
    look { colour = "speed" }
    scene.camera = { position = { 1, 3, 4 }, target = { 0, 0, 0 } }
    look {}
  end)
  it("is of an empty scene, too", function()
    assert.is_true(tide.scene({}):picture(path, { width = 64, height = 64 }))
  end)
  it("refuses what it cannot be", function()
    local scene = helper.cloth()
    helper.has(helper.message(function() scene:picture "a.jpg" end),
      'scene: picture = "a.jpg": expected a name that ends in .png')
    helper.has(helper.message(function() scene:picture(path, { width = 9 }) end), "width = 9")
    helper.has(helper.message(function() scene:picture(path, { widht = 90 }) end), "widht")
    helper.has(helper.message(function() scene:picture(path, { colour = "nosuch" }) end), "colour")
    helper.has(helper.message(function() scene:picture() end), "expected a string")
    local done, message = scene:picture "/nosuch/folder/a.png"
    assert.is_nil(done)
    helper.has(message, "/nosuch/folder/a.png")
  end)
end)
