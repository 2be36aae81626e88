#include "method_checks.h"
#include "motion.h"

static const struct {
    const char *options;
    tide_damping damping;
} dampings[] = {
    { "", { 0 } },
    { "damping=rayleigh,damping.mass=0.5,damping.stiffness=0.02", { TIDE_DAMPING_RAYLEIGH, 0.5, 0.02 } },
    { "damping=springs,damping.mass=0.5,damping.stiffness=0.02", { TIDE_DAMPING_SPRINGS, 0.5, 0.02 } },
};
enum { DAMPINGS = sizeof dampings / sizeof dampings[0] };

// ((1 + h d0) M + (h^2 + h alpha) L) (x - q) = h M v~ + h^2 (f_ext + f(q) + alpha (L - H(q)) w) by dense algebra, L
// with the columns of pinned particles, whose x - q is known; w is v~, and of pinned particles how they move.
static void dense_step(const stepping *run, const sample *s, const tide_damping *damping, double *x)
{
    static double a[SAMPLE_PARTICLES * SAMPLE_PARTICLES], copy[SAMPLE_PARTICLES * SAMPLE_PARTICLES];
    uint32_t n = s->particle_count;
    double h = run->h, factor = h * h + h * damping->stiffness, rhs[STEPPING_NUMBERS], w[STEPPING_NUMBERS];
    double zero[STEPPING_NUMBERS] = { 0 }, force[STEPPING_NUMBERS], damped[2][STEPPING_NUMBERS];
    for (uint32_t i = 0; i < 3 * n; i++)
        w[i] = s->pinned[i / 3] ? (run->pinned[i] - run->q[i]) / h : run->velocity[i];
    tide_damping none = { 0 }, all = { TIDE_DAMPING_SPRINGS, 0, damping->stiffness }, own = *damping;
    own.mass = 0;
    motion_forces(s, &none, run->q, zero, force);
    motion_forces(s, &own, run->q, w, damped[0]);
    motion_forces(s, &all, run->q, w, damped[1]);
    for (uint32_t i = 0; i < 3 * n; i++)
        rhs[i] =
            h * s->masses[i / 3] * run->velocity[i] + h * h * (run->force[i] + force[i] + damped[0][i] - damped[1][i]);
    memset(a, 0, sizeof a);
    for (uint32_t p = 0; p < n; p++)
        a[p * n + p] = (1 + h * damping->mass) * s->masses[p];
    for (uint32_t e = 0; e < s->spring_count; e++) {
        uint32_t i = s->springs[e].i, j = s->springs[e].j;
        double k = factor * s->springs[e].stiffness;
        a[i * n + i] += k;
        a[j * n + j] += k;
        a[i * n + j] -= k;
        a[j * n + i] -= k;
    }
    for (uint32_t b = 0; b < s->anchor_count; b++) {
        uint32_t i = s->anchors[b].i;
        a[i * n + i] += factor * s->anchors[b].stiffness;
        for (uint32_t c = 0; c < 3; c++)
            rhs[3 * i + c] -= h * h * s->anchors[b].stiffness * (run->q[3 * i + c] - s->anchors[b].at[c]);
    }
    for (uint32_t p = 0; p < n; p++)
        if (s->pinned[p])
            for (uint32_t q = 0; q < n; q++)
                a[p * n + q] = p == q;
    for (uint32_t c = 0; c < 3; c++) {
        double column[SAMPLE_PARTICLES];
        for (uint32_t p = 0; p < n; p++)
            column[p] = s->pinned[p] ? run->pinned[3 * p + c] - run->q[3 * p + c] : rhs[3 * p + c];
        memcpy(copy, a, sizeof copy);
        assert_true(dense_solve(n, copy, column));
        for (uint32_t p = 0; p < n; p++)
            x[3 * p + c] = run->q[3 * p + c] + column[p];
    }
}

static void test_is_the_formula_by_dense_algebra(void **state)
{
    (void)state;
    for (int index = 0; index < STEPPING_SAMPLES; index++)
        for (int c = 0; c < DAMPINGS; c++) {
            sample s = stepping_sample(index);
            stepping run;
            double x[STEPPING_NUMBERS];
            method_start(&run, &s, stepping_solver("imex", dampings[c].options), 1.0 / 30, 4);
            for (int n = 0; n < 3; n++) {
                stepping_take(&run);
                dense_step(&run, &s, &dampings[c].damping, x);
                for (uint32_t i = 0; i < 3 * s.particle_count; i++) {
                    assert_near(run.x[i], x[i], 1e-12);
                    assert_near(run.v[i], (run.x[i] - run.q[i]) / run.h, 1e-12);
                    if (s.pinned[i / 3])
                        assert_true(run.x[i] == run.pinned[i]);
                }
                assert_true(run.report.iterations == 1 && run.report.converged && isnan(run.report.g));
                assert_true(isnan(run.report.gradient_norm));
                stepping_go_on(&run);
            }
            assert_int_equal(tide_solver_describe(run.solver).factorizations, 1);
            assert_int_equal(tide_solver_history_size(run.solver), 0);
            stepping_end(&run);
        }
}

// Without rest lengths all of the force is linear, and the step is the minimiser of g, pins on their way.
static void test_linear_forces_are_those_of_backward_euler(void **state)
{
    (void)state;
    for (int index = 0; index < STEPPING_SAMPLES; index++)
        for (int c = 0; c < DAMPINGS; c++) {
            sample s = stepping_sample(index);
            for (uint32_t e = 0; e < s.spring_count; e++)
                s.springs[e].rest_length = 0;
            char options[160];
            snprintf(options, sizeof options, "tolerance=1e-13%s%s", c ? "," : "", dampings[c].options);
            stepping run, exact;
            method_start(&run, &s, stepping_solver("imex", dampings[c].options), 1.0 / 30, 4);
            method_start(&exact, &s, stepping_solver("newton", options), 1.0 / 30, 4);
            stepping_take(&run);
            stepping_take(&exact);
            for (uint32_t i = 0; i < 3 * s.particle_count; i++)
                assert_near(run.x[i], exact.x[i], 1e-12);
            stepping_end(&run);
            stepping_end(&exact);
        }
}

static void test_order(void **state)
{
    (void)state;
    for (int stiff = 0; stiff < 2; stiff++)
        for (int c = 0; c < DAMPINGS; c++) {
            sample s = stiff ? motion_stiff_chain() : motion_pendulum();
            double x[STEPPING_NUMBERS], v[STEPPING_NUMBERS] = { 0 }, time = stiff ? 0.2 : 0.5;
            tide_damping damping = dampings[c].damping;
            damping.stiffness /= 10;
            memcpy(x, s.x, sizeof x);
            motion_integrate(&s, &damping, -9.81, time, 4000, x, v);
            char options[160] = "";
            if (c)
                snprintf(options, sizeof options, "damping=%s,damping.mass=0.5,damping.stiffness=0.002",
                         c == 1 ? "rayleigh" : "springs");
            double coarse = motion_error(&s, "imex", options, time, stiff ? 12800 : 3200, x);
            double fine = motion_error(&s, "imex", options, time, stiff ? 25600 : 6400, x);
            assert_near(log2(coarse / fine), 1, 0.1);
        }
}

static void test_amplification(void **state)
{
    (void)state;
    motion_assert_amplification("imex", "substeps=1");
}

// The explicit part makes no timestep unstable, however stiff the springs.
static void test_stable_at_any_timestep(void **state)
{
    (void)state;
    const double timesteps[] = { 0.01, 0.1, 1 };
    for (int index = 0; index < STEPPING_SAMPLES; index++)
        for (size_t t = 0; t < 3; t++) {
            sample s = stepping_sample(index);
            for (uint32_t e = 0; e < s.spring_count; e++)
                s.springs[e].stiffness *= 1e4;
            stepping run;
            tide_random random = tide_random_seed(1);
            stepping_start(&run, &s, stepping_solver("imex", ""), timesteps[t]);
            memset(run.force, 0, sizeof run.force);
            sample_disturb(run.velocity, s.particle_count, 0.01 / timesteps[t], &random);
            for (uint32_t i = 0; i < 3 * s.particle_count; i++)
                if (s.pinned[i / 3])
                    run.velocity[i] = 0;
            for (int n = 0; n < 500; n++) {
                stepping_take(&run);
                stepping_go_on(&run);
            }
            double fastest = 0;
            for (uint32_t i = 0; i < 3 * s.particle_count; i++)
                fastest = fmax(fastest, fabs(run.v[i]));
            assert_true(fastest < 0.05 / timesteps[t]);
            stepping_end(&run);
        }
}

static void test_one_solver_for_systems_of_any_size(void **state)
{
    (void)state;
    const int order[] = { 0, 2, 1, 3, 0, 3, 2 };
    tide_solver *solver = stepping_solver("imex", dampings[1].options);
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        sample s = stepping_sample(order[i]);
        stepping fresh, run;
        method_start(&fresh, &s, stepping_solver("imex", dampings[1].options), 0.02, 3);
        method_start(&run, &s, solver, 0.02, 3);
        stepping_take(&fresh);
        stepping_take(&run);
        assert_memory_equal(run.x, fresh.x, 3 * s.particle_count * sizeof *run.x);
        stepping_end(&fresh);
        tide_system_destroy(run.system);
    }
    tide_solver_destroy(solver);
}

static void test_same_bits_for_one_and_two_threads(void **state)
{
    (void)state;
    enum { SIDE = 150, NUMBERS = 3 * SIDE * SIDE };
    double *numbers = tide_allocate_zeroed(6 * NUMBERS, sizeof *numbers), *q = numbers, *velocity = q + NUMBERS;
    double *force = velocity + NUMBERS, *x = force + NUMBERS, *v = x + 2 * NUMBERS;
    assert_non_null(numbers);
    tide_random random = tide_random_seed(1);
    for (uint32_t i = 0; i < NUMBERS; i++)
        velocity[i] = test_uniform(&random, -0.2, 0.2);
    for (int threads = 1; threads <= 2; threads++) {
        tide_error error;
        tide_report report;
        uint32_t bad;
        tide_set_threads(threads);
        tide_system *system = method_large_system(SIDE, q);
        tide_solver *solver = stepping_solver("imex", dampings[1].options);
        assert_ok(tide_solver_prepare(solver, system, 0.02, q, &bad, &error), error);
        tide_step step = { system, 0.02, q, velocity, force, q, x + (threads - 1) * NUMBERS, v, NULL, 0, 1, NULL };
        assert_ok(tide_solver_step(solver, &step, &report, &error), error);
        tide_solver_destroy(solver);
        tide_system_destroy(system);
    }
    tide_set_threads(1);
    assert_memory_equal(x, x + NUMBERS, NUMBERS * sizeof *x);
    tide_free(numbers);
}

static void test_what_every_method_does(void **state)
{
    (void)state;
    method_check_momentum("imex", "", 1e-12);
    method_check_momentum("imex", "damping=rayleigh,damping.stiffness=0.01", 1e-12);
    method_check_momentum("imex", "damping=springs,damping.stiffness=0.01", 1e-12);
    method_check_allocates_nothing("imex", dampings[1].options);
    method_check_failing_allocations("imex", dampings[1].options);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_is_the_formula_by_dense_algebra),
    cmocka_unit_test(test_linear_forces_are_those_of_backward_euler),
    cmocka_unit_test(test_order),
    cmocka_unit_test(test_amplification),
    cmocka_unit_test(test_stable_at_any_timestep),
    cmocka_unit_test(test_one_solver_for_systems_of_any_size),
    cmocka_unit_test(test_same_bits_for_one_and_two_threads),
    cmocka_unit_test(test_what_every_method_does),
};
TIDE_TEST_SUITE(solver_imex, tests)
