// Exact links of rigid bodies: pins and attachments as stiff as TIDE_LINK_EXACT. Methods find their forces by the
// stiffness. The rigid shape that follows a method (rigid_bodies.h) moves the places where a body is held, and few
// iterations leave them away from where they belong, so that the stiffness would store energy that nothing supplied,
// and release it. After each step the bodies are therefore moved so that the places meet, by the least motion as
// weighed by mass, and the velocities follow: v by the motion over h, and then so that the places move as they did in
// the step.
//
//     minimise  1/2 |z|_M^2 + k/2 sum |d + J z|^2,   z = (t, w),   d = sum c_i x_i - a
//
// per body for links to fixed points, repeated with M about the new pose until nothing moves, so that places that
// cannot all be met are met as well as possible. Links between bodies are satisfied one after another, with the impulse
// on one end opposite to that on the other (Gauss-Seidel).
//
// Threads: one caller at a time. Nothing allocates but tide_rigid_links_prepare.
#ifndef TIDE_SOLVER_RIGID_LINKS_H
#define TIDE_SOLVER_RIGID_LINKS_H

#include "solver/solver.h"

struct tide_rigid_links;

// Finds the exact links of a system, which must outlive its use here, for steps of h seconds. *links is NULL if there
// are none.
tide_status tide_rigid_links_prepare(struct tide_rigid_links **links, const tide_system *system, double h,
                                     tide_error *error);
void tide_rigid_links_destroy(struct tide_rigid_links *links); // NULL does nothing
// Changes step->x and step->v, whose bodies are rigid. `place` is tide_solver_kind.rigid_place.
void tide_rigid_links_hold(struct tide_rigid_links *links, const tide_step *step, double place);

#endif
