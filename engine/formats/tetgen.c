// TetGen (Si 2015): NAME.node holds the vertices, NAME.ele tetrahedra, NAME.face triangles, as lines of text with
// comments after '#'. Vertices count from 0 or 1; the first one decides. Attributes and markers are skipped.
#include "formats/reading.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

typedef struct list {
    const char *item;
    uint32_t corners;
    const char *remedy; // for another number of corners; NULL where the file has no such number
} list;

static const list tetrahedra = { "tetrahedron", 4, "expected 4; run tetgen without -o2" };
static const list faces = { "face", 3, NULL };

static tide_status read_whole(tide_reading *reading, const char *what, double *number, tide_error *error)
{
    return tide_reading_number(reading, TIDE_TEXT, TIDE_INT64, what, number, error);
}

// Skips the rest of a line, then space and comments.
static void end_line(tide_scan *scan)
{
    tide_scan_skip_line(scan);
    tide_scan_skip_space(scan);
}

// Reads "vertices dimension attributes markers", then lines of "number x y z [attributes] [marker]".
static tide_status read_nodes(tide_reading *reading, uint32_t *first, tide_error *error)
{
    tide_scan *scan = &reading->scan;
    double number, dimension;
    size_t count = 0;
    tide_status status = read_whole(reading, "vertex count", &number, error);
    if (status == TIDE_OK)
        status = read_whole(reading, "dimension", &dimension, error);
    if (status == TIDE_OK && dimension != 3) {
        char shown[64];
        snprintf(shown, sizeof shown, "dimension %.17g", dimension);
        return tide_scan_fail(scan, error, shown, "expected 3");
    }
    end_line(scan);
    if (status == TIDE_OK)
        status = tide_reading_count(reading, TIDE_TEXT, "vertex", number, 4, &count, error);
    for (size_t i = 0; i < count && status == TIDE_OK; i++) {
        double values[3];
        status = read_whole(reading, "vertex number", &number, error);
        if (status == TIDE_OK && i == 0 && (number == 0 || number == 1))
            *first = (uint32_t)number;
        if (status == TIDE_OK && number != (double)(i + *first)) {
            char shown[64];
            snprintf(shown, sizeof shown, "vertex number %.17g", number);
            return tide_scan_fail(scan, error, shown, i == 0 ? "expected 0 or 1" : "expected %zu", i + *first);
        }
        for (int k = 0; k < 3 && status == TIDE_OK; k++)
            status = tide_reading_number(reading, TIDE_TEXT, TIDE_FLOAT64, "vertex coordinate", &values[k], error);
        if (status == TIDE_OK)
            status = tide_reading_add_reals(reading, &reading->vertices, values, 3, error);
        end_line(scan);
    }
    return status;
}

// Reads "count corners attributes" or "count markers", then lines of "number corners [attributes]".
static tide_status read_list(tide_reading *reading, const list *list, uint32_t first, tide_error *error)
{
    tide_scan *scan = &reading->scan;
    char what[64], shown[64];
    double number, corner_count = list->corners;
    size_t count = 0;
    snprintf(what, sizeof what, "%s count", list->item);
    tide_status status = read_whole(reading, what, &number, error);
    if (status == TIDE_OK && list->remedy)
        status = read_whole(reading, "vertices of a tetrahedron", &corner_count, error);
    if (status == TIDE_OK && corner_count != list->corners) {
        snprintf(shown, sizeof shown, "%.17g vertices of a %s", corner_count, list->item);
        return tide_scan_fail(scan, error, shown, "%s", list->remedy);
    }
    end_line(scan);
    if (status == TIDE_OK)
        status = tide_reading_count(reading, TIDE_TEXT, list->item, number, list->corners + 1, &count, error);
    snprintf(what, sizeof what, "%s vertex", list->item);
    for (size_t i = 0; i < count && status == TIDE_OK; i++) {
        uint32_t corners[4];
        snprintf(shown, sizeof shown, "%s number", list->item);
        status = read_whole(reading, shown, &number, error);
        for (uint32_t k = 0; k < list->corners && status == TIDE_OK; k++) {
            status = read_whole(reading, what, &number, error);
            if (status == TIDE_OK)
                status =
                    tide_reading_index(reading, what, number, first, reading->vertices.count / 3, &corners[k], error);
        }
        if (status == TIDE_OK)
            status = tide_reading_add_cell(reading, list == &faces ? TIDE_CELL_POLYGON : TIDE_CELL_TETRAHEDRON,
                                           list->item, corners, list->corners, first, error);
        end_line(scan);
    }
    return status;
}

tide_status tide_mesh_read_tetgen(const tide_mesh_bytes *nodes, const tide_mesh_bytes *ele, const tide_mesh_bytes *face,
                                  tide_mesh **mesh, tide_error *error)
{
    tide_reading reading, part;
    uint32_t first = 0;
    const tide_mesh_bytes *elements[] = { ele, face };
    tide_status status = tide_reading_begin(&reading, nodes->bytes, nodes->size, nodes->name, "TetGen mesh", error);
    if (status == TIDE_OK)
        status = read_nodes(&reading, &first, error);
    tide_scan scan = reading.scan;
    for (int i = 0; i < 2 && status == TIDE_OK; i++) {
        if (!elements[i])
            continue;
        status =
            tide_reading_begin(&part, elements[i]->bytes, elements[i]->size, elements[i]->name, "TetGen mesh", error);
        reading.scan = part.scan;
        if (status == TIDE_OK)
            status = read_list(&reading, i == 0 ? &tetrahedra : &faces, first, error);
    }
    if (status == TIDE_OK) {
        reading.scan = scan;
        reading.scan.note = NULL;
        status = tide_reading_finish(&reading, mesh, error);
    }
    tide_reading_free(&reading);
    return status;
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static const char *const extensions[] = { ".node", ".ele", ".face", NULL };

static tide_status load(const char *path, tide_mesh **mesh, tide_error *error)
{
    enum { FILES = sizeof extensions / sizeof extensions[0] - 1 };
    char object[96];
    size_t room = strlen(path) + sizeof ".node";
    TIDE_SCOPED char *names = tide_allocate(FILES * room);
    if (!names)
        return tide_fail_memory(error, "TetGen mesh");
    tide_mesh_bytes files[FILES] = { 0 };
    char *contents[FILES] = { 0 };
    for (size_t i = 0; i < FILES; i++) {
        files[i].name = names + i * room;
        tide_mesh_file_beside(path, extensions[i], names + i * room, room);
    }
    bool by_node = strcasecmp(strrchr(path, '.'), ".node") == 0;
    // Faces are read only without tetrahedra, which have a surface of their own.
    bool has_faces = by_node && !exists(files[1].name) && exists(files[2].name);
    // The requested file, then the one beside it.
    size_t first = by_node ? 0 : 1, second = has_faces ? 2 : 1 - first;
    tide_status status = tide_mesh_file_bytes(path, &contents[first], &files[first].size, error);
    if (status == TIDE_OK && !exists(files[second].name)) {
        tide_mesh_file_name(files[second].name, object, sizeof object);
        status =
            tide_fail(error, TIDE_ERROR_FILE, object, NULL, NULL,
                      "cannot be opened: No such file or directory; TetGen writes NAME.node and NAME.ele, and both "
                      "are read");
    } else if (status == TIDE_OK)
        status = tide_mesh_file_bytes(files[second].name, &contents[second], &files[second].size, error);
    for (size_t i = 0; i < FILES; i++)
        files[i].bytes = contents[i];
    if (status == TIDE_OK)
        status =
            tide_mesh_read_tetgen(&files[0], has_faces ? NULL : &files[1], has_faces ? &files[2] : NULL, mesh, error);
    for (size_t i = 0; i < FILES; i++)
        tide_free(contents[i]);
    return status;
}

const tide_mesh_format tide_mesh_format_tetgen_node = { ".node", "TetGen vertices", NULL, NULL, load, extensions };
const tide_mesh_format tide_mesh_format_tetgen_ele = { ".ele", "TetGen tetrahedra", NULL, NULL, load, extensions };
