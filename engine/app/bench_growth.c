// `bench --growth`: time and memory from 1,000 vertices to 1,000,000, of cloths and of blocks.
#define _POSIX_C_SOURCE 200809L
#include "app/bench.h"

#include "app/progress.h"
#include "base/clock.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct growth {
    const char *shape;
    uint32_t vertices, springs;
    double build, prepare, frame; // s: the scene; what the first step takes more than one after it; that
    double iteration;             // s
    double linear;                // iterations of conjugate gradients in a step
    tide_cholesky_info info;
    double bytes, peak; // held at the end; of the whole process, the most while it was built and stepped
} growth;

static const char *const columns[] = { "scene",     "vertices",   "springs",    "build_ms", "analyse_ms",
                                       "factor_ms", "prepare_ms", "nnz",        "frame_ms", "iteration_ms",
                                       "linear",    "memory_mb",  "process_mb", "solved" };

// The most memory that the process has had since the last reset; NAN where the system does not tell.
static double process_peak(void)
{
    char line[128];
    double kilobytes = NAN;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmHWM:", 6) == 0)
            kilobytes = strtod(line + 6, NULL);
    if (file)
        fclose(file);
    return 1024 * kilobytes;
}

static void reset_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file) {
        fputs("5", file);
        fclose(file);
    }
}

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
    double first, one;
    tide_status status = step(world, &first, error);
    uint64_t frames = arguments->frames_given ? arguments->frames : 3;
    g->frame = INFINITY;
    for (uint64_t i = 0; status == TIDE_OK && i < frames; i++) {
        status = step(world, &one, error);
        const tide_report *report = tide_world_report(world);
        if (status != TIDE_OK || one >= g->frame)
            continue;
        g->frame = one;
        g->iteration = (report->local_seconds + report->global_seconds) / fmax(report->iterations, 1);
        g->linear = report->linear_iterations;
    }
    g->prepare = first - g->frame;
    g->vertices = tide_world_particle_count(world);
    for (uint32_t i = 0; i < tide_world_body_count(world); i++) {
        tide_body_info info;
        if (tide_world_body_info(world, tide_world_body_at(world, i), &info))
            g->springs += info.spring_count;
    }
    g->info = tide_solver_describe(tide_world_solver(world));
    g->bytes = (double)tide_memory_count().bytes;
    return status;
}

static tide_status measure(const tide_arguments *arguments, const char *path, const char *shape, double vertices,
                           growth *g, tide_error *error)
{
    char count[32];
    snprintf(count, sizeof count, "%.0f", vertices);
    tide_setting settings[16] = { { .name = "shape", .value = shape }, { .name = "vertices", .value = count } };
    uint32_t used = 2;
    for (uint32_t i = 0; i < arguments->setting_count && used < 16; i++)
        if (strcmp(arguments->settings[i].name, "vertices") != 0 && strcmp(arguments->settings[i].name, "shape") != 0)
            settings[used++] = arguments->settings[i];
    const tide_script_options options = {
        .settings = settings, .setting_count = used, .timestep = arguments->timestep, .seed = arguments->seed
    };
    tide_script *script = NULL;
    *g = (growth) { .shape = shape };
    reset_peak();
    double start = tide_clock_seconds();
    tide_status status = tide_script_open(path, &options, &script, error);
    g->build = tide_clock_seconds() - start;
    if (status == TIDE_OK && arguments->solver_count)
        status = tide_script_set_solver(script, arguments->solvers[arguments->solver_count - 1].text, error);
    if (status == TIDE_OK)
        status = measure_steps(arguments, script, g, error);
    g->peak = process_peak();
    tide_script_close(script);
    return status;
}

static void add_row(tide_bench_table *table, const growth *g)
{
    char name[48];
    snprintf(name, sizeof name, "%s_%u", g->shape, g->vertices);
    tide_bench_text(table, name);
    tide_bench_count(table, g->vertices);
    tide_bench_count(table, g->springs);
    tide_bench_seconds(table, g->build);
    tide_bench_seconds(table, g->info.analyse_seconds);
    tide_bench_seconds(table, g->info.factor_seconds);
    tide_bench_seconds(table, g->prepare);
    tide_bench_count(table, g->info.way == TIDE_CHOLESKY_ITERATIVE ? 0 : g->info.nonzeros);
    tide_bench_seconds(table, g->frame);
    tide_bench_seconds(table, g->iteration);
    tide_bench_value(table, g->linear);
    tide_bench_value(table, g->bytes * 1e-6);
    tide_bench_value(table, g->peak * 1e-6);
    tide_bench_text(table, g->info.precision ? g->info.precision : g->info.factorizations ? "CHOLMOD" : "");
}

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

tide_exit tide_bench_growth(const tide_arguments *arguments)
{
    static const struct {
        const char *shape;
        double vertices;
    } sizes[] = { { "cloth", 1e3 },  { "cloth", 1e4 },  { "cloth", 1e5 },  { "cloth", 1e6 },
                  { "volume", 1e3 }, { "volume", 1e4 }, { "volume", 1e5 }, { "volume", 5e5 } };
    enum { COUNT = sizeof sizes / sizeof *sizes };
    char path[TIDE_BENCH_PATH];
    tide_bench_table table;
    tide_error error;
    tide_progress progress;
    tide_exit worst = TIDE_EXIT_DONE;
    if (!tide_bench_find_scene("papers", "growth", path))
        return TIDE_EXIT_FAILED;
    tide_bench_table_begin(&table, columns, sizeof columns / sizeof *columns);
    snprintf(table.about[1], sizeof table.about[1],
             "prepare: what the first step takes more than one later; frame: ten iterations; memory: held by the "
             "engine; process: its largest, while it was built and stepped; linear: conjugate gradients' iterations");
    tide_progress_begin(&progress);
    for (size_t i = 0; i < COUNT && worst == TIDE_EXIT_DONE; i++) {
        growth g;
        if (!is_wanted(arguments, sizes[i].shape, sizes[i].vertices))
            continue;
        tide_progress_show(&progress, "systems", i, COUNT);
        if (measure(arguments, path, sizes[i].shape, sizes[i].vertices, &g, &error) == TIDE_OK)
            add_row(&table, &g);
        else {
            tide_report_error(&error);
            worst = TIDE_EXIT_FAILED;
        }
    }
    tide_progress_end(&progress);
    return tide_bench_table_end(&table, arguments, worst);
}
