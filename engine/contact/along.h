// Following points of lines alone (bristles, hair, grains), all of them in every iteration: it is most of what an
// iteration costs that moves nothing, so one pass tells all that is to be known of where they are.
#ifndef TIDE_CONTACT_ALONG_H
#define TIDE_CONTACT_ALONG_H

#include "base/bit_set.h"
#include "contact/contacts_state.h"

tide_status tide_along_create(tide_contacts *c, tide_error *error);
void tide_along_destroy(tide_contacts *c);
// The particles have gone to x: into `to`, with their ways in the frame that goes along, and which are to be looked at
// by colliders. False when one has left its margin; those are c->beyond then.
bool tide_along_follow(tide_contacts *c, const double *x);
// A point's margin is about where it is now, or (for all of them) ways are 0.
void tide_along_aimed(tide_contacts *c, uint32_t point);
void tide_along_begin(tide_contacts *c);

#endif
