// Immediate-mode widgets over a finished picture: the caller calls for each widget in each frame and gets back what the
// user did to it. It wraps Dear ImGui, which only gui*.cpp know. Nothing here needs a display: input comes through the
// calls below, and the frame is blended onto an image in memory (gui/gui_raster.h). So panels look the same in a
// window, in a screenshot and in a test.
//
// A frame is tide_gui_begin, any number of sides, sections and widgets, then tide_gui_end. Labels are UTF-8 and
// identify widgets: within a section (or tide_gui_push) each may be used once. Lengths are pixels of the picture or, as
// `em`, multiples of the text height.
#ifndef TIDE_GUI_GUI_H
#define TIDE_GUI_GUI_H

#include "draw/image.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tide_gui tide_gui;

tide_status tide_gui_create(tide_gui **gui, tide_error *error);
void tide_gui_destroy(tide_gui *gui); // NULL does nothing

// The clipboard; `get` returns a text that is valid until the next call. NULL: a clipboard within the program.
typedef struct tide_gui_clipboard {
    void (*set)(void *context, const char *text);
    const char *(*get)(void *context);
    void *context;
} tide_gui_clipboard;
void tide_gui_set_clipboard(tide_gui *gui, const tide_gui_clipboard *clipboard);

// --- input, between frames -------------------------------------------------------------------------------------------

typedef enum tide_gui_key {
    TIDE_GUI_KEY_NONE,
    TIDE_GUI_KEY_TAB,
    TIDE_GUI_KEY_LEFT,
    TIDE_GUI_KEY_RIGHT,
    TIDE_GUI_KEY_UP,
    TIDE_GUI_KEY_DOWN,
    TIDE_GUI_KEY_PAGE_UP,
    TIDE_GUI_KEY_PAGE_DOWN,
    TIDE_GUI_KEY_HOME,
    TIDE_GUI_KEY_END,
    TIDE_GUI_KEY_INSERT,
    TIDE_GUI_KEY_DELETE,
    TIDE_GUI_KEY_BACKSPACE,
    TIDE_GUI_KEY_SPACE,
    TIDE_GUI_KEY_ENTER,
    TIDE_GUI_KEY_ESCAPE,
    TIDE_GUI_KEY_A, // from here on with Ctrl, in a text field
    TIDE_GUI_KEY_C,
    TIDE_GUI_KEY_V,
    TIDE_GUI_KEY_X,
    TIDE_GUI_KEY_Y,
    TIDE_GUI_KEY_Z,
    TIDE_GUI_KEYS
} tide_gui_key;

void tide_gui_mouse_at(tide_gui *gui, float x, float y);          // pixels from the top left
void tide_gui_mouse_button(tide_gui *gui, int button, bool down); // 0 left, 1 right, 2 middle
void tide_gui_mouse_wheel(tide_gui *gui, float across, float up); // notches
void tide_gui_key_change(tide_gui *gui, tide_gui_key key, bool down);
void tide_gui_modifiers(tide_gui *gui, bool ctrl, bool shift, bool alt);
void tide_gui_type(tide_gui *gui, const char *text);
// tide_gui_focus gives the keys to the widgets; the first one of this side, or else of the other side, is highlighted.
// tide_gui_leave takes the keys away. So does a click on the picture.
void tide_gui_focus(tide_gui *gui, bool right);
void tide_gui_leave(tide_gui *gui);

// The state after the last frame: whether the next input belongs to the widgets.
bool tide_gui_has_mouse(const tide_gui *gui); // the mouse is over a panel or holds a widget
bool tide_gui_has_keys(const tide_gui *gui);
bool tide_gui_is_on_right(const tide_gui *gui);  // the right side has the keys
bool tide_gui_takes_text(const tide_gui *gui);   // the user is typing into a field
bool tide_gui_is_unsettled(const tide_gui *gui); // the last input needs another frame at once

// --- frames ----------------------------------------------------------------------------------------------------------

// Begins a frame. `seconds`: since the last frame. `text`: its height, pixels; a change renders the glyphs again. Fails
// only without memory; the frame has then not begun.
tide_status tide_gui_begin(tide_gui *gui, uint32_t width, uint32_t height, float text, double seconds,
                           tide_error *error);
// Ends the frame and everything that is open in it, and blends it onto the picture. NULL: only the layout is done.
tide_status tide_gui_end(tide_gui *gui, tide_image *onto, tide_error *error);

// A panel at a side of the picture, from `top` to `bottom` at most, `width` wide, as high as its contents.
void tide_gui_begin_side(tide_gui *gui, bool right, float width, float top, float bottom);
void tide_gui_end_side(tide_gui *gui);
// A panel at the top, as large as its contents and centred at x, for a row of buttons.
void tide_gui_begin_bar(tide_gui *gui, float x, float top);
void tide_gui_end_bar(tide_gui *gui);
// A centred panel over everything else, with a title. False: the user closed it; it must not be ended then.
bool tide_gui_begin_page(tide_gui *gui, const char *title, float width, float top, float bottom);
void tide_gui_end_page(tide_gui *gui);

// A panel at the bottom from x0 to x1, `height` high, for tide_gui_begin_scroll and tide_gui_prompt.
void tide_gui_begin_bottom(tide_gui *gui, float x0, float x1, float bottom, float height);
void tide_gui_end_bottom(tide_gui *gui);

// A heading that a click opens and closes. True: it is open; call for its contents and then end it.
bool tide_gui_begin_section(tide_gui *gui, const char *label, bool open_at_first);
void tide_gui_end_section(tide_gui *gui);
// The same for a subsection within a section.
bool tide_gui_begin_part(tide_gui *gui, const char *label, bool open_at_first);
void tide_gui_end_part(tide_gui *gui);

void tide_gui_push(tide_gui *gui, const char *name); // labels in between have a namespace of their own
void tide_gui_pop(tide_gui *gui);
// If `disabled`, the widgets until tide_gui_enable are pale and cannot be used. Calls do not nest.
void tide_gui_disable(tide_gui *gui, bool disabled);
void tide_gui_enable(tide_gui *gui);

// --- widgets ---------------------------------------------------------------------------------------------------------

typedef enum tide_gui_tone {
    TIDE_GUI_PLAIN,
    TIDE_GUI_QUIET,
    TIDE_GUI_GOOD,
    TIDE_GUI_WARNING,
    TIDE_GUI_ALERT
} tide_gui_tone;

// What the user did to a widget since the last frame.
typedef enum tide_gui_act {
    TIDE_GUI_CHANGED = 1, // the value has changed
    TIDE_GUI_TAKEN = 2,   // the widget was grabbed: a series of changes may follow
    TIDE_GUI_DONE = 4     // it was released after a change
} tide_gui_act;

void tide_gui_text(tide_gui *gui, tide_gui_tone tone, const char *text); // wraps
void tide_gui_row(tide_gui *gui, const char *label, const char *value);  // a label with its value at the right
void tide_gui_pair(tide_gui *gui, const char *left, const char *right);  // two columns of a page
float tide_gui_em(const tide_gui *gui);                                  // the text height, pixels
void tide_gui_help(tide_gui *gui, const char *help); // shown when the mouse is over the preceding widget
void tide_gui_next(tide_gui *gui);                   // puts the next widget on the same line
void tide_gui_gap(tide_gui *gui);
bool tide_gui_button(tide_gui *gui, const char *label);
bool tide_gui_toggle(tide_gui *gui, const char *label, bool on); // a button that is highlighted while `on`
bool tide_gui_check(tide_gui *gui, const char *label, bool *value);
// One of several choices side by side; returns true if the user chose another one.
bool tide_gui_choice(tide_gui *gui, const char *label, const char *const *choices, int *value); // ended by NULL
// A button with a picture (16:10) above a title and a pale line, `width` pixels wide; beside the last tile if there is
// room. The picture must stay unchanged until tide_gui_end; an empty one leaves its place dark. Returns whether it was
// clicked; *seen tells whether any part of it is visible.
bool tide_gui_tile(tide_gui *gui, const char *title, const char *line, const tide_image *picture, float width,
                   bool *seen);
// A slider from minimum to maximum; a logarithmic one needs positive numbers. After Ctrl+click or Enter the user can
// type a number, which may be out of range: the caller has to check it. `unit` may be NULL. Returns tide_gui_act.
unsigned tide_gui_slider(tide_gui *gui, const char *label, double *value, double minimum, double maximum,
                         bool logarithmic, const char *unit);
unsigned tide_gui_slider_integer(tide_gui *gui, const char *label, int *value, int minimum, int maximum,
                                 bool logarithmic);
// A number field; Enter or leaving the field changes the value. It has no range: the caller has to check it.
bool tide_gui_number(tide_gui *gui, const char *label, double *value, const char *unit);
bool tide_gui_vector(tide_gui *gui, const char *label, double value[3], const char *unit);
// A text field of at most `size` bytes including the zero; changes in the same way.
bool tide_gui_field(tide_gui *gui, const char *label, char *text, size_t size);

// The contents in between scroll, and leave room for one line below. With `follow` the view stays at the end.
void tide_gui_begin_scroll(tide_gui *gui, const char *name, bool follow);
void tide_gui_end_scroll(tide_gui *gui);
// An input line (at most `size` bytes including the zero) after a prompt mark. Requests of the user (end of line,
// completion, history) are put into the typed text as characters that nobody types. So they stay in order even if
// frames are rare. For an end of line, `entered` gets the line, which is then removed. For the other requests, `answer`
// returns a text that replaces the bytes from *from to *to, valid until the next call; NULL: none.
#define TIDE_GUI_LINE_END "\xE2\x80\xA8" // U+2028
#define TIDE_GUI_COMPLETE "\xE2\x80\xA9" // completes the word before the cursor
#define TIDE_GUI_EARLIER "\xE2\x80\xAA"  // the previous line of the history
#define TIDE_GUI_LATER "\xE2\x80\xAB"
typedef struct tide_gui_line_callbacks {
    const char *(*answer)(void *context, const char *asked, const char *text, size_t cursor, size_t *from, size_t *to);
    void (*entered)(void *context, const char *line);
    void *context;
} tide_gui_line_callbacks;
// If `focus`, the prompt gets the keys one or two frames later.
void tide_gui_prompt(tide_gui *gui, const char *label, const char *mark, char *text, size_t size, bool focus,
                     const tide_gui_line_callbacks *callbacks);
bool tide_gui_is_prompted(const tide_gui *gui); // a prompt had the keys in the last frame

// --- reading ---------------------------------------------------------------------------------------------------------

// A region with a scroll bar, `height` pixels high. *scroll: the pixels above it that are scrolled away; it is set with
// `move`, and else told. Returns the width within, pixels.
float tide_gui_begin_reading(tide_gui *gui, const char *name, float height, float *scroll, bool move);
void tide_gui_end_reading(tide_gui *gui, const char *name);
// Takes a place of this height, as wide as the region. Returns whether any of it is visible.
bool tide_gui_place(tide_gui *gui, float height);
// Draws an image at the last place, pixel by pixel from its upper left corner. It must stay until tide_gui_end.
void tide_gui_show(tide_gui *gui, const tide_image *image);
void tide_gui_speak(tide_gui *gui, const char *text); // a text that is drawn as an image, for tests and screen readers
float tide_gui_room(const tide_gui *gui);             // height from here to the lower end of the open side, pixels

// --- custom drawing --------------------------------------------------------------------------------------------------

typedef struct tide_gui_area {
    float x0, y0, x1, y1; // pixels
    bool hovered;
    float mouse_x, mouse_y;
    bool clicked;
} tide_gui_area;
// A framed area as wide as the panel, `height` em high.
tide_gui_area tide_gui_begin_area(tide_gui *gui, const char *name, float height);
void tide_gui_end_area(tide_gui *gui);
// In an area: draws a line through (2 * count) pixel coordinates. Colours are those of tide_gui_series.
void tide_gui_line(tide_gui *gui, const float *points, uint32_t count, uint32_t series, float width);
void tide_gui_grid_line(tide_gui *gui, float x0, float y0, float x1, float y1);
// Draws a text with its left end (or right end, if `right`) at x, vertically centred at y.
void tide_gui_mark(tide_gui *gui, float x, float y, bool right, uint32_t series, const char *text);
float tide_gui_text_width(tide_gui *gui, const char *text);

// The index of a colour for data series: eight colours for all kinds of colour vision (Okabe and Ito 2008, lightened
// for a dark background), then again from the first; TIDE_GUI_SERIES_TEXT is the text colour.
enum { TIDE_GUI_SERIES_TEXT = 0xffff };

// --- for tests -------------------------------------------------------------------------------------------------------

// Return the texts of the last frame, one per line, and the rectangle of the first widget with this label (x0, y0, x1,
// y1); false if the widget was not drawn or is not visible.
const char *tide_gui_said(const tide_gui *gui);
bool tide_gui_find(const tide_gui *gui, const char *label, float box[4]);

#ifdef __cplusplus
}
#endif

#endif
