-- Elements of a script's own: tide.element, symbols, errors, solvers, reloads.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local function distance(a, b)
  return (a - b):length()
end

-- The spring of the engine, written as an element.
local function make_spring()
  return tide.element {
    name = "pull", vertices = 2, muscle = "rest",
    parameters = { k = { 10, min = 0, unit = "N/m" }, rest = { distance, min = 0, unit = "m" } },
    energy = function(p, a, b)
      local s = (a - b):length() - p.rest
      return p.k / 2 * s ^ 2
    end,
  }
end

local function net(group, settings)
  local scene = tide.scene(settings or { timestep = 1 / 60 })
  local mesh = tide.mesh.grid { columns = 7, rows = 7, width = 1, height = 1 }
  local body = scene:body("net", { mesh = mesh, mass = 1, elements = { group } })
  body:pin { 1, 7 }
  return scene, body
end

local function difference(a, b)
  local most, x, y = 0, a:positions(), b:positions()
  for i = 1, #x do
    most = math.max(most, math.abs(x[i] - y[i]))
  end
  return most
end

describe("tide.element", function()
  it("is its energy: springs, areas, volumes and anchors have those of the formulas", function()
    local area = tide.element { vertices = 3, parameters = { k = 2, A = 5 },
      energy = function(p, a, b, c) return p.k / 2 * ((b - a):cross(c - a):length() / 2 - p.A) ^ 2 end }
    local volume = tide.element { vertices = 4, parameters = { k = 3 },
      energy = function(p, a, b, c, d, A, B, C, D)
        return p.k * (tide.det(b - a, c - a, d - a) - tide.det(B - A, C - A, D - A)) ^ 2
      end }
    local anchor = tide.element { vertices = 1, parameters = { k = 8 },
      energy = function(p, x) return p.k / 2 * (x - { 1, 0, 0 }):dot(x - { 1, 0, 0 }) end }
    local scene = tide.scene {}
    local mesh = tide.mesh.new { vertices = { 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 2 }, tetrahedra = { 1, 2, 3, 4 } }
    local body = scene:body("b", { mesh = mesh, mass = 1, elements = {
      { area, vertices = { { 1, 2, 3 } } }, { volume, on = "tetrahedra" }, { anchor, vertices = { { 2 } }, k = 2 } } })
    assert.is_near(1 / 2 * 2 * (6 - 5) ^ 2 + 1 / 2 * 2 * 2 ^ 2, scene:energy().elastic, 1e-13)
    body:set_position(4, 0, 0, 1) -- six times the volume: 24 -> 12
    assert.is_near(1 + 4 + 3 * 12 ^ 2, scene:energy().elastic, 1e-12)
    assert.are.same({ "element", 3 }, { area.name, area.vertex_count })
  end)

  it("has functions of symbols, which take numbers, too", function()
    assert.are.same({ 3, 1, 2, 3, 0, 7 }, { tide.max(1, 3, 2), tide.min(3, 1), tide.abs(-2), tide.sqrt(9), tide.log(1),
                                            tide.select(-1, 5, 7) })
    assert.is_near(math.pi / 4, tide.atan2(1, 1), 1e-15)
    assert.is_near(1, tide.exp(0) * tide.cos(0) + tide.sin(0), 1e-15)
    local kind = tide.element { vertices = 2, parameters = { c = 2 }, energy = function(p, a, b)
      local d = b - a
      local n = d:normalized()
      return tide.max(d.x, 0, -1) + tide.min(d.y, 9) + tide.abs(d.z) + tide.sqrt(d.x) + tide.exp(d.y) + tide.log(d.z)
        + tide.sin(d.x) + tide.cos(d.y) + tide.atan2(d.y, d.x) + tide.select(d.x - 5, d.y, d.z) + d.x ^ p.c
        + 2 ^ d.y - n.x + -n.y + (n / 2).z + tide.select(d.x, d, -d).z
    end }
    local scene = tide.scene {}
    local mesh = tide.mesh.new { vertices = { 0, 0, 0, 1, 2, 3 }, edges = { 1, 2 } }
    scene:body("b", { mesh = mesh, mass = 1, elements = { { kind, on = "edges" } } })
    local l = math.sqrt(14)
    local expected = 1 + 2 + 3 + 1 + math.exp(2) + math.log(3) + math.sin(1) + math.cos(2) + math.atan(2, 1) + 3 + 1
      + 4 - 1 / l - 2 / l + 3 / l / 2 + 3
    assert.is_near(expected, scene:energy().elastic, 1e-12)
  end)

  it("gives the derivatives of scene:system(), as finite differences do", function()
    local twist = tide.element { vertices = 3, parameters = { k = 2 }, energy = function(p, a, b, c)
      local n = (b - a):cross(c - a)
      return p.k * tide.atan2(n.z, n:dot { 1, 1, 0 } + 3) ^ 2 + tide.exp((a - c).y) / (1 + (a - b):dot(a - b))
    end }
    local scene = tide.scene {}
    local mesh = tide.mesh.new { vertices = { 0, 0, 0, 1, 0.2, 0, 0.1, 1, 0.3 }, triangles = { 1, 2, 3 } }
    scene:body("b", { mesh = mesh, mass = 1, elements = { { twist, on = "triangles" } } })
    local system = scene:system()
    local x = system:positions()
    local gradient, hessian = system:gradient(x), system:hessian(x)
    for i = 1, 9 do
      local unit = tide.linear.vector(9)
      unit[i] = 1
      local h = 1e-4
      local slope = (8 * (system:energy(x + h * unit) - system:energy(x - h * unit))
        - system:energy(x + 2 * h * unit) + system:energy(x - 2 * h * unit)) / (12 * h)
      assert.is_near(slope, gradient[i], 1e-9)
      local column = (8 * (system:gradient(x + h * unit) - system:gradient(x - h * unit))
        - (system:gradient(x + 2 * h * unit) - system:gradient(x - 2 * h * unit))) / (12 * h)
      local difference_of = column - hessian * unit
      assert.is_true(difference_of:norm() < 1e-8)
    end
  end)

  it("has the same steps as the engine's spring, under every solver", function()
    for _, solver in ipairs(tide.solvers()) do
      local options = { solver.name }
      for _, option in ipairs(solver.options) do
        if option.name == "iterations" then
          options.iterations = 50
        end
      end
      local settings = { timestep = 1 / 60, solver = options }
      local own, own_net = net({ make_spring(), on = "edges", k = 200 }, settings)
      local built_in, net_of_springs = net({ "spring", on = "edges", stiffness = 200 }, settings)
      assert(own:step(5))
      assert(built_in:step(5))
      assert.is_true(difference(own_net, net_of_springs) < 1e-8, solver.name)
      assert.is_near(built_in:energy().elastic, own:energy().elastic, 1e-8)
    end
  end)

  it("reaches one minimum under all solvers that minimise g", function()
    local string_kind = tide.element { vertices = 2, parameters = { k = 100, rest = distance },
      energy = function(p, a, b) return p.k / 2 * tide.max((a - b):length() - p.rest, 0) ^ 2 end }
    local first
    for _, solver in ipairs { "newton", "local_global", "lbfgs", "nonlinear_cg", "vbd" } do
      local settings = { timestep = 1 / 60, solver = { solver, iterations = 1200 } }
      local scene, body = net({ string_kind, on = "edges" }, settings)
      assert(scene:step(1))
      first = first or body
      assert.is_true(difference(first, body) < 1e-8, solver)
    end
  end)

  it("joins up to eight vertices: a hexahedron that keeps its volume and its edges", function()
    local faces = { { 1, 3, 4, 2 }, { 5, 6, 8, 7 }, { 1, 2, 6, 5 }, { 3, 7, 8, 4 }, { 1, 5, 7, 3 }, { 2, 4, 8, 6 } }
    local function volume(x) -- of the faces, each as two triangles
      local sum = 0
      for _, f in ipairs(faces) do
        sum = sum + tide.det(x[f[1]], x[f[2]], x[f[3]]) + tide.det(x[f[1]], x[f[3]], x[f[4]])
      end
      return sum / 6
    end
    local brick = tide.element { vertices = 8, parameters = { k = 50 }, energy = function(p, ...)
      local all, x, rest, sum = { ... }, {}, {}, 0
      for i = 1, 8 do x[i], rest[i] = all[i], all[8 + i] end
      for i = 1, 7 do
        for j = i + 1, 8 do
          sum = sum + ((x[i] - x[j]):length() - (rest[i] - rest[j]):length()) ^ 2
        end
      end
      return p.k / 2 * sum + 5 * p.k * (volume(x) - volume(rest)) ^ 2
    end }
    local corners = {}
    for i = 0, 7 do corners[i + 1] = { i % 2, i // 2 % 2, i // 4 } end
    local first
    for _, solver in ipairs { "newton", "local_global", "lbfgs", "vbd" } do
      local scene = tide.scene { timestep = 1 / 30, solver = { solver, iterations = 1000 } }
      local body = scene:body("brick", { mesh = tide.mesh.new { vertices = corners }, mass = 1,
        elements = { { brick, vertices = { { 1, 2, 3, 4, 5, 6, 7, 8 } } } } }):pin { 1, 4 }
      assert.is_near(0, scene:energy().elastic, 1e-12)
      body:move_pin(4, 1.2, 1.1, 0.1)
      assert(scene:step(2))
      first = first or body
      assert.is_true(difference(first, body) < 1e-8, solver)
    end
  end)

  it("shortens steps of local_global where its Hessian exceeds the constant matrix", function()
    local steep = tide.element { vertices = 2, parameters = { k = 1e3, rest = distance },
      energy = function(p, a, b)
        return p.k * p.rest ^ 2 * ((a - b):dot(a - b) / p.rest ^ 2 - 1) ^ 2
      end }
    local first
    for _, solver in ipairs { "newton", "local_global", "lbfgs", "nonlinear_cg", "vbd" } do
      local scene, body = net({ steep, on = "edges" },
        { timestep = 1 / 200, solver = { solver, iterations = 2000, tolerance = 1e-12 } })
      body:set_position(49, 1.5, -1, 1.5) -- two springs are stretched by 681 %
      assert(scene:step(1))
      first = first or body
      assert.is_true(difference(first, body) < 1e-8, solver)
    end
  end)

  it("does not depend on threads", function()
    local hashes = {}
    for threads = 1, 2 do
      tide.threads(threads)
      local scene = tide.scene { timestep = 1 / 60 }
      local mesh = tide.mesh.grid { columns = 121, rows = 121, width = 1, height = 1 }
      local body = scene:body("net", { mesh = mesh, mass = 1, elements = { { make_spring(), on = "edges", k = 200 } } })
      body:pin { 1, 121 }
      assert(scene:step(2))
      hashes[threads] = scene:hash()
    end
    tide.threads(0)
    assert.are.equal(hashes[1], hashes[2])
  end)

  it("is in forks and snapshots, can be cut and contracted, and outlives the script that made it", function()
    local scene, body = net { make_spring(), on = "edges", k = 200 }
    assert(scene:step(3))
    local fork, before, hash = scene:fork(), scene:snapshot(), scene:hash()
    assert(scene:step(5))
    assert(fork:step(5))
    assert.are.equal(scene:hash(), fork:hash())
    body:contract({ 1, 2, 3 }, 0.5)
    assert(scene:step(1))
    assert.are_not.equal(scene:hash(), fork:hash())
    scene:restore(before)
    assert.are.equal(hash, scene:hash())
    collectgarbage()
    assert(scene:step(5))
    assert.are.equal(scene:hash(), fork:hash())
  end)

  it("keeps the state over a reload that changes the energy; a reload without a change changes nothing", function()
    local text = [[
local tide = require "springtide"
local k = tide.param("k", 100)
local scene = tide.scene { timestep = 1 / 60 }
local pull = tide.element { vertices = 2, parameters = { k = 10, rest = function(a, b) return (a - b):length() end },
  muscle = "rest", energy = function(p, a, b) return p.k / 2 * ((a - b):length() - p.rest) ^ %s end }
local net = scene:body("net", { mesh = tide.mesh.grid { columns = 5, rows = 5 }, mass = 1,
  elements = { { pull, on = "edges", k = k } } })
net:pin { 1, 5 }
return scene]]
    local path = helper.write("net.lua", text:format(2))
    local scene = assert(tide.load(path))
    assert(scene:step(5))
    local hash = scene:hash()
    local ok, kept = scene:reload()
    assert(ok, kept)
    assert.are.equal(hash, scene:hash())
    assert.are.same({ 1, 0, false, "nothing changed" }, { kept.kept, kept.rebuilt, kept.refactored, kept.changes })
    helper.write("net.lua", text:format(4))
    ok, kept = scene:reload()
    assert(ok, kept)
    assert.are.same({ 1, 0 }, { kept.kept, kept.rebuilt })
    assert.are.equal(hash, scene:hash())
    has(kept.changes, "net")
    assert(scene:step(5))
    local other = assert(tide.load(path, { set = { k = 300 } }))
    assert(other:step(5))
    assert.are_not.equal(scene:hash(), other:hash())
    scene:body("net"):contract({ 1, 2 }, 0.5)
    hash = scene:hash()
    helper.write("net.lua", text:format(2))
    assert(scene:reload())
    assert.are.equal(hash, scene:hash())
    helper.write("net.lua", text:format("p"))
    ok, kept = scene:reload()
    assert.is_falsy(ok)
    has(kept, "net.lua:")
    assert(scene:step(5))
  end)
end)

describe("errors of tide.element", function()
  local function refuse(definition, ...)
    definition.vertices = definition.vertices or 2
    local text = message(tide.element, definition)
    for _, part in ipairs { ... } do
      has(text, part)
    end
  end
  local function energy_refused(energy, ...)
    refuse({ name = "pull", parameters = { k = 10, rest = 1 }, energy = energy }, 'element "pull"', ...)
  end

  it("tell what the function must return", function()
    energy_refused(function() end, "own_element_spec.lua:", "energy = nil", "must return a symbol")
    energy_refused(function(p) return p.k == 3 end, "energy = false", "must return a symbol")
    energy_refused(function(_, a) return a end, "must return a symbol")
    energy_refused(function() return 3 end, "does not depend on the positions")
    energy_refused(function(p) return p.k end, "energy: does not depend on the positions", "own_element_spec.lua:")
  end)
  it("tell what symbols cannot do", function()
    energy_refused(function(p, a, b) if (a - b):length() < p.rest then return p.k end end, "compares symbols",
                   "tide.select(c, a, b)", "own_element_spec.lua:")
    energy_refused(function(p, a, b) return p.k <= (a - b):length() end, "compares symbols")
    energy_refused(function(p, a, b) return p.k == (a - b):length() end, "compares symbols")
    energy_refused(function(_, a, b) return math.sqrt((a - b):dot(a - b)) end, "sqrt", "use tide.sqrt",
                   "own_element_spec.lua:")
    energy_refused(function(_, a, b) return a * b end, "a:dot(b) or a:cross(b)")
    energy_refused(function(p, a) return a + p.k end, "cannot be added")
    energy_refused(function(p, a) return p.k / a end, "no divisor")
    energy_refused(function(_, a) return a ^ 2 end, "v:dot(v)")
    energy_refused(function(p) return p.k % 2 end, "no such operation")
    energy_refused(function(_, a) return a:dot(3) end, "expected a vector")
    energy_refused(function(_, a) return tide.sqrt(a) end, "not a vector")
    energy_refused(function(p) return p.k * (0 / 0) end, "= nan", "expected")
    energy_refused(function(p) return tide.max(p.k, "x") end, '"x"')
    refuse({ energy = function(_, a) return a:lenght() end }, 'did you mean "length"', "own_element_spec.lua:")
  end)
  it("tell of unknown and wrong parameters", function()
    energy_refused(function(p) return p.resl end, "p.resl: unknown parameter; did you mean p.rest?")
    energy_refused(function(p) return p.mass end, "p.mass: unknown parameter; name it")
    local function energy(p, a, b) return p.k * (a - b):length() end
    refuse({ energy = energy, parameters = { k = "ten" } }, 'parameter "k" of element "element"', '"ten"')
    refuse({ energy = energy, parameters = { k = { 1, min = 2 } } }, "default = 1")
    refuse({ energy = energy, parameters = { k = { 1, min = 2, max = 2 } } }, "expected less than max")
    refuse({ energy = energy, parameters = { k = { 1, least = 2 } } }, "least: unknown")
    refuse({ energy = energy, parameters = { on = 1 } }, "groups of elements have this field")
    refuse({ energy = energy, parameters = { ["k k"] = 1 } }, "letters, digits and underscores")
    refuse({ energy = energy, parameters = { k = function() return "x" end } }, "parameters", "must return a symbol")
    refuse({ energy = energy, parameters = { k = 1 }, muscle = "r" }, "muscle = \"r\"")
    refuse({ energy = energy, parameters = 3 }, "parameters = 3")
    refuse({ energy = 3 }, "energy = 3")
    refuse({ energy = energy, vertices = 9, parameters = { k = 1 } }, "vertices = 9")
    has(message(net, { make_spring(), on = "edges", kk = 3 }), 'elements[1]: kk: unknown')
    has(message(net, { make_spring(), on = "edges", k = -3 }), "k = -3")
    has(message(net, { make_spring(), on = "triangles" }), "pull joins 2 vertices")
    has(message(net, { make_spring(), on = "tetrahedra" }), "pull joins 2 vertices")
    has(message(net, { make_spring(), vertices = { { 1, 2, 3 } } }), "expected a list of 2 vertices")
    has(message(net, { 3, on = "edges" }), "tide.element made")
  end)
  it("tell of energies that are not finite at rest, with both lines", function()
    local pole = tide.element { name = "pole", vertices = 2, parameters = { k = 1, rest = distance },
      energy = function(p, a, b) return p.k / ((a - b):length() - p.rest) end }
    local text = message(net, { pole, on = "edges" })
    has(text, 'body "net": elements: pole 1: its energy at rest is not finite (')
    assert.are.equal(2, select(2, text:gsub("own_element_spec.lua:%d+", "")))
    local function root(power)
      return tide.element { name = "root", vertices = 2, parameters = { rest = distance },
        energy = function(p, a, b) return tide.abs((a - b):length() - p.rest) ^ power end }
    end
    has(message(net, { root(0.75), on = "edges" }), "root 1: the gradient of its energy at rest is not finite")
    has(message(net, { root(1.25), on = "edges" }), "root 1: the Hessian of its energy at rest is not finite")
  end)
  it("change nothing: the world goes on", function()
    local function make()
      local scene = tide.scene { timestep = 1 / 60 }
      scene:body("net", { mesh = tide.mesh.grid { columns = 3, rows = 3 }, mass = 1,
        elements = { { make_spring(), on = "edges", k = 50 } } }):pin(1)
      return scene
    end
    local scene, whole = make(), make()
    for power, what in pairs { [-1] = "energy", [0.75] = "gradient", [1.25] = "Hessian" } do
      assert(scene:step(2) and whole:step(2))
      local text = message(function()
        scene:body("new", { mesh = tide.mesh.grid { columns = 3, rows = 3 }, mass = 1, elements = { { on = "edges",
          tide.element { vertices = 2, parameters = { rest = distance },
            energy = function(p, a, b) return tide.abs((a - b):length() - p.rest) ^ power end } } } })
      end)
      has(text, what)
      has(text, "own_element_spec.lua:")
      message(tide.element, { vertices = 2, energy = function(_, a) return a end })
      message(function() scene:body("net").no = 3 end)
      assert.are.equal(1, #scene:bodies())
      assert(scene:step(2) and whole:step(2))
      assert.are.equal(whole:hash(), scene:hash())
    end
  end)
  it("tell of energies that are too large and of symbols that escape", function()
    energy_refused(function(_, a, b)
      local sum = (a - b):length()
      while true do
        sum = sum * (sum + 1)
      end
    end, "is too large", "own_element_spec.lua:")
    local kept
    tide.element { vertices = 1, energy = function(_, a) kept = a; return a:dot(a) end }
    has(message(function() return kept:length() end), "used after the function")
    refuse({ energy = function() return kept:length() end }, "used after the function")
  end)
end)

-- The solids of the engine, written as elements: an independent derivation of their gradients and Hessians.
describe("an element with the energy of a solid of the engine", function()
  local function make_solid(psi)
    return tide.element { name = "own", vertices = 4, parameters = { mu = 1, lambda = 1 },
      energy = function(p, a, b, c, d, A, B, C, D)
        local e, E = { b - a, c - a, d - a }, { B - A, C - A, D - A }
        local rest = tide.det(E[1], E[2], E[3])
        local R = { E[2]:cross(E[3]) / rest, E[3]:cross(E[1]) / rest, E[1]:cross(E[2]) / rest }
        -- C = F'F with F = sum of e_i R_i'; its trace, and that of C^2
        local trace, square = 0, 0
        for i = 1, 3 do
          for j = 1, 3 do
            trace = trace + e[i]:dot(e[j]) * R[i]:dot(R[j])
            for k = 1, 3 do
              for l = 1, 3 do
                square = square + e[i]:dot(e[j]) * R[j]:dot(R[k]) * e[k]:dot(e[l]) * R[l]:dot(R[i])
              end
            end
          end
        end
        return rest / 6 * psi(p.mu, p.lambda, trace, square, tide.det(e[1], e[2], e[3]) / rest)
      end }
  end
  local models = {
    neo_hookean = function(mu, lambda, trace, _, J)
      local m, l = 4 / 3, lambda / mu + 5 / 6
      local p = 1 + 3 * m / (4 * l)
      return mu * (m / 2 * (trace - 3) - m / 2 * tide.log((trace + 1) / 4) + l / 2 * ((J - p) ^ 2 - (1 - p) ^ 2))
    end,
    stvk = function(mu, lambda, trace, square)
      return mu / 4 * (square - 2 * trace + 3) + lambda / 8 * (trace - 3) ^ 2
    end,
  }
  local young, poisson = 1e3, 0.3
  local mu, lambda = young / 2 / (1 + poisson), young * poisson / (1 + poisson) / (1 - 2 * poisson)

  local function system_of(material)
    local scene = tide.scene {}
    material.mesh, material.mass = tide.mesh.box { size = { 1, 1, 1 }, cells = { 1, 1, 1 } }, 1
    scene:body("cube", material)
    return scene:system()
  end

  for model, psi in pairs(models) do
    it("has its gradient and Hessian: " .. model, function()
      local own = system_of { elements = { { make_solid(psi), on = "tetrahedra", mu = mu, lambda = lambda } } }
      local built_in = system_of { solid = { model = model, young = young, poisson = poisson } }
      local rest = own:positions()
      for round = 0, 9 do
        local x = rest:copy()
        for i = 1, #x do -- at rest, stretched, compressed, inverted, and torn out of shape
          local y = ({ [0] = 1, 1.4, 0.5, -0.3 })[round] or 1
          x[i] = y * x[i] + (round > 3 and 0.4 * math.sin(7 * i + round) or 0)
        end
        assert.is_near(built_in:energy(x), own:energy(x), 1e-9 * young)
        assert.is_true((built_in:gradient(x) - own:gradient(x)):norm() < 1e-9 * young)
        local v = rest:copy()
        for i = 1, #v do
          v[i] = math.cos(3 * i)
        end
        assert.is_true((built_in:hessian(x) * v - own:hessian(x) * v):norm() < 1e-9 * young)
      end
    end)
  end
end)

describe("numbers of an element in a scene file", function()
  local path = helper.write("own_element/net.lua", [[
    local tide = require "springtide"
    local pull = tide.element { name = "pull", vertices = 2,
      parameters = { k = { 10, min = 0, unit = "N/m" }, rest = { 0.1, min = 0, max = 1, unit = "m" } },
      energy = function(p, a, b) return p.k / 2 * ((a - b):length() - p.rest) ^ 2 end }
    local scene = tide.scene {}
    scene:body("net", { mesh = tide.mesh.grid { columns = 2, rows = 2 }, mass = 1,
      elements = { { pull, on = "edges", k = 50 } } })
    function scene.update()
      scene:body("late " .. scene.frame, { mesh = tide.mesh.strand { points = 2 }, mass = 1,
        elements = { { pull, on = "edges" } } })
    end
    return scene]])
  local function elastic(set) return assert(tide.load(path, { set = set })):energy().elastic end
  local function stretch(rest) -- of sides of 1 m and diagonals
    return 4 * (1 - rest) ^ 2 + (math.sqrt(2) - rest) ^ 2
  end
  it("are set as its parameters are", function()
    local edges = assert(tide.load(path)):body("net").mesh.edge_count
    assert.are.equal(5, edges)
    assert.is_near(25 * stretch(0.1), elastic(), 1e-12)
    assert.is_near(35 * stretch(0.1), elastic { ["pull.k"] = 70 }, 1e-12)
    assert.is_near(25 * stretch(0.9), elastic { ["pull.rest"] = 0.9 }, 1e-12)
  end)
  it("keep to their ranges", function()
    local function why(name, value) return select(2, tide.load(path, { set = { [name] = value } })) end
    has(why("pull.k", -1), 'param "pull.k": -1: expected a number of at least 0')
    has(why("pull.rest", 2), 'param "pull.rest": 2: expected a number from 0 to 1')
    has(why("pull.q", 2), "the script has no such parameter")
  end)
end)
