// Checks of methods that descend on g, and their mathematics by dense algebra.
#ifndef TIDE_TESTS_DESCENT_H
#define TIDE_TESTS_DESCENT_H

#include "method_checks.h"
#include "motion.h"
#include "newton.h"

// Iterated to the end it is the minimiser that dense Newton finds.
static inline void descent_check_minimum(const char *name, const char *options)
{
    for (int index = 0; index < STEPPING_SAMPLES; index++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            sample s = stepping_sample(index);
            stepping run;
            method_start(&run, &s, stepping_solver(name, options), 1.0 / 30, seed);
            stepping_take(&run);
            assert_true(run.report.converged);
            double y[STEPPING_NUMBERS], x[STEPPING_NUMBERS], size = 0;
            stepping_predict(&run, &s, y);
            memcpy(x, y, sizeof x);
            newton n = { &s, run.h, y };
            assert_true(newton_minimise(&n, x) < 1e-12);
            for (uint32_t i = 0; i < 3 * s.particle_count; i++)
                size = fmax(size, fabs(x[i] - run.q[i]));
            for (uint32_t i = 0; i < 3 * s.particle_count; i++) {
                assert_near(run.x[i], x[i], 1e-8 * size);
                if (s.pinned[i / 3])
                    assert_true(run.x[i] == run.pinned[i]);
            }
            assert_near(run.report.g, newton_objective(&n, x), 1e-8 * newton_objective(&n, x));
            stepping_end(&run);
        }
}

// The result of `count` iterations of 1 / 20 s; g of it.
static inline double descent_after(const char *name, const char *options, const sample *s, uint64_t seed, int count,
                                   double *x)
{
    char text[200];
    stepping run;
    snprintf(text, sizeof text, "iterations=%d%s%s", count, *options ? "," : "", options);
    method_start(&run, s, stepping_solver(name, text), 0.05, seed);
    stepping_take(&run);
    if (x)
        memcpy(x, run.x, sizeof run.x);
    double g = run.report.g;
    stepping_end(&run);
    return g;
}

static inline void descent_check_monotone(const char *name, const char *options)
{
    for (int index = 0; index < STEPPING_SAMPLES; index++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            sample s = stepping_sample(index);
            double before = INFINITY;
            for (int count = 1; count <= 40; count++) {
                double g = descent_after(name, options, &s, seed, count, NULL);
                assert_true(g <= before + 1e-13 * fabs(g));
                before = g;
            }
        }
}

// A cloth that is stiff for its timestep, seen from the flat.
static inline sample descent_stiff_cloth(void)
{
    sample s = sample_cloth();
    for (uint32_t e = 0; e < s.spring_count; e++)
        s.springs[e].stiffness *= 100;
    return s;
}

// Returns the iterations until (g - g(x*)) / (g(y) - g(x*)) is below `error` (Liu 2013, eq. 15).
static inline uint32_t descent_iterations(const char *name, const char *options, double error)
{
    sample s = descent_stiff_cloth();
    stepping run;
    double y[STEPPING_NUMBERS];
    method_start(&run, &s, stepping_solver("newton", "tolerance=1e-13,iterations=200"), 0.05, 1);
    stepping_predict(&run, &s, y);
    stepping_take(&run);
    double least = run.report.g, most = tide_system_objective(run.system, run.h, y, y);
    stepping_end(&run);
    uint32_t low = 0, high = 1;
    while ((descent_after(name, options, &s, 1, (int)high, NULL) - least) / (most - least) > error) {
        low = high;
        high *= 2;
        assert_true(high < 100000);
    }
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        bool there = (descent_after(name, options, &s, 1, (int)middle, NULL) - least) / (most - least) <= error;
        *(there ? &high : &low) = middle;
    }
    return high;
}

// A = M + h^2 L over all coordinates by particle, pinned rows and columns of the unit matrix; out = A^-1 gradient.
static inline void descent_solve(const sample *s, double h, const double *gradient, double *out)
{
    static double a[SAMPLE_PARTICLES * SAMPLE_PARTICLES], copy[SAMPLE_PARTICLES * SAMPLE_PARTICLES];
    uint32_t n = s->particle_count;
    memset(a, 0, sizeof a);
    for (uint32_t p = 0; p < n; p++)
        a[p * n + p] = s->masses[p];
    for (uint32_t e = 0; e < s->spring_count; e++) {
        uint32_t i = s->springs[e].i, j = s->springs[e].j;
        double k = h * h * s->springs[e].stiffness;
        a[i * n + i] += k;
        a[j * n + j] += k;
        a[i * n + j] -= k;
        a[j * n + i] -= k;
    }
    for (uint32_t b = 0; b < s->anchor_count; b++)
        a[s->anchors[b].i * (n + 1)] += h * h * s->anchors[b].stiffness;
    for (uint32_t p = 0; p < n; p++)
        if (s->pinned[p])
            for (uint32_t q = 0; q < n; q++)
                a[p * n + q] = a[q * n + p] = p == q;
    for (uint32_t c = 0; c < 3; c++) {
        double rhs[SAMPLE_PARTICLES];
        for (uint32_t p = 0; p < n; p++)
            rhs[p] = gradient[3 * p + c];
        memcpy(copy, a, sizeof copy);
        assert_true(dense_solve(n, copy, rhs));
        for (uint32_t p = 0; p < n; p++)
            out[3 * p + c] = rhs[p];
    }
}

static inline double descent_dot(const sample *s, const double *a, const double *b)
{
    double sum = 0;
    for (uint32_t i = 0; i < 3 * s->particle_count; i++)
        sum += a[i] * b[i];
    return sum;
}

// The positions and gradients of the first `count` iterates from y on.
enum { DESCENT_ITERATES = 8 };
typedef struct descent_path {
    double x[DESCENT_ITERATES][STEPPING_NUMBERS], gradient[DESCENT_ITERATES][STEPPING_NUMBERS];
} descent_path;

static inline void descent_follow(descent_path *path, const char *name, const char *options, const sample *s,
                                  uint64_t seed)
{
    static double hessian[NEWTON_MAX * NEWTON_MAX];
    stepping run;
    double y[STEPPING_NUMBERS];
    method_start(&run, s, stepping_solver(name, options), 0.05, seed);
    stepping_predict(&run, s, y);
    stepping_end(&run);
    memcpy(path->x[0], y, sizeof y);
    newton n = { s, 0.05, y };
    char from_y[160];
    snprintf(from_y, sizeof from_y, "start=prediction%s%s", *options ? "," : "", options);
    for (int k = 0; k < DESCENT_ITERATES; k++) {
        if (k)
            descent_after(name, from_y, s, seed, k, path->x[k]);
        newton_derivatives(&n, path->x[k], path->gradient[k], hessian);
    }
}

// Whether x[k + 1] - x[k] goes along d; returns the length.
static inline double descent_assert_along(const descent_path *path, int k, const sample *s, const double *d)
{
    double moved[STEPPING_NUMBERS];
    for (uint32_t i = 0; i < 3 * s->particle_count; i++)
        moved[i] = path->x[k + 1][i] - path->x[k][i];
    double length = descent_dot(s, moved, d) / descent_dot(s, d, d);
    assert_true(length > 0);
    for (uint32_t i = 0; i < 3 * s->particle_count; i++)
        assert_near(moved[i], length * d[i], 1e-8 * sqrt(descent_dot(s, moved, moved)) + 1e-13);
    return length;
}

// The first step is local/global's from q + h v where g is lower than at y, and else from y; the report knows y's norm.
static inline void descent_check_start(const char *name, const char *options)
{
    static double hessian[NEWTON_MAX * NEWTON_MAX];
    int counts[2] = { 0 };
    for (uint64_t seed = 0; seed < 20; seed++) {
        sample s = sample_cloth();
        stepping run;
        char text[100];
        snprintf(text, sizeof text, "solve=double,iterations=1%s%s", *options ? "," : "", options);
        method_start(&run, &s, stepping_solver(name, text), 0.05, seed);
        for (uint32_t p = 0; p < s.particle_count; p++)
            run.force[3 * p + 1] -= (double)(seed % 5) * 20 * s.masses[p];
        stepping_take(&run);
        double y[STEPPING_NUMBERS], x[STEPPING_NUMBERS], gradient[STEPPING_NUMBERS], d[STEPPING_NUMBERS];
        stepping_predict(&run, &s, y);
        newton n = { &s, run.h, y };
        newton_derivatives(&n, y, gradient, hessian);
        assert_near(run.report.initial_gradient_norm, sqrt(descent_dot(&s, gradient, gradient)),
                    1e-12 * run.report.initial_gradient_norm);
        memcpy(x, y, sizeof x);
        for (uint32_t i = 0; i < 3 * s.particle_count; i++)
            if (!s.pinned[i / 3])
                x[i] = run.q[i] + run.h * run.velocity[i];
        bool coasts = newton_objective(&n, x) < newton_objective(&n, y);
        counts[coasts]++;
        const double *from = coasts ? x : y;
        newton_derivatives(&n, from, gradient, hessian);
        descent_solve(&s, run.h, gradient, d);
        for (uint32_t i = 0; i < 3 * s.particle_count; i++)
            assert_near(run.x[i], from[i] - d[i], 1e-12);
        stepping_end(&run);
    }
    assert_true(counts[0] > 0 && counts[1] > 0);
}

// Stops at its tolerance, keeps one factor and no history, and ends at once where g is not finite.
static inline void descent_check_tolerance(const char *name)
{
    sample s = sample_graph(1);
    stepping run;
    method_start(&run, &s, stepping_solver(name, "tolerance=0.01,iterations=100"), 1.0 / 30, 9);
    stepping_take(&run);
    assert_true(run.report.converged && run.report.iterations >= 1 && run.report.iterations < 100);
    assert_true(run.report.gradient_norm <= 0.01 * run.report.initial_gradient_norm);
    assert_int_equal(tide_solver_describe(run.solver).factorizations, 1);
    assert_int_equal(tide_solver_history_size(run.solver), 0);
    stepping_end(&run);
    method_start(&run, &s, stepping_solver(name, ""), 1.0 / 30, 9);
    run.velocity[0] = NAN;
    stepping_take(&run);
    assert_true(run.report.iterations == 0 && isnan(run.x[0]) && !run.report.converged);
    stepping_end(&run);
}

static inline void descent_check_like_every_method(const char *name)
{
    method_check_momentum(name, "", 1e-12);
    method_check_momentum(name, "damping=rayleigh,damping.stiffness=0.01", 1e-12);
    method_check_allocates_nothing(name, "");
    method_check_threads(name, "iterations=4");
    method_check_failing_allocations(name, "");
    method_check_reuse(name, "");
    method_check_report(name, "");
    motion_assert_order(name, 1, 0.1);
    motion_assert_amplification(name, "tolerance=1e-12,iterations=50");
}

#endif
