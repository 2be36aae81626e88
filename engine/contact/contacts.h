// Contacts of a world: detects what touches, and applies impulses that keep it apart, in the same way for every solver.
// A world owns one tide_contacts and passes tide_contacts_response to its solver. Calls are from one thread; loops
// inside run in parallel. Lengths are m, forces N.
//
// A contact keeps an accumulated impulse s while a step lasts. Each solve, with the gap and the slip along the surface
// since the start of the step, updates s by Signorini's and Coulomb's laws for particles that nothing else holds (the
// local step of Ly et al. 2020, sec. 4.3, as an update of s):
//
//     s_n <- max(0, s_n - gap / w),   s_t <- the nearest to s_t - slip / w with |s_t| <= friction s_n,   x <- x + M^-1
//     J' ds
//
// with w = J M^-1 J'. The same change goes into y (for some methods only there), so that s is the contact's force times
// h^2 in the objective that a method minimises. At its minimum forces balance, either the gap or s_n is 0, and friction
// is in its cone. This is Liu et al. 2013, sec. 4.1 with a memory: s carries over from step to step, so that stacks at
// rest stay at rest after few iterations.
//
// Restitution e is Newton's law: sides that approach at speed u part at e u, where u is faster than rest under gravity
// explains. For methods that call `iterate_target` and `iterate_compliant`, restitution is part of the solve. A body
// then bounces as a whole and gains no energy. It bounces at the place where the step begins (up to h u above the
// surface) and rises as high from there as it would from the surface. A soft body whose springs a step resolves bounces
// point by point, and the method damps the vibration of its points: with e = 1 it may rise less high than it fell. For
// other methods, velocities bounce when the substep is over: a stiff body does not bounce as a whole, and springs
// compressed in long steps may gain energy.
#ifndef TIDE_CONTACT_CONTACTS_H
#define TIDE_CONTACT_CONTACTS_H

#include "collision/collider.h"
#include "collision/surface.h"
#include "contact/contact_settings.h"
#include "contact/tangle.h"
#include "solver/solver.h"

typedef struct tide_contacts tide_contacts;

#define TIDE_FARTHEST 1e9 // m: a particle farther from the origin has diverged, in any scene

// Takes ownership of `surface`, also on failure. Its first points are all particles of the system. The colliders must
// outlive the contacts; their poses are read anew in each step.
tide_status tide_contacts_create(tide_contact_surface *surface, uint32_t particle_count,
                                 tide_collider *const *colliders, uint32_t collider_count,
                                 const tide_contact_settings *settings, tide_contacts **contacts, tide_error *error);
void tide_contacts_destroy(tide_contacts *contacts); // NULL does nothing

// The response for the `contact` of a tide_step. NULL when nothing can ever touch.
const tide_contact_response *tide_contacts_response(const tide_contacts *contacts);

#define TIDE_NO_COLLIDER UINT32_MAX
// A contact of the last timestep that carried a force.
typedef struct tide_touch {
    uint32_t point;                // of the surface
    uint32_t collider;             // index; TIDE_NO_COLLIDER
    uint32_t other;                // the nearest point of the other part, if there is no collider
    double position[3], normal[3]; // m; towards `point`
    double depth;                  // m, before the first solve
    double force;                  // N, along the normal, the mean over the timestep
    double friction[3];            // N, on `point`, along the surface, the mean over the timestep
} tide_touch;
const tide_touch *tide_contacts_touches(tide_contacts *contacts, uint32_t *count);

// The particle that was deepest inside a collider when the last timestep began, for instance because a script put it
// there. It was pushed out without a velocity. depth is 0 if there was none.
typedef struct tide_initial_penetration {
    uint32_t point, collider;
    double depth; // m
} tide_initial_penetration;
tide_initial_penetration tide_contacts_initial_penetration(const tide_contacts *contacts);

// The two colliders that left a point the least room between them in the last timestep, as a press does that closes to
// less than the thickness of what it holds. lack is 0 if there was room everywhere.
typedef struct tide_squeezed {
    uint32_t point, colliders[2];
    double lack;     // m, by which the point is too near to each
    uint32_t points; // how many had no room
} tide_squeezed;
tide_squeezed tide_contacts_squeezed(const tide_contacts *contacts);

// Finds the two colliders that pushed the most points towards each other at the end of the last timestep. Returns false
// when no two push many.
typedef struct tide_pressed {
    uint32_t colliders[2], point; // one of the points that the first pushes
    size_t contacts;              // between points, edges and triangles; set in any case
} tide_pressed;
bool tide_contacts_pressed(const tide_contacts *contacts, tide_pressed *pressed);
// Returns whether there are enough contacts to make steps slow: more than one for four features of the surface.
bool tide_contacts_are_crowded(const tide_contacts *contacts);
// The field of the error of a step that ran out of work, or found too many pairs, between two colliders that press a
// body.
#define TIDE_CONTACT_PRESS "press"

// Adds to y (3 * particle_count) the displacements h^2 M^-1 f of the contact forces f, with friction, at the end of the
// last step.
void tide_contacts_add_displacements(const tide_contacts *contacts, double h, double *y);

// Adds to out (3 * particle_count) the mean forces over the last timestep, N, at pinned particles too. x: positions
// at its end.
void tide_contacts_add_forces(const tide_contacts *contacts, const double *x, double *out);

// Couples of rolling friction (rolling.h) are external forces of a timestep that the last one found. `begin` adds them
// to `forces` (3 * particle_count) at positions x, and must come before each timestep; `end` takes them out again.
void tide_contacts_begin_couples(tide_contacts *contacts, const double *x, double *forces);
void tide_contacts_end_couples(const tide_contacts *contacts, const double *x, double *forces);
// Adds the mean torque of rolling friction on a collider over the last timestep, N m.
void tide_contacts_add_rolling_torque(const tide_contacts *contacts, uint32_t collider, double torque[3]);

// Untangling (tangle.h), between timesteps, before `begin_couples`. x, v: of the particles. What is found holds until
// the next search or release.
double tide_contacts_thickness(const tide_contacts *contacts, uint32_t point); // m, of its part
bool tide_contacts_may_tangle(const tide_contacts *contacts);                  // edges may go through triangles
tide_status tide_contacts_find_tangle(tide_contacts *contacts, const double *x, tide_tangle_report *report,
                                      tide_error *error);
bool tide_contacts_penetrate(const tide_contacts *contacts); // in the last step, a point stayed inside a collider
void tide_contacts_release_tangle(tide_contacts *contacts);
// Adds forces that pull the tangle apart. Colliders must have begun their motion. `gain` (3 * particle_count) is the
// change of v in the step by all other forces, m/s. Returns the sum of impulses, N s.
double tide_contacts_pull_tangle(tide_contacts *contacts, const double *v, const double *gain, double h,
                                 double insistence, double *forces);

// The history that the next step starts from, as bytes: the accumulated impulses and the keys of their contacts.
size_t tide_contacts_history_size(const tide_contacts *contacts);
void tide_contacts_save_history(const tide_contacts *contacts, void *bytes);
tide_status tide_contacts_load_history(tide_contacts *contacts, const void *bytes, size_t size, tide_error *error);

#endif
