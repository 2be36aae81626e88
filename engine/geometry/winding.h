// The generalised winding number of a triangle mesh (Jacobson, Kavan and Sorkine-Hornung 2013): the solid angle of all
// triangles at a point, divided by 4 pi. For closed surfaces that face outward, it is the number of surfaces that
// enclose the point.
//
// Evaluated over a bounding volume hierarchy (Barill, Dickson, Schmidt, Levin and Jacobson, "Fast Winding Numbers for
// Soups and Clouds", 2018): a distant node counts as one dipole, a near triangle counts exactly.
#ifndef TIDE_GEOMETRY_WINDING_H
#define TIDE_GEOMETRY_WINDING_H

#include "geometry/bvh.h"

typedef struct tide_winding_node {
    double centre[3]; // m, the area-weighted mean of the node's triangles
    double area[3];   // m^2, the sum of area times normal
    double radius;    // m, of a sphere about the centre that contains the node's triangles
    double weight;    // m^2, the sum of the areas
} tide_winding_node;

typedef struct tide_winding {
    const tide_bvh *bvh;
    tide_winding_node *nodes; // (bvh->node_count)
} tide_winding;

// Prepares the winding number over `bvh`, which is borrowed; when it is refitted, the winding must be refitted, too.
// Fails without memory.
tide_status tide_winding_create(const tide_bvh *bvh, tide_winding *winding, tide_error *error);
void tide_winding_refit(tide_winding *winding);   // allocates nothing
void tide_winding_destroy(tide_winding *winding); // also one that is all zero
// Returns the winding number at p, within 0.1 of the exact one. Allocates nothing; several threads may call it at once.
double tide_winding_at(const tide_winding *winding, const double p[3]);

#endif
