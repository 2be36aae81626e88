// Cut springs and other elements. They keep their indices and lose their stiffness. Cuts are part of the state:
// snapshots, reset and an undone step restore them, and they persist over reloads while the body's group has the same
// kind and number of elements. (A cut is stored as a factor of the rest length of 0; see element_numbers.h.)
#ifndef TIDE_WORLD_CUTS_H
#define TIDE_WORLD_CUTS_H

#include "world/world.h"

// Cuts elements from the next step on. They count from 0, springs first (world.h); it is no error if one is cut
// already. Fails, changing nothing, for an element that does not exist and during a step.
tide_status tide_world_cut(tide_world *world, tide_body_id body, const uint32_t *elements, uint32_t count,
                           tide_error *error);
// Return false, or 0, for a stale id.
bool tide_world_is_cut(const tide_world *world, tide_body_id body, uint32_t element);
bool tide_world_has_cuts(const tide_world *world, tide_body_id body);
uint32_t tide_world_cut_count(const tide_world *world, tide_body_id body);   // cut elements
uint32_t tide_world_split_count(const tide_world *world, tide_body_id body); // vertices beyond those of the description

// Cut a body along a surface, at present positions: they open the faces between cells on different sides (split.h), so
// that vertices are split and no element is lost, and cut the links between distant vertices that the surface crosses.
// *count is the number of new vertices and cut elements. Fail for numbers that are not finite or beyond 1e9, and as
// tide_world_cut.
// The surface is given by the side of each vertex, (vertex_count): a cell is on the side of most of its vertices;
tide_status tide_world_cut_sides(tide_world *world, tide_body_id body, const bool *sides, uint32_t *count,
                                 tide_error *error);
// by a plane of points x with normal . x = offset |normal| (m), any length but 0: a cell is on the side of its centre;
tide_status tide_world_cut_plane(tide_world *world, tide_body_id body, const double normal[3], double offset,
                                 uint32_t *count, tide_error *error);
// by triangles, (9 * triangle_count) m: a face is opened if the line between the centres of its two cells passes
// through one.
tide_status tide_world_cut_triangles(tide_world *world, tide_body_id body, const double *triangles,
                                     uint32_t triangle_count, uint32_t *count, tide_error *error);

// Sets the stiffnesses of elements (for springs N/m) from the next step on, from 0 to 1e15. They are part of the state,
// as cuts are; a cut element keeps no stiffness. Fails as tide_world_cut, and for a stiffness above 0 of an element
// that is described with 0.
tide_status tide_world_set_stiffness(tide_world *world, tide_body_id body, const uint32_t *elements, uint32_t count,
                                     double stiffness, tide_error *error);

#endif
