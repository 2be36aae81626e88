// Position-based dynamics. A constraint of stiffness s in [0, 1] loses the fraction s of its violation in a step; each
// of n iterations removes s' = 1 - (1 - s)^(1/n) of it (Mueller 2007, sec. 3.3):
//
//     dlambda = -s' C / w
//
// "auto" gives each constraint the fraction that it would lose in a backward Euler step if it were alone, s = w /
// (w + a) with a = compliance / h^2. w is that at the predicted positions. Coupled springs come out softer: a
// correction of one is partly undone by the next. In the limit of many iterations, where all are corrected
// simultaneously in small amounts, a spring whose stretch is sustained by its neighbours pulls with a' = w /
// log(1 + w / a), which is above a.
//
// The hippopotamus of scenes/table1/hippo.lua (13,135 springs, 1/30 s, 23.3 J at first, no contact) gains energy as
// under xpbd: 5,850 J with 10 iterations, 3,950 J with 100 (a spring never takes more than its fraction in a step), and
// 134 J with 10 in steps of 1/150 s. More iterations do not help stiff bodies: a ball of 3e6 N/m that falls on a floor
// at 1/60 s with 2 J reaches 34,000 J with 10 and 22,000 J with 5,000 (1.98 J under xpbd then). Turning freely at 20
// rad/s it goes from 0.56 to 57 J with 10, and to 20 J with 500. Smaller steps or xpbd are the remedies.
#include "solver/position_based.h"

#include "base/elementary.h"

static const tide_field fields[] = {
    TIDE_POSITION_FIELDS,
    { TIDE_MEMBER(tide_position_options, stiffness), .type = TIDE_FIELD_REAL, .word = "auto", .minimum = 0,
      .maximum = 1,
      .help =
          "fraction of its stretch that each spring loses in a timestep; \"auto\": derived from its stiffness in N/m" },
    { 0 },
};

// `memory` is s'. A constraint with s' = 0 moves nothing, so recomputing it is harmless.
static double increment(const tide_position_based *run, double c, double w, double compliance, double *memory)
{
    if (*memory == 0) {
        const tide_position_options *o = run->options;
        double share = tide_given(o->stiffness) ? o->stiffness : w / (w + compliance / (run->h * run->h));
        *memory = -tide_expm1(tide_log1p(-share) / o->iterations);
    }
    return -*memory * c / w;
}

static const tide_position_method method = { .increment = increment };

const tide_solver_kind tide_pbd = {
    .name = "pbd",
    .help = "position-based dynamics: projects springs one after another; stable; stiffness in N/m holds only "
            "approximately",
    .source = "Mueller et al. 2007, Position based dynamics: eq. 8 to 11, sec. 3.3",
    TIDE_POSITION_FUNCTIONS,
};
