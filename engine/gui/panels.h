// The panels beside a running experiment: what it is made of on the left (parameters, solver, bodies, colliders,
// camera), what it does on the right (statistics, plots, the log), and a page of help. They read a tide_live and never
// change it: what is asked for there comes out as inputs, for tide_live_apply.
//
// The window gives them its events and, once a picture is drawn, has them drawn over it. Keys of their own: F1 or H
// help, F8 hides and shows all, F9 larger text (three sizes), F10 gives the keys to the left side, to the right one and
// back to the world, Ctrl+Z and Ctrl+Y (or Ctrl+Shift+Z) undo and redo. While the panels have the keys, arrows go from
// one widget to the next, Space or Enter uses it, arrows then change a number, Escape goes back. Where the picture has
// no room for both sides, it is the one that had the keys last that is there; in a small one none, unless it has them.
#ifndef TIDE_GUI_PANELS_H
#define TIDE_GUI_PANELS_H

#include "session/live.h"
#include "session/picture.h"

#include <SDL.h>

typedef struct tide_panels tide_panels;

typedef struct tide_panels_key {
    const char *keys, *meaning; // "Space", "pause, go on"
} tide_panels_key;

// What the bar of tools asks for.
typedef enum tide_panels_tool {
    TIDE_TOOL_NONE,
    TIDE_TOOL_PLAY, // or pause
    TIDE_TOOL_STEP,
    TIDE_TOOL_RESET,
    TIDE_TOOL_HAND // the first of the frame's `hands`; the others follow
} tide_panels_tool;

typedef struct tide_panels_frame {
    tide_live *live;
    tide_picture *picture;       // drawn onto; its camera and view are changed where the panels say so
    const tide_panels_key *keys; // of the window, for the page of help; ended by one without keys; may be NULL
    const char *const *hands;    // names of what the left button does, ended by NULL; NULL: there is no bar of tools
    int hand;                    // the one in use
    bool paused;
    const char *iterate;                      // what is told of the solver iteration that is shown; NULL: none is
    double frames_per_second, real_time_rate; // that are shown; 0: not known
    uint32_t top, bottom;                     // pixels that are taken by others, above and below
    float text;                               // pixels high, before F9
} tide_panels_frame;

// They take the log (tide_log_set_sink) while they live, and pass it on to standard error.
tide_status tide_panels_create(tide_panels **panels, tide_error *error);
void tide_panels_destroy(tide_panels *panels); // NULL does nothing

// Gives the panels an event, where a point of the window is `scale` pixels. True: it was theirs, and is not to be used
// for anything else. Ups of keys and buttons that went down elsewhere are not theirs.
bool tide_panels_event(tide_panels *panels, const SDL_Event *event, double scale);

// Watches this experiment from now on (its steps, for plots), and no other. NULL: none; before it is closed.
tide_status tide_panels_watch(tide_panels *panels, tide_live *live, tide_error *error);

// Draws them. tide_panels_watch is called for a `live` that is another one.
tide_status tide_panels_draw(tide_panels *panels, const tide_panels_frame *frame, tide_error *error);
// Whether another picture is to be drawn at once, though nothing moves: a menu opens, say.
bool tide_panels_are_unsettled(const tide_panels *panels);

// The next input that was asked for, in order, to be given to tide_live_apply; valid until the next call. NULL: none.
const tide_input *tide_panels_next(tide_panels *panels);

// The body whose numbers are shown, by its name; "": none.
void tide_panels_select(tide_panels *panels, const char *body);
const char *tide_panels_selected(const tide_panels *panels);

// The tool that was asked for since the last call; TIDE_TOOL_NONE: none was.
int tide_panels_take_tool(tide_panels *panels);
// Whether the next solver iteration was asked for since the last call.
bool tide_panels_take_iteration(tide_panels *panels);
float tide_panels_enlargement(const tide_panels *panels); // of texts, by F9: 1 and more

// What Ctrl+Z takes back next: an input by another one; or, of what has no opposite, everything since now, by the world
// as it is now. Redoing brings back the world from which it was undone. Both are inputs, and so recorded and replayed.
void tide_panels_remember(tide_panels *panels, const tide_input *before, const tide_input *after);
void tide_panels_remember_world(tide_panels *panels);

// The warnings that were logged since the last call, a line each; false: none was. And those that were logged before
// the panels were there, for the log.
bool tide_panels_take_warnings(tide_panels *panels, char *text, size_t size);
void tide_panels_add_warnings(tide_panels *panels, const char *lines);

// Shown for some seconds.
void tide_panels_say(tide_panels *panels, const char *text);

bool tide_panels_are_hidden(const tide_panels *panels);
void tide_panels_hide(tide_panels *panels, bool hidden);
// Decides which sides are there in a picture of this size with text of this height (before F9). Both begin folded in
// one that is narrow; the bar of tools opens them.
void tide_panels_lay_out(tide_panels *panels, uint32_t width, uint32_t height, float text);
uint32_t tide_panels_top(const tide_panels *panels);            // pixels that the bar of tools takes, above the picture
uint32_t tide_panels_console_height(const tide_panels *panels); // pixels; 0: it is closed
// The part of the picture between the panels, pixels from its left: all of its width where they are hidden.
void tide_panels_free_width(const tide_panels *panels, uint32_t *from, uint32_t *to);

// For tests: all texts of the last drawing, and where a widget is in it (tide_gui_find).
const char *tide_panels_said(const tide_panels *panels);
bool tide_panels_find(const tide_panels *panels, const char *label, float box[4]);
// What was copied last; "" before.
const char *tide_panels_copied(const tide_panels *panels);

#endif
