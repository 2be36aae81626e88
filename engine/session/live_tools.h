// What the user's tools have changed in a world: vertices pinned and freed, and what is dragged. Each frame of the
// history keeps it, so that going back restores it too.
#ifndef TIDE_SESSION_LIVE_TOOLS_H
#define TIDE_SESSION_LIVE_TOOLS_H

#include "session/live.h"

typedef struct tide_tool_pin {
    uint64_t body; // hash of the body's name
    uint32_t vertex;
    bool pinned; // false: freed
} tide_tool_pin;

// Immutable, with counted references.
typedef struct tide_tool_pins {
    uint32_t references, count;
    tide_tool_pin *items;
} tide_tool_pins;
typedef struct tide_hold {
    uint32_t references, count;
    uint32_t *vertices; // (count) held vertices of the body
    bool *own;          // (count) pinned for the drag; freed when it ends
} tide_hold;

typedef struct tide_tools {
    tide_tool_pins *pins; // in the order of the inputs; NULL: none
    tide_hold *hold;      // NULL unless drag.active
    tide_live_drag drag;
} tide_tools; // { 0 } is empty

tide_tools tide_tools_share(const tide_tools *tools); // adds references, to be released
void tide_tools_release(tide_tools *tools);

// Finds the body that an input names; the error says that there is none.
tide_status tide_tools_find_body(const tide_world *world, const char *name, tide_body_id *id, tide_error *error);
tide_status tide_tools_pin(tide_tools *tools, tide_world *world, const tide_input *input, tide_error *error);
tide_status tide_tools_drag_begin(tide_tools *tools, tide_world *world, const tide_input *input, tide_error *error);
tide_status tide_tools_drag_move(tide_tools *tools, tide_world *world, const tide_input *input, tide_error *error);
tide_status tide_tools_drag_end(tide_tools *tools, tide_world *world, tide_error *error);

// For a run of the script: tide_tools_read_targets reads the positions of held vertices (tide_tool_targets; its points
// are freed by the caller). tide_tools_apply repeats pins and holds in the new world, as far as it has the bodies and
// vertices, and drops the others.
typedef struct tide_tool_targets {
    double *points; // (3 * hold->count) m
} tide_tool_targets;
tide_status tide_tools_read_targets(const tide_tools *tools, tide_world *world, tide_tool_targets *targets,
                                    tide_error *error);
tide_status tide_tools_apply(tide_tools *tools, tide_world *world, const tide_tool_targets *targets, tide_error *error);

#endif
