// State that the files of the panels share. Private to them and their tests.
#ifndef TIDE_GUI_PANELS_STATE_H
#define TIDE_GUI_PANELS_STATE_H

#include "base/log.h"
#include "gui/gui.h"
#include "gui/panels.h"
#include "gui/plot_data.h"
#include "session/convergence_probe.h"

enum { TIDE_PANELS_UNDO = 100, TIDE_PANELS_LOG_LINES = 200 };

// A change that can be undone: an input and its inverse. The members own their texts.
typedef struct tide_panels_change {
    tide_input before, after;
} tide_panels_change;

typedef struct tide_panels_line {
    tide_log_level level;
    unsigned repeated; // further times in succession
    char text[240];
} tide_panels_line;

struct tide_panels {
    tide_gui *gui;
    tide_live *live;   // watched; NULL: none
    bool hidden, help; // `hidden`: all panels; `help`: the page of keys is open
    bool iterate;      // the next solver iteration was asked for
    int enlarged;      // steps of F9
    double drawn;      // clock at the last drawing
    float width[2];    // of the sides, in the last drawing
    bool side;         // the right side had the keys last
    bool laid_out, folded[2];
    uint32_t bar_rows;  // of the tool bar; 0: there is none
    float top;          // height of the tool bar, pixels
    int button;         // of the tool bar, asked for
    char selected[128]; // the body that was clicked; "": none
    uint32_t picture_width;
    float text;                     // pixels, in the last layout
    const tide_panels_frame *frame; // set during drawing

    tide_input *queue; // asked for, from `queue_first` on; owned
    size_t queue_first, queue_count, queue_capacity;
    tide_input given; // the last one returned by tide_panels_next

    tide_panels_change changes[TIDE_PANELS_UNDO]; // those below `change_at` can be undone, the others redone
    size_t change_count, change_at;
    tide_input held; // value when a slider was grabbed; TIDE_INPUT_NONE: none is held

    char *copied;
    char said[240]; // shown until `said_until`
    double said_until;

    int pin_vertex; // of the bodies' panel, counts from 0
    struct tide_panel_console *console;
    tide_lesson *lesson; // not owned; NULL: none
    struct tide_panel_lesson *lesson_view;
    tide_plot_data plots;
    struct {
        char name[TIDE_PLOT_NAME_SIZE];
        double value;
    } numbers[TIDE_PLOT_SERIES_MAX]; // (given_count) plotted by the scene since the last step
    uint32_t given_count;
    bool plotting; // the plots were open in the last drawing
    int plot_span; // index of the plots' span: 0 is 150 frames, each next one doubles it
    tide_convergence_probe *probe;
    uint64_t probed_steps; // steps taken at the last request to the probe

    tide_panels_line lines[TIDE_PANELS_LOG_LINES]; // ring buffer
    size_t line_first, line_count;
    char warned[1000]; // warnings that nobody has taken yet, one per line
    bool failed;       // a request failed for lack of memory
};

// --- asking for inputs: panels_undo.c

// Adds a copy of an input to the queue. It replaces the last one if both set the same thing.
void tide_panels_ask(tide_panels *panels, const tide_input *input);
// The same for a change that can be undone. `acts` are a widget's (tide_gui_act): successive changes of one slider
// count as one.
void tide_panels_change_to(tide_panels *panels, const tide_input *before, const tide_input *after, unsigned acts);
bool tide_panels_can_undo(const tide_panels *panels);
bool tide_panels_can_redo(const tide_panels *panels);
void tide_panels_undo(tide_panels *panels);
void tide_panels_redo(tide_panels *panels);
void tide_panels_forget(tide_panels *panels); // all of it, and the queue

// --- shared by the panels: panels_state.c, with tide_panels_say and tide_panels_enlargement

void tide_panels_copy(tide_panels *panels, const char *text, const char *what); // to the clipboard
__attribute__((format(printf, 3, 4))) void tide_panels_row(tide_panels *panels, const char *label, const char *format,
                                                           ...);

// --- the panels

void tide_panel_bar(tide_panels *panels);   // the tool bar
bool tide_panels_fold(tide_panels *panels); // folds the sides, in a narrow window; false: none is open
void tide_panel_params(tide_panels *panels);
void tide_panel_solver(tide_panels *panels);
void tide_panel_bodies(tide_panels *panels);
void tide_panel_colliders(tide_panels *panels);
void tide_panel_view_options(tide_panels *panels);
void tide_panel_camera(tide_panels *panels);
void tide_panel_selected(tide_panels *panels);
void tide_panel_statistics(tide_panels *panels);
void tide_panel_plots(tide_panels *panels);
void tide_panel_log(tide_panels *panels);
void tide_panel_help(tide_panels *panels);

// The lesson. tide_panel_lesson draws it; false: the ordinary panels are asked for, and follow.
bool tide_panel_lesson(tide_panels *panels);
bool tide_panel_lesson_is_wide(const tide_panels *panels);              // it takes the right side
bool tide_panel_lesson_key(tide_panels *panels, const SDL_Keysym *key); // whether it was one of its keys
void tide_panel_lesson_destroy(tide_panels *panels);

void tide_panels_log_line(tide_panels *panels, tide_log_level level, const char *message);

#endif
