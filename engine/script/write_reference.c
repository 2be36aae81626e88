// Writes the reference page in Markdown.
#include "script/documents.h"

#include "script/collider_binding.h"
#include "springtide.h"

#include <string.h>

// Writes text inside a cell of a table.
static void write_cell(tide_text *out, const char *text)
{
    for (; *text; text++)
        tide_text_format(out, *text == '|' ? "\\%c" : "%c", *text);
}

// Writes a row for each field. The fields of a record follow it.
static void write_rows(tide_text *out, const tide_field *fields, const tide_field *record)
{
    char text[384], name[TIDE_FIELD_NAME_SIZE];
    for (; fields->name; fields++) {
        tide_field field = record ? tide_field_within(record, fields, name) : *fields;
        tide_text_format(out, "| `%s` | ", field.name);
        write_cell(out, tide_field_type_text(&field, text, sizeof text));
        tide_text_format(out, " | ");
        write_cell(out, tide_field_default_text(&field, text, sizeof text));
        tide_text_format(out, " | ");
        tide_field_range_text(&field, text, sizeof text);
        write_cell(out, text[0] || !field.unit ? text : field.unit);
        tide_text_format(out, " | ");
        write_cell(out, field.help);
        tide_text_format(out, " |\n");
        if (field.type == TIDE_FIELD_RECORD)
            write_rows(out, field.record, &field);
    }
}

static void write_fields(tide_text *out, const tide_field *first, const tide_field *second)
{
    if (!first->name) {
        tide_text_format(out, "No options.\n\n");
        return;
    }
    tide_text_format(out, "| field | type | default | range | meaning |\n|---|---|---|---|---|\n");
    write_rows(out, first, NULL);
    if (second)
        write_rows(out, second, NULL);
    tide_text_format(out, "\n");
}

static void write_members(tide_text *out, const tide_member *member, const char *before)
{
    for (; member->name; member++)
        tide_text_format(out, "- `%s%s%s%s`: %s\n", before, member->name, member->call ? "" : ": ", member->type,
                         member->help);
    tide_text_format(out, "\n");
}

static void write_class(tide_text *out, const tide_class *class)
{
    tide_text_format(out, "### %s\n%s\n\n", class->name, class->help);
    for (const tide_member *member = class->members; member->name; member++)
        tide_text_format(out, "- `%s%s%s%s%s`: %s%s\n", class->label, member->call ? ":" : ".", member->name,
                         member->call ? "" : ": ", member->type, member->help,
                         member->call || member->set ? "" : " Read only.");
    tide_text_format(out, "\n");
}

static void write_meshes(tide_text *out)
{
    const tide_mesh_builder *builder;
    tide_text_format(out, "## Meshes\n");
    for (uint32_t i = 0; (builder = tide_mesh_builder_at(i)) != NULL; i++) {
        tide_text_format(out, "### tide.mesh.%s { ... }\n%s\n\n", builder->name, builder->help);
        write_fields(out, builder->fields, NULL);
    }
    write_members(out, tide_mesh_functions, "tide.mesh.");
}

static void write_distances(tide_text *out)
{
    const tide_distance_builder *builder;
    tide_text_format(out, "## Distances\nNegative inside, in m.\n\n");
    for (uint32_t i = 0; (builder = tide_distance_builder_at(i)) != NULL; i++) {
        tide_text_format(out, "### tide.distance.%s { ... }\n%s\n\n", builder->name, builder->help);
        write_fields(out, builder->fields, NULL);
    }
    tide_text_format(out, "### tide.distance.union { a, b, ... }, intersection, difference\nCombinations.\n\n");
    write_fields(out, tide_distance_parts_fields, NULL);
    tide_text_format(out, "### tide.distance.fn { ... }\nA function of the script's.\n\n");
    write_fields(out, tide_distance_function_fields, NULL);
    write_members(out, tide_distance_functions, "tide.distance.");
}

static void write_shapes(tide_text *out)
{
    const tide_shape_kind *kind;
    tide_text_format(out,
                     "## Colliders\n`scene:collider(name, { shape = \"NAME\", field = value, ... })`. A collider's "
                     "position, in `move`, `keyframes` and `move_to`, is where its shape's frame is: the middle of a "
                     "sphere, box, torus, height field, capsule or cylinder; of a plane its point nearest to the "
                     "origin; of a mesh or a distance the origin of its own coordinates. It turns about that point. "
                     "`move` is called before each step, before `update`, with the time at the end of the step; it "
                     "returns x, y, z or { x, y, z }, after which a rotation { axis x, axis y, axis z, angle } may "
                     "come, or { position = ..., rotation = ... }. What it leaves out is as the definition has it.\n\n"
                     "### of every shape\n");
    write_fields(out, tide_collider_fields, NULL);
    for (uint32_t i = 0; (kind = tide_shape_kind_at(i)) != NULL; i++) {
        tide_text_format(out, "### shape = \"%s\"\n%s\n\n", kind->name, kind->help);
        write_fields(out, kind->fields, NULL);
    }
}

static void write_solvers(tide_text *out)
{
    const tide_solver_kind *kind;
    tide_text_format(out,
                     "## Solvers\n`solver = \"NAME\"` or `solver = { \"NAME\", option = value }`; on a command line "
                     "`--solver NAME,option=value`. A default like \"auto\" is a text to give, too. An option that "
                     "has fields of its own, here with a dot, is a text, which is the first of them, or a table: "
                     "`a.b` is `a = { b = value }`, and on a command line `a.b=value`. The table's other fields "
                     "have the defaults below; the whole option has its own when it is not given.\n\n");
    for (uint32_t i = 0; (kind = tide_solver_kind_at(i)) != NULL; i++) {
        tide_text_format(out, "### %s\n%s %s\n\n", kind->name, kind->help, kind->source ? kind->source : "");
        write_fields(out, kind->fields, NULL);
    }
}

tide_status tide_script_write_reference(const char *path, tide_error *error)
{
    tide_text out = { 0 };
    tide_text_format(&out,
                     "# Springtide %s: reference\n\nMade from the engine's own tables.\n\n## The module\n"
                     "`local tide = require \"springtide\"`\n\n",
                     TIDE_VERSION);
    write_members(&out, tide_module_members, "tide.");
    tide_text_format(&out, "## Definitions\n");
    for (const tide_document_table *table = tide_document_tables; table->name; table++) {
        tide_text_format(&out, "### %s\n%s\n\n", table->call, table->help);
        write_fields(&out, table->first, table->second);
    }
    write_meshes(&out);
    write_distances(&out);
    write_shapes(&out);
    write_solvers(&out);
    tide_text_format(&out, "## Objects\n"
                           "What is not read only is changed by assigning it. `scene.solver` and `scene.camera` give "
                           "tables whose fields can be assigned, too: `scene.solver.iterations = 5` is "
                           "`scene.solver = { ... }` with all else as it is now. Lists of numbers, as "
                           "`scene.gravity`, are assigned as a whole; to assign one of their numbers is an error. "
                           "Either way a table keeps what was read: assigned again later, it brings that back. What a "
                           "method returns, as `scene:report()`, belongs to the script.\n\n");
    for (const tide_class *const *class = tide_document_classes; *class; class ++)
        write_class(&out, *class);
    tide_text_format(&out, "## Tables that functions return\n");
    for (const tide_document_record *record = tide_document_records; record->name; record++) {
        tide_text_format(&out, "### %s\n%s\n\n", record->name, record->help);
        for (const char *const *field = record->fields; *field; field += 3)
            tide_text_format(&out, "- `%s: %s` %s\n", field[0], field[1], field[2]);
        tide_text_format(&out, "\n");
    }
    tide_text_format(&out, "## Linear algebra\n");
    write_members(&out, tide_linear_functions, "tide.linear.");
    tide_text_format(&out, "\n## The Lua library\nModules in Lua that scenes `require`; their sources are in "
                           "`scripts/springtide`.\n");
    tide_status status = tide_document_library(&out, false, error);
    if (status == TIDE_OK)
        return tide_document_write(&out, path, error);
    tide_text_free(&out);
    return status;
}
