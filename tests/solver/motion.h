// Samples in motion, and an independent integrator of their equations (Runge-Kutta 4, with its own formulas).
#ifndef TIDE_TESTS_MOTION_H
#define TIDE_TESTS_MOTION_H

#include "solver/damping.h"
#include "stepping.h"

#include <stdio.h>

static inline void motion_start(stepping *run, const sample *s, tide_solver *solver, double h, uint64_t seed)
{
    stepping_start_moving(run, s, solver, h, 0.02, seed);
}

// Acceleration without gravity and drag's place in it.
static inline void motion_forces(const sample *s, const tide_damping *damping, const double *x, const double *v,
                                 double *force)
{
    for (uint32_t i = 0; i < 3 * s->particle_count; i++)
        force[i] = damping->model == TIDE_DAMPING_NONE ? 0 : -damping->mass * s->masses[i / 3] * v[i];
    for (uint32_t e = 0; e < s->spring_count; e++) {
        const sample_spring *spring = &s->springs[e];
        uint32_t i = 3 * spring->i, j = 3 * spring->j;
        double l = sample_distance(x, spring->i, spring->j), along = 0, across = fmax(0, 1 - spring->rest_length / l);
        for (uint32_t k = 0; k < 3; k++)
            along += (x[i + k] - x[j + k]) / l * (v[i + k] - v[j + k]);
        for (uint32_t k = 0; k < 3; k++) {
            double n = (x[i + k] - x[j + k]) / l, pull = (l - spring->rest_length) * n, dv = v[i + k] - v[j + k];
            if (damping->model == TIDE_DAMPING_SPRINGS)
                pull += damping->stiffness * dv;
            if (damping->model == TIDE_DAMPING_RAYLEIGH)
                pull += damping->stiffness * (along * n + across * (dv - along * n));
            force[i + k] -= spring->stiffness * pull;
            force[j + k] += spring->stiffness * pull;
        }
    }
}

// From x, v over `time` in `steps`, under gravity; pinned particles stay. x and v come out.
static inline void motion_integrate(const sample *s, const tide_damping *damping, double gravity, double time,
                                    uint32_t steps, double *x, double *v)
{
    static const double nodes[4] = { 0, 0.5, 0.5, 1 }, weights[4] = { 1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6 };
    uint32_t size = 3 * s->particle_count;
    double h = time / steps, force[STEPPING_NUMBERS], kx[STEPPING_NUMBERS], kv[STEPPING_NUMBERS];
    double sx[STEPPING_NUMBERS], sv[STEPPING_NUMBERS], at[STEPPING_NUMBERS], velocity[STEPPING_NUMBERS];
    for (uint32_t n = 0; n < steps; n++) {
        memset(sx, 0, sizeof sx);
        memset(sv, 0, sizeof sv);
        for (int stage = 0; stage < 4; stage++) {
            for (uint32_t i = 0; i < size; i++) {
                at[i] = x[i] + (stage ? nodes[stage] * h * kx[i] : 0);
                velocity[i] = v[i] + (stage ? nodes[stage] * h * kv[i] : 0);
            }
            motion_forces(s, damping, at, velocity, force);
            for (uint32_t i = 0; i < size; i++) {
                kx[i] = velocity[i];
                kv[i] = s->pinned[i / 3] ? 0 : force[i] / s->masses[i / 3] + (i % 3 == 1 ? gravity : 0);
                sx[i] += weights[stage] * kx[i];
                sv[i] += weights[stage] * kv[i];
            }
        }
        for (uint32_t i = 0; i < size; i++) {
            x[i] += h * sx[i];
            v[i] += h * sv[i];
        }
    }
}

// One particle on a spring, swinging stretched.
static inline sample motion_pendulum(void)
{
    sample s = { .name = "pendulum" };
    sample_particle(&s, 1, 0, 0, 0);
    sample_particle(&s, 1, 0.9, -0.5, 0.1);
    s.springs[s.spring_count++] = (sample_spring) { 0, 1, 200, 1 };
    s.pinned[0] = true;
    return s;
}

// A hanging chain, stretched.
static inline sample motion_stiff_chain(void)
{
    sample s = { .name = "stiff chain" };
    for (uint32_t i = 0; i < 6; i++) {
        sample_particle(&s, 0.1, 0.03 * i, -0.22 * i, 0.01 * i * i);
        if (i)
            s.springs[s.spring_count++] = (sample_spring) { i - 1, i, 2000, 0.2 };
    }
    s.pinned[0] = true;
    return s;
}

static inline double motion_error(const sample *s, const char *name, const char *options, double time, uint32_t steps,
                                  const double *x)
{
    stepping run;
    stepping_start(&run, s, stepping_solver(name, options), time / steps);
    for (uint32_t n = 0; n < steps; n++) {
        stepping_take(&run);
        assert_true(run.report.converged);
        stepping_go_on(&run);
    }
    double error = 0;
    for (uint32_t i = 0; i < 3 * s->particle_count; i++)
        error = fmax(error, fabs(run.x[i] - x[i]));
    stepping_end(&run);
    return error;
}

// The order of accuracy that halving h shows, on the pendulum and on a stiff chain, without and with damping.
static inline void motion_assert_order(const char *name, double order, double margin)
{
    const struct {
        const char *options;
        tide_damping damping;
    } cases[] = {
        { "", { 0 } },
        { "damping=rayleigh,damping.mass=0.5,damping.stiffness=0.002", { TIDE_DAMPING_RAYLEIGH, 0.5, 0.002 } },
        { "damping=springs,damping.mass=0.5,damping.stiffness=0.002", { TIDE_DAMPING_SPRINGS, 0.5, 0.002 } }
    };
    for (int stiff = 0; stiff < 2; stiff++)
        for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
            sample s = stiff ? motion_stiff_chain() : motion_pendulum();
            double x[STEPPING_NUMBERS], v[STEPPING_NUMBERS] = { 0 }, time = stiff ? 0.2 : 0.5;
            memcpy(x, s.x, sizeof x);
            motion_integrate(&s, &cases[c].damping, -9.81, time, 4000, x, v);
            char options[160];
            snprintf(options, sizeof options, "tolerance=1e-12,iterations=50%s%s", c ? "," : "", cases[c].options);
            uint32_t steps = order < 1.5 ? 1600 : 400;
            double coarse = motion_error(&s, name, options, time, steps, x);
            double fine = motion_error(&s, name, options, time, 2 * steps, x);
            double measured = log2(coarse / fine);
            if (!(fabs(measured - order) < margin))
                fail_msg("%s on the %s, %s: order %.3f (errors %g, %g)", name, s.name, cases[c].options, measured,
                         coarse, fine);
        }
}

// The largest |eigenvalue| of a step on a particle on an anchor, x'' = -k x - d x', from how the oscillation grows.
static inline double motion_amplification(const char *name, const char *options, double X, double Y)
{
    sample s = { .name = "oscillator", .anchor_count = 1, .anchors = { { .i = 0, .stiffness = 1 } } };
    double h = sqrt(Y), largest[2] = { 0 };
    sample_particle(&s, 1, 1, 0.3, 0);
    char text[160];
    snprintf(text, sizeof text, "%s,damping=rayleigh,damping.mass=%.17g", options, X / h);
    stepping run;
    stepping_start(&run, &s, stepping_solver(name, text), h);
    memset(run.force, 0, sizeof run.force);
    for (int n = 0; n < 600; n++) {
        stepping_take(&run);
        stepping_go_on(&run);
        if (n % 400 >= 100 && n % 400 < 200)
            largest[n / 400] = fmax(largest[n / 400], hypot(run.x[0], h * run.v[0]));
    }
    stepping_end(&run);
    return pow(largest[1] / largest[0], 1.0 / 400);
}

// Against the closed form that the method's kind tells.
static inline void motion_assert_amplification(const char *name, const char *options)
{
    static const double X[] = { 0, 0.02, 0.1, 0.5 }, Y[] = { 1e-3, 0.02, 0.3 };
    tide_error error;
    const tide_solver_kind *kind = tide_solver_kind_find(name, &error);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 3; j++) {
            double theory = kind->amplification(X[i], Y[j]), measured = motion_amplification(name, options, X[i], Y[j]);
            if (!(fabs(measured - theory) < 2e-3 * theory))
                fail_msg("%s at X = %g, Y = %g: %.8f, and in theory %.8f", name, X[i], Y[j], measured, theory);
        }
    for (double k = 1e-3; k < 1e9; k *= 10)
        for (double d = 1e-3; d < 1e6; d *= 10)
            assert_true(kind->amplification(d, k) < 1 + 1e-12 && kind->amplification(0, k) < 1 + 1e-12);
}

#endif
