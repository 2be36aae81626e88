// The iterates of the step to come: they end where it does, and looking at them changes nothing.
#include "live_scenes.h"
#include "session/live_iterates.h"

#include "base/memory.h"
#include "linear/failing.h"
#include "session/convergence_probe.h"

#include <math.h>

enum { PLENTY = 64 << 20 };

static const char update[] = "function scene.update(dt)\n"
                             "  scene.state.count = scene.state.count + 1\n"
                             "  cloth:move_pin(1, 0.05 * scene.state.count, 0, 0)\n"
                             "  cloth:force(25, 0, 0, 3)\n"
                             "end\n";

static tide_iterates *begin(tide_live *live)
{
    tide_error error;
    tide_iterates *iterates;
    assert_ok(tide_iterates_begin(live, &iterates, &error), error);
    return iterates;
}

static const tide_iterate *go(tide_iterates *iterates, uint32_t index)
{
    tide_error error;
    assert_ok(tide_iterates_go(iterates, index, &error), error);
    return tide_iterates_shown(iterates);
}

static size_t size_of(tide_live *live)
{
    return 3 * tide_world_particle_count(tide_live_world(live)) * sizeof(double);
}

// With contact, an update, pins that move, forces.
static void test_end_where_the_step_does(void **state)
{
    (void)state;
    static const char *const solvers[] = {
        "local_global",
        "local_global,acceleration=anderson",
        "lbfgs",
        "newton",
        "nonlinear_cg",
        "vbd",
        "pbd",
        "xpbd,substeps=4",
        "bdf2",
        "implicit_midpoint",
        "newton,iterations=30,tolerance=1e-6",
    };
    tide_live *live = open_scene(write_scene("iterates.lua", update), PLENTY);
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        give(live, (tide_input) { .kind = TIDE_INPUT_SOLVER, .text = solvers[s] });
        take_steps(live, 12);
        uint64_t before = hash_of(live);
        tide_iterates *iterates = begin(live);
        const tide_iterate *shown = tide_iterates_shown(iterates);
        assert_int_equal(shown->index, 0);
        uint32_t count = shown->count;
        for (uint32_t k = 1; k <= count; k++)
            assert_int_equal(go(iterates, k)->index, k);
        assert_int_equal(go(iterates, count + 5)->index, count);
        assert_true(hash_of(live) == before);
        double *last = tide_copy_bytes(tide_world_all_positions(shown->world), size_of(live));
        take_steps(live, 1);
        assert_memory_equal(last, tide_world_all_positions(tide_live_world(live)), size_of(live));
        tide_iterates_end(iterates);
        tide_free(last);
        // Nobody looked: the same
        give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = tide_live_frame(live) - 1 });
        assert_true(hash_of(live) == before);
    }
    tide_live_close(live);
}

static void test_unlooked_run_is_the_same(void **state)
{
    (void)state;
    tide_live *a = open_scene(write_scene("looked.lua", update), PLENTY), *b = open_scene(tide_live_path(a), PLENTY);
    for (int i = 0; i < 40; i++) {
        if (i % 3 == 0) {
            tide_iterates *iterates = begin(a);
            go(iterates, (uint32_t)i % 5);
            tide_iterates_end(iterates);
        }
        take_steps(a, 1);
        take_steps(b, 1);
        assert_true(hash_of(a) == hash_of(b));
    }
    tide_live_close(a);
    tide_live_close(b);
}

// g, its gradient and the error against what the solver reports and finite differences; they fall to the end.
static void test_numbers(void **state)
{
    (void)state;
    tide_live *live = open_scene(write_scene("numbers.lua", ""), PLENTY);
    give(live, (tide_input) { .kind = TIDE_INPUT_SOLVER, .text = "local_global,iterations=40" });
    take_steps(live, 8);
    tide_iterates *iterates = begin(live);
    const tide_iterate *shown = tide_iterates_shown(iterates);
    assert_true(fabs(shown->left - 1) < 1e-9); // nothing touches yet
    assert_non_null(strstr(shown->text, "iteration 0 of 40 (y"));
    assert_non_null(strstr(shown->text, "100 % of the error left"));
    double g = shown->g, left = shown->left, first = shown->gradient_norm;
    for (uint32_t k = 1; k <= 40; k++) {
        go(iterates, k);
        const tide_report *report = tide_world_report(shown->world);
        assert_int_equal(report->iterations, k);
        assert_true(fabs(shown->g - report->g) <= 1e-9 * fabs(report->g));
        assert_true(fabs(shown->gradient_norm - report->gradient_norm) <= 1e-6 * first);
        assert_true(shown->g <= g * (1 + 1e-12) && shown->left <= left * (1 + 1e-6));
        g = shown->g;
        left = shown->left;
    }
    assert_true(left < 0.05 && shown->gradient_norm < 0.1 * first);
    // The residual's work along a displacement is how g falls there.
    go(iterates, 3);
    const tide_system *system;
    tide_error error;
    assert_ok(tide_world_system(shown->world, &system, &error), error);
    size_t numbers = 3 * (size_t)system->particle_count;
    double *x = tide_copy_bytes(tide_world_all_positions(shown->world), numbers * sizeof *x), *y, h = 1.0 / 60;
    y = tide_allocate_array(numbers, sizeof *y);
    tide_world *fork;
    assert_ok(tide_world_fork(tide_live_world(live), &fork, &error), error);
    assert_ok(tide_world_predict(fork, y, &error), error);
    tide_world_destroy(fork);
    for (size_t i = 3 * 20; i < 3 * 23; i++) {
        double at = x[i], e = 1e-5, sides[2];
        for (int side = 0; side < 2; side++) {
            x[i] = at + (side ? e : -e);
            sides[side] = tide_system_objective(system, h, y, x);
        }
        x[i] = at;
        double slope = (sides[1] - sides[0]) / (2 * e);
        assert_true(fabs(-slope / (h * h) - shown->residual[i]) <= 1e-5 * (1 + fabs(shown->residual[i])));
    }
    assert_true(shown->residual[0] == 0); // pinned
    tide_free(x);
    tide_free(y);
    tide_iterates_end(iterates);
    tide_live_close(live);
}

// With contact, the error is that of the step with its contacts: as the probe has it, which looks at the same state in
// another way, and no number that contacts' forces make small.
static void test_error_with_contact(void **state)
{
    (void)state;
    tide_live *live = open_scene(
        write_scene("touches.lua", "scene:collider('floor', { shape = 'plane', normal = { 0, 1, 0 }, offset = -0.4 })"),
        PLENTY);
    give(live, (tide_input) { .kind = TIDE_INPUT_SOLVER, .text = "local_global,iterations=6" });
    int seen = 0;
    for (int i = 0; i < 120; i++) {
        take_steps(live, 1);
        uint32_t contacts;
        tide_world_contacts(tide_live_world(live), &contacts);
        if (i % 10 || !contacts)
            continue;
        tide_error error;
        tide_convergence found;
        tide_world *fork;
        tide_iterates *iterates = begin(live);
        assert_true(isnan(tide_iterates_shown(iterates)->left));
        double first = go(iterates, 1)->left, last = go(iterates, 6)->left;
        assert_ok(tide_world_fork(tide_live_world(live), &fork, &error), error);
        assert_ok(tide_convergence_measure(fork, NULL, 1, &found, &error), error);
        tide_world_destroy(fork);
        tide_iterates_end(iterates);
        assert_true(last < first);
        assert_true(fabs(last - found.error) <= 0.02 + 0.2 * fmax(last, found.error));
        assert_true(first > 0.01);
        seen++;
    }
    assert_true(seen >= 3);
    tide_live_close(live);
}

static void test_refused(void **state)
{
    (void)state;
    char why[96];
    tide_error error;
    tide_iterates *iterates;
    tide_live *live = open_scene(write_scene("refused.lua", ""), PLENTY);
    give(live, (tide_input) { .kind = TIDE_INPUT_SOLVER, .text = "rk4,substeps=8" });
    assert_false(tide_iterates_can_show(live, why, sizeof why));
    assert_string_equal(why, "rk4 has no iterations: it steps whole");
    assert_int_equal(tide_iterates_begin(live, &iterates, &error), TIDE_ERROR_STATE);
    tide_live_close(live);
    // An update that fails has done nothing, and neither has a look.
    live = open_scene(
        write_scene("refused2.lua", "function scene.update(dt) if scene.frame == 3 then error('no') end end"), PLENTY);
    take_steps(live, 3);
    uint64_t before = hash_of(live);
    assert_int_equal(tide_iterates_begin(live, &iterates, &error), TIDE_ERROR_SCRIPT);
    assert_true(hash_of(live) == before);
    tide_live_close(live);
}

// The texts for a method that does not minimise g or has substeps.
static void test_words(void **state)
{
    (void)state;
    tide_live *live = open_scene(write_scene("words.lua", ""), PLENTY);
    give(live, (tide_input) { .kind = TIDE_INPUT_SOLVER, .text = "local_global,substeps=3,iterations=4" });
    take_steps(live, 2);
    tide_iterates *iterates = begin(live);
    const tide_iterate *shown = go(iterates, 2);
    assert_int_equal(shown->count, 4);
    assert_null(shown->residual);
    assert_non_null(strstr(shown->text, "iteration 2 of 4 in each of 3 substeps: g = "));
    assert_null(strstr(shown->text, "error left"));
    tide_iterates_end(iterates);
    give(live, (tide_input) { .kind = TIDE_INPUT_SOLVER, .text = "pbd,iterations=5" });
    iterates = begin(live);
    assert_non_null(go(iterates, 2)->residual); // moved positions are measured by g, too
    tide_iterates_end(iterates);
    tide_live_close(live);
}

// If any allocation fails, the world is unchanged and nothing is leaked.
static void test_without_memory(void **state)
{
    (void)state;
    uint64_t blocks = tide_memory_count().blocks;
    tide_live *live = open_scene(write_scene("memory.lua", update), PLENTY);
    take_steps(live, 5);
    uint64_t before = hash_of(live);
    bool done = false;
    int failures = 0;
    for (uint64_t k = 0; !done; k++) {
        tide_error error;
        tide_iterates *iterates;
        failing_allocation failing = { .left = k };
        tide_memory_set_failure_hook(fail_in_turn, &failing);
        tide_status status = tide_iterates_begin(live, &iterates, &error);
        if (status == TIDE_OK) {
            tide_iterates_go(iterates, 2, &error);
            tide_iterates_end(iterates);
        }
        tide_memory_set_failure_hook(NULL, NULL);
        done = !failing.failed;
        failures += status != TIDE_OK;
        assert_true(hash_of(live) == before);
    }
    assert_true(failures > 20);
    tide_live_close(live);
    assert_int_equal(tide_memory_count().blocks, blocks); // the script's own memory is gone, too
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_end_where_the_step_does),
    cmocka_unit_test(test_unlooked_run_is_the_same),
    cmocka_unit_test(test_numbers),
    cmocka_unit_test(test_error_with_contact),
    cmocka_unit_test(test_refused),
    cmocka_unit_test(test_words),
    cmocka_unit_test(test_without_memory),
};
TIDE_TEST_SUITE(session_iterates, tests)
