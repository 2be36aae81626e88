// The plan by which contributions of elements are summed at particles: it lists, for each particle, where its
// contributions are stored. Made by tide_system_finish, used by tide_system_accumulate.
#ifndef TIDE_MODEL_PLAN_H
#define TIDE_MODEL_PLAN_H

#include "model/spring_slices.h"

// Slots are numbered by group, then element, then corner. A slot holds 3 numbers.
struct tide_system_plan {
    uint32_t *slot_start;       // (particle_count + 1)
    uint32_t *slots;            // (all corners) slots of each particle, ascending
    double *element_gradients;  // (3 * all corners)
    tide_spring_slices *slices; // of all springs; NULL when they would not be faster
    double *others;             // (3 * particle_count) sums over the other elements; NULL when all are springs
};

// Computes the contributions of elements begin ... end - 1 of group g to their particles, (3 * vertex_count) each.
typedef void tide_element_map(const void *context, const tide_system *system, uint32_t g, uint32_t begin, uint32_t end,
                              double *out);
// Computes out (3 * particle_count), the sum of the contributions at each particle; 0 for pinned particles. The same
// bits for any number of threads.
void tide_system_accumulate(const tide_system *system, tide_element_map *map, const void *context, double *out);
// Sums the contributions of elements that are not springs, which are few, into the plan's `others`. Returns NULL when
// there are none.
const double *tide_system_accumulate_others(const tide_system *system, tide_element_map *map, const void *context);

#endif
