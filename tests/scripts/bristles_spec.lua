local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message
local bristles = require "springtide.bristles"

local function brush(points, definition)
  local mesh = tide.mesh.strands {
    points = points, length = 0.1, on = tide.mesh.grid { columns = 15, rows = 7, width = 0.2, height = 0.1 } }
  definition.strands, definition.points = mesh.vertex_count // points, points
  return mesh, bristles.springs(definition)
end

describe("bristles", function()
  it("make the brush of Liu et al. 2013, Table 1", function()
    local mesh, springs = brush(19, { stiffness = 100 })
    assert.are.equal(1995, mesh.vertex_count)
    assert.are.equal(105 * 26, #springs)
    local body = tide.scene {}:body("brush", { mesh = mesh, stiffness = 300, bend = 200, springs = springs })
    assert.are.equal(6405, body.spring_count)
  end)
  it("are springs three apart and from the root", function()
    assert.are.same({
      { 1, 4, 5 }, { 2, 5, 5 }, { 3, 6, 5 }, { 1, 5, 2 }, { 1, 6, 2 },
      { 7, 10, 5 }, { 8, 11, 5 }, { 9, 12, 5 }, { 7, 11, 2 }, { 7, 12, 2 },
    }, bristles.springs { strands = 2, points = 6, stiffness = 5, root_stiffness = 2 })
    assert.are.same({ { 1, 4, 5 }, { 2, 5, 5 }, { 3, 6, 5 }, { 1, 5, 5 } },
      bristles.springs { strands = 1, points = 6, stiffness = 5, reach = 1 })
    assert.are.same({ { 1, 4, 5 } }, bristles.springs { strands = 1, points = 4, stiffness = 5 })
    assert.are.same({}, bristles.springs { strands = 3, points = 2, stiffness = 5 })
    assert.are.equal(16, #bristles.springs { strands = 1, points = 19, stiffness = 1, reach = 0 })
    assert.are.equal(31, #bristles.springs { strands = 1, points = 19, stiffness = 1, reach = 15 })
  end)
  -- A strand that grew sideways, held at its root and the vertex beside it.
  it("keep a strand from hanging down", function()
    local function sag(reach)
      local mesh = tide.mesh.strands { points = 19, length = 0.1, normals = { { 1, 0, 0 } }, roots = { { 0, 0, 0 } } }
      local scene = tide.scene { timestep = 1 / 120, drag = 3, solver = "newton" }
      local springs = reach and bristles.springs { strands = 1, points = 19, stiffness = 200, reach = reach }
      local body = scene:body("strand", { mesh = mesh, mass = 1e-4, stiffness = 200, bend = 200, springs = springs })
      body:pin { 1, 2 }
      assert(scene:step(360))
      local _, y = body:position(19)
      return -y
    end
    local with_none, without_roots, with_all = sag(), sag(0), sag(10)
    assert.is_true(with_none > 0.085 and with_none < 0.1)
    assert.is_true(without_roots < 0.95 * with_none)
    assert.is_true(with_all < 0.5 * with_none)
  end)
  it("are refused with the reason", function()
    local function refused(changes, text)
      local definition = { strands = 2, points = 19, stiffness = 1 }
      for name, value in pairs(changes) do
        definition[name] = value or nil
      end
      has(message(bristles.springs, definition), text)
    end
    refused({ strands = 0 }, "bristles.springs: strands = 0: expected an integer of at least 1")
    refused({ points = 1 }, "bristles.springs: points = 1: expected an integer of at least 2")
    refused({ points = 2.5 }, "bristles.springs: points = 2.5: expected an integer")
    refused({ stiffness = false }, "bristles.springs: stiffness = nil: expected a stiffness of at least 0 N/m")
    refused({ stiffness = -1 }, "stiffness = -1: expected a stiffness")
    refused({ root_stiffness = "stiff" }, 'root_stiffness = "stiff": expected a stiffness')
    refused({ root_stiffness = 0 / 0 }, "nan: expected a stiffness")
    refused({ reach = 16 }, "bristles.springs: reach = 16: expected an integer from 0 to 15")
    refused({ reach = {} }, "bristles.springs: reach = a table: expected an integer")
    refused({ rech = 1 }, "bristles.springs: rech: unknown; expected one of strands, points")
    has(message(bristles.springs, nil), "bristles.springs: expected a table")
    local _, problem = pcall(function() bristles.springs { strands = 0, points = 3, stiffness = 1 } end)
    has(problem, "bristles_spec.lua:")
  end)
end)
