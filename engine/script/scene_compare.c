// Comparisons in Lua. tide.compare declares, in a scene file, the panes in which the program shows the scene.
// scene:compare computes: it steps forks of a scene with several solvers or timesteps and returns their results.
#include "script/scene_compare.h"

#include "base/decimal.h"
#include "base/memory.h"
#include "world/step_measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const tide_field tide_compare_panes_fields[] = {
    { "solvers", TIDE_FIELD_OTHER, .initial_text = "the scene's", .lua_type = "(string|table)[]",
      .help = "solvers, a pane for each: \"NAME\", \"NAME,key=value\" or { \"NAME\", key = value }" },
    { "vary", TIDE_FIELD_OTHER, .initial_text = "as they are", .lua_type = "table<string, number[]>",
      .help = "name of a parameter (tide.param) or of a solver option, with a value for each pane: { stiffness = { 20, "
              "80 } }" },
    { "timesteps", TIDE_FIELD_OTHER, .initial_text = "the scene's", .lua_type = "number[]",
      .help = "timesteps in s, a pane for each; should divide the first" },
    { 0 },
};

typedef struct request {
    int frames;
    bool errors;
} request;

const tide_field tide_compare_fields[] = {
    { "solvers", TIDE_FIELD_OTHER, .initial_text = "the scene's", .lua_type = "(string|table)[]",
      .help = "solvers, a fork for each: \"NAME\", \"NAME,key=value\" or { \"NAME\", key = value }" },
    { "vary", TIDE_FIELD_OTHER, .initial_text = "as they are", .lua_type = "table<string, number[]>",
      .help =
          "name of a solver option, with a value for each fork: { iterations = { 5, 20 } }; parameters of the scene "
          "vary in tide.compare" },
    { "timesteps", TIDE_FIELD_OTHER, .initial_text = "the scene's", .lua_type = "number[]",
      .help = "timesteps in s, a fork for each; all end at the same time" },
    { TIDE_MEMBER(request, frames), .type = TIDE_FIELD_INTEGER, .initial = { 60 }, .minimum = 1, .maximum = 1e9,
      .help = "number of the scene's timesteps to take" },
    { TIDE_MEMBER(request, errors), .type = TIDE_FIELD_BOOLEAN, .initial = { 1 },
      .help = "measure the errors; this solves one step to convergence for each fork" },
    { 0 },
};

static const char *text_or_null(lua_State *L, int index)
{
    return lua_isnoneornil(L, index) ? NULL : lua_tostring(L, index);
}

// refuse(object, field or nil, value or nil, remedy): raises an error of the script.
static int refuse(lua_State *L)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    tide_raise_bad(L, lua_tostring(L, 1), text_or_null(L, 2), lua_isnil(L, 3) ? NULL : tide_show(L, 3, shown), "%s",
                   lua_tostring(L, 4));
}

// list(options, name): returns a list of at least one; nil if the field is absent.
static int list(lua_State *L)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    lua_settop(L, 2);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, 1) != LUA_TNIL && (!lua_istable(L, 3) || !lua_rawlen(L, 3)))
        tide_raise_bad(L, "compare", lua_tostring(L, 2), tide_show(L, 3, shown), "expected a list of at least one");
    return 1;
}

// varied(options): returns the name in `vary` and the list of its values; nothing if the field is absent.
static int varied(lua_State *L)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    lua_settop(L, 1);
    lua_pushliteral(L, "vary");
    if (lua_rawget(L, 1) == LUA_TNIL)
        return 0;
    lua_pushnil(L);
    if (!lua_istable(L, 2) || !lua_next(L, 2) || lua_type(L, 3) != LUA_TSTRING || !lua_istable(L, 4) ||
        !lua_rawlen(L, 4))
        tide_raise_bad(L, "compare", "vary", tide_show(L, 2, shown),
                       "expected a name with a list, like { stiffness = { 20, 80, 320 } }");
    tide_check_text(L, 3, "compare", "vary");
    lua_pushvalue(L, 3);
    if (lua_next(L, 2))
        tide_raise_bad(L, "compare", "vary", NULL, "expected one name; a comparison goes through the values of one");
    return 2;
}

// Calls the function of a file of the library with the values on the stack and the functions. Upvalue 1 of each is the
// value at `run`.
static void call_library(lua_State *L, const char *file, const luaL_Reg *functions, int run)
{
    lua_newtable(L);
    lua_pushvalue(L, run);
    luaL_setfuncs(L, functions, 1);
    tide_library_push(L, file);
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
}

// --- tide.compare ----------------------------------------------------------------------------------------------------

// number_text(number): returns it with all digits, in any locale.
static int number_text(lua_State *L)
{
    char text[64];
    if (lua_isinteger(L, 1))
        snprintf(text, sizeof text, "%lld", (long long)lua_tointeger(L, 1));
    else
        tide_format(text, sizeof text, "%.17g", lua_tonumber(L, 1));
    lua_pushstring(L, text);
    return 1;
}

// check_text(text, field): raises unless it is printable.
static int check_text(lua_State *L)
{
    tide_check_text(L, 1, "compare", lua_tostring(L, 2));
    return 0;
}

static void keep(lua_State *L, const char **to, int index)
{
    char *copy = lua_isnil(L, index) ? NULL : tide_copy_string(lua_tostring(L, index));
    if (!copy && !lua_isnil(L, index))
        tide_raise_memory(L, "compare");
    *to = copy;
}

// declare(solvers, vary, timesteps): keeps the texts; nil: not given.
static int declare(lua_State *L)
{
    tide_run *run = tide_run_of_upvalue(L);
    tide_run_forget_comparison(run);
    keep(L, &run->comparison.solvers, 1);
    keep(L, &run->comparison.vary, 2);
    keep(L, &run->comparison.timesteps, 3);
    return 0;
}

int tide_compare_call(lua_State *L)
{
    static const luaL_Reg functions[] = { { "refuse", refuse },
                                          { "list", list },
                                          { "number_text", number_text },
                                          { "check_text", check_text },
                                          { "varied", varied },
                                          { "declare", declare },
                                          { 0 } };
    const tide_run *run = tide_run_of_upvalue(L);
    char shown[TIDE_VALUE_TEXT_SIZE];
    lua_settop(L, 1);
    if (!lua_istable(L, 1))
        tide_raise_bad(L, "compare", NULL, tide_show(L, 1, shown),
                       "expected a table like { solvers = { \"local_global\", \"newton\" } }");
    if (!run->path || !run->executing)
        tide_raise_bad(
            L, "compare", NULL, NULL,
            "it declares the panes of a scene file and is called while that runs; scene:compare compares at any time");
    tide_read_fields(L, 1, tide_compare_panes_fields, "compare", NULL, 0);
    call_library(L, "compare/panes", functions, lua_upvalueindex(1));
    return 0;
}

// --- scene:compare ---------------------------------------------------------------------------------------------------

static bool minimises_g(const tide_solver *solver)
{
    const tide_solver_kind *kind = tide_solver_kind_of(solver);
    bool good = kind->order < 2 && ((const tide_solver_common *)tide_solver_options(solver))->substeps <= 1;
    for (const tide_field *field = kind->fields; field->name && good; field++) {
        good = strcmp(field->name, "substep") != 0;
        if (strcmp(field->name, "damping") == 0)
            good = good && tide_field_is_default(field, tide_solver_options(solver));
    }
    return good;
}

typedef struct measuring {
    tide_world *own, *best; // forks of the world; `best` uses the reference method
    double *numbers;        // (12 * particle_count) y, x, x* and work space
    double *forces;         // forces that the script added to gravity
} measuring;

// Sets *found to NAN if it cannot be determined.
static tide_status measure_forks(tide_world *world, measuring *m, double *found, tide_error *error)
{
    const tide_system *system;
    size_t count = 3 * (size_t)tide_world_particle_count(world);
    double *y = m->numbers, *x = y + count, *best = x + count, *work = best + count;
    uint32_t touching, touched;
    TIDE_TRY(tide_world_fork(world, &m->own, error));
    TIDE_TRY(tide_world_fork(world, &m->best, error));
    TIDE_TRY(tide_step_measure_use_reference(m->best, 2000, 1e-8, error));
    if (tide_world_frame(world)) // no forces act before the first step
        TIDE_TRY(tide_step_measure_forces(world, &m->forces, error));
    TIDE_TRY(tide_step_measure_add_forces(m->own, m->forces, error));
    TIDE_TRY(tide_step_measure_add_forces(m->best, m->forces, error));
    TIDE_TRY(tide_world_predict(m->own, y, error));
    TIDE_TRY(tide_world_step(m->own, error));
    TIDE_TRY(tide_world_step(m->best, error));
    memcpy(x, tide_world_all_positions(m->own), count * sizeof *x);
    memcpy(best, tide_world_all_positions(m->best), count * sizeof *x);
    tide_world_contacts(m->own, &touching);
    tide_world_contacts(m->best, &touched);
    TIDE_TRY(tide_world_system(m->best, &system, error));
    if (touching || touched)
        return TIDE_OK;
    double h = tide_world_get_settings(world)->timestep;
    const tide_step_measure errors = tide_step_measure_begin(system, h, y, best, y, NULL, work);
    *found = tide_step_measure_left(&errors, x);
    return TIDE_OK;
}

static double error_of(lua_State *L, tide_world *world)
{
    tide_error error;
    measuring m = { 0 };
    double found = NAN;
    if (!tide_world_particle_count(world) || !minimises_g(tide_world_solver(world)))
        return NAN;
    m.numbers = tide_allocate_zeroed(12 * (size_t)tide_world_particle_count(world), sizeof *m.numbers);
    tide_status status = m.numbers ? measure_forks(world, &m, &found, &error) : tide_fail_memory(&error, "compare");
    tide_world_destroy(m.own);
    tide_world_destroy(m.best);
    tide_free(m.numbers);
    tide_free(m.forces);
    if (status == TIDE_ERROR_MEMORY)
        tide_raise(L, &error);
    return status == TIDE_OK ? found : NAN; // a failing step reports its own error
}

static int push_number(lua_State *L, double value)
{
    if (isnan(value))
        lua_pushnil(L);
    else
        lua_pushnumber(L, value);
    return 1;
}

// error(fork): returns what is left of the error after a step; nil if it cannot be determined.
static int step_error(lua_State *L)
{
    return push_number(L, error_of(L, tide_scene_check(L, 1)->world));
}

// distance(a, b): returns the root mean square distance of the particles; nil at different times.
static int distance(lua_State *L)
{
    const tide_world *a = tide_scene_check(L, 1)->world, *b = tide_scene_check(L, 2)->world;
    const double *x = tide_world_all_positions(a), *y = tide_world_all_positions(b);
    uint32_t count = tide_world_particle_count(a);
    double sum = 0;
    if (fabs(tide_world_time(a) - tide_world_time(b)) > 1e-6)
        return 0;
    for (size_t i = 0; i < 3 * (size_t)count; i++)
        sum += (x[i] - y[i]) * (x[i] - y[i]);
    return push_number(L, count ? sqrt(sum / count) : 0);
}

// read(options): returns the numbers of frames and whether to measure errors.
static int read(lua_State *L)
{
    request asked;
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (!lua_istable(L, 1))
        tide_raise_bad(L, "scene", "compare", tide_show(L, 1, shown),
                       "expected a table like { solvers = { \"local_global\", \"newton\" }, frames = 60 }");
    tide_fields_default(tide_compare_fields, &asked);
    tide_read_fields(L, 1, tide_compare_fields, "compare", &asked, 0);
    lua_pushinteger(L, asked.frames);
    lua_pushboolean(L, asked.errors);
    return 2;
}

// set_solver(fork, value or nil): returns the solver's text or name.
static int set_solver(lua_State *L)
{
    tide_scene *fork = tide_scene_check(L, 1);
    char shown[TIDE_VALUE_TEXT_SIZE];
    bool text = lua_type(L, 2) == LUA_TSTRING;
    if (text)
        tide_scene_set_solver_text(L, lua_tostring(L, 2), fork);
    else if (lua_istable(L, 2))
        tide_scene_set_solver(L, 2, fork);
    else if (!lua_isnil(L, 2))
        tide_raise_bad(L, "compare", "solvers", tide_show(L, 2, shown),
                       "expected \"NAME\", \"NAME,key=value\" or a table like { \"newton\", iterations = 5 }");
    lua_pushstring(L, text ? lua_tostring(L, 2) : tide_solver_kind_of(tide_world_solver(fork->world))->name);
    return 1;
}

// refuse_option(fork, name): raises an error about an option that the fork's solver does not have.
static int refuse_option(lua_State *L)
{
    const char *names[TIDE_MAX_FIELDS];
    size_t count = 0;
    const tide_scene *fork = tide_scene_check(L, 1);
    const tide_solver_kind *kind = tide_solver_kind_of(tide_world_solver(fork->world));
    const tide_run *run = tide_scene_run_of(L, fork);
    const char *name = lua_tostring(L, 2);
    for (uint32_t i = 0; run && i < run->param_count; i++)
        if (strcmp(run->params[i].name, name) == 0)
            tide_raise_bad(L, "compare", "vary", name,
                           "a parameter of the scene, which its forks share; vary it in tide.compare, or on the "
                           "command line by --vary");
    for (const tide_field *field = kind->fields; field->name && count < TIDE_MAX_FIELDS; field++)
        names[count++] = field->name;
    const char *nearest = tide_nearest_name(name, names, count);
    tide_raise_bad(L, "compare", "vary", name, "%s has no such option%s%s%s", kind->name,
                   nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

// set_timestep(fork, value or nil): returns the timestep.
static int set_timestep(lua_State *L)
{
    tide_scene *fork = tide_scene_check(L, 1);
    tide_world_settings settings = *tide_world_get_settings(fork->world);
    tide_error error;
    if (!lua_isnil(L, 2)) {
        const tide_field *field = tide_field_find(tide_world_fields, "compare", "timestep", &error);
        tide_read_field(L, 2, field, "compare", &settings);
        tide_raise_unless_ok(L, tide_world_set_settings(fork->world, &settings, &error), &error);
    }
    return push_number(L, settings.timestep);
}

int tide_scene_compare(lua_State *L)
{
    static const luaL_Reg functions[] = { { "list", list },
                                          { "read", read },
                                          { "varied", varied },
                                          { "refuse_option", refuse_option },
                                          { "set_solver", set_solver },
                                          { "set_timestep", set_timestep },
                                          { "error", step_error },
                                          { "distance", distance },
                                          { 0 } };
    tide_scene_self(L);
    lua_settop(L, 2);
    call_library(L, "compare/forks", functions, 1);
    lua_settop(L, 1);
    return 1;
}
