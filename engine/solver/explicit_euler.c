// Forward Euler: positions and velocities advance with their rates at the start of the substep. Without damping, every
// substep adds energy: |eigenvalue|^2 = 1 + Y.
#include "solver/explicit.h"

static void advance(tide_explicit *run, double h, double *x, double *v)
{
    double *a = tide_explicit_stage(run, 0);
    tide_explicit_acceleration(run, x, v, a);
    tide_explicit_add(run, h, v, x);
    tide_explicit_add(run, h, a, v);
}

// Shinya eq. 15 and 22 to 24: stable where Y < X and Y > 2 X - 4; these boundaries meet at (4, 4).
static double amplification(double X, double Y)
{
    return tide_exponential_radius(X, Y, 1);
}

static const tide_scheme scheme = { .y_max = 4, .x_max = 4, .stages = 1, .advance = advance, .grows_undamped = true };

const tide_solver_kind tide_explicit_euler = {
    .name = "explicit_euler",
    .help = "forward Euler, explicit, of order 1; gains energy at every substep unless it is damped",
    .source = "Shinya 2005: eq. 10 to 15; damping: eq. 30",
    .order = 1,
    TIDE_EXPLICIT_FUNCTIONS,
};
