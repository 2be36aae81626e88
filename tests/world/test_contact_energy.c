// Contact takes energy and does not add any: what falls without damping never has more than it began with, whatever
// method computes it, and comes to rest where its method damps.
#include "world/contact_scenes.h"

static tide_error error;

static double energy_of(tide_world *world, double *kinetic)
{
    tide_energy energy;
    assert_ok(tide_world_energy(world, &energy, &error), error);
    *kinetic = energy.kinetic;
    return energy.total;
}

// Steps for five seconds; `rest` is the kinetic energy, J, that may be left (INFINITY: any). Under sanitizers, steps
// for less than two seconds: long enough to fall, too short to rest.
static void fall(tide_world *world, const char *what, const char *solver, double rest)
{
    const uint32_t steps = tide_test_count(300, 100);
    double kinetic, start = energy_of(world, &kinetic), most = 0;
    for (uint32_t n = 1; n <= steps; n++) {
        fixture_step(world, 1);
        double now = energy_of(world, &kinetic);
        most = fmax(most, kinetic);
        if (!(now <= start * (1 + 1e-9)))
            fail_msg("%s, %s: %g J after step %u, of %g at first", what, solver, now, n, start);
    }
    if (!(most > 0.1 * start))
        fail_msg("%s, %s: a kinetic energy of %g J at most: it did not fall", what, solver, most);
    if (steps == 300 && !(kinetic <= rest))
        fail_msg("%s, %s: a kinetic energy of %g J is left", what, solver, kinetic);
}

static void test_a_cloth_that_crumples_gains_none(void **state)
{
    (void)state;
    tide_world *world = scene_world(1.0 / 60, 9.81);
    tide_body_def def = scene_body(0.2, 60, 1);
    tide_mesh *mesh = scene_cloth_mesh(13, 0.6);
    scene_turn_mesh(&mesh, (double[3]) { 1, 0.1, 0.2 }, 1.4);
    scene_move_mesh(&mesh, (double[3]) { 0.3, 0.9, 0 });
    def.thickness = 0.01;
    def.friction = 0.4;
    def.self_collide = true;
    scene_add(world, &def, "cloth", mesh);
    scene_plane(world, "floor", 0, 0.5);
    scene_use(world, "bdf2", "");
    fall(world, "a cloth", "bdf2", 1e-2);
    tide_world_destroy(world);
}

static void drop_boxes(const char *solver, double rest)
{
    tide_world *world = scene_world(1.0 / 60, 9.81);
    for (int i = 0; i < 2; i++) {
        tide_body_def def = scene_body(1, 1500, TIDE_NOT_GIVEN);
        tide_mesh *mesh = scene_box_mesh((double[3]) { 0.3, 0.2, 0.3 }, (double[3]) { 3, 2, 3 });
        if (i == 0)
            scene_turn_mesh(&mesh, (double[3]) { 1, 0.4, 0.2 }, 0.6);
        scene_move_mesh(&mesh, (double[3]) { i ? 0.02 : 0.05, i ? 0.95 : 0.6, i ? 0.03 : 0 });
        def.friction = 0.4;
        scene_add(world, &def, i ? "upper" : "lower", mesh);
    }
    scene_sphere(world, "ball", (double[3]) { 0, 0.2, 0 }, 0.2, 0.5);
    scene_plane(world, "floor", 0, 0.5);
    scene_use(world, solver, "");
    fall(world, "two boxes on a ball", solver, rest);
    tide_world_destroy(world);
}

static void test_solids_on_a_ball_gain_none(void **state)
{
    (void)state;
    static const char *const solvers[] = { "local_global", "newton", "bdf2" };
    for (size_t i = 0; i < sizeof solvers / sizeof solvers[0]; i++)
        if (!tide_test_skips(2))
            drop_boxes(solvers[i], 1e-2);
    drop_boxes("implicit_midpoint", INFINITY); // it keeps their vibrations
}

// A cloth of 40 g that is held at its corners.
static tide_world *hold_a_cloth(uint32_t side)
{
    tide_world *world = scene_world(1.0 / 60, 9.81);
    tide_world_settings settings = *tide_world_get_settings(world);
    settings.drag = settings.deformation_drag = 0.5;
    assert_ok(tide_world_set_settings(world, &settings, &error), error);
    tide_body_def def = scene_body(0.04, 200, 5);
    tide_body_id cloth = scene_add(world, &def, "light", scene_cloth_mesh((int)side, 0.6));
    for (uint32_t i = 0; i < 4; i++)
        assert_ok(
            tide_world_pin(world, cloth, (i / 2) * side * (side - 1) + (i % 2) * (side - 1), TIDE_NOT_GIVEN, &error),
            error);
    return world;
}

// Steps; rises of energy come to no more than a part `risen` of what there was, and at the end there is no more than
// `left` of it.
static void land(tide_world *world, const char *solver, int steps, double risen, double left)
{
    double kinetic, start = energy_of(world, &kinetic), rises = 0, before = start, now = start;
    for (int n = 1; n <= steps; n++, before = now) {
        fixture_step(world, 1);
        now = energy_of(world, &kinetic);
        rises += fmax(0, now - before);
        if (!(now <= start * (1 + 1e-9)))
            fail_msg("%s: %g J after step %d, of %g at first", solver, now, n, start);
    }
    if (!(rises <= risen * start && now < left * start))
        fail_msg("%s: %g J at the end, of %g at first, and rises of %g in all", solver, now, start, rises);
}

// A soft cube falls on a cloth a tenth of its weight: contacts of light points must stop the whole cube.
static void drop_on_a_cloth(const char *solver, const char *options)
{
    tide_world *world = hold_a_cloth(16);
    tide_body_def def = scene_body(0.4, 1000, TIDE_NOT_GIVEN);
    tide_mesh *mesh = scene_box_mesh((double[3]) { 0.12, 0.12, 0.12 }, (double[3]) { 3, 3, 3 });
    scene_turn_mesh(&mesh, (double[3]) { 1, 0.3, 0.2 }, 0.4);
    scene_move_mesh(&mesh, (double[3]) { 0.01, 0.2, 0.02 });
    scene_add(world, &def, "cube", mesh);
    scene_use(world, solver, options);
    land(world, solver, 90, 0.25, 0.15);
    tide_world_destroy(world);
}

// The same with cloths. The heavy one begins turned, above the light one at all its points: of what began crossed the
// sides could not part but by force.
static void test_a_heavy_cloth_on_a_light_one_gains_none(void **state)
{
    (void)state;
    tide_world *world = hold_a_cloth(14);
    tide_body_def def = scene_body(0.4, 1000, 20);
    tide_mesh *mesh = scene_cloth_mesh(10, 0.3);
    scene_turn_mesh(&mesh, (double[3]) { 1, 0.3, 0.2 }, 0.3);
    scene_move_mesh(&mesh, (double[3]) { 0, 0.1, 0.01 });
    scene_add(world, &def, "heavy", mesh);
    scene_use(world, "local_global", "");
    land(world, "local_global", 120, 2e-3, INFINITY);
    tide_world_destroy(world);
}

static void test_the_heavy_on_the_light_gains_none(void **state)
{
    (void)state;
    static const char *const solvers[][2] = {
        { "local_global", "" },     { "imex", "" }, { "lbfgs", "" },         { "newton", "" },
        { "newton", "linear=pcg" }, { "bdf2", "" }, { "semi_implicit", "" }, { "semi_implicit", "linear=cholesky" }
    };
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++)
        if (!tide_test_skips(5))
            drop_on_a_cloth(solvers[s][0], solvers[s][1]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_cloth_that_crumples_gains_none),
    cmocka_unit_test(test_solids_on_a_ball_gain_none),
    cmocka_unit_test(test_the_heavy_on_the_light_gains_none),
    cmocka_unit_test(test_a_heavy_cloth_on_a_light_one_gains_none),
};
TIDE_TEST_SUITE(world_contact_energy, tests)
