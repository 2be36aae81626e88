// `check`: the mesh doctor.
#include "app/commands.h"

#include "mesh/mesh.h"

#include <math.h>
#include <stdio.h>

static void print_counts(const tide_mesh *mesh)
{
    printf("  vertices    %9u\n  edges       %9u\n  triangles   %9u\n  tetrahedra  %9u\n", mesh->vertex_count,
           mesh->edge_count, mesh->triangle_count, mesh->tetrahedron_count);
}

static double edge_length(const tide_mesh *mesh, uint32_t edge)
{
    const double *a = mesh->vertices + 3 * (size_t)mesh->edges[2 * edge];
    const double *b = mesh->vertices + 3 * (size_t)mesh->edges[2 * edge + 1];
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static void print_size(const tide_mesh *mesh)
{
    double lower[3], upper[3];
    tide_mesh_bounds(mesh, lower, upper);
    printf("  size        %.4g x %.4g x %.4g m\n", upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]);
    printf("  from        (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g)\n", lower[0], lower[1], lower[2], upper[0], upper[1],
           upper[2]);
    if (mesh->edge_count) {
        double shortest = INFINITY, longest = 0, sum = 0;
        for (uint32_t i = 0; i < mesh->edge_count; i++) {
            double length = edge_length(mesh, i);
            shortest = fmin(shortest, length);
            longest = fmax(longest, length);
            sum += length;
        }
        printf("  edges from  %.4g to %.4g m, mean %.4g m\n", shortest, longest, sum / mesh->edge_count);
    }
    if (mesh->tetrahedron_count) {
        double volume = 0;
        for (uint32_t i = 0; i < mesh->tetrahedron_count; i++)
            volume += tide_mesh_tetrahedron_volume(mesh->vertices, mesh->tetrahedra + 4 * (size_t)i);
        printf("  volume      %.4g m^3\n", volume);
    }
}

tide_exit tide_command_check(const tide_arguments *arguments)
{
    tide_error error;
    tide_mesh *mesh;
    if (tide_mesh_load(arguments->subject, &mesh, &error) != TIDE_OK)
        return tide_report_error(&error);
    printf("%s\n", arguments->subject);
    print_counts(mesh);
    print_size(mesh);
    tide_mesh_report report;
    if (tide_mesh_check(mesh, &report, &error) != TIDE_OK) {
        tide_mesh_release(mesh);
        return tide_report_error(&error);
    }
    bool fatal = false;
    if (report.problem_count == 0)
        puts("no problem found");
    for (uint32_t i = 0; i < report.problem_count; i++) {
        printf("%s: %s\n", report.problems[i].fatal ? "error" : "warning", report.problems[i].text);
        fatal = fatal || report.problems[i].fatal;
    }
    tide_mesh_release(mesh);
    return fatal ? TIDE_EXIT_FAILED : TIDE_EXIT_DONE;
}
