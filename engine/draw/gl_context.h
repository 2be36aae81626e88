// An OpenGL 3.3 core context without a window and without a display, made by EGL.
#ifndef TIDE_DRAW_GL_CONTEXT_H
#define TIDE_DRAW_GL_CONTEXT_H

#include "base/error.h"

typedef struct tide_gl_context tide_gl_context;

// Tried in turn: Mesa's surfaceless platform, the graphics devices, and a small pixel buffer on the default display.
// Fails with TIDE_ERROR_STATE when EGL, OpenGL or the version is missing; the error's remedy says which.
tide_status tide_gl_context_create(tide_gl_context **context, tide_error *error);
// Belongs to the thread that made it current last; not current any more afterwards. NULL does nothing.
void tide_gl_context_destroy(tide_gl_context *context);
// On the calling thread. Each call of enter is followed by one of leave, which puts back what was current before.
tide_status tide_gl_context_enter(tide_gl_context *context, tide_error *error);
void tide_gl_context_leave(tide_gl_context *context);

#endif
