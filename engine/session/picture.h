// The picture of a scene, for a file or a window: its camera, ground, draw list and image.
#ifndef TIDE_SESSION_PICTURE_H
#define TIDE_SESSION_PICTURE_H

#include "draw/camera.h"
#include "draw/gl_renderer.h"
#include "draw/rasterizer.h"
#include "draw/world_view.h"
#include "script/script.h"

typedef struct tide_picture {
    tide_rasterizer *rasterizer;
    tide_gl *gl; // the OpenGL renderer; NULL until tide_picture_use_opengl
    bool opengl; // OpenGL draws the pictures; else the rasterizer does
    bool shown;  // OpenGL draws pictures straight into its window, and `image` has no pixels of them
    tide_draw_list list;
    tide_image image;
    tide_draw_camera camera; // set by the scene or the user, for the visible part
    tide_draw_camera seen;   // the camera that draws the whole picture, computed by tide_picture_see
    // The world's bounds at the last fit, and the camera that was fitted to them in the visible part.
    struct {
        tide_draw_camera camera;
        float lower[3], upper[3];
        bool of_scene; // the scene gave the camera: nothing is shown larger than in the whole picture
    } fitted;
    tide_draw_camera followed; // the camera of the last picture that followed bodies in motion
    bool whole;                // a scene's own camera shows the whole of the 16:9 picture that it is designed for
    bool follows_nothing;      // the camera follows no bodies, because several pictures share it
    struct {
        float size;        // height of the text, pixels; 0: by the picture's height
        float above;       // distance from the bottom, pixels
    } scale;               // of the ground's grid
    tide_camera_part part; // the visible part of the picture; all zeros: the whole, and nothing is fitted
    float ground_height;   // used if the scene gives no height
    tide_view_settings view;
    tide_world *world;      // drawn instead of the script's world, with the same bodies; NULL: the script's is drawn
    uint32_t width, height; // pixels
    uint32_t covered;       // pixels at the right covered by panels: the key of colours is drawn beside them
    uint32_t left_out;      // primitives of the last picture that were too large to be drawn (tide_raster_cost)
    double draw_seconds;    // of the last picture that was drawn and not repeated
} tide_picture;             // { 0 } is empty

// Makes a picture of the script's scene and calls tide_picture_look_again. `script` is NULL while there is no scene:
// the caller then calls tide_picture_look_again once there is one.
tide_status tide_picture_create(tide_picture *picture, tide_script *script, uint32_t width, uint32_t height,
                                bool wireframe, tide_error *error);
void tide_picture_free(tide_picture *picture);

// Makes OpenGL draw the pictures from now on. Changes nothing when it fails. When OpenGL fails later, while drawing,
// tide_picture_notice is called and the software renderer goes on.
tide_status tide_picture_use_opengl(tide_picture *picture, tide_gl_host host, tide_error *error);
// Frees the picture's OpenGL objects. To be called before their context is destroyed.
void tide_picture_drop_opengl(tide_picture *picture);
// Logs why the software renderer draws.
void tide_picture_notice(const tide_error *why);

// Sets the scene's own camera, or one that shows the whole world, including where bodies may hang down. Puts the ground
// below that, unless the scene gives its height.
tide_status tide_picture_look_again(tide_picture *picture, tide_script *script, tide_error *error);
// Sets a camera that shows the whole current world.
tide_status tide_picture_fit(tide_picture *picture, tide_script *script, tide_error *error);

// Computes the camera that draws. Its target is at the centre of the visible part, and everything that was visible at
// the last fit stays within that part. Turning the view does not change the scale. Without a visible part it equals
// picture->camera.
const tide_draw_camera *tide_picture_see(tide_picture *picture);

// Draws the current world into picture->image; with `callback` also the scene's `draw`. If the callback fails, returns
// its error, but the world is drawn.
tide_status tide_picture_draw(tide_picture *picture, tide_script *script, bool callback, tide_error *error);
// The same. A script that changes the world while it draws fails, and its changes are undone: the world must not depend
// on how often it is drawn.
tide_status tide_picture_draw_checked(tide_picture *picture, tide_script *script, bool callback, tide_error *error);

#endif
