-- The laboratory's studies against theory and against other computations, and its parts: problems, methods, eigenvalues
-- and spectra.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message
local lab = require "springtide.lab"

local oscillator, pendulum, drape = "scenes/papers/oscillator.lua", "scenes/pendulum.lua", "scenes/papers/drape.lua"

local function close(a, b, tolerance)
  assert(math.abs(a - b) <= tolerance * math.max(math.abs(a), math.abs(b), 1e-300), ("%.17g is not %.17g"):format(a, b))
end

-- A cloth in motion, whose springs are stretched.
local function moving_cloth(settings)
  local scene, cloth = helper.cloth(settings or { timestep = 1 / 30 })
  cloth:pin { 1, 5 }
  assert(scene:step(6))
  return scene
end

-- Returns the text of the error that a call raises; the error may be a table with a text.
local function refusal(f, ...)
  local done, failure = pcall(f, ...)
  assert(not done, "nothing was raised")
  return tostring(failure)
end

describe("a problem", function()
  it("is g of Liu et al. 2013, eq. 8, with its gradient", function()
    local scene = moving_cloth()
    local problem, system = assert(scene:problem()), scene:system()
    local h, y, q, v = problem.timestep, problem.inertial, system:positions(), system:velocities()
    local function g(x)
      local apart, sum = x - y, 0
      for i, mass in ipairs(system:masses():table()) do
        for k = 3 * i - 2, 3 * i do
          sum = sum + 0.5 * mass * apart[k] ^ 2
        end
      end
      return sum + h ^ 2 * system:energy(x)
    end
    assert.equal(scene.timestep, h)
    local x = q:copy():add(v, 0.5 * h)
    close(problem:g(x), g(x), 1e-9)
    local gradient = problem:gradient(x)
    for _, k in ipairs { 19, 20, 21, 40 } do
      local up, down = x:copy(), x:copy()
      up[k], down[k] = x[k] + 1e-6, x[k] - 1e-6
      assert(math.abs((g(up) - g(down)) / 2e-6 - gradient[k]) < 1e-6)
    end
    local free = system:gather(gradient)
    close(problem:gradient_norm(x), free:norm(), 1e-12)
    -- y: free fall from the damped velocities
    close(y[20], q[20] + h * v[20] - h ^ 2 * 9.81, 1e-6)
  end)

  it("is solved without changing the scene, and advances as scene:step", function()
    local scene, other = moving_cloth(), moving_cloth()
    local before = scene:hash()
    local problem = assert(scene:problem())
    local x, v, report = problem:solve "newton,iterations=100,tolerance=1e-12"
    assert.equal(before, scene:hash())
    assert(problem:gradient_norm(x) <= 1e-10 * problem:gradient_norm(problem.inertial))
    assert.equal("newton", report.solver)
    close(v[20], (x[20] - scene:system():positions()[20]) / problem.timestep, 1e-9)
    assert.is_true(problem:advance())
    assert(other:step())
    assert.equal(other:hash(), scene:hash())
  end)

  it("calls update once, and tells what fails there", function()
    local scene, calls = moving_cloth(), 0
    function scene.update()
      calls = calls + 1
      assert(calls < 3, "on purpose")
    end
    assert(scene:problem():advance())
    assert.equal(1, calls)
    assert(scene:step())
    local problem, why = scene:problem()
    assert.is_nil(problem)
    has(why, "on purpose")
  end)

  it("is refused once the scene has gone on", function()
    local scene = moving_cloth()
    local problem = scene:problem()
    assert(scene:step())
    has(message(function() return problem.inertial end), "call scene:problem() again")
    has(message(function() problem:advance() end), "call scene:problem() again")
    scene:body("late", { mesh = tide.mesh.strand { points = 3 }, mass = 1, stiffness = 1 })
    local fresh = scene:problem()
    assert.equal(3 * scene:system().particle_count, #fresh.inertial)
    scene:body("later", { mesh = tide.mesh.strand { points = 3 }, mass = 1, stiffness = 1 })
    has(message(function() return fresh:g(fresh.inertial) end), "call scene:problem() again")
  end)

  it("refuses wrong solvers and positions", function()
    local scene = moving_cloth()
    local problem = scene:problem()
    has(message(function() problem:solve "newtn" end), 'did you mean "newton"?')
    has(message(function() problem:solve "newton,history=3" end), "history")
    has(message(function() problem:g { 1, 2, 3 } end), "g")
    has(message(function() scene:method(7) end), "method")
    has(message(function() scene:method("newton"):time(scene, 3) end), "problem")
    has(message(function() scene:method("newton"):time(problem, 0) end), "iterations")
  end)
end)

describe("a method", function()
  it("takes the step that the scene would take", function()
    local scene = moving_cloth { timestep = 1 / 30, solver = { "local_global", iterations = 4, tolerance = 0 } }
    local method, fresh = scene:method "local_global", scene:fork()
    fresh.solver = "local_global,iterations=7,tolerance=0"
    local x, v, report = method:time(scene:problem(), 7)
    assert.equal(7, report.iterations)
    assert(fresh:step())
    local reached = fresh:system():positions()
    for i = 1, #reached do
      assert(math.abs(reached[i] - x[i]) < 1e-6)
    end
    assert.equal(#x, #v)
    assert.equal("local_global", method.info.name)
    -- the scene's own solver, and the same answer a second time
    local again = scene:method():time(scene:problem(), 7)
    assert((x - again):norm() == 0)
  end)

  it("runs a solver that a script made, and tells what fails in it", function()
    local path = helper.write("lab_solver.lua", [[
local tide = require "springtide"
tide.solver { name = "still", options = { iterations = { 10, min = 1, integer = true } },
  step = function(_, state)
    assert(state.options.iterations < 5, "on purpose")
    return state.positions
  end }
local scene = tide.scene {}
scene:body("a", { mesh = tide.mesh.strand { points = 3 }, mass = 1, stiffness = 1 })
return scene
]])
    local scene = tide.load(path, { time_limit = 10, memory_limit = 100 })
    local method = scene:method "still"
    local problem = scene:problem()
    local x = method:time(problem, 4)
    assert((x - scene:system():positions()):norm() == 0)
    local none, why = method:time(problem, 5)
    assert.is_nil(none)
    has(why, "on purpose")
  end)
end)

describe("eigenvalues and spectra", function()
  it("find k0 of an oscillator, and shrink with a filter", function()
    local scene = tide.load(oscillator, { set = { stiffness = 3 } })
    local system = scene:system()
    close(system:largest_eigenvalue(system:positions()), 3, 1e-5)
    assert.is_nil(system:filtered_eigenvalue(system:positions()))
    scene = tide.load(drape, { set = { side = 5 }, solver = "symplectic_euler,filter=exponential,filter.lambda=2" })
    system = scene:system()
    local x = system:positions()
    local filtered = system:filtered_eigenvalue(x)
    assert(filtered > 0 and filtered < system:largest_eigenvalue(x))
    has(message(function() system:largest_eigenvalue(x, { tolerance = 0 }) end), "tolerance")
    has(message(function() system:largest_eigenvalue { 1 } end), "largest_eigenvalue")
  end)

  it("are those of the definition", function()
    local n, m, numbers = 5, 4, {}
    for i = 1, n * m do
      numbers[i] = math.sin(i * i) + 0.1 * i
    end
    local spectrum, all, squares = tide.linear.spectrum(numbers, n, m), 0, 0
    for i = 0, n * m - 1 do
      local kx, ky, re, im = i % n - n // 2, i // n - m // 2, 0, 0
      for j = 0, n * m - 1 do
        local angle = 2 * math.pi * (kx * (j % n) / n + ky * (j // n) / m)
        re, im = re + numbers[j + 1] * math.cos(angle), im - numbers[j + 1] * math.sin(angle)
      end
      assert(math.abs(spectrum[i + 1] - (re * re + im * im) / (n * m) ^ 2) < 1e-12)
      all, squares = all + spectrum[i + 1], squares + numbers[i + 1] ^ 2
    end
    close(all, squares / (n * m), 1e-12)
    local three = {}
    for i, number in ipairs(numbers) do
      three[3 * i - 2], three[3 * i - 1], three[3 * i] = number, 0, 2 * number
    end
    close(tide.linear.spectrum(three, n, m)[7], 5 * spectrum[7], 1e-12)
    has(message(function() tide.linear.spectrum(numbers, 3, 4) end), "columns * rows")
  end)

  it("have a theory for solvers that are known", function()
    local known = {}
    for _, info in ipairs(tide.solvers()) do
      known[info.name] = info
    end
    assert.equal(4, known.rk4.order)
    assert.is_nil(known.pbd.amplification)
    close(known.newton.amplification(0, 1), 1 / math.sqrt(2), 1e-12) -- backward Euler: 1 / (1 + Y)
    local scene = tide.load(oscillator, { solver = "rk4" })
    assert.equal("rk4", scene:solver_info().name)
    has(message(known.rk4.amplification, 0 / 0, 1), "X")
  end)
end)

describe("lab.convergence", function()
  it("measures the error of the definition", function()
    local scene = moving_cloth()
    local result = lab.convergence(scene, { frame = 1, iterations = 5, solvers = { "local_global", "newton" } })
    local group = result.groups[1]
    assert.same({ 1, 2, 3, 5 }, result.iterations)
    local problem = scene:problem()
    local best, y = problem:solve "newton,iterations=1000,tolerance=1e-14", problem.inertial
    local reached = scene:method("local_global"):time(problem, 3)
    local error = (problem:g(reached) - problem:g(best)) / (problem:g(y) - problem:g(best))
    close(group.curves[1].points[3].error, error, 1e-9)
    assert.equal(3, group.curves[1].points[3].iterations)
    local newton = group.curves[2].points
    assert(math.abs(newton[#newton].error) < 1e-12)
  end)

  it("sweeps parameters of a file and options of solvers, and takes means", function()
    local seen, how = 0, { frame = 2, frames = 2, iterations = 2, params = { side = 5 }, solvers = { "local_global" } }
    how.sweep, how.each = { name = "stiffness", values = { 20, 80 } }, function() seen = seen + 1 end
    local result = lab.convergence("scenes/papers/curtain.lua", how)
    assert.equal(2, seen)
    assert.equal(2, result.groups[1].curves[1].points[2].frames)
    assert(result.groups[1].curves[1].points[2].error < result.groups[2].curves[1].points[2].error)
    how.sweep = { name = "damping.mass", of = "option", values = { 0, 5 } }
    how.frames = 1
    local damped = lab.convergence("scenes/papers/curtain.lua", how)
    assert(damped.groups[1].curves[1].points[1].error ~= damped.groups[2].curves[1].points[1].error)
  end)

  it("refuses what it cannot do", function()
    local scene = moving_cloth()
    local iterations = { name = "iterations", of = "option", values = { 1 } }
    has(refusal(lab.convergence, scene, { sweep = iterations }), "by itself")
    has(refusal(lab.convergence, scene, { sweep = { name = "stiffness", values = { 1 } } }), "no parameters")
    has(refusal(lab.convergence, "nothing.lua"), "nothing.lua: cannot be read")
    has(refusal(lab.convergence, tide.scene {}, { frame = 1 }), "nothing is to be minimised")
  end)
end)

describe("lab.order", function()
  it("finds the orders of the theory", function()
    local result = lab.order(pendulum, { frames = 8, halvings = 4, solvers = { "newton", "verlet", "rk4" } })
    for i, order in ipairs { 1, 2, 4 } do
      assert(math.abs(result.curves[i].order - order) < 0.2)
      assert.equal(order, result.curves[i].theory)
    end
    close(result.time, 8 * tide.load(pendulum).timestep, 1e-12)
    has(refusal(lab.order, pendulum, { sweep = { name = "timestep", values = { 1 } } }), "by itself")
    has(refusal(lab.order, tide.scene {}, { frames = 1, solvers = { "newton" } }), "nothing in it moves")
  end)
end)

describe("lab.stability", function()
  it("finds Shinya's region", function()
    local values = { 0.3, 1.3, 2.3, 3.3, 4.3 }
    local map = lab.stability(oscillator, {
      frames = 300, solvers = { "explicit_euler" }, sweep = { name = "damping.mass", of = "option", values = values },
      across = { name = "stiffness", values = values } }).maps[1]
    for j, Y in ipairs(values) do
      for i, X in ipairs(values) do
        local cell = map.rows[j][i]
        if X ~= Y then
          assert.equal(Y < X and Y > 2 * X - 4, cell.stable) -- 2005, eq. 22 to 24
        end
        close(cell.X, X, 1e-6)
        close(cell.Y, Y, 1e-5)
      end
    end
    assert(#map.line > 0)
    for _, piece in ipairs(map.line) do
      local X, Y = piece[1][1], piece[1][2]
      assert(math.abs(Y - X) < 0.1 or math.abs(Y - 2 * X + 4) < 0.2)
    end
  end)

  it("needs two axes", function()
    has(refusal(lab.stability, oscillator, { sweep = { name = "stiffness", values = { 1, 2 } } }), "two values")
  end)
end)

describe("lab.cost", function()
  it("counts, and marks what diverges", function()
    local rows = lab.cost(drape, { frames = 2, params = { side = 16 },
      sweep = { name = "k0", values = { 1e4, 1e6 } }, solvers = { "newton", "symplectic_euler,substep=0.01" } }).rows
    assert.equal(4, #rows)
    for i, row in ipairs(rows) do
      close(row.k0, i % 2 == 1 and 1e4 or 1e6, 0.01)
      assert.equal(rows[1].particles, row.particles)
    end
    assert(rows[1].seconds > 0 and rows[1].iterations >= 1)
    assert.equal(1, rows[1].substeps)
    assert.is_nil(rows[4].seconds)
  end)
end)

describe("lab.pictures", function()
  it("measures distances from the last solver", function()
    local rows = lab.pictures("scenes/papers/curtain.lua", { frame = 3, params = { side = 5 },
      solvers = { "local_global,iterations=1", "local_global,iterations=200", "newton" } }).rows
    assert.equal(0, rows[3].distance)
    assert(rows[2].distance < 0.01 * rows[1].distance)
    assert.equal(200, rows[2].iterations)
  end)
end)

describe("lab.velocities", function()
  it("takes films whose spectrum holds the energy", function()
    local result = lab.velocities(drape, { frame = 3, frames = 4, params = { side = 5 }, solvers = { "newton" } })
    local film, all = result.films[1], 0
    assert.equal(result.vertex_count, result.columns * result.rows)
    assert.equal(4, film.frames)
    assert.equal(4, #film.samples)
    for _, e in ipairs(film.energy) do
      all = all + e
    end
    close(all, film.speeds[3] ^ 2, 1e-9)
    assert(film.roughness[3] >= 0 and film.roughness[3] <= 1)
    local largest, above = 0, 0
    for _, sample in ipairs(film.samples) do
      for _, v in ipairs(sample) do
        largest = math.max(largest, math.abs(v))
        above = above + (math.abs(v) > result.scale and 1 or 0)
      end
    end
    assert(result.scale <= largest)
    assert(above <= 0.01 * 3 * result.vertex_count * 4)
  end)

  it("tells a grid from other meshes", function()
    local scene = tide.scene {}
    scene:body("ball", { mesh = tide.mesh.sphere {}, mass = 1, stiffness = 1 })
    assert.is_nil(lab.velocities(scene, { frame = 1, frames = 1 }).columns)
    scene = tide.scene {}
    local mesh = tide.mesh.grid { columns = 4, rows = 3 }:rotate({ 1, 2, 3 }, 0.7):scale(2):translate(1, 2, 3)
    scene:body("cloth", { mesh = mesh, mass = 1, stiffness = 1 })
    local result = lab.velocities(scene, { frame = 1, frames = 1 })
    assert.same({ 4, 3 }, { result.columns, result.rows })
    has(refusal(lab.velocities, tide.scene {}, {}), "no body")
  end)
end)

describe("a scene", function()
  it("measures in its own script, and gets no function that writes files", function()
    local path = helper.write("lab_scene.lua", [[
local tide, lab = require "springtide", require "springtide.lab"
local scene = tide.scene { timestep = 0.01 }
local cloth = scene:body("cloth", { mesh = tide.mesh.grid { columns = 3, rows = 3 }, mass = 1, stiffness = 50 })
cloth:pin { 1 }
scene:step(3)
local result = lab.convergence(scene, { frame = 1, iterations = 3, solvers = { "local_global" } })
scene.title = ("%.3g"):format(result.groups[1].curves[1].points[1].error)
local output = require "springtide.lab.output"
local done = pcall(function() output.writer(nil, "."):save("stolen.csv", output.table({}, {})) end)
assert(not done)
local finished = pcall(require "springtide.lab.command", { study = "error" }, {})
assert(not finished or select(2, pcall(require "springtide.lab.command", { study = "error" }, {})) == nil)
assert(not pcall(lab.cost, scene)) -- scenes have no clock
return scene
]])
    local scene = assert(tide.load(path))
    local error = tonumber(scene.title)
    assert(error > 0 and error < 1)
    assert.is_nil(io.open "stolen.csv")
  end)
end)
