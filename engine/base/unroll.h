#ifndef TIDE_BASE_UNROLL_H
#define TIDE_BASE_UNROLL_H

// TIDE_UNROLL(most) before a loop: unrolls it. `most` is the largest number of iterations. Clang would take that as a
// wish for so many copies, and leaves a loop in the function that becomes shorter when the function is inlined.
#ifdef __clang__
#define TIDE_UNROLL(most) _Pragma("unroll")
#else
#define TIDE_UNROLL(most) TIDE_UNROLL_PRAGMA(GCC unroll most)
#define TIDE_UNROLL_PRAGMA(text) _Pragma(#text)
#endif

#endif
