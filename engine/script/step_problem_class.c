// scene:problem() and scene:method(): the next step as a minimisation problem, and solvers for it.
#include "script/limits.h"

#include "base/memory.h"
#include "world/step_problem.h"

#include <string.h>

typedef struct problem {
    tide_step_problem step;
    const tide_scene_handle *scene; // user value 1
    uint64_t frame;                 // of the scene at the creation of the problem
    bool begun;                     // y and the arrays are ready
} problem;

typedef struct method {
    tide_step_method step;
    bool made;
} method;

// --- the problem -----------------------------------------------------------------------------------------------------

int tide_scene_problem(lua_State *L)
{
    tide_scene *scene = tide_scene_self(L);
    tide_error error;
    if (tide_scene_step(L, scene, TIDE_STEP_UPDATE, &error) != TIDE_OK)
        return tide_push_failure(L, &error);
    problem *p = tide_object_new(L, &tide_problem_class, sizeof *p, 1);
    p->scene = lua_touserdata(L, 1);
    p->frame = tide_world_frame(scene->world);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, 1);
    return 1;
}

static int collect_problem(lua_State *L)
{
    problem *p = lua_touserdata(L, 1);
    tide_step_problem_free(&p->step);
    return 0;
}

static tide_scene *scene_of(lua_State *L, const problem *p)
{
    tide_scene *scene = tide_scene_live(L, p->scene);
    if (tide_world_frame(scene->world) != p->frame ||
        (p->begun && tide_world_particle_count(scene->world) != p->step.particle_count))
        tide_raise_bad(L, "problem", NULL, NULL, "the scene has changed since; call scene:problem() again");
    return scene;
}

// Computes y on first use. Later calls refresh pointers into the world, whose memory may have moved.
static problem *live(lua_State *L, int index)
{
    problem *p =
        index == 1 ? tide_object_self(L, &tide_problem_class) : tide_object_check(L, index, &tide_problem_class);
    tide_world *world = scene_of(L, p)->world;
    tide_error error;
    if (p->begun) {
        tide_raise_unless_ok(L, tide_step_problem_renew(&p->step, world, &error), &error);
        return p;
    }
    tide_step_problem_free(&p->step);
    tide_raise_unless_ok(L, tide_step_problem_create(world, &p->step, &error), &error);
    p->begun = true;
    return p;
}

static const double *check_positions(lua_State *L, const problem *p, const char *field)
{
    size_t size = 3 * (size_t)p->step.particle_count;
    return tide_check_numbers(L, 2, &size, "problem", field);
}

static int push_vector(lua_State *L, const problem *p, const double *numbers)
{
    size_t size = 3 * (size_t)p->step.particle_count;
    memcpy(tide_vector_new(L, size)->values, numbers, size * sizeof(double));
    return 1;
}

TIDE_GETTER(timestep, lua_pushnumber, live(L, 1)->step.step.h);

static int inertial(lua_State *L)
{
    const problem *p = live(L, 1);
    return push_vector(L, p, p->step.y);
}

static int objective(lua_State *L)
{
    const problem *p = live(L, 1);
    lua_pushnumber(L, tide_step_problem_g(&p->step, check_positions(L, p, "g")));
    return 1;
}

static int gradient(lua_State *L)
{
    const problem *p = live(L, 1);
    tide_step_problem_gradient(&p->step, check_positions(L, p, "gradient"));
    return push_vector(L, p, p->step.gradient);
}

static int gradient_norm(lua_State *L)
{
    const problem *p = live(L, 1);
    lua_pushnumber(L, tide_step_problem_gradient(&p->step, check_positions(L, p, "gradient_norm")));
    return 1;
}

static int advance(lua_State *L)
{
    const problem *p = tide_object_self(L, &tide_problem_class);
    tide_error error;
    tide_status status = tide_scene_step(L, scene_of(L, p), TIDE_STEP_ADVANCE, &error);
    tide_check_limit(L);
    if (status == TIDE_OK)
        return lua_pushboolean(L, 1), 1;
    tide_push_failure(L, &error);
    lua_pushboolean(L, status == TIDE_ERROR_NUMERIC);
    return 3;
}

// --- solvers ---------------------------------------------------------------------------------------------------------

// A pending step. A solver defined by the script runs under the script's limits.
typedef struct task {
    problem *p;
    method *m; // NULL: a new solver from kind and options
    const tide_solver_kind *kind;
    const void *options;
    uint32_t iterations;
    tide_report report;
    tide_status status;
    tide_error error;
} task;

static void take(task *what)
{
    what->status =
        what->m ? tide_step_method_time(&what->m->step, &what->p->step, what->iterations, &what->report, &what->error)
                : tide_step_problem_solve(&what->p->step, what->kind, what->options, &what->report, &what->error);
}

static int take_call(lua_State *L)
{
    take(lua_touserdata(L, 1));
    return 0;
}

// Takes the step. Pushes x, v and the report, or nil and a message.
static int perform(lua_State *L, task *what)
{
    tide_scene *scene = scene_of(L, what->p);
    const tide_solver_kind *kind = what->m ? tide_solver_kind_of(what->m->step.solver) : what->kind;
    tide_status status = TIDE_OK;
    if (tide_solver_kind_is_own(kind))
        take(what);
    else {
        lua_pushcfunction(L, take_call);
        lua_pushlightuserdata(L, what);
        status = tide_run_call(L, tide_scene_run_of(L, scene)->limits, 1, 0, &what->error);
        scene->L = L;
    }
    status = status == TIDE_OK ? what->status : status;
    tide_check_limit(L);
    if (status == TIDE_ERROR_MEMORY)
        tide_raise(L, &what->error);
    if (status != TIDE_OK)
        return tide_push_failure(L, &what->error);
    push_vector(L, what->p, what->p->step.x);
    push_vector(L, what->p, what->p->step.v);
    tide_report_push(L, kind->name, &what->report);
    return 3;
}

// Reads "NAME" or "NAME,option=value,..." at 2; the default is the scene's solver. Pushes a userdata with the options.
static const tide_solver_kind *read_solver(lua_State *L, tide_scene *scene, const char *object, const char *field)
{
    const tide_solver *own = tide_world_solver(scene->world);
    const tide_solver_kind *kind = tide_solver_kind_of(own);
    const tide_run *run = tide_scene_run_of(L, scene);
    const char *text = lua_isnoneornil(L, 2) ? NULL : tide_check_text(L, 2, object, field);
    void *parsed = NULL;
    tide_error error;
    if (text)
        tide_raise_unless_ok(L, tide_run_parse_solver(run, text, &kind, &parsed, &error), &error);
    tide_free(parsed); // parsed again below: creating the userdata may raise, which would leak it
    void *options = lua_newuserdatauv(L, kind->options_size + 1, 0);
    if (!text) {
        memcpy(options, tide_solver_options(own), kind->options_size);
        return kind;
    }
    tide_raise_unless_ok(L, tide_run_parse_solver(run, text, &kind, &parsed, &error), &error);
    memcpy(options, parsed, kind->options_size);
    tide_free(parsed);
    return kind;
}

static int solve(lua_State *L)
{
    task what = { .p = live(L, 1) };
    lua_settop(L, 2);
    what.kind = read_solver(L, scene_of(L, what.p), "problem", "solve");
    what.options = lua_touserdata(L, -1);
    return perform(L, &what);
}

static const tide_member problem_members[] = {
    { "timestep", .get = timestep, .type = "number", .help = "h, the timestep, in s." },
    { "inertial", .get = inertial, .type = "tide.Vector",
      .help = "y = q + h v + h^2 M^-1 f: inertial positions, reached without springs." },
    { "g", objective, .type = "(x: tide.Numbers): number",
      .help = "g(x) = 1/2 (x - y)' M (x - y) + h^2 E(x), which backward Euler minimises (Liu et al. 2013, eq. 8)." },
    { "gradient", gradient, .type = "(x: tide.Numbers): tide.Vector", .help = "The gradient of g at x." },
    { "gradient_norm", gradient_norm, .type = "(x: tide.Numbers): number",
      .help = "The norm of the gradient over free particles." },
    { "solve", solve, .type = "(solver?: string): tide.Vector?, tide.Vector|string, tide.Report?",
      .help = "Takes the step without contact, with the scene's solver, \"NAME\" or \"NAME,option=value,...\". Returns "
              "positions, velocities and a report, or nil and a message. The scene does not change." },
    { "advance", advance, .type = "(): true?, string?, boolean?",
      .help = "Takes the step in the scene, as scene:step() does after update." },
    { 0 },
};

static const luaL_Reg problem_metamethods[] = { { "__gc", collect_problem }, { 0 } };

const tide_class tide_problem_class = {
    "tide.Problem",
    "problem",
    "The next step of a scene as a minimisation problem. It is valid until the scene steps or changes.",
    problem_members,
    problem_metamethods,
    NULL,
    NULL,
};

// --- methods ---------------------------------------------------------------------------------------------------------

int tide_scene_method(lua_State *L)
{
    tide_scene *scene = tide_scene_self(L);
    lua_settop(L, 2);
    const tide_solver_kind *kind = read_solver(L, scene, "scene", "method");
    int options = lua_gettop(L);
    method *m = tide_object_new(L, &tide_method_class, sizeof *m, 1);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, 1);
    m->made = true;
    tide_error error;
    tide_raise_unless_ok(L, tide_step_method_create(&m->step, kind, lua_touserdata(L, options), &error), &error);
    return 1;
}

static int collect_method(lua_State *L)
{
    method *m = lua_touserdata(L, 1);
    if (m->made)
        tide_step_method_free(&m->step);
    m->made = false;
    return 0;
}

static method *self(lua_State *L)
{
    return tide_object_self(L, &tide_method_class);
}

static int method_time(lua_State *L)
{
    task what = { .m = self(L), .p = live(L, 2) };
    what.iterations = (uint32_t)tide_check_integer(L, 3, 1, INT32_MAX, "method", "iterations");
    return perform(L, &what);
}

TIDE_GETTER(prepare_seconds, lua_pushnumber, self(L)->step.prepare_seconds);

static int info(lua_State *L)
{
    tide_solver_info_push(L, tide_solver_kind_of(self(L)->step.solver));
    return 1;
}

static const tide_member method_members[] = {
    { "info", .get = info, .type = "tide.SolverInfo", .help = "Facts about the solver." },
    { "prepare_seconds", .get = prepare_seconds, .type = "number", .help = "Duration of the first preparation, in s." },
    { "time", method_time,
      .type = "(problem: tide.Problem, iterations: integer): tide.Vector?, tide.Vector|string, tide.Report?",
      .help = "Takes the step as the solver's first one, with at most so many iterations and tolerance 0, up to four "
              "times. Returns positions, velocities and the report of the fastest run, in which step_seconds is "
              "processor time; or nil and a message." },
    { 0 },
};

static const luaL_Reg method_metamethods[] = { { "__gc", collect_method }, { 0 } };

const tide_class tide_method_class = {
    "tide.Method", "method", "A solver whose steps are measured one at a time.", method_members, method_metamethods,
    NULL,          NULL,
};
