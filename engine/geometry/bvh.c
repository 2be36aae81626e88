#include "geometry/bvh.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

// Below MEDIAN_DEPTH levels, items are split at the median, so that STACK is enough for 2^32 triangles.
enum { LEAF = 1, BINS = 16, MEDIAN_DEPTH = 60, STACK = 128 };

typedef struct box {
    double lower[3], upper[3];
} box;

static const box nothing = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };

static void grow(box *b, const double *lower, const double *upper)
{
    for (int k = 0; k < 3; k++) {
        b->lower[k] = lower[k] < b->lower[k] ? lower[k] : b->lower[k];
        b->upper[k] = upper[k] > b->upper[k] ? upper[k] : b->upper[k];
    }
}

static double half_area(const box *b)
{
    double x = b->upper[0] - b->lower[0], y = b->upper[1] - b->lower[1], z = b->upper[2] - b->lower[2];
    return x < 0 ? 0 : x * y + y * z + z * x;
}

static box box_of(const tide_bvh *bvh, uint32_t place)
{
    box b = nothing;
    for (int k = 0; k < 3; k++) {
        size_t vertex = 3 * (size_t)bvh->corners[3 * (size_t)place + (size_t)k];
        grow(&b, bvh->from + vertex, bvh->from + vertex);
        if (bvh->to != bvh->from)
            grow(&b, bvh->to + vertex, bvh->to + vertex);
    }
    for (int k = 0; k < 3; k++) {
        b.lower[k] -= bvh->margin;
        b.upper[k] += bvh->margin;
    }
    return b;
}

// --- building

typedef struct item {
    box bounds;
    double centre[3];
    uint32_t triangle;
} item;

typedef struct bin {
    box bounds;
    uint32_t count;
} bin;

static uint32_t bin_of(const item *i, int axis, double lower, double scale)
{
    double place = (i->centre[axis] - lower) * scale;
    return place < BINS - 1 ? (uint32_t)place : BINS - 1;
}

// Finds the last bin of the first half along the axis, and the cost of that split.
static int best_split(const bin bins[BINS], double *cost)
{
    double behind[BINS];
    box b = nothing;
    uint32_t count = 0;
    for (int i = BINS - 1; i > 0; i--) {
        grow(&b, bins[i].bounds.lower, bins[i].bounds.upper);
        count += bins[i].count;
        behind[i] = count ? count * half_area(&b) : INFINITY;
    }
    int best = -1;
    b = nothing;
    count = 0;
    for (int i = 0; i < BINS - 1; i++) {
        grow(&b, bins[i].bounds.lower, bins[i].bounds.upper);
        count += bins[i].count;
        double total = count ? count * half_area(&b) + behind[i + 1] : INFINITY;
        if (total < *cost) {
            *cost = total;
            best = i;
        }
    }
    return best;
}

// Partitions [0, count). Returns the length of the first part, or 0 if the items cannot be told apart.
static uint32_t partition(item *items, uint32_t count)
{
    box centres = nothing;
    for (uint32_t i = 0; i < count; i++)
        grow(&centres, items[i].centre, items[i].centre);
    double cost = INFINITY;
    int axis = -1, split = 0;
    for (int k = 0; k < 3; k++) {
        double scale = BINS / (centres.upper[k] - centres.lower[k]);
        if (!(scale > 0 && isfinite(scale)))
            continue;
        bin bins[BINS];
        for (int i = 0; i < BINS; i++)
            bins[i] = (bin) { nothing, 0 };
        for (uint32_t i = 0; i < count; i++) {
            bin *b = &bins[bin_of(&items[i], k, centres.lower[k], scale)];
            grow(&b->bounds, items[i].bounds.lower, items[i].bounds.upper);
            b->count++;
        }
        int best = best_split(bins, &cost);
        if (best >= 0) {
            axis = k;
            split = best;
        }
    }
    if (axis < 0)
        return 0;
    double scale = BINS / (centres.upper[axis] - centres.lower[axis]);
    uint32_t first = 0;
    for (uint32_t i = 0; i < count; i++)
        if (bin_of(&items[i], axis, centres.lower[axis], scale) <= (uint32_t)split) {
            item swapped = items[i];
            items[i] = items[first];
            items[first++] = swapped;
        }
    return first;
}

// Builds the nodes of `count` items that begin at `begin`, depth first. Recursion is at most MEDIAN_DEPTH + 32 deep.
static void build(tide_bvh *bvh, item *items, uint32_t begin, uint32_t count, int depth)
{
    tide_bvh_node *node = &bvh->nodes[bvh->node_count++];
    if (count <= LEAF) {
        node->first = begin;
        node->count = count;
        return;
    }
    uint32_t half = depth < MEDIAN_DEPTH ? partition(items + begin, count) : 0;
    if (half == 0 || half == count)
        half = count / 2;
    node->count = 0;
    build(bvh, items, begin, half, depth + 1);
    node->first = bvh->node_count;
    build(bvh, items, begin + half, count - half, depth + 1);
}

static void set_items(const tide_bvh *bvh, item *items)
{
    for (uint32_t i = 0; i < bvh->triangle_count; i++) {
        items[i].bounds = box_of(bvh, i);
        items[i].triangle = i;
        for (int k = 0; k < 3; k++)
            items[i].centre[k] = 0.5 * items[i].bounds.lower[k] + 0.5 * items[i].bounds.upper[k];
    }
}

tide_status tide_bvh_create(const double *vertices, const uint32_t *triangles, uint32_t triangle_count, tide_bvh *bvh,
                            tide_error *error)
{
    if (triangle_count == 0 || triangle_count > UINT32_MAX / 2)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "bounding volume hierarchy", "triangles", NULL,
                         "%u triangles; expected 1 to %u", triangle_count, UINT32_MAX / 2);
    tide_bvh made = { .triangle_count = triangle_count, .from = vertices, .to = vertices };
    made.nodes = tide_allocate_array(2 * (size_t)triangle_count, sizeof *made.nodes);
    made.order = tide_allocate_array(triangle_count, sizeof *made.order);
    made.corners = tide_allocate_array(triangle_count, 3 * sizeof *made.corners);
    TIDE_SCOPED item *items = tide_allocate_array(triangle_count, sizeof *items);
    if (!made.nodes || !made.order || !made.corners || !items) {
        tide_bvh_destroy(&made);
        return tide_fail_memory(error, "bounding volume hierarchy");
    }
    memcpy(made.corners, triangles, 3 * (size_t)triangle_count * sizeof *made.corners);
    set_items(&made, items);
    build(&made, items, 0, triangle_count, 0);
    for (uint32_t i = 0; i < triangle_count; i++) {
        made.order[i] = items[i].triangle;
        memcpy(made.corners + 3 * (size_t)i, triangles + 3 * (size_t)items[i].triangle, 3 * sizeof *triangles);
    }
    tide_bvh_refit(&made, vertices, NULL, 0);
    *bvh = made;
    return TIDE_OK;
}

void tide_bvh_destroy(tide_bvh *bvh)
{
    tide_free(bvh->nodes);
    tide_free(bvh->order);
    tide_free(bvh->corners);
    *bvh = (tide_bvh) { 0 };
}

void tide_bvh_refit(tide_bvh *bvh, const double *from, const double *to, double margin)
{
    bvh->from = from;
    bvh->to = to ? to : from;
    bvh->margin = margin;
    for (uint32_t i = bvh->node_count; i-- > 0;) { // children come after their parents
        tide_bvh_node *node = &bvh->nodes[i];
        box b = nothing;
        for (uint32_t k = 0; k < node->count; k++) {
            box one = box_of(bvh, node->first + k);
            grow(&b, one.lower, one.upper);
        }
        if (node->count == 0) {
            grow(&b, node[1].lower, node[1].upper);
            grow(&b, bvh->nodes[node->first].lower, bvh->nodes[node->first].upper);
        }
        memcpy(node->lower, b.lower, sizeof b.lower);
        memcpy(node->upper, b.upper, sizeof b.upper);
    }
}

// --- closest point

static double squared_to_box(const tide_bvh_node *node, const double p[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double below = node->lower[k] - p[k], above = p[k] - node->upper[k];
        double d = below > above ? below : above;
        sum += d > 0 ? d * d : 0;
    }
    return sum * (1 - 4e-16 * 4); // never above the rounded distance of a triangle in the box
}

// Tells whether the point of triangle `place` is nearer than the best one, or as near and on a triangle of lower index.
static bool is_nearer(const tide_bvh *bvh, uint32_t place, const tide_bvh_point *point, bool found, double squared,
                      uint32_t triangle)
{
    return point->squared < squared || (found && point->squared == squared && bvh->order[place] < triangle);
}

// The best so far.
typedef struct closest_search {
    const tide_bvh *bvh;
    const double *p;
    tide_bvh_point *closest;
    double best; // m^2
    uint32_t place;
    bool found;
} closest_search;

static void try_triangle(closest_search *s, uint32_t place)
{
    const tide_bvh *bvh = s->bvh;
    const uint32_t *corner = bvh->corners + 3 * (size_t)place;
    tide_bvh_point point;
    tide_bvh_closest_on_triangle(bvh->from + 3 * (size_t)corner[0], bvh->from + 3 * (size_t)corner[1],
                                 bvh->from + 3 * (size_t)corner[2], s->p, &point);
    if (!is_nearer(bvh, place, &point, s->found, s->best, s->closest->triangle))
        return;
    *s->closest = point;
    s->closest->triangle = bvh->order[place];
    s->best = point.squared;
    s->place = place;
    s->found = true;
}

static void search_closest(closest_search *s)
{
    struct {
        uint32_t node;
        double squared;
    } stack[STACK];
    const tide_bvh *bvh = s->bvh;
    uint32_t height = 0;
    stack[height].node = 0;
    stack[height++].squared = squared_to_box(&bvh->nodes[0], s->p);
    while (height > 0) {
        height--;
        if (stack[height].squared > s->best)
            continue;
        uint32_t at = stack[height].node;
        const tide_bvh_node *node = &bvh->nodes[at];
        for (uint32_t place = node->first; place < node->first + node->count; place++)
            try_triangle(s, place);
        if (node->count > 0)
            continue;
        uint32_t near = at + 1, far = node->first;
        double to_near = squared_to_box(&bvh->nodes[near], s->p), to_far = squared_to_box(&bvh->nodes[far], s->p);
        if (to_far < to_near) {
            uint32_t other = near;
            double to_other = to_near;
            near = far;
            to_near = to_far;
            far = other;
            to_far = to_other;
        }
        stack[height].node = far;
        stack[height].squared = to_far;
        height += to_far <= s->best;
        stack[height].node = near;
        stack[height].squared = to_near;
        height += to_near <= s->best;
    }
}

bool tide_bvh_closest(const tide_bvh *bvh, const double p[3], double radius, tide_bvh_point *closest)
{
    closest_search s = { .bvh = bvh, .p = p, .closest = closest, .best = radius * radius };
    search_closest(&s);
    return s.found;
}

uint32_t tide_bvh_closest_from(const tide_bvh *bvh, const double p[3], uint32_t place, tide_bvh_point *closest)
{
    closest_search s = { .bvh = bvh, .p = p, .closest = closest, .best = INFINITY };
    if (place < bvh->triangle_count)
        try_triangle(&s, place);
    search_closest(&s);
    return s.place;
}

// --- boxes

void tide_bvh_overlaps(const tide_bvh *bvh, const double lower[3], const double upper[3],
                       bool (*visit)(void *context, uint32_t triangle), void *context)
{
    uint32_t stack[STACK], height = 0;
    stack[height++] = 0;
    while (height > 0) {
        uint32_t at = stack[--height];
        const tide_bvh_node *node = &bvh->nodes[at];
        bool apart = false;
        for (int k = 0; k < 3; k++)
            apart |= node->upper[k] < lower[k] || node->lower[k] > upper[k];
        if (apart)
            continue;
        for (uint32_t place = node->first; place < node->first + node->count; place++) {
            box b = box_of(bvh, place);
            bool outside = false;
            for (int k = 0; k < 3; k++)
                outside |= b.upper[k] < lower[k] || b.lower[k] > upper[k];
            if (!outside && !visit(context, bvh->order[place]))
                return;
        }
        if (node->count == 0) {
            stack[height++] = node->first;
            stack[height++] = at + 1;
        }
    }
}
