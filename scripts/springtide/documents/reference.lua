-- The reference page, in Markdown.
local definitions = require "springtide.documents.definitions"
local modules = require "springtide.documents.modules"
local text = require "springtide.documents.text"

local function cell(content)
  return (content:gsub("|", "\\|"))
end

-- Writes a row for each field of the tables. The fields of a record follow it.
local function write_fields(out, ...)
  if not (...)[1] then
    out:add("No options.\n\n")
    return
  end
  out:add("| field | type | default | range | meaning |\n|---|---|---|---|---|\n")
  for _, fields in ipairs { ... } do
    for _, field in ipairs(text.flatten(fields)) do
      local range = field.range ~= "" and field.range or field.unit or ""
      out:add("| `", field.name, "` | ", cell(field.type), " | ", cell(field.default), " | ", cell(range), " | ",
              cell(field.help), " |\n")
    end
  end
  out:add("\n")
end

local function write_members(out, members, before)
  for _, member in ipairs(members) do
    out:add("- `", before, member.name, member.call and "" or ": ", member.type, "`: ", member.help, "\n")
  end
  out:add("\n")
end

local function write_class(out, class)
  out:add("### ", class.name, "\n", class.help, "\n\n")
  for _, member in ipairs(class.members) do
    out:add("- `", class.label, member.call and ":" or ".", member.name, member.call and "" or ": ", member.type, "`: ",
            member.help, (member.call or member.set) and "" or " Read only.", "\n")
  end
  out:add("\n")
end

local function write_kinds(out, kinds, heading)
  for _, kind in ipairs(kinds) do
    out:add("### ", heading:format(kind.name), "\n", kind.help, "\n\n")
    write_fields(out, kind.fields)
  end
end

local colliders = "## Colliders\n`scene:collider(name, { shape = \"NAME\", field = value, ... })`. A collider's "
  .. "position, in `move`, `keyframes` and `move_to`, is where its shape's frame is: `position`, where the shape has "
  .. "this field; otherwise midway between `from` and `to`, or the point of a plane nearest to the origin. It turns "
  .. "about that point. `move` is called before each step, before `update`, with the time at the end of the step; it "
  .. "returns x, y, z or { x, y, z }, after which a rotation { axis x, axis y, axis z, angle } may come, "
  .. "or { position = ..., rotation = ... }. What it leaves out is as the definition has it.\n\n"

local materials = "## Materials\nA body takes them by their names: "
  .. "`scene:body(name, { mesh = box, density = 1000, solid = { young = 2e4 } })`. "
  .. "Several may stand together. The body needs a density, an area density or a mass.\n\n"

local solvers = "## Solvers\n`solver = \"NAME\"` or `solver = { \"NAME\", option = value }`; on a command line "
  .. "`--solver NAME,option=value`. A default like \"auto\" is a text to give, too. An option that has fields of its "
  .. "own, here with a dot, is a text, which is the first of them, or a table: `a.b` is `a = { b = value }`, and on a "
  .. "command line `a.b=value`. The table's other fields have the defaults below; the whole option has its own when it "
  .. "is not given.\n\n"

local objects = "## Objects\n"
  .. "What is not read only is changed by assigning it. `scene.solver` and `scene.camera` give tables whose fields can "
  .. "be assigned, too: `scene.solver.iterations = 5` is `scene.solver = { ... }` with all else as it is now. Lists of "
  .. "numbers, as `scene.gravity`, are assigned as a whole; to assign one of their numbers is an error. Either way a "
  .. "table keeps what was read: assigned again later, it brings that back. What a method returns, as "
  .. "`scene:report()`, belongs to the script.\n\n"

local function write_definitions(out, fields)
  out:add("## Definitions\n")
  for _, definition in ipairs(definitions.definitions) do
    local _, call, help, first, second = table.unpack(definition)
    out:add("### ", call, "\n", help, "\n\n")
    write_fields(out, fields[first], fields[second])
  end
end

local function write_records(out)
  out:add("## Tables that functions return\n")
  for _, record in ipairs(definitions.records) do
    out:add("### ", record[1], "\n", record[2], "\n\n")
    for _, field in ipairs(record[3]) do
      out:add("- `", field[1], ": ", field[2], "` ", field[3], "\n")
    end
    out:add("\n")
  end
end

return function(tables)
  local out, fields, functions = text.new(), tables.fields, tables.functions
  out:add("# Springtide ", tables.version, ": reference\n\nMade from the engine's own tables.\n\n## The module\n",
          "`local tide = require \"springtide\"`\n\n")
  write_members(out, functions.module, "tide.")
  write_definitions(out, fields)
  out:add("## Meshes\n")
  write_kinds(out, tables.meshes, "tide.mesh.%s { ... }")
  write_members(out, functions.mesh, "tide.mesh.")
  out:add("## Distances\nNegative inside, in m.\n\n")
  write_kinds(out, tables.distances, "tide.distance.%s { ... }")
  out:add("### tide.distance.union { a, b, ... }, intersection, difference\nCombinations.\n\n")
  write_fields(out, fields.distance_parts)
  out:add("### tide.distance.fn { ... }\nA function of the script's.\n\n")
  write_fields(out, fields.distance_function)
  write_members(out, functions.distance, "tide.distance.")
  out:add(colliders, "### of every shape\n")
  write_fields(out, fields.collider)
  write_kinds(out, tables.shapes, 'shape = "%s"')
  out:add("## Elements\nA body takes them as `elements = { { \"NAME\", on = \"edges\", field = value }, ... }`.\n\n",
          "### of every kind\n")
  write_fields(out, fields.elements)
  write_kinds(out, tables.elements, '"%s"')
  out:add("### Energies of elements\nFunctions of symbols for the energies of `tide.element`. ",
          "They take numbers, too.\n\n")
  write_members(out, functions.symbols, "tide.")
  out:add(materials)
  write_kinds(out, tables.materials, "%s = { ... }")
  out:add(solvers)
  for _, kind in ipairs(tables.solvers) do
    out:add("### ", kind.name, "\n", kind.help, ". Source: ", kind.source, "\n\n")
    write_fields(out, kind.fields)
  end
  out:add(objects)
  for _, class in ipairs(tables.classes) do
    write_class(out, class)
  end
  write_records(out)
  out:add("## Linear algebra\n")
  write_members(out, functions.linear, "tide.linear.")
  out:add("\n## The Lua library\nModules in Lua that scenes `require`; their sources are in `scripts/springtide`.\n")
  modules.write(out, tables.source, false)
  return out:text()
end
