// Surfaces of shapes, to be drawn.
#ifndef TIDE_COLLISION_TESSELLATION_H
#define TIDE_COLLISION_TESSELLATION_H

#include "geometry/distance.h"
#include "mesh/mesh.h"

enum { TIDE_TESSELLATION_SEGMENTS = 64 }; // segments of a full turn

// As the distances of these names; the capsule of a point is a sphere, the torus is around the origin.
tide_status tide_tessellate_capsule(const double from[3], const double to[3], double radius, const tide_mesh **mesh,
                                    tide_error *error);
tide_status tide_tessellate_cylinder(const double from[3], const double to[3], double radius, const tide_mesh **mesh,
                                     tide_error *error);
tide_status tide_tessellate_torus(const double axis[3], double major, double minor, const tide_mesh **mesh,
                                  tide_error *error);

// A box around the origin with four vertices a side, so that its edges are sharp.
tide_status tide_tessellate_box(const double size[3], const tide_mesh **mesh, tide_error *error);

// A grid of quadrangles over the x-z plane, centred, turned so that y goes along `normal` (a unit vector); heights
// (columns * rows, columns along x) or NULL: flat. Cells are split with alternating diagonals.
tide_status tide_tessellate_sheet(uint32_t columns, uint32_t rows, double width, double depth, const double *heights,
                                  const double normal[3], const tide_mesh **mesh, tide_error *error);

// The surface of any bounded distance, closed: one vertex in each cube of side `cell` (m) that it passes through, moved
// onto it (surface nets: Gibson 1998). Of nothing inside: fails.
tide_status tide_tessellate_distance(const tide_distance *distance, double cell, const tide_mesh **mesh,
                                     tide_error *error);

#endif
