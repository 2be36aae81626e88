// A line search for the descent methods: from x along a direction to a point where g has decreased enough.
//
// Accepts a length a when g(x + a d) <= g(x) + 1e-4 a d'grad g(x) (Armijo), or, where rounding hides the decrease of
// g, when the slope says so: |g(x + a d) - g(x)| within rounding and (2 * 1e-4 - 1) phi'(0) >= phi'(a) (the approximate
// Wolfe condition of Hager and Zhang 2005, eq. 4.1). Tries 1 first, then shortens by interpolation.
#ifndef TIDE_SOLVER_LINE_SEARCH_H
#define TIDE_SOLVER_LINE_SEARCH_H

#include "solver/objective.h"

typedef struct tide_line_search {
    double *x, *gradient; // (3 * particle_count) where the search is
    double value, norm;   // g and |grad g| there
    double *trial_x, *trial_gradient;
    uint32_t particle_count;
    double length;   // that was accepted last
    uint32_t trials; // of the last search
} tide_line_search;  // { 0 } is empty

tide_status tide_line_search_prepare(tide_line_search *search, const tide_system *system, tide_error *error);
void tide_line_search_free(tide_line_search *search); // leaves { 0 }
// Starts at x (copied): evaluates g and its gradient there.
void tide_line_search_begin(tide_line_search *search, const tide_objective *objective, const double *x);
// Goes to trial_x, whose gradient is in trial_gradient; the caller knows `value` and `norm`.
void tide_line_search_exchange(tide_line_search *search);
// Moves along `direction` (3 * particle_count) from the first length `first`. False, having moved nowhere, when the
// direction does not descend or no length is accepted.
bool tide_line_search_move(tide_line_search *search, const tide_objective *objective, const double *direction,
                           double first);

#endif
