// `bench --growth`: time and memory from 1,000 vertices to 1,000,000, of cloths and of blocks.
#define _POSIX_C_SOURCE 200809L
#include "app/bench.h"

#include "app/progress.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct growth {
    const char *shape;
    double prepare; // s that the first step takes more than one after it
    double linear;  // iterations of conjugate gradients in a step
    bool refused;   // the command line is at fault
    tide_cholesky_info info;
    tide_bench_result result;
} growth;

static const char *const columns[] = { "scene",        "threads",   "vertices",   "springs",    "build_ms",
                                       "analyse_ms",   "factor_ms", "prepare_ms", "nnz",        "frame_ms",
                                       "iteration_ms", "linear",    "memory_mb",  "process_mb", "solved" };

// CHOLMOD's solve is measured up to so many numbers in the factor, and times to an error up to so many vertices:
// beyond, they would take minutes.
enum { MOST_NONZEROS = 10000000, MOST_VERTICES = 20000 };

static tide_status step(tide_world *world, double *seconds, tide_error *error)
{
    double start = tide_clock_seconds();
    tide_status status = tide_world_step(world, error);
    *seconds = tide_clock_seconds() - start;
    return status;
}

// The first step makes the solver ready; of those that follow the fastest counts.
static tide_status measure_steps(const tide_arguments *arguments, tide_script *script, growth *g, tide_error *error)
{
    tide_world *world = tide_script_world(script);
    tide_bench_result *r = &g->result;
    double first, one;
    tide_status status = step(world, &first, error);
    uint64_t frames = arguments->frames_given ? arguments->frames : 3;
    r->frame = INFINITY;
    for (uint64_t i = 0; status == TIDE_OK && i < frames; i++) {
        status = step(world, &one, error);
        const tide_report *report = tide_world_report(world);
        if (status != TIDE_OK || one >= r->frame)
            continue;
        double iterations = fmax(report->iterations, 1);
        r->frame = one;
        r->iterations = report->iterations;
        r->solve.local = report->local_seconds / iterations;
        r->solve.solve = report->global_seconds / iterations;
        r->iteration = r->least_iteration = r->solve.local + r->solve.solve;
        g->linear = report->linear_iterations;
    }
    r->process = tide_bench_process_peak();
    r->processor = NAN;
    g->prepare = first - r->frame;
    g->info = tide_solver_describe(tide_world_solver(world));
    return status;
}

// The parts by themselves, or as the steps report them where that would take too long.
static tide_status measure_parts(const tide_arguments *arguments, tide_script *script, growth *g, tide_error *error)
{
    tide_bench_result *r = &g->result;
    tide_world *world = tide_script_world(script);
    tide_status status = TIDE_OK;
    r->solve.bytes = tide_memory_count().bytes;
    r->solve.cholmod = r->solve.panels = NAN;
    r->solve.analyse = g->info.analyse_seconds;
    r->solve.factor = g->info.factor_seconds;
    r->solve.nonzeros = g->info.way == TIDE_CHOLESKY_ITERATIVE ? 0 : g->info.nonzeros;
    if (r->solve.nonzeros && r->solve.nonzeros <= MOST_NONZEROS) {
        status = tide_bench_measure_solve(world, tide_bench_runs(arguments), &r->solve, error);
        if (status == TIDE_OK)
            status = tide_bench_measure_updates(world, tide_bench_runs(arguments), &r->updates, error);
    } else
        snprintf(r->solve.precision, sizeof r->solve.precision, "as reported");
    if (status == TIDE_OK && !tide_bench_is_left_out(arguments, "draw"))
        status = tide_bench_measure_draw(script, &r->draw, error);
    if (status == TIDE_OK && r->vertices <= MOST_VERTICES && !tide_bench_is_left_out(arguments, "errors"))
        status = tide_bench_measure_errors(script, &r->errors, error);
    return status;
}

static tide_status measure(const tide_arguments *arguments, const char *path, const char *shape,
                           const tide_script_options *options, growth *g, tide_error *error)
{
    char name[48];
    tide_script *script = NULL;
    *g = (growth) { .shape = shape };
    tide_bench_reset_peak();
    double start = tide_clock_seconds();
    tide_status status = tide_script_open(path, options, &script, error);
    g->result.build = tide_clock_seconds() - start;
    g->refused = status != TIDE_OK && tide_is_about_setting(arguments, error);
    if (status == TIDE_OK && arguments->solver_count) {
        status = tide_script_set_solver(script, arguments->solvers[arguments->solver_count - 1].text, error);
        g->refused = status != TIDE_OK;
    }
    if (status == TIDE_OK) {
        tide_world *world = tide_script_world(script);
        snprintf(name, sizeof name, "%s_%u", shape, tide_world_particle_count(world));
        tide_bench_describe(world, name, &g->result);
        status = measure_steps(arguments, script, g, error);
    }
    if (status == TIDE_OK)
        status = measure_parts(arguments, script, g, error);
    tide_script_close(script);
    return status;
}

static void add_row(tide_bench_table *table, tide_bench_figures *figures, const growth *g)
{
    const tide_bench_result *r = &g->result;
    tide_bench_text(table, r->scene);
    tide_bench_count(table, (uint64_t)tide_threads());
    tide_bench_count(table, r->vertices);
    tide_bench_count(table, r->springs);
    tide_bench_seconds(table, r->build);
    tide_bench_seconds(table, g->info.analyse_seconds);
    tide_bench_seconds(table, g->info.factor_seconds);
    tide_bench_seconds(table, g->prepare);
    tide_bench_count(table, r->solve.nonzeros);
    tide_bench_seconds(table, r->frame);
    tide_bench_seconds(table, r->iteration);
    tide_bench_value(table, g->linear);
    tide_bench_value(table, (double)r->solve.bytes * 1e-6);
    tide_bench_value(table, r->process * 1e-6);
    tide_bench_text(table, g->info.precision ? g->info.precision : g->info.factorizations ? "CHOLMOD" : "");
    tide_bench_figure(figures, r->scene, "prepare_ms", 1e3 * g->prepare, "ms");
    tide_bench_figure(figures, r->scene, "linear_iterations", g->linear, "1");
}

static const struct {
    const char *shape;
    double vertices;
} sizes[] = { { "cloth", 1e3 },  { "cloth", 1e4 },  { "cloth", 1e5 },  { "cloth", 1e6 },
              { "volume", 1e3 }, { "volume", 1e4 }, { "volume", 1e5 }, { "volume", 5e5 } };
enum { SIZES = sizeof sizes / sizeof *sizes, MOST_SETTINGS = TIDE_BENCH_SETTINGS - 4 };

// --set vertices=N: no more than that; --set shape=NAME: no other.
static bool is_wanted(const tide_arguments *arguments, const char *shape, double vertices)
{
    bool wanted = true;
    for (uint32_t i = 0; i < arguments->setting_count; i++) {
        const tide_setting *s = &arguments->settings[i];
        if (strcmp(s->name, "vertices") == 0)
            wanted = wanted && vertices <= strtod(s->value, NULL);
        if (strcmp(s->name, "shape") == 0)
            wanted = wanted && strcmp(s->value, shape) == 0;
    }
    return wanted;
}

static tide_status check_settings(const tide_arguments *arguments, tide_error *error)
{
    if (arguments->setting_count > MOST_SETTINGS)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--set", NULL,
                         "the growth series takes %d at most", MOST_SETTINGS);
    for (uint32_t i = 0; i < arguments->setting_count; i++) {
        const tide_setting *s = &arguments->settings[i];
        char *end;
        if (strcmp(s->name, "vertices") == 0 && (!(strtod(s->value, &end) >= sizes[0].vertices) || *end))
            return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--set vertices", s->value,
                             "expected how many vertices the series has at most, %.0f or more", sizes[0].vertices);
        if (strcmp(s->name, "shape") == 0 && strcmp(s->value, "cloth") != 0 && strcmp(s->value, "volume") != 0)
            return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--set shape", s->value,
                             "expected cloth or volume");
    }
    return TIDE_OK;
}

// A system of the series, as parameters of its scene.
typedef struct sized {
    char vertices[32];
    tide_setting settings[TIDE_BENCH_SETTINGS];
    tide_script_options options;
} sized;

tide_setting *tide_bench_set(tide_setting *settings, uint32_t *count, const char *name, const char *value)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++)
        if (strcmp(settings[i].name, name) != 0)
            settings[kept++] = settings[i];
    settings[kept] = (tide_setting) { .name = name, .value = value };
    *count = kept + 1;
    return &settings[kept];
}

static void describe(const tide_arguments *arguments, const char *shape, double vertices, sized *s)
{
    uint32_t used = arguments->setting_count; // as many as check_settings lets through
    snprintf(s->vertices, sizeof s->vertices, "%.0f", vertices);
    if (used)
        memcpy(s->settings, arguments->settings, used * sizeof *s->settings);
    tide_bench_set(s->settings, &used, "shape", shape);
    tide_bench_set(s->settings, &used, "vertices", s->vertices);
    s->options = (tide_script_options) { .settings = s->settings,
                                         .setting_count = used,
                                         .timestep = arguments->timestep,
                                         .seed = arguments->seed,
                                         .memory_limit = tide_memory_limit(arguments) };
}

// What is solved by a factor, as the scene says: of blocks, which are the ones that stand still for long.
tide_exit tide_bench_growth(const tide_arguments *arguments, tide_bench_parts *parts)
{
    char path[TIDE_BENCH_PATH];
    int counts[2];
    uint32_t count = tide_bench_thread_counts(arguments, counts);
    tide_error error;
    tide_progress progress;
    tide_exit worst = TIDE_EXIT_DONE;
    if (check_settings(arguments, &error) != TIDE_OK) {
        tide_report_error(&error);
        return TIDE_EXIT_USAGE;
    }
    if (!tide_bench_find_scene("papers", "growth", path))
        return TIDE_EXIT_FAILED;
    tide_bench_table *table = tide_bench_report_table(
        parts->report,
        "growth; prepare: what the first step takes more than one later; frame: ten iterations; memory: held by the "
        "engine; process: its largest, while it was built and stepped; linear: conjugate gradients' iterations",
        columns, sizeof columns / sizeof *columns);
    tide_progress_begin(&progress);
    for (size_t i = 0; i < SIZES * count && worst == TIDE_EXIT_DONE; i++) {
        growth g;
        sized system;
        const char *shape = sizes[i / count].shape;
        if (!is_wanted(arguments, shape, sizes[i / count].vertices))
            continue;
        tide_progress_show(&progress, "systems", i, SIZES * count);
        tide_set_threads(counts[i % count]);
        describe(arguments, shape, sizes[i / count].vertices, &system);
        tide_status status = measure(arguments, path, shape, &system.options, &g, &error);
        if (status == TIDE_OK) {
            tide_bench_add_parts(parts, &g.result);
            add_row(table, &parts->report->figures, &g);
        }
        if (status != TIDE_OK) {
            if (g.refused)
                error.where[0] = '\0'; // of the script, which is not at fault
            tide_report_error(&error);
            worst = g.refused ? TIDE_EXIT_USAGE : TIDE_EXIT_FAILED;
        }
    }
    tide_set_threads(counts[0]);
    tide_progress_end(&progress);
    return worst;
}
