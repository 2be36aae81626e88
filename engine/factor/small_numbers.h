// Flushes denormal numbers of single precision to 0, since each would cost hundreds of cycles. Not in the portable
// mode: WebAssembly computes with them.
#ifndef TIDE_FACTOR_SMALL_NUMBERS_H
#define TIDE_FACTOR_SMALL_NUMBERS_H

#include "base/portable.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

static inline unsigned tide_flush_small_numbers(void)
{
#if defined(__SSE__)
    enum { FLUSH_RESULTS = 0x8000, READ_AS_ZERO = 0x40 };
    unsigned before = _mm_getcsr();
    if (!tide_portable())
        _mm_setcsr(before | FLUSH_RESULTS | READ_AS_ZERO);
    return before;
#else
    return 0;
#endif
}

static inline void tide_restore_small_numbers(unsigned before)
{
#if defined(__SSE__)
    _mm_setcsr(before);
#else
    (void)before;
#endif
}

#endif
