// Tetrahedral meshes of what a signed distance holds inside: isosurface stuffing of a body-centred cubic lattice
// (Labelle and Shewchuk, "Isosurface Stuffing: Fast Tetrahedral Meshes with Good Dihedral Angles", 2007).
//
// Lattice vertices near the surface are moved onto it, then what of the lattice lies inside is cut into tetrahedra by
// stencils: all dihedral angles are from 10.7 to 164.8 degrees. Sharp edges and corners of the shape are chamfered
// (but for a box of whole cells), and parts thinner than about a cell may be lost. The surface is manifold: where parts
// touch in a vertex or an edge alone, each has vertices of its own, apart by about a thousandth of a cell (where angles
// change by as little), or a few tetrahedra are left out.
#ifndef TIDE_GEOMETRY_TETRAHEDRALIZE_H
#define TIDE_GEOMETRY_TETRAHEDRALIZE_H

#include "geometry/distance.h"

typedef enum tide_mesh_keep {
    TIDE_MESH_KEEP_ALL,
    TIDE_MESH_KEEP_LARGEST // of the pieces that share no vertex, the one of the largest volume
} tide_mesh_keep;

typedef struct tide_mesh_tetrahedralize_def {
    double cell;  // m, edge of the lattice's cubes, above 0; TIDE_NOT_GIVEN: 1/20 of the longest side of the distance's
                  // bounds, or what `vertices` needs
    int vertices; // the number wanted: the cell is found by trials, within 3 % where the lattice allows; not together
                  // with `cell`. 0, the default: no wish
    int keep;     // tide_mesh_keep; default: all
} tide_mesh_tetrahedralize_def;
extern const tide_field tide_mesh_tetrahedralize_fields[]; // defaults by tide_fields_default

// Fails on a field out of range, a distance without finite bounds, one with nothing inside (or nothing that the cell
// finds) and a lattice of too many points. `def` may be NULL: the defaults. The result depends on the distance and the
// definition only.
tide_status tide_mesh_tetrahedralize(const tide_distance *distance, const tide_mesh_tetrahedralize_def *def,
                                     tide_mesh **mesh, tide_error *error);

#endif
