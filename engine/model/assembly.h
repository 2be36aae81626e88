// The matrix of Newton's method, m M + a H(x) + b L over free particles, as a sparse matrix of fixed pattern. It is
// refilled without allocating.
#ifndef TIDE_MODEL_ASSEMBLY_H
#define TIDE_MODEL_ASSEMBLY_H

#include "model/system.h"

typedef struct tide_assembly {
    tide_sparse matrix; // (3 free_count) square, symmetric, lower triangle, 3 x 3 blocks
    uint32_t *places;   // where the block of each pair of corners goes, element by element; two numbers each
} tide_assembly;        // { 0 } is empty

// Makes the pattern of a system's Hessian. Call it again after the system's elements or pins change.
tide_status tide_assembly_prepare(tide_assembly *assembly, const tide_system *system, tide_error *error);
void tide_assembly_free(tide_assembly *assembly); // leaves { 0 }
// Computes matrix = m M + a H(x) + b L at x (3 * particle_count). Allocates nothing.
void tide_assembly_fill(tide_assembly *assembly, const tide_system *system, const double *x, bool project, double m,
                        double a, double b);
// Computes matrix += a H(x) + b L.
void tide_assembly_add(tide_assembly *assembly, const tide_system *system, const double *x, bool project, double a,
                       double b);
// Computes matrix += shift M.
void tide_assembly_shift(tide_assembly *assembly, const tide_system *system, double shift);
// Returns true when a 3 x 3 diagonal block is not positive definite; the matrix is then not positive definite either.
// Most indefinite matrices are found this way without a factorisation.
bool tide_assembly_is_indefinite(const tide_assembly *assembly);

#endif
