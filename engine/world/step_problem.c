#include "world/step_problem.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "solver/solver_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REPETITIONS = 3 };
static const double REPETITION_BUDGET = 1.5; // s: a run that takes longer is not repeated

// --- the problem -----------------------------------------------------------------------------------------------------

tide_status tide_step_problem_create(tide_world *world, tide_step_problem *p, tide_error *error)
{
    uint32_t count = tide_world_particle_count(world);
    *p = (tide_step_problem) { .particle_count = count };
    double **arrays[] = { &p->y, &p->x, &p->v, &p->gradient };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        if ((*arrays[i] = tide_allocate_zeroed(count, 3 * sizeof(double))) == NULL)
            return tide_fail_memory(error, "step");
    tide_status status = tide_world_predict(world, p->y, error);
    return status == TIDE_OK ? tide_step_problem_renew(p, world, error) : status;
}

void tide_step_problem_free(tide_step_problem *p)
{
    tide_free(p->y);
    tide_free(p->x);
    tide_free(p->v);
    tide_free(p->gradient);
    *p = (tide_step_problem) { 0 };
}

tide_status tide_step_problem_renew(tide_step_problem *p, tide_world *world, tide_error *error)
{
    tide_status status = tide_world_inputs(world, &p->step, error);
    p->step.x = p->x;
    p->step.v = p->v;
    return status;
}

double tide_step_problem_g(const tide_step_problem *p, const double *x)
{
    return tide_system_objective(p->step.system, p->step.h, p->y, x);
}

double tide_step_problem_gradient(const tide_step_problem *p, const double *x)
{
    tide_system_objective_gradient(p->step.system, p->step.h, p->y, x, p->gradient);
    return tide_system_norm(p->step.system, p->gradient);
}

tide_status tide_step_problem_solve(tide_step_problem *p, const tide_solver_kind *kind, const void *options,
                                    tide_report *report, tide_error *error)
{
    tide_solver *solver = NULL;
    uint32_t bad;
    *report = (tide_report) { 0 };
    tide_status status = tide_solver_create(kind, options, &solver, error);
    if (status == TIDE_OK)
        status = tide_solver_prepare(solver, p->step.system, p->step.h, p->step.q, &bad, error);
    double start = tide_computing_seconds();
    if (status == TIDE_OK)
        status = tide_solver_step(solver, &p->step, report, error);
    report->step_seconds = tide_computing_seconds() - start;
    tide_solver_destroy(solver);
    return status;
}

// --- a method --------------------------------------------------------------------------------------------------------

tide_status tide_step_method_create(tide_step_method *m, const tide_solver_kind *kind, const void *options,
                                    tide_error *error)
{
    *m = (tide_step_method) { .iterative = tide_solver_has_option(kind, "iterations") };
    TIDE_TRY(tide_solver_create(kind, options, &m->solver, error));
    m->options = tide_copy_bytes(tide_solver_options(m->solver), kind->options_size);
    return m->options ? TIDE_OK : tide_fail_memory(error, "step");
}

void tide_step_method_free(tide_step_method *m)
{
    tide_solver_destroy(m->solver);
    tide_free(m->options);
    tide_free(m->history);
}

// Sets an option by its name if the method has it.
static tide_status set_option(const tide_solver_kind *kind, void *options, const char *name, const char *text,
                              tide_error *error)
{
    return tide_solver_has_option(kind, name) ? tide_fields_parse(kind->fields, kind->name, options, name, text, error)
                                              : TIDE_OK;
}

// Prepares the method to take the step as if it were its first, with at most so many iterations.
static tide_status prepare(tide_step_method *m, const tide_step_problem *p, uint32_t iterations, tide_error *error)
{
    const tide_solver_kind *kind = tide_solver_kind_of(m->solver);
    char text[16];
    uint32_t bad;
    tide_status status = TIDE_OK;
    snprintf(text, sizeof text, "%.0f", fmin(iterations, tide_solver_option_most(kind, "iterations")));
    if (m->iterative)
        status = set_option(kind, m->options, "iterations", text, error);
    if (status == TIDE_OK && m->iterative)
        status = set_option(kind, m->options, "tolerance", "0", error);
    if (status != TIDE_OK)
        return status;
    tide_solver_set_options(m->solver, m->options);
    double start = tide_clock_seconds();
    // Prepares at y, because the step could reuse a factor computed at q.
    status = tide_solver_prepare(m->solver, p->step.system, p->step.h, p->y, &bad, error);
    if (m->prepare_seconds == 0)
        m->prepare_seconds = tide_clock_seconds() - start;
    return status;
}

static tide_status keep_history(tide_step_method *m, tide_error *error)
{
    size_t size = tide_solver_history_size(m->solver);
    tide_free(m->history);
    m->history = tide_allocate(size);
    if (!m->history)
        return tide_fail_memory(error, "step");
    if (size)
        tide_solver_save_history(m->solver, m->history);
    return TIDE_OK;
}

// Prepares and takes one run. The first run stores the history after its preparation; the others start from it. Sets
// *factors to the number of factorisations in the step.
static tide_status take(tide_step_method *m, tide_step_problem *p, uint32_t iterations, bool first, uint64_t *factors,
                        tide_report *report, tide_error *error)
{
    *report = (tide_report) { 0 };
    tide_status status = prepare(m, p, iterations, error);
    size_t size = tide_solver_history_size(m->solver);
    if (status == TIDE_OK && first)
        status = keep_history(m, error);
    else if (status == TIDE_OK && size)
        status = tide_solver_load_history(m->solver, m->history, size, error);
    uint64_t before = tide_solver_describe(m->solver).factorizations;
    double stepping = tide_computing_seconds();
    if (status == TIDE_OK)
        status = tide_solver_step(m->solver, &p->step, report, error);
    report->step_seconds = tide_computing_seconds() - stepping;
    *factors = tide_solver_describe(m->solver).factorizations - before;
    return status;
}

// Prepares before each run. Stops at a run that reuses a factorisation of the run before, and does not count it.
tide_status tide_step_method_time(tide_step_method *m, tide_step_problem *p, uint32_t iterations, tide_report *best,
                                  tide_error *error)
{
    double begin = tide_clock_seconds();
    tide_status status = TIDE_OK;
    uint64_t factors = 0, made;
    for (int run = 0; status == TIDE_OK && run <= REPETITIONS; run++) {
        tide_report report;
        if (run > 0 && tide_clock_seconds() - begin > REPETITION_BUDGET)
            break;
        status = take(m, p, iterations, run == 0, &made, &report, error);
        if (run == 0)
            factors = made;
        else if (made < factors)
            break;
        if (status == TIDE_OK && (run < 2 || report.step_seconds < best->step_seconds))
            *best = report; // the first run warms up
    }
    return status;
}
