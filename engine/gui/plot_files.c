// Saves plots: the numbers as a table, and their picture.
#include "gui/plot_data.h"

#include "base/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Makes a unique name for gnuplot: letters, digits and _, not beginning with a digit.
static void column_name(const tide_plot_data *data, uint32_t series, char columns[][TIDE_PLOT_NAME_SIZE])
{
    char *to = columns[series];
    const char *from = data->series[series].name;
    size_t length = 0;
    if (isdigit((unsigned char)from[0]))
        to[length++] = '_';
    for (; *from && length + 5 < TIDE_PLOT_NAME_SIZE; from++)
        to[length++] = isalnum((unsigned char)*from) && (unsigned char)*from < 128 ? *from : '_';
    to[length] = '\0';
    for (uint32_t i = 0; i < series; i++)
        if (strcmp(columns[i], to) == 0) {
            snprintf(to + length, TIDE_PLOT_NAME_SIZE - length, "_%" PRIu32, series);
            return;
        }
}

static void write_rows(const tide_plot_data *data, char columns[][TIDE_PLOT_NAME_SIZE], tide_text *text)
{
    tide_text_format(text, "frame,time");
    for (uint32_t s = 0; s < data->series_count; s++)
        tide_text_format(text, ",%s", columns[s]);
    tide_text_format(text, "\n");
    for (uint32_t i = 0; i < data->count; i++) {
        tide_text_format(text, "%" PRIu64 ",%.9g", tide_plot_data_frame(data, i), tide_plot_data_time(data, i));
        for (uint32_t s = 0; s < data->series_count; s++) {
            float value = tide_plot_data_at(data, s, i);
            if (isnan(value))
                tide_text_format(text, ",");
            else
                tide_text_format(text, ",%.7g", (double)value);
        }
        tide_text_format(text, "\n");
    }
}

tide_status tide_plot_data_save(const tide_plot_data *data, const char *folder, const char *name, tide_error *error)
{
    char columns[TIDE_PLOT_SERIES_MAX][TIDE_PLOT_NAME_SIZE], path[700];
    if (!data->count || !data->series_count)
        return tide_fail(error, TIDE_ERROR_STATE, "plots", NULL, NULL, "there is nothing to save yet; run the scene");
    for (uint32_t s = 0; s < data->series_count; s++)
        column_name(data, s, columns);
    tide_text text = { 0 };
    write_rows(data, columns, &text);
    snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    tide_status status = tide_text_save(&text, path, "plots", error);
    tide_text_free(&text);
    snprintf(path, sizeof path, "%s/%s.png", folder, name);
    return status == TIDE_OK ? tide_plot_data_draw(data, path, name, error) : status;
}
