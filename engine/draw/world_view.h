// What a world looks like: its bodies as surfaces, tubes and points of a draw list.
#ifndef TIDE_DRAW_WORLD_VIEW_H
#define TIDE_DRAW_WORLD_VIEW_H

#include "draw/world_colours.h"

enum { TIDE_VIEW_HIDDEN_SIZE = 512 };

typedef struct tide_view_settings {
    bool wireframe;     // springs as lines in tide_strain_colour, no surfaces of bodies; springs that are no edge of a
                        // mesh, and those inside of a solid, are faint
    bool pins;          // a small ball at each pinned vertex, smaller where neighbours are pinned too
    tide_seeing seeing; // colours by numbers, arrows, contacts; its springs take the place of surfaces as wires do
    tide_seen *seen;    // filled for tide_draw_key; NULL: not wanted
    // Names of bodies whose surfaces, tubes and pins are not drawn, each ended by '\n'
    char hidden[TIDE_VIEW_HIDDEN_SIZE];
} tide_view_settings;

// Whether the name is among the hidden.
bool tide_view_hides(const tide_view_settings *settings, const char *name);

#define TIDE_FULL_STRAIN 0.1 // where the colours of strain end

// Blue where compressed, grey at rest, orange where stretched: told apart by the colour-blind too.
tide_colour tide_strain_colour(double strain);

// Adds the world's bodies to the list, extending its bounds. Surfaces where a mesh has triangles (of a tetrahedral mesh
// its surface, or the fine one that it carries, with sharp edges kept sharp), tubes along edges with an end that is in
// no triangle or tetrahedron, balls for vertices without any edge, and for the vertices of lines where a body has at
// most 16. Bodies that are left in the default colour differ: each takes the next of a few. Visible colliders are
// surfaces; planes do not extend the bounds, and those that lie where the list's stage has its ground are not drawn.
// Fails with TIDE_ERROR_MEMORY when something had to be left out.
tide_status tide_draw_world(tide_draw_list *list, tide_world *world, const tide_view_settings *settings,
                            tide_error *error);

// Where up is in pictures of the world: against gravity where that is along x or z, otherwise y.
void tide_view_up(const tide_world *world, float up[3]);
// How far down along that, the bodies can hang from their pins, as they are now, with some stretching; infinite without
// any pin.
double tide_view_lowest_reach(tide_world *world);
// The height, m along that, below which there is no body and no visible collider that has an end, and nothing hangs;
// `size`: how large the world is. False where there is nothing.
bool tide_view_bottom(tide_world *world, double *height, double *size);
// The height, m along that, of the highest collider that is a level floor (and is visible, where `visible`): where the
// ground is to be drawn. False when there is none.
bool tide_view_floor(const tide_world *world, bool visible, double *height);

#endif
