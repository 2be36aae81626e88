#include "factor/dense_kernel.h"

#include "base/processor.h"
#include "base/unroll.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define STEP 2
#define ROWS_AT_ONCE 4
#define NAME(x) x##_128
#define TARGET
#define FNMA(a, b, c) ((c) - (a) * (b))
#include "factor/dense_template.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define STEP 4
#define ROWS_AT_ONCE 4
#define NAME(x) x##_256
#define TARGET __attribute__((target("avx2,fma")))
#define FNMA(a, b, c) ((vec)_mm256_fnmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
#include "factor/dense_template.h"

#define STEP 8
#define ROWS_AT_ONCE 8
#define NAME(x) x##_512
#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define FNMA(a, b, c) ((vec)_mm512_fnmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c)))
#include "factor/dense_template.h"
#endif

const tide_dense_kernel *tide_dense_kernel_choose(int bits)
{
    bits = tide_vector_bits(bits);
#if defined(__x86_64__)
    if (bits == 512)
        return &kernel_512;
    if (bits == 256)
        return &kernel_256;
#endif
    return &kernel_128;
}
