#include "collision/tessellation.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/vec3.h"

#include <string.h>

static const double pi = 3.14159265358979323846;

enum { SEGMENTS = TIDE_TESSELLATION_SEGMENTS, MAX_CORNERS = 2 * SEGMENTS };

// A corner of the profile of a surface of revolution, m: `along` the axis and `out` from it.
typedef struct corner {
    double along, out;
} corner;

// An axis through `origin`, and two directions perpendicular to it.
typedef struct frame {
    tide_vec3 origin, across[2], axis;
} frame;

static frame frame_of(const double origin[3], tide_vec3 axis)
{
    frame f = { .origin = tide_vec3_load(origin), .axis = tide_vec3_normalize(axis) };
    double x = fabs(f.axis.x), y = fabs(f.axis.y), z = fabs(f.axis.z);
    tide_vec3 other = { x <= y && x <= z, y < x && y <= z, z < x && z < y };
    f.across[0] = tide_vec3_normalize(tide_vec3_cross(f.axis, other));
    f.across[1] = tide_vec3_cross(f.axis, f.across[0]);
    return f;
}

static tide_status make(const char *object, double *vertices, uint32_t vertex_count, uint32_t *triangles,
                        uint32_t triangle_count, const tide_mesh **mesh, tide_error *error)
{
    tide_mesh *made = NULL;
    tide_status status;
    if (vertices && triangles) {
        const tide_mesh_parts parts = {
            .vertex_count = vertex_count, .vertices = vertices, .triangle_count = triangle_count, .triangles = triangles
        };
        status = tide_mesh_create(&parts, &made, error);
    } else
        status = tide_fail_memory(error, object);
    tide_free(vertices);
    tide_free(triangles);
    if (status == TIDE_OK)
        *mesh = made;
    return status;
}

static void add_triangle(uint32_t *triangles, uint32_t *count, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t triangle[3] = { a, b, c };
    if (a != b && b != c && c != a)
        memcpy(triangles + 3 * (size_t)(*count)++, triangle, sizeof triangle);
}

// Makes the surface of revolution of a profile. On the outer side, the profile runs in the direction of the axis. Its
// first and last corners are on the axis (out = 0); a closed profile continues from the last corner to the first. Two
// corners at the same place make a sharp edge: their vertices are separate.
static tide_status turn_profile(const frame *f, const corner *corners, uint32_t count, bool closed,
                                const tide_mesh **mesh, tide_error *error)
{
    double *vertices = tide_allocate_array((size_t)count * SEGMENTS, 3 * sizeof *vertices);
    uint32_t *triangles = tide_allocate_array(2 * (size_t)count * SEGMENTS, 3 * sizeof *triangles);
    uint32_t first[MAX_CORNERS], vertex_count = 0, triangle_count = 0;
    for (uint32_t i = 0; i < count && vertices; i++) {
        bool pole = corners[i].out == 0;
        first[i] = vertex_count;
        for (uint32_t k = 0; k < (pole ? 1 : SEGMENTS); k++, vertex_count++) {
            double angle = 2 * pi * k / SEGMENTS;
            tide_vec3 p = tide_vec3_add(f->origin, tide_vec3_scale(f->axis, corners[i].along));
            p = tide_vec3_add(p, tide_vec3_scale(f->across[0], corners[i].out * tide_cos(angle)));
            p = tide_vec3_add(p, tide_vec3_scale(f->across[1], corners[i].out * tide_sin(angle)));
            tide_vec3_store(vertices + 3 * (size_t)vertex_count, p);
        }
    }
    for (uint32_t i = 0; i + !closed < count && vertices && triangles; i++) {
        const corner *a = &corners[i], *b = &corners[(i + 1) % count];
        if (a->along == b->along && a->out == b->out)
            continue;
        for (uint32_t k = 0; k < SEGMENTS; k++) {
            uint32_t lower = first[i], upper = first[(i + 1) % count], next = (k + 1) % SEGMENTS;
            uint32_t corner_a = lower + (a->out == 0 ? 0 : k), corner_b = lower + (a->out == 0 ? 0 : next);
            uint32_t corner_c = upper + (b->out == 0 ? 0 : next), corner_d = upper + (b->out == 0 ? 0 : k);
            add_triangle(triangles, &triangle_count, corner_a, corner_b, corner_c);
            add_triangle(triangles, &triangle_count, corner_a, corner_c, corner_d);
        }
    }
    return make("shape", vertices, vertex_count, triangles, triangle_count, mesh, error);
}

tide_status tide_tessellate_capsule(const double from[3], const double to[3], double radius, const tide_mesh **mesh,
                                    tide_error *error)
{
    enum { QUARTER = SEGMENTS / 4 };
    tide_vec3 line = tide_vec3_subtract(tide_vec3_load(to), tide_vec3_load(from));
    double length = tide_vec3_length(line);
    frame f = frame_of(from, length > 0 ? line : (tide_vec3) { 0, 1, 0 });
    corner corners[2 * QUARTER + 2];
    uint32_t count = 0;
    for (int i = 0; i <= QUARTER; i++) {
        double angle = pi / 2 * i / QUARTER;
        corners[count++] = (corner) { -radius * tide_cos(angle), i == 0 ? 0 : radius * tide_sin(angle) };
    }
    for (int i = length > 0 ? 0 : 1; i <= QUARTER; i++) {
        double angle = pi / 2 * i / QUARTER;
        corners[count++] = (corner) { length + radius * tide_sin(angle), i == QUARTER ? 0 : radius * tide_cos(angle) };
    }
    return turn_profile(&f, corners, count, false, mesh, error);
}

tide_status tide_tessellate_cylinder(const double from[3], const double to[3], double radius, const tide_mesh **mesh,
                                     tide_error *error)
{
    tide_vec3 line = tide_vec3_subtract(tide_vec3_load(to), tide_vec3_load(from));
    double length = tide_vec3_length(line);
    frame f = frame_of(from, line);
    const corner corners[6] = { { 0, 0 },           { 0, radius },      { 0, radius },
                                { length, radius }, { length, radius }, { length, 0 } };
    return turn_profile(&f, corners, 6, false, mesh, error);
}

tide_status tide_tessellate_torus(const double axis[3], double major, double minor, const tide_mesh **mesh,
                                  tide_error *error)
{
    enum { TUBE = SEGMENTS / 2 };
    const double origin[3] = { 0, 0, 0 };
    double largest = fmax(fabs(axis[0]), fmax(fabs(axis[1]), fabs(axis[2])));
    frame f = frame_of(origin, (tide_vec3) { axis[0] / largest, axis[1] / largest, axis[2] / largest });
    corner corners[TUBE];
    for (int i = 0; i < TUBE; i++) {
        double angle = 2 * pi * i / TUBE;
        // For a ring without a hole, one corner is on the axis; it is moved off the axis by a tiny amount.
        corners[i] = (corner) { minor * tide_sin(angle), fmax(major + minor * tide_cos(angle), 1e-6 * major) };
    }
    return turn_profile(&f, corners, TUBE, true, mesh, error);
}

tide_status tide_tessellate_box(const double size[3], const tide_mesh **mesh, tide_error *error)
{
    double *vertices = tide_allocate_array(24, 3 * sizeof *vertices);
    uint32_t *triangles = tide_allocate_array(12, 3 * sizeof *triangles), triangle_count = 0;
    for (uint32_t face = 0; face < 6 && vertices && triangles; face++) {
        uint32_t k = face / 2, i = (k + 1) % 3, j = (k + 2) % 3, first = 4 * face;
        double side = face % 2 ? 0.5 : -0.5;
        for (uint32_t c = 0; c < 4; c++) {
            // Around the face, counter-clockwise as seen from along +k.
            double *p = vertices + 3 * (first + c), u = c == 1 || c == 2 ? 0.5 : -0.5, v = c >= 2 ? 0.5 : -0.5;
            p[k] = side * size[k];
            p[i] = u * size[i];
            p[j] = v * size[j];
        }
        uint32_t second = face % 2 ? 1 : 3, last = face % 2 ? 3 : 1;
        add_triangle(triangles, &triangle_count, first, first + second, first + 2);
        add_triangle(triangles, &triangle_count, first, first + 2, first + last);
    }
    return make("shape box", vertices, 24, triangles, triangle_count, mesh, error);
}

tide_status tide_tessellate_sheet(uint32_t columns, uint32_t rows, double width, double depth, const double *heights,
                                  const double normal[3], const tide_mesh **mesh, tide_error *error)
{
    const double origin[3] = { 0, 0, 0 };
    frame f = frame_of(origin, tide_vec3_load(normal));
    if (normal[0] == 0 && normal[2] == 0 && normal[1] > 0) {
        f.across[0] = (tide_vec3) { 0, 0, 1 }; // no rotation about y
        f.across[1] = (tide_vec3) { 1, 0, 0 };
    }
    double *vertices = tide_allocate_array((size_t)columns * rows, 3 * sizeof *vertices);
    uint32_t *triangles = tide_allocate_array(2 * (size_t)(columns - 1) * (rows - 1), 3 * sizeof *triangles);
    uint32_t triangle_count = 0;
    for (uint32_t row = 0; row < rows && vertices; row++)
        for (uint32_t column = 0; column < columns; column++) {
            size_t i = (size_t)row * columns + column;
            tide_vec3 p = tide_vec3_scale(f.axis, heights ? heights[i] : 0);
            p = tide_vec3_add(p, tide_vec3_scale(f.across[1], ((double)column / (columns - 1) - 0.5) * width));
            p = tide_vec3_add(p, tide_vec3_scale(f.across[0], ((double)row / (rows - 1) - 0.5) * depth));
            tide_vec3_store(vertices + 3 * i, p);
        }
    for (uint32_t row = 0; row + 1 < rows && triangles; row++)
        for (uint32_t column = 0; column + 1 < columns; column++) {
            uint32_t a = row * columns + column, b = a + 1, c = a + columns, d = c + 1;
            bool even = (column + row) % 2 == 0;
            add_triangle(triangles, &triangle_count, a, c, even ? d : b);
            add_triangle(triangles, &triangle_count, even ? a : b, even ? d : c, even ? b : d);
        }
    return make("shape", vertices, columns * rows, triangles, triangle_count, mesh, error);
}
