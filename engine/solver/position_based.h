// Common parts of position-based methods. They start at y and satisfy the elements as constraints one after another
// (Gauss-Seidel), colour by colour; then v = (x - q) / h.
//
//     x <- x + M^-1 grad C(x)' dlambda,    w = grad C M^-1 grad C'      (Mueller 2007, eq. 8; Macklin 2016, eq. 17)
//
// The methods differ in the multiplier's increment dlambda. Constraints of one colour share no free particle, so the
// result is the same for any number of threads.
//
// A contact moves points by their own masses and does not see the masses attached to them. A light body under a heavy
// one is pushed away, iteration by iteration, before its springs have stopped the heavy body. Example: a soft cube of
// 0.4 kg falls on a cloth of 0.04 kg with 0.8 J, at 1/60 s. It reaches 580 J under pbd and 310 J under xpbd with 10
// iterations, 18 J under xpbd with 50, and 4 J with two iterations in each of ten substeps. Stacks of solids need a
// method that solves for all particles together.
#ifndef TIDE_SOLVER_POSITION_BASED_H
#define TIDE_SOLVER_POSITION_BASED_H

#include "model/colouring.h"
#include "solver/objective.h"

// Options of both methods.
typedef struct tide_position_options {
    tide_solver_common common;
    int iterations;
    double tolerance;
    double stiffness; // pbd only; TIDE_NOT_GIVEN: automatic
} tide_position_options;

#define TIDE_POSITION_FIELDS                                                                                           \
    TIDE_SOLVER_COMMON_FIELDS(tide_position_options),                                                                  \
        TIDE_ITERATIONS_FIELD(tide_position_options, iterations, 10, "sweeps over all constraints to take"),           \
        TIDE_TOLERANCE_FIELD(tide_position_options, tolerance, 0)

// The elements of one group and one colour: order[begin] ... order[end - 1].
typedef struct tide_position_run {
    uint32_t group, begin, end;
} tide_position_run;

typedef struct tide_position_based tide_position_based;

// A method; the `context` of its tide_solver_kind points to this.
typedef struct tide_position_method {
    // Returns dlambda of a constraint with value `c`, w above 0 and a finite compliance. `memory` is the constraint's
    // own number, 0 at the start of a step.
    double (*increment)(const tide_position_based *run, double c, double w, double compliance, double *memory);
} tide_position_method;

// The state of both methods.
struct tide_position_based {
    void *memory; // owns the arrays
    const tide_position_method *method;
    const tide_position_options *options;
    tide_objective objective; // for the report and the tolerance
    double h;
    uint32_t *order; // (all elements)
    tide_position_run *runs;
    uint32_t run_count;
    double *inverse_masses; // (particle_count) 1/kg; 0 for pinned particles
    double *memories;       // (all elements), in the same order
    double *gradient;       // (3 * particle_count)
    uint32_t element_count;
    double *x; // x of the current step
};

// The table functions of this family.
tide_status tide_position_prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                                  uint32_t *bad_particle, tide_error *error);
tide_status tide_position_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error);
void tide_position_destroy(tide_solver *solver);

// The members of their tables, but for name, help and source.
#define TIDE_POSITION_FUNCTIONS                                                                                        \
    .fields = fields, .options_size = sizeof(tide_position_options), .state_size = sizeof(tide_position_based),        \
    .rigid_stiffness = 1e6, .rigid_place = 1, .context = &method, .prepare = tide_position_prepare,                    \
    .step = tide_position_step, .destroy = tide_position_destroy

#endif
