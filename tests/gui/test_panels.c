// The panels: events in, inputs and texts out.
#include "base/memory.h"
#include "gui/panels_state.h"
#include "panel_stand.h"
#include "solver/solver_text.h"

#include <math.h>
#include <stdlib.h>

static const char scene[] =
    "local tide = require 'springtide'\n"
    "local stiffness = tide.param('stiffness', 80, { min = 1, max = 1e4, scale = 'log', unit = 'N/m', help = 'springs' "
    "})\n"
    "local side = tide.param('side', 6, { min = 3, max = 20 })\n"
    "local heavy = tide.param('heavy', false)\n"
    "local kind = tide.param('kind', 'silk', { choices = { 'silk', 'wool' } })\n"
    "local width = tide.param('width', 1)\n"
    "local title = tide.param('title', \"it's\")\n"
    "assert(width > 0 and width < 5, 'that is no width')\n"
    "local scene = tide.scene { title = title, solver = { 'local_global', iterations = 7 } }\n"
    "local cloth = scene:body('cloth', { mesh = tide.mesh.grid { columns = side, rows = side, width = width },\n"
    "  mass = heavy and 4 or 1, stiffness = stiffness })\n"
    "cloth:pin { 1, side }\n"
    "scene:collider('ball', { shape = 'sphere', radius = 0.1, position = { 0, -3, 0 }, friction = 0.25 })\n"
    "return scene\n";

static bool key(stand *s, SDL_Keycode sym, int mod)
{
    SDL_Event event = { .key = { .type = SDL_KEYDOWN, .keysym = { .sym = sym, .mod = (Uint16)mod } } };
    bool taken = tide_panels_event(s->panels, &event, 1);
    turns(s, 2);
    event.type = SDL_KEYUP;
    tide_panels_event(s->panels, &event, 1);
    event.key.keysym.mod = 0;
    event.key.keysym.sym = SDLK_LCTRL;
    tide_panels_event(s->panels, &event, 1);
    turns(s, 2);
    return taken;
}

static void type(stand *s, const char *text)
{
    SDL_Event event = { .type = SDL_TEXTINPUT };
    snprintf(event.text.text, sizeof event.text.text, "%s", text);
    assert_true(tide_panels_event(s->panels, &event, 1));
    turn(s);
}

// Ctrl+click, a number, Enter
static void type_into(stand *s, const char *label, const char *text, bool by_control)
{
    SDL_Event event = { .key = { .type = SDL_KEYDOWN, .keysym = { .sym = SDLK_LCTRL, .mod = KMOD_LCTRL } } };
    if (by_control)
        tide_panels_event(s->panels, &event, 1);
    click(s, label);
    event.type = SDL_KEYUP;
    event.key.keysym.mod = 0;
    tide_panels_event(s->panels, &event, 1);
    if (!by_control)
        key(s, SDLK_a, KMOD_LCTRL);
    type(s, text);
    key(s, SDLK_RETURN, 0);
}

static double param(stand *s, const char *name)
{
    tide_script *script = tide_live_script(s->live);
    for (uint32_t i = 0; i < tide_script_param_count(script); i++)
        if (strcmp(tide_script_param_at(script, i)->name, name) == 0)
            return tide_script_param_at(script, i)->number;
    return NAN;
}

static void assert_says(stand *s, const char *text)
{
    if (strstr(tide_panels_said(s->panels), text))
        return;
    print_error("\"%s\" is not in:\n%s", text, tide_panels_said(s->panels));
    fail();
}

static void assert_asked(stand *s, const char *expected)
{
    assert_string_equal(s->inputs, expected);
    s->inputs[0] = '\0';
}

// --- tests -----------------------------------------------------------------------------------------------------------

static void test_they_show_the_experiment(void **state)
{
    (void)state;
    tide_memory_counts before = tide_memory_count();
    stand s;
    set_up(&s, scene);
    turn(&s);
    const uint8_t *first = s.picture.image.pixels + 4 * 1280 * 5;
    assert_true(first[4 * 5] < 100 && first[4 * 1275] < 100); // the panels are in the first picture
    turn(&s);
    assert_says(&s, "stiffness: 80 N/m\n");
    assert_says(&s, "side: 6\n");
    assert_says(&s, "heavy: no\n");
    assert_says(&s, "kind: silk\n");
    assert_says(&s, "method: local_global\n");
    assert_says(&s, "iterations: 7\n");
    click(&s, "Parameters"); // closed, so that there is room
    click(&s, "Solver");
    click(&s, "Bodies");
    assert_says(&s, "vertices: 36\n");
    assert_says(&s, "pinned: 2\n");
    assert_says(&s, "mass: 1 kg\n");
    click(&s, "Colliders");
    assert_says(&s, "shape: sphere\n");
    assert_says(&s, "friction: 0.25\n");
    click(&s, "Camera");
    assert_says(&s, "view angle: ");
    for (int i = 0; i < 3; i++)
        assert_ok(tide_live_step(s.live, &error), error);
    turns(&s, 1);
    assert_says(&s, "iterations: 7\n");
    assert_says(&s, "time, frame: 0.100 s, 3\n");
    uint32_t from, to;
    tide_panels_free_width(s.panels, &from, &to);
    assert_true(from > 200 && to < 1080);
    const uint8_t *row = s.picture.image.pixels + 4 * 1280 * 5;
    assert_true(row[4 * 5] < 100 && row[4 * 1275] < 100); // dark panels at both sides
    assert_int_equal(row[4 * 640], 200);                  // and the picture between them as it was
    assert_asked(&s, "");
    tear_down(&s);
    assert_int_equal(tide_memory_count().blocks, before.blocks);
}

static void test_params_are_set_and_taken_back(void **state)
{
    (void)state;
    stand s;
    set_up(&s, scene);
    turns(&s, 2);
    for (int i = 0; i < 3; i++)
        assert_ok(tide_live_step(s.live, &error), error);
    // one slide of three places is one change
    int x, y;
    middle_of(&s, "stiffness", &x, &y);
    mouse_to(&s, x, y);
    assert_true(button(&s, true, x, y));
    double first = param(&s, "stiffness");
    assert_near(first, 100, 15); // the middle of 1 .. 10,000
    mouse_to(&s, x + 20, y);
    mouse_to(&s, x + 40, y);
    turn(&s);
    button(&s, false, x + 40, y);
    double second = param(&s, "stiffness");
    assert_true(second > 2 * first);
    assert_int_equal(tide_live_frame(s.live), 3); // it goes on where it was
    s.inputs[0] = '\0';
    assert_true(key(&s, SDLK_z, KMOD_LCTRL));
    assert_asked(&s, "param stiffness 80 0 0;");
    assert_near(param(&s, "stiffness"), 80, 0);
    assert_true(key(&s, SDLK_y, KMOD_LCTRL));
    assert_near(param(&s, "stiffness"), second, 0);
    key(&s, SDLK_z, KMOD_LCTRL);
    key(&s, SDLK_z, KMOD_LCTRL); // there is no more to undo
    assert_near(param(&s, "stiffness"), 80, 0);
    s.inputs[0] = '\0';
    click(&s, "heavy");
    assert_asked(&s, "param heavy true 0 0;");
    click(&s, "kind");
    click(&s, "wool");
    assert_asked(&s, "param kind wool 0 0;");
    assert_says(&s, "kind: wool\n");
    click(&s, "Initial values");
    assert_asked(&s, "param heavy false 0 0;");
    click(&s, "Undo");
    assert_near(param(&s, "heavy"), 1, 0);
    click(&s, "Redo");
    assert_near(param(&s, "heavy"), 0, 0);
    assert_int_equal(s.last, TIDE_OK);
    tear_down(&s);
}

// The stiffness of the elements of the first body, as the world has it.
static double stiffness_of(stand *s, const char *body)
{
    const tide_elements *groups;
    uint32_t count;
    tide_world *world = tide_live_world(s->live);
    assert_ok(tide_world_groups(world, tide_world_find_body(world, body), &groups, &count, &error), error);
    assert_int_equal(count, 1);
    return groups[0].parameters[0]; // "k", the first by name
}

static void test_elements_have_sliders(void **state)
{
    (void)state;
    stand s;
    set_up(&s,
           "local tide = require 'springtide'\n"
           "local pull = tide.element { name = 'pull', vertices = 2,\n"
           "  parameters = { k = { 10, min = 0, unit = 'N/m' }, rest = function(a, b) return (a - b):length() end },\n"
           "  energy = function(p, a, b) return p.k / 2 * ((a - b):length() - p.rest) ^ 2 end }\n"
           "local scene = tide.scene {}\n"
           "local mesh = tide.mesh.grid { columns = 3, rows = 3 }\n"
           "scene:body('net', { mesh = mesh, mass = 1, elements = { { pull, on = 'edges', k = 50 } } })\n"
           "scene:body('more', { mesh = mesh, mass = 1, elements = { { pull, on = 'edges', k = 50 } } })\n"
           "scene:body('soft', { mesh = mesh, mass = 1, elements = { { pull, on = 'edges' } } })\n"
           "return scene\n");
    turns(&s, 2);
    for (int i = 0; i < 3; i++)
        assert_ok(tide_live_step(s.live, &error), error);
    assert_says(&s, "pull.k: 50 N/m\n");
    assert_says(&s, "soft.pull.k: 10 N/m\n");
    assert_true(isnan(param(&s, "pull.rest")) && isnan(param(&s, "more.pull.k")));
    int x, y;
    middle_of(&s, "pull.k", &x, &y);
    mouse_to(&s, x, y);
    button(&s, true, x, y);
    button(&s, false, x, y);
    double slid = param(&s, "pull.k");
    assert_near(slid, 250, 30); // the middle of 0 .. 500
    assert_near(stiffness_of(&s, "net"), slid, 0);
    assert_near(stiffness_of(&s, "more"), slid, 0);
    assert_near(stiffness_of(&s, "soft"), 10, 0);
    assert_int_equal(tide_live_frame(s.live), 3); // it goes on where it was
    assert_true(key(&s, SDLK_z, KMOD_LCTRL));
    assert_near(stiffness_of(&s, "net"), 50, 0);
    assert_true(key(&s, SDLK_y, KMOD_LCTRL));
    assert_near(stiffness_of(&s, "net"), slid, 0);
    type_into(&s, "soft.pull.k", "-3", true); // held to the range, which is open above
    assert_near(param(&s, "soft.pull.k"), 0, 0);
    type_into(&s, "soft.pull.k", "70", true);
    assert_near(stiffness_of(&s, "soft"), 70, 0);
    tide_input again = { .kind = TIDE_INPUT_RELOAD };
    assert_ok(tide_live_apply(s.live, &again, &error), error);
    assert_near(stiffness_of(&s, "net"), slid, 0);
    assert_near(stiffness_of(&s, "soft"), 70, 0);
    click(&s, "Initial values");
    assert_near(stiffness_of(&s, "net"), 50, 0);
    assert_near(stiffness_of(&s, "soft"), 10, 0);
    assert_int_equal(s.last, TIDE_OK);
    tear_down(&s);
}

static void test_numbers_out_of_range(void **state)
{
    (void)state;
    stand s;
    set_up(&s, scene);
    turns(&s, 2);
    type_into(&s, "stiffness", "1e9", true); // held to the range
    assert_asked(&s, "param stiffness 10000 0 0;");
    type_into(&s, "side", "-4", true);
    assert_near(param(&s, "side"), 3, 0);
    s.inputs[0] = '\0';
    type_into(&s, "width", "9", false); // which only the script knows to be wrong
    assert_asked(&s, "param width 9 0 0;");
    assert_int_not_equal(s.last, TIDE_OK);
    assert_non_null(strstr(error.remedy, "that is no width"));
    assert_near(param(&s, "width"), 1, 0);
    assert_says(&s, "width: 1\n");
    assert_ok(tide_live_step(s.live, &error), error); // the world is alive
    type_into(&s, "width", "2", false);
    assert_int_equal(s.last, TIDE_OK);
    assert_near(param(&s, "width"), 2, 0);
    tear_down(&s);
}

static void test_solver_and_timestep(void **state)
{
    (void)state;
    stand s;
    set_up(&s, scene);
    turns(&s, 2);
    click(&s, "method");
    click(&s, "lbfgs");
    assert_asked(&s, "solver - lbfgs 0 0;");
    assert_says(&s, "method: lbfgs\n");
    click(&s, "Parameters"); // room
    type_into(&s, "iterations", "55", true);
    assert_asked(&s, "solver - lbfgs,iterations=55 0 0;");
    assert_ok(tide_live_step(s.live, &error), error);
    click(&s, "damping");
    click(&s, "rayleigh");
    assert_asked(&s, "solver - lbfgs,iterations=55,damping=rayleigh 0 0;");
    assert_int_equal(s.last, TIDE_OK);
    assert_says(&s, "lbfgs damps within its step\n");
    s.inputs[0] = '\0';
    key(&s, SDLK_z, KMOD_LCTRL);
    key(&s, SDLK_z, KMOD_LCTRL);
    key(&s, SDLK_z, KMOD_LCTRL);
    assert_non_null(strstr(s.inputs, "solver - local_global,iterations=7 0 0;"));
    s.inputs[0] = '\0';
    type_into(&s, "timestep", "0.01", true);
    assert_asked(&s, "timestep - - 0.01 0;");
    assert_near(tide_world_get_settings(tide_live_world(s.live))->timestep, 0.01, 0);
    click(&s, "The scene's timestep");
    assert_near(tide_world_get_settings(tide_live_world(s.live))->timestep, 1.0 / 30, 0);
    click(&s, "Copy as --solver");
    assert_string_equal(tide_panels_copied(s.panels), "--solver local_global,iterations=7");
    tear_down(&s);
}

// Every solver with every choice of every option, as text and back
static void test_solvers_as_text(void **state)
{
    (void)state;
    const tide_solver_kind *kind, *back;
    for (uint32_t k = 0; (kind = tide_solver_kind_at(k)); k++)
        for (const tide_field *field = kind->fields; field->name; field++) {
            char *options = tide_allocate_zeroed(1, kind->options_size);
            tide_fields_default(kind->fields, options);
            void *at = options + field->offset, *same;
            if (field->type == TIDE_FIELD_INTEGER)
                *(int *)at = (int)field->minimum + 1;
            else if (field->type == TIDE_FIELD_CHOICE)
                *(int *)at = field->choices[1] ? 1 : 0;
            else if (field->type == TIDE_FIELD_BOOLEAN)
                *(bool *)at = !*(bool *)at;
            else if (field->type == TIDE_FIELD_REAL)
                *(double *)at = field->maximum > field->minimum && isfinite(field->maximum)
                                    ? 0.3 * field->minimum + 0.7 * field->maximum
                                    : fmax(field->minimum, 0) + 1 / 3.0;
            else if (field->type == TIDE_FIELD_RECORD)
                *(int *)(void *)(options + field->offset + field->record->offset) = 1;
            tide_text text = { 0 };
            tide_solver_text_write(kind, options, &text);
            if (tide_solver_text_parse(text.bytes, NULL, 0, &back, &same, &error) != TIDE_OK) {
                print_error("%s: %s\n", text.bytes, error.remedy);
                fail();
            }
            tide_text again = { 0 };
            tide_solver_text_write(back, same, &again);
            assert_string_equal(again.bytes, text.bytes);
            assert_ptr_equal(back, kind);
            tide_free(same);
            tide_free(options);
            tide_text_free(&text);
            tide_text_free(&again);
        }
}

static void test_pins_and_colliders(void **state)
{
    (void)state;
    stand s;
    set_up(&s, scene);
    turns(&s, 2);
    click(&s, "Parameters");
    click(&s, "Solver");
    click(&s, "Bodies");
    type_into(&s, "vertex", "5", false);
    click(&s, "Pin it");
    assert_asked(&s, "pin cloth - 0 4;");
    assert_says(&s, "pinned: 3\n");
    click(&s, "Unpin it");
    assert_asked(&s, "unpin cloth - 0 4;");
    click(&s, "Unpin all");
    assert_asked(&s, "unpin cloth - 0 0;unpin cloth - 0 5;");
    assert_says(&s, "pinned: 0\n");
    click(&s, "Colliders");
    int x, y;
    middle_of(&s, "position, m", &x, &y);
    click_at(&s, x, y); // its middle is y
    key(&s, SDLK_a, KMOD_LCTRL);
    type(&s, "-2.5");
    key(&s, SDLK_RETURN, 0);
    const tide_collider *ball =
        tide_world_collider(tide_live_world(s.live), tide_world_collider_at(tide_live_world(s.live), 0));
    assert_near(tide_collider_pose(ball, 1).position[1], -2.5, 1e-12);
    tear_down(&s);
}

static void test_keys_of_their_own(void **state)
{
    (void)state;
    stand s;
    float small[4], large[4];
    set_up(&s, scene);
    turns(&s, 2);
    assert_false(key(&s, SDLK_SPACE, 0)); // the window's
    assert_false(key(&s, SDLK_LEFT, 0));
    assert_true(tide_panels_find(s.panels, "heavy", small));
    assert_true(key(&s, SDLK_F9, 0));
    assert_true(tide_panels_find(s.panels, "heavy", large));
    assert_true(large[3] - large[1] > 1.2f * (small[3] - small[1]));
    key(&s, SDLK_F9, 0);
    key(&s, SDLK_F9, 0);
    assert_true(key(&s, SDLK_F1, 0));
    assert_says(&s, "Space: pause, go on\n");
    assert_says(&s, "F8: hide and show the panels\n");
    key(&s, SDLK_F1, 0);
    assert_null(strstr(tide_panels_said(s.panels), "pause, go on"));
    assert_true(key(&s, SDLK_F10, 0)); // to the left side: from its heading to the first parameter
    assert_true(key(&s, SDLK_DOWN, 0));
    key(&s, SDLK_DOWN, 0);
    key(&s, SDLK_DOWN, 0);
    key(&s, SDLK_SPACE, 0);
    assert_asked(&s, "param heavy true 0 0;");
    key(&s, SDLK_F10, 0);
    assert_true(key(&s, SDLK_SPACE, 0)); // the right side has them: the heading is closed
    assert_says(&s, "Statistics: (closed)");
    key(&s, SDLK_F10, 0);
    assert_false(key(&s, SDLK_SPACE, 0));
    assert_true(key(&s, SDLK_F8, 0));
    assert_true(tide_panels_are_hidden(s.panels));
    assert_string_equal(tide_panels_said(s.panels), "");
    assert_int_equal(s.picture.image.pixels[4 * (1280 * 5 + 5)], 200); // the picture is as it was
    key(&s, SDLK_F8, 0);
    assert_says(&s, "heavy: yes\n");
    assert_false(click_at(&s, 640, 300)); // the world's
    tear_down(&s);
}

static void test_copying(void **state)
{
    (void)state;
    stand s;
    set_up(&s, scene);
    turns(&s, 2);
    type_into(&s, "stiffness", "123.25", true);
    click(&s, "Copy as --set");
    assert_string_equal(tide_panels_copied(s.panels),
                        "--set stiffness=123.25 --set side=6 --set heavy=false --set kind=silk --set width=1 --set "
                        "'title=it'\\''s'");
    assert_says(&s, "copied: options of the command line\n");
    click(&s, "Copy as Lua");
    assert_string_equal(
        tide_panels_copied(s.panels),
        "local stiffness = tide.param(\"stiffness\", 123.25, { min = 1, max = 10000, scale = \"log\", unit = \"N/m\", "
        "help = \"springs\" })\n"
        "local side = tide.param(\"side\", 6, { min = 3, max = 20 })\n"
        "local heavy = tide.param(\"heavy\", false)\n"
        "local kind = tide.param(\"kind\", \"silk\", { choices = { \"silk\", \"wool\" } })\n"
        "local width = tide.param(\"width\", 1)\n"
        "local title = tide.param(\"title\", \"it's\")\n");
    tear_down(&s);
}

static void test_plots_and_log(void **state)
{
    (void)state;
    stand s;
    set_up(&s, scene);
    turns(&s, 2);
    assert_says(&s, "They begin with the first steps.\n");
    for (int i = 0; i < 20; i++)
        assert_ok(tide_live_step(s.live, &error), error);
    turns(&s, 2);
    const tide_plot_data *data = &s.panels->plots;
    assert_int_equal(data->count, 20);
    assert_non_null(tide_plot_data_find(data, "kinetic"));
    assert_true(strstr(tide_panels_said(s.panels), "kinetic\n") && strstr(tide_panels_said(s.panels), "gained: "));
    assert_says(&s, "\n0 \xe2\x80\x93 "); // times of steps, from 0 on
    tide_energy energy;
    assert_ok(tide_world_energy(tide_live_world(s.live), &energy, &error), error);
    const tide_plot_series *total = tide_plot_data_find(data, "total");
    assert_near(tide_plot_data_at(data, (uint32_t)(total - data->series), 19), energy.total, 1e-5 * fabs(energy.total));
    tide_input back = { .kind = TIDE_INPUT_REWIND, .frame = 5 };
    assert_ok(tide_live_apply(s.live, &back, &error), error);
    assert_ok(tide_live_step(s.live, &error), error);
    assert_int_equal(data->count, 6); // what came after is forgotten
    tide_log(TIDE_LOG_WARNING, "it is %s", "odd");
    tide_log(TIDE_LOG_WARNING, "it is %s", "odd");
    for (int i = 0; i < 3 * TIDE_PANELS_LOG_LINES; i++)
        tide_panels_log_line(s.panels, TIDE_LOG_INFO, i % 2 ? "one" : "two");
    tide_log(TIDE_LOG_WARNING, "it is odd");
    tide_log(TIDE_LOG_WARNING, "it is odd");
    click(&s, "Statistics");
    click(&s, "Plots");
    click(&s, "Log");
    assert_says(&s, "warning: it is odd (2 times)\n");
    assert_int_equal(s.panels->line_count, TIDE_PANELS_LOG_LINES);
    tear_down(&s);
}

// Once at rest, the pins carry the weight.
static void test_forces_are_plotted_and_shown(void **state)
{
    (void)state;
    stand s;
    set_up(&s, "local tide = require 'springtide'\n"
               "local scene = tide.scene { timestep = 1, drag = 2, solver = { 'newton', tolerance = 1e-10 } }\n"
               "scene:body('bar', { mesh = tide.mesh.box { size = { 0.1, 0.4, 0.1 }, cells = { 1, 4, 1 } },\n"
               "  density = 1000, solid = { young = 1e5, poisson = 0 } }):pin(function(_, _, y) return y > 0.19 end)\n"
               "return scene\n");
    turns(&s, 2);
    for (int i = 0; i < 60; i++)
        assert_ok(tide_live_step(s.live, &error), error);
    const tide_plot_data *data = &s.panels->plots;
    const tide_plot_series *reaction = tide_plot_data_find(data, "reaction"),
                           *stress = tide_plot_data_find(data, "largest stress");
    assert_true(reaction && stress && !tide_plot_data_find(data, "contact force"));
    assert_near(tide_plot_data_at(data, (uint32_t)(reaction - data->series), 59), 4 * 9.81, 1e-3);
    double largest = (double)tide_plot_data_at(data, (uint32_t)(stress - data->series), 59);
    assert_true(largest > 0.7 * 4 * 9.81 / 0.01 && largest < 1.3 * 4 * 9.81 / 0.01);
    turns(&s, 2);
    assert_says(&s, "largest stress\n");
    tide_panels_select(s.panels, "bar");
    turns(&s, 2);
    assert_says(&s, "39.2");
    click(&s, "Selected");
    click(&s, "Statistics");
    click(&s, "Plots"); // closed: nothing is computed for them
    turns(&s, 2);
    assert_ok(tide_live_step(s.live, &error), error);
    assert_true(isnan(tide_plot_data_at(data, (uint32_t)(reaction - data->series), 60)));
    tear_down(&s);
}

static void test_what_the_scene_plots(void **state)
{
    (void)state;
    stand s;
    set_up(&s, "local tide = require 'springtide'\n"
               "local scene = tide.scene {}\n"
               "local cloth = scene:body('cloth', { mesh = tide.mesh.grid { columns = 3, rows = 3 }, stiffness = 9 })\n"
               "scene:plot('early', 1)\n" // not of a frame of this world
               "function scene.update()\n"
               "  scene:plot('frame', 1):plot('frame', 10 * scene.frame):plot('low point', 0 / 0)\n"
               "  assert(not pcall(scene.plot, scene, 'frame', 'x'))\n"
               "  local fork = scene:fork()\n"
               "  fork:plot('of a fork', 1)\n"
               "end\n"
               "return scene\n");
    turns(&s, 2);
    for (int i = 0; i < 5; i++)
        assert_ok(tide_live_step(s.live, &error), error);
    turns(&s, 2);
    const tide_plot_data *data = &s.panels->plots;
    const tide_plot_series *frames = tide_plot_data_find(data, "frame");
    assert_non_null(frames);
    for (uint32_t i = 0; i < 5; i++)
        assert_near(tide_plot_data_at(data, (uint32_t)(frames - data->series), i), 10 * i, 0);
    assert_non_null(tide_plot_data_find(data, "low point"));
    assert_null(tide_plot_data_find(data, "early"));
    assert_null(tide_plot_data_find(data, "of a fork"));
    assert_says(&s, "frame\n");
    tear_down(&s);
}

static void test_plot_data(void **state)
{
    (void)state;
    static tide_plot_data data;
    char path[300], line[200];
    assert_fails(tide_plot_data_save(&data, tide_test_folder(), "plots", &error), error, "nothing to save");
    assert_false(tide_plot_data_add(&data, "early", "J", 1)); // there is no frame
    for (uint64_t i = 0; i < TIDE_PLOT_FRAMES + 50; i++) {
        tide_plot_data_begin(&data, i, 0.5 * (double)i);
        assert_true(tide_plot_data_add(&data, "a b", "J", (double)i));
        if (i % 2)
            assert_true(tide_plot_data_add(&data, "a-b", "", -(double)i));
        tide_plot_data_add(&data, "2nd", "m/s", INFINITY);
    }
    assert_int_equal(data.count, TIDE_PLOT_FRAMES);
    assert_near(tide_plot_data_at(&data, 0, 0), 50, 0);
    assert_near(tide_plot_data_time(&data, TIDE_PLOT_FRAMES - 1), 0.5 * (TIDE_PLOT_FRAMES + 49), 0);
    assert_true(isnan(tide_plot_data_at(&data, 2, 0)));
    uint64_t newest = data.frames[(data.first + data.count - 1) % TIDE_PLOT_FRAMES];
    assert_true(tide_plot_data_add_to(&data, newest - 7, "late", "", 3));
    uint32_t late = (uint32_t)(tide_plot_data_find(&data, "late") - data.series);
    assert_near(tide_plot_data_at(&data, late, data.count - 8), 3, 0);
    assert_true(isnan(tide_plot_data_at(&data, late, data.count - 7)));
    assert_false(tide_plot_data_add_to(&data, newest + 1, "late", "", 3));
    assert_false(tide_plot_data_add_to(&data, data.frames[data.first] - 1, "late", "", 3));
    for (int i = 0; i < 2 * TIDE_PLOT_SERIES_MAX; i++) {
        snprintf(line, sizeof line, "many %d", i);
        tide_plot_data_add(&data, line, "", 0);
    }
    assert_int_equal(data.series_count, TIDE_PLOT_SERIES_MAX);
    assert_ok(tide_plot_data_save(&data, tide_test_folder(), "plots", &error), error);
    snprintf(path, sizeof path, "%s/plots.csv", tide_test_folder());
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, 30, file));
    assert_memory_equal(line, "frame,time,a_b,_2nd,a_b_2,late", 29);
    while (!strchr(line, '\n'))
        assert_non_null(fgets(line, sizeof line, file));
    assert_non_null(fgets(line, sizeof line, file));
    assert_memory_equal(line, "50,25,50,,,,", 11);
    fclose(file);
    snprintf(path, sizeof path, "%s/plots.png", tide_test_folder());
    file = fopen(path, "rb");
    assert_non_null(file);
    fclose(file);
    tide_plot_data_free(&data);
}

static void test_iterations(void **state)
{
    (void)state;
    stand s;
    float bare[4], told[4];
    // A method with few options leaves the button in view.
    set_up(&s, "local tide = require 'springtide'\n"
               "local scene = tide.scene { solver = 'imex' }\n"
               "scene:body('cloth', { mesh = tide.mesh.grid { columns = 6, rows = 6 }, mass = 1, stiffness = 80 })\n"
               "return scene\n");
    turns(&s, 2);
    assert_false(tide_panels_take_iteration(s.panels));
    assert_true(tide_panels_find(s.panels, "Next iteration", bare));
    click(&s, "Next iteration");
    assert_true(tide_panels_take_iteration(s.panels));
    assert_false(tide_panels_take_iteration(s.panels));
    assert_asked(&s, "");
    s.frame.iterate = "iteration 3 of 10: g = 1 J s\xc2\xb2";
    turns(&s, 2);
    assert_says(&s, "iteration 3 of 10: g = 1 J s\xc2\xb2\n");
    assert_true(tide_panels_find(s.panels, "Next iteration", told));
    assert_true(told[1] > bare[1]);
    tear_down(&s);
}

static void test_selected_body_and_camera(void **state)
{
    (void)state;
    stand s;
    set_up(&s, scene);
    turns(&s, 2);
    assert_null(strstr(tide_panels_said(s.panels), "Selected"));
    assert_ok(tide_live_step(s.live, &error), error);
    tide_panels_select(s.panels, "cloth");
    turns(&s, 2);
    // Alone in the world, its energies are the world's
    tide_energy energy;
    char expected[200];
    assert_ok(tide_world_energy(tide_live_world(s.live), &energy, &error), error);
    snprintf(expected, sizeof expected, "kinetic energy: %.4g J\nelastic energy: %.4g J\ngravity energy: %.4g J",
             energy.kinetic, energy.elastic, energy.gravity);
    assert_non_null(strstr(tide_panels_said(s.panels), expected));
    assert_non_null(strstr(tide_panels_said(s.panels), "body: cloth\nvertices: 36\n"));
    assert_non_null(strstr(tide_panels_said(s.panels), "mass: 1 kg"));
    click(&s, "Deselect");
    assert_string_equal(tide_panels_selected(s.panels), "");
    click(&s, "Parameters"); // closes it, for room
    click(&s, "Solver");
    click(&s, "Camera");
    s.picture.camera = (tide_draw_camera) {
        .position = { 1, 2, 3.5f }, .target = { 0, -0.25f, 0.5f }, .up = { 0, 1, 0 }, .field_of_view = 0.5f
    };
    click(&s, "Copy camera as Lua");
    assert_string_equal(tide_panels_copied(s.panels),
                        "camera = { position = { 1, 2, 3.5 }, target = { 0, -0.25, 0.5 }, up = { 0, 1, 0 }, "
                        "field_of_view = 0.5 },");
    tear_down(&s);
}

static void test_bar_of_tools(void **state)
{
    (void)state;
    static const char *const tools[] = { "Look", "Drag", NULL };
    stand s;
    uint32_t from, to;
    set_up(&s, scene);
    s.frame.tools = tools;
    turns(&s, 3);
    click(&s, "Pause");
    assert_int_equal(tide_panels_take_button(s.panels), TIDE_BAR_PLAY);
    assert_int_equal(tide_panels_take_button(s.panels), TIDE_BAR_NONE);
    click(&s, "Step");
    assert_int_equal(tide_panels_take_button(s.panels), TIDE_BAR_STEP);
    click(&s, "Drag");
    assert_int_equal(tide_panels_take_button(s.panels), TIDE_BAR_FIRST_TOOL + 1);
    tide_panels_free_width(s.panels, &from, &to);
    assert_true(from > 200 && to < 1080);
    click(&s, "Settings"); // folds that side
    turns(&s, 2);
    tide_panels_free_width(s.panels, &from, &to);
    assert_true(from == 0 && to < 1080);
    click(&s, "Settings");
    click(&s, "Results");
    turns(&s, 2);
    tide_panels_free_width(s.panels, &from, &to);
    assert_true(from > 200 && to == 1280);
    assert_string_equal(s.inputs, ""); // none of it is an input
    tear_down(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_selected_body_and_camera),

    cmocka_unit_test(test_bar_of_tools),
    cmocka_unit_test(test_they_show_the_experiment),
    cmocka_unit_test(test_params_are_set_and_taken_back),
    cmocka_unit_test(test_elements_have_sliders),
    cmocka_unit_test(test_numbers_out_of_range),
    cmocka_unit_test(test_solver_and_timestep),
    cmocka_unit_test(test_solvers_as_text),
    cmocka_unit_test(test_pins_and_colliders),
    cmocka_unit_test(test_keys_of_their_own),
    cmocka_unit_test(test_copying),
    cmocka_unit_test(test_plots_and_log),
    cmocka_unit_test(test_forces_are_plotted_and_shown),
    cmocka_unit_test(test_plot_data),
    cmocka_unit_test(test_what_the_scene_plots),
    cmocka_unit_test(test_iterations),
};
TIDE_TEST_SUITE(gui_panels, tests)
