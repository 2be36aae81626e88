#include "mesh/connectivity.h"

#include "base/memory.h"

#include <stddef.h>
#include <stdio.h>

static const char *const diagonal_names[] = { "alternating", "forward", "backward", "both", "none", NULL };

#define FIELD(member) .name = #member, .offset = offsetof(tide_mesh_grid_def, member)
static const tide_field fields[] = {
    { FIELD(columns), .type = TIDE_FIELD_INTEGER, .initial = { 21 }, .minimum = 2, .maximum = INFINITY,
      .help = "number of vertices along x" },
    { FIELD(rows), .type = TIDE_FIELD_INTEGER, .initial = { 21 }, .minimum = 2, .maximum = INFINITY,
      .help = "number of vertices along z" },
    { FIELD(width), .type = TIDE_FIELD_REAL, .initial = { 1 }, .maximum = INFINITY, .positive = true, .unit = "m",
      .help = "length along x" },
    { FIELD(height), .type = TIDE_FIELD_REAL, .initial = { 1 }, .maximum = INFINITY, .positive = true, .unit = "m",
      .help = "length along z" },
    { FIELD(diagonals), .type = TIDE_FIELD_CHOICE, .initial = { TIDE_DIAGONALS_ALTERNATING }, .choices = diagonal_names,
      .help = "diagonals of the cells that are edges" },
    { 0 },
};

// The arrays of the mesh under construction.
typedef struct grid {
    void *memory; // owns the arrays
    uint32_t columns, rows;
    int diagonals;
    double *vertices, *texture;
    uint32_t *edges, *triangles, *skips;
    uint32_t edge_count, triangle_count, skip_count;
} grid;

static void set_vertices(const grid *grid, double width, double height)
{
    double larger = width > height ? width : height;
    double *vertex = grid->vertices, *texture = grid->texture;
    for (uint32_t r = 0; r < grid->rows; r++)
        for (uint32_t c = 0; c < grid->columns; c++, vertex += 3, texture += 2) {
            vertex[0] = c * width / (grid->columns - 1);
            vertex[1] = 0;
            vertex[2] = r * height / (grid->rows - 1);
            texture[0] = vertex[0] / larger;
            texture[1] = vertex[2] / larger;
        }
}

// Tells whether the triangles of a cell meet along the diagonal from (c, r) to (c+1, r+1).
static bool is_split_forward(const grid *grid, uint32_t c, uint32_t r)
{
    switch (grid->diagonals) {
    case TIDE_DIAGONALS_FORWARD:
        return true;
    case TIDE_DIAGONALS_BACKWARD:
        return false;
    default:
        return (c + r) % 2 == 0;
    }
}

static bool has_edge_forward(const grid *grid, uint32_t c, uint32_t r)
{
    return grid->diagonals != TIDE_DIAGONALS_NONE &&
           (grid->diagonals == TIDE_DIAGONALS_BOTH || is_split_forward(grid, c, r));
}

static bool has_edge_backward(const grid *grid, uint32_t c, uint32_t r)
{
    return grid->diagonals != TIDE_DIAGONALS_NONE &&
           (grid->diagonals == TIDE_DIAGONALS_BOTH || !is_split_forward(grid, c, r));
}

static void add_pair(uint32_t *pairs, uint32_t *count, uint32_t a, uint32_t b)
{
    pairs[2 * (size_t)*count] = a;
    pairs[2 * (size_t)*count + 1] = b;
    ++*count;
}

static void set_edges(grid *grid)
{
    uint32_t columns = grid->columns, rows = grid->rows;
    // From each vertex to its higher neighbours, in ascending order.
    for (uint32_t r = 0, i = 0; r < rows; r++)
        for (uint32_t c = 0; c < columns; c++, i++) {
            if (c + 1 < columns)
                add_pair(grid->edges, &grid->edge_count, i, i + 1);
            if (r + 1 == rows)
                continue;
            if (c > 0 && has_edge_backward(grid, c - 1, r))
                add_pair(grid->edges, &grid->edge_count, i, i + columns - 1);
            add_pair(grid->edges, &grid->edge_count, i, i + columns);
            if (c + 1 < columns && has_edge_forward(grid, c, r))
                add_pair(grid->edges, &grid->edge_count, i, i + columns + 1);
        }
}

static void set_skips(grid *grid)
{
    for (uint32_t r = 0, i = 0; r < grid->rows; r++)
        for (uint32_t c = 0; c < grid->columns; c++, i++) {
            if (c + 2 < grid->columns)
                add_pair(grid->skips, &grid->skip_count, i, i + 2);
            if (r + 2 < grid->rows)
                add_pair(grid->skips, &grid->skip_count, i, i + 2 * grid->columns);
        }
}

static void add_triangle(grid *grid, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *triangle = grid->triangles + 3 * (size_t)grid->triangle_count++;
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
}

static void set_triangles(grid *grid)
{
    for (uint32_t r = 0; r + 1 < grid->rows; r++)
        for (uint32_t c = 0; c + 1 < grid->columns; c++) {
            uint32_t here = r * grid->columns + c, right = here + 1;
            uint32_t below = here + grid->columns, across = below + 1;
            if (is_split_forward(grid, c, r)) {
                add_triangle(grid, here, below, across);
                add_triangle(grid, here, across, right);
            } else {
                add_triangle(grid, here, below, right);
                add_triangle(grid, right, below, across);
            }
        }
}

static bool allocate(grid *grid)
{
    size_t vertices = (size_t)grid->columns * grid->rows, cells = (size_t)(grid->columns - 1) * (grid->rows - 1);
    grid->vertices = tide_own_array(grid->memory, vertices, 3 * sizeof(double));
    grid->texture = tide_own_array(grid->memory, vertices, 2 * sizeof(double));
    // At most four edges and two skips begin at a vertex.
    grid->edges = tide_own_array(grid->memory, vertices, 8 * sizeof(uint32_t));
    grid->skips = tide_own_array(grid->memory, vertices, 4 * sizeof(uint32_t));
    grid->triangles = tide_own_array(grid->memory, cells, 6 * sizeof(uint32_t));
    return tide_owns_all(grid->memory);
}

static tide_status build(const void *definition, tide_mesh **mesh, tide_error *error)
{
    const tide_mesh_grid_def *def = definition;
    TIDE_TRY(tide_fields_check(fields, "mesh grid", def, error));
    char value[32];
    snprintf(value, sizeof value, "%d", def->columns);
    if ((uint64_t)def->columns * (uint64_t)def->rows > TIDE_MESH_MAX_VERTICES)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "mesh grid", "columns", value,
                         "with %d rows this makes %llu vertices; expected at most %d", def->rows,
                         (unsigned long long)def->columns * (unsigned long long)def->rows, TIDE_MESH_MAX_VERTICES);
    TIDE_SCOPED void *memory = tide_allocate(0);
    grid grid = {
        .memory = memory, .columns = (uint32_t)def->columns, .rows = (uint32_t)def->rows, .diagonals = def->diagonals
    };
    if (!allocate(&grid))
        return tide_fail_memory(error, "mesh grid");
    set_vertices(&grid, def->width, def->height);
    set_edges(&grid);
    set_skips(&grid);
    set_triangles(&grid);
    const tide_mesh_parts parts = { .vertex_count = grid.columns * grid.rows,
                                    .vertices = grid.vertices,
                                    .texture = grid.texture,
                                    .edge_count = grid.edge_count,
                                    .edges = grid.edges,
                                    .triangle_count = grid.triangle_count,
                                    .triangles = grid.triangles,
                                    .skip_count = grid.skip_count,
                                    .skips = grid.skips };
    return tide_mesh_create_from(&parts, true, mesh, error);
}

const tide_mesh_builder tide_mesh_grid = {
    .name = "grid",
    .help = "a cloth: a rectangular grid in the x-z plane that starts at the origin, with edges between neighbours",
    .fields = fields,
    .definition_size = sizeof(tide_mesh_grid_def),
    .build = build,
};
