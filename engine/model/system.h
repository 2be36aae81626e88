// A system: particles with masses, elements between them, and which particles are free. The mathematics of a scene.
//
//     g(x) = 1/2 (x - y)' M (x - y) + h^2 E(x)        (Liu et al. 2013, eq. 8)
//
//     tide_system *system;
//     status = tide_system_create(2, &system, error);
//     status = tide_system_add(system, &tide_spring, 1, (uint32_t[]) { 0, 1 }, (double[]) { 100, 0.5 }, error);
//     status = tide_system_finish(system, error); // before anything is evaluated
//     double elastic = tide_system_energy(system, x);
//     tide_system_destroy(system);
//
// Units: kg, m, N, J. Ownership: the system copies what it is given and owns its arrays; `x` and `out` are the
// caller's. Errors: TIDE_ERROR_ARGUMENT for a particle or number out of range. Threads: evaluations use memory of the
// system, so one call at a time; different systems may be used by different threads.
//
// Positions are (3 * particle_count), interleaved. Pinned particles have no row: gradients are 0 there, matrices leave
// them out. Sums are in an order that does not depend on the number of threads.
#ifndef TIDE_MODEL_SYSTEM_H
#define TIDE_MODEL_SYSTEM_H

#include "base/error.h"
#include "linear/sparse.h"
#include "model/element.h"

#define TIDE_PINNED UINT32_MAX // the row of a pinned particle
enum { TIDE_SYSTEM_MAX_PARTICLES = INT32_MAX / 3 - 1 };

typedef struct tide_system {
    uint32_t particle_count;
    double *masses; // (particle_count) kg
    uint32_t *rows; // (particle_count) row of each free particle, ascending; TIDE_PINNED
    uint32_t free_count;
    uint32_t *free_particles; // (free_count) particle of each row
    uint32_t group_count;
    tide_elements *groups; // (group_count)
    uint32_t late_group;   // first group after tide_system_add_late; UINT32_MAX: there is none
    uint32_t *origins;     // (particle_count) the particle that each was split from, or itself; NULL: none splits
    bool *may_split;       // (particle_count) it has copies, or is expected to; NULL with `origins`
    struct tide_system_plan *plan; // how gradients are summed; owned
} tide_system;

// Creates a system of `particle_count` free particles of mass 1 kg, without elements.
tide_status tide_system_create(uint32_t particle_count, tide_system **system, tide_error *error);
void tide_system_destroy(tide_system *system); // NULL does nothing

// Adds a group of elements and copies `vertices` and `parameters` (laid out as in tide_elements). An empty group is
// ignored. Fails when a particle is out of range, when an element names a particle twice, and when a parameter is not
// finite.
tide_status tide_system_add(tide_system *system, const tide_element_kind *kind, uint32_t count,
                            const uint32_t *vertices, const double *parameters, tide_error *error);
// Marks the groups added from here on as late. The earlier groups are expected to stay when more late ones follow, so
// factors are ordered for the earlier groups.
void tide_system_add_late(tide_system *system);
// Sets which particles are pinned, `pinned` (particle_count), and renumbers the rows.
tide_status tide_system_set_pinned(tide_system *system, const bool *pinned, tide_error *error);
// Tells which particles are copies made when a mesh was split, or may get copies: origins[p] (particle_count) is p, or
// the lower particle that p was split from, which is no copy itself. Factors are then updated in place
// (tide_cholesky_factor_split).
tide_status tide_system_set_splits(tide_system *system, const uint32_t *origins, const bool *may_split,
                                   tide_error *error);
// Completes the system; call it after the last change and before any of the following functions. Moving anchors needs
// no new call. Fails on a mass that is not finite and above 0 (a pinned particle's may be 0).
tide_status tide_system_finish(tide_system *system, tide_error *error);

// Takes over stiffnesses or rest lengths of springs that were changed in place after tide_system_finish.
void tide_system_refresh(tide_system *system);

// Tells whether the Hessian may exceed L: the system has elements of a kind with `exceeds_laplacian`.
bool tide_system_exceeds_laplacian(const tide_system *system);

// Prepares groups whose elements are coupled (element.h) for x. The functions below call it; callers of a kind's own
// functions do so before.
void tide_system_couple(const tide_system *system, const double *x);
const tide_elements *tide_system_coupled(const tide_system *system); // the first coupled group; NULL: there is none

// Energies and gradients use memory of the system: one call at a time.
double tide_system_energy(const tide_system *system, const double *x); // E(x), J
void tide_system_gradient(const tide_system *system, const double *x,
                          double *out); // dE/dx (3 * particle_count), N; 0 for pinned
double tide_system_objective(const tide_system *system, double h, const double *y, const double *x); // g(x)
void tide_system_objective_gradient(const tide_system *system, double h, const double *y, const double *x,
                                    double *out); // M (x - y) + h^2 dE/dx
// Computes both at hardly more cost than one; the same bits.
double tide_system_objective_and_gradient(const tide_system *system, double h, const double *y, const double *x,
                                          double *out);
// Return the Euclidean norm and the dot product of (3 * particle_count) arrays over free particles, summed in a fixed
// order.
double tide_system_norm(const tide_system *system, const double *a);
double tide_system_dot(const tide_system *system, const double *a, const double *b);
double tide_system_mass_dot(const tide_system *system, const double *a, const double *b); // a' M b

// Matrices over free particles. Each function frees what *out held.
tide_status tide_system_laplacian(const tide_system *system, tide_sparse *out,
                                  tide_error *error); // L: free_count square
tide_status tide_system_matrix(const tide_system *system, double h, tide_sparse *out,
                               tide_error *error); // A = M + h^2 L
// Computes d2E/dx2, 3 free_count square, interleaved. With `project`, every element's part is made positive
// semidefinite. Coupled groups (element.h) join all their particles, so that the matrix is full there.
tide_status tide_system_hessian(const tide_system *system, const double *x, bool project, tide_sparse *out,
                                tide_error *error);

// Copy (3 * particle_count) arrays to (3 * free_count) ones and back; scatter leaves pinned particles unchanged.
void tide_system_gather(const tide_system *system, const double *full, double *free_only);
void tide_system_scatter(const tide_system *system, const double *free_only, double *full);

#endif
