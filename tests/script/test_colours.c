// body:colour, as the program asks for it.
#include "script/script.h"

#include "base/memory.h"
#include "linear/failing.h"
#include "script_files.h"

#include <math.h>
#include <string.h>

static tide_error error;

static tide_script *open_text(const char *text)
{
    tide_script *script = NULL;
    assert_ok(tide_script_open(write_script("colours.lua", text), NULL, &script, &error), error);
    return script;
}

static const tide_body_numbers *colours_of(tide_script *script, uint32_t expected)
{
    const tide_body_numbers *numbers;
    uint32_t count;
    assert_ok(tide_script_colours(script, &numbers, &count, &error), error);
    assert_int_equal(count, expected);
    return numbers;
}

static void test_numbers(void **state)
{
    (void)state;
    tide_script *script = open_text(
        CLOTH "cloth:colour(function(i) return i + scene.time end, { low = -1, high = 30, name = 'age', unit = 's' })\n"
              "local rope = scene:body('rope', { mesh = tide.mesh.strand { points = 3, to = { 1, 0, 0 } } })\n"
              "rope:colour(function(i) return i == 2 and 0 / 0 or -i end)\n"
              "scene:body('plain', { mesh = tide.mesh.strand { points = 2, to = { 1, 0, 0 } } })\n"
              "function scene.keypressed(key)\n"
              "  if key == 'x' then rope:colour(nil) else cloth:colour(function() return 'red' end) end\n"
              "end\nreturn scene");
    const tide_body_numbers *numbers = colours_of(script, 2);
    assert_int_equal(numbers[0].count, 25);
    assert_near(numbers[0].values[24], 25, 0);
    assert_near(numbers[0].low, -1, 0);
    assert_near(numbers[0].high, 30, 0);
    assert_string_equal(numbers[0].name, "age");
    assert_string_equal(numbers[0].unit, "s");
    assert_int_equal(numbers[1].count, 3);
    assert_near(numbers[1].values[2], -3, 0);
    assert_true(isnan(numbers[1].values[1]) && numbers[1].low == numbers[1].high);
    assert_string_equal(numbers[1].name, "");
    tide_body_info info;
    assert_true(tide_world_body_info(tide_script_world(script), numbers[1].body, &info));
    assert_string_equal(info.name, "rope");
    assert_ok(tide_script_step(script, &error), error);
    numbers = colours_of(script, 2); // found anew
    assert_near(numbers[0].values[0], 1 + tide_world_time(tide_script_world(script)), 1e-12);
    assert_ok(tide_script_reload(script, NULL, NULL, &error), error);
    numbers = colours_of(script, 2);
    assert_near(numbers[0].values[0], 1 + tide_world_time(tide_script_world(script)), 1e-12);
    assert_ok(tide_script_key_pressed(script, "x", &error), error);
    colours_of(script, 1);
    assert_ok(tide_script_key_pressed(script, "y", &error), error);
    uint32_t count = 7;
    assert_fails(tide_script_colours(script, &numbers, &count, &error), error, "expected a number from the function");
    assert_string_equal(error.object, "body \"cloth\"");
    assert_int_equal(count, 0);
    assert_ok(tide_script_step(script, &error), error); // and goes on
    tide_script_close(script);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *call, *part;
    } refused[] = { { "cloth:colour(3)", "expected a function(i)" },
                    { "cloth:colour(print, { lo = 1 })", "did you mean \"low\"?" },
                    { "cloth:colour(print, { low = 2, high = 1 })", "low is above high" },
                    { "cloth:colour(print, { high = 1 / 0 })", "high" } };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char text[1024];
        tide_script *script = NULL;
        snprintf(text, sizeof text, "%s%s\nreturn scene", CLOTH, refused[i].call);
        const char *path = write_script("colours.lua", text);
        assert_fails(tide_script_open(path, NULL, &script, &error), error, refused[i].part);
        assert_non_null(strstr(error.where, "colours.lua:7"));
    }
}

static void test_functions_that_go_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *body, *part;
    } wrong[] = { { "error('no colour')", "no colour" },
                  { "while true do end", "stopped: it took more than 0.05 s" },
                  { "scene:body('new', { mesh = tide.mesh.strand { points = 2, to = { 1, 0, 0 } } })",
                    "cannot be added" } };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[1024];
        tide_script *script = NULL;
        const tide_body_numbers *numbers;
        uint32_t count;
        snprintf(text, sizeof text, "%scloth:colour(function(i) %s end)\nreturn scene", CLOTH, wrong[i].body);
        assert_ok(tide_script_open(write_script("colours.lua", text), NULL, &script, &error), error);
        tide_script_set_time_limit(script, strstr(wrong[i].body, "while") ? 0.05 : 0);
        assert_fails(tide_script_colours(script, &numbers, &count, &error), error, wrong[i].part);
        tide_script_set_time_limit(script, 0);
        assert_int_equal(count, 0);
        assert_non_null(strstr(error.where, "colours.lua:7"));
        assert_ok(tide_script_step(script, &error), error);
        tide_script_close(script);
    }
}

static void test_forks_have_functions_of_their_own(void **state)
{
    (void)state;
    tide_script *script = open_text(CLOTH "cloth:colour(function(i) return i end)\n"
                                          "local fork = scene:fork()\n"
                                          "fork:body('cloth'):colour(nil)\nreturn scene");
    assert_near(colours_of(script, 1)->values[3], 4, 0);
    tide_script_close(script);
    script = open_text(CLOTH "cloth:colour(function(i) return i end)\nreturn scene:fork()");
    assert_near(colours_of(script, 1)->values[3], 4, 0);
    tide_script_close(script);
}

static void test_memory(void **state)
{
    (void)state;
    tide_script *script = open_text(CLOTH "cloth:colour(function(i) return i end)\nreturn scene");
    bool failed = true;
    for (uint64_t n = 0; failed; n++) {
        failing_allocation failing = { .left = n, .for_ever = true };
        const tide_body_numbers *numbers;
        uint32_t count;
        tide_memory_set_failure_hook(fail_in_turn, &failing);
        tide_status status = tide_script_colours(script, &numbers, &count, &error);
        tide_memory_set_failure_hook(NULL, NULL);
        failed = failing.failed;
        assert_true(status == TIDE_OK || status == TIDE_ERROR_MEMORY);
        assert_int_equal(count, status == TIDE_OK);
    }
    tide_script_close(script);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_numbers),
    cmocka_unit_test(test_what_is_refused),
    cmocka_unit_test(test_functions_that_go_wrong),
    cmocka_unit_test(test_forks_have_functions_of_their_own),
    cmocka_unit_test(test_memory),
};
TIDE_TEST_SUITE(script_colours, tests)
