-- Every message for bad input is read here, and the world goes on after it.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

describe("bad input", function()
  local scene, cloth
  before_each(function()
    scene, cloth = helper.cloth()
  end)
  after_each(function()
    assert.is_true(scene:step(2))
  end)

  local function grid(fields)
    return message(function() tide.mesh.grid(fields) end)
  end
  local function body(fields)
    fields.mesh = fields.mesh or tide.mesh.grid { columns = 3, rows = 3, width = 1, height = 1 }
    return message(function() scene:body("sheet", fields) end)
  end

  it("names this file and line, object, field and the nearest name", function()
    local line = debug.getinfo(1, "l").currentline + 1
    local text = message(function() scene:body("sheet", { mesh = tide.mesh.strand { points = 2 }, stifness = 3 }) end)
    has(text, "errors_spec.lua:" .. line .. ': body "sheet": stifness: unknown field; did you mean "stiffness"?')
    assert.is_nil(text:find("errors_spec.lua.*errors_spec.lua"))
  end)
  it("unknown fields of a scene, a solver, a camera, a pin, an option", function()
    has(message(tide.scene, { timestp = 1 }), 'scene: timestp: unknown field; did you mean "timestep"?')
    has(message(tide.scene, { solver = { "local_global", iteration = 1 } }),
      'solver "local_global": iteration: unknown field; did you mean "iterations"?')
    has(message(tide.scene, { solver = "local_globl" }), "local_global")
    has(message(tide.scene, { camera = { position = { 0, 0, 1 }, taget = { 0, 0, 0 } } }), 'did you mean "target"?')
    has(message(function() cloth:pin { 1, stifness = 3 } end), 'did you mean "stiffness"?')
    has(message(tide.load, "x.lua", { sead = 1 }), 'load: sead: unknown field; did you mean "seed"?')
    has(grid { colums = 3 }, 'mesh grid: colums: unknown field; did you mean "columns"?')
  end)
  it("unknown names of objects and modules", function()
    has(message(function() scene.updat = print end), 'scene: updat: unknown; did you mean "update"?')
    has(message(function() return scene.stat end), 'scene: stat: unknown; did you mean "state"?')
    has(message(function() scene.time = 3 end), "scene: time: cannot be assigned")
    has(message(function() scene.update = 3 end), "scene: update = 3: expected a function")
    has(message(function() cloth:pins() end), 'body: pins: unknown; did you mean "pin"?')
    has(message(function() return tide.mesh.gird end), 'tide.mesh: gird: unknown; did you mean "grid"?')
    has(message(function() return tide.loadd end), 'tide: loadd: unknown; did you mean "load"?')
    has(message(function() return tide.linear.vectro end), 'did you mean "vector"?')
    has(message(function() return scene:body("clot") end), 'there is no such body; did you mean "cloth"?')
  end)
  it("what belongs to a definition", function()
    local ball = scene:collider("ball", { shape = "sphere", radius = 0.1, position = { 0, -9, 0 } })
    for _, name in ipairs { "mass", "stiffness", "springs" } do
      local told = "body: " .. name .. ": unknown; only its definition has it: change it there"
      has(message(function() cloth[name] = 1 end), told)
      has(message(function() return cloth[name] end), told)
    end
    for _, name in ipairs { "radius", "move", "keyframes", "major" } do
      has(message(function() ball[name] = 1 end), "collider: " .. name .. ": unknown; only its definition has it")
    end
    has(message(function() scene:body { mesh = 1 } end),
      'scene: body = a table: expected its name first: scene:body("NAME", { ... })')
    has(message(function() scene:collider { shape = "sphere" } end), 'expected its name first: scene:collider("NAME", ')
  end)
  it("a callback among settings, and settings for a callback", function()
    for _, name in ipairs { "update", "draw", "keypressed", "mousepressed", "contact", "quit" } do
      has(message(tide.scene, { [name] = print }),
        "scene: " .. name .. ": is no setting; give it to the scene once there is one: function scene." .. name .. "(")
    end
    has(message(function() scene.contact = { continuous = true } end),
      "scene: contact = a table: expected a function; how touching is answered is given in tide.scene { contact = ")
    has(message(function() scene.update = {} end), "scene: update = a table: expected a function")
  end)
  it("one argument for several, and several for one", function()
    has(message(function() cloth:pin(1, 5) end),
      "pin = 5: expected { stiffness = ... }; several vertices go into one list")
    has(message(function() cloth:unpin(1, 5) end), "unpin = 5: one too many; several vertices go into one list")
    assert.is_true(cloth:is_pinned(1))
    for _, name in ipairs { "set_position", "set_velocity", "force", "move_pin" } do
      has(message(function() cloth[name](cloth, 1, { 0, 0, 0 }) end),
        'body "cloth": ' .. name .. " = a table: expected three numbers, x, y, z, not a list")
    end
    has(message(tide.mesh.grid), "mesh grid: expected a table of fields, not nil")
    has(message(tide.param, "x", 0 / 0), 'param "x": nan: expected a finite number')
  end)
  it("vectors with names in them, and a camera without an up", function()
    has(message(tide.scene, { gravity = { 0, -9.81, 0, y = 3 } }), "scene: gravity = a table: expected three numbers")
    has(message(function() scene:collider("b", { shape = "box", rotation = { 0, 1, 0, 1, angle = 2 } }) end),
      'collider "b": rotation = a table: expected four finite numbers')
    has(message(tide.scene, { camera = { position = { 0, 0, 1 }, up = { 0, 0, 0 } } }),
      "camera: up = {0, 0, 0}: expected a direction")
  end)
  it("a wrong type", function()
    has(body { stiffness = "much" }, 'body "sheet": stiffness = "much": expected a number')
    has(body { mesh = 3 }, 'body "sheet": mesh = 3: expected a mesh')
    has(body { springs = 3 }, 'body "sheet": springs = 3: expected a list')
    has(grid { columns = {}, rows = 3 }, "mesh grid: columns = a table: expected an integer")
    has(message(tide.scene, { gravity = 9.81 }), "scene: gravity = 9.81: expected three numbers")
    has(message(tide.scene, 3), "scene: expected a table of fields, not 3")
    has(message(cloth.position, 3, 1), "call it with a colon: body:method(...)")
    has(message(function() cloth:force(1, 2, "a", 3) end), 'body "cloth": force = "a": expected a finite number')
    has(message(function() cloth:pin("left") end), "expected a list of vertices or a function(i, x, y, z)")
  end)
  it("NaN and infinity", function()
    has(body { stiffness = 0 / 0 }, 'body "sheet": stiffness = nan: expected a finite number, not NaN')
    has(message(tide.scene, { timestep = 1 / 0 }), "scene: timestep = inf: expected a finite number, not infinity")
    has(message(tide.scene, { gravity = { 0, 0 / 0, 0 } }), "expected finite numbers, not NaN")
    for _, method in ipairs { "force", "set_position", "set_velocity", "move_pin" } do
      has(message(function() cloth[method](cloth, 1, 0, 0 / 0, 0) end),
        'body "cloth": ' .. method .. " = nan: expected a finite number")
    end
    local positions = cloth:positions()
    has(message(function() positions[1] = 0 / 0 end), 'body "cloth": positions = nan: expected a finite number')
    has(message(tide.mesh.new, { vertices = { { 0, 0 / 0, 0 } } }), "mesh new: vertices[1] = nan")
  end)
  it("a negative mass, timestep and stiffness", function()
    has(body { mass = -1 }, 'body "sheet": mass = -1: expected a number greater than 0')
    has(body { stiffness = -1 }, 'body "sheet": stiffness = -1: expected a number')
    has(body { masses = { 1, 2, 3, 4, 5, 6, 7, 8, -9 } }, 'body "sheet": masses = -9')
    has(body { masses = { 1, 2 } }, 'body "sheet": masses: expected 9 numbers')
    has(message(function() scene.timestep = -1 end), "scene: timestep = -1: expected a number greater than 0")
  end)
  it("an empty mesh", function()
    has(message(tide.mesh.new, { vertices = {} }), "vert")
    has(message(tide.mesh.new, {}), "mesh new: vertices: missing")
    has(message(function() scene:body("sheet", { mass = 1 }) end), 'body "sheet": mesh: missing')
    local file = helper.folder .. "no-such-file.obj"
    has(message(function() scene:body("sheet", { mesh = tide.mesh.load(file) }) end),
      'body "sheet": mesh: missing; tide.mesh.load gave none: mesh file "' .. file .. '": cannot be opened')
    has(message(function() scene:collider("sheet", { shape = "mesh", mesh = tide.mesh.load(file) }) end),
      'collider "sheet": mesh: missing; tide.mesh.load gave none: mesh file')
  end)
  it("an index out of range", function()
    has(message(tide.mesh.new, { vertices = { { 0, 0, 0 }, { 1, 0, 0 } }, edges = { { 1, 3 } } }),
      "mesh new: edges[1] = 3: expected a vertex from 1 to 2")
    has(message(function() cloth:position(0) end), 'body "cloth": position = 0: expected a vertex from 1 to 25')
    has(message(function() cloth:force(26, 0, 0, 0) end), 'body "cloth": force = 26: expected a vertex from 1 to 25')
    has(message(function() cloth:position(1.5) end), 'body "cloth": position = 1.5: expected a vertex from 1 to 25')
    has(body { springs = { { 1, 10, 5 } } }, 'body "sheet": springs[1] = 10: expected a vertex from 1 to 9')
    local positions = cloth:positions()
    has(message(function() return positions[0] end), 'body "cloth": positions = 0: expected an index from 1 to 75')
    has(message(function() positions[76] = 1 end), 'body "cloth": positions = 76: expected an index from 1 to 75')
  end)
  it("a pin of a vertex that is not there", function()
    local hash = scene:hash()
    has(message(function() cloth:pin { 2, 9000 } end), 'body "cloth": pin = 9000: expected a vertex from 1 to 25')
    assert.are.equal(hash, scene:hash()) -- vertex 2 was not pinned either
    has(message(function() cloth:move_pin(7, 0, 0, 0) end), "not pinned")
    has(message(function() cloth:pin({ 7 }, { stiffness = -1 }) end), "stiffness = -1")
  end)
  it("a missing or malformed OBJ or .mesh", function()
    local mesh, text = tide.mesh.load("nowhere/none.obj")
    assert.is_nil(mesh)
    has(text, "nowhere/none.obj")
    local obj = helper.write("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 nine\n")
    mesh, text = tide.mesh.load(obj)
    assert.is_nil(mesh)
    has(text, "bad.obj:4")
    local medit = helper.write("bad.mesh", "MeshVersionFormatted 1\nDimension 3\nVertices\n2\n0 0 0 0\n1 0 x 0\nEnd\n")
    mesh, text = tide.mesh.load(medit)
    assert.is_nil(mesh)
    has(text, "bad.mesh:6")
  end)
  it("an isolated vertex, named by the mesh doctor", function()
    local mesh = tide.mesh.new { vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 5, 5, 5 } }, edges = { { 1, 2 } } }
    local problems = mesh:check()
    assert.are.equal(1, #problems)
    assert.are.equal("isolated vertex", problems[1].kind)
    assert.are.equal(3, problems[1].index)
    assert.are.equal(1, problems[1].count)
    assert.is_true(problems[1].fatal)
    has(problems[1].text, "3")
    has(body { mesh = mesh, stiffness = 1 }, 'body "sheet": mesh: ')
  end)
  it("two bodies of one name", function()
    has(message(function() scene:body("cloth", { mesh = tide.mesh.strand { points = 2, to = { 1, 0, 0 } } }) end),
      'body "cloth": the scene has a body of this name already')
  end)
end)

describe("a script at fault", function()
  local function load(text, options)
    local path = helper.write("fault.lua", text)
    local scene, why = tide.load(path, options)
    assert.is_nil(scene)
    return why, path
  end
  it("has a syntax error", function()
    local why, path = load("local tide = require 'springtide'\nlocal scene = = 3\n")
    has(why, path .. ":2: ")
  end)
  it("is named with its whole path, however long", function()
    local long = "a_folder_with_a_name_that_is_longer_than_what_lua_shows_of_a_path/"
    os.execute("mkdir -p " .. helper.folder .. long)
    for text, line in pairs { ["local a = = 3"] = 1, ["\nlocal a = nil + 3"] = 2, ["\n\nerror 'boom'"] = 3 } do
      local path = helper.write(long .. "fault.lua", text)
      local _, why = tide.load(path)
      assert.equal(1, why:find(("%s:%d: "):format(path, line), 1, true), why)
    end
  end)
  it("is missing, empty or returns no scene", function()
    local scene, why = tide.load("nowhere.lua")
    assert.is_nil(scene)
    has(why, "nowhere.lua: cannot be read: No such file")
    has(load "", "is empty")
    has(load "return 3", "the script returned 3; end it with `return scene`")
    has(load "local tide = require 'springtide'", "the script returned nil; end it with `return scene`")
  end)
  it("raises errors of any type", function()
    local why, path = load "error({})"
    has(why, path .. ":1: the script raised a table as an error")
    has(load "error('no place', 0)", ": no place")
    has(load "error(setmetatable({}, { __tostring = function() return 'mine' end }))", "mine")
    has(load "local t = nil; t.x = 1", ":1: attempt to index a nil value")
    has(load "\n\nrequire('springtide').scene { gravty = 1 }", ":3: scene: gravty: unknown field")
  end)
  it("throws in update: the world is at the last good frame", function()
    local scene = helper.cloth()
    scene:step(3)
    local hash = scene:hash()
    local line = debug.getinfo(1, "l").currentline + 3
    function scene.update()
      scene:body("cloth"):force(13, 1, 0, 0) -- not to act on a later step
      error("the wind fails")
    end
    local ok, why = scene:step()
    assert.is_nil(ok)
    has(why, "errors_spec.lua:" .. line .. ": the wind fails")
    assert.are.equal(hash, scene:hash())
    assert.are.equal(3, scene.frame)
    scene.update = nil
    assert.is_true(scene:step())
    assert.are.equal(4, scene.frame)
  end)
  it("leaves all that update did undone when it fails or its step does", function()
    local scene, cloth = helper.cloth()
    scene.state.calls = 0
    scene.state.list = { 1, { 2 } }
    assert.is_true(scene:step(3))
    local state, hash = scene.state, scene:hash()
    local function spoil()
      cloth:set_position(13, 1, 2, 3)
      cloth:velocities()[7] = 5
      cloth:force(14, 1, 2, 3)
      cloth:unpin { 1 }
      cloth:pin(function(i) return i > 20 end)
      cloth:move_pin(5, 4, 4, 4)
      scene:random()
      scene.state.calls = scene.state.calls + 1
      scene.state.list[2][1] = "changed"
      scene.state.more = true
    end
    local ends = {
      function() error("no wind") end,
      function() cloth:set_position(13, 1e300, 0, 0) end,
      function() cloth:set_velocity(13, 1e305, 0, 0) end,
      function() cloth:force(13, 1e308, 0, 0) end,
      function() scene:reset(); error("no wind") end,
    }
    for _, finish in ipairs(ends) do
      function scene.update()
        spoil()
        finish()
      end
      local ok, why = scene:step()
      assert.is_nil(ok)
      assert.is_string(why)
      assert.are.equal(hash, scene:hash())
      assert.are.equal(state, scene.state)
      assert.are.equal(3, scene.frame)
    end
    scene.update = nil
    local fork = scene:fork()
    assert.is_true(scene:step(5))
    assert.is_true(fork:step(5))
    assert.are.equal(fork:hash(), scene:hash())
  end)
  it("says how far out a position is", function()
    local scene, cloth = helper.cloth()
    assert.is_true(scene:step())
    cloth:set_position(7, 0, 1e10, 0)
    local ok, why = scene:step()
    assert.is_nil(ok)
    has(why, 'body "cloth": vertex = 7: its position is not within 1e9 m of the origin')
    scene:reset()
    assert.is_true(scene:step())
  end)
  it("makes one line of any name", function()
    local scene = helper.cloth()
    local odd = message(function() scene:body("two\nlines\27", { mesh = tide.mesh.strand { points = 2 } }) end)
    has(odd, "byte 4 (0x0A) is a control character or no UTF-8; expected printable text on one line")
    assert.is_nil(odd:find("[\n\27]"))
    assert.is_nil(message(function() scene["no\nfield"] = 1 end):find("\n"))
    assert.is_nil(message(tide.mesh.load, "no\nfile.obj"):find("\n"))
  end)
  it("numbers too large for what they are", function()
    local scene = helper.cloth()
    has(message(function() scene.ground = 1e300 end), "scene: ground = 1e+300: expected a height from -1e9 to 1e9 m")
    has(message(tide.linear.vector, 1e9), "vector: size = 1000000000: expected an integer from 0 to 300000000")
    has(message(function()
      scene:body("sheet", { mesh = tide.mesh.strand { points = 2 }, springs = { { 1, 2, 1e18 } } })
    end), "springs[1] = 1e+18: expected a stiffness from 0 to 1e+15 N/m")
  end)
  it("steps in update", function()
    local scene = helper.cloth()
    local inner
    function scene.update()
      local ok, why = scene:step()
      inner = { ok, why }
    end
    assert.is_true(scene:step())
    assert.is_nil(inner[1])
    has(inner[2], "the scene is in a step already")
  end)
  it("makes a step that diverges", function()
    local scene = helper.cloth({ solver = { "symplectic_euler", substep = 1 }, timestep = 1 }, { stiffness = 1e9 })
    local ok, why
    for _ = 1, 100 do
      ok, why = scene:step()
      if not ok then break end
    end
    assert.is_nil(ok)
    has(why, 'body "cloth"')
    has(why, "diverged")
    has(why, "helper.lua:") -- where the body was made
    local x = scene:body("cloth"):position(13)
    assert.is_true(x == x)
  end)
end)
