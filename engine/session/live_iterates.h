// The iterates x_0, x_1, ... x_n of the step that a running experiment is to take next, to look at before it is taken.
//
// x_0 is y, where inertia and outer forces alone lead (Liu et al. 2013, eq. 8). x_k is where the step would end if the
// solver stopped after k of its iterations (in each of its substeps): a fork of the world takes the step with that
// option changed, so that x_n is the step's own result to the last bit. The world itself is put back as it was; of a
// scene's `update`, which is called once for this, what it keeps outside of scene.state is not, as when going back.
#ifndef TIDE_SESSION_LIVE_ITERATES_H
#define TIDE_SESSION_LIVE_ITERATES_H

#include "session/live.h"

typedef struct tide_iterates tide_iterates;

typedef struct tide_iterate {
    tide_world *world; // a fork with x_k as its positions, for drawing; owned by the iterates
    uint32_t index, count;
    // (3 * particle_count) -grad g(x_k) / h^2, N, with the contacts' forces, 0 for pinned particles; NULL where g is
    // not what the method minimises, or more substeps than one
    const double *residual;
    double g;             // J s^2; NAN: not known
    double gradient_norm; // kg m, likewise
    // (g(x_k) - g(x*)) / (g(x_0) - g(x*)), eq. 15, x* by L-BFGS to its end and g with the contacts' forces there; what
    // touches something at x* begins there. NAN likewise, and of y with contacts
    double left;
    char text[256]; // "iteration 3 of 10: g = ..., |grad g| = ..., 12 % of the error left"
} tide_iterate;

// Whether the solver in force has iterations to be shown; otherwise why not, in words.
bool tide_iterates_can_show(tide_live *live, char *why, size_t size);

// Takes the step on a fork, and begins at x_0. Fails as a step does, and where there are none to be shown.
tide_status tide_iterates_begin(tide_live *live, tide_iterates **iterates, tide_error *error);
void tide_iterates_end(tide_iterates *iterates); // NULL does nothing
// Goes to x_index, from 0 to the count. On failure it stays.
tide_status tide_iterates_go(tide_iterates *iterates, uint32_t index, tide_error *error);
const tide_iterate *tide_iterates_shown(const tide_iterates *iterates);

#endif
