// The global step: solves with A, the constant matrix of an objective, factored once.
#ifndef TIDE_SOLVER_GLOBAL_STEP_H
#define TIDE_SOLVER_GLOBAL_STEP_H

#include "solver/objective.h"

typedef struct tide_global_step {
    tide_cholesky *cholesky;
    double *rows; // (3 * free_count)
    uint32_t free_count;
} tide_global_step; // { 0 } is empty

// Factors A; keeps what did not change. `object` names the solver in errors; *bad_particle as in tide_solver_kind.
tide_status tide_global_step_prepare(tide_global_step *global, const tide_objective *objective, const char *object,
                                     uint32_t *bad_particle, tide_error *error);
void tide_global_step_free(tide_global_step *global); // leaves { 0 }
// direction = A^-1 gradient, (3 * particle_count) both, 0 for pinned particles; in place allowed.
tide_status tide_global_step_solve(tide_global_step *global, const tide_system *system, const double *gradient,
                                   double *direction, tide_error *error);
tide_cholesky_info tide_global_step_describe(const tide_global_step *global);

#endif
