// STL: triangles of three corners each, as text or in binary (a header of 80 bytes, a count, then 50 bytes for each
// triangle, little endian). Corners at exactly the same place become one vertex; triangles that lose a corner by this
// are dropped.
#include "formats/reading.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { HEADER = 80, TRIANGLE = 50 };

static bool take_word(tide_scan *scan, const char *word)
{
    tide_scan_skip_space(scan);
    return tide_scan_take_keyword(scan, word);
}

static tide_status need_words(tide_scan *scan, const char *first, const char *second, tide_error *error)
{
    if (!take_word(scan, first))
        return tide_scan_expected(scan, error, "triangle", first);
    if (second && !take_word(scan, second))
        return tide_scan_expected(scan, error, "triangle", second);
    return TIDE_OK;
}

// Skips the normal, which is unused, and may be text such as "1.#IND", written for a missing number.
static tide_status pass_normal(tide_scan *scan, tide_error *error)
{
    for (int k = 0; k < 3; k++) {
        tide_scan_skip_space(scan);
        if (scan->at == scan->end)
            return tide_scan_expected(scan, error, "normal", "a number");
        while (scan->at < scan->end && !strchr(" \t\r\n", *scan->at))
            scan->at++;
    }
    return TIDE_OK;
}

// Reads from after "facet" to "endfacet".
static tide_status read_facet(tide_reading *reading, tide_error *error)
{
    tide_scan *scan = &reading->scan;
    double corners[9];
    TIDE_TRY(need_words(scan, "normal", NULL, error));
    TIDE_TRY(pass_normal(scan, error));
    TIDE_TRY(need_words(scan, "outer", "loop", error));
    for (int i = 0; i < 3; i++) {
        TIDE_TRY(need_words(scan, "vertex", NULL, error));
        for (int k = 0; k < 3; k++)
            TIDE_TRY(
                tide_reading_number(reading, TIDE_TEXT, TIDE_FLOAT64, "vertex coordinate", &corners[3 * i + k], error));
    }
    TIDE_TRY(need_words(scan, "endloop", "endfacet", error));
    return tide_reading_add_reals(reading, &reading->vertices, corners, 9, error);
}

static tide_status read_text(tide_reading *reading, tide_error *error)
{
    tide_scan *scan = &reading->scan;
    tide_status status = TIDE_OK;
    do {
        if (!take_word(scan, "solid"))
            return tide_scan_expected(scan, error, "header", "solid");
        tide_scan_skip_line(scan);
        while (status == TIDE_OK && take_word(scan, "facet"))
            status = read_facet(reading, error);
        if (status == TIDE_OK && !take_word(scan, "endsolid"))
            status = tide_scan_expected(scan, error, "solid", "facet or endsolid");
        tide_scan_skip_line(scan);
        tide_scan_skip_space(scan);
    } while (status == TIDE_OK && scan->at < scan->end);
    return status;
}

static tide_status read_binary(tide_reading *reading, tide_error *error)
{
    tide_scan *scan = &reading->scan;
    double number, corners[9];
    size_t count = 0;
    scan->binary = true;
    tide_status status = tide_reading_pass(reading, TIDE_LITTLE_ENDIAN, TIDE_UINT8, "header", HEADER, error);
    if (status == TIDE_OK)
        status = tide_reading_number(reading, TIDE_LITTLE_ENDIAN, TIDE_UINT32, "triangle count", &number, error);
    if (status == TIDE_OK)
        status = tide_reading_count(reading, TIDE_LITTLE_ENDIAN, "triangle", number, TRIANGLE, &count, error);
    for (size_t i = 0; i < count && status == TIDE_OK; i++) {
        scan->at += 3 * sizeof(float);
        for (int k = 0; k < 9 && status == TIDE_OK; k++)
            status =
                tide_reading_number(reading, TIDE_LITTLE_ENDIAN, TIDE_FLOAT32, "vertex coordinate", &corners[k], error);
        scan->at += sizeof(uint16_t);
        if (status == TIDE_OK)
            status = tide_reading_add_reals(reading, &reading->vertices, corners, 9, error);
    }
    return status;
}

// Tells whether the file is text. A binary header may begin as text does, but then the size of the file fits, or it
// contains bytes that are not text.
static bool is_text(const char *bytes, size_t size)
{
    size_t start = 0, looked_at = size < 512 ? size : 512;
    while (start < size && strchr(" \t\r\n", bytes[start]) && bytes[start])
        start++;
    if (size - start < 5 || strncasecmp(bytes + start, "solid", 5) != 0)
        return false;
    if (size >= HEADER + 4) {
        const unsigned char *count = (const unsigned char *)bytes + HEADER;
        uint64_t triangles = count[0] | (uint64_t)count[1] << 8 | (uint64_t)count[2] << 16 | (uint64_t)count[3] << 24;
        if (HEADER + 4 + TRIANGLE * triangles == size)
            return false;
    }
    return !memchr(bytes, '\0', looked_at);
}

// Numbers the vertices of triangles with three distinct corners, in the order of their first use. `lowest` holds the
// first corner at the place of each corner; `numbers` (corner_count) is all UINT32_MAX.
static tide_status number_vertices(tide_reading *reading, size_t corner_count, const uint32_t *lowest,
                                   uint32_t *numbers, tide_error *error)
{
    uint32_t kept = 0;
    tide_status status = TIDE_OK;
    double *vertices = reading->vertices.items;
    for (size_t i = 0; i < corner_count && status == TIDE_OK; i += 3) {
        const uint32_t *t = lowest + i;
        uint32_t triangle[3];
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0])
            continue;
        for (size_t k = 0; k < 3; k++) {
            if (numbers[t[k]] == UINT32_MAX) {
                numbers[t[k]] = kept;
                memmove(vertices + 3 * (size_t)kept++, vertices + 3 * (i + k), 3 * sizeof *vertices);
            }
            triangle[k] = numbers[t[k]];
        }
        status = tide_reading_add_indices(reading, &reading->triangles, triangle, 3, error);
    }
    reading->vertices.count = 3 * (size_t)kept;
    return status;
}

static tide_status join(tide_reading *reading, tide_error *error)
{
    size_t corner_count = reading->vertices.count / 3;
    if (corner_count == 0)
        return tide_scan_fail(&reading->scan, error, NULL, "there are no triangles; expected at least one");
    TIDE_SCOPED uint32_t *lowest = tide_allocate_array(2 * corner_count, sizeof *lowest);
    if (!lowest)
        return tide_fail_memory(error, reading->scan.object);
    uint32_t *numbers = lowest + corner_count;
    memset(numbers, 0xff, corner_count * sizeof *numbers);
    TIDE_TRY(tide_mesh_cluster(reading->vertices.items, (uint32_t)corner_count, 0, lowest, error));
    TIDE_TRY(number_vertices(reading, corner_count, lowest, numbers, error));
    if (reading->triangles.count == 0)
        TIDE_TRY(tide_scan_fail(&reading->scan, error, "triangles",
                                "each has two corners at one place; expected three different ones"));
    return TIDE_OK;
}

tide_status tide_mesh_read_stl(const char *bytes, size_t size, const char *name, tide_mesh **mesh, tide_error *error)
{
    tide_reading reading;
    tide_status status = tide_reading_begin(&reading, bytes, size, name, "STL mesh", error);
    if (status == TIDE_OK)
        status = is_text(reading.scan.at, (size_t)(reading.scan.end - reading.scan.at)) ? read_text(&reading, error)
                                                                                        : read_binary(&reading, error);
    reading.scan.note = NULL;
    if (status == TIDE_OK)
        status = join(&reading, error);
    if (status == TIDE_OK)
        status = tide_reading_finish(&reading, mesh, error);
    tide_reading_free(&reading);
    return status;
}

const tide_mesh_format tide_mesh_format_stl = { ".stl", "STL", tide_mesh_read_stl, NULL, NULL, NULL };
