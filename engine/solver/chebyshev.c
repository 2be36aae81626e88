#include "solver/chebyshev.h"

#include "base/field.h"
#include "base/memory.h"

#include <string.h>

#define LARGEST_RHO 0.9999

tide_status tide_chebyshev_prepare(tide_chebyshev *chebyshev, const tide_system *system, tide_error *error)
{
    if (chebyshev->before && chebyshev->particle_count == system->particle_count)
        return TIDE_OK;
    tide_free(chebyshev->before);
    chebyshev->before = tide_allocate_zeroed(system->particle_count, 3 * sizeof *chebyshev->before);
    chebyshev->particle_count = system->particle_count;
    return chebyshev->before ? TIDE_OK : tide_fail_memory(error, "solver");
}

void tide_chebyshev_free(tide_chebyshev *chebyshev)
{
    tide_free(chebyshev->before);
    *chebyshev = (tide_chebyshev) { 0 };
}

void tide_chebyshev_begin(tide_chebyshev *chebyshev, double rho, uint32_t delay)
{
    chebyshev->rho = rho;
    chebyshev->delay = delay;
    chebyshev->iterations = chebyshev->since = 0;
    chebyshev->size = 0;
    chebyshev->omega = 1;
}

void tide_chebyshev_restart(tide_chebyshev *chebyshev)
{
    chebyshev->since = 0;
}

void tide_chebyshev_skip(tide_chebyshev *chebyshev, const double *x)
{
    memcpy(chebyshev->before, x, 3 * (size_t)chebyshev->particle_count * sizeof *x);
    chebyshev->since = 0;
}

// Returns w of this iteration; 1 means no acceleration.
static double weight(tide_chebyshev *chebyshev, double size)
{
    if (!tide_given(chebyshev->rho) && chebyshev->iterations == chebyshev->delay) {
        double ratio = fmin(size / chebyshev->size, 1);
        chebyshev->rho = fmin(2 * ratio / (1 + ratio * ratio), LARGEST_RHO);
    }
    if (chebyshev->iterations++ < chebyshev->delay)
        return 1;
    double square = chebyshev->rho * chebyshev->rho;
    return chebyshev->since++ == 0 ? 2 / (2 - square) : 4 / (4 - square * chebyshev->omega);
}

void tide_chebyshev_propose(tide_chebyshev *chebyshev, const tide_system *system, const double *x,
                            const double *gradient, const double *correction, double *next)
{
    double size = sqrt(tide_system_dot(system, gradient, correction));
    double omega = chebyshev->omega = weight(chebyshev, size);
    chebyshev->size = size;
    for (size_t i = 0; i < 3 * (size_t)chebyshev->particle_count; i++) {
        double plain = x[i] - correction[i];
        next[i] = omega == 1 ? plain : chebyshev->before[i] + omega * (plain - chebyshev->before[i]);
        chebyshev->before[i] = x[i];
    }
}
