// Attributes of loops that are also written for AVX2. The plain loop beside each gives bitwise the same results.
#ifndef TIDE_BASE_AVX2_H
#define TIDE_BASE_AVX2_H

#include "base/processor.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define TIDE_AVX2 __attribute__((target("avx2")))
#define TIDE_AVX2_INLINE static inline __attribute__((always_inline)) TIDE_AVX2
#endif

#endif
