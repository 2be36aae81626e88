// Roots by iterations whose last step has a residual that is exact to the last bit.
#include "base/portable_exponentials.h"

#include "base/portable_functions.h"

double tide_portable_cbrt(double x)
{
    double size = fabs(x);
    if (!(size > 0 && size < INFINITY))
        return x;
    int exponent, third;
    double z = frexp(size, &exponent); // z in [1/2, 1)
    third = (exponent + 1200) / 3 - 400;
    z = ldexp(z, exponent - 3 * third); // in [1/2, 4)
    double y = 0.7 + z * (0.32 - 0.03 * z);
    for (int i = 0; i < 3; i++) { // Halley's method: the error's third power
        double cube = y * y * y;
        y *= (cube + 2 * z) / (2 * cube + z);
    }
    tide_pair square = tide_pair_product(y, y), cube = tide_pair_product(square.hi, y);
    double residual = (cube.hi - z) + (cube.lo + square.lo * y);
    y -= residual / (3 * square.hi);
    y = ldexp(y, third);
    return x < 0 ? -y : y;
}

double tide_portable_hypot(double x, double y)
{
    double a = fabs(x), b = fabs(y);
    if (a == INFINITY || b == INFINITY)
        return INFINITY;
    if (a != a || b != b)
        return a + b;
    if (a < b) {
        double larger = b;
        b = a;
        a = larger;
    }
    if (b <= a * 0x1p-60)
        return a + b;
    double scale = a > 0x1p480 ? 0x1p-600 : b < 0x1p-420 ? 0x1p600 : 1;
    a *= scale;
    b *= scale;
    tide_pair squares[] = { tide_pair_product(a, a), tide_pair_product(b, b) };
    tide_pair root = tide_pair_root(tide_pair_add(squares[0], squares[1]));
    return (root.hi + root.lo) / scale;
}
