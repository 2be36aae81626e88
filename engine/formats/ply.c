// PLY, the Stanford polygon format (Turk 1994): a text header describes lists of elements with properties of any type
// and order; their values follow as text or in binary. Indices count from 0.
//
// Read: `vertex` (x, y, z; texture coordinates s t, u v or texture_u texture_v), `face` (the list vertex_indices or
// vertex_index), `tristrips` (vertex_indices, -1 between strips), `edge` (vertex1, vertex2). Written: binary, little
// endian, doubles. Edges without a face, tetrahedra and skips are elements `edge`, `tetrahedron`, `skip`. The line
// "comment springtide edges" says that the listed edges are complete.
#include "formats/reading.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

typedef enum role { NO_ROLE, X, Y, Z, S, T, CORNERS, END_1, END_2, ROLES } role;
typedef enum kind { OTHER, VERTEX, FACE, STRIPS, EDGE, TETRAHEDRON, PAIR, KINDS } kind;

typedef struct property {
    role role;
    bool list;
    tide_number_type type, count_type;
} property;

typedef struct element {
    kind kind;
    int line; // of the header
    double count;
    size_t first, properties; // in the list of properties
} element;

typedef struct ply {
    tide_reading reading;
    tide_encoding encoding;
    bool has_format;
    element *elements;
    property *properties;
    size_t element_count, element_capacity, property_count, property_capacity;
    double vertex_count; // from the header: faces may come before the vertices
    bool has_texture;
    tide_indices corners;
    // The first line of text with more numbers than an item of its element has: a sign of a wrong count.
    const element *longer;
    size_t longer_item; // index of the item that the line begins
    int longer_line;
} ply;

// The name of each kind of element, its name in messages, and its required properties.
static const struct {
    const char *name, *item;
    unsigned needs; // bits of roles
    const char *needed;
} kinds[KINDS] = {
    [OTHER] = { NULL, "element", 0, NULL },
    [VERTEX] = { "vertex", "vertex", 1U << X | 1U << Y | 1U << Z, "the properties x, y and z" },
    [FACE] = { "face", "face", 1U << CORNERS, "a list property vertex_indices" },
    [STRIPS] = { "tristrips", "strip", 1U << CORNERS, "a list property vertex_indices" },
    [EDGE] = { "edge", "edge", 1U << END_1 | 1U << END_2, "the properties vertex1 and vertex2" },
    [TETRAHEDRON] = { "tetrahedron", "tetrahedron", 1U << CORNERS, "a list property vertex_indices" },
    [PAIR] = { "skip", "skip", 1U << END_1 | 1U << END_2, "the properties vertex1 and vertex2" },
};

static const struct {
    const char *name;
    role role;
} roles[] = {
    { "x", X },
    { "y", Y },
    { "z", Z },
    { "s", S },
    { "t", T },
    { "u", S },
    { "v", T },
    { "texture_u", S },
    { "texture_v", T },
    { "vertex_indices", CORNERS },
    { "vertex_index", CORNERS },
    { "vertex1", END_1 },
    { "vertex2", END_2 },
};

static const struct {
    const char *name;
    tide_number_type type;
} types[] = {
    { "char", TIDE_INT8 },      { "int8", TIDE_INT8 },       { "uchar", TIDE_UINT8 },   { "uint8", TIDE_UINT8 },
    { "short", TIDE_INT16 },    { "int16", TIDE_INT16 },     { "ushort", TIDE_UINT16 }, { "uint16", TIDE_UINT16 },
    { "int", TIDE_INT32 },      { "int32", TIDE_INT32 },     { "uint", TIDE_UINT32 },   { "uint32", TIDE_UINT32 },
    { "int64", TIDE_INT64 },    { "uint64", TIDE_UINT64 },   { "float", TIDE_FLOAT32 }, { "float32", TIDE_FLOAT32 },
    { "double", TIDE_FLOAT64 }, { "float64", TIDE_FLOAT64 },
};

#define LENGTH(list) (sizeof(list) / sizeof((list)[0]))

// --- the header

static tide_status read_format(ply *ply, tide_error *error)
{
    static const char *const names[] = { "ascii", "binary_little_endian", "binary_big_endian" };
    static const tide_encoding encodings[] = { TIDE_TEXT, TIDE_LITTLE_ENDIAN, TIDE_BIG_ENDIAN };
    tide_scan *scan = &ply->reading.scan;
    size_t found = 0;
    tide_scan_skip_blanks(scan);
    while (found < LENGTH(names) && !tide_scan_take_word(scan, names[found]))
        found++;
    if (found == LENGTH(names))
        return tide_scan_expected(scan, error, "format", "ascii, binary_little_endian or binary_big_endian");
    tide_scan_skip_blanks(scan);
    if (!tide_scan_take_word(scan, "1.0"))
        return tide_scan_expected(scan, error, "format version", "1.0");
    ply->encoding = encodings[found];
    ply->has_format = true;
    return TIDE_OK;
}

static tide_status read_element_line(ply *ply, tide_error *error)
{
    tide_scan *scan = &ply->reading.scan;
    int64_t count;
    kind kind = VERTEX;
    tide_scan_skip_blanks(scan);
    while (kind < KINDS && !tide_scan_take_word(scan, kinds[kind].name))
        kind++;
    if (kind == KINDS) {
        kind = OTHER;
        if (tide_scan_word_length(scan) == 0)
            return tide_scan_expected(scan, error, "element", "a name");
        scan->at += tide_scan_word_length(scan);
    }
    tide_scan_skip_blanks(scan);
    tide_scan before = *scan;
    if (!tide_scan_take_integer(scan, &count) || count < 0)
        return tide_scan_expected(&before, error, "element count", "an integer, at least 0");
    for (size_t i = 0; i < ply->element_count && kind == VERTEX; i++)
        if (ply->elements[i].kind == VERTEX)
            return tide_scan_fail(scan, error, "element vertex", "given twice; expected it once");
    if (kind == VERTEX)
        ply->vertex_count = (double)count;
    if (!tide_grow(&ply->elements, &ply->element_capacity, ply->element_count + 1, sizeof *ply->elements))
        return tide_fail_memory(error, "PLY mesh");
    ply->elements[ply->element_count++] = (element) { kind, scan->line, (double)count, ply->property_count, 0 };
    return TIDE_OK;
}

static tide_status read_type(ply *ply, bool whole, tide_number_type *type, tide_error *error)
{
    tide_scan *scan = &ply->reading.scan;
    tide_scan_skip_blanks(scan);
    for (size_t i = 0; i < LENGTH(types); i++)
        if (!(whole && types[i].type >= TIDE_FLOAT32) && tide_scan_take_word(scan, types[i].name)) {
            *type = types[i].type;
            return TIDE_OK;
        }
    return tide_scan_expected(scan, error, "property type",
                              whole ? "a type of whole numbers such as uchar or int" : "a type such as float or int");
}

static tide_status read_property_line(ply *ply, tide_error *error)
{
    tide_scan *scan = &ply->reading.scan;
    property property = { 0 };
    if (ply->element_count == 0)
        return tide_scan_fail(scan, error, "property", "expected an element before its properties");
    element *element = &ply->elements[ply->element_count - 1];
    tide_scan_skip_blanks(scan);
    property.list = tide_scan_take_word(scan, "list");
    if (property.list)
        TIDE_TRY(read_type(ply, true, &property.count_type, error));
    TIDE_TRY(read_type(ply, false, &property.type, error));
    tide_scan_skip_blanks(scan);
    for (size_t i = 0; i < LENGTH(roles) && element->kind != OTHER && !property.role; i++)
        if (tide_scan_take_word(scan, roles[i].name))
            property.role = roles[i].role;
    if (!property.role && tide_scan_word_length(scan) == 0)
        return tide_scan_expected(scan, error, "property", "a name");
    scan->at += property.role ? 0 : tide_scan_word_length(scan);
    if ((property.role == CORNERS) != property.list)
        property.role = NO_ROLE;
    for (size_t i = 0; i < element->properties && property.role; i++)
        if (ply->properties[element->first + i].role == property.role)
            property.role = NO_ROLE; // "s" beside "u": the first one is used
    if (!tide_grow(&ply->properties, &ply->property_capacity, ply->property_count + 1, sizeof *ply->properties))
        return tide_fail_memory(error, "PLY mesh");
    ply->properties[ply->property_count++] = property;
    element->properties++;
    return TIDE_OK;
}

// Skips a comment, which may be a note of the engine.
static void pass_comment(ply *ply)
{
    tide_scan *scan = &ply->reading.scan;
    tide_scan_skip_blanks(scan);
    if (tide_scan_take_word(scan, "springtide")) {
        tide_scan_skip_blanks(scan);
        ply->reading.edges_complete |= tide_scan_take_word(scan, "edges");
    }
    tide_scan_skip_line(scan);
}

static tide_status end_header(ply *ply, tide_error *error)
{
    tide_scan *scan = &ply->reading.scan;
    if (!ply->has_format)
        return tide_scan_fail(scan, error, "end_header", "expected a line such as \"format ascii 1.0\" before it");
    while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\r'))
        scan->at++;
    if (!tide_scan_at_line_end(scan))
        return tide_scan_expected(scan, error, "end_header", "the end of the line");
    tide_scan_skip_line(scan);
    scan->binary = ply->encoding != TIDE_TEXT;
    return TIDE_OK;
}

static tide_status read_header(ply *ply, tide_error *error)
{
    tide_scan *scan = &ply->reading.scan;
    if (!tide_scan_take_word(scan, "ply"))
        return tide_scan_expected(scan, error, "header", "ply");
    tide_status status = TIDE_OK;
    for (;;) {
        tide_scan_skip_blanks(scan);
        if (!tide_scan_at_line_end(scan))
            return tide_scan_expected(scan, error, "header", "the end of the line");
        tide_scan_skip_space(scan);
        while (tide_scan_take_word(scan, "comment") || tide_scan_take_word(scan, "obj_info")) {
            pass_comment(ply);
            tide_scan_skip_space(scan);
        }
        if (tide_scan_take_word(scan, "end_header"))
            return end_header(ply, error);
        if (tide_scan_take_word(scan, "format"))
            status = read_format(ply, error);
        else if (tide_scan_take_word(scan, "element"))
            status = read_element_line(ply, error);
        else if (tide_scan_take_word(scan, "property"))
            status = read_property_line(ply, error);
        else
            return tide_scan_expected(scan, error, "header", "format, element, property, comment or end_header");
        if (status != TIDE_OK)
            return status;
    }
}

// --- the elements

static tide_status read_corners(ply *ply, const element *element, const property *property, tide_error *error)
{
    char what[64];
    double number;
    size_t count = 0;
    const char *item = kinds[element->kind].item;
    tide_reading *reading = &ply->reading;
    snprintf(what, sizeof what, "%s vertex", item);
    tide_status status = tide_reading_number(reading, ply->encoding, property->count_type, what, &number, error);
    if (status == TIDE_OK)
        status = tide_reading_count(reading, ply->encoding, what, number,
                                    ply->encoding == TIDE_TEXT ? 1 : tide_number_size(property->type), &count, error);
    ply->corners.count = 0;
    for (size_t i = 0; i < count && status == TIDE_OK; i++) {
        uint32_t corner = 0;
        status = tide_reading_number(reading, ply->encoding, property->type, what, &number, error);
        if (status == TIDE_OK && element->kind == STRIPS && number == -1) {
            status =
                tide_reading_add_cell(reading, TIDE_CELL_STRIP, item, ply->corners.items, ply->corners.count, 0, error);
            ply->corners.count = 0;
            continue;
        }
        if (status == TIDE_OK)
            status = tide_reading_index(reading, what, number, 0, (size_t)ply->vertex_count, &corner, error);
        if (status == TIDE_OK)
            status = tide_reading_add_indices(reading, &ply->corners, &corner, 1, error);
    }
    if (status != TIDE_OK || (element->kind == STRIPS && ply->corners.count == 0))
        return status;
    tide_cell cell = element->kind == STRIPS        ? TIDE_CELL_STRIP
                     : element->kind == TETRAHEDRON ? TIDE_CELL_TETRAHEDRON
                                                    : TIDE_CELL_POLYGON;
    return tide_reading_add_cell(reading, cell, item, ply->corners.items, ply->corners.count, 0, error);
}

static tide_status pass_property(ply *ply, const char *what, const property *property, tide_error *error)
{
    size_t count = 1;
    if (property->list) {
        double number;
        TIDE_TRY(tide_reading_number(&ply->reading, ply->encoding, property->count_type, what, &number, error));
        TIDE_TRY(tide_reading_count(&ply->reading, ply->encoding, what, number,
                                    ply->encoding == TIDE_TEXT ? 1 : tide_number_size(property->type), &count, error));
    }
    return tide_reading_pass(&ply->reading, ply->encoding, property->type, what, count, error);
}

static tide_status read_item(ply *ply, const element *element, tide_error *error)
{
    static const char *const names[ROLES] = {
        [X] = "vertex coordinate",  [Y] = "vertex coordinate", [Z] = "vertex coordinate", [S] = "texture coordinate",
        [T] = "texture coordinate", [END_1] = "vertex1",       [END_2] = "vertex2"
    };
    double values[ROLES] = { 0 };
    tide_status status = TIDE_OK;
    tide_reading *reading = &ply->reading;
    for (size_t i = 0; i < element->properties && status == TIDE_OK; i++) {
        const property *property = &ply->properties[element->first + i];
        role role = property->role;
        if (role == CORNERS)
            status = read_corners(ply, element, property, error);
        else if (role == NO_ROLE)
            status = pass_property(ply, kinds[element->kind].item, property, error);
        else
            status = tide_reading_number(reading, ply->encoding, property->type, names[role], &values[role], error);
    }
    if (status != TIDE_OK)
        return status;
    if (element->kind == VERTEX) {
        status = tide_reading_add_reals(reading, &reading->vertices, values + X, 3, error);
        return status == TIDE_OK && ply->has_texture
                   ? tide_reading_add_reals(reading, &reading->texture, values + S, 2, error)
                   : status;
    }
    if (element->kind != EDGE && element->kind != PAIR)
        return TIDE_OK;
    uint32_t ends[2] = { 0 };
    const char *what = element->kind == EDGE ? "edge vertex" : "skip vertex";
    for (int k = 0; k < 2 && status == TIDE_OK; k++)
        status = tide_reading_index(reading, what, values[END_1 + k], 0, (size_t)ply->vertex_count, &ends[k], error);
    if (status == TIDE_OK && element->kind == PAIR)
        return tide_reading_add_indices(reading, &reading->skips, ends, 2, error);
    return status == TIDE_OK ? tide_reading_add_cell(reading, TIDE_CELL_LINE, "edge", ends, 2, 0, error) : status;
}

// Notes an item of text that begins on the line of the one before. Files may be written that way, so that this is an
// error only if a later item cannot be read.
static void note_line(ply *ply, const element *element, size_t item, int *line)
{
    tide_scan_skip_space(&ply->reading.scan);
    if (item > 0 && ply->reading.scan.line == *line && !ply->longer) {
        ply->longer = element;
        ply->longer_item = item - 1;
        ply->longer_line = *line;
    }
    *line = ply->reading.scan.line;
}

// Replaces the error of a file in which a line is too long and ends another list than the one that it begins.
static tide_status attribute_to_count(ply *ply, tide_status status, tide_error *error)
{
    tide_scan *scan = &ply->reading.scan;
    if (status != TIDE_ERROR_FORMAT || !ply->longer || ply->longer_item == 0)
        return status;
    scan->line = ply->longer_line;
    return tide_scan_fail(scan, error, kinds[ply->longer->kind].item,
                          "%zu announced, %zu found; correct the number, or complete the section",
                          (size_t)ply->longer->count, ply->longer_item);
}

static tide_status read_element(ply *ply, const element *element, tide_error *error)
{
    int line = 0;
    size_t least = 0, count = 0; // least size of an item, whose lists are then empty: bytes, or numbers of text
    unsigned found = 0;
    for (size_t i = 0; i < element->properties; i++) {
        const property *property = &ply->properties[element->first + i];
        least += ply->encoding == TIDE_TEXT ? 1
                 : property->list           ? tide_number_size(property->count_type)
                                            : tide_number_size(property->type);
        found |= 1U << property->role;
    }
    tide_scan *scan = &ply->reading.scan;
    const char *item = kinds[element->kind].item;
    unsigned needs = kinds[element->kind].needs;
    if ((found & needs) != needs && element->count > 0) {
        scan->line = element->line;
        scan->binary = false;
        return tide_scan_fail(scan, error, item, "the element lacks properties; expected %s",
                              kinds[element->kind].needed);
    }
    if (element->properties == 0)
        return TIDE_OK;
    if (element->kind == VERTEX)
        ply->has_texture = (found & 1U << S) && (found & 1U << T);
    TIDE_TRY(tide_reading_count(&ply->reading, ply->encoding, item, element->count, least, &count, error));
    for (size_t i = 0; i < count; i++) {
        if (least)
            TIDE_TRY(tide_reading_expect_item(&ply->reading, ply->encoding, item, i, count, error));
        if (ply->encoding == TIDE_TEXT)
            note_line(ply, element, i, &line);
        TIDE_TRY(read_item(ply, element, error));
    }
    return TIDE_OK;
}

tide_status tide_mesh_read_ply(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error)
{
    ply ply = { 0 };
    tide_status status = tide_reading_begin(&ply.reading, bytes, size, name, "PLY mesh", error);
    if (status == TIDE_OK)
        status = read_header(&ply, error);
    for (size_t i = 0; i < ply.element_count && status == TIDE_OK; i++)
        status = read_element(&ply, &ply.elements[i], error);
    status = attribute_to_count(&ply, status, error);
    ply.reading.scan.note = NULL;
    if (status == TIDE_OK)
        status = tide_reading_finish(&ply.reading, mesh, error);
    tide_free(ply.elements);
    tide_free(ply.properties);
    tide_free(ply.corners.items);
    tide_reading_free(&ply.reading);
    return status;
}

// --- writing

static void write_properties(tide_text *text, const tide_mesh_numbers *numbers)
{
    for (; numbers->name; numbers++)
        if (numbers->width == 3)
            tide_text_format(text, "property double %cx\nproperty double %cy\nproperty double %cz\n", numbers->name[0],
                             numbers->name[0], numbers->name[0]);
        else
            tide_text_format(text, "property double %s\n", numbers->name);
}

static void write_numbers(tide_text *text, const tide_mesh_numbers *numbers, size_t index)
{
    for (; numbers->name; numbers++)
        for (size_t k = 0; k < (size_t)numbers->width; k++)
            tide_text_add_float64(text, numbers->values[(size_t)numbers->width * index + k]);
}

static void write_element(tide_text *text, const char *name, uint32_t count, bool list,
                          const tide_mesh_numbers *numbers)
{
    if (count)
        tide_text_format(text, "element %s %u\n%s", name, count,
                         list ? "property list uchar int vertex_indices\n"
                              : "property int vertex1\nproperty int vertex2\n");
    if (count)
        write_properties(text, numbers);
}

static void write_tuples(tide_text *text, const uint32_t *tuples, uint32_t count, uint32_t width, bool list,
                         const tide_mesh_numbers *numbers)
{
    for (size_t i = 0; i < count; i++) {
        const char corners = (char)width;
        if (list)
            tide_text_add(text, &corners, 1);
        for (size_t k = 0; k < width; k++)
            tide_text_add_uint32(text, tuples[width * i + k]);
        write_numbers(text, numbers, i);
    }
}

static tide_status write(const tide_mesh *mesh, const tide_mesh_data *data, tide_text *text, tide_error *error)
{
    bool derived = false;
    TIDE_TRY(tide_mesh_has_derived_edges(mesh, &derived, error));
    derived = derived && !data->edges[0].name;
    const tide_mesh_numbers none = { 0 };
    uint32_t edges = derived ? 0 : mesh->edge_count;
    tide_text_format(text, "ply\nformat binary_little_endian 1.0\n%selement vertex %u\n",
                     !derived && (mesh->triangle_count || mesh->tetrahedron_count) ? "comment springtide edges\n" : "",
                     mesh->vertex_count);
    tide_text_format(text, "property double x\nproperty double y\nproperty double z\n%s",
                     mesh->texture ? "property double s\nproperty double t\n" : "");
    write_properties(text, data->vertices);
    write_element(text, "face", mesh->triangle_count, true, data->triangles);
    write_element(text, "edge", edges, false, data->edges);
    write_element(text, "tetrahedron", mesh->tetrahedron_count, true, data->tetrahedra);
    write_element(text, "skip", mesh->skip_count, false, &none);
    tide_text_format(text, "end_header\n");
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        for (size_t k = 0; k < 3; k++)
            tide_text_add_float64(text, mesh->vertices[3 * i + k]);
        for (size_t k = 0; k < 2 && mesh->texture; k++)
            tide_text_add_float64(text, mesh->texture[2 * i + k]);
        write_numbers(text, data->vertices, i);
    }
    write_tuples(text, mesh->triangles, mesh->triangle_count, 3, true, data->triangles);
    write_tuples(text, mesh->edges, edges, 2, false, data->edges);
    write_tuples(text, mesh->tetrahedra, mesh->tetrahedron_count, 4, true, data->tetrahedra);
    write_tuples(text, mesh->skips, mesh->skip_count, 2, false, &none);
    return TIDE_OK;
}

const tide_mesh_format tide_mesh_format_ply = { ".ply", "PLY", tide_mesh_read_ply, write, NULL, NULL };
