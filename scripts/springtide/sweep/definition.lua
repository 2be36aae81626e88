-- The definition of a sweep as a text, DIR/sweep.txt: what every run is. A sweep that is started again in its folder
-- must have the same text, so that all results answer one question. The text is lines of words with tabs between:
--
--   springtide sweep 1
--   scene     PATH  HASH
--   measure   PATH  HASH                  (where there is one)
--   frames    120
--   opening   --set  stiffness=3          (words of the command line that open the scene)
--   axis      NAME  parameter|option|timestep  LABEL  COLUMN  log|linear
--   run       1  SOLVER  VALUE ...        (a line for each run)
local definition = {}

local MARK = "springtide sweep 1"
local MOST_RUNS = 100000

-- FNV-1a of 64 bits, as 16 hexadecimal digits: tells a changed file from an unchanged one.
function definition.hash(text)
  local hash = 0xcbf29ce484222325
  for i = 1, #text do
    hash = (hash ~ text:byte(i)) * 0x100000001b3
  end
  return ("%016x"):format(hash)
end

-- Every combination, the last axis fastest: a list of { solver, values }.
function definition.combinations(solvers, axes)
  local runs = {}
  for _, solver in ipairs(solvers) do
    local values = {}
    local function go(i)
      if i > #axes then
        runs[#runs + 1] = { solver = solver, values = table.move(values, 1, #axes, 1, {}) }
        return
      end
      for _, value in ipairs(axes[i].values) do
        values[i] = value
        go(i + 1)
      end
    end
    go(1)
  end
  return runs
end

-- The rows of a table of points, under each solver.
function definition.rows(solvers, axes)
  local runs = {}
  for _, solver in ipairs(solvers) do
    for row = 1, axes[1] and #axes[1].values or 0 do
      local values = {}
      for i, axis in ipairs(axes) do
        values[i] = axis.values[row]
      end
      runs[#runs + 1] = { solver = solver, values = values }
    end
  end
  return runs
end

-- Returns how many combinations there are, or nil and a message if they are too many.
function definition.count(solvers, axes)
  local count = #solvers
  for _, axis in ipairs(axes) do
    count = count * #axis.values
    if count > MOST_RUNS then
      return nil, ("these are more than %d runs; vary fewer values"):format(MOST_RUNS)
    end
  end
  return count
end

local function line(lines, ...)
  lines[#lines + 1] = table.concat({ ... }, "\t")
end

-- A sweep has scene, scene_hash, measure and measure_hash (or nil), frames, opening (a list of words), axes and runs.
function definition.text(sweep)
  local lines = { MARK }
  line(lines, "scene", sweep.scene, sweep.scene_hash)
  if sweep.measure then
    line(lines, "measure", sweep.measure, sweep.measure_hash)
  end
  line(lines, "frames", sweep.frames)
  line(lines, "opening", table.unpack(sweep.opening))
  for _, axis in ipairs(sweep.axes) do
    line(lines, "axis", axis.name, axis.of, axis.label, axis.column, axis.logarithmic and "log" or "linear")
  end
  for number, run in ipairs(sweep.runs) do
    local values = {}
    for i, value in ipairs(run.values) do
      values[i] = ("%.17g"):format(value)
    end
    line(lines, "run", number, run.solver, table.unpack(values))
  end
  return table.concat(lines, "\n") .. "\n"
end

-- Whether a word can stand in the text.
function definition.takes(word)
  return not word:find "[\t\n]"
end

local readers = {
  scene = function(sweep, words) sweep.scene, sweep.scene_hash = words[1], words[2] end,
  measure = function(sweep, words) sweep.measure, sweep.measure_hash = words[1], words[2] end,
  frames = function(sweep, words) sweep.frames = math.tointeger(tonumber(words[1])) end,
  opening = function(sweep, words) sweep.opening = words end,
  axis = function(sweep, words)
    sweep.axes[#sweep.axes + 1] = { name = words[1], of = words[2], label = words[3], column = words[4],
                                    logarithmic = words[5] == "log" }
  end,
  run = function(sweep, words)
    local values = {}
    for i = 1, #sweep.axes do
      values[i] = assert(tonumber(words[i + 2]))
    end
    assert(tonumber(words[1]) == #sweep.runs + 1)
    sweep.runs[#sweep.runs + 1] = { solver = words[2], values = values }
  end,
}

-- Returns the sweep of a text, or nil.
function definition.read(text)
  local sweep, first = { axes = {}, runs = {}, opening = {} }, true
  for content in text:gmatch "([^\n]*)\n" do
    local words = {}
    for word in (content .. "\t"):gmatch "([^\t]*)\t" do
      words[#words + 1] = word
    end
    local reader = readers[table.remove(words, 1)]
    if first ~= (content == MARK) or not (first or reader) or (reader and not pcall(reader, sweep, words)) then
      return nil
    end
    first = false
  end
  return sweep.scene and sweep.frames and #sweep.runs > 0 and sweep or nil
end

-- What differs first between two texts, for a message.
function definition.difference(old, new)
  local next_new = new:gmatch "([^\n]*)\n"
  for was in old:gmatch "([^\n]*)\n" do
    local is = next_new() or "nothing"
    if was ~= is then
      local path, now = was:match "^%l+\t([^\t]*)\t%x+$", is:match "^%l+\t([^\t]*)\t%x+$"
      if path and path == now then
        return path .. " has changed since"
      end
      return ("`%s` there, `%s` here"):format((was:gsub("\t", " ")), (is:gsub("\t", " ")))
    end
  end
  return ("`%s` is new"):format((tostring(next_new()):gsub("\t", " ")))
end

return definition
