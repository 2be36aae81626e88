// What hands have done to a world: vertices pinned and freed, and what is held and dragged. Kept beside the frames, so
// that going back in time goes back to the hands of then.
#ifndef TIDE_SESSION_LIVE_HANDS_H
#define TIDE_SESSION_LIVE_HANDS_H

#include "session/live.h"

typedef struct tide_hand_pin {
    uint64_t body; // hash of its name
    uint32_t vertex;
    bool pinned; // or freed
} tide_hand_pin;

// Values that are never changed, as often shared as `references` says.
typedef struct tide_hand_pins {
    uint32_t references, count;
    tide_hand_pin *items;
} tide_hand_pins;
typedef struct tide_hold {
    uint32_t references, count;
    uint32_t *vertices; // (count) of the body
    bool *own;          // (count) pinned for the drag, and to be freed after it
} tide_hold;

typedef struct tide_hands {
    tide_hand_pins *pins; // in the order in which they were made; NULL: none
    tide_hold *hold;      // NULL unless drag.active
    tide_live_drag drag;
} tide_hands; // { 0 } is empty

tide_hands tide_hands_share(const tide_hands *hands); // to be released
void tide_hands_release(tide_hands *hands);

// The body of an input's name, or an error that says that there is none.
tide_status tide_hands_find_body(const tide_world *world, const char *name, tide_body_id *id, tide_error *error);
tide_status tide_hands_pin(tide_hands *hands, tide_world *world, const tide_input *input, tide_error *error);
tide_status tide_hands_drag_begin(tide_hands *hands, tide_world *world, const tide_input *input, tide_error *error);
tide_status tide_hands_drag_move(tide_hands *hands, tide_world *world, const tide_input *input, tide_error *error);
tide_status tide_hands_drag_end(tide_hands *hands, tide_world *world, tide_error *error);

// The script is run again: where the hands hold things, to be freed; and the same in the new world, as far as it has
// the bodies and vertices. What does not fit any more is left out.
typedef struct tide_hand_targets {
    double *points; // (3 * hold->count) m
} tide_hand_targets;
tide_status tide_hands_read_targets(const tide_hands *hands, tide_world *world, tide_hand_targets *targets,
                                    tide_error *error);
tide_status tide_hands_apply(tide_hands *hands, tide_world *world, const tide_hand_targets *targets, tide_error *error);

#endif
