// Strain limits: an energy that holds stretches s (a length relative to the length at rest) in [1 - c, 1 + a],
//
//     W(s) = k t^2 (g((s - 1 - a) / t) + g((1 - c - s) / t)),    g(r) = -r^2 ln(1 - r) for 0 < r <= 0.98, 0 for r <= 0,
//
// with a stiffness k and a tolerance t. W is 0 within the limits and twice continuously differentiable. As a
// logarithmic barrier it becomes 2600 times stiffer across the tolerance, so that a stretch ends within it; but it
// begins at the limit, not at infinity, and above r = 0.98 it continues as the parabola with the same value, slope and
// curvature. So every state has a finite energy and a force that leads back, and a step may start from a state that
// violates the limit, as the prediction of an implicit step does. A barrier that is infinite at the limit needs a
// feasible start, and a projection after the step (Goldenthal et al. 2007) changes energy and momentum that the solver
// does not know of; here each solver minimises one energy. A load of up to 55 k t is held within the tolerance.
//
// The constant matrix has the curvature of W at the middle of the tolerance, 6.4 k.
#ifndef TIDE_MODEL_STRAIN_LIMIT_H
#define TIDE_MODEL_STRAIN_LIMIT_H

#include "model/element.h"

#include "base/elementary.h"

#include <math.h>

#define TIDE_LIMIT_BOUND 6.4 // curvature of g in the middle

typedef struct tide_limit {
    double stretch, compression, tolerance; // a, c, t
} tide_limit;

// W / k and its derivatives.
typedef struct tide_limit_energy {
    double value, slope, curvature;
} tide_limit_energy;

static inline tide_limit_energy tide_limit_barrier(double r)
{
    if (!(r > 0))
        return (tide_limit_energy) { 0, 0, 0 };
    double at = r < 0.98 ? r : 0.98, beyond = r - at, left = 1 - at, logarithm = tide_ln(left);
    double value = -at * at * logarithm, slope = at * (at / left - 2 * logarithm);
    double curvature = at * (4 + at / left) / left - 2 * logarithm;
    return (tide_limit_energy) { value + beyond * (slope + curvature / 2 * beyond), slope + curvature * beyond,
                                 curvature };
}

static inline tide_limit_energy tide_limit_at(const tide_limit *limit, double s)
{
    double t = limit->tolerance;
    tide_limit_energy above = tide_limit_barrier((s - 1 - limit->stretch) / t);
    tide_limit_energy below = tide_limit_barrier((1 - limit->compression - s) / t);
    return (tide_limit_energy) { t * t * (above.value + below.value), t * (above.slope - below.slope),
                                 above.curvature + below.curvature };
}

// The last parameters of both kinds, and their fields from parameter `first` on.
enum { TIDE_LIMIT_STRETCH, TIDE_LIMIT_COMPRESSION, TIDE_LIMIT_TOLERANCE, TIDE_LIMIT_PARAMETERS };
#define TIDE_LIMIT_FIELDS(first)                                                                                       \
    TIDE_LAW_FIELD("stretch", (first) + TIDE_LIMIT_STRETCH, 0.1, 0, 1e6, "largest stretch; 0.1: 10 % longer"),         \
        TIDE_LAW_FIELD("compression", (first) + TIDE_LIMIT_COMPRESSION, 1, 0, 1,                                       \
                       "largest compression; 0.1: 10 % shorter; 1: no limit"),                                         \
        TIDE_LAW_FIELD("tolerance", (first) + TIDE_LIMIT_TOLERANCE, 0.002, 1e-6, 1,                                    \
                       "how far a stretch may exceed a limit")

static inline tide_limit tide_limit_of(const double *parameters, size_t count)
{
    return (tide_limit) { parameters[0], parameters[count], parameters[2 * count] };
}

extern const tide_element_kind tide_limit_tetrahedron, tide_limit_triangle, tide_limit_spring;

#endif
