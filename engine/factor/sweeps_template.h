// The sweeps for one vector width and one precision. The including file defines
//   REAL          float or double
//   SIDES         right-hand sides: 3 or, not with 4 rows in a vector, 1
//   ROWS          rows of 4 columns in a vector: 1, 2 or 4
//   NAME(x)       x with a suffix
//   TABLE, TITLE  name of the table; its description
//   TARGET        attributes of every function
//   FMA(a, b, c)  a * b + c of vectors
//   SPLAT(q)      the four numbers of q in each row
//   JOIN(x, rows) the vector of ROWS positions of the work x, whose indices are in `rows`; for three sides
//   PART(v, i)    row i of v
//   KEEP(v)       keeps the loaded v in a register, since compilers would otherwise load it for each use
//   TAKE_ROWS, GIVE_ROWS  optional, for three sides, faster than one position after another: the vector of ROWS
//                 positions for `take`, and its use by `give`, from the last to the first
#ifndef TIDE_FACTOR_SWEEPS_TEMPLATE_H
#define TIDE_FACTOR_SWEEPS_TEMPLATE_H

#include "base/unroll.h"
#include "factor/sweeps.h"

#include <string.h>

#define vec NAME(vec)
#define quad NAME(quad)
#define INLINE static inline __attribute__((always_inline)) TARGET

typedef REAL quad __attribute__((vector_size(4 * sizeof(REAL)), may_alias));
typedef REAL vec __attribute__((vector_size(ROWS * 4 * sizeof(REAL)), may_alias));
typedef double NAME(four_doubles) __attribute__((vector_size(32)));

enum { NAME(PARTS) = 4 / ROWS, NAME(STEP) = 4 * ROWS };
#define PARTS NAME(PARTS)
#define STEP NAME(STEP)

// Picks four numbers in each row: 0 to 3 are those of a, 4 to 7 those of b.
#define AT(i, row) ((i) < 4 ? (i) + 4 * (row) : (i)-4 + 4 * (row) + 4 * ROWS)
#define IN_ROW(i, j, k, l, row) AT(i, row), AT(j, row), AT(k, row), AT(l, row)
#if ROWS == 1
#define PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#elif ROWS == 2
#define PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, IN_ROW(i, j, k, l, 0), IN_ROW(i, j, k, l, 1))
#else
#define PICK(a, b, i, j, k, l)                                                                                         \
    __builtin_shufflevector(a, b, IN_ROW(i, j, k, l, 0), IN_ROW(i, j, k, l, 1), IN_ROW(i, j, k, l, 2),                 \
                            IN_ROW(i, j, k, l, 3))
#endif
#define PICK4(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)

INLINE vec NAME(load)(const REAL *from)
{
    return *(const vec *)from;
}

INLINE quad NAME(load_four)(const REAL *from)
{
    return *(const quad *)from;
}
#define load NAME(load)
#define load_four NAME(load_four)

#if ROWS == 1
#define SUM_OF_ROWS(v) (v)
#elif ROWS == 2
#define SUM_OF_ROWS(v) (PART(v, 0) + PART(v, 1))
#else
#define SUM_OF_ROWS(v) ((PART(v, 0) + PART(v, 2)) + (PART(v, 1) + PART(v, 3)))
#endif

#if SIDES == 3
#include "factor/sweeps_many.h"
#include "factor/sweeps_three.h"
#else
#include "factor/sweeps_one.h"
#endif

// Makes the number of groups a constant, so that loops over groups unroll and sums stay in registers. This
// is not done
// - for three sides in vectors of four numbers, whose loops are written for any number of groups;
// - under the address sanitizer, where it would take minutes to compile;
// - for one side in WebAssembly, whose code must stay small.
#if (ROWS == 1 && SIDES == 3) || defined(__SANITIZE_ADDRESS__) || (defined(__wasm__) && SIDES == 1)
#define FOR_GROUPS(do_panel) do_panel(p->groups, p, row, tile, work);
#else
#define FOR_GROUPS(do_panel)                                                                                           \
    switch (p->groups) {                                                                                               \
    case 1:                                                                                                            \
        do_panel(1, p, row, tile, work);                                                                               \
        break;                                                                                                         \
    case 2:                                                                                                            \
        do_panel(2, p, row, tile, work);                                                                               \
        break;                                                                                                         \
    case 3:                                                                                                            \
        do_panel(3, p, row, tile, work);                                                                               \
        break;                                                                                                         \
    case 4:                                                                                                            \
        do_panel(4, p, row, tile, work);                                                                               \
        break;                                                                                                         \
    case 5:                                                                                                            \
        do_panel(5, p, row, tile, work);                                                                               \
        break;                                                                                                         \
    case 6:                                                                                                            \
        do_panel(6, p, row, tile, work);                                                                               \
        break;                                                                                                         \
    case 7:                                                                                                            \
        do_panel(7, p, row, tile, work);                                                                               \
        break;                                                                                                         \
    default:                                                                                                           \
        do_panel(8, p, row, tile, work);                                                                               \
    }
#endif

TARGET static void NAME(forward)(const tide_panels *panels, uint32_t begin, uint32_t end, const void *values,
                                 void *work_)
{
    REAL *work = work_;
    for (uint32_t i = begin; i < end; i++) {
        const tide_panel *p = &panels->panels[i];
        const REAL *tile = (const REAL *)values + p->values;
        const uint32_t *row = panels->rows + p->rows;
        FOR_GROUPS(NAME(forward_panel))
    }
}

TARGET static void NAME(backward)(const tide_panels *panels, uint32_t begin, uint32_t end, const void *values,
                                  void *work_)
{
    REAL *work = work_;
    for (uint32_t i = end; i-- > begin;) {
        const tide_panel *p = &panels->panels[i];
        const REAL *tile = (const REAL *)values + p->values;
        const uint32_t *row = panels->rows + p->rows;
        FOR_GROUPS(NAME(backward_panel))
    }
}

TARGET static double NAME(largest)(const double *b, size_t count)
{
    enum { AT_ONCE = 32 };
    double most[AT_ONCE] = { 0 };
    size_t i = 0;
    for (; i + AT_ONCE <= count; i += AT_ONCE)
        for (size_t k = 0; k < AT_ONCE; k++) {
            double size = __builtin_fabs(b[i + k]);
            most[k] = size > most[k] ? size : most[k];
        }
    for (; i < count; i++)
        most[0] = __builtin_fabs(b[i]) > most[0] ? __builtin_fabs(b[i]) : most[0];
    for (size_t k = 1; k < AT_ONCE; k++)
        most[0] = most[k] > most[0] ? most[k] : most[0];
    return most[0];
}

TARGET static void NAME(fetch)(const uint32_t *positions, uint32_t count, void *work_, uint32_t to)
{
    item *work = work_;
    for (uint32_t i = 0; i < count; i++)
        work[to + i] = work[positions[i]];
}

TARGET static void NAME(add)(const uint32_t *positions, uint32_t count, void *work_, uint32_t from)
{
    item *work = work_;
    for (uint32_t i = 0; i < count; i++)
        work[positions[i]] += work[from + i];
}

TARGET static double NAME(read)(const void *values, size_t count)
{
    enum { AT_ONCE = 8 };
    const vec *from = values;
    size_t vectors = count / STEP, i = 0;
    vec sums[AT_ONCE] = { 0 };
    double sum = 0;
    for (; i + AT_ONCE <= vectors; i += AT_ONCE) {
        TIDE_UNROLL(8)
        for (size_t k = 0; k < AT_ONCE; k++)
            sums[k] += from[i + k];
    }
    for (; i < vectors; i++)
        sums[0] += from[i];
    for (size_t k = 1; k < AT_ONCE; k++)
        sums[0] += sums[k];
    for (size_t k = 0; k < STEP; k++)
        sum += sums[0][k];
    return sum;
}

const tide_sweeps TABLE = { .name = TITLE,
                            .largest = NAME(largest),
                            .take = NAME(take),
                            .give = NAME(give),
                            .fetch = NAME(fetch),
                            .add = NAME(add),
                            .forward = NAME(forward),
                            .backward = NAME(backward),
#if SIDES == 3
                            .forward_many = NAME(forward_many),
                            .multiply_columns = NAME(multiply_columns),
#endif
                            .read = NAME(read) };

#undef REAL
#undef SIDES
#undef ROWS
#undef NAME
#undef TABLE
#undef TITLE
#undef TARGET
#undef FMA
#undef SPLAT
#undef JOIN
#undef PART
#undef KEEP
#undef TAKE_ROWS
#undef GIVE_ROWS
#undef vec
#undef quad
#undef INLINE
#undef PARTS
#undef STEP
#undef AT
#undef IN_ROW
#undef PICK
#undef PICK4
#undef load
#undef load_four
#undef MULTIPLY_TILES
#undef SUMS
#undef SPREAD
#undef item
#undef SUM_OF_ROWS
#undef ADD_TO_ROWS
#undef ADD_TILES
#undef READ_AHEAD
#undef FOR_GROUPS
#undef UNROLL_GROUPS
#undef TIDE_FACTOR_SWEEPS_TEMPLATE_H // included again by the same file

#endif
