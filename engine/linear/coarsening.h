// One level of smoothed aggregation (Vanek, Mandel and Brezina 1996): the prolongation from a coarser level, and the
// matrix products from which the coarser matrix is formed. Serial, in a fixed order.
#ifndef TIDE_LINEAR_COARSENING_H
#define TIDE_LINEAR_COARSENING_H

#include "linear/rows.h"

// Computes P = (1 - omega D^-1 A) P0. P0 has one row for each unknown and one column for each aggregate; an entry is 1
// where the unknown is in the aggregate. Aggregates join unknowns with strong couplings: |a_ij| >= strength sqrt(a_ii
// a_jj). The row of an unknown without strong couplings is empty in P0. Returns false when there is no memory.
bool tide_coarsen(const tide_rows *a, double strength, double omega, tide_rows *prolongation);

// Computes the product A B. Returns false when there is no memory; *product is then empty.
bool tide_rows_multiply(const tide_rows *a, const tide_rows *b, tide_rows *product);

#endif
