// Legacy VTK files (Schroeder, Martin and Lorensen, The Visualization Toolkit), versions 2.0 to 5.1, POLYDATA and
// UNSTRUCTURED_GRID, as text or in binary, big endian. Indices count from 0. Texture coordinates are read if they come
// first in the point data: TEXTURE_COORDINATES, or an array "texture" of a FIELD.
//
// vtk_write.c describes what is written.
#include "formats/reading.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct vtk {
    tide_reading reading;
    tide_encoding encoding;
    bool has_offsets; // version 5 or later: lists are offsets into a list of corners
    bool is_grid, has_points, has_cells, has_types;
    bool in_point_data;
    tide_indices corners, ends; // of all cells of the last list: their corners, and the end of each cell in these
    double passed;              // a type of cells that was skipped, 0 for none
} vtk;

static const struct {
    const char *name;
    tide_number_type type;
} types[] = {
    { "unsigned_char", TIDE_UINT8 },  { "char", TIDE_INT8 },           { "unsigned_short", TIDE_UINT16 },
    { "short", TIDE_INT16 },          { "unsigned_int", TIDE_UINT32 }, { "int", TIDE_INT32 },
    { "unsigned_long", TIDE_UINT64 }, { "long", TIDE_INT64 },          { "float", TIDE_FLOAT32 },
    { "double", TIDE_FLOAT64 },       { "vtkIdType", TIDE_INT32 }, // VTK writes it so, whatever its size
    { "vtktypeint64", TIDE_INT64 },   { "vtktypeint32", TIDE_INT32 },  { "vtktypeuint8", TIDE_UINT8 },
};

static const struct cell_type {
    const char *name;
    tide_cell cell;
    uint32_t corners; // 0 for any number
} cell_types[] = {
    [1] = { "vertex", TIDE_CELL_NONE, 0 },
    [2] = { "vertices", TIDE_CELL_NONE, 0 },
    [3] = { "line", TIDE_CELL_LINE, 2 },
    [4] = { "line", TIDE_CELL_LINE, 0 },
    [5] = { "triangle", TIDE_CELL_POLYGON, 3 },
    [6] = { "strip", TIDE_CELL_STRIP, 0 },
    [7] = { "polygon", TIDE_CELL_POLYGON, 0 },
    [8] = { "pixel", TIDE_CELL_POLYGON, 4 },
    [9] = { "quadrilateral", TIDE_CELL_POLYGON, 4 },
    [10] = { "tetrahedron", TIDE_CELL_TETRAHEDRON, 4 },
};
enum { POINTS = 2, POLYLINE = 4, STRIP = 6, POLYGON, PIXEL };

#define LENGTH(list) (sizeof(list) / sizeof((list)[0]))

static bool take_word(vtk *vtk, const char *word)
{
    tide_scan_skip_space(&vtk->reading.scan);
    return tide_scan_take_keyword(&vtk->reading.scan, word);
}

static tide_status read_text_count(vtk *vtk, const char *what, size_t each, size_t *count, tide_error *error)
{
    double number;
    char shown[64];
    snprintf(shown, sizeof shown, "%s count", what);
    TIDE_TRY(tide_reading_number(&vtk->reading, TIDE_TEXT, TIDE_INT64, shown, &number, error));
    return tide_reading_count(&vtk->reading, vtk->encoding, what, number, each, count, error);
}

// Returns the size of an item: numbers of text, or bytes.
static size_t item_size(const vtk *vtk, size_t width, tide_number_type type)
{
    return vtk->encoding == TIDE_TEXT ? width : width * tide_number_size(type);
}

static tide_status read_type(vtk *vtk, tide_number_type *type, tide_error *error)
{
    for (size_t i = 0; i < LENGTH(types); i++)
        if (take_word(vtk, types[i].name)) {
            *type = types[i].type;
            return TIDE_OK;
        }
    return tide_scan_expected(&vtk->reading.scan, error, "data type", "a type such as float or int");
}

// Begins an array: binary data begins after the end of the line.
static tide_status begin_data(vtk *vtk, tide_error *error)
{
    tide_scan *scan = &vtk->reading.scan;
    while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\r'))
        scan->at++;
    if (!tide_scan_at_line_end(scan))
        return tide_scan_expected(scan, error, "data", "the end of the line before it");
    tide_scan_skip_line(scan);
    return TIDE_OK;
}

// Skips lines up to an empty one; they belong to the array before them.
static tide_status pass_metadata(vtk *vtk, tide_error *error)
{
    tide_scan *scan = &vtk->reading.scan;
    tide_status status = begin_data(vtk, error);
    bool empty = false;
    while (status == TIDE_OK && scan->at < scan->end && !empty) {
        tide_scan_skip_blanks(scan);
        empty = tide_scan_at_line_end(scan);
        tide_scan_skip_line(scan);
    }
    return status;
}

static tide_status read_points(vtk *vtk, tide_error *error)
{
    tide_reading *reading = &vtk->reading;
    tide_number_type type = TIDE_FLOAT64;
    double number;
    size_t count = 0;
    if (vtk->has_points)
        return tide_scan_fail(&reading->scan, error, "POINTS", "given twice; expected it once");
    vtk->has_points = true;
    TIDE_TRY(tide_reading_number(reading, TIDE_TEXT, TIDE_INT64, "point count", &number, error));
    TIDE_TRY(read_type(vtk, &type, error));
    TIDE_TRY(begin_data(vtk, error));
    TIDE_TRY(tide_reading_count(reading, vtk->encoding, "point", number, item_size(vtk, 3, type), &count, error));
    for (size_t i = 0; i < count; i++) {
        double position[3];
        TIDE_TRY(tide_reading_expect_item(reading, vtk->encoding, "POINTS", i, count, error));
        for (int k = 0; k < 3; k++)
            TIDE_TRY(tide_reading_number(reading, vtk->encoding, type, "point coordinate", &position[k], error));
        TIDE_TRY(tide_reading_add_reals(reading, &reading->vertices, position, 3, error));
    }
    return TIDE_OK;
}

// --- lists of cells

static tide_status read_corner(vtk *vtk, tide_number_type type, tide_error *error)
{
    double number;
    uint32_t corner = 0;
    tide_reading *reading = &vtk->reading;
    TIDE_TRY(tide_reading_number(reading, vtk->encoding, type, "cell point", &number, error));
    TIDE_TRY(tide_reading_index(reading, "cell point", number, 0, reading->vertices.count / 3, &corner, error));
    return tide_reading_add_indices(reading, &vtk->corners, &corner, 1, error);
}

static tide_status add_end(vtk *vtk, uint32_t end, tide_error *error)
{
    return tide_reading_add_indices(&vtk->reading, &vtk->ends, &end, 1, error);
}

// Reads lists before version 5: "cells numbers", then for each cell the number of its corners and the corners.
static tide_status read_counted_lists(vtk *vtk, size_t cell_count, size_t numbers, tide_error *error)
{
    tide_reading *reading = &vtk->reading;
    TIDE_TRY(begin_data(vtk, error));
    for (size_t i = 0; i < cell_count; i++) {
        double number;
        size_t count = 0;
        TIDE_TRY(tide_reading_expect_item(reading, vtk->encoding, "cells", i, cell_count, error));
        TIDE_TRY(tide_reading_number(reading, vtk->encoding, TIDE_INT32, "cell", &number, error));
        TIDE_TRY(tide_reading_count(reading, vtk->encoding, "cell point", number, item_size(vtk, 1, TIDE_INT32), &count,
                                    error));
        for (size_t k = 0; k < count; k++)
            TIDE_TRY(read_corner(vtk, TIDE_INT32, error));
        TIDE_TRY(add_end(vtk, (uint32_t)vtk->corners.count, error));
    }
    if (vtk->corners.count + cell_count != numbers) {
        char shown[64];
        snprintf(shown, sizeof shown, "cells of %zu numbers", vtk->corners.count + cell_count);
        return tide_scan_fail(&reading->scan, error, shown, "expected %zu, as the list begins", numbers);
    }
    return TIDE_OK;
}

static tide_status read_offsets(vtk *vtk, size_t offset_count, size_t corner_count, tide_error *error)
{
    tide_reading *reading = &vtk->reading;
    tide_number_type type = TIDE_INT64;
    size_t count = 0;
    double last = 0;
    tide_status status = read_type(vtk, &type, error);
    if (status == TIDE_OK)
        status = begin_data(vtk, error);
    if (status == TIDE_OK)
        status = tide_reading_count(reading, vtk->encoding, "offset", (double)offset_count, item_size(vtk, 1, type),
                                    &count, error);
    for (size_t i = 0; i < count && status == TIDE_OK; i++) {
        double offset;
        status = tide_reading_number(reading, vtk->encoding, type, "offset", &offset, error);
        bool good = i == 0 ? offset == 0 : offset >= last && offset <= (double)corner_count;
        if (status == TIDE_OK && (!good || (i + 1 == count && offset != (double)corner_count))) {
            char shown[64];
            snprintf(shown, sizeof shown, "offset %.17g", offset);
            return tide_scan_fail(&reading->scan, error, shown, "expected them to rise from 0 to %zu", corner_count);
        }
        last = offset;
        if (status == TIDE_OK && i > 0)
            status = add_end(vtk, (uint32_t)offset, error);
    }
    return status;
}

// Reads lists since version 5: "offsets corners", then both lists.
static tide_status read_offset_lists(vtk *vtk, size_t offset_count, size_t corner_count, tide_error *error)
{
    tide_number_type type = TIDE_INT64;
    size_t count = 0;
    tide_scan *scan = &vtk->reading.scan;
    if (offset_count == 0 && corner_count == 0 && !take_word(vtk, "OFFSETS"))
        return TIDE_OK;
    if (offset_count && !take_word(vtk, "OFFSETS"))
        return tide_scan_expected(scan, error, "cells", "OFFSETS");
    TIDE_TRY(read_offsets(vtk, offset_count, corner_count, error));
    if (!take_word(vtk, "CONNECTIVITY"))
        return tide_scan_expected(scan, error, "cells", "CONNECTIVITY");
    TIDE_TRY(read_type(vtk, &type, error));
    TIDE_TRY(begin_data(vtk, error));
    TIDE_TRY(tide_reading_count(&vtk->reading, vtk->encoding, "cell point", (double)corner_count,
                                item_size(vtk, 1, type), &count, error));
    for (size_t i = 0; i < count; i++)
        TIDE_TRY(read_corner(vtk, type, error));
    return TIDE_OK;
}

static tide_status read_lists(vtk *vtk, const char *what, tide_error *error)
{
    size_t first = 0, second = 0;
    vtk->corners.count = vtk->ends.count = 0;
    if (!vtk->has_points)
        return tide_scan_fail(&vtk->reading.scan, error, what, "expected POINTS before this section");
    size_t each = item_size(vtk, 1, TIDE_INT32);
    TIDE_TRY(read_text_count(vtk, what, each, &first, error));
    TIDE_TRY(read_text_count(vtk, "number", each, &second, error));
    return vtk->has_offsets ? read_offset_lists(vtk, first, second, error)
                            : read_counted_lists(vtk, first, second, error);
}

static tide_status add_cell(vtk *vtk, size_t cell, double number, tide_error *error)
{
    size_t start = cell ? vtk->ends.items[cell - 1] : 0, count = vtk->ends.items[cell] - start;
    const struct cell_type *type =
        number >= 0 && number < (double)LENGTH(cell_types) ? &cell_types[(size_t)number] : NULL;
    if (!type)
        vtk->passed = number;
    if (!type || type->cell == TIDE_CELL_NONE)
        return TIDE_OK;
    const uint32_t *corners = count ? vtk->corners.items + start : NULL;
    if (type->corners && count != type->corners) {
        char shown[64];
        snprintf(shown, sizeof shown, "%s of %zu points", type->name, count);
        return tide_scan_fail(&vtk->reading.scan, error, shown, "expected %u", type->corners);
    }
    // The corners of a pixel are in rows; reorder them around it.
    uint32_t around[4] = { 0 };
    if (number == PIXEL) {
        memcpy(around, (uint32_t[4]) { corners[0], corners[1], corners[3], corners[2] }, sizeof around);
        corners = around;
    }
    return tide_reading_add_cell(&vtk->reading, type->cell, type->name, corners, count, 0, error);
}

// Reads a section of POLYDATA, whose cells have one type.
static tide_status read_cells_of(vtk *vtk, const char *what, int type, tide_error *error)
{
    tide_status status = read_lists(vtk, what, error);
    for (size_t i = 0; i < vtk->ends.count && status == TIDE_OK; i++)
        status = add_cell(vtk, i, type, error);
    return status;
}

static tide_status read_cell_types(vtk *vtk, tide_error *error)
{
    size_t count = 0;
    tide_reading *reading = &vtk->reading;
    if (!vtk->has_cells || vtk->has_types)
        return tide_scan_fail(&reading->scan, error, "CELL_TYPES",
                              vtk->has_cells ? "given twice; expected it once" : "expected CELLS before this section");
    vtk->has_types = true;
    TIDE_TRY(read_text_count(vtk, "type", item_size(vtk, 1, TIDE_INT32), &count, error));
    if (count != vtk->ends.count) {
        char shown[64];
        snprintf(shown, sizeof shown, "%zu types", count);
        return tide_scan_fail(&reading->scan, error, shown, "expected one for each of the %zu cells", vtk->ends.count);
    }
    TIDE_TRY(begin_data(vtk, error));
    for (size_t i = 0; i < count; i++) {
        double type;
        TIDE_TRY(tide_reading_number(reading, vtk->encoding, TIDE_INT32, "cell type", &type, error));
        TIDE_TRY(add_cell(vtk, i, type, error));
    }
    return TIDE_OK;
}

// --- arrays

typedef struct array {
    char name[32]; // truncated
    size_t width, count;
    tide_number_type type;
    bool bits, strings;
} array;

static tide_status read_name(vtk *vtk, char name[32], tide_error *error)
{
    tide_scan *scan = &vtk->reading.scan;
    tide_scan_skip_space(scan);
    size_t length = tide_scan_word_length(scan);
    if (length == 0)
        return tide_scan_expected(scan, error, "array", "a name");
    snprintf(name, 32, "%.*s", (int)(length < 31 ? length : 31), scan->at);
    scan->at += length;
    return TIDE_OK;
}

static tide_status pass_array(vtk *vtk, const array *array, tide_error *error)
{
    tide_reading *reading = &vtk->reading;
    size_t count = array->width * array->count;
    if (array->strings && vtk->encoding != TIDE_TEXT)
        return tide_scan_fail(&reading->scan, error, "array of strings",
                              "they are not read from bytes; expected numbers, or a file saved as text");
    for (size_t i = 0; i < count && array->strings && reading->scan.at < reading->scan.end; i++)
        tide_scan_skip_line(&reading->scan);
    if (array->strings)
        return TIDE_OK;
    bool packed = array->bits && vtk->encoding != TIDE_TEXT;
    return tide_reading_pass(reading, vtk->encoding, array->type, "array", packed ? (count + 7) / 8 : count, error);
}

static tide_status read_texture(vtk *vtk, const array *array, tide_error *error)
{
    double uv[3];
    tide_reading *reading = &vtk->reading;
    for (size_t i = 0; i < array->count; i++) {
        for (size_t k = 0; k < array->width; k++)
            TIDE_TRY(tide_reading_number(reading, vtk->encoding, array->type, "texture coordinate", &uv[k], error));
        TIDE_TRY(tide_reading_add_reals(reading, &reading->texture, uv, 2, error));
    }
    return TIDE_OK;
}

static tide_status read_skips(vtk *vtk, const array *array, tide_error *error)
{
    tide_reading *reading = &vtk->reading;
    for (size_t i = 0; i < 2 * array->count; i++) {
        double number;
        uint32_t index = 0;
        TIDE_TRY(tide_reading_number(reading, vtk->encoding, array->type, "skip point", &number, error));
        TIDE_TRY(tide_reading_index(reading, "skip point", number, 0, reading->vertices.count / 3, &index, error));
        TIDE_TRY(tide_reading_add_indices(reading, &reading->skips, &index, 1, error));
    }
    return TIDE_OK;
}

static tide_status read_array_data(vtk *vtk, array *array, tide_error *error)
{
    array->type = TIDE_UINT8;
    array->bits = take_word(vtk, "bit");
    array->strings = !array->bits && take_word(vtk, "string");
    tide_status status = array->bits || array->strings ? TIDE_OK : read_type(vtk, &array->type, error);
    if (status == TIDE_OK)
        status = begin_data(vtk, error);
    if (status != TIDE_OK || array->bits || array->strings)
        return status == TIDE_OK ? pass_array(vtk, array, error) : status;
    status = tide_reading_count(&vtk->reading, vtk->encoding, "array", (double)array->count,
                                item_size(vtk, array->width, array->type), &array->count, error);
    if (status != TIDE_OK)
        return status;
    tide_reading *reading = &vtk->reading;
    bool skips = strcmp(array->name, "springtide_skips") == 0 && array->width == 2 && vtk->has_points;
    bool texture = strcmp(array->name, "texture") == 0 && (array->width == 2 || array->width == 3);
    reading->edges_complete |= strcmp(array->name, "springtide_edges") == 0;
    if (skips)
        return read_skips(vtk, array, error);
    if (texture && vtk->in_point_data && !reading->texture.count && array->count == reading->vertices.count / 3)
        return read_texture(vtk, array, error);
    return pass_array(vtk, array, error);
}

// Reads "FIELD name arrays", then "name width count type" and the numbers of each.
static tide_status read_field(vtk *vtk, tide_error *error)
{
    array array = { 0 };
    size_t arrays = 0;
    tide_status status = read_name(vtk, array.name, error);
    if (status == TIDE_OK)
        status = read_text_count(vtk, "array", 1, &arrays, error);
    for (size_t i = 0; i < arrays && status == TIDE_OK; i++) {
        status = read_name(vtk, array.name, error);
        if (status == TIDE_OK && strcmp(array.name, "METADATA") == 0) { // of the previous array
            status = pass_metadata(vtk, error);
            i--;
            continue;
        }
        if (status == TIDE_OK)
            status = read_text_count(vtk, "component", 0, &array.width, error);
        if (status == TIDE_OK)
            status = read_text_count(vtk, "tuple", 0, &array.count, error);
        if (status == TIDE_OK)
            status = read_array_data(vtk, &array, error);
    }
    return status;
}

// Reads the first item of the point data; the rest of the file is ignored.
static tide_status read_point_data(vtk *vtk, tide_error *error)
{
    array array = { .name = "texture" };
    size_t count = 0;
    vtk->in_point_data = true;
    tide_status status = read_text_count(vtk, "point", 0, &count, error);
    if (status == TIDE_OK && take_word(vtk, "FIELD"))
        return read_field(vtk, error);
    if (status != TIDE_OK || !take_word(vtk, "TEXTURE_COORDINATES"))
        return status;
    char name[32];
    array.count = count;
    status = read_name(vtk, name, error);
    if (status == TIDE_OK)
        status = read_text_count(vtk, "component", 0, &array.width, error);
    return status == TIDE_OK ? read_array_data(vtk, &array, error) : status;
}

// --- the file

static tide_status read_header(vtk *vtk, tide_error *error)
{
    static const char mark[] = "# vtk DataFile Version ";
    tide_scan *scan = &vtk->reading.scan;
    double version = 0;
    size_t length = sizeof mark - 1;
    if ((size_t)(scan->end - scan->at) < length || strncasecmp(scan->at, mark, length) != 0)
        return tide_scan_fail(scan, error, "header", "expected a line such as \"%s3.0\"", mark);
    scan->at += length;
    if (!tide_scan_take_real(scan, &version) || !(version >= 2 && version < 5.15))
        return tide_scan_expected(&(tide_scan) { .begin = scan->begin,
                                                 .at = scan->begin + length,
                                                 .end = scan->end,
                                                 .name = scan->name,
                                                 .object = scan->object,
                                                 .line = 1 },
                                  error, "version", "2.0 to 5.1");
    vtk->has_offsets = version >= 5;
    tide_scan_skip_line(scan); // of the version
    tide_scan_skip_line(scan); // of the title
    if (take_word(vtk, "BINARY"))
        vtk->encoding = TIDE_BIG_ENDIAN;
    else if (!take_word(vtk, "ASCII"))
        return tide_scan_expected(scan, error, "header", "ASCII or BINARY");
    tide_scan_skip_space(scan);
    scan->binary = vtk->encoding != TIDE_TEXT;
    return TIDE_OK;
}

static tide_status read_dataset(vtk *vtk, tide_error *error)
{
    if (!take_word(vtk, "DATASET"))
        return tide_scan_expected(&vtk->reading.scan, error, "header", "DATASET");
    vtk->is_grid = take_word(vtk, "UNSTRUCTURED_GRID");
    if (!vtk->is_grid && !take_word(vtk, "POLYDATA"))
        return tide_scan_expected(&vtk->reading.scan, error, "dataset", "POLYDATA or UNSTRUCTURED_GRID");
    return TIDE_OK;
}

static tide_status read_section(vtk *vtk, bool *done, tide_error *error)
{
    if (take_word(vtk, "POINTS"))
        return read_points(vtk, error);
    if (take_word(vtk, "METADATA"))
        return pass_metadata(vtk, error);
    if (take_word(vtk, "FIELD"))
        return read_field(vtk, error);
    *done = true;
    if (take_word(vtk, "POINT_DATA"))
        return read_point_data(vtk, error);
    if (take_word(vtk, "CELL_DATA"))
        return TIDE_OK;
    *done = false;
    if (vtk->is_grid && !vtk->has_cells && take_word(vtk, "CELLS")) {
        vtk->has_cells = true;
        return read_lists(vtk, "CELLS", error);
    }
    if (vtk->is_grid && take_word(vtk, "CELL_TYPES"))
        return read_cell_types(vtk, error);
    static const struct {
        const char *name;
        int type;
    } lists[] = {
        { "VERTICES", POINTS }, { "LINES", POLYLINE }, { "POLYGONS", POLYGON }, { "TRIANGLE_STRIPS", STRIP }
    };
    for (size_t i = 0; i < LENGTH(lists) && !vtk->is_grid; i++)
        if (take_word(vtk, lists[i].name))
            return read_cells_of(vtk, lists[i].name, lists[i].type, error);
    return tide_scan_expected(&vtk->reading.scan, error, "section",
                              vtk->is_grid
                                  ? "POINTS, CELLS, CELL_TYPES, FIELD, POINT_DATA or CELL_DATA"
                                  : "POINTS, LINES, POLYGONS, TRIANGLE_STRIPS, FIELD, POINT_DATA or CELL_DATA");
}

static tide_status read_sections(vtk *vtk, tide_error *error)
{
    bool done = false;
    tide_scan *scan = &vtk->reading.scan;
    while (!done) {
        tide_scan_skip_space(scan);
        if (scan->at == scan->end)
            break;
        TIDE_TRY(read_section(vtk, &done, error));
    }
    const tide_reading *reading = &vtk->reading;
    bool empty = !reading->edges.count && !reading->triangles.count && !reading->tetrahedra.count;
    if (vtk->has_cells && !vtk->has_types && vtk->ends.count)
        return tide_scan_expected(scan, error, "section", "CELL_TYPES");
    if (vtk->passed != 0 && empty) {
        char shown[64];
        snprintf(shown, sizeof shown, "cells of type %.17g", vtk->passed);
        return tide_scan_fail(scan, error, shown, "expected some lines, triangles, polygons or tetrahedra");
    }
    return TIDE_OK;
}

tide_status tide_mesh_read_vtk(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error)
{
    vtk vtk = { 0 };
    tide_status status = tide_reading_begin(&vtk.reading, bytes, size, name, "VTK mesh", error);
    if (status == TIDE_OK)
        status = read_header(&vtk, error);
    if (status == TIDE_OK)
        status = read_dataset(&vtk, error);
    if (status == TIDE_OK)
        status = read_sections(&vtk, error);
    vtk.reading.scan.note = NULL;
    if (status == TIDE_OK)
        status = tide_reading_finish(&vtk.reading, mesh, error);
    tide_free(vtk.corners.items);
    tide_free(vtk.ends.items);
    tide_reading_free(&vtk.reading);
    return status;
}

const tide_mesh_format tide_mesh_format_vtk = { ".vtk", "legacy VTK", tide_mesh_read_vtk, tide_mesh_write_vtk,
                                                NULL,   NULL };
