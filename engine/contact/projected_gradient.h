// Accelerated projected gradient over the contacts that a pass has collected, without detecting anew.
//
// Within a substep the normal and weights of a contact are fixed, so that its gap and slip are linear in x: only the
// displacements that forces cause are needed. An iteration is a projected gradient step with the row sums of W as step
// sizes (compliant_response.c), so that it never overshoots. Iterations are accelerated (Nesterov 1983), across the
// solves of a substep, with adaptive restart (O'Donoghue and Candes 2015, Adaptive restart for accelerated gradient
// schemes, the gradient scheme). An impulse crosses n contacts in some n iterations; with fewer, a stack of shifted
// cloths trembles.
#ifndef TIDE_CONTACT_PROJECTED_GRADIENT_H
#define TIDE_CONTACT_PROJECTED_GRADIENT_H

#include "contact/friction.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct tide_contacts tide_contacts;
typedef struct tide_projected_gradient tide_projected_gradient;

// A compliant contact as the pass left it.
typedef struct tide_gradient_contact {
    double gap, slip[3]; // m, at x
    double normal[3];
    double mass, w; // kg, of a unit of its impulse; the bound on W, per unit of its impulse
    tide_friction friction;
    double distance; // m, kept between its sides
    uint32_t index;  // in the list of contacts
} tide_gradient_contact;

tide_projected_gradient *tide_projected_gradient_create(uint32_t particle_count); // NULL when there is no memory

void tide_projected_gradient_restart(tide_projected_gradient *projected_gradient); // begins anew, without acceleration
void tide_projected_gradient_clear(tide_projected_gradient *projected_gradient);   // removes all contacts
// Adds a contact of these points with their weights. Allocates only when there are more than ever before.
void tide_projected_gradient_add(tide_contacts *c, const tide_gradient_contact *contact, const uint32_t *points,
                                 const double *weights, int count);
// Solves for the impulses of all contacts added, in at most 128 iterations. Moves x and `also` (or NULL), and adds the
// impulses to y (or NULL) as displacements of free particles. Forces of the last iteration stay in c->compliance.force,
// to be applied next. Returns the largest change of a coordinate.
double tide_projected_gradient_solve(tide_contacts *c, double *x, double *y, double *also);

#endif
