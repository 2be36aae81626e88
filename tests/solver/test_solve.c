// The option `solve`: ways to solve with the constant matrix, and what they leave of a method's results.
#include "every_method.h"
#include "factor/sweeps.h"
#include "solver/global_step.h"
#include "world/fixture.h"

#include <math.h>

// Methods that iterate with A, taken to the minimum.
static const char *const iterating[][2] = {
    { "local_global", "iterations=5000,tolerance=1e-13" },
    { "local_global", "iterations=5000,tolerance=1e-13,acceleration=anderson" },
    { "local_global", "iterations=5000,tolerance=1e-13,acceleration=chebyshev" },
    { "lbfgs", "iterations=500,tolerance=1e-13" },
    { "nonlinear_cg", "iterations=500,tolerance=1e-13" },
    { "newton", "linear=pcg,tolerance=1e-13" },
    { "newton", "warm_start=3,tolerance=1e-13" },
    { "bdf2", "linear=pcg,tolerance=1e-13" },
};
enum { ITERATING = sizeof iterating / sizeof iterating[0] };

// A step under these options and `solve`.
static void step_by(const char *const method[2], const char *solve, const sample *s, stepping *run)
{
    char options[EVERY_TEXT];
    snprintf(options, sizeof options, "%s", method[1]);
    every_append(options, "solve", solve);
    method_start(run, s, stepping_solver(method[0], options), 1.0 / 30, 4);
    stepping_take(run);
}

// --- the same results ------------------------------------------------------------------------------------------------

static void test_every_way_has_the_same_minimiser(void **state)
{
    (void)state;
    static const char *const ways[] = { "double", "fast", "fast,solve.vectors=128", "fast,solve.vectors=256",
                                        "fast,solve.vectors=512" };
    for (int m = 0; m < ITERATING; m++)
        for (int index = 0; index < STEPPING_SAMPLES; index++) {
            sample s = stepping_sample(index);
            stepping reference, run;
            step_by(iterating[m], "cholmod", &s, &reference);
            assert_string_equal(reference.report.warning, "");
            for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
                step_by(iterating[m], ways[w], &s, &run);
                assert_string_equal(run.report.warning, "");
                for (uint32_t i = 0; i < 3 * s.particle_count; i++)
                    assert_near(run.x[i], reference.x[i], 1e-8);
                stepping_end(&run);
            }
            stepping_end(&reference);
        }
}

// A cloth of 1,600 vertices, whose factor has panels of all kinds.
static tide_world *cloth(const char *solver, const char *options)
{
    tide_world *world = fixture_curtain(40, NULL);
    tide_error error;
    tide_solver *with = stepping_solver(solver, options);
    assert_ok(tide_world_set_solver(world, tide_solver_kind_of(with), tide_solver_options(with), &error), error);
    tide_solver_destroy(with);
    return world;
}

static void test_a_cloth_hangs_the_same(void **state)
{
    (void)state;
    tide_world *fast = cloth("lbfgs", "tolerance=1e-12,iterations=400");
    tide_world *reference = cloth("lbfgs", "tolerance=1e-12,iterations=400,solve=cholmod");
    fixture_step(fast, 5);
    fixture_step(reference, 5);
    const double *x = tide_world_all_positions(fast), *expected = tide_world_all_positions(reference);
    for (size_t i = 0; i < 3 * (size_t)tide_world_particle_count(fast); i++)
        assert_near(x[i], expected[i], 1e-8);
    assert_true(tide_world_report(fast)->iterations <= tide_world_report(reference)->iterations + 3);
    assert_int_equal(tide_solver_describe(tide_world_solver(fast)).method, TIDE_CHOLESKY_FAST);
    assert_int_equal(tide_solver_describe(tide_world_solver(reference)).method, TIDE_CHOLESKY_REFERENCE);
    tide_world_destroy(fast);
    tide_world_destroy(reference);
}

static void test_threads_change_no_bit(void **state)
{
    (void)state;
    static const int threads[] = { 1, 2, 3, 4, 8 };
    static const char *const ways[] = { "solve=fast", "solve=double", "solve=cholmod" };
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        uint64_t first = 0;
        for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
            tide_set_threads(threads[t]);
            tide_world *world = cloth("local_global", ways[w]);
            fixture_step(world, 10);
            uint64_t hash = fixture_hash(world);
            if (t == 0)
                first = hash;
            assert_true(hash == first);
            tide_world_destroy(world);
        }
        tide_set_threads(1);
    }
}

// --- options ---------------------------------------------------------------------------------------------------------

static tide_cholesky_info info_of(const char *name, const char *options)
{
    sample s = sample_cloth();
    stepping run;
    stepping_start(&run, &s, stepping_solver(name, options), 0.01);
    tide_cholesky_info info = tide_solver_describe(run.solver);
    stepping_end(&run);
    return info;
}

static void test_what_is_chosen(void **state)
{
    (void)state;
    assert_int_equal(info_of("local_global", "").method, TIDE_CHOLESKY_FAST);
    assert_int_equal(info_of("lbfgs", "").method, TIDE_CHOLESKY_FAST);
    assert_int_equal(info_of("nonlinear_cg", "").method, TIDE_CHOLESKY_FAST);
    assert_int_equal(info_of("newton", "linear=pcg").method, TIDE_CHOLESKY_FAST);
    assert_int_equal(info_of("local_global", "solve=cholmod").method, TIDE_CHOLESKY_REFERENCE);
    assert_string_equal(info_of("lbfgs", "solve.vectors=128").precision, "single precision, 4 numbers at a time");
    tide_solve_method wide = tide_sweeps_choose(false, 0) ? TIDE_CHOLESKY_DOUBLE : TIDE_CHOLESKY_REFERENCE;
    assert_int_equal(info_of("local_global", "solve=double").method, wide);
    assert_int_equal(info_of("imex", "").method, wide);
    assert_int_equal(info_of("imex", "solve.vectors=128").method, TIDE_CHOLESKY_REFERENCE);
    assert_int_equal(info_of("imex", "solve=fast").method, TIDE_CHOLESKY_FAST);
    assert_int_equal(info_of("imex", "solve=cholmod").method, TIDE_CHOLESKY_REFERENCE);
    tide_error error;
    tide_solver *solver;
    const tide_solver_kind *kind = tide_solver_kind_find("local_global", &error);
    _Alignas(16) char options[512];
    tide_fields_default(kind->fields, options);
    assert_fails(tide_fields_parse(kind->fields, "local_global", options, "solve", "quick", &error), error, "fast");
    assert_fails(tide_fields_parse(kind->fields, "local_global", options, "solve.vectors", "64", &error), error, "128");
    assert_ok(tide_solver_create(kind, options, &solver, &error), error);
    tide_solver_destroy(solver);
}

// --- what is ill-conditioned -----------------------------------------------------------------------------------------

// Springs of 1 and of 1e8 N/m side by side, masses of a milligram.
static sample harsh_sample(void)
{
    sample s = sample_cloth();
    for (uint32_t p = 0; p < s.particle_count; p++)
        s.masses[p] = 1e-6;
    for (uint32_t e = 0; e < s.spring_count; e++)
        s.springs[e].stiffness = e % 2 ? 1 : 1e8;
    s.anchor_count = 0;
    memset(s.pinned, 0, sizeof s.pinned);
    return s;
}

static void test_ill_conditioned_is_solved_in_double_and_told(void **state)
{
    (void)state;
    static const char *const methods[][2] = {
        { "local_global", "" }, { "lbfgs", "" }, { "nonlinear_cg", "" }, { "newton", "linear=pcg" }
    };
    sample s = harsh_sample();
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        stepping fast, twice, reference;
        step_by(methods[m], "fast", &s, &fast);
        step_by(methods[m], "double", &s, &twice);
        step_by(methods[m], "cholmod", &s, &reference);
        assert_non_null(strstr(fast.report.warning, "single precision is not enough for the matrix"));
        assert_null(strstr(twice.report.warning, "single"));
        assert_string_equal(reference.report.warning, "");
        assert_int_not_equal(tide_solver_describe(fast.solver).method, TIDE_CHOLESKY_FAST);
        assert_memory_equal(fast.x, twice.x, 3 * s.particle_count * sizeof *fast.x);
        stepping_end(&fast);
        stepping_end(&twice);
        stepping_end(&reference);
    }
}

// --- momentum --------------------------------------------------------------------------------------------------------

// Three parts that nothing holds (a cloth's worth of rows in turn, a pair, a single particle), one with an anchor, one
// with a pin.
static sample parts_sample(void)
{
    sample s = { .name = "parts" };
    for (uint32_t i = 0; i < 40; i++)
        sample_particle(&s, 0.1 + 0.01 * i, 0.1 * i, 0.02 * (i % 3), 0.05 * (i % 7));
    for (uint32_t i = 0; i + 2 < 24; i++) // two chains, rows in turn
        sample_join(&s, i, i + 2, 100);
    sample_join(&s, 24, 25, 10);
    for (uint32_t i = 27; i + 1 < 32; i++)
        sample_join(&s, i, i + 1, 50);
    for (uint32_t i = 32; i + 1 < 40; i++)
        sample_join(&s, i, i + 1, 50);
    s.anchors[s.anchor_count++] = (sample_anchor) { 29, 30, { 1, 0.1, 0.05 } };
    s.pinned[35] = true;
    return s;
}

static void test_parts_that_nothing_holds(void **state)
{
    (void)state;
    sample s = parts_sample();
    tide_system *system = sample_system(&s);
    tide_momentum momentum = { 0 };
    assert_true(tide_momentum_find(&momentum, system, 1.5));
    assert_int_equal(momentum.part_count, 4); // the two chains, the pair, the single one
    tide_random random = tide_random_seed(2);
    double g[STEPPING_NUMBERS] = { 0 }, d[STEPPING_NUMBERS] = { 0 }, before[STEPPING_NUMBERS];
    sample_disturb(g, s.particle_count, 1, &random);
    sample_disturb(d, s.particle_count, 1, &random);
    memcpy(before, d, sizeof before);
    double x[STEPPING_NUMBERS], left[STEPPING_NUMBERS], most = 0;
    for (uint32_t i = 0; i < 3 * s.particle_count; i++)
        x[i] = left[i] = g[i] / 3;
    tide_momentum_take(&momentum, g);
    double told = tide_momentum_subtract(&momentum, d, s.particle_count, left);
    assert_memory_equal(d, before, sizeof d);
    tide_momentum_give(&momentum, d);
    for (uint32_t i = 0; i < 3 * s.particle_count; i++) {
        x[i] -= d[i];
        most = fmax(most, fabs(d[i]));
    }
    assert_memory_equal(left, x, 3 * s.particle_count * sizeof *x);
    assert_true(told == most);
    static const uint32_t parts[][3] = { { 0, 24, 2 }, { 1, 24, 2 }, { 24, 26, 1 }, { 26, 27, 1 } }; // first, end, step
    for (int p = 0; p < 4; p++)
        for (uint32_t k = 0; k < 3; k++) {
            double missing = 0, shift = d[3 * parts[p][0] + k] - before[3 * parts[p][0] + k];
            for (uint32_t i = parts[p][0]; i < parts[p][1]; i += parts[p][2]) {
                missing += g[3 * i + k] - 1.5 * s.masses[i] * d[3 * i + k];
                assert_near(d[3 * i + k] - before[3 * i + k], shift, 1e-14);
            }
            assert_near(missing, 0, 1e-14);
            assert_true(shift != 0);
        }
    uint32_t held = 3 * 27, rows = 3 * system->free_count; // rows of the anchored and of the pinned part
    assert_memory_equal(d + held, before + held, (rows - held) * sizeof *d);
    tide_momentum_free(&momentum);
    tide_system_destroy(system);
}

// Many particles in one run, cut into pieces, of equal or different masses; numbers that are not finite are reported.
static void test_a_step_is_subtracted_with_its_momentum(void **state)
{
    (void)state;
    enum { MANY = 30011 };
    for (int alike = 0; alike < 2; alike++) {
        tide_system *system;
        assert_int_equal(tide_system_create(MANY, &system, NULL), TIDE_OK);
        uint32_t *vertices = tide_allocate_array(MANY - 1, 2 * sizeof *vertices);
        double *springs = tide_allocate_array(MANY - 1, TIDE_SPRING_PARAMETERS * sizeof *springs);
        double *arrays = tide_allocate_zeroed(4 * 3 * MANY, sizeof *arrays);
        assert_true(vertices && springs && arrays);
        double *g = arrays, *d = g + 3 * MANY, *x = d + 3 * MANY, *left = x + 3 * MANY, most = 0;
        tide_random random = tide_random_seed(5);
        for (uint32_t e = 0; e < MANY - 1; e++) {
            vertices[2 * e] = e;
            vertices[2 * e + 1] = e + 1;
            springs[e] = springs[MANY - 1 + e] = 1;
        }
        for (uint32_t p = 0; p < MANY; p++)
            system->masses[p] = alike ? 0.3 : 0.1 + 0.01 * (p % 7);
        assert_int_equal(tide_system_add(system, &tide_spring, MANY - 1, vertices, springs, NULL), TIDE_OK);
        assert_int_equal(tide_system_finish(system, NULL), TIDE_OK);
        for (uint32_t i = 0; i < 3 * MANY; i++) {
            g[i] = tide_random_uniform(&random) - 0.5;
            d[i] = tide_random_uniform(&random) - 0.4;
            x[i] = left[i] = tide_random_uniform(&random);
        }
        tide_momentum momentum = { 0 };
        assert_true(tide_momentum_find(&momentum, system, 1));
        assert_int_equal(momentum.run_count, 1);
        tide_momentum_take(&momentum, g);
        double told = tide_momentum_subtract(&momentum, d, MANY, left);
        tide_momentum_give(&momentum, d);
        for (uint32_t i = 0; i < 3 * MANY; i++) {
            x[i] -= d[i];
            most = fmax(most, fabs(d[i]));
        }
        assert_memory_equal(left, x, 3 * MANY * sizeof *x);
        assert_true(told == most);
        double momentum_left[3] = { 0 };
        for (uint32_t i = 0; i < 3 * MANY; i++)
            momentum_left[i % 3] += g[i] - system->masses[i / 3] * d[i];
        for (int k = 0; k < 3; k++)
            assert_near(momentum_left[k], 0, 1e-9);
        d[3 * 20000] = INFINITY;
        assert_true(isnan(tide_momentum_subtract(NULL, d, MANY, left)));
        tide_momentum_free(&momentum);
        tide_system_destroy(system);
        tide_free(vertices);
        tide_free(springs);
        tide_free(arrays);
    }
}

// For a solve in single precision, 1' A d = 1' g holds to rounding, while the direction itself has errors of 1e-7.
static void test_a_fast_solve_keeps_the_momentum(void **state)
{
    (void)state;
    for (int index = 0; index < STEPPING_SAMPLES; index++) {
        sample s = stepping_sample(index);
        s.anchor_count = 0;
        memset(s.pinned, 0, sizeof s.pinned);
        stepping run;
        step_by((const char *const[2]) { "local_global", "" }, "fast", &s, &run);
        tide_objective objective = { 0 };
        tide_global_step global = { 0 };
        tide_error error;
        const tide_solve_options options = { .method = TIDE_CHOLESKY_FAST };
        const tide_damping damping = { TIDE_DAMPING_RAYLEIGH, 0.3, 0.01 };
        assert_ok(tide_objective_prepare(&objective, run.system, 0.05, &damping, &error), error);
        assert_ok(tide_global_step_prepare(&global, &objective, &options, "solver", NULL, &error), error);
        double sum[3] = { 0 };
        assert_ok(tide_global_step_solve(&global, run.system, run.q, run.x, &error), error);
        for (uint32_t i = 0; i < 3 * s.particle_count; i++)
            sum[i % 3] += run.q[i] - (1 + 0.05 * 0.3) * s.masses[i / 3] * run.x[i];
        for (int k = 0; k < 3; k++)
            assert_near(sum[k], 0, 2e-14);
        tide_global_step_free(&global);
        tide_objective_free(&objective);
        stepping_end(&run);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_way_has_the_same_minimiser),
    cmocka_unit_test(test_a_cloth_hangs_the_same),
    cmocka_unit_test(test_threads_change_no_bit),
    cmocka_unit_test(test_what_is_chosen),
    cmocka_unit_test(test_ill_conditioned_is_solved_in_double_and_told),
    cmocka_unit_test(test_parts_that_nothing_holds),
    cmocka_unit_test(test_a_step_is_subtracted_with_its_momentum),
    cmocka_unit_test(test_a_fast_solve_keeps_the_momentum),
};
TIDE_TEST_SUITE(solver_solve, tests)
