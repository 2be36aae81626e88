// In place of the OpenGL renderer where a build has none (scripts/cross.sh): the software rasteriser draws.
#include "draw/gl_renderer.h"

static tide_status fail(tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_STATE, "OpenGL", NULL, NULL, "this build has the software renderer only");
}

tide_status tide_gl_create(tide_gl **gl, tide_gl_host host, tide_error *error)
{
    (void)host;
    *gl = NULL;
    return fail(error);
}

void tide_gl_destroy(tide_gl *gl)
{
    (void)gl;
}

const char *tide_gl_name(const tide_gl *gl)
{
    (void)gl;
    return "";
}

bool tide_gl_is_emulator(const char *name)
{
    (void)name;
    return false;
}

tide_status tide_gl_draw(tide_gl *gl, const tide_draw_list *list, tide_image *image, tide_error *error)
{
    (void)gl;
    (void)list;
    (void)image;
    return fail(error);
}

uint32_t tide_gl_left_out(const tide_gl *gl)
{
    (void)gl;
    return 0;
}

tide_status tide_gl_show(tide_gl *gl, const tide_image *image, uint32_t width, uint32_t height, tide_error *error)
{
    (void)gl;
    (void)image;
    (void)width;
    (void)height;
    return fail(error);
}

tide_status tide_gl_draw_in_window(tide_gl *gl, const tide_draw_list *list, uint32_t width, uint32_t height,
                                   tide_error *error)
{
    (void)gl;
    (void)list;
    (void)width;
    (void)height;
    return fail(error);
}
