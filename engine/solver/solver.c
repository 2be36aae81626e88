#include "solver/solver.h"

#include "base/clock.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

struct tide_solver {
    const tide_solver_kind *kind;
    void *options, *state;
};

static const char *owner_text(const tide_solver_kind *kind, char text[96])
{
    snprintf(text, 96, "solver \"%s\"", kind->name);
    return text;
}

static tide_status check_options(const tide_solver_kind *kind, const void *options, tide_error *error)
{
    char owner[96];
    return tide_fields_check(kind->fields, owner_text(kind, owner), options, error);
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
    made->options = tide_allocate_zeroed(1, kind->options_size);
    made->state = tide_allocate_zeroed(1, kind->state_size);
    if (!made->options || !made->state) {
        tide_free(made->options);
        tide_free(made->state);
        tide_free(made);
        return tide_fail_memory(error, "solver");
    }
    if (options)
        tide_solver_set_options(made, options);
    else
        tide_fields_default(kind->fields, made->options);
    *solver = made;
    return TIDE_OK;
}

void tide_solver_destroy(tide_solver *solver)
{
    if (!solver)
        return;
    solver->kind->destroy(solver->state);
    tide_free(solver->options);
    tide_free(solver->state);
    tide_free(solver);
}

const tide_solver_kind *tide_solver_kind_of(const tide_solver *solver)
{
    return solver->kind;
}

const void *tide_solver_options(const tide_solver *solver)
{
    return solver->options;
}

void tide_solver_set_options(tide_solver *solver, const void *options)
{
    memcpy(solver->options, options, solver->kind->options_size);
}

tide_status tide_solver_prepare(tide_solver *solver, const tide_system *system, double h, uint32_t *bad_particle,
                                tide_error *error)
{
    if (!isfinite(h) || h <= 0) {
        char owner[96], value[48];
        snprintf(value, sizeof value, "%g", h);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, owner_text(solver->kind, owner), "timestep", value,
                         "expected a finite number above 0 s");
    }
    tide_status status = check_options(solver->kind, solver->options, error);
    if (status)
        return status;
    return solver->kind->prepare(solver->state, solver->options, system, h, bad_particle, error);
}

tide_status tide_solver_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error)
{
    double start = tide_clock_seconds();
    tide_report made = { 0 };
    tide_status status = solver->kind->step(solver->state, solver->options, step, &made, error);
    if (status)
        return status;
    made.step_seconds = tide_clock_seconds() - start;
    *report = made;
    return TIDE_OK;
}

tide_cholesky_info tide_solver_describe(const tide_solver *solver)
{
    return solver->kind->describe ? solver->kind->describe(solver->state) : (tide_cholesky_info) { 0 };
}

size_t tide_solver_history_size(const tide_solver *solver)
{
    return solver->kind->history_size ? solver->kind->history_size(solver->state) : 0;
}

void tide_solver_save_history(const tide_solver *solver, void *bytes)
{
    if (solver->kind->save_history)
        solver->kind->save_history(solver->state, bytes);
}

tide_status tide_solver_load_history(tide_solver *solver, const void *bytes, size_t size, tide_error *error)
{
    if (solver->kind->load_history)
        return solver->kind->load_history(solver->state, bytes, size, error);
    if (size == 0)
        return TIDE_OK;
    char owner[96], value[48];
    snprintf(value, sizeof value, "%zu bytes", size);
    return tide_fail(error, TIDE_ERROR_STATE, owner_text(solver->kind, owner), "history", value,
                     "this solver keeps no history; the snapshot is of another solver");
}
