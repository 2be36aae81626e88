// The energy that a step adds to what it was given: a balance of the free particles, in J.
//
//     gain = max(0, T1 + E1 - (T0 + E0 + W)),    T = 1/2 v' M v of free particles, E the elastic energy
//
// T0 is taken at the damped velocities and E0 at the step's start with the rest lengths and anchors of the step. W is
// the most that the step may have been given from outside: the work of the external forces over the step's
// displacement, the work of pinned particles that move, and that of contacts (see tide_report.contact_work). The last
// two are bounds from above, so that a gain is never reported where there is none. Backward Euler, solved to its end,
// gains nothing where the elastic energy is convex.
#ifndef TIDE_SOLVER_ENERGY_GAIN_H
#define TIDE_SOLVER_ENERGY_GAIN_H

#include "solver/damping.h"
#include "solver/solver.h"

typedef struct tide_energy_balance {
    double kinetic, elastic; // T0 and E0
    double work;             // W
    double gain;             // 0 below what rounding hides
    bool material;           // more than TIDE_MATERIAL_GAIN of T0 + E0 + W, and more than the forces of one step give
} tide_energy_balance;

// A gain below this part of the energy at hand is of the order that a timestep may err by anyway. A gain below
// h^2/2 f' M^-1 f, the energy that a body at rest gets from the forces f of one step, is not material either.
#define TIDE_MATERIAL_GAIN 0.01

// Of a step with its results x and v. `elastic` is E at step->q, `elastic_after` at step->x; `damping` may be NULL.
tide_energy_balance tide_energy_balance_of(const tide_step *step, double elastic, double elastic_after,
                                           const tide_damping *damping, double contact_work);

#endif
