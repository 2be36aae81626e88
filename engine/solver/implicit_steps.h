// The parts that methods solved by Newton's method share: options, preparation, and what they free and describe.
#ifndef TIDE_SOLVER_IMPLICIT_STEPS_H
#define TIDE_SOLVER_IMPLICIT_STEPS_H

#include "solver/newton_minimiser.h"

typedef struct tide_implicit_step_options {
    tide_solver_common common;
    tide_newton_options newton;
    tide_damping damping;
} tide_implicit_step_options;

extern const tide_field tide_implicit_step_fields[];

enum { TIDE_IMPLICIT_STEP_ARRAYS = 7 };
// The state of such a method begins with this.
typedef struct tide_implicit_step {
    tide_objective objective;
    tide_newton newton;
    double *arrays[TIDE_IMPLICIT_STEP_ARRAYS]; // (3 * particle_count) the method's own
    uint32_t particle_count;
} tide_implicit_step;

// Prepares an objective of rule `s` (see objective.h) and the first `arrays` arrays.
tide_status tide_implicit_step_prepare(tide_solver *solver, const tide_system *system, double s, int arrays,
                                       uint32_t *bad_particle, tide_error *error);
// Functions of the method's table.
void tide_implicit_step_destroy(tide_solver *solver);
tide_cholesky_info tide_implicit_step_describe(const tide_solver *solver);

#endif
