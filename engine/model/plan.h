// The plan by which contributions of elements are summed at particles: it lists, for each particle, where its
// contributions are stored. Made by tide_system_finish, used by tide_system_accumulate.
#ifndef TIDE_MODEL_PLAN_H
#define TIDE_MODEL_PLAN_H

#include "model/constant_rows.h"
#include "model/spring_slices.h"

// Slots are numbered by group, then element, then corner. A slot holds 3 numbers.
struct tide_system_plan {
    uint32_t *slot_start;       // (particle_count + 1)
    uint32_t *slots;            // (all corners) slots of each particle, ascending
    uint32_t *slot_rows;        // (particle_count) first slot of elements in `rows`; NULL: there are none
    double *element_gradients;  // (3 * all corners)
    tide_spring_slices *slices; // of all springs; NULL when they would not be faster
    tide_constant_rows *rows;   // of all elements with a constant Hessian; NULL: there are none
    double rows_energy;         // of the last evaluation of energies with gradients, as `energies`
    double *energies;           // (group_count)
    double *positions;          // (4 * particle_count) x, y, z, 0; those of the slices if there are slices
    double *sums;               // (4 * particle_count) gradients
    bool others;                // not all elements are in the slices
};

// Tells whether gradients and energies of a group come from the rows.
static inline bool tide_plan_in_rows(const struct tide_system_plan *plan, const tide_elements *group)
{
    return plan->rows && group->kind->constant_hessian;
}

// Computes the contributions of elements begin ... end - 1 of group g to their particles, (3 * vertex_count) each.
typedef void tide_element_map(const void *context, const tide_system *system, uint32_t g, uint32_t begin, uint32_t end,
                              double *out);
// Computes out (3 * particle_count), the sum of the contributions at each particle; 0 for pinned particles. The same
// bits for any number of threads.
void tide_system_accumulate(const tide_system *system, tide_element_map *map, const void *context, double *out);
// Sums the contributions of elements that are not springs, which are few. Returns NULL when there are none.
const double *tide_system_accumulate_others(const tide_system *system, tide_element_map *map, const void *context);

#endif
