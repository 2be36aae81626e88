// The OpenGL renderer: draws a draw list into an image in memory, like the software rasteriser (draw/rasterizer.h),
// with closely matching pictures, by a graphics processor if there is one. Needs OpenGL 3.3 or OpenGL ES 3.0 (WebGL 2),
// but no display. A renderer is used on one thread.
#ifndef TIDE_DRAW_GL_RENDERER_H
#define TIDE_DRAW_GL_RENDERER_H

#include "draw/draw_list.h"
#include "draw/image.h"

typedef struct tide_gl tide_gl; // context, programs, and buffers that are kept from frame to frame

typedef enum tide_gl_host {
    TIDE_GL_OFFSCREEN,    // its own context of desktop OpenGL, without a window
    TIDE_GL_OFFSCREEN_ES, // its own context of OpenGL ES
    TIDE_GL_CURRENT       // the context that is current now (a window's), and again whenever the renderer is used
} tide_gl_host;

// Fails with TIDE_ERROR_STATE if OpenGL 3.3, or OpenGL ES 3.0 with targets of floating-point numbers, is not available.
tide_status tide_gl_create(tide_gl **gl, tide_gl_host host, tide_error *error);
void tide_gl_destroy(tide_gl *gl); // NULL does nothing

// Returns the driver's name. An emulator is a driver that renders on the processor; the software rasteriser is faster.
const char *tide_gl_name(const tide_gl *gl);
bool tide_gl_is_emulator(const char *name);

// Draws as tide_rasterizer_draw does. Also fails if the image is larger than the driver's textures, if the driver has
// no memory, and for errors that OpenGL reports.
tide_status tide_gl_draw(tide_gl *gl, const tide_draw_list *list, tide_image *image, tide_error *error);

// Draws into the window whose context is current (TIDE_GL_CURRENT), of width x height pixels, and does not read the
// picture back. The caller then swaps the window's buffers; a browser does so itself.
tide_status tide_gl_draw_in_window(tide_gl *gl, const tide_draw_list *list, uint32_t width, uint32_t height,
                                   tide_error *error);

// Returns how many primitives were left out of the last picture (see tide_raster_cost).
uint32_t tide_gl_left_out(const tide_gl *gl);

// Draws an image into the window whose context is current (TIDE_GL_CURRENT), over all of its width x height pixels. The
// caller then swaps the window's buffers.
tide_status tide_gl_show(tide_gl *gl, const tide_image *image, uint32_t width, uint32_t height, tide_error *error);

#endif
