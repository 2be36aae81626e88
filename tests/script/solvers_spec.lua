-- Solvers chosen from Lua: errors, switching while a scene runs, reports, and steps that diverge.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

-- A hanging cloth whose longest stable substep is shorter than its timestep.
local function stiff(solver)
  return helper.cloth({ timestep = 1 / 30, solver = solver }, { stiffness = 2000 })
end

local function step_until_failure(scene)
  for _ = 1, 1000 do
    local before = scene:hash()
    local ok, why = scene:step()
    if not ok then
      assert.are.equal(before, scene:hash())
      return why
    end
  end
  error("no step failed", 2)
end

local names = {}
for i, solver in ipairs(tide.solvers()) do
  names[i] = solver.name
end

describe("a solver", function()
  it("of an unknown name is refused with the nearest one", function()
    has(message(stiff, "newtno"), 'solver: name = "newtno": unknown solver; did you mean "newton"?')
    has(message(stiff, { "symplectic_eular" }), 'unknown solver; did you mean "symplectic_euler"?')
    has(message(stiff, "zzzzzzzz"), "unknown solver; known are local_global, ")
    has(message(stiff, 7), "scene: solver = 7: expected a name or a table like")
    has(message(stiff, { iterations = 3 }), "scene: solver = nil: expected a name or a table like")
    local scene = stiff()
    has(message(function() scene.solver = "newtno" end), 'did you mean "newton"?')
    assert.are.equal("local_global", scene.solver[1])
  end)

  it("refuses options out of range or of a wrong type", function()
    has(message(stiff, { "local_global", tolerance = -1e-3 }),
      'solver "local_global": tolerance = -0.001: expected a number of at least 0')
    has(message(stiff, { "newton", tolerance = -1 }), 'solver "newton": tolerance = -1: expected a number')
    has(message(stiff, { "newton", tolerance = 0 / 0 }), 'solver "newton": tolerance = ')
    has(message(stiff, { "local_global", iterations = 0 }), "iterations = 0: expected an integer")
    has(message(stiff, { "local_global", iterations = 2.5 }), "iterations = 2.5: expected an integer")
    has(message(stiff, { "local_global", iterations = "many" }), 'iterations = "many": expected an integer')
    has(message(stiff, { "local_global", substeps = 0 }), "substeps = 0: expected an integer from 1")
    has(message(stiff, { "rk4", substep = 0 }), 'substep = 0: expected "auto" or a number greater than 0 s')
    has(message(stiff, { "rk4", substep = -0.1 }), 'solver "rk4": substep = -0.1: expected "auto" or a number')
    has(message(stiff, { "rk4", substep = "atuo" }), 'did you mean "auto"?')
    has(message(stiff, { "verlet", safety = 0 }), 'solver "verlet": safety = 0: ')
    has(message(stiff, { "symplectic_euler", damping = { mass = -1 } }), "damping.mass = -1: expected a number")
    has(message(stiff, { "rk4", 3 }), 'solver "rk4": [2]: unexpected; give every field by its name')
  end)

  it("refuses an option of another solver and says whose it is", function()
    local why = message(stiff, { "rk4", iterations = 10 })
    has(why, 'solver "rk4": iterations: unknown field')
    has(why, '"iterations" is an option of local_global, newton')
    why = message(stiff, { "local_global", safety = 2 })
    has(why, 'solver "local_global": safety: unknown field')
    has(why, '"safety" is an option of ')
    has(why, "helper.lua:")
    why = message(stiff, { "local_global", iteratons = 2 })
    has(why, "iteratons: unknown field; did you mean \"iterations\"?")
    assert.is_nil(why:find("is an option of", 1, true))
    -- an unknown field that is not an option is not reported as one of a solver
    assert.is_nil(message(helper.cloth, { iterations = 3 }):find("is an option of", 1, true))
  end)

  it("that is refused changes nothing", function()
    local scene = stiff { "local_global", iterations = 7 }
    scene:step(3)
    local before = scene:hash()
    message(function() scene.solver = { "newton", tolerance = -1 } end)
    message(function() scene.solver = { "local_global", safety = 1 } end)
    assert.are.equal(before, scene:hash())
    assert.are.same({ "local_global", 7 }, { scene.solver[1], scene.solver.iterations })
  end)
end)

describe("a step beyond the stable one", function()
  for _, name in ipairs { "symplectic_euler", "verlet", "rk4" } do
    it("warns with both numbers: " .. name, function()
      local scene = stiff { name, substep = 1 / 60 }
      assert.is_true(scene:step())
      local report = scene:report()
      assert.are.near(1 / 60, report.substep, 1e-12)
      assert.is_true(report.stable_substep < report.substep)
      has(report.warning, "0.01667 s")
      has(report.warning, ("%.4g s"):format(report.stable_substep))
    end)
    it("is undone and explained once it diverges: " .. name, function()
      local scene = stiff { name, substep = 1 / 60 }
      local why = step_until_failure(scene)
      has(why, "helper.lua:")
      has(why, 'body "cloth": vertex = ')
      has(why, ("the step to frame %d diverged here under %s with substeps of 0.0167 s (spring ")
        :format(scene.frame + 1, name))
      has(why, "the longest stable substep is ")
      has(why, 'set a smaller `substep`, or "auto", or choose an implicit solver')
      -- and what helps does help
      scene:reset()
      scene.solver = name
      assert.is_true(scene:step(30))
      scene.solver = { "newton", iterations = 5 }
      assert.is_true(scene:step(30))
    end)
  end
end)

describe("a report", function()
  it("says that no substep of a method that gains energy is stable", function()
    local found = {}
    for _, kind in ipairs(tide.solvers()) do
      local scene = stiff { kind.name }
      scene:step()
      if scene:report().stable_substep == 0 then
        found[kind.name] = true
        has(scene:report().warning, 'gains energy without damping; set damping = "auto"')
        scene.solver = { kind.name, damping = "auto" }
        scene:step()
        assert.is_true(scene:report().stable_substep > 0, kind.name)
      end
    end
    assert.is_true(found.explicit_euler and found.midpoint)
  end)
  it("has what the method knows, and nothing else", function()
    local scene = stiff { "symplectic_euler" }
    assert.is_nil(scene:report().substep)
    scene:step()
    local report = scene:report()
    assert.is_true(report.substeps > 1)
    assert.are.near(1 / 30, report.substep * report.substeps, 1e-12)
    assert.is_true(report.stable_substep >= report.substep)
    assert.is_true(report.largest_eigenvalue > 0)
    assert.are.equal(0, report.rejected)
    assert.is_nil(report.warning)
    assert.is_nil(report.g)
    scene.solver = "local_global"
    scene:step()
    report = scene:report()
    assert.are.equal("local_global", report.solver)
    assert.are.equal(1, report.substeps)
    assert.is_nil(report.stable_substep)
    assert.is_nil(report.largest_eigenvalue)
    assert.is_nil(report.warning)
    assert.is_number(report.g)
  end)
end)

describe("switching solvers", function()
  it("keeps positions, velocities, time and frame, between any two", function()
    for _, from in ipairs(names) do
      for _, to in ipairs(names) do
        local scene, cloth = helper.cloth({ timestep = 1 / 100, solver = from }, { stiffness = 50 })
        assert.is_true(scene:step(3))
        local x, v = { cloth:position(13) }, { cloth:velocity(13) }
        scene.solver = to
        assert.are.equal(to, scene.solver[1])
        assert.are.same(x, { cloth:position(13) })
        assert.are.same(v, { cloth:velocity(13) })
        assert.are.equal(3, scene.frame)
        local ok, why = scene:step(2)
        assert(ok, ("%s after %s: %s"):format(to, from, tostring(why)))
        assert.are.equal(to, scene:report().solver)
      end
    end
  end)

  it("works in update, for the step that it is called for", function()
    local scene = stiff { "local_global", iterations = 5 }
    local taken = {}
    function scene.update()
      if scene.frame == 2 then scene.solver = { "newton", iterations = 5 } end
      if scene.frame == 4 then scene.solver = "rk4" end
    end
    for i = 1, 6 do
      assert.is_true(scene:step())
      taken[i] = scene:report().solver
    end
    assert.are.same({ "local_global", "local_global", "newton", "newton", "rk4", "rk4" }, taken)
    -- the same as between steps
    local other = stiff { "local_global", iterations = 5 }
    other:step(2)
    other.solver = { "newton", iterations = 5 }
    other:step(2)
    other.solver = "rk4"
    other:step(2)
    assert.are.equal(other:hash(), scene:hash())
  end)

  it("in update stays when the step is undone", function()
    local scene = stiff()
    function scene.update()
      if scene.frame == 2 then scene.solver = { "verlet", substep = 1 } end
    end
    has(step_until_failure(scene), "under verlet")
    scene.update = nil
    scene.solver = "local_global"
    assert.is_true(scene:step(3))
  end)

  it("works after snapshot, restore, fork and reset", function()
    for _, name in ipairs(names) do
      local scene = helper.cloth({ timestep = 1 / 100, solver = name }, { stiffness = 50 })
      local start = scene:hash()
      scene:step(4)
      local fourth = scene:snapshot()
      scene:step(3)
      local seventh = scene:hash()
      -- under another solver, and there and back
      scene.solver = "newton"
      scene:restore(fourth)
      assert.are.equal(4, scene.frame)
      assert.is_true(scene:step(3))
      scene.solver = name
      scene:restore(fourth)
      assert.are.equal(fourth:hash(), scene:hash())
      scene:step(3)
      assert.are.equal(seventh, scene:hash(), name .. " after restore")
      local fork = scene:restore(fourth):fork()
      assert.are.equal(name, fork.solver[1])
      fork:step(3)
      assert.are.equal(seventh, fork:hash(), name .. " forked")
      fork.solver = "local_global"
      assert.are.equal(name, scene.solver[1])
      assert.is_true(fork:step(2))
      scene:reset()
      assert.are.equal(start, scene:hash(), name .. " reset")
      scene:step(7)
      assert.are.equal(seventh, scene:hash(), name .. " after reset")
    end
  end)

  it("survives a reload by the options that it was given", function()
    local path = helper.write("solvers/scene.lua", [[
local tide = require "springtide"
local scene = tide.scene { timestep = 1 / 100, solver = "local_global" }
scene:body("cloth", {
  mesh = tide.mesh.grid { columns = 5, rows = 5, width = 1, height = 1 }, stiffness = 50,
}):pin { 1 }
return scene]])
    local scene = assert(tide.load(path))
    scene:step(3)
    assert.is_true(scene:reload(path, { solver = "newton,iterations=4" }))
    assert.are.equal("newton", scene.solver[1])
    assert.is_true(scene:step(2))
    assert.is_true(scene:reload())
    assert.are.same({ "newton", 4 }, { scene.solver[1], scene.solver.iterations })
    assert.are.equal(5, scene.frame)
    assert.is_true(scene:step(2))
  end)
end)

describe("deformation_drag", function()
  it("slows deformation and leaves a free fall", function()
    local scene = tide.scene { timestep = 1 / 50, deformation_drag = 20 }
    local pair = scene:body("pair", {
      mesh = tide.mesh.strand { points = 2, from = { 0, 0, 0 }, to = { 1, 0, 0 } }, springs = { { 1, 2, 0 } },
    })
    assert.are.equal(20, scene.deformation_drag)
    pair:set_velocity(1, -1, 0, 0)
    pair:set_velocity(2, 1, 0, 0)
    assert.is_true(scene:step(50))
    local x, y = pair:velocity(2)
    assert.are.near(math.exp(-20), x, 1e-12)
    assert.are.near(-9.81, y, 1e-9)
    scene.deformation_drag = 0
    assert.are.equal(0, scene.deformation_drag)
    has(message(function() scene.deformation_drag = -1 end), "scene: deformation_drag = -1: expected a number from 0")
  end)
end)
