// Colourings for Gauss-Seidel methods. Elements of one colour share no particle, and particles of one colour share no
// element. Items of one colour can be processed in parallel, in any order, with the same result.
#ifndef TIDE_MODEL_COLOURING_H
#define TIDE_MODEL_COLOURING_H

#include "model/system.h"

// Items 0 ... count - 1 sorted by colour and ascending within a colour. Colour c holds items[start[c]] ...
// items[start[c + 1] - 1].
typedef struct tide_colouring {
    uint32_t colours, count;
    uint32_t *start; // (colours + 1)
    uint32_t *items; // (count)
} tide_colouring;    // { 0 } is empty

// Colours free particles; two that share an element get different colours. Greedy, in the order of the particles.
tide_status tide_colour_particles(const tide_system *system, tide_colouring *colouring, tide_error *error);
// Colours the elements of all groups, numbered through the groups; two that share a free particle get different
// colours.
tide_status tide_colour_elements(const tide_system *system, tide_colouring *colouring, tide_error *error);
void tide_colouring_free(tide_colouring *colouring); // leaves { 0 }

// The corners of each particle: those of particle p are corners first[p] ... first[p + 1] - 1, in the order of groups.
typedef struct tide_incidence {
    uint32_t *first;      // (particle_count + 1)
    tide_corner *corners; // (all corners)
} tide_incidence;         // { 0 } is empty
tide_status tide_incidence_make(const tide_system *system, tide_incidence *incidence, tide_error *error);
void tide_incidence_free(tide_incidence *incidence); // leaves { 0 }

#endif
