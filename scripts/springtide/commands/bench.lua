-- `springtide bench`: runs each scene several times from one state and times the phases of its steps; prints a table,
-- and writes it as CSV and Markdown.
local runs = require "springtide.commands.bench_runs"
local shared = require "springtide.lab.shared"
local tables = require "springtide.commands.bench_table"

local REFERENCE = 1 << 23 -- numbers that the reference processes, 64 MB
local WIDTH, HEIGHT, PICTURES = 1280, 720, 12 -- the first pictures allocate what later ones reuse

-- Columns of the table; times are measured in seconds and shown in ms.
local columns = {
  { "scene", "text" }, { "solver", "text" }, { "vertices", "count" }, { "springs", "count" }, { "h_ms", "seconds" },
  { "iterations" }, { "iteration_ms", "seconds" }, { "local_ms", "seconds" }, { "global_ms", "seconds" },
  { "detect_ms", "seconds" }, { "respond_ms", "seconds" }, { "frame_ms", "seconds" }, { "median_ms", "seconds" },
  { "processor_ms", "seconds" }, { "draw_ms", "seconds" }, { "prefactor_ms", "seconds" },
  { "reference_ms", "seconds" }, { "ratio" },
}

-- --- measuring -------------------------------------------------------------------------------------------------------

local function begin_run(bench)
  return { reference = bench.functions.reference_seconds(REFERENCE), frame = 0, processor = 0, iterations = 0,
           ["local"] = 0, global = 0, detect = 0, respond = 0 }
end

local function add_frame(bench, sum, scene, seconds, processor, detecting, responding)
  local frames, report = bench.frames, scene:report()
  sum.frame, sum.processor = sum.frame + seconds / frames, sum.processor + processor / frames
  sum.iterations = sum.iterations + report.iterations / frames
  sum["local"] = sum["local"] + report.local_seconds / frames
  sum.global = sum.global + report.global_seconds / frames
  sum.detect, sum.respond = sum.detect + detecting / frames, sum.respond + responding / frames
end

local function least(bench, count, measure)
  local seconds
  for _ = 1, count or bench.runs do
    local found = measure()
    seconds = found and math.min(seconds or found, found)
  end
  return seconds
end

-- Draws the current scene as a window does, without panels and without showing the picture.
local function measure_picture(bench, scene)
  local picture = bench.functions.picture(scene, WIDTH, HEIGHT)
  return least(bench, PICTURES, function()
    local start = bench.functions.processor_seconds()
    shared.check(bench.functions.draw_picture(picture))
    return bench.functions.processor_seconds() - start
  end)
end

local function describe(path, scene)
  local name = path:match "[^/]*$"
  local row = { scene = name:match "^(.+)%.[^.]*$" or name, solver = scene:report().solver, h_ms = scene.timestep,
                vertices = 0, springs = 0 }
  for _, body in ipairs(scene:bodies()) do
    row.vertices, row.springs = row.vertices + body.vertex_count, row.springs + body.spring_count
  end
  return row
end

local function summarise(row, measured)
  table.sort(measured, function(a, b) return a.frame < b.frame end)
  local best, count = measured[1], #measured
  local iterating = best["local"] + best.global
  row.iteration_ms = best.iterations > 0 and iterating > 0 and iterating / best.iterations or nil
  row.iterations, row.frame_ms = best.iterations, best.frame
  row.local_ms, row.global_ms, row.detect_ms, row.respond_ms = best["local"], best.global, best.detect, best.respond
  row.median_ms = (measured[(count + 1) // 2].frame + measured[count // 2 + 1].frame) / 2
  row.reference_ms, row.processor_ms = math.huge, math.huge
  for _, one in ipairs(measured) do
    row.reference_ms = math.min(row.reference_ms, one.reference)
    row.processor_ms = math.min(row.processor_ms, one.processor)
  end
  row.ratio = row.frame_ms / row.reference_ms
end

local function measure(bench, path, scene)
  local row = describe(path, scene)
  row.prefactor_ms = least(bench, nil, function() return bench.functions.factor_seconds(scene) end)
  summarise(row, runs.measure(bench, scene, begin_run, add_frame))
  row.draw_ms = measure_picture(bench, scene)
  return row
end

-- --- the command -----------------------------------------------------------------------------------------------------

return function(request, functions)
  if request.contact then
    return require "springtide.commands.bench_contact" (request, functions)
  elseif request.vertices or request.folder then
    return functions.refuse(request.folder and "--out" or "--vertices", nil, "expected --contact with it")
  end
  local machine, heads = tables.describe_machine(request, functions)
  heads[2] = heads[2] .. ("; reference: %d multiply-adds over 64 MB, then as many of which each waits for the one "
    .. "before"):format(REFERENCE)
  request.functions = functions
  local rows, failed = runs.collect(request.subjects, function(path)
    return runs.open_and_measure(request, path, {}, measure)
  end)
  if not rows then
    return nil, failed
  end
  if rows[1] then
    print(tables.plain(columns, rows, heads))
    local saved, message = tables.save(request, tables.csv(columns, rows, machine),
                                       tables.markdown(columns, rows, heads))
    if not saved then
      return nil, message
    end
  end
  return not failed
end
