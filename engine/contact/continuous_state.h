// The state of continuous collision, private to its files.
#ifndef TIDE_CONTACT_CONTINUOUS_STATE_H
#define TIDE_CONTACT_CONTINUOUS_STATE_H

#include "collision/box_tree.h"
#include "collision/rest_pairs.h"
#include "collision/vicinity.h"
#include "contact/continuous.h"
#include "contact/impact_zone.h"

#include <stddef.h>
#include <string.h>

enum { POINTS, TRIANGLES, EDGES, FEATURES };
enum { NEAR_PAIRS = FEATURES, REST_PAIRS, SEARCHED }; // known pairs, numbered after the features
enum { TIDE_HALVINGS = 6 };                           // of a motion, at the most

// The features of one kind that may touch anything, and the near ones: without those of fixed parts far from everything
// that moves. `base` has the near ones with their boxes at the begin of the search, `later` those that have moved since
// (`stale`), with their present boxes. Where pairs are known, `base` is empty and `later` has the loose ones.
typedef struct features {
    uint32_t size;          // points of each
    const uint32_t *points; // (size * count); NULL: itself
    uint32_t *parts, count;
    uint32_t *all, all_count, *near, near_count;
    uint32_t *base_items, base_count, *later_items, later_count;
    bool *stale, *now;                // (count) now: moved in the last round
    double *base_boxes, *later_boxes; // (6 * count) the boxes in the trees
    tide_box_tree *base, *later;
} features;

typedef struct tide_impact_sink tide_impact_sink;

struct tide_continuous {
    const tide_contact_surface *surface;
    tide_contact_work *work; // NULL: no bound
    features of[FEATURES];
    double *boxes;      // (6 * point_count) in a frame that goes along with the points' mean
    double *part_boxes; // (6 * part_count) as a search begins
    double mean[3];     // m: its motion
    double slack;       // m: boxes are wider by it
    bool any_fixed;
    bool fresh;             // all is in `later`
    tide_vicinity vicinity; // of what is not fixed, where anything is
    bool *moved;            // (point_count) in the last round
    uint32_t *found;
    tide_impact_sink *sinks; // (sink_count) see impact_search.c
    uint32_t sink_count;
    tide_impact *impacts, *held, *scratch;
    size_t impact_count, impact_capacity, held_count, held_capacity, scratch_capacity;
    // See known_pairs.c.
    const tide_proximity *proximity; // NULL: no pairs are known
    tide_rest_pairs at_rest;
    bool *listed;                  // (part_count) tide_proximity_lists
    bool *loose;                   // (point_count)
    uint32_t loose_count;          // of near points
    const double *centres, *skins; // of the present call; NULL: no pairs are known
    bool by_pairs;                 // the present rounds test known pairs
    tide_zones *zones;
    bool rigid;                  // zones are
    double *kept[TIDE_HALVINGS]; // (3 * point_count * 2) each; NULL: a motion was never halved so often
    bool failed;                 // out of memory
    bool (*keep_out)(void *context, const bool *moved, double *to);
    void *keep_out_context;
    tide_continuous_report *report;
};

bool tide_continuous_create_features(tide_continuous *c);

// Begins a search: everything is in `later` and counts as moved.
tide_status tide_continuous_begin_search(tide_continuous *c, const double *from, const double *to, tide_error *error);
// A further round: marks features that have moved since the last one, updates their boxes, and clears the marks of
// points. If one leaves the vicinity, the search restarts, and *first becomes true.
tide_status tide_continuous_continue_search(tide_continuous *c, const double *from, const double *to, bool *first,
                                            tide_error *error);
// Tells, in the first round, whether a box of a feature of this part meets the box of any part that it may touch.
bool tide_continuous_meets_part(const tide_continuous *c, uint32_t part, const double box[6]);
static inline const uint32_t *tide_continuous_points(const features *f, const uint32_t *item) // of a feature
{
    return f->points ? f->points + (size_t)f->size * *item : item;
}
// The box of the points of a feature.
static inline void tide_continuous_box(const tide_continuous *c, const features *f, uint32_t item, double box[6])
{
    const uint32_t *points = tide_continuous_points(f, &item);
    memcpy(box, c->boxes + 6 * (size_t)points[0], 6 * sizeof *box);
    for (uint32_t k = 1; k < f->size; k++)
        tide_box_join(box, c->boxes + 6 * (size_t)points[k]);
}
// Finds all features whose boxes overlap `box`; in the first round from the kind's `first`-th on. For several threads,
// as tide_box_tree_query_from, with a finger of each tree.
uint32_t tide_continuous_query(const features *f, tide_box_finger *base, tide_box_finger *later, const double box[6],
                               uint32_t first, uint32_t room, uint32_t *found);

// known_pairs.c
// Decides, as a search begins, whether it tests known pairs. Chooses loose points among the near ones.
bool tide_continuous_begin_pairs(tide_continuous *c, const double *to);
// Chooses the loose points again after a round. Returns false if there are too many: then all is searched for.
bool tide_continuous_continue_pairs(tide_continuous *c, const double *to);
bool tide_continuous_is_loose(const tide_continuous *c, const features *f, uint32_t item);
uint32_t tide_continuous_known_count(const tide_continuous *c, int kind);
// Gives the n-th of the near pairs or rest pairs: its kind and its features i and k. Returns false if it needs no test:
// a feature is loose, neither has moved in the last round (unless `first`), or their boxes do not overlap.
bool tide_continuous_known_pair(const tide_continuous *c, int kind, bool first, uint32_t n, tide_pair_kind *pair_kind,
                                uint32_t *i, uint32_t *k);

// impact_search.c
bool tide_continuous_create_batch(tide_continuous *c, uint32_t most); // features of a kind
bool tide_continuous_is_exhausted(const tide_continuous *c);
// Finds all impacts of features that moved in the last round, each pair once; some of them when work is exhausted.
void tide_continuous_find_impacts(tide_continuous *c, bool first, const double *from, const double *to);

#endif
