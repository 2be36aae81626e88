#define _POSIX_C_SOURCE 200809L
#include "bench/bench.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "model/system.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

// The parts are measured in turn, again and again, so that other work of the machine slows all of them down alike.
typedef struct parts {
    const tide_system *system;
    double h;
    const double *x;
    tide_cholesky *fast, *reference;
    double *full, *b, *solution;          // (3 * particle_count) each
    double local, solve, cholmod, stream; // s; stream: of reading the factor twice, as a solve does
    double analyse, factor, panels;       // s
    tide_cholesky_info info;
} parts;

enum { IN_A_ROW = 4, LEAST_ROUNDS = 8 };
static const double seconds_a_run = 0.3;

// Processor time of this thread, to which other programs add nothing. With several threads the time of the clock.
static double now(bool serial)
{
    struct timespec time;
    if (!serial && tide_threads() > 1)
        return tide_clock_seconds();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// The clock of a thread may stand still for less than a microsecond when the thread is interrupted.
static void keep_least(double *least, double start, bool serial)
{
    double seconds = now(serial) - start;
    if (seconds > 0)
        *least = fmin(*least, seconds);
}

static tide_status measure_once(parts *p, tide_error *error)
{
    tide_status status = TIDE_OK;
    for (int i = 0; i < IN_A_ROW; i++) {
        double start = now(false);
        tide_system_objective_gradient(p->system, p->h, p->x, p->x, p->full);
        keep_least(&p->local, start, false);
    }
    for (int i = 0; i < IN_A_ROW && status == TIDE_OK; i++) {
        double start = now(false);
        status = tide_cholesky_solve(p->fast, 3, p->b, p->solution, error);
        keep_least(&p->solve, start, false);
    }
    for (int i = 0; i < IN_A_ROW && status == TIDE_OK; i++) {
        double start = now(true);
        status = tide_cholesky_solve(p->reference, 3, p->b, p->solution, error);
        keep_least(&p->cholmod, start, true);
    }
    for (int i = 0; i < IN_A_ROW && status == TIDE_OK; i++) {
        double start = now(true);
        tide_cholesky_read(p->fast);
        tide_cholesky_read(p->fast);
        keep_least(&p->stream, start, true);
    }
    return status;
}

static tide_status factor(parts *p, tide_solve_method method, tide_cholesky **cholesky, tide_error *error)
{
    tide_sparse matrix = { 0 };
    tide_status status = tide_cholesky_create(cholesky, error);
    if (status == TIDE_OK)
        status = tide_system_matrix(p->system, p->h, &matrix, error);
    if (status == TIDE_OK) {
        tide_cholesky_choose(*cholesky, method, 0);
        status = tide_cholesky_factor(*cholesky, &matrix, NULL, error);
    }
    if (status == TIDE_OK) // the first solve allocates memory
        status = tide_cholesky_solve(*cholesky, 3, p->b, p->solution, error);
    tide_sparse_free(&matrix);
    return status;
}

static tide_status measure(parts *p, uint32_t runs, tide_error *error)
{
    tide_system_objective_gradient(p->system, p->h, p->x, p->x, p->full);
    tide_system_gather(p->system, p->full, p->b);
    tide_status status = factor(p, TIDE_CHOLESKY_REFERENCE, &p->reference, error);
    p->analyse = p->factor = p->panels = INFINITY;
    for (uint32_t i = 0; i < runs && status == TIDE_OK; i++) {
        tide_cholesky_destroy(p->fast);
        p->fast = NULL;
        status = factor(p, TIDE_CHOLESKY_FAST, &p->fast, error);
        if (status != TIDE_OK)
            break;
        p->info = tide_cholesky_describe(p->fast);
        p->analyse = fmin(p->analyse, p->info.analyse_seconds);
        p->factor = fmin(p->factor, p->info.factor_seconds);
        p->panels = fmin(p->panels, p->info.trial_seconds);
    }
    p->local = p->solve = p->cholmod = p->stream = INFINITY;
    double end = tide_clock_seconds() + runs * seconds_a_run;
    for (int i = 0; status == TIDE_OK && (i < LEAST_ROUNDS || tide_clock_seconds() < end); i++)
        status = measure_once(p, error);
    return status;
}

static void print(const parts *p)
{
    double stream = p->info.panel_bytes ? p->stream : NAN; // CHOLMOD's solve reads no panels
    printf("vectors,text,%s\n", p->info.precision ? p->info.precision : "CHOLMOD");
    bench_print("local_ms", "ms", 1e3 * p->local);
    bench_print("solve_ms", "ms", 1e3 * p->solve);
    bench_print("cholmod_ms", "ms", 1e3 * p->cholmod);
    bench_print("stream_ms", "ms", 1e3 * stream);
    bench_print("analyse_ms", "ms", 1e3 * p->analyse);
    bench_print("factor_ms", "ms", 1e3 * p->factor);
    bench_print("panels_ms", "ms", 1e3 * p->panels);
    bench_print("nnz", "1", (double)p->info.nonzeros);
    bench_print("factor_mb", "MB", p->info.panel_bytes ? (double)p->info.panel_bytes * 1e-6 : NAN);
}

tide_status bench_solve(tide_world *world, uint32_t runs, tide_error *error)
{
    parts p = { .h = tide_world_get_settings(world)->timestep };
    tide_status status = tide_world_system(world, &p.system, error);
    if (status != TIDE_OK)
        return status;
    if (p.system->free_count == 0)
        return tide_fail(error, TIDE_ERROR_STATE, "bench", NULL, NULL, "the scene has no particle that may move");
    p.x = tide_world_all_positions(world);
    p.full = tide_allocate_zeroed(p.system->particle_count, 3 * sizeof *p.full);
    p.b = tide_allocate_zeroed(p.system->particle_count, 3 * sizeof *p.b);
    p.solution = tide_allocate_zeroed(p.system->particle_count, 3 * sizeof *p.solution);
    status = p.full && p.b && p.solution ? measure(&p, runs, error) : tide_fail_memory(error, "bench");
    if (status == TIDE_OK)
        print(&p);
    tide_cholesky_destroy(p.fast);
    tide_cholesky_destroy(p.reference);
    tide_free(p.full);
    tide_free(p.b);
    tide_free(p.solution);
    return status;
}
