// Part of lanes.h: renders into maps, and blurs them.
#ifndef TIDE_DRAW_LANES_MAPS_H
#define TIDE_DRAW_LANES_MAPS_H

typedef struct map_edge {
    int32_t dx, dy, value; // steps per texel, and the value at the first texel of the current row
} map_edge;

INLINE map_edge map_edge_of(const tide_map_vertex *from, const tide_map_vertex *to, int32_t x, int32_t y)
{
    int32_t a = from->y - to->y, b = to->x - from->x;
    int32_t value = a * (x * TIDE_SUBTEXELS + TIDE_SUBTEXELS / 2 - from->x) +
                    b * (y * TIDE_SUBTEXELS + TIDE_SUBTEXELS / 2 - from->y);
    return (map_edge) { a * TIDE_SUBTEXELS, b * TIDE_SUBTEXELS, value };
}

INLINE int32_t clamp_int(int32_t a, int32_t low, int32_t high)
{
    return a < low ? low : a > high ? high : a;
}

// Narrows a row's texels, relative to the triangle's first one, to those that may be inside an edge
INLINE void narrow_row(const map_edge *edge, float *first, float *last)
{
    float slope = fabsf((float)edge->dx), slack = slope + 1e-6f * fabsf((float)edge->value);
    if (edge->dx > 0)
        *first = tide_float_max(*first, floorf(-((float)edge->value + slack) / slope));
    else if (edge->dx < 0)
        *last = tide_float_min(*last, ((float)edge->value + slack) / slope);
    else if (edge->value < 0)
        *last = -1;
}

// Products of coordinates within the map fit into 32 bits. A texel whose centre is on an edge is drawn.
KERNEL void map_triangle(const tide_map_rows *map, const tide_map_vertex *a, const tide_map_vertex *b,
                         const tide_map_vertex *c)
{
    if (a->bad || b->bad || c->bad)
        return;
    int32_t low = tide_least_of_three(a->y, b->y, c->y), high = tide_most_of_three(a->y, b->y, c->y);
    int32_t y0 = clamp_int(low / TIDE_SUBTEXELS, map->begin, map->end);
    int32_t y1 = clamp_int(high / TIDE_SUBTEXELS + 1, map->begin, map->end);
    int32_t area = (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
    if (y0 >= y1 || !area)
        return;
    if (area < 0) {
        const tide_map_vertex *swap = b;
        b = c;
        c = swap;
        area = -area;
    }
    low = tide_least_of_three(a->x, b->x, c->x);
    high = tide_most_of_three(a->x, b->x, c->x);
    int32_t x0 = clamp_int(low / TIDE_SUBTEXELS, 0, map->size - 1) & ~(LANES - 1);
    int32_t x1 = clamp_int(high / TIDE_SUBTEXELS, 0, map->size - 1);

    map_edge edges[3] = { map_edge_of(b, c, x0, y0), map_edge_of(c, a, x0, y0), map_edge_of(a, b, x0, y0) };
    const vi lanes = LANE_NUMBERS, along[3] = { lanes * edges[0].dx, lanes * edges[1].dx, lanes * edges[2].dx };
    float scale = 1 / (float)area;
    float least = tide_float_min(a->value, tide_float_min(b->value, c->value));
    float most = tide_float_max(a->value, tide_float_max(b->value, c->value));
    vf value_a = splat(a->value * scale), value_b = splat(b->value * scale), value_c = splat(c->value * scale);
    const vf lowest = splat(least), highest = splat(most);
    const vi over[3] = { splat_int(LANES * edges[0].dx), splat_int(LANES * edges[1].dx),
                         splat_int(LANES * edges[2].dx) };
    const bool wide = x1 - x0 >= 4 * LANES;
    float *row = map->texels + (size_t)y0 * (size_t)map->stride;
    for (int32_t y = y0; y < y1; y++, row += map->stride) {
        float from = 0, to = (float)(x1 - x0);
        for (int i = 0; wide && i < 3; i++)
            narrow_row(&edges[i], &from, &to);
        const int32_t skipped = from <= to ? (int32_t)from & ~(LANES - 1) : 0;
        const int32_t first = x0 + skipped, last = from <= to ? x0 + (int32_t)to : x0 - 1;
        vi e0 = edges[0].value + skipped * edges[0].dx + along[0];
        vi e1 = edges[1].value + skipped * edges[1].dx + along[1];
        vi e2 = edges[2].value + skipped * edges[2].dx + along[2];
        for (int32_t x = first; x <= last; x += LANES, e0 += over[0], e1 += over[1], e2 += over[2]) {
            vi drawn = (e0 | e1 | e2) >= 0;
            if (LANES < 16 && !BITS(drawn))
                continue;
            vf value = from_int(e0) * value_a + from_int(e1) * value_b + from_int(e2) * value_c, old = load(row + x);
            value = MIN(MAX(value, lowest), highest);
            store(row + x, choose(drawn, MAX(old, value), old));
        }
        for (int i = 0; i < 3; i++)
            edges[i].value += edges[i].dy;
    }
}

// Blur with weights 1 4 6 4 1 over 16; the map is 0 outside
INLINE vf blurred(vf a, vf b, vf c, vf d, vf e)
{
    return c * 0.375f + (b + d) * 0.25f + (a + e) * 0.0625f;
}

KERNEL void blur_rows(const float *map, float *scratch, int32_t size, int32_t begin, int32_t end)
{
    float row[TIDE_LIGHT_SIZE / 2 + 2 * LANES];
    memset(row, 0, sizeof row);
    for (int32_t y = begin; y < end; y++) {
        float *to = scratch + (size_t)y * (size_t)size, *from = row + LANES;
        memcpy(from, map + (size_t)y * (size_t)size, sizeof *row * (size_t)size);
        for (int32_t x = 0; x < size; x += LANES, from += LANES)
            store(to + x, blurred(load(from - 2), load(from - 1), load(from), load(from + 1), load(from + 2)));
    }
}

KERNEL void blur_columns(const float *scratch, float *map, int32_t size, int32_t begin, int32_t end)
{
    static const float zeros[TIDE_LIGHT_SIZE / 2] = { 0 };
    for (int32_t y = begin; y < end; y++) {
        const float *rows[5];
        for (int k = 0; k < 5; k++) {
            int32_t from = y + k - 2;
            rows[k] = from >= 0 && from < size ? scratch + (size_t)from * (size_t)size : zeros;
        }
        float *to = map + (size_t)y * (size_t)size;
        for (int32_t x = 0; x < size; x += LANES)
            store(to + x, blurred(load(rows[0] + x), load(rows[1] + x), load(rows[2] + x), load(rows[3] + x),
                                  load(rows[4] + x)));
    }
}

// The mean of 2 x 2 texels
KERNEL void halve(const float *from, float *to, int32_t size, int32_t begin, int32_t end)
{
    for (int32_t y = begin; y < end; y++) {
        const float *a = from + (size_t)(2 * y) * (size_t)(2 * size), *b = a + 2 * size;
        for (int32_t x = 0; x < size; x += LANES) {
            vf a0 = load(a + 2 * x), a1 = load(a + 2 * x + LANES), b0 = load(b + 2 * x), b1 = load(b + 2 * x + LANES);
            store(to + (size_t)y * (size_t)size + (size_t)x,
                  0.25f * (EVEN_OF(a0, a1) + ODD_OF(a0, a1) + EVEN_OF(b0, b1) + ODD_OF(b0, b1)));
        }
    }
}

// Level 0 of the ground pyramids: the fraction of 2 x 2 shadow map texels above the ground, and their height above it
KERNEL void gather_ground(tide_shadow *shadow, int32_t begin, int32_t end)
{
    enum { SIZE = TIDE_LIGHT_SIZE / 2 };
    const vf quarter = splat(0.25f), nothing = splat(0);
    for (int32_t y = begin; y < end; y++) {
        const float *from[2] = { shadow->depth + (size_t)(2 * y) * TIDE_LIGHT_STRIDE,
                                 shadow->depth + (size_t)(2 * y + 1) * TIDE_LIGHT_STRIDE };
        float *share = shadow->share + (size_t)y * SIZE, *distance = shadow->distance + (size_t)y * SIZE;
        float row = shadow->ground_offset + shadow->ground_v * ((float)y + 0.5f);
        for (int32_t x = 0; x < SIZE; x += LANES) {
            vf ground = row + shadow->ground_u * ((float)x + ((vf)LANE_NUMBERS + 0.5f)), count = nothing, sum = nothing;
            for (int k = 0; k < 2; k++) {
                vf low = load(from[k] + 2 * x), high = load(from[k] + 2 * x + LANES);
                const vf above[2] = { EVEN_OF(low, high) - ground, ODD_OF(low, high) - ground };
                for (int i = 0; i < 2; i++) {
                    count += (vf)((above[i] > 0) & (vi)quarter);
                    sum += quarter * MAX(above[i], nothing);
                }
            }
            store(share + x, count);
            store(distance + x, sum);
        }
    }
}

#endif
