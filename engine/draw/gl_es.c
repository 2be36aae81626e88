// OpenGL ES 3.0, which is WebGL 2 in browsers. Samples cannot be read there: they are resolved by the driver, and marks
// are tested against the depth of each sample while they are drawn. Labels are drawn over the picture by blending.
#include "base/memory.h"
#include "draw/gl_parts.h"

#include <string.h>

static bool has_extension(const char *name)
{
    GLint count = 0;
    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; i++) {
        const char *extension = (const char *)glGetStringi(GL_EXTENSIONS, (GLuint)i);
        if (extension && strcmp(extension, name) == 0)
            return true;
    }
    return false;
}

static GLint samples_of(GLenum format)
{
    GLint samples = 0; // the driver writes the greatest number; nothing if it has none
    glGetInternalformativ(GL_RENDERBUFFER, format, GL_SAMPLES, 1, &samples);
    return samples;
}

static tide_status check(tide_gl *gl, tide_error *error)
{
    const char *version = (const char *)glGetString(GL_VERSION);
    GLint major = 0;
    glGetIntegerv(GL_MAJOR_VERSION, &major);
    if (!version || major < 3)
        return tide_fail(error, TIDE_ERROR_STATE, "OpenGL ES", NULL, NULL, "version 3.0 is needed; here is %s",
                         version ? version : "none");
    if (!has_extension("GL_EXT_color_buffer_float"))
        return tide_fail(error, TIDE_ERROR_STATE, "OpenGL ES", NULL, NULL,
                         "the extension GL_EXT_color_buffer_float is needed; %s does not have it", gl->name);
    const GLint colour = samples_of(GL_RGBA16F), depth = samples_of(GL_DEPTH_COMPONENT32F),
                plain = samples_of(GL_RGBA8);
    gl->samples = colour < depth ? colour : depth;
    gl->samples = gl->samples < plain ? gl->samples : plain;
    return TIDE_OK;
}

static void reset(const tide_gl *gl)
{
    (void)gl;
    glDisable(GL_DITHER);
    glDisable(GL_SAMPLE_COVERAGE);
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
}

static void clear_depth(float depth)
{
    glClearDepthf(depth);
}

static void clamp_depth(bool on)
{
    (void)on;
}

static void *open_buffer(tide_gl *gl, const tide_gl_buffer *buffer, size_t size)
{
    (void)buffer;
    return tide_grow(&gl->staging, &gl->staging_capacity, size, 1) ? gl->staging : NULL;
}

static bool close_buffer(const tide_gl *gl, const tide_gl_buffer *buffer, size_t size)
{
    glBufferSubData(buffer->target, 0, (GLsizeiptr)size, gl->staging);
    return true;
}

static GLuint make_buffer(const tide_gl *gl, GLenum format, GLsizei width, GLsizei height)
{
    GLuint buffer;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, gl->samples, format, width, height);
    return buffer;
}

static tide_status make_framebuffer(GLuint *framebuffer, GLuint colour, GLuint depth, tide_error *error)
{
    glGenFramebuffers(1, framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    return tide_gl_check_framebuffer("making the picture's samples", error);
}

static tide_status make_samples(tide_gl *gl, GLsizei width, GLsizei height, tide_error *error)
{
    gl->scene_colour = make_buffer(gl, GL_RGBA16F, width, height);
    gl->scene_depth = make_buffer(gl, GL_DEPTH_COMPONENT32F, width, height);
    gl->mark_colour = make_buffer(gl, GL_RGBA8, width, height);
    TIDE_TRY(make_framebuffer(&gl->scene_framebuffer, gl->scene_colour, gl->scene_depth, error));
    TIDE_TRY(make_framebuffer(&gl->mark_framebuffer, gl->mark_colour, gl->scene_depth, error));
    return tide_gl_make_target(&gl->resolved, GL_RGBA16F, width, height, GL_NEAREST, error);
}

static void free_samples(tide_gl *gl)
{
    glDeleteFramebuffers(1, &gl->scene_framebuffer); // 0 is ignored
    glDeleteFramebuffers(1, &gl->mark_framebuffer);
    glDeleteRenderbuffers(1, &gl->scene_colour);
    glDeleteRenderbuffers(1, &gl->scene_depth);
    glDeleteRenderbuffers(1, &gl->mark_colour);
    tide_gl_free_target(&gl->resolved);
    gl->mark_framebuffer = gl->mark_colour = 0;
}

static void resolve(const tide_gl *gl, GLuint from, const tide_gl_target *to)
{
    const GLint width = (GLint)gl->width, height = (GLint)gl->height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to->framebuffer);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

static void draw_picture(const tide_gl *gl)
{
    const bool marks = gl->parts->mark_count > 0;
    resolve(gl, gl->scene_framebuffer, &gl->resolved);
    glBindFramebuffer(GL_FRAMEBUFFER, marks ? gl->mark_framebuffer : gl->picture.framebuffer);
    glActiveTexture(GL_TEXTURE0 + TIDE_GL_UNIT_SOURCE);
    glBindTexture(GL_TEXTURE_2D, gl->resolved.texture);
    tide_gl_draw_encoded(gl);
    if (!marks)
        return;
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_GEQUAL);
    glDepthMask(GL_FALSE);
    tide_gl_draw_marks(gl);
    glDepthMask(GL_TRUE);
    glDisable(GL_DEPTH_TEST);
    resolve(gl, gl->mark_framebuffer, &gl->picture);
}

const tide_gl_dialect tide_gl_es = {
    .shader_version = "#version 300 es\nprecision highp float;precision highp int;precision highp sampler2D;\n"
                      "#define SCENE_SAMPLER sampler2D\n",
    // The depth test counts the samples.
    .mark_visibility = "float visible_samples(float depth) {"
                       "    gl_FragDepth = depth;"
                       "    return 1.0;"
                       "}",
    .smooth_format = GL_RG16F, // textures of 32 bits are not filtered everywhere
    .blends_labels = true,
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
