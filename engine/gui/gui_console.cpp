// A panel at the bottom with scrolling lines and an input line, on Dear ImGui.
#include "gui/gui_parts.h"

#include <cmath>
#include <cstring>

void tide_gui_begin_bottom(tide_gui *, float x0, float x1, float bottom, float height)
{
    ImGui::SetNextWindowPos(ImVec2(x0, bottom - height));
    ImGui::SetNextWindowSize(ImVec2(x1 - x0, height));
    ImGui::Begin("bottom", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoScrollbar |
                     ImGuiWindowFlags_NoScrollWithMouse);
}

void tide_gui_end_bottom(tide_gui *)
{
    ImGui::End();
}

void tide_gui_begin_scroll(tide_gui *, const char *name, bool follow)
{
    ImGui::BeginChild(name, ImVec2(0, -ImGui::GetFrameHeightWithSpacing()));
    if (follow)
        ImGui::SetScrollY(1e9f); // end of the old contents; the new end follows
}

void tide_gui_end_scroll(tide_gui *)
{
    ImGui::EndChild();
}

// --- a line ----------------------------------------------------------------------------------------------------------

static const char *const asked_for[] = { TIDE_GUI_LINE_END, TIDE_GUI_COMPLETE, TIDE_GUI_EARLIER, TIDE_GUI_LATER };
const size_t mark_size = sizeof TIDE_GUI_LINE_END - 1;

// Returns the first request mark in the text, or NULL.
static const char *find_asked(const char *text, const char **asked)
{
    const char *first = nullptr;
    for (const char *mark : asked_for) {
        const char *found = strstr(text, mark);
        if (found && (!first || found < first)) {
            first = found;
            *asked = mark;
        }
    }
    return first;
}

static void replace_text(ImGuiInputTextCallbackData *data, const tide_text *text, size_t cursor)
{
    data->DeleteChars(0, data->BufTextLen);
    if (!text->failed && text->length && text->length < size_t(data->BufSize))
        data->InsertChars(0, text->bytes);
    data->CursorPos = cursor < size_t(data->BufTextLen) ? int(cursor) : data->BufTextLen;
    data->SelectionStart = data->SelectionEnd = data->CursorPos;
}

// Answers a request mark at `at`. Text typed after the mark goes after the answer; text behind the cursor was there
// before.
static void do_as_asked(ImGuiInputTextCallbackData *data, const char *asked, size_t at)
{
    const tide_gui_line_callbacks *callbacks = static_cast<const tide_gui_line_callbacks *>(data->UserData);
    const char *after = data->Buf + at + mark_size;
    size_t behind = size_t(data->CursorPos) > at + mark_size ? size_t(data->CursorPos) - at - mark_size : 0;
    bool completes = asked == asked_for[1], ends = asked == asked_for[0];
    tide_text line = { nullptr, 0, 0, false }, text = line;
    tide_text_add(&line, data->Buf, at);
    tide_text_add(&line, completes ? "" : after + behind, completes ? 0 : strlen(after + behind));
    size_t from = 0, to = line.length, cursor;
    const char *answer = "";
    if (ends && !line.failed)
        callbacks->entered(callbacks->context, line.bytes ? line.bytes : "");
    else if (!line.failed)
        answer = callbacks->answer(callbacks->context, asked, line.bytes ? line.bytes : "", line.length, &from, &to);
    if (!answer) {
        from = to = line.length;
        answer = "";
    }
    tide_text_add(&text, line.bytes, from);
    tide_text_add(&text, answer, strlen(answer));
    tide_text_add(&text, line.bytes + to, line.length - to);
    tide_text_add(&text, after, behind);
    cursor = text.length;
    if (completes)
        tide_text_add(&text, after + behind, strlen(after + behind));
    replace_text(data, &text, cursor);
    tide_text_free(&line);
    tide_text_free(&text);
}

static int look(ImGuiInputTextCallbackData *data)
{
    const char *asked = nullptr;
    while (const char *at = find_asked(data->Buf, &asked))
        do_as_asked(data, asked, size_t(at - data->Buf));
    return 0;
}

void tide_gui_prompt(tide_gui *gui, const char *label, const char *mark, char *text, size_t size, bool focus,
                     const tide_gui_line_callbacks *callbacks)
{
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, gui_colour(accent));
    ImGui::TextUnformatted(mark);
    ImGui::PopStyleColor();
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-FLT_MIN);
    ImGui::PushID(label);
    if (focus) {
        ImGui::SetWindowFocus();
        ImGui::SetKeyboardFocusHere();
    }
    ImGui::InputText("", text, size, ImGuiInputTextFlags_CallbackAlways, look,
                     const_cast<tide_gui_line_callbacks *>(callbacks));
    gui->prompted = ImGui::IsItemActive();
    ImGui::PopID();
    gui_say(gui, label, text);
    gui_note(gui, label);
}

bool tide_gui_is_prompted(const tide_gui *gui)
{
    return gui->in_frame ? gui->was_prompted : gui->prompted;
}
