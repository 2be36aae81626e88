// What a world looks like: its bodies as surfaces, tubes and points of a draw list.
#ifndef TIDE_DRAW_WORLD_VIEW_H
#define TIDE_DRAW_WORLD_VIEW_H

#include "draw/draw_list.h"
#include "world/world.h"

typedef struct tide_view_settings {
    bool wireframe; // springs as lines coloured by strain (blue compressed, grey at rest, orange stretched by 10 %
                    // or more), no surfaces
    bool pins;      // a small ball at each pinned vertex
} tide_view_settings;

// Adds the world's bodies to the list, extending its bounds. Surfaces where a mesh has triangles (of a tetrahedral mesh
// its surface, with sharp edges kept sharp), tubes along edges with an end that is in no triangle or tetrahedron, balls
// for vertices without any edge, and for the vertices of lines where a body has at most 16. Fails with
// TIDE_ERROR_MEMORY when something had to be left out.
tide_status tide_draw_world(tide_draw_list *list, tide_world *world, const tide_view_settings *settings,
                            tide_error *error);

#endif
