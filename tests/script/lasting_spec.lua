-- What lasts in materials: tears of membranes, shells, solids and elements of one's own, creases of shells, and the
-- strain limit of solids.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

-- A body between two ends at rest that are pulled apart along x, a little each step. Calls `at` with the stretch after
-- each step, until it returns true.
local function pull(definition, length, at)
  local scene = tide.scene { timestep = 1, gravity = { 0, 0, 0 }, drag = 5,
    solver = { "newton", iterations = 50, tolerance = 1e-8 } }
  local body = scene:body("pulled", definition)
  body:pin(function(_, x) return math.abs(x) > length / 2 - 1e-9 end)
  local ends = {}
  for i = 1, body.vertex_count do
    ends[i] = { body.mesh:vertex(i) }
  end
  for step = 1, 60 do
    local stretch = 0.01 * step
    for i, p in ipairs(ends) do
      if body:is_pinned(i) then
        body:move_pin(i, p[1] * (1 + stretch), p[2], p[3])
      end
    end
    assert(scene:step())
    if at(stretch, body, scene) then
      return body, scene
    end
  end
end

local grid = tide.mesh.grid { columns = 9, rows = 4, width = 2, height = 0.6 }:translate(-1, 0, -0.3)

-- Pulls until it tears: no sooner than at the strain of `tear`, and without losing a triangle or a tetrahedron.
local function tears(definition, length, strain, latest)
  local cells = definition.mesh.triangle_count
  local at
  local body, scene = pull(definition, length, function(stretch, body)
    assert.is_true(body.cut_count == 0 or body.split_count > 0)
    at = stretch
    return body.split_count > 0
  end)
  assert.is_true(at > strain and at < latest, ("it tore at %g"):format(at))
  local mass = 0
  for _, m in ipairs(scene:system():masses()) do
    mass = mass + m
  end
  assert(scene:step(20))
  if definition.mesh.tetrahedron_count > 0 then
    assert.are.equal(definition.mesh.tetrahedron_count, body.mesh.tetrahedron_count)
  else
    assert.are.equal(cells, body.triangle_count)
  end
  local after = 0
  for _, m in ipairs(scene:system():masses()) do
    after = after + m
  end
  assert.is_near(mass, after, 1e-13 * mass)
  return body
end

describe("tear", function()
  it("of membranes, at the declared strain", function()
    for _, model in ipairs { "arap", "stvk", "neo_hookean", "orthotropic", "baraff_witkin" } do
      tears({ mesh = grid, area_density = 1, membrane = { model = model, young = 1e5, thickness = 1e-3 },
        tear = { strain = 0.15 } }, 2, 0.12, 0.35)
    end
  end)
  it("of shells cuts the hinges across, and no other", function()
    local body = tears({ mesh = grid, area_density = 1, membrane = { model = "stvk", young = 1e5, thickness = 1e-3 },
      shell = { model = "discrete", bending = 1e-3 }, tear = { strain = 0.15 } }, 2, 0.12, 0.35)
    assert.is_true(body.cut_count > 0 and body.cut_count < 20)
    for e = 1, grid.triangle_count do
      assert.is_false(body:is_cut(e))
    end
  end)
  it("of solids of each model", function()
    local box = tide.mesh.box { size = { 2, 0.4, 0.4 }, cells = { 8, 2, 2 } }
    for _, model in ipairs { "corotated", "arap", "stvk", "neo_hookean" } do
      local poisson = model ~= "arap" and 0.2 or nil
      tears({ mesh = box, density = 100, solid = { model = model, young = 1e4, poisson = poisson },
        tear = { strain = 0.2 } }, 2, 0.15, 0.4)
    end
  end)
  it("of an element of one's own on triangles", function()
    local area = function(a, b, c) return ((b - a):cross(c - a)):length() / 2 end
    local patch = tide.element { vertices = 3, name = "patch",
      parameters = { k = { 100, min = 0 }, rest = function(A, B, C) return area(A, B, C) end },
      energy = function(p, a, b, c) return p.k / 2 * (area(a, b, c) - p.rest) ^ 2 end,
      strain = function(p, a, b, c) return area(a, b, c) / p.rest - 1 end }
    tears({ mesh = grid, mass = 1, stiffness = 10, elements = { { patch, on = "triangles" } },
      tear = { strain = 0.15 } }, 2, 0.12, 0.35)
  end)
end)

describe("plastic", function()
  -- A hinge of two triangles, folded to each of the angles in turn; returns the elastic energies.
  local function fold(angles, plastic)
    local scene = tide.scene { timestep = 1, gravity = { 0, 0, 0 } }
    local body = scene:body("hinge", { area_density = 1, shell = { model = "discrete", bending = 2, thickness = 0.01 },
      plastic = plastic, mesh = tide.mesh.new {
        vertices = { { 0, 0, 0 }, { 0, 0, 1 }, { 1, 0, 0.5 }, { -1, 0, 0.5 } },
        triangles = { { 1, 2, 3 }, { 2, 1, 4 } } } }):pin { 1, 2, 3, 4 }
    local energies = {}
    for i, angle in ipairs(angles) do
      body:move_pin(3, math.cos(angle), math.sin(angle), 0.5)
      assert(scene:step())
      energies[i] = scene:energy().elastic
    end
    return energies
  end
  it("keeps the crease of a shell: the return mapping in a closed cycle, both ways", function()
    local angles = { 0.1, 1.2, 1.1, -0.8, 0, 0.9, 0 }
    local whole = fold(angles)
    local factor = 2 * whole[1] / (2 * 0.1 ^ 2) -- E = B/2 f t^2
    local scale = 0.75 * 0.01 * factor
    local limit, kept = 0.002 / scale, 0
    assert.is_true(limit > 0.1 and limit < 0.5)
    local flowed = fold(angles, { yield = 0.002 })
    for i, angle in ipairs(angles) do
      local away = angle - kept
      kept = away > limit and angle - limit or away < -limit and angle + limit or kept
      assert.is_near(factor * (angle - kept) ^ 2, flowed[i], 1e-9)
    end
    assert.is_true(flowed[5] > 0 and whole[5] < 1e-20) -- it is not flat again
  end)
  it("refuses what cannot flow", function()
    local function sheet(shell)
      return function()
        tide.scene {}:body("sheet", { mesh = grid, area_density = 1, shell = shell, plastic = { yield = 0.1 } })
      end
    end
    has(message(sheet { bending = 1 }), 'choose "discrete"')
    has(message(sheet { model = "discrete", bending = 1 }), "shell.thickness: missing")
  end)
end)

describe("plastic membranes", function()
  local corners = { { 0, 0 }, { 0.2, 0 }, { 0.06, 0.15 } }
  -- Deformation gradients in the plane: { f11, f12, f21, f22 }.
  local path = {
    { 1.02, 0, 0, 1 }, { 1.3, 0, 0, 0.95 }, { 1.1, 0.3, 0, 0.9 }, { 0.7, 0.1, -0.3, 1.2 }, { 1, 0, 0, 1 },
    { 0, -1, 1, 0 },
  }

  -- One triangle, held at each of the deformations; returns the elastic energies and the scene.
  local function hold(membrane, plastic)
    local mesh = { vertices = {}, triangles = { { 1, 2, 3 } } }
    for i, c in ipairs(corners) do mesh.vertices[i] = { c[1], c[2], 0 } end
    local scene = tide.scene { timestep = 1, gravity = { 0, 0, 0 } }
    local body = scene:body("sheet", {
      mesh = tide.mesh.new(mesh), area_density = 1, membrane = membrane, plastic = plastic,
    }):pin { 1, 2, 3 }
    local energies = {}
    for n, f in ipairs(path) do
      for i, c in ipairs(corners) do
        body:move_pin(i, f[1] * c[1] + f[2] * c[2], f[3] * c[1] + f[4] * c[2], 0)
      end
      assert(scene:step())
      energies[n] = scene:energy().elastic
    end
    return energies, scene
  end

  local function multiply(a, b)
    local function entry(i, j) return a[i] * b[j] + a[i + 1] * b[j + 2] end
    return { entry(1, 1), entry(1, 2), entry(3, 1), entry(3, 2) }
  end

  -- The singular values of a matrix, and V diag(d) V' of its right singular vectors.
  local function singular(f)
    local c11, c22, c12 = f[1] ^ 2 + f[3] ^ 2, f[2] ^ 2 + f[4] ^ 2, f[1] * f[2] + f[3] * f[4]
    local root = math.sqrt((c11 - c22) ^ 2 / 4 + c12 ^ 2)
    local angle = math.atan(2 * c12, c11 - c22) / 2
    local x, y = math.cos(angle), math.sin(angle)
    return { math.sqrt((c11 + c22) / 2 + root), math.sqrt((c11 + c22) / 2 - root) }, function(d)
      return { d[1] * x * x + d[2] * y * y, (d[1] - d[2]) * x * y, (d[1] - d[2]) * x * y, d[1] * y * y + d[2] * x * x }
    end
  end

  it("follow the return mapping, also when the axes of strain turn", function()
    local young, thickness, yield, hardening = 1e4, 1e-3, 0.04, 0.2
    local energies = hold({ model = "arap", young = young, thickness = thickness },
      { yield = yield, hardening = hardening })
    local back, flow, area = { 1, 0, 0, 1 }, 0, 0.015 -- back: the inverse of the plastic deformation
    for n, f in ipairs(path) do
      local s, stretch = singular(multiply(f, back))
      local a, b = math.log(s[1]), math.log(s[2])
      local q = math.sqrt(2 / 3 * (a * a + b * b + (a + b) ^ 2))
      local change = math.max(q - yield - hardening * flow, 0) / (1 + hardening)
      if change > 0 then
        back = multiply(back, stretch { math.exp(-a * change / q), math.exp(-b * change / q) })
        flow = flow + change
        s = singular(multiply(f, back))
      end
      assert.is_near(young * thickness / 2 * area * ((s[1] - 1) ^ 2 + (s[2] - 1) ^ 2), energies[n], 1e-10)
    end
    assert.is_true(flow > 0.5 and energies[#path] > 1e-4)
    assert.is_near(energies[5], energies[6], 1e-12) -- a rotation changes nothing
  end)

  it("lose energy and keep state with every model", function()
    local models = { "arap", "stvk", "neo_hookean", "orthotropic", "baraff_witkin" }
    for _, model in ipairs(models) do
      local membrane = { model = model, young = 1e4, thickness = 1e-3 }
      local whole, flowed = hold(membrane), hold(membrane, { yield = 0.03 })
      assert.is_near(whole[1], flowed[1], 1e-12, model) -- below the yield strain
      assert.is_true(flowed[2] < 0.2 * whole[2], model)
      assert.is_true(flowed[5] > 1e-6 and whole[5] < 1e-12, model)
      local _, scene = hold(membrane, { yield = 0.03 })
      local snapshot, hash, elastic = scene:snapshot(), scene:hash(), scene:energy().elastic
      scene:reset()
      assert.is_near(0, scene:energy().elastic, 1e-15, model)
      scene:restore(snapshot)
      assert.are.equal(hash, scene:hash())
      assert.are.equal(elastic, scene:energy().elastic)
      assert.are.equal(elastic, scene:fork():energy().elastic)
    end
  end)

  it("stay longer after a pull under every method that takes them", function()
    for _, solver in ipairs { "newton", "local_global", "lbfgs", "xpbd", "vbd" } do
      local scene = tide.scene {
        timestep = 1 / 60, solver = { solver, iterations = 40 }, gravity = { 0, 0, 0 }, drag = 3,
      }
      local sheet = scene:body("sheet", {
        mesh = tide.mesh.grid { columns = 5, rows = 3, width = 0.4, height = 0.2 }, area_density = 1,
        membrane = { model = "stvk", young = 2e4, thickness = 1e-3 }, plastic = { yield = 0.05 },
      }):pin(function(_, x) return x < 1e-9 or x > 0.4 - 1e-9 end)
      for n = 1, 30 do
        for row = 0, 2 do sheet:move_pin(5 * row + 5, 0.4 + 0.004 * n, 0, 0.1 * row) end
        assert(scene:step())
      end
      for row = 0, 2 do sheet:unpin { 5 * row + 5 } end
      assert(scene:step(90))
      local x = sheet:position(10)
      assert.is_true(x > 0.46 and x < 0.52, solver .. ": " .. x)
    end
  end)
end)

describe("strain_limit of a solid", function()
  -- The largest singular value of the deformation gradients, by the power method on F' F.
  local function largest_stretch(body, mesh)
    local largest = 0
    for t = 1, mesh.tetrahedron_count do
      local v, rest, now = { mesh:tetrahedron(t) }, {}, {}
      for c = 1, 4 do
        rest[c], now[c] = { mesh:vertex(v[c]) }, { body:position(v[c]) }
      end
      local d = {} -- edges as rows: rest, then now
      for c = 1, 3 do
        d[c] = {}
        for k = 1, 3 do
          d[c][k], d[c][k + 3] = rest[c + 1][k] - rest[1][k], now[c + 1][k] - now[1][k]
        end
      end
      for i = 1, 3 do -- Gauss-Jordan: columns 4 to 6 become F'
        local p = i
        for r = i + 1, 3 do p = math.abs(d[r][i]) > math.abs(d[p][i]) and r or p end
        d[i], d[p] = d[p], d[i]
        for r = 1, 3 do
          local m = r ~= i and d[r][i] / d[i][i] or 0
          for k = 1, 6 do d[r][k] = d[r][k] - m * d[i][k] end
        end
      end
      for i = 1, 3 do
        for k = 4, 6 do d[i][k] = d[i][k] / d[i][i] end
      end
      local x, size = { 1, 0.7, 0.4 }, 0
      for _ = 1, 60 do
        local y, z = { 0, 0, 0 }, { 0, 0, 0 }
        for k = 1, 3 do
          for i = 1, 3 do y[k] = y[k] + d[i][k + 3] * x[i] end
        end
        for i = 1, 3 do
          for k = 1, 3 do z[i] = z[i] + d[i][k + 3] * y[k] end
        end
        size = math.sqrt(z[1] ^ 2 + z[2] ^ 2 + z[3] ^ 2)
        x = { z[1] / size, z[2] / size, z[3] / size }
      end
      largest = math.max(largest, math.sqrt(size))
    end
    return largest
  end
  it("holds the largest singular value within the limit and its tolerance", function()
    local mesh = tide.mesh.box { size = { 0.3, 1, 0.3 }, cells = { 2, 5, 2 } }
    local function hang(limit)
      local scene = tide.scene { timestep = 0.1, drag = 10,
        solver = { "newton", iterations = 100, tolerance = 1e-9 } }
      local body = scene:body("bar", { mesh = mesh, density = 1000,
        solid = { model = "neo_hookean", young = 1.5e4, poisson = 0.3 }, strain_limit = limit })
      body:pin(function(_, _, y) return y > 0.499 end)
      assert(scene:step(60))
      return largest_stretch(body, mesh)
    end
    assert.is_true(hang() > 1.3)
    local held = hang { stretch = 0.1 }
    assert.is_true(held > 1.09 and held <= 1.102, ("it is %g"):format(held))
  end)
end)
