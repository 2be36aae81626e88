// Input without a good answer: the steps go on at a bounded speed, and one line tells what it is and where.
#include "world/contact_scenes.h"
#include "world/world_state.h"

static tide_error error;
static const char *const solvers[] = { "local_global", "newton", "vbd", "xpbd" };
enum { SOLVERS = sizeof solvers / sizeof *solvers, SIDE = 11 };

static tide_world *cloth_world(const char *solver, double thickness, bool self)
{
    tide_world *world = scene_world(1.0 / 60, 0);
    tide_body_def def = scene_body(0.3, 100, 5);
    def.thickness = thickness;
    def.self_collide = self;
    scene_continuous(world);
    scene_use(world, solver, "");
    scene_add(world, &def, "cloth", scene_cloth_mesh(SIDE, 1)); // edges: 0.1, and 0.141 across
    return world;
}

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

typedef struct told {
    const char *part, *place;
    int times, warnings;
} told;

static void note(tide_log_level level, const char *message, void *context)
{
    told *t = context;
    t->warnings += level == TIDE_LOG_WARNING;
    t->times += strstr(message, t->part) != NULL && strstr(message, t->place) != NULL;
}

static void listen(told *t, const char *part, const char *place)
{
    *t = (told) { part, place, 0, 0 };
    tide_log_set_sink(note, t);
}

static void expect_one_line(const told *t, const char *solver)
{
    tide_log_set_sink(NULL, NULL);
    if (t->times != 1 || t->warnings != 1)
        fail_msg("%s: \"%s\" %d times among %d warnings", solver, t->part, t->times, t->warnings);
}

static void test_a_collider_that_jumps(void **state)
{
    (void)state;
    for (size_t i = 0; i < SOLVERS; i++) {
        told t;
        tide_world *world = cloth_world(solvers[i], 0.01, false);
        tide_collider_id ball = scene_sphere(world, "ball", (double[3]) { 0.02, 1, 0.03 }, 0.2, 0.3);
        listen(&t, "is inside collider \"ball\" at (", "they are pulled apart over the next steps");
        run(world, 3);
        assert_int_equal(t.warnings, 0);
        tide_pose pose = tide_world_collider(world, ball)->end;
        pose.position[1] = 0.05;
        assert_ok(tide_world_place_collider(world, ball, &pose, &error), error);
        double fastest = run(world, 60);
        expect_one_line(&t, solvers[i]);
        assert_true(fastest < 8);
        tide_world_destroy(world);
    }
}

static void pin_all(tide_world *world, uint32_t body)
{
    for (uint32_t v = 0; v < SIDE * SIDE; v++)
        assert_ok(tide_world_pin(world, (tide_body_id) { body, 1 }, v, TIDE_NOT_GIVEN, &error), error);
}

static void test_two_pinned_bodies_in_one_place(void **state)
{
    (void)state;
    for (int touching = 0; touching < 2; touching++) {
        told t;
        tide_world *world = cloth_world("local_global", 0.01, false);
        tide_body_def def = scene_body(0.3, 100, 5);
        scene_add(world, &def, "other", scene_cloth_mesh(SIDE, 1));
        pin_all(world, 1);
        pin_all(world, 2);
        if (!touching)
            assert_ok(tide_world_set_touching(world, (tide_body_id) { 1, 1 }, (tide_body_id) { 2, 1 }, false, &error),
                      error);
        listen(&t, "body \"cloth\" and body \"other\" are pinned in the same places, the first at (-0.5, 0, -0.3)",
               "contact");
        assert_true(run(world, 5) == 0);
        if (touching)
            expect_one_line(&t, "local_global");
        tide_log_set_sink(NULL, NULL);
        assert_int_equal(t.warnings, touching);
        tide_world_destroy(world);
    }
}

static void test_a_thickness_larger_than_an_edge(void **state)
{
    (void)state;
    for (size_t i = 0; i < SOLVERS; i++) {
        told t;
        tide_world *world = cloth_world(solvers[i], 0.15, true);
        listen(&t, "thickness 0.15 m is larger than its longest edge, 0.141 m at (", "body \"cloth\"");
        assert_true(run(world, 20) < 1);
        expect_one_line(&t, solvers[i]);
        tide_world_destroy(world);
    }
}

// The borders of a cloth are pinned to two boxes that close until there is less room than the cloth is thick, and stay.
static void test_pins_on_both_sides_of_a_closing_gap(void **state)
{
    (void)state;
    for (size_t i = 0; i < SOLVERS; i++) {
        told t;
        tide_world *world = cloth_world(solvers[i], 0.01, false);
        tide_collider_id boxes[2];
        const double size[3] = { 0.5, 1, 2 };
        for (int side = 0; side < 2; side++)
            boxes[side] =
                scene_box(world, side ? "right" : "left", (double[3]) { side ? 0.755 : -0.755, 0, 0 }, size, 0, 0.3);
        for (uint32_t v = 0; v < SIDE * SIDE; v += v % SIDE ? 1 : SIDE - 1)
            assert_ok(tide_world_pin(world, (tide_body_id) { 1, 1 }, v, TIDE_NOT_GIVEN, &error), error);
        listen(&t, "leave it no room at (", "colliders \"left\" and \"right\"");
        double fastest = 0;
        for (int n = 1; n <= 80; n++) {
            double half = fmax(0.5 - 0.503 * n / 60, -0.003);
            for (int side = 0; side < 2; side++)
                scene_move(world, boxes[side], (double[3]) { (side ? 1 : -1) * (half + 0.255), 0, 0 });
            for (uint32_t v = 0; v < SIDE * SIDE; v += v % SIDE ? 1 : SIDE - 1) {
                const double to[3] = { v % SIDE ? half : -half, 0, -0.5 + 0.1 * (v / SIDE) };
                assert_ok(tide_world_move_pin(world, (tide_body_id) { 1, 1 }, v, to, &error), error);
            }
            fastest = fmax(fastest, run(world, 1));
        }
        tide_log_set_sink(NULL, NULL);
        if (t.times != 1 || !(fastest < 25))
            fail_msg("%s: told %d times, at most %g m/s", solvers[i], t.times, fastest);
        tide_world_destroy(world);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_collider_that_jumps),
    cmocka_unit_test(test_two_pinned_bodies_in_one_place),
    cmocka_unit_test(test_a_thickness_larger_than_an_edge),
    cmocka_unit_test(test_pins_on_both_sides_of_a_closing_gap),
};
TIDE_TEST_SUITE(world_tangle_told, tests)
