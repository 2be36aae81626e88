// Hands the tables of the engine to scripts/springtide/documents/, as Lua tables.
#include "script/documents.h"

#include "base/memory.h"
#include "collision/shape.h"
#include "formats/reading.h"
#include "geometry/tetrahedralize.h"
#include "model/element.h"
#include "script/collider_binding.h"
#include "script/distance_binding.h"
#include "script/scene_compare.h"
#include "script/tool.h"
#include "springtide.h"

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
    { "camera", tide_camera_fields },
    { "param", tide_param_fields },
    { "load", tide_load_fields },
    { "colour", tide_colour_fields },
    { "compare_panes", tide_compare_panes_fields },
    { "compare", tide_compare_fields },
    { "elements", tide_element_group_fields },
    { "solver", tide_solver_fields },
    { "solver_option", tide_solver_option_fields },
    { "solver_report", tide_solver_report_fields },
    { "attach", tide_attach_fields },
    { "attach_collider", tide_attach_collider_fields },
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
    { "module", tide_module_members },
    { "mesh", tide_mesh_functions },
    { "distance", tide_distance_functions },
    { "linear", tide_linear_functions },
};

static const tide_class *const classes[] = {
    &tide_scene_class,   &tide_body_class,     &tide_collider_class, &tide_mesh_class,   &tide_distance_class,
    &tide_buffer_class,  &tide_snapshot_class, &tide_canvas_class,   &tide_system_class, &tide_solver_state_class,
    &tide_problem_class, &tide_method_class,   &tide_vector_class,   &tide_matrix_class, &tide_factor_class,
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void set_text(lua_State *L, const char *name, const char *text)
{
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
}

static void set_flag(lua_State *L, const char *name, bool flag)
{
    lua_pushboolean(L, flag);
    lua_setfield(L, -2, name);
}

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
        set_text(L, "name", field->name);
        set_text(L, "kind", kinds[field->type]);
        set_text(L, "type", tide_field_type_text(field, text, sizeof text));
        set_text(L, "default", tide_field_default_text(field, text, sizeof text));
        set_text(L, "range", tide_field_range_text(field, text, sizeof text));
        set_text(L, "unit", field->unit);
        set_text(L, "help", field->help);
        set_flag(L, "required", field->required);
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
        set_text(L, "name", member->name);
        set_text(L, "type", member->type);
        set_text(L, "help", member->help);
        set_flag(L, "call", member->call != NULL);
        set_flag(L, "set", member->set != NULL);
        append(L);
    }
}

// Appends { name, help, source, fields } to the list on top.
static void add_kind(lua_State *L, const char *name, const char *help, const char *source, const tide_field *fields)
{
    lua_newtable(L);
    set_text(L, "name", name);
    set_text(L, "help", help);
    set_text(L, "source", source);
    push_fields(L, fields);
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
    for (uint32_t i = 0; (distance = tide_distance_builder_at(i)) != NULL; i++)
        add_kind(L, distance->name, distance->help, NULL, distance->fields);
    lua_setfield(L, -2, "distances");
}

static void push_classes(lua_State *L)
{
    lua_newtable(L);
    for (size_t i = 0; i < COUNT(classes); i++) {
        lua_newtable(L);
        set_text(L, "name", classes[i]->name);
        set_text(L, "label", classes[i]->label);
        set_text(L, "help", classes[i]->help);
        set_flag(L, "indexed", classes[i]->element_get != NULL);
        push_members(L, classes[i]->members);
        lua_setfield(L, -2, "members");
        append(L);
    }
}

// source(module): returns the text of a file of the Lua library. Upvalue: the run.
static int source(lua_State *L)
{
    const tide_run *run = tide_run_of_upvalue(L);
    const char *path = lua_pushfstring(L, "%s/springtide/%s.lua", run->library, luaL_checkstring(L, 1));
    char *bytes = NULL;
    size_t size = 0;
    tide_error error;
    tide_raise_unless_ok(L, tide_mesh_file_bytes(path, &bytes, &size, &error), &error);
    lua_pushlstring(L, bytes, size);
    tide_free(bytes);
    return 1;
}

typedef struct document {
    const char *which, *name;
    tide_text *out;
    tide_status status;
    tide_error *error;
} document;

static int push_arguments(lua_State *L, int run, void *context)
{
    const document *what = context;
    lua_pushstring(L, what->which);
    lua_newtable(L);
    set_text(L, "version", TIDE_VERSION);
    lua_newtable(L);
    for (size_t i = 0; i < COUNT(field_tables); i++) {
        push_fields(L, field_tables[i].fields);
        lua_setfield(L, -2, field_tables[i].name);
    }
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
    lua_pushvalue(L, run);
    lua_pushcclosure(L, source, 1);
    lua_setfield(L, -2, "source");
    lua_pushstring(L, what->name);
    return 3;
}

// Takes the text, or nil and { object, field, value, remedy }, the error of an unknown name.
static void take_document(lua_State *L, void *context)
{
    document *what = context;
    size_t size;
    const char *text = lua_tolstring(L, -2, &size);
    if (text) {
        tide_text_add(what->out, text, size);
        return;
    }
    luaL_checktype(L, -1, LUA_TTABLE);
    static const char *const keys[] = { "object", "field", "value", "remedy" };
    const char *parts[4];
    for (int i = 0; i < 4; i++) {
        lua_getfield(L, -1 - i, keys[i]);
        parts[i] = lua_tostring(L, -1);
    }
    what->status = tide_fail(what->error, TIDE_ERROR_ARGUMENT, parts[0], parts[1], parts[2], "%s", parts[3]);
}

tide_status tide_document_write(const char *which, const char *name, tide_text *out, tide_error *error)
{
    document what = { which, name, out, TIDE_OK, error };
    const tide_tool tool = { "springtide.documents.write", push_arguments, take_document, &what };
    tide_status status = tide_tool_run(&tool, error);
    return status == TIDE_OK ? what.status : status;
}
