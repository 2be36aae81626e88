// What the files of the OpenGL renderer share. Private to draw/.
//
// Stages of a frame: raster_setup.c, shared with the software rasteriser, computes the view, the stage, and all
// vertices, solids and marks. gl_scene.c streams them into buffers. gl_shadow.c renders the shadow casters from the
// light and from below. gl_scene.c renders the scene in linear light with multisampling, resolves it to 8-bit sRGB, and
// draws the marks of a width in pixels over it. The picture is then read back, or shown in the window, and
// raster_text.c draws labels on it. gl_desktop.c and gl_es.c hold what differs between desktop OpenGL and OpenGL ES.
// gl_shaders.c and gl_shaders_maps.c use the formulas of lanes_shade.h, lanes_shadow.h, lanes_openness.h and
// lanes_ground.h.
//
// Row 0 of every target is the top of the picture, so that reading back needs no flip and samples are where those of
// the software rasteriser are. Depth is near / w: 1 at the near plane, 0 at infinity; greater is nearer.
#ifndef TIDE_DRAW_GL_PARTS_H
#define TIDE_DRAW_GL_PARTS_H

#include "draw/gl_api.h"
#include "draw/gl_context.h"
#include "draw/gl_renderer.h"
#include "draw/rasterizer_parts.h"

enum { TIDE_GL_GRAIN_COUNT = 4 }; // levels of tessellation of solids, finer the larger they are on the screen

typedef enum tide_gl_program_name {
    TIDE_GL_SURFACE,
    TIDE_GL_SOLID,
    TIDE_GL_STAGE,
    TIDE_GL_ENCODE,
    TIDE_GL_MARK,
    TIDE_GL_NEAR_SURFACE,
    TIDE_GL_NEAR_SOLID,
    TIDE_GL_OPEN,
    TIDE_GL_SMOOTH,
    TIDE_GL_POOL,
    TIDE_GL_LIGHT_SURFACE,
    TIDE_GL_LIGHT_SOLID,
    TIDE_GL_GATHER,
    TIDE_GL_HALVE,
    TIDE_GL_BLUR,
    TIDE_GL_TOUCH_SURFACE,
    TIDE_GL_TOUCH_SOLID,
    TIDE_GL_OVERLAY,
    TIDE_GL_PROGRAM_COUNT
} tide_gl_program_name;

// Texture units
enum {
    TIDE_GL_UNIT_LIGHT,
    TIDE_GL_UNIT_CONTACT,
    TIDE_GL_UNIT_LEVELS,
    TIDE_GL_UNIT_SOURCE = TIDE_GL_UNIT_LEVELS + TIDE_GROUND_LEVELS,
    TIDE_GL_UNIT_DEPTH,
    TIDE_GL_UNIT_CASTERS,
    TIDE_GL_UNIT_OPENNESS = TIDE_GL_UNIT_CASTERS + TIDE_CASTER_LEVELS,
    TIDE_GL_UNIT_NEAR,
    TIDE_GL_UNIT_COUNT
};

// Uniforms of all shaders; the layout (std140) is that of `Frame` in gl_shaders.c. "-" marks an unused component.
typedef struct tide_gl_frame {
    float right[4], up[4], forward[4]; // w: focal length / half width; focal length / half height, negative; near plane
    float shift[4];                    // of the principal point, in clip coordinates with y down; -
    float depth_map[4];                // clip z = x * near + y * w; samples; -
    float ray[4], ray_x[4], ray_y[4];
    float top[4], bottom[4], ground[4]; // w: half the picture's width; half its height; -
    float ground_depth[4];              // at pixel (0, 0), change per pixel right and down; whether there is a ground
    float ground_place[4];              // height, centre x, z, fade radius
    float grid[4];                      // cell, x, z; radius of the scene
    float towards[4], light_u[4], light_v[4]; // w: texel; offsets of the map
    float light_range[4]; // highest caster, range of heights, whether anything casts a shadow, and on the ground
    float ground_line[4]; // offset, u, v; whether anything is near the ground
    float contact[4];     // x, z, texel, reach
    float key_light[4], sky_light[4], ground_light[4];
    float open_map[4];  // texels per pixel; width, height; radius of occlusion, m
    float open_clip[4]; // the fraction of the map that the picture covers, across and down; focal length in texels; -
    float major[4];     // spacing of the stronger lines, x, z; -
    float axis_x[4], axis_z[4]; // colours of the ground's axes; w: x and z of the origin
} tide_gl_frame;

// A solid in its buffer
typedef struct tide_gl_solid {
    float from[3], radius, along[3], casts, colour[3];
    float larger; // factor by which a ball's outline polygon is enlarged, so that it has the circle's area
} tide_gl_solid;

typedef struct tide_gl_buffer {
    GLuint name;
    GLenum target;
    size_t capacity; // bytes
} tide_gl_buffer;

typedef struct tide_gl_target {
    GLuint texture, framebuffer;
} tide_gl_target;

// What differs between desktop OpenGL and OpenGL ES
typedef struct tide_gl_dialect {
    const char *shader_version;  // the first lines of every shader
    const char *mark_visibility; // the function visible_samples(depth) of the shader of marks
    GLint smooth_format;         // two components that are filtered and blended
    bool reads_samples;          // shaders read the samples of the scene
    bool clamps_depth;
    bool blends_labels;                                   // over pictures in memory, too
    tide_status (*check)(tide_gl *gl, tide_error *error); // the version; sets samples and clip_control
    void (*reset)(const tide_gl *gl);                     // state that other users of the context may have set
    void (*clear_depth)(float depth);
    void (*clamp_depth)(bool on);
    void *(*open_buffer)(tide_gl *gl, const tide_gl_buffer *buffer, size_t size); // memory to fill, or NULL
    bool (*close_buffer)(const tide_gl *gl, const tide_gl_buffer *buffer, size_t size);
    tide_status (*make_samples)(tide_gl *gl, GLsizei width, GLsizei height, tide_error *error);
    void (*free_samples)(tide_gl *gl);
    void (*draw_picture)(const tide_gl *gl); // resolves the scene into the picture, and draws the marks
} tide_gl_dialect;
extern const tide_gl_dialect tide_gl_desktop, tide_gl_es; // gl_desktop.c, gl_es.c
// gl_desktop.c, and gl_web.c in browsers
const tide_gl_dialect *tide_gl_current_dialect(void);
const char *tide_gl_driver(void); // the name of the driver; NULL if it tells none

struct tide_gl {
    const tide_gl_dialect *dialect;
    tide_gl_context *context; // NULL: uses the context that was current at creation
    tide_rasterizer *parts;   // view, stage, vertices, solids, marks
    char name[128];
    bool clip_control; // clip depths in [0, 1] are available
    GLint max_size;
    GLuint programs[TIDE_GL_PROGRAM_COUNT];
    GLint place_tones, place_through, place_checkers, place_mapped, place_map, place_blur, place_pool;
    GLuint frame_block;

    tide_gl_buffer vertices, triangles, solids, marks;
    GLuint surface_array, solid_array, mark_array, empty_array;
    GLuint grain_vertices, grain_indices;
    GLsizei grain_index_count[TIDE_GL_GRAIN_COUNT];
    size_t grain_first_index[TIDE_GL_GRAIN_COUNT];
    uint32_t grain_first[TIDE_GL_GRAIN_COUNT + 1]; // solids of each level; then thin ones, only for the shadow map
    size_t *surface_first;                         // (surface_count + 1) index of each surface's first triangle
    size_t surface_capacity;
    unsigned char *staging; // a buffer's contents, where buffers cannot be mapped
    size_t staging_capacity;

    uint32_t width, height; // of the targets below; 0 when there are none
    GLint samples;
    GLuint scene_framebuffer, scene_colour, scene_depth; // multisampled, linear
    GLuint mark_framebuffer, mark_colour;                // OpenGL ES: multisampled sRGB, with scene_depth
    tide_gl_target resolved;                             // OpenGL ES: the scene, linear
    tide_gl_target overlay;                              // labels, of the size of the image `labels`
    tide_image labels;
    uint64_t overlay_hash;                     // of what the overlay shows; 0: nothing
    tide_gl_target picture;                    // 8-bit sRGB
    tide_gl_target light;                      // depth
    tide_gl_target levels[TIDE_GROUND_LEVELS]; // fraction in shadow, and that times distance
    tide_gl_target scratch, contact;
    tide_gl_target casters[TIDE_CASTER_LEVELS];
    tide_gl_target near_map, raw_openness, openness; // of the size of tide_openness
    tide_gl_target shown;                            // what tide_gl_show puts into the window
    uint32_t shown_width, shown_height;
    tide_gl_frame frame;
};

// The source of a program's shaders
typedef struct tide_gl_shader_text {
    const char *label, *vertex, *shared, *fragment;
} tide_gl_shader_text;
// gl_shaders.c
extern const char tide_gl_surface_vertex[], tide_gl_solid_vertex[], tide_gl_stage_vertex[], tide_gl_mark_vertex[];
extern const char tide_gl_light_shared[], tide_gl_stage_shared[], tide_gl_surface_fragment[], tide_gl_solid_fragment[];
extern const char tide_gl_stage_fragment[], tide_gl_encode_fragment[], tide_gl_mark_fragment[], tide_gl_shader_head[];
// gl_shaders_maps.c
extern const tide_gl_shader_text tide_gl_shader_texts[TIDE_GL_PROGRAM_COUNT];

// gl_programs.c
tide_status tide_gl_make_programs(tide_gl *gl, tide_error *error);

// gl_targets.c: textures and framebuffers. A target of another size than asked for is created again.
tide_status tide_gl_make_maps(tide_gl *gl, tide_error *error);
tide_status tide_gl_resize(tide_gl *gl, uint32_t width, uint32_t height, tide_error *error);
void tide_gl_free_targets(tide_gl *gl);
void tide_gl_show_picture(const tide_gl *gl); // in the window, which has the picture's size
// Returns TIDE_OK, or the OpenGL errors since the last call; `doing` is for the message.
tide_status tide_gl_check(const char *doing, tide_error *error);
tide_status tide_gl_check_framebuffer(const char *doing, tide_error *error);
tide_status tide_gl_make_target(tide_gl_target *target, GLint format, GLsizei width, GLsizei height, GLint filter,
                                tide_error *error);
void tide_gl_free_target(tide_gl_target *target);

// gl_scene.c
tide_status tide_gl_make_arrays(tide_gl *gl, tide_error *error);
void tide_gl_free_arrays(tide_gl *gl);
tide_status tide_gl_stream_scene(tide_gl *gl, tide_error *error);
// Shadow casters without colours; all surfaces without colours; all with colours
typedef enum tide_gl_surfaces { TIDE_GL_CASTERS, TIDE_GL_DEPTHS, TIDE_GL_COLOURS } tide_gl_surfaces;
void tide_gl_draw_surfaces(const tide_gl *gl, tide_gl_surfaces which);
void tide_gl_draw_scene(tide_gl *gl);
void tide_gl_draw_encoded(const tide_gl *gl); // the scene in sRGB, into the framebuffer that is bound
void tide_gl_draw_marks(const tide_gl *gl);

// gl_overlay.c: labels over the picture, without reading it back
tide_status tide_gl_draw_labels(tide_gl *gl, tide_error *error);

// gl_openness.c: ambient occlusion of what is visible
void tide_gl_fit_openness(tide_gl *gl);
void tide_gl_draw_openness(const tide_gl *gl);

// gl_shadow.c: fits the maps to the shadow casters, and renders them
void tide_gl_fit_light(tide_gl *gl);
void tide_gl_draw_light(tide_gl *gl);

#endif
