// How what elements give their particles is summed: for each particle, where its elements' parts stand. Made by
// tide_system_finish, used by tide_system_accumulate.
#ifndef TIDE_MODEL_PLAN_H
#define TIDE_MODEL_PLAN_H

#include "model/spring_slices.h"

// Slots are numbered through groups, elements and the elements' corners, in this order; a slot holds 3 numbers.
struct tide_system_plan {
    uint32_t *slot_start;       // (particle_count + 1)
    uint32_t *slots;            // (all corners) slots of each particle, ascending
    double *element_gradients;  // (3 * all corners)
    tide_spring_slices *slices; // of all springs; NULL when they are not worth it
    double *others;             // (3 * particle_count) what other elements give; NULL when all are springs
};

// Numbers that elements give their particles: for elements begin ... end - 1 of group g, (3 * vertex_count) each.
typedef void tide_element_map(const void *context, const tide_system *system, uint32_t g, uint32_t begin, uint32_t end,
                              double *out);
// out (3 * particle_count) = the sum of what each particle's elements give it; 0 for pinned particles. The same bits
// for any number of threads.
void tide_system_accumulate(const tide_system *system, tide_element_map *map, const void *context, double *out);
// The same of elements that are no springs, which are few, into the plan's `others`; NULL when there are none.
const double *tide_system_accumulate_others(const tide_system *system, tide_element_map *map, const void *context);

#endif
