// Part of lanes.h: screen-space ambient occlusion from depths.
//
// Lines of sight cross a ball around a point beside it, in pairs on opposite sides. A locally flat surface hides half
// of each pair, whatever its orientation; anything hidden beyond that reduces the sky light. Depths are 1/w, which is
// linear on the screen for a flat surface.
#ifndef TIDE_DRAW_LANES_OPENNESS_H
#define TIDE_DRAW_LANES_OPENNESS_H

enum { OPEN_PAIRS = 4 };
static const float open_strength = 1.6f, most_taken = 0.75f;
static const float open_least = 2, open_most = 22; // bounds of the ball's radius, texels

// The first line of each pair. It is rotated by multiples of 1/16 of 1/8 turn over 4 x 4 texels. (pair, row, column)
static const v4f open_x[OPEN_PAIRS][4] = { { { 0.353553f, 0.326641f, 0.351851f, 0.311806f },
                                             { 0.293969f, 0.346760f, 0.273300f, 0.338330f },
                                             { 0.349727f, 0.303253f, 0.353128f, 0.319608f },
                                             { 0.261966f, 0.332886f, 0.283977f, 0.342958f } },
                                           { { 0.000000f, -0.234345f, -0.060023f, -0.288670f },
                                             { -0.340216f, -0.119468f, -0.388485f, -0.177762f },
                                             { -0.089854f, -0.314822f, -0.030048f, -0.261823f },
                                             { -0.411244f, -0.206302f, -0.364790f, -0.148794f } },
                                           { { 0.559017f, 0.302538f, 0.501532f, 0.229490f },
                                             { 0.154232f, 0.439217f, 0.077489f, 0.372672f },
                                             { 0.470942f, 0.192093f, 0.530914f, 0.266335f },
                                             { 0.038791f, 0.338012f, 0.116001f, 0.406434f } },
                                           { { -0.661438f, -0.864210f, -0.723085f, -0.895136f },
                                             { -0.917441f, -0.777769f, -0.930910f, -0.824962f },
                                             { -0.751332f, -0.907381f, -0.693096f, -0.880734f },
                                             { -0.934288f, -0.845605f, -0.925290f, -0.802332f } } };
static const v4f open_y[OPEN_PAIRS][4] = { { { 0.000000f, 0.135299f, 0.034654f, 0.166664f },
                                             { 0.196424f, 0.068975f, 0.224292f, 0.102631f },
                                             { 0.051877f, 0.181763f, 0.017348f, 0.151164f },
                                             { 0.237432f, 0.119109f, 0.210612f, 0.085906f } },
                                           { { 0.612372f, 0.565758f, 0.609424f, 0.540064f },
                                             { 0.509169f, 0.600606f, 0.473370f, 0.586004f },
                                             { 0.605744f, 0.525249f, 0.611635f, 0.553578f },
                                             { 0.453738f, 0.576576f, 0.491862f, 0.594020f } },
                                           { { 0.559017f, 0.730391f, 0.611118f, 0.756528f },
                                             { 0.775379f, 0.657334f, 0.786763f, 0.697220f },
                                             { 0.634991f, 0.766877f, 0.585773f, 0.744356f },
                                             { 0.789617f, 0.714666f, 0.782013f, 0.678094f } },
                                           { { 0.661438f, 0.357968f, 0.593421f, 0.271536f },
                                             { 0.182490f, 0.519688f, 0.091687f, 0.440951f },
                                             { 0.557226f, 0.227287f, 0.628186f, 0.315132f },
                                             { 0.045899f, 0.399941f, 0.137254f, 0.480899f } } };
// Half the length of the line of sight within the unit ball, at that distance from its centre
static const float open_half[OPEN_PAIRS] = { 0.935414f, 0.790569f, 0.612372f, 0.353553f };

INLINE vf look_up(const float *from, vi at)
{
    return (vf)LOOK_UP_INT((const int32_t *)from, at);
}

// Occlusion by a pair; `rise`: how much nearer the two samples are than the point, in ball radii
INLINE vf taken_by_pair(vf rise_a, vf rise_b, float half)
{
    const float scale = 0.5f / half;
    vf hidden = clamp(rise_a * scale + 0.5f, 0, 1) + clamp(rise_b * scale + 0.5f, 0, 1) - 1;
    // what is far in front is another object
    return MAX(hidden, splat(0)) * clamp(2.5f - 1.5f * rise_a, 0, 1) * clamp(2.5f - 1.5f * rise_b, 0, 1);
}

KERNEL void open_rows(const tide_rasterizer *rasterizer, int32_t begin, int32_t end)
{
    const tide_openness *map = &rasterizer->openness;
    const float focal = rasterizer->view.focal / (float)(1 << map->shift);
    const vi right = splat_int(map->width - 1), bottom = splat_int(map->height - 1);
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < map->width; x += LANES) {
            const size_t place = (size_t)y * (size_t)map->stride + (size_t)x;
            vf depth = load(map->depth + place), taken = splat(0);
            if (!BITS(depth > 0)) {
                store(map->raw + place, splat(1));
                continue;
            }
            depth = choose(depth > 0, depth, splat(1));
            vf texels = clamp(map->radius * focal * depth, open_least, open_most);
            vf scale = focal / (texels * depth); // from a difference of 1/w to ball radii
            vi column = x + (vi)LANE_NUMBERS;
            for (int k = 0; k < OPEN_PAIRS; k++) {
                vi dx = whole(floor_of(texels * repeat(open_x[k][y & 3]) + 0.5f));
                vi dy = whole(floor_of(texels * repeat(open_y[k][y & 3]) + 0.5f));
                vf rise[2];
                for (int side = 0; side < 2; side++) {
                    vi i = side ? column - dx : column + dx, j = side ? y - dy : y + dy;
                    i = choose_int(i < 0, splat_int(0), choose_int(i > right, right, i));
                    j = choose_int(j < 0, splat_int(0), choose_int(j > bottom, bottom, j));
                    rise[side] = (look_up(map->depth, j * map->stride + i) - depth) * scale;
                }
                taken += taken_by_pair(rise[0], rise[1], open_half[k]);
            }
            vf open = 1 - MIN(taken * (open_strength / OPEN_PAIRS), splat(most_taken));
            store(map->raw + place, choose(load(map->depth + place) > 0, open, splat(1)));
        }
}

// The mean over 4 x 4 texels, which contain each rotation once, of those at a similar depth
KERNEL void smooth_rows(const tide_rasterizer *rasterizer, int32_t begin, int32_t end)
{
    const tide_openness *map = &rasterizer->openness;
    const float focal = rasterizer->view.focal / (float)(1 << map->shift);
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < map->width; x += LANES) {
            const size_t place = (size_t)y * (size_t)map->stride + (size_t)x;
            vf depth = load(map->depth + place), mean = splat(1);
            if (BITS(depth > 0)) {
                vf safe = choose(depth > 0, depth, splat(1)), sum = splat(0), weights = splat(0);
                vf scale = 2 * focal / (clamp(map->radius * focal * safe, open_least, open_most) * safe);
                for (int32_t j = y - 2; j < y + 2; j++) {
                    if (j < 0 || j >= map->height)
                        continue;
                    const ptrdiff_t row = (ptrdiff_t)j * map->stride + x;
                    for (int32_t i = -2; i < 2; i++) { // there is padding before the first row and after the last
                        vi column = x + i + (vi)LANE_NUMBERS, in = (column >= 0) & (column < map->width);
                        vf off = absolute(load(map->depth + row + i) - safe) * scale;
                        in &= off < 1;
                        sum += choose(in, (1 - off) * load(map->raw + row + i), splat(0));
                        weights += choose(in, 1 - off, splat(0));
                    }
                }
                mean = choose(depth > 0, sum / MAX(weights, splat(1e-6f)), splat(1));
            }
            vi packed = ((vi)depth & ~splat_int(255)) | whole(255 * mean + 0.5f);
            memcpy(map->packed + place, &packed, sizeof packed);
        }
}

// Interpolates between the four texels around, preferring similar depths
INLINE vf openness_at(const tide_rasterizer *rasterizer, vf x, vf y, vf w)
{
    const tide_openness *map = &rasterizer->openness;
    const float scale = 1 / (float)(1 << map->shift);
    vf u = MIN(MAX(x * scale - 0.5f, splat(0)), splat((float)map->width - 1.01f));
    vf v = MIN(MAX(y * scale - 0.5f, splat(0)), splat((float)map->height - 1.01f));
    vi i = whole(u), j = whole(v), at = j * map->stride + i;
    vf fu = u - from_int(i), fv = v - from_int(j), depth = 1 / w, sum = splat(0), weights = splat(0);
    vf nearness = w * w * (2 / map->radius);
    for (int row = 0; row < 2; row++) {
        vf texels[2];
        look_up_two(map->packed, at + row * map->stride, &texels[0], &texels[1]);
        for (int column = 0; column < 2; column++) {
            vi bits = (vi)texels[column];
            vf there = (vf)(bits & ~splat_int(255)), weight = (column ? fu : 1 - fu) * (row ? fv : 1 - fv);
            weight *= MAX(1 - absolute(there - depth) * nearness, splat(1e-3f));
            sum += weight * from_int(bits & 255);
            weights += weight;
        }
    }
    return sum / (255 * weights);
}

#endif
