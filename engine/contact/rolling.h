// Rolling friction of rigid bodies, on colliders and on one another.
//
// Two sides that press on each other with the normal force N resist rolling by a couple of at most b N, where the
// coefficient b is the arm (m) by which the normal force moves ahead of the middle of the contact. All contacts of two
// sides count together: N n is the sum of their normal forces. With the relative spin w across n, the couple C is
//
//     |C| <= b N,  C opposes w where |C| = b N,  w = 0 where |C| < b N
//
// which is Coulomb's law for spins. Turning about n is not resisted. The couple acts as an external force in the step.
// After the contacts of a substep are solved, it is corrected to C - (A^-1 + B^-1)^-1 w / h, with the inertias A and B
// of the sides, and brought to the bound. The next step begins with the couple that was found, so that a ball rests on
// a slope: the correction adds up what is missing.
#ifndef TIDE_CONTACT_ROLLING_H
#define TIDE_CONTACT_ROLLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tide_contacts tide_contacts;

#define TIDE_ROLLING_COLLIDER 0x80000000u // in the second half of a key: the other side is this collider, not a part

typedef struct tide_rolling_contact {
    uint64_t key;      // part << 32 | other part, above it, or TIDE_ROLLING_COLLIDER + collider
    double couple[3];  // N m, on the first side, in the last substep: the next timestep begins with it
    double applied[3]; // N m, with which this timestep began
    double push[3];    // N s, the sum of normal impulses in this substep, on the first side
    double arm;        // m, the coefficient
    double turned[3];  // N m s, the impulse of couples in the finished substeps of the timestep
} tide_rolling_contact;

typedef struct tide_rolling_contacts {
    tide_rolling_contact *items; // in ascending order of keys
    size_t count, capacity;
} tide_rolling_contacts;

void tide_rolling_begin(tide_contacts *c); // begins a substep
// Adds a normal impulse (N s) of a contact of two points' parts, or of one with a collider (`second` ignored).
void tide_rolling_note_pair(tide_contacts *c, uint32_t first, uint32_t second, const double normal[3], double impulse);
void tide_rolling_note_collider(tide_contacts *c, uint32_t point, uint32_t collider, const double normal[3],
                                double impulse);
// Corrects couples at the end of a substep with positions x, in the velocities v.
void tide_rolling_end(tide_contacts *c, const double *x, double *v);

// Adds the mean couples of the last timestep, as forces on particles at x.
void tide_rolling_add_forces(const tide_contacts *c, const double *x, double *forces);
// Finds the entry with a key, or adds one in order. NULL: no memory.
tide_rolling_contact *tide_rolling_of(tide_contacts *c, uint64_t key);
bool tide_rolling_is_key(const tide_contacts *c, uint64_t key); // of sides that may roll

#endif
