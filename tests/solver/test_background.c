// New factors made in the background: what comes out is what the foreground has, and depends on no clock.
#include "base/background.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "linear/changeover.h"
#include "method_checks.h"
#include "world/contact_scenes.h"
#include "world/fixture.h"
#include "world/snapshot.h"

#include <limits.h>
#include <stdatomic.h>
#include <string.h>

static tide_error error;

#define PLAIN "iterations=1"
#define ALWAYS ",solve.background=always"
#define NEVER ",solve.background=never"

// A cloth of side * side vertices of this stiffness, under a solver with options; nothing steps it yet.
static tide_world *cloth(int side, double stiffness, const char *name, const char *options, const tide_world *before)
{
    const tide_mesh *mesh = fixture_grid(side, side);
    tide_world *world = fixture_world(NULL, before);
    tide_body_def def = fixture_cloth("cloth", mesh);
    tide_body_id id;
    def.stiffness = stiffness;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    assert_ok(tide_world_pin(world, id, 0, TIDE_NOT_GIVEN, &error), error);
    assert_ok(tide_world_pin(world, id, (uint32_t)side - 1, TIDE_NOT_GIVEN, &error), error);
    tide_mesh_release(mesh);
    tide_solver *with = method_solver(name, options);
    assert_ok(tide_world_set_solver(world, tide_solver_kind_of(with), tide_solver_options(with), &error), error);
    tide_solver_destroy(with);
    return world;
}

// A block of 6 x 3 x 6 cells that lies on the ground.
static tide_world *lying(double stiffness, const char *options, const tide_world *before)
{
    tide_world *world = fixture_world(NULL, before);
    tide_mesh *mesh = scene_box_mesh((double[3]) { 0.4, 0.2, 0.4 }, (double[3]) { 6, 3, 6 });
    tide_body_def def = scene_body(1, stiffness, TIDE_NOT_GIVEN);
    scene_move_mesh(&mesh, (double[3]) { 0, 0.1, 0 });
    scene_add(world, &def, "block", mesh);
    scene_plane(world, "ground", 0, 0.5);
    scene_use(world, "local_global", options);
    return world;
}

// The world goes on with another stiffness; returns whether a factor is being made.
static bool change(tide_world **world, int side, double stiffness, const char *name, const char *options)
{
    tide_adoption adoption;
    tide_world *now = cloth(side, stiffness, name, options, *world);
    assert_ok(tide_world_adopt(now, *world, &adoption, &error), error);
    assert_false(adoption.pending && adoption.refactored);
    tide_world_destroy(*world);
    *world = now;
    return adoption.pending;
}

static bool is_pending(const tide_world *world)
{
    return tide_solver_describe(tide_world_solver(world)).pending;
}

enum { SIDE = 40 };

// Stepped four times, then made stiffer.
static tide_world *changed_under(const char *name, const char *options)
{
    tide_world *world = cloth(SIDE, 80, name, options, NULL);
    fixture_step(world, 4);
    bool pending = change(&world, SIDE, 200, name, options);
    assert_true(pending == (strstr(options, "never") == NULL));
    return world;
}

static tide_world *changed(const char *options)
{
    return changed_under("local_global", options);
}

// --- results ---------------------------------------------------------------------------------------------------------

static void assert_same_positions(tide_world *a, tide_world *b, double tolerance)
{
    const double *x = tide_world_all_positions(a), *y = tide_world_all_positions(b);
    for (size_t i = 0; i < 3 * (size_t)tide_world_particle_count(a); i++)
        assert_near(x[i], y[i], tolerance);
}

static void test_results_are_those_of_the_foreground(void **state)
{
    (void)state;
    static const struct {
        const char *name, *options;
        double tolerance; // m, after eight steps
        bool own;         // has conjugate gradients of its own, with another matrix
    } methods[] = {
        { "local_global", "iterations=10", 1e-4, false }, // these three end before they are there
        { "local_global", "iterations=10,acceleration=anderson", 1e-4, false },
        { "local_global", "iterations=10,acceleration=chebyshev", 1e-4, false },
        { "local_global", "iterations=4000,tolerance=1e-10", 1e-8, false },
        { "local_global", "iterations=10,solve=double", 1e-9, false },
        { "lbfgs", "iterations=400,tolerance=1e-12", 1e-8, false },
        { "nonlinear_cg", "iterations=400,tolerance=1e-12", 1e-8, false },
        { "imex", "", 1e-9, false },
        { "newton", "warm_start=3,tolerance=1e-10", 1e-8, false },
        { "newton", "linear=pcg,tolerance=1e-10", 1e-8, true },
        { "bdf2", "linear=pcg,tolerance=1e-10", 1e-8, true },
        { "implicit_midpoint", "linear=pcg,tolerance=1e-10", 1e-8, true },
    };
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        tide_world *worlds[2];
        for (int w = 0; w < 2; w++) {
            char options[200];
            snprintf(options, sizeof options, "%s%s", methods[m].options,
                     w ? NEVER + (*methods[m].options == 0) : ALWAYS + (*methods[m].options == 0));
            worlds[w] = cloth(20, 80, methods[m].name, options, NULL);
            fixture_step(worlds[w], 4);
            assert_true(change(&worlds[w], 20, 200, methods[m].name, options) == !w);
            fixture_step(worlds[w], 1);
            const tide_report *report = tide_world_report(worlds[w]);
            assert_true((report->linear_iterations > 0) == (!w || methods[m].own));
            assert_true(!methods[m].own || report->factor_pending == !w); // the whole step went by the old one
            fixture_step(worlds[w], 7);
            assert_false(is_pending(worlds[w]));
        }
        assert_same_positions(worlds[0], worlds[1], methods[m].tolerance);
        tide_world_destroy(worlds[0]);
        tide_world_destroy(worlds[1]);
    }
}

// Contacts are answered by the old factor, as much as the new one could have them move, and no force is lost by it.
static void test_what_touches_stays_where_it_is(void **state)
{
    (void)state;
    static const double stiffnesses[] = { 600, 70, 12 }; // from 200; the last is waited for
    for (int s = 0; s < 3; s++) {
        tide_world *worlds[2];
        double force[2][3] = { { 0 } };
        uint64_t hash = 0;
        for (int w = 0; w < 5; w++) { // never, and by 1, 2, 3 and 8 threads
            const char *options = w ? "iterations=5" ALWAYS : "iterations=5" NEVER;
            tide_set_threads((int[]) { 1, 1, 2, 3, 8 }[w]);
            tide_world *old = lying(200, options, NULL), *world;
            fixture_step(old, 30);
            world = lying(stiffnesses[s], options, old);
            tide_adoption adoption;
            assert_ok(tide_world_adopt(world, old, &adoption, &error), error);
            assert_true(adoption.pending == (w > 0));
            tide_world_destroy(old);
            fixture_step(world, 1);
            assert_true(is_pending(world) == (w > 0 && s < 2));
            tide_world *fork;
            assert_ok(tide_world_fork(world, &fork, &error), error);
            fixture_step(fork, 60);
            for (int step = 0; step < 60; step++) {
                uint32_t count;
                fixture_step(world, 1);
                const tide_contact *contacts = tide_world_contacts(world, &count);
                double sum = 0;
                for (uint32_t i = 0; i < count; i++)
                    sum += contacts[i].force;
                if (w < 2)
                    force[w][step / 20] += sum / 20;
            }
            assert_false(is_pending(world));
            assert_true(fixture_hash(world) == fixture_hash(fork));
            tide_world_destroy(fork);
            assert_true(w < 2 || fixture_hash(world) == hash);
            hash = fixture_hash(world);
            if (w < 2)
                worlds[w] = world;
            else
                tide_world_destroy(world);
        }
        for (int part = 0; part < 3; part++)
            assert_near(force[1][part], force[0][part], 0.02 * force[0][part]);
        assert_same_positions(worlds[0], worlds[1], 1e-6);
        tide_world_destroy(worlds[0]);
        tide_world_destroy(worlds[1]);
    }
    tide_set_threads(1);
}

static void test_in_the_foreground_where_it_does_not_pay(void **state)
{
    (void)state;
    tide_world *world = cloth(SIDE, 80, "local_global", "", NULL);
    assert_false(change(&world, SIDE, 200, "local_global", "")); // not stepped yet
    fixture_step(world, 2);
    assert_false(change(&world, SIDE, 100, "local_global", "")); // small
    assert_true(change(&world, SIDE, 200, "local_global", "solve.background=always"));
    assert_false(change(&world, SIDE + 1, 200, "local_global", "solve.background=always")); // another pattern
    fixture_step(world, 1);
    // Other options are no reason to go on with the old factor.
    assert_false(change(&world, SIDE + 1, 100, "local_global", "solve=double,solve.background=always"));
    tide_world_destroy(world);

    // One factor fits, two do not.
    bool pending[2];
    for (int w = 0; w < 2; w++) {
        const char *options = w ? "solve.memory_limit=16,solve.background=always" : "solve.background=always";
        world = cloth(90, 80, "local_global", options, NULL);
        fixture_step(world, 1);
        tide_cholesky_info info = tide_solver_describe(tide_world_solver(world));
        assert_int_equal(info.way, TIDE_CHOLESKY_FAST);
        pending[w] = change(&world, 90, 200, "local_global", options);
        tide_world_destroy(world);
    }
    assert_true(pending[0] && !pending[1]);
}

// --- no clock --------------------------------------------------------------------------------------------------------

static void test_no_bit_hangs_on_threads_or_their_speed(void **state)
{
    (void)state;
    static const int threads[] = { 1, 2, 3, 8 }, delays[] = { 0, 60 };
    uint64_t first = 0;
    for (int i = 0; i < 8; i++) {
        tide_set_threads(threads[i % 4]);
        tide_background_delay(delays[i / 4]);
        tide_world *world = changed(PLAIN ALWAYS);
        uint64_t frames = 0;
        for (; is_pending(world); frames++) {
            fixture_step(world, 1);
            assert_true(tide_world_report(world)->factor_pending == is_pending(world));
            assert_true(frames > 0 || tide_world_report(world)->linear_iterations > 0);
        }
        fixture_step(world, 4);
        assert_true(frames >= 2 && frames < 12);
        uint64_t hash = fixture_hash(world);
        first = i ? first : hash;
        assert_true(hash == first);
        tide_world_destroy(world);
    }
    tide_set_threads(1);
    tide_background_delay(0);
}

// From one state it goes on to the same one, by whatever way it was come to.
static void check_states_within_a_change(const char *name, const char *options)
{
    for (int after = 0;; after++) { // steps of the change
        tide_world *world = changed_under(name, options), *fork, *read, *late;
        fixture_step(world, after);
        if (!is_pending(world)) {
            assert_true(after >= 2);
            tide_world_destroy(world);
            break;
        }
        tide_snapshot *kept, *again;
        assert_ok(tide_world_snapshot(world, &kept, &error), error);
        assert_ok(tide_world_fork(world, &fork, &error), error);
        read = cloth(SIDE, 200, name, options, NULL); // another process, as it were
        size_t size;
        const void *bytes = tide_snapshot_bytes(kept, &size);
        assert_ok(tide_snapshot_read(read, bytes, size, &again, &error), error);
        assert_ok(tide_world_restore(read, again, &error), error);
        late = changed_under(name, options);
        fixture_step(late, 12);
        assert_false(is_pending(late));
        assert_ok(tide_world_restore(late, kept, &error), error);

        assert_int_equal(fixture_hash(fork), tide_snapshot_hash(kept));
        tide_world *ways[] = { world, fork, read, late };
        uint64_t expected = 0;
        for (int step = 0; step < 8; step++)
            for (int w = 0; w < 4; w++) {
                fixture_step(ways[w], 1);
                uint64_t hash = fixture_hash(ways[w]);
                expected = w ? expected : hash;
                assert_true(hash == expected);
                assert_true(is_pending(ways[w]) == is_pending(world));
            }
        assert_ok(tide_world_restore(world, kept, &error), error); // and once more, from where nothing is pending
        fixture_step(world, 8);
        assert_true(fixture_hash(world) == expected);
        for (int w = 0; w < 4; w++)
            tide_world_destroy(ways[w]);
        tide_snapshot_destroy(kept);
        tide_snapshot_destroy(again);
    }
}

static void test_states_within_a_change_go_on_the_same(void **state)
{
    (void)state;
    check_states_within_a_change("local_global", PLAIN ALWAYS);
    check_states_within_a_change("newton", "linear=pcg,iterations=1,cg_tolerance=0.3" ALWAYS);
    check_states_within_a_change("bdf2",
                                 "linear=pcg,iterations=1,cg_tolerance=0.3" ALWAYS); // with a history of its own
}

static void test_states_before_a_change_go_on_the_same(void **state)
{
    (void)state;
    tide_snapshot *kept;
    tide_world *direct = changed(PLAIN NEVER);
    fixture_step(direct, 9);
    assert_ok(tide_world_snapshot(direct, &kept, &error), error);
    tide_world *world = changed(PLAIN ALWAYS), *fork;
    fixture_step(world, 1);
    assert_ok(tide_world_restore(world, kept, &error), error); // nothing is pending there
    fixture_step(world, 5);
    fixture_step(direct, 5);
    assert_true(fixture_hash(world) == fixture_hash(direct));
    assert_false(is_pending(world));

    // A change comes to the same whether it comes to a scene, its fork, or the scene gone back.
    assert_ok(tide_world_restore(world, kept, &error), error);
    assert_ok(tide_world_fork(world, &fork, &error), error);
    uint64_t hashes[3];
    tide_world *ways[] = { direct, world, fork };
    assert_ok(tide_world_restore(direct, kept, &error), error);
    for (int w = 0; w < 3; w++) {
        if (w == 0) { // as if it had never been elsewhere
            fixture_step(direct, 1);
            assert_false(change(&ways[0], SIDE, 200, "local_global", PLAIN ALWAYS));
            assert_ok(tide_world_restore(ways[0], kept, &error), error);
        }
        assert_true(change(&ways[w], SIDE, 300, "local_global", PLAIN ALWAYS));
        fixture_step(ways[w], 2);
        hashes[w] = fixture_hash(ways[w]);
        tide_world_destroy(ways[w]);
    }
    assert_true(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
    tide_snapshot_destroy(kept);
}

// --- change upon change ----------------------------------------------------------------------------------------------

static void test_a_slider_that_is_dragged(void **state)
{
    (void)state;
    uint64_t first = 0;
    for (int run = 0; run < 2; run++) {
        tide_background_delay(run ? 40 : 0);
        tide_world *world = changed(PLAIN ALWAYS);
        uint64_t factorizations = tide_solver_describe(tide_world_solver(world)).factorizations;
        for (int n = 0; n < 6; n++) {
            fixture_step(world, 1);
            assert_true(change(&world, SIDE, 210 + 10 * n, "local_global", PLAIN ALWAYS));
        }
        while (is_pending(world))
            fixture_step(world, 1);
        assert_true(tide_solver_describe(tide_world_solver(world)).factorizations > factorizations);
        fixture_step(world, 3);
        uint64_t hash = fixture_hash(world);
        first = run ? first : hash;
        assert_true(hash == first);
        tide_world_destroy(world);
    }
    tide_background_delay(0);
}

static void test_a_change_back_has_the_old_factor(void **state)
{
    (void)state;
    tide_world *world = cloth(SIDE, 80, "local_global", PLAIN ALWAYS, NULL), *never;
    never = cloth(SIDE, 80, "local_global", PLAIN NEVER, NULL);
    fixture_step(world, 4);
    fixture_step(never, 4);
    uint64_t factorizations = tide_solver_describe(tide_world_solver(world)).factorizations;
    tide_background_delay(100); // it is stopped before it has begun
    assert_true(change(&world, SIDE, 200, "local_global", PLAIN ALWAYS));
    assert_false(change(&world, SIDE, 80, "local_global", PLAIN ALWAYS));
    tide_background_delay(0);
    assert_int_equal(tide_solver_describe(tide_world_solver(world)).factorizations, factorizations);
    fixture_step(world, 4);
    fixture_step(never, 4);
    assert_true(fixture_hash(world) == fixture_hash(never));
    // The factor that was taken back is one that the next change can begin from.
    assert_true(change(&world, SIDE, 200, "local_global", PLAIN ALWAYS));
    while (is_pending(world))
        fixture_step(world, 1);
    tide_world_destroy(world);
    tide_world_destroy(never);
}

// A matrix for which the old factor is of no use: the new one is waited for.
static void test_a_change_that_is_too_large(void **state)
{
    (void)state;
    const char *always = ALWAYS + 1;
    tide_world *world = cloth(SIDE, 1e6, "imex", always, NULL);
    fixture_step(world, 4);
    assert_true(change(&world, SIDE, 1, "imex", always));
    fixture_step(world, 1);
    assert_false(is_pending(world));
    assert_true(tide_world_report(world)->linear_iterations > 0);
    tide_world_destroy(world);
}

// --- ends and failures -----------------------------------------------------------------------------------------------

static void test_closing_meanwhile_leaks_nothing(void **state)
{
    (void)state;
    uint64_t blocks = tide_memory_count().blocks;
    for (int delay = 0; delay <= 30; delay += 30) {
        tide_background_delay(delay);
        tide_world_destroy(changed(PLAIN ALWAYS));
        tide_world *world = changed(PLAIN ALWAYS);
        fixture_step(world, 1);
        fixture_use(world, "verlet", NULL, NULL);
        fixture_step(world, 1);
        tide_world_destroy(world);
    }
    tide_background_delay(0);
    assert_int_equal(tide_memory_count().blocks, blocks);
}

static tide_world *feather(double mass, const char *background, const tide_world *before)
{
    tide_mesh_strand_def strand = { .points = 2, .to = { 0, 1, 0 } };
    tide_mesh *mesh;
    assert_ok(tide_mesh_strand.build(&strand, &mesh, &error), error);
    tide_world_settings settings = { .timestep = 0.5 };
    tide_world *world = fixture_world(&settings, before);
    tide_body_def def = fixture_cloth("feather", mesh);
    tide_body_id id;
    def.mass = mass;
    def.stiffness = 4;
    def.bend = TIDE_NOT_GIVEN;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    tide_mesh_release(mesh);
    fixture_use(world, "local_global", "solve.background", background);
    return world;
}

static void test_a_matrix_that_is_not_definite_is_told_of(void **state)
{
    (void)state;
    tide_error expected, later;
    tide_adoption adoption;
    for (int background = 0; background < 2; background++) {
        const char *choice = background ? "always" : "never";
        tide_world *old = feather(1, choice, NULL);
        fixture_step(old, 2);
        tide_world *world = feather(1e-30, choice, old);
        tide_status status = tide_world_adopt(world, old, &adoption, background ? &later : &expected);
        if (background) {
            assert_ok(status, later);
            assert_true(adoption.pending);
            for (int step = 0; step < 40 && status == TIDE_OK; step++)
                status = tide_world_step(world, &later);
            assert_int_equal(status, TIDE_ERROR_NUMERIC);
            assert_int_equal(tide_world_step(world, &later), TIDE_ERROR_NUMERIC); // of the matrix, not of the step
            assert_string_equal(later.remedy, expected.remedy);
            assert_string_equal(later.object, expected.object);
            assert_string_equal(later.value, expected.value);
            assert_string_equal(later.where, expected.where);
        } else
            assert_int_equal(status, TIDE_ERROR_NUMERIC);
        tide_world_destroy(world);
        tide_world_destroy(old);
    }
}

static atomic_long allocations_left;

static bool fail_once(size_t size, void *context)
{
    (void)size;
    (void)context;
    return atomic_fetch_sub(&allocations_left, 1) == 0;
}

// One allocation after the other fails, in this thread or the other: the scene steps on all the same.
static void test_without_memory(void **state)
{
    (void)state;
    uint64_t blocks = tide_memory_count().blocks;
    tide_world *never = cloth(8, 80, "local_global", NEVER + 1, NULL);
    fixture_step(never, 4);
    change(&never, 8, 200, "local_global", NEVER + 1);
    fixture_step(never, 6);
    for (long n = 0, left = -1; left < 0; n++) {
        tide_adoption adoption;
        tide_world *old = cloth(8, 80, "local_global", ALWAYS + 1, NULL);
        fixture_step(old, 4);
        tide_world *world = cloth(8, 200, "local_global", ALWAYS + 1, old);
        atomic_store(&allocations_left, n);
        tide_memory_set_failure_hook(fail_once, NULL);
        tide_status status = tide_world_adopt(world, old, &adoption, &error);
        uint64_t frame = status == TIDE_OK ? tide_world_frame(world) : 0;
        for (int step = 0; status == TIDE_OK && step < 8 && tide_world_frame(world) < frame + 6; step++) {
            tide_status stepped = tide_world_step(world, &error);
            assert_true(stepped == TIDE_OK || stepped == TIDE_ERROR_MEMORY);
        }
        left = atomic_exchange(&allocations_left, LONG_MAX); // the hook stays while there may be the other thread
        assert_true(status == TIDE_OK || status == TIDE_ERROR_MEMORY);
        if (status == TIDE_OK && tide_world_frame(world) == tide_world_frame(never))
            assert_same_positions(world, never, 1e-4);
        tide_world_destroy(world);
        tide_world_destroy(old);
        tide_memory_set_failure_hook(NULL, NULL);
    }
    tide_world_destroy(never);
    assert_int_equal(tide_memory_count().blocks, blocks);
}

static void test_steps_allocate_nothing(void **state)
{
    (void)state;
    tide_world *world = changed(PLAIN ALWAYS);
    fixture_step(world, 1);
    while (is_pending(world))
        fixture_step(world, 1);
    fixture_step(world, 1);
    uint64_t allocations = tide_memory_count().allocations;
    fixture_step(world, 5);
    assert_int_equal(tide_memory_count().allocations, allocations);
    tide_world_destroy(world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_results_are_those_of_the_foreground),
    cmocka_unit_test(test_what_touches_stays_where_it_is),
    cmocka_unit_test(test_in_the_foreground_where_it_does_not_pay),
    cmocka_unit_test(test_no_bit_hangs_on_threads_or_their_speed),
    cmocka_unit_test(test_states_within_a_change_go_on_the_same),
    cmocka_unit_test(test_states_before_a_change_go_on_the_same),
    cmocka_unit_test(test_a_slider_that_is_dragged),
    cmocka_unit_test(test_a_change_back_has_the_old_factor),
    cmocka_unit_test(test_a_change_that_is_too_large),
    cmocka_unit_test(test_closing_meanwhile_leaks_nothing),
    cmocka_unit_test(test_a_matrix_that_is_not_definite_is_told_of),
    cmocka_unit_test(test_without_memory),
    cmocka_unit_test(test_steps_allocate_nothing),
};
TIDE_TEST_SUITE(solver_background, tests)
