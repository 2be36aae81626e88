// Scrolling plots: energies, error, residual, forces, stress, time per step, and what the scene plots.
#include "gui/panels_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_TOGETHER = 4, MAX_POINTS = 600 };

typedef struct chart {
    const char *title;
    const char *series[MAX_TOGETHER + 1]; // ended by NULL
    bool logarithmic;
    bool from_zero; // the axis begins at 0
    bool energy;    // gravity, and so the total, is relative to its lowest visible value, since its zero is arbitrary
} chart;

// The rows that are shown, and the range of their numbers
typedef struct frame_of {
    bool from_zero;       // the axis begins at 0, for quantities that cannot be negative
    uint32_t from, count; // of the data's frames
    double low, high;     // ends of the axis; logarithms if `logarithmic`
    bool logarithmic;
    double zero[MAX_TOGETHER]; // subtracted from each series
    float top;                 // height of the area above the plot, pixels
} frame_of;

static double on_axis(const frame_of *f, double value)
{
    return !f->logarithmic ? value : value > 0 ? log10(value) : -NAN;
}

static void find_range(const tide_plot_data *data, const uint32_t *series, uint32_t count, frame_of *f)
{
    f->low = INFINITY;
    f->high = -INFINITY;
    for (uint32_t s = 0; s < count; s++)
        for (uint32_t i = f->from; i < f->from + f->count; i++) {
            double value = on_axis(f, (double)tide_plot_data_at(data, series[s], i) - f->zero[s]);
            if (!isfinite(value))
                continue;
            f->low = fmin(f->low, value);
            f->high = fmax(f->high, value);
        }
    if (f->from_zero && !f->logarithmic && isfinite(f->high))
        f->low = fmin(f->low, 0);
    double least = f->logarithmic ? 0.5 : 1e-12 + 1e-3 * fabs(f->high);
    if (f->high - f->low < least) {
        f->low -= 0.5 * least;
        f->high += 0.5 * least;
    }
    double margin = 0.06 * (f->high - f->low);
    f->low = f->from_zero && !f->logarithmic && f->low >= 0 ? 0 : f->low - margin;
    f->high += margin;
}

static float height_at(const frame_of *f, const tide_gui_area *area, double value)
{
    return area->y1 - (float)((value - f->low) / (f->high - f->low)) * (area->y1 - area->y0 - f->top);
}

static float place_at(const frame_of *f, const tide_gui_area *area, uint32_t i)
{
    return area->x0 + (area->x1 - area->x0) * (f->count > 1 ? (float)(i - f->from) / (float)(f->count - 1) : 1);
}

// Draws about one row per 1.5 pixels. The choice of rows does not change while the plot scrolls.
static void draw_series(tide_panels *panels, const frame_of *f, const tide_gui_area *area, uint32_t series, uint32_t s)
{
    float points[2 * MAX_POINTS];
    const tide_plot_data *data = &panels->plots;
    uint32_t count = 0, room = (uint32_t)fmaxf((area->x1 - area->x0) / 1.5f, 2), every = 1 + f->count / room;
    bool drawn = false;
    for (uint32_t i = f->from; i < f->from + f->count; i++) {
        double value = on_axis(f, (double)tide_plot_data_at(data, series, i) - f->zero[s]);
        bool last = i + 1 == f->from + f->count;
        bool taken = last || data->frames[(data->first + i) % TIDE_PLOT_FRAMES] % every == 0;
        if (isfinite(value) && taken && count < MAX_POINTS) {
            points[2 * count] = place_at(f, area, i);
            points[2 * count++ + 1] = height_at(f, area, value);
        }
        // A gap ends the line, except for the error, which is measured from time to time
        if (last && count == 1 && !drawn) { // a single point becomes a short line
            points[2] = points[0];
            points[0] -= 4;
            points[3] = points[1];
            count++;
        }
        drawn = drawn || count > 1;
        if ((last || count == MAX_POINTS) && count > 1) {
            tide_gui_line(panels->gui, points, count, s, 1.6f);
            points[0] = points[2 * count - 2];
            points[1] = points[2 * count - 1];
            count = 1;
        }
    }
}

static void write_axis(const frame_of *f, double value, char text[32])
{
    snprintf(text, 32, "%.3g", f->logarithmic ? pow(10, value) : value);
}

// Draws the range beside the series' names, which are `names` wide, or below them; sets where the plot begins.
static void draw_range(tide_panels *panels, frame_of *f, const tide_gui_area *area, const char *unit, float names)
{
    const float em = tide_gui_em(panels->gui), room = area->x1 - area->x0 - names - 0.4f * em;
    char text[96], low[32], high[32];
    write_axis(f, f->low, low);
    write_axis(f, f->high, high);
    snprintf(text, sizeof text, "%s \xe2\x80\x93 %s %s", low, high, unit);
    if (tide_gui_text_width(panels->gui, text) > room)
        snprintf(text, sizeof text, "%s %s", high, unit);
    bool fits = tide_gui_text_width(panels->gui, text) <= room;
    f->top = (fits ? 1.2f : 2.3f) * em;
    tide_gui_mark(panels->gui, area->x0 + 0.2f * em, area->y0 + (fits ? 0.6f : 1.7f) * em, false, TIDE_GUI_SERIES_TEXT,
                  text);
}

// Draws grid lines at round numbers.
static void draw_grid(tide_panels *panels, const frame_of *f, const tide_gui_area *area)
{
    double step = f->logarithmic ? 1 : pow(10, floor(log10(f->high - f->low)));
    if ((f->high - f->low) / step < 2.5 && !f->logarithmic)
        step /= 2;
    for (double at = ceil(f->low / step) * step; at <= f->high && step > 0; at += step)
        tide_gui_grid_line(panels->gui, area->x0, height_at(f, area, at), area->x1, height_at(f, area, at));
}

static double lowest(const tide_plot_data *data, uint32_t series, const frame_of *f)
{
    double least = INFINITY;
    for (uint32_t i = f->from; i < f->from + f->count; i++)
        least = fmin(least, (double)tide_plot_data_at(data, series, i));
    return isfinite(least) ? least : 0;
}

static void draw_hover(tide_panels *panels, const frame_of *f, const tide_gui_area *area, const uint32_t *series,
                       uint32_t count)
{
    if (!area->hovered || f->count < 2)
        return;
    float along = (area->mouse_x - area->x0) / (area->x1 - area->x0);
    uint32_t i = f->from + (uint32_t)fminf(fmaxf(along, 0) * (float)(f->count - 1) + 0.5f, (float)(f->count - 1));
    char text[256];
    int length = snprintf(text, sizeof text, "t = %.3f s", tide_plot_data_time(&panels->plots, i));
    for (uint32_t s = 0; s < count; s++) {
        const tide_plot_series *one = &panels->plots.series[series[s]];
        float value = tide_plot_data_at(&panels->plots, series[s], i);
        if (isfinite(value) && length > 0 && (size_t)length < sizeof text)
            length += snprintf(text + length, sizeof text - (size_t)length, "\n%s %.5g %s", one->name, (double)value,
                               one->unit);
    }
    tide_gui_grid_line(panels->gui, place_at(f, area, i), area->y0, place_at(f, area, i), area->y1);
    tide_gui_help(panels->gui, text);
}

static void draw_chart(tide_panels *panels, const chart *c, frame_of f)
{
    const tide_plot_data *data = &panels->plots;
    uint32_t series[MAX_TOGETHER], count = 0;
    for (int i = 0; i < MAX_TOGETHER && c->series[i]; i++) {
        const tide_plot_series *one = tide_plot_data_find(data, c->series[i]);
        if (one)
            series[count++] = (uint32_t)(one - data->series);
    }
    if (!count)
        return;
    const float em = tide_gui_em(panels->gui);
    tide_gui_area area = tide_gui_begin_area(panels->gui, c->title, 5.2f);
    f.logarithmic = c->logarithmic;
    f.from_zero = c->from_zero;
    if (c->energy && count == 4)
        f.zero[2] = f.zero[3] = lowest(data, series[2], &f);
    find_range(data, series, count, &f);
    if (isfinite(f.low)) {
        float names = 0;
        for (uint32_t s = 0; s < count; s++)
            names += tide_gui_text_width(panels->gui, data->series[series[s]].name) + 0.5f * em;
        draw_range(panels, &f, &area, data->series[series[0]].unit, names);
        draw_grid(panels, &f, &area);
        float x = area.x1 - 0.2f * em;
        for (uint32_t s = count; s-- > 0;) {
            draw_series(panels, &f, &area, series[s], s);
            tide_gui_mark(panels->gui, x, area.y0 + 0.6f * em, true, s, data->series[series[s]].name);
            x -= tide_gui_text_width(panels->gui, data->series[series[s]].name) + 0.5f * em;
        }
    }
    if (!isfinite(f.low)) { // the error is measured from time to time only
        tide_gui_mark(panels->gui, area.x0 + 0.2f * em, area.y0 + 0.6f * em, false, TIDE_GUI_SERIES_TEXT,
                      "unknown for these frames");
        tide_gui_mark(panels->gui, area.x1 - 0.2f * em, area.y0 + 0.6f * em, true, 0, c->title);
    }
    tide_gui_end_area(panels->gui);
    draw_hover(panels, &f, &area, series, count);
}

static const chart charts[] = { { "energy", { "kinetic", "elastic", "gravity", "total" }, false, false, true },
                                { "residual", { "residual" }, true, false, false },
                                { "error", { "error" }, true, false, false },
                                { "reaction", { "reaction" }, false, true, false },
                                { "contact force", { "contact force" }, false, true, false },
                                { "largest stress", { "largest stress" }, false, true, false },
                                { "time a step", { "step" }, false, true, false } };

// Returns whether a series is one of the charts; the others are the scene's.
static bool is_ours(const char *name)
{
    for (size_t i = 0; i < sizeof charts / sizeof charts[0]; i++)
        for (int s = 0; charts[i].series[s]; s++)
            if (strcmp(charts[i].series[s], name) == 0)
                return true;
    return false;
}

static void save(tide_panels *panels)
{
    char name[300], said[240];
    const char *scene = tide_live_path(panels->live), *slash = strrchr(scene, '/');
    tide_error error;
    snprintf(name, sizeof name, "%.200s", slash ? slash + 1 : scene);
    char *dot = strrchr(name, '.');
    snprintf(dot ? dot : name + strlen(name), 20, "-plots");
    if (tide_plot_data_save(&panels->plots, ".", name, &error) != TIDE_OK)
        tide_error_text(&error, said, sizeof said);
    else
        snprintf(said, sizeof said, "saved %.150s.csv and .png", name);
    tide_panels_say(panels, said);
}

void tide_panel_plots(tide_panels *panels)
{
    static const char *const spans[] = { "150 frames", "300 frames", "600 frames", "1200 frames", NULL };
    const tide_plot_data *data = &panels->plots;
    panels->plotting = true;
    uint32_t wanted = 150u << panels->plot_span;
    frame_of f = { .count = data->count < wanted ? data->count : wanted };
    f.from = data->count - f.count;
    if (data->count < 2)
        tide_gui_text(panels->gui, TIDE_GUI_QUIET, "They begin with the first steps.");
    for (size_t i = 0; i < sizeof charts / sizeof charts[0] && data->count > 1; i++)
        draw_chart(panels, &charts[i], f);
    for (uint32_t s = 0; s < data->series_count && data->count > 1; s++)
        if (!is_ours(data->series[s].name))
            draw_chart(panels, &(chart) { data->series[s].name, { data->series[s].name }, false, false, false }, f);
    tide_gui_choice(panels->gui, "shown", spans, &panels->plot_span);
    tide_gui_disable(panels->gui, !data->count);
    if (tide_gui_button(panels->gui, "Save CSV and PNG"))
        save(panels);
    tide_gui_enable(panels->gui);
    tide_gui_help(panels->gui, "into the folder where the program runs");
}
