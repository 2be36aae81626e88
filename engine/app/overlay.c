#include "app/overlay.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

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

// How many bytes of the line to take so that they fit into `room`: whole words, or else what there is room for.
static size_t fitting(const tide_overlay *overlay, const char *line, size_t length, float room)
{
    size_t words = 0, letters = 1;
    if (length > 1000)
        length = 1000;
    for (size_t end = 1; end <= length; end++)
        if ((end == length || line[end] == ' ') && fits(overlay, line, end, room))
            words = end;
    while (letters < length && fits(overlay, line, letters + 1, room))
        letters++;
    return words ? words : letters;
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
        text += *text == '\n' || *text == ' ';
    }
}

// Paper shows the picture through; ink covers it.
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

static void add_text(tide_overlay *overlay, float x, float y, const char *text)
{
    tide_draw_add_label(&overlay->list, &(tide_draw_label) { .position = { x, y, 0 },
                                                             .on_screen = true,
                                                             .size = overlay->text_size,
                                                             .colour = { 0.96f, 0.96f, 0.96f, 1 },
                                                             .text = text });
}

static tide_status draw_panel(tide_overlay *overlay, uint32_t width, uint32_t height, bool alert, tide_error *error)
{
    tide_colour paper = alert ? (tide_colour) { 0.40f, 0.06f, 0.07f, 1 } : (tide_colour) { 0.07f, 0.08f, 0.10f, 1 };
    tide_draw_list *list = &overlay->list;
    list->stage = tide_draw_stage_default();
    list->stage.background_top = list->stage.background_bottom = paper;
    list->stage.has_ground = false;
    list->camera = (tide_draw_camera) { { 0, 0, 1 }, { 0, 0, 0 }, { 0, 1, 0 }, 1 };
    if (list->failed)
        return tide_fail_memory(error, "panel");
    tide_status status = tide_image_resize(&overlay->image, width, height, error);
    return status == TIDE_OK ? tide_rasterizer_draw(overlay->rasterizer, list, &overlay->image, error) : status;
}

static uint32_t at_most(float wanted, uint32_t limit)
{
    return wanted < (float)limit ? (uint32_t)ceilf(wanted) : limit;
}

tide_status tide_overlay_panel(tide_overlay *overlay, tide_image *onto, tide_panel_place place, const char *text,
                               bool alert, tide_error *error)
{
    float margin = roundf(0.6f * overlay->text_size), text_width, text_height;
    float room = (float)onto->width * (place == TIDE_PANEL_CENTRE ? 0.8f : 1) - 2 * margin;
    tide_text wrapped = { 0 };
    wrap(overlay, text, room, &wrapped);
    if (wrapped.failed)
        return tide_text_free(&wrapped), tide_fail_memory(error, "panel");
    if (!wrapped.bytes)
        return TIDE_OK;
    tide_draw_text_size(wrapped.bytes, overlay->text_size, &text_width, &text_height);
    float pad = place == TIDE_PANEL_BOTTOM ? 0.5f * margin : margin;
    tide_draw_list_clear(&overlay->list);
    add_text(overlay, margin, pad, wrapped.bytes);
    tide_text_free(&wrapped);
    bool bar = place == TIDE_PANEL_BOTTOM;
    uint32_t width = at_most(bar ? INFINITY : text_width + 2 * margin, onto->width);
    uint32_t height = at_most(text_height + 2 * pad, onto->height);
    tide_status status = draw_panel(overlay, width, height, alert, error);
    if (status != TIDE_OK)
        return status;
    uint32_t left = bar ? 0 : (onto->width - width) / 2,
             top = bar ? onto->height - height : (onto->height - height) / 2;
    if (place == TIDE_PANEL_TOP_LEFT) {
        left = at_most(margin, onto->width - width);
        top = at_most(margin, onto->height - height);
    }
    blend(&overlay->image, onto, left, top);
    return TIDE_OK;
}

tide_status tide_overlay_table(tide_overlay *overlay, tide_image *onto, const char *left, const char *right,
                               tide_error *error)
{
    float margin = overlay->text_size, left_width, right_width, left_height, right_height;
    tide_draw_text_size(left, overlay->text_size, &left_width, &left_height);
    tide_draw_text_size(right, overlay->text_size, &right_width, &right_height);
    tide_draw_list_clear(&overlay->list);
    add_text(overlay, margin, margin, left);
    add_text(overlay, 2 * margin + left_width, margin, right);
    uint32_t width = at_most(left_width + right_width + 3 * margin, onto->width);
    uint32_t height = at_most(fmaxf(left_height, right_height) + 2 * margin, onto->height);
    tide_status status = draw_panel(overlay, width, height, false, error);
    if (status == TIDE_OK)
        blend(&overlay->image, onto, (onto->width - width) / 2, (onto->height - height) / 2);
    return status;
}
