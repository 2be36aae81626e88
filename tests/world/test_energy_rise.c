// Where inertia alone would invert springs within a step, methods end at no more energy than before, and not in a
// minimum on the other side.
#include "geometry/tetrahedralize.h"
#include "world/contact_scenes.h"

static tide_error error;

// The first CONVERGED of them converge within their iterations.
static const char *const methods[][2] = {
    { "newton", "" },
    { "newton", "linear=pcg" },
    { "newton", "definite=shifted" },
    { "newton", "damping.mass=0.1,damping.stiffness=1e-9" },
    { "vbd", "iterations=100" },
    { "bdf2", "" },
    { "implicit_midpoint", "" },
    { "vbd", "" },
    { "local_global", "acceleration=anderson" },
    { "local_global", "acceleration=chebyshev" },
    { "lbfgs", "" },
    { "nonlinear_cg", "" },
};
enum { METHODS = sizeof methods / sizeof methods[0], OTHER_RULES = 5, CONVERGED = 7 };

// Returns a ball of diameter 0.3 m with edges of about 0.05 m.
static tide_mesh *make_ball(void)
{
    tide_mesh_tetrahedralize_def stuffing = { .cell = 0.05 };
    const tide_distance *distance;
    tide_mesh *ball;
    assert_ok(tide_distance_sphere((double[3]) { 0 }, 0.15, &distance, &error), error);
    assert_ok(tide_mesh_tetrahedralize(distance, &stuffing, &ball, &error), error);
    tide_distance_release(distance);
    return ball;
}

// A stiff ball. What is below `height` is at rest, and the rest falls at 2 m/s.
static tide_world *stop_a_ball(double h, double height, const char *const method[2])
{
    tide_world *world = scene_world(h, 0);
    tide_body_def def = scene_body(1, 3e6, TIDE_NOT_GIVEN);
    tide_body_id ball = scene_add(world, &def, "ball", make_ball());
    scene_use(world, method[0], method[1]);
    const double *x = tide_world_positions(world, ball);
    double *v = tide_world_velocities(world, ball);
    for (uint32_t i = 0; i < scene_size(world, ball); i++)
        v[3 * i + 1] = x[3 * i + 1] < height ? 0 : -2;
    return world;
}

// The elastic energy of every method is bounded by the total before the step, and the total of backward Euler by four
// times that. A converged method loses energy, unless its steps are so long that a layer of the ball passes through the
// next one and ends mirrored.
static void check_energy(double h, double height, const char *const method[2], double most)
{
    tide_world *world = stop_a_ball(h, height, method);
    double start = scene_energy(world), before = start;
    for (int n = 0; n < 6; n++) {
        tide_energy energy;
        fixture_step(world, 1);
        assert_ok(tide_world_energy(world, &energy, &error), error);
        if (!(start > 0.1 && energy.elastic <= 1.05 * before && energy.total <= most * start))
            fail_msg("%s %s, h %g, below %g: %g J in springs, %g in all, of %g before the step and %g at first",
                     method[0], method[1], h, height, energy.elastic, energy.total, before, start);
        before = energy.total;
    }
    tide_world_destroy(world);
}

static void test_what_is_stopped_in_part_gains_nothing(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++)
        for (int way = 0; way < 6; way++) {
            if (tide_test_skips(7))
                continue;
            bool sharp = m < CONVERGED && way % 2, euler = m < OTHER_RULES || m >= CONVERGED;
            check_energy(way % 2 ? 1.0 / 60 : 1.0 / 30, -0.09 + 0.08 * (way / 2), methods[m],
                         sharp   ? 1.001
                         : euler ? 4
                                 : INFINITY);
        }
}

static void test_going_back_is_the_same_for_threads_and_forks(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        uint64_t hash[2];
        if (tide_test_skips(3))
            continue;
        for (int way = 0; way < 2; way++) {
            tide_set_threads(way ? 3 : 1);
            tide_world *world = stop_a_ball(1.0 / 30, 0.01, methods[m]), *fork;
            assert_ok(tide_world_fork(world, &fork, &error), error);
            fixture_step(world, 5);
            fixture_step(fork, 5);
            hash[way] = fixture_hash(world);
            assert_int_equal(fixture_hash(fork), hash[way]);
            tide_world_destroy(fork);
            tide_world_destroy(world);
        }
        assert_int_equal(hash[0], hash[1]);
    }
    tide_set_threads(1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_what_is_stopped_in_part_gains_nothing),
    cmocka_unit_test(test_going_back_is_the_same_for_threads_and_forks),
};
TIDE_TEST_SUITE(energy_rise, tests)
