#include "contact/contact_settings.h"

const tide_field tide_contact_fields[] = {
    { TIDE_MEMBER(tide_contact_settings, continuous), .type = TIDE_FIELD_BOOLEAN,
      .help = "continuous collision detection of triangles and edges at the end of each step, with impact zones as the "
              "last resort: a step that starts without intersections ends without any" },
    { TIDE_MEMBER(tide_contact_settings, sweeps), .type = TIDE_FIELD_INTEGER, .initial = { 4 }, .minimum = 1,
      .maximum = 1000, .help = "number of sweeps over all contacts between bodies in each contact solve" },
    { TIDE_MEMBER(tide_contact_settings, lines), .type = TIDE_FIELD_BOOLEAN,
      .help = "the edges of lines (hair, bristles) collide with edges, not only their vertices" },
    { 0 },
};
