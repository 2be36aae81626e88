#include "world/rod_frames.h"

#include "base/memory.h"
#include "base/vec3.h"
#include "model/rod_frame.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

tide_status tide_body_add_frames(tide_body *body, const double *positions, const double *masses, const char *object,
                                 tide_error *error)
{
    size_t vertices = body->mesh->vertex_count, count = body->mesh->edge_count;
    double *all = tide_reallocate(body->masses, (vertices + count) * sizeof *all);
    if (!all)
        return tide_fail_memory(error, object);
    body->masses = all;
    memcpy(all + vertices, masses, count * sizeof *all);
    body->frames = tide_copy_bytes(positions, 3 * count * sizeof *positions);
    body->seen = tide_allocate_zeroed(6 * vertices, sizeof *body->seen);
    body->couples = tide_allocate_zeroed(3 * count, sizeof *body->couples);
    if (!body->frames || !body->seen || !body->couples)
        return tide_fail_memory(error, object);
    body->frame_count = (uint32_t)count;
    return TIDE_OK;
}

bool tide_body_copy_frames(tide_body *copy, const tide_body *body)
{
    if (!body->frame_count)
        return true;
    copy->frame_count = body->frame_count;
    copy->frames = tide_copy_bytes(body->frames, 3 * (size_t)body->frame_count * sizeof *body->frames);
    copy->seen = tide_copy_bytes(body->seen, 6 * (size_t)body->mesh->vertex_count * sizeof *body->seen);
    copy->couples = tide_allocate_zeroed(3 * (size_t)body->frame_count, sizeof *copy->couples);
    return copy->frames && copy->seen && copy->couples;
}

// --- following vertices ----------------------------------------------------------------------------------------------

void tide_world_note_body_frames(const tide_world *world, const tide_body *body)
{
    size_t count = 3 * (size_t)body->mesh->vertex_count, first = 3 * (size_t)body->first_particle;
    if (!body->frame_count)
        return;
    memcpy(body->seen, world->positions + first, count * sizeof(double));
    memcpy(body->seen + count, world->velocities + first, count * sizeof(double));
}

void tide_world_note_frames(const tide_world *world)
{
    for (size_t b = 0; b < world->body_count; b++)
        tide_world_note_body_frames(world, world->bodies[b]);
}

// The middle and the direction of an edge, and their rates.
typedef struct edge_line {
    tide_vec3 middle, along, velocity, turn; // turn: the angular velocity across the edge
} edge_line;

static edge_line line_of(const double *x, const double *v, const uint32_t *edge)
{
    static const tide_vec3 none = { 0, 0, 0 };
    tide_vec3 a = tide_vec3_load(x + 3 * (size_t)edge[0]), b = tide_vec3_load(x + 3 * (size_t)edge[1]);
    tide_vec3 va = v ? tide_vec3_load(v + 3 * (size_t)edge[0]) : none;
    tide_vec3 vb = v ? tide_vec3_load(v + 3 * (size_t)edge[1]) : none;
    tide_vec3 along = tide_vec3_subtract(b, a);
    double length = tide_vec3_length(along);
    edge_line line = { .middle = tide_vec3_scale(tide_vec3_add(a, b), 0.5),
                       .along = tide_vec3_normalize(along),
                       .velocity = tide_vec3_scale(tide_vec3_add(va, vb), 0.5) };
    line.turn = tide_vec3_scale(tide_vec3_cross(line.along, tide_vec3_subtract(vb, va)), length > 0 ? 1 / length : 0);
    return line;
}

// Moves a point that belongs to an edge along with it.
static tide_vec3 carry(const edge_line *from, const edge_line *to, const double *point)
{
    tide_vec3 arm = tide_vec3_subtract(tide_vec3_load(point), from->middle);
    return tide_vec3_add(to->middle, tide_rod_transport(arm, from->along, to->along));
}

static bool moved(const double *a, const double *b, const uint32_t *edge)
{
    size_t i = 3 * (size_t)edge[0], j = 3 * (size_t)edge[1];
    return memcmp(a + i, b + i, 3 * sizeof *a) != 0 || memcmp(a + j, b + j, 3 * sizeof *a) != 0;
}

static void follow(tide_world *world, const tide_body *body, uint32_t e)
{
    size_t first = 3 * (size_t)body->first_particle, vertices = body->mesh->vertex_count;
    size_t frame = body->first_particle + vertices + e;
    const uint32_t *edge = body->mesh->edges + 2 * (size_t)e;
    const double *x = world->positions + first, *v = world->velocities + first, *seen = body->seen + 3 * vertices;
    bool elsewhere = moved(x, body->seen, edge);
    if (!elsewhere && !moved(v, seen, edge))
        return;
    edge_line before = line_of(body->seen, seen, edge), now = line_of(x, v, edge);
    double *position = world->positions + 3 * frame, *velocity = world->velocities + 3 * frame;
    tide_pin *pin = tide_world_pin_of(world, (uint32_t)frame);
    tide_vec3 arm = tide_vec3_subtract(tide_vec3_load(position), before.middle);
    tide_vec3 own =
        tide_vec3_subtract(tide_vec3_load(velocity), tide_vec3_add(before.velocity, tide_vec3_cross(before.turn, arm)));
    if (elsewhere) {
        tide_vec3_store(position, carry(&before, &now, position));
        if (pin)
            tide_vec3_store(pin->target, carry(&before, &now, pin->target));
        own = tide_rod_transport(own, before.along, now.along);
        arm = tide_vec3_subtract(tide_vec3_load(position), now.middle);
    }
    tide_vec3_store(velocity, tide_vec3_add(own, tide_vec3_add(now.velocity, tide_vec3_cross(now.turn, arm))));
}

void tide_world_follow_frames(tide_world *world)
{
    for (size_t b = 0; b < world->body_count; b++)
        for (uint32_t e = 0; e < world->bodies[b]->frame_count; e++)
            follow(world, world->bodies[b], e);
    tide_world_note_frames(world);
}

// --- pins ------------------------------------------------------------------------------------------------------------

static bool is_held(const tide_world *world, uint32_t particle)
{
    const tide_pin *pin = tide_world_pin_of(world, particle);
    return pin && !tide_given(pin->stiffness);
}

tide_status tide_world_pin_frames(tide_world *world, const tide_body *body, uint32_t vertex, tide_error *error)
{
    for (uint32_t e = 0; e < body->frame_count; e++) {
        const uint32_t *edge = body->mesh->edges + 2 * (size_t)e;
        uint32_t frame = body->first_particle + body->mesh->vertex_count + e;
        if (edge[0] != vertex && edge[1] != vertex)
            continue;
        bool held = is_held(world, body->first_particle + edge[0]) && is_held(world, body->first_particle + edge[1]);
        if (!held)
            tide_world_unpin_particle(world, frame);
        else if (!tide_world_pin_of(world, frame))
            TIDE_TRY(
                tide_world_pin_particle(world, frame, world->positions + 3 * (size_t)frame, TIDE_NOT_GIVEN, error));
    }
    return TIDE_OK;
}

void tide_world_place_frames(tide_world *world)
{
    for (size_t p = 0; p < world->pin_count; p++) {
        const tide_pin *pin = &world->pins[p];
        const tide_body *body = tide_world_body_of_particle(world, (uint32_t)pin->particle);
        size_t first = 3 * (size_t)body->first_particle, vertices = body->mesh->vertex_count;
        if (!body->frame_count || pin->particle < body->first_particle + vertices)
            continue;
        const uint32_t *edge = body->mesh->edges + 2 * (pin->particle - body->first_particle - vertices);
        const double *x = world->positions + first, *to = world->pinned_positions + first;
        if (!moved(x, to, edge))
            continue;
        edge_line before = line_of(x, NULL, edge), after = line_of(to, NULL, edge);
        tide_vec3_store(world->pinned_positions + 3 * pin->particle, carry(&before, &after, pin->target));
    }
}

void tide_world_settle_frames(tide_world *world)
{
    for (size_t p = 0; p < world->pin_count; p++) {
        tide_pin *pin = &world->pins[p];
        const tide_body *body = tide_world_body_of_particle(world, (uint32_t)pin->particle);
        if (body->frame_count && pin->particle >= body->first_particle + body->mesh->vertex_count)
            memcpy(pin->target, world->pinned_positions + 3 * pin->particle, sizeof pin->target);
    }
}

static tide_status refuse_turn(const tide_body *body, const char *value, const char *remedy, tide_error *error)
{
    char object[96];
    tide_body_object(body->name, object);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "turn", value, "%s", remedy);
}

// Finds the pin of the frame of an edge.
static tide_status find_frame_pin(const tide_world *world, const tide_body *body, uint32_t i, uint32_t j,
                                  tide_pin **pin, tide_error *error)
{
    char value[48];
    snprintf(value, sizeof value, "%u, %u", i + 1, j + 1);
    if (!body->frame_count)
        return refuse_turn(body, NULL, "the body does not twist; give it rod = { ..., twist = true }", error);
    for (uint32_t e = 0; e < body->frame_count; e++) {
        const uint32_t *edge = body->mesh->edges + 2 * (size_t)e;
        if (!((edge[0] == i && edge[1] == j) || (edge[0] == j && edge[1] == i)))
            continue;
        *pin = tide_world_pin_of(world, body->first_particle + body->mesh->vertex_count + e);
        return *pin ? TIDE_OK
                    : refuse_turn(body, value, "this edge is free to turn; pin both of its vertices first", error);
    }
    return refuse_turn(body, value, "no edge joins these vertices; expected the two ends of an edge", error);
}

tide_status tide_world_turn(tide_world *world, tide_body_id id, uint32_t i, uint32_t j, double angle, tide_error *error)
{
    uint32_t particle;
    tide_pin *pin = NULL;
    TIDE_TRY(tide_world_check_idle(world, "turn", error));
    TIDE_TRY(tide_world_find_vertex(world, id, i, "turn", &particle, error));
    TIDE_TRY(tide_world_find_vertex(world, id, j, "turn", &particle, error));
    const tide_body *body = tide_world_lookup(world, id);
    if (!isfinite(angle))
        return refuse_turn(body, NULL, "expected a finite angle, rad", error);
    tide_world_follow_frames(world);
    TIDE_TRY(find_frame_pin(world, body, i, j, &pin, error));
    const uint32_t edge[2] = { i, j };
    edge_line line = line_of(world->positions + 3 * (size_t)body->first_particle, NULL, edge);
    tide_vec3 arm = tide_vec3_subtract(tide_vec3_load(pin->target), line.middle);
    tide_vec3 axial = tide_vec3_scale(line.along, tide_vec3_dot(line.along, arm));
    tide_vec3 across = tide_vec3_subtract(arm, axial), side = tide_vec3_cross(line.along, across);
    tide_vec3 turned = tide_vec3_add(tide_vec3_scale(across, cos(angle)), tide_vec3_scale(side, sin(angle)));
    tide_vec3_store(pin->target, tide_vec3_add(line.middle, tide_vec3_add(axial, turned)));
    return TIDE_OK;
}
