// An angle is reduced to n pi / 2 + r with |r| <= pi / 4, r a pair. Then sin(c + d) = sin c + (sin c (cos d - 1) + cos
// c sin d), with c the nearest multiple of 1 / 128.
#include "base/portable_exponentials.h"

#include "base/portable_functions.h"
#include "base/portable_tables.h"

#include <stdbool.h>

// --- reduction -------------------------------------------------------------------------------------------------------

// An angle less a multiple of pi / 2.
typedef struct reduced {
    tide_pair angle;
    unsigned quadrant; // the multiple, modulo 4
} reduced;

enum { WORDS = 6, PRODUCT = WORDS + 2 }; // of 32 bits

// Multiplies words, the most significant first, by a whole number below 2^53. A zero word follows the product.
static void multiply_words(const uint32_t words[WORDS], uint64_t by, uint32_t product[PRODUCT + 1])
{
    memset(product, 0, (PRODUCT + 1) * sizeof *product);
    for (int half = 0; half < 2; half++) {
        uint64_t factor = half ? by >> 32 : by & 0xffffffff, carry = 0;
        for (int i = WORDS - 1; i >= 0; i--) {
            uint32_t *to = &product[i + 2 - half];
            carry += factor * words[i] + *to;
            *to = (uint32_t)carry;
            carry >>= 32;
        }
        product[1 - half] = (uint32_t)carry;
    }
}

// Returns 32 bits from a bit on, where the first word has bits 0 to 31. Another word follows them.
static uint32_t bits_from(const uint32_t *words, int bit)
{
    uint64_t two = (uint64_t)words[bit / 32] << 32 | words[bit / 32 + 1];
    return (uint32_t)(two >> (32 - bit % 32));
}

// Payne and Hanek: multiplies the mantissa by those bits of 2 / pi that decide about the quadrant and the angle.
static reduced reduce_large(double x)
{
    uint64_t bits, mantissa;
    uint32_t window[WORDS], product[PRODUCT + 1];
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52) - 1075; // x = mantissa 2^exponent
    mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    int first = exponent > 2 ? exponent - 2 : 0; // bits of 2 / pi before it give multiples of 4
    for (int i = 0; i < WORDS; i++)
        window[i] = bits_from(tide_two_over_pi, first + 32 * i);
    multiply_words(window, mantissa, product);
    // The product times 2^(exponent - first - 192) is x 2 / pi modulo 4: `whole` bits come before the fraction.
    int whole = 32 * (PRODUCT - WORDS) + exponent - first, skipped = 0;
    unsigned quadrant = bits_from(product, whole - 2) >> 30;
    // The nearest quadrant. The complement of a fraction above 1/2 is one unit of the last bit below its negative.
    bool above = bits_from(product, whole) >> 31;
    uint32_t flip = above ? UINT32_MAX : 0;
    while (skipped < 96 && ((bits_from(product, whole + skipped) ^ flip) >> 31) == 0)
        skipped++;
    uint64_t high = (uint64_t)(bits_from(product, whole + skipped) ^ flip) << 32;
    high |= bits_from(product, whole + skipped + 32) ^ flip;
    uint64_t low = (high & 2047) << 32 | (bits_from(product, whole + skipped + 64) ^ flip);
    double scale = (above ? -1 : 1) * tide_power_of_two(-skipped);
    tide_pair part = tide_pair_ordered_sum((double)(high >> 11) * 0x1p-53 * scale, (double)low * 0x1p-96 * scale);
    part = tide_pair_multiply(part, (tide_pair) { TIDE_PI_1 / 2, TIDE_PI_2 / 2 });
    return (reduced) { part, (quadrant + above) & 3 };
}

// x finite, >= 0
static inline reduced reduce(double x)
{
    if (x < 0.785)
        return (reduced) { { x, 0 }, 0 };
    if (!(x < 0x1p20))
        return reduce_large(x);
    int64_t n = (int64_t)(x * (2 / TIDE_PI_1) + 0.5);
    double k = (double)n;
    tide_pair rest = tide_pair_sum(x - k * TIDE_HALF_PI_1, -k * TIDE_HALF_PI_2);
    if (fabs(rest.hi) < 0x1p-20)
        return reduce_large(x); // most digits have cancelled
    return (reduced) { tide_pair_ordered_sum(rest.hi, rest.lo - k * TIDE_HALF_PI_3), (unsigned)(n & 3) };
}

// --- sine and cosine -------------------------------------------------------------------------------------------------

// |x| <= 0.79: x = c + d, c a multiple of 1 / 128.
typedef struct near {
    int j;
    double sine, versed; // sin d, cos d - 1
} near;

static inline near near_of(double x, double rest)
{
    int j = (int)(x * 128 + 0.5);
    double d = (x - j * (1.0 / 128)) + rest, square = d * d;
    return (near) { j, d + d * square * (-1.0 / 6 + square * (1.0 / 120 - square * (1.0 / 5040))),
                    square * (-0.5 + square * (1.0 / 24 - square * (1.0 / 720))) };
}

static inline tide_pair sine(tide_pair x)
{
    double size = fabs(x.hi);
    if (size < 0.125) {
        double z = x.hi * x.hi;
        double series = -1.0 / 6 + z * (1.0 / 120 + z * (-1.0 / 5040 + z * (1.0 / 362880 + z * (-1.0 / 39916800))));
        return tide_pair_ordered_sum(x.hi, x.hi * z * series + x.lo * (1 - 0.5 * z));
    }
    near n = near_of(size, x.hi < 0 ? -x.lo : x.lo);
    tide_pair s = tide_sines[n.j], c = tide_cosines[n.j];
    tide_pair result = tide_pair_ordered_sum(s.hi, s.lo + (s.hi * n.versed + c.hi * n.sine));
    return x.hi < 0 ? tide_pair_negative(result) : result;
}

static inline tide_pair cosine(tide_pair x)
{
    near n = near_of(fabs(x.hi), x.hi < 0 ? -x.lo : x.lo);
    tide_pair s = tide_sines[n.j], c = tide_cosines[n.j];
    return tide_pair_ordered_sum(c.hi, c.lo + (c.hi * n.versed - s.hi * n.sine));
}

double tide_portable_sin(double x)
{
    double size = fabs(x);
    if (!(size >= 0x1p-28 && size < INFINITY))
        return size < 1 ? x : x - x;
    reduced r = reduce(size);
    tide_pair s = r.quadrant & 1 ? cosine(r.angle) : sine(r.angle);
    double result = s.hi + s.lo;
    return (x < 0) != (r.quadrant > 1) ? -result : result;
}

double tide_portable_cos(double x)
{
    double size = fabs(x);
    if (!(size < INFINITY))
        return x - x;
    reduced r = reduce(size);
    tide_pair c = r.quadrant & 1 ? sine(r.angle) : cosine(r.angle);
    double result = c.hi + c.lo;
    return r.quadrant == 1 || r.quadrant == 2 ? -result : result;
}

double tide_portable_tan(double x)
{
    double size = fabs(x);
    if (!(size >= 0x1p-28 && size < INFINITY))
        return size < 1 ? x : x - x;
    reduced r = reduce(size);
    tide_pair s = sine(r.angle), c = cosine(r.angle);
    tide_pair t = r.quadrant & 1 ? tide_pair_divide(c, s) : tide_pair_divide(s, c);
    double result = t.hi + t.lo;
    return (x < 0) != (r.quadrant & 1) ? -result : result;
}
