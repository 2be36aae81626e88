// Which side of a contour is wrong (global intersection analysis; Baraff, Witkin and Kass 2003).
#include "contact/tangle_state.h"

#include "base/memory.h"
#include "base/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- regions of one part, cut along its contours with another -------------------------------------------------------

#define ALIKE 0.5 // length of the mean of unit normals from which they have a direction
#define FLAT 1e-3 // length of the difference of unit normals below which they are one
enum { UNKNOWN, RIGHT, WRONG, LISTED, ROOTED };
enum { MOST_PASSES = 1000 }; // over all crossings; regions left then stay unknown

static bool is_of(const tide_tangle_crossing *c, uint32_t part, uint32_t other)
{
    return c->parts[0] == part && c->parts[1] == other;
}

// An edge that goes through the other part and back again has both ends on one side.
static void mark_cuts(tide_tangle *t, uint32_t part, uint32_t other, bool cut)
{
    for (size_t i = 0; i < t->count; i++) {
        bool *mark = &t->cut[t->items[i].edge];
        if (is_of(&t->items[i], part, other))
            *mark = cut && !*mark;
    }
}

// Unites the points of a part that edges join which go through nothing of the other part.
static void find_regions(tide_tangle *t, uint32_t part, uint32_t other)
{
    const tide_contact_surface *s = t->surface;
    const tide_contact_part *p = &s->parts[part];
    mark_cuts(t, part, other, true);
    for (uint32_t i = p->first_point; i < p->first_point + p->point_count; i++) {
        t->roots[i] = i;
        t->sizes[i] = 0;
        memset(t->sums + 3 * (size_t)i, 0, 3 * sizeof *t->sums);
        t->side[i] = UNKNOWN;
    }
    for (uint32_t e = p->first_edge; e < p->first_edge + p->edge_count; e++)
        if (!t->cut[e])
            tide_disjoint_set_join(t->roots, s->edges[2 * (size_t)e], s->edges[2 * (size_t)e + 1]);
    for (uint32_t i = p->first_point; i < p->first_point + p->point_count; i++)
        t->sizes[tide_disjoint_set_root(t->roots, i)]++;
    mark_cuts(t, part, other, false);
}

static uint32_t region_of(tide_tangle *t, const tide_tangle_crossing *c, int end)
{
    return tide_disjoint_set_root(t->roots, t->surface->edges[2 * (size_t)c->edge + (size_t)end]);
}

// Sides alternate across contours. Returns whether that has told any side.
static bool spread_sides(tide_tangle *t, uint32_t part, uint32_t other)
{
    bool told = false;
    for (size_t i = 0; i < t->count; i++) {
        if (!is_of(&t->items[i], part, other))
            continue;
        uint32_t a = region_of(t, &t->items[i], 0), b = region_of(t, &t->items[i], 1);
        for (int turn = 0; turn < 2 && a != b; turn++) {
            uint32_t from = turn ? b : a, to = turn ? a : b;
            if (t->side[from] == UNKNOWN || t->side[to] != UNKNOWN)
                continue;
            t->side[to] = t->side[from] == RIGHT ? WRONG : RIGHT;
            told = true;
        }
    }
    return told;
}

// Returns the largest region at a contour whose side is unknown, TIDE_TANGLE_NONE without one.
static uint32_t largest_unknown(tide_tangle *t, uint32_t part, uint32_t other)
{
    uint32_t largest = TIDE_TANGLE_NONE;
    for (size_t i = 0; i < t->count; i++) {
        if (!is_of(&t->items[i], part, other) || region_of(t, &t->items[i], 0) == region_of(t, &t->items[i], 1))
            continue;
        for (int end = 0; end < 2; end++) {
            uint32_t region = region_of(t, &t->items[i], end);
            if (t->side[region] == UNKNOWN && (largest == TIDE_TANGLE_NONE || t->sizes[region] > t->sizes[largest] ||
                                               (t->sizes[region] == t->sizes[largest] && region < largest)))
                largest = region;
        }
    }
    return largest;
}

// What is on the wrong side of one part.
typedef struct wrong_side {
    uint32_t points;
    bool alike; // its regions can go back in one direction each
} wrong_side;

// Marks the crossings of wrong regions of a strand with a held point: its root is meant to be inside.
static void find_rooted(tide_tangle *t, uint32_t part, uint32_t other)
{
    const tide_contact_surface *s = t->surface;
    const tide_contact_part *p = &s->parts[part];
    if (p->triangle_count > 0)
        return;
    for (uint32_t i = p->first_point; i < p->first_point + p->point_count; i++) {
        uint32_t root = tide_disjoint_set_root(t->roots, i);
        if (!(s->inverse_masses[i] > 0) && t->side[root] == WRONG)
            t->side[root] = ROOTED;
    }
    for (size_t i = 0; i < t->count; i++) {
        tide_tangle_crossing *c = &t->items[i];
        if (!is_of(c, part, other) || c->wrong == TIDE_WRONG_UNKNOWN || t->side[c->region] != ROOTED)
            continue;
        c->rooted = true;
        c->wrong = TIDE_WRONG_UNKNOWN;
    }
}

static wrong_side measure_wrong(tide_tangle *t, uint32_t part, double crossings)
{
    const tide_contact_part *p = &t->surface->parts[part];
    wrong_side side = { 0 };
    double length = 0;
    for (uint32_t i = p->first_point; i < p->first_point + p->point_count; i++) {
        if (t->roots[i] != i || t->side[i] != WRONG)
            continue;
        side.points += t->sizes[i];
        length += tide_vec3_length(tide_vec3_load(t->sums + 3 * (size_t)i));
    }
    side.alike = length > ALIKE * crossings;
    return side;
}

// Decides the wrong ends of the edges of a part that go through another one. The largest region is right.
static wrong_side decide_ends(tide_tangle *t, uint32_t part, uint32_t other)
{
    uint32_t region;
    double crossings = 0;
    find_regions(t, part, other);
    for (int pass = 0; pass < MOST_PASSES && (region = largest_unknown(t, part, other)) != TIDE_TANGLE_NONE; pass++) {
        t->side[region] = RIGHT;
        while (pass < MOST_PASSES && spread_sides(t, part, other))
            pass++;
    }
    for (size_t i = 0; i < t->count; i++) {
        tide_tangle_crossing *c = &t->items[i];
        if (!is_of(c, part, other))
            continue;
        uint32_t ends[2] = { region_of(t, c, 0), region_of(t, c, 1) };
        if (ends[0] == ends[1] || t->side[ends[0]] == t->side[ends[1]])
            continue;
        c->wrong = t->side[ends[0]] == WRONG ? TIDE_WRONG_FIRST : TIDE_WRONG_SECOND;
        c->region = ends[c->wrong];
        crossings++;
        for (size_t k = 0; k < 3; k++)
            t->sums[3 * (size_t)c->region + k] += (c->wrong == TIDE_WRONG_FIRST ? 1 : -1) * c->normal[k];
    }
    find_rooted(t, part, other);
    return measure_wrong(t, part, crossings);
}

// --- what is pulled -------------------------------------------------------------------------------------------------

static void tangle_point(tide_tangle *t, uint32_t point, uint32_t part)
{
    uint32_t *mark = &t->tangled[point];
    *mark = *mark == 0 || *mark == part + 1 ? part + 1 : (uint32_t)TIDE_TANGLED_ALL;
}

// Gives every wrong region at a chosen crossing an index, which replaces its size.
static void list_regions(tide_tangle *t, uint32_t part, uint32_t other)
{
    for (size_t i = 0; i < t->count; i++) {
        tide_tangle_crossing *c = &t->items[i];
        if (!is_of(c, part, other) || c->wrong == TIDE_WRONG_UNKNOWN)
            continue;
        uint32_t *index = &t->sizes[c->region];
        c->chosen = true;
        if (t->side[c->region] == WRONG) {
            if (!tide_grow_owned(t, &t->regions, &t->region_capacity, t->region_count + 1, sizeof *t->regions)) {
                t->failed = true;
                return;
            }
            t->side[c->region] = LISTED;
            *index = (uint32_t)t->region_count++;
            t->regions[*index] = (tide_tangle_region) { .parts = { part, other } };
        }
        c->region = *index;
        tide_tangle_region *region = &t->regions[*index];
        region->count++;
        region->leaves = region->leaves || c->leaves;
        for (int k = 0; k < 3; k++)
            region->normal[k] += (c->wrong == TIDE_WRONG_FIRST ? 1 : -1) * c->normal[k];
    }
}

// Chooses the crossings of edges of `part` with decided ends, and marks the points of wrong regions. The regions are
// those of the last decide_ends.
static void choose(tide_tangle *t, uint32_t part, uint32_t other)
{
    const tide_contact_part *p = &t->surface->parts[part];
    list_regions(t, part, other);
    for (uint32_t i = p->first_point; i < p->first_point + p->point_count; i++) {
        uint32_t root = tide_disjoint_set_root(t->roots, i);
        if (t->side[root] != LISTED)
            continue;
        tangle_point(t, i, other);
        t->pull_of[i] = t->sizes[root];
    }
}

// Makes the normals of regions unit vectors.
static void finish_regions(tide_tangle *t)
{
    for (size_t i = 0; i < t->region_count; i++) {
        tide_tangle_region *region = &t->regions[i];
        tide_vec3 sum = tide_vec3_load(region->normal);
        double length = tide_vec3_length(sum);
        tide_vec3_store(region->normal, tide_vec3_scale(sum, length > ALIKE * region->count ? 1 / length : 0));
    }
}

// Of two parts that cross, pulls back the one that can go in one direction, or else the one with fewer points on the
// wrong side.
static void decide_pair(tide_tangle *t, uint32_t a, uint32_t b)
{
    wrong_side of_a = decide_ends(t, a, b), of_b = { 0 };
    if (a != b)
        of_b = decide_ends(t, b, a);
    bool second = of_a.alike != of_b.alike ? of_b.alike : of_b.points < of_a.points;
    if (of_b.points && (!of_a.points || second))
        choose(t, b, a);
    else if (of_a.points) {
        if (a != b)
            decide_ends(t, a, b);
        choose(t, a, b);
    }
}

static int compare_segments(const void *a, const void *b)
{
    const tide_tangle_segment *first = a, *second = b;
    if (first->triangles != second->triangles)
        return first->triangles < second->triangles ? -1 : 1;
    return first->crossing < second->crossing ? -1 : first->crossing > second->crossing;
}

// Unites the crossings of a contour. It is made of segments, each where two triangles cross, with crossings at its
// ends.
static bool find_contours(tide_tangle *t)
{
    size_t count = 0;
    if (!tide_grow_owned(t, &t->segments, &t->segment_capacity, 2 * t->count, sizeof *t->segments) ||
        !tide_grow_owned(t, &t->contours, &t->contour_capacity, t->count, sizeof *t->contours))
        return false;
    for (uint32_t i = 0; i < t->count; i++) {
        t->contours[i] = i;
        for (int k = 0; k < 2; k++) {
            uint64_t a = t->edge_triangles[2 * (size_t)t->items[i].edge + (size_t)k], b = t->items[i].triangle;
            if (a != TIDE_TANGLE_NONE)
                t->segments[count++] = (tide_tangle_segment) { a < b ? a << 32 | b : b << 32 | a, i };
        }
    }
    if (count)
        qsort(t->segments, count, sizeof *t->segments, compare_segments);
    for (size_t i = 1; i < count; i++)
        if (t->segments[i].triangles == t->segments[i - 1].triangles)
            tide_disjoint_set_join(t->contours, t->segments[i].crossing, t->segments[i - 1].crossing);
    return true;
}

static void tangle_triangle(tide_tangle *t, uint32_t triangle, uint32_t part)
{
    for (size_t k = 0; k < 3 && triangle != TIDE_TANGLE_NONE; k++)
        tangle_point(t, t->surface->triangles[3 * (size_t)triangle + k], part);
}

static void drop_rooted(tide_tangle *t)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->count; i++)
        if (!t->items[i].rooted)
            t->items[kept++] = t->items[i];
    t->count = kept;
}

// --- chords ---------------------------------------------------------------------------------------------------------

// The next crossing of the same edge with the same part, in order along the edge; NULL: none.
static tide_tangle_crossing *next_along(tide_tangle *t, size_t i)
{
    const tide_tangle_crossing *c = &t->items[i];
    tide_tangle_crossing *next = NULL;
    size_t first = i;
    while (first > 0 && t->items[first - 1].edge == c->edge)
        first--;
    for (size_t k = first; k < t->count && t->items[k].edge == c->edge; k++) {
        tide_tangle_crossing *other = &t->items[k];
        bool after = other->at > c->at || (other->at == c->at && k > i);
        if (k != i && other->parts[1] == c->parts[1] && after && (!next || other->at < next->at))
            next = other;
    }
    return next;
}

// Sets the way of the edge of a collider that goes through a triangle of a body: the triangle moves out, along the sum
// of the normals at the edge.
static void find_way_off(tide_tangle *t, tide_tangle_crossing *c)
{
    const tide_contact_surface *s = t->surface;
    tide_vec3 sum = { 0 };
    for (size_t k = 0; k < 2; k++) {
        uint32_t triangle = t->edge_triangles[2 * (size_t)c->edge + k];
        if (triangle == TIDE_TANGLE_NONE)
            continue;
        const uint32_t *v = s->triangles + 3 * (size_t)triangle;
        tide_vec3 a = tide_vec3_load(t->x + 3 * (size_t)v[0]), b = tide_vec3_load(t->x + 3 * (size_t)v[1]),
                  d = tide_vec3_load(t->x + 3 * (size_t)v[2]);
        sum = tide_vec3_add(sum,
                            tide_vec3_normalize(tide_vec3_cross(tide_vec3_subtract(b, a), tide_vec3_subtract(d, a))));
    }
    double length = tide_vec3_length(sum);
    if (!(length > FLAT) || !isfinite(length))
        return;
    tide_vec3_store(c->out, tide_vec3_scale(sum, -1 / length));
    c->chord = true;
}

// An edge that goes into a part and out again, as round the rim of a box, has its ends on one side. The chord between
// is moved out across the rim.
static void find_chords(tide_tangle *t)
{
    for (size_t i = 0; i < t->count; i++) {
        tide_tangle_crossing *in = &t->items[i], *out = in->wrong == TIDE_WRONG_UNKNOWN ? next_along(t, i) : NULL;
        const tide_contact_part *part = &t->surface->parts[in->parts[0]];
        if (part->fixed && part->solid)
            find_way_off(t, in);
        if (!out || out->wrong != TIDE_WRONG_UNKNOWN || in->chord || out->chord)
            continue;
        tide_vec3 way = tide_vec3_subtract(tide_vec3_load(out->normal), tide_vec3_load(in->normal));
        double length = tide_vec3_length(way);
        if (!(length > FLAT))
            continue;
        tide_vec3_store(in->out, tide_vec3_scale(way, 1 / length));
        memcpy(out->out, in->out, sizeof out->out);
        in->chord = out->chord = true;
    }
}

// A contour without a chosen crossing is open.
static void find_open(tide_tangle *t)
{
    const tide_contact_surface *s = t->surface;
    for (uint32_t i = 0; i < t->count; i++)
        t->items[tide_disjoint_set_root(t->contours, i)].open |= t->items[i].chosen;
    for (uint32_t i = (uint32_t)t->count; i-- > 0;) // roots are below
        t->items[i].open = !t->items[tide_disjoint_set_root(t->contours, i)].open;
    for (size_t i = 0; i < t->count; i++) {
        const tide_tangle_crossing *c = &t->items[i];
        if (!c->open && !c->chord)
            continue;
        tangle_triangle(t, c->triangle, c->parts[0]);
        for (size_t k = 0; k < 2; k++) {
            tangle_point(t, s->edges[2 * (size_t)c->edge + k], c->parts[1]);
            tangle_triangle(t, t->edge_triangles[2 * (size_t)c->edge + k], c->parts[1]);
        }
    }
}

void tide_tangle_decide(tide_tangle *t)
{
    t->surface->tangled = t->tangled;
    memset(t->tangled, 0, t->surface->point_count * sizeof *t->tangled);
    memset(t->pull_of, 0xff, t->surface->point_count * sizeof *t->pull_of);
    if (!t->count)
        return;
    for (size_t i = 0; i < t->count; i++) { // each pair of parts once, at its first crossing
        uint32_t a = t->items[i].parts[0], b = t->items[i].parts[1];
        bool known = false;
        for (size_t k = 0; k < i && !known; k++)
            known = is_of(&t->items[k], a, b) || is_of(&t->items[k], b, a);
        if (!known)
            decide_pair(t, a < b ? a : b, a < b ? b : a);
    }
    finish_regions(t);
    drop_rooted(t);
    find_chords(t);
    if (find_contours(t))
        find_open(t);
    else
        t->failed = true;
}
