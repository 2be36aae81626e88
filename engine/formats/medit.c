// MEDIT's text format: sections of a keyword, a count and as many lines of numbers, each ending in a reference.
#include "formats/reading.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef struct medit {
    tide_reading reading;
    unsigned seen; // bits of the sections
} medit;

typedef struct section {
    const char *name, *item;
    uint32_t width; // numbers of an item, without its reference
    bool reference;
    enum { SKIP, VERTICES, EDGES, TRIANGLES, QUADRILATERALS, TETRAHEDRA } content;
} section;

static const section sections[] = {
    { "Vertices", "vertex", 3, true, VERTICES },
    { "Edges", "edge", 2, true, EDGES },
    { "Triangles", "triangle", 3, true, TRIANGLES },
    { "Quadrilaterals", "quadrilateral", 4, true, QUADRILATERALS },
    { "Tetrahedra", "tetrahedron", 4, true, TETRAHEDRA },
    { "Hexahedra", "hexahedron", 8, true, SKIP },
    { "Prisms", "prism", 6, true, SKIP },
    { "Pyramids", "pyramid", 5, true, SKIP },
    { "Corners", "corner", 1, false, SKIP },
    { "Ridges", "ridge", 1, false, SKIP },
    { "RequiredVertices", "required vertex", 1, false, SKIP },
    { "RequiredEdges", "required edge", 1, false, SKIP },
    { "RequiredTriangles", "required triangle", 1, false, SKIP },
    { "RequiredQuadrilaterals", "required quadrilateral", 1, false, SKIP },
    { "Normals", "normal", 3, false, SKIP },
    { "NormalAtVertices", "normal at vertex", 2, false, SKIP },
    { "NormalAtTriangleVertices", "normal at triangle vertex", 3, false, SKIP },
    { "NormalAtQuadrilateralVertices", "normal at quadrilateral vertex", 3, false, SKIP },
    { "Tangents", "tangent", 3, false, SKIP },
    { "TangentAtVertices", "tangent at vertex", 2, false, SKIP },
    { "TangentAtEdges", "tangent at edge", 3, false, SKIP },
    { "SubDomainFromMesh", "subdomain", 4, false, SKIP },
    { "SubDomainFromGeom", "subdomain", 4, false, SKIP },
};
enum { SECTIONS = sizeof sections / sizeof sections[0] };

// Skips blanks and line ends to the next word or number.
static tide_scan *next(medit *medit)
{
    tide_scan_skip_space(&medit->reading.scan);
    return &medit->reading.scan;
}

static tide_status read_integer(medit *medit, const char *what, int64_t *number, tide_error *error)
{
    tide_scan *scan = next(medit);
    return tide_scan_take_integer(scan, number) ? TIDE_OK : tide_scan_expected(scan, error, what, "an integer");
}

static tide_status read_count(medit *medit, const section *section, size_t *count, tide_error *error)
{
    char shown[96];
    int64_t number;
    snprintf(shown, sizeof shown, "%s count", section->name);
    TIDE_TRY(read_integer(medit, shown, &number, error));
    const tide_scan *scan = &medit->reading.scan;
    // A number takes at least a digit and a space; the last space may be missing.
    size_t left = (size_t)(scan->end - scan->at), numbers = section->width + section->reference;
    size_t most = (left + 1) / (2 * numbers);
    snprintf(shown, sizeof shown, "%s count %lld", section->name, (long long)number);
    if (number < 0)
        return tide_scan_fail(scan, error, shown, "expected at least 0");
    if ((uint64_t)number > most)
        return tide_scan_fail(scan, error, shown, "expected at most %zu, for which what is left of the file has room",
                              most);
    *count = (size_t)number;
    return TIDE_OK;
}

static tide_status read_vertex(medit *medit, tide_error *error)
{
    double position[3];
    for (int k = 0; k < 3; k++) {
        next(medit);
        tide_status status = tide_reading_real(&medit->reading, "vertex coordinate", &position[k], error);
        if (status != TIDE_OK)
            return status;
    }
    return tide_reading_add_reals(&medit->reading, &medit->reading.vertices, position, 3, error);
}

static tide_status read_element(medit *medit, const section *section, tide_error *error)
{
    tide_reading *reading = &medit->reading;
    uint32_t v[4] = { 0 };
    next(medit);
    tide_status status =
        tide_reading_tuple(reading, section->item, section->width, reading->vertices.count / 3, v, error);
    if (status != TIDE_OK)
        return status;
    const uint32_t halves[6] = { v[0], v[1], v[2], v[0], v[2], v[section->width - 1] };
    switch (section->content) {
    case EDGES:
        return tide_reading_add_indices(reading, &reading->edges, v, 2, error);
    case TRIANGLES:
        return tide_reading_add_indices(reading, &reading->triangles, v, 3, error);
    case QUADRILATERALS:
        return tide_reading_add_indices(reading, &reading->triangles, halves, 6, error);
    default:
        return tide_reading_add_indices(reading, &reading->tetrahedra, v, 4, error);
    }
}

// Skips the numbers of an unused item.
static tide_status pass_numbers(medit *medit, const char *what, uint32_t count, tide_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        double number;
        next(medit);
        TIDE_TRY(tide_reading_real(&medit->reading, what, &number, error));
    }
    return TIDE_OK;
}

// Allocates room for a section at once; read_count has limited its size by that of the file.
static tide_status reserve(medit *medit, const section *section, size_t count, tide_error *error)
{
    tide_reading *reading = &medit->reading;
    tide_indices *list = section->content == EDGES        ? &reading->edges
                         : section->content == TETRAHEDRA ? &reading->tetrahedra
                                                          : &reading->triangles;
    size_t indices = section->content == QUADRILATERALS ? 6 * count : section->width * count;
    bool enough = true;
    if (section->content == VERTICES)
        enough = tide_grow(&reading->vertices.items, &reading->vertices.capacity, 3 * count, sizeof(double));
    else if (section->content != SKIP)
        enough = tide_grow(&list->items, &list->capacity, list->count + indices, sizeof(uint32_t));
    return enough ? TIDE_OK : tide_fail_memory(error, reading->scan.object);
}

static tide_status read_section(medit *medit, const section *section, tide_error *error)
{
    const tide_scan *scan = &medit->reading.scan;
    unsigned bit = 1U << section->content;
    if (section->content != SKIP && (medit->seen & bit))
        return tide_scan_fail(scan, error, section->name, "the section is given twice; expected it once");
    medit->seen |= bit;
    size_t count = 0;
    tide_status status = read_count(medit, section, &count, error);
    bool element = section->content != SKIP && section->content != VERTICES;
    if (status == TIDE_OK && element && count && !medit->reading.vertices.count)
        return tide_scan_fail(scan, error, section->name, "expected the section Vertices before this one");
    if (status == TIDE_OK)
        status = reserve(medit, section, count, error);
    char reference[64];
    snprintf(reference, sizeof reference, "%s reference", section->item);
    for (size_t i = 0; i < count && status == TIDE_OK; i++) {
        int64_t number;
        status = tide_reading_expect_item(&medit->reading, TIDE_TEXT, section->name, i, count, error);
        if (status != TIDE_OK)
            break;
        if (section->content == SKIP)
            status = pass_numbers(medit, section->item, section->width, error);
        else
            status = element ? read_element(medit, section, error) : read_vertex(medit, error);
        if (status == TIDE_OK && section->reference)
            status = read_integer(medit, reference, &number, error);
    }
    if (status == TIDE_OK && next(medit)->at < scan->end && !isalpha((unsigned char)*scan->at))
        return tide_scan_fail(scan, error, section->name, "%zu announced, more found; correct the number", count);
    return status;
}

// Skips an unknown section up to the next word; refuses a misspelt one.
static tide_status pass_unknown(medit *medit, tide_error *error)
{
    enum { LONGEST = 63 };
    tide_scan *scan = &medit->reading.scan;
    const char *names[SECTIONS];
    for (size_t i = 0; i < SECTIONS; i++)
        names[i] = sections[i].name;
    char word[LONGEST + 1] = "", expected[96];
    size_t length = tide_scan_word_length(scan);
    if (!isalpha((unsigned char)*scan->at) || length > LONGEST)
        return tide_scan_expected(scan, error, "section", "a section such as Vertices or Tetrahedra, or End");
    memcpy(word, scan->at, length);
    const char *near = tide_nearest_name(word, names, SECTIONS);
    if (near) {
        snprintf(expected, sizeof expected, "a known section; did you mean \"%s\"?", near);
        return tide_scan_expected(scan, error, "section", expected);
    }
    do {
        scan->at += tide_scan_word_length(scan);
        next(medit);
    } while (scan->at < scan->end && !isalpha((unsigned char)*scan->at));
    return TIDE_OK;
}

static tide_status read_header(medit *medit, tide_error *error)
{
    int64_t number;
    tide_scan *scan = next(medit);
    if (!tide_scan_take_word(scan, "MeshVersionFormatted"))
        return tide_scan_expected(scan, error, "header", "MeshVersionFormatted");
    TIDE_TRY(read_integer(medit, "MeshVersionFormatted", &number, error));
    char shown[64];
    snprintf(shown, sizeof shown, "MeshVersionFormatted %lld", (long long)number);
    return number >= 1 && number <= 4 ? TIDE_OK : tide_scan_fail(scan, error, shown, "expected 1 to 4");
}

static tide_status read_dimension(medit *medit, tide_error *error)
{
    int64_t number;
    TIDE_TRY(read_integer(medit, "Dimension", &number, error));
    char shown[64];
    snprintf(shown, sizeof shown, "Dimension %lld", (long long)number);
    return number == 3 ? TIDE_OK : tide_scan_fail(&medit->reading.scan, error, shown, "expected 3");
}

static tide_status read_sections(medit *medit, tide_error *error)
{
    tide_status status = read_header(medit, error);
    while (status == TIDE_OK) {
        tide_scan *scan = next(medit);
        if (scan->at == scan->end || tide_scan_take_word(scan, "End"))
            break;
        size_t found = 0;
        while (found < SECTIONS && !tide_scan_take_word(scan, sections[found].name))
            found++;
        if (found < SECTIONS)
            status = read_section(medit, &sections[found], error);
        else if (tide_scan_take_word(scan, "Dimension"))
            status = read_dimension(medit, error);
        else
            status = pass_unknown(medit, error);
    }
    return status;
}

tide_status tide_mesh_read_medit(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error)
{
    medit medit = { 0 };
    tide_status status = tide_reading_begin(&medit.reading, bytes, size, name, "MEDIT mesh", error);
    if (status == TIDE_OK)
        status = read_sections(&medit, error);
    if (status == TIDE_OK)
        status = tide_reading_finish(&medit.reading, mesh, error);
    tide_reading_free(&medit.reading);
    return status;
}

static void write_section(tide_text *text, const char *name, const uint32_t *tuples, uint32_t width, uint32_t count)
{
    if (!count)
        return;
    tide_text_format(text, "%s\n%u\n", name, count);
    for (size_t i = 0; i < count; i++)
        tide_text_add_tuple(text, "", tuples + width * i, width, " 0");
}

static tide_status write(const tide_mesh *mesh, const tide_mesh_data *data, tide_text *text, tide_error *error)
{
    (void)data;
    bool derived = false;
    TIDE_TRY(tide_mesh_has_derived_edges(mesh, &derived, error));
    tide_text_format(text, "MeshVersionFormatted 2\nDimension 3\nVertices\n%u\n", mesh->vertex_count);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        for (size_t k = 0; k < 3; k++) {
            tide_text_add_real(text, mesh->vertices[3 * i + k]);
            tide_text_add(text, " ", 1);
        }
        tide_text_add(text, "0\n", 2);
    }
    if (!derived && (mesh->triangle_count || mesh->tetrahedron_count))
        tide_text_format(text, "#springtide edges\n");
    if (!derived)
        write_section(text, "Edges", mesh->edges, 2, mesh->edge_count);
    write_section(text, "Triangles", mesh->triangles, 3, mesh->triangle_count);
    write_section(text, "Tetrahedra", mesh->tetrahedra, 4, mesh->tetrahedron_count);
    tide_mesh_write_skip_notes(mesh, text);
    if (mesh->texture)
        tide_mesh_write_texture_notes(mesh, text);
    tide_text_format(text, "End\n");
    return TIDE_OK;
}

const tide_mesh_format tide_mesh_format_medit = { ".mesh", "MEDIT", tide_mesh_read_medit, write, NULL, NULL };
