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

static tide_error error;

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

static double side_of_centre(tide_live *live, const tide_mesh *mesh, uint32_t triangle, const double a[2],
                             const double b[2])
{
    double centre[3] = { 0 }, at[2];
    for (uint32_t c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            centre[k] += vertex_of(live, mesh->triangles[3 * (size_t)triangle + c])[k] / 3;
    assert_true(tide_pick_project(&view, centre, at));
    return at[1] - (a[1] + (b[1] - a[1]) * (at[0] - a[0]) / (b[0] - a[0]));
}

static uint32_t common_vertices(const tide_mesh *mesh, uint32_t i, uint32_t j)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < 9; c++)
        count += mesh->triangles[3 * (size_t)i + c / 3] == mesh->triangles[3 * (size_t)j + c % 3];
    return count;
}

// The edges that a stroke opens, counted in another way: the centres of their triangles are on both sides of a long
// stroke.
static void test_stroke(void **state)
{
    (void)state;
    tide_live *live = open_scene(write_scene("stroke.lua", ""), 0);
    take_steps(live, 3);
    tide_world *world = tide_live_world(live);
    tide_body_id cloth = tide_world_find_body(world, "cloth");
    tide_body_info body;
    tide_openings found;
    assert_true(tide_world_body_info(world, cloth, &body));
    tide_random random = tide_random_seed(9);
    uint32_t total = 0;
    for (int i = 0; i < 40; i++) {
        const double a[2] = { -500, 360 * tide_random_uniform(&random) },
                     b[2] = { 1100, 360 * tide_random_uniform(&random) };
        uint32_t count = 0;
        assert_ok(tide_pick_openings(world, cloth, &view, a, b, &found, &error), error);
        for (uint32_t t = 0; t < body.triangle_count; t++)
            for (uint32_t o = 0; o < t; o++)
                count += common_vertices(body.mesh, t, o) == 2 && (side_of_centre(live, body.mesh, t, a, b) < 0) !=
                                                                      (side_of_centre(live, body.mesh, o, a, b) < 0);
        assert_int_equal(found.face_count, count);
        assert_int_equal(found.element_count, 0);
        total += count;
        tide_openings_free(&found);
    }
    assert_true(total > 50);
    // What is open does not open again; a short stroke beside it crosses nothing.
    const double a[2] = { -500, 216 }, b[2] = { 1100, 216 };
    assert_ok(tide_pick_openings(world, cloth, &view, a, b, &found, &error), error);
    assert_true(found.face_count > 0);
    give(live,
         (tide_input) {
             .kind = TIDE_INPUT_OPEN, .name = "cloth", .elements = found.faces, .element_count = found.face_count });
    tide_openings_free(&found);
    uint32_t vertices = body.vertex_count;
    assert_true(tide_world_body_info(world, cloth, &body) && body.vertex_count > vertices);
    assert_ok(tide_pick_openings(world, cloth, &view, a, b, &found, &error), error);
    assert_int_equal(found.face_count, 0);
    tide_openings_free(&found);
    assert_ok(
        tide_pick_openings(world, cloth, &view, (const double[]) { 0, 0 }, (const double[]) { 9, 9 }, &found, &error),
        error);
    assert_int_equal(found.face_count, 0);
    tide_openings_free(&found);
    tide_live_close(live);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_project_and_back),
    cmocka_unit_test(test_vertices),
    cmocka_unit_test(test_stroke),
};
TIDE_TEST_SUITE(session_pick, tests)
