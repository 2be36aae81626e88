-- Tables as CSV, and plots by gnuplot. The functions that write files come from `springtide convergence`; scenes and
-- plain Lua have the tables as text.
local gnuplot = require "springtide.lab.gnuplot"
local shared = require "springtide.lab.shared"

local output = {}

-- --- tables ----------------------------------------------------------------------------------------------------------

local table_class = {}
table_class.__index = table_class

-- A table whose first columns are the curve's name, the solver's text and the values on the axes.
function output.table(study, columns)
  local names = { "curve", "solver" }
  for _, axis in ipairs { study.sweep or false, study.across or false } do
    names[#names + 1] = axis and (axis.column or axis.name) or nil
  end
  for _, name in ipairs(columns) do
    names[#names + 1] = name
  end
  return setmetatable({ study = study, lines = { table.concat(names, ",") } }, table_class)
end

-- Adds a row. Cells are numbers, texts, or false for an empty one; numbers that are not finite are empty, too.
function table_class:row(solver, sweep, across, cells)
  local study, row = self.study, {}
  local function add(value)
    row[#row + 1] = type(value) == "string" and shared.csv_text(value) or
      type(value) == "number" and shared.is_finite(value) and ("%.12g"):format(value) or ""
  end
  add(study:label(solver, sweep))
  add(solver or "")
  if study.sweep then
    add(sweep)
  end
  if study.across then
    add(across)
  end
  for _, value in ipairs(cells) do
    add(value)
  end
  self.lines[#self.lines + 1] = table.concat(row, ",")
end

-- Interrupts the line that is plotted.
function table_class:gap()
  self.lines[#self.lines + 1] = ""
end

function table_class:text()
  return table.concat(self.lines, "\n") .. "\n"
end

-- --- files -----------------------------------------------------------------------------------------------------------

local writer_class = {}
writer_class.__index = writer_class

-- Writes into the folder of the program's functions.
function output.writer(functions, folder)
  return setmetatable({ functions = functions, folder = folder }, writer_class)
end

-- Makes the folder, so that a study does not measure in vain.
function writer_class:begin()
  shared.check(self.functions.make_folder())
end

function writer_class:save(name, csv)
  shared.check(self.functions.save(name, csv:text()))
end

-- Writes FOLDER/NAME.gnuplot (gnuplot.lua) for the table of a CSV file, and draws FOLDER/NAME.png.
function writer_class:plot(name, csv, plot)
  shared.check(self.functions.save(name .. ".gnuplot", gnuplot.script(name, csv, plot)))
  local drawn, message = self.functions.draw(name)
  if drawn == nil then
    shared.fail(message)
  end
  if not drawn and not self.told then
    print(("gnuplot is not there to draw: where it is, `gnuplot %s.gnuplot` in %s makes %s.png"):format(
      name, self.folder, name))
    self.told = true
  end
end

return output
