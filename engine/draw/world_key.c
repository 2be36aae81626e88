// The key: what the colours, arrows and lines of a picture mean.
#include "draw/world_view_parts.h"
#include "world/certificate.h"

#include <math.h>
#include <stdio.h>

static const tide_colour ink = { 0.10f, 0.12f, 0.15f, 1 }, paper = { 1, 1, 1, 0.80f };
enum { TICKS = 5, MOST_ROWS = 10 };

typedef struct row {
    char text[64];
    tide_colour colour;
} row;

typedef struct key {
    char title[80], ticks[TICKS][24];
    row rows[MOST_ROWS];
    int row_count;
    float size, line, swatch, bar; // pixels: text height, line spacing, width of a row's sign, height of the bar
    float width, height;           // of the whole key
} key;

static void widen(key *key, float before, const char *text)
{
    float width, height;
    tide_draw_text_size(text, key->size, &width, &height);
    key->width = fmaxf(key->width, before + width);
}

static void add_row(key *key, tide_colour colour, const char *format, double number)
{
    row *row = &key->rows[key->row_count++];
    row->colour = colour;
    snprintf(row->text, sizeof row->text, format, number);
    widen(key, key->swatch, row->text);
}

static void add_rows(key *key, const tide_seen *seen)
{
    static const char *const names[] = { "edges", "bending", "added", "attached" };
    if (seen->velocities)
        add_row(key, tide_view_velocity_colour, "velocity, longest %.3g m/s", seen->fastest);
    if (seen->forces)
        add_row(key, tide_view_force_colour, "springs' force, longest %.3g N", seen->strongest);
    if (seen->contacts)
        add_row(key, tide_view_contact_colour, "contact, longest %.3g N", seen->touching);
    if (seen->crossings)
        add_row(key, tide_view_crossing_colour,
                seen->crossings < TIDE_CROSSINGS_LISTED ? "crossings: %.0f" : "crossings: %.0f or more",
                seen->crossings);
    if (seen->residual)
        add_row(key, tide_view_residual_colour, "residual, longest %.3g N", seen->unbalanced);
    if (seen->directions)
        add_row(key, tide_view_direction_colour, "d, rest vectors of springs", 0);
    for (int k = 0; k < 4; k++)
        if (seen->springs && seen->kinds[k])
            add_row(key, tide_view_sort_colour((tide_spring_sort)k), names[k], 0);
}

static void set_bar(key *key, const tide_seen *seen, uint32_t height)
{
    snprintf(key->title, sizeof key->title, "%s%s%s", seen->name, seen->name[0] && seen->unit[0] ? ", " : "",
             seen->unit);
    widen(key, 0, key->title);
    key->bar = fmaxf(0.30f * (float)height, (TICKS - 1) * key->line);
    for (int i = 0; i < TICKS; i++) {
        double number = seen->low + (seen->high - seen->low) * i / (TICKS - 1);
        if (fabs(number) < 1e-9 * (seen->high - seen->low))
            number = 0;
        const char *beyond = i == 0 && seen->below ? "< " : i == TICKS - 1 && seen->above ? "> " : "";
        snprintf(key->ticks[i], sizeof key->ticks[i], "%s%.4g", beyond, number);
        widen(key, 1.5f * key->swatch, key->ticks[i]);
    }
}

static void add_label(tide_draw_list *list, float x, float y, float size, const char *text)
{
    tide_draw_add_label(list, &(tide_draw_label) { { x, y, 0 }, true, size, ink, text });
}

static void draw_bar(tide_draw_list *list, const key *key, const tide_seen *seen, float x, float y)
{
    int height = (int)key->bar;
    for (int i = 0; i < height; i++)
        tide_draw_add_box(list, &(tide_draw_box) { x, y + (float)i, key->swatch, 1,
                                                   tide_colour_map_at(seen->colours, 1 - (i + 0.5) / height) });
    for (int i = 0; i < TICKS; i++) {
        float at = y + key->bar * (float)(TICKS - 1 - i) / (TICKS - 1);
        tide_draw_add_box(list, &(tide_draw_box) { x + key->swatch, at - (i ? 0 : 1), 0.3f * key->swatch, 1, ink });
        add_label(list, x + 1.5f * key->swatch, at - 0.55f * key->size, key->size, key->ticks[i]);
    }
}

void tide_draw_key(tide_draw_list *list, const tide_seen *seen, uint32_t width, uint32_t top, uint32_t height)
{
    key key = { .size = fmaxf(11, (float)height / 42) };
    key.line = roundf(1.35f * key.size);
    key.swatch = roundf(1.3f * key.size);
    add_rows(&key, seen);
    if (seen->bar)
        set_bar(&key, seen, height);
    if (!seen->bar && !key.row_count)
        return;
    float pad = roundf(0.6f * key.size), title = seen->bar && key.title[0] ? key.line + 0.3f * key.size : 0;
    float bar = seen->bar ? key.bar + key.line : 0;
    key.height = title + bar + (float)key.row_count * key.line;
    float x = (float)width - key.width - 2 * pad, y = (float)top + 2 * pad;
    tide_draw_add_box(list, &(tide_draw_box) { x - pad, y - pad, key.width + 2 * pad, key.height + 2 * pad, paper });
    if (title > 0)
        add_label(list, x, y, key.size, key.title);
    if (seen->bar)
        draw_bar(list, &key, seen, roundf(x), roundf(y + title + 0.4f * key.line));
    for (int i = 0; i < key.row_count; i++) {
        float row = y + title + bar + (float)i * key.line;
        tide_draw_add_box(
            list, &(tide_draw_box) { x, row + 0.4f * key.size, 0.9f * key.size, 0.25f * key.size, key.rows[i].colour });
        add_label(list, x + key.swatch, row, key.size, key.rows[i].text);
    }
}
