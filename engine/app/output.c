#define _POSIX_C_SOURCE 200809L
#include "app/output.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// --- patterns --------------------------------------------------------------------------------------------------------

// Where the number stands in a pattern, how long its directive is and how many digits it asks for.
static const char *find_number(const char *pattern, size_t *length, int *digits, bool *zeros)
{
    const char *start = strchr(pattern, '%');
    if (!start)
        return NULL;
    const char *p = start + 1;
    *zeros = *p == '0';
    p += *zeros;
    *digits = 0;
    if (*p >= '1' && *p <= '9')
        *digits = *p++ - '0';
    *length = *p == 'd' ? (size_t)(p + 1 - start) : 0;
    return start;
}

bool tide_pattern_is_numbered(const char *pattern)
{
    return strchr(pattern, '%') != NULL;
}

tide_status tide_pattern_check(const char *option, const char *pattern, const char *ending, tide_error *error)
{
    size_t length = strlen(pattern), end = strlen(ending), directive = 0;
    int digits;
    bool zeros;
    if (length <= end || strcmp(pattern + length - end, ending) != 0 || pattern[length - end - 1] == '/')
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", option, pattern,
                         "expected a name that ends in %s, like out/%%04d%s", ending, ending);
    const char *number = find_number(pattern, &directive, &digits, &zeros);
    if (number && (directive == 0 || strchr(number + directive, '%')))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", option, pattern,
                         "expected at most one number of the frame, %%d or %%04d, and no other %%");
    return TIDE_OK;
}

tide_status tide_make_folders(const char *path, tide_error *error)
{
    char folder[4096];
    if (strlen(path) >= sizeof folder)
        return tide_fail(error, TIDE_ERROR_FILE, path, NULL, NULL, "the name is too long");
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        size_t length = (size_t)(slash - path);
        if (length == 0)
            continue;
        memcpy(folder, path, length);
        folder[length] = '\0';
        struct stat info;
        if (mkdir(folder, 0777) != 0 && (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode)))
            return tide_fail(error, TIDE_ERROR_FILE, folder, NULL, NULL, "this folder cannot be made: %s",
                             errno == EEXIST ? "a file has its name" : strerror(errno));
    }
    return TIDE_OK;
}

tide_status tide_pattern_path(const char *pattern, uint64_t frame, char *path, size_t size, tide_error *error)
{
    size_t directive = 0;
    int digits = 0, length;
    bool zeros = false;
    const char *number = find_number(pattern, &directive, &digits, &zeros);
    if (!number)
        length = snprintf(path, size, "%s", pattern);
    else if (zeros)
        length = snprintf(path, size, "%.*s%0*" PRIu64 "%s", (int)(number - pattern), pattern, digits, frame,
                          number + directive);
    else
        length = snprintf(path, size, "%.*s%*" PRIu64 "%s", (int)(number - pattern), pattern, digits, frame,
                          number + directive);
    if (length < 0 || (size_t)length >= size)
        return tide_fail(error, TIDE_ERROR_FILE, pattern, NULL, NULL, "the name is too long");
    return tide_make_folders(path, error);
}

// --- meshes ----------------------------------------------------------------------------------------------------------

static int by_edge(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;
    if (left[0] != right[0])
        return left[0] < right[0] ? -1 : 1;
    return (left[1] > right[1]) - (left[1] < right[1]);
}

static tide_status add_lines_and_points(tide_text *text, const tide_mesh *mesh, uint64_t first, tide_error *error)
{
    uint32_t *covered = NULL, count = 0;
    tide_status status = tide_mesh_edges_of(mesh->vertex_count, mesh->triangles, mesh->triangle_count, mesh->tetrahedra,
                                            mesh->tetrahedron_count, &covered, &count, error);
    if (status != TIDE_OK)
        return status;
    bool *used = tide_allocate_zeroed(mesh->vertex_count, sizeof *used);
    if (!used) {
        tide_free(covered);
        return tide_fail_memory(error, "exported mesh");
    }
    for (uint32_t i = 0; i < 2 * count; i++)
        used[covered[i]] = true;
    for (uint32_t i = 0; i < mesh->edge_count; i++) {
        uint32_t a = mesh->edges[2 * i], b = mesh->edges[2 * i + 1];
        uint32_t edge[2] = { a < b ? a : b, a < b ? b : a };
        used[a] = used[b] = true;
        if (count == 0 || !bsearch(edge, covered, count, sizeof edge, by_edge))
            tide_text_format(text, "l %" PRIu64 " %" PRIu64 "\n", first + a, first + b);
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        if (!used[i])
            tide_text_format(text, "p %" PRIu64 "\n", first + i);
    tide_free(used);
    tide_free(covered);
    return TIDE_OK;
}

// Indices count on through all objects of a file.
typedef struct indices {
    uint64_t vertex, texture;
} indices;

static void add_face(tide_text *text, const uint32_t corners[3], const indices *first, bool textured)
{
    tide_text_add(text, "f", 1);
    for (int i = 0; i < 3; i++)
        if (textured)
            tide_text_format(text, " %" PRIu64 "/%" PRIu64, first->vertex + corners[i], first->texture + corners[i]);
        else
            tide_text_format(text, " %" PRIu64, first->vertex + corners[i]);
    tide_text_add(text, "\n", 1);
}

static tide_status add_body(tide_text *text, tide_world *world, tide_body_id id, indices *first, tide_error *error)
{
    tide_body_info info;
    tide_status status = tide_world_check_body(world, id, &info, error);
    if (status != TIDE_OK)
        return status;
    const tide_mesh *mesh = info.mesh;
    const double *x = tide_world_positions(world, id);
    tide_text_format(text, "o %s\n", info.name);
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        tide_text_format(text, "v %.9g %.9g %.9g\n", x[3 * i], x[3 * i + 1], x[3 * i + 2]);
    for (uint32_t i = 0; mesh->texture && i < mesh->vertex_count; i++)
        tide_text_format(text, "vt %.9g %.9g\n", mesh->texture[2 * i], mesh->texture[2 * i + 1]);
    for (uint32_t i = 0; i < mesh->triangle_count; i++)
        add_face(text, mesh->triangles + 3 * i, first, mesh->texture != NULL);
    status = add_lines_and_points(text, mesh, first->vertex, error);
    first->vertex += mesh->vertex_count;
    first->texture += mesh->texture ? mesh->vertex_count : 0;
    return status;
}

tide_status tide_export_obj(tide_world *world, const char *path, tide_error *error)
{
    tide_text text = { 0 };
    tide_text_format(&text, "# Springtide, t = %.9g s\n", tide_world_time(world));
    tide_status status = TIDE_OK;
    indices first = { 1, 1 };
    for (uint32_t i = 0; status == TIDE_OK && i < tide_world_body_count(world); i++)
        status = add_body(&text, world, tide_world_body_at(world, i), &first, error);
    if (status == TIDE_OK)
        status = tide_text_save(&text, path, path, error);
    tide_text_free(&text);
    return status;
}

// --- statistics ------------------------------------------------------------------------------------------------------

struct tide_stats {
    FILE *file;
    char *path;
};

static tide_status stats_failed(const char *path, tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_FILE, path, NULL, NULL, "cannot be written: %s", strerror(errno));
}

tide_status tide_stats_open(const char *path, tide_stats **out, tide_error *error)
{
    tide_status status = tide_make_folders(path, error);
    if (status != TIDE_OK)
        return status;
    tide_stats *stats = tide_allocate_zeroed(1, sizeof *stats);
    char *copy = tide_copy_string(path);
    if (!stats || !copy) {
        tide_free(stats);
        tide_free(copy);
        return tide_fail_memory(error, path);
    }
    *stats = (tide_stats) { fopen(path, "w"), copy };
    if (stats->file) {
        setvbuf(stats->file, NULL, _IOLBF, 4096); // an interrupted run keeps its rows
        fputs("frame,time,solver,iterations,g,gradient_norm,local_ms,global_ms,contact_ms,step_ms,draw_ms,"
              "kinetic,elastic,gravity,total\n",
              stats->file);
    }
    if (!stats->file || ferror(stats->file)) {
        status = stats_failed(path, error);
        tide_stats_close(stats, NULL);
        return status;
    }
    *out = stats;
    return TIDE_OK;
}

static const char *number_text(double number, char *text, size_t size)
{
    text[0] = '\0';
    if (!isnan(number))
        snprintf(text, size, "%.12g", number);
    return text;
}

tide_status tide_stats_write(tide_stats *stats, tide_world *world, uint64_t frame, double draw_seconds,
                             tide_error *error)
{
    tide_energy energy;
    tide_status status = tide_world_energy(world, &energy, error);
    if (status != TIDE_OK)
        return status;
    const tide_report *report = tide_world_report(world);
    char g[32], norm[32];
    fprintf(stats->file, "%" PRIu64 ",%.12g,%s,%" PRIu32 ",%s,%s,%.6f,%.6f,%.6f,%.6f,%.6f,%.12g,%.12g,%.12g,%.12g\n",
            frame, tide_world_time(world), tide_solver_kind_of(tide_world_solver(world))->name, report->iterations,
            number_text(report->g, g, sizeof g), number_text(report->gradient_norm, norm, sizeof norm),
            1e3 * report->local_seconds, 1e3 * report->global_seconds, 1e3 * report->contact_seconds,
            1e3 * report->step_seconds, 1e3 * draw_seconds, energy.kinetic, energy.elastic, energy.gravity,
            energy.total);
    return ferror(stats->file) ? stats_failed(stats->path, error) : TIDE_OK;
}

tide_status tide_stats_close(tide_stats *stats, tide_error *error)
{
    if (!stats)
        return TIDE_OK;
    tide_status status = TIDE_OK;
    if (stats->file && fclose(stats->file) != 0)
        status = stats_failed(stats->path, error);
    tide_free(stats->path);
    tide_free(stats);
    return status;
}
