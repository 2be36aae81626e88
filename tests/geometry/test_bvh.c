// The hierarchy against loops over all triangles.
#include "../mesh/mesh_tests.h"
#include "geometry/bvh.h"

#include <math.h>

enum { VERTICES = 600, TRIANGLES = 900, QUERIES = 400 };

typedef struct cloud {
    double vertices[3 * VERTICES];
    uint32_t triangles[3 * TRIANGLES], count;
} cloud;

static double draw(tide_random *random, double scale)
{
    return scale * (2 * tide_random_uniform(random) - 1);
}

// Triangles of about `size` in a cube of half side 1; every seventh has no area, some are there twice.
static void draw_cloud(tide_random *random, cloud *c, uint32_t count, double size)
{
    c->count = count;
    for (uint32_t i = 0; i < VERTICES; i++)
        for (uint32_t k = 0; k < 3; k++)
            c->vertices[3 * i + k] =
                i % 3 == 0 ? draw(random, 1) : c->vertices[3 * (i - i % 3) + k] + draw(random, size);
    for (uint32_t t = 0; t < count; t++) {
        uint32_t first = 3 * (tide_random_next(random) % (VERTICES / 3));
        for (uint32_t k = 0; k < 3; k++)
            c->triangles[3 * t + k] = first + (t + k) % 3;
        if (t % 7 == 6)
            c->triangles[3 * t] = c->triangles[3 * t + 1];
        if (t % 11 == 10)
            memcpy(c->triangles + 3 * t, c->triangles + 3 * (t / 2), 3 * sizeof(uint32_t));
    }
}

static tide_bvh make_bvh(const double *vertices, const uint32_t *triangles, uint32_t count)
{
    tide_bvh bvh;
    tide_error error;
    assert_ok(tide_bvh_create(vertices, triangles, count, &bvh, &error), error);
    return bvh;
}

static bool closest_of_all(const double *vertices, const uint32_t *triangles, uint32_t count, const double p[3],
                           double radius, tide_bvh_point *closest)
{
    bool found = false;
    double best = radius * radius;
    for (uint32_t t = 0; t < count; t++) {
        tide_bvh_point point;
        const uint32_t *corner = triangles + 3 * t;
        tide_bvh_closest_on_triangle(vertices + 3 * corner[0], vertices + 3 * corner[1], vertices + 3 * corner[2], p,
                                     &point);
        if (point.squared < best) {
            best = point.squared;
            *closest = point;
            closest->triangle = t;
            found = true;
        }
    }
    return found;
}

static void assert_same_closest(const tide_bvh *bvh, const double *vertices, const uint32_t *triangles,
                                const double p[3], double radius)
{
    tide_bvh_point a, b;
    bool found = tide_bvh_closest(bvh, p, radius, &a);
    assert_int_equal(found, closest_of_all(vertices, triangles, bvh->triangle_count, p, radius, &b));
    if (!found)
        return;
    assert_int_equal(a.triangle, b.triangle);
    assert_true(a.squared == b.squared);
    for (int k = 0; k < 3; k++)
        assert_true(a.weights[k] == b.weights[k] && a.position[k] == b.position[k]);
    assert_int_equal(a.on, b.on);
    assert_int_equal(a.which, b.which);
}

// A first guess, good or bad, changes nothing.
static void assert_guesses_do_not_matter(const tide_bvh *bvh, const double p[3], uint32_t guess)
{
    tide_bvh_point a, b;
    assert_true(tide_bvh_closest(bvh, p, INFINITY, &a));
    uint32_t place = tide_bvh_closest_from(bvh, p, UINT32_MAX, &b);
    for (int trial = 0; trial < 3; trial++) {
        assert_true(place < bvh->triangle_count && bvh->order[place] == b.triangle);
        assert_int_equal(a.triangle, b.triangle);
        assert_true(a.squared == b.squared && a.on == b.on && a.which == b.which);
        assert_memory_equal(a.position, b.position, sizeof a.position);
        assert_memory_equal(a.weights, b.weights, sizeof a.weights);
        place = tide_bvh_closest_from(bvh, p, trial == 0 ? place : guess % bvh->triangle_count, &b);
    }
}

static void test_closest_of_clouds(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(7);
    static cloud c;
    const uint32_t counts[] = { 1, 2, 4, 5, 9, 60, TRIANGLES };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (int size = 0; size < 3; size++) {
            draw_cloud(&random, &c, counts[i], pow(10, -size));
            tide_bvh bvh = make_bvh(c.vertices, c.triangles, c.count);
            for (int q = 0; q < QUERIES; q++) {
                double p[3] = { draw(&random, 1.5), draw(&random, 1.5), draw(&random, 1.5) };
                if (q % 8 == 0) // a vertex: distance 0, and several triangles as near
                    memcpy(p, c.vertices + 3 * (tide_random_next(&random) % VERTICES), sizeof p);
                assert_same_closest(&bvh, c.vertices, c.triangles, p, q % 2 ? INFINITY : draw(&random, 0.5));
                assert_guesses_do_not_matter(&bvh, p, (uint32_t)tide_random_next(&random));
            }
            tide_bvh_destroy(&bvh);
        }
}

// No weights on a fine grid of a triangle give a nearer point, and the point is what its weights say.
static void test_closest_on_triangle(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(8);
    int on[3] = { 0 };
    for (int trial = 0; trial < 600; trial++) {
        double corner[3][3], p[3];
        for (int k = 0; k < 3; k++) {
            p[k] = draw(&random, 0.8);
            for (int i = 0; i < 3; i++)
                corner[i][k] = draw(&random, 1);
            if (trial % 5 == 0)
                corner[2][k] = 0.25 * corner[0][k] + 0.75 * corner[1][k];
            if (trial % 50 == 0)
                corner[1][k] = corner[2][k] = corner[0][k];
        }
        tide_bvh_point point;
        tide_bvh_closest_on_triangle(corner[0], corner[1], corner[2], p, &point);
        on[point.on]++;
        double sum = 0, squared = 0;
        for (int k = 0; k < 3; k++) {
            double at = 0;
            for (int i = 0; i < 3; i++)
                at += point.weights[i] * corner[i][k];
            assert_near(at, point.position[k], 1e-13);
            assert_true(point.weights[k] >= 0);
            sum += point.weights[k];
            squared += (p[k] - point.position[k]) * (p[k] - point.position[k]);
        }
        assert_near(sum, 1, 1e-14);
        assert_near(squared, point.squared, 1e-13);
        enum { STEPS = 40 };
        double least = INFINITY;
        for (int i = 0; i <= STEPS; i++)
            for (int j = 0; i + j <= STEPS; j++) {
                double d = 0, u = (double)i / STEPS, v = (double)j / STEPS;
                for (int k = 0; k < 3; k++) {
                    double r = u * corner[0][k] + v * corner[1][k] + (1 - u - v) * corner[2][k] - p[k];
                    d += r * r;
                }
                least = fmin(least, d);
            }
        assert_true(point.squared <= least + 1e-13);
        assert_true(sqrt(least) - sqrt(point.squared) < 4.0 / STEPS);
    }
    assert_true(on[TIDE_BVH_FACE] > 50 && on[TIDE_BVH_EDGE] > 50 && on[TIDE_BVH_CORNER] > 50);
}

// All that come are counted; `seen` tells which.
typedef struct seen {
    unsigned char triangle[TRIANGLES];
    uint32_t count, stop;
} seen;

static bool see(void *context, uint32_t triangle)
{
    seen *s = context;
    assert_int_equal(s->triangle[triangle], 0);
    s->triangle[triangle] = 1;
    return ++s->count != s->stop;
}

static bool overlaps(const cloud *c, const double *to, double margin, uint32_t t, const double lower[3],
                     const double upper[3])
{
    for (uint32_t k = 0; k < 3; k++) {
        double least = INFINITY, most = -INFINITY;
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t vertex = c->triangles[3 * t + i];
            least = fmin(least, fmin(c->vertices[3 * vertex + k], to[3 * vertex + k]));
            most = fmax(most, fmax(c->vertices[3 * vertex + k], to[3 * vertex + k]));
        }
        if (least - margin > upper[k] || most + margin < lower[k])
            return false;
    }
    return true;
}

static void test_boxes(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(9);
    static cloud c;
    static double to[3 * VERTICES];
    for (int trial = 0; trial < 12; trial++) {
        draw_cloud(&random, &c, TRIANGLES, 0.1);
        tide_bvh bvh = make_bvh(c.vertices, c.triangles, c.count);
        double margin = trial % 3 ? 0 : 0.03;
        for (int i = 0; i < 3 * VERTICES; i++)
            to[i] = c.vertices[i] + (trial % 2 ? draw(&random, 0.2) : 0);
        tide_bvh_refit(&bvh, c.vertices, trial % 2 ? to : NULL, margin);
        uint32_t total = 0;
        for (int q = 0; q < 100; q++) {
            double lower[3], upper[3];
            for (int k = 0; k < 3; k++) {
                lower[k] = draw(&random, 1.2);
                upper[k] = lower[k] + tide_random_uniform(&random) * (q % 4 == 0 ? 0 : 0.4);
            }
            seen s = { .count = 0 };
            tide_bvh_overlaps(&bvh, lower, upper, see, &s);
            for (uint32_t t = 0; t < c.count; t++)
                assert_int_equal(s.triangle[t], overlaps(&c, to, margin, t, lower, upper));
            seen part = { .stop = 1 };
            tide_bvh_overlaps(&bvh, lower, upper, see, &part);
            assert_int_equal(part.count, s.count > 0);
            total += s.count;
        }
        assert_true(total > 50);
        tide_bvh_destroy(&bvh);
    }
}

static void test_refit_allocates_nothing(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(10);
    static cloud c;
    static double moved[3 * VERTICES];
    draw_cloud(&random, &c, TRIANGLES, 0.1);
    tide_bvh bvh = make_bvh(c.vertices, c.triangles, c.count);
    uint64_t allocations = tide_memory_count().allocations;
    for (int step = 0; step < 20; step++) {
        for (int i = 0; i < 3 * VERTICES; i++)
            moved[i] = c.vertices[i] + draw(&random, 0.02 * step);
        tide_bvh_refit(&bvh, moved, NULL, 0);
        for (int q = 0; q < 50; q++) {
            double p[3] = { draw(&random, 1.5), draw(&random, 1.5), draw(&random, 1.5) };
            assert_same_closest(&bvh, moved, c.triangles, p, INFINITY);
        }
    }
    assert_int_equal(tide_memory_count().allocations, allocations);
    tide_bvh_destroy(&bvh);
}

// All centres at one place, and sizes from the smallest to the largest: the depth stays bounded.
static void test_hard_to_split(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    static double vertices[9 * COUNT];
    static uint32_t triangles[3 * COUNT];
    for (uint32_t t = 0; t < COUNT; t++) {
        double size = t < COUNT / 2 ? 1 : exp(-0.4 * (t - COUNT / 2)), at = t < COUNT / 2 ? 0 : size;
        const double corner[9] = { at, 0, 0, at + size, size, 0, at - size, -size, 0 };
        memcpy(vertices + 9 * t, corner, sizeof corner);
        for (uint32_t k = 0; k < 3; k++)
            triangles[3 * t + k] = 3 * t + k;
    }
    tide_bvh bvh = make_bvh(vertices, triangles, COUNT);
    tide_random random = tide_random_seed(13);
    for (int q = 0; q < 100; q++) {
        double p[3] = { draw(&random, 2), draw(&random, 2), draw(&random, 1) };
        assert_same_closest(&bvh, vertices, triangles, p, INFINITY);
    }
    tide_bvh_destroy(&bvh);
}

static void test_refusals_and_memory(void **state)
{
    (void)state;
    tide_mesh *box = make_box(1, 1, 1, 2, 2, 2);
    tide_bvh bvh;
    tide_error error;
    assert_fails(tide_bvh_create(box->vertices, box->triangles, 0, &bvh, &error), error, "expected 1 to");
    assert_survives_failures(tide_bvh_create(box->vertices, box->triangles, box->triangle_count, &bvh, &error),
                             tide_bvh_destroy(&bvh), 3);
    tide_mesh_release(box);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_closest_on_triangle),
    cmocka_unit_test(test_closest_of_clouds),
    cmocka_unit_test(test_boxes),
    cmocka_unit_test(test_refit_allocates_nothing),
    cmocka_unit_test(test_hard_to_split),
    cmocka_unit_test(test_refusals_and_memory),
};
TIDE_TEST_SUITE(geometry_bvh, tests)
