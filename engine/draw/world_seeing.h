// What the files that draw what is seen of a world share. Private to draw/.
#ifndef TIDE_DRAW_WORLD_SEEING_H
#define TIDE_DRAW_WORLD_SEEING_H

#include "draw/world_colours.h"

// The numbers that bodies are coloured by, of all particles.
typedef struct tide_view_numbers {
    const double *places; // (particle_count) from 0 to 1 along the map, NAN for none; NULL: nothing is coloured
    double low, high;     // the numbers there
    bool chosen;          // of all bodies, and not only of those that the script gave numbers of
    tide_colour map[TIDE_MAP_COLOURS];
} tide_view_numbers;

// world_colours.c: finds them, and tells of them in `seen`. Memory is the list's; what there is none for is left out.
tide_status tide_view_find_numbers(tide_draw_list *list, tide_world *world, const tide_seeing *seeing,
                                   tide_view_numbers *numbers, tide_seen *seen, tide_error *error);
// Those of a body, (vertex_count); NULL: it is not coloured.
const double *tide_view_places(const tide_view_numbers *numbers, const tide_seeing *seeing, tide_world *world,
                               tide_body_id body);

// world_curvature.c: 1/m, (vertex_count); x: (3 * vertex_count). False when there is no memory.
bool tide_view_curvature(tide_draw_list *list, const tide_mesh *mesh, const double *x, double *out);

// spring_sorts.c: the sort of each spring of a group of the system, (count), in the list's memory; NULL: no memory
const unsigned char *tide_view_spring_sorts(tide_draw_list *list, tide_world *world, const tide_system *system,
                                            uint32_t group);
tide_colour tide_view_sort_colour(tide_spring_sort sort);

// world_signs.c: arrows and contacts; the list's bounds stay those of the bodies.
tide_status tide_view_add_signs(tide_draw_list *list, tide_world *world, const tide_seeing *seeing, tide_seen *seen,
                                tide_error *error);
extern const tide_colour tide_view_velocity_colour, tide_view_force_colour, tide_view_contact_colour,
    tide_view_residual_colour, tide_view_direction_colour;

#endif
