// `run`: runs a scene headless at full speed, or in a window.
#define _POSIX_C_SOURCE 200809L
#include "session/job.h"

#include "app/commands.h"
#include "app/untrusted.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/processor.h"
#include "formats/motion_file.h"
#include "gui/window.h"
#include "session/export.h"
#include "session/job_compare.h"
#include "session/lesson.h"
#include "session/opened_link.h"
#include "session/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_WIDTH = 1280, DEFAULT_HEIGHT = 720 };

// Writes the files whose name has no number: they show the final state.
static tide_status record_end(tide_job *job, tide_error *error)
{
    const tide_run_options *options = job->options;
    if (options->png && !tide_pattern_is_numbered(options->png)) {
        if (options->headless) // in a window the picture has been drawn
            TIDE_TRY(tide_job_draw(job, true, error));
        TIDE_TRY(tide_job_write_picture(job, error));
    }
    if (options->export && !job->motion_recorder && !tide_pattern_is_numbered(options->export))
        TIDE_TRY(tide_job_write_meshes(job, error));
    return TIDE_OK;
}

static void tell_reload(tide_job *job)
{
    char text[1200];
    const tide_failure *failure = tide_live_failure(job->live);
    tide_log(TIDE_LOG_WARNING, "frame %" PRIu64 ": the files have changed: %s", tide_live_frame(job->live),
             failure->kind == TIDE_FAILURE_RUN ? tide_error_text(&failure->error, text, sizeof text)
                                               : tide_live_notice(job->live));
}

// Tells on standard output whether the state at the link's frame is the one of the link.
static void look_at_link(tide_job *job)
{
    tide_opened_link *link = job->options->link;
    if (link && tide_opened_link_compare(link, job->live))
        puts(link->text);
}

static tide_status run_headless(tide_job *job, tide_error *error)
{
    const tide_run_options *options = job->options;
    uint64_t frames = options->frames_given ? options->frames : TIDE_HEADLESS_FRAMES;
    tide_progress progress;
    tide_status status = TIDE_OK;
    look_at_link(job);
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
        look_at_link(job);
        if (!job->replay) // its length is not known in advance
            tide_progress_show(&progress, "frames", tide_job_steps(job), frames);
    }
    tide_progress_end(&progress);
    return status;
}

// --- the command -----------------------------------------------------------------------------------------------------

static tide_status create_picture(tide_job *job, tide_error *error)
{
    const tide_run_options *options = job->options;
    tide_script *script = job->live ? tide_live_script(job->live) : NULL;
    tide_status status =
        tide_picture_create(&job->picture, script, options->size.width ? options->size.width : DEFAULT_WIDTH,
                            options->size.height ? options->size.height : DEFAULT_HEIGHT, options->wireframe, error);
    job->picture.view.options = options->view_options;
    if (status == TIDE_OK && options->link &&
        (job->picture.has_given = tide_opened_link_camera(options->link, &job->picture.given)) && script)
        status = tide_picture_look_again(&job->picture, script, error);
    if (options->fit && options->headless)
        job->picture.part = (tide_camera_part) { 0, 0, 1, 1 };
    return status;
}

// The motion begins with the state before the first step.
static tide_status open_motion(tide_job *job, tide_error *error)
{
    TIDE_TRY(tide_motion_recorder_open(job->options->export, &job->motion_recorder, error));
    return tide_motion_recorder_add(job->motion_recorder, tide_live_world(job->live), error);
}

// Goes to the frame of the link before the window shows it, and pauses there.
static void show_link(tide_job *job)
{
    tide_opened_link *link = job->options->link;
    tide_opened_link_run_to_frame(link, job->live, tide_job_is_interrupted);
    if (tide_opened_link_compare(link, job->live))
        tide_log(link->outcome == TIDE_LINK_SAME ? TIDE_LOG_INFO : TIDE_LOG_WARNING, "%s", link->text);
    tide_live_pause(job->live, link->content->frame > 0);
}

// Opens the scene, in a window that is shown while its file runs. Without a display, errors of the scene are reported
// first.
static tide_status open_live(tide_job *job, tide_error *error)
{
    const tide_run_options *options = job->options;
    tide_error unread;
    if (!options->headless)
        TIDE_TRY(create_picture(job, error));
    if (!options->headless)
        tide_window_open(job, &unread);
    if (options->untrusted && !job->live)
        TIDE_TRY(tide_confine_run(options, error));
    if (!job->live)
        TIDE_TRY(tide_job_open_scene(job, error));
    if (!options->headless)
        tide_job_call_while_running(job);
    tide_live_certify(job->live, options->certify || options->view_options.crossings);
    if (options->record)
        TIDE_TRY(tide_recorder_open(options->record, job->live, &job->recorder, error));
    if (options->open_world)
        TIDE_TRY(tide_live_open_world(job->live, options->open_world, error));
    if (options->link && !options->headless)
        show_link(job);
    return TIDE_OK;
}

static tide_status open_run(tide_job *job, tide_error *error)
{
    const tide_run_options *options = job->options;
    tide_status status = open_live(job, error);
    const tide_stats_options stats = { options->stats, options->plots, options->measures };
    if (status == TIDE_OK && (options->stats || options->plots) && !options->compare.wanted)
        status = tide_stats_open(&stats, job->live, &job->stats, error);
    if (status == TIDE_OK && options->export && tide_motion_is_file(options->export))
        status = open_motion(job, error);
    if (status == TIDE_OK && options->video)
        status = tide_video_recorder_open(options->video, options->video_rate,
                                          tide_world_get_settings(tide_live_world(job->live))->timestep,
                                          &job->video_recorder, error);
    if (status != TIDE_OK || !options->headless || (!options->png && !options->video))
        return status;
    status = create_picture(job, error);
    tide_error why;
    const tide_gl_host host = options->renderer == TIDE_RENDERER_OPENGLES ? TIDE_GL_OFFSCREEN_ES : TIDE_GL_OFFSCREEN;
    if (status == TIDE_OK && options->renderer >= TIDE_RENDERER_OPENGL &&
        tide_picture_use_opengl(&job->picture, host, &why) != TIDE_OK)
        tide_picture_notice(&why);
    return status;
}

// Finishes a run, successful or not. `hash` is not NULL if the hash is to be printed.
static tide_status finish_run(tide_job *job, uint64_t *hash, tide_error *error)
{
    TIDE_TRY(record_end(job, error));
    if (job->options->save_world)
        TIDE_TRY(tide_live_save_world(job->live, job->options->save_world, error));
    TIDE_TRY(tide_world_hash(tide_live_world(job->live), hash, error));
    if (job->comparing)
        TIDE_TRY(tide_job_finish_panes(job, error));
    return tide_script_quit(tide_live_script(job->live), error);
}

// Tells whether the numbers of --plots FILE.png, FILE.csv, have the name of the table of --stats.
static bool plots_replace_table(const tide_run_options *options)
{
    if (!options->plots || !options->stats || strlen(options->plots) != strlen(options->stats))
        return false;
    size_t base = strlen(options->plots) - strlen(".png");
    return strncmp(options->plots, options->stats, base) == 0 && strcmp(options->stats + base, ".csv") == 0;
}

// Refuses options that exclude or require each other.
static tide_status check_together(const tide_run_options *options, tide_error *error)
{
    if (options->verify && !options->replay)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--verify", NULL, "goes with --replay FILE");
    if (options->video_rate > 0 && options->headless && !options->video)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--fps", NULL, "goes with --video FILE");
    if (options->measures && (options->compare.wanted || (!options->stats && !options->plots)))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--measures", NULL,
                         options->compare.wanted ? "does not go with a comparison; run each solver alone"
                                                 : "goes with --stats FILE.csv or --plots FILE.png");
    if (plots_replace_table(options))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--plots", options->plots,
                         "its numbers would replace the table of --stats; give another name");
    if (options->compare.wanted && options->plots)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--plots", NULL,
                         "does not go with a comparison; run each solver alone");
    if (options->compare.wanted && options->certify)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--certify", NULL,
                         "does not go with a comparison; run each solver alone");
    if (options->compare.wanted && (options->replay || options->record))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", options->replay ? "--replay" : "--record", NULL,
                         "does not go with a comparison, which is made by its own command line");
    if (options->compare.wanted && options->solvers.count && options->solvers.items[options->solvers.count - 1].frame)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--solver", NULL,
                         "with a comparison it goes without @FRAME; --frame says when the panes part");
    if (options->scene.portable && options->vectors > 1)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--portable", NULL,
                         "uses vectors of 128 bits, and --vectors asks for wider ones; leave one out");
    if (options->untrusted)
        TIDE_TRY(tide_confine_check(options, error));
    if (options->link && options->watch)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--watch", NULL,
                         "does not go with a link, which has the texts of the scene in it");
    if (options->replay && options->watch)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", "--watch", NULL,
                         "does not go with --replay, which has the texts of the files in it");
    if (options->replay && (options->scene.path || options->scene.settings.count || options->solvers.count ||
                            options->scene.timestep != 0 || options->scene.seed || options->scene.portable ||
                            options->history_given || options->open_world))
        return tide_fail(
            error, TIDE_ERROR_ARGUMENT, "command line", "--replay", NULL,
            "the scene, its parameters, solvers, timestep, seed, mode, history and state are in the replay; "
            "leave them out");
    return TIDE_OK;
}

// Tells in one line what the certificates say. Returns whether nothing crosses.
static bool tell_certificates(const tide_job *job)
{
    const tide_live_certificates *c = tide_live_get_certificates(job->live);
    if (c->failed)
        printf("certificate: something crosses in %" PRIu64 " of %" PRIu64 " frames; %s\n", c->failed, c->checked,
               c->first);
    else if (c->checked)
        printf("certificate: nothing crosses in %" PRIu64 " frames\n", c->checked);
    else
        printf("certificate: no frame was checked\n");
    return c->failed == 0;
}

// Fails for a replay that lacks its end or its digest.
static tide_status check_whole(const tide_job *job, tide_error *error)
{
    if (!job->options->whole || !job->replay || tide_replay_is_whole(job->replay))
        return TIDE_OK;
    return tide_fail(error, TIDE_ERROR_FORMAT, job->options->replay, NULL, NULL,
                     "it has no digest, or no end: it was cut short, or recorded by an older version; all states in it "
                     "are as recorded");
}

static tide_status close_run(tide_job *job, tide_error *error)
{
    tide_status status = tide_recorder_close(job->recorder, error);
    tide_status closed = tide_stats_close(job->stats, status == TIDE_OK ? error : NULL);
    tide_status recorded =
        tide_video_recorder_close(job->video_recorder, status == TIDE_OK && closed == TIDE_OK ? error : NULL);
    closed = closed == TIDE_OK ? recorded : closed;
    recorded = tide_motion_recorder_close(job->motion_recorder, status == TIDE_OK && closed == TIDE_OK ? error : NULL);
    closed = closed == TIDE_OK ? recorded : closed;
    if (job->replay && tide_replay_is_over(job->replay) && job->options->verify && status == TIDE_OK)
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
    const tide_run_options *options = job->options;
    tide_error error;
    *next = NULL;
    if (check_together(options, &error) != TIDE_OK) {
        tide_report_error(&error);
        return TIDE_EXIT_USAGE;
    }
    uint64_t hash = 0;
    bool clean = true;
    tide_set_threads((int)options->threads);
    tide_vector_bits_limit(options->vectors ? 64 << options->vectors : 0);
    tide_status status = open_run(job, &error);
    bool wrong = status != TIDE_OK && tide_is_about_solver(&options->solvers, &error);
    if (wrong)
        error.where[0] = '\0'; // the script is not at fault
    wrong = wrong || (status != TIDE_OK && !job->live &&
                      tide_is_about_setting(options->scene.settings.items, options->scene.settings.count, &error));
    if (status == TIDE_OK)
        status = tide_job_begin_comparing(job, &wrong, &error);
    if (status == TIDE_OK) {
        tide_job_catch_signals();
        status = options->headless ? run_headless(job, &error) : tide_window_run(job, &error);
        tide_status finished =
            tide_job_is_interrupted() ? TIDE_OK : finish_run(job, &hash, status == TIDE_OK ? &error : NULL);
        status = status == TIDE_OK ? finished : status;
        status = status == TIDE_OK && !tide_job_is_interrupted() ? check_whole(job, &error) : status;
        clean = !options->certify || tell_certificates(job);
        clean = clean && !(options->link && options->headless && options->link->outcome == TIDE_LINK_DIFFERS);
    }
    alarm(0); // the rest may take any time
    *next = job->next;
    tide_status closed = close_run(job, status == TIDE_OK ? &error : NULL);
    status = status == TIDE_OK ? closed : status;
    if (options->lesson && tide_job_is_interrupted())
        tide_lesson_stop(options->lesson);
    tide_job_end_by_signal();
    if (status != TIDE_OK) {
        tide_report_error(&error);
        return wrong ? TIDE_EXIT_USAGE : TIDE_EXIT_FAILED;
    }
    if (options->hash && !options->compare.wanted)
        printf("%016" PRIx64 "\n", hash);
    return clean ? TIDE_EXIT_DONE : TIDE_EXIT_FAILED;
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

// Runs a link in place of a scene's file.
static tide_exit run_link(const tide_run_options *given)
{
    tide_opened_link *link = NULL;
    tide_run_options options;
    tide_error error;
    tide_exit exit = TIDE_EXIT_FAILED;
    tide_status status = tide_opened_link_read(given->scene.path, &link, &error);
    if (status == TIDE_OK)
        status = tide_opened_link_options(link, given, &options, &error);
    if (status == TIDE_OK)
        exit = tide_run(&options);
    else
        tide_report_error(&error);
    tide_free(link);
    return exit;
}

tide_exit tide_run(const tide_run_options *options)
{
    if (options->scene.path && !options->link && tide_is_link(options->scene.path))
        return run_link(options);
    tide_job job = { .options = options };
    tide_next *next;
    tide_exit status = run_one(&job, &next);
    return next ? tide_run_next(next) : status;
}

// --- options ---------------------------------------------------------------------------------------------------------

// Reads NAME or NAME=LOW:HIGH, either followed by an optional ,map=MAP
static tide_status read_colour(const tide_option *option, const char *text, void *value, tide_error *error)
{
    tide_view_options *to = value;
    const char *map = strstr(text, ",map=");
    size_t range = map ? (size_t)(map - text) : strlen(text);
    const char *equals = memchr(text, '=', range);
    size_t length = equals ? (size_t)(equals - text) : range;
    char word[64];
    to->map = TIDE_MAP_AUTOMATIC;
    if (map && tide_colour_map_find(map + 5, "command line", option->name, &to->map, error) != TIDE_OK)
        return TIDE_ERROR_ARGUMENT;
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), text);
    tide_status status = tide_colouring_find(word, "command line", option->name, &to->colouring, error);
    to->low = to->high = 0;
    if (status != TIDE_OK || !equals)
        return status;
    char *middle, *end = NULL;
    double low = strtod(equals + 1, &middle),
           high = middle > equals + 1 && *middle == ':' ? strtod(middle + 1, &end) : 0;
    if (!end || end == middle + 1 || end != text + range || !isfinite(low) || !isfinite(high) || !(low < high))
        return TIDE_REFUSE_OPTION("expected NAME=LOW:HIGH with LOW below HIGH, like strain=-0.1:0.1");
    to->low = low;
    to->high = high;
    return TIDE_OK;
}

static tide_status read_show(const tide_option *option, const char *text, void *value, tide_error *error)
{
    tide_view_options *to = value;
    const struct {
        const char *word;
        bool *shown;
    } signs[] = { { "contacts", &to->contacts },
                  { "velocities", &to->velocities },
                  { "forces", &to->forces },
                  { "crossings", &to->crossings },
                  { "springs", &to->springs } };
    enum { COUNT = sizeof signs / sizeof signs[0] };
    for (const char *word = text;;) {
        size_t length = strcspn(word, ","), i = 0;
        while (i < COUNT && (strlen(signs[i].word) != length || strncmp(signs[i].word, word, length) != 0))
            i++;
        if (i == COUNT)
            return TIDE_REFUSE_OPTION(
                "expected some of contacts, crossings, velocities, forces and springs, with commas between them");
        *signs[i].shown = true;
        if (!word[length])
            return TIDE_OK;
        word += length + 1;
    }
}

static tide_status read_png(const tide_option *option, const char *text, void *value, tide_error *error)
{
    *(const char **)value = text;
    return tide_pattern_check(option->name, text, ".png", error);
}

static tide_status read_plots(const tide_option *option, const char *text, void *value, tide_error *error)
{
    *(const char **)value = text;
    if (tide_pattern_ends_in(text, ".png"))
        return TIDE_OK;
    return TIDE_REFUSE_OPTION("expected a name that ends in .png, like out/plots.png");
}

static tide_status read_export(const tide_option *option, const char *text, void *value, tide_error *error)
{
    *(const char **)value = text;
    return tide_export_check(option->name, text, error);
}

static tide_status read_video(const tide_option *option, const char *text, void *value, tide_error *error)
{
    *(const char **)value = text;
    return tide_video_check("command line", option->name, text, error);
}

#define AT(member) .offset = offsetof(tide_run_options, member)
static const char *const renderers[] = { "software", "opengl", "opengles", NULL };
const tide_option tide_run_option_table[] = {
    { "--frames", "N", "end after N steps", tide_option_whole, AT(frames), .maximum = 1e9,
      .given = offsetof(tide_run_options, frames_given) },
    { "--headless", NULL, "open no window; run as fast as possible", tide_option_switch, AT(headless) },
    { "--size", "WxH", "size of the window and the pictures, in pixels (1280x720)", tide_option_size, AT(size) },
    { "--renderer", "software|opengl|opengles",
      "renderer (in a window: opengl if the graphics processor supports it; headless: software); opengles is OpenGL ES "
      "3.0",
      tide_option_choice, AT(renderer), .choices = renderers, .expected = "software, opengl or opengles" },
    { "--text-scale", "FACTOR", "size of the window's text, 0.5 to 4 (1); in the window Ctrl with +, - and 0",
      tide_option_number, AT(text_scale), .minimum = TIDE_TEXT_SCALE_LEAST, .maximum = TIDE_TEXT_SCALE_MOST,
      .expected = "a factor from 0.5 to 4, like 1.5" },
    { "--png", "PATTERN", "write a picture per frame: out/%04d.png", read_png, AT(png) },
    { "--video", "FILE",
      "write a video with ffmpeg: .mp4, .mkv, .mov, .webm, .avi, .gif, .apng, .webp; a second is one of the scene",
      read_video, AT(video) },
    { "--fps", "N", "pictures per second of the video (default: one per step, unless these are too many)",
      tide_option_number, AT(video_rate), .minimum = 0.1, .maximum = 240,
      .expected = "pictures per second, from 0.1 to 240" },
    { "--export", "PATTERN",
      "write the bodies of each frame as they are drawn: out/%04d.ply, .obj, .mesh, .vtk; or their motion: out.glb, "
      ".gltf, .usda, .pc2, .mdd; with %s a file per body",
      read_export, AT(export) },
    { "--stats", "FILE.csv", "write a row per frame: iterations, milliseconds, energies, what the scene plots",
      tide_option_text, AT(stats) },
    { "--plots", "FILE.png", "draw energies, milliseconds and what the scene plots over time; also writes FILE.csv",
      read_plots, AT(plots) },
    { "--measures", NULL,
      "with --stats or --plots: also residual, contacts, reaction, contact_force, largest_stress, energy_gain",
      tide_option_switch, AT(measures) },
    { "--solver", "NAME[,key=value...][@FRAME]",
      "use this solver, not the scene's; with @FRAME after that frame; may be repeated", tide_option_solver,
      AT(solvers), .release = tide_solver_list_free },
    { "--replay", "FILE", "repeat a recorded run; the file contains its scene", tide_option_text, AT(replay),
      .expected = "a file that --record wrote", .is_subject = true },
    { "--verify", NULL, "with --replay: report the first frame, body and vertex that differ (see --vectors)",
      tide_option_switch, AT(verify) },
    { "--certify", NULL,
      "check after each step that nothing goes through anything else; exit status 1 if something does",
      tide_option_switch, AT(certify) },
    { "--untrusted", NULL,
      "confine the scene and this process: no other files, programs or network (scenes/security.md)",
      tide_option_switch, AT(untrusted) },
    { "--watch", NULL, "run the scene again when its files change (a window always does)", tide_option_switch,
      AT(watch) },
    { "--history", "MB", "memory for going back in time (512 in a window, 0 headless)", tide_option_whole,
      AT(history_limit), .maximum = 1 << 20, .expected = "megabytes",
      .given = offsetof(tide_run_options, history_given) },
    { "--colour", "NAME[=LOW:HIGH][,map=MAP]",
      "colour bodies by strain, stress, tension, reaction, contact (force), speed, curvature or residual; plain: as "
      "they are. "
      "MAP: rising, signed, ember, grey",
      read_colour, AT(view_options) },
    { "--show", "LIST",
      "draw contacts, crossings (see --certify), velocities, forces, springs (by kind), with commas between them",
      read_show, AT(view_options) },
    { "--fit", NULL, "without a window: show the whole scene at its start, as a window does", tide_option_switch,
      AT(fit) },
    { "--wireframe", NULL, "show springs, coloured by strain, instead of surfaces", tide_option_switch, AT(wireframe) },
    { .more = tide_live_option_table },
};

static tide_exit run_command(const char *const *subjects, void *options)
{
    ((tide_run_options *)options)->scene.path = subjects[0];
    return tide_run(options);
}

const tide_command tide_command_run = {
    "run",
    "SCENE.lua",
    "run a scene, in a window or (--headless) without one",

    "`springtide SCENE.lua` is short for `springtide run SCENE.lua`.\n"
    "In the window, H or F1 shows the keys and what the mouse does. Without --frames it stays until it is closed; a\n"
    "run without a window has 120 frames. Frame 1 is the state after the first step.\n"
    "PATTERN names files by frame: out/%04d.png gives out/0001.png, out/0002.png, ...; a name without a number\n"
    "gets the last frame. Folders are made as needed.\n"
    "--video writes a file with ffmpeg; its ending sets the format (.mp4, .mkv, .mov, .webm, .avi, .gif, .apng,\n"
    ".webp). Without ffmpeg it writes FILE-00001.png, .... A second of the video is a second of the scene.\n"
    "`--solver local_global --solver newton,iterations=5@60` takes frames 1 to 60 with the first solver and all\n"
    "later ones with the second, which continues from the same positions and velocities; `springtide solvers`\n"
    "lists them.\n"
    "--certify searches each state, in exact arithmetic, for triangles that cross (of the same body too), strands\n"
    "through triangles, and vertices or triangles inside colliders. It shares nothing with contact but the meshes.\n"
    "The first crossing is told with its frame, bodies, triangles and place; touching is no crossing. --record keeps\n"
    "the certificate of each frame, and `springtide verify FILE` checks it again.\n"
    "`springtide run NAME.springtide` opens a link, as an untrusted scene (`springtide help link`).\n"
    "--record writes all inputs to the scene (keys, clicks, drags, parameters, new texts of its files), and\n"
    "`springtide run --replay FILE` repeats them, without the scene's files; with --verify it reports the first\n"
    "frame, body and vertex that differ. States and hashes are the same for any number of threads, but depend on\n"
    "the width of the processor's vectors, 128, 256 or 512 bits, and on the C library. With --portable, or portable =\n"
    "true in the scene's definition, they are the same on every platform. A replay uses the recorded mode and width.\n"
    "A replay runs the scripts in it: replay only files of people you trust.",
    .options = tide_run_option_table,
    .size = sizeof(tide_run_options),
    .run = run_command
};
