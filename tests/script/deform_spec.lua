-- Mesh colliders whose vertices move: by frames, and by a script.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

local ball = tide.mesh.sphere { radius = 0.2, subdivisions = 2 }
local slab = tide.mesh.grid { columns = 5, rows = 5, width = 2, height = 2 }:translate(-1, 0, -1)

local function grain(scene, x, y, z, more)
  local definition = { mesh = tide.mesh.new { vertices = { { x, y, z } } }, mass = 0.1, thickness = 0.01 }
  for name, value in pairs(more or {}) do definition[name] = value end
  return scene:body("grain", definition)
end

local function numbers_of(mesh)
  local list = {}
  for i = 1, mesh.vertex_count do
    local x, y, z = mesh:vertex(i)
    list[#list + 1], list[#list + 2], list[#list + 3] = x, y, z
  end
  return list
end

describe("a collider with frames", function()
  it("goes from one to the next, and its distance with it", function()
    local scene = tide.scene { timestep = 1 / 60 }
    local c = scene:collider("c", { shape = "mesh", mesh = ball, rate = 10, frames = { ball, ball:scale(2), ball } })
    assert.are.equal(ball.vertex_count, c.vertex_count)
    local x, y, z = ball:vertex(1)
    assert.is_near(0, (c:distance(x, y, z)), 1e-12)
    assert.is_true(c:distance(0, 0, 0) < -0.15)
    scene:step(3) -- 0.05 s: half way
    assert.is_near(0, (c:distance(1.5 * x, 1.5 * y, 1.5 * z)), 1e-9)
    scene:step(3)
    assert.is_near(0, (c:distance(2 * x, 2 * y, 2 * z)), 1e-9)
    assert.is_true(c:distance(0.3, 0, 0) < 0)
    scene:step(10)
    assert.is_near(0, (c:distance(x, y, z)), 1e-9)
  end)
  it("takes positions as numbers, a scale and a loop, and smooth interpolation does not overshoot", function()
    local scene = tide.scene { timestep = 1 / 60 }
    local up = numbers_of(slab:translate(0, 1, 0))
    local c = scene:collider("c", { shape = "mesh", mesh = slab, sheet = true, scale = 2, rate = 10, loop = true,
      frames = { slab, tide.linear.vector(up), up, slab }, interpolation = "smooth" })
    local highest, lowest = 0, 9
    for _ = 1, 60 do
      scene:step()
      local height = 9 - c:distance(0, 9, 0)
      highest, lowest = math.max(highest, height), math.min(lowest, height)
    end
    assert.is_near(2, highest, 1e-9)
    assert.is_near(0, lowest, 1e-9)
    scene = tide.scene { timestep = 1 / 60 }
    local again = scene:collider("again", { shape = "mesh", mesh = slab, sheet = true, rate = 10,
      frames = { slab, slab:translate(0, 1, 0) }, interpolation = "smooth" })
    scene:step(3)
    assert.is_near(0.5, 9 - again:distance(0, 9, 0), 1e-9)
  end)
  it("has at each frame the distance of a rigid mesh of that shape, where pieces overlap, too", function()
    local function pair(stretch)
      local vertices, triangles, count = {}, {}, ball.vertex_count
      for piece = 0, 1 do
        for i = 1, count do
          local x, y, z = ball:vertex(i)
          vertices[#vertices + 1] = { stretch * x + 0.2 * piece, y / stretch, z }
        end
        for t = 1, ball.triangle_count do
          local i, j, k = ball:triangle(t)
          triangles[#triangles + 1] = { i + piece * count, j + piece * count, k + piece * count }
        end
      end
      return tide.mesh.new { vertices = vertices, triangles = triangles }
    end
    local scene = tide.scene { timestep = 1 / 60 }
    local shapes = { pair(1), pair(1.05), pair(0.95) }
    local moving = scene:collider("moving", { shape = "mesh", mesh = shapes[1], frames = shapes, rate = 60 })
    local grid = {}
    for i = 0, 6 do for j = 0, 6 do for k = 0, 6 do
      grid[#grid + 1] = { -0.4 + 0.17 * i, -0.31 + 0.1 * j, -0.33 + 0.11 * k }
    end end end
    for f = 1, 3 do
      local rigid = tide.scene {}:collider("rigid", { shape = "mesh", mesh = shapes[f] })
      local inside = 0
      for _, p in ipairs(grid) do
        local d, e = rigid:distance(p[1], p[2], p[3]), moving:distance(p[1], p[2], p[3])
        -- Where the pieces meet moves by less than a facet, as the parts that are hidden are those of the first shape.
        assert.is_near(d, e, f == 1 and 1e-12 or 0.012)
        if math.abs(d) > 0.012 then assert.are.equal(d < 0, e < 0) end
        inside = inside + (d < 0 and 1 or 0)
      end
      assert.is_true(inside > 20)
      scene:step()
    end
  end)
  it("has exactly the distance of a mesh that is made anew in its shape", function()
    local function bent(mesh)
      local points, triangles = {}, {}
      for i = 1, mesh.vertex_count do
        local x, y, z = mesh:vertex(i)
        points[i] = { 1.3 * x + 0.2 * z, y + x * x - 0.3 * x * z, z + 0.1 * x }
      end
      for t = 1, mesh.triangle_count do triangles[t] = { mesh:triangle(t) } end
      return tide.mesh.new { vertices = points, triangles = triangles }
    end
    for _, mesh in ipairs { ball, slab } do
      local scene = tide.scene { timestep = 1 / 60 }
      local after, sheet = bent(mesh), mesh == slab
      local moved = scene:collider("moved", { shape = "mesh", mesh = mesh, sheet = sheet, deforms = true })
      moved:positions():assign(tide.linear.vector(numbers_of(after)))
      scene:step()
      local fresh = tide.scene {}:collider("fresh", { shape = "mesh", mesh = after, sheet = sheet })
      for i = 0, 124 do
        local x, y, z = -0.51 + 0.21 * (i % 5), -0.27 + 0.13 * (i // 5 % 5), -0.31 + 0.14 * (i // 25)
        local d, e = { fresh:distance(x, y, z) }, { moved:distance(x, y, z) }
        for k = 1, 4 do assert.is_near(d[k], e[k], 1e-9) end
      end
    end
  end)
  it("is refused with frames that do not fit", function()
    local scene = tide.scene {}
    local function try(more)
      local definition = { shape = "mesh", mesh = ball }
      for name, value in pairs(more) do definition[name] = value end
      return message(scene.collider, scene, "c", definition)
    end
    local few = tide.mesh.sphere { radius = 0.2, subdivisions = 1 }
    has(try { frames = { ball, few } }, 'collider "c": frames[2] = 42 vertices: expected 162')
    has(try { frames = {} }, 'collider "c": frames')
    has(try { frames = 3 }, 'collider "c": frames = 3: expected a list of 1 to 1000000 meshes')
    has(try { frames = { ball, 3 } }, 'collider "c": frames[2] = 3: expected a mesh, or a list')
    has(try { frames = { { 1, 2 } } }, 'frames[1]: 2 numbers; expected x, y, z of each vertex')
    has(try { frames = { { 1, 2, 0 / 0 } } }, 'frames[1][3]')
    local nowhere = tide.linear.vector(numbers_of(ball))
    nowhere[5] = 1e10
    has(try { frames = { ball, nowhere } }, "frames[2] = 1e+10: vertex 2 is not finite or too far away")
    local turned = {}
    for t = 1, ball.triangle_count do
      local i, j, k = ball:triangle(t)
      turned[t] = { i, k, j }
    end
    local points = {}
    for i = 1, ball.vertex_count do points[i] = { ball:vertex(i) } end
    has(try { frames = { tide.mesh.new { vertices = points, triangles = turned } } },
      "its triangles are not those of the collider's mesh")
    has(try { frames = { ball }, rate = 0 }, "rate = 0")
    has(try { frames = { ball, ball:scale(2) }, loop = true }, "add the first frame once more after the last")
    has(try { frames = { ball }, loop = true }, "a loop needs at least two keyframes, or frames")
    has(try { frames = { ball }, deforms = true }, "given together with frames")
    has(try { frame = { ball } }, 'frame: unknown field; did you mean "frames"?')
    local keyed = scene:collider("keyed", { shape = "mesh", mesh = ball, frames = { ball } })
    has(message(keyed.positions, keyed), 'collider "keyed": positions: its `frames` say where its vertices are')
    local rigid = scene:collider("rigid", { shape = "mesh", mesh = ball })
    has(message(rigid.set_position, rigid, 1, 0, 0, 0), 'collider "rigid": positions: it is rigid; give it')
  end)
end)

describe("a collider that a script deforms", function()
  local function lifted(scene, more)
    local definition = { shape = "mesh", mesh = slab, sheet = true, deforms = true }
    for name, value in pairs(more or {}) do definition[name] = value end
    return scene:collider("slab", definition)
  end
  it("pushes, and does not pass through what it sweeps over in one step", function()
    local scene = tide.scene { timestep = 1 / 60, gravity = { 0, 0, 0 } }
    local c, g = lifted(scene), grain(scene, 0.11, 0.02, 0.13)
    for i = 1, c.vertex_count do
      local x, _, z = slab:vertex(i)
      c:set_position(i, x, 0.5, z)
    end
    assert.is_near(0.02, (c:distance(0.11, 0.02, 0.13)), 1e-12) -- it moves in the step
    scene:step()
    local _, y = g:position(1)
    local _, v = g:velocity(1)
    assert.is_near(0.505, y, 1e-6)
    assert.is_near(0.5 * 60, v, 1e-3) -- the speed of the slab
    assert.is_near(-0.1 * 30 * 60, c:force()[2], 10)
    scene:step()
    _, v = g:velocity(1)
    assert.is_near(0.5 * 60, v, 1e-3) -- it flies on; the slab rests
    assert.is_near(0, 0.5 - (9 - c:distance(0, 9, 0)), 1e-12)
  end)
  it("bulges where single vertices go", function()
    local scene = tide.scene { timestep = 1 / 60, gravity = { 0, 0, 0 } }
    local c, g = lifted(scene), grain(scene, 0.1, 0.02, 0)
    local far = scene:body("far", { mesh = tide.mesh.new { vertices = { { 0.8, 0.02, 0.8 } } }, mass = 0.1,
      thickness = 0.01 })
    c:set_position(13, 0, 1, 0)
    scene:step()
    local x, y, z = g:position(1)
    assert.is_near(0.005, (c:distance(x, y, z)), 2e-3)
    assert.is_true(y > 0.2 and x > 0.2) -- it slides down the slope of the bulge
    assert.are.same({ 0.8, 0.02, 0.8 }, { far:position(1) })
  end)
  it("drags by friction", function()
    local scene = tide.scene { timestep = 1 / 60 }
    local c, g = lifted(scene, { friction = 0.5 }), grain(scene, 0, 0.005, 0)
    local positions = c:positions()
    function scene.update(dt)
      local shift = tide.linear.vector(c.vertex_count * 3)
      for i = 1, #shift, 3 do shift[i] = 0.3 * dt end
      positions:add(shift)
    end
    scene:step(60)
    local vx = g:velocity(1)
    assert.is_near(0.3, vx, 1e-3)
    local x, y = g:position(1)
    assert.is_near(0.005, y, 1e-4)
    assert.is_true(x > 0.27 and x <= 0.3)
    assert.is_near(-0.1 * 9.81, c:force()[2], 0.02)
  end)
  it("keeps cloth outside under continuous contact while it swells", function()
    local scene = tide.scene { timestep = 1 / 60, contact = { continuous = true } }
    local cloth = scene:body("cloth", { mesh = tide.mesh.grid { columns = 9, rows = 9, width = 0.5, height = 0.5 }
      :translate(-0.25, 0.22, -0.25), mass = 0.1, stiffness = 200 })
    local c = scene:collider("ball", { shape = "mesh", mesh = ball, deforms = true, friction = 0.5 })
    local first = tide.linear.vector(numbers_of(ball))
    function scene.update()
      c:positions():assign(first * (1 + 0.5 * math.sin(3 * scene.time)))
    end
    for _ = 1, 40 do
      assert(scene:step())
      for i = 1, cloth.vertex_count do assert.is_true(c:distance(cloth:position(i)) > 0) end
    end
    local touching = 0
    for _, contact in ipairs(scene:contacts()) do touching = touching + (contact.collider == c and 1 or 0) end
    assert.is_true(touching > 10)
  end)
  -- A sheet whose middle rises under a cloth that falls on it.
  local function lifted_cloth()
    local scene = tide.scene { timestep = 1 / 60 }
    local cloth = scene:body("cloth", { mesh = tide.mesh.grid { columns = 13, rows = 13, width = 0.8, height = 0.8 }
      :translate(-0.4, 0.02, -0.4), mass = 0.2, stiffness = 200 })
    local c = lifted(scene, { friction = 0.4 })
    function scene.update()
      for i = 1, c.vertex_count do
        local x, _, z = slab:vertex(i)
        c:set_position(i, x, 0.6 * scene.time * math.max(0, 1 - x * x - z * z), z)
      end
    end
    return scene, c, cloth
  end
  it("lifts a cloth, with one hash for one and two threads and for a fork", function()
    local hashes, threads = {}, tide.threads()
    for count = 1, 2 do
      tide.threads(count)
      local scene, c, cloth = lifted_cloth()
      assert(scene:step(20))
      local fork = scene:fork()
      assert(scene:step(20))
      local lowest, highest = 9, 0
      for i = 1, cloth.vertex_count do
        local x, y, z = cloth:position(i)
        lowest, highest = math.min(lowest, (c:distance(x, y, z))), math.max(highest, y)
      end
      assert.is_true(lowest > -1e-3)
      assert.is_true(highest > 0.35) -- the middle is at 0.39
      assert.is_true(c:force()[2] < -1)
      hashes[count] = scene:hash()
      local again, other = lifted_cloth(), fork:collider("slab")
      assert(again:step(40))
      assert.are.equal(hashes[count], again:hash())
      for _ = 1, 20 do
        for i = 1, other.vertex_count do
          local x, _, z = slab:vertex(i)
          other:set_position(i, x, 0.6 * fork.time * math.max(0, 1 - x * x - z * z), z)
        end
        assert(fork:step())
      end
      assert.are.equal(hashes[count], fork:hash())
    end
    tide.threads(threads)
    assert.are.equal(hashes[1], hashes[2])
  end)
  it("is in snapshots, forks, hashes and resets", function()
    local function make(lift)
      local scene = tide.scene { timestep = 1 / 60 }
      local c, g = lifted(scene), grain(scene, 0, 0.05, 0)
      function scene.update()
        c:set_position(13, 0, lift * scene.time, 0)
      end
      return scene, c, g
    end
    local scene, c = make(0.3)
    scene:step(5)
    local snapshot, hash, at = scene:snapshot(), scene:hash(), { c:positions():get(13) }
    local fork = scene:fork()
    assert.are.equal(hash, fork:hash())
    scene:step(20)
    local later = scene:hash()
    assert.are_not.same(at, { c:positions():get(13) })
    scene:restore(snapshot)
    assert.are.same(at, { c:positions():get(13) })
    assert.are.equal(hash, scene:hash())
    assert.is_near(at[2], 9 - c:distance(0, 9, 0), 1e-12)
    scene:step(20)
    assert.are.equal(later, scene:hash())
    assert.are.equal(at[2], select(2, fork:collider("slab"):positions():get(13)))
    scene:reset()
    assert.are.same({ 0, 0, 0 }, { c:positions():get(13) })
    local other = make(0.4)
    other:step(25)
    assert.are_not.equal(later, other:hash())
  end)
  it("is refused positions that are none", function()
    local scene = tide.scene {}
    local c = lifted(scene)
    has(message(c.set_position, c, 0, 0, 0, 0), 'collider "slab": set_position = 0: expected a vertex from 1 to 25')
    has(message(c.set_position, c, 26, 0, 0, 0), "expected a vertex from 1 to 25")
    has(message(c.set_position, c, 1, 0, 0 / 0, 0), 'collider "slab": set_position')
    has(message(function() c:positions()[1] = 1 / 0 end), 'collider "slab": positions')
    has(message(function() c:positions():assign { 1, 2 } end), 'collider "slab": positions')
    c:positions()[4] = 1e300
    local ok, why = scene:step()
    assert.is_nil(ok)
    has(why, 'collider "slab": positions = 1e+300: vertex 2 is not finite or too far away')
  end)
  it("carries vertices that are attached to it with the nearest triangle", function()
    local scene = tide.scene { timestep = 1 / 60, gravity = { 0, 0, 0 } }
    local c = lifted(scene)
    local rag = scene:body("rag", { mesh = tide.mesh.grid { columns = 2, rows = 2, width = 0.1, height = 0.1 }
      :translate(0.05, 0.03, 0.02), mass = 0.01, stiffness = 10 })
    scene:attach(rag, { 1, 2 }, c)
    local x, y, z = rag:position(1)
    for _ = 1, 30 do
      for i = 1, c.vertex_count do
        local vx, _, vz = slab:vertex(i)
        local px, py = c:positions():get(i)
        c:set_position(i, px + 0.01, py + 0.02 + 0.01 * vx, vz)
      end
      assert(scene:step())
    end
    local nx, ny, nz = rag:position(1)
    assert.is_near(x + 0.3, nx, 0.02)
    assert.is_near(y + 0.6 + 0.3 * x, ny, 0.02)
    assert.is_near(z, nz, 0.01)
    assert.is_near(0.03, (c:distance(nx, ny, nz)), 1e-6)
  end)
end)
