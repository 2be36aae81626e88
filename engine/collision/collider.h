// Colliders: shapes that bodies touch and cannot move. A collider is at rest, follows keyframes, or is moved from
// outside (by a script's function of time, or its `update`).
//
//     tide_shape_sphere_def ball;
//     tide_shape_default(&tide_shape_sphere, &ball);
//     tide_collider_def def = tide_collider_def_default();
//     def.name = "ball", def.shape = &tide_shape_sphere, def.definition = &ball;
//     tide_status status = tide_world_add_collider(world, &def, &id, error);
//
// Within a step it goes from the pose `start` to the pose `end`: the origin of its frame moves along a line, its
// rotation goes the shorter way at a constant rate. A `fraction` of the step is from 0 (start) to 1 (end). Only create
// and copy allocate. Functions that take a const collider may be called by several threads at once.
#ifndef TIDE_COLLISION_COLLIDER_H
#define TIDE_COLLISION_COLLIDER_H

#include "collision/directed_friction.h"
#include "collision/pose.h"
#include "collision/shape.h"

typedef enum tide_interpolation {
    TIDE_INTERPOLATION_LINEAR, // linear between keys, rotating at a constant rate
    TIDE_INTERPOLATION_SMOOTH  // with continuous velocity (Catmull and Rom 1974); at rest at both ends
} tide_interpolation;

typedef struct tide_keyframe {
    double time;        // s, above that of the previous key
    double position[3]; // m, of the frame's origin; TIDE_NOT_GIVEN (all three): as in the shape's definition
    double rotation[4]; // quaternion w, x, y, z, any length but 0; four zeros: as in the shape's definition
} tide_keyframe;
// time, position, and rotation, which is TIDE_FIELD_OTHER; see shape.h
extern const tide_field tide_keyframe_fields[];

typedef struct tide_collider_def {
    const char *name;
    const tide_shape_kind *shape;
    const void *definition;       // the struct that the shape's fields describe
    double friction, restitution; // 0.3 and 0: Coulomb's coefficient, at least 0; fraction of the approach speed that a
                                  // bounce keeps, 0 to 1
    tide_directed_friction directed;             // `direction` in the world at the definition's pose; none
    char contact_material[TIDE_FIELD_TEXT_SIZE]; // "": none
    double rolling;                              // 0 m: coefficient of rolling friction of rigid bodies on it
    double thickness;                            // 0 m, at least 0: least distance between the surface and bodies
    double colour[3];                            // sRGB, [0, 1]
    bool visible;                                // true
    const tide_keyframe *keyframes;              // (keyframe_count) copied; none: at rest, or moved from outside
    uint32_t keyframe_count;
    int interpolation; // tide_interpolation; linear
    bool loop; // false: at rest before the first and after the last key. true: starts again after the last key, which
               // must then equal the first
    const char *script_file; // where the collider was made, for errors; may be NULL
    int script_line;
} tide_collider_def;
// friction, restitution, thickness, colour, visible, interpolation, loop; `shape` (a text), `keyframes` and `move` (a
// function) are TIDE_FIELD_OTHER. No field has the name of a field of a shape.
extern const tide_field tide_collider_fields[];
tide_collider_def tide_collider_def_default(void); // name, shape and definition are NULL

// Read-only for users; the functions below change it.
typedef struct tide_collider {
    char *name;
    const tide_shape_kind *kind;
    tide_shape shape;
    double friction, restitution, thickness, colour[3]; // friction: that along its axis, if it has one
    double friction_ratio;                              // of the coefficients across and along; 0: no axis
    double rolling;                                     // m
    double friction_axis[3];                            // unit vector in the own frame
    char contact_material[TIDE_FIELD_TEXT_SIZE];        // "": none
    bool visible;
    tide_pose start, end;     // of the step; equal between steps, at first as in the shape's definition
    tide_pose known;          // where the last step or restore left it: elsewhere, it was placed since
    bool moving;              // start and end differ
    tide_keyframe *keyframes; // (keyframe_count) complete; unit quaternions, each in the half-space of the previous one
    uint32_t keyframe_count;
    int interpolation;
    bool loop;
    char *script_file; // "" when unknown
    int script_line;
} tide_collider;

// Makes a collider. Fails without a name, on a number out of range, on keyframes that are not in order of time or not
// finite, on a loop of fewer than two keys or whose ends differ, and where the shape fails. Errors name `collider
// "ball"` and carry the script's line. With keyframes, start and end are the pose at time 0.
tide_status tide_collider_create(const tide_collider_def *def, tide_collider **collider, tide_error *error);
void tide_collider_destroy(tide_collider *collider); // NULL does nothing
// Makes a copy in the same pose; both share the shape.
tide_status tide_collider_copy(const tide_collider *collider, tide_collider **copy, tide_error *error);

// --- motion. In a step: move (or follow), then queries such as gap and sweep, then end_motion.

// Sets the pose at the end of the next step. Fails as tide_pose_check, without changes.
tide_status tide_collider_move(tide_collider *collider, const tide_pose *end, tide_error *error);
// Sets the pose now, without a motion.
tide_status tide_collider_place(tide_collider *collider, const tide_pose *pose, tide_error *error);
// Begins a motion: to the pose of the keyframes at `time` (s), or without keyframes to the pose that was set. Vertices
// of a mesh with frames move to their positions at `time`; other moving vertices to the positions that were set.
void tide_collider_follow(tide_collider *collider, double time);
void tide_collider_end_motion(tide_collider *collider); // ends the motion: start = end
// For snapshots: sets both poses as they were read from a collider, without checks.
void tide_collider_set_poses(tide_collider *collider, const tide_pose *start, const tide_pose *end);
// Returns the pose of the keyframes at a time; without keyframes, `end`.
tide_pose tide_collider_keyframe_pose(const tide_collider *collider, double time);

// Must be called before queries about a part of the step. It places the vertices of a deforming mesh at the fractions
// of the part, and does nothing for rigid shapes. Queries are then about that part alone; queries without a fraction
// are about its end.
void tide_collider_prepare(tide_collider *collider, double from, double to);
// For snapshots: sets the vertices at the start and the end of the step, in the own frame, (3 * vertex_count) each.
void tide_collider_set_vertices(tide_collider *collider, const double *start, const double *end);
// Returns the current vertices of the surface, (3 * vertex_count) in the own frame, for drawing.
const double *tide_collider_vertices(const tide_collider *collider);

// --- queries. p, a, b and normals are in the world.

tide_pose tide_collider_pose(const tide_collider *collider, double fraction);
// Computes the bounds of the inside, including the thickness, over the fractions from..to; infinite for unbounded
// shapes.
void tide_collider_bounds(const tide_collider *collider, double from, double to, double lower[3], double upper[3]);

// Returns the signed distance from the surface minus the thickness, negative inside. Sets `normal` (unless NULL) to the
// unit vector of its gradient; straight up where the gradient is 0.
double tide_collider_gap(const tide_collider *collider, double fraction, const double p[3], double normal[3]);
// The same with a known pose at that fraction, for many points at one time.
double tide_collider_gap_at(const tide_collider *collider, const tide_pose *pose, const double p[3], double normal[3]);
// The same for a point at `own` in the collider's frame; `hint` is that of tide_distance_at_from, and `normal` is
// required.
double tide_collider_gap_from(const tide_collider *collider, const tide_pose *pose, const double own[3], uint32_t *hint,
                              double normal[3]);

// Returns the gap at the start of the prepared part. `pose` is the pose there, and `hint` is that of
// tide_distance_at_from.
double tide_collider_gap_before(const tide_collider *collider, const tide_pose *pose, const double p[3], uint32_t hint);

// Computes the displacement, m, from fraction0 to fraction1, of the material point of the collider that is at p at
// fraction1. The surface drags bodies along by this.
void tide_collider_motion(const tide_collider *collider, double fraction0, double fraction1, const double p[3],
                          double out[3]);
// The same with known poses at both fractions.
void tide_collider_motion_between(const tide_pose *from, const tide_pose *to, const double p[3], double out[3]);
// The same for a collider that may deform, in the prepared part: the displacement of the surface point nearest to p.
// `hint` is that of tide_distance_at_from.
void tide_collider_motion_in(const tide_collider *collider, const tide_pose *from, const tide_pose *to,
                             const double p[3], uint32_t hint, double out[3]);

// Finds the first contact of a point that goes from `a` at fraction0 to `b` at fraction1, along a line at a constant
// speed. Contact is gap = radius (m, at least 0). Returns whether there is one. Sets *t in [0, 1] to its time (gap -
// radius is from 0 to 1e-9 m there), and `normal` (unless NULL). A point in contact at the start that moves closer: t =
// 0. A point in contact at the start that does not: the first contact after it has left. Without contact, both outputs
// stay unchanged.
//
// By conservative advancement (Mirtich 1996), of second order for convex shapes. Along the surface of a shape that is
// not convex, a point may dip in and out undetected. If the sum of radius and thickness is above 1/2000 of its path,
// the dip does not reach the surface itself; else it is less deep than 1/2000 of the path. A point that ends inside is
// never missed.
bool tide_collider_sweep(const tide_collider *collider, double fraction0, double fraction1, const double a[3],
                         const double b[3], double radius, double *t, double normal[3]);
// The same, with the contact plane: a place on it (that of the point, minus the radius along the normal) and its
// normal, both carried by the collider to fraction1.
bool tide_collider_meet(const tide_collider *collider, double fraction0, double fraction1, const double a[3],
                        const double b[3], double radius, double place[3], double normal[3]);

#endif
