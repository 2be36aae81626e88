// Series of numbers over a run, for plots: the last frames' energies, error and residual, and whatever a scene plots by
// scene:plot(name, value).
#ifndef TIDE_GUI_PLOT_DATA_H
#define TIDE_GUI_PLOT_DATA_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TIDE_PLOT_FRAMES = 1200, TIDE_PLOT_SERIES_MAX = 32, TIDE_PLOT_NAME_SIZE = 48 };

typedef struct tide_plot_series {
    char name[TIDE_PLOT_NAME_SIZE], unit[16];
    float *values; // (TIDE_PLOT_FRAMES) a ring as the frames are; NAN: none of that frame
} tide_plot_series;

typedef struct tide_plot_data {
    uint64_t frames[TIDE_PLOT_FRAMES]; // ascending
    double times[TIDE_PLOT_FRAMES];    // s
    uint32_t first, count;             // of the ring
    tide_plot_series series[TIDE_PLOT_SERIES_MAX];
    uint32_t series_count;
} tide_plot_data; // { 0 } is empty

void tide_plot_data_free(tide_plot_data *data);
void tide_plot_data_clear(tide_plot_data *data); // no frames; the series stay
// Begins a frame: what comes later belongs to it. Frames from it on are forgotten, as the world went back.
void tide_plot_data_begin(tide_plot_data *data, uint64_t frame, double time);
// The value of a series in the frame, which is made where there is none of that name. False when there is no memory, no
// frame or no room for more series.
bool tide_plot_data_add(tide_plot_data *data, const char *name, const char *unit, double value);
// The same in a frame that began before; false, too, where it is not there any more.
bool tide_plot_data_add_to(tide_plot_data *data, uint64_t frame, const char *name, const char *unit, double value);
// Of the i-th frame from the oldest; NAN: none.
float tide_plot_data_at(const tide_plot_data *data, uint32_t series, uint32_t i);
double tide_plot_data_time(const tide_plot_data *data, uint32_t i);
const tide_plot_series *tide_plot_data_find(const tide_plot_data *data, const char *name); // NULL: there is none

// Writes FOLDER/NAME.csv (frame, time and a column for each series; names as columns can have them) and FOLDER/NAME.png
// with all series over time. Each is whole or not there.
tide_status tide_plot_data_save(const tide_plot_data *data, const char *folder, const char *name, tide_error *error);

// plot_picture.c: the picture, of data with a frame and a series.
tide_status tide_plot_data_draw(const tide_plot_data *data, const char *path, const char *title, tide_error *error);

#endif
