#include "contact/contact_settings.h"

const tide_field tide_contact_fields[] = {
    { .name = "continuous",
      .type = TIDE_FIELD_BOOLEAN,
      .offset = offsetof(tide_contact_settings, continuous),
      .help =
          "swept tests of triangles and edges at the end of every step, with impact zones as the last resort: a step "
          "that begins without crossings ends without" },
    { .name = "sweeps",
      .type = TIDE_FIELD_INTEGER,
      .offset = offsetof(tide_contact_settings, sweeps),
      .initial = { 4 },
      .minimum = 1,
      .maximum = 1000,
      .help = "how often all contacts between bodies are gone through, in each solve" },
    { .name = "lines",
      .type = TIDE_FIELD_BOOLEAN,
      .offset = offsetof(tide_contact_settings, lines),
      .help = "edges of lines (hair, bristles) touch edges, not their vertices alone" },
    { 0 },
};
