// Buffers that are filled in each frame, and drawing the scene from them.
#include "base/memory.h"
#include "draw/gl_parts.h"

#include <string.h>

static const float pi = 3.14159265f;

// --- arrays ---------------------------------------------------------------------------------------------------------

static const void *offset_of(size_t bytes)
{
    return (const char *)NULL + bytes;
}

static void attribute(GLuint place, GLint size, size_t stride, size_t offset, GLuint divisor)
{
    glEnableVertexAttribArray(place);
    glVertexAttribPointer(place, size, GL_FLOAT, GL_FALSE, (GLsizei)stride, offset_of(offset));
    glVertexAttribDivisor(place, divisor);
}

// The number of corners around a ball of this tessellation level
static uint32_t corners_around(uint32_t grain)
{
    return 8u << grain;
}

// Fills a unit ball for each tessellation level, split at its equator: (x, y, z, half). NULL: only counts.
static size_t fill_ball_vertices(float *to)
{
    size_t count = 0;
    for (uint32_t grain = 0; grain < TIDE_GL_GRAIN_COUNT; grain++) {
        uint32_t around = corners_around(grain), rows = around / 4;
        for (uint32_t row = 0; row < 2 * (rows + 1); row++)
            for (uint32_t column = 0; column < around; column++, count++) {
                float far_half = row > rows, up = 0.5f * pi * ((float)row - far_half - (float)rows) / (float)rows;
                float turn = 2 * pi * (float)column / (float)around;
                if (to)
                    memcpy(to + 4 * count,
                           (float[4]) { cosf(up) * cosf(turn), cosf(up) * sinf(turn), sinf(up), far_half },
                           4 * sizeof(float));
            }
    }
    return count;
}

static size_t fill_ball_indices(tide_gl *gl, uint16_t *to)
{
    size_t count = 0;
    uint32_t first = 0;
    for (uint32_t grain = 0; grain < TIDE_GL_GRAIN_COUNT; grain++) {
        uint32_t around = corners_around(grain), rows = 2 * (around / 4 + 1);
        gl->grain_first_index[grain] = count;
        for (uint32_t row = 0; row + 1 < rows; row++)
            for (uint32_t column = 0; column < around; column++, count += 6) {
                uint32_t next = column + 1 < around ? column + 1 : 0, a = first + row * around, b = a + around;
                if (to)
                    memcpy(to + count,
                           (uint16_t[6]) { (uint16_t)(a + column), (uint16_t)(a + next), (uint16_t)(b + next),
                                           (uint16_t)(a + column), (uint16_t)(b + next), (uint16_t)(b + column) },
                           6 * sizeof(uint16_t));
            }
        gl->grain_index_count[grain] = (GLsizei)(count - gl->grain_first_index[grain]);
        first += rows * around;
    }
    return count;
}

static tide_status make_balls(tide_gl *gl, tide_error *error)
{
    size_t vertex_count = fill_ball_vertices(NULL), index_count = fill_ball_indices(gl, NULL);
    TIDE_SCOPED float *vertices = tide_allocate_array(vertex_count, 4 * sizeof *vertices);
    TIDE_SCOPED uint16_t *indices = tide_allocate_array(index_count, sizeof *indices);
    glGenBuffers(1, &gl->grain_vertices);
    glGenBuffers(1, &gl->grain_indices);
    if (vertices && indices) {
        fill_ball_vertices(vertices);
        fill_ball_indices(gl, indices);
        glBindBuffer(GL_ARRAY_BUFFER, gl->grain_vertices);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(vertex_count * 4 * sizeof *vertices), vertices, GL_STATIC_DRAW);
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, gl->grain_indices);
        glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(index_count * sizeof *indices), indices, GL_STATIC_DRAW);
    }
    bool made = vertices && indices;
    return made ? TIDE_OK : tide_fail_memory(error, "OpenGL");
}

static void make_buffer(tide_gl_buffer *buffer, GLenum target)
{
    glGenBuffers(1, &buffer->name);
    buffer->target = target;
    glBindBuffer(target, buffer->name);
}

static void point_at_solids(const tide_gl *gl, uint32_t first)
{
    const size_t stride = sizeof(tide_gl_solid), start = first * stride;
    glBindBuffer(GL_ARRAY_BUFFER, gl->solids.name);
    attribute(1, 4, stride, start + offsetof(tide_gl_solid, from), 1);
    attribute(2, 4, stride, start + offsetof(tide_gl_solid, along), 1);
    attribute(3, 4, stride, start + offsetof(tide_gl_solid, colour), 1);
}

tide_status tide_gl_make_arrays(tide_gl *gl, tide_error *error)
{
    glGenVertexArrays(1, &gl->empty_array);
    glGenVertexArrays(1, &gl->surface_array);
    glGenVertexArrays(1, &gl->solid_array);
    glGenVertexArrays(1, &gl->mark_array);
    glBindVertexArray(gl->surface_array);
    make_buffer(&gl->triangles, GL_ELEMENT_ARRAY_BUFFER);
    make_buffer(&gl->vertices, GL_ARRAY_BUFFER);
    attribute(0, 4, sizeof(tide_raster_attributes), offsetof(tide_raster_attributes, position), 0);
    attribute(1, 4, sizeof(tide_raster_attributes), offsetof(tide_raster_attributes, normal), 0);
    glBindVertexArray(gl->solid_array);
    TIDE_TRY(make_balls(gl, error));
    glBindBuffer(GL_ARRAY_BUFFER, gl->grain_vertices);
    attribute(0, 4, 4 * sizeof(float), 0, 0);
    make_buffer(&gl->solids, GL_ARRAY_BUFFER);
    point_at_solids(gl, 0);
    glBindVertexArray(gl->mark_array);
    make_buffer(&gl->marks, GL_ARRAY_BUFFER);
    attribute(1, 4, sizeof(tide_raster_mark), offsetof(tide_raster_mark, x0), 1);
    attribute(2, 3, sizeof(tide_raster_mark), offsetof(tide_raster_mark, depth0), 1);
    attribute(3, 4, sizeof(tide_raster_mark), offsetof(tide_raster_mark, colour), 1);
    attribute(4, 3, sizeof(tide_raster_mark), offsetof(tide_raster_mark, dark), 1);
    attribute(5, 3, sizeof(tide_raster_mark), offsetof(tide_raster_mark, normal), 1);
    return tide_gl_check("making buffers", error);
}

void tide_gl_free_arrays(tide_gl *gl)
{
    const GLuint arrays[] = { gl->empty_array, gl->surface_array, gl->solid_array, gl->mark_array };
    const GLuint buffers[] = { gl->vertices.name,  gl->triangles.name, gl->solids.name, gl->marks.name,
                               gl->grain_vertices, gl->grain_indices,  gl->frame_block };
    glDeleteVertexArrays(sizeof arrays / sizeof arrays[0], arrays);
    glDeleteBuffers(sizeof buffers / sizeof buffers[0], buffers);
}

// --- streaming ------------------------------------------------------------------------------------------------------

// Makes room for new contents; a pending draw keeps the old ones. The buffer's vertex array must be bound.
static void *open_buffer(tide_gl *gl, tide_gl_buffer *buffer, size_t size)
{
    glBindBuffer(buffer->target, buffer->name);
    if (size > buffer->capacity)
        buffer->capacity = size + size / 2;
    glBufferData(buffer->target, (GLsizeiptr)buffer->capacity, NULL, GL_STREAM_DRAW);
    return gl->dialect->open_buffer(gl, buffer, size);
}

static tide_status close_buffer(const tide_gl *gl, const tide_gl_buffer *buffer, size_t size, tide_error *error)
{
    glBindBuffer(buffer->target, buffer->name);
    if (gl->dialect->close_buffer(gl, buffer, size))
        return TIDE_OK;
    return tide_fail(error, TIDE_ERROR_STATE, "OpenGL", NULL, NULL, "the driver lost the data to draw");
}

static tide_status fail_buffer(tide_error *error)
{
    tide_status status = tide_gl_check("the frame's buffers", error);
    return status != TIDE_OK ? status : tide_fail_memory(error, "OpenGL");
}

static tide_status copy_into(tide_gl *gl, tide_gl_buffer *buffer, const void *from, size_t size, tide_error *error)
{
    if (!size)
        return TIDE_OK;
    void *to = open_buffer(gl, buffer, size);
    if (!to)
        return fail_buffer(error);
    memcpy(to, from, size);
    return close_buffer(gl, buffer, size, error);
}

// Fills the triangles of a surface that can be drawn, with indices among all vertices. Returns the count of indices
static size_t fill_triangles(const tide_rasterizer *parts, const tide_raster_surface *surface, uint32_t *to)
{
    const tide_draw_surface *source = surface->source;
    const tide_raster_vertex *vertices = parts->vertices + surface->first_vertex;
    size_t count = 0;
    for (size_t t = 0; t < source->triangle_count; t++) {
        const uint32_t *index = source->triangles + 3 * t;
        if (index[0] >= source->vertex_count || index[1] >= source->vertex_count || index[2] >= source->vertex_count ||
            vertices[index[0]].status == TIDE_VERTEX_BAD || vertices[index[1]].status == TIDE_VERTEX_BAD ||
            vertices[index[2]].status == TIDE_VERTEX_BAD ||
            parts->bounds[surface->first_triangle + t].pixels == TIDE_LEFT_OUT)
            continue;
        for (int k = 0; k < 3; k++)
            to[count++] = surface->first_vertex + index[k];
    }
    return count;
}

static tide_status stream_surfaces(tide_gl *gl, tide_error *error)
{
    const tide_rasterizer *parts = gl->parts;
    if (!tide_grow(&gl->surface_first, &gl->surface_capacity, parts->surface_count + 1, sizeof *gl->surface_first))
        return tide_fail_memory(error, "picture");
    gl->surface_first[0] = 0;
    if (!parts->triangle_count)
        return TIDE_OK;
    glBindVertexArray(gl->surface_array);
    TIDE_TRY(copy_into(gl, &gl->vertices, parts->attributes, parts->vertex_count * sizeof *parts->attributes, error));
    const size_t size = 3 * sizeof(uint32_t) * parts->triangle_count;
    uint32_t *to = open_buffer(gl, &gl->triangles, size);
    if (!to)
        return fail_buffer(error);
    for (size_t s = 0; s < parts->surface_count; s++)
        gl->surface_first[s + 1] =
            gl->surface_first[s] + fill_triangles(parts, &parts->surfaces[s], to + gl->surface_first[s]);
    return close_buffer(gl, &gl->triangles, size, error);
}

// Larger on the screen, finer
static uint32_t grain_of(const tide_raster_view *view, const tide_raster_solid *solid)
{
    static const float limits[] = { 2.5f, 12, 50 }; // pixels
    float w = tide_float3_dot(view->forward, solid->from), to = w + tide_float3_dot(view->forward, solid->along);
    float nearest = tide_float_max(tide_float_min(w, to) - solid->radius, view->near_plane);
    uint32_t grain = 0;
    if (solid->thin)
        return TIDE_GL_GRAIN_COUNT;
    while (grain < TIDE_GL_GRAIN_COUNT - 1 && view->focal * solid->radius > limits[grain] * nearest)
        grain++;
    return grain;
}

static tide_status stream_solids(tide_gl *gl, tide_error *error)
{
    const tide_rasterizer *parts = gl->parts;
    uint32_t counts[TIDE_GL_GRAIN_COUNT + 1] = { 0 }, next[TIDE_GL_GRAIN_COUNT + 1];
    for (uint32_t i = 0; i < parts->solid_count; i++)
        counts[grain_of(&parts->view, &parts->solids[i])]++;
    gl->grain_first[0] = 0;
    for (uint32_t grain = 0; grain < TIDE_GL_GRAIN_COUNT; grain++) {
        next[grain] = gl->grain_first[grain];
        gl->grain_first[grain + 1] = gl->grain_first[grain] + counts[grain];
    }
    next[TIDE_GL_GRAIN_COUNT] = gl->grain_first[TIDE_GL_GRAIN_COUNT];
    if (!parts->solid_count)
        return TIDE_OK;
    glBindVertexArray(gl->solid_array);
    const size_t size = parts->solid_count * sizeof(tide_gl_solid);
    tide_gl_solid *to = open_buffer(gl, &gl->solids, size);
    if (!to)
        return fail_buffer(error);
    for (uint32_t i = 0; i < parts->solid_count; i++) {
        const tide_raster_solid *solid = &parts->solids[i];
        uint32_t grain = grain_of(&parts->view, solid);
        to[next[grain]++] = (tide_gl_solid) { .from = { solid->from.x, solid->from.y, solid->from.z },
                                              .radius = solid->radius,
                                              .along = { solid->along.x, solid->along.y, solid->along.z },
                                              .casts = solid->casts_shadow,
                                              .colour = { solid->colour[0], solid->colour[1], solid->colour[2] },
                                              .larger = 2 / (1 + cosf(pi / (float)corners_around(grain))) };
    }
    return close_buffer(gl, &gl->solids, size, error);
}

tide_status tide_gl_stream_scene(tide_gl *gl, tide_error *error)
{
    const tide_rasterizer *parts = gl->parts;
    tide_status status = stream_surfaces(gl, error);
    if (status == TIDE_OK)
        status = stream_solids(gl, error);
    glBindVertexArray(gl->mark_array);
    if (status == TIDE_OK)
        status = copy_into(gl, &gl->marks, parts->sorted_marks, parts->mark_count * sizeof *parts->sorted_marks, error);
    glBindBuffer(GL_UNIFORM_BUFFER, gl->frame_block);
    glBufferData(GL_UNIFORM_BUFFER, sizeof gl->frame, &gl->frame, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, gl->frame_block);
    return status;
}

// --- drawing --------------------------------------------------------------------------------------------------------

void tide_gl_draw_surfaces(const tide_gl *gl, tide_gl_surfaces which)
{
    const tide_rasterizer *parts = gl->parts;
    glBindVertexArray(gl->surface_array);
    for (size_t s = 0; s < parts->surface_count; s++) {
        const tide_raster_surface *surface = &parts->surfaces[s];
        size_t first = gl->surface_first[s], count = gl->surface_first[s + 1] - first;
        if (!count || (which == TIDE_GL_CASTERS && !surface->source->casts_shadow))
            continue;
        if (which == TIDE_GL_COLOURS) {
            glUniform3fv(gl->place_tones, 4, surface->tones[0]);
            glUniform1f(gl->place_through, surface->through);
            glUniform1f(gl->place_checkers, 0.5f * surface->checkers);
            glUniform1i(gl->place_mapped, surface->mapped);
            if (surface->mapped)
                glUniform3fv(gl->place_map, TIDE_MAP_COLOURS, parts->map[0]);
        }
        glDrawElements(GL_TRIANGLES, (GLsizei)count, GL_UNSIGNED_INT, offset_of(first * sizeof(uint32_t)));
    }
}

static void draw_solids(const tide_gl *gl)
{
    glUseProgram(gl->programs[TIDE_GL_SOLID]);
    glBindVertexArray(gl->solid_array);
    glEnable(GL_CULL_FACE);
    for (uint32_t grain = 0; grain < TIDE_GL_GRAIN_COUNT; grain++) {
        uint32_t first = gl->grain_first[grain], count = gl->grain_first[grain + 1] - first;
        if (!count)
            continue;
        point_at_solids(gl, first); // OpenGL below 4.2 has no first instance
        glDrawElementsInstanced(GL_TRIANGLES, gl->grain_index_count[grain], GL_UNSIGNED_SHORT,
                                offset_of(gl->grain_first_index[grain] * sizeof(uint16_t)), (GLsizei)count);
    }
    point_at_solids(gl, 0);
    glDisable(GL_CULL_FACE);
}

static void draw_stage(const tide_gl *gl)
{
    for (GLuint k = 0; k < TIDE_GROUND_LEVELS; k++) {
        glActiveTexture(GL_TEXTURE0 + TIDE_GL_UNIT_LEVELS + k);
        glBindTexture(GL_TEXTURE_2D, gl->levels[k].texture);
    }
    glActiveTexture(GL_TEXTURE0 + TIDE_GL_UNIT_CONTACT);
    glBindTexture(GL_TEXTURE_2D, gl->contact.texture);
    glUseProgram(gl->programs[TIDE_GL_STAGE]);
    glBindVertexArray(gl->empty_array);
    glDepthFunc(GL_GEQUAL); // surfaces at the ground's depth are covered by the ground
    gl->dialect->clamp_depth(true);
    // Without clamping, the ground ends at the horizon, and a second triangle has the sky.
    glDrawArrays(GL_TRIANGLES, 0, gl->dialect->clamps_depth || !gl->parts->stage.has_ground ? 3 : 6);
    gl->dialect->clamp_depth(false);
}

void tide_gl_draw_encoded(const tide_gl *gl)
{
    glUseProgram(gl->programs[TIDE_GL_ENCODE]);
    glBindVertexArray(gl->empty_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void tide_gl_draw_marks(const tide_gl *gl)
{
    if (!gl->parts->mark_count)
        return;
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
    glUseProgram(gl->programs[TIDE_GL_MARK]);
    glBindVertexArray(gl->mark_array);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)gl->parts->mark_count);
    glDisable(GL_BLEND);
}

void tide_gl_draw_scene(tide_gl *gl)
{
    glBindFramebuffer(GL_FRAMEBUFFER, gl->scene_framebuffer);
    glViewport(0, 0, (GLsizei)gl->width, (GLsizei)gl->height);
    glClearColor(0, 0, 0, 1);
    gl->dialect->clear_depth(0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_GREATER);
    glUseProgram(gl->programs[TIDE_GL_SURFACE]);
    tide_gl_draw_surfaces(gl, TIDE_GL_COLOURS);
    draw_solids(gl);
    draw_stage(gl);
    glDisable(GL_DEPTH_TEST);
    gl->dialect->draw_picture(gl);
}
