// Rigid bodies in a step of any method. A rigid body is an element of the kind `rigid` (model/rigid.c) with its four
// particles. A method moves these like all particles. Before it, tide_rigid_bodies_begin gives it velocities that carry
// the particles along the free rotation of the body, which is integrated here (Euler's equations); so the method itself
// has to find only what forces change. After it, tide_rigid_bodies_end takes the response of the method, places the
// particles on the nearest rigid shape, and gives the body the linear and angular momentum that the response adds up
// to. Both momenta of a free body are kept to rounding, whatever the method and the timestep. Exact links then hold it
// (rigid_links.h).
//
// Threads: one caller at a time. Nothing allocates but tide_rigid_bodies_prepare.
#ifndef TIDE_SOLVER_RIGID_BODIES_H
#define TIDE_SOLVER_RIGID_BODIES_H

#include "solver/solver.h"

// k h^2 / m of links that hold exactly, with m the mass of the lighter end: by their stiffness alone they give way by a
// ten-thousandth of the motion of a free body.
#define TIDE_LINK_EXACT 1e4

// Finds the rigid bodies of a system, which must outlive its use here, for steps of h seconds.
tide_status tide_rigid_bodies_prepare(struct tide_rigid_bodies **bodies, const tide_system *system, double h,
                                      tide_error *error);
void tide_rigid_bodies_destroy(struct tide_rigid_bodies *bodies); // NULL does nothing

// Returns the velocities that the method takes in place of step->velocity. step->q and step->velocity hold rigid
// motions of the bodies; other motions of the four particles are left out. `place` is tide_solver_kind.rigid_place.
const double *tide_rigid_bodies_begin(struct tide_rigid_bodies *bodies, const tide_step *step, double place);
// Makes step->x and step->v of the bodies' particles rigid. It may be called again after contacts have changed them.
void tide_rigid_bodies_end(struct tide_rigid_bodies *bodies, const tide_step *step);
// Returns the contacts of a step (may be NULL) for a method that calls `iterate_compliant`, with multipliers of the
// rigid shapes added to its y; `stiffness` is tide_solver_kind.rigid_stiffness. The other functions of the result have
// the wrong context. Methods with a stiffness below TIDE_RIGID_SOFT need it.
#define TIDE_RIGID_SOFT 100
const tide_contact_response *tide_rigid_bodies_wrap(struct tide_rigid_bodies *bodies,
                                                    const tide_contact_response *contact, double stiffness);

// Computes the rotation by the free motion of a body for h seconds, row-major, from its inertia about the centre (kg
// m^2, row-major) and angular momentum (kg m^2/s), both at the start. Angular momentum and energy stay.
void tide_rigid_free_rotation(const double inertia[9], const double momentum[3], double h, double rotation[9]);

#endif
