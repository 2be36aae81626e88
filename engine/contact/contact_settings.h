// Options of contact in a world.
#ifndef TIDE_CONTACT_CONTACT_SETTINGS_H
#define TIDE_CONTACT_CONTACT_SETTINGS_H

#include "base/field.h"

typedef struct tide_contact_settings {
    bool continuous; // swept tests and impact zones at the end of every step: nothing passes through at any speed
    int sweeps;      // over all contacts between bodies, in each solve; 0: the default
    bool lines;      // edges of lines (hair, bristles) touch edges; else only their vertices do
} tide_contact_settings;
extern const tide_field tide_contact_fields[]; // continuous false, sweeps 4, lines false

#endif
