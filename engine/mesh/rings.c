#include "mesh/rings.h"

#include <stddef.h>
#include <string.h>

static uint32_t *add_triangle(uint32_t *out, uint32_t a, uint32_t b, uint32_t c)
{
    out[0] = a;
    out[1] = b;
    out[2] = c;
    return out + 3;
}

uint32_t *tide_mesh_rings_triangles(const tide_mesh_rings *rings, uint32_t *out)
{
    uint32_t columns = rings->columns, last = rings->closed ? rings->rows : rings->rows - 1;
    for (uint32_t r = 0; r < last; r++)
        for (uint32_t c = 0; c < columns; c++) {
            uint32_t next = (c + 1) % columns, above = (r + 1) % rings->rows * columns;
            uint32_t here = r * columns + c, beside = r * columns + next;
            if ((c + r) % 2 == 0) {
                out = add_triangle(out, here, beside, above + next);
                out = add_triangle(out, here, above + next, above + c);
            } else {
                out = add_triangle(out, here, beside, above + c);
                out = add_triangle(out, beside, above + next, above + c);
            }
        }
    return out;
}

// Returns the number of vertices of a line at which a pair two apart begins. In a circle of three, vertices two apart
// are neighbours; in a circle of four, each pair would come twice.
static uint32_t count_skips(uint32_t length, bool circle)
{
    if (length < 3)
        return 0;
    if (!circle)
        return length - 2;
    return length == 3 ? 0 : length == 4 ? 2 : length;
}

uint32_t *tide_mesh_rings_skips(const tide_mesh_rings *rings, uint32_t *out)
{
    uint32_t columns = rings->columns, rows = rings->rows;
    uint32_t around = count_skips(columns, true), along = count_skips(rows, rings->closed);
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t c = 0; c < columns; c++) {
            if (c < around) {
                *out++ = r * columns + c;
                *out++ = r * columns + (c + 2) % columns;
            }
            if (r < along) {
                *out++ = r * columns + c;
                *out++ = (r + 2) % rows * columns + c;
            }
        }
    return out;
}

// Rises from 0 to 1 half way around a circle of `length`, and falls back to 0.
static double there_and_back(uint32_t i, uint32_t length)
{
    double part = 2.0 * i / length;
    return part <= 1 ? part : 2 - part;
}

void tide_mesh_rings_texture(const tide_mesh_rings *rings, double around, double along, double *texture)
{
    for (uint32_t r = 0; r < rings->rows; r++)
        for (uint32_t c = 0; c < rings->columns; c++) {
            *texture++ = around * there_and_back(c, rings->columns);
            *texture++ = rings->closed     ? along * there_and_back(r, rings->rows)
                         : rings->rows > 1 ? along * r / (rings->rows - 1)
                                           : 0;
        }
}
