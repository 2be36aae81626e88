#include "app/options.h"

#include "base/memory.h"
#include "draw/image.h"
#include "draw/video.h"
#include "session/export.h"
#include "session/output.h"
#include "session/study.h"
#include "solver/solver_text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- readers: each checks the text and stores its value --------------------------------------------------------------

#define REFUSE(...) tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", name, text, __VA_ARGS__)

static bool read_whole(const char **text, uint64_t maximum, uint64_t *value)
{
    if (**text < '0' || **text > '9')
        return false;
    char *end;
    errno = 0;
    unsigned long long number = strtoull(*text, &end, 10);
    *text = end;
    *value = number;
    return errno == 0 && number <= maximum;
}

static bool is_whole(const char *text, uint64_t maximum, uint64_t *value)
{
    return read_whole(&text, maximum, value) && *text == '\0';
}

static tide_status read_frames(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    if (!is_whole(text, 1000000000, &to->frames))
        return REFUSE("expected a whole number from 0 to 1000000000");
    to->frames_given = true;
    return TIDE_OK;
}

static tide_status read_headless(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    (void)name, (void)text, (void)error;
    to->headless = true;
    return TIDE_OK;
}

static tide_status read_hash(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    (void)name, (void)text, (void)error;
    to->hash = true;
    return TIDE_OK;
}

static tide_status read_wireframe(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    (void)name, (void)text, (void)error;
    to->wireframe = true;
    return TIDE_OK;
}

// Reads NAME or NAME=LOW:HIGH, either followed by an optional ,map=MAP
static tide_status read_colour(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    const char *map = strstr(text, ",map=");
    size_t range = map ? (size_t)(map - text) : strlen(text);
    const char *equals = memchr(text, '=', range);
    size_t length = equals ? (size_t)(equals - text) : range;
    char word[64];
    to->seeing.map = TIDE_MAP_AUTOMATIC;
    if (map && tide_colour_map_find(map + 5, "command line", name, &to->seeing.map, error) != TIDE_OK)
        return TIDE_ERROR_ARGUMENT;
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), text);
    tide_status status = tide_colouring_find(word, "command line", name, &to->seeing.colouring, error);
    to->seeing.low = to->seeing.high = 0;
    if (status != TIDE_OK || !equals)
        return status;
    char *middle, *end = NULL;
    double low = strtod(equals + 1, &middle),
           high = middle > equals + 1 && *middle == ':' ? strtod(middle + 1, &end) : 0;
    if (!end || end == middle + 1 || end != text + range || !isfinite(low) || !isfinite(high) || !(low < high))
        return REFUSE("expected NAME=LOW:HIGH with LOW below HIGH, like strain=-0.1:0.1");
    to->seeing.low = low;
    to->seeing.high = high;
    return TIDE_OK;
}

static tide_status read_show(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    static const char expected[] =
        "expected some of contacts, velocities, forces and springs, with commas between them";
    const struct {
        const char *word;
        bool *shown;
    } signs[] = { { "contacts", &to->seeing.contacts },
                  { "velocities", &to->seeing.velocities },
                  { "forces", &to->seeing.forces },
                  { "springs", &to->seeing.springs } };
    for (const char *word = text;;) {
        size_t length = strcspn(word, ","), i = 0;
        while (i < 4 && (strlen(signs[i].word) != length || strncmp(signs[i].word, word, length) != 0))
            i++;
        if (i == 4)
            return REFUSE("%s", expected);
        *signs[i].shown = true;
        if (!word[length])
            return TIDE_OK;
        word += length + 1;
    }
}

static tide_status read_size(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    const char *rest = text;
    uint64_t width = 0, height = 0;
    bool good = read_whole(&rest, TIDE_IMAGE_MAX_SIDE, &width) && (*rest == 'x' || *rest == 'X');
    rest += good;
    if (!good || !is_whole(rest, TIDE_IMAGE_MAX_SIDE, &height) || !width || !height)
        return REFUSE("expected WIDTHxHEIGHT in pixels, each from 1 to %d, like 1280x720", TIDE_IMAGE_MAX_SIDE);
    to->width = (uint32_t)width;
    to->height = (uint32_t)height;
    return TIDE_OK;
}

static tide_status read_renderer(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    bool opengl = strcmp(text, "opengl") == 0;
    to->renderer = opengl ? TIDE_RENDERER_OPENGL : TIDE_RENDERER_SOFTWARE;
    return opengl || strcmp(text, "software") == 0 ? TIDE_OK : REFUSE("expected software or opengl");
}

static tide_status read_png(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    to->png = text;
    return tide_pattern_check(name, text, ".png", error);
}

static tide_status read_export(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    to->export = text;
    return tide_export_check(name, text, error);
}

static tide_status read_video(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    to->video = text;
    return tide_video_check("command line", name, text, error);
}

static tide_status read_video_rate(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    static const tide_field field = { "rate", TIDE_FIELD_REAL, 0, .minimum = 0.1, .maximum = 240, .help = "" };
    return tide_field_parse(&field, "command line", &to->video_rate, text, NULL) == TIDE_OK
               ? TIDE_OK
               : REFUSE("expected pictures a second, from 0.1 to 240");
}

static tide_status read_text_scale(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    static const tide_field field = {
        "scale", TIDE_FIELD_REAL, 0, .minimum = TIDE_TEXT_SCALE_LEAST, .maximum = TIDE_TEXT_SCALE_MOST, .help = ""
    };
    return tide_field_parse(&field, "command line", &to->text_scale, text, NULL) == TIDE_OK
               ? TIDE_OK
               : REFUSE("expected a factor from 0.5 to 4, like 1.5");
}

static tide_status read_stats(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    to->stats = text;
    return *text ? TIDE_OK : REFUSE("expected the name of a file to write");
}

static tide_status read_set(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return REFUSE("expected NAME=VALUE, like stiffness=200");
    if (!tide_grow(&to->settings, &to->setting_capacity, to->setting_count + 1, sizeof *to->settings))
        return tide_fail_memory(error, "command line");
    char *key = tide_copy_string(text);
    if (!key)
        return tide_fail_memory(error, "command line");
    key[equals - text] = '\0';
    to->settings[to->setting_count++] = (tide_setting) { key, equals + 1 };
    return TIDE_OK;
}

// Inserts a solver in the order of frames; a later one replaces one of the same frame.
static tide_status add_solver(tide_arguments *to, const char *text, size_t length, uint64_t frame, const char **added,
                              tide_error *error)
{
    char *copy = tide_copy_string(text);
    uint32_t at = 0;
    if (!copy || !tide_grow(&to->solvers, &to->solver_capacity, to->solver_count + 1, sizeof *to->solvers)) {
        tide_free(copy);
        return tide_fail_memory(error, "command line");
    }
    copy[length] = '\0';
    while (at < to->solver_count && to->solvers[at].frame < frame)
        at++;
    if (at < to->solver_count && to->solvers[at].frame == frame)
        tide_free(to->solvers[at].text);
    else
        memmove(to->solvers + at + 1, to->solvers + at, (to->solver_count++ - at) * sizeof *to->solvers);
    to->solvers[at] = (tide_solver_choice) { copy, frame };
    *added = copy;
    return TIDE_OK;
}

// Reads --solver. An unknown name may be one of the script's methods: it is checked after the script has run.
static tide_status read_solver(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    const char *at = strrchr(text, '@');
    uint64_t frame = 0;
    if (at && !is_whole(at + 1, 1000000000, &frame))
        return REFUSE("expected the frame after @, a whole number, like newton@60");
    size_t length = at ? (size_t)(at - text) : strlen(text);
    if (length == 0)
        return REFUSE("expected NAME[,key=value...][@FRAME], like newton,iterations=5@60");
    const char *added;
    tide_status status = add_solver(to, text, length, frame, &added, error);
    return status == TIDE_OK ? tide_solver_text_check(added, error) : status;
}

static tide_status read_timestep(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    tide_world_settings settings;
    tide_fields_default(tide_world_fields, &settings);
    const tide_field *field = tide_field_find(tide_world_fields, "command line", "timestep", error);
    char range[128];
    if (!field || tide_field_parse(field, "command line", &settings, text, NULL) != TIDE_OK)
        return REFUSE("expected seconds, %s, like 0.01",
                      field ? tide_field_range_text(field, range, sizeof range) : "above 0");
    to->timestep = settings.timestep;
    return TIDE_OK;
}

static tide_status read_threads(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    uint64_t threads = 0;
    if (!is_whole(text, 256, &threads) || threads < 1)
        return REFUSE("expected a whole number from 1 to 256");
    to->threads = (int)threads;
    return TIDE_OK;
}

static tide_status read_vectors(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    static const char *const widths[] = { "128", "256", "512" };
    for (int i = 0; i < 3; i++)
        if (strcmp(text, widths[i]) == 0) {
            to->vectors = 128 << i;
            return TIDE_OK;
        }
    return REFUSE("expected 128, 256 or 512");
}

static tide_status read_seed(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return is_whole(text, UINT64_MAX, &to->seed) ? TIDE_OK : REFUSE("expected a whole number of at least 0");
}

static tide_status read_mode(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    if (to->mode)
        return REFUSE("expected one of --%s and %s", to->mode, name);
    to->mode = tide_study_mode_find(name + 2)->name;
    return TIDE_OK;
}

static tide_status read_text(const char **to, const char *name, const char *text, const char *expected,
                             tide_error *error)
{
    *to = text;
    return *text ? TIDE_OK : REFUSE("expected %s", expected);
}

static tide_status read_solvers(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return read_text(&to->compared, name, text, "names with commas between them, like local_global,newton", error);
}

static tide_status read_sweep(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return read_text(&to->sweep, name, text, "NAME=A,B,C or NAME=A:B:COUNT", error);
}

static tide_status read_across(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return read_text(&to->across, name, text, "NAME=A,B,C or NAME=A:B:COUNT", error);
}

static tide_status read_vary(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return read_text(&to->vary, name, text, "NAME=A,B,C or NAME=A:B:COUNT", error);
}

static tide_status read_timesteps(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return read_text(&to->timesteps, name, text, "seconds with commas between them, like 0.01,0.02", error);
}

static tide_status read_errors(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return is_whole(text, 1000000000, &to->errors) && to->errors
               ? TIDE_OK
               : REFUSE("expected a whole number from 1 to 1000000000");
}

static tide_status read_out(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return read_text(&to->out, name, text, "the name of a folder", error);
}

static tide_status read_frame(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return is_whole(text, 1000000000, &to->frame) && to->frame ? TIDE_OK
                                                               : REFUSE("expected a whole number from 1 to 1000000000");
}

static tide_status read_fork_frame(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return is_whole(text, 1000000000, &to->frame) ? TIDE_OK : REFUSE("expected a whole number from 0 to 1000000000");
}

static tide_status read_count(uint32_t *to, const char *name, const char *text, uint64_t maximum, tide_error *error)
{
    uint64_t count = 0;
    if (!is_whole(text, maximum, &count) || count < 1)
        return REFUSE("expected a whole number from 1 to %" PRIu64, maximum);
    *to = (uint32_t)count;
    return TIDE_OK;
}

static tide_status read_iterations(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return read_count(&to->iterations, name, text, 1000000, error);
}

static tide_status read_halvings(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return read_count(&to->halvings, name, text, 20, error);
}

static tide_status read_mending(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    const tide_field *field = tide_field_find(tide_mesh_mend_fields, "command line", name + 2, error);
    return tide_field_parse(field, "command line", &to->mend, text ? text : "true", error);
}

static tide_status read_mended(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return read_text(&to->mended, name, text, "the name of a mesh file to write", error);
}

static tide_status read_runs(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return read_count(&to->runs, name, text, 1000, error);
}

static tide_status read_warm_up(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    if (!is_whole(text, 1000000000, &to->warm_up))
        return REFUSE("expected a whole number from 0 to 1000000000");
    to->warm_up_given = true;
    return TIDE_OK;
}

static tide_status read_bench_solver(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    if (strchr(text, '@'))
        return REFUSE("expected NAME[,key=value...]; this command takes one solver, without @");
    return read_solver(to, name, text, error);
}

static tide_status read_csv(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return read_text(&to->csv, name, text, "the name of a file to write", error);
}

static tide_status read_markdown(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return read_text(&to->markdown, name, text, "the name of a file to write", error);
}

static tide_status read_record(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return read_text(&to->record, name, text, "the name of a file to write", error);
}

static tide_status read_replay(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return read_text(&to->replay, name, text, "a file that --record wrote", error);
}

static tide_status read_save_world(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return read_text(&to->save_world, name, text, "the name of a file to write", error);
}

static tide_status read_open_world(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return read_text(&to->open_world, name, text, "a file that --save-world wrote", error);
}

static tide_status read_verify(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    (void)name, (void)text, (void)error;
    to->verify = true;
    return TIDE_OK;
}

static tide_status read_watch(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    (void)name, (void)text, (void)error;
    to->watch = true;
    return TIDE_OK;
}

static tide_status read_memory_limit(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    static const tide_field field = { "megabytes", TIDE_FIELD_REAL, 0, .maximum = 1e6, .help = "" };
    return tide_field_parse(&field, "command line", &to->memory_limit, text, NULL) == TIDE_OK
               ? TIDE_OK
               : REFUSE("expected megabytes from 0 (no limit) to 1e6");
}

static tide_status read_time_limit(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    static const tide_field field = { "seconds", TIDE_FIELD_REAL, 0, .maximum = 1e6, .help = "" };
    return tide_field_parse(&field, "command line", &to->time_limit, text, NULL) == TIDE_OK
               ? TIDE_OK
               : REFUSE("expected seconds from 0 (no limit) to 1e6");
}

static tide_status read_history(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    uint64_t megabytes;
    if (!is_whole(text, 1 << 20, &megabytes))
        return REFUSE("expected megabytes, a whole number from 0 to %d", 1 << 20);
    to->history_limit = (size_t)megabytes << 20;
    to->history_given = true;
    return TIDE_OK;
}

// --- the table -------------------------------------------------------------------------------------------------------

const tide_option tide_options[] = {
#define MODE(name, help, ...) { "--" #name, NULL, help, read_mode, TIDE_OPTION_CONVERGENCE },
    TIDE_STUDY_MODES(MODE)
#undef MODE
        { "--solvers", "LIST",
          "the solvers, with commas between them; an item with = is an option of the one before it", read_solvers,
          TIDE_OPTION_CONVERGENCE | TIDE_OPTION_COMPARE },
    { "--vary", "NAME=VALUES", "a pane for each of these values of a parameter, or of an option of the solvers",
      read_vary, TIDE_OPTION_COMPARE },
    { "--timesteps", "LIST", "a pane for each of these timesteps, in seconds; best if they divide the first",
      read_timesteps, TIDE_OPTION_COMPARE },
    { "--frame", "N", "fork the state after N steps (0)", read_fork_frame, TIDE_OPTION_COMPARE },
    { "--errors", "N", "measure the errors every N frames, to the end (without a window: after the last)", read_errors,
      TIDE_OPTION_COMPARE },
    { "--frame", "N", "measure the step to this frame (30)", read_frame, TIDE_OPTION_CONVERGENCE },
    { "--frames", "N", "average over N frames; with --order and --stability the length of a run", read_frames,
      TIDE_OPTION_CONVERGENCE },
    { "--iterations", "N", "go up to N iterations (100)", read_iterations, TIDE_OPTION_CONVERGENCE },
    { "--halvings", "N", "with --order: halve the timestep N times (6)", read_halvings, TIDE_OPTION_CONVERGENCE },
    { "--sweep", "NAME=VALUES", "measure for each of these values; the map's horizontal axis", read_sweep,
      TIDE_OPTION_CONVERGENCE },
    { "--across", "NAME=VALUES", "the map's vertical axis", read_across, TIDE_OPTION_CONVERGENCE },
    { "--out", "DIR", "the folder that tables and pictures go to (convergence)", read_out, TIDE_OPTION_CONVERGENCE },
    { "--size", "WxH", "with --pictures: size of each, in pixels (320x360)", read_size, TIDE_OPTION_CONVERGENCE },
    { "--threads", "N", "use N threads (1)", read_threads, TIDE_OPTION_CONVERGENCE },
    { "--frames", "N", "average over N frames (60)", read_frames, TIDE_OPTION_BENCH },
    { "--warm-up", "N", "after N frames that do not count (30)", read_warm_up, TIDE_OPTION_BENCH },
    { "--runs", "N", "measure those frames N times and show the best run (3)", read_runs, TIDE_OPTION_BENCH },
    { "--threads", "N", "use N threads (1)", read_threads, TIDE_OPTION_BENCH },
    { "--solver", "NAME[,key=value...]", "use this solver, not the scene's", read_bench_solver,
      TIDE_OPTION_BENCH | TIDE_OPTION_REPL },
    { "--csv", "FILE", "write the table as CSV", read_csv, TIDE_OPTION_BENCH },
    { "--markdown", "FILE", "write the table as Markdown", read_markdown, TIDE_OPTION_BENCH },
    { "--frames", "N", "end after N steps", read_frames, TIDE_OPTION_RUN },
    { "--headless", NULL, "open no window; as fast as it goes", read_headless, TIDE_OPTION_RUN },
    { "--size", "WxH", "size of the window and the pictures, in pixels (1280x720)", read_size, TIDE_OPTION_RUN },
    { "--renderer", "software|opengl",
      "what draws (a window: opengl, where a graphics processor has it; headless: software)", read_renderer,
      TIDE_OPTION_RUN },
    { "--text-scale", "FACTOR", "size of the window's text, 0.5 to 4 (1); in the window Ctrl with +, - and 0",
      read_text_scale, TIDE_OPTION_RUN },
    { "--png", "PATTERN", "write a picture a frame: out/%04d.png", read_png, TIDE_OPTION_RUN },
    { "--video", "FILE",
      "write a video, by ffmpeg: .mp4, .mkv, .mov, .webm, .avi, .gif, .apng, .webp; a second is one of the scene",
      read_video, TIDE_OPTION_RUN },
    { "--fps", "N", "pictures a second of the video (as many as steps, where those are not too many)", read_video_rate,
      TIDE_OPTION_RUN },
    { "--export", "PATTERN",
      "write the bodies a frame as they are drawn: out/%04d.ply, .obj, .mesh, .vtk; %s: a file a body", read_export,
      TIDE_OPTION_RUN },
    { "--stats", "FILE.csv", "write a row a frame: iterations, residual, milliseconds, energies", read_stats,
      TIDE_OPTION_RUN },
    { "--set", "NAME=VALUE", "set a parameter of the scene (tide.param); may be repeated", read_set,
      TIDE_OPTION_RUN | TIDE_OPTION_REPL | TIDE_OPTION_CONVERGENCE | TIDE_OPTION_BENCH },
    { "--solver", "NAME[,key=value...][@FRAME]",
      "use this solver, not the scene's; with @FRAME after that frame; may be repeated", read_solver, TIDE_OPTION_RUN },
    { "--timestep", "S", "use this timestep instead of the scene's, in seconds", read_timestep,
      TIDE_OPTION_RUN | TIDE_OPTION_REPL | TIDE_OPTION_CONVERGENCE | TIDE_OPTION_BENCH },
    { "--threads", "N", "use N threads (all processors); results are the same for any number", read_threads,
      TIDE_OPTION_RUN | TIDE_OPTION_REPL },
    { "--vectors", "BITS", "use the processor's vectors of at most 128, 256 or 512 bits; hashes depend on the width",
      read_vectors, TIDE_OPTION_RUN | TIDE_OPTION_REPL },
    { "--seed", "N", "seed the scene's random numbers (0)", read_seed,
      TIDE_OPTION_RUN | TIDE_OPTION_REPL | TIDE_OPTION_CONVERGENCE | TIDE_OPTION_BENCH },
    { "--hash", NULL, "print a hash of the final state, 16 hexadecimal digits, as the last line (see --vectors)",
      read_hash, TIDE_OPTION_RUN | TIDE_OPTION_REPL },
    { "--fix", NULL,
      "with -o: join vertices at one place, mend what is flat, drop what is double or unused, turn triangles alike",
      read_mending, TIDE_OPTION_CHECK },
    { "--weld", "M", "with -o: join vertices that are this close, in metres", read_mending, TIDE_OPTION_CHECK },
    { "--scale", "FACTOR", "with -o: scale the mesh first; 0.001 for a file in millimetres", read_mending,
      TIDE_OPTION_CHECK },
    { "-o", "OUT", "write the mesh as mended to this file", read_mended, TIDE_OPTION_CHECK },
    { "--record", "FILE", "write a replay of the run: all that is done to it, and the state of every frame",
      read_record, TIDE_OPTION_RUN | TIDE_OPTION_REPL },
    { "--replay", "FILE", "do again what a replay holds; its scene is in it", read_replay, TIDE_OPTION_RUN },
    { "--verify", NULL, "with --replay: tell the first frame, body and vertex that differ (see --vectors)", read_verify,
      TIDE_OPTION_RUN },
    { "--save-world", "FILE", "write the state at the end", read_save_world, TIDE_OPTION_RUN | TIDE_OPTION_REPL },
    { "--open-world", "FILE", "begin with a state that was written, of a scene with the same bodies", read_open_world,
      TIDE_OPTION_RUN | TIDE_OPTION_REPL },
    { "--watch", NULL, "run the scene again when its files change (a window always does)", read_watch,
      TIDE_OPTION_RUN },
    { "--memory-limit", "MB",
      "stop a script that holds more than this with its scene; 0: no limit (4096, or 3/4 of the memory if that is "
      "less)",
      read_memory_limit, TIDE_OPTION_RUN | TIDE_OPTION_REPL | TIDE_OPTION_CONVERGENCE | TIDE_OPTION_BENCH },
    { "--time-limit", "S",
      "stop a call of the script after S seconds, a run of its file after 10 S (a window: 2, so 20 for a run of the "
      "file; else 0, no limit)",
      read_time_limit, TIDE_OPTION_RUN | TIDE_OPTION_REPL },
    { "--history", "MB", "memory for going back in time (a window: 512; headless: 0)", read_history, TIDE_OPTION_RUN },
    { "--colour", "NAME[=LOW:HIGH][,map=MAP]",
      "colour bodies by strain, speed, curvature, contact (force) or residual; plain: as they are. "
      "MAP: rising, signed, ember, grey",
      read_colour, TIDE_OPTION_RUN },
    { "--show", "LIST", "draw contacts, velocities, forces, springs (by kind), with commas between them", read_show,
      TIDE_OPTION_RUN },
    { "--wireframe", NULL, "show springs, coloured by strain, instead of surfaces", read_wireframe, TIDE_OPTION_RUN },
    { 0 },
};
