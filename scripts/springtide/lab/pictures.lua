-- The scene after a frame under each solver, side by side (Liu et al. 2013, fig. 4), with what the steps took and how
-- far the particles are from where the last solver has them.
--
--   local result = lab.pictures("curtain.lua", { frame = 60, solvers = { "local_global,iterations=1", "newton" } })
--
-- Options besides those of lab.lua: frame (30). The result has `rows` by sweep, then solver: { solver, sweep,
-- frames, milliseconds, iterations, distance, positions }. frames are fewer than asked for when a step diverged.
-- milliseconds are of a step; the first, which makes the solver ready, does not count where there are more. distance is
-- the root mean square in m, nil where one of the two diverged.
local output = require "springtide.lab.output"
local shared = require "springtide.lab.shared"

local pictures = {}

local WIDTH, HEIGHT, MOST_COLUMNS = 320, 360, 5

-- --- measuring -------------------------------------------------------------------------------------------------------

-- Steps to the frame or as far as it goes.
local function run(study, scene, row)
  local seconds, iterations = 0, 0
  while row.frames < study.frame do
    local problem = shared.check(scene:problem())
    local start = study:clock()
    local done, message, diverged = problem:advance()
    if diverged then
      break
    end
    shared.check(done, message)
    seconds = seconds + ((row.frames > 0 or study.frame == 1) and study:clock() - start or 0)
    iterations = iterations + scene:report().iterations
    row.frames = row.frames + 1
    study.progress("frames", row.frames, study.frame)
  end
  study.progress("frames", 1, 1)
  if row.frames > 0 then
    row.milliseconds = 1e3 * seconds / math.max(row.frames - 1, 1)
    row.iterations = iterations / row.frames
  end
  row.positions = scene:system():positions()
end

local function distance_between(a, b, frame)
  if #a.positions ~= #b.positions or a.frames ~= frame or b.frames ~= frame then
    return nil
  end
  local apart = a.positions - b.positions
  return math.sqrt(apart:dot(apart) / math.max(#apart / 3, 1))
end

local function begin(source, options)
  local study = shared.begin(source, options, { name = "pictures", frame = 30, solvers = { "" } })
  study:clock() -- fails where there is none
  return study
end

-- `look` (may be nil) is called with each scene before it runs; what it returns is called after.
local function measure(study, look)
  local result = { rows = {} }
  for _, sweep in ipairs(shared.values(study.sweep)) do
    for _, solver in ipairs(study.solvers) do
      local row = { solver = solver, sweep = sweep, frames = 0 }
      local scene = study:open { solver = solver, sweep = sweep }
      local after = look and look(scene, #result.rows + 1)
      run(study, scene, row)
      if after then
        after()
      end
      result.rows[#result.rows + 1] = row
      study.each(row)
    end
  end
  for i, row in ipairs(result.rows) do
    local last = (i - 1) // #study.solvers * #study.solvers + #study.solvers
    row.distance = distance_between(row, result.rows[last], study.frame)
  end
  return result
end

function pictures.measure(source, options)
  return measure(begin(source, options))
end

-- --- the table and the picture ---------------------------------------------------------------------------------------

local function print_table(study, result)
  print(('The state after frame %d; "off" is the root mean square distance of the particles from where the last ' ..
    "solver has them."):format(study.frame))
  print(("%-50s %10s %12s %12s"):format("solver", "ms a step", "iterations", "off (mm)"))
  for _, row in ipairs(result.rows) do
    print(("%-50s %10.3g %12.4g "):format(study:label(row.solver, row.sweep), row.milliseconds or -(0 / 0),
                                          row.iterations or -(0 / 0)) ..
      (row.distance and ("%12.4g"):format(1e3 * row.distance) or ("%12s"):format("-")))
  end
end

local function tabulate(study, result)
  local csv = output.table(study, { "frames", "milliseconds", "iterations", "rms_distance" })
  for _, row in ipairs(result.rows) do
    csv:row(row.solver, row.sweep, nil, { row.frames, row.milliseconds or false, row.iterations or false,
                                          row.distance or false })
  end
  return csv
end

local function caption(study, row)
  local more = ("diverged at frame %d"):format(row.frames + 1)
  if row.frames >= study.frame then
    more = (row.milliseconds < 10 and "%.2f ms a step" or "%.0f ms a step"):format(row.milliseconds)
  end
  return study:label(row.solver, row.sweep) .. "\n" .. more
end

-- Measures, prints the table and writes pictures.csv and pictures.png.
function pictures.run(source, options, out)
  local study = begin(source, options)
  local width, height = study.width or WIDTH, study.height or HEIGHT
  local values, solvers = #shared.values(study.sweep), #study.solvers
  local rows = study.sweep and values or (solvers + MOST_COLUMNS - 1) // MOST_COLUMNS
  local functions = out.functions
  local sheet = functions.sheet { columns = (values * solvers + rows - 1) // rows, rows = rows, width = width,
                                  height = height, caption_lines = 2 }
  out:begin()
  local result = measure(study, function(scene, place)
    local picture = functions.picture(scene, width, height)
    return function() shared.check(sheet:place(place, picture)) end
  end)
  for place, row in ipairs(result.rows) do
    sheet:caption(place, caption(study, row))
  end
  print_table(study, result)
  out:save("pictures.csv", tabulate(study, result))
  shared.check(functions.save_sheet(sheet, "pictures.png"))
end

return pictures
