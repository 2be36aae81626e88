// Contact with colliders under every solver: slopes, lifts, runs, state, bad input.
#include "world/contact_scenes.h"

static tide_error error;

enum { PARTICLE, CLOTH, STRAND, BODIES };
enum { PLANE, BOX, MESH, GROUNDS };
static const char *const bodies[] = { "particle", "cloth", "strand" };
static const char *const grounds[] = { "plane", "box", "mesh" };

// Flat on the slope through the origin.
static tide_body_id put(tide_world *world, int body, double angle)
{
    if (body == PARTICLE)
        return scene_points(world, "body", 1, (double[3]) { 0 }, 0.01, 0);
    tide_body_def def = scene_body(0.2, 200, 40);
    def.thickness = 0.002;
    tide_mesh *mesh = body == CLOTH ? scene_cloth_mesh(5, 0.3)
                                    : scene_strand_mesh(8, (double[3]) { -0.15, 0, 0 }, (double[3]) { 0.15, 0, 0 });
    scene_turn_mesh(&mesh, (double[3]) { 0, 0, 1 }, -angle);
    scene_move_mesh(&mesh, (double[3]) { 0.001 * sin(angle), 0.001 * cos(angle), 0 });
    return scene_add(world, &def, "body", mesh);
}

static tide_collider_id add_ground(tide_world *world, int ground, double angle, double friction)
{
    double at[3] = { -2.5 * sin(angle), -2.5 * cos(angle), 0 }, size[3] = { 300, 5, 8 };
    if (ground == PLANE)
        return scene_plane(world, "ground", angle, friction);
    return ground == BOX ? scene_box(world, "ground", at, size, angle, friction)
                         : scene_mesh_box(world, "ground", at, size, angle, friction);
}

// Damping that keeps a jittering method from creeping.
static const char *options_of(const char *solver)
{
    if (tide_field_find(tide_solver_kind_find(solver, NULL)->fields, "", "safety", NULL)) // an explicit method
        return "damping=auto";
    if (strcmp(solver, "lbfgs") == 0 || strcmp(solver, "nonlinear_cg") == 0)
        return "solve=double"; // what contacts move is not corrected after the last iteration
    return "";
}

static void check_slope(const char *solver, int body, int ground, bool holds)
{
    const double angle = 0.4, h = 1.0 / 60, friction = (holds ? 1.1 : 0.5) * tan(angle);
    double before[3], after[3], speed[3], later[3];
    tide_world *world = scene_world(h, 9.81);
    tide_body_id id = put(world, body, angle);
    add_ground(world, ground, angle, friction);
    scene_use(world, solver, options_of(solver));
    uint32_t count = scene_size(world, id);
    int steps = holds ? 600 : 60;
    fixture_step(world, body == PARTICLE ? 1 : 60);
    scene_mean(tide_world_positions(world, id), count, before);
    scene_mean(tide_world_velocities(world, id), count, speed);
    fixture_step(world, steps);
    scene_mean(tide_world_positions(world, id), count, after);
    scene_mean(tide_world_velocities(world, id), count, later);
    double along = (later[0] - speed[0]) * cos(angle) - (later[1] - speed[1]) * sin(angle);
    double off = along / (steps * h) / (9.81 * (sin(angle) - friction * cos(angle))) - 1;
    double moved = scene_apart(after, before), exact = body == PARTICLE;
    if (holds && !(moved < (exact ? 1e-6 : 1e-3)))
        fail_msg("%s: a %s on a %s slid by %g m", solver, bodies[body], grounds[ground], moved);
    if (!holds && !(fabs(off) < (exact ? 1e-6 : 0.05)))
        fail_msg("%s: a %s on a %s slides faster than it should by the part %g", solver, bodies[body], grounds[ground],
                 off);
    tide_world_destroy(world);
}

// Particles on all grounds under every solver, the others on one each but for the first two solvers.
static bool is_tried(uint32_t solver, int body, int ground)
{
    return body == PARTICLE || solver < 2 || ground == (body == CLOTH ? PLANE : BOX);
}

static void test_slopes_hold_and_let_slide(void **state)
{
    (void)state;
    const tide_solver_kind *kind;
    for (uint32_t s = 0; (kind = tide_solver_kind_at(s)); s++)
        for (int body = 0; body < BODIES; body++)
            for (int ground = 0; ground < GROUNDS; ground++)
                for (int holds = 0; holds < 2; holds++)
                    if (is_tried(s, body, ground) && strcmp(kind->name, "explicit_euler") != 0 && !tide_test_skips(7))
                        check_slope(kind->name, body, ground, holds);
}

// A lift with an acceleration, from rest; how high the body is above it at the end, and the most on the way.
static void ride(const char *solver, int body, int ground, double acceleration, double *last, double *most)
{
    const double h = 1.0 / 60;
    double before[3], now[3];
    tide_world *world = scene_world(h, 9.81);
    tide_body_id id = put(world, body, 0);
    tide_collider_id lift = add_ground(world, ground, 0, 0.5);
    double from[3] = { 0, ground == PLANE ? 0 : -2.5, 0 };
    scene_use(world, solver, options_of(solver));
    scene_mean(tide_world_positions(world, id), scene_size(world, id), before);
    *most = 0;
    for (int n = 1; n <= 60; n++) {
        double way = 0.5 * acceleration * n * h * n * h;
        scene_move(world, lift, (double[3]) { 0, from[1] + way, 0 });
        fixture_step(world, 1);
        scene_mean(tide_world_positions(world, id), scene_size(world, id), now);
        *last = now[1] - before[1] - way;
        *most = fmax(*most, fabs(*last));
    }
    tide_world_destroy(world);
}

static void test_a_lift_carries_what_it_does_not_outrun(void **state)
{
    (void)state;
    const tide_solver_kind *kind;
    for (uint32_t s = 0; (kind = tide_solver_kind_at(s)); s++)
        for (int body = 0; body < BODIES; body++)
            for (int ground = 0; ground < GROUNDS && strcmp(kind->name, "explicit_euler") != 0; ground++) {
                double last, most;
                if (!is_tried(s, body, ground) || tide_test_skips(7))
                    continue;
                ride(kind->name, body, ground, 3, &last, &most);
                if (!(most < 1e-9))
                    fail_msg("%s: a %s leaves a rising %s by %g m", kind->name, bodies[body], grounds[ground], most);
                ride(kind->name, body, ground, -5, &last, &most);
                if (!(most < 1e-4)) // methods of second order leave it by 0.2 m/s^2 h^2 as it starts
                    fail_msg("%s: a %s leaves a sinking %s by %g m", kind->name, bodies[body], grounds[ground], most);
                ride(kind->name, body, ground, -15, &last, &most);
                if (!(fabs(last - 0.5 * (15 - 9.81)) < 0.1))
                    fail_msg("%s: a %s is %g m above a falling %s", kind->name, bodies[body], last, grounds[ground]);
            }
}

// --- scenes ---------------------------------------------------------------------------------------------------------

enum { DRAPE, SLIDE, BRISTLES, SCENES };
static const char *const scenes[] = { "cloth on a ball", "solid on a slope", "strands on a box" };

static tide_world *make(int scene, const char *solver, const char *options)
{
    tide_world *world = scene_world(1.0 / 30, 9.81);
    tide_body_def def = scene == DRAPE ? scene_body(0.5, 80, 20) : scene_body(1, 2000, TIDE_NOT_GIVEN);
    tide_mesh *mesh;
    if (scene == DRAPE) {
        mesh = scene_cloth_mesh(12, 1);
        scene_move_mesh(&mesh, (double[3]) { 0.013, 0.35, 0.007 });
        scene_sphere(world, "ball", (double[3]) { 0 }, 0.3, 0.3);
        scene_plane(world, "ground", 0, 0.3);
    } else if (scene == SLIDE) {
        mesh = scene_box_mesh((double[3]) { 0.4, 0.2, 0.4 }, (double[3]) { 4, 2, 4 });
        scene_turn_mesh(&mesh, (double[3]) { 0, 0, 1 }, -0.4);
        scene_move_mesh(&mesh, (double[3]) { 0.2 * sin(0.4), 0.2 * cos(0.4), 0 });
        scene_plane(world, "slope", 0.4, 0.2);
    } else {
        def = scene_body(0.2, 200, 50);
        def.thickness = 0.01;
        def.self_collide = true;
        mesh = scene_brush_mesh(5, 0.3, 6, 0.2);
        scene_turn_mesh(&mesh, (double[3]) { 1, 0, 0.2 }, 1.2);
        scene_move_mesh(&mesh, (double[3]) { 0, 0.3, 0 });
        scene_box(world, "box", (double[3]) { 0 }, (double[3]) { 0.5, 0.2, 0.5 }, 0, 0.4);
        scene_plane(world, "ground", 0, 0.3);
    }
    scene_add(world, &def, "body", mesh);
    scene_use(world, solver, options);
    return world;
}

static const char *run_options(const char *solver)
{
    return fixture_gains_energy(solver) ? "damping=auto" : "";
}

static void test_nothing_sinks_in_under_any_solver(void **state)
{
    (void)state;
    const tide_solver_kind *kind;
    for (uint32_t s = 0; (kind = tide_solver_kind_at(s)); s++)
        for (int scene = 0; scene < SCENES && strcmp(kind->name, "implicit_midpoint") != 0; scene++) {
            if (tide_test_skips(5))
                continue;
            tide_world *world = make(scene, kind->name, run_options(kind->name));
            for (int n = 0; n < 100; n++) {
                fixture_step(world, 1);
                if (!(scene_least_gap(world) > -1e-6))
                    fail_msg("%s, %s: %g m inside in step %d", kind->name, scenes[scene], -scene_least_gap(world), n);
            }
            tide_world_destroy(world);
        }
}

static void test_contact_allocates_nothing_in_the_long_run(void **state)
{
    (void)state;
    const tide_solver_kind *kind;
    for (uint32_t s = 0; (kind = tide_solver_kind_at(s)); s++) {
        if (tide_test_skips(4))
            continue;
        tide_world *world = make(SLIDE, kind->name, run_options(kind->name));
        uint32_t count;
        for (int n = 0; n < 40; n++) {
            fixture_step(world, 1);
            tide_world_contacts(world, &count);
        }
        tide_snapshot *start;
        assert_ok(tide_world_snapshot(world, &start, &error), error);
        for (int round = 0; round < 2; round++) { // the second time, all has been as large before
            uint64_t before = tide_memory_count().allocations;
            for (int n = 0; n < 20; n++) {
                fixture_step(world, 1);
                tide_world_contacts(world, &count);
            }
            if (round == 1 && tide_memory_count().allocations != before)
                fail_msg("%s allocates", kind->name);
            assert_ok(tide_world_restore(world, start, &error), error);
            fixture_step(world, 1);
            assert_ok(tide_world_restore(world, start, &error), error);
        }
        tide_snapshot_destroy(start);
        tide_world_destroy(world);
    }
}

static uint64_t run_and_return(int scene, const char *solver, const char *options)
{
    tide_snapshot *snapshot;
    tide_world *fork, *world = make(scene, solver, options);
    fixture_step(world, 15);
    uint64_t middle = fixture_hash(world);
    assert_ok(tide_world_snapshot(world, &snapshot, &error), error);
    assert_ok(tide_world_fork(world, &fork, &error), error);
    fixture_step(world, 8);
    fixture_step(fork, 8);
    uint64_t end = fixture_hash(world);
    if (fixture_hash(fork) != end)
        fail_msg("scene %d under %s, %s: a fork goes on in another way", scene, solver, options);
    assert_ok(tide_world_restore(world, snapshot, &error), error);
    assert_int_equal(fixture_hash(world), middle);
    fixture_step(world, 8);
    assert_int_equal(fixture_hash(world), end);
    assert_ok(tide_world_reset(world, &error), error);
    fixture_step(world, 15);
    assert_int_equal(fixture_hash(world), middle);
    tide_snapshot_destroy(snapshot);
    tide_world_destroy(fork);
    tide_world_destroy(world);
    return end;
}

static void test_the_same_comes_of_the_same(void **state)
{
    (void)state;
    static const char *const solvers[] = { "local_global", "newton", "xpbd", "bdf2" };
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++)
        for (int scene = 0; scene < SCENES; scene++)
            for (int n = 0; n < 2; n++) {
                if (tide_test_skips(5))
                    continue;
                const char *options = n ? "substeps=5" : "substeps=2";
                uint64_t end = run_and_return(scene, solvers[s], options);
                tide_set_threads(4);
                assert_int_equal(run_and_return(scene, solvers[s], options), end);
                tide_set_threads(1);
            }
}

// --- bad input ------------------------------------------------------------------------------------------------------

static void test_bad_numbers_are_refused(void **state)
{
    (void)state;
    tide_world *world = scene_world(1.0 / 30, 9.81);
    tide_collider_id id = scene_plane(world, "ground", 0, 0.3);
    tide_pose pose = tide_pose_identity();
    pose.position[1] = NAN;
    assert_fails(tide_world_move_collider(world, id, &pose, &error), error, "collider \"ground\"");
    assert_fails(tide_world_place_collider(world, id, &pose, &error), error, "position");
    pose = tide_pose_identity();
    pose.rotation[0] = NAN;
    assert_fails(tide_world_move_collider(world, id, &pose, &error), error, "rotation");
    tide_shape_sphere_def sphere;
    tide_shape_default(&tide_shape_sphere, &sphere);
    tide_collider_def def = tide_collider_def_default();
    def.name = "ball";
    def.shape = &tide_shape_sphere;
    def.definition = &sphere;
    sphere.radius = 0;
    assert_fails(tide_world_add_collider(world, &def, &id, &error), error, "radius");
    sphere.radius = 1;
    def.friction = NAN;
    assert_fails(tide_world_add_collider(world, &def, &id, &error), error, "friction");
    assert_int_equal(tide_world_collider_count(world), 1);
    tide_world_destroy(world);
}

static int warnings;

static void count_warning(tide_log_level level, const char *message, void *context)
{
    (void)context;
    warnings += level == TIDE_LOG_WARNING && strstr(message, "inside collider \"ground\"") != NULL;
}

static void test_an_initial_penetration_is_warned_of_once(void **state)
{
    (void)state;
    warnings = 0;
    tide_log_set_sink(count_warning, NULL);
    tide_world *world = scene_world(1.0 / 30, 9.81);
    tide_body_def def = scene_body(1, 2000, TIDE_NOT_GIVEN);
    scene_add(world, &def, "solid", scene_box_mesh((double[3]) { 0.4, 0.4, 0.4 }, (double[3]) { 2, 2, 2 }));
    scene_plane(world, "ground", 0, 0.3);
    fixture_step(world, 30);
    tide_log_set_sink(NULL, NULL);
    assert_int_equal(warnings, 1);
    assert_true(scene_least_gap(world) > -1e-9);
    tide_world_destroy(world);
}

static void test_a_thickness_of_a_metre_or_none(void **state)
{
    (void)state;
    for (int thick = 0; thick < 2; thick++) {
        tide_world *world = scene_world(1.0 / 30, 9.81);
        tide_body_def def = scene_body(1, 80, 20);
        def.thickness = thick;
        def.self_collide = true;
        scene_add(world, &def, "cloth", scene_cloth_mesh(8, 1));
        scene_plane(world, "ground", 0, 0.3);
        fixture_step(world, 60);
        assert_near(scene_least_gap(world), 0.5 * thick, 1e-6);
        assert_true(scene_fastest(world) < 1e-6);
        tide_world_destroy(world);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_slopes_hold_and_let_slide),
    cmocka_unit_test(test_a_lift_carries_what_it_does_not_outrun),
    cmocka_unit_test(test_nothing_sinks_in_under_any_solver),
    cmocka_unit_test(test_contact_allocates_nothing_in_the_long_run),
    cmocka_unit_test(test_the_same_comes_of_the_same),
    cmocka_unit_test(test_bad_numbers_are_refused),
    cmocka_unit_test(test_an_initial_penetration_is_warned_of_once),
    cmocka_unit_test(test_a_thickness_of_a_metre_or_none),
};
TIDE_TEST_SUITE(world_contact_scenes, tests)
