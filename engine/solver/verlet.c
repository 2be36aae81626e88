// Velocity Verlet, the form of the Stoermer-Verlet method that keeps velocities:
//
//     x+ = x + h v + h^2/2 a(x, v),   w = v + h a(x, v),   v+ = v + h/2 (a(x, v) + a(x+, w))
//
// The predicted velocity w differs from v+ by O(h^2) and replaces it in the damping force, so that damped motion is of
// order 2 too. The next substep uses the forces at x+.
#include "solver/explicit.h"

#include <string.h>

static void advance(tide_explicit *run, double h, double *x, double *v)
{
    double *a = tide_explicit_stage(run, 0), *predicted = tide_explicit_stage(run, 1);
    if (!run->evaluated)
        tide_explicit_evaluate(run, x);
    tide_explicit_accelerate(run, v, a);
    tide_explicit_add(run, h, v, x);
    tide_explicit_add(run, h * h / 2, a, x);
    tide_explicit_add(run, h / 2, a, v);
    memcpy(predicted, v, 3 * (size_t)run->particle_count * sizeof *v);
    tide_explicit_add(run, h / 2, a, predicted);
    tide_explicit_evaluate(run, x);
    tide_explicit_accelerate(run, predicted, a);
    tide_explicit_add(run, h / 2, a, v);
}

// With u = h v and the accelerations -Y x - X u: trace = 2 - Y - X + X^2/2 + X Y/4 and determinant = 1 - X + X^2/2 - X
// Y/4. Stable where determinant < 1, i.e. X < 2 + Y/2; 1 - trace + determinant = Y (1 - X/2) > 0, i.e. X < 2; and 1 +
// trace + determinant = 4 - 2 X + X^2 - Y > 0. So the largest stable Y is 4, at X = 0 and again at X = 2. The line from
// the origin to (2, 4) stays within the region, since 4 - 2 X + X^2 - Y = (Y - 4)^2 / 4 on it. The scheme uses the
// damped point, X = 2.
static double amplification(double X, double Y)
{
    return tide_spectral_radius(2 - Y - X + X * X / 2 + X * Y / 4, 1 - X + X * X / 2 - X * Y / 4);
}

// A filter with gain f makes the undamped trace (1 + f) (1 - Y/2) and the determinant f: the limit stays Y < 4 for any
// f.
static const tide_scheme scheme = { .y_max = 4, .x_max = 2, .stages = 2, .advance = advance };

const tide_solver_kind tide_verlet = {
    .name = "verlet",
    .help = "velocity Verlet, explicit, of order 2; conserves energy well",
    .source = "Ahmad et al. 2007, sec. 2 and eq. 11; largest stable substep: Shinya 2005, eq. 27",
    .order = 2,
    TIDE_EXPLICIT_FUNCTIONS,
};
