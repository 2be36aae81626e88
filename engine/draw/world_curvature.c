// Curvature of surfaces and lines.
#include "base/vec3.h"
#include "draw/world_view_parts.h"

#include <math.h>
#include <string.h>

static tide_vec3 at(const double *x, uint32_t vertex)
{
    return tide_vec3_load(x + 3 * (size_t)vertex);
}

static void add(double *to, uint32_t vertex, tide_vec3 a)
{
    tide_vec3_store(to + 3 * (size_t)vertex, tide_vec3_add(at(to, vertex), a));
}

// Adds a triangle to its corners (Meyer et al. 2003, sec. 3.3 and eq. 8): the part of its area nearest to each, and the
// sum of cotangents times edges, which is 4 A H n.
typedef struct bending {
    double *area, *sum, *normal;
} bending;

static void add_triangle(const bending *b, const double *x, const uint32_t *t)
{
    tide_vec3 p[3] = { at(x, t[0]), at(x, t[1]), at(x, t[2]) };
    tide_vec3 normal = tide_vec3_cross(tide_vec3_subtract(p[1], p[0]), tide_vec3_subtract(p[2], p[0]));
    double twice = tide_vec3_length(normal), cotangent[3], square[3];
    if (!(twice > 1e-280))
        return;
    for (int k = 0; k < 3; k++) {
        tide_vec3 u = tide_vec3_subtract(p[(k + 1) % 3], p[k]), v = tide_vec3_subtract(p[(k + 2) % 3], p[k]);
        tide_vec3 opposite = tide_vec3_subtract(u, v);
        cotangent[k] = tide_vec3_dot(u, v) / twice;
        square[k] = tide_vec3_dot(opposite, opposite);
    }
    bool obtuse = cotangent[0] < 0 || cotangent[1] < 0 || cotangent[2] < 0;
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3, last = (k + 2) % 3;
        b->area[t[k]] += obtuse ? twice / (cotangent[k] < 0 ? 4 : 8)
                                : (square[next] * cotangent[next] + square[last] * cotangent[last]) / 8;
        tide_vec3 sum = tide_vec3_add(tide_vec3_scale(tide_vec3_subtract(p[k], p[next]), cotangent[last]),
                                      tide_vec3_scale(tide_vec3_subtract(p[k], p[last]), cotangent[next]));
        add(b->sum, t[k], sum);
        add(b->normal, t[k], normal);
    }
}

static bool bend_surface(tide_draw_list *list, const tide_mesh *mesh, const double *x, double *out)
{
    size_t count = mesh->vertex_count;
    bending b = { .area = tide_draw_list_allocate(list, 7 * count * sizeof *b.area) };
    if (!b.area)
        return false;
    memset(b.area, 0, 7 * count * sizeof *b.area);
    b.sum = b.area + count;
    b.normal = b.sum + 3 * count;
    for (size_t i = 0; i < mesh->triangle_count; i++)
        add_triangle(&b, x, mesh->triangles + 3 * i);
    // Along the normal: at a surface's boundary the sum also has a tangential part, which is not curvature.
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        if (b.area[i] > 0)
            out[i] = fabs(tide_vec3_dot(at(b.sum, i), tide_vec3_normalize(at(b.normal, i)))) / (4 * b.area[i]);
    return true;
}

// Computes the curvature at a vertex between two edges: change of direction per length. Exact for vertices on a circle.
static bool bend_lines(tide_draw_list *list, const tide_mesh *mesh, const double *x, double *out)
{
    enum { FREE = -1 };
    int64_t(*ends)[2] = tide_draw_list_allocate(list, mesh->vertex_count * sizeof *ends);
    unsigned char *degree = tide_draw_list_allocate(list, mesh->vertex_count);
    if (!ends || !degree)
        return false;
    memset(degree, 0, mesh->vertex_count);
    for (size_t e = 0; e < mesh->edge_count; e++)
        for (int k = 0; k < 2; k++) {
            uint32_t vertex = mesh->edges[2 * e + (size_t)k];
            if (degree[vertex] < 2)
                ends[vertex][degree[vertex]] = mesh->edges[2 * e + (size_t)(1 - k)];
            degree[vertex] += degree[vertex] < 3;
        }
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        if (degree[i] != 2)
            continue;
        tide_vec3 a = tide_vec3_subtract(at(x, i), at(x, (uint32_t)ends[i][0]));
        tide_vec3 b = tide_vec3_subtract(at(x, (uint32_t)ends[i][1]), at(x, i));
        double mean = (tide_vec3_length(a) + tide_vec3_length(b)) / 2;
        tide_vec3 turn = tide_vec3_subtract(tide_vec3_normalize(b), tide_vec3_normalize(a));
        out[i] = mean > 0 ? tide_vec3_length(turn) / mean : 0;
    }
    return true;
}

bool tide_view_curvature(tide_draw_list *list, const tide_mesh *mesh, const double *x, double *out)
{
    memset(out, 0, mesh->vertex_count * sizeof *out);
    return mesh->triangle_count ? bend_surface(list, mesh, x, out) : bend_lines(list, mesh, x, out);
}
