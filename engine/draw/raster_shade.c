// The light on surfaces, four items at a time: a key light with shadow, the sky's light, what the ground throws back,
// a soft sheen, and a little of the key light through cloth.
#include "draw/rasterizer_parts.h"

static const float cloth_through = 0.28f; // of the key light, through thin cloth
static const float sheen = 0.085f;        // at grazing angles
static const float highlight = 0.055f;
static const float fill = 0.42f;        // of the sky's light
static const float near_ground = 0.45f; // how much of the light from below is lost on the ground
static const float mapped_even = 0.65f; // of the light on what is coloured by a map, which is to be read

typedef struct shade_lanes {
    v4f x, y, z;    // position
    v4f nx, ny, nz; // unit normal, towards the viewer
    v4f colour[3];  // linear
    float through;  // the share of the key light that comes through from behind
    v4f even;       // the share of light that is the same everywhere
} shade_lanes;

// The normal may point away from the viewer a little at outlines: bent back, so that no dark rim appears
static void face_viewer(shade_lanes *at, v4f vx, v4f vy, v4f vz, v4f *facing)
{
    v4f d = at->nx * vx + at->ny * vy + at->nz * vz;
    v4f bend = v4_min(d - 0.02f, v4_splat(0));
    at->nx -= bend * vx;
    at->ny -= bend * vy;
    at->nz -= bend * vz;
    v4f scale = 1 / v4_sqrt(at->nx * at->nx + at->ny * at->ny + at->nz * at->nz);
    at->nx *= scale;
    at->ny *= scale;
    at->nz *= scale;
    *facing = v4_max(d, v4_splat(0.02f));
}

// Samples the light's map a little off the surface on the side that faces the light, further off the more slanting the
// light is, so that a surface does not shade itself.
static v4f shadow_lanes(const tide_shadow *shadow, const shade_lanes *at, v4f towards, uint32_t count)
{
    v4f lit = v4_splat(1);
    if (!shadow->cast)
        return lit;
    v4f slant = v4_sqrt(v4_max(1 - towards * towards, v4_splat(0)));
    v4f off = v4_select(towards >= 0, v4_splat(1), v4_splat(-1)) * (0.6f + 2.2f * slant) * shadow->texel;
    v4f x = at->x + off * at->nx, y = at->y + off * at->ny, z = at->z + off * at->nz;
    v4f u = (x * shadow->u.x + y * shadow->u.y + z * shadow->u.z - shadow->offset_u) / shadow->texel;
    v4f v = (x * shadow->v.x + y * shadow->v.y + z * shadow->v.z - shadow->offset_v) / shadow->texel;
    v4f height = x * shadow->towards.x + y * shadow->towards.y + z * shadow->towards.z + 0.8f * shadow->texel;
    for (uint32_t k = 0; k < count; k++)
        lit[k] = tide_shadow_visibility(shadow, u[k], v[k], height[k]);
    return lit;
}

// Rolls off what is brighter than white
static v4f soften(v4f c)
{
    const float knee = 0.75f, room = 1 - knee;
    v4f over = v4_max(c - knee, v4_splat(0));
    return v4_min(c, v4_splat(knee)) + over / (1 + over / room);
}

static void light_items(tide_tile *tile, const tide_shade_item *items, uint32_t count, shade_lanes *at)
{
    const tide_rasterizer *rasterizer = tile->rasterizer;
    const tide_raster_stage *stage = &rasterizer->stage;
    tide_float3 l = rasterizer->shadow.towards;
    float level = tide_float_max(sqrtf(l.x * l.x + l.z * l.z), 1e-3f), fill_x = -0.9f * l.x / level;
    float fill_z = 0.6f * l.z / level;
    v4f scale = -1 / v4_sqrt(at->x * at->x + at->y * at->y + at->z * at->z), facing;
    v4f vx = at->x * scale, vy = at->y * scale, vz = at->z * scale;
    face_viewer(at, vx, vy, vz, &facing);

    v4f towards = at->nx * l.x + at->ny * l.y + at->nz * l.z;
    v4f lit = shadow_lanes(&rasterizer->shadow, at, towards, count);
    v4f direct = v4_max(towards, v4_splat(0)) * lit;
    v4f key = direct + at->through * v4_max(-towards, v4_splat(0)) * lit;
    v4f up = 0.5f + 0.5f * at->ny, open = v4_splat(1);
    if (stage->has_ground) {
        v4f low = v4_clamp(1 - (at->y - stage->ground_y) / (0.35f * stage->radius), 0, 1);
        open = 1 - near_ground * low * low * (1 - up);
    }
    // a weak light without shadow from the other side of the viewer gives form to what is in shadow
    v4f filled = v4_max(at->nx * fill_x + at->ny * 0.25f + at->nz * fill_z, v4_splat(0));
    open *= 0.88f + 0.12f * facing;
    v4f hx = vx + l.x, hy = vy + l.y, hz = vz + l.z;
    v4f half = (at->nx * hx + at->ny * hy + at->nz * hz) / v4_sqrt(hx * hx + hy * hy + hz * hz + 1e-6f);
    half = v4_clamp(half, 0, 1);
    v4f h2 = half * half, h4 = h2 * h2, h8 = h4 * h4, grazing = 1 - facing;
    v4f shine = highlight * h8 * h8 * h4 * direct;
    v4f rim = sheen * grazing * grazing * grazing;
    v4f out[3];
    for (int i = 0; i < 3; i++) {
        v4f sky = (tide_ground_light[i] + (tide_sky_light[i] - tide_ground_light[i]) * up) * open;
        v4f light = tide_key_light[i] * key + sky + fill * tide_sky_light[i] * filled;
        v4f uneven = 1 - at->even;
        out[i] =
            soften(at->colour[i] * (uneven * light + at->even) + uneven * (rim * light + shine * tide_key_light[i]));
    }
    for (uint32_t k = 0; k < count; k++) {
        tile->red[items[k].pixel] += items[k].share * out[0][k];
        tile->green[items[k].pixel] += items[k].share * out[1][k];
        tile->blue[items[k].pixel] += items[k].share * out[2][k];
    }
}

// --- triangles --------------------------------------------------------------------------------------------------

typedef struct corner_lanes {
    v4f x, y, z, u, nx, ny, nz, v;
} corner_lanes;

static void gather(const tide_raster_attributes *const corners[4], corner_lanes *out)
{
    v4f *to = (v4f *)out;
    for (int half = 0; half < 2; half++, to += 4) {
        for (int k = 0; k < 4; k++)
            to[k] = v4_load(half ? corners[k]->normal : corners[k]->position);
        v4_transpose(&to[0], &to[1], &to[2], &to[3]);
    }
}

// A square wave's mean over [t - width / 2, t + width / 2]: 1 in the first half of each unit, -1 in the second
static v4f wave_mean(v4f t, v4f width)
{
    width = v4_clamp(width, 1e-4f, 1e4f);
    v4f low = t - 0.5f * width, high = t + 0.5f * width;
    low -= v4_floor(low);
    high -= v4_floor(high); // its integral is a triangle: t, then 1 - t
    v4f mean = (v4_min(high, 1 - high) - v4_min(low, 1 - low)) / width;
    return v4_clamp(mean, -1, 1);
}

// What triangles look like from rays: places in them, and how fast texture coordinates change on the screen
typedef struct hit_lanes {
    v4f b, c;         // shares of the second and third corner
    v4f u, v, du, dv; // texture, and its change over a pixel
    tide_lanes3 face; // the face's normal, towards the viewer, of any length
} hit_lanes;

static hit_lanes hit_triangles(const tide_raster_view *view, const corner_lanes corner[3], v4f x, v4f y, bool textured)
{
    tide_lanes3 ray = { view->ray.x + x * view->ray_x.x + y * view->ray_y.x,
                        view->ray.y + x * view->ray_x.y + y * view->ray_y.y,
                        view->ray.z + x * view->ray_x.z + y * view->ray_y.z };
    tide_lanes3 p = { corner[0].x, corner[0].y, corner[0].z };
    tide_lanes3 e1 = { corner[1].x - p.x, corner[1].y - p.y, corner[1].z - p.z };
    tide_lanes3 e2 = { corner[2].x - p.x, corner[2].y - p.y, corner[2].z - p.z };
    tide_lanes3 n = tide_lanes3_cross(e1, e2), at_b = tide_lanes3_cross(e2, p), at_c = tide_lanes3_cross(p, e1);
    v4f across = tide_lanes3_dot(ray, n);
    v4i edge_on = v4_abs(across) < 1e-24f;
    v4f scale = 1 / v4_select(edge_on, v4_splat(1), across);
    v4f exact_b = tide_lanes3_dot(ray, at_b) * scale, exact_c = tide_lanes3_dot(ray, at_c) * scale;
    hit_lanes hit;
    // a ray may pass beside the triangle a little, whose corners are rounded to subpixels where it is drawn
    v4f b = v4_clamp(exact_b, 0, 1), c = v4_clamp(exact_c, 0, 1), sum = v4_max(b + c, v4_splat(1));
    hit.b = v4_select(edge_on, v4_splat(1.0f / 3), b / sum);
    hit.c = v4_select(edge_on, v4_splat(1.0f / 3), c / sum);
    v4f side = v4_select(across > 0, v4_splat(-1), v4_splat(1));
    hit.face = (tide_lanes3) { n.x * side, n.y * side, n.z * side };
    if (!textured)
        return hit;
    v4f u1 = corner[1].u - corner[0].u, u2 = corner[2].u - corner[0].u;
    v4f v1 = corner[1].v - corner[0].v, v2 = corner[2].v - corner[0].v;
    hit.u = corner[0].u + hit.b * u1 + hit.c * u2;
    hit.v = corner[0].v + hit.b * v1 + hit.c * v2;
    hit.du = hit.dv = v4_splat(0);
    for (int axis = 0; axis < 2; axis++) {
        tide_float3 step = axis ? view->ray_y : view->ray_x;
        v4f slope = tide_lanes3_dot_float3(n, step);
        v4f db = (tide_lanes3_dot_float3(at_b, step) - exact_b * slope) * scale,
            dc = (tide_lanes3_dot_float3(at_c, step) - exact_c * slope) * scale;
        hit.du += v4_abs(db * u1 + dc * u2);
        hit.dv += v4_abs(db * v1 + dc * v2);
    }
    return hit;
}

void tide_shade_triangles(tide_tile *tile, const tide_shade_item *items, uint32_t count)
{
    const tide_rasterizer *rasterizer = tile->rasterizer;
    const tide_raster_attributes *corners[3][4];
    const float *tone[4], *other[4];
    v4f x, y, checkers;
    const tide_raster_surface *surface = NULL;
    bool textured = false, mapped[4];
    for (uint32_t k = 0; k < 4; k++) {
        const tide_shade_item *item = &items[k < count ? k : count - 1];
        uint32_t triangle = (uint32_t)item->sees >> 1;
        if (!surface || triangle - surface->first_triangle >= surface->source->triangle_count)
            surface = tide_raster_surface_of(rasterizer, triangle);
        const uint32_t *index = surface->source->triangles + 3 * (size_t)(triangle - surface->first_triangle);
        for (int i = 0; i < 3; i++)
            corners[i][k] = rasterizer->attributes + surface->first_vertex + index[i];
        tone[k] = surface->tones[item->sees & 1 ? 2 : 0];
        other[k] = surface->tones[item->sees & 1 ? 3 : 1];
        checkers[k] = 0.5f * surface->checkers;
        mapped[k] = surface->mapped;
        textured = textured || surface->checkers > 0 || surface->mapped;
        x[k] = item->x;
        y[k] = item->y;
    }
    corner_lanes corner[3];
    for (int i = 0; i < 3; i++)
        gather(corners[i], &corner[i]);
    hit_lanes hit = hit_triangles(&rasterizer->view, corner, x, y, textured);
    v4f a = 1 - hit.b - hit.c;
    shade_lanes at = { .x = a * corner[0].x + hit.b * corner[1].x + hit.c * corner[2].x,
                       .y = a * corner[0].y + hit.b * corner[1].y + hit.c * corner[2].y,
                       .z = a * corner[0].z + hit.b * corner[1].z + hit.c * corner[2].z,
                       .nx = a * corner[0].nx + hit.b * corner[1].nx + hit.c * corner[2].nx,
                       .ny = a * corner[0].ny + hit.b * corner[1].ny + hit.c * corner[2].ny,
                       .nz = a * corner[0].nz + hit.b * corner[1].nz + hit.c * corner[2].nz,
                       .through = cloth_through };
    v4f side = at.nx * hit.face.x + at.ny * hit.face.y + at.nz * hit.face.z;
    v4f square = at.nx * at.nx + at.ny * at.ny + at.nz * at.nz;
    v4f length = v4_select(side < 0, v4_splat(-1), v4_splat(1)) / v4_sqrt(v4_max(square, v4_splat(1e-20f)));
    at.nx *= length;
    at.ny *= length;
    at.nz *= length;
    v4f mix = v4_splat(0);
    if (textured)
        mix = 0.5f -
              0.5f * wave_mean(hit.u * checkers, hit.du * checkers) * wave_mean(hit.v * checkers, hit.dv * checkers);
    mix = v4_select(checkers > 0, mix, v4_splat(0));
    for (int i = 0; i < 3; i++) {
        v4f base = { tone[0][i], tone[1][i], tone[2][i], tone[3][i] };
        v4f second = { other[0][i], other[1][i], other[2][i], other[3][i] };
        at.colour[i] = base + mix * (second - base);
    }
    for (uint32_t k = 0; k < 4; k++)
        if (mapped[k]) {
            float colour[3];
            tide_raster_map_colour(rasterizer, hit.u[k], colour);
            for (int i = 0; i < 3; i++)
                at.colour[i][k] = colour[i];
            at.even[k] = mapped_even;
        }
    light_items(tile, items, count, &at);
}

// --- tubes and balls --------------------------------------------------------------------------------------------

void tide_shade_solids(tide_tile *tile, const tide_shade_item *items, uint32_t count)
{
    const tide_rasterizer *rasterizer = tile->rasterizer;
    const tide_raster_view *view = &rasterizer->view;
    shade_lanes at = { .through = 0 };
    for (uint32_t k = 0; k < 4; k++) {
        const tide_shade_item *item = &items[k < count ? k : count - 1];
        const tide_raster_solid *solid = &rasterizer->solids[((uint32_t)item->sees >> 1) - rasterizer->triangle_count];
        tide_float3 ray = tide_float3_add(view->ray, tide_float3_add(tide_float3_scale(view->ray_x, item->x),
                                                                     tide_float3_scale(view->ray_y, item->y)));
        tide_float3 position, normal;
        tide_solid_hit(solid, ray, &position, &normal);
        at.x[k] = position.x;
        at.y[k] = position.y;
        at.z[k] = position.z;
        at.nx[k] = normal.x;
        at.ny[k] = normal.y;
        at.nz[k] = normal.z;
        for (int i = 0; i < 3; i++)
            at.colour[i][k] = solid->colour[i];
    }
    light_items(tile, items, count, &at);
}
