// Distances of triangle meshes whose vertices move while the topology stays: the hierarchy is refitted, not rebuilt.
#ifndef TIDE_GEOMETRY_DISTANCE_MOVING_H
#define TIDE_GEOMETRY_DISTANCE_MOVING_H

#include "geometry/distance.h"

// As tide_distance_mesh, or with `sheet` as tide_distance_sheet, for a mesh that then moves. What depends on the shape
// of the mesh stays as it is at first: which way the surface faces, and where pieces overlap: which parts of them are
// inside others, and are no boundary. Those parts go with their triangles.
tide_status tide_distance_moving(const tide_mesh *mesh, bool sheet, tide_distance **out, tide_error *error);
// The vertices are at `vertices` (3 * vertex_count, m, finite) now; borrowed until the next call. Allocates nothing.
// Nobody else may use the distance meanwhile.
void tide_distance_move(tide_distance *distance, const double *vertices);
// The nearest point of the surface: a triangle of the mesh, and barycentric weights. `hint`: see distance_near.h.
static inline void tide_distance_nearest(const tide_distance *distance, const double p[3], uint32_t hint,
                                         uint32_t *triangle, double weights[3])
{
    distance->kind->nearest(distance, p, hint, triangle, weights);
}

// --- for distance_mesh.c and distance_sheet.c
tide_status tide_distance_moving_mesh(const tide_mesh *mesh, tide_distance **out, tide_error *error);
tide_status tide_distance_moving_sheet(const tide_mesh *mesh, tide_distance **out, tide_error *error);

#endif
