// A line search for the descent methods: finds a point along a direction from x where g has decreased enough.
//
// Accepts a length a when g(x + a d) <= g(x) + 1e-4 a d'grad g(x) (Armijo). Where rounding hides the decrease of g, it
// tests the slope instead: |g(x + a d) - g(x)| within rounding and (2 * 1e-4 - 1) phi'(0) >= phi'(a) (the approximate
// Wolfe condition of Hager and Zhang 2005, eq. 4.1). Tries the given length first, then shortens by interpolation.
#ifndef TIDE_SOLVER_LINE_SEARCH_H
#define TIDE_SOLVER_LINE_SEARCH_H

#include "solver/objective.h"

typedef struct tide_line_search {
    void *memory;         // owns the arrays
    double *x, *gradient; // (3 * particle_count) current point and gradient there
    double value, norm;   // g and |grad g| at the current point
    double *trial_x, *trial_gradient;
    uint32_t particle_count;
    double held;     // kg m^2: the search lowers g + (1 - a)^2 held / 2; 0 except with supports (newton_minimiser.c)
    double length;   // accepted by the last search
    uint32_t trials; // evaluations in the last search
} tide_line_search;  // { 0 } is empty

tide_status tide_line_search_prepare(tide_line_search *search, const tide_system *system, tide_error *error);
void tide_line_search_free(tide_line_search *search); // leaves { 0 }
// Starts at x, which is copied, and evaluates g and its gradient there.
void tide_line_search_begin(tide_line_search *search, const tide_objective *objective, const double *x);
// Makes trial_x the current point, with trial_gradient as its gradient. The caller sets `value` and `norm`.
void tide_line_search_exchange(tide_line_search *search);
// Moves along `direction` (3 * particle_count); `first` is the first length to try. Returns false, without moving, when
// the direction does not descend or no length is accepted.
bool tide_line_search_move(tide_line_search *search, const tide_objective *objective, const double *direction,
                           double first);

#endif
