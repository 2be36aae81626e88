// The kernels of dense_kernel.h for vectors of STEP numbers. dense_kernel.c includes it once for each width, with
//   STEP, ROWS_AT_ONCE   numbers in a vector; rows of C kept in registers, a multiple of TIDE_DENSE_ROWS
//   NAME(x), TARGET      a suffix for names; the attribute of functions
//   FNMA(a, b, c)        c - a b
#ifndef TIDE_FACTOR_DENSE_TEMPLATE_H
#define TIDE_FACTOR_DENSE_TEMPLATE_H

#define vec NAME(vector)
#define INLINE TARGET static inline __attribute__((always_inline))
#define SLAB (2 * STEP)

typedef double vec __attribute__((vector_size(8 * STEP), aligned(8)));

TARGET static void NAME(pack)(uint32_t n, uint32_t k, const double *b, size_t stride, double *packed)
{
    uint32_t padded = (n + TIDE_DENSE_COLUMNS - 1) / TIDE_DENSE_COLUMNS * TIDE_DENSE_COLUMNS;
    for (uint32_t first = 0; first < padded; first += SLAB, packed += (size_t)SLAB * k)
        for (uint32_t j = 0; j < SLAB; j++) {
            const double *row = b + (first + j) * stride;
            for (uint32_t p = 0; p < k; p++)
                packed[(size_t)p * SLAB + j] = first + j < n ? row[p] : 0;
        }
}

// Callers pass constants for `rows` and `vectors`, so that the sums stay in registers.
INLINE void NAME(tile)(uint32_t rows, uint32_t vectors, uint32_t k, const double *a, size_t a_stride,
                       const double *packed, double *c, size_t c_stride)
{
    vec s[ROWS_AT_ONCE][2];
    TIDE_UNROLL(8)
    for (uint32_t i = 0; i < rows; i++) {
        TIDE_UNROLL(2)
        for (uint32_t v = 0; v < vectors; v++)
            s[i][v] = *(const vec *)(c + i * c_stride + v * STEP);
    }
    for (uint32_t p = 0; p < k; p++, packed += SLAB) {
        vec b[2];
        TIDE_UNROLL(2)
        for (uint32_t v = 0; v < vectors; v++)
            b[v] = *(const vec *)(packed + v * STEP);
        TIDE_UNROLL(8)
        for (uint32_t i = 0; i < rows; i++) {
            vec one = a[i * a_stride + p] - (vec) { 0 };
            TIDE_UNROLL(2)
            for (uint32_t v = 0; v < vectors; v++)
                s[i][v] = FNMA(one, b[v], s[i][v]);
        }
    }
    TIDE_UNROLL(8)
    for (uint32_t i = 0; i < rows; i++) {
        TIDE_UNROLL(2)
        for (uint32_t v = 0; v < vectors; v++)
            *(vec *)(c + i * c_stride + v * STEP) = s[i][v];
    }
}

INLINE void NAME(strip)(uint32_t vectors, uint32_t m, uint32_t k, const double *a, size_t a_stride,
                        const double *packed, double *c, size_t c_stride)
{
    uint32_t i = 0;
    for (; i + ROWS_AT_ONCE <= m; i += ROWS_AT_ONCE)
        NAME(tile)(ROWS_AT_ONCE, vectors, k, a + i * a_stride, a_stride, packed, c + i * c_stride, c_stride);
    for (; i < m; i += TIDE_DENSE_ROWS)
        NAME(tile)(TIDE_DENSE_ROWS, vectors, k, a + i * a_stride, a_stride, packed, c + i * c_stride, c_stride);
}

TARGET static void NAME(multiply)(uint32_t m, uint32_t n, uint32_t k, const double *a, size_t a_stride,
                                  const double *packed, double *c, size_t c_stride)
{
    for (uint32_t j = 0; j < n; j += SLAB, packed += (size_t)SLAB * k)
        if (n - j > STEP)
            NAME(strip)(2, m, k, a, a_stride, packed, c + j, c_stride);
        else
            NAME(strip)(1, m, k, a, a_stride, packed, c + j, c_stride);
}

enum { NAME(VECTORS) = TIDE_DENSE_BLOCK / STEP };

// Factors U'U = u, (n x n), of which the upper triangle is read; U replaces u. U is D' row by row.
INLINE uint32_t NAME(factor_upper)(uint32_t n, vec u[TIDE_DENSE_BLOCK][NAME(VECTORS)], const double *least)
{
    for (uint32_t j = 0; j < n; j++) {
        const double *row = (const double *)u[j];
        double pivot = row[j];
        if (!(pivot > least[j]))
            return j;
        vec scale = 1 / sqrt(pivot) - (vec) { 0 };
        for (uint32_t v = j / STEP; v < NAME(VECTORS); v++)
            u[j][v] *= scale;
        for (uint32_t i = j + 1; i < n; i++) {
            vec one = row[i] - (vec) { 0 };
            for (uint32_t v = i / STEP; v < NAME(VECTORS); v++)
                u[i][v] = FNMA(one, u[j][v], u[i][v]);
        }
    }
    return n;
}

TARGET static uint32_t NAME(factor)(uint32_t n, const double *a, size_t stride, const double *least,
                                    tide_dense_block inverse)
{
    vec u[TIDE_DENSE_BLOCK][NAME(VECTORS)] = { 0 };
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j <= i; j++)
            ((double *)u[j])[i] = a[i * stride + j];
    uint32_t good = NAME(factor_upper)(n, u, least);
    if (good < n)
        return good;
    // Forward substitution with the unit matrix: row i of D^-1 is (e_i - sum of D_ij times row j of D^-1 over j < i) /
    // D_ii.
    memset(inverse, 0, sizeof(tide_dense_block));
    for (uint32_t i = 0; i < n; i++) {
        vec s[NAME(VECTORS)] = { 0 };
        uint32_t vectors = i / STEP + 1;
        ((double *)s)[i] = 1;
        for (uint32_t j = 0; j < i; j++) {
            vec one = ((const double *)u[j])[i] - (vec) { 0 };
            for (uint32_t v = 0; v < vectors; v++)
                s[v] = FNMA(one, *(const vec *)(inverse[j] + v * STEP), s[v]);
        }
        vec scale = 1 / ((const double *)u[i])[i] - (vec) { 0 };
        for (uint32_t v = 0; v < vectors; v++)
            *(vec *)(inverse[i] + v * STEP) = s[v] * scale;
    }
    return n;
}

static const tide_dense_kernel
    NAME(kernel) = { .slab = SLAB, .pack = NAME(pack), .multiply = NAME(multiply), .factor = NAME(factor) };

#undef vec
#undef INLINE
#undef SLAB
#undef STEP
#undef ROWS_AT_ONCE
#undef NAME
#undef TARGET
#undef FNMA
#undef TIDE_FACTOR_DENSE_TEMPLATE_H // included again by the same file

#endif
