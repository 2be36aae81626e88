-- The results of marking as texts: a table for the screen, CSV, JSON, and Gradescope's results.json.
local json = require "springtide.check.json"

local report = {}

-- --- the screen ------------------------------------------------------------------------------------------------------

local function number(points)
  return ("%.3f"):format(points):gsub("0+$", ""):gsub("%.$", "")
end
report.number = number

local function fit(text, width)
  local length = utf8.len(text) or #text
  return text .. (" "):rep(width - length)
end

local function right(text, width)
  return (" "):rep(width - (utf8.len(text) or #text)) .. text
end

-- The lines of a table of texts; the first column is aligned left, others right.
local function table_lines(rows)
  local widths, lines = {}, {}
  for _, row in ipairs(rows) do
    for i, text in ipairs(row) do
      widths[i] = math.max(widths[i] or 0, utf8.len(text) or #text)
    end
  end
  for i, row in ipairs(rows) do
    local cells = {}
    for column, text in ipairs(row) do
      cells[column] = column == 1 and fit(text, widths[column]) or right(text, widths[column])
    end
    lines[i] = table.concat(cells, "  "):gsub("%s+$", "")
  end
  return lines
end

-- A row for each submission.
function report.overview(results)
  local rows = { { "submission", "points" } }
  for i, check in ipairs(results[1].checks) do
    rows[1][i + 2] = check.name
  end
  rows[1][#rows[1] + 1] = "seconds"
  for _, result in ipairs(results) do
    local row = { result.file, ("%s/%s"):format(number(result.points), number(result.of)) }
    for _, check in ipairs(result.checks) do
      row[#row + 1] = number(check.points)
    end
    row[#row + 1] = ("%.2f"):format(result.seconds)
    rows[#rows + 1] = row
  end
  return table.concat(table_lines(rows), "\n")
end

-- All checks of one submission, with messages and hints.
function report.details(result)
  local lines = { ("%s: %s of %s points"):format(result.file, number(result.points), number(result.of)) }
  for _, check in ipairs(result.checks) do
    lines[#lines + 1] = ("  %s  %s: %s of %s"):format(check.passed and "passed" or "failed", check.name,
                                                     number(check.points), number(check.of))
    lines[#lines + 1] = check.message and "          " .. check.message
    lines[#lines + 1] = check.hint and "          hint: " .. check.hint
  end
  return table.concat(lines, "\n")
end

-- --- files -----------------------------------------------------------------------------------------------------------

-- A cell of CSV (RFC 4180). Spreadsheets take a text that begins with = + - @ for a formula: it gets a quote.
local function cell(value)
  if type(value) == "number" then
    return number(value)
  end
  local text = value:find "^[=+%-@\t\r]" and "'" .. value or value
  return text:find '[",\r\n]' and '"' .. text:gsub('"', '""') .. '"' or text
end

local function csv_line(cells)
  for i, value in ipairs(cells) do
    cells[i] = cell(value)
  end
  return table.concat(cells, ",") .. "\r\n"
end

function report.csv(results)
  local header = { "submission", "points", "of", "percent" }
  for _, check in ipairs(results[1].checks) do
    header[#header + 1] = check.name
    header[#header + 1] = check.name .. ": message"
  end
  header[#header + 1] = "seconds"
  local lines = { csv_line(header) }
  for _, result in ipairs(results) do
    local row = { result.file, result.points, result.of, 100 * result.points / result.of }
    for _, check in ipairs(result.checks) do
      row[#row + 1] = check.points
      row[#row + 1] = check.message or ""
    end
    row[#row + 1] = result.seconds
    lines[#lines + 1] = csv_line(row)
  end
  return table.concat(lines)
end

function report.json(results, seed)
  return json.text { exercise = results[1].title, seed = seed, submissions = json.list(results) }
end

-- Gradescope's results.json of one submission.
function report.gradescope(result)
  local tests = {}
  for i, check in ipairs(result.checks) do
    local output = check.message or "passed"
    tests[i] = {
      name = check.name, score = check.points, max_score = check.of, status = check.passed and "passed" or "failed",
      output = check.hint and ("%s\nhint: %s"):format(output, check.hint) or output, output_format = "text",
    }
  end
  return json.text {
    score = result.points, execution_time = math.ceil(result.seconds), visibility = "visible",
    stdout_visibility = "hidden", tests = json.list(tests),
  }
end

return report
