// The energy that a step gains from nothing: it is told where there is some, as much as there is, and nowhere else.
#include "quiet.h"
#include "world/contact_scenes.h"

static tide_error error;

static const char *const converged[][2] = {
    { "newton", "iterations=100" },
    { "lbfgs", "iterations=300" },
    { "local_global", "iterations=300" },
    { "vbd", "iterations=300" },
};
enum { CONVERGED = sizeof converged / sizeof converged[0] };

static double gain(const tide_world *world)
{
    return tide_world_report(world)->energy_gain;
}

// No step gains more than `most`.
static void check_no_gain(tide_world *world, const char *what, const char *solver, int steps, double most)
{
    for (int n = 0; n < steps; n++) {
        fixture_step(world, 1);
        if (!(gain(world) <= most))
            fail_msg("%s, %s: step %d gained %g J", what, solver, n, gain(world));
    }
}

static tide_body_id add_box(tide_world *world, const char *name, double height, double stiffness)
{
    tide_body_def def = scene_body(1, stiffness, TIDE_NOT_GIVEN);
    tide_mesh *mesh = scene_box_mesh((double[3]) { 0.4, 0.4, 0.4 }, (double[3]) { 2, 2, 2 });
    scene_move_mesh(&mesh, (double[3]) { 0, height, 0 });
    return scene_add(world, &def, name, mesh);
}

static void test_none_in_free_fall(void **state)
{
    (void)state;
    static const char *const solvers[] = { "local_global", "lbfgs", "nonlinear_cg",  "newton", "vbd",
                                           "xpbd",         "pbd",   "semi_implicit", "imex",   "implicit_midpoint",
                                           "bdf2" };
    for (size_t i = 0; i < sizeof solvers / sizeof solvers[0]; i++) {
        tide_world *world = scene_world(1.0 / 60, 9.81);
        add_box(world, "box", 20, 1e4);
        scene_use(world, solvers[i], "");
        check_no_gain(world, "free fall", solvers[i], 30, 0);
        tide_world_destroy(world);
    }
}

static void test_none_where_bodies_rest_slide_and_land(void **state)
{
    (void)state;
    for (size_t i = 0; i < CONVERGED; i++) {
        tide_world *world = scene_world(1.0 / 100, 9.81);
        scene_plane(world, "slope", 0.3, 0.1);
        tide_body_id low = add_box(world, "low", 0.3, 1e4);
        add_box(world, "high", 0.75, 1e4);
        double *v = tide_world_velocities(world, low);
        for (uint32_t p = 0; p < scene_size(world, low); p++)
            v[3 * p + 2] = 1;
        scene_use(world, converged[i][0], converged[i][1]);
        check_no_gain(world, "slope", converged[i][0], 60, 1e-5);
        tide_world_destroy(world);
    }
}

static tide_collider_id add_plate(tide_world *world, double restitution)
{
    tide_shape_box_def box;
    tide_shape_default(&tide_shape_box, &box);
    memcpy(box.size, (double[3]) { 4, 0.2, 4 }, sizeof box.size);
    box.position[1] = -0.1;
    tide_collider_def def = tide_collider_def_default();
    def.name = "plate";
    def.shape = &tide_shape_box;
    def.definition = &box;
    def.friction = 0.8;
    def.restitution = restitution;
    tide_collider_id id;
    assert_ok(tide_world_add_collider(world, &def, &id, &error), error);
    return id;
}

// A plate that strikes a box from below, lifts it and carries it aside gives energy; nothing comes from nowhere.
static void test_what_colliders_give_is_no_gain(void **state)
{
    (void)state;
    for (size_t i = 0; i < CONVERGED; i++)
        for (int bounces = 0; bounces < 2; bounces++) {
            double h = 1.0 / 100;
            tide_world *world = scene_world(h, 9.81);
            tide_collider_id plate = add_plate(world, bounces);
            tide_body_id box = add_box(world, "box", 0.22, 1e4);
            scene_use(world, converged[i][0], converged[i][1]);
            double start = scene_energy(world);
            for (int n = 1; n <= 40; n++) {
                double t = n * h;
                scene_move(world, plate, (double[3]) { t * t, -0.1 + 1.5 * t, 0 });
                check_no_gain(world, bounces ? "bat" : "lift", converged[i][0], 1, 1e-5);
            }
            assert_true(scene_energy(world) > start + 2); // it was given much
            assert_true(tide_world_positions(world, box)[1] > 0.3);
            tide_world_destroy(world);
        }
}

static void test_what_pins_give_is_no_gain(void **state)
{
    (void)state;
    static const char *const dampings[] = { "", ",damping=springs,damping.stiffness=0.05",
                                            ",damping=rayleigh,damping.stiffness=0.05" };
    for (size_t i = 0; i < CONVERGED; i++)
        for (size_t d = 0; d < sizeof dampings / sizeof dampings[0]; d++)
            for (int soft = 0; soft < 2; soft++) {
                double h = 1.0 / 100;
                char options[96];
                tide_world *world = scene_world(h, 9.81);
                tide_body_def def = scene_body(0.2, 200, TIDE_NOT_GIVEN);
                tide_body_id cloth = scene_add(world, &def, "cloth", scene_cloth_mesh(7, 1));
                const uint32_t corners[] = { 0, 6 };
                for (int c = 0; c < 2; c++)
                    assert_ok(tide_world_pin(world, cloth, corners[c], soft ? 1e4 : TIDE_NOT_GIVEN, &error), error);
                snprintf(options, sizeof options, "%s%s", converged[i][1], dampings[d]);
                scene_use(world, converged[i][0], options);
                for (int n = 1; n <= 60; n++) {
                    for (int c = 0; c < 2; c++) {
                        double x = c - 0.5 + 0.3 * sin(30 * n * h), y = 3 * n * h;
                        assert_ok(tide_world_move_pin(world, cloth, corners[c], (double[3]) { x, y, -0.5 }, &error),
                                  error);
                    }
                    check_no_gain(world, soft ? "soft pins" : "pins", options, 1, 1e-6);
                }
                tide_world_destroy(world);
            }
}

// A body that is put inside of a collider is pushed out, and raised by that.
static void test_a_way_out_is_no_gain(void **state)
{
    (void)state;
    for (size_t i = 0; i < CONVERGED; i++) {
        tide_world *world = scene_world(1.0 / 100, 9.81);
        scene_plane(world, "floor", 0, 0.3);
        add_box(world, "box", 0.15, 1e4);
        scene_use(world, converged[i][0], converged[i][1]);
        check_no_gain(world, "way out", converged[i][0], 20, 1e-5);
        tide_world_destroy(world);
    }
}

// Forces and wind give energy by their work.
static void test_what_forces_give_is_no_gain(void **state)
{
    (void)state;
    for (size_t i = 0; i < CONVERGED; i++) {
        tide_world *world = scene_world(1.0 / 100, 0);
        tide_body_id box = add_box(world, "box", 0, 1e4);
        scene_use(world, converged[i][0], converged[i][1]);
        for (int n = 0; n < 30; n++) {
            for (uint32_t p = 0; p < 9; p++)
                assert_ok(tide_world_add_force(world, box, p, (double[3]) { 3, n, -2 }, &error), error);
            check_no_gain(world, "forces", converged[i][0], 1, 1e-6);
        }
        assert_true(scene_energy(world) > 1);
        tide_world_destroy(world);
    }
}

// A flat bar, tilted, that lands on a floor: too few iterations turn its springs inside out.
static tide_world *falling_bar(double h, double stiffness, const char *solver, const char *options)
{
    tide_world *world = scene_world(h, 9.81);
    tide_body_def def = scene_body(4, stiffness, TIDE_NOT_GIVEN);
    tide_mesh *mesh = scene_box_mesh((double[3]) { 2, 0.05, 0.4 }, (double[3]) { 20, 1, 4 });
    scene_turn_mesh(&mesh, (double[3]) { 0, 0, 1 }, 0.1);
    scene_move_mesh(&mesh, (double[3]) { 0, 1.1, 0 });
    scene_add(world, &def, "bar", mesh);
    scene_plane(world, "floor", 0, 0.3);
    scene_use(world, solver, options);
    return world;
}

// On a floor at rest, the gain is all that the energy rises by, but for what gets out of the floor.
static void test_it_is_what_the_energy_rises_by(void **state)
{
    (void)state;
    static const char *const solvers[][2] = { { "local_global", "iterations=1" },
                                              { "lbfgs", "iterations=1" },
                                              { "vbd", "iterations=1" },
                                              { "pbd", "iterations=1" } };
    for (size_t i = 0; i < sizeof solvers / sizeof solvers[0]; i++) {
        tide_world *world = falling_bar(1.0 / 30, 1e6, solvers[i][0], solvers[i][1]);
        double before = scene_energy(world), most = 0;
        bool warned = false;
        for (int n = 0; n < 20; n++) {
            fixture_step(world, 1);
            double after = scene_energy(world), rise = after - before;
            if (fabs(gain(world) - fmax(0, rise)) > 0.01 * fmax(1, fabs(after)))
                fail_msg("%s: step %d tells of %g J, and the energy rose by %g J", solvers[i][0], n, gain(world), rise);
            warned = warned || strstr(tide_world_report(world)->warning, "energy from nothing");
            most = fmax(most, rise);
            before = after;
        }
        if (!(most > 0.1) || !warned)
            fail_msg("%s: gained %g J, %s", solvers[i][0], most, warned ? "warned" : "not warned");
        tide_world_destroy(world);
    }
}

static const struct CMUnitTest tests[] = {
    quiet_test(test_none_in_free_fall),
    quiet_test(test_none_where_bodies_rest_slide_and_land),
    quiet_test(test_what_colliders_give_is_no_gain),
    quiet_test(test_what_pins_give_is_no_gain),
    quiet_test(test_a_way_out_is_no_gain),
    quiet_test(test_what_forces_give_is_no_gain),
    quiet_test(test_it_is_what_the_energy_rises_by),
};
TIDE_TEST_SUITE(world_energy_gain, tests)
