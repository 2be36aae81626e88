// ln x = k ln 2 + ln F + ln(1 + r), with x = 2^k z, F = z rounded to a multiple of 1 / 128, and r = (z - F) / F.
#include "base/portable_exponentials.h"

#include "base/portable_functions.h"
#include "base/portable_tables.h"

#include <stdbool.h>

// x = 2^exponent z, with z between 1 / sqrt(2) and sqrt(2).
typedef struct split {
    double z;
    int exponent;
} split;

// x > 0, finite
static inline split split_of(double x)
{
    uint64_t bits, root_half = UINT64_C(0x3fe6a09e667f3bcd); // of 1 / sqrt(2)
    int scaled = x < 0x1p-1022 ? 54 : 0;
    x *= scaled ? 0x1p54 : 1;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)((int64_t)(bits - root_half) >> 52);
    bits -= (uint64_t)(int64_t)exponent << 52;
    memcpy(&x, &bits, sizeof x);
    return (split) { x, exponent - scaled };
}

// ln(1 + r) - r + r^2 / 2
static inline double tail_of(double r)
{
    double square = r * r;
    double last = (1.0 / 7 - r * (1.0 / 8)) + square * (1.0 / 9 - r * (1.0 / 10));
    return r * square * ((1.0 / 3 - r * 0.25) + square * ((0.2 - r * (1.0 / 6)) + square * last));
}

// ln x as a pair with an error of about 2^-68, for a finite x > 0
static inline tide_pair logarithm(double x)
{
    split s = split_of(x);
    int j = (int)(s.z * 128 + 0.5);
    tide_pair table = tide_logarithms[j - 90];
    double f = j * (1.0 / 128), inverse = tide_inverses[j - 90], k = s.exponent;
    double rest = s.z - f, r = rest * inverse; // nearly (z - F) / F
    double large = 0x8000001p0 * r, high = large - (large - r), low = r - high;
    double remainder = ((rest - high * f) - low * f) * inverse; // what is missing; both products are exact
    double square = r * r, square_low = ((high * high - square) + 2 * (high * low)) + low * low;
    tide_pair a = tide_pair_ordered_sum(k * TIDE_LN2_1, table.hi); // or the first is 0
    tide_pair b = tide_pair_sum(a.hi, r);
    tide_pair c = tide_pair_ordered_sum(b.hi, -0.5 * square);
    double small = (k * TIDE_LN2_2 + table.lo) + (tail_of(r) + (remainder * (1 - r) - 0.5 * square_low));
    return tide_pair_ordered_sum(c.hi, ((a.lo + b.lo) + c.lo) + small);
}

// Returns whether x has no logarithm to compute; then *result is the result.
static inline bool is_special(double x, double *result)
{
    if (x > 0 && x <= 0x1.fffffffffffffp1023)
        return false;
    *result = x == 0 ? -INFINITY : x < 0 ? (double)NAN : x;
    return true;
}

double tide_portable_log(double x)
{
    double result;
    if (is_special(x, &result))
        return result;
    tide_pair l = logarithm(x);
    return l.hi + l.lo;
}

double tide_portable_log1p(double x)
{
    double result;
    if (fabs(x) < 0x1p-28)
        return x - 0.5 * x * x;
    if (is_special(1 + x, &result))
        return result;
    tide_pair sum = tide_pair_sum(1, x), l = logarithm(sum.hi);
    return l.hi + (l.lo + sum.lo / sum.hi);
}

double tide_portable_log2(double x)
{
    double result;
    if (is_special(x, &result))
        return result;
    split s = split_of(x);
    tide_pair l = tide_pair_multiply(logarithm(s.z), (tide_pair) { TIDE_LOG2_E_1, TIDE_LOG2_E_2 });
    tide_pair sum = tide_pair_sum(s.exponent, l.hi);
    return sum.hi + (sum.lo + l.lo);
}

double tide_portable_log10(double x)
{
    double result;
    if (is_special(x, &result))
        return result;
    tide_pair l = tide_pair_multiply(logarithm(x), (tide_pair) { TIDE_LOG10_E_1, TIDE_LOG10_E_2 });
    return l.hi + l.lo;
}

// --- powers ----------------------------------------------------------------------------------------------------------

typedef enum parity { NOT_WHOLE, ODD, EVEN } parity;

static parity parity_of(double y)
{
    double size = fabs(y);
    if (size >= 0x1p53)
        return EVEN;
    if ((double)(int64_t)size != size)
        return NOT_WHOLE;
    return (int64_t)size & 1 ? ODD : EVEN;
}

// |x|^y for 0, infinity or NaN among x and y, or y = 0
static double power_of_special(double size, double y)
{
    if (size != size || y != y)
        return size + y;
    if (fabs(y) == INFINITY)
        return size == 1 ? 1 : (size > 1) == (y > 0) ? INFINITY : 0;
    return (size == 0) == (y > 0) ? 0 : INFINITY;
}

// x^y for x > 0, both finite and not 0
static double positive_power(double x, double y)
{
    if (y == 2)
        return x * x;
    tide_pair l = logarithm(x);
    double rough = y * l.hi;
    if (!(fabs(rough) < 760))
        return rough > 0 ? INFINITY : 0;
    if (fabs(rough) < 0x1p-64)
        return 1 + rough;
    tide_pair exponent = tide_pair_product(y, l.hi);
    return tide_portable_exp_pair(tide_pair_ordered_sum(exponent.hi, exponent.lo + y * l.lo));
}

double tide_portable_pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    double size = fabs(x);
    bool special = !(size > 0 && size <= 0x1.fffffffffffffp1023 && fabs(y) <= 0x1.fffffffffffffp1023);
    if (!special && x > 0)
        return positive_power(x, y);
    parity of_y = y == y ? parity_of(y) : NOT_WHOLE;
    if (!special && of_y == NOT_WHOLE)
        return NAN;
    double result = special ? power_of_special(size, y) : positive_power(size, y);
    return of_y == ODD && signbit(x) ? -result : result;
}
