#include "solver/global_step.h"

#include "base/memory.h"

#include <stdio.h>

static tide_status factor(tide_global_step *global, const tide_objective *objective, const char *object,
                          uint32_t *bad_particle, tide_error *error)
{
    tide_sparse matrix = { 0 };
    tide_status status = tide_objective_matrix(objective, &matrix, error);
    if (status)
        return status;
    uint32_t bad_row = 0;
    status = tide_cholesky_factor(global->cholesky, &matrix, &bad_row, error);
    tide_sparse_free(&matrix);
    if (status != TIDE_ERROR_NUMERIC || bad_row >= objective->free_count)
        return status;
    uint32_t particle = objective->system->free_particles[bad_row];
    if (bad_particle)
        *bad_particle = particle;
    char value[32];
    snprintf(value, sizeof value, "%u", particle);
    return tide_fail(error, TIDE_ERROR_NUMERIC, object, "particle", value,
                     "the matrix M + h^2 L is not positive definite here; raise the particle's mass, or lower the "
                     "timestep or the stiffness of its springs (which must not be negative)");
}

tide_status tide_global_step_prepare(tide_global_step *global, const tide_objective *objective, const char *object,
                                     uint32_t *bad_particle, tide_error *error)
{
    if (!global->cholesky) {
        tide_status status = tide_cholesky_create(&global->cholesky, error);
        if (status)
            return status;
    }
    if (!global->rows || global->free_count != objective->free_count) {
        tide_free(global->rows);
        global->rows = tide_allocate_zeroed(objective->free_count, 3 * sizeof *global->rows);
        if (!global->rows)
            return tide_fail_memory(error, object);
        global->free_count = objective->free_count;
    }
    tide_status status = factor(global, objective, object, bad_particle, error);
    if (status)
        return status;
    // The first solve makes the factor's workspace.
    return tide_cholesky_solve(global->cholesky, 3, global->rows, global->rows, error);
}

void tide_global_step_free(tide_global_step *global)
{
    tide_cholesky_destroy(global->cholesky);
    tide_free(global->rows);
    *global = (tide_global_step) { 0 };
}

tide_status tide_global_step_solve(tide_global_step *global, const tide_system *system, const double *gradient,
                                   double *direction, tide_error *error)
{
    tide_system_gather(system, gradient, global->rows);
    tide_status status = tide_cholesky_solve(global->cholesky, 3, global->rows, global->rows, error);
    if (status)
        return status;
    tide_system_scatter(system, global->rows, direction);
    if (direction != gradient)
        for (uint32_t p = 0; p < system->particle_count; p++)
            if (system->rows[p] == TIDE_PINNED)
                direction[3 * (size_t)p] = direction[3 * (size_t)p + 1] = direction[3 * (size_t)p + 2] = 0;
    return TIDE_OK;
}

tide_cholesky_info tide_global_step_describe(const tide_global_step *global)
{
    return global->cholesky ? tide_cholesky_describe(global->cholesky) : (tide_cholesky_info) { 0 };
}
