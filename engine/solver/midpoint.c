// The explicit midpoint rule, Runge-Kutta of order 2: the substep advances with the rates in its middle. Without
// damping, every substep adds a little energy: |eigenvalue|^2 = 1 + Y^2 / 4.
#include "solver/explicit.h"

#include <string.h>

static void advance(tide_explicit *run, double h, double *x, double *v)
{
    size_t size = 3 * (size_t)run->particle_count * sizeof *x;
    double *a = tide_explicit_stage(run, 0), *xm = tide_explicit_stage(run, 1), *vm = tide_explicit_stage(run, 2);
    tide_explicit_acceleration(run, x, v, a);
    memcpy(xm, x, size);
    memcpy(vm, v, size);
    tide_explicit_add(run, h / 2, v, xm);
    tide_explicit_add(run, h / 2, a, vm);
    tide_explicit_acceleration(run, xm, vm, a);
    tide_explicit_add(run, h, vm, x);
    tide_explicit_add(run, h, a, v);
}

// Shinya eq. 18. The boundary of the stable region is 1 + z + z^2/2 = exp(i t), with Y = |z|^2 and X = -2 Re z. On it Y
// is largest at X = 2 + sqrt(2), where it is 2 + 2 sqrt(2).
static double amplification(double X, double Y)
{
    return tide_exponential_radius(X, Y, 2);
}

static const tide_scheme scheme = {
    .y_max = 4.82842712, .x_max = 3.41421356, .stages = 3, .advance = advance, .grows_undamped = true
};

const tide_solver_kind tide_midpoint = {
    .name = "midpoint",
    .help = "explicit midpoint rule (Runge-Kutta of order 2); gains energy slowly unless it is damped",
    .source = "Shinya 2005: eq. 18; damping: eq. 30",
    .order = 2,
    TIDE_EXPLICIT_FUNCTIONS,
};
