// Shapes of colliders: what a definition with a field table becomes. Each shape is one file with a const
// tide_shape_kind at its foot; the list is in shapes.c.
//
// A shape lives in a frame of its own, in which its distance is given; the definition says where that frame is. The
// frame's origin is what a collider's motion moves and turns about: the middle of a sphere, box, torus, height field
// and of a capsule or cylinder; of a plane its point nearest to the origin; of a mesh or distance the origin of its own
// coordinates. Only `rotation` turns the frame (a capsule's direction, a torus' axis and a plane's normal do not: where
// nothing is said, the frame's axes are the world's).
#ifndef TIDE_COLLISION_SHAPE_H
#define TIDE_COLLISION_SHAPE_H

#include "base/field.h"
#include "collision/pose.h"
#include "geometry/distance.h"
#include "mesh/mesh.h"

typedef struct tide_shape {
    const tide_distance *distance; // in the shape's own frame, m
    const tide_mesh *surface;      // to draw, in the own frame; never NULL. Of a plane a square of 100 m; of a height
                                   // field its upper side only
    tide_pose pose;                // where the definition puts the own frame
    struct tide_deform
        *deform; // of a mesh whose vertices move (collider_vertices.h); NULL: rigid. `distance` is then its own
} tide_shape;

typedef struct tide_shape_kind {
    const char *name, *help;
    const tide_field *fields;
    size_t definition_size; // of the struct that the fields describe
    // Checks the definition and makes the shape, which the caller releases. Object of its errors: `shape sphere`.
    tide_status (*create)(const void *definition, tide_shape *shape, tide_error *error);
} tide_shape_kind;

const tide_shape_kind *tide_shape_kind_at(uint32_t index); // NULL past the last
const tide_shape_kind *tide_shape_kind_find(const char *name);

// The default of every field (zero and NULL for those of type TIDE_FIELD_OTHER) into a struct of definition_size bytes.
void tide_shape_default(const tide_shape_kind *kind, void *definition);
// Lets go of the distance and of the surface (either may be NULL) and leaves NULL.
void tide_shape_release(tide_shape *shape);

// Makes a shape whose own frame is in the middle between two points; the distance and the surface are those of the
// points relative to it.
typedef tide_status tide_round_distance(const double from[3], const double to[3], double radius,
                                        const tide_distance **distance, tide_error *error);
typedef tide_status tide_round_tessellation(const double from[3], const double to[3], double radius,
                                            const tide_mesh **surface, tide_error *error);
tide_status tide_shape_between(const char *object, const double from[3], const double to[3], double radius,
                               tide_round_distance *distance, tide_round_tessellation *tessellate, tide_shape *shape,
                               tide_error *error);

// --- definitions. Lengths are m. `rotation` is a quaternion w, x, y, z of any length but 0, or four zeros for none; in
// field tables it is TIDE_FIELD_OTHER, which scripts write as { axis x, axis y, axis z, angle in radians }
// (tide_quaternion_from_axis_angle).

// What lies below the plane normal . p = offset, `normal` being made a unit vector, is inside.
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

// All points within `radius` of the line between two points; where these are one, a sphere.
typedef struct tide_shape_capsule_def {
    double from[3], to[3]; // {0, -0.5, 0} and {0, 0.5, 0}
    double radius;         // 0.25
} tide_shape_capsule_def;
extern const tide_shape_kind tide_shape_capsule;

// With flat ends at two different points.
typedef struct tide_shape_cylinder_def {
    double from[3], to[3]; // {0, -0.5, 0} and {0, 0.5, 0}
    double radius;         // 0.25
} tide_shape_cylinder_def;
extern const tide_shape_kind tide_shape_cylinder;

typedef struct tide_shape_box_def {
    double position[3], rotation[4];
    double size[3]; // {1, 1, 1}, from side to side
} tide_shape_box_def;
extern const tide_shape_kind tide_shape_box;

typedef struct tide_shape_torus_def {
    double position[3];
    double axis[3];      // {0, 1, 0}; any length but 0
    double major, minor; // 0.5 and 0.15: radius of the ring, and of its tube, at most as large
} tide_shape_torus_def;
extern const tide_shape_kind tide_shape_torus;

// A closed triangle mesh. Fails as tide_distance_mesh on one that is not closed; with `sheet`, the triangles are a
// sheet without an inside (tide_distance_sheet), which may be open. It is rigid, unless it has frames or `deforms`.
typedef struct tide_shape_mesh_def {
    const tide_mesh *mesh; // retained
    double position[3], rotation[4];
    double scale; // 1: factor of the mesh's coordinates, and of the frames'
    bool sheet;
    bool deforms;                          // its vertices are moved from outside
    const struct tide_shape_frame *frames; // (frame_count) where its vertices are, copied; NULL: none
    uint32_t frame_count;
    double rate; // 30: frames a second, from time 0 on
} tide_shape_mesh_def;
extern const tide_shape_kind tide_shape_mesh;

// Ground with hills: `heights` over a rectangle of the x-z plane centred at `position`, which are added to its y. What
// is below is inside, and it has no end below; beyond the rectangle there is nothing.
typedef struct tide_shape_heightfield_def {
    double position[3];
    double width, depth;   // 10 and 10: along x and along z
    int columns, rows;     // 33 and 33, at least 2: heights along x and along z
    const double *heights; // (columns * rows), columns along x; copied. A script may give a function(x, z) instead
} tide_shape_heightfield_def;
extern const tide_shape_kind tide_shape_heightfield;

// Any bounded distance. A script gives a function and bounds, which its layer samples (tide_distance_grid).
typedef struct tide_shape_distance_def {
    const tide_distance *distance; // retained; its bounds must be finite
    double cell;                   // 0.05: side of the cubes on which a function is sampled and the surface is drawn
    double position[3], rotation[4];
} tide_shape_distance_def;
extern const tide_shape_kind tide_shape_distance;

#endif
