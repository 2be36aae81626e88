// Caches of points, which Blender's Mesh Cache modifier, Houdini and others read: .pc2 (little-endian) and .mdd
// (big-endian). They hold positions only: the mesh comes from another file, with the same vertices in the same order,
// such as the .obj of --export.
#include "formats/motion_writing.h"

#include <stdio.h>
#include <string.h>

// Fails unless every part is there in every frame. Sets *points to the number of points of all.
static tide_status check(const tide_motion *motion, uint32_t *points, tide_error *error)
{
    uint64_t total = 0;
    for (uint32_t p = 0; p < motion->part_count; p++) {
        const tide_motion_part *part = &motion->parts[p];
        total += part->mesh->vertex_count;
        if (part->frame_count == motion->frame_count)
            continue;
        char object[96];
        uint32_t changed = part->first_frame ? part->first_frame : part->frame_count;
        snprintf(object, sizeof object, "body \"%.60s\"", part->name);
        return tide_fail(error, TIDE_ERROR_STATE, object, "mesh", NULL,
                         "it changes %u frames after the first one, and a cache of points holds one mesh; export .glb "
                         "or .usda, or fewer frames",
                         changed);
    }
    if (total > INT32_MAX || motion->frame_count > INT32_MAX)
        return tide_fail(error, TIDE_ERROR_STATE, "point cache", NULL, NULL,
                         "it has more than 2147483647 points; export fewer bodies, with %%s in the name");
    *points = (uint32_t)total;
    return TIDE_OK;
}

static void add_word(tide_text *text, uint32_t word, bool big)
{
    unsigned char bytes[4];
    for (int k = 0; k < 4; k++)
        bytes[big ? 3 - k : k] = (unsigned char)(word >> 8 * k);
    tide_text_add(text, bytes, sizeof bytes);
}

static void add_float(tide_text *text, float number, bool big)
{
    uint32_t word;
    memcpy(&word, &number, sizeof word);
    add_word(text, word, big);
}

static void add_points(tide_text *text, const tide_motion *motion, bool big)
{
    for (uint32_t frame = 0; frame < motion->frame_count; frame++)
        for (uint32_t p = 0; p < motion->part_count; p++) {
            const float *points = tide_motion_points(&motion->parts[p], frame);
            for (size_t i = 0; i < 3 * (size_t)motion->parts[p].mesh->vertex_count; i++)
                add_float(text, points[i], big);
        }
}

// "POINTCACHE2", version, points, first frame, frames between two samples, samples; then the points of each sample.
static tide_status write_pc2(const tide_motion *motion, tide_text *text, tide_error *error)
{
    uint32_t points;
    TIDE_TRY(check(motion, &points, error));
    tide_text_add(text, "POINTCACHE2", sizeof "POINTCACHE2");
    add_word(text, 1, false);
    add_word(text, points, false);
    add_float(text, 0, false);
    add_float(text, 1, false);
    add_word(text, motion->frame_count, false);
    add_points(text, motion, false);
    return TIDE_OK;
}

// Frames, points, the time of each frame; then the points of each frame.
static tide_status write_mdd(const tide_motion *motion, tide_text *text, tide_error *error)
{
    uint32_t points;
    TIDE_TRY(check(motion, &points, error));
    add_word(text, motion->frame_count, true);
    add_word(text, points, true);
    for (uint32_t frame = 0; frame < motion->frame_count; frame++)
        add_float(text, (float)(motion->times[frame] - motion->times[0]), true);
    add_points(text, motion, true);
    return TIDE_OK;
}

const tide_motion_format tide_motion_format_pc2 = { ".pc2", write_pc2 };
const tide_motion_format tide_motion_format_mdd = { ".mdd", write_mdd };
