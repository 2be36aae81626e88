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

-- Runs the program: whether it ends well, and what it prints.
local function run(arguments)
  local build = os.getenv("SPRINGTIDE_BUILD") or "build/release"
  local pipe = assert(io.popen(("LD_PRELOAD= '%s/springtide' %s 2>&1"):format(build, arguments)))
  local text = pipe:read "a"
  return pipe:close(), text
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

  -- A reload puts a body's shape into a finer mesh, which then is moved through another body.
  it("begins after a reload with a finer mesh", function()
    local script = [[
local tide = require "springtide"
local scene = tide.scene { gravity = { 0, 0, 0 } }
local function sheet(name, n, width, x, y, z)
  scene:body(name, { mesh = tide.mesh.grid { columns = n, rows = n, width = width, height = width }:translate(x, y, z),
    mass = 0.3, stiffness = 100, bend = 5, thickness = 0.01 })
end
sheet("first", 17, 1, 0, 0, 0)
sheet("second", $n, 0.5, 0.263, $y, 0.227)
return scene
]]
    local function write(n, y)
      return helper.write("tangle/scene.lua", (script:gsub("%$(%w)", { n = tostring(n), y = tostring(y) })))
    end
    local scene = assert(tide.load(write(8, 0.1)))
    scene:step(3)
    assert.is_true(scene:certify().clean)
    local ok, what = scene:reload(write(15, 0.1))
    assert.is_true(ok)
    helper.has(what.changes, "second: 64 -> 225 vertices, shape kept")
    local second = scene:body("second")
    for i = 1, 30 do -- two rows
      local x, y, z = second:position(i)
      second:set_position(i, x, y - 0.12, z)
    end
    local found = scene:certify()
    assert.is_true(found.count > 5)
    helper.has(found.text, 'body "second"')
    local fastest = 0
    for _ = 1, 40 do
      scene:step()
      local velocities = second:velocities()
      for i = 1, #velocities do
        fastest = math.max(fastest, math.abs(velocities[i]))
      end
    end
    assert.is_true(scene:certify().clean)
    assert.is_true(fastest < 5)
  end)

  -- Held roots are meant to be inside; those of strands that nothing holds are not.
  it("leaves strands alone that are rooted inside what they go through", function()
    local script = [[
local tide = require "springtide"
local scene = tide.scene { gravity = { 0, 0, 0 }, contact = { continuous = true } }
scene:collider("head", $head)
for i = 1, 8 do
  local x, z = math.cos(i * math.pi / 4 + 0.1), math.sin(i * math.pi / 4 + 0.1)
  local strand = scene:body("strand " .. i, { mass = 0.01, stiffness = 50, bend = 1, thickness = 0.004,
    mesh = tide.mesh.strand { points = 9, from = { 0.16 * x, 0, 0.16 * z }, to = { 0.56 * x, 0, 0.56 * z } } })
  if $held then
    strand:pin(1)
  end
end
return scene
]]
    for _, head in ipairs { "{ shape = 'sphere', radius = 0.2 }",
      "{ shape = 'mesh', mesh = tide.mesh.sphere { radius = 0.2, subdivisions = 3 } }" } do
      local path = helper.write("tangle/hair.lua", (script:gsub("%$(%w+)", { head = head, held = "true" })))
      local ok, text = run(("run '%s' --headless --frames 30"):format(path))
      assert.is_true(ok)
      assert.are.equal("", text)
      local scene = assert(tide.load(path))
      scene:step(30)
      for i = 1, 8 do
        for k = 1, 9 do -- none has moved
          local x, y, z = scene:body("strand " .. i):position(k)
          local r, angle = 0.11 + 0.05 * k, i * math.pi / 4 + 0.1
          assert.is_near(r * math.cos(angle), x, 1e-6)
          assert.is_near(0, y, 1e-6)
          assert.is_near(r * math.sin(angle), z, 1e-6)
        end
      end
      path = helper.write("tangle/loose.lua", (script:gsub("%$(%w+)", { head = head, held = "false" })))
      ok, text = run(("run '%s' --headless --frames 90"):format(path))
      assert.is_true(ok)
      helper.has(text, "they are pulled apart over the next steps")
      helper.has(text, "untangled after")
    end
  end)

  it("is recorded, and replayed to the same states", function()
    local replay = helper.folder .. "tangle.replay"
    local ok, text = run(("run scenes/tangle.lua --headless --frames 20 --hash --record '%s'"):format(replay))
    assert.is_true(ok, text)
    helper.has(text, "they are pulled apart over the next steps")
    local hash = assert(text:match("(%x+)%s*$"))
    local same, again = run(("run --replay '%s' --headless --verify --hash"):format(replay))
    assert.is_true(same, again)
    helper.has(again, "the same: 21 states of the replay")
    assert.are.equal(hash, again:match("(%x+)%s*$"))
  end)
end)
