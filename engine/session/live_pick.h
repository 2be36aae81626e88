// What is under the mouse: vertices, edges, bodies and colliders of a world as a camera sees them. Positions on the
// picture are pixels from its top left.
#ifndef TIDE_SESSION_LIVE_PICK_H
#define TIDE_SESSION_LIVE_PICK_H

#include "draw/camera.h"
#include "world/world.h"

typedef struct tide_sight {
    const tide_draw_camera *camera;
    uint32_t width, height; // pixels
} tide_sight;

typedef struct tide_pick {
    tide_body_id body;         // {0, 0}: none
    uint32_t vertex;           // of the body, nearest to the point
    uint32_t edge[2];          // likewise; a body of vertices alone has the vertex twice
    tide_collider_id collider; // {0, 0}: none
    double point[3];           // m
} tide_pick;

// The body that is seen there, at most `reach` pixels beside an edge or a vertex. False when there is none, or a
// collider hides it.
bool tide_pick_body(tide_world *world, const tide_sight *sight, double x, double y, double reach, tide_pick *pick);
// The collider that is seen there; planes are passed over, as are those that are not visible.
bool tide_pick_collider(tide_world *world, const tide_sight *sight, double x, double y, tide_pick *pick);

// Where the mouse is on the plane through `point` that faces the camera, m. False where there is no such place.
bool tide_pick_on_plane(const tide_sight *sight, double x, double y, const double point[3], double out[3]);
// Where a point is on the picture; false when it is behind the camera.
bool tide_pick_project(const tide_sight *sight, const double point[3], double out[2]);

// The springs of a body that a stroke from a to b (pixels) crosses, whatever is in front of them: up to `capacity` of
// them into `springs`. Returns how many there are.
uint32_t tide_pick_crossed(tide_world *world, tide_body_id body, const tide_sight *sight, const double a[2],
                           const double b[2], uint32_t *springs, uint32_t capacity);

// The same with those that would hold the pieces together unseen: edges without a whole triangle beside them, and
// bending springs over edges that are cut. Ascending; at most `capacity`, which is to be the body's spring_count.
uint32_t tide_pick_cut(tide_world *world, tide_body_id body, const tide_sight *sight, const double a[2],
                       const double b[2], uint32_t *springs, uint32_t capacity);
// The vertex that is nearest to a place on the picture, at most `reach` pixels beside it; and where that is.
bool tide_pick_vertex(tide_world *world, const tide_sight *sight, const double at[2], double reach, tide_body_id *body,
                      uint32_t *vertex, double where[2]);

#endif
