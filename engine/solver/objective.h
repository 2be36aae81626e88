// What an implicit step minimises:
//
//     g(x) = 1/2 (x - y)' M (x - y) + s^2 E(x) + s/2 (x - origin)' D (x - origin)
//
// with D the Rayleigh damping at the start of the step (0 without damping). Backward Euler has s = h, origin = q and
// y = q + h v~ + h^2 M^-1 f_ext (Liu 2013, eq. 8); BDF2 and the implicit midpoint rule differ in these three alone.
//
// Arrays are (3 * particle_count); those of pinned particles are 0 in gradients and directions.
#ifndef TIDE_SOLVER_OBJECTIVE_H
#define TIDE_SOLVER_OBJECTIVE_H

#include "model/assembly.h"
#include "model/step_matrix.h"
#include "model/stiffness.h"
#include "solver/damping.h"
#include "solver/solver.h"

// Where a minimisation begins: at y, or where particles come by their velocities alone if g is lower there, which it is
// where springs hold up what forces pull at (tide_global_step_coast).
enum { TIDE_START_LOWEST, TIDE_START_PREDICTION };
extern const char *const tide_starts[];
#define TIDE_START_FIELD(options_type, member, which_)                                                                 \
    {                                                                                                                  \
        .name = "start", .type = TIDE_FIELD_CHOICE, .offset = offsetof(options_type, member), .choices = tide_starts,  \
        .help = which_ "where iterations begin: at \"prediction\", where velocities and external forces would take "   \
                       "particles, or at the \"lowest\", as g goes, of that and of where velocities alone would"       \
    }

typedef struct tide_objective {
    const tide_system *system;
    uint32_t particle_count, free_count; // as prepared
    double s;
    double *y, *origin;
    double *inertial; // y at the beginning: without the displacements by which contacts change it
    tide_damping damping;
    tide_stiffness resistance; // s alpha K(q), or s alpha L
    const double *at;          // where the resistance was taken: the step's q
    double *drive;             // s D times the motion of the pinned particles alone
    double *offset, *product;  // workspace of damping
    double *diagonal;          // (particle_count) of A
} tide_objective;              // { 0 } is empty

// Makes room. `s` is the rule's; `damping` NULL: none.
tide_status tide_objective_prepare(tide_objective *objective, const tide_system *system, double s,
                                   const tide_damping *damping, tide_error *error);
bool tide_objective_is_for(const tide_objective *objective, const tide_system *system, double s);
void tide_objective_free(tide_objective *objective); // leaves { 0 }

// y and origin of backward Euler, pinned particles where they are to be. Another rule then writes its own.
void tide_objective_predict(tide_objective *objective, const tide_step *step);
// To be called once y and origin are there: takes the damping at q, which must stay until the step's end.
void tide_objective_begin(tide_objective *objective, const double *q);
// Remembers the present y as that without contacts. tide_objective_begin does so; a method that predicts y later calls
// it then.
void tide_objective_set_inertial(tide_objective *objective);
// out = D v, over all particles' v.
void tide_objective_resistance(const tide_objective *objective, const double *v, double *out);

double tide_objective_value(const tide_objective *objective, const double *x);
double tide_objective_gradient(const tide_objective *objective, const double *x, double *gradient); // returns its norm
void tide_objective_find_gradient(const tide_objective *objective, const double *x, double *gradient); // without it
// Both at once, which takes little longer than one of them: returns g, and the gradient's norm to *norm.
double tide_objective_evaluate(const tide_objective *objective, const double *x, double *gradient, double *norm);

// Whether a minimisation that began where inertia took particles has gone astray: it has come to x, with g(x) `value`,
// where springs hold more energy than there was at all, kinetic and elastic, as where they were turned inside out and
// lie in another minimum. `start` (3 * particle_count) becomes q, with pinned particles where they are to be.
// Descending from there, once more as many iterations, a method keeps g(x) <= g(q), which is
//
//     E(x) + 1/2 |x - y|_M^2 / s^2 <= E(q) + 1/2 |q - y|_M^2 / s^2
//
// with (q - y) / s the velocity of inertia, to which external forces add. (Under backward Euler the sum of kinetic and
// elastic energy is bounded by it less sharply than where E is convex: by four times the kinetic energy of what was
// unstrained. BDF2 and the midpoint rule keep it with their own y and s; their own statements of energy are of linear
// forces alone.)
// Not where contacts have moved particles: what they push is in y, and tells nothing of energy.
bool tide_objective_is_astray(const tide_objective *objective, const tide_step *step, const tide_report *report,
                              const double *x, double value, double *start);

// A = (1 + s d0) M + (s^2 + s alpha) L: g's constant bound from above, d2g/dx2 <= A (x) I3.
tide_status tide_objective_matrix(const tide_objective *objective, tide_step_matrix *out, tide_error *error);
double tide_objective_mass_factor(const tide_objective *objective); // 1 + s d0
// d2g/dx2 at x, with this part, 0 to 1, of the elements' negative eigenvalues taken out.
void tide_objective_hessian(const tide_objective *objective, const double *x, double part, tide_assembly *assembly);
// Without a matrix: `stiffness` becomes s^2 H(x), and the product out = d2g/dx2 v.
void tide_objective_linearise(const tide_objective *objective, const double *x, bool project,
                              tide_stiffness *stiffness);
void tide_objective_multiply(const tide_objective *objective, const tide_stiffness *stiffness, const double *v,
                             double *out);

// The gradient's norm at which a minimisation has met its tolerance:
//
//     max(tolerance * max(initial_norm, |M (y - y_0)|), eps |diag(A) y|)
//
// with y_0 the y of inertia and external forces, so that M (y - y_0) is h^2 times the contact forces found so far: at a
// first touch, where nothing is deformed, the gradient at y_0 is 0 but for rounding. The last term is what the rounding
// of positions leaves of a gradient of 0, with eps = 2^-52. For a tolerance of 0 it is 0.
double tide_objective_target(const tide_objective *objective, double tolerance, double initial_norm);

// v = (x - q) / h: the end of a backward Euler step.
void tide_step_finish_velocities(const tide_step *step);
// Writes g, norms and `converged` of a finished minimisation: whether the norm is at tide_objective_target, which for
// a tolerance of 0 only a gradient of 0 is.
void tide_objective_report(const tide_objective *objective, double g, double initial_norm, double norm,
                           double tolerance, tide_report *report);

// The largest |eigenvalue| of a backward Euler step of x'' = -k x - d x', X = h d and Y = h^2 k (Shinya 2005, eq. 16);
// as tide_solver_kind wants it.
double tide_backward_euler_amplification(double X, double Y);

#endif
