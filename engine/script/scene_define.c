// Reads the tables of tide.scene, of solvers and of cameras.
#include "script/binding.h"

#include "base/decimal.h"
#include "base/megabytes.h"
#include "base/memory.h"
#include "base/portable.h"
#include "draw/world_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The world's settings come first, so that their field table also applies here; contacts have their own.
typedef struct scene_definition {
    tide_world_settings world;
    char title[TIDE_FIELD_TEXT_SIZE];
    bool portable;
} scene_definition;

const tide_field tide_scene_fields[] = {
    { TIDE_MEMBER(scene_definition, title), .type = TIDE_FIELD_TEXT, .initial_text = "",
      .help = "title of the window" },
    { "solver", TIDE_FIELD_OTHER, .lua_type = "string | tide.Solver | table", .initial_text = "\"local_global\"",
      .help = "solver: its name, \"NAME,option=value,...\" or { name, option = value, ... }; one of the engine or one "
              "made by tide.solver" },
    { "contact", TIDE_FIELD_OTHER, .lua_type = "tide.ContactSettings", .initial_text = "its fields' defaults",
      .help = "settings of contact detection and response" },
    { "camera", TIDE_FIELD_OTHER, .lua_type = "tide.Camera", .initial_text = "one that shows the whole scene",
      .help = "the camera" },
    { "ground", TIDE_FIELD_OTHER, .lua_type = "number | boolean | tide.Ground", .unit = "m",
      .initial_text = "drawn where a visible plane is a floor",
      .help = "height of the ground, which is drawn and on which bodies land; true: just below the scene; { height = "
              "..., solid = false }: drawn only; false: none" },
    { "friction_pairs", TIDE_FIELD_OTHER, .lua_type = "any[][]", .initial_text = "none",
      .help =
          "friction of pairs of contact materials, each { \"wool\", \"steel\", 0.3 }: it replaces the coefficients of "
          "both sides, in all directions" },
    { "background", TIDE_FIELD_OTHER, .lua_type = "number[]", .initial_text = "a light grey",
      .help = "background colour: red, green, blue in sRGB" },
    { TIDE_MEMBER(scene_definition, portable), .type = TIDE_FIELD_BOOLEAN,
      .help = "true: the same states, to the bit, on every platform; slower than with wide vectors. The script runs in "
              "this mode from its first line" },
    { 0 },
};

typedef struct camera_definition {
    double position[3], target[3], up[3], field_of_view;
} camera_definition;

const tide_field tide_camera_fields[] = {
    { TIDE_MEMBER(camera_definition, position), .type = TIDE_FIELD_VECTOR, .minimum = -1e9, .maximum = 1e9,
      .required = true, .unit = "m", .help = "position of the camera" },
    { TIDE_MEMBER(camera_definition, target), .type = TIDE_FIELD_VECTOR, .minimum = -1e9, .maximum = 1e9, .unit = "m",
      .help = "point at which the camera looks" },
    { TIDE_MEMBER(camera_definition, up), .type = TIDE_FIELD_VECTOR,
      .initial = { TIDE_NOT_GIVEN, TIDE_NOT_GIVEN, TIDE_NOT_GIVEN }, .minimum = -1, .maximum = 1,
      .initial_text = "{ 0, 1, 0 }, or against gravity where that is along x or z",
      .help = "direction that points up in the picture" },
    { TIDE_MEMBER(camera_definition, field_of_view), .type = TIDE_FIELD_REAL, .initial = { 0.7 }, .minimum = 0.01,
      .maximum = 3, .unit = "rad", .help = "vertical field of view" },
    { 0 },
};

typedef struct load_definition {
    double timestep, time_limit, memory_limit;
    int seed;
    bool portable, trusted, answers;
} load_definition;

const tide_field tide_load_fields[] = {
    { "set", TIDE_FIELD_OTHER, .lua_type = "table<string, number|boolean|string>", .initial_text = "none",
      .help = "values of the script's parameters, { name = value, ... }" },
    { "solver", TIDE_FIELD_OTHER, .lua_type = "string", .initial_text = "the script's",
      .help = "\"NAME\" or \"NAME,option=value,...\" instead of the script's" },
    { TIDE_MEMBER(load_definition, timestep), .type = TIDE_FIELD_REAL, .initial = { TIDE_NOT_GIVEN }, .maximum = 10,
      .positive = true, .unit = "s", .initial_text = "the script's", .help = "overrides the timestep of the script" },
    { TIDE_MEMBER(load_definition, seed), .type = TIDE_FIELD_INTEGER, .minimum = 0, .maximum = INT32_MAX,
      .help = "seed of the world's random generator" },
    { TIDE_MEMBER(load_definition, portable), .type = TIDE_FIELD_BOOLEAN,
      .help = "true: in the portable mode, even if the script does not say so" },
    { TIDE_MEMBER(load_definition, time_limit), .type = TIDE_FIELD_REAL, .maximum = 1e6, .unit = "s",
      .help = "time limit for running the file and for each later scene:step; beyond it they return nil and a message; "
              "0: no limit" },
    { TIDE_MEMBER(load_definition, memory_limit), .type = TIDE_FIELD_REAL, .maximum = 1e6, .unit = "MB",
      .help = "memory limit of the script and its scene, in MB of 2^20 bytes; beyond it these calls fail likewise; 0: "
              "no limit" },
    { TIDE_MEMBER(load_definition, trusted), .type = TIDE_FIELD_BOOLEAN, .initial = { 1 },
      .help =
          "false: the script reads its own file and the Lua library only and writes no files, and its limits are 10 s "
          "and 512 MB where none are given" },
    { TIDE_MEMBER(load_definition, answers), .type = TIDE_FIELD_BOOLEAN,
      .help = "also return the second value that the script returns" },
    { 0 },
};

// --- solvers ---------------------------------------------------------------------------------------------------------

static const char *solver_owner(const tide_solver_kind *kind, char owner[TIDE_OBJECT_TEXT])
{
    snprintf(owner, TIDE_OBJECT_TEXT, "solver \"%.64s\"", kind->name);
    return owner;
}

// Pushes a userdata with the solver's default options.
static void *push_options(lua_State *L, const tide_solver_kind *kind)
{
    void *options = lua_newuserdatauv(L, kind->options_size + 1, 0);
    memset(options, 0, kind->options_size + 1);
    tide_fields_default(kind->fields, options);
    return options;
}

void tide_scene_set_solver(lua_State *L, int index, tide_scene *scene)
{
    char owner[TIDE_OBJECT_TEXT], shown[TIDE_VALUE_TEXT_SIZE];
    int top = lua_gettop(L);
    index = lua_absindex(L, index);
    tide_property_plain(L, index);
    bool table = lua_istable(L, index);
    if (table)
        lua_rawgeti(L, index, 1);
    else
        lua_pushvalue(L, index);
    if (lua_type(L, -1) != LUA_TSTRING)
        tide_raise_bad(L, "scene", "solver", tide_show(L, -1, shown),
                       "expected a name or a table like { \"local_global\", iterations = 10 }");
    if (!table && strchr(lua_tostring(L, -1), ',')) {
        tide_scene_set_solver_text(L, lua_tostring(L, -1), scene);
        lua_settop(L, top);
        return;
    }
    tide_error error;
    const tide_solver_kind *kind = tide_run_find_solver(tide_scene_run_of(L, scene), lua_tostring(L, -1), &error);
    if (!kind)
        tide_raise(L, &error);
    void *options = push_options(L, kind);
    if (table)
        tide_read_fields(L, index, kind->fields, solver_owner(kind, owner), options, 1);
    tide_raise_unless_ok(L, tide_world_set_solver(scene->world, kind, options, &error), &error);
    lua_settop(L, top);
}

static tide_status set_solver_text(lua_State *L, const char *text, tide_scene *scene, tide_error *error)
{
    const tide_solver_kind *kind;
    void *options;
    TIDE_TRY(tide_run_parse_solver(tide_scene_run_of(L, scene), text, &kind, &options, error));
    tide_status status = tide_world_set_solver(scene->world, kind, options, error);
    tide_free(options);
    return status;
}

void tide_scene_set_solver_text(lua_State *L, const char *text, tide_scene *scene)
{
    tide_error error;
    tide_raise_unless_ok(L, set_solver_text(L, text, scene, &error), &error);
}

// Accepts an unknown name, because the script may define a solver of that name later.
static void set_solver_of_run(lua_State *L, const tide_run *run, tide_scene *scene)
{
    tide_error error;
    tide_status status = set_solver_text(L, run->solver, scene, &error);
    scene->awaits_solver = status != TIDE_OK && run->executing && strcmp(error.object, "solver") == 0;
    if (!scene->awaits_solver)
        tide_raise_unless_ok(L, status, &error);
}

void tide_scene_push_solver(lua_State *L, const tide_scene *scene)
{
    const tide_solver *solver = tide_world_solver(scene->world);
    const tide_solver_kind *kind = tide_solver_kind_of(solver);
    lua_newtable(L);
    lua_pushstring(L, kind->name);
    lua_rawseti(L, -2, 1);
    for (const tide_field *field = kind->fields; field->name; field++) {
        tide_push_field(L, field, tide_solver_options(solver));
        lua_setfield(L, -2, field->name);
    }
}

// --- the picture -----------------------------------------------------------------------------------------------------

tide_scene_view tide_scene_view_default(void)
{
    tide_scene_view view = { .stage = tide_draw_stage_default(), .automatic_ground = true, .ground_friction = 0.3 };
    view.stage.has_ground = false;
    return view;
}

void tide_scene_set_camera(lua_State *L, int index, tide_scene *scene)
{
    if (lua_isnil(L, index)) {
        scene->view.has_camera = false;
        return;
    }
    camera_definition given;
    float up[3];
    tide_fields_default(tide_camera_fields, &given);
    tide_read_fields(L, index, tide_camera_fields, "camera", &given, 0);
    if (memcmp(given.position, given.target, sizeof given.target) == 0)
        tide_raise_bad(L, "camera", "position", NULL, "expected another place than the target");
    if (!tide_given(given.up[0]))
        tide_view_up(scene->world, up);
    else
        for (int k = 0; k < 3; k++)
            up[k] = (float)given.up[k];
    if (up[0] == 0 && up[1] == 0 && up[2] == 0)
        tide_raise_bad(L, "camera", "up", "{0, 0, 0}", "expected a direction: numbers that are not all 0");
    tide_draw_camera *camera = &scene->view.camera;
    for (int k = 0; k < 3; k++) {
        camera->position[k] = (float)given.position[k];
        camera->target[k] = (float)given.target[k];
        camera->up[k] = up[k];
    }
    camera->field_of_view = (float)given.field_of_view;
    scene->view.has_camera = true;
}

void tide_scene_set_background(lua_State *L, int index, tide_scene *scene)
{
    static const tide_field field = { "background", TIDE_FIELD_VECTOR, 0, .maximum = 1, .help = "" };
    tide_draw_stage standard = tide_draw_stage_default();
    if (lua_isnil(L, index)) {
        scene->view.stage.background_top = standard.background_top;
        scene->view.stage.background_bottom = standard.background_bottom;
        return;
    }
    double rgb[3];
    tide_read_field(L, index, &field, "scene", rgb);
    tide_colour colour = { (float)rgb[0], (float)rgb[1], (float)rgb[2], 1 };
    scene->view.stage.background_top = scene->view.stage.background_bottom = colour;
}

// --- scenes ----------------------------------------------------------------------------------------------------------

static void read_other(lua_State *L, int index, const char *name, tide_scene *scene,
                       void (*set)(lua_State *, int, tide_scene *))
{
    lua_pushstring(L, name);
    if (lua_rawget(L, index) != LUA_TNIL)
        set(L, lua_gettop(L), scene);
    lua_pop(L, 1);
}

// Meshes and parameters may exist by now, which were computed in the normal mode: a script is run again from its first
// line. In plain Lua the mode begins here.
static void set_mode(lua_State *L, bool portable, tide_run *run, tide_scene *scene)
{
    if (portable && run->executing && !run->portable) {
        run->asks_portable = true;
        tide_raise_bad(L, "scene", "portable", "true",
                       "it was false when the scene was opened, and cannot change while it runs; open the scene again");
    }
    run->portable = run->portable || portable;
    scene->portable = run->portable;
    tide_set_portable(scene->portable);
}

void tide_scene_define(lua_State *L, int index, tide_run *run, tide_scene *scene)
{
    tide_field fields[TIDE_MAX_FIELDS];
    tide_join_fields(tide_world_fields, tide_scene_fields, fields);
    scene_definition given;
    memset(&given, 0, sizeof given);
    tide_fields_default(fields, &given);
    tide_fields_default(tide_contact_fields, &given.world.contact);
    if (!lua_isnoneornil(L, index)) {
        tide_read_fields(L, index, fields, "scene", &given, 0);
        lua_pushliteral(L, "contact");
        if (lua_rawget(L, index) != LUA_TNIL)
            tide_read_fields(L, -1, tide_contact_fields, "contact", &given.world.contact, 0);
        lua_pop(L, 1);
    }
    set_mode(L, given.portable, run, scene);
    if (run->timestep != 0)
        given.world.timestep = run->timestep;
    snprintf(scene->title, sizeof scene->title, "%s", given.title);
    scene->view = tide_scene_view_default();
    tide_error error;
    tide_raise_unless_ok(L, tide_world_create(&given.world, run->predecessor, &scene->world, &error), &error);
    tide_world_set_seed(scene->world, run->seed);
    if (!lua_isnoneornil(L, index)) {
        read_other(L, index, "solver", scene, tide_scene_set_solver);
        read_other(L, index, "camera", scene, tide_scene_set_camera);
        read_other(L, index, "ground", scene, tide_scene_set_ground);
        read_other(L, index, "friction_pairs", scene, tide_scene_set_friction_pairs);
        read_other(L, index, "background", scene, tide_scene_set_background);
    }
    if (run->solver)
        set_solver_of_run(L, run, scene);
}

// --- options of a run ------------------------------------------------------------------------------------------------

// Converts { name = value, ... } on top to a list of settings. A table below it keeps their texts alive.
static void read_settings(lua_State *L, const char *owner, tide_script_options *options)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    int table = lua_gettop(L);
    if (!lua_istable(L, table))
        tide_raise_bad(L, owner, "set", tide_show(L, table, shown), "expected a table like { stiffness = 200 }");
    tide_push_sorted_keys(L, table);
    uint32_t count = (uint32_t)lua_rawlen(L, table + 1);
    tide_setting *settings = lua_newuserdatauv(L, count * sizeof *settings + 1, 1);
    lua_newtable(L); // keeps the texts alive
    for (uint32_t i = 0; i < count; i++) {
        lua_rawgeti(L, table + 1, (lua_Integer)i + 1);
        settings[i].name = tide_check_text(L, -1, owner, "set");
        lua_rawget(L, table);
        if (lua_type(L, -1) == LUA_TBOOLEAN)
            lua_pushstring(L, lua_toboolean(L, -1) ? "true" : "false");
        else if (lua_type(L, -1) == LUA_TNUMBER && !lua_isinteger(L, -1)) {
            char text[40];
            tide_format(text, sizeof text, "%.17g", lua_tonumber(L, -1));
            lua_pushstring(L, text);
        } else if (lua_type(L, -1) == LUA_TSTRING || lua_isinteger(L, -1))
            luaL_tolstring(L, -1, NULL);
        else
            tide_raise_bad(L, owner, settings[i].name, tide_show(L, -1, shown),
                           "expected a number, true, false or a string");
        settings[i].value = lua_tostring(L, -1);
        lua_rawseti(L, table + 3, (lua_Integer)i + 1);
        lua_settop(L, table + 3);
    }
    lua_setiuservalue(L, table + 2, 1);
    options->settings = settings;
    options->setting_count = count;
}

tide_script_options tide_read_load_options(lua_State *L, int index, const char *owner)
{
    tide_script_options options = { 0 };
    if (lua_isnoneornil(L, index))
        return options;
    load_definition given;
    luaL_checkstack(L, 16, NULL);
    index = lua_absindex(L, index);
    tide_fields_default(tide_load_fields, &given);
    tide_read_fields(L, index, tide_load_fields, owner, &given, 0);
    options.timestep = tide_given(given.timestep) ? given.timestep : 0;
    options.seed = (uint64_t)given.seed;
    options.portable = given.portable;
    options.time_limit = given.time_limit;
    options.memory_limit = tide_megabytes(given.memory_limit);
    options.untrusted = !given.trusted;
    options.answers = given.answers;
    if (options.untrusted && !tide_context_of(L)->call) { // else the limits of the running call hold
        options.time_limit = options.time_limit > 0 ? options.time_limit : 10;
        options.memory_limit = options.memory_limit ? options.memory_limit : (size_t)512 << 20;
    }
    lua_pushliteral(L, "solver");
    if (lua_rawget(L, index) != LUA_TNIL)
        options.solver = tide_check_text(L, -1, owner, "solver");
    lua_pushliteral(L, "set");
    if (lua_rawget(L, index) != LUA_TNIL)
        read_settings(L, owner, &options);
    return options;
}
