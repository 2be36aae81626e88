// Solves several right-hand sides at once with a factor of CHOLMOD, in a workspace that is kept.
#ifndef TIDE_FACTOR_CHOLMOD_COLUMNS_H
#define TIDE_FACTOR_CHOLMOD_COLUMNS_H

#include <suitesparse/cholmod.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct tide_cholmod_columns {
    cholmod_dense *b, *x, *y, *e; // right-hand sides, solutions, CHOLMOD's workspace
    uint32_t width;               // number of right-hand sides that fit
} tide_cholmod_columns;           // { 0 } is empty

// Solves A x = b, both (rows * width) with one row after another. Allocates only when the width exceeds all earlier
// ones. Returns false when there is no memory.
bool tide_cholmod_columns_solve(tide_cholmod_columns *columns, cholmod_factor *factor, uint32_t width, const double *b,
                                double *x, cholmod_common *common);
void tide_cholmod_columns_free(tide_cholmod_columns *columns, cholmod_common *common); // leaves { 0 }

#endif
