-- Free vibration under implicit midpoint: the first three frequencies of strips of membranes whose ends are held,
-- against the formulas of the continuum. `rods_spec.lua` has those of rods.
local tide = dofile("tests/script/helper.lua").tide

local cells, length, amplitude = 40, 1, 1e-6

-- Returns the frequency of the n-th mode in rad/s, from the time until its amplitude is first 0. The mode is
-- sin(n pi s) along `axis`, with s from 0 at one end to 1 at the other.
local function frequency(make, n, axis, expected)
  local period = 2 * math.pi / expected
  local scene = tide.scene { timestep = period / 200, gravity = { 0, 0, 0 },
    solver = { "implicit_midpoint", iterations = 200, tolerance = 1e-10 } }
  local body = make(scene)
  local rest, shape = {}, {}
  for v = 1, body.vertex_count do
    local p = { body:position(v) }
    shape[v] = math.sin(n * math.pi * body.mesh:vertex(v) / length)
    rest[v] = p[axis]
    p[axis] = p[axis] + amplitude * shape[v]
    body:set_position(v, p[1], p[2], p[3])
  end
  local before = 1
  for step = 1, 100 do
    assert(scene:step())
    local part, whole = 0, 0
    for v = 1, body.vertex_count do
      part = part + (select(axis, body:position(v)) - rest[v]) * shape[v]
      whole = whole + shape[v] ^ 2
    end
    part = part / whole / amplitude
    if part <= 0 then
      return math.pi / 2 / ((step - 1 + before / (before - part)) * scene.timestep)
    end
    before = part
  end
  return 0
end

local function check(make, axis, formula)
  for n = 1, 3 do
    local expected = formula(n)
    local found = frequency(make, n, axis, expected)
    assert.is_true(math.abs(found / expected - 1) < 0.01,
      ("mode %d: %.5g rad/s, %.3f of the formula's"):format(n, found, found / expected))
  end
end

local function is_end(_, x) return x < 1e-9 or x > length - 1e-9 end

describe("a strip of a membrane", function()
  local young, density, thickness, stretch = 1e6, 1000, 1e-3, 1.05
  local function make_of(factor)
    return function(scene)
      local grid = tide.mesh.grid { columns = cells + 1, rows = 3, width = length, height = 0.05 }
      local body = scene:body("strip", { mesh = grid, density = density,
        membrane = { young = young, poisson = 0, thickness = thickness } })
      for v = 1, body.vertex_count do
        local x, y, z = body:position(v)
        body:set_position(v, factor * x, y, z)
      end
      return body:pin(function(i) return is_end(i, body.mesh:vertex(i)) end)
    end
  end
  it("vibrates along itself as a bar", function()
    check(make_of(1), 1, function(n) return n * math.pi / length * math.sqrt(young / density) end)
  end)
  it("vibrates across itself as a taut string", function() -- with the force s E (s^2 - 1) / 2 of stvk
    check(make_of(stretch), 2, function(n)
      local tension, line = stretch * young * (stretch ^ 2 - 1) / 2, density / stretch -- per cross-section at rest
      return n * math.pi / (stretch * length) * math.sqrt(tension / line)
    end)
  end)
end)
