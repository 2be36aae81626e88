// Picking: finds vertices, edges, bodies and colliders under the mouse, as a camera sees them. Positions in the picture
// are pixels from its top left.
#ifndef TIDE_SESSION_LIVE_PICK_H
#define TIDE_SESSION_LIVE_PICK_H

#include "draw/camera.h"
#include "world/world.h"

typedef struct tide_pick_view {
    const tide_draw_camera *camera;
    uint32_t width, height; // pixels
} tide_pick_view;

typedef struct tide_pick {
    tide_body_id body;         // {0, 0}: none
    uint32_t vertex;           // of the body, nearest to the mouse
    uint32_t edge[2];          // of the body, nearest to the mouse; for a body without edges, the vertex twice
    tide_collider_id collider; // {0, 0}: none
    double point[3];           // m
} tide_pick;

// Finds the visible body at most `reach` pixels from an edge or a vertex. Returns false if there is none or a collider
// hides it.
bool tide_pick_body(tide_world *world, const tide_pick_view *view, double x, double y, double reach, tide_pick *pick);
// Finds the visible collider there. Ignores planes and colliders that are not drawn.
bool tide_pick_collider(tide_world *world, const tide_pick_view *view, double x, double y, tide_pick *pick);

// Finds the mouse's position on the plane through `point` that faces the camera, m. Returns false if there is none.
bool tide_pick_on_plane(const tide_pick_view *view, double x, double y, const double point[3], double out[3]);
// Projects a point to the picture; false if it is behind the camera.
bool tide_pick_project(const tide_pick_view *view, const double point[3], double out[2]);

// Finds the elements of a body (counted as in world.h) that have an edge crossed by a stroke from a to b (pixels),
// hidden ones too. Writes up to `capacity` of them. Returns how many there are.
uint32_t tide_pick_crossed(tide_world *world, tide_body_id body, const tide_pick_view *view, const double a[2],
                           const double b[2], uint32_t *elements, uint32_t capacity);

// Finds the elements that the stroke cuts: the crossed ones, and springs that would still connect the pieces without
// being seen: edges without an intact triangle, and bending springs across cut edges. Ascending; `capacity` should be
// the body's element_count.
uint32_t tide_pick_cut(tide_world *world, tide_body_id body, const tide_pick_view *view, const double a[2],
                       const double b[2], uint32_t *elements, uint32_t capacity);
// Finds the vertex nearest to a place in the picture, at most `reach` pixels away, and its position there.
bool tide_pick_vertex(tide_world *world, const tide_pick_view *view, const double at[2], double reach,
                      tide_body_id *body, uint32_t *vertex, double where[2]);

#endif
