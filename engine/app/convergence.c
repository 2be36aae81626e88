// `convergence`: runs a study of scripts/springtide/lab/ with the options of the command line.
#include "app/commands.h"
#include "session/output.h"
#include "session/picture.h"
#include "session/progress.h"
#include "session/study.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "script/laboratory.h"

#include <stdio.h>
#include <string.h>

typedef struct convergence_options {
    tide_study_request study; // begins with the scene's options
    const char *mode;         // for tide_study_mode_find; NULL: the first
    uint64_t threads;
} convergence_options;

#define MODE(name, help, frames, solvers, sweep, across, takes) { #name, help, frames, solvers, sweep, across, takes },
static const tide_study_mode modes[] = { TIDE_STUDY_MODES(MODE) };

const tide_study_mode *tide_study_mode_find(const char *name)
{
    for (size_t i = 0; name && i < sizeof modes / sizeof modes[0]; i++)
        if (strcmp(modes[i].name, name) == 0)
            return &modes[i];
    return &modes[0];
}

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

static tide_lab_axis axis_of(const tide_study_axis *axis)
{
    static const char *const kinds[] = {
        [TIDE_STUDY_PARAM] = "parameter", [TIDE_STUDY_TIMESTEP] = "timestep", [TIDE_STUDY_OPTION] = "option"
    };
    return (tide_lab_axis) { axis->name,   axis->label, axis->column,     kinds[axis->of],
                             axis->values, axis->count, axis->logarithmic };
}

static tide_status run(const tide_study *study, const tide_study_mode *mode, bool *refused)
{
    char message[1200];
    const tide_script_options options = tide_scene_script_options(&study->request->scene);
    const char **solvers = tide_allocate_array(study->solver_count, sizeof *solvers);
    tide_error error;
    if (!solvers) {
        tide_fail_memory(&error, "study");
        tide_report_error(&error);
        return error.status;
    }
    for (uint32_t i = 0; i < study->solver_count; i++)
        solvers[i] = study->solvers[i].text;
    const tide_laboratory lab = { .study = mode->name,
                                  .scene = study->scene,
                                  .folder = study->folder,
                                  .options = &options,
                                  .solvers = solvers,
                                  .solver_count = study->solver_count,
                                  .sweep = axis_of(&study->sweep),
                                  .across = axis_of(&study->across),
                                  .frame = study->frame,
                                  .frames = study->frames,
                                  .iterations = (uint32_t)study->iterations,
                                  .halvings = (uint32_t)study->halvings,
                                  .width = study->request->size.width,
                                  .height = study->request->size.height,
                                  .pictures = { create_picture, draw_picture, destroy_picture },
                                  .progress = tide_progress_note,
                                  .silence = tide_progress_silence,
                                  .make_folders = tide_make_folders };
    tide_status status = tide_laboratory_run(&lab, message, sizeof message, refused);
    tide_progress_silence(false);
    if (status != TIDE_OK)
        fprintf(stderr, "springtide: %s\n", message);
    tide_free(solvers);
    return status;
}

static tide_exit run_command(const char *const *subjects, void *given)
{
    convergence_options *options = given;
    const tide_study_mode *mode = tide_study_mode_find(options->mode);
    tide_study study;
    tide_error error;
    options->study.scene.path = subjects[0];
    tide_set_threads((int)options->threads); // for the steps that are timed
    tide_status status = tide_study_create(&options->study, mode, &study, &error);
    bool refused = status != TIDE_OK && study.refused;
    if (status == TIDE_OK)
        status = run(&study, mode, &refused);
    else
        tide_report_error(&error);
    tide_study_free(&study);
    return status == TIDE_OK ? TIDE_EXIT_DONE : refused ? TIDE_EXIT_USAGE : TIDE_EXIT_FAILED;
}

// --- options ---------------------------------------------------------------------------------------------------------

static tide_status read_mode(const tide_option *option, const char *text, void *value, tide_error *error)
{
    const char **mode = value;
    if (*mode)
        return TIDE_REFUSE_OPTION("expected one of --%s and %s", *mode, option->name);
    *mode = tide_study_mode_find(option->name + 2)->name;
    return TIDE_OK;
}

#undef MODE
#define MODE(name, help, ...) { "--" #name, NULL, help, read_mode, .offset = offsetof(convergence_options, mode) },
#define AT(member) .offset = offsetof(convergence_options, study.member)
static const tide_option options[] = {
    TIDE_STUDY_MODES(MODE) //
    { "--solvers", "LIST", "the solvers, with commas between them; an item with = is an option of the one before it",
      tide_option_text, AT(solvers), .expected = "names with commas between them, like local_global,newton" },
    { "--frame", "N", "measure the step to this frame (30)", tide_option_whole, AT(frame), .minimum = 1,
      .maximum = 1e9 },
    { "--frames", "N", "average over N frames; with --order and --stability the length of a run", tide_option_whole,
      AT(frames), .maximum = 1e9, .given = offsetof(convergence_options, study.frames_given) },
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
    { "--threads", "N", "use N threads", tide_option_whole, .offset = offsetof(convergence_options, threads), "1",
      .minimum = 1, .maximum = 256 },
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
