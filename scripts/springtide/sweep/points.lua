-- Reads a table of points: a first line of names, then rows of as many numbers, with commas between.
local points = {}

local MOST_ROWS = 100000

local function cells_of(line)
  local cells = {}
  for cell in (line .. ","):gmatch "%s*([^,]-)%s*," do
    cells[#cells + 1] = cell
  end
  return cells
end

-- `number` reads a number of a text, or returns nil. Returns the names and a list of values for each, or nil and a
-- remedy.
function points.read(text, number)
  local names, columns, rows, at = nil, {}, 0, 0
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    at = at + 1
    local cells = cells_of(line:gsub("\r$", ""))
    if not names then
      names = cells
      for i, name in ipairs(names) do
        if name == "" or #name > 63 then
          return nil, "expected names of parameters in the first line"
        end
        columns[i] = {}
      end
    elseif line:find "%S" then
      rows = rows + 1
      if #cells ~= #names then
        return nil, ("line %d: expected %d numbers, as the first line has names; it has %d"):format(at, #names, #cells)
      elseif rows > MOST_ROWS then
        return nil, ("expected at most %d rows"):format(MOST_ROWS)
      end
      for i, cell in ipairs(cells) do
        columns[i][rows] = number(cell)
        if not columns[i][rows] then
          return nil, ("line %d: %s = %s: expected a number"):format(at, names[i], cell)
        end
      end
    end
  end
  if rows == 0 then
    return nil, "expected a row of numbers after the names"
  end
  return names, columns
end

return points
