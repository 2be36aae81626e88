// `run`: a scene, without a window as fast as it goes, or in one.
#define _POSIX_C_SOURCE 200809L
#include "app/job.h"

#include "app/commands.h"
#include "app/export.h"
#include "app/progress.h"
#include "app/window.h"
#include "base/parallel.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HEADLESS_FRAMES = 120, DEFAULT_WIDTH = 1280, DEFAULT_HEIGHT = 720 };

// How many solvers of the command line have had their frame come.
static uint32_t count_choices(const tide_arguments *arguments, uint64_t frame)
{
    uint32_t count = 0;
    while (count < arguments->solver_count && arguments->solvers[count].frame <= frame)
        count++;
    return count;
}

static const char *choice(const tide_arguments *arguments, uint32_t chosen)
{
    return chosen ? arguments->solvers[chosen - 1].text : NULL;
}

// Going back in time goes back to the solver of then, but to before the first of them leaves the last.
static tide_status choose_solver(tide_job *job, tide_error *error)
{
    uint32_t due = count_choices(job->arguments, tide_world_frame(tide_script_world(job->script)));
    if (due == job->chosen)
        return TIDE_OK;
    if (due > 0) {
        tide_status status = tide_script_set_solver(job->script, choice(job->arguments, due), error);
        if (status != TIDE_OK)
            return status;
        job->options.solver = choice(job->arguments, due);
    }
    job->chosen = due;
    return TIDE_OK;
}

bool tide_job_forget_choices(tide_job *job)
{
    uint32_t first = count_choices(job->arguments, 0);
    bool other = job->options.solver != choice(job->arguments, first);
    job->chosen = first;
    job->options.solver = choice(job->arguments, first);
    return other;
}

tide_status tide_job_step(tide_job *job, tide_error *error)
{
    tide_status status = choose_solver(job, error);
    if (status == TIDE_OK)
        status = tide_script_step(job->script, error);
    job->frame += status == TIDE_OK;
    return status;
}

bool tide_job_wants_picture(const tide_job *job)
{
    return job->arguments->png && tide_pattern_is_numbered(job->arguments->png);
}

bool tide_job_is_over(const tide_job *job)
{
    const tide_arguments *arguments = job->arguments;
    if (arguments->frames_given)
        return job->frame >= arguments->frames;
    return arguments->headless && job->frame >= HEADLESS_FRAMES;
}

tide_status tide_job_write_picture(tide_job *job, tide_error *error)
{
    char path[4096];
    tide_status status = tide_pattern_path(job->arguments->png, job->frame, NULL, path, sizeof path, error);
    return status == TIDE_OK ? tide_image_write_png(&job->picture.image, path, error) : status;
}

static tide_status write_meshes(tide_job *job, tide_error *error)
{
    return tide_export(tide_script_world(job->script), job->arguments->export, job->frame, error);
}

tide_status tide_job_record(tide_job *job, tide_error *error)
{
    const char *export = job->arguments->export;
    tide_status status = TIDE_OK;
    if (tide_job_wants_picture(job))
        status = tide_job_write_picture(job, error);
    if (status == TIDE_OK && export && tide_pattern_is_numbered(export))
        status = write_meshes(job, error);
    if (status == TIDE_OK && job->stats)
        status = tide_stats_write(job->stats, tide_script_world(job->script), job->frame,
                                  tide_job_wants_picture(job) ? job->picture.draw_seconds : 0, error);
    return status;
}

// Files without a number in their name: the state at the end.
static tide_status record_end(tide_job *job, tide_error *error)
{
    const tide_arguments *arguments = job->arguments;
    tide_status status = TIDE_OK;
    if (arguments->png && !tide_pattern_is_numbered(arguments->png)) {
        if (arguments->headless) // a window has its picture
            status = tide_picture_draw(&job->picture, job->script, true, error);
        if (status == TIDE_OK)
            status = tide_job_write_picture(job, error);
    }
    if (status == TIDE_OK && arguments->export && !tide_pattern_is_numbered(arguments->export))
        status = write_meshes(job, error);
    return status;
}

// --- being interrupted -----------------------------------------------------------------------------------------------
// The first Ctrl-C gives the frame some seconds to be finished, so that all files are whole; a second one stops at
// once.

enum { GRACE_SECONDS = 3 };
static volatile sig_atomic_t interrupted;

// Ends as the signal would have ended it, so that a shell's loop ends with it.
static void pass_on_interrupt(int unused)
{
    (void)unused;
    if (!interrupted)
        return;
    signal(interrupted, SIG_DFL);
    raise(interrupted);
}

static void note_interrupt(int number)
{
    interrupted = number;
    signal(SIGALRM, pass_on_interrupt);
    alarm(GRACE_SECONDS); // a script may be in an endless loop
}

static void catch_interrupts(void)
{
    struct sigaction action = { .sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND }, now;
    sigemptyset(&action.sa_mask);
    const int signals[] = { SIGINT, SIGTERM };
    for (int i = 0; i < 2; i++)
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
}

static tide_status run_headless(tide_job *job, tide_error *error)
{
    const tide_arguments *arguments = job->arguments;
    uint64_t frames = arguments->frames_given ? arguments->frames : HEADLESS_FRAMES;
    tide_progress progress;
    tide_status status = TIDE_OK;
    catch_interrupts();
    tide_progress_begin(&progress);
    while (status == TIDE_OK && !tide_job_is_over(job) && !interrupted) {
        status = tide_job_step(job, error);
        if (status == TIDE_OK && tide_job_wants_picture(job))
            status = tide_picture_draw(&job->picture, job->script, true, error);
        if (status == TIDE_OK)
            status = tide_job_record(job, error);
        tide_progress_show(&progress, "frames", job->frame, frames);
    }
    tide_progress_end(&progress);
    return status;
}

// --- the command -----------------------------------------------------------------------------------------------------

static tide_status open_run(tide_job *job, tide_error *error)
{
    const tide_arguments *arguments = job->arguments;
    job->options = (tide_script_options) {
        .settings = arguments->settings,
        .setting_count = arguments->setting_count,
        .timestep = arguments->timestep,
        .seed = arguments->seed,
        .time_limit = arguments->headless ? 0 : 20, // a window should come back from an endless loop
    };
    tide_job_forget_choices(job);
    tide_status status = tide_script_open(arguments->subject, &job->options, &job->script, error);
    for (uint32_t i = 0; status == TIDE_OK && i < arguments->solver_count; i++)
        status = tide_script_check_solver(job->script, arguments->solvers[i].text, error);
    if (status == TIDE_OK && arguments->stats)
        status = tide_stats_open(arguments->stats, &job->stats, error);
    if (status != TIDE_OK || (arguments->headless && !arguments->png))
        return status;
    status = tide_picture_create(&job->picture, job->script, arguments->width ? arguments->width : DEFAULT_WIDTH,
                                 arguments->height ? arguments->height : DEFAULT_HEIGHT, arguments->wireframe, error);
    tide_error why; // a window sees to it itself
    if (status == TIDE_OK && arguments->headless && arguments->renderer == TIDE_RENDERER_OPENGL &&
        tide_picture_use_opengl(&job->picture, TIDE_GL_OFFSCREEN, &why) != TIDE_OK)
        tide_picture_notice(&why);
    return status;
}

// What is still to be done whether the run went well or not. `hash` is set when it is to be printed.
static tide_status finish_run(tide_job *job, uint64_t *hash, tide_error *error)
{
    tide_status status = record_end(job, error);
    if (status == TIDE_OK)
        status = tide_world_hash(tide_script_world(job->script), hash, error);
    if (status == TIDE_OK)
        status = tide_script_quit(job->script, error);
    return status;
}

// Whether a scene could not be opened because of a --solver: one that neither the program nor the script knows, or
// options that a script's solver refuses. The others were checked before.
static bool is_about_solver(const tide_arguments *arguments, const tide_error *error)
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

tide_exit tide_command_run(const tide_arguments *arguments)
{
    tide_job job = { .arguments = arguments };
    tide_error error;
    uint64_t hash = 0;
    tide_set_threads(arguments->threads);
    tide_status status = open_run(&job, &error);
    bool wrong = status != TIDE_OK && is_about_solver(arguments, &error);
    if (wrong)
        error.where[0] = '\0'; // of the script, which is not at fault
    wrong = wrong || (status != TIDE_OK && !job.script && tide_is_about_setting(arguments, &error));
    if (status == TIDE_OK) {
        status = arguments->headless ? run_headless(&job, &error) : tide_window_run(&job, &error);
        tide_status finished = interrupted ? TIDE_OK : finish_run(&job, &hash, status == TIDE_OK ? &error : NULL);
        status = status == TIDE_OK ? finished : status;
    }
    tide_status closed = tide_stats_close(job.stats, status == TIDE_OK ? &error : NULL);
    status = status == TIDE_OK ? closed : status;
    tide_picture_free(&job.picture);
    tide_script_close(job.script);
    pass_on_interrupt(0);
    if (status != TIDE_OK) {
        tide_report_error(&error);
        return wrong ? TIDE_EXIT_USAGE : TIDE_EXIT_FAILED;
    }
    if (arguments->hash)
        printf("%016" PRIx64 "\n", hash);
    return TIDE_EXIT_DONE;
}
