// The console at the bottom of the window: ` opens and closes it. Private to the panels, but for what the window tells.
#ifndef TIDE_GUI_PANEL_CONSOLE_H
#define TIDE_GUI_PANEL_CONSOLE_H

#include "gui/panels.h"

typedef struct tide_panel_console tide_panel_console;

tide_status tide_panel_console_create(tide_panels *panels, tide_error *error);
void tide_panel_console_destroy(tide_panels *panels);
void tide_panel_console_listen(tide_panels *panels, tide_live *live); // to what its lines print; NULL: does nothing
void tide_panel_console_prepare(tide_panels *panels);                 // before a frame begins
bool tide_panel_console_is_unsettled(const tide_panels *panels);      // keys wait for the next frame
void tide_panel_console_draw(tide_panels *panels, float bottom);
// Whether the key, or what is typed, is the console's.
bool tide_panel_console_key(tide_panels *panels, const SDL_Keysym *key);
bool tide_panel_console_type(tide_panels *panels, const char *typed);
// What is pasted as it is to be typed, to be freed: lines that end, where the console has the keys. NULL: no memory.
char *tide_panel_console_pasted(const tide_panels *panels, const char *text);

// An input is about to be given: a line is shown, before what it prints.
void tide_panel_console_begin(tide_panels *panels, const tide_input *input);
// A line (TIDE_INPUT_CONSOLE) that tide_panels_next gave failed.
void tide_panels_console_failed(tide_panels *panels, const tide_error *error);

#endif
