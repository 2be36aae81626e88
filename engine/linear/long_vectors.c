#include "linear/long_vectors.h"

#include "base/parallel.h"
#include "base/processor.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

enum {
    EIGHT = 8,
    AT_ONCE = 4,        // vectors
    BLOCK = 1024,       // numbers that stay in the first-level cache while all vectors are processed
    GRAIN = 64 * BLOCK, // numbers in a chunk of a parallel loop
    MOST_CHUNKS = 64
};

typedef double eight __attribute__((vector_size(64), aligned(8), may_alias));

#define INLINE static inline __attribute__((always_inline))

static int limit;

void tide_long_vectors_limit(int bits)
{
    limit = bits;
}

typedef struct job {
    const double *const *vectors;
    const double *factors;
    const double *x;
    double *out;
    uint32_t count;
    size_t numbers, grain;
    double (*partial)[TIDE_LONG_VECTORS_MAX]; // by chunk
    int bits;
} job;

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Adds to sums[i] the products of `many` vectors with x over one block.
INLINE void multiply_some(const double *const *v, int many, const double *x, size_t begin, size_t end, eight *sums)
{
    eight s[AT_ONCE];
    for (int i = 0; i < many; i++)
        s[i] = sums[i];
    for (size_t k = begin; k < end; k += EIGHT) {
        eight factor = *(const eight *)(x + k);
        for (int i = 0; i < many; i++)
            s[i] += *(const eight *)(v[i] + k) * factor;
    }
    for (int i = 0; i < many; i++)
        sums[i] = s[i];
}

INLINE void multiply(const job *j, size_t begin, size_t end, double *products)
{
    eight sums[TIDE_LONG_VECTORS_MAX] = { { 0 } };
    size_t whole = begin + (end - begin) / EIGHT * EIGHT;
    for (size_t b = begin; b < whole; b += BLOCK) {
        size_t e = least(b + BLOCK, whole);
        uint32_t i = 0;
        for (; i + AT_ONCE <= j->count; i += AT_ONCE)
            multiply_some(j->vectors + i, AT_ONCE, j->x, b, e, sums + i);
        for (; i < j->count; i++)
            multiply_some(j->vectors + i, 1, j->x, b, e, sums + i);
    }
    for (uint32_t i = 0; i < j->count; i++) {
        eight s = sums[i];
        double sum = ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));
        for (size_t k = whole; k < end; k++)
            sum += j->vectors[i][k] * j->x[k];
        products[i] = sum;
    }
}

INLINE void combine_some(const double *const *v, const double *f, int many, bool first, size_t begin, size_t end,
                         double *out)
{
    for (size_t k = begin; k < end; k += EIGHT) {
        eight sum = first ? f[0] * *(const eight *)(v[0] + k) : *(eight *)(out + k) + f[0] * *(const eight *)(v[0] + k);
        for (int i = 1; i < many; i++)
            sum += f[i] * *(const eight *)(v[i] + k);
        *(eight *)(out + k) = sum;
    }
}

INLINE void combine(const job *j, size_t begin, size_t end)
{
    size_t whole = begin + (end - begin) / EIGHT * EIGHT;
    for (size_t b = begin; b < whole; b += BLOCK) {
        size_t e = least(b + BLOCK, whole);
        uint32_t i = 0;
        for (; i + AT_ONCE <= j->count; i += AT_ONCE)
            combine_some(j->vectors + i, j->factors + i, AT_ONCE, i == 0, b, e, j->out);
        for (; i < j->count; i++)
            combine_some(j->vectors + i, j->factors + i, 1, i == 0, b, e, j->out);
    }
    for (size_t k = whole; k < end; k++) {
        double sum = 0;
        for (uint32_t i = 0; i < j->count; i++)
            sum += j->factors[i] * j->vectors[i][k];
        j->out[k] = sum;
    }
}

#if defined(__x86_64__)
#define WIDER(bits, features)                                                                                          \
    __attribute__((target(features))) static void multiply_##bits(const job *j, size_t begin, size_t end, double *p)   \
    {                                                                                                                  \
        multiply(j, begin, end, p);                                                                                    \
    }                                                                                                                  \
    __attribute__((target(features))) static void combine_##bits(const job *j, size_t begin, size_t end)               \
    {                                                                                                                  \
        combine(j, begin, end);                                                                                        \
    }
WIDER(256, "avx2")
WIDER(512, "avx512f,avx512dq,avx512bw,avx512vl")
#endif

static void multiply_chunks(void *context, uint32_t begin, uint32_t end)
{
    const job *j = context;
    for (size_t chunk = begin; chunk < end; chunk++) {
        size_t from = j->grain * chunk, to = least(from + j->grain, j->numbers);
#if defined(__x86_64__)
        if (j->bits == 512)
            multiply_512(j, from, to, j->partial[chunk]);
        else if (j->bits == 256)
            multiply_256(j, from, to, j->partial[chunk]);
        else
#endif
            multiply(j, from, to, j->partial[chunk]);
    }
}

static void combine_chunks(void *context, uint32_t begin, uint32_t end)
{
    const job *j = context;
    size_t from = j->grain * begin, to = least(j->grain * end, j->numbers);
#if defined(__x86_64__)
    if (j->bits == 512)
        combine_512(j, from, to);
    else if (j->bits == 256)
        combine_256(j, from, to);
    else
#endif
        combine(j, from, to);
}

static uint32_t cut(job *j)
{
    size_t blocks = (j->numbers + BLOCK - 1) / BLOCK, most = (blocks + MOST_CHUNKS - 1) / MOST_CHUNKS * BLOCK;
    j->grain = most > GRAIN ? most : GRAIN;
    j->bits = tide_vector_bits(limit);
    return (uint32_t)((j->numbers + j->grain - 1) / j->grain);
}

void tide_long_vectors_multiply(const double *const *vectors, uint32_t count, const double *x, size_t numbers,
                                double *products)
{
    assert(count <= TIDE_LONG_VECTORS_MAX);
    double partial[MOST_CHUNKS][TIDE_LONG_VECTORS_MAX];
    job j = { .vectors = vectors, .count = count, .x = x, .numbers = numbers, .partial = partial };
    uint32_t chunks = cut(&j);
    tide_parallel_for(chunks, 1, multiply_chunks, &j);
    memset(products, 0, count * sizeof *products);
    for (uint32_t chunk = 0; chunk < chunks; chunk++)
        for (uint32_t i = 0; i < count; i++)
            products[i] += partial[chunk][i];
}

void tide_long_vectors_combine(const double *const *vectors, const double *factors, uint32_t count, size_t numbers,
                               double *out)
{
    job j = { .vectors = vectors, .factors = factors, .count = count, .numbers = numbers, .out = out };
    tide_parallel_for(cut(&j), 1, combine_chunks, &j);
}
