-- Plain Lua has the whole machine; a scene that it loads keeps to its folders.
local helper = dofile "tests/script/helper.lua"
local tide = helper.tide

local folder = helper.folder .. "security"

local function write(name, text)
  local file = assert(io.open(folder .. "/" .. name, "w"))
  file:write(text)
  file:close()
  return folder .. "/" .. name
end

local function scene_file(name, lua)
  return write(name, 'local tide = require "springtide"\nlocal scene = tide.scene {}\n' .. lua .. "\nreturn scene\n")
end

describe("files of a host", function()
  os.execute("rm -rf '" .. folder .. "' && mkdir -p '" .. folder .. "/inner' '" .. folder .. "/other'")
  local ball = tide.mesh.sphere { radius = 1, subdivisions = 0 }

  it("are read and written anywhere by plain Lua", function()
    assert(ball:save(folder .. "/other/ball.obj"))
    assert.is_truthy(tide.mesh.load(folder .. "/inner/../other/ball.obj"))
    assert.is_truthy(tide.load(scene_file("other/plain.lua", "")))
    assert.is_nil((tide.load("/nowhere/at/all.lua")))
  end)
  it("are kept from a scene while it is loaded", function()
    write("other/secret.lua", "token-4711 = secret")
    for _, lua in ipairs {
      'tide.load("../other/secret.lua")', 'tide.mesh.load("../other/ball.obj")', 'tide.load("/etc/passwd")',
      'tide.mesh.sphere({ radius = 1, subdivisions = 0 }):save("../x.obj")',
      'tide.mesh.sphere({ radius = 1, subdivisions = 0 }):save("/tmp/springtide-x.obj")',
    } do
      local scene, why = tide.load(scene_file("inner/hostile.lua", lua))
      assert.is_nil(scene)
      assert.is_truthy(why:find("a scene reads only files of its folder", 1, true) or
        why:find("a scene writes only into the current folder", 1, true), why)
      assert.is_nil(why:find("4711", 1, true))
    end
  end)
  it("are kept from its callbacks, and not from those of plain Lua", function()
    local path = folder .. "/inner/late.obj"
    local scene = assert(tide.load(scene_file("inner/late.lua", ("function scene.update() %s:save(%q) end"):format(
      "tide.mesh.sphere { radius = 1, subdivisions = 0 }", path))))
    local _, why = scene:step()
    assert.is_truthy(why:find("a scene writes only into the current folder", 1, true), why)
    local own = tide.scene {}
    function own.update() assert(ball:save(path)) end
    assert(own:step())
  end)
  it("are read by what a scene loads as by the scene", function()
    scene_file("inner/parts.lua", 'tide.load("../top.lua")')
    scene_file("top.lua", "")
    assert.is_truthy(tide.load(scene_file("all.lua", 'assert(tide.load("inner/parts.lua"))')))
    local _, why = tide.load(folder .. "/inner/parts.lua")
    assert.is_truthy(why:find('load: path = "../top.lua": a scene reads only files of its folder', 1, true), why)
  end)
  it("may be reloaded by plain Lua from any path", function()
    local scene = assert(tide.load(folder .. "/inner/late.lua"))
    assert.is_true(scene:reload(folder .. "/other/plain.lua"))
  end)
end)
