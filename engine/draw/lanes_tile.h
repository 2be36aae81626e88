// Part of lanes.h: a tile's samples, background and pixels.
#ifndef TIDE_DRAW_LANES_TILE_H
#define TIDE_DRAW_LANES_TILE_H

enum { PIXELS = LANES / 4 }; // pixels whose samples fill a vector

KERNEL void clear(tide_tile *tile)
{
    const tide_raster_stage *stage = &tile->rasterizer->stage;
    const vi ground = splat_int(TIDE_SEES_GROUND), sky = splat_int(TIDE_SEES_SKY);
    v4f samples = stage->ground_depth_x * tide_sample_x + stage->ground_depth_y * tide_sample_y;
    vf in_pixel = repeat(samples), pixel = (vf)LANE_PIXELS;
    for (int32_t y = 0; y < tile->height; y++) {
        v4f *depths = tile->depth + y * TIDE_TILE_WIDTH;
        v4i *sees = tile->sees + y * TIDE_TILE_WIDTH;
        float row = stage->ground_depth_y * (float)(tile->y + y);
        for (int32_t x = 0; x < TIDE_TILE_WIDTH; x += PIXELS) {
            vf depth = splat(0);
            if (stage->has_ground)
                depth = stage->ground_depth + stage->ground_depth_x * ((float)(tile->x + x) + pixel) + row + in_pixel;
            vi seen = choose_int(depth > 0, ground, sky);
            memcpy(sees + x, &seen, sizeof seen);
            store((float *)(depths + x), MAX(depth, splat(0)));
        }
    }
}

// Narrows a row's pixels to those that may have samples inside an edge; `row`: the edge's value at the row's first
// pixel
INLINE void narrow(const tide_tile_edge *edge, float row, float *left, float *right)
{
    float slope = fabsf(edge->dx), slack = slope + fabsf(edge->dy) + 1e-5f * (fabsf(edge->corner) + fabsf(row));
    if (edge->dx > 0)
        *left = tide_float_max(*left, floorf(-(row + slack) / slope));
    else if (edge->dx < 0)
        *right = tide_float_min(*right, (row + slack) / slope);
    else if (row + slack < 0)
        *right = -1;
}

KERNEL void fill(tide_tile *tile, const tide_tile_edge edges[3], const tide_tile_plane *plane, int32_t sees,
                 const int32_t box[4])
{
    const vi mark = splat_int(sees);
    const vf pixel = (vf)LANE_PIXELS, least = splat(plane->least), most = splat(plane->most);
    const vf in_pixel[4] = { repeat(edges[0].samples), repeat(edges[1].samples), repeat(edges[2].samples),
                             repeat(plane->samples) };
    const vf step[4] = { splat(edges[0].dx), splat(edges[1].dx), splat(edges[2].dx), splat(plane->dx) };
    const float left = (float)box[0], right = (float)box[2];
    const bool wide = box[2] - box[0] >= 16; // rows of small triangles are short anyway
    const int32_t bottom = box[3];
    for (int32_t y = box[1]; y <= bottom; y++) {
        float fy = (float)y, from = left, to = right;
        for (int i = 0; wide && i < 3; i++)
            narrow(&edges[i], edges[i].corner + edges[i].dy * fy, &from, &to);
        if (!(from <= to))
            continue;
        const int32_t first = (int32_t)from & ~(PIXELS - 1), last = (int32_t)to;
        vf row[4];
        for (int i = 0; i < 3; i++)
            row[i] = edges[i].corner + edges[i].dy * fy + in_pixel[i];
        row[3] = plane->corner + plane->dy * fy + in_pixel[3];
        float *depths = (float *)(tile->depth + y * TIDE_TILE_WIDTH);
        int32_t *seen = (int32_t *)(tile->sees + y * TIDE_TILE_WIDTH);
        for (int32_t x = first; x <= last; x += PIXELS) {
            vf fx = (float)x + pixel;
            vf e0 = row[0] + step[0] * fx, e1 = row[1] + step[1] * fx, e2 = row[2] + step[2] * fx;
            vi in = (MIN(MIN(e0, e1), e2) >= 0) & (fx >= left) & (fx <= right);
            if (LANES < 16 && !BITS(in)) // in wide vectors the test costs more than the rest
                continue;
            vf depth = MIN(MAX(row[3] + step[3] * fx, least), most), old = load(depths + 4 * x);
            in &= depth > old;
            store(depths + 4 * x, choose(in, depth, old));
            vi now = choose_int(in, mark, load_int(seen + 4 * x));
            memcpy(seen + 4 * x, &now, sizeof now);
        }
    }
}

#if LANES == 16
// For 16 bits: one bit for each group of four that are all 1
INLINE uint32_t fours(uint32_t bits)
{
    bits &= bits >> 1;
    bits &= bits >> 2 & 0x1111;
    return (bits * 0x1248) >> 12 & 15;
}

KERNEL void sort_pixels(const tide_tile *tile, tide_tile_pixels *out)
{
    uint32_t whole_count = 0, mixed_count = 0;
    for (int32_t y = 0; y < tile->height; y++)
        for (int32_t x = 0; x < tile->width; x += LANES) {
            const int32_t place = y * TIDE_TILE_WIDTH + x, *sees = (const int32_t *)(tile->sees + place);
            uint32_t same = 0, open = 0;
            for (int k = 0; k < 4; k++) {
                vi four = load_int(sees + 16 * k);
                same |= fours(BITS(four == IN_QUARTERS(four, four, 0, 0, 0, 0))) << 4 * k;
                open |= fours(BITS(four)) << 4 * k;
            }
            uint32_t there = tile->width - x < LANES ? (1u << (tile->width - x)) - 1 : ALL_LANES;
            uint32_t whole_bits = same & ~open & there, mixed_bits = ~same & ~open & there;
            vi pixel = place + (vi)LANE_NUMBERS;
            __m512i pixels = (__m512i)pixel;
            // 4 x 16 samples belong to 16 pixels; elements stored past a vector's end are overwritten later
            if (whole_bits) {
                __m512i seen = _mm512_i32gather_epi32((__m512i)(4 * (vi)LANE_NUMBERS), sees, 4);
                __mmask16 mask = (__mmask16)whole_bits;
                _mm512_storeu_si512(out->whole + whole_count, _mm512_maskz_compress_epi32(mask, pixels));
                _mm512_storeu_si512(out->sees + whole_count, _mm512_maskz_compress_epi32(mask, seen));
                whole_count += (uint32_t)__builtin_popcount(whole_bits);
            }
            if (mixed_bits) {
                _mm512_storeu_si512(out->mixed + mixed_count,
                                    _mm512_maskz_compress_epi32((__mmask16)mixed_bits, pixels));
                mixed_count += (uint32_t)__builtin_popcount(mixed_bits);
            }
        }
    out->whole_count = whole_count;
    out->mixed_count = mixed_count;
}
#else
KERNEL void sort_pixels(const tide_tile *tile, tide_tile_pixels *out)
{
    uint32_t whole_count = 0, mixed_count = 0;
    for (int32_t y = 0; y < tile->height; y++)
        for (int32_t x = 0; x < tile->width; x++) {
            const int32_t place = y * TIDE_TILE_WIDTH + x;
            const v4i sees = tile->sees[place];
            uint32_t open = v4_bits(sees), same = v4_bits(sees == sees[0]);
            out->whole[whole_count] = out->mixed[mixed_count] = place;
            out->sees[whole_count] = sees[0];
            whole_count += same == 15 && open != 15;
            mixed_count += same != 15 && open != 15;
        }
    out->whole_count = whole_count;
    out->mixed_count = mixed_count;
}
#endif

// The fraction of each of LANES pixels that sees ground or sky, which have negative numbers
INLINE vf open_shares(const tide_tile *tile, uint32_t place)
{
    const v4i *sees = &tile->sees[place];
    v4i any = sees[0], all = sees[0];
    for (int k = 1; k < LANES; k++) {
        any |= sees[k];
        all &= sees[k];
    }
    if (v4_bits(all) == 15)
        return splat(1);
    if (!v4_bits(any))
        return splat(0);
    float open[LANES];
    for (int k = 0; k < LANES; k++)
        open[k] = tide_sample_shares[v4_bits(sees[k])];
    return load(open);
}

KERNEL void surroundings(tide_tile *tile, bool alone)
{
    for (int32_t y = 0; y < tile->height; y++)
        for (int32_t x = 0; x < tile->width; x += LANES) {
            uint32_t place = (uint32_t)(y * TIDE_TILE_WIDTH + x);
            vf open = alone ? splat(1) : open_shares(tile, place), colour[3] = { open, open, open };
            if (BITS(open > 0)) {
                shade_ground(tile->rasterizer, (float)(tile->x + x) + 0.5f, (float)(tile->y + y) + 0.5f, colour);
                for (int i = 0; i < 3; i++)
                    colour[i] *= open;
            }
            store(tile->red + place, colour[0]);
            store(tile->green + place, colour[1]);
            store(tile->blue + place, colour[2]);
        }
}

// Thresholds of an ordered dither against banding in smooth gradients; kept away from 0 and 1, so that flat colours
// stay flat.
static const v4f dither[4] = { { 0.08f, 0.53f, 0.19f, 0.64f },
                               { 0.75f, 0.30f, 0.86f, 0.42f },
                               { 0.25f, 0.70f, 0.14f, 0.58f },
                               { 0.92f, 0.47f, 0.81f, 0.36f } };

// Linear to sRGB, 0 to 255: the linear segment near black, above it a fit with an error within 0.04
INLINE vi encode(const float *linear, vf threshold)
{
    vf c = clamp(load(linear), 0, 1), root = ROOT(c), fourth = ROOT(root);
    vf curve = 226.751483f * root + 67.7270055f * fourth + c * (3.4800615f * c - 24.5739165f) - 18.3504885f;
    return whole(MIN(choose(c <= 0.0031308f, 3294.6f * c, curve), splat(255)) + threshold);
}

KERNEL void write_pixels(const tide_tile *tile)
{
    const tide_image *image = tile->rasterizer->image;
    for (int32_t y = 0; y < tile->height; y++) {
        uint8_t *to = image->pixels + 4 * ((size_t)(tile->y + y) * image->width + (size_t)tile->x);
        vf threshold = repeat(dither[y & 3]);
        for (int32_t x = 0; x < tile->width; x += LANES) {
            int32_t place = y * TIDE_TILE_WIDTH + x;
            vi red = encode(tile->red + place, threshold), green = encode(tile->green + place, threshold);
            vi blue = encode(tile->blue + place, threshold);
            int32_t wide = tile->width - x < LANES ? tile->width - x : LANES;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            vi packed = red | green << 8 | blue << 16 | splat_int((int32_t)0xff000000u);
#else
            vi packed = red << 24 | green << 16 | blue << 8 | splat_int(255);
#endif
            if (wide == LANES)
                memcpy(to + 4 * x, &packed, sizeof packed);
            else
                memcpy(to + 4 * x, &packed, 4 * (size_t)wide);
        }
    }
}

#endif
