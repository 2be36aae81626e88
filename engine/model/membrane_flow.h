// Multiplicative plastic flow of membranes: F = F_e F_p with F_p in the material axes of the triangle. The elastic
// energy depends on F_e = F F_p^-1 alone, so F_p goes into the inverse of the edges at rest, B <- B F_p^-1
// (membrane.h). The sheet keeps its volume: it becomes thinner where F_p widens it, and area times thickness, which
// scales its energy, stays.
//
//     double plastic[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, flow = 0; // of F_p, only the first two rows and columns are
//     used if (tide_membrane_flow(&present, x, e, limit, hardening, 1, plastic, &flow)) ... // F_p, and the accumulated
//     strain
//
// Threads: calls for different elements of a group may run at once. Nothing fails.
#ifndef TIDE_MODEL_MEMBRANE_FLOW_H
#define TIDE_MODEL_MEMBRANE_FLOW_H

#include "model/element.h"

bool tide_is_membrane(const tide_element_kind *kind); // of membrane.h

// Applies F_p to the shape at rest of an element that has none yet. Its determinant must not be 0.
void tide_membrane_set_plastic(tide_elements *elements, uint32_t e, const double plastic[9]);

// The return mapping in logarithmic strain, as that of solids (solid_flow.h) for a sheet whose elastic volume stays:
// with F_e = U diag(s) V', l_i = log s_i and l_3 = -(l_1 + l_2), the equivalent strain q = sqrt(2/3 (l_1^2 + l_2^2 +
// l_3^2)), which is log s in tension of such a sheet, flow begins at `limit`:
//
//     dq = share (q - limit) / (1 + hardening),   l <- (1 - dq / q) l,   flow += dq
//     F_p <- V diag(s / s') V' F_p,   with s' the new singular values
//
// share is 1, or less for creep. `elements` have F_p applied; on flow the new F_p is applied and stored. Triangles
// without area do not flow, nor would one whose elastic energy would rise. Returns whether the element flows.
bool tide_membrane_flow(tide_elements *elements, const double *x, uint32_t e, double limit, double hardening,
                        double share, double plastic[9], double *flow);

#endif
