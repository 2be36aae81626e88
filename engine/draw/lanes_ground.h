// Part of lanes.h: shading of ground and sky. The ground is an endless plane that fades into the lower background
// colour.
#ifndef TIDE_DRAW_LANES_GROUND_H
#define TIDE_DRAW_LANES_GROUND_H

static const float grid_line = 0.014f;   // line width, as a fraction of a cell
static const float grid_shade = 0.16f;   // darkening by a line
static const float major_shade = 0.22f;  // darkening by a stronger line
static const float axis_line = 0.035f;   // axis width, as a fraction of a cell
static const float axis_strength = 0.6f; // opacity of an axis
static const float contact_shade = 0.5f; // darkening of the ground at contacts

// Contact at (x, z): 0 to 1
INLINE vf read_contact(const tide_shadow *shadow, vf x, vf z)
{
    const float last = TIDE_CONTACT_SIZE - 1;
    vf u = (x - shadow->contact_x) / shadow->contact_texel - 0.5f;
    vf v = (z - shadow->contact_z) / shadow->contact_texel - 0.5f;
    vi in = (u > 0) & (v > 0) & (u < last) & (v < last);
    if (!BITS(in))
        return splat(0);
    u = choose(in, u, splat(0));
    v = choose(in, v, splat(0));
    vi i = whole(u), j = whole(v), at = j * TIDE_CONTACT_SIZE + i;
    vf fu = u - from_int(i), fv = v - from_int(j);
    const float *map = shadow->contact;
    vf a0, a1, b0, b1;
    look_up_two(map, at, &a0, &a1);
    look_up_two(map, at + TIDE_CONTACT_SIZE, &b0, &b1);
    vf a = a0 + fu * (a1 - a0), b = b0 + fu * (b1 - b0);
    return choose(in, a + fv * (b - a), splat(0));
}

// The fraction of [t - width / 2, t + width / 2] that is on lines at the integers
INLINE vf on_lines(vf t, vf width, float line_width)
{
    width = clamp(width, 1e-4f, 1e4f);
    vf low = t - 0.5f * width + 0.5f * line_width, high = low + width, low_floor = floor_of(low);
    vf high_floor = floor_of(high), line = splat(line_width);
    vf covered = (high_floor - low_floor) * line + MIN(high - high_floor, line) - MIN(low - low_floor, line);
    return covered / width;
}

// The same for a single line at 0
INLINE vf on_line(vf t, vf width, float line_width)
{
    width = clamp(width, 1e-4f, 1e4f);
    vf low = MAX(t - 0.5f * width, splat(-0.5f * line_width)), high = MIN(t + 0.5f * width, splat(0.5f * line_width));
    return MAX(high - low, splat(0)) / width;
}

// Light on the ground at (x, z): the fraction of the key light that arrives, and the openness near contacts
INLINE void light_on_ground(const tide_rasterizer *rasterizer, vf x, vf z, vi wanted, vf *lit, vf *open)
{
    const tide_shadow *shadow = &rasterizer->shadow;
    float y = rasterizer->stage.ground_y, scale = 0.5f / shadow->texel;
    vf u = ((shadow->u.x * x + shadow->u.z * z) + (shadow->u.y * y - shadow->offset_u)) * scale;
    vf v = ((shadow->v.x * x + shadow->v.z * z) + (shadow->v.y * y - shadow->offset_v)) * scale;
    const float size = TIDE_LIGHT_SIZE / 2, wide = TIDE_CONTACT_SIZE * shadow->contact_texel;
    vi in = wanted & (u > 0) & (v > 0) & (u < size) & (v < size);
    if (shadow->on_ground && BITS(in))
        *lit = ground_light(shadow, u, v, in);
    in = wanted & (x > shadow->contact_x) & (z > shadow->contact_z) & (x < shadow->contact_x + wide) &
         (z < shadow->contact_z + wide);
    if (shadow->has_contact && BITS(in))
        *open = choose(in, 1 - contact_shade * read_contact(shadow, x, z), splat(1));
}

INLINE void ground_colour(const tide_rasterizer *rasterizer, vf x, vf z, vf w, vi wanted, vf fade, vf out[3])
{
    const tide_raster_stage *stage = &rasterizer->stage;
    const tide_raster_view *view = &rasterizer->view;
    const tide_shadow *shadow = &rasterizer->shadow;
    // extent of a pixel along x and z
    vf reach_x = absolute((view->ray_x.x - x * stage->ground_depth_x) * w) +
                 absolute((view->ray_y.x - x * stage->ground_depth_y) * w);
    vf reach_z = absolute((view->ray_x.z - z * stage->ground_depth_x) * w) +
                 absolute((view->ray_y.z - z * stage->ground_depth_y) * w);
    float cells = 1 / stage->grid;
    vf lines_x = on_lines((x - stage->grid_x) * cells, reach_x * cells, grid_line);
    vf lines_z = on_lines((z - stage->grid_z) * cells, reach_z * cells, grid_line);
    vf shade = 1 - grid_shade * (lines_x + lines_z - lines_x * lines_z);
    const float major = cells / TIDE_MAJOR_CELLS;
    vf strong_x = on_lines((x - stage->major_x) * major, reach_x * major, 1.5f * grid_line / TIDE_MAJOR_CELLS);
    vf strong_z = on_lines((z - stage->major_z) * major, reach_z * major, 1.5f * grid_line / TIDE_MAJOR_CELLS);
    shade *= 1 - major_shade * (strong_x + strong_z - strong_x * strong_z);
    vf axis_x = axis_strength * on_line((z - stage->axis_z) * cells, reach_z * cells, axis_line);
    vf axis_z = axis_strength * on_line((x - stage->axis_x) * cells, reach_x * cells, axis_line);
    vf lit = splat(1), open = splat(1);
    if (shadow->cast)
        light_on_ground(rasterizer, x, z, wanted, &lit, &open);
    shade *= open;
    float towards = tide_float_max(shadow->towards.y, 0);
    for (int i = 0; i < 3; i++) {
        float key = tide_key_light[i] * towards, share = key / (key + tide_sky_light[i]);
        vf own = stage->ground[i] * shade, colour;
        own += axis_z * (stage->colour_z[i] * open - own);
        own += axis_x * (stage->colour_x[i] * open - own);
        colour = own * (1 - share * (1 - lit));
        out[i] = choose(wanted, stage->bottom[i] + fade * (colour - stage->bottom[i]), splat(stage->bottom[i]));
    }
}

INLINE void sky_colour(const tide_rasterizer *rasterizer, vf3 ray, float y, vf out[3])
{
    const tide_raster_stage *stage = &rasterizer->stage;
    vf t = splat(1 - y / (2 * rasterizer->view.half_height));
    if (stage->has_ground)
        t = clamp(ray.y / ROOT(ray.x * ray.x + ray.y * ray.y + ray.z * ray.z) * 1.6f, 0, 1);
    t = t * t * (3 - 2 * t);
    for (int i = 0; i < 3; i++)
        out[i] = stage->bottom[i] + (stage->top[i] - stage->bottom[i]) * t;
}

// The linear colour of ground and sky at adjacent pixels; (x, y) is the centre of the first
INLINE void shade_ground(const tide_rasterizer *rasterizer, float x, float y, vf out[3])
{
    const tide_raster_stage *stage = &rasterizer->stage;
    const tide_raster_view *view = &rasterizer->view;
    vf sx = x + (vf)LANE_NUMBERS;
    vf3 ray = { view->ray.x + view->ray_y.x * y + sx * view->ray_x.x,
                view->ray.y + view->ray_y.y * y + sx * view->ray_x.y,
                view->ray.z + view->ray_y.z * y + sx * view->ray_x.z };
    vf depth = stage->ground_depth + stage->ground_depth_y * y + sx * stage->ground_depth_x;
    vi below = stage->has_ground ? depth > 1e-9f : splat_int(0);
    uint32_t below_bits = BITS(below);
    vf sky[3] = { 0 };
    if (below_bits != ALL_LANES)
        sky_colour(rasterizer, ray, y, sky);
    vf w = 1 / MAX(depth, splat(1e-9f)), at_x = ray.x * w, at_z = ray.z * w;
    vf off_x = at_x - stage->centre_x, off_z = at_z - stage->centre_z;
    vf fade = 1 - (off_x * off_x + off_z * off_z) / (stage->fade_radius * stage->fade_radius);
    fade = MAX(fade, splat(0));
    fade *= fade;
    vi wanted = below & (fade > 0);
    vf colour[3] = { splat(stage->bottom[0]), splat(stage->bottom[1]), splat(stage->bottom[2]) };
    if (BITS(wanted))
        ground_colour(rasterizer, at_x, at_z, w, wanted, fade, colour);
    for (int i = 0; i < 3; i++)
        out[i] = choose(below, colour[i], sky[i]);
}

#endif
