#define _POSIX_C_SOURCE 200809L
#include "app/line_editor.h"

#include "base/memory.h"
#include "script/console.h"

#include <errno.h>
#include <histedit.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

enum { REMEMBERED = 500 };

struct tide_line_editor {
    EditLine *terminal; // NULL: reads a file or pipe
    History *history;
    tide_line_completer *complete;
    void *context;
    const char *prompt;
    bool given_up;
    tide_text line;
    char buffer[4096]; // read from a file or pipe
    size_t buffer_start, buffer_end;
};

// --- at a terminal ---------------------------------------------------------------------------------------------------

static tide_line_editor *editor_of(EditLine *terminal)
{
    tide_line_editor *editor = NULL;
    el_get(terminal, EL_CLIENTDATA, &editor);
    return editor;
}

static const char *prompt_of(EditLine *terminal)
{
    return editor_of(terminal)->prompt;
}

static unsigned char give_up(EditLine *terminal, wint_t key)
{
    (void)key;
    editor_of(terminal)->given_up = true;
    return CC_EOF;
}

// Completes with the common prefix of all names; if that adds nothing, lists the names.
static unsigned char complete(EditLine *terminal, wint_t key)
{
    (void)key;
    tide_line_editor *editor = editor_of(terminal);
    const LineInfo *info = el_line(terminal);
    tide_text text = { 0 }, names = { 0 };
    size_t length = 0, common = 0;
    unsigned char result = CC_NORM;
    tide_text_add(&text, info->buffer, (size_t)(info->cursor - info->buffer));
    if (editor->complete && !text.failed)
        editor->complete(editor->context, text.bytes ? text.bytes : "", &names, &length);
    if (names.length && !names.failed)
        common = tide_common_beginning(names.bytes);
    if (common > length) {
        names.bytes[common] = '\0';
        if (el_insertstr(terminal, names.bytes + length) == 0)
            result = CC_REFRESH;
    } else if (common) {
        puts("");
        for (const char *name = names.bytes; *name; name += strcspn(name, "\n"), name += *name == '\n')
            printf("%.*s  ", (int)strcspn(name, "\n"), name);
        puts("");
        fflush(stdout);
        result = CC_REDISPLAY;
    }
    tide_text_free(&text);
    tide_text_free(&names);
    return result;
}

static bool open_terminal(tide_line_editor *editor)
{
    static const char *const keys[][2] = {
        { "\\e[1~", "ed-move-to-beg" },      { "\\e[H", "ed-move-to-beg" },  { "\\eOH", "ed-move-to-beg" },
        { "\\e[4~", "ed-move-to-end" },      { "\\e[F", "ed-move-to-end" },  { "\\eOF", "ed-move-to-end" },
        { "\\e[3~", "ed-delete-next-char" }, { "^U", "vi-kill-line-prev" },  { "^W", "ed-delete-prev-word" },
        { "^I", "springtide-complete" },     { "^C", "springtide-give-up" },
    };
    HistEvent event;
    setlocale(LC_CTYPE, "C.UTF-8"); // for multibyte characters
    editor->history = history_init();
    editor->terminal = el_init("springtide", stdin, stdout, stderr);
    if (!editor->terminal || !editor->history)
        return false;
    history(editor->history, &event, H_SETSIZE, REMEMBERED);
    history(editor->history, &event, H_SETUNIQUE, 1);
    el_set(editor->terminal, EL_CLIENTDATA, editor);
    el_set(editor->terminal, EL_PROMPT, prompt_of);
    el_set(editor->terminal, EL_EDITOR, "emacs");
    el_set(editor->terminal, EL_HIST, history, editor->history);
    el_set(editor->terminal, EL_SIGNAL, 1);                  // a signal restores the terminal
    el_set(editor->terminal, EL_SETTY, "-d", "-isig", NULL); // Ctrl+C is an ordinary key
    // el_set would leak copies of these names.
    el_wset(editor->terminal, EL_ADDFN, L"springtide-complete", L"complete a name", complete);
    el_wset(editor->terminal, EL_ADDFN, L"springtide-give-up", L"give the line up", give_up);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        el_set(editor->terminal, EL_BIND, keys[i][0], keys[i][1], NULL);
    return true;
}

static tide_line_end read_terminal(tide_line_editor *editor, const char *prompt)
{
    int count;
    editor->prompt = prompt;
    editor->given_up = false;
    errno = 0;
    const char *line = el_gets(editor->terminal, &count);
    tide_text_clear(&editor->line);
    if (editor->given_up || (!line && errno == EINTR)) {
        puts("");
        return TIDE_LINE_GIVEN_UP;
    }
    if (!line) {
        puts("");
        return TIDE_LINE_OVER;
    }
    tide_text_add(&editor->line, line, strcspn(line, "\n"));
    return TIDE_LINE_READ;
}

// --- from a file or pipe ---------------------------------------------------------------------------------------------

static bool fill_buffer(tide_line_editor *editor)
{
    ssize_t got;
    do
        got = read(STDIN_FILENO, editor->buffer, sizeof editor->buffer);
    while (got < 0 && errno == EINTR);
    editor->buffer_start = 0;
    editor->buffer_end = got > 0 ? (size_t)got : 0;
    return got > 0;
}

static tide_line_end read_plain(tide_line_editor *editor)
{
    tide_text *line = &editor->line;
    tide_text_clear(line);
    for (bool began = false;; began = true) {
        if (editor->buffer_start == editor->buffer_end && !fill_buffer(editor))
            return began ? TIDE_LINE_READ : TIDE_LINE_OVER;
        const char *from = editor->buffer + editor->buffer_start;
        size_t size = editor->buffer_end - editor->buffer_start;
        const char *end = memchr(from, '\n', size);
        size_t used = end ? (size_t)(end - from) : size;
        tide_text_add(line, from, used);
        editor->buffer_start += used + (end != NULL);
        if (end)
            return TIDE_LINE_READ;
    }
}

// --- the editor ------------------------------------------------------------------------------------------------------

tide_status tide_line_editor_create(tide_line_completer *completer, void *context, tide_line_editor **out,
                                    tide_error *error)
{
    tide_line_editor *editor = tide_allocate_zeroed(1, sizeof *editor);
    const char *kind = getenv("TERM");
    if (!editor)
        return tide_fail_memory(error, "terminal");
    editor->complete = completer;
    editor->context = context;
    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && kind && strcmp(kind, "dumb") != 0 && !open_terminal(editor)) {
        tide_line_editor_destroy(editor);
        return tide_fail_memory(error, "terminal");
    }
    *out = editor;
    return TIDE_OK;
}

void tide_line_editor_destroy(tide_line_editor *editor)
{
    if (!editor)
        return;
    if (editor->terminal)
        el_end(editor->terminal);
    if (editor->history)
        history_end(editor->history);
    tide_text_free(&editor->line);
    tide_free(editor);
}

bool tide_line_editor_is_terminal(const tide_line_editor *editor)
{
    return editor->terminal != NULL;
}

void tide_line_editor_remember(tide_line_editor *editor, const char *line)
{
    HistEvent event;
    if (editor->terminal && line[0])
        history(editor->history, &event, H_ENTER, line);
}

tide_line_end tide_line_editor_read(tide_line_editor *editor, const char *prompt, const char **line)
{
    tide_line_end end = editor->terminal ? read_terminal(editor, prompt) : read_plain(editor);
    *line = editor->line.bytes ? editor->line.bytes : "";
    return editor->line.failed ? TIDE_LINE_OVER : end;
}
