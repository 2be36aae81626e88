#ifndef TIDE_BASE_UNROLL_H
#define TIDE_BASE_UNROLL_H

// TIDE_UNROLL(most) before a loop unrolls it. `most` is the largest number of iterations. Given that number, Clang
// unrolls the loop before its function is inlined, when the number of iterations is still a variable, and not again
// when it has become a constant.
#ifdef __clang__
#define TIDE_UNROLL(most) _Pragma("unroll")
#else
#define TIDE_UNROLL(most) TIDE_UNROLL_PRAGMA(GCC unroll most)
#define TIDE_UNROLL_PRAGMA(text) _Pragma(#text)
#endif

#endif
