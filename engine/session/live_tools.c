// A drag is a pin with a stiffness (model/zero_length.c) to a target that moves with the hand. So it is part of the
// state, and every solver supports it. Dragging a pinned vertex moves its pin.
#include "session/live_tools.h"

#include "base/hash.h"
#include "base/memory.h"
#include "world/pins.h"

#include <stdio.h>
#include <string.h>

// --- references ------------------------------------------------------------------------------------------------------

static void release_pins(tide_tool_pins *pins)
{
    if (!pins || --pins->references)
        return;
    tide_free(pins->items);
    tide_free(pins);
}

static void release_hold(tide_hold *hold)
{
    if (!hold || --hold->references)
        return;
    tide_free(hold->vertices);
    tide_free(hold->own);
    tide_free(hold);
}

tide_tools tide_tools_share(const tide_tools *tools)
{
    if (tools->pins)
        tools->pins->references++;
    if (tools->hold)
        tools->hold->references++;
    return *tools;
}

void tide_tools_release(tide_tools *tools)
{
    release_pins(tools->pins);
    release_hold(tools->hold);
    *tools = (tide_tools) { 0 };
}

// --- pins ------------------------------------------------------------------------------------------------------------

tide_status tide_tools_find_body(const tide_world *world, const char *name, tide_body_id *id, tide_error *error)
{
    char shown[96];
    *id = tide_world_find_body(world, name);
    if (id->generation)
        return TIDE_OK;
    snprintf(shown, sizeof shown, "\"%.80s\"", name);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, "input", "body", shown, "the scene has no body of this name");
}

// Returns a copy with one more pin, which replaces that of the same vertex.
static tide_tool_pins *add_pin(const tide_tool_pins *before, const tide_tool_pin *added)
{
    uint32_t count = before ? before->count : 0;
    tide_tool_pins *pins = tide_allocate_zeroed(1, sizeof *pins);
    tide_tool_pin *items = tide_allocate_array(count + 1, sizeof *items);
    if (!pins || !items) {
        tide_free(pins);
        tide_free(items);
        return NULL;
    }
    *pins = (tide_tool_pins) { .references = 1, .items = items };
    for (uint32_t i = 0; i < count; i++)
        if (before->items[i].body != added->body || before->items[i].vertex != added->vertex)
            items[pins->count++] = before->items[i];
    items[pins->count++] = *added;
    return pins;
}

static tide_status set_pin(tide_world *world, tide_body_id id, uint32_t vertex, bool pinned, tide_error *error)
{
    return pinned ? tide_world_pin(world, id, vertex, TIDE_NOT_GIVEN, error)
                  : tide_world_unpin(world, id, vertex, error);
}

tide_status tide_tools_pin(tide_tools *tools, tide_world *world, const tide_input *input, tide_error *error)
{
    tide_body_id id;
    tide_tool_pin made = { tide_hash_string(TIDE_HASH_START, input->name), input->vertex,
                           input->kind == TIDE_INPUT_PIN };
    TIDE_TRY(tide_tools_find_body(world, input->name, &id, error));
    tide_tool_pins *pins = add_pin(tools->pins, &made);
    if (!pins)
        return tide_fail_memory(error, "pin");
    tide_status status = set_pin(world, id, made.vertex, made.pinned, error);
    release_pins(status == TIDE_OK ? tools->pins : pins);
    if (status == TIDE_OK)
        tools->pins = pins;
    return status;
}

// --- drags -----------------------------------------------------------------------------------------------------------

static tide_status create_hold(const tide_input *input, const tide_body_info *body, tide_hold **out, tide_error *error)
{
    uint32_t count = input->grip == TIDE_GRIP_BODY ? body->face->vertex_count : input->grip == TIDE_GRIP_EDGE ? 2 : 1;
    tide_hold *hold = tide_allocate_zeroed(1, sizeof *hold);
    if (!hold)
        return tide_fail_memory(error, "drag");
    *hold = (tide_hold) { 1, count, tide_allocate_array(count, sizeof *hold->vertices),
                          tide_allocate_zeroed(count, sizeof *hold->own) };
    if (!hold->vertices || !hold->own) {
        release_hold(hold);
        return tide_fail_memory(error, "drag");
    }
    for (uint32_t i = 0; i < count; i++)
        hold->vertices[i] = input->grip == TIDE_GRIP_BODY ? i : i == 0 ? input->vertex : input->other;
    *out = hold;
    return TIDE_OK;
}

// Frees those of the first `count` vertices that were pinned for the drag.
static void let_go(const tide_hold *hold, tide_world *world, tide_body_id body, uint32_t count)
{
    for (uint32_t i = count; i-- > 0;)
        if (hold->own[i])
            tide_world_unpin(world, body, hold->vertices[i], NULL);
}

// Pins the vertices that are not pinned yet. `stiffness` is that of all together.
static tide_status take_hold(tide_hold *hold, tide_world *world, tide_body_id body, double stiffness, tide_error *error)
{
    tide_status status = TIDE_OK;
    uint32_t i = 0;
    for (; i < hold->count && status == TIDE_OK; i++) {
        hold->own[i] = !tide_world_is_pinned(world, body, hold->vertices[i]);
        if (hold->own[i])
            status = tide_world_pin(world, body, hold->vertices[i], stiffness / hold->count, error);
    }
    if (status != TIDE_OK)
        let_go(hold, world, body, i - 1);
    return status;
}

tide_status tide_tools_drag_begin(tide_tools *tools, tide_world *world, const tide_input *input, tide_error *error)
{
    tide_body_id id;
    tide_body_info body;
    tide_hold *hold;
    tide_status status = tide_tools_find_body(world, input->name, &id, error);
    if (status == TIDE_OK)
        status = tide_world_check_body(world, id, &body, error);
    if (status == TIDE_OK && tools->drag.active)
        status = tide_tools_drag_end(tools, world, error);
    if (status == TIDE_OK && input->grip == TIDE_GRIP_EDGE && input->vertex == input->other)
        status = tide_fail(error, TIDE_ERROR_ARGUMENT, "input", "drag_begin", NULL, "an edge has two vertices");
    if (status == TIDE_OK)
        status = create_hold(input, &body, &hold, error);
    if (status != TIDE_OK)
        return status;
    status = take_hold(hold, world, id, input->number, error);
    if (status != TIDE_OK) {
        release_hold(hold);
        return status;
    }
    tools->hold = hold;
    tools->drag = (tide_live_drag) { .active = true,
                                     .body = id,
                                     .grip = (tide_grip)input->grip,
                                     .vertex = input->vertex,
                                     .other = input->other,
                                     .stiffness = input->number };
    memcpy(tools->drag.point, input->point, sizeof tools->drag.point);
    return TIDE_OK;
}

static tide_status require_drag(const tide_tools *tools, tide_error *error)
{
    return tools->drag.active
               ? TIDE_OK
               : tide_fail(error, TIDE_ERROR_STATE, "input", "drag", NULL, "nothing is held; begin a drag first");
}

tide_status tide_tools_drag_move(tide_tools *tools, tide_world *world, const tide_input *input, tide_error *error)
{
    const tide_hold *hold = tools->hold;
    tide_live_drag *drag = &tools->drag;
    TIDE_TRY(require_drag(tools, error));
    for (uint32_t i = 0; i < hold->count; i++) {
        double target[3];
        if (!tide_world_pin_target(world, drag->body, hold->vertices[i], target)) // the script has freed it
            continue;
        for (int k = 0; k < 3; k++)
            target[k] += input->point[k] - drag->point[k];
        TIDE_TRY(tide_world_move_pin(world, drag->body, hold->vertices[i], target, error));
    }
    memcpy(drag->point, input->point, sizeof drag->point);
    return TIDE_OK;
}

tide_status tide_tools_drag_end(tide_tools *tools, tide_world *world, tide_error *error)
{
    TIDE_TRY(require_drag(tools, error));
    let_go(tools->hold, world, tools->drag.body, tools->hold->count);
    release_hold(tools->hold);
    tools->hold = NULL;
    tools->drag = (tide_live_drag) { 0 };
    return TIDE_OK;
}

// --- after a run of the script ---------------------------------------------------------------------------------------

tide_status tide_tools_read_targets(const tide_tools *tools, tide_world *world, tide_tool_targets *targets,
                                    tide_error *error)
{
    const tide_hold *hold = tools->hold;
    *targets = (tide_tool_targets) { 0 };
    if (!hold)
        return TIDE_OK;
    targets->points = tide_allocate_array(3 * (size_t)hold->count, sizeof *targets->points);
    if (!targets->points)
        return tide_fail_memory(error, "drag");
    for (uint32_t i = 0; i < hold->count; i++)
        if (!tide_world_pin_target(world, tools->drag.body, hold->vertices[i], targets->points + 3 * (size_t)i))
            for (int k = 0; k < 3; k++)
                targets->points[3 * (size_t)i + (size_t)k] = NAN;
    return TIDE_OK;
}

static void apply_pins(const tide_tool_pins *pins, tide_world *world)
{
    for (uint32_t b = 0; b < tide_world_body_count(world); b++) {
        tide_body_info body;
        tide_body_id id = tide_world_body_at(world, b);
        if (!tide_world_body_info(world, id, &body))
            continue;
        uint64_t name = tide_hash_string(TIDE_HASH_START, body.name);
        for (uint32_t i = 0; i < pins->count; i++)
            if (pins->items[i].body == name && pins->items[i].vertex < body.face->vertex_count)
                set_pin(world, id, pins->items[i].vertex, pins->items[i].pinned, NULL);
    }
}

tide_status tide_tools_apply(tide_tools *tools, tide_world *world, const tide_tool_targets *targets, tide_error *error)
{
    tide_body_info body;
    if (tools->pins)
        apply_pins(tools->pins, world);
    tide_hold *hold = tools->hold;
    if (!hold)
        return TIDE_OK;
    bool fits = tide_world_body_info(world, tools->drag.body, &body);
    for (uint32_t i = 0; i < hold->count; i++)
        fits = fits && hold->vertices[i] < body.face->vertex_count;
    tide_status status = TIDE_OK;
    tide_hold *taken = NULL;
    const tide_input again = { .grip = (int)tools->drag.grip,
                               .vertex = tools->drag.vertex,
                               .other = tools->drag.other };
    fits = fits && (tools->drag.grip != TIDE_GRIP_BODY || body.face->vertex_count == hold->count);
    if (fits)
        status = create_hold(&again, &body, &taken, error);
    if (status == TIDE_OK && fits)
        status = take_hold(taken, world, tools->drag.body, tools->drag.stiffness, error);
    for (uint32_t i = 0; status == TIDE_OK && fits && i < hold->count; i++)
        if (isfinite(targets->points[3 * (size_t)i]))
            status =
                tide_world_move_pin(world, tools->drag.body, hold->vertices[i], targets->points + 3 * (size_t)i, error);
    release_hold(hold);
    tools->hold = taken;
    if (!fits || status != TIDE_OK) {
        release_hold(taken);
        tools->hold = NULL;
        tools->drag = (tide_live_drag) { 0 };
    }
    return status;
}
