// The curvature pairs of L-BFGS: moves s, and the changes y of the gradient over them. Only z = A^-1 y is kept of y.
// The inverse Hessian that the pairs make of A^-1 then reads each pair once for products and once for a sum (Byrd,
// Nocedal and Schnabel 1994, Representations of quasi-Newton matrices and their use in limited memory methods,
// eq. 3.1). With s, y and z of all pairs the columns of S, Y and Z, R the upper triangle of S'Y and D its diagonal,
//
//     H g = A^-1 g + S p - Z u,    u = R^-1 S'g,    p = R^-T ((D + Y'Z) u - Z'g)
//
// Products of older pairs with a new y are differences of their products with the gradients before and after it. Arrays
// are (3 * particle_count), 0 for pinned particles.
#ifndef TIDE_SOLVER_SECANTS_H
#define TIDE_SOLVER_SECANTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TIDE_SECANTS_MAX = 50 };

typedef struct tide_secant {
    double along, across;                // s'g and z'g for the last gradient
    double curvatures[TIDE_SECANTS_MAX]; // s'y of this s with each y, by the slot of y
    double squares[TIDE_SECANTS_MAX];    // z'y of this z with each y, by the slot of y
} tide_secant;

typedef struct tide_secants {
    void *memory;            // owns the arrays
    double *moves, *changes; // (capacity * numbers) s and z, in a ring buffer
    tide_secant *pairs;      // (capacity)
    size_t numbers;
    uint32_t capacity, count, next; // slots; pairs kept; the slot of the next pair
    bool current;                   // `along` and `across` belong to the current gradient
} tide_secants;                     // { 0 } is empty

tide_status tide_secants_prepare(tide_secants *secants, uint32_t capacity, uint32_t particle_count, tide_error *error);
void tide_secants_free(tide_secants *secants); // leaves { 0 }
void tide_secants_forget(tide_secants *secants);
// Tells that the gradient has changed without a move, for example because contacts changed.
void tide_secants_renew(tide_secants *secants);

// Adds a pair, in place of the oldest, if g is convex along the move. The move is length * direction; it led from the
// gradient in `y` to `gradient`, and from `before` = A^-1 y to `solution` = A^-1 gradient. `y` becomes the difference
// of the gradients.
void tide_secants_add(tide_secants *secants, double length, const double *direction, const double *gradient, double *y,
                      const double *solution, const double *before);
// Computes direction = -H gradient, where solution = A^-1 gradient.
void tide_secants_direct(tide_secants *secants, const double *gradient, const double *solution, double *direction);

#endif
