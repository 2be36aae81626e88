// Series of numbers over the last frames, for plots: energies, error, residual, and what a scene plots with
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
    float *values; // (TIDE_PLOT_FRAMES) ring buffer parallel to `frames`; NAN: no value
} tide_plot_series;

typedef struct tide_plot_data {
    uint64_t frames[TIDE_PLOT_FRAMES]; // ascending
    double times[TIDE_PLOT_FRAMES];    // s
    uint32_t first, count;             // of the ring buffer
    tide_plot_series series[TIDE_PLOT_SERIES_MAX];
    uint32_t series_count;
} tide_plot_data; // { 0 } is empty

void tide_plot_data_free(tide_plot_data *data);
void tide_plot_data_clear(tide_plot_data *data); // drops the frames; the series stay
// Begins a frame, which later values belong to. Drops this and later frames, since the world went back.
void tide_plot_data_begin(tide_plot_data *data, uint64_t frame, double time);
// Adds a value to a series in the current frame; creates the series if it is new. Returns false without memory, without
// a frame or without room for another series.
bool tide_plot_data_add(tide_plot_data *data, const char *name, const char *unit, double value);
// The same for an earlier frame; also false if that frame has been dropped.
bool tide_plot_data_add_to(tide_plot_data *data, uint64_t frame, const char *name, const char *unit, double value);
// Returns the value of the i-th frame from the oldest; NAN: none.
float tide_plot_data_at(const tide_plot_data *data, uint32_t series, uint32_t i);
double tide_plot_data_time(const tide_plot_data *data, uint32_t i);
uint64_t tide_plot_data_frame(const tide_plot_data *data, uint32_t i);
const tide_plot_series *tide_plot_data_find(const tide_plot_data *data, const char *name); // NULL: not found

// plot_files.c: writes FOLDER/NAME.csv (frame, time and one column per series, with names made valid) and
// FOLDER/NAME.png with all series over time. Each file is complete or absent.
tide_status tide_plot_data_save(const tide_plot_data *data, const char *folder, const char *name, tide_error *error);

#endif
