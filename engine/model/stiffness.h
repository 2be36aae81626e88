// The linearised forces of a system at one state, without a matrix: the operator a H(x) + b L, H = d2E/dx2, and its
// largest eigenvalue relative to the masses. An element is stored in a few numbers: 4 at each end of a spring in
// vectors (spring_products.h), else 6 (Kauppila sec. 4.1).
#ifndef TIDE_MODEL_STIFFNESS_H
#define TIDE_MODEL_STIFFNESS_H

#include "model/coupling.h"
#include "model/spring_products.h"
#include "model/system.h"

typedef struct tide_stiffness {
    const tide_system *system; // the system of the last evaluation
    bool one_by_one;           // set before preparing: compact Hessians are also stored for springs
    double *compact;           // the elements' compact Hessians, group by group, without springs in vectors
    size_t capacity;
    tide_spring_products springs;
    tide_coupling coupling;
    bool uncoupled; // set before evaluating: without it, as Rayleigh damping is, which would resist a change of volume
} tide_stiffness;   // { 0 } is empty

// Allocates for a system when there is too little room.
tide_status tide_stiffness_prepare(tide_stiffness *stiffness, const tide_system *system, tide_error *error);
void tide_stiffness_free(tide_stiffness *stiffness); // leaves { 0 }
// Evaluates a H(x) + b L at x (3 * particle_count). With `project` every element's part of H is made positive
// semidefinite.
void tide_stiffness_evaluate(tide_stiffness *stiffness, const tide_system *system, const double *x, bool project,
                             double a, double b);
// Computes out = (a H + b L) v, (3 * particle_count) both, from the v of all particles; 0 for pinned ones. The same
// bits for any number of threads. Uses memory of the system: one call at a time.
void tide_stiffness_multiply(const tide_stiffness *stiffness, const double *v, double *out);
// Computes out = (m M + a H + b L) v.
void tide_stiffness_apply(const tide_stiffness *stiffness, double m, const double *v, double *out);
// Computes the 3 x 3 diagonal blocks, row-major, (9 * particle_count), for Jacobi preconditioning.
void tide_stiffness_diagonal(const tide_stiffness *stiffness, double *out);

typedef struct tide_eigenvalue {
    double value;        // k0, 1/s^2: the largest eigenvalue of M^-1 K over free particles (Shinya 2005, eq. 27)
    uint32_t iterations; // of the power method
    bool converged;
} tide_eigenvalue;
// Computes the eigenvalue by the power method with momentum (linear/iterative.h) on M^-1/2 K M^-1/2, from a fixed
// pseudorandom start, so that the same state gives the same bits. `tolerance` bounds the relative error of the
// eigenvalue as far as the iteration can show it. It takes about 6 / sqrt(tolerance) iterations. `vector`
// (3 * free_count) receives the unit eigenvector of M^-1/2 K M^-1/2; `work` is (6 * free_count + 6 * particle_count).
tide_eigenvalue tide_stiffness_largest_eigenvalue(const tide_stiffness *stiffness, double tolerance,
                                                  uint32_t max_iterations, double *vector, double *work);

#endif
