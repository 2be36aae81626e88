// What L-BFGS has learnt of g's curvature: pairs of a move s and of y, by which it changed the gradient. Of y only
// z = A^-1 y is kept: with it the inverse Hessian that the pairs make of A^-1 takes them once for products and once for
// a sum (Byrd, Nocedal and Schnabel 1994, Representations of quasi-Newton matrices and their use in limited memory
// methods, eq. 3.1). With s, y and z of all pairs the columns of S, Y and Z, R the upper triangle of S'Y and D its
// diagonal,
//
//     H g = A^-1 g + S p - Z u,    u = R^-1 S'g,    p = R^-T ((D + Y'Z) u - Z'g)
//
// Of older pairs the products with a new y are differences of those with the gradients before and after it. Arrays are
// (3 * particle_count), 0 for pinned particles.
#ifndef TIDE_SOLVER_SECANTS_H
#define TIDE_SOLVER_SECANTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TIDE_SECANTS_MAX = 50 };

typedef struct tide_secant {
    double along, across;                // s'g and z'g with the last gradient
    double curvatures[TIDE_SECANTS_MAX]; // s'y of this s, by the slot of y
    double squares[TIDE_SECANTS_MAX];    // z'y of this z, by the slot of y
} tide_secant;

typedef struct tide_secants {
    double *moves, *changes; // (capacity * numbers) s and z, in a ring
    tide_secant *pairs;      // (capacity)
    size_t numbers;
    uint32_t capacity, count, next; // slots, pairs kept, the slot of the next
    bool current;                   // `along` and `across` are of the gradient at hand
} tide_secants;                     // { 0 } is empty

tide_status tide_secants_prepare(tide_secants *secants, uint32_t capacity, uint32_t particle_count, tide_error *error);
void tide_secants_free(tide_secants *secants); // leaves { 0 }
void tide_secants_forget(tide_secants *secants);
// The gradient has become another without a move: of other contacts, say.
void tide_secants_renew(tide_secants *secants);

// A move by length * direction has led from the gradient in `y`, which becomes their difference, to `gradient`, and
// from A^-1 gradient = `before` to `solution`. Kept, in place of the oldest pair, when g is convex along it.
void tide_secants_add(tide_secants *secants, double length, const double *direction, const double *gradient, double *y,
                      const double *solution, const double *before);
// direction = -H gradient; solution = A^-1 gradient.
void tide_secants_direct(tide_secants *secants, const double *gradient, const double *solution, double *direction);

#endif
