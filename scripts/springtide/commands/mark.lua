-- `springtide mark`: marks submissions of an exercise.
local messages = require "springtide.check.messages"
local page = require "springtide.check.page"
local report = require "springtide.check.report"
local run = require "springtide.check.run"

-- The folder of a lesson: as given, or by its number in the course.
local function find_lesson(word, functions)
  if not word:find "^%d%d?$" then
    return word
  end
  local course = functions.library_folder() .. "/../scenes/course"
  local names = functions.list_folder(course) or {}
  table.sort(names)
  for _, name in ipairs(names) do
    if tonumber(name:match "^(%d+)%-") == tonumber(word) then
      return ("%s/%s"):format(course, name)
    end
  end
  return nil, ("mark: EXERCISE = %s: the course has no lesson of this number; name the lesson's folder"):format(word)
end

-- --- in a process of its own ----------------------------------------------------------------------------------------

local SPARE_SECONDS, SPARE_MEGABYTES = 3, 256

-- What the checks of an exercise may take together, in s of processor time.
local function longest(exercise)
  local seconds = exercise.time_limit
  for _, check in ipairs(exercise.checks) do
    seconds = seconds + (check.time_limit or 0)
  end
  return math.ceil(seconds) + SPARE_SECONDS
end

-- Marks a submission in this process, which can do nothing else from then on. Reports each check at once: what is
-- marked counts, even if the process is killed later.
local function mark_confined(exercise, lesson, file, request, functions)
  local confined, message = functions.confine {
    processor_seconds = longest(exercise), memory = 2 * exercise.memory_limit + SPARE_MEGABYTES,
    readable = { functions.library_folder(), lesson, file },
  }
  if not confined then
    return nil, message
  end
  local number = 0
  local function each(check)
    number = number + 1
    functions.report(messages.of_check(number, check))
  end
  functions.report(messages.begin)
  local options = { seed = request.seed, clock = functions.processor_seconds, each = each }
  functions.report(messages.of_end(run.mark_exercise(exercise, lesson, file, options).seconds))
  return true
end

-- Marks all files in processes of their own.
local function mark_all(exercise, lesson, files, request, functions)
  local words, results, done = {}, {}, 0
  for i, file in ipairs(files) do
    words[i] = { "mark", "--confined", "--seed", tostring(request.seed), lesson, file }
  end
  functions.run_children(words, request.jobs, 6 * longest(exercise) + 30, function(number, ended)
    done = done + 1
    results[number] = messages.result(exercise, files[number], ended)
    functions.progress("marking", done, #files)
  end)
  return results
end

-- --- files and the screen -------------------------------------------------------------------------------------------

local function write_files(request, functions, results)
  local function save(path, text)
    local saved, message = functions.save(path, text)
    if not saved then
      error(message, 0)
    end
  end
  if request.csv then
    save(request.csv, report.csv(results))
  end
  if request.json then
    save(request.json, report.json(results, request.seed))
  end
  if request.gradescope then
    save(request.gradescope, report.gradescope(results[1]))
  end
  if request.html then
    local names = page.names(results)
    for i, result in ipairs(results) do
      save(("%s/%s"):format(request.html, names[i]), page.text(result))
    end
  end
end

local function tell(results)
  if #results == 1 then
    print(report.details(results[1]))
  else
    print(report.overview(results))
  end
end

-- Whether every submission gets at least so many per cent of the points.
local function passes(results, percent)
  for _, result in ipairs(results) do
    if percent and result.points < percent / 100 * result.of - 1e-9 then
      return false
    end
  end
  return true
end

return function(request, functions)
  local files = table.move(request.subjects, 2, #request.subjects, 1, {})
  if #files == 0 then
    return functions.refuse(nil, request.subjects[1], "expected FILE... after it, the submissions")
  elseif request.gradescope and #files ~= 1 then
    return functions.refuse("--gradescope", request.gradescope, "expected one submission; mark each by itself")
  end
  local lesson, message = find_lesson(request.subjects[1], functions)
  local exercise
  if lesson then
    exercise, message = run.exercise(lesson, functions.open_file)
  end
  if not exercise then
    return nil, message
  end
  for _, file in ipairs(files) do
    local opened, problem = functions.open_file(file, "rb")
    if not opened then
      return nil, "submission: " .. problem
    end
    opened:close()
  end
  if request.confined then
    return mark_confined(exercise, lesson, files[1], request, functions)
  end
  local results = mark_all(exercise, lesson, files, request, functions)
  tell(results)
  local ok, problem = pcall(write_files, request, functions, results)
  if not ok then
    return nil, problem
  end
  return passes(results, request.pass)
end
