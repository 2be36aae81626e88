// Hints on descriptions that contact cannot satisfy: one line each, with what to do. Private to world/.
#ifndef TIDE_WORLD_CONTACT_HINTS_H
#define TIDE_WORLD_CONTACT_HINTS_H

struct tide_world;
// Checks a state that was set from outside, where bodies or pins are new. Without memory it says nothing.
void tide_world_hint_contacts(struct tide_world *world);

#endif
