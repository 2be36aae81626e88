// `sweep`: runs a scene with every combination of values, each in a process of its own, by
// scripts/springtide/commands/sweep.lua.
#include "app/commands.h"
#include "app/program.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/places.h"
#include "base/text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

typedef struct sweep_options {
    tide_scene_options scene;
    char *vary; // owned: a line for each --vary
    const char *points, *solvers, *measure, *folder;
    uint64_t frames, jobs, threads;
    double time_limit; // s; TIDE_NOT_GIVEN when not given
    int plot;
    bool slurm, collect;
    // of a process that takes one run
    uint64_t run, end; // `end`: the status with which the process of a run ended; 0 when not given
} sweep_options;

static const char *const plots[] = { "heatmap", "lines", NULL };

static double number(uint64_t value, bool given)
{
    return given ? (double)value : -1;
}

// What opens the scene in the process of each run: a word a line.
static void list_scene_options(const tide_scene_options *scene, tide_text *text)
{
    for (uint32_t i = 0; i < scene->settings.count; i++)
        tide_text_format(text, "--set\n%s=%s\n", scene->settings.items[i].name, scene->settings.items[i].value);
    if (scene->timestep > 0)
        tide_text_format(text, "--timestep\n%.17g\n", scene->timestep);
    if (scene->seed)
        tide_text_format(text, "--seed\n%llu\n", (unsigned long long)scene->seed);
    if (scene->portable)
        tide_text_format(text, "--portable\n");
    if (tide_given(scene->memory_limit))
        tide_text_format(text, "--memory-limit\n%.17g\n", scene->memory_limit);
}

static tide_exit run_command(const char *const *subjects, void *options)
{
    const sweep_options *o = options;
    TIDE_SCOPED_BY(tide_text_free) tide_text scene = { 0 }, folder = { 0 };
    char program[PATH_MAX];
    tide_error error;
    const char *out = o->folder ? o->folder : "sweep";
    list_scene_options(&o->scene, &scene);
    tide_text_format(&folder, "%s%s", out, o->run ? "/runs" : "");
    if (scene.failed || folder.failed) {
        tide_fail_memory(&error, "command line");
        return tide_report_error(&error);
    }
    tide_place_of_program(program, sizeof program);
    const tide_lab_option given[] = { { "program", program, -1 },
                                      { "out", out, -1 },
                                      { "vary", o->vary, -1 },
                                      { "points", o->points, -1 },
                                      { "solvers", o->solvers, -1 },
                                      { "measure", o->measure, -1 },
                                      { "scene_options", scene.length ? scene.bytes : "", -1 },
                                      { "frames", NULL, (double)o->frames },
                                      { "jobs", NULL, number(o->jobs, o->jobs) },
                                      { "threads", NULL, (double)o->threads },
                                      { "time_limit", NULL, tide_given(o->time_limit) ? o->time_limit : -1 },
                                      { "plot", o->plot ? plots[o->plot - 1] : NULL, -1 },
                                      { "slurm", o->slurm ? "yes" : NULL, -1 },
                                      { "collect", o->collect ? "yes" : NULL, -1 },
                                      { "run", NULL, number(o->run, o->run) },
                                      { "end", NULL, number(o->end, o->end) },
                                      { 0 } };
    tide_set_threads((int)o->threads);
    return tide_module_run("springtide.commands.sweep", subjects, given, &o->scene, folder.bytes);
}

// --- options ---------------------------------------------------------------------------------------------------------

static tide_status read_vary(const tide_option *option, const char *text, void *value, tide_error *error)
{
    char **vary = value;
    TIDE_SCOPED_BY(tide_text_free) tide_text lines = { 0 };
    if (!*text || strchr(text, '\n'))
        return TIDE_REFUSE_OPTION("expected NAME=A,B,C or NAME=A:B:COUNT, like stiffness=1:100:20:log");
    tide_text_format(&lines, "%s%s\n", *vary ? *vary : "", text);
    char *copy = lines.failed ? NULL : tide_copy_string(lines.bytes);
    if (!copy)
        return tide_fail_memory(error, "command line");
    tide_free(*vary);
    *vary = copy;
    return TIDE_OK;
}

static void free_vary(void *value)
{
    tide_free(*(char **)value);
}

#define AT(member) .offset = offsetof(sweep_options, member)
static const tide_option options[] = {
    { "--vary", "NAME=VALUES", "take each of these values; may be repeated: every combination is a run", read_vary,
      AT(vary), .release = free_vary },
    { "--points", "FILE.csv", "instead of --vary: a run for each row of this table, whose first line has the names",
      tide_option_text, AT(points), .expected = "the name of a table" },
    { "--solvers", "LIST", "the solvers, with commas between them; an item with = is an option of the one before it",
      tide_option_text, AT(solvers), .expected = "names with commas between them, like local_global,newton" },
    { "--frames", "N", "the length of a run", tide_option_whole, AT(frames), "120", .minimum = 1, .maximum = 1e9 },
    { "--measure", "FILE.lua", "what is measured (energies at the end); see scenes/solvers.md", tide_option_text,
      AT(measure), .expected = "the name of a Lua file" },
    { "--out", "DIR", "the folder of the sweep (sweep)", tide_option_text, AT(folder),
      .expected = "the name of a folder" },
    { "--jobs", "N", "take N runs at a time (as many as there are processors)", tide_option_whole, AT(jobs),
      .minimum = 1, .maximum = 4096 },
    { "--threads", "N", "use N threads in a run", tide_option_whole, AT(threads), "1", .minimum = 1, .maximum = 256 },
    { "--time-limit", "S", "end a run that takes longer than this, in s; it becomes a row with the reason",
      tide_option_number, AT(time_limit), .minimum = 0.01, .maximum = 1e7, .expected = "seconds from 0.01 to 1e7" },
    { "--plot", "heatmap|lines", "draw each measure by gnuplot: over two axes, or over the first", tide_option_choice,
      AT(plot), .choices = plots, .expected = "heatmap or lines" },
    { "--slurm", NULL, "submit the runs to Slurm as an array job", tide_option_switch, AT(slurm) },
    { "--collect", NULL, "write the tables of the runs that are done, and take none", tide_option_switch, AT(collect),
      .is_subject = true },
    { "--run", "N", "take run N of the folder of --out: what a sweep calls", tide_option_whole, AT(run), .minimum = 1,
      .maximum = 1e6, .is_subject = true },
    { "--end", "STATUS", "with --run: note that the process of this run has ended so", tide_option_whole, AT(end),
      .minimum = 1, .maximum = 255 },
    { .more = tide_scene_option_table },
};

const tide_command tide_command_sweep = {
    "sweep",
    "SCENE.lua",
    "run a scene with every combination of values, on all cores; tables and plots",

    "VALUES are A,B,C or A:B:COUNT, with :log in equal ratios; NAME is a parameter of the scene, timestep, or an "
    "option\n"
    "of the solvers. Each combination is a run in a process of its own (by GNU parallel). A row of DIR/sweep.csv has "
    "its\n"
    "values, its measures and how it ended; DIR/sweep.h5 has them too, with the series and the final states. A sweep\n"
    "that was stopped and is started again takes only the runs that are not done.",
    .options = options,
    .size = sizeof(sweep_options),
    .run = run_command
};
