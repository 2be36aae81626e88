// Comparisons in Lua. tide.compare declares, in a scene file, the panes in which the program shows the scene.
// scene:compare computes: it steps forks of a scene with several solvers or timesteps and returns their results.
#include "script/scene_compare.h"

#include "base/decimal.h"
#include "base/memory.h"
#include "world/step_measure.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const tide_field tide_compare_panes_fields[] = {
    { "solvers", TIDE_FIELD_OTHER, .initial_text = "the scene's", .lua_type = "string[]",
      .help = "a pane for each, as on the command line: \"local_global,iterations=5\"" },
    { "params", TIDE_FIELD_OTHER, .initial_text = "as they are", .lua_type = "table<string, number[]>",
      .help = "a parameter (tide.param) by name, or an option of the solvers, with a value for each pane" },
    { "timesteps", TIDE_FIELD_OTHER, .initial_text = "the scene's", .lua_type = "number[]",
      .help = "a pane for each, in s; best if they divide the first" },
    { 0 },
};

typedef struct request {
    int frames;
    bool errors;
} request;

const tide_field tide_compare_fields[] = {
    { "solvers", TIDE_FIELD_OTHER, .initial_text = "the scene's", .lua_type = "(string|table)[]",
      .help = "a fork for each: \"NAME\", \"NAME,key=value\" or { \"NAME\", key = value }" },
    { "timesteps", TIDE_FIELD_OTHER, .initial_text = "the scene's", .lua_type = "number[]",
      .help = "a fork for each, in s; all go to the same time" },
    { "frames",
      TIDE_FIELD_INTEGER,
      offsetof(request, frames),
      { 60 },
      .minimum = 1,
      .maximum = 1e9,
      .help = "how many of the scene's timesteps they go on" },
    { "errors",
      TIDE_FIELD_BOOLEAN,
      offsetof(request, errors),
      { 1 },
      .help = "whether to measure their errors, which takes a step solved to its end for each" },
    { 0 },
};

// --- tide.compare ----------------------------------------------------------------------------------------------------

// Pushes the list in a field of the table at 1. Returns false and pushes nothing if the field is absent.
static bool push_list(lua_State *L, const char *owner, const char *name)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    lua_pushstring(L, name);
    if (lua_rawget(L, 1) == LUA_TNIL) {
        lua_pop(L, 1);
        return false;
    }
    if (!lua_istable(L, -1) || !lua_rawlen(L, -1))
        tide_raise_bad(L, owner, name, tide_show(L, -1, shown), "expected a list of at least one");
    return true;
}

// Adds the value on top as a word without commas.
static void add_word(lua_State *L, const char *field, luaL_Buffer *line)
{
    char text[64], shown[TIDE_VALUE_TEXT_SIZE];
    int type = lua_type(L, -1);
    if (type == LUA_TNUMBER && !lua_isinteger(L, -1))
        tide_format(text, sizeof text, "%.17g", lua_tonumber(L, -1));
    else if (type == LUA_TNUMBER)
        snprintf(text, sizeof text, "%lld", (long long)lua_tointeger(L, -1));
    else
        tide_raise_bad(L, "compare", field, tide_show(L, -1, shown), "expected numbers");
    lua_pop(L, 1);
    luaL_addstring(line, text);
}

// Pushes "start" followed by the comma-separated numbers of the list at `list`.
static const char *push_numbers(lua_State *L, int list, const char *field, const char *start)
{
    luaL_Buffer line;
    lua_Integer count = (lua_Integer)lua_rawlen(L, list);
    luaL_buffinit(L, &line);
    luaL_addstring(&line, start);
    for (lua_Integer i = 1; i <= count; i++) {
        if (i > 1)
            luaL_addchar(&line, ',');
        lua_rawgeti(L, list, i);
        add_word(L, field, &line);
    }
    luaL_pushresult(&line);
    return lua_tostring(L, -1);
}

static const char *push_solvers(lua_State *L, int list)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    luaL_Buffer line;
    lua_Integer count = (lua_Integer)lua_rawlen(L, list);
    luaL_buffinit(L, &line);
    for (lua_Integer i = 1; i <= count; i++) {
        if (i > 1)
            luaL_addchar(&line, ',');
        if (lua_rawgeti(L, list, i) != LUA_TSTRING)
            tide_raise_bad(L, "compare", "solvers", tide_show(L, -1, shown),
                           "expected texts, like \"local_global,iterations=5\"");
        tide_check_text(L, -1, "compare", "solvers");
        luaL_addvalue(&line);
    }
    luaL_pushresult(&line);
    return lua_tostring(L, -1);
}

// Pushes the text of the single parameter of the table on top.
static const char *push_vary(lua_State *L)
{
    int params = lua_gettop(L);
    char shown[TIDE_VALUE_TEXT_SIZE];
    lua_pushnil(L);
    if (!lua_istable(L, params) || !lua_next(L, params) || lua_type(L, -2) != LUA_TSTRING || !lua_istable(L, -1) ||
        !lua_rawlen(L, -1))
        tide_raise_bad(L, "compare", "params", tide_show(L, params, shown),
                       "expected a name with a list, like { stiffness = { 20, 80, 320 } }");
    tide_check_text(L, params + 1, "compare", "params");
    lua_pushvalue(L, -2);
    if (lua_next(L, params))
        tide_raise_bad(L, "compare", "params", NULL, "expected one parameter; panes go through the values of one");
    const char *start = lua_pushfstring(L, "%s=", lua_tostring(L, params + 1));
    return push_numbers(L, params + 2, "params", start);
}

static void keep(lua_State *L, const char **to, const char *text)
{
    char *copy = tide_copy_string(text);
    if (!copy)
        tide_raise_memory(L, "compare");
    tide_free((void *)(uintptr_t)*to);
    *to = copy;
}

int tide_compare_call(lua_State *L)
{
    tide_run *run = tide_run_of_upvalue(L);
    char shown[TIDE_VALUE_TEXT_SIZE];
    lua_settop(L, 1);
    if (!lua_istable(L, 1))
        tide_raise_bad(L, "compare", NULL, tide_show(L, 1, shown),
                       "expected a table like { solvers = { \"local_global\", \"newton\" } }");
    if (!run->path || !run->executing)
        tide_raise_bad(L, "compare", NULL, NULL,
                       "it declares the panes of a scene file, while that runs; scene:compare compares here and now");
    tide_read_fields(L, 1, tide_compare_panes_fields, "compare", NULL, 0);
    tide_compare_forget(run);
    if (push_list(L, "compare", "solvers"))
        keep(L, &run->comparison.solvers, push_solvers(L, lua_gettop(L)));
    lua_settop(L, 1);
    if (push_list(L, "compare", "timesteps"))
        keep(L, &run->comparison.timesteps, push_numbers(L, 2, "timesteps", ""));
    lua_settop(L, 1);
    lua_pushliteral(L, "params");
    if (lua_rawget(L, 1) != LUA_TNIL)
        keep(L, &run->comparison.vary, push_vary(L));
    lua_settop(L, 1);
    if (!run->comparison.solvers && !run->comparison.vary && !run->comparison.timesteps)
        tide_raise_bad(L, "compare", NULL, NULL, "expected solvers, params or timesteps in it");
    return 0;
}

void tide_compare_forget(tide_run *run)
{
    tide_free((void *)(uintptr_t)run->comparison.solvers);
    tide_free((void *)(uintptr_t)run->comparison.vary);
    tide_free((void *)(uintptr_t)run->comparison.timesteps);
    run->comparison = (tide_comparison) { 0 };
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
    tide_status status = tide_step_measure_use_reference(m->best, 2000, 1e-8, error);
    if (status == TIDE_OK && tide_world_frame(world)) // no forces act before the first step
        status = tide_step_measure_forces(world, &m->forces, error);
    if (status == TIDE_OK)
        status = tide_step_measure_add_forces(m->own, m->forces, error);
    if (status == TIDE_OK)
        status = tide_step_measure_add_forces(m->best, m->forces, error);
    if (status == TIDE_OK)
        status = tide_world_predict(m->own, y, error);
    if (status == TIDE_OK)
        status = tide_world_step(m->own, error);
    if (status == TIDE_OK)
        status = tide_world_step(m->best, error);
    if (status != TIDE_OK)
        return status;
    memcpy(x, tide_world_all_positions(m->own), count * sizeof *x);
    memcpy(best, tide_world_all_positions(m->best), count * sizeof *x);
    tide_world_contacts(m->own, &touching);
    tide_world_contacts(m->best, &touched);
    status = tide_world_system(m->best, &system, error);
    if (status != TIDE_OK || touching || touched)
        return status;
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
    tide_status status = m.numbers ? TIDE_OK : tide_fail_memory(&error, "compare");
    if (status == TIDE_OK)
        status = tide_world_fork(world, &m.own, &error);
    if (status == TIDE_OK)
        status = tide_world_fork(world, &m.best, &error);
    if (status == TIDE_OK)
        status = measure_forks(world, &m, &found, &error);
    tide_world_destroy(m.own);
    tide_world_destroy(m.best);
    tide_free(m.numbers);
    tide_free(m.forces);
    if (status == TIDE_ERROR_MEMORY)
        tide_raise(L, &error);
    return status == TIDE_OK ? found : NAN; // a failing step reports its own error
}

static void set_number(lua_State *L, const char *name, double value)
{
    if (isnan(value))
        return;
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

// Steps the fork and stores the number of steps, their time and the error, if any, in the table on top.
static void take_steps(lua_State *L, tide_scene *fork, int64_t steps)
{
    tide_error error;
    char message[TIDE_MESSAGE_SIZE];
    double seconds = 0;
    int64_t taken = 0;
    tide_status status = TIDE_OK;
    while (taken < steps && status == TIDE_OK) {
        status = tide_scene_step(L, fork, TIDE_STEP_WHOLE, &error);
        if (status != TIDE_OK)
            break;
        seconds += taken || steps == 1 ? tide_world_report(fork->world)->step_seconds : 0;
        taken++;
    }
    if (status == TIDE_ERROR_MEMORY)
        tide_raise(L, &error);
    if (status != TIDE_OK) {
        lua_pushstring(L, tide_error_text(&error, message, sizeof message));
        lua_setfield(L, -2, "message");
    }
    lua_pushinteger(L, taken);
    lua_setfield(L, -2, "steps");
    lua_pushinteger(L, tide_world_report(fork->world)->iterations);
    lua_setfield(L, -2, "iterations");
    set_number(L, "milliseconds", taken > 1 || steps == 1 ? 1e3 * seconds / (double)(taken > 1 ? taken - 1 : 1) : NAN);
}

static double distance_between(const tide_world *a, const tide_world *b)
{
    const double *x = tide_world_all_positions(a), *y = tide_world_all_positions(b);
    uint32_t count = tide_world_particle_count(a);
    double sum = 0;
    if (fabs(tide_world_time(a) - tide_world_time(b)) > 1e-6)
        return NAN;
    for (size_t i = 0; i < 3 * (size_t)count; i++)
        sum += (x[i] - y[i]) * (x[i] - y[i]);
    return count ? sqrt(sum / count) : 0;
}

// Stores the fork's final state in the table on top.
static void set_outcome(lua_State *L, tide_scene *fork, const tide_scene *first, bool errors)
{
    tide_error error;
    tide_energy energy;
    uint64_t hash;
    char text[17];
    if (errors)
        set_number(L, "error", error_of(L, fork->world));
    set_number(L, "distance", distance_between(fork->world, first->world));
    tide_raise_unless_ok(L, tide_world_energy(fork->world, &energy, &error), &error);
    set_number(L, "energy", energy.total);
    tide_raise_unless_ok(L, tide_world_hash(fork->world, &hash, &error), &error);
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    lua_pushstring(L, text);
    lua_setfield(L, -2, "hash");
}

// Sets the fork's solver from the value at `index` (0: keep it) and stores its name in the table on top.
static void set_solver(lua_State *L, tide_scene *fork, int index)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (index && lua_type(L, index) == LUA_TSTRING)
        tide_scene_set_solver_text(L, lua_tostring(L, index), fork);
    else if (index && lua_istable(L, index))
        tide_scene_set_solver(L, index, fork);
    else if (index)
        tide_raise_bad(L, "compare", "solvers", tide_show(L, index, shown),
                       "expected \"NAME\", \"NAME,key=value\" or a table like { \"newton\", iterations = 5 }");
    if (index && lua_type(L, index) == LUA_TSTRING)
        lua_pushvalue(L, index);
    else
        lua_pushstring(L, tide_solver_kind_of(tide_world_solver(fork->world))->name);
    lua_setfield(L, -2, "solver");
}

static void set_timestep(lua_State *L, tide_scene *fork, int index)
{
    tide_world_settings settings = *tide_world_get_settings(fork->world);
    tide_error error;
    if (index) {
        const tide_field *field = tide_field_find(tide_world_fields, "compare", "timestep", &error);
        tide_read_field(L, index, field, "compare", &settings);
        tide_raise_unless_ok(L, tide_world_set_settings(fork->world, &settings, &error), &error);
    }
    set_number(L, "timestep", settings.timestep);
}

enum { SCENE = 1, SOLVERS = 3, TIMESTEPS, RESULTS }; // stack indices

// Pushes the result of one fork. `first` NULL: this is the first fork.
static tide_scene *push_result(lua_State *L, lua_Integer s, lua_Integer t, const request *asked, double whole,
                               const tide_scene *first)
{
    int top = lua_gettop(L);
    bool has_solver = lua_istable(L, SOLVERS), has_timestep = lua_istable(L, TIMESTEPS);
    if (has_solver)
        lua_rawgeti(L, SOLVERS, s);
    else
        lua_pushnil(L);
    if (has_timestep)
        lua_rawgeti(L, TIMESTEPS, t);
    else
        lua_pushnil(L);
    lua_pushcfunction(L, tide_scene_fork);
    lua_pushvalue(L, SCENE);
    lua_call(L, 1, 1);
    tide_scene *fork = tide_scene_check(L, -1);
    lua_createtable(L, 0, 12);
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, "scene");
    set_solver(L, fork, has_solver ? top + 1 : 0);
    set_timestep(L, fork, has_timestep ? top + 2 : 0);
    double h = tide_world_get_settings(fork->world)->timestep;
    take_steps(L, fork, (int64_t)fmax(1, round(whole / h)));
    set_outcome(L, fork, first ? first : fork, asked->errors);
    lua_replace(L, top + 1);
    lua_settop(L, top + 1);
    return fork;
}

int tide_scene_compare(lua_State *L)
{
    tide_scene *scene = tide_scene_live(L, tide_object_self(L, &tide_scene_class)), *first = NULL;
    request asked;
    char shown[TIDE_VALUE_TEXT_SIZE];
    lua_settop(L, 2);
    if (!lua_istable(L, 2))
        tide_raise_bad(L, "scene", "compare", tide_show(L, 2, shown),
                       "expected a table like { solvers = { \"local_global\", \"newton\" }, frames = 60 }");
    tide_fields_default(tide_compare_fields, &asked);
    tide_read_fields(L, 2, tide_compare_fields, "compare", &asked, 0);
    lua_insert(L, 1); // push_list reads index 1
    if (!push_list(L, "compare", "solvers"))
        lua_pushnil(L);
    if (!push_list(L, "compare", "timesteps"))
        lua_pushnil(L);
    lua_pushvalue(L, 2);
    lua_insert(L, 1);
    lua_remove(L, 3); // stack: scene, options, solvers, timesteps
    lua_newtable(L);
    luaL_checkstack(L, 16, NULL);
    lua_Integer solvers = lua_istable(L, SOLVERS) ? (lua_Integer)lua_rawlen(L, SOLVERS) : 1;
    lua_Integer timesteps = lua_istable(L, TIMESTEPS) ? (lua_Integer)lua_rawlen(L, TIMESTEPS) : 1;
    double whole = asked.frames * tide_world_get_settings(scene->world)->timestep;
    for (lua_Integer i = 0; i < solvers * timesteps; i++) {
        tide_scene *fork = push_result(L, 1 + i / timesteps, 1 + i % timesteps, &asked, whole, first);
        first = first ? first : fork; // the result table keeps it
        lua_rawseti(L, RESULTS, i + 1);
    }
    return 1;
}
