// Gmsh's .msh (Geuzaine and Remacle 2009), versions 2.2 and 4.1 as text. Nodes have tags: positive integers in any
// order, with gaps. Vertices are the nodes in the order of the file. First-order lines, triangles, quadrilaterals and
// tetrahedra are read; other elements and sections are skipped.
#include "formats/reading.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct node {
    int64_t tag;
    uint32_t vertex;
} node;

typedef struct gmsh {
    tide_reading reading;
    bool has_format, has_nodes, has_elements, is_4;
    node *nodes; // sorted by tag after reading
    size_t node_count, node_capacity;
    int64_t passed; // a type of elements that was skipped, 0 for none
} gmsh;

static const struct type {
    int64_t number;
    const char *name;
    uint32_t corners;
    tide_cell cell;
} types[] = {
    { 1, "line", 2, TIDE_CELL_LINE },
    { 2, "triangle", 3, TIDE_CELL_POLYGON },
    { 3, "quadrilateral", 4, TIDE_CELL_POLYGON },
    { 4, "tetrahedron", 4, TIDE_CELL_TETRAHEDRON },
};
enum { TYPES = sizeof types / sizeof types[0], POINT_TYPE = 15 };

static tide_status read_integer(gmsh *gmsh, const char *what, int64_t *number, tide_error *error)
{
    tide_scan *scan = &gmsh->reading.scan;
    tide_scan_skip_space(scan);
    return tide_scan_take_integer(scan, number) ? TIDE_OK : tide_scan_expected(scan, error, what, "an integer");
}

// Reads a count of items of at least `each` numbers.
static tide_status read_count(gmsh *gmsh, const char *what, size_t each, size_t *count, tide_error *error)
{
    char shown[64];
    int64_t number;
    snprintf(shown, sizeof shown, "%s count", what);
    TIDE_TRY(read_integer(gmsh, shown, &number, error));
    return tide_reading_count(&gmsh->reading, TIDE_TEXT, what, (double)number, each, count, error);
}

static tide_status pass_integers(gmsh *gmsh, const char *what, int count, tide_error *error)
{
    for (int64_t number; count > 0; count--)
        TIDE_TRY(read_integer(gmsh, what, &number, error));
    return TIDE_OK;
}

static tide_status read_format(gmsh *gmsh, tide_error *error)
{
    static const char remedy[] = "text of version 2.2 or 4.1: gmsh OLD -save -format msh41 -o NEW";
    tide_scan *scan = &gmsh->reading.scan;
    tide_scan_skip_space(scan);
    gmsh->is_4 = tide_scan_take_word(scan, "4.1");
    if (!gmsh->is_4 && !tide_scan_take_word(scan, "2.2"))
        return tide_scan_expected(scan, error, "version", remedy);
    tide_scan_skip_space(scan);
    if (tide_scan_take_word(scan, "1"))
        return tide_scan_fail(scan, error, "file type 1 (binary)", "expected %s", remedy);
    if (!tide_scan_take_word(scan, "0"))
        return tide_scan_expected(scan, error, "file type", "0");
    gmsh->has_format = true;
    return pass_integers(gmsh, "size of numbers", 1, error);
}

// --- nodes

static int by_tag(const void *a, const void *b)
{
    const node *left = a, *right = b;
    return (left->tag > right->tag) - (left->tag < right->tag);
}

static tide_status add_tag(gmsh *gmsh, tide_error *error)
{
    node node = { .vertex = (uint32_t)gmsh->node_count };
    TIDE_TRY(read_integer(gmsh, "node tag", &node.tag, error));
    if (!tide_grow(&gmsh->nodes, &gmsh->node_capacity, gmsh->node_count + 1, sizeof node))
        return tide_fail_memory(error, gmsh->reading.scan.object);
    gmsh->nodes[gmsh->node_count++] = node;
    return TIDE_OK;
}

static tide_status add_position(gmsh *gmsh, tide_error *error)
{
    double position[3];
    tide_status status = TIDE_OK;
    tide_reading *reading = &gmsh->reading;
    for (int k = 0; k < 3 && status == TIDE_OK; k++)
        status = tide_reading_number(reading, TIDE_TEXT, TIDE_FLOAT64, "node coordinate", &position[k], error);
    return status == TIDE_OK ? tide_reading_add_reals(reading, &reading->vertices, position, 3, error) : status;
}

// Reads "dimension tag parametric count", the tags, then the positions; parametric nodes also have parameters.
static tide_status read_node_block(gmsh *gmsh, tide_error *error)
{
    int64_t dimension, tag, parametric = 0;
    size_t count = 0;
    TIDE_TRY(read_integer(gmsh, "dimension of an entity", &dimension, error));
    if (dimension < 0 || dimension > 3)
        return tide_scan_fail(&gmsh->reading.scan, error, "dimension of an entity", "expected 0 to 3");
    TIDE_TRY(read_integer(gmsh, "tag of an entity", &tag, error));
    TIDE_TRY(read_integer(gmsh, "parametric", &parametric, error));
    TIDE_TRY(read_count(gmsh, "node", 4, &count, error));
    for (size_t i = 0; i < count; i++)
        TIDE_TRY(add_tag(gmsh, error));
    for (size_t i = 0; i < count; i++) {
        TIDE_TRY(tide_reading_expect_item(&gmsh->reading, TIDE_TEXT, "nodes of a block", i, count, error));
        TIDE_TRY(add_position(gmsh, error));
        if (parametric)
            TIDE_TRY(
                tide_reading_pass(&gmsh->reading, TIDE_TEXT, TIDE_FLOAT64, "node parameter", (size_t)dimension, error));
    }
    return TIDE_OK;
}

static tide_status sort_nodes(gmsh *gmsh, tide_error *error)
{
    bool sorted = true;
    for (size_t i = 1; i < gmsh->node_count && sorted; i++)
        sorted = gmsh->nodes[i - 1].tag < gmsh->nodes[i].tag;
    if (!sorted)
        qsort(gmsh->nodes, gmsh->node_count, sizeof *gmsh->nodes, by_tag);
    for (size_t i = 1; i < gmsh->node_count; i++)
        if (gmsh->nodes[i - 1].tag == gmsh->nodes[i].tag) {
            char shown[64];
            snprintf(shown, sizeof shown, "node tag %lld", (long long)gmsh->nodes[i].tag);
            return tide_scan_fail(&gmsh->reading.scan, error, shown, "given twice; expected different tags");
        }
    return TIDE_OK;
}

static tide_status read_nodes(gmsh *gmsh, tide_error *error)
{
    size_t count = 0, blocks = 0;
    tide_status status = gmsh->is_4 ? read_count(gmsh, "block", 4, &blocks, error) : TIDE_OK;
    if (status == TIDE_OK)
        status = read_count(gmsh, "node", 4, &count, error);
    if (status == TIDE_OK && gmsh->is_4)
        status = pass_integers(gmsh, "tag", 2, error);
    for (size_t i = 0; i < blocks && status == TIDE_OK; i++)
        status = read_node_block(gmsh, error);
    for (size_t i = 0; i < count && status == TIDE_OK && !gmsh->is_4; i++) {
        status = tide_reading_expect_item(&gmsh->reading, TIDE_TEXT, "$Nodes", i, count, error);
        if (status == TIDE_OK)
            status = add_tag(gmsh, error);
        if (status == TIDE_OK)
            status = add_position(gmsh, error);
    }
    if (status == TIDE_OK && gmsh->node_count != count) {
        char shown[64];
        snprintf(shown, sizeof shown, "%zu nodes", gmsh->node_count);
        return tide_scan_fail(&gmsh->reading.scan, error, shown, "expected %zu, as the section begins", count);
    }
    return status == TIDE_OK ? sort_nodes(gmsh, error) : status;
}

// --- elements

static tide_status find_vertex(gmsh *gmsh, const struct type *type, int64_t tag, uint32_t *vertex, tide_error *error)
{
    const node key = { .tag = tag };
    bool any = gmsh->node_count > 0; // bsearch needs an array
    const node *found = any ? bsearch(&key, gmsh->nodes, gmsh->node_count, sizeof key, by_tag) : NULL;
    if (found) {
        *vertex = found->vertex;
        return TIDE_OK;
    }
    char shown[64];
    snprintf(shown, sizeof shown, "%s node %lld", type->name, (long long)tag);
    if (!any)
        return tide_scan_fail(&gmsh->reading.scan, error, shown, "the file has no nodes");
    const node *last = &gmsh->nodes[gmsh->node_count - 1];
    return tide_scan_fail(&gmsh->reading.scan, error, shown, "%s; expected one of the %zu from %lld to %lld",
                          tag > last->tag ? "the tag is beyond the end" : "no node has this tag", gmsh->node_count,
                          (long long)gmsh->nodes[0].tag, (long long)last->tag);
}

static tide_status read_corners(gmsh *gmsh, const struct type *type, tide_error *error)
{
    uint32_t corners[4];
    for (uint32_t i = 0; i < type->corners; i++) {
        int64_t tag;
        TIDE_TRY(read_integer(gmsh, "node of an element", &tag, error));
        TIDE_TRY(find_vertex(gmsh, type, tag, &corners[i], error));
    }
    return tide_reading_add_cell(&gmsh->reading, type->cell, type->name, corners, type->corners, 1, error);
}

// Returns NULL for a type that is skipped.
static const struct type *find_type(gmsh *gmsh, int64_t number)
{
    for (size_t i = 0; i < TYPES; i++)
        if (types[i].number == number)
            return &types[i];
    if (number != POINT_TYPE)
        gmsh->passed = number;
    return NULL;
}

// Reads an element of version 2.2: "tag type count tags nodes".
static tide_status read_element(gmsh *gmsh, tide_error *error)
{
    int64_t number;
    size_t tags = 0;
    tide_status status = pass_integers(gmsh, "element tag", 1, error);
    if (status == TIDE_OK)
        status = read_integer(gmsh, "element type", &number, error);
    if (status == TIDE_OK)
        status = read_count(gmsh, "tag", 1, &tags, error);
    if (status == TIDE_OK)
        status = tide_reading_pass(&gmsh->reading, TIDE_TEXT, TIDE_INT64, "tag", tags, error);
    const struct type *type = status == TIDE_OK ? find_type(gmsh, number) : NULL;
    if (type)
        return read_corners(gmsh, type, error);
    tide_scan_skip_line(&gmsh->reading.scan);
    return status;
}

// Reads a block of elements of version 4.1: "dimension tag type count", then lines of "tag nodes".
static tide_status read_element_block(gmsh *gmsh, size_t *total, tide_error *error)
{
    int64_t number;
    size_t count = 0;
    tide_status status = pass_integers(gmsh, "entity", 2, error);
    if (status == TIDE_OK)
        status = read_integer(gmsh, "element type", &number, error);
    if (status == TIDE_OK)
        status = read_count(gmsh, "element", 2, &count, error);
    const struct type *type = status == TIDE_OK ? find_type(gmsh, number) : NULL;
    for (size_t i = 0; i < count && status == TIDE_OK; i++) {
        status = tide_reading_expect_item(&gmsh->reading, TIDE_TEXT, "elements of a block", i, count, error);
        if (status == TIDE_OK)
            status = pass_integers(gmsh, "element tag", 1, error);
        if (status == TIDE_OK && type)
            status = read_corners(gmsh, type, error);
        else
            tide_scan_skip_line(&gmsh->reading.scan);
    }
    *total += count;
    return status;
}

static tide_status read_elements(gmsh *gmsh, tide_error *error)
{
    size_t count = 0, blocks = 0, total = 0;
    TIDE_TRY(gmsh->is_4 ? read_count(gmsh, "block", 4, &blocks, error) : TIDE_OK);
    TIDE_TRY(read_count(gmsh, "element", 2, &count, error));
    if (gmsh->is_4)
        TIDE_TRY(pass_integers(gmsh, "tag", 2, error));
    for (size_t i = 0; i < blocks; i++)
        TIDE_TRY(read_element_block(gmsh, &total, error));
    if (gmsh->is_4 && total != count) {
        char shown[64];
        snprintf(shown, sizeof shown, "%zu elements", total);
        return tide_scan_fail(&gmsh->reading.scan, error, shown, "expected %zu, as the section begins", count);
    }
    for (size_t i = 0; i < count && !gmsh->is_4; i++) {
        TIDE_TRY(tide_reading_expect_item(&gmsh->reading, TIDE_TEXT, "$Elements", i, count, error));
        TIDE_TRY(read_element(gmsh, error));
    }
    return TIDE_OK;
}

// --- sections: "$Name", lines, "$EndName"

static tide_status need_end(tide_scan *scan, const char *end, tide_error *error)
{
    tide_scan_skip_space(scan);
    return tide_scan_take_word(scan, end) ? TIDE_OK : tide_scan_expected(scan, error, "section", end);
}

static tide_status pass_section(tide_scan *scan, tide_error *error)
{
    char shown[64];
    const char *name = scan->at + 1;
    size_t length = tide_scan_word_length(scan) - 1;
    snprintf(shown, sizeof shown, "section $%.*s", (int)(length < 40 ? length : 40), name);
    for (char *c = shown; *c; c++)
        *c = *c >= ' ' && *c <= '~' ? *c : '?';
    do {
        tide_scan_skip_line(scan);
        size_t left = (size_t)(scan->end - scan->at);
        if (left >= length + 4 && memcmp(scan->at, "$End", 4) == 0 && memcmp(scan->at + 4, name, length) == 0) {
            tide_scan_skip_line(scan);
            return TIDE_OK;
        }
    } while (scan->at < scan->end);
    return tide_scan_fail(scan, error, shown, "expected its $End, found the end of the file");
}

static tide_status read_sections(gmsh *gmsh, tide_error *error)
{
    static const struct {
        const char *begin, *end;
        tide_status (*read)(struct gmsh *gmsh, tide_error *error);
    } sections[] = {
        { "$MeshFormat", "$EndMeshFormat", read_format },
        { "$Nodes", "$EndNodes", read_nodes },
        { "$Elements", "$EndElements", read_elements },
    };
    tide_scan *scan = &gmsh->reading.scan;
    bool *const has[] = { &gmsh->has_format, &gmsh->has_nodes, &gmsh->has_elements };
    tide_status status = TIDE_OK;
    for (tide_scan_skip_space(scan); scan->at < scan->end && status == TIDE_OK; tide_scan_skip_space(scan)) {
        size_t i = 0;
        while (i < 3 && !tide_scan_take_word(scan, sections[i].begin))
            i++;
        if (i == 3 && *scan->at != '$')
            return tide_scan_expected(scan, error, "section",
                                      gmsh->has_format ? "a section such as $Nodes" : "$MeshFormat");
        if (i < 3 && *has[i])
            return tide_scan_fail(scan, error, sections[i].begin, "the section is given twice; expected it once");
        if (i > 0 && i < 3 && !*has[i - 1])
            return tide_scan_fail(scan, error, sections[i].begin, "expected the section %s before this one",
                                  sections[i - 1].begin);
        if (i < 3) {
            *has[i] = true;
            status = sections[i].read(gmsh, error);
            if (status == TIDE_OK)
                status = need_end(scan, sections[i].end, error);
        } else
            status = pass_section(scan, error);
    }
    return status;
}

tide_status tide_mesh_read_gmsh(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error)
{
    gmsh gmsh = { 0 };
    tide_reading *reading = &gmsh.reading;
    tide_status status = tide_reading_begin(reading, bytes, size, name, "Gmsh mesh", error);
    if (status == TIDE_OK)
        status = read_sections(&gmsh, error);
    if (status == TIDE_OK && gmsh.passed && !reading->edges.count && !reading->triangles.count &&
        !reading->tetrahedra.count) {
        char shown[64];
        snprintf(shown, sizeof shown, "elements of type %lld", (long long)gmsh.passed);
        status = tide_scan_fail(&reading->scan, error, shown,
                                "expected some of types 1 to 4: lines, triangles, quadrilaterals or tetrahedra; "
                                "gmsh -order 1 makes no others");
    }
    reading->scan.note = NULL;
    if (status == TIDE_OK)
        status = tide_reading_finish(reading, mesh, error);
    tide_free(gmsh.nodes);
    tide_reading_free(reading);
    return status;
}

const tide_mesh_format tide_mesh_format_gmsh = { ".msh", "Gmsh", tide_mesh_read_gmsh, NULL, NULL, NULL };
