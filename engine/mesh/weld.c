#include "mesh/connectivity.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EDGES, TRIANGLES, TETRAHEDRA, SKIPS, LISTS };
static const uint32_t widths[LISTS] = { 2, 3, 4, 2 };

typedef struct weld {
    void *memory; // owns the arrays
    const tide_mesh *mesh;
    uint32_t *places; // of each vertex in the result; at first, its representative
    uint32_t *lists[LISTS];
    uint32_t counts[LISTS];
    double *vertices, *texture;
    uint32_t vertex_count;
} weld;

static bool names_twice(const uint32_t *tuple, uint32_t width)
{
    for (uint32_t i = 1; i < width; i++)
        for (uint32_t j = 0; j < i; j++)
            if (tuple[i] == tuple[j])
                return true;
    return false;
}

// Drops all but the first of tuples with the same vertices.
static bool drop_doubles(uint32_t *tuples, uint32_t width, uint32_t *count, uint32_t vertex_count)
{
    TIDE_SCOPED uint32_t *order = tide_mesh_order_tuples(tuples, width, *count, vertex_count);
    TIDE_SCOPED unsigned char *doubled = tide_allocate_zeroed(*count, 1);
    bool enough = order && doubled;
    if (enough) {
        for (uint32_t i = 1; i < *count; i++)
            doubled[order[i]] =
                tide_mesh_same_tuple(tuples + (size_t)width * order[i - 1], tuples + (size_t)width * order[i], width);
        uint32_t kept = 0;
        for (uint32_t i = 0; i < *count; i++)
            if (!doubled[i])
                memmove(tuples + (size_t)width * kept++, tuples + (size_t)width * i, width * sizeof *tuples);
        *count = kept;
    }
    return enough;
}

static bool join_list(weld *weld, int list, const uint32_t *indices, uint32_t count)
{
    uint32_t width = widths[list], kept = 0;
    uint32_t *tuples = tide_copy_bytes(indices, sizeof *tuples * width * count);
    weld->lists[list] = tide_own(weld->memory, tuples);
    if (!tuples)
        return false;
    for (size_t i = 0; i < (size_t)width * count; i++)
        tuples[i] = weld->places[tuples[i]];
    for (uint32_t i = 0; i < count; i++)
        if (!names_twice(tuples + (size_t)width * i, width))
            memmove(tuples + (size_t)width * kept++, tuples + (size_t)width * i, width * sizeof *tuples);
    weld->counts[list] = kept;
    return drop_doubles(tuples, width, &weld->counts[list], weld->mesh->vertex_count);
}

// Drops the triangles between solids that were joined: they are no longer on the surface.
static tide_status drop_inner_triangles(weld *weld, tide_error *error)
{
    uint32_t count = weld->counts[TRIANGLES], *triangles = weld->lists[TRIANGLES], kept = 0;
    if (!weld->counts[TETRAHEDRA] || !count)
        return TIDE_OK;
    TIDE_SCOPED unsigned char *owners = tide_allocate_zeroed(count, 1);
    if (!owners)
        return tide_fail_memory(error, "mesh weld");
    tide_status status = tide_mesh_turn_outward(weld->lists[TETRAHEDRA], weld->counts[TETRAHEDRA],
                                                weld->mesh->vertex_count, triangles, count, owners, error);
    for (uint32_t i = 0; i < count && status == TIDE_OK; i++)
        if (owners[i] < 2)
            memmove(triangles + 3 * (size_t)kept++, triangles + 3 * (size_t)i, 3 * sizeof *triangles);
    weld->counts[TRIANGLES] = kept;
    return status;
}

// Drops skips whose vertices no element uses.
static void drop_loose_skips(weld *weld, const unsigned char *used)
{
    uint32_t *skips = weld->lists[SKIPS], kept = 0;
    for (uint32_t i = 0; i < weld->counts[SKIPS]; i++)
        if (used[skips[2 * (size_t)i]] && used[skips[2 * (size_t)i + 1]])
            memmove(skips + 2 * (size_t)kept++, skips + 2 * (size_t)i, 2 * sizeof *skips);
    weld->counts[SKIPS] = kept;
}

static bool compact_vertices(weld *weld)
{
    const tide_mesh *mesh = weld->mesh;
    uint32_t vertex_count = mesh->vertex_count;
    bool cloud = !mesh->edge_count && !mesh->triangle_count && !mesh->tetrahedron_count;
    TIDE_SCOPED unsigned char *used = tide_allocate_zeroed(vertex_count, 1);
    weld->vertices = tide_own_array(weld->memory, vertex_count, 3 * sizeof(double));
    weld->texture = mesh->texture ? tide_own_array(weld->memory, vertex_count, 2 * sizeof(double)) : NULL;
    if (!used || !weld->vertices || (mesh->texture && !weld->texture))
        return false;
    for (uint32_t i = 0; i < vertex_count && cloud; i++)
        used[weld->places[i]] = 1;
    for (int list = EDGES; list <= TETRAHEDRA; list++)
        for (size_t i = 0; i < (size_t)widths[list] * weld->counts[list]; i++)
            used[weld->lists[list][i]] = 1;
    drop_loose_skips(weld, used);
    for (uint32_t i = 0; i < vertex_count; i++) {
        if (!used[i])
            continue;
        size_t place = weld->vertex_count++;
        memcpy(weld->vertices + 3 * place, mesh->vertices + 3 * (size_t)i, 3 * sizeof(double));
        if (mesh->texture)
            memcpy(weld->texture + 2 * place, mesh->texture + 2 * (size_t)i, 2 * sizeof(double));
        weld->places[i] = (uint32_t)place;
    }
    for (int list = 0; list < LISTS; list++)
        for (size_t i = 0; i < (size_t)widths[list] * weld->counts[list]; i++)
            weld->lists[list][i] = weld->places[weld->lists[list][i]];
    return true;
}

static tide_status make(weld *weld, double distance, tide_mesh **out, tide_error *error)
{
    const tide_mesh *mesh = weld->mesh;
    weld->places = tide_own_array(weld->memory, mesh->vertex_count, sizeof *weld->places);
    if (!weld->places)
        return tide_fail_memory(error, "mesh weld");
    TIDE_TRY(tide_mesh_cluster(mesh->vertices, mesh->vertex_count, distance, weld->places, error));
    if (!join_list(weld, EDGES, mesh->edges, mesh->edge_count) ||
        !join_list(weld, TRIANGLES, mesh->triangles, mesh->triangle_count) ||
        !join_list(weld, TETRAHEDRA, mesh->tetrahedra, mesh->tetrahedron_count) ||
        !join_list(weld, SKIPS, mesh->skips, mesh->skip_count))
        return tide_fail_memory(error, "mesh weld");
    TIDE_TRY(drop_inner_triangles(weld, error));
    if (!compact_vertices(weld))
        return tide_fail_memory(error, "mesh weld");
    char value[32];
    snprintf(value, sizeof value, "%g", distance);
    if (!weld->vertex_count)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "mesh", "weld", value,
                         "no edge is left of the mesh; expected a distance below the lengths of its edges");
    const tide_mesh_parts parts = { .vertex_count = weld->vertex_count,
                                    .vertices = weld->vertices,
                                    .texture = weld->texture,
                                    .edge_count = weld->counts[EDGES],
                                    .edges = weld->lists[EDGES],
                                    .triangle_count = weld->counts[TRIANGLES],
                                    .triangles = weld->lists[TRIANGLES],
                                    .tetrahedron_count = weld->counts[TETRAHEDRA],
                                    .tetrahedra = weld->lists[TETRAHEDRA],
                                    .skip_count = weld->counts[SKIPS],
                                    .skips = weld->lists[SKIPS] };
    // Triangles are not assumed to face outward: joining vertices may have inverted tetrahedra.
    return tide_mesh_create(&parts, out, error);
}

tide_status tide_mesh_weld(const tide_mesh *mesh, double distance, tide_mesh **out, tide_error *error)
{
    char value[32];
    snprintf(value, sizeof value, "%g", distance);
    if (!isfinite(distance) || distance < 0)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "mesh", "weld", value,
                         "expected a finite distance of at least 0 m");
    TIDE_SCOPED void *memory = tide_allocate(0);
    weld weld = { .memory = memory, .mesh = mesh };
    return make(&weld, distance, out, error);
}
