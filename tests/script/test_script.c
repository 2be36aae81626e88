// tide_script: opening, stepping, callbacks, parameters, reloading.
#include "script/script.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "linear/failing.h"
#include "script_files.h"

#include <math.h>
#include <string.h>

static tide_script *open_text(const char *text)
{
    tide_error error;
    tide_script *script = NULL;
    assert_ok(tide_script_open(write_script("script.lua", text), NULL, &script, &error), error);
    return script;
}

static uint64_t hash_of(tide_script *script)
{
    uint64_t hash = 0;
    tide_error error;
    assert_ok(tide_world_hash(tide_script_world(script), &hash, &error), error);
    return hash;
}

static void test_open_fails_with_the_place(void **state)
{
    (void)state;
    tide_error error;
    tide_script *script = NULL;
    assert_fails(tide_script_open("no/such.lua", NULL, &script, &error), error, "no/such.lua: cannot be read");
    assert_int_equal(error.status, TIDE_ERROR_FILE);
    assert_fails(tide_script_open("", NULL, &script, &error), error, "script: path = \"\": expected the name");
    const char *path = write_script("bad.lua", "local x\nx = = 1\n");
    assert_fails(tide_script_open(path, NULL, &script, &error), error, "unexpected symbol");
    assert_int_equal(error.status, TIDE_ERROR_SCRIPT);
    assert_non_null(strstr(error.where, "bad.lua:2"));
    path = write_script("bad.lua", CLOTH "scene:body('ball', { stifness = 1 })\nreturn scene");
    assert_fails(tide_script_open(path, NULL, &script, &error), error, "did you mean \"stiffness\"?");
    assert_string_equal(error.object, "body \"ball\"");
    assert_string_equal(error.field, "stifness");
    assert_non_null(strstr(error.where, "bad.lua:7"));
    path = write_script("bad.lua", CLOTH);
    assert_fails(tide_script_open(path, NULL, &script, &error), error, "the script returned nil");
    tide_script_options options = { .timestep = -1 };
    assert_fails(tide_script_open(path, &options, &script, &error), error, "script: timestep = -1: expected");
    assert_null(script);
}

static void test_options(void **state)
{
    (void)state;
    tide_error error;
    tide_script *script;
    const char *path = write_script("script.lua", CLOTH "return scene");
    tide_setting settings[] = { { "stiffness", "50" }, { "stiffness", "200" } };
    tide_script_options options = {
        .settings = settings, .setting_count = 2, .solver = "local_global,iterations=3", .timestep = 0.125, .seed = 7
    };
    assert_ok(tide_script_open(path, &options, &script, &error), error);
    assert_near(tide_world_get_settings(tide_script_world(script))->timestep, 0.125, 0);
    assert_ok(tide_script_step(script, &error), error);
    assert_int_equal(tide_world_report(tide_script_world(script))->iterations, 3);
    assert_int_equal(tide_script_param_count(script), 1);
    const tide_param *param = tide_script_param_at(script, 0);
    assert_string_equal(param->name, "stiffness");
    assert_string_equal(param->unit, "N/m");
    assert_string_equal(param->help, "k");
    assert_string_equal(param->text, "200");
    assert_int_equal(param->type, TIDE_PARAM_NUMBER);
    assert_near(param->number, 200, 0);
    assert_near(param->initial, 100, 0);
    assert_near(param->minimum, 1, 0);
    assert_near(param->maximum, 1e4, 0);
    assert_true(param->logarithmic);
    assert_null(param->choices);
    assert_null(tide_script_param_at(script, 1));
    tide_script_close(script);
    settings[1].name = "stifness";
    assert_fails(tide_script_open(path, &options, &script, &error), error,
                 "set: stifness = 200: the script has no such parameter; did you mean \"stiffness\"?");
}

static void test_view(void **state)
{
    (void)state;
    tide_script *script = open_text(CLOTH "return scene");
    assert_string_equal(tide_script_title(script), "Cloth");
    const tide_scene_view *view = tide_script_view(script);
    assert_false(view->has_camera);
    assert_true(view->automatic_ground && !view->stage.has_ground); // drawn at a floor, if there is one
    tide_script_close(script);
    script = open_text(CLOTH "scene.ground = -1\nscene.background = { 1, 0, 0.5 }\n"
                             "scene.camera = { position = { 1, 2, 3 }, field_of_view = 0.5 }\nreturn scene");
    view = tide_script_view(script);
    assert_true(view->has_camera && view->stage.has_ground && !view->automatic_ground);
    assert_near((double)view->stage.ground_height, -1, 0);
    assert_near((double)view->camera.position[2], 3, 0);
    assert_near((double)view->camera.up[1], 1, 0);
    assert_near((double)view->camera.field_of_view, 0.5, 0);
    assert_near((double)view->stage.background_top.b, 0.5, 0);
    tide_script_close(script);
    script = open_text("local tide = require 'springtide'\n"
                       "return tide.scene { gravity = { 0, 0, -9.81 }, camera = { position = { 1, 2, 3 } } }");
    view = tide_script_view(script);
    assert_near((double)view->camera.up[1], 0, 0);
    assert_near((double)view->camera.up[2], 1, 0);
    tide_script_close(script);
}

#define UPDATE                                                                                                         \
    "function scene.update(dt)\n"                                                                                      \
    "  scene.state.calls = (scene.state.calls or 0) + 1\n"                                                             \
    "  cloth:force(13, 0, 0, math.random())\n"                                                                         \
    "end\n"

static void test_same_hash_for_any_threads(void **state)
{
    (void)state;
    tide_error error;
    uint64_t hashes[2];
    for (int threads = 1; threads <= 2; threads++) {
        tide_set_threads(threads);
        tide_script *script = open_text(CLOTH UPDATE "return scene");
        for (int i = 0; i < 10; i++)
            assert_ok(tide_script_step(script, &error), error);
        hashes[threads - 1] = hash_of(script);
        tide_script_close(script);
    }
    tide_set_threads(1);
    assert_int_equal(hashes[0], hashes[1]);
}

static void test_update_that_throws(void **state)
{
    (void)state;
    tide_error error;
    tide_script *script = open_text(CLOTH "function scene.update()\n  if scene.frame == 2 then error('windless') end\n"
                                          "end\nreturn scene");
    assert_ok(tide_script_step(script, &error), error);
    assert_ok(tide_script_step(script, &error), error);
    uint64_t hash = hash_of(script);
    assert_fails(tide_script_step(script, &error), error, "script.lua:8: windless");
    assert_int_equal(error.status, TIDE_ERROR_SCRIPT);
    assert_int_equal(hash_of(script), hash);
    assert_int_equal(tide_world_frame(tide_script_world(script)), 2);
    tide_script_close(script);
}

static void test_callbacks(void **state)
{
    (void)state;
    tide_error error;
    tide_script *script = open_text(CLOTH "local kept\n"
                                          "function scene.draw(canvas)\n"
                                          "  kept = canvas\n"
                                          "  canvas:colour(1, 0.5, 0)\n"
                                          "  canvas:line(0, 0, 0, 1, 2, 3)\n"
                                          "  canvas:point(1, 2, 3, 5)\n"
                                          "  canvas:colour(0, 0, 1, 0.25)\n"
                                          "  canvas:text(10, 20, 'frame ' .. scene.frame)\n"
                                          "  canvas:label(1, 2, 3, canvas.width + canvas.height, 30)\n"
                                          "end\n"
                                          "function scene.keypressed(key)\n"
                                          "  if key == 'k' then kept:point(0, 0, 0) end\n"
                                          "  scene.title = key\n"
                                          "end\n"
                                          "function scene.mousepressed(x, y, button)\n"
                                          "  scene.title = ('%g %g %d'):format(x, y, button)\n"
                                          "end\n"
                                          "function scene.quit() scene.title = 'quit' end\n"
                                          "return scene");
    tide_draw_list list = { 0 };
    assert_ok(tide_script_draw(script, &list, 640, 360, &error), error);
    assert_int_equal(list.line_count, 1);
    assert_int_equal(list.point_count, 1);
    assert_int_equal(list.label_count, 2);
    assert_near((double)list.lines[0].to[2], 3, 0);
    assert_near((double)list.lines[0].colour.g, 0.5, 0);
    assert_near((double)list.points[0].size, 5, 0);
    assert_string_equal(list.labels[0].text, "frame 0");
    assert_true(list.labels[0].on_screen);
    assert_near((double)list.labels[0].colour.a, 0.25, 0);
    assert_string_equal(list.labels[1].text, "1000");
    assert_false(list.labels[1].on_screen);
    assert_near((double)list.labels[1].size, 30, 0);
    tide_draw_list_free(&list);
    assert_fails(tide_script_key_pressed(script, "k", &error), error,
                 "canvas: it can be drawn on only while scene.draw runs");
    assert_ok(tide_script_key_pressed(script, "space", &error), error);
    assert_string_equal(tide_script_title(script), "space");
    assert_ok(tide_script_mouse_pressed(script, 1.5, 2, 3, &error), error);
    assert_string_equal(tide_script_title(script), "1.5 2 3");
    assert_ok(tide_script_quit(script, &error), error);
    assert_string_equal(tide_script_title(script), "quit");
    tide_script_close(script);
    script = open_text(CLOTH "return scene");
    assert_ok(tide_script_draw(script, &list, 640, 360, &error), error);
    assert_ok(tide_script_key_pressed(script, "a", &error), error);
    assert_ok(tide_script_mouse_pressed(script, 0, 0, 1, &error), error);
    assert_ok(tide_script_quit(script, &error), error);
    tide_script_close(script);
}

static void test_canvas_refuses(void **state)
{
    (void)state;
    tide_error error;
    static const struct {
        const char *call, *message;
    } cases[] = {
        { "canvas:colour(2, 0, 0)", "canvas: colour = 2: expected numbers from 0 to 1" },
        { "canvas:line(0, 0, 0, 1, 0/0, 0)", "canvas: line = nan: expected a finite number" },
        { "canvas:point(0, 0, 0, -1)", "canvas: point (size) = -1: expected a size" },
        { "canvas:text(0, 'a', 'b')", "canvas: text (y) = \"a\": expected a finite number" },
        { "canvas:text(0, 0)", "value expected" },
        { "canvas:circle()", "canvas: circle: unknown" },
        { "canvas.line()", "call it with a colon" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text, CLOTH "function scene.draw(canvas) %s end\nreturn scene", cases[i].call);
        tide_script *script = open_text(text);
        tide_draw_list list = { 0 };
        assert_fails(tide_script_draw(script, &list, 640, 360, &error), error, cases[i].message);
        assert_non_null(strstr(error.where, "script.lua:7"));
        tide_draw_list_free(&list);
        tide_script_close(script);
    }
}

static void test_reload(void **state)
{
    (void)state;
    tide_error error;
    tide_reconciliation reconciliation;
    tide_script *script = open_text(CLOTH UPDATE "return scene");
    for (int i = 0; i < 5; i++)
        assert_ok(tide_script_step(script, &error), error);
    uint64_t hash = hash_of(script);
    tide_body_id id = tide_world_find_body(tide_script_world(script), "cloth");
    assert_ok(tide_script_reload(script, NULL, &reconciliation, &error), error);
    assert_int_equal(reconciliation.kept, 1);
    assert_false(reconciliation.refactored);
    assert_int_equal(hash_of(script), hash);

    write_script("script.lua", "return = 1");
    assert_fails(tide_script_reload(script, NULL, &reconciliation, &error), error, "script.lua:1: ");
    write_script("script.lua", CLOTH "scene:bdy('x')\nreturn scene");
    assert_fails(tide_script_reload(script, NULL, &reconciliation, &error), error, "did you mean \"body\"?");
    assert_int_equal(hash_of(script), hash);
    assert_string_equal(tide_script_title(script), "Cloth");

    tide_setting setting = { "stiffness", "300" };
    tide_script_options options = { .settings = &setting, .setting_count = 1 };
    write_script("script.lua", CLOTH "scene.title = 'Again'\nscene.state.wind = 1\n" UPDATE "return scene");
    assert_ok(tide_script_reload(script, &options, &reconciliation, &error), error);
    assert_int_equal(reconciliation.kept, 1);
    assert_true(reconciliation.refactored);
    assert_string_equal(tide_script_title(script), "Again");
    assert_near(tide_script_param_at(script, 0)->number, 300, 0);
    tide_world *world = tide_script_world(script);
    assert_int_equal(tide_world_frame(world), 5);
    tide_body_info info;
    assert_true(tide_world_body_info(world, id, &info));
    assert_ok(tide_script_step(script, &error), error);
    tide_script_close(script);
}

static void test_reload_refuses_a_state_that_is_not_plain(void **state)
{
    (void)state;
    tide_error error;
    tide_script *script = open_text(CLOTH "function scene.keypressed(key)\n"
                                          "  if key == 'a' then scene.state.f = print else scene.state.f = 1 end\n"
                                          "end\nreturn scene");
    assert_ok(tide_script_key_pressed(script, "a", &error), error);
    assert_fails(tide_script_reload(script, NULL, NULL, &error), error, "scene: state.f = a function: expected plain");
    assert_fails(tide_script_step(script, &error), error, "state.f = a function");
    assert_ok(tide_script_key_pressed(script, "b", &error), error);
    assert_ok(tide_script_reload(script, NULL, NULL, &error), error);
    assert_ok(tide_script_step(script, &error), error);
    tide_script_close(script);
}

// Hundreds of reloads, each with a mesh of its own: memory stays where it was.
static void test_reloads_do_not_grow_memory(void **state)
{
    (void)state;
    tide_error error;
    static const char text[] = CLOTH "local n = tide.param('n', 2)\n"
                                     "scene:body('other', { mesh = tide.mesh.grid { columns = n, rows = 9 } })\n"
                                     "local kept = {}\n"
                                     "function scene.update() kept[#kept + 1] = scene:snapshot() end\nreturn scene";
    tide_script *script = open_text(text);
    size_t before = 0;
    const uint32_t sizes = tide_test_count(100, 20);
    for (uint32_t i = 0; i < 3 * sizes; i++) {
        char value[16];
        snprintf(value, sizeof value, "%u", 2 + i % sizes);
        tide_setting setting = { "n", value };
        tide_script_options options = { .settings = &setting, .setting_count = 1 };
        assert_ok(tide_script_reload(script, &options, NULL, &error), error);
        assert_ok(tide_script_step(script, &error), error);
        if (i == sizes - 1)
            before = tide_memory_count().bytes;
    }
    size_t after = tide_memory_count().bytes;
    assert_true(after < before + before / 10);
    tide_script_close(script);
}

static void test_everything_is_freed(void **state)
{
    (void)state;
    tide_error error;
    uint64_t blocks = tide_memory_count().blocks;
    tide_script *script = open_text(CLOTH UPDATE "scene.keypressed = function() scene:fork():step() end\nreturn scene");
    assert_ok(tide_script_step(script, &error), error);
    assert_ok(tide_script_key_pressed(script, "x", &error), error);
    assert_ok(tide_script_reload(script, NULL, NULL, &error), error);
    tide_script_close(script);
    tide_script_close(NULL);
    assert_int_equal(tide_memory_count().blocks, blocks);
}

static void test_steady_steps_allocate_nothing(void **state)
{
    (void)state;
    tide_error error;
    tide_script *script = open_text(CLOTH "function scene.update(dt)\n  cloth:force(7, 0, dt, 0)\nend\nreturn scene");
    for (int i = 0; i < 20; i++)
        assert_ok(tide_script_step(script, &error), error);
    uint64_t allocations = tide_memory_count().allocations;
    for (int i = 0; i < 50; i++)
        assert_ok(tide_script_step(script, &error), error);
    assert_int_equal(tide_memory_count().allocations, allocations);
    tide_script_close(script);
}

// --- memory runs out ------------------------------------------------------------------------------------------------

// Opens, steps and reloads with the n-th allocation failing; every failure must say so and leave nothing behind.
static bool survives(uint64_t n, bool for_ever, const char *path)
{
    tide_error error = { 0 };
    tide_script *script = NULL;
    uint64_t blocks = tide_memory_count().blocks;
    failing_allocation failing = { .left = n, .for_ever = for_ever };
    tide_memory_set_failure_hook(fail_in_turn, &failing);
    tide_status status = tide_script_open(path, NULL, &script, &error);
    if (status == TIDE_OK)
        status = tide_script_step(script, &error);
    if (status == TIDE_OK)
        status = tide_script_reload(script, NULL, NULL, &error);
    if (status == TIDE_OK)
        status = tide_script_key_pressed(script, "x", &error);
    tide_memory_set_failure_hook(NULL, NULL);
    if (status != TIDE_OK && status != TIDE_ERROR_MEMORY)
        assert_ok(status, error);
    if (status != TIDE_OK && script) {
        assert_ok(tide_script_step(script, &error), error);
        assert_ok(tide_script_reload(script, NULL, NULL, &error), error);
    }
    tide_script_close(script);
    assert_int_equal(tide_memory_count().blocks, blocks);
    return status == TIDE_OK;
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    const char *path =
        write_script("script.lua", CLOTH "scene:body('s', { mesh = tide.mesh.strand { points = 3, to = { 1, 0, 0 } },\n"
                                         "  springs = { { 1, 2, 3 } }, masses = { 1, 1, 1 } })\n" UPDATE
                                         "function scene.keypressed() local s = scene:snapshot(); scene:restore(s)\n"
                                         "  scene:fork():step(); scene:system():hessian(scene:system():positions())\n"
                                         "end\nreturn scene");
    uint64_t n = 0;
    for (; !survives(n, true, path); n += (1 + n / 64) * tide_test_count(1, 4))
        assert_true(n < 100000);
    assert_true(n > 500);
    uint64_t last = n;
    for (n = 0; n < last; n += tide_test_count(7, 41))
        survives(n, false, path); // Lua collects garbage and tries again: it may well succeed
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_open_fails_with_the_place),
    cmocka_unit_test(test_options),
    cmocka_unit_test(test_view),
    cmocka_unit_test(test_same_hash_for_any_threads),
    cmocka_unit_test(test_update_that_throws),
    cmocka_unit_test(test_callbacks),
    cmocka_unit_test(test_canvas_refuses),
    cmocka_unit_test(test_reload),
    cmocka_unit_test(test_reload_refuses_a_state_that_is_not_plain),
    cmocka_unit_test(test_reloads_do_not_grow_memory),
    cmocka_unit_test(test_everything_is_freed),
    cmocka_unit_test(test_steady_steps_allocate_nothing),
    cmocka_unit_test(test_memory_runs_out),
};
TIDE_TEST_SUITE(script, tests)
