// The ellipse of friction: nearest points against a search of the border, derivatives against differences, maximum
// dissipation, and the mean of two sides.
#include "../tests.h"
#include "base/field.h"
#include "contact/contact_laws.h"
#include "contact/friction.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// A tilted plane with its normal, and an axis in it at an angle.
static const double normal[3] = { 0.48, 0.6, 0.64 }, first[3] = { 0.8, 0, -0.6 }, second[3] = { -0.36, 0.8, -0.48 };

static void in_plane(double x, double y, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = x * first[k] + y * second[k];
}

static tide_friction ellipse(double along, double across, double angle)
{
    tide_friction f = { .along = along, .across = across };
    in_plane(cos(angle), sin(angle), f.axis);
    return f;
}

// The point of the border at a parameter, for push = 1.
static void border_at(const tide_friction *f, double t, double out[3])
{
    double across[3] = { normal[1] * f->axis[2] - normal[2] * f->axis[1],
                         normal[2] * f->axis[0] - normal[0] * f->axis[2],
                         normal[0] * f->axis[1] - normal[1] * f->axis[0] };
    for (int k = 0; k < 3; k++)
        out[k] = f->along * cos(t) * f->axis[k] + f->across * sin(t) * across[k];
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static void test_nearest_point(void **state)
{
    (void)state;
    enum { SEARCHED = 20000 };
    const double shapes[][2] = { { 0.2, 0.6 }, { 0.9, 0.1 }, { 1e-3, 1 }, { 100, 0.5 } };
    for (int s = 0; s < 4; s++)
        for (int i = 0; i < 12; i++) {
            double push = 0.5 + 0.2 * i, size = 0.05 * pow(2.2, i), drag[3], clipped[3], at[3];
            tide_friction f = ellipse(shapes[s][0], shapes[s][1], 0.7 * i);
            in_plane(size * cos(1.9 * i), size * sin(1.9 * i), drag);
            memcpy(clipped, drag, sizeof drag);
            tide_friction_clip(&f, push, clipped);
            double outside = tide_friction_size(&f, drag) / push, found = tide_friction_size(&f, clipped) / push;
            if (outside <= 1) {
                assert_memory_equal(clipped, drag, sizeof drag);
                continue;
            }
            assert_near(found, 1, 1e-6);
            double least = HUGE_VAL;
            for (int n = 0; n < SEARCHED; n++) {
                border_at(&f, 2 * pi * n / SEARCHED, at);
                for (int k = 0; k < 3; k++)
                    at[k] *= push;
                least = fmin(least, distance(at, drag));
            }
            assert_true(distance(clipped, drag) <= least * (1 + 1e-9));
        }
}

// d of the nearest point p(d, a), of an ellipse for the push a, in the frame of tide_friction_border:
// along its normal: dp = point da; along the border: dp = part dd + (1 - part) sideways da.
static void test_derivatives(void **state)
{
    (void)state;
    const double step = 1e-6, push = 1.3;
    for (int i = 0; i < 20; i++) {
        tide_friction f = ellipse(0.2 + 0.1 * (i % 5), 0.9 - 0.03 * i, 0.3 * i);
        double drag[3], scaled[3], tangent[3], more[3], less[3], change[3];
        in_plane(2.2 * cos(1.1 * i), 2.2 * sin(1.1 * i), drag);
        for (int k = 0; k < 3; k++)
            scaled[k] = drag[k] / push;
        tide_friction_border b = tide_friction_nearest(&f, normal, scaled);
        tangent[0] = normal[1] * b.normal[2] - normal[2] * b.normal[1];
        tangent[1] = normal[2] * b.normal[0] - normal[0] * b.normal[2];
        tangent[2] = normal[0] * b.normal[1] - normal[1] * b.normal[0];
        for (int k = 0; k < 3; k++) {
            more[k] = drag[k] + step * tangent[k];
            less[k] = drag[k] - step * tangent[k];
        }
        tide_friction_clip(&f, push, more);
        tide_friction_clip(&f, push, less);
        for (int k = 0; k < 3; k++)
            change[k] = (more[k] - less[k]) / (2 * step);
        assert_near(dot(change, tangent), b.part, 1e-5);
        assert_near(dot(change, b.normal), 0, 1e-5);
        memcpy(more, drag, sizeof more);
        memcpy(less, drag, sizeof less);
        tide_friction_clip(&f, push + step, more);
        tide_friction_clip(&f, push - step, less);
        for (int k = 0; k < 3; k++)
            change[k] = (more[k] - less[k]) / (2 * step);
        assert_near(dot(change, b.normal), b.point, 1e-5);
        assert_near(dot(change, tangent), (1 - b.part) * b.sideways, 1e-5);
    }
}

// A particle that slides on the plane takes the friction, of all in the ellipse, that takes most energy out of its
// slip.
static void test_maximum_dissipation(void **state)
{
    (void)state;
    enum { SEARCHED = 20000 };
    for (int i = 0; i < 10; i++) {
        tide_friction f = ellipse(0.15, 0.6, 0.5 * i);
        double impulse[3] = { 0 }, slip[3], change[3], left[3], most = 0, at[3];
        in_plane(cos(0.9 * i), sin(0.9 * i), slip);
        tide_contact_solve(impulse, normal, -0.8, slip, 1, &f, true, change);
        double push = dot(impulse, normal);
        assert_near(push, 0.8, 1e-10);
        for (int k = 0; k < 3; k++)
            left[k] = slip[k] + impulse[k] - push * normal[k]; // with an inverse mass of 1
        for (int n = 0; n < SEARCHED; n++) {
            border_at(&f, 2 * pi * n / SEARCHED, at);
            most = fmax(most, -push * dot(at, left));
        }
        assert_near(-dot(impulse, left), most, 1e-6);
        assert_true(most > 0.01);
    }
}

// --- two sides -------------------------------------------------------------------------------------------------------

static tide_friction_side side(double friction, double ratio, double x, double y)
{
    tide_friction_side s = { .friction = friction, .ratio = ratio };
    in_plane(x, y, s.axis);
    return s;
}

static double coefficient(const tide_friction *f, double x, double y)
{
    double u[3];
    in_plane(x, y, u);
    double along = tide_friction_is_round(f) ? 1 : dot(u, f->axis);
    return f->across + (f->along - f->across) * along * along; // u' D u
}

static void test_two_sides(void **state)
{
    (void)state;
    const tide_contact_surface none = { 0 };
    tide_friction_side a = side(0.2, 4, 1, 0), b = side(0.5, 0, 0, 0), open = side(TIDE_NOT_GIVEN, 0, 0, 0);
    tide_friction f = tide_friction_combine(&none, &a, &b, normal);
    assert_near(coefficient(&f, 1, 0), sqrt(0.2 * 0.5), 1e-10);
    assert_near(coefficient(&f, 0, 1), sqrt(0.8 * 0.5), 1e-10);
    f = tide_friction_combine(&none, &open, &a, normal);
    assert_near(coefficient(&f, 1, 0), 0.2, 1e-10);
    assert_near(coefficient(&f, 0, 1), 0.8, 1e-10);
    // The geometric mean X of A and B is the positive solution of X A^-1 X = B; here in any axes.
    double x = cos(0.6), y = sin(0.6);
    b = side(0.9, 0.25, x, y);
    f = tide_friction_combine(&none, &a, &b, normal);
    tide_friction back = tide_friction_combine(&none, &b, &a, normal);
    double xx = coefficient(&f, 1, 0), yy = coefficient(&f, 0, 1);
    double xy = coefficient(&f, sqrt(0.5), sqrt(0.5)) - (xx + yy) / 2;
    assert_near(xx, coefficient(&back, 1, 0), 1e-10);
    assert_near(yy, coefficient(&back, 0, 1), 1e-10);
    double across = 0.9 * 0.25, more = 0.9 - across;
    assert_near(xx * xx / 0.2 + xy * xy / 0.8, across + more * x * x, 1e-10);
    assert_near(xx * xy / 0.2 + xy * yy / 0.8, more * x * y, 1e-10);
    assert_near(xy * xy / 0.2 + yy * yy / 0.8, across + more * y * y, 1e-10);
    // An axis along the normal leaves the coefficient across in all directions.
    tide_friction_side end = { .friction = 0.2, .ratio = 4, .axis = { normal[0], normal[1], normal[2] } };
    f = tide_friction_combine(&none, &end, &open, normal);
    assert_near(coefficient(&f, 1, 0), 0.8, 1e-10);
    assert_near(coefficient(&f, 0.6, 0.8), 0.8, 1e-10);
    tide_friction_side slick = side(0, 0, 0, 0);
    f = tide_friction_combine(&none, &a, &slick, normal);
    assert_true(f.along == 0 && f.across == 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_nearest_point),
    cmocka_unit_test(test_derivatives),
    cmocka_unit_test(test_maximum_dissipation),
    cmocka_unit_test(test_two_sides),
};
TIDE_TEST_SUITE(contact_friction, tests)
