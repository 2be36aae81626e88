// The constant matrix of a step, m M + b L (Liu 2013, eq. 12), in a pattern that stays while elements join the same
// particles: what is pinned, cut, made stiffer or anchored changes values only, so that an analysis of the matrix stays
// good and few columns of its factor change.
//
// Rows are particles. That of a pinned one has its diagonal entry alone: with 0 on the right its solution is 0, and the
// others' are those of the matrix without it. Where more than one particle in TIDE_MANY_PINNED is pinned, rows are
// free particles instead (tide_system.rows), as solving for the others would cost more than it saves.
#ifndef TIDE_MODEL_STEP_MATRIX_H
#define TIDE_MODEL_STEP_MATRIX_H

#include "model/system.h"

enum { TIDE_MANY_PINNED = 8 };

typedef struct tide_step_matrix {
    tide_sparse matrix; // symmetric, lower triangle
    tide_sparse base;   // the pattern without the system's late elements; empty when it has none
    bool whole;         // rows are particles
    uint32_t *places;   // where the entry of each two corners of each element goes, group by group
    uint64_t topology;  // hash of what the pattern is of
} tide_step_matrix;     // { 0 } is empty

// The pattern is made when the system joins other particles than the last time; otherwise allocates nothing.
tide_status tide_step_matrix_fill(tide_step_matrix *matrix, const tide_system *system, double m, double b,
                                  tide_error *error);
void tide_step_matrix_free(tide_step_matrix *matrix); // leaves { 0 }
uint32_t tide_step_matrix_particle(const tide_step_matrix *matrix, const tide_system *system, uint32_t row);

#endif
