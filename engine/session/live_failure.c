// Failures of an experiment: the step, the run, the input or the drawing that failed, until it is mended.
#include "session/live_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Finds the vertex that an error names, as tide_world_attribute_error writes it.
static void find_vertex(tide_live *live, tide_failure *failure)
{
    const tide_error *error = &failure->error;
    const char start[] = "body \"";
    char name[sizeof error->object];
    size_t length = strlen(error->object), skipped = sizeof start - 1;
    if (error->status != TIDE_ERROR_NUMERIC || strcmp(error->field, "vertex") != 0 || length < skipped + 2 ||
        strncmp(error->object, start, skipped) != 0)
        return;
    snprintf(name, sizeof name, "%.*s", (int)(length - skipped - 1), error->object + skipped);
    tide_body_info body;
    unsigned long vertex = strtoul(error->value, NULL, 10);
    failure->body = tide_world_find_body(tide_live_world(live), name);
    if (!tide_world_body_info(tide_live_world(live), failure->body, &body) || !vertex || vertex > body.vertex_count)
        return;
    failure->vertex = (uint32_t)vertex - 1;
    failure->has_vertex = true;
}

const tide_failure *tide_live_failure(const tide_live *live)
{
    return &live->failure;
}

static bool has_stopped(const tide_live *live)
{
    return live->failure.kind == TIDE_FAILURE_STEP;
}

void tide_live_fail(tide_live *live, tide_failure_kind kind, const tide_error *error)
{
    // A failure that stopped the run is shown until it is mended. A draw failure hides no other.
    if ((has_stopped(live) && kind != TIDE_FAILURE_STEP) ||
        (kind == TIDE_FAILURE_DRAW && live->failure.kind != TIDE_FAILURE_NONE))
        return;
    if (kind == TIDE_FAILURE_STEP && !has_stopped(live)) {
        live->paused_before = live->paused;
        live->paused = true;
    }
    live->failure = (tide_failure) { .kind = kind, .error = *error, .frame = tide_live_frame(live) };
    find_vertex(live, &live->failure);
    tide_live_explain(live, &live->failure);
}

void tide_live_end_failure(tide_live *live)
{
    if (has_stopped(live))
        live->paused = live->paused_before;
    live->failure = (tide_failure) { 0 };
    live->excused = false;
}

void tide_live_clear_failure(tide_live *live)
{
    bool exploded = live->failure.exploded;
    if (has_stopped(live) && !exploded)
        return;
    tide_live_end_failure(live);
    live->excused = exploded;
}

void tide_live_note_change(tide_live *live)
{
    live->changed = true;
    tide_frame_history_forget_after(&live->history, tide_live_frame(live));
    tide_live_end_failure(live);
}
