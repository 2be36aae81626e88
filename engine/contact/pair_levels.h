// Levels let contacts between bodies be solved in parallel with the result of solving them one by one. The level of a
// contact is one more than the highest level of the earlier contacts that share a particle with it. Contacts of one
// level share no particle. Solving level by level gives the same bits as solving all contacts in their order. Each
// point of hair or grains touches few others, so that there are about ten levels. Private to this folder.
#ifndef TIDE_CONTACT_PAIR_LEVELS_H
#define TIDE_CONTACT_PAIR_LEVELS_H

#include <stdbool.h>
#include <stdint.h>

struct tide_contacts;

typedef struct tide_pair_levels tide_pair_levels;

tide_pair_levels *tide_pair_levels_create(uint32_t particle_count); // NULL: no memory
// Gives each contact of a pair in c->list its level; contacts that have come since the last call follow those before
// them. Returns false without memory.
bool tide_pair_levels_take(struct tide_contacts *c);
// Calls `solve` with the index of each contact, level by level; in a level, on all threads. Returns the largest result.
typedef double tide_pair_level_solve(void *context, uint32_t index);
double tide_pair_levels_run(const tide_pair_levels *levels, tide_pair_level_solve *solve, void *context);
// Call it when contacts are sorted or removed: the next take gives all of them levels anew. NULL: does nothing.
void tide_pair_levels_forget(tide_pair_levels *levels);

#endif
