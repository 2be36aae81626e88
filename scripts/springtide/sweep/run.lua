-- Takes one run of a sweep in this process. Its result has
--   status     "done"; "diverged": a step had no finite result; "failed": the script, a measure or the scene itself
--   reason     the message, or ""
--   frames     steps that were taken; `seconds` the computing time, `hash` that of the final state
--   measure/NAME, series/NAME      measures of a run that is not done are missing
--   positions/BODY, velocities/BODY, a row for each vertex: the final state, or the last good one
local measures = require "springtide.sweep.measures"
local request = require "springtide.lab.request"
local results = require "springtide.sweep.result"

local run = {}

local function new_record(sweep, list, taken)
  local record = { frames = sweep.frames, parameters = {}, series = {} }
  for i, axis in ipairs(sweep.axes) do
    record.parameters[axis.name] = taken.values[i]
  end
  for _, measure in ipairs(list) do
    if measure.each then
      record.series[measure.name] = {}
    end
  end
  return record
end

-- Steps to the last frame. Returns the status and the reason.
local function step(scene, sweep, list, record)
  for _ = 1, sweep.frames do
    local stepped, message, diverged = scene:step()
    if not stepped then
      return diverged and "diverged" or "failed", message
    end
    measures.frame(list, scene, record)
  end
  return "done", ""
end

local function finish(scene, sweep, list, record)
  local status, reason = step(scene, sweep, list, record)
  return status, reason, status == "done" and measures.finish(list, scene, record) or {}
end

local function bytes_of(buffer, count)
  local parts = {}
  for first = 1, count, 128 do
    local numbers = {}
    for i = first, math.min(first + 127, count) do
      numbers[#numbers + 1] = buffer[i]
    end
    parts[#parts + 1] = results.pack(numbers)
  end
  return table.concat(parts)
end

-- A body's name as the last part of a path in HDF5, where a slash would begin a group and "." is the group itself. No
-- two bodies are given the same.
local function path_part(name, given)
  local part = name:gsub("/", "_"):gsub("^%.*$", "_")
  while given[part] do
    part = part .. "_"
  end
  given[part] = true
  return part
end

local function add_state(result, scene)
  local given = {}
  for _, body in ipairs(scene:bodies()) do
    local count, part = body.vertex_count, path_part(body.name, given)
    result:numbers("positions/" .. part, bytes_of(body:positions(), 3 * count), { count, 3 })
    result:numbers("velocities/" .. part, bytes_of(body:velocities(), 3 * count), { count, 3 })
  end
end

local function add_outcome(result, status, reason)
  result:text("status", status)
  result:text("reason", reason)
end

-- Takes a run of the sweep. `open(how)` opens the scene, or returns nil and a message; `seconds()` is the computing
-- time so far.
function run.take(sweep, number, list, open, seconds)
  local taken, result, start = sweep.runs[number], results.new(), seconds()
  local scene, message = open(request.opening(sweep.axes, taken.solver, taken.values))
  if not scene then
    add_outcome(result, "failed", message)
    return result
  end
  local record = new_record(sweep, list, taken)
  local ran, status, reason, found = pcall(finish, scene, sweep, list, record)
  if not ran then
    status, reason, found = "failed", tostring(status), {}
  end
  add_outcome(result, status, reason)
  result:number("frames", scene.frame)
  result:number("seconds", seconds() - start)
  result:text("hash", scene:hash())
  for _, measure in ipairs(list) do
    if found[measure.name] then
      result:number("measure/" .. measure.name, found[measure.name])
    end
    if measure.each then
      result:numbers("series/" .. measure.name, record.series[measure.name])
    end
  end
  add_state(result, scene)
  return result
end

-- What the shell says of a process that a signal has ended is 128 + the signal.
local signals = {
  [4] = "an illegal instruction", [6] = "it aborted", [7] = "a bus error", [8] = "a floating-point exception",
  [9] = "signal KILL: by a user, or by the system for want of memory", [11] = "a segmentation fault",
  [24] = "its limit of processor time",
}
local TIME_IS_UP, HANG_UP, INTERRUPT, TERMINATE = 124, 129, 130, 143 -- 124 is that of timeout(1)

-- The result of a run whose process wrote no result and ended with this status. Returns nil if the run should be taken
-- again: the sweep was stopped, or the next start may succeed.
function run.killed(status, time_limit)
  local reason
  if status == TIME_IS_UP and time_limit then
    reason = ("the time limit of %g s"):format(time_limit)
  elseif status > 128 and status ~= HANG_UP and status ~= INTERRUPT and status ~= TERMINATE then
    reason = signals[status - 128] or ("signal %d"):format(status - 128)
  else
    return nil
  end
  local result = results.new()
  add_outcome(result, "killed", reason)
  return result
end

return run
