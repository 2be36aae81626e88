// The mesh doctor: coincident vertices. Those along coincident rims form seams, which may have a small gap, for example
// by rounding in a file.
#include "mesh/doctor.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double gaping = 1e-5; // of the diagonal: the largest gap of a seam

// Returns the edges along which a seam may run: for a solid those of its surface, for a surface those with one
// triangle, otherwise all. (2 * *count), allocated.
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
    TIDE_SCOPED uint32_t *order = tide_mesh_order_tuples(pairs, 2, sides, mesh->vertex_count);
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
    *count = rim;
    return kept;
}

// Where two different rim edges run between the same two places, joins these places in `sets` and marks them in `seam`.
static bool join_seams(const uint32_t *rim, uint32_t count, const uint32_t *lowest, uint32_t vertex_count,
                       tide_sets *sets, unsigned char *seam)
{
    TIDE_SCOPED uint32_t *places = tide_allocate_array(count, 2 * sizeof *places);
    if (!places)
        return false;
    for (size_t i = 0; i < 2 * (size_t)count; i++)
        places[i] = lowest[rim[i]];
    TIDE_SCOPED uint32_t *order = tide_mesh_order_tuples(places, 2, count, vertex_count);
    for (uint32_t i = 1; i < count && order; i++) {
        const uint32_t *pair = places + 2 * (size_t)order[i];
        if (pair[0] == pair[1] || !tide_mesh_same_tuple(pair, places + 2 * (size_t)order[i - 1], 2) ||
            tide_mesh_same_tuple(rim + 2 * (size_t)order[i], rim + 2 * (size_t)order[i - 1], 2))
            continue;
        tide_sets_join(sets, pair[0], pair[1], false);
        seam[pair[0]] = seam[pair[1]] = 1;
    }
    bool enough = order != NULL;
    return enough;
}

// Coincident vertices: for each vertex, the lowest one that it coincides with.
typedef struct doubles {
    uint32_t *same, *near; // within the tolerance; within the gap of seams
    unsigned char *seam;   // marks the vertices of `near` that are on a seam
    tide_sets sets;        // of these vertices: one set for each seam
} doubles;

// Returns the largest gap of a seam.
static double gape_of(const tide_doctor *doctor)
{
    const tide_mesh *mesh = doctor->mesh;
    double shortest = INFINITY;
    for (uint32_t i = 0; i < mesh->edge_count; i++) {
        const uint32_t *edge = mesh->edges + 2 * (size_t)i;
        double length = tide_doctor_distance(doctor, edge[0], edge[1]);
        if (length > doctor->tolerance)
            shortest = fmin(shortest, length);
    }
    return doctor->measurable ? fmax(doctor->tolerance, fmin(gaping * doctor->diagonal, 0.1 * shortest))
                              : doctor->tolerance;
}

static bool is_sewn(const doubles *all, uint32_t vertex)
{
    return all->near[vertex] != vertex && all->seam[all->near[vertex]];
}

static void report_seams(tide_doctor *doctor, doubles *all)
{
    uint32_t count = doctor->mesh->vertex_count, first_places = 0, seams = 0;
    tide_finding sewn = { 0 };
    double widest = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (is_sewn(all, i)) {
            tide_doctor_note(&sewn, i);
            widest = fmax(widest, tide_doctor_distance(doctor, i, all->near[i]));
        }
        seams += all->seam[i] && tide_sets_find(&all->sets, i, NULL) == i;
    }
    if (!sewn.count)
        return;
    uint32_t first_seam = tide_sets_find(&all->sets, all->near[sewn.first], NULL), other = all->near[sewn.first];
    for (uint32_t i = 0; i < count; i++)
        first_places += all->seam[i] && tide_sets_find(&all->sets, i, NULL) == first_seam;
    char place[64], gap[64] = "where";
    if (widest > doctor->tolerance)
        snprintf(gap, sizeof gap, "%.2g m from where", tide_doctor_distance(doctor, sewn.first, other));
    tide_doctor_report(doctor, TIDE_MESH_SEAM, false, sewn,
                       "a seam of %u vertices is not welded: vertex %u at %s is %s vertex %u is (%u %s, %u such %s in "
                       "all); join it with :weld(%g)",
                       first_places, sewn.first + 1, tide_doctor_place(doctor, sewn.first, place), gap, other + 1,
                       seams, seams == 1 ? "seam" : "seams", sewn.count, sewn.count == 1 ? "vertex" : "vertices",
                       tide_doctor_weld_distance(doctor, widest));
}

static void report_singles(tide_doctor *doctor, const doubles *all)
{
    tide_finding single = { 0 };
    for (uint32_t i = 0; i < doctor->mesh->vertex_count; i++)
        if (all->same[i] != i && !is_sewn(all, i))
            tide_doctor_note(&single, i);
    char text[64];
    if (single.count)
        tide_doctor_report(doctor, TIDE_MESH_DUPLICATE_VERTEX, false, single,
                           "vertex %u at %s is where vertex %u is (%u such %s); if they are one, join them with "
                           ":weld(%g)",
                           single.first + 1, tide_doctor_place(doctor, single.first, text), all->same[single.first] + 1,
                           single.count, single.count == 1 ? "vertex" : "vertices",
                           tide_doctor_weld_distance(doctor, 0));
}

static bool find_seams(const tide_mesh *mesh, doubles *all)
{
    uint32_t rim_count = 0;
    TIDE_SCOPED uint32_t *rim = mesh->triangle_count <= UINT32_MAX / 3 ? rim_edges(mesh, &rim_count) : NULL;
    bool enough = rim && tide_sets_create(&all->sets, mesh->vertex_count) &&
                  join_seams(rim, rim_count, all->near, mesh->vertex_count, &all->sets, all->seam);
    return enough;
}

static bool has_doubles(const uint32_t *lowest, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (lowest[i] != i)
            return true;
    return false;
}

tide_status tide_doctor_find_doubles(tide_doctor *doctor)
{
    const tide_mesh *mesh = doctor->mesh;
    uint32_t count = mesh->vertex_count;
    TIDE_SCOPED void *memory = tide_allocate(0);
    doubles all = { .same = tide_own_array(memory, count, sizeof *all.same),
                    .near = tide_own_array(memory, count, sizeof *all.near),
                    .seam = tide_own_zeroed(memory, count, 1) };
    tide_status status = tide_owns_all(memory) ? TIDE_OK : tide_fail_memory(doctor->error, "mesh doctor");
    if (status == TIDE_OK)
        status = tide_mesh_cluster(mesh->vertices, count, doctor->tolerance, all.same, doctor->error);
    if (status == TIDE_OK)
        status = tide_mesh_cluster(mesh->vertices, count, gape_of(doctor), all.near, doctor->error);
    if (status == TIDE_OK && has_doubles(all.near, count)) {
        if (find_seams(mesh, &all)) {
            report_seams(doctor, &all);
            report_singles(doctor, &all);
        } else
            status = tide_fail_memory(doctor->error, "mesh doctor");
    }
    tide_sets_destroy(&all.sets);
    return status;
}
