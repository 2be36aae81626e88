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

static tide_status create_picture(tide_script *scene, uint32_t width, uint32_t height, bool wireframe, void **out,
                                  tide_error *error)
{
    tide_picture *picture = tide_allocate_zeroed(1, sizeof *picture);
    if (!picture)
        return tide_fail_memory(error, "picture");
    tide_status status = tide_picture_create(picture, scene, width, height, wireframe, error);
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
    const tide_arguments *arguments = study->arguments;
    const tide_script_options options = tide_study_options(arguments);
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
                                  .iterations = study->iterations,
                                  .halvings = study->halvings,
                                  .width = arguments->width,
                                  .height = arguments->height,
                                  .wireframe = arguments->wireframe,
                                  .pictures = { create_picture, draw_picture, destroy_picture },
                                  .progress = tide_progress_note,
                                  .hush = tide_progress_hush,
                                  .make_folders = tide_make_folders };
    tide_status status = tide_laboratory_run(&lab, message, sizeof message, refused);
    tide_progress_hush(false);
    if (status != TIDE_OK)
        fprintf(stderr, "springtide: %s\n", message);
    tide_free(solvers);
    return status;
}

tide_exit tide_command_convergence(const tide_arguments *arguments)
{
    const tide_study_mode *mode = tide_study_mode_find(arguments->mode);
    tide_study study;
    tide_error error;
    tide_set_threads(arguments->threads ? arguments->threads : 1); // for the steps that are timed
    tide_status status = tide_study_create(arguments, mode, &study, &error);
    bool refused = status != TIDE_OK && study.refused;
    if (status == TIDE_OK)
        status = run(&study, mode, &refused);
    else
        tide_report_error(&error);
    tide_study_free(&study);
    return status == TIDE_OK ? TIDE_EXIT_DONE : refused ? TIDE_EXIT_USAGE : TIDE_EXIT_FAILED;
}
