-- Sweeps from plain Lua: what `springtide sweep` does, by the program.
--
--   local sweep = require "springtide.sweep"
--   local rows = assert(sweep.run { scene = "curtain.lua", vary = { { "stiffness", { 10, 100 } }, "iterations=5,10" },
--                                   solvers = "local_global,lbfgs", frames = 60, measure = "m.lua", out = "out" })
--   for _, row in ipairs(rows) do print(row.solver, row.values[1], row.status, row.measures.height) end
--
-- Fields: scene, out, and as the options of the command: vary (a list of "NAME=VALUES" or { NAME, { values } }), or in
-- its place points ({ names = { ... }, { values }, ... }), solvers, frames, measure, jobs, threads, time_limit, plot,
-- set (a table by name), timestep, seed. A run that is done in `out` is not taken again.
--
-- A row has number, solver, values (in the order of the names), status, reason, frames, seconds, hash and measures by
-- name. rows.names are the names of the values. sweep.rows(out) reads the rows of a folder again, and
-- sweep.result(out, number) the series and the state of a run (springtide/sweep/result.lua).
local folder = require "springtide.sweep.folder"
local launch = require "springtide.sweep.launch"

local sweep = {}

local io, os, package = rawget(_G, "io"), rawget(_G, "os"), rawget(_G, "package")

local OPTIONS = { "solvers", "frames", "measure", "jobs", "threads", "time_limit", "plot", "timestep", "seed" }
local FIELDS = { scene = true, out = true, vary = true, points = true, set = true }
for _, name in ipairs(OPTIONS) do
  FIELDS[name] = true
end

local function fail(field, value, remedy)
  error(("sweep: %s%s: %s"):format(field, value ~= nil and " = " .. tostring(value) or "", remedy), 0)
end

-- The program beside the module springtide.so.
local function find_program()
  if not (io and os and package) then
    fail("sweep", nil, "scenes cannot start processes; call it from plain Lua")
  end
  local module = package.searchpath("springtide", package.cpath)
  local program = module and module:gsub("[^/]*$", "") .. "springtide"
  local file = program and io.open(program, "rb")
  if not file then
    fail("program", program, "it is not beside springtide.so; build it by scripts/build.sh")
  end
  file:close()
  return program
end

local function number_text(field, value)
  if type(value) ~= "number" then
    fail(field, value, "expected a number")
  end
  return math.type(value) == "integer" and tostring(value) or ("%.17g"):format(value)
end

local function vary_text(axis)
  if type(axis) == "string" then
    return axis
  elseif type(axis) ~= "table" or type(axis[1]) ~= "string" or type(axis[2]) ~= "table" or #axis[2] == 0 then
    fail("vary", nil, 'expected texts like "stiffness=1:100:20:log", or { "stiffness", { 1, 10, 100 } }')
  end
  local values = {}
  for i, value in ipairs(axis[2]) do
    values[i] = number_text("vary " .. axis[1], value)
  end
  return axis[1] .. "=" .. table.concat(values, ",")
end

-- Writes the points as the table that the command reads. Returns its path.
local function write_points(points, out)
  local lines = { table.concat(points.names, ",") }
  for i, point in ipairs(points) do
    local cells = {}
    for k = 1, #points.names do
      cells[k] = number_text(("points: row %d, %s"):format(i, points.names[k]), point[k])
    end
    lines[i + 1] = table.concat(cells, ",")
  end
  if not os.execute("mkdir -p -- " .. launch.quote(out)) then
    fail("out", out, "the folder cannot be made")
  end
  local path = out .. "/points.csv"
  local file = assert(io.open(path, "w"))
  assert(file:write(table.concat(lines, "\n"), "\n"))
  assert(file:close())
  return path
end

local function check(given)
  if type(given) ~= "table" then
    fail("run", nil, 'expected a table, like { scene = "curtain.lua", vary = { "stiffness=1,10" }, out = "out" }')
  end
  for name in pairs(given) do
    if not FIELDS[name] then
      fail(tostring(name), nil, "there is no such field")
    end
  end
  for _, name in ipairs { "scene", "out" } do
    if type(given[name]) ~= "string" or given[name] == "" or given[name]:find "^%-" then
      fail(name, given[name], "expected a path that does not begin with a hyphen")
    end
  end
end

local function words_of(given, program)
  local words = { program, "sweep", given.scene, "--out", given.out }
  local function add(option, text)
    words[#words + 1] = "--" .. option:gsub("_", "-")
    words[#words + 1] = text
  end
  for _, axis in ipairs(given.vary or {}) do
    add("vary", vary_text(axis))
  end
  if given.points then
    add("points", write_points(given.points, given.out))
  end
  local names = {}
  for name in pairs(given.set or {}) do
    names[#names + 1] = name
  end
  table.sort(names)
  for _, name in ipairs(names) do
    local value = given.set[name]
    add("set", name .. "=" .. (type(value) == "number" and number_text("set " .. name, value) or tostring(value)))
  end
  for _, name in ipairs(OPTIONS) do
    local value = given[name]
    if value ~= nil then
      add(name, type(value) == "number" and number_text(name, value) or tostring(value))
    end
  end
  for i, word in ipairs(words) do
    words[i] = launch.quote(word)
  end
  return table.concat(words, " ")
end

-- Runs a command. Returns true, or nil and what it said.
local function execute(command)
  local pipe = assert(io.popen(command .. " 2>&1 </dev/null"))
  local said = pipe:read "a"
  local done = pipe:close()
  if done then
    return true
  end
  return nil, (said:gsub("%s+$", ""))
end

local function row_of(out, one, number)
  local result = folder.result(io.open, out, number)
  local row = { number = number, solver = one.solver, values = one.values, measures = {}, status = "missing" }
  for _, name in ipairs { "status", "reason", "frames", "seconds", "hash" } do
    row[name] = result and result:get(name) or row[name]
  end
  for _, entry in ipairs(result and result.entries or {}) do
    local measure = entry.kind == "n" and entry.name:match "^measure/(.*)$"
    if measure then
      row.measures[measure] = entry.value
    end
  end
  return row
end

---The rows of a sweep's folder, or nil and a message.
---@param out string
---@return table?, string?
function sweep.rows(out)
  local defined, message = folder.open(io.open, out)
  if not defined then
    return nil, message
  end
  local rows = { names = {} }
  for i, axis in ipairs(defined.axes) do
    rows.names[i] = axis.name
  end
  for number, one in ipairs(defined.runs) do
    rows[number] = row_of(out, one, number)
  end
  return rows
end

---The whole result of a run: get("series/NAME") and get("positions/BODY") are the bytes of doubles.
---@param out string
---@param number integer
---@return table?
function sweep.result(out, number)
  return folder.result(io.open, out, number)
end

---Takes the runs that are not done yet and returns all rows, or nil and a message.
---@param options table
---@return table?, string?
function sweep.run(options)
  local program = find_program()
  check(options)
  local done, message = execute(words_of(options, program))
  if not done then
    return nil, message
  end
  return sweep.rows(options.out)
end

return sweep
