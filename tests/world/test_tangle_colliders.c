// Starts inside colliders, and colliders that leave a body no room: told, brought out at a bounded speed, and no step
// fails, under every family of solvers.
#include "linear/failing.h"
#include "world/certificate.h"
#include "world/contact_scenes.h"
#include "world/world_state.h"

static tide_error error;
static const char *const solvers[] = { "local_global", "lbfgs", "newton", "vbd", "xpbd", "imex" };
enum { SOLVERS = sizeof solvers / sizeof *solvers };

typedef struct told {
    int starts, frees, rooms;
} told;

static void note(tide_log_level level, const char *message, void *context)
{
    told *t = context;
    (void)level;
    t->starts += strstr(message, "pulled apart over the next steps") != NULL && strstr(message, " at (") != NULL;
    t->frees += strstr(message, "untangled after") != NULL;
    t->rooms += strstr(message, "leave it no room") != NULL;
}

static uint64_t crossings(tide_world *world)
{
    tide_certificate found;
    assert_ok(tide_world_certify(world, &found, &error), error);
    return found.count - found.let_pass;
}

// Returns the largest speed of a vertex over `frames`, by its path.
static double run(tide_world *world, int frames)
{
    double fastest = 0;
    for (int n = 0; n < frames; n++) {
        fixture_step(world, 1);
        for (uint32_t p = 0; p < world->particle_count; p++) {
            double square = 0;
            for (size_t k = 3 * (size_t)p; k < 3 * (size_t)p + 3; k++)
                square += pow(world->positions[k] - world->last_positions[k], 2);
            fastest = fmax(fastest, sqrt(square) / world->settings.timestep);
        }
    }
    return fastest;
}

static tide_world *cloth_world(const char *solver, double width, int n)
{
    tide_world *world = scene_world(1.0 / 60, 0);
    tide_body_def def = scene_body(0.3, 100, 5);
    def.thickness = 0.01;
    def.self_collide = true;
    scene_use(world, solver, "");
    scene_add(world, &def, "cloth", scene_cloth_mesh(n, width));
    return world;
}

// A ball sits across the cloth, a box does, and a cloth is wholly inside a ball.
static void test_deep_starts(void **state)
{
    (void)state;
    for (size_t i = 0; i < SOLVERS; i++)
        for (int shape = 0; shape < 3; shape++)
            for (int continuous = 0; continuous < 2; continuous++) {
                if (tide_test_skips(7))
                    continue;
                tide_world *world = cloth_world(solvers[i], shape == 2 ? 0.4 : 1, shape == 2 ? 11 : 21);
                if (continuous)
                    scene_continuous(world);
                if (shape == 0)
                    scene_sphere(world, "ball", (double[3]) { 0.03, -0.05, 0 }, 0.2, 0.3);
                else if (shape == 1)
                    scene_box(world, "box", (double[3]) { 0.01, 0.02, 0.013 }, (double[3]) { 0.4, 0.3, 0.4 }, 0, 0.3);
                else
                    scene_sphere(world, "ball", (double[3]) { 0.1, 0, 0 }, 0.6, 0.3);
                assert_true(crossings(world) > 20);
                told t = { 0 };
                tide_log_set_sink(note, &t);
                // 0.65 m are left by 1 m/s^2 at 1.14 m/s at first; the rest is the cloth's own motion.
                double fastest = run(world, 110);
                tide_log_set_sink(NULL, NULL);
                if (fastest > 8 || crossings(world) > 0)
                    fail_msg("%s, %d, %d: %g m/s, %d left", solvers[i], shape, continuous, fastest,
                             (int)crossings(world));
                assert_int_equal(t.starts, 1);
                assert_int_equal(t.frees, 1);
                tide_world_destroy(world);
            }
}

static void add_ball(tide_world *world)
{
    tide_shape_mesh_def shape;
    tide_shape_default(&tide_shape_mesh, &shape);
    tide_mesh *ball;
    assert_ok(tide_mesh_sphere.build(&(tide_mesh_sphere_def) { 0.06, 3 }, &ball, &error), error);
    shape.mesh = ball;
    scene_collider(world, "ball", &tide_shape_mesh, &shape, 0.4);
    tide_mesh_release(ball);
}

// The top of a ball goes through triangles of a cloth that hangs on it by its weight: the cloth comes up, and does not
// sink through the ball.
static void test_a_weight_on_a_cap(void **state)
{
    (void)state;
    static const int sides[] = { 6, 11, 21 };
    for (size_t i = 0; i < SOLVERS - 1; i++)        // imex, with its softened springs, does not come up
        for (int n = 0; n < (i < 3 ? 3 : 2); n++) { // vbd and xpbd do not on the finest: their steps are not solved
            if (tide_test_skips(5))
                continue;
            tide_world *world = scene_world(1.0 / 120, 9.81);
            scene_continuous(world);
            scene_use(world, solvers[i], "");
            tide_body_def def = scene_body(0.3, 120, 1.2);
            def.thickness = 0.004;
            def.friction = 0.4;
            def.self_collide = true;
            tide_mesh *mesh = scene_cloth_mesh(sides[n], 0.6);
            scene_move_mesh(&mesh, (double[3]) { 0.02, 0.053, 0.03 });
            scene_add(world, &def, "cloth", mesh);
            add_ball(world);
            assert_true(crossings(world) > 20);
            double fastest = run(world, 40), highest = -1;
            for (uint32_t p = 0; p < world->particle_count; p++)
                highest = fmax(highest, world->positions[3 * (size_t)p + 1]);
            if (crossings(world) > 0 || world->untangling.active || highest < 0 || fastest > 8)
                fail_msg("%s, %d: %d left, the highest vertex at %g m, %g m/s", solvers[i], sides[n],
                         (int)crossings(world), highest, fastest);
            tide_world_destroy(world);
        }
}

// Two balls close on a cloth until they overlap by 3 cm, stay, and open again.
static void test_a_pinch_gives_way(void **state)
{
    (void)state;
    for (size_t i = 0; i < SOLVERS; i++)
        for (int continuous = 0; continuous < 2; continuous++) {
            if (tide_test_skips(5))
                continue;
            tide_world *world = cloth_world(solvers[i], 1, 21);
            if (continuous)
                scene_continuous(world);
            tide_collider_id top = scene_sphere(world, "top", (double[3]) { 0, 0.3, 0 }, 0.15, 0.3),
                             bottom = scene_sphere(world, "bottom", (double[3]) { 0, -0.3, 0 }, 0.15, 0.3);
            told t = { 0 };
            tide_log_set_sink(note, &t);
            double fastest = 0;
            for (int n = 0; n < 140; n++) {
                double gap = n < 40 ? 0.15 - 0.165 * n / 40 : n < 80 ? -0.015 : -0.015 + 0.165 * (n - 80) / 40;
                gap = fmin(gap, 0.15);
                scene_move(world, top, (double[3]) { 0, 0.15 + gap, 0 });
                scene_move(world, bottom, (double[3]) { 0, -0.15 - gap, 0 });
                fastest = fmax(fastest, run(world, 1));
            }
            tide_log_set_sink(NULL, NULL);
            if (fastest > 4 || crossings(world) > 0)
                fail_msg("%s, %d: %g m/s, %d left", solvers[i], continuous, fastest, (int)crossings(world));
            tide_world_destroy(world);
        }
}

// A pinch is part of the state: going back repeats it.
static void test_a_pinch_is_restored(void **state)
{
    (void)state;
    tide_world *world = cloth_world("local_global", 1, 21);
    scene_continuous(world);
    scene_sphere(world, "top", (double[3]) { 0, 0.14, 0 }, 0.15, 0.3);
    scene_sphere(world, "bottom", (double[3]) { 0, -0.14, 0 }, 0.15, 0.3);
    fixture_step(world, 4);
    assert_true(world->untangling.penetrating);
    tide_snapshot *snapshot;
    assert_ok(tide_world_snapshot(world, &snapshot, &error), error);
    fixture_step(world, 10);
    uint64_t hash = fixture_hash(world);
    assert_ok(tide_world_restore(world, snapshot, &error), error);
    fixture_step(world, 10);
    assert_int_equal(fixture_hash(world), hash);
    tide_snapshot_destroy(snapshot);
    tide_world_destroy(world);
}

// A thickness larger than an edge, two pinned bodies in one place, and a ball that jumps through a cloth.
static void test_bad_input(void **state)
{
    (void)state;
    for (size_t i = 0; i < SOLVERS; i++)
        for (int bad = 0; bad < 3; bad++) {
            if (tide_test_skips(5))
                continue;
            tide_world *world = cloth_world(solvers[i], 1, 11);
            scene_continuous(world);
            tide_body_def def = scene_body(0.3, 100, 5);
            def.thickness = bad == 0 ? 0.15 : 0.01; // edges: 0.1
            def.self_collide = bad == 0;
            tide_mesh *mesh = scene_cloth_mesh(11, 1);
            if (bad == 0)
                scene_move_mesh(&mesh, (double[3]) { 0, 0.3, 0 });
            if (bad == 2)
                tide_mesh_release(mesh);
            else
                scene_add(world, &def, "other", mesh);
            for (uint32_t v = 0; bad == 1 && v < 121; v++)
                for (uint32_t b = 1; b <= 2; b++)
                    assert_ok(tide_world_pin(world, (tide_body_id) { b, 1 }, v, TIDE_NOT_GIVEN, &error), error);
            tide_collider_id ball = scene_sphere(world, "ball", (double[3]) { 0.02, 1, 0.03 }, 0.2, 0.3);
            double fastest = run(world, 5);
            tide_pose pose = tide_world_collider(world, ball)->end;
            pose.position[1] = 0.05;
            if (bad == 2)
                assert_ok(tide_world_place_collider(world, ball, &pose, &error), error);
            fastest = fmax(fastest, run(world, 60));
            if (fastest > 8)
                fail_msg("%s, %d: %g m/s", solvers[i], bad, fastest);
            tide_world_destroy(world);
        }
}

// Each allocation of a first step that finds a tangle fails in turn: the step fails, and the next one goes on.
static void test_without_memory(void **state)
{
    (void)state;
    for (uint64_t n = 0;; n++) {
        tide_world *world = cloth_world("local_global", 1, 9);
        scene_continuous(world);
        scene_box(world, "box", (double[3]) { 0.01, 0.02, 0.013 }, (double[3]) { 0.4, 0.3, 0.4 }, 0, 0.3);
        failing_allocation failing = { .left = n };
        tide_memory_set_failure_hook(fail_in_turn, &failing);
        tide_status status = tide_world_step(world, &error);
        tide_memory_set_failure_hook(NULL, NULL);
        if (status != TIDE_OK)
            assert_int_equal(status, TIDE_ERROR_MEMORY);
        fixture_step(world, 2);
        assert_true(world->untangling.active);
        tide_world_destroy(world);
        if (!failing.failed)
            break;
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_deep_starts),       cmocka_unit_test(test_a_weight_on_a_cap),
    cmocka_unit_test(test_a_pinch_gives_way), cmocka_unit_test(test_a_pinch_is_restored),
    cmocka_unit_test(test_bad_input),         cmocka_unit_test(test_without_memory),
};
TIDE_TEST_SUITE(world_tangle_colliders, tests)
