#include "solver/descent.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/stop.h"

#include <string.h>

tide_status tide_descent_prepare(tide_solver *solver, const tide_system *system, double h, uint32_t *bad_particle,
                                 tide_error *error)
{
    tide_descent *d = solver->state;
    const tide_descent_options *o = solver->options;
    char object[96];
    tide_solver_object(solver->kind, object);
    tide_status status = tide_solver_arrays(d, &d->direction, 1, &d->particle_count, system, object, error);
    if (!status)
        status = tide_line_search_prepare(&d->search, system, error);
    if (!status)
        status = tide_objective_prepare(&d->objective, system, h, &o->damping, error);
    if (!status)
        status = tide_global_step_prepare(&d->global, &d->objective, &o->solve, object, bad_particle, error);
    if (status)
        d->objective.system = NULL;
    return status;
}

static tide_status try_direction(tide_descent *d, const tide_descent_method *method, bool *moved, tide_report *report,
                                 tide_error *error)
{
    TIDE_TRY(method->find_direction(d, report, error));
    double start = tide_clock_seconds();
    *moved = method->move(d);
    report->line_searches += d->search.trials > 1 ? d->search.trials - 1 : 0;
    report->local_seconds += tide_clock_seconds() - start;
    return TIDE_OK;
}

// Takes one step. If the line search fails, takes a step of local/global, which always descends up to rounding.
static tide_status improve(tide_descent *d, const tide_descent_method *method, bool *moved, tide_report *report,
                           tide_error *error)
{
    tide_status status = try_direction(d, method, moved, report, error);
    return status || *moved || !method->forget(d) ? status : try_direction(d, method, moved, report, error);
}

// Contacts add a linear term to g, so the learnt curvature remains valid. But while they move x, directions longer than
// those of A would undo the compliant displacement of x.
static tide_status touch(tide_descent *d, const tide_descent_method *method, const tide_step *step, double *touched,
                         tide_report *report, tide_error *error)
{
    tide_status status = TIDE_OK;
    tide_global_compliance compliance = tide_global_step_compliance(&d->global, step->system);
    *touched = tide_step_iterate_compliant(step, d->search.x, d->objective.y, step->h, &compliance.base,
                                           TIDE_ITERATION_LAST, report);
    d->in_contact = *touched > 0;
    if (!d->in_contact)
        return TIDE_OK;
    if (method->forgets_at_contact || *touched > TIDE_CONTACT_TOLERANCE)
        method->forget(d);
    else
        status = method->keep(d, report, error);
    tide_line_search_begin(&d->search, &d->objective, d->search.x);
    return status;
}

// Iterates until the norm is at `target` and contacts, which last moved x by *touched, have converged.
static tide_status descend(tide_descent *d, const tide_solver *solver, const tide_step *step, double target,
                           double *touched, tide_report *report, tide_error *error)
{
    const tide_descent_options *o = solver->options;
    const tide_descent_method *method = solver->kind->context;
    method->forget(d);
    bool moved = true;
    for (int i = 0; i < o->iterations && ((moved && d->search.norm > target) || *touched > TIDE_CONTACT_TOLERANCE) &&
                    !tide_stop_requested();
         i++) {
        tide_status status = improve(d, method, &moved, report, error);
        report->iterations += status == TIDE_OK;
        report->plain_iterations += status == TIDE_OK && d->in_contact;
        if (!status)
            status = touch(d, method, step, touched, report, error);
        if (status)
            return status;
    }
    return TIDE_OK;
}

tide_status tide_descent_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error)
{
    tide_descent *d = solver->state;
    const tide_descent_options *o = solver->options;
    if (!tide_objective_is_for(&d->objective, step->system, step->h))
        return tide_solver_fail_unprepared(solver, error);
    double start = tide_method_seconds(report);
    tide_objective_predict(&d->objective, step);
    tide_objective_begin(&d->objective, step->q);
    memcpy(step->x, d->objective.y, 3 * (size_t)d->particle_count * sizeof *step->x);
    tide_global_compliance compliance = tide_global_step_compliance(&d->global, step->system);
    double touched = tide_step_iterate_compliant(step, step->x, d->objective.y, step->h, &compliance.base,
                                                 TIDE_ITERATION_FIRST, report);
    d->in_contact = touched > 0;
    tide_line_search_begin(&d->search, &d->objective, step->x);
    double initial = d->search.norm;
    report->accelerates = true;
    if (touched == 0 && o->start == TIDE_START_LOWEST &&
        tide_global_step_begin_lower(&d->global, step, &d->objective, d->search.trial_x, d->search.trial_gradient,
                                     &d->search.value, &d->search.norm))
        tide_line_search_exchange(&d->search);
    report->local_seconds += tide_method_seconds(report) - start;
    double target = tide_objective_target(&d->objective, o->tolerance, initial);
    TIDE_TRY(descend(d, solver, step, target, &touched, report, error));
    if (tide_objective_raises_energy(&d->objective, step, report, d->search.x, d->search.value, d->search.trial_x)) {
        tide_line_search_begin(&d->search, &d->objective, d->search.trial_x);
        TIDE_TRY(descend(d, solver, step, target, &touched, report, error));
    }
    memcpy(step->x, d->search.x, 3 * (size_t)d->particle_count * sizeof *step->x);
    tide_step_finish_velocities(step);
    tide_objective_report(&d->objective, d->search.value, initial, d->search.norm, o->tolerance, report);
    tide_global_step_tell(&d->global, report);
    return TIDE_OK;
}

void tide_descent_destroy(tide_solver *solver)
{
    tide_descent *d = solver->state;
    tide_objective_free(&d->objective);
    tide_global_step_free(&d->global);
    tide_line_search_free(&d->search);
}

tide_cholesky_info tide_descent_describe(const tide_solver *solver)
{
    const tide_descent *d = solver->state;
    return tide_global_step_describe(&d->global);
}
