#define _POSIX_C_SOURCE 200809L
#include "formats/reading.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/output_file.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const tide_mesh_format *const formats[] = {
    &tide_mesh_format_obj,         &tide_mesh_format_ply,        &tide_mesh_format_stl,  &tide_mesh_format_medit,
    &tide_mesh_format_tetgen_node, &tide_mesh_format_tetgen_ele, &tide_mesh_format_gmsh, &tide_mesh_format_vtk,
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

// Returns the format of a path's extension; `save`: of those that can be written, else of those that can be read.
static const tide_mesh_format *find_format(const char *path, bool save, const char *object, tide_error *error)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    char known[256] = "";
    const tide_mesh_format *last = NULL;
    size_t length = 0, last_length = 0;
    for (size_t i = 0; i < FORMATS; i++) {
        if (save ? !formats[i]->write : !formats[i]->read && !formats[i]->load)
            continue;
        if (dot && strcasecmp(dot, formats[i]->extension) == 0)
            return formats[i];
        last = formats[i];
        last_length = length;
        length += (size_t)snprintf(known + length, sizeof known - length, "%s%s (%s)", length ? ", " : "",
                                   formats[i]->extension, formats[i]->name);
    }
    known[last_length] = '\0';
    tide_fail(error, TIDE_ERROR_ARGUMENT, object, "extension", dot ? dot : "none", "expected %s or %s (%s)", known,
              last->extension, last->name);
    return NULL;
}

tide_status tide_mesh_load(const char *path, tide_mesh **mesh, tide_error *error)
{
    char object[96];
    tide_mesh_file_name(path, object, sizeof object);
    const tide_mesh_format *format = find_format(path, false, object, error);
    if (!format)
        return TIDE_ERROR_ARGUMENT;
    if (format->load)
        return format->load(path, mesh, error);
    char *bytes = NULL;
    size_t size = 0;
    tide_status status = tide_mesh_file_bytes(path, &bytes, &size, error);
    if (status != TIDE_OK)
        return status;
    status = format->read(bytes, size, path, mesh, error);
    tide_free(bytes);
    return status;
}

static bool add_stamp(const char *path, uint64_t *hash)
{
    struct stat status = { 0 };
    bool there = stat(path, &status) == 0;
    int64_t numbers[] = { there, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec };
    *hash = tide_hash_bytes(*hash, numbers, sizeof numbers);
    return there;
}

bool tide_mesh_file_stamp(const char *path, uint64_t *stamp)
{
    tide_error unread;
    uint64_t hash = tide_hash_string(TIDE_HASH_START, path);
    if (!add_stamp(path, &hash))
        return false;
    const tide_mesh_format *format = find_format(path, false, "", &unread);
    size_t room = strlen(path) + 16;
    char *name = format && format->parts ? tide_allocate(room) : NULL;
    if (format && format->parts && !name)
        return false;
    for (size_t i = 0; name && format->parts[i]; i++) {
        tide_mesh_file_beside(path, format->parts[i], name, room);
        add_stamp(name, &hash);
    }
    tide_free(name);
    *stamp = hash;
    return true;
}

static tide_status save(const tide_mesh *mesh, const tide_mesh_data *data, const char *path, unsigned kinds,
                        tide_error *error)
{
    char object[96];
    tide_mesh_file_name(path, object, sizeof object);
    const tide_mesh_format *format = find_format(path, true, object, error);
    if (!format)
        return TIDE_ERROR_ARGUMENT;
    TIDE_SCOPED_BY(tide_text_free) tide_text text = { 0 };
    TIDE_TRY(format->write(mesh, data, &text, error));
    return tide_text_save_as(&text, path, object, kinds, error);
}

tide_status tide_mesh_save(const tide_mesh *mesh, const char *path, tide_error *error)
{
    return tide_mesh_save_as(mesh, path, TIDE_OUTPUT_ANY, error);
}

tide_status tide_mesh_save_as(const tide_mesh *mesh, const char *path, unsigned kinds, tide_error *error)
{
    return save(mesh, &(tide_mesh_data) { 0 }, path, kinds, error);
}

tide_status tide_mesh_save_data(const tide_mesh *mesh, const tide_mesh_data *data, const char *path, tide_error *error)
{
    return save(mesh, data, path, TIDE_OUTPUT_ANY, error);
}
