// Bounds the tiles that diagonal lines, tubes and balls touch.
#include "draw/rasterizer_parts.h"

bool tide_ball_extent(float across, float w, float radius, float near_plane, float *low, float *high)
{
    float square = across * across + w * w - radius * radius;
    if (w - radius <= near_plane || square <= 0)
        return false;
    float s = radius * sqrtf(square), d = w * w - radius * radius;
    *low = tide_float_min(*low, (across * w - s) / d);
    *high = tide_float_max(*high, (across * w + s) / d);
    return true;
}

tide_fat_segment tide_mark_segment(const tide_raster_mark *mark)
{
    float reach = tide_float_max(mark->radius, 0.5f) + 1;
    return (tide_fat_segment) { mark->x0, mark->y0, mark->x1, mark->y1, reach, reach };
}

bool tide_solid_segment(const tide_raster_view *view, const tide_raster_solid *solid, tide_fat_segment *out)
{
    float middle[2][2], reach[2] = { 0, 0 };
    for (int end = 0; end < 2; end++) {
        tide_float3 p = end ? tide_float3_add(solid->from, solid->along) : solid->from;
        float w = tide_float3_dot(view->forward, p), low[2] = { INFINITY, INFINITY },
              high[2] = { -INFINITY, -INFINITY };
        if (!tide_ball_extent(tide_float3_dot(view->right, p), w, solid->radius, view->near_plane, &low[0], &high[0]) ||
            !tide_ball_extent(-tide_float3_dot(view->up, p), w, solid->radius, view->near_plane, &low[1], &high[1]))
            return false;
        for (int i = 0; i < 2; i++) {
            middle[end][i] = (i ? view->centre_y : view->centre_x) + view->focal * 0.5f * (low[i] + high[i]);
            reach[i] = tide_float_max(reach[i], view->focal * 0.5f * (high[i] - low[i]) + 1);
        }
    }
    *out = (tide_fat_segment) { middle[0][0], middle[0][1], middle[1][0], middle[1][1], reach[0], reach[1] };
    return fabsf(out->x0) < 1e7f && fabsf(out->y0) < 1e7f && fabsf(out->x1) < 1e7f && fabsf(out->y1) < 1e7f;
}

bool tide_fat_segment_span(const tide_fat_segment *s, float top, float bottom, float *left, float *right)
{
    float dy = s->y1 - s->y0, from = 0, to = 1;
    top -= s->reach_y;
    bottom += s->reach_y;
    if (fabsf(dy) > 1e-3f) {
        float a = (top - s->y0) / dy, b = (bottom - s->y0) / dy;
        from = tide_float_max(from, tide_float_min(a, b));
        to = tide_float_min(to, tide_float_max(a, b));
    } else if (tide_float_min(s->y0, s->y1) > bottom || tide_float_max(s->y0, s->y1) < top)
        return false;
    if (from > to)
        return false;
    // slightly more than the reach, for rounding errors
    float dx = s->x1 - s->x0, a = s->x0 + from * dx, b = s->x0 + to * dx, slack = s->reach_x + 1e-5f * fabsf(dx);
    *left = tide_float_min(a, b) - slack;
    *right = tide_float_max(a, b) + slack;
    return true;
}

uint32_t tide_fat_segment_pixels(const tide_fat_segment *s, float width, float height)
{
    float x0 = tide_float_max(tide_float_min(s->x0, s->x1) - s->reach_x, 0);
    float y0 = tide_float_max(tide_float_min(s->y0, s->y1) - s->reach_y, 0);
    float wide = tide_float_min(tide_float_max(s->x0, s->x1) + s->reach_x, width) - x0;
    float high = tide_float_min(tide_float_max(s->y0, s->y1) + s->reach_y, height) - y0;
    if (!(wide > 0 && high > 0))
        return 0;
    // each row has the reach on both sides, and the segment's sideways motion over as many rows
    float slope = fabsf(s->x1 - s->x0) / tide_float_max(fabsf(s->y1 - s->y0), 1);
    float row = 2 * s->reach_x + (2 * s->reach_y + 1) * slope + 4;
    return (uint32_t)(high * tide_float_min(row, wide)) + 1;
}
