// The state of the search for pairs, private to its files.
#ifndef TIDE_COLLISION_PROXIMITY_STATE_H
#define TIDE_COLLISION_PROXIMITY_STATE_H

#include "base/bit_set.h"
#include "base/vec3.h"
#include "collision/box_tree.h"
#include "collision/point_pairs.h"
#include "collision/proximity.h"

#include <stddef.h>
#include <string.h>

enum { POINTS, TRIANGLES, EDGES, FEATURES };

// Relative to the distance. Pairs that pass this near count as passing through, which allows for rounding in gaps.
#define PASSING 0.01
#define REST_FACTOR 1.1 // see surface.h
// A sheet of thickness t bends about a circle of diameter t at the least. Two places touch only if at least half of its
// circumference, pi t / 2, is between them.
#define FOLD_FACTOR 1.5707963267948966

// The features of one kind that may touch anything, and their moving boxes.
typedef struct items {
    uint32_t count, *features; // ascending
    double *boxes;             // (6 * count) those in the tree: of the items, or fat ones, see proximity_kept.c
    bool *sought;              // (count) in an update: it has a changed point; in a search by kept lists: it is stale
    bool *stale, *outside;     // (count) see proximity_kept.c
    const uint32_t *points;    // (of_each * all features) of each feature; NULL: it is a point
    uint32_t of_each;
    uint32_t *starts, *at; // (point_count + 1) of each point in `at`: the items that have it
    tide_box_tree *tree;
} items;

static inline const uint32_t *tide_item_points(const items *items, uint32_t i)
{
    return items->points ? items->points + (size_t)items->of_each * items->features[i] : items->features + i;
}

typedef struct tide_found_link {
    uint32_t feature, next; // next: of the same item, + 1
} tide_found_link;

// Of a point that meets triangles, or an edge: triangles, or later edges; by the tree, or by kept lists and links. Of
// items that are sought: points that are not, near a triangle, by their number among the items; edges near an edge,
// likewise, of two that are sought once. By fat boxes: the items of kept lists, by their numbers.
typedef enum tide_list_kind {
    TIDE_TRIANGLES_NEAR_POINT,
    TIDE_EDGES_NEAR_EDGE,
    TIDE_KEPT_TRIANGLES,
    TIDE_KEPT_EDGES,
    TIDE_POINTS_NEAR_TRIANGLE,
    TIDE_EDGES_NEAR_SOUGHT,
    TIDE_FAT_TRIANGLES,
    TIDE_FAT_EDGES
} tide_list_kind;

// Those of `begin` to `end` - 1 of the items that have lists, see proximity_list.c.
typedef struct tide_list_batch {
    tide_list_kind kind;
    bool some;                        // only items that are sought have lists
    uint32_t *order;                  // (count) these items
    uint32_t count, begin, end, used; // count: of all lists; used: numbers taken from the present chunk
    uint32_t chunks, *lists;
    double *clearances;              // m, of the pairs with the features of each list
    uint32_t *counts, *tested, *met; // numbers for each list: its features, features tested, boxes that overlap
    bool *full;                      // for each chunk: its lists did not fit
    double *seconds;                 // for each chunk: time of the narrow phase for a sample of its lists
} tide_list_batch;

// For each item, the others whose fat boxes overlap its own.
typedef struct tide_kept_list {
    uint32_t *starts; // (count + 1) of each item in `near`
    uint32_t *near;   // (room) ascending
    size_t room;
} tide_kept_list;

// Candidates that are kept from search to search, see proximity_kept.c.
typedef struct tide_kept_candidates {
    tide_kept_list triangles, edges; // of points that meet triangles; of edges, the later edges
    double *slacks;                  // (part_count) m, by which fat boxes are larger on each side
    bool valid;                      // there are lists, and trees hold fat boxes
    bool any_stale;
    uint32_t uses, pause; // searches by the present lists; searches to go before lists are made again
} tide_kept_candidates;

struct tide_proximity {
    const tide_contact_surface *surface;
    tide_contact_work *work; // NULL: unbounded
    bool edges_of_lines;
    uint32_t *triangle_parts, *edge_parts;
    bool *touches_later;                     // (part_count) it may touch itself or a later part
    uint32_t *neighbour_starts, *neighbours; // of points, along edges
    items meeting;                           // points that meet triangles
    items of[FEATURES];                      // for points, the features are the points
    tide_point_pairs *points;
    bool any_solid;                    // some triangle that points meet is solid
    bool *uses_point;                  // (point_count) some item has it
    uint32_t *used;                    // (used_count) points whose boxes are needed
    uint32_t used_count, *used_starts; // (part_count + 1) of each part in `used`
    uint32_t *sides;                   // (3 * triangle_count) the edges of each triangle
    uint8_t *owns;                     // (triangle_count) see tide_contact_pair
    uint32_t *sided;                   // (sided_count) triangles of solid parts with an edge among the items
    uint32_t sided_count;
    double *edge_normals; // (3 * edge_count; if any part is solid) sums of unit normals of triangles at the start

    const double *to, *skins;
    const bool *changed;     // points that differ, in an update; NULL: all
    double drift[3];         // motion of the frame of the boxes, at the end
    tide_near_pair *earlier; // the pairs before an update; swapped with `pairs`
    size_t earlier_count, earlier_capacity, earlier_at;
    double *from,
        *boxes; // (3 * point_count), (6 * point_count); boxes are in a frame that moves with the mean of all points
    double *part_boxes;                 // (6 * part_count), see proximity_parts.c
    bool *parts_changed;                // (part_count) in an update: it has a changed point
    uint32_t *near_starts, *near_parts; // for each part, the parts that it may touch and whose boxes meet its box
    size_t near_capacity;
    bool fitted;                                // boxes and trees of items are those of the last search or update
    uint32_t *point_at, *triangle_at, *edge_at; // index of each feature among the items
    uint32_t *found;
    tide_list_batch batch;
    tide_kept_candidates kept;
    uint32_t *linked;       // (points or edges) the last link of each item, + 1
    bool *has_links;        // (points or edges)
    tide_found_link *links; // (link_count)
    size_t link_count, link_capacity;
    uint64_t *known; // (known_count, a power of two) cache of pairs of one part and whether they are near at rest
    size_t known_count;
    tide_near_pair *pairs;
    size_t pair_count, pair_capacity;
    bool incomplete; // a triangle without area was left out since the search
    tide_proximity_counts counts;
    double sampled_seconds; // of the narrow phase of the present kind of pair
};

// Returns the distance (m) at the start between the sides of a pair that is not of points.
double tide_proximity_start(const tide_contact_pair *pair);
// Two edges at the start: their vectors, the first point of the first from that of the second, and the normal of both.
typedef struct tide_edges_apart {
    tide_vec3 first, second, apart, cross;
} tide_edges_apart;
tide_edges_apart tide_proximity_edges_apart(const tide_contact_pair *pair);
// Returns the difference of their closest points (from the second edge to the first). Sets its square and whether none
// of them is an end.
tide_vec3 tide_proximity_edges_closest(const tide_contact_pair *pair, const tide_edges_apart *at_start, double *square,
                                       bool *between);

// Finds the parts that are near one another, from the boxes of points; in an update, from those that have changed.
// Returns false when there is no memory.
bool tide_proximity_find_parts(tide_proximity *p);
// Returns whether a box of a feature of this part meets the box of any part near it.
bool tide_proximity_meets_part(const tide_proximity *p, uint32_t part, const double *box);
static inline bool any_parts_near(const tide_proximity *p)
{
    return p->near_starts[p->surface->part_count] > 0;
}

// The pair of two features of its sides, without what a search finds about it.
tide_contact_pair tide_proximity_pair_of(const tide_proximity *p, tide_pair_kind kind, uint32_t first, uint32_t second);
// Tells whether the sides may touch while they are within the skins of their ends. Sets the clearance.
bool tide_proximity_comes_near(const tide_proximity *p, const tide_contact_pair *pair, double *clearance);
// Whether sides with this clearance do.
bool tide_proximity_is_near(const tide_proximity *p, const tide_contact_pair *pair, double clearance);

enum { TIDE_SAMPLED = 61 }; // the clock is read for one feature of so many: a prime, as meshes have rows and strands

bool tide_proximity_create_batch(tide_proximity *p, uint32_t most); // items of a kind
// Lists of the features near each item by their boxes, without those that never touch it or that a first test tells
// apart. With `some`, only items that are sought have lists. Take the lists 0 to count - 1 one after another; each is
// valid until the next. Those of points and of edges with later edges are ascending. Where all items have lists, those
// of a search leave out pairs without solid parts that are not near, and `clearances` is set; else it is NULL.
uint32_t tide_proximity_begin_lists(tide_proximity *p, tide_list_kind kind, bool some); // returns their count
uint32_t tide_proximity_take_list(tide_proximity *p, uint32_t i, const uint32_t **list, const double **clearances);
uint32_t tide_proximity_find_list(tide_proximity *p, tide_list_kind kind, uint32_t n); // of one item, to p->found
// Tells whether a point i and a triangle k, or edges i and k, of one part are so near at rest that they never touch.
// Only kept lists check this. `points` are those of the pair. For several threads.
bool tide_proximity_is_near_at_rest(const tide_proximity *p, tide_pair_kind kind, uint32_t i, uint32_t k,
                                    const uint32_t points[4]);
// Link near features, if one of them is sought, to the item of the pair's first side. Return false without memory.
bool tide_proximity_link_triangles(tide_proximity *p);
bool tide_proximity_link_edges(tide_proximity *p);
// Moves the links of the n-th item to p->found, ascending. Returns their number.
uint32_t tide_proximity_take_links(tide_proximity *p, uint32_t n);
void tide_proximity_clear_links(tide_proximity *p, uint32_t count); // of the first items

// proximity_kept.c
bool tide_proximity_create_kept(tide_proximity *p);
// Fits the boxes and trees of all items for a search or an update, and decides whether a search uses kept lists.
tide_status tide_proximity_fit(tide_proximity *p, tide_error *error);
// The box of the points of an item.
static inline void tide_item_box(const tide_proximity *p, const items *items, uint32_t i, double box[6])
{
    const uint32_t *own = tide_item_points(items, i);
    memcpy(box, p->boxes + 6 * (size_t)own[0], 6 * sizeof *box);
    for (uint32_t k = 1; k < items->of_each; k++)
        tide_box_join(box, p->boxes + 6 * (size_t)own[k]);
}

static inline bool is_smooth_edge(const tide_contact_surface *s, uint32_t edge)
{
    return s->smooth_edges && s->smooth_edges[edge];
}

static inline bool is_smooth_point(const tide_contact_surface *s, uint32_t point)
{
    return s->smooth_points && s->smooth_points[point];
}

static inline bool has_point(const uint32_t *edge, uint32_t point)
{
    return edge[0] == point || edge[1] == point;
}

#endif
