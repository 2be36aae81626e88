// `convergence`: runs a study of scripts/springtide/lab/ with the options of the command line.
#include "app/commands.h"
#include "session/output.h"
#include "session/picture.h"
#include "session/progress.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "script/laboratory.h"

#include <stdio.h>
#include <string.h>

typedef struct convergence_options {
    tide_scene_options scene;
    const char *mode; // NULL: the first
    const char *solvers, *sweep, *across, *folder;
    uint64_t frame, frames, iterations, halvings; // 0 when not given
    bool frames_given;
    tide_picture_size size; // of pictures
    uint64_t threads;
} convergence_options;

// --- pictures of scenes ----------------------------------------------------------------------------------------------

static tide_status create_picture(tide_script *scene, uint32_t width, uint32_t height, void **out, tide_error *error)
{
    tide_picture *picture = tide_allocate_zeroed(1, sizeof *picture);
    if (!picture)
        return tide_fail_memory(error, "picture");
    tide_status status = tide_picture_create(picture, scene, width, height, false, error);
    if (status == TIDE_OK)
        *out = picture;
    else
        tide_free(picture);
    return status;
}

static tide_status draw_picture(void *context, tide_script *scene, const tide_image **image, tide_error *error)
{
    tide_picture *picture = context;
    *image = &picture->image;
    return tide_picture_draw(picture, scene, true, error);
}

static void destroy_picture(void *picture)
{
    tide_picture_free(picture);
    tide_free(picture);
}

// --- running ---------------------------------------------------------------------------------------------------------

static tide_exit run_command(const char *const *subjects, void *given)
{
    convergence_options *options = given;
    const tide_script_options opening = tide_scene_script_options(&options->scene);
    const tide_laboratory lab = { .study = options->mode ? options->mode : "error",
                                  .scene = subjects[0],
                                  .folder = options->folder ? options->folder : "convergence",
                                  .options = &opening,
                                  .solvers = options->solvers,
                                  .sweep = options->sweep,
                                  .across = options->across,
                                  .frame = options->frame,
                                  .frames = options->frames_given ? &options->frames : NULL,
                                  .iterations = options->iterations,
                                  .halvings = options->halvings,
                                  .width = options->size.width,
                                  .height = options->size.height,
                                  .pictures = { create_picture, draw_picture, destroy_picture },
                                  .progress = tide_progress_note,
                                  .silence = tide_progress_silence,
                                  .make_folders = tide_make_folders };
    tide_lab_failure failure;
    tide_set_threads((int)options->threads); // for the steps that are timed
    tide_status status = tide_laboratory_run(&lab, &failure);
    tide_progress_silence(false);
    if (status == TIDE_OK)
        return TIDE_EXIT_DONE;
    fprintf(stderr, "springtide: %s\n", failure.message);
    return failure.refused || tide_is_about_setting(&options->scene, &failure.error) ? TIDE_EXIT_USAGE
                                                                                     : TIDE_EXIT_FAILED;
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
