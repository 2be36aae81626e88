#include "mesh/connectivity.h"

#include "base/memory.h"

#include <string.h>

// Corners of the face opposite each corner, outward for positive volume.
static const uint32_t face_corners[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };

static void get_face(const uint32_t *tetrahedra, uint32_t face, uint32_t *corners)
{
    for (int k = 0; k < 3; k++)
        corners[k] = tetrahedra[face / 4 * (size_t)4 + face_corners[face % 4][k]];
}

static uint32_t vertex_bound(const uint32_t *indices, size_t count)
{
    uint32_t largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = indices[i] > largest ? indices[i] : largest;
    return largest < UINT32_MAX ? largest + 1 : largest;
}

tide_status tide_mesh_edges_of(uint32_t vertex_count, const uint32_t *triangles, uint32_t triangle_count,
                               const uint32_t *tetrahedra, uint32_t tetrahedron_count, uint32_t **edges,
                               uint32_t *count, tide_error *error)
{
    const tide_mesh_tuples lists[] = { { triangles, 3, triangle_count }, { tetrahedra, 4, tetrahedron_count } };
    tide_mesh_edge_table table;
    tide_status status = tide_mesh_edge_table_create(vertex_count, lists, 2, &table, error);
    if (status != TIDE_OK)
        return status;
    uint32_t *pairs = tide_mesh_edge_table_pairs(&table);
    if (pairs) {
        *edges = pairs;
        *count = table.count;
    } else
        status = tide_fail_memory(error, "mesh edges");
    tide_mesh_edge_table_destroy(&table);
    return status;
}

// Sorts the faces of the tetrahedra and then `triangles` (may be NULL): the sorted corners of each, and their order.
static tide_status order_faces(const uint32_t *tetrahedra, uint32_t tetrahedron_count, uint32_t vertex_count,
                               const uint32_t *triangles, uint32_t triangle_count, uint32_t **tuples, uint32_t **order,
                               tide_error *error)
{
    uint64_t count = (uint64_t)tetrahedron_count * 4 + triangle_count;
    *order = NULL;
    *tuples = count < UINT32_MAX ? tide_allocate_array(count, 3 * sizeof **tuples) : NULL;
    if (*tuples) {
        for (uint32_t face = 0; face < 4 * tetrahedron_count; face++) {
            uint32_t corners[3];
            get_face(tetrahedra, face, corners);
            tide_mesh_sort_tuple(*tuples + 3 * (size_t)face, corners, 3);
        }
        for (size_t i = 0; i < triangle_count; i++)
            tide_mesh_sort_tuple(*tuples + 3 * (4 * (size_t)tetrahedron_count + i), triangles + 3 * i, 3);
        *order = tide_mesh_order_tuples(*tuples, 3, (uint32_t)count, vertex_count);
    }
    if (*order)
        return TIDE_OK;
    tide_free(*tuples);
    return tide_fail_memory(error, "mesh faces");
}

static bool is_same(const uint32_t *a, const uint32_t *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// Returns the end of the run of equal tuples that begins at `begin` of the order.
static uint32_t end_of_run(const uint32_t *tuples, const uint32_t *order, uint32_t begin, uint32_t count)
{
    uint32_t end = begin + 1;
    while (end < count && is_same(tuples + 3 * (size_t)order[begin], tuples + 3 * (size_t)order[end]))
        end++;
    return end;
}

static void lowest_first(uint32_t *triangle, const uint32_t *corners)
{
    int lowest = corners[1] < corners[0] ? 1 : 0;
    lowest = corners[2] < corners[lowest] ? 2 : lowest;
    for (int k = 0; k < 3; k++)
        triangle[k] = corners[(lowest + k) % 3];
}

tide_status tide_mesh_surface_of(const uint32_t *tetrahedra, uint32_t tetrahedron_count, uint32_t **triangles,
                                 uint32_t *count, tide_error *error)
{
    uint32_t *tuples, *order;
    tide_status status =
        order_faces(tetrahedra, tetrahedron_count, vertex_bound(tetrahedra, 4 * (size_t)tetrahedron_count), NULL, 0,
                    &tuples, &order, error);
    if (status != TIDE_OK)
        return status;
    uint32_t faces = 4 * tetrahedron_count, outer = 0;
    // Single faces overwrite the order from its beginning.
    for (uint32_t begin = 0, end; begin < faces; begin = end) {
        end = end_of_run(tuples, order, begin, faces);
        if (end == begin + 1)
            order[outer++] = order[begin];
    }
    uint32_t *made = tide_allocate_array(outer, 3 * sizeof *made);
    if (made) {
        for (uint32_t i = 0; i < outer; i++) {
            uint32_t corners[3];
            get_face(tetrahedra, order[i], corners);
            lowest_first(made + 3 * (size_t)i, corners);
        }
        *triangles = made;
        *count = outer;
    } else
        status = tide_fail_memory(error, "mesh surface");
    tide_free(tuples);
    tide_free(order);
    return status;
}

static bool is_turned_as(const uint32_t *a, const uint32_t *b)
{
    uint32_t p[3], q[3];
    lowest_first(p, a);
    lowest_first(q, b);
    return p[1] == q[1];
}

tide_status tide_mesh_turn_outward(const uint32_t *tetrahedra, uint32_t tetrahedron_count, uint32_t vertex_count,
                                   uint32_t *triangles, uint32_t triangle_count, unsigned char *owners,
                                   tide_error *error)
{
    uint32_t *tuples, *order;
    TIDE_TRY(
        order_faces(tetrahedra, tetrahedron_count, vertex_count, triangles, triangle_count, &tuples, &order, error));
    uint32_t faces = 4 * tetrahedron_count, count = faces + triangle_count;
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        end = end_of_run(tuples, order, begin, count);
        // The order is stable, so that faces come before triangles in a run.
        uint32_t first = begin;
        while (first < end && order[first] < faces)
            first++;
        uint32_t outer[3];
        if (first > begin)
            get_face(tetrahedra, order[begin], outer);
        for (uint32_t i = first; i < end; i++) {
            uint32_t *triangle = triangles + 3 * (size_t)(order[i] - faces);
            if (owners)
                owners[order[i] - faces] = (unsigned char)(first - begin < 2 ? first - begin : 2);
            if (first - begin == 1 && !is_turned_as(triangle, outer)) {
                uint32_t last = triangle[2];
                triangle[2] = triangle[1];
                triangle[1] = last;
            }
        }
    }
    tide_free(tuples);
    tide_free(order);
    return TIDE_OK;
}

tide_status tide_mesh_folds_of(const uint32_t *tetrahedra, uint32_t tetrahedron_count, uint32_t **pairs,
                               uint32_t *count, tide_error *error)
{
    uint32_t *tuples, *order, found = 0;
    TIDE_TRY(order_faces(tetrahedra, tetrahedron_count, vertex_bound(tetrahedra, 4 * (size_t)tetrahedron_count), NULL,
                         0, &tuples, &order, error));
    // Each face makes one pair at most.
    uint32_t faces = 4 * tetrahedron_count, *made = tide_allocate_array(faces, 2 * sizeof *made);
    for (uint32_t begin = 0, end; begin < faces && made; begin = end) {
        end = end_of_run(tuples, order, begin, faces);
        for (uint32_t i = begin + 1; i < end; i++) {
            uint32_t corners[3], other[3], k = begin;
            get_face(tetrahedra, order[i], corners);
            for (; k < i; k++) {
                get_face(tetrahedra, order[k], other);
                if (is_turned_as(corners, other))
                    break;
            }
            if (k == i)
                continue;
            made[2 * (size_t)found] = order[k] / 4;
            made[2 * (size_t)found++ + 1] = order[i] / 4;
        }
    }
    tide_free(tuples);
    tide_free(order);
    if (!made)
        return tide_fail_memory(error, "mesh faces");
    *pairs = made;
    *count = found;
    return TIDE_OK;
}

// Returns the first two triangles at each edge of the table, (2 * table->count).
static uint32_t *triangles_of_table(const tide_mesh_edge_table *table, const uint32_t *triangles,
                                    uint32_t triangle_count)
{
    uint32_t *on = tide_allocate_array(table->count, 2 * sizeof *on);
    if (!on)
        return NULL;
    memset(on, 0xff, 2 * sizeof *on * table->count);
    for (uint32_t t = 0; t < triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t *triangle = triangles + 3 * (size_t)t;
            uint32_t *pair = on + 2 * (size_t)tide_mesh_edge_table_find(table, triangle[k], triangle[(k + 1) % 3]);
            if (pair[0] == TIDE_NO_TRIANGLE)
                pair[0] = t;
            else if (pair[1] == TIDE_NO_TRIANGLE)
                pair[1] = t;
        }
    return on;
}

tide_status tide_mesh_edge_triangles(const tide_mesh *mesh, uint32_t **triangles, tide_error *error)
{
    const tide_mesh_tuples lists[] = { { mesh->triangles, 3, mesh->triangle_count },
                                       { mesh->edges, 2, mesh->edge_count } };
    tide_mesh_edge_table table;
    tide_status status = tide_mesh_edge_table_create(mesh->vertex_count, lists, 2, &table, error);
    if (status != TIDE_OK)
        return status;
    TIDE_SCOPED uint32_t *on = triangles_of_table(&table, mesh->triangles, mesh->triangle_count);
    uint32_t *made = tide_allocate_array(mesh->edge_count, 2 * sizeof *made);
    if (on && made) {
        for (uint32_t i = 0; i < mesh->edge_count; i++) {
            const uint32_t *edge = mesh->edges + 2 * (size_t)i;
            memcpy(made + 2 * (size_t)i, on + 2 * (size_t)tide_mesh_edge_table_find(&table, edge[0], edge[1]),
                   2 * sizeof *made);
        }
        *triangles = made;
    } else {
        tide_free(made);
        status = tide_fail_memory(error, "mesh edges");
    }
    tide_mesh_edge_table_destroy(&table);
    return status;
}

static uint32_t opposite(const uint32_t *triangle, const uint32_t *edge)
{
    for (int k = 0; k < 2; k++)
        if (triangle[k] != edge[0] && triangle[k] != edge[1])
            return triangle[k];
    return triangle[2];
}

// Sorts the pairs by their corners; `pairs` is freed.
static uint32_t *ordered_pairs(uint32_t *pairs, uint32_t count, uint32_t vertex_count)
{
    TIDE_SCOPED uint32_t *order = tide_mesh_order_tuples(pairs, 2, count, vertex_count);
    uint32_t *ordered = tide_allocate_array(count, 2 * sizeof *ordered);
    for (uint32_t i = 0; i < count && order && ordered; i++)
        memcpy(ordered + 2 * (size_t)i, pairs + 2 * (size_t)order[i], 2 * sizeof *ordered);
    if (!order) {
        tide_free(ordered);
        ordered = NULL;
    }
    tide_free(pairs);
    return ordered;
}

tide_status tide_mesh_hinges(const tide_mesh *mesh, uint32_t **pairs, uint32_t *count, tide_error *error)
{
    uint32_t *on;
    TIDE_TRY(tide_mesh_edge_triangles(mesh, &on, error));
    uint32_t found = 0;
    // Overwrites `on`: the entries of an edge are read before a pair is written at or before them.
    for (uint32_t i = 0; i < mesh->edge_count; i++) {
        const uint32_t *edge = mesh->edges + 2 * (size_t)i, *both = on + 2 * (size_t)i;
        if (both[1] == TIDE_NO_TRIANGLE)
            continue;
        uint32_t a = opposite(mesh->triangles + 3 * (size_t)both[0], edge);
        uint32_t b = opposite(mesh->triangles + 3 * (size_t)both[1], edge);
        if (a == b)
            continue;
        on[2 * (size_t)found] = a < b ? a : b;
        on[2 * (size_t)found++ + 1] = a < b ? b : a;
    }
    uint32_t *ordered = ordered_pairs(on, found, mesh->vertex_count);
    if (!ordered)
        return tide_fail_memory(error, "mesh hinges");
    *pairs = ordered;
    *count = found;
    return TIDE_OK;
}

tide_status tide_mesh_hinge_corners(const tide_mesh *mesh, uint32_t **corners, uint32_t *count, tide_error *error)
{
    uint32_t *on, *made = tide_allocate_array(mesh->edge_count, 4 * sizeof *made), found = 0;
    tide_status status = made ? tide_mesh_edge_triangles(mesh, &on, error) : tide_fail_memory(error, "mesh hinges");
    if (status != TIDE_OK) {
        tide_free(made);
        return status;
    }
    for (uint32_t i = 0; i < mesh->edge_count; i++) {
        const uint32_t *edge = mesh->edges + 2 * (size_t)i, *both = on + 2 * (size_t)i;
        uint32_t *to = made + 4 * (size_t)found;
        if (both[1] == TIDE_NO_TRIANGLE)
            continue;
        memcpy(to, edge, 2 * sizeof *to);
        for (int t = 0; t < 2; t++)
            to[2 + t] = opposite(mesh->triangles + 3 * (size_t)both[t], edge);
        found += to[2] != to[3];
    }
    tide_free(on);
    *corners = made;
    *count = found;
    return TIDE_OK;
}

// Returns whether a triangle goes from the first to the second end of an edge.
static bool goes_along(const uint32_t *triangle, const uint32_t *edge)
{
    for (int k = 0; k < 3; k++)
        if (triangle[k] == edge[0] && triangle[(k + 1) % 3] == edge[1])
            return true;
    return false;
}

tide_status tide_mesh_find_opening(const tide_mesh *mesh, uint32_t *edge, bool *turned, tide_error *error)
{
    uint32_t *on, found = mesh->edge_count, sides = 0;
    tide_status status = tide_mesh_edge_triangles(mesh, &on, error);
    if (status != TIDE_OK)
        return status;
    *turned = false;
    for (uint32_t i = 0; i < mesh->edge_count && found == mesh->edge_count; i++) {
        const uint32_t *ends = mesh->edges + 2 * (size_t)i, *both = on + 2 * (size_t)i;
        if (both[0] == TIDE_NO_TRIANGLE)
            continue; // an edge of tetrahedra or a line
        sides += 2;
        *turned = both[1] != TIDE_NO_TRIANGLE && goes_along(mesh->triangles + 3 * (size_t)both[0], ends) ==
                                                     goes_along(mesh->triangles + 3 * (size_t)both[1], ends);
        if (both[1] == TIDE_NO_TRIANGLE || *turned)
            found = i;
    }
    tide_free(on);
    // More sides than two for each edge: some edge has three triangles or more.
    *edge = found == mesh->edge_count && sides != 3 * mesh->triangle_count ? 0 : found;
    return TIDE_OK;
}

tide_status tide_mesh_path_skips(const tide_mesh *mesh, uint32_t **pairs, uint32_t *count, tide_error *error)
{
    const tide_mesh_tuples edges = { mesh->edges, 2, mesh->edge_count };
    uint32_t found = 0, vertices = mesh->triangle_count || mesh->tetrahedron_count ? 0 : mesh->vertex_count;
    uint32_t *next = tide_allocate_array(vertices, 2 * sizeof *next); // the first two neighbours of each vertex
    unsigned char *degree = tide_allocate_zeroed(vertices, 1);        // up to 3
    tide_mesh_edge_table table = { 0 };
    tide_status status = next && degree ? tide_mesh_edge_table_create(mesh->vertex_count, &edges, 1, &table, error)
                                        : tide_fail_memory(error, "mesh paths");
    for (size_t i = 0; i < 2 * (size_t)mesh->edge_count && status == TIDE_OK && vertices; i++) {
        uint32_t from = mesh->edges[i], to = mesh->edges[i ^ 1];
        if (degree[from] < 2)
            next[2 * (size_t)from + degree[from]] = to;
        degree[from] += degree[from] < 3;
    }
    for (uint32_t v = 0; v < vertices && status == TIDE_OK; v++) {
        uint32_t a = next[2 * (size_t)v], b = next[2 * (size_t)v + 1];
        if (degree[v] != 2 || a == b || tide_mesh_edge_table_find(&table, a, b) != TIDE_MESH_NO_EDGE)
            continue;
        next[2 * (size_t)found] = a < b ? a : b; // overwrites entries that have been read
        next[2 * (size_t)found++ + 1] = a < b ? b : a;
    }
    tide_mesh_edge_table_destroy(&table);
    tide_free(degree);
    if (status != TIDE_OK) {
        tide_free(next);
        return status;
    }
    *pairs = next;
    *count = found;
    return TIDE_OK;
}
