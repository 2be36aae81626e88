#include "formats/reading.h"

#include "base/memory.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

tide_status tide_reading_begin(tide_reading *reading, const char *bytes, size_t size, const char *name,
                               const char *object, tide_error *error)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    *reading = (tide_reading) { .scan = { .name = name, .object = object, .line = 1 } };
    // Line numbers are ints; and a text of this size has fewer than 2^32 indices.
    if (size > INT_MAX)
        return tide_fail(error, TIDE_ERROR_FORMAT, object, NULL, NULL,
                         "the text of %zu bytes is too long; expected at "
                         "most %d bytes",
                         size, INT_MAX);
    reading->scan.begin = reading->scan.at = size ? bytes : "";
    reading->scan.end = reading->scan.begin + size;
    if (size >= 3 && memcmp(bytes, byte_order_mark, 3) == 0)
        reading->scan.begin = reading->scan.at += 3;
    return TIDE_OK;
}

void tide_reading_free(tide_reading *reading)
{
    tide_free(reading->vertices.items);
    tide_free(reading->texture.items);
    tide_free(reading->edges.items);
    tide_free(reading->triangles.items);
    tide_free(reading->tetrahedra.items);
    tide_free(reading->skips.items);
    *reading = (tide_reading) { 0 };
}

tide_status tide_reading_add_indices(tide_reading *reading, tide_indices *list, const uint32_t *tuple, uint32_t width,
                                     tide_error *error)
{
    if (!tide_grow(&list->items, &list->capacity, list->count + width, sizeof *list->items))
        return tide_fail_memory(error, reading->scan.object);
    memcpy(list->items + list->count, tuple, width * sizeof *tuple);
    list->count += width;
    return TIDE_OK;
}

tide_status tide_reading_add_reals(tide_reading *reading, tide_reals *list, const double *numbers, uint32_t count,
                                   tide_error *error)
{
    if (!tide_grow(&list->items, &list->capacity, list->count + count, sizeof *list->items))
        return tide_fail_memory(error, reading->scan.object);
    memcpy(list->items + list->count, numbers, count * sizeof *numbers);
    list->count += count;
    return TIDE_OK;
}

tide_status tide_reading_real(tide_reading *reading, const char *what, double *number, tide_error *error)
{
    tide_scan before = reading->scan;
    if (!tide_scan_take_real(&reading->scan, number))
        return tide_scan_expected(&reading->scan, error, what, "a number");
    if (!isfinite(*number))
        return tide_scan_expected(&before, error, what, "a finite number");
    return TIDE_OK;
}

static tide_status refuse_index(tide_reading *reading, const char *what, int64_t index, size_t vertex_count,
                                tide_error *error)
{
    char shown[96];
    snprintf(shown, sizeof shown, "%s vertex %lld", what, (long long)index);
    if (index < 1 || (uint64_t)index > vertex_count)
        return tide_scan_fail(&reading->scan, error, shown, "expected 1 to %zu", vertex_count);
    return tide_scan_fail(&reading->scan, error, shown, "named twice; expected different vertices");
}

tide_status tide_reading_tuple(tide_reading *reading, const char *what, uint32_t width, size_t vertex_count,
                               uint32_t *tuple, tide_error *error)
{
    for (uint32_t i = 0; i < width; i++) {
        int64_t index;
        tide_scan_skip_blanks(&reading->scan);
        if (!tide_scan_take_integer(&reading->scan, &index)) {
            char shown[96];
            snprintf(shown, sizeof shown, "%s vertex", what);
            return tide_scan_expected(&reading->scan, error, shown, "an integer");
        }
        bool valid = index >= 1 && (uint64_t)index <= vertex_count;
        tuple[i] = valid ? (uint32_t)index - 1 : 0;
        for (uint32_t j = 0; j < i; j++)
            valid = valid && tuple[j] != tuple[i];
        if (!valid)
            return refuse_index(reading, what, index, vertex_count, error);
    }
    return TIDE_OK;
}

tide_status tide_reading_index(tide_reading *reading, const char *what, double number, uint32_t first,
                               size_t vertex_count, uint32_t *index, tide_error *error)
{
    char shown[96];
    double from = number - first;
    if (from >= 0 && from < (double)vertex_count && from == floor(from)) {
        *index = (uint32_t)from;
        return TIDE_OK;
    }
    snprintf(shown, sizeof shown, "%s %.17g", what, number);
    if (vertex_count == 0)
        return tide_scan_fail(&reading->scan, error, shown, "the file has no vertices");
    return tide_scan_fail(&reading->scan, error, shown, "%sexpected %u to %zu",
                          from >= (double)vertex_count ? "the index is beyond the end; " : "", first,
                          first + vertex_count - 1);
}

// Adds a triangle of a polygon or strip, a tetrahedron or a segment of a line.
static tide_status add_simplex(tide_reading *reading, const char *what, const uint32_t *corners, uint32_t width,
                               uint32_t first, tide_error *error)
{
    for (uint32_t i = 0; i < width; i++)
        for (uint32_t j = 0; j < i; j++)
            if (corners[i] == corners[j]) {
                char shown[96];
                snprintf(shown, sizeof shown, "%s vertex %u", what, corners[i] + first);
                return tide_scan_fail(&reading->scan, error, shown, "named twice; expected different vertices");
            }
    tide_indices *lists[] = { &reading->edges, &reading->triangles, &reading->tetrahedra };
    return tide_reading_add_indices(reading, lists[width - 2], corners, width, error);
}

tide_status tide_reading_add_cell(tide_reading *reading, tide_cell cell, const char *what, const uint32_t *corners,
                                  size_t count, uint32_t first, tide_error *error)
{
    static const uint32_t widths[] = {
        [TIDE_CELL_LINE] = 2, [TIDE_CELL_POLYGON] = 3, [TIDE_CELL_STRIP] = 3, [TIDE_CELL_TETRAHEDRON] = 4
    };
    uint32_t width = widths[cell];
    if (count < width || (cell == TIDE_CELL_TETRAHEDRON && count > width)) {
        char shown[96];
        snprintf(shown, sizeof shown, "%s of %zu vertices", what, count);
        return tide_scan_fail(&reading->scan, error, shown, "expected %s%u",
                              cell == TIDE_CELL_TETRAHEDRON ? "" : "at least ", width);
    }
    for (size_t i = 0; i + width <= count; i++) {
        const uint32_t *c = corners + i;
        const uint32_t turned[3] = { c[1], c[0], c[width - 1] }, fan[3] = { corners[0], c[1], c[width - 1] };
        const uint32_t *simplex = cell == TIDE_CELL_POLYGON ? fan : cell == TIDE_CELL_STRIP && i % 2 == 1 ? turned : c;
        TIDE_TRY(add_simplex(reading, what, simplex, width, first, error));
    }
    return TIDE_OK;
}

static tide_status read_note_texture(tide_reading *reading, tide_error *error)
{
    double uv[2];
    for (int k = 0; k < 2; k++) {
        tide_scan_skip_blanks(&reading->scan);
        tide_status status = tide_reading_real(reading, "texture coordinate", &uv[k], error);
        if (status != TIDE_OK)
            return status;
    }
    return tide_reading_add_reals(reading, &reading->texture, uv, 2, error);
}

static tide_status read_note(tide_reading *reading, bool *texture_noted, tide_error *error)
{
    tide_scan *scan = &reading->scan;
    size_t vertex_count = reading->vertices.count / 3;
    uint32_t tuple[4];
    tide_scan_skip_blanks(scan);
    tide_status status = TIDE_OK;
    if (tide_scan_take_word(scan, "edges"))
        reading->edges_complete = true;
    else if (tide_scan_take_word(scan, "skip")) {
        status = tide_reading_tuple(reading, "skip", 2, vertex_count, tuple, error);
        if (status == TIDE_OK)
            status = tide_reading_add_indices(reading, &reading->skips, tuple, 2, error);
    } else if (tide_scan_take_word(scan, "tetrahedron")) {
        status = tide_reading_tuple(reading, "tetrahedron", 4, vertex_count, tuple, error);
        if (status == TIDE_OK)
            status = tide_reading_add_indices(reading, &reading->tetrahedra, tuple, 4, error);
    } else if (tide_scan_take_word(scan, "texture")) {
        // Notes have a coordinate for every vertex and replace those of the format.
        if (!*texture_noted)
            reading->texture.count = 0;
        *texture_noted = true;
        status = read_note_texture(reading, error);
    } else
        return tide_scan_expected(scan, error, "note", "edges, skip, tetrahedron or texture");
    if (status != TIDE_OK)
        return status;
    tide_scan_skip_blanks(scan);
    return tide_scan_at_line_end(scan) ? TIDE_OK : tide_scan_expected(scan, error, "note", "the end of the line");
}

static tide_status read_notes(tide_reading *reading, tide_error *error)
{
    tide_scan *scan = &reading->scan;
    bool texture_noted = false;
    scan->at = scan->note;
    scan->line = scan->note_line;
    while (scan->at < scan->end) {
        // Skips the '#', so that the mark is a word.
        bool comment = *scan->at == '#';
        scan->at += comment;
        if (comment && tide_scan_take_word(scan, "springtide"))
            TIDE_TRY(read_note(reading, &texture_noted, error));
        tide_scan_skip_line(scan);
    }
    size_t known = reading->texture.count / 2, vertex_count = reading->vertices.count / 3;
    if (texture_noted && known != vertex_count)
        TIDE_TRY(tide_scan_fail(scan, error, "texture notes", "found %zu for %zu vertices; expected one for each",
                                known, vertex_count));
    return TIDE_OK;
}

// Adds the edges of faces to those of the file.
static tide_status add_derived_edges(tide_reading *reading, tide_error *error)
{
    const tide_mesh_tuples lists[] = {
        { reading->edges.items, 2, (uint32_t)(reading->edges.count / 2) },
        { reading->triangles.items, 3, (uint32_t)(reading->triangles.count / 3) },
        { reading->tetrahedra.items, 4, (uint32_t)(reading->tetrahedra.count / 4) },
    };
    tide_mesh_edge_table table;
    uint32_t vertex_count = (uint32_t)(reading->vertices.count / 3);
    tide_status status = tide_mesh_edge_table_create(vertex_count, lists, 3, &table, error);
    if (status != TIDE_OK)
        return status;
    uint32_t *pairs = tide_mesh_edge_table_pairs(&table);
    if (pairs) {
        tide_free(reading->edges.items);
        reading->edges = (tide_indices) { pairs, 2 * (size_t)table.count, 2 * (size_t)table.count };
    } else
        status = tide_fail_memory(error, reading->scan.object);
    tide_mesh_edge_table_destroy(&table);
    return status;
}

tide_status tide_reading_finish(tide_reading *reading, tide_mesh **mesh, tide_error *error)
{
    tide_status status = TIDE_OK;
    if (reading->vertices.count == 0)
        return tide_scan_fail(&reading->scan, error, NULL, "there are no vertices; expected at least one");
    if (reading->scan.note)
        status = read_notes(reading, error);
    bool faces = reading->triangles.count || reading->tetrahedra.count;
    if (status == TIDE_OK && reading->edges.count && faces && !reading->edges_complete)
        status = add_derived_edges(reading, error);
    if (status != TIDE_OK)
        return status;
    const tide_mesh_parts parts = { .vertex_count = (uint32_t)(reading->vertices.count / 3),
                                    .vertices = reading->vertices.items,
                                    .texture = reading->texture.count ? reading->texture.items : NULL,
                                    .edge_count = (uint32_t)(reading->edges.count / 2),
                                    .edges = reading->edges.items,
                                    .triangle_count = (uint32_t)(reading->triangles.count / 3),
                                    .triangles = reading->triangles.items,
                                    .tetrahedron_count = (uint32_t)(reading->tetrahedra.count / 4),
                                    .tetrahedra = reading->tetrahedra.items,
                                    .skip_count = (uint32_t)(reading->skips.count / 2),
                                    .skips = reading->skips.items };
    status = tide_mesh_create(&parts, mesh, error);
    if (status != TIDE_OK)
        tide_error_locate(error, reading->scan.name, 0);
    return status;
}

tide_status tide_mesh_has_derived_edges(const tide_mesh *mesh, bool *derived, tide_error *error)
{
    uint32_t *edges, count;
    TIDE_TRY(tide_mesh_edges_of(mesh->vertex_count, mesh->triangles, mesh->triangle_count, mesh->tetrahedra,
                                mesh->tetrahedron_count, &edges, &count, error));
    *derived = count == mesh->edge_count && (count == 0 || memcmp(edges, mesh->edges, 2 * sizeof *edges * count) == 0);
    tide_free(edges);
    return TIDE_OK;
}

void tide_mesh_write_skip_notes(const tide_mesh *mesh, tide_text *text)
{
    for (uint32_t i = 0; i < mesh->skip_count; i++)
        tide_text_add_tuple(text, "#springtide skip ", mesh->skips + 2 * (size_t)i, 2, "");
}

void tide_mesh_write_texture_notes(const tide_mesh *mesh, tide_text *text)
{
    static const char before[] = "#springtide texture ";
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        tide_text_add(text, before, sizeof before - 1);
        tide_text_add_real(text, mesh->texture[2 * (size_t)i]);
        tide_text_add(text, " ", 1);
        tide_text_add_real(text, mesh->texture[2 * (size_t)i + 1]);
        tide_text_add(text, "\n", 1);
    }
}
