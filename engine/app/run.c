// `run`: runs a scene headless at full speed, or in a window.
#define _POSIX_C_SOURCE 200809L
#include "session/job.h"

#include "app/commands.h"
#include "base/log.h"
#include "base/parallel.h"
#include "base/processor.h"
#include "gui/window.h"
#include "session/export.h"
#include "session/job_compare.h"
#include "session/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

enum { DEFAULT_WIDTH = 1280, DEFAULT_HEIGHT = 720 };

// Writes the files whose name has no number: they show the final state.
static tide_status record_end(tide_job *job, tide_error *error)
{
    const tide_arguments *arguments = job->arguments;
    tide_status status = TIDE_OK;
    if (arguments->png && !tide_pattern_is_numbered(arguments->png)) {
        if (arguments->headless) // in a window the picture has been drawn
            status = tide_job_draw(job, true, error);
        if (status == TIDE_OK)
            status = tide_job_write_picture(job, error);
    }
    if (status == TIDE_OK && arguments->export && !tide_pattern_is_numbered(arguments->export))
        status = tide_job_write_meshes(job, error);
    return status;
}

static void tell_reload(tide_job *job)
{
    char text[1200];
    const tide_failure *failure = tide_live_failure(job->live);
    tide_log(TIDE_LOG_WARNING, "frame %" PRIu64 ": the files have changed: %s", tide_live_frame(job->live),
             failure->kind == TIDE_FAILURE_RUN ? tide_error_text(&failure->error, text, sizeof text)
                                               : tide_live_notice(job->live));
}

static tide_status run_headless(tide_job *job, tide_error *error)
{
    const tide_arguments *arguments = job->arguments;
    uint64_t frames = arguments->frames_given ? arguments->frames : TIDE_HEADLESS_FRAMES;
    tide_progress progress;
    tide_status status = TIDE_OK;
    tide_progress_begin(&progress);
    while (status == TIDE_OK && !tide_job_is_over(job) && !tide_job_is_interrupted()) {
        uint64_t before = tide_job_steps(job);
        if (tide_job_look_at_files(job))
            tell_reload(job);
        status = tide_job_step(job, error);
        if (tide_job_steps(job) == before) // the replay has ended
            break;
        if (status == TIDE_OK && tide_job_wants_picture(job))
            status = tide_job_draw(job, true, error);
        if (status == TIDE_OK)
            status = tide_job_record(job, error);
        if (!job->replay) // its length is not known in advance
            tide_progress_show(&progress, "frames", tide_job_steps(job), frames);
    }
    tide_progress_end(&progress);
    return status;
}

// --- the command -----------------------------------------------------------------------------------------------------

static tide_status create_picture(tide_job *job, tide_error *error)
{
    const tide_arguments *arguments = job->arguments;
    tide_script *script = job->live ? tide_live_script(job->live) : NULL;
    tide_status status =
        tide_picture_create(&job->picture, script, arguments->width ? arguments->width : DEFAULT_WIDTH,
                            arguments->height ? arguments->height : DEFAULT_HEIGHT, arguments->wireframe, error);
    job->picture.view.seeing = arguments->seeing;
    return status;
}

// Opens the scene, in a window that is shown while its file runs. Without a display, errors of the scene are reported
// first.
static tide_status open_live(tide_job *job, tide_error *error)
{
    const tide_arguments *arguments = job->arguments;
    tide_error unread;
    tide_status status = TIDE_OK;
    if (!arguments->headless)
        status = create_picture(job, error);
    if (status == TIDE_OK && !arguments->headless)
        tide_window_open(job, &unread);
    if (status == TIDE_OK && !job->live)
        status = tide_job_open_scene(job, error);
    if (status == TIDE_OK && !arguments->headless)
        tide_job_call_while_running(job);
    if (status == TIDE_OK && arguments->record)
        status = tide_recorder_open(arguments->record, job->live, &job->recorder, error);
    if (status == TIDE_OK && arguments->open_world)
        status = tide_live_open_world(job->live, arguments->open_world, error);
    return status;
}

static tide_status open_run(tide_job *job, tide_error *error)
{
    const tide_arguments *arguments = job->arguments;
    tide_status status = open_live(job, error);
    if (status == TIDE_OK && arguments->stats && !arguments->comparing)
        status = tide_stats_open(arguments->stats, &job->stats, error);
    if (status == TIDE_OK && arguments->video)
        status = tide_film_open(arguments->video, arguments->video_rate,
                                tide_world_get_settings(tide_live_world(job->live))->timestep, &job->film, error);
    if (status != TIDE_OK || !arguments->headless || (!arguments->png && !arguments->video))
        return status;
    status = create_picture(job, error);
    tide_error why;
    if (status == TIDE_OK && arguments->renderer == TIDE_RENDERER_OPENGL &&
        tide_picture_use_opengl(&job->picture, TIDE_GL_OFFSCREEN, &why) != TIDE_OK)
        tide_picture_notice(&why);
    return status;
}

// Finishes a run, successful or not. `hash` is not NULL if the hash is to be printed.
static tide_status finish_run(tide_job *job, uint64_t *hash, tide_error *error)
{
    tide_status status = record_end(job, error);
    if (status == TIDE_OK && job->arguments->save_world)
        status = tide_live_save_world(job->live, job->arguments->save_world, error);
    if (status == TIDE_OK)
        status = tide_world_hash(tide_live_world(job->live), hash, error);
    if (status == TIDE_OK && job->comparing)
        status = tide_job_finish_panes(job, error);
    if (status == TIDE_OK)
        status = tide_script_quit(tide_live_script(job->live), error);
    return status;
}

// Refuses options that exclude or require each other.
static tide_status check_together(const tide_arguments *arguments, tide_error *error)
{
    if (arguments->verify && !arguments->replay)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--verify", NULL, "goes with --replay FILE");
    if (arguments->video_rate > 0 && arguments->headless && !arguments->video)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--fps", NULL, "goes with --video FILE");
    if (arguments->comparing && (arguments->replay || arguments->record))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", arguments->replay ? "--replay" : "--record", NULL,
                         "does not go with a comparison, which is made by its own command line");
    if (arguments->comparing && arguments->solver_count && arguments->solvers[arguments->solver_count - 1].frame)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--solver", NULL,
                         "with a comparison it goes without @FRAME; --frame says when the panes part");
    if (arguments->replay && arguments->watch)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--watch", NULL,
                         "does not go with --replay, which has the texts of the files in it");
    if (arguments->replay &&
        (arguments->subject || arguments->setting_count || arguments->solver_count || arguments->timestep != 0 ||
         arguments->seed || arguments->history_given || arguments->open_world))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--replay", NULL,
                         "the scene, its parameters, solvers, timestep, seed, history and state are in the replay; "
                         "leave them out");
    return TIDE_OK;
}

static tide_status close_run(tide_job *job, tide_error *error)
{
    tide_status status = tide_recorder_close(job->recorder, error);
    tide_status closed = tide_stats_close(job->stats, status == TIDE_OK ? error : NULL);
    tide_status filmed = tide_film_close(job->film, status == TIDE_OK && closed == TIDE_OK ? error : NULL);
    closed = closed == TIDE_OK ? filmed : closed;
    if (job->replay && tide_replay_is_over(job->replay) && job->arguments->verify && status == TIDE_OK)
        printf("the same: %" PRIu64 " states of the replay\n", tide_replay_checked(job->replay));
    tide_window_close(job);
    tide_job_end_comparing(job);
    tide_picture_free(&job->picture);
    tide_job_call_while_running(NULL);
    tide_job_close_scene(job);
    return status == TIDE_OK ? closed : status;
}

static tide_exit run_one(tide_job *job, tide_next **next)
{
    const tide_arguments *arguments = job->arguments;
    tide_error error;
    *next = NULL;
    if (check_together(arguments, &error) != TIDE_OK) {
        tide_report_error(&error);
        return TIDE_EXIT_USAGE;
    }
    uint64_t hash = 0;
    tide_set_threads(arguments->threads);
    tide_vector_bits_limit(arguments->vectors);
    tide_status status = open_run(job, &error);
    bool wrong = status != TIDE_OK && tide_is_about_solver(arguments, &error);
    if (wrong)
        error.where[0] = '\0'; // the script is not at fault
    wrong = wrong || (status != TIDE_OK && !job->live && tide_is_about_setting(arguments, &error));
    if (status == TIDE_OK)
        status = tide_job_begin_comparing(job, &wrong, &error);
    if (status == TIDE_OK) {
        tide_job_catch_signals();
        status = arguments->headless ? run_headless(job, &error) : tide_window_run(job, &error);
        tide_status finished =
            tide_job_is_interrupted() ? TIDE_OK : finish_run(job, &hash, status == TIDE_OK ? &error : NULL);
        status = status == TIDE_OK ? finished : status;
    }
    alarm(0); // the rest may take any time
    *next = job->next;
    tide_status closed = close_run(job, status == TIDE_OK ? &error : NULL);
    status = status == TIDE_OK ? closed : status;
    tide_job_end_by_signal();
    if (status != TIDE_OK) {
        tide_report_error(&error);
        return wrong ? TIDE_EXIT_USAGE : TIDE_EXIT_FAILED;
    }
    if (arguments->hash && !arguments->comparing)
        printf("%016" PRIx64 "\n", hash);
    return TIDE_EXIT_DONE;
}

tide_exit tide_run_next(tide_next *next)
{
    tide_exit status = TIDE_EXIT_DONE;
    while (next) {
        tide_next *now = next;
        status = run_one(&now->job, &next);
        tide_next_free(now);
    }
    return status;
}

tide_exit tide_command_run(const tide_arguments *arguments)
{
    tide_job job = { .arguments = arguments };
    tide_next *next;
    tide_exit status = run_one(&job, &next);
    return next ? tide_run_next(next) : status;
}
