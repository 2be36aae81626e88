// `bench --solve`: what an iteration of scenes is made of, the solve with CHOLMOD's beside it in the same run.
#define _POSIX_C_SOURCE 200809L
#include "app/bench.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "model/system.h"

#include <errno.h>
#include <inttypes.h>
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

static void keep_least(double *least, double start, bool serial)
{
    *least = fmin(*least, now(serial) - start);
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

typedef struct figure {
    char scene[64], name[32], unit[8];
    int threads;
    double value, before; // before: NAN when there is none to compare with
} figure;

typedef struct figures {
    figure *list;
    size_t count, capacity;
    bool failed;
} figures;

static void add_figure(figures *f, const char *scene, const char *name, double value, const char *unit)
{
    if (isnan(value))
        return;
    if (f->failed || !tide_grow(&f->list, &f->capacity, f->count + 1, sizeof *f->list)) {
        f->failed = true;
        return;
    }
    figure *added = &f->list[f->count++];
    *added = (figure) { .threads = tide_threads(), .value = value, .before = NAN };
    snprintf(added->scene, sizeof added->scene, "%s", scene);
    snprintf(added->name, sizeof added->name, "%s", name);
    snprintf(added->unit, sizeof added->unit, "%s", unit);
}

static void add_figures(figures *f, const tide_bench_result *r)
{
    const tide_bench_solve *s = &r->solve;
    const struct {
        const char *name;
        double value;
        const char *unit;
    } list[] = {
        { "solve_ms", 1e3 * s->solve, "ms" },
        { "cholmod_ms", 1e3 * s->cholmod, "ms" },
        { "stream_ms", 1e3 * s->stream, "ms" },
        { "local_ms", 1e3 * s->local, "ms" },
        { "solve_of_cholmod", s->solve / s->cholmod, "1" },
        { "solve_of_stream", s->solve / s->stream, "1" },
        { "local_of_solve", s->local / s->solve, "1" },
        { "iteration_ms", 1e3 * r->iteration, "ms" },
        { "collision_ms", 1e3 * (r->detect + r->respond), "ms" },
        { "frame_ms", 1e3 * r->frame, "ms" },
        { "processor_ms", 1e3 * r->processor, "ms" },
        { "analyse_ms", 1e3 * s->analyse, "ms" },
        { "factor_ms", 1e3 * s->factor, "ms" },
        { "panels_ms", 1e3 * s->panels, "ms" },
        { "vertices", r->vertices, "1" },
        { "springs", r->springs, "1" },
        { "nnz", (double)s->nonzeros, "1" },
        { "memory_mb", (double)s->bytes * 1e-6, "MB" },
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        add_figure(f, r->scene, list[i].name, list[i].value, list[i].unit);
}

static const char *const columns[] = { "scene",        "threads",    "nnz",       "solve_ms",  "cholmod_ms",
                                       "of_cholmod",   "stream_ms",  "of_stream", "local_ms",  "of_solve",
                                       "iteration_ms", "analyse_ms", "factor_ms", "panels_ms", "collision_ms",
                                       "frame_ms",     "memory_mb",  "vectors" };

static void add_row(tide_bench_table *table, const tide_bench_result *r)
{
    const tide_bench_solve *s = &r->solve;
    tide_bench_text(table, r->scene);
    tide_bench_count(table, (uint64_t)tide_threads());
    tide_bench_count(table, s->nonzeros);
    tide_bench_seconds(table, s->solve);
    tide_bench_seconds(table, s->cholmod);
    tide_bench_value(table, s->solve / s->cholmod);
    tide_bench_seconds(table, s->stream);
    tide_bench_value(table, s->solve / s->stream);
    tide_bench_seconds(table, s->local);
    tide_bench_value(table, s->local / s->solve);
    tide_bench_seconds(table, r->iteration);
    tide_bench_seconds(table, s->analyse);
    tide_bench_seconds(table, s->factor);
    tide_bench_seconds(table, s->panels);
    tide_bench_seconds(table, r->detect + r->respond);
    tide_bench_seconds(table, r->frame);
    tide_bench_value(table, (double)s->bytes * 1e-6);
    tide_bench_text(table, s->precision);
}

static void write_csv(const figures *f, tide_text *to)
{
    tide_text_format(to, "scene,threads,figure,value,unit\n");
    for (size_t i = 0; i < f->count; i++)
        tide_text_format(to, "%s,%d,%s,%.9g,%s\n", f->list[i].scene, f->list[i].threads, f->list[i].name,
                         f->list[i].value, f->list[i].unit);
}

// --- against an earlier run ------------------------------------------------------------------------------------------

static tide_status read_before(const char *path, figures *before, tide_error *error)
{
    char line[256];
    FILE *file = fopen(path, "r");
    if (!file)
        return tide_fail(error, TIDE_ERROR_FILE, "command line", "--compare", path, "cannot be read: %s",
                         strerror(errno));
    tide_status status = TIDE_OK;
    for (int number = 1; status == TIDE_OK && fgets(line, sizeof line, file); number++) {
        figure one = { 0 };
        bool heading = number == 1 && strcmp(line, "scene,threads,figure,value,unit\n") == 0;
        int read = sscanf(line, "%63[^,\n],%d,%31[^,\n],%lf,%7[^,\n]", one.scene, &one.threads, one.name, &one.value,
                          one.unit);
        if ((number == 1) != heading || (!heading && (read != 5 || !isfinite(one.value))))
            status = tide_fail(error, TIDE_ERROR_FILE, "command line", "--compare", path,
                               "line %d is not one of a table that `bench --solve --csv` wrote", number);
        else if (!heading && !tide_grow(&before->list, &before->capacity, before->count + 1, sizeof *before->list))
            status = tide_fail_memory(error, "bench");
        else if (!heading)
            before->list[before->count++] = one;
    }
    if (status == TIDE_OK && before->count == 0)
        status = tide_fail(error, TIDE_ERROR_FILE, "command line", "--compare", path, "there are no figures in it");
    fclose(file);
    return status;
}

static const figure *find_figure(const figures *f, const figure *like)
{
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->list[i].scene, like->scene) == 0 && f->list[i].threads == like->threads &&
            strcmp(f->list[i].name, like->name) == 0)
            return &f->list[i];
    return NULL;
}

static void compare(const tide_arguments *arguments, const figures *before, const figures *found,
                    tide_bench_table *table)
{
    static const char *const heads[] = { "scene", "threads", "figure", "unit", "before", "now", "change_%" };
    tide_bench_table_begin(table, heads, sizeof heads / sizeof *heads);
    snprintf(table->about[0], sizeof table->about[0], "\nagainst %s:", arguments->compared_with);
    for (size_t i = 0; i < found->count; i++) {
        const figure *f = &found->list[i], *old = find_figure(before, f);
        if (!old)
            continue;
        tide_bench_text(table, f->scene);
        tide_bench_count(table, (uint64_t)f->threads);
        tide_bench_text(table, f->name);
        tide_bench_text(table, f->unit);
        tide_bench_value(table, old->value);
        tide_bench_value(table, f->value);
        tide_bench_value(table, old->value == 0 ? NAN : 100 * (f->value / old->value - 1));
    }
}

// --- the mode --------------------------------------------------------------------------------------------------------

static tide_exit measure_scene(const tide_arguments *arguments, const char *path, tide_bench_table *table, figures *f)
{
    tide_exit worst = TIDE_EXIT_DONE;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int counts[2] = { arguments->threads ? arguments->threads : 1, processors > 1 ? (int)processors : 1 };
    int last = arguments->threads || counts[1] == 1 ? 1 : 2;
    for (int i = 0; i < last && worst != TIDE_EXIT_USAGE; i++) {
        tide_bench_result result;
        tide_set_threads(counts[i]);
        tide_exit exit = tide_bench_scene(arguments, path, &result);
        if (exit == TIDE_EXIT_DONE) {
            add_row(table, &result);
            add_figures(f, &result);
        }
        worst = exit > worst ? exit : worst;
    }
    return worst;
}

static tide_exit measure_scenes(const tide_arguments *arguments, tide_bench_table *table, figures *f)
{
    static const char *const scenes[] = { "curtain", "hippo", "frog", "dog" };
    tide_exit worst = TIDE_EXIT_DONE, exit;
    char path[TIDE_BENCH_PATH];
    for (uint32_t i = 0; i < arguments->subject_count && worst != TIDE_EXIT_USAGE;
         i++, worst = exit > worst ? exit : worst)
        exit = measure_scene(arguments, arguments->subjects[i], table, f);
    for (uint32_t i = 0; !arguments->subject_count && i < 4 && worst != TIDE_EXIT_USAGE; i++) {
        if (!tide_bench_find_scene("table1", scenes[i], path))
            return TIDE_EXIT_FAILED;
        exit = measure_scene(arguments, path, table, f);
        worst = exit > worst ? exit : worst;
    }
    return worst;
}

static tide_exit run(const tide_arguments *arguments, const figures *before, figures *found)
{
    tide_bench_table table;
    tide_text csv = { 0 };
    tide_bench_table_begin(&table, columns, sizeof columns / sizeof *columns);
    tide_bench_tell_runs(&table, arguments);
    snprintf(table.about[0] + strcspn(table.about[0], ";"), sizeof table.about[0] - strcspn(table.about[0], ";"),
             "; solve, CHOLMOD's (with copying in and out), reading the factor twice, and the gradient: each at its "
             "best, in turn, by the processor's clock where one thread works");
    tide_exit exit = measure_scenes(arguments, &table, found);
    if (arguments->csv)
        write_csv(found, &csv);
    table.failed = table.failed || found->failed || csv.failed;
    table.csv = csv.bytes;
    exit = tide_bench_table_end(&table, arguments, exit);
    tide_text_free(&csv);
    if (exit != TIDE_EXIT_USAGE && arguments->compared_with) {
        tide_arguments plain = *arguments;
        plain.csv = plain.markdown = NULL;
        compare(arguments, before, found, &table);
        exit = tide_bench_table_end(&table, &plain, exit);
    }
    return exit;
}

tide_exit tide_bench_solves(const tide_arguments *arguments)
{
    figures before = { 0 }, found = { 0 };
    tide_error error;
    tide_exit exit = TIDE_EXIT_USAGE;
    if (arguments->compared_with && read_before(arguments->compared_with, &before, &error) != TIDE_OK)
        tide_report_error(&error);
    else
        exit = run(arguments, &before, &found);
    tide_free(before.list);
    tide_free(found.list);
    return exit;
}
