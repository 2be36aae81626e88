// Sparse Cholesky factorisation A = P' L L' P and solves, by CHOLMOD's simplicial LL'.
//
// Solves with three right-hand sides may go another way than CHOLMOD's: by panels of the factor (panel_solve.h), in
// single or double precision, several times as fast. The only file that knows CHOLMOD is cholesky.c. Factoring is
// serial; all is deterministic for any number of threads.
#ifndef TIDE_LINEAR_CHOLESKY_H
#define TIDE_LINEAR_CHOLESKY_H

#include "linear/sparse.h"

#include <stddef.h>

typedef struct tide_cholesky tide_cholesky;

tide_status tide_cholesky_create(tide_cholesky **cholesky, tide_error *error);
void tide_cholesky_destroy(tide_cholesky *cholesky); // NULL does nothing

typedef enum tide_cholesky_way {
    TIDE_CHOLESKY_REFERENCE, // CHOLMOD's own solve
    TIDE_CHOLESKY_FAST,      // panels in single precision: for what corrects itself by iterating
    TIDE_CHOLESKY_DOUBLE     // panels in double precision
} tide_cholesky_way;
// "cholmod", "fast", "double", NULL: for fields of tables (base/field.h).
extern const char *const tide_cholesky_ways[];

// How solves with three right-hand sides go; TIDE_CHOLESKY_REFERENCE at first. A change forgets the factor. `bits` are
// the widest vectors that panels may use (sweeps.h), 0 for no limit.
// The first such solve with a factor makes the panels and tries them on three right-hand sides of its own: when the
// answers are not CHOLMOD's to 1e-6, or what is wrong with them is worth more than 1e-6 of the energy x' A x (what a
// step of an iteration would leave), that factor is solved with in double precision, and when this is no better, by
// CHOLMOD. Where the processor has vectors of 128 bits only, TIDE_CHOLESKY_DOUBLE means CHOLMOD. With panels, analysing
// tries METIS's nested dissection besides AMD for matrices that AMD fills in a lot, and keeps the ordering with the
// smaller factor.
void tide_cholesky_choose(tide_cholesky *cholesky, tide_cholesky_way way, int bits);

// Makes the factor be that of `matrix` (symmetric, positive definite). What is kept: everything when the matrix is the
// one factored last; the ordering and symbolic analysis when its pattern is. When the matrix is not positive definite
// in double precision (a pivot is below 0, or within 4 units of rounding of its row's diagonal entry), fails with
// TIDE_ERROR_NUMERIC and stores in *bad_row (may be NULL) the row of `matrix` where the pivot failed. After any failure
// there is no factor to solve with; but unless memory ran out the analysis stays, so that the same matrix with a larger
// diagonal may be tried. Allocates nothing from the second matrix of a pattern on, even if the first was not definite.
tide_status tide_cholesky_factor(tide_cholesky *cholesky, const tide_sparse *matrix, uint32_t *bad_row,
                                 tide_error *error);

// Solves A X = B for `width` interleaved right-hand sides, (width * rows) each, in place allowed. Allocates nothing
// from the second call of a width on, but for the first one with panels of a precision that was not needed before.
tide_status tide_cholesky_solve(tide_cholesky *cholesky, uint32_t width, const double *b, double *x, tide_error *error);

// For measuring: reads once what a sweep of a solve with three right-hand sides reads, as fast as can be, and returns
// the sum of it; 0 when such solves go by CHOLMOD.
double tide_cholesky_read(const tide_cholesky *cholesky);

typedef struct tide_cholesky_info {
    uint32_t rows;
    size_t nonzeros;                        // of L
    double analyse_seconds, factor_seconds; // of the last time each was done
    uint64_t analyses, factorizations;      // how often; those that failed do not count
    // Of solves with three right-hand sides, from the first one with the factor on:
    tide_cholesky_way way; // how they go, which need not be how they were to go
    const char *precision; // that and the vectors, in words; NULL when they go by CHOLMOD
    double error, energy;  // |e| / |x| of the trial, sqrt(e' A e / x' A x); of the first way that was tried
    double panel_seconds;  // that making the panels, or filling them anew, and trying them took
    size_t panel_bytes;    // of the panels kept
} tide_cholesky_info;
tide_cholesky_info tide_cholesky_describe(const tide_cholesky *cholesky);

#endif
