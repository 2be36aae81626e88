// Exact predicates against integers of any length and against rational intervals, in random and degenerate positions.
#include "geometry/predicates.h"

#include "base/random.h"
#include "tests.h"

#include <math.h>

__extension__ typedef __int128 wide;

static tide_random state_of_random;

static int64_t whole(int64_t most) // from -most to most
{
    return (int64_t)(tide_random_next(&state_of_random) % (uint64_t)(2 * most + 1)) - most;
}

static int sign_of(wide x)
{
    return (x > 0) - (x < 0);
}

// --- volumes by integers of 192 bits ---------------------------------------------------------------------------------

enum { LIMBS = 6 };

// Adds a b c to a number of 32-bit limbs, for |a|, |b|, |c| < 2^62.
static void add_product(wide sum[LIMBS], int64_t a, int64_t b, int64_t c)
{
    wide ab = (wide)a * b, sign = (ab < 0) != (c < 0) ? -1 : 1;
    wide rest = ab < 0 ? -ab : ab;
    int64_t other = c < 0 ? -c : c;
    for (int i = 0; i < 4; i++, rest >>= 32)
        for (int k = 0; k < 2; k++)
            sum[i + k] += sign * (rest & 0xffffffff) * (other >> 32 * k & 0xffffffff);
}

static int sign_of_limbs(const wide sum[LIMBS])
{
    wide carry = 0;
    bool nonzero = false;
    for (int i = 0; i < LIMBS; i++) {
        carry += sum[i];
        nonzero = nonzero || (carry & 0xffffffff);
        carry >>= 32; // towards minus infinity
    }
    return carry < 0 ? -1 : nonzero || carry > 0;
}

static int volume_sign(const int64_t p[4][3])
{
    int64_t r[3][3];
    wide sum[LIMBS] = { 0 };
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            r[i][k] = p[i][k] - p[3][k];
    for (int k = 0; k < 3; k++) {
        add_product(sum, r[0][k], r[1][(k + 1) % 3], r[2][(k + 2) % 3]);
        add_product(sum, -r[0][k], r[1][(k + 2) % 3], r[2][(k + 1) % 3]);
    }
    return sign_of_limbs(sum);
}

// The volume in doubles, whose sign may be wrong.
static int naive_sign(const double p[4][3])
{
    double r[3][3], sum = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            r[i][k] = p[i][k] - p[3][k];
    for (int k = 0; k < 3; k++)
        sum += r[0][k] * (r[1][(k + 1) % 3] * r[2][(k + 2) % 3] - r[1][(k + 2) % 3] * r[2][(k + 1) % 3]);
    return (sum > 0) - (sum < 0);
}

// Compares all orders of four points, whose coordinates are integers times `unit`. Returns whether doubles fail.
static bool compare(const int64_t p[4][3], double unit)
{
    static const int orders[4][5] = { { 0, 1, 2, 3, 1 }, { 1, 0, 2, 3, -1 }, { 3, 1, 2, 0, -1 }, { 2, 3, 0, 1, 1 } };
    double x[4][3];
    int expected = volume_sign(p);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            x[i][k] = ldexp((double)p[i][k], 0) * unit;
    for (int o = 0; o < 4; o++) {
        const int *n = orders[o];
        assert_int_equal(tide_orient3d(x[n[0]], x[n[1]], x[n[2]], x[n[3]]), n[4] * expected);
    }
    return naive_sign((const double(*)[3])x) != expected;
}

static void test_side(void **state)
{
    (void)state;
    const double a[3] = { 0, 0, 0 }, b[3] = { 1, 0, 0 }, c[3] = { 0, 1, 0 }, above[3] = { 0.2, 0.2, 1 };
    assert_int_equal(tide_orient3d(a, b, c, above), -1); // counterclockwise from above
    assert_int_equal(tide_orient3d(a, c, b, above), 1);
    assert_int_equal(tide_orient3d(a, b, c, b), 0);
}

// Points that are a few units in the last place off the plane x = y (Shewchuk 1997, fig. 1, in space).
static void test_grid(void **state)
{
    (void)state;
    const int64_t one = INT64_C(1) << 53, half = one / 2;
    int wrong = 0;
    for (int64_t x = 0; x < 64; x++)
        for (int64_t y = 0; y < 64; y++) {
            const int64_t p[4][3] = { { half + x, half + y, half + (x * 7 + y) % 5 },
                                      { 12 * one, 12 * one, one },
                                      { 24 * one, 24 * one, 3 * one },
                                      { 3 * one, 3 * one, 7 * one } };
            int first = volume_sign(p);
            assert_int_equal(first == 0, x == y);
            assert_true(x == y || first == (x > y ? 1 : -1) *
                                               volume_sign((const int64_t[4][3]) { { one, 0, 0 },
                                                                                   { 12 * one, 12 * one, one },
                                                                                   { 24 * one, 24 * one, 3 * one },
                                                                                   { 3 * one, 3 * one, 7 * one } }));
            wrong += compare(p, 0x1p-53);
        }
    assert_true(wrong > 100);
}

// Full 53-bit coordinates of different sizes; and points on the plane of the others, moved by a few units.
static void test_random(void **state)
{
    (void)state;
    state_of_random = tide_random_seed(3);
    int wrong = 0;
    for (int round = 0; round < 100000; round++) {
        int64_t p[4][3], most = INT64_C(1) << (round % 53);
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++)
                p[i][k] = whole(most);
        if (round % 3) { // p3 = p0 + i (p1 - p0) + j (p2 - p0), on a grid of 2^40
            int64_t i = whole(100), j = whole(100);
            for (int k = 0; k < 3; k++) {
                for (int n = 0; n < 3; n++)
                    p[n][k] = whole(INT64_C(1) << 40);
                p[3][k] = p[0][k] + i * (p[1][k] - p[0][k]) + j * (p[2][k] - p[0][k]) + (round % 3 == 2 ? whole(1) : 0);
            }
        }
        wrong += compare((const int64_t(*)[3])p, ldexp(1, -(round % 80)));
    }
    assert_true(wrong > 1000);
}

// Where differences round: points near the origin seen from far away.
static void test_far(void **state)
{
    (void)state;
    state_of_random = tide_random_seed(4);
    int wrong = 0;
    for (int round = 0; round < 50000; round++) {
        int64_t p[4][3];
        for (int k = 0; k < 3; k++) {
            p[0][k] = whole(50);
            int64_t way = whole(3);                             // common: the far points are nearly on one line
            p[1][k] = (INT64_C(1) << 54) * way + 8 * whole(20); // 53 bits hold a multiple of 8
            p[2][k] = (INT64_C(1) << 50) * way + whole(3);
            p[3][k] = whole(3);
        }
        wrong += compare((const int64_t(*)[3])p, 0x1p-60);
    }
    assert_true(wrong > 10);
}

// --- triangles by rational intervals ---------------------------------------------------------------------------------

typedef struct number { // top / bottom, bottom > 0
    wide top, bottom;
} number;

static int order(number a, number b)
{
    return sign_of(a.top * b.bottom - b.top * a.bottom);
}

typedef int64_t point[3];

static int64_t dot(const point a, const point b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void normal_of(const point t[3], point n)
{
    point u, v;
    for (int k = 0; k < 3; k++) {
        u[k] = t[1][k] - t[0][k];
        v[k] = t[2][k] - t[0][k];
    }
    for (int k = 0; k < 3; k++)
        n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
}

// The part of u in the plane of t, by positions along `line`. Returns how many ends were found.
static int interval_of(const point u[3], const int64_t heights[3], const point line, number ends[2])
{
    int count = 0;
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        number at = { dot(line, u[k]), 1 };
        if (heights[k] != 0 && (heights[next] == 0 || (heights[k] > 0) == (heights[next] > 0)))
            continue;
        if (heights[k] != 0) {
            int64_t way = heights[k] - heights[next];
            at.top = at.top * way + (wide)heights[k] * (dot(line, u[next]) - dot(line, u[k]));
            at.bottom = way;
            at.top = way < 0 ? -at.top : at.top;
            at.bottom = way < 0 ? -at.bottom : at.bottom;
        }
        if (count < 2)
            ends[count] = at;
        count++;
    }
    if (count == 2 && order(ends[0], ends[1]) > 0) {
        number swap = ends[0];
        ends[0] = ends[1];
        ends[1] = swap;
    }
    return count;
}

static int heights_of(const point t[3], const point u[3], int64_t heights[3])
{
    point n;
    int sides = 0;
    normal_of(t, n);
    for (int k = 0; k < 3; k++) {
        heights[k] = dot(n, u[k]) - dot(n, t[0]);
        sides |= heights[k] > 0 ? 1 : heights[k] < 0 ? 2 : 0;
    }
    return sides;
}

static tide_triangle_meeting expected_meeting(const point t[3], const point u[3])
{
    tide_triangle_meeting m = { .edge_of_t = -1, .edge_of_u = -1 };
    int64_t of_u[3], of_t[3];
    int sides_u = heights_of(t, u, of_u), sides_t = heights_of(u, t, of_t);
    point a, b, line;
    number in_t[2], in_u[2];
    normal_of(t, a);
    normal_of(u, b);
    for (int k = 0; k < 3; k++)
        line[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    if (sides_u == 0 || sides_t == 0 || interval_of(u, of_u, line, in_u) != 2 ||
        interval_of(t, of_t, line, in_t) != 2 || order(in_u[1], in_t[0]) <= 0 || order(in_t[1], in_u[0]) <= 0)
        return m;
    m.cross = sides_u == 3 && sides_t == 3;
    for (int k = 0; k < 3; k++) {
        if (sides_u != 3 && sides_t == 3 && of_u[k] != 0) {
            m.edge_of_u = k;
            m.side = of_u[k] > 0 ? -1 : 1; // heights are along the normal, against which orient3d counts
        }
        if (sides_t != 3 && sides_u == 3 && of_t[k] != 0) {
            m.edge_of_t = k;
            m.side = of_t[k] > 0 ? -1 : 1;
        }
    }
    return m;
}

typedef struct tally {
    int cross, edges, apart;
} tally;

static void compare_meeting(const point t[3], const point u[3], double unit, tally *seen)
{
    double x[2][3][3];
    const double *a[3], *b[3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            x[0][i][k] = unit * (double)t[i][k];
            x[1][i][k] = unit * (double)u[i][k];
        }
        a[i] = x[0][i];
        b[i] = x[1][i];
    }
    tide_triangle_meeting found = tide_triangles_meet(a, b), expected = expected_meeting(t, u);
    assert_int_equal(found.cross, expected.cross);
    assert_int_equal(found.edge_of_t, expected.edge_of_t);
    assert_int_equal(found.edge_of_u, expected.edge_of_u);
    assert_int_equal(found.side, expected.side);
    seen->cross += found.cross;
    seen->edges += found.edge_of_t >= 0 || found.edge_of_u >= 0;
    seen->apart += !found.cross;
}

// On small grids most positions are degenerate: shared corners and edges, corners in planes, collinear edges, flat
// triangles.
static void test_triangles(void **state)
{
    (void)state;
    state_of_random = tide_random_seed(5);
    tally small = { 0 }, large = { 0 };
    for (int round = 0; round < 400000; round++) {
        point t[3], u[3];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) {
                t[i][k] = whole(round % 2 ? 2 : 1000);
                u[i][k] = whole(round % 2 ? 2 : 1000);
            }
        compare_meeting((const point *)t, (const point *)u, round % 2 ? 0.1 : 0x1p-12, round % 2 ? &small : &large);
    }
    assert_true(small.cross > 1000 && small.edges > 1000 && small.apart > 1000);
    assert_true(large.cross > 1000 && large.edges == 0);
}

// --- segments --------------------------------------------------------------------------------------------------------

// By barycentric coordinates of the point in which the line meets the plane, as rationals.
static int expected_of_segment(const point p, const point q, const point t[3], int *side)
{
    point n, r;
    normal_of(t, n);
    int64_t of_p = dot(n, p) - dot(n, t[0]), of_q = dot(n, q) - dot(n, t[0]), way = of_p - of_q;
    *side = of_p > 0 ? -1 : 1;
    if (of_p == 0 || way == 0 || (of_q != 0 && (of_p > 0) == (of_q > 0)))
        return 0;
    for (int k = 0; k < 3; k++) // times `way`
        r[k] = p[k] * way + of_p * (q[k] - p[k]);
    for (int i = 0; i < 3; i++) {
        const int64_t *a = t[i], *b = t[(i + 1) % 3];
        point u, v;
        wide inside = 0;
        for (int k = 0; k < 3; k++) {
            u[k] = b[k] - a[k];
            v[k] = r[k] - a[k] * way;
        }
        for (int k = 0; k < 3; k++)
            inside += (wide)n[k] * (u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
        if (sign_of(inside) * (way > 0 ? 1 : -1) <= 0)
            return 0;
    }
    return of_q == 0 ? 1 : 2;
}

static void test_segments(void **state)
{
    (void)state;
    state_of_random = tide_random_seed(6);
    int seen[3] = { 0 };
    for (int round = 0; round < 300000; round++) {
        point t[3], p, q;
        double x[5][3];
        int64_t most = round % 2 ? 2 : 500;
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < 3; i++)
                x[i][k] = 0.25 * (double)(t[i][k] = 3 * whole(most));
            x[3][k] = 0.25 * (double)(p[k] = whole(3 * most));
            q[k] = round % 4 ? whole(3 * most) : (t[0][k] + t[1][k] + t[2][k]) / 3;
            x[4][k] = 0.25 * (double)q[k];
        }
        const double *corners[3] = { x[0], x[1], x[2] };
        int side = 0, expected_side, expected = expected_of_segment(p, q, (const point *)t, &expected_side);
        int found = tide_segment_meets_triangle(x[3], x[4], corners, &side);
        assert_int_equal(found, expected);
        assert_true(!found || side == expected_side);
        seen[found]++;
    }
    assert_true(seen[0] > 1000);
    assert_true(seen[1] > 1000);
    assert_true(seen[2] > 1000);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_side), cmocka_unit_test(test_grid),      cmocka_unit_test(test_random),
    cmocka_unit_test(test_far),  cmocka_unit_test(test_triangles), cmocka_unit_test(test_segments),
};
TIDE_TEST_SUITE(geometry_predicates, tests)
