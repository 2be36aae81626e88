// What the user's tools have changed in a world: vertices pinned and freed, and what is dragged. Each frame of the
// history keeps it, so that going back restores it too.
#ifndef TIDE_SESSION_LIVE_HANDS_H
#define TIDE_SESSION_LIVE_HANDS_H

#include "session/live.h"

typedef struct tide_hand_pin {
    uint64_t body; // hash of the body's name
    uint32_t vertex;
    bool pinned; // false: freed
} tide_hand_pin;

// Immutable, with counted references.
typedef struct tide_hand_pins {
    uint32_t references, count;
    tide_hand_pin *items;
} tide_hand_pins;
typedef struct tide_hold {
    uint32_t references, count;
    uint32_t *vertices; // (count) held vertices of the body
    bool *own;          // (count) pinned for the drag; freed when it ends
} tide_hold;

typedef struct tide_hands {
    tide_hand_pins *pins; // in the order of the inputs; NULL: none
    tide_hold *hold;      // NULL unless drag.active
    tide_live_drag drag;
} tide_hands; // { 0 } is empty

tide_hands tide_hands_share(const tide_hands *hands); // adds references, to be released
void tide_hands_release(tide_hands *hands);

// Finds the body that an input names; the error says that there is none.
tide_status tide_hands_find_body(const tide_world *world, const char *name, tide_body_id *id, tide_error *error);
tide_status tide_hands_pin(tide_hands *hands, tide_world *world, const tide_input *input, tide_error *error);
tide_status tide_hands_drag_begin(tide_hands *hands, tide_world *world, const tide_input *input, tide_error *error);
tide_status tide_hands_drag_move(tide_hands *hands, tide_world *world, const tide_input *input, tide_error *error);
tide_status tide_hands_drag_end(tide_hands *hands, tide_world *world, tide_error *error);

// For a run of the script: tide_hands_read_targets reads the positions of held vertices (tide_hand_targets; its points
// are freed by the caller). tide_hands_apply repeats pins and holds in the new world, as far as it has the bodies and
// vertices, and drops the others.
typedef struct tide_hand_targets {
    double *points; // (3 * hold->count) m
} tide_hand_targets;
tide_status tide_hands_read_targets(const tide_hands *hands, tide_world *world, tide_hand_targets *targets,
                                    tide_error *error);
tide_status tide_hands_apply(tide_hands *hands, tide_world *world, const tide_hand_targets *targets, tide_error *error);

#endif
