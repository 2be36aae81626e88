// Scenes in Lua: the class, and tide.scene, which makes one.
#include "script/binding.h"
#include "script/collider_binding.h"
#include "script/scene_compare.h"
#include "script/scene_picture.h"
#include "script/scene_plot.h"

#include "base/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// --- steps and callbacks ---------------------------------------------------------------------------------------------

static int step(lua_State *L)
{
    tide_scene *scene = tide_scene_self(L);
    tide_error error;
    lua_Integer count = lua_isnoneornil(L, 2) ? 1 : tide_check_integer(L, 2, 0, INT32_MAX, "scene", "step");
    for (; count > 0; count--) {
        tide_check_limit(L);
        if (tide_scene_step(L, scene, TIDE_STEP_WHOLE, &error) != TIDE_OK) {
            tide_check_limit(L); // of the enclosing call
            const char *file;
            int line;
            if (error.status == TIDE_ERROR_STATE && tide_lua_place(L, &file, &line))
                tide_error_locate(&error, file, line);
            tide_push_failure(L, &error);
            lua_pushboolean(L, error.status == TIDE_ERROR_NUMERIC);
            return 3;
        }
        tide_console_note_step(L, scene);
    }
    lua_pushboolean(L, 1);
    return 1;
}

static _Noreturn void refuse_callback(lua_State *L, const char *name, int value)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    bool settings = strcmp(name, "contact") == 0 && lua_istable(L, value);
    tide_raise_bad(L, "scene", name, tide_show(L, value, shown), "expected a function%s",
                   settings ? "; how touching is answered is given in tide.scene { contact = { ... } }" : "");
}

// Warns of `function scene:update(dt)`: its first parameter is `self`, which then receives dt, while the script's dt is
// nil.
static void warn_of_colon(lua_State *L, const char *name)
{
    const char *file;
    int line;
    lua_pushvalue(L, 3);
    const char *first = lua_getlocal(L, NULL, 1);
    lua_pop(L, 1);
    if (first && strcmp(first, "self") == 0 && tide_lua_place(L, &file, &line))
        tide_log(TIDE_LOG_WARNING,
                 "%s:%d: scene: %s: a colon makes its first argument `self`; write a dot, function scene.%s(...)", file,
                 line, name, name);
}

static int get_callback(lua_State *L)
{
    if (!tide_scene_push_callback(L, tide_scene_self(L), lua_tostring(L, 2)))
        lua_pushnil(L);
    return 1;
}

static int set_callback(lua_State *L)
{
    tide_scene *scene = tide_scene_self(L);
    if (!lua_isnil(L, 3) && !lua_isfunction(L, 3))
        refuse_callback(L, lua_tostring(L, 2), 3);
    if (lua_isfunction(L, 3))
        warn_of_colon(L, lua_tostring(L, 2));
    tide_scene_push_core(L, scene);
    lua_getiuservalue(L, -1, TIDE_CORE_CALLBACKS);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, 3);
    lua_rawset(L, -3);
    return 0;
}

// --- reports ---------------------------------------------------------------------------------------------------------

static int energy(lua_State *L)
{
    tide_energy found;
    tide_error error;
    tide_raise_unless_ok(L, tide_world_energy(tide_scene_self(L)->world, &found, &error), &error);
    lua_createtable(L, 0, 4);
    tide_set_number(L, "kinetic", found.kinetic);
    tide_set_number(L, "elastic", found.elastic);
    tide_set_number(L, "gravity", found.gravity);
    tide_set_number(L, "total", found.total);
    return 1;
}

static int report(lua_State *L)
{
    const tide_world *world = tide_scene_self(L)->world;
    tide_report_push(L, tide_solver_kind_of(tide_world_solver(world))->name, tide_world_report(world));
    return 1;
}

static int solver_info(lua_State *L)
{
    tide_solver_info_push(L, tide_solver_kind_of(tide_world_solver(tide_scene_self(L)->world)));
    return 1;
}

static int hash(lua_State *L)
{
    uint64_t found;
    tide_error error;
    char text[17];
    tide_raise_unless_ok(L, tide_world_hash(tide_scene_self(L)->world, &found, &error), &error);
    snprintf(text, sizeof text, "%016" PRIx64, found);
    lua_pushstring(L, text);
    return 1;
}

static int reset(lua_State *L)
{
    tide_error error;
    tide_raise_unless_ok(L, tide_world_reset(tide_scene_self(L)->world, &error), &error);
    lua_settop(L, 1);
    return 1;
}

TIDE_GETTER(scene_random, lua_pushnumber, tide_random_uniform(tide_world_random(tide_scene_self(L)->world)));

// --- properties ------------------------------------------------------------------------------------------------------

TIDE_GETTER(get_time, lua_pushnumber, tide_world_time(tide_scene_self(L)->world));
TIDE_GETTER(get_frame, lua_pushinteger, (lua_Integer)tide_world_frame(tide_scene_self(L)->world));

static const tide_field *setting_field(lua_State *L)
{
    const tide_field *field = tide_world_fields;
    while (strcmp(field->name, lua_tostring(L, 2)) != 0)
        field++;
    return field;
}

static int get_setting(lua_State *L)
{
    const tide_field *field = setting_field(L);
    tide_push_field(L, field, tide_world_get_settings(tide_scene_self(L)->world));
    if (field->type == TIDE_FIELD_VECTOR)
        tide_property_table(L, 1, "scene", field->name, field->name);
    return 1;
}

static int set_setting(lua_State *L)
{
    tide_world *world = tide_scene_self(L)->world;
    tide_world_settings settings = *tide_world_get_settings(world);
    tide_read_field(L, 3, setting_field(L), "scene", &settings);
    tide_error error;
    tide_raise_unless_ok(L, tide_world_set_settings(world, &settings, &error), &error);
    return 0;
}

TIDE_GETTER(get_title, lua_pushstring, tide_scene_self(L)->title);

static int set_title(lua_State *L)
{
    static const tide_field field = { "title", TIDE_FIELD_TEXT, 0, .help = "" };
    tide_read_field(L, 3, &field, "scene", tide_scene_self(L)->title);
    return 0;
}

static int get_solver(lua_State *L)
{
    tide_scene_push_solver(L, tide_scene_self(L));
    tide_property_table(L, 1, "scene", "solver", "solver");
    return 1;
}

static int set_solver(lua_State *L)
{
    tide_scene_set_solver(L, 3, tide_scene_self(L));
    return 0;
}

static int get_friction_pairs(lua_State *L)
{
    tide_scene_push_friction_pairs(L, tide_scene_self(L));
    return 1;
}

static int set_friction_pairs(lua_State *L)
{
    tide_scene_set_friction_pairs(L, 3, tide_scene_self(L));
    return 0;
}

static int get_state(lua_State *L)
{
    tide_state_push(L, tide_scene_self(L));
    return 1;
}

static int set_state(lua_State *L)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    tide_scene *scene = tide_scene_self(L);
    if (!lua_isnil(L, 3) && !lua_istable(L, 3))
        tide_raise_bad(L, "scene", "state", tide_show(L, 3, shown), "expected a table");
    tide_property_plain(L, 3);
    tide_scene_push_core(L, scene);
    lua_pushvalue(L, 3);
    lua_setiuservalue(L, -2, TIDE_CORE_STATE);
    return 0;
}

static void push_floats(lua_State *L, const float *values)
{
    lua_createtable(L, 3, 0);
    for (int k = 0; k < 3; k++) {
        lua_pushnumber(L, (double)values[k]);
        lua_rawseti(L, -2, k + 1);
    }
}

static int get_camera(lua_State *L)
{
    const tide_scene_view *view = &tide_scene_self(L)->view;
    lua_pushnil(L);
    if (!view->has_camera)
        return 1;
    lua_newtable(L);
    push_floats(L, view->camera.position);
    lua_setfield(L, -2, "position");
    push_floats(L, view->camera.target);
    lua_setfield(L, -2, "target");
    push_floats(L, view->camera.up);
    lua_setfield(L, -2, "up");
    tide_set_number(L, "field_of_view", (double)view->camera.field_of_view);
    tide_property_table(L, 1, "scene", "camera", "camera");
    return 1;
}

static int set_camera(lua_State *L)
{
    tide_scene_set_camera(L, 3, tide_scene_self(L));
    return 0;
}

static int get_ground(lua_State *L)
{
    tide_scene_push_ground(L, tide_scene_self(L));
    return 1;
}

static int set_ground(lua_State *L)
{
    tide_scene_set_ground(L, 3, tide_scene_self(L));
    return 0;
}

static int get_background(lua_State *L)
{
    tide_colour colour = tide_scene_self(L)->view.stage.background_top;
    push_floats(L, (float[3]) { colour.r, colour.g, colour.b });
    tide_property_table(L, 1, "scene", "background", "background");
    return 1;
}

static int set_background(lua_State *L)
{
    tide_scene_set_background(L, 3, tide_scene_self(L));
    return 0;
}

static const tide_member members[] = {
    { "body", tide_scene_body, .type = "(name: string, definition?: tide.BodyDefinition): tide.Body",
      .help = "Adds a body or, without a definition, finds one. The name identifies it across reloads." },
    { "bodies", tide_scene_bodies, .type = "(): tide.Body[]", .help = "All bodies, in the order they were added." },
    { "collider", tide_scene_collider, .type = "(name: string, definition?: tide.ColliderDefinition): tide.Collider",
      .help = "Adds a collider or, without a definition, finds one. The name identifies it across reloads." },
    { "colliders", tide_scene_colliders, .type = "(): tide.Collider[]",
      .help = "All colliders, in the order they were added." },
    { "contacts", tide_scene_contacts, .type = "(): tide.Contact[]",
      .help = "The contacts of the last step that carried a force, in a fixed order." },
    { "certify", tide_scene_certify, .type = "(): tide.Certificate",
      .help = "Checks in exact arithmetic, apart from contact, that no triangle crosses another one (of the same body "
              "too), no strand goes through a triangle, and nothing is inside a collider. Touching is no crossing. "
              "`springtide run --certify` does this after each step." },
    { "set_touching", tide_scene_set_touching, .type = "(a: tide.Body, b: tide.Body, touching: boolean): tide.Scene",
      .help = "Sets whether two bodies collide with each other, or one body with itself if it is given twice. "
              "Overrides their definitions." },
    { "attach", tide_scene_attach,
      .type = "(a: tide.Body, vertices: integer|integer[]|tide.Body|tide.Collider|tide.JointOptions, "
              "b?: tide.Body|tide.Collider|tide.JointOptions, "
              "to?: integer|integer[]|\"nearest\"|tide.AttachColliderOptions, "
              "options?: tide.AttachOptions|tide.AttachColliderOptions): tide.Scene|tide.Joint",
      .help =
          "Attaches vertices of a, by springs, to the same number of vertices of b, to one vertex of b, or to the "
          "nearest points of b's surface. If b is a collider, the vertices are pinned to it and move with it: at "
          "their current positions or, with \"nearest\", on its surface. With two rigid bodies and a table of "
          "options, `scene:attach(a, b, { joint = \"hinge\", point = { x, y, z }, axis = { 0, 0, 1 } })`, joins "
          "the bodies and returns the joint; b may be a collider, which moves the joint, and without b, a is joined to "
          "the world." },
    { "step", step, .type = "(count?: integer): true?, string?, boolean?",
      .help = "Calls update and advances by the timestep, count times. Returns true. If a step fails, returns nil, a "
              "message and whether the step diverged; the world is then at the last good frame." },
    { "problem", tide_scene_problem, .type = "(): tide.Problem?, string?",
      .help = "Calls update and returns the next step as a minimisation problem, or nil and a message. "
              "problem:advance() then takes the step." },
    { "method", tide_scene_method, .type = "(solver?: string): tide.Method",
      .help = "A solver for problems: that of the scene with its options, or \"NAME\" or \"NAME,option=value,...\"." },
    { "solver_info", solver_info, .type = "(): tide.SolverInfo",
      .help = "The entry of tide.solvers() for the scene's solver." },
    { "energy", energy, .type = "(): tide.Energy", .help = "The current energies, in J." },
    { "report", report, .type = "(): tide.Report", .help = "The solver's report of the last step." },
    { "snapshot", tide_scene_snapshot, .type = "(): tide.Snapshot", .help = "The complete state as one value." },
    { "restore", tide_scene_restore, .type = "(snapshot: tide.Snapshot): tide.Scene",
      .help = "Restores a snapshot of the same bodies." },
    { "load_snapshot", tide_scene_load_snapshot, .type = "(path: string): tide.Snapshot?, string?",
      .help =
          "Reads a world file of the same bodies, which snapshot:save or --save-world wrote; restore() takes the "
          "result. A scene reads it where it reads meshes: in its folder first. Returns nil and a message for a file "
          "that is missing, damaged or of other bodies." },
    { "fork", tide_scene_fork, .type = "(): tide.Scene",
      .help = "An independent scene in the same state, with the same callbacks. While the fork runs them, their "
              "references to this scene and its bodies mean those of the fork." },
    { "compare", tide_scene_compare, .type = "(options: tide.CompareOptions): tide.ComparisonResult[]",
      .help = "Forks the scene for each solver and timestep, steps the forks and returns their results. The scene "
              "itself does not change." },
    { "plot", tide_scene_plot, .type = "(name: string, value: number): tide.Scene",
      .help = "Adds a number to the plot of that name, once per frame, for example in update. The window's panels show "
              "the plot; `--stats` has a column for it, and `--plots` draws it." },
    { "picture", tide_scene_picture, .type = "(path: string, options?: tide.PictureOptions): true?, string?",
      .help =
          "Draws the scene as it is now, without what scene.draw adds, into a .png file. Returns true, or nil and a "
          "message if it cannot be written. In plain Lua only: a scene that a program runs has --png." },
    { "hash", hash, .type = "(): string", .help = "The hash of the complete state, 16 hexadecimal digits." },
    { "reset", reset, .type = "(): tide.Scene", .help = "Restores the state before the first step." },
    { "system", tide_scene_system, .type = "(): tide.System",
      .help = "The mathematical system of the scene: energy, gradient, Hessian, matrices." },
    { "random", scene_random, .type = "(): number",
      .help = "A random number in [0, 1) from the world's generator, which is part of snapshots." },
    { "reload", tide_scene_reload,
      .type = "(path?: string, options?: tide.LoadOptions): true?, tide.Reconciliation|string",
      .help = "Runs a script and reconciles this scene with it: bodies with the same name and topology keep their "
              "state. Returns true and what was kept. On failure returns nil and a message, and nothing changes." },
    { "time", .get = get_time, .type = "number", .help = "Simulated time, in s." },
    { "frame", .get = get_frame, .type = "integer", .help = "Number of steps taken." },
    { "timestep", .get = get_setting, .set = set_setting, .type = "number", .help = "Duration of one step, in s." },
    { "gravity", .get = get_setting, .set = set_setting, .type = "number[]",
      .help = "Acceleration of every particle, in m/s^2. Assign a list of three numbers, or one of them: `gravity[2] = "
              "-1.62`." },
    { "drag", .get = get_setting, .set = set_setting, .type = "number",
      .help = "Drag on all velocities: they decay by exp(-drag * time). In 1/s." },
    { "deformation_drag", .get = get_setting, .set = set_setting, .type = "number",
      .help = "Drag on the deformation of each body, not on its rigid motion, in 1/s." },
    { "title", .get = get_title, .set = set_title, .type = "string", .help = "Title of the window." },
    { "solver", .get = get_solver, .set = set_solver, .type = "string | tide.Solver",
      .help = "The solver's name and options. Assign one option, a name or a table: `solver.iterations = 5` keeps the "
              "other options, `solver = { \"newton\" }` resets them to their defaults." },
    { "state", .get = get_state, .set = set_state, .type = "table",
      .help = "Plain data that is part of snapshots and of the hash and is kept across reloads: an existing field "
              "keeps its value, and what the new script assigns to it takes effect after scene:reset(). A reload "
              "reports fields that the new script sets to another value than the old one did." },
    { "camera", .get = get_camera, .set = set_camera, .type = "tide.Camera?",
      .help = "The camera; nil: one that shows the whole scene. Assign a table or one of its fields." },
    { "ground", .get = get_ground, .set = set_ground, .type = "number | boolean | tide.Ground | nil",
      .help = "Height of the ground, which is drawn and on which bodies land. true: just below the scene; { height = "
              "..., solid = false }: drawn only; false: none; nil: drawn where a visible plane is a floor. After the "
              "first step an assignment changes only what is drawn." },
    { "friction_pairs", .get = get_friction_pairs, .set = set_friction_pairs, .type = "any[][]",
      .help = "A copy of the friction of pairs of contact materials, each { \"wool\", \"steel\", 0.3 }. Assign a whole "
              "list: it takes effect from the next step on. A pair that is not in it, or a side without a "
              "contact_material, has the geometric mean of the coefficients of both sides." },
    { "background", .get = get_background, .set = set_background, .type = "number[]",
      .help = "Background colour: red, green, blue. Assign a list or one of the three." },
    { "update", .get = get_callback, .set = set_callback, .type = "fun(dt: number)?",
      .help = "Called before each step: add forces, move pins." },
    { "contact", .get = get_callback, .set = set_callback, .type = "fun(contact: tide.Contact)?",
      .help = "Called after each step once for each contact that carried a force, with a table. An error in it does "
              "not undo the step." },
    { "torn", .get = get_callback, .set = set_callback, .type = "fun(torn: tide.Torn)?",
      .help = "Called after each step once for each element that tore (`tear` of a body), with a table. An error in it "
              "does not undo the step." },
    { "draw", .get = get_callback, .set = set_callback, .type = "fun(canvas: tide.Canvas)?",
      .help = "Called after the world is drawn." },
    { "keypressed", .get = get_callback, .set = set_callback, .type = "fun(key: string)?",
      .help = "Called when a key goes down." },
    { "mousepressed", .get = get_callback, .set = set_callback, .type = "fun(x: number, y: number, button: integer)?",
      .help = "Called when a mouse button goes down; x and y in pixels from the top left." },
    { "quit", .get = get_callback, .set = set_callback, .type = "fun()?", .help = "Called before the program ends." },
    { 0 },
};

static int equal(lua_State *L)
{
    const tide_scene_handle *a = tide_object_test(L, 1, &tide_scene_class);
    const tide_scene_handle *b = tide_object_test(L, 2, &tide_scene_class);
    lua_pushboolean(L, a && b && a->scene == b->scene);
    return 1;
}

static const luaL_Reg metamethods[] = { { "__eq", equal }, { 0 } };

const tide_class tide_scene_class = {
    "tide.Scene", "scene", "A world with its bodies, solver and callbacks.", members, metamethods, NULL, NULL,
};

// --- tide.scene ------------------------------------------------------------------------------------------------------

// Raises if the table at `index` (absolute) has a callback.
static void refuse_callbacks(lua_State *L, int index)
{
    for (const tide_member *member = members; member->name; member++) {
        if (member->get != get_callback)
            continue;
        lua_pushstring(L, member->name);
        if (lua_rawget(L, index) == LUA_TFUNCTION)
            tide_raise_bad(L, "scene", member->name, NULL,
                           "is no setting; give it to the scene once there is one: function scene.%s(...) ... end",
                           member->name);
        lua_pop(L, 1);
    }
}

int tide_scene_call(lua_State *L)
{
    tide_run *run = tide_run_of_upvalue(L);
    lua_settop(L, 1);
    if (lua_istable(L, 1))
        refuse_callbacks(L, 1);
    tide_scene *scene = tide_scene_new(L, lua_upvalueindex(1));
    tide_scene_define(L, 1, run, scene);
    tide_scene_connect(scene);
    lua_settop(L, 2);
    return 1;
}
