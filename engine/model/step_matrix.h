// The constant matrix of a step, m M + b L (Liu 2013, eq. 12). Its pattern stays the same while elements join the same
// particles: pins, cuts, stiffnesses and anchors change values only. The symbolic analysis then remains valid, and few
// columns of the factor change.
//
// Rows are particles. The row of a pinned particle holds its diagonal entry alone: with 0 on the right-hand side its
// solution is 0, and the other solutions are those of the matrix without it. When more than one particle in
// TIDE_MANY_PINNED is pinned, rows are free particles instead (tide_system.rows), since solving for the pinned ones
// would cost more than the fixed pattern saves.
#ifndef TIDE_MODEL_STEP_MATRIX_H
#define TIDE_MODEL_STEP_MATRIX_H

#include "model/system.h"

enum { TIDE_MANY_PINNED = 8 };

typedef struct tide_step_matrix {
    tide_sparse matrix; // symmetric, lower triangle
    tide_sparse base;   // pattern without the system's late elements; empty when it has none
    bool whole;         // rows are particles
    uint32_t *places;   // where the entry of each pair of corners goes, element by element, group by group
    uint64_t topology;  // hash of the topology that the pattern was made for
} tide_step_matrix;     // { 0 } is empty

// Fills the matrix. Makes a new pattern when the system's topology has changed since the last call; otherwise allocates
// nothing.
tide_status tide_step_matrix_fill(tide_step_matrix *matrix, const tide_system *system, double m, double b,
                                  tide_error *error);
void tide_step_matrix_free(tide_step_matrix *matrix); // leaves { 0 }
// Returns the particle of a row.
uint32_t tide_step_matrix_particle(const tide_step_matrix *matrix, const tide_system *system, uint32_t row);
// Returns whether rows are particles that may split; system->origins and system->may_split are then those of the rows.
bool tide_step_matrix_splits(const tide_step_matrix *matrix, const tide_system *system);

#endif
