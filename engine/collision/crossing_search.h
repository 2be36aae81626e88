// The search for crossings: a check of a state that shares no decision with contact detection. It finds
// - pairs of triangles that cross, of all bodies and of the meshes of colliders,
// - edges of strands that go through a triangle,
// - triangles and edges of strands that enter a collider between their corners, which are outside,
// - vertices inside a collider.
//
// Triangles, and vertices against meshes, are decided exactly (geometry/predicates.h, with the rules for touching). A
// vertex is inside a mesh if the sum of signed crossings of a ray from it, its winding number, is at least 1. A vertex
// on the surface is not inside. Against other shapes the signed distance decides: inside means deeper than 2^-44 of the
// largest coordinate, the bound on its rounding. Between corners, convex distances are bounded below by their tangents,
// so no entry is missed down to 1e-6 of the edge, in at most 20,000 pieces (a shape that touches along a line, at no
// distance, takes more: then it counts as touching); others are searched in pieces of 1/32 of the edge by their
// steepness: an entry between these that is less deep than 1/32 of an edge may be missed.
//
// Left out: pairs of triangles with two common corners; pairs with corners that are joined (seams); triangles and
// vertices with a corner that is attached to the collider. Two surfaces that cross exactly along an edge of both are
// found only where they cross elsewhere, too. Two strands have no width, and cross nothing but triangles. Pairs that
// the scene lets pass (collide, self_collide, set_touching) are searched, and marked; so are vertices, and triangles
// with all corners, that the scene holds where they are.
#ifndef TIDE_COLLISION_CROSSING_SEARCH_H
#define TIDE_COLLISION_CROSSING_SEARCH_H

#include "collision/collider.h"
#include "collision/surface.h"

enum { TIDE_CROSSING_NONE = UINT32_MAX };

typedef enum tide_crossing_kind {
    TIDE_CROSSING_TRIANGLES, // two triangles
    TIDE_CROSSING_EDGE,      // an edge of a strand (item) and a triangle (other_item)
    TIDE_CROSSING_ENTRY,     // a triangle, or an edge of a strand, and a collider without triangles
    TIDE_CROSSING_VERTEX,    // a vertex inside a collider
    TIDE_CROSSING_KINDS
} tide_crossing_kind;

typedef struct tide_crossing {
    tide_crossing_kind kind;
    uint32_t part, item; // of the surface: a triangle, edge or point; part is not that of a collider
    // The other side: a part and its triangle, both TIDE_CROSSING_NONE against a shape without triangles and for a
    // vertex; and the collider, TIDE_CROSSING_NONE if it is a body.
    uint32_t other_part, other_item, collider;
    bool is_edge;    // of an entry: `item` is an edge
    bool let_pass;   // the scene lets the two pass each other, or holds all vertices of both
    double place[3]; // m
} tide_crossing;

typedef struct tide_crossings {
    uint64_t count, of[TIDE_CROSSING_KINDS], let_pass;
    const tide_crossing *list; // (listed) the first TIDE_CROSSINGS_LISTED in a fixed order; owned by the search
    uint32_t listed;
    bool complete; // false: more pairs came near one another than the search may test; there may be more crossings
} tide_crossings;
enum { TIDE_CROSSINGS_LISTED = 1000 };

typedef struct tide_crossing_search tide_crossing_search;

// The surface is borrowed. Its fixed parts are the meshes of colliders, whose inside is searched unless they are open.
tide_status tide_crossing_search_create(const tide_contact_surface *surface, tide_crossing_search **search,
                                        tide_error *error);
void tide_crossing_search_destroy(tide_crossing_search *search); // NULL does nothing
// Searches at x (3 * point_count), finite. Colliders are as the surface counts them, at the pose `start`. `held`
// (point_count; NULL: none) is the collider to which a point is attached. Allocates nothing but at first; the result is
// valid until the next call. Fails on numbers that are not finite, and when the work is to stop.
tide_status tide_crossing_search_run(tide_crossing_search *search, const double *x, tide_collider *const *colliders,
                                     uint32_t collider_count, const uint32_t *held, tide_crossings *found,
                                     tide_error *error);

#endif
