// The elementary functions, computed with + - * / sqrt and whole numbers alone: the same bits on every processor that
// rounds as IEEE 754 says, whatever its C library.
//
// Arguments and results follow C17, annex F: all doubles, signed zeros, infinities, NaN. The sign and payload of a NaN
// are not specified. The global errno and the floating-point exceptions are not. Errors, in units in the last place,
// are below 0.55, as tests/base/test_portable_functions.c measures. pow(x, 2) is x * x. Rounding is to nearest.
//
// Methods: tables of values and their remainders, after Tang 1991, "Table-lookup algorithms for elementary functions";
// reduction by pi / 2 after Cody and Waite 1980, and Payne and Hanek 1983; pairs of doubles (double_pair.h). The
// tables are written by scripts/portable_tables.py.
#ifndef TIDE_BASE_PORTABLE_FUNCTIONS_H
#define TIDE_BASE_PORTABLE_FUNCTIONS_H

// portable_exponentials.c
double tide_portable_exp(double x);
double tide_portable_exp2(double x);
double tide_portable_expm1(double x);
double tide_portable_sinh(double x);
double tide_portable_cosh(double x);
double tide_portable_tanh(double x);

// portable_logarithms.c
double tide_portable_log(double x);
double tide_portable_log1p(double x);
double tide_portable_log2(double x);
double tide_portable_log10(double x);
double tide_portable_pow(double x, double y);

// portable_circular.c
double tide_portable_sin(double x);
double tide_portable_cos(double x);
double tide_portable_tan(double x);

// portable_arcs.c
double tide_portable_atan(double x);
double tide_portable_atan2(double y, double x);
double tide_portable_asin(double x);
double tide_portable_acos(double x);

// portable_roots.c
double tide_portable_cbrt(double x);
double tide_portable_hypot(double x, double y);

#endif
