// A scene's time a frame, with the parts that Table 1 of Liu et al. 2013 tells.
#include "app/bench.h"

#include "app/progress.h"
#include "base/clock.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FRAMES = 60, WARM_UP = 30, RUNS = 3 };

uint32_t tide_bench_runs(const tide_arguments *arguments)
{
    return arguments->runs ? arguments->runs : RUNS;
}

static uint64_t frames_of(const tide_arguments *arguments)
{
    return arguments->frames_given ? arguments->frames : FRAMES;
}

static uint64_t warm_up_of(const tide_arguments *arguments)
{
    return arguments->warm_up_given ? arguments->warm_up : WARM_UP;
}

void tide_bench_tell_runs(tide_bench_table *table, const tide_arguments *arguments)
{
    uint64_t runs = tide_bench_runs(arguments), frames = frames_of(arguments);
    snprintf(table->about[1], sizeof table->about[1],
             "the best of %" PRIu64 " run%s of %" PRIu64 " frame%s each, after %" PRIu64 " more; reference: %s", runs,
             runs == 1 ? "" : "s", frames, frames == 1 ? "" : "s", warm_up_of(arguments),
             "8388608 multiply-adds over 64 MB, then as many that wait for one another");
}

// --- the reference ---------------------------------------------------------------------------------------------------

double tide_bench_reference(double *array)
{
    double start = tide_clock_seconds(), sum = 0;
    for (size_t i = 0; i < TIDE_BENCH_REFERENCE_COUNT; i++)
        array[i] = 0.5 * array[i] + 0.5;
    for (size_t i = 0; i < TIDE_BENCH_REFERENCE_COUNT; i++)
        sum = 0.5 * sum + 0.5;
    volatile double kept = sum; // or the compiler would leave the sum out
    (void)kept;
    return tide_clock_seconds() - start;
}

// --- measuring -------------------------------------------------------------------------------------------------------

typedef struct bench_run {
    double seconds, processor, iterations, iterating, detect, respond; // sums over the frames
    double least_iteration;                                            // of a frame
    double reference;
} bench_run;

typedef struct bench {
    const tide_arguments *arguments;
    tide_script *script;
    uint64_t frames, warm_up, runs;
    uint64_t done; // frames of all
    tide_progress progress;
    bench_run *measured; // (runs)
    double *reference;   // (TIDE_BENCH_REFERENCE_COUNT)
} bench;

double tide_bench_processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

// A frame; `sum` NULL: one that does not count.
static tide_status frame(bench *b, bench_run *sum, tide_error *error)
{
    tide_world *world = tide_script_world(b->script);
    tide_status status = tide_script_update(b->script, error);
    if (status != TIDE_OK)
        return status;
    double start = tide_clock_seconds(), processor = tide_bench_processor_seconds();
    status = tide_world_step(world, error);
    double seconds = tide_clock_seconds() - start;
    processor = tide_bench_processor_seconds() - processor;
    b->done++;
    tide_progress_show(&b->progress, "frames", b->done, b->warm_up + b->runs * (b->frames + 1));
    if (status != TIDE_OK || !sum)
        return status;
    const tide_report *report = tide_world_report(world);
    sum->seconds += seconds;
    sum->processor += processor;
    sum->iterations += report->iterations;
    double iterating = report->local_seconds + report->global_seconds;
    sum->iterating += iterating;
    sum->least_iteration = fmin(sum->least_iteration, iterating / fmax(report->iterations, 1));
    sum->detect += report->contact_detect_seconds;
    sum->respond += report->contact_seconds - report->contact_detect_seconds;
    return TIDE_OK;
}

// From the snapshot: a frame to make the solver ready again, then those that count.
static tide_status run(bench *b, const tide_snapshot *start, bench_run *sum, tide_error *error)
{
    *sum = (bench_run) { .least_iteration = INFINITY, .reference = tide_bench_reference(b->reference) };
    tide_status status = tide_world_restore(tide_script_world(b->script), start, error);
    if (status == TIDE_OK)
        status = frame(b, NULL, error);
    for (uint64_t i = 0; status == TIDE_OK && i < b->frames; i++)
        status = frame(b, sum, error);
    return status;
}

static tide_status run_several(bench *b, tide_error *error)
{
    tide_snapshot *start = NULL;
    tide_status status = TIDE_OK;
    for (uint64_t i = 0; status == TIDE_OK && i < b->warm_up; i++)
        status = frame(b, NULL, error);
    if (status == TIDE_OK)
        status = tide_world_snapshot(tide_script_world(b->script), &start, error);
    for (uint64_t i = 0; status == TIDE_OK && i < b->runs; i++)
        status = run(b, start, &b->measured[i], error);
    tide_snapshot_destroy(start);
    return status;
}

// A solver of its own, as the world's, so that what the world has made ready does not shorten it.
static tide_status measure_prefactor(bench *b, tide_bench_result *result, tide_error *error)
{
    tide_world *world = tide_script_world(b->script);
    const tide_solver *like = tide_world_solver(world);
    const tide_solver_kind *kind = tide_solver_kind_of(like);
    const tide_system *system;
    result->prefactor = NAN;
    tide_status status = kind->describe ? tide_world_system(world, &system, error) : TIDE_OK;
    for (uint64_t i = 0; status == TIDE_OK && kind->describe && i < b->runs; i++) {
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

// --- the result ------------------------------------------------------------------------------------------------------

static int compare(const void *a, const void *b)
{
    double first = ((const bench_run *)a)->seconds, second = ((const bench_run *)b)->seconds;
    return (first > second) - (first < second);
}

static void summarise(bench *b, tide_bench_result *result)
{
    double frames = (double)b->frames;
    qsort(b->measured, b->runs, sizeof *b->measured, compare);
    const bench_run *best = &b->measured[0];
    result->frame = best->seconds / frames;
    result->median = (b->measured[(b->runs - 1) / 2].seconds + b->measured[b->runs / 2].seconds) / (2 * frames);
    result->iterations = best->iterations / frames;
    result->iteration = best->iterations > 0 && best->iterating > 0 ? best->iterating / best->iterations : NAN;
    result->detect = best->detect / frames;
    result->respond = best->respond / frames;
    result->reference = result->processor = result->least_iteration = INFINITY;
    for (uint64_t i = 0; i < b->runs; i++) {
        result->least_iteration = fmin(result->least_iteration, b->measured[i].least_iteration);
        result->reference = fmin(result->reference, b->measured[i].reference);
        result->processor = fmin(result->processor, b->measured[i].processor / frames);
    }
    if (!(result->least_iteration > 0)) // the solver has none
        result->least_iteration = NAN;
}

void tide_bench_describe(tide_world *world, const char *name, tide_bench_result *result)
{
    snprintf(result->scene, sizeof result->scene, "%s", name);
    snprintf(result->solver, sizeof result->solver, "%s", tide_solver_kind_of(tide_world_solver(world))->name);
    result->timestep = tide_world_get_settings(world)->timestep;
    result->vertices = tide_world_particle_count(world);
    result->springs = 0;
    for (uint32_t i = 0; i < tide_world_body_count(world); i++) {
        tide_body_info info;
        if (tide_world_body_info(world, tide_world_body_at(world, i), &info))
            result->springs += info.spring_count;
    }
}

// The file's, without folder and ending.
static void name_scene(const char *path, char name[64])
{
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path, *dot = strrchr(start, '.');
    snprintf(name, 64, "%.*s", dot && dot > start ? (int)(dot - start) : (int)strlen(start), start);
}

static tide_status open_scene(bench *b, const char *path, bool *refused, tide_error *error)
{
    const tide_arguments *arguments = b->arguments;
    const tide_script_options options = { .settings = arguments->settings,
                                          .setting_count = arguments->setting_count,
                                          .timestep = arguments->timestep,
                                          .seed = arguments->seed,
                                          .memory_limit = tide_memory_limit(arguments) };
    tide_status status = tide_script_open(path, &options, &b->script, error);
    if (status != TIDE_OK) {
        *refused = tide_is_about_setting(arguments, error);
        return status;
    }
    if (arguments->solver_count) {
        status = tide_script_set_solver(b->script, arguments->solvers[arguments->solver_count - 1].text, error);
        *refused = status != TIDE_OK;
    }
    return status;
}

// What building the scene and its first steps take of memory, of a process that has nothing else.
static tide_status measure_memory(bench *b, const char *path, tide_bench_result *result, bool *refused,
                                  tide_error *error)
{
    enum { STEPS = 3 };
    tide_bench_reset_peak();
    double start = tide_clock_seconds();
    tide_status status = open_scene(b, path, refused, error);
    result->build = tide_clock_seconds() - start;
    for (int i = 0; status == TIDE_OK && i < STEPS; i++)
        status = tide_script_step(b->script, error);
    result->process = tide_bench_process_peak();
    tide_script_close(b->script);
    b->script = NULL;
    return status;
}

// Of a script that is what it was: nothing of the world is made anew.
static tide_status measure_reload(bench *b, tide_bench_result *result, tide_error *error)
{
    enum { RELOADS = 5 };
    tide_adoption adoption;
    tide_status status = TIDE_OK;
    result->reload = INFINITY;
    for (int i = 0; i < RELOADS && status == TIDE_OK; i++) {
        double start = tide_clock_seconds();
        status = tide_script_reload(b->script, NULL, &adoption, error);
        result->reload = fmin(result->reload, tide_clock_seconds() - start);
    }
    return status;
}

// What figures are made of: the scene is where the runs left it.
static tide_status measure_parts(bench *b, tide_bench_result *result, tide_error *error)
{
    tide_status status =
        tide_bench_measure_solve(tide_script_world(b->script), (uint32_t)b->runs, &result->solve, error);
    if (status == TIDE_OK)
        status = tide_bench_measure_updates(tide_script_world(b->script), (uint32_t)b->runs, &result->updates, error);
    if (status == TIDE_OK)
        status = measure_reload(b, result, error);
    if (status == TIDE_OK && !tide_bench_is_left_out(b->arguments, "errors"))
        status = tide_bench_measure_errors(b->script, &result->errors, error);
    return status;
}

static tide_status bench_scene(const tide_arguments *arguments, const char *path, bool parts, tide_bench_result *result,
                               bool *refused, tide_error *error)
{
    char name[64];
    bench b = { .arguments = arguments,
                .frames = frames_of(arguments),
                .warm_up = warm_up_of(arguments),
                .runs = tide_bench_runs(arguments) };
    *refused = false;
    *result = (tide_bench_result) { 0 };
    tide_status status = parts ? measure_memory(&b, path, result, refused, error) : TIDE_OK;
    b.measured = tide_allocate_zeroed(b.runs, sizeof *b.measured);
    b.reference = tide_allocate_zeroed(TIDE_BENCH_REFERENCE_COUNT, sizeof *b.reference);
    if (status == TIDE_OK && !(b.measured && b.reference))
        status = tide_fail_memory(error, "bench");
    tide_progress_begin(&b.progress);
    if (status == TIDE_OK)
        status = open_scene(&b, path, refused, error);
    if (status == TIDE_OK) {
        name_scene(path, name);
        tide_bench_describe(tide_script_world(b.script), name, result);
        status = measure_prefactor(&b, result, error);
    }
    if (status == TIDE_OK)
        status = run_several(&b, error);
    tide_progress_end(&b.progress);
    if (status == TIDE_OK)
        summarise(&b, result);
    if (status == TIDE_OK && !tide_bench_is_left_out(arguments, "draw"))
        status = tide_bench_measure_draw(b.script, &result->draw, error);
    tide_free(b.reference); // which is no memory of the scene
    b.reference = NULL;
    if (status == TIDE_OK && parts)
        status = measure_parts(&b, result, error);
    tide_script_close(b.script);
    tide_free(b.measured);
    return status;
}

tide_exit tide_bench_scene(const tide_arguments *arguments, const char *path, tide_bench_result *result)
{
    tide_error error;
    bool refused;
    bool parts = arguments->solve || (!arguments->subject_count && !arguments->table1);
    if (bench_scene(arguments, path, parts, result, &refused, &error) == TIDE_OK)
        return TIDE_EXIT_DONE;
    if (refused)
        error.where[0] = '\0'; // of the script, which is not at fault
    tide_report_error(&error);
    return refused ? TIDE_EXIT_USAGE : TIDE_EXIT_FAILED;
}
