// Writes the annotation file for editors that read LuaLS (EmmyLua) annotations.
#include "script/collider_binding.h"
#include "script/documents.h"

#include <string.h>

// A record can be given as the text of its first field, or as a table.
static void write_type(tide_text *out, const tide_field *field)
{
    char text[384];
    if (field->type == TIDE_FIELD_CHOICE)
        for (size_t i = 0; field->choices[i]; i++)
            tide_text_format(out, "%s\"%s\"", i ? "|" : "", field->choices[i]);
    else if (field->type == TIDE_FIELD_RECORD) {
        write_type(out, field->record);
        tide_text_format(out, "|{ [1]?: string");
        for (const tide_field *inner = field->record; inner->name; inner++) {
            tide_text_format(out, ", %s%s: ", inner->name, inner->required ? "" : "?");
            write_type(out, inner);
        }
        tide_text_format(out, " }");
    } else
        tide_text_format(out, "%s", tide_field_type_text(field, text, sizeof text));
}

// Writes the range or unit and the default, which follow the help.
static void write_limits(tide_text *out, const tide_field *field, const char *separator)
{
    char text[384];
    tide_field_range_text(field, text, sizeof text);
    if (text[0] && field->type != TIDE_FIELD_CHOICE && field->type != TIDE_FIELD_BOOLEAN &&
        field->type != TIDE_FIELD_TEXT && field->type != TIDE_FIELD_RECORD)
        tide_text_format(out, "%s%s", separator, text);
    else if (field->unit)
        tide_text_format(out, "%sin %s", separator, field->unit);
    if (!field->required)
        tide_text_format(out, "%sdefault %s", separator, tide_field_default_text(field, text, sizeof text));
}

static void write_field(tide_text *out, const tide_field *field)
{
    tide_text_format(out, "---@field %s%s ", field->name, field->required ? "" : "?");
    write_type(out, field);
    tide_text_format(out, " # %s", field->help);
    write_limits(out, field, "; ");
    const tide_field *inner = field->type == TIDE_FIELD_RECORD ? field->record : NULL;
    for (; inner && inner->name; inner++) {
        tide_text_format(out, "; %s: %s", inner->name, inner->help);
        write_limits(out, inner, ", ");
    }
    tide_text_format(out, "\n");
}

static void write_table(tide_text *out, const char *name, const char *help, const tide_field *first,
                        const tide_field *second)
{
    tide_text_format(out, "---%s\n---@class %s\n", help, name);
    for (; first->name; first++)
        write_field(out, first);
    for (; second && second->name; second++)
        write_field(out, second);
    tide_text_format(out, "\n");
}

// Writes a member. The type "(i: integer): number" of a method becomes "fun(self: tide.Body, i: integer): number".
static void write_member(tide_text *out, const tide_member *member, const char *class)
{
    if (!member->call) {
        tide_text_format(out, "---@field %s %s # %s\n", member->name, member->type, member->help);
        return;
    }
    bool empty = strncmp(member->type, "()", 2) == 0;
    tide_text_format(out, "---@field %s fun(", member->name);
    if (class)
        tide_text_format(out, "self: %s%s", class, empty ? "" : ", ");
    tide_text_format(out, "%s # %s\n", member->type + 1, member->help);
}

static void write_class(tide_text *out, const tide_class *class)
{
    tide_text_format(out, "---%s\n---@class %s\n", class->help, class->name);
    if (class->element_get)
        tide_text_format(out, "---@field [integer] number\n---@operator len: integer\n");
    if (class == &tide_vector_class)
        tide_text_format(out, "---@operator add(tide.Vector): tide.Vector\n---@operator sub(tide.Vector): tide.Vector\n"
                              "---@operator mul(number): tide.Vector\n---@operator div(number): tide.Vector\n"
                              "---@operator unm: tide.Vector\n");
    if (class == &tide_distance_class)
        tide_text_format(out, "---@operator add(tide.Distance): tide.Distance\n---@operator sub(tide.Distance): "
                              "tide.Distance\n---@operator mul(tide.Distance): tide.Distance\n");
    if (class == &tide_matrix_class)
        tide_text_format(out, "---@operator add(tide.Matrix): tide.Matrix\n---@operator mul(number): tide.Matrix\n"
                              "---@operator mul(tide.Vector): tide.Vector\n");
    for (const tide_member *member = class->members; member->name; member++)
        write_member(out, member, class->name);
    tide_text_format(out, "\n");
}

static void write_solvers(tide_text *out)
{
    const tide_solver_kind *kind;
    char name[64];
    for (uint32_t i = 0; (kind = tide_solver_kind_at(i)) != NULL; i++) {
        tide_text_format(out, "---%s %s\n---@class %s\n---@field [1] \"%s\"\n", kind->help,
                         kind->source ? kind->source : "", tide_document_solver_name(kind, name), kind->name);
        for (const tide_field *field = kind->fields; field->name; field++)
            write_field(out, field);
        tide_text_format(out, "\n");
    }
    tide_text_format(out, "---@alias tide.Solver");
    for (uint32_t i = 0; (kind = tide_solver_kind_at(i)) != NULL; i++)
        tide_text_format(out, "%s%s", i ? "|" : " ", tide_document_solver_name(kind, name));
    tide_text_format(out, "\n\n");
}

static void write_meshes(tide_text *out)
{
    const tide_mesh_builder *builder;
    char name[64];
    for (uint32_t i = 0; (builder = tide_mesh_builder_at(i)) != NULL; i++)
        write_table(out, tide_document_builder_name(builder, name), builder->help, builder->fields, NULL);
    tide_text_format(out, "---@class tide.MeshModule\n");
    for (uint32_t i = 0; (builder = tide_mesh_builder_at(i)) != NULL; i++)
        tide_text_format(out, "---@field %s fun(definition: %s): tide.Mesh # %s\n", builder->name,
                         tide_document_builder_name(builder, name), builder->help);
    for (const tide_member *member = tide_mesh_functions; member->name; member++)
        write_member(out, member, NULL);
    tide_text_format(out, "\n");
}

static void write_distances(tide_text *out)
{
    const tide_distance_builder *builder;
    char name[64];
    for (uint32_t i = 0; (builder = tide_distance_builder_at(i)) != NULL; i++)
        write_table(out, tide_document_distance_name(builder, name), builder->help, builder->fields, NULL);
    tide_text_format(out,
                     "---Distances to combine.\n---@class tide.DistanceParts\n---@field [integer] tide.Distance\n");
    for (const tide_field *field = tide_distance_parts_fields; field->name; field++)
        write_field(out, field);
    tide_text_format(out, "\n");
    write_table(out, "tide.DistanceFunction", "A function as a distance.", tide_distance_function_fields, NULL);
    tide_text_format(out, "---@class tide.DistanceModule\n");
    for (uint32_t i = 0; (builder = tide_distance_builder_at(i)) != NULL; i++)
        tide_text_format(out, "---@field %s fun(definition?: %s): tide.Distance # %s\n", builder->name,
                         tide_document_distance_name(builder, name), builder->help);
    for (const tide_member *member = tide_distance_functions; member->name; member++)
        write_member(out, member, NULL);
    tide_text_format(out, "\n");
}

// Writes a class with the fields common to all shapes, and for each shape a class that adds its own.
static void write_shapes(tide_text *out)
{
    const tide_shape_kind *kind;
    char name[64];
    write_table(out, "tide.ColliderFields", "What colliders of every shape have.", tide_collider_fields + 1, NULL);
    for (uint32_t i = 0; (kind = tide_shape_kind_at(i)) != NULL; i++) {
        tide_text_format(out, "---%s\n---@class %s: tide.ColliderFields\n---@field shape \"%s\"\n", kind->help,
                         tide_document_shape_name(kind, name), kind->name);
        for (const tide_field *field = kind->fields; field->name; field++)
            write_field(out, field);
        tide_text_format(out, "\n");
    }
    tide_text_format(out, "---@alias tide.ColliderDefinition");
    for (uint32_t i = 0; (kind = tide_shape_kind_at(i)) != NULL; i++)
        tide_text_format(out, "%s%s", i ? "|" : " ", tide_document_shape_name(kind, name));
    tide_text_format(out, "\n\n");
}

static void write_records(tide_text *out)
{
    for (const tide_document_record *record = tide_document_records; record->name; record++) {
        tide_text_format(out, "---%s\n---@class %s\n", record->help, record->name);
        for (const char *const *field = record->fields; *field; field += 3)
            tide_text_format(out, "---@field %s %s%s%s\n", field[0], field[1], field[2][0] ? " # " : "", field[2]);
        tide_text_format(out, "\n");
    }
}

tide_status tide_script_write_annotations(const char *path, tide_error *error)
{
    tide_text out = { 0 };
    tide_text_format(&out,
                     "---@meta springtide\n"
                     "-- Annotations from which editors complete scene scripts. Made from the engine's own tables\n"
                     "-- by `springtide reference scripts/springtide/library.lua`; a test compares.\n"
                     "-- luacheck: no max line length\n\n"
                     "---@alias tide.Numbers tide.Vector|tide.Buffer|number[]\n\n");
    for (const tide_document_table *table = tide_document_tables; table->name; table++)
        write_table(&out, table->name, table->help, table->first, table->second);
    write_solvers(&out);
    write_meshes(&out);
    write_distances(&out);
    write_shapes(&out);
    write_records(&out);
    for (const tide_class *const *class = tide_document_classes; *class; class ++)
        write_class(&out, *class);
    tide_text_format(&out, "---@class tide.LinearModule\n");
    for (const tide_member *member = tide_linear_functions; member->name; member++)
        write_member(&out, member, NULL);
    tide_text_format(&out, "\n");
    tide_status status = tide_document_library(&out, true, error);
    tide_text_format(&out, "---@class tide\n---@field version string\n---@field mesh tide.MeshModule\n"
                           "---@field distance tide.DistanceModule\n"
                           "---@field linear tide.LinearModule\n");
    for (const tide_member *member = tide_module_members; member->name; member++)
        write_member(&out, member, NULL);
    tide_text_format(&out, "local tide = {}\n\nreturn tide\n");
    if (status == TIDE_OK)
        return tide_document_write(&out, path, error);
    tide_text_free(&out);
    return status;
}
