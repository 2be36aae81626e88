// Which rows of a matrix are copies, as those of the vertices of a mesh that was torn.
#ifndef TIDE_FACTOR_SPLITS_H
#define TIDE_FACTOR_SPLITS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tide_splits {
    const uint32_t *origin; // (rows) the row itself, or the lower row that it was split from, which is no copy
    const bool *may_split;  // (rows) rows that have copies, or for which copies are expected
} tide_splits;

#endif
