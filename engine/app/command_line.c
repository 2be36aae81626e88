#include "app/command_line.h"

#include "app/commands.h"
#include "app/output.h"
#include "app/study.h"
#include "base/memory.h"
#include "solver/solver_text.h"
#include "springtide.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- readers of options: each checks the text and stores its value ---------------------------------------------------

typedef tide_status reader(tide_arguments *to, const char *name, const char *text, tide_error *error);

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

static tide_status read_png(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    to->png = text;
    return tide_pattern_check(name, text, ".png", error);
}

static tide_status read_export(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    to->export = text;
    return tide_pattern_check(name, text, ".obj", error);
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

// In the order of frames; of two for one frame the later counts.
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

// A name that is not known here may be one of the script's: it is checked once that has run.
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

static tide_status read_out(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return read_text(&to->out, name, text, "the name of a folder", error);
}

static tide_status read_frame(tide_arguments *to, const char *name, const char *text, tide_error *error)
{
    return is_whole(text, 1000000000, &to->frame) && to->frame ? TIDE_OK
                                                               : REFUSE("expected a whole number from 1 to 1000000000");
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

// --- the two tables --------------------------------------------------------------------------------------------------

typedef struct command {
    const char *name,
        *subject; // subject: what the command works on; in brackets when it may be left out; NULL: nothing
    const char *help, *details;
    tide_exit (*run)(const tide_arguments *arguments);
    unsigned options; // RUN, CONVERGENCE: those that it takes; 0: none
} command;

enum { RUN = 1, CONVERGENCE = 2 };
enum { SUBJECT_NONE, SUBJECT_OPTIONAL, SUBJECT_REQUIRED };

static const command commands[] = {
    { "run", "SCENE.lua", "run a scene, in a window or (--headless) without one",
      "`springtide SCENE.lua` is short for `springtide run SCENE.lua`.\n"
      "In the window, H or F1 shows what the keys and the mouse do. Without --frames it stays until it is closed;\n"
      "without a window a run has 120 frames. Frame 1 is the state after the first step.\n"
      "PATTERN names files by frame: out/%04d.png gives out/0001.png, out/0002.png, ...; a name without a number gets\n"
      "the last frame. Folders are made as needed.\n"
      "`--solver local_global --solver newton,iterations=5@60` takes frames 1 to 60 with the first solver and all\n"
      "after 60 with the second, which goes on from the same positions and velocities; `springtide solvers` lists\n"
      "them.",
      tide_command_run, RUN },
    { "convergence", "SCENE.lua", "measure solvers on a scene: errors, orders, stability; tables and pictures",
      "From the state before the step to --frame, every solver takes that step with more and more iterations. Its "
      "error\n"
      "is that of Liu et al. 2013, eq. 15: (g(x) - g(x*)) / (g(y) - g(x*)), where x* is the minimum by Newton's "
      "method.\n"
      "`--solvers local_global,newton,linear=pcg` are two solvers, the second with an option. VALUES are A,B,C or\n"
      "A:B:COUNT, with :log in equal ratios; NAME is a parameter of the scene, timestep, or an option of the solvers.",
      tide_command_convergence, CONVERGENCE },
    { "solvers", "[NAME]", "list the solvers and their options", NULL, tide_command_solvers, 0 },
    { "meshes", "[NAME]", "list the mesh builders and their options", NULL, tide_command_meshes, 0 },
    { "check", "MESH", "examine a mesh file (.obj, .mesh): counts, size, problems",
      "Exit status 1 when the file cannot be read or a body made of the mesh could not be simulated.",
      tide_command_check, 0 },
    { "new", "NAME", "write NAME.lua, a short scene to start from", "A file that exists is left alone.",
      tide_command_new, 0 },
    { "reference", "FILE", "write the reference of the scene language",
      "FILE.md is the reference page (Markdown); FILE.lua is the annotation file from which editors complete.",
      tide_command_reference, 0 },
    { "help", "[COMMAND]", "tell about the program or a command", NULL, NULL, 0 },
};

static const struct option {
    const char *name, *argument, *help; // argument NULL: a switch
    reader *read;
    unsigned commands; // that take it; a name may stand for one thing with one and for another with another
} options[] = {
#define MODE(name, help, ...) { "--" #name, NULL, help, read_mode, CONVERGENCE },
    TIDE_STUDY_MODES(MODE)
#undef MODE
        { "--solvers", "LIST",
          "the solvers, with commas between them; an item with = is an option of the one before it", read_solvers,
          CONVERGENCE },
    { "--frame", "N", "measure the step to this frame (30)", read_frame, CONVERGENCE },
    { "--frames", "N", "average over N frames; with --order and --stability the length of a run", read_frames,
      CONVERGENCE },
    { "--iterations", "N", "go up to N iterations (100)", read_iterations, CONVERGENCE },
    { "--halvings", "N", "with --order: halve the timestep N times (6)", read_halvings, CONVERGENCE },
    { "--sweep", "NAME=VALUES", "measure for each of these values; the map's horizontal axis", read_sweep,
      CONVERGENCE },
    { "--across", "NAME=VALUES", "the map's vertical axis", read_across, CONVERGENCE },
    { "--out", "DIR", "the folder that tables and pictures go to (convergence)", read_out, CONVERGENCE },
    { "--size", "WxH", "with --pictures: size of each, in pixels (320x360)", read_size, CONVERGENCE },
    { "--threads", "N", "use N threads (1)", read_threads, CONVERGENCE },
    { "--frames", "N", "end after N steps", read_frames, RUN },
    { "--headless", NULL, "open no window; as fast as it goes", read_headless, RUN },
    { "--size", "WxH", "size of the window and the pictures, in pixels (1280x720)", read_size, RUN },
    { "--png", "PATTERN", "write a picture a frame: out/%04d.png", read_png, RUN },
    { "--export", "PATTERN", "write all bodies a frame, each an object of an OBJ file: out/%04d.obj", read_export,
      RUN },
    { "--stats", "FILE.csv", "write a row a frame: iterations, residual, milliseconds, energies", read_stats, RUN },
    { "--set", "NAME=VALUE", "set a parameter of the scene (tide.param); may be repeated", read_set,
      RUN | CONVERGENCE },
    { "--solver", "NAME[,key=value...][@FRAME]",
      "use this solver, not the scene's; with @FRAME after that frame; may be repeated", read_solver, RUN },
    { "--timestep", "S", "use this timestep instead of the scene's, in seconds", read_timestep, RUN | CONVERGENCE },
    { "--threads", "N", "use N threads (all processors); results are the same for any number", read_threads, RUN },
    { "--seed", "N", "seed the scene's random numbers (0)", read_seed, RUN | CONVERGENCE },
    { "--hash", NULL, "print a hash of the final state, 16 hexadecimal digits, as the last line", read_hash, RUN },
    { "--wireframe", NULL, "show springs, coloured by strain, instead of surfaces", read_wireframe, RUN },
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0], OPTION_COUNT = sizeof options / sizeof options[0] };

static const command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static int subject_need(const command *command)
{
    return !command->subject ? SUBJECT_NONE : command->subject[0] == '[' ? SUBJECT_OPTIONAL : SUBJECT_REQUIRED;
}

// --- help ------------------------------------------------------------------------------------------------------------

static void print_options(const command *command)
{
    printf("\nOptions of %s\n", command->name);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        char left[64];
        if (!(options[i].commands & command->options))
            continue;
        snprintf(left, sizeof left, "%s %s", options[i].name, options[i].argument ? options[i].argument : "");
        if (strlen(left) > 29) {
            printf("  %s\n", left);
            left[0] = '\0';
        }
        printf("  %-29s  %s\n", left, options[i].help);
    }
}

static void print_help(void)
{
    puts("Springtide " TIDE_VERSION ": a sandbox for deformable bodies, with scenes written in Lua\n\n"
         "  springtide SCENE.lua [OPTIONS]   open a scene in a window\n"
         "  springtide COMMAND ...\n\n"
         "Commands");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        char left[64];
        snprintf(left, sizeof left, "%s %s", commands[i].name, commands[i].subject ? commands[i].subject : "");
        printf("  %-29s  %s\n", left, commands[i].help);
    }
    printf("  %-29s  %s\n  %-29s  %s\n", "--help", "print this", "--version", "print the version");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (commands[i].options)
            print_options(&commands[i]);
    puts("\n`springtide help COMMAND` tells more. Exit status: 0 done, 1 a scene or check failed, 2 a wrong command "
         "line.");
}

static void print_command_help(const command *command)
{
    printf("springtide %s %s%s\n  %s\n", command->name, command->subject, command->options ? " [OPTIONS]" : "",
           command->help);
    if (command->details)
        printf("\n%s\n", command->details);
    if (command->options)
        print_options(command);
}

// --- reading a command line ------------------------------------------------------------------------------------------

tide_exit tide_report_error(const tide_error *error)
{
    char text[1200];
    fprintf(stderr, "springtide: %s\n", tide_error_text(error, text, sizeof text));
    return TIDE_EXIT_FAILED;
}

bool tide_is_about_setting(const tide_arguments *arguments, const tide_error *error)
{
    char object[sizeof error->object];
    if (arguments->setting_count && strcmp(error->object, "set") == 0)
        return true;
    for (uint32_t i = 0; i < arguments->setting_count; i++) {
        snprintf(object, sizeof object, "param \"%s\"", arguments->settings[i].name);
        if (strcmp(error->object, object) == 0)
            return true;
    }
    return false;
}

static tide_status unknown(const char *what, const char *word, const char *const *names, size_t count, const char *help,
                           tide_error *error)
{
    const char *nearest = tide_nearest_name(word, names, count);
    if (nearest)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", NULL, word,
                         "there is no such %s; did you mean %s? `%s` lists them", what, nearest, help);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", NULL, word, "there is no such %s; `%s` lists them",
                     what, help);
}

static tide_status fail_other_option(const command *command, const char *word, tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", NULL, word,
                     "%s takes no such option; see `springtide help %s`", command->name, command->name);
}

static tide_status unknown_option(const command *command, const char *word, tide_error *error)
{
    const char *names[OPTION_COUNT + 2] = { "--help", "--version" };
    char help[64];
    size_t count = 2;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (strcmp(options[i].name, word) == 0)
            return fail_other_option(command, word, error);
        if (options[i].commands & command->options)
            names[count++] = options[i].name;
    }
    snprintf(help, sizeof help, "springtide help %s", command->name);
    return unknown("option", word, names, count, help, error);
}

static tide_status unknown_command(const char *word, tide_error *error)
{
    const char *names[COMMAND_COUNT];
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i].name;
    return unknown("command", word, names, COMMAND_COUNT, "springtide --help", error);
}

// An option at words[*at], as `--name value` or `--name=value`; *at moves on to the last word used.
static tide_status read_option(const command *command, int count, char **words, int *at, tide_arguments *to,
                               tide_error *error)
{
    const char *word = words[*at];
    size_t length = strcspn(word, "=");
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), word);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (strcmp(options[i].name, name) != 0 || !(options[i].commands & command->options))
            continue;
        const char *value = word[length] ? word + length + 1 : NULL;
        if (!options[i].argument && value)
            return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", name, value, "this option takes no value");
        if (options[i].argument && !value) {
            if (*at + 1 >= count)
                return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", name, NULL, "expected %s after it",
                                 options[i].argument);
            value = words[++*at];
        }
        return options[i].read(to, options[i].name, value, error);
    }
    return unknown_option(command, name, error);
}

static tide_status read_words(const command *command, int count, char **words, tide_arguments *to, bool *help,
                              tide_error *error)
{
    for (int i = 0; i < count; i++) {
        tide_status status = TIDE_OK;
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0)
            *help = true;
        else if (words[i][0] == '-' && words[i][1] && !command->options)
            return fail_other_option(command, words[i], error);
        else if (words[i][0] == '-' && words[i][1])
            status = read_option(command, count, words, &i, to, error);
        else if (to->subject || subject_need(command) == SUBJECT_NONE)
            return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", NULL, words[i],
                             "one word too many; see `springtide help %s`", command->name);
        else
            to->subject = words[i];
        if (status != TIDE_OK)
            return status;
    }
    if (!*help && !to->subject && subject_need(command) == SUBJECT_REQUIRED)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", NULL, command->name,
                         "expected %s after it; see `springtide help %s`", command->subject, command->name);
    return TIDE_OK;
}

static tide_exit wrong(const tide_error *error)
{
    tide_report_error(error);
    return TIDE_EXIT_USAGE;
}

static tide_exit run_help(const char *name)
{
    tide_error error;
    const command *command = name ? find_command(name) : NULL;
    if (name && !command) {
        unknown_command(name, &error);
        return wrong(&error);
    }
    if (command)
        print_command_help(command);
    else
        print_help();
    return TIDE_EXIT_DONE;
}

static tide_exit run_command(const command *command, int count, char **words)
{
    tide_arguments arguments = { 0 };
    tide_error error;
    bool help = false;
    tide_exit status;
    if (read_words(command, count, words, &arguments, &help, &error) != TIDE_OK)
        status = wrong(&error);
    else if (help)
        status = run_help(command->name);
    else if (!command->run)
        status = run_help(arguments.subject);
    else
        status = command->run(&arguments);
    for (uint32_t i = 0; i < arguments.setting_count; i++)
        tide_free((void *)(uintptr_t)arguments.settings[i].name);
    tide_free(arguments.settings);
    for (uint32_t i = 0; i < arguments.solver_count; i++)
        tide_free(arguments.solvers[i].text);
    tide_free(arguments.solvers);
    return status;
}

static bool is_scene(const char *word)
{
    size_t length = strlen(word);
    return (length > 4 && strcmp(word + length - 4, ".lua") == 0) || strchr(word, '/') || access(word, F_OK) == 0;
}

tide_exit tide_command_line_run(int count, char **words)
{
    tide_error error;
    if (count < 1) {
        fputs("springtide: name a scene (springtide SCENE.lua) or a command; `springtide --help` lists them\n", stderr);
        return TIDE_EXIT_USAGE;
    }
    const command *command = find_command(words[0]);
    if (command)
        return run_command(command, count - 1, words + 1);
    if (strcmp(words[0], "--version") == 0 || strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0) {
        if (count > 1) {
            tide_fail(&error, TIDE_ERROR_ARGUMENT, "command line", NULL, words[1], "one word too many");
            return wrong(&error);
        }
        if (words[0][2] == 'v')
            return puts("springtide " TIDE_VERSION) < 0 ? TIDE_EXIT_FAILED : TIDE_EXIT_DONE;
        print_help();
        return TIDE_EXIT_DONE;
    }
    // anything else is a run of a scene, whose options may come before it
    if (words[0][0] == '-' || is_scene(words[0]))
        return run_command(find_command("run"), count, words);
    unknown_command(words[0], &error);
    return wrong(&error);
}
