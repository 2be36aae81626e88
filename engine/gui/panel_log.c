// The log, and the page of keys.
#include "gui/panels_state.h"

#include <stdio.h>
#include <string.h>

void tide_panels_log_line(tide_panels *panels, tide_log_level level, const char *message)
{
    uint32_t last = (uint32_t)(panels->line_first + panels->line_count + TIDE_PANELS_LOG_LINES - 1);
    tide_panels_line *before = &panels->lines[last % TIDE_PANELS_LOG_LINES];
    if (panels->line_count && before->level == level && strncmp(before->text, message, sizeof before->text - 1) == 0) {
        before->repeated++;
        return;
    }
    if (panels->line_count == TIDE_PANELS_LOG_LINES) {
        panels->line_first = (panels->line_first + 1) % TIDE_PANELS_LOG_LINES;
        panels->line_count--;
    }
    tide_panels_line *line = &panels->lines[(panels->line_first + panels->line_count++) % TIDE_PANELS_LOG_LINES];
    *line = (tide_panels_line) { .level = level };
    snprintf(line->text, sizeof line->text, "%s", message);
    tide_log_append_warning(panels->warned, sizeof panels->warned, level, message);
}

bool tide_panels_take_warnings(tide_panels *panels, char *text, size_t size)
{
    bool some = panels->warned[0];
    if (some)
        snprintf(text, size, "%s", panels->warned);
    panels->warned[0] = '\0';
    return some;
}

void tide_panels_add_warnings(tide_panels *panels, const char *lines)
{
    char line[sizeof panels->lines->text];
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        size_t kept = length < sizeof line ? length : sizeof line - 1;
        memcpy(line, lines, kept);
        line[kept] = '\0';
        tide_panels_log_line(panels, TIDE_LOG_WARNING, line);
        lines += length + (lines[length] == '\n');
    }
}

void tide_panel_log(tide_panels *panels)
{
    enum { SHOWN = 40 };
    char text[300];
    size_t shown = panels->line_count < SHOWN ? panels->line_count : SHOWN;
    if (!shown)
        tide_gui_text(panels->gui, TIDE_GUI_QUIET, "Nothing so far.");
    for (size_t i = 0; i < shown; i++) { // newest first
        const tide_panels_line *line =
            &panels->lines[(panels->line_first + panels->line_count - 1 - i) % TIDE_PANELS_LOG_LINES];
        const char *word = line->level == TIDE_LOG_WARNING ? "warning: "
                           : line->level == TIDE_LOG_ERROR ? "error: "
                                                           : "";
        tide_gui_tone tone = line->level == TIDE_LOG_WARNING ? TIDE_GUI_WARNING
                             : line->level == TIDE_LOG_ERROR ? TIDE_GUI_ALERT
                                                             : TIDE_GUI_PLAIN;
        if (line->repeated)
            snprintf(text, sizeof text, "%s%s (%u times)", word, line->text, line->repeated + 1);
        else
            snprintf(text, sizeof text, "%s%s", word, line->text);
        tide_gui_text(panels->gui, tone, text);
    }
    if (shown && tide_gui_button(panels->gui, "Clear"))
        panels->line_first = panels->line_count = 0;
}

void tide_panel_help(tide_panels *panels)
{
    static const tide_panels_key own[] = {
        { "F1 or H", "this page" },
        { "F8", "hide and show the panels" },
        { "F9", "larger text, three sizes" },
        { "F10", "keys to the left panels, to the right ones, back to the world (and shows them in a small window)" },
        { "`", "the console: Lua against the live world" },
        { "Ctrl+Z, Ctrl+Y", "undo, redo a cut, a pin, a drag, a push, or a change of parameter, solver or timestep" },
        { "arrows", "in the panels: from widget to widget; Space or Enter uses it" },
        { "Ctrl+click, Enter", "on a slider: type the number" },
        { "Esc", "from the panels back to the world" },
        { NULL, NULL },
    };
    const tide_panels_frame *frame = panels->frame;
    tide_gui *gui = panels->gui;
    uint32_t height = frame->picture->image.height;
    float bottom = height > frame->bottom ? (float)(height - frame->bottom) : (float)height;
    if (!tide_gui_begin_page(gui, "Keys", 30 * tide_gui_em(gui), (float)tide_panels_top(panels), bottom)) {
        panels->help = false;
        return;
    }
    const tide_panels_key *lists[] = { frame->keys, own };
    for (int i = 0; i < 2; i++) {
        for (const tide_panels_key *key = lists[i]; key && key->keys; key++)
            tide_gui_pair(gui, key->keys, key->meaning);
        if (lists[i] && i == 0)
            tide_gui_gap(gui);
    }
    tide_gui_end_page(gui);
}
