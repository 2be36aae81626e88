#include "solver/solver.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/stop.h"
#include "solver/global_step.h"
#include "solver/rigid_bodies.h"

#include <stdio.h>
#include <string.h>

tide_status tide_solver_arrays(void *owner, double **arrays, int count, uint32_t *particle_count,
                               const tide_system *system, const char *object, tide_error *error)
{
    bool fits = *particle_count == system->particle_count;
    *particle_count = 0;
    for (int i = 0; i < count; i++) {
        if (fits && arrays[i])
            continue;
        tide_free(arrays[i]);
        arrays[i] = tide_own_zeroed(owner, system->particle_count, 3 * sizeof(double));
        if (!arrays[i])
            return tide_fail_memory(error, object);
    }
    *particle_count = system->particle_count;
    return TIDE_OK;
}

const char *tide_solver_object(const tide_solver_kind *kind, char text[96])
{
    snprintf(text, 96, "solver \"%s\"", kind->name);
    return text;
}

tide_status tide_solver_refuse_coupled(const tide_solver *solver, const tide_system *system, tide_error *error)
{
    const tide_elements *coupled = tide_system_coupled(system);
    char object[96], value[48];
    if (!coupled)
        return TIDE_OK;
    snprintf(value, sizeof value, "\"%.40s\"", coupled->kind->name);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, tide_solver_object(solver->kind, object), "element", value,
                     "this kind of element joins all particles of a body, for which the method does not converge; "
                     "choose newton, lbfgs, nonlinear_cg or local_global");
}

tide_status tide_solver_fail_unprepared(const tide_solver *solver, tide_error *error)
{
    char object[96];
    return tide_fail(error, TIDE_ERROR_STATE, tide_solver_object(solver->kind, object), NULL, NULL,
                     "it was not prepared for this system and timestep; prepare it after every change");
}

// The options of every method begin with the common ones.
static uint32_t substeps(const tide_solver *solver)
{
    const tide_solver_common *common = solver->options;
    return (uint32_t)common->substeps;
}

static tide_status check_options(const tide_solver_kind *kind, const void *options, tide_error *error)
{
    char owner[96];
    return tide_fields_check(kind->fields, tide_solver_object(kind, owner), options, error);
}

tide_status tide_solver_create(const tide_solver_kind *kind, const void *options, tide_solver **solver,
                               tide_error *error)
{
    if (options) {
        tide_status status = check_options(kind, options, error);
        if (status)
            return status;
    }
    tide_solver *made = tide_allocate_zeroed(1, sizeof *made);
    if (!made)
        return tide_fail_memory(error, "solver");
    made->kind = kind;
    made->options = tide_own_zeroed(made, 1, kind->options_size);
    made->state = tide_own_zeroed(made, 1, kind->state_size);
    if (!tide_owns_all(made)) {
        tide_free(made);
        return tide_fail_memory(error, "solver");
    }
    if (options)
        tide_solver_set_options(made, options);
    else
        tide_fields_default(kind->fields, made->options);
    if (kind->retain)
        kind->retain(kind);
    *solver = made;
    return TIDE_OK;
}

void tide_solver_destroy(tide_solver *solver)
{
    if (!solver)
        return;
    const tide_solver_kind *kind = solver->kind;
    kind->destroy(solver);
    tide_rigid_bodies_destroy(solver->rigid);
    tide_free(solver);
    if (kind->release)
        kind->release(kind);
}

const tide_solver_kind *tide_solver_kind_of(const tide_solver *solver)
{
    return solver->kind;
}

const void *tide_solver_options(const tide_solver *solver)
{
    return solver->options;
}

const void *tide_solver_option(const tide_solver *solver, const char *name)
{
    const tide_field *field = tide_field_find(solver->kind->fields, "", name, NULL);
    return field ? (const char *)solver->options + field->offset : NULL;
}

void tide_solver_set_options(tide_solver *solver, const void *options)
{
    memcpy(solver->options, options, solver->kind->options_size);
    solver->prepared = false;
}

// Allocates arrays for substeps, in which the result of one is the start of the next.
static tide_status make_between(tide_solver *solver, const tide_system *system, tide_error *error)
{
    if (substeps(solver) == 1 || (solver->between && solver->between_count == system->particle_count))
        return TIDE_OK;
    tide_free(solver->between);
    solver->between_count = system->particle_count;
    solver->between = tide_own_array(solver, system->particle_count, 9 * sizeof *solver->between);
    return solver->between ? TIDE_OK : tide_fail_memory(error, "solver");
}

static tide_status refuse_rigid(const tide_solver *solver, tide_error *error)
{
    char object[96];
    return tide_fail(error, TIDE_ERROR_ARGUMENT, tide_solver_object(solver->kind, object), "rigid", NULL,
                     "this method takes steps that a body held in shape does not allow; choose local_global, newton, "
                     "lbfgs, nonlinear_cg, vbd, semi_implicit, implicit_midpoint, pbd or xpbd");
}

tide_status tide_solver_prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                                uint32_t *bad_particle, tide_error *error)
{
    if (!isfinite(h) || h <= 0) {
        char owner[96], value[48];
        snprintf(value, sizeof value, "%g", h);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, tide_solver_object(solver->kind, owner), "timestep", value,
                         "expected a finite number above 0 s");
    }
    solver->prepared = false;
    tide_status status = check_options(solver->kind, solver->options, error);
    if (!status)
        status = tide_rigid_bodies_prepare(&solver->rigid, system, h / substeps(solver), error);
    if (!status)
        status = make_between(solver, system, error);
    if (!status && solver->rigid && solver->kind->rigid_stiffness == 0)
        status = refuse_rigid(solver, error);
    if (!status)
        status = solver->kind->prepare(solver, system, h / substeps(solver), x, bad_particle, error);
    solver->prepared = status == TIDE_OK;
    return status;
}

static void add_phases(tide_contact_phases *sum, const tide_contact_phases *part)
{
    sum->narrow_seconds += part->narrow_seconds;
    sum->continuous_seconds += part->continuous_seconds;
    sum->continuous_detect_seconds += part->continuous_detect_seconds;
    sum->searches += part->searches;
    sum->candidates += part->candidates;
    sum->swept_candidates += part->swept_candidates;
    sum->unresolved += part->unresolved;
}

// Adds up counts and times; the other fields are those of the last substep.
static void add_report(tide_report *sum, const tide_report *part)
{
    tide_report next = *part;
    next.iterations += sum->iterations;
    next.line_searches += sum->line_searches;
    next.linear_iterations += sum->linear_iterations;
    next.substeps += sum->substeps;
    next.rejected += sum->rejected;
    next.local_seconds += sum->local_seconds;
    next.global_seconds += sum->global_seconds;
    next.contact_seconds += sum->contact_seconds;
    next.contact_detect_seconds += sum->contact_detect_seconds;
    add_phases(&next.contact_phases, &sum->contact_phases);
    next.contact_work += sum->contact_work;
    if (!next.warning[0])
        memcpy(next.warning, sum->warning, sizeof next.warning);
    *sum = next;
}

static tide_status step_once(tide_solver *solver, const tide_step *from, tide_report *sum, tide_error *error)
{
    tide_step moved = *from;
    const tide_step *step = &moved;
    if (solver->rigid)
        moved.velocity = tide_rigid_bodies_begin(solver->rigid, from, solver->kind->rigid_place);
    double stiffness = solver->kind->rigid_stiffness;
    if (solver->rigid && stiffness < TIDE_RIGID_SOFT)
        moved.contact = tide_rigid_bodies_wrap(solver->rigid, from->contact, stiffness);
    tide_report report = { .suspect = TIDE_NO_PARTICLE };
    const tide_contact_response *contact = solver->kind->cuts_timestep ? NULL : from->contact;
    tide_status status = contact ? contact->pre_step(contact->context, step, error) : TIDE_OK;
    if (status == TIDE_OK)
        status = solver->kind->step(solver, step, &report, error);
    if (status == TIDE_OK && solver->rigid)
        tide_rigid_bodies_end(solver->rigid, step);
    if (status == TIDE_OK && contact && report.suspect == TIDE_NO_PARTICLE)
        status = contact->post_step(contact->context, step->x, step->v, &report, error);
    if (status == TIDE_OK && contact && solver->rigid)
        tide_rigid_bodies_end(solver->rigid, step);
    if (status == TIDE_OK && contact && solver->kind->after_contacts)
        solver->kind->after_contacts(solver, step);
    if (status == TIDE_OK && report.substeps == 0)
        report.substeps = 1;
    if (status == TIDE_OK && report.substep == 0)
        report.substep = step->h;
    add_report(sum, &report);
    return status;
}

// Takes the substeps. Pinned particles move at a constant velocity over the whole timestep.
static tide_status step_parts(tide_solver *solver, const tide_step *step, uint32_t parts, tide_report *sum,
                              tide_error *error)
{
    size_t numbers = 3 * (size_t)step->system->particle_count, size = numbers * sizeof(double);
    double *q = solver->between, *v = q + numbers, *pinned = v + numbers;
    tide_step part = *step;
    part.h = step->h / parts;
    part.pinned = pinned;
    for (uint32_t i = 1; i <= parts; i++) {
        double fraction = (double)i / parts;
        part.from = step->from + (step->to - step->from) * (i - 1) / parts;
        part.to = step->from + (step->to - step->from) * fraction;
        for (size_t k = 0; k < numbers; k++)
            pinned[k] = i == parts ? step->pinned[k] : step->q[k] + fraction * (step->pinned[k] - step->q[k]);
        tide_status status = step_once(solver, &part, sum, error);
        if (status == TIDE_OK)
            status = tide_stop_check("solver", error);
        if (status || sum->suspect != TIDE_NO_PARTICLE) // the step has diverged, which the caller detects
            return status;
        memcpy(q, step->x, size);
        memcpy(v, step->v, size);
        part.q = q;
        part.velocity = part.undamped = v;
    }
    return TIDE_OK;
}

tide_status tide_solver_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error)
{
    double start = tide_clock_seconds();
    uint32_t parts = substeps(solver);
    tide_step taken = *step;
    if (!taken.undamped)
        taken.undamped = taken.velocity;
    if (taken.to <= taken.from) // not given: the whole timestep
        taken.from = 0, taken.to = 1;
    bool has_room = parts == 1 || (solver->between && solver->between_count == step->system->particle_count);
    if (!solver->prepared || !has_room)
        return tide_solver_fail_unprepared(solver, error);
    tide_report made = { .suspect = TIDE_NO_PARTICLE };
    tide_status status =
        parts == 1 ? step_once(solver, &taken, &made, error) : step_parts(solver, &taken, parts, &made, error);
    made.step_seconds = tide_clock_seconds() - start;
    *report = made;
    if ((status == TIDE_OK || status == TIDE_ERROR_NUMERIC) && tide_stop_requested()) // loops may have ended early
        status = tide_stop_check("solver", error);
    return status;
}

tide_cholesky_info tide_solver_describe(const tide_solver *solver)
{
    return solver->kind->describe ? solver->kind->describe(solver) : (tide_cholesky_info) { 0 };
}

size_t tide_solver_history_size(const tide_solver *solver)
{
    return solver->kind->history_size ? solver->kind->history_size(solver) : 0;
}

void tide_solver_save_history(const tide_solver *solver, void *bytes)
{
    if (solver->kind->save_history)
        solver->kind->save_history(solver, bytes);
}

tide_status tide_solver_load_history(tide_solver *solver, const void *bytes, size_t size, tide_error *error)
{
    if (solver->kind->load_history)
        return solver->kind->load_history(solver, bytes, size, error);
    if (size == 0)
        return TIDE_OK;
    char owner[96], value[48];
    snprintf(value, sizeof value, "%zu bytes", size);
    return tide_fail(error, TIDE_ERROR_STATE, tide_solver_object(solver->kind, owner), "history", value,
                     "this solver keeps no history; the snapshot is of another solver");
}
