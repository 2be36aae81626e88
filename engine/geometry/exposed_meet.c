#include "geometry/exposed_parts.h"

static bool has_vertex(const tide_facet *t, uint32_t vertex)
{
    return t->vertex[0] == vertex || t->vertex[1] == vertex || t->vertex[2] == vertex;
}

// Computes the heights of the corners of `u` above the plane of `t`, m; 0 within the tolerance. Returns bits: 1: some
// above, 2: some below.
static int heights_above(const tide_facet *t, const tide_facet *u, double tolerance, double heights[3])
{
    int sides = 0;
    for (int k = 0; k < 3; k++) {
        double h = tide_vec3_dot(t->normal, tide_vec3_subtract(u->corner[k], t->corner[0]));
        heights[k] = has_vertex(t, u->vertex[k]) || fabs(h) <= tolerance ? 0 : h;
        sides |= heights[k] > 0 ? 1 : (heights[k] < 0 ? 2 : 0);
    }
    return sides;
}

// Finds the part of a triangle at height 0. Returns false when it is at most a point.
static bool part_in_plane(const tide_facet *u, const double heights[3], tide_vec3 segment[2])
{
    int count = 0;
    for (int k = 0; k < 3 && count < 2; k++) {
        int next = (k + 1) % 3;
        if (heights[k] == 0)
            segment[count++] = u->corner[k];
        else if (heights[k] * heights[next] < 0)
            segment[count++] =
                tide_vec3_add(u->corner[k], tide_vec3_scale(tide_vec3_subtract(u->corner[next], u->corner[k]),
                                                            heights[k] / (heights[k] - heights[next])));
    }
    return count == 2;
}

// Tells whether two collinear segments have more than a point in common.
static bool segments_overlap(const tide_vec3 a[2], const tide_vec3 b[2], double tolerance)
{
    tide_vec3 along = tide_vec3_subtract(a[1], a[0]);
    double length = tide_vec3_length(along);
    if (length <= tolerance)
        return false;
    double from = tide_vec3_dot(tide_vec3_subtract(b[0], a[0]), along) / length;
    double to = tide_vec3_dot(tide_vec3_subtract(b[1], a[0]), along) / length;
    return fmin(length, fmax(from, to)) - fmax(0, fmin(from, to)) > tolerance;
}

// Tells whether a line along an edge of `t` separates two coplanar triangles.
static bool is_separated(const tide_facet *t, const tide_facet *u, double tolerance)
{
    for (int k = 0; k < 3; k++) {
        tide_vec3 edge = tide_vec3_subtract(t->corner[(k + 1) % 3], t->corner[k]);
        tide_vec3 inward = tide_vec3_normalize(tide_vec3_cross(t->normal, edge));
        double highest = -INFINITY;
        for (int i = 0; i < 3; i++)
            highest = fmax(highest, tide_vec3_dot(inward, tide_vec3_subtract(u->corner[i], t->corner[k])));
        if (highest <= tolerance)
            return true;
    }
    return false;
}

tide_meeting tide_facets_meet(const tide_facet *t, const tide_facet *u, double tolerance, tide_vec3 segment[2])
{
    double of_u[3], of_t[3];
    tide_vec3 in_plane[2], other[2];
    int sides = heights_above(t, u, tolerance, of_u);
    if ((sides == 1 || sides == 2) && (of_u[0] != 0) + (of_u[1] != 0) + (of_u[2] != 0) > 1)
        return TIDE_MEET_APART; // on one side, with at most one corner in the plane
    int opposite = heights_above(u, t, tolerance, of_t);
    if (sides == 0 || opposite == 0)
        return is_separated(t, u, tolerance) || is_separated(u, t, tolerance) ? TIDE_MEET_APART : TIDE_MEET_COPLANAR;
    int shared = has_vertex(t, u->vertex[0]) + has_vertex(t, u->vertex[1]) + has_vertex(t, u->vertex[2]);
    if (shared >= 2 || !part_in_plane(u, of_u, in_plane) || !part_in_plane(t, of_t, other) ||
        !segments_overlap(in_plane, other, tolerance))
        return TIDE_MEET_APART;
    segment[0] = in_plane[0];
    segment[1] = in_plane[1];
    return TIDE_MEET_CROSSING;
}
