// The part of sweeps_template.h for three interleaved right-hand sides: the work vector has 4 numbers a position.
#ifndef TIDE_LINEAR_SWEEPS_THREE_H
#define TIDE_LINEAR_SWEEPS_THREE_H

#define item quad

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
#define ADD_TO_ROWS(row, v) *(quad *)(work + 4 * (size_t)(row)[0]) += (v)
#elif ROWS == 2
#define ADD_TO_ROWS(row, v)                                                                                            \
    *(quad *)(work + 4 * (size_t)(row)[0]) += PART(v, 0);                                                              \
    *(quad *)(work + 4 * (size_t)(row)[1]) += PART(v, 1)
#else
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

#undef TIDE_LINEAR_SWEEPS_THREE_H // the next one comes in the same file

#endif
