-- Frequencies of small free vibrations under implicit midpoint. The specs compare them with formulas of the continuum.
local tide = dofile("tests/script/helper.lua").tide
local vibration = {}

local amplitude, quarter = 3e-6, 3.8 -- m; steps in a quarter of the expected period: it ends in the fourth

-- The wave numbers times the length of a free beam of Euler and Bernoulli: roots of cosh(b) cos(b) = 1.
vibration.free_beam = { 4.730040745, 7.853204624, 10.99560784 }

-- Returns the deflection of that beam at s, from 0 at one end to 1 at the other.
function vibration.free_beam_shape(n, s)
  local b = vibration.free_beam[n]
  local ratio = (math.exp(b) - 2 * math.cos(b) + math.exp(-b)) / (math.exp(b) - 2 * math.sin(b) - math.exp(-b))
  return (math.exp(b * s) + math.exp(-b * s)) / 2 + math.cos(b * s)
    - ratio * ((math.exp(b * s) - math.exp(-b * s)) / 2 + math.sin(b * s))
end

-- Moves the vertices of a body by the mode; returns a function of the mode's coordinate, which begins at 1.
local function excite(scene, body, shape)
  local masses, rest, modes, whole = scene:system():masses(), {}, {}, 0
  for v = 1, body.vertex_count do
    local p, mode = { body:position(v) }, { shape(body.mesh:vertex(v)) }
    rest[v], modes[v] = p, mode
    body:set_position(v, p[1] + amplitude * mode[1], p[2] + amplitude * mode[2], p[3] + amplitude * mode[3])
    for k = 1, 3 do whole = whole + masses[v] * mode[k] ^ 2 end
  end
  return function()
    local part = 0
    for v = 1, body.vertex_count do
      local x, y, z = body:position(v)
      local p, mode = rest[v], modes[v]
      part = part + masses[v] * ((x - p[1]) * mode[1] + (y - p[2]) * mode[2] + (z - p[3]) * mode[3])
    end
    return part / whole / amplitude
  end
end

-- Returns the frequency of a mode over the expected one, from the time until its coordinate is first 0, or 0 if that
-- takes twice the expected time. `make` adds the body to a scene, `shape` returns the mode's displacement at x, y, z.
-- The coordinate after m steps is cos(m a), where tan(a / 2) = omega h / 2 (Hairer, Lubich and Wanner 2006, sec. VI.4).
function vibration.ratio(make, expected, shape)
  local scene = tide.scene { timestep = math.pi / 2 / expected / quarter, gravity = { 0, 0, 0 },
    solver = { "implicit_midpoint", iterations = 200, tolerance = 1e-6 } }
  local coordinate = excite(scene, make(scene), shape)
  local before = 1
  for step = 1, 2 * quarter do
    assert(scene:step())
    local now = coordinate()
    if now <= 0 then
      local angle = math.pi / 2 / (step - 1 + math.asin(before) / (math.asin(before) - math.asin(now)))
      return 2 / scene.timestep * math.tan(angle / 2) / expected
    end
    before = now
  end
  return 0
end

-- Compares the first three frequencies on the finer of two meshes with a formula, and the order at which the error of
-- the first falls with the number of cells. `make_of(cells)` is as `make` above, `shape(n, x, y, z)` as `shape`.
function vibration.check(make_of, cells, order, formula, shape)
  local function ratio(count, n)
    return vibration.ratio(make_of(count), formula(n), function(...) return shape(n, ...) end)
  end
  local coarse, fine = ratio(cells[1], 1), {}
  for n = 1, 3 do
    fine[n] = ratio(cells[2], n)
    assert(math.abs(fine[n] - 1) < 0.01, ("mode %d: %.5f of the formula's frequency"):format(n, fine[n]))
  end
  local found = math.log((coarse - 1) / (fine[1] - 1)) / math.log(cells[2] / cells[1])
  assert(math.abs(found - order) < 0.3, ("order %.2f: %.5f, then %.5f"):format(found, coarse, fine[1]))
end

return vibration
