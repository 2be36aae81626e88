// Forks of live experiments, and panes of them that are stepped together.
#include "base/clock.h"
#include "base/memory.h"
#include "live_scenes.h"
#include "session/compare_view.h"
#include "session/live_fork.h"
#include "world/cuts.h"

#include <math.h>

enum { PLENTY = 64 << 20 };

static tide_live *fork_of(tide_live *live)
{
    tide_error error;
    tide_live *fork = NULL;
    assert_ok(tide_live_fork(live, PLENTY, &fork, &error), error);
    return fork;
}

static void test_fork_has_all(void **state)
{
    (void)state;
    const uint32_t cut[3] = { 3, 17, 40 };
    tide_live *live = open_scene(write_scene("fork.lua", ""), PLENTY);
    take_steps(live, 9);
    give(live, (tide_input) { .kind = TIDE_INPUT_KEY, .text = "a" });
    give(live, (tide_input) { .kind = TIDE_INPUT_SOLVER, .text = "lbfgs,iterations=4" });
    give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "33" });
    give(live, (tide_input) { .kind = TIDE_INPUT_TIMESTEP, .number = 0.01 });
    give(live, (tide_input) { .kind = TIDE_INPUT_PIN, .name = "cloth", .vertex = 24 });
    give(live, (tide_input) { .kind = TIDE_INPUT_CUT, .name = "cloth", .elements = cut, .element_count = 3 });
    give(live, (tide_input) { .kind = TIDE_INPUT_MOVE_COLLIDER, .name = "ball", .point = { 0, 0.02, 0 } });
    give(live, (tide_input) { .kind = TIDE_INPUT_DRAG_BEGIN,
                              .name = "cloth",
                              .grip = TIDE_GRIP_VERTEX,
                              .vertex = 40,
                              .point = { 0.5, 0.1, 0.5 },
                              .number = 100 });
    take_steps(live, 6);
    tide_live *fork = fork_of(live);
    assert_true(hash_of(fork) == hash_of(live));
    assert_int_equal(tide_live_frame(fork), 15);
    assert_string_equal(tide_live_solver_text(fork), "lbfgs,iterations=4");
    assert_true(tide_live_dragging(fork)->active);
    for (int i = 0; i < 20; i++) {
        if (i == 5) {
            give(live, (tide_input) { .kind = TIDE_INPUT_DRAG_MOVE, .point = { 0.7, 0.3, 0.5 } });
            give(fork, (tide_input) { .kind = TIDE_INPUT_DRAG_MOVE, .point = { 0.7, 0.3, 0.5 } });
        }
        if (i == 12) {
            give(live, (tide_input) { .kind = TIDE_INPUT_DRAG_END });
            give(fork, (tide_input) { .kind = TIDE_INPUT_DRAG_END });
        }
        take_steps(live, 1);
        take_steps(fork, 1);
        assert_true(hash_of(fork) == hash_of(live));
    }
    tide_live_close(live); // the fork lives without it
    take_steps(fork, 3);
    assert_true(tide_world_is_cut(tide_live_world(fork), tide_world_find_body(tide_live_world(fork), "cloth"), 17));
    tide_live_close(fork);
}

// A change of one does not affect the other.
static void test_fork_is_apart(void **state)
{
    (void)state;
    tide_live *live = open_scene(write_scene("apart.lua", ""), PLENTY);
    take_steps(live, 5);
    tide_live *fork = fork_of(live);
    uint64_t before = hash_of(live);
    give(fork, (tide_input) { .kind = TIDE_INPUT_KEY, .text = "a" });
    give(fork, (tide_input) { .kind = TIDE_INPUT_MOVE_COLLIDER, .name = "ball", .point = { 0, 0.3, 0 } });
    give(fork, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "500" });
    give(fork, (tide_input) { .kind = TIDE_INPUT_PIN, .name = "cloth", .vertex = 24 });
    take_steps(fork, 20);
    assert_true(hash_of(live) == before);
    give(fork, (tide_input) { .kind = TIDE_INPUT_RESET });
    give(live, (tide_input) { .kind = TIDE_INPUT_RESET });
    assert_true(hash_of(live) == hash_of(fork)); // to the same beginning
    tide_live_close(fork);
    tide_live_close(live);
}

// A solver that the script itself has chosen in a callback is that of the fork.
static void test_fork_of_changed_script(void **state)
{
    (void)state;
    tide_live *live = open_scene(write_scene("changed.lua", "function scene.update()\n"
                                                            "  if scene.frame == 3 then\n"
                                                            "    scene.solver = { \"newton\", iterations = 2 }\n"
                                                            "    scene.gravity = { 0, -3, 0 }\n"
                                                            "  end\n"
                                                            "end"),
                                 PLENTY);
    take_steps(live, 8);
    tide_live *fork = fork_of(live);
    take_steps(live, 5);
    take_steps(fork, 5);
    assert_true(hash_of(live) == hash_of(fork));
    tide_text text = { 0 };
    tide_live_write_solver(fork, &text);
    assert_string_equal(text.bytes, "newton,iterations=2");
    tide_text_free(&text);
    tide_live_close(fork);
    tide_live_close(live);
}

static tide_compare *compare(tide_live *live, const tide_compare_plan *plan)
{
    tide_error error;
    tide_compare *c;
    assert_ok(tide_compare_open(live, plan, PLENTY, &c, &error), error);
    return c;
}

static void step(tide_compare *c, int count)
{
    tide_error error;
    for (int i = 0; i < count; i++)
        assert_ok(tide_compare_step(c, &error), error);
}

static const tide_compare_plan three = {
    .panes = { { .solver = "local_global,iterations=5" }, { .solver = "newton" }, { .solver = "verlet" } }, .count = 3
};

// An input for any pane is one for all, and equal panes stay equal.
static void test_inputs_are_shared(void **state)
{
    (void)state;
    static const tide_compare_plan equal = { .panes = { { .solver = "newton" }, { .solver = "newton" } }, .count = 2 };
    const uint32_t cut[2] = { 5, 6 };
    tide_live *live = open_scene(write_scene("shared.lua", ""), PLENTY);
    tide_compare *c = compare(live, &equal);
    for (int i = 0; i < 40; i++) {
        tide_live *to = c->panes[i % 2].live;
        if (i == 3)
            give(to, (tide_input) { .kind = TIDE_INPUT_KEY, .text = "a" });
        if (i == 8)
            give(to, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "200" });
        if (i == 13)
            give(to, (tide_input) { .kind = TIDE_INPUT_CUT, .name = "cloth", .elements = cut, .element_count = 2 });
        if (i == 18)
            give(to, (tide_input) { .kind = TIDE_INPUT_MOVE_COLLIDER, .name = "ball", .point = { 0, 0.1, 0 } });
        if (i == 24)
            give(to, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 20 });
        if (i == 30)
            give(to, (tide_input) { .kind = TIDE_INPUT_TIMESTEP, .number = 0.005 });
        if (i == 35)
            give(to, (tide_input) { .kind = TIDE_INPUT_RESET });
        step(c, 1);
        assert_true(hash_of(c->panes[0].live) == hash_of(c->panes[1].live));
        assert_true(c->panes[1].distance == 0);
    }
    assert_int_equal(tide_live_frame(live), 5);
    tide_compare_close(c);
    tide_live_close(live);
}

// Each pane keeps the settings in which it differs.
static void test_own_parts(void **state)
{
    (void)state;
    tide_error error;
    tide_live *live = open_scene(write_scene("own.lua", ""), PLENTY);
    tide_compare *c = compare(live, &three);
    assert_string_equal(c->panes[1].label, "newton");
    give(c->panes[1].live, (tide_input) { .kind = TIDE_INPUT_SOLVER, .text = "lbfgs" });
    assert_string_equal(c->panes[0].label, "local_global,iterations=5");
    assert_string_equal(c->panes[1].label, "lbfgs");
    assert_string_equal(c->panes[2].label, "verlet");
    step(c, 4);
    assert_true(c->panes[0].distance == 0 && c->panes[1].distance > 0 && c->panes[2].distance > 0);
    assert_ok(tide_compare_measure(c, &error), error);
    assert_true(c->panes[0].measured && c->panes[0].error.error > 0 && c->panes[0].error.error < 1);
    assert_true(c->panes[1].measured && !c->panes[2].measured);
    assert_string_equal(c->panes[2].unmeasured, "verlet does not minimise g");
    // The first goes on as the third, and the others were not to follow.
    uint64_t third = hash_of(c->panes[2].live), second = hash_of(c->panes[1].live);
    assert_ok(tide_compare_continue_as(c, 2, &error), error);
    assert_string_equal(tide_live_solver_text(live), "verlet");
    assert_true(hash_of(live) == third && hash_of(c->panes[1].live) == second);
    tide_compare_close(c);
    take_steps(live, 2);
    tide_live_close(live);
}

// Distances, in another way; and the clock of panes with timesteps of their own.
static void test_clock(void **state)
{
    (void)state;
    static const tide_compare_plan plan = {
        .panes = { { .timestep = 0.01 }, { .timestep = 0.0025 }, { .timestep = 0.02 }, { .timestep = 0.004 } },
        .count = 4
    };
    tide_live *live = open_scene(write_scene("clock.lua", ""), PLENTY);
    tide_compare *c = compare(live, &plan);
    step(c, 7);
    const uint64_t steps[4] = { 7, 28, 3, 17 };
    for (int i = 0; i < 4; i++)
        assert_int_equal(tide_live_frame(c->panes[i].live), steps[i]);
    assert_true(isnan(c->panes[2].distance)); // it is at 0.06 s
    step(c, 1);
    assert_int_equal(tide_live_frame(c->panes[2].live), 4);
    assert_int_equal(tide_live_frame(c->panes[3].live), 20);
    for (uint32_t i = 1; i < 4; i++) {
        double sum = 0;
        for (uint32_t v = 0; v < 49; v++)
            for (int k = 0; k < 3; k++)
                sum += pow(vertex_of(c->panes[i].live, v)[k] - vertex_of(live, v)[k], 2);
        assert_near(c->panes[i].distance, sqrt(sum / 49), 1e-15);
        assert_true(c->panes[i].distance > 0);
    }
    assert_string_equal(c->panes[1].label, "timestep = 0.0025 s");
    tide_compare_close(c);
    tide_live_close(live);
}

// One that fails stands still; the first may be it; what mends it lets it go on.
static void test_failing_pane(void **state)
{
    (void)state;
    tide_text text = { 0 };
    tide_live *live = open_scene(write_scene("failing.lua", "function scene.update()\n"
                                                            "  if scene.frame == 6 and scene.solver[1] == "
                                                            "\"local_global\" then error(\"enough\") end\n"
                                                            "end"),
                                 PLENTY);
    tide_compare *c = compare(live, &three);
    step(c, 10);
    assert_true(tide_compare_has_stopped(&c->panes[0]) && !tide_compare_is_over(c));
    assert_int_equal(tide_live_frame(live), 6);
    assert_int_equal(tide_live_frame(c->panes[1].live), 10);
    assert_true(isnan(c->panes[1].distance));
    tide_compare_write(c, 0, &text);
    assert_non_null(strstr(text.bytes, "stopped at t = 0.1 s"));
    assert_non_null(strstr(text.bytes, "enough"));
    tide_text_free(&text);
    give(c->panes[1].live, (tide_input) { .kind = TIDE_INPUT_RESET });
    step(c, 2);
    for (int i = 0; i < 3; i++)
        assert_int_equal(tide_live_frame(c->panes[i].live), 2);
    tide_compare_close(c);
    tide_live_close(live);
}

// A plan that cannot be had leaves the experiment as it was; all memory comes back.
static void test_refusals_and_leaks(void **state)
{
    (void)state;
    tide_error error;
    tide_compare *c;
    static const tide_compare_plan wrong[] = {
        { .panes = { { .solver = "newton" }, { .solver = "nwton" } }, .count = 2 },
        { .panes = { { .param = "stiffness", .value = "20" }, { .param = "stiffness", .value = "-20" } }, .count = 2 },
        { .panes = { { .param = "weight", .value = "20" }, { .param = "weight", .value = "3" } }, .count = 2 },
    };
    tide_live *live = open_scene(write_scene("refusals.lua", ""), PLENTY);
    take_steps(live, 3);
    uint64_t before = hash_of(live);
    for (int w = 0; w < 3; w++) {
        assert_true(tide_compare_open(live, &wrong[w], PLENTY, &c, &error) != TIDE_OK);
        assert_true(hash_of(live) == before);
        assert_null(tide_live_solver_text(live));
    }
    tide_compare_close(compare(live, &three));
    give(live, (tide_input) { .kind = TIDE_INPUT_SOLVER });
    size_t used = tide_memory_count().blocks;
    for (int i = 0; i < 5; i++) {
        tide_compare_close(compare(live, &three));
        give(live, (tide_input) { .kind = TIDE_INPUT_SOLVER });
    }
    assert_int_equal(tide_memory_count().blocks, used);
    tide_live_close(live);
}

static void test_places(void **state)
{
    (void)state;
    for (uint32_t count = 1; count <= 9; count++)
        for (uint32_t i = 0; i < count; i++) {
            tide_pane_place p = tide_pane_place_of(count, i, 1280, 720);
            assert_true(p.width >= 400 && p.height >= 230);
            assert_true(p.left + p.width <= 1280 && p.top + p.height <= 720);
            assert_int_equal(tide_pane_at(count, p.left, p.top, 1280, 720), i);
            assert_int_equal(tide_pane_at(count, p.left + p.width - 1, p.top + p.height - 1, 1280, 720), i);
            for (uint32_t j = 0; j < i; j++) {
                tide_pane_place q = tide_pane_place_of(count, j, 1280, 720);
                assert_true(q.left + q.width <= p.left || p.left + p.width <= q.left || q.top + q.height <= p.top);
            }
        }
    assert_int_equal(tide_pane_at(4, -5, 1e9, 1280, 720), 2);
    // Beside panels
    const tide_compare beside = { .count = 4, .bottom = 20, .left = 200, .right = 240, .top = 30 };
    for (uint32_t i = 0; i < 4; i++) {
        tide_pane_place p = tide_compare_place(&beside, i, 1280, 720);
        assert_true(p.left >= 200 && p.left + p.width <= 1040 && p.top >= 30 && p.top + p.height <= 700 &&
                    p.width > 400);
        assert_int_equal(tide_compare_pane_at(&beside, p.left + 1, p.top + 1, 1280, 720), i);
    }
    tide_pane_place narrow = tide_compare_place(&beside, 0, 500, 300); // no room beside them
    assert_int_equal(narrow.left, 0);
    tide_pane_place_of(9, 8, 1, 1); // no room: no harm
}

// An object framed in the whole picture is visible in each pane above its caption, for any shape of the panes.
static void test_panes_show_the_whole_scene(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = { { 1280, 720 }, { 800, 600 }, { 600, 800 } };
    tide_error error;
    tide_job job = { .live = open_scene(write_scene("panes.lua", ""), PLENTY) };
    job.compare = compare(job.live, &three);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        assert_ok(
            tide_picture_create(&job.picture, tide_live_script(job.live), sizes[i][0], sizes[i][1], false, &error),
            error);
        const tide_draw_camera before = job.picture.camera;
        for (uint32_t pane = 0; pane < 3; pane++) {
            const tide_pane_focus focus = tide_pane_enter(&job, pane);
            const tide_camera_part part = job.picture.part;
            const float aspect = (float)job.picture.width / (float)job.picture.height;
            const double *x = tide_world_all_positions(tide_live_world(job.live));
            float matrix[16];
            assert_true(part.y1 > 0.5f && part.y1 < 1);
            tide_camera_matrix(tide_picture_see(&job.picture), aspect, 0.01f, 100, matrix);
            for (size_t v = 0; v < 49; v++) {
                float clip[4];
                for (size_t r = 0; r < 4; r++)
                    clip[r] = matrix[r] * (float)x[3 * v] + matrix[4 + r] * (float)x[3 * v + 1] +
                              matrix[8 + r] * (float)x[3 * v + 2] + matrix[12 + r];
                assert_true(fabsf(clip[0]) <= clip[3]);
                assert_true(clip[1] <= clip[3] && clip[1] >= (1 - 2 * part.y1) * clip[3]);
            }
            tide_pane_leave(&job, &focus);
        }
        assert_memory_equal(&before, &job.picture.camera, sizeof before);
        assert_true(job.picture.width == sizes[i][0] && job.picture.part.y1 <= 0);
        tide_picture_free(&job.picture);
    }
    tide_compare_close(job.compare);
    tide_live_close(job.live);
}

// The time of a picture is that of its panes. Panes that repeat a picture add nothing.
static void test_drawing_time(void **state)
{
    (void)state;
    tide_error error;
    tide_compare_view *view;
    tide_job job = { .live = open_scene(write_scene("panes.lua", ""), PLENTY) };
    job.compare = compare(job.live, &three);
    assert_ok(tide_compare_view_create(&view, &error), error);
    assert_ok(tide_picture_create(&job.picture, tide_live_script(job.live), 320, 180, false, &error), error);
    const double begun = tide_clock_seconds();
    for (int i = 0; i < 12; i++)
        assert_ok(tide_compare_draw(view, &job, false, NULL, NULL, &error), error);
    assert_true(job.picture.draw_seconds > 0);
    assert_true(job.picture.draw_seconds <= tide_clock_seconds() - begun);
    tide_picture_free(&job.picture);
    tide_compare_view_destroy(view);
    tide_compare_close(job.compare);
    tide_live_close(job.live);
}

static void test_lengths(void **state)
{
    (void)state;
    const struct {
        double length;
        const char *text;
    } all[] = {
        { 0, "0 mm" }, { 8.3e-4, "0.83 mm" }, { 0.0123456, "12.3 mm" }, { 3.14159, "3.142 m" }, { 2e-6, "0.002 mm" }
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char text[32];
        tide_compare_write_length(all[i].length, text);
        assert_string_equal(text, all[i].text);
    }
    const struct {
        double seconds;
        const char *text;
    } times[] = { { 0.000314, "0.31 ms" }, { 0.009996, "10.0 ms" }, { 3.53, "3530 ms" } };
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char text[32];
        tide_compare_write_time(times[i].seconds, text);
        assert_string_equal(text, times[i].text);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_fork_has_all),
    cmocka_unit_test(test_fork_is_apart),
    cmocka_unit_test(test_fork_of_changed_script),
    cmocka_unit_test(test_inputs_are_shared),
    cmocka_unit_test(test_own_parts),
    cmocka_unit_test(test_clock),
    cmocka_unit_test(test_failing_pane),
    cmocka_unit_test(test_refusals_and_leaks),
    cmocka_unit_test(test_places),
    cmocka_unit_test(test_panes_show_the_whole_scene),
    cmocka_unit_test(test_drawing_time),
    cmocka_unit_test(test_lengths),
};
TIDE_TEST_SUITE(session_compare, tests)
