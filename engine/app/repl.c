// `springtide repl`: runs lines of Lua in a live scene, from a terminal, a file or a pipe.
#include "app/commands.h"
#include "app/line_editor.h"
#include "base/parallel.h"
#include "base/processor.h"
#include "base/signals.h"
#include "script/console.h"
#include "session/live.h"
#include "session/replay.h"
#include "springtide.h"

#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char empty_world[] = "local tide = require \"springtide\"\n"
                                  "return tide.scene { title = \"Empty world\" }\n";

typedef struct repl {
    const tide_run_options *options;
    tide_live *live;
    tide_recorder *recorder;
    tide_line_editor *editor;
    tide_text statement; // its lines so far
    bool terminal, failed, stop;
    unsigned long line, began; // line numbers of the input
} repl;

// --- signals ---------------------------------------------------------------------------------------------------------
// Ctrl-C interrupts the running line; a second one, before it has stopped, ends the program.

static _Atomic(tide_script *) running;
static _Atomic int interrupted;

static void note_interrupt(int number)
{
    tide_script *script = running;
    if (number != SIGINT || interrupted || !script)
        tide_signals_end(number);
    interrupted = number;
    tide_script_interrupt(script);
}

// --- a line ----------------------------------------------------------------------------------------------------------

static void print(void *context, const char *bytes, size_t size)
{
    (void)context;
    fwrite(bytes, 1, size, stdout);
}

static void complete(void *context, const char *text, tide_text *names, size_t *length)
{
    const repl *r = context;
    tide_error unread;
    if (tide_script_complete(tide_live_script(r->live), text, names, length, &unread) != TIDE_OK)
        tide_text_clear(names);
}

static void tell_failure(const repl *r, const tide_error *error)
{
    char text[1280];
    const char *calls = tide_script_traceback(tide_live_script(r->live));
    const char *red = r->terminal ? "\x1b[31m" : "", *plain = r->terminal ? "\x1b[0m" : "";
    fflush(stdout);
    if (r->terminal)
        fprintf(stderr, "%s%s%s\n", red, tide_error_text(error, text, sizeof text), plain);
    else
        fprintf(stderr, "springtide: line %lu: %s\n", r->began, tide_error_text(error, text, sizeof text));
    for (const char *call = calls; strchr(calls, '\n') && *call; call += strcspn(call, "\n"), call += *call == '\n')
        fprintf(stderr, "  %.*s\n", (int)strcspn(call, "\n"), call);
}

static void run_statement(repl *r)
{
    tide_error error;
    running = tide_live_script(r->live);
    interrupted = 0;
    tide_status status =
        tide_live_apply(r->live, &(tide_input) { .kind = TIDE_INPUT_CONSOLE, .text = r->statement.bytes }, &error);
    running = NULL;
    fflush(stdout);
    if (status != TIDE_OK) {
        tell_failure(r, &error);
        r->failed = true;
        r->stop = interrupted && !r->terminal;
    }
    tide_line_editor_remember(r->editor, r->statement.bytes);
    tide_text_clear(&r->statement);
}

static bool is_blank(const char *line)
{
    return line[strspn(line, " \t\r")] == '\0';
}

static void take_line(repl *r, const char *line)
{
    if (!r->statement.length && is_blank(line))
        return;
    if (!r->statement.length)
        r->began = r->line;
    tide_text_format(&r->statement, "%s%s", r->statement.length ? "\n" : "", line);
    if (!r->statement.failed && !tide_script_is_unfinished(tide_live_script(r->live), r->statement.bytes))
        run_statement(r);
}

static tide_status read_lines(repl *r, tide_error *error)
{
    const char *line;
    while (!r->stop) {
        tide_line_end end = tide_line_editor_read(r->editor, r->statement.length ? ">> " : "> ", &line);
        r->line++;
        if (end == TIDE_LINE_GIVEN_UP)
            tide_text_clear(&r->statement);
        else if (end == TIDE_LINE_READ)
            take_line(r, line);
        if (r->statement.failed)
            return tide_fail_memory(error, "console");
        if (end == TIDE_LINE_OVER)
            break;
    }
    if (r->statement.length && !r->stop)
        run_statement(r); // its error says what is missing
    return TIDE_OK;
}

// --- the command -----------------------------------------------------------------------------------------------------

static tide_status open_live(repl *r, tide_error *error)
{
    const tide_run_options *given = r->options;
    const tide_input_file file = { "empty.lua", empty_world, sizeof empty_world - 1 };
    tide_live_limit_memory(tide_memory_limit(&given->scene));
    const tide_live_options options = {
        .scene = given->scene.path ? given->scene.path : file.path,
        .settings = given->scene.settings.items,
        .setting_count = given->scene.settings.count,
        .solvers = given->solvers.items,
        .solver_count = given->solvers.count,
        .timestep = given->scene.timestep,
        .seed = given->scene.seed,
        .portable = given->scene.portable,
        .time_limit = tide_given(given->time_limit) ? given->time_limit : 0,
        .files = &file,
        .file_count = given->scene.path ? 0 : 1,
    };
    TIDE_TRY(tide_live_open(&options, &r->live, error));
    if (given->record)
        TIDE_TRY(tide_recorder_open(given->record, r->live, &r->recorder, error));
    if (given->open_world)
        TIDE_TRY(tide_live_open_world(r->live, given->open_world, error));
    return tide_line_editor_create(complete, r, &r->editor, error);
}

static void greet(const repl *r)
{
    const char *title = tide_script_title(tide_live_script(r->live));
    printf("Springtide " TIDE_VERSION ", Lua 5.4. `scene` is \"%s\"; scene:step(10) takes ten steps. Tab completes, "
           "Ctrl-C stops a line, Ctrl-D ends.\n",
           title);
    fflush(stdout);
}

static tide_status finish(repl *r, uint64_t *hash, tide_error *error)
{
    if (r->options->save_world)
        TIDE_TRY(tide_live_save_world(r->live, r->options->save_world, error));
    TIDE_TRY(tide_world_hash(tide_live_world(r->live), hash, error));
    return tide_script_quit(tide_live_script(r->live), error);
}

static tide_status run(repl *r, uint64_t *hash, tide_error *error)
{
    const tide_live_printer printer = { print, NULL };
    r->terminal = tide_line_editor_is_terminal(r->editor);
    tide_live_set_printer(r->live, &printer);
    tide_signals_handle(note_interrupt);
    if (r->terminal)
        greet(r);
    tide_status status = read_lines(r, error);
    tide_signals_handle(NULL);
    tide_status finished = finish(r, hash, status == TIDE_OK ? error : NULL);
    return status == TIDE_OK ? finished : status;
}

static tide_exit run_command(const char *const *subjects, void *given)
{
    tide_run_options *options = given;
    repl r = { .options = options };
    tide_error error;
    uint64_t hash = 0;
    options->scene.path = subjects[0];
    tide_set_threads((int)options->threads);
    tide_vector_bits_limit(options->vectors ? 64 << options->vectors : 0);
    tide_status status = open_live(&r, &error);
    bool wrong =
        status != TIDE_OK &&
        (tide_is_about_solver(&options->solvers, &error) ||
         (!r.live && tide_is_about_setting(options->scene.settings.items, options->scene.settings.count, &error)));
    if (status == TIDE_OK)
        status = run(&r, &hash, &error);
    tide_status closed = tide_recorder_close(r.recorder, status == TIDE_OK ? &error : NULL);
    status = status == TIDE_OK ? closed : status;
    tide_line_editor_destroy(r.editor);
    tide_live_close(r.live);
    tide_text_free(&r.statement);
    if (status != TIDE_OK) {
        tide_report_error(&error);
        return wrong ? TIDE_EXIT_USAGE : TIDE_EXIT_FAILED;
    }
    if (options->hash)
        printf("%016" PRIx64 "\n", hash);
    if (r.stop) { // the shell sees the signal, so that a shell loop ends too
        fflush(stdout);
        tide_signals_end(SIGINT);
    }
    return r.failed && !r.terminal ? TIDE_EXIT_FAILED : TIDE_EXIT_DONE;
}

static const tide_option options[] = {
    { "--solver", "NAME[,key=value...]", "use this solver, not the scene's", tide_option_solver,
      .offset = offsetof(tide_run_options, solvers), .release = tide_solver_list_free },
    { .more = tide_live_option_table },
};

const tide_command tide_command_repl = {
    "repl",
    "[SCENE.lua]",
    "a prompt: Lua against a live scene, or an empty world",

    "Each line is run in the scene's Lua: `scene` and `tide` are there, globals stay, and an expression's value "
    "is\n"
    "printed. A line that fails changes nothing. Lines also come from a file or a pipe:\n"
    "`echo 'scene:step(10) print(scene:hash())' | springtide repl curtain.lua`; exit status 1 if one of them "
    "failed.\n"
    "What is recorded with --record is done again by `springtide run --replay FILE`.",
    .options = options,
    .size = sizeof(tide_run_options),
    .run = run_command
};
