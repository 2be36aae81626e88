#include "solver/global_step.h"

#include "base/megabytes.h"
#include "base/memory.h"
#include "factor/inverse_root.h"
#include "factor/sweeps.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static const char *const widths[] = { "widest", "128", "256", "512", NULL };
static const int bits_of[] = { 0, 128, 256, 512 };

#define WAY(initial_)                                                                                                  \
    {                                                                                                                  \
        .name = "way", .type = TIDE_FIELD_CHOICE, .offset = offsetof(tide_solve_options, method),                      \
        .choices = tide_solve_methods, .initial = { initial_ },                                                        \
        .help = "\"fast\" switches to double precision by itself where single precision is not enough"                 \
    }
#define VECTORS                                                                                                        \
    {                                                                                                                  \
        .name = "vectors", .type = TIDE_FIELD_CHOICE, .offset = offsetof(tide_solve_options, vectors),                 \
        .choices = widths, .help = "widest vector instructions to use, in bits, for comparison; \"double\" needs 256"  \
    }

#define MEMORY_LIMIT                                                                                                   \
    {                                                                                                                  \
        .name = "memory_limit", .type = TIDE_FIELD_REAL, .offset = offsetof(tide_solve_options, memory_limit),         \
        .initial = { TIDE_CHOLESKY_MEGABYTES }, .minimum = 1, .maximum = 1e6, .unit = "MB",                            \
        .help = "memory limit of the factor; a system that needs more is solved as with \"iterative\""                 \
    }

const tide_field tide_solve_fields[] = { WAY(TIDE_CHOLESKY_FAST), VECTORS, MEMORY_LIMIT, { 0 } };
const tide_field tide_solve_once_fields[] = { WAY(TIDE_CHOLESKY_DOUBLE), VECTORS, MEMORY_LIMIT, { 0 } };

static tide_status factor(tide_global_step *global, const tide_objective *objective, const char *object,
                          uint32_t *bad_particle, tide_error *error)
{
    tide_status status = tide_objective_matrix(objective, &global->matrix, error);
    if (status)
        return status;
    uint32_t bad_row = 0;
    const tide_sparse *matrix = &global->matrix.matrix, *base = &global->matrix.base;
    tide_splits splits = { objective->system->origins, objective->system->may_split };
    bool any = tide_step_matrix_splits(&global->matrix, objective->system);
    status = tide_cholesky_factor_split(global->cholesky, base->columns ? base : NULL, matrix, any ? &splits : NULL,
                                        &bad_row, error);
    if (status != TIDE_ERROR_NUMERIC || bad_row >= matrix->rows)
        return status;
    uint32_t particle = tide_step_matrix_particle(&global->matrix, objective->system, bad_row);
    if (bad_particle)
        *bad_particle = particle;
    char value[32];
    snprintf(value, sizeof value, "%u", particle);
    return tide_fail(error, TIDE_ERROR_NUMERIC, object, "particle", value,
                     "the matrix M + h^2 L is not positive definite here; raise the particle's mass, or lower the "
                     "timestep or the stiffness of its springs (which must not be negative)");
}

static void set_corrects(tide_global_step *global)
{
    tide_solve_method method = tide_global_step_describe(global).method;
    global->corrects = method == TIDE_CHOLESKY_FAST || method == TIDE_CHOLESKY_ITERATIVE;
}

// Finds the momenta that solves must conserve when they are not exact to rounding.
static tide_status find_momentum(tide_global_step *global, const tide_objective *objective, const char *object,
                                 tide_error *error)
{
    set_corrects(global);
    double factor = tide_objective_mass_factor(objective);
    return tide_momentum_find(&global->momentum, objective->system, factor) ? TIDE_OK : tide_fail_memory(error, object);
}

// Returns a new number, even if the factor is the same: its rows may belong to other particles.
static uint64_t next_serial(void)
{
    static atomic_uint_least64_t last;
    return atomic_fetch_add(&last, 1) + 1;
}

static void number(tide_global_step *global, tide_status status)
{
    bool single = tide_global_step_describe(global).method == TIDE_CHOLESKY_FAST;
    global->serial = status == TIDE_OK && single ? next_serial() : 0;
}

tide_status tide_global_step_prepare(tide_global_step *global, const tide_objective *objective,
                                     const tide_solve_options *options, const char *object, uint32_t *bad_particle,
                                     tide_error *error)
{
    if (!global->cholesky) {
        tide_status status = tide_cholesky_create(&global->cholesky, error);
        if (status)
            return status;
    }
    global->method = (tide_solve_method)options->method;
    global->narrow = !tide_sweeps_choose(false, bits_of[options->vectors]);
    tide_cholesky_choose(global->cholesky, global->method, bits_of[options->vectors]);
    tide_cholesky_allow(global->cholesky, tide_megabytes(options->memory_limit));
    tide_status status = factor(global, objective, object, bad_particle, error);
    if (status)
        return status;
    uint32_t rows = global->matrix.matrix.rows;
    if (!global->rows || global->row_count != rows) {
        tide_free(global->rows);
        global->rows = tide_allocate_zeroed(rows, 3 * sizeof *global->rows);
        if (!global->rows)
            return tide_fail_memory(error, object);
        global->row_count = rows;
    }
    // The first solve allocates the factor's workspace and determines the solve method.
    status = tide_cholesky_solve(global->cholesky, 3, global->rows, global->rows, error);
    number(global, status);
    return status ? status : find_momentum(global, objective, object, error);
}

void tide_global_step_free(tide_global_step *global)
{
    tide_cholesky_destroy(global->cholesky);
    tide_momentum_free(&global->momentum);
    tide_step_matrix_free(&global->matrix);
    tide_free(global->rows);
    *global = (tide_global_step) { 0 };
}

static tide_status solve_rows(tide_global_step *global, const double *b, double *x, tide_error *error)
{
    tide_status status = tide_cholesky_solve(global->cholesky, 3, b, x, error);
    tide_cholesky_info info = tide_cholesky_describe(global->cholesky);
    global->linear_iterations += info.iterations;
    global->unsettled = global->unsettled || info.unsettled;
    return status;
}

// Computes direction = A^-1 gradient without correcting the momentum.
static tide_status apply(tide_global_step *global, const tide_system *system, const double *gradient, double *direction,
                         tide_error *error)
{
    bool whole = global->matrix.whole; // rows are particles
    if (global->corrects)
        tide_momentum_take(&global->momentum, gradient);
    if (!whole)
        tide_system_gather(system, gradient, global->rows);
    TIDE_TRY(solve_rows(global, whole ? gradient : global->rows, whole ? direction : global->rows, error));
    if (!whole)
        tide_system_scatter(system, global->rows, direction);
    for (uint32_t p = 0; system->free_count < system->particle_count && p < system->particle_count; p++)
        if (system->rows[p] == TIDE_PINNED)
            direction[3 * (size_t)p] = direction[3 * (size_t)p + 1] = direction[3 * (size_t)p + 2] = 0;
    return TIDE_OK;
}

tide_status tide_global_step_solve(tide_global_step *global, const tide_system *system, const double *gradient,
                                   double *direction, tide_error *error)
{
    tide_status status = apply(global, system, gradient, direction, error);
    if (status == TIDE_OK && global->corrects)
        tide_momentum_give(&global->momentum, direction); // pinned particles belong to no part
    return status;
}

tide_status tide_global_step_descend(tide_global_step *global, const tide_system *system, const double *gradient,
                                     double *direction, double *x, double *most, tide_error *error)
{
    TIDE_TRY(apply(global, system, gradient, direction, error));
    *most = tide_momentum_subtract(global->corrects ? &global->momentum : NULL, direction, system->particle_count, x);
    return TIDE_OK;
}

bool tide_global_step_coast(const tide_global_step *global, const tide_step *step, const double *y, double *x)
{
    const tide_system *system = step->system;
    const tide_momentum *m = &global->momentum;
    bool any = false;
    memcpy(x, y, 3 * (size_t)system->particle_count * sizeof *x);
    for (uint32_t run = 0, p = 0; run <= m->run_count; run++) {
        uint32_t end = run < m->run_count ? m->runs[run].begin : system->particle_count;
        for (; p < end; p++) {
            if (system->rows[p] == TIDE_PINNED)
                continue;
            any = true;
            for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++)
                x[i] = step->q[i] + step->h * step->velocity[i];
        }
        p = run < m->run_count ? m->runs[run].end : p;
    }
    return any;
}

bool tide_global_step_begin_lower(const tide_global_step *global, const tide_step *step,
                                  const tide_objective *objective, double *x, double *gradient, double *value,
                                  double *norm)
{
    double there;
    if (!tide_global_step_coast(global, step, objective->y, x))
        return false;
    double found = tide_objective_evaluate(objective, x, gradient, &there);
    if (!(found < *value) || !isfinite(there))
        return false;
    *value = found;
    *norm = there;
    return true;
}

static bool apply_inverse(const tide_compliance_operator *self, const double *force, double *moved)
{
    const tide_global_compliance *y = (const tide_global_compliance *)self;
    return tide_global_step_solve(y->global, y->system, force, moved, NULL) == TIDE_OK;
}

static struct tide_inverse_root *root(const tide_compliance_operator *self)
{
    return tide_cholesky_root(((const tide_global_compliance *)self)->global->cholesky);
}

static uint32_t row(const tide_compliance_operator *self, uint32_t particle)
{
    const tide_global_compliance *y = (const tide_global_compliance *)self;
    uint32_t row = y->system->rows[particle];
    return row != TIDE_PINNED && y->global->matrix.whole ? particle : row;
}

tide_global_compliance tide_global_step_compliance(tide_global_step *global, const tide_system *system)
{
    return (tide_global_compliance) { { .solve = apply_inverse, .serial = global->serial, .root = root, .row = row },
                                      global,
                                      system };
}

tide_cholesky_info tide_global_step_describe(const tide_global_step *global)
{
    return global->cholesky ? tide_cholesky_describe(global->cholesky) : (tide_cholesky_info) { 0 };
}

void tide_global_step_tell(tide_global_step *global, tide_report *report)
{
    tide_cholesky_info info = tide_global_step_describe(global);
    bool lacks_vectors = global->method == TIDE_CHOLESKY_DOUBLE && global->narrow,
         iterates = info.method == TIDE_CHOLESKY_ITERATIVE;
    bool unsettled = global->unsettled;
    report->linear_iterations += global->linear_iterations;
    global->linear_iterations = 0;
    global->unsettled = false;
    if (info.rows == 0 || report->warning[0])
        return;
    if (unsettled)
        snprintf(report->warning, sizeof report->warning,
                 "conjugate gradients did not converge in the global step: the matrix is ill-conditioned");
    else if (info.method == global->method || lacks_vectors)
        return;
    else if (iterates)
        snprintf(report->warning, sizeof report->warning,
                 "a factor of the matrix would take %.0f MB and %.1g operations: it is solved by conjugate gradients "
                 "(solve.memory_limit)",
                 info.predicted_bytes * 0x1p-20, info.operations);
    else
        snprintf(report->warning, sizeof report->warning,
                 "%s precision is not enough for the matrix, which is ill-conditioned (error %.1g, in energy %.1g): it "
                 "is solved %s",
                 global->method == TIDE_CHOLESKY_FAST ? "single" : "double", info.error, info.energy,
                 info.method == TIDE_CHOLESKY_DOUBLE ? "in double precision" : "by CHOLMOD");
}
