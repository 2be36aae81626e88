// The camera: orbits its target, moves, zooms, fits and follows a scene, and makes projections and rays.
//
//     tide_draw_camera camera = tide_camera_frame(list.lower, list.upper, 1280.0f / 720);
//     tide_camera_orbit(&camera, 0.5f, 0);
//     tide_camera_zoom(&camera, 0.8f);
//     list.camera = camera;
//
// Units: m in the world, radians, pixels from the top left of a picture; `aspect` is width / height. Ownership: a
// camera is a plain struct of the caller. Threads: any. Nothing fails.
#ifndef TIDE_DRAW_CAMERA_H
#define TIDE_DRAW_CAMERA_H

#include "draw/draw_list.h"

// Returns a camera that shows a whole box from the front, a little from above and from the right.
tide_draw_camera tide_camera_frame(const float lower[3], const float upper[3], float aspect);
// The same for another up vector, which is along an axis.
tide_draw_camera tide_camera_frame_up(const float lower[3], const float upper[3], const float up[3], float aspect);
// Computes the rows of the rotation that turns the axis of the longest component of `up` to y.
void tide_camera_turn(const float up[3], float rows[3][3]);
// Gets or sets the camera's position in spherical coordinates about its target and `up`, which is along an axis:
// `around` is the azimuth in rad, 0 in front (the side of tide_camera_frame_up), positive to the right; `above` is the
// elevation above the horizon in rad; the distance is in m. tide_camera_look_from also makes `up` the picture's up
// direction.
void tide_camera_angles(const tide_draw_camera *camera, const float up[3], double *around, double *above,
                        double *distance);
void tide_camera_look_from(tide_draw_camera *camera, const float up[3], double around, double above, double distance);
// Returns the camera, moved so that a box stays in sight, neither far away nor close. It does not move while the box is
// well within the picture, and begins to move smoothly. It depends on the box only, so a picture does not depend on
// earlier ones.
tide_draw_camera tide_camera_follow(const tide_draw_camera *camera, const float lower[3], const float upper[3],
                                    float aspect);
// Returns the spacing of the ground's grid, m: 1, 2 or 5 times a power of ten.
float tide_camera_grid(const tide_draw_camera *camera);

void tide_camera_orbit(tide_draw_camera *camera, float right,
                       float up);                                      // rad about the target; stops short of the poles
void tide_camera_pan(tide_draw_camera *camera, float right, float up); // fractions of the view's height at the target
void tide_camera_zoom(tide_draw_camera *camera, float factor);         // distance to the target times factor

// A part of a picture: fractions of its width and height from the top left.
typedef struct tide_camera_part {
    float x0, y0, x1, y1;
} tide_camera_part;

// Computes the largest distance of a projected box from the principal point, as fractions of half the picture's width
// and height. Both are infinite if the box reaches behind the camera.
void tide_camera_extent(const tide_draw_camera *camera, const float lower[3], const float upper[3], float aspect,
                        float extent[2]);
// Returns the camera with its principal point in the middle of the part, and the image scaled by `scale`.
tide_draw_camera tide_camera_in_part(const tide_draw_camera *camera, const tide_camera_part *part, float scale);

// Computes the matrix from world to clip space: column-major 4 x 4, right-handed, depth in [0, 1] with near at 0.
void tide_camera_matrix(const tide_draw_camera *camera, float aspect, float near_plane, float far_plane,
                        float matrix[16]);

// Computes the ray through a pixel (from the top left of an image width x height).
void tide_camera_ray(const tide_draw_camera *camera, float x, float y, uint32_t width, uint32_t height, float origin[3],
                     float direction[3]);

#endif
