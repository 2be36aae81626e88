// What the files of the window share; not for others.
#ifndef TIDE_GUI_WINDOW_STATE_H
#define TIDE_GUI_WINDOW_STATE_H

#include "base/text.h"
#include "draw/overlay.h"
#include "gui/panels.h"
#include "gui/screen.h"
#include "gui/window.h"
#include "session/live_iterates.h"

typedef struct tide_recording tide_recording; // window_video.c

// What the left button does.
typedef enum tide_hand {
    TIDE_HAND_LOOK,
    TIDE_HAND_DRAG,
    TIDE_HAND_PIN,
    TIDE_HAND_CUT,
    TIDE_HAND_PUSH,
    TIDE_HANDS
} tide_hand;

typedef struct tide_window {
    tide_job *job;
    tide_screen screen;
    tide_overlay overlay;
    tide_panels *panels;
    tide_iterates *iterates;  // of the step to come, while they are looked at; NULL
    float text_size;          // pixels, before it is enlarged
    tide_image middle;        // between the panels, while a message is put there
    double scale;             // pixels of a point
    double text_scale;        // of --text-scale, Ctrl + and Ctrl -
    double period, presented; // s: least time between pictures; when the last one came
    bool dirty, closing;
    bool asks_to_quit; // the question is shown
    bool draw_failed;  // the scene's: it is left out
    // time
    double last, owed; // clock at the last turn; simulated time still to catch up, s
    double shown_since, frames_per_second, real_time_rate, simulated;
    uint32_t shown; // pictures since `shown_since`
    // the mouse
    tide_hand hand;
    double stiffness;       // N/m, of what is dragged
    double hold[3];         // m, where the hand is; of a drag and of a push
    char pushed[256];       // the collider
    bool has_pushed;        // it has moved in this stroke
    int stroke_x, stroke_y; // points, where a cut goes on
    struct {
        bool on_body, has_cut; // in this stroke
        tide_body_id body;
        uint32_t vertex;  // nearest to the knife at the last sample
        double beside[2]; // pixels from it
    } knife;
    enum { DRAG_NONE, DRAG_ORBIT, DRAG_PAN, DRAG_HOLD, DRAG_PUSH, DRAG_CUT, DRAG_SCRUB } drag;
    int pressed_x, pressed_y; // where the button went down, points
    bool pressed;             // a button went down on the picture
    bool moved;               // far enough to be no click
    uint32_t bottom;          // pixels that the strip and the lines above it take
    bool hint_is_over;        // the hint of what to do first is not shown any more
    char refused[1300];       // why a file that was dropped is not opened; "": none
    char toast[1300];         // a short message, until `toast_until`
    double toast_until;
    char warning[sizeof((tide_report *)NULL)->warning]; // the solver's last, until `warning_until`
    double warning_until;
    bool is_partial; // primitives were left out of the last picture
    // of panes, while job->compare is there
    uint32_t pane;      // clicked last
    bool in_pane;       // what is being handled is in it
    bool panes_paused;  // the clock of all
    bool panels_hidden; // before the panes came
    bool drawn;         // in this turn, as it is to be shown
    struct tide_recording *recording;
    double busy_since, busy_last; // clock, while a script runs
    double task_last;             // clock when a long task was last shown
} tide_window;

// window.c
void tide_window_measure(tide_window *w);
void tide_window_toast(tide_window *w, const char *what, const char *detail); // a hint, for two seconds
void tide_window_end_hint(tide_window *w); // the user has done what the hint says: no window shows it any more
// What happened: stays long enough to be read, and goes into the log.
void tide_window_notice(tide_window *w, bool failed, const char *what, const char *detail);
tide_status tide_window_step(tide_window *w, tide_error *error); // with what is to be written about it
void tide_window_save_picture(tide_window *w);                   // into the first free name-NNNN.png
void tide_window_save_world(tide_window *w);                     // name-NNNN.world
// The first name-NNNN that is free with this ending and (unless NULL) with another one.
void tide_window_free_name(const tide_window *w, const char *ending, const char *other, char *path, size_t size);
void tide_window_open_world(tide_window *w, const char *path);
void tide_window_open_last_world(tide_window *w); // of those that were saved here
// Applies an input; what it fails of is shown. Whether it succeeded.
bool tide_window_apply(tide_window *w, const tide_input *input);

// window_busy.c: called now and then while a script runs, the window; true interrupts the script. And a picture of a
// window whose scene runs for the first time.
bool tide_window_keep_alive(void *window);
void tide_window_show_running(tide_window *w);
void tide_window_show_task(void *window, const char *task, double seconds); // a listener of base/task.h

// Where notices may be on the picture, pixels.
typedef struct tide_notice_place {
    uint32_t left, top, right, bottom;
} tide_notice_place;

// window_panels.c: the picture of now. A notice covers neither panels nor tools nor the lines at the bottom.
tide_status tide_window_draw_notice(tide_window *w, tide_panel_place where, const char *text, bool alert,
                                    tide_error *error);
tide_status tide_window_draw_scene(tide_window *w, tide_error *error);
tide_status tide_window_draw(tide_window *w, tide_error *error);        // with panels
tide_status tide_window_do_as_asked(tide_window *w, tide_error *error); // by the panels

// window_hands.c: whether the hand takes the button that went down; and what it does then.
bool tide_window_hand_down(tide_window *w, int x, int y);
void tide_window_hand_moved(tide_window *w, int x, int y);
void tide_window_hand_up(tide_window *w);
void tide_window_hand_stepped(tide_window *w);      // a step was taken: the knife cuts what has moved under it
bool tide_window_pin(tide_window *w, int x, int y); // pins or frees the vertex there; false: there is none
void tide_window_select(tide_window *w, int x, int y);
const char *tide_window_hand_text(const tide_window *w);
void tide_window_draw_marks(tide_window *w); // the spring of a drag; where a step failed

// window_time.c: the strip of frames at the bottom.
uint32_t tide_window_strip_height(const tide_window *w); // pixels; 0: there is none
void tide_window_draw_strip(tide_window *w);
bool tide_window_scrub(tide_window *w, int x, int y, bool down); // whether it is on the strip (or not `down`)
void tide_window_go_to(tide_window *w, int64_t by);              // so many frames on or back, or to the end

// window_iterates.c: what comes of a key for one iteration; whatever changes the world leaves them.
tide_status tide_window_iterate(tide_window *w, tide_error *error);
void tide_window_leave_iterates(tide_window *w);
const char *tide_window_iterate_text(const tide_window *w); // NULL: none is shown
tide_status tide_window_draw_iterate(tide_window *w, tide_error *error);

// window_video.c
tide_status tide_window_video_open(tide_window *w, tide_error *error);
void tide_window_video_close(tide_window *w);    // once all is written
void tide_window_film(tide_window *w);           // begins a video or ends it
void tide_window_save_last(tide_window *w);      // begins to save the last ten seconds
void tide_window_keep_picture(tide_window *w);   // which is drawn and is to be shown
void tide_window_draw_recording(tide_window *w); // the sign of a video, on a picture that is kept
void tide_window_write_videos(tide_window *w);   // for some milliseconds
// The video could take no picture: TIDE_OK where that is told and the window can go on without.
tide_status tide_window_film_failed(tide_window *w, const tide_error *error);

// window_quit.c: quits, unless there is history, of which it asks first; what Escape does where no panel is open;
// whether an event answers the question; and the question.
void tide_window_quit(tide_window *w);
void tide_window_escape(tide_window *w);
bool tide_window_answer(tide_window *w, const SDL_Event *event);
void tide_window_add_question(const tide_window *w, tide_text *text);

// window_compare.c: panes.
void tide_window_compare(tide_window *w);          // opens them, or goes on with the one clicked last
void tide_window_begin_panes(tide_window *w);      // they have come
bool tide_window_is_paused(tide_window *w);        // of one experiment, too
void tide_window_make_room(tide_window *w);        // for panes above the line at the bottom; without panes nothing
bool tide_window_pane_tells(const tide_window *w); // of the failure of the first
tide_status tide_window_draw_panes(tide_window *w, tide_error *error);
tide_status tide_window_look_at_panes(tide_window *w, tide_error *error); // what there is to tell of them
tide_status tide_window_handle_panes(tide_window *w, const SDL_Event *event, tide_error *error);

// window_input.c
tide_status tide_window_handle_event(tide_window *w, const SDL_Event *event, tide_error *error); // not the panels'
tide_status tide_window_use_tool(tide_window *w, int tool, tide_error *error);                   // a tide_panels_tool
tide_status tide_window_handle(tide_window *w, const SDL_Event *event, tide_error *error);

#endif
