// A body as it is drawn and exported: its mesh, or the fine surface that is embedded in it, where it is now.
#ifndef TIDE_SESSION_SHOWN_BODY_H
#define TIDE_SESSION_SHOWN_BODY_H

#include "world/world.h"

typedef struct tide_shown_body {
    tide_body_info info;
    const tide_mesh *mesh;
    const double *x; // (3 * mesh->vertex_count) m
    double *surface; // x, if it was computed for this struct; NULL: x is the world's
} tide_shown_body;

// Describes a body. The caller frees `surface`. Valid until the world changes. Fails for a stale id.
tide_status tide_shown_body_find(tide_world *world, tide_body_id id, tide_shown_body *body, tide_error *error);

#endif
