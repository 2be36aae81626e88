// The functions of OpenGL: desktop OpenGL and OpenGL ES natively, and OpenGL ES 3.0 alone in a browser (WebGL 2).
#ifndef TIDE_DRAW_GL_API_H
#define TIDE_DRAW_GL_API_H

#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#else
#include <epoxy/gl.h>
#endif

#endif
