#define _POSIX_C_SOURCE 200809L
#include "gui/line_editor.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { REMEMBERED = 500 };
enum {
    CTRL_A = 1,
    CTRL_C = 3,
    CTRL_D = 4,
    CTRL_E = 5,
    CTRL_H = 8,
    TAB = 9,
    NEWLINE = 10,
    CTRL_K = 11,
    CTRL_L = 12,
    ENTER = 13,
    CTRL_U = 21,
    CTRL_W = 23,
    ESCAPE = 27,
    BACKSPACE = 127
};
// What sequences of the terminal stand for.
enum { KEY_LEFT = 1000, KEY_RIGHT, KEY_UP, KEY_DOWN, KEY_HOME, KEY_END, KEY_DELETE, KEY_OVER, KEY_OTHER };

struct tide_line_editor {
    int in, out;
    bool is_terminal;
    tide_line_completer *complete;
    void *context;
    tide_text line, pasted; // `pasted`: as it was before Up
    size_t cursor;          // bytes
    char *before[REMEMBERED];
    size_t before_count, at; // at: which of them is shown; before_count: none
    char buffer[4096];       // of a file or pipe
    size_t buffer_start, buffer_end;
};

tide_status tide_line_editor_create(int in, int out, tide_line_completer *complete, void *context,
                                    tide_line_editor **out_editor, tide_error *error)
{
    tide_line_editor *editor = tide_allocate_zeroed(1, sizeof *editor);
    if (!editor)
        return tide_fail_memory(error, "terminal");
    const char *kind = getenv("TERM");
    editor->in = in;
    editor->out = out;
    editor->is_terminal = isatty(in) && isatty(out) && kind && strcmp(kind, "dumb") != 0;
    editor->complete = complete;
    editor->context = context;
    *out_editor = editor;
    return TIDE_OK;
}

void tide_line_editor_destroy(tide_line_editor *editor)
{
    if (!editor)
        return;
    for (size_t i = 0; i < editor->before_count; i++)
        tide_free(editor->before[i]);
    tide_text_free(&editor->line);
    tide_text_free(&editor->pasted);
    tide_free(editor);
}

bool tide_line_editor_is_terminal(const tide_line_editor *editor)
{
    return editor->is_terminal;
}

void tide_line_editor_remember(tide_line_editor *editor, const char *line)
{
    if (!line[0] || (editor->before_count && strcmp(editor->before[editor->before_count - 1], line) == 0))
        return;
    char *copy = tide_copy_string(line);
    if (!copy)
        return;
    if (editor->before_count == REMEMBERED) {
        tide_free(editor->before[0]);
        memmove(editor->before, editor->before + 1, (REMEMBERED - 1) * sizeof *editor->before);
        editor->before_count--;
    }
    editor->before[editor->before_count++] = copy;
}

size_t tide_common_beginning(const char *names)
{
    size_t common = strcspn(names, "\n");
    for (const char *name = names; *name; name += strcspn(name, "\n"), name += *name == '\n') {
        size_t same = 0;
        while (same < common && name[same] == names[same] && name[same] != '\n')
            same++;
        common = same;
    }
    return common;
}

// --- the terminal ----------------------------------------------------------------------------------------------------

static void put(const tide_line_editor *editor, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(editor->out, bytes, size);
        if (written < 0 && errno != EINTR)
            return;
        if (written > 0) {
            bytes += written;
            size -= (size_t)written;
        }
    }
}

static int get_byte(const tide_line_editor *editor)
{
    unsigned char byte;
    ssize_t got;
    do
        got = read(editor->in, &byte, 1);
    while (got < 0 && errno == EINTR);
    return got == 1 ? byte : -1;
}

// Bytes of UTF-8 that begin no character
static bool is_inside(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

static size_t count_characters(const char *bytes, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += !is_inside(bytes[i]);
    return count;
}

static size_t terminal_width(const tide_line_editor *editor)
{
    struct winsize size;
    return ioctl(editor->out, TIOCGWINSZ, &size) == 0 && size.ws_col > 10 ? size.ws_col : 80;
}

static const char *text_of(const tide_line_editor *editor)
{
    return editor->line.bytes ? editor->line.bytes : "";
}

// Shows the part of the line around the cursor that has room beside the prompt.
static void refresh(tide_line_editor *editor, const char *prompt)
{
    const char *line = text_of(editor);
    size_t taken = count_characters(prompt, strlen(prompt)), wide = terminal_width(editor);
    size_t room = wide > taken + 10 ? wide - taken - 1 : 10, from = 0, to = editor->line.length;
    while (count_characters(line + from, editor->cursor - from) >= room)
        do
            from++;
        while (from < editor->cursor && is_inside(line[from]));
    while (count_characters(line + from, to - from) > room)
        do
            to--;
        while (to > from && is_inside(line[to]));
    tide_text shown = { 0 };
    tide_text_format(&shown, "\r%s", prompt);
    tide_text_add(&shown, line + from, to - from);
    tide_text_format(&shown, "\x1b[K\r\x1b[%zuC", taken + count_characters(line + from, editor->cursor - from));
    if (!shown.failed)
        put(editor, shown.bytes, shown.length);
    tide_text_free(&shown);
}

static int read_sequence(const tide_line_editor *editor)
{
    int first = get_byte(editor), second = first == '[' || first == 'O' ? get_byte(editor) : -1, last = second;
    while (last >= 0 && last < 0x40) // its numbers
        last = get_byte(editor);
    switch (last) {
    case 'A':
        return KEY_UP;
    case 'B':
        return KEY_DOWN;
    case 'C':
        return KEY_RIGHT;
    case 'D':
        return KEY_LEFT;
    case 'H':
        return KEY_HOME;
    case 'F':
        return KEY_END;
    case '~':
        return second == '3'                    ? KEY_DELETE
               : second == '1' || second == '7' ? KEY_HOME
               : second == '4' || second == '8' ? KEY_END
                                                : KEY_OTHER;
    default:
        return KEY_OTHER;
    }
}

static int read_key(const tide_line_editor *editor)
{
    int byte = get_byte(editor);
    return byte < 0 ? KEY_OVER : byte == ESCAPE ? read_sequence(editor) : byte;
}

// --- editing ---------------------------------------------------------------------------------------------------------

static void set_line(tide_line_editor *editor, const char *text)
{
    tide_text_clear(&editor->line);
    tide_text_add(&editor->line, text, strlen(text));
    editor->cursor = editor->line.length;
}

static void insert(tide_line_editor *editor, const char *bytes, size_t size)
{
    tide_text *line = &editor->line;
    size_t after = line->length - editor->cursor;
    tide_text_add(line, bytes, size); // makes room
    if (line->failed)
        return;
    memmove(line->bytes + editor->cursor + size, line->bytes + editor->cursor, after);
    memcpy(line->bytes + editor->cursor, bytes, size);
    editor->cursor += size;
}

static void erase(tide_line_editor *editor, size_t from, size_t to)
{
    tide_text *line = &editor->line;
    if (from == to)
        return;
    memmove(line->bytes + from, line->bytes + to, line->length - to + 1);
    line->length -= to - from;
    editor->cursor = from;
}

static size_t left_of(const tide_line_editor *editor, size_t at)
{
    const char *line = text_of(editor);
    if (at > 0)
        at--;
    while (at > 0 && is_inside(line[at]))
        at--;
    return at;
}

static size_t right_of(const tide_line_editor *editor, size_t at)
{
    const char *line = text_of(editor);
    if (at < editor->line.length)
        at++;
    while (at < editor->line.length && is_inside(line[at]))
        at++;
    return at;
}

static size_t word_before(const tide_line_editor *editor)
{
    const char *line = text_of(editor);
    size_t at = editor->cursor;
    while (at > 0 && line[at - 1] == ' ')
        at--;
    while (at > 0 && line[at - 1] != ' ')
        at--;
    return at;
}

static void recall(tide_line_editor *editor, bool earlier)
{
    size_t at = editor->at;
    if (earlier ? at == 0 : at == editor->before_count)
        return;
    if (at == editor->before_count) {
        tide_text_clear(&editor->pasted);
        tide_text_add(&editor->pasted, text_of(editor), editor->line.length);
    }
    editor->at = earlier ? at - 1 : at + 1;
    const char *kept = editor->pasted.bytes ? editor->pasted.bytes : "";
    set_line(editor, editor->at < editor->before_count ? editor->before[editor->at] : kept);
}

// Adds what all names have in common; where that is nothing, shows them.
static void complete(tide_line_editor *editor)
{
    tide_text names = { 0 };
    size_t length = 0;
    char *text = editor->complete ? tide_copy_string(text_of(editor)) : NULL;
    if (!text)
        return;
    text[editor->cursor] = '\0';
    editor->complete(editor->context, text, &names, &length);
    tide_free(text);
    size_t common = names.length && !names.failed ? tide_common_beginning(names.bytes) : 0;
    if (common > length)
        insert(editor, names.bytes + length, common - length);
    else if (common) {
        put(editor, "\r\n", 2);
        for (const char *name = names.bytes; *name; name += strcspn(name, "\n"), name += *name == '\n') {
            put(editor, name, strcspn(name, "\n"));
            put(editor, "  ", 2);
        }
        put(editor, "\r\n", 2);
    }
    tide_text_free(&names);
}

static void use_key(tide_line_editor *editor, int key)
{
    size_t end = editor->line.length;
    switch (key) {
    case KEY_LEFT:
        editor->cursor = left_of(editor, editor->cursor);
        break;
    case KEY_RIGHT:
        editor->cursor = right_of(editor, editor->cursor);
        break;
    case KEY_HOME:
    case CTRL_A:
        editor->cursor = 0;
        break;
    case KEY_END:
    case CTRL_E:
        editor->cursor = end;
        break;
    case KEY_UP:
    case KEY_DOWN:
        recall(editor, key == KEY_UP);
        break;
    case BACKSPACE:
    case CTRL_H:
        erase(editor, left_of(editor, editor->cursor), editor->cursor);
        break;
    case CTRL_D:
    case KEY_DELETE:
        erase(editor, editor->cursor, right_of(editor, editor->cursor));
        break;
    case CTRL_K:
        erase(editor, editor->cursor, end);
        break;
    case CTRL_U:
        erase(editor, 0, editor->cursor);
        break;
    case CTRL_W:
        erase(editor, word_before(editor), editor->cursor);
        break;
    case CTRL_L:
        put(editor, "\x1b[H\x1b[2J", 7);
        break;
    case TAB:
        complete(editor);
        break;
    default:
        if (key >= ' ' && key < 256)
            insert(editor, &(char) { (char)key }, 1);
        break;
    }
}

static tide_line_end edit(tide_line_editor *editor, const char *prompt)
{
    editor->at = editor->before_count;
    set_line(editor, "");
    for (;;) {
        refresh(editor, prompt);
        int key = read_key(editor);
        if (key == KEY_OVER || (key == CTRL_D && !editor->line.length))
            return TIDE_LINE_OVER;
        if (key == CTRL_C)
            return TIDE_LINE_GIVEN_UP;
        if (key == ENTER || key == NEWLINE)
            return TIDE_LINE_READ;
        use_key(editor, key);
    }
}

// --- lines -----------------------------------------------------------------------------------------------------------

// Byte by byte out of a buffer, so that what another reads after it is not lost in stdio.
static tide_line_end read_plain(tide_line_editor *editor)
{
    tide_text *line = &editor->line;
    bool began = false;
    tide_text_clear(line);
    for (;;) {
        if (editor->buffer_start == editor->buffer_end) {
            ssize_t got;
            do
                got = read(editor->in, editor->buffer, sizeof editor->buffer);
            while (got < 0 && errno == EINTR);
            editor->buffer_start = 0;
            editor->buffer_end = got > 0 ? (size_t)got : 0;
            if (got <= 0)
                return began ? TIDE_LINE_READ : TIDE_LINE_OVER;
        }
        const char *from = editor->buffer + editor->buffer_start;
        size_t size = editor->buffer_end - editor->buffer_start;
        const char *end = memchr(from, '\n', size);
        size_t used = end ? (size_t)(end - from) : size;
        tide_text_add(line, from, used);
        editor->buffer_start += used + (end != NULL);
        began = true;
        if (end)
            return TIDE_LINE_READ;
    }
}

tide_line_end tide_line_editor_read(tide_line_editor *editor, const char *prompt, const char **line)
{
    struct termios before, raw;
    tide_line_end end;
    if (editor->is_terminal && tcgetattr(editor->in, &before) == 0) {
        raw = before;
        raw.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
        raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN | ISIG);
        raw.c_cc[VMIN] = 1;
        raw.c_cc[VTIME] = 0;
        tcsetattr(editor->in, TCSADRAIN, &raw);
        end = edit(editor, prompt);
        tcsetattr(editor->in, TCSADRAIN, &before);
        put(editor, "\r\n", 2);
    } else
        end = read_plain(editor);
    if (editor->line.failed)
        end = TIDE_LINE_OVER;
    *line = text_of(editor);
    return end;
}
