// Common parts of zero-length springs, ties and anchors: E = k/2 |d|^2, d linear in the positions. Private to model/.
#ifndef TIDE_MODEL_NO_LENGTH_H
#define TIDE_MODEL_NO_LENGTH_H

#include "base/vec3.h"
#include "model/element.h"

#include <string.h>

// Computes the gradient at a corner whose position enters d with factor `weight`, and its Hessian made positive
// semidefinite (may be NULL).
static inline void tide_no_length_corner(double stiffness, double weight, tide_vec3 d, double gradient[3],
                                         double hessian[9])
{
    tide_vec3_store(gradient, tide_vec3_scale(d, stiffness * weight));
    if (!hessian)
        return;
    memset(hessian, 0, 9 * sizeof *hessian);
    hessian[0] = hessian[4] = hessian[8] = fmax(stiffness, 0) * (weight * weight);
}

// Returns C = |d| and computes its direction and compliance. At d = 0, C has a kink and E has none; the direction is
// then 0. |d| below 1e-140 counts as 0, since its square has lost digits to underflow.
static inline double tide_no_length_constraint(double stiffness, tide_vec3 d, tide_vec3 *direction, double *compliance)
{
    double squared = tide_vec3_dot(d, d);
    bool coincident = squared < 1e-280;
    double length = coincident ? 0 : sqrt(squared);
    *direction = tide_vec3_scale(d, coincident ? 0 : 1 / length);
    *compliance = stiffness == 0 ? INFINITY : 1 / stiffness;
    return length;
}

// A kind's `strain`: 0, since there is no rest length to compare with.
static inline void tide_no_length_strain(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end,
                                         double *out)
{
    (void)elements, (void)x;
    for (uint32_t e = begin; e < end; e++)
        *out++ = 0;
}

#endif
