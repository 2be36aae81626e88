// Saves plots: the numbers as a table, and their picture.
#include "gui/plot_data.h"
#include "script/panel_files.h"

static const char *name_of(const void *data, uint32_t series, const char **unit)
{
    const tide_plot_series *one = &((const tide_plot_data *)data)->series[series];
    *unit = one->unit;
    return one->name;
}

static uint64_t frame_at(const void *data, uint32_t i, double *time)
{
    *time = tide_plot_data_time(data, i);
    return tide_plot_data_frame(data, i);
}

static double value_at(const void *data, uint32_t series, uint32_t i)
{
    return (double)tide_plot_data_at(data, series, i);
}

tide_status tide_plot_data_save(const tide_plot_data *data, const char *folder, const char *name, tide_error *error)
{
    const tide_plots plots = { data->series_count, data->count, name_of, frame_at, value_at, data };
    if (!data->count || !data->series_count)
        return tide_fail(error, TIDE_ERROR_STATE, "plots", NULL, NULL, "there is nothing to save yet; run the scene");
    return tide_plots_save(&plots, folder, name, error);
}
