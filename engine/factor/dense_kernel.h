// Kernels for dense blocks in double precision, for vectors of several widths, chosen at run time. They take most of
// the time of the factorisation by fronts (fronts.h). Matrices are stored row by row.
#ifndef TIDE_FACTOR_DENSE_KERNEL_H
#define TIDE_FACTOR_DENSE_KERNEL_H

#include <stddef.h>
#include <stdint.h>

enum {
    TIDE_DENSE_BLOCK = 32, // columns that are factored at once
    TIDE_DENSE_ROWS = 4,   // rows are read and written up to the next multiple of this
    TIDE_DENSE_COLUMNS = 8 // columns are read and written up to the next multiple of this
};

typedef double tide_dense_block[TIDE_DENSE_BLOCK][TIDE_DENSE_BLOCK];

typedef struct tide_dense_kernel {
    uint32_t slab; // columns of C that are computed at once; packed matrices consist of slabs of this width
    // Rearranges B, (n x k) with rows `stride` numbers apart, into the order that `multiply` reads, padded with zeros:
    // (n rounded up to a multiple of TIDE_DENSE_COLUMNS and then of slabs, times k).
    void (*pack)(uint32_t n, uint32_t k, const double *b, size_t stride, double *packed);
    // Computes C (m x n) -= A (m x k) B', with B packed.
    void (*multiply)(uint32_t m, uint32_t n, uint32_t k, const double *a, size_t a_stride, const double *packed,
                     double *c, size_t c_stride);
    // Factors D D' = A, (n x n), n at most TIDE_DENSE_BLOCK; reads the lower triangle of A. Stores D^-1, lower
    // triangular, padded with zeros. Returns n, or the first column whose pivot is not above least[column].
    uint32_t (*factor)(uint32_t n, const double *a, size_t stride, const double *least, tide_dense_block inverse);
} tide_dense_kernel;

// Returns the kernels for `bits` as in sweeps.h. Results differ in the last bits between widths.
const tide_dense_kernel *tide_dense_kernel_choose(int bits);

#endif
