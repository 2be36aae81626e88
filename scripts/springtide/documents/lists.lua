-- The lists of `springtide solvers`, `meshes`, `shapes`, `elements` and `materials`.
local text = require "springtide.documents.text"

-- Rows of a table of fields. A record's own fields follow it.
local function add_rows(rows, fields)
  for _, field in ipairs(text.flatten(fields)) do
    local default = field.required and "required" or field.default
    rows[#rows + 1] = { field.name, field.type, default, field.range, field.help }
  end
end

-- Writes a table with its heading; each column is as wide as its widest entry.
local function write_fields(out, fields)
  if not fields[1] then
    out:add("    (no options)\n")
    return
  end
  local rows, widths = { { "option", "type", "default", "range", "meaning" } }, { 0, 0, 0, 0 }
  add_rows(rows, fields)
  for _, row in ipairs(rows) do
    for i, width in ipairs(widths) do
      widths[i] = math.max(width, #row[i])
    end
  end
  for _, row in ipairs(rows) do
    local cells = {}
    for i, width in ipairs(widths) do
      cells[i] = row[i] .. (" "):rep(width - #row[i])
    end
    out:add("    ", table.concat(cells, "  "), "  ", row[5], "\n")
  end
end

local function write_kind(out, kind, is_default)
  out:add(kind.name, is_default and " (the default)" or "", "\n    ", kind.help, "\n")
  if kind.source then
    out:add("    ", kind.source, "\n")
  end
  write_fields(out, kind.fields)
end

local function names_of(kinds)
  local names = {}
  for i, kind in ipairs(kinds) do
    names[i] = kind.name
  end
  return names
end

local function unknown_solver(name, names, nearest)
  return { object = "solver", field = "name", value = ('"%s"'):format(name),
           remedy = nearest and ('unknown solver; did you mean "%s"?'):format(nearest)
             or "unknown solver; known are " .. table.concat(names, ", ") }
end

local function unknown(object, kind, command)
  return function(name, _, nearest)
    return { object = object, value = name, remedy = ("there is no such %s;%s `springtide %s` lists them"):format(
      kind, nearest and (" did you mean %s?"):format(nearest) or "", command) }
  end
end

local lists = {
  solvers = { unknown = unknown_solver, head = [[
In a scene: solver = { "NAME", option = value }. On the command line: --solver NAME,option=value
An option a.b belongs to a: a = "TEXT" or a = { "TEXT", b = value }; on the command line a=TEXT,a.b=value
]] },
  meshes = { unknown = unknown("mesh", "builder", "meshes"),
             head = "In a scene: tide.mesh.NAME { option = value }; tide.mesh.load(file) reads .obj, "
               .. ".ply, .stl, .mesh, .node, .ele and .msh\n" },
  shapes = { unknown = unknown("shape", "shape", "shapes"), head = [[
In a scene: scene:collider(name, { shape = "NAME", option = value, ... }). Of every shape:
]], common = "collider" },
  elements = { unknown = unknown("element", "kind of element", "elements"), head = [[
In a scene: scene:body(name, { elements = { { "NAME", on = "edges", parameter = value }, ... }, ... }). Of every kind:
]], common = "elements" },
  materials = { unknown = unknown("material", "material", "materials"), head = [[
In a scene: scene:body(name, { NAME = { option = value, ... }, density = 1000, ... })
]] },
}

return function(tables, which, name)
  local out, kinds, list = text.new(), tables[which], lists[which]
  if name then
    for _, kind in ipairs(kinds) do
      if kind.name == name then
        write_kind(out, kind, which == "solvers" and kind == kinds[1])
        return out:text()
      end
    end
    local names = names_of(kinds)
    return nil, list.unknown(name, names, tables.nearest(name, names))
  end
  out:add(list.head, "\n")
  if list.common then
    write_fields(out, tables.fields[list.common])
    out:add("\n")
  end
  for i, kind in ipairs(kinds) do
    out:add(i > 1 and "\n" or "")
    write_kind(out, kind, which == "solvers" and i == 1)
  end
  return out:text()
end
