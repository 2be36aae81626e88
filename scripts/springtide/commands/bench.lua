-- `springtide bench`: runs each scene several times from one state and times the phases of its steps; prints a table,
-- and writes it as CSV and Markdown.
local tide = require "springtide"
local shared = require "springtide.lab.shared"

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

local function step(bench, scene)
  local seconds, processor, detecting, responding = bench.functions.timed_step(scene)
  bench.done = bench.done + 1
  bench.functions.progress("frames", bench.done, bench.total)
  return seconds, processor, detecting, responding
end

-- Goes back to the snapshot, takes one frame that prepares the solver, then those that count. Returns means of a frame.
local function run(bench, scene, start)
  local frames = bench.frames
  local sum = { reference = bench.functions.reference_seconds(REFERENCE), frame = 0, processor = 0, iterations = 0,
                ["local"] = 0, global = 0, detect = 0, respond = 0 }
  scene:restore(start)
  step(bench, scene)
  for _ = 1, frames do
    local seconds, processor, detecting, responding = step(bench, scene)
    local report = scene:report()
    sum.frame, sum.processor = sum.frame + seconds / frames, sum.processor + processor / frames
    sum.iterations = sum.iterations + report.iterations / frames
    sum["local"] = sum["local"] + report.local_seconds / frames
    sum.global = sum.global + report.global_seconds / frames
    sum.detect, sum.respond = sum.detect + detecting / frames, sum.respond + responding / frames
  end
  return sum
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

local function summarise(row, runs)
  table.sort(runs, function(a, b) return a.frame < b.frame end)
  local best, count = runs[1], #runs
  local iterating = best["local"] + best.global
  row.iteration_ms = best.iterations > 0 and iterating > 0 and iterating / best.iterations or nil
  row.iterations, row.frame_ms = best.iterations, best.frame
  row.local_ms, row.global_ms, row.detect_ms, row.respond_ms = best["local"], best.global, best.detect, best.respond
  row.median_ms = (runs[(count + 1) // 2].frame + runs[count // 2 + 1].frame) / 2
  row.reference_ms, row.processor_ms = math.huge, math.huge
  for _, one in ipairs(runs) do
    row.reference_ms = math.min(row.reference_ms, one.reference)
    row.processor_ms = math.min(row.processor_ms, one.processor)
  end
  row.ratio = row.frame_ms / row.reference_ms
end

local function measure(bench, path, scene)
  local runs, row = {}, describe(path, scene)
  bench.done, bench.total = 0, bench.warm_up + bench.runs * (bench.frames + 1)
  row.prefactor_ms = least(bench, nil, function() return bench.functions.factor_seconds(scene) end)
  for _ = 1, bench.warm_up do
    step(bench, scene)
  end
  local start = scene:snapshot()
  for i = 1, bench.runs do
    runs[i] = run(bench, scene, start)
  end
  summarise(row, runs)
  row.draw_ms = measure_picture(bench, scene)
  return row
end

-- --- writing the table -----------------------------------------------------------------------------------------------

local function value_of(row, column)
  local value = row[column[1]]
  return column[2] == "seconds" and value and 1e3 * value or value
end

-- A cell as text: numbers with three digits, "-" for none.
local function shown(row, column)
  local value = value_of(row, column)
  if column[2] == "text" then
    return value
  elseif not value or not shared.is_finite(value) then
    return "-"
  end
  local digits = value >= 100 and 0 or value >= 10 and 1 or value >= 1 and 2 or 3
  return ("%%.%df"):format(column[2] == "count" and 0 or value > 0 and value < 0.1 and 4 or digits):format(value)
end

-- The rows as texts, the heading first.
local function cells_of(rows)
  local cells = { {} }
  for c, column in ipairs(columns) do
    cells[1][c] = column[1]
    for r, row in ipairs(rows) do
      cells[r + 1] = cells[r + 1] or {}
      cells[r + 1][c] = shown(row, column)
    end
  end
  return cells
end

local function plain(rows, heads)
  local cells, lines = cells_of(rows), { heads[1], heads[2], "" }
  for c, column in ipairs(columns) do
    local width = 0
    for _, row in ipairs(cells) do
      width = math.max(width, #row[c])
    end
    for _, row in ipairs(cells) do
      local padding = (" "):rep(width - #row[c])
      row[c] = column[2] == "text" and row[c] .. padding or padding .. row[c]
    end
  end
  for _, row in ipairs(cells) do
    lines[#lines + 1] = table.concat(row, "  ")
  end
  return table.concat(lines, "\n")
end

local function markdown(rows, heads)
  local lines, rules = {}, {}
  for _, row in ipairs(cells_of(rows)) do
    lines[#lines + 1] = "| " .. table.concat(row, " | ") .. " |"
  end
  for c, column in ipairs(columns) do
    rules[c] = column[2] == "text" and ":---" or "---:"
  end
  table.insert(lines, 2, "|" .. table.concat(rules, "|") .. "|")
  return ("%s\n\n%s\n\n%s\n"):format(table.concat(lines, "\n"), heads[1], heads[2])
end

local function csv(rows, machine)
  local lines, names = {}, {}
  for c, column in ipairs(columns) do
    names[c] = column[1]
  end
  lines[1] = table.concat(names, ",") .. ",processor,threads,compiler"
  for _, row in ipairs(rows) do
    local cells = {}
    for c, column in ipairs(columns) do
      local value = value_of(row, column)
      cells[c] = column[2] == "text" and shared.csv_text(value)
        or value and shared.is_finite(value) and ("%.9g"):format(value) or ""
    end
    lines[#lines + 1] = ("%s,%s,%d,%s"):format(table.concat(cells, ","), shared.csv_text(machine.processor),
                                               machine.threads, machine.compiler)
  end
  return table.concat(lines, "\n") .. "\n"
end

-- --- the machine -----------------------------------------------------------------------------------------------------

local function describe_machine(request, functions)
  local machine = { processor = "unknown processor", threads = request.threads, compiler = functions.compiler() }
  local file, count = functions.open_file("/proc/cpuinfo"), 0
  for line in file and file:lines() or function() end do
    local name = line:match "^model name%s*:%s*(.-)%s*$"
    count = count + (line:find "^processor%s*:" and 1 or 0)
    machine.processor = count <= 1 and name or machine.processor
  end
  return machine, {
    ("%s, %d of %d processors; springtide %s, %s"):format(
      machine.processor, machine.threads, count, tide.version, machine.compiler),
    ("the best of %d run%s of %d frame%s each, after %d more; reference: %d multiply-adds over 64 MB, then as many of "
      .. "which each waits for the one before"):format(
      request.runs, request.runs == 1 and "" or "s", request.frames, request.frames == 1 and "" or "s",
      request.warm_up, REFERENCE),
  }
end

-- --- the command -----------------------------------------------------------------------------------------------------

-- Returns the row of a scene, or nil, a message, and whether the options are at fault.
local function measure_scene(bench, path)
  local functions = bench.functions
  local scene, message, refused = functions.open({}, path)
  if not scene then
    return nil, message, refused
  end
  if bench.solver then
    local taken, failure = functions.set_solver(scene, bench.solver)
    if not taken then
      return nil, failure, true
    end
  end
  local done, row = pcall(measure, bench, path, scene)
  functions.progress("frames", 1, 1)
  if done then
    return row
  end
  return nil, tostring(row)
end

return function(request, functions)
  local machine, heads = describe_machine(request, functions)
  local rows, failed = {}, false
  request.functions = functions
  for _, path in ipairs(request.subjects) do
    local row, message, refused = measure_scene(request, path)
    collectgarbage()
    if refused then
      return nil, message
    elseif not row then
      functions.complain(message)
      failed = true
    end
    rows[#rows + 1] = row
  end
  if rows[1] then
    print(plain(rows, heads))
    for _, file in ipairs { { request.csv, csv(rows, machine) }, { request.markdown, markdown(rows, heads) } } do
      if file[1] then
        local saved, message = functions.save(file[1], file[2])
        if not saved then
          return nil, message
        end
      end
    end
  end
  return not failed
end
