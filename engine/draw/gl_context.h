// An OpenGL 3.3 core or OpenGL ES 3.0 context without a window and without a display, made by EGL.
#ifndef TIDE_DRAW_GL_CONTEXT_H
#define TIDE_DRAW_GL_CONTEXT_H

#include "base/error.h"

typedef struct tide_gl_context tide_gl_context;
typedef enum tide_gl_language { TIDE_GL_LANGUAGE_DESKTOP, TIDE_GL_LANGUAGE_ES } tide_gl_language;

// Creates a context. Tries in turn: Mesa's surfaceless platform, the graphics devices, and a small pixel buffer on the
// default display. Fails with TIDE_ERROR_STATE if EGL, OpenGL or the version is missing; the error's remedy says which.
tide_status tide_gl_context_create(tide_gl_context **context, tide_gl_language language, tide_error *error);
// To be called on the thread that made it current last. The context is no longer current afterwards. NULL does nothing.
void tide_gl_context_destroy(tide_gl_context *context);
// Makes the context current on the calling thread. Each enter needs a leave, which restores the previous context.
tide_status tide_gl_context_enter(tide_gl_context *context, tide_error *error);
void tide_gl_context_leave(tide_gl_context *context);

#endif
