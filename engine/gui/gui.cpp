// Dear ImGui for a C caller: creation, input, frames. The widgets are in gui_widgets.cpp.
extern "C" {
#include "base/memory.h"
#include "gui/gui_glyphs.h"
#include "gui/gui_raster.h"
}
#include "gui/gui_parts.h"

#include <cmath>
#include <cstdio>
#include <cstring>

static_assert(sizeof(tide_gui_vertex) == sizeof(ImDrawVert) && sizeof(ImDrawIdx) == sizeof(uint16_t), "as it draws");

// --- life ------------------------------------------------------------------------------------------------------------

static void *allocate(size_t size, void *)
{
    return tide_allocate(size);
}

static void release(void *block, void *)
{
    tide_free(block);
}

static void set_clipboard(void *context, const char *text)
{
    tide_gui *gui = static_cast<tide_gui *>(context);
    gui->clipboard.set(gui->clipboard.context, text);
}

static const char *get_clipboard(void *context)
{
    tide_gui *gui = static_cast<tide_gui *>(context);
    return gui->clipboard.get(gui->clipboard.context);
}

static void set_colours(ImVec4 *colours)
{
    ImGui::StyleColorsDark();
    colours[ImGuiCol_Text] = gui_colour(ink);
    colours[ImGuiCol_TextDisabled] = gui_colour(0x8b95a5);
    colours[ImGuiCol_WindowBg] = gui_colour(0x14181f, 0.93f);
    colours[ImGuiCol_PopupBg] = gui_colour(0x1c222c, 0.98f);
    colours[ImGuiCol_Border] = gui_colour(0x3d4756);
    colours[ImGuiCol_FrameBg] = gui_colour(0x2a323e);
    colours[ImGuiCol_FrameBgHovered] = gui_colour(0x364252);
    colours[ImGuiCol_FrameBgActive] = gui_colour(0x3f5168);
    colours[ImGuiCol_TitleBg] = colours[ImGuiCol_TitleBgActive] = gui_colour(0x24405c);
    colours[ImGuiCol_ScrollbarBg] = gui_colour(0x14181f, 0);
    colours[ImGuiCol_ScrollbarGrab] = gui_colour(0x4a5566);
    colours[ImGuiCol_CheckMark] = gui_colour(accent);
    colours[ImGuiCol_SliderGrab] = colours[ImGuiCol_SliderGrabActive] = gui_colour(0, 0); // gui_widgets.cpp draws it
    colours[ImGuiCol_Button] = gui_colour(0x33445a);
    colours[ImGuiCol_ButtonHovered] = gui_colour(0x42597a);
    colours[ImGuiCol_ButtonActive] = gui_colour(0x4f6d96);
    colours[ImGuiCol_Header] = gui_colour(0x24405c);
    colours[ImGuiCol_HeaderHovered] = gui_colour(0x2e5276);
    colours[ImGuiCol_HeaderActive] = gui_colour(0x38648f);
    colours[ImGuiCol_Separator] = gui_colour(0x3d4756);
    colours[ImGuiCol_TextSelectedBg] = gui_colour(0x2f6ea5);
    colours[ImGuiCol_NavHighlight] = gui_colour(0xf0c040);
}

static void set_style(float text)
{
    ImGuiStyle &style = ImGui::GetStyle();
    style = ImGuiStyle();
    set_colours(style.Colors);
    style.WindowPadding = ImVec2(std::round(0.5f * text), std::round(0.4f * text));
    style.FramePadding = ImVec2(std::round(0.35f * text), std::round(0.1f * text));
    style.ItemSpacing = ImVec2(std::round(0.4f * text), std::round(0.22f * text));
    style.ItemInnerSpacing = ImVec2(std::round(0.35f * text), std::round(0.2f * text));
    style.IndentSpacing = std::round(0.8f * text);
    style.ScrollbarSize = std::round(0.75f * text);
    style.GrabMinSize = std::round(0.4f * text);
    style.WindowRounding = style.PopupRounding = 0;
    style.FrameRounding = style.GrabRounding = style.ScrollbarRounding = std::round(0.15f * text);
    style.WindowBorderSize = 0;
    style.AntiAliasedLinesUseTex = false; // the rasteriser does not interpolate texels
}

static void set_keys(ImGuiIO &io)
{
    // In the order of tide_gui_key
    static const ImGuiKey_ keys[] = { ImGuiKey_COUNT,     ImGuiKey_Tab,       ImGuiKey_LeftArrow, ImGuiKey_RightArrow,
                                      ImGuiKey_UpArrow,   ImGuiKey_DownArrow, ImGuiKey_PageUp,    ImGuiKey_PageDown,
                                      ImGuiKey_Home,      ImGuiKey_End,       ImGuiKey_Insert,    ImGuiKey_Delete,
                                      ImGuiKey_Backspace, ImGuiKey_Space,     ImGuiKey_Enter,     ImGuiKey_Escape,
                                      ImGuiKey_A,         ImGuiKey_C,         ImGuiKey_V,         ImGuiKey_X,
                                      ImGuiKey_Y,         ImGuiKey_Z };
    static_assert(IM_ARRAYSIZE(keys) == TIDE_GUI_KEYS, "one for each");
    for (int i = TIDE_GUI_KEY_NONE + 1; i < TIDE_GUI_KEYS; i++)
        io.KeyMap[keys[i]] = i;
}

tide_status tide_gui_create(tide_gui **out, tide_error *error)
{
    tide_gui *gui = static_cast<tide_gui *>(tide_allocate_zeroed(1, sizeof(tide_gui)));
    if (!gui)
        return tide_fail_memory(error, "panels");
    ImGui::SetAllocatorFunctions(allocate, release, nullptr);
    gui->context = ImGui::CreateContext();
    ImGui::SetCurrentContext(gui->context);
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = io.LogFilename = nullptr;
    io.ConfigFlags = ImGuiConfigFlags_NavEnableKeyboard;
    io.BackendFlags = ImGuiBackendFlags_RendererHasVtxOffset;
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    set_keys(io);
    *out = gui;
    return TIDE_OK;
}

void tide_gui_destroy(tide_gui *gui)
{
    if (!gui)
        return;
    ImGui::DestroyContext(gui->context);
    tide_text_free(&gui->said);
    tide_free(gui->items);
    tide_free(gui->pictures);
    tide_free(gui);
}

void tide_gui_set_clipboard(tide_gui *gui, const tide_gui_clipboard *clipboard)
{
    ImGui::SetCurrentContext(gui->context);
    ImGuiIO &io = ImGui::GetIO();
    gui->clipboard = *clipboard;
    io.SetClipboardTextFn = set_clipboard;
    io.GetClipboardTextFn = get_clipboard;
    io.ClipboardUserData = gui;
}

// --- the font --------------------------------------------------------------------------------------------------------

enum { FIRST_GLYPHS = 256 };

static void make_font(tide_gui *gui, float text)
{
    ImFontAtlas *atlas = ImGui::GetIO().Fonts;
    static const ImWchar only_a_space[] = { ' ', ' ', 0 };
    int places[FIRST_GLYPHS], count = 0;
    atlas->Clear();
    atlas->Flags = ImFontAtlasFlags_NoMouseCursors | ImFontAtlasFlags_NoBakedLines;
    ImFontConfig settings;
    settings.SizePixels = tide_gui_line_height(text);
    settings.GlyphRanges = only_a_space;
    ImFont *font = atlas->AddFontDefault(&settings); // its only character is replaced too
    for (; count < FIRST_GLYPHS && tide_gui_glyph_character(uint32_t(count)); count++) {
        uint32_t character = tide_gui_glyph_character(uint32_t(count));
        tide_gui_glyph glyph = tide_gui_glyph_measure(character, text);
        places[count] = atlas->AddCustomRectFontGlyph(font, ImWchar(character), glyph.width ? int(glyph.width) : 1,
                                                      glyph.height ? int(glyph.height) : 1, glyph.advance,
                                                      ImVec2(float(glyph.left), float(glyph.top)));
    }
    unsigned char *pixels;
    int width, height;
    atlas->GetTexDataAsAlpha8(&pixels, &width, &height);
    for (int i = 0; i < count; i++) {
        const ImFontAtlasCustomRect *place = atlas->GetCustomRectByIndex(places[i]);
        tide_gui_glyph_draw(tide_gui_glyph_character(uint32_t(i)), text,
                            pixels + size_t(place->Y) * size_t(width) + place->X, uint32_t(width));
    }
    gui->text = text;
    set_style(text);
}

// --- input -----------------------------------------------------------------------------------------------------------

static ImGuiIO &io_of(tide_gui *gui)
{
    ImGui::SetCurrentContext(gui->context);
    return ImGui::GetIO();
}

static void owe(tide_gui *gui)
{
    gui->owed = 3; // open, show, and settle the layout
}

void tide_gui_mouse_at(tide_gui *gui, float x, float y)
{
    io_of(gui).MousePos = ImVec2(x, y);
    if (tide_gui_has_mouse(gui))
        owe(gui);
}

void tide_gui_mouse_button(tide_gui *gui, int button, bool down)
{
    if (button < 0 || button > 2)
        return;
    gui->down[button] = down;
    gui->pressed[button] = gui->pressed[button] || down;
    if (down && !tide_gui_has_mouse(gui))
        tide_gui_leave(gui);
    owe(gui);
}

void tide_gui_mouse_wheel(tide_gui *gui, float across, float up)
{
    ImGuiIO &io = io_of(gui);
    io.MouseWheelH += across;
    io.MouseWheel += up;
    owe(gui);
}

void tide_gui_key_change(tide_gui *gui, tide_gui_key key, bool down)
{
    ImGui::SetCurrentContext(gui->context);
    const ImGuiContext &g = *gui->context;
    bool busy = g.ActiveId || g.OpenPopupStack.Size > 0;
    if (key == TIDE_GUI_KEY_ESCAPE && down && gui->keys && !busy)
        tide_gui_leave(gui);
    else if (key > TIDE_GUI_KEY_NONE && key < TIDE_GUI_KEYS) {
        gui->key_down[key] = down;
        gui->key_pressed[key] = gui->key_pressed[key] || down;
    }
    owe(gui);
}

void tide_gui_modifiers(tide_gui *gui, bool ctrl, bool shift, bool alt)
{
    ImGuiIO &io = io_of(gui);
    io.KeyCtrl = ctrl;
    io.KeyShift = shift;
    io.KeyAlt = alt;
}

void tide_gui_type(tide_gui *gui, const char *text)
{
    io_of(gui).AddInputCharactersUTF8(text);
    owe(gui);
}

void tide_gui_focus(tide_gui *gui, bool right)
{
    gui->going = right ? tide_gui::GO_RIGHT : tide_gui::GO_LEFT;
    gui->keys = true;
    gui->right = right;
    owe(gui);
}

void tide_gui_leave(tide_gui *gui)
{
    gui->going = tide_gui::GO_NOWHERE;
    gui->keys = gui->prompted = gui->was_prompted = false;
    gui->leaving = 2;
    owe(gui);
}

bool tide_gui_has_mouse(const tide_gui *gui)
{
    return gui->context->IO.WantCaptureMouse;
}

bool tide_gui_has_keys(const tide_gui *gui)
{
    return gui->keys || tide_gui_takes_text(gui) || gui->context->OpenPopupStack.Size > 0;
}

bool tide_gui_is_on_right(const tide_gui *gui)
{
    return gui->keys && gui->right;
}

bool tide_gui_takes_text(const tide_gui *gui)
{
    return gui->context->IO.WantTextInput && !gui->leaving;
}

bool tide_gui_is_unsettled(const tide_gui *gui)
{
    return gui->owed > 0 || gui->context->IO.WantTextInput;
}

// --- frames ----------------------------------------------------------------------------------------------------------

tide_status tide_gui_begin(tide_gui *gui, uint32_t width, uint32_t height, float text, double seconds,
                           tide_error *error)
{
    if (gui->said.failed)
        return tide_fail_memory(error, "panels");
    ImGuiIO &io = io_of(gui);
    text = std::fmin(std::fmax(std::round(text), 8.0f), 96.0f);
    if (text != gui->text)
        make_font(gui, text);
    io.DisplaySize = ImVec2(float(width), float(height));
    io.DeltaTime = float(std::fmin(std::fmax(seconds, 1e-4), 0.1));
    // A button pressed and released between two frames counts as pressed in the first one
    for (int i = 0; i < 3; i++)
        io.MouseDown[i] = gui->down[i] || gui->pressed[i];
    for (int i = 0; i < TIDE_GUI_KEYS; i++)
        io.KeysDown[i] = gui->key_down[i] || gui->key_pressed[i];
    memset(gui->pressed, 0, sizeof gui->pressed);
    memset(gui->key_pressed, 0, sizeof gui->key_pressed);
    tide_text_clear(&gui->said);
    gui->item_count = gui->picture_count = 0;
    ImGui::NewFrame();
    if (gui->going == tide_gui::GO_NOWHERE) {
        ImGui::SetWindowFocus(nullptr);
        gui->going = tide_gui::STAY;
    }
    gui->in_frame = true;
    gui->was_prompted = gui->prompted;
    gui->prompted = false;
    gui->leaving -= gui->leaving > 0;
    return TIDE_OK;
}

void gui_say(tide_gui *gui, const char *label, const char *value)
{
    tide_text_format(&gui->said, "%s%s%s\n", label, value && label[0] ? ": " : "", value ? value : "");
}

void gui_note(tide_gui *gui, const char *label)
{
    if (!ImGui::IsItemVisible() ||
        !tide_grow(&gui->items, &gui->item_capacity, gui->item_count + 1, sizeof(found_item)))
        return;
    found_item *item = &gui->items[gui->item_count++];
    snprintf(item->label, sizeof item->label, "%s", label);
    ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    item->box[0] = from.x;
    item->box[1] = from.y;
    item->box[2] = to.x;
    item->box[3] = to.y;
}

// Callback that marks the place of a picture in a draw list; it is never called.
static void picture_mark(const ImDrawList *, const ImDrawCmd *)
{
}

void gui_add_picture(tide_gui *gui, const tide_image *image, ImVec2 from, ImVec2 to)
{
    if (!image->width || !image->height ||
        !tide_grow(&gui->pictures, &gui->picture_capacity, gui->picture_count + 1, sizeof(gui_picture)))
        return;
    gui->pictures[gui->picture_count] = { image, { from.x, from.y, to.x, to.y } };
    ImGui::GetWindowDrawList()->AddCallback(picture_mark, reinterpret_cast<void *>(gui->picture_count++));
}

static int32_t pixel_within(float at, uint32_t size)
{
    return int32_t(std::fmin(std::fmax(std::ceil(at - 0.5f), 0.0f), float(size)));
}

// Draws an image with nearest-neighbour sampling.
static void draw_picture(tide_image *onto, const gui_picture *picture, const ImVec4 &clip)
{
    const float *box = picture->box;
    const tide_image *image = picture->image;
    int32_t x0 = pixel_within(std::fmax(box[0], clip.x), onto->width);
    int32_t x1 = pixel_within(std::fmin(box[2], clip.z), onto->width);
    int32_t y0 = pixel_within(std::fmax(box[1], clip.y), onto->height);
    int32_t y1 = pixel_within(std::fmin(box[3], clip.w), onto->height);
    for (int32_t y = y0; y < y1; y++) {
        float v = (float(y) + 0.5f - box[1]) / (box[3] - box[1]);
        size_t row = size_t(std::fmin(std::fmax(v, 0.0f) * float(image->height), float(image->height - 1)));
        for (int32_t x = x0; x < x1; x++) {
            float u = (float(x) + 0.5f - box[0]) / (box[2] - box[0]);
            size_t column = size_t(std::fmin(std::fmax(u, 0.0f) * float(image->width), float(image->width - 1)));
            memcpy(onto->pixels + 4 * (size_t(y) * onto->width + size_t(x)),
                   image->pixels + 4 * (row * image->width + column), 3);
        }
    }
}

static void close_what_is_open(void *, const char *, ...)
{
}

tide_status tide_gui_end(tide_gui *gui, tide_image *onto, tide_error *error)
{
    if (!gui->in_frame)
        return tide_fail(error, TIDE_ERROR_STATE, "panels", NULL, NULL, "there is no frame to end");
    ImGui::SetCurrentContext(gui->context);
    ImGui::ErrorCheckEndFrameRecover(close_what_is_open, nullptr);
    ImGui::Render();
    gui->in_frame = gui->side_is_open = gui->page_is_open = false;
    gui->going = tide_gui::STAY;
    gui->owed -= gui->owed > 0;
    const ImFontAtlas *atlas = ImGui::GetIO().Fonts;
    tide_gui_texture texture = { atlas->TexPixelsAlpha8, uint32_t(atlas->TexWidth), uint32_t(atlas->TexHeight) };
    const ImDrawData *data = ImGui::GetDrawData();
    for (int i = 0; onto && i < data->CmdListsCount; i++) {
        const ImDrawList *list = data->CmdLists[i];
        for (const ImDrawCmd &command : list->CmdBuffer) {
            if (command.UserCallback == picture_mark)
                draw_picture(onto, &gui->pictures[reinterpret_cast<size_t>(command.UserCallbackData)],
                             command.ClipRect);
            if (command.UserCallback)
                continue;
            const float clip[4] = { command.ClipRect.x, command.ClipRect.y, command.ClipRect.z, command.ClipRect.w };
            const ImDrawVert *vertices = list->VtxBuffer.Data + command.VtxOffset;
            tide_gui_raster(onto, clip, reinterpret_cast<const tide_gui_vertex *>(vertices),
                            list->IdxBuffer.Data + command.IdxOffset, command.ElemCount, &texture);
        }
    }
    return gui->said.failed ? tide_fail_memory(error, "panels") : TIDE_OK;
}

const char *tide_gui_said(const tide_gui *gui)
{
    return gui->said.bytes ? gui->said.bytes : "";
}

bool tide_gui_find(const tide_gui *gui, const char *label, float box[4])
{
    for (size_t i = 0; i < gui->item_count; i++)
        if (strcmp(gui->items[i].label, label) == 0) {
            memcpy(box, gui->items[i].box, sizeof gui->items[i].box);
            return true;
        }
    return false;
}

void tide_gui_begin_side(tide_gui *gui, bool right, float width, float top, float bottom)
{
    ImVec2 size = ImGui::GetIO().DisplaySize;
    float height = std::fmax(bottom - top, 3 * gui->text);
    bool go = gui->going == (right ? tide_gui::GO_RIGHT : tide_gui::GO_LEFT);
    ImGui::SetNextWindowPos(ImVec2(right ? size.x - width : 0, top));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, height));
    if (go)
        ImGui::SetNextWindowFocus();
    ImGui::Begin(right ? "right" : "left", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoCollapse);
    if (go) {
        ImGui::NavInitWindow(ImGui::GetCurrentWindow(), true);
        gui->context->NavDisableHighlight = false;
        gui->context->NavDisableMouseHover = true;
    }
    gui->side_is_open = true;
    gui->side_bottom = top + height;
}

void tide_gui_end_side(tide_gui *gui)
{
    if (gui->side_is_open)
        ImGui::End();
    gui->side_is_open = false;
}

void tide_gui_begin_bar(tide_gui *gui, float x, float top)
{
    ImGui::SetNextWindowPos(ImVec2(x, top), 0, ImVec2(0.5f, 0));
    ImGui::Begin("bar", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoNav);
    gui->in_bar = true;
}

void tide_gui_end_bar(tide_gui *gui)
{
    ImGui::End();
    gui->in_bar = false;
}

bool tide_gui_begin_page(tide_gui *gui, const char *title, float width, float top, float bottom)
{
    ImVec2 size = ImGui::GetIO().DisplaySize;
    width = std::fmin(width, size.x);
    ImGui::SetNextWindowPos(ImVec2(0.5f * size.x, 0.5f * (top + bottom)), 0, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, bottom - top - gui->text));
    ImGui::SetNextWindowBgAlpha(1);
    bool stays = true;
    ImGui::Begin(title, &stays,
                 ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse);
    gui_say(gui, title, nullptr);
    if (!stays)
        ImGui::End();
    gui->page_is_open = stays;
    return stays;
}

void tide_gui_end_page(tide_gui *gui)
{
    if (gui->page_is_open)
        ImGui::End();
    gui->page_is_open = false;
}
