// Live experiments: inputs, history, tools, and failures that leave the world alive.
#include "live_scenes.h"

#include "base/memory.h"
#include "base/random.h"
#include "world/cuts.h"
#include "world/intact.h"
#include "world/snapshot.h"

#include <math.h>

enum { PLENTY = 64 << 20 };

// Numbers of a step go with the frame that it went to.
static void test_reports_of_frames(void **state)
{
    (void)state;
    tide_live *live = open_scene(write_scene("reports.lua", ""), PLENTY);
    tide_report reports[20];
    uint32_t contacts;
    assert_null(tide_live_report(live, NULL)); // no step went to the first frame
    for (int i = 0; i < 20; i++) {
        take_steps(live, 1);
        reports[i] = *tide_live_report(live, &contacts);
        assert_true(reports[i].step_seconds > 0);
    }
    assert_true(reports[4].g != reports[19].g);
    for (uint64_t frame = 20; frame > 0; frame -= 5) {
        give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = frame });
        assert_memory_equal(tide_live_report(live, NULL), &reports[frame - 1], sizeof reports[0]);
    }
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 0 });
    assert_null(tide_live_report(live, NULL));
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 7 });
    give(live, (tide_input) { .kind = TIDE_INPUT_RESET });
    assert_null(tide_live_report(live, NULL));
    take_steps(live, 1);
    assert_non_null(tide_live_report(live, NULL));
    tide_live_close(live);
}

static void test_rewind_and_again(void **state)
{
    (void)state;
    tide_live *live = open_scene(write_scene("rewind.lua", ""), PLENTY);
    uint64_t hashes[151];
    for (int i = 0; i <= 150; i++) {
        hashes[i] = hash_of(live);
        if (i == 20)
            give(live, (tide_input) { .kind = TIDE_INPUT_KEY, .text = "a" });
        take_steps(live, i < 150);
    }
    assert_int_equal(tide_live_history(live).count, 151);
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 50 });
    assert_int_equal(tide_live_frame(live), 50);
    assert_int_equal(tide_live_history(live).last, 150); // the frames after it are there until it goes on
    for (int i = 50; i <= 150; i++) {
        assert_true(hash_of(live) == hashes[i]);
        take_steps(live, i < 150);
    }
    assert_int_equal(tide_live_steps(live), 250);
    // A frame is kept as inputs left it: the key at frame 20 is in it.
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 20 });
    assert_true(hash_of(live) != hashes[20]);
    take_steps(live, 130);
    assert_true(hash_of(live) == hashes[150]);
    // Another way: what came after is forgotten.
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 100 });
    give(live, (tide_input) { .kind = TIDE_INPUT_MOVE_COLLIDER, .name = "ball", .point = { 0, 0.3, 0 } });
    assert_int_equal(tide_live_history(live).last, 100);
    take_steps(live, 10);
    assert_int_equal(tide_live_history(live).last, 110);
    assert_true(hash_of(live) != hashes[110]);
    tide_live_close(live);
}

static void test_history_limit(void **state)
{
    (void)state;
    tide_error error;
    enum { LIMIT = 100000 };
    tide_live *live = open_scene(write_scene("limit.lua", ""), LIMIT);
    size_t largest = 0;
    for (int i = 0; i < 60; i++) {
        take_steps(live, 1);
        tide_history_span span = tide_live_history(live);
        assert_true(span.bytes <= LIMIT);
        assert_int_equal(span.last, i + 1);
        assert_int_equal(span.count, span.last - span.first + 1);
        size_t bytes = 2048; // of the script's text
        for (uint64_t f = span.first; f <= span.last; f++)
            bytes += tide_snapshot_size(tide_live_snapshot_of(live, f));
        assert_true(bytes - 2048 < span.bytes && span.bytes < bytes + 1024 * (size_t)span.count);
        largest = span.bytes > largest ? span.bytes : largest;
    }
    tide_history_span span = tide_live_history(live);
    assert_true(largest > LIMIT / 2 && span.first > 30);
    const tide_input too_far = { .kind = TIDE_INPUT_REWIND, .frame = span.first - 1 };
    uint64_t before = hash_of(live);
    assert_fails(tide_live_apply(live, &too_far, &error), error, "are kept");
    assert_true(hash_of(live) == before);
    tide_live_close(live);
    live = open_scene(write_scene("limit.lua", ""), 10); // less than a frame takes
    take_steps(live, 3);
    assert_int_equal(tide_live_history(live).count, 0);
    tide_live_close(live);
}

static void test_drag(void **state)
{
    (void)state;
    tide_error error;
    tide_live *live = open_scene(write_scene("drag.lua", ""), PLENTY);
    take_steps(live, 5);
    double from[3], to[3];
    memcpy(from, vertex_of(live, 45), sizeof from);
    for (int k = 0; k < 3; k++)
        to[k] = from[k] + 0.3;
    const tide_input no_body = { .kind = TIDE_INPUT_DRAG_BEGIN, .name = "cloak", .number = 500 };
    assert_fails(tide_live_apply(live, &no_body, &error), error, "no body of this name");
    const tide_input no_vertex = { .kind = TIDE_INPUT_DRAG_BEGIN, .name = "cloth", .vertex = 49, .number = 500 };
    assert_fails(tide_live_apply(live, &no_vertex, &error), error, "vertex");
    const tide_input nothing = { .kind = TIDE_INPUT_DRAG_END };
    assert_fails(tide_live_apply(live, &nothing, &error), error, "nothing is held");
    uint64_t free_hash = hash_of(live);
    give(live, (tide_input) { .kind = TIDE_INPUT_DRAG_BEGIN,
                              .name = "cloth",
                              .vertex = 45,
                              .number = 500,
                              .point = { from[0], from[1], from[2] } });
    give(live, (tide_input) { .kind = TIDE_INPUT_DRAG_MOVE, .point = { to[0], to[1], to[2] } });
    assert_true(tide_live_dragging(live)->active);
    take_steps(live, 60);
    double held[3], distance = 0;
    memcpy(held, vertex_of(live, 45), sizeof held);
    for (int k = 0; k < 3; k++)
        distance += (held[k] - to[k]) * (held[k] - to[k]);
    assert_true(sqrt(distance) < 0.1);
    uint64_t at_end = hash_of(live);
    // Going back into the drag, it is held as it was then.
    give(live, (tide_input) { .kind = TIDE_INPUT_DRAG_END });
    assert_false(tide_live_dragging(live)->active);
    take_steps(live, 30);
    double gone = 0;
    for (int k = 0; k < 3; k++)
        gone += fabs(vertex_of(live, 45)[k] - held[k]);
    assert_true(gone > 0.05); // it falls
    assert_false(tide_world_is_pinned(tide_live_world(live), tide_world_find_body(tide_live_world(live), "cloth"), 45));
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 30 });
    assert_true(tide_live_dragging(live)->active);
    assert_near(tide_live_dragging(live)->point[0], to[0], 0);
    take_steps(live, 35);
    assert_true(hash_of(live) == at_end);
    // A drag that is over leaves nothing behind.
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 5 });
    give(live, (tide_input) { .kind = TIDE_INPUT_DRAG_END });
    assert_true(hash_of(live) == free_hash);
    tide_live_close(live);
}

// The elements of a body are removed with it.
static void test_drag_body_and_edge(void **state)
{
    (void)state;
    tide_live *live = open_scene(write_scene("drag_body.lua", ""), 0);
    give(live, (tide_input) { .kind = TIDE_INPUT_DRAG_BEGIN, .name = "cloth", .grip = TIDE_GRIP_BODY, .number = 1e4 });
    give(live, (tide_input) { .kind = TIDE_INPUT_DRAG_MOVE, .point = { 0, 1, 0.5 } });
    take_steps(live, 120);
    for (uint32_t i = 0; i < 49; i++) { // m g / k = 1 mm of sag
        assert_near(vertex_of(live, i)[0], i % 7 / 6.0, 5e-3);
        assert_near(vertex_of(live, i)[1], 1, 5e-3);
        assert_near(vertex_of(live, i)[2], i / 7 / 6.0 + 0.5, 5e-3);
    }
    give(live, (tide_input) { .kind = TIDE_INPUT_DRAG_END });
    tide_world *world = tide_live_world(live);
    tide_body_id cloth = tide_world_find_body(world, "cloth");
    for (uint32_t i = 0; i < 49; i++)
        assert_int_equal(tide_world_is_pinned(world, cloth, i), i == 0 || i == 6); // as the script has it
    give(live, (tide_input) { .kind = TIDE_INPUT_DRAG_BEGIN,
                              .name = "cloth",
                              .grip = TIDE_GRIP_EDGE,
                              .vertex = 0,
                              .other = 24,
                              .number = 100 });
    give(live, (tide_input) { .kind = TIDE_INPUT_DRAG_MOVE, .point = { 0, 0, -0.25 } });
    take_steps(live, 1);
    assert_near(vertex_of(live, 0)[2], 0.25, 1e-9); // a pin is moved
    assert_true(tide_world_is_pinned(world, cloth, 24));
    give(live, (tide_input) { .kind = TIDE_INPUT_DRAG_END });
    assert_true(tide_world_is_pinned(world, cloth, 0));
    assert_false(tide_world_is_pinned(world, cloth, 24));
    tide_live_close(live);
}

static void test_param(void **state)
{
    (void)state;
    tide_error error;
    tide_live *live = open_scene(write_scene("param.lua", ""), PLENTY);
    take_steps(live, 20);
    double before[3];
    memcpy(before, vertex_of(live, 24), sizeof before);
    give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "200" });
    assert_memory_equal(before, vertex_of(live, 24), sizeof before);
    assert_string_equal(tide_live_settings(live)[0].value, "200");
    tide_extra_spring spring;
    tide_world *world = tide_live_world(live);
    assert_ok(tide_world_spring(world, tide_world_find_body(world, "cloth"), 0, &spring, &error), error);
    assert_near(spring.stiffness, 200, 0);
    uint64_t hash = hash_of(live);
    const tide_input wrong[] = {
        { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "1e9" },
        { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "soft" },
        { .kind = TIDE_INPUT_PARAM, .name = "stifness", .text = "9" },
        { .kind = TIDE_INPUT_TIMESTEP, .number = -1 },
        { .kind = TIDE_INPUT_TIMESTEP, .number = NAN },
        { .kind = TIDE_INPUT_SOLVER, .text = "nuton" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_true(tide_live_apply(live, &wrong[i], &error) != TIDE_OK);
        assert_true(hash_of(live) == hash);
        assert_string_equal(tide_live_settings(live)[0].value, "200");
        assert_int_equal(tide_live_setting_count(live), 1);
        assert_false(tide_live_is_paused(live));
    }
    assert_int_equal(tide_live_failure(live)->kind, TIDE_FAILURE_RUN);
    take_steps(live, 1); // it goes on
    give(live, (tide_input) { .kind = TIDE_INPUT_SOLVER, .text = "newton,iterations=3" });
    assert_int_equal(tide_live_failure(live)->kind, TIDE_FAILURE_NONE);
    give(live, (tide_input) { .kind = TIDE_INPUT_TIMESTEP, .number = 0.005 });
    give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "90" });
    assert_near(tide_world_get_settings(tide_live_world(live))->timestep, 0.005, 0);
    assert_string_equal(tide_solver_kind_of(tide_world_solver(tide_live_world(live)))->name, "newton");
    give(live, (tide_input) { .kind = TIDE_INPUT_SOLVER });
    assert_string_equal(tide_solver_kind_of(tide_world_solver(tide_live_world(live)))->name, "local_global");
    tide_live_close(live);
}

static void test_pins_by_hand(void **state)
{
    (void)state;
    tide_live *live = open_scene(write_scene("pins.lua", ""), PLENTY);
    take_steps(live, 10);
    give(live, (tide_input) { .kind = TIDE_INPUT_PIN, .name = "cloth", .vertex = 48 });
    give(live, (tide_input) { .kind = TIDE_INPUT_UNPIN, .name = "cloth", .vertex = 0 });
    double held[3];
    memcpy(held, vertex_of(live, 48), sizeof held);
    take_steps(live, 10);
    assert_memory_equal(held, vertex_of(live, 48), sizeof held);
    give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "100" });
    take_steps(live, 10);
    assert_memory_equal(held, vertex_of(live, 48), sizeof held); // over runs of the script, too
    assert_true(vertex_of(live, 0)[1] < -1e-3);
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 5 });
    tide_body_id cloth = tide_world_find_body(tide_live_world(live), "cloth");
    assert_false(tide_world_is_pinned(tide_live_world(live), cloth, 48));
    give(live, (tide_input) { .kind = TIDE_INPUT_RELOAD }); // nor after a run from there
    assert_false(tide_world_is_pinned(tide_live_world(live), tide_world_find_body(tide_live_world(live), "cloth"), 48));
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 30 });
    assert_true(tide_world_is_pinned(tide_live_world(live), tide_world_find_body(tide_live_world(live), "cloth"), 48));
    give(live, (tide_input) { .kind = TIDE_INPUT_RESET });
    cloth = tide_world_find_body(tide_live_world(live), "cloth");
    assert_false(tide_world_is_pinned(tide_live_world(live), cloth, 48));
    assert_true(tide_world_is_pinned(tide_live_world(live), cloth, 0));
    tide_live_close(live);
}

static void test_failing_callbacks(void **state)
{
    (void)state;
    tide_error error;
    const char *path = write_scene("fails.lua", "function scene.update() scene.state.count = 99\n"
                                                "  if scene.frame == 3 then error('not now') end end");
    tide_live *live = open_scene(path, PLENTY);
    uint64_t hash = hash_of(live);
    const tide_input bad_key = { .kind = TIDE_INPUT_KEY, .text = "x" };
    assert_fails(tide_live_apply(live, &bad_key, &error), error, "no x");
    assert_int_equal(tide_live_failure(live)->kind, TIDE_FAILURE_INPUT);
    assert_true(hash_of(live) == hash);
    take_steps(live, 3);
    hash = hash_of(live);
    assert_fails(tide_live_step(live, &error), error, "not now");
    assert_int_equal(tide_live_failure(live)->kind, TIDE_FAILURE_STEP);
    assert_true(tide_live_is_paused(live));
    assert_true(hash_of(live) == hash);
    assert_fails(tide_live_step(live, &error), error, "not now"); // and stays so
    tide_live_pause(live, false);
    assert_true(tide_live_is_paused(live));
    tide_suggestion remedies[TIDE_SUGGESTION_MAX];
    assert_int_equal(tide_live_suggestions(live, remedies), 0); // no solver helps
    write_scene("fails.lua", "function scene.update() end end");
    const tide_input reload = { .kind = TIDE_INPUT_RELOAD };
    assert_fails(tide_live_apply(live, &reload, &error), error, "fails.lua:");
    assert_int_equal(tide_live_failure(live)->kind, TIDE_FAILURE_STEP); // that is what keeps it from going on
    assert_true(hash_of(live) == hash);
    write_scene("fails.lua", "");
    give(live, reload);
    assert_int_equal(tide_live_failure(live)->kind, TIDE_FAILURE_NONE);
    assert_false(tide_live_is_paused(live));
    assert_int_equal(tide_live_frame(live), 3);
    take_steps(live, 3);
    tide_live_close(live);
}

static void test_endless_loop(void **state)
{
    (void)state;
    tide_error error;
    const char *path = write_scene("endless.lua", "function scene.update() while scene.frame == 2 do end end");
    tide_live *live = open_scene(path, PLENTY);
    take_steps(live, 2);
    uint64_t hash = hash_of(live);
    tide_script_set_time_limit(tide_live_script(live), 0.2);
    assert_fails(tide_live_step(live, &error), error, "it took more than 0.2 s");
    tide_script_set_time_limit(tide_live_script(live), 60);
    assert_true(hash_of(live) == hash);
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 1 }); // the world is alive
    take_steps(live, 1);
    write_scene("endless.lua", "");
    give(live, (tide_input) { .kind = TIDE_INPUT_RELOAD });
    take_steps(live, 2);
    tide_live_close(live);
}

static void test_divergence(void **state)
{
    (void)state;
    tide_error error;
    tide_live *live = open_scene(write_scene("diverges.lua", ""), PLENTY);
    take_steps(live, 3);
    give(live, (tide_input) { .kind = TIDE_INPUT_SOLVER, .text = "explicit_euler,substep=0.0166" });
    give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "10000" });
    int steps = 0;
    while (tide_live_step(live, &error) == TIDE_OK && steps < 300)
        steps++;
    const tide_failure *failure = tide_live_failure(live);
    assert_true(steps < 300);
    assert_int_equal(failure->kind, TIDE_FAILURE_STEP);
    assert_int_equal(failure->error.status, TIDE_ERROR_NUMERIC);
    assert_true(failure->has_vertex && failure->vertex < 49);
    tide_suggestion remedies[TIDE_SUGGESTION_MAX];
    // No timestep is stable, and none is offered; the cure that the solver's warning names is.
    assert_non_null(strstr(failure->theory, "stable at no timestep"));
    assert_int_equal(tide_live_suggestions(live, remedies), 3);
    for (int r = 0; r < 3; r++)
        assert_int_equal(remedies[r].input.kind, TIDE_INPUT_SOLVER);
    assert_string_equal(remedies[0].input.text, "explicit_euler,damping=auto");
    give(live, remedies[0].input);
    take_steps(live, 30);
    // A method that a shorter timestep makes stable
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 3 });
    give(live, (tide_input) { .kind = TIDE_INPUT_SOLVER, .text = "symplectic_euler,substep=0.0166" });
    for (steps = 0; tide_live_step(live, &error) == TIDE_OK && steps < 300; steps++)
        ;
    assert_int_equal(tide_live_suggestions(live, remedies), 3);
    assert_int_equal(remedies[0].input.kind, TIDE_INPUT_TIMESTEP);
    assert_near(remedies[0].input.number, 1.0 / 120, 1e-15);
    // Half the timestep is not suggested if it would not change the given substeps.
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 3 });
    give(live, (tide_input) { .kind = TIDE_INPUT_SOLVER, .text = "symplectic_euler,substep=0.008" });
    for (steps = 0; tide_live_step(live, &error) == TIDE_OK && steps < 300; steps++)
        ;
    assert_int_equal(tide_live_suggestions(live, remedies), 3);
    assert_int_equal(remedies[0].input.kind, TIDE_INPUT_SOLVER);
    give(live, remedies[0].input);
    take_steps(live, 20);
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 3 });
    give(live, remedies[2].input);
    assert_string_equal(tide_solver_kind_of(tide_world_solver(tide_live_world(live)))->name, "newton");
    take_steps(live, 20);
    tide_live_close(live);
}

static void test_explosion(void **state)
{
    (void)state;
    tide_error error;
    tide_live *live = open_scene(write_scene("explodes.lua", ""), PLENTY);
    take_steps(live, 30);
    uint64_t sound = hash_of(live);
    give(live, (tide_input) { .kind = TIDE_INPUT_SOLVER, .text = "explicit_euler,substep=0.0166" });
    int steps = 0;
    // No state in which it has exploded is left for pictures.
    for (; tide_live_step(live, &error) == TIDE_OK && steps < 300; steps++)
        for (uint32_t i = 0; i < 49; i++)
            assert_true(fabs(vertex_of(live, i)[1]) < 20);
    const tide_failure *failure = tide_live_failure(live);
    assert_true(steps > 0 && steps < 300 && failure->exploded && failure->has_vertex);
    assert_non_null(strstr(error.remedy, "it explodes under explicit_euler"));
    assert_non_null(strstr(error.remedy, "set damping = \"auto\""));
    assert_true(tide_live_is_paused(live));
    uint64_t frame = tide_live_frame(live), back = hash_of(live);
    assert_true(frame >= 30 && frame <= 30 + (uint64_t)steps);
    for (uint32_t i = 0; i < 49; i++)
        assert_true(fabs(vertex_of(live, i)[1]) < 3);
    tide_suggestion remedies[TIDE_SUGGESTION_MAX];
    assert_int_equal(tide_live_suggestions(live, remedies), 3);
    give(live, remedies[1].input);
    assert_false(tide_live_is_paused(live));
    take_steps(live, 60);
    // It may explode, if one wants it to.
    give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 30 });
    assert_true(hash_of(live) == sound);
    give(live, (tide_input) { .kind = TIDE_INPUT_SOLVER, .text = "explicit_euler,substep=0.0166" });
    while (tide_live_step(live, &error) == TIDE_OK)
        ;
    assert_true(hash_of(live) == back);
    tide_live_clear_failure(live);
    assert_int_equal(tide_live_failure(live)->kind, TIDE_FAILURE_NONE);
    while (tide_live_step(live, &error) == TIDE_OK)
        ;
    assert_false(tide_live_failure(live)->exploded);
    assert_non_null(strstr(error.remedy, "diverged"));
    assert_true(tide_live_frame(live) > 30 + (uint64_t)steps);
    tide_live_close(live);
}

static void test_cut(void **state)
{
    (void)state;
    tide_error error;
    static const char *const solvers[] = { "local_global", "newton", "lbfgs", "pbd", "xpbd", "vbd", "verlet" };
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        tide_live *live = open_scene(write_scene("cut.lua", ""), PLENTY);
        give(live, (tide_input) { .kind = TIDE_INPUT_SOLVER, .text = solvers[s] });
        take_steps(live, 5);
        uint64_t before = hash_of(live);
        // All springs between the rows 0..2 and 3..6.
        tide_world *world = tide_live_world(live);
        tide_body_id cloth = tide_world_find_body(world, "cloth");
        tide_body_info body;
        assert_true(tide_world_body_info(world, cloth, &body));
        uint32_t springs[400], count = 0;
        for (uint32_t i = 0; i < body.spring_count; i++) {
            tide_extra_spring spring;
            assert_ok(tide_world_spring(world, cloth, i, &spring, &error), error);
            if ((spring.i < 21) != (spring.j < 21))
                springs[count++] = i;
        }
        assert_true(count > 13 && count < 60);
        give(live,
             (tide_input) { .kind = TIDE_INPUT_CUT, .name = "cloth", .elements = springs, .element_count = count });
        tide_extra_spring spring;
        assert_ok(tide_world_spring(world, cloth, springs[0], &spring, &error), error);
        assert_near(spring.stiffness, 0, 0);
        assert_true(tide_world_is_cut(world, cloth, springs[0]) && tide_world_has_cuts(world, cloth));
        tide_intact intact;
        assert_ok(tide_world_intact(world, cloth, false, &intact, &error), error);
        uint32_t whole = intact.mesh.triangle_count, *triangles = intact.triangles;
        assert_int_equal(whole, 72 - 12);
        for (uint32_t t = 0; t < whole; t++)
            assert_true((triangles[3 * t] < 21) == (triangles[3 * t + 1] < 21) &&
                        (triangles[3 * t] < 21) == (triangles[3 * t + 2] < 21));
        tide_intact_free(&intact);
        double fallen = vertex_of(live, 48)[1];
        take_steps(live, 15);
        give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "81" }); // still cut
        take_steps(live, 15);
        // Half a second of free fall, from a cloth that had hardly moved.
        assert_true(vertex_of(live, 48)[1] < fallen - 0.9);
        assert_true(vertex_of(live, 3)[1] > -0.6);
        give(live, (tide_input) { .kind = TIDE_INPUT_REWIND, .frame = 4 });
        give(live, (tide_input) { .kind = TIDE_INPUT_PARAM, .name = "stiffness", .text = "80" });
        assert_false(tide_world_has_cuts(tide_live_world(live), tide_world_find_body(tide_live_world(live), "cloth")));
        take_steps(live, 1);
        assert_true(hash_of(live) == before);
        tide_live_close(live);
    }
}

static void test_saved_world(void **state)
{
    (void)state;
    tide_error error;
    char path[256], scene[256];
    snprintf(scene, sizeof scene, "%s", write_scene("saved.lua", ""));
    snprintf(path, sizeof path, "%s/saved.world", tide_test_folder());
    tide_live *live = open_scene(scene, PLENTY), *other = open_scene(scene, PLENTY);
    take_steps(live, 40);
    give(live, (tide_input) { .kind = TIDE_INPUT_KEY, .text = "a" });
    const uint32_t springs[] = { 3, 70 };
    give(live, (tide_input) { .kind = TIDE_INPUT_CUT, .name = "cloth", .elements = springs, .element_count = 2 });
    uint32_t faces[21]; // of the first triangles of all rows: some of them come off
    for (uint32_t i = 0; i < 21; i++)
        faces[i] = 36 * (i / 3) + i % 3;
    give(live, (tide_input) { .kind = TIDE_INPUT_OPEN, .name = "cloth", .elements = faces, .element_count = 18 });
    give(live, (tide_input) { .kind = TIDE_INPUT_PIN, .name = "cloth", .vertex = 30 });
    assert_ok(tide_live_save_world(live, path, &error), error);
    assert_ok(tide_live_open_world(other, path, &error), error);
    assert_int_equal(tide_live_frame(other), 40);
    assert_true(hash_of(live) == hash_of(other));
    take_steps(live, 20);
    take_steps(other, 20);
    assert_true(hash_of(live) == hash_of(other));
    tide_live_close(other);
    // Another scene refuses it, and is as it was.
    other = open_scene(
        write_scene("saved2.lua", "scene:body('b', { mesh = tide.mesh.grid { columns = 2, rows = 2 } })"), 0);
    uint64_t hash = hash_of(other);
    assert_fails(tide_live_open_world(other, path, &error), error, "of other bodies");
    assert_true(hash_of(other) == hash);
    assert_fails(tide_live_open_world(other, "nowhere.world", &error), error, "cannot be read");
    assert_fails(tide_live_save_world(other, "/nowhere/a.world", &error), error, "cannot be written");
    tide_live_close(other);
    tide_live_close(live);
}

// A saved world with bytes changed, and (every other time) its hash put right: refused, or a world that goes on.
static void test_hostile_worlds(void **state)
{
    (void)state;
    tide_error error;
    char path[256];
    snprintf(path, sizeof path, "%s/hostile.world", tide_test_folder());
    tide_live *live = open_scene(write_scene("hostile_world.lua", ""), 0);
    give(live, (tide_input) { .kind = TIDE_INPUT_SOLVER, .text = "bdf2" });
    take_steps(live, 40);
    tide_snapshot *snapshot;
    size_t size;
    assert_ok(tide_world_snapshot(tide_live_world(live), &snapshot, &error), error);
    const unsigned char *good = tide_snapshot_bytes(snapshot, &size);
    unsigned char *bytes = tide_allocate(size);
    tide_random random = tide_random_seed(3);
    int opened = 0, refused = 0;
    for (int i = 0; i < 1500; i++) {
        // Mostly the header and the data after the positions.
        size_t at = i % 3 == 0 ? tide_random_next(&random) % 104 : tide_random_next(&random) % size, length = size;
        memcpy(bytes, good, size);
        if (i % 5 == 0)
            memset(bytes + at / 8 * 8, i % 2 ? 255 : 0, 8);
        else
            bytes[at] = (unsigned char)tide_random_next(&random);
        if (i % 50 == 0)
            length = at;
        tide_snapshot *read;
        if (tide_snapshot_read(tide_live_world(live), bytes, length, &read, &error) != TIDE_OK) {
            refused++;
            continue;
        }
        opened++;
        assert_ok(tide_world_restore(tide_live_world(live), snapshot, &error), error);
        if (tide_world_restore(tide_live_world(live), read, &error) == TIDE_OK && i % 10 == 1)
            tide_world_step(tide_live_world(live), &error); // it may diverge
        tide_snapshot_destroy(read);
    }
    assert_true(opened > 300 && refused > 200);
    assert_ok(tide_world_restore(tide_live_world(live), snapshot, &error), error);
    assert_ok(tide_live_save_world(live, path, &error), error);
    tide_text text = { 0 };
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (int c; (c = fgetc(file)) != EOF;)
        tide_text_add(&text, &(char) { (char)c }, 1);
    fclose(file);
    uint64_t hash = hash_of(live);
    for (size_t cut = 0; cut < text.length; cut += 1 + cut / 40) {
        const tide_input short_one = { .kind = TIDE_INPUT_RESTORE, .text = text.bytes, .size = cut };
        assert_true(tide_live_apply(live, &short_one, &error) != TIDE_OK);
    }
    for (size_t at = 0; at < text.length; at += 1 + at / 40) {
        char was = text.bytes[at];
        text.bytes[at] = was == '0' ? '1' : '0';
        const tide_input wrong = { .kind = TIDE_INPUT_RESTORE, .text = text.bytes, .size = text.length };
        assert_true(tide_live_apply(live, &wrong, &error) != TIDE_OK);
        text.bytes[at] = was;
    }
    assert_true(hash_of(live) == hash);
    tide_text_free(&text);
    tide_free(bytes);
    tide_snapshot_destroy(snapshot);
    tide_live_close(live);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_reports_of_frames),  cmocka_unit_test(test_rewind_and_again),
    cmocka_unit_test(test_history_limit),      cmocka_unit_test(test_drag),
    cmocka_unit_test(test_drag_body_and_edge), cmocka_unit_test(test_param),
    cmocka_unit_test(test_pins_by_hand),       cmocka_unit_test(test_failing_callbacks),
    cmocka_unit_test(test_endless_loop),       cmocka_unit_test(test_divergence),
    cmocka_unit_test(test_explosion),          cmocka_unit_test(test_cut),
    cmocka_unit_test(test_saved_world),        cmocka_unit_test(test_hostile_worlds),
};
TIDE_TEST_SUITE(session_live, tests)
