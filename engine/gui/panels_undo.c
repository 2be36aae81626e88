// The queue of inputs from the panels, and undo.
#include "gui/panels_state.h"

#include "base/memory.h"

#include <string.h>

// Returns whether input b replaces a, which is still in the queue
static bool sets_the_same(const tide_input *a, const tide_input *b)
{
    if (a->kind != b->kind || (a->name == NULL) != (b->name == NULL) || (a->name && strcmp(a->name, b->name) != 0))
        return false;
    if (a->kind == TIDE_INPUT_COLLIDER)
        return strcmp(a->text, b->text) == 0;
    return a->kind == TIDE_INPUT_PARAM || a->kind == TIDE_INPUT_SOLVER || a->kind == TIDE_INPUT_TIMESTEP;
}

void tide_panels_ask(tide_panels *panels, const tide_input *input)
{
    tide_input copy;
    if (panels->queue_count && panels->queue_first == 0 &&
        sets_the_same(&panels->queue[panels->queue_count - 1], input)) {
        tide_input_free(&panels->queue[panels->queue_count - 1]);
        panels->queue_count--;
    }
    if (!tide_grow(&panels->queue, &panels->queue_capacity, panels->queue_count + 1, sizeof *panels->queue) ||
        tide_input_copy(input, &copy, NULL) != TIDE_OK)
        panels->failed = true;
    else
        panels->queue[panels->queue_count++] = copy;
}

// --- undo ------------------------------------------------------------------------------------------------------------

static void free_change(tide_panels_change *change)
{
    tide_input_free(&change->before);
    tide_input_free(&change->after);
}

// Drops the oldest saved worlds if they take too much memory.
static void forget_oldest(tide_panels *panels)
{
    const size_t most = (size_t)256 << 20; // bytes
    size_t size = 0;
    uint32_t first = panels->change_count, kept = 0;
    for (; first > 0 && (size += panels->changes[first - 1].before.size) <= most; first--)
        ;
    first = first == panels->change_count && first > 0 ? first - 1 : first; // the last change can always be undone
    for (uint32_t i = 0; i < panels->change_count; i++)
        if (i < first)
            free_change(&panels->changes[i]);
        else
            panels->changes[kept++] = panels->changes[i];
    panels->change_count = kept;
}

void tide_panels_remember(tide_panels *panels, const tide_input *before, const tide_input *after)
{
    tide_panels_change change = { 0 };
    while (panels->change_count > panels->change_at)
        free_change(&panels->changes[--panels->change_count]);
    if (tide_input_copy(before, &change.before, NULL) != TIDE_OK ||
        tide_input_copy(after, &change.after, NULL) != TIDE_OK) {
        free_change(&change);
        panels->failed = true;
        return;
    }
    if (panels->change_count == TIDE_PANELS_UNDO) {
        free_change(&panels->changes[0]);
        memmove(panels->changes, panels->changes + 1, (TIDE_PANELS_UNDO - 1) * sizeof panels->changes[0]);
        panels->change_count--;
    }
    panels->changes[panels->change_count++] = change;
    forget_oldest(panels);
    panels->change_at = panels->change_count;
}

static bool write_world(tide_panels *panels, tide_text *text)
{
    bool written = panels->live && tide_live_write_world(panels->live, text, NULL) == TIDE_OK;
    if (!written)
        tide_text_free(text);
    return written;
}

void tide_panels_remember_world(tide_panels *panels)
{
    tide_text text = { 0 };
    if (!write_world(panels, &text))
        return; // without memory it cannot be undone
    const tide_input before = { .kind = TIDE_INPUT_RESTORE, .text = text.bytes, .size = text.length };
    const tide_input after = { .kind = TIDE_INPUT_RESTORE, .text = "" };
    tide_panels_remember(panels, &before, &after);
    tide_text_free(&text);
}

// Stores the current world for redo.
static void keep_for_redo(tide_panels *panels, tide_panels_change *change)
{
    tide_text text = { 0 };
    if (change->before.kind != TIDE_INPUT_RESTORE || !write_world(panels, &text))
        return;
    const tide_input now = { .kind = TIDE_INPUT_RESTORE, .text = text.bytes, .size = text.length };
    tide_input_free(&change->after);
    change->after = (tide_input) { 0 };
    if (tide_input_copy(&now, &change->after, NULL) != TIDE_OK)
        panels->failed = true;
    tide_text_free(&text);
}

static bool is_same(const tide_input *a, const tide_input *b)
{
    return a->number == b->number && (a->text == NULL) == (b->text == NULL) &&
           (!a->text || strcmp(a->text, b->text) == 0);
}

void tide_panels_change_to(tide_panels *panels, const tide_input *before, const tide_input *after, unsigned acts)
{
    tide_input *held = &panels->held;
    if ((acts & TIDE_GUI_TAKEN) && !(acts & TIDE_GUI_DONE)) {
        tide_input_free(held);
        *held = (tide_input) { 0 };
        if (tide_input_copy(before, held, NULL) != TIDE_OK)
            panels->failed = true;
    }
    if (acts & TIDE_GUI_CHANGED)
        tide_panels_ask(panels, after);
    bool series = held->kind != TIDE_INPUT_NONE && sets_the_same(held, after);
    if (series && (acts & TIDE_GUI_DONE)) {
        if (!is_same(held, after))
            tide_panels_remember(panels, held, after);
        tide_input_free(held);
        *held = (tide_input) { 0 };
    } else if (!series && (acts & TIDE_GUI_CHANGED))
        tide_panels_remember(panels, before, after);
}

bool tide_panels_can_undo(const tide_panels *panels)
{
    return panels->change_at > 0;
}

bool tide_panels_can_redo(const tide_panels *panels)
{
    return panels->change_at < panels->change_count;
}

void tide_panels_undo(tide_panels *panels)
{
    if (!tide_panels_can_undo(panels))
        return;
    keep_for_redo(panels, &panels->changes[--panels->change_at]);
    tide_panels_ask(panels, &panels->changes[panels->change_at].before);
}

void tide_panels_redo(tide_panels *panels)
{
    if (tide_panels_can_redo(panels))
        tide_panels_ask(panels, &panels->changes[panels->change_at++].after);
}

void tide_panels_forget(tide_panels *panels)
{
    while (panels->change_count)
        free_change(&panels->changes[--panels->change_count]);
    panels->change_at = 0;
    while (panels->queue_first < panels->queue_count)
        tide_input_free(&panels->queue[panels->queue_first++]);
    panels->queue_first = panels->queue_count = 0;
    tide_input_free(&panels->held);
    panels->held = (tide_input) { 0 };
}
