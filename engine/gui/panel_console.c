// The console at the bottom: lines of Lua run in the world. A line is an input like any other.
#include "gui/panel_console.h"

#include "base/memory.h"
#include "gui/panels_state.h"
#include "script/console.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LINES = 400,      // lines that are shown
    REMEMBERED = 200, // lines in the history
    TEXT = 4096,      // bytes of the input line
    LONGEST = 4000,   // bytes of a line that is shown
    NAMES = 120       // names that Tab lists at most
};

typedef struct shown_line {
    tide_gui_tone tone;
    char *text;
} shown_line;

struct tide_panel_console {
    bool open, focus, follow;
    float height; // pixels, in the last drawing
    int waiting;  // frames until the prompt gets the keys; typing goes to `early` until then
    tide_text early;
    shown_line lines[LINES]; // ring buffer
    size_t first, count;
    tide_text printed; // the incomplete line of output
    char text[TEXT];   // the input line
    tide_text statement, answer;
    char *before[REMEMBERED];
    size_t before_count, at;
    char kept[TEXT]; // the input line before Up
};

// --- what is shown ---------------------------------------------------------------------------------------------------

static void show_line(tide_panels *panels, tide_gui_tone tone, const char *text, size_t size)
{
    tide_panel_console *console = panels->console;
    char *copy = tide_allocate((size < LONGEST ? size : LONGEST) + 4);
    if (!copy) {
        panels->failed = true;
        return;
    }
    snprintf(copy, (size < LONGEST ? size : LONGEST) + 4, "%.*s%s", (int)(size < LONGEST ? size : LONGEST), text,
             size > LONGEST ? "..." : "");
    if (console->count == LINES) {
        tide_free(console->lines[console->first].text);
        console->first = (console->first + 1) % LINES;
        console->count--;
    }
    console->lines[(console->first + console->count++) % LINES] = (shown_line) { tone, copy };
    console->follow = true;
}

static void show_text(tide_panels *panels, tide_gui_tone tone, const char *text)
{
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        show_line(panels, tone, line, strcspn(line, "\n"));
}

static void flush_printed(tide_panels *panels)
{
    tide_text *printed = &panels->console->printed;
    if (printed->length)
        show_line(panels, TIDE_GUI_PLAIN, printed->bytes, printed->length);
    tide_text_clear(printed);
}

// Adds output, which may end within a line.
static void print(void *context, const char *bytes, size_t size)
{
    tide_panels *panels = context;
    tide_text *printed = &panels->console->printed;
    while (size > 0) {
        const char *end = memchr(bytes, '\n', size);
        size_t length = end ? (size_t)(end - bytes) : size;
        for (size_t i = 0; i < length && printed->length <= LONGEST; i++)
            tide_text_add(printed, bytes[i] == '\t' ? "  " : bytes[i] ? bytes + i : "?", bytes[i] == '\t' ? 2 : 1);
        if (end && printed->length)
            flush_printed(panels);
        else if (end)
            show_line(panels, TIDE_GUI_PLAIN, "", 0);
        bytes += length + (end != NULL);
        size -= length + (end != NULL);
    }
}

void tide_panel_console_listen(tide_panels *panels, tide_live *live)
{
    const tide_live_printer printer = { print, panels };
    if (live)
        tide_live_set_printer(live, &printer);
}

void tide_panels_console_failed(tide_panels *panels, const tide_error *error)
{
    char text[1280];
    flush_printed(panels);
    show_text(panels, TIDE_GUI_ALERT, tide_error_text(error, text, sizeof text));
    const char *calls = panels->live ? tide_script_traceback(tide_live_script(panels->live)) : "";
    for (const char *call = calls; strchr(calls, '\n') && *call; call += strcspn(call, "\n"), call += *call == '\n') {
        snprintf(text, sizeof text, "  %.*s", (int)strcspn(call, "\n"), call);
        show_line(panels, TIDE_GUI_ALERT, text, strlen(text));
    }
}

// --- what is typed ---------------------------------------------------------------------------------------------------

static void remember(tide_panel_console *console, const char *line)
{
    char *copy = console->before_count && strcmp(console->before[console->before_count - 1], line) == 0
                     ? NULL
                     : tide_copy_string(line);
    if (copy && console->before_count == REMEMBERED) {
        tide_free(console->before[0]);
        memmove(console->before, console->before + 1, (REMEMBERED - 1) * sizeof *console->before);
        console->before_count--;
    }
    if (copy)
        console->before[console->before_count++] = copy;
    console->at = console->before_count;
}

static const char *recall(tide_panel_console *console, bool earlier, const char *text)
{
    if (earlier ? console->at == 0 : console->at == console->before_count)
        return NULL;
    if (console->at == console->before_count)
        snprintf(console->kept, sizeof console->kept, "%s", text);
    console->at = earlier ? console->at - 1 : console->at + 1;
    return console->at < console->before_count ? console->before[console->at] : console->kept;
}

static void show_names(tide_panels *panels, const char *names)
{
    tide_text row = { 0 };
    size_t count = 0;
    for (const char *name = names; *name; name += strcspn(name, "\n"), name += *name == '\n', count++)
        if (count < NAMES)
            tide_text_format(&row, "%s%.*s", count ? "  " : "", (int)strcspn(name, "\n"), name);
    if (count > NAMES)
        tide_text_format(&row, "  ... (%zu in all)", count);
    if (row.length && !row.failed)
        show_line(panels, TIDE_GUI_QUIET, row.bytes, row.length);
    tide_text_free(&row);
}

// Completes with the common prefix of all names; if that adds nothing, lists them.
static const char *complete(tide_panels *panels, const char *text, size_t cursor, size_t *from, size_t *to)
{
    tide_panel_console *console = panels->console;
    tide_text names = { 0 };
    tide_error unread;
    size_t length = 0;
    char *start = tide_copy_string(text);
    tide_text_clear(&console->answer);
    if (!start || !panels->live) {
        tide_free(start);
        return NULL;
    }
    start[cursor] = '\0';
    tide_status status = tide_script_complete(tide_live_script(panels->live), start, &names, &length, &unread);
    tide_free(start);
    size_t common = status == TIDE_OK && names.length && !names.failed ? tide_common_beginning(names.bytes) : 0;
    if (common > length)
        tide_text_add(&console->answer, names.bytes, common);
    else if (common || (names.length && status == TIDE_OK && !names.failed))
        show_names(panels, names.bytes);
    tide_text_free(&names);
    *from = cursor - length;
    *to = cursor;
    return console->answer.length && !console->answer.failed ? console->answer.bytes : NULL;
}

static const char *answer(void *context, const char *asked, const char *text, size_t cursor, size_t *from, size_t *to)
{
    tide_panels *panels = context;
    if (strcmp(asked, TIDE_GUI_COMPLETE) != 0)
        return recall(panels->console, strcmp(asked, TIDE_GUI_EARLIER) == 0, text);
    return complete(panels, text, cursor, from, to);
}

// Shows each line of a statement with its prompt mark.
static void echo(const char *statement, void (*show)(tide_panels *, tide_gui_tone, const char *, size_t),
                 tide_panels *panels)
{
    char text[TEXT + 8];
    for (const char *line = statement; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        snprintf(text, sizeof text, "%s %.*s", line == statement ? ">" : ">>", (int)strcspn(line, "\n"), line);
        show(panels, TIDE_GUI_QUIET, text, strlen(text));
    }
}

void tide_panel_console_begin(tide_panels *panels, const tide_input *input)
{
    if (input->kind == TIDE_INPUT_CONSOLE)
        echo(input->text, show_line, panels);
}

// Collects the lines of a statement until it is complete.
static void enter(void *context, const char *line)
{
    tide_panels *panels = context;
    tide_panel_console *console = panels->console;
    tide_text *statement = &console->statement;
    console->follow = true;
    if (line[strspn(line, " \t")] || statement->length) {
        tide_text_format(statement, "%s%s", statement->length ? "\n" : "", line);
        remember(console, line);
    }
    if (statement->failed)
        panels->failed = true;
    else if (statement->length && panels->live &&
             !tide_script_is_unfinished(tide_live_script(panels->live), statement->bytes)) {
        tide_panels_ask(panels, &(tide_input) { .kind = TIDE_INPUT_CONSOLE, .text = statement->bytes });
        tide_text_clear(statement);
    }
}

// --- the panel -------------------------------------------------------------------------------------------------------

static void draw_line(tide_panels *panels, tide_gui_tone tone, const char *text, size_t length)
{
    (void)length;
    tide_gui_text(panels->gui, tone, text);
}

bool tide_panel_console_is_unsettled(const tide_panels *panels)
{
    return panels->console->waiting > 0;
}

void tide_panel_console_prepare(tide_panels *panels)
{
    tide_panel_console *console = panels->console;
    if (!tide_gui_is_prompted(panels->gui))
        return;
    console->waiting = 0;
    if (console->early.length)
        tide_gui_type(panels->gui, console->early.bytes);
    tide_text_clear(&console->early);
}

uint32_t tide_panels_console_height(const tide_panels *panels)
{
    return panels->console->open ? (uint32_t)ceilf(panels->console->height) : 0;
}

void tide_panel_console_draw(tide_panels *panels, float bottom)
{
    enum { HEIGHT = 13, NARROWEST = 26 }; // em
    tide_panel_console *console = panels->console;
    tide_gui *gui = panels->gui;
    if (!console->open)
        return;
    float em = tide_gui_em(gui), wide = (float)panels->frame->picture->image.width;
    float left = panels->width[0], right = wide - panels->width[1];
    if (right - left < NARROWEST * em) {
        left = 0;
        right = wide;
    }
    float height = HEIGHT * em < 0.6f * bottom ? HEIGHT * em : 0.6f * bottom;
    console->height = height;
    tide_gui_begin_bottom(gui, left, right, bottom, height);
    bool follow = console->follow;
    console->follow = false;
    tide_gui_begin_scroll(gui, "lines", follow);
    if (!console->count && !console->statement.length)
        tide_gui_text(gui, TIDE_GUI_QUIET,
                      "Lua against the live world: `scene`, `tide`. Tab completes, Up brings back, ` or Esc closes.");
    for (size_t i = 0; i < console->count; i++) {
        const shown_line *line = &console->lines[(console->first + i) % LINES];
        tide_gui_text(gui, line->tone, line->text);
    }
    echo(console->statement.length ? console->statement.bytes : "", draw_line, panels);
    tide_gui_end_scroll(gui);
    const tide_gui_line_callbacks callbacks = { answer, enter, panels };
    tide_gui_prompt(gui, "console", console->statement.length ? ">>" : ">", console->text, sizeof console->text,
                    console->focus, &callbacks);
    console->focus = false;
    tide_gui_end_bottom(gui);
    console->waiting -= console->waiting > 0;
}

bool tide_panel_console_type(tide_panels *panels, const char *typed)
{
    tide_panel_console *console = panels->console;
    bool ours = tide_gui_is_prompted(panels->gui);
    if (!ours && !console->waiting)
        return strcmp(typed, "`") == 0 && (console->open || !tide_gui_takes_text(panels->gui));
    if (strcmp(typed, "`") == 0) // closes the console
        return true;
    if (ours && !console->early.length)
        tide_gui_type(panels->gui, typed);
    else
        tide_text_add(&console->early, typed, strlen(typed));
    return true;
}

char *tide_panel_console_pasted(const tide_panels *panels, const char *text)
{
    static const char end[] = TIDE_GUI_LINE_END;
    tide_text lines = { 0 };
    bool ours = tide_gui_is_prompted(panels->gui);
    for (const char *c = text; *c; c++)
        if (*c == '\n' && ours)
            tide_text_add(&lines, end, sizeof end - 1);
        else if (*c != '\r' || !ours)
            tide_text_add(&lines, c, 1);
    char *copy = lines.failed ? NULL : tide_copy_string(lines.length ? lines.bytes : "");
    tide_text_free(&lines);
    return copy;
}

// Returns the request mark that a key inserts into the input line, or NULL.
static const char *mark_of(SDL_Keycode key)
{
    static const struct {
        SDL_Keycode key;
        const char *mark;
    } marks[] = { { SDLK_RETURN, TIDE_GUI_LINE_END },
                  { SDLK_KP_ENTER, TIDE_GUI_LINE_END },
                  { SDLK_TAB, TIDE_GUI_COMPLETE },
                  { SDLK_UP, TIDE_GUI_EARLIER },
                  { SDLK_DOWN, TIDE_GUI_LATER } };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (marks[i].key == key)
            return marks[i].mark;
    return NULL;
}

bool tide_panel_console_key(tide_panels *panels, const SDL_Keysym *key)
{
    tide_panel_console *console = panels->console;
    bool with = (key->mod & (KMOD_CTRL | KMOD_SHIFT | KMOD_ALT)) != 0;
    bool ours = tide_gui_is_prompted(panels->gui) || console->waiting;
    const char *mark = ours && !with ? mark_of(key->sym) : NULL;
    if (mark)
        return tide_panel_console_type(panels, mark);
    if (key->sym == SDLK_c && (key->mod & KMOD_CTRL) && ours && console->statement.length) {
        tide_text_clear(&console->statement); // drops the statement
        return true;
    }
    bool turned = key->sym == SDLK_BACKQUOTE && !with && (ours || !tide_gui_takes_text(panels->gui));
    if (!turned && !(key->sym == SDLK_ESCAPE && ours))
        return ours && !tide_gui_has_keys(panels->gui); // it has the keys; the next frame will tell
    console->open = !console->open;
    console->waiting = console->open ? 8 : 0;
    console->focus = console->follow = console->open;
    tide_text_clear(&console->early);
    if (!console->open)
        tide_gui_leave(panels->gui);
    return true;
}

tide_status tide_panel_console_create(tide_panels *panels, tide_error *error)
{
    panels->console = tide_allocate_zeroed(1, sizeof *panels->console);
    return panels->console ? TIDE_OK : tide_fail_memory(error, "panels");
}

void tide_panel_console_destroy(tide_panels *panels)
{
    tide_panel_console *console = panels->console;
    if (!console)
        return;
    for (size_t i = 0; i < console->count; i++)
        tide_free(console->lines[(console->first + i) % LINES].text);
    for (size_t i = 0; i < console->before_count; i++)
        tide_free(console->before[i]);
    tide_text_free(&console->printed);
    tide_text_free(&console->early);
    tide_text_free(&console->statement);
    tide_text_free(&console->answer);
    tide_free(console);
    panels->console = NULL;
}
