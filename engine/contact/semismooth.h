// Solves the contact problem of a Newton step by a semi-smooth Newton method (an active-set method).
//
// While the problem is solved a contact's normal is fixed, so that its gap g and
// slip t are linear in the impulses s of all contacts: they change by W ds with W = J H^-1 J'. The laws of contact
// (contacts.h) are the equation s = P(s), with, for a positive scale w of W's rows and a = s_n - g / w, d = s_t - t /
// w:
//
//     open:    a <= 0                    s = 0
//     stick:   |d| <= friction a         s_n = a, s_t = d              that is g = 0 and t = 0
//     slide:   |d| > friction a > 0      s_n = a, s_t = friction a d / |d|
//
// One iteration fixes the set of each contact, solves the linear equations of these sets by GMRES, whose products with
// W are solves with H, and takes the part of the step that lowers the residual w (P(s) - s). As gaps and slips are
// linear, trying parts needs no solve. Where no part lowers the residual, a projected gradient step is taken. The
// method converges in few iterations once the sets are those of the solution (Alart and Curnier 1991, A mixed
// formulation for frictional contact problems prone to Newton like solution methods; Hintermueller, Ito and Kunisch
// 2003, The primal-dual active set strategy as a semismooth Newton method).
//
// Contacts between bodies are redundant, so that W is singular. A proximal term keeps their impulses near those before
// the solve (README.md, section 5).
#ifndef TIDE_CONTACT_SEMISMOOTH_H
#define TIDE_CONTACT_SEMISMOOTH_H

#include "contact/projected_gradient.h"

typedef struct tide_semismooth tide_semismooth;

tide_semismooth *tide_semismooth_create(uint32_t particle_count); // NULL when there is no memory

void tide_semismooth_begin(tide_semismooth *s); // forgets all contacts
// Adds a contact of points with weights. Allocates only when there are more than ever before.
void tide_semismooth_note(tide_contacts *c, const tide_gradient_contact *contact, const uint32_t *points,
                          const double *weights, int count);
// Solves for the impulses of all contacts that were added. Moves x and `also` (or NULL) by what they change, and y by
// the same change as if particles were free. Returns the largest change of a coordinate of x. *solved is false where
// the laws do not hold to the method's accuracy: contacts may contradict one another, as in a corner.
double tide_semismooth_go(tide_contacts *c, double *x, double *y, double *also, bool *solved);

#endif
