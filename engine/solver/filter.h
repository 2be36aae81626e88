// Velocity filters: a low pass over neighbouring particles after every substep of an explicit method. It damps high
// frequencies as implicit methods do, and so allows a longer substep.
//
//     v_i <- sum_j b_ij v_j / sum_j b_ij,    b(d) = lambda exp(-lambda |d|)     (Ahmad 2007, eq. 10)
//
// With `symmetric`, (v_j + v_i) / 2 replaces v_j and both particles of a pair use the same weight: a pair exchanges
// equal and opposite momentum, so the filter conserves momentum. Neighbours are the particles that share an element,
// and the particle itself. Distances d are in units of the mean distance of neighbours, so lambda does not depend on
// resolution. "gaussian": b(d) = exp(-(lambda d)^2 / 2) lambda / sqrt(2 pi).
//
// The symmetric pair (i, j) exchanges the momentum b_ij / (2 max(S_i, S_j)) min(m_i, m_j) (v_j - v_i), with S_i the sum
// of b_ij over j. Where masses and sums are equal, this is the paper's formula. Its matrix F is symmetric in the inner
// product of the masses, with eigenvalues in (0, 1]. The other form has negative eigenvalues for some modes when lambda
// is small (on a cloth with bending springs, below about 1.2, gaussian 2.3); Euler's methods then amplify these modes
// at any substep.
//
// A filter damps by a fixed factor in each substep, however short. As substeps shrink, the motion does not converge to
// that of the system: the order of accuracy is 0, except for motion common to all neighbours.
//
// The longer substep: forward-backward Euler, with a filter of gain f between the new velocity and the new position,
// has the characteristic polynomial z^2 - (1 + f - h^2 f k) z + f on a mode of eigenvalue k. It is stable for h^2 < 2
// (1 + f) / (f k), which is less than the 4 / (f k) of the paper's Algorithm 1 for every f < 1. In general h^2 < 4 / s,
// with s the largest eigenvalue of 2 (I + F)^-1 F M^-1 K (exact with the symmetric form); automatic substeps use this
// s. Measured on a cloth with the symmetric form for lambda = 0.5, 1, 2, 5, 10, in units of the unfiltered limit:
// Algorithm 1 gives 1.34, 1.32, 1.24, 1.04, 1.001; motion diverges from 1.194, 1.180, 1.127, 1.019, 1.001 on, as s
// predicts. (A filter after the position has moved would shorten the substep: h^2 < 2 (1 + f) / k.)
#ifndef TIDE_SOLVER_FILTER_H
#define TIDE_SOLVER_FILTER_H

#include "base/field.h"
#include "model/stiffness.h"

enum { TIDE_FILTER_NONE, TIDE_FILTER_EXPONENTIAL, TIDE_FILTER_GAUSSIAN };

// With the default lambda of 2, a neighbour at the mean distance has exp(-2) = 0.14 of the particle's own weight.
// Within the paper's range, 1 damps the whole motion visibly and values from 10 on have no effect.
typedef struct tide_filter {
    int kind;
    double lambda;
    bool symmetric;
} tide_filter;
extern const tide_field tide_filter_fields[]; // for a record within tide_explicit_options

// The neighbours of each particle, found from the elements, and their weights at the last positions.
typedef struct tide_filter_graph {
    void *memory; // owns the arrays
    uint32_t particle_count;
    uint32_t *first;      // (particle_count + 1)
    uint32_t *neighbours; // ascending, without the particle itself
    double *weights;      // the fraction of v_j - v_i that is added to v_i
    double *sums;         // (particle_count) sum_j b_ij
    double *filtered;     // (3 * particle_count) workspace
    double unit;          // m: mean distance of neighbours when the graph was made
} tide_filter_graph;      // { 0 } is empty

tide_status tide_filter_prepare(tide_filter_graph *graph, const tide_system *system, const double *x,
                                tide_error *error);
void tide_filter_free(tide_filter_graph *graph); // leaves { 0 }
// Computes the weights at x (3 * particle_count).
void tide_filter_weigh(tide_filter_graph *graph, const tide_filter *filter, const tide_system *system, const double *x);
// Filters v (3 * particle_count) of free particles with the last weights; pinned particles keep their velocities.
void tide_filter_apply(tide_filter_graph *graph, const tide_system *system, double *v);

// In the next functions `stiffness` holds K at x, and the weights are those at x. `vector` (3 * particle_count) and
// `work` (15 * particle_count) are scratch. Returns the largest eigenvalue of M^-1 K with the filter after every
// multiplication: Ahmad 2007, algorithm 1.
double tide_filter_eigenvalue(tide_filter_graph *graph, const tide_stiffness *stiffness, double *vector, double *work);
// Returns the s defined above, which replaces k0 in h_max = 2 / sqrt(k0).
double tide_filter_stable_eigenvalue(tide_filter_graph *graph, const tide_stiffness *stiffness, double *vector,
                                     double *work);
// Returns the smallest eigenvalue of F.
double tide_filter_lowest_gain(tide_filter_graph *graph, const tide_system *system, double *vector);

#endif
