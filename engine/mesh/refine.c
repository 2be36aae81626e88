#include "mesh/connectivity.h"

#include "base/memory.h"

#include <string.h>

// Midpoints of edges follow the old vertices, in the order of the table of edges.
typedef struct refined {
    const tide_mesh *mesh;
    tide_mesh_edge_table table; // all edges to halve
    double *vertices, *texture;
    uint32_t *triangles, *tetrahedra, *edges, *skips;
    uint32_t vertex_count, edge_count, skip_count;
} refined;

static uint32_t midpoint(const refined *refined, uint32_t a, uint32_t b)
{
    return refined->mesh->vertex_count + tide_mesh_edge_table_find(&refined->table, a, b);
}

static bool halve_edges(refined *refined)
{
    const tide_mesh *mesh = refined->mesh;
    size_t old = mesh->vertex_count;
    refined->vertices = tide_allocate_array(refined->vertex_count, 3 * sizeof(double));
    refined->texture = mesh->texture ? tide_allocate_array(refined->vertex_count, 2 * sizeof(double)) : NULL;
    TIDE_SCOPED uint32_t *pairs = tide_mesh_edge_table_pairs(&refined->table);
    if (!refined->vertices || (mesh->texture && !refined->texture) || !pairs)
        return false;
    memcpy(refined->vertices, mesh->vertices, 3 * sizeof(double) * old);
    if (mesh->texture)
        memcpy(refined->texture, mesh->texture, 2 * sizeof(double) * old);
    for (size_t i = 0; i < refined->table.count; i++) {
        size_t a = pairs[2 * i], b = pairs[2 * i + 1];
        for (size_t k = 0; k < 3; k++)
            refined->vertices[3 * (old + i) + k] = 0.5 * mesh->vertices[3 * a + k] + 0.5 * mesh->vertices[3 * b + k];
        for (size_t k = 0; k < 2 && mesh->texture; k++)
            refined->texture[2 * (old + i) + k] = 0.5 * mesh->texture[2 * a + k] + 0.5 * mesh->texture[2 * b + k];
    }
    return true;
}

static bool split_triangles(refined *refined)
{
    const tide_mesh *mesh = refined->mesh;
    uint32_t *out = refined->triangles = tide_allocate_array(mesh->triangle_count, 12 * sizeof *out);
    for (uint32_t i = 0; i < mesh->triangle_count && out; i++, out += 12) {
        const uint32_t *v = mesh->triangles + 3 * (size_t)i;
        uint32_t ab = midpoint(refined, v[0], v[1]), bc = midpoint(refined, v[1], v[2]);
        uint32_t ca = midpoint(refined, v[2], v[0]);
        const uint32_t parts[12] = { v[0], ab, ca, v[1], bc, ab, v[2], ca, bc, ab, bc, ca };
        memcpy(out, parts, sizeof parts);
    }
    return refined->triangles != NULL;
}

static double squared_distance(const double *vertices, uint32_t a, uint32_t b)
{
    double sum = 0;
    for (size_t k = 0; k < 3; k++) {
        double difference = vertices[3 * (size_t)a + k] - vertices[3 * (size_t)b + k];
        sum += difference * difference;
    }
    return sum;
}

// Makes four tetrahedra at the corners; the remaining octahedron is cut into four around its shortest diagonal.
static bool split_tetrahedra(refined *refined)
{
    enum { AB, AC, AD, BC, BD, CD };
    // A diagonal, then the other four midpoints in order around it.
    static const int around[3][6] = { { AB, CD, AC, BC, BD, AD },
                                      { AC, BD, AB, BC, CD, AD },
                                      { AD, BC, AB, BD, CD, AC } };
    const tide_mesh *mesh = refined->mesh;
    uint32_t *out = refined->tetrahedra = tide_allocate_array(mesh->tetrahedron_count, 32 * sizeof *out);
    for (uint32_t i = 0; i < mesh->tetrahedron_count && out; i++, out += 32) {
        const uint32_t *v = mesh->tetrahedra + 4 * (size_t)i;
        const uint32_t m[6] = { midpoint(refined, v[0], v[1]), midpoint(refined, v[0], v[2]),
                                midpoint(refined, v[0], v[3]), midpoint(refined, v[1], v[2]),
                                midpoint(refined, v[1], v[3]), midpoint(refined, v[2], v[3]) };
        const uint32_t corners[16] = { v[0], m[AB], m[AC], m[AD], v[1], m[AB], m[BD], m[BC],
                                       v[2], m[AC], m[BC], m[CD], v[3], m[AD], m[CD], m[BD] };
        memcpy(out, corners, sizeof corners);
        int shortest = 0;
        double least = squared_distance(refined->vertices, m[around[0][0]], m[around[0][1]]);
        for (int d = 1; d < 3; d++) {
            double length = squared_distance(refined->vertices, m[around[d][0]], m[around[d][1]]);
            if (length < least) {
                least = length;
                shortest = d;
            }
        }
        const int *ring = around[shortest];
        for (int k = 0; k < 4; k++) {
            const uint32_t inner[4] = { m[ring[0]], m[ring[1]], m[ring[2 + k]], m[ring[2 + (k + 1) % 4]] };
            memcpy(out + 16 + 4 * k, inner, sizeof inner);
        }
    }
    return refined->tetrahedra != NULL;
}

// Makes the halves of the mesh's edges, and the edges between midpoints. Sides of triangles that are not edges of the
// mesh, such as the diagonals of a grid without any, do not become edges.
static tide_status make_edges(refined *refined, tide_error *error)
{
    const tide_mesh *mesh = refined->mesh;
    uint32_t *halves = tide_allocate_array(mesh->edge_count, 4 * sizeof *halves), *inner = NULL, inner_count = 0;
    if (!halves)
        return tide_fail_memory(error, "mesh subdivide");
    for (size_t i = 0; i < mesh->edge_count; i++) {
        uint32_t a = mesh->edges[2 * i], b = mesh->edges[2 * i + 1], middle = midpoint(refined, a, b);
        const uint32_t both[4] = { a, middle, middle, b };
        memcpy(halves + 4 * i, both, sizeof both);
    }
    tide_status status =
        tide_mesh_edges_of(refined->vertex_count, refined->triangles, 4 * mesh->triangle_count, refined->tetrahedra,
                           8 * mesh->tetrahedron_count, &inner, &inner_count, error);
    uint32_t kept = 0;
    for (size_t i = 0; i < inner_count && status == TIDE_OK; i++)
        if (inner[2 * i] >= mesh->vertex_count)
            memmove(inner + 2 * (size_t)kept++, inner + 2 * i, 2 * sizeof *inner);
    const tide_mesh_tuples lists[] = { { halves, 2, 2 * mesh->edge_count }, { inner, 2, kept } };
    tide_mesh_edge_table table;
    if (status == TIDE_OK)
        status = tide_mesh_edge_table_create(refined->vertex_count, lists, 2, &table, error);
    if (status == TIDE_OK) {
        refined->edge_count = table.count;
        refined->edges = tide_mesh_edge_table_pairs(&table);
        status = refined->edges ? TIDE_OK : tide_fail_memory(error, "mesh subdivide");
        tide_mesh_edge_table_destroy(&table);
    }
    tide_free(halves);
    tide_free(inner);
    return status;
}

// For pure lines: joins the two neighbours of every vertex that has two.
static bool make_skips(refined *refined)
{
    uint32_t count = refined->vertex_count;
    TIDE_SCOPED uint32_t *degrees = tide_allocate_zeroed(count, sizeof *degrees);
    TIDE_SCOPED uint32_t *neighbours = tide_allocate_zeroed(count, 2 * sizeof *neighbours);
    refined->skips = tide_allocate_array(count, 2 * sizeof *refined->skips);
    bool enough = degrees && neighbours && refined->skips;
    for (size_t i = 0; i < 2 * (size_t)refined->edge_count && enough; i++) {
        uint32_t vertex = refined->edges[i], degree = degrees[vertex]++;
        if (degree < 2)
            neighbours[2 * (size_t)vertex + degree] = refined->edges[i ^ 1];
    }
    for (size_t i = 0; i < count && enough; i++)
        if (degrees[i] == 2)
            memcpy(refined->skips + 2 * (size_t)refined->skip_count++, neighbours + 2 * i, 2 * sizeof *neighbours);
    return enough;
}

static tide_status refine(refined *refined, tide_mesh **out, tide_error *error)
{
    const tide_mesh *mesh = refined->mesh;
    bool lines = !mesh->triangle_count && !mesh->tetrahedron_count;
    const tide_mesh_tuples lists[] = { { mesh->triangles, 3, mesh->triangle_count },
                                       { mesh->tetrahedra, 4, mesh->tetrahedron_count },
                                       { mesh->edges, 2, mesh->edge_count } };
    TIDE_TRY(tide_mesh_edge_table_create(mesh->vertex_count, lists, 3, &refined->table, error));
    if ((uint64_t)mesh->vertex_count + refined->table.count > TIDE_MESH_MAX_VERTICES ||
        mesh->edge_count > UINT32_MAX / 2 || mesh->triangle_count > UINT32_MAX / 4 ||
        mesh->tetrahedron_count > UINT32_MAX / 8)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "mesh", "subdivide", NULL,
                         "this makes %llu vertices; expected at most %d",
                         (unsigned long long)mesh->vertex_count + refined->table.count, TIDE_MESH_MAX_VERTICES);
    refined->vertex_count = mesh->vertex_count + refined->table.count;
    if (!halve_edges(refined) || !split_triangles(refined) || !split_tetrahedra(refined))
        return tide_fail_memory(error, "mesh subdivide");
    TIDE_TRY(make_edges(refined, error));
    if (lines && !make_skips(refined))
        return tide_fail_memory(error, "mesh subdivide");
    const tide_mesh_parts parts = { .vertex_count = refined->vertex_count,
                                    .vertices = refined->vertices,
                                    .texture = refined->texture,
                                    .edge_count = refined->edge_count,
                                    .edges = refined->edges,
                                    .triangle_count = 4 * mesh->triangle_count,
                                    .triangles = refined->triangles,
                                    .tetrahedron_count = 8 * mesh->tetrahedron_count,
                                    .tetrahedra = refined->tetrahedra,
                                    .skip_count = refined->skip_count,
                                    .skips = refined->skips };
    return tide_mesh_create_from(&parts, true, out, error);
}

tide_status tide_mesh_subdivide(const tide_mesh *mesh, tide_mesh **out, tide_error *error)
{
    refined refined = { .mesh = mesh };
    tide_status status = refine(&refined, out, error);
    tide_mesh_edge_table_destroy(&refined.table);
    tide_free(refined.vertices);
    tide_free(refined.texture);
    tide_free(refined.edges);
    tide_free(refined.triangles);
    tide_free(refined.tetrahedra);
    tide_free(refined.skips);
    return status;
}
