-- Pictures of a sweep: each measure over the first axis, a line for each value of the others; or as colours over two
-- axes.
local output = require "springtide.lab.output"
local shared = require "springtide.lab.shared"

local plots = {}

local function label_of(measure)
  return measure.unit and ("%s (%s)"):format(measure.name, measure.unit) or measure.name
end

-- The solver and the values of the axes after `first`: the name of a curve, or of a picture. A comma would end a cell.
local function name_of(sweep, row, first)
  local parts = { row.solver ~= "" and row.solver or nil }
  for i = first, #sweep.axes do
    parts[#parts + 1] = ("%s=%.6g"):format(sweep.axes[i].name, row.values[i])
  end
  return (table.concat(parts, " "):gsub(",", " "))
end

local function sorted_values(rows, axis)
  local seen, values = {}, {}
  for _, row in ipairs(rows) do
    local value = row.values[axis]
    if not seen[value] then
      seen[value] = true
      values[#values + 1] = value
    end
  end
  table.sort(values)
  return values
end

-- The groups of rows with one name, in the order of their first rows: { name, rows }.
local function group(sweep, rows, first)
  local groups, by_name = {}, {}
  for _, row in ipairs(rows) do
    local name = name_of(sweep, row, first)
    if not by_name[name] then
      by_name[name] = { name = name, rows = {} }
      groups[#groups + 1] = by_name[name]
    end
    table.insert(by_name[name].rows, row)
  end
  return groups
end

local function cell(value)
  return shared.is_finite(value) and ("%.12g"):format(value) or "NaN"
end

-- What output.writer saves.
local function as_table(lines)
  return { text = function() return table.concat(lines, "\n") .. "\n" end }
end

-- --- lines -----------------------------------------------------------------------------------------------------------

local function draw_lines(sweep, list, rows, out)
  local axis, groups = sweep.axes[1], group(sweep, rows, 2)
  local heading, lines = { "curve", "x" }, {}
  for _, measure in ipairs(list) do
    heading[#heading + 1] = measure.name
  end
  lines[1] = table.concat(heading, ",")
  for _, one in ipairs(groups) do
    table.sort(one.rows, function(a, b)
      return a.values[1] < b.values[1] or (a.values[1] == b.values[1] and a.number < b.number)
    end)
    for _, row in ipairs(one.rows) do
      local cells = { shared.csv_text(one.name), cell(row.values[1]) }
      for _, measure in ipairs(list) do
        cells[#cells + 1] = cell(row.measures[measure.name])
      end
      lines[#lines + 1] = table.concat(cells, ",")
    end
  end
  out:save("lines.csv", as_table(lines))
  for _, measure in ipairs(list) do
    local curves = {}
    for i, one in ipairs(groups) do
      curves[i] = { title = one.name ~= "" and one.name or nil, filter_column = "curve", filter = one.name, x = "x",
                    y = measure.name }
    end
    out:plot("lines_" .. measure.name, "lines.csv", { title = sweep.scene, x_label = axis.label,
      y_label = label_of(measure), x_logarithmic = axis.logarithmic, curves = curves })
  end
end

-- --- maps ------------------------------------------------------------------------------------------------------------

-- The edges of the cell of each value, half way to its neighbours.
local function edges_of(values, logarithmic)
  local place = logarithmic and math.log or function(x) return x end
  local back = logarithmic and math.exp or place
  local edges = {}
  for i, value in ipairs(values) do
    local here = place(value)
    local before, after = values[i - 1] and place(values[i - 1]), values[i + 1] and place(values[i + 1])
    local low = (here - (before or (after and 2 * here - after or here - 1))) / 2
    local high = ((after or (before and 2 * here - before or here + 1)) - here) / 2
    edges[value] = { back(here - low), back(here + high) }
  end
  return edges
end

local function draw_map(sweep, measure, one, out)
  local lines, edges = { "x,y,x_low,x_high,y_low,y_high,value" }, {}
  for i = 1, 2 do
    edges[i] = edges_of(sorted_values(one.rows, i), sweep.axes[i].logarithmic)
  end
  local some = false
  for _, row in ipairs(one.rows) do
    local x, y, value = row.values[1], row.values[2], row.measures[measure.name]
    if shared.is_finite(value) then
      some = true
      lines[#lines + 1] = table.concat({ cell(x), cell(y), cell(edges[1][x][1]), cell(edges[1][x][2]),
                                         cell(edges[2][y][1]), cell(edges[2][y][2]), cell(value) }, ",")
    end
  end
  if not some then
    return
  end
  local name = shared.file_name("heatmap_" .. measure.name, one.name ~= "" and "_" .. one.name or "", "")
  out:save(name .. ".csv", as_table(lines))
  out:plot(name, name .. ".csv", {
    title = one.name ~= "" and ("%s, %s"):format(sweep.scene, one.name) or sweep.scene,
    x_label = sweep.axes[1].label, y_label = sweep.axes[2].label,
    x_logarithmic = sweep.axes[1].logarithmic, y_logarithmic = sweep.axes[2].logarithmic,
    more = ("set palette defined (0 '#352a87', 1 '#0d75dc', 2 '#12b1b2', 3 '#c6bc5e', 4 '#f9fb0e')\n" ..
      "set cblabel '%s' noenhanced\nset format y '%%g'\nset autoscale fix"):format(label_of(measure):gsub("'", " ")),
    curves = { { x = "x", y = "y", more = { "x_low", "x_high", "y_low", "y_high", "value" },
                 style = "boxxyerror linecolor palette fillstyle solid noborder" } },
  })
end

-- --- both ------------------------------------------------------------------------------------------------------------

-- Returns a remedy if the sweep cannot be drawn so.
function plots.refusal(kind, sweep)
  local needed = kind == "heatmap" and 2 or 1
  if #sweep.axes < needed then
    return ("a plot of this kind needs %d of --vary"):format(needed)
  end
end

function plots.draw(kind, host, sweep, list, rows, folder)
  local out = output.writer(host, folder)
  if kind == "lines" then
    draw_lines(sweep, list, rows, out)
    return
  end
  for _, one in ipairs(group(sweep, rows, 3)) do
    for _, measure in ipairs(list) do
      draw_map(sweep, measure, one, out)
    end
  end
end

return plots
