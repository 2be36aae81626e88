// Newton's method on the objective of backward Euler. It computes the exact step that local_global and others
// approximate.
#include "base/memory.h"
#include "solver/newton_minimiser.h"

#include <string.h>

#define OBJECT "solver \"newton\""

typedef struct options {
    tide_solver_common common;
    tide_newton_options newton;
    tide_damping damping;
} options;

static const tide_field fields[] = {
    TIDE_SOLVER_COMMON_FIELDS(options),
    TIDE_NEWTON_FIELDS(options),
    TIDE_DAMPING_FIELD(options, tide_damping_fields),
    { 0 },
};

typedef struct state {
    tide_objective objective;
    tide_newton newton;
} state;

static tide_status prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                           uint32_t *bad_particle, tide_error *error)
{
    state *s = solver->state;
    const options *o = solver->options;
    (void)x;
    tide_status status = tide_objective_prepare(&s->objective, system, h, &o->damping, error);
    if (!status)
        status = tide_newton_prepare(&s->newton, &o->newton, &s->objective, OBJECT, bad_particle, error);
    if (status)
        s->objective.system = NULL;
    return status;
}

static tide_status take_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error)
{
    state *s = solver->state;
    const options *o = solver->options;
    if (!tide_objective_is_for(&s->objective, step->system, step->h))
        return tide_solver_fail_unprepared(solver, error);
    tide_objective_predict(&s->objective, step);
    tide_objective_begin(&s->objective, step->q);
    memcpy(step->x, s->objective.y, 3 * (size_t)step->system->particle_count * sizeof *step->x);
    tide_status status = tide_newton_minimise(&s->newton, &o->newton, &s->objective, step, step->x, report, error);
    if (!status)
        tide_step_finish_velocities(step);
    return status;
}

static void destroy(tide_solver *solver)
{
    state *s = solver->state;
    tide_objective_free(&s->objective);
    tide_newton_free(&s->newton);
}

static tide_cholesky_info describe(const tide_solver *solver)
{
    const state *s = solver->state;
    return tide_newton_describe(&s->newton);
}

const tide_solver_kind tide_newton_method = {
    .name = "newton",
    .help = "implicit Euler, solved to any accuracy by Newton's method with a line search",
    .source = "Martin et al. 2011, Example-based elastic materials: sec. 5; Liu et al. 2013: eq. 8, sec. 5",
    .fields = fields,
    .options_size = sizeof(options),
    .state_size = sizeof(state),
    .order = 1,
    .amplification = tide_backward_euler_amplification,
    .prepare = prepare,
    .step = take_step,
    .destroy = destroy,
    .describe = describe,
};
