// The motion of a rigid body, from its four particles of equal mass, and forces on them that add up to a torque.
// Units: m, kg, s, N; matrices are row-major. Threads: any. Nothing fails and nothing allocates.
#ifndef TIDE_SOLVER_RIGID_STATE_H
#define TIDE_SOLVER_RIGID_STATE_H

#include "base/vec3.h"
#include "model/system.h"

uint32_t tide_rigid_count(const tide_system *system); // of rigid bodies

typedef struct tide_rigid_state {
    double mass;               // of a particle: a quarter of the body's
    tide_vec3 centre, arms[4]; // arms: the particles, relative to the centre
    tide_vec3 velocity, spin;  // of the centre, m/s; rad/s
    double inverse_inertia[9]; // about the centre
} tide_rigid_state;

// Computes the state from positions and velocities of the particles (12 numbers each).
tide_rigid_state tide_rigid_state_of(const double *x, const double *v, double mass);
// Returns the state after h seconds of the same velocity and spin.
tide_rigid_state tide_rigid_state_after(const tide_rigid_state *state, double h);
// Adds forces to those on the particles (12 numbers) that accelerate the body as a torque does.
void tide_rigid_state_add_torque(const tide_rigid_state *state, tide_vec3 torque, double *forces);

tide_vec3 tide_rigid_times(const double m[9], tide_vec3 a);
void tide_rigid_invert(const double s[9], double out[9]); // s: symmetric, positive definite
tide_vec3 tide_rigid_mean(const tide_vec3 points[4]);
// Computes the inertia about the centre of four particles of this mass, for their places relative to the centre.
void tide_rigid_inertia(double mass, const tide_vec3 arms[4], double out[9]);
// Replaces four points around a centre by the places, relative to it, of the rigid shape (12 numbers, relative to its
// centre) that is nearest to them.
void tide_rigid_fit(const double shape[12], tide_vec3 centre, tide_vec3 points[4]);

#endif
