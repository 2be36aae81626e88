// Labels: strokes rendered by distance, with a soft light or dark outline that keeps them readable on any background.
#include "base/memory.h"
#include "draw/font.h"
#include "draw/rasterizer_parts.h"

static const float pen_width = 2.35f; // font units
static const float far_away = 1e9f;

// A line of text being rendered: the distance of each pixel to the nearest stroke
struct strip {
    int32_t x, y, width, height; // pixels of the image
    float *distance;
};

struct face {
    float scale, small, capital; // pixels per font unit; heights of letters in whole pixels
    float pen, reach;            // half the stroke's width, and the extent of the outline, pixels
};

static struct face face_of(float size)
{
    struct face face = { .scale = size / TIDE_FONT_EM };
    face.small = tide_float_max(roundf(TIDE_FONT_SMALL * face.scale), 1);
    face.capital = tide_float_max(roundf(TIDE_FONT_CAPITAL * face.scale), face.small + 1);
    face.pen = tide_float_max(0.5f * pen_width * face.scale, 0.55f);
    face.reach = face.pen + tide_float_max(2, 3.0f * face.scale);
    return face;
}

// Maps a height so that the tops of letters are on whole pixels.
static float height_of(const struct face *face, float y)
{
    if (y <= 0)
        return y * face->scale;
    if (y <= TIDE_FONT_SMALL)
        return y * face->small / TIDE_FONT_SMALL;
    float step = (face->capital - face->small) / (TIDE_FONT_CAPITAL - TIDE_FONT_SMALL);
    return face->small + (y - TIDE_FONT_SMALL) * step;
}

static void add_stroke(struct strip *strip, const struct face *face, float ax, float ay, float bx, float by)
{
    float reach = face->reach + 1, dx = bx - ax, dy = by - ay, square = dx * dx + dy * dy;
    float smaller = square > 0 ? 0 : 0.3f * face->pen; // dots are slightly bolder
    float scale = square > 0 ? 1 / square : 0;
    float low_x = tide_float_min(ax, bx) - reach, high_x = tide_float_max(ax, bx) + reach;
    float low_y = tide_float_min(ay, by) - reach, high_y = tide_float_max(ay, by) + reach;
    if (high_x < 0 || high_y < 0 || low_x >= (float)strip->width || low_y >= (float)strip->height)
        return;
    int32_t x0 = (int32_t)tide_float_max(low_x, 0), x1 = (int32_t)tide_float_min(high_x, (float)strip->width - 1);
    int32_t y0 = (int32_t)tide_float_max(low_y, 0), y1 = (int32_t)tide_float_min(high_y, (float)strip->height - 1);
    for (int32_t y = y0; y <= y1; y++) {
        float *row = strip->distance + (size_t)y * (size_t)strip->width;
        float py = (float)y + 0.5f - ay;
        for (int32_t x = x0; x <= x1; x += 4) {
            v4f px = (float)x + 0.5f + (v4f) { 0, 1, 2, 3 } - ax;
            v4f along = v4_clamp((px * dx + py * dy) * scale, 0, 1);
            v4f off_x = px - along * dx, off_y = py - along * dy;
            v4f distance = v4_sqrt(off_x * off_x + off_y * off_y) - smaller;
            v4_store(row + x, v4_min(v4_load(row + x), distance)); // the strip has padding
        }
    }
}

static void blend_strip(const struct strip *strip, const struct face *face, tide_colour colour, tide_image *image)
{
    float ink[4] = { colour.r, colour.g, colour.b, 1 },
          luminance = 0.3f * colour.r + 0.59f * colour.g + 0.11f * colour.b;
    float outline = luminance < 0.55f ? 255 : 25, strength = luminance < 0.55f ? 0.7f : 0.45f,
          alpha = tide_float_min(tide_float_max(colour.a, 0), 1);
    for (int i = 0; i < 4; i++)
        ink[i] = 255 * tide_float_min(tide_float_max(ink[i], 0), 1);
    for (int32_t y = 0; y < strip->height; y++)
        for (int32_t x = 0; x < strip->width; x++) {
            float distance = strip->distance[(size_t)y * (size_t)strip->width + (size_t)x];
            if (distance >= face->reach)
                continue;
            float fade = (face->reach - distance) / (face->reach - face->pen);
            fade = tide_float_min(fade, 1);
            float around = strength * alpha * fade;
            float cover = alpha * tide_float_min(tide_float_max(face->pen + 0.5f - distance, 0), 1);
            size_t place = (size_t)(strip->y + y) * image->width + (size_t)(strip->x + x);
            uint8_t *pixel = image->pixels + 4 * place;
            for (int i = 0; i < 4; i++) {
                float c = pixel[i];
                c += ((i < 3 ? outline : 255) - c) * around;
                c += (ink[i] - c) * cover;
                pixel[i] = (uint8_t)(c + 0.5f);
            }
        }
}

static float line_width(const char *text, const char *end, float scale)
{
    tide_font_stroke strokes[TIDE_FONT_MAX_STROKES];
    float width = 0, advance;
    while (text < end) {
        tide_font_strokes(tide_font_next(&text), strokes, &advance);
        width += tide_float_max(roundf(advance * scale), 1);
    }
    return width;
}

// Makes an empty strip of the part of the image that a line of text may touch; its width is 0 if it touches none.
// Returns false without memory.
static bool open_strip(tide_rasterizer *rasterizer, const struct face *face, float x, float baseline, float width,
                       struct strip *strip)
{
    const tide_image *image = rasterizer->image;
    float margin = face->reach + 2;
    float x0 = tide_float_max(x - margin, 0), x1 = tide_float_min(x + width + margin, (float)image->width);
    float y0 = tide_float_max(baseline - 23 * face->scale - margin - 2, 0);
    float y1 = tide_float_min(baseline + 8 * face->scale + margin + 2, (float)image->height);
    *strip = (struct strip) { 0 };
    if (!(x1 > x0 && y1 > y0))
        return true;
    strip->x = (int32_t)x0;
    strip->y = (int32_t)y0;
    strip->width = (int32_t)x1 - strip->x;
    strip->height = (int32_t)y1 - strip->y;
    size_t count = (size_t)strip->width * (size_t)strip->height;
    if (!tide_grow_owned(rasterizer, &rasterizer->strip, &rasterizer->strip_capacity, count + 4, sizeof(float)))
        return false;
    strip->distance = rasterizer->strip;
    for (size_t i = 0; i < count + 4; i++)
        strip->distance[i] = far_away;
    return true;
}

static bool draw_line(tide_rasterizer *rasterizer, const struct face *face, const char *text, const char *end, float x,
                      float baseline, float width, tide_colour colour)
{
    struct strip strip;
    if (!open_strip(rasterizer, face, x, baseline, width, &strip))
        return false;
    if (!strip.width || !strip.height)
        return true;
    float pen = x - (float)strip.x, base = baseline - (float)strip.y, advance;
    float last = (float)strip.width + 2 * TIDE_FONT_EM * face->scale;
    tide_font_stroke strokes[TIDE_FONT_MAX_STROKES];
    while (text < end && pen < last) {
        uint32_t count = tide_font_strokes(tide_font_next(&text), strokes, &advance);
        for (uint32_t i = 0; i < count && pen + (advance + 4) * face->scale + face->reach > 0; i++)
            add_stroke(&strip, face, pen + strokes[i].x0 * face->scale, base - height_of(face, strokes[i].y0),
                       pen + strokes[i].x1 * face->scale, base - height_of(face, strokes[i].y1));
        pen += tide_float_max(roundf(advance * face->scale), 1);
    }
    blend_strip(&strip, face, colour, rasterizer->image);
    return true;
}

// Computes the position of a label's text: its top, and its left end or its centre
static bool place_label(const tide_raster_view *view, const tide_draw_label *label, float *x, float *y)
{
    if (label->on_screen) {
        *x = label->position[0];
        *y = label->position[1];
        return tide_float_sane(*x) && tide_float_sane(*y);
    }
    tide_float3 p = tide_float3_subtract(tide_raster_turn(view, tide_float3_load(label->position)), view->position);
    float w = tide_float3_dot(view->forward, p);
    if (!tide_float3_sane(p) || !(w > view->near_plane))
        return false;
    *x = view->centre_x + view->focal * tide_float3_dot(view->right, p) / w;
    *y = view->centre_y - view->focal * tide_float3_dot(view->up, p) / w;
    return tide_float_sane(*x) && tide_float_sane(*y);
}

static bool draw_label(tide_rasterizer *rasterizer, const tide_draw_label *label)
{
    float x, y, width, height;
    if (!label->text || !(label->size >= 2) || !(label->size <= 4096) || !(label->colour.a > 0) ||
        !place_label(&rasterizer->view, label, &x, &y))
        return true;
    struct face face = face_of(label->size);
    float line = roundf(TIDE_FONT_LINE * face.scale);
    if (!label->on_screen) {
        tide_draw_text_size(label->text, label->size, &width, &height);
        y -= height + 0.35f * label->size;
    }
    // baselines are at pixel centres
    float baseline = floorf(y) + roundf(24 * face.scale) + 0.5f;
    for (const char *text = label->text; baseline < (float)rasterizer->image->height + 2 * line; baseline += line) {
        const char *end = text;
        while (*end && *end != '\n')
            end++;
        width = line_width(text, end, face.scale);
        float left = roundf(label->on_screen ? x : x - 0.5f * width);
        if (!draw_line(rasterizer, &face, text, end, left, baseline, width, label->colour))
            return false;
        if (!*end)
            break;
        text = end + 1;
    }
    return true;
}

static int32_t pixel_of(float at, uint32_t size)
{
    return (int32_t)tide_float_min(tide_float_max(roundf(at), 0), (float)size);
}

static void draw_box(tide_image *image, const tide_draw_box *box)
{
    float alpha = tide_float_min(tide_float_max(box->colour.a, 0), 1);
    const float ink[4] = { box->colour.r, box->colour.g, box->colour.b, 1 };
    int32_t x0 = pixel_of(box->x, image->width), x1 = pixel_of(box->x + box->width, image->width);
    int32_t y0 = pixel_of(box->y, image->height), y1 = pixel_of(box->y + box->height, image->height);
    for (int32_t y = y0; y < y1; y++)
        for (int32_t x = x0; x < x1; x++) {
            uint8_t *pixel = image->pixels + 4 * ((size_t)y * image->width + (size_t)x);
            for (int i = 0; i < 4; i++) {
                float to = 255 * tide_float_min(tide_float_max(ink[i], 0), 1);
                pixel[i] = (uint8_t)(pixel[i] + (to - pixel[i]) * alpha + 0.5f);
            }
        }
}

tide_status tide_raster_labels(tide_rasterizer *rasterizer, tide_error *error)
{
    for (size_t i = 0; i < rasterizer->list->box_count; i++)
        draw_box(rasterizer->image, &rasterizer->list->boxes[i]);
    for (size_t i = 0; i < rasterizer->list->label_count; i++)
        if (!draw_label(rasterizer, &rasterizer->list->labels[i]))
            return tide_fail_memory(error, "picture");
    return TIDE_OK;
}
