-- The walker learns its gait: a coarse sweep finds where to begin, and CMA-ES goes on from there. Each try is a run in
-- a process of its own. Run it from the top folder of Springtide; where it was stopped it goes on:
--     LUA_PATH="scripts/?.lua;;" LUA_CPATH="build/release/?.so;;" lua5.4 scenes/learning/walker/learn.lua
local optimise = require "springtide.optimise"
local sweep = require "springtide.sweep"

local SCENE, MEASURE, FRAMES = "scenes/walker.lua", "scenes/learning/walker/gait.lua", 300

local rows = assert(sweep.run {
  scene = SCENE, measure = MEASURE, frames = FRAMES, out = "build/walker/coarse", set = { lean = 0 },
  vary = { "hind=-0.25,0.5", "side=0,0.5", "lag=-0.25,0.25", "pace=1,2", "swing=0.5,0.8", "lift=0.3,0.6" },
})
local begin, best = {}, -math.huge
for _, row in ipairs(rows) do
  if row.status == "done" and row.measures.progress > best then
    best = row.measures.progress
    for i, name in ipairs(rows.names) do
      begin[name] = row.values[i]
    end
  end
end
print(("%d coarse tries: the best comes %.2f m far"):format(#rows, best))

local tries = #rows
local found = assert(optimise.scene {
  scene = SCENE, measure = MEASURE, maximise = "progress", frames = FRAMES, out = "build/walker/fine",
  evaluations = 168, population = 12, step = 0.1, seed = 1,
  parameters = {
    { "pace", 0.5, 3, start = begin.pace }, { "swing", 0, 0.8, start = begin.swing },
    { "lift", 0, 0.6, start = begin.lift }, { "lag", -0.5, 0.5, start = begin.lag },
    { "hind", -0.5, 0.5, start = begin.hind }, { "side", -0.5, 0.5, start = begin.side },
    { "lean", -0.3, 0.3, start = 0 },
  },
  each = function(batch)
    for _, try in ipairs(batch) do
      best = math.max(best, -try.value)
    end
    tries = tries + #batch
    print(("%d tries: the best comes %.2f m far"):format(tries, best))
  end,
})
for _, name in ipairs { "pace", "swing", "lift", "lag", "hind", "side", "lean" } do
  print(("%s = %.4f"):format(name, found.parameters[name]))
end
