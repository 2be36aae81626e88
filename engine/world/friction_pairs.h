// The table of pairs of contact materials, by which a scene gives the friction between them. It is part of the
// description, not of the state.
#ifndef TIDE_WORLD_FRICTION_PAIRS_H
#define TIDE_WORLD_FRICTION_PAIRS_H

#include "world/world_state.h"

// Fails where `name` is not "" and in no pair; the error names `object`, contact_material and the nearest name.
tide_status tide_world_check_contact_material(const tide_world *world, const char *object, const char *name,
                                              tide_error *error);
tide_status tide_world_copy_friction_pairs(tide_world *fork, const tide_world *world, tide_error *error);
bool tide_world_same_friction_pairs(const tide_world *a, const tide_world *b);
// Gives the surface the materials of its parts and of colliders, and the coefficients of pairs.
tide_status tide_world_set_materials(const tide_world *world, tide_contact_surface *surface, tide_error *error);

#endif
