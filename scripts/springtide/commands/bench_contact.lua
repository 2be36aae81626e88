-- `springtide bench --contact`: the phases of contact for scenes of several sizes, and how they grow.
local gnuplot = require "springtide.lab.gnuplot"
local runs = require "springtide.commands.bench_runs"
local shared = require "springtide.lab.shared"
local tables = require "springtide.commands.bench_table"

-- Of a scene, unless --vertices is given; layers take longest.
local MOST_VERTICES, MOST_OF_LAYERS = 20000, 6200
local FRAMES = 3

-- --- what is measured ------------------------------------------------------------------------------------------------

-- Scenes of contact_scene.lua: kind, parameters, about how many vertices, frames until things touch.
local cases = {}
local function add_case(name, set, vertices, warm_up)
  cases[#cases + 1] = { name = name, set = set, vertices = vertices, warm_up = warm_up }
end

for _, n in ipairs { 7, 10, 15, 22, 35, 50, 70, 140, 220, 310 } do
  add_case("layers", { kind = "layers", n = n, count = 5 }, 5 * n * n, 12)
end
for _, count in ipairs { 2, 10, 15, 20, 50 } do
  add_case("layers", { kind = "layers", n = 35, count = count }, count * 35 ^ 2, 12)
end
add_case("layers", { kind = "layers", n = 70, count = 50 }, 50 * 70 ^ 2, 12)
for _, size in ipairs { { 8, 5 }, { 15, 5 }, { 35, 5 }, { 35, 15 }, { 70, 50 } } do
  add_case("pulled", { kind = "layers", n = size[1], count = size[2], pull = 1 }, size[2] * size[1] ^ 2, 12)
end
for _, count in ipairs { 3, 10, 30, 100, 300, 1000 } do
  add_case("heap", { kind = "heap", count = count }, 161 * count, 30)
end
for _, count in ipairs { 30, 100, 300, 1000, 3000, 10000 } do
  add_case("hair", { kind = "hair", count = count }, 20 * count, 20)
end
for _, n in ipairs { 22, 32, 56, 100, 141, 316, 1000 } do
  add_case("sphere", { kind = "sphere", n = n }, n * n, 40)
end
-- Scenes of the folder scenes.
for _, scene in ipairs {
  { "dress", "table1/dress", 3566, 60 }, { "drape", "drape", 2401, 90 }, { "tablecloth", "tablecloth", 2300, 125 },
  { "softstack", "softstack", 1400, 60 }, { "scene_hair", "hair", 3360, 30 }, { "skin", "skin", 600, 24 },
  { "knot", "rope", 110, 300 },
} do
  cases[#cases + 1] = { name = scene[1], scene = scene[2], vertices = scene[3], warm_up = scene[4] }
end

-- Growth: the cases of a name whose other size is the same.
local growths = {
  { "layers by n", function(row) return row.scene == "layers" and row.count == 5 end },
  { "layers by count", function(row) return row.scene == "layers" and row.n == 35 end },
  { "pulled", function(row) return row.scene == "pulled" end },
  { "heap", function(row) return row.scene == "heap" end },
  { "hair", function(row) return row.scene == "hair" end },
  { "sphere", function(row) return row.scene == "sphere" end },
}

local columns = {
  { "scene", "text" }, { "n", "count" }, { "count", "count" }, { "vertices", "count" }, { "searches" },
  { "candidates", "count" }, { "swept", "count" }, { "near", "count" }, { "contacts", "count" }, { "step_us" },
  { "broad_us" }, { "narrow_us" }, { "continuous_us" }, { "response_us" }, { "solver_us" }, { "rest_us" },
  { "processor_us" }, { "memory_mb" }, { "memory_kb" }, { "crossings", "count" }, { "allowed", "count" },
}
local phases = { "broad_us", "narrow_us", "continuous_us", "response_us", "solver_us", "rest_us" }
local growth_columns = {
  { "series", "text" }, { "sizes", "count" }, { "least", "count" }, { "most", "count" }, { "step_us" },
  { "broad_us" }, { "narrow_us" }, { "continuous_us" }, { "response_us" }, { "solver_us" }, { "rest_us" },
  { "memory_mb" },
}

-- The cases that the words of the command line name, all without words. A scene file is a case too.
local function choose(request)
  local known, names, wanted = {}, {}, {}
  for _, case in ipairs(cases) do
    names[#names + 1] = not known[case.name] and case.name or nil
    known[case.name] = true
  end
  local chosen = {}
  for _, word in ipairs(request.subjects) do
    if word:find "%.lua$" then
      chosen[#chosen + 1] = { name = word:match "([^/]*)%.lua$", path = word, warm_up = 30 }
    elseif not known[word] then
      return nil, word, ("expected a scene file or some of %s"):format(table.concat(names, ", "))
    end
    wanted[word] = true
  end
  for _, case in ipairs(cases) do
    local most = request.vertices or case.set and case.set.kind == "layers" and MOST_OF_LAYERS or MOST_VERTICES
    if (wanted[case.name] or not next(wanted)) and case.vertices <= most then
      chosen[#chosen + 1] = case
    end
  end
  return chosen
end

-- --- measuring -------------------------------------------------------------------------------------------------------

local function begin_run()
  return { step = 0, processor = 0, broad = 0, narrow = 0, continuous = 0, response = 0, solver = 0, searches = 0,
           candidates = 0, swept = 0, pairs = 0, contacts = 0, crossings = 0, allowed = 0 }
end

local function add_frame(bench, sum, scene, seconds, processor)
  local report, found = scene:report(), bench.functions.contact_phases(scene)
  found.step, found.processor, found.solver = seconds, processor, report.local_seconds + report.global_seconds
  for name, value in pairs(sum) do
    sum[name] = value + (found[name] or 0) / bench.frames
  end
  local certificate = scene:fork():certify() -- of a copy: what the search needs is not of the scene's memory
  sum.crossings = math.max(sum.crossings, certificate.count - certificate.allowed)
  sum.allowed = math.max(sum.allowed, certificate.allowed)
end

local function row_of(case, vertices, best, bytes)
  local set = case.set or {}
  local row = { scene = case.name, n = set.n, count = set.count, vertices = vertices, searches = best.searches,
                candidates = best.candidates, swept = best.swept, near = best.pairs, contacts = best.contacts,
                processor_us = 1e6 * best.processor / vertices, memory_mb = 1e-6 * bytes,
                memory_kb = 1e-3 * bytes / vertices, crossings = best.crossings, allowed = best.allowed }
  local rest = best.step
  for _, name in ipairs { "step", "broad", "narrow", "continuous", "response", "solver" } do
    row[name .. "_us"] = 1e6 * best[name] / vertices
    rest = name ~= "step" and rest - best[name] or rest
  end
  row.rest_us = 1e6 * math.max(rest, 0) / vertices
  return row
end

local function measure_case(bench, case, before)
  return function(_, _, scene)
    local vertices = 0
    for _, body in ipairs(scene:bodies()) do
      vertices = vertices + body.vertex_count
    end
    local best
    for _, sum in ipairs(runs.measure(bench, scene, begin_run, add_frame)) do
      best = best and best.step <= sum.step and best or sum
    end
    collectgarbage()
    collectgarbage() -- what the first call has finalised
    return row_of(case, vertices, best, bench.functions.memory() - before)
  end
end

-- --- growth ----------------------------------------------------------------------------------------------------------

local function exponent(rows, name)
  local points = {}
  for _, row in ipairs(rows) do
    local value = row[name] * (name:find "_us$" and row.vertices or 1)
    if value > 0 then
      points[#points + 1] = { row.vertices, value }
    end
  end
  return #points == #rows and shared.slope(points) or nil
end

local function growth_of(rows)
  local found = {}
  for _, growth in ipairs(growths) do
    local of, line = {}, { series = growth[1], least = math.huge, most = 0 }
    for _, row in ipairs(rows) do
      if growth[2](row) then
        of[#of + 1] = row
        line.least, line.most = math.min(line.least, row.vertices), math.max(line.most, row.vertices)
      end
    end
    line.sizes = #of
    for _, name in ipairs { "step_us", "memory_mb", table.unpack(phases) } do
      line[name] = exponent(of, name)
    end
    found[#found + 1] = #of > 1 and line or nil
  end
  return found
end

-- --- the command -----------------------------------------------------------------------------------------------------

-- A layers scene grows in two ways, so that its points make no line.
local function plot(rows)
  local curves, known = {}, {}
  for _, row in ipairs(rows) do
    local style = (row.scene == "layers" or row.scene == "pulled") and "points" or "linespoints"
    local shown = { { "step_us", "" }, { "$broad_us + $narrow_us", ", search" } }
    for i, curve in ipairs(known[row.scene] and {} or shown) do
      curves[#curves + 1] = { x = "vertices", y = curve[1], title = row.scene .. curve[2], filter_column = "scene",
                              filter = row.scene, style = ("%s pointsize %g"):format(style, 1.8 - 0.6 * i) }
    end
    known[row.scene] = true
  end
  return gnuplot.script("contact", "contact.csv", {
    title = "A step with contact, and of it the search for pairs (broad and narrow phase)",
    x_label = "vertices", y_label = "microseconds a vertex and step", x_logarithmic = true, y_logarithmic = true,
    x_minimum = 100, x_maximum = 1e6, curves = curves,
  })
end

-- Writes the files of --out. Returns true, or nil and a message.
local function save_all(functions, files)
  for _, file in ipairs(files) do
    local saved, message = functions.save(file[1], file[2])
    if not saved then
      return nil, message
    end
  end
  local drawn, message = functions.draw "contact"
  if drawn == nil then
    return nil, message
  elseif not drawn then
    functions.complain "contact.png: gnuplot is not installed; contact.gnuplot draws it"
  end
  return true
end

local function write(request, rows, machine, heads)
  local growth, about = growth_of(rows), { "growth: b of time = vertices^b, and of memory, over sizes of a series" }
  print(tables.plain(columns, rows, heads))
  local text = tables.markdown(columns, rows, heads)
  if growth[1] then
    print("\n" .. tables.plain(growth_columns, growth, about))
    text = text .. "\n" .. tables.markdown(growth_columns, growth, about)
  end
  local csv = tables.csv(columns, rows, machine)
  if not request.folder then
    return tables.save(request, csv, text)
  end
  return save_all(request.functions, { { "contact.csv", csv }, { "contact.md", text },
    { "contact_growth.csv", tables.csv(growth_columns, growth, machine) }, { "contact.gnuplot", plot(rows) } })
end

return function(request, functions)
  if request.folder and (request.csv or request.markdown) then
    return functions.refuse("--out", request.folder, "expected it without --csv and --markdown: it writes both")
  end
  local chosen, word, remedy = choose(request)
  if not chosen then
    return functions.refuse(nil, word, remedy)
  end
  request.functions, request.frames = functions, request.frames or FRAMES
  local machine, heads = tables.describe_machine(request, functions)
  local library, warm_up = functions.library_folder(), request.warm_up
  local rows, failed = runs.collect(chosen, function(case, i)
    functions.progress("scenes", i - 1, #chosen)
    local path = case.path or case.scene and ("%s/../scenes/%s.lua"):format(library, case.scene)
      or library .. "/springtide/commands/contact_scene.lua"
    request.warm_up = warm_up or case.warm_up
    collectgarbage()
    return runs.open_and_measure(request, path, case.set or {}, measure_case(request, case, functions.memory()))
  end)
  if not rows then
    return nil, failed
  end
  if rows[1] then
    local saved, message = write(request, rows, machine, heads)
    if not saved then
      return nil, message
    end
  end
  return not failed
end
