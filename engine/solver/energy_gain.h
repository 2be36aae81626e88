// The energy that the numerical error of a step adds: an energy balance of the free particles, in J.
//
//     gain = max(0, T1 + E1 - (T0 + E0 + W)),    T = 1/2 v' M v of free particles, E the elastic energy
//
// T0 is evaluated at the damped velocities. E0 is evaluated at the start of the step with the step's rest lengths and
// anchors. W is an upper bound of the energy that enters from outside: the work of the external forces over the step's
// displacement, of moving pinned particles, and of contacts (tide_report.contact_work). The last two are upper bounds,
// so that a gain is never reported where there is none. Backward Euler, solved to convergence, gains nothing where the
// elastic energy is convex.
#ifndef TIDE_SOLVER_ENERGY_GAIN_H
#define TIDE_SOLVER_ENERGY_GAIN_H

#include "solver/damping.h"
#include "solver/solver.h"

typedef struct tide_energy_balance {
    double kinetic, elastic; // T0 and E0
    double work;             // W
    double gain;             // 0 when it is below rounding
    bool material;           // larger than TIDE_MATERIAL_GAIN of T0 + E0 + W, and than the energy that the forces give
                             // within one step
} tide_energy_balance;

// A gain is material above this fraction of the available energy; smaller ones are within the usual timestep error. It
// must also exceed h^2/2 f' M^-1 f, the energy that a body at rest gets from the forces f within one step.
#define TIDE_MATERIAL_GAIN 0.01

// Computes the balance of a step from its results x and v. `elastic` is E at step->q, `elastic_after` E at step->x;
// `damping` may be NULL.
tide_energy_balance tide_energy_balance_of(const tide_step *step, double elastic, double elastic_after,
                                           const tide_damping *damping, double contact_work);

#endif
