// The mesh doctor on vertices at one place: those along rims that lie on one another are seams.
#include "mesh/doctor.h"

#include "base/memory.h"

#include <string.h>

// The edges along which a seam may run: of a solid those of its surface, of a surface those on one triangle, otherwise
// all. (2 * *count), allocated.
static uint32_t *rim_edges(const tide_mesh *mesh, uint32_t *count)
{
    *count = mesh->edge_count;
    if (!mesh->triangle_count)
        return tide_copy_bytes(mesh->edges, 2 * sizeof(uint32_t) * mesh->edge_count);
    uint32_t sides = 3 * mesh->triangle_count, rim = 0;
    uint32_t *pairs = tide_allocate_array(sides, 2 * sizeof *pairs);
    if (!pairs)
        return NULL;
    for (uint32_t i = 0; i < sides; i++) {
        pairs[2 * (size_t)i] = mesh->triangles[i];
        pairs[2 * (size_t)i + 1] = mesh->triangles[i / 3 * (size_t)3 + (i + 1) % 3];
    }
    uint32_t *order = tide_mesh_order_tuples(pairs, 2, sides, mesh->vertex_count);
    uint32_t *kept = tide_allocate_array(sides, 2 * sizeof *kept);
    if (order && kept)
        for (uint32_t begin = 0, end; begin < sides; begin = end) {
            const uint32_t *pair = pairs + 2 * (size_t)order[begin];
            for (end = begin + 1; end < sides && tide_mesh_same_tuple(pair, pairs + 2 * (size_t)order[end], 2);)
                end++;
            if (end == begin + 1 || mesh->tetrahedron_count)
                memcpy(kept + 2 * (size_t)rim++, pair, 2 * sizeof *pair);
        }
    tide_free(pairs);
    if (!order) {
        tide_free(kept);
        kept = NULL;
    }
    tide_free(order);
    *count = rim;
    return kept;
}

// Joins, in `sets`, the places that two different rim edges both run between; marks them in `seam`.
static bool join_seams(const uint32_t *rim, uint32_t count, const uint32_t *lowest, uint32_t vertex_count,
                       tide_sets *sets, unsigned char *seam)
{
    uint32_t *places = tide_allocate_array(count, 2 * sizeof *places);
    if (!places)
        return false;
    for (size_t i = 0; i < 2 * (size_t)count; i++)
        places[i] = lowest[rim[i]];
    uint32_t *order = tide_mesh_order_tuples(places, 2, count, vertex_count);
    for (uint32_t i = 1; i < count && order; i++) {
        const uint32_t *pair = places + 2 * (size_t)order[i];
        if (pair[0] == pair[1] || !tide_mesh_same_tuple(pair, places + 2 * (size_t)order[i - 1], 2) ||
            tide_mesh_same_tuple(rim + 2 * (size_t)order[i], rim + 2 * (size_t)order[i - 1], 2))
            continue;
        tide_sets_join(sets, pair[0], pair[1], false);
        seam[pair[0]] = seam[pair[1]] = 1;
    }
    bool enough = order != NULL;
    tide_free(order);
    tide_free(places);
    return enough;
}

static void report_doubles(tide_doctor *doctor, const uint32_t *lowest, tide_sets *sets, const unsigned char *seam)
{
    uint32_t count = doctor->mesh->vertex_count, first_seam = 0, first_places = 0, seams = 0;
    tide_finding sewn = { 0 }, single = { 0 };
    for (uint32_t i = 0; i < count; i++) {
        if (lowest[i] != i)
            tide_doctor_note(seam[lowest[i]] ? &sewn : &single, i);
        seams += seam[i] && tide_sets_find(sets, i, NULL) == i;
    }
    if (sewn.count)
        first_seam = tide_sets_find(sets, lowest[sewn.first], NULL);
    for (uint32_t i = 0; i < count && sewn.count; i++)
        first_places += seam[i] && tide_sets_find(sets, i, NULL) == first_seam;
    char text[64];
    if (sewn.count)
        tide_doctor_report(doctor, TIDE_MESH_SEAM, false, sewn,
                           "a seam of %u vertices is not welded: vertex %u at %s is where vertex %u is (%u %s, %u such "
                           "%s in all); join it with :weld(%g)",
                           first_places, sewn.first + 1, tide_doctor_place(doctor, sewn.first, text),
                           lowest[sewn.first] + 1, seams, seams == 1 ? "seam" : "seams", sewn.count,
                           sewn.count == 1 ? "vertex" : "vertices", tide_doctor_weld_distance(doctor));
    if (single.count)
        tide_doctor_report(doctor, TIDE_MESH_DUPLICATE_VERTEX, false, single,
                           "vertex %u at %s is where vertex %u is (%u such %s); if they are one, join them with "
                           ":weld(%g)",
                           single.first + 1, tide_doctor_place(doctor, single.first, text), lowest[single.first] + 1,
                           single.count, single.count == 1 ? "vertex" : "vertices", tide_doctor_weld_distance(doctor));
}

tide_status tide_doctor_find_doubles(tide_doctor *doctor)
{
    const tide_mesh *mesh = doctor->mesh;
    uint32_t rim_count = 0, *rim = NULL;
    uint32_t *lowest = tide_allocate_array(mesh->vertex_count, sizeof *lowest);
    if (!lowest)
        return tide_fail_memory(doctor->error, "mesh doctor");
    tide_status status =
        tide_mesh_cluster(mesh->vertices, mesh->vertex_count, doctor->tolerance, lowest, doctor->error);
    bool doubles = false;
    for (uint32_t i = 0; i < mesh->vertex_count && status == TIDE_OK; i++)
        doubles = doubles || lowest[i] != i;
    if (status != TIDE_OK || !doubles) {
        tide_free(lowest);
        return status;
    }
    tide_sets sets = { 0 };
    unsigned char *seam = tide_allocate_zeroed(mesh->vertex_count, 1);
    if (mesh->triangle_count <= UINT32_MAX / 3)
        rim = rim_edges(mesh, &rim_count);
    if (seam && rim && tide_sets_create(&sets, mesh->vertex_count) &&
        join_seams(rim, rim_count, lowest, mesh->vertex_count, &sets, seam))
        report_doubles(doctor, lowest, &sets, seam);
    else
        status = tide_fail_memory(doctor->error, "mesh doctor");
    tide_sets_destroy(&sets);
    tide_free(seam);
    tide_free(rim);
    tide_free(lowest);
    return status;
}
