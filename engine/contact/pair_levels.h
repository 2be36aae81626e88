// Contacts between bodies, solved one after another in their order, but several at once where the order allows it. The
// level of a contact is one more than the highest level of the contacts before it that share a particle with it. So
// contacts of one level share no particle, and the levels one after another give what the contacts one after another
// would give, to the bit. Hair and grains touch a few others each, so that they have some ten levels. Private to this
// folder.
#ifndef TIDE_CONTACT_PAIR_LEVELS_H
#define TIDE_CONTACT_PAIR_LEVELS_H

#include <stdbool.h>
#include <stdint.h>

struct tide_contacts;

typedef struct tide_pair_levels tide_pair_levels;

tide_pair_levels *tide_pair_levels_create(uint32_t particle_count); // NULL: no memory
// Gives each contact of c->pairs its level; contacts that have come since the last call follow those before them.
// Returns false without memory.
bool tide_pair_levels_take(struct tide_contacts *c);
// Calls `solve` with the index of each contact, level by level; in a level, on all threads. Returns the largest result.
typedef double tide_pair_level_solve(void *context, uint32_t index);
double tide_pair_levels_run(const tide_pair_levels *levels, tide_pair_level_solve *solve, void *context);
// The order or the places of contacts change: all are taken again.
void tide_pair_levels_forget(tide_pair_levels *levels);

#endif
