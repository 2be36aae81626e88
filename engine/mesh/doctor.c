// The mesh doctor: finds and describes what would keep a mesh from being simulated well.
#include "mesh/doctor.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Slivers: triangles below this ratio of height to longest side, and tetrahedra below this radius ratio.
static const double sliver_height = 1e-2, sliver_ratio = 5e-3;

// --- vertices without elements, or without mass ----------------------------------------------------------------------

static tide_status find_isolated(tide_doctor *doctor)
{
    const tide_mesh *mesh = doctor->mesh;
    const tide_mesh_tuples lists[] = { { mesh->edges, 2, mesh->edge_count },
                                       { mesh->triangles, 3, mesh->triangle_count },
                                       { mesh->tetrahedra, 4, mesh->tetrahedron_count } };
    if (!mesh->edge_count && !mesh->triangle_count && !mesh->tetrahedron_count)
        return TIDE_OK;
    unsigned char *used = tide_allocate_zeroed(mesh->vertex_count, 1);
    if (!used)
        return tide_fail_memory(doctor->error, "mesh doctor");
    for (int list = 0; list < 3; list++)
        for (size_t i = 0; i < (size_t)lists[list].width * lists[list].count; i++)
            used[lists[list].indices[i]] = 1;
    tide_finding found = { 0 };
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        if (!used[i])
            tide_doctor_note(&found, i);
    tide_free(used);
    char text[64];
    if (found.count)
        tide_doctor_report(
            doctor, TIDE_MESH_ISOLATED_VERTEX, true, found,
            "vertex %u at %s belongs to no edge, triangle or tetrahedron (%u such %s); connect it, or remove it with "
            "fix = true, as `springtide check --fix` does",
            found.first + 1, tide_doctor_place(doctor, found.first, text), found.count,
            found.count == 1 ? "vertex" : "vertices");
    return TIDE_OK;
}

// Finds vertices without mass. Density distributes the mass of the tetrahedra (without any, of the triangles; without
// any, of the edges) to their corners.
static tide_status find_massless(tide_doctor *doctor)
{
    const tide_mesh *mesh = doctor->mesh;
    bool solid = mesh->tetrahedron_count > 0;
    if (!solid && !mesh->triangle_count)
        return TIDE_OK;
    unsigned char *weight = tide_allocate_zeroed(mesh->vertex_count, 1); // 1: used, 2: has mass
    if (!weight)
        return tide_fail_memory(doctor->error, "mesh doctor");
    for (size_t i = 0; i < 2 * (size_t)mesh->edge_count; i++)
        weight[mesh->edges[i]] |= 1;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles + 3 * (size_t)i;
        unsigned char flags = solid || tide_doctor_is_flat_triangle(doctor, t) ? 1 : 3;
        for (int k = 0; k < 3; k++)
            weight[t[k]] |= flags;
    }
    for (uint32_t i = 0; i < mesh->tetrahedron_count; i++) {
        const uint32_t *t = mesh->tetrahedra + 4 * (size_t)i;
        unsigned char flags = tide_doctor_is_flat_tetrahedron(doctor, t) ? 1 : 3;
        for (int k = 0; k < 4; k++)
            weight[t[k]] |= flags;
    }
    tide_finding found = { 0 };
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        if (weight[i] == 1)
            tide_doctor_note(&found, i);
    tide_free(weight);
    char text[64];
    if (found.count)
        tide_doctor_report(doctor, TIDE_MESH_MASSLESS_VERTEX, false, found,
                           "vertex %u at %s is in no %s, so that density gives it no mass (%u such %s); give the body "
                           "mass or masses, or mend the mesh",
                           found.first + 1, tide_doctor_place(doctor, found.first, text),
                           solid ? "tetrahedron of any volume" : "triangle of any area", found.count,
                           found.count == 1 ? "vertex" : "vertices");
    return TIDE_OK;
}

// --- elements --------------------------------------------------------------------------------------------------------

static tide_status find_zero_edges(tide_doctor *doctor)
{
    const tide_mesh *mesh = doctor->mesh;
    tide_finding found = { 0 };
    for (uint32_t i = 0; i < mesh->edge_count; i++) {
        if (tide_doctor_is_short_edge(doctor, mesh->edges + 2 * (size_t)i))
            tide_doctor_note(&found, i);
    }
    if (!found.count)
        return TIDE_OK;
    const uint32_t *edge = mesh->edges + 2 * (size_t)found.first;
    char text[64];
    tide_doctor_report(
        doctor, TIDE_MESH_ZERO_EDGE, true, found,
        "edge %u, from vertex %u to vertex %u at %s, has no length (%u such %s); join its ends with :weld(%g)",
        found.first + 1, edge[0] + 1, edge[1] + 1, tide_doctor_place(doctor, edge[0], text), found.count,
        found.count == 1 ? "edge" : "edges", tide_doctor_weld_distance(doctor, 0));
    return TIDE_OK;
}

// Writes the vertices of a tuple as "1, 2, 4", counted from 1.
static const char *list_vertices(const uint32_t *tuple, uint32_t width, char text[64])
{
    int length = 0;
    for (uint32_t k = 0; k < width; k++)
        length += snprintf(text + length, 64 - (size_t)length, "%s%u", k ? ", " : "", tuple[k] + 1);
    return text;
}

// Reports triangles (width 3) or tetrahedra (width 4). `what` tells what is wrong with the first; `worst` describes the
// worst of them, or is empty.
static void report_cells(tide_doctor *doctor, tide_mesh_problem_kind kind, bool fatal, tide_finding found,
                         uint32_t width, const char *what, const char *worst, const char *remedy)
{
    if (!found.count)
        return;
    const tide_mesh *mesh = doctor->mesh;
    const uint32_t *cell = (width == 3 ? mesh->triangles : mesh->tetrahedra) + (size_t)width * found.first;
    const char *one = width == 3 ? "triangle" : "tetrahedron", *many = width == 3 ? "triangles" : "tetrahedra";
    char place[64], vertices[64];
    tide_doctor_report(doctor, kind, fatal, found, "%s %u (vertices %s) at %s %s (%u such %s%s); %s", one,
                       found.first + 1, list_vertices(cell, width, vertices), tide_doctor_place(doctor, cell[0], place),
                       what, found.count, found.count == 1 ? one : many, worst, remedy);
}

// Finds triangles without area and tetrahedra without volume.
static tide_status find_degenerate_cells(tide_doctor *doctor)
{
    static const char remedy[] = "move one of its vertices or remove it, as fix does";
    const tide_mesh *mesh = doctor->mesh;
    tide_finding triangles = { 0 }, tetrahedra = { 0 };
    for (uint32_t i = 0; i < mesh->triangle_count; i++)
        if (tide_doctor_is_flat_triangle(doctor, mesh->triangles + 3 * (size_t)i))
            tide_doctor_note(&triangles, i);
    for (uint32_t i = 0; i < mesh->tetrahedron_count; i++)
        if (tide_doctor_is_flat_tetrahedron(doctor, mesh->tetrahedra + 4 * (size_t)i))
            tide_doctor_note(&tetrahedra, i);
    report_cells(doctor, TIDE_MESH_DEGENERATE_TRIANGLE, false, triangles, 3, "has no area", "", remedy);
    report_cells(doctor, TIDE_MESH_DEGENERATE_TETRAHEDRON, true, tetrahedra, 4, "has no volume", "", remedy);
    return TIDE_OK;
}

// Counts tuples with the same vertices as an earlier one.
static bool find_equal_tuples(const uint32_t *tuples, uint32_t width, uint32_t count, uint32_t vertex_count,
                              tide_finding *found)
{
    TIDE_SCOPED uint32_t *order = tide_mesh_order_tuples(tuples, width, count, vertex_count);
    if (!order)
        return false;
    *found = (tide_finding) { 0 };
    for (uint32_t i = 1; i < count; i++) {
        if (!tide_mesh_same_tuple(tuples + (size_t)width * order[i - 1], tuples + (size_t)width * order[i], width))
            continue;
        if (found->count++ == 0 || order[i] < found->first)
            found->first = order[i];
    }
    return true;
}

tide_status tide_doctor_count_copies(const tide_mesh *mesh, tide_finding *found, int *first_list, tide_error *error)
{
    const tide_mesh_tuples lists[] = { { mesh->edges, 2, mesh->edge_count },
                                       { mesh->triangles, 3, mesh->triangle_count },
                                       { mesh->tetrahedra, 4, mesh->tetrahedron_count } };
    *found = (tide_finding) { 0 };
    *first_list = 0;
    for (int list = 0; list < 3; list++) {
        tide_finding some;
        if (!find_equal_tuples(lists[list].indices, lists[list].width, lists[list].count, mesh->vertex_count, &some))
            return tide_fail_memory(error, "mesh doctor");
        if (some.count && !found->count) {
            found->first = some.first;
            *first_list = list;
        }
        found->count += some.count;
    }
    return TIDE_OK;
}

static tide_status find_duplicate_elements(tide_doctor *doctor)
{
    static const char *const names[] = { "edge", "triangle", "tetrahedron" };
    const tide_mesh *mesh = doctor->mesh;
    const uint32_t *const lists[] = { mesh->edges, mesh->triangles, mesh->tetrahedra };
    tide_finding found;
    int list;
    tide_status status = tide_doctor_count_copies(mesh, &found, &list, doctor->error);
    if (status != TIDE_OK || !found.count)
        return status;
    char vertices[64];
    uint32_t width = (uint32_t)list + 2;
    list_vertices(lists[list] + (size_t)width * found.first, width, vertices);
    tide_doctor_report(doctor, TIDE_MESH_DUPLICATE_ELEMENT, false, found,
                       "%s %u (vertices %s) was given before (%u such %s); remove it with :weld(0)", names[list],
                       found.first + 1, vertices, found.count, found.count == 1 ? "element" : "elements");
    return TIDE_OK;
}

// --- slivers ---------------------------------------------------------------------------------------------------------

static tide_status find_sliver_triangles(tide_doctor *doctor)
{
    const tide_mesh *mesh = doctor->mesh;
    tide_finding found = { 0 };
    double flattest = INFINITY;
    for (uint32_t i = 0; i < mesh->triangle_count && doctor->measurable; i++) {
        const uint32_t *t = mesh->triangles + 3 * (size_t)i;
        double side = tide_doctor_longest_side(doctor, t, 3),
               height = tide_doctor_twice_area(doctor, t[0], t[1], t[2]) / (side * side);
        if (!(height < sliver_height) || tide_doctor_is_flat_triangle(doctor, t))
            continue;
        tide_doctor_note(&found, i);
        flattest = fmin(flattest, height);
    }
    char worst[64];
    snprintf(worst, sizeof worst, ", the flattest %.2g times as high as long", flattest);
    report_cells(doctor, TIDE_MESH_SLIVER_TRIANGLE, false, found, 3, "is a sliver", worst,
                 "weld its short side or cut the mesh anew");
    return TIDE_OK;
}

// Returns 3 * inradius / circumradius: 1 when regular, 0 when flat. With V the volume, A the sum of the faces' areas
// and a, b, c the products of the lengths of opposite edges, r = 3 V / A and
// 24 V R = sqrt((a + b + c) (a + b - c) (a - b + c) (b + c - a)) (Crelle's formula).
static double radius_ratio(const tide_doctor *doctor, const uint32_t *t)
{
    double side = tide_doctor_longest_side(doctor, t, 4);
    double volume = tide_mesh_tetrahedron_volume(doctor->mesh->vertices, t) / (side * side * side);
    double area = 0, products[3];
    for (int k = 0; k < 4; k++)
        area += tide_doctor_twice_area(doctor, t[(k + 1) % 4], t[(k + 2) % 4], t[(k + 3) % 4]) / (2 * side * side);
    for (int k = 0; k < 3; k++)
        products[k] = tide_doctor_distance(doctor, t[0], t[k + 1]) / side *
                      (tide_doctor_distance(doctor, t[1 + (k + 1) % 3], t[1 + (k + 2) % 3]) / side);
    double a = products[0], b = products[1], c = products[2];
    double square = (a + b + c) * (a + b - c) * (a - b + c) * (b + c - a);
    return square > 0 ? 216 * volume * volume / (area * sqrt(square)) : 0;
}

static tide_status find_sliver_tetrahedra(tide_doctor *doctor)
{
    const tide_mesh *mesh = doctor->mesh;
    tide_finding found = { 0 };
    double flattest = INFINITY;
    for (uint32_t i = 0; i < mesh->tetrahedron_count && doctor->measurable; i++) {
        const uint32_t *t = mesh->tetrahedra + 4 * (size_t)i;
        if (tide_doctor_is_flat_tetrahedron(doctor, t))
            continue;
        double ratio = radius_ratio(doctor, t);
        if (!(ratio < sliver_ratio))
            continue;
        tide_doctor_note(&found, i);
        flattest = fmin(flattest, ratio);
    }
    char worst[64];
    snprintf(worst, sizeof worst, ", the worst with a radius ratio of %.2g", flattest);
    report_cells(doctor, TIDE_MESH_SLIVER_TETRAHEDRON, false, found, 4, "is a sliver", worst,
                 "move one of its vertices or cut the mesh anew");
    return TIDE_OK;
}

static tide_status judge_size(tide_doctor *doctor)
{
    double lower[3], upper[3], longest = 0;
    tide_mesh_bounds(doctor->mesh, lower, upper);
    for (int k = 0; k < 3; k++)
        longest = fmax(longest, upper[k] - lower[k]);
    tide_finding found = { .count = 1 };
    if (longest > 100)
        tide_doctor_report(doctor, TIDE_MESH_SUSPICIOUS_SIZE, false, found,
                           "the mesh is %g m long; if its file is in millimetres, use :scale(0.001)", longest);
    else if (longest > 0 && longest < 1e-3)
        tide_doctor_report(doctor, TIDE_MESH_SUSPICIOUS_SIZE, false, found,
                           "the mesh is %g m long; if its file is in kilometres, use :scale(1000)", longest);
    return TIDE_OK;
}

// --- the report, cached in the mesh ----------------------------------------------------------------------------------

typedef struct findings {
    uint32_t problem_count, note_count;
    tide_mesh_problem items[]; // problems, then notes
} findings;

// Caches the report. If two threads examine a mesh at the same time, the first report stays. Without memory nothing is
// cached.
static void keep(const tide_mesh *mesh, const tide_mesh_report *report)
{
    uint32_t count = report->problem_count + report->note_count;
    findings *kept = tide_allocate(sizeof *kept + count * sizeof kept->items[0]);
    if (!kept)
        return;
    kept->problem_count = report->problem_count;
    kept->note_count = report->note_count;
    memcpy(kept->items, report->problems, report->problem_count * sizeof kept->items[0]);
    memcpy(kept->items + report->problem_count, report->notes, report->note_count * sizeof kept->items[0]);
    void *none = NULL;
    if (!__atomic_compare_exchange_n(&((tide_mesh *)mesh)->findings, &none, kept, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE))
        tide_free(kept);
}

static bool recall(const tide_mesh *mesh, tide_mesh_report *report)
{
    const findings *kept = __atomic_load_n(&mesh->findings, __ATOMIC_ACQUIRE);
    if (!kept)
        return false;
    *report = (tide_mesh_report) { .problem_count = kept->problem_count, .note_count = kept->note_count };
    memcpy(report->problems, kept->items, kept->problem_count * sizeof kept->items[0]);
    memcpy(report->notes, kept->items + kept->problem_count, kept->note_count * sizeof kept->items[0]);
    return true;
}

tide_status tide_mesh_check(const tide_mesh *mesh, tide_mesh_report *report, tide_error *error)
{
    static tide_status (*const checks[])(tide_doctor *) = {
        find_isolated,
        tide_doctor_find_doubles,
        find_massless,
        find_zero_edges,
        find_degenerate_cells,
        find_duplicate_elements,
        find_sliver_triangles,
        find_sliver_tetrahedra,
        tide_doctor_find_inverted,
        tide_doctor_examine_surface,
        tide_doctor_find_pieces,
        judge_size,
    };
    if (recall(mesh, report))
        return TIDE_OK;
    tide_mesh_report made = { 0 };
    tide_doctor doctor = tide_doctor_of(mesh, &made, error);
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        TIDE_TRY(checks[i](&doctor));
    keep(mesh, &made);
    *report = made;
    return TIDE_OK;
}
