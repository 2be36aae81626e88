// Smooth outlines. Four samples distinguish only five coverages of a pixel. Where an outline crosses a pixel, the
// samples of its neighbours say more: a straight edge is fitted to 3 x 3 pixels, which gives the coverage of the middle
// one.
#include "draw/rasterizer_parts.h"

static const float most_moved = 0.16f;    // how far the coverage may move from that of the samples
static const float most_expected = 0.25f; // an edge that differs more from the samples is not straight

// Returns the area of the unit square on one side of a line. `a` >= `b` >= 0 are the absolute components of the line's
// normal, whose sum is 1. The line enters the square at t = 0 and leaves it at t = 1.
static float area_before(float a, float b, float t)
{
    t = tide_float_min(tide_float_max(t, 0), 1);
    if (t < b)
        return t * t / (2 * a * b);
    if (t > a)
        return 1 - (1 - t) * (1 - t) / (2 * a * b);
    return (t - 0.5f * b) / a;
}

// Returns the inverse of area_before
static float line_of_area(float a, float b, float area)
{
    if (area < 0.5f * b / a)
        return sqrtf(2 * a * b * area);
    if (area > 1 - 0.5f * b / a)
        return 1 - sqrtf(2 * a * b * (1 - area));
    return a * area + 0.5f * b;
}

float tide_tile_outline(const tide_tile *tile, uint32_t pixel, const tide_outline *outline)
{
    const int32_t column = (int32_t)pixel % TIDE_TILE_WIDTH, row = (int32_t)pixel / TIDE_TILE_WIDTH;
    float share[3][3], all = 0;
    if (column < 1 || row < 1 || column > tile->width - 2 || row > tile->height - 2)
        return -1; // the neighbours are in another tile
    for (int32_t j = 0; j < 3; j++)
        for (int32_t i = 0; i < 3; i++) {
            const int32_t at = (row + j - 1) * TIDE_TILE_WIDTH + column + i - 1;
            const v4i sees = tile->sees[at], numbered = (sees >= outline->begin) & (sees < outline->end);
            share[j][i] = tide_sample_shares[v4_bits(
                numbered & (v4_abs(tile->depth[at] - outline->depth) < outline->depth_range))];
            all += share[j][i];
        }
    const float own = share[1][1];
    float x = 0, y = 0;
    for (int k = 0; k < 3; k++) {
        const float weight = k == 1 ? 2 : 1;
        x += weight * (share[k][2] - share[k][0]);
        y += weight * (share[2][k] - share[0][k]);
    }
    const float sum = fabsf(x) + fabsf(y);
    if (sum < 2) // no edge across the 3 x 3 pixels
        return -1;
    const float a = tide_float_max(fabsf(x), fabsf(y)) / sum, b = tide_float_max(1 - a, 1e-3f);
    const float across = 0.5f + 3 * (line_of_area(a, b, all / 9) - 0.5f);
    const float fitted = area_before(a, b, across);
    if (fabsf(fitted - own) > most_expected)
        return -1;
    return tide_float_min(tide_float_max(fitted, own - most_moved), own + most_moved);
}
