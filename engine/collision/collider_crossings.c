// Crossings with colliders: vertices inside, and triangles and edges of strands that enter between their corners.
#include "base/elementary.h"
#include "base/vec3.h"
#include "collision/crossing_search_parts.h"
#include "geometry/predicates.h"

#include <math.h>
#include <string.h>

#define ROUNDING 0x1p-44  // of the largest coordinate: depths up to it are rounding
#define LEAST_CONVEX 1e-6 // of the longest edge: pieces that are not divided further
#define LEAST_OTHER (1.0 / 32)
enum { RAYS = 16, STACK = 64, MOST_PIECES = 20000 };

static bool is_held(const tide_crossing_search *s, uint32_t point, uint32_t collider)
{
    return s->held && s->held[point] == collider;
}

static bool is_searched(const tide_crossing_search *s, uint32_t part)
{
    return !s->surface->parts[part].fixed && !s->carrying[part] && s->surface->parts[part].point_count > 0;
}

static bool all_fixed(const tide_crossing_search *s, const uint32_t *points, int count)
{
    bool fixed = true;
    for (int i = 0; i < count; i++)
        fixed = fixed && s->surface->inverse_masses[points[i]] == 0;
    return fixed;
}

static void note_vertex(tide_crossing_search *s, uint32_t part, uint32_t point, uint32_t collider, bool let_pass)
{
    tide_crossing crossing = { .kind = TIDE_CROSSING_VERTEX,
                               part,
                               point,
                               TIDE_CROSSING_NONE,
                               TIDE_CROSSING_NONE,
                               .collider = collider,
                               .let_pass = let_pass || all_fixed(s, &point, 1) };
    memcpy(crossing.place, tide_crossing_point(s, point), sizeof crossing.place);
    tide_crossing_note(s, &crossing);
}

// --- inside a mesh ---------------------------------------------------------------------------------------------------

typedef enum ray_result { RAY_MISSES, RAY_ENTERS, RAY_LEAVES, RAY_BEGINS_ON_IT, RAY_UNDECIDED } ray_result;

// How the segment from p, to a place outside the mesh, meets a triangle. Undecided: it meets the boundary.
static ray_result meet(const double *p, const double *q, const double *const t[3])
{
    int of_p = tide_orient3d(t[0], t[1], t[2], p), of_q = tide_orient3d(t[0], t[1], t[2], q), above = 0, below = 0;
    if (of_p == of_q)
        return of_p == 0 ? RAY_UNDECIDED : RAY_MISSES;
    for (int k = 0; k < 3; k++) {
        int side = tide_orient3d(p, q, t[k], t[(k + 1) % 3]);
        above += side > 0;
        below += side < 0;
    }
    if (above && below)
        return RAY_MISSES;
    if (of_p == 0)
        return RAY_BEGINS_ON_IT;
    if (above + below < 3)
        return of_q == 0 ? RAY_MISSES : RAY_UNDECIDED;
    return of_q == 0 ? RAY_MISSES : of_p > 0 ? RAY_LEAVES : RAY_ENTERS;
}

// Computes the winding number of a collider's mesh at p by one ray. Returns false if the ray does not decide it.
static bool count_windings(tide_crossing_search *s, const tide_contact_part *part, const double *p, int ray, int *sum)
{
    const double *bounds = s->part_boxes[part - s->surface->parts];
    double size = 0, q[3], ends[6];
    for (int k = 0; k < 3; k++)
        size = fmax(size, bounds[3 + k] - bounds[k]);
    q[0] = bounds[3] + size;
    // Rays after the first are a little oblique, each in another direction.
    q[1] = p[1] + 1e-3 * size * ray * tide_cos(ray);
    q[2] = p[2] + 1e-3 * size * ray * tide_sin(ray);
    for (int k = 0; k < 3; k++) {
        ends[k] = fmin(p[k], q[k]);
        ends[3 + k] = fmax(p[k], q[k]);
    }
    *sum = 0;
    uint32_t count = tide_crossing_query(s, ends, part->first_triangle);
    for (uint32_t n = 0; n < count && s->found[n] < part->first_triangle + part->triangle_count; n++) {
        const double *t[3];
        tide_crossing_corners(s, s->found[n], t);
        ray_result result = meet(p, q, t);
        if (result == RAY_UNDECIDED)
            return false;
        if (result == RAY_BEGINS_ON_IT) {
            *sum = 0;
            return true;
        }
        *sum += result == RAY_LEAVES ? 1 : result == RAY_ENTERS ? -1 : 0;
    }
    return true;
}

static bool is_in_box(const double *p, const double *box)
{
    return p[0] >= box[0] && p[0] <= box[3] && p[1] >= box[1] && p[1] <= box[4] && p[2] >= box[2] && p[2] <= box[5];
}

static bool is_inside_mesh(tide_crossing_search *s, const tide_contact_part *part, uint32_t point)
{
    const double *p = tide_crossing_point(s, point);
    int sum = 0, ray = 0;
    size_t index = (size_t)(part - s->surface->parts);
    if (!is_in_box(p, s->part_boxes[index]))
        return false;
    while (ray < RAYS && !count_windings(s, part, p, ray, &sum))
        ray++;
    s->result.complete = s->result.complete && ray < RAYS;
    return ray < RAYS && s->outward[index] * sum >= 1;
}

static void search_inside_mesh(tide_crossing_search *s, const tide_contact_part *mesh)
{
    const tide_contact_surface *f = s->surface;
    for (uint32_t part = 0; part < f->part_count; part++) {
        size_t fixed = (size_t)(mesh - f->parts);
        if (!is_searched(s, part) || !tide_boxes_overlap(s->part_boxes[part], s->part_boxes[fixed]))
            continue;
        for (uint32_t i = 0; i < f->parts[part].point_count; i++) {
            uint32_t point = f->parts[part].first_point + i;
            if (!is_held(s, point, mesh->collider) && is_inside_mesh(s, mesh, point))
                note_vertex(s, part, point, mesh->collider, !f->touching[(size_t)part * f->part_count + fixed]);
        }
    }
}

// --- other shapes: by the signed distance ----------------------------------------------------------------------------

typedef struct shape_search {
    const tide_collider *collider;
    uint32_t index;
    double bounds[6]; // of its inside
    double rounding;  // m
} shape_search;

typedef struct piece {
    double corner[3][3]; // in the collider's frame
} piece;

static tide_vec3 way_of(const double *a, const double *b)
{
    return tide_vec3_subtract(tide_vec3_load(b), tide_vec3_load(a));
}

// Returns the longest edge, and sets *k to the corner at which it begins.
static double longest_edge(const piece *p, int *k)
{
    double longest = -1;
    for (int i = 0; i < 3; i++) {
        double length = tide_vec3_length(way_of(p->corner[i], p->corner[(i + 1) % 3]));
        if (length > longest) {
            longest = length;
            *k = i;
        }
    }
    return longest;
}

// Bounds the distance on a piece from below. Sets `middle`, and *value there. A convex function is above its tangent.
static double least_distance(const tide_distance *distance, const piece *p, double middle[3], double *value)
{
    double gradient[3], least = INFINITY, farthest = 0;
    for (int k = 0; k < 3; k++)
        middle[k] = (p->corner[0][k] + p->corner[1][k] + p->corner[2][k]) / 3;
    *value = tide_distance_at(distance, middle, gradient);
    for (int i = 0; i < 3; i++) {
        tide_vec3 way = way_of(middle, p->corner[i]);
        least = fmin(least, *value + tide_vec3_dot(tide_vec3_load(gradient), way));
        farthest = fmax(farthest, tide_vec3_length(way));
    }
    double steep = *value - distance->steepest * farthest;
    return distance->kind->convex ? fmax(least, steep) : steep;
}

// Tells whether a triangle whose corners are outside enters the shape. Divides it at the middle of its longest edge
// until the bound decides. Sets `place`, in the collider's frame.
static bool enters(const shape_search *c, const piece *whole, double place[3])
{
    const tide_distance *distance = c->collider->shape.distance;
    piece stack[STACK];
    int height = 0, k = 0;
    double least_size = (distance->kind->convex ? LEAST_CONVEX : LEAST_OTHER) * longest_edge(whole, &k);
    stack[height++] = *whole;
    for (int pieces = 0; height > 0 && pieces < MOST_PIECES; pieces++) {
        piece p = stack[--height];
        double value;
        if (least_distance(distance, &p, place, &value) >= -c->rounding)
            continue;
        if (value < -c->rounding)
            return true;
        if (longest_edge(&p, &k) <= least_size || height + 2 > STACK)
            continue;
        double middle[3];
        for (int i = 0; i < 3; i++)
            middle[i] = 0.5 * (p.corner[k][i] + p.corner[(k + 1) % 3][i]);
        stack[height] = stack[height + 1] = p;
        memcpy(stack[height++].corner[k], middle, sizeof middle);
        memcpy(stack[height++].corner[(k + 1) % 3], middle, sizeof middle);
    }
    return false;
}

// Returns the square of the diagonal of the bounds of a feature, which no edge of it exceeds.
static double squared_size(const tide_crossing_search *s, const uint32_t *corners, int count)
{
    double box[6], sum = 0;
    tide_crossing_box(s, corners, count, box);
    for (int k = 0; k < 3; k++)
        sum += (box[3 + k] - box[k]) * (box[3 + k] - box[k]);
    return sum;
}

// Notes a triangle (or an edge of a strand) that enters the collider between its corners, which are outside.
static void test_entry(tide_crossing_search *s, const shape_search *c, uint32_t part, uint32_t item,
                       const uint32_t *corners, int count)
{
    piece p;
    double least = INFINITY, steepest = c->collider->shape.distance->steepest, place[3];
    bool held = false;
    for (int i = 0; i < count; i++) {
        least = s->depths[corners[i]] < least ? s->depths[corners[i]] : least;
        held = held || is_held(s, corners[i], c->index);
    }
    bool far = least > 0 && least * least > steepest * steepest * squared_size(s, corners, count);
    if (held || far || least < -c->rounding)
        return;
    for (int i = 0; i < 3; i++)
        tide_pose_apply_inverse(&c->collider->start, tide_crossing_point(s, corners[i < count ? i : count - 1]),
                                p.corner[i]);
    if (!enters(c, &p, place))
        return;
    tide_crossing crossing = { .kind = TIDE_CROSSING_ENTRY,
                               part,
                               item,
                               TIDE_CROSSING_NONE,
                               TIDE_CROSSING_NONE,
                               .collider = c->index,
                               .is_edge = count == 2,
                               .let_pass = !s->surface->parts[part].against_colliders || all_fixed(s, corners, count) };
    tide_pose_apply(&c->collider->start, place, crossing.place);
    tide_crossing_note(s, &crossing);
}

// Returns the distance from the collider or, outside of its bounds, a lower bound: the distance from them.
static double depth_of(const tide_crossing_search *s, const shape_search *c, uint32_t point)
{
    const double *p = tide_crossing_point(s, point);
    double squared = 0, own[3];
    for (int k = 0; k < 3; k++) {
        double off = p[k] < c->bounds[k] ? c->bounds[k] - p[k] : p[k] > c->bounds[3 + k] ? p[k] - c->bounds[3 + k] : 0;
        squared += off * off;
    }
    if (squared > 0)
        return sqrt(squared);
    tide_pose_apply_inverse(&c->collider->start, p, own);
    return tide_distance_at(c->collider->shape.distance, own, NULL);
}

static void search_part(tide_crossing_search *s, const shape_search *c, uint32_t index)
{
    const tide_contact_surface *f = s->surface;
    const tide_contact_part *part = &f->parts[index];
    for (uint32_t point = part->first_point; point < part->first_point + part->point_count; point++) {
        s->depths[point] = depth_of(s, c, point);
        if (s->depths[point] < -c->rounding && !is_held(s, point, c->index))
            note_vertex(s, index, point, c->index, !part->against_colliders);
    }
    for (uint32_t t = part->first_triangle; t < part->first_triangle + part->triangle_count; t++)
        test_entry(s, c, index, t, f->triangles + 3 * (size_t)t, 3);
    for (uint32_t e = part->first_edge; e < part->first_edge + part->edge_count && part->triangle_count == 0; e++)
        test_entry(s, c, index, e, f->edges + 2 * (size_t)e, 2);
}

// Distances are computed from differences to the position, in the frame: their rounding is that of these coordinates.
static double rounding_of(const tide_crossing_search *s, const tide_collider *collider, uint32_t part)
{
    double largest = 0;
    for (int k = 0; k < 3; k++) {
        const double *box = s->part_boxes[part];
        largest = fmax(largest, fabs(collider->start.position[k]));
        largest = fmax(largest, fmax(fabs(box[k]), fabs(box[3 + k])));
    }
    return ROUNDING * largest;
}

static void search_shape(tide_crossing_search *s, const tide_collider *collider, uint32_t index)
{
    shape_search c = { .collider = collider, .index = index };
    tide_collider_bounds(collider, 1, 1, c.bounds, c.bounds + 3);
    for (uint32_t part = 0; part < s->surface->part_count; part++) {
        if (!is_searched(s, part) || !tide_boxes_overlap(s->part_boxes[part], c.bounds))
            continue;
        c.rounding = rounding_of(s, collider, part);
        search_part(s, &c, part);
    }
}

void tide_crossing_search_colliders(tide_crossing_search *s, tide_collider *const *colliders, uint32_t count)
{
    const tide_contact_surface *f = s->surface;
    for (uint32_t c = 0; c < count; c++) {
        const tide_contact_part *mesh = NULL;
        for (uint32_t part = 0; part < f->part_count; part++)
            mesh = f->parts[part].fixed && f->parts[part].collider == c ? &f->parts[part] : mesh;
        if (mesh && !colliders[c]->shape.distance->kind->open)
            search_inside_mesh(s, mesh);
        else if (!mesh && !colliders[c]->shape.distance->kind->open)
            search_shape(s, colliders[c], c);
    }
}
