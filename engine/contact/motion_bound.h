// A bound on the motion of the points of lines (bristles, hair, grains) since the last search for pairs.
//
// Every iteration updates all points. One pass over them tells which have left their skins, and which colliders have to
// test. A point has left its skin only if its path since the search is longer than its slack; see tide_contacts.
#ifndef TIDE_CONTACT_MOTION_BOUND_H
#define TIDE_CONTACT_MOTION_BOUND_H

#include "base/bit_set.h"
#include "contact/contacts_state.h"

tide_status tide_motion_bound_create(tide_contacts *c, tide_error *error);
// Copies x to c->to, adds the motion to c->search.paths, and sets c->search.to_test to the points that colliders have
// to test. Returns false when points have left their skins; c->search.exceeded is the set of them.
bool tide_motion_bound_update(tide_contacts *c, const double *x);
// Sets the slack of a point whose skin is centred where it is now.
void tide_motion_bound_reset_point(tide_contacts *c, uint32_t point);
// Sets all slacks; paths are 0.
void tide_motion_bound_reset(tide_contacts *c);

#endif
