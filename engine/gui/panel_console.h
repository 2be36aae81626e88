// The console at the bottom of the window; ` opens and closes it. Private to the panels, except for the window's calls.
#ifndef TIDE_GUI_PANEL_CONSOLE_H
#define TIDE_GUI_PANEL_CONSOLE_H

#include "gui/panels.h"

typedef struct tide_panel_console tide_panel_console;

tide_status tide_panel_console_create(tide_panels *panels, tide_error *error);
void tide_panel_console_destroy(tide_panels *panels);
void tide_panel_console_listen(tide_panels *panels, tide_live *live); // shows its output; NULL does nothing
void tide_panel_console_prepare(tide_panels *panels);                 // to be called before a frame begins
bool tide_panel_console_is_unsettled(const tide_panels *panels);      // keys wait for the next frame
void tide_panel_console_draw(tide_panels *panels, float bottom);
// Return whether the console takes the key, or the typed text.
bool tide_panel_console_key(tide_panels *panels, const SDL_Keysym *key);
bool tide_panel_console_type(tide_panels *panels, const char *typed);
// Converts pasted text to what would be typed: with line ends, if the console has the keys. The caller frees it. NULL:
// no memory.
char *tide_panel_console_pasted(const tide_panels *panels, const char *text);

// To be called before an input is applied: shows a console line before its output.
void tide_panel_console_begin(tide_panels *panels, const tide_input *input);
// Shows that a console line (TIDE_INPUT_CONSOLE) from tide_panels_next failed.
void tide_panels_console_failed(tide_panels *panels, const tide_error *error);

#endif
