#include "factor/cholmod_columns.h"

void tide_cholmod_columns_free(tide_cholmod_columns *columns, cholmod_common *common)
{
    cholmod_free_dense(&columns->b, common);
    cholmod_free_dense(&columns->x, common);
    cholmod_free_dense(&columns->y, common);
    cholmod_free_dense(&columns->e, common);
    columns->width = 0;
}

// Numbers in a row of CHOLMOD's workspace for this many right-hand sides.
static uint32_t numbers_a_row(uint32_t width)
{
    return width < 4 ? 4 : width;
}

static void reshape(cholmod_dense *dense, size_t rows, size_t columns)
{
    dense->nrow = dense->d = rows;
    dense->ncol = columns;
    dense->nzmax = rows * columns;
}

// Prepares the blocks for a solve of this width. CHOLMOD reuses blocks only if they have exactly the expected shape,
// and leaves them in another one. So they get that shape before each solve, in the memory of the widest solve so far.
static bool make_room(tide_cholmod_columns *c, size_t rows, uint32_t width, cholmod_common *common)
{
    if (width > c->width) {
        tide_cholmod_columns_free(c, common);
        c->b = cholmod_allocate_dense(rows, width, rows, CHOLMOD_REAL, common);
        c->x = cholmod_allocate_dense(rows, width, rows, CHOLMOD_REAL, common);
        c->y = cholmod_allocate_dense(numbers_a_row(width), rows, numbers_a_row(width), CHOLMOD_REAL, common);
        if (!c->b || !c->x || !c->y)
            return false;
        c->width = width;
    }
    reshape(c->b, rows, width);
    reshape(c->x, rows, width);
    reshape(c->y, numbers_a_row(width), rows);
    return true;
}

// CHOLMOD stores columns one after another.
bool tide_cholmod_columns_solve(tide_cholmod_columns *c, cholmod_factor *factor, uint32_t width, const double *b,
                                double *x, cholmod_common *common)
{
    size_t rows = factor->n;
    bool solved = make_room(c, rows, width, common);
    if (solved) {
        double *columns = c->b->x;
        for (uint32_t j = 0; j < width; j++)
            for (size_t i = 0; i < rows; i++)
                columns[j * rows + i] = b[i * width + j];
        solved = cholmod_solve2(CHOLMOD_A, factor, c->b, NULL, &c->x, NULL, &c->y, &c->e, common);
    }
    if (!solved) {
        tide_cholmod_columns_free(c, common);
        return false;
    }
    const double *columns = c->x->x;
    for (uint32_t j = 0; j < width; j++)
        for (size_t i = 0; i < rows; i++)
            x[i * width + j] = columns[j * rows + i];
    return true;
}
