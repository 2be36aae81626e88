// The contacts of a world: what touches is found, and answered in the same way for every solver.
//
// A contact acts by a sum s of what it has pushed and dragged, kept while a step lasts. Each answer, with the gap and
// the slip along the surface since the start of the step, is that of Signorini's and Coulomb's laws for particles that
// nothing else holds (the local step of Ly et al. 2020, sec. 4.3, as an update of s instead of its evaluation):
//
//     s_n <- max(0, s_n - gap / w),   s_t <- the nearest to s_t - slip / w with |s_t| <= friction s_n,   x <- x + M^-1
//     J' ds
//
// with w = J M^-1 J'. The same change goes into y (and often there alone), so that s is the contact's force times h^2
// in the objective that a method minimises: at its minimum forces balance, gaps are 0 or s_n is, and friction obeys its
// cone. This is Liu et al. 2013, sec. 4.1 (x is moved to the collision-free state, which stands for the force that does
// it) with a memory: s goes on from step to step, so that what rests stays at rest after few iterations.
//
// Restitution e is Newton's: sides that come together at the speed u, faster than what rests on gravity, part at e u.
// Methods that answer by `respond` and `nudge` have it as a part of the answer, so that a body bounces as a whole and
// gains nothing by it, and off the place where it is as the step begins (up to h u above the surface); from there it
// rises as high as it would from the surface. A soft body whose springs a step resolves bounces off point by point, and
// what its points tremble by is damped as the method damps it: with e = 1 it may rise less high than with 0. Under the
// others, velocities bounce when the substep is over: a stiff body does not bounce as a whole there, and springs pushed
// together in long steps may give more than they took.
#ifndef TIDE_CONTACT_CONTACTS_H
#define TIDE_CONTACT_CONTACTS_H

#include "collision/collider.h"
#include "collision/surface.h"
#include "contact/contact_settings.h"
#include "solver/solver.h"

typedef struct tide_contacts tide_contacts;

#define TIDE_FARTHEST 1e9 // m: what is farther from the origin has diverged, whatever the scene

// Takes `surface` over, on failure, too. Its first points are the system's particles, all of them. The colliders (which
// must outlive the contacts) are looked at anew in each step.
tide_status tide_contacts_create(tide_contact_surface *surface, uint32_t particle_count,
                                 tide_collider *const *colliders, uint32_t collider_count,
                                 const tide_contact_settings *settings, tide_contacts **contacts, tide_error *error);
void tide_contacts_destroy(tide_contacts *contacts); // NULL does nothing
void tide_contact_surface_destroy(tide_contact_surface *surface);

// For the `contact` of a tide_step. NULL when nothing could ever touch.
const tide_contact_response *tide_contacts_response(const tide_contacts *contacts);

#define TIDE_NO_COLLIDER UINT32_MAX
// A contact of the last timestep that carried a force.
typedef struct tide_touch {
    uint32_t point;                // of the surface
    uint32_t collider;             // index; TIDE_NO_COLLIDER
    uint32_t other;                // the nearest point of the other part, when there is no collider
    double position[3], normal[3]; // m; towards `point`
    double depth;                  // m, before the first answer
    double force;                  // N, along the normal, mean over the timestep
    double friction[3];            // N, on `point`, along the surface, likewise
} tide_touch;
const tide_touch *tide_contacts_touches(tide_contacts *contacts, uint32_t *count);

// The particle that was deepest inside a collider when the last timestep began, as one that a script puts there: it was
// pushed out, without a speed. A depth of 0: there was none.
typedef struct tide_initial_penetration {
    uint32_t point, collider;
    double depth; // m
} tide_initial_penetration;
tide_initial_penetration tide_contacts_initial_penetration(const tide_contacts *contacts);

// Two colliders that left the points between them no room in the last timestep, as a press does that closes to less
// than what is in it is thick; of all, those where the most was lacking. A lack of 0: there was room.
typedef struct tide_squeezed {
    uint32_t point, colliders[2];
    double lack;     // m, that the point is too near to each
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
// Whether there are so many contacts for the size of the surface that steps become slow: one to four features.
bool tide_contacts_are_crowded(const tide_contacts *contacts);
// The field of the error of a step that ran out of work, or found too many pairs, between two such colliders.
#define TIDE_CONTACT_PRESS "press"

// Adds to y (3 * particle_count) the displacements h^2 M^-1 f of the forces that contacts act with as the last step
// ended, with friction.
void tide_contacts_add_displacements(const tide_contacts *contacts, double h, double *y);

// What the next step depends on: the sums, with what they are of.
size_t tide_contacts_history_size(const tide_contacts *contacts);
void tide_contacts_save_history(const tide_contacts *contacts, void *bytes);
tide_status tide_contacts_load_history(tide_contacts *contacts, const void *bytes, size_t size, tide_error *error);

#endif
