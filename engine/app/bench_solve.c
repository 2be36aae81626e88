// `bench --solve`: what an iteration of scenes is made of, the solve with CHOLMOD's beside it in the same run.
#define _POSIX_C_SOURCE 200809L
#include "app/bench.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "model/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// --- the parts of an iteration ---------------------------------------------------------------------------------------

// What is measured in turn, again and again, so that what others do on the machine falls on all of them.
typedef struct parts {
    const tide_system *system;
    double h;
    const double *x;
    tide_cholesky *fast, *reference;
    double *full, *b, *solution; // (3 * particle_count) each
    tide_bench_solve *result;
} parts;

enum { IN_A_ROW = 4, LEAST_ROUNDS = 8 };
static const double seconds_a_run = 0.3;

// This thread's own time, which others that use the machine add nothing to; with several threads, the clock's.
static double now(bool serial)
{
    struct timespec time;
    if (!serial && tide_threads() > 1)
        return tide_clock_seconds();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// A thread's clock may stand still for less than a microsecond where the thread is interrupted.
static void keep_least(double *least, double start, bool serial)
{
    double seconds = now(serial) - start;
    if (seconds > 0)
        *least = fmin(*least, seconds);
}

static tide_status measure_once(parts *p, tide_error *error)
{
    tide_status status = TIDE_OK;
    tide_bench_solve *r = p->result;
    for (int i = 0; i < IN_A_ROW; i++) {
        double start = now(false);
        tide_system_objective_gradient(p->system, p->h, p->x, p->x, p->full);
        keep_least(&r->local, start, false);
    }
    for (int i = 0; i < IN_A_ROW && status == TIDE_OK; i++) {
        double start = now(false);
        status = tide_cholesky_solve(p->fast, 3, p->b, p->solution, error);
        keep_least(&r->solve, start, false);
    }
    for (int i = 0; i < IN_A_ROW && status == TIDE_OK; i++) {
        double start = now(true);
        status = tide_cholesky_solve(p->reference, 3, p->b, p->solution, error);
        keep_least(&r->cholmod, start, true);
    }
    for (int i = 0; i < IN_A_ROW && status == TIDE_OK; i++) {
        double start = now(true);
        tide_cholesky_read(p->fast);
        tide_cholesky_read(p->fast);
        keep_least(&r->stream, start, true);
    }
    return status;
}

static tide_status factor(parts *p, tide_cholesky_way way, tide_cholesky **cholesky, tide_error *error)
{
    tide_sparse matrix = { 0 };
    tide_status status = tide_cholesky_create(cholesky, error);
    if (status == TIDE_OK)
        status = tide_system_matrix(p->system, p->h, &matrix, error);
    if (status == TIDE_OK) {
        tide_cholesky_choose(*cholesky, way, 0);
        status = tide_cholesky_factor(*cholesky, &matrix, NULL, error);
    }
    if (status == TIDE_OK) // makes the panels
        status = tide_cholesky_solve(*cholesky, 3, p->b, p->solution, error);
    tide_sparse_free(&matrix);
    return status;
}

static tide_status measure(parts *p, uint32_t runs, tide_error *error)
{
    tide_bench_solve *r = p->result;
    tide_system_objective_gradient(p->system, p->h, p->x, p->x, p->full);
    tide_system_gather(p->system, p->full, p->b);
    tide_status status = factor(p, TIDE_CHOLESKY_REFERENCE, &p->reference, error);
    r->analyse = r->factor = r->panels = INFINITY;
    for (uint32_t i = 0; i < runs && status == TIDE_OK; i++) {
        tide_cholesky_destroy(p->fast);
        p->fast = NULL;
        status = factor(p, TIDE_CHOLESKY_FAST, &p->fast, error);
        tide_cholesky_info info = status == TIDE_OK ? tide_cholesky_describe(p->fast) : (tide_cholesky_info) { 0 };
        r->analyse = fmin(r->analyse, info.analyse_seconds);
        r->factor = fmin(r->factor, info.factor_seconds);
        r->panels = fmin(r->panels, info.trial_seconds);
        r->nonzeros = info.nonzeros;
        r->panel_bytes = info.panel_bytes;
        snprintf(r->precision, sizeof r->precision, "%s", info.precision ? info.precision : "CHOLMOD");
    }
    r->local = r->solve = r->cholmod = r->stream = INFINITY;
    double end = tide_clock_seconds() + runs * seconds_a_run;
    for (int i = 0; status == TIDE_OK && (i < LEAST_ROUNDS || tide_clock_seconds() < end); i++)
        status = measure_once(p, error);
    return status;
}

tide_status tide_bench_measure_solve(tide_world *world, uint32_t runs, tide_bench_solve *result, tide_error *error)
{
    parts p = { .h = tide_world_get_settings(world)->timestep, .result = result };
    tide_status status = tide_world_system(world, &p.system, error);
    *result = (tide_bench_solve) { .bytes = tide_memory_count().bytes };
    if (status != TIDE_OK)
        return status;
    if (p.system->free_count == 0)
        return tide_fail(error, TIDE_ERROR_STATE, "bench", NULL, NULL, "the scene has no particle that may move");
    p.x = tide_world_all_positions(world);
    p.full = tide_allocate_zeroed(p.system->particle_count, 3 * sizeof *p.full);
    p.b = tide_allocate_zeroed(p.system->particle_count, 3 * sizeof *p.b);
    p.solution = tide_allocate_zeroed(p.system->particle_count, 3 * sizeof *p.solution);
    status = p.full && p.b && p.solution ? measure(&p, runs, error) : tide_fail_memory(error, "bench");
    tide_cholesky_destroy(p.fast);
    tide_cholesky_destroy(p.reference);
    tide_free(p.full);
    tide_free(p.b);
    tide_free(p.solution);
    return status;
}

// --- figures ---------------------------------------------------------------------------------------------------------

static void add_errors(tide_bench_figures *f, const tide_bench_result *r)
{
    static const char *const errors[TIDE_BENCH_ERRORS] = { "1e-1", "1e-2", "1e-3" };
    char name[48];
    for (int e = 0; e < TIDE_BENCH_ERRORS && r->errors.reference[0]; e++) {
        double best = NAN;
        for (int m = 0; m < TIDE_BENCH_METHODS; m++) {
            double seconds = r->errors.seconds[m][e];
            best = m == TIDE_BENCH_CHOLMOD ? best : fmin(best, seconds);
            snprintf(name, sizeof name, "%s_time_to_%s_ms", tide_bench_methods[m], errors[e]);
            tide_bench_figure(f, r->scene, name, 1e3 * seconds, "ms");
            snprintf(name, sizeof name, "%s_iterations_to_%s", tide_bench_methods[m], errors[e]);
            tide_bench_figure(f, r->scene, name, isfinite(seconds) ? r->errors.iterations[m][e] : NAN, "1");
        }
        snprintf(name, sizeof name, "time_to_%s_ms", errors[e]);
        tide_bench_figure(f, r->scene, name, 1e3 * best, "ms");
        snprintf(name, sizeof name, "time_to_%s_of_cholmod", errors[e]);
        tide_bench_figure(f, r->scene, name, best / r->errors.seconds[TIDE_BENCH_CHOLMOD][e], "1");
    }
    if (r->errors.reference[0])
        tide_bench_figure(f, r->scene, "reference_gradient", r->errors.gradient, "1");
}

// What is left of an iteration, and of a frame, besides what is measured by itself.
static double other_of(const tide_bench_result *r)
{
    return r->least_iteration - r->solve.local - r->solve.solve;
}

static double rest_of(const tide_bench_result *r)
{
    return r->frame - r->iterations * r->iteration - r->detect - r->respond;
}

static void add_updates(tide_bench_figures *f, const tide_bench_result *r)
{
    const tide_bench_updates *u = &r->updates;
    tide_bench_figure(f, r->scene, "pin_ms", 1e3 * u->pin, "ms");
    tide_bench_figure(f, r->scene, "unpin_ms", 1e3 * u->unpin, "ms");
    tide_bench_figure(f, r->scene, "cut_ms", 1e3 * u->cut, "ms");
    tide_bench_figure(f, r->scene, "stiffness_ms", 1e3 * u->stiffness, "ms");
    tide_bench_figure(f, r->scene, "timestep_ms", 1e3 * u->timestep, "ms");
    tide_bench_figure(f, r->scene, "added_ms", 1e3 * u->added, "ms");
    tide_bench_figure(f, r->scene, "pin_redone", u->redone, "1");
}

static void add_figures(tide_bench_figures *f, const tide_bench_result *r)
{
    const tide_bench_solve *s = &r->solve;
    double stream = s->stream > 0 ? s->stream : NAN;
    const struct {
        const char *name;
        double value;
        const char *unit;
    } list[] = {
        { "local_ms", 1e3 * s->local, "ms" },
        { "solve_ms", 1e3 * s->solve, "ms" },
        { "other_ms", 1e3 * other_of(r), "ms" },
        { "iteration_ms", 1e3 * r->least_iteration, "ms" },
        { "cholmod_ms", 1e3 * s->cholmod, "ms" },
        { "stream_ms", 1e3 * stream, "ms" },
        { "solve_of_cholmod", s->solve / s->cholmod, "1" },
        { "solve_of_stream", s->solve / stream, "1" },
        { "local_of_solve", s->local / s->solve, "1" },
        { "iteration_of_cholmod", r->least_iteration / s->cholmod, "1" },
        { "iterations", r->iterations, "1" },
        { "collision_ms", 1e3 * (r->detect + r->respond), "ms" },
        { "detect_ms", 1e3 * r->detect, "ms" },
        { "rest_ms", 1e3 * rest_of(r), "ms" },
        { "frame_ms", 1e3 * r->frame, "ms" },
        { "frame_of_cholmod", r->frame / s->cholmod, "1" },
        { "processor_ms", 1e3 * r->processor, "ms" },
        { "draw_ms", r->draw > 0 ? 1e3 * r->draw : NAN, "ms" },
        { "build_ms", 1e3 * r->build, "ms" },
        { "reload_ms", r->reload > 0 ? 1e3 * r->reload : NAN, "ms" },
        { "analyse_ms", 1e3 * s->analyse, "ms" },
        { "factor_ms", 1e3 * s->factor, "ms" },
        { "panels_ms", 1e3 * s->panels, "ms" },
        { "vertices", r->vertices, "1" },
        { "springs", r->springs, "1" },
        { "nnz", s->nonzeros ? (double)s->nonzeros : NAN, "1" },
        { "factor_mb", s->panel_bytes ? (double)s->panel_bytes * 1e-6 : NAN, "MB" },
        { "memory_mb", (double)s->bytes * 1e-6, "MB" },
        { "process_mb", r->process * 1e-6, "MB" },
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        tide_bench_figure(f, r->scene, list[i].name, list[i].value, list[i].unit);
    add_errors(f, r);
}

// --- the tables ------------------------------------------------------------------------------------------------------

static const char *const part_columns[] = { "scene",         "threads",           "nnz",          "local_ms",
                                            "solve_ms",      "other_ms",          "iteration_ms", "cholmod_ms",
                                            "solve/cholmod", "iteration/cholmod", "stream_ms",    "solve/stream",
                                            "local/solve",   "cache_ms",          "memory_ms",    "vectors" };
static const char *const frame_columns[] = { "scene",     "threads",   "iterations", "frame_ms",  "collision_ms",
                                             "rest_ms",   "draw_ms",   "build_ms",   "reload_ms", "analyse_ms",
                                             "factor_ms", "panels_ms", "memory_mb",  "process_mb" };
static const char *const update_columns[] = { "scene",       "threads",  "analyse_ms", "factor_ms",
                                              "pin_ms",      "unpin_ms", "cut_ms",     "stiffness_ms",
                                              "timestep_ms", "added_ms", "pin_redone" };
static const char *const error_columns[] = { "scene", "threads", "method", "1e-1_ms",      "of",    "1e-2_ms",
                                             "of",    "1e-3_ms", "of",     "1e-2/cholmod", "x*_by", "x*_gradient" };

void tide_bench_begin_parts(tide_bench_parts *parts, const tide_arguments *arguments, tide_bench_report *report)
{
    *parts = (tide_bench_parts) { .report = report,
                                  .cache = tide_bench_read_speed((size_t)512 << 10),
                                  .memory = tide_bench_read_speed((size_t)256 << 20) };
    parts->parts = tide_bench_report_table(report, NULL, part_columns, sizeof part_columns / sizeof *part_columns);
    tide_bench_tell_runs(parts->parts, arguments);
    char *about = parts->parts->about[0];
    size_t size = sizeof parts->parts->about[0], length = strcspn(about, ";");
    snprintf(about + length, size - length,
             "; one thread reads %.1f GB/s of 512 kB again and again and %.1f of 256 MB: cache_ms and memory_ms are "
             "the factor twice at these; stream_ms is reading it, where it is",
             parts->cache * 1e-9, parts->memory * 1e-9);
    parts->frames = tide_bench_report_table(report, "a frame, and what is made once:", frame_columns,
                                            sizeof frame_columns / sizeof *frame_columns);
    parts->updates =
        tide_bench_report_table(report, "what a change takes until the next solve, the trial included:", update_columns,
                                sizeof update_columns / sizeof *update_columns);
    parts->errors = tide_bench_report_table(report,
                                            "time of a step until its error (Liu et al. 2013, eq. 15) is below, and "
                                            "iterations:",
                                            error_columns, sizeof error_columns / sizeof *error_columns);
    tide_bench_figure(&report->figures, "machine", "read_cache_gb_s", parts->cache * 1e-9, "GB/s");
    tide_bench_figure(&report->figures, "machine", "read_memory_gb_s", parts->memory * 1e-9, "GB/s");
}

static void add_parts_row(const tide_bench_parts *parts, const tide_bench_result *r)
{
    tide_bench_table *table = parts->parts;
    const tide_bench_solve *s = &r->solve;
    double stream = s->stream > 0 ? s->stream : NAN, twice = s->stream > 0 ? 2 * (double)s->panel_bytes : NAN;
    tide_bench_text(table, r->scene);
    tide_bench_count(table, (uint64_t)tide_threads());
    tide_bench_value(table, s->nonzeros ? (double)s->nonzeros : NAN);
    tide_bench_seconds(table, s->local);
    tide_bench_seconds(table, s->solve);
    tide_bench_seconds(table, other_of(r));
    tide_bench_seconds(table, r->least_iteration);
    tide_bench_seconds(table, s->cholmod);
    tide_bench_value(table, s->solve / s->cholmod);
    tide_bench_value(table, r->least_iteration / s->cholmod);
    tide_bench_seconds(table, stream);
    tide_bench_value(table, s->solve / stream);
    tide_bench_value(table, s->local / s->solve);
    tide_bench_seconds(table, twice / parts->cache);
    tide_bench_seconds(table, twice / parts->memory);
    tide_bench_text(table, s->precision);
    tide_bench_figure(&parts->report->figures, r->scene, "stream_cache_ms", 1e3 * twice / parts->cache, "ms");
    tide_bench_figure(&parts->report->figures, r->scene, "stream_memory_ms", 1e3 * twice / parts->memory, "ms");
}

static void add_frame_row(tide_bench_table *table, const tide_bench_result *r)
{
    const tide_bench_solve *s = &r->solve;
    tide_bench_text(table, r->scene);
    tide_bench_count(table, (uint64_t)tide_threads());
    tide_bench_value(table, r->iterations);
    tide_bench_seconds(table, r->frame);
    tide_bench_seconds(table, r->detect + r->respond);
    tide_bench_seconds(table, rest_of(r));
    tide_bench_seconds(table, r->draw > 0 ? r->draw : NAN);
    tide_bench_seconds(table, r->build);
    tide_bench_seconds(table, r->reload > 0 ? r->reload : NAN);
    tide_bench_seconds(table, s->analyse);
    tide_bench_seconds(table, s->factor);
    tide_bench_seconds(table, s->panels);
    tide_bench_value(table, (double)s->bytes * 1e-6);
    tide_bench_value(table, r->process * 1e-6);
}

static void add_update_row(tide_bench_table *table, const tide_bench_result *r)
{
    const tide_bench_updates *u = &r->updates;
    const double seconds[] = { r->solve.analyse, r->solve.factor, u->pin,      u->unpin,
                               u->cut,           u->stiffness,    u->timestep, u->added };
    tide_bench_text(table, r->scene);
    tide_bench_count(table, (uint64_t)tide_threads());
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++)
        tide_bench_seconds(table, seconds[i]);
    tide_bench_value(table, u->redone);
}

static void add_error_rows(tide_bench_table *table, const tide_bench_result *r)
{
    const tide_bench_errors *e = &r->errors;
    char gradient[24];
    snprintf(gradient, sizeof gradient, "%.1e", e->gradient);
    for (int m = 0; m < TIDE_BENCH_METHODS && e->reference[0]; m++) {
        tide_bench_text(table, r->scene);
        tide_bench_count(table, (uint64_t)tide_threads());
        tide_bench_text(table, tide_bench_methods[m]);
        for (int i = 0; i < TIDE_BENCH_ERRORS; i++) {
            tide_bench_seconds(table, e->seconds[m][i]);
            if (isfinite(e->seconds[m][i]))
                tide_bench_count(table, e->iterations[m][i]);
            else
                tide_bench_value(table, NAN);
        }
        tide_bench_value(table, e->seconds[m][1] / e->seconds[TIDE_BENCH_CHOLMOD][1]);
        tide_bench_text(table, e->reference);
        tide_bench_text(table, gradient);
    }
}

void tide_bench_add_parts(const tide_bench_parts *parts, const tide_bench_result *result)
{
    add_parts_row(parts, result);
    add_frame_row(parts->frames, result);
    add_error_rows(parts->errors, result);
    add_figures(&parts->report->figures, result);
    if (result->updates.pin > 0) { // measured
        add_update_row(parts->updates, result);
        add_updates(&parts->report->figures, result);
    }
}

// --- the mode --------------------------------------------------------------------------------------------------------

uint32_t tide_bench_thread_counts(const tide_arguments *arguments, int counts[2])
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    counts[0] = arguments->threads ? arguments->threads : 1;
    counts[1] = processors > 1 ? (int)processors : 1;
    return arguments->threads || counts[1] == 1 ? 1 : 2;
}

static tide_exit measure_scene(const tide_arguments *arguments, const char *path, const tide_bench_parts *parts)
{
    tide_exit worst = TIDE_EXIT_DONE;
    int counts[2];
    uint32_t count = tide_bench_thread_counts(arguments, counts);
    for (uint32_t i = 0; i < count && worst != TIDE_EXIT_USAGE; i++) {
        tide_bench_result result;
        tide_set_threads(counts[i]);
        tide_exit exit = tide_bench_scene(arguments, path, &result);
        if (exit == TIDE_EXIT_DONE)
            tide_bench_add_parts(parts, &result);
        worst = exit > worst ? exit : worst;
    }
    tide_set_threads(counts[0]);
    return worst;
}

tide_exit tide_bench_solves(const tide_arguments *arguments, tide_bench_parts *parts)
{
    static const char *const scenes[] = { "curtain", "hippo", "frog", "dog", "brush", "dress" };
    enum { SCENES = sizeof scenes / sizeof *scenes };
    tide_exit worst = TIDE_EXIT_DONE, exit;
    char path[TIDE_BENCH_PATH];
    for (uint32_t i = 0; i < arguments->subject_count && worst != TIDE_EXIT_USAGE;
         i++, worst = exit > worst ? exit : worst)
        exit = measure_scene(arguments, arguments->subjects[i], parts);
    for (uint32_t i = 0; !arguments->subject_count && i < SCENES && worst != TIDE_EXIT_USAGE; i++) {
        if (!tide_bench_find_scene("table1", scenes[i], path))
            return TIDE_EXIT_FAILED;
        exit = measure_scene(arguments, path, parts);
        worst = exit > worst ? exit : worst;
    }
    return worst;
}
