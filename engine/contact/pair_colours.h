// Contacts between bodies, solved one after another in an order that allows several at once. Contacts of one colour
// share no particle that moves, so that their order among one another does not matter: four are solved at a time in
// vectors, and all threads take part, with the same bits for any number of threads. Private to this folder.
//
// It takes contacts with fixed normals whose points are particles, with friction that is the same in all directions.
// The others are listed as the rest.
#ifndef TIDE_CONTACT_PAIR_COLOURS_H
#define TIDE_CONTACT_PAIR_COLOURS_H

#include <stdbool.h>
#include <stdint.h>

struct tide_contacts;

typedef struct tide_pair_colours tide_pair_colours;

tide_pair_colours *tide_pair_colours_create(uint32_t particle_count); // NULL: no memory
// Takes the contacts of pairs in c->list, unless those that it has are still valid. Returns false without memory.
bool tide_pair_colours_take(struct tide_contacts *c);
// Solves all contacts taken once. `release`: impulses may decrease. Moves x (and c->to) with y, and v; each may be NULL
// but x. Returns the largest change of a coordinate by one contact.
double tide_pair_colours_sweep(struct tide_contacts *c, bool release, double *x, double *y, double *v);
// Writes impulses and depths back to c->list where sweeps have changed them.
void tide_pair_colours_give_back(struct tide_contacts *c);
// Contacts have come, gone, or changed otherwise: they are taken again. Call give_back before the change.
void tide_pair_colours_forget(struct tide_contacts *c);
// Gives back, and forgets.
void tide_pair_colours_drop(struct tide_contacts *c);
// Returns the indices of the contacts whose normals may not be fixed yet, among them some with colliders. NULL: they
// are the last `count` of c->list.
const uint32_t *tide_pair_colours_open(struct tide_contacts *c, uint32_t *count);
// Returns the indices of the contacts that are not taken.
const uint32_t *tide_pair_colours_rest(const struct tide_contacts *c, uint32_t *count);

#endif
