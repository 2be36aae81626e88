#include "bench/bench.h"

#include "base/clock.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Larger factors would take minutes: of their scenes the parts of an iteration are as the solver reports them.
enum { MOST_NONZEROS = 10000000, MEMORY_STEPS = 3, RELOADS = 5 };

typedef struct frames {
    double first, best; // s; best: of those after the first
    double local, global, linear_iterations, iterations;
    double iteration; // s, of the frame in which an iteration takes least
    double process;   // bytes, the most memory that the process had until step MEMORY_STEPS
} frames;

// The largest size of the process since its start, in bytes; NAN where the system does not tell.
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

static tide_status step(tide_script *script, double *seconds, tide_error *error)
{
    tide_status status = tide_script_update(script, error);
    double start = tide_clock_seconds();
    if (status == TIDE_OK)
        status = tide_world_step(tide_script_world(script), error);
    *seconds = tide_clock_seconds() - start;
    return status;
}

// The first step prepares the solver. Of those after it the fastest counts.
static tide_status measure_frames(tide_script *script, uint32_t count, frames *f, tide_error *error)
{
    *f = (frames) { .best = INFINITY, .iteration = INFINITY };
    tide_status status = step(script, &f->first, error);
    for (uint32_t i = 0; status == TIDE_OK && i < count; i++) {
        double seconds;
        status = step(script, &seconds, error);
        const tide_report *r = tide_world_report(tide_script_world(script));
        double iterations = fmax(r->iterations, 1);
        f->iteration = fmin(f->iteration, (r->local_seconds + r->global_seconds) / iterations);
        if (i + 2 <= MEMORY_STEPS)
            f->process = process_peak();
        if (seconds >= f->best)
            continue;
        f->best = seconds;
        f->local = r->local_seconds / iterations;
        f->global = r->global_seconds / iterations;
        f->iterations = r->iterations;
        f->linear_iterations = r->linear_iterations;
    }
    return status;
}

// Reloads an unchanged script: bodies and the factor stay.
static tide_status measure_reload(tide_script *script, tide_error *error)
{
    tide_reconciliation reconciliation;
    tide_status status = TIDE_OK;
    double best = INFINITY;
    for (int i = 0; i < RELOADS && status == TIDE_OK; i++) {
        double start = tide_clock_seconds();
        status = tide_script_reload(script, NULL, &reconciliation, error);
        best = fmin(best, tide_clock_seconds() - start);
    }
    bench_print("reload_ms", "ms", 1e3 * best);
    return status;
}

static void print_frames(tide_world *world, const frames *f)
{
    uint32_t springs = 0;
    for (uint32_t i = 0; i < tide_world_body_count(world); i++) {
        tide_body_info info;
        if (tide_world_body_info(world, tide_world_body_at(world, i), &info))
            springs += info.spring_count;
    }
    bench_print("vertices", "1", tide_world_particle_count(world));
    bench_print("springs", "1", springs);
    bench_print("prepare_ms", "ms", 1e3 * (f->first - f->best));
    bench_print("step_ms", "ms", 1e3 * f->best);
    bench_print("iterations", "1", f->iterations);
    bench_print("iteration_ms", "ms", f->iteration > 0 ? 1e3 * f->iteration : NAN);
    bench_print("linear_iterations", "1", f->linear_iterations);
    bench_print("memory_mb", "MB", (double)tide_memory_count().bytes * 1e-6);
    bench_print("process_mb", "MB", f->process * 1e-6);
}

static tide_status measure(tide_script *script, const bench_plan *plan, tide_error *error)
{
    frames f;
    tide_world *world = tide_script_world(script);
    tide_status status = measure_frames(script, plan->frames, &f, error);
    if (status != TIDE_OK)
        return status;
    print_frames(world, &f);
    tide_cholesky_info info = tide_solver_describe(tide_world_solver(world));
    printf("solved,text,%s\n", info.precision ? info.precision : info.factorizations ? "CHOLMOD" : "-");
    if (info.method != TIDE_CHOLESKY_ITERATIVE && info.nonzeros <= MOST_NONZEROS) {
        status = bench_solve(world, plan->runs, error);
        if (status == TIDE_OK)
            status = bench_updates(world, plan->runs, error);
    } else {
        bench_print("nnz", "1", info.method == TIDE_CHOLESKY_ITERATIVE ? NAN : (double)info.nonzeros);
        bench_print("analyse_ms", "ms", 1e3 * info.analyse_seconds);
        bench_print("factor_ms", "ms", 1e3 * info.factor_seconds);
        bench_print("local_ms", "ms", 1e3 * f.local);
        bench_print("solve_ms", "ms", 1e3 * f.global);
    }
    return status == TIDE_OK ? measure_reload(script, error) : status;
}

tide_status bench_scene(const bench_plan *plan, tide_error *error)
{
    tide_script *script = NULL;
    double start = tide_clock_seconds();
    tide_status status = tide_script_open(plan->scene, &plan->options, &script, error);
    double seconds = tide_clock_seconds() - start;
    if (status == TIDE_OK) {
        bench_print("build_ms", "ms", 1e3 * seconds);
        status = measure(script, plan, error);
    }
    tide_script_close(script);
    return status;
}
