// One iteration of the accelerated projected gradient (projected_gradient.h) for blocks of contacts, eight at once.
#ifndef TIDE_CONTACT_GRADIENT_BLOCKS_H
#define TIDE_CONTACT_GRADIENT_BLOCKS_H

#include "contact/friction.h"

#include <stdint.h>

enum { TIDE_GRADIENT_LANES = 8 };
typedef float tide_gradient_vector __attribute__((vector_size(16), may_alias)); // x, y, z, 0
typedef float tide_gradient_lanes __attribute__((vector_size(32), may_alias));  // a number of each lane

// Eight contacts, a lane each. Impulses are kg m, W is 1/kg. gap and slip are those at displacements of 0. Lanes
// without a contact never touch.
typedef struct tide_gradient_block {
    tide_gradient_lanes normal[3], slip[3];
    tide_gradient_lanes impulse[3]; // of this iteration
    tide_gradient_lanes before[3];  // of the last iteration
    tide_gradient_lanes ahead[3];   // extrapolated: that which the displacements contain
    tide_gradient_lanes gap, stiffness;
    tide_gradient_lanes friction;         // the coefficient; negative where it depends on the direction
    tide_gradient_lanes deepest, against; // of this iteration: depth, m; change against the extrapolation
    uint32_t first, bearers;              // rows of bearers: the most that one of the contacts has
    bool directed;                        // the friction of a contact depends on the direction
} tide_gradient_block;

// The n-th bearers of the contacts of a block; without one, a weight of 0.
typedef struct tide_gradient_row {
    tide_gradient_lanes weight;
    uint32_t slot[TIDE_GRADIENT_LANES];
} tide_gradient_row;

typedef struct tide_gradient_pass {
    tide_gradient_block *blocks;
    const tide_gradient_row *rows;
    const tide_gradient_vector *moved; // m, displacements of the particles of the slots
    const tide_friction *frictions;    // of each contact
    tide_gradient_vector *changes;     // out: of `ahead` of each contact
    float part;                        // of its last change by which an impulse is extrapolated
} tide_gradient_pass;

// Updates the impulses of some blocks, and extrapolates them. The context is a tide_gradient_pass.
typedef void tide_gradient_update(void *pass, uint32_t begin, uint32_t end);
tide_gradient_update *tide_gradient_update_choose(void); // for this processor; all give the same

#endif
