// The global step: solves with A, the constant matrix of an objective, factored once.
//
// A method that iterates with A corrects what a solve leaves, so single precision is enough (engine/README.md,
// "Numbers"): its solves go the fast way unless told otherwise. One that solves once a step needs double precision.
#ifndef TIDE_SOLVER_GLOBAL_STEP_H
#define TIDE_SOLVER_GLOBAL_STEP_H

#include "factor/cholesky.h"
#include "solver/momentum.h"
#include "solver/objective.h"

typedef struct tide_solve_options {
    int way;             // tide_cholesky_way
    int vectors;         // 0: as wide as the processor's; 1, 2, 3: of 128, 256, 512 bits
    double memory_limit; // MB that a factor may take; beyond, solves iterate
} tide_solve_options;

extern const tide_field tide_solve_fields[];      // "fast" unless told otherwise: of methods that iterate
extern const tide_field tide_solve_once_fields[]; // "double" unless told otherwise: of those that solve once
// The field of a table of `options_type` with the tide_solve_options `member`; `initial_` is the first default in
// `table`.
#define TIDE_SOLVE_FIELD(options_type, member, table, initial_, which)                                                 \
    {                                                                                                                  \
        .name = "solve", .type = TIDE_FIELD_RECORD, .offset = offsetof(options_type, member), .initial = { initial_ }, \
        .record = (table),                                                                                             \
        .help = "how " which " are computed: \"fast\", in single precision; \"double\", the same way in double "       \
                "precision; \"iterative\", without a factor, by conjugate gradients; \"cholmod\", by the plain solve " \
                "of CHOLMOD, for comparison"                                                                           \
    }

typedef struct tide_global_step {
    tide_cholesky *cholesky;
    tide_step_matrix matrix;
    double *rows; // (3 * row_count) of the matrix
    uint32_t row_count;
    tide_momentum momentum;     // that solves are to keep
    bool corrects;              // they would not by themselves: in single precision
    tide_cholesky_way way;      // that was asked for
    uint32_t linear_iterations; // of conjugate gradients, and whether any fell short; since the last step
    bool unsettled;
    bool narrow;     // with vectors that double precision is not made for
    uint64_t serial; // of what was prepared last, see tide_yield
} tide_global_step;  // { 0 } is empty

// Factors A; keeps what did not change. `object` names the solver in errors; *bad_particle as in tide_solver_kind.
tide_status tide_global_step_prepare(tide_global_step *global, const tide_objective *objective,
                                     const tide_solve_options *options, const char *object, uint32_t *bad_particle,
                                     tide_error *error);
void tide_global_step_free(tide_global_step *global); // leaves { 0 }

// direction = A^-1 gradient, (3 * particle_count) both, 0 for pinned particles; in place allowed.
tide_status tide_global_step_solve(tide_global_step *global, const tide_system *system, const double *gradient,
                                   double *direction, tide_error *error);
// x -= A^-1 gradient, to the bit as by tide_global_step_solve. `direction` (3 * particle_count) is for its use;
// *most: the largest change of a coordinate, m, NaN where one is not finite.
tide_status tide_global_step_descend(tide_global_step *global, const tide_system *system, const double *gradient,
                                     double *direction, double *x, double *most, tide_error *error);
// Where particles come that go on as they were going, to x: q + h v~. Of parts that nothing holds, y, as no springs
// keep these from following the forces. False, x being y, when nothing is held at all.
bool tide_global_step_coast(const tide_global_step *global, const tide_step *step, const double *y, double *x);
// The same, and the gradient there; whether g is below *value, which then becomes it, as *norm its gradient's.
bool tide_global_step_begin_lower(const tide_global_step *global, const tide_step *step,
                                  const tide_objective *objective, double *x, double *gradient, double *value,
                                  double *norm);
// What contacts need of it. Both must live as long.
typedef struct tide_global_yield {
    tide_yield yield;
    tide_global_step *global;
    const tide_system *system;
} tide_global_yield;
tide_global_yield tide_global_step_yield(tide_global_step *global, const tide_system *system);
tide_cholesky_info tide_global_step_describe(const tide_global_step *global);
// Says in the report's warning, when there is none yet, that the matrix is too ill-conditioned for the way that was
// asked for, and which one it is solved by. To be called by every step that solves.
void tide_global_step_tell(tide_global_step *global, tide_report *report);

#endif
