#include "draw/gl_renderer.h"

#include "base/memory.h"
#include "draw/gl_parts.h"

#include <stdio.h>
#include <string.h>

// --- creation -------------------------------------------------------------------------------------------------------

static tide_status enter(tide_gl *gl, tide_error *error)
{
    return gl->context ? tide_gl_context_enter(gl->context, error) : TIDE_OK;
}

static void leave(tide_gl *gl)
{
    if (gl->context)
        tide_gl_context_leave(gl->context);
}

bool tide_gl_is_emulator(const char *name)
{
    static const char *const emulators[] = { "llvmpipe", "softpipe", "swrast", "Software Rasterizer", "SwiftShader" };
    for (size_t i = 0; i < sizeof emulators / sizeof emulators[0]; i++)
        if (strstr(name, emulators[i]))
            return true;
    return false;
}

enum { MOST_SAMPLES = 8 }; // per pixel: nine steps of coverage

static void read_driver(tide_gl *gl)
{
    const char *name = (const char *)glGetString(GL_RENDERER);
    GLint colour_samples = 1, depth_samples = 1;
    snprintf(gl->name, sizeof gl->name, "%s", name ? name : "unknown");
    gl->clip_control = epoxy_gl_version() >= 45 || epoxy_has_gl_extension("GL_ARB_clip_control");
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &gl->max_size);
    glGetIntegerv(GL_MAX_COLOR_TEXTURE_SAMPLES, &colour_samples);
    glGetIntegerv(GL_MAX_DEPTH_TEXTURE_SAMPLES, &depth_samples);
    gl->samples = colour_samples < depth_samples ? colour_samples : depth_samples;
    gl->samples = gl->samples < MOST_SAMPLES ? gl->samples : MOST_SAMPLES;
}

static tide_status set_up(tide_gl *gl, tide_error *error)
{
    const char *version = (const char *)glGetString(GL_VERSION);
    if (!version || !epoxy_is_desktop_gl() || epoxy_gl_version() < 33)
        return tide_fail(error, TIDE_ERROR_STATE, "OpenGL", NULL, NULL, "version 3.3 is needed; here is %s",
                         version ? version : "none");
    read_driver(gl);
    TIDE_TRY(tide_gl_check("asking the driver what it can do", error));
    TIDE_TRY(tide_gl_make_programs(gl, error));
    TIDE_TRY(tide_gl_make_arrays(gl, error));
    return tide_gl_make_maps(gl, error);
}

tide_status tide_gl_create(tide_gl **gl, tide_gl_host host, tide_error *error)
{
    tide_gl *made = tide_allocate_zeroed(1, sizeof *made);
    if (!made)
        return tide_fail_memory(error, "OpenGL");
    tide_status status = tide_rasterizer_create(&made->parts, error);
    if (status == TIDE_OK && host == TIDE_GL_OFFSCREEN)
        status = tide_gl_context_create(&made->context, error);
    bool entered = status == TIDE_OK && (status = enter(made, error)) == TIDE_OK;
    if (entered) {
        status = set_up(made, error);
        leave(made);
    }
    if (status != TIDE_OK && !entered) { // there are no OpenGL objects yet
        tide_gl_context_destroy(made->context);
        tide_rasterizer_destroy(made->parts);
        tide_free(made);
    } else if (status != TIDE_OK)
        tide_gl_destroy(made);
    else
        *gl = made;
    return status;
}

void tide_gl_destroy(tide_gl *gl)
{
    if (!gl)
        return;
    if (enter(gl, NULL) == TIDE_OK) {
        tide_gl_free_targets(gl);
        tide_gl_free_arrays(gl);
        for (int i = 0; i < TIDE_GL_PROGRAM_COUNT; i++)
            glDeleteProgram(gl->programs[i]);
        leave(gl);
    }
    tide_gl_context_destroy(gl->context);
    tide_rasterizer_destroy(gl->parts);
    tide_free(gl->surface_first);
    tide_free(gl);
}

const char *tide_gl_name(const tide_gl *gl)
{
    return gl->name;
}

// --- a frame --------------------------------------------------------------------------------------------------------

static void set4(float to[4], const float from[3], float w)
{
    memcpy(to, from, 3 * sizeof *from);
    to[3] = w;
}

static void set_vector(float to[4], tide_float3 from, float w)
{
    set4(to, (const float[3]) { from.x, from.y, from.z }, w);
}

static void fill_frame(tide_gl *gl)
{
    const tide_raster_view *view = &gl->parts->view;
    const tide_raster_stage *stage = &gl->parts->stage;
    tide_gl_frame *frame = &gl->frame;
    set_vector(frame->right, view->right, view->focal / view->half_width);
    set_vector(frame->up, view->up, -view->focal / view->half_height);
    set_vector(frame->forward, view->forward, view->near_plane);
    // clip z from -w to w or, if available, from 0 to w, which keeps the full precision of a float
    set4(frame->depth_map, (const float[3]) { gl->clip_control ? 1 : 2, gl->clip_control ? 0 : -1, (float)gl->samples },
         0);
    // of the principal point, in clip coordinates with y down
    const float shift[3] = { view->centre_x / view->half_width - 1, view->centre_y / view->half_height - 1, 0 };
    set4(frame->shift, shift, 0);
    set_vector(frame->ray, view->ray, 0);
    set_vector(frame->ray_x, view->ray_x, 0);
    set_vector(frame->ray_y, view->ray_y, 0);
    set4(frame->top, stage->top, view->half_width);
    set4(frame->bottom, stage->bottom, view->half_height);
    set4(frame->ground, stage->ground, 0);
    set4(frame->ground_depth, (const float[3]) { stage->ground_depth, stage->ground_depth_x, stage->ground_depth_y },
         stage->has_ground);
    set4(frame->ground_place, (const float[3]) { stage->ground_y, stage->centre_x, stage->centre_z },
         stage->fade_radius);
    set4(frame->grid, (const float[3]) { stage->grid, stage->grid_x, stage->grid_z }, stage->radius);
    set4(frame->major, (const float[3]) { TIDE_MAJOR_CELLS * stage->grid, stage->major_x, stage->major_z }, 0);
    set4(frame->axis_x, stage->colour_x, stage->axis_x);
    set4(frame->axis_z, stage->colour_z, stage->axis_z);
    set4(frame->key_light, tide_key_light, 0);
    set4(frame->sky_light, tide_sky_light, 0);
    set4(frame->ground_light, tide_ground_light, 0);
}

// Resets state that other users of the context may have set
static void reset_state(const tide_gl *gl)
{
    const GLenum off[] = { GL_SCISSOR_TEST, GL_STENCIL_TEST,     GL_BLEND,       GL_CULL_FACE,          GL_DEPTH_TEST,
                           GL_DEPTH_CLAMP,  GL_FRAMEBUFFER_SRGB, GL_SAMPLE_MASK, GL_POLYGON_OFFSET_FILL };
    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++)
        glDisable(off[i]);
    glEnable(GL_MULTISAMPLE);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glBlendEquation(GL_FUNC_ADD);
    glFrontFace(GL_CW); // rows go down, which mirrors the winding
    glCullFace(GL_BACK);
    if (gl->clip_control)
        glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
    for (GLuint unit = 0; unit < TIDE_GL_UNIT_COUNT; unit++)
        glBindSampler(unit, 0);
}

// Removes solids and marks that are left out; gl_scene.c skips such triangles itself.
static void remove_left_out(tide_rasterizer *parts)
{
    const tide_raster_bounds *solids = parts->bounds + parts->triangle_count, *marks = solids + parts->solid_count;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < parts->solid_count; i++)
        if (solids[i].pixels != TIDE_LEFT_OUT)
            parts->solids[kept++] = parts->solids[i];
    parts->solid_count = kept;
    kept = 0;
    for (uint32_t i = 0; i < parts->mark_count; i++)
        if (marks[i].pixels != TIDE_LEFT_OUT)
            parts->sorted_marks[kept++] = parts->sorted_marks[i];
    parts->mark_count = kept;
}

static tide_status draw(tide_gl *gl, tide_image *image, tide_error *error)
{
    tide_openness_fit(gl->parts);
    TIDE_TRY(tide_gl_check("an earlier use of the context", error));
    TIDE_TRY(tide_gl_resize(gl, image->width, image->height, error));
    reset_state(gl);
    fill_frame(gl);
    tide_gl_fit_light(gl);
    tide_gl_fit_openness(gl);
    TIDE_TRY(tide_gl_stream_scene(gl, error));
    tide_gl_draw_light(gl);
    tide_gl_draw_openness(gl);
    tide_gl_draw_scene(gl);
    glBindFramebuffer(GL_FRAMEBUFFER, gl->picture.framebuffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glReadPixels(0, 0, (GLsizei)image->width, (GLsizei)image->height, GL_RGBA, GL_UNSIGNED_BYTE, image->pixels);
    glBindVertexArray(0);
    glUseProgram(0);
    return tide_gl_check("drawing a picture", error);
}

uint32_t tide_gl_left_out(const tide_gl *gl)
{
    return tide_rasterizer_cost(gl->parts).left_out;
}

tide_status tide_gl_draw(tide_gl *gl, const tide_draw_list *list, tide_image *image, tide_error *error)
{
    if (!image->width || !image->height || !image->pixels)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "picture", "size", "0x0", "give the image a size first");
    gl->parts->list = list;
    gl->parts->image = image;
    tide_status status = tide_raster_set_up(gl->parts, error);
    if (status == TIDE_OK)
        status = tide_raster_measure(gl->parts, error);
    if (status == TIDE_OK)
        remove_left_out(gl->parts);
    if (status == TIDE_OK)
        status = enter(gl, error);
    if (status != TIDE_OK)
        return status;
    status = draw(gl, image, error);
    leave(gl);
    return status == TIDE_OK ? tide_raster_labels(gl->parts, error) : status;
}
