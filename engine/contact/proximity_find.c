// The search for pairs in a step.
#include "contact/proximity_parts.h"

#include "base/memory.h"
#include "base/vec3.h"
#include "contact/geometry.h"

#include <string.h>

// Candidates are listed for boxes wider by these parts of a point's reach and of its motion, of that at most so many
// reaches.
#define SKIN 0.5
#define STEPS_HELD 2
#define MOST_HELD 2

// The mean of the points that are not fixed at `x`.
static void find_mean(const tide_contact_surface *s, const double *x, double mean[3])
{
    uint32_t count = 0;
    mean[0] = mean[1] = mean[2] = 0;
    for (uint32_t part = 0; part < s->part_count; part++) {
        const tide_contact_part *own = &s->parts[part];
        if (own->fixed)
            continue;
        count += own->point_count;
        for (size_t i = own->first_point; i < own->first_point + own->point_count; i++)
            for (size_t k = 0; k < 3; k++)
                mean[k] += x[3 * i + k];
    }
    for (int k = 0; k < 3 && count > 0; k++)
        mean[k] /= count;
}

// In a frame that goes along with the points' mean: all that counts is how they move against one another.
static void box_points(tide_proximity *p)
{
    const tide_contact_surface *s = p->surface;
    double end[3];
    find_mean(s, p->from, p->mean);
    find_mean(s, p->to, end);
    for (uint32_t part = 0; part < s->part_count; part++) {
        double reach = s->parts[part].radius + p->margin;
        uint32_t first = s->parts[part].first_point;
        for (uint32_t i = first; i < first + s->parts[part].point_count; i++) {
            const double *from = p->from + 3 * (size_t)i, *to = p->to + 3 * (size_t)i;
            double *box = p->boxes + 6 * (size_t)i;
            for (int k = 0; k < 3; k++) {
                double a = from[k], b = to[k] - (end[k] - p->mean[k]);
                box[k] = (a < b ? a : b) - reach;
                box[3 + k] = (a < b ? b : a) + reach;
            }
        }
    }
}

// Whether every point is within its box of when candidates were listed, but for a shift of all.
static bool is_held(const tide_proximity *p)
{
    if (!p->listed)
        return false;
    double s[3];
    for (int k = 0; k < 3; k++)
        s[k] = p->mean[k] - p->listed_at[k];
    for (size_t i = 0; i < 6 * (size_t)p->surface->point_count; i += 6) {
        const double *box = p->boxes + i, *held = p->held + i;
        bool inside = (box[0] - s[0] >= held[0]) & (box[1] - s[1] >= held[1]) & (box[2] - s[2] >= held[2]) &
                      (box[3] - s[0] <= held[3]) & (box[4] - s[1] <= held[4]) & (box[5] - s[2] <= held[5]);
        if (!inside)
            return false;
    }
    return true;
}

// Boxes in which points may be expected to stay for a while.
static void hold_points(tide_proximity *p)
{
    const tide_contact_surface *s = p->surface;
    for (uint32_t i = 0; i < s->point_count; i++) {
        const double *box = p->boxes + 6 * (size_t)i;
        double *held = p->held + 6 * (size_t)i, reach = s->parts[s->part_of[i]].radius + p->margin, skin = 0;
        for (int k = 0; k < 3; k++)
            skin = fmax(skin, box[3 + k] - box[k] - 2 * reach);
        skin = SKIN * reach + fmin(STEPS_HELD * skin, MOST_HELD * reach);
        for (int k = 0; k < 3; k++) {
            held[k] = box[k] - skin;
            held[3 + k] = box[3 + k] + skin;
        }
    }
    memcpy(p->listed_at, p->mean, sizeof p->mean);
}

static void box_items(const double *boxes, items *items, const uint32_t *points, uint32_t of_each)
{
    for (uint32_t i = 0; i < items->count; i++) {
        double *box = items->boxes + 6 * (size_t)i;
        const uint32_t *own = points ? points + (size_t)of_each * items->features[i] : items->features + i;
        memcpy(box, boxes + 6 * (size_t)own[0], 6 * sizeof *box);
        for (uint32_t k = 1; k < of_each; k++) {
            const double *other = boxes + 6 * (size_t)own[k];
            for (int d = 0; d < 3; d++) {
                box[d] = other[d] < box[d] ? other[d] : box[d];
                box[3 + d] = other[3 + d] > box[3 + d] ? other[3 + d] : box[3 + d];
            }
        }
    }
}

static void find_edge_normals(tide_proximity *p)
{
    const tide_contact_surface *s = p->surface;
    for (uint32_t i = 0; i < s->part_count; i++) {
        const tide_contact_part *part = &s->parts[i];
        if (!part->solid)
            continue;
        memset(p->edge_normals + 3 * (size_t)part->first_edge, 0, 3 * (size_t)part->edge_count * sizeof(double));
        for (uint32_t t = part->first_triangle; t < part->first_triangle + part->triangle_count; t++) {
            const uint32_t *corners = s->triangles + 3 * (size_t)t, *sides = p->sides + 3 * (size_t)t;
            tide_vec3 a = tide_vec3_load(p->from + 3 * (size_t)corners[0]);
            tide_vec3 u = tide_vec3_subtract(tide_vec3_load(p->from + 3 * (size_t)corners[1]), a);
            tide_vec3 v = tide_vec3_subtract(tide_vec3_load(p->from + 3 * (size_t)corners[2]), a);
            tide_vec3 n = tide_vec3_normalize(tide_vec3_cross(u, v));
            for (int k = 0; k < 3; k++) {
                if (sides[k] == s->edge_count)
                    continue;
                double *sum = p->edge_normals + 3 * (size_t)sides[k];
                tide_vec3_store(sum, tide_vec3_add(tide_vec3_load(sum), n));
            }
        }
    }
}

// --- pairs

static inline const double *start_of(const tide_proximity *p, uint32_t point)
{
    return p->from + 3 * (size_t)point;
}

// How far two points come closer or further apart, at most.
static inline double relative_motion2(const tide_proximity *p, uint32_t a, uint32_t b)
{
    const double *a0 = p->from + 3 * (size_t)a, *a1 = p->to + 3 * (size_t)a;
    const double *b0 = p->from + 3 * (size_t)b, *b1 = p->to + 3 * (size_t)b;
    double x = a1[0] - a0[0] - (b1[0] - b0[0]), y = a1[1] - a0[1] - (b1[1] - b0[1]),
           z = a1[2] - a0[2] - (b1[2] - b0[2]);
    return x * x + y * y + z * z;
}

// Whether features at `distance2` from one another at the start may come near: all points of the one against all of the
// other, as all weights add up to 1.
static bool within_reach(const tide_proximity *p, const tide_contact_pair *pair, uint32_t firsts, uint32_t seconds,
                         double distance2)
{
    double reach = pair->distance + 2 * p->margin;
    if (distance2 <= reach * reach)
        return true;
    double motion2 = 0;
    for (uint32_t i = 0; i < firsts; i++)
        for (uint32_t k = firsts; k < firsts + seconds; k++)
            motion2 = fmax(motion2, relative_motion2(p, pair->points[i], pair->points[k]));
    return sqrt(distance2) <= (reach + sqrt(motion2)) * (1 + 1e-12);
}

static bool keep(tide_proximity *p, const tide_contact_pair *pair)
{
    if (!tide_grow(&p->pairs, &p->pair_capacity, p->pair_count + 1, sizeof *p->pairs))
        return false;
    p->pairs[p->pair_count++] = *pair;
    return true;
}

static void set_side(tide_contact_pair *pair, tide_vec3 direction, tide_vec3 otherwise)
{
    double length = tide_vec3_length(direction);
    if (!(length > 1e-150)) {
        direction = otherwise;
        length = tide_vec3_length(direction);
    }
    tide_vec3 side = length > 1e-150 ? tide_vec3_scale(direction, 1 / length) : (tide_vec3) { 0, 1, 0 };
    tide_vec3_store(pair->side, side);
}

static inline double apart2(const double *x, uint32_t i, uint32_t j)
{
    double a = x[3 * (size_t)i] - x[3 * (size_t)j], b = x[3 * (size_t)i + 1] - x[3 * (size_t)j + 1];
    double c = x[3 * (size_t)i + 2] - x[3 * (size_t)j + 2];
    return a * a + b * b + c * c;
}

static bool add_points(tide_proximity *p, uint32_t i, uint32_t j)
{
    const tide_contact_surface *s = p->surface;
    uint32_t a = s->part_of[i], b = s->part_of[j];
    double distance = s->parts[a].radius + s->parts[b].radius;
    double reach = distance + 2 * p->margin, distance2 = apart2(p->from, i, j);
    if (distance2 > reach * reach) {
        reach = (reach + sqrt(relative_motion2(p, i, j))) * (1 + 1e-12);
        if (distance2 > reach * reach)
            return true;
    }
    tide_contact_pair pair = { .kind = TIDE_PAIR_POINTS,
                               .points = { i, j },
                               .distance = distance,
                               .key = (uint64_t)i << 32 | j,
                               .from = p->from };
    tide_vec3 d = tide_vec3_subtract(tide_vec3_load(start_of(p, i)), tide_vec3_load(start_of(p, j)));
    set_side(&pair, d, (tide_vec3) { 0, 1, 0 });
    return keep(p, &pair);
}

static bool add_triangle(tide_proximity *p, uint32_t i, uint32_t triangle, double *distance_at_start)
{
    const tide_contact_surface *s = p->surface;
    const uint32_t *corners = s->triangles + 3 * (size_t)triangle;
    const tide_contact_part *a = &s->parts[s->part_of[i]], *b = &s->parts[p->triangle_parts[triangle]];
    tide_contact_pair pair = { .kind = TIDE_PAIR_TRIANGLE,
                               .points = { i, corners[0], corners[1], corners[2] },
                               .distance = a->radius + b->radius,
                               .key = (uint64_t)i << 32 | triangle,
                               .from = p->from };
    const double *x = start_of(p, i), *q[3];
    for (int k = 0; k < 3; k++)
        q[k] = start_of(p, corners[k]);
    double weights[3], distance2 = tide_closest_on_triangle(x, q[0], q[1], q[2], weights);
    if (!within_reach(p, &pair, 1, 3, distance2))
        return true;
    tide_vec3 origin = tide_vec3_load(q[0]), u = tide_vec3_subtract(tide_vec3_load(q[1]), origin);
    tide_vec3 n = tide_vec3_cross(u, tide_vec3_subtract(tide_vec3_load(q[2]), origin));
    bool behind = tide_vec3_dot(n, tide_vec3_subtract(tide_vec3_load(x), origin)) < 0;
    pair.inside = behind && b->solid;
    pair.reversed = behind && !b->solid;
    // Behind a triangle of its own part is where a point of a solid is.
    if (!(tide_vec3_dot(n, n) > 0) || (pair.inside && a == b))
        return true;
    set_side(&pair, pair.reversed ? tide_vec3_scale(n, -1) : n, n);
    *distance_at_start = sqrt(distance2);
    return keep(p, &pair);
}

// How far from the plane of the pair's triangle the point is at the start.
static double height_at_start(const tide_proximity *p, const tide_contact_pair *pair)
{
    tide_vec3 d =
        tide_vec3_subtract(tide_vec3_load(start_of(p, pair->points[0])), tide_vec3_load(start_of(p, pair->points[1])));
    return tide_vec3_dot(d, tide_vec3_load(pair->side));
}

// A point that is behind some triangles of a solid part is within it if it is behind the nearest: then it is to come
// out there. Otherwise they are merely of the part's other sides. Of several as near (about an edge or a corner), the
// one it is most above or below tells.
static uint32_t keep_nearest_inside(tide_proximity *p, tide_contact_pair *pairs, const double *distances,
                                    uint32_t count)
{
    double nearest = HUGE_VAL;
    for (uint32_t i = 0; i < count; i++)
        nearest = fmin(nearest, distances[i]);
    double highest = -1, tie = nearest * (1 + 1e-9) + 1e-300;
    bool within = false;
    for (uint32_t i = 0; i < count; i++) {
        double height = fabs(height_at_start(p, &pairs[i]));
        if (distances[i] <= tie && height > highest) {
            highest = height;
            within = pairs[i].inside;
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool drop = pairs[i].inside && (!within || distances[i] > tie || distances[i] > pairs[i].distance);
        if (!drop)
            pairs[kept++] = pairs[i];
    }
    return kept;
}

// The pairs of one point from `begin` on, which are in the order of their triangles, part by part.
static void settle_inside(tide_proximity *p, size_t begin)
{
    const uint32_t *part_of = p->surface->part_of;
    size_t kept = begin, end = begin;
    for (size_t i = begin; i < p->pair_count; i = end) {
        bool any = false;
        for (end = i; end < p->pair_count && part_of[p->pairs[end].points[1]] == part_of[p->pairs[i].points[1]]; end++)
            any = any || p->pairs[end].inside;
        uint32_t count = (uint32_t)(end - i);
        if (any)
            count = keep_nearest_inside(p, p->pairs + i, p->distances + (i - begin), count);
        memmove(p->pairs + kept, p->pairs + i, count * sizeof *p->pairs);
        kept += count;
    }
    p->pair_count = kept;
}

// Whether the closest points' difference d (from the second edge to the first) leads into a solid part.
static bool leads_inside(const tide_proximity *p, uint32_t i, uint32_t k, tide_vec3 d)
{
    const tide_contact_surface *s = p->surface;
    if (s->parts[p->edge_parts[k]].solid && tide_vec3_dot(d, tide_vec3_load(p->edge_normals + 3 * (size_t)k)) < 0)
        return true;
    return s->parts[p->edge_parts[i]].solid && tide_vec3_dot(d, tide_vec3_load(p->edge_normals + 3 * (size_t)i)) > 0;
}

static bool add_edges(tide_proximity *p, uint32_t i, uint32_t k)
{
    const tide_contact_surface *s = p->surface;
    const tide_contact_part *a = &s->parts[p->edge_parts[i]], *b = &s->parts[p->edge_parts[k]];
    const uint32_t *own = s->edges + 2 * (size_t)i, *other = s->edges + 2 * (size_t)k;
    tide_contact_pair pair = { .kind = TIDE_PAIR_EDGES,
                               .points = { own[0], own[1], other[0], other[1] },
                               .distance = a->radius + b->radius,
                               .key = (uint64_t)i << 32 | k,
                               .from = p->from };
    tide_vec3 q[4];
    for (int n = 0; n < 4; n++)
        q[n] = tide_vec3_load(start_of(p, pair.points[n]));
    double at_i, at_k,
        distance2 = tide_closest_of_segments(start_of(p, pair.points[0]), start_of(p, pair.points[1]),
                                             start_of(p, pair.points[2]), start_of(p, pair.points[3]), &at_i, &at_k);
    if (!within_reach(p, &pair, 2, 2, distance2))
        return true;
    tide_vec3 u = tide_vec3_subtract(q[1], q[0]), v = tide_vec3_subtract(q[3], q[2]);
    tide_vec3 apart = tide_vec3_subtract(q[0], q[2]), cross = tide_vec3_cross(u, v);
    tide_vec3 d = tide_vec3_add(apart, tide_vec3_subtract(tide_vec3_scale(u, at_i), tide_vec3_scale(v, at_k)));
    pair.reversed = tide_vec3_dot(cross, apart) < 0;
    pair.ends = a->triangle_count == 0 && b->triangle_count == 0;
    bool between = at_i > 0 && at_i < 1 && at_k > 0 && at_k < 1;
    if (between && (a->solid || b->solid) && leads_inside(p, i, k, d)) {
        // The other side of something thin, or a ridge that has come through: that is shallow.
        if (a == b || distance2 > 0.25 * pair.distance * pair.distance)
            return true;
        pair.inside = true;
        pair.reversed = !pair.reversed;
        d = tide_vec3_scale(d, -1);
    }
    set_side(&pair, d, tide_vec3_scale(cross, pair.reversed ? -1 : 1));
    return keep(p, &pair);
}

// --- finding

static bool find_points(tide_proximity *p)
{
    const items *points = &p->of[POINTS];
    const candidates *near = &p->near[POINTS];
    for (uint32_t n = 0; n < points->count; n++) {
        uint32_t i = points->features[n];
        const double *box = p->boxes + 6 * (size_t)i;
        for (uint32_t k = near->starts[n]; k < near->starts[n + 1]; k++) {
            uint32_t other = near->others[k];
            if (tide_boxes_overlap(box, p->boxes + 6 * (size_t)other) && !add_points(p, i, other))
                return false;
        }
    }
    return true;
}

static bool find_triangles(tide_proximity *p)
{
    const items *triangles = &p->of[TRIANGLES];
    const candidates *near = &p->near[TRIANGLES];
    for (uint32_t n = 0; n < p->meeting.count; n++) {
        uint32_t i = p->meeting.features[n], first = near->starts[n], count = near->starts[n + 1] - first;
        const double *box = p->boxes + 6 * (size_t)i;
        if (!tide_grow(&p->distances, &p->distance_capacity, count, sizeof *p->distances))
            return false;
        size_t begin = p->pair_count;
        for (uint32_t k = first; k < first + count; k++) {
            uint32_t triangle = near->others[k];
            if (tide_boxes_overlap(box, triangles->boxes + 6 * (size_t)p->triangle_at[triangle]) &&
                !add_triangle(p, i, triangle, p->distances + (p->pair_count - begin)))
                return false;
        }
        settle_inside(p, begin);
    }
    return true;
}

static bool find_edges(tide_proximity *p)
{
    const items *edges = &p->of[EDGES];
    const candidates *near = &p->near[EDGES];
    for (uint32_t n = 0; n < edges->count; n++) {
        const double *box = edges->boxes + 6 * (size_t)n;
        for (uint32_t k = near->starts[n]; k < near->starts[n + 1]; k++) {
            uint32_t other = near->others[k];
            if (tide_boxes_overlap(box, edges->boxes + 6 * (size_t)p->edge_at[other]) &&
                !add_edges(p, edges->features[n], other))
                return false;
        }
    }
    return true;
}

static void box_all_items(tide_proximity *p, const double *boxes)
{
    box_items(boxes, &p->of[TRIANGLES], p->surface->triangles, 3);
    box_items(boxes, &p->of[EDGES], p->surface->edges, 2);
}

static tide_status list_candidates(tide_proximity *p, tide_error *error)
{
    p->listed = false;
    hold_points(p);
    box_all_items(p, p->held);
    box_items(p->held, &p->of[POINTS], NULL, 1);
    tide_status status = tide_proximity_list(p, error);
    p->listed = status == TIDE_OK;
    return status;
}

tide_status tide_proximity_find(tide_proximity *p, const double *from, const double *to, double margin,
                                tide_error *error)
{
    const tide_contact_surface *s = p->surface;
    tide_status status = TIDE_OK;
    p->pair_count = 0;
    p->to = to;
    p->margin = margin;
    memcpy(p->from, from, 3 * (size_t)s->point_count * sizeof *from);
    box_points(p);
    if (!is_held(p))
        status = list_candidates(p, error);
    if (status != TIDE_OK)
        return status;
    box_all_items(p, p->boxes);
    find_edge_normals(p);
    if (!find_points(p) || !find_triangles(p) || !find_edges(p)) {
        p->pair_count = 0;
        return tide_fail_memory(error, "contact pairs");
    }
    return TIDE_OK;
}

const tide_contact_pair *tide_proximity_pairs(const tide_proximity *p, uint32_t *count)
{
    *count = (uint32_t)p->pair_count;
    return p->pairs;
}
