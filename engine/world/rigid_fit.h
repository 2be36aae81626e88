// Rigid motions that fit a set of particles best: of their velocities, and from one set of places to another.
// Private to world/. Threads: any. Nothing fails and nothing allocates.
#ifndef TIDE_WORLD_RIGID_FIT_H
#define TIDE_WORLD_RIGID_FIT_H

#include "base/vec3.h"
#include "world/world_state.h"

// The rigid motion with the linear and angular momentum of the particles.
typedef struct tide_motion_fit {
    tide_vec3 centre, velocity, spin; // m, m/s, rad/s
} tide_motion_fit;

// Fits `count` particles of `masses` (kg). Particles whose `rows` are TIDE_PINNED are left out; NULL: none. Returns
// false, and zeros, if no mass is left.
bool tide_fit_motion(uint32_t count, const double *masses, const uint32_t *rows, const double *positions,
                     const double *velocities, tide_motion_fit *fit);

// X goes to to + R (X - from).
typedef struct tide_placement {
    double rotation[9]; // R, row-major
    tide_vec3 from, to; // m
} tide_placement;

// Fits the rotation and translation of least squares (Kabsch 1976) from one set of places to another (3 * count).
// `masses` (count) are weights; NULL: all equal.
tide_placement tide_fit_placement(uint32_t count, const double *masses, const double *from, const double *to);
tide_vec3 tide_placed(const tide_placement *placement, tide_vec3 place);
tide_vec3 tide_turned(const tide_placement *placement, tide_vec3 vector); // R v
// Returns the largest distance (m) between a place that was placed and where it should be.
double tide_placement_error(const tide_placement *placement, uint32_t count, const double *from, const double *to);

#endif
