// Writes files of motion: shapes whose vertices move over time.
//
//     tide_motion_part part = { .name = "cloth", .mesh = mesh, .positions = x, .frame_count = 60 };
//     tide_motion motion = { .times = times, .frame_count = 60, .timestep = 1.0 / 60, .parts = &part, .part_count = 1
//     }; status = tide_motion_save(&motion, "cloth.glb", error);
//
// Units: m, s. Ownership: the caller's throughout. Equal motions give equal bytes.
#ifndef TIDE_FORMATS_MOTION_FILE_H
#define TIDE_FORMATS_MOTION_FILE_H

#include "mesh/mesh.h"

// A shape in the frames in which its mesh is the same. A body that tears is one part before and another one after.
typedef struct tide_motion_part {
    const char *name;
    const tide_mesh *mesh;  // its own vertices are not used
    const float *positions; // (3 * mesh->vertex_count * frame_count) m; all finite
    uint32_t first_frame, frame_count;
    double colour[3]; // sRGB, [0, 1]
    double radius;    // m, of edges without a face
} tide_motion_part;

typedef struct tide_motion {
    const double *times; // (frame_count) s, ascending
    uint32_t frame_count;
    double timestep; // s
    int up;          // the axis that is up: 1 y, 2 z
    const tide_motion_part *parts;
    uint32_t part_count;
} tide_motion;

// Returns whether the extension of a name is one of a file of motion: .glb or .gltf (glTF 2.0: a morph target for each
// frame after the first, and an animation of their weights), .usda (samples of points over time), .pc2 or .mdd (caches
// of the points of all parts, in their order).
bool tide_motion_is_file(const char *path);
// Writes the motion in the format of the extension, whole or not at all. Fails without a frame or a part, and in a
// cache of points for a part that is not there in every frame.
tide_status tide_motion_save(const tide_motion *motion, const char *path, tide_error *error);

#endif
