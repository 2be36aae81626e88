// What the files of the window share; not for others.
#ifndef TIDE_APP_WINDOW_PARTS_H
#define TIDE_APP_WINDOW_PARTS_H

#include "app/overlay.h"
#include "app/panels.h"
#include "app/screen.h"
#include "app/window.h"

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
    tide_image middle;        // between the panels, while a message is put there
    double scale;             // pixels of a point
    double period, presented; // s: least time between pictures; when the last one came
    bool dirty, closing;
    bool draw_failed; // the scene's: it is left out
    // time
    double last, owed; // clock at the last turn; simulated time still to catch up, s
    double shown_since, frames_per_second, real_time_rate, simulated;
    uint32_t shown; // pictures since `shown_since`
    // the mouse
    tide_hand hand;
    double stiffness;       // N/m, of what is dragged
    double hold[3];         // m, where the hand is; of a drag and of a push
    char pushed[256];       // the collider
    int stroke_x, stroke_y; // points, where a cut goes on
    enum { DRAG_NONE, DRAG_ORBIT, DRAG_PAN, DRAG_HOLD, DRAG_PUSH, DRAG_CUT, DRAG_SCRUB } drag;
    int pressed_x, pressed_y; // where the button went down, points
    bool moved;               // far enough to be no click
    char toast[1300];         // a short message, until `toast_until`
    double toast_until;
    char warning[sizeof((tide_report *)NULL)->warning]; // the solver's last, until `warning_until`
    double warning_until;
} tide_window;

// window.c
void tide_window_measure(tide_window *w);
void tide_window_toast(tide_window *w, const char *what, const char *detail);
tide_status tide_window_step(tide_window *w, tide_error *error); // with what is to be written about it
void tide_window_save_picture(tide_window *w);                   // into the first free name-NNNN.png
void tide_window_save_world(tide_window *w);                     // name-NNNN.world
void tide_window_open_world(tide_window *w, const char *path);
// Applies an input; what it fails of is shown. Whether it succeeded.
bool tide_window_apply(tide_window *w, const tide_input *input);

// window_panels.c: the picture of now.
tide_status tide_window_draw_scene(tide_window *w, tide_error *error);
tide_status tide_window_draw(tide_window *w, tide_error *error); // with panels
void tide_window_do_as_asked(tide_window *w);                    // by the panels

// window_hands.c: whether the hand takes the button that went down; and what it does then.
bool tide_window_hand_down(tide_window *w, int x, int y);
void tide_window_hand_moved(tide_window *w, int x, int y);
void tide_window_hand_up(tide_window *w);
bool tide_window_pin(tide_window *w, int x, int y); // pins or frees the vertex there; false: there is none
const char *tide_window_hand_text(const tide_window *w);
void tide_window_draw_marks(tide_window *w); // the spring of a drag; where a step failed

// window_time.c: the strip of frames at the bottom.
uint32_t tide_window_strip_height(const tide_window *w); // pixels; 0: there is none
void tide_window_draw_strip(tide_window *w);
bool tide_window_scrub(tide_window *w, int x, int y, bool down); // whether it is on the strip (or not `down`)
void tide_window_go_to(tide_window *w, int64_t by);              // so many frames on or back

// window_input.c
tide_status tide_window_handle(tide_window *w, const SDL_Event *event, tide_error *error);

#endif
