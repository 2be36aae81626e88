-- Lasting changes: `tear` and `plastic` of bodies, scene.torn.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

-- A strand of three springs pinned at its first end; the other end is pulled down by a force.
local function strand(more)
  local scene = tide.scene { timestep = 1 / 60, gravity = { 0, 0, 0 }, drag = 2 }
  local definition = { mesh = tide.mesh.strand { points = 4, to = { 0, -3, 0 } }, mass = 1, stiffness = 100,
    springs = {} }
  for name, value in pairs(more or {}) do
    definition[name] = value
  end
  return scene, scene:body("strand", definition):pin(1)
end

local function pull(scene, body, force, steps)
  for _ = 1, steps do
    body:force(4, 0, -force, 0)
    assert(scene:step())
  end
end

describe("tear", function()
  it("splits a vertex of a spring beyond its strain, and tells scene.torn", function()
    local scene, body = strand { tear = { strain = 0.3 } }
    local told = {}
    function scene.torn(torn)
      told[#told + 1] = torn
    end
    pull(scene, body, 10, 200)
    assert.are.equal(0, body.split_count)
    assert.are.equal(0, #told)
    pull(scene, body, 80, 30)
    assert.is_true(body.split_count > 0)
    assert.are.equal(body.split_count + body.cut_count, #told)
    assert.are.equal(4 + body.split_count, body.vertex_count)
    local torn = told[1]
    assert.are.equal(body, torn.body)
    assert.is_true(torn.vertex == torn.vertices[1] or torn.vertex == torn.vertices[2])
    assert.is_true(torn.strain > 0.3)
    assert.are.equal(3, #torn.position)
  end)
  it("is in snapshots, rewound, reset and the same again", function()
    local scene, body = strand { tear = { strain = 0.3 } }
    pull(scene, body, 10, 5)
    local before = scene:snapshot()
    pull(scene, body, 80, 30)
    local hash, split = scene:hash(), body.split_count
    assert.is_true(split > 0)
    scene:restore(before)
    assert.are.equal(0, body.split_count)
    pull(scene, body, 80, 30)
    assert.are.equal(hash, scene:hash())
    scene:reset()
    assert.are.equal(0, body.split_count)
  end)
  it("tears triangles of other kinds, and nothing without `tear`", function()
    local scene = tide.scene { timestep = 1 / 60 }
    local definition = { mesh = tide.mesh.grid { columns = 4, rows = 4 }, mass = 1,
      elements = { { "area_spring", on = "triangles", stiffness = 3 } }, stiffness = 1, tear = { strain = 0.5 } }
    local body = scene:body("sheet", definition):pin { 1, 2, 3, 4 }
    assert(scene:step(60))
    assert.is_true(body.split_count > 0)
    assert.are.equal(18, body.triangle_count)
    definition.tear = nil
    local other = tide.scene { timestep = 1 / 60 }
    body = other:body("sheet", definition):pin { 1, 2, 3, 4 }
    assert(other:step(60))
    assert.are.equal(0, body.cut_count + body.split_count)
  end)
  it("tears a rod that twists, and the same again after going back and another run of the script", function()
    local function write(young)
      return helper.write("reload_torn_rod.lua", ([[
        local tide = require "springtide"
        local scene = tide.scene { timestep = 0.02, gravity = { 0, -1, 0 }, solver = { "newton", iterations = 50 } }
        local body = scene:body("rod", {
          mesh = tide.mesh.strand { points = 9, from = { 0, 0, 0 }, to = { 1, 0, 0 } }, density = 1000,
          rod = { young = %g, radius = 0.02, twist = true }, tear = { strain = 0.1 }, plastic = { yield = 0.02 },
        }):pin { 1, 2, 8, 9 }
        function scene.update()
          if scene.frame < 15 then
            body:move_pin(8, 0.875 + 0.01 * scene.frame, 0, 0)
            body:move_pin(9, 1 + 0.01 * scene.frame, 0, 0)
            body:turn(8, 9, 0.1)
          end
        end
        return scene]]):format(young))
    end
    local path = write(1e6)
    local scene, other = assert(tide.load(path)), assert(tide.load(path))
    local body = scene:body("rod")
    assert(scene:step(3) and other:step(25))
    assert.are.equal(0, body.split_count)
    local whole = scene:snapshot()
    assert(scene:step(22))
    assert.is_true(body.split_count > 0)
    assert.are.equal(9 + body.split_count, body.vertex_count)
    local hash = other:hash()
    assert.are.equal(hash, scene:hash())
    scene:restore(whole)
    assert.are.equal(9, body.vertex_count)
    assert(scene:step(22))
    assert.are.equal(hash, scene:hash())
    assert(scene:reload())
    assert.are.equal(hash, scene:hash())
    assert(scene:step(5) and other:step(5))
    assert.are.equal(other:hash(), scene:hash())
    local before, split = scene:system():positions():table(), scene:body("rod").split_count
    assert(scene:reload(write(2e6)))
    assert.are.same(before, scene:system():positions():table())
    assert.are.equal(split, scene:body("rod").split_count)
    assert(scene:step(5))
    scene:reset()
    assert.are.equal(0, scene:body("rod").split_count)
  end)
  it("tears an edge alone of a rod that twists in the middle, with its frame", function()
    local scene = tide.scene { timestep = 1 / 60 }
    local body = scene:body("rod", { mesh = tide.mesh.strand { points = 2, to = { 0, -1, 0 } }, mass = 1,
      rod = { young = 100, radius = 0.05, twist = true }, tear = { strain = 0.3 } }):pin(1)
    local frame
    repeat
      assert(scene:step(1))
      frame = scene.frame
    until body.cut_count > 0 or frame == 100
    assert.are.equal(2, body.cut_count) -- the spring and the arm
    local x, y = body:position(2)
    local u, v = body:velocity(2)
    assert(scene:step(20))
    local now, low = body:position(2)
    assert.is_near(x + u * 20 / 60, now, 1e-9)
    assert.is_near(y + v * 20 / 60 - 9.81 * 20 * 21 / 2 / 3600, low, 1e-9)
  end)
  it("changes no bit of a body that does not tear", function()
    local scene, body = strand()
    local other, same = strand { tear = { strain = 5 }, plastic = { yield = 5 } }
    pull(scene, body, 10, 20)
    pull(other, same, 10, 20)
    assert.are.equal(scene:hash(), other:hash())
  end)
  it("reports errors of scene.torn", function()
    local scene, body = strand { tear = { strain = 0.3 } }
    function scene.torn()
      error "no"
    end
    local ok, text = true, nil
    for _ = 1, 40 do
      body:force(4, 0, -80, 0)
      ok, text = scene:step()
      if not ok then
        break
      end
    end
    assert.is_nil(ok)
    has(text, "in scene.torn: the step has been taken")
  end)
  it("refuses wrong numbers", function()
    has(message(strand, { tear = {} }), "tear.strain")
    has(message(strand, { tear = { strain = 0 } }), "expected a number greater than 0")
    has(message(strand, { tear = { strain = 0.3, toughnes = 1 } }), "did you mean \"toughness\"")
    has(message(strand, { tear = 3 }), "expected a table of its options")
    has(message(strand, { plastic = { hardening = 1 } }), "plastic.yield")
    has(message(strand, { plastic = { yield = -1 } }), "plastic.yield")
  end)
end)

describe("plastic", function()
  it("leaves a spring longer after a pull, by what is beyond the yield strain", function()
    local scene, body = strand { plastic = { yield = 0.05 } }
    pull(scene, body, 2, 400) -- elastic strain 0.02, and twice that at first
    local _, _, _, rest = body:spring(1)
    assert.are.equal(1, rest)
    pull(scene, body, 20, 20)
    _, _, _, rest = body:spring(3)
    assert.is_true(rest > 1.05)
    pull(scene, body, 0, 900)
    _, _, _, rest = body:spring(3)
    local _, y4 = body:position(4)
    local _, y3 = body:position(3)
    assert.is_near(rest, y3 - y4, 1e-3)
  end)
  it("is state and is the same after going back", function()
    local scene, body = strand { plastic = { yield = 0.02, hardening = 0.5, creep = 4 } }
    pull(scene, body, 3, 5)
    local before = scene:snapshot()
    pull(scene, body, 30, 30)
    local hash = scene:hash()
    local _, _, _, rest = body:spring(3)
    assert.is_true(rest > 1.01)
    scene:restore(before)
    pull(scene, body, 30, 30)
    assert.are.equal(hash, scene:hash())
    assert.are.equal(rest, select(4, body:spring(3)))
  end)
  it("never gains energy, whatever an element of one's own calls its strain", function()
    local odd = tide.element {
      vertices = 2, name = "odd", muscle = "rest",
      parameters = { k = { 100, min = 0 }, rest = function(A, B) return (A - B):length() end },
      energy = function(p, a, b) return p.k / 2 * ((a - b):length() - p.rest) ^ 2 end,
      strain = function(p, a, b) return (p.rest - (a - b):length()) / p.rest end, -- of the wrong sign
    }
    local scene = tide.scene { gravity = { 0, 0, 0 } }
    local body = scene:body("pair", { mesh = tide.mesh.strand { points = 2, to = { 1, 0, 0 } }, mass = 1,
      elements = { { odd, on = "edges" } }, plastic = { yield = 0.05 } }):pin { 1, 2 }
    body:move_pin(2, 1.2, 0, 0)
    for _ = 1, 5 do
      assert(scene:step())
      assert.is_near(0.5 * 100 * 0.2 ^ 2, scene:energy().elastic, 1e-12)
    end
  end)
end)
