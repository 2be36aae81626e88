// The panels beside a running experiment. On the left: its parameters, solver, bodies, colliders and camera. On the
// right: statistics, plots and the log. Also a page of help. Panels read a tide_live and never change it: what the user
// asks for comes out as inputs, for tide_live_apply.
//
// The window passes its events to the panels, draws a picture, and has the panels drawn over it. They have keys of
// their own: F1 or H shows help, F8 hides and shows all panels, F9 enlarges the text (three sizes), F10 gives the keys
// to the left side, to the right side and back to the world, Ctrl+Z and Ctrl+Y (or Ctrl+Shift+Z) undo and redo. While
// the panels have the keys, arrows move between widgets, Space or Enter activates one, arrows then change a number, and
// Escape goes back. If the picture has no room for both sides, it shows the side that had the keys last; in a small
// picture it shows a side only while that has the keys.
#ifndef TIDE_GUI_PANELS_H
#define TIDE_GUI_PANELS_H

#include "session/lesson.h"
#include "session/live.h"
#include "session/picture.h"

#include <SDL.h>

typedef struct tide_panels tide_panels;

typedef struct tide_panels_key {
    const char *keys, *meaning; // "Space", "pause, go on"
} tide_panels_key;

// What the tool bar asks for.
typedef enum tide_panels_button {
    TIDE_BAR_NONE,
    TIDE_BAR_PLAY, // or pause
    TIDE_BAR_STEP,
    TIDE_BAR_RESET,
    TIDE_BAR_FIRST_TOOL // the first of the frame's `tools`; the others follow it
} tide_panels_button;

typedef struct tide_panels_frame {
    tide_live *live;
    tide_picture *picture;       // drawn onto; the panels change its camera and view
    const tide_panels_key *keys; // of the window, for the page of help; the end has no `keys`; may be NULL
    const char *const *tools;    // names of the left button's tools, ended by NULL; NULL: no tool bar
    int tool;                    // index of the tool in use
    bool paused;
    const char *iterate;                      // describes the solver iteration that is shown; NULL: none
    double frames_per_second, real_time_rate; // to be shown; 0: not known
    uint32_t top, bottom;                     // pixels above and below that the panels leave free
    float text;                               // text height, pixels, before F9
} tide_panels_frame;

// Creates the panels. They receive the log (tide_log_set_sink) while they exist, and pass it on to standard error.
tide_status tide_panels_create(tide_panels **panels, tide_error *error);
void tide_panels_destroy(tide_panels *panels); // NULL does nothing

// Passes an event to the panels; a point of the window is `scale` pixels. True: the panels used it, and nobody else
// may. They do not take releases of keys and buttons that were pressed elsewhere.
bool tide_panels_event(tide_panels *panels, const SDL_Event *event, double scale);

// Shows a lesson on the right: its text, its marks, or instead of it the panels that are there else. NULL: none. To be
// called before the first layout; the lesson must outlive the panels.
void tide_panels_set_lesson(tide_panels *panels, tide_lesson *lesson);
// Returns whether the lesson's other scene was asked for since the last call.
bool tide_panels_take_switch(tide_panels *panels);

// Observes this experiment only (its steps, for plots). NULL: none; to be called with NULL before it is closed.
tide_status tide_panels_watch(tide_panels *panels, tide_live *live, tide_error *error);

// Draws the panels. Calls tide_panels_watch if `live` is another one.
tide_status tide_panels_draw(tide_panels *panels, const tide_panels_frame *frame, tide_error *error);
// Returns whether another picture is needed at once, though nothing moves: a menu opens, say.
bool tide_panels_are_unsettled(const tide_panels *panels);

// Returns the next input that the user asked for, for tide_live_apply; valid until the next call. NULL: none.
const tide_input *tide_panels_next(tide_panels *panels);

// Selects the body whose numbers are shown, by its name; "": none.
void tide_panels_select(tide_panels *panels, const char *body);
const char *tide_panels_selected(const tide_panels *panels);

// Returns the tool asked for since the last call; TIDE_BAR_NONE: none.
int tide_panels_take_button(tide_panels *panels);
// Returns whether the next solver iteration was asked for since the last call.
bool tide_panels_take_iteration(tide_panels *panels);
float tide_panels_enlargement(const tide_panels *panels); // factor of the text size, set by F9: at least 1

// Record a change for Ctrl+Z. An input is undone by another input, `before`. A change without an inverse is undone by
// restoring the whole current world. Redoing restores the world at the undo. All of these are inputs, so they are
// recorded and replayed.
void tide_panels_remember(tide_panels *panels, const tide_input *before, const tide_input *after);
void tide_panels_remember_world(tide_panels *panels);

// tide_panels_take_warnings returns the warnings logged since the last call, one per line; false: none.
// tide_panels_add_warnings adds earlier ones to the log.
bool tide_panels_take_warnings(tide_panels *panels, char *text, size_t size);
void tide_panels_add_warnings(tide_panels *panels, const char *lines);

// Shows a text for some seconds.
void tide_panels_say(tide_panels *panels, const char *text);

bool tide_panels_are_hidden(const tide_panels *panels);
void tide_panels_hide(tide_panels *panels, bool hidden);
// Chooses the sides to show in a picture of this size with text of this height (before F9). In a narrow picture both
// begin folded; the tool bar opens them.
void tide_panels_lay_out(tide_panels *panels, uint32_t width, uint32_t height, float text);
bool tide_panels_show_help(const tide_panels *panels);          // the page of keys is open
uint32_t tide_panels_top(const tide_panels *panels);            // height of the tool bar above the picture, pixels
uint32_t tide_panels_console_height(const tide_panels *panels); // pixels; 0: closed
// Returns the part of the picture between the panels, pixels from its left: the whole width if they are hidden.
void tide_panels_free_width(const tide_panels *panels, uint32_t *from, uint32_t *to);

#endif
