// e^x = 2^m 2^(j / 128) e^r with |r| <= ln(2) / 256.
#include "base/portable_exponentials.h"

#include "base/portable_functions.h"
#include "base/portable_tables.h"

double tide_pair_scale_far(tide_pair x, int n)
{
    if (n > 0)
        return (x.hi + x.lo) * tide_power_of_two(n - 1 < 1023 ? n - 1 : 1023) * 2;
    // The result may be subnormal: rounds the sum at the last place of subnormal numbers, by adding 1.
    double scale = n + 1022 > -1022 ? tide_power_of_two(n + 1022) : 0;
    tide_pair scaled = tide_pair_ordered_sum(x.hi * scale, x.lo * scale);
    if (fabs(scaled.hi) >= 1)
        return (scaled.hi + scaled.lo) * 0x1p-1022;
    double one = scaled.hi < 0 ? -1 : 1, sum = one + scaled.hi, rest = (one - sum) + scaled.hi + scaled.lo;
    return (sum + rest - one) * 0x1p-1022;
}

// 2^(j / 128) e^r as a sum that is not yet rounded, and the exponent m.
typedef struct power {
    tide_pair of;
    int exponent;
} power;

// e^r - 1, for |r| <= ln(2) / 256
static inline double grow(double r)
{
    double square = r * r;
    return r + square * ((0.5 + r * (1.0 / 6)) + square * (1.0 / 24 + r * (1.0 / 120)));
}

static inline power make_power(int64_t k, double r)
{
    unsigned j = (unsigned)(k & 127);
    tide_pair t = tide_powers_of_two[j];
    return (power) { { t.hi, t.lo + t.hi * grow(r) }, (int)((k - (int64_t)j) / 128) };
}

static inline int64_t nearest(double x)
{
    return (int64_t)(x + (x < 0 ? -0.5 : 0.5));
}

// e^(x + rest), for |x| < 800
static inline power exponential(double x, double rest)
{
    int64_t k = nearest(x * (128 * TIDE_LOG2_E_1));
    double n = (double)k;
    return make_power(k, (x - n * TIDE_LN2_128TH_1) + (rest - n * TIDE_LN2_128TH_2));
}

double tide_portable_exp_pair(tide_pair x)
{
    power p = exponential(x.hi, x.lo);
    return tide_pair_scale(p.of, p.exponent);
}

double tide_portable_exp(double x)
{
    if (!(fabs(x) < 800))
        return x != x ? x : x > 0 ? INFINITY : 0;
    power p = exponential(x, 0);
    return tide_pair_scale(p.of, p.exponent);
}

double tide_portable_exp2(double x)
{
    if (!(fabs(x) < 1100))
        return x != x ? x : x > 0 ? INFINITY : 0;
    int64_t k = nearest(x * 128);
    power p = make_power(k, (x - (double)k / 128) * (TIDE_LN2_1 + TIDE_LN2_2));
    return tide_pair_scale(p.of, p.exponent);
}

// --- e^x - 1 ---------------------------------------------------------------------------------------------------------

// e^x as a pair, for |x| < 40
static tide_pair exponential_pair(double x)
{
    int64_t k = nearest(x * (128 * TIDE_LOG2_E_1));
    double n = (double)k;
    unsigned j = (unsigned)(k & 127);
    tide_pair t = tide_powers_of_two[j];
    tide_pair r = tide_pair_sum(x - n * TIDE_LN2_128TH_1, -n * TIDE_LN2_128TH_2);
    // t e^r = t + t r + t (e^r - 1 - r)
    tide_pair first = tide_pair_product(t.hi, r.hi);
    double curved = r.hi * r.hi * (0.5 + r.hi * (1.0 / 6 + r.hi * (1.0 / 24 + r.hi * (1.0 / 120))));
    tide_pair sum = tide_pair_ordered_sum(t.hi, first.hi);
    double rest = sum.lo + (first.lo + t.lo * (1 + r.hi) + t.hi * (r.lo + curved));
    double scale = tide_power_of_two((int)((k - (int64_t)j) / 128));
    sum = tide_pair_ordered_sum(sum.hi, rest);
    return (tide_pair) { sum.hi * scale, sum.lo * scale };
}

// e^x - 1 as a pair, for |x| < 40
static tide_pair exponential_minus_one(double x)
{
    if (fabs(x) > 0.0625)
        return tide_pair_add(exponential_pair(x), (tide_pair) { -1, 0 });
    // x + x^2 / 2 + x^3 / 6 + ...
    tide_pair square = tide_pair_product(x, x);
    double tail =
        x *
        (1.0 / 6 +
         x * (1.0 / 24 +
              x * (1.0 / 120 +
                   x * (1.0 / 720 + x * (1.0 / 5040 + x * (1.0 / 40320 + x * (1.0 / 362880 + x * (1.0 / 3628800))))))));
    tide_pair sum = tide_pair_ordered_sum(x, 0.5 * square.hi);
    return tide_pair_ordered_sum(sum.hi, sum.lo + (0.5 * square.lo + square.hi * tail));
}

double tide_portable_expm1(double x)
{
    double size = fabs(x);
    if (!(size >= 0x1p-54)) // NaN, too
        return x;
    if (x < -40)
        return -1;
    if (x >= 40)
        return tide_portable_exp(x);
    tide_pair result = exponential_minus_one(x);
    return result.hi + result.lo;
}

// --- hyperbolic functions --------------------------------------------------------------------------------------------

// e^x / 2, without an overflow in between
static double half_exponential(double x)
{
    if (!(x < 800))
        return x;
    power p = exponential(x, 0);
    return tide_pair_scale(p.of, p.exponent - 1);
}

double tide_portable_sinh(double x)
{
    double size = fabs(x);
    if (!(size >= 0x1p-28))
        return x;
    double result = size < 40 ? 0 : half_exponential(size);
    if (size < 40) { // (t + t / (t + 1)) / 2 with t = e^x - 1
        tide_pair t = exponential_minus_one(size);
        tide_pair both = tide_pair_add(t, tide_pair_divide(t, tide_pair_add(t, (tide_pair) { 1, 0 })));
        result = 0.5 * (both.hi + both.lo);
    }
    return x < 0 ? -result : result;
}

double tide_portable_cosh(double x)
{
    double size = fabs(x);
    if (!(size < 40))
        return half_exponential(size);
    tide_pair power = exponential_pair(size);
    tide_pair sum = tide_pair_add(power, tide_pair_divide((tide_pair) { 1, 0 }, power));
    return 0.5 * (sum.hi + sum.lo);
}

double tide_portable_tanh(double x)
{
    double size = fabs(x);
    if (!(size >= 0x1p-28))
        return x;
    double result = 1;
    if (size < 19.5) { // t / (t + 2) with t = e^(2x) - 1
        tide_pair t = exponential_minus_one(2 * size);
        tide_pair ratio = tide_pair_divide(t, tide_pair_add(t, (tide_pair) { 2, 0 }));
        result = ratio.hi + ratio.lo;
    }
    return x < 0 ? -result : result;
}
