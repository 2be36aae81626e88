// Tessellates any distance by surface nets over a grid of cubes.
#include "collision/tessellation.h"

#include "base/memory.h"
#include "base/vec3.h"

#include <stdio.h>
#include <string.h>

enum { MAX_CORNERS = 1 << 22 };
#define NONE UINT32_MAX

typedef struct net {
    const tide_distance *distance;
    double origin[3], cell;
    size_t cells[3];
    double *values; // at the corners, ((cells + 1) along each axis) x fastest
    uint32_t *of;   // (cells along each axis) the vertex of a cell, or NONE
    double *vertices;
    size_t vertex_count, vertex_capacity;
    uint32_t *triangles;
    size_t triangle_count, triangle_capacity;
} net;

static size_t corner_index(const net *n, size_t i, size_t j, size_t k)
{
    return (k * (n->cells[1] + 1) + j) * (n->cells[0] + 1) + i;
}

static size_t cell_index(const net *n, size_t i, size_t j, size_t k)
{
    return (k * n->cells[1] + j) * n->cells[0] + i;
}

// Covers the bounds with cubes, and one more on each side; cubes are larger where there would be too many.
static bool lay_out(net *n, double cell)
{
    const tide_distance *d = n->distance;
    for (;; cell *= 1.25) {
        double corners = 1;
        for (int k = 0; k < 3; k++)
            corners *= ceil((d->upper[k] - d->lower[k]) / cell) + 3;
        if (corners <= MAX_CORNERS)
            break;
    }
    n->cell = cell;
    size_t corners = 1, cells = 1;
    for (int k = 0; k < 3; k++) {
        double count = ceil((d->upper[k] - d->lower[k]) / cell) + 2;
        n->cells[k] = (size_t)count;
        n->origin[k] = (d->lower[k] + d->upper[k] - count * cell) / 2;
        corners *= n->cells[k] + 1;
        cells *= n->cells[k];
    }
    n->values = tide_allocate_array(corners, sizeof *n->values);
    n->of = tide_allocate_array(cells, sizeof *n->of);
    if (!n->values || !n->of)
        return false;
    for (size_t k = 0; k <= n->cells[2]; k++)
        for (size_t j = 0; j <= n->cells[1]; j++)
            for (size_t i = 0; i <= n->cells[0]; i++) {
                const double p[3] = { n->origin[0] + (double)i * cell, n->origin[1] + (double)j * cell,
                                      n->origin[2] + (double)k * cell };
                n->values[corner_index(n, i, j, k)] = tide_distance_at(d, p, NULL);
            }
    return true;
}

// Computes the mean of the crossings of the surface with the cell's edges (in cells, from its lowest corner). Returns
// false when there is none.
static bool mean_crossing(const net *n, const size_t cell[3], double mean[3])
{
    double sum[3] = { 0, 0, 0 };
    int crossings = 0;
    for (size_t axis = 0; axis < 3; axis++)
        for (size_t e = 0; e < 4; e++) {
            size_t lower[3] = { 0, 0, 0 }, upper[3];
            lower[(axis + 1) % 3] = e & 1;
            lower[(axis + 2) % 3] = e >> 1;
            memcpy(upper, lower, sizeof upper);
            upper[axis] = 1;
            double a = n->values[corner_index(n, cell[0] + lower[0], cell[1] + lower[1], cell[2] + lower[2])];
            double b = n->values[corner_index(n, cell[0] + upper[0], cell[1] + upper[1], cell[2] + upper[2])];
            if ((a < 0) == (b < 0))
                continue;
            crossings++;
            for (size_t k = 0; k < 3; k++)
                sum[k] += k == axis ? a / (a - b) : (double)lower[k];
        }
    for (int k = 0; k < 3 && crossings; k++)
        mean[k] = sum[k] / crossings;
    return crossings > 0;
}

// Adds a vertex at the mean of the crossings, projected onto the surface but not out of its cell.
static bool add_vertex(net *n, const size_t cell[3], const double mean[3])
{
    if (n->vertex_count >= TIDE_MESH_MAX_VERTICES ||
        !tide_grow(&n->vertices, &n->vertex_capacity, n->vertex_count + 1, 3 * sizeof *n->vertices))
        return false;
    double p[3];
    for (int k = 0; k < 3; k++)
        p[k] = n->origin[k] + ((double)cell[k] + mean[k]) * n->cell;
    for (int i = 0; i < 3; i++) {
        double g[3], value = tide_distance_at(n->distance, p, g);
        double squares = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
        for (int k = 0; k < 3 && squares > 0.01; k++) {
            double lower = n->origin[k] + (double)cell[k] * n->cell;
            p[k] = fmin(fmax(p[k] - value * g[k] / squares, lower), lower + n->cell);
        }
    }
    n->of[cell_index(n, cell[0], cell[1], cell[2])] = (uint32_t)n->vertex_count;
    memcpy(n->vertices + 3 * n->vertex_count++, p, sizeof p);
    return true;
}

static bool add_vertices(net *n)
{
    size_t cell[3];
    for (cell[2] = 0; cell[2] < n->cells[2]; cell[2]++)
        for (cell[1] = 0; cell[1] < n->cells[1]; cell[1]++)
            for (cell[0] = 0; cell[0] < n->cells[0]; cell[0]++) {
                double mean[3];
                n->of[cell_index(n, cell[0], cell[1], cell[2])] = NONE;
                if (mean_crossing(n, cell, mean) && !add_vertex(n, cell, mean))
                    return false;
            }
    return true;
}

// Adds two triangles between the four cells around an edge that the surface crosses; `a` and `b` are the values at the
// ends of the edge.
static bool add_square(net *n, size_t axis, const size_t at[3], double a, double b)
{
    if ((a < 0) == (b < 0))
        return true;
    size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    if (at[u] == 0 || at[v] == 0 || at[u] == n->cells[u] || at[v] == n->cells[v])
        return true; // on the boundary of the grid, where nothing is inside
    if (!tide_grow(&n->triangles, &n->triangle_capacity, n->triangle_count + 2, 3 * sizeof *n->triangles))
        return false;
    uint32_t corners[4];
    for (size_t c = 0; c < 4; c++) {
        size_t cell[3] = { at[0], at[1], at[2] };
        cell[u] -= c == 0 || c == 3;
        cell[v] -= c == 0 || c == 1;
        corners[c] = n->of[cell_index(n, cell[0], cell[1], cell[2])];
    }
    // Counter-clockwise as seen from along the axis, which is outward when the upper end is outside.
    size_t second = a < 0 ? 1 : 3, last = a < 0 ? 3 : 1;
    const uint32_t both[6] = { corners[0], corners[second], corners[2], corners[0], corners[2], corners[last] };
    memcpy(n->triangles + 3 * n->triangle_count, both, sizeof both);
    n->triangle_count += 2;
    return true;
}

static bool add_squares(net *n)
{
    size_t at[3];
    for (at[2] = 0; at[2] <= n->cells[2]; at[2]++)
        for (at[1] = 0; at[1] <= n->cells[1]; at[1]++)
            for (at[0] = 0; at[0] <= n->cells[0]; at[0]++)
                for (size_t axis = 0; axis < 3; axis++) {
                    if (at[axis] == n->cells[axis])
                        continue;
                    size_t next[3] = { at[0], at[1], at[2] };
                    next[axis]++;
                    double a = n->values[corner_index(n, at[0], at[1], at[2])];
                    double b = n->values[corner_index(n, next[0], next[1], next[2])];
                    if (!add_square(n, axis, at, a, b))
                        return false;
                }
    return true;
}

static tide_status check(const tide_distance *distance, double cell, tide_error *error)
{
    const char *object = "shape distance";
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        if (!(distance->upper[k] - distance->lower[k] <= TIDE_DISTANCE_LARGEST))
            return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "bounds", NULL,
                             "the inside is unbounded; give `bounds`, or intersect it with a box");
        inside = inside && distance->lower[k] < distance->upper[k];
    }
    char value[32];
    snprintf(value, sizeof value, "%.10g", cell);
    if (!(cell >= TIDE_DISTANCE_SMALLEST && cell <= TIDE_DISTANCE_LARGEST))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "cell", value, "expected a number from 1e-9 to 1e9 m");
    if (!inside)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "fn", NULL,
                         "nothing is inside: the distance is negative nowhere within the bounds");
    return TIDE_OK;
}

tide_status tide_tessellate_distance(const tide_distance *distance, double cell, const tide_mesh **mesh,
                                     tide_error *error)
{
    tide_status status = check(distance, cell, error);
    if (status != TIDE_OK)
        return status;
    net n = { .distance = distance };
    tide_mesh *made = NULL;
    if (!lay_out(&n, cell) || !add_vertices(&n) || !add_squares(&n))
        status = tide_fail_memory(error, "shape distance");
    else if (n.triangle_count == 0)
        status = tide_fail(error, TIDE_ERROR_ARGUMENT, "shape distance", "cell", NULL,
                           "nothing is inside, or it is smaller than a cell: use smaller cells");
    else {
        const tide_mesh_parts parts = { .vertex_count = (uint32_t)n.vertex_count,
                                        .vertices = n.vertices,
                                        .triangle_count = (uint32_t)n.triangle_count,
                                        .triangles = n.triangles };
        status = tide_mesh_create(&parts, &made, error);
    }
    tide_free(n.values);
    tide_free(n.of);
    tide_free(n.vertices);
    tide_free(n.triangles);
    if (status == TIDE_OK)
        *mesh = made;
    return status;
}
