#include "app/command_line.h"

#include "app/commands.h"
#include "base/memory.h"
#include "gui/browse.h"
#include "session/job.h"
#include "springtide.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const tide_command tide_command_help = { .name = "help",
                                         .subject = "[COMMAND]",
                                         .help = "show help on the program or a command" };

#define COMMANDS(X)                                                                                                    \
    X(tide_command_run)                                                                                                \
    X(tide_command_convergence)                                                                                        \
    X(tide_command_compare)                                                                                            \
    X(tide_command_sweep)                                                                                              \
    X(tide_command_verify)                                                                                             \
    X(tide_command_link)                                                                                               \
    X(tide_command_bench)                                                                                              \
    X(tide_command_repl)                                                                                               \
    X(tide_command_solvers)                                                                                            \
    X(tide_command_meshes)                                                                                             \
    X(tide_command_shapes)                                                                                             \
    X(tide_command_elements)                                                                                           \
    X(tide_command_materials)                                                                                          \
    X(tide_command_check)                                                                                              \
    X(tide_command_mark)                                                                                               \
    X(tide_command_new)                                                                                                \
    X(tide_command_course)                                                                                             \
    X(tide_command_test)                                                                                               \
    X(tide_command_reference)                                                                                          \
    X(tide_command_help)

#define DECLARE(command) extern const tide_command command;
COMMANDS(DECLARE)

#define ADDRESS(command) &command,
static const tide_command *const commands[] = { COMMANDS(ADDRESS) };

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0], MAX_OPTIONS = 64 };

static const tide_command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static const tide_option *find_option(const tide_command *command, const char *name)
{
    const tide_option *option = tide_option_first(command->options);
    while (option && strcmp(option->name, name) != 0)
        option = tide_option_next(option);
    return option;
}

// --- help ------------------------------------------------------------------------------------------------------------

static void print_options(const tide_command *command)
{
    printf("\nOptions of %s\n", command->name);
    tide_options_print(command->options);
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
        snprintf(left, sizeof left, "%s %s", commands[i]->name, commands[i]->subject ? commands[i]->subject : "");
        printf("  %-29s  %s\n", left, commands[i]->help);
    }
    printf("  %-29s  %s\n  %-29s  %s\n", "--help", "print this", "--version", "print the version");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (commands[i]->options)
            print_options(commands[i]);
    puts("\n`springtide help COMMAND` tells more. Exit status: 0 done, 1 a scene or check failed, 2 a wrong command "
         "line.");
}

static void print_command_help(const tide_command *command)
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

static tide_status fail_other_option(const tide_command *command, const char *word, tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", NULL, word,
                     "%s takes no such option; see `springtide help %s`", command->name, command->name);
}

static tide_status unknown_option(const tide_command *command, const char *word, tide_error *error)
{
    const char *names[MAX_OPTIONS] = { "--help", "--version" };
    char help[64];
    size_t count = 2;
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (find_option(commands[i], word))
            return fail_other_option(command, word, error);
    for (const tide_option *o = tide_option_first(command->options); o && count < MAX_OPTIONS; o = tide_option_next(o))
        names[count++] = o->name;
    snprintf(help, sizeof help, "springtide help %s%s%s", command->name, command->also ? "`, `" : "",
             command->also ? command->also : "");
    return unknown("option", word, names, count, help, error);
}

static tide_status unknown_command(const char *word, tide_error *error)
{
    const char *names[COMMAND_COUNT];
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i]->name;
    return unknown("command", word, names, COMMAND_COUNT, "springtide --help", error);
}

// A command line as it is read.
typedef struct reading {
    const tide_command *command;
    const char **subjects; // ends with NULL
    size_t subject_count;
    void *options;
    bool help, has_subject;
} reading;

// Reads the option at words[*at], as `--name value` or `--name=value`; moves *at to the last word used.
static tide_status read_option(reading *r, int count, char **words, int *at, tide_error *error)
{
    const char *word = words[*at];
    size_t length = strcspn(word, "=");
    const char *value = word[length] ? word + length + 1 : NULL;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), word);
    const tide_option *option = find_option(r->command, name);
    if (!option)
        return unknown_option(r->command, name, error);
    if (!option->argument && value)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", name, value, "this option takes no value");
    if (option->argument && !value) {
        if (*at + 1 >= count)
            return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", name, NULL, "expected %s after it",
                             option->argument);
        value = words[++*at];
    }
    r->has_subject = r->has_subject || option->is_subject;
    if (option->given)
        *((bool *)r->options + option->given) = true;
    return option->read(option, value, (char *)r->options + option->offset, error);
}

static tide_status read_words(reading *r, int count, char **words, tide_error *error)
{
    const tide_command *command = r->command;
    const char *subject = command->subject;
    for (int i = 0; i < count; i++) {
        tide_status status = TIDE_OK;
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0)
            r->help = true;
        else if (words[i][0] == '-' && words[i][1] && !command->options)
            return fail_other_option(command, words[i], error);
        else if (words[i][0] == '-' && words[i][1])
            status = read_option(r, count, words, &i, error);
        else if (r->subject_count && !strstr(subject, "..."))
            return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", NULL, words[i],
                             "one word too many; see `springtide help %s`", command->name);
        else
            r->subjects[r->subject_count++] = words[i];
        if (status != TIDE_OK)
            return status;
    }
    if (!r->help && !r->subject_count && !r->has_subject && subject[0] != '[')
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "command line", NULL, command->name,
                         "expected %s after it; see `springtide help %s`", subject, command->name);
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
    const tide_command *command = name ? find_command(name) : NULL;
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

static tide_exit run_command(const tide_command *command, int count, char **words)
{
    reading r = { .command = command };
    tide_error error;
    tide_exit exit;
    r.subjects = tide_allocate_zeroed((size_t)count + 1, sizeof *r.subjects);
    r.options = tide_allocate_zeroed(1, command->size + 1);
    tide_status status = r.subjects && r.options ? TIDE_OK : tide_fail_memory(&error, "command line");
    if (status == TIDE_OK)
        status = tide_options_default(command->options, r.options, &error);
    if (status == TIDE_OK)
        status = read_words(&r, count, words, &error);
    if (status != TIDE_OK)
        exit = wrong(&error);
    else if (r.help || !command->run)
        exit = run_help(r.help ? command->name : r.subjects[0]);
    else
        exit = command->run(r.subjects, r.options);
    if (r.options)
        tide_options_free(command->options, r.options);
    tide_free(r.options);
    tide_free((void *)r.subjects);
    return exit;
}

static bool is_scene(const char *word)
{
    size_t length = strlen(word);
    return (length > 4 && strcmp(word + length - 4, ".lua") == 0) || strchr(word, '/') || access(word, F_OK) == 0;
}

// Opens a window to choose a scene in, and runs that scene. Returns false if there can be no such window.
static bool run_browser(tide_exit *status)
{
    tide_run_options options = { 0 };
    tide_job job = { .options = &options };
    tide_error unread;
    if (tide_options_default(tide_run_option_table, &options, &unread) != TIDE_OK)
        return false;
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
    const tide_command *command = find_command(words[0]);
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
