// Velocity filters: a low pass over neighbouring particles after every substep of an explicit method, which damps the
// high frequencies as implicit methods do and so allows a longer substep.
//
//     v_i <- sum_j b_ij v_j / sum_j b_ij,    b(d) = lambda exp(-lambda |d|)     (Ahmad 2007, eq. 10)
//
// or, `symmetric`, with (v_j + v_i) / 2 for v_j, the exchange made the same for both: each pair gives and takes one
// momentum, so that the filter conserves it. Neighbours are the particles that share an element, and the particle
// itself; distances d are in units of the mean distance of neighbours, so that lambda does not depend on resolution.
// "gaussian": b(d) = exp(-(lambda d)^2 / 2) lambda / sqrt(2 pi).
//
// The symmetric pair (i, j) exchanges the momentum b_ij / (2 max(S_i, S_j)) min(m_i, m_j) (v_j - v_i), S the sums of b:
// where masses and sums are equal, that is the paper's formula. Its matrix F is symmetric against the masses with
// eigenvalues in (0, 1]. The other form's are negative for some modes when lambda is small (on a cloth with bending
// springs, below about 1.2, gaussian 2.3); Euler's methods then multiply these modes by more than 1 at any substep.
//
// A filter damps by so much a substep, however short that is: with ever shorter ones motion converges to none of the
// system's (its order of accuracy is 0, but for motion common to all neighbours).
//
// How much longer a substep may be: forward-backward Euler, with a filter of gain f between the new velocity and the
// new position, has the characteristic polynomial z^2 - (1 + f - h^2 f k) z + f on a mode of eigenvalue k, so that it
// is stable for h^2 < 2 (1 + f) / (f k). That is less than the 4 / (f k) of the paper's Algorithm 1 as soon as f < 1.
// In general h^2 < 4 / s with s the largest eigenvalue of 2 (I + F)^-1 F M^-1 K (exactly, with the symmetric form), and
// that is what automatic substeps take. Measured on a cloth, in units of the unfiltered limit, symmetric form, lambda =
// 0.5, 1, 2, 5, 10: Algorithm 1 has 1.34, 1.32, 1.24, 1.04, 1.001; motion diverges from 1.194, 1.180, 1.127, 1.019,
// 1.001 on, as s says. (A filter after the position has moved would shorten the substep: h^2 < 2 (1 + f) / k.)
#ifndef TIDE_SOLVER_FILTER_H
#define TIDE_SOLVER_FILTER_H

#include "base/field.h"
#include "model/stiffness.h"

enum { TIDE_FILTER_NONE, TIDE_FILTER_EXPONENTIAL, TIDE_FILTER_GAUSSIAN };

// The default lambda of 2 gives a neighbour at the mean distance exp(-2) = 0.14 of the particle's own weight: of the
// paper's range, 1 damps the whole motion visibly and from 10 up there is no effect.
typedef struct tide_filter {
    int kind;
    double lambda;
    bool symmetric;
} tide_filter;
extern const tide_field tide_filter_fields[]; // a record of tide_explicit_options

// Neighbours, as made from the elements, with their weights at the last positions.
typedef struct tide_filter_graph {
    uint32_t particle_count;
    uint32_t *first;      // (particle_count + 1)
    uint32_t *neighbours; // ascending, without the particle itself
    double *weights;      // what v_i takes of v_j - v_i
    double *sums;         // (particle_count) sum_j b_ij
    double *filtered;     // (3 * particle_count) workspace
    double unit;          // m: the mean distance of neighbours when it was made
} tide_filter_graph;      // { 0 } is empty

tide_status tide_filter_prepare(tide_filter_graph *graph, const tide_system *system, const double *x,
                                tide_error *error);
void tide_filter_free(tide_filter_graph *graph); // leaves { 0 }
// The weights at x (3 * particle_count).
void tide_filter_weigh(tide_filter_graph *graph, const tide_filter *filter, const tide_system *system, const double *x);
// Filters v (3 * particle_count) of free particles with the weights made last; pinned ones keep theirs.
void tide_filter_apply(tide_filter_graph *graph, const tide_system *system, double *v);

// Of the following, `stiffness` holds K at x, whose weights have been made; `vector` (3 * particle_count) and `work`
// (15 * particle_count) are scratch.
// The largest eigenvalue of M^-1 K with the filter after every multiplication: Ahmad 2007, algorithm 1.
double tide_filter_eigenvalue(tide_filter_graph *graph, const tide_stiffness *stiffness, double *vector, double *work);
// s of above: what takes the place of k0 in h_max = 2 / sqrt(k0).
double tide_filter_stable_eigenvalue(tide_filter_graph *graph, const tide_stiffness *stiffness, double *vector,
                                     double *work);
// The smallest eigenvalue of F.
double tide_filter_lowest_gain(tide_filter_graph *graph, const tide_system *system, double *vector);

#endif
