// The Hessian as a sparse matrix of fixed pattern, filled again and again without allocating: Newton's matrix
// m M + a H(x) + b L, over free particles.
#ifndef TIDE_MODEL_ASSEMBLY_H
#define TIDE_MODEL_ASSEMBLY_H

#include "model/system.h"

typedef struct tide_assembly {
    tide_sparse matrix; // (3 free_count) square, symmetric, lower triangle, 3 x 3 blocks
    uint32_t *places;   // where each pair of corners of each element goes, group by group; two numbers each
} tide_assembly;        // { 0 } is empty

// Makes the pattern of a system's Hessian; call again after the system's elements or pins changed.
tide_status tide_assembly_prepare(tide_assembly *assembly, const tide_system *system, tide_error *error);
void tide_assembly_free(tide_assembly *assembly); // leaves { 0 }
// matrix = m M + a H(x) + b L at x (3 * particle_count). Allocates nothing.
void tide_assembly_fill(tide_assembly *assembly, const tide_system *system, const double *x, bool project, double m,
                        double a, double b);
// matrix += a H(x) + b L.
void tide_assembly_add(tide_assembly *assembly, const tide_system *system, const double *x, bool project, double a,
                       double b);
// matrix += shift M.
void tide_assembly_shift(tide_assembly *assembly, const tide_system *system, double shift);
// Whether a 3 x 3 block of the diagonal is not positive definite, and so the matrix neither: most that are not show it
// so, and need not be factored to be found out.
bool tide_assembly_is_indefinite(const tide_assembly *assembly);

#endif
