// Common parts of the descent methods for the objective of backward Euler (lbfgs, nonlinear_cg): the objective, the
// global step as preconditioner, the line search, and the loop over directions. A method's state begins with
// tide_descent.
#ifndef TIDE_SOLVER_DESCENT_H
#define TIDE_SOLVER_DESCENT_H

#include "solver/global_step.h"
#include "solver/line_search.h"

// The options of such a method begin with these.
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
    bool in_contact;   // contacts have moved x since the last move of the method
    uint32_t particle_count;
} tide_descent;

// A method; the `context` of its tide_solver_kind points to this.
typedef struct tide_descent_method {
    // Computes `direction` from the gradient in `search`.
    tide_status (*find_direction)(tide_descent *descent, tide_report *report, tide_error *error);
    // Moves along the direction by the line search. Returns false when the line search fails.
    bool (*move)(tide_descent *descent);
    // Forgets earlier iterations, so that the next direction is that of local/global. Returns false when there are
    // none.
    bool (*forget)(tide_descent *descent);
    bool forgets_at_contact; // the method's memory consists of gradient values, which contacts change
    // Used when forgets_at_contact is false: stores what the last move taught, before contacts change the gradient.
    tide_status (*keep)(tide_descent *descent, tide_report *report, tide_error *error);
} tide_descent_method;

// Prepares the common parts. The method's prepare calls it after preparing its own.
tide_status tide_descent_prepare(tide_solver *solver, const tide_system *system, double h, uint32_t *bad_particle,
                                 tide_error *error);
// The table functions of this family. A method with arrays of its own frees them and then calls tide_descent_destroy.
void tide_descent_destroy(tide_solver *solver);
tide_status tide_descent_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error);
tide_cholesky_info tide_descent_describe(const tide_solver *solver);

// The members of their tables, but for name, help, source, options and destroy.
#define TIDE_DESCENT_FUNCTIONS                                                                                         \
    .fields = fields, .state_size = sizeof(state), .context = &method, .order = 1, .rigid_stiffness = 5,               \
    .rigid_place = 1, .amplification = tide_backward_euler_amplification, .prepare = prepare,                          \
    .step = tide_descent_step, .describe = tide_descent_describe

#endif
