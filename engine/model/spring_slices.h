// Springs laid out for vectors: eight particles side by side, each with its springs one after another. A spring is
// stored for both of its ends, so that every particle sums its own springs and writes only its own result. There are no
// write conflicts, and the bits are the same for any number of threads. (The format is that of sliced sparse matrices,
// SELL-C-sigma: Kreutzer et al. 2014, A unified sparse matrix data format for efficient general sparse matrix-vector
// multiplication.)
#ifndef TIDE_MODEL_SPRING_SLICES_H
#define TIDE_MODEL_SPRING_SLICES_H

#include "model/system.h"

enum {
    TIDE_SLICE = 8,           // lanes: particles side by side
    TIDE_SLICE_WINDOW = 512,  // within so many particles, those with similar numbers of springs are grouped
    TIDE_SLICE_GRAIN = 2 * 64 // slices in a chunk of a parallel loop, whole windows: about 0.008 ms of work
};

// Slot s of slice i, start[i] <= s < start[i + 1], holds one spring for each lane. An empty place has stiffness and
// rest length 0.
typedef struct tide_spring_slices {
    uint32_t count, particle_count;
    uint32_t *start;                    // (count + 1)
    uint32_t *particles;                // (8 * count) particle of each lane; past the end, the last particle again
    double *masses;                     // (8 * count) kg; 0 for pinned particles and past the last
    uint8_t *present, *free;            // (count) bits: lanes with a particle, and those whose particle is free
    uint32_t *others;                   // (8 * slots) 4 times the particle at the spring's other end
    double *stiffnesses, *rest_lengths; // (8 * slots) N/m, m
    // Where all springs of a slot have the same stiffness, it is read once instead of eight times.
    double *common;    // (slots) N/m
    uint8_t *filled;   // (slots) bits: lanes that hold a spring
    bool *alike;       // (count) slices where this holds for all slots
    uint8_t *seconds;  // (slots) bits: lanes whose particle is the spring's second end
    uint32_t *places;  // (2 * springs) where each end of each spring is stored: 8 * slot + lane
    double *positions; // (4 * particle_count) x, y, z, 0
} tide_spring_slices;

// Makes the slices of the springs of all groups. *out is NULL when there are none, and when most lanes would be empty,
// for example because one particle has far more springs than the others.
tide_status tide_spring_slices_make(const tide_system *system, tide_spring_slices **out, tide_error *error);
void tide_spring_slices_destroy(tide_spring_slices *slices); // NULL does nothing
// Copies masses, pins, stiffnesses and rest lengths from the system again.
void tide_spring_slices_refresh(tide_spring_slices *slices, const tide_system *system);

#endif
