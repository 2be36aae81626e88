-- `springtide sweep`: checks and stores what is to be run, takes the runs that have no result yet, each in a process of
-- its own, and gathers the results. With --run it is such a process.
local collect = require "springtide.sweep.collect"
local definition = require "springtide.sweep.definition"
local folder = require "springtide.sweep.folder"
local launch = require "springtide.sweep.launch"
local measures = require "springtide.sweep.measures"
local plots = require "springtide.sweep.plots"
local reader = require "springtide.lab.request"
local run = require "springtide.sweep.run"
local shared = require "springtide.lab.shared"
local tables = require "springtide.sweep.points"

local function refuse(option, value, remedy)
  shared.fail(remedy, { option, value or false, remedy })
end

-- --- what is to be run -----------------------------------------------------------------------------------------------

local function lines_of(text)
  local lines = {}
  for line in (text or ""):gmatch "([^\n]+)" do
    lines[#lines + 1] = line
  end
  return lines
end

-- Reads the file of measures; without one, the energies. Returns the list and the hash of the file.
local function read_measures(path, functions)
  if not path then
    return measures.default(), nil
  end
  local text = shared.check(folder.read(functions.open_file, path))
  return shared.check(measures.read(text, path, functions.compile)), definition.hash(text)
end

local function read_runs(request, functions)
  if request.points then
    if request.vary then
      refuse("points", request.points, "expected --vary or --points, not both")
    end
    local names, columns = tables.read(shared.check(folder.read(functions.open_file, request.points)), functions.number)
    if not names then
      refuse("points", request.points, columns)
    end
    local solvers, axes = reader.table_axes(functions, "points", names, columns, request.solvers)
    return axes, definition.rows(solvers, axes)
  end
  local solvers, axes = reader.read_axes(functions, "vary", lines_of(request.vary), request.solvers)
  local count, message = definition.count(solvers, axes)
  if not count then
    refuse("vary", false, message)
  end
  return axes, definition.combinations(solvers, axes)
end

local function check_words(sweep)
  local words = { sweep.scene, sweep.measure or "", table.unpack(sweep.opening) }
  for _, axis in ipairs(sweep.axes) do
    words[#words + 1] = axis.name
    words[#words + 1] = axis.label
  end
  for _, one in ipairs(sweep.runs) do
    words[#words + 1] = one.solver
  end
  for _, word in ipairs(words) do
    if not definition.takes(word) then
      shared.fail(("sweep: %s: expected a name without tabs and line breaks"):format((word:gsub("%c", " "))))
    end
  end
end

-- Gives each column of the tables a name of its own.
local function name_columns(sweep, list)
  local taken = collect.fixed_columns()
  for _, axis in ipairs(sweep.axes) do
    while taken[axis.column] do
      axis.column = axis.column .. "_2"
    end
    taken[axis.column] = true
  end
  for _, measure in ipairs(list) do
    if taken[measure.name] then
      shared.fail(("%s: measure %s: expected another name, as a column of the table has this one"):format(
        sweep.measure or "sweep", measure.name))
    end
  end
end

local function plan(request, functions)
  local sweep = { scene = request.scene, measure = request.measure, frames = request.frames,
                  opening = lines_of(request.scene_options) }
  sweep.scene_hash = definition.hash(shared.check(folder.read(functions.open_file, request.scene)))
  local list
  list, sweep.measure_hash = read_measures(request.measure, functions)
  sweep.axes, sweep.runs = read_runs(request, functions)
  check_words(sweep)
  name_columns(sweep, list)
  return sweep, list
end

-- Stores the definition, or refuses another one than is stored there.
local function store(request, functions, sweep)
  local path, text = folder.definition_path(request.out), definition.text(sweep)
  local stored = folder.read(functions.open_file, path)
  if stored and stored ~= text then
    shared.fail(("sweep: %s holds another sweep: %s; choose another --out, or remove the folder"):format(
      request.out, definition.difference(stored, text)))
  elseif not stored then
    shared.check(functions.save("sweep.txt", text))
  end
end

local function lock(request, functions)
  shared.check(functions.make_folder())
  local held, message = functions.lock(request.out .. "/lock")
  if not held then
    local busy = "sweep: %s: another sweep is at work there, or runs that it left; wait until they end"
    shared.fail(message or busy:format(request.out))
  end
end

-- --- taking the runs -------------------------------------------------------------------------------------------------

local function tell(rows, request)
  local counts, order = {}, { "done", "diverged", "failed", "killed", "missing" }
  for _, row in ipairs(rows) do
    counts[row.status] = (counts[row.status] or 0) + 1
  end
  local parts = {}
  for _, status in ipairs(order) do
    if counts[status] then
      parts[#parts + 1] = ("%d %s"):format(counts[status], status)
    end
  end
  print(("%d runs: %s. Tables: %s/sweep.csv, %s/sweep.h5"):format(#rows, table.concat(parts, ", "), request.out,
                                                                  request.out))
  return counts.missing
end

local function finish(request, functions, sweep, list)
  local rows = collect.write(functions, sweep, request.out, list)
  if request.plot then
    plots.draw(request.plot, functions, sweep, list, rows, request.out)
  end
  local missing = tell(rows, request)
  if missing then
    return nil, ("sweep: %d runs have no result: they were stopped, or could not write (see %s/output); start it " ..
      "again to take them"):format(missing, request.out)
  end
  return true
end

local function submit(request, functions, sweep, pending)
  local words = { request.program, "sweep", "--collect", "--out", request.out }
  if request.plot then
    table.move({ "--plot", request.plot }, 1, 2, #words + 1, words)
  end
  for i, word in ipairs(words) do
    words[i] = launch.quote(word)
  end
  request.collect = table.concat(words, " ")
  local array, collecting = launch.slurm(functions, pending, request)
  if not array then
    return nil, collecting
  end
  print(("%d of %d runs submitted to Slurm as job %s; job %s collects them into %s/sweep.csv and %s/sweep.h5"):format(
    #pending, #sweep.runs, array, collecting, request.out, request.out))
  return true
end

local function take_all(request, functions)
  if request.out:find "^%-" then
    refuse("out", request.out, "expected a folder whose name does not begin with a hyphen")
  end
  local sweep, list = plan(request, functions)
  local refusal = request.plot and plots.refusal(request.plot, sweep)
  if refusal then
    refuse("plot", request.plot, refusal)
  end
  lock(request, functions)
  store(request, functions, sweep)
  functions.read = function(path) return folder.read(functions.open_file, path) end
  local pending = folder.pending(functions.open_file, request.out, #sweep.runs)
  if #pending > 0 then
    shared.check(functions.save("run.sh", launch.run_script(sweep, request)))
    shared.check(functions.make_folder "output")
    if request.slurm then
      return submit(request, functions, sweep, pending)
    end
    if #pending < #sweep.runs then
      print(("%d of %d runs are done already"):format(#sweep.runs - #pending, #sweep.runs))
    end
    local over = 0
    functions.progress("runs", 0, #pending)
    shared.check(launch.parallel(functions, pending, request, function()
      over = over + 1
      functions.progress("runs", over, #pending)
    end))
    functions.progress("runs", #pending, #pending)
  end
  return finish(request, functions, sweep, list)
end

-- --- one run, and the end of all -------------------------------------------------------------------------------------

local function take_one(request, functions)
  local sweep = shared.check(folder.open(functions.open_file, request.out))
  local number = request.run
  if not sweep.runs[number] then
    refuse("run", tostring(number), ("the sweep has runs 1 to %d"):format(#sweep.runs))
  end
  local result
  if request["end"] then
    result = run.killed(request["end"], request.time_limit)
  else
    local list = read_measures(sweep.measure, functions)
    result = run.take(sweep, number, list, function(how) return functions.open(how, sweep.scene) end, functions.seconds)
  end
  if result then
    shared.check(functions.save(folder.result_name(number), result:encode()))
  end
  return true
end

local function collect_again(request, functions)
  local sweep = shared.check(folder.open(functions.open_file, request.out))
  local refusal = request.plot and plots.refusal(request.plot, sweep)
  if refusal then
    refuse("plot", request.plot, refusal)
  end
  return finish(request, functions, sweep, (read_measures(sweep.measure, functions)))
end

local function choose(request, functions)
  if request.run then
    return take_one(request, functions)
  elseif request.collect then
    return collect_again(request, functions)
  end
  return take_all(request, functions)
end

return function(request, functions)
  return shared.command(choose, request, functions)
end
