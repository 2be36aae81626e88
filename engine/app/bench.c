// `bench`: measures scenes by scripts/springtide/commands/bench.lua.
#include "app/commands.h"
#include "app/program.h"

#include "base/parallel.h"

#include <stddef.h>

// The runs of a scene: `warm_up` frames that do not count, then `frames` frames, `runs` times.
typedef struct bench_options {
    tide_scene_options scene;
    tide_solver_list solvers; // the last one replaces the scene's own
    uint64_t frames, warm_up, runs, threads;
    const char *csv, *markdown; // files to write; NULL: none
} bench_options;

static tide_exit run_command(const char *const *subjects, void *options)
{
    const bench_options *o = options;
    const tide_lab_option given[] = { { "solver", o->solvers.count ? o->solvers.items[o->solvers.count - 1].text : NULL,
                                        -1 },
                                      { "frames", NULL, (double)o->frames },
                                      { "warm_up", NULL, (double)o->warm_up },
                                      { "runs", NULL, (double)o->runs },
                                      { "threads", NULL, (double)o->threads },
                                      { "csv", o->csv, -1 },
                                      { "markdown", o->markdown, -1 },
                                      { 0 } };
    tide_set_threads((int)o->threads); // single-threaded by default, as in papers
    return tide_module_run("springtide.commands.bench", subjects, given, &o->scene, NULL);
}

#define AT(member) .offset = offsetof(bench_options, member)
static const tide_option options[] = {
    { "--frames", "N", "average over N frames", tide_option_whole, AT(frames), "60", .minimum = 1, .maximum = 1e9 },
    { "--warm-up", "N", "skip N frames before measuring", tide_option_whole, AT(warm_up), "30", .maximum = 1e9 },
    { "--runs", "N", "measure those frames N times and show the best run", tide_option_whole, AT(runs), "3",
      .minimum = 1, .maximum = 1000 },
    { "--threads", "N", "use N threads", tide_option_whole, AT(threads), "1", .minimum = 1, .maximum = 256 },
    { "--solver", "NAME[,key=value...]", "use this solver, not the scene's", tide_option_solver, AT(solvers),
      .release = tide_solver_list_free },
    { "--csv", "FILE", "write the table as CSV", tide_option_text, AT(csv) },
    { "--markdown", "FILE", "write the table as Markdown", tide_option_text, AT(markdown) },
    { .more = tide_scene_option_table },
};

const tide_command tide_command_bench = {
    "bench",
    "SCENE.lua ...",
    "measure how long the phases of a step take: a table of milliseconds",

    "A row for each scene: the local and the global steps of a frame, contact detection and response, the whole\n"
    "frame, a picture, and the factorisation at the start. All times of a frame are those of the run that takes\n"
    "least by the clock; median_ms is the frame of the median run. processor_ms is the processor time of a frame\n"
    "over all threads, the least of all runs. draw_ms is that of a picture of 1280 x 720 by the software "
    "renderer.\n"
    "Before each run the program does a fixed piece of work, the reference. The ratio of a frame to it compares\n"
    "machines, and it changes when other programs use this one.\n"
    "tests/bench/run.sh prints further tables: Table 1 of Liu et al. 2013, the parts of an iteration, growth with\n"
    "the size of a scene, errors against time, broad phases.",
    .also = "tests/bench/run.sh --help",
    .options = options,
    .size = sizeof(bench_options),
    .run = run_command
};
