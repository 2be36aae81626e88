// The sweeps of a solve over panels (panels.h), in vectors of several widths, chosen when the program runs.
#ifndef TIDE_FACTOR_SWEEPS_H
#define TIDE_FACTOR_SWEEPS_H

#include "factor/factor_panels.h"

// Where a position's right-hand side is: row `row` of the caller's; all its numbers are multiplied by `scale`, a power
// of two, on the way in and on the way out. An idle position has scale 0 and the row of the one before it.
typedef struct tide_seat {
    uint32_t row;
    float scale;
} tide_seat;

enum { TIDE_SWEEPS_MANY = 16 };

// Values and work vectors are floats or doubles throughout a table.
typedef struct tide_sweeps {
    const char *name;
    double (*largest)(const double *b, size_t count); // |b|, of those that are not NAN
    // work = scale * b, and x = scale * work, at positions [begin, end), multiples of 4, of 3 interleaved right-hand
    // sides or of 1. `give` begins at the end, so that what is at a row is not the 0 of an idle position.
    void (*take)(const tide_seat *seats, uint32_t begin, uint32_t end, double scale, const double *b, void *work);
    void (*give)(const tide_seat *seats, uint32_t begin, uint32_t end, double scale, const void *work, double *x);
    // The work at `from`, position by position, copied from, or added to, that at the positions listed.
    void (*fetch)(const uint32_t *positions, uint32_t count, void *work, uint32_t to);
    void (*add)(const uint32_t *positions, uint32_t count, void *work, uint32_t from);
    // Over panels [begin, end), forward in this order and backward in the other.
    void (*forward)(const tide_panels *panels, uint32_t begin, uint32_t end, const void *values, void *work);
    void (*backward)(const tide_panels *panels, uint32_t begin, uint32_t end, const void *values, void *work);
    // Forward over one panel of the task, with TIDE_SWEEPS_MANY right-hand sides a position, and no slots: each comes
    // to the same bits as one of three that goes one way to the root. NULL in tables for one right-hand side.
    void (*forward_many)(const tide_panels *panels, const tide_panel_task *task, uint32_t panel, const void *values,
                         void *work);
    // products[4 * i + j] = the sum of the first lengths[i][j], a multiple of 4, of the products of the numbers of two
    // columns, which begin at multiples of 64 bytes. Each is the same to the bit in any place. Like the last.
    void (*multiply_columns)(const void *const columns[4], const void *const others[4], const uint32_t lengths[4][4],
                             void *products);
    // The sum of so many values, a multiple of TIDE_TILE: reads them as fast as can be, which no sweep can outrun.
    double (*read)(const void *values, size_t count);
} tide_sweeps;

// `bits`: the widest vectors to use, 128 (SSE, NEON or what the compiler makes of vectors of four), 256 (AVX2) or 512
// (AVX-512); 0 for no limit. What the processor has not is not used. Results differ in the last bits between widths.
// NULL for double precision in 128 bits, which is no faster than a plain solve.
const tide_sweeps *tide_sweeps_choose(bool single, int bits);
// Those of one right-hand side, in double precision in every width.
const tide_sweeps *tide_sweeps_choose_one(int bits);

extern const tide_sweeps tide_sweeps_single_128, tide_sweeps_one_128;
#if defined(__x86_64__)
extern const tide_sweeps tide_sweeps_single_256, tide_sweeps_double_256, tide_sweeps_one_256;
extern const tide_sweeps tide_sweeps_single_512, tide_sweeps_double_512, tide_sweeps_one_512;
#endif

#endif
