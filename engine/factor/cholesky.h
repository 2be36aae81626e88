// Sparse Cholesky factorisation A = P' L L' P and solves, by CHOLMOD's simplicial LL'.
//
// Factoring and solves with three right-hand sides, or with one, may go another way than CHOLMOD's, which then only
// finds the ordering: by fronts and panels (panel_solve.h), in double precision to solve in single or double, several
// times as fast. Only cholesky.c and orderings.c know CHOLMOD. All is deterministic for any number of threads.
#ifndef TIDE_FACTOR_CHOLESKY_H
#define TIDE_FACTOR_CHOLESKY_H

#include "linear/multigrid.h"
#include "linear/sparse.h"

#include <stddef.h>

typedef struct tide_cholesky tide_cholesky;

tide_status tide_cholesky_create(tide_cholesky **cholesky, tide_error *error);
void tide_cholesky_destroy(tide_cholesky *cholesky); // NULL does nothing

typedef enum tide_cholesky_way {
    TIDE_CHOLESKY_REFERENCE, // CHOLMOD's own solve
    TIDE_CHOLESKY_FAST,      // panels in single precision: for what corrects itself by iterating
    TIDE_CHOLESKY_DOUBLE,    // panels in double precision
    TIDE_CHOLESKY_ITERATIVE  // no factor: conjugate gradients with multigrid (multigrid.h)
} tide_cholesky_way;
// "cholmod", "fast", "double", "iterative", NULL: for fields of tables (base/field.h).
extern const char *const tide_cholesky_ways[];

// How factoring and solves go; TIDE_CHOLESKY_REFERENCE at first. A change forgets the factor. `bits` are
// the widest vectors that panels may use (sweeps.h), 0 for no limit.
// Factoring tries what it has made on right-hand sides of its own: when the answers are wrong by more than 1e-6, or
// what is wrong with them is worth more than 1e-6 of the energy x' A x (what a step of an iteration would leave), it
// factors for double precision, and when this is no better, by CHOLMOD. Where the processor has vectors of 128 bits
// only, TIDE_CHOLESKY_DOUBLE means CHOLMOD. With panels, analysing tries METIS's nested dissection besides AMD for
// matrices that AMD fills in a lot, and keeps the ordering with the smaller factor; only solves with three right-hand
// sides are done then.
//
// Where the ordering found tells that a factor for panels would take more memory than is allowed, or some minutes to
// make, solves go by conjugate gradients: until the residual is 1e-5 of the right-hand side or, with
// TIDE_CHOLESKY_DOUBLE, 1e-10. Each new matrix then makes everything anew.
void tide_cholesky_choose(tide_cholesky *cholesky, tide_cholesky_way way, int bits);
// How many right-hand sides solves by panels are to have: 3, as at first, or 1. With 1 panels are in double precision,
// whichever vectors there are, and whatever they take; conjugate gradients are not for it. A matrix of 3 x 3 blocks
// (tide_sparse.block) is analysed block by block. Factoring tries one right-hand side, and goes over to CHOLMOD where
// its residual is not down to rounding. A change forgets the factor.
void tide_cholesky_expect(tide_cholesky *cholesky, uint32_t width);
// How many bytes a factor for panels may take with all that is needed to make it. A change forgets the factor.
void tide_cholesky_allow(tide_cholesky *cholesky, size_t bytes);
#define TIDE_CHOLESKY_MEMORY_LIMIT ((size_t)4096 << 20) // unless told otherwise

// Makes the factor be that of `matrix` (symmetric, positive definite). What is kept: everything when the matrix is the
// one factored last; the ordering and symbolic analysis when its pattern is. With panels for three right-hand sides and
// a pattern that is kept, only those fronts (fronts.h) are done anew that entries which have changed are in, and those
// that hang on them, to the same bits as by all of them: a row and its column set to 0 or back (what is pinned or not)
// take a path through the elimination tree. When the matrix is not positive definite in double precision (a pivot is
// below 0, or within 4 units of rounding of its row's diagonal entry), fails with TIDE_ERROR_NUMERIC and stores in
// *bad_row (may be NULL) the row of `matrix` where the pivot failed. After any failure there is no factor to solve
// with; but unless memory ran out the analysis stays, so that the same matrix with a larger diagonal may be tried.
// Allocates nothing from the second matrix of a pattern on, even if the first was not definite, but for the first one
// that needs another precision, and for factors for three right-hand sides that take more than 64 MB to work in.
tide_status tide_cholesky_factor(tide_cholesky *cholesky, const tide_sparse *matrix, uint32_t *bad_row,
                                 tide_error *error);

// The same of a matrix that has a few entries more than `base` (of as many rows, its pattern a part of the matrix's;
// NULL: none), in the ordering found for base's pattern: which is kept, so that most of an analysis is spared when
// springs have been added. Rows are moved in it where that saves much (graft.h). Where the factor would then have more
// than 1.25 times the entries of base's, an ordering is found as for any matrix. All is as if base had been analysed
// first.
tide_status tide_cholesky_factor_grafted(tide_cholesky *cholesky, const tide_sparse *base, const tide_sparse *matrix,
                                         uint32_t *bad_row, tide_error *error);

// Solves A X = B for `width` interleaved right-hand sides, (width * rows) each, in place allowed. Allocates nothing
// from the second call of a width on.
tide_status tide_cholesky_solve(tide_cholesky *cholesky, uint32_t width, const double *b, double *x, tide_error *error);

// For measuring: reads once what a sweep of a solve with three right-hand sides reads, as fast as can be, and returns
// the sum of it; 0 when such solves go by CHOLMOD.
double tide_cholesky_read(const tide_cholesky *cholesky);

// What entries of A^-1 are had by (inverse_root.h), until the factor is another. NULL: solves do not go by panels in
// single precision, or there is no memory.
struct tide_inverse_root *tide_cholesky_root(tide_cholesky *cholesky);

typedef struct tide_cholesky_info {
    uint32_t rows;
    size_t nonzeros;                        // of L
    double analyse_seconds, factor_seconds; // of the last time each was done
    uint64_t analyses, factorizations;      // how often; those that failed do not count
    tide_cholesky_way way;                  // how solves go, which need not be how they were to go
    const char *precision;                  // that and the vectors, in words; NULL when they go by CHOLMOD
    double error, energy; // |e| / |x| of the trial, sqrt(e' A e / x' A x); of the first way that was tried. With one
                          // right-hand side: the residual, relative (tide_panel_solve_try_one), and 0
    double trial_seconds; // that trying the panels took
    size_t panel_bytes;   // of the panels kept, or of what iterating needs
    double predicted_bytes, operations; // of the factor, before it was made: memory; multiplications and additions
    uint32_t iterations;                // of conjugate gradients in the last solve, whose residual is `error` of |b|
    bool grafted;                       // the ordering is that of another matrix, with rows moved
    bool unsettled;                     // which did not come down to what it should
    double redone; // of the operations of a whole factorisation, what the last one took; 0 when not by panels
} tide_cholesky_info;
tide_cholesky_info tide_cholesky_describe(const tide_cholesky *cholesky);

// Solves the coarsest level of multigrid by CHOLMOD's factor.
extern const tide_coarse_solver tide_cholesky_coarse;

// What tells matrices apart: hashes of the pattern, with that of the base (NULL: none), and of the values.
typedef struct tide_cholesky_key {
    uint64_t pattern, values;
} tide_cholesky_key;
tide_cholesky_key tide_cholesky_key_of(const tide_sparse *base, const tide_sparse *matrix);

#endif
