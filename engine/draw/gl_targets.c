// Render targets.
#include "draw/gl_parts.h"

#include <stdio.h>

tide_status tide_gl_check(const char *doing, tide_error *error)
{
    enum { MOST = 32 }; // a lost context may report errors endlessly
    GLenum first = glGetError();
    for (int i = 0; first != GL_NO_ERROR && i < MOST && glGetError() != GL_NO_ERROR; i++)
        ;
    if (first == GL_NO_ERROR)
        return TIDE_OK;
    if (first == GL_OUT_OF_MEMORY)
        return tide_fail(error, TIDE_ERROR_MEMORY, "OpenGL", NULL, NULL, "the driver has no memory left for %s", doing);
    char code[16];
    snprintf(code, sizeof code, "0x%04X", (unsigned)first);
    return tide_fail(error, TIDE_ERROR_STATE, "OpenGL", "error", code, "reported after %s", doing);
}

static tide_status check_framebuffer(const char *doing, tide_error *error)
{
    GLenum state = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    tide_status status = tide_gl_check(doing, error);
    if (status != TIDE_OK || state == GL_FRAMEBUFFER_COMPLETE)
        return status;
    char code[16];
    snprintf(code, sizeof code, "0x%04X", (unsigned)state);
    return tide_fail(error, TIDE_ERROR_STATE, "OpenGL", "framebuffer", code, "the driver does not draw into it");
}

static void free_target(tide_gl_target *target)
{
    glDeleteFramebuffers(1, &target->framebuffer); // 0 is ignored
    glDeleteTextures(1, &target->texture);
    *target = (tide_gl_target) { 0 };
}

static tide_status make_target(tide_gl_target *target, GLint format, GLsizei width, GLsizei height, GLint filter,
                               tide_error *error)
{
    bool depth = format == GL_DEPTH_COMPONENT32F;
    free_target(target);
    glGenTextures(1, &target->texture);
    glBindTexture(GL_TEXTURE_2D, target->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, format, width, height, 0, depth ? GL_DEPTH_COMPONENT : GL_RGBA,
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
        glDrawBuffer(GL_NONE);
        glReadBuffer(GL_NONE);
    }
    return check_framebuffer("making maps", error);
}

tide_status tide_gl_make_maps(tide_gl *gl, tide_error *error)
{
    enum { LEVEL = TIDE_LIGHT_SIZE / 2 };
    TIDE_TRY(make_target(&gl->light, GL_DEPTH_COMPONENT32F, TIDE_LIGHT_SIZE, TIDE_LIGHT_SIZE, GL_NEAREST, error));
    for (int k = 0; k < TIDE_GROUND_LEVELS; k++)
        TIDE_TRY(make_target(&gl->levels[k], GL_RG32F, LEVEL >> k, LEVEL >> k, GL_LINEAR, error));
    TIDE_TRY(make_target(&gl->scratch, GL_RG32F, LEVEL, LEVEL, GL_NEAREST, error));
    TIDE_TRY(make_target(&gl->contact, GL_RG32F, TIDE_CONTACT_SIZE, TIDE_CONTACT_SIZE, GL_LINEAR, error));
    for (int k = 0; k < TIDE_CASTER_LEVELS; k++)
        TIDE_TRY(make_target(&gl->casters[k], GL_RG32F, LEVEL >> k, LEVEL >> k, GL_NEAREST, error));
    return TIDE_OK;
}

static void free_scene(tide_gl *gl)
{
    glDeleteFramebuffers(1, &gl->scene_framebuffer);
    glDeleteTextures(1, &gl->scene_colour);
    glDeleteTextures(1, &gl->scene_depth);
    free_target(&gl->picture);
    free_target(&gl->near_map);
    free_target(&gl->raw_openness);
    free_target(&gl->openness);
    gl->scene_framebuffer = gl->scene_colour = gl->scene_depth = 0;
    gl->width = gl->height = 0;
}

static GLuint make_samples(const tide_gl *gl, GLenum format, GLenum attachment, GLsizei width, GLsizei height)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture);
    glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, gl->samples, format, width, height, GL_TRUE);
    glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D_MULTISAMPLE, texture, 0);
    return texture;
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
    glGenFramebuffers(1, &gl->scene_framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, gl->scene_framebuffer);
    gl->scene_colour = make_samples(gl, GL_RGBA16F, GL_COLOR_ATTACHMENT0, wide, high);
    gl->scene_depth = make_samples(gl, GL_DEPTH_COMPONENT32F, GL_DEPTH_ATTACHMENT, wide, high);
    tide_status status = check_framebuffer("making the picture's samples", error);
    if (status == TIDE_OK)
        status = make_target(&gl->picture, GL_RGBA8, wide, high, GL_NEAREST, error);
    const tide_openness *map = &gl->parts->openness;
    if (status == TIDE_OK)
        status = make_target(&gl->near_map, GL_DEPTH_COMPONENT32F, map->width, map->height, GL_NEAREST, error);
    if (status == TIDE_OK)
        status = make_target(&gl->raw_openness, GL_RG32F, map->width, map->height, GL_NEAREST, error);
    if (status == TIDE_OK)
        status = make_target(&gl->openness, GL_RG32F, map->width, map->height, GL_NEAREST, error);
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
    free_target(&gl->light);
    for (int k = 0; k < TIDE_GROUND_LEVELS; k++)
        free_target(&gl->levels[k]);
    free_target(&gl->scratch);
    free_target(&gl->contact);
    for (int k = 0; k < TIDE_CASTER_LEVELS; k++)
        free_target(&gl->casters[k]);
    free_target(&gl->shown);
}

tide_status tide_gl_show(tide_gl *gl, const tide_image *image, uint32_t width, uint32_t height, tide_error *error)
{
    GLsizei wide = (GLsizei)image->width, high = (GLsizei)image->height;
    if (!image->width || !image->height || !image->pixels)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "picture", "size", "0x0", "give the image a size first");
    if (gl->shown_width != image->width || gl->shown_height != image->height) {
        gl->shown_width = gl->shown_height = 0;
        tide_status status = make_target(&gl->shown, GL_RGBA8, wide, high, GL_NEAREST, error);
        if (status != TIDE_OK)
            return status;
        gl->shown_width = image->width;
        gl->shown_height = image->height;
    }
    glBindTexture(GL_TEXTURE_2D, gl->shown.texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, wide, high, GL_RGBA, GL_UNSIGNED_BYTE, image->pixels);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, gl->shown.framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glDisable(GL_SCISSOR_TEST);
    // row 0 of a window is at the bottom
    glBlitFramebuffer(0, 0, wide, high, 0, (GLint)height, (GLint)width, 0, GL_COLOR_BUFFER_BIT,
                      image->width == width && image->height == height ? GL_NEAREST : GL_LINEAR);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return tide_gl_check("showing the picture", error);
}
