// The singular value decomposition and the polar decomposition of 3 x 3 matrices with rotations only: reflections go
// into the smallest singular value, which is negative where det F < 0 (Irving et al. 2004, sec. 4).
//
//     F = U diag(s) V',   det U = det V = 1,   s_0 >= s_1 >= |s_2| up to rounding
//     F = R S,   R = U V',   S = V diag(s) V'
//
// R is the rotation nearest to F: it maximises tr(R' F), whose maximum is s_0 + s_1 + s_2. It is unique unless
// s_1 + s_2 = 0; then some maximiser is returned. Errors are below 1e-14 of |F| for the product, and of 1 for the
// rotations. Matrices are row-major. F that is not finite gives numbers that are not finite. Threads: any.
#ifndef TIDE_MODEL_SVD3_H
#define TIDE_MODEL_SVD3_H

void tide_svd3(const double f[9], double u[9], double s[3], double v[9]);
void tide_polar3(const double f[9], double rotation[9]);

#endif
