// Draws plots as a picture: a chart of the energies and one for each other series, stacked, with a common time axis.
#include "gui/plot_data.h"

#include "base/memory.h"
#include "draw/rasterizer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 960, CHART = 190, LEFT = 92, RIGHT = 24, TOP = 34, BOTTOM = 34, TOGETHER = 4 };
static const float letters = 15;
static const tide_colour ink = { 0.12f, 0.13f, 0.16f, 1 }, pale = { 0.86f, 0.87f, 0.89f, 1 };

typedef struct chart {
    uint32_t series[TOGETHER], count;
    bool logarithmic;
    double low, high; // ends of the axis; logarithms if `logarithmic`
    float top;        // pixels
} chart;

typedef struct sheet {
    const tide_plot_data *data;
    tide_draw_list list;
    chart charts[TIDE_PLOT_SERIES_MAX];
    uint32_t count;
    double start, end; // s
    float height;      // pixels
} sheet;

// Colours for all kinds of colour vision: from Okabe and Ito 2008, the last one darker.
static tide_colour colour_of(uint32_t series)
{
    static const tide_colour colours[TOGETHER] = {
        { 0.00f, 0.45f, 0.70f, 1 }, { 0.84f, 0.37f, 0.00f, 1 }, { 0.00f, 0.62f, 0.45f, 1 }, { 0.58f, 0.27f, 0.47f, 1 }
    };
    return colours[series % TOGETHER];
}

// --- layout ----------------------------------------------------------------------------------------------------------

static bool is_energy(const char *name)
{
    static const char *const names[TOGETHER] = { "kinetic", "elastic", "gravity", "total" };
    for (int i = 0; i < TOGETHER; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void lay_out(sheet *sheet)
{
    const tide_plot_data *data = sheet->data;
    chart *energies = NULL;
    for (uint32_t s = 0; s < data->series_count; s++) {
        const char *name = data->series[s].name;
        if (is_energy(name) && energies && energies->count < TOGETHER) {
            energies->series[energies->count++] = s;
            continue;
        }
        chart *chart = &sheet->charts[sheet->count];
        chart->top = (float)(TOP + sheet->count++ * CHART);
        chart->series[chart->count++] = s;
        chart->logarithmic = strcmp(name, "residual") == 0 || strcmp(name, "error") == 0;
        energies = is_energy(name) ? chart : energies;
    }
    sheet->height = (float)(TOP + sheet->count * CHART + BOTTOM);
    sheet->start = tide_plot_data_time(data, 0);
    sheet->end = fmax(tide_plot_data_time(data, data->count - 1), sheet->start + 1e-9);
}

static double on_axis(const chart *chart, double value)
{
    return !chart->logarithmic ? value : value > 0 ? log10(value) : -NAN;
}

static void find_range(const tide_plot_data *data, chart *chart)
{
    chart->low = INFINITY;
    chart->high = -INFINITY;
    for (uint32_t s = 0; s < chart->count; s++)
        for (uint32_t i = 0; i < data->count; i++) {
            double value = on_axis(chart, (double)tide_plot_data_at(data, chart->series[s], i));
            if (!isfinite(value))
                continue;
            chart->low = fmin(chart->low, value);
            chart->high = fmax(chart->high, value);
        }
    if (!isfinite(chart->low))
        chart->low = chart->high = 0;
    double least = chart->logarithmic ? 1 : 1e-12 + 1e-3 * fabs(chart->high);
    double margin = fmax(0.05 * (chart->high - chart->low), 0.5 * (least - (chart->high - chart->low)));
    chart->low -= margin;
    chart->high += margin;
}

// --- drawing ---------------------------------------------------------------------------------------------------------

// The unit of the plane that the camera faces is a pixel; y points down.
static void add_line(sheet *sheet, float x0, float y0, float x1, float y1, float width, tide_colour colour)
{
    tide_draw_add_line(&sheet->list, &(tide_draw_line) { { x0, -y0, 0 }, { x1, -y1, 0 }, width, colour, false });
}

// Adds a text with its right or left end at x.
static void add_text(sheet *sheet, float x, float y, bool right, tide_colour colour, const char *text)
{
    float width, height;
    tide_draw_text_size(text, letters, &width, &height);
    tide_draw_add_label(&sheet->list, &(tide_draw_label) { .position = { right ? x - width : x, y - 0.6f * letters, 0 },
                                                           .on_screen = true,
                                                           .size = letters,
                                                           .colour = colour,
                                                           .text = text });
}

// Returns the smallest of 1, 2 and 5 times a power of ten of which at most `most` fit into the range.
static double tick(double range, int most)
{
    double power = pow(10, floor(log10(range / most)));
    static const double steps[] = { 1, 2, 5 };
    for (int i = 0; i < 3; i++)
        if (range / (steps[i] * power) <= most)
            return steps[i] * power;
    return 10 * power;
}

static float across(const sheet *sheet, double time)
{
    return LEFT + (float)((time - sheet->start) / (sheet->end - sheet->start)) * (WIDTH - LEFT - RIGHT);
}

static const float plot_top = 26, plot_bottom = CHART - 8; // of a chart, pixels

static float down(const chart *chart, double value)
{
    double part = (value - chart->low) / (chart->high - chart->low);
    return chart->top + plot_bottom - (float)part * (plot_bottom - plot_top);
}

static void add_tick(sheet *sheet, const chart *chart, double at, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.4g", value);
    add_line(sheet, LEFT, down(chart, at), WIDTH - RIGHT, down(chart, at), 1, pale);
    add_text(sheet, LEFT - 8, down(chart, at), true, ink, text);
}

// Adds ticks: on a logarithmic axis 1, 2 and 5 of every decade if there are few decades, otherwise the decades.
static void add_ticks(sheet *sheet, const chart *chart)
{
    static const double parts[] = { 1, 2, 5 };
    double range = chart->high - chart->low, step = tick(range, 5);
    for (double at = ceil(chart->low / step) * step; at <= chart->high && !chart->logarithmic; at += step)
        add_tick(sheet, chart, at, fabs(at) < 1e-9 * step ? 0 : at);
    double every = fmax(1, ceil(range / 6));
    for (double decade = floor(chart->low / every) * every; decade <= chart->high && chart->logarithmic;
         decade += every)
        for (int i = 0; i < (range < 2.5 ? 3 : 1); i++) {
            double at = decade + log10(parts[i]);
            if (at >= chart->low && at <= chart->high)
                add_tick(sheet, chart, at, pow(10, at));
        }
}

static void draw_axes(sheet *sheet, const chart *chart, bool last)
{
    char text[32];
    double seconds = tick(sheet->end - sheet->start, 10);
    add_ticks(sheet, chart);
    for (double at = ceil(sheet->start / seconds) * seconds; at <= sheet->end * (1 + 1e-12); at += seconds) {
        float x = across(sheet, at);
        add_line(sheet, x, chart->top + plot_top, x, chart->top + plot_bottom, 1, pale);
        snprintf(text, sizeof text, "%.4g%s", at, at + seconds > sheet->end ? " s" : "");
        if (last)
            add_text(sheet, x - 4, chart->top + CHART + 8, false, ink, text);
    }
}

static void draw_names(sheet *sheet, const chart *chart)
{
    float x = LEFT;
    for (uint32_t s = 0; s < chart->count; s++) {
        char text[80];
        float width, height;
        const tide_plot_series *series = &sheet->data->series[chart->series[s]];
        snprintf(text, sizeof text, "%s%s%s", series->name, series->unit[0] ? ", " : "", series->unit);
        add_text(sheet, x, chart->top + 12, false, colour_of(s), text);
        tide_draw_text_size(text, letters, &width, &height);
        x += width + 1.5f * letters;
    }
}

// Draws a series. A gap ends a line, except for the error, which is measured from time to time.
static void draw_series(sheet *sheet, const chart *chart, uint32_t s)
{
    const tide_plot_data *data = sheet->data;
    bool before = false, sparse = strcmp(data->series[chart->series[s]].name, "error") == 0;
    float x0 = 0, y0 = 0;
    for (uint32_t i = 0; i < data->count; i++) {
        double value = on_axis(chart, (double)tide_plot_data_at(data, chart->series[s], i));
        if (!isfinite(value)) {
            before = before && sparse;
            continue;
        }
        float x = across(sheet, tide_plot_data_time(data, i)), y = down(chart, value);
        if (before)
            add_line(sheet, x0, y0, x, y, 2, colour_of(s));
        else // makes a single point visible
            add_line(sheet, x - 2, y, x + 2, y, 2, colour_of(s));
        x0 = x;
        y0 = y;
        before = true;
    }
}

static void face(sheet *sheet)
{
    const float angle = 0.5f, height = sheet->height;
    tide_draw_list *list = &sheet->list;
    list->stage = tide_draw_stage_default();
    list->stage.has_ground = false;
    list->stage.background_top = list->stage.background_bottom = (tide_colour) { 1, 1, 1, 1 };
    list->camera = (tide_draw_camera) {
        .position = { 0.5f * WIDTH, -0.5f * height, 0.5f * height / tanf(0.5f * angle) },
        .target = { 0.5f * WIDTH, -0.5f * height, 0 },
        .up = { 0, 1, 0 },
        .field_of_view = angle,
    };
}

static tide_status write_picture(sheet *sheet, const char *path, tide_error *error)
{
    tide_image image = { 0 };
    tide_rasterizer *rasterizer;
    tide_status status = tide_rasterizer_create(&rasterizer, error);
    if (status != TIDE_OK)
        return status;
    status = sheet->list.failed ? tide_fail_memory(error, "plots")
                                : tide_image_resize(&image, WIDTH, (uint32_t)sheet->height, error);
    if (status == TIDE_OK)
        status = tide_rasterizer_draw(rasterizer, &sheet->list, &image, error);
    if (status == TIDE_OK)
        status = tide_image_write_png(&image, path, error);
    tide_image_free(&image);
    tide_rasterizer_destroy(rasterizer);
    return status;
}

tide_status tide_plot_data_draw(const tide_plot_data *data, const char *path, const char *title, tide_error *error)
{
    sheet *sheet = tide_allocate_zeroed(1, sizeof *sheet);
    if (!sheet)
        return tide_fail_memory(error, "plots");
    sheet->data = data;
    lay_out(sheet);
    face(sheet);
    add_text(sheet, LEFT, 16, false, ink, title);
    for (uint32_t c = 0; c < sheet->count; c++) {
        find_range(data, &sheet->charts[c]);
        draw_axes(sheet, &sheet->charts[c], c + 1 == sheet->count);
        draw_names(sheet, &sheet->charts[c]);
        for (uint32_t s = 0; s < sheet->charts[c].count; s++)
            draw_series(sheet, &sheet->charts[c], s);
    }
    tide_status status = write_picture(sheet, path, error);
    tide_draw_list_free(&sheet->list);
    tide_free(sheet);
    return status;
}
