// Requirements of every method of the table with any options; they apply to added methods, too.
#include "every_method.h"

#include "base/log.h"

static const double h = 0.02;

static void ignore(tide_log_level level, const char *message, void *context)
{
    (void)level, (void)message, (void)context;
}

static int quiet(void **state)
{
    (void)state;
    tide_log_set_sink(ignore, NULL);
    return 0;
}

static int loud(void **state)
{
    (void)state;
    tide_log_set_sink(NULL, NULL);
    tide_set_threads(1);
    return 0;
}

// Calls for every method with every set of its options.
static void for_every_method(void (*check)(const tide_solver_kind *kind, const char *options))
{
    const tide_solver_kind *kind;
    for (uint32_t i = 0; (kind = tide_solver_kind_at(i)); i++) {
        every_sets sets = every_sets_of(kind);
        for (uint32_t o = 0; o < sets.count; o++)
            check(kind, sets.text[o]);
    }
}

// --- steps ----------------------------------------------------------------------------------------------------------

static void check_step(const every_run *run, const char *options)
{
    const char *name = tide_solver_kind_of(run->solver)->name;
    for (uint32_t i = 0; i < 3 * run->s->particle_count; i++) {
        if (!isfinite(run->x[i]) || !isfinite(run->v[i]))
            fail_msg("%s, %s: step %u is not finite", name, options, run->taken);
        if (!run->s->pinned[i / 3])
            continue;
        if (run->x[i] != run->pinned[i])
            fail_msg("%s, %s: a pin is %g off its target", name, options, run->x[i] - run->pinned[i]);
        if (!(fabs(run->v[i] - every_pin_velocity(i)) < 1e-9))
            fail_msg("%s, %s: a pin's velocity is %g, not %g", name, options, run->v[i], every_pin_velocity(i));
    }
    if (run->report.substeps == 0 || !(run->report.substep > 0) || run->report.suspect != TIDE_NO_PARTICLE)
        fail_msg("%s, %s: a report of %u substeps of %g s", name, options, run->report.substeps, run->report.substep);
    if (!(run->report.step_seconds >= run->report.local_seconds + run->report.global_seconds - 1e-9))
        fail_msg("%s, %s: parts of a step take longer than it", name, options);
}

static void check_steps(const tide_solver_kind *kind, const char *options)
{
    sample s = every_scene();
    every_run run, again;
    every_begin(&run, &s, stepping_solver(kind->name, options), h);
    every_begin(&again, &s, stepping_solver(kind->name, options), h);
    uint64_t allocations = 0;
    for (int n = 0; n < 8; n++) {
        every_step(&run);
        check_step(&run, options);
        every_step(&again);
        if (!every_same(&run, &again))
            fail_msg("%s, %s: step %d of a second run differs", kind->name, options, n);
        if (n == 1)
            allocations = tide_memory_count().allocations;
    }
    if (tide_memory_count().allocations != allocations)
        fail_msg("%s, %s: a step allocates", kind->name, options);
    every_end(&run);
    every_end(&again);
}

static void test_steps_are_finite_exact_at_pins_repeatable_and_allocate_nothing(void **state)
{
    (void)state;
    for_every_method(check_steps);
}

// --- threads --------------------------------------------------------------------------------------------------------

// Triangles by themselves, as many as make loops over elements and over particles split (where the build is a slow one,
// those of the methods' own); one of them is far stiffer, so that the power method is quick.
#ifdef __SANITIZE_ADDRESS__
enum { TRIANGLES = 1600 };
#else
enum { TRIANGLES = 11200 };
#endif
enum { STIFF_ONE = 500, CORNERS = 3 * TRIANGLES };

static tide_system *make_triangles(double *q)
{
    tide_error error;
    tide_system *system = NULL;
    uint32_t *vertices = tide_allocate_array(2 * CORNERS, sizeof *vertices);
    double *parameters = tide_allocate_array(2 * CORNERS, sizeof *parameters);
    bool *pinned = tide_allocate_zeroed(CORNERS, sizeof *pinned);
    assert_true(vertices && parameters && pinned);
    assert_ok(tide_system_create(CORNERS, &system, &error), error);
    for (uint32_t p = 0; p < CORNERS; p++) {
        uint32_t corner = p % 3, triangle = p / 3, next = 3 * triangle + (corner + 1) % 3;
        q[3 * p] = 0.1 * triangle + (corner == 1 ? 0.11 : 0);
        q[3 * p + 1] = corner == 2 ? 0.09 : 0.001 * (triangle % 7);
        q[3 * p + 2] = 0.02 * corner;
        vertices[2 * p] = p;
        vertices[2 * p + 1] = next;
        parameters[TIDE_SPRING_STIFFNESS * CORNERS + p] = triangle == STIFF_ONE ? 2e4 : 60 + triangle % 40;
        parameters[TIDE_SPRING_REST_LENGTH * CORNERS + p] = 0.1;
        system->masses[p] = 0.01 + 0.001 * (p % 11);
        pinned[p] = p % 100 == 7;
    }
    assert_ok(tide_system_add(system, &tide_spring, CORNERS, vertices, parameters, &error), error);
    assert_ok(tide_system_set_pinned(system, pinned, &error), error);
    assert_ok(tide_system_finish(system, &error), error);
    tide_free(pinned);
    tide_free(vertices);
    tide_free(parameters);
    return system;
}

typedef struct triangles {
    tide_system *system;
    double *q, *velocity, *force, *x, *v; // (3 * CORNERS); x and v twice
} triangles;

static void check_threads(const triangles *t, const tide_solver_kind *kind, const char *options)
{
    enum { NUMBERS = 3 * CORNERS };
    tide_error error;
    tide_report reports[2];
    uint32_t bad;
    for (int run = 0; run < 2; run++) {
        tide_set_threads(run ? 4 : 1);
        double *x = t->x + run * NUMBERS, *v = t->v + run * NUMBERS;
        tide_solver *solver = stepping_solver(kind->name, options);
        assert_ok(tide_solver_prepare(solver, t->system, h, t->q, &bad, &error), error);
        tide_step step = { t->system, h, t->q, t->velocity, t->force, t->q, x, v, NULL, 0, 1, NULL };
        assert_ok(tide_solver_step(solver, &step, &reports[run], &error), error);
        tide_solver_destroy(solver);
    }
    if (memcmp(t->x, t->x + NUMBERS, NUMBERS * sizeof *t->x) != 0 ||
        memcmp(t->v, t->v + NUMBERS, NUMBERS * sizeof *t->v) != 0)
        fail_msg("%s, %s: four threads give other bits than one", kind->name, options);
    if (memcmp(&reports[0].g, &reports[1].g, sizeof reports[0].g) != 0 ||
        memcmp(&reports[0].gradient_norm, &reports[1].gradient_norm, sizeof reports[0].g) != 0)
        fail_msg("%s, %s: four threads report otherwise than one", kind->name, options);
}

typedef struct options_text {
    char text[EVERY_TEXT];
} options_text;

static options_text of_few_iterations(const tide_solver_kind *kind, const char *options)
{
    static const char *const numbers[][2] = { { "iterations", "2" },
                                              { "substep", "0.02" },
                                              { "max_deformation", "1e9" } };
    options_text few;
    snprintf(few.text, sizeof few.text, "%s", options);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (every_has(kind, numbers[i][0]))
            every_append(few.text, numbers[i][0], numbers[i][1]);
    return few;
}

static void test_one_and_four_threads_give_the_same_bits(void **state)
{
    (void)state;
    triangles t = { .q = tide_allocate_zeroed(7 * 3 * CORNERS, sizeof *t.q) };
    assert_non_null(t.q);
    t.velocity = t.q + 3 * CORNERS;
    t.force = t.velocity + 3 * CORNERS;
    t.x = t.force + 3 * CORNERS;
    t.v = t.x + 6 * CORNERS;
    t.system = make_triangles(t.q);
    for (uint32_t i = 0; i < 3 * CORNERS; i++) {
        t.velocity[i] = 0.3 * sin(0.37 * i);
        t.force[i] = 0.05 * cos(0.11 * i);
    }
    const tide_solver_kind *kind;
    for (uint32_t i = 0; (kind = tide_solver_kind_at(i)); i++) {
        every_sets sets = every_sets_of(kind);
        if (!every_has(kind, "substep")) // most of an explicit one's time goes into the power method
            check_threads(&t, kind, of_few_iterations(kind, sets.text[0]).text);
        check_threads(&t, kind, of_few_iterations(kind, sets.text[sets.all]).text);
    }
    tide_system_destroy(t.system);
    tide_free(t.q);
}

// --- preparation ----------------------------------------------------------------------------------------------------

static void expect_unprepared(every_run *run, double timestep, const char *options, const char *when)
{
    tide_error error = { 0 };
    tide_step step = every_inputs(run);
    step.h = timestep;
    tide_status status = tide_solver_step(run->solver, &step, &run->report, &error);
    if (status != TIDE_ERROR_STATE || !strstr(error.remedy, "it was not prepared"))
        fail_msg("%s, %s: a step %s is not refused", tide_solver_kind_of(run->solver)->name, options, when);
}

static void check_unprepared(const tide_solver_kind *kind, const char *options)
{
    sample s = every_scene(), other = sample_chain();
    every_run run, elsewhere;
    every_begin(&run, &s, stepping_solver(kind->name, options), h);
    expect_unprepared(&run, 0.5 * h, options, "of another timestep");
    every_step(&run); // a refusal leaves it as it was
    tide_solver_destroy(run.solver);
    run.solver = stepping_solver(kind->name, options);
    expect_unprepared(&run, h, options, "before any preparation");
    every_begin(&elsewhere, &other, run.solver, h);
    expect_unprepared(&run, h, options, "of another system");
    every_step(&elsewhere);
    tide_system_destroy(elsewhere.system);
    every_end(&run);
}

static void test_unprepared_use_is_refused(void **state)
{
    (void)state;
    for_every_method(check_unprepared);
}

// Options that change are those of the next preparation.
static void check_changed_options(const tide_solver_kind *kind, const char *options)
{
    sample s = every_scene();
    every_run run, fresh;
    every_begin(&run, &s, stepping_solver(kind->name, ""), h);
    every_begin(&fresh, &s, stepping_solver(kind->name, options), h);
    tide_solver_set_options(run.solver, tide_solver_options(fresh.solver));
    expect_unprepared(&run, h, options, "after a change of options");
    every_prepare(&run);
    for (int n = 0; n < 3; n++) {
        every_step(&run);
        every_step(&fresh);
    }
    if (!every_same(&run, &fresh))
        fail_msg("%s, %s: prepared for other options before, it takes other steps", kind->name, options);
    every_end(&run);
    every_end(&fresh);
}

static void test_changed_options(void **state)
{
    (void)state;
    for_every_method(check_changed_options);
}

static void check_prepared_again(const tide_solver_kind *kind, const char *options)
{
    sample samples[] = { every_scene(), sample_chain(), sample_cloth(), every_scene() };
    const double timesteps[] = { h, 0.4 * h, 1.5 * h, h };
    tide_solver *solver = stepping_solver(kind->name, options);
    for (int i = 0; i < 4; i++) {
        if (i == 3) // the same connections, other masses
            for (uint32_t p = 0; p < samples[i].particle_count; p++)
                samples[i].masses[p] *= 1.5;
        every_run run, fresh;
        every_begin(&run, &samples[i], solver, timesteps[i]);
        every_begin(&fresh, &samples[i], stepping_solver(kind->name, options), timesteps[i]);
        for (int n = 0; n < 3; n++) {
            every_step(&run);
            every_step(&fresh);
            if (!every_same(&run, &fresh))
                fail_msg("%s, %s: step %d on the %s is not that of a fresh solver", kind->name, options, n,
                         samples[i].name);
        }
        every_end(&fresh);
        tide_system_destroy(run.system);
    }
    tide_solver_destroy(solver);
}

static void test_prepared_again_it_is_as_a_fresh_one(void **state)
{
    (void)state;
    for_every_method(check_prepared_again);
}

// --- memory ---------------------------------------------------------------------------------------------------------

// A preparation for another system fails at its n-th allocation; the next one, for the first again, works.
static void check_failed_preparations(const tide_solver_kind *kind, const char *options)
{
    sample s = every_scene(), other = sample_cloth();
    every_run fresh, target;
    every_begin(&fresh, &s, stepping_solver(kind->name, options), h);
    every_begin(&target, &other, stepping_solver(kind->name, options), h);
    every_run start = fresh;
    every_step(&fresh);
    every_step(&fresh);
    bool failed = true;
    for (uint64_t n = 0; failed; n += tide_test_count(1, 5)) {
        tide_error error = { 0 };
        uint32_t bad;
        every_run run = start;
        failing_allocation failing = { .left = n };
        run.solver = stepping_solver(kind->name, options);
        every_prepare(&run);
        uint64_t blocks = tide_memory_count().blocks;
        tide_memory_set_failure_hook(fail_in_turn, &failing);
        tide_status status = tide_solver_prepare(run.solver, target.system, 2 * h, target.q, &bad, &error);
        tide_memory_set_failure_hook(NULL, NULL);
        failed = failing.failed;
        if (status != (failed ? TIDE_ERROR_MEMORY : TIDE_OK) || error.status != status)
            fail_msg("%s, %s: allocation %u of a preparation: status %d", kind->name, options, (unsigned)n, status);
        if (failed)
            expect_unprepared(&run, h, options, "after a failed preparation");
        if (n % 3 != 1) { // else it is destroyed as it is
            every_prepare(&run);
            every_step(&run);
            every_step(&run);
            if (!every_same(&run, &fresh))
                fail_msg("%s, %s: after allocation %u failed it takes other steps", kind->name, options, (unsigned)n);
        }
        tide_solver_destroy(run.solver);
        assert_true(tide_memory_count().blocks < blocks);
    }
    every_end(&fresh);
    every_end(&target);
}

static void test_allocations_that_fail(void **state)
{
    (void)state;
    const tide_solver_kind *kind;
    for (uint32_t i = 0; (kind = tide_solver_kind_at(i)); i++) {
        every_sets sets = every_sets_of(kind);
        for (uint32_t o = 0; o < sets.count; o++) {
            // Records make the most at once, with all together.
            if (o != sets.all && (strstr(sets.text[o], "damping") || strstr(sets.text[o], "filter")))
                continue;
            sample s = every_scene();
            tide_system *system = sample_system(&s);
            method_life life = { kind->name, sets.text[o], system, s.x };
            assert_true(fail_each_allocation(method_whole_life, &life) > 3);
            tide_system_destroy(system);
            check_failed_preparations(kind, sets.text[o]);
        }
    }
}

// --- history --------------------------------------------------------------------------------------------------------

static void check_history(const tide_solver_kind *kind, const char *options)
{
    sample s = every_scene();
    every_run run;
    tide_error error;
    every_begin(&run, &s, stepping_solver(kind->name, options), h);
    for (int n = 0; n < 5; n++)
        every_step(&run);
    every_run later = run;
    size_t size = tide_solver_history_size(run.solver);
    unsigned char *bytes = tide_allocate(size);
    tide_solver_save_history(run.solver, bytes);
    later.solver = stepping_solver(kind->name, options);
    every_prepare(&later); // at other positions than the first was
    assert_ok(tide_solver_load_history(later.solver, bytes, size, &error), error);
    assert_int_equal(tide_solver_history_size(later.solver), size);
    unsigned char *copy = tide_allocate(size);
    tide_solver_save_history(later.solver, copy);
    if (memcmp(bytes, copy, size) != 0)
        fail_msg("%s, %s: a history that was loaded is saved otherwise", kind->name, options);
    for (int n = 0; n < 5; n++) {
        every_step(&run);
        every_step(&later);
        if (!every_same(&run, &later) || run.report.rejected != later.report.rejected)
            fail_msg("%s, %s: step %d after its history was loaded differs", kind->name, options, n);
    }
    tide_free(copy);
    tide_free(bytes);
    tide_solver_destroy(later.solver);
    every_end(&run);
}

static void test_history_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    for_every_method(check_history);
}

#define quiet_test(test) cmocka_unit_test_setup_teardown(test, quiet, loud)
static const struct CMUnitTest tests[] = {
    quiet_test(test_steps_are_finite_exact_at_pins_repeatable_and_allocate_nothing),
    quiet_test(test_one_and_four_threads_give_the_same_bits),
    quiet_test(test_unprepared_use_is_refused),
    quiet_test(test_changed_options),
    quiet_test(test_prepared_again_it_is_as_a_fresh_one),
    quiet_test(test_allocations_that_fail),
    quiet_test(test_history_goes_on_with_the_same_bits),
};
TIDE_TEST_SUITE(solver_every_method, tests)
