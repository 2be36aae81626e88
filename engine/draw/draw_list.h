// A draw list: the contents of one frame as plain arrays. draw/world_view.h makes it from a world, a script's `draw`
// callback adds to it, and every renderer consumes it. draw/rasterizer.h has an example.
//
// Units: m in the world, pixels on the screen. Ownership: the list owns its arrays and what they point to. Errors: if
// memory runs out, the list is incomplete and `failed` is set.
#ifndef TIDE_DRAW_DRAW_LIST_H
#define TIDE_DRAW_DRAW_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Colours are sRGB components in [0, 1] with alpha. Alpha applies to labels, boxes, and lines and points with a width
// in pixels; everything else is opaque. Primitives with coordinates that are not finite, or over 1e6 m, are not drawn.
typedef struct tide_colour {
    float r, g, b, a;
} tide_colour;

typedef enum tide_pattern {
    TIDE_PATTERN_PLAIN,
    TIDE_PATTERN_CHECKER,
    TIDE_PATTERN_MAP // a vertex's u in [0, 1] is its place in the list's map; below -1 it is grey
} tide_pattern;

enum { TIDE_MAP_COLOURS = 65 }; // entries of a map, evenly spaced; interpolated in linear light

typedef struct tide_draw_surface {
    uint32_t vertex_count, triangle_count;
    const float *positions; // (3 * vertex_count) m
    const float *normals;   // (3 * vertex_count) unit, smooth; the renderer flips them towards the viewer (two-sided)
    const float *texture;   // (2 * vertex_count) or NULL; a checker has `checkers` squares per unit
    const uint32_t *triangles; // (3 * triangle_count)
    tide_colour front, back;   // the front is seen counter-clockwise; the back is the inside of cloth
    tide_pattern pattern;
    float checkers;
    bool casts_shadow;
    bool solid; // bounds a solid: it transmits no light, and its vertices are split at sharp edges
} tide_draw_surface;

typedef struct tide_draw_line {
    float from[3], to[3]; // m
    float width;          // pixels when positive, metres (a lit tube's diameter) when negative
    tide_colour colour;
    bool casts_shadow;
} tide_draw_line;

typedef struct tide_draw_point {
    float position[3]; // m
    float size;        // diameter: pixels when positive, metres (a lit ball) when negative
    tide_colour colour;
} tide_draw_point;

typedef struct tide_draw_label {
    float position[3]; // m, in the world: the text is centred a little above it. If `on_screen`, pixels from the top
                       // left, of the text's top left corner
    bool on_screen;
    float size; // height in pixels, from the top of capitals to the bottom of descenders
    tide_colour colour;
    const char *text; // UTF-8; a box replaces characters that the font lacks. '\n' starts a new line
} tide_draw_label;

// A rectangle of one colour, above the picture and below the labels.
typedef struct tide_draw_box {
    float x, y, width, height; // pixels from the top left; rounded to whole pixels
    tide_colour colour;
} tide_draw_box;

typedef struct tide_draw_camera {
    float position[3], target[3], up[3]; // m
    float field_of_view;                 // vertical, radians
    // The principal point (where the target appears), relative to the picture's centre: to the right and up, as
    // fractions of half the picture's width and height. {0, 0} is the centre.
    float shift[2];
} tide_draw_camera;

// The surroundings of the world: background, ground and light.
typedef struct tide_draw_stage {
    tide_colour background_top, background_bottom; // a vertical gradient; the ground fades into the bottom colour
    bool has_ground;
    float up[3];         // along an axis; normal of the ground, and y of the picture
    float ground_height; // along up, m
    tide_colour ground;
    float light_direction[3]; // from the light to the scene, in coordinates where y is up
} tide_draw_stage;
tide_draw_stage tide_draw_stage_default(void);

typedef struct tide_draw_list {
    tide_draw_camera camera;
    tide_draw_stage stage;
    float lower[3], upper[3]; // bounds of surfaces, lines and points in the world; the add functions extend them
    tide_draw_surface *surfaces;
    size_t surface_count, surface_capacity;
    tide_draw_line *lines;
    size_t line_count, line_capacity;
    tide_draw_point *points;
    size_t point_count, point_capacity;
    tide_draw_label *labels;
    size_t label_count, label_capacity;
    tide_draw_box *boxes;
    size_t box_count, box_capacity;
    const tide_colour *map;          // (TIDE_MAP_COLOURS) for surfaces of TIDE_PATTERN_MAP; without it they are plain
    struct tide_draw_block *blocks;  // memory of the surfaces and labels; kept from frame to frame
    struct tide_draw_block *current; // the block in use; those after it are empty
    bool failed;                     // an allocation failed: the list is incomplete
} tide_draw_list;                    // { 0 } is the empty list

// Each add function copies its arguments into the list's own memory, except arrays from tide_draw_list_allocate, which
// it uses directly.
void tide_draw_list_clear(tide_draw_list *list); // empties it and keeps the memory
void tide_draw_list_free(tide_draw_list *list);
void tide_draw_add_surface(tide_draw_list *list, const tide_draw_surface *surface);
void tide_draw_add_line(tide_draw_list *list, const tide_draw_line *line);
void tide_draw_add_point(tide_draw_list *list, const tide_draw_point *point);
void tide_draw_add_label(tide_draw_list *list, const tide_draw_label *label);
void tide_draw_add_box(tide_draw_list *list, const tide_draw_box *box);
void tide_draw_set_map(tide_draw_list *list, const tide_colour *map);
// Allocates memory that the list owns, to build arrays in place. It is valid until the list is cleared. NULL: no
// memory.
void *tide_draw_list_allocate(tide_draw_list *list, size_t size);
// Computes the size of a label's text in pixels.
void tide_draw_text_size(const char *text, float size, float *width, float *height);
// Computes area-weighted smooth normals, (3 * vertex_count).
void tide_draw_normals(const float *positions, uint32_t vertex_count, const uint32_t *triangles,
                       uint32_t triangle_count, float *normals);

#endif
