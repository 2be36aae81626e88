// One step of smoothed aggregation (Vanek, Mandel and Brezina 1996): which unknowns of a matrix make one of a coarser
// matrix, and that matrix. Serial, in a fixed order.
#ifndef TIDE_LINEAR_COARSENING_H
#define TIDE_LINEAR_COARSENING_H

#include "linear/rows.h"

// P = (1 - omega D^-1 A) P0, with P0 1 where an unknown (row) is in an aggregate (column) of unknowns that are strongly
// joined: |a_ij| >= strength sqrt(a_ii a_jj). Rows of unknowns that are joined to none have no entry in P0.
bool tide_coarsen(const tide_rows *a, double strength, double omega, tide_rows *prolongation);

// A B. False when there is no memory; *product is then empty.
bool tide_rows_multiply(const tide_rows *a, const tide_rows *b, tide_rows *product);

#endif
