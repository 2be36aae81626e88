// The part of sweeps_template.h for three interleaved right-hand sides: the work vector has 4 numbers for each
// position.
#ifndef TIDE_FACTOR_SWEEPS_THREE_H
#define TIDE_FACTOR_SWEEPS_THREE_H

#define item quad

// Returns in each row the sums of the row's numbers in v[0], v[1] and v[2]; the fourth number is arbitrary.
INLINE vec NAME(sums)(const vec *v)
{
    vec ab = PICK(v[0], v[1], 0, 4, 1, 5) + PICK(v[0], v[1], 2, 6, 3, 7); // a02 b02 a13 b13
    vec cc = v[2] + PICK(v[2], v[2], 2, 3, 0, 1);                         // c02 c13
    return PICK(ab, cc, 0, 1, 4, 4) + PICK(ab, cc, 2, 3, 5, 5);
}

#if ROWS == 4
#define FOUR_TIMES(i, j, k, l) i, j, k, l, i, j, k, l, i, j, k, l, i, j, k, l
#define SIDE(v, k) __builtin_shufflevector(v, v, FOUR_TIMES(k, (k) + 4, (k) + 8, (k) + 12))
#define QUARTERS(a, b, i, j, k, l)                                                                                     \
    __builtin_shufflevector(a, b, 4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3, 4 * (j), 4 * (j) + 1, 4 * (j) + 2,   \
                            4 * (j) + 3, 4 * (k), 4 * (k) + 1, 4 * (k) + 2, 4 * (k) + 3, 4 * (l), 4 * (l) + 1,         \
                            4 * (l) + 2, 4 * (l) + 3)

// Loads the right-hand sides at four positions, each copied to all rows.
INLINE void NAME(load_columns)(const REAL *from, vec sides[3])
{
    vec v = load(from);
    sides[0] = SIDE(v, 0);
    sides[1] = SIDE(v, 1);
    sides[2] = SIDE(v, 2);
}

// Stores the row sums of each side at four positions.
INLINE void NAME(store_columns)(REAL *to, const vec sides[3])
{
    vec ab = QUARTERS(sides[0], sides[1], 0, 1, 4, 5) + QUARTERS(sides[0], sides[1], 2, 3, 6, 7); // a02 a13 b02 b13
    vec cc = sides[2] + QUARTERS(sides[2], sides[2], 2, 3, 0, 1);                                 // c02 c13
    vec v = QUARTERS(ab, cc, 0, 2, 4, 4) + QUARTERS(ab, cc, 1, 3, 5, 5);
    *(vec *)to = __builtin_shufflevector(v, v, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
}

#undef FOUR_TIMES
#undef SIDE
#undef QUARTERS
#else
INLINE void NAME(transpose)(quad *a, quad *b, quad *c, quad *d)
{
    quad low = PICK4(*a, *b, 0, 4, 1, 5), high = PICK4(*a, *b, 2, 6, 3, 7);
    quad low2 = PICK4(*c, *d, 0, 4, 1, 5), high2 = PICK4(*c, *d, 2, 6, 3, 7);
    *a = PICK4(low, low2, 0, 1, 4, 5);
    *b = PICK4(low, low2, 2, 3, 6, 7);
    *c = PICK4(high, high2, 0, 1, 4, 5);
    *d = PICK4(high, high2, 2, 3, 6, 7);
}

INLINE void NAME(load_columns)(const REAL *from, vec sides[3])
{
    quad a = load_four(from), b = load_four(from + 4), c = load_four(from + 8), d = load_four(from + 12);
    NAME(transpose)(&a, &b, &c, &d);
    sides[0] = SPLAT(a);
    sides[1] = SPLAT(b);
    sides[2] = SPLAT(c);
}

INLINE void NAME(store_columns)(REAL *to, const vec sides[3])
{
    quad a = SUM_OF_ROWS(sides[0]), b = SUM_OF_ROWS(sides[1]), c = SUM_OF_ROWS(sides[2]), d = { 0 };
    NAME(transpose)(&a, &b, &c, &d);
    *(quad *)to = a;
    *(quad *)(to + 4) = b;
    *(quad *)(to + 8) = c;
    *(quad *)(to + 12) = d;
}
#endif

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

// Unrolls a loop over groups. Vectors of four numbers have 16 registers, which hold the sums alone: y is read from
// memory, and the loop stays short.
#if ROWS == 1
#define UNROLL_GROUPS
#else
#define UNROLL_GROUPS TIDE_UNROLL(8)
#endif

// Multiplies `groups` tiles by the panel's columns y, summed over the columns.
#define MULTIPLY_TILES(count)                                                                                          \
    vec s[4 / ROWS][3] = { 0 };                                                                                        \
    UNROLL_GROUPS                                                                                                      \
    for (uint32_t g = 0; g < (count); g++, tile += TIDE_TILE) {                                                        \
        TIDE_UNROLL(4)                                                                                                 \
        for (uint32_t k = 0; k < PARTS; k++) {                                                                         \
            vec t = load(tile + STEP * k);                                                                             \
            KEEP(t);                                                                                                   \
            s[k][0] = FMA(t, y[g][0], s[k][0]);                                                                        \
            s[k][1] = FMA(t, y[g][1], s[k][1]);                                                                        \
            s[k][2] = FMA(t, y[g][2], s[k][2]);                                                                        \
        }                                                                                                              \
    }
#define SUMS(k) NAME(sums)(s[k])

// Updates `work`: x of the panel's columns becomes D^-1 x, and -B D^-1 x is added to its rows, first to those in which
// the next panels begin.
INLINE void NAME(forward_panel)(uint32_t groups, const tide_panel *p, const uint32_t *row, const REAL *tile, REAL *work)
{
    vec y[TIDE_PANEL_COLUMNS / 4][3];
    REAL *own = work + 4 * (size_t)p->first, *to = own + 16 * groups;
    UNROLL_GROUPS
    for (uint32_t g = 0; g < groups; g++)
        NAME(load_columns)(own + 16 * g, y[g]);
    for (uint32_t i = 0; i < p->inner; i++, to += 16) {
        MULTIPLY_TILES(groups)
        TIDE_UNROLL(4)
        for (uint32_t k = 0; k < PARTS; k++)
            *(vec *)(to + STEP * k) += SUMS(k);
    }
    for (uint32_t i = 0; i < p->full; i++) {
        to = work + 4 * (size_t)*row++;
        MULTIPLY_TILES(groups)
        TIDE_UNROLL(4)
        for (uint32_t k = 0; k < PARTS; k++)
            *(vec *)(to + STEP * k) += SUMS(k);
    }
    for (uint32_t i = 0; i < p->blocks; i++, row += 4) {
        MULTIPLY_TILES(groups)
        TIDE_UNROLL(4)
        for (uint32_t k = 0; k < PARTS; k++) {
            vec sum = SUMS(k);
            ADD_TO_ROWS(row + ROWS * k, sum);
        }
    }
    UNROLL_GROUPS
    for (uint32_t i = 0; i < groups; i++, own += 16) {
        MULTIPLY_TILES(i + 1)
        TIDE_UNROLL(4)
        for (uint32_t k = 0; k < PARTS; k++)
            *(vec *)(own + STEP * k) = SUMS(k);
    }
}

// Prefetching helps here. The forward sweep reads ascending addresses, which processors prefetch well by themselves.
enum { NAME(BYTES_AHEAD) = 4096, NAME(LINE) = 64 };
#define READ_AHEAD(t)                                                                                                  \
    if ((STEP * k * sizeof(REAL)) % NAME(LINE) == 0)                                                                   \
    __builtin_prefetch((const void *)((uintptr_t)(t)-NAME(BYTES_AHEAD)))

#if ROWS == 1
// Adds to s, column by column, `count` tiles times four rows; `address` is that of row k.
#define ADD_TILES(count, from, address)                                                                                \
    TIDE_UNROLL(4)                                                                                                     \
    for (uint32_t k = 0; k < 4; k++) {                                                                                 \
        const REAL *z = address;                                                                                       \
        vec v0 = { z[0], z[0], z[0], z[0] }, v1 = { z[1], z[1], z[1], z[1] }, v2 = { z[2], z[2], z[2], z[2] };         \
        TIDE_UNROLL(2)                                                                                                 \
        for (uint32_t g = 0; g < (count); g++) {                                                                       \
            vec t = load((from) + TIDE_TILE * g + 4 * k);                                                              \
            READ_AHEAD((from) + TIDE_TILE * g + 4 * k);                                                                \
            s[g][0] = FMA(t, v0, s[g][0]);                                                                             \
            s[g][1] = FMA(t, v1, s[g][1]);                                                                             \
            s[g][2] = FMA(t, v2, s[g][2]);                                                                             \
        }                                                                                                              \
    }

// Updates the columns of `count` groups, 1 or 2, from `first` on. Their sums stay in registers.
INLINE void NAME(backward_groups)(uint32_t first, uint32_t count, const tide_panel *p, const uint32_t *row,
                                  const REAL *tile, REAL *work)
{
    vec s[2][3] = { 0 };
    const uint32_t groups = p->groups;
    REAL *own = work + 4 * (size_t)p->first, *inner = own + 16 * (size_t)(groups + p->inner);
    row += p->full + 4 * (size_t)p->blocks;
    tile += tide_panel_values(p) + TIDE_TILE * first;
    for (uint32_t i = groups; i-- > first;) {
        tile -= TIDE_TILE * (i + 1);
        if (i == first) // only the first group has a tile in this row
            ADD_TILES(1, tile, own + 16 * i + 4 * k)
        else
            ADD_TILES(count, tile, own + 16 * i + 4 * k)
    }
    tile -= TIDE_TILE * first * (first + 1) / 2;
    for (uint32_t i = 0; i < p->blocks; i++) {
        row -= 4;
        tile -= TIDE_TILE * groups;
        ADD_TILES(count, tile, work + 4 * (size_t)row[k])
    }
    for (uint32_t i = 0; i < p->full; i++) {
        row--;
        tile -= TIDE_TILE * groups;
        ADD_TILES(count, tile, work + 4 * (size_t)*row + 4 * k)
    }
    for (uint32_t i = 0; i < p->inner; i++) {
        inner -= 16;
        tile -= TIDE_TILE * groups;
        ADD_TILES(count, tile, inner + 4 * k)
    }
    TIDE_UNROLL(2)
    for (uint32_t g = 0; g < count; g++)
        NAME(store_columns)(own + 16 * (first + g), s[g]);
}

// Updates `work` as the version for wider vectors below, two groups at a time. No group reads the columns of an earlier
// group, which are already written.
INLINE void NAME(backward_panel)(uint32_t groups, const tide_panel *p, const uint32_t *row, const REAL *tile,
                                 REAL *work)
{
    uint32_t first = 0;
    for (; first + 2 <= groups; first += 2)
        NAME(backward_groups)(first, 2, p, row, tile, work);
    if (first < groups)
        NAME(backward_groups)(first, 1, p, row, tile, work);
}
#else
// Adds to s, column by column, `count` tiles, which end at `tile`, times four rows, of which ROW is part k.
#define ADD_TILES(count, ROW)                                                                                          \
    tile -= TIDE_TILE * (count);                                                                                       \
    TIDE_UNROLL(4)                                                                                                     \
    for (uint32_t k = 0; k < PARTS; k++) {                                                                             \
        vec v = ROW, v0 = PICK(v, v, 0, 0, 0, 0), v1 = PICK(v, v, 1, 1, 1, 1), v2 = PICK(v, v, 2, 2, 2, 2);            \
        TIDE_UNROLL(8)                                                                                                 \
        for (uint32_t g = 0; g < (count); g++) {                                                                       \
            const REAL *from = tile + TIDE_TILE * g + STEP * k;                                                        \
            vec t = load(from);                                                                                        \
            KEEP(t);                                                                                                   \
            READ_AHEAD(from);                                                                                          \
            s[g][0] = FMA(t, v0, s[g][0]);                                                                             \
            s[g][1] = FMA(t, v1, s[g][1]);                                                                             \
            s[g][2] = FMA(t, v2, s[g][2]);                                                                             \
        }                                                                                                              \
    }

// Updates `work`: x of the panel's columns becomes (D^-1)' x - (B D^-1)' z, where z is the work of its rows. Runs from
// the end, so that values are read in one direction throughout, and rows that the previous panel has just computed come
// last.
INLINE void NAME(backward_panel)(uint32_t groups, const tide_panel *p, const uint32_t *row, const REAL *tile,
                                 REAL *work)
{
    vec s[TIDE_PANEL_COLUMNS / 4][3] = { 0 };
    REAL *own = work + 4 * (size_t)p->first, *inner = own + 16 * (size_t)(groups + p->inner);
    row += p->full + 4 * (size_t)p->blocks;
    tile += tide_panel_values(p);
    TIDE_UNROLL(8)
    for (uint32_t i = groups; i-- > 0;) {
        ADD_TILES(i + 1, load(own + 16 * i + STEP * k))
    }
    for (uint32_t i = 0; i < p->blocks; i++) {
        row -= 4;
        ADD_TILES(groups, JOIN(work, row + ROWS * k))
    }
    for (uint32_t i = 0; i < p->full; i++) {
        row--;
        ADD_TILES(groups, load(work + 4 * (size_t)*row + STEP * k))
    }
    for (uint32_t i = 0; i < p->inner; i++) {
        inner -= 16;
        ADD_TILES(groups, load(inner + STEP * k))
    }
    TIDE_UNROLL(8)
    for (uint32_t g = 0; g < groups; g++)
        NAME(store_columns)(own + 16 * g, s[g]);
}
#endif

#ifdef TAKE_ROWS
TARGET static void NAME(take)(const tide_scaled_row *scaled_rows, uint32_t begin, uint32_t end, double scale,
                              const double *b, void *work_)
{
    REAL *work = work_;
    for (uint32_t i = begin; i < end; i += ROWS)
        *(vec *)(work + 4 * (size_t)i) = (vec)TAKE_ROWS(scaled_rows + i, scale, b);
}

TARGET static void NAME(give)(const tide_scaled_row *scaled_rows, uint32_t begin, uint32_t end, double scale,
                              const void *work_, double *x)
{
    const REAL *work = work_;
    for (uint32_t i = end; i > begin;) {
        i -= ROWS;
        GIVE_ROWS(scaled_rows + i, scale, load(work + 4 * (size_t)i), x);
    }
}
#else
TARGET static void NAME(take)(const tide_scaled_row *scaled_rows, uint32_t begin, uint32_t end, double scale,
                              const double *b, void *work_)
{
    quad *work = work_;
    for (uint32_t i = begin; i < end; i++) {
        const double *from = b + 3 * (size_t)scaled_rows[i].row;
        NAME(four_doubles) v = { from[0], from[1], from[2], 0 };
        work[i] = __builtin_convertvector(v * scale, quad) * (REAL)scaled_rows[i].scale;
    }
}

TARGET static void NAME(give)(const tide_scaled_row *scaled_rows, uint32_t begin, uint32_t end, double scale,
                              const void *work_, double *x)
{
    const quad *work = work_;
    for (uint32_t i = end; i-- > begin;) {
        double *to = x + 3 * (size_t)scaled_rows[i].row;
        NAME(four_doubles)
        v = __builtin_convertvector(work[i] * (REAL)scaled_rows[i].scale, NAME(four_doubles)) * scale;
        to[0] = v[0];
        to[1] = v[1];
        to[2] = v[2];
    }
}

#endif

#undef TIDE_FACTOR_SWEEPS_THREE_H // included again by the same file

#endif
