-- Plots as gnuplot scripts. The data are in a CSV file with named columns. The script stands beside it, so that a user
-- can change it and run it again.
--
--   gnuplot.script("error", "convergence.csv", { title = "Error", x_label = "iterations", curves = {
--     { x = "iteration", y = "sqrt($error)", title = "newton", filter_column = "curve", filter = "newton" },
--   } })
--
-- A plot has title, x_label, y_label, x_logarithmic, y_logarithmic, x_minimum, x_maximum, y_minimum, y_maximum, more
-- (lines of gnuplot before the plot command) and curves. A curve has:
--   x, y         names of columns (letters, digits, _ and dots), or expressions in which $name is a column
--   more         a list of further columns of the style
--   title        its name in the legend
--   filter_column, filter    only rows with this text in that column
--   style        of gnuplot, "points pointtype 7"; default "linespoints"
--   csv          another file in the same folder
local gnuplot = {}

-- A text as a gnuplot string with exactly these bytes. All external text in a script goes through it. In single quotes
-- gnuplot reads every byte literally, except a newline, which ends the command, and a quote. In double quotes it reads
-- \ooo as a byte, and following digits as part of it, so digits are written that way too.
function gnuplot.quote(content)
  if not content:find("[%c']") then
    return "'" .. content .. "'"
  end
  return '"' .. content:gsub("[^A-Za-z ]", function(c) return ("\\%03o"):format(c:byte()) end) .. '"'
end

local function column(name)
  return "column('" .. name .. "')"
end

local function expression(text)
  return text:find("^[%a_][%w_.]*$") and column(text) or (text:gsub("%$([%w_.]*)", column))
end

-- Tics of a logarithmic axis that is too short for decades alone: 1, 2 and 5 of every decade.
local function short_tics(axis, minimum, maximum)
  local tics = {}
  for decade = math.floor(math.log(minimum, 10)), math.floor(math.log(maximum, 10)) do
    for _, part in ipairs { 1, 2, 5 } do
      local tic = part * 10.0 ^ decade
      if tic >= minimum and tic <= maximum then
        tics[#tics + 1] = ("%.9g"):format(tic)
      end
    end
  end
  return ("set format %s '%%g'\nset %stics (%s)"):format(axis, axis, table.concat(tics, ", "))
end

local function add_axis(lines, axis, plot)
  local logarithmic = plot[axis .. "_logarithmic"]
  local minimum, maximum = plot[axis .. "_minimum"] or 0, plot[axis .. "_maximum"] or 0
  if logarithmic then
    lines[#lines + 1] = ("set logscale %s\nset format %s '%s'"):format(axis, axis, axis == "x" and "%g" or "10^{%T}")
  end
  if minimum < maximum then
    lines[#lines + 1] = ("set %srange [%.9g:%.9g]"):format(axis, minimum, maximum)
    if logarithmic and minimum > 0 and maximum / minimum < 1000 then
      lines[#lines + 1] = short_tics(axis, minimum, maximum)
    end
  end
end

local function add_label(lines, what, label)
  if label then
    lines[#lines + 1] = ("set %s %s noenhanced"):format(what, gnuplot.quote(label))
  end
end

-- Colours for colour-blind readers (Okabe and Ito 2008), each with its own mark.
local colours = { "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c564b" }
local marks = { 7, 5, 9, 11, 13, 4, 6, 8 }

local function add_look(lines)
  for i = 0, 3 * #colours - 1 do
    local turn = i // #colours
    lines[#lines + 1] = ("set linetype %d linecolor rgb '%s' pointtype %d dashtype %d linewidth 1.5"):format(
      i + 1, colours[i % #colours + 1], marks[(i + turn) % #colours + 1], turn + 1)
  end
  lines[#lines + 1] = [[
set border linecolor rgb '#404040'
set grid linecolor rgb '#dddddd' linewidth 0.7
set tics nomirror
set key outside right top Left reverse noenhanced samplen 2 spacing 1.3]]
end

local function curve_text(curve, csv)
  local columns = { expression(curve.x), expression(curve.y) }
  if curve.filter then
    columns[1] = ("strcol(%s) eq %s ? %s : NaN"):format(gnuplot.quote(curve.filter_column), gnuplot.quote(curve.filter),
                                                        columns[1])
  end
  for _, more in ipairs(curve.more or {}) do
    columns[#columns + 1] = expression(more)
  end
  return ("%s using (%s) with %s %s"):format(gnuplot.quote(curve.csv or csv), table.concat(columns, "):("),
    curve.style or "linespoints", curve.title and "title " .. gnuplot.quote(curve.title) or "notitle")
end

-- Returns the script. `picture` can be set as a variable: gnuplot -e "picture = 'other.png'" NAME.gnuplot.
function gnuplot.script(name, csv, plot)
  local lines = {
    "set terminal pngcairo size 1100,640 font ',11' linewidth 1.2 background rgb 'white'",
    "if (!exists('picture')) picture = " .. gnuplot.quote(name .. ".png"),
    "set output picture",
    "set datafile separator ','",
    "set datafile missing NaN",
    "set datafile commentschars ''", -- a row may begin with the name of a parameter, such as #
  }
  add_look(lines)
  add_label(lines, "title", plot.title)
  add_label(lines, "xlabel", plot.x_label)
  add_label(lines, "ylabel", plot.y_label)
  add_axis(lines, "x", plot)
  add_axis(lines, "y", plot)
  lines[#lines + 1] = plot.more
  local curves = {}
  for i, curve in ipairs(plot.curves) do
    curves[i] = curve_text(curve, csv)
  end
  return table.concat(lines, "\n") .. "\nplot " .. table.concat(curves, ", \\\n     ") .. "\n"
end

return gnuplot
