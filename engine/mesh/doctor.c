// The mesh doctor: what would keep a mesh from being simulated well, in words.
#include "mesh/internal.h"

#include "base/memory.h"
#include "base/vec3.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Lengths below this part of the bounding box's diagonal are nothing; areas below this part of the longest side
// squared, volumes below the second of the longest side cubed.
static const double nothing = 1e-9, no_volume = 1e-12;
// Beyond these sizes squares and cubes overflow or vanish; such a mesh is only told that its size is suspicious.
static const double largest_size = 1e80, smallest_size = 1e-80;

typedef struct doctor {
    const tide_mesh *mesh;
    double diagonal, tolerance; // m
    tide_mesh_report *report;
    tide_error *error;
} doctor;

typedef struct finding {
    uint32_t count, first;
} finding;

static void note(finding *finding, uint32_t index)
{
    if (finding->count++ == 0)
        finding->first = index;
}

__attribute__((format(printf, 5, 6))) static void report(doctor *doctor, tide_mesh_problem_kind kind, bool fatal,
                                                         finding finding, const char *format, ...)
{
    tide_mesh_problem *problem = &doctor->report->problems[doctor->report->problem_count++];
    *problem = (tide_mesh_problem) { .kind = kind, .fatal = fatal, .count = finding.count, .first = finding.first };
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem->text, sizeof problem->text, format, arguments);
    va_end(arguments);
}

static tide_vec3 position(const doctor *doctor, uint32_t vertex)
{
    return tide_vec3_load(doctor->mesh->vertices + 3 * (size_t)vertex);
}

// "(0.1, 0, 2)" in `text`, which it returns.
static const char *place(const doctor *doctor, uint32_t vertex, char text[64])
{
    tide_vec3 p = position(doctor, vertex);
    snprintf(text, 64, "(%g, %g, %g)", p.x, p.y, p.z);
    return text;
}

static double distance(const doctor *doctor, uint32_t a, uint32_t b)
{
    return tide_vec3_length(tide_vec3_subtract(position(doctor, a), position(doctor, b)));
}

// A distance to weld with, short to write: the tolerance rounded up to a power of ten.
static double weld_distance(const doctor *doctor)
{
    if (!(doctor->tolerance > 0))
        return 0;
    double power = pow(10, ceil(log10(doctor->tolerance)));
    return power < doctor->tolerance ? 10 * power : power;
}

static tide_status find_isolated(doctor *doctor)
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
    finding found = { 0 };
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        if (!used[i])
            note(&found, i);
    tide_free(used);
    char text[64];
    if (found.count)
        report(doctor, TIDE_MESH_ISOLATED_VERTEX, true, found,
               "vertex %u at %s belongs to no edge, triangle or tetrahedron (%u such %s); connect it or remove it with "
               ":weld(0)",
               found.first + 1, place(doctor, found.first, text), found.count,
               found.count == 1 ? "vertex" : "vertices");
    return TIDE_OK;
}

static tide_status find_duplicate_vertices(doctor *doctor)
{
    const tide_mesh *mesh = doctor->mesh;
    uint32_t *lowest = tide_allocate_array(mesh->vertex_count, sizeof *lowest);
    if (!lowest)
        return tide_fail_memory(doctor->error, "mesh doctor");
    tide_status status =
        tide_mesh_cluster(mesh->vertices, mesh->vertex_count, doctor->tolerance, lowest, doctor->error);
    finding found = { 0 };
    for (uint32_t i = 0; i < mesh->vertex_count && status == TIDE_OK; i++)
        if (lowest[i] != i)
            note(&found, i);
    char text[64];
    if (found.count)
        report(doctor, TIDE_MESH_DUPLICATE_VERTEX, false, found,
               "vertex %u at %s is where vertex %u is (%u such %s); if this is a seam, join it with :weld(%g)",
               found.first + 1, place(doctor, found.first, text), lowest[found.first] + 1, found.count,
               found.count == 1 ? "vertex" : "vertices", weld_distance(doctor));
    tide_free(lowest);
    return status;
}

static tide_status find_zero_edges(doctor *doctor)
{
    const tide_mesh *mesh = doctor->mesh;
    finding found = { 0 };
    for (uint32_t i = 0; i < mesh->edge_count; i++) {
        const uint32_t *edge = mesh->edges + 2 * (size_t)i;
        if (distance(doctor, edge[0], edge[1]) <= doctor->tolerance)
            note(&found, i);
    }
    if (!found.count)
        return TIDE_OK;
    const uint32_t *edge = mesh->edges + 2 * (size_t)found.first;
    char text[64];
    report(doctor, TIDE_MESH_ZERO_EDGE, true, found,
           "edge %u, from vertex %u to vertex %u at %s, has no length (%u such %s); join its ends with :weld(%g)",
           found.first + 1, edge[0] + 1, edge[1] + 1, place(doctor, edge[0], text), found.count,
           found.count == 1 ? "edge" : "edges", weld_distance(doctor));
    return TIDE_OK;
}

static double longest_side(const doctor *doctor, const uint32_t *tuple, uint32_t width)
{
    double longest = 0;
    for (uint32_t i = 1; i < width; i++)
        for (uint32_t j = 0; j < i; j++)
            longest = fmax(longest, distance(doctor, tuple[i], tuple[j]));
    return longest;
}

static tide_status find_degenerate_triangles(doctor *doctor)
{
    const tide_mesh *mesh = doctor->mesh;
    finding found = { 0 };
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles + 3 * (size_t)i;
        tide_vec3 p = position(doctor, t[0]);
        tide_vec3 normal = tide_vec3_cross(tide_vec3_subtract(position(doctor, t[1]), p),
                                           tide_vec3_subtract(position(doctor, t[2]), p));
        double side = longest_side(doctor, t, 3);
        if (tide_vec3_length(normal) <= nothing * side * side)
            note(&found, i);
    }
    if (!found.count)
        return TIDE_OK;
    const uint32_t *t = mesh->triangles + 3 * (size_t)found.first;
    char text[64];
    report(doctor, TIDE_MESH_DEGENERATE_TRIANGLE, false, found,
           "triangle %u (vertices %u, %u, %u) at %s has no area (%u such %s); move one of its vertices or remove it",
           found.first + 1, t[0] + 1, t[1] + 1, t[2] + 1, place(doctor, t[0], text), found.count,
           found.count == 1 ? "triangle" : "triangles");
    return TIDE_OK;
}

static tide_status find_degenerate_tetrahedra(doctor *doctor)
{
    const tide_mesh *mesh = doctor->mesh;
    finding found = { 0 };
    for (uint32_t i = 0; i < mesh->tetrahedron_count; i++) {
        const uint32_t *t = mesh->tetrahedra + 4 * (size_t)i;
        double side = longest_side(doctor, t, 4);
        if (fabs(tide_mesh_tetrahedron_volume(mesh->vertices, t)) <= no_volume * side * side * side)
            note(&found, i);
    }
    if (!found.count)
        return TIDE_OK;
    const uint32_t *t = mesh->tetrahedra + 4 * (size_t)found.first;
    char text[64];
    report(doctor, TIDE_MESH_DEGENERATE_TETRAHEDRON, true, found,
           "tetrahedron %u (vertices %u, %u, %u, %u) at %s has no volume (%u such %s); move one of its vertices or "
           "remove it",
           found.first + 1, t[0] + 1, t[1] + 1, t[2] + 1, t[3] + 1, place(doctor, t[0], text), found.count,
           found.count == 1 ? "tetrahedron" : "tetrahedra");
    return TIDE_OK;
}

// Counts tuples that an earlier one has the vertices of.
static bool find_equal_tuples(const uint32_t *tuples, uint32_t width, uint32_t count, uint32_t vertex_count,
                              finding *found)
{
    uint32_t *order = tide_mesh_order_tuples(tuples, width, count, vertex_count);
    if (!order)
        return false;
    *found = (finding) { 0 };
    for (uint32_t i = 1; i < count; i++) {
        if (!tide_mesh_same_tuple(tuples + (size_t)width * order[i - 1], tuples + (size_t)width * order[i], width))
            continue;
        if (found->count++ == 0 || order[i] < found->first)
            found->first = order[i];
    }
    tide_free(order);
    return true;
}

static tide_status find_duplicate_elements(doctor *doctor)
{
    const tide_mesh *mesh = doctor->mesh;
    static const char *const names[] = { "edge", "triangle", "tetrahedron" };
    const tide_mesh_tuples lists[] = { { mesh->edges, 2, mesh->edge_count },
                                       { mesh->triangles, 3, mesh->triangle_count },
                                       { mesh->tetrahedra, 4, mesh->tetrahedron_count } };
    finding all = { 0 };
    int first_list = 0;
    for (int list = 0; list < 3; list++) {
        finding found;
        if (!find_equal_tuples(lists[list].indices, lists[list].width, lists[list].count, mesh->vertex_count, &found))
            return tide_fail_memory(doctor->error, "mesh doctor");
        if (found.count && !all.count) {
            all.first = found.first;
            first_list = list;
        }
        all.count += found.count;
    }
    if (!all.count)
        return TIDE_OK;
    const tide_mesh_tuples *list = &lists[first_list];
    char vertices[64];
    int length = 0;
    for (uint32_t k = 0; k < list->width; k++)
        length += snprintf(vertices + length, sizeof vertices - (size_t)length, "%s%u", k ? ", " : "",
                           list->indices[(size_t)list->width * all.first + k] + 1);
    report(doctor, TIDE_MESH_DUPLICATE_ELEMENT, false, all,
           "%s %u (vertices %s) was given before (%u such %s); remove it with :weld(0)", names[first_list],
           all.first + 1, vertices, all.count, all.count == 1 ? "element" : "elements");
    return TIDE_OK;
}

static tide_status find_non_manifold_edges(doctor *doctor)
{
    const tide_mesh *mesh = doctor->mesh;
    const tide_mesh_tuples lists[] = { { mesh->triangles, 3, mesh->triangle_count },
                                       { mesh->edges, 2, mesh->edge_count } };
    tide_mesh_edge_table table;
    tide_status status = tide_mesh_edge_table_create(mesh->vertex_count, lists, 2, &table, doctor->error);
    if (status != TIDE_OK)
        return status;
    uint32_t *triangles_on = tide_allocate_zeroed(table.count, sizeof *triangles_on);
    if (!triangles_on) {
        tide_mesh_edge_table_destroy(&table);
        return tide_fail_memory(doctor->error, "mesh doctor");
    }
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (size_t k = 0; k < 3; k++)
            triangles_on[tide_mesh_edge_table_find(&table, mesh->triangles[3 * i + k],
                                                   mesh->triangles[3 * i + (k + 1) % 3])]++;
    finding found = { 0 };
    uint32_t on_first = 0;
    for (uint32_t i = 0; i < mesh->edge_count; i++) {
        const uint32_t *edge = mesh->edges + 2 * (size_t)i;
        uint32_t on = triangles_on[tide_mesh_edge_table_find(&table, edge[0], edge[1])];
        if (on <= 2)
            continue;
        on_first = found.count ? on_first : on;
        note(&found, i);
    }
    tide_free(triangles_on);
    tide_mesh_edge_table_destroy(&table);
    char text[64];
    if (found.count)
        report(
            doctor, TIDE_MESH_NON_MANIFOLD_EDGE, false, found,
            "edge %u, from vertex %u at %s to vertex %u, is on %u triangles (%u such %s); leave at most two on an edge",
            found.first + 1, mesh->edges[2 * (size_t)found.first] + 1,
            place(doctor, mesh->edges[2 * (size_t)found.first], text), mesh->edges[2 * (size_t)found.first + 1] + 1,
            on_first, found.count, found.count == 1 ? "edge" : "edges");
    return TIDE_OK;
}

static void judge_size(doctor *doctor, const double lower[3], const double upper[3])
{
    double longest = 0;
    for (int k = 0; k < 3; k++)
        longest = fmax(longest, upper[k] - lower[k]);
    finding found = { .count = 1 };
    if (longest > 100)
        report(doctor, TIDE_MESH_SUSPICIOUS_SIZE, false, found,
               "the mesh is %g m long; if its file is in millimetres, use :scale(0.001)", longest);
    else if (longest > 0 && longest < 1e-3)
        report(doctor, TIDE_MESH_SUSPICIOUS_SIZE, false, found,
               "the mesh is %g m long; if its file is in kilometres, use :scale(1000)", longest);
}

tide_status tide_mesh_check(const tide_mesh *mesh, tide_mesh_report *report, tide_error *error)
{
    static tide_status (*const checks[])(doctor *) = {
        find_isolated,
        find_duplicate_vertices,
        find_zero_edges,
        find_degenerate_triangles,
        find_degenerate_tetrahedra,
        find_duplicate_elements,
        find_non_manifold_edges,
    };
    tide_mesh_report made = { 0 };
    double lower[3], upper[3];
    tide_mesh_bounds(mesh, lower, upper);
    doctor doctor = { .mesh = mesh, .report = &made, .error = error };
    doctor.diagonal = hypot(hypot(upper[0] - lower[0], upper[1] - lower[1]), upper[2] - lower[2]);
    doctor.tolerance = isfinite(doctor.diagonal) ? nothing * doctor.diagonal : 0;
    bool measurable = doctor.diagonal == 0 || (doctor.diagonal > smallest_size && doctor.diagonal < largest_size);
    tide_status status = TIDE_OK;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && status == TIDE_OK; i++)
        if (measurable || (checks[i] != find_degenerate_triangles && checks[i] != find_degenerate_tetrahedra))
            status = checks[i](&doctor);
    if (status != TIDE_OK)
        return status;
    judge_size(&doctor, lower, upper);
    *report = made;
    return TIDE_OK;
}
