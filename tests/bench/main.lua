-- Reads the command line of tests/bench/run.sh and runs the measurements.
local report = require "bench.report"

local measurements = {
  { "table1", "the scenes of Liu et al. 2013, Table 1, beside the paper's figures" },
  { "parts", "an iteration taken apart, with CHOLMOD's solve beside ours; a frame, memory, changes of the matrix" },
  { "errors", "time until the error of a step (Liu et al. 2013, eq. 15) is small, of five methods" },
  { "growth", "cloths and blocks of 1,000 to 1,000,000 vertices" },
  { "materials", "an iteration of solids, membranes and an element of one's own, relative to springs" },
  { "portable", "a frame in the portable mode, relative to the normal one and to vectors of 128 bits" },
  { "tear", "a tear in the curtain, and the step after it" },
  { "broad_phase", "the searches for near points, 1,000 to 1,000,000 of them" },
  { "scripting", "a loop over a buffer against one over a table of Lua" },
  { "peers", "layers of cloth beside Bullet, which it installs; only by its name", alone = true },
}

local usage = [[
tests/bench/run.sh [NAME...] [SCENE.lua...] [OPTIONS]

Runs the measurements of these names, or all of them:
%s
SCENE.lua is measured in place of the scenes of Table 1; by `table1` only if it has the name of one of them.
Figures that the engine is held to are printed at the end, with the target and whether it is met.

  --csv FILE        write a row for each figure: scene, threads, figure, value, unit
  --compare FILE    show the change of every figure against an earlier --csv FILE
  --markdown        print the tables as Markdown
  --threads N       use N threads (1, and all processors where that makes a difference)
  --frames N        average over N frames (60; growth, peers: 3)
  --warm-up N       after N frames that do not count (30)
  --runs N          measure N times and show the best (3)
  --iterations N    errors: take up to N iterations (2000)
  --vertices N      growth, broad_phase: up to N vertices (1000000)
  --layers N        peers: up to N cloths on one another (10)
  --shape NAME      growth: cloth or volume alone
  --set NAME=VALUE  set a parameter of the scenes; may be repeated]]

local function fail(message)
  io.stderr:write("tests/bench/run.sh: ", message, "\n")
  os.exit(2)
end

local function help()
  local lines = {}
  for i, m in ipairs(measurements) do
    lines[i] = ("  %-12s %s"):format(m[1], m[2])
  end
  print(usage:format(table.concat(lines, "\n")))
  os.exit(0)
end

-- The options with their defaults. Numbers are whole, from the least to the most of `ranges`.
local o = { runs = 3, warm_up = 30, iterations = 2000, vertices = 1000000, scenes = {}, settings = {} }
local ranges = {
  threads = { 1, 256 }, frames = { 1, 1000000 }, warm_up = { 0, 1000000 }, runs = { 1, 1000 },
  iterations = { 1, 1000000 }, vertices = { 1000, 1000000 }, layers = { 5, 1000 },
}

local function read_option(word, value)
  local name = word:sub(3):gsub("-", "_")
  local range = ranges[name]
  if range then
    local number = value:match("^%d+$") and math.tointeger(tonumber(value))
    if not number or number < range[1] or number > range[2] then
      fail(("%s %s: expected a whole number from %d to %d"):format(word, value, range[1], range[2]))
    end
    o[name] = number
  elseif name == "csv" or name == "compare" then
    o[name] = value
  elseif name == "shape" then
    if value ~= "cloth" and value ~= "volume" then
      fail(("--shape %s: expected cloth or volume"):format(value))
    end
    o.shape = value
  elseif name == "set" then
    if not value:match("^[^=]+=") then
      fail(("--set %s: expected NAME=VALUE"):format(value))
    end
    table.insert(o.settings, value)
  else
    fail(("there is no option %s; `tests/bench/run.sh --help` lists them"):format(word))
  end
end

local words, names, known = { table.unpack(arg, 2) }, {}, {}
for _, m in ipairs(measurements) do
  known[m[1]] = true
end
local at = 1
while words[at] do
  local word = words[at]
  if word == "--help" or word == "-h" then
    help()
  elseif word == "--markdown" then
    o.markdown = true
  elseif word:sub(1, 2) == "--" then
    at = at + 1
    read_option(word, words[at] or fail("expected a value after " .. word))
  elseif known[word] then
    table.insert(names, word)
  elseif word:match("%.lua$") then
    table.insert(o.scenes, word)
  else
    fail(("there is no measurement %s; `tests/bench/run.sh --help` lists them"):format(word))
  end
  at = at + 1
end
if #names == 0 then
  for _, m in ipairs(measurements) do
    names[#names + 1] = not m.alone and m[1] or nil
  end
end

report.begin(arg[1], o)
local before = o.compare and report.read(o.compare)
for _, name in ipairs(names) do
  require("bench." .. name)
end
require "bench.targets"
if before then
  report.compare(before)
end
if o.csv then
  report.write(o.csv)
end
