-- `springtide course LESSON --mark`: marks the student's exercise. The window runs it at every save, with --report.
local report = require "springtide.check.report"
local run = require "springtide.check.run"

-- A field of a line of the report: no tabs, no ends of line.
local function field(text)
  return ((text or ""):gsub("%c", " "))
end

local function line(kind, ...)
  return kind .. "\t" .. table.concat({ ... }, "\t") .. "\n"
end

-- What session/lesson_marking.h reads.
local function report_of(result)
  local lines = {}
  for i, check in ipairs(result.checks) do
    lines[i] = line("check", ("%.10g"):format(check.points), ("%.10g"):format(check.of), field(check.name),
                    field(check.message), field(check.hint))
  end
  lines[#lines + 1] = line("total", ("%.10g"):format(result.points), ("%.10g"):format(result.of))
  return table.concat(lines)
end

return function(request, functions)
  local lesson = request.subjects[1]
  local result, message = run.mark(lesson, request.file, {
    seed = request.seed, open_file = functions.open_file, clock = functions.processor_seconds,
  })
  if not result then
    return nil, message
  end
  if request.quiet ~= 1 then
    print(report.details(result))
  end
  return functions.save(request.report, report_of(result))
end
