-- The first three frequencies of membranes, shells and rods. `vibration_solids_spec.lua` has those of solids.
local tide = dofile("tests/script/helper.lua").tide
local vibration = dofile "tests/script/vibration.lua"

local pi = math.pi

-- Waves along x from 0 to 1: shapes of the n-th mode along x, and across.
local function sine_along(n, x) return math.sin(n * pi * x), 0, 0 end
local function sine_across(n, x) return 0, math.sin(n * pi * x), 0 end
local function cosine_along(n, x) return math.cos(n * pi * x), 0, 0 end
local function beam_across(n, x) return 0, vibration.free_beam_shape(n, x), 0 end

describe("a strip of a membrane", function()
  local young, density, thickness, stretch = 1e6, 1000, 1e-3, 1.05
  local function held(factor)
    return function(cells)
      return function(scene)
        local grid = tide.mesh.grid { columns = cells + 1, rows = 3, width = 1, height = 0.05 }
        local body = scene:body("strip", { mesh = grid, density = density,
          membrane = { young = young, poisson = 0, thickness = thickness } })
        for v = 1, body.vertex_count do
          local x, y, z = body:position(v)
          body:set_position(v, factor * x, y, z)
        end
        return body:pin(function(v)
          local x = grid:vertex(v)
          return x < 1e-9 or x > 1 - 1e-9
        end)
      end
    end
  end
  it("vibrates along itself as a bar", function()
    vibration.check(held(1), { 10, 40 }, 2, function(n) return n * pi * math.sqrt(young / density) end, sine_along)
  end)
  it("vibrates across itself as a taut string", function() -- with the force s E (s^2 - 1) / 2 of stvk
    local tension, line = stretch * young * (stretch ^ 2 - 1) / 2, density / stretch -- per cross-section at rest
    vibration.check(held(stretch), { 10, 40 }, 2,
      function(n) return n * pi / stretch * math.sqrt(tension / line) end, sine_across)
  end)
end)

describe("a wide strip of a shell", function()
  local bending, area_density = 0.1, 0.01
  for _, model in ipairs { "quadratic", "discrete" } do
    it("bends as a free beam: " .. model, function() -- first order: free edges bend differently
      vibration.check(function(cells)
        return function(scene)
          return scene:body("strip", {
            mesh = tide.mesh.grid { columns = cells + 1, rows = 3 * cells // 2 + 1, width = 1, height = 1.5 },
            area_density = area_density, membrane = { "stvk", young = 1e5, thickness = 1e-3 },
            shell = { model = model, bending = bending } })
        end
      end, { 12, 48 }, 1, function(n) return vibration.free_beam[n] ^ 2 * math.sqrt(bending / area_density) end,
        beam_across)
    end)
  end
end)

describe("a rod", function()
  local radius, young, density = 5e-3, 2e7, 1000
  local function axial(n) return n * pi * math.sqrt(young / density) end
  local function bending(wave) return wave ^ 2 * radius / 2 * math.sqrt(young / density) end
  local function held_bending(n) return bending(n * pi) end
  local function free_bending(n) return bending(vibration.free_beam[n]) end
  for _, twist in ipairs { false, true } do
    local function rod_of(held)
      return function(cells)
        return function(scene)
          local body = scene:body("rod", { mesh = tide.mesh.strand { points = cells + 1 }, density = density,
            rod = { young = young, poisson = 0.3, radius = radius, twist = twist } })
          return held and body:pin { 1, cells + 1 } or body
        end
      end
    end
    local kind = twist and "with twist " or "without twist "
    it(kind .. "vibrates along itself as a bar, held at its ends", function()
      vibration.check(rod_of(true), { 15, 60 }, 2, axial, sine_along)
    end)
    it(kind .. "vibrates along itself as a free bar", function()
      vibration.check(rod_of(false), { 15, 60 }, 2, axial, cosine_along)
    end)
    it(kind .. "bends as a beam on hinges", function()
      vibration.check(rod_of(true), { 15, 60 }, 2, held_bending, sine_across)
    end)
    it(kind .. "bends as a free beam", function()
      vibration.check(rod_of(false), { 15, 60 }, 2, free_bending, beam_across)
    end)
  end
end)
