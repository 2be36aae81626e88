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

static tide_status set_up(tide_gl *gl, tide_error *error)
{
    const char *name = tide_gl_driver();
    gl->dialect = tide_gl_current_dialect();
    snprintf(gl->name, sizeof gl->name, "%s", name ? name : "unknown");
    TIDE_TRY(gl->dialect->check(gl, error));
    gl->samples = gl->samples < MOST_SAMPLES ? gl->samples : MOST_SAMPLES;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &gl->max_size);
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
    if (status == TIDE_OK && host != TIDE_GL_CURRENT)
        status = tide_gl_context_create(
            &made->context, host == TIDE_GL_OFFSCREEN_ES ? TIDE_GL_LANGUAGE_ES : TIDE_GL_LANGUAGE_DESKTOP, error);
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
    tide_image_free(&gl->labels);
    tide_free(gl->surface_first);
    tide_free(gl->staging);
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
    const float samples = gl->dialect->reads_samples ? (float)gl->samples : 1;
    set4(frame->depth_map, (const float[3]) { gl->clip_control ? 1 : 2, gl->clip_control ? 0 : -1, samples }, 0);
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
    const GLenum off[] = { GL_SCISSOR_TEST, GL_STENCIL_TEST, GL_BLEND,
                           GL_CULL_FACE,    GL_DEPTH_TEST,   GL_POLYGON_OFFSET_FILL };
    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++)
        glDisable(off[i]);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
    glBlendEquation(GL_FUNC_ADD);
    glFrontFace(GL_CW); // rows go down, which mirrors the winding
    glCullFace(GL_BACK);
    gl->dialect->reset(gl);
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

static tide_status draw(tide_gl *gl, uint32_t width, uint32_t height, bool labels, tide_error *error)
{
    tide_openness_fit(gl->parts);
    TIDE_TRY(tide_gl_check("an earlier use of the context", error));
    TIDE_TRY(tide_gl_resize(gl, width, height, error));
    reset_state(gl);
    fill_frame(gl);
    tide_gl_fit_light(gl);
    tide_gl_fit_openness(gl);
    TIDE_TRY(tide_gl_stream_scene(gl, error));
    tide_gl_draw_light(gl);
    tide_gl_draw_openness(gl);
    tide_gl_draw_scene(gl);
    return labels ? tide_gl_draw_labels(gl, error) : TIDE_OK;
}

static tide_status finish(tide_error *error)
{
    glBindVertexArray(0);
    glUseProgram(0);
    return tide_gl_check("drawing a picture", error);
}

static void read_back(const tide_gl *gl, tide_image *image)
{
    glBindFramebuffer(GL_FRAMEBUFFER, gl->picture.framebuffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glReadPixels(0, 0, (GLsizei)image->width, (GLsizei)image->height, GL_RGBA, GL_UNSIGNED_BYTE, image->pixels);
}

uint32_t tide_gl_left_out(const tide_gl *gl)
{
    return tide_rasterizer_cost(gl->parts).left_out;
}

// Computes what is drawn, and makes the context current.
static tide_status begin(tide_gl *gl, const tide_draw_list *list, tide_image *image, tide_error *error)
{
    gl->parts->list = list;
    gl->parts->image = image;
    TIDE_TRY(tide_raster_set_up(gl->parts, error));
    TIDE_TRY(tide_raster_measure(gl->parts, error));
    remove_left_out(gl->parts);
    return enter(gl, error);
}

static tide_status no_size(tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_ARGUMENT, "picture", "size", "0x0", "give the image a size first");
}

tide_status tide_gl_draw(tide_gl *gl, const tide_draw_list *list, tide_image *image, tide_error *error)
{
    if (!image->width || !image->height || !image->pixels)
        return no_size(error);
    TIDE_TRY(begin(gl, list, image, error));
    const bool blended = gl->dialect->blends_labels;
    tide_status status = draw(gl, image->width, image->height, blended, error);
    if (status == TIDE_OK) {
        read_back(gl, image);
        status = finish(error);
    }
    leave(gl);
    return status == TIDE_OK && !blended ? tide_raster_labels(gl->parts, error) : status;
}

tide_status tide_gl_draw_in_window(tide_gl *gl, const tide_draw_list *list, uint32_t width, uint32_t height,
                                   tide_error *error)
{
    tide_image size = { .width = width, .height = height }; // no pixels
    if (!width || !height)
        return no_size(error);
    TIDE_TRY(begin(gl, list, &size, error));
    tide_status status = draw(gl, width, height, true, error);
    if (status == TIDE_OK) {
        tide_gl_show_picture(gl);
        status = finish(error);
    }
    leave(gl);
    gl->parts->image = NULL;
    return status;
}
