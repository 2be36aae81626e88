-- What a tear in the curtain takes, on one thread: the tear itself at the end of a step, and what the next step takes
-- longer, which updates the factor. Every tear is pulled open by a force on one vertex; the best steps count.
local tide = require "springtide"
local report = require "bench.report"
local side, tears = 81, 12 * report.options.runs

tide.threads(1)
local scene = tide.scene { timestep = 1 / 30, solver = { "local_global", iterations = 10 } }
local curtain = scene:body("curtain", {
  mesh = tide.mesh.grid { columns = side, rows = side, width = 1, height = 1 },
  mass = 1, stiffness = 80, bend = 20, collide = "none", tear = { strain = 0.8 },
})
curtain:pin { 1, side }

local function step()
  local start = os.clock()
  assert(scene:step())
  return 1e3 * (os.clock() - start)
end

local best = { usual = math.huge, tear = math.huge, after = math.huge }
local torn = 0
report.progress("tear")
scene:step(60)
for i = 1, tears do
  scene:step(3)
  local usual = math.min(step(), step(), step())
  local before = curtain.vertex_count
  curtain:force(side * (40 + 2 * (i % 9)) + 20 + 9 * (i // 9 % 5), 0, 0, 4)
  local tear, after = step(), step()
  if curtain.vertex_count > before then
    torn = torn + 1
    best.usual = math.min(best.usual, usual)
    best.tear = math.min(best.tear, tear)
    best.after = math.min(best.after, after)
  end
end
assert(torn > 0, "nothing tore")
best.tear, best.after = best.tear - best.usual, best.after - best.usual

report.figure("tear", 1, "usual_ms", best.usual, "ms")
report.figure("tear", 1, "tear_ms", best.tear, "ms")
report.figure("tear", 1, "after_ms", best.after, "ms")
report.table(("a tear in the curtain, one thread, the best of %d:"):format(torn),
  { "scene", "usual_step_ms", "tear_ms", "next_step_longer_by_ms" }, { { "tear", best.usual, best.tear, best.after } })
