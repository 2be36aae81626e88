// Roots against those that were put in and against sampling; meetings against small steps; whole motions that must end
// without a crossing.
#include "../collision/surfaces.h"
#include "collision/closest_points.h"
#include "collision/crossings.h"
#include "collision/impact.h"
#include "contact/continuous.h"

#include <math.h>

static tide_random random_state;

static double uniform(double low, double high)
{
    return between(&random_state, low, high);
}

static double magnitude(double low, double high)
{
    return pow(10, uniform(low, high));
}

// --- roots

// A motion whose volume is scale * (r1 t + q1)(r2 t + q2)(r3 t + q3): three rows that grow linearly, turned at random.
static void motion_of_factors(double factors[3][2], double from[4][3], double to[4][3])
{
    double shift[3], drift[3], shear[3];
    for (int k = 0; k < 3; k++) {
        shift[k] = uniform(-1, 1);
        drift[k] = uniform(-1, 1);
        shear[k] = uniform(-1, 1);
    }
    for (int end = 0; end < 2; end++) {
        double(*p)[3] = end ? to : from;
        for (int k = 0; k < 3; k++)
            p[0][k] = shift[k] + end * drift[k];
        for (int i = 0; i < 3; i++) {
            double d[3] = { 0 };
            d[i] = factors[i][0] * end + factors[i][1];
            if (i > 0)
                d[0] = shear[i];
            if (i > 1)
                d[1] = shear[0];
            for (int k = 0; k < 3; k++)
                p[i + 1][k] = p[0][k] + d[k];
        }
    }
}

// Finds the times, ascending, at which four points are in one plane: 0 to 3 distinct candidates of the cubic. A cubic
// that vanishes everywhere has none.
static int coplanar_times(const double from[4][3], const double to[4][3], double times[3])
{
    tide_cubic c = tide_cubic_of_volume(from, to);
    double candidates[TIDE_CUBIC_CANDIDATES], doubt[TIDE_CUBIC_CANDIDATES];
    bool vanishes = true;
    for (int k = 0; k < 4; k++)
        vanishes = vanishes && fabs(c.b[k]) <= c.error;
    if (vanishes)
        return 0;
    int n = tide_cubic_candidates(&c, candidates, doubt), count = 0;
    for (int k = 0; k < n;) {
        // Candidates that cannot be told apart are one root: the one where the cubic is nearest to 0.
        int last = k, best = k;
        while (last + 1 < n && candidates[last + 1] - candidates[last] <= doubt[last] + doubt[last + 1])
            last++;
        for (int i = k; i <= last; i++)
            if (fabs(tide_cubic_value(&c, candidates[i])) < fabs(tide_cubic_value(&c, candidates[best])))
                best = i;
        if (count < 3)
            times[count++] = candidates[best];
        k = last + 1;
    }
    return count;
}

static void expect_roots(const double *roots, int count, double tolerance)
{
    double factors[3][2], from[4][3], to[4][3], times[3];
    for (int i = 0; i < 3; i++) {
        factors[i][0] = i < count ? 1 : 0;
        factors[i][1] = i < count ? -roots[i] : 1;
    }
    motion_of_factors(factors, from, to);
    int expected = 0, found = coplanar_times(from, to, times);
    for (int i = 0; i < count; i++)
        expected += i == 0 || roots[i] - roots[i - 1] > 1e-9;
    assert_int_equal(found, expected);
    for (int i = 0, k = 0; i < count; i++) {
        k += i > 0 && roots[i] - roots[i - 1] > 1e-9;
        assert_near(times[k], roots[i], tolerance);
    }
}

static void test_roots_that_were_put_in(void **state)
{
    (void)state;
    random_state = tide_random_seed(1);
    for (int i = 0; i < 2000; i++) {
        double a = uniform(0.02, 0.3), b = uniform(0.35, 0.6), c = uniform(0.65, 0.98);
        expect_roots((double[]) { a, b, c }, 3, 1e-12);
        expect_roots((double[]) { a, c }, 2, 1e-12);
        expect_roots((double[]) { b }, 1, 1e-12);
        expect_roots((double[]) { a, a }, 2, 1e-6);
        expect_roots((double[]) { a, c, c }, 3, 1e-6);
        expect_roots((double[]) { b, b, b }, 3, 1e-4);
        expect_roots((double[]) { 0 }, 1, 1e-12);
        expect_roots((double[]) { 0, b, 1 }, 3, 1e-12);
        expect_roots((double[]) { 1 }, 1, 1e-12);
        expect_roots((double[]) { 0, 0 }, 2, 1e-6);
        expect_roots((double[]) { 1, 1 }, 2, 1e-6);
        expect_roots((double[]) { a, a + 1e-4 }, 2, 1e-9);
        expect_roots(NULL, 0, 0);
    }
}

static void test_roots_against_sampling(void **state)
{
    (void)state;
    random_state = tide_random_seed(2);
    int seen[4] = { 0 };
    for (int i = 0; i < 3000; i++) {
        double from[4][3], to[4][3], times[3];
        for (int k = 0; k < 12; k++) {
            from[k / 3][k % 3] = uniform(-1, 1);
            to[k / 3][k % 3] = uniform(-1, 1) * (i % 3 + 1);
        }
        int count = coplanar_times(from, to, times);
        tide_cubic c = tide_cubic_of_volume(from, to);
        seen[count]++;
        int changes = 0;
        double before = tide_cubic_value(&c, 0);
        for (int k = 1; k <= 4000; k++) {
            double t = k / 4000., value = tide_cubic_value(&c, t);
            if ((value < 0) != (before < 0)) {
                bool known = false;
                for (int n = 0; n < count; n++)
                    known = known || (times[n] > t - 1 / 3999. && times[n] < t + 1e-9);
                assert_true(known);
                changes++;
            }
            before = value;
        }
        // Two that are nearer than a sample's width may be missed by sampling, and none that it sees by the solver.
        assert_true(changes <= count && (count - changes) % 2 == 0);
        for (int n = 0; n < count; n++) {
            assert_true(times[n] >= 0 && times[n] <= 1 && (n == 0 || times[n] > times[n - 1]));
            assert_near(tide_cubic_value(&c, times[n]), 0, 4 * c.error);
        }
    }
    assert_true(seen[0] && seen[1] && seen[2] && seen[3]);
}

// The cubic is the volume of the points at that time.
static void test_the_cubic_is_the_volume(void **state)
{
    (void)state;
    random_state = tide_random_seed(3);
    for (int i = 0; i < 1000; i++) {
        double from[4][3], to[4][3], p[4][3], t = uniform(0, 1);
        for (int k = 0; k < 12; k++) {
            from[k / 3][k % 3] = uniform(-1, 1);
            to[k / 3][k % 3] = uniform(-1, 1);
            p[k / 3][k % 3] = (1 - t) * from[k / 3][k % 3] + t * to[k / 3][k % 3];
        }
        double d[3][3];
        for (int k = 0; k < 9; k++)
            d[k / 3][k % 3] = p[k / 3 + 1][k % 3] - p[0][k % 3];
        double volume = 0;
        for (int k = 0; k < 3; k++)
            volume += d[0][k] * (d[1][(k + 1) % 3] * d[2][(k + 2) % 3] - d[1][(k + 2) % 3] * d[2][(k + 1) % 3]);
        tide_cubic c = tide_cubic_of_volume(from, to);
        assert_near(tide_cubic_value(&c, t), volume, 1e-14);
    }
}

static void test_what_stays_in_a_plane_has_no_roots(void **state)
{
    (void)state;
    random_state = tide_random_seed(4);
    for (int i = 0; i < 200; i++) {
        double from[4][3], to[4][3], times[3];
        for (int k = 0; k < 12; k++) {
            from[k / 3][k % 3] = k % 3 == 1 ? 0.3 : uniform(-1, 1);
            to[k / 3][k % 3] = k % 3 == 1 ? 0.3 : uniform(-1, 1);
        }
        assert_int_equal(coplanar_times(from, to, times), 0);
    }
}

// --- single meetings

static bool first_time(bool edges, const double from[4][3], const double to[4][3], double *time)
{
    tide_impact impact;
    bool met = tide_impact_find(edges ? TIDE_PAIR_EDGES : TIDE_PAIR_TRIANGLE, from, to, &impact);
    if (met)
        *time = impact.time;
    return met;
}

static double closest(bool edges, double p[4][3])
{
    double w[3], s, t;
    return sqrt(edges ? tide_closest_of_segments(p[0], p[1], p[2], p[3], &s, &t)
                      : tide_closest_on_triangle(p[0], p[1], p[2], p[3], w));
}

static void place(const double from[4][3], const double to[4][3], double t, double p[4][3])
{
    for (int k = 0; k < 12; k++)
        p[k / 3][k % 3] = (1 - t) * from[k / 3][k % 3] + t * to[k / 3][k % 3];
}

// Small steps: a meeting is where the volume changes its sign and the features are no further apart than they go in
// one.
static double meeting_by_steps(bool edges, const double from[4][3], const double to[4][3], int steps)
{
    tide_cubic c = tide_cubic_of_volume(from, to);
    double before = tide_cubic_value(&c, 0);
    for (int k = 1; k <= steps; k++) {
        double t = (double)k / steps, value = tide_cubic_value(&c, t), p[4][3];
        if ((value < 0) != (before < 0)) {
            double low = t - 1. / steps, high = t;
            for (int i = 0; i < 50; i++) {
                double middle = 0.5 * (low + high);
                if ((tide_cubic_value(&c, middle) < 0) == (before < 0))
                    low = middle;
                else
                    high = middle;
            }
            place(from, to, high, p);
            if (closest(edges, p) < 1e-9)
                return high;
        }
        before = value;
    }
    return -1;
}

static void test_meetings_against_small_steps(void **state)
{
    (void)state;
    random_state = tide_random_seed(5);
    int met[2] = { 0 }, missed = 0;
    for (int i = 0; i < 6000; i++) {
        bool edges = i % 2;
        double from[4][3], to[4][3], time = -1, size = i % 5 == 0 ? 20 : 1;
        for (int k = 0; k < 12; k++) {
            from[k / 3][k % 3] = uniform(-1, 1);
            to[k / 3][k % 3] = size * uniform(-1, 1);
        }
        bool found = first_time(edges, from, to, &time);
        double expected = meeting_by_steps(edges, from, to, 1000);
        met[edges] += found;
        if (expected >= 0) {
            assert_true(found);
            assert_true(time < expected + 1e-9);
        }
        // Steps may only miss a touch between two of them, or one exactly at an edge.
        if (found && fabs(time - expected) > 1e-6) {
            double p[4][3];
            place(from, to, time, p);
            assert_near(closest(edges, p), 0, 1e-5);
            missed++;
        }
    }
    assert_true(met[0] > 200 && met[1] > 200 && missed < 10);
}

// Straight at an edge, at a corner, at a degenerate triangle, in the triangle's own plane.
static void test_meetings_at_the_border(void **state)
{
    (void)state;
    random_state = tide_random_seed(6);
    for (int i = 0; i < 2000; i++) {
        double from[4][3], to[4][3], target[3], time = -1, w[3] = { uniform(0, 1), 0, 0 }, scale = magnitude(-3, 3);
        w[1] = i % 4 == 0 ? 0 : 1 - w[0];
        w[0] = i % 4 == 0 ? 1 : w[0];
        bool sliver = i % 4 == 2, flat = i % 4 == 3;
        double along = uniform(0.2, 0.8);
        for (int k = 0; k < 9; k++)
            to[k / 3 + 1][k % 3] = from[k / 3 + 1][k % 3] = scale * uniform(-1, 1);
        for (int k = 0; k < 3; k++) {
            if (sliver)
                to[3][k] = from[3][k] = 0.3 * from[1][k] + 0.7 * from[2][k];
            if (flat && k == 1)
                for (int n = 1; n < 4; n++)
                    to[n][k] = from[n][k] = 0.5;
        }
        for (int k = 0; k < 3; k++) {
            target[k] = w[0] * from[1][k] + w[1] * from[2][k];
            double way = scale * uniform(1, 3) * (k == 1 && flat ? 0 : 1);
            from[0][k] = target[k] - along * way;
            to[0][k] = target[k] + (1 - along) * way;
            if (flat && k == 1)
                from[0][k] = to[0][k] = 0.5;
        }
        assert_true(first_time(false, from, to, &time));
        assert_true(time <= along + 1e-6);
    }
}

static void test_what_does_not_meet(void **state)
{
    (void)state;
    random_state = tide_random_seed(7);
    for (int i = 0; i < 3000; i++) {
        // Any common motion of all, and the first always above by its own.
        double from[4][3], to[4][3], time, height = magnitude(-5, 0), turn = uniform(-1, 1);
        bool edges = i % 2;
        for (int k = 0; k < 4; k++) {
            bool first = k < (edges ? 2 : 1);
            from[k][0] = uniform(-1, 1);
            from[k][1] = first ? height * uniform(1, 2) : -height * uniform(0, 1);
            from[k][2] = uniform(-1, 1);
            to[k][0] = uniform(-1, 1);
            to[k][1] = first ? height * uniform(1, 2) : -height * uniform(0, 1);
            to[k][2] = uniform(-1, 1);
            from[k][0] += turn;
            to[k][1] += turn;
        }
        assert_false(first_time(edges, from, to, &time));
    }
}

// --- crossings

static void test_crossings_are_counted(void **state)
{
    (void)state;
    sample m = { 0 };
    add_part(&m, 0);
    uint32_t a = add_point(&m, 0, 0, 0, 1), b = add_point(&m, 1, 0, 0, 1), c = add_point(&m, 0, 0, 1, 1);
    add_triangle(&m, a, b, c);
    add_part(&m, 0);
    uint32_t p = add_point(&m, 0.2, -1, 0.2, 1), q = add_point(&m, 0.2, 1, 0.2, 1);
    add_edge(&m, p, q);
    tide_contact_surface *s = close_sample(&m, true);
    uint32_t edge = 9, triangle = 9;
    assert_int_equal(tide_contact_count_crossings(s, m.x, &edge, &triangle), 1);
    assert_int_equal(edge, 3);
    assert_int_equal(triangle, 0);
    double tiny = 5e-324;
    m.x[3 * p + 1] = -tiny; // by the least there is
    assert_int_equal(tide_contact_count_crossings(s, m.x, NULL, NULL), 1);
    m.x[3 * p + 1] = 0; // touches
    assert_int_equal(tide_contact_count_crossings(s, m.x, NULL, NULL), 0);
    m.x[3 * p + 1] = tiny;
    assert_int_equal(tide_contact_count_crossings(s, m.x, NULL, NULL), 0);
    m.x[3 * p + 1] = -1;
    m.x[3 * p] = m.x[3 * q] = 0.5;
    m.x[3 * p + 2] = m.x[3 * q + 2] = 0.5; // just at the long side
    assert_int_equal(tide_contact_count_crossings(s, m.x, NULL, NULL), 0);
    m.x[3 * p + 2] = m.x[3 * q + 2] = nextafter(0.5, 0); // just within
    assert_int_equal(tide_contact_count_crossings(s, m.x, NULL, NULL), 1);
    s->touching[1] = s->touching[2] = false;
    assert_int_equal(tide_contact_count_crossings(s, m.x, NULL, NULL), 0);
    free_sample(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_roots_that_were_put_in),       cmocka_unit_test(test_roots_against_sampling),
    cmocka_unit_test(test_the_cubic_is_the_volume),      cmocka_unit_test(test_what_stays_in_a_plane_has_no_roots),
    cmocka_unit_test(test_meetings_against_small_steps), cmocka_unit_test(test_meetings_at_the_border),
    cmocka_unit_test(test_what_does_not_meet),           cmocka_unit_test(test_crossings_are_counted),
};
TIDE_TEST_SUITE(contact_continuous, tests)
