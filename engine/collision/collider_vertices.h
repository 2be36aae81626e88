// Mesh colliders whose vertices move, by a sequence of positions (frames) or by a script. The topology is fixed.
//
// Within a step each vertex moves along a line from `start` to `end`, in the collider's own frame, which moves with the
// collider's pose. Contact prepares the surface for a substep: its positions at the start and at the end of the
// substep.
#ifndef TIDE_COLLISION_COLLIDER_VERTICES_H
#define TIDE_COLLISION_COLLIDER_VERTICES_H

#include "collision/shape.h"
#include "geometry/bvh.h"
#include "geometry/distance_moving.h"

typedef struct tide_frames tide_frames; // shared, counted references

// Read-only, except for `end`, which a script writes between steps. The functions below change the rest.
typedef struct tide_deform {
    const tide_mesh *mesh; // topology, and the first positions
    bool sheet, moving;    // sheet: an open surface; moving: start and end differ
    double *start, *end;   // (3 * vertex_count) m, own frame, at the start and end of the step; equal between steps
    tide_frames *frames;   // NULL: `end` is written from outside
    double rate;           // frames per second

    // The last prepared substep: its fractions of the step, the vertices and the surfaces at both.
    double from, to;
    double *at_from, *at_to; // (3 * vertex_count)
    tide_distance *before, *after;
    tide_bvh ways;                        // over the triangles swept along their paths
    double displacement;                  // m, the largest displacement of a vertex in it
    uint64_t serial, prepared, continued; // motions by number: current, prepared, the one that this continues
    bool motion_ended;
} tide_deform;

// A frame of a definition, borrowed: the vertices of a mesh, or `vertices` (3 * vertex_count).
typedef struct tide_shape_frame {
    const tide_mesh *mesh;
    const double *vertices;
    uint32_t vertex_count;
} tide_shape_frame;

// `surface` is the scaled mesh. Fails as tide_distance_mesh (or tide_distance_sheet), and on frames with another
// number of vertices, other triangles or coordinates that are not finite or beyond 1e9 m.
tide_status tide_deform_create(const tide_shape_mesh_def *def, const tide_mesh *surface, tide_deform **deform,
                               tide_error *error);
tide_status tide_deform_copy(const tide_deform *deform, tide_deform **copy, tide_error *error);
void tide_deform_destroy(tide_deform *deform); // NULL does nothing
uint32_t tide_deform_frame_count(const tide_deform *deform);
bool tide_deform_same_frames(const tide_deform *a, const tide_deform *b); // NULL: a rigid mesh
// Tells whether the last frame equals the first.
bool tide_deform_comes_back(const tide_deform *deform);

// Begins a motion. With frames, sets `end` to their vertices at `time`, s.
void tide_deform_follow(tide_deform *deform, double time, bool loop, bool smooth);
void tide_deform_end_motion(tide_deform *deform); // ends the motion: start = end
// For snapshots: sets both arrays (3 * vertex_count each).
void tide_deform_set(tide_deform *deform, const double *start, const double *end);
// Prepares the surface for a substep between two fractions of the step. Allocates nothing.
void tide_deform_prepare(tide_deform *deform, double from, double to);

// Sets `out` to the displacement, in the prepared substep, of the surface point nearest to `own` (own frame, at the end
// of the substep).
void tide_deform_drag(const tide_deform *deform, const double own[3], uint32_t hint, double out[3]);
// Moves a point near a triangle, and a direction, with the triangle from t (0 to 1 of the substep) to the end of the
// substep.
void tide_deform_carry(const tide_deform *deform, uint32_t triangle, double t, double own[3], double direction[3]);

// Computes the frame of a triangle for vertices at x (3 * vertex_count): the point with these weights, and the axes as
// rows. A triangle without area has the axes of the world.
void tide_deform_frame(const tide_deform *deform, const double *x, uint32_t triangle, const double weights[3],
                       double origin[3], double axes[9]);

#endif
