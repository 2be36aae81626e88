#include "draw/overlay.h"

#include "base/memory.h"
#include "base/text.h"
#include "draw/world_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float least_size = 7; // smallest text height, pixels

tide_status tide_overlay_create(tide_overlay *overlay, tide_error *error)
{
    *overlay = (tide_overlay) { .text_size = 15 };
    return tide_rasterizer_create(&overlay->rasterizer, error);
}

void tide_overlay_free(tide_overlay *overlay)
{
    tide_rasterizer_destroy(overlay->rasterizer);
    tide_draw_list_free(&overlay->list);
    tide_image_free(&overlay->image);
    tide_text_free(&overlay->lines);
    *overlay = (tide_overlay) { 0 };
}

static float width_of(const tide_overlay *overlay, const char *text)
{
    float width, height;
    tide_draw_text_size(text, overlay->text_size, &width, &height);
    return width;
}

static bool fits(const tide_overlay *overlay, const char *line, size_t length, float room)
{
    char part[1024];
    memcpy(part, line, length);
    part[length] = '\0';
    return width_of(overlay, part) <= room;
}

static const char between_parts[] = "  |  ";

static bool is_between_parts(const char *text)
{
    return strncmp(text, between_parts, sizeof between_parts - 1) == 0;
}

// Returns how many bytes of the line fit into `room`: whole parts between bars, or else words, or else letters.
static size_t fitting(const tide_overlay *overlay, const char *line, size_t length, float room)
{
    size_t parts = 0, words = 0, letters = 1;
    if (length > 1000)
        length = 1000;
    for (size_t end = 1; end <= length; end++)
        if ((end == length || line[end] == ' ') && fits(overlay, line, end, room)) {
            words = end;
            parts = end == length || is_between_parts(line + end) ? end : parts;
        }
    while (letters < length && fits(overlay, line, letters + 1, room))
        letters++;
    return parts ? parts : words ? words : letters;
}

static void wrap(const tide_overlay *overlay, const char *text, float room, tide_text *out)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        size_t taken = length ? fitting(overlay, text, length, room) : 0;
        if (out->length)
            tide_text_add(out, "\n", 1);
        tide_text_add(out, text, taken);
        text += taken;
        text += is_between_parts(text) ? sizeof between_parts - 1 : *text == '\n' || *text == ' ';
    }
}

// Blends the panel: the picture shows through its background, text is opaque.
static void blend(const tide_image *panel, tide_image *onto, uint32_t left, uint32_t top)
{
    for (uint32_t y = 0; y < panel->height && top + y < onto->height; y++) {
        const uint8_t *from = panel->pixels + 4 * (size_t)panel->width * y;
        uint8_t *to = onto->pixels + 4 * ((size_t)onto->width * (top + y) + left);
        for (uint32_t x = 0; x < panel->width && left + x < onto->width; x++, from += 4, to += 4) {
            unsigned alpha = 200 + (55u * from[1]) / 255;
            for (int c = 0; c < 3; c++)
                to[c] = (uint8_t)((from[c] * alpha + to[c] * (255 - alpha)) / 255);
        }
    }
}

static void add_text_of(tide_overlay *overlay, float x, float y, const char *text, float size)
{
    tide_draw_add_label(&overlay->list, &(tide_draw_label) { .position = { x, y, 0 },
                                                             .on_screen = true,
                                                             .size = size,
                                                             .colour = { 0.96f, 0.96f, 0.96f, 1 },
                                                             .text = text });
}

static void add_text(tide_overlay *overlay, float x, float y, const char *text)
{
    add_text_of(overlay, x, y, text, overlay->text_size);
}

static tide_status draw_panel(tide_overlay *overlay, uint32_t width, uint32_t height, bool alert, tide_error *error)
{
    tide_colour paper = alert ? (tide_colour) { 0.40f, 0.06f, 0.07f, 1 } : (tide_colour) { 0.07f, 0.08f, 0.10f, 1 };
    tide_draw_list *list = &overlay->list;
    list->stage = tide_draw_stage_default();
    list->stage.background_top = list->stage.background_bottom = paper;
    list->stage.has_ground = false;
    list->camera = (tide_draw_camera) { .position = { 0, 0, 1 }, .up = { 0, 1, 0 }, .field_of_view = 1 };
    if (list->failed)
        return tide_fail_memory(error, "panel");
    tide_status status = tide_image_resize(&overlay->image, width, height, error);
    return status == TIDE_OK ? tide_rasterizer_draw(overlay->rasterizer, list, &overlay->image, error) : status;
}

static uint32_t at_most(float wanted, uint32_t limit)
{
    return wanted < (float)limit ? (uint32_t)ceilf(wanted) : limit;
}

// Wraps the text to the width of the place, and computes its size.
static bool lay_out(const tide_overlay *overlay, const tide_image *onto, tide_panel_place place, const char *text,
                    tide_text *wrapped, float *width, float *height)
{
    float room = (float)onto->width * (place == TIDE_PANEL_CENTRE ? 0.8f : 1) - 1.2f * overlay->text_size;
    tide_text_clear(wrapped);
    wrap(overlay, text, room, wrapped);
    *width = *height = 0;
    if (wrapped->bytes && !wrapped->failed)
        tide_draw_text_size(wrapped->bytes, overlay->text_size, width, height);
    return !wrapped->failed;
}

static tide_status show_panel(tide_overlay *overlay, tide_image *onto, tide_panel_place place, const char *text,
                              float text_width, float text_height, bool alert, tide_error *error)
{
    float margin = roundf(0.6f * overlay->text_size);
    float pad = place == TIDE_PANEL_BOTTOM ? 0.5f * margin : margin;
    tide_draw_list_clear(&overlay->list);
    add_text(overlay, margin, pad, text);
    bool bar = place == TIDE_PANEL_BOTTOM;
    uint32_t width = at_most(bar ? INFINITY : text_width + 2 * margin, onto->width);
    uint32_t height = at_most(text_height + 2 * pad, onto->height);
    TIDE_TRY(draw_panel(overlay, width, height, alert, error));
    uint32_t left = bar ? 0 : (onto->width - width) / 2,
             top = onto->height - height - (bar ? 0 : at_most(margin, onto->height - height));
    if (place == TIDE_PANEL_TOP_LEFT || place == TIDE_PANEL_BOTTOM_LEFT)
        left = at_most(margin, onto->width - width);
    if (place == TIDE_PANEL_TOP_LEFT)
        top = at_most(margin, onto->height - height);
    blend(&overlay->image, onto, left, top);
    if (place == TIDE_PANEL_CENTRE) {
        tide_text_clear(&overlay->lines);
        tide_text_add(&overlay->lines, text, strlen(text));
        overlay->lines_left = (float)left + margin;
        overlay->lines_top = (float)top + pad;
        overlay->lines_width = text_width;
        overlay->lines_height = text_height;
    }
    return TIDE_OK;
}

const char *tide_overlay_line_at(const tide_overlay *overlay, double x, double y)
{
    const char *line = overlay->lines.failed || !overlay->lines.length ? NULL : overlay->lines.bytes;
    double down = y - (double)overlay->lines_top, right = x - (double)overlay->lines_left;
    if (!line ||
        !(down >= 0 && down < (double)overlay->lines_height && right >= 0 && right < (double)overlay->lines_width))
        return NULL;
    size_t count = 1;
    for (const char *c = line; *c; c++)
        count += *c == '\n';
    for (size_t wanted = (size_t)(down / (double)overlay->lines_height * (double)count); wanted && line; wanted--) {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return line;
}

void tide_overlay_forget_lines(tide_overlay *overlay)
{
    tide_text_clear(&overlay->lines);
}

// The same with smaller letters if it would not fit, down to the least size. A bar takes at most two fifths of the
// picture.
static bool lay_out_fitting(tide_overlay *overlay, const tide_image *onto, tide_panel_place place, const char *text,
                            tide_text *wrapped, float *width, float *height)
{
    float around = place == TIDE_PANEL_CENTRE ? 4 * overlay->text_size : 0;
    float most = (place == TIDE_PANEL_BOTTOM ? 0.4f : 1) * (float)onto->height;
    bool good = lay_out(overlay, onto, place, text, wrapped, width, height);
    while (good && place != TIDE_PANEL_TOP_LEFT && place != TIDE_PANEL_BOTTOM_LEFT && overlay->text_size > least_size &&
           *height + around > most) {
        overlay->text_size *= 0.93f;
        good = lay_out(overlay, onto, place, text, wrapped, width, height);
    }
    return good;
}

double tide_notice_seconds(const char *text, bool failed)
{
    const double least = 6, letters_a_second = 15;
    return (failed ? 2 : 1) * fmax(least, (double)strlen(text) / letters_a_second);
}

uint32_t tide_overlay_height(tide_overlay *overlay, const tide_image *onto, tide_panel_place place, const char *text)
{
    const float size = overlay->text_size;
    float width, height;
    TIDE_SCOPED_BY(tide_text_free) tide_text wrapped = { 0 };
    bool good = lay_out_fitting(overlay, onto, place, text, &wrapped, &width, &height);
    float margin = roundf(0.6f * overlay->text_size);
    overlay->text_size = size;
    return good ? at_most(height + (place == TIDE_PANEL_BOTTOM ? 1 : 2) * margin, onto->height) : 0;
}

tide_status tide_overlay_panel(tide_overlay *overlay, tide_image *onto, tide_panel_place place, const char *text,
                               bool alert, tide_error *error)
{
    const float size = overlay->text_size;
    float width, height;
    TIDE_SCOPED_BY(tide_text_free) tide_text wrapped = { 0 };
    tide_status status = TIDE_OK;
    if (!lay_out_fitting(overlay, onto, place, text, &wrapped, &width, &height))
        status = tide_fail_memory(error, "panel");
    else if (wrapped.bytes)
        status = show_panel(overlay, onto, place, wrapped.bytes, width, height, alert, error);
    overlay->text_size = size;
    return status;
}

// Paints the colours of strain across a rectangle.
static void paint_colours(tide_image *onto, uint32_t left, uint32_t top, uint32_t width, uint32_t height)
{
    for (uint32_t x = 0; x < width && left + x < onto->width; x++) {
        double strain = TIDE_FULL_STRAIN * (2 * (x + 0.5) / width - 1);
        tide_colour colour = tide_strain_colour(strain);
        const uint8_t bytes[3] = { (uint8_t)(255 * colour.r + 0.5f), (uint8_t)(255 * colour.g + 0.5f),
                                   (uint8_t)(255 * colour.b + 0.5f) };
        for (uint32_t y = 0; y < height && top + y < onto->height; y++)
            memcpy(onto->pixels + 4 * ((size_t)onto->width * (top + y) + left + x), bytes, sizeof bytes);
    }
}

tide_status tide_overlay_legend(tide_overlay *overlay, tide_image *onto, tide_error *error)
{
    const float size = overlay->text_size, margin = roundf(0.6f * size), bar = roundf(13 * size);
    char ends[2][16];
    snprintf(ends[0], sizeof ends[0], "-%g %%", 100 * TIDE_FULL_STRAIN);
    snprintf(ends[1], sizeof ends[1], "+%g %%", 100 * TIDE_FULL_STRAIN);
    float line, width = bar + 2 * margin, height, top;
    tide_draw_text_size("0", size, &line, &line);
    top = margin + line + roundf(0.3f * size);
    height = top + size + line + margin;
    if (width + 2 * margin > (float)onto->width || height + 4 * size > (float)onto->height)
        return TIDE_OK; // no room
    tide_draw_list_clear(&overlay->list);
    add_text(overlay, margin, margin, "springs: shorter, longer");
    add_text(overlay, margin, top + size, ends[0]);
    add_text(overlay, margin + 0.5f * (bar - width_of(overlay, "0")), top + size, "0");
    add_text(overlay, margin + bar - width_of(overlay, ends[1]), top + size, ends[1]);
    TIDE_TRY(draw_panel(overlay, (uint32_t)ceilf(width), (uint32_t)ceilf(height), false, error));
    uint32_t left = onto->width - overlay->image.width - (uint32_t)margin, above = (uint32_t)margin;
    blend(&overlay->image, onto, left, above);
    paint_colours(onto, left + (uint32_t)margin, above + (uint32_t)top, (uint32_t)bar, (uint32_t)(0.8f * size));
    return TIDE_OK;
}
