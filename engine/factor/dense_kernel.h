// Kernels on dense blocks in double precision, in vectors of several widths, chosen when the program runs: what the
// factorisation by fronts (fronts.h) spends its time in. Matrices are row by row.
#ifndef TIDE_FACTOR_DENSE_KERNEL_H
#define TIDE_FACTOR_DENSE_KERNEL_H

#include <stddef.h>
#include <stdint.h>

enum {
    TIDE_DENSE_BLOCK = 32, // columns that are factored at once
    TIDE_DENSE_ROWS = 4,   // rows come in so many: room up to the next multiple is read and written
    TIDE_DENSE_COLUMNS = 8 // and columns in so many
};

typedef double tide_dense_block[TIDE_DENSE_BLOCK][TIDE_DENSE_BLOCK];

typedef struct tide_dense_kernel {
    uint32_t slab; // columns of C that are done at once: packs come in slabs of so many
    // Rearranges B, (n x k) with rows of `stride` numbers, as `multiply` reads it, filled up with zeros:
    // (n rounded up to a multiple of TIDE_DENSE_COLUMNS and then of slabs, times k).
    void (*pack)(uint32_t n, uint32_t k, const double *b, size_t stride, double *packed);
    // C (m x n) -= A (m x k) B', with B packed.
    void (*multiply)(uint32_t m, uint32_t n, uint32_t k, const double *a, size_t a_stride, const double *packed,
                     double *c, size_t c_stride);
    // D of D D' = A, (n x n) of which the lower triangle is read, n at most TIDE_DENSE_BLOCK; stores D^-1, lower
    // triangular, filled up with zeros. Returns n, or the first column whose pivot is not above least[column].
    uint32_t (*factor)(uint32_t n, const double *a, size_t stride, const double *least, tide_dense_block inverse);
} tide_dense_kernel;

// `bits` as in sweeps.h. Results differ in the last bits between widths.
const tide_dense_kernel *tide_dense_kernel_choose(int bits);

#endif
