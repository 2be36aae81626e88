// Colourings for Gauss-Seidel methods: what has one colour shares no particle (elements) or no element (particles), so
// that it may be worked on in parallel, in any order, with the same result.
#ifndef TIDE_MODEL_COLOURING_H
#define TIDE_MODEL_COLOURING_H

#include "model/system.h"

// Items 0 ... count - 1 sorted by colour, ascending within one: colour c holds items[start[c]] ... items[start[c + 1] -
// 1].
typedef struct tide_colouring {
    uint32_t colours, count;
    uint32_t *start; // (colours + 1)
    uint32_t *items; // (count)
} tide_colouring;    // { 0 } is empty

// Free particles, by which elements they share. Greedy, in the order of the particles.
tide_status tide_colour_particles(const tide_system *system, tide_colouring *colouring, tide_error *error);
// Elements of all groups, numbered through the groups, by which free particles they share.
tide_status tide_colour_elements(const tide_system *system, tide_colouring *colouring, tide_error *error);
void tide_colouring_free(tide_colouring *colouring); // leaves { 0 }

// The elements of each particle: corners first[p] ... first[p + 1] - 1 of particle p.
typedef struct tide_corner {
    uint32_t group, element, corner;
} tide_corner;
typedef struct tide_incidence {
    uint32_t *first;      // (particle_count + 1)
    tide_corner *corners; // (all corners)
} tide_incidence;         // { 0 } is empty
tide_status tide_incidence_make(const tide_system *system, tide_incidence *incidence, tide_error *error);
void tide_incidence_free(tide_incidence *incidence); // leaves { 0 }

#endif
