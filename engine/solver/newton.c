// Newton's method on the objective of backward Euler. It computes the exact step that local_global and others
// approximate.
#include "solver/implicit_steps.h"

#include <string.h>

static tide_status prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                           uint32_t *bad_particle, tide_error *error)
{
    (void)x;
    return tide_implicit_step_prepare(solver, system, h, 0, bad_particle, error);
}

static tide_status take_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error)
{
    tide_implicit_step *s = solver->state;
    const tide_implicit_step_options *o = solver->options;
    if (!tide_objective_is_for(&s->objective, step->system, step->h))
        return tide_solver_fail_unprepared(solver, error);
    tide_objective_predict(&s->objective, step);
    tide_objective_begin(&s->objective, step->q);
    memcpy(step->x, s->objective.y, 3 * (size_t)step->system->particle_count * sizeof *step->x);
    TIDE_TRY(tide_newton_minimise(&s->newton, &o->newton, &s->objective, step, step->x, report, error));
    tide_step_finish_velocities(step);
    return TIDE_OK;
}

const tide_solver_kind tide_newton_method = {
    .name = "newton",
    .help = "implicit Euler, solved to any accuracy by Newton's method with a line search",
    .source = "Martin et al. 2011, Example-based elastic materials: sec. 5; Liu et al. 2013: eq. 8, sec. 5",
    .fields = tide_implicit_step_fields,
    .options_size = sizeof(tide_implicit_step_options),
    .state_size = sizeof(tide_implicit_step),
    .order = 1,
    .rigid_stiffness = 1e4,
    .rigid_place = 1,
    .amplification = tide_backward_euler_amplification,
    .prepare = prepare,
    .step = take_step,
    .destroy = tide_implicit_step_destroy,
    .describe = tide_implicit_step_describe,
};
