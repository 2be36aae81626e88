#include "draw/solid_view.h"

#include "base/vec3.h"

#include <string.h>

static const double crease = 0.5; // cosine of the angle above which an edge of a solid is drawn sharp

tide_colour tide_view_colour(const double c[3])
{
    return (tide_colour) { (float)c[0], (float)c[1], (float)c[2], 1 };
}

// The surface of tetrahedra is split along the edges that are sharp in the rest shape: each side gets its own vertices,
// so that a box does not look like a cushion.

static void face_normal(const tide_mesh *mesh, uint32_t triangle, double n[3])
{
    const uint32_t *t = mesh->triangles + 3 * (size_t)triangle;
    const double *a = mesh->vertices + 3 * (size_t)t[0], *b = mesh->vertices + 3 * (size_t)t[1];
    const double *c = mesh->vertices + 3 * (size_t)t[2];
    tide_vec3 origin = tide_vec3_load(a), u = tide_vec3_subtract(tide_vec3_load(b), origin);
    tide_vec3 v = tide_vec3_subtract(tide_vec3_load(c), origin);
    tide_vec3_store(n, tide_vec3_normalize(tide_vec3_cross(u, v)));
}

// Groups corners (3 * triangle + k) by vertex: those of vertex v are corners[starts[v]] to corners[starts[v + 1]].
static void corners_by_vertex(const tide_mesh *mesh, uint32_t *starts, uint32_t *corners)
{
    uint32_t corner_count = 3 * mesh->triangle_count;
    memset(starts, 0, sizeof *starts * ((size_t)mesh->vertex_count + 1));
    for (uint32_t i = 0; i < corner_count; i++)
        starts[mesh->triangles[i] + 1]++;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        starts[v + 1] += starts[v];
    for (uint32_t i = 0; i < corner_count; i++)
        corners[starts[mesh->triangles[i]]++] = i;
    memmove(starts + 1, starts, sizeof *starts * mesh->vertex_count); // the loop has moved each start to the next one's
    starts[0] = 0;
}

// Assigns a vertex to each corner of a surface: corners of one mesh vertex share it if their faces have similar
// normals. Returns the count of vertices; sources[i] is the mesh vertex of i.
static uint32_t split_vertices(const tide_mesh *mesh, const uint32_t *starts, const uint32_t *corners, double *normals,
                               uint32_t *triangles, uint32_t *sources)
{
    uint32_t count = 0;
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        uint32_t first = count;
        for (uint32_t i = starts[vertex]; i < starts[vertex + 1]; i++) {
            double n[3];
            face_normal(mesh, corners[i] / 3, n);
            uint32_t group = first;
            for (; group < count; group++) {
                tide_vec3 mean = tide_vec3_normalize(tide_vec3_load(normals + 3 * (size_t)group));
                if (tide_vec3_dot(mean, tide_vec3_load(n)) > crease)
                    break;
            }
            double *sum = normals + 3 * (size_t)group;
            if (group == count) {
                sources[count++] = vertex;
                memset(sum, 0, 3 * sizeof *sum);
            }
            tide_vec3_store(sum, tide_vec3_add(tide_vec3_load(sum), tide_vec3_load(n)));
            triangles[corners[i]] = group;
        }
    }
    return count;
}

float tide_view_place(double place)
{
    return place >= 0 ? place < 1 ? (float)place : 1 : place < 0 ? 0 : -1000;
}

bool tide_view_solid(tide_draw_list *list, const tide_mesh *mesh, const double *x, const double *places,
                     tide_draw_surface *surface)
{
    size_t corner_count = 3 * (size_t)mesh->triangle_count;
    uint32_t *starts = tide_draw_list_allocate(list, sizeof *starts * ((size_t)mesh->vertex_count + 1));
    uint32_t *corners = tide_draw_list_allocate(list, sizeof *corners * corner_count);
    uint32_t *triangles = tide_draw_list_allocate(list, sizeof *triangles * corner_count);
    uint32_t *sources = tide_draw_list_allocate(list, sizeof *sources * corner_count);
    double *sums = tide_draw_list_allocate(list, 3 * sizeof *sums * corner_count);
    if (!starts || !corners || !triangles || !sources || !sums)
        return false;
    corners_by_vertex(mesh, starts, corners);
    uint32_t count = split_vertices(mesh, starts, corners, sums, triangles, sources);
    float *positions = tide_draw_list_allocate(list, 3 * sizeof *positions * count);
    bool textured = places || mesh->texture;
    float *texture = textured ? tide_draw_list_allocate(list, 2 * sizeof *texture * count) : NULL;
    if (!positions || (textured && !texture))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        for (size_t k = 0; k < 3; k++)
            positions[3 * i + k] = (float)x[3 * (size_t)sources[i] + k];
        for (size_t k = 0; k < 2 && texture; k++)
            texture[2 * i + k] = places ? tide_view_place(places[sources[i]]) * (float)(k == 0)
                                        : (float)mesh->texture[2 * (size_t)sources[i] + k];
    }
    surface->vertex_count = count;
    surface->positions = positions;
    surface->texture = texture;
    surface->triangles = triangles;
    return true;
}
