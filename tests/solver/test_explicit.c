// Shared by all explicit methods: options, the number of substeps, divergence, warnings, history.
#include "../linear/failing.h"
#include "base/parallel.h"
#include "explicit_runs.h"

#include <stdlib.h>

static void test_substep_counts(void **state)
{
    (void)state;
    sample s = explicit_oscillator(900); // h_max = 2 / 30
    const struct {
        const char *name, *options;
        double h;
        uint32_t count;
    } cases[] = { { "symplectic_euler", "safety=1", 0.0666, 1 },
                  { "symplectic_euler", "safety=1", 0.0668, 2 },
                  { "symplectic_euler", "", 0.0544, 1 }, // 0.0666 / sqrt(1.5) = 0.05443
                  { "symplectic_euler", "", 0.0545, 2 },
                  { "symplectic_euler", "safety=4", 0.1, 3 },
                  { "symplectic_euler", "", 2, 37 },
                  { "rk4", "", 0.076, 1 },              // 0.0943 / sqrt(1.5) = 0.07698
                  { "rk4", "damping=auto", 0.0804, 1 }, // 0.0986 / sqrt(1.5) = 0.08051
                  { "rk4", "damping=auto", 0.0807, 2 },
                  { "verlet", "substep=0.004", 0.01, 3 },
                  { "verlet", "substep=0.0033333333333333335", 1.0 / 30, 10 },
                  { "verlet", "substep=0.1", 0.1 + 0.2, 3 },
                  { "verlet", "substep=5", 0.01, 1 },
                  { "midpoint", "substep=1e-8", 0.01, 1000000 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        stepping run;
        explicit_start(&run, &s, explicit_solver(cases[i].name, cases[i].options), cases[i].h);
        stepping_take(&run);
        assert_int_equal(run.report.substeps, cases[i].count);
        assert_near(run.report.substep, cases[i].h / cases[i].count, 1e-15);
        assert_near(run.report.largest_eigenvalue, 900, 1e-6);
        stepping_end(&run);
    }
}

// Without springs any substep is stable, and the report says 0: none is known.
static void test_free_fall(void **state)
{
    (void)state;
    sample s = { .name = "free" };
    sample_particle(&s, 2, 0, 5, 0);
    for (const char *const *name = explicit_names(); *name; name++) {
        stepping run;
        stepping_start(&run, &s, explicit_solver(*name, "filter=gaussian"), 0.1);
        run.velocity[0] = 3;
        stepping_take(&run);
        assert_near(run.v[1], -0.981, 1e-15);
        assert_near(run.x[0], 0.3, 1e-15);
        assert_int_equal(run.report.substeps, 1);
        assert_true(run.report.stable_substep == 0 && run.report.largest_eigenvalue == 0);
        stepping_end(&run);
    }
    s.pinned[0] = true; // and nothing to move at all
    stepping run;
    stepping_start(&run, &s, explicit_solver("verlet", NULL), 0.1);
    stepping_take(&run);
    assert_true(run.x[1] == 5);
    stepping_end(&run);
}

static void test_automatic_damping(void **state)
{
    (void)state;
    // alpha = h (4 - d0 h) / 4 (eq. 31): the top mode of forward Euler then has X = d0 h + Y (1 - d0 h / 4).
    const double k = 900, d0 = 2, h = 0.04;
    sample s = explicit_oscillator(k);
    stepping run;
    explicit_start(&run, &s, explicit_solver("explicit_euler", "damping=auto,damping.mass=2"), h);
    run.q[0] = 0.3;
    run.velocity[0] = 1.1;
    stepping_take(&run);
    double d = d0 + h * (4 - d0 * h) / 4 * k;
    assert_int_equal(run.report.substeps, 1);
    assert_near(run.x[0], 0.3 + h * 1.1, 1e-15);
    assert_near(run.v[0], 1.1 - h * (k * 0.3 + d * 1.1), 1e-12);
    assert_string_equal(run.report.warning, "");
    stepping_end(&run);
}

static void test_warnings(void **state)
{
    (void)state;
    sample s = explicit_oscillator(900);
    const struct {
        const char *name, *options, *part, *more;
    } cases[] = {
        { "symplectic_euler", "substep=0.08", "the substep of 0.08 s is longer than the longest stable one, 0.06667 s",
          "" },
        { "verlet", "substep=0.06", NULL, NULL },
        { "rk4", "", NULL, NULL },
        { "explicit_euler", "", "explicit_euler gains energy without damping; set damping = \"auto\"", "" },
        { "midpoint", "substep=0.08", "longer than the longest stable one", "midpoint gains energy without damping" },
        { "midpoint", "damping=auto", NULL, NULL },
        { "explicit_euler", "damping=rayleigh,damping.mass=5", NULL, NULL },
        { "explicit_euler", "damping=rayleigh,damping.mass=5,substep=0.01",
          "longer than the longest stable one, 0.005556 s", "" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        stepping run;
        explicit_start(&run, &s, explicit_solver(cases[i].name, cases[i].options), 0.08);
        for (int n = 0; n < 3; n++) { // in every report
            stepping_take(&run);
            if (cases[i].part)
                assert_true(strstr(run.report.warning, cases[i].part) && strstr(run.report.warning, cases[i].more));
            else
                assert_string_equal(run.report.warning, "");
        }
        stepping_end(&run);
    }
}

// Springs that harden after the preparation (not as callers may), so that k0 is much too small: the first timestep is
// taken again, and from then on all is well.
static void test_divergence_is_seen(void **state)
{
    (void)state;
    for (const char *const *name = explicit_names(); *name; name++) {
        sample s = explicit_cloth();
        stepping run;
        explicit_start(&run, &s, explicit_solver(*name, "damping=auto"), 0.1);
        stepping_take(&run);
        uint32_t few = run.report.substeps;
        double k0 = run.report.largest_eigenvalue;
        assert_int_equal(run.report.rejected * (strcmp(*name, "linearized_explicit") != 0), 0);
        tide_elements *springs = &run.system->groups[0];
        for (uint32_t e = 0; e < springs->count; e++)
            springs->parameters[TIDE_SPRING_STIFFNESS * springs->count + e] *= 100;
        tide_system_refresh(run.system);
        tide_random random = tide_random_seed(3);
        for (uint32_t i = 0; i < 3 * s.particle_count; i++)
            run.q[i] += s.pinned[i / 3] ? 0 : test_uniform(&random, -0.02, 0.02);
        for (int n = 0; n < 40; n++) {
            stepping_take(&run);
            if (n == 0)
                assert_true(run.report.rejected >= 1);
            assert_int_equal(run.report.suspect, TIDE_NO_PARTICLE);
            stepping_go_on(&run);
            for (uint32_t i = 0; i < 3 * s.particle_count; i++)
                assert_true(fabs(run.q[i] - s.x[i]) < 1);
        }
        assert_true(run.report.substeps > 5 * few);
        double grown = run.report.largest_eigenvalue / k0;
        assert_true(grown > 80 && grown < 250); // more than 100, as springs were displaced when it was taken
        stepping_end(&run);
    }
}

static void test_divergence_of_a_given_substep_is_reported(void **state)
{
    (void)state;
    sample s = sample_cloth();
    for (const char *const *name = explicit_names(); *name; name++) {
        stepping run;
        stepping_start(&run, &s, explicit_solver(*name, "substep=0.5"), 100);
        run.force[3 * 20] = 7;
        stepping_take(&run);
        assert_true(run.report.suspect < s.particle_count && !s.pinned[run.report.suspect]);
        assert_true(run.report.substeps < 200 && run.report.rejected < 200);
        bool far = false;
        for (uint32_t i = 0; i < 3 * s.particle_count; i++)
            far = far || !(fabs(run.x[i]) <= 1e9);
        assert_true(far);
        stepping_end(&run);
    }
}

// Quiet scenes are not divergence: rest, rest under gravity, swinging, pins in motion, free fall.
static void test_no_false_alarm(void **state)
{
    (void)state;
    for (const char *const *name = explicit_names(); *name; name++)
        for (int c = 0; c < 4; c++) {
            sample s = sample_cloth();
            if (c == 2)
                memset(s.pinned, 0, sizeof s.pinned);
            stepping run;
            stepping_start(&run, &s, explicit_solver(*name, "damping=auto,damping.mass=0.5"), 1.0 / 30);
            if (c == 0)
                memset(run.force, 0, sizeof run.force);
            for (int n = 0; n < 200; n++) {
                for (uint32_t i = 0; c == 3 && i < 3 * s.particle_count; i++)
                    run.pinned[i] = s.x[i] + (i % 3 == 0 ? 0.3 * sin(0.2 * n) : 0);
                stepping_take(&run);
                assert_int_equal(run.report.rejected * (strcmp(*name, "linearized_explicit") != 0), 0);
                stepping_go_on(&run);
            }
            stepping_end(&run);
        }
}

static void test_history(void **state)
{
    (void)state;
    sample s = sample_cloth();
    for (const char *const *name = explicit_names(); *name; name++)
        for (int c = 0; c < 2; c++) {
            stepping run, other;
            const char *options = c ? "filter=exponential,damping=auto" : "";
            stepping_start(&run, &s, explicit_solver(*name, options), 1.0 / 30);
            for (int n = 0; n < 10; n++) {
                stepping_take(&run);
                stepping_go_on(&run);
            }
            unsigned char bytes[64];
            tide_error error;
            size_t size = tide_solver_history_size(run.solver);
            assert_true(size <= sizeof bytes);
            tide_solver_save_history(run.solver, bytes);
            // Prepared where the cloth is now, it has another k0 and other weights, until the history is loaded.
            sample later = s;
            memcpy(later.x, run.q, sizeof later.x);
            stepping_start(&other, &later, explicit_solver(*name, options), 1.0 / 30);
            memcpy(other.velocity, run.velocity, sizeof other.velocity);
            memcpy(other.pinned, run.pinned, sizeof other.pinned);
            assert_ok(tide_solver_load_history(other.solver, bytes, size, &error), error);
            for (int n = 0; n < 5; n++) {
                stepping_take(&run);
                stepping_take(&other);
                assert_memory_equal(run.x, other.x, 3 * s.particle_count * sizeof *run.x);
                assert_memory_equal(run.v, other.v, 3 * s.particle_count * sizeof *run.v);
                stepping_go_on(&run);
                stepping_go_on(&other);
            }
            assert_fails(tide_solver_load_history(other.solver, bytes, size - 1, &error), error, "history");
            memset(bytes, 0xff, sizeof bytes); // not numbers
            assert_fails(tide_solver_load_history(other.solver, bytes, size, &error), error, "history");
            stepping_take(&other);
            stepping_end(&run);
            stepping_end(&other);
        }
}

static void test_common_substeps(void **state)
{
    (void)state;
    sample s = sample_cloth();
    for (const char *const *name = explicit_names(); *name; name++) {
        stepping whole, parts;
        stepping_start(&whole, &s, explicit_solver(*name, "substeps=4"), 0.04);
        stepping_start(&parts, &s, explicit_solver(*name, ""), 0.01);
        whole.pinned[1] = 0.04; // moves on by 0.01 in each
        stepping_take(&whole);
        for (int n = 1; n <= 4; n++) {
            parts.pinned[1] = 0.01 * n;
            stepping_take(&parts);
            stepping_go_on(&parts);
        }
        for (uint32_t i = 0; i < 3 * s.particle_count; i++) {
            assert_near(whole.x[i], parts.q[i], 1e-12);
            assert_near(whole.v[i], parts.velocity[i], 1e-9);
        }
        stepping_end(&whole);
        stepping_end(&parts);
    }
}

static void test_errors(void **state)
{
    (void)state;
    tide_error error;
    uint32_t bad;
    sample s = explicit_oscillator(1e18);
    tide_system *system = sample_system(&s);
    for (const char *const *name = explicit_names(); *name; name++) {
        tide_solver *solver = explicit_solver(*name, NULL);
        assert_fails(tide_solver_prepare(solver, system, 1, s.x, &bad, &error), error,
                     "substep = \"auto\": the longest stable substep is");
        assert_fails(tide_solver_prepare(solver, system, 1, s.x, &bad, &error), error,
                     "less than a millionth of the timestep of 1 s");
        double zero[3] = { 0 }, x[3], v[3];
        tide_report report;
        tide_step step = { system, 1, zero, zero, zero, zero, x, v, NULL, 0, 1, NULL };
        assert_fails(tide_solver_step(solver, &step, &report, &error), error, "it was not prepared for this system");
        assert_fails(tide_solver_load_history(solver, zero, 24, &error), error, "after its preparation");
        assert_ok(tide_solver_prepare(solver, system, 1e-4, s.x, &bad, &error), error);
        assert_fails(tide_solver_step(solver, &step, &report, &error), error, "it was not prepared for this system");
        step.h = 1e-4;
        assert_ok(tide_solver_step(solver, &step, &report, &error), error);
        tide_solver_destroy(solver);
        solver = explicit_solver(*name, "substep=1e-9");
        assert_fails(tide_solver_prepare(solver, system, 0.1, s.x, &bad, &error), error,
                     "substep = 1e-09: expected at least a millionth of the timestep of 0.1 s");
        tide_solver_destroy(solver);
        const struct {
            const char *option, *value;
        } refused[] = { { "substep", "0" },       { "substep", "-1" },          { "substep", "automatic" },
                        { "safety", "0.5" },      { "safety", "auto" },         { "damping", "critical" },
                        { "damping.mass", "-1" }, { "damping.stiffness", "-1" } };
        const tide_solver_kind *kind = tide_solver_kind_find(*name, NULL);
        _Alignas(16) char options[512];
        tide_fields_default(kind->fields, options);
        for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
            assert_int_equal(
                tide_fields_parse(kind->fields, *name, options, refused[i].option, refused[i].value, &error),
                TIDE_ERROR_ARGUMENT);
    }
    tide_system_destroy(system);
}

static void test_positions_that_are_not_numbers(void **state)
{
    (void)state;
    sample s = sample_cloth();
    for (const char *const *name = explicit_names(); *name; name++) {
        stepping run;
        sample broken = s;
        broken.x[40] = NAN;
        stepping_start(&run, &broken, explicit_solver(*name, "filter=exponential"), 0.01);
        stepping_take(&run);
        assert_true(run.report.suspect != TIDE_NO_PARTICLE);
        stepping_end(&run);
    }
}

static tide_status whole_life(void *context, tide_error *error)
{
    const char *name = context;
    sample s = sample_cloth();
    tide_system *system = NULL;
    tide_solver *solver = NULL;
    const tide_solver_kind *kind = tide_solver_kind_find(name, error);
    tide_status status = sample_try_system(&s, &system, error);
    if (status)
        return status;
    _Alignas(16) char options[512];
    tide_fields_default(kind->fields, options);
    ((tide_explicit_options *)options)->filter.kind = TIDE_FILTER_EXPONENTIAL;
    status = tide_solver_create(kind, options, &solver, error);
    uint32_t bad;
    if (!status)
        status = tide_solver_prepare(solver, system, 0.1, s.x, &bad, error);
    if (!status)
        status = tide_solver_prepare(solver, system, 0.2, s.x, &bad, error);
    tide_solver_destroy(solver);
    tide_system_destroy(system);
    return status;
}

static void test_allocations(void **state)
{
    (void)state;
    for (const char *const *name = explicit_names(); *name; name++) {
        union {
            const char *constant;
            void *context;
        } given = { *name };
        assert_true(fail_each_allocation(whole_life, given.context) > 10);
        sample s = sample_cloth();
        stepping run;
        stepping_start(&run, &s, explicit_solver(*name, "filter=exponential,damping=springs,damping.stiffness=1e-4"),
                       0.01);
        uint64_t allocations = tide_memory_count().allocations;
        for (int n = 0; n < 10; n++) {
            stepping_take(&run);
            stepping_go_on(&run);
        }
        assert_int_equal(tide_memory_count().allocations, allocations);
        stepping_end(&run);
    }
}

// A grid large enough for loops to be cut into chunks, under any number of threads.
static void test_threads(void **state)
{
    (void)state;
    enum { SIDE = 129, COUNT = SIDE * SIDE, SPRINGS = 2 * SIDE * (SIDE - 1) };
    tide_error error;
    tide_system *system = NULL;
    uint32_t *vertices = malloc(2 * SPRINGS * sizeof *vertices), e = 0, bad;
    double *parameters = malloc(2 * SPRINGS * sizeof *parameters), *numbers = calloc(7 * 3 * COUNT, sizeof *numbers);
    double *q = numbers, *zero = q + 3 * COUNT, *force = zero + 3 * COUNT, *x = force + 3 * COUNT;
    assert_ok(tide_system_create(COUNT, &system, &error), error);
    for (uint32_t i = 0; i < COUNT; i++) {
        q[3 * i] = i % SIDE * 0.1;
        q[3 * i + 2] = i / SIDE * 0.1;
        force[3 * i + 1] = sin(i);
        for (int down = 0; down < 2; down++)
            if (down ? i / SIDE + 1 < SIDE : i % SIDE + 1 < SIDE) {
                vertices[2 * e] = i;
                vertices[2 * e + 1] = i + (down ? SIDE : 1);
                parameters[e] = 100;
                parameters[SPRINGS + e++] = 0.09;
            }
    }
    parameters[7] = 1e4; // so that the largest eigenvalue is soon found
    assert_ok(tide_system_add(system, &tide_spring, SPRINGS, vertices, parameters, &error), error);
    assert_ok(tide_system_finish(system, &error), error);
    const char *names[] = { "verlet", "linearized_explicit" };
    for (int c = 0; c < 2; c++) {
        for (int threads = 1; threads <= 3; threads += 2) {
            double *out = x + (threads == 1 ? 0 : 6 * COUNT);
            tide_set_threads(threads);
            tide_solver *solver =
                explicit_solver(names[c], "filter=exponential,damping=rayleigh,damping.mass=1,damping.stiffness=1e-4");
            tide_report report;
            tide_step step = { system, 0.1, q, zero, force, q, out, out + 3 * COUNT, NULL, 0, 1, NULL };
            assert_ok(tide_solver_prepare(solver, system, 0.1, q, &bad, &error), error);
            assert_ok(tide_solver_step(solver, &step, &report, &error), error);
            assert_int_equal(report.suspect, TIDE_NO_PARTICLE);
            tide_solver_destroy(solver);
        }
        assert_memory_equal(x, x + 6 * COUNT, 6 * COUNT * sizeof *x);
    }
    tide_set_threads(1);
    tide_system_destroy(system);
    free(vertices);
    free(parameters);
    free(numbers);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_substep_counts),
    cmocka_unit_test(test_free_fall),
    cmocka_unit_test(test_automatic_damping),
    cmocka_unit_test(test_warnings),
    cmocka_unit_test(test_divergence_is_seen),
    cmocka_unit_test(test_divergence_of_a_given_substep_is_reported),
    cmocka_unit_test(test_no_false_alarm),
    cmocka_unit_test(test_history),
    cmocka_unit_test(test_common_substeps),
    cmocka_unit_test(test_errors),
    cmocka_unit_test(test_positions_that_are_not_numbers),
    cmocka_unit_test(test_allocations),
    cmocka_unit_test(test_threads),
};
TIDE_TEST_SUITE(solver_explicit, tests)
