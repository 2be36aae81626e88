// Shared by the tests of file formats. A test defines READER before, such as tide_mesh_read_ply.
#ifndef TIDE_FILE_TESTS_H
#define TIDE_FILE_TESTS_H

#include "../mesh/mesh_tests.h"

#include "formats/mesh_file.h"

#include <math.h>
#include <stdio.h>

static inline tide_mesh *read_bytes(const void *bytes, size_t size)
{
    tide_mesh *mesh = NULL;
    tide_error error;
    assert_ok(READER(bytes, size, "a.file", &mesh, &error), error);
    return mesh;
}

static inline tide_mesh *read_text(const char *text)
{
    return read_bytes(text, strlen(text));
}

// The whole message, which must be one of a malformed file.
static inline void assert_refused_bytes(const void *bytes, size_t size, const char *message)
{
    tide_mesh *mesh = NULL;
    tide_error error;
    char found[1024];
    assert_int_equal(READER(bytes, size, "a.file", &mesh, &error), TIDE_ERROR_FORMAT);
    assert_string_equal(tide_error_text(&error, found, sizeof found), message);
    assert_null(mesh);
}

static inline void assert_refused(const char *text, const char *message)
{
    assert_refused_bytes(text, strlen(text), message);
}

static inline void assert_indices(const uint32_t *found, uint32_t count, const uint32_t *expected,
                                  uint32_t expected_count, size_t width)
{
    assert_int_equal(count, expected_count);
    assert_memory_equal(found, expected, width * sizeof(uint32_t) * count);
}

#define ASSERT_TRIANGLES(mesh, ...)                                                                                    \
    do {                                                                                                               \
        const uint32_t expected_[] = { __VA_ARGS__ };                                                                  \
        assert_indices((mesh)->triangles, (mesh)->triangle_count, expected_, sizeof expected_ / 12, 3);                \
    } while (0)

#define ASSERT_TETRAHEDRA(mesh, ...)                                                                                   \
    do {                                                                                                               \
        const uint32_t expected_[] = { __VA_ARGS__ };                                                                  \
        assert_indices((mesh)->tetrahedra, (mesh)->tetrahedron_count, expected_, sizeof expected_ / 16, 4);            \
    } while (0)

#define ASSERT_VERTICES(mesh, ...)                                                                                     \
    do {                                                                                                               \
        const double expected_[] = { __VA_ARGS__ };                                                                    \
        assert_int_equal((mesh)->vertex_count, sizeof expected_ / 24);                                                 \
        assert_memory_equal((mesh)->vertices, expected_, sizeof expected_);                                            \
    } while (0)

// Bytes of a file, put together.
typedef struct file_bytes {
    unsigned char bytes[2048];
    size_t size;
} file_bytes;

static inline void put_text(file_bytes *file, const char *text)
{
    memcpy(file->bytes + file->size, text, strlen(text));
    file->size += strlen(text);
}

static inline void put(file_bytes *file, const void *number, size_t size, bool big)
{
    for (size_t i = 0; i < size; i++)
        file->bytes[file->size++] =
            ((const unsigned char *)number)[big ? size - 1 - i : i]; // of a little-endian machine
}

static inline void put_integer(file_bytes *file, int64_t number, size_t size, bool big)
{
    put(file, &number, size, big);
}

static inline void put_float(file_bytes *file, float number, bool big)
{
    put(file, &number, sizeof number, big);
}

static inline void put_double(file_bytes *file, double number, bool big)
{
    put(file, &number, sizeof number, big);
}

#endif
