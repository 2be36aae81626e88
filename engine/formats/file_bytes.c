#include "formats/reading.h"

#include "base/input_file.h"
#include "base/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

char *tide_mesh_file_name(const char *path, char *text, size_t size)
{
    size_t length = strlen(path), room = size - sizeof "mesh file \"\"";
    if (length <= room)
        snprintf(text, size, "mesh file \"%s\"", path);
    else
        snprintf(text, size, "mesh file \"...%s\"", path + length - room + 3);
    return text;
}

void tide_mesh_file_beside(const char *path, const char *extension, char *out, size_t size)
{
    const char *dot = strrchr(path, '.');
    size_t stem = (size_t)(dot - path);
    bool upper = dot[1] >= 'A' && dot[1] <= 'Z';
    snprintf(out, size, "%.*s%s", (int)stem, path, extension);
    for (size_t i = stem; upper && i < size && out[i]; i++)
        out[i] = out[i] >= 'a' && out[i] <= 'z' ? (char)(out[i] - 'a' + 'A') : out[i];
}

static tide_status fail_file(tide_error *error, const char *object, const char *what, int reason)
{
    return tide_fail(error, TIDE_ERROR_FILE, object, NULL, NULL, "cannot be %s: %s; check the path", what,
                     strerror(reason));
}

// Reads the rest of an open file; the caller frees the bytes.
static tide_status read_all(FILE *file, const char *object, char **bytes, size_t *size, tide_error *error)
{
    char *all = NULL;
    size_t length = 0, capacity = 0, wanted = 1 << 16;
    if (fseek(file, 0, SEEK_END) == 0) {
        long end = ftell(file);
        if (end > 0 && end < INT_MAX)
            wanted = (size_t)end + 1;
        rewind(file);
    }
    for (;;) {
        if (!tide_grow(&all, &capacity, wanted, 1)) {
            tide_free(all);
            return tide_fail_memory(error, object);
        }
        errno = 0;
        size_t got = fread(all + length, 1, capacity - length, file);
        length += got;
        if (ferror(file)) {
            int reason = errno;
            tide_free(all);
            return fail_file(error, object, "read", reason);
        }
        if (length < capacity)
            break;
        if (length > INT_MAX) {
            tide_free(all);
            return tide_fail(error, TIDE_ERROR_FILE, object, NULL, NULL, "is too large; expected at most %d bytes",
                             INT_MAX);
        }
        wanted = length + 1;
    }
    *bytes = all;
    *size = length;
    return TIDE_OK;
}

tide_status tide_mesh_file_bytes(const char *path, char **bytes, size_t *size, tide_error *error)
{
    char object[96];
    tide_mesh_file_name(path, object, sizeof object);
    tide_status status = tide_input_file_check(path, object, error);
    if (status != TIDE_OK)
        return status;
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return fail_file(error, object, "opened", errno);
    status = read_all(file, object, bytes, size, error);
    fclose(file);
    return status;
}
