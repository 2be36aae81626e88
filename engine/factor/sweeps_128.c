// Vectors of four numbers, compiled to SSE2, NEON or scalars.

#pragma GCC diagnostic ignored "-Wpsabi" // vectors are passed only within this file, inlined

#define REAL float
#define SIDES 3
#define ROWS 1
#define NAME(x) x##_single
#define TABLE tide_sweeps_single_128
#define TITLE "single precision, 4 numbers at a time"
#define TARGET
#define FMA(a, b, c) ((a) * (b) + (c))
#define SPLAT(q) (q)
#define PART(v, i) (v)
#define KEEP(v) ((void)0)
#include "factor/sweeps_template.h"

#define REAL double
#define SIDES 1
#define ROWS 1
#define NAME(x) x##_one
#define TABLE tide_sweeps_one_128
#define TITLE "double precision, 2 numbers at a time"
#define TARGET
#define FMA(a, b, c) ((a) * (b) + (c))
#define SPLAT(q) (q)
#define PART(v, i) (v)
#define KEEP(v) ((void)0)
#include "factor/sweeps_template.h"
