// Wavefront OBJ: reads v, vt, f and l; skips other lines.
#include "formats/reading.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

typedef struct obj {
    tide_reading reading;
    size_t vertex_total, texture_total; // in the whole file: a face may come before its vertices
    tide_reals texture;                 // (2 * texture coordinates so far), with indices of their own
    uint32_t *texture_of; // (vertex_total) index from 1 of the first texture coordinate of each vertex, 0 for none
    tide_indices polygon;
} obj;

// Skips a backslash at the end of a line, which joins it to the next.
static bool pass_joined_line(tide_scan *scan)
{
    const char *next = scan->at;
    if (next == scan->end || *next++ != '\\')
        return false;
    next += next < scan->end && *next == '\r';
    if (next == scan->end || *next != '\n')
        return false;
    scan->at = next + 1;
    scan->line++;
    return true;
}

static void skip_blanks(tide_scan *scan)
{
    do
        tide_scan_skip_blanks(scan);
    while (pass_joined_line(scan));
}

// Skips the rest of a line, with the lines that are joined to it.
static void skip_line(tide_scan *scan)
{
    bool joined = true;
    while (joined && scan->at < scan->end) {
        tide_scan_skip_line(scan);
        const char *last = scan->at;
        last -= last > scan->begin && last[-1] == '\n';
        last -= last > scan->begin && last[-1] == '\r';
        joined = last > scan->begin && last[-1] == '\\';
    }
}

static tide_status end_line(tide_scan *scan, const char *what, tide_error *error)
{
    skip_blanks(scan);
    if (!tide_scan_at_line_end(scan))
        return tide_scan_expected(scan, error, what, "the end of the line");
    tide_scan_skip_line(scan);
    return TIDE_OK;
}

// Visits the lines as the reader does, so that both count the same vertices.
static void count_vertices(obj *obj)
{
    tide_scan scan = obj->reading.scan;
    while (scan.at < scan.end) {
        skip_blanks(&scan);
        bool vertex = tide_scan_take_word(&scan, "v"), texture = !vertex && tide_scan_take_word(&scan, "vt");
        obj->vertex_total += vertex;
        obj->texture_total += texture;
        bool read = vertex || texture || tide_scan_take_word(&scan, "f") || tide_scan_take_word(&scan, "l");
        if (!read && !tide_scan_at_line_end(&scan)) {
            skip_line(&scan);
            continue;
        }
        for (skip_blanks(&scan); !tide_scan_at_line_end(&scan); skip_blanks(&scan))
            scan.at += tide_scan_word_length(&scan);
        tide_scan_skip_line(&scan);
    }
}

// Reads "v x y z", and at most four more numbers: a weight or a colour.
static tide_status read_vertex(obj *obj, tide_error *error)
{
    double numbers[7];
    tide_scan *scan = &obj->reading.scan;
    uint32_t count = 0;
    for (skip_blanks(scan); count < 3 || (count < 7 && !tide_scan_at_line_end(scan)); skip_blanks(scan)) {
        tide_status status = tide_reading_real(&obj->reading, "vertex coordinate", &numbers[count++], error);
        if (status != TIDE_OK)
            return status;
    }
    tide_status status = tide_reading_add_reals(&obj->reading, &obj->reading.vertices, numbers, 3, error);
    return status == TIDE_OK ? end_line(scan, "vertex", error) : status;
}

// Reads "vt u [v [w]]".
static tide_status read_texture(obj *obj, tide_error *error)
{
    double numbers[3] = { 0 };
    tide_scan *scan = &obj->reading.scan;
    uint32_t count = 0;
    for (skip_blanks(scan); count < 1 || (count < 3 && !tide_scan_at_line_end(scan)); skip_blanks(scan)) {
        tide_status status = tide_reading_real(&obj->reading, "texture coordinate", &numbers[count++], error);
        if (status != TIDE_OK)
            return status;
    }
    tide_status status = tide_reading_add_reals(&obj->reading, &obj->texture, numbers, 2, error);
    return status == TIDE_OK ? end_line(scan, "texture coordinate", error) : status;
}

// Reads an index from 1 to `total`, or a negative one that counts back from the last of the `so_far` items above. Sets
// *index, from 0.
static tide_status read_index(obj *obj, const char *what, size_t so_far, size_t total, uint32_t *index,
                              tide_error *error)
{
    int64_t number;
    tide_scan *scan = &obj->reading.scan;
    if (!tide_scan_take_integer(scan, &number))
        return tide_scan_expected(scan, error, what, "an integer");
    char shown[64];
    snprintf(shown, sizeof shown, "%s %lld", what, (long long)number);
    bool below = number < 0 && number < -(int64_t)so_far;
    if (total == 0)
        return tide_scan_fail(scan, error, shown, "the file defines none");
    if (below && so_far == 0)
        return tide_scan_fail(scan, error, shown, "no line above defines one; expected 1 to %zu", total);
    if (below)
        return tide_scan_fail(scan, error, shown, "expected -%zu to -1 (or 1 to %zu)", so_far, total);
    if (number == 0 || number > (int64_t)total)
        return tide_scan_fail(scan, error, shown, "expected 1 to %zu (or negative)", total);
    *index = (uint32_t)(number > 0 ? number - 1 : (int64_t)so_far + number);
    return TIDE_OK;
}

// Reads "v", "v/t", "v//n" or "v/t/n"; normals are ignored.
static tide_status read_corner(obj *obj, const char *what, uint32_t *vertex, tide_error *error)
{
    tide_scan *scan = &obj->reading.scan;
    uint32_t texture;
    int64_t normal;
    tide_status status = read_index(obj, what, obj->reading.vertices.count / 3, obj->vertex_total, vertex, error);
    if (status != TIDE_OK || scan->at == scan->end || *scan->at != '/')
        return status;
    scan->at++;
    bool has_texture = scan->at == scan->end || *scan->at != '/';
    if (has_texture) {
        status = read_index(obj, "texture index", obj->texture.count / 2, obj->texture_total, &texture, error);
        if (status != TIDE_OK)
            return status;
        if (!obj->texture_of[*vertex])
            obj->texture_of[*vertex] = texture + 1;
    }
    if (scan->at == scan->end || *scan->at != '/')
        return TIDE_OK;
    scan->at++;
    if (!tide_scan_take_integer(scan, &normal))
        return tide_scan_expected(scan, error, "normal index", "an integer");
    return scan->at < scan->end && *scan->at == '/' ? tide_scan_expected(scan, error, what, "at most three indices")
                                                    : TIDE_OK;
}

static tide_status read_corners(obj *obj, const char *what, size_t least, tide_error *error)
{
    tide_scan *scan = &obj->reading.scan;
    obj->polygon.count = 0;
    for (skip_blanks(scan); obj->polygon.count < least || !tide_scan_at_line_end(scan); skip_blanks(scan)) {
        uint32_t vertex;
        tide_status status = read_corner(obj, what, &vertex, error);
        if (status == TIDE_OK)
            status = tide_reading_add_indices(&obj->reading, &obj->polygon, &vertex, 1, error);
        if (status != TIDE_OK)
            return status;
    }
    return TIDE_OK;
}

static tide_status refuse_repeated(obj *obj, const char *what, uint32_t vertex, tide_error *error)
{
    char shown[64];
    snprintf(shown, sizeof shown, "%s %u", what, vertex + 1);
    return tide_scan_fail(&obj->reading.scan, error, shown, "named twice; expected different vertices");
}

static tide_status read_face(obj *obj, tide_error *error)
{
    tide_status status = read_corners(obj, "face index", 3, error);
    const uint32_t *corners = obj->polygon.items;
    for (size_t i = 2; i < obj->polygon.count && status == TIDE_OK; i++) {
        const uint32_t triangle[3] = { corners[0], corners[i - 1], corners[i] };
        for (int k = 0; k < 3; k++)
            if (triangle[k] == triangle[(k + 1) % 3])
                return refuse_repeated(obj, "face index", triangle[k], error);
        status = tide_reading_add_indices(&obj->reading, &obj->reading.triangles, triangle, 3, error);
    }
    if (status == TIDE_OK)
        tide_scan_skip_line(&obj->reading.scan);
    return status;
}

static tide_status read_polyline(obj *obj, tide_error *error)
{
    TIDE_TRY(read_corners(obj, "line index", 2, error));
    for (size_t i = 1; i < obj->polygon.count; i++) {
        const uint32_t *edge = obj->polygon.items + i - 1;
        if (edge[0] == edge[1])
            return refuse_repeated(obj, "line index", edge[0], error);
        TIDE_TRY(tide_reading_add_indices(&obj->reading, &obj->reading.edges, edge, 2, error));
    }
    tide_scan_skip_line(&obj->reading.scan);
    return TIDE_OK;
}

static tide_status read_lines(obj *obj, tide_error *error)
{
    tide_scan *scan = &obj->reading.scan;
    tide_status status = TIDE_OK;
    while (status == TIDE_OK && scan->at < scan->end) {
        skip_blanks(scan);
        if (tide_scan_take_word(scan, "v"))
            status = read_vertex(obj, error);
        else if (tide_scan_take_word(scan, "vt"))
            status = read_texture(obj, error);
        else if (tide_scan_take_word(scan, "f"))
            status = read_face(obj, error);
        else if (tide_scan_take_word(scan, "l"))
            status = read_polyline(obj, error);
        else if (tide_scan_at_line_end(scan))
            tide_scan_skip_line(scan);
        else
            skip_line(scan);
    }
    return status;
}

// Sets the texture: each vertex gets its first texture coordinate, (0, 0) if it has none. The mesh has no texture if no
// face uses any.
static tide_status set_texture(obj *obj, tide_error *error)
{
    bool used = false;
    size_t vertex_count = obj->reading.vertices.count / 3;
    for (size_t i = 0; i < obj->vertex_total && !used; i++)
        used = obj->texture_of[i] != 0;
    for (size_t i = 0; i < vertex_count && used; i++) {
        static const double zero[2];
        uint32_t texture = i < obj->vertex_total ? obj->texture_of[i] : 0;
        const double *uv = texture ? obj->texture.items + 2 * (size_t)(texture - 1) : zero;
        TIDE_TRY(tide_reading_add_reals(&obj->reading, &obj->reading.texture, uv, 2, error));
    }
    return TIDE_OK;
}

static tide_status read(obj *obj, tide_mesh **mesh, tide_error *error)
{
    count_vertices(obj);
    obj->texture_of = tide_allocate_zeroed(obj->vertex_total, sizeof *obj->texture_of);
    if (!obj->texture_of)
        return tide_fail_memory(error, "OBJ mesh");
    TIDE_TRY(read_lines(obj, error));
    TIDE_TRY(set_texture(obj, error));
    return tide_reading_finish(&obj->reading, mesh, error);
}

tide_status tide_mesh_read_obj(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error)
{
    obj obj = { 0 };
    tide_status status = tide_reading_begin(&obj.reading, bytes, size, name, "OBJ mesh", error);
    if (status == TIDE_OK)
        status = read(&obj, mesh, error);
    tide_free(obj.texture.items);
    tide_free(obj.texture_of);
    tide_free(obj.polygon.items);
    tide_reading_free(&obj.reading);
    return status;
}

static void write_reals(tide_text *text, const char *keyword, const double *numbers, int width)
{
    tide_text_add(text, keyword, strlen(keyword));
    for (int k = 0; k < width; k++) {
        tide_text_add(text, " ", 1);
        tide_text_add_real(text, numbers[k]);
    }
    tide_text_add(text, "\n", 1);
}

static void write_faces(const tide_mesh *mesh, tide_text *text)
{
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles + 3 * i;
        char line[128];
        if (mesh->texture) {
            int length = snprintf(line, sizeof line, "f %u/%u %u/%u %u/%u\n", t[0] + 1, t[0] + 1, t[1] + 1, t[1] + 1,
                                  t[2] + 1, t[2] + 1);
            tide_text_add(text, line, (size_t)length);
        } else
            tide_text_add_tuple(text, "f ", t, 3, "");
    }
}

// Sets *covered if faces use every vertex, and so carry its texture coordinates.
static tide_status is_covered(const tide_mesh *mesh, bool *covered, tide_error *error)
{
    TIDE_SCOPED unsigned char *used = tide_allocate_zeroed(mesh->vertex_count, 1);
    if (!used)
        return tide_fail_memory(error, "OBJ mesh");
    uint32_t count = 0;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
        count += !used[mesh->triangles[i]];
        used[mesh->triangles[i]] = 1;
    }
    *covered = count == mesh->vertex_count;
    return TIDE_OK;
}

static tide_status write(const tide_mesh *mesh, const tide_mesh_data *data, tide_text *text, tide_error *error)
{
    (void)data;
    bool derived = false, covered = false;
    TIDE_TRY(tide_mesh_has_derived_edges(mesh, &derived, error));
    TIDE_TRY(is_covered(mesh, &covered, error));
    tide_text_format(text, "# %u vertices, %u edges, %u triangles, %u tetrahedra\n", mesh->vertex_count,
                     mesh->edge_count, mesh->triangle_count, mesh->tetrahedron_count);
    for (size_t i = 0; i < mesh->vertex_count; i++)
        write_reals(text, "v", mesh->vertices + 3 * i, 3);
    for (size_t i = 0; i < mesh->vertex_count && mesh->texture; i++)
        write_reals(text, "vt", mesh->texture + 2 * i, 2);
    write_faces(mesh, text);
    if (!derived && (mesh->triangle_count || mesh->tetrahedron_count))
        tide_text_format(text, "#springtide edges\n");
    for (size_t i = 0; i < mesh->edge_count && !derived; i++)
        tide_text_add_tuple(text, "l ", mesh->edges + 2 * i, 2, "");
    tide_mesh_write_skip_notes(mesh, text);
    for (size_t i = 0; i < mesh->tetrahedron_count; i++)
        tide_text_add_tuple(text, "#springtide tetrahedron ", mesh->tetrahedra + 4 * i, 4, "");
    if (mesh->texture && !covered)
        tide_mesh_write_texture_notes(mesh, text);
    return TIDE_OK;
}

const tide_mesh_format tide_mesh_format_obj = { ".obj", "Wavefront OBJ", tide_mesh_read_obj, write, NULL, NULL };
