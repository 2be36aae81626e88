// The step of a solver defined by a script. The script's function receives the system and a state. Its results are
// checked and copied.
//
// Each solver of such a kind has one tide.SolverState, whose vectors are refilled in every step. The run's solver table
// holds it under the address of the solver's C state, and the step function under the address of its kind. Thus a world
// that uses the solver keeps no Lua object alive.
#include "script/binding.h"

#include "base/memory.h"
#include "solver/objective.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// The C state of a solver.
typedef struct method {
    tide_objective objective; // gives y and the report
    double *gradient;         // (3 * particle_count)
    tide_text memory;         // state.memory as bytes after the last step: the solver's history
    tide_text next_memory;    // the bytes being written
    bool memory_changed;      // the next step rebuilds the table from the bytes
    bool has_state;           // the run's solver table holds the userdata
    tide_system_handle *math; // passed to the step function; valid while has_state
} method;

typedef struct solver_state { // the userdata
    size_t size;              // number of elements of each vector
    tide_vector *positions, *velocities, *forces, *inertial;
} solver_state;

// User values of the userdata. The script may assign the first four; the last two are the step's own vectors.
enum {
    POSITIONS = 1,
    VELOCITIES,
    MEMORY,
    REPORT,
    FORCES,
    INERTIAL,
    OPTIONS,
    SYSTEM,
    OWN_POSITIONS,
    OWN_VELOCITIES,
    STATE_VALUES = OWN_VELOCITIES
};

// --- the run's solver table ------------------------------------------------------------------------------------------

static const char runs_key; // registry key of a table from address to run, with weak values

void tide_solver_make_own(lua_State *L, int run)
{
    luaL_checkstack(L, 8, NULL);
    if (lua_getiuservalue(L, run, TIDE_RUN_SOLVERS) == LUA_TTABLE)
        return;
    lua_pop(L, 1);
    tide_push_weak_table(L, &runs_key);
    lua_pushvalue(L, run);
    lua_rawsetp(L, -2, lua_touserdata(L, run));
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, run, TIDE_RUN_SOLVERS);
}

bool tide_solver_push_own(lua_State *L, const tide_run *run)
{
    if (!run || !lua_checkstack(L, 8))
        return false;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &runs_key);
    if (lua_rawgetp(L, -1, run) != LUA_TUSERDATA) { // the run is being collected
        lua_pop(L, 2);
        return false;
    }
    lua_getiuservalue(L, -1, TIDE_RUN_SOLVERS);
    lua_replace(L, -3);
    lua_pop(L, 1);
    return true;
}

// --- the state's class -----------------------------------------------------------------------------------------------

static int slot(lua_State *L)
{
    static const char *const names[] = { "positions", "velocities", "memory",  "report",
                                         "forces",    "inertial",   "options", NULL };
    int found = 0;
    while (strcmp(names[found], lua_tostring(L, 2)) != 0)
        found++;
    return found + 1;
}

static int get_value(lua_State *L)
{
    tide_object_self(L, &tide_solver_state_class);
    lua_getiuservalue(L, 1, slot(L));
    return 1;
}

static int set_value(lua_State *L)
{
    tide_object_self(L, &tide_solver_state_class);
    char shown[TIDE_VALUE_TEXT_SIZE];
    int at = slot(L);
    if (at == MEMORY && !lua_istable(L, 3))
        tide_raise_bad(L, "state", "memory", tide_show(L, 3, shown), "expected a table");
    lua_pushvalue(L, 3);
    lua_setiuservalue(L, 1, at);
    return 0;
}

static const tide_member members[] = {
    { "positions", .get = get_value, .set = set_value, .type = "tide.Vector",
      .help = "q: positions of all particles at the start of the step. Unless positions are returned, the values here "
              "at the end are the result. Pinned particles move to their positions in `inertial` in any case; "
              "report.warning says when the result moves one whose pin does not move." },
    { "velocities", .get = get_value, .set = set_value, .type = "tide.Vector",
      .help = "v: velocities at the start, after drag. Those at the end are (x - q) / h unless others are returned or "
              "written here; those of pinned particles are in any case." },
    { "forces", .get = get_value, .type = "tide.Vector",
      .help = "f: external forces including gravity, in N; 0 at pinned particles." },
    { "inertial", .get = get_value, .type = "tide.Vector",
      .help = "y = q + h v + h^2 M^-1 f: inertial positions, reached without springs; for pinned particles, the "
              "positions of their pins." },
    { "options", .get = get_value, .type = "table",
      .help = "Values of the solver's options. Changes last until the end of the step." },
    { "memory", .get = get_value, .set = set_value, .type = "table",
      .help = "Plain data and vectors that persist from step to step and are part of snapshots; empty at first." },
    { "report", .get = get_value, .set = set_value, .type = "tide.SolverReport?",
      .help = "Report for scene:report(), to be assigned; same as returning it as the last value." },
    { 0 },
};

const tide_class tide_solver_state_class = {
    "tide.SolverState",
    "state",
    "The state that the step function of a solver gets. Vectors hold x, y, z of each particle in turn. The next step "
    "fills them again, so copy() what must be kept. Contacts are resolved after the step function has returned: "
    "impulses "
    "then correct its positions and velocities, with the masses only. So no vector here contains contact forces, and "
    "the next step begins with the corrected positions and velocities.",
    members,
    NULL,
    NULL,
    NULL,
};

// --- preparing the call of the step function -------------------------------------------------------------------------

static int unknown_option(lua_State *L) // upvalue: the solver's name for messages
{
    enum { MAX_NAMES = TIDE_MAX_FIELDS };
    const char *names[MAX_NAMES], *object = lua_tostring(L, lua_upvalueindex(1));
    char shown[TIDE_VALUE_TEXT_SIZE];
    size_t count = 0;
    lua_settop(L, 2);
    tide_push_sorted_keys(L, 1);
    for (lua_Integer i = 1; count < MAX_NAMES && lua_rawgeti(L, 3, i) == LUA_TSTRING; i++) {
        names[count++] = lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    tide_raise_unknown(L, object, lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : tide_show(L, 2, shown), names,
                       count);
}

static void push_options(lua_State *L, const char *object)
{
    lua_newtable(L);
    lua_newtable(L);
    lua_pushstring(L, object);
    lua_pushcclosure(L, unknown_option, 1);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "__index");
    lua_setfield(L, -2, "__newindex");
    lua_setmetatable(L, -2);
}

static tide_vector *make_vector(lua_State *L, int state, size_t size, int value)
{
    tide_vector *vector = tide_vector_new(L, size);
    lua_setiuservalue(L, state, value);
    return vector;
}

// Pushes the solver's tide.SolverState, created on first use. The run's solver table is at index 1.
static solver_state *push_state(lua_State *L, method *m, const char *object)
{
    if (m->has_state) {
        lua_rawgetp(L, 1, m);
        return lua_touserdata(L, -1);
    }
    solver_state *state = tide_object_new(L, &tide_solver_state_class, sizeof *state, STATE_VALUES);
    push_options(L, object);
    lua_setiuservalue(L, -2, OPTIONS);
    lua_newtable(L);
    lua_setiuservalue(L, -2, MEMORY);
    state->size = SIZE_MAX; // no vectors yet
    tide_system_handle *math = tide_system_push_step(L);
    lua_setiuservalue(L, -2, SYSTEM);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, 1, m);
    m->math = math;
    m->has_state = true;
    return state;
}

static const char *object_of(const tide_solver *solver, char text[TIDE_OBJECT_TEXT])
{
    return tide_solver_object(solver->kind, text);
}

static tide_data_owner memory_owner(const char *object)
{
    return (tide_data_owner) { .object = object, .name = "memory", .vectors = true };
}

// Fills the state on top with the start values of the step.
static void begin(lua_State *L, const tide_solver *solver, const tide_step *step, solver_state *state)
{
    method *m = solver->state;
    char object[TIDE_OBJECT_TEXT];
    int at = lua_gettop(L);
    size_t size = 3 * (size_t)step->system->particle_count, bytes = size * sizeof(double);
    if (state->size != size) {
        state->size = SIZE_MAX;
        state->positions = make_vector(L, at, size, OWN_POSITIONS);
        state->velocities = make_vector(L, at, size, OWN_VELOCITIES);
        state->forces = make_vector(L, at, size, FORCES);
        state->inertial = make_vector(L, at, size, INERTIAL);
        state->size = size;
    }
    memcpy(state->positions->values, step->q, bytes);
    memcpy(state->velocities->values, step->velocity, bytes);
    memcpy(state->forces->values, step->force, bytes);
    for (uint32_t p = 0; p < step->system->particle_count; p++)
        if (step->system->rows[p] == TIDE_PINNED)
            memset(state->forces->values + 3 * (size_t)p, 0, 3 * sizeof(double));
    memcpy(state->inertial->values, m->objective.y, bytes);
    lua_getiuservalue(L, at, OWN_POSITIONS);
    lua_setiuservalue(L, at, POSITIONS);
    lua_getiuservalue(L, at, OWN_VELOCITIES);
    lua_setiuservalue(L, at, VELOCITIES);
    lua_pushnil(L);
    lua_setiuservalue(L, at, REPORT);
    lua_getiuservalue(L, at, OPTIONS);
    for (const tide_field *field = solver->kind->fields; field->name; field++) {
        lua_pushstring(L, field->name);
        tide_push_field(L, field, solver->options);
        lua_rawset(L, -3);
    }
    if (m->memory_changed) {
        tide_data_owner owner = memory_owner(object_of(solver, object));
        if (m->memory.length)
            tide_data_push(L, &owner, m->memory.bytes, m->memory.length);
        else
            lua_newtable(L);
        lua_setiuservalue(L, at, MEMORY);
        m->memory_changed = false;
    }
    lua_settop(L, at);
}

// --- reading its results ---------------------------------------------------------------------------------------------

typedef struct given_report {
    int iterations, line_searches, linear_iterations;
    bool converged;
    char warning[TIDE_FIELD_TEXT_SIZE];
} given_report;

#define COUNT(member) TIDE_FIELD_INTEGER, offsetof(given_report, member), .maximum = INT32_MAX
const tide_field tide_solver_report_fields[] = {
    { "iterations", COUNT(iterations), .help = "how many it took" },
    { "line_searches", COUNT(line_searches), .help = "how many it took" },
    { "linear_iterations", COUNT(linear_iterations), .help = "how many it took" },
    { TIDE_MEMBER(given_report, converged), .type = TIDE_FIELD_BOOLEAN, .initial = { true },
      .help = "whether the tolerance was met" },
    { TIDE_MEMBER(given_report, warning), .type = TIDE_FIELD_TEXT, .initial_text = "",
      .help = "warning about this step" },
    { 0 },
};

typedef struct stepping {
    tide_solver *solver;
    const tide_step *step;
    tide_report *report;
    bool finishing; // the function has returned
} stepping;

static void take_report(lua_State *L, int index, const char *object, tide_report *report)
{
    given_report given;
    char owner[TIDE_OBJECT_TEXT];
    snprintf(owner, sizeof owner, "report of %.80s", object);
    tide_fields_default(tide_solver_report_fields, &given);
    if (!lua_isnil(L, index))
        tide_read_fields(L, index, tide_solver_report_fields, owner, &given, 0);
    report->iterations = (uint32_t)given.iterations;
    report->line_searches = (uint32_t)given.line_searches;
    report->linear_iterations = (uint32_t)given.linear_iterations;
    report->converged = given.converged;
    snprintf(report->warning, sizeof report->warning, "%s", given.warning);
}

// Tells whether a returned value is a report instead of a list of numbers.
static bool is_report(lua_State *L, int index)
{
    return lua_istable(L, index) && lua_rawlen(L, index) == 0;
}

// Stores the results, from index 4 on, in the state: positions, velocities, report.
static void sort_results(lua_State *L, const char *object)
{
    char shown[TIDE_VALUE_TEXT_SIZE];
    static const int places[] = { POSITIONS, VELOCITIES };
    int count = lua_gettop(L) - 3;
    if (count && is_report(L, 3 + count)) {
        lua_setiuservalue(L, 2, REPORT);
        count--;
    }
    if (count > 2)
        tide_raise_bad(L, object, "step", tide_show(L, 6, shown),
                       "expected it to return positions, velocities and a report at most");
    for (int i = 0; i < count; i++)
        if (!lua_isnil(L, 4 + i)) {
            lua_pushvalue(L, 4 + i);
            lua_setiuservalue(L, 2, places[i]);
        }
    lua_settop(L, 2);
}

// Tells whether a result moves a pinned particle whose pin stands still. A particle with a moving pin may end close to
// its target.
static bool moves_a_standing_pin(const tide_step *step, const double *x, size_t p)
{
    const double *q = step->q + 3 * p, *place = step->pinned + 3 * p;
    for (size_t k = 0; k < 3; k++)
        if (place[k] == q[k] && fabs(x[3 * p + k] - q[k]) > 1e-9 * (1 + fabs(q[k])))
            return true;
    return false;
}

static void take_positions(lua_State *L, const tide_step *step, const char *object, uint32_t *moved_pin)
{
    size_t size = 3 * (size_t)step->system->particle_count;
    lua_getiuservalue(L, 2, POSITIONS);
    const double *x = tide_check_numbers(L, -1, &size, object, "positions");
    if (size != 3 * (size_t)step->system->particle_count)
        tide_raise_bad(L, object, "positions", NULL, "expected no numbers: there are no particles");
    memcpy(step->x, x, size * sizeof *x);
    *moved_pin = TIDE_NO_PARTICLE;
    for (uint32_t p = 0; p < step->system->particle_count; p++) {
        if (step->system->rows[p] != TIDE_PINNED)
            continue;
        if (*moved_pin == TIDE_NO_PARTICLE && moves_a_standing_pin(step, x, p))
            *moved_pin = p;
        memcpy(step->x + 3 * (size_t)p, step->pinned + 3 * (size_t)p, 3 * sizeof *x);
    }
}

// Velocities default to (x - q) / h if the function neither returned nor changed them. Those of pinned particles always
// have this value.
static void take_velocities(lua_State *L, const tide_step *step, const solver_state *state, const char *object)
{
    size_t size = 3 * (size_t)step->system->particle_count;
    tide_step_finish_velocities(step);
    lua_getiuservalue(L, 2, VELOCITIES);
    if (lua_touserdata(L, -1) == state->velocities &&
        memcmp(state->velocities->values, step->velocity, size * sizeof(double)) == 0)
        return;
    const double *v = tide_check_numbers(L, -1, &size, object, "velocities");
    for (uint32_t p = 0; p < step->system->particle_count; p++)
        if (step->system->rows[p] != TIDE_PINNED)
            memcpy(step->v + 3 * (size_t)p, v + 3 * (size_t)p, 3 * sizeof *v);
}

static void keep_memory(lua_State *L, method *m, const solver_state *state, const char *object)
{
    tide_text_clear(&m->next_memory);
    lua_getiuservalue(L, 2, MEMORY);
    lua_pushnil(L);
    if (lua_next(L, -2)) { // an empty table counts as no history
        lua_pop(L, 2);
        tide_data_owner owner = memory_owner(object);
        const tide_vector *own[] = { state->positions, state->velocities, state->forces, state->inertial };
        memcpy(owner.refilled, own, sizeof own);
        tide_data_write(L, &owner, &m->next_memory);
    }
    tide_text before = m->memory;
    m->memory = m->next_memory;
    m->next_memory = before;
}

static int step_call(lua_State *L)
{
    stepping *what = lua_touserdata(L, 1);
    const tide_solver *solver = what->solver;
    const tide_script_solver *kind = solver->kind->context;
    method *m = solver->state;
    char object[TIDE_OBJECT_TEXT];
    object_of(solver, object);
    lua_settop(L, 0);
    luaL_checkstack(L, 24, NULL);
    if (!tide_solver_push_own(L, kind->run))
        tide_raise_bad(L, object, NULL, NULL, "its script is gone");
    solver_state *state = push_state(L, m, object);
    begin(L, solver, what->step, state);
    m->math->step = what->step;
    lua_pushnil(L); // makes results begin at index 4
    lua_rawgetp(L, 1, kind);
    lua_getiuservalue(L, 2, SYSTEM);
    lua_pushvalue(L, 2);
    lua_pushnumber(L, what->step->h);
    lua_call(L, 3, LUA_MULTRET);
    what->finishing = true;
    sort_results(L, object);
    uint32_t moved_pin;
    take_positions(L, what->step, object, &moved_pin);
    take_velocities(L, what->step, state, object);
    lua_getiuservalue(L, 2, REPORT);
    take_report(L, -1, object, what->report);
    if (moved_pin != TIDE_NO_PARTICLE && !what->report->warning[0])
        snprintf(what->report->warning, sizeof what->report->warning,
                 "particle %" PRIu32 " is pinned, and the result that moves it is ignored; leave it at its place in "
                 "state.inertial",
                 moved_pin + 1);
    keep_memory(L, m, state, object);
    return 0;
}

// --- the kind's functions --------------------------------------------------------------------------------------------

static tide_status prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                           uint32_t *bad_particle, tide_error *error)
{
    method *m = solver->state;
    char object[TIDE_OBJECT_TEXT];
    (void)x, (void)bad_particle;
    m->objective.system = NULL;
    double *gradient = tide_allocate_array(system->particle_count, 3 * sizeof *gradient);
    if (!gradient)
        return tide_fail_memory(error, object_of(solver, object));
    tide_free(m->gradient);
    m->gradient = gradient;
    return tide_objective_prepare(&m->objective, system, h, NULL, error);
}

static void measure(method *m, const tide_step *step, tide_report *report)
{
    bool converged = report->converged;
    double initial = tide_objective_gradient(&m->objective, m->objective.y, m->gradient);
    double norm = tide_objective_gradient(&m->objective, step->x, m->gradient);
    double g = tide_objective_value(&m->objective, step->x);
    tide_objective_report(&m->objective, g, initial, norm, 0, report);
    report->converged = converged;
}

// Errors in returned values have no line of their own. Gives them the line where the function begins.
static tide_status locate(const stepping *what, tide_error *error)
{
    const tide_script_solver *kind = what->solver->kind->context;
    if (!error)
        return TIDE_ERROR_SCRIPT;
    if (what->finishing && error->status != TIDE_ERROR_MEMORY) {
        error->where[0] = '\0';
        tide_error_locate(error, kind->file, kind->line);
    }
    if (!error->object[0])
        object_of(what->solver, error->object);
    if (error->status == TIDE_ERROR_NUMERIC) // caused by the script, not by a diverging step
        error->status = TIDE_ERROR_SCRIPT;
    return error->status;
}

static tide_status take_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error)
{
    method *m = solver->state;
    const tide_script_solver *kind = solver->kind->context;
    char object[TIDE_OBJECT_TEXT];
    tide_error unread;
    error = error ? error : &unread;
    if (!tide_objective_is_for(&m->objective, step->system, step->h))
        return tide_solver_fail_unprepared(solver, error);
    if (!kind->run)
        return tide_fail(error, TIDE_ERROR_STATE, object_of(solver, object), NULL, NULL,
                         "the script that made it is gone; give the scene another solver");
    tide_objective_predict(&m->objective, step);
    tide_objective_begin(&m->objective, step->q);
    stepping what = { .solver = solver, .step = step, .report = report };
    if (!lua_checkstack(kind->L, 16))
        return tide_fail_memory(error, object_of(solver, object));
    tide_context *context = tide_context_of(kind->L);
    bool before = context->solving;
    context->solving = true;
    tide_status status = tide_limited_call(kind->L, step_call, &what, error);
    context->solving = before;
    if (m->has_state)
        m->math->step = NULL;
    if (status != TIDE_OK) {
        m->memory_changed = true; // restores state.memory as before the step
        return locate(&what, error);
    }
    measure(m, step, report);
    return TIDE_OK;
}

static void destroy(tide_solver *solver)
{
    method *m = solver->state;
    const tide_script_solver *kind = solver->kind->context;
    if (m->has_state && tide_solver_push_own(kind->L, kind->run)) {
        lua_pushnil(kind->L);
        lua_rawsetp(kind->L, -2, m);
        lua_pop(kind->L, 1);
    }
    tide_objective_free(&m->objective);
    tide_free(m->gradient);
    tide_text_free(&m->memory);
    tide_text_free(&m->next_memory);
}

static size_t history_size(const tide_solver *solver)
{
    const method *m = solver->state;
    return m->memory.length;
}

static void save_history(const tide_solver *solver, void *bytes)
{
    const method *m = solver->state;
    memcpy(bytes, m->memory.bytes, m->memory.length);
}

static tide_status load_history(tide_solver *solver, const void *bytes, size_t size, tide_error *error)
{
    method *m = solver->state;
    char object[TIDE_OBJECT_TEXT];
    tide_text read = { 0 };
    tide_text_add(&read, bytes, size);
    if (read.failed) {
        tide_text_free(&read);
        return tide_fail_memory(error, object_of(solver, object));
    }
    tide_text_free(&m->memory);
    m->memory = read;
    m->memory_changed = true;
    return TIDE_OK;
}

void tide_script_solver_methods(tide_solver_kind *kind)
{
    kind->state_size = sizeof(method);
    kind->prepare = prepare;
    kind->step = take_step;
    kind->destroy = destroy;
    kind->history_size = history_size;
    kind->save_history = save_history;
    kind->load_history = load_history;
}
