#include "method_checks.h"
#include "newton.h"

typedef struct damping {
    const char *options;
    double mass, rayleigh, springs; // d0, alpha of K, alpha of L
} damping;

static const damping dampings[] = {
    { "", 0, 0, 0 },
    { ",damping=rayleigh,damping.mass=2,damping.stiffness=0.05", 2, 0.05, 0 },
    { ",damping=springs,damping.mass=1,damping.stiffness=0.02", 1, 0, 0.02 },
    { ",damping.mass=1,damping.stiffness=0.02,damping=none", 0, 0, 0 },
};
enum { DAMPINGS = sizeof dampings / sizeof dampings[0] };

static void add_block(double *matrix, uint32_t size, uint32_t i, uint32_t j, uint32_t a, uint32_t b, double entry)
{
    matrix[(3 * i + a) * size + 3 * i + b] += entry;
    matrix[(3 * j + a) * size + 3 * j + b] += entry;
    matrix[(3 * i + a) * size + 3 * j + b] -= entry;
    matrix[(3 * j + a) * size + 3 * i + b] -= entry;
}

// kf K + lf L over all particles, from the sample's lists.
static void dense_stiffness(const sample *s, const double *x, bool project, double kf, double lf, double *matrix)
{
    uint32_t size = 3 * s->particle_count;
    for (uint32_t e = 0; e < s->spring_count; e++) {
        uint32_t i = s->springs[e].i, j = s->springs[e].j;
        double l = sample_distance(x, i, j), c = 1 - s->springs[e].rest_length / l, k = s->springs[e].stiffness;
        if (project && c < 0)
            c = 0;
        for (uint32_t a = 0; a < 3; a++)
            for (uint32_t b = 0; b < 3; b++) {
                double nn = (x[3 * i + a] - x[3 * j + a]) * (x[3 * i + b] - x[3 * j + b]) / (l * l);
                add_block(matrix, size, i, j, a, b, kf * k * (nn + c * ((a == b) - nn)) + lf * k * (a == b));
            }
    }
    for (uint32_t b = 0; b < s->anchor_count; b++)
        for (uint32_t k = 0; k < 3; k++)
            matrix[(3 * s->anchors[b].i + k) * (size + 1)] += (kf + lf) * s->anchors[b].stiffness;
}

// The Newton step on g from q by Gaussian elimination: the pinned particles' motion is known.
static void dense_step(const stepping *run, const sample *s, const damping *d, bool project, double *x)
{
    static double matrix[NEWTON_MAX * NEWTON_MAX], scratch[NEWTON_MAX * NEWTON_MAX];
    double y[STEPPING_NUMBERS], move[NEWTON_MAX], gradient[NEWTON_MAX], h = run->h;
    uint32_t size = 3 * s->particle_count;
    stepping_predict(run, s, y);
    newton n = { s, h, y };
    newton_derivatives(&n, run->q, gradient, scratch);
    memset(matrix, 0, sizeof matrix);
    for (uint32_t i = 0; i < size; i++)
        matrix[i * size + i] = (1 + h * d->mass) * s->masses[i / 3];
    dense_stiffness(s, run->q, project, h * h + h * d->rayleigh, h * d->springs, matrix);
    for (uint32_t i = 0; i < size; i++) {
        move[i] = s->pinned[i / 3] ? run->pinned[i] - run->q[i] : -gradient[i];
        for (uint32_t j = 0; j < size && s->pinned[i / 3]; j++)
            matrix[i * size + j] = i == j;
    }
    assert_true(dense_solve(size, matrix, move));
    for (uint32_t i = 0; i < size; i++)
        x[i] = run->q[i] + move[i];
}

static void test_it_is_the_dense_newton_step(void **state)
{
    (void)state;
    const char *const linear[] = { "cg_tolerance=1e-13", "cg_tolerance=1e-13,jacobi=false", "linear=cholesky",
                                   "linear=cholesky,adaptive=true,max_deformation=1e9", "linear=cholmod" };
    enum { WAYS = sizeof linear / sizeof linear[0] };
    for (int index = 0; index < STEPPING_SAMPLES; index++)
        for (int d = 0; d < DAMPINGS; d++)
            for (int i = 0; i < 2 * WAYS; i++) {
                sample s = stepping_sample(index);
                bool project = i < WAYS;
                char options[256];
                snprintf(options, sizeof options, "%s,definite=%s%s", linear[i % WAYS], project ? "projected" : "none",
                         dampings[d].options);
                stepping run;
                method_start(&run, &s, stepping_solver("semi_implicit", options), project ? 1.0 / 30 : 0.01, 6);
                double x[STEPPING_NUMBERS];
                dense_step(&run, &s, &dampings[d], project, x);
                stepping_take(&run);
                for (uint32_t k = 0; k < 3 * s.particle_count; k++) {
                    assert_near(run.x[k], x[k], 1e-10);
                    assert_near(run.v[k], (x[k] - run.q[k]) / run.h, 1e-8);
                }
                assert_int_equal(run.report.iterations, 1);
                assert_int_equal(run.report.substeps, 1);
                assert_true(i % WAYS < 2 ? run.report.linear_iterations > 0 : run.report.linear_iterations == 0);
                stepping_end(&run);
            }
}

// One free particle on an anchor: linear, with eigenvalues known in closed form (Shinya 2005, eq. 16).
static void test_a_linear_spring_decays_as_the_theory_says(void **state)
{
    (void)state;
    const double timesteps[] = { 0.001, 0.03, 1 };
    for (int i = 0; i < 3; i++) {
        sample s = { .name = "anchored", .anchor_count = 1, .anchors = { { 0, 40, { 0, 0, 0 } } } };
        sample_particle(&s, 0.5, 1, 0, 0);
        stepping run;
        stepping_start(&run, &s,
                       stepping_solver("semi_implicit", "cg_tolerance=1e-12,damping.stiffness=0.01,damping.mass=0.3"),
                       timesteps[i]);
        memset(run.force, 0, sizeof run.force);
        double h = run.h, k = 40 / 0.5, d = 0.3 + 0.01 * k, X = h * d, Y = h * h * k, decay = 1 + X + Y, x = 1, v = 0;
        for (int n = 0; n < 20; n++) {
            stepping_take(&run);
            stepping_go_on(&run);
            v = (v - h * k * x) / decay;
            x += h * v;
            assert_near(run.x[0], x, 1e-12);
        }
        const tide_solver_kind *kind = tide_solver_kind_of(run.solver);
        assert_int_equal(kind->order, 1);
        if (4 * decay > (2 + X) * (2 + X)) // the eigenvalues are complex
            assert_near(kind->amplification(X, Y), 1 / sqrt(decay), 1e-14);
        stepping_end(&run);
    }
}

static sample pendulum(void)
{
    sample s = sample_pair();
    s.pinned[0] = true;
    return s;
}

static const double throw[3] = { 1, 0, -0.5 };

// Returns the position after half a second, in `count` steps.
static void swing(int count, double x[3])
{
    sample s = pendulum();
    stepping run;
    stepping_start(&run, &s, stepping_solver("semi_implicit", ""), 0.5 / count);
    memcpy(run.velocity + 3, throw, sizeof throw);
    for (int n = 0; n < count; n++) {
        stepping_take(&run);
        stepping_go_on(&run);
    }
    memcpy(x, run.x + 3, 3 * sizeof *x);
    stepping_end(&run);
}

static void accelerate(const sample *s, const double x[6], double a[3])
{
    double l = sample_distance(x, 0, 1), pull = s->springs[0].stiffness * (1 - s->springs[0].rest_length / l);
    for (int k = 0; k < 3; k++)
        a[k] = -pull * (x[3 + k] - x[k]) / s->masses[1] - (k == 1 ? 9.81 : 0);
}

// The same by the classical Runge-Kutta method.
static void swing_exactly(int count, double x[3])
{
    sample s = pendulum();
    double h = 0.5 / count, p[6], v[3], dx[4][3], dv[4][3];
    const double share[4] = { 0, 0.5, 0.5, 1 };
    memcpy(p, s.x, sizeof p);
    memcpy(v, throw, sizeof v);
    for (int n = 0; n < count; n++) {
        for (int i = 0; i < 4; i++) {
            double at[6];
            memcpy(at, p, sizeof at);
            for (int k = 0; k < 3; k++) {
                at[3 + k] += i ? share[i] * h * dx[i - 1][k] : 0;
                dx[i][k] = v[k] + (i ? share[i] * h * dv[i - 1][k] : 0);
            }
            accelerate(&s, at, dv[i]);
        }
        for (int k = 0; k < 3; k++) {
            p[3 + k] += h / 6 * (dx[0][k] + 2 * dx[1][k] + 2 * dx[2][k] + dx[3][k]);
            v[k] += h / 6 * (dv[0][k] + 2 * dv[1][k] + 2 * dv[2][k] + dv[3][k]);
        }
    }
    memcpy(x, p + 3, 3 * sizeof *x);
}

static void test_its_order_is_one(void **state)
{
    (void)state;
    double exact[3], x[3], last = 0;
    swing_exactly(4000, exact);
    for (int count = 400; count <= 3200; count *= 2) {
        swing(count, x);
        double error = sqrt((x[0] - exact[0]) * (x[0] - exact[0]) + (x[1] - exact[1]) * (x[1] - exact[1]) +
                            (x[2] - exact[2]) * (x[2] - exact[2]));
        if (last > 0)
            assert_true(last / error > 1.8 && last / error < 2.2);
        last = error;
    }
}

// A chain at rest whose last particle is thrown.
static void start_throw(stepping *run, const sample *s, const char *options, double speed)
{
    stepping_start(run, s, stepping_solver("semi_implicit", options), 1.0 / 30);
    run->velocity[3 * (s->particle_count - 1)] = speed;
}

static double largest_change(const sample *s, const double *a, const double *b)
{
    double largest = 0;
    for (uint32_t e = 0; e < s->spring_count; e++) {
        const sample_spring *k = &s->springs[e];
        largest = fmax(largest, fabs(sample_distance(a, k->i, k->j) - sample_distance(b, k->i, k->j)) / k->rest_length);
    }
    return largest;
}

static void test_adaptive_steps_are_rejected_and_recover(void **state)
{
    (void)state;
    sample s = sample_chain();
    const char *const options = "adaptive=true,cg_tolerance=1e-10,damping.stiffness=0.02";
    stepping run;
    start_throw(&run, &s, options, 20);
    stepping_take(&run);
    assert_true(run.report.rejected > 0 && run.report.substeps > 2);
    assert_int_equal(run.report.iterations, run.report.rejected + run.report.substeps);
    assert_true(run.report.substep < run.h);
    uint32_t calm = 0, doubled = 0;
    double last = run.report.substep;
    for (int n = 0; n < 400; n++) {
        stepping_go_on(&run);
        stepping_take(&run);
        doubled += run.report.substep > last;
        last = run.report.substep;
        calm = run.report.substeps == 1 && run.report.rejected == 0 ? calm + 1 : 0;
        if (run.report.substeps == 1)
            assert_true(largest_change(&s, run.q, run.x) <= 0.1);
    }
    assert_true(doubled > 0 && calm > 50);
    stepping_end(&run);

    // The same without: the whole step deforms springs by more.
    start_throw(&run, &s, "cg_tolerance=1e-10,damping.stiffness=0.02", 20);
    stepping_take(&run);
    assert_true(run.report.rejected == 0 && largest_change(&s, run.q, run.x) > 0.1);
    stepping_end(&run);
}

// Kauppila's rule taken literally: parts of the timestep as timesteps of a solver of their own. A part begins at a
// multiple of itself.
typedef struct literal {
    int halvings, good, substeps, rejected;
} literal;

static void literal_timestep(literal *l, stepping *part, const sample *s, double h, const double *pin_from,
                             const double *pin_to)
{
    tide_error error;
    uint32_t bad;
    l->substeps = l->rejected = 0;
    for (double done = 0; done < 1;) {
        double share = pow(0.5, l->halvings);
        part->h = h * share;
        for (uint32_t i = 0; i < 3 * s->particle_count; i++)
            part->pinned[i] = pin_from[i] + (done + share) * (pin_to[i] - pin_from[i]);
        assert_ok(tide_solver_prepare(part->solver, part->system, part->h, part->q, &bad, &error), error);
        stepping_take(part);
        if (largest_change(s, part->q, part->x) > 0.1) {
            l->rejected++;
            l->halvings++;
            l->good = 0;
            continue;
        }
        stepping_go_on(part);
        l->substeps++;
        l->good++;
        done += share;
        if (l->good >= 2 && l->halvings > 0 && fmod(done, 2 * share) == 0) {
            l->halvings--;
            l->good = 0;
        }
    }
}

static void test_adaptive_steps_follow_the_rule(void **state)
{
    (void)state;
    sample s = sample_chain();
    uint32_t lone = sample_particle(&s, 0.1, 0, 5, 0); // no spring: only time moves it
    stepping run, part;
    stepping *both[2] = { &run, &part };
    for (int i = 0; i < 2; i++) {
        start_throw(both[i], &s, i ? "linear=cholesky" : "adaptive=true,linear=cholesky", 0);
        both[i]->velocity[3 * 9] = 6;
        both[i]->velocity[3 * lone] = 1;
        memset(both[i]->force, 0, sizeof both[i]->force);
    }
    literal l = { 0 };
    double h = run.h, from[STEPPING_NUMBERS];
    for (int n = 0; n < 30; n++) {
        memcpy(from, run.pinned, sizeof from);
        for (uint32_t k = 0; k < 3; k++)
            run.pinned[k] += 0.002;
        stepping_take(&run);
        literal_timestep(&l, &part, &s, h, from, run.pinned);
        assert_int_equal(run.report.substeps, l.substeps);
        assert_int_equal(run.report.rejected, l.rejected);
        for (uint32_t i = 0; i < 3 * s.particle_count; i++)
            assert_near(run.x[i], part.x[i], 1e-9);
        assert_near(run.report.g, part.report.g, 1e-9);
        assert_near(run.x[3 * lone], (n + 1) * h, 1e-12);
        stepping_go_on(&run);
    }
    stepping_end(&run);
    stepping_end(&part);
}

static void test_history(void **state)
{
    (void)state;
    sample s = sample_chain();
    stepping run;
    start_throw(&run, &s, "adaptive=true", 20);
    unsigned char history[64], other[64];
    size_t size = tide_solver_history_size(run.solver);
    assert_true(size > 0 && size <= sizeof history);
    stepping_take(&run);
    stepping_go_on(&run);
    tide_solver_save_history(run.solver, history);

    stepping again = run, fresh = run;
    tide_error error;
    uint32_t bad;
    again.solver = stepping_solver("semi_implicit", "adaptive=true");
    fresh.solver = stepping_solver("semi_implicit", "adaptive=true");
    assert_ok(tide_solver_prepare(again.solver, again.system, again.h, again.q, &bad, &error), error);
    assert_ok(tide_solver_prepare(fresh.solver, fresh.system, fresh.h, fresh.q, &bad, &error), error);
    assert_ok(tide_solver_load_history(again.solver, history, size, &error), error);
    for (int n = 0; n < 10; n++) {
        stepping_take(&run);
        stepping_take(&again);
        stepping_take(&fresh);
        assert_memory_equal(run.x, again.x, sizeof run.x);
        assert_int_equal(run.report.rejected, again.report.rejected);
        if (n == 0) // it tries the whole timestep first
            assert_true(fresh.report.rejected > run.report.rejected);
        stepping_go_on(&run);
        stepping_go_on(&again);
        stepping_go_on(&fresh);
    }
    tide_solver_save_history(again.solver, other);
    tide_solver_save_history(run.solver, history);
    assert_memory_equal(history, other, size);
    memset(other, 0xff, sizeof other);
    assert_fails(tide_solver_load_history(run.solver, other, size, &error), error, "history");
    assert_fails(tide_solver_load_history(run.solver, history, size - 1, &error), error, "history");
    tide_solver_destroy(again.solver);
    tide_solver_destroy(fresh.solver);
    stepping_end(&run);
}

static void test_adaptive_gives_up_at_last(void **state)
{
    (void)state;
    sample s = sample_chain();
    const double speeds[] = { 1e10, 1e200, NAN };
    for (int i = 0; i < 3; i++) {
        stepping run;
        start_throw(&run, &s, "adaptive=true", speeds[i]);
        unsigned char before[64], after[64];
        tide_solver_save_history(run.solver, before);
        tide_error error;
        tide_step step = {
            run.system, run.h, run.q, run.velocity, run.force, run.pinned, run.x, run.v, NULL, 0, 1, NULL
        };
        assert_fails(tide_solver_step(run.solver, &step, &run.report, &error), error, "max_deformation = 0.1");
        assert_int_equal(error.status, TIDE_ERROR_NUMERIC);
        assert_int_equal(run.report.rejected, 21);
        assert_true(run.report.suspect < s.particle_count);
        tide_solver_save_history(run.solver, after);
        assert_memory_equal(before, after, tide_solver_history_size(run.solver));
        run.velocity[3 * (s.particle_count - 1)] = 0;
        stepping_take(&run); // it is good for others
        stepping_end(&run);
    }
}

static sample crushed(void)
{
    sample s = sample_cloth();
    for (uint32_t e = 0; e < s.spring_count; e++) {
        s.springs[e].rest_length *= 3;
        s.springs[e].stiffness *= 100;
    }
    return s;
}

static void test_an_indefinite_matrix_is_an_error(void **state)
{
    (void)state;
    const char *const options[] = { "definite=none", "definite=none,jacobi=false", "definite=none,linear=cholesky" };
    sample s = crushed();
    for (int i = 0; i < 3; i++) {
        stepping run;
        stepping_start(&run, &s, stepping_solver("semi_implicit", options[i]), 1.0 / 30);
        tide_error error;
        tide_step step = {
            run.system, run.h, run.q, run.velocity, run.force, run.pinned, run.x, run.v, NULL, 0, 1, NULL
        };
        assert_fails(tide_solver_step(run.solver, &step, &run.report, &error), error, "is not positive definite");
        assert_int_equal(error.status, TIDE_ERROR_NUMERIC);
        assert_non_null(strstr(error.remedy, "definite = \"projected\""));
        assert_true(i == 1 || run.report.suspect < s.particle_count);
        stepping_end(&run);
    }
    stepping run;
    stepping_start(&run, &s, stepping_solver("semi_implicit", ""), 1.0 / 30);
    stepping_take(&run);
    assert_true(run.report.converged);
    stepping_end(&run);
    // Adaptive, the step is shortened until the masses outweigh the springs.
    stepping_start(&run, &s, stepping_solver("semi_implicit", "definite=none,adaptive=true"), 1.0 / 30);
    stepping_take(&run);
    assert_true(run.report.rejected > 0 && run.report.suspect == TIDE_NO_PARTICLE);
    stepping_end(&run);
}

static void test_conjugate_gradients_that_stop_early(void **state)
{
    (void)state;
    sample s = sample_cloth();
    stepping run;
    method_start(&run, &s, stepping_solver("semi_implicit", "cg_iterations=2,cg_tolerance=1e-9"), 1.0 / 30, 1);
    stepping_take(&run);
    assert_int_equal(run.report.linear_iterations, 2);
    assert_false(run.report.converged);
    assert_non_null(strstr(run.report.warning, "conjugate gradients stopped after 2 iterations"));
    stepping_end(&run);
}

static void test_what_every_method_must(void **state)
{
    (void)state;
    const char *const cholesky = "linear=cholesky,damping=rayleigh,damping.stiffness=0.01";
    method_check_momentum("semi_implicit", "cg_tolerance=1e-14", 1e-12);
    method_check_momentum("semi_implicit", "linear=cholesky", 1e-12);
    method_check_report("semi_implicit", "");
    method_check_reuse("semi_implicit", "");
    method_check_reuse("semi_implicit", cholesky);
    method_check_allocates_nothing("semi_implicit", "");
    method_check_allocates_nothing("semi_implicit", "adaptive=true");
    method_check_allocates_nothing("semi_implicit", cholesky);
    method_check_failing_allocations("semi_implicit", "");
    method_check_failing_allocations("semi_implicit", cholesky);
    method_check_threads("semi_implicit", "cg_iterations=10");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_it_is_the_dense_newton_step),
    cmocka_unit_test(test_a_linear_spring_decays_as_the_theory_says),
    cmocka_unit_test(test_its_order_is_one),
    cmocka_unit_test(test_adaptive_steps_are_rejected_and_recover),
    cmocka_unit_test(test_adaptive_steps_follow_the_rule),
    cmocka_unit_test(test_history),
    cmocka_unit_test(test_adaptive_gives_up_at_last),
    cmocka_unit_test(test_an_indefinite_matrix_is_an_error),
    cmocka_unit_test(test_conjugate_gradients_that_stop_early),
    cmocka_unit_test(test_what_every_method_must),
};
TIDE_TEST_SUITE(solver_semi_implicit, tests)
