-- Measures all figures of a scene: its frames by `springtide bench`, the engine's parts by springtide-bench.
local report = require "bench.report"

-- Bytes per second that one thread reads from the caches and from memory.
local machine = {}
for name, unit, value in report.bench("machine"):gmatch("([^,\n]+),([^,\n]+),([^,\n]+)") do
  machine[name] = tonumber(value)
  report.figure("machine", 1, name, machine[name], unit)
end

-- Figures computed from the measured figures f: figure, unit, value.
local function derived(f)
  local twice = f.factor_mb and 2 * f.factor_mb -- MB over GB/s is ms
  local collision = f.detect_ms and f.detect_ms + f.respond_ms
  return {
    { "other_ms", "ms", f.iteration_ms and f.iteration_ms - f.local_ms - f.solve_ms },
    { "solve_of_cholmod", "1", f.cholmod_ms and f.solve_ms / f.cholmod_ms },
    { "solve_of_stream", "1", f.stream_ms and f.solve_ms / f.stream_ms },
    { "local_of_solve", "1", f.local_ms / f.solve_ms },
    { "iteration_of_cholmod", "1", f.iteration_ms and f.cholmod_ms and f.iteration_ms / f.cholmod_ms },
    { "frame_of_cholmod", "1", f.cholmod_ms and f.frame_ms / f.cholmod_ms },
    { "collision_ms", "ms", collision },
    { "rest_ms", "ms", collision and f.frame_ms - f.frame_local_ms - f.frame_global_ms - collision },
    { "stream_cache_ms", "ms", twice and twice / machine.read_cache_gb_s },
    { "stream_memory_ms", "ms", twice and twice / machine.read_memory_gb_s },
  }
end

-- plan: path, name (a text, or a function of the figures), threads, frames, warm_up, runs, settings. Adds the figures
-- to the report and returns them by name.
local function measure(plan)
  local f, units, order = {}, {}, {}
  local function add(name, unit, value)
    if not value or value ~= value then
      return
    elseif f[name] == nil then
      table.insert(order, name)
    end
    f[name], units[name] = value, unit
  end
  local lines = report.bench("scene", plan.path, plan.frames + plan.warm_up, plan.runs, plan.threads,
    report.settings(nil, plan.settings))
  for name, unit, value in lines:gmatch("([^,\n]+),([^,\n]+),([^\n]+)") do
    add(name, unit, unit == "text" and value or tonumber(value))
  end
  local folder = report.folder()
  report.springtide("bench", plan.path, "--csv", folder .. "/scene.csv", "--frames", plan.frames, "--warm-up",
    plan.warm_up, "--runs", plan.runs, "--threads", plan.threads, report.settings("--set", plan.settings))
  local row = report.rows(report.read_file(folder .. "/scene.csv"))[1]
  report.drop(folder)
  for name, column in pairs { frame_local_ms = "local_ms", frame_global_ms = "global_ms" } do
    f[name] = row[column]
  end
  for _, name in ipairs { "frame_ms", "detect_ms", "respond_ms", "processor_ms", "draw_ms", "iterations" } do
    add(name, name == "iterations" and "1" or "ms", row[name])
  end
  for _, d in ipairs(derived(f)) do
    add(table.unpack(d, 1, 3))
  end
  f.name = type(plan.name) == "function" and plan.name(f) or plan.name
  for _, name in ipairs(order) do
    if units[name] ~= "text" then
      report.figure(f.name, plan.threads, name, f[name] + 0.0, units[name])
    end
  end
  return f
end

-- Prints figures of several scenes, { figures, threads } each, as a table. A column is a figure or { heading, figure }.
local function show(about, columns, measured)
  local heads, rows = { "scene", "threads" }, {}
  for c, column in ipairs(columns) do
    heads[c + 2] = type(column) == "table" and column[1] or column
  end
  for r, m in ipairs(measured) do
    rows[r] = { m[1].name, m[2] }
    for c, column in ipairs(columns) do
      local value = m[1][type(column) == "table" and column[2] or column]
      rows[r][c + 2] = value or false
    end
  end
  report.table(about, heads, rows)
end

-- The tables of any scenes.
local function show_parts(measured)
  show(("an iteration: the gradient (local), the solve, what else it takes; CHOLMOD's solve in the same run; stream:\n"
    .. "reading the factor twice, which no solve can outrun. One thread reads %.1f GB/s of 512 kB again and again\n"
    .. "and %.1f of 256 MB: cache_ms and memory_ms are the factor twice at these speeds:"):format(
      machine.read_cache_gb_s, machine.read_memory_gb_s),
    { "nnz", "local_ms", "solve_ms", "other_ms", "iteration_ms", "cholmod_ms", { "solve/cholmod", "solve_of_cholmod" },
      { "iteration/cholmod", "iteration_of_cholmod" }, "stream_ms", { "solve/stream", "solve_of_stream" },
      { "local/solve", "local_of_solve" }, { "cache_ms", "stream_cache_ms" }, { "memory_ms", "stream_memory_ms" },
      "vectors" }, measured)
  show("a frame, and what a scene needs once; memory: what the engine holds; process: its largest size while the\n"
    .. "scene is built and takes three steps:",
    { "iterations", "frame_ms", "collision_ms", "rest_ms", "draw_ms", "build_ms", "prepare_ms", "reload_ms",
      "analyse_ms", "factor_ms", "panels_ms", "memory_mb", "process_mb" }, measured)
  show("what a change of the matrix takes until the next solve, the trial of the factor included:",
    { "pin_ms", "unpin_ms", "cut_ms", "stiffness_ms", "timestep_ms", "added_ms", "pin_redone" }, measured)
end

return { measure = measure, show = show, show_parts = show_parts }
