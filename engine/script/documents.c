// Hands the tables of the engine to scripts/springtide/documents/, as Lua tables.
#define _POSIX_C_SOURCE 200809L // PATH_MAX
#include "base/memory.h"
#include "collision/shape.h"
#include "formats/reading.h"
#include "geometry/tetrahedralize.h"
#include "model/element.h"
#include "script/collider_binding.h"
#include "script/distance_binding.h"
#include "script/joint_binding.h"
#include "script/scene_compare.h"
#include "script/scene_picture.h"
#include "script/symbol_binding.h"
#include "script/tool.h"
#include "springtide.h"
#include "world/joints.h"
#include "world/material.h"

#include <limits.h>

static const struct {
    const char *name;
    const tide_field *fields;
} field_tables[] = {
    { "world", tide_world_fields },
    { "scene", tide_scene_fields },
    { "body", tide_body_fields },
    { "contact", tide_contact_fields },
    { "keyframe", tide_keyframe_fields },
    { "ground", tide_ground_fields },
    { "friction", tide_friction_fields },
    { "camera", tide_camera_fields },
    { "param", tide_param_fields },
    { "load", tide_load_fields },
    { "limited", tide_limited_fields },
    { "colour", tide_colour_fields },
    { "compare_panes", tide_compare_panes_fields },
    { "compare", tide_compare_fields },
    { "elements", tide_element_group_fields },
    { "element", tide_element_fields },
    { "element_parameter", tide_element_parameter_fields },
    { "solver", tide_solver_fields },
    { "solver_option", tide_solver_option_fields },
    { "solver_report", tide_solver_report_fields },
    { "attach", tide_attach_fields },
    { "picture", tide_picture_fields },
    { "attach_collider", tide_attach_collider_fields },
    { "joint", tide_joint_fields },
    { "motor", tide_motor_fields },
    { "mesh_new", tide_mesh_new_fields },
    { "tetrahedralize_source", tide_tetrahedralize_source_fields },
    { "tetrahedralize", tide_mesh_tetrahedralize_fields },
    { "mesh_mend", tide_mesh_mend_fields },
    { "collider", tide_collider_fields },
    { "distance_parts", tide_distance_parts_fields },
    { "distance_function", tide_distance_function_fields },
};

static const struct {
    const char *name;
    const tide_member *members;
} function_tables[] = {
    { "module", tide_module_members },       { "symbols", tide_symbol_functions }, { "mesh", tide_mesh_functions },
    { "distance", tide_distance_functions }, { "linear", tide_linear_functions },
};

static const tide_class *const classes[] = {
    &tide_scene_class,    &tide_body_class,          &tide_collider_class, &tide_mesh_class,
    &tide_distance_class, &tide_buffer_class,        &tide_snapshot_class, &tide_canvas_class,
    &tide_system_class,   &tide_solver_state_class,  &tide_problem_class,  &tide_method_class,
    &tide_vector_class,   &tide_matrix_class,        &tide_factor_class,   &tide_element_kind_class,
    &tide_symbol_class,   &tide_symbol_vector_class, &tide_joint_class,
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void append(lua_State *L) // the value on top, to the list below it
{
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}

static void push_fields(lua_State *L, const tide_field *fields)
{
    static const char *const kinds[] = { "boolean", "integer", "real", "vector", "choice", "text", "record", "other" };
    char text[384];
    luaL_checkstack(L, 8, NULL);
    lua_newtable(L);
    for (const tide_field *field = fields; field->name; field++) {
        lua_newtable(L);
        tide_set_text(L, "name", field->name);
        tide_set_text(L, "kind", kinds[field->type]);
        tide_set_text(L, "type", tide_field_type_text(field, text, sizeof text));
        tide_set_text(L, "default", tide_field_default_text(field, text, sizeof text));
        tide_set_text(L, "range", tide_field_range_text(field, text, sizeof text));
        tide_set_text(L, "unit", field->unit);
        tide_set_text(L, "help", field->help);
        tide_set_flag(L, "required", field->required);
        lua_newtable(L);
        for (size_t i = 0; field->type == TIDE_FIELD_CHOICE && field->choices[i]; i++) {
            lua_pushstring(L, field->choices[i]);
            append(L);
        }
        lua_setfield(L, -2, "choices");
        if (field->type == TIDE_FIELD_RECORD) {
            push_fields(L, field->record);
            lua_setfield(L, -2, "record");
        }
        append(L);
    }
}

static void push_members(lua_State *L, const tide_member *member)
{
    lua_newtable(L);
    for (; member->name; member++) {
        lua_newtable(L);
        tide_set_text(L, "name", member->name);
        tide_set_text(L, "type", member->type);
        tide_set_text(L, "help", member->help);
        tide_set_flag(L, "call", member->call != NULL);
        tide_set_flag(L, "set", member->set != NULL);
        append(L);
    }
}

// Appends { name, help, source, fields } to the list on top.
static void add_kind(lua_State *L, const char *name, const char *help, const char *source, const tide_field *fields)
{
    lua_newtable(L);
    tide_set_text(L, "name", name);
    tide_set_text(L, "help", help);
    tide_set_text(L, "source", source);
    push_fields(L, fields);
    lua_setfield(L, -2, "fields");
    append(L);
}

// Appends { name, help, class, fields } to the list on top.
static void add_material(lua_State *L, const tide_material *material)
{
    lua_newtable(L);
    tide_set_text(L, "name", material->name);
    tide_set_text(L, "help", material->help);
    tide_set_text(L, "class", material->lua_type);
    push_fields(L, material->fields);
    lua_setfield(L, -2, "fields");
    append(L);
}

static void push_kinds(lua_State *L)
{
    const tide_solver_kind *solver;
    const tide_mesh_builder *builder;
    const tide_shape_kind *shape;
    const tide_distance_builder *distance;
    const tide_element_kind *element;
    const tide_material *material;
    lua_newtable(L);
    for (uint32_t i = 0; (solver = tide_solver_kind_at(i)) != NULL; i++)
        add_kind(L, solver->name, solver->help, solver->source, solver->fields);
    lua_setfield(L, -2, "solvers");
    lua_newtable(L);
    for (uint32_t i = 0; (builder = tide_mesh_builder_at(i)) != NULL; i++)
        add_kind(L, builder->name, builder->help, NULL, builder->fields);
    lua_setfield(L, -2, "meshes");
    lua_newtable(L);
    for (uint32_t i = 0; (shape = tide_shape_kind_at(i)) != NULL; i++)
        add_kind(L, shape->name, shape->help, NULL, shape->fields);
    lua_setfield(L, -2, "shapes");
    lua_newtable(L);
    for (uint32_t i = 0; (element = tide_element_kind_at(i)) != NULL; i++)
        if (element->fields)
            add_kind(L, element->name, element->help, NULL, element->fields);
    lua_setfield(L, -2, "elements");
    lua_newtable(L);
    for (uint32_t i = 0; (material = tide_material_at(i)) != NULL; i++)
        add_material(L, material);
    lua_setfield(L, -2, "materials");
    lua_newtable(L);
    for (uint32_t i = 0; (distance = tide_distance_builder_at(i)) != NULL; i++)
        add_kind(L, distance->name, distance->help, NULL, distance->fields);
    lua_setfield(L, -2, "distances");
}

static void push_classes(lua_State *L)
{
    lua_newtable(L);
    for (size_t i = 0; i < COUNT(classes); i++) {
        lua_newtable(L);
        tide_set_text(L, "name", classes[i]->name);
        tide_set_text(L, "label", classes[i]->label);
        tide_set_text(L, "help", classes[i]->help);
        tide_set_flag(L, "indexed", classes[i]->element_get != NULL);
        push_members(L, classes[i]->members);
        lua_setfield(L, -2, "members");
        append(L);
    }
}

// source(module): returns the text of a file of the Lua library.
static int source(lua_State *L)
{
    char folder[PATH_MAX], *bytes = NULL;
    size_t size = 0;
    tide_error error;
    tide_library_find(folder, sizeof folder);
    const char *path = lua_pushfstring(L, "%s/springtide/%s.lua", folder, luaL_checkstring(L, 1));
    tide_raise_unless_ok(L, tide_mesh_file_bytes(path, &bytes, &size, &error), &error);
    lua_pushlstring(L, bytes, size);
    tide_free(bytes);
    return 1;
}

// Adds the materials to the fields of bodies in the table on top.
static void push_body_materials(lua_State *L)
{
    tide_field fields[TIDE_MAX_FIELDS];
    tide_body_join_materials(fields);
    push_fields(L, fields);
    lua_setfield(L, -2, "body");
}

int tide_documents_call(lua_State *L)
{
    lua_newtable(L);
    tide_set_text(L, "version", TIDE_VERSION);
    lua_newtable(L);
    for (size_t i = 0; i < COUNT(field_tables); i++) {
        push_fields(L, field_tables[i].fields);
        lua_setfield(L, -2, field_tables[i].name);
    }
    push_body_materials(L);
    lua_setfield(L, -2, "fields");
    lua_newtable(L);
    for (size_t i = 0; i < COUNT(function_tables); i++) {
        push_members(L, function_tables[i].members);
        lua_setfield(L, -2, function_tables[i].name);
    }
    lua_setfield(L, -2, "functions");
    push_kinds(L);
    push_classes(L);
    lua_setfield(L, -2, "classes");
    lua_pushcfunction(L, tide_tool_nearest);
    lua_setfield(L, -2, "nearest");
    lua_pushcfunction(L, source);
    lua_setfield(L, -2, "source");
    return 1;
}
