// Lines and points with a width in pixels, blended over the finished pixels: coverage by distance, hidden by nearer
// surfaces.
#include "draw/rasterizer_parts.h"

static const float towards_viewer = 1.0015f; // depth factor, so that a wireframe is in front of its surface

static void blend(uint8_t *pixel, const float colour[3], float alpha)
{
    for (int i = 0; i < 3; i++) {
        float old = pixel[i];
        pixel[i] = (uint8_t)(old + (colour[i] - old) * alpha + 0.5f);
    }
}

// Computes the colour of a thin tube at a pixel of the tile and a distance
static void light_thin(const tide_tile *tile, const tide_raster_mark *mark, int32_t x, int32_t y, float w,
                       float colour[3])
{
    const tide_raster_view *view = &tile->rasterizer->view;
    const tide_float3 across = tide_float3_scale(view->ray_x, (float)(tile->x + x) + 0.5f);
    const tide_float3 down = tide_float3_scale(view->ray_y, (float)(tile->y + y) + 0.5f);
    const tide_float3 ray = tide_float3_add(view->ray, tide_float3_add(across, down));
    const float light =
        tide_thin_light(&tile->rasterizer->shadow, tide_float3_scale(ray, w), tide_float3_load(mark->normal));
    for (int i = 0; i < 3; i++)
        colour[i] = mark->dark[i] + light * (mark->colour[i] - mark->dark[i]);
}

void tide_tile_mark(tide_tile *tile, const tide_raster_mark *mark)
{
    const tide_rasterizer *rasterizer = tile->rasterizer;
    // a mark thinner than a pixel is drawn one pixel wide and fainter
    float radius = tide_float_max(mark->radius, 0.5f), alpha = mark->colour[3] * tide_float_min(2 * mark->radius, 1);
    float ax = mark->x0 - (float)tile->x - 0.5f, ay = mark->y0 - (float)tile->y - 0.5f;
    float dx = mark->x1 - mark->x0, dy = mark->y1 - mark->y0, square = dx * dx + dy * dy;
    float scale = square > 0 ? 1 / square : 0, margin = radius + 0.5f;
    float low_x = ax + tide_float_min(dx, 0) - margin, high_x = ax + tide_float_max(dx, 0) + margin;
    float low_y = ay + tide_float_min(dy, 0) - margin, high_y = ay + tide_float_max(dy, 0) + margin;
    if (!(high_x >= 0 && high_y >= 0 && low_x < (float)tile->width && low_y < (float)tile->height))
        return;
    int32_t x0 = (int32_t)tide_float_max(low_x, 0) & ~3, x1 = (int32_t)tide_float_min(high_x, (float)(tile->width - 1));
    const tide_fat_segment segment = tide_mark_segment(mark);
    const bool is_thin = tide_float3_length(tide_float3_load(mark->normal)) > 0;
    int32_t y0 = (int32_t)tide_float_max(low_y, 0), y1 = (int32_t)tide_float_min(high_y, (float)(tile->height - 1));
    for (int32_t y = y0; y <= y1; y++) {
        size_t first = (size_t)(tile->y + y) * rasterizer->image->width + (size_t)tile->x;
        uint8_t *row = rasterizer->image->pixels + 4 * first;
        float py = (float)y - ay, left, right, top = (float)(tile->y + y);
        if (!tide_fat_segment_span(&segment, top, top + 1, &left, &right) || right < (float)tile->x)
            continue;
        left = tide_float_max(left - (float)tile->x, (float)x0);
        right = tide_float_min(right - (float)tile->x, (float)x1);
        for (int32_t x = (int32_t)left & ~3; (float)x <= right; x += 4) {
            v4f px = (float)x + (v4f) { 0, 1, 2, 3 } - ax;
            v4f along = v4_clamp((px * dx + py * dy) * scale, 0, 1);
            v4f off_x = px - along * dx, off_y = py - along * dy;
            v4f cover = v4_clamp(radius + 0.5f - v4_sqrt(off_x * off_x + off_y * off_y), 0, 1);
            if (!v4_bits(cover > 0))
                continue;
            v4f depth = (mark->depth0 + along * (mark->depth1 - mark->depth0)) * towards_viewer;
            for (int32_t k = 0; k < 4 && x + k < tile->width; k++) {
                if (!(cover[k] > 0))
                    continue;
                float seen = tide_sample_shares[v4_bits(depth[k] >= tile->depth[y * TIDE_TILE_WIDTH + x + k])];
                if (!(seen > 0))
                    continue;
                float colour[3] = { mark->colour[0], mark->colour[1], mark->colour[2] };
                if (is_thin)
                    light_thin(tile, mark, x + k, y, 1 / depth[k], colour);
                blend(row + 4 * (x + k), colour, cover[k] * seen * alpha);
            }
        }
    }
}
