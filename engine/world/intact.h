// What is intact of the meshes of a body with cuts: the edges, triangles and tetrahedra to draw and to touch.
#ifndef TIDE_WORLD_INTACT_H
#define TIDE_WORLD_INTACT_H

#include "world/world.h"

// A view of a mesh without what is cut. Vertices are those of the mesh. tide_intact_free frees what it owns.
typedef struct tide_intact {
    tide_mesh mesh;
    uint32_t *edges, *triangles, *tetrahedra; // owned, or NULL: nothing is cut
} tide_intact;

// Makes the view of a body's mesh; with `fine`, of its fine surface if it has one. A triangle or tetrahedron is cut if
// it has all vertices of a cut element (of two or three; of four for a tetrahedron). The triangles of a solid are the
// surface of its intact tetrahedra; those of a fine surface are cut with the tetrahedra that carry their vertices. An
// edge is cut by a cut element of two vertices on it, and with its last triangle or tetrahedron unless an uncut element
// of two vertices is on it. Fails for a stale id.
tide_status tide_world_intact(const tide_world *world, tide_body_id body, bool fine, tide_intact *out,
                              tide_error *error);
void tide_intact_free(tide_intact *intact);

#endif
