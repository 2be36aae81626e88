// What gui.cpp and gui_widgets.cpp share. Only these C++ files know Dear ImGui.
#ifndef TIDE_GUI_GUI_PARTS_H
#define TIDE_GUI_GUI_PARTS_H

extern "C" {
#include "base/text.h"
#include "gui/gui.h"
}

#include <imgui.h>
#include <imgui_internal.h>

// A widget's rectangle in the last frame
struct found_item {
    char label[48];
    float box[4];
};

// An image that is drawn among the widgets
struct gui_picture {
    const tide_image *image;
    float box[4];
};

struct tide_gui {
    ImGuiContext *context;
    tide_gui_clipboard clipboard;
    float text; // height of the rendered glyphs; 0: there are none
    bool in_frame, side_is_open, page_is_open;
    float side_bottom;                                  // the lower end of the side that is open
    bool in_bar;                                        // a row may be wider than the panel
    bool beside;                                        // the next widget is in the row of the last one
    bool keys, right;                                   // the widgets have the keys; those on the right have them
    enum { STAY, GO_LEFT, GO_RIGHT, GO_NOWHERE } going; // where the keys go in the next frame
    bool down[3], pressed[3];                           // mouse buttons: now; pressed since the last frame
    bool key_down[TIDE_GUI_KEYS], key_pressed[TIDE_GUI_KEYS];
    int owed;          // frames still needed
    ImGuiID edited_id; // the field that the user types into
    double edited[3];
    int leaving;                 // frames until it is certain that no text field has the keys
    bool prompted, was_prompted; // a prompt has the keys in this frame; had them in the last
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

// Record, for tests and screen readers, a text and the rectangle of the last widget.
void gui_say(tide_gui *gui, const char *label, const char *value);
void gui_note(tide_gui *gui, const char *label);

// Adds an image to the frame, scaled to the box and clipped like a widget.
void gui_add_picture(tide_gui *gui, const tide_image *image, ImVec2 from, ImVec2 to);

#endif
