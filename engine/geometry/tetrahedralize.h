// Tetrahedral meshes of the inside of a signed distance: isosurface stuffing of a body-centred cubic lattice (Labelle
// and Shewchuk, "Isosurface Stuffing: Fast Tetrahedral Meshes with Good Dihedral Angles", 2007).
//
// Lattice vertices near the surface are moved onto it. Then stencils cut the part of the lattice inside into
// tetrahedra: all dihedral angles are from 10.7 to 164.8 degrees. Sharp edges and corners of the shape are chamfered
// (except for a box of whole cells), and parts thinner than about a cell may be lost. The surface is manifold: where
// parts touch only in a vertex or an edge, each has vertices of its own, about a thousandth of a cell apart (angles
// change there as little), or a few tetrahedra are left out.
#ifndef TIDE_GEOMETRY_TETRAHEDRALIZE_H
#define TIDE_GEOMETRY_TETRAHEDRALIZE_H

#include "geometry/distance.h"

typedef enum tide_mesh_keep {
    TIDE_MESH_KEEP_ALL,
    TIDE_MESH_KEEP_LARGEST // of the pieces without a common vertex, that of the largest volume
} tide_mesh_keep;

typedef struct tide_mesh_tetrahedralize_def {
    double cell; // m, edge of the cubes of the lattice, above 0; TIDE_NOT_GIVEN: 1/20 of the longest side of the bounds
                 // of the distance, or what `vertices` needs
    int vertices; // the number of vertices wanted: the cell is found by trials, within 3 % where the lattice allows;
                  // not together with `cell`. 0, the default: any
    int keep;     // tide_mesh_keep; default: all
} tide_mesh_tetrahedralize_def;
extern const tide_field tide_mesh_tetrahedralize_fields[]; // defaults by tide_fields_default

// Makes the mesh. Fails on a field out of range, a distance without finite bounds, an empty inside (or one that the
// lattice misses) and a lattice of too many points. `def` may be NULL: the defaults. The result depends only on the
// distance and the definition.
tide_status tide_mesh_tetrahedralize(const tide_distance *distance, const tide_mesh_tetrahedralize_def *def,
                                     tide_mesh **mesh, tide_error *error);

#endif
