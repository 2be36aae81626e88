// The camera: how it turns about its target, moves and zooms, what it sees, and how it finds a scene.
#ifndef TIDE_DRAW_CAMERA_H
#define TIDE_DRAW_CAMERA_H

#include "draw/draw_list.h"

// Looks at the middle of a box from the front, a little above and to the right, from where all of it fits.
tide_draw_camera tide_camera_frame(const float lower[3], const float upper[3], float aspect);
// The same where `up`, which is along an axis, is up.
tide_draw_camera tide_camera_frame_up(const float lower[3], const float upper[3], const float up[3], float aspect);
// The rows of the matrix that turns `up` to y: that of its axis which is the longest.
void tide_camera_turn(const float up[3], float rows[3][3]);
// Where the camera is, seen from its target, in spherical coordinates about `up`, which is along an axis: `around` is 0
// in front, where tide_camera_frame_up looks from, and grows to the right (rad); `above` the horizon (rad); the
// distance in m. The other function puts the camera there, and turns the picture so that `up` is up in it.
void tide_camera_angles(const tide_draw_camera *camera, const float up[3], double *around, double *above,
                        double *distance);
void tide_camera_look_from(tide_draw_camera *camera, const float up[3], double around, double above, double distance);
// A camera moved aside and back so that a box stays in its sight. It does not move while the box is well within, and
// begins to gently; it goes by the box alone, so that a picture does not depend on those before it.
tide_draw_camera tide_camera_follow(const tide_draw_camera *camera, const float lower[3], const float upper[3],
                                    float aspect);
// The spacing of the ground's grid, m: 1, 2 or 5 times a power of ten.
float tide_camera_grid(const tide_draw_camera *camera);

void tide_camera_orbit(tide_draw_camera *camera, float right,
                       float up); // radians about the target; stops short of the poles
void tide_camera_pan(tide_draw_camera *camera, float right, float up); // fractions of the view's height at the target
void tide_camera_zoom(tide_draw_camera *camera, float factor);         // distance to the target times factor

// A part of a picture: fractions of its width and height from the top left.
typedef struct tide_camera_part {
    float x0, y0, x1, y1;
} tide_camera_part;

// How far from the principal point a box is seen with this camera, at most: fractions of half the picture's width and
// height. Both are infinite where the box reaches behind the camera.
void tide_camera_extent(const tide_draw_camera *camera, const float lower[3], const float upper[3], float aspect,
                        float extent[2]);
// The same camera with its principal point in the middle of the part, and everything `scale` times as large.
tide_draw_camera tide_camera_in_part(const tide_draw_camera *camera, const tide_camera_part *part, float scale);

// World to clip space, column-major 4 x 4, right-handed, depth in [0, 1] with near at 0.
void tide_camera_matrix(const tide_draw_camera *camera, float aspect, float near_plane, float far_plane,
                        float matrix[16]);

// A ray through a pixel (from the top left, of an image width x height).
void tide_camera_ray(const tide_draw_camera *camera, float x, float y, uint32_t width, uint32_t height, float origin[3],
                     float direction[3]);

#endif
