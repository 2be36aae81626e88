-- springtide.optimise on functions whose minimum is known, and on a scene; springtide.sweep from plain Lua.
local helper = dofile "tests/script/helper.lua"
local has, message = helper.has, helper.message
local eigen = require "springtide.optimise.eigen"
local new_normal = require "springtide.optimise.normal"
local optimise = require "springtide.optimise"
local sweep = require "springtide.sweep"

local function sphere(x)
  local sum = 0
  for _, value in ipairs(x) do
    sum = sum + value * value
  end
  return sum
end

-- Rosenbrock (1960); the minimum 0 is at (1, ..., 1).
local function rosenbrock(x)
  local sum = 0
  for i = 1, #x - 1 do
    sum = sum + 100 * (x[i + 1] - x[i] ^ 2) ^ 2 + (1 - x[i]) ^ 2
  end
  return sum
end

local function close(x, expected, tolerance)
  for i, value in ipairs(expected) do
    assert(math.abs(x[i] - value) <= tolerance, ("%d: %.12g is not %.12g"):format(i, x[i], value))
  end
end

describe("minimise", function()
  for _, method in ipairs { "cma_es", "nelder_mead" } do
    it("finds the minimum of a sphere by " .. method, function()
      local found = optimise.minimise(sphere, { method = method, start = { 3, -2, 1, 4 }, step = 1,
                                                evaluations = 3000 })
      close(found.x, { 0, 0, 0, 0 }, 1e-4)
      assert.equal("tolerance", found.reason)
      assert.equal(found.value, sphere(found.x))
      assert(found.evaluations < 1500, found.evaluations .. " evaluations")
    end)

    for n = 2, 5 do
      it(("finds the minimum of Rosenbrock's function of %d numbers by %s"):format(n, method), function()
        local start, expected = {}, {}
        for i = 1, n do
          start[i], expected[i] = i % 2 == 1 and -1.2 or 1, 1
        end
        if n > 3 then -- from -1.2 both may end in the other minimum that it has for n > 3, near (-1, 1, ..., 1)
          start = { 0, 0, 0, 0, table.unpack({ 0 }, 1, n - 4) }
        end
        local found = optimise.minimise(rosenbrock, { method = method, start = start, evaluations = 8000,
                                                      tolerance = 1e-14 })
        close(found.x, expected, 1e-3)
      end)
    end

    it("is the same for equal options, and keeps to the number of evaluations: " .. method, function()
      local function run(seed)
        local called = 0
        local found = optimise.minimise(function(x)
          called = called + 1
          return rosenbrock(x)
        end, { method = method, start = { -1, 2, 0 }, evaluations = 100, seed = seed })
        assert.equal(called, found.evaluations)
        assert(called <= 100 and called >= 85, called .. " evaluations")
        assert.equal("evaluations", found.reason)
        return found
      end
      assert.same(run(3), run(3))
      if method == "cma_es" then
        assert.not_same(run(3).x, run(4).x)
      end
    end)

    it("stays within bounds, and finds a minimum on one: " .. method, function()
      local found = optimise.minimise(function(x)
        assert(x[1] >= 1 and x[1] <= 4 and x[2] >= 1e-3 and x[2] <= 1e3)
        return x[1] ^ 2 + math.log(x[2] / 20) ^ 2
      end, { method = method, start = { 3, 1 }, lower = { 1, 1e-3 }, upper = { 4, 1e3 }, logarithmic = { false, true },
             evaluations = 600, tolerance = 1e-12 })
      close(found.x, { 1, 20 }, 1e-2)
    end)

    it("passes over values that are not numbers: " .. method, function()
      local found = optimise.minimise(function(x) return x[1] < 0 and 0 / 0 or (x[1] - 1) ^ 2 + x[2] ^ 2 end,
                                      { method = method, start = { 2, 2 }, evaluations = 1000 })
      close(found.x, { 1, 0 }, 1e-3)
    end)
  end

  it("tells of each batch and of each improvement", function()
    local seen = 0
    local found = optimise.minimise(sphere, { start = { 1, 1 }, evaluations = 60, each = function(batch)
      for _, one in ipairs(batch) do
        assert.equal(sphere(one.x), one.value)
      end
      seen = seen + #batch
    end })
    assert.equal(found.evaluations, seen)
    for i = 2, #found.history do
      assert(found.history[i].value < found.history[i - 1].value)
    end
    assert.equal(found.value, found.history[#found.history].value)
  end)

  it("needs fewer evaluations on a long valley than a search that does not learn its shape", function()
    local found = optimise.minimise(function(x) return x[1] ^ 2 + 1e6 * x[2] ^ 2 + 1e3 * x[3] ^ 2 end,
                                    { start = { 1, 1, 1 }, evaluations = 2000, tolerance = 1e-12 })
    close(found.x, { 0, 0, 0 }, 1e-4)
  end)

  it("refuses wrong options", function()
    local function refused(part, options)
      has(message(optimise.minimise, sphere, options), part)
    end
    refused("start: expected a list", {})
    refused("start[2] = x: expected a finite number", { start = { 1, "x" } })
    refused("nan: expected a finite number", { start = { 0 / 0 } })
    refused("method = newton: expected cma_es or nelder_mead", { start = { 1 }, method = "newton" })
    refused("stat: there is no such field", { stat = { 1 } })
    refused("lower and upper, or neither", { start = { 1 }, lower = { 0 } })
    refused("less than upper[1]", { start = { 1 }, lower = { 1 }, upper = { 1 } })
    refused("within the bounds", { start = { 5 }, lower = { 0 }, upper = { 1 } })
    refused("upper[2]: expected a finite number", { start = { 0, 0 }, lower = { 0, 0 }, upper = { 1 } })
    refused("above 0, as it is logarithmic", { start = { 1 }, lower = { 0 }, upper = { 2 }, logarithmic = { true } })
    refused("evaluations = 0", { start = { 1 }, evaluations = 0 })
    refused("enough for a first batch", { start = { 1, 2 }, evaluations = 2 })
    refused("seed = 0.5: expected a whole number", { start = { 1 }, seed = 0.5 })
    has(message(optimise.minimise, function() return "low" end, { start = { 1 } }), "value = low: expected a number")
  end)
end)

describe("its parts", function()
  it("eigenvalues and eigenvectors: A V = V D, V'V = I", function()
    local normal, n, A = new_normal(5), 7, {}
    for i = 1, n do
      A[i] = {}
    end
    for i = 1, n do
      for k = 1, i do
        A[i][k] = normal()
        A[k][i] = A[i][k]
      end
    end
    local values, V = eigen(A)
    for i = 1, n do
      for k = 1, n do
        local product, dot = 0, 0
        for j = 1, n do
          product, dot = product + A[i][j] * V[j][k], dot + V[j][i] * V[j][k]
        end
        assert(math.abs(product - values[k] * V[i][k]) < 1e-12)
        assert(math.abs(dot - (i == k and 1 or 0)) < 1e-12)
      end
    end
  end)

  it("normal numbers have mean 0, variance 1 and the fourth moment 3", function()
    local normal, sums, count = new_normal(1), { 0, 0, 0, 0 }, 100000
    for _ = 1, count do
      local x = normal()
      for power = 1, 4 do
        sums[power] = sums[power] + x ^ power / count
      end
    end
    close(sums, { 0, 1, 0, 3 }, 0.05)
  end)
end)

-- --- scenes, by processes --------------------------------------------------------------------------------------------

-- A mass on a spring hangs at rest at -m g / k.
local hanging = helper.write("hanging.lua", [[
local tide = require "springtide"
local k = tide.param("k", 100, { min = 1, max = 1e4, scale = "log" })
local mass = tide.param("mass", 1, { min = 0.1, max = 10 })
local scene = tide.scene { timestep = 0.1, solver = { "newton", iterations = 20 }, drag = 5 }
scene:body("spring", { mesh = tide.mesh.strand { points = 2, from = { 0, 0, 0 }, to = { 0, -1, 0 } },
  mass = 2 * mass, stiffness = k }):pin { 1 }
return scene
]])
local measure = helper.write("hanging_measure.lua", [[
return { low = function(scene) local _, y = scene:body "spring":position(2) return y end,
         path = { each = function(scene) local _, y = scene:body "spring":position(2) return y end },
         off = function(scene) local _, y = scene:body "spring":position(2) return (y + 1.5) ^ 2 end }
]])

local function fresh(name)
  os.execute("rm -rf '" .. helper.folder .. name .. "'")
  return helper.folder .. name
end

describe("sweep.run", function()
  it("returns a row for each combination", function()
    local out = fresh "sweep"
    local rows = assert(sweep.run { scene = hanging, vary = { { "k", { 50, 100 } }, "mass=1:2:2" }, frames = 100,
                                    measure = measure, out = out, jobs = 1 })
    assert.equal(4, #rows)
    assert.same({ "k", "mass" }, rows.names)
    for _, row in ipairs(rows) do
      assert.equal("done", row.status)
      assert(math.abs(row.measures.low + 1 + 9.81 * row.values[2] / row.values[1]) < 1e-3)
    end
    local path = sweep.result(out, 3):get "series/path"
    assert.equal(800, #path)
    assert.equal(rows[3].measures.low, (string.unpack("<d", path, 793)))
    assert.same(rows, sweep.rows(out))
  end)

  it("returns what the program says", function()
    local rows, why = sweep.run { scene = hanging, vary = { "j=1,2" }, out = fresh "wrong" }
    assert.is_nil(rows)
    has(why, "j: expected a parameter of the scene")
    assert.is_nil(sweep.rows(fresh "nowhere"))
  end)

  it("refuses wrong fields", function()
    has(message(sweep.run, { scene = hanging, out = "x", varry = {} }), "varry: there is no such field")
    has(message(sweep.run, { scene = hanging }), "out: expected a path")
    has(message(sweep.run, { scene = "--set", out = "x" }), "scene = --set: expected a path")
    has(message(sweep.run, { scene = hanging, out = fresh "x", vary = { { "k", { "a" } } } }),
        "vary k = a: expected a number")
  end)

  it("is not for scenes", function()
    local path = helper.write("in_scene.lua", [[
      local sweep = require "springtide.sweep"
      sweep.run { scene = "x.lua", out = "x" }
      return require "springtide".scene {}]])
    local scene, why = helper.tide.load(path)
    assert.is_nil(scene)
    has(why, "call it from plain Lua")
  end)
end)

describe("optimise.scene", function()
  it("finds the stiffness at which a mass hangs at a height, and takes no run twice", function()
    local out = fresh "optimise"
    local options = { scene = hanging, parameters = { { "k", 2, 2000, scale = "log" } }, measure = measure,
                      minimise = "off", frames = 60, out = out, method = "nelder_mead", evaluations = 24, jobs = 1 }
    local found = assert(optimise.scene(options))
    assert(math.abs(found.parameters.k - 2 * 9.81) < 0.5, found.parameters.k)
    local function stamps()
      local pipe = io.popen("stat -c '%n %i %y' '" .. out .. "'/*/runs/*.run")
      local text = pipe:read "a"
      pipe:close()
      return text
    end
    local before = stamps()
    assert.same(found, assert(optimise.scene(options)))
    assert.equal(before, stamps())
  end)

  it("returns a message where no run measures it", function()
    local found, why = optimise.scene { scene = hanging, parameters = { { "k", 2, 2000 } }, measure = measure,
                                        maximise = "height", frames = 2, out = fresh "unknown", evaluations = 4 }
    assert.is_nil(found)
    has(why, "no run of the first batch measures height")
    found, why = optimise.scene { scene = hanging, parameters = { { "k", 2, 2000 } }, out = "x" }
    assert.is_nil(found)
    has(why, "expected the name of a measure")
    found, why = optimise.scene { scene = hanging, parameters = { { "k" } }, minimise = "off", out = "x" }
    assert.is_nil(found)
    has(why, "parameters[1]: expected")
  end)
end)
