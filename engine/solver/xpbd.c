// Position-based dynamics with compliance: each constraint has a multiplier lambda, 0 at the start of a step, and
//
//     dlambda = (-C - a lambda) / (w + a),    a = compliance / h^2      (Macklin 2016, eq. 18)
//
// so that its stiffness does not depend on the number of iterations. At convergence every constraint has C + a lambda =
// 0, as the minimiser of g does. But M (x - y) = sum grad C' dlambda uses the gradient of each increment's own time,
// where the minimiser uses that at x. The result differs from the minimiser by as much as springs turned during the
// iteration, and equals it where they do not turn.
//
// Few iterations leave momentum that springs should have stopped, which gains energy. The hippopotamus of
// scenes/table1/hippo.lua (13,135 springs, 1/30 s, 23.3 J at first, no contact) reaches 2,540 J with 10 iterations,
// 94 J with 100, and 57 J with 10 in steps of 1/150 s. The same happens to a stiff body that stops at a contact: a ball
// of 3e6 N/m that falls on a floor at 1/60 s with 2 J reaches 55,000 J with 10 iterations, 555 J with 500 and 1.98 J,
// as under newton, with 5,000.
#include "solver/position_based.h"

static const tide_field fields[] = { TIDE_POSITION_FIELDS, { 0 } };

// `memory` is lambda.
static double increment(const tide_position_based *run, double c, double w, double compliance, double *memory)
{
    double a = compliance / (run->h * run->h), change = (-c - a * *memory) / (w + a);
    *memory += change;
    return change;
}

static const tide_position_method method = { .increment = increment };

const tide_solver_kind tide_xpbd = {
    .name = "xpbd",
    .help = "position-based dynamics with compliance: stiffness in N/m that does not depend on iterations",
    .source = "Macklin et al. 2016, XPBD: position-based simulation of compliant constrained dynamics, eq. 17 and 18",
    TIDE_POSITION_FUNCTIONS,
};
