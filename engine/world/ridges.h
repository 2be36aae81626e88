// What of fixed parts is smooth under the parts that may touch it, see collision/surface.h; `touching` must be set.
#ifndef TIDE_WORLD_RIDGES_H
#define TIDE_WORLD_RIDGES_H

#include "collision/surface.h"

tide_status tide_world_mark_smooth(tide_contact_surface *surface, tide_error *error);

#endif
