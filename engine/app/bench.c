// `bench`: prints the times of scenes as a table, and writes it as CSV and Markdown if asked for.
#define _POSIX_C_SOURCE 200809L
#include "app/bench.h"

#include "app/commands.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "session/output.h"
#include "springtide.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// --- columns ---------------------------------------------------------------------------------------------------------

typedef enum column_kind { TEXT, COUNT, NUMBER, SECONDS } column_kind; // SECONDS are printed in ms

static const struct column {
    const char *name;
    size_t offset; // in tide_bench_result
    column_kind kind;
} columns[] = {
    { "scene", offsetof(tide_bench_result, scene), TEXT },
    { "solver", offsetof(tide_bench_result, solver), TEXT },
    { "vertices", offsetof(tide_bench_result, vertices), COUNT },
    { "springs", offsetof(tide_bench_result, springs), COUNT },
    { "h_ms", offsetof(tide_bench_result, timestep), SECONDS },
    { "iterations", offsetof(tide_bench_result, iterations), NUMBER },
    { "iteration_ms", offsetof(tide_bench_result, iteration), SECONDS },
    { "local_ms", offsetof(tide_bench_result, local), SECONDS },
    { "global_ms", offsetof(tide_bench_result, global), SECONDS },
    { "detect_ms", offsetof(tide_bench_result, detect), SECONDS },
    { "respond_ms", offsetof(tide_bench_result, respond), SECONDS },
    { "frame_ms", offsetof(tide_bench_result, frame), SECONDS },
    { "median_ms", offsetof(tide_bench_result, median), SECONDS },
    { "processor_ms", offsetof(tide_bench_result, processor), SECONDS },
    { "draw_ms", offsetof(tide_bench_result, draw), SECONDS },
    { "prefactor_ms", offsetof(tide_bench_result, prefactor), SECONDS },
    { "reference_ms", offsetof(tide_bench_result, reference), SECONDS },
    { "ratio", offsetof(tide_bench_result, ratio), NUMBER },
};
enum { COLUMNS = sizeof columns / sizeof *columns, CELL = 64 };

// Returns the number of a cell in the column's unit; NAN: none.
static double value_of(const tide_bench_result *row, int column)
{
    double value;
    memcpy(&value, (const char *)row + columns[column].offset, sizeof value);
    return columns[column].kind == SECONDS ? 1e3 * value : value;
}

// Returns a cell as text: numbers with three digits, "-" for NAN. row == NULL: the heading.
static const char *shown(const tide_bench_result *row, int column, char text[CELL])
{
    const struct column *c = &columns[column];
    if (!row || c->kind == TEXT) {
        snprintf(text, CELL, "%s", row ? (const char *)row + c->offset : c->name);
        return text;
    }
    double value = value_of(row, column), size = fabs(value);
    int digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
    if (!isfinite(value))
        snprintf(text, CELL, "-");
    else
        snprintf(text, CELL, "%.*f", c->kind == COUNT ? 0 : size > 0 && size < 0.1 ? 4 : digits, value);
    return text;
}

// --- writing the table -----------------------------------------------------------------------------------------------

typedef struct table {
    tide_bench_result *rows; // owned
    size_t count, capacity;
    char processor[96], compiler[48];
    tide_text machine, plan; // lines above the table
} table;

static void add_plain(const table *t, tide_text *to)
{
    char text[CELL];
    tide_text_format(to, "%s\n%s\n\n", t->machine.bytes, t->plan.bytes);
    for (size_t r = 0; r <= t->count; r++)
        for (int c = 0; c < COLUMNS; c++) {
            size_t width = 0;
            for (size_t i = 0; i <= t->count; i++) {
                size_t length = strlen(shown(i ? &t->rows[i - 1] : NULL, c, text));
                width = length > width ? length : width;
            }
            int padding = columns[c].kind == TEXT ? -(int)width : (int)width;
            tide_text_format(to, "%*s%s", padding, shown(r ? &t->rows[r - 1] : NULL, c, text),
                             c + 1 < COLUMNS ? "  " : "\n");
        }
}

static void add_markdown(const table *t, tide_text *to)
{
    char text[CELL];
    for (size_t r = 0; r <= t->count; r++) {
        for (int c = 0; c < COLUMNS; c++)
            tide_text_format(to, "| %s ", shown(r ? &t->rows[r - 1] : NULL, c, text));
        tide_text_format(to, "|\n");
        for (int c = 0; r == 0 && c < COLUMNS; c++)
            tide_text_format(to, "%s%s", columns[c].kind == TEXT ? "|:---" : "|---:", c + 1 < COLUMNS ? "" : "|\n");
    }
    tide_text_format(to, "\n%s\n\n%s\n", t->machine.bytes, t->plan.bytes);
}

static void add_csv_text(tide_text *to, const char *text)
{
    bool quoted = strpbrk(text, ",\"\n");
    const char *quote = quoted ? "\"" : "";
    tide_text_format(to, "%s", quote);
    for (; *text; text++)
        tide_text_format(to, *text == '"' ? "\"\"" : "%c", *text);
    tide_text_format(to, "%s", quote);
}

static void add_csv(const table *t, tide_text *to)
{
    for (int c = 0; c < COLUMNS; c++)
        tide_text_format(to, "%s,", columns[c].name);
    tide_text_format(to, "processor,threads,compiler\n");
    for (size_t r = 0; r < t->count; r++) {
        for (int c = 0; c < COLUMNS; c++) {
            if (columns[c].kind == TEXT)
                add_csv_text(to, (const char *)&t->rows[r] + columns[c].offset);
            else if (isfinite(value_of(&t->rows[r], c)))
                tide_text_format(to, "%.9g", value_of(&t->rows[r], c));
            tide_text_format(to, ",");
        }
        add_csv_text(to, t->processor);
        tide_text_format(to, ",%d,%s\n", tide_threads(), t->compiler);
    }
}

// Writes the table to a file with one of the functions above; to standard output when `path` is NULL.
static tide_status write_table(const table *t, void (*add)(const table *t, tide_text *to), const char *path,
                               tide_error *error)
{
    tide_text text = { 0 };
    add(t, &text);
    tide_status status = text.failed ? tide_fail_memory(error, "bench") : TIDE_OK;
    if (status == TIDE_OK && path)
        status = tide_make_folders(path, error);
    if (status == TIDE_OK && path)
        status = tide_text_save(&text, path, "table", error);
    else if (status == TIDE_OK)
        fputs(text.bytes, stdout);
    tide_text_free(&text);
    return status;
}

// --- the machine -----------------------------------------------------------------------------------------------------

static void read_processor(char *name, size_t size)
{
    char line[256];
    snprintf(name, size, "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(name, size, "%.*s", (int)strcspn(colon, "\n"), colon);
        break;
    }
    if (file)
        fclose(file);
}

static void name_compiler(char *name, size_t size)
{
#if defined __clang__
    snprintf(name, size, "clang %d.%d.%d", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined __GNUC__
    snprintf(name, size, "gcc %d.%d.%d", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
    snprintf(name, size, "unknown compiler");
#endif
}

static void describe_machine(table *t, const tide_bench_options *options)
{
    read_processor(t->processor, sizeof t->processor);
    name_compiler(t->compiler, sizeof t->compiler);
    tide_text_format(&t->machine, "%s, %d of %ld processors; springtide %s, %s", t->processor, tide_threads(),
                     sysconf(_SC_NPROCESSORS_ONLN), TIDE_VERSION, t->compiler);
    tide_text_format(&t->plan,
                     "the best of %" PRIu64 " run%s of %" PRIu64 " frame%s each, after %" PRIu64
                     " more; reference: %d multiply-adds over 64 MB, then as many of which each waits for the one "
                     "before",
                     options->runs, options->runs == 1 ? "" : "s", options->frames, options->frames == 1 ? "" : "s",
                     options->warm_up, TIDE_BENCH_REFERENCE_COUNT);
}

// --- the command -----------------------------------------------------------------------------------------------------

// Measures a scene, and reports one that cannot be measured.
static tide_exit add_scene(const tide_bench_options *options, table *t)
{
    tide_bench_result result;
    tide_error error;
    bool refused = false;
    tide_status status = tide_bench_measure(options, &result, &refused, &error);
    if (status == TIDE_OK && !tide_grow(&t->rows, &t->capacity, t->count + 1, sizeof *t->rows))
        status = tide_fail_memory(&error, "bench");
    if (status == TIDE_OK) {
        t->rows[t->count++] = result;
        return TIDE_EXIT_DONE;
    }
    if (refused)
        error.where[0] = '\0'; // the script is not at fault
    tide_report_error(&error);
    return refused ? TIDE_EXIT_USAGE : TIDE_EXIT_FAILED;
}

static tide_exit run_command(const char *const *subjects, void *given)
{
    tide_bench_options *options = given;
    table t = { 0 };
    tide_exit worst = TIDE_EXIT_DONE;
    tide_error error;
    tide_set_threads((int)options->threads); // single-threaded by default, as in papers
    describe_machine(&t, options);
    for (; *subjects && worst != TIDE_EXIT_USAGE; subjects++) {
        options->scene.path = *subjects;
        tide_exit exit = add_scene(options, &t);
        worst = exit > worst ? exit : worst;
    }
    if (t.count && worst != TIDE_EXIT_USAGE) {
        tide_status status = t.machine.failed || t.plan.failed ? tide_fail_memory(&error, "bench")
                                                               : write_table(&t, add_plain, NULL, &error);
        if (status == TIDE_OK && options->csv)
            status = write_table(&t, add_csv, options->csv, &error);
        if (status == TIDE_OK && options->markdown)
            status = write_table(&t, add_markdown, options->markdown, &error);
        if (status != TIDE_OK)
            worst = tide_report_error(&error);
    }
    tide_text_free(&t.machine);
    tide_text_free(&t.plan);
    tide_free(t.rows);
    return worst;
}

#define AT(member) .offset = offsetof(tide_bench_options, member)
static const tide_option options[] = {
    { "--frames", "N", "average over N frames", tide_option_whole, AT(frames), "60", .minimum = 1, .maximum = 1e9 },
    { "--warm-up", "N", "skip N frames before measuring", tide_option_whole, AT(warm_up), "30", .maximum = 1e9 },
    { "--runs", "N", "measure those frames N times and show the best run", tide_option_whole, AT(runs), "3",
      .minimum = 1, .maximum = 1000 },
    { "--threads", "N", "use N threads", tide_option_whole, AT(threads), "1", .minimum = 1, .maximum = 256 },
    { "--solver", "NAME[,key=value...]", "use this solver, not the scene's", tide_option_solver, AT(solvers),
      .release = tide_solver_list_free },
    { "--csv", "FILE", "write the table as CSV", tide_option_text, AT(csv) },
    { "--markdown", "FILE", "write the table as Markdown", tide_option_text, AT(markdown) },
    { .more = tide_scene_option_table },
};

const tide_command tide_command_bench = {
    "bench",
    "SCENE.lua ...",
    "measure how long the phases of a step take: a table of milliseconds",

    "A row for each scene: the local and the global steps of a frame, contact detection and response, the whole\n"
    "frame, a picture, and the factorisation at the start. All times of a frame are those of the run that takes\n"
    "least by the clock; median_ms is the frame of the median run. processor_ms is the processor time of a frame\n"
    "over all threads, the least of all runs. draw_ms is that of a picture of 1280 x 720 by the software "
    "renderer.\n"
    "Before each run the program does a fixed piece of work, the reference. The ratio of a frame to it compares\n"
    "machines, and it changes when other programs use this one.\n"
    "tests/bench/run.sh prints further tables: Table 1 of Liu et al. 2013, the parts of an iteration, growth with\n"
    "the size of a scene, errors against time, broad phases.",
    .also = "tests/bench/run.sh --help",
    .options = options,
    .size = sizeof(tide_bench_options),
    .run = run_command
};
