// Unevaluated sums of two doubles (Dekker 1971; Knuth, TAOCP vol. 2, sec. 4.2.2), with + - * / and sqrt alone, so that
// results are the same on every processor that rounds as IEEE 754 says. They must not be contracted to fused
// operations.
#ifndef TIDE_BASE_DOUBLE_PAIR_H
#define TIDE_BASE_DOUBLE_PAIR_H

#include <math.h>

typedef struct tide_pair {
    double hi, lo; // hi is the sum rounded to a double, except where noted
} tide_pair;

// Returns a + b exactly; |a| >= |b| or a = 0.
static inline tide_pair tide_pair_ordered_sum(double a, double b)
{
    double sum = a + b;
    return (tide_pair) { sum, b - (sum - a) };
}

// Returns a + b exactly.
static inline tide_pair tide_pair_sum(double a, double b)
{
    double sum = a + b, other = sum - a;
    return (tide_pair) { sum, (a - (sum - other)) + (b - other) };
}

// Returns a * b exactly, if nothing overflows or underflows: both below 2^995, the product above 2^-960.
static inline tide_pair tide_pair_product(double a, double b)
{
    double ca = 0x8000001p0 * a, cb = 0x8000001p0 * b;
    double ah = ca - (ca - a), bh = cb - (cb - b), al = a - ah, bl = b - bh, product = a * b;
    return (tide_pair) { product, ((ah * bh - product) + ah * bl + al * bh) + al * bl };
}

// The following have relative errors of a few 2^-104.

static inline tide_pair tide_pair_add(tide_pair a, tide_pair b)
{
    tide_pair sum = tide_pair_sum(a.hi, b.hi);
    return tide_pair_ordered_sum(sum.hi, sum.lo + (a.lo + b.lo)); // less exact if a and b cancel
}

static inline tide_pair tide_pair_multiply(tide_pair a, tide_pair b)
{
    tide_pair product = tide_pair_product(a.hi, b.hi);
    return tide_pair_ordered_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline tide_pair tide_pair_divide(tide_pair a, tide_pair b)
{
    double quotient = a.hi / b.hi;
    tide_pair product = tide_pair_product(quotient, b.hi);
    double rest = ((a.hi - product.hi) - product.lo) + (a.lo - quotient * b.lo);
    return tide_pair_ordered_sum(quotient, rest / b.hi);
}

// a > 0
static inline tide_pair tide_pair_root(tide_pair a)
{
    double root = sqrt(a.hi);
    tide_pair square = tide_pair_product(root, root);
    return tide_pair_ordered_sum(root, (((a.hi - square.hi) - square.lo) + a.lo) / (2 * root));
}

static inline tide_pair tide_pair_negative(tide_pair a)
{
    return (tide_pair) { -a.hi, -a.lo };
}

#endif
