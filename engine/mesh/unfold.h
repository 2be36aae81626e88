// A mesh laid flat by its texture coordinates, as the pattern that a garment is cut from.
#ifndef TIDE_MESH_UNFOLD_H
#define TIDE_MESH_UNFOLD_H

#include "mesh/mesh.h"

// The same topology with vertex i at (scale * u, scale * v, 0); `scale` is m for each texture unit, above 0. Fails on a
// mesh without texture coordinates.
tide_status tide_mesh_unfold(const tide_mesh *mesh, double scale, tide_mesh **out, tide_error *error);

#endif
