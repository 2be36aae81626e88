-- Solvers written in Lua: tide.solver, what its step gets and returns, and that they go where any other solver goes.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local count = 0
-- Defines a solver under a name of its own; returns the name.
local function solver(step, options, more)
  count = count + 1
  local definition = { name = "spec_" .. count, step = step, options = options }
  for name, value in pairs(more or {}) do
    definition[name] = value
  end
  return tide.solver(definition)
end

local function numbers(list)
  local copy = {}
  for i = 1, #list do
    copy[i] = list[i]
  end
  return copy
end

local function difference(a, b)
  local most = 0
  assert.are.equal(#a, #b)
  for i = 1, #a do
    most = math.max(most, math.abs(a[i] - b[i]))
  end
  return most
end

-- A cloth that is pulled about, under a solver.
local function driven(with, settings)
  settings = settings or {}
  settings.solver = with
  local scene, cloth = helper.cloth(settings)
  function scene.update()
    cloth:force(13, 0, 0, 0.3)
    cloth:move_pin(1, 0, 0.1 * math.sin(5 * scene.time), 0)
  end
  return scene, cloth
end

local function explicit_euler(system, state, h)
  local q, v = state.positions, state.velocities
  local a = (state.forces - system:gradient(q)):over(system:masses())
  return q + h * v, v + h * a
end

-- Kutta's method of third order.
local function kutta(system, state, h)
  local q, v, masses = state.positions, state.velocities, system:masses()
  local function a(x)
    return (state.forces - system:gradient(x)):over(masses)
  end
  local a1, v1 = a(q), v
  local a2, v2 = a(q + h / 2 * v1), v + h / 2 * a1
  local a3, v3 = a(q + h * (2 * v2 - v1)), v + h * (2 * a2 - a1)
  return q + h / 6 * (v1 + 4 * v2 + v3), v + h / 6 * (a1 + 4 * a2 + a3)
end

local function newton(system, state, h)
  local y = state.inertial
  local M, x = system:mass_matrix(), y:copy()
  for _ = 1, 30 do
    local r = M * system:gather(x - y) + h * h * system:gather(system:gradient(x))
    if r:norm() < 1e-13 then
      break
    end
    local H = M + h * h * system:hessian(x)
    local factor = tide.linear.cholesky(H) or tide.linear.cholesky(M + h * h * system:hessian(x, { project = true }))
    x:add(system:scatter(factor:solve(r)), -1)
  end
  return x
end

-- Velocities go on, positions follow; counts its steps.
local function remember(_, state, h)
  local memory = state.memory
  memory.steps = (memory.steps or 0) + 1
  memory.last = memory.last and memory.last + state.positions or state.positions:copy()
  local v = state.velocities + h * memory.steps * state.forces
  return state.positions + h * v, v
end

describe("pinned particles under a solver in Lua", function()
  local function swing(step, timestep)
    local scene, cloth = helper.cloth { timestep = timestep, solver = solver(step) }
    assert.is_true(scene:step(math.floor(0.2 / timestep + 0.5)))
    return numbers(cloth:positions()), scene
  end
  it("have no forces, so that a method keeps its order", function()
    local exact = swing(kutta, 0.2 / 1024)
    local coarse, fine = difference(exact, (swing(kutta, 0.2 / 64))), difference(exact, (swing(kutta, 0.2 / 128)))
    local order = math.log(coarse / fine, 2)
    assert.is_true(order > 2.8 and order < 3.5, "order " .. order)
    swing(function(_, state)
      assert.are.same({ 0, 0, 0 }, { state.forces[1], state.forces[2], state.forces[3] })
      assert.is_true(state.forces[5] < 0)
    end, 0.1)
  end)
  it("are told of when a result moves them, and stay", function()
    local positions, scene = swing(function(_, state, h)
      local x = state.inertial:copy()
      x[2] = x[2] - h
      return x
    end, 0.1)
    assert.are.equal(0, positions[2])
    has(scene:report().warning, "particle 1 is pinned")
    local _, calm = swing(newton, 0.1)
    assert.is_nil(calm:report().warning)
  end)
end)

describe("a solver in Lua", function()
  it("is known wherever a solver's name is", function()
    local name = solver(explicit_euler,
      { rounds = { 3, min = 1, max = 9, integer = true, unit = "turns", help = "how many" },
        gain = 0.5, quick = false, note = "none", mode = { "slow", choices = { "fast", "slow" } },
        free = { 1, min = 0 } },
      { help = "steps forward", source = "Euler 1768", order = 1 })
    local scene = helper.cloth { solver = name }
    assert.are.same({ name, substeps = 1, rounds = 3, gain = 0.5, quick = false, note = "none", mode = "slow",
      free = 1 }, scene.solver)
    scene.solver = { name, rounds = 5, quick = true, mode = "fast", note = "some", substeps = 2 }
    local again = scene.solver
    scene.solver = "local_global"
    scene.solver = again
    assert.are.same({ name, substeps = 2, rounds = 5, gain = 0.5, quick = true, note = "some", mode = "fast",
      free = 1 }, scene.solver)
    local listed
    for _, kind in ipairs(tide.solvers()) do
      if kind.name == name then listed = kind end
    end
    assert.are.equal("steps forward", listed.help)
    assert.are.equal("Euler 1768", listed.source)
    local options = {}
    for i, option in ipairs(listed.options) do
      options[i] = table.concat({ option.name, option.type, option.default, option.range, option.unit }, "; ")
    end
    assert.are.same({
      "substeps; integer; 1; 1 to 1000000; ", "free; number; 1; at least 0; ", "gain; number; 0.5; any; ",
      'mode; string; "slow"; one of fast, slow; ', 'note; string; "none"; at most 127 bytes; ',
      "quick; boolean; false; true or false; ", "rounds; integer; 3; 1 to 9 turns; turns" }, options)
    assert.are.equal("how many", listed.options[7].help)
  end)
  it("refuses options like any other", function()
    local name = solver(explicit_euler,
      { rounds = { 3, min = 1, max = 9, integer = true }, mode = { "a", choices = { "a" } } })
    local scene = helper.cloth()
    local function refused(given, part)
      has(message(function() scene.solver = given end), part)
    end
    refused({ name, rounds = 10 }, ('solver "%s": rounds = 10: expected an integer from 1 to 9'):format(name))
    refused({ name, rounds = 2.5 }, "rounds = 2.5: expected an integer")
    refused({ name, ronds = 2 }, 'ronds: unknown field; did you mean "rounds"?')
    refused({ name, mode = "b" }, 'mode = "b": expected one of "a"')
    refused({ name, iterations = 2 }, '"iterations" is an option of local_global')
    refused({ name, substeps = 0 }, "substeps = 0: expected an integer")
    refused(name .. "x", ('unknown solver; did you mean "%s"?'):format(name))
  end)
  it("must be well defined", function()
    local function refused(definition, part)
      has(message(tide.solver, definition), part)
    end
    local step = explicit_euler
    refused(nil, "solver: expected a table of fields, not nil")
    refused({ step = step }, "solver: name: missing")
    refused({ name = "x" }, "solver: step: missing")
    refused({ name = "x", step = 3 }, 'solver "x": step = 3: expected a function')
    refused({ name = "x y", step = step }, 'solver: name = "x y": expected at most 32 letters, digits and underscores')
    refused({ name = "", step = step }, 'solver: name = "": expected')
    refused({ name = "3d", step = step }, "the first no digit")
    refused({ name = ("x"):rep(33), step = step }, "at most 32 letters")
    refused({ name = "x\0y", step = step }, "solver: name: expected a string without zero bytes")
    refused({ name = "newton", step = step }, 'solver: name = "newton": the engine has a solver of this name')
    refused({ name = solver(step), step = step }, "defined twice")
    refused({ name = "x", step = step, sorce = "" }, 'solver: sorce: unknown field; did you mean "source"?')
    refused({ name = "x", step = step, order = -1 }, "solver: order = -1: expected an integer from 0 to 16")
    local function option(value, part)
      refused({ name = "x", step = step, options = { o = value } }, part)
    end
    refused({ name = "x", step = step, options = 3 }, 'solver "x": options = 3: expected a table like')
    refused({ name = "x", step = step, options = { 3 } }, "options = 1: expected names of options")
    refused({ name = "x", step = step, options = { ["a.b"] = 3 } }, 'options = "a.b": expected at most')
    refused({ name = "x", step = step, options = { substeps = 3 } }, "every solver has this option")
    option(step, 'option "o" of solver "x": a function: expected a number, true, false or a string')
    option({ min = 1 }, 'option "o" of solver "x": missing the default')
    option({ 3, mix = 1 }, 'option "o" of solver "x": mix: unknown field; did you mean')
    option({ 3, min = 4 }, 'option "o" of solver "x": default = 3: expected a number of at least 4')
    option({ 3, min = 4, max = 3 }, "min: expected less than max")
    option({ 2.5, integer = true }, "default = 2.5: expected an integer")
    option({ "a", min = 1 }, "min: only a number has it")
    option({ true, integer = true }, "integer: only a number has it")
    option({ "c", choices = { "a", "b" } }, 'default = "c": expected one of "a", "b"')
    option({ "c", choices = {} }, "choices = a table: expected a list of at most 32 strings")
    option({ ("a"):rep(128) }, "expected a string of at most 127 bytes")
    local many = {}
    for i = 1, 63 do many["o" .. i] = i end
    refused({ name = "x", step = step, options = many }, "expected at most 62 options")
    many.o63 = nil
    many.o1 = "a text"
    solver(step, many)
    local all = tide.solvers()
    assert.are.equal(63, #all[#all].options)
  end)
  it("of explicit Euler is the engine's explicit_euler", function()
    local settings = { timestep = 1e-3, drag = 0.5 }
    local mine, cloth = driven(solver(explicit_euler), settings)
    local its, other = driven({ "explicit_euler", substep = 1e-3 }, settings)
    assert.is_true(mine:step(100))
    assert.is_true(its:step(100))
    assert.is_true(difference(cloth:positions(), other:positions()) < 1e-12)
    assert.is_true(difference(cloth:velocities(), other:velocities()) < 1e-10)
  end)
  it("of implicit Euler is the engine's newton", function()
    local mine, cloth = driven(solver(newton))
    local its, other = driven { "newton", tolerance = 1e-12 }
    for _ = 1, 30 do
      assert.is_true(mine:step())
      assert.is_true(its:step())
      assert.is_true(difference(cloth:positions(), other:positions()) < 1e-8)
      assert.is_true(mine:report().gradient_norm < 1e-10)
      assert.is_near(its:report().g, mine:report().g, 1e-12)
      assert.is_near(its:report().initial_gradient_norm, mine:report().initial_gradient_norm, 1e-8)
    end
  end)
  it("cuts a step as the engine's do", function()
    local mine, cloth = driven { solver(newton), substeps = 3 }
    local its, other = driven { "newton", tolerance = 1e-12, substeps = 3 }
    assert.is_true(mine:step(10))
    assert.is_true(its:step(10))
    assert.is_true(difference(cloth:positions(), other:positions()) < 1e-8)
    assert.are.equal(3, mine:report().substeps)
  end)
  it("is one of the scene in scenes/", function()
    local mine = assert(tide.load("scenes/lua_solver.lua", { solver = "teaching_newton,tolerance=1e-12" }))
    local its = assert(tide.load("scenes/lua_solver.lua", { solver = "newton,tolerance=1e-12" }))
    assert.is_true(mine:step(8))
    assert.is_true(its:step(8))
    assert.are.equal("teaching_newton", mine:report().solver)
    assert.is_true(mine:report().converged)
    assert.is_true(difference(mine:body("curtain"):positions(), its:body("curtain"):positions()) < 1e-8)
    local none, why = tide.load("scenes/lua_solver.lua", { solver = "teachin_newton" })
    assert.is_nil(none)
    has(why, 'unknown solver; did you mean "teaching_newton"?')
    none, why = tide.load("scenes/lua_solver.lua", { solver = "teaching_newton,tolerance" })
    assert.is_nil(none)
    has(why, "expected option=value")
    none, why = tide.load("scenes/lua_solver.lua", { solver = "teaching_newton,tolerance=-1" })
    assert.is_nil(none)
    has(why, 'solver "teaching_newton": tolerance = -1: expected a number of at least 0')
  end)
  it("is known in the scripts that its script loads", function()
    local name = solver(explicit_euler, { rounds = 1 })
    local path = helper.write("lua_solver/plain.lua", [[
      local tide = require "springtide"
      return tide.scene {}]])
    local scene = assert(tide.load(path, { solver = name .. ",rounds=4" }))
    assert.are.equal(4, scene.solver.rounds)
    assert.is_true(scene:reload(path))
    scene.solver = solver(newton)
  end)
end)

describe("the step of a solver", function()
  it("gets the system and where it starts", function()
    local seen = {}
    local name = solver(function(system, state, h)
      seen[#seen + 1] = { h = h, q = numbers(state.positions), v = numbers(state.velocities), f = numbers(state.forces),
        y = numbers(state.inertial), a = numbers(system:positions()), b = numbers(system:velocities()),
        matrix = system:matrix():get(1, 1), wanted = system:matrix(h):get(1, 1), mass = system:masses()[2],
        count = system.particle_count, free = system.free_count, rounds = state.options.rounds }
    end, { rounds = 7 })
    local scene, cloth = helper.cloth({ solver = name, timestep = 0.5, gravity = { 0, -2, 0 }, drag = 1 })
    cloth:set_velocity(2, 1, 0, 0)
    cloth:force(2, 0, 0, 3)
    cloth:move_pin(1, 5, 6, 7)
    local q = numbers(cloth:positions())
    scene.solver = { name, rounds = 8 }
    assert.is_true(scene:step())
    local s = seen[1]
    assert.are.same(q, s.q)
    assert.are.same(q, s.a)
    assert.are.same({ 25, 23, 8, 0.5, 1 / 25 }, { s.count, s.free, s.rounds, s.h, s.mass })
    assert.are.same({ 0, -2 / 25, 3 }, { s.f[4], s.f[5], s.f[6] })
    assert.is_near(math.exp(-0.5), s.v[4], 1e-15)
    assert.are.equal(1, s.b[4])
    assert.is_near(q[4] + 0.5 * s.v[4], s.y[4], 1e-15)
    assert.is_near(q[5] - 0.25 * 2, s.y[5], 1e-15)
    assert.are.same({ 5, 6, 7 }, { s.y[1], s.y[2], s.y[3] })
    assert.are.equal(s.wanted, s.matrix)
    assert.are.equal(1, scene:report().substeps)
    assert.is_nil(seen[2])
  end)
  it("gets the system of each substep", function()
    local seen = {}
    local name = solver(function(system, state, h)
      seen[#seen + 1] = { h, state.positions[2], system:positions()[2], state.inertial[2], state.inertial[5] }
      return state.positions + h * state.velocities
    end)
    local scene, cloth = helper.cloth { solver = { name, substeps = 4 }, timestep = 0.4, gravity = { 0, 0, 0 } }
    cloth:set_velocity(2, 0, 1, 0)
    cloth:move_pin(1, 0, 0.4, 0)
    assert.is_true(scene:step())
    for i = 1, 4 do
      assert.is_near(0.1, seen[i][1], 1e-15)
      assert.is_near(0.1 * (i - 1), seen[i][2], 1e-15)
      assert.are.equal(seen[i][2], seen[i][3])
      assert.is_near(0.1 * i, seen[i][4], 1e-15)
      assert.is_near(0.1 * i, seen[i][5], 1e-15)
    end
    assert.are.equal(4, scene:report().substeps)
    assert.is_near(0.4, select(2, cloth:position(2)), 1e-15)
  end)
  it("may return positions, velocities and a report, or change its state", function()
    local function taken(step)
      local scene, cloth = helper.cloth { solver = solver(step), timestep = 0.5, gravity = { 0, 0, 0 } }
      cloth:set_velocity(2, 1, 0, 0)
      cloth:move_pin(1, 1, 0, 0)
      assert(scene:step())
      assert.are.same({ 1, 0, 0 }, { cloth:position(1) }) -- pinned particles go to their targets whatever it does
      assert.are.same({ 2, 0, 0 }, { cloth:velocity(1) })
      return cloth:position(2), cloth:velocity(2), scene:report()
    end
    local function check(step, x, v, iterations)
      local found_x, found_v, report = taken(step)
      assert.is_near(x, found_x, 1e-15)
      assert.is_near(v, found_v, 1e-15)
      assert.are.equal(iterations or 0, report.iterations)
    end
    local function moved(state)
      local x = state.positions:copy()
      x[4] = x[4] + 2
      return x
    end
    local function faster(state)
      local v = state.velocities:copy()
      v[4] = 9
      return v
    end
    check(function() end, 0.25, 0)
    check(function(_, state) return moved(state) end, 2.25, 4)
    check(function(_, state) return moved(state):table() end, 2.25, 4)
    check(function(_, state) return moved(state), faster(state) end, 2.25, 9)
    check(function(_, state) return nil, faster(state):table() end, 0.25, 9)
    check(function(_, state) return moved(state), { iterations = 3 } end, 2.25, 4, 3)
    check(function(_, state) return moved(state), faster(state), { iterations = 3 } end, 2.25, 9, 3)
    check(function() return { iterations = 4 } end, 0.25, 0, 4)
    check(function(_, state)
      state.positions[4] = 2.25
      state.report = { iterations = 2 }
    end, 2.25, 4, 2)
    check(function(_, state)
      state.positions = moved(state)
      state.velocities[4] = 9
    end, 2.25, 9)
    check(function(_, state) state.velocities = faster(state) end, 0.25, 9)
    local _, _, report = taken(function() return { converged = false, line_searches = 5, linear_iterations = 6,
      warning = "mind this" } end)
    assert.are.same({ false, 5, 6, "mind this" },
      { report.converged, report.line_searches, report.linear_iterations, report.warning })
    _, _, report = taken(function() end)
    assert.is_true(report.converged)
  end)
  it("has its errors reported, and the world stays", function()
    local step
    local name = solver(function(...) return step(...) end, { rounds = 1 })
    local scene = helper.cloth { solver = name }
    assert.is_true(helper.cloth():step())
    local hash, line = scene:hash(), debug.getinfo(1, "l").currentline
    local function fails(part, run)
      step = run
      local ok, why = scene:step()
      assert.is_nil(ok)
      has(why, part)
      has(why, ('solver "%s"'):format(name))
      assert.are.equal(hash, scene:hash())
      assert.are.equal(0, scene.frame)
      return why
    end
    has(fails("attempt to index a nil value", function() return nil + x.y end), -- luacheck: ignore 113
      ("lua_solver_spec.lua:%d: "):format(line + 11))
    has(fails("no luck", function() error "no luck" end), ("lua_solver_spec.lua:%d: "):format(line + 13))
    local first = ("lua_solver_spec.lua:%d: "):format(line - 3)
    has(fails("positions = 3 numbers: expected 75 numbers", function() return tide.linear.vector(3) end), first)
    has(fails("velocities = 2 numbers: expected 75 numbers", function() return nil, { 1, 2 } end), first)
    fails('positions = "x": expected a vector or a list of numbers', function() return "x" end)
    fails("positions[2] = true: expected a finite number", function(_, state)
      local x = state.positions:table()
      x[2] = true
      return x
    end)
    fails("step = 4: expected it to return positions, velocities and a report at most", function(_, state)
      return state.positions, state.velocities, 4
    end)
    fails('iteration: unknown field; did you mean "iterations"?', function() return { iteration = 1 } end)
    fails("iterations = -1: expected an integer", function() return { iterations = -1 } end)
    fails("expected a table of fields, not 3", function(_, state) state.report = 3 end)
  end)
  it("is told what it cannot do", function()
    local step
    local name = solver(function(...) return step(...) end, { rounds = 1 })
    local scene, cloth = helper.cloth { solver = name }
    local other = helper.cloth()
    local function fails(part, run)
      step = run
      local ok, why = scene:step()
      assert.is_nil(ok)
      has(why, part)
    end
    fails('state: position: unknown; did you mean "positions"?', function(_, state) return state.position end)
    fails('state: inertia: unknown; did you mean "inertial"?', function(_, state) state.inertia = 1 end)
    fails("state: forces: cannot be assigned", function(_, state) state.forces = 1 end)
    fails("state: memory = 3: expected a table", function(_, state) state.memory = 3 end)
    fails('round: unknown; did you mean "rounds"?', function(_, state) return state.options.round end)
    fails("extra: unknown", function(_, state) state.options.extra = 1 end)
    fails("random: a solver's step has no random numbers", function() tide.random() end)
    fails("the scene is in a step already", function() assert(scene:step()) end)
    fails("its solver is taking a step", function() scene.solver = "local_global" end)
    fails("its solver is taking a step", function() cloth:pin { 3 } end)
    fails("scene: set_position: its solver is taking a step", function() cloth:set_position(3, 1, 2, 3) end)
    fails("scene: set_velocity: its solver is taking a step", function() cloth:set_velocity(3, 1, 2, 3) end)
    fails("scene: move_pin: its solver is taking a step", function() cloth:move_pin(1, 1, 2, 3) end)
    fails("scene: force: its solver is taking a step", function() cloth:force(3, 1, 2, 3) end)
    fails("scene: positions: its solver is taking a step", function() cloth:positions()[9] = 1 end)
    fails("scene: velocities: its solver is taking a step", function() cloth:velocities()[9] = 1 end)
    fails("expected plain data: booleans, numbers, strings, vectors and tables", function(_, state)
      state.memory.f = { g = print }
    end)
    fails("memory.a.b: is a vector that the next step fills again", function(_, state)
      state.memory.a = { b = state.forces }
    end)
    assert.are.equal(0, scene.frame)
    local kept, handle
    step = function(system, state)
      assert(other:step())
      state.options.rounds = 5
      kept, handle = state, system
    end
    assert.is_true(scene:step())
    assert.is_true(tide.random() < 1)
    assert.are.equal(1, other.frame)
    has(message(function() handle:masses() end), "system: its step is over")
    step = function(system, state)
      assert(handle == system and kept == state and state.options.rounds == 1)
    end
    assert(scene:step())
  end)
  it("that diverges is undone", function()
    local name = solver(function(_, state)
      local x = (state.positions + state.inertial) * 1e300 * 1e300
      return x - x
    end)
    local scene = helper.cloth { solver = name }
    local ok, why = scene:step()
    assert.is_nil(ok)
    has(why, name)
    assert.are.equal(0, scene.frame)
    scene.solver = "newton"
    assert.is_true(scene:step())
  end)
  it("may run in a coroutine", function()
    local scene = helper.cloth { solver = solver(explicit_euler), timestep = 1e-3 }
    local twin = helper.cloth { solver = "explicit_euler", timestep = 1e-3 }
    coroutine.wrap(function()
      assert(scene:step(3))
      coroutine.wrap(function() assert(scene:step(2)) end)()
    end)()
    twin.solver = { "explicit_euler", substep = 1e-3 }
    twin:step(5)
    assert.is_true(difference(scene:body("cloth"):positions(), twin:body("cloth"):positions()) < 1e-13)
    scene.solver = solver(function() coroutine.yield() end)
    has(select(2, scene:step()), "yield")
    local co = coroutine.wrap(function() return scene:step() end)
    has(select(2, co()), "yield")
  end)
  it("has no particles in an empty scene, and none free when all are pinned", function()
    local scene = tide.scene { solver = solver(newton) }
    assert.is_true(scene:step(2))
    local pinned, cloth = helper.cloth { solver = solver(newton) }
    cloth:pin(function() return true end)
    assert.is_true(pinned:step(2))
    assert.are.equal(0, pinned:system():mass_matrix():rows())
  end)
end)

describe("what solvers are written with", function()
  it("are vectors element by element, masses and free coordinates", function()
    local linear = tide.linear
    local v = linear.vector { 1, 2, 3, 4, 5, 6 }
    assert.are.same({ 2, 4, 6, 12, 15, 18 }, v:times({ 2, 3 }):table())
    assert.are.same({ 1, 4, 9, 16, 25, 36 }, v:times(v):table())
    assert.are.same({ 0.5, 1, 1.5, 1, 1.25, 1.5 }, v:over({ 2, 4 }):table())
    assert.are.same({ 1, 1, 1, 1, 1, 1 }, v:over(v):table())
    has(message(function() v:times { 1, 2, 3 } end), "times = 3 numbers: expected 6 numbers, or a third as many")
    has(message(function() v:over(2) end), "vector: over = 2: expected a vector or a list of numbers")
    local scene = tide.scene {}
    local rope = scene:body("rope", { mesh = tide.mesh.strand { points = 3, from = { 0, 0, 0 }, to = { 2, 0, 0 } },
      masses = { 5, 6, 7 }, stiffness = 10 })
    rope:pin { 2 }
    local system = scene:system()
    local M = system:mass_matrix()
    assert.are.same({ 6, 6 }, { M:rows(), M:nonzeros() })
    assert.are.same({ 5, 10, 15, 28, 35, 42 }, (M * v):table())
    assert.are.same({ 1, 2, 3, 0, 0, 0, 4, 5, 6 }, system:scatter(v):table())
    local sum = M + system:hessian(system:positions())
    assert.is_truthy(linear.cholesky(sum))
  end)
end)

describe("the memory of a solver", function()
  it("stays from step to step and is part of snapshots", function()
    local scene, cloth = helper.cloth { solver = solver(remember) }
    local start = scene:hash()
    assert.is_true(scene:step(3))
    local snapshot, hash = scene:snapshot(), scene:hash()
    assert.are_not.equal(start, hash)
    assert.is_true(scene:step(4))
    local later, positions = scene:hash(), numbers(cloth:positions())
    scene:restore(snapshot)
    assert.are.equal(hash, scene:hash())
    assert.is_true(scene:step(4))
    assert.are.equal(later, scene:hash())
    assert.are.same(positions, numbers(cloth:positions()))
    local fork = scene:fork()
    assert.are.equal(later, fork:hash())
    assert.is_true(fork:step(2))
    assert.are.equal(later, scene:hash())
    assert.is_true(scene:step(2))
    assert.are.equal(scene:hash(), fork:hash())
    scene:reset()
    assert.are.equal(start, scene:hash())
    assert.is_true(scene:step(7))
    assert.are.equal(later, scene:hash())
  end)
  it("goes back when a step fails", function()
    local fail = false
    local scene = helper.cloth { solver = solver(function(system, state, h)
      local x, v = remember(system, state, h)
      assert(not fail, "on purpose")
      return x, v
    end) }
    for _ = 1, 3 do
      local twin = scene:fork()
      fail = true
      assert.is_nil((scene:step()))
      assert.are.equal(twin:hash(), scene:hash())
      fail = false
      assert.is_true(scene:step())
      assert.is_true(twin:step())
      assert.are.equal(twin:hash(), scene:hash())
    end
  end)
  it("is each scene's own", function()
    local name = solver(remember)
    local one, two = helper.cloth { solver = name }, tide.scene { solver = name }
    two:body("rope", { mesh = tide.mesh.strand { points = 4, from = { 0, 0, 0 }, to = { 1, 0, 0 } }, stiffness = 10 })
    local alone = helper.cloth { solver = name }
    for _ = 1, 4 do
      assert.is_true(one:step())
      assert.is_true(two:step(2))
    end
    assert.is_true(alone:step(4))
    assert.are.equal(alone:hash(), one:hash())
  end)
  it("holds what plain data and vectors are", function()
    local seen = {}
    local name = solver(function(_, state)
      local m = state.memory
      seen[#seen + 1] = m
      if m.n then
        assert(m.n == 1 and m.x == 0.5 and m.t == "text" and m.yes == true and m.list[2] == "b" and m.deep.v[3] == 3)
        assert(#m.deep.v == 3 and m.deep.v:norm() > 3)
      end
      m.n, m.x, m.t, m.yes, m.list, m.deep = 1, 0.5, "text", true, { "a", "b" }, { v = tide.linear.vector { 1, 2, 3 } }
    end)
    local scene = helper.cloth { solver = name, gravity = { 0, 0, 0 } }
    assert(scene:step(2))
    assert.are.equal(seen[1], seen[2]) -- the same table
    scene:restore(scene:snapshot())
    assert(scene:step())
    assert.are_not.equal(seen[2], seen[3])
    has(message(function()
      scene.state.v = tide.linear.vector(2)
      scene:hash()
    end), "expected plain data: booleans, numbers, strings and tables of them")
  end)
end)

describe("a script with a solver", function()
  local template = [[
    local tide = require "springtide"
    local factor = $factor
    tide.solver { name = "$name", options = { $options },
      step = function(_, state, h)
        local memory = state.memory
        memory.sum = (memory.sum or 0) + 1
        local x = state.positions:copy()
        x[5] = x[5] + factor * memory.sum
        return x
      end }
    local scene = tide.scene { solver = "$uses", gravity = { 0, 0, 0 } }
    scene:body("rope", { mesh = tide.mesh.strand { points = 2, from = { 0, 0, 0 }, to = { 1, 0, 0 } } })
    $more
    return scene]]
  local function script(changes)
    local values = { factor = 1, name = "mine", uses = "mine", options = "", more = "" }
    for name, value in pairs(changes or {}) do
      values[name] = value
    end
    return helper.write("lua_solver/scene.lua", (template:gsub("%$(%w+)", values)))
  end
  local function height(scene)
    return select(2, scene:body("rope"):position(2))
  end

  it("is reloaded with the new function, and its memory goes on", function()
    local scene = assert(tide.load(script()))
    assert.is_true(scene:step(2))
    assert.are.equal(3, height(scene))
    local ok, what = scene:reload(script { factor = 100 })
    assert(ok, what)
    assert.are.equal(1, what.kept)
    assert.is_true(scene:step())
    assert.are.equal(303, height(scene))
    collectgarbage()
    assert.is_true(scene:step())
    assert.are.equal(703, height(scene))
    assert.is_true(scene:reload(script { factor = 100, options = "more = 1" }))
    assert.are.equal(1, scene.solver.more)
    assert.is_true(scene:step())
    assert.are.equal(1203, height(scene))
  end)
  it("keeps its old one when the reload fails", function()
    local scene = assert(tide.load(script()))
    assert.is_true(scene:step(2))
    local fork = scene:fork()
    for _, changes in ipairs { { name = "other" }, { factor = "1 +" }, { more = "error 'late'" }, { name = "newton" },
      { more = [[tide.solver { name = "mine", step = print }]] } } do
      local ok, why = scene:reload(script(changes))
      assert.is_nil(ok)
      has(why, changes.name == "other" and 'solver: name = "mine": unknown solver' or "scene.lua:")
      collectgarbage()
    end
    assert.is_true(scene:step())
    assert.are.equal(6, height(scene))
    assert.is_true(scene:reload(script { factor = 100 }))
    assert.is_true(fork:step()) -- still under the function that it was forked with
    assert.are.equal(6, height(fork))
  end)
  it("may make the solver that its options name after the scene", function()
    local path = helper.write("lua_solver/late.lua", [[
      local tide = require "springtide"
      local scene = tide.scene {}
      assert(scene.solver[1] == "local_global")
      tide.solver { name = "late", options = { o = 1 }, step = function() end }
      return scene]])
    local scene = assert(tide.load(path, { solver = "late,o=2" }))
    assert.are.same({ "late", o = 2, substeps = 1 }, scene.solver)
    assert.is_true(scene:reload())
    assert.are.same({ "late", o = 2, substeps = 1 }, scene.solver)
    local none, why = tide.load(path, { solver = "lat" })
    assert.is_nil(none)
    has(why, 'did you mean "late"?')
  end)
  it("does not keep its runs alive", function()
    local path = script { more = "function scene.update() return scene end" }
    local live = setmetatable({}, { __mode = "k" })
    for _ = 1, 20 do
      local scene = assert(tide.load(path))
      live[scene] = true
      assert(scene:step(2))
      assert(scene:fork():step())
      assert(scene:reload())
      assert(scene:step())
    end
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(live))
  end)
end)
