// Steps, pictures and files of a job; job_compare.c has what differs with panes.
#define _POSIX_C_SOURCE 200809L
#include "session/job.h"

#include "base/clock.h"
#include "base/megabytes.h"
#include "base/signals.h"
#include "session/export.h"
#include "session/job_compare.h"

#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

enum { TIME_LIMIT = 2, UNTRUSTED_TIME_LIMIT = 10, HISTORY_LIMIT = 512 << 20 }; // s; bytes

tide_status tide_job_step(tide_job *job, tide_error *error)
{
    uint64_t before = tide_job_steps(job);
    tide_status status = job->compare  ? tide_job_step_panes(job, error)
                         : job->replay ? tide_replay_step(job->replay, job->live, error)
                                       : tide_live_step(job->live, error);
    if (job->video_recorder && tide_job_steps(job) > before)
        tide_video_recorder_step(job->video_recorder, tide_world_get_settings(tide_live_world(job->live))->timestep);
    return status;
}

const char *tide_job_scene(const tide_job *job)
{
    const tide_run_options *options = job->options;
    return job->live ? tide_live_path(job->live) : options->replay ? options->replay : options->scene.path;
}

void tide_job_take_over(tide_job *job)
{
    tide_replay_close(job->replay);
    job->replay = NULL;
}

void tide_job_watch_files(tide_job *job)
{
    uint32_t count;
    const char *const *files = tide_script_files(tide_live_script(job->live), &count);
    if (job->watch)
        tide_watch_files(job->watch, files, count, NULL); // on failure the old list stays
}

void tide_job_keep_alive(tide_job *job, bool (*alive)(void *context), void *context)
{
    job->alive = alive;
    job->alive_context = context;
}

bool tide_job_files_have_changed(tide_job *job)
{
    uint32_t count = 0;
    if (job->watch)
        tide_watch_poll(job->watch, tide_clock_seconds(), &count);
    job->files_changed = job->files_changed || count;
    return job->files_changed;
}

// Called while a script runs; returns whether to interrupt it.
static bool go_on(void *context)
{
    tide_job *job = context;
    return job->alive ? job->alive(job->alive_context) : tide_job_is_interrupted() || tide_job_files_have_changed(job);
}

static tide_job *progress_job; // the job that go_on gets; NULL: none

void tide_job_call_while_running(tide_job *job)
{
    progress_job = job;
    tide_live_set_progress(job ? go_on : NULL, job);
}

bool tide_job_look_at_files(tide_job *job)
{
    if (!tide_job_files_have_changed(job))
        return false;
    job->files_changed = false;
    tide_watch_begin(job->watch);
    tide_live_apply(job->live, &(tide_input) { .kind = TIDE_INPUT_RELOAD }, NULL);
    tide_job_watch_files(job);
    return true;
}

bool tide_job_wants_picture(const tide_job *job)
{
    return tide_video_recorder_is_due(job->video_recorder) ||
           (job->options->png && tide_pattern_is_numbered(job->options->png));
}

tide_status tide_job_draw(tide_job *job, bool callback, tide_error *error)
{
    return job->compare ? tide_job_draw_panes(job, callback, NULL, NULL, error)
                        : tide_picture_draw_checked(&job->picture, tide_live_script(job->live), callback, error);
}

tide_status tide_job_write_picture(tide_job *job, tide_error *error)
{
    char path[4096];
    tide_status status = tide_pattern_path(job->options->png, tide_job_steps(job), NULL, path, sizeof path, error);
    return status == TIDE_OK ? tide_image_write_png(&job->picture.image, path, error) : status;
}

tide_status tide_job_write_meshes(tide_job *job, tide_error *error)
{
    return tide_export(tide_live_world(job->live), job->options->export, tide_live_steps(job->live), error);
}

tide_status tide_job_record(tide_job *job, tide_error *error)
{
    const char *export = job->options->export;
    bool drawn = tide_job_wants_picture(job);
    if (job->options->png && tide_pattern_is_numbered(job->options->png))
        TIDE_TRY(tide_job_write_picture(job, error));
    if (tide_video_recorder_is_due(job->video_recorder))
        TIDE_TRY(tide_video_recorder_add(job->video_recorder, &job->picture.image, error));
    if (export && tide_pattern_is_numbered(export))
        TIDE_TRY(tide_job_write_meshes(job, error));
    if (job->motion_recorder)
        TIDE_TRY(tide_motion_recorder_add(job->motion_recorder, tide_live_world(job->live), error));
    if (job->stats)
        TIDE_TRY(
            tide_stats_write(job->stats, tide_live_steps(job->live), drawn ? job->picture.draw_seconds : 0, error));
    if (job->compare)
        TIDE_TRY(tide_job_record_panes(job, error));
    return TIDE_OK;
}

tide_status tide_job_open_scene(tide_job *job, tide_error *error)
{
    const tide_run_options *given = job->options;
    tide_job *before = progress_job;
    // In a window, a script with an endless loop is interrupted.
    double limit = !given->headless ? TIME_LIMIT : given->untrusted ? UNTRUSTED_TIME_LIMIT : 0;
    size_t history = given->headless ? 0 : (size_t)HISTORY_LIMIT;
    tide_live_limit_memory(tide_memory_limit(&given->scene));
    const tide_live_options options = {
        .scene = given->scene.path,
        .settings = given->scene.settings.items,
        .setting_count = given->scene.settings.count,
        .solvers = given->solvers.items,
        .solver_count = given->solvers.count,
        .timestep = given->scene.timestep,
        .seed = given->scene.seed,
        .portable = given->scene.portable,
        .untrusted = given->untrusted,
        .time_limit = tide_given(given->time_limit) ? given->time_limit : limit,
        .history_limit = given->history_given ? tide_megabytes(given->history_limit) : history,
    };
    tide_status status = TIDE_OK;
    if (given->watch || !(given->headless || given->replay))
        status = tide_watch_create(&job->watch, error);
    if (status != TIDE_OK)
        return status;
    if (!given->headless)
        tide_job_call_while_running(job);
    do { // again if a correction was saved while it ran
        job->files_changed = false;
        if (job->watch)
            tide_watch_begin(job->watch);
        if (job->watch && !given->replay)
            tide_watch_files(job->watch, &given->scene.path, 1, NULL);
        status = given->replay ? tide_replay_open(given->replay, given->verify, options.time_limit, &job->replay,
                                                  &job->live, error)
                               : tide_live_open(&options, &job->live, error);
    } while (status != TIDE_OK && job->files_changed && !tide_job_is_interrupted());
    tide_job_call_while_running(before);
    if (status == TIDE_OK)
        tide_job_watch_files(job);
    return status;
}

void tide_job_close_scene(tide_job *job)
{
    tide_job_take_over(job);
    tide_live_close(job->live);
    tide_watch_destroy(job->watch);
    job->live = NULL;
    job->watch = NULL;
}

// --- signals ---------------------------------------------------------------------------------------------------------
// The first signal gives the current frame some seconds to finish, so that all files are complete; a second one stops
// at once. `timeout` signals both the program and its process group: signals within half a second count as one.

enum { GRACE_SECONDS = 3 };
#define SAME_SECONDS 0.5
static _Atomic int interrupted;

static void pass_on_interrupt(int unused)
{
    (void)unused;
    if (interrupted)
        tide_signals_end(interrupted);
}

static void note_interrupt(int number)
{
    static double first;
    if (!interrupted) {
        first = tide_clock_seconds();
        interrupted = number;
        signal(SIGALRM, pass_on_interrupt);
        alarm(GRACE_SECONDS); // a script may be in an endless loop
    } else if (tide_clock_seconds() - first > SAME_SECONDS)
        tide_signals_end(number);
}

bool tide_job_is_interrupted(void)
{
    return interrupted != 0;
}

void tide_job_catch_signals(void)
{
    tide_signals_handle(note_interrupt);
}

void tide_job_end_by_signal(void)
{
    alarm(0); // the rest may take any time
    pass_on_interrupt(0);
}
