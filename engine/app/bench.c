// `bench`: measures scenes by scripts/springtide/commands/bench.lua.
#include "app/commands.h"
#include "app/program.h"

#include "base/parallel.h"
#include "base/processor.h"

#include <stddef.h>

// The runs of a scene: `warm_up` frames that do not count, then `frames` frames, `runs` times.
typedef struct bench_options {
    tide_scene_options scene;
    tide_solver_list solvers; // the last one replaces the scene's own
    uint64_t frames, warm_up, runs, threads;
    int vectors; // largest vector width: 1: 128 bits, 2: 256, 3: 512; 0: the processor's own
    bool contact, frames_given, warm_up_given;
    uint64_t vertices;                   // 0: not given
    const char *csv, *markdown, *folder; // files to write, and their folder; NULL: none
} bench_options;

static double number(uint64_t value, bool given)
{
    return given ? (double)value : -1;
}

static tide_exit run_command(const char *const *subjects, void *options)
{
    const bench_options *o = options;
    const tide_lab_option given[] = { { "solver", o->solvers.count ? o->solvers.items[o->solvers.count - 1].text : NULL,
                                        -1 },
                                      { "frames", NULL, number(o->frames, !o->contact || o->frames_given) },
                                      { "warm_up", NULL, number(o->warm_up, !o->contact || o->warm_up_given) },
                                      { "runs", NULL, (double)o->runs },
                                      { "threads", NULL, (double)o->threads },
                                      { "contact", o->contact ? "yes" : NULL, -1 },
                                      { "vertices", NULL, number(o->vertices, o->vertices) },
                                      { "csv", o->csv, -1 },
                                      { "markdown", o->markdown, -1 },
                                      { 0 } };
    tide_vector_bits_limit(o->vectors ? 64 << o->vectors : 0);
    tide_set_threads((int)o->threads); // single-threaded by default, as in papers
    return tide_module_run("springtide.commands.bench", subjects, given, &o->scene, o->folder);
}

#define AT(member) .offset = offsetof(bench_options, member)
static const char *const widths[] = { "128", "256", "512", NULL };
static const tide_option options[] = {
    { "--frames", "N", "average over N frames", tide_option_whole, AT(frames), "60", .minimum = 1, .maximum = 1e9,
      .given = offsetof(bench_options, frames_given) },
    { "--warm-up", "N", "skip N frames before measuring", tide_option_whole, AT(warm_up), "30", .maximum = 1e9,
      .given = offsetof(bench_options, warm_up_given) },
    { "--runs", "N", "measure those frames N times and show the best run", tide_option_whole, AT(runs), "3",
      .minimum = 1, .maximum = 1000 },
    { "--threads", "N", "use N threads", tide_option_whole, AT(threads), "1", .minimum = 1, .maximum = 256 },
    { "--vectors", "BITS", "use vectors of at most 128, 256 or 512 bits", tide_option_choice, AT(vectors),
      .choices = widths, .expected = "128, 256 or 512" },
    { "--solver", "NAME[,key=value...]", "use this solver, not the scene's", tide_option_solver, AT(solvers),
      .release = tide_solver_list_free },
    { "--contact", NULL, "measure the phases of contact, for scenes of several sizes", tide_option_switch, AT(contact),
      .is_subject = true },
    { "--vertices", "N", "with --contact: sizes of at most N vertices (20000; layers 6200)", tide_option_whole,
      AT(vertices), .minimum = 100, .maximum = 1e7 },
    { "--out", "DIR", "with --contact: the folder for its tables and its plot", tide_option_text, AT(folder),
      .expected = "the name of a folder" },
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
    "With --contact the words are names among layers, pulled, heap, hair, sphere, dress, drape, tablecloth, "
    "softstack,\n"
    "scene_hair, skin and knot, or scene files; without words it measures all of these. --vertices 1000000 takes\n"
    "hours. --frames (3) and --warm-up (as many as it takes until things touch) have other defaults then. Columns:\n"
    "  n, count       vertices of a cloth's side; layers, bodies or hairs\n"
    "  vertices       of all bodies\n"
    "  searches       for near pairs in a step; a part of the points may be searched again\n"
    "  candidates     pairs of points, edges and triangles whose boxes overlap and that a first test leaves, in the\n"
    "                 searches of a step\n"
    "  swept          the same of continuous collision, over the whole motion\n"
    "  near           pairs that the last search of the step has kept, because they may touch\n"
    "  contacts       points and pairs that carry a force at its end\n"
    "  step_us        time of the clock a vertex and step, in the best run, of which:\n"
    "  broad_us       trees of boxes, their queries, first tests of pairs and against colliders, motion bounds, lists\n"
    "  narrow_us      distances of the candidates, by a sample of every 61st point or edge\n"
    "  continuous_us  continuous collision: search, times of impact, impulses and impact zones\n"
    "  response_us    impulses, with the gaps of near pairs and colliders that they depend on\n"
    "  solver_us      local and global steps\n"
    "  rest_us        the rest, such as copies, motion, and energies\n"
    "  processor_us   processor's time of all threads a vertex and step\n"
    "  memory_mb      what the scene holds; memory_kb: of it for a vertex\n"
    "  crossings      the most after a measured step, by the certificate (see run --certify); allowed: further ones,\n"
    "                 of things that the scene lets pass or holds. Their search is in no time of this table\n"
    "The table of growth has b of time = vertices^b (memory likewise) over the sizes of a series. --out writes\n"
    "contact.csv, contact_growth.csv, contact.md and the plot contact.png with its script contact.gnuplot.\n"
    "tests/bench/run.sh prints further tables: Table 1 of Liu et al. 2013, the parts of an iteration, growth with\n"
    "the size of a scene, errors against time, broad phases.",
    .also = "tests/bench/run.sh --help",
    .options = options,
    .size = sizeof(bench_options),
    .run = run_command
};
