// Multiplicative plastic flow of solids: F = F_e F_p. The elastic energy depends on F_e = F F_p^-1 alone, so F_p goes
// into the inverse shape at rest, B <- B F_p^-1 (solid.h).
//
//     double plastic[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, flow = 0;
//     if (tide_solid_flow(&present, x, e, limit, hardening, 1, plastic, &flow)) ... // F_p, and the accumulated strain
//
// Threads: calls for different elements of a group may run at once. Nothing fails.
#ifndef TIDE_MODEL_SOLID_FLOW_H
#define TIDE_MODEL_SOLID_FLOW_H

#include "model/element.h"

bool tide_is_solid(const tide_element_kind *kind); // of solid.h
// The return mapping below, from the deviator d of log s: computes s / s', s' / s and dq. Returns false where nothing
// flows.
bool tide_flow_ratios(const double deviator[3], double limit, double hardening, double share, double ratios[3],
                      double inverse_ratios[3], double *change);

// Applies F_p, row-major, to the shape at rest of an element that has none yet. det F_p must not be 0.
void tide_solid_set_plastic(tide_elements *elements, uint32_t e, const double plastic[9]);

// The return mapping in logarithmic strain (Weber and Anand 1990): with F_e = U diag(s) V', the deviator d_i of log s_i
// and the equivalent strain q = sqrt(2/3) |d|, which is log s in isochoric tension, flow begins at `limit`:
//
//     dq = share (q - limit) / (1 + hardening),   d <- (1 - dq / q) d,   flow += dq
//     F_p <- V diag(s / s') V' F_p,   with s' the new singular values
//
// Volume does not flow: det F_p stays. share is 1, or less for creep. `elements` have F_p applied; on flow the new F_p
// is applied and stored. Inverted elements do not flow, nor would one whose elastic energy would rise. Returns whether
// the element flows.
bool tide_solid_flow(tide_elements *elements, const double *x, uint32_t e, double limit, double hardening, double share,
                     double plastic[9], double *flow);

#endif
