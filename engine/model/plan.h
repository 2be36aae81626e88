// How a system's gradient is gathered: for each particle, where the gradients of its elements stand. Made by
// tide_system_finish, used by evaluate.c.
#ifndef TIDE_MODEL_PLAN_H
#define TIDE_MODEL_PLAN_H

#include "model/system.h"

// Slots are numbered through groups, elements and the elements' corners, in this order; a slot holds 3 numbers.
struct tide_system_plan {
    uint32_t *slot_start;      // (particle_count + 1)
    uint32_t *slots;           // (all corners) slots of each particle, ascending
    double *element_gradients; // (3 * all corners)
};

#endif
