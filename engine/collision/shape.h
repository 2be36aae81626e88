// Shapes of colliders, made from a definition with a field table. Each shape is one file with a const tide_shape_kind
// at its foot; the list is in shapes.c. Nothing else knows a shape by name, but those below are declared here for C
// programs, and scripts read the values of mesh, heightfield and distance that are no plain fields
// (script/shape_define.c).
//
// The distance of a shape is given in its own frame; the definition gives the pose of that frame. A collider's motion
// moves the origin of the frame and rotates about it. The origin is at `position`, where a shape has this field;
// otherwise midway between `from` and `to`, or at the point of a plane nearest to the world's origin. Only `rotation`
// rotates the frame. A capsule's direction, a torus' axis and a plane's normal do not: then the axes of the frame are
// those of the world.
#ifndef TIDE_COLLISION_SHAPE_H
#define TIDE_COLLISION_SHAPE_H

#include "base/field.h"
#include "collision/pose.h"
#include "geometry/distance.h"
#include "mesh/mesh.h"

typedef struct tide_shape {
    const tide_distance *distance; // in the shape's own frame, m
    const tide_mesh *surface; // to draw, in the own frame; never NULL. For a plane, a square of 100 m; for a height
                              // field, only its upper side
    tide_pose pose;           // pose of the own frame in the definition
    struct tide_deform
        *deform; // for a mesh whose vertices move (collider_vertices.h), which owns `distance`; NULL: rigid
} tide_shape;

typedef struct tide_shape_kind {
    const char *name, *help;
    const tide_field *fields;
    size_t definition_size; // of the struct that the fields describe
    bool endless;           // a plane: `surface` is only a part, which is drawn as far as the scene extends
    bool exact;  // `surface` is all of the shape, without an approximation: continuous contact detects its edges too
    bool smooth; // triangles of `surface` share vertices, also at sharp edges, which the picture must find
    // Fills an empty shape from a definition whose fields are valid. When it fails, the caller releases what it made.
    tide_status (*make)(const void *definition, tide_shape *shape, tide_error *error);
    // Logs warnings about the shape of a collider; `object` is the collider's name in them. NULL: there are none.
    void (*warn)(const void *definition, const tide_shape *shape, const char *object);
} tide_shape_kind;

const tide_shape_kind *tide_shape_kind_at(uint32_t index); // NULL past the last
const tide_shape_kind *tide_shape_kind_find(const char *name);

// Fills a struct of definition_size bytes with the defaults of all fields (zero and NULL for those of
// TIDE_FIELD_OTHER).
void tide_shape_default(const tide_shape_kind *kind, void *definition);
// Checks the definition and makes the shape, which the caller releases. Errors name the object `shape sphere`.
tide_status tide_shape_create(const tide_shape_kind *kind, const void *definition, tide_shape *shape,
                              tide_error *error);
// Releases the distance and the surface (either may be NULL) and sets them to NULL.
void tide_shape_release(tide_shape *shape);

// For kinds. Sets the pose of the frame; `rotation` (4) may be NULL: none. `object` is named in errors.
tide_status tide_shape_place(tide_shape *shape, const char *object, const double position[3], const double *rotation,
                             tide_error *error);
// A field `rotation` of a definition: a quaternion w, x, y, z of any length but 0, or four zeros for none. Scripts
// write { axis x, axis y, axis z, angle in radians }.
#define TIDE_SHAPE_ROTATION_FIELD(struct_type)                                                                         \
    {                                                                                                                  \
        .name = "rotation", .offset = offsetof(struct_type, rotation), .type = TIDE_FIELD_OTHER,                       \
        .lua_type = "number[]", .initial_text = "none",                                                                \
        .help = "rotation { x, y, z, angle }: an axis and an angle about it in radians"                                \
    }
// Places the origin midway between two points. The makers get the points relative to it.
typedef tide_status tide_round_distance(const double from[3], const double to[3], double radius,
                                        const tide_distance **distance, tide_error *error);
typedef tide_status tide_round_tessellation(const double from[3], const double to[3], double radius,
                                            const tide_mesh **surface, tide_error *error);
tide_status tide_shape_between(const char *object, const double from[3], const double to[3], double radius,
                               tide_round_distance *distance, tide_round_tessellation *tessellate, tide_shape *shape,
                               tide_error *error);

// --- definitions. Lengths are m. `rotation` is as in TIDE_SHAPE_ROTATION_FIELD

// The half-space normal . p < offset; `normal` is normalised.
typedef struct tide_shape_plane_def {
    double normal[3]; // {0, 1, 0}; any length but 0
    double offset;    // 0
} tide_shape_plane_def;
extern const tide_shape_kind tide_shape_plane;

typedef struct tide_shape_sphere_def {
    double position[3];
    double radius; // 0.5
} tide_shape_sphere_def;
extern const tide_shape_kind tide_shape_sphere;

// All points within `radius` of the segment between two points; a sphere if they coincide.
typedef struct tide_shape_capsule_def {
    double from[3], to[3]; // {0, -0.5, 0} and {0, 0.5, 0}
    double radius;         // 0.25
} tide_shape_capsule_def;
extern const tide_shape_kind tide_shape_capsule;

// A cylinder with flat ends, at two different points.
typedef struct tide_shape_cylinder_def {
    double from[3], to[3]; // {0, -0.5, 0} and {0, 0.5, 0}
    double radius;         // 0.25
} tide_shape_cylinder_def;
extern const tide_shape_kind tide_shape_cylinder;

typedef struct tide_shape_box_def {
    double position[3], rotation[4];
    double size[3]; // {1, 1, 1}, side lengths
} tide_shape_box_def;
extern const tide_shape_kind tide_shape_box;

typedef struct tide_shape_torus_def {
    double position[3];
    double axis[3];      // {0, 1, 0}; any length but 0
    double major, minor; // 0.5 and 0.15: radius of the ring; radius of the tube, at most as large
} tide_shape_torus_def;
extern const tide_shape_kind tide_shape_torus;

// A closed triangle mesh. Fails as tide_distance_mesh on a mesh that is not closed. With `sheet`, the triangles are a
// sheet without an inside (tide_distance_sheet), which may be open. The mesh is rigid, unless it has frames or
// `deforms`.
typedef struct tide_shape_mesh_def {
    const tide_mesh *mesh; // retained
    double position[3], rotation[4];
    double scale; // 1: factor of the coordinates of the mesh and of the frames
    bool sheet;
    bool deforms;                          // its vertices are moved from outside
    const struct tide_shape_frame *frames; // (frame_count) successive positions of its vertices, copied; NULL: none
    uint32_t frame_count;
    double rate; // 30: frames per second, from time 0 on
} tide_shape_mesh_def;
extern const tide_shape_kind tide_shape_mesh;

// Ground with hills: `heights` over a rectangle of the x-z plane centred at `position`, added to its y. Everything
// below is inside, without a lower end. There is nothing beyond the rectangle.
typedef struct tide_shape_heightfield_def {
    double position[3];
    double width, depth;   // 10 and 10: along x and along z
    int columns, rows;     // 33 and 33, at least 2: heights along x and along z
    const double *heights; // (columns * rows), columns along x; copied. A script may give a function(x, z) instead
} tide_shape_heightfield_def;
extern const tide_shape_kind tide_shape_heightfield;

// Any bounded distance. A script gives a function and bounds, and its layer samples them (tide_distance_grid).
typedef struct tide_shape_distance_def {
    const tide_distance *distance; // retained; its bounds must be finite
    double cell;                   // 0.05: side of the cubes for sampling a function and for drawing the surface
    double position[3], rotation[4];
} tide_shape_distance_def;
extern const tide_shape_kind tide_shape_distance;

#endif
