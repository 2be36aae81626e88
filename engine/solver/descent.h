// What the descent methods on the objective of backward Euler share (lbfgs, nonlinear_cg): the objective, the global
// step that preconditions them, the line search, and the loop over directions. A method's state begins with this.
#ifndef TIDE_SOLVER_DESCENT_H
#define TIDE_SOLVER_DESCENT_H

#include "solver/global_step.h"
#include "solver/line_search.h"

// At the head of the options of such a method.
typedef struct tide_descent_options {
    tide_solver_common common;
    int iterations;
    double tolerance;
    int start;
    tide_solve_options solve;
    tide_damping damping;
} tide_descent_options;

typedef struct tide_descent {
    tide_objective objective;
    tide_global_step global;
    tide_line_search search;
    double *direction; // (3 * particle_count)
    bool in_contact;   // contacts have moved x since the last move
    uint32_t particle_count;
} tide_descent;

// A method: what its kind's `context` points to.
typedef struct tide_descent_method {
    // Makes `direction` from the gradient in `search`.
    tide_status (*find_direction)(tide_descent *descent, tide_report *report, tide_error *error);
    // Moves along it by the line search; false when that leads nowhere.
    bool (*move)(tide_descent *descent);
    // Forgets earlier iterations, so that the next direction is local/global's; false when there are none.
    bool (*forget)(tide_descent *descent);
    bool forgets_at_contact; // what it has learnt is of the gradients' values, which contacts change
    // Otherwise: learns what it has not yet learnt of the last move, before contacts make the gradient another.
    tide_status (*keep)(tide_descent *descent, tide_report *report, tide_error *error);
} tide_descent_method;

// To be called by the method's prepare, after it has made what is its own.
tide_status tide_descent_prepare(tide_solver *solver, const tide_system *system, double h, uint32_t *bad_particle,
                                 tide_error *error);
// The functions of a kind of this family; a method with arrays of its own frees them and then calls the first.
void tide_descent_destroy(tide_solver *solver);
tide_status tide_descent_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error);
tide_cholesky_info tide_descent_describe(const tide_solver *solver);

#endif
