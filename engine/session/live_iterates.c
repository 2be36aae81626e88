#include "session/live_iterates.h"

#include "base/memory.h"
#include "session/convergence_probe.h"
#include "session/live_state.h"
#include "world/step_measure.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct tide_iterates {
    tide_world *fork;
    tide_snapshot *start; // of the fork, with all external forces and motions applied
    const tide_solver_kind *kind;
    void *options;   // options of the original step; those with another iteration count, for the fork
    int *iterations; // a member of the changed options
    int all;         // iterations that the step may take
    uint32_t substeps;
    bool measured;        // the method minimises g
    size_t numbers;       // length of an array
    double *y, *balanced; // (numbers) y; y with the contacts' displacements at x*
    double *gradient, *residual;
    tide_step_measure errors; // for `balanced`
    bool touches;             // there is contact at x*, so that an error of y means little
    tide_iterate shown;
};

// --- conditions ------------------------------------------------------------------------------------------------------

static const tide_field *iterations_field(const tide_solver_kind *kind)
{
    return tide_field_find(kind->fields, "", "iterations", NULL);
}

bool tide_iterates_can_show(tide_live *live, char *why, size_t size)
{
    const tide_solver_kind *kind = tide_solver_kind_of(tide_world_solver(tide_live_world(live)));
    if (size)
        why[0] = '\0';
    if (!tide_world_particle_count(tide_live_world(live)))
        snprintf(why, size, "there are no bodies");
    else if (!tide_solver_kind_is_own(kind))
        snprintf(why, size, "%.40s is the scene's own method: it steps whole", kind->name);
    else if (!iterations_field(kind))
        snprintf(why, size, "%.40s has no iterations: it steps whole", kind->name);
    else
        return true;
    return false;
}

// --- the fork --------------------------------------------------------------------------------------------------------

// Makes a fork after the scene's update. Restores the world.
static tide_status fork_updated(tide_live *live, tide_world **fork, tide_error *error)
{
    tide_world *world = tide_live_world(live);
    tide_snapshot *before;
    uint64_t after;
    TIDE_TRY(tide_live_choose_solver(live, error));
    TIDE_TRY(tide_world_snapshot(world, &before, error));
    tide_status status = tide_script_update(live->script, error);
    if (status == TIDE_OK)
        status = tide_world_fork(world, fork, error);
    // If the update changed nothing, the last step's contacts stay visible
    tide_status put_back = tide_world_hash(world, &after, NULL);
    bool changed = put_back != TIDE_OK || after != tide_snapshot_hash(before);
    if (changed)
        put_back = tide_world_restore(world, before, status == TIDE_OK ? error : NULL);
    if (changed && put_back == TIDE_ERROR_MEMORY) // using the memory that the first try has allocated
        put_back = tide_world_restore(world, before, NULL);
    tide_snapshot_destroy(before);
    if (status == TIDE_OK && put_back != TIDE_OK) {
        tide_world_destroy(*fork);
        *fork = NULL;
        status = put_back;
    }
    return status;
}

// Takes the step on the fork with this number of iterations.
static tide_status step_fork(tide_iterates *it, int iterations, tide_error *error)
{
    *it->iterations = iterations;
    TIDE_TRY(tide_world_set_solver(it->fork, it->kind, it->options, error));
    TIDE_TRY(tide_world_restore(it->fork, it->start, error));
    return tide_world_step(it->fork, error);
}

static tide_status go_to_y(tide_iterates *it, tide_error *error)
{
    tide_status status = tide_world_restore(it->fork, it->start, error);
    size_t from = 0;
    for (uint32_t b = 0; b < tide_world_body_count(it->fork) && status == TIDE_OK; b++) {
        tide_body_info body;
        tide_body_id id = tide_world_body_at(it->fork, b);
        if (!tide_world_body_info(it->fork, id, &body))
            continue;
        from = 3 * (size_t)body.first_particle;
        memcpy(tide_world_positions(it->fork, id), it->y + from, 3 * (size_t)body.vertex_count * sizeof *it->y);
    }
    return status;
}

// --- numbers ---------------------------------------------------------------------------------------------------------

// Computes the unbalanced force r = M (x - y) / h^2 + dE/dx of the step that a world has taken, and y with the
// contacts' displacements, which balance r.
static tide_status find_balance(tide_iterates *it, tide_world *world, double *y, double *residual, tide_error *error)
{
    const tide_system *system;
    bool known = false;
    TIDE_TRY(tide_world_residual(world, residual, &known, error));
    if (!known)
        TIDE_TRY(tide_fail(error, TIDE_ERROR_STATE, "iterates", NULL, NULL, "the step was not taken"));
    TIDE_TRY(tide_world_system(world, &system, error));
    const double *x = tide_world_all_positions(world);
    double h = tide_world_get_settings(world)->timestep;
    tide_system_gradient(system, x, it->gradient);
    for (size_t i = 0; i < it->numbers; i++)
        y[i] = system->rows[i / 3] == TIDE_PINNED
                   ? x[i]
                   : x[i] - h * h / system->masses[i / 3] * (residual[i] - it->gradient[i]);
    return TIDE_OK;
}

// Prepares error measurement from the fork's result x*. A vertex is in contact if contact forces have moved its y.
static tide_status begin_errors(tide_iterates *it, tide_world *world, tide_error *error)
{
    const tide_system *system;
    TIDE_SCOPED bool *touches = tide_allocate_zeroed(it->numbers / 3, sizeof *touches);
    TIDE_SCOPED double *work = tide_allocate_array(it->numbers, sizeof *work);
    TIDE_TRY(touches && work ? tide_world_system(world, &system, error) : tide_fail_memory(error, "iterates"));
    for (size_t i = 0; i < it->numbers; i++)
        touches[i / 3] = touches[i / 3] || fabs(it->balanced[i] - it->y[i]) > 1e-9;
    for (size_t p = 0; p < it->numbers / 3; p++)
        it->touches = it->touches || touches[p];
    it->errors = tide_step_measure_begin(system, tide_world_get_settings(world)->timestep, it->balanced,
                                         tide_world_all_positions(world), it->y, touches, work);
    return TIDE_OK;
}

// Computes x* by L-BFGS on a separate fork, for a few tenths of a second at most.
static tide_status find_minimum(tide_iterates *it, tide_error *error)
{
    const double seconds = 0.3;
    const tide_report *report = tide_world_report(it->fork);
    double each = report->step_seconds / fmax(report->iterations, 1);
    int most = (int)fmin(fmax(seconds / fmax(each, 1e-7), 60), 2000);
    tide_world *world;
    TIDE_TRY(tide_world_fork(it->fork, &world, error));
    tide_status status = tide_step_measure_use_reference(world, most, 1e-9, error);
    if (status == TIDE_OK)
        status = tide_world_restore(world, it->start, error);
    if (status == TIDE_OK)
        status = tide_world_step(world, error);
    if (status == TIDE_OK)
        status = find_balance(it, world, it->balanced, it->residual, error);
    if (status == TIDE_OK)
        status = begin_errors(it, world, error);
    tide_world_destroy(world);
    return status;
}

static double norm_of(const double *vector, size_t numbers)
{
    double square = 0;
    for (size_t i = 0; i < numbers; i++)
        square += vector[i] * vector[i];
    return sqrt(square);
}

// For the fork's positions: computes g with `y`, and its gradient as the force `residual`.
static tide_status measure(tide_iterates *it, const double *y, tide_error *error)
{
    const tide_system *system;
    tide_iterate *shown = &it->shown;
    TIDE_TRY(tide_world_system(it->fork, &system, error));
    const double *x = tide_world_all_positions(it->fork);
    double h = tide_world_get_settings(it->fork)->timestep;
    shown->g = tide_system_objective(system, h, y, x);
    shown->gradient_norm = h * h * norm_of(it->residual, it->numbers);
    it->errors.system = system; // the fork's system, since the other one is freed
    if (shown->index || !it->touches)
        shown->left = tide_step_measure_left(&it->errors, x);
    for (size_t i = 0; i < it->numbers; i++)
        it->residual[i] = -it->residual[i];
    shown->residual = it->residual;
    return TIDE_OK;
}

static tide_status measure_y(tide_iterates *it, tide_error *error)
{
    const tide_system *system;
    TIDE_TRY(tide_world_system(it->fork, &system, error));
    tide_system_gradient(system, it->y, it->residual);
    for (size_t i = 0; i < it->numbers; i++)
        it->residual[i] = system->rows[i / 3] == TIDE_PINNED ? 0 : it->residual[i];
    return measure(it, it->y, error);
}

static tide_status measure_step(tide_iterates *it, tide_error *error)
{
    TIDE_SCOPED double *y = tide_allocate_array(it->numbers, sizeof *y);
    TIDE_TRY(y ? find_balance(it, it->fork, y, it->residual, error) : tide_fail_memory(error, "iterates"));
    return measure(it, y, error);
}

// --- words -----------------------------------------------------------------------------------------------------------

static void write_text(tide_iterate *shown, uint32_t substeps)
{
    char each[40] = "", left[48] = "";
    size_t size = sizeof shown->text;
    double percent = 100 * shown->left;
    if (substeps > 1)
        snprintf(each, sizeof each, " in each of %" PRIu32 " substeps", substeps);
    int length =
        snprintf(shown->text, size, "iteration %" PRIu32 " of %" PRIu32 "%s", shown->index, shown->count, each);
    if (shown->index == 0)
        length += snprintf(shown->text + length, size - (size_t)length, " (y, without springs)");
    if (percent < 0.01)
        snprintf(left, sizeof left, ", less than 0.01 %% of the error left");
    else if (!isnan(percent))
        snprintf(left, sizeof left, percent < 9.95 ? ", %.2g %% of the error left" : ", %.0f %% of the error left",
                 fmin(percent, 1e9));
    if (isfinite(shown->g))
        snprintf(shown->text + length, size - (size_t)length, ": g = %.6g J s\xc2\xb2, |grad g| = %.3g kg m%s%s",
                 shown->g, shown->gradient_norm, substeps > 1 ? " of the last" : "", left);
    else
        snprintf(shown->text + length, size - (size_t)length, "%s", left);
}

// --- creation and stepping -------------------------------------------------------------------------------------------

// Takes the step, finds its minimum and goes to y.
static tide_status prepare(tide_iterates *it, tide_live *live, tide_error *error)
{
    char why[80];
    TIDE_TRY(fork_updated(live, &it->fork, error));
    const tide_solver *solver = tide_world_solver(it->fork);
    it->kind = tide_solver_kind_of(solver);
    it->options = tide_own(it, tide_copy_bytes(tide_solver_options(solver), it->kind->options_size));
    it->numbers = 3 * (size_t)tide_world_particle_count(it->fork);
    it->y = tide_own_zeroed(it, 4 * it->numbers, sizeof *it->y);
    if (!it->options || !it->y)
        return tide_fail_memory(error, "iterates");
    it->balanced = it->y + it->numbers;
    it->gradient = it->balanced + it->numbers;
    it->residual = it->gradient + it->numbers;
    it->iterations = (int *)(void *)((char *)it->options + iterations_field(it->kind)->offset);
    it->all = *it->iterations;
    it->substeps = (uint32_t)((tide_solver_common *)it->options)->substeps;
    it->measured = it->substeps == 1 && tide_convergence_can_measure(it->fork, why, sizeof why);
    TIDE_TRY(tide_world_snapshot(it->fork, &it->start, error));
    TIDE_TRY(tide_world_predict(it->fork, it->y, error));
    TIDE_TRY(step_fork(it, it->all, error));
    uint32_t taken = tide_world_report(it->fork)->iterations;
    it->shown.count = it->substeps == 1 && taken ? taken : (uint32_t)it->all;
    if (it->measured)
        TIDE_TRY(find_minimum(it, error));
    return tide_iterates_go(it, 0, error);
}

tide_status tide_iterates_begin(tide_live *live, tide_iterates **out, tide_error *error)
{
    char why[96];
    if (!tide_iterates_can_show(live, why, sizeof why))
        return tide_fail(error, TIDE_ERROR_STATE, "iterates", NULL, NULL, "%s", why);
    tide_iterates *it = tide_allocate_zeroed(1, sizeof *it);
    if (!it)
        return tide_fail_memory(error, "iterates");
    tide_status status = prepare(it, live, error);
    if (status != TIDE_OK) {
        tide_iterates_end(it);
        return status;
    }
    *out = it;
    return TIDE_OK;
}

void tide_iterates_end(tide_iterates *it)
{
    if (!it)
        return;
    tide_world_destroy(it->fork);
    tide_snapshot_destroy(it->start);
    tide_free(it);
}

tide_status tide_iterates_go(tide_iterates *it, uint32_t index, tide_error *error)
{
    tide_iterate before = it->shown;
    // The last iterate is the unchanged step: with its full iteration limit, since its tolerance may stop it earlier.
    bool last = index >= before.count;
    tide_status status = index ? step_fork(it, last ? it->all : (int)index, error) : go_to_y(it, error);
    if (status != TIDE_OK)
        return status;
    it->shown = (tide_iterate) { .world = it->fork,
                                 .index = last ? before.count : index,
                                 .count = before.count,
                                 .g = NAN,
                                 .gradient_norm = NAN,
                                 .left = NAN };
    const tide_report *report = tide_world_report(it->fork);
    if (it->measured)
        status = index ? measure_step(it, error) : measure_y(it, error);
    else if (index) {
        it->shown.g = report->g;
        it->shown.gradient_norm = report->gradient_norm;
    }
    write_text(&it->shown, it->substeps);
    return status;
}

const tide_iterate *tide_iterates_shown(const tide_iterates *it)
{
    return &it->shown;
}
