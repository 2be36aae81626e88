// Browsers have no desktop OpenGL, and give the driver's name only through an extension.
#include "draw/gl_parts.h"

const tide_gl_dialect *tide_gl_current_dialect(void)
{
    return &tide_gl_es;
}

const char *tide_gl_driver(void)
{
    const GLenum unmasked_renderer = 0x9246; // of the extension WEBGL_debug_renderer_info
    const char *name = (const char *)glGetString(unmasked_renderer);
    (void)glGetError(); // a browser without the extension
    return name ? name : (const char *)glGetString(GL_RENDERER);
}
