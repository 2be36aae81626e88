-- Marks one submission of an exercise, in this process:
--
--     local run = require "springtide.check.run"
--     local result = run.mark("scenes/course/01-one-spring", "exercise.lua", { seed = 7 })
--     print(result.points, result.of)
--
-- The code of the submission runs as an untrusted scene, under the exercise's limits of processor time and memory.
local tide = require "springtide"
local printable = require "springtide.check.printable"
local test = require "springtide.check.test"

local run = {}

local function clock_of(options)
  local os = rawget(_G, "os")
  return options.clock or os and os.clock or function() return 0 end
end

local function opener(options)
  local io = rawget(_G, "io")
  return options.open_file or io and io.open
end

-- Reads the exercise of a lesson, a folder with check.lua. `open` is io.open, in tools open_file. Returns nil and a
-- message if it cannot.
function run.exercise(lesson, open)
  local path = lesson .. "/check.lua"
  local file, message = (open or opener {})(path, "rb")
  if not file then
    return nil, ("%s: cannot be read: %s"):format(lesson, message)
  end
  local text = file:read("a")
  file:close()
  local chunk, problem = load(text, "@" .. path, "t")
  if not chunk then
    return nil, problem
  end
  local ok, exercise = pcall(chunk)
  if not ok then
    return nil, ("%s: %s"):format(path, tostring(exercise))
  elseif type(exercise) ~= "table" or not exercise.checks then
    return nil, path .. ": expected it to return check.exercise { ... }"
  end
  return exercise
end

-- --- limits ----------------------------------------------------------------------------------------------------------

-- A loop without end in one check leaves time for the others: each may take half of what is left, the last one all.
local function share(left, number, count)
  local seconds = number == count and left or left / 2
  return math.ceil(100 * seconds) / 100
end

-- The text of a failure without places in the library, and with short names of files.
local function clean(message, context)
  local text = test.text_of(message, context.submission)
  if text == "not enough memory" then -- Lua's own words
    return ("out of memory: stopped at the limit of %g MB"):format(context.memory)
  end
  local at, after = text:find(context.lesson .. "/", 1, true)
  if at then
    text = text:sub(1, at - 1) .. text:sub(after + 1)
  end
  text = text:gsub("%S*/springtide/check/[%w_]+%.lua:%d+: ", "")
  return (text:gsub(": script: stopped:", ": stopped:"):gsub("^script: ", ""))
end

-- Runs a check under its limits. Returns whether it passed, the fraction of its points, and the message.
local function run_check(definition, context, seconds)
  local t = test.new(definition, context)
  local limits = { time_limit = seconds, memory_limit = context.memory, trusted = false }
  local ended, passed, message = tide.limited(limits, test.run, t, definition)
  if ended and passed then
    return true, 1
  end
  message = clean(ended and message or passed, context)
  if t.reached > 0 then
    message = t.reached_message and ("%s (%s)"):format(message, t.reached_message) or message
  end
  return false, t.reached, printable(message)
end

-- Whether the submission can be loaded at all; else a message.
local function loads(context, seconds)
  local definition = { name = "", run = function(t) t:scene() end }
  local passed, _, message = run_check(definition, context, seconds)
  return passed, message
end

-- --- marking ---------------------------------------------------------------------------------------------------------

-- Rounds to a thousandth of a point, so that results have short numbers.
local function rounded(points)
  return math.floor(points * 1000 + 0.5) / 1000
end

-- Marks an exercise that is read already. options as in run.mark; `lesson` is its folder.
function run.mark_exercise(exercise, lesson, submission, options)
  local clock = clock_of(options)
  local context = {
    seed = options.seed or 1, lesson = lesson, submission = submission, memory = exercise.memory_limit,
  }
  local result = { title = exercise.title, file = submission, points = 0, of = 0, checks = {}, seconds = 0 }
  local left, begun = exercise.time_limit, clock()
  local loaded, problem = loads(context, share(left, 1, 2))
  left = left - (clock() - begun)
  for i, definition in ipairs(exercise.checks) do
    local start, passed, fraction, message = clock(), false, 0, problem
    if loaded and left <= 0 then
      message = ("not checked: the %g s of processor time are used up"):format(exercise.time_limit)
    elseif loaded then
      local seconds = math.max(definition.time_limit or share(left, i, #exercise.checks), 1e-3)
      passed, fraction, message = run_check(definition, context, seconds)
    end
    local seconds = clock() - start
    left = left - seconds
    local each = {
      name = definition.name, points = rounded(fraction * definition.points), of = definition.points, passed = passed,
      message = message, hint = not passed and definition.hint or nil, seconds = seconds,
    }
    result.checks[i] = each
    result.points, result.of = rounded(result.points + each.points), result.of + definition.points
    if options.each then
      options.each(each)
    end
  end
  result.seconds = clock() - begun
  return result
end

-- Marks a submission. Returns { title =, file =, points =, of =, seconds =, checks = { { name =, points =, of =,
-- passed =, message =, hint =, seconds = }, ... } }, or nil and a message if the lesson cannot be read. options: seed,
-- of the hidden cases; each(check), called after each; open_file and clock, in place of io.open and os.clock.
function run.mark(lesson, submission, options)
  options = options or {}
  local exercise, message = run.exercise(lesson, opener(options))
  if not exercise then
    return nil, message
  end
  return run.mark_exercise(exercise, lesson, submission, options)
end

return run
