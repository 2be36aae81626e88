// Default functions of an element kind (element.h), built from its gradient, Hessian and laplacian. A kind names them
// in its table where it has no faster ones. The compact Hessian is the lower triangle of a H + b L, row by row.
//
//     const tide_element_kind tide_area_spring = { .name = "area_spring", ..., TIDE_DENSE_FUNCTIONS(3), ... };
#ifndef TIDE_MODEL_DENSE_ELEMENT_H
#define TIDE_MODEL_DENSE_ELEMENT_H

#include "model/element.h"

#define TIDE_DENSE_COMPACT(vertex_count) (3 * (vertex_count) * (3 * (vertex_count) + 1) / 2)

// The members of a kind's table for `corners` vertices whose functions are these.
#define TIDE_DENSE_FUNCTIONS(corners)                                                                                  \
    .vertex_count = (corners), .compact_size = TIDE_DENSE_COMPACT(corners), .compact = tide_dense_compact,             \
    .multiply = tide_dense_multiply, .blocks = tide_dense_blocks, .corner = tide_dense_corner

// Replaces a symmetric matrix (size * size, size at most TIDE_ELEMENT_MAX_NUMBERS) by the nearest positive semidefinite
// one: sets its negative eigenvalues to 0.
void tide_dense_make_semidefinite(double *matrix, uint32_t size);

// Diagonalises a symmetric matrix by cyclic Jacobi (Golub and Van Loan 2013, Matrix Computations, sec. 8.5.3). Leaves
// the eigenvalues on the diagonal of `a` (n * n) and the eigenvectors in the columns of `vectors`.
void tide_dense_diagonalise(double *a, double *vectors, uint32_t n);

void tide_dense_compact(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, bool project,
                        double a, double b, double *out);
void tide_dense_multiply(const tide_elements *elements, const double *compact, const double *v, uint32_t begin,
                         uint32_t end, double *out);
void tide_dense_blocks(const tide_elements *elements, const double *compact, uint32_t begin, uint32_t end, double *out);
void tide_dense_corner(const tide_elements *elements, const double *x, uint32_t element, uint32_t corner,
                       double gradient[3], double hessian[9]);
// The local projection d = L x - dE/dx, for kinds whose energy has no simpler one: (3 * vertex_count) numbers.
void tide_dense_project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out);
// The constraint C = sqrt(2 E / k), of compliance 1 / k, for an energy E that is proportional to the stiffness k and at
// least 0 for k > 0. dC/dx has no limit where E is 0, and is 0 there.
double tide_dense_constraint(const tide_elements *elements, const double *x, uint32_t element, double *gradient,
                             double *compliance);

#endif
