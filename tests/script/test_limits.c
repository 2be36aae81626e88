// Limits of time and memory of a script.
#include "script/script.h"

#include "base/clock.h"
#include "base/field.h"
#include "base/memory.h"
#include "script_files.h"
#include "solver/solver.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static tide_status open_limited(const char *text, double time_limit, size_t memory_limit, tide_script **script,
                                tide_error *error)
{
    tide_script_options options = { .time_limit = time_limit, .memory_limit = memory_limit };
    *script = NULL;
    return tide_script_open(write_script("limits.lua", text), &options, script, error);
}

static void test_endless_scripts_are_stopped(void **state)
{
    (void)state;
    static const char *const loops[] = {
        "while true do end",
        "while true do pcall(function() while true do end end) end",
        "while true do pcall(error) end",
        "local co = coroutine.wrap(function() while true do end end) co()",
        "while true do local co = coroutine.create(function() while true do end end) coroutine.resume(co) end",
        "local t = setmetatable({}, { __index = function(t, k) while true do end end }) local x = t.x",
        "xpcall(function() while true do end end, function() while true do end end)",
        "for line in string.gmatch(('x'):rep(1000), '') do while true do end end",
        "table.sort({ 1, 2, 3 }, function(a, b) while true do end end)",
        "local s = require('springtide').scene {} s.update = function() while true do end end while true do s:step() "
        "end",
        "error(setmetatable({}, { __tostring = function() while true do end end }))",
        "local t <close> = setmetatable({}, { __close = function() while true do end end })",
        "load(function() while true do end end)",
        "local function slow() while true do end end\n"
        "coroutine.wrap(function() local t <close> = setmetatable({}, { __close = slow }) slow() end)()",
        "local co = coroutine.create(function() local t <close> = setmetatable({}, { __close = function() while true "
        "do "
        "end end }) while true do end end) pcall(coroutine.resume, co) pcall(coroutine.close, co)",
        "local function again() xpcall(again, again) end again() while true do again() end",
    };
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        tide_error error;
        tide_script *script;
        assert_fails(open_limited(loops[i], 0.05, 0, &script, &error), error,
                     ": script: stopped: it took more than 0.05 s");
        assert_non_null(strstr(error.where, "limits.lua:1"));
        assert_int_equal(error.status, TIDE_ERROR_SCRIPT);
        assert_null(script);
    }
}

static void test_a_callback_is_stopped_and_the_next_goes_on(void **state)
{
    (void)state;
    tide_error error;
    tide_script *script;
    assert_ok(open_limited(CLOTH
                           "local co = coroutine.wrap(function() while true do coroutine.yield(scene.frame) end end)\n"
                           "function scene.update()\n"
                           "  co()\n"
                           "  while scene.state.stuck do pcall(function() while true do end end) end\n"
                           "end\n"
                           "function scene.keypressed(key) scene.state.stuck = key == 's' end\n"
                           "return scene",
                           0, 0, &script, &error),
              error);
    assert_ok(tide_script_step(script, &error), error);
    for (int i = 0; i < 3; i++) {
        assert_ok(tide_script_key_pressed(script, "s", &error), error);
        tide_script_set_time_limit(script, 0.05);
        assert_fails(tide_script_step(script, &error), error, "limits.lua:10: script: stopped");
        tide_script_set_time_limit(script, 0);
        assert_ok(tide_script_key_pressed(script, "g", &error), error);
        for (int k = 0; k < 5; k++)
            assert_ok(tide_script_step(script, &error), error);
    }
    assert_int_equal(tide_world_frame(tide_script_world(script)), 16);
    tide_script_close(script);
}

// Takes a step of the engine that a script has no part in, and returns how long it took, s.
static double take_long_step(tide_script *script, double time_limit, tide_status expected, const char *why)
{
    tide_error error;
    tide_script_set_time_limit(script, time_limit);
    double begin = tide_clock_seconds();
    tide_status status = tide_script_step(script, &error);
    double seconds = tide_clock_seconds() - begin;
    tide_script_set_time_limit(script, 0);
    assert_int_equal(status, expected);
    if (status != TIDE_OK)
        assert_non_null(strstr(error.remedy, why));
    return seconds;
}

static void test_the_engine_has_a_time_of_its_own(void **state)
{
    (void)state;
    tide_error error;
    tide_script *script;
    assert_ok(open_limited(CLOTH
                           "scene.solver = { 'xpbd', substeps = 20000 }\nfunction scene.update() end\nreturn scene",
                           0, 0, &script, &error),
              error);
    double usual = take_long_step(script, 0, TIDE_OK, "");
    take_long_step(script, usual / 2, TIDE_OK, "");
    take_long_step(script, usual / 1000, TIDE_ERROR_SCRIPT, "stopped: the engine took more than");
    take_long_step(script, 0, TIDE_OK, "");
    assert_int_equal(tide_world_frame(tide_script_world(script)), 3);
    tide_script_close(script);
}

static void test_a_reload_is_stopped(void **state)
{
    (void)state;
    tide_error error;
    tide_script *script;
    assert_ok(open_limited(CLOTH "return scene", 0, 0, &script, &error), error);
    assert_ok(tide_script_step(script, &error), error);
    write_script("limits.lua", CLOTH "while true do end\nreturn scene");
    tide_script_set_time_limit(script, 1);
    assert_fails(tide_script_reload(script, NULL, NULL, &error), error, "script: stopped");
    tide_script_set_time_limit(script, 0);
    assert_ok(tide_script_step(script, &error), error);
    assert_int_equal(tide_world_frame(tide_script_world(script)), 2);
    tide_script_close(script);
}

static void test_memory_is_limited(void **state)
{
    (void)state;
    static const char *const growers[] = {
        "local t = {} while true do t[#t + 1] = {} end",
        "local s = ('x'):rep(1 << 30)",
        "local s = 'x' while true do s = s .. s end",
        "local function f(...) return f(1, ...) end f()",
        "local t = {} while true do pcall(function() while true do t[#t + 1] = ('x'):rep(1000) .. #t end end) end",
    };
    for (size_t i = 0; i < sizeof growers / sizeof *growers; i++) {
        tide_error error;
        tide_script *script;
        uint64_t blocks = tide_memory_count().blocks;
        size_t bytes = tide_memory_count().bytes;
        tide_status status = open_limited(growers[i], 1, 16 << 20, &script, &error);
        assert_int_not_equal(status, TIDE_OK);
        assert_null(script);
        assert_int_equal(tide_memory_count().blocks, blocks);
        assert_int_equal(tide_memory_count().bytes, bytes);
    }
    assert_true(tide_memory_count().peak_bytes < (size_t)200 << 20);
    tide_error error;
    tide_script *script;
    assert_fails(open_limited(growers[0], 0, 16 << 20, &script, &error), error, "out of memory");
    assert_int_equal(error.status, TIDE_ERROR_MEMORY);
    assert_fails(open_limited("return 1", 0, 1000, &script, &error), error, "out of memory");
}

// Processor time of this thread, s: load on the machine does not reach it.
static double processor_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

enum { SOON = 8 }; // s of processor time: far above the limits here, far below what the work would take

// Opens a script whose work takes much longer than SOON, and whose limit is 0.05 s.
static void assert_stopped_soon(const char *text)
{
    tide_error error;
    tide_script *script;
    double start = processor_seconds();
    assert_fails(open_limited(text, 0.05, 0, &script, &error), error, "stopped: it took more than 0.05 s");
    assert_int_equal(error.status, TIDE_ERROR_SCRIPT);
    if (processor_seconds() - start > SOON)
        fail_msg("%g s until this was stopped: %s", processor_seconds() - start, text);
}

// C functions, which no hook interrupts: each would run for minutes or for ever.
static void test_long_c_functions_are_stopped(void **state)
{
    (void)state;
    static const char *const loops[] = {
        "local s = ('a'):rep(40) s:find(('a?'):rep(40) .. s)",
        "local s = ('a'):rep(40) s:match(('a?'):rep(40) .. s)",
        "local s = ('a'):rep(40) s:gsub(('a?'):rep(40) .. s, '')",
        "local s = ('a'):rep(40) for x in s:gmatch(('a?'):rep(40) .. s) do end",
        "local s = ('a'):rep(1e6) while true do s:find(('a'):rep(5e5) .. 'b', 1, true) end",
        "local t = {} for i = 1, 1e5 do t[i] = '' end while true do table.concat(t) end",
        "local s = ('x'):rep(1e7) while true do utf8.len(s) end",
        "local s = ('x'):rep(1e7) while true do local x = s:upper() end",
        "local s, r = ('x'):rep(1e7), ('x'):rep(1e7) .. 'y' while true do local x = s < r end",
        "local v = require('springtide').linear.vector(1e5) while true do local w = v + v end",
        "local v = require('springtide').linear.vector(1e5) while true do local w = v:dot(v) end",
        "local d = require('springtide').distance.sphere() for i = 1, 23 do d = d + d end\n"
        "while true do pcall(d.at, d, 0, 0, 0) end",
        "local t = {} for i = 1, 3e5 do t[i] = -i end while true do pcall(table.sort, t, function() return true end) "
        "end",
        "local tide = require('springtide') local s = tide.scene { timestep = 1, solver = { 'local_global', iterations "
        "= "
        "1000000, tolerance = 0 } } s:body('a', { mesh = tide.mesh.grid { columns = 9, rows = 9 }, mass = 1, stiffness "
        "= "
        "10 }) while true do pcall(s.step, s) end",
        "local tide = require('springtide') local s = tide.scene {} s:body('a', { mesh = tide.mesh.grid { columns = 9, "
        "rows = 9 }, mass = 1, stiffness = 10 }) s:compare { solvers = { 'local_global', 'newton' }, frames = 1000000 "
        "}",
        "local linear, t = require('springtide').linear, {} for i = 1, 1e4 do t[#t + 1] = { i, i, 4 } if i > 100 then "
        "t[#t + 1] = { i, i - 100, -1 } end if i > 1 then t[#t + 1] = { i, i - 1, -1 } end end\n"
        "local m = linear.sparse(1e4, 1e4, t, { symmetric = true }) while true do pcall(linear.cholesky, m) end",
        "local linear, t, b = require('springtide').linear, {}, {} for i = 1, 2e4 do b[i] = 1 t[#t + 1] = { i, i, 2 } "
        "if i > 1 then t[#t + 1] = { i, i - 1, -1 } end end\n"
        "local m = linear.sparse(2e4, 2e4, t, { symmetric = true })\n"
        "linear.conjugate_gradient(m, b, { tolerance = 0, max_iterations = 1e9 })",
        "local mesh = require('springtide').mesh mesh.strands { on = mesh.sphere { subdivisions = 4 }, count = 4e6 }",
        // Needles that cross in one place: the pieces of the surface are cut by each other.
        "local tide, v, t = require('springtide'), {}, {} for k = 0, 1500 do local c, s, b = math.cos(k * 0.0041), "
        "math.sin(k * 0.0041), #v for _, p in ipairs { { -1, -.01, -.01 }, { 1, 0, .01 }, { 1, .01, -.01 }, { -1, .01, "
        ".01 } } do v[#v + 1] = { p[1] * c - p[2] * s + k * 1e-6, p[1] * s + p[2] * c, p[3] } end\n"
        "for _, q in ipairs { { 1, 3, 2 }, { 1, 4, 3 }, { 1, 2, 4 }, { 2, 3, 4 } } do t[#t + 1] = { b + q[1], b + "
        "q[2], "
        "b + q[3] } end end tide.distance.mesh(tide.mesh.new { vertices = v, triangles = t })",
    };
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        assert_stopped_soon(loops[i]);
}

// Each instruction takes 50 ms: the hook must come after few of them. The string is made before there is a limit.
static void test_slow_instructions_are_stopped(void **state)
{
    (void)state;
    static const char *const loops[] = {
        "while true do local x = s + 1 end",
        "local t = s .. 1 while true do local x = t + 1 end",
        "coroutine.resume(coroutine.create(function() while true do local x = s + 1 end end))",
        "coroutine.wrap(function() while true do local x = s + 1 end end)()",
        "old(s)",
        "local _, t = coroutine.resume(coroutine.create(function() coroutine.yield(s .. 1) end)) while true do local x "
        "= "
        "t + 1 end",
    };
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        char text[512];
        tide_error error;
        tide_script *script;
        snprintf(text, sizeof text,
                 "local scene = require('springtide').scene {}\n"
                 "local old = coroutine.wrap(function() local s = coroutine.yield() while true do local x = s + 1 end "
                 "end) old()\n"
                 "local s = ('1'):rep(1e4):rep(1e4)\n"
                 "function scene.update() %s end\n"
                 "return scene",
                 loops[i]);
        assert_ok(open_limited(text, 0, 0, &script, &error), error);
        double start = processor_seconds();
        tide_script_set_time_limit(script, 0.05);
        assert_fails(tide_script_step(script, &error), error, "stopped: it took more than 0.05 s");
        if (processor_seconds() - start > SOON)
            fail_msg("%g s until this was stopped: %s", processor_seconds() - start, loops[i]);
        tide_script_close(script);
    }
}

// Every whole number of every method that can be large: a single step with it would take minutes.
static void test_long_steps_are_stopped(void **state)
{
    (void)state;
    const tide_solver_kind *kind;
    size_t tried = 0;
    for (uint32_t k = 0; (kind = tide_solver_kind_at(k)) != NULL; k++) {
        const char *exact = "";
        for (const tide_field *field = kind->fields; field->name; field++)
            if (strcmp(field->name, "tolerance") == 0)
                exact = ", tolerance = 0";
        for (const tide_field *field = kind->fields; field->name; field++) {
            if (field->type != TIDE_FIELD_INTEGER || field->maximum < 1e5 || strcmp(field->name, "delay") == 0)
                continue;
            char text[512];
            snprintf(text, sizeof text,
                     "local tide = require('springtide') local s = tide.scene { solver = { '%s', %s = %.0f%s } }\n"
                     "s:body('a', { mesh = tide.mesh.grid { columns = 40, rows = 40 }, mass = 1, stiffness = 10 })\n"
                     "while true do pcall(s.step, s) end",
                     kind->name, field->name, field->maximum, exact);
            assert_stopped_soon(text);
            tried++;
        }
    }
    assert_true(tried > 20);
}

// The engine's memory counts as well, and no pcall goes on after the limit.
static void test_memory_of_the_engine_is_limited(void **state)
{
    (void)state;
    static const char *const growers[] = {
        "local tide = require('springtide') local t = {}\n"
        "while true do pcall(function() t[#t + 1] = tide.mesh.grid { columns = 50 + #t, rows = 50 } end) end",
        "require('springtide').mesh.sphere { subdivisions = 11 }",
        "local t = {} while true do pcall(function() t[#t + 1] = ('x'):rep(1e5) .. #t end) end",
        "local t = {} while true do t[#t + 1] = ('x'):rep(1e5) .. #t end",
        "local s = ('x'):rep(1e9)",
        "local v = require('springtide').linear.vector(1e8)",
    };
    for (size_t i = 0; i < sizeof growers / sizeof *growers; i++) {
        tide_error error;
        tide_script *script;
        assert_fails(open_limited(growers[i], 0, 32 << 20, &script, &error), error,
                     "out of memory: stopped at the limit of 32 MB");
        assert_int_equal(error.status, TIDE_ERROR_MEMORY);
    }
}

static bool interrupt_third(void *context)
{
    return ++*(int *)context == 3;
}

static void test_progress_is_told_and_interrupts(void **state)
{
    (void)state;
    tide_error error;
    tide_script *script = NULL;
    int calls = 0;
    tide_script_options options = { .progress = interrupt_third, .progress_context = &calls };
    assert_fails(
        tide_script_open(write_script("limits.lua", "while true do pcall(error) end"), &options, &script, &error),
        error, "limits.lua:1: script: interrupted");
    assert_int_equal(calls, 3);
}

static void test_deep_recursion_is_an_error(void **state)
{
    (void)state;
    tide_error error;
    tide_script *script;
    assert_fails(open_limited("local function f() return 1 + f() end f()", 0, 0, &script, &error), error,
                 "stack overflow");
    assert_fails(open_limited("local t = setmetatable({}, {}) getmetatable(t).__index = function(_, k) return t[k] end "
                              "local x = t.x",
                              0, 0, &script, &error),
                 error, "overflow");
}

// The sandbox's replacements of Lua's functions behave as these do.
static void test_replaced_functions_work(void **state)
{
    (void)state;
    tide_error error;
    tide_script *script;
    assert_ok(open_limited(CLOTH
                           "local function same(a, ...) local b = table.pack(...) assert(#a == b.n)\n"
                           "  for i = 1, b.n do assert(a[i] == b[i], tostring(b[i])) end end\n"
                           "same({ true, 1, 2 }, xpcall(function(...) return ... end, print, 1, 2))\n"
                           "same({ false, 'x!' }, xpcall(error, function(m) return m .. '!' end, 'x', 0))\n"
                           "assert(not pcall(xpcall, print, 3))\n"
                           "local next = coroutine.wrap(function(a, b) local c, d = coroutine.yield(a + b)\n"
                           "  return c, d end)\n"
                           "same({ 3 }, next(1, 2)) same({ 4, 5 }, next(4, 5))\n"
                           "local ok, why = pcall(next) assert(not ok and why:find('cannot resume dead coroutine'))\n"
                           "local closed = 0\n"
                           "local bad = coroutine.wrap(function()\n"
                           "  local t <close> = setmetatable({}, { __close = function() closed = closed + 1 end })\n"
                           "  error('inner') end)\n"
                           "ok, why = pcall(bad) assert(not ok and why:find('inner') and closed == 1)\n"
                           "ok, why = pcall(coroutine.wrap(function() error({}) end)) assert(type(why) == 'table')\n"
                           "return scene",
                           0, 0, &script, &error),
              error);
    tide_script_close(script);
}

static void test_string_methods_are_guarded(void **state)
{
    (void)state;
    tide_error error;
    tide_script *script;
    assert_ok(open_limited(CLOTH "assert((''):rep(1e15) == '' and ('a'):rep(3) == 'aaa')\n"
                                 "assert(('').dump == nil and getmetatable('') == 'string')\n"
                                 "for _, name in ipairs { 'os', 'io', 'debug', 'package' } do assert(not rawget(_G, "
                                 "name)) end\nreturn scene",
                           0, 0, &script, &error),
              error);
    tide_script_close(script);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_endless_scripts_are_stopped),
    cmocka_unit_test(test_a_callback_is_stopped_and_the_next_goes_on),
    cmocka_unit_test(test_the_engine_has_a_time_of_its_own),
    cmocka_unit_test(test_a_reload_is_stopped),
    cmocka_unit_test(test_memory_is_limited),
    cmocka_unit_test(test_long_c_functions_are_stopped),
    cmocka_unit_test(test_slow_instructions_are_stopped),
    cmocka_unit_test(test_long_steps_are_stopped),
    cmocka_unit_test(test_memory_of_the_engine_is_limited),
    cmocka_unit_test(test_progress_is_told_and_interrupts),
    cmocka_unit_test(test_deep_recursion_is_an_error),
    cmocka_unit_test(test_replaced_functions_work),
    cmocka_unit_test(test_string_methods_are_guarded),
};
TIDE_TEST_SUITE(script_limits, tests)
