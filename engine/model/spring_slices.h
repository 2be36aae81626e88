// Springs laid out for vectors: eight particles side by side, each with its springs one after another. A spring is
// there for both its ends, so that every particle adds up its own and none writes what is another's: no conflicts, and
// the same bits for any number of threads. (The format is that of sparse matrices in slices: Kreutzer et al. 2014, A
// unified sparse matrix data format for efficient general sparse matrix-vector multiplication: SELL-C-sigma.)
#ifndef TIDE_MODEL_SPRING_SLICES_H
#define TIDE_MODEL_SPRING_SLICES_H

#include "model/system.h"

enum {
    TIDE_SLICE = 8,           // particles side by side: lanes
    TIDE_SLICE_WINDOW = 512,  // particles in which those of as many springs are brought together
    TIDE_SLICE_GRAIN = 2 * 64 // slices of a chunk of a parallel loop, whole windows: about 0.008 ms of work
};

// Slot s of slice i, start[i] <= s < start[i + 1], holds a spring of each lane, or none: of stiffness and rest length
// 0.
typedef struct tide_spring_slices {
    uint32_t count, particle_count;
    uint32_t *start;                    // (count + 1)
    uint32_t *particles;                // (8 * count) of the lanes; past the last particle, the last again
    double *masses;                     // (8 * count) kg; 0 of pinned particles and past the last
    uint8_t *present, *free;            // (count) bits: lanes that are there, and of these, those not pinned
    uint32_t *others;                   // (8 * slots) 4 times the particle at the spring's other end
    double *stiffnesses, *rest_lengths; // (8 * slots) N/m, m
    // Where the springs of a slot are all as stiff, its stiffness need not be read eight times.
    double *common;    // (slots) N/m
    uint8_t *filled;   // (slots) bits: lanes that hold a spring
    bool *alike;       // (count) slices of which all slots are so
    uint8_t *seconds;  // (slots) bits: lanes whose particle is the spring's second end
    uint32_t *places;  // (2 * springs) where the spring of each end is in the above: 8 * slot + lane
    double *positions; // (4 * particle_count) x, y, z, 0
} tide_spring_slices;

// Of the springs of all groups; *out is NULL when there are none, and when most lanes would be empty, as of a particle
// with far more springs than the others have.
tide_status tide_spring_slices_make(const tide_system *system, tide_spring_slices **out, tide_error *error);
void tide_spring_slices_destroy(tide_spring_slices *slices); // NULL does nothing
// Takes masses, pins, stiffnesses and rest lengths anew.
void tide_spring_slices_refresh(tide_spring_slices *slices, const tide_system *system);

#endif
