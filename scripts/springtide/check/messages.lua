-- What the confined process of a submission reports to the one that started it. Only the library writes to that pipe:
-- the code of a submission has no function for it. Lines: "begin", for each check its number, points, whether it
-- passed, seconds and message, and "end" with the seconds of all, with tabs between them.
local printable = require "springtide.check.printable"

local messages = {}

messages.begin = "begin\n"

function messages.of_check(number, check)
  local word = check.passed and "passed" or "failed"
  return ("%d\t%.17g\t%s\t%.6f\t%s\n"):format(number, check.points, word, check.seconds, check.message or "")
end

-- The last line: the seconds of all of it.
function messages.of_end(seconds)
  return ("end\t%.6f\n"):format(seconds)
end

local function read_check(line)
  local number, points, word, seconds, message = line:match "^(%d+)\t(%S+)\t(%l+)\t(%S+)\t(.*)$"
  return math.tointeger(tonumber(number)), {
    points = tonumber(points), passed = word == "passed", seconds = tonumber(seconds),
    message = message ~= "" and message or nil,
  }
end

-- Why a process ended before its last check.
local function reason(ended, begun)
  local seconds = "stopped: it took more than the processor time that the exercise allows"
  local XCPU, KILL = 24, 9
  if ended.why == "time" then
    return "stopped: it took too long by the clock"
  elseif ended.why == "signal" and (ended.code == XCPU or ended.code == KILL) then
    return seconds
  elseif ended.why == "signal" then
    return ("stopped: its process ended by signal %d"):format(ended.code)
  elseif not begun then
    return "not marked: " .. printable(ended.output:gsub("%s+$", ""))
  end
  return ("stopped: its process ended with status %d"):format(ended.code)
end

-- The result of a submission, from what its process wrote.
function messages.result(exercise, file, ended)
  local reported, begun, seconds = {}, false, nil
  for line in ended.report:gmatch "([^\n]*)\n" do
    if line == "begin" then
      begun = true
    elseif line:find "^end" then
      seconds = tonumber(line:match "\t(%S+)$")
    else
      local number, check = read_check(line)
      reported[number or 0] = check
    end
  end
  local result = { title = exercise.title, file = file, points = 0, of = 0, checks = {}, seconds = 0 }
  for i, definition in ipairs(exercise.checks) do
    local check = reported[i] or { points = 0, passed = false, seconds = 0, message = reason(ended, begun) }
    check.name, check.of, check.hint = definition.name, definition.points, not check.passed and definition.hint or nil
    result.checks[i] = check
    result.points, result.of = result.points + check.points, result.of + check.of
    result.seconds = result.seconds + check.seconds
  end
  result.points = math.floor(result.points * 1000 + 0.5) / 1000
  result.seconds = seconds or result.seconds
  result.output = ended.output:gsub("%s+$", "") .. (ended.truncated and "\n(cut here)" or "")
  return result
end

return messages
