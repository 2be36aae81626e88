// The certificate: an independent check of the present state that nothing goes through anything else.
//
// It covers all bodies and colliders, as they touch: fine surfaces in place of embedded bodies, without what is cut.
// It shares the description of surfaces with contact (which triangles, which bodies), but no decision: see
// collision/crossing_search.h for what is decided exactly, to which rounding, and what is left out. The check changes
// no state.
#ifndef TIDE_WORLD_CERTIFICATE_H
#define TIDE_WORLD_CERTIFICATE_H

#include "collision/crossing_search.h"
#include "world/world.h"

// A crossing by names. Vertices, triangles and edges count from 0; they are those of the mesh that touches: of the fine
// surface of a body that has one.
typedef struct tide_named_crossing {
    tide_crossing_kind kind;
    tide_body_id body;
    uint32_t item;             // triangle, edge (is_edge), or vertex (TIDE_CROSSING_VERTEX); TIDE_CROSSING_NONE: a
                               // triangle that a cut has laid open, which has no number
    tide_body_id other;        // {0, 0}: a collider
    uint32_t other_item;       // triangle of the other body or of the collider's mesh, likewise; none against a shape
    tide_collider_id collider; // {0, 0}: another body
    bool is_edge, let_pass;
    double place[3]; // m
} tide_named_crossing;

typedef struct tide_certificate {
    uint64_t frame;
    uint64_t count;                   // of crossings
    uint64_t of[TIDE_CROSSING_KINDS]; // by kind
    uint64_t let_pass;                // of them allowed by the scene: tide_crossing.let_pass
    bool complete;                    // false: the search was given up; there may be more crossings
    uint32_t listed;                  // how many tide_world_crossing names
    tide_named_crossing first;        // valid if listed: one that is not allowed, if there is one
    double seconds;                   // that the check took
} tide_certificate;

// Checks the present state. Fails on a state with numbers that are not finite, without memory, and during a step.
// Allocates only when the bodies or colliders have changed, and for a list of crossings that grows.
tide_status tide_world_certify(tide_world *world, tide_certificate *certificate, tide_error *error);
// Returns how many crossings the last check has named, if it was of the present frame; else 0.
uint32_t tide_world_crossing_count(const tide_world *world);
// Names a crossing of the last check, `index` < listed, in a fixed order.
void tide_world_crossing(const tide_world *world, uint32_t index, tide_named_crossing *crossing);
static inline bool tide_certificate_is_clean(const tide_certificate *certificate)
{
    return certificate->complete && certificate->count == 0;
}
// Writes one line without a line end, such as `frame 12: 3 crossings; the first: triangle 5 of body "a" goes through
// triangle 7 of body "b" at (0.1, 0.2, 0)`. Items count from 1 in it.
void tide_certificate_write(const tide_world *world, const tide_certificate *certificate, char *text, size_t size);

#endif
