#include "contact/continuous.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "contact/impact.h"
#include "contact/spatial_hash.h"

#include <string.h>

// Rounds: of single impulses; of zones, in which all constraints found since then hold; of rigid zones. What they leave
// is tried again in halves of the motion.
enum { IMPULSE_ROUNDS = 8, ZONE_ROUNDS = 24, RIGID_ROUNDS = 100, IMPULSE_SWEEPS = 4, ZONE_SWEEPS = 200, HALVINGS = 6 };
#define LANDING 1e-3 // of the longest edge: where an impact ends when no part has a radius
#define APART 1e-5   // of the longest edge: the least

enum { POINTS, TRIANGLES, EDGES, FEATURES };

// Those of one kind that may meet any. In `base` they are with the boxes of when the search began, in `later` those
// that have moved since (`stale`), with their present boxes.
typedef struct features {
    uint32_t size;          // points of each
    const uint32_t *points; // (size * count); NULL: itself
    uint32_t *parts, count;
    uint32_t *all, all_count;
    uint32_t *base_items, base_count, *later_items, later_count;
    bool *stale, *now; // (count) now: moved in the last round
    double *boxes;     // (6 * all_count), to build a hash
    tide_spatial_hash *base, *later;
} features;

struct tide_continuous {
    const tide_contact_surface *surface;
    features of[FEATURES];
    double *boxes; // (6 * point_count)
    double slack;  // m: boxes are wider by it
    bool *moved;   // (point_count) in the last round
    uint32_t *found;
    tide_impact *impacts, *held, *scratch;
    size_t impact_count, impact_capacity, held_count, held_capacity, scratch_capacity;
    tide_zones *zones;
    bool rigid;   // zones are
    double *kept; // (3 * point_count * 2 * HALVINGS) of the halves
    bool failed;  // out of memory
    tide_continuous_report *report;
};

// --- create

static bool may_touch(const tide_contact_surface *s, uint32_t a, uint32_t b)
{
    return s->touching[(size_t)a * s->part_count + b] && !(s->parts[a].fixed && s->parts[b].fixed);
}

static bool is_active(const tide_contact_surface *s, uint32_t part)
{
    for (uint32_t other = 0; other < s->part_count; other++)
        if (may_touch(s, part, other))
            return true;
    return false;
}

static bool create_features(features *f, uint32_t count, uint32_t size, const uint32_t *points)
{
    *f = (features) { .size = size, .points = points, .count = count };
    f->parts = tide_allocate_array(count, sizeof *f->parts);
    f->all = tide_allocate_array(count, sizeof *f->all);
    f->base_items = tide_allocate_array(count, sizeof *f->base_items);
    f->later_items = tide_allocate_array(count, sizeof *f->later_items);
    f->stale = tide_allocate_zeroed(count, sizeof *f->stale);
    f->now = tide_allocate_zeroed(count, sizeof *f->now);
    f->boxes = tide_allocate_array(6 * (size_t)count, sizeof *f->boxes);
    return f->parts && f->all && f->base_items && f->later_items && f->stale && f->now && f->boxes &&
           tide_spatial_hash_create(&f->base, NULL) == TIDE_OK && tide_spatial_hash_create(&f->later, NULL) == TIDE_OK;
}

static void destroy_features(features *f)
{
    tide_free(f->parts);
    tide_free(f->all);
    tide_free(f->base_items);
    tide_free(f->later_items);
    tide_free(f->stale);
    tide_free(f->now);
    tide_free(f->boxes);
    tide_spatial_hash_destroy(f->base);
    tide_spatial_hash_destroy(f->later);
}

static void add_all(features *f, uint32_t part, uint32_t first, uint32_t count, bool active, const bool *used)
{
    for (uint32_t i = first; i < first + count; i++) {
        f->parts[i] = part;
        if (active && (!used || used[i]))
            f->all[f->all_count++] = i;
    }
}

// Points of a part with triangles count where a triangle has them.
static bool choose_features(tide_continuous *c)
{
    const tide_contact_surface *s = c->surface;
    bool *used = tide_allocate_zeroed(s->point_count, sizeof *used);
    if (!used)
        return false;
    for (size_t i = 0; i < 3 * (size_t)s->triangle_count; i++)
        used[s->triangles[i]] = true;
    for (uint32_t i = 0; i < s->part_count; i++) {
        const tide_contact_part *part = &s->parts[i];
        bool active = is_active(s, i);
        add_all(&c->of[POINTS], i, part->first_point, part->point_count, active,
                part->triangle_count > 0 ? used : NULL);
        add_all(&c->of[TRIANGLES], i, part->first_triangle, part->triangle_count, active, NULL);
        add_all(&c->of[EDGES], i, part->first_edge, part->edge_count, active, NULL);
    }
    tide_free(used);
    return true;
}

tide_status tide_continuous_create(const tide_contact_surface *s, tide_continuous **out, tide_error *error)
{
    tide_continuous *c = tide_allocate_zeroed(1, sizeof *c);
    bool made = false;
    if (c) {
        c->surface = s;
        size_t points = s->point_count;
        uint32_t most = s->point_count > s->edge_count ? s->point_count : s->edge_count;
        most = most > s->triangle_count ? most : s->triangle_count;
        made = create_features(&c->of[POINTS], s->point_count, 1, NULL) &&
               create_features(&c->of[TRIANGLES], s->triangle_count, 3, s->triangles) &&
               create_features(&c->of[EDGES], s->edge_count, 2, s->edges);
        c->boxes = tide_allocate_array(6 * points, sizeof *c->boxes);
        c->moved = tide_allocate_zeroed(points, sizeof *c->moved);
        c->found = tide_allocate_array(most, sizeof *c->found);
        c->kept = tide_allocate_array(6 * HALVINGS * points, sizeof *c->kept);
        made = made && c->boxes && c->moved && c->found && c->kept &&
               tide_zones_create(s, &c->zones, NULL) == TIDE_OK && choose_features(c);
    }
    if (!made) {
        tide_continuous_destroy(c);
        return tide_fail_memory(error, "continuous collision");
    }
    *out = c;
    return TIDE_OK;
}

void tide_continuous_destroy(tide_continuous *c)
{
    if (!c)
        return;
    for (int k = 0; k < FEATURES; k++)
        destroy_features(&c->of[k]);
    tide_free(c->boxes);
    tide_free(c->moved);
    tide_free(c->found);
    tide_free(c->kept);
    tide_free(c->impacts);
    tide_free(c->held);
    tide_free(c->scratch);
    tide_zones_destroy(c->zones);
    tide_free(c);
}

// --- boxes

static const uint32_t *points_of(const features *f, const uint32_t *item)
{
    return f->points ? f->points + (size_t)f->size * *item : item;
}

static void box_point(const tide_continuous *c, uint32_t i, const double *from, const double *to)
{
    double *box = c->boxes + 6 * (size_t)i;
    for (size_t k = 0; k < 3; k++) {
        double a = from[3 * (size_t)i + k], b = to[3 * (size_t)i + k];
        box[k] = (a < b ? a : b) - c->slack;
        box[3 + k] = (a < b ? b : a) + c->slack;
    }
}

static void box_feature(const tide_continuous *c, const features *f, uint32_t item, double *box)
{
    const uint32_t *points = points_of(f, &item);
    memcpy(box, c->boxes + 6 * (size_t)points[0], 6 * sizeof *box);
    for (uint32_t k = 1; k < f->size; k++) {
        const double *other = c->boxes + 6 * (size_t)points[k];
        for (int d = 0; d < 3; d++) {
            box[d] = other[d] < box[d] ? other[d] : box[d];
            box[3 + d] = other[3 + d] > box[3 + d] ? other[3 + d] : box[3 + d];
        }
    }
}

static tide_status build_later(tide_continuous *c, features *f, tide_error *error)
{
    for (uint32_t i = 0; i < f->later_count; i++)
        box_feature(c, f, f->later_items[i], f->boxes + 6 * (size_t)i);
    return tide_spatial_hash_build(f->later, f->later_count, f->boxes, error);
}

// The first round of a search: everything is in `later` and has just moved.
static tide_status begin_search(tide_continuous *c, const double *from, const double *to, tide_error *error)
{
    const tide_contact_surface *s = c->surface;
    double longest = 0;
    for (uint32_t i = 0; i < s->edge_count; i++) {
        const double *a = from + 3 * (size_t)s->edges[2 * i], *b = from + 3 * (size_t)s->edges[2 * i + 1];
        tide_vec3 d = tide_vec3_subtract(tide_vec3_load(b), tide_vec3_load(a));
        longest = fmax(longest, tide_vec3_dot(d, d));
    }
    c->slack = 1e-6 * sqrt(longest);
    for (uint32_t i = 0; i < s->point_count; i++)
        box_point(c, i, from, to);
    tide_status status = TIDE_OK;
    for (int k = 0; k < FEATURES && status == TIDE_OK; k++) {
        features *f = &c->of[k];
        memset(f->stale, 0, f->count * sizeof *f->stale);
        memset(f->now, 0, f->count * sizeof *f->now);
        f->base_count = 0;
        f->later_count = f->all_count;
        memcpy(f->later_items, f->all, f->all_count * sizeof *f->all);
        status = tide_spatial_hash_build(f->base, 0, NULL, error);
        if (status == TIDE_OK)
            status = build_later(c, f, error);
    }
    return status;
}

// After the first round: what was `later` is the base.
static void exchange(features *f)
{
    tide_spatial_hash *hash = f->base;
    uint32_t *items = f->base_items;
    f->base = f->later;
    f->base_items = f->later_items;
    f->base_count = f->later_count;
    f->later = hash;
    f->later_items = items;
    f->later_count = 0;
}

// A further round: marks and boxes what has moved since the last one, and forgets that it did.
static tide_status continue_search(tide_continuous *c, bool first, const double *from, const double *to,
                                   tide_error *error)
{
    const tide_contact_surface *s = c->surface;
    for (uint32_t i = 0; i < s->point_count; i++)
        if (c->moved[i])
            box_point(c, i, from, to);
    tide_status status = TIDE_OK;
    for (int k = 0; k < FEATURES && status == TIDE_OK; k++) {
        features *f = &c->of[k];
        if (first)
            exchange(f);
        for (uint32_t n = 0; n < f->all_count; n++) {
            uint32_t item = f->all[n];
            const uint32_t *points = points_of(f, &item);
            f->now[item] = false;
            for (uint32_t i = 0; i < f->size; i++)
                f->now[item] = f->now[item] || c->moved[points[i]];
            if (f->now[item] && !f->stale[item]) {
                f->stale[item] = true;
                f->later_items[f->later_count++] = item;
            }
        }
        status = build_later(c, f, error);
    }
    memset(c->moved, 0, s->point_count * sizeof *c->moved);
    return status;
}

// --- impacts

// All features whose boxes overlap `item`'s; within the first round, of the kind itself from `first` on.
static uint32_t query(tide_continuous *c, const features *f, const double *box, uint32_t first)
{
    uint32_t count = tide_spatial_hash_query(f->base, box, 0, c->found), kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t item = f->base_items[c->found[i]];
        if (!f->stale[item])
            c->found[kept++] = item;
    }
    count = tide_spatial_hash_query(f->later, box, first, c->found + kept);
    for (uint32_t i = 0; i < count; i++)
        c->found[kept + i] = f->later_items[c->found[kept + i]];
    return kept + count;
}

static void test_pair(tide_continuous *c, tide_pair_kind kind, uint64_t key, const uint32_t points[4],
                      const double *from, const double *to)
{
    const tide_contact_surface *s = c->surface;
    double a[4][3], b[4][3], mobility = 0;
    for (int k = 0; k < 4; k++) {
        memcpy(a[k], from + 3 * (size_t)points[k], sizeof a[k]);
        memcpy(b[k], to + 3 * (size_t)points[k], sizeof b[k]);
        mobility += s->inverse_masses[points[k]];
    }
    tide_impact impact = { .kind = kind, .key = key };
    if (!(mobility > 0) || (c->rigid && tide_zones_hold(c->zones, points)) || !tide_impact_find(kind, a, b, &impact))
        return;
    memcpy(impact.points, points, sizeof impact.points);
    // Where it started, if that is not further than where contact begins; never nearer than rounding can tell.
    double start = 0, scale = tide_impact_scale(kind, a);
    for (int k = 1; k < 4; k++)
        for (int d = 0; d < 3; d++)
            start += impact.weights[k] * impact.normal[d] * (a[k][d] - a[0][d]);
    double radii = s->parts[s->part_of[points[0]]].radius + s->parts[s->part_of[points[3]]].radius;
    impact.target = fmin(radii > 0 ? radii : LANDING * scale, start);
    impact.target = fmax(impact.target, APART * scale);
    if (!tide_grow(&c->impacts, &c->impact_capacity, c->impact_count + 1, sizeof *c->impacts)) {
        c->failed = true;
        return;
    }
    c->impacts[c->impact_count++] = impact;
}

static void test_triangle(tide_continuous *c, uint32_t point, uint32_t triangle, const double *from, const double *to)
{
    const uint32_t *corners = c->surface->triangles + 3 * (size_t)triangle;
    if (corners[0] == point || corners[1] == point || corners[2] == point ||
        !may_touch(c->surface, c->of[POINTS].parts[point], c->of[TRIANGLES].parts[triangle]))
        return;
    uint32_t points[4] = { point, corners[0], corners[1], corners[2] };
    test_pair(c, TIDE_PAIR_TRIANGLE, (uint64_t)point << 32 | triangle, points, from, to);
}

static void test_edges(tide_continuous *c, uint32_t i, uint32_t k, const double *from, const double *to)
{
    const tide_contact_surface *s = c->surface;
    if (k < i) {
        uint32_t swap = i;
        i = k;
        k = swap;
    }
    const uint32_t *a = s->edges + 2 * (size_t)i, *b = s->edges + 2 * (size_t)k;
    uint32_t part_a = c->of[EDGES].parts[i], part_b = c->of[EDGES].parts[k];
    bool lines = s->parts[part_a].triangle_count == 0 && s->parts[part_b].triangle_count == 0;
    if (lines || a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1] || !may_touch(s, part_a, part_b))
        return;
    uint32_t points[4] = { a[0], a[1], b[0], b[1] };
    test_pair(c, TIDE_PAIR_EDGES, (uint64_t)i << 32 | k, points, from, to);
}

// Whether a part touches itself or one after it: those before it have found it.
static bool touches_later(const tide_contact_surface *s, uint32_t part)
{
    for (uint32_t other = part; other < s->part_count; other++)
        if (may_touch(s, part, other))
            return true;
    return false;
}

// All impacts of what has moved in the last round, each pair once.
static void test_moved(tide_continuous *c, bool first, const double *from, const double *to)
{
    const features *points = &c->of[POINTS], *triangles = &c->of[TRIANGLES], *edges = &c->of[EDGES];
    double box[6];
    for (uint32_t n = 0; n < points->later_count && triangles->all_count > 0; n++) {
        uint32_t point = points->later_items[n];
        if (!first && !points->now[point])
            continue;
        uint32_t count = query(c, triangles, c->boxes + 6 * (size_t)point, 0);
        for (uint32_t i = 0; i < count; i++)
            test_triangle(c, point, c->found[i], from, to);
    }
    for (uint32_t n = 0; n < triangles->later_count && !first; n++) {
        uint32_t triangle = triangles->later_items[n];
        if (!triangles->now[triangle])
            continue;
        box_feature(c, triangles, triangle, box);
        uint32_t count = query(c, points, box, 0);
        for (uint32_t i = 0; i < count; i++)
            if (!points->now[c->found[i]])
                test_triangle(c, c->found[i], triangle, from, to);
    }
    for (uint32_t n = 0; n < edges->later_count && triangles->all_count > 0; n++) {
        uint32_t edge = edges->later_items[n];
        if (first ? !touches_later(c->surface, edges->parts[edge]) : !edges->now[edge])
            continue;
        box_feature(c, edges, edge, box);
        uint32_t count = query(c, edges, box, first ? n + 1 : 0);
        for (uint32_t i = 0; i < count; i++)
            if (first || !edges->now[c->found[i]] || c->found[i] > edge)
                test_edges(c, edge, c->found[i], from, to);
    }
}

static bool earlier(const tide_impact *a, const tide_impact *b, bool by_time)
{
    if (by_time && a->time != b->time)
        return a->time < b->time;
    return a->kind != b->kind ? a->kind < b->kind : a->key < b->key;
}

// By merging, which keeps those apart that are equal otherwise.
static bool sort(tide_continuous *c, tide_impact *impacts, size_t count, bool by_time)
{
    if (!tide_grow(&c->scratch, &c->scratch_capacity, count, sizeof *c->scratch))
        return false;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t begin = 0; begin + width < count; begin += 2 * width) {
            size_t middle = begin + width, end = middle + width < count ? middle + width : count;
            memcpy(c->scratch, impacts + begin, width * sizeof *impacts);
            size_t a = 0, b = middle, out = begin;
            while (a < width && b < end)
                impacts[out++] = earlier(&impacts[b], &c->scratch[a], by_time) ? impacts[b++] : c->scratch[a++];
            memcpy(impacts + out, c->scratch + a, (width - a) * sizeof *impacts);
        }
    }
    return true;
}

// Adds the impacts to those that are held; of a pair's, the last.
static bool hold_impacts(tide_continuous *c)
{
    size_t count = c->held_count + c->impact_count, kept = 0;
    if (!tide_grow(&c->held, &c->held_capacity, count, sizeof *c->held))
        return false;
    memcpy(c->held + c->held_count, c->impacts, c->impact_count * sizeof *c->impacts);
    if (!sort(c, c->held, count, false))
        return false;
    for (size_t i = 0; i < count; i++) {
        bool last = i + 1 == count || c->held[i].key != c->held[i + 1].key || c->held[i].kind != c->held[i + 1].kind;
        if (last)
            c->held[kept++] = c->held[i];
    }
    c->held_count = kept;
    return true;
}

// --- rounds

static bool respond(tide_continuous *c, int round, const double *from, double *to)
{
    if (round < IMPULSE_ROUNDS) {
        c->report->rounds++;
        if (!sort(c, c->impacts, c->impact_count, true))
            return false;
        tide_impacts_push(c->surface, c->impacts, c->impact_count, IMPULSE_SWEEPS, to, c->moved);
    } else if (round < IMPULSE_ROUNDS + ZONE_ROUNDS) {
        if (round == IMPULSE_ROUNDS)
            c->held_count = 0;
        if (!hold_impacts(c))
            return false;
        tide_impacts_push(c->surface, c->held, c->held_count, ZONE_SWEEPS, to, c->moved);
        tide_zones_clear(c->zones);
        c->report->zones += tide_zones_join(c->zones, c->held, c->held_count);
    } else {
        if (round == IMPULSE_ROUNDS + ZONE_ROUNDS)
            tide_zones_clear(c->zones);
        c->rigid = true;
        c->report->rigid_zones += tide_zones_join(c->zones, c->impacts, c->impact_count);
        tide_zones_move(c->zones, from, to, c->moved);
    }
    // What did not yield is looked at again, too.
    for (size_t i = 0; i < c->impact_count; i++)
        for (int k = 0; k < 4; k++)
            c->moved[c->impacts[i].points[k]] = true;
    return true;
}

// *clear: whether `to` is now free of impacts. Rigid zones see to that, but for those that are led by points without
// inverse mass that bend.
static tide_status resolve(tide_continuous *c, const double *from, double *to, bool *clear, tide_error *error)
{
    c->rigid = false;
    for (int round = 0; round < IMPULSE_ROUNDS + ZONE_ROUNDS + RIGID_ROUNDS; round++) {
        double begin = tide_clock_seconds();
        tide_status status = TIDE_OK;
        if (round == 0)
            status = begin_search(c, from, to, error);
        else
            status = continue_search(c, round == 1, from, to, error);
        if (status != TIDE_OK)
            return status;
        c->impact_count = 0;
        test_moved(c, round == 0, from, to);
        c->report->impacts += (uint32_t)c->impact_count;
        double middle = tide_clock_seconds();
        c->report->detect_seconds += middle - begin;
        *clear = c->impact_count == 0;
        if (*clear && !c->failed)
            return TIDE_OK;
        if (c->failed || !respond(c, round, from, to))
            return tide_fail_memory(error, "continuous collision");
        c->report->respond_seconds += tide_clock_seconds() - middle;
    }
    return TIDE_OK;
}

// Where that fails, in two halves: smaller motions, with what the first half has made of the velocities.
static tide_status resolve_in_parts(tide_continuous *c, int depth, const double *from, double *to, tide_error *error)
{
    size_t count = 3 * (size_t)c->surface->point_count;
    double *wanted = c->kept + 2 * count * (size_t)depth, *middle = wanted + count;
    if (depth < HALVINGS)
        memcpy(wanted, to, count * sizeof *to);
    bool clear = false;
    tide_status status = resolve(c, from, to, &clear, error);
    if (status == TIDE_OK && (clear || depth == HALVINGS)) {
        c->report->parts++;
        c->report->unresolved += (uint32_t)c->impact_count;
    }
    if (status != TIDE_OK || clear || depth == HALVINGS)
        return status;
    for (size_t i = 0; i < count; i++)
        middle[i] = from[i] + 0.5 * (wanted[i] - from[i]);
    status = resolve_in_parts(c, depth + 1, from, middle, error);
    if (status != TIDE_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        bool free = c->surface->inverse_masses[i / 3] > 0;
        to[i] = free ? middle[i] + (middle[i] - from[i]) : wanted[i];
    }
    return resolve_in_parts(c, depth + 1, middle, to, error);
}

tide_status tide_continuous_resolve(tide_continuous *c, const double *from, double *to, tide_continuous_report *report,
                                    tide_error *error)
{
    tide_continuous_report unused;
    c->report = report ? report : &unused;
    *c->report = (tide_continuous_report) { 0 };
    c->failed = false;
    memset(c->moved, 0, c->surface->point_count * sizeof *c->moved);
    tide_status status = resolve_in_parts(c, 0, from, to, error);
    c->report = NULL;
    return status;
}
