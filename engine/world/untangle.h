// A start from a tangle: a state that was set from outside is searched for crossings before the next step; these are
// told, and pulled apart over the next steps (contact/tangle.h). Private to world/.
#ifndef TIDE_WORLD_UNTANGLE_H
#define TIDE_WORLD_UNTANGLE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    TIDE_UNTANGLE_PATIENCE = 120, // steps without progress after which untangling is given up
    TIDE_UNTANGLE_CLEAR = 4       // steps without crossings after which it is over: overlaps end in these
};

// Part of the state. It is stored with the history of contacts, if it is not all 0.
typedef struct tide_untangling {
    bool edited;                  // what may cross was changed other than by a step, besides positions
    bool active;                  // crossings are being pulled apart
    bool penetrating;             // points stayed inside colliders in the last step
    double best;                  // the least number of crossings and of points on wrong sides so far; 0: clear
    double since, steps, impulse; // steps without progress, or clear; all; N s so far
} tide_untangling;

struct tide_world;
// Before a step: searches if the state was changed from outside or is being untangled, and tells what is new.
tide_status tide_world_untangle(struct tide_world *world, tide_error *error);
void tide_world_pull_tangle(struct tide_world *world); // adds to the total forces of the step
// After a step: searches if the state was changed before it, as what only touched may cross now, or if a pin has
// jumped. Then notes the positions, so that a later change is seen.
void tide_world_settle_tangle(struct tide_world *world);
// Puts the state of untangling into the history of contacts, and reads it from one of frame `frame`.
tide_status tide_world_put_untangling(struct tide_world *world, tide_error *error);
void tide_world_take_untangling(struct tide_world *world, const void *history, size_t size, unsigned long long frame);

#endif
