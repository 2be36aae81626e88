// The relative error that a step leaves, Liu et al. 2013, eq. 15:
//
//     left(x) = (g(x) - g(x*)) / (g(x_0) - g(x*))
//
// g is the objective of backward Euler with the inertial positions y. x* is its minimiser, which a fork of the world
// finds by L-BFGS. x_0 is y, the result without springs, but x* at particles in contact: there, the displacements of
// the contact forces alone would stretch springs far more than any step does.
#ifndef TIDE_WORLD_STEP_MEASURE_H
#define TIDE_WORLD_STEP_MEASURE_H

#include "world/world.h"

typedef struct tide_step_measure {
    const tide_system *system;
    double h;        // s
    const double *y; // (3 * particle_count); not owned
    double lowest;   // g(x*)
    double range;    // g(x_0) - g(x*); 0 for a step with nothing to do, where the difference is rounding
} tide_step_measure;

// Computes g(x*) and g(x_0). `minimum` is x*. `start` is x_0 for particles without contact: y, or y before the contact
// forces were added. `touches` (particle_count) marks particles in contact; NULL: none is. `work` (3 * particle_count)
// is scratch.
tide_step_measure tide_step_measure_begin(const tide_system *system, double h, const double *y, const double *minimum,
                                          const double *start, const bool *touches, double *work);
double tide_step_measure_left(const tide_step_measure *measure, const double *x); // at least 0; NAN if range is 0

// Sets the world's solver to L-BFGS with the options for finding x*: at most so many iterations, to this tolerance.
tide_status tide_step_measure_use_reference(tide_world *world, int iterations, double tolerance, tide_error *error);

// Returns the external forces without gravity of the world's last step, (3 * particle_count) N, to be freed by the
// caller; NULL if there were none, as before the first step.
tide_status tide_step_measure_forces(tide_world *world, double **forces, tide_error *error);
// Adds such forces to the next step of a fork; NULL does nothing.
tide_status tide_step_measure_add_forces(tide_world *fork, const double *forces, tide_error *error);

#endif
