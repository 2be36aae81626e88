// Sparse Cholesky factorisation A = P' L L' P and solves, by CHOLMOD's simplicial LL' or by fronts and panels.
//
//     tide_cholesky *cholesky;
//     status = tide_cholesky_create(&cholesky, error);
//     status = tide_cholesky_factor(cholesky, &matrix, NULL, error); // symmetric, lower triangle
//     status = tide_cholesky_solve(cholesky, 1, b, x, error);
//     tide_cholesky_destroy(cholesky);
//
// Ownership: it keeps no reference to a matrix. Errors: a matrix that is not positive definite is TIDE_ERROR_NUMERIC.
// Threads: an object is used by one thread at a time.
//
// Fronts and panels (panel_solve.h) serve solves with three right-hand sides, or with one, and are several times as
// fast. CHOLMOD then only finds the ordering; factors are computed in double precision, solves run in single or double.
// Only cholesky.c, orderings.c and cholmod_columns.c call CHOLMOD. Everything is deterministic for any number of
// threads.
#ifndef TIDE_FACTOR_CHOLESKY_H
#define TIDE_FACTOR_CHOLESKY_H

#include "factor/splits.h"
#include "linear/multigrid.h"
#include "linear/sparse.h"

#include <stddef.h>

typedef struct tide_cholesky tide_cholesky;

tide_status tide_cholesky_create(tide_cholesky **cholesky, tide_error *error);
void tide_cholesky_destroy(tide_cholesky *cholesky); // NULL does nothing

typedef enum tide_solve_method {
    TIDE_CHOLESKY_REFERENCE, // CHOLMOD's solve
    TIDE_CHOLESKY_FAST,      // panels in single precision, for iterative methods that correct the rounding
    TIDE_CHOLESKY_DOUBLE,    // panels in double precision
    TIDE_CHOLESKY_ITERATIVE  // no factor: conjugate gradients with multigrid (multigrid.h)
} tide_solve_method;
// "cholmod", "fast", "double", "iterative", NULL: for fields of tables (base/field.h).
extern const char *const tide_solve_methods[];

// Sets the solve method; TIDE_CHOLESKY_REFERENCE at first. A change discards the factor. `bits` is the widest vector
// that panels may use (sweeps.h), 0 for no limit. Factoring tests the panels on right-hand sides of its own. If the
// relative error of the solutions is above 1e-6, or the energy e' A e of the error is above 1e-6 of x' A x (the
// fraction that one iteration would leave), it factors for double precision, and if that fails the test too, by
// CHOLMOD. On processors that have vectors of 128 bits only, TIDE_CHOLESKY_DOUBLE means CHOLMOD. With panels, the
// analysis tries METIS's nested dissection in addition to AMD for matrices with large fill-in under AMD, and keeps the
// ordering with the smaller factor. Solves are then restricted to three right-hand sides.
//
// When the ordering predicts that the factor would take more memory than allowed, or minutes to compute, solves use
// conjugate gradients: until the residual is 1e-5 of the right-hand side or, with TIDE_CHOLESKY_DOUBLE, 1e-10. Each new
// matrix then needs a full set-up.
void tide_cholesky_choose(tide_cholesky *cholesky, tide_solve_method method, int bits);
// Sets the number of right-hand sides of solves by panels: 3, the default, or 1. With 1, panels are always in double
// precision, for any vectors and any size of the factor; conjugate gradients are not used. A matrix of 3 x 3 blocks
// (tide_sparse.block) is then analysed block by block. Factoring tests one right-hand side and falls back to CHOLMOD
// when its residual is above rounding. A change discards the factor.
void tide_cholesky_expect(tide_cholesky *cholesky, uint32_t width);
// Sets how many bytes a factor for panels may take, including the memory to compute it. A change discards the factor.
void tide_cholesky_allow(tide_cholesky *cholesky, size_t bytes);
#define TIDE_CHOLESKY_MEGABYTES 4096 // the default; where pointers have 32 bits, half of it

// Factors `matrix` (symmetric, positive definite). Keeps everything when the matrix equals the last one, and the
// ordering and symbolic analysis when its pattern does. With panels for three right-hand sides and an unchanged
// pattern, only the fronts (fronts.h) with changed entries and their ancestors are computed again, to the same bits as
// a full factorisation. A row and its column set to 0 or back (pinning) cost one path through the elimination tree.
// Fails with TIDE_ERROR_NUMERIC when the matrix is not positive definite in double precision: a pivot is below 0, or
// within 4 units of rounding of its row's diagonal entry. *bad_row (may be NULL) is then the row of `matrix` of that
// pivot. After a failure there is no factor to solve with. Unless memory ran out, the analysis remains, so that the
// same matrix with a larger diagonal can be tried. Allocates nothing from the second matrix of a pattern on, even if
// the first was not definite. Exceptions: the first matrix that needs another precision, and factors for three
// right-hand sides with more than 64 MB of workspace.
tide_status tide_cholesky_factor(tide_cholesky *cholesky, const tide_sparse *matrix, uint32_t *bad_row,
                                 tide_error *error);

// Factors a matrix that has a few entries more than `base`, in the ordering found for base's pattern. `base` (may be
// NULL) has as many rows, and its pattern is part of the matrix's. The ordering is kept, which saves most of an
// analysis when springs are added. Rows are moved within it where this saves much (graft.h). If the factor would have
// more than 1.25 times the entries of base's, a new ordering is found. The result is the same as if base had been
// analysed first.
tide_status tide_cholesky_factor_grafted(tide_cholesky *cholesky, const tide_sparse *base, const tide_sparse *matrix,
                                         uint32_t *bad_row, tide_error *error);

// Factors a matrix some of whose rows are copies, or may get copies (`splits`, may be NULL), as those of a mesh that
// tears. With panels for three right-hand sides, a split needs no new analysis: the pattern has spare rows
// (split_pattern.h), and only fronts that depend on the split rows are computed again. The ordering is that found
// before any split. Otherwise, and when spare rows would make the factor more than twice as large, it does the same as
// tide_cholesky_factor_grafted. The result does not depend on earlier matrices.
tide_status tide_cholesky_factor_split(tide_cholesky *cholesky, const tide_sparse *base, const tide_sparse *matrix,
                                       const tide_splits *splits, uint32_t *bad_row, tide_error *error);

// Solves A X = B for `width` interleaved right-hand sides, (width * rows) each, in place allowed. Allocates nothing
// from the second call with the same width on.
tide_status tide_cholesky_solve(tide_cholesky *cholesky, uint32_t width, const double *b, double *x, tide_error *error);

// For measurements: reads all values that a sweep with three right-hand sides reads, once and as fast as possible.
// Returns their sum, or 0 when such solves use CHOLMOD.
double tide_cholesky_read(const tide_cholesky *cholesky);

// Returns the object that computes entries of A^-1 (inverse_root.h); valid until the next factorisation. Returns NULL
// when solves do not use panels in single precision, and when there is no memory.
struct tide_inverse_root *tide_cholesky_root(tide_cholesky *cholesky);

typedef struct tide_cholesky_info {
    uint32_t rows;
    size_t nonzeros;                        // of L
    double analyse_seconds, factor_seconds; // of the last analysis and the last factorisation
    uint64_t analyses, factorizations;      // numbers of successful ones
    tide_solve_method method;               // the solve method in use, which may differ from the one chosen
    const char *precision;                  // precision and vectors of the panels, in words; NULL for CHOLMOD
    double error, energy; // |e| / |x| and sqrt(e' A e / x' A x) of the first test. With one right-hand side: the
                          // relative residual (tide_panel_solve_try_one), and 0
    double trial_seconds; // time of the tests
    size_t panel_bytes;   // of the panels, or of multigrid
    double predicted_bytes, operations; // predicted before factoring: bytes; multiplications and additions
    uint32_t iterations;                // conjugate gradients in the last solve; `error` is then |b - A x| / |b|
    bool grafted;                       // the ordering is that of another matrix, with rows moved
    bool split;                         // the pattern has spare rows
    bool unsettled;                     // the last solve missed its tolerance
    double redone; // fraction of the operations of a full factorisation that the last one took; 0 without panels
} tide_cholesky_info;
tide_cholesky_info tide_cholesky_describe(const tide_cholesky *cholesky);

// Solves the coarsest level of multigrid with CHOLMOD's factor.
extern const tide_coarse_solver tide_cholesky_coarse;

// Identifies a matrix: a hash of its pattern, with that of the base (may be NULL), and a hash of its values.
typedef struct tide_cholesky_key {
    uint64_t pattern, values;
} tide_cholesky_key;
tide_cholesky_key tide_cholesky_key_of(const tide_sparse *base, const tide_sparse *matrix);

#endif
