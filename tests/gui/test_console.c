// The console: lines against a live world, as inputs; and its panel, by events.
#include "../session/live_scenes.h"
#include "panel_stand.h"
#include "script/console.h"
#include "session/live_fork.h"
#include "session/replay.h"

#include <stdlib.h>

// --- lines -----------------------------------------------------------------------------------------------------------

static char printed[1 << 16];

static void keep(void *context, const char *bytes, size_t size)
{
    (void)context;
    size_t length = strlen(printed);
    snprintf(printed + length, sizeof printed - length, "%.*s", (int)size, bytes);
}

static tide_live *open_listening(const char *name, const char *more, size_t history)
{
    tide_live *live = open_scene(write_scene(name, more), history);
    const tide_live_printer printer = { keep, NULL };
    tide_live_set_printer(live, &printer);
    return live;
}

static tide_status line(tide_live *live, const char *text)
{
    printed[0] = '\0';
    return tide_live_apply(live, &(tide_input) { .kind = TIDE_INPUT_CONSOLE, .text = text }, &error);
}

static void prints(tide_live *live, const char *text, const char *expected)
{
    assert_ok(line(live, text), error);
    assert_string_equal(printed, expected);
}

static void test_values(void **state)
{
    (void)state;
    tide_live *live = open_listening("console.lua", "speed = 3 function twice(x) print('twice') return 2 * x end", 0);
    prints(live, "1 + 1", "2\n");
    prints(live, "=1 == 1, 'two', 2.0, nil, 0/0", "true  two  2.0  nil  nan\n");
    prints(live, "x = 4", "");
    prints(live, "x", "4\n");
    prints(live, "local y = 5", "");
    prints(live, "y", "nil\n");
    prints(live, "twice(x)", "twice\n8\n");
    prints(live, "{ 1, 2, a = { b = { c = { d = 1 } } }, ['no name'] = 'text\\n' }",
           "{ 1, 2, a = { b = { c = { ... (1 in all) } } }, [\"no name\"] = \"text\\n\" }\n");
    prints(live, "{ { 10, 20 }, {} }", "{ { 10, 20 }, {} }\n");
    prints(live, "setmetatable({}, { __tostring = function() return 'own' end })", "own\n");
    prints(live, "#scene:body('cloth'):positions()", "147\n");
    prints(live, "scene:body('cloth')", "body \"cloth\": 49 vertices, 190 springs, 72 triangles\n");
    prints(live, "for i = 1, 2 do\nprint(i, 'x')\nend", "1\tx\n2\tx\n");
    prints(live, "t = {} for i = 1, 100 do t[i] = i end", "");
    assert_ok(line(live, "t"), error);
    assert_non_null(strstr(printed, "... (100 in all)"));
    assert_null(strstr(printed, "25,"));
    assert_ok(line(live, "loop = {} loop.loop = loop"), error);
    assert_ok(line(live, "loop"), error);
    // A global of the script's stays the script's.
    prints(live, "speed", "3\n");
    assert_ok(line(live, "speed = 7"), error);
    prints(live, "load('return speed')()", "7\n");
    tide_live_close(live);
}

static void test_unfinished(void **state)
{
    (void)state;
    tide_live *live = open_listening("console.lua", "", 0);
    tide_script *script = tide_live_script(live);
    static const char *const unfinished[] = { "for i = 1, 2 do", "x = {", "x = [[", "if x then\ny = 1", "f(", "=1 +" };
    static const char *const finished[] = { "x = 1", "for for", "x = )", "", "-- nothing", "1 + 1", "=", "'open" };
    for (size_t i = 0; i < sizeof unfinished / sizeof *unfinished; i++)
        if (!tide_script_is_unfinished(script, unfinished[i]))
            fail_msg("finished: %s", unfinished[i]);
    for (size_t i = 0; i < sizeof finished / sizeof *finished - 2; i++)
        if (tide_script_is_unfinished(script, finished[i]))
            fail_msg("unfinished: %s", finished[i]);
    tide_live_close(live);
}

// All that a line may change, and then fails.
static void test_all_or_nothing(void **state)
{
    (void)state;
    tide_live *live =
        open_listening("console.lua",
                       "scene.state.list = { 1 } speed = 1\n"
                       "function scene.update(dt) scene.state.updates = (scene.state.updates or 0) + 1 end",
                       1 << 24);
    tide_live *calm =
        open_scene(write_scene("calm.lua", "scene.state.list = { 1 } speed = 1\n"
                                           "function scene.update(dt) scene.state.updates = (scene.state.updates or "
                                           "0) + 1 end"),
                   1 << 24);
    static const char *const changes[] = {
        "scene:step(4)",
        "scene:body('cloth'):set_position(3, 1, 2, 3)",
        "scene:body('cloth'):positions()[4] = 2",
        "scene:body('cloth'):unpin()",
        "scene:body('cloth'):force(1, 1, 1, 1)",
        "scene.state.list[1] = 2",
        "scene.state = { other = 1 }",
        "scene.timestep = 0.001",
        "scene.gravity = { 0, 1, 0 }",
        "scene.solver = 'newton'",
        "scene.solver = { 'local_global', iterations = 1 }",
        "scene.solver.iterations = 1",
        "scene.update = function() error('mine') end",
        "scene.title = 'mine'",
        "scene.camera = { position = { 9, 9, 9 }, target = { 0, 0, 0 } }",
        "scene:body('more', { mesh = tide.mesh.strand { points = 3 }, mass = 1, stiffness = 1 })",
        "scene:collider('more', { shape = 'sphere', radius = 1 })",
        "scene:collider('ball').friction = 0.9",
        "scene:collider('ball').position = { 0, 0, 0 }",
        "math.random()",
        "scene:reset()",
        "speed = 2 extra = 5",
    };
    take_steps(live, 3);
    take_steps(calm, 3);
    assert_true(hash_of(live) == hash_of(calm));
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char text[400];
        snprintf(text, sizeof text, "%s error('boom')", changes[i]);
        assert_fails(line(live, text), error, "boom");
        if (hash_of(live) != hash_of(calm))
            fail_msg("changed: %s", changes[i]);
        prints(live,
               "scene.frame, speed, extra, scene.solver[1], scene.solver.iterations, scene.title, #scene:bodies()",
               "3  1  nil  local_global  5    1\n");
        prints(live, "scene:collider('ball').friction, #scene:colliders(), scene.camera", "0.3  1  nil\n");
        prints(live, "scene.timestep", "0.016666666666667\n");
    }
    take_steps(live, 5); // as if there had been none
    take_steps(calm, 5);
    assert_true(hash_of(live) == hash_of(calm));
    assert_true(tide_live_history(live).count == 9 && tide_live_failure(live)->kind == TIDE_FAILURE_NONE);
    tide_live_close(live);
    tide_live_close(calm);
}

static void test_limits(void **state)
{
    (void)state;
    tide_live *live = open_listening("console.lua", "", 0);
    tide_script_set_time_limit(tide_live_script(live), 0.2);
    uint64_t hash = hash_of(live);
    static const char *const endless[] = {
        "while true do end",
        "pcall(function() while true do end end) print('never')",
        "scene:step(1000000)",
        "coroutine.wrap(function() while true do end end)()",
        "setmetatable({}, { __tostring = function() while true do end end })",
    };
    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
        assert_fails(line(live, endless[i]), error, "took more than 0.2 s");
        assert_string_equal(printed, "");
        assert_true(hash_of(live) == hash);
    }
    tide_script_set_time_limit(tide_live_script(live), 60);
    assert_fails(line(live, "big = ('x'):rep(1500000000)"), error, "memory");
    prints(live, "big, 'alive'", "nil  alive\n");
    assert_ok(line(live, "string.rep('x', 100)"), error);
    tide_live_close(live);
}

static void test_errors(void **state)
{
    (void)state;
    tide_live *live =
        open_listening("console.lua", "function deep(n) if n == 0 then error('deep') end deep(n - 1) return 1 end", 0);
    static const struct {
        const char *line, *message;
    } cases[] = {
        { "x x", "console:1: syntax error" },
        { "\n\nnil.x()", "console:3: " },
        { "scene:stepp()", "did you mean \"step\"?" },
        { "error({})", "no text" },
        { "require 'nothing'", "not found" },
        { "goto x", "no visible label" },
        { "\27Lua", "console:1: " },
        { "return return", "console:1: " },
        { "scene:reload()", "callback" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_fails(line(live, cases[i].line), error, cases[i].message);
    assert_fails(line(live, "deep(2) print()"), error, "deep");
    assert_non_null(strstr(tide_script_traceback(tide_live_script(live)), "in function 'deep'"));
    assert_non_null(strstr(tide_script_traceback(tide_live_script(live)), "console:1: in main chunk"));
    tide_live_close(live);
}

// Frames that a line steps through can be gone back to; a line that only reads forgets none that come after.
static void test_history(void **state)
{
    (void)state;
    tide_live *live = open_listening("console.lua", "", 1 << 24);
    take_steps(live, 2);
    assert_ok(line(live, "scene:step(10)"), error);
    assert_true(tide_live_frame(live) == 12 && tide_live_steps(live) == 2 && tide_live_history(live).count == 13);
    uint64_t last = hash_of(live);
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 7 });
    assert_ok(line(live, "x = scene:energy().total"), error);
    assert_true(tide_live_history(live).last == 12);
    assert_fails(line(live, "error()"), error, "error");
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 12 });
    assert_true(hash_of(live) == last);
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 7 });
    assert_ok(line(live, "scene:body('cloth'):unpin { 1 }"), error);
    assert_true(tide_live_history(live).last == 7);
    assert_ok(line(live, "scene:step(5)"), error);
    assert_true(hash_of(live) != last && tide_live_history(live).count == 13);
    // An error after steps: their frames never were.
    assert_fails(line(live, "scene:step(5) error('late')"), error, "late");
    assert_true(tide_live_frame(live) == 12 && tide_live_history(live).last == 12);
    tide_live_close(live);
}

// Globals set by a line survive a reload of the script where possible.
static void test_reload_keeps_globals(void **state)
{
    (void)state;
    tide_live *live = open_listening("console.lua", "", 0);
    assert_ok(line(live, "x = 5 t = { 1, { 'a' } } function twice(n) return 2 * n + x end"), error);
    assert_ok(line(live, "do local up = 1 function closure() return up end end body = scene:body('cloth') p = print"),
              error);
    give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "90" });
    prints(live, "x, t, twice(4), closure, body", "5  { 1, { \"a\" } }  13  nil  nil\n");
    assert_ok(line(live, "scene:step()"), error);
    tide_live_close(live);
}

// A fork also has the values that the console kept.
static void test_fork_shares_globals(void **state)
{
    (void)state;
    tide_live *live = open_listening("console.lua", "", 0), *fork;
    const tide_live_printer printer = { keep, NULL };
    assert_ok(line(live, "x = 5 function add(n) return n + x end"), error);
    assert_ok(tide_live_fork(live, 0, &fork, &error), error);
    tide_live_set_printer(fork, &printer);
    assert_ok(line(fork, "x = x + 1"), error);
    prints(fork, "add(1)", "7\n");
    prints(live, "add(1)", "6\n");
    tide_live_close(fork);
    tide_live_close(live);
}

static void test_completion(void **state)
{
    (void)state;
    tide_live *live = open_listening("console.lua", "speed = 3 settings = { slow = 1, fast = { very = 1 } }", 0);
    static const struct {
        const char *text, *names;
        size_t length;
    } cases[] = {
        { "sc", "scene\n", 2 },
        { "x = spe", "speed\n", 3 },
        { "settings.", "fast\nslow\n", 0 },
        { "settings.fast.v", "very\n", 1 },
        { "scene:ste", "step\n", 3 },
        { "print(scene.times", "timestep\n", 5 },
        { "scene.solver.iter", "iterations\n", 4 },
        { "scene:body(\"cl", "cloth\n", 2 },
        { "scene:collider('", "ball\n", 0 },
        { "scene:body(\"cloth\"):set_p", "set_position\n", 5 },
        { "scene:body('none'):set_p", "", 5 },
        { "tide.mesh.tet", "tetrahedralize\n", 3 },
        { "nothing.at.all.", "", 0 },
        { "string.rev", "reverse\n", 3 },
        { "", "", 0 },
        { "1 + ", "", 0 },
        { "\"scene:ste", "step\n", 3 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tide_text names = { 0 };
        size_t length = 99;
        tide_status status = tide_script_complete(tide_live_script(live), cases[i].text, &names, &length, &error);
        const char *found = status == TIDE_OK && names.length ? names.bytes : "";
        if (strcmp(found, cases[i].names) != 0 || length != cases[i].length)
            fail_msg("%s: %s, %zu", cases[i].text, found, length);
        tide_text_free(&names);
    }
    tide_live_close(live);
}

// --- replays ---------------------------------------------------------------------------------------------------------

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void test_replay(void **state)
{
    (void)state;
    char path[300], module[300];
    snprintf(path, sizeof path, "%s/console.replay", tide_test_folder());
    snprintf(module, sizeof module, "%s/console_module.lua", tide_test_folder());
    write_file(module, "return { push = 3 }");
    tide_live *live = open_listening("console.lua", "", 1 << 24);
    tide_recorder *recorder;
    assert_ok(tide_recorder_open(path, live, &recorder, &error), error);
    take_steps(live, 2);
    assert_ok(line(live, "cloth = scene:body('cloth')\nx = 2"), error);
    assert_ok(line(live, "cloth:set_velocity(25, 0, x, 0)"), error);
    assert_fails(line(live, "x = 9 error('no')"), error, "no");
    take_steps(live, 2);
    assert_ok(line(live, "scene:step(3) cloth:set_velocity(20, math.random(), x, 0)"), error);
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 5 });
    give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "70" });
    take_steps(live, 1);
    assert_ok(line(live, "wind = require 'springtide.wind' assert(wind)"), error);
    assert_ok(line(live, "m = require 'console_module' scene:body('cloth'):set_velocity(3, 0, m.push, x)"), error);
    give(live, (tide_input) { .kind = TIDE_INPUT_COLLIDER, .name = "ball", .text = "friction", .number = 0.9 });
    take_steps(live, 3);
    assert_ok(line(live, "scene.state.note = 'the end'"), error);
    uint64_t hash = hash_of(live);
    uint32_t count;
    bool named = false;
    const tide_script_text *texts = tide_script_texts(tide_live_script(live), &count);
    for (uint32_t i = 0; i < count; i++)
        named = named || strcmp(texts[i].path, "@library/springtide/wind.lua") == 0;
    assert_true(named);
    assert_ok(tide_recorder_close(recorder, &error), error);
    tide_live_close(live);
    write_file(module, "return { push = 300 }"); // the replay has what it was
    tide_replay *replay;
    assert_ok(tide_replay_open(path, true, 5, &replay, &live, &error), error);
    while (!tide_replay_is_over(replay))
        assert_ok(tide_replay_step(replay, live, &error), error);
    assert_true(hash_of(live) == hash);
    tide_replay_close(replay);
    tide_live_close(live);
}

static void test_collider_inputs(void **state)
{
    (void)state;
    tide_live *live = open_listening("console.lua", "", 1 << 24);
    static const char *const names[] = { "friction", "restitution", "thickness" };
    for (int i = 0; i < 3; i++) {
        uint64_t before = hash_of(live);
        give(live, (tide_input) { .kind = TIDE_INPUT_COLLIDER, .name = "ball", .text = names[i], .number = 0.125 });
        assert_true(hash_of(live) != before);
    }
    prints(live, "local b = scene:collider('ball') return b.friction, b.restitution, b.thickness",
           "0.125  0.125  0.125\n");
    tide_input wrong = { .kind = TIDE_INPUT_COLLIDER, .name = "ball", .text = "restitution", .number = 2 };
    assert_fails(tide_live_apply(live, &wrong, &error), error, "restitution");
    wrong.text = "radius";
    assert_fails(tide_live_apply(live, &wrong, &error), error, "friction, restitution or thickness");
    wrong = (tide_input) { .kind = TIDE_INPUT_COLLIDER, .name = "bal", .text = "friction", .number = 1 };
    assert_fails(tide_live_apply(live, &wrong, &error), error, "no collider of this name");
    tide_live_close(live);
}

// --- the panel -------------------------------------------------------------------------------------------------------

static bool press(stand *s, SDL_Keycode sym, int mod)
{
    SDL_Event event = { .key = { .type = SDL_KEYDOWN, .keysym = { .sym = sym, .mod = (Uint16)mod } } };
    bool taken = tide_panels_event(s->panels, &event, 1);
    event.type = SDL_KEYUP;
    tide_panels_event(s->panels, &event, 1);
    return taken;
}

// Sends a key and the text that it types, as a keyboard does. Returns whether both were accepted.
static bool type(stand *s, const char *text)
{
    bool taken = true;
    for (const char *c = text; *c; c++) {
        if (*c == '\n') {
            taken = press(s, SDLK_RETURN, 0) && taken;
            continue;
        }
        taken = press(s, (SDL_Keycode)*c, 0) && taken;
        SDL_Event event = { .type = SDL_TEXTINPUT };
        snprintf(event.text.text, sizeof event.text.text, "%c", *c);
        taken = tide_panels_event(s->panels, &event, 1) && taken;
    }
    return taken;
}

static void says(stand *s, const char *text)
{
    turns(s, 1);
    if (!strstr(tide_panels_said(s->panels), text)) {
        print_error("there is no %s in:\n%s", text, tide_panels_said(s->panels));
        fail();
    }
}

static void says_not(stand *s, const char *text)
{
    turns(s, 1);
    if (strstr(tide_panels_said(s->panels), text))
        fail_msg("there is %s in:\n%s", text, tide_panels_said(s->panels));
}

static void test_panel(void **state)
{
    (void)state;
    stand s;
    set_up_live(&s, open_scene(write_scene("console.lua", ""), 1 << 24));
    turns(&s, 2);
    assert_false(type(&s, "x")); // it is not there yet
    // All between two pictures: the keys are its own from the first on.
    assert_true(type(&s, "`x = 20\nx + 1\nfor i = 1, 2 do\n  print('no. ' .. i)\nend\nerror('boom')\n"));
    turns(&s, 6);
    says(&s,
         "> x = 20\n> x + 1\n21\n> for i = 1, 2 do\n>>   print('no. ' .. i)\n>> end\nno. 1\nno. 2\n> error('boom')\n"
         "console:1: boom\n");
    says(&s, "  console:1: in main chunk");
    // A picture between any two keys makes no difference.
    const char *text = "y = 7\ny * 6\n";
    for (char one[2] = ""; *text; text++) {
        one[0] = *text;
        assert_true(type(&s, one));
        turns(&s, 1);
    }
    says(&s, "> y * 6\n42\n");
    // Up twice, Down, and back to the line being typed.
    type(&s, "half");
    turns(&s, 1);
    press(&s, SDLK_UP, 0);
    says(&s, "console: y * 6");
    press(&s, SDLK_UP, 0);
    says(&s, "console: y = 7");
    press(&s, SDLK_DOWN, 0);
    says(&s, "console: y * 6");
    press(&s, SDLK_DOWN, 0);
    says(&s, "console: half");
    // Home, then Enter, ends the whole line.
    press(&s, SDLK_HOME, 0);
    turns(&s, 1);
    type(&s, "\n1\n");
    turns(&s, 2);
    says(&s, "> half\nnil\n> 1\n1\n");
    // Tab
    type(&s, "scene:ste");
    turns(&s, 1);
    press(&s, SDLK_TAB, 0);
    says(&s, "console: scene:step");
    type(&s, "(3)\n");
    turns(&s, 2);
    assert_true(tide_live_frame(s.live) == 3);
    type(&s, "scene:body(\"c");
    turns(&s, 1);
    press(&s, SDLK_TAB, 0);
    says(&s, "console: scene:body(\"cloth");
    type(&s, "\"):set_");
    turns(&s, 1);
    press(&s, SDLK_TAB, 0);
    turns(&s, 1);
    says(&s, "set_position  set_stiffness  set_velocity");
    type(&s, "velocity(30, 0, 1, 0)\n");
    turns(&s, 2);
    says(&s, "> scene:body(\"cloth\"):set_velocity(30, 0, 1, 0)\n");
    // Closed and opened again, with all it had; ~ is typed.
    type(&s, "z ~= 1\n");
    turns(&s, 2);
    says(&s, "> z ~= 1\ntrue\n");
    assert_true(press(&s, SDLK_ESCAPE, 0));
    says_not(&s, "z ~= 1");
    turns(&s, 1);
    assert_false(press(&s, SDLK_SPACE, 0));
    turns(&s, 1);
    assert_true(type(&s, "`"));
    turns(&s, 4);
    says(&s, "> z ~= 1\ntrue\n");
    assert_true(type(&s, "`"));
    says_not(&s, "z ~= 1");
    // A world that loops is stopped, and another one is listened to.
    tide_live *other = open_scene(write_scene("other.lua", "name = 'other'"), 0), *first = s.live;
    s.live = s.frame.live = other;
    turns(&s, 1);
    assert_true(type(&s, "`name\n"));
    turns(&s, 6);
    says(&s, "> name\nother\n");
    tide_live_close(first);
    tear_down(&s);
}

// A statement that is given up, many lines, and long ones.
static void test_panel_holds(void **state)
{
    (void)state;
    stand s;
    set_up_live(&s, open_scene(write_scene("console.lua", ""), 1 << 24));
    turns(&s, 2);
    type(&s, "`for i = 1, 3 do\n");
    turns(&s, 4);
    says(&s, "> for i = 1, 3 do\n");
    assert_true(press(&s, SDLK_c, KMOD_LCTRL));
    says_not(&s, "> for i = 1, 3 do\n");
    turns(&s, 4);
    assert_true(type(&s, "for i = 1, 1000 do print('line ' .. i) end\n"));
    turns(&s, 2);
    says(&s, "line 1000\n");
    says_not(&s, "line 599\n");
    assert_true(type(&s, "('x'):rep(100000)\nprint(('y\\0z'))\nprint()\n"));
    turns(&s, 3);
    says(&s, "xxx...");
    says(&s, "y\\x00z\n");
    tear_down(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_values),
    cmocka_unit_test(test_unfinished),
    cmocka_unit_test(test_all_or_nothing),
    cmocka_unit_test(test_limits),
    cmocka_unit_test(test_errors),
    cmocka_unit_test(test_history),
    cmocka_unit_test(test_reload_keeps_globals),
    cmocka_unit_test(test_fork_shares_globals),
    cmocka_unit_test(test_completion),
    cmocka_unit_test(test_replay),
    cmocka_unit_test(test_collider_inputs),
    cmocka_unit_test(test_panel),
    cmocka_unit_test(test_panel_holds),
};
TIDE_TEST_SUITE(gui_console, tests)
