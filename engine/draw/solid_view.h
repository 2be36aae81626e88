// What the views of bodies and of colliders share.
#ifndef TIDE_DRAW_SOLID_VIEW_H
#define TIDE_DRAW_SOLID_VIEW_H

#include "draw/draw_list.h"
#include "world/world.h"

tide_colour tide_view_colour(const double c[3]);
// Fills vertices, texture and triangles of a surface, with sharp edges where the mesh has them. `x`: positions of the
// mesh's vertices, (3 * vertex_count). `places`: their places in the list's map (NAN: none), which replace the texture;
// NULL: no colouring by the map. Returns false without memory.
bool tide_view_solid(tide_draw_list *list, const tide_mesh *mesh, const double *x, const double *places,
                     tide_draw_surface *surface);
float tide_view_place(double place); // converts it to a texture coordinate of TIDE_PATTERN_MAP
// Adds the world's visible colliders.
void tide_view_colliders(tide_draw_list *list, const tide_world *world);

#endif
