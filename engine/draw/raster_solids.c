// Tubes and balls: every sample's ray is intersected with the solid itself, so that outline, depth and normal are
// exact.
#include "draw/rasterizer_parts.h"

bool tide_solid_extent(const tide_rasterizer *rasterizer, const tide_raster_solid *solid, float box[4])
{
    const tide_raster_view *view = &rasterizer->view;
    float x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
    bool behind = true, whole = true;
    for (int end = 0; end < 2; end++) {
        tide_float3 p = end ? tide_float3_add(solid->from, solid->along) : solid->from;
        float w = tide_float3_dot(view->forward, p);
        behind = behind && w + solid->radius <= view->near_plane;
        whole = whole &&
                tide_ball_extent(tide_float3_dot(view->right, p), w, solid->radius, view->near_plane, &x0, &x1) &&
                tide_ball_extent(-tide_float3_dot(view->up, p), w, solid->radius, view->near_plane, &y0, &y1);
    }
    box[0] = whole ? view->centre_x + view->focal * x0 - 1 : 0; // across the near plane: unbounded
    box[1] = whole ? view->centre_y + view->focal * y0 - 1 : 0;
    box[2] = whole ? view->centre_x + view->focal * x1 + 1 : 2 * view->half_width;
    box[3] = whole ? view->centre_y + view->focal * y1 + 1 : 2 * view->half_height;
    return !behind;
}

// --- four rays at once ------------------------------------------------------------------------------------------

// a * s + b
static inline tide_lanes3 along_from(tide_lanes3 a, v4f s, tide_float3 b)
{
    return (tide_lanes3) { a.x * s + b.x, a.y * s + b.y, a.z * s + b.z };
}

// The ray parameter at the first intersection with a ball; very large if it misses
static const float missed = 1e30f;

static v4f meet_ball(tide_lanes3 ray, v4f ray_square, tide_float3 centre, float radius, float near_plane)
{
    v4f closest = tide_lanes3_dot_float3(ray, centre) / ray_square;
    tide_lanes3 off = along_from(ray, -closest, centre);
    v4f left = radius * radius - tide_lanes3_dot(off, off);
    v4f t = closest - v4_sqrt(v4_max(left, v4_splat(0)) / ray_square);
    return v4_select((left > 0) & (t > near_plane), t, v4_splat(missed));
}

static v4f meet_tube(tide_lanes3 ray, const tide_raster_solid *solid, float along_square, float near_plane)
{
    // components perpendicular to the axis
    tide_float3 axis = solid->along;
    float from_along = tide_float3_dot(solid->from, axis);
    v4f ray_along = tide_lanes3_dot_float3(ray, axis) / along_square;
    tide_lanes3 ray_across = { ray.x - ray_along * axis.x, ray.y - ray_along * axis.y, ray.z - ray_along * axis.z };
    tide_float3 from_across = tide_float3_subtract(solid->from, tide_float3_scale(axis, from_along / along_square));
    v4f square = v4_max(tide_lanes3_dot(ray_across, ray_across), v4_splat(1e-20f));
    v4f closest = tide_lanes3_dot_float3(ray_across, from_across) / square;
    tide_lanes3 off = along_from(ray_across, -closest, from_across);
    v4f left = solid->radius * solid->radius - tide_lanes3_dot(off, off);
    v4f t = closest - v4_sqrt(v4_max(left, v4_splat(0)) / square);
    v4f place = t * ray_along - from_along / along_square;
    return v4_select((left > 0) & (t > near_plane) & (place >= 0) & (place <= 1), t, v4_splat(missed));
}

static int32_t within(float a, int32_t most)
{
    return a > 0 ? a < (float)most ? (int32_t)a : most : 0;
}

void tide_tile_solid(tide_tile *tile, uint32_t primitive)
{
    const tide_rasterizer *rasterizer = tile->rasterizer;
    const tide_raster_view *view = &rasterizer->view;
    const tide_raster_solid *solid = &rasterizer->solids[primitive - rasterizer->triangle_count];
    float box[4];
    if (!tide_solid_extent(rasterizer, solid, box))
        return;
    int32_t x0 = within(box[0] - (float)tile->x, tile->width), x1 = within(box[2] - (float)tile->x + 1, tile->width);
    int32_t y0 = within(box[1] - (float)tile->y, tile->height), y1 = within(box[3] - (float)tile->y + 1, tile->height);
    float along_square = tide_float3_dot(solid->along, solid->along);
    tide_float3 to = tide_float3_add(solid->from, solid->along);
    const v4i sees = v4_splat_int((int32_t)(2 * primitive));
    tide_fat_segment segment;
    bool bounded = tide_solid_segment(view, solid, &segment);
    for (int32_t y = y0; y < y1; y++) {
        v4f sy = (float)(tile->y + y) + tide_sample_y;
        int32_t first = x0, end = x1;
        float left, right, top = (float)(tile->y + y);
        if (bounded && !tide_fat_segment_span(&segment, top, top + 1, &left, &right))
            continue;
        if (bounded) {
            int32_t from = within(left - (float)tile->x, tile->width);
            int32_t to = within(right - (float)tile->x + 1, tile->width);
            first = from > x0 ? from : x0;
            end = to < x1 ? to : x1;
        }
        for (int32_t x = first; x < end; x++) {
            v4f sx = (float)(tile->x + x) + tide_sample_x;
            tide_lanes3 ray = { view->ray.x + sx * view->ray_x.x + sy * view->ray_y.x,
                                view->ray.y + sx * view->ray_x.y + sy * view->ray_y.y,
                                view->ray.z + sx * view->ray_x.z + sy * view->ray_y.z };
            v4f square = tide_lanes3_dot(ray, ray);
            v4f t = meet_ball(ray, square, solid->from, solid->radius, view->near_plane);
            if (along_square > 0) {
                t = v4_min(t, meet_ball(ray, square, to, solid->radius, view->near_plane));
                t = v4_min(t, meet_tube(ray, solid, along_square, view->near_plane));
            }
            v4f depth = 1.0f / t;
            v4f *old = &tile->depth[y * TIDE_TILE_WIDTH + x];
            v4i *seen = &tile->sees[y * TIDE_TILE_WIDTH + x];
            v4i nearer = (depth > *old) & (t < missed);
            *old = v4_select(nearer, depth, *old);
            *seen = v4_select_int(nearer, sees, *seen);
        }
    }
}

// --- one ray ----------------------------------------------------------------------------------------------------

static tide_float3 touch_ball(tide_float3 ray, tide_float3 centre, float radius)
{
    float square = tide_float3_dot(ray, ray), closest = tide_float3_dot(ray, centre) / square;
    tide_float3 off = tide_float3_subtract(centre, tide_float3_scale(ray, closest));
    float left = tide_float_max(radius * radius - tide_float3_dot(off, off), 0);
    return tide_float3_scale(ray, closest - sqrtf(left / square));
}

void tide_solid_hit(const tide_raster_solid *solid, tide_float3 ray, tide_float3 *position, tide_float3 *normal)
{
    float along_square = tide_float3_dot(solid->along, solid->along), place = 0;
    tide_float3 centre = solid->from;
    if (along_square > 0) {
        float ray_along = tide_float3_dot(ray, solid->along) / along_square;
        float from_along = tide_float3_dot(solid->from, solid->along) / along_square;
        tide_float3 ray_across = tide_float3_subtract(ray, tide_float3_scale(solid->along, ray_along));
        tide_float3 from_across = tide_float3_subtract(solid->from, tide_float3_scale(solid->along, from_along));
        float square = tide_float_max(tide_float3_dot(ray_across, ray_across), 1e-20f);
        float closest = tide_float3_dot(ray_across, from_across) / square;
        tide_float3 off = tide_float3_subtract(from_across, tide_float3_scale(ray_across, closest));
        float left = tide_float_max(solid->radius * solid->radius - tide_float3_dot(off, off), 0);
        float t = closest - sqrtf(left / square);
        place = t * ray_along - from_along;
        centre =
            tide_float3_add(solid->from, tide_float3_scale(solid->along, tide_float_min(tide_float_max(place, 0), 1)));
        *position = tide_float3_scale(ray, t);
    }
    if (!(along_square > 0) || !(place >= 0 && place <= 1))
        *position = touch_ball(ray, centre, solid->radius);
    tide_float3 out = tide_float3_subtract(*position, centre);
    float length = tide_float3_length(out);
    *normal = length > 0 ? tide_float3_scale(out, 1 / length) : (tide_float3) { 0, 1, 0 };
}
