// How touching is found and answered in a world.
#ifndef TIDE_CONTACT_CONTACT_SETTINGS_H
#define TIDE_CONTACT_CONTACT_SETTINGS_H

#include "base/field.h"

typedef struct tide_contact_settings {
    bool continuous; // swept tests and impact zones at the end of every step: nothing passes, whatever its speed
    int sweeps;      // over all contacts between bodies, in each answer; 0 stands for the default
    bool lines;      // edges of lines (hair, bristles) touch edges, not their vertices alone
} tide_contact_settings;
extern const tide_field tide_contact_fields[]; // continuous false, sweeps 4, lines false

#endif
