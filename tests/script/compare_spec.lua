-- scene:compare: forks under several solvers and their results; tide.compare: declarations of a scene file.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local function cloth(solver)
  local scene = tide.scene { timestep = 1 / 60, solver = solver or { "local_global", iterations = 5 } }
  scene:body("cloth", {
    mesh = tide.mesh.grid { columns = 6, rows = 6, width = 1, height = 1 }, mass = 0.5, stiffness = 60, bend = 5,
    self_collide = false,
  }):pin { 1, 6 }
  return scene
end

-- The scene alone, from its state after `before` steps, under another solver.
local function alone(before, solver, steps, timestep)
  local scene = cloth()
  assert(scene:step(before))
  scene.solver = solver or scene.solver
  scene.timestep = timestep or scene.timestep
  assert(scene:step(steps))
  return scene
end

describe("scene:compare", function()
  it("gives each solver what it makes of the scene alone", function()
    local scene = cloth()
    scene:step(7)
    local before = scene:hash()
    local results = scene:compare {
      solvers = { "local_global,iterations=3", { "newton", iterations = 9 }, "xpbd", "rk4" }, frames = 11,
    }
    assert.equal(before, scene:hash())
    assert.equal(4, #results)
    local solvers = { { "local_global", iterations = 3 }, { "newton", iterations = 9 }, "xpbd", "rk4" }
    for i, result in ipairs(results) do
      local expected = alone(7, solvers[i], 11)
      assert.equal(expected:hash(), result.hash)
      assert.equal(expected:hash(), result.scene:hash())
      assert.equal(expected:energy().total, result.energy)
      assert.equal(expected:report().iterations, result.iterations)
      assert.equal(11, result.steps)
      assert.is_true(result.milliseconds > 0)
      assert.is_nil(result.message)
    end
    assert.equal("local_global,iterations=3", results[1].solver)
    assert.equal("newton", results[2].solver)
  end)

  it("measures distances from the first", function()
    local results = cloth():compare { solvers = { "newton", "newton", "local_global,iterations=1" }, frames = 20 }
    assert.equal(0, results[1].distance)
    assert.equal(0, results[2].distance)
    local a, b, sum = results[1].scene:body("cloth"), results[3].scene:body("cloth"), 0
    for i = 1, 36 do
      local x, y, z = a:position(i)
      local u, v, w = b:position(i)
      sum = sum + (x - u) ^ 2 + (y - v) ^ 2 + (z - w) ^ 2
    end
    assert.is_true(results[3].distance > 1e-4)
    assert.near(math.sqrt(sum / 36), results[3].distance, 1e-14)
  end)

  -- Another way: g of y, x and x* by the mathematics of the scene, x* by Newton's method.
  it("measures the part of a step's error that is left", function()
    local function g_after(scene, solver)
      local fork = scene:fork()
      fork.solver = solver
      fork:step()
      return fork:report().g
    end
    for _, iterations in ipairs { 1, 3, 10 } do
      local result = cloth():compare { solvers = { "local_global,iterations=" .. iterations }, frames = 15 }[1]
      local scene = result.scene
      local lowest = g_after(scene, { "newton", iterations = 100, tolerance = 1e-12 })
      local reached = g_after(scene, { "local_global", iterations = iterations })
      -- g(y) = h^2 E(y): y is where the free particles fly without springs
      local flight, h = scene:fork(), scene.timestep
      local body = flight:body("cloth")
      local gravity = scene.gravity
      local points = {}
      for i = 1, 36 do
        local x, y, z = body:position(i)
        local u, v, w = body:velocity(i)
        local free = i ~= 1 and i ~= 6
        points[#points + 1] = free and x + h * u + h * h * gravity[1] or x
        points[#points + 1] = free and y + h * v + h * h * gravity[2] or y
        points[#points + 1] = free and z + h * w + h * h * gravity[3] or z
      end
      local start = h * h * flight:system():energy(points)
      local expected = (reached - lowest) / (start - lowest)
      assert.is_true(expected > 0 and expected < 1)
      assert.near(1, result.error / expected, 1e-5)
    end
  end)

  it("counts the forces of update", function()
    local function pushed(force)
      local scene = cloth()
      function scene.update() scene:body("cloth"):force(20, force, 0, 0) end
      return scene:compare { solvers = { "local_global,iterations=1" }, frames = 3 }[1].error
    end
    assert.is_true(math.abs(pushed(0) - pushed(50)) > 1e-3 * pushed(0))
  end)

  it("leaves out errors that it cannot tell", function()
    local results = cloth():compare {
      solvers = { "rk4", "bdf2", "local_global,substeps=2", "newton,damping=rayleigh,damping.mass=1" }, frames = 2,
    }
    for i = 1, 4 do assert.is_nil(results[i].error) end
    local fallen = cloth()
    fallen:collider("floor", { shape = "plane", normal = { 0, 1, 0 }, offset = -0.3 })
    local result = fallen:compare { frames = 60 }[1]
    assert.is_true(#result.scene:contacts() > 0)
    assert.is_nil(result.error)
    assert.is_nil(cloth():compare { frames = 2, errors = false }[1].error)
  end)

  it("takes each timestep to the same time", function()
    local results = cloth():compare { timesteps = { 1 / 50, 1 / 100, 1 / 200 }, frames = 12 }
    for i, steps in ipairs { 10, 20, 40 } do
      assert.equal(steps, results[i].steps)
      assert.near(0.2, results[i].scene.time, 1e-12)
      assert.equal(alone(0, nil, steps, 0.02 / 2 ^ (i - 1)):hash(), results[i].hash)
    end
    assert.is_true(results[2].distance > 0 and results[3].distance > results[2].distance)
    local grid = cloth():compare { solvers = { "newton", "xpbd" }, timesteps = { 1 / 60, 1 / 120 }, frames = 2 }
    assert.same({ "newton", "newton", "xpbd", "xpbd" },
      { grid[1].solver, grid[2].solver, grid[3].solver, grid[4].solver })
  end)

  it("varies an option of the solvers", function()
    local results = cloth():compare {
      solvers = { "local_global", { "newton", tolerance = 0 } }, vary = { iterations = { 1, 4 } }, frames = 5,
      timesteps = { 1 / 60, 1 / 120 },
    }
    local i = 0
    for _, solver in ipairs { "local_global", "newton" } do
      for _, iterations in ipairs { 1, 4 } do
        for _, steps in ipairs { 5, 10 } do
          i = i + 1
          local exact = { solver, iterations = iterations }
          if solver == "newton" then exact.tolerance = 0 end
          assert.equal(alone(0, exact, steps, 1 / (12 * steps)):hash(), results[i].hash)
          assert.equal(iterations, results[i].value)
        end
      end
    end
    assert.equal(i, #results)
    local damped = cloth():compare { solvers = { "newton,damping=rayleigh" }, vary = { ["damping.mass"] = { 0, 9 } },
      frames = 5 }
    assert.equal(alone(0, { "newton", damping = { mass = 9 } }, 5):hash(), damped[2].hash)
    assert.are_not.equal(damped[1].hash, damped[2].hash)
  end)

  it("tells of one that fails and goes on with the others", function()
    local scene = cloth()
    function scene.update()
      if scene.frame == 4 and scene.solver[1] == "newton" then error("no further") end
    end
    local results = scene:compare { solvers = { { "newton", iterations = 3 }, "xpbd" }, frames = 9 }
    assert.equal(4, results[1].steps)
    assert.matches("no further", results[1].message)
    assert.is_nil(results[2].message)
    assert.equal(9, results[2].steps)
    assert.is_nil(results[2].distance)
  end)

  it("says what is wrong", function()
    local scene = cloth()
    local function refuses(what, part)
      has(message(scene.compare, scene, what), part)
    end
    refuses(nil, "expected a table like")
    refuses({ solver = "newton" }, 'did you mean "solvers"?')
    refuses({ solvers = {} }, "expected a list of at least one")
    refuses({ solvers = { "newtn" } }, 'did you mean "newton"')
    refuses({ solvers = { 3 } }, "expected \"NAME\"")
    refuses({ frames = 0 }, "frames")
    refuses({ timesteps = { -1 } }, "timestep")
    refuses({ vary = { iteratoins = { 1 } } },
      'compare: vary = iteratoins: local_global has no such option; did you mean "iterations"?')
    refuses({ vary = { ["damping.masss"] = { 1 } } }, "local_global has no such option")
    refuses({ vary = { iterations = 5 } }, "expected a name with a list")
    refuses({ vary = { iterations = { 5 }, tolerance = { 1 } } }, "expected one name")
    refuses({ vary = { iterations = { -3 } } }, "iterations = -3")
    local path = helper.write("vary.lua", [[
      local tide = require "springtide"
      tide.param("stiffness", 5)
      local scene = tide.scene {}
      function scene.update() scene:compare { vary = { stiffness = { 1, 2 } } } end
      return scene]])
    local _, text = tide.load(path):step()
    has(text, "compare: vary = stiffness: a parameter of the scene, which its forks share; vary it in tide.compare")
  end)
end)

describe("tide.compare", function()
  local function run(line)
    return tide.load(helper.write("compare.lua",
      'local tide = require "springtide"\nlocal scene = tide.scene {}\n' .. line .. "\nreturn scene\n"))
  end

  it("is for scene files, while they run", function()
    has(message(tide.compare, { solvers = { "newton" } }), "scene:compare compares at any time")
    local scene = assert(run "function scene.update() tide.compare { timesteps = { 1 } } end")
    local good, text = scene:step()
    assert.is_nil(good)
    has(text, "while that runs")
  end)

  it("takes solvers as tables", function()
    local scene = assert(run [[tide.compare { solvers = { { "newton", iterations = 5, damping = { "rayleigh" } } } }]])
    assert.equal("local_global", scene.solver[1])
  end)

  it("changes nothing of the scene", function()
    local scene = assert(run 'tide.compare { solvers = { "newton", "xpbd" }, timesteps = { 0.01 } }')
    assert.equal("local_global", scene.solver[1])
    assert.equal(1 / 30, scene.timestep)
  end)

  it("says what is wrong", function()
    for line, part in pairs {
      ["tide.compare()"] = "expected a table like",
      ["tide.compare {}"] = "expected solvers, vary or timesteps",
      ["tide.compare { solver = {} }"] = 'did you mean "solvers"?',
      ["tide.compare { solvers = { 1 } }"] = [[expected "NAME", "NAME,key=value" or a table]],
      ["tide.compare { solvers = 'newton' }"] = "expected a list of at least one",
      ["tide.compare { vary = { 1 } }"] = "expected a name with a list",
      ["tide.compare { vary = { a = { 1 }, b = { 2 } } }"] = "expected one name",
      ["tide.compare { vary = { a = { {} } } }"] = "expected numbers",
      ["tide.compare { timesteps = { 'x' } }"] = "expected numbers",
    } do
      local scene, text = run(line)
      assert.is_nil(scene, line)
      has(text, part)
      has(text, "compare.lua:3")
    end
  end)
end)
