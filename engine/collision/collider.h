// Colliders: rigid shapes that bodies touch and cannot move. A collider stands still, follows keyframes, or is moved
// from outside (a script's function of time, or its `update`).
//
// Within a step it goes from the pose `start` to the pose `end`: its frame's origin along a line, its rotation by the
// shorter way at a constant rate. A `fraction` of the step is from 0 (start) to 1 (end). Nothing here but create
// allocates, and functions that take a const collider may be called by several threads at once.
#ifndef TIDE_COLLISION_COLLIDER_H
#define TIDE_COLLISION_COLLIDER_H

#include "collision/pose.h"
#include "collision/shape.h"

typedef enum tide_interpolation {
    TIDE_INTERPOLATION_LINEAR, // between keys along a line, turning at a constant rate
    TIDE_INTERPOLATION_SMOOTH  // without jumps of velocity (Catmull and Rom 1974); at rest at both ends
} tide_interpolation;

typedef struct tide_keyframe {
    double time; // s, above that of the key before
    double
        position[3]; // m, where the frame's origin is; TIDE_NOT_GIVEN (all three): where the shape's definition has it
    double rotation[4]; // quaternion w, x, y, z, any length but 0; four zeros: as the shape's definition has it
} tide_keyframe;
// time, position and rotation, which is TIDE_FIELD_OTHER; see shape.h
extern const tide_field tide_keyframe_fields[];

typedef struct tide_collider_def {
    const char *name;
    const tide_shape_kind *shape;
    const void *definition;       // the struct that the shape's fields describe
    double friction, restitution; // 0.3 and 0: Coulomb's coefficient, at least 0; part of the speed of approach that a
                                  // bounce keeps, 0 to 1
    double thickness;             // 0 m, at least 0: kept between the surface and what touches it
    double colour[3];             // sRGB, [0, 1]
    bool visible;                 // true
    const tide_keyframe *keyframes; // (keyframe_count) copied; none: fixed, or moved from outside
    uint32_t keyframe_count;
    int interpolation; // tide_interpolation; linear
    bool loop;         // false: before the first key and after the last it rests. true: begins again after the last,
                       // which must then be as the first
    const char *script_file; // where the collider was made, for errors; may be NULL
    int script_line;
} tide_collider_def;
// friction, restitution, thickness, colour, visible, interpolation, loop; `shape` (a text), `keyframes` and `move` (a
// function) are TIDE_FIELD_OTHER. No field has the name of a field of a shape.
extern const tide_field tide_collider_fields[];
tide_collider_def tide_collider_def_default(void); // name, shape and definition are NULL

// To be read; changed by the functions below only.
typedef struct tide_collider {
    char *name;
    const tide_shape_kind *kind;
    tide_shape shape;
    double friction, restitution, thickness, colour[3];
    bool visible;
    tide_pose start, end;     // of the step; equal between steps, and at first where the shape's definition has it
    bool moving;              // whether start and end differ
    tide_keyframe *keyframes; // (keyframe_count) complete, unit quaternions, each on the side of the one before
    uint32_t keyframe_count;
    int interpolation;
    bool loop;
    char *script_file; // "" when unknown
    int script_line;
} tide_collider;

// Fails on no name or an empty one, a number out of range, keyframes that are not in order of time or not finite, a
// loop of fewer than two keys or one that does not end as it begins, and as the shape does. Errors name `collider
// "ball"` and carry the script's line. With keyframes, start and end are the pose at time 0.
tide_status tide_collider_create(const tide_collider_def *def, tide_collider **collider, tide_error *error);
void tide_collider_destroy(tide_collider *collider); // NULL does nothing
// Another of the same, in the same place; they share the shape.
tide_status tide_collider_copy(const tide_collider *collider, tide_collider **copy, tide_error *error);

// --- motion. A step: move (or follow), then gap, sweep and so on, then settle.

// Where it is to be at the end of the next step; fails, changing nothing, as tide_pose_check.
tide_status tide_collider_move(tide_collider *collider, const tide_pose *end, tide_error *error);
// Puts it there now, without a motion.
tide_status tide_collider_place(tide_collider *collider, const tide_pose *pose, tide_error *error);
// Begins a motion: to the pose that the keyframes give at `time` (s), or without keyframes to the pose that was set.
// The vertices of a mesh with frames go to their positions at `time`; those that were set go to the ones set.
void tide_collider_follow(tide_collider *collider, double time);
void tide_collider_settle(tide_collider *collider); // ends the motion: start = end
// For snapshots: both poses as they were read from a collider. They are not checked.
void tide_collider_set_poses(tide_collider *collider, const tide_pose *start, const tide_pose *end);
// Where keyframes put it at a time; without any, `end`.
tide_pose tide_collider_keyframe_pose(const tide_collider *collider, double time);

// Call it before questions about a part of the step. It places the vertices of a mesh that deforms at the part's
// fractions, and does nothing for rigid shapes. The questions are then about that part alone. A question without a
// fraction is about the part's end.
void tide_collider_prepare(tide_collider *collider, double from, double to);
// For snapshots: the vertices at the step's start and end, in the own frame, (3 * vertex_count) each.
void tide_collider_set_vertices(tide_collider *collider, const double *start, const double *end);
// The surface's vertices now, (3 * vertex_count) in the own frame, for drawing.
const double *tide_collider_vertices(const tide_collider *collider);

// --- questions. p, a, b and normals are in the world.

tide_pose tide_collider_pose(const tide_collider *collider, double fraction);
// Bounds of what is inside, thickness included, throughout the fractions from..to; infinite where it has none.
void tide_collider_bounds(const tide_collider *collider, double from, double to, double lower[3], double upper[3]);

// The signed distance from the surface less the thickness, negative inside, and (unless `normal` is NULL) its direction
// of ascent, always of length 1: straight up where the distance has none.
double tide_collider_gap(const tide_collider *collider, double fraction, const double p[3], double normal[3]);
// The same with the pose at that fraction already at hand: for many points at one time.
double tide_collider_gap_at(const tide_collider *collider, const tide_pose *pose, const double p[3], double normal[3]);
// The same of a point that is at `own` in the collider's frame; `hint` is that of tide_distance_at_from, and `normal`
// is always told.
double tide_collider_gap_from(const tide_collider *collider, const tide_pose *pose, const double own[3], uint32_t *hint,
                              double normal[3]);

// The gap at the start of the prepared part, where the pose is `pose`.
double tide_collider_gap_before(const tide_collider *collider, const tide_pose *pose, const double p[3]);

// The displacement, m, from fraction0 to fraction1, of the collider's point that is at p at fraction1. The surface
// drags what touches it by this.
void tide_collider_motion(const tide_collider *collider, double fraction0, double fraction1, const double p[3],
                          double out[3]);
// The same with the poses at both fractions at hand.
void tide_collider_motion_between(const tide_pose *from, const tide_pose *to, const double p[3], double out[3]);
// The same for a collider that may deform, in the prepared part: that of the surface point nearest to p. `hint` is
// that of tide_distance_at_from.
void tide_collider_motion_in(const tide_collider *collider, const tide_pose *from, const tide_pose *to,
                             const double p[3], uint32_t hint, double out[3]);

// A point goes from `a` at fraction0 to `b` at fraction1, along a line and at a constant speed. Whether it comes as
// near as gap = radius (m, at least 0), and then the first time *t in [0, 1] at which it does (gap - radius is from 0
// to 1e-9 m there) and the normal there (unless NULL). One that is as near already and goes nearer: t = 0. One that is
// as near already and does not: the first time after it was out. Both outputs are left alone where false is returned.
//
// By conservative advancement (Mirtich 1996), of second order for convex shapes. Along the surface of another shape a
// point may dip in and out again undetected: not so deep that it would touch the surface itself, where radius and
// thickness together are above 1/2000 of its way; else less deep than 1/2000 of its way. One that ends inside is never
// missed.
bool tide_collider_sweep(const tide_collider *collider, double fraction0, double fraction1, const double a[3],
                         const double b[3], double radius, double *t, double normal[3]);
// The same, with the plane that is met: its place (the point's, less the radius along the normal) and its normal, both
// gone on with the collider to fraction1.
bool tide_collider_meet(const tide_collider *collider, double fraction0, double fraction1, const double a[3],
                        const double b[3], double radius, double place[3], double normal[3]);

#endif
