// The look of a world: its bodies as surfaces, tubes and points of a draw list.
//
//     tide_view_settings settings = { .pins = true };
//     settings.options.colouring = TIDE_COLOURING_STRAIN;
//     status = tide_draw_world(&list, world, &settings, error);
//
// Units: m, and those that world_colours.h gives for numbers. Ownership: the list owns what
// is added to it. Threads: the call reads the world, so no other thread may use it meanwhile.
#ifndef TIDE_DRAW_WORLD_VIEW_H
#define TIDE_DRAW_WORLD_VIEW_H

#include "draw/world_colours.h"

enum { TIDE_VIEW_HIDDEN_SIZE = 512 };

typedef struct tide_view_settings {
    bool wireframe; // springs as lines in tide_strain_colour, without the bodies' surfaces; springs that are not edges
                    // of a mesh, or are inside a solid, are faint
    bool pins;      // a small ball at each pinned vertex, smaller if neighbours are pinned too
    tide_view_options options; // view options; if they show springs, these replace surfaces as in a wireframe
    tide_seen *seen;           // filled for tide_draw_key; may be NULL
    // Names of bodies whose surfaces, tubes and pins are not drawn, each ended by '\n'
    char hidden[TIDE_VIEW_HIDDEN_SIZE];
} tide_view_settings;

// Returns whether the name is among the hidden ones.
bool tide_view_hides(const tide_view_settings *settings, const char *name);

#define TIDE_FULL_STRAIN 0.1 // strain at the ends of the colour scale

// Blue in compression, grey at rest, orange in tension: also distinct for the colour-blind.
tide_colour tide_strain_colour(double strain);

// Adds the world's bodies to the list and extends its bounds. Triangles are drawn as surfaces (for a tetrahedral mesh
// its boundary, or its embedded fine surface; sharp edges stay sharp). Edges with an end that is in no triangle or
// tetrahedron are drawn as tubes. Balls mark vertices without edges, and the vertices of lines in a body with at
// most 16. Bodies of the default colour take the next one of a few colours each. Visible colliders are surfaces; planes
// do not extend the bounds, and planes that coincide with the stage's ground are not drawn. Fails with
// TIDE_ERROR_MEMORY if something was left out.
tide_status tide_draw_world(tide_draw_list *list, tide_world *world, const tide_view_settings *settings,
                            tide_error *error);

// Computes the up direction of pictures of the world: against gravity if that is along x or z, otherwise y.
void tide_view_up(const tide_world *world, float up[3]);
// Returns how far down, along up, the bodies can hang from their current pins, with some stretching; infinite without
// pins.
double tide_view_lowest_reach(tide_world *world);
// Computes the height along up, m, below which there is no body, no visible bounded collider, and nothing that hangs
// down. `size`: the extent of the world. Returns false if there is nothing.
bool tide_view_bottom(tide_world *world, double *height, double *size);
// Computes the height along up, m, of the highest collider that is a level floor (a visible one if `visible`), where
// the ground is drawn. Returns false if there is none.
bool tide_view_floor(const tide_world *world, bool visible, double *height);

#endif
