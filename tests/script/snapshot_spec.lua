-- Snapshots to files and back.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "a"
  file:close()
  return text
end

local function spun()
  local scene = helper.cloth { solver = { "lbfgs", iterations = 5 } }
  scene.state.count = 3
  scene:step(4)
  return scene
end

describe("a snapshot", function()
  local path = helper.folder .. "saved.world"
  it("is saved and loaded the same", function()
    local scene = spun()
    local snapshot = scene:snapshot()
    assert.is_true(snapshot:save(path))
    has(read(path), "springtide world 1 " .. snapshot.size)
    local other = helper.cloth { solver = { "lbfgs", iterations = 5 } }
    local loaded = assert(other:load_snapshot(path))
    assert.are.same({ snapshot:hash(), 4, snapshot.time, snapshot.size },
      { loaded:hash(), loaded.frame, loaded.time, loaded.size })
    assert.are.equal(0, other.frame) -- loading does not restore
    other:restore(loaded)
    assert.are.equal(scene:hash(), other:hash())
    assert.are.equal(3, other.state.count)
    scene:step(6)
    other:step(6)
    assert.are.equal(scene:hash(), other:hash())
  end)
  it("is not loaded from what is no sound world file", function()
    local scene = spun()
    assert(scene:snapshot():save(path))
    local text = read(path)
    local function refuses(part, bytes)
      local before = scene:hash()
      local loaded, why = scene:load_snapshot(helper.write("bad.world", bytes))
      assert.is_nil(loaded)
      has(why, part)
      has(why, "bad.world")
      assert.are.equal(before, scene:hash())
    end
    local head, body = text:match "^([^\n]*\n)(.*)$"
    refuses("this is no saved world", "")
    refuses("this is no saved world", "local tide = require 'springtide'\n")
    refuses("this is no saved world", text:gsub("world 1", "world 2", 1))
    refuses("this is no saved world", ("x"):rep(1000))
    refuses("it was cut short", text:sub(1, -40))
    refuses("line = 2", head .. "x" .. body:sub(2))
    refuses("expected the end", text .. "00")
    refuses("the hash is not that of the bytes", head .. (body:sub(1, 1) == "0" and "1" or "0") .. body:sub(2))
    refuses("no more than the file has", head:gsub("1 %d+", "1 99999999999999", 1) .. body)
    refuses("no more than the file has", head:gsub("1 %d+", "1 -1", 1) .. body)
    refuses("no more than the file has", head:gsub("%x\n", "z\n", 1) .. body)
  end)
  it("is not loaded into a scene of other bodies", function()
    assert(spun():snapshot():save(path))
    local loaded, why = tide.scene({}):load_snapshot(path)
    assert.is_nil(loaded)
    has(why, "of other bodies")
  end)
  it("returns a message for what the system refuses", function()
    local scene = spun()
    local loaded, why = scene:load_snapshot(helper.folder .. "nowhere.world")
    assert.is_nil(loaded)
    has(why, "cannot be opened")
    loaded, why = scene:load_snapshot(helper.folder)
    assert.is_nil(loaded)
    has(why, "cannot be")
    os.execute("rm -f '" .. helper.folder .. "pipe'; mkfifo '" .. helper.folder .. "pipe'")
    loaded, why = scene:load_snapshot(helper.folder .. "pipe")
    assert.is_nil(loaded)
    has(why, "a device, a pipe or a socket")
    local saved, no = scene:snapshot():save "/nowhere/a.world"
    assert.is_nil(saved)
    has(no, "cannot be")
    has(message(function() scene:load_snapshot(3) end), "scene: load_snapshot = 3: expected a string")
    has(message(function() scene:snapshot():save() end), "snapshot: save = nil: expected a string")
  end)
  it("of a scene keeps to its folders", function()
    assert(spun():snapshot():save(helper.folder .. "secret.world"))
    local function refuses(line, part)
      for _, form in ipairs { "%s", "function scene.update() %s end" } do
        local text = 'local tide = require "springtide"\nlocal scene = tide.scene {}\n' .. form:format(line)
        local scene, why = tide.load(helper.write("inner/hostile.lua", text .. "\nreturn scene\n"))
        if scene then _, why = scene:step() end
        has(why, part)
      end
    end
    refuses('scene:load_snapshot "../secret.world"', "a scene reads only files of its folder")
    refuses('scene:load_snapshot "/etc/passwd"', "a scene reads only files of its folder")
    refuses('scene:snapshot():save "../x.world"', "a scene writes only into the current folder")
    refuses('scene:snapshot():save "/tmp/springtide-x.world"', "a scene writes only into the current folder")
  end)
end)
