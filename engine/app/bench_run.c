// Runs a scene several times from one state and times the phases of its steps.
#include "app/bench.h"

#include "base/clock.h"
#include "base/memory.h"
#include "session/picture.h"
#include "session/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct bench_run { // sums over the frames
    double seconds, processor, iterations, local, global, detect, respond;
    double reference;
} bench_run;

typedef struct bench {
    const tide_bench_options *options;
    tide_script *script;
    uint64_t done; // frames of all runs so far
    tide_progress progress;
    bench_run *measured; // (plan->runs)
    double *reference;   // (TIDE_BENCH_REFERENCE_COUNT)
} bench;

// --- a run -----------------------------------------------------------------------------------------------------------

// Returns the processor time of all threads together, since the program started.
static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

// Runs a fixed number of independent multiply-adds over the array, then as many dependent ones.
static double time_reference(double *array)
{
    double start = tide_clock_seconds(), sum = 0;
    for (size_t i = 0; i < TIDE_BENCH_REFERENCE_COUNT; i++)
        array[i] = 0.5 * array[i] + 0.5;
    for (size_t i = 0; i < TIDE_BENCH_REFERENCE_COUNT; i++)
        sum = 0.5 * sum + 0.5;
    volatile double kept = sum; // keeps the compiler from removing the sum
    (void)kept;
    return tide_clock_seconds() - start;
}

// Takes one frame and adds its times to *sum; NULL: the frame does not count.
static tide_status run_frame(bench *b, bench_run *sum, tide_error *error)
{
    tide_world *world = tide_script_world(b->script);
    tide_status status = tide_script_update(b->script, error);
    if (status != TIDE_OK)
        return status;
    double start = tide_clock_seconds(), processor = processor_seconds();
    status = tide_world_step(world, error);
    double seconds = tide_clock_seconds() - start;
    processor = processor_seconds() - processor;
    b->done++;
    tide_progress_show(&b->progress, "frames", b->done,
                       b->options->warm_up + b->options->runs * (b->options->frames + 1));
    if (status != TIDE_OK || !sum)
        return status;
    const tide_report *report = tide_world_report(world);
    sum->seconds += seconds;
    sum->processor += processor;
    sum->iterations += report->iterations;
    sum->local += report->local_seconds;
    sum->global += report->global_seconds;
    sum->detect += report->contact_detect_seconds;
    sum->respond += report->contact_seconds - report->contact_detect_seconds;
    return TIDE_OK;
}

// Goes back to the snapshot, takes one frame that prepares the solver, then those that count.
static tide_status run(bench *b, const tide_snapshot *start, bench_run *sum, tide_error *error)
{
    *sum = (bench_run) { .reference = time_reference(b->reference) };
    tide_status status = tide_world_restore(tide_script_world(b->script), start, error);
    if (status == TIDE_OK)
        status = run_frame(b, NULL, error);
    for (uint64_t i = 0; status == TIDE_OK && i < b->options->frames; i++)
        status = run_frame(b, sum, error);
    return status;
}

static tide_status run_all(bench *b, tide_error *error)
{
    tide_snapshot *start = NULL;
    tide_status status = TIDE_OK;
    for (uint64_t i = 0; status == TIDE_OK && i < b->options->warm_up; i++)
        status = run_frame(b, NULL, error);
    if (status == TIDE_OK)
        status = tide_world_snapshot(tide_script_world(b->script), &start, error);
    for (uint64_t i = 0; status == TIDE_OK && i < b->options->runs; i++)
        status = run(b, start, &b->measured[i], error);
    tide_snapshot_destroy(start);
    return status;
}

// --- one-time costs --------------------------------------------------------------------------------------------------

// Prepares a new solver each time: the world's own one may be prepared already.
static tide_status measure_prefactor(bench *b, tide_bench_result *result, tide_error *error)
{
    tide_world *world = tide_script_world(b->script);
    const tide_solver *like = tide_world_solver(world);
    const tide_solver_kind *kind = tide_solver_kind_of(like);
    const tide_system *system;
    result->prefactor = NAN;
    tide_status status = kind->describe ? tide_world_system(world, &system, error) : TIDE_OK;
    for (uint64_t i = 0; status == TIDE_OK && kind->describe && i < b->options->runs; i++) {
        tide_solver *solver = NULL;
        status = tide_solver_create(kind, tide_solver_options(like), &solver, error);
        if (status == TIDE_OK)
            status =
                tide_solver_prepare(solver, system, result->timestep, tide_world_all_positions(world), NULL, error);
        tide_cholesky_info info = status == TIDE_OK ? tide_solver_describe(solver) : (tide_cholesky_info) { 0 };
        double panels = info.precision ? info.trial_seconds : 0;
        if (info.factorizations)
            result->prefactor = fmin(result->prefactor, info.analyse_seconds + info.factor_seconds + panels);
        tide_solver_destroy(solver);
    }
    return status;
}

// Draws the current scene as a window does, without panels and without showing the picture.
static tide_status measure_draw(bench *b, tide_bench_result *result, tide_error *error)
{
    enum { WIDTH = 1280, HEIGHT = 720, PICTURES = 12 }; // the first pictures allocate what later ones reuse
    tide_picture picture;
    result->draw = INFINITY;
    tide_status status = tide_picture_create(&picture, b->script, WIDTH, HEIGHT, false, error);
    for (int i = 0; status == TIDE_OK && i < PICTURES; i++) {
        tide_rasterizer_forget(picture.rasterizer);
        double start = processor_seconds();
        status = tide_picture_draw(&picture, b->script, true, error);
        result->draw = fmin(result->draw, processor_seconds() - start);
    }
    tide_picture_free(&picture);
    return status;
}

// --- the result ------------------------------------------------------------------------------------------------------

static int compare_runs(const void *a, const void *b)
{
    double first = ((const bench_run *)a)->seconds, second = ((const bench_run *)b)->seconds;
    return (first > second) - (first < second);
}

static void summarise(bench *b, tide_bench_result *result)
{
    double frames = (double)b->options->frames;
    uint64_t runs = b->options->runs;
    qsort(b->measured, runs, sizeof *b->measured, compare_runs);
    const bench_run *best = &b->measured[0];
    double iterating = best->local + best->global;
    result->frame = best->seconds / frames;
    result->median = (b->measured[(runs - 1) / 2].seconds + b->measured[runs / 2].seconds) / (2 * frames);
    result->iterations = best->iterations / frames;
    result->iteration = best->iterations > 0 && iterating > 0 ? iterating / best->iterations : NAN;
    result->local = best->local / frames;
    result->global = best->global / frames;
    result->detect = best->detect / frames;
    result->respond = best->respond / frames;
    result->reference = result->processor = INFINITY;
    for (uint64_t i = 0; i < runs; i++) {
        result->reference = fmin(result->reference, b->measured[i].reference);
        result->processor = fmin(result->processor, b->measured[i].processor / frames);
    }
    result->ratio = result->frame / result->reference;
}

static void describe(tide_world *world, const char *path, tide_bench_result *result)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    snprintf(result->scene, sizeof result->scene, "%.*s", dot && dot > name ? (int)(dot - name) : (int)strlen(name),
             name);
    snprintf(result->solver, sizeof result->solver, "%s", tide_solver_kind_of(tide_world_solver(world))->name);
    result->timestep = tide_world_get_settings(world)->timestep;
    result->vertices = tide_world_particle_count(world);
    for (uint32_t i = 0; i < tide_world_body_count(world); i++) {
        tide_body_info info;
        if (tide_world_body_info(world, tide_world_body_at(world, i), &info))
            result->springs += info.spring_count;
    }
}

static tide_status open_scene(const tide_bench_options *options, tide_script **script, bool *refused, tide_error *error)
{
    const tide_script_options opening = tide_scene_script_options(&options->scene);
    tide_status status = tide_script_open(options->scene.path, &opening, script, error);
    *refused = status != TIDE_OK && tide_is_about_setting(&options->scene, error);
    if (status == TIDE_OK && options->solvers.count) {
        status = tide_script_set_solver(*script, options->solvers.items[options->solvers.count - 1].text, error);
        *refused = status != TIDE_OK;
    }
    return status;
}

tide_status tide_bench_measure(const tide_bench_options *options, tide_bench_result *result, bool *refused,
                               tide_error *error)
{
    bench b = { .options = options };
    *refused = false;
    *result = (tide_bench_result) { 0 };
    b.measured = tide_allocate_zeroed(options->runs, sizeof *b.measured);
    b.reference = tide_allocate_zeroed(TIDE_BENCH_REFERENCE_COUNT, sizeof *b.reference);
    tide_status status = b.measured && b.reference ? TIDE_OK : tide_fail_memory(error, "bench");
    tide_progress_begin(&b.progress);
    if (status == TIDE_OK)
        status = open_scene(options, &b.script, refused, error);
    if (status == TIDE_OK) {
        describe(tide_script_world(b.script), options->scene.path, result);
        status = measure_prefactor(&b, result, error);
    }
    if (status == TIDE_OK)
        status = run_all(&b, error);
    tide_progress_end(&b.progress);
    if (status == TIDE_OK) {
        summarise(&b, result);
        status = measure_draw(&b, result, error);
    }
    tide_script_close(b.script);
    tide_free(b.reference);
    tide_free(b.measured);
    return status;
}
