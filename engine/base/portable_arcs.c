// arctan q = arctan c + arctan((q - c) / (1 + c q)), with c the nearest multiple of 1 / 128. The other inverse
// functions are angles of points on the unit circle, whose coordinates are pairs.
#include "base/portable_exponentials.h"

#include "base/portable_functions.h"
#include "base/portable_tables.h"

#include <stdbool.h>

static const tide_pair one = { 1, 0 };

// arctan q for 0 <= q <= 1
static tide_pair arc(tide_pair q)
{
    if (q.hi < 0.125) {
        double z = q.hi * q.hi;
        double series =
            -1.0 / 3 +
            z * (1.0 / 5 -
                 z * (1.0 / 7 -
                      z * (1.0 / 9 -
                           z * (1.0 / 11 - z * (1.0 / 13 - z * (1.0 / 15 - z * (1.0 / 17 - z * (1.0 / 19))))))));
        return tide_pair_ordered_sum(q.hi, q.hi * z * series + q.lo * (1 - z));
    }
    int j = (int)(q.hi * 128 + 0.5);
    double c = j * (1.0 / 128), t = ((q.hi - c) + q.lo) / (1 + c * q.hi), z = t * t;
    tide_pair known = tide_arctangents[j];
    return tide_pair_ordered_sum(known.hi, known.lo + (t + t * z * (-1.0 / 3 + z * (1.0 / 5 - z * (1.0 / 7)))));
}

// The angle of (x, y), both >= 0 and at least one above 2^-500, both below 2^500; `left`: of (-x, y).
static double angle(tide_pair y, tide_pair x, bool left)
{
    bool steep = y.hi > x.hi;
    tide_pair a = arc(steep ? tide_pair_divide(x, y) : tide_pair_divide(y, x));
    if (steep) // pi / 2 - a, or pi / 2 + a
        a = tide_pair_add((tide_pair) { TIDE_PI_1 / 2, TIDE_PI_2 / 2 }, left ? a : tide_pair_negative(a));
    else if (left)
        a = tide_pair_add((tide_pair) { TIDE_PI_1, TIDE_PI_2 }, tide_pair_negative(a));
    return a.hi + a.lo;
}

double tide_portable_atan(double x)
{
    double size = fabs(x);
    if (!(size >= 0x1p-28))
        return x;
    double result = size < 0x1p60 ? angle((tide_pair) { size, 0 }, one, false) : TIDE_PI_1 / 2;
    return x < 0 ? -result : result;
}

// Of finite y and x >= 0 that are not both 0.
static double angle_of(double y, double x, bool left)
{
    double larger = y > x ? y : x, smaller = y > x ? x : y;
    if (smaller < larger * 0x1p-60) { // the quotient may underflow
        if (y > x)
            return TIDE_PI_1 / 2;
        return left ? TIDE_PI_1 : y / x;
    }
    double scale = larger > 0x1p400 ? 0x1p-600 : larger < 0x1p-400 ? 0x1p600 : 1;
    return angle((tide_pair) { y * scale, 0 }, (tide_pair) { x * scale, 0 }, left);
}

double tide_portable_atan2(double y, double x)
{
    double height = fabs(y), width = fabs(x), result;
    bool left = signbit(x);
    if (x != x || y != y)
        return x + y;
    if (height == INFINITY && width == INFINITY)
        result = left ? 3 * (TIDE_PI_1 / 4) : TIDE_PI_1 / 4;
    else if (height == INFINITY)
        result = TIDE_PI_1 / 2;
    else if (width == INFINITY || height == 0)
        result = left ? TIDE_PI_1 : 0;
    else
        result = angle_of(height, width, left);
    return signbit(y) ? -result : result;
}

// sqrt(1 - x^2), for |x| < 1
static tide_pair other_leg(double x)
{
    tide_pair square = tide_pair_product(x, x), rest = tide_pair_sum(1, -square.hi);
    return tide_pair_root(tide_pair_ordered_sum(rest.hi, rest.lo - square.lo));
}

double tide_portable_asin(double x)
{
    double size = fabs(x);
    if (!(size >= 0x1p-28 && size < 1)) {
        if (size == 1)
            return x * (TIDE_PI_1 / 2);
        return size < 1 ? x : size > 1 ? (double)NAN : x;
    }
    double result = angle((tide_pair) { size, 0 }, other_leg(size), false);
    return x < 0 ? -result : result;
}

double tide_portable_acos(double x)
{
    double size = fabs(x);
    if (!(size < 1)) {
        if (size == 1)
            return x > 0 ? 0 : TIDE_PI_1;
        return size > 1 ? (double)NAN : x;
    }
    if (size < 0x1p-60)
        return TIDE_PI_1 / 2;
    return angle(other_leg(size), (tide_pair) { size, 0 }, x < 0);
}
