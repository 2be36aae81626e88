// State that the files of the window share. Private to them.
#ifndef TIDE_GUI_WINDOW_STATE_H
#define TIDE_GUI_WINDOW_STATE_H

#include "base/text.h"
#include "draw/overlay.h"
#include "gui/panels.h"
#include "gui/screen.h"
#include "gui/window.h"
#include "session/live_iterates.h"
#include "session/live_knife.h"

typedef struct tide_recording tide_recording; // window_video.c

// What the left button does.
typedef enum tide_tool {
    TIDE_TOOL_LOOK,
    TIDE_TOOL_DRAG,
    TIDE_TOOL_PIN,
    TIDE_TOOL_CUT,
    TIDE_TOOL_PUSH,
    TIDE_TOOL_COUNT
} tide_tool;

typedef struct tide_window {
    tide_job *job;
    tide_screen screen;
    tide_overlay overlay;
    tide_panels *panels;
    tide_iterates *iterates;  // the iterates of the next step, while they are shown; NULL
    float text_size;          // pixels, without the user's enlargement
    tide_image middle;        // the part between the panels, while a message is drawn there
    double scale;             // pixels per point
    double text_scale;        // of --text-scale, Ctrl + and Ctrl -
    double period, presented; // s: least time between pictures; time of the last one
    bool dirty, closing;
    bool asks_to_quit; // the question is shown
    bool draw_failed;  // the scene's draw failed: it is left out
    // time
    double last, owed; // clock at the last loop; simulated time still to catch up, s
    double shown_since, frames_per_second, real_time_rate, simulated;
    uint32_t shown; // pictures since `shown_since`
    // the mouse
    tide_tool tool;
    double stiffness; // of the drag spring, N/m
    double hold[3];   // position of the hand in a drag or push, m
    char pushed[256]; // name of the pushed collider
    bool has_pushed;  // it has moved in this stroke
    tide_knife knife; // of the cut that goes on
    enum { DRAG_NONE, DRAG_ORBIT, DRAG_PAN, DRAG_HOLD, DRAG_PUSH, DRAG_CUT, DRAG_SCRUB } drag;
    int pressed_x, pressed_y; // where the button was pressed, points
    bool pressed;             // a button was pressed on the picture
    bool moved;               // too far for a click
    uint32_t bottom;          // height of the time strip and the lines above it, pixels
    bool hint_is_over;        // the first hint is no longer shown
    char refused[1300];       // why a dropped file was not opened; "": no such file
    char toast[1300];         // a short message, shown until `toast_until`
    double toast_until;
    char warning[sizeof((tide_report *)NULL)->warning]; // the solver's last warning, shown until `warning_until`
    double warning_until;
    bool is_partial; // primitives were left out of the last picture
    // panes, while job->compare is set
    uint32_t pane;      // that was clicked last
    bool in_pane;       // the current event or drawing concerns a pane
    bool panes_paused;  // all panes are paused
    bool panels_hidden; // before the panes opened
    bool drawn;         // the picture has been drawn in this loop and can be shown
    struct tide_recording *recording;
    double busy_since, busy_last; // clock, while a script runs
    double task_last;             // clock when a long task was last shown
} tide_window;

// window_messages.c
void tide_window_show_title(tide_window *w);
void tide_window_measure(tide_window *w); // sets the picture to the window's size in pixels
void tide_window_toast(tide_window *w, const char *what, const char *detail); // a hint, for two seconds
void tide_window_end_hint(tide_window *w); // the user has followed the hint: no window shows it again
// Shows what happened, long enough to be read, and logs it.
void tide_window_notice(tide_window *w, bool failed, const char *what, const char *detail);
// Applies an input and shows its failure. Returns whether it succeeded.
bool tide_window_apply(tide_window *w, const tide_input *input);
bool tide_window_is_paused(tide_window *w); // with panes, whether all are

// window_files.c
void tide_window_save_picture(tide_window *w); // as the first free name-NNNN.png
void tide_window_save_world(tide_window *w);   // name-NNNN.world
// Finds the first name-NNNN that is free with this ending and, unless it is NULL, with the other one.
void tide_window_free_name(const tide_window *w, const char *ending, const char *other, char *path, size_t size);
// Opens a scene or a mesh in place of this one, which continues if that fails; opens a world's state in this scene.
bool tide_window_open_file(tide_window *w, const char *path);
void tide_window_switch_lesson(tide_window *w); // from the demonstration to the exercise, and back
void tide_window_open_world(tide_window *w, const char *path);
void tide_window_open_last_world(tide_window *w); // the last one that was saved here

// window_step.c
tide_status tide_window_step(tide_window *w, tide_error *error); // also writes the files about the step
// The first call shows x_0 of the next step, each further one the next iterate; after the last one the step is taken.
tide_status tide_window_iterate(tide_window *w, tide_error *error);

// window_busy.c: tide_window_keep_alive is called repeatedly while a script runs; returning true interrupts the script.
// tide_window_show_running draws a window whose scene runs for the first time.
bool tide_window_keep_alive(void *window);
void tide_window_show_running(tide_window *w);
void tide_window_show_task(void *window, const char *task, double seconds); // listener of base/task.h

// The area of notices in the picture, pixels.
typedef struct tide_notice_place {
    uint32_t left, top, right, bottom;
} tide_notice_place;

// window_status.c: the lines at the bottom
bool tide_window_pane_tells(const tide_window *w);     // the failure of the first pane
bool tide_window_is_alone(const tide_window *w);       // the panels are hidden, and no panes are compared
bool tide_window_has_failed(const tide_window *w);     // and no pane tells it
bool tide_window_has_message(const tide_window *w);    // in the middle
void tide_window_note_partial_picture(tide_window *w); // logs once that a picture is incomplete, until a complete one
// Writes the lines, and what the panels would show if they are hidden.
void tide_window_add_status(tide_window *w, tide_text *text);
uint32_t tide_window_bar_height(tide_window *w, const tide_text *text); // of these lines, pixels
uint32_t tide_window_lines_height(tide_window *w);                      // of the lines while panes are compared, pixels

// window_panels.c: draws the current picture. A notice covers neither the panels nor the tool bar nor the lines at the
// bottom.
tide_status tide_window_draw_notice(tide_window *w, tide_panel_place where, const char *text, bool alert,
                                    tide_error *error);
tide_status tide_window_draw_scene(tide_window *w, tide_error *error);
tide_status tide_window_draw(tide_window *w, tide_error *error); // including panels

// window_tools.c: the tools of the left button. tide_window_tool_down returns whether a tool takes the press.
bool tide_window_tool_down(tide_window *w, int x, int y);
void tide_window_tool_moved(tide_window *w, int x, int y);
void tide_window_tool_up(tide_window *w);
void tide_window_tool_stepped(tide_window *w);      // after a step: cuts what has moved under the tool
bool tide_window_pin(tide_window *w, int x, int y); // pins or frees the vertex there; false: no vertex
void tide_window_select(tide_window *w, int x, int y);
const char *tide_window_tool_text(const tide_window *w);
void tide_window_draw_marks(tide_window *w); // the spring of a drag; the place of a failed step

// window_time.c: the strip of frames at the bottom.
uint32_t tide_window_strip_height(const tide_window *w); // pixels; 0: no strip
void tide_window_draw_strip(tide_window *w);
bool tide_window_scrub(tide_window *w, int x, int y, bool down); // returns whether it is on the strip (or not `down`)
void tide_window_go_to(tide_window *w, int64_t by);              // by so many frames, or to the end

// window_iterates.c: the iterates that tide_window_iterate shows. Any change of the world leaves them.
void tide_window_leave_iterates(tide_window *w);
const char *tide_window_iterate_text(const tide_window *w); // NULL: none is shown
tide_status tide_window_draw_iterate(tide_window *w, tide_error *error);

// window_video.c
tide_status tide_window_video_open(tide_window *w, tide_error *error);
void tide_window_video_close(tide_window *w);    // after everything is written
void tide_window_record(tide_window *w);         // begins a video or ends it
void tide_window_save_last(tide_window *w);      // begins to save the last ten seconds
void tide_window_keep_picture(tide_window *w);   // records the picture that is about to be shown
void tide_window_draw_recording(tide_window *w); // draws the recording sign on a picture after it is recorded
void tide_window_write_videos(tide_window *w);   // writes for some milliseconds
// Handles a picture that could not be recorded. TIDE_OK: the user is told and the window continues without the video.
tide_status tide_window_recording_failed(tide_window *w, const tide_error *error);

// window_quit.c: tide_window_quit quits, but asks first if there is history. tide_window_escape handles Escape when no
// panel is open. tide_window_answer returns whether an event answers the question. tide_window_add_question adds it.
void tide_window_quit(tide_window *w);
void tide_window_escape(tide_window *w);
bool tide_window_answer(tide_window *w, const SDL_Event *event);
void tide_window_add_question(const tide_window *w, tide_text *text);

// window_panes.c: draws panes.
void tide_window_make_room(tide_window *w); // for panes above the bottom line; does nothing without panes
tide_status tide_window_draw_panes(tide_window *w, tide_error *error);

// window_compare.c: opens and closes panes.
void tide_window_compare(tide_window *w);     // opens, or continues with the one clicked last
void tide_window_begin_panes(tide_window *w); // after they have opened
tide_status tide_window_look_at_panes(tide_window *w, tide_error *error); // shows the panes' messages

// window_input.c
tide_status tide_window_handle(tide_window *w, const SDL_Event *event, tide_error *error);
tide_status tide_window_do_as_asked(tide_window *w, tide_error *error); // does what the panels ask for

#endif
