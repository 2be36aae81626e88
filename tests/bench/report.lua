-- What the measurements share: running the program, tables, and figures. A figure is one number of a scene under a
-- number of threads. Its name ends in its unit ("solve_ms"); a ratio is named "A_of_B".
local report = { figures = {} }

local function fail(message)
  io.stderr:write("tests/bench/run.sh: ", message, "\n")
  os.exit(1)
end

-- --- running programs -----------------------------------------------------------------------------------------------

local function quoted(word)
  return "'" .. tostring(word):gsub("'", "'\\''") .. "'"
end

-- Runs a program with these words and returns what it prints. What it logs is shown when it fails, and ends the run.
local function run(program, words)
  local parts, log = { quoted(program) }, os.tmpname()
  for _, word in ipairs(words) do
    table.insert(parts, quoted(word))
  end
  local pipe = assert(io.popen(table.concat(parts, " ") .. " 2>" .. quoted(log)))
  local printed = pipe:read("a")
  local good = pipe:close()
  local file = assert(io.open(log))
  local told = file:read("a")
  file:close()
  os.remove(log)
  if not good then
    fail(("%s failed:\n%s"):format(table.concat(parts, " "), told))
  end
  return printed
end
report.run = run

function report.springtide(...)
  return run(report.build .. "/springtide", { ... })
end

function report.bench(...)
  return run(report.build .. "/springtide-bench", { ... })
end

-- A new folder for files; its end removes it.
function report.folder()
  return run("mktemp", { "-d" }):match("[^\n]+")
end

function report.drop(folder)
  run("rm", { "-r", folder })
end

-- Words that set parameters of a scene: `before` (--set) and NAME=VALUE for each setting.
function report.settings(before, settings)
  local words = {}
  for _, setting in ipairs(settings) do
    if before then
      table.insert(words, before)
    end
    table.insert(words, setting)
  end
  return table.unpack(words)
end

-- The rows of a CSV text as tables by the names of its columns. What is a number becomes one.
function report.rows(text)
  local rows, names = {}, nil
  for line in text:gmatch("[^\n]+") do
    local cells, rest = {}, line .. ","
    while rest ~= "" do
      local cell, after = rest:match('^"(.-)",(.*)$')
      if not cell or rest:match('^""') then
        cell, after = rest:match("^(.-),(.*)$")
      end
      table.insert(cells, cell)
      rest = after
    end
    if names then
      local row = {}
      for i, name in ipairs(names) do
        row[name] = tonumber(cells[i]) or cells[i]
      end
      table.insert(rows, row)
    else
      names = cells
    end
  end
  return rows
end

function report.read_file(path)
  local file, message = io.open(path)
  if not file then
    fail(message)
  end
  local text = file:read("a")
  file:close()
  return text
end

-- Shows on a terminal what is being measured.
function report.progress(...)
  io.stderr:write("measuring ", table.concat({ ... }, ", "), "\n")
end

-- --- tables ---------------------------------------------------------------------------------------------------------

-- A number in three digits; "-" where there is none.
local function shown(cell)
  if type(cell) == "string" then
    return cell
  elseif not cell or cell ~= cell or cell == math.huge then
    return "-"
  elseif math.type(cell) == "integer" or cell == 0 then
    return ("%d"):format(cell)
  end
  local size = math.abs(cell)
  local digits = size >= 100 and 0 or size >= 10 and 1 or size >= 1 and 2 or size >= 0.1 and 3 or 4
  return ("%." .. digits .. "f"):format(cell)
end
report.shown = shown

-- Prints a table. A column is aligned to the right unless one of its cells is a text; a missing cell is false.
function report.table(about, columns, rows)
  local widths, texts, lines = {}, {}, {}
  for c, column in ipairs(columns) do
    widths[c] = #column
    for r, row in ipairs(rows) do
      texts[c] = texts[c] or type(row[c]) == "string"
      lines[r] = lines[r] or {}
      lines[r][c] = shown(row[c])
      widths[c] = math.max(widths[c], #lines[r][c])
    end
  end
  local function line(cells)
    local padded = {}
    for c, cell in ipairs(cells) do
      padded[c] = ("%" .. (texts[c] and "-" or "") .. widths[c] .. "s"):format(cell)
    end
    return report.options.markdown and "| " .. table.concat(padded, " | ") .. " |"
      or (table.concat(padded, "  "):gsub(" +$", ""))
  end
  print(("\n%s\n"):format(about))
  print(line(columns))
  if report.options.markdown then
    local rule = {}
    for c, width in ipairs(widths) do
      rule[c] = (texts[c] and ":" or "-") .. ("-"):rep(width) .. (texts[c] and "-" or ":")
    end
    print("|" .. table.concat(rule, "|") .. "|")
  end
  for _, cells in ipairs(lines) do
    print(line(cells))
  end
end

-- --- figures --------------------------------------------------------------------------------------------------------

-- Adds a figure, unless there is none (nil, not a number or infinite).
function report.figure(scene, threads, name, value, unit)
  if value and value == value and math.abs(value) < math.huge then
    table.insert(report.figures, { scene = scene, threads = threads, figure = name, value = value, unit = unit })
  end
end

function report.find(figures, scene, threads, name)
  for _, f in ipairs(figures) do
    if f.scene == scene and f.threads == threads and f.figure == name then
      return f.value
    end
  end
end

local heading = "scene,threads,figure,value,unit"

function report.write(path)
  local file, message = io.open(path, "w")
  if not file then
    fail(message)
  end
  file:write(heading, "\n")
  for _, f in ipairs(report.figures) do
    file:write(("%s,%d,%s,%.9g,%s\n"):format(f.scene, f.threads, f.figure, f.value, f.unit))
  end
  file:close()
end

-- The figures of a file that report.write wrote.
function report.read(path)
  local text = report.read_file(path)
  if text:match("^[^\n]*") ~= heading then
    fail(("--compare %s: line 1: expected %s, as --csv writes it"):format(path, heading))
  end
  return report.rows(text)
end

function report.compare(before)
  local rows = {}
  for _, f in ipairs(report.figures) do
    local old = report.find(before, f.scene, f.threads, f.figure)
    if old then
      local change = old ~= 0 and 100.0 * (f.value / old - 1)
      table.insert(rows, { f.scene, f.threads, f.figure, f.unit, old + 0.0, f.value + 0.0, change })
    end
  end
  report.table("against " .. report.options.compare .. ":",
    { "scene", "threads", "figure", "unit", "before", "now", "change_%" }, rows)
end

-- --- the machine ----------------------------------------------------------------------------------------------------

-- The numbers of threads to measure with: that of --threads, or 1 and all processors.
function report.thread_counts()
  if report.options.threads then
    return { report.options.threads }
  end
  return report.processors > 1 and { 1, report.processors } or { 1 }
end

-- The scenes of Table 1, or those of the command line, as { name, path }. `only`: those with these names.
local table1 = { "curtain", "hippo", "frog", "dog", "brush", "dress" }
function report.scenes(only)
  local scenes, by_name = {}, {}
  for _, name in ipairs(table1) do
    by_name[name] = true
    if #report.options.scenes == 0 then
      table.insert(scenes, { name = name, path = report.root .. "/scenes/table1/" .. name .. ".lua" })
    end
  end
  for _, path in ipairs(report.options.scenes) do
    local name = path:match("([^/]+)%.lua$")
    if not only or by_name[name] then
      table.insert(scenes, { name = name, path = path })
    end
  end
  return scenes
end

-- Prints the machine, the program and how often scenes are run.
function report.begin(root, options)
  report.root, report.options, report.build = root, options, os.getenv("SPRINGTIDE_BUILD")
  report.processors = tonumber(run("nproc", {}))
  local file, processor = io.open("/proc/cpuinfo"), "unknown processor"
  if file then
    processor = file:read("a"):match("model name%s*:%s*([^\n]+)") or processor
    file:close()
  end
  print(("%s, %d processors; %s\nthe best of %d runs of %d frames each, after %d more, unless a table says otherwise")
    :format(processor, report.processors, report.springtide("--version"):match("[^\n]+"), options.runs,
      options.frames or 60, options.warm_up))
end

return report
