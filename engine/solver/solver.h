// Time integrators, all behind one table. A solver is one file with a const tide_solver_kind at its foot and a line in
// the list in solvers.c.
#ifndef TIDE_SOLVER_SOLVER_H
#define TIDE_SOLVER_SOLVER_H

#include "base/field.h"
#include "linear/cholesky.h"
#include "model/system.h"

// What a step did; see DESIGN 3. Times are seconds. Fields that a method has no notion of stay 0.
typedef struct tide_report {
    uint32_t iterations;
    double g;                     // g(x) at the result; NAN for methods that do not minimise g
    double gradient_norm;         // |grad g(x)| at the result, over free particles; NAN likewise
    double initial_gradient_norm; // |grad g(y)|
    bool converged;               // met its tolerance (a method without one: the step was taken)
    uint32_t line_searches, linear_iterations, substeps;
    double local_seconds, global_seconds, contact_seconds, step_seconds;
} tide_report;

// One step from q to x. All arrays are (3 * particle_count); x and v come out.
typedef struct tide_step {
    const tide_system *system;
    double h;               // s
    const double *q;        // positions at the start, m
    const double *velocity; // damped velocities v~ at the start, m/s
    const double *force;    // external forces f_ext with gravity, N
    const double *pinned;   // positions of pinned particles at the end of the step (entries of free ones are ignored)
    double *x;              // out: positions at the end
    double *v;              // out: velocities at the end
} tide_step;

typedef struct tide_solver tide_solver;

typedef struct tide_solver_kind {
    const char *name, *help, *source; // source: paper and equation
    const tide_field *fields;
    size_t options_size, state_size;
    // Gets ready for a system and timestep: allocates, factors. Called again whenever either changed; keeps what it
    // can. On TIDE_ERROR_NUMERIC, *bad_particle is the particle at fault.
    tide_status (*prepare)(void *state, const void *options, const tide_system *system, double h,
                           uint32_t *bad_particle, tide_error *error);
    // Takes one step and fills the report. Allocates nothing. x need not be finite: the caller checks.
    tide_status (*step)(void *state, const void *options, const tide_step *step, tide_report *report,
                        tide_error *error);
    void (*destroy)(void *state);                      // frees what prepare made; the state starts as zeros
    tide_cholesky_info (*describe)(const void *state); // of the factor kept; NULL: the method keeps none
    // What the next step depends on besides positions and velocities (warm starts): its bytes, for snapshots. NULL:
    // none.
    size_t (*history_size)(const void *state);
    void (*save_history)(const void *state, void *bytes);
    tide_status (*load_history)(void *state, const void *bytes, size_t size, tide_error *error);
} tide_solver_kind;

const tide_solver_kind *tide_solver_kind_at(uint32_t index); // NULL past the last; the first is the default
// By name, or NULL with an error that names the nearest.
const tide_solver_kind *tide_solver_kind_find(const char *name, tide_error *error);

// A solver with its options (a copy of `options`, the struct that the kind's fields describe; NULL for the defaults).
tide_status tide_solver_create(const tide_solver_kind *kind, const void *options, tide_solver **solver,
                               tide_error *error);
void tide_solver_destroy(tide_solver *solver); // NULL does nothing
const tide_solver_kind *tide_solver_kind_of(const tide_solver *solver);
const void *tide_solver_options(const tide_solver *solver);
void tide_solver_set_options(tide_solver *solver, const void *options);

tide_status tide_solver_prepare(tide_solver *solver, const tide_system *system, double h, uint32_t *bad_particle,
                                tide_error *error);
tide_status tide_solver_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error);
tide_cholesky_info tide_solver_describe(const tide_solver *solver); // zeros when the method keeps no factor
size_t tide_solver_history_size(const tide_solver *solver);
void tide_solver_save_history(const tide_solver *solver, void *bytes);
tide_status tide_solver_load_history(tide_solver *solver, const void *bytes, size_t size, tide_error *error);

#endif
