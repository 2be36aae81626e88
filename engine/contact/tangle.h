// Untangling: finds where edges of the surface go through triangles, decides which side is wrong, and pulls it back.
// README.md of this folder, section 12, has the method and its bounds.
//
// While a tangle is held, points on the wrong side are marked in the surface (`tangled`), and pairs with them are left
// out of contact and of continuous collision, which would keep them there.
#ifndef TIDE_CONTACT_TANGLE_H
#define TIDE_CONTACT_TANGLE_H

#include "collision/surface.h"

// Part of the distance that two sides keep, by which pulls, and contacts that overlap, are to part them in a step.
#define TIDE_TANGLE_PART 0.5

typedef struct tide_tangle tide_tangle;
struct tide_inside;

// What a search has found.
typedef struct tide_tangle_report {
    uint32_t crossings; // edges through triangles
    uint32_t wrong;     // points on wrong sides
    bool diverged;      // there are so many that nothing is decided; the search stopped there
    bool stopped;       // the search did, at a bound on its work: there may be more crossings
    uint64_t tests;     // pairs of an edge and a triangle with boxes that overlap
    uint32_t inside;    // points inside colliders
    double place[3];    // m, of the first crossing; without one, of the first point inside
} tide_tangle_report;

// The surface must outlive the tangle.
tide_status tide_tangle_create(tide_contact_surface *surface, uint32_t particle_count, tide_tangle **tangle,
                               tide_error *error);
void tide_tangle_destroy(tide_tangle *tangle); // NULL does nothing
// Searches at x (3 * point_count), and marks the points on wrong sides; without crossings the surface has marks of 0.
// Allocates only where there are more crossings than ever before. Gives up beyond a bound on its work: then only some
// crossings are found.
tide_status tide_tangle_find(tide_tangle *tangle, const double *x, tide_tangle_report *report, tide_error *error);
// Points that leave a collider along a way (tangle_inside.h) are not pulled out of its mesh besides. NULL: none.
void tide_tangle_set_inside(tide_tangle *tangle, const struct tide_inside *inside);
void tide_tangle_release(tide_tangle *tangle); // removes all marks
// Adds to `forces` (3 * particle_count, N) what pulls the wrong sides back in a step of h: towards a relative speed of
// half the distance that both sides keep in a step. v (3 * point_count): velocities of all points. Between free bodies
// the forces add up to 0. Returns the sum of the impulses' lengths, N s.
// `insistence` (at least 1) multiplies the pulls of single crossings, which stiff springs may hold. `gain`
// (3 * point_count) is the change of velocity in the step by all other forces, m/s. Pulls of crossings with colliders
// resist it, so that a cloth does not sink in by its weight.
double tide_tangle_pull(tide_tangle *tangle, const double *v, const double *gain, double h, double insistence,
                        double *forces);

#endif
