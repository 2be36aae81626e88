// Lasting changes of elements at the end of a step: plastic flow and tears. A body has them by the materials `plastic`
// and `tear` (material.h).
#ifndef TIDE_WORLD_LASTING_H
#define TIDE_WORLD_LASTING_H

#include "world/material.h"
#include "world/world.h"

#define TIDE_TORN_CUT UINT32_MAX
// An element that tore at the end of the last step.
typedef struct tide_torn {
    tide_body_id body;
    uint32_t element;      // of the body, from 0
    uint32_t vertices[4];  // of the body, from 0
    uint32_t vertex_count; // 2 to 4
    double strain;         // at which it tore
    uint32_t vertex;       // that was split, so that the body comes apart there; TIDE_TORN_CUT: the element was cut
    double position[3];    // m, of that vertex; the mean of its vertices
} tide_torn;
// Returns the elements that tore in the last step, in the order of the elements; valid until the next step.
const tide_torn *tide_world_torn(const tide_world *world, uint32_t *count);

// Reserves memory, so that tide_world_change_elements cannot fail.
tide_status tide_world_reserve_changes(tide_world *world, tide_error *error);
// Applies plastic flow and then tears at the end of a step.
void tide_world_change_elements(tide_world *world);

// The return mapping of one plastic element with one measure of strain. `rest` is its size at rest relative to the
// described size, 1 + plastic strain; `size` its present size, likewise; `flow` the accumulated plastic strain. The
// elastic strain is size - rest. Beyond the limit yield + hardening flow, it flows by
//
//     d = (|size - rest| - limit) / (1 + hardening),   rest += d sign(size - rest),   flow += d
//
// which brings the elastic strain to the limit, or, with `creep` (1/s), by 1 - exp(-creep h) of d. The elastic energy
// falls. Returns whether anything changed.
bool tide_plastic_flow(const tide_material_plastic_options *options, double h, double size, double *rest, double *flow);

#endif
