#include "session/live_knife.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

// Finds the last sample of the cut on the current body: a cloth that has moved since has carried the end of the cut
// along.
static void find_knife(const tide_knife *knife, tide_world *world, const tide_pick_view *view, double from[2])
{
    const double *x = knife->on_body ? tide_world_positions(world, knife->body) : NULL;
    double now[2];
    memcpy(from, knife->at, sizeof knife->at);
    if (!x || !tide_pick_project(view, x + 3 * (size_t)knife->vertex, now))
        return;
    from[0] = now[0] + knife->beside[0];
    from[1] = now[1] + knife->beside[1];
}

// Lengthens a stroke back over what it cut before: parts of the body at other depths have moved by other distances in
// the picture, so that its pieces do not meet exactly.
static void lengthen(double from[2], const double to[2], double by)
{
    double length = hypot(from[0] - to[0], from[1] - to[1]);
    for (int k = 0; k < 2 && length > 0; k++)
        from[k] += (from[k] - to[k]) * by / length;
}

static void keep_knife(tide_knife *knife, tide_world *world, const tide_pick_view *view, const double at[2])
{
    double where[2];
    memcpy(knife->at, at, sizeof knife->at);
    knife->on_body = tide_pick_vertex(world, view, at, 0.1 * view->height, &knife->body, &knife->vertex, where);
    if (knife->on_body)
        for (int k = 0; k < 2; k++)
            knife->beside[k] = at[k] - where[k];
}

void tide_knife_begin(tide_knife *knife, tide_world *world, const tide_pick_view *view, const double at[2])
{
    knife->has_cut = false;
    keep_knife(knife, world, view, at);
}

static void cut_body(const tide_knife_host *host, const char *name, tide_input_kind kind, const uint32_t *items,
                     uint32_t count)
{
    TIDE_SCOPED char *kept = tide_copy_string(name); // the cut replaces the body
    if (count && kept)
        host->apply(host->context,
                    &(tide_input) { .kind = kind, .name = kept, .elements = items, .element_count = count });
}

void tide_knife_cut(tide_knife *knife, tide_live *live, const tide_pick_view *view, const double to[2],
                    const tide_knife_host *host)
{
    const double overlap = 0.02; // of the picture's height
    tide_world *world = tide_live_world(live);
    double from[2];
    find_knife(knife, world, view, from);
    lengthen(from, to, overlap * view->height);
    for (uint32_t b = 0; b < tide_world_body_count(world); b++) {
        tide_body_info body;
        tide_body_id id = tide_world_body_at(world, b);
        if (!tide_world_body_info(world, id, &body))
            continue;
        bool on = knife->on_body && id.index == knife->body.index && id.generation == knife->body.generation;
        tide_openings found;
        if (tide_pick_openings(world, id, view, on ? from : knife->at, to, &found, NULL) != TIDE_OK)
            continue; // out of memory
        if ((found.face_count || found.element_count) && !knife->has_cut && host->before_first)
            host->before_first(host->context);
        knife->has_cut = knife->has_cut || found.face_count || found.element_count;
        cut_body(host, body.name, TIDE_INPUT_CUT, found.elements, found.element_count);
        cut_body(host, body.name, TIDE_INPUT_OPEN, found.faces, found.face_count);
        tide_openings_free(&found);
    }
    keep_knife(knife, tide_live_world(live), view, to);
}
