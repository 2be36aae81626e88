// `convergence`: runs a study of scripts/springtide/lab/ with the options of the command line.
#include "app/commands.h"
#include "app/program.h"

#include "base/parallel.h"

typedef struct convergence_options {
    tide_scene_options scene;
    const char *mode; // NULL: the first
    const char *solvers, *sweep, *across, *folder;
    uint64_t frame, frames, iterations, halvings; // 0 when not given
    bool frames_given;
    tide_picture_size size; // of pictures
    uint64_t threads;
} convergence_options;

static double number(uint64_t value, bool given)
{
    return given ? (double)value : -1;
}

static tide_exit run_command(const char *const *subjects, void *options)
{
    const convergence_options *o = options;
    const tide_lab_option given[] = { { "study", o->mode ? o->mode : "error", 0 },
                                      { "solvers", o->solvers, -1 },
                                      { "sweep", o->sweep, -1 },
                                      { "across", o->across, -1 },
                                      { "frame", NULL, number(o->frame, o->frame) },
                                      { "frames", NULL, number(o->frames, o->frames_given) },
                                      { "iterations", NULL, number(o->iterations, o->iterations) },
                                      { "halvings", NULL, number(o->halvings, o->halvings) },
                                      { "width", NULL, number(o->size.width, o->size.width) },
                                      { "height", NULL, number(o->size.height, o->size.height) },
                                      { 0 } };
    tide_set_threads((int)o->threads); // for the steps that are timed
    return tide_module_run("springtide.lab.command", subjects, given, &o->scene, o->folder ? o->folder : "convergence");
}

// --- options ---------------------------------------------------------------------------------------------------------

static tide_status read_mode(const tide_option *option, const char *text, void *value, tide_error *error)
{
    const char **mode = value;
    if (*mode)
        return TIDE_REFUSE_OPTION("expected one of --%s and %s", *mode, option->name);
    *mode = option->name + 2;
    return TIDE_OK;
}

#define AT(member) .offset = offsetof(convergence_options, member)
static const tide_option options[] = {
    { "--error", NULL, "error against iterations and seconds (this is what it does without such an option)", read_mode,
      AT(mode) },
    { "--order", NULL, "error against the timestep, with the order that it shows", read_mode, AT(mode) },
    { "--stability", NULL, "a map over --sweep and --across of where a solver is stable, with the theory's line",
      read_mode, AT(mode) },
    { "--cost", NULL, "seconds of computing for a simulated second, with particles, k0 and iterations", read_mode,
      AT(mode) },
    { "--pictures", NULL, "the scene after --frame under each solver, side by side as one picture", read_mode,
      AT(mode) },
    { "--velocities", NULL,
      "velocities of the first body in time, as colours, and their spectrum over its grid at --frame", read_mode,
      AT(mode) },
    { "--solvers", "LIST", "the solvers, with commas between them; an item with = is an option of the one before it",
      tide_option_text, AT(solvers), .expected = "names with commas between them, like local_global,newton" },
    { "--frame", "N", "measure the step to this frame (30)", tide_option_whole, AT(frame), .minimum = 1,
      .maximum = 1e9 },
    { "--frames", "N", "average over N frames; with --order and --stability the length of a run", tide_option_whole,
      AT(frames), .maximum = 1e9, .given = offsetof(convergence_options, frames_given) },
    { "--iterations", "N", "go up to N iterations (100)", tide_option_whole, AT(iterations), .minimum = 1,
      .maximum = 1e6 },
    { "--halvings", "N", "with --order: halve the timestep N times (6)", tide_option_whole, AT(halvings), .minimum = 1,
      .maximum = 20 },
    { "--sweep", "NAME=VALUES", "measure for each of these values; the map's horizontal axis", tide_option_text,
      AT(sweep), .expected = "NAME=A,B,C or NAME=A:B:COUNT" },
    { "--across", "NAME=VALUES", "the map's vertical axis", tide_option_text, AT(across),
      .expected = "NAME=A,B,C or NAME=A:B:COUNT" },
    { "--out", "DIR", "the folder that tables and pictures go to (convergence)", tide_option_text, AT(folder),
      .expected = "the name of a folder" },
    { "--size", "WxH", "with --pictures: size of each, in pixels (320x360)", tide_option_size, AT(size) },
    { "--threads", "N", "use N threads", tide_option_whole, AT(threads), "1", .minimum = 1, .maximum = 256 },
    { .more = tide_scene_option_table },
};

const tide_command tide_command_convergence = {
    "convergence",
    "SCENE.lua",
    "measure solvers on a scene: errors, orders, stability; tables and pictures",

    "From the state before the step to --frame, every solver takes that step with more and more iterations. Its "
    "error\n"
    "is that of Liu et al. 2013, eq. 15: (g(x) - g(x*)) / (g(y) - g(x*)), where x* is the minimum by Newton's "
    "method.\n"
    "`--solvers local_global,newton,linear=pcg` are two solvers, the second with an option. VALUES are A,B,C or\n"
    "A:B:COUNT, with :log in equal ratios; NAME is a parameter of the scene, timestep, or an option of the "
    "solvers.",
    .options = options,
    .size = sizeof(convergence_options),
    .run = run_command
};
