// The sweeps for one width of vectors and one precision. Included by the files that define
//   REAL          float or double
//   ROWS          rows of 4 columns in a vector: 1, 2 or 4
//   NAME(x)       x with an ending of its own
//   TABLE, TITLE  the table's name, and what it says of itself
//   TARGET        attributes of every function
//   FMA(a, b, c)  a * b + c of vectors
//   SPLAT(q)      the four numbers of q in each row
//   JOIN(x, rows) the vector of ROWS positions of the work x, from the addresses in `rows`
//   PART(v, i)    row i of v
#ifndef TIDE_LINEAR_SWEEPS_TEMPLATE_H
#define TIDE_LINEAR_SWEEPS_TEMPLATE_H

#include "linear/sweeps.h"

#define vec NAME(vec)
#define quad NAME(quad)
#define INLINE static inline __attribute__((always_inline)) TARGET

typedef REAL quad __attribute__((vector_size(4 * sizeof(REAL)), may_alias));
typedef REAL vec __attribute__((vector_size(ROWS * 4 * sizeof(REAL)), may_alias));
typedef double NAME(four_doubles) __attribute__((vector_size(32)));

enum { NAME(PARTS) = 4 / ROWS, NAME(STEP) = 4 * ROWS };
#define PARTS NAME(PARTS)
#define STEP NAME(STEP)

// In each row: four numbers, of a by 0 to 3, of b by 4 to 7.
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

// In each row: the sums of its numbers in v[0], in v[1], in v[2], and something.
INLINE vec NAME(sums)(const vec *v)
{
    vec ab = PICK(v[0], v[1], 0, 4, 1, 5) + PICK(v[0], v[1], 2, 6, 3, 7); // a02 b02 a13 b13
    vec cc = v[2] + PICK(v[2], v[2], 2, 3, 0, 1);                         // c02 c13
    return PICK(ab, cc, 0, 1, 4, 4) + PICK(ab, cc, 2, 3, 5, 5);
}

INLINE void NAME(transpose)(quad *a, quad *b, quad *c, quad *d)
{
    quad low = PICK4(*a, *b, 0, 4, 1, 5), high = PICK4(*a, *b, 2, 6, 3, 7);
    quad low2 = PICK4(*c, *d, 0, 4, 1, 5), high2 = PICK4(*c, *d, 2, 6, 3, 7);
    *a = PICK4(low, low2, 0, 1, 4, 5);
    *b = PICK4(low, low2, 2, 3, 6, 7);
    *c = PICK4(high, high2, 0, 1, 4, 5);
    *d = PICK4(high, high2, 2, 3, 6, 7);
}

#if ROWS == 1
#define SUM_OF_ROWS(v) (v)
#define ADD_TO_ROWS(row, v) *(quad *)(work + 4 * (size_t)(row)[0]) += (v)
#elif ROWS == 2
#define SUM_OF_ROWS(v) (PART(v, 0) + PART(v, 1))
#define ADD_TO_ROWS(row, v)                                                                                            \
    *(quad *)(work + 4 * (size_t)(row)[0]) += PART(v, 0);                                                              \
    *(quad *)(work + 4 * (size_t)(row)[1]) += PART(v, 1)
#else
#define SUM_OF_ROWS(v) ((PART(v, 0) + PART(v, 2)) + (PART(v, 1) + PART(v, 3)))
#define ADD_TO_ROWS(row, v)                                                                                            \
    *(quad *)(work + 4 * (size_t)(row)[0]) += PART(v, 0);                                                              \
    *(quad *)(work + 4 * (size_t)(row)[1]) += PART(v, 1);                                                              \
    *(quad *)(work + 4 * (size_t)(row)[2]) += PART(v, 2);                                                              \
    *(quad *)(work + 4 * (size_t)(row)[3]) += PART(v, 3)
#endif

// The columns y of a panel times `groups` tiles, summed over the columns.
#define MULTIPLY_TILES(count)                                                                                          \
    vec s[4 / ROWS][3] = { 0 };                                                                                        \
    _Pragma("GCC unroll 8") for (uint32_t g = 0; g < (count); g++, tile += TIDE_TILE)                                  \
        _Pragma("GCC unroll 4") for (uint32_t k = 0; k < PARTS; k++)                                                   \
    {                                                                                                                  \
        vec t = load(tile + STEP * k);                                                                                 \
        s[k][0] = FMA(t, y[g][0], s[k][0]);                                                                            \
        s[k][1] = FMA(t, y[g][1], s[k][1]);                                                                            \
        s[k][2] = FMA(t, y[g][2], s[k][2]);                                                                            \
    }
#define SUMS(k) NAME(sums)(s[k])

// In `work`, x of the panel's columns becomes D^-1 x, and -B D^-1 x is added to its rows.
INLINE void NAME(forward_panel)(uint32_t groups, const tide_panel *p, const uint32_t *row, const REAL *tile, REAL *work)
{
    vec y[TIDE_PANEL_COLUMNS / 4][3];
    REAL *to = work + 4 * (size_t)p->first;
#pragma GCC unroll 8
    for (uint32_t g = 0; g < groups; g++) {
        quad a = load_four(to + 16 * g), b = load_four(to + 16 * g + 4);
        quad c = load_four(to + 16 * g + 8), d = load_four(to + 16 * g + 12);
        NAME(transpose)(&a, &b, &c, &d);
        y[g][0] = SPLAT(a);
        y[g][1] = SPLAT(b);
        y[g][2] = SPLAT(c);
    }
#pragma GCC unroll 8
    for (uint32_t i = 0; i < groups; i++, to += 16) {
        MULTIPLY_TILES(i + 1)
#pragma GCC unroll 4
        for (uint32_t k = 0; k < PARTS; k++)
            *(vec *)(to + STEP * k) = SUMS(k);
    }
    for (uint32_t i = 0; i < p->inner; i++, to += 16) {
        MULTIPLY_TILES(groups)
#pragma GCC unroll 4
        for (uint32_t k = 0; k < PARTS; k++)
            *(vec *)(to + STEP * k) += SUMS(k);
    }
    for (uint32_t i = 0; i < p->full; i++) {
        to = work + 4 * (size_t)*row++;
        MULTIPLY_TILES(groups)
#pragma GCC unroll 4
        for (uint32_t k = 0; k < PARTS; k++)
            *(vec *)(to + STEP * k) += SUMS(k);
    }
    for (uint32_t i = 0; i < p->blocks; i++, row += 4) {
        MULTIPLY_TILES(groups)
#pragma GCC unroll 4
        for (uint32_t k = 0; k < PARTS; k++) {
            vec sum = SUMS(k);
            ADD_TO_ROWS(row + ROWS * k, sum);
        }
    }
}

// Adds to s, column by column, the tiles times the rows v.
#define ADD_TILES(count, v, k)                                                                                         \
    vec v0 = PICK(v, v, 0, 0, 0, 0), v1 = PICK(v, v, 1, 1, 1, 1), v2 = PICK(v, v, 2, 2, 2, 2);                         \
    _Pragma("GCC unroll 8") for (uint32_t g = 0; g < (count); g++)                                                     \
    {                                                                                                                  \
        vec t = load(tile + TIDE_TILE * g + STEP * (k));                                                               \
        s[g][0] = FMA(t, v0, s[g][0]);                                                                                 \
        s[g][1] = FMA(t, v1, s[g][1]);                                                                                 \
        s[g][2] = FMA(t, v2, s[g][2]);                                                                                 \
    }

// In `work`, x of the panel's columns becomes (D^-1)' x - (B D^-1)' z, z being that of its rows.
INLINE void NAME(backward_panel)(uint32_t groups, const tide_panel *p, const uint32_t *row, const REAL *tile,
                                 REAL *work)
{
    vec s[TIDE_PANEL_COLUMNS / 4][3] = { 0 };
    REAL *own = work + 4 * (size_t)p->first;
    const REAL *from = own;
#pragma GCC unroll 8
    for (uint32_t i = 0; i < groups; i++, from += 16, tile += TIDE_TILE * i)
#pragma GCC unroll 4
        for (uint32_t k = 0; k < PARTS; k++) {
            vec v = load(from + STEP * k);
            ADD_TILES(i + 1, v, k)
        }
    for (uint32_t i = 0; i < p->inner; i++, from += 16, tile += TIDE_TILE * groups)
#pragma GCC unroll 4
        for (uint32_t k = 0; k < PARTS; k++) {
            vec v = load(from + STEP * k);
            ADD_TILES(groups, v, k)
        }
    for (uint32_t i = 0; i < p->full; i++, row++, tile += TIDE_TILE * groups)
#pragma GCC unroll 4
        for (uint32_t k = 0; k < PARTS; k++) {
            vec v = load(work + 4 * (size_t)*row + STEP * k);
            ADD_TILES(groups, v, k)
        }
    for (uint32_t i = 0; i < p->blocks; i++, row += 4, tile += TIDE_TILE * groups)
#pragma GCC unroll 4
        for (uint32_t k = 0; k < PARTS; k++) {
            vec v = JOIN(work, row + ROWS * k);
            ADD_TILES(groups, v, k)
        }
#pragma GCC unroll 8
    for (uint32_t g = 0; g < groups; g++, own += 16) {
        quad a = SUM_OF_ROWS(s[g][0]), b = SUM_OF_ROWS(s[g][1]), c = SUM_OF_ROWS(s[g][2]), d = { 0 };
        NAME(transpose)(&a, &b, &c, &d);
        *(quad *)own = a;
        *(quad *)(own + 4) = b;
        *(quad *)(own + 8) = c;
        *(quad *)(own + 12) = d;
    }
}

// The number of groups becomes a constant, so that loops over them are unrolled and sums stay in registers. Not where
// every access is checked, which would take minutes to compile.
#ifdef __SANITIZE_ADDRESS__
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

TARGET static void NAME(take)(const tide_seat *seats, uint32_t begin, uint32_t end, double scale, const double *b,
                              void *work_)
{
    quad *work = work_;
    for (uint32_t i = begin; i < end; i++) {
        const double *from = b + 3 * (size_t)seats[i].row;
        NAME(four_doubles) v = { from[0], from[1], from[2], 0 };
        work[i] = __builtin_convertvector(v * scale, quad) * (REAL)seats[i].scale;
    }
}

// From the end, so that what is at a row is not the 0 of an idle position.
TARGET static void NAME(give)(const tide_seat *seats, uint32_t begin, uint32_t end, double scale, const void *work_,
                              double *x)
{
    const quad *work = work_;
    for (uint32_t i = end; i-- > begin;) {
        double *to = x + 3 * (size_t)seats[i].row;
        NAME(four_doubles)
        v = __builtin_convertvector(work[i] * (REAL)seats[i].scale, NAME(four_doubles)) * scale;
        to[0] = v[0];
        to[1] = v[1];
        to[2] = v[2];
    }
}

TARGET static void NAME(fetch)(const uint32_t *positions, uint32_t count, void *work_, uint32_t to)
{
    quad *work = work_;
    for (uint32_t i = 0; i < count; i++)
        work[to + i] = work[positions[i]];
}

TARGET static void NAME(add)(const uint32_t *positions, uint32_t count, void *work_, uint32_t from)
{
    quad *work = work_;
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
    for (; i + AT_ONCE <= vectors; i += AT_ONCE)
#pragma GCC unroll 8
        for (size_t k = 0; k < AT_ONCE; k++)
            sums[k] += from[i + k];
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
                            .read = NAME(read) };

#undef REAL
#undef ROWS
#undef NAME
#undef TABLE
#undef TITLE
#undef TARGET
#undef FMA
#undef SPLAT
#undef JOIN
#undef PART
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
#undef SUM_OF_ROWS
#undef ADD_TO_ROWS
#undef ADD_TILES
#undef FOR_GROUPS
#undef TIDE_LINEAR_SWEEPS_TEMPLATE_H // the next one comes in the same file

#endif
