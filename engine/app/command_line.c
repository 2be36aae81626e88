#include "app/command_line.h"

#include "app/commands.h"
#include "app/options.h"
#include "base/memory.h"
#include "gui/browse.h"
#include "session/job.h"
#include "springtide.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// --- the table of commands -------------------------------------------------------------------------------------------

typedef struct command {
    const char *name,
        *subject; // what the command works on; [optional], ... if it takes several; NULL: nothing
    const char *help, *details;
    tide_exit (*run)(const tide_arguments *arguments);
    unsigned options; // bits TIDE_OPTION_... of the options it takes; 0: none
} command;

enum { SUBJECT_NONE, SUBJECT_OPTIONAL, SUBJECT_REQUIRED };

static const command commands[] = {
    { "run", "SCENE.lua", "run a scene, in a window or (--headless) without one",
      "`springtide SCENE.lua` is short for `springtide run SCENE.lua`.\n"
      "In the window, H or F1 shows what the keys and the mouse do. Without --frames it stays until it is closed;\n"
      "without a window a run has 120 frames. Frame 1 is the state after the first step.\n"
      "PATTERN names files by frame: out/%04d.png gives out/0001.png, out/0002.png, ...; a name without a number gets\n"
      "the last frame. Folders are made as needed.\n"
      "--video has ffmpeg write a file of the kind that its name says (.mp4, .mkv, .mov, .webm, .avi, .gif, .apng,\n"
      ".webp); without ffmpeg, FILE-00001.png, ... are written. A second of it is a second of the scene.\n"
      "`--solver local_global --solver newton,iterations=5@60` takes frames 1 to 60 with the first solver and all\n"
      "after 60 with the second, which goes on from the same positions and velocities; `springtide solvers` lists\n"
      "them.\n"
      "--record writes all that is done to the scene (keys, clicks, drags, parameters, new texts of its files), and\n"
      "`springtide run --replay FILE` does it again, without the scene's files; with --verify it tells the first\n"
      "frame, body and vertex that differ. States and hashes are the same for any number of threads, and depend on "
      "the\n"
      "width of the processor's vectors: 128, 256 or 512 bits. A record has its width, and --replay uses that one. To\n"
      "compare --hash between machines, give both the same --vectors. A replay runs the scripts in it: replay only "
      "files of people you trust.",
      tide_command_run, TIDE_OPTION_RUN },
    { "convergence", "SCENE.lua", "measure solvers on a scene: errors, orders, stability; tables and pictures",
      "From the state before the step to --frame, every solver takes that step with more and more iterations. Its "
      "error\n"
      "is that of Liu et al. 2013, eq. 15: (g(x) - g(x*)) / (g(y) - g(x*)), where x* is the minimum by Newton's "
      "method.\n"
      "`--solvers local_global,newton,linear=pcg` are two solvers, the second with an option. VALUES are A,B,C or\n"
      "A:B:COUNT, with :log in equal ratios; NAME is a parameter of the scene, timestep, or an option of the solvers.",
      tide_command_convergence, TIDE_OPTION_CONVERGENCE },
    { "compare", "SCENE.lua", "one state under several solvers or parameters side by side, in a window or without",
      "The scene runs to --frame and is forked into panes: --solvers times --vary times --timesteps, 9 at most; "
      "without\n"
      "any of them what its tide.compare says, or else the scene's solver and three others. Under each is what a step\n"
      "takes, the error of its step (as `springtide help convergence` says) and how far it is from the first pane.\n"
      "What is done by hand is done to all. C in the window goes on with the pane clicked last, C again compares.\n"
      "`springtide compare curtain.lua --solvers local_global,iterations=5,newton --vary stiffness=20,320` has four.\n"
      "--stats writes a row a pane and frame; --hash prints a line a pane.",
      tide_command_compare, TIDE_OPTION_RUN | TIDE_OPTION_COMPARE },
    { "bench", "SCENE.lua ...", "measure how long the phases of a step take: a table of milliseconds",
      "A row for each scene: the local and the global steps of a frame, contact detection and response, the whole\n"
      "frame, a picture, and the factorisation at the start. All times of a frame are those of the run that takes\n"
      "least by the clock; median_ms is the frame of the median run. processor_ms is the processor time of a frame\n"
      "over all threads, the least of all runs. draw_ms is that of a picture of 1280 x 720 by the software renderer.\n"
      "Before each run the program does a fixed piece of work, the reference. The ratio of a frame to it compares\n"
      "machines, and it changes when other programs use this one.\n"
      "tests/bench/run.sh prints further tables: Table 1 of Liu et al. 2013, the parts of an iteration, growth with\n"
      "the size of a scene, errors against time, broad phases.",
      tide_command_bench, TIDE_OPTION_BENCH },
    { "repl", "[SCENE.lua]", "a prompt: Lua against a live scene, or an empty world",
      "Each line is run in the scene's Lua: `scene` and `tide` are there, globals stay, and an expression's value is\n"
      "printed. A line that fails changes nothing. Lines also come from a file or a pipe:\n"
      "`echo 'scene:step(10) print(scene:hash())' | springtide repl curtain.lua`; exit status 1 if one of them "
      "failed.\n"
      "What is recorded with --record is done again by `springtide run --replay FILE`.",
      tide_command_repl, TIDE_OPTION_REPL },
    { "solvers", "[NAME]", "list the solvers and their options", NULL, tide_command_solvers, 0 },
    { "meshes", "[NAME]", "list the mesh builders and their options", NULL, tide_command_meshes, 0 },
    { "shapes", "[NAME]", "list the shapes of colliders and their options", NULL, tide_command_shapes, 0 },
    { "check", "MESH", "examine a mesh file (.obj, .ply, .stl, .mesh, .msh, .vtk ...): counts, size, problems",
      "Exit status 1 when the file cannot be read or a body made of the mesh (as mended) could not be simulated.\n"
      "`springtide check MESH --fix -o OUT` mends what it safely can and writes OUT, whose problems are then told.",
      tide_command_check, TIDE_OPTION_CHECK },
    { "new", "NAME", "write NAME.lua, a short scene to start from", "A file that exists is left alone.",
      tide_command_new, 0 },
    { "test", "[GROUP]", "run the engine's tests, or those of the groups with GROUP in their names",
      "The tests in C, which scripts/build.sh builds beside the program: some minutes without GROUP. tests/run.sh "
      "runs\n"
      "all tests, also those of scenes, of Lua and of this command line. Exit status 1 when one of them failed.",
      tide_command_test, 0 },
    { "reference", "FILE", "write the reference of the scene language",
      "FILE.md is the reference page (Markdown); FILE.lua is the annotation file from which editors complete.",
      tide_command_reference, 0 },
    { "help", "[COMMAND]", "tell about the program or a command", NULL, NULL, 0 },
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

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

static bool takes_many(const command *command)
{
    return command->subject && strstr(command->subject, "...");
}

// --- help ------------------------------------------------------------------------------------------------------------

static void print_options(const command *command)
{
    printf("\nOptions of %s\n", command->name);
    for (const tide_option *option = tide_options; option->name; option++) {
        char left[64];
        if (!(option->commands & command->options))
            continue;
        snprintf(left, sizeof left, "%s %s", option->name, option->argument ? option->argument : "");
        if (strlen(left) > 29) {
            printf("  %s\n", left);
            left[0] = '\0';
        }
        printf("  %-29s  %s\n", left, option->help);
    }
}

static void print_help(void)
{
    puts("Springtide " TIDE_VERSION ": a sandbox for deformable bodies, with scenes written in Lua\n\n"
         "  springtide                       choose a scene in a window (where there is a display)\n"
         "  springtide SCENE.lua [OPTIONS]   open a scene in a window; more can be dropped on it, and meshes\n"
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

static tide_status unknown(const char *what, const char *word, const char *const *names, size_t count, const char *help,
                           tide_error *error)
{
    const char *nearest = tide_nearest_name(word, names, count);
    if (nearest)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", NULL, word,
                         "there is no such %s; did you mean %s? See `%s`", what, nearest, help);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", NULL, word, "there is no such %s; see `%s`", what,
                     help);
}

static tide_status fail_other_option(const command *command, const char *word, tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", NULL, word,
                     "%s takes no such option; see `springtide help %s`", command->name, command->name);
}

static tide_status unknown_option(const command *command, const char *word, tide_error *error)
{
    const char *names[TIDE_OPTION_MAX + 2] = { "--help", "--version" };
    char help[64];
    size_t count = 2;
    for (const tide_option *option = tide_options; option->name; option++) {
        if (strcmp(option->name, word) == 0)
            return fail_other_option(command, word, error);
        if ((option->commands & command->options) && count < TIDE_OPTION_MAX)
            names[count++] = option->name;
    }
    // `bench` of the program does not include the benchmarks of the engine's parts.
    const char *more = command->run == tide_command_bench ? "`, `tests/bench/run.sh --help" : "";
    snprintf(help, sizeof help, "springtide help %s%s", command->name, more);
    return unknown("option", word, names, count, help, error);
}

static tide_status unknown_command(const char *word, tide_error *error)
{
    const char *names[COMMAND_COUNT];
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i].name;
    return unknown("command", word, names, COMMAND_COUNT, "springtide --help", error);
}

// Reads the option at words[*at], as `--name value` or `--name=value`; moves *at to the last word used.
static tide_status read_option(const command *command, int count, char **words, int *at, tide_arguments *to,
                               tide_error *error)
{
    const char *word = words[*at];
    size_t length = strcspn(word, "=");
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), word);
    for (const tide_option *option = tide_options; option->name; option++) {
        if (strcmp(option->name, name) != 0 || !(option->commands & command->options))
            continue;
        const char *value = word[length] ? word + length + 1 : NULL;
        if (!option->argument && value)
            return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", name, value, "this option takes no value");
        if (option->argument && !value) {
            if (*at + 1 >= count)
                return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", name, NULL, "expected %s after it",
                                 option->argument);
            value = words[++*at];
        }
        return option->read(to, option->name, value, error);
    }
    return unknown_option(command, name, error);
}

static tide_status add_subject(tide_arguments *to, const char *word, tide_error *error)
{
    if (!tide_grow(&to->subjects, &to->subject_capacity, to->subject_count + 1, sizeof *to->subjects))
        return tide_fail_memory(error, "command line");
    to->subjects[to->subject_count++] = word;
    to->subject = to->subjects[0];
    return TIDE_OK;
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
        else if ((to->subject && !takes_many(command)) || subject_need(command) == SUBJECT_NONE)
            return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", NULL, words[i],
                             "one word too many; see `springtide help %s`", command->name);
        else
            status = add_subject(to, words[i], error);
        if (status != TIDE_OK)
            return status;
    }
    if (!*help && !to->subject && !to->replay && subject_need(command) == SUBJECT_REQUIRED)
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
    tide_arguments arguments = { .time_limit = TIDE_NOT_GIVEN, .memory_limit = TIDE_NOT_GIVEN };
    tide_fields_default(tide_mesh_mend_fields, &arguments.mend);
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
    tide_free((void *)arguments.subjects);
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

// Opens a window to choose a scene in, and runs that scene. Returns false if there can be no such window.
static bool run_browser(tide_exit *status)
{
    const tide_arguments arguments = { .time_limit = TIDE_NOT_GIVEN, .memory_limit = TIDE_NOT_GIVEN };
    tide_job job = { .arguments = &arguments };
    if (!tide_browse_is_possible() || !tide_browse(&job))
        return false;
    *status = tide_run_next(job.next);
    return true;
}

tide_exit tide_command_line_run(int count, char **words)
{
    tide_error error;
    tide_exit browsed;
    if (count < 1 && run_browser(&browsed))
        return browsed;
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
    // anything else runs a scene; options may come before it
    if (words[0][0] == '-' || is_scene(words[0]))
        return run_command(find_command("run"), count, words);
    unknown_command(words[0], &error);
    return wrong(&error);
}
