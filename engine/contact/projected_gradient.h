// Rounds over the contacts that a pass has answered, without looking at where anything is.
//
// In a substep a contact's normal and weights stay, so that its gap and slip are linear in x: between two looks, how
// far forces move the particles is all that is needed. With the sums of rows for W (compliant_response.c) a round is a
// step of projected gradients that overshoots nowhere. Rounds run ahead of themselves (Nesterov 1983), from one answer
// of a substep to the next, until one leads back: then they begin anew (O'Donoghue and Candes 2015, Adaptive restart
// for accelerated gradient schemes, the gradient scheme). What n contacts hand on to one another takes some n of them,
// and less leaves a stack of shifted cloths trembling.
#ifndef TIDE_CONTACT_PROJECTED_GRADIENT_H
#define TIDE_CONTACT_PROJECTED_GRADIENT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tide_contacts tide_contacts;
typedef struct tide_projected_gradient tide_projected_gradient;

// A contact that x yields to, as the pass has left it.
typedef struct tide_round_contact {
    double gap, slip[3]; // m, where its points are
    double normal[3];
    double mass, w, friction; // kg: of a unit of its sum; what a pass takes for W, in units of its sum
    double distance;          // m, that its sides keep
    bool of_pair;
    uint32_t index; // among pairs, or what touches colliders
} tide_round_contact;

tide_projected_gradient *tide_projected_gradient_create(uint32_t particle_count);  // NULL when there is no memory
void tide_projected_gradient_destroy(tide_projected_gradient *projected_gradient); // NULL does nothing

void tide_projected_gradient_clear(tide_projected_gradient *projected_gradient); // forgets all
// Notes a contact of these points, with their weights. Allocates only when there are more than ever before.
void tide_projected_gradient_add(tide_contacts *c, const tide_round_contact *contact, const uint32_t *points,
                                 const double *weights, int count);
// Goes over those noted as long as that moves anything much, at most 128 times. Moves x and `also`, and puts what the
// contacts come to push into y (or NULL); what the last round changed is left for x to yield to. Returns the largest
// change of a coordinate.
double tide_projected_gradient_solve(tide_contacts *c, double *x, double *y, double *also);

#endif
