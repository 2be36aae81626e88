// Stress of elements with a volume. The forces of an element carry the mean Cauchy stress
//
//     sigma = sum_c (dE/dx_c) x_c' / V = P F' / det F
//
// with V its volume at present: that of a tetrahedron, or the area of a membrane's triangle times its thickness. The
// second form is that of a solid with the first Piola-Kirchhoff stress P. V counts as positive for an inverted element.
// The stress of a membrane has no part across its plane.
#ifndef TIDE_MODEL_STRESS_H
#define TIDE_MODEL_STRESS_H

#include "model/element.h"

// A symmetric tensor, Pa; positive in tension.
typedef struct tide_stress {
    double xx, yy, zz, yz, zx, xy;
} tide_stress;

enum { TIDE_STRESS_BLOCK = 32 };
// Computes the symmetric part of sum_c (dE/dx_c) x_c' of elements begin ... end - 1, at most TIDE_STRESS_BLOCK, in J:
// their volume times their stress.
void tide_stress_find_virials(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end,
                              tide_stress *out);
tide_stress tide_stress_add(tide_stress a, tide_stress b);
tide_stress tide_stress_scale(tide_stress stress, double factor);
// Computes the principal stresses, the largest first, and if `directions` is not NULL their unit vectors in its rows.
void tide_stress_principal(tide_stress stress, double values[3], double directions[3][3]);
// sqrt(3/2) |dev sigma|, Pa: the stress of a bar in tension that is as close to yield.
double tide_stress_von_mises(tide_stress stress);

#endif
