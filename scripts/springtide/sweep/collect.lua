-- Gathers the results of a sweep into one CSV and one HDF5 file.
--
-- sweep.csv has a row for each run: run, solver, a column for each axis, status, reason, frames, seconds, hash, and a
-- column for each measure. A run without a result has the status "missing". Cells without a number are empty.
--
-- sweep.h5 has the columns as arrays: /run, /solver, /parameters/NAME, /status, /reason, /frames, /seconds, /hash and
-- /measures/NAME (NaN where there is none, with the attribute "unit"); and for each run with a result
-- /runs/000001/series/NAME, /runs/000001/positions/BODY and /runs/000001/velocities/BODY, with a row for each vertex.
local folder = require "springtide.sweep.folder"
local results = require "springtide.sweep.result"
local shared = require "springtide.lab.shared"

local collect = {}

local NAN = 0 / 0

-- Rows without series and states: { number, solver, values, status, reason, frames, seconds, hash, measures }.
function collect.row(sweep, number, result, list)
  local run = sweep.runs[number]
  local function get(name)
    return result and result:get(name)
  end
  local row = { number = number, solver = run.solver, values = run.values, status = get "status" or "missing",
                reason = get "reason" or "it has no result", frames = get "frames", seconds = get "seconds",
                hash = get "hash", measures = {} }
  for _, measure in ipairs(list) do
    row.measures[measure.name] = get("measure/" .. measure.name)
  end
  return row
end

-- Calls each(row, result) for every run of the sweep; `result` is nil where there is none.
function collect.each(host, sweep, out, list, each)
  for number = 1, #sweep.runs do
    local result = folder.result(host.open_file, out, number)
    each(collect.row(sweep, number, result, list), result)
  end
end

-- --- CSV -------------------------------------------------------------------------------------------------------------

local BEFORE, AFTER = { "run", "solver" }, { "status", "reason", "frames", "seconds", "hash" } -- the axes

-- The names that every table has.
function collect.fixed_columns()
  local set = {}
  for _, names in ipairs { BEFORE, AFTER } do
    for _, name in ipairs(names) do
      set[name] = true
    end
  end
  return set
end

function collect.heading(sweep, list)
  local names = table.move(BEFORE, 1, #BEFORE, 1, {})
  for _, axis in ipairs(sweep.axes) do
    names[#names + 1] = axis.column
  end
  table.move(AFTER, 1, #AFTER, #names + 1, names)
  for _, measure in ipairs(list) do
    names[#names + 1] = measure.name
  end
  return table.concat(names, ",")
end

local function number_cell(value)
  return shared.is_finite(value) and ("%.17g"):format(value) or ""
end

function collect.line(row, list)
  local cells = { tostring(row.number), shared.csv_text(row.solver) }
  for _, value in ipairs(row.values) do
    cells[#cells + 1] = number_cell(value)
  end
  for _, cell in ipairs { row.status, shared.csv_text((row.reason:gsub("[\r\n]+", " "))), number_cell(row.frames),
                          row.seconds and ("%.6g"):format(row.seconds) or "", row.hash or "" } do
    cells[#cells + 1] = cell
  end
  for _, measure in ipairs(list) do
    cells[#cells + 1] = number_cell(row.measures[measure.name])
  end
  return table.concat(cells, ",")
end

-- --- HDF5 ------------------------------------------------------------------------------------------------------------

local function add_run(store, row, result)
  for _, entry in ipairs(result and result.entries or {}) do
    if entry.kind == "a" then
      shared.check(store:numbers(("runs/%06d/%s"):format(row.number, entry.name), entry.value, entry.extents))
    end
  end
end

local function add_numbers(store, name, rows, unit, value_of)
  local values = {}
  for i, row in ipairs(rows) do
    values[i] = value_of(row) or NAN
  end
  shared.check(store:numbers(name, results.pack(values), { #values }, unit))
end

local function add_texts(store, name, rows)
  local texts = {}
  for i, row in ipairs(rows) do
    texts[i] = row[name] or ""
  end
  shared.check(store:texts(name, texts))
end

local function add_columns(store, sweep, list, rows)
  add_numbers(store, "run", rows, nil, function(row) return row.number end)
  for _, name in ipairs { "frames", "seconds" } do
    add_numbers(store, name, rows, name == "seconds" and "s" or nil, function(row) return row[name] end)
  end
  for _, name in ipairs { "solver", "status", "reason", "hash" } do
    add_texts(store, name, rows)
  end
  for i, axis in ipairs(sweep.axes) do
    local unit = axis.label:match "%(([^()]*)%)$"
    add_numbers(store, "parameters/" .. axis.column, rows, unit, function(row) return row.values[i] end)
  end
  for _, measure in ipairs(list) do
    add_numbers(store, "measures/" .. measure.name, rows, measure.unit, function(row)
      return row.measures[measure.name]
    end)
  end
end

-- Writes both files. Returns the rows.
function collect.write(host, sweep, out, list)
  local rows, lines = {}, { collect.heading(sweep, list) }
  local store = shared.check(host.store "sweep.h5")
  collect.each(host, sweep, out, list, function(row, result)
    rows[#rows + 1] = row
    lines[#lines + 1] = collect.line(row, list)
    add_run(store, row, result)
  end)
  add_columns(store, sweep, list, rows)
  shared.check(store:close())
  shared.check(host.save("sweep.csv", table.concat(lines, "\n") .. "\n"))
  return rows
end

return collect
