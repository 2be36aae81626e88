// Default functions of an element kind (element.h), built from its gradient, Hessian and laplacian. A kind names them
// in its table where it has no faster ones. The compact Hessian is the lower triangle of a H + b L, row by row.
//
//     .compact_size = TIDE_DENSE_COMPACT(3), .compact = tide_dense_compact, .multiply = tide_dense_multiply,
//     .blocks = tide_dense_blocks, .corner = tide_dense_corner,
#ifndef TIDE_MODEL_DENSE_ELEMENT_H
#define TIDE_MODEL_DENSE_ELEMENT_H

#include "model/element.h"

#define TIDE_DENSE_COMPACT(vertex_count) (3 * (vertex_count) * (3 * (vertex_count) + 1) / 2)

// Replaces a symmetric matrix (size * size, size at most TIDE_ELEMENT_MAX_NUMBERS) by the nearest positive semidefinite
// one: sets its negative eigenvalues to 0.
void tide_dense_make_semidefinite(double *matrix, uint32_t size);

void tide_dense_compact(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, bool project,
                        double a, double b, double *out);
void tide_dense_multiply(const tide_elements *elements, const double *compact, const double *v, uint32_t begin,
                         uint32_t end, double *out);
void tide_dense_blocks(const tide_elements *elements, const double *compact, uint32_t begin, uint32_t end, double *out);
void tide_dense_corner(const tide_elements *elements, const double *x, uint32_t element, uint32_t corner,
                       double gradient[3], double hessian[9]);

#endif
