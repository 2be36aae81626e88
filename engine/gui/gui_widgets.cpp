// The widgets of gui.h on Dear ImGui.
extern "C" {
#include "gui/gui_numbers.h"
}
#include "gui/gui_parts.h"

#include <cmath>
#include <cstdio>
#include <cstring>

// --- sections --------------------------------------------------------------------------------------------------------

bool tide_gui_begin_section(tide_gui *gui, const char *label, bool open_at_first)
{
    bool open = ImGui::CollapsingHeader(label, open_at_first ? ImGuiTreeNodeFlags_DefaultOpen : 0);
    gui_say(gui, label, open ? nullptr : "(closed)");
    gui_note(gui, label);
    if (open)
        ImGui::PushID(label);
    return open;
}

void tide_gui_end_section(tide_gui *gui)
{
    tide_gui_gap(gui);
    ImGui::PopID();
}

bool tide_gui_begin_part(tide_gui *gui, const char *label, bool open_at_first)
{
    bool open = ImGui::TreeNodeEx(label, ImGuiTreeNodeFlags_SpanAvailWidth |
                                             (open_at_first ? ImGuiTreeNodeFlags_DefaultOpen : 0));
    gui_say(gui, label, nullptr);
    gui_note(gui, label);
    return open;
}

void tide_gui_end_part(tide_gui *)
{
    ImGui::TreePop();
}

void tide_gui_push(tide_gui *, const char *name)
{
    ImGui::PushID(name);
}

void tide_gui_pop(tide_gui *)
{
    ImGui::PopID();
}

void tide_gui_disable(tide_gui *, bool disabled)
{
    ImGui::BeginDisabled(disabled);
}

void tide_gui_enable(tide_gui *)
{
    ImGui::EndDisabled();
}

// --- widgets ---------------------------------------------------------------------------------------------------------

void tide_gui_text(tide_gui *gui, tide_gui_tone tone, const char *text)
{
    static const unsigned inks[] = { ink, quiet_ink, 0x7fd1ae, 0xf0c040, 0xff9580 };
    ImGui::PushStyleColor(ImGuiCol_Text, gui_colour(inks[tone]));
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    gui_say(gui, text, nullptr);
    gui_note(gui, text);
}

// Draws the label on the left and puts the cursor at its widget: beside it, or below if the label is too wide.
static void lead(tide_gui *gui, const char *label)
{
    float wide = ImGui::GetContentRegionAvail().x, split = std::floor(0.44f * wide);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(label);
    if (ImGui::CalcTextSize(label).x + 0.3f * gui->text < split)
        ImGui::SameLine(ImGui::GetCursorPosX() + split);
    ImGui::SetNextItemWidth(-FLT_MIN);
    ImGui::PushID(label);
}

void tide_gui_row(tide_gui *gui, const char *label, const char *value)
{
    float left = ImGui::GetCursorPosX(), wide = ImGui::GetContentRegionAvail().x;
    float text = ImGui::CalcTextSize(value).x;
    ImGui::PushStyleColor(ImGuiCol_Text, gui_colour(quiet_ink));
    ImGui::TextUnformatted(label);
    ImGui::PopStyleColor();
    if (ImGui::CalcTextSize(label).x + text + 0.6f * gui->text < wide)
        ImGui::SameLine(left + wide - text);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(value);
    ImGui::PopTextWrapPos();
    gui_say(gui, label, value);
    gui_note(gui, label);
}

void tide_gui_pair(tide_gui *gui, const char *left, const char *right)
{
    float start = ImGui::GetCursorPosX(), split = std::floor(0.34f * ImGui::GetContentRegionAvail().x);
    ImGui::PushStyleColor(ImGuiCol_Text, gui_colour(accent));
    ImGui::TextUnformatted(left);
    ImGui::PopStyleColor();
    if (ImGui::CalcTextSize(left).x + 0.3f * gui->text < split)
        ImGui::SameLine(start + split);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(right);
    ImGui::PopTextWrapPos();
    gui_say(gui, left, right);
}

float tide_gui_em(const tide_gui *gui)
{
    return gui->text;
}

void tide_gui_help(tide_gui *gui, const char *help)
{
    if (!help || !help[0] || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
        return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(22 * gui->text);
    ImGui::TextUnformatted(help);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    gui_say(gui, help, nullptr);
}

void tide_gui_next(tide_gui *gui)
{
    gui->beside = true;
}

// Continues the row of the last widget if there is room for this width.
static void stay_in_line(tide_gui *gui, float width)
{
    float used = ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x - ImGui::GetWindowPos().x;
    if (gui->beside && (gui->in_bar || used + width <= ImGui::GetWindowContentRegionMax().x))
        ImGui::SameLine();
    gui->beside = false;
}

void tide_gui_gap(tide_gui *gui)
{
    ImGui::Dummy(ImVec2(0, std::round(0.1f * gui->text)));
}

bool tide_gui_button(tide_gui *gui, const char *label)
{
    stay_in_line(gui, ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x);
    bool pressed = ImGui::Button(label);
    gui_say(gui, label, nullptr);
    gui_note(gui, label);
    return pressed;
}

bool tide_gui_toggle(tide_gui *gui, const char *label, bool on)
{
    ImGui::PushStyleColor(ImGuiCol_Button, on ? gui_colour(0x2f6ea5) : ImGui::GetStyle().Colors[ImGuiCol_Button]);
    bool pressed = tide_gui_button(gui, label);
    ImGui::PopStyleColor();
    return pressed;
}

bool tide_gui_tile(tide_gui *gui, const char *title, const char *line, const tide_image *picture, float width,
                   bool *seen)
{
    float high = ImGui::GetTextLineHeight(), pad = std::round(0.3f * gui->text);
    ImVec2 size(std::round(width), std::round(0.625f * width) + 2 * high + 2 * pad);
    stay_in_line(gui, size.x);
    ImVec2 from = ImGui::GetCursorScreenPos();
    ImVec2 to(from.x + size.x, from.y + std::round(0.625f * size.x)), below(from.x + pad, to.y + pad);
    ImGui::PushID(line);
    bool pressed = ImGui::Button("", size);
    ImGui::PopID();
    *seen = ImGui::IsItemVisible();
    gui_say(gui, title, line);
    gui_note(gui, line);
    if (!*seen)
        return pressed;
    ImGui::GetWindowDrawList()->AddRectFilled(from, to, ImGui::ColorConvertFloat4ToU32(gui_colour(0x0d1015)));
    gui_add_picture(gui, picture, from, to);
    ImVec2 end(from.x + size.x - pad, below.y + high);
    ImGui::RenderTextClipped(below, end, title, nullptr, nullptr);
    below.y += high;
    end.y += high;
    ImGui::PushStyleColor(ImGuiCol_Text, gui_colour(quiet_ink));
    ImGui::RenderTextClipped(below, end, line, nullptr, nullptr);
    ImGui::PopStyleColor();
    return pressed;
}

bool tide_gui_check(tide_gui *gui, const char *label, bool *value)
{
    stay_in_line(gui, ImGui::CalcTextSize(label).x + ImGui::GetFrameHeight() + gui->text);
    bool changed = ImGui::Checkbox(label, value);
    gui_say(gui, label, *value ? "yes" : "no");
    gui_note(gui, label);
    return changed;
}

bool tide_gui_choice(tide_gui *gui, const char *label, const char *const *choices, int *value)
{
    int before = *value, count = 0;
    while (choices[count])
        count++;
    lead(gui, label);
    const char *shown = before >= 0 && before < count ? choices[before] : "";
    bool open = ImGui::BeginCombo("", shown, ImGuiComboFlags_HeightLarge);
    if (!open) {
        gui_say(gui, label, shown);
        gui_note(gui, label);
    } else {
        for (int i = 0; i < count; i++) {
            if (ImGui::Selectable(choices[i], i == before))
                *value = i;
            gui_note(gui, choices[i]);
            if (i == before)
                ImGui::SetItemDefaultFocus();
        }
        ImGui::EndCombo();
    }
    ImGui::PopID();
    return *value != before;
}

// Returns the acts of the last item. A number that is typed takes effect only at the end.
static unsigned acts_of_item(tide_gui *gui, bool changed, double *value, double before)
{
    ImGuiID id = ImGui::GetItemID();
    bool typing = ImGui::TempInputIsActive(id), ended = ImGui::IsItemDeactivated();
    unsigned acts = ImGui::IsItemActivated() ? unsigned(TIDE_GUI_TAKEN) : 0;
    if (typing || (gui->edited_id == id && ended)) {
        if (changed || gui->edited_id != id)
            gui->edited[0] = changed ? *value : before;
        gui->edited_id = ended ? 0 : id;
        *value = ended ? gui->edited[0] : before;
        if (ended && *value != before)
            acts |= TIDE_GUI_CHANGED | TIDE_GUI_DONE;
        return acts;
    }
    if (changed && *value != before)
        acts |= TIDE_GUI_CHANGED;
    if (ended)
        acts |= TIDE_GUI_DONE;
    return acts;
}

// Draws a slider's position as a line along its lower edge with a knob, where it covers no digits.
static void draw_place(tide_gui *gui, float share)
{
    if (ImGui::TempInputIsActive(ImGui::GetItemID()))
        return;
    share = std::fmin(std::fmax(share, 0.0f), 1.0f);
    ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    float thick = std::fmax(1.0f, std::round(0.1f * gui->text)), knob = std::round(0.15f * gui->text);
    float at = std::round(from.x + knob + share * (to.x - from.x - 2 * knob));
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImU32 colour = ImGui::ColorConvertFloat4ToU32(
        gui_colour(ImGui::IsItemActive() || ImGui::IsItemHovered() ? accent : 0x3f7fa8, ImGui::GetStyle().Alpha));
    list->AddRectFilled(ImVec2(from.x, to.y - thick), ImVec2(at, to.y), colour);
    list->AddRectFilled(ImVec2(at - knob, to.y - 2 * thick), ImVec2(at + knob, to.y), colour);
}

static float share_of(double value, double minimum, double maximum, bool logarithmic)
{
    return float(logarithmic && minimum > 0 && value > 0 ? std::log(value / minimum) / std::log(maximum / minimum)
                                                         : (value - minimum) / (maximum - minimum));
}

unsigned tide_gui_slider(tide_gui *gui, const char *label, double *value, double minimum, double maximum,
                         bool logarithmic, const char *unit)
{
    char format[64], shown[96];
    // Enough digits to distinguish the smallest numbers of the scale from 0
    tide_gui_format(logarithmic && minimum < 1e-4 ? "%.12g" : "%.6g", unit, format, sizeof format);
    double before = *value;
    lead(gui, label);
    bool changed =
        ImGui::SliderScalar("", ImGuiDataType_Double, value, &minimum, &maximum, format,
                            ImGuiSliderFlags_NoRoundToFormat | (logarithmic ? ImGuiSliderFlags_Logarithmic : 0));
    ImGuiID id = ImGui::GetItemID();
    if (changed && !ImGui::TempInputIsActive(id) && gui->edited_id != id) // a typed number is not rounded
        *value = tide_gui_round(*value, minimum, maximum, logarithmic);
    draw_place(gui, share_of(*value, minimum, maximum, logarithmic));
    unsigned acts = acts_of_item(gui, changed, value, before);
    ImGui::PopID();
    snprintf(shown, sizeof shown, "%.6g%s%s", *value, unit && unit[0] ? " " : "", unit ? unit : "");
    gui_say(gui, label, shown);
    gui_note(gui, label);
    return acts;
}

unsigned tide_gui_slider_integer(tide_gui *gui, const char *label, int *value, int minimum, int maximum,
                                 bool logarithmic)
{
    int before = *value;
    lead(gui, label);
    bool changed = ImGui::SliderInt("", value, minimum, maximum, "%d", logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
    draw_place(gui, share_of(*value, minimum, maximum, logarithmic));
    double real = *value;
    unsigned acts = acts_of_item(gui, changed, &real, before);
    *value = int(real);
    ImGui::PopID();
    char shown[32];
    snprintf(shown, sizeof shown, "%d", *value);
    gui_say(gui, label, shown);
    gui_note(gui, label);
    return acts;
}

static bool numbers(tide_gui *gui, const char *label, double *values, int count, const char *unit)
{
    char format[64], shown[96];
    double typed[3], before[3];
    tide_gui_format("%.10g", unit, format, sizeof format);
    memcpy(before, values, sizeof before[0] * size_t(count));
    memcpy(typed, before, sizeof before[0] * size_t(count));
    lead(gui, label);
    ImGuiID id = ImGui::GetID("");
    if (gui->edited_id == id)
        memcpy(typed, gui->edited, sizeof typed[0] * size_t(count));
    bool edited = count == 1 ? ImGui::InputScalar("", ImGuiDataType_Double, typed, nullptr, nullptr, format)
                             : ImGui::InputScalarN("", ImGuiDataType_Double, typed, count, nullptr, nullptr, "%.6g");
    if (edited) {
        memcpy(gui->edited, typed, sizeof typed[0] * size_t(count));
        gui->edited_id = id;
    }
    bool changed = false;
    if (gui->edited_id == id && ImGui::IsItemDeactivated()) {
        gui->edited_id = 0;
        memcpy(values, gui->edited, sizeof typed[0] * size_t(count));
        changed = memcmp(values, before, sizeof before[0] * size_t(count)) != 0;
    }
    ImGui::PopID();
    if (count == 1)
        snprintf(shown, sizeof shown, "%.10g%s%s", values[0], unit && unit[0] ? " " : "", unit ? unit : "");
    else
        snprintf(shown, sizeof shown, "%.6g %.6g %.6g", values[0], values[1], values[2]);
    gui_say(gui, label, shown);
    gui_note(gui, label);
    return changed;
}

bool tide_gui_number(tide_gui *gui, const char *label, double *value, const char *unit)
{
    return numbers(gui, label, value, 1, unit);
}

bool tide_gui_vector(tide_gui *gui, const char *label, double value[3], const char *unit)
{
    char wide[96];
    snprintf(wide, sizeof wide, "%s%s%s", label, unit && unit[0] ? ", " : "", unit ? unit : "");
    return numbers(gui, wide, value, 3, nullptr);
}

bool tide_gui_field(tide_gui *gui, const char *label, char *text, size_t size)
{
    lead(gui, label);
    ImGui::InputText("", text, size);
    bool changed = ImGui::IsItemDeactivatedAfterEdit();
    ImGui::PopID();
    gui_say(gui, label, text);
    gui_note(gui, label);
    return changed;
}

// --- drawing ---------------------------------------------------------------------------------------------------------

static ImU32 series_colour(uint32_t series)
{
    static const unsigned colours[] = {
        0x56b4e9, 0xf0a020, 0x35c49a, 0xf0e442, 0xe58fc0, 0x5f9df0, 0xf07a40, 0xd8dee9
    };
    unsigned rgb = series == TIDE_GUI_SERIES_TEXT ? quiet_ink : colours[series % IM_ARRAYSIZE(colours)];
    return ImGui::ColorConvertFloat4ToU32(gui_colour(rgb));
}

tide_gui_area tide_gui_begin_area(tide_gui *gui, const char *name, float height)
{
    ImVec2 from = ImGui::GetCursorScreenPos();
    ImVec2 size(ImGui::GetContentRegionAvail().x, std::round(height * gui->text));
    bool clicked = ImGui::InvisibleButton(name, size);
    ImVec2 to(from.x + size.x, from.y + size.y), mouse = ImGui::GetIO().MousePos;
    gui_note(gui, name);
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(from, to, ImGui::ColorConvertFloat4ToU32(gui_colour(0x0d1015)));
    ImGui::PushClipRect(from, to, true);
    return { from.x, from.y, to.x, to.y, ImGui::IsItemHovered(), mouse.x, mouse.y, clicked };
}

void tide_gui_end_area(tide_gui *)
{
    ImGui::PopClipRect();
}

void tide_gui_line(tide_gui *, const float *points, uint32_t count, uint32_t series, float width)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    static_assert(sizeof(ImVec2) == 2 * sizeof(float), "two numbers");
    list->AddPolyline(reinterpret_cast<const ImVec2 *>(points), int(count), series_colour(series), 0, width);
}

void tide_gui_grid_line(tide_gui *, float x0, float y0, float x1, float y1)
{
    ImU32 grey = ImGui::ColorConvertFloat4ToU32(gui_colour(0x2c3440));
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(std::floor(x0), std::floor(y0)),
                                              ImVec2(std::floor(x1) + 1, std::floor(y1) + 1), grey);
}

void tide_gui_mark(tide_gui *gui, float x, float y, bool right, uint32_t series, const char *text)
{
    ImVec2 size = ImGui::CalcTextSize(text);
    ImVec2 at(std::floor(right ? x - size.x : x), std::floor(y - 0.5f * size.y));
    ImGui::GetWindowDrawList()->AddText(at, series_colour(series), text);
    gui_say(gui, text, nullptr);
}

float tide_gui_text_width(tide_gui *, const char *text)
{
    return ImGui::CalcTextSize(text).x;
}
