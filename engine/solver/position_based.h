// What position-based methods share: from y on, the elements as constraints are satisfied one after another
// (Gauss-Seidel), colour by colour; then v = (x - q) / h.
//
//     x <- x + M^-1 grad C(x)' dlambda,    w = grad C M^-1 grad C'      (Mueller 2007, eq. 8; Macklin 2016, eq. 17)
//
// The methods differ in the multiplier's increment dlambda. Constraints of one colour share no free particle, so that
// the result is the same for any number of threads.
//
// A contact pushes points by their own masses, not by those of what they hang on: what a heavy body rests or falls on
// is moved out of its way, iteration by iteration, before its springs have stopped the body. A soft cube of 0.4 kg that
// falls on a cloth of 0.04 kg, 0.8 J at first, at 1/60 s, reaches 580 J under pbd and 310 under xpbd with 10
// iterations, under xpbd 18 with 50, and 4 with two in each of ten substeps. Solids on one another are for the methods
// that solve for all particles together.
#ifndef TIDE_SOLVER_POSITION_BASED_H
#define TIDE_SOLVER_POSITION_BASED_H

#include "model/colouring.h"
#include "solver/objective.h"

// Options of both methods.
typedef struct tide_position_options {
    tide_solver_common common;
    int iterations;
    double tolerance;
    double stiffness; // of pbd; TIDE_NOT_GIVEN: automatic
} tide_position_options;

#define TIDE_POSITION_FIELDS                                                                                           \
    TIDE_SOLVER_COMMON_FIELDS(tide_position_options),                                                                  \
        TIDE_ITERATIONS_FIELD(tide_position_options, iterations, 10, "sweeps over all constraints to take"),           \
        TIDE_TOLERANCE_FIELD(tide_position_options, tolerance, 0)

// The elements of one group and one colour: order[begin] ... order[end - 1], elements of that group.
typedef struct tide_position_run {
    uint32_t group, begin, end;
} tide_position_run;

typedef struct tide_position_based tide_position_based;

// A method: what its kind's `context` points to.
typedef struct tide_position_method {
    // dlambda of the constraint order[place], whose value is `c`, whose w is above 0 and whose compliance finite;
    // `memory` is its own number, 0 at the start of a step.
    double (*increment)(const tide_position_based *run, double c, double w, double compliance, double *memory);
} tide_position_method;

// State of all of them.
struct tide_position_based {
    const tide_position_method *method;
    const tide_position_options *options;
    tide_objective objective; // for the report and the tolerance
    double h;
    uint32_t *order; // (all elements)
    tide_position_run *runs;
    uint32_t run_count;
    double *inverse_masses; // (particle_count) 1/kg; 0 for pinned
    double *memories;       // (all elements), in the order
    double *gradient;       // (3 * particle_count)
    uint32_t element_count;
    double *x; // of the step under way
};

// The functions of a kind of this family.
tide_status tide_position_prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                                  uint32_t *bad_particle, tide_error *error);
tide_status tide_position_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error);
void tide_position_destroy(tide_solver *solver);

#endif
