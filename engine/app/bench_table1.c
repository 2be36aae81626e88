// Table 1 of Liu et al. 2013, with their figures (one core of an Intel i7-3720QM at 2.6 GHz) beside ours.
#define _POSIX_C_SOURCE 200809L
#include "app/bench.h"
#include "app/output.h"

#include "base/text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { M, S, H, ITERATION, ITERATIONS, COLLISION, FRAME, PREFACTOR, SHARED }; // columns of both; times in ms

static const struct paper_row {
    const char *scene;
    double figures[SHARED];
} paper[] = {
    { "curtain", { 6561, 32158, 33, 5, 10, NAN, 50, 113 } },
    { "hippo", { 2387, 13135, 33, 1, 20, NAN, 20, 18 } },
    { "frog", { 6834, 35261, 33, 3.1, 20, NAN, 62, 54 } },
    { "dog", { 28390, 148047, 33, 20.3, 20, NAN, 406, 442 } },
    { "brush", { 1995, 6405, 33, 0.68, 20, 0.99, 14.6, 9.8 } },
    { "dress", { 3505, 6811, 8.3, 0.61, 20, 476, 488, 11 } },
};

static const char *const columns[] = {
    "scene",    "of",           "m",         "s",          "h_ms",      "iteration_ms", "iterations",   "collision_ms",
    "frame_ms", "prefactor_ms", "detect_ms", "respond_ms", "median_ms", "processor_ms", "reference_ms", "ratio"
};
enum {
    COLUMNS = sizeof columns / sizeof *columns,
    OWN = COLUMNS - 2 - SHARED,
    PROCESSOR = 13
}; // OWN: at the end, only ours

static void add_figures(tide_bench_table *table, const char *scene, const char *of, const double *figures, bool counts)
{
    tide_bench_text(table, scene);
    tide_bench_text(table, of);
    for (int i = 0; i < SHARED; i++)
        if (counts && (i == M || i == S))
            tide_bench_count(table, (uint64_t)figures[i]);
        else
            tide_bench_value(table, figures[i]);
}

static void add_nothing(tide_bench_table *table)
{
    for (int i = 0; i < OWN; i++)
        tide_bench_value(table, NAN);
}

static void add_scene(tide_bench_table *table, const struct paper_row *row, const tide_bench_result *r)
{
    double here[SHARED] = { r->vertices,        r->springs,        1e3 * r->timestep,
                            1e3 * r->iteration, r->iterations,     1e3 * (r->detect + r->respond),
                            1e3 * r->frame,     1e3 * r->prefactor };
    double ratios[SHARED];
    for (int i = 0; i < SHARED; i++)
        ratios[i] = i == M || i == S || i == H || i == ITERATIONS || !(here[i] > 0) ? NAN : row->figures[i] / here[i];
    add_figures(table, row->scene, "Springtide", here, true);
    tide_bench_seconds(table, r->detect);
    tide_bench_seconds(table, r->respond);
    tide_bench_seconds(table, r->median);
    tide_bench_seconds(table, r->processor);
    tide_bench_seconds(table, r->reference);
    tide_bench_value(table, r->frame / r->reference);
    add_figures(table, row->scene, "Liu et al. 2013", row->figures, true);
    add_nothing(table);
    add_figures(table, row->scene, "times faster", ratios, false);
    add_nothing(table);
}

// --- as Markdown -----------------------------------------------------------------------------------------------------

static void add_shown(tide_text *to, const tide_bench_cell *cell)
{
    tide_text_format(to, "%s", cell->text[0] ? cell->text : "-");
}

// A row a scene, and in each cell ours and the paper's.
static void set_side_by_side(const tide_bench_table *table, tide_text *to)
{
    static const char *const heads[] = {
        "m", "s", "h, ms", "an iteration, ms", "iterations", "collision, ms", "frame, ms", "prefactor, ms"
    };
    tide_text_format(to, "| ours / Liu et al. |");
    for (int i = 0; i < SHARED; i++)
        tide_text_format(to, " %s |", heads[i]);
    tide_text_format(to, "\n|:---|");
    for (int i = 0; i < SHARED; i++)
        tide_text_format(to, "---:|");
    tide_text_format(to, "\n");
    for (size_t at = 0; at + 3 * COLUMNS <= table->cell_count; at += 3 * COLUMNS) {
        const tide_bench_cell *ours = &table->cells[at], *theirs = ours + COLUMNS;
        tide_text_format(to, "| %s |", ours->text);
        for (int i = 0; i < SHARED; i++) {
            tide_text_format(to, " ");
            add_shown(to, &ours[2 + i]);
            tide_text_format(to, " / ");
            add_shown(to, &theirs[2 + i]);
            tide_text_format(to, " |");
        }
        tide_text_format(to, "\n");
    }
    for (size_t at = 0; at + 3 * COLUMNS <= table->cell_count; at += 3 * COLUMNS) {
        tide_text_format(to, "%s %s ",
                         at ? "," : "\nOurs by the processor's clock, ms a frame:", table->cells[at].text);
        add_shown(to, &table->cells[at + PROCESSOR]);
    }
    tide_text_format(to, ".\n");
}

// ---------------------------------------------------------------------------------------------------------------------

// A folder of scenes: below the current one, or where the program was built.
static bool find_folder(const char *name, char *folder, size_t size)
{
    char program[PATH_MAX];
    snprintf(folder, size, "scenes/%s", name);
    if (access(folder, F_OK) == 0)
        return true;
    return tide_program_folder(program, sizeof program) &&
           snprintf(folder, size, "%s/../../scenes/%s", program, name) < (int)size && access(folder, F_OK) == 0;
}

bool tide_bench_find_scene(const char *folder, const char *name, char path[TIDE_BENCH_PATH])
{
    char found[PATH_MAX];
    bool there = find_folder(folder, found, sizeof found);
    if (there)
        there = snprintf(path, TIDE_BENCH_PATH, "%s/%s.lua", found, name) < TIDE_BENCH_PATH;
    if (!there)
        fprintf(stderr, "springtide: bench: there is no folder scenes/%s here or two above the program's\n", folder);
    return there;
}

tide_exit tide_bench_table1(const tide_arguments *arguments)
{
    char path[TIDE_BENCH_PATH];
    tide_bench_table table;
    tide_exit worst = TIDE_EXIT_DONE;
    tide_bench_table_begin(&table, columns, COLUMNS);
    tide_bench_tell_runs(&table, arguments);
    for (size_t i = 0; i < sizeof paper / sizeof *paper && worst != TIDE_EXIT_USAGE; i++) {
        tide_bench_result result;
        if (!tide_bench_find_scene("table1", paper[i].scene, path)) {
            worst = TIDE_EXIT_FAILED;
            break;
        }
        if (access(path, F_OK) != 0) {
            fprintf(stderr, "springtide: bench: there is no %s; it is left out\n", path);
            continue;
        }
        tide_exit exit = tide_bench_scene(arguments, path, &result);
        if (exit == TIDE_EXIT_DONE)
            add_scene(&table, &paper[i], &result);
        worst = exit > worst ? exit : worst;
    }
    tide_text markdown = { 0 };
    if (table.cell_count)
        set_side_by_side(&table, &markdown);
    table.failed = table.failed || markdown.failed;
    table.markdown = markdown.bytes;
    worst = tide_bench_table_end(&table, arguments, worst);
    tide_text_free(&markdown);
    return worst;
}
