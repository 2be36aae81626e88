// Elements whose energy depends on a deformation gradient F, dx = F dX: tetrahedra, and membranes with a third column
// of zeros. The position of corner i contributes x_i g_i' to F, with g_i the gradient of its shape function at rest. So
//
//     dE/dx_i = volume P g_i,    P = d psi / dF   (first Piola-Kirchhoff stress)
//
// An isotropic energy density psi depends on the singular values s of F = U diag(s) V' alone (svd3.h). Then
// P = U diag(d psi / ds) V', and d2 psi / dF2 has nine eigenmodes in the frames U and V (Smith et al. 2019, Analytic
// eigensystems for isotropic distortion energies, sec. 4): three of the matrix d2 psi / ds ds, and for each pair of
// directions i, j
//
//     flip  (symmetric):        (psi_i - psi_j) / (s_i - s_j)
//     twist (antisymmetric):    (psi_i + psi_j) / (s_i + s_j)
//
// Threads: any. Nothing fails or allocates.
#ifndef TIDE_MODEL_DEFORMATION_H
#define TIDE_MODEL_DEFORMATION_H

#include <stdbool.h>
#include <stdint.h>

// The derivatives of an energy density by the singular values. Pair k is that of the two other directions.
typedef struct tide_principal {
    double first[3];
    double second[9]; // row-major
    double flip[3], twist[3];
} tide_principal;

// Computes the Hessian of an element, row-major (3 corners)^2, exactly symmetric: `factor` times that of the energy
// density. `gradients` (3 * corners) are the g_i. With `project`, it is made positive semidefinite.
void tide_deformation_hessian(uint32_t corners, const double *gradients, const double u[9], const double v[9],
                              const tide_principal *principal, double factor, bool project, double *out);

#endif
