#include "collision/vicinity.h"

#include <string.h>

enum { CELLS = TIDE_VICINITY_CELLS };

void tide_vicinity_begin(tide_vicinity *v, const double bounds[6])
{
    for (int k = 0; k < 3; k++) {
        // One more cell on each side holds what moves slightly farther.
        double cell = (bounds[3 + k] - bounds[k]) / (CELLS - 2);
        v->lower[k] = bounds[k] - cell;
        v->upper[k] = bounds[3 + k] + cell;
        v->per_cell[k] = cell > 1e-300 ? 1 / cell : 0;
    }
    memset(v->rows, 0, sizeof v->rows);
}

// Maps any number to a cell, monotonically: boxes with a common point have its cell in common.
static inline int cell_of(const tide_vicinity *v, int axis, double x)
{
    double cell = (x - v->lower[axis]) * v->per_cell[axis];
    return cell > 0 ? (cell < CELLS - 1 ? (int)cell : CELLS - 1) : 0;
}

typedef struct range {
    int lower[3], upper[3];
    uint64_t across; // bits in a row
} range;

static inline range range_of(const tide_vicinity *v, const double box[6], double wider)
{
    range r;
    for (int k = 0; k < 3; k++) {
        double by = v->per_cell[k] > 0 ? wider / v->per_cell[k] : 0;
        r.lower[k] = cell_of(v, k, box[k] - by);
        r.upper[k] = cell_of(v, k, box[3 + k] + by);
    }
    r.across = (UINT64_MAX >> (CELLS - 1 - (r.upper[0] - r.lower[0]))) << r.lower[0];
    return r;
}

void tide_vicinity_mark(tide_vicinity *v, const double box[6])
{
    range r = range_of(v, box, 0.5);
    for (int z = r.lower[2]; z <= r.upper[2]; z++)
        for (int y = r.lower[1]; y <= r.upper[1]; y++)
            v->rows[CELLS * z + y] |= r.across;
}

bool tide_vicinity_meets(const tide_vicinity *v, const double box[6])
{
    for (int k = 0; k < 3; k++)
        if (box[3 + k] < v->lower[k] || box[k] > v->upper[k])
            return false;
    range r = range_of(v, box, 0);
    for (int z = r.lower[2]; z <= r.upper[2]; z++)
        for (int y = r.lower[1]; y <= r.upper[1]; y++)
            if (v->rows[CELLS * z + y] & r.across)
                return true;
    return false;
}

bool tide_vicinity_holds(const tide_vicinity *v, const double box[6])
{
    for (int k = 0; k < 3; k++)
        if (box[k] < v->lower[k] || box[3 + k] > v->upper[k])
            return false;
    range r = range_of(v, box, 0);
    for (int z = r.lower[2]; z <= r.upper[2]; z++)
        for (int y = r.lower[1]; y <= r.upper[1]; y++)
            if ((v->rows[CELLS * z + y] & r.across) != r.across)
                return false;
    return true;
}
