// What only desktop OpenGL has: multisampled textures, depth clamping, mapped buffers, clip depths in [0, 1]. Not
// compiled for browsers.
#include "draw/gl_parts.h"

static tide_status check(tide_gl *gl, tide_error *error)
{
    const char *version = (const char *)glGetString(GL_VERSION);
    GLint colour_samples = 1, depth_samples = 1;
    if (!version || epoxy_gl_version() < 33)
        return tide_fail(error, TIDE_ERROR_STATE, "OpenGL", NULL, NULL, "version 3.3 is needed; here is %s",
                         version ? version : "none");
    gl->clip_control = epoxy_gl_version() >= 45 || epoxy_has_gl_extension("GL_ARB_clip_control");
    glGetIntegerv(GL_MAX_COLOR_TEXTURE_SAMPLES, &colour_samples);
    glGetIntegerv(GL_MAX_DEPTH_TEXTURE_SAMPLES, &depth_samples);
    gl->samples = colour_samples < depth_samples ? colour_samples : depth_samples;
    return TIDE_OK;
}

static void reset(const tide_gl *gl)
{
    const GLenum off[] = { GL_DEPTH_CLAMP, GL_FRAMEBUFFER_SRGB, GL_SAMPLE_MASK };
    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++)
        glDisable(off[i]);
    glEnable(GL_MULTISAMPLE);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    if (gl->clip_control)
        glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
}

static void clear_depth(float depth)
{
    glClearDepth((double)depth);
}

static void clamp_depth(bool on)
{
    if (on)
        glEnable(GL_DEPTH_CLAMP);
    else
        glDisable(GL_DEPTH_CLAMP);
}

static void *open_buffer(tide_gl *gl, const tide_gl_buffer *buffer, size_t size)
{
    (void)gl;
    return glMapBufferRange(buffer->target, 0, (GLsizeiptr)size, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
}

static bool close_buffer(const tide_gl *gl, const tide_gl_buffer *buffer, size_t size)
{
    (void)gl;
    (void)size;
    return glUnmapBuffer(buffer->target);
}

static GLuint make_texture(const tide_gl *gl, GLenum format, GLenum attachment, GLsizei width, GLsizei height)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture);
    glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, gl->samples, format, width, height, GL_TRUE);
    glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D_MULTISAMPLE, texture, 0);
    return texture;
}

static tide_status make_samples(tide_gl *gl, GLsizei width, GLsizei height, tide_error *error)
{
    glGenFramebuffers(1, &gl->scene_framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, gl->scene_framebuffer);
    gl->scene_colour = make_texture(gl, GL_RGBA16F, GL_COLOR_ATTACHMENT0, width, height);
    gl->scene_depth = make_texture(gl, GL_DEPTH_COMPONENT32F, GL_DEPTH_ATTACHMENT, width, height);
    return tide_gl_check_framebuffer("making the picture's samples", error);
}

static void free_samples(tide_gl *gl)
{
    glDeleteFramebuffers(1, &gl->scene_framebuffer); // 0 is ignored
    glDeleteTextures(1, &gl->scene_colour);
    glDeleteTextures(1, &gl->scene_depth);
}

static void draw_picture(const tide_gl *gl)
{
    const GLuint textures[] = { gl->scene_colour, gl->scene_depth };
    glBindFramebuffer(GL_FRAMEBUFFER, gl->picture.framebuffer);
    for (GLuint i = 0; i < 2; i++) {
        glActiveTexture(GL_TEXTURE0 + TIDE_GL_UNIT_SOURCE + i);
        glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, textures[i]);
    }
    tide_gl_draw_encoded(gl);
    tide_gl_draw_marks(gl);
}

const tide_gl_dialect *tide_gl_current_dialect(void)
{
    return epoxy_is_desktop_gl() ? &tide_gl_desktop : &tide_gl_es;
}

const char *tide_gl_driver(void)
{
    return (const char *)glGetString(GL_RENDERER);
}

const tide_gl_dialect tide_gl_desktop = {
    .shader_version = "#version 330 core\n#define SCENE_SAMPLER sampler2DMS\n",
    .mark_visibility = "uniform sampler2DMS scene_depth;"
                       "float visible_samples(float depth) {"
                       "    float seen = 0.0;"
                       "    int samples = int(depth_map.z);"
                       "    for (int i = 0; i < samples; i++)"
                       "        seen += depth >= texelFetch(scene_depth, ivec2(gl_FragCoord.xy), i).r ? 1.0 : 0.0;"
                       "    return seen;"
                       "}",
    .smooth_format = GL_RG32F,
    .reads_samples = true,
    .clamps_depth = true,
    .check = check,
    .reset = reset,
    .clear_depth = clear_depth,
    .clamp_depth = clamp_depth,
    .open_buffer = open_buffer,
    .close_buffer = close_buffer,
    .make_samples = make_samples,
    .free_samples = free_samples,
    .draw_picture = draw_picture,
};
