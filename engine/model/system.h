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
    tide_elements *groups;         // (group_count)
    uint32_t late_group;           // the first of those added after tide_system_add_late; UINT32_MAX: none is
    struct tide_system_plan *plan; // how gradients are gathered; owned
} tide_system;

// An empty system of `particle_count` free particles of mass 1 kg.
tide_status tide_system_create(uint32_t particle_count, tide_system **system, tide_error *error);
void tide_system_destroy(tide_system *system); // NULL does nothing

// Adds a group of elements, copying `vertices` and `parameters` (laid out as in tide_elements). Empty groups are
// dropped. Fails on a particle out of range, a particle named twice by an element, and a parameter that is not finite.
tide_status tide_system_add(tide_system *system, const tide_element_kind *kind, uint32_t count,
                            const uint32_t *vertices, const double *parameters, tide_error *error);
// Says that the groups added from here on came later than the others, which may well stay when more come: factors are
// ordered for those others.
void tide_system_add_late(tide_system *system);
// Frees or pins particles: pinned (particle_count), then rows are numbered anew.
tide_status tide_system_set_pinned(tide_system *system, const bool *pinned, tide_error *error);
// To be called after the last change and before any of the following; solves with moved anchors need no new call.
// Fails on a mass that is not finite and above 0 (a pinned particle's may be 0).
tide_status tide_system_finish(tide_system *system, tide_error *error);

// To be called when stiffnesses or rest lengths of springs have been changed in place since.
void tide_system_refresh(tide_system *system);

// Energies and gradients use memory of the system: one call at a time.
double tide_system_energy(const tide_system *system, const double *x); // E(x), J
void tide_system_gradient(const tide_system *system, const double *x,
                          double *out); // dE/dx (3 * particle_count), N; 0 for pinned
double tide_system_objective(const tide_system *system, double h, const double *y, const double *x); // g(x)
void tide_system_objective_gradient(const tide_system *system, double h, const double *y, const double *x,
                                    double *out); // M (x - y) + h^2 dE/dx
// Both at once, which takes hardly longer than one of them; the same bits.
double tide_system_objective_and_gradient(const tide_system *system, double h, const double *y, const double *x,
                                          double *out);
// Euclidean norm and dot product over free particles of (3 * particle_count) arrays, in a fixed order.
double tide_system_norm(const tide_system *system, const double *a);
double tide_system_dot(const tide_system *system, const double *a, const double *b);
double tide_system_mass_dot(const tide_system *system, const double *a, const double *b); // a' M b

// Matrices over free particles; each frees what *out held.
tide_status tide_system_laplacian(const tide_system *system, tide_sparse *out,
                                  tide_error *error); // L: free_count square
tide_status tide_system_matrix(const tide_system *system, double h, tide_sparse *out,
                               tide_error *error); // A = M + h^2 L
// d2E/dx2, 3 free_count square, interleaved; with `project`, every element's part is made positive semidefinite.
tide_status tide_system_hessian(const tide_system *system, const double *x, bool project, tide_sparse *out,
                                tide_error *error);

// (3 * particle_count) to and from (3 * free_count); scatter leaves pinned particles as they are.
void tide_system_gather(const tide_system *system, const double *full, double *free_only);
void tide_system_scatter(const tide_system *system, const double *free_only, double *full);

#endif
