#include "collision/crossing_search_parts.h"

#include "base/memory.h"
#include "base/stop.h"
#include "base/vec3.h"
#include "geometry/predicates.h"

#include <string.h>

// --- create ----------------------------------------------------------------------------------------------------------

static uint32_t lower(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void sum_starts(uint32_t *starts, uint32_t count)
{
    for (size_t p = 1; p <= count; p++)
        starts[p] += starts[p - 1];
}

// Moves starts back after each was used to fill its row.
static void rewind_starts(uint32_t *starts, uint32_t count)
{
    memmove(starts + 1, starts, count * sizeof *starts);
    starts[0] = 0;
}

static void list_borders(tide_crossing_search *s)
{
    const tide_contact_surface *f = s->surface;
    for (int fill = 0; fill < 2; fill++) {
        for (size_t i = 0; i < 3 * (size_t)f->triangle_count; i++) {
            uint32_t a = f->triangles[i], b = f->triangles[i - i % 3 + (i + 1) % 3], least = lower(a, b);
            if (fill)
                s->borders[s->border_starts[least]++] = (tide_border) { a ^ b ^ least, (uint32_t)(i / 3) };
            else
                s->border_starts[least + 1]++;
        }
        if (!fill)
            sum_starts(s->border_starts, f->point_count);
    }
    rewind_starts(s->border_starts, f->point_count);
}

static bool is_of_strands(const tide_contact_part *part)
{
    return part->triangle_count == 0 && part->edge_count > 0;
}

static void list_strands(tide_crossing_search *s)
{
    const tide_contact_surface *f = s->surface;
    for (int fill = 0; fill < 2; fill++) {
        for (uint32_t part = 0; part < f->part_count; part++)
            for (uint32_t e = 0; e < f->parts[part].edge_count && is_of_strands(&f->parts[part]); e++) {
                const uint32_t *ends = f->edges + 2 * ((size_t)f->parts[part].first_edge + e);
                for (int k = 0; k < 2; k++)
                    if (fill)
                        s->strands[s->strand_starts[ends[k]]++] = ends[1 - k];
                    else
                        s->strand_starts[ends[k] + 1]++;
            }
        if (!fill)
            sum_starts(s->strand_starts, f->point_count);
    }
    rewind_starts(s->strand_starts, f->point_count);
}

// Tells which way the triangles of the colliders' meshes face, by the signed volume.
static void find_outward(tide_crossing_search *s)
{
    const tide_contact_surface *f = s->surface;
    for (uint32_t p = 0; p < f->part_count; p++) {
        const tide_contact_part *part = &f->parts[p];
        double volume = 0;
        const double *o = f->rest + 3 * (size_t)part->first_point;
        for (uint32_t t = 0; t < part->triangle_count && part->fixed; t++) {
            const uint32_t *corner = f->triangles + 3 * ((size_t)part->first_triangle + t);
            tide_vec3 v[3];
            for (int k = 0; k < 3; k++)
                v[k] = tide_vec3_subtract(tide_vec3_load(f->rest + 3 * (size_t)corner[k]), tide_vec3_load(o));
            volume += tide_vec3_dot(v[0], tide_vec3_cross(v[1], v[2]));
        }
        s->outward[p] = volume < 0 ? -1 : 1;
    }
    for (size_t i = 0; i < 4 * (size_t)f->carried_count; i++)
        s->carrying[f->part_of[f->carriers[i]]] = true;
}

tide_status tide_crossing_search_create(const tide_contact_surface *f, tide_crossing_search **out, tide_error *error)
{
    tide_crossing_search *s = tide_allocate_zeroed(1, sizeof *s);
    size_t points = f->point_count, triangles = f->triangle_count, parts = f->part_count;
    bool made = s && tide_box_tree_create(s, f->triangle_count, &s->tree, NULL) == TIDE_OK;
    if (made) {
        s->surface = f;
        s->x = tide_own_array(s, 3 * points, sizeof *s->x);
        s->boxes = tide_own_array(s, 6 * triangles, sizeof *s->boxes);
        s->found = tide_own_array(s, triangles, sizeof *s->found);
        s->border_starts = tide_own_zeroed(s, points + 1, sizeof *s->border_starts);
        s->borders = tide_own_array(s, 3 * triangles, sizeof *s->borders);
        s->strand_starts = tide_own_zeroed(s, points + 1, sizeof *s->strand_starts);
        s->strands = tide_own_array(s, 2 * (size_t)f->edge_count, sizeof *s->strands);
        s->carrying = tide_own_zeroed(s, parts, sizeof *s->carrying);
        s->depths = tide_own_array(s, points, sizeof *s->depths);
        s->part_boxes = tide_own_array(s, parts, sizeof *s->part_boxes);
        s->outward = tide_own_zeroed(s, parts, sizeof *s->outward);
    }
    if (!made || !tide_owns_all(s)) {
        tide_free(s);
        return tide_fail_memory(error, "certificate");
    }
    list_borders(s);
    list_strands(s);
    find_outward(s);
    *out = s;
    return TIDE_OK;
}

void tide_crossing_search_destroy(tide_crossing_search *s)
{
    tide_free(s);
}

// --- pairs -----------------------------------------------------------------------------------------------------------

static int count_shared(const uint32_t *a, int a_count, const uint32_t *b)
{
    int shared = 0;
    for (int i = 0; i < a_count; i++)
        shared += a[i] == b[0] || a[i] == b[1] || a[i] == b[2];
    return shared;
}

// Tells whether the features are left out: fixed both, joined, or held by the collider of the other.
static bool is_left_out(const tide_crossing_search *s, uint32_t part_a, const uint32_t *a, int a_count, uint32_t part_b,
                        const uint32_t *b)
{
    const tide_contact_surface *f = s->surface;
    const tide_contact_part *first = &f->parts[part_a], *second = &f->parts[part_b];
    if (first->fixed && second->fixed)
        return true;
    for (int i = 0; i < a_count && s->held && second->fixed; i++)
        if (s->held[a[i]] == second->collider)
            return true;
    for (int i = 0; i < a_count && f->joined_starts; i++)
        for (int k = 0; k < 3; k++)
            if (tide_contact_joined(f, a[i], b[k]))
                return true;
    return false;
}

// Tells whether a triangle of the surface beyond an edge of `triangle`, opposite to its corner `apex`, has its own apex
// on this side of `of`.
static bool goes_on(const tide_crossing_search *s, uint32_t triangle, int apex, const double *const of[3], int side)
{
    const uint32_t *corner = s->surface->triangles + 3 * (size_t)triangle;
    uint32_t a = corner[(apex + 1) % 3], b = corner[(apex + 2) % 3], least = lower(a, b), other = a ^ b ^ least;
    for (uint32_t i = s->border_starts[least]; i < s->border_starts[least + 1]; i++) {
        uint32_t beyond = s->borders[i].triangle;
        if (s->borders[i].higher != other || beyond == triangle)
            continue;
        const uint32_t *c = s->surface->triangles + 3 * (size_t)beyond;
        uint32_t tip = c[0] != a && c[0] != b ? c[0] : c[1] != a && c[1] != b ? c[1] : c[2];
        if (tide_orient3d(of[0], of[1], of[2], tide_crossing_point(s, tip)) == side)
            return true;
    }
    return false;
}

// Returns where a segment meets the plane of a triangle, computed in doubles.
static tide_vec3 meeting_of(const double *p, const double *q, const double *const t[3])
{
    tide_vec3 a = tide_vec3_load(t[0]), from = tide_vec3_load(p), to = tide_vec3_load(q);
    tide_vec3 n =
        tide_vec3_cross(tide_vec3_subtract(tide_vec3_load(t[1]), a), tide_vec3_subtract(tide_vec3_load(t[2]), a));
    double above = tide_vec3_dot(n, tide_vec3_subtract(from, a)), below = tide_vec3_dot(n, tide_vec3_subtract(to, a));
    double at = above != below ? above / (above - below) : 0.5;
    at = at >= 0 && at <= 1 ? at : 0.5;
    return tide_vec3_add(from, tide_vec3_scale(tide_vec3_subtract(to, from), at));
}

// Computes the mean of the points where edges of each go through the other; without any, of the corners.
static void place_of(const double *const t[3], const double *const u[3], double place[3])
{
    tide_vec3 sum = { 0 }, corners = { 0 };
    int count = 0, side;
    for (int k = 0; k < 3; k++) {
        const double *ends[2][2] = { { t[k], t[(k + 1) % 3] }, { u[k], u[(k + 1) % 3] } };
        for (int i = 0; i < 2; i++) {
            const double *const *of = i ? t : u;
            corners = tide_vec3_add(corners, tide_vec3_scale(tide_vec3_load(ends[i][0]), 1.0 / 6));
            if (tide_segment_meets_triangle(ends[i][0], ends[i][1], of, &side) != 2)
                continue;
            sum = tide_vec3_add(sum, meeting_of(ends[i][0], ends[i][1], of));
            count++;
        }
    }
    tide_vec3_store(place, count ? tide_vec3_scale(sum, 1.0 / count) : corners);
}

static bool all_fixed(const tide_crossing_search *s, const tide_crossing *c)
{
    const tide_contact_surface *f = s->surface;
    double mobility = 0;
    for (size_t k = 0; k < 3; k++) {
        mobility += f->inverse_masses[f->triangles[3 * (size_t)c->other_item + k]];
        mobility += f->inverse_masses[c->is_edge ? f->edges[2 * (size_t)c->item + k % 2]
                                                 : f->triangles[3 * (size_t)c->item + k]];
    }
    return mobility == 0;
}

// Notes a crossing of a feature with a triangle. The part of a body comes first.
static void note_pair(tide_crossing_search *s, tide_crossing crossing)
{
    const tide_contact_surface *f = s->surface;
    if (f->parts[crossing.part].fixed) {
        uint32_t part = crossing.part, item = crossing.item;
        crossing.part = crossing.other_part;
        crossing.item = crossing.other_item;
        crossing.other_part = part;
        crossing.other_item = item;
    }
    const tide_contact_part *other = &f->parts[crossing.other_part];
    crossing.collider = other->fixed ? other->collider : TIDE_CROSSING_NONE;
    crossing.let_pass =
        !f->touching[(size_t)crossing.part * f->part_count + crossing.other_part] || all_fixed(s, &crossing);
    tide_crossing_note(s, &crossing);
}

static void test_triangles(tide_crossing_search *s, uint32_t i, uint32_t k)
{
    const tide_contact_surface *f = s->surface;
    const uint32_t *a = f->triangles + 3 * (size_t)i, *b = f->triangles + 3 * (size_t)k;
    if (count_shared(a, 3, b) > 1)
        return;
    const double *t[3], *u[3];
    tide_crossing_corners(s, i, t);
    tide_crossing_corners(s, k, u);
    tide_triangle_meeting m = tide_triangles_meet(t, u);
    // Of the two triangles at an edge in the other's plane, the upper one notes the crossing.
    bool through = m.cross;
    through = through || (m.edge_of_u >= 0 && m.side > 0 && goes_on(s, k, m.edge_of_u, t, -1));
    through = through || (m.edge_of_t >= 0 && m.side > 0 && goes_on(s, i, m.edge_of_t, u, -1));
    uint32_t part_a = f->part_of[a[0]], part_b = f->part_of[b[0]];
    if (!through || (is_left_out(s, part_a, a, 3, part_b, b) || is_left_out(s, part_b, b, 3, part_a, a)))
        return;
    tide_crossing crossing = { .kind = TIDE_CROSSING_TRIANGLES, part_a, i, part_b, k };
    place_of(t, u, crossing.place);
    note_pair(s, crossing);
}

static void test_all_triangles(tide_crossing_search *s)
{
    for (uint32_t t = 0; t + 1 < s->surface->triangle_count && s->result.complete; t++) {
        uint32_t count = tide_crossing_query(s, s->boxes + 6 * (size_t)t, t + 1);
        for (uint32_t n = 0; n < count; n++)
            test_triangles(s, t, s->found[n]);
    }
}

// Tells whether the strand goes through the triangle between p and q, or at q, where it then goes on to the other side;
// the upper of these two edges notes it.
static bool strand_passes(const tide_crossing_search *s, uint32_t p, uint32_t q, const double *const t[3])
{
    int side;
    int meets = tide_segment_meets_triangle(tide_crossing_point(s, p), tide_crossing_point(s, q), t, &side);
    if (meets != 1)
        return meets == 2 && p < q; // once of the two directions
    for (uint32_t i = s->strand_starts[q]; i < s->strand_starts[q + 1] && side > 0; i++)
        if (tide_orient3d(t[0], t[1], t[2], tide_crossing_point(s, s->strands[i])) < 0)
            return true;
    return false;
}

static void test_strand(tide_crossing_search *s, uint32_t part, uint32_t edge)
{
    const tide_contact_surface *f = s->surface;
    const uint32_t *ends = f->edges + 2 * (size_t)edge;
    double box[6];
    tide_crossing_box(s, ends, 2, box);
    uint32_t count = tide_crossing_query(s, box, 0);
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t *corner = f->triangles + 3 * (size_t)s->found[n];
        const double *t[3];
        tide_crossing_corners(s, s->found[n], t);
        if (!strand_passes(s, ends[0], ends[1], t) && !strand_passes(s, ends[1], ends[0], t))
            continue;
        uint32_t other = f->part_of[corner[0]];
        if (is_left_out(s, part, ends, 2, other, corner))
            continue;
        tide_crossing crossing = { .kind = TIDE_CROSSING_EDGE, part, edge, other, s->found[n], .is_edge = true };
        tide_vec3_store(crossing.place,
                        meeting_of(tide_crossing_point(s, ends[0]), tide_crossing_point(s, ends[1]), t));
        note_pair(s, crossing);
    }
}

// --- the search ------------------------------------------------------------------------------------------------------

// Returns false for a number that is not finite.
static bool place_points(tide_crossing_search *s, const double *x)
{
    const tide_contact_surface *f = s->surface;
    double zero = 0;
    for (size_t n = 0; n < 3 * (size_t)f->point_count; n++) {
        zero += 0 * x[n];
        s->x[n] = x[n] > -TIDE_PREDICATE_LEAST && x[n] < TIDE_PREDICATE_LEAST ? 0 : x[n];
    }
    for (uint32_t t = 0; t < f->triangle_count; t++)
        tide_crossing_box(s, f->triangles + 3 * (size_t)t, 3, s->boxes + 6 * (size_t)t);
    for (uint32_t part = 0; part < f->part_count; part++) {
        double *box = s->part_boxes[part];
        for (uint32_t p = 0; p < f->parts[part].point_count; p++) {
            double own[6];
            tide_crossing_box(s, &(uint32_t) { f->parts[part].first_point + p }, 1, own);
            if (p)
                tide_box_join(box, own);
            else
                memcpy(box, own, sizeof own);
        }
    }
    return zero == 0;
}

tide_status tide_crossing_search_run(tide_crossing_search *s, const double *x, tide_collider *const *colliders,
                                     uint32_t collider_count, const uint32_t *held, tide_crossings *found,
                                     tide_error *error)
{
    const tide_contact_surface *f = s->surface;
    s->result = (tide_crossings) { .complete = true };
    s->tests = 0;
    s->failed = false;
    s->held = held;
    if (!place_points(s, x))
        return tide_fail(error, TIDE_ERROR_NUMERIC, "certificate", NULL, NULL, "a position is not finite");
    TIDE_TRY(tide_box_tree_fit(s->tree, f->triangle_count, s->boxes, NULL, error));
    test_all_triangles(s);
    for (uint32_t part = 0; part < f->part_count; part++)
        for (uint32_t e = 0; e < f->parts[part].edge_count && is_of_strands(&f->parts[part]); e++)
            test_strand(s, part, f->parts[part].first_edge + e);
    tide_crossing_search_colliders(s, colliders, collider_count);
    TIDE_TRY(tide_stop_check("certificate", error));
    if (s->failed)
        return tide_fail_memory(error, "certificate");
    s->result.list = s->list;
    *found = s->result;
    return TIDE_OK;
}
