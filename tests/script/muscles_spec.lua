-- Springs whose rest lengths change: body:spring and body:contract.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

-- A spring of 1 m from a pinned vertex to a free one, after another body.
local function pair(solver)
  local scene = tide.scene { timestep = 1 / 60, gravity = { 0, 0, 0 }, drag = 5, solver = solver }
  scene:body("before", { mesh = tide.mesh.strand { points = 4 }:translate(0, 3, 0), stiffness = 10 })
  scene:body("dust", { mesh = tide.mesh.new { vertices = { { 0, 9, 0 } } } }) -- without a spring
  local body = scene:body("pair", { mesh = tide.mesh.strand { points = 2 }, mass = 2, stiffness = 50 }):pin(1)
  return scene, body
end

local function length(body)
  local x, y, z = body:position(2)
  return math.sqrt(x * x + y * y + z * z)
end

describe("a muscle", function()
  it("comes to rest at its new length with every solver, and back", function()
    for _, solver in ipairs(tide.solvers()) do
      local scene, body = pair(solver.name)
      assert.are.equal(body, body:contract({ 1 }, 0.6))
      assert(scene:step(300))
      assert.is_near(0.6, length(body), 1e-3, solver.name)
      body:contract(1, 1)
      assert(scene:step(300))
      assert.is_near(1, length(body), 1e-3, solver.name)
    end
  end)
  it("has the energy of its new length", function()
    local scene, body = pair()
    body:contract(1, 0.5)
    assert.is_near(0.5 * 50 * 0.25, scene:energy().elastic, 1e-12)
    local system = scene:system()
    assert.is_near(0.5 * 50 * 0.25, system:energy(system:positions()), 1e-12)
    body:contract(1, 2)
    assert.is_near(0.5 * 50 * 1, scene:energy().elastic, 1e-12)
  end)
  it("is found by its vertices", function()
    local scene = tide.scene {}
    local body = scene:body("rope", { mesh = tide.mesh.strand { points = 4, to = { 3, 0, 0 } }, stiffness = 5, bend = 2,
      springs = { { 4, 1, 7, 2.5 } } })
    local found = {}
    for s = 1, body.spring_count do
      found[s] = { body:spring(s) }
    end
    assert.are.same({ { 1, 2, 5, 1 }, { 2, 3, 5, 1 }, { 3, 4, 5, 1 }, { 1, 3, 2, 2 }, { 2, 4, 2, 2 },
      { 4, 1, 7, 2.5 } }, found)
    body:contract({ 2, 6 }, 0.5)
    assert.are.same({ 2, 3, 5, 0.5 }, { body:spring(2) })
    assert.are.same({ 4, 1, 7, 1.25 }, { body:spring(6) })
    assert.are.same({ 3, 4, 5, 1 }, { body:spring(3) })
  end)
  it("is part of the state: snapshots, reset, forks", function()
    local scene, body = pair()
    assert(scene:step(2))
    local before, hash = scene:snapshot(), scene:hash()
    body:contract(1, 0.7)
    assert.are_not.equal(hash, scene:hash())
    local contracted = scene:snapshot()
    local fork = scene:fork()
    assert(scene:step(10))
    assert(fork:step(10))
    local after = scene:hash()
    assert.are.equal(after, fork:hash())
    scene:restore(contracted)
    assert.is_near(0.7, (select(4, body:spring(1))), 1e-15)
    assert(scene:step(10))
    assert.are.equal(after, scene:hash())
    scene:restore(before)
    assert.are.equal(hash, scene:hash())
    assert.are.equal(1, (select(4, body:spring(1))))
    body:contract(1, 0.7):contract(1, 1)
    assert.are.equal(hash, scene:hash())
    body:contract(1, 0.7)
    scene:reset()
    assert(scene:step(2))
    assert.are.equal(hash, scene:hash())
  end)
  it("is undone with a step that fails", function()
    local scene, body = pair()
    assert(scene:step())
    local hash = scene:hash()
    function scene.update()
      body:contract(1, 0.2)
      error "no"
    end
    local ok, text = scene:step()
    assert.is_nil(ok)
    has(text, "no")
    assert.are.equal(hash, scene:hash())
    assert.are.equal(1, (select(4, body:spring(1))))
  end)
  it("needs no new factorisation, and goes on over a reload that keeps its body", function()
    local text = [[local tide = require "springtide"
      local scene = tide.scene { gravity = { 0, 0, 0 } }
      local body = scene:body("rope", { mesh = tide.mesh.strand { points = 5 }, stiffness = 20 })
      %s
      return scene]]
    local path = helper.write("muscles/rope.lua", text:format "")
    local scene = assert(tide.load(path))
    local body = scene:body "rope"
    assert(scene:step(2))
    body:contract({ 2, 3 }, 0.5)
    assert(scene:step(2))
    local hash = scene:hash()
    local ok, kept = scene:reload()
    assert(ok, kept)
    assert.is_false(kept.refactored)
    assert.are.equal(hash, scene:hash())
    assert.is_near(0.125, (select(4, scene:body("rope"):spring(2))), 1e-15)
    helper.write("muscles/rope.lua", text:format "body:contract(2, 2)") -- what the script says itself counts
    assert(scene:reload())
    assert.is_near(0.5, (select(4, scene:body("rope"):spring(2))), 1e-15)
    assert.is_near(0.125, (select(4, scene:body("rope"):spring(3))), 1e-15)
  end)
  it("refuses what makes no sense", function()
    local scene, body = pair()
    for _, case in ipairs {
      { 'body "pair": contract = 2: expected a spring from 1 to 1', function() body:contract(2, 1) end },
      { 'contract = 0: expected a spring from 1 to 1', function() body:contract({ 1, 0 }, 1) end },
      { 'contract = 0: expected a factor greater than 0', function() body:contract(1, 0) end },
      { 'contract = -1: expected a factor greater than 0', function() body:contract(1, -1) end },
      { 'contract = 101: expected a factor greater than 0', function() body:contract(1, 101) end },
      { 'contract', function() body:contract(1, 0 / 0) end },
      { 'expected a spring or a list of springs', function() body:contract("all", 1) end },
      { 'body "pair": spring = 2', function() body:spring(2) end },
      { 'body "dust": spring = 1', function() scene:body("dust"):spring(1) end },
    } do
      local text = message(case[2])
      has(text, case[1])
      has(text, "muscles_spec.lua:")
    end
  end)
end)
