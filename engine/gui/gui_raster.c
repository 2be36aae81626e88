#include "gui/gui_raster.h"

#include "draw/pixels.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct clip_box {
    int32_t x0, y0, x1, y1; // pixels; x1, y1 are exclusive
} clip_box;

// Returns the first pixel whose centre is at x or to its right
static int32_t pixel_from(float x)
{
    float from = x - 0.5f;
    int32_t whole = (int32_t)from;
    return whole + ((float)whole < from);
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

// Returns c * a / 255, rounded, for numbers up to 255
static unsigned part(unsigned c, unsigned a)
{
    unsigned t = c * a + 128;
    return (t + (t >> 8)) >> 8;
}

static void blend(uint8_t *pixel, const uint8_t colour[3], unsigned alpha)
{
    for (int c = 0; c < 3; c++)
        pixel[c] = (uint8_t)part(colour[c] * alpha + pixel[c] * (255 - alpha), 1);
}

static bool sane(const tide_gui_vertex *v)
{
    return fabsf(v->x) < 1e6f && fabsf(v->y) < 1e6f && fabsf(v->u) < 1e3f && fabsf(v->v) < 1e3f;
}

static uint8_t *pixel_at(tide_image *onto, int32_t x, int32_t y)
{
    return onto->pixels + 4 * ((size_t)y * onto->width + (size_t)x);
}

// Clamps to [0, limit]; NaN gives 0
static float held(float value, float limit)
{
    return value > 0 ? value < limit ? value : limit : 0;
}

static uint32_t texel_at(float u, uint32_t size)
{
    return (uint32_t)held(u * (float)size, (float)(size - 1));
}

static unsigned texture_at(const tide_gui_texture *texture, float u, float v)
{
    return texture->alpha[(size_t)texel_at(v, texture->height) * texture->width + texel_at(u, texture->width)];
}

// --- rectangles ------------------------------------------------------------------------------------------------------

static tide_pixel_block block_of(tide_image *onto, const clip_box *box)
{
    return (tide_pixel_block) { .pixels = pixel_at(onto, box->x0, box->y0),
                                .stride = 4 * (size_t)onto->width,
                                .width = (uint32_t)(box->x1 - box->x0),
                                .height = (uint32_t)(box->y1 - box->y0) };
}

enum { MOST_TEXELS = 128 };

// Computes the texels that a row of pixels reads. Returns whether they are adjacent.
static bool texels_of(float first, float step, float limit, int32_t count, uint32_t at[MOST_TEXELS])
{
    bool in_a_row = true;
    for (int32_t i = 0; i < count; i++, first += step) {
        at[i] = (uint32_t)held(first, limit);
        in_a_row = in_a_row && at[i] == at[0] + (uint32_t)i;
    }
    return in_a_row;
}

// Draws a glyph: an image in the texture with about one texel per pixel. Reads directly if it is exactly one.
static void stamp(tide_image *onto, const clip_box *box, const tide_gui_vertex *first, const tide_gui_vertex *last,
                  const tide_gui_texture *texture)
{
    float across = (last->u - first->u) / (last->x - first->x) * (float)texture->width;
    float down = (last->v - first->v) / (last->y - first->y) * (float)texture->height;
    clip_box part = *box;
    for (part.x0 = box->x0; part.x0 < box->x1; part.x0 = part.x1)
        for (part.y0 = box->y0; part.y0 < box->y1; part.y0 = part.y1) {
            uint32_t columns[MOST_TEXELS], rows[MOST_TEXELS];
            uint8_t cover[MOST_TEXELS];
            part.x1 = least(part.x0 + MOST_TEXELS, box->x1);
            part.y1 = least(part.y0 + MOST_TEXELS, box->y1);
            float u = first->u * (float)texture->width + ((float)part.x0 + 0.5f - first->x) * across;
            float v = first->v * (float)texture->height + ((float)part.y0 + 0.5f - first->y) * down;
            bool as_is = texels_of(u, across, (float)(texture->width - 1), part.x1 - part.x0, columns);
            bool below = texels_of(v, down, (float)(texture->height - 1), part.y1 - part.y0, rows);
            tide_pixel_block block = block_of(onto, &part);
            if (as_is && below) {
                const uint8_t *texels = texture->alpha + (size_t)rows[0] * texture->width + columns[0];
                tide_pixels_stamp(&block, first->colour, texels, texture->width);
                continue;
            }
            const uint32_t height = block.height;
            block.height = 1;
            for (uint32_t y = 0; y < height; y++, block.pixels += block.stride) {
                const uint8_t *texels = texture->alpha + (size_t)rows[y] * texture->width;
                for (uint32_t x = 0; x < block.width; x++)
                    cover[x] = texels[columns[x]];
                tide_pixels_stamp(&block, first->colour, cover, 0);
            }
        }
}

// Returns whether the six indices are an axis-aligned rectangle of one colour, whose first and third corners are
// opposite.
static bool is_rectangle(const tide_gui_vertex *vertices, const uint16_t *indices)
{
    if (indices[0] != indices[3] || indices[2] != indices[4])
        return false;
    const tide_gui_vertex *a = &vertices[indices[0]], *b = &vertices[indices[1]], *c = &vertices[indices[2]],
                          *d = &vertices[indices[5]];
    return a->y == b->y && b->x == c->x && c->y == d->y && d->x == a->x && a->v == b->v && b->u == c->u &&
           c->v == d->v && d->u == a->u && memcmp(a->colour, b->colour, 4) == 0 &&
           memcmp(a->colour, c->colour, 4) == 0 && memcmp(a->colour, d->colour, 4) == 0 && a->x < c->x && a->y < c->y;
}

static void draw_rectangle(tide_image *onto, const clip_box *clip, const tide_gui_vertex *a, const tide_gui_vertex *c,
                           const tide_gui_texture *texture)
{
    clip_box box = { most(clip->x0, pixel_from(a->x)), most(clip->y0, pixel_from(a->y)),
                     least(clip->x1, pixel_from(c->x)), least(clip->y1, pixel_from(c->y)) };
    if (box.x1 <= box.x0 || box.y1 <= box.y0)
        return;
    if (a->u != c->u || a->v != c->v) {
        stamp(onto, &box, a, c, texture);
        return;
    }
    uint8_t colour[4];
    memcpy(colour, a->colour, 4);
    colour[3] = (uint8_t)part(colour[3], texture_at(texture, a->u, a->v));
    tide_pixel_block block = block_of(onto, &box);
    if (colour[3])
        tide_pixels_tint(&block, colour);
}

// --- triangles -------------------------------------------------------------------------------------------------------

enum { RED, GREEN, BLUE, ALPHA, U, V, ATTRIBUTES };

// Attributes as linear functions on the picture: value = at[0] + at[1] x + at[2] y
typedef struct planes {
    float at[ATTRIBUTES][3]; // only alpha is set if `flat` and not `uneven`
    bool flat;               // the texel is constant
    bool uneven;             // more than alpha varies
    uint8_t colour[3];       // of one corner
} planes;

static float attribute(const tide_gui_vertex *v, int which)
{
    return which == U ? v->u : which == V ? v->v : v->colour[which];
}

static bool make_planes(const tide_gui_vertex *a, const tide_gui_vertex *b, const tide_gui_vertex *c, planes *p)
{
    float abx = b->x - a->x, aby = b->y - a->y, acx = c->x - a->x, acy = c->y - a->y, twice = abx * acy - acx * aby;
    if (!(fabsf(twice) > 1e-6f))
        return false;
    p->uneven = memcmp(a->colour, b->colour, 3) != 0 || memcmp(a->colour, c->colour, 3) != 0;
    p->flat = a->u == b->u && a->u == c->u && a->v == b->v && a->v == c->v;
    memcpy(p->colour, a->colour, sizeof p->colour);
    const bool simple = p->flat && !p->uneven;
    for (int i = simple ? ALPHA : RED; i < (simple ? U : ATTRIBUTES); i++) {
        float value = attribute(a, i), ab = attribute(b, i) - value, ac = attribute(c, i) - value;
        p->at[i][1] = (ab * acy - ac * aby) / twice;
        p->at[i][2] = (ac * abx - ab * acx) / twice;
        p->at[i][0] = value - p->at[i][1] * a->x - p->at[i][2] * a->y;
    }
    return true;
}

// Draws a span of one colour with varying alpha: the soft edges of shapes, the most frequent triangles
static void draw_edge(tide_image *onto, int32_t from, int32_t to, int32_t y, const planes *p, unsigned cover)
{
    float alpha = p->at[ALPHA][0] + p->at[ALPHA][1] * ((float)from + 0.5f) + p->at[ALPHA][2] * ((float)y + 0.5f);
    uint8_t *pixel = pixel_at(onto, from, y);
    for (int32_t x = from; x < to; x++, pixel += 4, alpha += p->at[ALPHA][1])
        blend(pixel, p->colour, part((unsigned)(held(alpha, 255) + 0.5f), cover));
}

static void draw_span(tide_image *onto, int32_t from, int32_t to, int32_t y, const planes *p, unsigned cover,
                      const tide_gui_texture *texture)
{
    float value[ATTRIBUTES];
    for (int i = 0; i < ATTRIBUTES; i++)
        value[i] = p->at[i][0] + p->at[i][1] * ((float)from + 0.5f) + p->at[i][2] * ((float)y + 0.5f);
    uint8_t *pixel = pixel_at(onto, from, y);
    for (int32_t x = from; x < to; x++, pixel += 4) {
        uint8_t colour[4];
        for (int i = RED; i <= ALPHA; i++)
            colour[i] = (uint8_t)(held(value[i], 255) + 0.5f);
        blend(pixel, colour, part(colour[3], p->flat ? cover : texture_at(texture, value[U], value[V])));
        for (int i = 0; i < ATTRIBUTES; i++)
            value[i] += p->at[i][1];
    }
}

// Intersects the edge with a height, always computed from the upper end to the lower one, so that two triangles with
// this edge get the same result.
static float cross(const tide_gui_vertex *upper, const tide_gui_vertex *lower, float y)
{
    return upper->x + (lower->x - upper->x) * ((y - upper->y) / (lower->y - upper->y));
}

static void swap_if_below(const tide_gui_vertex **a, const tide_gui_vertex **b)
{
    if ((*a)->y > (*b)->y || ((*a)->y == (*b)->y && (*a)->x > (*b)->x)) {
        const tide_gui_vertex *other = *a;
        *a = *b;
        *b = other;
    }
}

static void draw_triangle(tide_image *onto, const clip_box *clip, const tide_gui_vertex *a, const tide_gui_vertex *b,
                          const tide_gui_vertex *c, const tide_gui_texture *texture)
{
    planes p;
    swap_if_below(&a, &b);
    swap_if_below(&b, &c);
    swap_if_below(&a, &b);
    if (!make_planes(a, b, c, &p))
        return;
    unsigned cover = p.flat ? texture_at(texture, a->u, a->v) : 255;
    int32_t y0 = most(clip->y0, pixel_from(a->y)), y1 = least(clip->y1, pixel_from(c->y));
    for (int32_t y = y0; y < y1; y++) {
        float middle = (float)y + 0.5f;
        float one = cross(a, c, middle), other = middle < b->y ? cross(a, b, middle) : cross(b, c, middle);
        int32_t from = most(clip->x0, pixel_from(fminf(one, other)));
        int32_t to = least(clip->x1, pixel_from(fmaxf(one, other)));
        if (from < to && p.flat && !p.uneven)
            draw_edge(onto, from, to, y, &p, cover);
        else if (from < to)
            draw_span(onto, from, to, y, &p, cover, texture);
    }
}

void tide_gui_raster(tide_image *onto, const float clip[4], const tide_gui_vertex *vertices, const uint16_t *indices,
                     uint32_t index_count, const tide_gui_texture *texture)
{
    for (int i = 0; i < 4; i++)
        if (!(fabsf(clip[i]) < 1e6f))
            return;
    clip_box box = { most(0, pixel_from(clip[0])), most(0, pixel_from(clip[1])),
                     least((int32_t)onto->width, pixel_from(clip[2])),
                     least((int32_t)onto->height, pixel_from(clip[3])) };
    for (uint32_t i = 0; i + 3 <= index_count;) {
        const tide_gui_vertex *a = &vertices[indices[i]], *b = &vertices[indices[i + 1]],
                              *c = &vertices[indices[i + 2]];
        bool good = sane(a) && sane(b) && sane(c);
        if (good && i + 6 <= index_count && sane(&vertices[indices[i + 5]]) && is_rectangle(vertices, indices + i)) {
            draw_rectangle(onto, &box, a, c, texture);
            i += 6;
        } else {
            if (good)
                draw_triangle(onto, &box, a, b, c, texture);
            i += 3;
        }
    }
}
