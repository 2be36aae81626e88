// `check`: the mesh doctor.
#include "app/commands.h"

#include "formats/mesh_file.h"
#include "mesh/mesh.h"

#include <math.h>
#include <stdio.h>

typedef struct check_options {
    tide_mesh_mend_def mend;
    const char *mended; // the file to write; NULL when not given
} check_options;

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

// Prints the mesh's problems. *fatal: a body of this mesh would be refused.
static tide_status tell_problems(const tide_mesh *mesh, bool *fatal, tide_error *error)
{
    tide_mesh_report report;
    tide_status status = tide_mesh_check(mesh, &report, error);
    if (status != TIDE_OK)
        return status;
    *fatal = false;
    for (uint32_t i = 0; i < report.problem_count; i++) {
        printf("%s: %s\n", report.problems[i].fatal ? "error" : "warning", report.problems[i].text);
        *fatal = *fatal || report.problems[i].fatal;
    }
    for (uint32_t i = 0; i < report.note_count; i++)
        printf("note: %s\n", report.notes[i].text);
    if (report.problem_count == 0)
        puts("no problem found");
    return TIDE_OK;
}

static void tell_count(uint32_t count, const char *one, const char *many, const char *what)
{
    if (count)
        printf("mended: %u %s %s\n", count, count == 1 ? one : many, what);
}

static void tell_mending(const tide_mesh_mending *did)
{
    tell_count(did->joined_vertices, "vertex", "vertices", "joined to others at the same place");
    tell_count(did->duplicate_elements, "element", "elements", "given before dropped");
    tell_count(did->joined_elements, "element", "elements", "dropped that joining made empty, equal or inner");
    tell_count(did->flat_elements, "flat triangle or tetrahedron", "flat triangles and tetrahedra", "removed");
    tell_count(did->dropped_vertices, "vertex", "vertices", "that nothing uses dropped");
    tell_count(did->turned_triangles, "triangle", "triangles", "turned");
    if (did->unorientable_pieces)
        printf("left as they are: %u %s of the surface with one side only\n", did->unorientable_pieces,
               did->unorientable_pieces == 1 ? "piece" : "pieces");
}

static tide_status mend(const tide_mesh *mesh, const check_options *options, bool *fatal, tide_error *error)
{
    const tide_mesh *mended;
    tide_mesh_mending did;
    tide_status status = tide_mesh_mend(mesh, &options->mend, &mended, &did, error);
    if (status != TIDE_OK)
        return status;
    status = tide_mesh_save(mended, options->mended, error);
    if (status == TIDE_OK) {
        tell_mending(&did);
        if (mended->hash == mesh->hash)
            puts("nothing to mend");
        printf("%s\n", options->mended);
        print_counts(mended);
        print_size(mended);
        status = tell_problems(mended, fatal, error);
    }
    tide_mesh_release(mended);
    return status;
}

static tide_exit run_command(const char *const *subjects, void *given)
{
    const check_options *options = given;
    tide_error error;
    tide_mesh *mesh;
    bool fatal;
    if (!options->mended && (options->mend.fix || options->mend.scale != 1 || tide_given(options->mend.weld))) {
        tide_fail(&error, TIDE_ERROR_ARGUMENT, "command line", "-o", NULL,
                  "expected -o OUT, the file that the mended mesh is written to");
        tide_report_error(&error);
        return TIDE_EXIT_USAGE;
    }
    if (tide_mesh_load(subjects[0], &mesh, &error) != TIDE_OK)
        return tide_report_error(&error);
    printf("%s\n", subjects[0]);
    print_counts(mesh);
    print_size(mesh);
    tide_status status = tell_problems(mesh, &fatal, &error);
    if (status == TIDE_OK && options->mended)
        status = mend(mesh, options, &fatal, &error);
    tide_mesh_release(mesh);
    if (status != TIDE_OK)
        return tide_report_error(&error);
    return fatal ? TIDE_EXIT_FAILED : TIDE_EXIT_DONE;
}

#define AT(member) .offset = offsetof(check_options, member)
static const tide_option options[] = {
    { "--fix", NULL,
      "with -o: join coincident vertices, repair flat elements, remove duplicate and unused ones, orient triangles",
      tide_option_field, AT(mend), .fields = tide_mesh_mend_fields },
    { "--weld", "M", "with -o: join vertices closer than this, in metres", tide_option_field, AT(mend),
      .fields = tide_mesh_mend_fields },
    { "--scale", "FACTOR", "with -o: scale the mesh first; 0.001 for a file in millimetres", tide_option_field,
      AT(mend), .fields = tide_mesh_mend_fields },
    { "-o", "OUT", "write the mended mesh to this file", tide_option_text, AT(mended),
      .expected = "the name of a mesh file to write" },
    { 0 },
};

const tide_command tide_command_check = {
    "check",
    "MESH",
    "examine a mesh file (.obj, .ply, .stl, .mesh, .msh, .vtk ...): counts, size, problems",

    "Exit status 1 when the file cannot be read or a body made of the mesh (as mended) could not be simulated.\n"
    "`springtide check MESH --fix -o OUT` mends what it safely can and writes OUT, whose problems are then told.",
    .options = options,
    .size = sizeof(check_options),
    .run = run_command
};
