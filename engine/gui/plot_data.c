#include "gui/plot_data.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void tide_plot_data_free(tide_plot_data *data)
{
    for (uint32_t i = 0; i < data->series_count; i++)
        tide_free(data->series[i].values);
    *data = (tide_plot_data) { 0 };
}

void tide_plot_data_clear(tide_plot_data *data)
{
    data->first = data->count = 0;
}

static uint32_t place_of(const tide_plot_data *data, uint32_t i)
{
    return (data->first + i) % TIDE_PLOT_FRAMES;
}

void tide_plot_data_begin(tide_plot_data *data, uint64_t frame, double time)
{
    while (data->count && data->frames[place_of(data, data->count - 1)] >= frame)
        data->count--;
    if (data->count == TIDE_PLOT_FRAMES) {
        data->first = place_of(data, 1);
        data->count--;
    }
    uint32_t place = place_of(data, data->count++);
    data->frames[place] = frame;
    data->times[place] = time;
    for (uint32_t i = 0; i < data->series_count; i++)
        data->series[i].values[place] = NAN;
}

static tide_plot_series *series_of(tide_plot_data *data, const char *name, const char *unit)
{
    for (uint32_t i = 0; i < data->series_count; i++)
        if (strncmp(data->series[i].name, name, sizeof data->series[i].name - 1) == 0)
            return &data->series[i];
    float *values = data->series_count < TIDE_PLOT_SERIES_MAX ? tide_allocate(TIDE_PLOT_FRAMES * sizeof *values) : NULL;
    if (!values)
        return NULL;
    for (uint32_t i = 0; i < TIDE_PLOT_FRAMES; i++)
        values[i] = NAN;
    tide_plot_series *series = &data->series[data->series_count++];
    *series = (tide_plot_series) { .values = values };
    snprintf(series->name, sizeof series->name, "%s", name);
    snprintf(series->unit, sizeof series->unit, "%s", unit ? unit : "");
    return series;
}

static bool add(tide_plot_data *data, uint32_t i, const char *name, const char *unit, double value)
{
    tide_plot_series *series = i < data->count ? series_of(data, name, unit) : NULL;
    if (series)
        series->values[place_of(data, i)] = isfinite(value) ? (float)value : NAN;
    return series != NULL;
}

bool tide_plot_data_add(tide_plot_data *data, const char *name, const char *unit, double value)
{
    return add(data, data->count - 1, name, unit, value);
}

bool tide_plot_data_add_to(tide_plot_data *data, uint64_t frame, const char *name, const char *unit, double value)
{
    uint32_t i = data->count;
    while (i && data->frames[place_of(data, i - 1)] > frame)
        i--;
    return i && data->frames[place_of(data, i - 1)] == frame && add(data, i - 1, name, unit, value);
}

float tide_plot_data_at(const tide_plot_data *data, uint32_t series, uint32_t i)
{
    return data->series[series].values[place_of(data, i)];
}

double tide_plot_data_time(const tide_plot_data *data, uint32_t i)
{
    return data->times[place_of(data, i)];
}

uint64_t tide_plot_data_frame(const tide_plot_data *data, uint32_t i)
{
    return data->frames[place_of(data, i)];
}

const tide_plot_series *tide_plot_data_find(const tide_plot_data *data, const char *name)
{
    for (uint32_t i = 0; i < data->series_count; i++)
        if (strcmp(data->series[i].name, name) == 0)
            return &data->series[i];
    return NULL;
}
