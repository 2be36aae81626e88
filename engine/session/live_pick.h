// Picking: finds vertices, edges, bodies and colliders under the mouse, as a camera sees them. Positions in the picture
// are pixels from its top left.
#ifndef TIDE_SESSION_LIVE_PICK_H
#define TIDE_SESSION_LIVE_PICK_H

#include "draw/camera.h"
#include "session/inputs.h"
#include "world/openings.h"

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

// Returns whether a stroke from a to b (pixels) crosses the line between two points (m) in the picture.
bool tide_pick_crosses(const tide_pick_view *view, const double a[2], const double b[2], const double from[3],
                       const double to[3]);
// Finds what such a stroke cuts, hidden parts too: the faces between cells whose centres are on both sides of it, and
// links between distant vertices. The caller frees it.
tide_status tide_pick_openings(tide_world *world, tide_body_id body, const tide_pick_view *view, const double a[2],
                               const double b[2], tide_openings *found, tide_error *error);
// Finds the vertex nearest to a place in the picture, at most `reach` pixels away, and its position there.
bool tide_pick_vertex(tide_world *world, const tide_pick_view *view, const double at[2], double reach,
                      tide_body_id *body, uint32_t *vertex, double where[2]);

// The input that begins a drag of what was found in the body of this name: its vertex, the whole body, or the edge,
// where there is one. `stiffness` (N/m) is that of the spring that drags.
tide_input tide_pick_drag(const tide_pick *found, const char *name, bool whole, bool edge, double stiffness);

#endif
