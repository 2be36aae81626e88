// Shared by the tests of distances: properties that each must have.
#ifndef TIDE_DISTANCE_TESTS_H
#define TIDE_DISTANCE_TESTS_H

#include "../mesh/mesh_tests.h"

#include <math.h>
#include <stdio.h>

#include "base/vec3.h"
#include "geometry/distance.h"

#define PI 3.14159265358979323846

static inline void random_point(tide_random *random, const double lower[3], const double upper[3], double p[3])
{
    for (int k = 0; k < 3; k++)
        p[k] = lower[k] + tide_random_uniform(random) * (upper[k] - lower[k]);
}

static inline double apart(const double a[3], const double b[3])
{
    return tide_vec3_length(tide_vec3_subtract(tide_vec3_load(a), tide_vec3_load(b)));
}

// At random points of a box: the gradient against central differences (where those from both sides agree: not at a
// ridge), its length, that values change by at most 1 a metre, and that what is inside is within the bounds.
static inline void assert_is_distance(const tide_distance *distance, const double lower[3], const double upper[3],
                                      bool exact)
{
    enum { POINTS = 4000 };
    const double h = 1e-6;
    tide_random random = tide_random_seed(7);
    double before[3] = { 0 }, before_value = tide_distance_at(distance, before, NULL);
    int ridges = 0, inside = 0;
    for (int i = 0; i < POINTS; i++) {
        double p[3], gradient[3], squares = 0;
        random_point(&random, lower, upper, p);
        double value = tide_distance_at(distance, p, gradient);
        assert_near(value, tide_distance_at(distance, p, NULL), 0);
        bool ridge = false;
        for (int k = 0; k < 3; k++) {
            double a[3] = { p[0], p[1], p[2] }, b[3] = { p[0], p[1], p[2] };
            a[k] -= h;
            b[k] += h;
            double below = tide_distance_at(distance, a, NULL), above = tide_distance_at(distance, b, NULL);
            bool smooth = fabs((above - value) - (value - below)) < 1e-4 * h;
            ridge = ridge || !smooth;
            if (smooth)
                assert_near(gradient[k], (above - below) / (2 * h), 1e-4);
            squares += gradient[k] * gradient[k];
        }
        ridges += ridge;
        assert_true(sqrt(squares) <= distance->steepest * (1 + 1e-12));
        if (exact)
            assert_near(sqrt(squares), 1, 1e-12);
        assert_true(fabs(value - before_value) <= distance->steepest * apart(p, before) + 1e-12);
        memcpy(before, p, sizeof before);
        before_value = value;
        inside += value < 0;
        for (int k = 0; k < 3 && value < 0; k++)
            assert_true(p[k] >= distance->lower[k] && p[k] <= distance->upper[k]);
    }
    assert_true(ridges < POINTS / 20);
    assert_true(inside > 0);
}

// A place of the surface for two parameters in [0, 1).
typedef void (*surface_point)(const void *context, double u, double v, double p[3]);

// The value's size against the nearest of `side` * `side` places of the surface, where
// none is farther than `spacing` from one of these.
static inline void assert_near_surface(const tide_distance *distance, surface_point place, const void *context,
                                       int side, double spacing, const double lower[3], const double upper[3])
{
    tide_random random = tide_random_seed(11);
    double *places = tide_allocate_array((size_t)side * (size_t)side, 3 * sizeof *places);
    assert_non_null(places);
    size_t count = 0;
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++, count++) {
            double *p = places + 3 * count;
            place(context, (i + 0.5) / side, (j + 0.5) / side, p);
            assert_near(tide_distance_at(distance, p, NULL), 0, 1e-12);
        }
    for (int i = 0; i < 60; i++) {
        double p[3], least = INFINITY;
        random_point(&random, lower, upper, p);
        for (size_t k = 0; k < count; k++)
            least = fmin(least, apart(p, places + 3 * k));
        double value = fabs(tide_distance_at(distance, p, NULL));
        assert_true(value <= least + 1e-12);
        assert_true(least <= value + spacing);
    }
    tide_free(places);
}

#endif
