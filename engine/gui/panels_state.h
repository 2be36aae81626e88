// What the files of the panels share. Private to them and their tests.
#ifndef TIDE_GUI_PANELS_STATE_H
#define TIDE_GUI_PANELS_STATE_H

#include "base/log.h"
#include "gui/gui.h"
#include "gui/panels.h"
#include "gui/plot_data.h"
#include "session/convergence_probe.h"

enum { TIDE_PANELS_UNDO = 100, TIDE_PANELS_LOG_LINES = 200 };

// One that can be taken back: an input with what was there before it. Members own their texts.
typedef struct tide_panels_change {
    tide_input before, after;
} tide_panels_change;

typedef struct tide_panels_line {
    tide_log_level level;
    unsigned repeated; // times more, one after another
    char text[240];
} tide_panels_line;

struct tide_panels {
    tide_gui *gui;
    tide_live *live;   // watched; NULL: none
    bool hidden, help; // all of them; the page of keys is there
    bool iterate;      // the next solver iteration is asked for
    int enlarged;      // steps of F9
    double drawn;      // clock at the last drawing
    float width[2];    // of the sides, as drawn last
    bool side;         // the right one had the keys last
    bool laid_out, folded[2];
    uint32_t bar_rows;  // of the bar of tools; 0: it is not there
    float top;          // pixels that it takes
    int tool;           // asked for
    char selected[128]; // the body that was clicked; "": none
    uint32_t picture_width;
    float text;                     // pixels, as it was laid out
    const tide_panels_frame *frame; // while they are drawn

    tide_input *queue; // asked for, from `queue_first` on; owned
    size_t queue_first, queue_count, queue_capacity;
    tide_input given; // the one handed out last

    tide_panels_change changes[TIDE_PANELS_UNDO]; // those below `change_at` can be undone, the others redone
    size_t change_count, change_at;
    tide_input held; // how it was when a slider was taken hold of; TIDE_INPUT_NONE: none is

    char *copied;
    char said[240]; // until `said_until`
    double said_until;

    int pin_vertex; // of the bodies' panel, from 0
    struct tide_panel_console *console;
    tide_plot_data plots;
    struct {
        char name[TIDE_PLOT_NAME_SIZE];
        double value;
    } numbers[TIDE_PLOT_SERIES_MAX]; // (given_count) of the scene, since the last step
    uint32_t given_count;
    int plot_span; // 0: 150 frames, then twice as many each
    tide_convergence_probe *probe;
    uint64_t probed_steps; // steps taken when the probe was asked last

    tide_panels_line lines[TIDE_PANELS_LOG_LINES]; // a ring
    size_t line_first, line_count;
    char warned[1000]; // the warnings that nobody has taken, a line each
    bool failed;       // no memory for something that was asked for
};

// --- asking for inputs: panels_undo.c

// Asks for an input, which is copied. One that sets the same as the last one asked for takes its place.
void tide_panels_ask(tide_panels *panels, const tide_input *input);
// The same for one that can be undone. `acts` are those of a widget (tide_gui_act): a series of changes of one slider
// counts as one.
void tide_panels_change_to(tide_panels *panels, const tide_input *before, const tide_input *after, unsigned acts);
bool tide_panels_can_undo(const tide_panels *panels);
bool tide_panels_can_redo(const tide_panels *panels);
void tide_panels_undo(tide_panels *panels);
void tide_panels_redo(tide_panels *panels);
void tide_panels_forget(tide_panels *panels); // all of it, and what was asked for

void tide_panels_copy(tide_panels *panels, const char *text, const char *what); // to the clipboard

// --- the panels

void tide_panel_bar(tide_panels *panels);   // of tools
bool tide_panels_fold(tide_panels *panels); // the sides, in a narrow window; false: none is open
void tide_panel_params(tide_panels *panels);
void tide_panel_solver(tide_panels *panels);
void tide_panel_bodies(tide_panels *panels);
void tide_panel_colliders(tide_panels *panels);
void tide_panel_seeing(tide_panels *panels);
void tide_panel_camera(tide_panels *panels);
void tide_panel_selected(tide_panels *panels);
void tide_panel_statistics(tide_panels *panels);
void tide_panel_plots(tide_panels *panels);
void tide_panel_log(tide_panels *panels);
void tide_panel_help(tide_panels *panels);

// The text of parameters that the panel offers to copy.
void tide_panels_write_params(tide_script *script, bool as_options, tide_text *text);

void tide_panels_log_line(tide_panels *panels, tide_log_level level, const char *message);

__attribute__((format(printf, 3, 4))) void tide_panels_row(tide_panels *panels, const char *label, const char *format,
                                                           ...);

#endif
