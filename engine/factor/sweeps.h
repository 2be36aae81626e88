// The sweeps of a solve over panels (factor_panels.h), for vectors of several widths, chosen at run time.
#ifndef TIDE_FACTOR_SWEEPS_H
#define TIDE_FACTOR_SWEEPS_H

#include "factor/factor_panels.h"

// Where the right-hand side of a position comes from: row `row` of the caller's array. Its numbers are multiplied by
// `scale`, a power of two, when they are read and when they are written. An idle position has scale 0 and the row of
// the position before it.
typedef struct tide_scaled_row {
    uint32_t row;
    float scale;
} tide_scaled_row;

enum { TIDE_SWEEPS_MANY = 16 };

// A table of functions. Values and work vectors are all floats or all doubles.
typedef struct tide_sweeps {
    const char *name;
    double (*largest)(const double *b, size_t count); // max |b_i|, ignoring NAN
    // Compute work = scale * b, and x = scale * work, at positions [begin, end), multiples of 4, for 3 interleaved
    // right-hand sides or for 1. `give` runs from the end, so that the 0 of an idle position does not remain in the row
    // it shares.
    void (*take)(const tide_scaled_row *scaled_rows, uint32_t begin, uint32_t end, double scale, const double *b,
                 void *work);
    void (*give)(const tide_scaled_row *scaled_rows, uint32_t begin, uint32_t end, double scale, const void *work,
                 double *x);
    // Copy the work at the listed positions to `to`, or add the work at `from` to the listed positions.
    void (*fetch)(const uint32_t *positions, uint32_t count, void *work, uint32_t to);
    void (*add)(const uint32_t *positions, uint32_t count, void *work, uint32_t from);
    // Sweep over panels [begin, end), forward in ascending order, backward in descending order.
    void (*forward)(const tide_panels *panels, uint32_t begin, uint32_t end, const void *values, void *work);
    void (*backward)(const tide_panels *panels, uint32_t begin, uint32_t end, const void *values, void *work);
    // Sweeps forward over one panel of the task, with TIDE_SWEEPS_MANY right-hand sides for each position and without
    // slots. Each has the same bits as one of three that follows a single path to the root. NULL in tables for one
    // right-hand side.
    void (*forward_many)(const tide_panels *panels, const tide_panel_task *task, uint32_t panel, const void *values,
                         void *work);
    // Computes products[4 * i + j], the dot product of the first lengths[i][j] numbers, a multiple of 4, of two
    // columns, which are aligned to 64 bytes. A product has the same bits at any place. NULL in tables for one
    // right-hand side.
    void (*multiply_columns)(const void *const columns[4], const void *const others[4], const uint32_t lengths[4][4],
                             void *products);
    // Returns the sum of `count` values, a multiple of TIDE_TILE. Reads them as fast as possible: no sweep can be
    // faster.
    double (*read)(const void *values, size_t count);
} tide_sweeps;

// Returns the table for the widest vectors of at most `bits`: 128 (SSE, NEON or what the compiler makes of vectors of
// four), 256 (AVX2) or 512 (AVX-512); 0 for no limit. Vectors that the processor lacks are not used. Results differ in
// the last bits between widths. Returns NULL for double precision in 128 bits, which is no faster than a plain solve.
const tide_sweeps *tide_sweeps_choose(bool single, int bits);
// Returns the table for one right-hand side, which exists in double precision for every width.
const tide_sweeps *tide_sweeps_choose_one(int bits);

extern const tide_sweeps tide_sweeps_single_128, tide_sweeps_one_128;
#if defined(__x86_64__)
extern const tide_sweeps tide_sweeps_single_256, tide_sweeps_double_256, tide_sweeps_one_256;
extern const tide_sweeps tide_sweeps_single_512, tide_sweeps_double_512, tide_sweeps_one_512;
#endif

#endif
