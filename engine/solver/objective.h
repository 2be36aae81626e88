// The function that an implicit step minimises:
//
//     g(x) = 1/2 (x - y)' M (x - y) + s^2 E(x) + s/2 (x - origin)' D (x - origin)
//
// D is the Rayleigh damping at the start of the step (0 without damping). Backward Euler has s = h, origin = q and y =
// q + h v~ + h^2 M^-1 f_ext (Liu 2013, eq. 8). BDF2 and the implicit midpoint rule differ only in s, origin and y.
//
// Arrays are (3 * particle_count); gradients and directions are 0 for pinned particles.
#ifndef TIDE_SOLVER_OBJECTIVE_H
#define TIDE_SOLVER_OBJECTIVE_H

#include "model/assembly.h"
#include "model/step_matrix.h"
#include "model/stiffness.h"
#include "solver/damping.h"
#include "solver/solver.h"

// Where a minimisation starts: at y, or at the positions that velocities alone lead to when g is lower there
// (tide_global_step_coast). It is lower where springs carry the external forces.
enum { TIDE_START_LOWEST, TIDE_START_PREDICTION };
extern const char *const tide_starts[];
#define TIDE_START_FIELD(options_type, member, which_)                                                                 \
    {                                                                                                                  \
        .name = "start", .type = TIDE_FIELD_CHOICE, .offset = offsetof(options_type, member), .choices = tide_starts,  \
        .help = which_ "initial guess of the iterations: \"prediction\": y = q + h v + h^2 M^-1 f; \"lowest\": y or "  \
                       "q + h v, whichever has the lower g"                                                            \
    }

typedef struct tide_objective {
    void *memory; // owns the arrays
    const tide_system *system;
    uint32_t particle_count, free_count; // as prepared
    double s;
    double *y, *origin;
    double *inertial; // y without the displacements of contacts
    tide_damping damping;
    tide_stiffness resistance; // s alpha K(q), or s alpha L
    const double *at;          // the q at which `resistance` was evaluated
    double *drive;             // s D times the motion of the pinned particles alone
    double *offset, *product;  // workspace for damping
    double *diagonal;          // (particle_count) diagonal of A
} tide_objective;              // { 0 } is empty

// Allocates. `s` is that of the integration rule; `damping` may be NULL: none.
tide_status tide_objective_prepare(tide_objective *objective, const tide_system *system, double s,
                                   const tide_damping *damping, tide_error *error);
bool tide_objective_is_for(const tide_objective *objective, const tide_system *system, double s);
void tide_objective_free(tide_objective *objective); // leaves { 0 }

// Sets y and origin of backward Euler, with pinned particles at their targets. Other rules then overwrite them.
void tide_objective_predict(tide_objective *objective, const tide_step *step);
// Starts a step once y and origin are set. Evaluates the damping at q; q must remain until the end of the step.
void tide_objective_begin(tide_objective *objective, const double *q);
// Stores the current y as the y without contacts. tide_objective_begin does so; a method that predicts y later calls it
// again.
void tide_objective_set_inertial(tide_objective *objective);
// Computes out = D v from the v of all particles.
void tide_objective_resistance(const tide_objective *objective, const double *v, double *out);

double tide_objective_value(const tide_objective *objective, const double *x);
double tide_objective_gradient(const tide_objective *objective, const double *x, double *gradient); // returns its norm
void tide_objective_find_gradient(const tide_objective *objective, const double *x,
                                  double *gradient); // without the norm
// Computes both at hardly more cost than one: returns g and stores the norm of the gradient in *norm.
double tide_objective_evaluate(const tide_objective *objective, const double *x, double *gradient, double *norm);

// Returns true when a minimisation that started at the prediction has ended in another minimum with too much energy: at
// x, with g(x) = `value`, springs hold more energy than the total before the step, kinetic and elastic, for example
// because they are inverted. `start` (3 * particle_count) then becomes q, with pinned particles at their targets. A
// second descent from there, with as many iterations, keeps g(x) <= g(q), which is
//
//     E(x) + 1/2 |x - y|_M^2 / s^2 <= E(q) + 1/2 |q - y|_M^2 / s^2
//
// where (q - y) / s is the velocity of inertia, plus the external forces. (For backward Euler this bounds the sum of
// kinetic and elastic energy less sharply than for a convex E: by four times the kinetic energy of an unstrained state.
// BDF2 and the midpoint rule satisfy it with their own y and s; their own energy estimates hold for linear forces
// only.) Returns false where contacts have moved particles: y then contains their displacements, and g says nothing
// about energy.
bool tide_objective_raises_energy(const tide_objective *objective, const tide_step *step, const tide_report *report,
                                  const double *x, double value, double *start);

// Computes A = (1 + s d0) M + (s^2 + s alpha) L, the constant upper bound of the Hessian: d2g/dx2 <= A (x) I3.
tide_status tide_objective_matrix(const tide_objective *objective, tide_step_matrix *out, tide_error *error);
double tide_objective_mass_factor(const tide_objective *objective); // returns 1 + s d0
// Computes d2g/dx2 at x. `part`, 0 to 1, is the fraction of the elements' negative eigenvalues that is removed.
void tide_objective_hessian(const tide_objective *objective, const double *x, double part, tide_assembly *assembly);
// Computes the same without a matrix: `stiffness` becomes s^2 H(x), and the product is out = d2g/dx2 v.
void tide_objective_linearise(const tide_objective *objective, const double *x, bool project,
                              tide_stiffness *stiffness);
void tide_objective_multiply(const tide_objective *objective, const tide_stiffness *stiffness, const double *v,
                             double *out);

// Returns the gradient norm at which a minimisation meets its tolerance:
//
//     max(tolerance * max(initial_norm, |M (y - y_0)|), eps |diag(A) y|)
//
// y_0 is the y of inertia and external forces alone, so M (y - y_0) is h^2 times the current contact forces. At a first
// touch, where nothing is deformed, the gradient at y_0 is 0 except for rounding, and this term sets the scale. The
// last term is the gradient that the rounding of positions leaves, with eps = 2^-52. For a tolerance of 0 the result is
// 0.
double tide_objective_target(const tide_objective *objective, double tolerance, double initial_norm);

// Computes v = (x - q) / h, the final velocities of a backward Euler step.
void tide_step_finish_velocities(const tide_step *step);
// Writes g, the norms and `converged` of a finished minimisation. It has converged when the norm is at most
// tide_objective_target; with a tolerance of 0, only when the gradient is 0.
void tide_objective_report(const tide_objective *objective, double g, double initial_norm, double norm,
                           double tolerance, tide_report *report);

// Returns the spectral radius of a backward Euler step of x'' = -k x - d x', with X = h d and Y = h^2 k (Shinya 2005,
// eq. 16): the `amplification` of tide_solver_kind.
double tide_backward_euler_amplification(double X, double Y);

#endif
