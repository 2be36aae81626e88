// The part of sweeps_template.h for many right-hand sides, each of which follows one path to the root: TIDE_SWEEPS_MANY
// numbers for each position. Each has the same bits as with three right-hand sides.
#ifndef TIDE_FACTOR_SWEEPS_MANY_H
#define TIDE_FACTOR_SWEEPS_MANY_H

enum { NAME(VECTORS) = TIDE_SWEEPS_MANY / (4 * ROWS) };
#define VECTORS NAME(VECTORS)

#if ROWS == 1
#define EACH(x) ((vec) { x, x, x, x })
#elif ROWS == 2
#define EACH(x) ((vec) { x, x, x, x, x, x, x, x })
#else
#define EACH(x) ((vec) { x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x })
#endif

// Computes sums, four rows of `groups` tiles times the columns y, for the right-hand sides of one vector.
INLINE void NAME(multiply_many)(uint32_t groups, const REAL *tile, const vec *y, vec sums[4])
{
    vec s[4][4] = { 0 };
    for (uint32_t g = 0; g < groups; g++, tile += TIDE_TILE, y += 4 * VECTORS) {
        TIDE_UNROLL(4)
        for (uint32_t row = 0; row < 4; row++) {
            TIDE_UNROLL(4)
            for (uint32_t k = 0; k < 4; k++)
                s[row][k] = FMA(EACH(tile[4 * row + k]), y[k * VECTORS], s[row][k]);
        }
    }
    TIDE_UNROLL(4)
    for (uint32_t row = 0; row < 4; row++)
        sums[row] = (s[row][0] + s[row][2]) + (s[row][1] + s[row][3]);
}

TARGET static void NAME(forward_many)(const tide_panels *panels, const tide_panel_task *task, uint32_t panel,
                                      const void *values, void *work_)
{
    const tide_panel *p = &panels->panels[panel];
    const REAL *tile = (const REAL *)values + p->values;
    const uint32_t *row = panels->rows + p->rows;
    vec *work = work_, *own = work + (size_t)p->first * VECTORS;
    vec y[TIDE_PANEL_COLUMNS * VECTORS], sums[4];
    memcpy(y, own, 4 * p->groups * VECTORS * sizeof *y);
    for (uint32_t i = 0; i < p->inner + p->full + p->blocks; i++, tile += TIDE_TILE * p->groups) {
        uint32_t to[4];
        bool whole = i < p->inner + p->full;
        for (uint32_t k = 0; k < 4; k++)
            to[k] = i < p->inner ? p->first + 4 * (p->groups + i) + k
                                 : tide_panel_position(panels, task, whole ? *row + k : row[k]);
        row += i < p->inner ? 0 : whole ? 1 : 4;
        for (uint32_t v = 0; v < VECTORS; v++) {
            NAME(multiply_many)(p->groups, tile, y + v, sums);
            for (uint32_t k = 0; k < 4; k++)
                if (to[k] != TIDE_NO_POSITION)
                    work[(size_t)to[k] * VECTORS + v] += sums[k];
        }
    }
    for (uint32_t i = 0; i < p->groups; i++, own += 4 * VECTORS, tile += TIDE_TILE * i)
        for (uint32_t v = 0; v < VECTORS; v++) {
            NAME(multiply_many)(i + 1, tile, y + v, sums);
            for (uint32_t k = 0; k < 4; k++)
                own[k * VECTORS + v] = sums[k];
        }
}

TARGET static void NAME(multiply_columns)(const void *const columns_[4], const void *const others_[4],
                                          const uint32_t lengths[4][4], void *products_)
{
    const REAL *const *columns = (const REAL *const *)columns_, *const *others = (const REAL *const *)others_;
    REAL *products = products_;
    uint32_t common = UINT32_MAX, done = 0;
    for (uint32_t i = 0; i < 16; i++)
        common = lengths[i / 4][i % 4] < common ? lengths[i / 4][i % 4] : common;
    vec sums[4][4] = { 0 };
    for (; done + STEP <= common; done += STEP) {
        TIDE_UNROLL(4)
        for (uint32_t i = 0; i < 4; i++) {
            TIDE_UNROLL(4)
            for (uint32_t j = 0; j < 4; j++)
                sums[i][j] = FMA(load(columns[i] + done), load(others[j] + done), sums[i][j]);
        }
    }
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t j = 0; j < 4; j++) {
            uint32_t k = done;
            vec sum = sums[i][j];
            for (; k + STEP <= lengths[i][j]; k += STEP)
                sum = FMA(load(columns[i] + k), load(others[j] + k), sum);
            REAL product = 0;
            for (uint32_t l = 0; l < STEP; l++)
                product += sum[l];
            for (; k < lengths[i][j]; k++)
                product += columns[i][k] * others[j][k];
            products[4 * i + j] = product;
        }
}

#undef EACH
#undef VECTORS
#undef TIDE_FACTOR_SWEEPS_MANY_H // included again by the same file

#endif
