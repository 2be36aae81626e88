#include "session/study.h"

#include "base/memory.h"
#include "base/text.h"
#include "session/output.h"
#include "session/progress.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// --- scenes ----------------------------------------------------------------------------------------------------------

typedef struct opening {
    tide_script_options options;
    tide_study_solver solver;
    char values[2][32];
} opening;

// `settings` has room for one more.
static void put_on_axis(const tide_study_axis *axis, double value, opening *to, char text[32], tide_setting *settings)
{
    if (axis->count == 0 || isnan(value))
        return;
    snprintf(text, 32, "%.17g", value);
    if (axis->of == TIDE_STUDY_PARAM)
        settings[to->options.setting_count++] = (tide_setting) { axis->name, text };
    else if (axis->of == TIDE_STUDY_TIMESTEP)
        to->options.timestep = value;
    else if (to->options.solver) {
        size_t length = strlen(to->solver.text);
        snprintf(to->solver.text + length, sizeof to->solver.text - length, ",%s=%s", axis->name, text);
    }
}

tide_status tide_study_open(const tide_study *study, const char *solver, double sweep, double across,
                            tide_script **script, tide_error *error)
{
    const tide_arguments *arguments = study->arguments;
    uint32_t count = arguments->setting_count;
    opening to = { .options = { .setting_count = count,
                                .timestep = arguments->timestep,
                                .seed = arguments->seed,
                                .memory_limit = tide_memory_limit(arguments) } };
    tide_setting *settings = tide_allocate_array(count + 2, sizeof *settings);
    if (!settings)
        return tide_fail_memory(error, "study");
    if (count)
        memcpy(settings, arguments->settings, count * sizeof *settings);
    if (solver && solver[0]) {
        snprintf(to.solver.text, sizeof to.solver.text, "%s", solver);
        to.options.solver = to.solver.text;
    }
    put_on_axis(&study->sweep, sweep, &to, to.values[0], settings);
    put_on_axis(&study->across, across, &to, to.values[1], settings);
    to.options.settings = settings;
    tide_status status = tide_script_open(study->scene, &to.options, script, error);
    tide_free(settings);
    return status;
}

tide_status tide_study_run_to(tide_script *script, uint64_t frame, tide_error *error)
{
    tide_status status = TIDE_OK;
    uint64_t done;
    while (status == TIDE_OK && (done = tide_world_frame(tide_script_world(script))) + 1 < frame) {
        status = tide_script_step(script, error);
        tide_study_progress("frames", done + 1, frame - 1);
    }
    return status;
}

uint32_t tide_study_axis_count(const tide_study_axis *axis)
{
    return axis->count ? axis->count : 1;
}

double tide_study_axis_value(const tide_study_axis *axis, uint32_t index)
{
    return axis->count ? axis->values[index] : NAN;
}

// --- solvers' texts --------------------------------------------------------------------------------------------------

bool tide_study_gives(const char *text, const char *option)
{
    size_t length = strlen(option);
    for (const char *comma = strchr(text, ','); comma; comma = strchr(comma + 1, ','))
        if (strncmp(comma + 1, option, length) == 0 && comma[1 + length] == '=')
            return true;
    return false;
}

bool tide_study_has(const tide_solver_kind *kind, const char *option)
{
    return tide_field_find(kind->fields, "", option, NULL) != NULL;
}

double tide_study_most(const tide_solver_kind *kind, const char *option)
{
    const tide_field *field = tide_field_find(kind->fields, "", option, NULL);
    return field && field->minimum < field->maximum ? field->maximum : INFINITY;
}

void tide_study_add_option(const tide_solver_kind *kind, tide_study_solver *solver, const char *option, double value)
{
    size_t length = strlen(solver->text);
    if (length && tide_study_has(kind, option) && !tide_study_gives(solver->text, option))
        snprintf(solver->text + length, sizeof solver->text - length, ",%s=%.12g", option, value);
}

// Without commas, which gnuplot takes to end a cell even in quotes.
void tide_study_label(const tide_study *study, const char *solver, double sweep, char *text, size_t size)
{
    if (isnan(sweep) || study->sweep.count == 0)
        snprintf(text, size, "%s", solver && solver[0] ? solver : "as the scene has it");
    else
        snprintf(text, size, "%s %s=%.6g", solver && solver[0] ? solver : "", study->sweep.name, sweep);
    for (char *c = text; *c; c++)
        *c = *c == ',' ? ' ' : *c;
}

void tide_study_file_name(const char *start, const char *solver, const char *end, char *text, size_t size)
{
    char clean[128];
    snprintf(clean, sizeof clean, "%s", solver);
    for (char *c = clean; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '.')
            *c = '-';
    snprintf(text, size, "%s%s%s", start, clean, end);
}

// --- tables ----------------------------------------------------------------------------------------------------------

struct tide_study_table {
    const tide_study *study;
    char path[1024];
    tide_text text;
    bool begun;
};

static void begin_cell(tide_study_table *table, bool first)
{
    tide_text_add(&table->text, first ? "\n" : ",", 1);
}

// Quoted where a comma or a quote would be read as more.
static void add_text(tide_study_table *table, const char *text)
{
    if (!strpbrk(text, ",\"\n")) {
        tide_text_add(&table->text, text, strlen(text));
        return;
    }
    tide_text_add(&table->text, "\"", 1);
    for (; *text; text++)
        tide_text_format(&table->text, *text == '"' ? "\"\"" : "%c", *text);
    tide_text_add(&table->text, "\"", 1);
}

static void add_number(tide_study_table *table, double value)
{
    if (isfinite(value))
        tide_text_format(&table->text, "%.12g", value);
}

tide_status tide_study_table_open(const tide_study *study, const char *name, const char *const *columns,
                                  tide_study_table **out, tide_error *error)
{
    tide_study_table *table = tide_allocate_zeroed(1, sizeof *table);
    if (!table)
        return tide_fail_memory(error, name);
    table->study = study;
    snprintf(table->path, sizeof table->path, "%s/%s", study->folder, name);
    tide_status status = tide_make_folders(table->path, error);
    if (status != TIDE_OK) {
        tide_free(table);
        return status;
    }
    tide_text_format(&table->text, "curve,solver");
    if (study->sweep.count)
        tide_text_format(&table->text, ",%s", study->sweep.column);
    if (study->across.count)
        tide_text_format(&table->text, ",%s", study->across.column);
    for (; *columns; columns++)
        tide_text_format(&table->text, ",%s", *columns);
    *out = table;
    return TIDE_OK;
}

void tide_study_row(tide_study_table *table, const char *solver, double sweep, double across)
{
    char label[400];
    begin_cell(table, true);
    tide_study_label(table->study, solver, sweep, label, sizeof label);
    add_text(table, label);
    tide_study_cell_text(table, solver ? solver : "");
    if (table->study->sweep.count)
        tide_study_cell(table, sweep);
    if (table->study->across.count)
        tide_study_cell(table, across);
}

void tide_study_cell(tide_study_table *table, double value)
{
    begin_cell(table, false);
    add_number(table, value);
}

void tide_study_cell_text(tide_study_table *table, const char *text)
{
    begin_cell(table, false);
    add_text(table, text);
}

void tide_study_gap(tide_study_table *table)
{
    tide_text_add(&table->text, "\n", 1);
}

tide_status tide_study_table_drop(tide_study_table *table)
{
    tide_text_free(&table->text);
    tide_free(table);
    return TIDE_OK;
}

tide_status tide_study_table_close(tide_study_table *table, tide_status status, tide_error *error)
{
    if (!table)
        return status;
    tide_text_format(&table->text, "\n");
    if (status == TIDE_OK)
        status = tide_text_save(&table->text, table->path, table->path, error);
    tide_study_table_drop(table);
    return status;
}

// --- pictures and progress -------------------------------------------------------------------------------------------

tide_status tide_study_plot(const tide_study *study, const tide_plot *plot, const char *name, const char *csv,
                            tide_error *error)
{
    static bool told;
    bool drawn;
    tide_status status = tide_plot_write(plot, study->folder, name, csv, &drawn, error);
    if (status == TIDE_OK && !drawn && !told) {
        printf("gnuplot is not there to draw: where it is, `gnuplot %s.gnuplot` in %s makes %s.png\n", name,
               study->folder, name);
        told = true;
    }
    return status;
}

static struct {
    tide_progress progress;
    const char *what;
} shown;

void tide_study_progress(const char *what, uint64_t done, uint64_t of)
{
    bool quiet = shown.progress.quiet;
    if (what != shown.what)
        tide_progress_begin(&shown.progress);
    shown.progress.quiet = quiet;
    shown.what = done < of ? what : NULL;
    if (done < of)
        tide_progress_show(&shown.progress, what, done, of);
    else
        tide_progress_erase(&shown.progress);
}

void tide_study_hush(bool hush)
{
    if (hush)
        tide_progress_begin(&shown.progress);
    else
        tide_progress_end(&shown.progress);
    shown.progress.quiet = hush;
    shown.what = NULL;
}
