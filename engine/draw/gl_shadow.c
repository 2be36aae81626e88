// What is drawn from the light and from below the ground, as raster_shadow.c and raster_light.c do: the map of what is
// nearest to the light, the ground's shadow in levels of more and more blur, and where bodies touch the ground.
#include "draw/gl_parts.h"

static const float map_margin = 0.07f; // of the map, each side, for the blur to run out in

typedef struct extent {
    float low[3], high[3];
} extent;

static const extent nothing = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };

static void extend(extent *extent, float x, float y, float z, float radius)
{
    const float at[3] = { x, y, z };
    for (int i = 0; i < 3; i++) {
        extent->low[i] = tide_float_min(extent->low[i], at[i] - radius);
        extent->high[i] = tide_float_max(extent->high[i], at[i] + radius);
    }
}

static void extend_from_light(const tide_shadow *light, extent *extent, tide_float3 p, float radius)
{
    extend(extent, tide_float3_dot(light->u, p), tide_float3_dot(light->v, p), tide_float3_dot(light->towards, p),
           radius);
}

static void set_axes(tide_shadow *light, const float direction[3])
{
    tide_float3 d = tide_float3_load(direction);
    float length = tide_float3_length(d);
    if (!tide_float3_sane(d) || !(length > 1e-6f)) {
        tide_draw_stage stage = tide_draw_stage_default();
        d = tide_float3_load(stage.light_direction);
        length = tide_float3_length(d);
    }
    light->towards = tide_float3_scale(d, -1 / length);
    tide_float3 side = fabsf(light->towards.y) < 0.9f ? (tide_float3) { 0, 1, 0 } : (tide_float3) { 1, 0, 0 };
    tide_float3 u = tide_float3_cross(side, light->towards);
    light->u = tide_float3_scale(u, 1 / tide_float3_length(u));
    light->v = tide_float3_cross(light->towards, light->u);
}

// What casts a shadow, along u, v and towards the light
static extent extent_of_casters(const tide_rasterizer *parts)
{
    extent extent = nothing;
    for (size_t s = 0; s < parts->surface_count; s++) {
        const tide_raster_surface *surface = &parts->surfaces[s];
        for (uint32_t i = 0; surface->source->casts_shadow && i < surface->source->vertex_count; i++)
            if (parts->vertices[surface->first_vertex + i].status != TIDE_VERTEX_BAD)
                extend_from_light(&parts->shadow, &extent,
                                  tide_float3_load(parts->attributes[surface->first_vertex + i].position), 0);
    }
    for (uint32_t i = 0; i < parts->solid_count; i++) {
        const tide_raster_solid *solid = &parts->solids[i];
        if (!solid->casts_shadow)
            continue;
        extend_from_light(&parts->shadow, &extent, solid->from, solid->radius);
        extend_from_light(&parts->shadow, &extent, tide_float3_add(solid->from, solid->along), solid->radius);
    }
    return extent;
}

static bool is_low(const tide_rasterizer *parts, const tide_raster_surface *surface, const uint32_t *index, float top)
{
    bool low = false;
    for (int k = 0; k < 3; k++) {
        uint32_t vertex = surface->first_vertex + index[k];
        if (index[k] >= surface->source->vertex_count || parts->vertices[vertex].status == TIDE_VERTEX_BAD)
            return false;
        low = low || parts->attributes[vertex].position[1] < top;
    }
    return low;
}

// What casts a shadow and comes near the ground: whole triangles of which a corner does, and all of a tube
static extent extent_near_ground(const tide_rasterizer *parts, float reach)
{
    extent extent = nothing;
    float top = parts->stage.ground_y + reach;
    for (size_t s = 0; s < parts->surface_count; s++) {
        const tide_raster_surface *surface = &parts->surfaces[s];
        for (size_t t = 0; surface->source->casts_shadow && t < surface->source->triangle_count; t++) {
            const uint32_t *index = surface->source->triangles + 3 * t;
            for (int k = 0; k < 3 && (k || is_low(parts, surface, index, top)); k++) {
                const float *p = parts->attributes[surface->first_vertex + index[k]].position;
                extend(&extent, p[0], p[1], p[2], 0);
            }
        }
    }
    for (uint32_t i = 0; i < parts->solid_count; i++) {
        const tide_raster_solid *solid = &parts->solids[i];
        tide_float3 a = solid->from, b = tide_float3_add(a, solid->along);
        if (!solid->casts_shadow || tide_float_min(a.y, b.y) - solid->radius >= top)
            continue;
        float corner = 0.85f * solid->radius; // how far away the corners of the band along its bottom are
        extend(&extent, a.x, a.y - solid->radius + corner, a.z, corner);
        extend(&extent, b.x, b.y - solid->radius + corner, b.z, corner);
    }
    return extent;
}

static void fit_contact(tide_rasterizer *parts)
{
    tide_shadow *light = &parts->shadow;
    light->reach = 0.22f * parts->stage.radius;
    extent extent = extent_near_ground(parts, light->reach);
    float wide = tide_float_max(extent.high[0] - extent.low[0], extent.high[2] - extent.low[2]);
    light->has_contact = extent.low[1] < parts->stage.ground_y + light->reach && tide_float_sane(wide);
    if (!light->has_contact)
        return;
    wide += 2 * light->reach;
    light->contact_texel = wide / (TIDE_CONTACT_SIZE - 1);
    light->contact_x = 0.5f * (extent.low[0] + extent.high[0] - wide);
    light->contact_z = 0.5f * (extent.low[2] + extent.high[2] - wide);
}

static void set4(float to[4], tide_float3 a, float w)
{
    to[0] = a.x;
    to[1] = a.y;
    to[2] = a.z;
    to[3] = w;
}

void tide_gl_fit_light(tide_gl *gl)
{
    tide_rasterizer *parts = gl->parts;
    tide_shadow *light = &parts->shadow;
    tide_gl_frame *frame = &gl->frame;
    set_axes(light, parts->list->stage.light_direction);
    light->has_contact = light->on_ground = false;
    extent extent = extent_of_casters(parts);
    float wide = tide_float_max(extent.high[0] - extent.low[0], extent.high[1] - extent.low[1]);
    light->cast = wide > 1e-7f && wide < 1e6f;
    set4(frame->towards, light->towards, 1);
    set4(frame->light_range, (tide_float3) { 0, 1, light->cast }, 0);
    frame->ground_line[3] = 0;
    if (!light->cast)
        return;
    wide /= 1 - 2 * map_margin;
    light->texel = wide / TIDE_LIGHT_SIZE;
    light->offset_u = 0.5f * (extent.low[0] + extent.high[0] - wide);
    light->offset_v = 0.5f * (extent.low[1] + extent.high[1] - wide);
    // a little more than there is, so that nothing is cut off or taken for empty
    float low = extent.low[2] - 0.01f * wide, high = extent.high[2] + 0.01f * wide;
    light->on_ground = parts->stage.has_ground && light->towards.y > 0.05f;
    set4(frame->towards, light->towards, light->texel);
    set4(frame->light_u, light->u, light->offset_u);
    set4(frame->light_v, light->v, light->offset_v);
    set4(frame->light_range, (tide_float3) { high, high - low, 1 }, light->on_ground);
    if (light->on_ground) {
        float y = light->towards.y, step = 2 * light->texel;
        float offset = parts->stage.ground_y - light->u.y * light->offset_u - light->v.y * light->offset_v;
        set4(frame->ground_line, (tide_float3) { offset / y, -light->u.y / y * step, -light->v.y / y * step }, 0);
    }
    if (parts->stage.has_ground)
        fit_contact(parts);
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
    glClearDepth(1);
    glDepthMask(GL_TRUE);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_DEPTH_CLAMP);
    glDepthFunc(GL_LESS);
    tide_gl_draw_surfaces(gl, true);
    if (gl->parts->solid_count) {
        glUseProgram(gl->programs[TIDE_GL_LIGHT_SOLID]);
        glBindVertexArray(gl->solid_array);
        glDrawArraysInstanced(GL_TRIANGLE_FAN, 0, 12, (GLsizei)gl->parts->solid_count);
    }
    glDisable(GL_DEPTH_CLAMP);
    glDisable(GL_DEPTH_TEST);
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
    tide_gl_draw_surfaces(gl, true);
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
    if (light->on_ground)
        draw_ground_shadow(gl);
    if (light->has_contact)
        draw_contact(gl);
}
