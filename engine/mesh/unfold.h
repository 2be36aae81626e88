// A mesh laid flat by its texture coordinates, like the pattern of a garment.
#ifndef TIDE_MESH_UNFOLD_H
#define TIDE_MESH_UNFOLD_H

#include "mesh/mesh.h"

// Makes a mesh of the same topology with vertex i at (scale * u, scale * v, 0); `scale`, above 0, is m per texture
// unit. Fails on a mesh without texture coordinates.
tide_status tide_mesh_unfold(const tide_mesh *mesh, double scale, tide_mesh **out, tide_error *error);

#endif
