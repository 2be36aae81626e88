// Elements other than springs in a live experiment: cut by a stroke, replayed, and named when they explode.
#include "live_scenes.h"

#include "session/live_pick.h"
#include "session/replay.h"
#include "world/cuts.h"

enum { PLENTY = 64 << 20 };
static tide_error error;

// The cloth of write_scene, whose triangles keep their area. It has 120 edges and 72 triangles.
static const char *write_areas(const char *name, const char *more)
{
    char text[512];
    snprintf(
        text, sizeof text,
        "local areas = scene:body(\"areas\", { mesh = tide.mesh.grid { columns = 7, rows = 7, width = 1, height = 1 }"
        ":translate(0, 2, 0), mass = 1, self_collide = false,\n"
        "  elements = { { \"area_spring\", on = \"triangles\", stiffness = 1000 * stiffness } } %s })\n"
        "areas:pin { 1, 7 }\n"
        "function scene.keypressed() areas:cut { plane = { normal = { 0, 0, 1 }, offset = 0.4 } } end\n",
        more);
    return write_scene(name, text);
}

static const tide_elements *groups_of(tide_live *live, tide_body_info *body)
{
    tide_world *world = tide_live_world(live);
    const tide_elements *groups;
    uint32_t count;
    tide_body_id id = tide_world_find_body(world, "areas");
    assert_true(tide_world_body_info(world, id, body));
    assert_ok(tide_world_groups(world, id, &groups, &count, &error), error);
    assert_int_equal(count, body->group_count - (body->spring_count == 0));
    return groups;
}

// A stroke from above opens the edges between triangles on both sides of it; the other cloth stays whole.
static void test_stroke(void **state)
{
    (void)state;
    const tide_draw_camera camera = {
        .position = { 0.5f, 6, 0.6f }, .target = { 0.5f, 2, 0.5f }, .up = { 0, 1, 0 }, .field_of_view = 0.7f
    };
    const tide_pick_view view = { &camera, 640, 360 };
    tide_live *live = open_scene(write_areas("areas.lua", ""), PLENTY);
    tide_world *world = tide_live_world(live);
    tide_body_id id = tide_world_find_body(world, "areas");
    tide_body_info body;
    const tide_elements *group = groups_of(live, &body);
    assert_int_equal(body.element_count, 72);
    double ends[2][2], across[2];
    // From beside vertex 21 to beside vertex 27, through the row of cells between vertices 21 ... 27 and 28 ... 34.
    for (int e = 0; e < 2; e++)
        assert_true(tide_pick_project(&view, tide_world_positions(world, id) + (e ? 81 : 63), ends[e]));
    assert_true(tide_pick_project(&view, tide_world_positions(world, id) + 84, across));
    double a[2], b[2];
    for (int k = 0; k < 2; k++) {
        double half = 0.5 * (across[k] - ends[0][k]);
        a[k] = ends[0][k] + half - 0.1 * (ends[1][k] - ends[0][k]);
        b[k] = ends[1][k] + half + 0.1 * (ends[1][k] - ends[0][k]);
    }
    tide_openings found;
    assert_ok(tide_pick_openings(world, id, &view, a, b, &found, &error), error);
    assert_int_equal(found.element_count, 0);
    give(live,
         (tide_input) {
             .kind = TIDE_INPUT_OPEN, .name = "areas", .elements = found.faces, .element_count = found.face_count });
    tide_openings_free(&found);
    group = groups_of(live, &body);
    // No triangle is lost. A vertex of each column is there twice, and no triangle has vertices of both pieces.
    assert_int_equal(body.vertex_count, 49 + 7);
    assert_int_equal(body.triangle_count, 72);
    assert_int_equal(body.element_count, 72);
    for (uint32_t e = 0; e < 72; e++)
        for (size_t c = 0; c < 3; c++)
            assert_int_equal(group->vertices[3 * (size_t)e + c], body.first_particle + body.mesh->triangles[3 * e + c]);
    assert_ok(tide_pick_openings(world, id, &view, a, b, &found, &error), error);
    assert_int_equal(found.face_count, 0);
    tide_openings_free(&found);
    assert_true(tide_world_body_info(world, tide_world_find_body(world, "cloth"), &body));
    assert_int_equal(body.vertex_count, 49);
    // The lower part falls freely from here on, also after a reload, and is joined again by going back.
    take_steps(live, 20);
    give(live, (tide_input) { .kind = TIDE_INPUT_RELOAD });
    world = tide_live_world(live);
    groups_of(live, &body);
    assert_int_equal(body.vertex_count, 49 + 7);
    take_steps(live, 10);
    assert_near(tide_world_positions(world, id)[3 * 48 + 1], 2 - 9.81 * 30 * 31 / 2 / 3600, 1e-3);
    give(live, (tide_input) { .kind = TIDE_INPUT_RESET });
    groups_of(live, &body);
    assert_int_equal(body.vertex_count, 49);
    tide_live_close(live);
}

// Ends a recording of `states` verified states and plays it, without the file of the scene: to the same hash at the
// end.
static void end_and_replay(tide_live *live, tide_recorder *recorder, const char *path, const char *scene,
                           uint64_t states)
{
    tide_replay *replay;
    tide_live *again;
    tide_body_info body;
    groups_of(live, &body);
    uint32_t vertices = body.vertex_count;
    uint64_t hash = hash_of(live);
    assert_ok(tide_recorder_close(recorder, &error), error);
    tide_live_close(live);
    remove(scene);
    assert_ok(tide_replay_open(path, true, 5, &replay, &again, &error), error);
    while (!tide_replay_is_over(replay))
        assert_ok(tide_replay_step(replay, again, &error), error);
    assert_int_equal(tide_replay_checked(replay), states);
    assert_true(hash_of(again) == hash);
    groups_of(again, &body);
    assert_int_equal(body.vertex_count, vertices);
    tide_replay_close(replay);
    tide_live_close(again);
}

// A run with another stiffness, cuts by a tool and by a key, and a reload gives the same hashes again.
static void test_replay(void **state)
{
    (void)state;
    char path[256];
    snprintf(path, sizeof path, "%s/areas.replay", tide_test_folder());
    const char *scene = write_areas("replayed.lua", ", stiffness = 5");
    tide_live *live = open_scene(scene, PLENTY);
    tide_recorder *recorder;
    assert_ok(tide_recorder_open(path, live, &recorder, &error), error);
    take_steps(live, 5);
    give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "120" });
    take_steps(live, 5);
    const uint32_t cut[] = { 3, 150, 191 }; // an edge and two triangles
    give(live, (tide_input) { .kind = TIDE_INPUT_CUT, .name = "areas", .elements = cut, .element_count = 3 });
    take_steps(live, 5);
    give(live, (tide_input) { .kind = TIDE_INPUT_KEY, .text = "c" });
    tide_body_info body;
    groups_of(live, &body);
    assert_int_equal(body.vertex_count, 49 + 7);
    give(live, (tide_input) { .kind = TIDE_INPUT_RELOAD });
    take_steps(live, 5);
    end_and_replay(live, recorder, path, scene, 21);
}

// Tears by strain, without any input that makes them: forth, back before them and forth again, over a reload and over
// another stiffness. The recording gives the same hash after every step, with the same tears.
static void test_torn_replay(void **state)
{
    (void)state;
    char path[256];
    snprintf(path, sizeof path, "%s/torn.replay", tide_test_folder());
    const char *scene = write_areas("torn.lua", ", stiffness = 20, tear = { strain = 0.25 }");
    tide_live *live = open_scene(scene, PLENTY);
    tide_recorder *recorder;
    tide_body_info body;
    assert_ok(tide_recorder_open(path, live, &recorder, &error), error);
    take_steps(live, 20);
    groups_of(live, &body);
    uint32_t torn = body.vertex_count;
    assert_true(torn > 49);
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 2 });
    groups_of(live, &body);
    assert_int_equal(body.vertex_count, 49);
    take_steps(live, 18);
    groups_of(live, &body);
    assert_int_equal(body.vertex_count, torn);
    give(live, (tide_input) { .kind = TIDE_INPUT_RELOAD });
    take_steps(live, 10);
    give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "60" });
    take_steps(live, 10);
    groups_of(live, &body);
    assert_true(body.vertex_count >= torn);
    assert_int_equal(body.triangle_count, 72);
    end_and_replay(live, recorder, path, scene, 59);
}

static void test_explosion(void **state)
{
    (void)state;
    const char *scene = write_areas("burst.lua", "");
    tide_live *live = open_scene(scene, PLENTY);
    give(live, (tide_input) { .kind = TIDE_INPUT_SOLVER, .text = "explicit_euler,substep=0.0166" });
    int steps = 0;
    for (; tide_live_step(live, &error) == TIDE_OK && steps < 300; steps++)
        ;
    assert_true(steps < 300 && tide_live_failure(live)->exploded && tide_live_failure(live)->has_other);
    assert_string_equal(error.object, "body \"areas\"");
    assert_non_null(strstr(error.remedy, " the triangle "));
    assert_non_null(strstr(error.remedy, " times its rest area. This is frame "));
    assert_non_null(strstr(error.where, "burst.lua:15"));
    tide_live_close(live);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_stroke),
    cmocka_unit_test(test_replay),
    cmocka_unit_test(test_torn_replay),
    cmocka_unit_test(test_explosion),
};
TIDE_TEST_SUITE(session_elements, tests)
