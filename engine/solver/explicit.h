// The common parts of explicit integrators. The timestep is cut into equal substeps, as few as the theory of Shinya
// 2005 allows:
//
//     k0 = the largest eigenvalue of M^-1 K (power method);  h_max = sqrt(Y_max / k0)   (eq. 27: Y_max = 4; eq. 33 for
//     RK4: 8.75);  substep = h_max / sqrt(safety)
//
// This h_max assumes the damping that moves the method to the point of its stability region where Y is largest. Without
// damping, h_max is where the region meets X = 0: Y = 4 for symplectic_euler and verlet, 8 for rk4. A scheme
// that grows undamped then has no stable substep; it takes the damped one and reports it. With given damping, h_max is
// found on the line X = h d0 + alpha / h Y, eq. 29. `damping = "auto"` takes alpha = h (X_max - d0 h) / Y_max with the
// given d0 (eq. 30 to 33).
//
// K is projected. k0 is computed when the method is prepared, and again when a timestep seems to diverge: a position is
// not finite or beyond 1e9 m, or forces and pins do not explain the energy. If k0 has grown, the timestep is repeated
// with more substeps; if not, the result stands. A substep given by the user is kept.
#ifndef TIDE_SOLVER_EXPLICIT_H
#define TIDE_SOLVER_EXPLICIT_H

#include "model/stiffness.h"
#include "solver/damping.h"
#include "solver/filter.h"
#include "solver/solver.h"

typedef struct tide_explicit_options {
    tide_solver_common common;
    double substep; // s; TIDE_NOT_GIVEN: automatic
    double safety;
    tide_damping damping;
    tide_filter filter;
} tide_explicit_options;
extern const tide_field tide_explicit_fields[];

// Fields for option tables whose structs begin with tide_explicit_options.
#define TIDE_EXPLICIT_FIELDS                                                                                           \
    TIDE_SOLVER_COMMON_FIELDS(tide_explicit_options),                                                                  \
        { .name = "substep",                                                                                           \
          .type = TIDE_FIELD_REAL,                                                                                     \
          .offset = offsetof(tide_explicit_options, substep),                                                          \
          .maximum = INFINITY,                                                                                         \
          .positive = true,                                                                                            \
          .word = "auto",                                                                                              \
          .unit = "s",                                                                                                 \
          .help = "longest substep; the timestep is divided into as few equal substeps as this allows; \"auto\": the " \
                  "longest stable substep divided by sqrt(safety)" },                                                  \
        { .name = "safety",                                                                                            \
          .type = TIDE_FIELD_REAL,                                                                                     \
          .offset = offsetof(tide_explicit_options, safety),                                                           \
          .initial = { 1.5 },                                                                                          \
          .minimum = 1,                                                                                                \
          .maximum = 1e6,                                                                                              \
          .help = "factor by which the largest eigenvalue may grow before an automatic substep becomes unstable" },    \
        TIDE_DAMPING_FIELD(tide_explicit_options, tide_explicit_damping_fields),                                       \
    {                                                                                                                  \
        .name = "filter", .type = TIDE_FIELD_RECORD, .offset = offsetof(tide_explicit_options, filter),                \
        .record = tide_filter_fields,                                                                                  \
        .help = "low-pass filter of velocities over neighbours after every substep: { \"exponential\", lambda = 2 }"   \
    }

typedef struct tide_explicit tide_explicit;

// A method of the family; the `context` of its tide_solver_kind points to this.
typedef struct tide_scheme {
    double y_max, x_max; // the largest stable Y = h^2 k, and the X = h d at which it occurs (Shinya fig. 1 and 2)
    uint32_t stages;     // number of (3 * particle_count) arrays that `advance` needs
    // Advances x and v by one substep. Pinned particles have a constant velocity and zero acceleration and move like
    // all others; the caller then sets their exact positions. It may call tide_explicit_acceleration.
    void (*advance)(tide_explicit *run, double h, double *x, double *v);
    bool grows_undamped; // no substep is stable without damping: forward Euler, midpoint
    // `advance` filters the new velocities before they move positions, which allows longer substeps (filter.h). Other
    // methods are filtered after the substep, which allows no longer ones: Verlet's limit stays the same, and that of
    // Runge-Kutta hardly changes.
    bool filters_itself;
} tide_scheme;

// The state of every method of the family; larger states begin with it.
struct tide_explicit {
    void *memory;              // owns the arrays
    const tide_system *system; // this and the next five are as prepared
    uint32_t particle_count, free_count;
    double h;
    tide_explicit_options options;
    const tide_solver_kind *kind;

    double k0;          // 1/s^2
    double filtered_k0; // replaces k0 when a filter allows longer substeps; otherwise equal to k0
    double lowest_gain; // smallest eigenvalue of the filter
    double resistance;  // largest eigenvalue of M^-1 L, 1/s^2, for the damping model `springs`; otherwise 0

    double stable_substep;                  // s; INFINITY: all are stable, 0: none is. This and the next three follow
                                            // from k0
    uint32_t count;                         // number of substeps
    double damping_mass, damping_stiffness; // d0 and alpha in use
    char warning[192];

    const tide_step *step; // the current timestep
    uint32_t taken;        // substeps taken of it
    uint32_t rejected, iterations;
    double force_seconds;
    tide_report *report; // the report of the timestep; contacts write to it
    tide_status status;  // the first failure within the timestep
    tide_error *error;
    bool evaluated; // `gradient` and `stiffness` belong to the current x

    tide_stiffness stiffness;            // alpha K(x), or alpha L; K while k0 is computed
    double *gradient, *product, *stages; // dE/dx; (alpha K) v; stage arrays, (3 * particle_count) each
    double *vector, *work;               // (3 * particle_count), (15 * particle_count), for the power method
    tide_filter_graph graph;
};

// Compute a = M^-1 (f_ext - grad E(x) - D v), (3 * particle_count), 0 for pinned particles. The first evaluates the
// forces at x and sets `evaluated`; the second uses them for one or more v.
void tide_explicit_evaluate(tide_explicit *run, const double *x);
void tide_explicit_accelerate(tide_explicit *run, const double *v, double *a);
// Does both.
void tide_explicit_acceleration(tide_explicit *run, const double *x, const double *v, double *a);
// Returns the array of a stage, (3 * particle_count).
double *tide_explicit_stage(const tide_explicit *run, uint32_t index);
// Filters velocities, if there is a filter.
void tide_explicit_filter(tide_explicit *run, double *v);
// Computes y += factor a, all (3 * particle_count).
void tide_explicit_add(const tide_explicit *run, double factor, const double *a, double *y);

// The table functions of this family.
tide_status tide_explicit_prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                                  uint32_t *bad_particle, tide_error *error);
tide_status tide_explicit_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error);
void tide_explicit_destroy(tide_solver *solver);
// The history: k0 and the other quantities measured at the positions of preparation.
size_t tide_explicit_history_size(const tide_solver *solver);
void tide_explicit_save_history(const tide_solver *solver, void *bytes);
tide_status tide_explicit_load_history(tide_solver *solver, const void *bytes, size_t size, tide_error *error);

// The members of the table of an explicit method, which has a scheme and an amplification.
#define TIDE_EXPLICIT_FUNCTIONS                                                                                        \
    .fields = tide_explicit_fields, .options_size = sizeof(tide_explicit_options), .context = &scheme,                 \
    .state_size = sizeof(tide_explicit), .amplification = amplification, .prepare = tide_explicit_prepare,             \
    .step = tide_explicit_step, .destroy = tide_explicit_destroy, .cuts_timestep = true,                               \
    .history_size = tide_explicit_history_size, .save_history = tide_explicit_save_history,                            \
    .load_history = tide_explicit_load_history

// Returns the spectral radius of a real 2 x 2 matrix with this trace and determinant.
double tide_spectral_radius(double trace, double determinant);
// Returns the spectral radius of the truncated exponential 1 + C + ... + C^order / order! of C = ((0, 1), (-Y, -X)):
// forward Euler (Shinya eq. 15), Runge-Kutta of order 2 (eq. 18) and 4 (eq. 19).
double tide_exponential_radius(double X, double Y, int order);

// Returns the stiffness damping alpha (s) of `damping = "auto"` for a substep h and a mass damping d0: eq. 30.
double tide_explicit_automatic_alpha(const tide_scheme *scheme, double h, double d0);

// Returns the longest stable substep of a method for eigenvalues of M^-1 K up to k0 and damping d0 + alpha k. With
// `automatic`, alpha is that of tide_explicit_automatic_alpha. With `resistance` above 0, the damping of a mode may be
// as large as d0 + alpha resistance. Returns INFINITY when all substeps are stable, and 0 when none is (a method that
// gains energy, without damping).
double tide_explicit_stable_substep(const tide_solver_kind *kind, double k0, double d0, double alpha, bool automatic,
                                    double resistance);

// Returns the longest substep that is stable with the best damping, sqrt(y_max / k0).
double tide_explicit_damped_substep(const tide_solver_kind *kind, double k0);

#endif
