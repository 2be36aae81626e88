-- Forces on bodies: body:reaction, body:contact_force, body:tension.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

-- A mass of 3 kg hangs by a spring from a pinned vertex of 1 kg.
local function hanging()
  local scene = tide.scene { timestep = 1, drag = 1, solver = { "newton", tolerance = 1e-13 } }
  local body = scene:body("load", { mesh = tide.mesh.strand { points = 2, to = { 0, -1, 0 } }, masses = { 1, 3 },
    stiffness = 100 }):pin(1)
  assert(scene:step(100))
  return scene, body
end

describe("a reaction", function()
  it("is minus the weight at rest", function()
    local _, body = hanging()
    local x, y, z = body:reaction { 1 }
    assert.is_near(0, x, 1e-12)
    assert.is_near(4 * 9.81, y, 4e-8)
    assert.is_near(0, z, 1e-12)
    assert.are.same({ 0, 0, 0 }, { body:reaction(2) })
    assert.are.same({ x, y, z }, { body:reaction() })
    assert.are.same({ x, y, z }, { body:reaction(function(i) return i == 1 end) })
    assert.is_near(3 * 9.81, body:tension(1), 1e-7)
  end)
  it("has a torque about a point", function()
    local _, body = hanging()
    local force = { body:reaction({ 1 }, { 2, 0, 0 }) }
    assert.are.equal(6, #force)
    assert.is_near(-2 * 4 * 9.81, force[6], 1e-7) -- z of (-2, 0, 0) x (0, 4 g, 0)
    assert.is_near(0, force[4], 1e-12)
  end)
  it("and contact forces carry a body on the floor", function()
    local scene = tide.scene { timestep = 1 / 60 }
    scene:collider("floor", { shape = "plane", friction = 0.5 })
    local body = scene:body("ball", { mesh = tide.mesh.new { vertices = { { 0, 0.01, 0 } } }, mass = 2 })
    assert.are.same({ 0, 0, 0 }, { body:contact_force() })
    assert(scene:step(120))
    local x, y, z = body:contact_force()
    assert.is_near(2 * 9.81, y, 1e-6)
    assert.is_near(0, math.abs(x) + math.abs(z), 1e-9)
    assert.are.same({ 0, 0, 0 }, { body:reaction() })
  end)
  it("and contact forces are means over the step, with every method", function()
    for _, method in ipairs(tide.solvers()) do
      local scene = tide.scene { timestep = 1 / 120, solver = method.name, ground = false }
      scene:collider("floor", { shape = "plane" })
      local mesh = tide.mesh.grid { columns = 3, rows = 3, width = 0.1, height = 0.1 }:translate(0, 0.0026, 0)
      local body = scene:body("sheet", { mesh = mesh, mass = 0.2, stiffness = 100 })
      assert(scene:step(120))
      local mean = 0
      for _ = 1, 2 do -- with explicit Euler the sheet leaves the floor in every other step
        assert(scene:step())
        local _, y = body:contact_force()
        assert.is_near(-y, scene:collider("floor"):force()[2], 1e-9, method.name)
        mean = mean + y / 2
      end
      assert.is_near(0.2 * 9.81, mean, 1e-3 * 0.2 * 9.81, method.name)
    end
  end)
  it("refuses wrong arguments", function()
    local _, body = hanging()
    has(message(body.reaction, body, { 3 }), 'body "load": reaction = 3: expected a vertex from 1 to 2')
    has(message(body.reaction, body, "all"), 'body "load": reaction = "all": expected a list of vertices')
    has(message(body.reaction, body, { 1 }, { 1, 2 }), "expected a point { x, y, z } for the torque")
    has(message(body.reaction, body, { 1 }, 4), "expected a point { x, y, z } for the torque")
    has(message(body.contact_force, body, { 0 }), "expected a vertex from 1 to 2")
    has(message(body.tension, body, 2), "expected a spring from 1 to 1")
  end)
end)
