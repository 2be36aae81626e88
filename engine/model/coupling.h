// The parts of a Hessian that join all particles of a coupled group (element.h): c s s' for each, with s = dS/dx and
// c = f''(S). Sparse matrices lack them.
#ifndef TIDE_MODEL_COUPLING_H
#define TIDE_MODEL_COUPLING_H

#include "model/system.h"

typedef struct tide_coupling {
    uint32_t count, particle_count;
    void *memory;
    const tide_system *system; // of the last evaluation
    double *slopes;            // (count * 3 * particle_count) s of each group
    double *curvatures;        // (count) c
    double *corners;           // workspace
} tide_coupling;               // { 0 } is empty

// Frees what it held and allocates for a system; nothing for one without coupled groups.
tide_status tide_coupling_prepare(tide_coupling *coupling, const tide_system *system, tide_error *error);
void tide_coupling_free(tide_coupling *coupling); // leaves { 0 }
// Evaluates the parts at x, times `factor`.
void tide_coupling_evaluate(tide_coupling *coupling, const tide_system *system, const double *x, double factor);
// Computes out += sum c s s' v, (3 * particle_count) both, from the v of all particles; nothing for pinned ones.
void tide_coupling_add_product(const tide_coupling *coupling, const double *v, double *out);

#endif
