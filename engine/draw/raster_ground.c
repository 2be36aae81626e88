// Ground and sky. The ground is an endless plane that fades into the background's lower colour.
#include "draw/rasterizer_parts.h"

static const float grid_line = 0.012f;   // width, of a grid's cell
static const float grid_shade = 0.10f;   // how much darker a line is
static const float contact_shade = 0.5f; // how much darker the ground is where it is touched

static float read_contact(const tide_shadow *shadow, float x, float z)
{
    float u = (x - shadow->contact_x) / shadow->contact_texel - 0.5f;
    float v = (z - shadow->contact_z) / shadow->contact_texel - 0.5f;
    if (!(u > 0 && v > 0 && u < TIDE_CONTACT_SIZE - 1 && v < TIDE_CONTACT_SIZE - 1))
        return 0;
    int32_t i = (int32_t)u, j = (int32_t)v;
    float fu = u - (float)i, fv = v - (float)j;
    const float *at = shadow->contact + j * TIDE_CONTACT_SIZE + i;
    float a = at[0] + fu * (at[1] - at[0]);
    float b = at[TIDE_CONTACT_SIZE] + fu * (at[TIDE_CONTACT_SIZE + 1] - at[TIDE_CONTACT_SIZE]);
    return a + fv * (b - a);
}

// The share of [t - width / 2, t + width / 2] that lies on lines at the whole numbers
static v4f on_lines(v4f t, v4f width)
{
    width = v4_clamp(width, 1e-4f, 1e4f);
    v4f low = t - 0.5f * width + 0.5f * grid_line, high = low + width, low_floor = v4_floor(low);
    v4f high_floor = v4_floor(high), line = v4_splat(grid_line);
    v4f covered = (high_floor - low_floor) * line + v4_min(high - high_floor, line) - v4_min(low - low_floor, line);
    return covered / width;
}

// Light on the ground where it is `x`, `z`: what arrives of it in shadow and where it is touched
static void shade_lanes(const tide_rasterizer *rasterizer, v4f x, v4f z, v4i wanted, v4f *lit, v4f *open)
{
    const tide_shadow *shadow = &rasterizer->shadow;
    float y = rasterizer->stage.ground_y, scale = 0.5f / shadow->texel;
    v4f u = ((shadow->u.x * x + shadow->u.z * z) + (shadow->u.y * y - shadow->offset_u)) * scale;
    v4f v = ((shadow->v.x * x + shadow->v.z * z) + (shadow->v.y * y - shadow->offset_v)) * scale;
    const float size = TIDE_LIGHT_SIZE / 2, wide = TIDE_CONTACT_SIZE * shadow->contact_texel;
    v4i in = wanted & (u > 0) & (v > 0) & (u < size) & (v < size);
    for (int k = 0; shadow->on_ground && v4_bits(in) && k < 4; k++)
        if (in[k])
            (*lit)[k] = tide_shadow_ground(shadow, u[k], v[k]);
    in = wanted & (x > shadow->contact_x) & (z > shadow->contact_z) & (x < shadow->contact_x + wide) &
         (z < shadow->contact_z + wide);
    for (int k = 0; shadow->has_contact && v4_bits(in) && k < 4; k++)
        if (in[k])
            (*open)[k] = 1 - contact_shade * read_contact(shadow, x[k], z[k]);
}

static void ground_colour(const tide_rasterizer *rasterizer, v4f x, v4f z, v4f w, v4i wanted, v4f fade, v4f out[3])
{
    const tide_raster_stage *stage = &rasterizer->stage;
    const tide_raster_view *view = &rasterizer->view;
    const tide_shadow *shadow = &rasterizer->shadow;
    // how far a pixel reaches along x and z
    v4f reach_x = v4_abs((view->ray_x.x - x * stage->ground_depth_x) * w) +
                  v4_abs((view->ray_y.x - x * stage->ground_depth_y) * w);
    v4f reach_z = v4_abs((view->ray_x.z - z * stage->ground_depth_x) * w) +
                  v4_abs((view->ray_y.z - z * stage->ground_depth_y) * w);
    float cells = 1 / stage->grid;
    v4f lines_x = on_lines((x - stage->grid_x) * cells, reach_x * cells);
    v4f lines_z = on_lines((z - stage->grid_z) * cells, reach_z * cells);
    v4f shade = 1 - grid_shade * (lines_x + lines_z - lines_x * lines_z);
    v4f lit = v4_splat(1), open = v4_splat(1);
    if (shadow->cast)
        shade_lanes(rasterizer, x, z, wanted, &lit, &open);
    shade *= open;
    float towards = tide_float_max(shadow->towards.y, 0);
    for (int i = 0; i < 3; i++) {
        float key = tide_key_light[i] * towards, share = key / (key + tide_sky_light[i]);
        v4f colour = stage->ground[i] * shade * (1 - share * (1 - lit));
        out[i] = stage->bottom[i] + fade * (colour - stage->bottom[i]);
    }
}

void tide_shade_ground(const tide_rasterizer *rasterizer, float x, float y, v4f out[3])
{
    const tide_raster_stage *stage = &rasterizer->stage;
    const tide_raster_view *view = &rasterizer->view;
    v4f sx = x + (v4f) { 0, 1, 2, 3 };
    v4f ray_x = view->ray.x + view->ray_y.x * y + sx * view->ray_x.x;
    v4f ray_y = view->ray.y + view->ray_y.y * y + sx * view->ray_x.y;
    v4f ray_z = view->ray.z + view->ray_y.z * y + sx * view->ray_x.z;
    v4f depth = stage->ground_depth + stage->ground_depth_y * y + sx * stage->ground_depth_x;
    v4i below = stage->has_ground ? depth > 1e-9f : v4_splat_int(0);
    uint32_t below_bits = v4_bits(below);
    if (below_bits != 15) {
        v4f t = v4_splat(1 - y / (2 * view->centre_y));
        if (stage->has_ground)
            t = v4_clamp(ray_y / v4_sqrt(ray_x * ray_x + ray_y * ray_y + ray_z * ray_z) * 1.6f, 0, 1);
        t = t * t * (3 - 2 * t);
        for (int i = 0; i < 3; i++)
            out[i] = stage->bottom[i] + (stage->top[i] - stage->bottom[i]) * t;
        if (!below_bits)
            return;
    }
    v4f w = 1 / v4_max(depth, v4_splat(1e-9f));
    v4f at_x = ray_x * w, at_z = ray_z * w;
    v4f off_x = at_x - stage->centre_x, off_z = at_z - stage->centre_z;
    v4f fade = 1 - (off_x * off_x + off_z * off_z) / (stage->fade_radius * stage->fade_radius);
    fade = v4_max(fade, v4_splat(0));
    fade *= fade;
    v4i wanted = below & (fade > 0);
    v4f colour[3] = { v4_splat(stage->bottom[0]), v4_splat(stage->bottom[1]), v4_splat(stage->bottom[2]) };
    if (v4_bits(wanted))
        ground_colour(rasterizer, at_x, at_z, w, wanted, fade, colour);
    for (int i = 0; i < 3; i++)
        out[i] = below_bits == 15 ? colour[i] : v4_select(below, colour[i], out[i]);
}
