-- Every scene of scenes/, those of the course too, runs, headless, and runs the same again.
local helper = dofile "tests/script/helper.lua"

describe("the scene", function()
  -- check.lua marks exercises; scenes/learning/ has scripts that run scenes, and what they measure
  local files = io.popen "find scenes -name '*.lua' ! -name check.lua ! -path 'scenes/learning/*' | sort"
  local count = 0
  for path in files:lines() do
    count = count + 1
    it(path .. " loads, steps and reloads", function()
      local scene = assert(helper.tide.load(path))
      assert.is_true(scene:step(3))
      local hash = scene:hash()
      scene:reset()
      assert.is_true(scene:step(3))
      assert.are.equal(hash, scene:hash())
      local ok, what = scene:reload()
      assert(ok, what)
      assert.are.equal(#scene:bodies(), what.kept)
      assert.are.equal(hash, scene:hash())
      local other = assert(helper.tide.load(path))
      assert.is_true(other:step(3))
      assert.are.equal(hash, other:hash())
    end)
  end
  files:close()
  it("has the hash that the program prints", function()
    local build = os.getenv "SPRINGTIDE_BUILD" or "build/release"
    for _, name in ipairs { "curtain", "pendulum" } do
      local path = "scenes/" .. name .. ".lua"
      -- a library preloaded into this process, such as a sanitizer's, is not for the program
      local program = io.popen(("LD_PRELOAD= '%s/springtide' run %s --headless --frames 10 --hash"):format(build, path))
      local printed = program:read "a"
      program:close()
      local scene = assert(helper.tide.load(path))
      assert.is_true(scene:step(10))
      assert.are.equal(scene:hash() .. "\n", printed)
    end
  end)
  it("was found", function()
    assert.is_true(count > 0)
  end)
end)
