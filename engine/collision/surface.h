// The contact surface: all points that may touch, and the edges and triangles between them. Points are the particles of
// all bodies, then the vertices of embedded fine surfaces, then those of moving mesh colliders, which contact does not
// move. Arrays of positions are (3 * point_count), interleaved, m.
#ifndef TIDE_COLLISION_SURFACE_H
#define TIDE_COLLISION_SURFACE_H

#include "base/error.h"
#include "base/vec3.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A group of points with common properties: a body, or the mesh of a collider.
typedef struct tide_contact_part {
    uint32_t first_point, point_count;
    uint32_t first_edge, edge_count;         // of the triangles; without triangles, of the lines
    uint32_t first_triangle, triangle_count; // 0: lines (bristles, hair) or points
    double radius;                // m, half of the thickness: two parts keep a distance of the sum of their radii
    double reach;                 // m: bound on the displacement of a point by one response within an iteration
    double friction, restitution; // friction may be TIDE_NOT_GIVEN: that of the other side counts
    double friction_ratio;        // of the coefficients across and along the axes below; 0: alike in all directions
    uint32_t material;            // 0: none
    double rolling;               // m: coefficient of rolling friction
    bool rigid;                   // its points are carried by the same four particles, which move as one
    bool against_colliders;
    bool solid;        // triangles have an inside: points are to be on their outer side
    bool fixed;        // its points have no inverse mass: two fixed parts never touch
    bool guarded;      // fixed part: the distance of its collider keeps points off its triangles, pairs need not
    bool deforms;      // fixed part: its points move in the collider's frame; `rest` holds their first positions
    uint32_t collider; // fixed part: the index of its collider; `rest` is then in the collider's own frame
} tide_contact_part;

typedef struct tide_contact_surface {
    uint32_t point_count, edge_count, triangle_count, part_count;
    tide_contact_part *parts; // (part_count), ranges ascending and without gaps
    uint32_t *part_of;        // (point_count)
    uint32_t *edges;          // (2 * edge_count) points
    uint32_t *triangles;      // (3 * triangle_count) points
    uint32_t carried_count;   // points after the particles, each a weighted sum of four particles
    uint32_t *carriers;       // (4 * carried_count) particles
    double *carrier_weights;  // (4 * carried_count), sums of 1
    double *inverse_masses;   // (point_count) 1/kg; 0: held or fixed
    double *rest; // (3 * point_count) m: undeformed positions; features of a part that are near there do not touch
    // Smooth features of fixed parts; NULL: none. They are left out of proximity: a body whose points all stay off the
    // smooth surface also stays off with its edges and triangles. Swept tests include them.
    bool *smooth_edges, *smooth_points; // (edge_count), (point_count)
    // Axes of friction of points that are not fixed: the unit vector along the sum of axis_weights[i] times the place
    // of point axis_points[i], over the i from axis_starts[p] up to, not including, axis_starts[p + 1]. NULL: none.
    uint32_t *axis_starts, *axis_points; // (point_count + 1)
    double *axis_weights;
    uint32_t material_count;      // 1 and those of pairs
    double *pair_friction;        // (material_count^2), symmetric; TIDE_NOT_GIVEN: no pair
    uint32_t *collider_materials; // (collider_count); NULL: none
    bool *touching;               // (part_count * part_count), symmetric; on the diagonal: self-contact
    // Points that are held together, as by a seam. Features with a joined point each do not touch, as if they shared
    // it. The points joined to p are joined[joined_starts[p]] up to, not including, joined[joined_starts[p + 1]]. NULL,
    // both: none.
    uint32_t *joined_starts, *joined; // (point_count + 1), symmetric
    // Points on the wrong side of a part, which are being pulled back: 1 + that part; TIDE_TANGLED_ALL: of several; 0:
    // none. Their features do not touch that part. NULL: none at all. Owned by contact/tangle.h.
    const uint32_t *tangled; // (point_count)
    // Points that stay inside a collider for now. Their features do not touch meshes of colliders. NULL: none. Owned by
    // the contacts.
    const bool *penetrating; // (point_count)
} tide_contact_surface;
enum { TIDE_TANGLED_ALL = UINT32_MAX };

static inline bool tide_contact_may_touch(const tide_contact_surface *s, uint32_t a, uint32_t b) // parts
{
    return s->touching[(size_t)a * s->part_count + b] && !(s->parts[a].fixed && s->parts[b].fixed);
}
// Tells whether a part may touch any part from index `first` on.
static inline bool tide_contact_touches_from(const tide_contact_surface *s, uint32_t part, uint32_t first)
{
    for (uint32_t other = first; other < s->part_count; other++)
        if (tide_contact_may_touch(s, part, other))
            return true;
    return false;
}

// Computes the mean of the points of parts that are not fixed.
static inline void tide_contact_mean(const tide_contact_surface *s, const double *x, double mean[3])
{
    uint32_t count = 0;
    mean[0] = mean[1] = mean[2] = 0;
    for (const tide_contact_part *part = s->parts; part < s->parts + s->part_count; part++) {
        if (part->fixed)
            continue;
        count += part->point_count;
        double sum[3] = { mean[0], mean[1], mean[2] };
        for (size_t n = 3 * (size_t)part->first_point, end = n + 3 * (size_t)part->point_count; n < end; n += 3) {
            sum[0] += x[n];
            sum[1] += x[n + 1];
            sum[2] += x[n + 2];
        }
        for (int k = 0; k < 3; k++)
            mean[k] = sum[k];
    }
    for (int k = 0; k < 3 && count > 0; k++)
        mean[k] /= count;
}

// Returns the sum of the lengths (m) of a part's edges at rest; 0 where the surface does not know them.
static inline double tide_contact_edges_at_rest(const tide_contact_surface *s, const tide_contact_part *part)
{
    double sum = 0;
    for (uint32_t e = part->first_edge; e < part->first_edge + part->edge_count && s->rest; e++) {
        const uint32_t *ends = s->edges + 2 * (size_t)e;
        sum += tide_vec3_length(tide_vec3_subtract(tide_vec3_load(s->rest + 3 * (size_t)ends[0]),
                                                   tide_vec3_load(s->rest + 3 * (size_t)ends[1])));
    }
    return sum;
}

static inline bool tide_contact_joined(const tide_contact_surface *s, uint32_t a, uint32_t b)
{
    for (uint32_t i = s->joined_starts ? s->joined_starts[a] : 0; s->joined_starts && i < s->joined_starts[a + 1]; i++)
        if (s->joined[i] == b)
            return true;
    return false;
}
static inline bool tide_contact_tangled_with(const tide_contact_surface *s, uint32_t point, uint32_t part)
{
    return s->tangled[point] == part + 1 || s->tangled[point] == TIDE_TANGLED_ALL;
}
// Tells whether any of four points stays inside a collider, and the first `count` or the others are a collider's.
static inline bool tide_contact_any_penetrating(const tide_contact_surface *s, const uint32_t points[4], int count)
{
    return s->penetrating && (s->parts[s->part_of[points[0]]].fixed || s->parts[s->part_of[points[count]]].fixed) &&
           (s->penetrating[points[0]] || s->penetrating[points[1]] || s->penetrating[points[2]] ||
            s->penetrating[points[3]]);
}
// Tells whether any of the first `count` of four points is on the wrong side of the part of the others, or the other
// way round; or stays inside a collider.
static inline bool tide_contact_any_tangled(const tide_contact_surface *s, const uint32_t points[4], int count)
{
    if (tide_contact_any_penetrating(s, points, count))
        return true;
    for (int i = 0; i < 4 && s->tangled; i++)
        if (tide_contact_tangled_with(s, points[i], s->part_of[points[i < count ? count : 0]]))
            return true;
    return false;
}
// Tells whether any of the first `count` of four points is joined to any of the others.
static inline bool tide_contact_any_joined(const tide_contact_surface *s, const uint32_t points[4], int count)
{
    for (int a = 0; a < count && s->joined_starts; a++)
        for (int b = count; b < 4 && s->joined_starts[points[a]] < s->joined_starts[points[a] + 1]; b++)
            if (tide_contact_joined(s, points[a], points[b]))
                return true;
    return false;
}

#endif
