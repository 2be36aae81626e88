local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

describe("a scene", function()
  it("tells and takes its settings", function()
    local scene = tide.scene {
      title = "One", timestep = 0.01, gravity = { 0, -1, 0 }, drag = 0.5,
      solver = { "local_global", iterations = 7 }, ground = -2, background = { 1, 0.5, 0 },
      camera = { position = { 0, 1, 5 }, target = { 0, 0, 0 }, field_of_view = 0.5 },
    }
    assert.are.equal("One", scene.title)
    assert.are.equal(0.01, scene.timestep)
    assert.are.same({ 0, -1, 0 }, scene.gravity)
    assert.are.equal(0.5, scene.drag)
    assert.are.equal("local_global", scene.solver[1])
    assert.are.equal(7, scene.solver.iterations)
    assert.are.equal(-2, scene.ground)
    assert.are.same({ 1, 0.5, 0 }, scene.background)
    assert.are.same({ 0, 1, 5 }, scene.camera.position)
    scene.title, scene.timestep, scene.gravity, scene.drag = "Two", 0.02, { 1, 2, 3 }, 0
    scene.solver = { "local_global", iterations = 9 }
    assert.are.equal(9, scene.solver.iterations)
    scene.solver = "symplectic_euler"
    assert.are.equal("symplectic_euler", scene.solver[1])
    scene.ground, scene.camera = false, nil
    assert.are.equal("Two", scene.title)
    assert.are.equal(0.02, scene.timestep)
    assert.are.same({ 1, 2, 3 }, scene.gravity)
    assert.is_false(scene.ground)
    assert.is_nil(scene.camera)
    assert.are.equal(0, scene.time)
    assert.are.equal(0, scene.frame)
  end)
  it("has defaults", function()
    local scene = tide.scene()
    assert.are.equal(1 / 30, scene.timestep)
    assert.are.same({ 0, -9.81, 0 }, scene.gravity)
    assert.are.equal("local_global", scene.solver[1])
    assert.is_nil(scene.ground)
    assert.are.equal("", scene.title)
  end)
  it("steps, calls update before each step, and keeps time", function()
    local scene = helper.cloth { timestep = 0.25 }
    local frames, steps = {}, 0
    function scene.update(dt)
      frames[#frames + 1] = scene.frame
      steps = steps + dt
    end
    assert.is_function(scene.update)
    assert.is_true(scene:step())
    assert.is_true(scene:step(3))
    assert.is_true(scene:step(0))
    assert.are.same({ 0, 1, 2, 3 }, frames)
    assert.are.equal(1, steps)
    assert.are.equal(1, scene.time)
    assert.are.equal(4, scene.frame)
    has(message(function() scene:step(-1) end), "scene: step = -1: expected an integer from 0")
  end)
  it("falls as implicit Euler does in closed form", function()
    local h, g = 1 / 60, -9.81
    for _, solver in ipairs { "local_global", "symplectic_euler" } do
      local scene = tide.scene { timestep = h, solver = solver }
      local ball = scene:body("ball", { mesh = tide.mesh.new { vertices = { { 1, 2, 3 } } }, mass = 2 })
      ball:set_velocity(1, 0.5, 0, 0)
      for n = 1, 60 do
        assert.is_true(scene:step())
        local x, y, z = ball:position(1)
        assert.is_near(1 + 0.5 * h * n, x, 1e-12)
        assert.is_near(2 + g * h * h * n * (n + 1) / 2, y, 1e-12)
        assert.is_near(3, z, 1e-12)
      end
      local _, v = ball:velocity(1)
      assert.is_near(g, v, 1e-12)
      local energy = scene:energy()
      local speed = math.sqrt(0.25 + v * v)
      assert.is_near(speed * speed, energy.kinetic, 1e-12)
      assert.are.equal(0, energy.elastic)
      local _, y = ball:position(1)
      assert.is_near(2 * 9.81 * y, energy.gravity, 1e-10)
      assert.is_near(energy.kinetic + energy.gravity, energy.total, 1e-10)
    end
  end)
  it("applies forces for one step only", function()
    local scene = tide.scene { timestep = 0.1, gravity = { 0, 0, 0 } }
    local ball = scene:body("ball", { mesh = tide.mesh.new { vertices = { { 0, 0, 0 } } }, mass = 2 })
    ball:force(1, 3, 0, 0)
    ball:force(1, 1, 0, 0)
    scene:step()
    assert.is_near(0.2, ball:velocity(1), 1e-12)
    scene:step()
    assert.is_near(0.2, ball:velocity(1), 1e-12)
  end)
  it("reports what the solver did", function()
    local scene = helper.cloth { solver = { "local_global", iterations = 5 } }
    scene:step()
    local report = scene:report()
    assert.are.equal("local_global", report.solver)
    assert.are.equal(5, report.iterations)
    assert.is_true(report.g > 0 and report.gradient_norm < report.initial_gradient_norm)
    assert.is_true(report.step_seconds >= report.global_seconds)
    assert.is_boolean(report.converged)
    scene.solver = "symplectic_euler"
    scene.timestep = 1e-3
    scene:step()
    assert.are.equal("symplectic_euler", scene:report().solver)
    assert.is_nil(scene:report().g)
  end)
  it("lists its bodies and finds them", function()
    local scene, cloth = helper.cloth()
    local strand = scene:body("strand", { mesh = tide.mesh.strand { points = 3, to = { 1, 0, 0 } }, stiffness = 1 })
    assert.are.equal(2, #scene:bodies())
    assert.are.equal(cloth, scene:bodies()[1])
    assert.are.equal(strand, scene:body("strand"))
    assert.are_not.equal(strand, cloth)
    assert.are.equal("strand", strand.name)
    assert.are.equal(3, strand.vertex_count)
    assert.are.equal(2, strand.spring_count)
    assert.are.equal(0, strand.triangle_count)
    assert.are.equal(32, cloth.triangle_count)
    assert.are.equal(cloth.mesh, tide.mesh.grid { columns = 5, rows = 5, width = 1, height = 1 })
  end)
  it("has the paper's curtain: 6,561 vertices and 32,158 springs", function()
    local scene = tide.scene {}
    local curtain = scene:body("curtain",
      { mesh = tide.mesh.grid { columns = 81, rows = 81, width = 1, height = 1 }, stiffness = 80, bend = 20 })
    assert.are.equal(6561, curtain.vertex_count)
    assert.are.equal(32158, curtain.spring_count)
  end)
  it("is freed with its callbacks", function()
    local weak = setmetatable({}, { __mode = "v" })
    do
      local scene, cloth = helper.cloth()
      function scene.update() cloth:force(1, 0, 0, 0) end
      scene.state.x = 1
      scene:step()
      weak[1], weak[2] = scene, cloth
    end
    collectgarbage()
    collectgarbage()
    assert.is_nil(weak[1])
    assert.is_nil(weak[2])
  end)
end)

describe("the module", function()
  it("has a version, solvers and threads", function()
    assert.is_string(tide.version)
    local names = {}
    for _, solver in ipairs(tide.solvers()) do
      names[solver.name] = solver
      assert.is_true(#solver.help > 0)
    end
    local found
    for _, option in ipairs(names.local_global.options) do
      if option.name == "iterations" then found = option end
    end
    assert.are.equal("integer", found.type)
    assert.is_true(#found.default > 0 and #found.range > 0 and #found.help > 0)
    assert.is_table(names.symplectic_euler)
    assert.are.equal(1, tide.threads(1))
  end)
  it("gives one hash for one and two threads", function()
    local hashes = {}
    for threads = 1, 2 do
      tide.threads(threads)
      local scene = tide.scene {}
      local mesh = tide.mesh.grid { columns = 101, rows = 101 } -- enough springs for two chunks of a loop
      scene:body("sheet", { mesh = mesh, stiffness = 80, bend = 20 }):pin { 1, 101 }
      assert.is_true(scene:step(5))
      hashes[threads] = scene:hash()
    end
    tide.threads(1)
    assert.are.equal(16, #hashes[1])
    has(hashes[1], hashes[2])
  end)
  it("finds files in the data folder", function()
    local path, why = tide.data("no such file")
    assert.is_nil(path)
    has(why, os.getenv("SPRINGTIDE_DATA") and "cannot be read" or "SPRINGTIDE_DATA is not set")
    has(message(tide.data, "../x"), "expected a path within the data folder")
  end)
end)
