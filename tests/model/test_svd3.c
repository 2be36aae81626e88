// The singular value decomposition of 3 x 3 matrices: random, of low rank, inverted, badly scaled.
#include "../linear/dense.h"
#include "model/svd3.h"
#include "tests.h"

static double determinant(const double *m)
{
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

static void assert_rotation(const double *r)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(r[i] * r[j] + r[3 + i] * r[3 + j] + r[6 + i] * r[6 + j], i == j, 1e-14);
    assert_near(determinant(r), 1, 1e-14);
}

// Checks F = U diag(s) V', the rotations, the order, and the sign of the determinant.
static void check(const double *f)
{
    double u[9], s[3], v[9], rotation[9], unit[9], largest = 0;
    tide_svd3(f, u, s, v);
    assert_rotation(u);
    assert_rotation(v);
    for (int i = 0; i < 9; i++)
        largest = fmax(largest, fabs(f[i]));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                sum += u[3 * i + k] * s[k] * v[3 * j + k];
            assert_near(sum, f[3 * i + j], 1e-14 * largest);
        }
    assert_true(s[0] >= s[1] * (1 - 1e-14) && s[1] >= fabs(s[2]) - 1e-14 * s[0]);
    for (int i = 0; i < 9; i++)
        unit[i] = f[i] / largest;
    if (s[1] * fabs(s[2]) > 1e-12 * s[0] * s[0])
        assert_true((s[2] < 0) == (determinant(unit) < 0));
    tide_polar3(f, rotation);
    assert_rotation(rotation);
    // R' F is symmetric
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) {
            double a = 0, b = 0;
            for (int k = 0; k < 3; k++) {
                a += rotation[3 * k + i] * f[3 * k + j];
                b += rotation[3 * k + j] * f[3 * k + i];
            }
            assert_near(a, b, 1e-14 * largest);
        }
}

static void fill(double *f, tide_random *random)
{
    for (int i = 0; i < 9; i++)
        f[i] = test_uniform(random, -1, 1);
}

static void test_random_matrices(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(3);
    double f[9], scaled[9];
    for (int round = 0; round < 2000; round++) {
        fill(f, &random);
        check(f);
        for (int power = -150; power <= 150; power += 100) {
            for (int i = 0; i < 9; i++)
                scaled[i] = f[i] * pow(10, power);
            check(scaled);
        }
    }
}

// Prescribed singular values: the decomposition finds them again.
static void test_prescribed_values(void **state)
{
    (void)state;
    static const double values[][3] = { { 1, 1, 1 },       { 1, 1, -1 }, { 2, 1, 1e-9 },   { 2, 1, -1e-9 },
                                        { 1, 1e-8, 1e-8 }, { 3, 1, 0 },  { 1, 0, 0 },      { 0, 0, 0 },
                                        { 2, 2, 1 },       { 2, 1, -1 }, { 1, 0.5, -0.5 }, { 1e3, 1, 1e-3 },
                                        { 1, 1e-7, -1e-7 } };
    tide_random random = tide_random_seed(4);
    for (size_t c = 0; c < sizeof values / sizeof values[0]; c++)
        for (int round = 0; round < 200; round++) {
            double a[9], b[9], u[9], v[9], s[3], f[9];
            fill(a, &random);
            fill(b, &random);
            tide_polar3(a, u);
            tide_polar3(b, v);
            for (int i = 0; i < 9; i++) {
                f[i] = 0;
                for (int k = 0; k < 3; k++)
                    f[i] += u[3 * (i / 3) + k] * values[c][k] * v[3 * (i % 3) + k];
            }
            check(f);
            tide_svd3(f, a, s, b);
            for (int k = 0; k < 3; k++)
                assert_near(s[k], values[c][k], 1e-14 * fmax(values[c][0], 1e-300));
        }
}

static void test_numbers_that_are_not_finite(void **state)
{
    (void)state;
    const double f[9] = { 1, NAN, 0, 0, 1, 0, 0, 0, 1 };
    double u[9], s[3], v[9];
    tide_svd3(f, u, s, v);
    assert_true(isnan(s[0] + s[1] + s[2]));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_random_matrices),
    cmocka_unit_test(test_prescribed_values),
    cmocka_unit_test(test_numbers_that_are_not_finite),
};
TIDE_TEST_SUITE(model_svd3, tests)
