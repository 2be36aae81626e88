// The picture of a scene: its camera, ground, draw list and image, as a file or a window shows it.
#ifndef TIDE_APP_PICTURE_H
#define TIDE_APP_PICTURE_H

#include "draw/camera.h"
#include "draw/gl_renderer.h"
#include "draw/rasterizer.h"
#include "draw/world_view.h"
#include "script/script.h"

typedef struct tide_picture {
    tide_rasterizer *rasterizer;
    tide_gl *gl; // the OpenGL renderer; NULL until tide_picture_use_opengl
    bool opengl; // it draws, and not the rasterizer
    tide_draw_list list;
    tide_image image;
    tide_draw_camera camera; // as a person turns it, for the visible part; tide_picture_see has the one that draws
    tide_draw_camera seen;   // the one that draws
    // What fits into the visible part: the world's bounds at the last fit, as that camera saw them.
    struct {
        tide_draw_camera camera;
        float lower[3], upper[3];
        bool of_scene; // the camera was given by the scene: nothing is shown larger than in the whole picture
    } fitted;
    tide_draw_camera followed; // the camera that went with what moves, when a picture was last drawn
    bool follows_nothing;      // the camera stays: several pictures have it in common
    tide_camera_part part;     // the visible part of the picture; all zeros: the whole, and nothing is fitted
    float ground_height;       // where the scene leaves it open
    tide_view_settings view;
    tide_world *world;      // drawn instead of the script's: one with the same bodies; NULL: the script's
    uint32_t width, height; // pixels
    uint32_t covered;       // of these, at the right, what something else is drawn over: the key stays beside it
    uint32_t left_out;      // primitives of the last picture that were too large to be drawn (tide_raster_cost)
    double draw_seconds;    // that the last picture took that was drawn anew
} tide_picture;             // { 0 } is empty

// Ready to draw the script's scene; looks as tide_picture_look_again says. NULL: there is none yet, and
// tide_picture_look_again follows once it is there.
tide_status tide_picture_create(tide_picture *picture, tide_script *script, uint32_t width, uint32_t height,
                                bool wireframe, tide_error *error);
void tide_picture_free(tide_picture *picture);

// Has the pictures drawn by OpenGL from now on. Fails where that is not to be had, and then nothing changes. Where it
// fails later, while drawing, the notice is given and the software renderer goes on.
tide_status tide_picture_use_opengl(tide_picture *picture, tide_gl_host host, tide_error *error);
// Frees what OpenGL has for the picture: before the context goes that it was made with.
void tide_picture_drop_opengl(tide_picture *picture);
// Tells the user, in a line, why the software renderer draws.
void tide_picture_notice(const tide_error *why);

// Camera as the scene wants it, or such that all the world fits with the room that it needs to hang down; the ground
// (where the scene leaves it open) below that.
tide_status tide_picture_look_again(tide_picture *picture, tide_script *script, tide_error *error);
// Camera such that the world as it is now fits.
tide_status tide_picture_fit(tide_picture *picture, tide_script *script, tide_error *error);

// The camera that draws: the target is in the middle of the visible part, and what was in sight when the view was
// fitted is within it. Turning the view does not change the scale. Of the whole picture it is picture->camera.
const tide_draw_camera *tide_picture_see(tide_picture *picture);

// Draws the world as it is now into picture->image; with `callback` the scene's `draw` too. A callback that fails is
// an error, but the world is drawn.
tide_status tide_picture_draw(tide_picture *picture, tide_script *script, bool callback, tide_error *error);

#endif
