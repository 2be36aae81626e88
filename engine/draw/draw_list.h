// A draw list: what one frame shows, as plain arrays, made from a world by draw/world_view.h and by a script's
// `draw` callback, and consumed by every renderer.
#ifndef TIDE_DRAW_DRAW_LIST_H
#define TIDE_DRAW_DRAW_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Colours are sRGB components in [0, 1] with alpha. Alpha counts for lines and points of a width in pixels and for
// labels; everything else is opaque. Primitives with numbers that are not finite, or over 1e6 m away, are not drawn.
typedef struct tide_colour {
    float r, g, b, a;
} tide_colour;

typedef enum tide_pattern {
    TIDE_PATTERN_PLAIN,
    TIDE_PATTERN_CHECKER,
    TIDE_PATTERN_MAP // a vertex is coloured by its first texture coordinate, a place from 0 to 1 in the list's map;
                     // below -1 it is grey
} tide_pattern;

enum { TIDE_MAP_COLOURS = 65 }; // of a colour map, evenly spaced; between them they are mixed in linear light

typedef struct tide_draw_surface {
    uint32_t vertex_count, triangle_count;
    const float *positions;    // (3 * vertex_count) m
    const float *normals;      // (3 * vertex_count) unit; smooth; the renderer turns them to the viewer (two-sided)
    const float *texture;      // (2 * vertex_count) or NULL; a checker has `checkers` squares for one unit of it
    const uint32_t *triangles; // (3 * triangle_count)
    tide_colour front, back;   // front: seen counter-clockwise. Back is the inside of cloth
    tide_pattern pattern;
    float checkers;
    bool casts_shadow;
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
    float position[3]; // m in the world: centred a little above it; when `on_screen`, pixels from the top left, of the
                       // text's top left corner
    bool on_screen;
    float size; // pixels high, from the top of capitals to the descenders' end
    tide_colour colour;
    const char *text; // UTF-8; a glyph the font lacks is drawn as a box. '\n' starts a new line
} tide_draw_label;

// A rectangle of one colour, over the picture and under the labels.
typedef struct tide_draw_box {
    float x, y, width, height; // pixels from the top left; rounded to whole ones
    tide_colour colour;
} tide_draw_box;

typedef struct tide_draw_camera {
    float position[3], target[3], up[3]; // m
    float field_of_view;                 // vertical, radians
    // The principal point (where the target is seen), from the picture's centre: right and up, as fractions of half the
    // picture's width and height. {0, 0} is the centre.
    float shift[2];
} tide_draw_camera;

// The room that the world stands in.
typedef struct tide_draw_stage {
    tide_colour background_top, background_bottom; // a vertical gradient; the ground fades into the bottom colour
    bool has_ground;
    float up[3];         // along an axis; the ground is perpendicular to it. The picture's y
    float ground_height; // along up, m
    tide_colour ground;
    float light_direction[3]; // from the light towards the scene, where y is up
} tide_draw_stage;
tide_draw_stage tide_draw_stage_default(void);

typedef struct tide_draw_list {
    tide_draw_camera camera;
    tide_draw_stage stage;
    float lower[3], upper[3]; // bounds of what is in the list (surfaces, lines, points in the world); adds extend them
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
    const tide_colour *map;          // (TIDE_MAP_COLOURS) of surfaces of TIDE_PATTERN_MAP, which are plain without it
    struct tide_draw_block *blocks;  // memory that the surfaces and labels point to; kept from frame to frame
    struct tide_draw_block *current; // the block in use; those after it are empty
    bool failed;                     // an allocation failed: something is missing from the list
} tide_draw_list;                    // { 0 } is the empty list

// Each add copies what it is given into the list's own memory; arrays from tide_draw_list_allocate are taken as they
// are.
void tide_draw_list_clear(tide_draw_list *list); // empties it and keeps the memory
void tide_draw_list_free(tide_draw_list *list);
void tide_draw_add_surface(tide_draw_list *list, const tide_draw_surface *surface);
void tide_draw_add_line(tide_draw_list *list, const tide_draw_line *line);
void tide_draw_add_point(tide_draw_list *list, const tide_draw_point *point);
void tide_draw_add_label(tide_draw_list *list, const tide_draw_label *label);
void tide_draw_add_box(tide_draw_list *list, const tide_draw_box *box);
void tide_draw_set_map(tide_draw_list *list, const tide_colour *map);
// Memory of the list's own, valid until it is cleared: to build arrays in place. NULL when there is no memory.
void *tide_draw_list_allocate(tide_draw_list *list, size_t size);
// The pixels that a label's text takes.
void tide_draw_text_size(const char *text, float size, float *width, float *height);
// Area-weighted smooth normals, (3 * vertex_count), into `normals`.
void tide_draw_normals(const float *positions, uint32_t vertex_count, const uint32_t *triangles,
                       uint32_t triangle_count, float *normals);

#endif
