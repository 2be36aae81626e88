// Contacts with colliders that support the matrix of a Newton step.
//
// Springs under pressure make the Hessian H indefinite in directions that contacts rule out. So H + R is factored
// instead, where R adds a block to each particle that a collider pushes: strength * n n' along the normal n, or
// strength times the identity where friction makes the contact stick. For enough strength it is definite where H is
// definite on what keeps the contacts (Nocedal and Wright 2006, Numerical Optimization, sec. 17.3), and the compliance
// W of contacts that support it is well conditioned: about 1 / strength. It is an exact change of the unknowns.
// Impulses z that move particles by u = (H + R)^-1 J' z are impulses z - R u in the equations of H, and it is these
// that the laws of contact hold for, whether contacts stay, slide or open.
//
// The first step moves particles by d before any impulse is known. Its right side contains R d0, where d0 closes the
// gaps, and takes back the slip of contacts that stick: impulses then stay as they are wherever d equals d0, and change
// by R (d0 - d) elsewhere. Without d0, the supports would hold back what a particle has to move, and the problem would
// start far from its solution.
#ifndef TIDE_CONTACT_SUPPORT_H
#define TIDE_CONTACT_SUPPORT_H

#include "contact/friction.h"
#include "solver/solver.h"

typedef struct tide_contacts tide_contacts;

// The support by one contact in the present step.
typedef struct tide_support {
    double strength; // kg; 0: none
    bool sticks;     // R is strength times the identity, not strength * n n'
    double normal[3];
    double at[3];      // m, the place of its particle before the step
    double closing[3]; // m, d0 of the particle
    double before[3];  // m, the accumulated impulse of the contact before the step
    // As last evaluated, with the particle at `seen`; m.
    double gap, slip[3], seen[3];
    tide_friction friction;
} tide_support;

// Keeps what the contact's evaluation at x found.
void tide_support_see(tide_support *s, const double x[3], double gap, const double slip[3],
                      const tide_friction *friction);
// The contacts' part of tide_contact_response: calls `add` for each support.
bool tide_contacts_support(void *context, const double *x, tide_support_add *add, void *to);
// Adds R (d0 - d) to the impulses of contacts and to y, after the matrix with supports has moved particles to x by d.
void tide_contacts_take_supports(tide_contacts *c, const double *x, double *y);
// For a supported step whose contacts are solved. Returns the largest motion of a coordinate by the change of impulses
// since before the step: x itself also moves by what the supports held back. HUGE_VAL: bodies touch, and the step is of
// no use.
double tide_contacts_supported_change(tide_contacts *c);
// Restores the impulses that contacts had before the step.
void tide_contacts_undo_supported(tide_contacts *c);

#endif
