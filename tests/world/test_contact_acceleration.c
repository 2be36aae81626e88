// Accelerated methods in contact: they take plain iterations, say so, and gain no energy.
#include "world/contact_scenes.h"

static tide_error error;

static double total_energy(tide_world *world)
{
    tide_energy energy;
    assert_ok(tide_world_energy(world, &energy, &error), error);
    return energy.total;
}

// A cube of 1 m and 1000 kg/m^3, 0.5 m above a floor.
static tide_world *falling_cube(void)
{
    tide_world *world = scene_world(1.0 / 60, 9.81);
    tide_body_def def = scene_body(1000, 2e4, TIDE_NOT_GIVEN);
    tide_mesh *mesh = scene_box_mesh((double[3]) { 1, 1, 1 }, (double[3]) { 6, 6, 6 });
    scene_move_mesh(&mesh, (double[3]) { 0, 1.3, 0 });
    scene_add(world, &def, "box", mesh);
    scene_plane(world, "floor", 0, 0.3);
    return world;
}

static void test_accelerated_landings_gain_none(void **state)
{
    (void)state;
    static const char *const solvers[][2] = { { "local_global", "acceleration=chebyshev,iterations=20" },
                                              { "local_global", "acceleration=anderson,iterations=20" },
                                              { "lbfgs", "iterations=20" },
                                              { "nonlinear_cg", "iterations=20" } };
    for (size_t i = 0; i < sizeof solvers / sizeof solvers[0]; i++) {
        tide_world *world = falling_cube();
        scene_use(world, solvers[i][0], solvers[i][1]);
        double least = total_energy(world);
        bool touched = false;
        for (int n = 0; n < 40; n++) {
            fixture_step(world, 1);
            const tide_report *report = tide_world_report(world);
            assert_true(report->accelerates);
            assert_int_equal(report->plain_iterations > 0, report->touched);
            touched = touched || report->touched;
            double now = total_energy(world);
            if (!(now <= least * (1 + 1e-6)))
                fail_msg("%s,%s: %g J after step %d, %g J before", solvers[i][0], solvers[i][1], now, n, least);
            least = fmin(least, now);
        }
        assert_true(touched);
        tide_world_destroy(world);
    }
}

static void test_others_do_not_accelerate(void **state)
{
    (void)state;
    static const char *const solvers[] = { "local_global", "newton", "vbd" };
    for (size_t i = 0; i < sizeof solvers / sizeof solvers[0]; i++) {
        tide_world *world = falling_cube();
        scene_use(world, solvers[i], "");
        fixture_step(world, 1);
        assert_false(tide_world_report(world)->accelerates);
        tide_world_destroy(world);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_accelerated_landings_gain_none),
    cmocka_unit_test(test_others_do_not_accelerate),
};
TIDE_TEST_SUITE(world_contact_acceleration, tests)
