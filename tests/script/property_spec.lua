-- Tables returned by properties: an assignment to their fields takes effect or is an error.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local function camera()
  return { position = { 0, 1, 5 }, target = { 0, 0.5, 0 }, up = { 0, 1, 0 }, field_of_view = 0.5 }
end

describe("a record that a property gives", function()
  it("takes an option of the solver as the whole with that option changed does", function()
    local a = helper.cloth { solver = { "local_global", iterations = 3, acceleration = "anderson", window = 2 } }
    local b = helper.cloth { solver = { "local_global", iterations = 3, acceleration = "anderson", window = 2 } }
    a.solver.iterations = 9
    b.solver = { "local_global", iterations = 9, acceleration = "anderson", window = 2 }
    assert.are.equal(9, a.solver.iterations)
    assert.is_true(a.solver == b.solver)
    a:step(3)
    b:step(3)
    assert.are.equal(9, a:report().iterations)
    assert.are.equal(b:hash(), a:hash())
    a.solver.window = nil
    assert.are.equal(5, a.solver.window) -- its default
  end)
  it("refuses what the whole refuses, and changes nothing", function()
    local scene = tide.scene { solver = { "local_global", iterations = 7 } }
    for _, case in ipairs {
      { "iteration", 5, 'property_spec.lua:37: solver "local_global": iteration: unknown field; ' ..
        'did you mean "iterations"?' },
      { "iterations", "5", 'solver "local_global": iterations = "5": expected an integer from 1' },
      { "iterations", 0, "iterations = 0: expected an integer from 1" },
      { "tolerance", 0 / 0, "tolerance = nan: expected a finite number" },
      { "tolerance", math.huge, "tolerance = inf: expected" },
      { 1, "newton", 'scene: solver[1] = "newton": another has options of its own; write scene.solver = { "newton", ' },
      { 2, 5, "solver \"local_global\": [2]: unexpected; give every field by its name" },
      { true, 5, "scene: solver[true]: unexpected" },
    } do
      has(message(function() scene.solver[case[1]] = case[2] end), case[3])
      assert.are.equal("local_global", scene.solver[1])
      assert.are.equal(7, scene.solver.iterations)
    end
  end)
  it("takes fields of an option that has some", function()
    local scene = tide.scene { solver = { "local_global", iterations = 7, solve = { vectors = "128" } } }
    local solve = scene.solver.solve
    scene.solver.solve.way = "double"
    assert.are.same({ "128", "double", 7 },
      { scene.solver.solve.vectors, scene.solver.solve.way, scene.solver.iterations })
    has(message(function() scene.solver.solve.wya = "fast" end), 'solve.wya: unknown field; did you mean "way"?')
    scene.solver.solve = "fast"
    has(message(function() solve.way = "double" end),
      'scene: solver.solve = "fast": has no fields now; assign all of it: scene.solver.solve = { ... }')
  end)
  it("keeps what was read, and brings it back when it is assigned", function()
    local scene = tide.scene { solver = { "local_global", iterations = 7 }, camera = camera() }
    local solver, view = scene.solver, scene.camera
    scene.solver = { "local_global", iterations = 20, tolerance = 1e-3 }
    solver.window = 3 -- all else as it is now
    assert.are.same({ 20, 1e-3, 3 }, { scene.solver.iterations, scene.solver.tolerance, scene.solver.window })
    assert.are.same({ 7, 3 }, { solver.iterations, solver.window })
    scene.solver = "newton"
    has(message(function() solver.iterations = 8 end),
      'solver.iterations = 8: this was read from local_global, and now there is newton; ' ..
      'write scene.solver = { "local_global", ... }')
    scene.solver = solver
    assert.are.same({ "local_global", 7, 3 }, { scene.solver[1], scene.solver.iterations, scene.solver.window })
    scene.camera = nil
    has(message(function() view.field_of_view = 1 end),
      "scene: camera = nil: has no fields now; assign all of it: scene.camera = { ... }")
    scene.camera = view
    assert.are.same(camera(), scene.camera)
  end)
  it("takes fields of the camera", function()
    local scene = tide.scene { camera = camera() }
    scene.camera.field_of_view = 1
    scene.camera.position = { 1, 2, 3 }
    assert.are.equal(1, scene.camera.field_of_view)
    assert.are.same({ 1, 2, 3 }, scene.camera.position)
    assert.are.same({ 0, 0.5, 0 }, scene.camera.target)
    has(message(function() scene.camera.fild_of_view = 1 end), 'did you mean "field_of_view"?')
    has(message(function() scene.camera.position = { 0, 0.5, 0 } end), "camera: position: expected another place")
    has(message(function() scene.camera.position = nil end), "camera: position: missing")
    assert.are.same({ 1, 2, 3 }, scene.camera.position)
  end)
  it("is the fork's while the fork runs", function()
    local scene = helper.cloth { solver = { "local_global", iterations = 3 } }
    local solver = scene.solver
    function scene.update() solver.iterations = 6 end
    local fork = scene:fork()
    assert(fork:step())
    assert.are.same({ 3, 6 }, { scene.solver.iterations, fork.solver.iterations })
  end)
end)

describe("a list of numbers that a property gives", function()
  it("takes one of them as the whole with that one changed does", function()
    local scene = tide.scene { gravity = { 0, -1.5, 0 }, background = { 1, 0.5, 0 }, camera = camera() }
    scene.gravity[2] = -1.62
    scene.background[1] = 0
    scene.camera.position[3] = 4
    assert.are.same({ 0, -1.62, 0 }, scene.gravity)
    assert.are.same({ 0, 0.5, 0 }, scene.background)
    assert.are.same({ 0, 1, 4 }, scene.camera.position)
    local gravity = scene.gravity
    scene.gravity = { 1, -2, 3 }
    gravity[2] = -3 -- the others as they are now
    assert.are.same({ 1, -3, 3 }, scene.gravity)
    assert.are.same({ 0, -3, 0 }, gravity)
    gravity[1] = 5
    scene.gravity = gravity
    assert.are.same({ 5, -3, 0 }, scene.gravity)
    for _, case in ipairs {
      { scene.gravity, "y", -1.62, "property_spec.lua:" },
      { scene.gravity, 2, "x", "scene: gravity = " },
      { scene.gravity, 2, nil, "scene: gravity = " },
      { scene.gravity, 4, 1, "scene: gravity = " },
      { scene.gravity, 2, 0 / 0, "scene: gravity = " },
      { scene.camera.position, 3, 1 / 0, "camera: position" },
    } do
      has(message(function() case[1][case[2]] = case[3] end), case[4])
    end
    assert.are.same({ 5, -3, 0 }, scene.gravity)
  end)
  it("is a plain copy where it is a collider's, to reckon with", function()
    local ball = tide.scene {}:collider("ball", { shape = "sphere", position = { 1, 2, 3 } })
    local position = ball.position
    position[2] = position[2] + 1
    assert.are.same({ 1, 2, 3 }, ball.position)
    ball.position = position
    assert.are.same({ 1, 3, 3 }, ball.position)
  end)
  it("is read as any list", function()
    local gravity, seen = tide.scene({ gravity = { 0, -1.5, 2 } }).gravity, {}
    for k, value in pairs(gravity) do seen[k] = value end
    assert.are.same({ 0, -1.5, 2 }, seen)
    for k, value in ipairs(gravity) do seen[k] = -value end
    assert.are.same({ 0, 1.5, -2 }, seen)
    assert.are.same({ 0, -1.5, 2 }, { table.unpack(gravity) })
    assert.are.same({ 3, "0.0,-1.5,2.0", "table", nil },
      { #gravity, table.concat(gravity, ","), type(gravity), gravity[4] })
    assert.is_true(gravity == tide.scene({ gravity = { 0, -1.5, 2 } }).gravity)
    assert.is_false(gravity == tide.scene({ gravity = { 0, -1.5, 1 } }).gravity)
  end)
  it("is gone through in the order of every table, by a script", function()
    local scene = assert(tide.load(helper.write("visits.lua", [[
      local tide = require "springtide"
      local scene = tide.scene { gravity = { 1, 2, 3 }, solver = "newton" }
      scene.state.seen, scene.state.next = {}, {}
      for name in pairs(scene.solver) do table.insert(scene.state.seen, name) end
      for k, value in next, scene.gravity do scene.state.next[k] = value end
      return scene]])))
    local names = {}
    for i, option in ipairs(tide.solvers()[2].options) do
      names[i] = option.name
    end
    for i = #names, 1, -1 do
      if names[i]:find(".", 1, true) then table.remove(names, i) end
    end
    table.sort(names)
    assert.are.same({ 1, table.unpack(names) }, scene.state.seen)
    assert.are.same({ 1, 2, 3 }, scene.state.next)
  end)
  it("goes wherever a list does", function()
    local scene = tide.scene { gravity = { 0.25, -1, 0.5 }, camera = camera() }
    local other = tide.scene { gravity = scene.gravity, camera = scene.camera }
    assert.are.same({ 0.25, -1, 0.5 }, other.gravity)
    assert.are.same(camera(), other.camera)
    local ball = scene:collider("ball", { shape = "sphere", position = scene.gravity })
    assert.are.same({ 0.25, -1, 0.5 }, ball.position)
    ball:move_to(scene.camera.position, ball.rotation)
    assert(scene:step())
    assert.are.same({ 0, 1, 5 }, ball.position)
    ball:move_to { position = scene.gravity, rotation = ball.rotation }
    ball.rotation = ball.rotation
    local vector = tide.linear.vector(scene.gravity)
    assert.are.same({ 0.25, -1, 0.5 }, { vector[1], vector[2], vector[3] })
    local mesh = tide.mesh.new { vertices = { scene.gravity, { 1, 0, 0 } }, edges = { { 1, 2 } } }
    assert.are.same({ 0.25, -1, 0.5 }, { mesh:vertex(1) })
    scene.state.was = { scene.gravity, scene.camera }
    local snapshot = scene:snapshot()
    scene.state.was = nil
    scene:restore(snapshot)
    assert.is_nil(getmetatable(scene.state.was[1]))
    assert.are.same({ { 0.25, -1, 0.5 }, camera() }, scene.state.was)
    scene.state = scene.camera
    assert.are.equal(0.5, scene.state.field_of_view)
  end)
end)
