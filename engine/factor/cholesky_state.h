// The members of a tide_cholesky, and what its files share: cholesky.c, and cholesky_split.c for rows that split.
#ifndef TIDE_FACTOR_CHOLESKY_STATE_H
#define TIDE_FACTOR_CHOLESKY_STATE_H

#include "factor/cholesky.h"
#include "factor/cholmod_columns.h"
#include "factor/ordered.h"
#include "factor/orderings.h"
#include "factor/panel_solve.h"
#include "factor/split_pattern.h"

struct tide_cholesky {
    cholmod_common common;
    cholmod_factor *factor; // NULL before the first analysis, and for an empty matrix
    tide_ordered ordered;
    tide_cholmod_columns columns;
    bool analysed, factored;
    tide_cholesky_key key;    // of the matrix analysed and of the values factored
    tide_solve_method method; // the solve method chosen; info.method is that in use
    int bits;
    uint32_t sides;          // right-hand sides of solves by panels
    tide_panel_solve panels; // laid out by the analysis, unless CHOLMOD was chosen
    double *trial;           // (9 * rows), or (3 * rows) for one right-hand side: workspace of the test
    size_t memory_limit;
    bool iterates;             // conjugate gradients: chosen, or because the factor is too large
    tide_multigrid *multigrid; // used if `iterates`
    tide_kept_order kept;
    tide_split_pattern split; // the pattern of the panels, if info.split
    tide_cholesky_info info;
};

extern const char tide_factorisation[]; // for messages
// Bytes of double-precision panels for each nonzero of the factor, at least.
#define TIDE_CHOLESKY_BYTES_A_NONZERO 10.0

// Resets to the state after creation. Keeps the chosen options, the counts, and the ordering for grafts and splits.
void tide_cholesky_forget_factor(tide_cholesky *c);
void tide_cholesky_forget(tide_cholesky *c);                         // forgets the ordering too
tide_status tide_cholesky_fail(tide_cholesky *c, tide_error *error); // after an error of CHOLMOD
// Returns the number of factor entries up to which METIS is tried in addition to AMD.
double tide_cholesky_metis_up_to(const tide_cholesky *c);
// Lays out the panels for an ordering with these column counts of L, unless they would exceed the memory limit. Returns
// false when there is no memory.
bool tide_cholesky_lay_panels(tide_cholesky *c, const cholmod_sparse *view, const int *order, const int *counts);

// Adopts a matrix with copies: the panels of the last one serve, or new ones with spare rows. Otherwise info.split is
// not set. `base` is the pattern that orderings are found for, `pattern` the key of the matrix.
tide_status tide_cholesky_adopt_split(tide_cholesky *c, const tide_sparse *base, const tide_sparse *matrix,
                                      const tide_splits *splits, uint64_t pattern, tide_error *error);

#endif
