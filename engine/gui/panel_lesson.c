// The lesson on the right: its text, and the marks of the exercise.
#include "gui/panels_state.h"

#include "base/memory.h"
#include "gui/page.h"

#include <stdio.h>
#include <string.h>

enum { LEAF_TEXT, LEAF_MARKS, LEAF_RESULTS, LEAVES };

struct tide_panel_lesson {
    tide_page *page; // NULL: to be laid out
    float width, text;
    char *words;     // of the lesson, for screen readers
    int to_restore;  // drawings in which the scroll bar is put where it was
    bool asked;      // for the other scene
    uint64_t marked; // of the lesson, when the marks were last looked at
};

void tide_panels_set_lesson(tide_panels *panels, tide_lesson *lesson)
{
    tide_panel_lesson_destroy(panels);
    panels->lesson_view = lesson ? tide_allocate_zeroed(1, sizeof *panels->lesson_view) : NULL;
    panels->lesson = panels->lesson_view ? lesson : NULL;
    panels->failed = panels->failed || (lesson && !panels->lesson);
    if (!panels->lesson)
        return;
    panels->lesson_view->to_restore = 4; // a region knows its contents after a few drawings
    panels->lesson_view->marked = lesson->marked;
}

void tide_panel_lesson_destroy(tide_panels *panels)
{
    struct tide_panel_lesson *view = panels->lesson_view;
    if (view) {
        tide_page_destroy(view->page);
        tide_free(view->words);
        tide_free(view);
    }
    panels->lesson_view = NULL;
    panels->lesson = NULL;
}

bool tide_panels_take_switch(tide_panels *panels)
{
    bool asked = panels->lesson && panels->lesson_view->asked;
    if (asked)
        panels->lesson_view->asked = false;
    return asked;
}

bool tide_panel_lesson_is_wide(const tide_panels *panels)
{
    return panels->lesson && panels->lesson->leaf != LEAF_RESULTS;
}

bool tide_panel_lesson_key(tide_panels *panels, const SDL_Keysym *key)
{
    bool pages = (key->sym == SDLK_PAGEUP || key->sym == SDLK_PAGEDOWN) && (key->mod & KMOD_SHIFT);
    if (!pages || !panels->lesson || panels->lesson->leaf != LEAF_TEXT)
        return false;
    panels->lesson->scroll += (key->sym == SDLK_PAGEUP ? -20 : 20) * panels->text;
    if (panels->lesson->scroll < 0)
        panels->lesson->scroll = 0;
    panels->lesson_view->to_restore = 1;
    return true;
}

// --- the text --------------------------------------------------------------------------------------------------------

static char *words_of(const tide_document *document)
{
    tide_text text = { 0 };
    for (size_t i = 0; i < document->count; i++) {
        const tide_mark *mark = &document->marks[i];
        bool ends = mark->closes && (mark->kind == TIDE_MARK_PARAGRAPH || mark->kind == TIDE_MARK_HEADING ||
                                     mark->kind == TIDE_MARK_ITEM || mark->kind == TIDE_MARK_ROW);
        if (mark->kind == TIDE_MARK_TEXT || mark->kind == TIDE_MARK_FORMULA)
            tide_text_add(&text, mark->text, strlen(mark->text));
        else if (ends || mark->kind == TIDE_MARK_SOFT_BREAK)
            tide_text_add(&text, ends ? "\n" : " ", 1);
    }
    tide_text_add(&text, "", 1);
    if (text.failed)
        tide_text_free(&text);
    return text.bytes;
}

// Lays the text out anew where the width or the size of text is another one.
static void lay_out(tide_panels *panels, float width)
{
    struct tide_panel_lesson *view = panels->lesson_view;
    float text = tide_gui_em(panels->gui);
    if (!view->words)
        view->words = words_of(panels->lesson->document);
    if (view->page && view->width == width && view->text == text)
        return;
    tide_page_destroy(view->page);
    view->page = NULL;
    view->width = width;
    view->text = text;
    if (tide_page_create(panels->lesson->document, width, text, &view->page, NULL) != TIDE_OK)
        panels->failed = true;
}

static void draw_text(tide_panels *panels)
{
    tide_gui *gui = panels->gui;
    struct tide_panel_lesson *view = panels->lesson_view;
    float width =
        tide_gui_begin_reading(gui, "lesson", tide_gui_room(gui), &panels->lesson->scroll, view->to_restore > 0);
    view->to_restore -= view->to_restore > 0;
    if (width >= 8 * tide_gui_em(gui))
        lay_out(panels, width);
    for (uint32_t i = 0; view->page && i < tide_page_strips(view->page); i++) {
        uint32_t rest = tide_page_height(view->page) - i * TIDE_PAGE_STRIP;
        if (!tide_gui_place(gui, (float)(rest < TIDE_PAGE_STRIP ? rest : TIDE_PAGE_STRIP)))
            continue;
        const tide_image *strip = tide_page_strip(view->page, i);
        if (strip)
            tide_gui_show(gui, strip);
        else
            panels->failed = true;
    }
    tide_gui_end_reading(gui, "lesson");
    if (view->words)
        tide_gui_speak(gui, view->words);
}

// --- the marks -------------------------------------------------------------------------------------------------------

static void draw_check(tide_panels *panels, const tide_lesson_check *check)
{
    char points[64];
    bool passed = check->points >= check->of;
    snprintf(points, sizeof points, "%.4g of %.4g", check->points, check->of);
    tide_panels_row(panels, check->name, "%s", points);
    tide_gui_text(panels->gui, passed ? TIDE_GUI_GOOD : TIDE_GUI_ALERT, passed ? "passed" : check->message);
    if (!passed && check->hint[0]) {
        char hint[1200];
        snprintf(hint, sizeof hint, "Hint: %s", check->hint);
        tide_gui_text(panels->gui, TIDE_GUI_WARNING, hint);
    }
    tide_gui_gap(panels->gui);
}

static void draw_marks(tide_panels *panels)
{
    const tide_lesson *lesson = panels->lesson;
    tide_gui *gui = panels->gui;
    if (lesson->state == TIDE_LESSON_FAILED)
        tide_gui_text(gui, TIDE_GUI_ALERT, lesson->failure);
    for (uint32_t i = 0; i < lesson->check_count; i++) {
        char name[16];
        snprintf(name, sizeof name, "%u", i);
        tide_gui_push(gui, name);
        draw_check(panels, &lesson->checks[i]);
        tide_gui_pop(gui);
    }
    tide_gui_gap(gui);
    tide_gui_text(gui, TIDE_GUI_QUIET, "Your exercise, marked at every save:");
    tide_gui_text(gui, TIDE_GUI_QUIET, lesson->exercise);
}

// --- the leaves ------------------------------------------------------------------------------------------------------

static void draw_summary(tide_panels *panels)
{
    const tide_lesson *lesson = panels->lesson;
    char text[200] = "";
    const char *where = lesson->leaf == LEAF_MARKS ? "" : ": see Marks";
    tide_gui_tone tone = TIDE_GUI_QUIET;
    if (lesson->state == TIDE_LESSON_MARKING)
        snprintf(text, sizeof text, "The exercise is being marked ...");
    else if (lesson->state == TIDE_LESSON_FAILED) {
        snprintf(text, sizeof text, "The exercise could not be marked%s", where);
        tone = TIDE_GUI_ALERT;
    } else if (lesson->of > 0) {
        bool done = lesson->points >= lesson->of;
        snprintf(text, sizeof text, "%.4g of %.4g points%s", lesson->points, lesson->of, done ? ": done" : where);
        tone = done ? TIDE_GUI_GOOD : TIDE_GUI_WARNING;
    }
    tide_gui_text(panels->gui, tone, text);
}

static void draw_buttons(tide_panels *panels)
{
    static const char *const leaves[LEAVES] = { "Text", "Marks", "Results" };
    tide_lesson *lesson = panels->lesson;
    for (int leaf = 0; leaf < LEAVES; leaf++) {
        if (leaf)
            tide_gui_next(panels->gui);
        if (tide_gui_toggle(panels->gui, leaves[leaf], lesson->leaf == leaf)) {
            lesson->leaf = leaf;
            panels->lesson_view->to_restore = 4;
        }
    }
    tide_gui_next(panels->gui);
    panels->lesson_view->asked =
        tide_gui_button(panels->gui, lesson->on_exercise ? "Show the demonstration" : "Show my exercise") ||
        panels->lesson_view->asked;
    tide_gui_help(panels->gui, "the lesson's other scene (L)");
}

// After a save, the marks are what the student waits for.
static void turn_to_marks(tide_panels *panels)
{
    tide_lesson *lesson = panels->lesson;
    struct tide_panel_lesson *view = panels->lesson_view;
    if (view->marked == lesson->marked)
        return;
    view->marked = lesson->marked;
    if (lesson->marked > 1)
        lesson->leaf = LEAF_MARKS;
}

bool tide_panel_lesson(tide_panels *panels)
{
    turn_to_marks(panels);
    draw_buttons(panels);
    if (panels->lesson->leaf == LEAF_RESULTS)
        return false;
    draw_summary(panels);
    if (panels->lesson->leaf == LEAF_MARKS)
        draw_marks(panels);
    else
        draw_text(panels);
    return true;
}
