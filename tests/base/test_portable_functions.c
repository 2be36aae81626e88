// The portable elementary functions: their errors against the C library's functions of long doubles, where these have
// more digits; exact cases; special arguments; and their bits, which are the same on every platform.
#include "tests.h"

#include "base/hash.h"
#include "base/ordering_random.h"
#include "base/portable_functions.h"
#include "base/random.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

// --- arguments -------------------------------------------------------------------------------------------------------

// Arguments from low to high; `exponents`: 2^x of those, with either sign.
typedef struct range {
    double low, high;
    bool exponents, negative;
} range;

static double drawn(tide_random *random, range from)
{
    double x = from.low + (from.high - from.low) * tide_random_uniform(random);
    if (!from.exponents)
        return x;
    double size = ldexp(1 + tide_random_uniform(random), (int)floor(x));
    return from.negative && tide_random_next(random) & 1 ? -size : size;
}

#define UNIFORM(low, high)                                                                                             \
    {                                                                                                                  \
        low, high, false, false                                                                                        \
    }
#define EXPONENTS(low, high)                                                                                           \
    {                                                                                                                  \
        low, high, true, true                                                                                          \
    }
#define POSITIVE(low, high)                                                                                            \
    {                                                                                                                  \
        low, high, true, false                                                                                         \
    }

typedef struct unary {
    const char *name;
    double (*function)(double);
    long double (*oracle)(long double);
    range ranges[4];
    uint64_t bits; // the hash of its results
} unary;

static const unary unaries[] = {
    { "exp",
      tide_portable_exp,
      expl,
      { UNIFORM(-745, 710), UNIFORM(-1, 1), EXPONENTS(-60, 9), UNIFORM(-745.2, -700) },
      UINT64_C(0x0b48c9a824ce6b52) },
    { "exp2",
      tide_portable_exp2,
      exp2l,
      { UNIFORM(-1074, 1024), UNIFORM(-1, 1), EXPONENTS(-60, 9), UNIFORM(-1075, -1000) },
      UINT64_C(0xf8c8b0e2412f65ee) },
    { "expm1",
      tide_portable_expm1,
      expm1l,
      { UNIFORM(-50, 710), UNIFORM(-1, 1), EXPONENTS(-60, 5), UNIFORM(-0.1, 0.1) },
      UINT64_C(0x01365748cb09df5d) },
    { "sinh",
      tide_portable_sinh,
      sinhl,
      { UNIFORM(-710, 710), UNIFORM(-1, 1), EXPONENTS(-60, 9), UNIFORM(-50, 50) },
      UINT64_C(0x0457b4593abaf43f) },
    { "cosh",
      tide_portable_cosh,
      coshl,
      { UNIFORM(-710, 710), UNIFORM(-1, 1), EXPONENTS(-60, 9), UNIFORM(-50, 50) },
      UINT64_C(0x3e51a1cc2a94da8e) },
    { "tanh",
      tide_portable_tanh,
      tanhl,
      { UNIFORM(-25, 25), UNIFORM(-1, 1), EXPONENTS(-60, 5), UNIFORM(-0.1, 0.1) },
      UINT64_C(0x57ceebc86591838e) },
    { "log",
      tide_portable_log,
      logl,
      { UNIFORM(0, 10), UNIFORM(0.7, 1.5), POSITIVE(-1074, 1023), UNIFORM(0.99, 1.01) },
      UINT64_C(0x5ce20109181ab2a2) },
    { "log1p",
      tide_portable_log1p,
      log1pl,
      { UNIFORM(-1, 10), UNIFORM(-0.5, 0.5), EXPONENTS(-60, -2), POSITIVE(-60, 1023) },
      UINT64_C(0x2a68eb52cbbfb393) },
    { "log2",
      tide_portable_log2,
      log2l,
      { UNIFORM(0, 10), UNIFORM(0.7, 1.5), POSITIVE(-1074, 1023), UNIFORM(0.99, 1.01) },
      UINT64_C(0x11573bb20daa0de6) },
    { "log10",
      tide_portable_log10,
      log10l,
      { UNIFORM(0, 10), UNIFORM(0.7, 1.5), POSITIVE(-1074, 1023), UNIFORM(0.99, 1.01) },
      UINT64_C(0xcd7b55848ba731d9) },
    { "sin",
      tide_portable_sin,
      sinl,
      { UNIFORM(-10, 10), UNIFORM(-1, 1), EXPONENTS(-60, 1023), UNIFORM(-1e6, 1e6) },
      UINT64_C(0x70901669b3df8071) },
    { "cos",
      tide_portable_cos,
      cosl,
      { UNIFORM(-10, 10), UNIFORM(-1, 1), EXPONENTS(-60, 1023), UNIFORM(-1e6, 1e6) },
      UINT64_C(0x43d4c6654228301f) },
    { "tan",
      tide_portable_tan,
      tanl,
      { UNIFORM(-10, 10), UNIFORM(-1, 1), EXPONENTS(-60, 1023), UNIFORM(-1e6, 1e6) },
      UINT64_C(0x9a0ce89e8a3240c7) },
    { "atan",
      tide_portable_atan,
      atanl,
      { UNIFORM(-10, 10), UNIFORM(-1, 1), EXPONENTS(-60, 1023), UNIFORM(-0.2, 0.2) },
      UINT64_C(0x573a117e0f165e1b) },
    { "asin",
      tide_portable_asin,
      asinl,
      { UNIFORM(-1, 1), UNIFORM(0.9, 1), EXPONENTS(-60, -1), UNIFORM(-0.2, 0.2) },
      UINT64_C(0x93a2609208638667) },
    { "acos",
      tide_portable_acos,
      acosl,
      { UNIFORM(-1, 1), UNIFORM(0.9, 1), EXPONENTS(-60, -1), UNIFORM(-1, -0.9) },
      UINT64_C(0x6c9b850552aff5eb) },
    { "cbrt",
      tide_portable_cbrt,
      cbrtl,
      { UNIFORM(-10, 10), UNIFORM(0.9, 1.1), EXPONENTS(-1074, 1023), UNIFORM(0, 1e9) },
      UINT64_C(0x01f03aa14e0ef80b) },
};

typedef struct binary {
    const char *name;
    double (*function)(double, double);
    long double (*oracle)(long double, long double);
    range ranges[4][2];
    uint64_t bits;
} binary;

static const binary binaries[] = {
    { "pow",
      tide_portable_pow,
      powl,
      { { UNIFORM(0, 10), UNIFORM(-20, 20) },
        { UNIFORM(0.9, 1.1), UNIFORM(-7000, 7000) },
        { POSITIVE(-1074, 1023), UNIFORM(-1, 1) },
        { UNIFORM(0.99999, 1.00001), EXPONENTS(-10, 25) } },
      UINT64_C(0x94931045f988479a) },
    { "atan2",
      tide_portable_atan2,
      atan2l,
      { { UNIFORM(-1, 1), UNIFORM(-1, 1) },
        { EXPONENTS(-1074, 1023), EXPONENTS(-1074, 1023) },
        { EXPONENTS(-2, 2), EXPONENTS(-2, 2) },
        { UNIFORM(-0.1, 0.1), UNIFORM(-1, 1) } },
      UINT64_C(0x00b2c033882cc49c) },
    { "hypot",
      tide_portable_hypot,
      hypotl,
      { { UNIFORM(-1, 1), UNIFORM(-1, 1) },
        { EXPONENTS(-1074, 1022), EXPONENTS(-1074, 1022) },
        { EXPONENTS(-2, 2), EXPONENTS(-2, 2) },
        { UNIFORM(-0.1, 0.1), UNIFORM(-1, 1) } },
      UINT64_C(0xb6ae724ed3e72237) },
};

#define COUNT(list) (sizeof(list) / sizeof *(list))
// --- errors ----------------------------------------------------------------------------------------------------------

// Returns |result - exact| in units in the last place of a double of that size.
static double error_of(double result, long double exact)
{
    double nearest = (double)exact;
    if (!isfinite(nearest) || !isfinite(result))
        return result == nearest || (isnan(result) && isnan(nearest)) ? 0 : INFINITY;
    return (double)(fabsl(result - exact) / (nextafter(fabs(nearest), INFINITY) - fabs(nearest)));
}

enum { SAMPLES = 4000 };
static const double most = 0.55; // units in the last place

static void check_unary(const unary *f, range from, uint64_t seed)
{
    tide_random random = tide_random_seed(seed);
    for (int i = 0; i < SAMPLES; i++) {
        double x = drawn(&random, from), error = error_of(f->function(x), f->oracle(x));
        if (!(error < most))
            fail_msg("%s(%a): an error of %.3f units in the last place", f->name, x, error);
    }
}

static void check_binary(const binary *f, const range from[2], uint64_t seed)
{
    tide_random random = tide_random_seed(seed);
    for (int i = 0; i < SAMPLES; i++) {
        double x = drawn(&random, from[0]), y = drawn(&random, from[1]);
        double error = error_of(f->function(x, y), f->oracle(x, y));
        if (!(error < most))
            fail_msg("%s(%a, %a): an error of %.3f units in the last place", f->name, x, y, error);
    }
}

static void test_errors(void **state)
{
    (void)state;
#ifdef __GLIBC__ // others have functions of long doubles that are no better
    bool has_oracle = LDBL_MANT_DIG >= 64;
#else
    bool has_oracle = false;
#endif
    if (!has_oracle)
        skip();
    for (size_t f = 0; f < COUNT(unaries); f++)
        for (uint64_t r = 0; r < COUNT(unaries->ranges); r++)
            check_unary(&unaries[f], unaries[f].ranges[r], r);
    for (size_t f = 0; f < COUNT(binaries); f++)
        for (uint64_t r = 0; r < COUNT(binaries->ranges); r++)
            check_binary(&binaries[f], binaries[f].ranges[r], r);
}

// --- bits ------------------------------------------------------------------------------------------------------------

static uint64_t add_bits(uint64_t hash, double result)
{
    result = isnan(result) ? 0.5 : result; // the bits of a NaN differ
    return tide_hash_bytes(hash, &result, sizeof result);
}

// Draws arguments of their ranges, by sums and products alone.
static void test_bits_are_the_same_on_every_platform(void **state)
{
    (void)state;
    bool differs = false;
    for (size_t f = 0; f < COUNT(unaries) + COUNT(binaries); f++) {
        const unary *one = f < COUNT(unaries) ? &unaries[f] : NULL;
        const binary *two = one ? NULL : &binaries[f - COUNT(unaries)];
        uint64_t hash = TIDE_HASH_START, wanted = one ? one->bits : two->bits;
        for (uint64_t r = 0; r < 4; r++) {
            tide_random random = tide_random_seed(r);
            for (int i = 0; i < SAMPLES; i++) {
                double x = drawn(&random, one ? one->ranges[r] : two->ranges[r][0]);
                hash = add_bits(hash, one ? one->function(x) : two->function(x, drawn(&random, two->ranges[r][1])));
            }
        }
        if (hash != wanted)
            print_message("%s: the bits have the hash 0x%016llx\n", one ? one->name : two->name,
                          (unsigned long long)hash);
        differs = differs || hash != wanted;
    }
    assert_false(differs);
}

// --- exact and special cases -----------------------------------------------------------------------------------------

static bool is_same(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

#define assert_is(call, value)                                                                                         \
    do                                                                                                                 \
        if (!is_same(call, value))                                                                                     \
            fail_msg("%s is %a, not %a", #call, call, (double)(value));                                                \
    while (0)

static void test_exact_cases(void **state)
{
    (void)state;
    assert_is(tide_portable_exp(0), 1);
    assert_is(tide_portable_log(1), 0);
    assert_is(tide_portable_cos(0), 1);
    assert_is(tide_portable_acos(1), 0);
    assert_is(tide_portable_cosh(0), 1);
    assert_is(tide_portable_hypot(3, 4), 5);
    assert_is(tide_portable_hypot(-5e-320, 12e-320), 13e-320);
    assert_is(tide_portable_hypot(0x1.8p1023, 0), 0x1.8p1023);
    assert_is(tide_portable_atan2(1, 0), acos(0));
    for (int n = -1074; n < 1024; n++) {
        assert_is(tide_portable_exp2(n), ldexp(1, n));
        assert_is(tide_portable_pow(2, n), ldexp(1, n));
        assert_is(tide_portable_log2(ldexp(1, n)), n);
    }
    double power = 1;
    for (int n = 0; n <= 22; n++, power *= 10) {
        assert_is(tide_portable_log10(power), n);
        assert_is(tide_portable_pow(10, n), power);
    }
    for (int i = 1; i < 3000; i++) {
        assert_is(tide_portable_cbrt((double)i * i * i), i);
        assert_is(tide_portable_cbrt(-(double)i * i * i), -i);
        assert_is(tide_portable_pow(i, 3), (double)i * i * i);
        assert_is(tide_portable_pow(i / 7.0, 2), i / 7.0 * (i / 7.0));
        assert_is(tide_portable_pow(i, 1), i);
        assert_is(tide_portable_pow((double)i * i, 0.5), i);
    }
}

static void test_special_arguments(void **state)
{
    (void)state;
    const double inf = INFINITY;
    static const double zeros[] = { 0.0, -0.0 };
    for (size_t f = 0; f < COUNT(unaries); f++)
        assert_true(isnan(unaries[f].function(NAN)));
    double (*const odd[])(double) = { tide_portable_sin,   tide_portable_tan,   tide_portable_asin,
                                      tide_portable_atan,  tide_portable_sinh,  tide_portable_tanh,
                                      tide_portable_expm1, tide_portable_log1p, tide_portable_cbrt };
    for (size_t f = 0; f < COUNT(odd); f++)
        for (int i = 0; i < 2; i++)
            assert_is(odd[f](zeros[i]), zeros[i]);
    double (*const undefined[])(double) = { tide_portable_sin, tide_portable_cos, tide_portable_tan, tide_portable_asin,
                                            tide_portable_acos };
    for (size_t f = 0; f < COUNT(undefined); f++) {
        assert_is(undefined[f](inf), NAN);
        assert_is(undefined[f](-inf), NAN);
    }
    assert_is(tide_portable_acos(1.0000001), NAN);
    assert_is(tide_portable_asin(-1.0000001), NAN);
    assert_is(tide_portable_exp(inf), inf);
    assert_is(tide_portable_exp(-inf), 0);
    assert_is(tide_portable_exp(709.79), inf);
    assert_is(tide_portable_exp(-746), 0);
    assert_is(tide_portable_exp2(1024), inf);
    assert_is(tide_portable_exp2(-1076), 0);
    assert_is(tide_portable_expm1(-inf), -1);
    assert_is(tide_portable_expm1(inf), inf);
    assert_is(tide_portable_sinh(-inf), -inf);
    assert_is(tide_portable_cosh(-inf), inf);
    assert_is(tide_portable_tanh(-inf), -1);
    assert_is(tide_portable_log(0), -inf);
    assert_is(tide_portable_log(-0.0), -inf);
    assert_is(tide_portable_log(-1), NAN);
    assert_is(tide_portable_log(inf), inf);
    assert_is(tide_portable_log1p(-1), -inf);
    assert_is(tide_portable_log1p(-1.5), NAN);
    assert_is(tide_portable_log1p(inf), inf);
    assert_is(tide_portable_log2(0), -inf);
    assert_is(tide_portable_log10(inf), inf);
    assert_is(tide_portable_atan(inf), acos(0));
    assert_is(tide_portable_cbrt(-inf), -inf);
}

static void test_special_arguments_of_two(void **state)
{
    (void)state;
    const double inf = INFINITY;
    static const double special[] = { 0.0,      -0.0,      1.0,  -1.0,   2.0,        -2.0,   3.0,
                                      -3.0,     0.5,       -0.5, 1e300,  -1e300,     1e-310, -1e-310,
                                      INFINITY, -INFINITY, NAN,  0x1p53, 0x1p53 - 1, -0x1p60 };
    assert_is(tide_portable_hypot(inf, NAN), inf);
    assert_is(tide_portable_hypot(NAN, -inf), inf);
    assert_is(tide_portable_hypot(NAN, 1), NAN);
    assert_is(tide_portable_hypot(1e300, 1e300), hypot(1e300, 1e300));
    assert_is(tide_portable_hypot(1.7e308, 1.7e308), inf);
    for (size_t i = 0; i < COUNT(special); i++)
        for (size_t j = 0; j < COUNT(special); j++) { // the C library's are those of annex F
            double x = special[i], y = special[j], own = tide_portable_pow(x, y), other = pow(x, y);
            if (!is_same(own, other) && !(fabs(own / other - 1) < 1e-15))
                fail_msg("pow(%a, %a) is %a, not %a", x, y, own, other);
            own = tide_portable_atan2(x, y);
            other = atan2(x, y);
            if (!is_same(own, other) && !(fabs(own / other - 1) < 1e-15))
                fail_msg("atan2(%a, %a) is %a, not %a", x, y, own, other);
        }
}

// --- the generator of orderings --------------------------------------------------------------------------------------

static void test_ordering_random_is_that_of_glibc(void **state)
{
    (void)state;
    // The results of srand(4321), METIS' seed, and of srand(1).
    tide_ordering_srand(4321);
    assert_int_equal(tide_ordering_rand(), 1159144554);
    tide_ordering_srand(1);
    assert_int_equal(tide_ordering_rand(), 1804289383);
#ifdef __GLIBC__
    static const unsigned seeds[] = { 0, 1, 4321, 0x7fffffff, 0x80000000, 0xffffffff };
    for (size_t s = 0; s < COUNT(seeds); s++) {
        srand(seeds[s]);
        tide_ordering_srand(seeds[s]);
        for (int i = 0; i < 5000; i++)
            assert_int_equal(tide_ordering_rand(), rand());
    }
#endif
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_errors),
    cmocka_unit_test(test_bits_are_the_same_on_every_platform),
    cmocka_unit_test(test_exact_cases),
    cmocka_unit_test(test_special_arguments),
    cmocka_unit_test(test_special_arguments_of_two),
    cmocka_unit_test(test_ordering_random_is_that_of_glibc),
};
TIDE_TEST_SUITE(base_portable_functions, tests)
