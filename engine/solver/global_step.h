// The global step: solves with A, the constant matrix of an objective, which is factored once.
//
// A method that iterates with A corrects the errors of its solves, so single precision is enough (engine/README.md,
// "Numbers"), and is the default. A method that solves once a step needs double precision.
#ifndef TIDE_SOLVER_GLOBAL_STEP_H
#define TIDE_SOLVER_GLOBAL_STEP_H

#include "factor/cholesky.h"
#include "solver/momentum.h"
#include "solver/objective.h"

typedef struct tide_solve_options {
    int method;          // tide_solve_method
    int vectors;         // 0: the widest of the processor; 1, 2, 3: 128, 256, 512 bits
    double memory_limit; // MB for the factor; a larger factor is replaced by an iterative solve
} tide_solve_options;

extern const tide_field tide_solve_fields[];      // default "fast": for methods that iterate
extern const tide_field tide_solve_once_fields[]; // default "double": for methods that solve once
// A field of type tide_solve_options. It is `member` of `options_type`; `initial_` is the default of the first field in
// `table`.
#define TIDE_SOLVE_FIELD(options_type, member, table, initial_, which)                                                 \
    {                                                                                                                  \
        .name = "solve", .type = TIDE_FIELD_RECORD, .offset = offsetof(options_type, member), .initial = { initial_ }, \
        .record = (table),                                                                                             \
        .help = "solve method for " which                                                                              \
                ": \"fast\", a factor in single precision; \"double\", one in double precision; \"iterative\", "       \
                "conjugate gradients without a factor; \"cholmod\", CHOLMOD's own solve, for comparison"               \
    }

typedef struct tide_global_step {
    tide_cholesky *cholesky;
    tide_step_matrix matrix;
    double *rows; // (3 * row_count) of the matrix: workspace
    uint32_t row_count;
    tide_momentum momentum;     // momentum that solves conserve
    bool corrects;              // solves must be corrected to conserve it: they are in single precision
    tide_solve_method method;   // the solve method that was requested
    uint32_t linear_iterations; // of conjugate gradients; a solve missed its tolerance; both since the last step
    bool unsettled;
    bool narrow;     // the vectors are too narrow for panels in double precision
    uint64_t serial; // number of the matrix prepared last, see tide_compliance_operator
} tide_global_step;  // { 0 } is empty

// Factors A and keeps what did not change. `object` names the solver in errors; *bad_particle is that of
// tide_solver_kind.
tide_status tide_global_step_prepare(tide_global_step *global, const tide_objective *objective,
                                     const tide_solve_options *options, const char *object, uint32_t *bad_particle,
                                     tide_error *error);
void tide_global_step_free(tide_global_step *global); // leaves { 0 }

// Computes direction = A^-1 gradient, (3 * particle_count) both, 0 for pinned particles; in place allowed.
tide_status tide_global_step_solve(tide_global_step *global, const tide_system *system, const double *gradient,
                                   double *direction, tide_error *error);
// Computes x -= A^-1 gradient, with the same bits as tide_global_step_solve. `direction` (3 * particle_count) is
// workspace. *most is the largest change of a coordinate, m; NaN where one is not finite.
tide_status tide_global_step_descend(tide_global_step *global, const tide_system *system, const double *gradient,
                                     double *direction, double *x, double *most, tide_error *error);
// Sets x to q + h v~, the positions that velocities alone lead to. Parts that nothing holds (no pin, no anchor) get y
// instead, as no springs keep them from following the forces. Returns false, with x = y, when nothing is held at all.
bool tide_global_step_coast(const tide_global_step *global, const tide_step *step, const double *y, double *x);
// Does the same and evaluates the gradient there. Returns true if g is below *value; *value and *norm then become g and
// the norm of its gradient.
bool tide_global_step_begin_lower(const tide_global_step *global, const tide_step *step,
                                  const tide_objective *objective, double *x, double *gradient, double *value,
                                  double *norm);
// The compliance A^-1 for contacts. It refers to the global step and the system, which must live as long.
typedef struct tide_global_compliance {
    tide_compliance_operator base;
    tide_global_step *global;
    const tide_system *system;
} tide_global_compliance;
tide_global_compliance tide_global_step_compliance(tide_global_step *global, const tide_system *system);
tide_cholesky_info tide_global_step_describe(const tide_global_step *global);
// Writes into the report's warning, if it is empty, that the matrix is too ill-conditioned for the requested solve
// method, and which one is used. Every step that solves calls it.
void tide_global_step_tell(tide_global_step *global, tide_report *report);

#endif
