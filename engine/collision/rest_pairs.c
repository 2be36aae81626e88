#include "collision/rest_pairs.h"

#include "base/memory.h"
#include "collision/box_tree.h"
#include "collision/proximity_state.h"

enum { MOST_EACH = 32 }; // most pairs of a point or an edge, in the mean of a part

// What lists the pairs of one kind.
typedef struct listing {
    const tide_proximity *proximity;
    const tide_contact_surface *surface;
    void *owner;
    tide_box_tree *tree;
    double *boxes;   // (6 * others) of the features in the tree
    uint32_t *found; // (others)
    tide_rest_pairs *pairs;
} listing;

static void rest_box(const tide_contact_surface *s, const uint32_t *points, int count, double box[6])
{
    for (int k = 0; k < 3; k++)
        box[k] = box[3 + k] = s->rest[3 * (size_t)points[0] + (size_t)k];
    for (int i = 1; i < count; i++) {
        const double *x = s->rest + 3 * (size_t)points[i];
        tide_box_join(box, (double[6]) { x[0], x[1], x[2], x[0], x[1], x[2] });
    }
}

static bool share_point(const uint32_t points[4], int count)
{
    for (int a = 0; a < count; a++)
        for (int b = count; b < 4; b++)
            if (points[a] == points[b])
                return true;
    return false;
}

// Adds the pairs of feature i with features first + found[...] of the tree.
static bool add_found(listing *l, tide_pair_kind kind, uint32_t i, uint32_t first, uint32_t found)
{
    for (uint32_t n = 0; n < found; n++) {
        uint64_t key = (uint64_t)i << 32 | (first + l->found[n]);
        tide_contact_pair pair = tide_proximity_pair_of(l->proximity, kind, i, first + l->found[n]);
        if (share_point(pair.points, kind == TIDE_PAIR_EDGES ? 2 : 1) ||
            !tide_proximity_is_near_at_rest(l->proximity, kind, i, first + l->found[n], pair.points))
            continue;
        if (!tide_grow_owned(l->owner, &l->pairs->keys, &l->pairs->capacity, l->pairs->count + 1, sizeof key))
            return false;
        l->pairs->keys[l->pairs->count++] = key;
    }
    return true;
}

// Lists the pairs of one kind in a part. If there are too many, sets `complete` to false and stops.
static tide_status list_part(listing *l, tide_pair_kind kind, const tide_contact_part *part, tide_error *error)
{
    const tide_contact_surface *s = l->surface;
    bool edges = kind == TIDE_PAIR_EDGES;
    uint32_t first = edges ? part->first_edge : part->first_triangle;
    uint32_t others = edges ? part->edge_count : part->triangle_count;
    uint32_t begin = edges ? part->first_edge : part->first_point;
    uint32_t count = edges ? part->edge_count : part->point_count, before = l->pairs->count;
    double reach = 2 * part->radius * (FOLD_FACTOR > REST_FACTOR ? FOLD_FACTOR : REST_FACTOR), box[6];
    for (uint32_t k = 0; k < others; k++)
        rest_box(s, edges ? s->edges + 2 * (size_t)(first + k) : s->triangles + 3 * (size_t)(first + k), edges ? 2 : 3,
                 l->boxes + 6 * (size_t)k);
    TIDE_TRY(tide_box_tree_fit(l->tree, others, l->boxes, NULL, error));
    for (uint32_t i = begin; i < begin + count && l->pairs->complete; i++) {
        rest_box(s, edges ? s->edges + 2 * (size_t)i : &i, edges ? 2 : 1, box);
        for (int k = 0; k < 3; k++) {
            box[k] -= reach;
            box[3 + k] += reach;
        }
        uint32_t found = tide_box_tree_query(l->tree, box, edges ? i - begin + 1 : 0, l->found);
        if (!add_found(l, kind, i, first, found))
            return tide_fail_memory(error, "contact pairs");
        l->pairs->complete = l->pairs->count - before <= (size_t)MOST_EACH * count;
    }
    return TIDE_OK;
}

static tide_status list_kind(listing *l, tide_pair_kind kind, tide_error *error)
{
    const tide_contact_surface *s = l->surface;
    tide_status status = TIDE_OK;
    for (uint32_t i = 0; i < s->part_count && l->pairs->complete && status == TIDE_OK; i++)
        if (tide_contact_may_touch(s, i, i) && tide_proximity_lists(l->proximity, i))
            status = list_part(l, kind, &s->parts[i], error);
    return status;
}

tide_status tide_rest_pairs_list(const tide_proximity *proximity, const tide_contact_surface *surface, void *owner,
                                 tide_rest_pairs *pairs, tide_error *error)
{
    uint32_t most = surface->triangle_count > surface->edge_count ? surface->triangle_count : surface->edge_count;
    *pairs = (tide_rest_pairs) { .complete = true };
    if (!surface->rest)
        return TIDE_OK;
    TIDE_SCOPED double *boxes = tide_allocate_array(most, 6 * sizeof *boxes);
    TIDE_SCOPED uint32_t *found = tide_allocate_array(most, sizeof *found);
    listing l = {
        .proximity = proximity, .surface = surface, .owner = owner, .boxes = boxes, .found = found, .pairs = pairs
    };
    if (!boxes || !found)
        return tide_fail_memory(error, "contact pairs");
    TIDE_TRY(tide_box_tree_create(boxes, most, &l.tree, error));
    TIDE_TRY(list_kind(&l, TIDE_PAIR_TRIANGLE, error));
    pairs->triangle_count = pairs->count;
    TIDE_TRY(list_kind(&l, TIDE_PAIR_EDGES, error));
    if (!pairs->complete)
        pairs->triangle_count = pairs->count = 0;
    return TIDE_OK;
}
