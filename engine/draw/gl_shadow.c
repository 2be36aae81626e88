// Renders the maps that shadow_fit.c fits, as raster_shadow.c and lanes_maps.h do: the shadow map, the ground's shadow
// in levels of increasing blur, and where bodies touch the ground.
#include "draw/gl_parts.h"

static void set4(float to[4], tide_float3 a, float w)
{
    to[0] = a.x;
    to[1] = a.y;
    to[2] = a.z;
    to[3] = w;
}

void tide_gl_fit_light(tide_gl *gl)
{
    const tide_shadow *light = &gl->parts->shadow;
    tide_gl_frame *frame = &gl->frame;
    tide_shadow_fit(gl->parts);
    set4(frame->towards, light->towards, 1);
    set4(frame->light_range, (tide_float3) { 0, 1, light->cast }, 0);
    frame->ground_line[3] = 0;
    if (!light->cast)
        return;
    // slightly more, so that nothing is clipped or taken for empty
    float more = 0.01f * TIDE_LIGHT_SIZE * light->texel, low = light->low - more, high = light->high + more;
    set4(frame->towards, light->towards, light->texel);
    set4(frame->light_u, light->u, light->offset_u);
    set4(frame->light_v, light->v, light->offset_v);
    set4(frame->light_range, (tide_float3) { high, high - low, 1 }, light->on_ground);
    if (light->on_ground)
        set4(frame->ground_line, (tide_float3) { light->ground_offset, light->ground_u, light->ground_v }, 0);
    frame->ground_line[3] = light->has_contact;
    set4(frame->contact, (tide_float3) { light->contact_x, light->contact_z, light->contact_texel }, light->reach);
}

// --- drawing --------------------------------------------------------------------------------------------------------

static void begin(const tide_gl *gl, tide_gl_program_name program, const tide_gl_target *target, GLsizei size)
{
    glUseProgram(gl->programs[program]);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glViewport(0, 0, size, size);
}

static void fill(const tide_gl *gl, GLuint source)
{
    glActiveTexture(GL_TEXTURE0 + TIDE_GL_UNIT_SOURCE);
    glBindTexture(GL_TEXTURE_2D, source);
    glBindVertexArray(gl->empty_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void blur(const tide_gl *gl, const tide_gl_target *map, GLsizei size, bool squared)
{
    begin(gl, TIDE_GL_BLUR, &gl->scratch, size);
    glUniform4i(gl->place_blur, 1, 0, size, squared);
    fill(gl, map->texture);
    begin(gl, TIDE_GL_BLUR, map, size);
    glUniform4i(gl->place_blur, 0, 1, size, 0);
    fill(gl, gl->scratch.texture);
}

static void draw_from_light(const tide_gl *gl)
{
    begin(gl, TIDE_GL_LIGHT_SURFACE, &gl->light, TIDE_LIGHT_SIZE);
    gl->dialect->clear_depth(1);
    glDepthMask(GL_TRUE);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    gl->dialect->clamp_depth(true);
    glDepthFunc(GL_LESS);
    tide_gl_draw_surfaces(gl, TIDE_GL_CASTERS);
    if (gl->parts->solid_count) {
        glUseProgram(gl->programs[TIDE_GL_LIGHT_SOLID]);
        glBindVertexArray(gl->solid_array);
        glDrawArraysInstanced(GL_TRIANGLE_FAN, 0, 12, (GLsizei)gl->parts->solid_count);
    }
    gl->dialect->clamp_depth(false);
    glDisable(GL_DEPTH_TEST);
}

static void pool_casters(const tide_gl *gl)
{
    const float texel = gl->parts->shadow.texel;
    for (int level = 1; level <= TIDE_CASTER_LEVELS; level++) {
        begin(gl, TIDE_GL_POOL, &gl->casters[level - 1], TIDE_LIGHT_SIZE >> level);
        glUniform2f(gl->place_pool, level == 1, (float)(TIDE_CASTER_NEAR << level) * texel);
        fill(gl, level > 1 ? gl->casters[level - 2].texture : gl->light.texture);
    }
}

static void bind_casters(const tide_gl *gl)
{
    for (GLuint k = 0; k < TIDE_CASTER_LEVELS; k++) {
        glActiveTexture(GL_TEXTURE0 + TIDE_GL_UNIT_CASTERS + k);
        glBindTexture(GL_TEXTURE_2D, gl->casters[k].texture);
    }
}

static void draw_ground_shadow(const tide_gl *gl)
{
    GLsizei size = TIDE_LIGHT_SIZE / 2;
    begin(gl, TIDE_GL_GATHER, &gl->levels[0], size);
    fill(gl, 0);
    for (int k = 0; k < TIDE_GROUND_LEVELS; k++, size /= 2) {
        if (k) {
            begin(gl, TIDE_GL_HALVE, &gl->levels[k], size);
            fill(gl, gl->levels[k - 1].texture);
        }
        blur(gl, &gl->levels[k], size, false);
    }
}

static void draw_contact(const tide_gl *gl)
{
    const tide_shadow *light = &gl->parts->shadow;
    begin(gl, TIDE_GL_TOUCH_SURFACE, &gl->contact, TIDE_CONTACT_SIZE);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendEquation(GL_MAX);
    tide_gl_draw_surfaces(gl, TIDE_GL_CASTERS);
    if (gl->parts->solid_count) {
        glUseProgram(gl->programs[TIDE_GL_TOUCH_SOLID]);
        glBindVertexArray(gl->solid_array);
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)gl->parts->solid_count);
    }
    glBlendEquation(GL_FUNC_ADD);
    glDisable(GL_BLEND);
    int passes = 1 + (int)(0.6f * light->reach / light->contact_texel);
    for (int i = 0; i < passes && i < 8; i++)
        blur(gl, &gl->contact, TIDE_CONTACT_SIZE, i == 0);
}

void tide_gl_draw_light(tide_gl *gl)
{
    const tide_shadow *light = &gl->parts->shadow;
    glDisable(GL_CULL_FACE);
    if (light->cast)
        draw_from_light(gl);
    glActiveTexture(GL_TEXTURE0 + TIDE_GL_UNIT_LIGHT);
    glBindTexture(GL_TEXTURE_2D, gl->light.texture);
    if (light->cast)
        pool_casters(gl);
    bind_casters(gl);
    if (light->on_ground)
        draw_ground_shadow(gl);
    if (light->has_contact)
        draw_contact(gl);
}
