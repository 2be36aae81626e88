#include "session/stats.h"

#include "base/decimal.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/output_file.h"
#include "base/text.h"
#include "formats/reading.h"
#include "script/panel_files.h"
#include "script/scene_plot.h"
#include "session/measures.h"
#include "session/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 64, MOST_COLUMNS = 256 };

// A column after the fixed ones, or a series of the picture.
typedef struct column {
    char name[NAME_SIZE];
    const char *unit;
    double now;     // of the frame that comes; NAN: none
    double *values; // (row_count), for the picture; NAN: none
    size_t capacity;
    bool drawn_only; // a fixed column of the table already
} column;

struct tide_stats {
    tide_stats_options options; // their texts are the caller's
    tide_live *live;
    tide_output *output; // NULL: no table
    tide_text row;
    column columns[MOST_COLUMNS];
    uint32_t column_count, named_count; // columns; those whose names the table has
    bool begun;                         // the table has its header
    bool warned;
    uint64_t *frames; // (row_count), for the picture
    double *times;
    size_t frame_capacity, time_capacity;
    uint32_t row_count;
};

static const char fixed_columns[] = "frame,time,solver,iterations,g,gradient_norm,local_ms,global_ms,contact_ms,"
                                    "step_ms,draw_ms,kinetic,elastic,gravity,total";

// --- columns ---------------------------------------------------------------------------------------------------------

static bool is_fixed(const char *name)
{
    size_t length = strlen(name);
    for (const char *at = fixed_columns; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return true;
    }
    return false;
}

// Returns the column of a name, a new one if there is none; NULL: there are too many.
static column *find_column(tide_stats *stats, const char *name, const char *unit)
{
    for (uint32_t i = 0; i < stats->column_count; i++)
        if (strncmp(stats->columns[i].name, name, NAME_SIZE - 1) == 0)
            return &stats->columns[i];
    if (stats->column_count == MOST_COLUMNS)
        return NULL;
    column *made = &stats->columns[stats->column_count++];
    *made = (column) { .unit = unit, .now = NAN };
    snprintf(made->name, NAME_SIZE, "%s", name);
    return made;
}

static void set(tide_stats *stats, const char *name, const char *unit, double value)
{
    column *to = find_column(stats, name, unit);
    if (to)
        to->now = value;
}

static void set_drawn(tide_stats *stats, const char *name, const char *unit, double value)
{
    column *to = stats->options.plots ? find_column(stats, name, unit) : NULL;
    if (to) {
        to->now = value;
        to->drawn_only = true;
    }
}

// Receives what the scene plots. A name of a fixed column gets another one.
static void receive(const tide_world *world, const char *name, double value, void *context)
{
    tide_stats *stats = context;
    char other[NAME_SIZE];
    if (world != tide_live_world(stats->live))
        return;
    snprintf(other, sizeof other, is_fixed(name) ? "plot %.50s" : "%.63s", name);
    column *to = find_column(stats, other, "");
    if (to)
        to->now = value;
    else if (!stats->warned)
        tide_log(TIDE_LOG_WARNING, "scene:plot: statistics have at most %d columns; \"%.40s\" and others are left out",
                 MOST_COLUMNS, name);
    stats->warned = stats->warned || !to;
}

static void measure(tide_stats *stats, tide_world *world)
{
    tide_forces forces;
    uint32_t contacts = 0;
    const tide_report *report = tide_world_report(world);
    set(stats, "residual", "", report->gradient_norm / report->initial_gradient_norm);
    tide_world_contacts(world, &contacts);
    set(stats, "contacts", "", contacts);
    bool known = tide_measure_forces(world, &forces);
    set(stats, "reaction", "N", known ? tide_force_size(forces.reaction) : NAN);
    set(stats, "contact_force", "N", known ? tide_force_size(forces.contact) : NAN);
    set(stats, "largest_stress", "Pa", known ? forces.stress : NAN);
    set(stats, "energy_gain", "J", report->energy_gain);
}

// --- the table -------------------------------------------------------------------------------------------------------

// A name with a comma or a quotation mark is quoted (RFC 4180).
static void add_name(tide_text *text, const char *name)
{
    bool quoted = strpbrk(name, ",\"") != NULL;
    tide_text_format(text, ",%s", quoted ? "\"" : "");
    for (const char *c = name; *c; c++) {
        if (*c == '"')
            tide_text_add(text, "\"", 1);
        tide_text_add(text, c, 1);
    }
    tide_text_format(text, "%s", quoted ? "\"" : "");
}

static void add_names(tide_stats *stats, tide_text *text)
{
    for (uint32_t i = stats->named_count; i < stats->column_count; i++)
        if (!stats->columns[i].drawn_only)
            add_name(text, stats->columns[i].name);
}

static uint32_t count_new(const tide_stats *stats)
{
    uint32_t count = 0;
    for (uint32_t i = stats->named_count; i < stats->column_count; i++)
        count += !stats->columns[i].drawn_only;
    return count;
}

static tide_status write_text(tide_output *to, const tide_text *text, tide_error *error)
{
    if (text->failed)
        return tide_fail_memory(error, "statistics");
    fwrite(text->bytes, 1, text->length, tide_output_stream(to));
    return tide_output_flush(to, error);
}

static tide_status write_header(tide_stats *stats, tide_error *error)
{
    tide_text_clear(&stats->row);
    tide_text_format(&stats->row, "%s", fixed_columns);
    add_names(stats, &stats->row);
    tide_text_format(&stats->row, "\n");
    stats->named_count = stats->column_count;
    stats->begun = true;
    return write_text(stats->output, &stats->row, error);
}

// Makes the rows so far as long as the new header.
static tide_status widened(tide_stats *stats, const char *path, tide_text *out, tide_error *error)
{
    TIDE_SCOPED char *bytes = NULL;
    size_t size = 0;
    uint32_t added = count_new(stats);
    TIDE_TRY(tide_mesh_file_bytes(path, &bytes, &size, error));
    for (const char *line = bytes, *end; line < bytes + size; line = end + 1) {
        end = memchr(line, '\n', (size_t)(bytes + size - line));
        if (!end)
            break;
        tide_text_add(out, line, (size_t)(end - line));
        if (line == bytes)
            add_names(stats, out);
        for (uint32_t i = 0; i < added && line != bytes; i++)
            tide_text_add(out, ",", 1);
        tide_text_add(out, "\n", 1);
    }
    return TIDE_OK;
}

// Writes the table again with the columns that are new. What went to a device or a FIFO keeps its columns.
static tide_status widen(tide_stats *stats, tide_error *error)
{
    const char *path = stats->options.table;
    TIDE_SCOPED_BY(tide_text_free) tide_text all = { 0 };
    if (count_new(stats) == 0)
        return TIDE_OK;
    if (tide_output_is_in_place(stats->output)) {
        if (!stats->warned)
            tide_log(TIDE_LOG_WARNING, "%s: columns that begin after its first row are left out; write to a file",
                     path);
        stats->warned = true;
        return TIDE_OK;
    }
    tide_output *fresh;
    TIDE_TRY(tide_output_flush(stats->output, error));
    TIDE_TRY(widened(stats, path, &all, error));
    TIDE_TRY(tide_output_open(path, path, TIDE_OUTPUT_ANY, &fresh, error));
    tide_status status = write_text(fresh, &all, error);
    if (status != TIDE_OK) {
        tide_output_discard(fresh);
        return status;
    }
    tide_output_discard(stats->output); // the table as it was stays until the next line
    stats->output = fresh;
    stats->named_count = stats->column_count;
    return tide_output_publish(fresh, error);
}

static const char *number_text(double number, char *text, size_t size)
{
    text[0] = '\0';
    if (!isnan(number))
        tide_format(text, size, "%.12g", number);
    return text;
}

static tide_status write_row(tide_stats *stats, tide_world *world, const tide_energy *energy, uint64_t frame,
                             double draw_seconds, tide_error *error)
{
    char g[32], norm[32];
    const tide_report *report = tide_world_report(world);
    TIDE_TRY(stats->begun ? widen(stats, error) : write_header(stats, error));
    tide_text_clear(&stats->row);
    tide_text_format(&stats->row,
                     "%" PRIu64 ",%.12g,%s,%" PRIu32 ",%s,%s,%.6f,%.6f,%.6f,%.6f,%.6f,%.12g,%.12g,%.12g,%.12g", frame,
                     tide_world_time(world), tide_solver_kind_of(tide_world_solver(world))->name, report->iterations,
                     number_text(report->g, g, sizeof g), number_text(report->gradient_norm, norm, sizeof norm),
                     1e3 * report->local_seconds, 1e3 * report->global_seconds, 1e3 * report->contact_seconds,
                     1e3 * report->step_seconds, 1e3 * draw_seconds, energy->kinetic, energy->elastic, energy->gravity,
                     energy->total);
    for (uint32_t i = 0; i < stats->named_count; i++)
        if (!stats->columns[i].drawn_only)
            tide_text_format(&stats->row, ",%s", number_text(stats->columns[i].now, g, sizeof g));
    tide_text_format(&stats->row, "\n");
    return write_text(stats->output, &stats->row, error);
}

// --- the picture -----------------------------------------------------------------------------------------------------

// Keeps the numbers of the frame for the picture.
static tide_status keep_row(tide_stats *stats, uint64_t frame, double time, tide_error *error)
{
    size_t rows = (size_t)stats->row_count + 1;
    bool made = tide_grow(&stats->frames, &stats->frame_capacity, rows, sizeof *stats->frames) &&
                tide_grow(&stats->times, &stats->time_capacity, rows, sizeof *stats->times);
    for (uint32_t i = 0; i < stats->column_count && made; i++) {
        column *c = &stats->columns[i];
        size_t before = c->values ? stats->row_count : 0;
        made = tide_grow(&c->values, &c->capacity, rows, sizeof *c->values);
        for (size_t r = before; r < rows && made; r++)
            c->values[r] = r + 1 == rows ? c->now : NAN;
    }
    if (!made)
        return tide_fail_memory(error, "plots");
    stats->frames[stats->row_count] = frame;
    stats->times[stats->row_count++] = time;
    return TIDE_OK;
}

static const char *series_name(const void *data, uint32_t series, const char **unit)
{
    const column *c = &((const tide_stats *)data)->columns[series];
    *unit = c->unit;
    return c->name;
}

static uint64_t series_frame(const void *data, uint32_t i, double *time)
{
    const tide_stats *stats = data;
    *time = stats->times[i];
    return stats->frames[i];
}

static double series_value(const void *data, uint32_t series, uint32_t i)
{
    return ((const tide_stats *)data)->columns[series].values[i];
}

static tide_status write_plots(const tide_stats *stats, tide_error *error)
{
    char folder[4096];
    const char *path = stats->options.plots, *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char base[256];
    if (!stats->row_count)
        return tide_fail(error, TIDE_ERROR_STATE, path, NULL, NULL, "there is no frame to plot; run at least one");
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    if (slash == path)
        snprintf(folder, sizeof folder, "/");
    snprintf(base, sizeof base, "%.*s", (int)(strlen(name) - strlen(".png")), name);
    TIDE_TRY(tide_make_folders(path, error));
    const tide_plots plots = { stats->column_count, stats->row_count, series_name, series_frame, series_value, stats };
    return tide_plots_save(&plots, folder, base, error);
}

// --- life ------------------------------------------------------------------------------------------------------------

static void free_stats(tide_stats *stats)
{
    tide_scene_remove_plot_sink(receive, stats);
    for (uint32_t i = 0; i < stats->column_count; i++)
        tide_free(stats->columns[i].values);
    tide_text_free(&stats->row);
    tide_free(stats->frames);
    tide_free(stats->times);
    tide_free(stats);
}

static tide_status open_table(tide_stats *stats, tide_error *error)
{
    const char *path = stats->options.table;
    TIDE_TRY(tide_make_folders(path, error));
    TIDE_TRY(tide_output_open(path, path, TIDE_OUTPUT_ANY, &stats->output, error));
    if (tide_output_is_in_place(stats->output)) // the header waits for the columns of the first row
        return TIDE_OK;
    TIDE_TRY(write_header(stats, error));
    return tide_output_publish(stats->output, error); // so that an interrupted run keeps its rows
}

tide_status tide_stats_open(const tide_stats_options *options, tide_live *live, tide_stats **out, tide_error *error)
{
    tide_stats *stats = tide_allocate_zeroed(1, sizeof *stats);
    if (!stats)
        return tide_fail_memory(error, "statistics");
    stats->options = *options;
    stats->live = live;
    if (options->measures)
        measure(stats, tide_live_world(live)); // makes the columns
    tide_status status = options->table ? open_table(stats, error) : TIDE_OK;
    if (status != TIDE_OK) {
        tide_output_discard(stats->output);
        free_stats(stats);
        return status;
    }
    tide_scene_add_plot_sink(receive, stats);
    *out = stats;
    return TIDE_OK;
}

tide_status tide_stats_write(tide_stats *stats, uint64_t frame, double draw_seconds, tide_error *error)
{
    tide_energy energy;
    tide_world *world = tide_live_world(stats->live);
    TIDE_TRY(tide_world_energy(world, &energy, error));
    set_drawn(stats, "kinetic", "J", energy.kinetic);
    set_drawn(stats, "elastic", "J", energy.elastic);
    set_drawn(stats, "gravity", "J", energy.gravity);
    set_drawn(stats, "total", "J", energy.total);
    set_drawn(stats, "step_ms", "ms", 1e3 * tide_world_report(world)->step_seconds);
    if (stats->options.measures)
        measure(stats, world);
    if (stats->output)
        TIDE_TRY(write_row(stats, world, &energy, frame, draw_seconds, error));
    if (stats->options.plots)
        TIDE_TRY(keep_row(stats, frame, tide_world_time(world), error));
    for (uint32_t i = 0; i < stats->column_count; i++)
        stats->columns[i].now = NAN;
    return TIDE_OK;
}

tide_status tide_stats_close(tide_stats *stats, tide_error *error)
{
    if (!stats)
        return TIDE_OK;
    tide_status status = stats->output && !stats->begun ? write_header(stats, error) : TIDE_OK;
    if (status == TIDE_OK && stats->options.plots)
        status = write_plots(stats, error);
    tide_status closed = stats->output ? tide_output_close(stats->output, status == TIDE_OK ? error : NULL) : TIDE_OK;
    free_stats(stats);
    return status == TIDE_OK ? closed : status;
}
