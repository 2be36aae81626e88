// A region for reading: images of text, one below another, that scroll.
#include "gui/gui_parts.h"

#include <cmath>

float tide_gui_begin_reading(tide_gui *gui, const char *name, float height, float *scroll, bool move)
{
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::BeginChild(name, ImVec2(0, std::fmax(height, 3 * gui->text)), false,
                      ImGuiWindowFlags_AlwaysVerticalScrollbar | ImGuiWindowFlags_NoNav);
    if (move)
        ImGui::SetScrollY(std::fmax(std::round(*scroll), 0.0f));
    else
        *scroll = ImGui::GetScrollY();
    return std::floor(ImGui::GetContentRegionAvail().x);
}

void tide_gui_end_reading(tide_gui *gui, const char *name)
{
    ImGui::EndChild();
    gui_note(gui, name);
    ImGui::PopStyleVar(2);
}

bool tide_gui_place(tide_gui *, float height)
{
    ImGui::Dummy(ImVec2(ImGui::GetContentRegionAvail().x, height));
    return ImGui::IsItemVisible();
}

void tide_gui_show(tide_gui *gui, const tide_image *image)
{
    ImVec2 from = ImGui::GetItemRectMin();
    from = ImVec2(std::round(from.x), std::round(from.y));
    gui_add_picture(gui, image, from, ImVec2(from.x + float(image->width), from.y + float(image->height)));
}

void tide_gui_speak(tide_gui *gui, const char *text)
{
    gui_say(gui, text, nullptr);
}

float tide_gui_room(const tide_gui *gui)
{
    return gui->side_bottom - ImGui::GetCursorScreenPos().y - ImGui::GetStyle().WindowPadding.y;
}
