// Products and combinations of many long vectors, each read once: what a method does with what it has kept of past
// iterations. In parallel; the same bits for any number of threads and for any width of vectors.
#ifndef TIDE_LINEAR_LONG_VECTORS_H
#define TIDE_LINEAR_LONG_VECTORS_H

#include <stddef.h>
#include <stdint.h>

enum { TIDE_LONG_VECTORS_MAX = 128 }; // at once

// products[i] = vectors[i]' x of i < count; all are (numbers).
void tide_long_vectors_multiply(const double *const *vectors, uint32_t count, const double *x, size_t numbers,
                                double *products);
// out = sum of factors[i] vectors[i]; out is none of the vectors.
void tide_long_vectors_combine(const double *const *vectors, const double *factors, uint32_t count, size_t numbers,
                               double *out);

// For tests: the widest vectors to use, in bits; 0: no limit, as at first.
void tide_long_vectors_limit(int bits);

#endif
