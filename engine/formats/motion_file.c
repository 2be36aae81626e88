#include "formats/motion_writing.h"

#include "base/memory.h"

#include <string.h>
#include <strings.h>

static const tide_motion_format *const formats[] = {
    &tide_motion_format_glb, &tide_motion_format_gltf, &tide_motion_format_usda,
    &tide_motion_format_pc2, &tide_motion_format_mdd,
};

static const tide_motion_format *find_format(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (dot && dot != name && strcasecmp(dot, formats[i]->extension) == 0)
            return formats[i];
    return NULL;
}

bool tide_motion_is_file(const char *path)
{
    return find_format(path) != NULL;
}

tide_status tide_motion_save(const tide_motion *motion, const char *path, tide_error *error)
{
    const tide_motion_format *format = find_format(path);
    if (!format)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, path, NULL, NULL,
                         "expected a name that ends in .glb, .gltf, .usda, .pc2 or .mdd");
    if (!motion->frame_count || !motion->part_count)
        return tide_fail(error, TIDE_ERROR_STATE, path, NULL, NULL,
                         "there is no body to write; add a body to the scene");
    TIDE_SCOPED_BY(tide_text_free) tide_text text = { 0 };
    tide_status status = format->write(motion, &text, error);
    if (status != TIDE_OK) {
        tide_error_locate(error, path, 0);
        return status;
    }
    return tide_text_save(&text, path, path, error);
}
