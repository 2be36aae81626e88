// Solves with three right-hand sides by a Cholesky factor that is kept in panels (panels.h) in single or double
// precision; parallel over the tasks that the elimination tree is cut into, with the same result for any number of
// threads.
#ifndef TIDE_LINEAR_PANEL_SOLVE_H
#define TIDE_LINEAR_PANEL_SOLVE_H

#include "linear/panels.h"
#include "linear/sweeps.h"

#include <stddef.h>

typedef struct tide_panel_solve {
    tide_panels panels;
    const tide_sweeps *sweeps;
    bool single;
    void *values;     // (panels.value_count)
    void *work;       // (4 * (panels.positions + panels.slots))
    tide_seat *seats; // (panels.positions)
    double *scale;    // (columns) of the factor's columns: about 1 / sqrt(diagonal)
    struct tide_panel_progress *progress;
} tide_panel_solve; // { 0 } is empty

// Lays out what a factor of this pattern needs, in this precision with vectors of `bits` (sweeps.h). False when there
// is no memory; *solve is then empty.
bool tide_panel_solve_make(tide_panel_solve *solve, const tide_factor_view *factor, bool single, int bits);
void tide_panel_solve_free(tide_panel_solve *solve);

// Takes the numbers of a factor of the pattern: L L' = P A P', with row order[k] of A in row k of L. Allocates nothing.
void tide_panel_solve_fill(tide_panel_solve *solve, const tide_factor_view *factor, const int32_t *order);

// A X = B for three interleaved right-hand sides (3 * rows), in place allowed. In single precision, columns of B that
// are below 1e-30 of the largest come out as 0. Allocates nothing.
void tide_panel_solve_run(tide_panel_solve *solve, const double *b, double *x);

// Bytes kept for the values and all that goes with them.
size_t tide_panel_solve_bytes(const tide_panel_solve *solve);

#endif
