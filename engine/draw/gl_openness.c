// Ambient occlusion in a small map, which raster_openness.c fits. Rendering follows raster_openness.c and
// lanes_openness.h.
#include "draw/gl_parts.h"

#include <string.h>

void tide_gl_fit_openness(tide_gl *gl)
{
    const tide_openness *map = &gl->parts->openness;
    const float scale = 1 / (float)(1 << map->shift), width = (float)map->width, height = (float)map->height;
    const tide_raster_view *view = &gl->parts->view;
    const float size[4] = { scale, width, height, map->radius };
    const float clip[4] = { 2 * view->half_width * scale / width, 2 * view->half_height * scale / height,
                            view->focal * scale, 0 };
    memcpy(gl->frame.open_map, size, sizeof size);
    memcpy(gl->frame.open_clip, clip, sizeof clip);
}

static void draw_depths(const tide_gl *gl)
{
    glUseProgram(gl->programs[TIDE_GL_NEAR_SURFACE]);
    glBindFramebuffer(GL_FRAMEBUFFER, gl->near_map.framebuffer);
    glViewport(0, 0, gl->parts->openness.width, gl->parts->openness.height);
    gl->dialect->clear_depth(0);
    glDepthMask(GL_TRUE);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_GREATER);
    tide_gl_draw_surfaces(gl, TIDE_GL_DEPTHS);
    const uint32_t seen = gl->grain_first[TIDE_GL_GRAIN_COUNT];
    if (seen) {
        glUseProgram(gl->programs[TIDE_GL_NEAR_SOLID]);
        glBindVertexArray(gl->solid_array);
        glDrawArraysInstanced(GL_TRIANGLE_FAN, 0, 14, (GLsizei)seen);
    }
    glDisable(GL_DEPTH_TEST);
}

static void fill(const tide_gl *gl, tide_gl_program_name program, const tide_gl_target *target, GLuint source)
{
    glUseProgram(gl->programs[program]);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glActiveTexture(GL_TEXTURE0 + TIDE_GL_UNIT_SOURCE);
    glBindTexture(GL_TEXTURE_2D, source);
    glBindVertexArray(gl->empty_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void tide_gl_draw_openness(const tide_gl *gl)
{
    if (!gl->parts->triangle_count && !gl->parts->solid_count)
        return;
    draw_depths(gl);
    glActiveTexture(GL_TEXTURE0 + TIDE_GL_UNIT_NEAR);
    glBindTexture(GL_TEXTURE_2D, gl->near_map.texture);
    fill(gl, TIDE_GL_OPEN, &gl->raw_openness, 0);
    fill(gl, TIDE_GL_SMOOTH, &gl->openness, gl->raw_openness.texture);
    glActiveTexture(GL_TEXTURE0 + TIDE_GL_UNIT_OPENNESS);
    glBindTexture(GL_TEXTURE_2D, gl->openness.texture);
}
