// Numbers about bodies that are exported beside their meshes: velocities, stresses, tensions, strains.
#ifndef TIDE_SESSION_SHOWN_NUMBERS_H
#define TIDE_SESSION_SHOWN_NUMBERS_H

#include "formats/mesh_file.h"
#include "session/shown_body.h"

// Computes the numbers of bodies (count) in the parts of the mesh that joins them in their order, whose counts are
// `sum`. Vertices have their velocity (m/s). Where any body has them, vertices also have the largest stress (von Mises,
// Pa) and tension (N) of their elements, edges the tension and strain of their springs, triangles and tetrahedra their
// stress; 0 where there is none. `owner`, a block, owns all arrays; the caller checks tide_owns_all.
tide_status tide_shown_numbers_find(tide_world *world, const tide_shown_body *bodies, uint32_t count,
                                    const tide_mesh *sum, void *owner, tide_mesh_data *data, tide_error *error);

#endif
