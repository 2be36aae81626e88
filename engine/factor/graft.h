// An ordering for a matrix that has a few entries more than another whose ordering is known.
//
// An entry between two rows of which one hangs from the other in the elimination tree fills in along the path between
// them, whatever is done. Of two rows in different branches one is moved to where the branches meet, before the column
// that both hang from, as if it had been part of that separator: then both paths get one row more, where with the
// order as it was the one branch would get all rows of the other's.
#ifndef TIDE_FACTOR_GRAFT_H
#define TIDE_FACTOR_GRAFT_H

#include "linear/sparse.h"

// The parents in the elimination tree of `base`, symmetric with its diagonal stored, whose row order[k] is in row k of
// its factor: (columns + 1), to be freed; that of a root is `columns`. NULL when there is no memory.
uint32_t *tide_graft_tree(const tide_sparse *base, const int32_t *order);

// Makes base's `order`, with its tree, one for `matrix`, of as many rows, in which base's pattern is. What comes out
// depends on the patterns and the order alone, and is not postordered. False when there is no memory; the order is then
// as it was.
bool tide_graft_order(const tide_sparse *base, const uint32_t *tree, const tide_sparse *matrix, int32_t *order);

#endif
