// Symplectic Euler, also called semi-implicit or forward-backward Euler: the new velocity moves the positions. Without
// damping, energy stays bounded while the substep is below 2 / sqrt(k0).
#include "solver/explicit.h"

static void advance(tide_explicit *run, double h, double *x, double *v)
{
    double *a = tide_explicit_stage(run, 0);
    tide_explicit_acceleration(run, x, v, a);
    tide_explicit_add(run, h, a, v);
    tide_explicit_filter(run, v);
    tide_explicit_add(run, h, v, x);
}

// With u = h v: u+ = (1 - X) u - Y x and x+ = x + u+, so trace = 2 - X - Y and determinant = 1 - X. Both roots of z^2 -
// trace z + determinant lie within the unit circle where |determinant| < 1, i.e. 0 < X < 2, and 1 +- trace +
// determinant > 0, i.e. Y > 0 and Y < 4 - 2 X. So the largest stable Y is 4, at X = 0: explicit damping only shortens
// the substep, and automatic damping is the given d0 alone.
static double amplification(double X, double Y)
{
    return tide_spectral_radius(2 - X - Y, 1 - X);
}

static const tide_scheme scheme = { .y_max = 4, .x_max = 0, .stages = 1, .advance = advance, .filters_itself = true };

const tide_solver_kind tide_symplectic_euler = {
    .name = "symplectic_euler",
    .help = "symplectic Euler, explicit, of order 1; cheap, conserves energy well, diverges if the substep is too long",
    .source = "Ahmad et al. 2007: eq. 3 with the new velocity (forward-backward Euler); largest stable substep: "
              "Shinya 2005, eq. 27",
    .order = 1,
    TIDE_EXPLICIT_FUNCTIONS,
};
