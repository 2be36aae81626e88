// A knife: a stroke over the picture, which cuts the springs that it crosses and opens solids along it. Positions are
// pixels from the picture's top left.
#ifndef TIDE_SESSION_LIVE_KNIFE_H
#define TIDE_SESSION_LIVE_KNIFE_H

#include "session/live.h"
#include "session/live_pick.h"

typedef struct tide_knife {
    double at[2];      // where the stroke continues
    bool on_body;      // it cut a body at the last sample
    bool has_cut;      // something in this stroke
    tide_body_id body; // that it is on
    uint32_t vertex;   // of the body, nearest to the knife at the last sample
    double beside[2];  // the knife's offset from it
} tide_knife;

// What a stroke does to its host: `apply` applies an input; `before_first` (may be NULL) is called before the first
// cut of a stroke.
typedef struct tide_knife_host {
    void (*apply)(void *context, const tide_input *input);
    void (*before_first)(void *context);
    void *context;
} tide_knife_host;

void tide_knife_begin(tide_knife *knife, tide_world *world, const tide_pick_view *view, const double at[2]);
// Cuts from where the stroke was to `to`. The same place again cuts what has moved under the knife.
void tide_knife_cut(tide_knife *knife, tide_live *live, const tide_pick_view *view, const double to[2],
                    const tide_knife_host *host);

#endif
