-- `springtide mark`: marks submissions of an exercise.
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
  local results = {}
  for i, file in ipairs(files) do
    results[i] = run.mark_exercise(exercise, lesson, file, { seed = request.seed, clock = functions.processor_seconds })
  end
  tell(results)
  local ok, problem = pcall(write_files, request, functions, results)
  if not ok then
    return nil, problem
  end
  return true
end
