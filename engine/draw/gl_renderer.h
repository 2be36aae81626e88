// The OpenGL renderer: a draw list into an image in memory, as the software rasteriser (draw/rasterizer.h) does and
// with pictures that match its own closely, drawn by a graphics processor where there is one. Needs OpenGL 3.3 and no
// display. One renderer is used on one thread.
#ifndef TIDE_DRAW_GL_RENDERER_H
#define TIDE_DRAW_GL_RENDERER_H

#include "draw/draw_list.h"
#include "draw/image.h"

typedef struct tide_gl tide_gl; // context, programs, and buffers that grow and are kept from frame to frame

typedef enum tide_gl_host {
    TIDE_GL_OFFSCREEN, // a context of its own, without a window
    TIDE_GL_CURRENT    // the context that is current now (a window's), and whenever the renderer is used
} tide_gl_host;

// Fails with TIDE_ERROR_STATE where OpenGL 3.3 is not to be had.
tide_status tide_gl_create(tide_gl **gl, tide_gl_host host, tide_error *error);
void tide_gl_destroy(tide_gl *gl); // NULL does nothing

// What draws: the driver's name for it. An emulator is one that has the processor draw, which the software rasteriser
// does faster.
const char *tide_gl_name(const tide_gl *gl);
bool tide_gl_is_emulator(const char *name);

// As tide_rasterizer_draw. Fails, too, where the image is larger than the driver's textures can be, where the driver
// has no memory, and with what OpenGL reports.
tide_status tide_gl_draw(tide_gl *gl, const tide_draw_list *list, tide_image *image, tide_error *error);

// Primitives of the last picture that were left out as tide_raster_cost says.
uint32_t tide_gl_left_out(const tide_gl *gl);

// Puts an image into the window whose context is current (TIDE_GL_CURRENT), over all of its width x height pixels. The
// caller then swaps the window's buffers.
tide_status tide_gl_show(tide_gl *gl, const tide_image *image, uint32_t width, uint32_t height, tide_error *error);

#endif
