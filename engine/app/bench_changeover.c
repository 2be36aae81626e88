// How long a scene stands still when its script is run again with another stiffness: with the factor made at once, and
// with it left to the background (solve.background) where that pays.
#include "app/bench.h"

#include "base/clock.h"
#include "base/parallel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEPS_BEFORE = 4, MOST_STEPS = 60 };
static const char *const stiffer = "1.5";
static const double seconds_spent = 6; // of each choice; then no other change is begun

static tide_status timed_step(tide_script *script, double *seconds, tide_error *error)
{
    double start = tide_clock_seconds();
    tide_status status = tide_script_step(script, error);
    *seconds = tide_clock_seconds() - start;
    return status;
}

// Until a step is solved by the new factor alone. The first frame has the script's run in it.
static tide_status change_once(tide_script *script, const tide_script_options *options, tide_bench_changeover *c,
                               tide_error *error)
{
    tide_adoption adoption;
    bool pending = true;
    *c = (tide_bench_changeover) { .frame = c->frame };
    double start = tide_clock_seconds();
    tide_status status = tide_script_reload(script, options, &adoption, error);
    double before_step = tide_clock_seconds() - start;
    for (int i = 0; status == TIDE_OK && pending && i < MOST_STEPS; i++, before_step = 0) {
        double step;
        status = timed_step(script, &step, error);
        const tide_report *report = tide_world_report(tide_script_world(script));
        pending = report->factor_pending;
        c->longest = fmax(c->longest, before_step + step);
        c->lost += before_step + step - c->frame;
        c->meanwhile += pending ? step : 0;
        c->frames += pending;
        c->linear += report->linear_iterations;
    }
    c->meanwhile /= c->frames;
    return status;
}

tide_status tide_bench_measure_changeover(const char *path, const tide_script_options *growth, const char *background,
                                          uint32_t runs, tide_bench_changeover *best, tide_error *error)
{
    tide_script_options options = *growth;
    tide_setting settings[TIDE_BENCH_SETTINGS];
    uint32_t used = growth->setting_count;
    memcpy(settings, growth->settings, used * sizeof *settings);
    tide_bench_set(settings, &used, "background", background);
    tide_setting *stiffness = tide_bench_set(settings, &used, "stiffness", "1");
    options.settings = settings;
    options.setting_count = used;

    tide_script *script = NULL;
    tide_bench_changeover one = { .frame = INFINITY };
    tide_status status = tide_script_open(path, &options, &script, error);
    for (int i = 0; status == TIDE_OK && i < STEPS_BEFORE; i++) {
        double step;
        status = timed_step(script, &step, error);
        one.frame = fmin(one.frame, step);
    }
    *best = (tide_bench_changeover) { .longest = INFINITY };
    double end = tide_clock_seconds() + seconds_spent;
    for (uint32_t i = 0; status == TIDE_OK && i < runs && (i == 0 || tide_clock_seconds() < end); i++) {
        stiffness->value = i % 2 ? "1" : stiffer;
        status = change_once(script, &options, &one, error);
        if (status == TIDE_OK && one.longest < best->longest)
            *best = one;
    }
    tide_script_close(script);
    return status;
}

static const char *const columns[] = { "scene",   "threads",      "background", "frame_ms", "longest_ms",
                                       "lost_ms", "meanwhile_ms", "old_factor", "linear" };

tide_bench_table *tide_bench_begin_changeovers(tide_bench_report *report)
{
    return tide_bench_report_table(
        report,
        "a stiffness that becomes 1.5 times as much (solve.background); frame: before; longest: the longest frame "
        "until the new factor is in use, the first with the script's run; lost: what they all take more than so many "
        "before; old_factor: frames that went by it, meanwhile: what these take, linear: their conjugate gradients' "
        "iterations",
        columns, sizeof columns / sizeof *columns);
}

void tide_bench_add_changeover(tide_bench_table *table, tide_bench_figures *figures, const char *scene,
                               const char *background, const tide_bench_changeover *c)
{
    char name[48];
    tide_bench_text(table, scene);
    tide_bench_count(table, (uint64_t)tide_threads());
    tide_bench_text(table, background);
    tide_bench_seconds(table, c->frame);
    tide_bench_seconds(table, c->longest);
    tide_bench_seconds(table, c->lost);
    tide_bench_seconds(table, c->meanwhile);
    tide_bench_count(table, c->frames);
    tide_bench_count(table, c->linear);
    snprintf(name, sizeof name, "change_%s_longest_ms", background);
    tide_bench_figure(figures, scene, name, 1e3 * c->longest, "ms");
    snprintf(name, sizeof name, "change_%s_lost_ms", background);
    tide_bench_figure(figures, scene, name, 1e3 * c->lost, "ms");
    snprintf(name, sizeof name, "change_%s_meanwhile_ms", background);
    tide_bench_figure(figures, scene, name, 1e3 * c->meanwhile, "ms");
    snprintf(name, sizeof name, "change_%s_old_factor", background);
    tide_bench_figure(figures, scene, name, c->frames, "1");
}
