-- The annotation file, for editors that read LuaLS (EmmyLua) annotations.
local definitions = require "springtide.documents.definitions"
local modules = require "springtide.documents.modules"
local text = require "springtide.documents.text"

-- A record can be given as the text of its first field, or as a table.
local function type_of(field)
  if field.kind == "choice" then
    return '"' .. table.concat(field.choices, '"|"') .. '"'
  elseif field.kind ~= "record" then
    return field.type
  end
  local parts = { type_of(field.record[1]), "|{ [1]?: string" }
  for _, inner in ipairs(field.record) do
    parts[#parts + 1] = ", " .. inner.name .. (inner.required and "" or "?") .. ": " .. type_of(inner)
  end
  return table.concat(parts) .. " }"
end

local no_range = { choice = true, boolean = true, text = true, record = true }

-- Writes the range or unit and the default, which follow the help.
local function write_limits(out, field, separator)
  if field.range ~= "" and not no_range[field.kind] then
    out:add(separator, field.range)
  elseif field.unit then
    out:add(separator, "in ", field.unit)
  end
  if not field.required then
    out:add(separator, "default ", field.default)
  end
end

local function write_field(out, field)
  out:add("---@field ", field.name, field.required and "" or "?", " ", type_of(field), " # ", field.help)
  write_limits(out, field, "; ")
  for _, inner in ipairs(field.record or {}) do
    out:add("; ", inner.name, ": ", inner.help)
    write_limits(out, inner, ", ")
  end
  out:add("\n")
end

local function write_fields(out, fields, first)
  for i = first or 1, #fields do
    write_field(out, fields[i])
  end
end

local function write_table(out, name, help, fields, second)
  out:add("---", help, "\n---@class ", name, "\n")
  write_fields(out, fields)
  write_fields(out, second or {})
  out:add("\n")
end

-- Writes a member. The type "(i: integer): number" of a method becomes "fun(self: tide.Body, i: integer): number".
local function write_member(out, member, class)
  if not member.call then
    out:add("---@field ", member.name, " ", member.type, " # ", member.help, "\n")
    return
  end
  local self = class and "self: " .. class .. (member.type:sub(1, 2) == "()" and "" or ", ") or ""
  out:add("---@field ", member.name, " fun(", self, member.type:sub(2), " # ", member.help, "\n")
end

local function write_members(out, members, class)
  for _, member in ipairs(members) do
    write_member(out, member, class)
  end
end

local operators = {
  ["tide.Vector"] = { "add(tide.Vector): tide.Vector", "sub(tide.Vector): tide.Vector", "mul(number): tide.Vector",
                      "div(number): tide.Vector", "unm: tide.Vector" },
  ["tide.Distance"] = { "add(tide.Distance): tide.Distance", "sub(tide.Distance): tide.Distance",
                        "mul(tide.Distance): tide.Distance" },
  ["tide.Symbol"] = { "add(tide.Symbol|number): tide.Symbol", "sub(tide.Symbol|number): tide.Symbol",
                      "mul(tide.Symbol|number): tide.Symbol", "mul(tide.SymbolVector): tide.SymbolVector",
                      "div(tide.Symbol|number): tide.Symbol", "pow(tide.Symbol|number): tide.Symbol",
                      "unm: tide.Symbol" },
  ["tide.SymbolVector"] = { "add(tide.SymbolVector|number[]): tide.SymbolVector",
                            "sub(tide.SymbolVector|number[]): tide.SymbolVector",
                            "mul(tide.Symbol|number): tide.SymbolVector",
                            "div(tide.Symbol|number): tide.SymbolVector", "unm: tide.SymbolVector" },
  ["tide.Matrix"] = { "add(tide.Matrix): tide.Matrix", "sub(tide.Matrix): tide.Matrix", "mul(number): tide.Matrix",
                      "mul(tide.Matrix): tide.Matrix", "mul(tide.Numbers): tide.Vector", "div(number): tide.Matrix",
                      "unm: tide.Matrix" },
}

local function write_class(out, class)
  out:add("---", class.help, "\n---@class ", class.name, "\n")
  if class.indexed then
    out:add("---@field [integer] number\n---@operator len: integer\n")
  end
  for _, operator in ipairs(operators[class.name] or {}) do
    out:add("---@operator ", operator, "\n")
  end
  write_members(out, class.members, class.name)
  out:add("\n")
end

local function write_alias(out, alias, prefix, kinds)
  local names = {}
  for i, kind in ipairs(kinds) do
    names[i] = text.camel(prefix, kind.name)
  end
  out:add("---@alias ", alias, " ", table.concat(names, "|"), "\n\n")
end

local function write_solvers(out, kinds)
  for _, kind in ipairs(kinds) do
    out:add("---", kind.help, ". Source: ", kind.source, "\n---@class ", text.camel("tide.Solver", kind.name),
            '\n---@field [1] "', kind.name, '"\n')
    write_fields(out, kind.fields)
    out:add("\n")
  end
  write_alias(out, "tide.Solver", "tide.Solver", kinds)
end

-- Writes the module with a function for each kind. `argument`: "definition" or "definition?".
local function write_builders(out, kinds, prefix, module, argument, result, functions)
  out:add("---@class ", module, "\n")
  for _, kind in ipairs(kinds) do
    out:add("---@field ", kind.name, " fun(", argument, ": ", text.camel(prefix, kind.name), "): ", result, " # ",
            kind.help, "\n")
  end
  write_members(out, functions)
  out:add("\n")
end

local function write_meshes(out, tables)
  for _, kind in ipairs(tables.meshes) do
    write_table(out, text.camel("tide.Mesh", kind.name), kind.help, kind.fields)
  end
  write_builders(out, tables.meshes, "tide.Mesh", "tide.MeshModule", "definition", "tide.Mesh", tables.functions.mesh)
end

local function write_distances(out, tables)
  for _, kind in ipairs(tables.distances) do
    write_table(out, text.camel("tide.Distance", kind.name), kind.help, kind.fields)
  end
  out:add("---Distances to combine.\n---@class tide.DistanceParts\n---@field [integer] tide.Distance\n")
  write_fields(out, tables.fields.distance_parts)
  out:add("\n")
  write_table(out, "tide.DistanceFunction", "A function as a distance.", tables.fields.distance_function)
  write_builders(out, tables.distances, "tide.Distance", "tide.DistanceModule", "definition?", "tide.Distance",
                 tables.functions.distance)
end

-- Writes a class with the fields common to all shapes, and for each shape a class that adds its own.
local function write_shapes(out, tables)
  out:add("---What colliders of every shape have.\n---@class tide.ColliderFields\n")
  write_fields(out, tables.fields.collider, 2) -- the first is `shape`
  out:add("\n")
  for _, kind in ipairs(tables.shapes) do
    out:add("---", kind.help, "\n---@class ", text.camel("tide.Collider", kind.name),
            ': tide.ColliderFields\n---@field shape "', kind.name, '"\n')
    write_fields(out, kind.fields)
    out:add("\n")
  end
  write_alias(out, "tide.ColliderDefinition", "tide.Collider", tables.shapes)
end

-- The same for kinds of element, whose name is the first value of their table.
local function write_elements(out, tables)
  write_table(out, "tide.ElementFields", "What elements of every kind have.", tables.fields.elements)
  for _, kind in ipairs(tables.elements) do
    out:add("---", kind.help, "\n---@class ", text.camel("tide.Element", kind.name),
            ': tide.ElementFields\n---@field [1] "', kind.name, '"\n')
    write_fields(out, kind.fields)
    out:add("\n")
  end
  out:add("---Elements of a kind that tide.element made; its parameters by name.\n",
          "---@class tide.ElementOwn: tide.ElementFields\n",
          "---@field [1] tide.ElementKind\n---@field [string] number\n\n")
  local all = table.move(tables.elements, 1, #tables.elements, 1, {})
  all[#all + 1] = { name = "own" }
  write_alias(out, "tide.Element", "tide.Element", all)
end

local function write_materials(out, tables)
  for _, kind in ipairs(tables.materials) do
    write_table(out, kind.class, "The material `" .. kind.name .. "`: " .. kind.help .. ".", kind.fields)
  end
end

local function write_records(out)
  for _, record in ipairs(definitions.records) do
    out:add("---", record[2], "\n---@class ", record[1], "\n")
    for _, field in ipairs(record[3]) do
      out:add("---@field ", field[1], " ", field[2], field[3] and " # ", field[3], "\n")
    end
    out:add("\n")
  end
end

local head = [[
---@meta springtide
-- Annotations from which editors complete scene scripts. Made from the engine's own tables
-- by `springtide reference scripts/springtide/library.lua`; a test compares.
-- luacheck: no max line length

---@alias tide.Numbers tide.Vector|tide.Buffer|number[]

]]

return function(tables)
  local out, fields = text.new(), tables.fields
  out:add(head)
  for _, definition in ipairs(definitions.definitions) do
    local name, _, help, first, second = table.unpack(definition)
    write_table(out, name, help, fields[first], fields[second])
  end
  write_solvers(out, tables.solvers)
  write_meshes(out, tables)
  write_distances(out, tables)
  write_shapes(out, tables)
  write_elements(out, tables)
  write_materials(out, tables)
  write_records(out)
  for _, class in ipairs(tables.classes) do
    write_class(out, class)
  end
  out:add("---@class tide.LinearModule\n")
  write_members(out, tables.functions.linear)
  out:add("\n")
  modules.write(out, tables.source, true)
  out:add("---@class tide\n---@field version string\n---@field mesh tide.MeshModule\n",
          "---@field distance tide.DistanceModule\n---@field linear tide.LinearModule\n")
  write_members(out, tables.functions.module)
  write_members(out, tables.functions.symbols)
  out:add("local tide = {}\n\nreturn tide\n")
  return out:text()
end
