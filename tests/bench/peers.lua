-- Layers of cloth that fall on a floor and come to lie on one another, here and in Bullet (peer_bullet.cpp). Crossings
-- are counted in the meshes of both by the same exact search, after each measured step.
local tide = require "springtide"
local report = require "bench.report"
local o = report.options

local WARM_UP, FRAMES = 12, o.frames or 3 -- all layers touch by then
local SIZES = { { 5, 22 }, { 10, 35 } }   -- layers, vertices of a side

-- Triangles that cross, and vertices below the floor, in a mesh of all cloths.
local function count_crossings(path)
  local scene = tide.scene {}
  scene:body("cloths", { mesh = assert(tide.mesh.load(path)), mass = 1, stiffness = 1, self_collide = true })
  scene:collider("floor", { shape = "plane" })
  local found = scene:certify()
  assert(found.complete, "too much crosses to be counted")
  return found.count
end

-- The mean of the seconds of steps, the most crossings after one of them, and the height of all (m) after the last.
local function result(folder, seconds)
  local sum, most = 0, 0
  for frame = 1, FRAMES do
    sum = sum + seconds[frame]
    most = math.max(most, count_crossings(("%s/%d.obj"):format(folder, frame)))
  end
  local mesh, top = assert(tide.mesh.load(("%s/%d.obj"):format(folder, FRAMES))), 0
  for i = 1, mesh.vertex_count do
    top = math.max(top, (select(2, mesh:vertex(i))))
  end
  return { seconds = sum / FRAMES, crossings = most, top = top }
end

local function write_mesh(path, bodies)
  local file, first = assert(io.open(path, "w")), 0
  for _, body in ipairs(bodies) do
    local mesh = body:current_mesh()
    for i = 1, mesh.vertex_count do
      file:write(("v %.17g %.17g %.17g\n"):format(mesh:vertex(i)))
    end
    for i = 1, mesh.triangle_count do
      local a, b, c = mesh:triangle(i)
      file:write(("f %d %d %d\n"):format(first + a, first + b, first + c))
    end
    first = first + mesh.vertex_count
  end
  file:close()
end

local function run_springtide(method)
  return function(folder, layers, n)
    local scene = assert(tide.load(report.root .. "/scripts/springtide/commands/contact_scene.lua",
      { set = { kind = "layers", n = n, count = layers } }))
    local seconds = {}
    scene.solver = { method, iterations = 10 }
    assert(scene:step(WARM_UP))
    for frame = 1, FRAMES do
      local begin = os.clock()
      assert(scene:step())
      seconds[frame] = os.clock() - begin
      write_mesh(("%s/%d.obj"):format(folder, frame), scene:bodies())
    end
    return seconds
  end
end

local function run_bullet(method)
  return function(folder, layers, n, program)
    local seconds = {}
    for line in report.run(program, { method, n, layers, WARM_UP, FRAMES, folder }):gmatch("[^\n]+") do
      seconds[#seconds + 1] = tonumber(line)
    end
    return seconds
  end
end

local peers = {
  { "springtide", "Springtide, local_global", run_springtide "local_global" },
  { "springtide_vbd", "Springtide, vbd", run_springtide "vbd" },
  { "bullet_position", "Bullet, position based", run_bullet "position" },
  { "bullet_deformable", "Bullet, deformable, explicit", run_bullet "deformable" },
}

-- --- the measurement -------------------------------------------------------------------------------------------------

local function build(folder)
  report.run("bash", { report.root .. "/scripts/setup.sh", "--peers" })
  local program = folder .. "/peer_bullet"
  report.run("sh", { "-c", ("g++ -std=c++17 -O3 -march=native -w '%s/tests/bench/peer_bullet.cpp' -o '%s' "
    .. "$(pkg-config --cflags --libs bullet)"):format(report.root, program) })
  return program
end

local threads, folder, rows = tide.threads(), report.folder(), {}
tide.threads(1)
local program = build(folder)
for _, size in ipairs(SIZES) do
  local layers, n = size[1], size[2]
  local vertices, ours = layers * n * n, nil
  for _, peer in ipairs(layers <= (o.layers or 10) and peers or {}) do
    local best
    for run = 1, o.runs do
      report.progress("peers", ("%d x %d x %d"):format(layers, n, n), peer[2], "run " .. run)
      local seconds = peer[3](folder, layers, n, program)
      assert(#seconds == FRAMES, peer[2] .. " has not made all its steps")
      local found = result(folder, seconds)
      best = best and best.seconds <= found.seconds and best or found
    end
    local us = 1e6 * best.seconds / vertices
    ours = ours or us
    rows[#rows + 1] = { peer[2], layers, n, vertices, us, us / ours, best.crossings, 1e3 * best.top }
    report.figure(("layers_%d_%d"):format(layers, n), 1, peer[1] .. "_us", us, "us")
    report.figure(("layers_%d_%d"):format(layers, n), 1, peer[1] .. "_crossings", best.crossings, "1")
  end
end
report.drop(folder)
tide.threads(threads)
report.table(("layers of cloth, the processor's time for a vertex and step on one thread, the best of %d runs of %d\n"
  .. "steps after %d; crossings: the most after one of them; top: of all cloths at the end; 3 mm for the first and\n"
  .. "6 for each further one where they lie:"):format(o.runs, FRAMES, WARM_UP),
  { "program", "layers", "n", "vertices", "step_us", "of_springtide", "crossings", "top_mm" }, rows)
