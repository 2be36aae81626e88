// What a step leaves of its error, Liu et al. 2013, eq. 15:
//
//     left(x) = (g(x) - g(x*)) / (g(x_0) - g(x*))
//
// g is that of backward Euler, with y as its inertial positions; x* its minimum, which a fork of the world finds by
// L-BFGS; x_0 is y, where no springs pull, but x* at particles that touch something: contacts' displacements at once
// would stretch their springs far more than any step does.
#ifndef TIDE_WORLD_STEP_MEASURE_H
#define TIDE_WORLD_STEP_MEASURE_H

#include "world/world.h"

typedef struct tide_step_measure {
    const tide_system *system;
    double h;        // s
    const double *y; // (3 * particle_count); not owned
    double lowest;   // g(x*)
    double range;    // g(x_0) - g(x*); 0: of a step with nothing to do, where differences are rounding
} tide_step_measure;

// `start` is x_0 where nothing touches, y or what y was before the contacts' forces were added; `touches`
// (particle_count) may be NULL: nothing does. `work` (3 * particle_count).
tide_step_measure tide_step_measure_begin(const tide_system *system, double h, const double *y, const double *minimum,
                                          const double *start, const bool *touches, double *work);
double tide_step_measure_left(const tide_step_measure *measure, const double *x); // at least 0; NAN: not known

// The world's solver becomes L-BFGS, as it is used to find x*: so many iterations at most, to this tolerance.
tide_status tide_step_measure_use_reference(tide_world *world, int iterations, double tolerance, tide_error *error);

// What was added to gravity in the world's last step, (3 * particle_count) N, to be freed; NULL where nothing was, as
// before the first step. And adding it to the next step of a fork; NULL does nothing.
tide_status tide_step_measure_forces(tide_world *world, double **forces, tide_error *error);
tide_status tide_step_measure_add_forces(tide_world *fork, const double *forces, tide_error *error);

#endif
