// The engine behind the page, by its calls and messages: scripts/web/README.md specifies them.
#include "../session/live_scenes.h"
#include "app/json.h"
#include "app/web.h"

#include <inttypes.h>
#include <math.h>

static int begin(void **state)
{
    (void)state;
    return !tide_web_begin(320, 180, 1);
}

static int end(void **state)
{
    (void)state;
    tide_web_end();
    return 0;
}

static void assert_told(const char *messages, const char *part)
{
    if (strstr(messages, part))
        return;
    print_error("expected %s in\n%s\n", part, messages);
    fail();
}

static void open_cloth(const char *name, const char *more)
{
    if (!tide_web_open(write_scene(name, more), "", 0, 0, 0))
        fail_msg("%s", tide_web_take());
    tide_web_play(0);
}

static void append(const char *path, const char *text)
{
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

// Returns the hash that is told, in a buffer of its own.
static const char *told_hash(char hash[17])
{
    tide_web_take();
    tide_web_hash("");
    const char *at = strstr(tide_web_take(), "\"hash\":\"");
    assert_non_null(at);
    snprintf(hash, 17, "%.16s", at + strlen("\"hash\":\""));
    return hash;
}

// --- JSON ------------------------------------------------------------------------------------------------------------

static void test_json(void **state)
{
    (void)state;
    tide_text text = { 0 };
    tide_json_open(&text, NULL, '{');
    tide_json_string(&text, "a\"b", "line\n\ttab \\ \x01\x7f \xc3\xa9 \xff");
    tide_json_number(&text, "n", 0.1);
    tide_json_number(&text, "nan", NAN);
    tide_json_number(&text, "inf", -INFINITY);
    tide_json_count(&text, "c", UINT64_MAX);
    tide_json_boolean(&text, "t", true);
    tide_json_string(&text, "none", NULL);
    tide_json_numbers(&text, "l", (const double[]) { 1, -2.5 }, 2);
    tide_json_open(&text, "e", '[');
    tide_json_close(&text, ']');
    tide_json_close(&text, '}');
    assert_string_equal(text.bytes, "{\"a\\\"b\":\"line\\u000a\\u0009tab \\\\ \\u0001\\u007f \xc3\xa9 \\ufffd\","
                                    "\"n\":0.10000000000000001,\"nan\":null,\"inf\":null,\"c\":18446744073709551615,"
                                    "\"t\":true,\"none\":null,\"l\":[1,-2.5],\"e\":[]}");
    tide_text_free(&text);
}

// --- opening ---------------------------------------------------------------------------------------------------------

static void test_open(void **state)
{
    (void)state;
    const char *ready = tide_web_take();
    assert_told(ready, "\"type\":\"ready\"");
    assert_told(ready, "{\"name\":\"local_global\"");
    assert_told(ready, "\"name\":\"damping.mass\"");
    assert_told(ready, "\"option\":\"colour\"");
    tide_web_set("stiffness", "120");
    open_cloth("web_open.lua", "scene:collider(\"<b>\", { shape = \"box\" })");
    const char *opened = tide_web_take();
    assert_told(opened, "{\"name\":\"cloth\",\"vertices\":49,");
    assert_told(opened, "{\"name\":\"ball\",\"shape\":\"sphere\"}");
    assert_told(opened, "{\"name\":\"stiffness\",\"type\":\"number\",\"value\":120,\"initial\":80,\"minimum\":1,");
    assert_told(opened,
                "\"type\":\"solver\",\"pane\":0,\"name\":\"local_global\",\"text\":\"local_global,iterations=5");
    assert_told(opened, "\"iterations\":5");
    assert_told(opened, "\"type\":\"camera\"");
}

// The same hash as the same steps without the page; in the portable mode, that of the portable mode.
static void test_hash(void **state)
{
    (void)state;
    char hash[17], wanted[17];
    tide_live *live = open_scene(write_scene("web_hash.lua", ""), 0);
    take_steps(live, 12);
    snprintf(wanted, sizeof wanted, "%016" PRIx64, hash_of(live));
    tide_live_close(live);
    open_cloth("web_hash.lua", "");
    assert_int_equal(tide_web_step(12, 1e9), 12);
    assert_string_equal(told_hash(hash), wanted);
    tide_web_hash(wanted);
    assert_told(tide_web_take(), "\"frame\":12,\"hash\":");
    tide_web_hash(wanted);
    assert_told(tide_web_take(), "\"same\":true");
    tide_web_hash("0123456789abcdef");
    assert_told(tide_web_take(), "\"expected\":\"0123456789abcdef\",\"same\":false");
    assert_int_equal(tide_web_open(write_scene("web_hash.lua", ""), "", 0, 0, TIDE_WEB_PORTABLE), 1);
    tide_web_take();
    tide_web_hash("");
    assert_told(tide_web_take(), "\"portable\":true");
}

static void test_failed_opening(void **state)
{
    (void)state;
    char before[17], after[17];
    open_cloth("web_good.lua", "");
    tide_web_step(3, 1e9);
    told_hash(before);
    assert_int_equal(tide_web_open(write_scene("web_bad.lua", "local x = = 1"), "", 0, 0, 0), 0);
    const char *syntax = tide_web_take();
    assert_told(syntax, "\"type\":\"error\",\"where\":\"syntax\"");
    assert_told(syntax, "web_bad.lua\",\"line\":15");
    assert_int_equal(tide_web_open(write_scene("web_bad.lua", "error('own')"), "", 0, 0, 0), 0);
    assert_told(tide_web_take(), "\"where\":\"run\"");
    assert_int_equal(tide_web_open("/no/such/file.lua", "", 0, 0, 0), 0);
    assert_told(tide_web_take(), "\"type\":\"error\"");
    assert_int_equal(tide_web_open(write_scene("web_solver.lua", ""), "no_such_solver", 0, 0, 0), 0);
    assert_told(tide_web_take(), "no_such_solver");
    assert_string_equal(told_hash(after), before); // the experiment before goes on
    assert_int_equal(tide_web_step(1, 1e9), 1);
}

// --- changes ---------------------------------------------------------------------------------------------------------

static void test_reload(void **state)
{
    (void)state;
    char before[17], after[17];
    open_cloth("web_reload.lua", "");
    tide_web_step(7, 1e9);
    told_hash(before);
    const char *path = write_scene("web_reload.lua", "scene.title = 1 +");
    assert_int_equal(tide_web_reload(), 0);
    const char *failed = tide_web_take();
    assert_told(failed, "\"where\":\"syntax\"");
    assert_told(failed, "\"line\":16");
    assert_string_equal(told_hash(after), before);
    write_scene("web_reload.lua", "-- better");
    assert_int_equal(tide_web_reload(), 1);
    const char *good = tide_web_take();
    assert_told(good, "\"type\":\"mended\"");
    assert_told(good, "\"type\":\"good\",\"notice\":\"");
    assert_true(tide_web_frame() == 7); // positions, time and frame stay
    assert_string_equal(told_hash(after), before);
    append(path, "\n");
}

static void test_runtime_failures(void **state)
{
    (void)state;
    open_cloth("web_runtime.lua", "function scene.update() if scene.frame == 2 then local t = nil; t.x = 1 end end");
    tide_web_take();
    assert_int_equal(tide_web_step(5, 1e9), 2);
    const char *failed = tide_web_take();
    assert_told(failed, "\"where\":\"step\"");
    assert_told(failed, "\"line\":15");
    assert_int_equal(tide_web_step(1, 1e9), 0);
    assert_null(strstr(tide_web_take(), "\"type\":\"error\"")); // told once
    write_scene("web_runtime.lua", "");
    assert_int_equal(tide_web_reload(), 1);
    assert_told(tide_web_take(), "\"type\":\"mended\"");
    assert_int_equal(tide_web_step(1, 1e9), 1);
    open_cloth("web_draw.lua", "function scene.draw() error('no picture') end");
    assert_int_equal(tide_web_draw(), 1); // without the scene's own part
    assert_told(tide_web_take(), "\"where\":\"draw\"");
    assert_int_equal(tide_web_draw(), 1);
}

static void test_endless_loops(void **state)
{
    (void)state;
    open_cloth("web_loop.lua", "function scene.update() while true do end end");
    tide_web_take();
    assert_int_equal(tide_web_step(1, 1e9), 0);
    assert_told(tide_web_take(), "\"where\":\"step\"");
    open_cloth("web_loop.lua", "local function f() return pcall(f) or f() end\n"
                               "function scene.update() while true do pcall(error) end end");
    assert_int_equal(tide_web_step(1, 1e9), 0);
}

static void test_parameters_and_solvers(void **state)
{
    (void)state;
    open_cloth("web_parameters.lua", "");
    tide_web_step(2, 1e9);
    assert_int_equal(tide_web_parameter("stiffness", "300"), 1);
    assert_told(tide_web_take(), "\"value\":300");
    assert_true(tide_web_frame() == 2);
    assert_int_equal(tide_web_parameter("stiffness", "much"), 0);
    assert_told(tide_web_take(), "\"type\":\"error\"");
    assert_int_equal(tide_web_parameter("no such", "1"), 0);
    tide_web_take();
    assert_int_equal(tide_web_solver(0, "newton,iterations=3"), 1);
    const char *solver = tide_web_take();
    assert_told(solver, "\"name\":\"newton\"");
    assert_told(solver, "\"own\":false");
    assert_int_equal(tide_web_solver(0, "newtom"), 0);
    assert_told(tide_web_take(), "did you mean");
    assert_int_equal(tide_web_solver(0, ""), 1);
    assert_told(tide_web_take(), "\"own\":true");
    assert_int_equal(tide_web_timestep(0.01), 1);
    assert_told(tide_web_take(), "\"timestep\":0.01");
    assert_int_equal(tide_web_timestep(-1), 0);
    assert_int_equal(tide_web_timestep(NAN), 0);
}

// --- time ------------------------------------------------------------------------------------------------------------

static void test_time(void **state)
{
    (void)state;
    open_cloth("web_time.lua", "");
    assert_int_equal(tide_web_advance(1, 1e9), 0); // paused
    tide_web_play(1);
    assert_int_equal(tide_web_is_playing(), 1);
    assert_int_equal(tide_web_advance(0.0501, 1e9), 3);
    assert_int_equal(tide_web_advance(0.0001, 1e9), 0);
    assert_true(tide_web_advance(3600, 1e9) <= 16); // after an hour of sleep, a quarter of a second
    assert_int_equal(tide_web_advance(NAN, 1e9), 0);
    int slow = tide_web_advance(0.2, 0);
    assert_int_equal(slow, 1); // at most the budget, at least one step
    tide_web_speed(0.1);
    tide_web_play(0);
    tide_web_play(1);
    assert_int_equal(tide_web_advance(0.0501, 1e9), 0);
}

static void test_history(void **state)
{
    (void)state;
    char at_five[17], again[17];
    open_cloth("web_history.lua", "");
    tide_web_step(5, 1e9);
    told_hash(at_five);
    tide_web_step(10, 1e9);
    assert_int_equal(tide_web_seek(5), 1);
    assert_string_equal(told_hash(again), at_five);
    assert_int_equal(tide_web_seek(1e300), 1);
    assert_true(tide_web_frame() == 15);
    assert_int_equal(tide_web_seek(NAN), 1);
    assert_true(tide_web_frame() == 0);
    tide_web_step(5, 1e9);
    assert_string_equal(told_hash(again), at_five);
    assert_int_equal(tide_web_reset(), 1);
    assert_true(tide_web_frame() == 0);
}

static void test_snapshot(void **state)
{
    (void)state;
    char before[17], after[17];
    open_cloth("web_snapshot.lua", "");
    tide_web_step(6, 1e9);
    told_hash(before);
    tide_live *live = open_scene(write_scene("web_snapshot.lua", ""), 0);
    take_steps(live, 6);
    tide_text world = { 0 };
    tide_error error;
    assert_ok(tide_live_write_world(live, &world, &error), error);
    tide_live_close(live);
    tide_web_reset();
    assert_int_equal(tide_web_restore(world.bytes), 1);
    assert_string_equal(told_hash(after), before);
    assert_int_equal(tide_web_restore("springtide world 1\nno"), 0);
    assert_string_equal(told_hash(after), before);
    tide_web_snapshot();
    const char *told = tide_web_take();
    assert_told(told, "\"type\":\"snapshot\",\"frame\":6");
    assert_told(told, "\"world\":\"springtide world 1");
    tide_text_free(&world);
}

// --- console, panes, pointer -----------------------------------------------------------------------------------------

static void test_console(void **state)
{
    (void)state;
    open_cloth("web_console.lua", "");
    tide_web_take();
    assert_int_equal(tide_web_console("print(1 + 1, '<b>')"), 1);
    const char *printed = tide_web_take();
    assert_told(printed, "\"type\":\"print\",\"kind\":\"output\",\"text\":\"2\"");
    assert_told(printed, "<b>");
    assert_told(printed, "\"ok\":true,\"changed\":false,\"unfinished\":false");
    assert_int_equal(tide_web_console("scene:body('cloth'):set_velocity(25, 0, 2, 0)"), 1);
    assert_told(tide_web_take(), "\"changed\":true");
    assert_int_equal(tide_web_console("for i = 1, 2 do"), 0);
    assert_told(tide_web_take(), "\"unfinished\":true");
    assert_int_equal(tide_web_console("error('own')"), 0);
    const char *failed = tide_web_take();
    assert_told(failed, "\"type\":\"error\",\"where\":\"input\"");
    assert_told(failed, "\"file\":\"console\",\"line\":1");
    tide_web_complete("scene.fra", 7);
    const char *names = tide_web_take();
    assert_told(names, "\"id\":7");
    assert_told(names, "\"frame\"");
}

static void test_panes(void **state)
{
    (void)state;
    open_cloth("web_panes.lua", "");
    tide_web_take();
    assert_int_equal(tide_web_compare("newton,local_global", "", ""), 1);
    const char *panes = tide_web_take();
    assert_told(panes, "\"index\":0,\"label\":\"newton\"");
    assert_told(panes, "\"index\":1,\"label\":\"local_global\"");
    tide_web_step(3, 1e9);
    assert_int_equal(tide_web_draw(), 1);
    tide_web_tell_frame();
    assert_told(tide_web_take(), "\"type\":\"panes\"");
    assert_int_equal(tide_web_solver(1, "lbfgs"), 1);
    assert_told(tide_web_take(), "\"pane\":1,\"name\":\"lbfgs\"");
    tide_web_pointer("down", 250, 90, 0, 0);
    tide_web_pointer("move", 270, 90, 0, 0);
    tide_web_pointer("up", 270, 90, 0, 0);
    assert_int_equal(tide_web_end_comparing(1), 1);
    const char *after = tide_web_take();
    assert_told(after, "\"type\":\"panes\",\"list\":[]");
    assert_told(after, "\"name\":\"lbfgs\"");
    assert_int_equal(tide_web_compare("no_such", "", ""), 0);
    assert_told(tide_web_take(), "\"type\":\"error\"");
    assert_int_equal(tide_web_compare("", "", ""), 1);                // the usual ones
    assert_int_equal(tide_web_compare("", "stiffness=20,80", ""), 1); // in place of these
    assert_told(tide_web_take(), "stiffness = 80");
}

// A press on the cloth pulls it; on the ground behind it, it turns the view.
static void test_pointer(void **state)
{
    (void)state;
    open_cloth("web_pointer.lua", "");
    tide_web_step(1, 1e9);
    assert_int_equal(tide_web_draw(), 1);
    tide_web_take();
    bool held = false;
    for (int y = 20; y < 180 && !held; y += 20)
        for (int x = 20; x < 320 && !held; x += 20) {
            tide_web_pointer("down", x, y, 0, 0);
            tide_web_tell_frame();
            held = strstr(tide_web_take(), "\"kind\":\"drag\"");
            if (!held)
                tide_web_pointer("cancel", x, y, 0, 0);
            else
                tide_web_pointer("move", x + 30, y, 0, 0);
        }
    assert_true(held);
    tide_web_step(3, 1e9);
    tide_web_pointer("up", 0, 0, 0, 0);
    tide_web_tell_frame();
    assert_told(tide_web_take(), "\"marks\":[]");
    tide_web_pointer("down", 1, 1, 0, 0);
    tide_web_pointer("move", 60, 1, 0, 0);
    tide_web_pointer("up", 60, 1, 0, 0);
    assert_told(tide_web_take(), "\"type\":\"camera\"");
    tide_web_gesture(3, 4, 1.1, 0.1, 0);
    tide_web_wheel(100);
    assert_told(tide_web_take(), "\"type\":\"camera\"");
    tide_web_gesture(NAN, 0, 0, INFINITY, 0);
    tide_web_wheel(NAN);
    tide_web_pointer("down", NAN, 0, 0, 0);
    assert_string_equal(tide_web_take(), "");
    for (int tool = 0; tool < 5; tool++) {
        static const char *const names[] = { "look", "drag", "pin", "cut", "push" };
        assert_int_equal(tide_web_tool(names[tool], 0), 1);
        tide_web_pointer("down", 160, 60, 0, 0);
        tide_web_pointer("move", 170, 120, 0, 0);
        tide_web_step(1, 1e9);
        tide_web_pointer("up", 170, 120, 0, 0);
        tide_web_pointer("down", 160, 60, 0, 0);
        tide_web_pointer("up", 160, 60, 0, 0);
    }
    assert_int_equal(tide_web_tool("saw", 0), 0);
    tide_web_take();
    tide_web_key("x");
    assert_told(tide_web_take(), "no x");
}

static void test_view(void **state)
{
    (void)state;
    open_cloth("web_view.lua", "");
    tide_web_take();
    assert_int_equal(tide_web_view("colour", "strain"), 1);
    assert_told(tide_web_take(), "\"value\":\"strain\"");
    assert_int_equal(tide_web_view("contacts", "true"), 1);
    assert_int_equal(tide_web_view("contacts", "perhaps"), 0);
    assert_int_equal(tide_web_view("colour", "strian"), 0);
    assert_int_equal(tide_web_view("nothing", "true"), 0);
    assert_int_equal(tide_web_view("low", "1e999"), 0);
    tide_web_take();
    tide_web_resize(100.5, 1e9, 1);
    assert_int_equal(tide_web_draw(), 1);
    assert_int_equal(tide_web_width(), 100);
    assert_int_equal(tide_web_height(), 4096);
    tide_web_resize(NAN, -1, NAN);
    assert_int_equal(tide_web_draw(), 1);
    assert_int_equal(tide_web_width(), 16);
    assert_non_null(tide_web_pixels());
    tide_web_take();
    tide_web_camera("1 2 3 0 0 0 0 1 0 0.7");
    assert_told(tide_web_take(), "\"position\":[1,2,3]");
    tide_web_camera("1 2 3 1 2 3 0 1 0 0.7"); // a camera at its own target
    tide_web_camera("1 2 3");
    tide_web_camera("nan 2 3 0 0 0 0 1 0 0.7");
    assert_string_equal(tide_web_take(), "");
    tide_web_camera_to("fit");
    assert_told(tide_web_take(), "\"type\":\"camera\"");
}

static void test_without_experiment(void **state)
{
    (void)state;
    tide_web_take();
    assert_int_equal(tide_web_draw(), 0);
    assert_int_equal(tide_web_step(1, 1), 0);
    assert_int_equal(tide_web_advance(1, 1), 0);
    assert_int_equal(tide_web_reload(), 0);
    assert_int_equal(tide_web_reset(), 0);
    assert_int_equal(tide_web_seek(1), 0);
    assert_int_equal(tide_web_console("1"), 0);
    assert_int_equal(tide_web_compare("", "", ""), 0);
    assert_int_equal(tide_web_end_comparing(0), 0);
    assert_int_equal(tide_web_solver(0, "newton"), 0);
    assert_int_equal(tide_web_restore(""), 0);
    assert_int_equal(tide_web_export("x.png"), 0);
    tide_web_snapshot();
    tide_web_pointer("down", 1, 1, 0, 0);
    tide_web_key("x");
    tide_web_hash("");
    tide_web_tell_frame();
    tide_web_camera_to("fit");
    assert_string_equal(tide_web_take(), "");
}

static void test_export(void **state)
{
    (void)state;
    static const char *const endings[] = { "png", "obj", "ply", "vtk", "mesh", "world" };
    char path[300];
    open_cloth("web_export.lua", "");
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        snprintf(path, sizeof path, "%s/web_export.%s", tide_test_folder(), endings[i]);
        assert_int_equal(tide_web_export(path), 1);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        fclose(file);
    }
    assert_int_equal(tide_web_export("web_export.exe"), 0);
    assert_told(tide_web_take(), "\"type\":\"error\"");
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, begin, end)
static const struct CMUnitTest tests[] = {
    CASE(test_json),          CASE(test_open),
    CASE(test_hash),          CASE(test_failed_opening),
    CASE(test_reload),        CASE(test_runtime_failures),
    CASE(test_endless_loops), CASE(test_parameters_and_solvers),
    CASE(test_time),          CASE(test_history),
    CASE(test_snapshot),      CASE(test_console),
    CASE(test_panes),         CASE(test_pointer),
    CASE(test_view),          CASE(test_without_experiment),
    CASE(test_export),
};
TIDE_TEST_SUITE(web, tests)
