// Tessellations of shapes: triangle meshes for drawing. Functions return a new mesh that the caller releases. Lengths
// are m.
#ifndef TIDE_COLLISION_TESSELLATION_H
#define TIDE_COLLISION_TESSELLATION_H

#include "geometry/distance.h"
#include "mesh/mesh.h"

enum { TIDE_TESSELLATION_SEGMENTS = 64 }; // segments of a full turn

// Tessellates the shapes of the distances of the same names. The capsule of one point is a sphere; the torus is centred
// at the origin.
tide_status tide_tessellate_capsule(const double from[3], const double to[3], double radius, const tide_mesh **mesh,
                                    tide_error *error);
tide_status tide_tessellate_cylinder(const double from[3], const double to[3], double radius, const tide_mesh **mesh,
                                     tide_error *error);
tide_status tide_tessellate_torus(const double axis[3], double major, double minor, const tide_mesh **mesh,
                                  tide_error *error);

// Tessellates a box centred at the origin with four vertices a side, so that its edges are sharp.
tide_status tide_tessellate_box(const double size[3], const tide_mesh **mesh, tide_error *error);

// Tessellates a height field: a grid of quadrangles over the x-z plane, centred, rotated so that y becomes `normal` (a
// unit vector). heights (columns * rows, columns along x) may be NULL: flat. Cells are split with alternating
// diagonals.
tide_status tide_tessellate_sheet(uint32_t columns, uint32_t rows, double width, double depth, const double *heights,
                                  const double normal[3], const tide_mesh **mesh, tide_error *error);

// Tessellates a bounded distance by surface nets (Gibson 1998): a closed surface with one vertex in each cube of side
// `cell` (m) that the surface crosses, moved onto the surface. Fails if nothing is inside.
tide_status tide_tessellate_distance(const tide_distance *distance, double cell, const tide_mesh **mesh,
                                     tide_error *error);

#endif
