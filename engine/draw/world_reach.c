// The extent of a world, for cameras and for the ground below it.
#include "draw/world_view.h"

#include "base/vec3.h"

#include <math.h>

enum { MAX_PINS = 32 };

static double along(const float up[3], const double p[3])
{
    return (double)up[0] * p[0] + (double)up[1] * p[1] + (double)up[2] * p[2];
}

static tide_vec3 vertex_of(const tide_world *world, tide_body_id id, uint32_t vertex)
{
    double x[3] = { NAN, NAN, NAN };
    tide_world_vertex(world, id, vertex, x, NULL);
    return tide_vec3_load(x);
}

static double height_of(const float up[3], tide_vec3 x)
{
    return along(up, (const double[]) { x.x, x.y, x.z });
}

// Returns how far down a body can hang: no vertex gets farther from a pin than at the start, plus some stretching.
static double lowest_reach(tide_world *world, const float up[3], tide_body_id id)
{
    tide_body_info info;
    if (!tide_world_body_info(world, id, &info))
        return INFINITY;
    tide_vec3 pins[MAX_PINS];
    uint32_t count = 0, vertices = info.face->vertex_count;
    for (uint32_t i = 0; i < vertices && count < MAX_PINS; i++)
        if (tide_world_is_pinned(world, id, i))
            pins[count++] = vertex_of(world, id, i);
    double lowest = INFINITY, stretch = info.rigid ? 1 : 1.15;
    for (uint32_t i = 0; count && i < vertices; i++) {
        double reach = -INFINITY;
        for (uint32_t k = 0; k < count; k++) {
            double distance = tide_vec3_length(tide_vec3_subtract(vertex_of(world, id, i), pins[k]));
            reach = fmax(reach, height_of(up, pins[k]) - stretch * distance);
        }
        lowest = fmin(lowest, reach);
    }
    return lowest;
}

double tide_view_lowest_reach(tide_world *world)
{
    double lowest = INFINITY;
    float up[3];
    tide_view_up(world, up);
    for (uint32_t i = 0; i < tide_world_body_count(world); i++)
        lowest = fmin(lowest, lowest_reach(world, up, tide_world_body_at(world, i)));
    return lowest;
}

static void add_box(double lower[3], double upper[3], const double from[3], const double to[3])
{
    for (int k = 0; k < 3; k++) {
        lower[k] = isfinite(from[k]) ? fmin(lower[k], from[k]) : lower[k];
        upper[k] = isfinite(to[k]) ? fmax(upper[k], to[k]) : upper[k];
    }
}

bool tide_view_bottom(tide_world *world, double *height, double *size)
{
    double lower[3], upper[3], square = 0;
    float up[3];
    tide_view_up(world, up);
    for (int k = 0; k < 3; k++) {
        lower[k] = INFINITY;
        upper[k] = -INFINITY;
    }
    for (uint32_t i = 0; i < tide_world_body_count(world); i++) {
        tide_body_id id = tide_world_body_at(world, i);
        tide_body_info info;
        if (!tide_world_body_info(world, id, &info))
            continue;
        for (uint32_t v = 0; v < info.face->vertex_count; v++) {
            double x[3];
            tide_world_vertex(world, id, v, x, NULL);
            add_box(lower, upper, x, x);
        }
    }
    for (uint32_t i = 0; i < tide_world_collider_count(world); i++) {
        const tide_collider *collider = tide_world_collider(world, tide_world_collider_at(world, i));
        double from[3], to[3];
        if (!collider->visible || collider->kind->endless)
            continue;
        tide_collider_bounds(collider, 1, 1, from, to);
        add_box(lower, upper, from, to);
    }
    if (!(lower[0] <= upper[0] && lower[1] <= upper[1] && lower[2] <= upper[2]))
        return false;
    const double corner[3] = { up[0] > 0 ? lower[0] : upper[0], up[1] > 0 ? lower[1] : upper[1],
                               up[2] > 0 ? lower[2] : upper[2] };
    for (int k = 0; k < 3; k++)
        square += (upper[k] - lower[k]) * (upper[k] - lower[k]);
    *height = fmin(along(up, corner), tide_view_lowest_reach(world));
    *size = sqrt(square);
    return true;
}
