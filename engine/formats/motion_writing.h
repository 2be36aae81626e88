// Shared by the writers of files of motion.
#ifndef TIDE_FORMATS_MOTION_WRITING_H
#define TIDE_FORMATS_MOTION_WRITING_H

#include "base/text.h"
#include "formats/motion_file.h"

typedef struct tide_motion_format {
    const char *extension;
    // Fails without memory, as does a `text` that failed, and for a motion that the format cannot hold.
    tide_status (*write)(const tide_motion *motion, tide_text *text, tide_error *error);
} tide_motion_format;
extern const tide_motion_format tide_motion_format_glb, tide_motion_format_gltf, tide_motion_format_usda,
    tide_motion_format_pc2, tide_motion_format_mdd;

// Computes the bounds of `count` points, (3 * count).
void tide_motion_bounds(const float *points, size_t count, float lower[3], float upper[3]);
// Returns the points of a part in a frame, counted from the part's first.
const float *tide_motion_points(const tide_motion_part *part, uint32_t frame);
// Appends a text between quotation marks, as JSON and USD read it. Bytes that are not printable become '?'.
void tide_text_add_quoted(tide_text *text, const char *string);

#endif
