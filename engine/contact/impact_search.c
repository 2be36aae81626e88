// Finds the impacts of what moved, in parallel.
//
// Features are searched in batches. Each chunk of a batch has a sink of limited room for its impacts and lists; sinks
// are emptied in order, so that results do not depend on the number of threads. A chunk for which its sink is too
// small, or that takes more than its part of the work that is left, is searched again when its turn comes.
#include "contact/continuous_state.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

#define LANDING 1e-3 // of the longest edge: where an impact ends when no part has a radius
#define APART 1e-5   // of the longest edge: the least
enum { GRAIN = 128, MOST_CHUNKS = 64, FOUND_ROOM = 2048, IMPACT_ROOM = 32 };

// What a chunk finds.
struct tide_impact_sink {
    tide_box_finger base, later;
    uint32_t *found, found_room;
    tide_impact *impacts;
    size_t impact_count, impact_room;
    uint64_t candidates, work, most_work; // units; most_work: more are not spent
    bool full;
};

// Which features of which kind are searched, and for what.
typedef struct batch {
    tide_continuous *c;
    const double *from, *to;
    int kind;
    bool first;
    uint32_t begin;
} batch;

bool tide_continuous_create_batch(tide_continuous *c, uint32_t most)
{
    uint32_t chunks = most / GRAIN + 1;
    c->sink_count = chunks < MOST_CHUNKS ? chunks : MOST_CHUNKS;
    c->sinks = tide_own_array(c, c->sink_count, sizeof *c->sinks);
    uint32_t *found = tide_own_array(c, (size_t)FOUND_ROOM * c->sink_count, sizeof *found);
    tide_impact *impacts = tide_own_array(c, (size_t)IMPACT_ROOM * c->sink_count, sizeof *impacts);
    for (uint32_t i = 0; i < c->sink_count && tide_owns_all(c); i++)
        c->sinks[i] = (tide_impact_sink) { .found = found + (size_t)FOUND_ROOM * i,
                                           .found_room = FOUND_ROOM,
                                           .impacts = impacts + (size_t)IMPACT_ROOM * i,
                                           .impact_room = IMPACT_ROOM };
    return tide_owns_all(c);
}

bool tide_continuous_is_exhausted(const tide_continuous *c)
{
    return c->work && c->work->exhausted;
}

// --- tests

static void test_pair(const batch *b, tide_impact_sink *sink, tide_pair_kind kind, uint64_t key,
                      const uint32_t points[4])
{
    const tide_continuous *c = b->c;
    const tide_contact_surface *s = c->surface;
    double from[4][3], to[4][3], mobility = 0;
    for (int k = 0; k < 4; k++) {
        memcpy(from[k], b->from + 3 * (size_t)points[k], sizeof from[k]);
        memcpy(to[k], b->to + 3 * (size_t)points[k], sizeof to[k]);
        mobility += s->inverse_masses[points[k]];
    }
    tide_impact impact = { .kind = kind, .key = key };
    if (!(mobility > 0) || (c->rigid && tide_zones_hold(c->zones, points)))
        return;
    bool meets = tide_impact_find(kind, from, to, &impact);
    sink->work += TIDE_WORK_IMPACT_TEST + 2 * (uint64_t)impact.steps;
    sink->full |= sink->work > sink->most_work || (meets && sink->impact_count == sink->impact_room);
    if (!meets || sink->full)
        return;
    memcpy(impact.points, points, sizeof impact.points);
    // The distance at the start, if that is not more than where contact begins, and no less than rounding can resolve.
    double start = 0, scale = tide_impact_scale(kind, from);
    for (int k = 1; k < 4; k++)
        for (int d = 0; d < 3; d++)
            start += impact.weights[k] * impact.normal[d] * (from[k][d] - from[0][d]);
    double radii = s->parts[s->part_of[points[0]]].radius + s->parts[s->part_of[points[3]]].radius;
    impact.target = fmin(radii > 0 ? radii : LANDING * scale, start);
    impact.target = fmax(impact.target, APART * scale);
    sink->impacts[sink->impact_count++] = impact;
}

static void test_triangle(const batch *b, tide_impact_sink *sink, uint32_t point, uint32_t triangle)
{
    const tide_continuous *c = b->c;
    const uint32_t *corners = c->surface->triangles + 3 * (size_t)triangle;
    if (corners[0] == point || corners[1] == point || corners[2] == point ||
        !tide_contact_may_touch(c->surface, c->of[POINTS].parts[point], c->of[TRIANGLES].parts[triangle]))
        return;
    uint32_t points[4] = { point, corners[0], corners[1], corners[2] };
    if (tide_contact_any_joined(c->surface, points, 1) || tide_contact_any_tangled(c->surface, points, 1))
        return;
    test_pair(b, sink, TIDE_PAIR_TRIANGLE, (uint64_t)point << 32 | triangle, points);
}

static void test_edges(const batch *b, tide_impact_sink *sink, uint32_t i, uint32_t k)
{
    const tide_continuous *c = b->c;
    const tide_contact_surface *s = c->surface;
    if (k < i) {
        uint32_t swap = i;
        i = k;
        k = swap;
    }
    const uint32_t *own = s->edges + 2 * (size_t)i, *other = s->edges + 2 * (size_t)k;
    uint32_t part = c->of[EDGES].parts[i], other_part = c->of[EDGES].parts[k];
    bool lines = s->parts[part].triangle_count == 0 && s->parts[other_part].triangle_count == 0;
    if (lines || own[0] == other[0] || own[0] == other[1] || own[1] == other[0] || own[1] == other[1] ||
        !tide_contact_may_touch(s, part, other_part))
        return;
    uint32_t points[4] = { own[0], own[1], other[0], other[1] };
    if (tide_contact_any_joined(s, points, 2) || tide_contact_any_tangled(s, points, 2))
        return;
    test_pair(b, sink, TIDE_PAIR_EDGES, (uint64_t)i << 32 | k, points);
}

// --- features

// The features whose boxes overlap `box`, as tide_continuous_query; none when the sink is full.
static uint32_t query(const batch *b, tide_impact_sink *sink, int kind, const double box[6], uint32_t first)
{
    const features *f = &b->c->of[kind];
    uint32_t count = tide_continuous_query(f, &sink->base, &sink->later, box, first, sink->found_room, sink->found);
    sink->full |= count == TIDE_BOX_TREE_FULL;
    if (sink->full)
        return 0;
    sink->candidates += count;
    sink->work += count;
    return count;
}

static void search_point(const batch *b, tide_impact_sink *sink, uint32_t n)
{
    const features *points = &b->c->of[POINTS];
    uint32_t point = points->later_items[n];
    const double *box = b->c->boxes + 6 * (size_t)point;
    if (b->first ? !tide_continuous_meets_part(b->c, points->parts[point], box) : !points->now[point])
        return;
    uint32_t count = query(b, sink, TRIANGLES, box, 0);
    for (uint32_t i = 0; i < count && !sink->full; i++)
        test_triangle(b, sink, point, sink->found[i]);
}

static void search_triangle(const batch *b, tide_impact_sink *sink, uint32_t n)
{
    const features *points = &b->c->of[POINTS], *triangles = &b->c->of[TRIANGLES];
    uint32_t triangle = triangles->later_items[n];
    double box[6];
    if (!triangles->now[triangle])
        return;
    tide_continuous_box(b->c, triangles, triangle, box);
    uint32_t count = query(b, sink, POINTS, box, 0);
    for (uint32_t i = 0; i < count && !sink->full; i++)
        if (!points->now[sink->found[i]])
            test_triangle(b, sink, sink->found[i], triangle);
}

static void search_edge(const batch *b, tide_impact_sink *sink, uint32_t n)
{
    const features *edges = &b->c->of[EDGES];
    uint32_t edge = edges->later_items[n], part = edges->parts[edge];
    double box[6];
    if (b->first ? !tide_contact_touches_from(b->c->surface, part, part) : !edges->now[edge])
        return;
    tide_continuous_box(b->c, edges, edge, box);
    if (b->first && !tide_continuous_meets_part(b->c, part, box))
        return;
    uint32_t count = query(b, sink, EDGES, box, b->first ? n + 1 : 0);
    for (uint32_t i = 0; i < count && !sink->full; i++)
        if (b->first || !edges->now[sink->found[i]] || sink->found[i] > edge)
            test_edges(b, sink, edge, sink->found[i]);
}

// --- known pairs, and the features that meet loose ones

static void search_loose_triangles(const batch *b, tide_impact_sink *sink, uint32_t n)
{
    const features *points = &b->c->of[POINTS], *triangles = &b->c->of[TRIANGLES];
    uint32_t point = points->near[n];
    uint32_t count = query(b, sink, TRIANGLES, b->c->boxes + 6 * (size_t)point, 0);
    for (uint32_t i = 0; i < count && !sink->full; i++)
        if (b->first || points->now[point] || triangles->now[sink->found[i]])
            test_triangle(b, sink, point, sink->found[i]);
}

static void search_loose_points(const batch *b, tide_impact_sink *sink, uint32_t n)
{
    const features *points = &b->c->of[POINTS], *triangles = &b->c->of[TRIANGLES];
    uint32_t triangle = triangles->near[n];
    double box[6];
    if (tide_continuous_is_loose(b->c, triangles, triangle))
        return; // all points search for it
    tide_continuous_box(b->c, triangles, triangle, box);
    uint32_t count = query(b, sink, POINTS, box, 0);
    for (uint32_t i = 0; i < count && !sink->full; i++)
        if (b->first || points->now[sink->found[i]] || triangles->now[triangle])
            test_triangle(b, sink, sink->found[i], triangle);
}

static void search_loose_edges(const batch *b, tide_impact_sink *sink, uint32_t n)
{
    const features *edges = &b->c->of[EDGES];
    uint32_t edge = edges->near[n];
    double box[6];
    bool loose = tide_continuous_is_loose(b->c, edges, edge);
    tide_continuous_box(b->c, edges, edge, box);
    uint32_t count = query(b, sink, EDGES, box, 0);
    for (uint32_t i = 0; i < count && !sink->full; i++)
        if ((!loose || sink->found[i] > edge) && (b->first || edges->now[edge] || edges->now[sink->found[i]]))
            test_edges(b, sink, edge, sink->found[i]);
}

static void test_known(const batch *b, tide_impact_sink *sink, uint32_t n)
{
    tide_pair_kind kind;
    uint32_t i, k;
    sink->work++;
    if (!tide_continuous_known_pair(b->c, b->kind, b->first, n, &kind, &i, &k))
        return;
    sink->candidates++;
    if (kind == TIDE_PAIR_TRIANGLE)
        test_triangle(b, sink, i, k);
    else
        test_edges(b, sink, i, k);
}

// Searches the features numbered from the begin of the batch.
static void search(const batch *b, tide_impact_sink *sink, uint32_t begin, uint32_t end)
{
    static void (*const all[FEATURES])(const batch *, tide_impact_sink *, uint32_t) = {
        [POINTS] = search_point, [TRIANGLES] = search_triangle, [EDGES] = search_edge
    };
    static void (*const known[SEARCHED])(const batch *, tide_impact_sink *,
                                         uint32_t) = { [POINTS] = search_loose_triangles,
                                                       [TRIANGLES] = search_loose_points,
                                                       [EDGES] = search_loose_edges,
                                                       [NEAR_PAIRS] = test_known,
                                                       [REST_PAIRS] = test_known };
    void (*const each)(const batch *, tide_impact_sink *, uint32_t) = b->c->by_pairs ? known[b->kind] : all[b->kind];
    sink->base.known = sink->later.known = sink->full = false;
    sink->impact_count = 0;
    sink->candidates = sink->work = 0;
    for (uint32_t i = begin; i < end && !sink->full; i++)
        each(b, sink, b->begin + i);
}

static void search_chunk(void *context, uint32_t begin, uint32_t end)
{
    const batch *b = context;
    tide_impact_sink *sink = &b->c->sinks[begin / GRAIN];
    sink->most_work = b->c->work ? b->c->work->left / MOST_CHUNKS : UINT64_MAX;
    search(b, sink, begin, end);
}

// Searches a chunk again with all the room that it needs, as far as work is left.
static void search_again(const batch *b, tide_impact_sink *sink, uint32_t begin, uint32_t end)
{
    tide_continuous *c = b->c;
    uint64_t left = c->work ? c->work->left : UINT64_MAX;
    *sink = (tide_impact_sink) { .found = c->found, .found_room = UINT32_MAX, .most_work = left, .full = true };
    for (size_t room = IMPACT_ROOM; sink->full && sink->work <= left && !c->failed; room *= 2) {
        c->failed = !tide_grow_owned(c, &c->scratch, &c->scratch_capacity, room, sizeof *c->scratch);
        sink->impacts = c->scratch;
        sink->impact_room = c->scratch_capacity;
        if (!c->failed)
            search(b, sink, begin, end);
    }
}

// Adds what a chunk has found.
static void empty(tide_continuous *c, const tide_impact_sink *sink)
{
    size_t count = c->impact_count + sink->impact_count;
    c->report->candidates += sink->candidates;
    if (!tide_contact_work_spend(c->work, sink->work) || !sink->impact_count)
        return;
    if (!tide_grow_owned(c, &c->impacts, &c->impact_capacity, count, sizeof *c->impacts)) {
        c->failed = true;
        return;
    }
    memcpy(c->impacts + c->impact_count, sink->impacts, sink->impact_count * sizeof *sink->impacts);
    c->impact_count = count;
}

static void search_all(batch *b, uint32_t count)
{
    tide_continuous *c = b->c;
    uint32_t most = GRAIN * c->sink_count;
    for (b->begin = 0; b->begin < count && !tide_continuous_is_exhausted(c) && !c->failed; b->begin += most) {
        uint32_t size = count - b->begin < most ? count - b->begin : most;
        if (c->rigid) // zones are not for several threads
            for (uint32_t i = 0; i < size; i += GRAIN)
                search_chunk(b, i, size - i < GRAIN ? size : i + GRAIN);
        else
            tide_parallel_for(size, GRAIN, search_chunk, b);
        for (uint32_t i = 0; i < size && !tide_continuous_is_exhausted(c) && !c->failed; i += GRAIN) {
            tide_impact_sink *sink = &c->sinks[i / GRAIN], again;
            if (sink->full)
                search_again(b, sink = &again, i, size - i < GRAIN ? size : i + GRAIN);
            if (!c->failed)
                empty(c, sink);
        }
    }
}

static void find_by_pairs(batch *b)
{
    tide_continuous *c = b->c;
    for (b->kind = POINTS; b->kind < FEATURES && c->loose_count > 0; b->kind++)
        search_all(b, c->of[b->kind].near_count);
    for (b->kind = NEAR_PAIRS; b->kind < SEARCHED; b->kind++)
        search_all(b, tide_continuous_known_count(c, b->kind));
}

void tide_continuous_find_impacts(tide_continuous *c, bool first, const double *from, const double *to)
{
    batch b = { .c = c, .from = from, .to = to, .first = first };
    if (c->of[TRIANGLES].all_count == 0)
        return;
    if (c->by_pairs) {
        find_by_pairs(&b);
        return;
    }
    for (b.kind = POINTS; b.kind < FEATURES; b.kind++)
        if (b.kind != TRIANGLES || !first)
            search_all(&b, c->of[b.kind].later_count);
}
