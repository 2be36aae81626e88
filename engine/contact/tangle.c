// The search for edges that go through triangles.
#include "contact/tangle_inside.h"
#include "contact/tangle_state.h"

#include "base/memory.h"
#include "base/vec3.h"
#include "geometry/predicates.h"

#include <math.h>
#include <string.h>

#define MANY 2 // crossings to an edge: what has more is no tangle, but a shape that has diverged
#define MOST_TESTS (UINT64_C(1) << 26) // pairs of boxes that overlap, in a search

// --- create ---------------------------------------------------------------------------------------------------------

// Lists the edges at each point of least index: starts (point_count + 1), then the edges.
static bool list_edges(const tide_contact_surface *s, uint32_t **starts, uint32_t **edges)
{
    *starts = tide_allocate_zeroed((size_t)s->point_count + 2, sizeof **starts);
    *edges = tide_allocate_array(s->edge_count, sizeof **edges);
    if (!*starts || !*edges)
        return false;
    for (uint32_t e = 0; e < s->edge_count; e++) {
        const uint32_t *ends = s->edges + 2 * (size_t)e;
        (*starts)[(ends[0] < ends[1] ? ends[0] : ends[1]) + 2]++;
    }
    for (size_t p = 1; p < (size_t)s->point_count + 2; p++)
        (*starts)[p] += (*starts)[p - 1];
    for (uint32_t e = 0; e < s->edge_count; e++) {
        const uint32_t *ends = s->edges + 2 * (size_t)e;
        (*edges)[(*starts)[(ends[0] < ends[1] ? ends[0] : ends[1]) + 1]++] = e;
    }
    return true;
}

// Finds up to two triangles at each edge.
static bool find_edge_triangles(tide_tangle *t)
{
    const tide_contact_surface *s = t->surface;
    TIDE_SCOPED uint32_t *starts = NULL, *edges = NULL;
    if (!list_edges(s, &starts, &edges))
        return false;
    memset(t->edge_triangles, 0xff, 2 * (size_t)s->edge_count * sizeof *t->edge_triangles);
    for (size_t i = 0; i < 3 * (size_t)s->triangle_count; i++) {
        uint32_t a = s->triangles[i], b = s->triangles[i - i % 3 + (i + 1) % 3], low = a < b ? a : b;
        for (uint32_t n = starts[low]; n < starts[low + 1]; n++) {
            const uint32_t *ends = s->edges + 2 * (size_t)edges[n];
            uint32_t *at = t->edge_triangles + 2 * (size_t)edges[n];
            if ((ends[0] == a && ends[1] == b) || (ends[0] == b && ends[1] == a))
                at[at[0] != TIDE_TANGLE_NONE] = (uint32_t)(i / 3);
        }
    }
    return true;
}

// Marks the pairs of parts with points that are held together.
static void find_attached(tide_tangle *t)
{
    const tide_contact_surface *s = t->surface;
    for (uint32_t p = 0; p < s->point_count && s->joined_starts; p++)
        for (uint32_t n = s->joined_starts[p]; n < s->joined_starts[p + 1]; n++)
            if (s->part_of[p] != s->part_of[s->joined[n]])
                t->attached[s->part_of[p] * s->part_count + s->part_of[s->joined[n]]] = true;
}

tide_status tide_tangle_create(tide_contact_surface *s, uint32_t particle_count, tide_tangle **out, tide_error *error)
{
    tide_tangle *t = tide_allocate_zeroed(1, sizeof *t);
    size_t points = s->point_count, edges = s->edge_count, triangles = s->triangle_count;
    bool made = t && tide_box_tree_create(t, s->triangle_count, &t->tree, NULL) == TIDE_OK;
    if (made) {
        t->surface = s;
        t->most_tests = MOST_TESTS;
        t->particle_count = particle_count;
        t->boxes = tide_own_array(t, 6 * triangles, sizeof *t->boxes);
        t->found = tide_own_array(t, triangles, sizeof *t->found);
        t->edge_triangles = tide_own_array(t, 2 * edges, sizeof *t->edge_triangles);
        t->edge_parts = tide_own_array(t, edges, sizeof *t->edge_parts);
        t->attached = tide_own_zeroed(t, (size_t)s->part_count * s->part_count, sizeof *t->attached);
        t->cut = tide_own_zeroed(t, edges, sizeof *t->cut);
        t->roots = tide_own_array(t, points, sizeof *t->roots);
        t->sizes = tide_own_array(t, points, sizeof *t->sizes);
        t->side = tide_own_array(t, points, sizeof *t->side);
        t->sums = tide_own_array(t, 3 * points, sizeof *t->sums);
        t->tangled = tide_own_zeroed(t, points, sizeof *t->tangled);
        t->pull_of = tide_own_array(t, points, sizeof *t->pull_of);
        t->v = tide_own_array(t, 3 * points, sizeof *t->v);
        t->particle_pull = tide_own_array(t, particle_count, sizeof *t->particle_pull);
        t->shares = tide_own_array(t, particle_count, sizeof *t->shares);
    }
    if (!made || !tide_owns_all(t) || !find_edge_triangles(t)) {
        tide_free(t);
        return tide_fail_memory(error, "contact");
    }
    for (uint32_t part = 0; part < s->part_count; part++)
        for (uint32_t e = 0; e < s->parts[part].edge_count; e++)
            t->edge_parts[s->parts[part].first_edge + e] = part;
    find_attached(t);
    *out = t;
    return TIDE_OK;
}

void tide_tangle_destroy(tide_tangle *t)
{
    if (t)
        t->surface->tangled = NULL;
    tide_free(t);
}

void tide_tangle_release(tide_tangle *t)
{
    t->count = 0;
    t->surface->tangled = NULL;
}

// --- crossings ------------------------------------------------------------------------------------------------------

static inline const double *place_of(const tide_tangle *t, uint32_t point)
{
    return t->x + 3 * (size_t)point;
}

static void box_of(const tide_tangle *t, const uint32_t *points, int count, double box[6])
{
    for (int i = 0; i < count; i++) {
        const double *p = place_of(t, points[i]);
        double own[6] = { p[0], p[1], p[2], p[0], p[1], p[2] };
        if (i)
            tide_box_join(box, own);
        else
            memcpy(box, own, sizeof own);
    }
}

// Sets the place on both sides, and the normal. Returns false for a triangle without area.
static bool measure(const tide_tangle *t, tide_tangle_crossing *c)
{
    const uint32_t *ends = t->surface->edges + 2 * (size_t)c->edge;
    const uint32_t *corners = t->surface->triangles + 3 * (size_t)c->triangle;
    tide_vec3 v[3], p = tide_vec3_load(place_of(t, ends[0])), q = tide_vec3_load(place_of(t, ends[1]));
    for (int k = 0; k < 3; k++)
        v[k] = tide_vec3_load(place_of(t, corners[k]));
    tide_vec3 area = tide_vec3_cross(tide_vec3_subtract(v[1], v[0]), tide_vec3_subtract(v[2], v[0]));
    double square = tide_vec3_dot(area, area), first = tide_vec3_dot(area, tide_vec3_subtract(p, v[0])),
           second = tide_vec3_dot(area, tide_vec3_subtract(q, v[0]));
    if (!(square > 0) || !isfinite(square) || !(first * second <= 0) || first == second)
        return false;
    c->at = first / (first - second);
    tide_vec3_store(c->normal, tide_vec3_scale(area, (second > first ? 1 : -1) / sqrt(square)));
    tide_vec3 at = tide_vec3_add(p, tide_vec3_scale(tide_vec3_subtract(q, p), c->at));
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        tide_vec3 a = tide_vec3_subtract(v[(k + 1) % 3], at), b = tide_vec3_subtract(v[(k + 2) % 3], at);
        c->weights[k] = fmax(0, tide_vec3_dot(area, tide_vec3_cross(a, b)) / square);
        sum += c->weights[k];
    }
    for (int k = 0; k < 3; k++)
        c->weights[k] = sum > 0 ? c->weights[k] / sum : 1.0 / 3;
    return true;
}

static bool test(tide_tangle *t, uint32_t edge, uint32_t triangle)
{
    const tide_contact_surface *s = t->surface;
    const uint32_t *ends = s->edges + 2 * (size_t)edge, *corners = s->triangles + 3 * (size_t)triangle;
    uint32_t points[4] = { ends[0], corners[0], corners[1], corners[2] };
    const double *corner[3];
    int side;
    for (int k = 0; k < 3; k++) {
        if (corners[k] == ends[0] || corners[k] == ends[1])
            return true;
        corner[k] = place_of(t, corners[k]);
    }
    tide_tangle_crossing c = {
        .edge = edge, .triangle = triangle, .parts = { t->edge_parts[edge], s->part_of[corners[0]] }, .wrong = -1
    };
    if (!tide_contact_may_touch(s, c.parts[0], c.parts[1]) || t->attached[c.parts[0] * s->part_count + c.parts[1]] ||
        tide_contact_any_joined(s, points, 1) ||
        tide_segment_meets_triangle(place_of(t, ends[0]), place_of(t, ends[1]), corner, &side) != 2)
        return true;
    points[0] = ends[1];
    double mobility = s->inverse_masses[ends[0]] + s->inverse_masses[ends[1]];
    for (int k = 0; k < 3; k++)
        mobility += s->inverse_masses[corners[k]];
    if (tide_contact_any_joined(s, points, 1) || !(mobility > 0) || !measure(t, &c))
        return true;
    if (!tide_grow_owned(t, &t->items, &t->capacity, t->count + 1, sizeof *t->items))
        return false;
    t->items[t->count++] = c;
    return true;
}

// The order of queries' results is not fixed: crossings of an edge are sorted by their triangles.
static void sort_found(uint32_t *found, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t value = found[i], k = i;
        for (; k > 0 && found[k - 1] > value; k--)
            found[k] = found[k - 1];
        found[k] = value;
    }
}

static bool find_crossings(tide_tangle *t)
{
    const tide_contact_surface *s = t->surface;
    for (uint32_t e = 0; e < s->edge_count && t->count <= MANY * (size_t)s->edge_count; e++) {
        double box[6];
        if (t->tests >= t->most_tests) {
            t->stopped = true;
            break;
        }
        if (!tide_contact_touches_from(s, t->edge_parts[e], 0))
            continue;
        box_of(t, s->edges + 2 * (size_t)e, 2, box);
        uint32_t count = tide_box_tree_query(t->tree, box, 0, t->found);
        size_t before = t->count;
        t->tests += count;
        sort_found(t->found, count < 256 ? count : 0);
        for (uint32_t i = 0; i < count; i++)
            if (!test(t, e, t->found[i]))
                return false;
        for (size_t i = before + 1; i < t->count && count >= 256; i++)
            for (size_t k = i; k > before && t->items[k - 1].triangle > t->items[k].triangle; k--) {
                tide_tangle_crossing swap = t->items[k];
                t->items[k] = t->items[k - 1];
                t->items[k - 1] = swap;
            }
    }
    return true;
}

void tide_tangle_set_inside(tide_tangle *t, const tide_inside *inside)
{
    t->inside = inside;
}

static bool leaves(const tide_tangle *t, const uint32_t *points, int count, uint32_t collider)
{
    bool any = false;
    for (int i = 0; i < count; i++)
        any = any || t->inside->exit_of[points[i]] == collider + 1;
    return any;
}

// Marks the crossings of points that leave colliders along ways.
static void find_leaving(tide_tangle *t)
{
    const tide_contact_surface *s = t->surface;
    for (size_t i = 0; i < t->count && t->inside; i++) {
        tide_tangle_crossing *c = &t->items[i];
        const tide_contact_part *edge = &s->parts[c->parts[0]], *triangle = &s->parts[c->parts[1]];
        if (triangle->fixed && !edge->fixed)
            c->leaves = leaves(t, s->edges + 2 * (size_t)c->edge, 2, triangle->collider);
        if (edge->fixed && !triangle->fixed)
            c->leaves = leaves(t, s->triangles + 3 * (size_t)c->triangle, 3, edge->collider);
    }
}

static void describe_first(const tide_tangle *t, tide_tangle_report *report)
{
    const tide_tangle_crossing *first = t->items;
    const uint32_t *ends = t->surface->edges + 2 * (size_t)first->edge;
    for (int k = 0; k < 3; k++)
        report->place[k] = (1 - first->at) * place_of(t, ends[0])[k] + first->at * place_of(t, ends[1])[k];
}

static void describe(const tide_tangle *t, tide_tangle_report *report)
{
    *report = (tide_tangle_report) { .crossings = (uint32_t)t->count, .stopped = t->stopped, .tests = t->tests };
    for (uint32_t p = 0; p < t->surface->point_count && t->count; p++)
        report->wrong += t->pull_of[p] != TIDE_TANGLE_NONE;
    if (t->count)
        describe_first(t, report);
}

tide_status tide_tangle_find(tide_tangle *t, const double *x, tide_tangle_report *report, tide_error *error)
{
    const tide_contact_surface *s = t->surface;
    t->x = x;
    t->count = 0;
    t->tests = 0;
    t->stopped = false;
    tide_tangle_release(t);
    for (uint32_t i = 0; i < s->triangle_count; i++)
        box_of(t, s->triangles + 3 * (size_t)i, 3, t->boxes + 6 * (size_t)i);
    TIDE_TRY(tide_box_tree_fit(t->tree, s->triangle_count, t->boxes, NULL, error));
    if (!find_crossings(t))
        return tide_fail_memory(error, "contact");
    t->failed = false;
    t->region_count = 0;
    if (t->count > MANY * (size_t)s->edge_count) {
        *report = (tide_tangle_report) { .crossings = (uint32_t)t->count, .diverged = true };
        describe_first(t, report);
        t->count = 0;
        return TIDE_OK;
    }
    find_leaving(t);
    tide_tangle_decide(t);
    if (t->failed)
        return tide_fail_memory(error, "contact");
    describe(t, report);
    return TIDE_OK;
}
