// Exchanging the bodies of a world by bodies of other splits of the same descriptions: cuts and tears, and going back
// over them. Private to world/.
#ifndef TIDE_WORLD_EXCHANGE_H
#define TIDE_WORLD_EXCHANGE_H

#include "world/split.h"

// Opens faces of a body; *added is the number of new vertices. Copies take over position, velocity, pin and attachment
// to a collider; other attachments stay with the vertex. Fails for bodies that cannot be split, and without memory.
tide_status tide_world_open_faces(tide_world *world, tide_body_id id, const uint32_t *faces, size_t count,
                                  uint32_t *added, tide_error *error);

// Reconciling: splits the bodies of a new world as those of the old one of the same name, topology and groups are
// split.
tide_status tide_world_carry_splits(tide_world *world, const tide_world *old, tide_error *error);

// Puts `bodies` (body_count), of the same descriptions, in place of the world's, which are given up; takes over one
// use of each. Arrays of particles and numbers of elements have no meaning then, and pins are of the old particles: the
// caller sets all of them. tide_world_reserve_exchange makes sure that there is memory.
tide_status tide_world_reserve_exchange(tide_world *world, tide_body *const *bodies, tide_error *error);
void tide_world_exchange(tide_world *world, tide_body **bodies);

#endif
