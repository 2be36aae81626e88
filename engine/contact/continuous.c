#include "contact/continuous.h"

#include "base/clock.h"
#include "base/memory.h"
#include "contact/continuous_state.h"

#include <math.h>
#include <string.h>

// Rounds: of single impulses; of zones, in which all constraints found since then hold; of rigid zones. If impacts
// remain, each half of the motion is tried in turn. In a round of zones, constraints and the keep_out callback
// alternate.
enum { IMPULSE_ROUNDS = 8, ZONE_ROUNDS = 24, RIGID_ROUNDS = 100, HALVINGS = 6 };
enum { IMPULSE_SWEEPS = 4, ZONE_SWEEPS = 200, ZONE_TURNS = 20 };
#define LANDING 1e-3 // of the longest edge: where an impact ends when no part has a radius
#define APART 1e-5   // of the longest edge: the least

// --- create

tide_status tide_continuous_create(const tide_contact_surface *s, tide_continuous **out, tide_error *error)
{
    tide_continuous *c = tide_allocate_zeroed(1, sizeof *c);
    bool made = false;
    if (c) {
        c->surface = s;
        size_t points = s->point_count;
        uint32_t most = s->point_count > s->edge_count ? s->point_count : s->edge_count;
        most = most > s->triangle_count ? most : s->triangle_count;
        made = tide_continuous_create_features(c);
        c->boxes = tide_own_array(c, 6 * points, sizeof *c->boxes);
        c->moved = tide_own_zeroed(c, points, sizeof *c->moved);
        c->found = tide_own_array(c, most, sizeof *c->found);
        c->kept = tide_own_array(c, 6 * HALVINGS * points, sizeof *c->kept);
        made = made && tide_zones_create(s, &c->zones, NULL) == TIDE_OK && tide_own(c, c->zones) && tide_owns_all(c);
    }
    if (!made) {
        tide_free(c);
        return tide_fail_memory(error, "continuous collision");
    }
    *out = c;
    return TIDE_OK;
}

void tide_continuous_keep_out(tide_continuous *c, bool (*keep_out)(void *context, const bool *moved, double *to),
                              void *context)
{
    c->keep_out = keep_out;
    c->keep_out_context = context;
}

void tide_continuous_limit(tide_continuous *c, tide_contact_work *work)
{
    c->work = work;
}

// --- impacts

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
    if (!(mobility > 0) || (c->rigid && tide_zones_hold(c->zones, points)))
        return;
    bool meets = tide_impact_find(kind, a, b, &impact);
    if (!tide_contact_work_spend(c->work, TIDE_WORK_IMPACT_TEST + 2 * (uint64_t)impact.steps) || !meets)
        return;
    memcpy(impact.points, points, sizeof impact.points);
    // The distance at the start, if that is not more than where contact begins, and no less than rounding can resolve.
    double start = 0, scale = tide_impact_scale(kind, a);
    for (int k = 1; k < 4; k++)
        for (int d = 0; d < 3; d++)
            start += impact.weights[k] * impact.normal[d] * (a[k][d] - a[0][d]);
    double radii = s->parts[s->part_of[points[0]]].radius + s->parts[s->part_of[points[3]]].radius;
    impact.target = fmin(radii > 0 ? radii : LANDING * scale, start);
    impact.target = fmax(impact.target, APART * scale);
    if (!tide_grow_owned(c, &c->impacts, &c->impact_capacity, c->impact_count + 1, sizeof *c->impacts)) {
        c->failed = true;
        return;
    }
    c->impacts[c->impact_count++] = impact;
}

static void test_triangle(tide_continuous *c, uint32_t point, uint32_t triangle, const double *from, const double *to)
{
    const uint32_t *corners = c->surface->triangles + 3 * (size_t)triangle;
    if (corners[0] == point || corners[1] == point || corners[2] == point ||
        !tide_contact_may_touch(c->surface, c->of[POINTS].parts[point], c->of[TRIANGLES].parts[triangle]))
        return;
    uint32_t points[4] = { point, corners[0], corners[1], corners[2] };
    if (tide_contact_any_joined(c->surface, points, 1) || tide_contact_any_tangled(c->surface, points, 1))
        return;
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
    if (lines || a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1] ||
        !tide_contact_may_touch(s, part_a, part_b))
        return;
    uint32_t points[4] = { a[0], a[1], b[0], b[1] };
    if (tide_contact_any_joined(s, points, 2) || tide_contact_any_tangled(s, points, 2))
        return;
    test_pair(c, TIDE_PAIR_EDGES, (uint64_t)i << 32 | k, points, from, to);
}

static bool is_exhausted(const tide_continuous *c)
{
    return c->work && c->work->exhausted;
}

// The features whose boxes overlap `box`, as tide_continuous_query; none when work is exhausted.
static uint32_t query(tide_continuous *c, const features *f, const double box[6], uint32_t first)
{
    uint32_t count = is_exhausted(c) ? 0 : tide_continuous_query(c, f, box, first);
    c->report->candidates += count;
    return tide_contact_work_spend(c->work, count) ? count : 0;
}

// Finds all impacts of features that moved in the last round, each pair once; some of them when work is exhausted.
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
        tide_continuous_box(c, triangles, triangle, box);
        uint32_t count = query(c, points, box, 0);
        for (uint32_t i = 0; i < count; i++)
            if (!points->now[c->found[i]])
                test_triangle(c, c->found[i], triangle, from, to);
    }
    for (uint32_t n = 0; n < edges->later_count && triangles->all_count > 0; n++) {
        uint32_t edge = edges->later_items[n];
        if (first ? !tide_contact_touches_from(c->surface, edges->parts[edge], edges->parts[edge]) : !edges->now[edge])
            continue;
        tide_continuous_box(c, edges, edge, box);
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

// Sorts by merging, which is stable.
static bool sort(tide_continuous *c, tide_impact *impacts, size_t count, bool by_time)
{
    if (!tide_grow_owned(c, &c->scratch, &c->scratch_capacity, count, sizeof *c->scratch))
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

// Adds the impacts to the held ones. Of each pair, the last is kept.
static bool hold_impacts(tide_continuous *c)
{
    size_t count = c->held_count + c->impact_count, kept = 0;
    if (!tide_grow_owned(c, &c->held, &c->held_capacity, count, sizeof *c->held))
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

static bool keep_out(tide_continuous *c, double *to)
{
    return c->keep_out && c->keep_out(c->keep_out_context, c->moved, to);
}

static bool apply_impulses(tide_continuous *c, int round, const double *from, double *to)
{
    if (round < IMPULSE_ROUNDS) {
        c->report->rounds++;
        if (!sort(c, c->impacts, c->impact_count, true))
            return false;
        tide_impacts_push(c->surface, c->impacts, c->impact_count, IMPULSE_SWEEPS, to, c->moved, c->work);
        keep_out(c, to);
    } else if (round < IMPULSE_ROUNDS + ZONE_ROUNDS) {
        if (round == IMPULSE_ROUNDS)
            c->held_count = 0;
        if (!hold_impacts(c))
            return false;
        bool kept = true;
        for (int turn = 0; kept && turn < ZONE_TURNS; turn++) {
            tide_impacts_push(c->surface, c->held, c->held_count, ZONE_SWEEPS, to, c->moved, c->work);
            kept = keep_out(c, to);
        }
        tide_zones_clear(c->zones);
        c->report->zones += tide_zones_join(c->zones, c->held, c->held_count);
    } else {
        if (round == IMPULSE_ROUNDS + ZONE_ROUNDS)
            tide_zones_clear(c->zones);
        c->rigid = true;
        c->report->rigid_zones += tide_zones_join(c->zones, c->impacts, c->impact_count);
        tide_zones_move(c->zones, from, to, c->moved);
    }
    // Impacts that did not change are tested again.
    for (size_t i = 0; i < c->impact_count; i++)
        for (int k = 0; k < 4; k++)
            c->moved[c->impacts[i].points[k]] = true;
    return true;
}

// Sets *clear to whether `to` is free of impacts. Rigid zones ensure it, unless bending points of infinite mass lead
// them.
static tide_status resolve(tide_continuous *c, const double *from, double *to, bool *clear, tide_error *error)
{
    c->rigid = false;
    for (int round = 0; round < IMPULSE_ROUNDS + ZONE_ROUNDS + RIGID_ROUNDS; round++) {
        double begin = tide_clock_seconds();
        bool first = round == 0;
        tide_status status = first ? tide_continuous_begin_search(c, from, to, error)
                                   : tide_continuous_continue_search(c, from, to, &first, error);
        if (status != TIDE_OK)
            return status;
        c->impact_count = 0;
        tide_contact_work_spend(c->work, c->surface->point_count); // of the search
        test_moved(c, first, from, to);
        c->report->impacts += (uint32_t)c->impact_count;
        double middle = tide_clock_seconds();
        c->report->detect_seconds += middle - begin;
        *clear = c->impact_count == 0;
        if (*clear && !c->failed && !is_exhausted(c))
            return TIDE_OK;
        if (is_exhausted(c))
            return tide_contact_work_fail(c->work, error);
        if (c->failed || !apply_impulses(c, round, from, to))
            return tide_fail_memory(error, "continuous collision");
        c->report->solve_seconds += tide_clock_seconds() - middle;
    }
    return TIDE_OK;
}

// Resolves the motion; where that fails, in two halves. The second half starts with the velocities that result from the
// first.
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
