// Products of sparse matrices.
#ifndef TIDE_LINEAR_SPARSE_PRODUCT_H
#define TIDE_LINEAR_SPARSE_PRODUCT_H

#include "linear/sparse.h"

// Computes A B, which stores all entries, also if it is symmetric. Frees what *product held, which must be neither A
// nor B. Serial. Fails if A has not as many columns as B has rows.
tide_status tide_sparse_product(const tide_sparse *a, const tide_sparse *b, tide_sparse *product, tide_error *error);

#endif
