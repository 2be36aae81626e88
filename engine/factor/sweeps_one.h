// The part of sweeps_template.h for one right-hand side: the work vector has 1 number for each position.
#ifndef TIDE_FACTOR_SWEEPS_ONE_H
#define TIDE_FACTOR_SWEEPS_ONE_H

#define item REAL

// Returns the sums of the four rows.
INLINE quad NAME(row_sums)(quad a, quad b, quad c, quad d)
{
    quad ab = PICK4(a, b, 0, 4, 2, 6) + PICK4(a, b, 1, 5, 3, 7), cd = PICK4(c, d, 0, 4, 2, 6) + PICK4(c, d, 1, 5, 3, 7);
    return PICK4(ab, cd, 0, 1, 4, 5) + PICK4(ab, cd, 2, 3, 6, 7);
}

// SPREAD(q, k): the numbers of q for part k of a tile, each copied to all columns of its row.
#if ROWS == 1
#define SUMS NAME(row_sums)(s[0], s[1], s[2], s[3])
#define SPREAD(q, k) ((q)[k] - (vec) { 0 })
#else
#define SUMS NAME(row_sums)(PART(s[0], 0), PART(s[0], 1), PART(s[1], 0), PART(s[1], 1))
#define SPREAD(q, k)                                                                                                   \
    ((k) == 0 ? __builtin_shufflevector(q, q, 0, 0, 0, 0, 1, 1, 1, 1)                                                  \
              : __builtin_shufflevector(q, q, 2, 2, 2, 2, 3, 3, 3, 3))
#endif

// Multiplies `groups` tiles by the panel's columns y, row by row.
#define MULTIPLY_TILES(count)                                                                                          \
    vec s[4 / ROWS] = { 0 };                                                                                           \
    TIDE_UNROLL(8)                                                                                                     \
    for (uint32_t g = 0; g < (count); g++, tile += TIDE_TILE) {                                                        \
        TIDE_UNROLL(4)                                                                                                 \
        for (uint32_t k = 0; k < PARTS; k++)                                                                           \
            s[k] = FMA(load(tile + STEP * k), y[g], s[k]);                                                             \
    }

// Updates `work`: x of the panel's columns becomes D^-1 x, and -B D^-1 x is added to its rows.
INLINE void NAME(forward_panel)(uint32_t groups, const tide_panel *p, const uint32_t *row, const REAL *tile, REAL *work)
{
    vec y[TIDE_PANEL_COLUMNS / 4];
    REAL *own = work + p->first, *to = own + 4 * groups;
    TIDE_UNROLL(8)
    for (uint32_t g = 0; g < groups; g++)
        y[g] = SPLAT(load_four(own + 4 * g));
    for (uint32_t i = 0; i < p->inner; i++, to += 4) {
        MULTIPLY_TILES(groups)
        *(quad *)to += SUMS;
    }
    for (uint32_t i = 0; i < p->full; i++) {
        MULTIPLY_TILES(groups)
        *(quad *)(work + *row++) += SUMS;
    }
    for (uint32_t i = 0; i < p->blocks; i++, row += 4) {
        MULTIPLY_TILES(groups)
        quad sum = SUMS;
        TIDE_UNROLL(4)
        for (uint32_t k = 0; k < 4; k++)
            work[row[k]] += sum[k];
    }
    TIDE_UNROLL(8)
    for (uint32_t i = 0; i < groups; i++, own += 4) {
        MULTIPLY_TILES(i + 1)
        *(quad *)own = SUMS;
    }
}

// Adds to s, column by column, the tiles times the rows q.
#define ADD_TILES(count, q)                                                                                            \
    TIDE_UNROLL(4)                                                                                                     \
    for (uint32_t k = 0; k < PARTS; k++) {                                                                             \
        vec v = SPREAD(q, k);                                                                                          \
        TIDE_UNROLL(8)                                                                                                 \
        for (uint32_t g = 0; g < (count); g++)                                                                         \
            s[g] = FMA(load(tile + TIDE_TILE * g + STEP * k), v, s[g]);                                                \
    }

// Updates `work`: x of the panel's columns becomes (D^-1)' x - (B D^-1)' z, where z is the work of its rows.
INLINE void NAME(backward_panel)(uint32_t groups, const tide_panel *p, const uint32_t *row, const REAL *tile,
                                 REAL *work)
{
    vec s[TIDE_PANEL_COLUMNS / 4] = { 0 };
    REAL *own = work + p->first;
    const REAL *from = own + 4 * groups;
    for (uint32_t i = 0; i < p->inner; i++, from += 4, tile += TIDE_TILE * groups) {
        quad q = load_four(from);
        ADD_TILES(groups, q)
    }
    for (uint32_t i = 0; i < p->full; i++, row++, tile += TIDE_TILE * groups) {
        quad q = load_four(work + *row);
        ADD_TILES(groups, q)
    }
    for (uint32_t i = 0; i < p->blocks; i++, row += 4, tile += TIDE_TILE * groups) {
        quad q = { work[row[0]], work[row[1]], work[row[2]], work[row[3]] };
        ADD_TILES(groups, q)
    }
    from = own;
    TIDE_UNROLL(8)
    for (uint32_t i = 0; i < groups; i++, from += 4, tile += TIDE_TILE * i) {
        quad q = load_four(from);
        ADD_TILES(i + 1, q)
    }
    TIDE_UNROLL(8)
    for (uint32_t g = 0; g < groups; g++, own += 4)
        *(quad *)own = SUM_OF_ROWS(s[g]);
}

TARGET static void NAME(take)(const tide_scaled_row *scaled_rows, uint32_t begin, uint32_t end, double scale,
                              const double *b, void *work_)
{
    REAL *work = work_;
    for (uint32_t i = begin; i < end; i++)
        work[i] = (REAL)(b[scaled_rows[i].row] * scale) * (REAL)scaled_rows[i].scale;
}

// Runs from the end, so that the 0 of an idle position does not remain in the row it shares.
TARGET static void NAME(give)(const tide_scaled_row *scaled_rows, uint32_t begin, uint32_t end, double scale,
                              const void *work_, double *x)
{
    const REAL *work = work_;
    for (uint32_t i = end; i-- > begin;)
        x[scaled_rows[i].row] = work[i] * (REAL)scaled_rows[i].scale * scale;
}

#undef TIDE_FACTOR_SWEEPS_ONE_H // included again by the same file

#endif
