#include "base/vec3.h"
#include "geometry/bvh.h"

#include <string.h>

// Finds the closest point of the edge from u to v, which are the corners i and j of the triangle.
static void closest_on_edge(tide_vec3 u, tide_vec3 v, tide_vec3 p, uint32_t i, uint32_t j, tide_bvh_point *closest)
{
    tide_vec3 along = tide_vec3_subtract(v, u);
    double squared = tide_vec3_dot(along, along), t = tide_vec3_dot(tide_vec3_subtract(p, u), along);
    t = t > 0 ? (t < squared ? t / squared : 1) : 0;
    // From the nearer end, so that the ends are exact.
    tide_vec3 at =
        t <= 0.5 ? tide_vec3_add(u, tide_vec3_scale(along, t)) : tide_vec3_subtract(v, tide_vec3_scale(along, 1 - t));
    tide_vec3 d = tide_vec3_subtract(p, at);
    double distance = tide_vec3_dot(d, d);
    if (closest->squared <= distance)
        return;
    closest->squared = distance;
    memset(closest->weights, 0, sizeof closest->weights);
    closest->weights[i] = 1 - t;
    closest->weights[j] = t;
    tide_vec3_store(closest->position, at);
    closest->on = t > 0 && t < 1 ? TIDE_BVH_EDGE : TIDE_BVH_CORNER;
    closest->which = t >= 1 ? j : i;
}

void tide_bvh_closest_on_triangle(const double a[3], const double b[3], const double c[3], const double p[3],
                                  tide_bvh_point *closest)
{
    const tide_vec3 corner[3] = { tide_vec3_load(a), tide_vec3_load(b), tide_vec3_load(c) }, point = tide_vec3_load(p);
    tide_vec3 ab = tide_vec3_subtract(corner[1], corner[0]), ac = tide_vec3_subtract(corner[2], corner[0]);
    tide_vec3 normal = tide_vec3_cross(ab, ac), d = tide_vec3_subtract(point, corner[0]);
    double squared = tide_vec3_dot(normal, normal);
    // Barycentric weights of the projection on the plane, each times `squared`.
    double weight[3], longest = fmax(tide_vec3_dot(ab, ab), tide_vec3_dot(ac, ac));
    bool flat = squared <= 1e-24 * longest * longest; // then the normal is rounding error
    weight[1] = tide_vec3_dot(tide_vec3_cross(d, ac), normal);
    weight[2] = tide_vec3_dot(tide_vec3_cross(ab, d), normal);
    weight[0] = squared - weight[1] - weight[2];
    if (!flat && weight[0] > 0 && weight[1] > 0 && weight[2] > 0) {
        double height = tide_vec3_dot(d, normal);
        closest->squared = height * height / squared;
        tide_vec3_store(closest->position, tide_vec3_subtract(point, tide_vec3_scale(normal, height / squared)));
        for (int k = 0; k < 3; k++)
            closest->weights[k] = weight[k] / squared;
        closest->on = TIDE_BVH_FACE;
        closest->which = 0;
        return;
    }
    // The closest point is on an edge that separates the projection from the triangle.
    closest->squared = INFINITY;
    closest->on = TIDE_BVH_CORNER;
    closest->which = 0;
    for (uint32_t k = 0; k < 3; k++)
        if (flat || weight[(k + 2) % 3] <= 0)
            closest_on_edge(corner[k], corner[(k + 1) % 3], point, k, (k + 1) % 3, closest);
    if (closest->on == TIDE_BVH_EDGE)
        closest->which = closest->weights[2] == 0 ? 0 : (closest->weights[0] == 0 ? 1 : 2);
}
