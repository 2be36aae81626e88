// Solves by a factor of CHOLMOD's, for several right-hand sides together, in a workspace that stays.
#ifndef TIDE_FACTOR_CHOLMOD_COLUMNS_H
#define TIDE_FACTOR_CHOLMOD_COLUMNS_H

#include <suitesparse/cholmod.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct tide_cholmod_columns {
    cholmod_dense *b, *x, *y, *e; // right-hand sides, solutions, CHOLMOD's workspace
    uint32_t width;               // right-hand sides that there is room for
} tide_cholmod_columns;           // { 0 } is empty

// A x = b, both (rows * width), a row after the other. Allocates only for more right-hand sides than ever before. False
// when there is no memory.
bool tide_cholmod_columns_solve(tide_cholmod_columns *columns, cholmod_factor *factor, uint32_t width, const double *b,
                                double *x, cholmod_common *common);
void tide_cholmod_columns_free(tide_cholmod_columns *columns, cholmod_common *common); // leaves { 0 }

#endif
