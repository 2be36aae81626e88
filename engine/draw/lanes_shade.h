// Part of lanes.h: shading of surfaces. A key light with shadow, sky light, light from the ground, a soft sheen, and a
// little key light transmitted through cloth.
#ifndef TIDE_DRAW_LANES_SHADE_H
#define TIDE_DRAW_LANES_SHADE_H

static const float sheen = 0.085f; // at grazing angles
static const float highlight = 0.055f;
static const float fill_light = 0.42f;  // as a fraction of the sky light
static const float near_ground = 0.45f; // loss of light from below close to the ground
static const float edge_width = 0.13f;  // penumbra width on a body per metre of distance
static const float mapped_even = 0.65f; // uniform fraction of the light on surfaces coloured by a map, for legibility

typedef struct shade_lanes {
    vf3 place, normal; // relative to the camera; unit, facing the viewer
    vf x, y;           // on the screen
    vf colour[3];      // linear
    vf through;        // fraction of the key light transmitted from behind
    vf even;           // fraction of the light that is uniform
} shade_lanes;

// At outlines the normal may point slightly away from the viewer: bends it back to avoid a dark rim
INLINE void face_viewer(vf3 *n, vf3 to_viewer, vf *facing)
{
    vf d = dot(*n, to_viewer), bend = MIN(d - 0.02f, splat(0));
    n->x -= bend * to_viewer.x;
    n->y -= bend * to_viewer.y;
    n->z -= bend * to_viewer.z;
    vf scale = 1 / ROOT(dot(*n, *n));
    n->x *= scale;
    n->y *= scale;
    n->z *= scale;
    *facing = MAX(d, splat(0.02f));
}

// Where the shadow map is sampled: slightly off the surface on the side of the light, further for grazing light and
// coarse texels, so that a surface does not shadow itself.
typedef struct light_place {
    vf u, v, height, rise; // texels, m towards the light; rise: extra height per texel size in coarser levels
} light_place;

INLINE light_place light_place_of(const tide_shadow *shadow, const shade_lanes *at, vf towards)
{
    vf slant = ROOT(MAX(1 - towards * towards, splat(0)));
    vf least = 0.6f + 2.2f * slant, off = choose(towards >= 0, splat(1), splat(-1)) * least;
    return (light_place) {
        .u = (dot_one(at->place, shadow->u) - shadow->offset_u) / shadow->texel + off * dot_one(at->normal, shadow->u),
        .v = (dot_one(at->place, shadow->v) - shadow->offset_v) / shadow->texel + off * dot_one(at->normal, shadow->v),
        .height = dot_one(at->place, shadow->towards) + (off * towards + 0.8f) * shadow->texel,
        // only in height: a shift in u and v would move the shadow
        .rise = (least / MAX(absolute(towards), splat(0.25f)) + 0.8f) * shadow->texel
    };
}

// The lanes that are in penumbra; the others are fully lit or fully in shadow.
INLINE uint32_t mixed_lanes(vf light)
{
    return BITS((light > least_light) & (light < 1));
}

// The light of the `wanted` lanes (bits) at these levels of the casters' pyramid. If the first and the last of four
// lanes are both fully lit or both fully in shadow, the lanes in between are not computed but copied.
INLINE vf level_lights(const tide_shadow *shadow, const light_place *place, vi level, uint32_t wanted, uint32_t between)
{
    const vf height = place->height + from_int(splat_int(1) << level) * place->rise;
    const vi begin = LOOK_UP_INT(caster_firsts, level);
    uint32_t skipped = 0;
    for (uint32_t q = 0; q < LANES; q += 4)
        skipped |= (wanted >> q & 15) == 15 ? between & 6u << q : 0;
    caster_reads reads = { .count = 0 };
    add_reads(&reads, level, begin, place->u, place->v, height, wanted & ~skipped);
    read_lights(shadow, &reads);
    vf result = in_lanes(&reads, splat(1));
    if (!skipped)
        return result;
    vf first = IN_QUARTERS(result, result, 0, 0, 0, 0), last = IN_QUARTERS(result, result, 3, 3, 3, 3);
    result = choose(lanes_of(skipped), first, result);
    skipped &= mixed_lanes(first) | mixed_lanes(last) | BITS((first < 1) != (last < 1));
    if (!skipped)
        return result;
    reads.count = 0;
    add_reads(&reads, level, begin, place->u, place->v, height, skipped);
    read_lights(shadow, &reads);
    return in_lanes(&reads, choose(lanes_of(skipped), splat(1), result));
}

// The fraction of the key light that arrives: 0 to 1. A penumbra widens with the distance of the caster: the light is
// interpolated between the two levels of the casters' pyramid whose blur is closest to that width. If the coarser one
// is fully lit or in shadow, so is the finer one. Lanes that are not `wanted` (bits) are undefined.
INLINE vf light_arriving(const tide_shadow *shadow, const shade_lanes *at, vf towards, uint32_t wanted)
{
    if (!shadow->cast || !wanted)
        return splat(1);
    const light_place place = light_place_of(shadow, at, towards);
    const uint32_t between = lanes_between(shadow, place.u, place.v, place.height, wanted);
    const vf distance = caster_distances(shadow, place.u, place.v, place.height, wanted, between);
    const vi dark = distance == all_dark;
    const vf width = distance * (edge_width / shadow->texel); // texels
    const uint32_t soft = BITS((width > 1) & ~dark);
    uint32_t sharp = BITS((distance > 0) & (width < 2));
    vf fine = splat(1), coarse = splat(1), part = splat(0), near = splat(1);
    if (soft) {
        vi level = -((width >= 2) + (width >= 4) + (width >= 8));
        vf low = from_int(splat_int(1) << level);
        part = clamp(width / low - 1, 0, 1);
        coarse = level_lights(shadow, &place, level + 1, soft, between);
        uint32_t mixed = mixed_lanes(coarse) & BITS(part < 1);
        fine = coarse;
        sharp &= ~soft | mixed;
        const uint32_t blurred = soft & mixed & BITS(level > 0);
        if (blurred)
            fine = choose(lanes_of(blurred), level_lights(shadow, &place, level, blurred, 0), fine);
        // These levels do not see casters close above the surface, nor parts of inclined ones within the filter's
        // radius of two texels.
        const vf top = place.height + 2 * low * (place.rise + 2 * shadow->texel);
        near = visibility(shadow, place.u, place.v, place.height, top, soft & BITS(coarse > least_light));
    }
    if (sharp)
        fine =
            choose(lanes_of(sharp), visibility(shadow, place.u, place.v, place.height, splat(all_dark), sharp), fine);
    return choose(dark, splat(0), MIN(fine + part * (coarse - fine), near));
}

// Compresses colours brighter than white
INLINE vf soften(vf c)
{
    const float knee = 0.75f, room = 1 - knee;
    vf over = MAX(c - knee, splat(0));
    return MIN(c, splat(knee)) + over / (1 + over / room);
}

// Adds shaded samples to these pixels, weighted by their share.
INLINE void light_pixels(tide_tile *tile, const int32_t *to, vf share, uint32_t count, shade_lanes *at)
{
    const tide_rasterizer *rasterizer = tile->rasterizer;
    const tide_raster_stage *stage = &rasterizer->stage;
    tide_float3 l = rasterizer->shadow.towards;
    float level = tide_float_max(sqrtf(l.x * l.x + l.z * l.z), 1e-3f);
    tide_float3 fill_from = { -0.9f * l.x / level, 0.25f, 0.6f * l.z / level };
    vf scale = -1 / ROOT(dot(at->place, at->place)), facing;
    vf3 to_viewer = { at->place.x * scale, at->place.y * scale, at->place.z * scale };
    face_viewer(&at->normal, to_viewer, &facing);

    vf towards = dot_one(at->normal, l);
    const uint32_t there = count < LANES ? (1u << count) - 1 : ALL_LANES;
    vf lit = light_arriving(&rasterizer->shadow, at, towards, there & BITS((towards > 0) | (at->through > 0)));
    vf direct = MAX(towards, splat(0)) * lit;
    vf key = direct + at->through * MAX(-towards, splat(0)) * lit;
    vf up = 0.5f + 0.5f * at->normal.y, open = splat(1);
    if (stage->has_ground) {
        vf low = clamp(1 - (at->place.y - stage->ground_y) / (0.35f * stage->radius), 0, 1);
        open = 1 - near_ground * low * low * (1 - up);
    }
    // a weak light without shadow from the opposite side shows shape in shadowed areas
    vf filled = MAX(dot_one(at->normal, fill_from), splat(0));
    vf ambient = openness_at(rasterizer, at->x, at->y, dot_one(at->place, rasterizer->view.forward));
    open *= (0.88f + 0.12f * facing) * ambient;
    filled *= ambient;
    vf3 h = { to_viewer.x + l.x, to_viewer.y + l.y, to_viewer.z + l.z };
    vf half = clamp(dot(at->normal, h) / ROOT(dot(h, h) + 1e-6f), 0, 1);
    vf h2 = half * half, h4 = h2 * h2, h8 = h4 * h4, grazing = 1 - facing;
    vf shine = highlight * h8 * h8 * h4 * direct;
    vf rim = sheen * grazing * grazing * grazing, uneven = 1 - at->even;
    float *const pixels[3] = { tile->red, tile->green, tile->blue };
    const bool in_a_row = count == LANES && BITS(load_int(to) - to[0] == (vi)LANE_NUMBERS) == ALL_LANES;
    for (int i = 0; i < 3; i++) {
        vf sky = (tide_ground_light[i] + (tide_sky_light[i] - tide_ground_light[i]) * up) * open;
        vf light = tide_key_light[i] * key + sky + fill_light * tide_sky_light[i] * filled;
        vf colour = share * soften(at->colour[i] * (uneven * light + at->even) +
                                   uneven * (rim * light + shine * tide_key_light[i]));
        if (in_a_row) {
            store(pixels[i] + to[0], load(pixels[i] + to[0]) + colour);
            continue;
        }
        float out[LANES];
        store(out, colour);
        for (uint32_t k = 0; k < count; k++)
            pixels[i][to[k]] += out[k];
    }
}

// --- triangles ------------------------------------------------------------------------------------------------------

// Attributes of a vector's triangles at one corner, laid out as tide_raster_attributes
typedef struct corner_lanes {
    vf3 place;
    vf u;
    vf3 normal;
    vf v;
} corner_lanes;

// Transposes: four numbers of each of LANES rows become four vectors; the first four rows are in the first quarter
INLINE void gather_four(const float *from, const int32_t rows[LANES], vf out[4])
{
    enum { ROW = sizeof(tide_raster_attributes) / sizeof(float) };
    vf r[4];
    for (int i = 0; i < 4; i++) {
        v4f part[4] = { { 0 } };
        for (int q = 0; q < LANE_QUARTERS; q++)
            part[q] = v4_load(from + ROW * (size_t)rows[4 * q + i]);
        r[i] = QUARTERS(part[0], part[1], part[2], part[3]);
    }
    vf low = IN_QUARTERS(r[0], r[1], 0, LANES, 1, LANES + 1),
       high = IN_QUARTERS(r[0], r[1], 2, LANES + 2, 3, LANES + 3);
    vf low2 = IN_QUARTERS(r[2], r[3], 0, LANES, 1, LANES + 1);
    vf high2 = IN_QUARTERS(r[2], r[3], 2, LANES + 2, 3, LANES + 3);
    out[0] = IN_QUARTERS(low, low2, 0, 1, LANES, LANES + 1);
    out[1] = IN_QUARTERS(low, low2, 2, 3, LANES + 2, LANES + 3);
    out[2] = IN_QUARTERS(high, high2, 0, 1, LANES, LANES + 1);
    out[3] = IN_QUARTERS(high, high2, 2, 3, LANES + 2, LANES + 3);
}

INLINE corner_lanes gather_corner(const tide_raster_attributes *attributes, const int32_t rows[LANES])
{
    vf place[4], normal[4];
    gather_four(attributes->position, rows, place);
    gather_four(attributes->normal, rows, normal);
    return (
        corner_lanes) { { place[0], place[1], place[2] }, place[3], { normal[0], normal[1], normal[2] }, normal[3] };
}

// The mean over [t - width / 2, t + width / 2] of a square wave: 1 in the first half of each unit, -1 in the second
INLINE vf wave_mean(vf t, vf width)
{
    width = clamp(width, 1e-4f, 1e4f);
    vf low = t - 0.5f * width, high = t + 0.5f * width;
    low -= floor_of(low);
    high -= floor_of(high); // the wave's integral is a triangle wave: t, then 1 - t
    vf mean = (MIN(high, 1 - high) - MIN(low, 1 - low)) / width;
    return clamp(mean, -1, 1);
}

// Intersections of rays with triangles, and the screen derivatives of texture coordinates
typedef struct hit_lanes {
    vf b, c;         // barycentric coordinates of the second and third corner
    vf u, v, du, dv; // texture coordinates, and their change over a pixel
    vf3 face;        // the face's normal towards the viewer, not normalised
} hit_lanes;

INLINE hit_lanes hit_triangles(const tide_raster_view *view, const corner_lanes corner[3], vf x, vf y, bool textured)
{
    vf3 ray = { view->ray.x + x * view->ray_x.x + y * view->ray_y.x,
                view->ray.y + x * view->ray_x.y + y * view->ray_y.y,
                view->ray.z + x * view->ray_x.z + y * view->ray_y.z };
    vf3 p = corner[0].place, b_at = corner[1].place, c_at = corner[2].place;
    vf3 e1 = { b_at.x - p.x, b_at.y - p.y, b_at.z - p.z }, e2 = { c_at.x - p.x, c_at.y - p.y, c_at.z - p.z };
    vf3 n = cross(e1, e2), at_b = cross(e2, p), at_c = cross(p, e1);
    vf across = dot(ray, n);
    vi edge_on = absolute(across) < 1e-24f;
    vf scale = 1 / choose(edge_on, splat(1), across);
    vf exact_b = dot(ray, at_b) * scale, exact_c = dot(ray, at_c) * scale;
    hit_lanes hit = { 0 };
    // a ray may pass slightly beside the triangle, because its corners are rounded to subpixels
    vf b = clamp(exact_b, 0, 1), c = clamp(exact_c, 0, 1), sum = MAX(b + c, splat(1));
    hit.b = choose(edge_on, splat(1.0f / 3), b / sum);
    hit.c = choose(edge_on, splat(1.0f / 3), c / sum);
    vf side = choose(across > 0, splat(-1), splat(1));
    hit.face = (vf3) { n.x * side, n.y * side, n.z * side };
    if (!textured)
        return hit;
    vf u1 = corner[1].u - corner[0].u, u2 = corner[2].u - corner[0].u;
    vf v1 = corner[1].v - corner[0].v, v2 = corner[2].v - corner[0].v;
    hit.u = corner[0].u + hit.b * u1 + hit.c * u2;
    hit.v = corner[0].v + hit.b * v1 + hit.c * v2;
    for (int axis = 0; axis < 2; axis++) {
        tide_float3 step = axis ? view->ray_y : view->ray_x;
        vf slope = dot_one(n, step);
        vf db = (dot_one(at_b, step) - exact_b * slope) * scale, dc = (dot_one(at_c, step) - exact_c * slope) * scale;
        hit.du += absolute(db * u1 + dc * u2);
        hit.dv += absolute(db * v1 + dc * v2);
    }
    return hit;
}

// The triangles that a vector's pixels see, and their surfaces
typedef struct triangle_lanes {
    int32_t corners[3][LANES];                  // indices of vertices
    const tide_raster_surface *surfaces[LANES]; // only the first is set if `alike`
    bool alike;                                 // all pixels see one surface from one side
    bool textured, mapped;
} triangle_lanes;

INLINE void find_triangles(const tide_rasterizer *rasterizer, const int32_t *sees, triangle_lanes *out)
{
    const tide_raster_surface *surface = tide_raster_surface_of(rasterizer, (uint32_t)sees[0] >> 1);
    const vi all = load_int(sees);
    int32_t first = (int32_t)(2 * surface->first_triangle),
            end = first + (int32_t)(2 * surface->source->triangle_count);
    bool one = BITS((all >= first) & (all < end)) == ALL_LANES;
    out->surfaces[0] = surface;
    out->textured = surface->checkers > 0 || surface->mapped;
    out->mapped = surface->mapped;
    out->alike = one && BITS(((all ^ sees[0]) & 1) == 0) == ALL_LANES;
    if (one) {
        vi index = 3 * ((all - first) >> 1);
        const int32_t *triangles = (const int32_t *)surface->source->triangles;
        for (int i = 0; i < 3; i++) {
            vi corner = LOOK_UP_INT(triangles, index + i) + (int32_t)surface->first_vertex;
            memcpy(out->corners[i], &corner, sizeof corner);
        }
    }
    for (uint32_t k = 0; k < LANES && !out->alike; k++) {
        uint32_t triangle = (uint32_t)sees[k] >> 1;
        if (triangle - surface->first_triangle >= surface->source->triangle_count)
            surface = tide_raster_surface_of(rasterizer, triangle);
        const uint32_t *index = surface->source->triangles + 3 * (size_t)(triangle - surface->first_triangle);
        for (int i = 0; i < 3; i++)
            out->corners[i][k] = (int32_t)(surface->first_vertex + index[i]);
        out->surfaces[k] = surface;
        out->textured = out->textured || surface->checkers > 0 || surface->mapped;
        out->mapped = out->mapped || surface->mapped;
    }
}

// Colours of surfaces: two tones mixed by the checkers, or the map's colours; and the light that they transmit
INLINE void colour_triangles(const tide_rasterizer *rasterizer, const triangle_lanes *of, const int32_t *sees,
                             const hit_lanes *hit, shade_lanes *at)
{
    float checkers[LANES], through[LANES], tones[2][3][LANES];
    vf square, tone[2][3], mix = splat(0);
    if (of->alike) {
        const tide_raster_surface *surface = of->surfaces[0];
        square = splat(0.5f * surface->checkers);
        at->through = splat(surface->through);
        for (int other = 0; other < 2; other++)
            for (int i = 0; i < 3; i++)
                tone[other][i] = splat(surface->tones[2 * (sees[0] & 1) + other][i]);
    } else {
        for (uint32_t k = 0; k < LANES; k++) {
            checkers[k] = 0.5f * of->surfaces[k]->checkers;
            through[k] = of->surfaces[k]->through;
            for (int i = 0; i < 6; i++)
                tones[i / 3][i % 3][k] = of->surfaces[k]->tones[2 * (sees[k] & 1) + i / 3][i % 3];
        }
        square = load(checkers);
        at->through = load(through);
        for (int i = 0; i < 6; i++)
            tone[i / 3][i % 3] = load(tones[i / 3][i % 3]);
    }
    if (of->textured)
        mix = 0.5f - 0.5f * wave_mean(hit->u * square, hit->du * square) * wave_mean(hit->v * square, hit->dv * square);
    mix = choose(square > 0, mix, splat(0));
    for (int i = 0; i < 3; i++)
        at->colour[i] = tone[0][i] + mix * (tone[1][i] - tone[0][i]);
    for (uint32_t k = 0; of->mapped && k < LANES; k++)
        if (of->surfaces[of->alike ? 0 : k]->mapped) {
            float colour[3];
            tide_raster_map_colour(rasterizer, hit->u[k], colour);
            for (int i = 0; i < 3; i++)
                at->colour[i][k] = colour[i];
            at->even[k] = mapped_even;
        }
}

// Fills lanes without an item with copies of the last one.
INLINE void pad_items(tide_shade_items *items)
{
    for (uint32_t k = items->count; k % LANES; k++) {
        items->sees[k] = items->sees[k - 1];
        items->x[k] = items->x[k - 1];
        items->y[k] = items->y[k - 1];
        items->share[k] = 0;
    }
}

INLINE void shade_vector(tide_tile *tile, const int32_t *sees, vf x, vf y, const int32_t *to, vf share, uint32_t count)
{
    const tide_rasterizer *rasterizer = tile->rasterizer;
    triangle_lanes of;
    find_triangles(rasterizer, sees, &of);
    corner_lanes corner[3];
    for (int i = 0; i < 3; i++)
        corner[i] = gather_corner(rasterizer->attributes, of.corners[i]);
    hit_lanes hit = hit_triangles(&rasterizer->view, corner, x, y, of.textured);
    vf a = 1 - hit.b - hit.c, b = hit.b, c = hit.c;
    shade_lanes at = { .x = x, .y = y, .through = splat(0), .even = splat(0) };
    at.place.x = a * corner[0].place.x + b * corner[1].place.x + c * corner[2].place.x;
    at.place.y = a * corner[0].place.y + b * corner[1].place.y + c * corner[2].place.y;
    at.place.z = a * corner[0].place.z + b * corner[1].place.z + c * corner[2].place.z;
    at.normal.x = a * corner[0].normal.x + b * corner[1].normal.x + c * corner[2].normal.x;
    at.normal.y = a * corner[0].normal.y + b * corner[1].normal.y + c * corner[2].normal.y;
    at.normal.z = a * corner[0].normal.z + b * corner[1].normal.z + c * corner[2].normal.z;
    vf side = dot(at.normal, hit.face), square = dot(at.normal, at.normal);
    vf length = choose(side < 0, splat(-1), splat(1)) / ROOT(MAX(square, splat(1e-20f)));
    at.normal.x *= length;
    at.normal.y *= length;
    at.normal.z *= length;
    colour_triangles(rasterizer, &of, sees, &hit, &at);
    light_pixels(tile, to, share, count, &at);
}

KERNEL void shade_triangles(tide_tile *tile, tide_shade_items *items)
{
    pad_items(items);
    for (uint32_t first = 0; first < items->count; first += LANES)
        shade_vector(tile, items->sees + first, load(items->x + first), load(items->y + first), items->pixel + first,
                     load(items->share + first), items->count - first < LANES ? items->count - first : LANES);
}

KERNEL void shade_whole(tide_tile *tile, tide_tile_pixels *pixels)
{
    const uint32_t count = pixels->whole_count;
    for (uint32_t k = count; k % LANES; k++) {
        pixels->sees[k] = pixels->sees[count - 1];
        pixels->whole[k] = pixels->whole[count - 1];
    }
    for (uint32_t first = 0; first < count; first += LANES) {
        vi pixel = load_int(pixels->whole + first), row = pixel >> 6, column = pixel & (TIDE_TILE_WIDTH - 1);
        vf x = from_int(tile->x + column) + 0.5f, y = from_int(tile->y + row) + 0.5f;
        shade_vector(tile, pixels->sees + first, x, y, pixels->whole + first, splat(1),
                     count - first < LANES ? count - first : LANES);
    }
}

// --- tubes and balls ------------------------------------------------------------------------------------------------

KERNEL void shade_solids(tide_tile *tile, tide_shade_items *items)
{
    const tide_rasterizer *rasterizer = tile->rasterizer;
    const tide_raster_view *view = &rasterizer->view;
    pad_items(items);
    for (uint32_t first = 0; first < items->count; first += LANES) {
        float numbers[9][LANES];
        for (uint32_t k = 0; k < LANES; k++) {
            uint32_t number = ((uint32_t)items->sees[first + k] >> 1) - rasterizer->triangle_count;
            const tide_raster_solid *solid = &rasterizer->solids[number];
            tide_float3 across = tide_float3_scale(view->ray_x, items->x[first + k]);
            tide_float3 down = tide_float3_scale(view->ray_y, items->y[first + k]), p, n;
            tide_solid_hit(solid, tide_float3_add(view->ray, tide_float3_add(across, down)), &p, &n);
            const float all[9] = { p.x, p.y, p.z, n.x, n.y, n.z, solid->colour[0], solid->colour[1], solid->colour[2] };
            for (int i = 0; i < 9; i++)
                numbers[i][k] = all[i];
        }
        shade_lanes at = { .x = load(items->x + first),
                           .y = load(items->y + first),
                           .place = { load(numbers[0]), load(numbers[1]), load(numbers[2]) },
                           .normal = { load(numbers[3]), load(numbers[4]), load(numbers[5]) },
                           .colour = { load(numbers[6]), load(numbers[7]), load(numbers[8]) },
                           .through = splat(0),
                           .even = splat(0) };
        light_pixels(tile, items->pixel + first, load(items->share + first),
                     items->count - first < LANES ? items->count - first : LANES, &at);
    }
}

#endif
