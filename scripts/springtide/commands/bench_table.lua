-- The tables of `springtide bench`, on the screen, as CSV and as Markdown. A column is { name [, kind] }. Values of
-- kind "seconds" are shown in ms; "text" and "count" have no digits after the point.
local tide = require "springtide"
local shared = require "springtide.lab.shared"

local tables = {}

local function value_of(row, column)
  local value = row[column[1]]
  return column[2] == "seconds" and value and 1e3 * value or value
end

-- A cell as text: numbers with three digits, "-" for none.
local function shown(row, column)
  local value = value_of(row, column)
  if column[2] == "text" then
    return value
  elseif not value or not shared.is_finite(value) then
    return "-"
  end
  local digits = value >= 100 and 0 or value >= 10 and 1 or value >= 1 and 2 or 3
  return ("%%.%df"):format(column[2] == "count" and 0 or value > 0 and value < 0.1 and 4 or digits):format(value)
end

-- The rows as texts, the heading first.
local function cells_of(columns, rows)
  local cells = { {} }
  for c, column in ipairs(columns) do
    cells[1][c] = column[1]
    for r, row in ipairs(rows) do
      cells[r + 1] = cells[r + 1] or {}
      cells[r + 1][c] = shown(row, column)
    end
  end
  return cells
end

-- A text: the lines of `heads`, and the columns side by side.
function tables.plain(columns, rows, heads)
  local cells, lines = cells_of(columns, rows), { table.concat(heads, "\n"), "" }
  for c, column in ipairs(columns) do
    local width = 0
    for _, row in ipairs(cells) do
      width = math.max(width, #row[c])
    end
    for _, row in ipairs(cells) do
      local padding = (" "):rep(width - #row[c])
      row[c] = column[2] == "text" and row[c] .. padding or padding .. row[c]
    end
  end
  for _, row in ipairs(cells) do
    lines[#lines + 1] = table.concat(row, "  ")
  end
  return table.concat(lines, "\n")
end

function tables.markdown(columns, rows, heads)
  local lines, rules = {}, {}
  for _, row in ipairs(cells_of(columns, rows)) do
    lines[#lines + 1] = "| " .. table.concat(row, " | ") .. " |"
  end
  for c, column in ipairs(columns) do
    rules[c] = column[2] == "text" and ":---" or "---:"
  end
  table.insert(lines, 2, "|" .. table.concat(rules, "|") .. "|")
  return table.concat(lines, "\n") .. "\n\n" .. table.concat(heads, "\n\n") .. "\n"
end

function tables.csv(columns, rows, machine)
  local lines, names = {}, {}
  for c, column in ipairs(columns) do
    names[c] = column[1]
  end
  lines[1] = table.concat(names, ",") .. ",processor,threads,compiler"
  for _, row in ipairs(rows) do
    local cells = {}
    for c, column in ipairs(columns) do
      local value = value_of(row, column)
      cells[c] = column[2] == "text" and shared.csv_text(value)
        or value and shared.is_finite(value) and ("%.9g"):format(value) or ""
    end
    lines[#lines + 1] = ("%s,%s,%d,%s"):format(table.concat(cells, ","), shared.csv_text(machine.processor),
                                               machine.threads, machine.compiler)
  end
  return table.concat(lines, "\n") .. "\n"
end

-- Saves the tables where --csv and --markdown want them. Returns true, or nil and a message.
function tables.save(request, csv, markdown)
  for _, file in ipairs { { request.csv, csv }, { request.markdown, markdown } } do
    if file[1] then
      local saved, message = request.functions.save(file[1], file[2])
      if not saved then
        return nil, message
      end
    end
  end
  return true
end

-- The machine, and the lines that tell of it and of the runs.
function tables.describe_machine(request, functions)
  local machine = { processor = "unknown processor", threads = request.threads, compiler = functions.compiler() }
  local file, count = functions.open_file("/proc/cpuinfo"), 0
  for line in file and file:lines() or function() end do
    local name = line:match "^model name%s*:%s*(.-)%s*$"
    count = count + (line:find "^processor%s*:" and 1 or 0)
    machine.processor = count <= 1 and name or machine.processor
  end
  return machine, {
    ("%s, %d of %d processors; springtide %s, %s"):format(
      machine.processor, machine.threads, count, tide.version, machine.compiler),
    ("the best of %d run%s of %d frame%s each, after %s"):format(
      request.runs, request.runs == 1 and "" or "s", request.frames, request.frames == 1 and "" or "s",
      request.warm_up and request.warm_up .. " more" or "as many as its scene needs to touch"),
  }
end

return tables
