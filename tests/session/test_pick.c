// Picking under the mouse, against projections of the vertices, over a whole picture.
#include "live_scenes.h"

#include "base/random.h"
#include "session/live_pick.h"

#include <math.h>

static tide_error error;

static const tide_draw_camera camera = { .position = { 0.4f, 0.6f, 3 },
                                         .target = { 0.5f, -0.1f, 0.4f },
                                         .up = { 0, 1, 0 },
                                         .field_of_view = 0.7f,
                                         .shift = { 0.3f, -0.2f } };
static const tide_pick_view view = { &camera, 640, 360 };

static void test_project_and_back(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(5);
    for (int i = 0; i < 200; i++) {
        const double x = 640 * tide_random_uniform(&random), y = 360 * tide_random_uniform(&random);
        const double through[3] = { tide_random_uniform(&random), -tide_random_uniform(&random),
                                    tide_random_uniform(&random) };
        double point[3], back[2];
        assert_true(tide_pick_on_plane(&view, x, y, through, point));
        assert_true(tide_pick_project(&view, point, back));
        assert_near(back[0], x, 1e-2);
        assert_near(back[1], y, 1e-2);
        // on the plane that faces the camera
        double off = 0;
        for (int k = 0; k < 3; k++)
            off += (point[k] - through[k]) * (double)(camera.target[k] - camera.position[k]);
        assert_near(off, 0, 1e-5);
    }
    double behind[2];
    assert_false(tide_pick_project(&view, (const double[]) { 0.4, 0.6, 4 }, behind));
}

static void test_vertices(void **state)
{
    (void)state;
    tide_live *live = open_scene(write_scene("pick.lua", "scene:collider('wall', { shape = 'box', position = { 0.9, 0, "
                                                         "1.6 }, size = { 0.3, 2, 0.1 } })"),
                                 0);
    take_steps(live, 12);
    tide_world *world = tide_live_world(live);
    tide_body_id cloth = tide_world_find_body(world, "cloth");
    int seen = 0, hidden = 0;
    for (uint32_t i = 0; i < 49; i++) {
        double at[2];
        tide_pick pick, collider;
        const double *x = vertex_of(live, i);
        assert_true(tide_pick_project(&view, x, at));
        bool wall = tide_pick_collider(world, &view, at[0], at[1], &collider) &&
                    collider.collider.index == tide_world_find_collider(world, "wall").index;
        bool found = tide_pick_body(world, &view, at[0], at[1], 6, &pick);
        assert_true(found != wall);
        hidden += wall;
        if (!found)
            continue;
        assert_int_equal(pick.body.index, cloth.index);
        // If cloth hides cloth, the pick is the one nearer to the camera.
        double to_vertex = 0, to_point = 0;
        for (int k = 0; k < 3; k++) {
            to_vertex += pow(x[k] - (double)camera.position[k], 2);
            to_point += pow(pick.point[k] - (double)camera.position[k], 2);
        }
        assert_true(to_point < to_vertex * 1.02);
        if (pick.vertex == i)
            seen++;
        assert_true(pick.vertex == pick.edge[0] || pick.vertex == pick.edge[1]);
    }
    assert_true(seen > 30 && hidden >= 2);
    tide_pick pick;
    assert_false(tide_pick_body(world, &view, 3, 3, 6, &pick));
    double ball[2];
    assert_true(tide_pick_project(&view, (const double[]) { 0.5, -0.5, 0.5 }, ball));
    assert_true(tide_pick_collider(world, &view, ball[0], ball[1], &pick));
    double from_centre = 0;
    for (int k = 0; k < 3; k++)
        from_centre += pow(pick.point[k] - (k == 1 ? -0.5 : 0.5), 2);
    assert_near(sqrt(from_centre), 0.2, 1e-3);
    tide_live_close(live);
}

// The springs that a stroke crosses, counted in another way: their ends are on both sides of a long stroke.
static void test_stroke(void **state)
{
    (void)state;
    tide_live *live = open_scene(write_scene("stroke.lua", ""), 0);
    take_steps(live, 3);
    tide_world *world = tide_live_world(live);
    tide_body_id cloth = tide_world_find_body(world, "cloth");
    tide_body_info body;
    assert_true(tide_world_body_info(world, cloth, &body));
    tide_random random = tide_random_seed(9);
    uint32_t total = 0;
    for (int i = 0; i < 40; i++) {
        const double a[2] = { -500, 360 * tide_random_uniform(&random) },
                     b[2] = { 1100, 360 * tide_random_uniform(&random) };
        uint32_t springs[400], count = 0;
        uint32_t found = tide_pick_crossed(world, cloth, &view, a, b, springs, 400);
        for (uint32_t s = 0; s < body.spring_count; s++) {
            tide_extra_spring spring;
            double ends[2][2], sides[2];
            assert_ok(tide_world_spring(world, cloth, s, &spring, &error), error);
            tide_pick_project(&view, vertex_of(live, spring.i), ends[0]);
            tide_pick_project(&view, vertex_of(live, spring.j), ends[1]);
            for (int e = 0; e < 2; e++)
                sides[e] = ends[e][1] - (a[1] + (b[1] - a[1]) * (ends[e][0] - a[0]) / (b[0] - a[0]));
            bool crossed = (sides[0] < 0) != (sides[1] < 0);
            assert_true(!crossed || (count < found && springs[count] == s));
            count += crossed;
        }
        assert_int_equal(found, count);
        total += count;
    }
    assert_true(total > 100);
    // Those that are cut are not cut again; a short stroke beside it crosses nothing.
    const double a[2] = { -500, 216 }, b[2] = { 1100, 216 };
    uint32_t springs[400], count = tide_pick_crossed(world, cloth, &view, a, b, springs, 400);
    give(live, (tide_input) { .kind = TIDE_INPUT_CUT, .name = "cloth", .elements = springs, .element_count = count });
    assert_true(count > 0);
    assert_int_equal(tide_pick_crossed(world, cloth, &view, a, b, springs, 400), 0);
    assert_int_equal(
        tide_pick_crossed(world, cloth, &view, (const double[]) { 0, 0 }, (const double[]) { 9, 9 }, springs, 400), 0);
    tide_live_close(live);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_project_and_back),
    cmocka_unit_test(test_vertices),
    cmocka_unit_test(test_stroke),
};
TIDE_TEST_SUITE(session_pick, tests)
