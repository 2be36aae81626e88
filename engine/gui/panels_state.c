// Shared by the panels.
#include "gui/panels_state.h"

#include "base/clock.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>

void tide_panels_row(tide_panels *panels, const char *label, const char *format, ...)
{
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tide_gui_row(panels->gui, label, text);
}

float tide_panels_enlargement(const tide_panels *panels)
{
    static const float sizes[] = { 1, 1.35f, 1.8f };
    return sizes[panels->enlarged];
}

void tide_panels_say(tide_panels *panels, const char *text)
{
    snprintf(panels->said, sizeof panels->said, "%s", text);
    panels->said_until = tide_clock_seconds() + 4;
}

void tide_panels_copy(tide_panels *panels, const char *text, const char *what)
{
    char said[100];
    char *copy = tide_copy_string(text);
    tide_free(panels->copied);
    panels->copied = copy;
    panels->failed = panels->failed || !copy;
    SDL_SetClipboardText(text);
    snprintf(said, sizeof said, "copied: %s", what);
    tide_panels_say(panels, said);
}
