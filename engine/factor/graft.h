// An ordering for a matrix that has a few entries more than another matrix with a known ordering.
//
// A new entry between a row and its ancestor in the elimination tree causes fill-in along the path between them, in any
// ordering. For two rows in different branches, one is moved to where the branches meet: directly before the first
// common ancestor, as if it belonged to that separator. Each path then gets one more row. Without the move, one branch
// would get all rows of the other.
#ifndef TIDE_FACTOR_GRAFT_H
#define TIDE_FACTOR_GRAFT_H

#include "linear/sparse.h"

// Returns the parents in the elimination tree of `base`, (columns + 1), which the caller frees; the parent of a root is
// `columns`. `base` is symmetric with its diagonal stored; row k of its factor is its row order[k]. Returns NULL when
// there is no memory.
uint32_t *tide_graft_tree(const tide_sparse *base, const int32_t *order);

// Turns `order`, base's ordering with elimination tree `tree`, into an ordering for `matrix`, which has as many rows
// and contains base's pattern. The result depends only on the patterns and the order, and is not postordered. Returns
// false when there is no memory; the order is then unchanged.
bool tide_graft_order(const tide_sparse *base, const uint32_t *tree, const tide_sparse *matrix, int32_t *order);

#endif
