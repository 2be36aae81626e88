// Render targets.
#include "draw/gl_parts.h"

#include <stdio.h>

tide_status tide_gl_check(const char *doing, tide_error *error)
{
    enum { CONTEXT_LOST = 0x0507, CONTEXT_LOST_IN_BROWSER = 0x9242 }; // in no header of OpenGL ES 3.0
    enum { MOST = 32 };                                               // a lost context may report errors endlessly
    GLenum first = glGetError();
    for (int i = 0; first != GL_NO_ERROR && i < MOST && glGetError() != GL_NO_ERROR; i++)
        ;
    if (first == GL_NO_ERROR)
        return TIDE_OK;
    if (first == GL_OUT_OF_MEMORY)
        return tide_fail(error, TIDE_ERROR_MEMORY, "OpenGL", NULL, NULL, "the driver has no memory left for %s", doing);
    if (first == CONTEXT_LOST || first == CONTEXT_LOST_IN_BROWSER)
        return tide_fail(error, TIDE_ERROR_STATE, "OpenGL", NULL, NULL,
                         "the graphics processor was reset or taken away");
    char code[16];
    snprintf(code, sizeof code, "0x%04X", (unsigned)first);
    return tide_fail(error, TIDE_ERROR_STATE, "OpenGL", "error", code, "reported after %s", doing);
}

tide_status tide_gl_check_framebuffer(const char *doing, tide_error *error)
{
    GLenum state = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    tide_status status = tide_gl_check(doing, error);
    if (status != TIDE_OK || state == GL_FRAMEBUFFER_COMPLETE)
        return status;
    char code[16];
    snprintf(code, sizeof code, "0x%04X", (unsigned)state);
    return tide_fail(error, TIDE_ERROR_STATE, "OpenGL", "framebuffer", code, "the driver does not draw into it");
}

void tide_gl_free_target(tide_gl_target *target)
{
    glDeleteFramebuffers(1, &target->framebuffer); // 0 is ignored
    glDeleteTextures(1, &target->texture);
    *target = (tide_gl_target) { 0 };
}

// OpenGL ES takes only the format of pixels that fits, although there are none.
static GLenum pixels_of(GLint format)
{
    if (format == GL_DEPTH_COMPONENT32F)
        return GL_DEPTH_COMPONENT;
    return format == GL_RG32F || format == GL_RG16F ? GL_RG : GL_RGBA;
}

tide_status tide_gl_make_target(tide_gl_target *target, GLint format, GLsizei width, GLsizei height, GLint filter,
                                tide_error *error)
{
    const GLenum nothing = GL_NONE;
    bool depth = format == GL_DEPTH_COMPONENT32F;
    tide_gl_free_target(target);
    glGenTextures(1, &target->texture);
    glBindTexture(GL_TEXTURE_2D, target->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, format, width, height, 0, pixels_of(format),
                 format == GL_RGBA8 ? GL_UNSIGNED_BYTE : GL_FLOAT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glGenFramebuffers(1, &target->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, depth ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                           target->texture, 0);
    if (depth) {
        glDrawBuffers(1, &nothing);
        glReadBuffer(GL_NONE);
    }
    return tide_gl_check_framebuffer("making maps", error);
}

tide_status tide_gl_make_maps(tide_gl *gl, tide_error *error)
{
    enum { LEVEL = TIDE_LIGHT_SIZE / 2 };
    const GLint smooth = gl->dialect->smooth_format;
    TIDE_TRY(
        tide_gl_make_target(&gl->light, GL_DEPTH_COMPONENT32F, TIDE_LIGHT_SIZE, TIDE_LIGHT_SIZE, GL_NEAREST, error));
    for (int k = 0; k < TIDE_GROUND_LEVELS; k++)
        TIDE_TRY(tide_gl_make_target(&gl->levels[k], smooth, LEVEL >> k, LEVEL >> k, GL_LINEAR, error));
    TIDE_TRY(tide_gl_make_target(&gl->scratch, smooth, LEVEL, LEVEL, GL_NEAREST, error));
    TIDE_TRY(tide_gl_make_target(&gl->contact, smooth, TIDE_CONTACT_SIZE, TIDE_CONTACT_SIZE, GL_LINEAR, error));
    for (int k = 0; k < TIDE_CASTER_LEVELS; k++)
        TIDE_TRY(tide_gl_make_target(&gl->casters[k], GL_RG32F, LEVEL >> k, LEVEL >> k, GL_NEAREST, error));
    return TIDE_OK;
}

static void free_scene(tide_gl *gl)
{
    gl->dialect->free_samples(gl);
    tide_gl_free_target(&gl->picture);
    tide_gl_free_target(&gl->near_map);
    tide_gl_free_target(&gl->raw_openness);
    tide_gl_free_target(&gl->openness);
    gl->scene_framebuffer = gl->scene_colour = gl->scene_depth = 0;
    gl->width = gl->height = 0;
}

tide_status tide_gl_resize(tide_gl *gl, uint32_t width, uint32_t height, tide_error *error)
{
    if (gl->width == width && gl->height == height)
        return TIDE_OK;
    free_scene(gl);
    if (width > (uint32_t)gl->max_size || height > (uint32_t)gl->max_size) {
        char size[32];
        snprintf(size, sizeof size, "%ux%u", (unsigned)width, (unsigned)height);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "picture", "size", size,
                         "OpenGL draws at most %d pixels each way here; the software renderer draws more",
                         (int)gl->max_size);
    }
    GLsizei wide = (GLsizei)width, high = (GLsizei)height;
    tide_status status = gl->dialect->make_samples(gl, wide, high, error);
    if (status == TIDE_OK)
        status = tide_gl_make_target(&gl->picture, GL_RGBA8, wide, high, GL_NEAREST, error);
    const tide_openness *map = &gl->parts->openness;
    if (status == TIDE_OK)
        status = tide_gl_make_target(&gl->near_map, GL_DEPTH_COMPONENT32F, map->width, map->height, GL_NEAREST, error);
    if (status == TIDE_OK)
        status = tide_gl_make_target(&gl->raw_openness, GL_RG32F, map->width, map->height, GL_NEAREST, error);
    if (status == TIDE_OK)
        status = tide_gl_make_target(&gl->openness, GL_RG32F, map->width, map->height, GL_NEAREST, error);
    if (status != TIDE_OK) {
        free_scene(gl);
        return status;
    }
    gl->width = width;
    gl->height = height;
    return TIDE_OK;
}

void tide_gl_free_targets(tide_gl *gl)
{
    free_scene(gl);
    tide_gl_free_target(&gl->light);
    for (int k = 0; k < TIDE_GROUND_LEVELS; k++)
        tide_gl_free_target(&gl->levels[k]);
    tide_gl_free_target(&gl->scratch);
    tide_gl_free_target(&gl->contact);
    for (int k = 0; k < TIDE_CASTER_LEVELS; k++)
        tide_gl_free_target(&gl->casters[k]);
    tide_gl_free_target(&gl->overlay);
    tide_gl_free_target(&gl->shown);
}

// Copies a target into the window, over all of its width x height pixels.
static void show_target(const tide_gl_target *target, GLint wide, GLint high, uint32_t width, uint32_t height)
{
    const bool same = (uint32_t)wide == width && (uint32_t)high == height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glDisable(GL_SCISSOR_TEST);
    // row 0 of a window is at the bottom
    glBlitFramebuffer(0, 0, wide, high, 0, (GLint)height, (GLint)width, 0, GL_COLOR_BUFFER_BIT,
                      same ? GL_NEAREST : GL_LINEAR);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void tide_gl_show_picture(const tide_gl *gl)
{
    show_target(&gl->picture, (GLint)gl->width, (GLint)gl->height, gl->width, gl->height);
}

tide_status tide_gl_show(tide_gl *gl, const tide_image *image, uint32_t width, uint32_t height, tide_error *error)
{
    GLsizei wide = (GLsizei)image->width, high = (GLsizei)image->height;
    if (!image->width || !image->height || !image->pixels)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "picture", "size", "0x0", "give the image a size first");
    if (gl->shown_width != image->width || gl->shown_height != image->height) {
        gl->shown_width = gl->shown_height = 0;
        tide_status status = tide_gl_make_target(&gl->shown, GL_RGBA8, wide, high, GL_NEAREST, error);
        if (status != TIDE_OK)
            return status;
        gl->shown_width = image->width;
        gl->shown_height = image->height;
    }
    glBindTexture(GL_TEXTURE_2D, gl->shown.texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, wide, high, GL_RGBA, GL_UNSIGNED_BYTE, image->pixels);
    show_target(&gl->shown, wide, high, width, height);
    return tide_gl_check("showing the picture", error);
}
