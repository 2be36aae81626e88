// The mesh doctor: connectivity of a surface. Finds edges and vertices where it is not manifold, its orientation and
// its boundary; and the pieces of a mesh.
#include "mesh/doctor.h"

#include "base/memory.h"

#define NONE UINT32_MAX

// on, last: the number of triangles at each edge of the table, and the last of them.
typedef struct surface {
    tide_doctor *doctor;
    tide_mesh_edge_table table;
    uint32_t *on, *last;
    tide_sets fans; // of the corners 3 t + k of triangles: those of one vertex that common edges join
} surface;

static tide_status open_surface(surface *surface)
{
    const tide_mesh *mesh = surface->doctor->mesh;
    const tide_mesh_tuples lists[] = { { mesh->triangles, 3, mesh->triangle_count } };
    TIDE_TRY(tide_mesh_edge_table_create(mesh->vertex_count, lists, 1, &surface->table, surface->doctor->error));
    surface->on = tide_allocate_zeroed(surface->table.count, sizeof *surface->on);
    surface->last = tide_allocate_array(surface->table.count, sizeof *surface->last);
    if (!surface->on || !surface->last || mesh->triangle_count > UINT32_MAX / 3 ||
        !tide_sets_create(&surface->fans, 3 * mesh->triangle_count))
        return tide_fail_memory(surface->doctor->error, "mesh doctor");
    return TIDE_OK;
}

static void close_surface(surface *surface)
{
    tide_mesh_edge_table_destroy(&surface->table);
    tide_free(surface->on);
    tide_free(surface->last);
    tide_sets_destroy(&surface->fans);
}

static uint32_t corner_of(const uint32_t *triangles, uint32_t triangle, uint32_t vertex)
{
    const uint32_t *t = triangles + 3 * (size_t)triangle;
    return 3 * triangle + (t[0] == vertex ? 0 : t[1] == vertex ? 1 : 2);
}

static void gather(surface *surface)
{
    const tide_mesh *mesh = surface->doctor->mesh;
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t a = mesh->triangles[3 * (size_t)t + k], b = mesh->triangles[3 * (size_t)t + (k + 1) % 3];
            uint32_t edge = tide_mesh_edge_table_find(&surface->table, a, b);
            if (surface->on[edge]++) {
                uint32_t other = surface->last[edge];
                tide_sets_join(&surface->fans, 3 * t + k, corner_of(mesh->triangles, other, a), false);
                tide_sets_join(&surface->fans, 3 * t + (k + 1) % 3, corner_of(mesh->triangles, other, b), false);
            }
            surface->last[edge] = t;
        }
}

static void find_crowded_edges(surface *surface)
{
    tide_doctor *doctor = surface->doctor;
    const tide_mesh *mesh = doctor->mesh;
    tide_finding found = { 0 };
    uint32_t on_first = 0;
    for (uint32_t i = 0; i < mesh->edge_count; i++) {
        const uint32_t *edge = mesh->edges + 2 * (size_t)i;
        uint32_t place = tide_mesh_edge_table_find(&surface->table, edge[0], edge[1]);
        uint32_t on = place == TIDE_MESH_NO_EDGE ? 0 : surface->on[place];
        if (on <= 2)
            continue;
        on_first = found.count ? on_first : on;
        tide_doctor_note(&found, i);
    }
    if (!found.count)
        return;
    const uint32_t *edge = mesh->edges + 2 * (size_t)found.first;
    char text[64];
    tide_doctor_report(doctor, TIDE_MESH_NON_MANIFOLD_EDGE, false, found,
                       "edge %u, from vertex %u at %s to vertex %u, is on %u triangles (%u such %s); %s",
                       found.first + 1, edge[0] + 1, tide_doctor_place(doctor, edge[0], text), edge[1] + 1, on_first,
                       found.count, found.count == 1 ? "edge" : "edges",
                       mesh->tetrahedron_count
                           ? "faces inside the solid go with fix = true, as `springtide check --fix` does"
                           : "leave at most two on an edge");
}

static tide_status find_torn_vertices(surface *surface)
{
    tide_doctor *doctor = surface->doctor;
    const tide_mesh *mesh = doctor->mesh;
    uint32_t *fan = tide_allocate_array(mesh->vertex_count, sizeof *fan);
    unsigned char *torn = tide_allocate_zeroed(mesh->vertex_count, 1);
    if (!fan || !torn) {
        tide_free(fan);
        tide_free(torn);
        return tide_fail_memory(doctor->error, "mesh doctor");
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        fan[v] = NONE;
    for (uint32_t c = 0; c < 3 * mesh->triangle_count; c++) {
        uint32_t vertex = mesh->triangles[c], root = tide_sets_find(&surface->fans, c, NULL);
        torn[vertex] |= fan[vertex] != NONE && fan[vertex] != root;
        fan[vertex] = root;
    }
    tide_finding found = { 0 };
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        if (torn[v])
            tide_doctor_note(&found, v);
    tide_free(fan);
    tide_free(torn);
    char text[64];
    if (found.count)
        tide_doctor_report(
            doctor, TIDE_MESH_NON_MANIFOLD_VERTEX, false, found,
            "vertex %u at %s joins parts of the surface that share no edge there (%u such %s); give each "
            "part a vertex of its own, or join them along an edge",
            found.first + 1, tide_doctor_place(doctor, found.first, text), found.count,
            found.count == 1 ? "vertex" : "vertices");
    return TIDE_OK;
}

static tide_status judge_sides(surface *surface)
{
    tide_doctor *doctor = surface->doctor;
    const tide_mesh *mesh = doctor->mesh;
    tide_orientation sides;
    TIDE_TRY(tide_mesh_orient(mesh->vertices, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &sides,
                              doctor->error));
    char text[64];
    tide_finding mixed = { sides.mixed, sides.mixed_one }, inward = { sides.inside_out, sides.inside_out_triangle };
    if (mixed.count)
        tide_doctor_report(doctor, TIDE_MESH_MIXED_ORIENTATION, false, mixed,
                           "triangles %u and %u face opposite ways across the edge from vertex %u at %s to vertex %u "
                           "(%u such %s%s); turn them, as fix does",
                           sides.mixed_one + 1, sides.mixed_other + 1, sides.mixed_edge[0] + 1,
                           tide_doctor_place(doctor, sides.mixed_edge[0], text), sides.mixed_edge[1] + 1, sides.mixed,
                           sides.mixed == 1 ? "edge" : "edges",
                           sides.unorientable ? ", some on a surface with one side only" : "");
    if (inward.count)
        tide_doctor_report(doctor, TIDE_MESH_INSIDE_OUT, false, inward,
                           "the closed surface with triangle %u at %s faces inward (%u such %s); turn it, as fix does",
                           inward.first + 1, tide_doctor_place(doctor, mesh->triangles[3 * (size_t)inward.first], text),
                           inward.count, inward.count == 1 ? "piece" : "pieces");
    tide_orientation_destroy(&sides);
    return TIDE_OK;
}

static void find_rim(surface *surface)
{
    tide_doctor *doctor = surface->doctor;
    const tide_mesh *mesh = doctor->mesh;
    tide_finding found = { 0 };
    uint32_t edge[2] = { 0 };
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t a = mesh->triangles[3 * (size_t)t + k], b = mesh->triangles[3 * (size_t)t + (k + 1) % 3];
            if (surface->on[tide_mesh_edge_table_find(&surface->table, a, b)] != 1)
                continue;
            edge[0] = found.count ? edge[0] : a;
            edge[1] = found.count ? edge[1] : b;
            tide_doctor_note(&found, t);
        }
    char text[64];
    if (found.count)
        tide_doctor_report(doctor, TIDE_MESH_OPEN_SURFACE, false, found,
                           "the surface is open: %u %s on one triangle only, first the one from vertex %u at %s to "
                           "vertex %u, of triangle %u",
                           found.count, found.count == 1 ? "edge is" : "edges are", edge[0] + 1,
                           tide_doctor_place(doctor, edge[0], text), edge[1] + 1, found.first + 1);
}

tide_status tide_doctor_examine_surface(tide_doctor *doctor)
{
    surface surface = { .doctor = doctor };
    if (!doctor->mesh->triangle_count)
        return TIDE_OK;
    tide_status status = open_surface(&surface);
    if (status == TIDE_OK) {
        gather(&surface);
        find_crowded_edges(&surface);
        status = find_torn_vertices(&surface);
    }
    if (status == TIDE_OK)
        status = judge_sides(&surface);
    if (status == TIDE_OK)
        find_rim(&surface);
    close_surface(&surface);
    return status;
}

static void join_list(tide_sets *sets, unsigned char *used, const uint32_t *tuples, uint32_t width, uint32_t count)
{
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < width; k++) {
            used[tuples[width * i + k]] = 1;
            tide_sets_join(sets, tuples[width * i], tuples[width * i + k], false);
        }
}

tide_status tide_doctor_find_pieces(tide_doctor *doctor)
{
    const tide_mesh *mesh = doctor->mesh;
    tide_sets sets;
    if (!tide_sets_create(&sets, mesh->vertex_count))
        return tide_fail_memory(doctor->error, "mesh doctor");
    unsigned char *used = tide_allocate_zeroed(mesh->vertex_count, 1);
    if (!used) {
        tide_sets_destroy(&sets);
        return tide_fail_memory(doctor->error, "mesh doctor");
    }
    join_list(&sets, used, mesh->edges, 2, mesh->edge_count);
    join_list(&sets, used, mesh->triangles, 3, mesh->triangle_count);
    join_list(&sets, used, mesh->tetrahedra, 4, mesh->tetrahedron_count);
    // The first vertex of the second piece gives the position.
    tide_finding pieces = { 0 };
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        if (used[v] && tide_sets_find(&sets, v, NULL) == v && pieces.count++ == 1)
            pieces.first = v;
    tide_free(used);
    tide_sets_destroy(&sets);
    char text[64];
    if (pieces.count > 1)
        tide_doctor_report(doctor, TIDE_MESH_PIECES, false, pieces,
                           "the mesh is in %u pieces that nothing joins; the second begins with vertex %u at %s",
                           pieces.count, pieces.first + 1, tide_doctor_place(doctor, pieces.first, text));
    return TIDE_OK;
}
