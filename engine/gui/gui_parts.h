// What gui.cpp and gui_widgets.cpp share: the program's only C++, and all of it that knows Dear ImGui.
#ifndef TIDE_GUI_GUI_PARTS_H
#define TIDE_GUI_GUI_PARTS_H

extern "C" {
#include "base/text.h"
#include "gui/gui.h"
}

#include <imgui.h>
#include <imgui_internal.h>

// Where a widget was in the last frame
struct found_item {
    char label[48];
    float box[4];
};

// A picture that is drawn among the widgets
struct gui_picture {
    const tide_image *image;
    float box[4];
};

struct tide_gui {
    ImGuiContext *context;
    tide_gui_clipboard clipboard;
    float text; // height that the glyphs have; 0: there are none
    bool in_frame, side_is_open, page_is_open;
    bool in_bar;                                        // a line goes on as long as it is asked to
    bool beside;                                        // the next widget is to be in the line of the last
    bool keys, right;                                   // the widgets have the keys; those on the right do
    enum { STAY, GO_LEFT, GO_RIGHT, GO_NOWHERE } going; // where the keys go in the next frame
    bool down[3], pressed[3];                           // mouse buttons; pressed since the last frame
    bool key_down[TIDE_GUI_KEYS], key_pressed[TIDE_GUI_KEYS];
    int owed;          // frames to follow
    ImGuiID edited_id; // the field that is typed into
    double edited[3];
    int leaving;                 // frames until it is known that no text has the keys any more
    bool prompted, was_prompted; // a prompt has the keys in this frame, had them in the last
    tide_text said;
    found_item *items; // of the last frame
    size_t item_count, item_capacity;
    gui_picture *pictures; // of this frame
    size_t picture_count, picture_capacity;
};

static inline ImVec4 gui_colour(unsigned rgb, float alpha = 1)
{
    return ImVec4(float(rgb >> 16 & 255) / 255, float(rgb >> 8 & 255) / 255, float(rgb & 255) / 255, alpha);
}

const unsigned ink = 0xeceff4, quiet_ink = 0xaab4c3, accent = 0x56b4e9;

// Writes down what a test, or a reader of the screen, may want to know: a text, and where the last widget is.
void gui_say(tide_gui *gui, const char *label, const char *value);
void gui_note(tide_gui *gui, const char *label);

// Adds a picture to what is drawn; it is scaled to the box and clipped like a widget.
void gui_add_picture(tide_gui *gui, const tide_image *image, ImVec2 from, ImVec2 to);

#endif
