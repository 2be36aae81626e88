#include "solver/global_step.h"

#include "base/memory.h"
#include "linear/inverse_root.h"
#include "linear/sweeps.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static const char *const widths[] = { "widest", "128", "256", "512", NULL };
static const int bits_of[] = { 0, 128, 256, 512 };

#define WAY(initial_)                                                                                                  \
    {                                                                                                                  \
        .name = "way", .type = TIDE_FIELD_CHOICE, .offset = offsetof(tide_solve_options, way),                         \
        .choices = tide_cholesky_ways, .initial = { initial_ },                                                        \
        .help = "\"fast\" goes over to double precision by itself where single precision is not enough"                \
    }
#define VECTORS                                                                                                        \
    {                                                                                                                  \
        .name = "vectors", .type = TIDE_FIELD_CHOICE, .offset = offsetof(tide_solve_options, vectors),                 \
        .choices = widths, .help = "the widest vectors to compute in, bits, for comparison; \"double\" needs 256"      \
    }

#define MEMORY_LIMIT                                                                                                   \
    {                                                                                                                  \
        .name = "memory_limit", .type = TIDE_FIELD_REAL, .offset = offsetof(tide_solve_options, memory_limit),         \
        .initial = { TIDE_CHOLESKY_MEMORY_LIMIT >> 20 }, .minimum = 1, .maximum = 1e6, .unit = "MB",                   \
        .help = "what a factor may take; a system that would take more is solved as with \"iterative\""                \
    }

static const char *const backgrounds[] = { "auto", "always", "never", NULL };
#define BACKGROUND                                                                                                     \
    {                                                                                                                  \
        .name = "background", .type = TIDE_FIELD_CHOICE, .offset = offsetof(tide_solve_options, background),           \
        .choices = backgrounds,                                                                                        \
        .help =                                                                                                        \
            "whether a scene that is run again with other stiffnesses, masses or another timestep (its file, a "       \
            "parameter, a slider) goes on with the old factor, as what preconditions conjugate gradients, while "      \
            "the new one is made; \"auto\" where the frame would stand still otherwise; iterations of the few "        \
            "frames until then go by directions to 1 %, with \"double\" to 1e-10; what a script changes itself as "    \
            "it runs (scene.timestep, pins) is factored before the next step"                                          \
    }

const tide_field tide_solve_fields[] = { WAY(TIDE_CHOLESKY_FAST), VECTORS, MEMORY_LIMIT, BACKGROUND, { 0 } };
const tide_field tide_solve_once_fields[] = { WAY(TIDE_CHOLESKY_DOUBLE), VECTORS, MEMORY_LIMIT, BACKGROUND, { 0 } };

// Of the right-hand side, what conjugate gradients leave while a factor is being made.
static const double of_direction = 1e-2, of_solution = 1e-5, in_double = 1e-10;

static const tide_sparse *base_of(const tide_global_step *global)
{
    return global->matrix.base.columns ? &global->matrix.base : NULL;
}

static tide_status factor_now(tide_global_step *global, const tide_system *system, const char *object,
                              uint32_t *bad_particle, tide_error *error)
{
    uint32_t bad_row = 0;
    const tide_sparse *matrix = &global->matrix.matrix;
    tide_status status = tide_cholesky_factor_grafted(global->cholesky, base_of(global), matrix, &bad_row, error);
    global->broken = status != TIDE_OK;
    if (status != TIDE_ERROR_NUMERIC || bad_row >= matrix->rows || !system)
        return status;
    uint32_t particle = tide_step_matrix_particle(&global->matrix, system, bad_row);
    if (bad_particle)
        *bad_particle = particle;
    char value[32];
    snprintf(value, sizeof value, "%u", particle);
    return tide_fail(error, TIDE_ERROR_NUMERIC, object, "particle", value,
                     "the matrix M + h^2 L is not positive definite here; raise the particle's mass, or lower the "
                     "timestep or the stiffness of its springs (which must not be negative)");
}

// Leaves the factor of the matrix to the background where that may be; `before`: the values it had, or NULL. False: it
// is to be made now, or is there.
static bool change_over(tide_global_step *global, const double *before, bool may)
{
    if (!global->change && !(may && before))
        return false;
    const tide_sparse *matrix = &global->matrix.matrix, *base = base_of(global);
    tide_cholesky_key key = tide_cholesky_key_of(base, matrix);
    if (!global->change) {
        bool always = global->options.background == TIDE_BACKGROUND_ALWAYS;
        return tide_changeover_pays(global->cholesky, &key, always) &&
               tide_changeover_begin(&global->change, global->cholesky, before, base, matrix);
    }
    if (tide_changeover_is_to(global->change, &key))
        return true;
    if (tide_changeover_is_from(global->change, &key))
        tide_changeover_finish(&global->change, TIDE_CHANGEOVER_BACK);
    else if (may && tide_changeover_has_pattern(global->change, &key))
        return tide_changeover_restart(&global->change, base, matrix);
    else
        tide_changeover_finish(&global->change, TIDE_CHANGEOVER_DROP);
    return false;
}

static tide_status factor(tide_global_step *global, const tide_objective *objective, bool may, const char *object,
                          uint32_t *bad_particle, tide_error *error)
{
    const tide_sparse *matrix = &global->matrix.matrix;
    double *before = NULL;
    if (may && !global->change && tide_cholesky_can_set_aside(global->cholesky))
        before = tide_copy_bytes(matrix->value, (size_t)matrix->column_start[matrix->columns] * sizeof *before);
    tide_status status = tide_objective_matrix(objective, &global->matrix, error);
    if (!status && !change_over(global, before, may))
        status = factor_now(global, objective->system, object, bad_particle, error);
    tide_free(before);
    return status;
}

static void set_corrects(tide_global_step *global)
{
    tide_cholesky_way way = tide_global_step_describe(global).way;
    global->corrects = global->change || way == TIDE_CHOLESKY_FAST || way == TIDE_CHOLESKY_ITERATIVE;
}

// What has a momentum of its own, which solves that are not exact to rounding are to keep.
static tide_status find_momentum(tide_global_step *global, const tide_objective *objective, const char *object,
                                 tide_error *error)
{
    set_corrects(global);
    double factor = tide_objective_mass_factor(objective);
    return tide_momentum_find(&global->momentum, objective->system, factor) ? TIDE_OK : tide_fail_memory(error, object);
}

// Another number even where the factor is the same: its rows may be other particles'.
static uint64_t next_serial(void)
{
    static atomic_uint_least64_t last;
    return atomic_fetch_add(&last, 1) + 1;
}

static void number(tide_global_step *global, tide_status status)
{
    bool single = (!global->change || tide_changeover_yields(global->change)) &&
                  tide_global_step_describe(global).way == TIDE_CHOLESKY_FAST;
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
    bool may = global->defers && options->background != TIDE_BACKGROUND_NEVER;
    const tide_solve_options *o = &global->options;
    bool same = o->way == options->way && o->vectors == options->vectors && o->memory_limit == options->memory_limit &&
                o->background == options->background;
    global->defers = false;
    if (global->change && !same)
        tide_changeover_finish(&global->change, TIDE_CHANGEOVER_DROP);
    global->options = *options;
    global->way = (tide_cholesky_way)options->way;
    global->narrow = !tide_sweeps_choose(false, bits_of[options->vectors]);
    if (!global->change) {
        tide_cholesky_choose(global->cholesky, global->way, bits_of[options->vectors]);
        tide_cholesky_allow(global->cholesky, (size_t)(options->memory_limit * 0x1p20));
    }
    tide_status status = factor(global, objective, may, object, bad_particle, error);
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
    // The first solve makes the factor's workspace, and finds out which way it goes.
    if (!global->change)
        status = tide_cholesky_solve(global->cholesky, 3, global->rows, global->rows, error);
    number(global, status);
    return status ? status : find_momentum(global, objective, object, error);
}

// --- while a factor is made in the background ------------------------------------------------------------------------

void tide_global_step_defer(tide_global_step *global)
{
    global->defers = true;
}

bool tide_global_step_is_due(const tide_global_step *global)
{
    return global->broken || (global->change && tide_changeover_is_due(global->change));
}

tide_status tide_global_step_settle(tide_global_step *global, const tide_system *system, const char *object,
                                    uint32_t *bad_particle, tide_error *error)
{
    if (!global->change && !global->broken)
        return TIDE_OK;
    tide_changeover_finish(&global->change, TIDE_CHANGEOVER_TAKE);
    tide_status status = factor_now(global, system, object, bad_particle, error);
    set_corrects(global);
    number(global, status);
    return status;
}

size_t tide_global_step_history_size(const tide_global_step *global)
{
    return global->change ? tide_changeover_size(global->change) : 0;
}

void tide_global_step_save_history(const tide_global_step *global, void *bytes)
{
    if (global->change)
        tide_changeover_save(global->change, bytes);
}

// Begins the change anew from the values that were saved.
static tide_status begin_again(tide_global_step *global, const double *values, tide_error *error)
{
    const tide_sparse *matrix = &global->matrix.matrix, *base = base_of(global);
    tide_sparse before = *matrix;
    before.value = tide_copy_bytes(values, (size_t)matrix->column_start[matrix->columns] * sizeof *values);
    tide_changeover_finish(&global->change, TIDE_CHANGEOVER_DROP);
    tide_status status = before.value ? TIDE_OK : tide_fail_memory(error, "solver");
    if (!status)
        status = tide_cholesky_factor_grafted(global->cholesky, base, &before, NULL, error);
    if (!status && tide_cholesky_can_set_aside(global->cholesky) &&
        !tide_changeover_begin(&global->change, global->cholesky, before.value, base, matrix))
        status = tide_fail_memory(error, "solver");
    tide_free(before.value);
    return status;
}

tide_status tide_global_step_load_history(tide_global_step *global, const void *bytes, size_t size, tide_error *error)
{
    const tide_sparse *matrix = &global->matrix.matrix;
    tide_cholesky_key key = { 0 };
    const void *values = NULL;
    tide_changeover_saved saved = { 0 };
    if (size) {
        saved = tide_changeover_read(bytes, size, &values);
        key = tide_cholesky_key_of(base_of(global), matrix);
    }
    if (!size || !tide_cholesky_same_key(&saved.to, &key) || global->options.background == TIDE_BACKGROUND_NEVER ||
        saved.nonzeros != (uint64_t)matrix->column_start[matrix->columns])
        return tide_global_step_settle(global, NULL, NULL, NULL, error);
    if (!global->change || !tide_changeover_is_from(global->change, &saved.from)) {
        tide_status status = begin_again(global, values, error);
        if (!status && !global->change)
            status = factor_now(global, NULL, NULL, NULL, error);
        if (status)
            return status;
    }
    if (global->change)
        tide_changeover_set_left(global->change, saved.left);
    set_corrects(global);
    number(global, TIDE_OK);
    return TIDE_OK;
}

void tide_global_step_free(tide_global_step *global)
{
    tide_changeover_finish(&global->change, TIDE_CHANGEOVER_DROP);
    tide_cholesky_destroy(global->cholesky);
    tide_momentum_free(&global->momentum);
    tide_step_matrix_free(&global->matrix);
    tide_free(global->rows);
    *global = (tide_global_step) { 0 };
}

// Where conjugate gradients with the old factor do not get there, or have taken enough, the new one is waited for.
static tide_status solve_to(tide_global_step *global, const tide_system *system, double tolerance, const double *b,
                            double *x, tide_error *error)
{
    if (global->change) {
        uint32_t iterations = 0;
        double least = global->way == TIDE_CHOLESKY_DOUBLE ? in_double : tolerance;
        bool solved =
            !tide_changeover_is_due(global->change) && tide_changeover_solve(global->change, least, b, x, &iterations);
        global->linear_iterations += iterations;
        tide_status status = solved ? TIDE_OK : tide_global_step_settle(global, system, "solver", NULL, error);
        if (solved || status)
            return status;
    }
    tide_status status = tide_cholesky_solve(global->cholesky, 3, b, x, error);
    tide_cholesky_info info = tide_cholesky_describe(global->cholesky);
    global->linear_iterations += info.iterations;
    global->unsettled = global->unsettled || info.unsettled;
    return status;
}

static tide_status solve_rows(tide_global_step *global, const tide_system *system, const double *b, double *x,
                              tide_error *error)
{
    return solve_to(global, system, of_solution, b, x, error);
}

// What conjugate gradients from 0 come to, stopped anywhere, lowers the quadratic with A that bounds g (Liu et al.
// 2013, section 4: each iteration minimises it), so that g falls with it.
static tide_status direct_rows(tide_global_step *global, const tide_system *system, const double *b, double *x,
                               tide_error *error)
{
    return solve_to(global, system, of_direction, b, x, error);
}

static tide_status precondition_rows(tide_global_step *global, const tide_system *system, const double *b, double *x,
                                     tide_error *error)
{
    if (!global->change)
        return solve_rows(global, system, b, x, error);
    tide_changeover_precondition(global->change, b, x);
    return TIDE_OK;
}

// Contacts ask too often for conjugate gradients: where W of the old factor will not do, the new one is waited for.
static tide_status yield_rows(tide_global_step *global, const tide_system *system, const double *b, double *x,
                              tide_error *error)
{
    if (global->change && tide_changeover_yields(global->change)) {
        tide_changeover_yield(global->change, b, x);
        return TIDE_OK;
    }
    tide_status status = tide_global_step_settle(global, system, "solver", NULL, error);
    return status ? status : solve_rows(global, system, b, x, error);
}

typedef tide_status on_rows(tide_global_step *global, const tide_system *system, const double *b, double *x,
                            tide_error *error);

// But for the momentum that is to be given back.
static tide_status apply(tide_global_step *global, const tide_system *system, on_rows *to_rows, const double *gradient,
                         double *direction, tide_error *error)
{
    bool whole = global->matrix.whole; // rows are particles
    if (global->corrects)
        tide_momentum_take(&global->momentum, gradient);
    if (!whole)
        tide_system_gather(system, gradient, global->rows);
    const double *g = whole ? gradient : global->rows;
    double *d = whole ? direction : global->rows;
    tide_status status = to_rows(global, system, g, d, error);
    if (status)
        return status;
    if (!whole)
        tide_system_scatter(system, global->rows, direction);
    for (uint32_t p = 0; system->free_count < system->particle_count && p < system->particle_count; p++)
        if (system->rows[p] == TIDE_PINNED)
            direction[3 * (size_t)p] = direction[3 * (size_t)p + 1] = direction[3 * (size_t)p + 2] = 0;
    return TIDE_OK;
}

static tide_status apply_and_give(tide_global_step *global, const tide_system *system, on_rows *to_rows,
                                  const double *gradient, double *direction, tide_error *error)
{
    tide_status status = apply(global, system, to_rows, gradient, direction, error);
    if (status == TIDE_OK && global->corrects)
        tide_momentum_give(&global->momentum, direction); // pinned particles are of no part
    return status;
}

tide_status tide_global_step_solve(tide_global_step *global, const tide_system *system, const double *gradient,
                                   double *direction, tide_error *error)
{
    return apply_and_give(global, system, solve_rows, gradient, direction, error);
}

tide_status tide_global_step_direct(tide_global_step *global, const tide_system *system, const double *gradient,
                                    double *direction, tide_error *error)
{
    return apply_and_give(global, system, direct_rows, gradient, direction, error);
}

tide_status tide_global_step_precondition(tide_global_step *global, const tide_system *system, const double *gradient,
                                          double *direction, tide_error *error)
{
    return apply_and_give(global, system, precondition_rows, gradient, direction, error);
}

tide_status tide_global_step_descend(tide_global_step *global, const tide_system *system, const double *gradient,
                                     double *direction, double *x, double *most, tide_error *error)
{
    tide_status status = apply(global, system, direct_rows, gradient, direction, error);
    if (status == TIDE_OK)
        *most =
            tide_momentum_subtract(global->corrects ? &global->momentum : NULL, direction, system->particle_count, x);
    return status;
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

static bool yield(const tide_yield *self, const double *force, double *moved)
{
    const tide_global_yield *y = (const tide_global_yield *)self;
    return apply_and_give(y->global, y->system, yield_rows, force, moved, NULL) == TIDE_OK;
}

static tide_inverse_root *root(const tide_yield *self)
{
    tide_global_step *global = ((const tide_global_yield *)self)->global;
    return global->change ? tide_changeover_root(global->change) : tide_cholesky_root(global->cholesky);
}

static uint32_t row(const tide_yield *self, uint32_t particle)
{
    const tide_global_yield *y = (const tide_global_yield *)self;
    uint32_t row = y->system->rows[particle];
    return row != TIDE_PINNED && y->global->matrix.whole ? particle : row;
}

tide_global_yield tide_global_step_yield(tide_global_step *global, const tide_system *system)
{
    return (
        tide_global_yield) { { .solve = yield, .serial = global->serial, .root = root, .row = row }, global, system };
}

tide_cholesky_info tide_global_step_describe(const tide_global_step *global)
{
    if (global->change)
        return tide_changeover_describe(global->change);
    return global->cholesky ? tide_cholesky_describe(global->cholesky) : (tide_cholesky_info) { 0 };
}

void tide_global_step_tell(tide_global_step *global, tide_report *report)
{
    tide_cholesky_info info = tide_global_step_describe(global);
    bool lacks_vectors = global->way == TIDE_CHOLESKY_DOUBLE && global->narrow,
         iterates = info.way == TIDE_CHOLESKY_ITERATIVE;
    bool unsettled = global->unsettled;
    report->factor_pending = global->change;
    if (global->change) // even where there is nothing to solve
        tide_changeover_count(global->change, 1);
    report->linear_iterations += global->linear_iterations;
    global->linear_iterations = 0;
    global->unsettled = false;
    if (info.rows == 0 || report->warning[0])
        return;
    if (unsettled)
        snprintf(report->warning, sizeof report->warning,
                 "conjugate gradients did not come to the global step's solution: the matrix is ill-conditioned");
    else if (info.way == global->way || lacks_vectors)
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
                 global->way == TIDE_CHOLESKY_FAST ? "single" : "double", info.error, info.energy,
                 info.way == TIDE_CHOLESKY_DOUBLE ? "in double precision" : "by CHOLMOD");
}
