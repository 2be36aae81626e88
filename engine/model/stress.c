#include "model/stress.h"

#include "model/dense_element.h"

#include <math.h>

// Positions are relative to the first corner: the forces of an element sum to zero.
static tide_stress virial(const double *gradient, const double *x, const uint32_t *vertices, uint32_t corners)
{
    const double *origin = x + 3 * (size_t)vertices[0];
    tide_stress sum = { 0 };
    for (size_t c = 1; c < corners; c++) {
        const double *g = gradient + 3 * c, *p = x + 3 * (size_t)vertices[c];
        const double d[3] = { p[0] - origin[0], p[1] - origin[1], p[2] - origin[2] };
        sum.xx += g[0] * d[0];
        sum.yy += g[1] * d[1];
        sum.zz += g[2] * d[2];
        sum.yz += (g[1] * d[2] + g[2] * d[1]) / 2;
        sum.zx += (g[2] * d[0] + g[0] * d[2]) / 2;
        sum.xy += (g[0] * d[1] + g[1] * d[0]) / 2;
    }
    return sum;
}

void tide_stress_find_virials(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end,
                              tide_stress *out)
{
    size_t corners = elements->kind->vertex_count;
    double gradients[TIDE_STRESS_BLOCK * TIDE_ELEMENT_MAX_NUMBERS];
    elements->kind->gradient(elements, x, begin, end, gradients);
    for (size_t e = begin; e < end; e++)
        out[e - begin] =
            virial(gradients + 3 * corners * (e - begin), x, elements->vertices + corners * e, (uint32_t)corners);
}

tide_stress tide_stress_add(tide_stress a, tide_stress b)
{
    return (tide_stress) { a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.yz + b.yz, a.zx + b.zx, a.xy + b.xy };
}

tide_stress tide_stress_scale(tide_stress s, double factor)
{
    return (tide_stress) { s.xx * factor, s.yy * factor, s.zz * factor, s.yz * factor, s.zx * factor, s.xy * factor };
}

void tide_stress_principal(tide_stress s, double values[3], double directions[3][3])
{
    double matrix[9] = { s.xx, s.xy, s.zx, s.xy, s.yy, s.yz, s.zx, s.yz, s.zz }, vectors[9];
    int order[3] = { 0, 1, 2 };
    tide_dense_diagonalise(matrix, vectors, 3);
    for (int pass = 0; pass < 3; pass++) // pairs (0, 1), (1, 2), (0, 1)
        if (matrix[4 * order[pass % 2]] < matrix[4 * order[pass % 2 + 1]]) {
            int first = order[pass % 2];
            order[pass % 2] = order[pass % 2 + 1];
            order[pass % 2 + 1] = first;
        }
    for (int i = 0; i < 3; i++) {
        values[i] = matrix[4 * order[i]];
        for (int k = 0; directions && k < 3; k++)
            directions[i][k] = vectors[3 * k + order[i]];
    }
}

double tide_stress_von_mises(tide_stress s)
{
    double a = s.xx - s.yy, b = s.yy - s.zz, c = s.zz - s.xx;
    return sqrt((a * a + b * b + c * c) / 2 + 3 * (s.yz * s.yz + s.zx * s.zx + s.xy * s.xy));
}
