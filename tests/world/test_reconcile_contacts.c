// Reconciliation while bodies rest on colliders and on each other: what rests stays at rest, whatever colliders come,
// go or change places.
#include "world/contact_scenes.h"

static tide_error error;

// --- the scene ------------------------------------------------------------------------------------------------------

enum { GROUND, SHELF, SLOPE, BALL, FAR, COLLIDERS };

static void add_one(tide_world *world, int which)
{
    if (which == GROUND)
        scene_plane(world, "ground", 0, 0.5);
    else if (which == SHELF)
        scene_box(world, "shelf", (double[3]) { 1, 0.5, 0 }, (double[3]) { 0.8, 0.1, 0.8 }, 0, 0.5);
    else if (which == SLOPE)
        scene_box(world, "slope", (double[3]) { -1.5, 0.5, 0 }, (double[3]) { 1.5, 0.1, 0.8 }, 0.2, 0.8);
    else if (which == BALL)
        scene_sphere(world, "ball", (double[3]) { 3, 0.5, 0 }, 0.3, 0.5);
    else
        scene_sphere(world, "far", (double[3]) { 0, 50, 0 }, 1, 0.5);
}

// Two cubes on one another, a cube on the slope, a cloth on the shelf, a strand on the ground.
static void add_bodies(tide_world *world)
{
    const double cube[3] = { 0.2, 0.2, 0.2 }, cells[3] = { 2, 2, 2 };
    tide_body_def def = scene_body(1, 2000, TIDE_NOT_GIVEN);
    static const double places[3][3] = { { 0, 0.101, 0 }, { 0.013, 0.303, 0.007 }, { -1.5, 0.665, 0 } };
    static const char *const names[3] = { "low", "high", "leaning" };
    for (int i = 0; i < 3; i++) {
        tide_mesh *mesh = scene_box_mesh(cube, cells);
        if (i == 2)
            scene_turn_mesh(&mesh, (double[3]) { 0, 0, 1 }, -0.2);
        scene_move_mesh(&mesh, places[i]);
        scene_add(world, &def, names[i], mesh);
    }
    def = scene_body(0.2, 80, 5);
    tide_mesh *cloth = scene_cloth_mesh(8, 0.6);
    scene_move_mesh(&cloth, (double[3]) { 1, 0.553, 0 });
    scene_add(world, &def, "cloth", cloth);
    def = scene_body(0.05, 80, 5);
    def.thickness = 0.02;
    scene_add(world, &def, "strand",
              scene_strand_mesh(6, (double[3]) { -0.3, 0.01, 0.5 }, (double[3]) { 0.3, 0.01, 0.5 }));
}

// With the colliders that `order` names, up to -1.
static tide_world *make(const int *order, const char *solver, const tide_world *predecessor)
{
    tide_world_settings settings = tide_world_settings_default();
    settings.timestep = 1.0 / 60;
    settings.drag = settings.deformation_drag = 1;
    tide_world *world = fixture_world(&settings, predecessor);
    add_bodies(world);
    for (int i = 0; order[i] >= 0; i++)
        add_one(world, order[i]);
    scene_use(world, solver, "");
    return world;
}

static double *copy_positions(const tide_world *world)
{
    return tide_copy_bytes(tide_world_all_positions(world), 3 * tide_world_particle_count(world) * sizeof(double));
}

static double farthest_from(const tide_world *world, const double *before)
{
    double most = 0;
    for (uint32_t i = 0; i < 3 * tide_world_particle_count(world); i++)
        most = fmax(most, fabs(tide_world_all_positions(world)[i] - before[i]));
    return most;
}

// --- tests ----------------------------------------------------------------------------------------------------------

static const char *const solvers[] = { "local_global", "xpbd", "semi_implicit" };
static const int start[] = { GROUND, SHELF, SLOPE, -1 };

static tide_world *reconcile(tide_world *world, tide_world *old)
{
    tide_reconciliation reconciliation;
    assert_ok(tide_world_reconcile(world, old, &reconciliation, &error), error);
    tide_world_destroy(old);
    return world;
}

// A world at rest; each solver's is stepped once, and the tests get forks of it.
static tide_world *rested[sizeof solvers / sizeof solvers[0]];

static int step_to_rest(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        rested[s] = make(start, solvers[s], NULL);
        fixture_step(rested[s], 240);
    }
    return 0;
}

static int drop_rested(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++)
        tide_world_destroy(rested[s]);
    return 0;
}

static tide_world *rest(size_t solver)
{
    tide_world *fork;
    assert_ok(tide_world_fork(rested[solver], &fork, &error), error);
    return fork;
}

// A reconciliation may change the next steps no more than steps without one differ.
static void test_rest_stays_rest_when_colliders_change_places(void **state)
{
    (void)state;
    static const int orders[][COLLIDERS + 1] = {
        { GROUND, SHELF, SLOPE, -1 },
        { SLOPE, SHELF, GROUND, -1 },
        { SHELF, SLOPE, GROUND, -1 },
        { BALL, GROUND, SHELF, SLOPE, -1 },
        { GROUND, BALL, SHELF, SLOPE, -1 },
        { GROUND, SHELF, SLOPE, FAR, -1 },
        { FAR, BALL, SLOPE, GROUND, SHELF, -1 },
    };
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++)
        for (size_t o = 0; o < sizeof orders / sizeof orders[0]; o++) {
            tide_world *world = rest(s), *plain;
            double *before = copy_positions(world);
            assert_ok(tide_world_fork(world, &plain, &error), error);
            world = reconcile(make(orders[o], solvers[s], world), world);
            for (int n = 0; n < 10; n++) {
                fixture_step(world, 1);
                fixture_step(plain, 1);
                double fast = scene_fastest(world), moved = farthest_from(world, before);
                double usual_fast = scene_fastest(plain), usual = farthest_from(plain, before);
                if (!(fast < 2 * usual_fast + 1e-6) || !(moved < 2 * usual + 1e-7))
                    fail_msg("%s, order %zu, step %d: %g m/s instead of %g, %g m from where it was instead of %g",
                             solvers[s], o, n, fast, usual_fast, moved, usual);
            }
            tide_free(before);
            tide_world_destroy(plain);
            tide_world_destroy(world);
        }
}

// A removed collider releases its contacts at once; the others keep theirs.
static void test_what_loses_its_collider_falls_and_nothing_else_does(void **state)
{
    (void)state;
    static const int orders[][3] = { { GROUND, SLOPE, -1 }, { SLOPE, GROUND, -1 } };
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++)
        for (size_t o = 0; o < 2; o++) {
            tide_world *world = rest(s);
            double *before = copy_positions(world);
            world = reconcile(make(orders[o], solvers[s], world), world);
            fixture_step(world, 6);
            tide_body_id cloth = tide_world_find_body(world, "cloth");
            tide_body_info info;
            tide_world_body_info(world, cloth, &info);
            const double *x = tide_world_all_positions(world);
            for (uint32_t p = 0; p < tide_world_particle_count(world); p++) {
                double sunk = before[3 * p + 1] - x[3 * p + 1];
                bool of_cloth = p >= info.first_particle && p < info.first_particle + info.vertex_count;
                double fallen = 0.5 * 9.81 * 0.1 * 0.1; // 6 steps of 1/60 s; the drag and the steps' order take some
                if (of_cloth ? !(sunk > 0.8 * fallen && sunk < 1.25 * fallen) : !(fabs(sunk) < 5e-5))
                    fail_msg("%s, order %zu: particle %u is %g m below where it was", solvers[s], o, p, sunk);
            }
            tide_free(before);
            tide_world_destroy(world);
        }
}

// Another collider of the same name under the same body has moved: it is followed, and nothing jumps.
static void test_a_collider_that_the_description_moves_is_followed(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        tide_world *old = rest(s);
        tide_world *world = make((int[]) { BALL, GROUND, SLOPE, -1 }, solvers[s], old);
        scene_box(world, "shelf", (double[3]) { 1, 0.49, 0 }, (double[3]) { 0.8, 0.1, 0.8 }, 0, 0.5);
        reconcile(world, old);
        double fastest = 0, last = 0;
        tide_body_id cloth = tide_world_find_body(world, "cloth");
        for (int n = 0; n < 90; n++) {
            fixture_step(world, 1);
            last = 0;
            for (uint32_t i = 0; i < 3 * scene_size(world, cloth); i++)
                last = fmax(last, fabs(tide_world_velocities(world, cloth)[i]));
            fastest = fmax(fastest, last);
        }
        assert_true(scene_least_gap(world) > -1e-6);
        assert_true(fastest > 0.1 && fastest < 0.6); // of a fall from 1 cm
        assert_true(last < 1e-3);
        tide_world_destroy(world);
    }
}

static void test_it_is_the_same_with_one_more_reconciliation(void **state)
{
    (void)state;
    tide_world *world = rest(0);
    double *before = copy_positions(world);
    world = reconcile(make((int[]) { SLOPE, BALL, GROUND, SHELF, -1 }, "local_global", world), world);
    world =
        reconcile(make((int[]) { SHELF, SLOPE, GROUND, -1 }, "local_global", world), world); // without a step between
    tide_world *plain = rest(0);
    fixture_step(world, 10);
    fixture_step(plain, 10);
    if (!(farthest_from(world, before) < 2 * farthest_from(plain, before) + 1e-7))
        fail_msg("%g m from where it was, not %g", farthest_from(world, before), farthest_from(plain, before));
    tide_free(before);
    tide_world_destroy(plain);
    tide_world_destroy(world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_rest_stays_rest_when_colliders_change_places),
    cmocka_unit_test(test_what_loses_its_collider_falls_and_nothing_else_does),
    cmocka_unit_test(test_a_collider_that_the_description_moves_is_followed),
    cmocka_unit_test(test_it_is_the_same_with_one_more_reconciliation),
};
static int run(void)
{
    return cmocka_run_group_tests_name("world_reconcile_contacts", tests, step_to_rest, drop_rested);
}

__attribute__((constructor)) static void register_reconcile_contacts(void)
{
    tide_test_register("world_reconcile_contacts", run);
}
