// `run`: a scene, without a window as fast as it goes, or in one.
#define _POSIX_C_SOURCE 200809L
#include "app/job.h"

#include "app/commands.h"
#include "app/compare.h"
#include "app/export.h"
#include "app/progress.h"
#include "app/window.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/processor.h"
#include "base/signals.h"

#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HEADLESS_FRAMES = 120, DEFAULT_WIDTH = 1280, DEFAULT_HEIGHT = 720 };
enum { TIME_LIMIT = 2, HISTORY_LIMIT = 512 << 20 }; // s; bytes

tide_status tide_job_step(tide_job *job, tide_error *error)
{
    uint64_t before = tide_job_steps(job);
    tide_status status = job->compare  ? tide_job_step_panes(job, error)
                         : job->replay ? tide_replay_step(job->replay, job->live, error)
                                       : tide_live_step(job->live, error);
    if (job->film && tide_job_steps(job) > before)
        tide_film_step(job->film, tide_world_get_settings(tide_live_world(job->live))->timestep);
    return status;
}

const char *tide_job_scene(const tide_job *job)
{
    const tide_arguments *arguments = job->arguments;
    return job->live ? tide_live_path(job->live) : arguments->replay ? arguments->replay : arguments->subject;
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
        tide_watch_files(job->watch, files, count, NULL); // without memory, those of before
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

// While a script runs.
static bool go_on(void *context)
{
    tide_job *job = context;
    return job->alive ? job->alive(job->alive_context) : tide_job_is_interrupted() || tide_job_files_have_changed(job);
}

static tide_job *progress_job; // whose window is kept alive while a script runs; NULL: none is

static void call_while_running(tide_job *job)
{
    progress_job = job;
    tide_live_set_progress(job ? go_on : NULL, job);
}

bool tide_job_look_at_files(tide_job *job)
{
    uint32_t count = 0;
    if (job->watch)
        tide_watch_poll(job->watch, tide_clock_seconds(), &count);
    if (!count && !job->files_changed)
        return false;
    job->files_changed = false;
    tide_watch_begin(job->watch);
    tide_live_apply(job->live, &(tide_input) { .kind = TIDE_INPUT_RELOAD }, NULL);
    tide_job_watch_files(job);
    return true;
}

bool tide_job_wants_picture(const tide_job *job)
{
    return tide_film_is_due(job->film) || (job->arguments->png && tide_pattern_is_numbered(job->arguments->png));
}

bool tide_job_is_over(const tide_job *job)
{
    const tide_arguments *arguments = job->arguments;
    if (job->compare && arguments->headless && tide_compare_is_over(job->compare))
        return true;
    if (arguments->frames_given)
        return tide_job_steps(job) >= arguments->frames;
    if (job->replay)
        return arguments->headless && tide_replay_is_over(job->replay);
    return arguments->headless && tide_job_steps(job) >= HEADLESS_FRAMES;
}

// Whether the world is what it was; if not, it is made so.
static tide_status check_unchanged(tide_world *world, const tide_snapshot *before, tide_error *error)
{
    uint64_t now;
    tide_status status = tide_world_hash(world, &now, error);
    if (status != TIDE_OK || now == tide_snapshot_hash(before))
        return status;
    status = tide_world_restore(world, before, error);
    return status == TIDE_OK ? tide_fail(error, TIDE_ERROR_SCRIPT, "scene", "draw", NULL,
                                         "it changed the world or scene.state (or drew random numbers), which would "
                                         "then depend on how often it is drawn; do this in update")
                             : status;
}

tide_status tide_job_draw(tide_job *job, bool callback, tide_error *error)
{
    tide_script *script = tide_live_script(job->live);
    tide_snapshot *before;
    if (job->compare)
        return tide_job_draw_panes(job, callback, NULL, NULL, error);
    if (!callback)
        return tide_picture_draw(&job->picture, script, false, error);
    tide_status status = tide_world_snapshot(tide_live_world(job->live), &before, error);
    if (status != TIDE_OK)
        return status;
    status = tide_picture_draw(&job->picture, script, true, error);
    tide_status unchanged = check_unchanged(tide_live_world(job->live), before, status == TIDE_OK ? error : NULL);
    tide_snapshot_destroy(before);
    return status == TIDE_OK ? unchanged : status;
}

tide_status tide_job_write_picture(tide_job *job, tide_error *error)
{
    char path[4096];
    tide_status status = tide_pattern_path(job->arguments->png, tide_job_steps(job), NULL, path, sizeof path, error);
    return status == TIDE_OK ? tide_image_write_png(&job->picture.image, path, error) : status;
}

static tide_status write_meshes(tide_job *job, tide_error *error)
{
    return tide_export(tide_live_world(job->live), job->arguments->export, tide_live_steps(job->live), error);
}

tide_status tide_job_record(tide_job *job, tide_error *error)
{
    const char *export = job->arguments->export;
    tide_status status = TIDE_OK;
    bool drawn = tide_job_wants_picture(job);
    if (job->arguments->png && tide_pattern_is_numbered(job->arguments->png))
        status = tide_job_write_picture(job, error);
    if (status == TIDE_OK && tide_film_is_due(job->film))
        status = tide_film_add(job->film, &job->picture.image, error);
    if (status == TIDE_OK && export && tide_pattern_is_numbered(export))
        status = write_meshes(job, error);
    if (status == TIDE_OK && job->stats)
        status = tide_stats_write(job->stats, tide_live_world(job->live), tide_live_steps(job->live),
                                  drawn ? job->picture.draw_seconds : 0, error);
    if (status == TIDE_OK && job->compare)
        status = tide_job_record_panes(job, error);
    return status;
}

// Files without a number in their name: the state at the end.
static tide_status record_end(tide_job *job, tide_error *error)
{
    const tide_arguments *arguments = job->arguments;
    tide_status status = TIDE_OK;
    if (arguments->png && !tide_pattern_is_numbered(arguments->png)) {
        if (arguments->headless) // a window has its picture
            status = tide_job_draw(job, true, error);
        if (status == TIDE_OK)
            status = tide_job_write_picture(job, error);
    }
    if (status == TIDE_OK && arguments->export && !tide_pattern_is_numbered(arguments->export))
        status = write_meshes(job, error);
    return status;
}

// --- being interrupted -----------------------------------------------------------------------------------------------
// The first signal gives the frame some seconds to be finished, so that all files are whole; a second one stops at
// once. `timeout` signals the program and the group that it is in: signals within half a second count as one.

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
    alarm(0); // what is left takes as long as it takes
    pass_on_interrupt(0);
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
    uint64_t frames = arguments->frames_given ? arguments->frames : HEADLESS_FRAMES;
    tide_progress progress;
    tide_status status = TIDE_OK;
    tide_progress_begin(&progress);
    while (status == TIDE_OK && !tide_job_is_over(job) && !interrupted) {
        uint64_t before = tide_job_steps(job);
        if (tide_job_look_at_files(job))
            tell_reload(job);
        status = tide_job_step(job, error);
        if (tide_job_steps(job) == before) // the replay is over
            break;
        if (status == TIDE_OK && tide_job_wants_picture(job))
            status = tide_job_draw(job, true, error);
        if (status == TIDE_OK)
            status = tide_job_record(job, error);
        if (!job->replay) // nobody knows how long it is
            tide_progress_show(&progress, "frames", tide_job_steps(job), frames);
    }
    tide_progress_end(&progress);
    return status;
}

// --- the command -----------------------------------------------------------------------------------------------------

tide_status tide_job_open_scene(tide_job *job, tide_error *error)
{
    const tide_arguments *arguments = job->arguments;
    tide_job *before = progress_job;
    // A window should come back from an endless loop.
    double limit = arguments->headless ? 0 : TIME_LIMIT;
    size_t history = arguments->headless ? 0 : (size_t)HISTORY_LIMIT;
    tide_live_limit_memory(tide_memory_limit(arguments));
    const tide_live_options options = {
        .scene = arguments->subject,
        .settings = arguments->settings,
        .setting_count = arguments->setting_count,
        .solvers = arguments->solvers,
        .solver_count = arguments->solver_count,
        .timestep = arguments->timestep,
        .seed = arguments->seed,
        .time_limit = tide_given(arguments->time_limit) ? arguments->time_limit : limit,
        .history_limit = arguments->history_given ? arguments->history_limit : history,
    };
    tide_status status = TIDE_OK;
    if (arguments->watch || !(arguments->headless || arguments->replay))
        status = tide_watch_create(&job->watch, error);
    if (status != TIDE_OK)
        return status;
    if (!arguments->headless)
        call_while_running(job);
    do { // again where a correction was saved while it ran
        job->files_changed = false;
        if (job->watch)
            tide_watch_begin(job->watch);
        if (job->watch && !arguments->replay)
            tide_watch_files(job->watch, &arguments->subject, 1, NULL);
        status = arguments->replay ? tide_replay_open(arguments->replay, arguments->verify, options.time_limit,
                                                      &job->replay, &job->live, error)
                                   : tide_live_open(&options, &job->live, error);
    } while (status != TIDE_OK && job->files_changed && !interrupted);
    call_while_running(before);
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

// The scene, in a window that is there while its file runs. Where there is no display, what is wrong with the scene is
// told first.
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
        call_while_running(job);
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

// What is still to be done whether the run went well or not. `hash` is set when it is to be printed.
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

bool tide_is_about_solver(const tide_arguments *arguments, const tide_error *error)
{
    char object[96], name[72];
    for (uint32_t i = 0; i < arguments->solver_count; i++) {
        const char *text = arguments->solvers[i].text;
        int length = (int)strcspn(text, ",");
        snprintf(name, sizeof name, "\"%.*s\"", length < 64 ? length : 64, text);
        snprintf(object, sizeof object, "solver %s", name);
        if (strcmp(error->object, object) == 0 ||
            (strcmp(error->object, "solver") == 0 && strcmp(error->value, name) == 0))
            return true;
    }
    return false;
}

// Options that do not go together.
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
    call_while_running(NULL);
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
        error.where[0] = '\0'; // of the script, which is not at fault
    wrong = wrong || (status != TIDE_OK && !job->live && tide_is_about_setting(arguments, &error));
    if (status == TIDE_OK)
        status = tide_job_begin_comparing(job, &wrong, &error);
    if (status == TIDE_OK) {
        tide_job_catch_signals();
        status = arguments->headless ? run_headless(job, &error) : tide_window_run(job, &error);
        tide_status finished = interrupted ? TIDE_OK : finish_run(job, &hash, status == TIDE_OK ? &error : NULL);
        status = status == TIDE_OK ? finished : status;
    }
    alarm(0); // what is left takes as long as it takes
    *next = job->next;
    tide_status closed = close_run(job, status == TIDE_OK ? &error : NULL);
    status = status == TIDE_OK ? closed : status;
    pass_on_interrupt(0);
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
