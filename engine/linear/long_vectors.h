// Dot products and linear combinations of many long vectors, each read once. Methods that keep vectors of past
// iterations use them. Parallel; the same bits for any number of threads and for any SIMD width.
#ifndef TIDE_LINEAR_LONG_VECTORS_H
#define TIDE_LINEAR_LONG_VECTORS_H

#include <stddef.h>
#include <stdint.h>

enum { TIDE_LONG_VECTORS_MAX = 128 }; // vectors in one call

// Computes products[i] = vectors[i]' x for i < count. All vectors are (numbers).
void tide_long_vectors_multiply(const double *const *vectors, uint32_t count, const double *x, size_t numbers,
                                double *products);
// Computes out = sum of factors[i] vectors[i]. `out` must not be one of the vectors.
void tide_long_vectors_combine(const double *const *vectors, const double *factors, uint32_t count, size_t numbers,
                               double *out);

// For tests: sets the widest SIMD vectors to use, in bits. 0, the default, sets no limit.
void tide_long_vectors_limit(int bits);

#endif
