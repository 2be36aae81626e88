// Distances of triangle meshes whose vertices move while the topology stays: the hierarchy is refitted, not rebuilt.
#ifndef TIDE_GEOMETRY_DISTANCE_MOVING_H
#define TIDE_GEOMETRY_DISTANCE_MOVING_H

#include "geometry/distance.h"

// Makes a distance as tide_distance_mesh does, or with `sheet` as tide_distance_sheet, for a mesh that then moves.
// Facts about the shape are found once: the orientation of the surface, and the parts inside other pieces that are no
// boundary. These parts move with their triangles.
tide_status tide_distance_moving(const tide_mesh *mesh, bool sheet, tide_distance **out, tide_error *error);
// Moves the vertices to `vertices` (3 * vertex_count, m, finite), which are borrowed until the next call. Allocates
// nothing. No other thread may use the distance meanwhile.
void tide_distance_move(tide_distance *distance, const double *vertices);
// Finds the nearest point of the surface: a triangle of the mesh, and barycentric weights. `hint`: see distance_near.h.
static inline void tide_distance_nearest(const tide_distance *distance, const double p[3], uint32_t hint,
                                         uint32_t *triangle, double weights[3])
{
    distance->kind->nearest(distance, p, hint, triangle, weights);
}

// --- for distance_mesh.c and distance_sheet.c
tide_status tide_distance_moving_mesh(const tide_mesh *mesh, tide_distance **out, tide_error *error);
tide_status tide_distance_moving_sheet(const tide_mesh *mesh, tide_distance **out, tide_error *error);

#endif
