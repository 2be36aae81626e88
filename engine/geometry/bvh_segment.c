#include "base/vec3.h"
#include "geometry/bvh.h"

enum { STACK = 128 };

// Tells whether the box contains a point of the segment up to `at`.
static bool meets_box(const tide_bvh_node *node, const double start[3], const double way[3], double at)
{
    double from = 0, to = at;
    for (int k = 0; k < 3; k++) {
        double lower = node->lower[k] - start[k], upper = node->upper[k] - start[k];
        if (way[k] == 0) {
            if (lower > 0 || upper < 0)
                return false;
            continue;
        }
        double enter = (way[k] > 0 ? lower : upper) / way[k], leave = (way[k] > 0 ? upper : lower) / way[k];
        // Widened by more than rounding, so that no triangle in the box is missed.
        enter -= 1e-14 * fabs(enter);
        leave += 1e-14 * fabs(leave);
        from = enter > from ? enter : from;
        to = leave < to ? leave : to;
        if (from > to)
            return false;
    }
    return true;
}

// Tests a triangle by the signs of the volumes that the segment spans with each edge. Both triangles at an edge compute
// the same number for it, up to the sign, so that nothing slips through between them.
static bool meets_triangle(const double *a, const double *b, const double *c, tide_vec3 start, tide_vec3 way,
                           tide_bvh_hit *hit)
{
    const tide_vec3 corner[3] = { tide_vec3_subtract(tide_vec3_load(a), start),
                                  tide_vec3_subtract(tide_vec3_load(b), start),
                                  tide_vec3_subtract(tide_vec3_load(c), start) };
    double volume[3], sum = 0;
    for (int k = 0; k < 3; k++)
        volume[k] = tide_vec3_dot(way, tide_vec3_cross(corner[(k + 2) % 3], corner[(k + 1) % 3]));
    bool in = volume[0] >= 0 && volume[1] >= 0 && volume[2] >= 0;
    bool out = volume[0] <= 0 && volume[1] <= 0 && volume[2] <= 0;
    sum = volume[0] + volume[1] + volume[2];
    if ((!in && !out) || sum == 0)
        return false;
    tide_vec3 normal =
        tide_vec3_cross(tide_vec3_subtract(corner[1], corner[0]), tide_vec3_subtract(corner[2], corner[0]));
    double along = tide_vec3_dot(way, normal);
    if (along == 0)
        return false;
    hit->at = tide_vec3_dot(corner[0], normal) / along;
    hit->inward = along < 0;
    for (int k = 0; k < 3; k++)
        hit->weights[k] = volume[k] / sum;
    return hit->at >= 0 && hit->at <= 1;
}

bool tide_bvh_segment(const tide_bvh *bvh, const double start[3], const double end[3], tide_bvh_hit *hit)
{
    const double way[3] = { end[0] - start[0], end[1] - start[1], end[2] - start[2] };
    tide_vec3 from = tide_vec3_load(start), along = tide_vec3_load(way);
    uint32_t stack[STACK], height = 0;
    bool found = false;
    double best = 1;
    stack[height++] = 0;
    while (height > 0) {
        uint32_t index = stack[--height];
        const tide_bvh_node *node = &bvh->nodes[index];
        if (!meets_box(node, start, way, best))
            continue;
        for (uint32_t place = node->first; place < node->first + node->count; place++) {
            const uint32_t *corner = bvh->corners + 3 * (size_t)place;
            tide_bvh_hit one;
            if (!meets_triangle(bvh->from + 3 * (size_t)corner[0], bvh->from + 3 * (size_t)corner[1],
                                bvh->from + 3 * (size_t)corner[2], from, along, &one))
                continue;
            one.triangle = bvh->order[place];
            if (!found || one.at < best || (one.at == best && one.triangle < hit->triangle)) {
                *hit = one;
                best = one.at;
                found = true;
            }
        }
        if (node->count > 0)
            continue;
        // The child that the segment enters first is visited first: the one whose centre comes first along it.
        uint32_t first = index + 1, second = node->first;
        double order = 0;
        for (int k = 0; k < 3; k++)
            order += way[k] * (bvh->nodes[second].lower[k] + bvh->nodes[second].upper[k] - bvh->nodes[first].lower[k] -
                               bvh->nodes[first].upper[k]);
        stack[height++] = order >= 0 ? second : first;
        stack[height++] = order >= 0 ? first : second;
    }
    return found;
}
