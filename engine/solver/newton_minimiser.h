// Newton's method on an objective, for the methods that are solved by it: newton, bdf2, implicit_midpoint.
//
// Martin et al. 2011, and Liu 2013 sec. 5: line search, and a Hessian made definite where it is not; its systems solved
// by a sparse Cholesky factorisation or by conjugate gradients, preconditioned by A. A definite Hessian is left as it
// is, so that convergence is quadratic in the end. One that is not:
// - "projected": H + part (H+ - H), with H+ the sum of the springs' Hessians without their negative eigenvalues, and
// part
//   1/16, 1/8, ... 1 until it is definite; the next iteration begins at half the part, or at twice where the line
//   search took little of the step, as one along which the Hessian hardly curves leads too far;
// - "shifted": H + shift M, with a shift that grows geometrically. With "pcg" nothing is added: conjugate gradients end
//   at the first direction of negative curvature, and the step is what they have by then.
#ifndef TIDE_SOLVER_NEWTON_MINIMISER_H
#define TIDE_SOLVER_NEWTON_MINIMISER_H

#include "solver/global_step.h"
#include "solver/line_search.h"

enum { TIDE_NEWTON_CHOLESKY, TIDE_NEWTON_PCG, TIDE_NEWTON_CHOLMOD }; // linear
enum { TIDE_NEWTON_PROJECTED, TIDE_NEWTON_SHIFTED };                 // definite

typedef struct tide_newton_options {
    int iterations;
    double tolerance;
    int linear;
    double cg_tolerance; // |residual| / |right-hand side|
    int warm_start;      // iterations of local/global before the first
    int definite;
    tide_solve_options solve; // with A
} tide_newton_options;

// Fields for a table of `options_type`, which has a tide_newton_options called `newton`.
#define TIDE_NEWTON_FIELDS(options_type)                                                                               \
    TIDE_ITERATIONS_FIELD(options_type, newton.iterations, 20, "Newton steps to take"),                                \
        { .name = "tolerance",                                                                                         \
          .type = TIDE_FIELD_REAL,                                                                                     \
          .offset = offsetof(options_type, newton.tolerance),                                                          \
          .initial = { 1e-8 },                                                                                         \
          .minimum = 0,                                                                                                \
          .maximum = INFINITY,                                                                                         \
          .help = "stop when |grad g(x)| <= tolerance * max(|grad g(y)|, h^2 |contact forces|), or at rounding "       \
                  "error, and contacts move no particle by more than 1e-6 m; 0: take all iterations" },                \
        TIDE_SOLVE_FIELD(options_type, newton.solve, tide_solve_fields, TIDE_CHOLESKY_FAST,                            \
                         "the warm start and the preconditioner of \"pcg\""),                                          \
        { .name = "linear",                                                                                            \
          .type = TIDE_FIELD_CHOICE,                                                                                   \
          .offset = offsetof(options_type, newton.linear),                                                             \
          .choices = tide_newton_linear,                                                                               \
          .help = "linear solver: a sparse factorisation, conjugate gradients or, for comparison, CHOLMOD's "          \
                  "factorisation" },                                                                                   \
        { .name = "cg_tolerance",                                                                                      \
          .type = TIDE_FIELD_REAL,                                                                                     \
          .offset = offsetof(options_type, newton.cg_tolerance),                                                       \
          .initial = { 1e-3 },                                                                                         \
          .minimum = 0,                                                                                                \
          .positive = true,                                                                                            \
          .maximum = 1,                                                                                                \
          .help = "with \"pcg\": the relative residual at which conjugate gradients stop" },                           \
        { .name = "warm_start",                                                                                        \
          .type = TIDE_FIELD_INTEGER,                                                                                  \
          .offset = offsetof(options_type, newton.warm_start),                                                         \
          .initial = { 0 },                                                                                            \
          .minimum = 0,                                                                                                \
          .maximum = 1e6,                                                                                              \
          .help = "number of local_global iterations before the first Newton step" },                                  \
    {                                                                                                                  \
        .name = "definite", .type = TIDE_FIELD_CHOICE, .offset = offsetof(options_type, newton.definite),              \
        .choices = tide_newton_definite,                                                                               \
        .help = "how an indefinite Hessian is made positive definite: \"projected\" removes negative eigenvalues, "    \
                "spring by spring, as far as needed; \"shifted\" adds to the diagonal"                                 \
    }
extern const char *const tide_newton_linear[], *const tide_newton_definite[];

typedef struct tide_newton {
    void *memory; // owns the arrays
    tide_line_search search;
    tide_assembly assembly; // with "cholesky" and "cholmod"
    tide_cholesky *cholesky;
    tide_coupling coupling;              // what the assembly lacks of the Hessian
    double *coupled;                     // (coupling.count * 3 * particle_count) H^-1 s of each of its parts
    tide_stiffness stiffness, projected; // with "pcg"
    tide_global_step global;             // of the warm start; also preconditions "pcg"
    double *direction, *work;
    double *trial; // where contacts are solved
    uint32_t particle_count;
    double part, shift; // what made the last Hessian of this minimisation definite
    double length;      // of the step that was taken with it
} tide_newton;          // { 0 } is empty

tide_status tide_newton_prepare(tide_newton *newton, const tide_newton_options *options,
                                const tide_objective *objective, const char *object, uint32_t *bad_particle,
                                tide_error *error);
void tide_newton_free(tide_newton *newton); // leaves { 0 }
// Describes the factor that is computed in every iteration; with "pcg" the one that preconditions.
tide_cholesky_info tide_newton_describe(const tide_newton *newton);
// Minimises from x = y (in and out), and restarts from the step's q where that has raised the energy; fills the report.
// Contacts of `step` are solved in every iteration, at the end of its full step. Their forces move x by the inverse of
// the same Hessian and change the objective's y: the step then leads to the minimum of g's quadratic model without
// penetration. Contacts are solved exactly. Contacts that would take too many solves, all contacts of a step in which
// balls or hairs touch other bodies, and all contacts with "pcg" are solved by passes, which converge more slowly. The
// report's `converged` means that the gradient is at its target and that contacts moved nothing by more than
// TIDE_CONTACT_TOLERANCE in the end. With the contact forces held fixed this is the Newton step of that g, along which
// the line search lowers it. A response without `iterate_compliant` solves contacts after each iteration and changes y
// alone.
tide_status tide_newton_minimise(tide_newton *newton, const tide_newton_options *options,
                                 const tide_objective *objective, const tide_step *step, double *x, tide_report *report,
                                 tide_error *error);

#endif
