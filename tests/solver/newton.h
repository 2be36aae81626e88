// An independent minimiser of g(x) = 1/2 (x - y)' M (x - y) + h^2 E(x): Newton's method with dense matrices and a line
// search, with its own formulas for springs and anchors. Shares nothing with the engine but the sample's lists.
#ifndef TIDE_TESTS_NEWTON_H
#define TIDE_TESTS_NEWTON_H

#include "../model/samples.h"

enum { NEWTON_MAX = 3 * 40 };

typedef struct newton {
    const sample *s;
    double h;
    const double *y;
} newton;

static inline double newton_objective(const newton *n, const double *x)
{
    const sample *s = n->s;
    double inertia = 0, energy = 0;
    for (uint32_t i = 0; i < 3 * s->particle_count; i++)
        if (!s->pinned[i / 3])
            inertia += 0.5 * s->masses[i / 3] * (x[i] - n->y[i]) * (x[i] - n->y[i]);
    for (uint32_t e = 0; e < s->spring_count; e++) {
        double stretch = sample_distance(x, s->springs[e].i, s->springs[e].j) - s->springs[e].rest_length;
        energy += 0.5 * s->springs[e].stiffness * stretch * stretch;
    }
    for (uint32_t a = 0; a < s->anchor_count; a++)
        for (uint32_t k = 0; k < 3; k++) {
            double off = x[3 * s->anchors[a].i + k] - s->anchors[a].at[k];
            energy += 0.5 * s->anchors[a].stiffness * off * off;
        }
    return inertia + n->h * n->h * energy;
}

// Gradient and Hessian over all coordinates; those of pinned particles get gradient 0 and a unit diagonal.
static inline void newton_derivatives(const newton *n, const double *x, double *gradient, double *hessian)
{
    const sample *s = n->s;
    uint32_t size = 3 * s->particle_count;
    double hh = n->h * n->h;
    memset(hessian, 0, (size_t)size * size * sizeof *hessian);
    for (uint32_t i = 0; i < size; i++) {
        gradient[i] = s->masses[i / 3] * (x[i] - n->y[i]);
        hessian[i * size + i] = s->masses[i / 3];
    }
    for (uint32_t e = 0; e < s->spring_count; e++) {
        uint32_t i = 3 * s->springs[e].i, j = 3 * s->springs[e].j;
        double k = hh * s->springs[e].stiffness, r = s->springs[e].rest_length;
        double l = sample_distance(x, i / 3, j / 3), d[3] = { x[j] - x[i], x[j + 1] - x[i + 1], x[j + 2] - x[i + 2] };
        for (uint32_t a = 0; a < 3; a++) {
            double pull = k * (l - r) * d[a] / l;
            gradient[i + a] -= pull;
            gradient[j + a] += pull;
            for (uint32_t b = 0; b < 3; b++) {
                double entry = k * r * d[a] * d[b] / (l * l * l) + (a == b ? k - k * r / l : 0);
                hessian[(i + a) * size + i + b] += entry;
                hessian[(j + a) * size + j + b] += entry;
                hessian[(i + a) * size + j + b] -= entry;
                hessian[(j + a) * size + i + b] -= entry;
            }
        }
    }
    for (uint32_t a = 0; a < s->anchor_count; a++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t i = 3 * s->anchors[a].i + k;
            gradient[i] += hh * s->anchors[a].stiffness * (x[i] - s->anchors[a].at[k]);
            hessian[i * size + i] += hh * s->anchors[a].stiffness;
        }
    for (uint32_t i = 0; i < size; i++)
        if (s->pinned[i / 3]) {
            for (uint32_t j = 0; j < size; j++)
                hessian[i * size + j] = hessian[j * size + i] = i == j;
            gradient[i] = 0;
        }
}

static inline double newton_length(uint32_t size, const double *a)
{
    double sum = 0;
    for (uint32_t i = 0; i < size; i++)
        sum += a[i] * a[i];
    return sqrt(sum);
}

// Minimises from x; returns the gradient's norm at the result.
static inline double newton_minimise(const newton *n, double *x)
{
    static double hessian[NEWTON_MAX * NEWTON_MAX], factored[NEWTON_MAX * NEWTON_MAX];
    double gradient[NEWTON_MAX], direction[NEWTON_MAX], trial[NEWTON_MAX];
    uint32_t size = 3 * n->s->particle_count;
    assert_true(size <= NEWTON_MAX);
    double norm = INFINITY;
    for (int iteration = 0; iteration < 200; iteration++) {
        newton_derivatives(n, x, gradient, hessian);
        norm = newton_length(size, gradient);
        if (norm < 1e-14)
            break;
        for (double shift = 0;; shift = shift == 0 ? 1e-6 : 10 * shift) {
            memcpy(factored, hessian, sizeof factored);
            for (uint32_t i = 0; i < size; i++)
                factored[i * size + i] += shift;
            memcpy(direction, gradient, sizeof direction);
            if (dense_cholesky_solve(size, factored, direction))
                break;
        }
        double slope = 0, before = newton_objective(n, x), length = 1;
        for (uint32_t i = 0; i < size; i++)
            slope += gradient[i] * direction[i];
        for (; length > 1e-10; length /= 2) {
            for (uint32_t i = 0; i < size; i++)
                trial[i] = x[i] - length * direction[i];
            // This near to the minimum, differences of g are rounding errors, and full steps converge.
            if (norm < 1e-7 || newton_objective(n, trial) <= before - 1e-4 * length * slope)
                break;
        }
        memcpy(x, trial, size * sizeof *x);
    }
    return norm;
}

#endif
