// What the files that draw view options share. Private to draw/.
#ifndef TIDE_DRAW_WORLD_VIEW_PARTS_H
#define TIDE_DRAW_WORLD_VIEW_PARTS_H

#include "draw/world_colours.h"

// The numbers of all particles that colour the bodies.
typedef struct tide_view_numbers {
    const double *places; // (particle_count) places along the map in [0, 1], NAN: none; NULL: nothing is coloured
    double low, high;     // numbers at the places 0 and 1
    bool chosen;          // all bodies are coloured, not only those with numbers from the script
    tide_colour map[TIDE_MAP_COLOURS];
} tide_view_numbers;

// world_colours.c: computes them and describes them in `seen`. The memory is the list's; without memory they are left
// out.
tide_status tide_view_find_numbers(tide_draw_list *list, tide_world *world, const tide_view_options *options,
                                   tide_view_numbers *numbers, tide_seen *seen, tide_error *error);
// Returns those of a body, (vertex_count); NULL: it is not coloured.
const double *tide_view_places(const tide_view_numbers *numbers, const tide_view_options *options, tide_world *world,
                               tide_body_id body);

// world_curvature.c: curvature of vertices, 1/m, (vertex_count); x: (3 * vertex_count). Returns false without memory.
bool tide_view_curvature(tide_draw_list *list, const tide_mesh *mesh, const double *x, double *out);

// spring_sorts.c: the kind of each spring of a group of the system, (count), in the list's memory; NULL: no memory
const unsigned char *tide_view_spring_sorts(tide_draw_list *list, tide_world *world, const tide_system *system,
                                            uint32_t group);
tide_colour tide_view_sort_colour(tide_spring_sort sort);

// world_glyphs.c: adds arrows and contacts. They do not extend the list's bounds.
tide_status tide_view_add_glyphs(tide_draw_list *list, tide_world *world, const tide_view_options *options,
                                 tide_seen *seen, tide_error *error);
extern const tide_colour tide_view_velocity_colour, tide_view_force_colour, tide_view_contact_colour,
    tide_view_crossing_colour, tide_view_residual_colour, tide_view_direction_colour;

#endif
