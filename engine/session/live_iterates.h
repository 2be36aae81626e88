// The iterates x_0, x_1, ... x_n of the next step of a running experiment, to look at before the step is taken.
//
// x_0 is y, the motion by inertia and external forces alone (Liu et al. 2013, eq. 8). x_k is the result of the step if
// the solver stops after k iterations (in each substep). A fork of the world takes the step with that option changed,
// so x_n equals the step's own result exactly. The world itself is restored. The scene's `update` is called once for
// this; as with going back, only scene.state is restored of what it changes. scene's `update`, which is called once for
// this, what it keeps outside of scene.state is not, as when going back.
#ifndef TIDE_SESSION_LIVE_ITERATES_H
#define TIDE_SESSION_LIVE_ITERATES_H

#include "session/live.h"

typedef struct tide_iterates tide_iterates;

typedef struct tide_iterate {
    tide_world *world; // a fork with the positions x_k, for drawing; owned by the iterates
    uint32_t index, count;
    // (3 * particle_count) -grad g(x_k) / h^2 with the contact forces, N; 0 for pinned particles. NULL if the method
    // does not minimise g or takes several substeps
    const double *residual;
    double g;             // J s^2; NAN: unknown
    double gradient_norm; // kg m; NAN: unknown
    // (g(x_k) - g(x*)) / (g(x_0) - g(x*)), eq. 15, with x* by L-BFGS until convergence, and g with the contact forces
    // at x*. Vertices in contact at x* start from there. NAN: unknown, and for y with contacts
    double left;
    char text[256]; // "iteration 3 of 10: g = ..., |grad g| = ..., 12 % of the error left"
} tide_iterate;

// Returns whether the current solver has iterations to show. If not, writes why.
bool tide_iterates_can_show(tide_live *live, char *why, size_t size);

// Takes the step on a fork and shows x_0. Fails as a step does, and if there are no iterations to show.
tide_status tide_iterates_begin(tide_live *live, tide_iterates **iterates, tide_error *error);
void tide_iterates_end(tide_iterates *iterates); // NULL does nothing
// Shows x_index, from 0 to the count. On failure the shown iterate stays.
tide_status tide_iterates_go(tide_iterates *iterates, uint32_t index, tide_error *error);
const tide_iterate *tide_iterates_shown(const tide_iterates *iterates);

#endif
