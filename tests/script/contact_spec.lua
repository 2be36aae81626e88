-- Contact as scenes see it: the callback, the list, the settings, who touches whom; and what becomes of colliders in
-- snapshots, forks and reloads.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local function near(expected, actual, tolerance)
  assert.are.equal(#expected, #actual)
  for k, value in ipairs(expected) do
    assert.is_near(value, actual[k], tolerance or 1e-12)
  end
end

-- A small sheet that lies on a floor at y = 0.
local function lying(settings, more)
  local scene = tide.scene(settings or {})
  local mesh = tide.mesh.grid { columns = 4, rows = 4, width = 0.3, height = 0.3 }:translate(0, 0.01, 0)
  local definition = { mesh = mesh, mass = 0.16, stiffness = 100, thickness = 0.01 }
  for name, value in pairs(more or {}) do
    definition[name] = value
  end
  local sheet = scene:body("sheet", definition)
  local floor = scene:collider("floor", { shape = "plane" })
  return scene, sheet, floor
end

describe("contact", function()
  it("tells of each contact, and the forces carry the weight", function()
    local scene, sheet, floor = lying()
    assert.are.same({}, scene:contacts())
    scene:step(60)
    local total, seen = 0, {}
    for _, c in ipairs(scene:contacts()) do
      assert.are.equal(sheet, c.body)
      assert.are.equal(floor, c.collider)
      assert.is_nil(c.other)
      assert.is_nil(c.other_vertex)
      assert.is_true(c.vertex >= 1 and c.vertex <= 16)
      assert.is_nil(seen[c.vertex])
      seen[c.vertex] = true
      near({ 0, 1, 0 }, c.normal, 1e-9)
      assert.is_near(0, c.point[2], 1e-3)
      assert.is_true(c.depth >= 0)
      assert.is_true(c.force > 0)
      total = total + c.force
    end
    assert.are.equal(16, #scene:contacts())
    assert.is_near(0.16 * 9.81, total, 0.01 * 0.16 * 9.81)
  end)
  it("calls scene.contact after the step with tables of their own", function()
    local scene, sheet, floor = lying()
    scene:step(60)
    local kept, frames = {}, {}
    function scene.contact(c)
      kept[#kept + 1] = c
      frames[scene.frame] = (frames[scene.frame] or 0) + 1
    end
    assert.is_function(scene.contact)
    scene:step(2)
    assert.are.same({ [61] = 16, [62] = 16 }, frames)
    local list = scene:contacts()
    for i = 1, 16 do
      local c, d = kept[16 + i], list[i]
      assert.are_not.equal(kept[i], c)
      assert.are.equal(sheet, c.body)
      assert.are.equal(floor, c.collider)
      for _, field in ipairs { "vertex", "point", "normal", "depth", "force" } do
        assert.are.same(d[field], c[field])
      end
    end
    scene.contact = nil
    assert.is_nil(scene.contact)
    scene:step()
    assert.are.equal(32, #kept)
    has(message(function() scene.contact = 3 end), "scene: contact = 3: expected a function")
  end)
  it("gives a collider the sum of its forces and their torque", function()
    local scene, _, floor = lying()
    local force, torque = floor:force()
    assert.are.same({ 0, 0, 0 }, force)
    assert.are.same({ 0, 0, 0 }, torque)
    floor.position = { 1, 0, 0 }
    scene:step(60)
    force, torque = floor:force()
    near({ 0, -0.16 * 9.81, 0 }, force, 0.01 * 0.16 * 9.81)
    -- the sheet's middle is at (0.15, 0, 0.15): the arm from the floor's position is (-0.85, 0, 0.15)
    near({ 0.15 * 0.16 * 9.81, 0, 0.85 * 0.16 * 9.81 }, torque, 0.02 * 0.16 * 9.81)
    local sum, turn = { 0, 0, 0 }, { 0, 0, 0 }
    for _, c in ipairs(scene:contacts()) do
      local f, r = {}, {}
      for k = 1, 3 do
        f[k] = -c.force * c.normal[k] - c.friction[k]
        r[k] = c.point[k] - floor.position[k]
        sum[k] = sum[k] + f[k]
      end
      for k = 1, 3 do
        local i, j = k % 3 + 1, (k + 1) % 3 + 1
        turn[k] = turn[k] + r[i] * f[j] - r[j] * f[i]
      end
    end
    near(sum, force, 1e-9)
    near(turn, torque, 1e-9)
  end)
  it("lets a script move a collider by these forces without a gain of energy", function()
    -- A ball of 1 kg falls on a plate on a spring. The force is known one step late: a light plate that follows it with
    -- its own inertia alone throws the ball up; with the ball's mass added it does not, at any mass and timestep.
    -- Returns the highest point after the landing, relative to the drop, and the largest energy of ball, plate and
    -- spring, relative to the first.
    local function bounce(mass, added, timestep)
      local scene = tide.scene { timestep = timestep }
      local ball = scene:body("ball", { mesh = tide.mesh.sphere { radius = 0.1, subdivisions = 1 }:translate(0, 0.6, 0),
        mass = 1, stiffness = 3000 })
      local plate = scene:collider("plate", { shape = "box", size = { 2, 0.2, 2 }, position = { 0, -0.1, 0 } })
      local spring, y, v = 400, 0, 0
      function scene.update(dt)
        v = v + dt * (plate:force()[2] - spring * y) / (mass + added)
        y = y + dt * v
        plate:move_to(0, y - 0.1, 0)
      end
      local drop, most, landed, first, energy = 0.6, -1, false, nil, 0
      for _ = 1, math.floor(4 / timestep) do
        assert(scene:step())
        local now = scene:energy().total + mass * v * v / 2 + spring * y * y / 2
        first = first or now
        energy = math.max(energy, now / first)
        local middle = 0
        for i = 1, ball.vertex_count do
          local _, h = ball:position(i)
          middle = middle + h / ball.vertex_count
        end
        landed = landed or plate:force()[2] < 0
        if landed then most = math.max(most, middle) end
      end
      assert.is_true(landed)
      return most / drop, energy
    end
    for _, mass in ipairs { 0.25, 0.5, 2 } do
      for _, timestep in ipairs { 1 / 30, 1 / 60 } do
        local apex, energy = bounce(mass, 1, timestep)
        assert.is_true(apex < 0.5)
        assert.is_true(energy < 1.001)
      end
    end
    assert.is_true(bounce(0.5, 0, 1 / 30) > 1) -- what the help warns of
  end)
  it("between two bodies names both", function()
    local scene, sheet, floor = lying({ drag = 2, deformation_drag = 4 }, { stiffness = 1000, bend = 200 })
    scene:step(60)
    local grain = scene:body("grain", { mesh = tide.mesh.new { vertices = { { 0.15, 0.05, 0.14 } } }, mass = 0.01,
      thickness = 0.01 })
    scene:step(240)
    local force, found = 0
    for _, c in ipairs(scene:contacts()) do
      if c.other then
        assert.is_nil(c.collider)
        local pair = { [c.body.name] = c.vertex, [c.other.name] = c.other_vertex }
        assert.are.equal(1, pair.grain)
        assert.is_true(pair.sheet >= 1 and pair.sheet <= 16)
        assert.is_true(c.body == grain or c.other == grain)
        assert.is_true(c.body == sheet or c.other == sheet)
        found, force = true, force + c.force
      end
    end
    assert.is_true(found)
    assert.is_near(0.01 * 9.81, force, 0.2 * 0.01 * 9.81)
    assert.is_true(select(2, grain:position(1)) > 0.005)
    assert.are.equal("floor", floor.name)
  end)
  it("is left out for bodies that may not touch", function()
    local function height(touching, collide)
      local scene, sheet = lying({}, {})
      local grain = scene:body("grain", { mesh = tide.mesh.new { vertices = { { 0.15, 0.05, 0.14 } } }, mass = 0.05,
        thickness = 0.01, collide = collide })
      if touching ~= nil then
        assert.are.equal(scene, scene:set_touching(grain, sheet, touching))
      end
      scene:step(60)
      return (select(2, grain:position(1)) - select(2, sheet:position(6))), select(2, grain:position(1))
    end
    local apart = height()
    assert.is_true(apart > 0.005)
    local through, y = height(false)
    assert.is_true(math.abs(through) < 0.004)
    assert.is_near(0.005, y, 0.002) -- the floor still holds it
    assert.is_true(math.abs((height(nil, "colliders"))) < 0.004)
    assert.is_true(select(2, height(nil, "none")) < -1)
    local back = height(true, "colliders")
    assert.is_true(back > 0.005)
  end)
  it("refuses to be told nonsense", function()
    local scene, sheet, floor = lying()
    has(message(function() scene:set_touching(sheet) end), "scene: set_touching = nil: expected a body")
    has(message(function() scene:set_touching(sheet, floor, true) end), "= a tide.Collider: expected a body")
    has(message(function() scene:set_touching(sheet, sheet, 1) end), "scene: set_touching = 1: expected true or false")
    local _, other = lying()
    has(message(function() scene:set_touching(sheet, other, true) end), 'body "sheet" is of another scene')
  end)
  it("leaves the step taken when scene.contact fails", function()
    local scene = lying()
    scene:step(60)
    function scene.contact()
      error "enough"
    end
    local line = debug.getinfo(1, "l").currentline - 2
    local ok, why = scene:step()
    assert.is_nil(ok)
    has(why, "contact_spec.lua:" .. line .. ": enough (in scene.contact: the step has been taken)")
    assert.are.equal(61, scene.frame)
    function scene.contact()
      assert(scene:step())
    end
    ok, why = scene:step()
    assert.is_nil(ok)
    has(why, "the scene is in a step already")
    assert.are.equal(62, scene.frame)
    scene.contact = nil
    assert.is_true(scene:step())
  end)
  it("allows scene.contact to change the world", function()
    local scene, sheet = lying()
    scene:step(60)
    local before, calls = scene:snapshot(), 0
    function scene.contact(c)
      calls = calls + 1
      if calls == 1 then
        scene:restore(before)
      end
      sheet:force(c.vertex, 0, 5, 0)
    end
    assert.is_true(scene:step())
    assert.are.equal(16, calls)
    assert.are.equal(60, scene.frame)
    assert.is_true(scene:step(5))
    assert.is_true(select(2, sheet:position(1)) > 0.01) -- the forces have lifted it
  end)
  it("has settings", function()
    for _, contact in ipairs { {}, { continuous = true }, { sweeps = 8 }, { lines = true } } do
      local scene = lying { contact = contact }
      assert.is_true(scene:step(20))
      assert.are.equal(16, #scene:contacts())
    end
    has(message(tide.scene, { contact = 3 }), "contact: expected a table of fields, not 3")
    has(message(tide.scene, { contact = { continous = true } }),
      'contact: continous: unknown field; did you mean "continuous"?')
    has(message(tide.scene, { contact = { sweeps = -1 } }), "contact: sweeps = -1: expected an integer")
    has(message(tide.scene, { contact = { continuous = 1 } }), "contact: continuous = 1: expected true or false")
  end)
  it("takes the materials of bodies", function()
    local function body(fields)
      return message(function() lying({}, fields) end)
    end
    has(body { thickness = -1 }, 'body "sheet": thickness = -1')
    has(body { friction = -1 }, 'body "sheet": friction = -1')
    has(body { restitution = 2 }, 'body "sheet": restitution = 2: expected a number from 0 to 1')
    has(body { collide = "al" }, 'body "sheet": collide = "al"')
    has(body { self_collide = 3 }, 'body "sheet": self_collide = 3: expected true or false')
    -- A push along the floor moves a smooth body but not a rough one.
    local function slide(friction)
      local scene, sheet = lying({}, { friction = friction })
      scene:step(60)
      local x = sheet:position(1)
      function scene.update()
        for i = 1, 16 do
          sheet:force(i, 0.01 * 9.81 * 0.2, 0, 0)
        end
      end
      scene:step(20)
      return sheet:position(1) - x
    end
    assert.is_true(slide(0) > 0.1)
    assert.is_true(math.abs(slide(1)) < 0.01)
  end)
end)

describe("colliders over time", function()
  local function carried()
    local scene, sheet = lying({ timestep = 1 / 60 })
    local tray = scene:collider("tray", { shape = "box", size = { 2, 0.1, 2 }, friction = 1,
      move = function(t) return 0.2 * math.sin(t), -0.045, 0 end })
    return scene, sheet, tray
  end
  it("are part of snapshots, of the hash, and of reset", function()
    local scene, _, tray = carried()
    local ball = scene:collider("ball", { shape = "sphere", position = { 5, 0, 0 } })
    local start = scene:hash()
    scene:step(10)
    local before, hash, x = scene:snapshot(), scene:hash(), tray.position[1]
    ball.position = { 5, 1, 0 }
    assert.are_not.equal(hash, scene:hash())
    scene:step(10)
    local later = scene:hash()
    scene:restore(before)
    assert.are.equal(hash, scene:hash())
    near({ x }, { tray.position[1] })
    near({ 5, 0, 0 }, ball.position)
    ball.position = { 5, 1, 0 }
    scene:step(10)
    assert.are.equal(later, scene:hash())
    scene:reset()
    assert.are.equal(start, scene:hash())
    near({ 0 }, { tray.position[1] })
  end)
  it("go their own way in a fork", function()
    local scene, sheet, tray = carried()
    local seen = {}
    function scene.contact(c)
      assert(c.body == sheet)
      seen[#seen + 1] = c.collider == tray
    end
    scene:step(20)
    local fork = scene:fork()
    local x, count = tray.position[1], #seen
    assert.is_true(fork:step(10))
    assert.is_true(#seen > count and seen[#seen])
    near({ x }, { tray.position[1] })
    near({ 0.2 * math.sin(30 / 60) }, { fork:collider("tray").position[1] }, 1e-9)
    assert.is_true(scene:step(10))
    assert.are.equal(fork:hash(), scene:hash())
    fork:collider("new", { shape = "sphere", position = { 9, 9, 9 }, move = function() return 9, 9, 9 end })
    assert.are.equal(3, #fork:colliders())
    assert.are.equal(2, #scene:colliders())
    assert.is_true(fork:step())
    scene:collider("new", { shape = "sphere", position = { 8, 8, 8 } }):move_to(7, 7, 7) -- has no function here
    assert.is_true(scene:step())
    near({ 7, 7, 7 }, scene:collider("new").position)
  end)
  it("keep their handles in forks of reloaded scenes", function()
    local function script(colliders)
      return helper.write("colliders.lua", [[
        local tide = require "springtide"
        local scene = tide.scene { gravity = { 0, 0, 0 } }
        scene:body("grain", { mesh = tide.mesh.new { vertices = { { 0, 0, 0 } } } })
        local kept = {}
        for _, name in ipairs { ]] .. colliders .. [[ } do
          kept[name] = scene:collider(name, { shape = "sphere", position = { #name, 9, 0 } })
        end
        function scene.update()
          kept.last:move_to(#kept.last.name, scene.time, 0)
        end
        return scene]])
    end
    local scene = assert(tide.load(script '"first", "last"'))
    local first, last = scene:collider "first", scene:collider "last"
    assert(scene:reload(script '"another", "last"'))
    has(message(function() return first.position end), 'collider "first" is gone: the scene has no such collider')
    assert.are.equal(last, scene:collider "last")
    local fork = scene:fork()
    assert.is_true(scene:step(3))
    assert.is_true(fork:step(3))
    near(last.position, fork:collider("last").position)
    assert.are.equal(scene:hash(), fork:hash())
    assert.is_true(last.position[2] > 0)
  end)
end)

describe("colliders over a reload", function()
  local function write(ball, more)
    return helper.write("reload_colliders.lua", [[
      local tide = require "springtide"
      local scene = tide.scene { timestep = 0.1, gravity = { 0, 0, 0 } }
      scene:body("grain", { mesh = tide.mesh.new { vertices = { { 0, 100, 0 } } } })
      local ball = scene:collider("ball", { shape = "sphere", ]] .. ball .. [[ })
      ]] .. (more or "") .. [[
      return scene]])
  end
  local wander = "function scene.update() ball:move_to(scene.time + 0.1, 0, 0) end"

  it("go on from where they were", function()
    local scene = assert(tide.load(write("", wander)))
    scene:step(5)
    near({ 0.5, 0, 0 }, scene:collider("ball").position, 1e-9)
    assert(scene:reload(write("friction = 0.9", wander)))
    near({ 0.5, 0, 0 }, scene:collider("ball").position, 1e-9)
    assert.are.equal(0.9, scene:collider("ball").friction)
    scene:step(1)
    near({ 0.6, 0, 0 }, scene:collider("ball").position, 1e-9)
    assert(scene:reload(write("position = { 7, 0, 0 }"))) -- another place in the definition counts
    near({ 7, 0, 0 }, scene:collider("ball").position)
    scene:reset()
    near({ 7, 0, 0 }, scene:collider("ball").position)
    assert.are.equal(0, scene.frame)
  end)
  it("keep what was changed of them, unless the script says otherwise", function()
    local scene = assert(tide.load(write "friction = 0.4, thickness = 0.01"))
    local ball = scene:collider "ball"
    scene:step(1)
    ball.friction, ball.restitution = 0.7, 0.2
    assert(scene:reload(write "friction = 0.4, thickness = 0.02"))
    near({ 0.7, 0.2, 0.02 }, { ball.friction, ball.restitution, ball.thickness })
    scene:step(1)
    assert(scene:reload(write "friction = 0.4, thickness = 0.02")) -- and over another reload
    near({ 0.7, 0.2, 0.02 }, { ball.friction, ball.restitution, ball.thickness })
    assert(scene:reload(write "friction = 0.5, restitution = 0, thickness = 0.02"))
    near({ 0.5, 0.2, 0.02 }, { ball.friction, ball.restitution, ball.thickness })
    scene:reset()
    near({ 0.5, 0, 0.02 }, { ball.friction, ball.restitution, ball.thickness })
  end)
  it("are where their function has them at that time", function()
    local scene = assert(tide.load(write "move = function(t) return t, 0, 0 end"))
    scene:step(5)
    near({ 0.5, 0, 0 }, scene:collider("ball").position, 1e-9)
    assert(scene:reload(write "move = function(t) return 0, 2 * t, 0 end"))
    near({ 0, 1, 0 }, scene:collider("ball").position, 1e-9)
    scene:step(1)
    near({ 0, 1.2, 0 }, scene:collider("ball").position, 1e-9)
    assert(scene:reload(write ""))
    scene:step(1)
    local x = scene:collider("ball").position
    scene:collider("ball"):move_to(1, 1, 1) -- no function any more
    scene:step(1)
    near({ 1, 1, 1 }, scene:collider("ball").position)
    assert.is_table(x)
  end)
  it("follow keyframes at that time", function()
    local scene = assert(tide.load(write ""))
    scene:step(5)
    assert(scene:reload(write [[keyframes = {
      { time = 0, position = { 0, 0, 0 } }, { time = 1, position = { 4, 0, 0 } } }]]))
    near({ 2, 0, 0 }, scene:collider("ball").position, 1e-9)
    scene:step(1)
    near({ 2.4, 0, 0 }, scene:collider("ball").position, 1e-9)
  end)
  it("that fails because of a function changes nothing", function()
    local scene = assert(tide.load(write "move = function(t) return t, 0, 0 end"))
    scene:step(5)
    local hash = scene:hash()
    local ok, why = scene:reload(write 'move = function(t) return t > 0.2 and "far" or 1, 0, 0 end')
    assert.is_nil(ok)
    has(why, 'reload_colliders.lua:4: collider "ball": move = "far": expected x, y, z')
    assert.are.equal(hash, scene:hash())
    ok, why = scene:reload(write([[move = function(t)
      if t > 0.2 then
        TIDE:collider("more", { shape = "sphere" })
      end
      return 0, 0, 0
    end]], "TIDE = scene"))
    assert.is_nil(ok)
    has(why, 'collider "more": a collider cannot be added while the scene is in a step')
    assert.are.equal(hash, scene:hash())
    assert.is_true(scene:step(1))
    near({ 0.6, 0, 0 }, scene:collider("ball").position, 1e-9)
  end)
end)

-- Two blocks at rest on two floors, among other colliders; what each carries.
describe("what colliders carry", function()
  local function write(colliders, continuous)
    return helper.write("carrying.lua", [[
      local tide = require "springtide"
      local continuous = ]] .. tostring(continuous or false) .. [[

      local scene = tide.scene { timestep = 1 / 60, contact = { continuous = continuous } }
      local block = tide.mesh.box { cells = { 3, 3, 3 }, size = { 0.3, 0.3, 0.3 } }
      for i, name in ipairs { "left", "right" } do
        scene:body(name, { mesh = block:translate(2 * i, 0.155, 0), mass = 6, stiffness = 3000, thickness = 0.01 })
      end
      local function floor(name, x)
        scene:collider(name, { shape = "box", size = { 1, 0.1, 1 }, position = { x, -0.05, 0 } })
      end
      local function ball(name)
        scene:collider(name, { shape = "sphere", radius = 0.1, position = { 9, 9, 9 } })
      end
      ]] .. colliders .. [[

      return scene]])
  end
  -- Newtons by body and collider.
  local function loads(scene)
    local list = {}
    for _, c in ipairs(scene:contacts()) do
      local name = c.body.name .. " on " .. c.collider.name
      list[name] = (list[name] or 0) + c.force
    end
    return list
  end
  local function total(list)
    return (list["left on a"] or 0) + (list["right on b"] or 0)
  end
  local first = 'floor("a", 2) floor("b", 4) ball "c"'
  for _, continuous in ipairs { false, true } do
    local with = continuous and ", with swept tests" or ""
    it("goes on as if nothing had happened after colliders were added, reordered or removed" .. with, function()
      for _, changed in ipairs {
        'floor("a", 2) floor("b", 4) ball "c" ball "d"', 'ball "d" floor("a", 2) ball "c" floor("b", 4)',
        'ball "c" floor("b", 4) floor("a", 2)', 'floor("b", 4) floor("a", 2)', first,
      } do
        local scene = assert(tide.load(write(first, continuous)))
        scene:step(300)
        local at_rest, before = scene:energy().kinetic, loads(scene)
        assert.is_true(at_rest < 1e-10)
        assert(scene:reload(write(changed, continuous)))
        assert.is_true(scene:step())
        assert.is_true(scene:energy().kinetic <= 2 * at_rest)
        local now = loads(scene)
        assert.is_near(total(before), total(now), 0.01)
        assert.is_nil(now["left on b"] or now["right on a"])
      end
    end)
  end
  it("is told in full where swept tests take its mesh for it", function()
    local scene = assert(tide.load(write(first, true)))
    scene:step(300)
    local sums, turned = { left = 0, right = 0 }, 0
    for _ = 1, 60 do
      scene:step()
      for _, c in ipairs(scene:contacts()) do
        sums[c.body.name] = sums[c.body.name] + c.force * c.normal[2] / 60
        turned = turned + (c.normal[2] < 0 and 1 or 0)
        assert.are.equal(c.body.name == "left" and "a" or "b", c.collider.name)
      end
    end
    assert.is_near(6 * 9.81, sums.left, 3)
    assert.is_near(6 * 9.81, sums.right, 3)
    assert.are.equal(0, turned)
  end)
  it("stops when the collider is gone", function()
    local scene = assert(tide.load(write(first)))
    scene:step(120)
    local function height(name)
      return select(2, scene:body(name):position(1))
    end
    local left, right = height "left", height "right"
    assert(scene:reload(write 'floor("b", 4)'))
    scene:step(30)
    assert.is_near(left - 0.5 * 9.81 * 0.25, height "left", 0.06)
    assert.is_near(right, height "right", 1e-5)
  end)
  it("parts what begins in one place, beside pins that hold it there", function()
    for _, size in ipairs { { 2, 11, 0.1, 1 }, { 4, 4, 0.3, 0.3 } } do
      local scene = tide.scene { timestep = 1 / 60, drag = 2, deformation_drag = 2 }
      local long = scene:body("long", { mass = 1, stiffness = 100,
        mesh = tide.mesh.grid { columns = size[1], rows = size[2], width = size[3], height = size[4] } })
      local wide = scene:body("wide", { mass = 0.1, stiffness = 100,
        mesh = tide.mesh.grid { columns = 4, rows = 4, width = 0.3, height = 0.3 } })
      long:pin { 1, 2 }
      wide:pin { 1, 2, 3, 4 }
      local start = scene:energy().total
      for _ = 1, 60 do
        assert(scene:step())
        assert.is_true(scene:energy().total < start + 0.2)
      end
    end
  end)
  it("is that of the snapshot, where colliders were added since", function()
    local scene = assert(tide.load(write(first)))
    scene:step(300)
    local before, at_rest = scene:snapshot(), scene:energy().kinetic
    local floor = scene:collider("a")
    floor.position = { 2, -0.15, 0 }
    scene:collider("d", { shape = "sphere", position = { -9, 0, 0 } })
    scene:step(5)
    assert.is_true(scene:energy().kinetic > 0.01)
    scene:restore(before)
    near({ 2, -0.05, 0 }, floor.position)
    assert.is_true(scene:step())
    assert.is_true(scene:energy().kinetic <= 2 * at_rest)
  end)

  it("gives forces with friction that balance the momentum of the step that ended", function()
    for _, solver in ipairs { "local_global", "newton", "symplectic_euler", "xpbd" } do
      local scene = tide.scene { timestep = 1 / 60, solver = { solver }, gravity = { 0, -9.81, 0 } }
      local mesh = tide.mesh.box { size = { 0.4, 0.1, 0.4 }, cells = { 2, 1, 2 } }:translate(0, 0.06, 0)
      local body = scene:body("box", { mesh = mesh, mass = 2, stiffness = 2000 })
      scene:collider("ground", { shape = "plane", normal = { 0, 1, 0 }, offset = 0, friction = 0.3 })
      local count = body.vertex_count
      for i = 1, count do body:set_velocity(i, 1, 0, 0.5) end
      local function momentum()
        local p = { 0, 0, 0 }
        for i = 1, count do
          local v = { body:velocity(i) }
          for k = 1, 3 do p[k] = p[k] + 2 / count * v[k] end
        end
        return p
      end
      local dragged = 0
      for _ = 1, 20 do
        local before, force = momentum(), { 0, -2 * 9.81, 0 }
        assert(scene:step())
        for _, contact in ipairs(scene:contacts()) do
          for k = 1, 3 do force[k] = force[k] + contact.force * contact.normal[k] + contact.friction[k] end
          dragged = dragged + contact.friction[1]
        end
        local after = momentum()
        for k = 1, 3 do assert.near(force[k], 60 * (after[k] - before[k]), 1e-9) end
      end
      assert.is_true(dragged < -10)
    end
  end)
end)

describe("contacts under a solver in Lua", function()
  it("are resolved after its step function", function()
    local starts, results, resolved = {}, {}, {}
    tide.solver { name = "contact_spec_flight", step = function(_, state)
      starts[#starts + 1], results[#results + 1] = state.positions[2], state.inertial[2]
      assert.is_near(-9.81, state.forces[2], 1e-9) -- gravity alone, also while touching
      return state.inertial
    end }
    local scene = tide.scene { timestep = 0.01, solver = "contact_spec_flight" }
    local drop = scene:body("drop", { mesh = tide.mesh.new { vertices = { { 0, 0.02, 0 } } }, mass = 1, springs = {} })
    scene:collider("floor", { shape = "plane", normal = { 0, 1, 0 }, offset = 0, thickness = 0, restitution = 0 })
    for i = 1, 20 do
      assert.is_true(scene:step())
      resolved[i] = drop:positions()[2]
    end
    local skin = 0.005 -- m, the thickness of the body
    assert.is_true(results[20] < skin - 5e-4) -- the function's own result has sunk in
    assert.is_near(skin, resolved[20], 1e-4) -- that of the step has not
    for i = 2, 20 do assert.are.equal(resolved[i - 1], starts[i]) end
  end)
end)
