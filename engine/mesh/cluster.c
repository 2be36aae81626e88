// Clusters of nearby vertices, found with a hash of cells. Kept vertices are more than `distance` apart, so that a cell
// holds a bounded number of them and the time is linear.
#include "mesh/connectivity.h"

#include "base/hash.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

#define NONE UINT32_MAX

typedef struct cells {
    const double *vertices;
    double distance, size; // width of a cell: 4 distances
    uint32_t *heads, *next;
    uint32_t mask;
} cells;

// Returns the number of the cell of a coordinate: a monotonic function, and the coordinate itself where cells are too
// small to be numbered. Adding 0 puts -0 into the cell of 0.
static double cell_of(const cells *cells, double coordinate)
{
    double cell = floor(coordinate / cells->size);
    return isfinite(cell) ? cell + 0.0 : coordinate + 0.0;
}

static uint32_t *head_of(const cells *cells, const double cell[3])
{
    uint64_t hash = tide_hash_bytes(TIDE_HASH_START, cell, 3 * sizeof *cell);
    return &cells->heads[(hash ^ hash >> 32) & cells->mask];
}

static bool is_near(const cells *cells, uint32_t a, uint32_t b)
{
    const double *p = cells->vertices + 3 * (size_t)a, *q = cells->vertices + 3 * (size_t)b;
    if (cells->distance == 0)
        return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
    // In units of the distance, so that squares do not overflow or vanish where it matters.
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double difference = (p[k] - q[k]) / cells->distance;
        sum += difference * difference;
    }
    return sum <= 1;
}

static uint32_t find_lowest(const cells *cells, uint32_t vertex)
{
    double range[3][2];
    int ends[3];
    for (int k = 0; k < 3; k++) {
        double x = cells->vertices[3 * (size_t)vertex + (size_t)k];
        range[k][0] = cell_of(cells, x - cells->distance);
        range[k][1] = cell_of(cells, x + cells->distance);
        ends[k] = range[k][0] == range[k][1] ? 1 : 2;
    }
    uint32_t lowest = NONE;
    for (int i = 0; i < ends[0]; i++)
        for (int j = 0; j < ends[1]; j++)
            for (int k = 0; k < ends[2]; k++) {
                const double cell[3] = { range[0][i], range[1][j], range[2][k] };
                for (uint32_t other = *head_of(cells, cell); other != NONE; other = cells->next[other])
                    if (other < lowest && is_near(cells, vertex, other))
                        lowest = other;
            }
    return lowest;
}

static void keep(const cells *cells, uint32_t vertex)
{
    double cell[3];
    for (int k = 0; k < 3; k++)
        cell[k] = cell_of(cells, cells->vertices[3 * (size_t)vertex + (size_t)k]);
    uint32_t *head = head_of(cells, cell);
    cells->next[vertex] = *head;
    *head = vertex;
}

tide_status tide_mesh_cluster(const double *vertices, uint32_t count, double distance, uint32_t *lowest,
                              tide_error *error)
{
    size_t table = 16;
    while (table < 2 * (size_t)count)
        table *= 2;
    TIDE_SCOPED void *memory = tide_allocate(0);
    cells cells = { .vertices = vertices,
                    .distance = distance,
                    .size = 4 * distance,
                    .heads = tide_own_array(memory, table, sizeof *cells.heads),
                    .next = tide_own_array(memory, count, sizeof *cells.next),
                    .mask = (uint32_t)(table - 1) };
    if (!tide_owns_all(memory))
        return tide_fail_memory(error, "mesh vertices");
    memset(cells.heads, 0xff, table * sizeof *cells.heads);
    for (uint32_t vertex = 0; vertex < count; vertex++) {
        uint32_t found = find_lowest(&cells, vertex);
        lowest[vertex] = found == NONE ? vertex : found;
        if (found == NONE)
            keep(&cells, vertex);
    }
    return TIDE_OK;
}
