#include "mesh/connectivity.h"
#include "mesh/rings.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <stddef.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;

#define FIELD(member) .name = #member, .offset = offsetof(tide_mesh_cylinder_def, member)
static const tide_field fields[] = {
    { FIELD(radius), .type = TIDE_FIELD_REAL, .initial = { 0.5 }, .maximum = INFINITY, .unit = "m",
      .help = "radius at the bottom; 0 makes a tip" },
    { FIELD(top_radius), .type = TIDE_FIELD_REAL, .initial = { TIDE_NOT_GIVEN }, .initial_text = "that of the bottom",
      .maximum = INFINITY, .unit = "m", .help = "radius at the top; 0 makes a tip" },
    { FIELD(height), .type = TIDE_FIELD_REAL, .initial = { 1 }, .maximum = INFINITY, .positive = true, .unit = "m",
      .help = "length along y" },
    { FIELD(segments), .type = TIDE_FIELD_INTEGER, .initial = { 32 }, .minimum = 3, .maximum = TIDE_MESH_MAX_VERTICES,
      .help = "number of vertices around the axis" },
    { FIELD(rows), .type = TIDE_FIELD_INTEGER, .initial = { 11 }, .minimum = 2, .maximum = TIDE_MESH_MAX_VERTICES,
      .help = "number of vertices from the bottom to the top" },
    { FIELD(caps), .type = TIDE_FIELD_BOOLEAN, .initial = { 1 },
      .help = "close the bottom and the top; if open, bending springs run around and along the side" },
    { 0 },
};

// The arrays of the mesh under construction: rings of vertices from the bottom up, a tip, the interiors of the caps.
typedef struct cylinder {
    void *memory; // owns the arrays
    tide_mesh_rings rings;
    double height, radii[2]; // m; radii at the bottom and at the top
    bool tips[2], caps[2];   // of bottom and top
    uint32_t vertex_count, triangle_count;
    double *vertices, *texture;
    uint32_t *triangles, *skips;
    uint32_t next_vertex;
    uint32_t *next_triangle;
} cylinder;

// --- counts ---------------------------------------------------------------------------------------------------------

// Returns the number of circles within a cap, such that its triangles are about equilateral.
static uint32_t cap_circles(uint32_t segments)
{
    uint32_t circles = (uint32_t)lround(segments / (2 * pi));
    return circles ? circles : 1;
}

// Returns the number of vertices on circle k of a cap, from 1 to cap_circles.
static uint32_t on_circle(uint32_t segments, uint32_t k)
{
    uint32_t circles = cap_circles(segments);
    uint32_t count = (uint32_t)(((uint64_t)segments * k + circles / 2) / circles);
    return count < 3 ? 3 : count;
}

// Adds the numbers of vertices within the rim of a cap and of its triangles.
static void count_cap(uint32_t segments, uint64_t *vertices, uint64_t *triangles)
{
    *vertices += 1;
    *triangles += on_circle(segments, 1);
    for (uint32_t k = 1; k < cap_circles(segments); k++) {
        uint32_t inner = on_circle(segments, k);
        *vertices += inner;
        *triangles += inner + on_circle(segments, k + 1);
    }
}

static tide_status set_counts(cylinder *cylinder, const tide_mesh_cylinder_def *def, tide_error *error)
{
    uint32_t segments = (uint32_t)def->segments;
    cylinder->radii[0] = def->radius;
    cylinder->radii[1] = tide_given(def->top_radius) ? def->top_radius : def->radius;
    cylinder->height = def->height;
    cylinder->rings = (tide_mesh_rings) { segments, (uint32_t)def->rows, false };
    if (cylinder->radii[0] == 0 && cylinder->radii[1] == 0)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "mesh cylinder", "radius", "0",
                         "expected more than 0 m at the bottom or at the top (top_radius)");
    uint64_t vertices = 0, triangles = 0;
    for (int end = 0; end < 2; end++) {
        cylinder->tips[end] = cylinder->radii[end] == 0;
        cylinder->caps[end] = def->caps && !cylinder->tips[end];
        if (cylinder->tips[end]) {
            cylinder->rings.rows--;
            vertices++;
            triangles += segments;
        } else if (cylinder->caps[end])
            count_cap(segments, &vertices, &triangles);
    }
    vertices += (uint64_t)segments * cylinder->rings.rows;
    triangles += (uint64_t)segments * (cylinder->rings.rows - 1) * 2;
    char value[32];
    snprintf(value, sizeof value, "%d", def->segments);
    if (vertices > TIDE_MESH_MAX_VERTICES)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "mesh cylinder", "segments", value,
                         "with %d rows this makes %llu vertices; expected at most %d", def->rows,
                         (unsigned long long)vertices, TIDE_MESH_MAX_VERTICES);
    cylinder->vertex_count = (uint32_t)vertices;
    cylinder->triangle_count = (uint32_t)triangles;
    return TIDE_OK;
}

// --- positions and triangles ----------------------------------------------------------------------------------------

static void add_triangle(cylinder *cylinder, uint32_t a, uint32_t b, uint32_t c, bool turned)
{
    *cylinder->next_triangle++ = a;
    *cylinder->next_triangle++ = turned ? c : b;
    *cylinder->next_triangle++ = turned ? b : c;
}

// Adds `count` vertices on a circle about the y axis. Returns the first.
static uint32_t add_circle(cylinder *cylinder, uint32_t count, double radius, double y)
{
    double *vertex = cylinder->vertices + 3 * (size_t)cylinder->next_vertex;
    for (uint32_t c = 0; c < count; c++, vertex += 3) {
        double angle = 2 * pi * c / count;
        vertex[0] = radius * tide_cos(angle);
        vertex[1] = y;
        vertex[2] = 0 - radius * tide_sin(angle); // avoids -0
    }
    cylinder->next_vertex += count;
    return cylinder->next_vertex - count;
}

// Adds the rings of the side.
static void add_side(cylinder *cylinder)
{
    uint32_t rows = cylinder->rings.rows + cylinder->tips[0] + cylinder->tips[1];
    for (uint32_t r = cylinder->tips[0]; r < rows - cylinder->tips[1]; r++) {
        double part = (double)r / (rows - 1);
        add_circle(cylinder, cylinder->rings.columns, (1 - part) * cylinder->radii[0] + part * cylinder->radii[1],
                   (part - 0.5) * cylinder->height);
    }
    cylinder->next_triangle = tide_mesh_rings_triangles(&cylinder->rings, cylinder->triangles);
}

// Adds the triangles between one vertex and the circle of `count` vertices around it.
static void add_fan(cylinder *cylinder, uint32_t middle, uint32_t first, uint32_t count, bool top)
{
    for (uint32_t c = 0; c < count; c++)
        add_triangle(cylinder, first + c, first + (c + 1) % count, middle, !top);
}

// Adds the triangles between a circle of `n` vertices and one of `m` within it; each step advances on the circle where
// the new edge is shorter.
static void add_band(cylinder *cylinder, uint32_t outer, uint32_t n, uint32_t inner, uint32_t m, bool top)
{
    uint64_t i = 0, j = 0;
    while (i < n || j < m) {
        uint32_t a = outer + (uint32_t)(i % n), b = inner + (uint32_t)(j % m);
        if ((2 * i + 1) * m <= (2 * j + 1) * n)
            add_triangle(cylinder, a, outer + (uint32_t)(++i % n), b, !top);
        else
            add_triangle(cylinder, a, inner + (uint32_t)(++j % m), b, !top);
    }
}

static void add_end(cylinder *cylinder, int end)
{
    bool top = end == 1;
    double y = (end - 0.5) * cylinder->height;
    uint32_t count = cylinder->rings.columns, first = top ? (cylinder->rings.rows - 1) * count : 0;
    if (cylinder->caps[end]) {
        uint32_t segments = count, circles = cap_circles(segments);
        for (uint32_t k = circles - 1; k >= 1; k--) {
            uint32_t fewer = on_circle(segments, k);
            uint32_t inner = add_circle(cylinder, fewer, cylinder->radii[end] * k / circles, y);
            add_band(cylinder, first, count, inner, fewer, top);
            first = inner;
            count = fewer;
        }
    }
    if (cylinder->caps[end] || cylinder->tips[end]) {
        add_fan(cylinder, cylinder->next_vertex, first, count, top);
        add_circle(cylinder, 1, 0, y);
    }
}

// --- open cylinders -------------------------------------------------------------------------------------------------

// Sets the texture of the side; a tip has its own way along, and lies half way around.
static void set_texture(cylinder *cylinder)
{
    double larger = cylinder->radii[0] > cylinder->radii[1] ? cylinder->radii[0] : cylinder->radii[1];
    double along = tide_hypot(cylinder->radii[0] - cylinder->radii[1], cylinder->height), around = pi * larger;
    double scale = 1 / (along > around ? along : around);
    const tide_mesh_rings *rings = &cylinder->rings;
    uint32_t rows = rings->rows + cylinder->tips[0] + cylinder->tips[1];
    tide_mesh_rings_texture(rings, around * scale, along * scale * (rings->rows - 1) / (rows - 1), cylinder->texture);
    double *texture = cylinder->texture;
    for (uint32_t i = 0; i < rings->columns * rings->rows && cylinder->tips[0]; i++)
        texture[2 * (size_t)i + 1] += along * scale / (rows - 1);
    if (cylinder->tips[0] || cylinder->tips[1]) {
        double *tip = texture + 2 * (size_t)rings->columns * rings->rows;
        tip[0] = 0.5 * around * scale;
        tip[1] = cylinder->tips[1] ? along * scale : 0;
    }
}

// Sets the skips of the rings, and from the second ring beside a tip to the tip. Returns their number.
static uint32_t set_skips(cylinder *cylinder)
{
    const tide_mesh_rings *rings = &cylinder->rings;
    uint32_t *next = tide_mesh_rings_skips(rings, cylinder->skips);
    uint32_t tip = rings->columns * rings->rows, second = cylinder->tips[0] ? 1 : rings->rows - 2;
    if ((cylinder->tips[0] || cylinder->tips[1]) && rings->rows > 1)
        for (uint32_t c = 0; c < rings->columns; c++) {
            *next++ = second * rings->columns + c;
            *next++ = tip;
        }
    return (uint32_t)((next - cylinder->skips) / 2);
}

static tide_status make(cylinder *cylinder, bool open, tide_mesh **mesh, tide_error *error)
{
    cylinder->vertices = tide_own_array(cylinder->memory, cylinder->vertex_count, 3 * sizeof(double));
    cylinder->triangles = tide_own_array(cylinder->memory, cylinder->triangle_count, 3 * sizeof(uint32_t));
    if (open) {
        cylinder->texture = tide_own_array(cylinder->memory, cylinder->vertex_count, 2 * sizeof(double));
        cylinder->skips = tide_own_array(cylinder->memory, cylinder->vertex_count, 4 * sizeof(uint32_t));
    }
    if (!tide_owns_all(cylinder->memory))
        return tide_fail_memory(error, "mesh cylinder");
    add_side(cylinder);
    add_end(cylinder, 0);
    add_end(cylinder, 1);
    tide_mesh_parts parts = { .vertex_count = cylinder->vertex_count,
                              .vertices = cylinder->vertices,
                              .triangle_count = cylinder->triangle_count,
                              .triangles = cylinder->triangles };
    if (open) {
        set_texture(cylinder);
        parts.texture = cylinder->texture;
        parts.skip_count = set_skips(cylinder);
        parts.skips = cylinder->skips;
    }
    return tide_mesh_create_from(&parts, true, mesh, error);
}

static tide_status build(const void *definition, tide_mesh **mesh, tide_error *error)
{
    const tide_mesh_cylinder_def *def = definition;
    TIDE_SCOPED void *memory = tide_allocate(0);
    cylinder cylinder = { .memory = memory };
    TIDE_TRY(tide_fields_check(fields, "mesh cylinder", def, error));
    TIDE_TRY(set_counts(&cylinder, def, error));
    return make(&cylinder, !def->caps, mesh, error);
}

const tide_mesh_builder tide_mesh_cylinder = {
    .name = "cylinder",
    .help = "the surface of a cylinder, cone or skirt along y, centred at the origin",
    .fields = fields,
    .definition_size = sizeof(tide_mesh_cylinder_def),
    .build = build,
};
