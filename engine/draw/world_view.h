// What a world looks like: its bodies as surfaces, tubes and points of a draw list.
#ifndef TIDE_DRAW_WORLD_VIEW_H
#define TIDE_DRAW_WORLD_VIEW_H

#include "draw/draw_list.h"
#include "world/world.h"

typedef struct tide_view_settings {
    bool wireframe; // springs as lines coloured by strain (blue compressed, grey at rest, red stretched by 10 % or
                    // more), no surfaces
    bool pins;      // a small ball at each pinned vertex
} tide_view_settings;

// Adds the world's bodies to the list and sets the list's bounds. Surfaces where a mesh has triangles (of a tetrahedral
// mesh its surface), tubes along edges that no triangle has, balls for vertices without any edge.
tide_status tide_draw_world(tide_draw_list *list, tide_world *world, const tide_view_settings *settings,
                            tide_error *error);

#endif
