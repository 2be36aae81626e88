// Contact that has no way out: each case ends without an explosion, and what can be free is free afterwards.
#include "world/certificate.h"
#include "world/contact_scenes.h"
#include "world/world_state.h"

static tide_error error;

static double fastest(tide_world *world)
{
    double most = 0;
    for (uint32_t p = 0; p < world->particle_count; p++) {
        const double *v = world->velocities + 3 * (size_t)p;
        most = fmax(most, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    return most;
}

static tide_body_id add_cloth(tide_world *world, const char *name, int side, double thickness, double height, bool self)
{
    tide_body_def def = scene_body(0.2, 200, 10);
    tide_mesh *mesh = scene_cloth_mesh(side, 0.6);
    def.thickness = thickness;
    def.self_collide = self;
    scene_move_mesh(&mesh, (double[3]) { 0, height, 0 });
    return scene_add(world, &def, name, mesh);
}

static void move_to(tide_world *world, tide_collider_id id, double height)
{
    tide_pose pose = tide_world_collider(world, id)->start;
    pose.position[1] = height;
    assert_ok(tide_world_move_collider(world, id, &pose, &error), error);
}

// Two boxes close on a cloth until there is less room than it is thick, stay, and open again.
static void test_a_pinch_gives_way_and_frees(void **state)
{
    (void)state;
    static const char *const solvers[] = { "local_global", "xpbd" };
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        tide_world *world = scene_world(1.0 / 120, 9.81);
        scene_use(world, solvers[i], "");
        tide_body_id cloth = add_cloth(world, "cloth", 13, 0.01, 0.02, true);
        const double size[3] = { 0.2, 0.2, 0.2 };
        scene_box(world, "lower", (double[3]) { 0, -0.1, 0 }, size, 0, 0.5);
        tide_collider_id upper = scene_box(world, "upper", (double[3]) { 0, 0.15, 0 }, size, 0, 0.5);
        double most = 0;
        for (int frame = 0; frame < 180; frame++) {
            double close = frame < 60 ? frame / 60.0 : frame < 120 ? 1 : (180 - frame) / 60.0;
            move_to(world, upper, 0.15 - 0.046 * close); // at last 4 mm of room for 10
            fixture_step(world, 1);
            most = fmax(most, fastest(world));
        }
        assert_true(most < 4); // the rim falls
        const double *x = tide_world_positions(world, cloth);
        for (uint32_t p = 0; p < 169; p++) // nothing of it is left within the boxes
            assert_true(fabs(x[3 * p]) > 0.1 || fabs(x[3 * p + 2]) > 0.1 || (x[3 * p + 1] > 0 && x[3 * p + 1] < 0.05));
        tide_world_destroy(world);
    }
}

// Rows of a cloth are pinned to two plates, one above the other, that go on until they have passed one another.
static void test_pinned_to_both_sides_of_a_closing_gap(void **state)
{
    (void)state;
    tide_world *world = scene_world(1.0 / 60, 0);
    scene_continuous(world);
    tide_body_id cloth = add_cloth(world, "cloth", 9, 0.01, 0, true);
    for (uint32_t i = 0; i < 9; i++) {
        assert_ok(tide_world_pin(world, cloth, i, TIDE_NOT_GIVEN, &error), error);
        assert_ok(tide_world_pin(world, cloth, 72 + i, TIDE_NOT_GIVEN, &error), error);
    }
    double most = 0;
    for (int frame = 1; frame <= 120; frame++) {
        for (uint32_t i = 0; i < 9; i++) {
            const double *x = tide_world_positions(world, cloth);
            double near[3] = { x[3 * i], 0, -0.3 + 0.0075 * frame }, far[3] = { x[3 * i], 0, 0.3 };
            assert_ok(tide_world_move_pin(world, cloth, i, near, &error), error);
            assert_ok(tide_world_move_pin(world, cloth, 72 + i, far, &error), error);
        }
        if (tide_world_step(world, &error) != TIDE_OK) { // said with the place; the world goes on
            assert_non_null(strstr(error.object, "cloth"));
            break;
        }
        most = fmax(most, fastest(world));
    }
    assert_true(most < 20);
    tide_world_destroy(world);
}

// All vertices of two cloths are pinned in the same places.
static void test_two_pinned_bodies_in_one_place(void **state)
{
    (void)state;
    tide_world *world = scene_world(1.0 / 60, 9.81);
    scene_continuous(world);
    for (int i = 0; i < 2; i++) {
        tide_body_id id = add_cloth(world, i ? "second" : "first", 7, 0.01, 0, false);
        for (uint32_t v = 0; v < 49; v++)
            assert_ok(tide_world_pin(world, id, v, TIDE_NOT_GIVEN, &error), error);
    }
    add_cloth(world, "third", 8, 0.01, 0.05, false);
    for (int frame = 0; frame < 60; frame++) {
        fixture_step(world, 1);
        assert_true(fastest(world) < 2);
    }
    tide_world_destroy(world);
}

// Edges of 4 cm, and a thickness of 10 cm.
static void test_a_thickness_above_an_edge(void **state)
{
    (void)state;
    tide_world *world = scene_world(1.0 / 60, 9.81);
    add_cloth(world, "cloth", 16, 0.1, 0.2, true);
    add_cloth(world, "other", 15, 0.1, 0.32, false);
    scene_plane(world, "floor", 0, 0.3);
    for (int frame = 0; frame < 40; frame++) {
        fixture_step(world, 1);
        assert_true(fastest(world) < 10);
    }
    tide_world_destroy(world);
}

// A box goes from below a cloth to above it within one step.
static void test_a_collider_jumps_through_a_cloth(void **state)
{
    (void)state;
    for (int continuous = 0; continuous < 2; continuous++) {
        tide_world *world = scene_world(1.0 / 60, 0);
        if (continuous)
            scene_continuous(world);
        add_cloth(world, "cloth", 13, 0.01, 0, true);
        tide_collider_id box =
            scene_box(world, "box", (double[3]) { 0.01, -0.3, 0.02 }, (double[3]) { 0.2, 0.2, 0.2 }, 0, 0.3);
        fixture_step(world, 1);
        move_to(world, box, 0.3);
        tide_certificate found;
        for (int frame = 0; frame < 60; frame++)
            fixture_step(world, 1);
        assert_ok(tide_world_certify(world, &found, &error), error);
        assert_int_equal(found.of[TIDE_CROSSING_VERTEX], 0);
        assert_true(!continuous || found.count == 0);
        assert_true(fastest(world) < 60); // the box goes at 36 m/s
        tide_world_destroy(world);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_pinch_gives_way_and_frees),
    cmocka_unit_test(test_pinned_to_both_sides_of_a_closing_gap),
    cmocka_unit_test(test_two_pinned_bodies_in_one_place),
    cmocka_unit_test(test_a_thickness_above_an_edge),
    cmocka_unit_test(test_a_collider_jumps_through_a_cloth),
};
TIDE_TEST_SUITE(world_bad_contacts, tests)
