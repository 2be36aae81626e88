// The system of a world's bodies, pins and attachments, which its solver is prepared for.
#include "world/element_numbers.h"
#include "world/material.h"
#include "world/rod_frames.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_anchor(const tide_pin *pin)
{
    return tide_given(pin->stiffness) && !tide_pin_is_of_rigid(pin->particle);
}

static tide_status add_anchors(const tide_world *world, tide_system *system, tide_error *error)
{
    uint32_t count = 0;
    for (size_t p = 0; p < world->pin_count; p++)
        count += is_anchor(&world->pins[p]);
    TIDE_SCOPED uint32_t *vertices = tide_allocate_array(count, sizeof *vertices);
    TIDE_SCOPED double *parameters = tide_allocate_array(TIDE_ANCHOR_PARAMETERS * (size_t)count, sizeof *parameters);
    tide_status status = vertices && parameters ? TIDE_OK : tide_fail_memory(error, "pins");
    uint32_t next = 0;
    for (size_t p = 0; p < world->pin_count && status == TIDE_OK; p++) {
        const tide_pin *pin = &world->pins[p];
        if (!is_anchor(pin))
            continue;
        vertices[next] = (uint32_t)pin->particle;
        parameters[TIDE_ANCHOR_STIFFNESS * (size_t)count + next] = pin->stiffness;
        for (size_t k = 0; k < 3; k++)
            parameters[(TIDE_ANCHOR_X + k) * count + next] = pin->target[k];
        next++;
    }
    if (status == TIDE_OK)
        status = tide_system_add(system, &tide_anchor, count, vertices, parameters, error);
    return status;
}

static tide_status set_pinned(const tide_world *world, tide_system *system, tide_error *error)
{
    TIDE_SCOPED bool *pinned = tide_allocate_zeroed(world->particle_count, sizeof *pinned);
    if (!pinned)
        return tide_fail_memory(error, "pins");
    for (size_t p = 0; p < world->pin_count; p++)
        if (!tide_pin_is_of_rigid(world->pins[p].particle))
            pinned[world->pins[p].particle] = !tide_given(world->pins[p].stiffness);
    return tide_system_set_pinned(system, pinned, error);
}

static tide_status add_group(const tide_body *body, const tide_elements *group, tide_system *system, tide_error *error)
{
    size_t corners = group->kind->vertex_count * (size_t)group->count;
    TIDE_SCOPED uint32_t *vertices = tide_allocate_array(corners, sizeof *vertices);
    if (!vertices)
        return tide_fail_memory(error, "elements");
    for (size_t c = 0; c < corners; c++)
        vertices[c] = body->first_particle + group->vertices[c];
    return tide_system_add(system, group->kind, group->count, vertices, group->parameters, error);
}

static tide_status add_body(const tide_world *world, const tide_body *body, tide_system *system, tide_error *error)
{
    tide_status status = TIDE_OK;
    size_t first = tide_world_first_element(world, body);
    for (uint32_t g = 0; g < body->group_count && status == TIDE_OK; g++) {
        status = add_group(body, &body->groups[g], system, error);
        if (status == TIDE_OK && body->groups[g].count)
            tide_world_apply_lasting(world, first, &system->groups[system->group_count - 1]);
        first += body->groups[g].count;
    }
    memcpy(system->masses + body->first_particle, body->masses, tide_body_particle_count(body) * sizeof *body->masses);
    return status;
}

static bool may_split(const tide_body *body)
{
    return tide_body_copies(body) || body->materials[tide_material_index(&tide_material_tear)];
}

static void set_body_splits(const tide_body *body, uint32_t *origins, bool *may)
{
    uint32_t copies = tide_body_copies(body), vertices = body->mesh->vertex_count, described = vertices - copies;
    bool splits = may_split(body);
    for (uint32_t v = 0; v < tide_body_particle_count(body); v++) {
        uint32_t p = body->first_particle + v;
        may[p] = v < vertices && splits;
        origins[p] = p;
        if (v >= described && v < vertices)
            origins[p] = origins[body->first_particle + body->split->origins[v - described]];
    }
}

// Tells the system which vertices may split, and which are copies.
static tide_status set_splits(const tide_world *world, tide_system *system, tide_error *error)
{
    bool any = false;
    for (size_t b = 0; b < world->body_count; b++)
        any = any || may_split(world->bodies[b]);
    if (!any)
        return TIDE_OK;
    TIDE_SCOPED uint32_t *origins = tide_allocate_array(world->particle_count, sizeof *origins);
    TIDE_SCOPED bool *may = tide_allocate_array(world->particle_count, sizeof *may);
    if (!origins || !may)
        return tide_fail_memory(error, "system");
    for (size_t b = 0; b < world->body_count; b++)
        set_body_splits(world->bodies[b], origins, may);
    return tide_system_set_splits(system, origins, may, error);
}

static tide_status build_system(const tide_world *world, tide_system **out, tide_error *error)
{
    tide_system *system;
    tide_status status = tide_system_create(world->particle_count, &system, error);
    if (status != TIDE_OK)
        return status;
    for (size_t b = 0; b < world->body_count && status == TIDE_OK; b++)
        status = add_body(world, world->bodies[b], system, error);
    if (status == TIDE_OK)
        status = tide_world_add_rigid(world, system, error);
    if (status == TIDE_OK)
        status = add_anchors(world, system, error);
    if (status == TIDE_OK)
        status = tide_world_add_links(world, system, error);
    if (status == TIDE_OK)
        status = tide_world_add_attachments(world, system, error);
    if (status == TIDE_OK)
        status = set_pinned(world, system, error);
    if (status == TIDE_OK)
        status = set_splits(world, system, error);
    if (status == TIDE_OK)
        status = tide_system_finish(system, error);
    if (status != TIDE_OK) {
        tide_system_destroy(system);
        return status;
    }
    *out = system;
    return TIDE_OK;
}

tide_status tide_world_update_system(tide_world *world, tide_error *error)
{
    if (world->system && !world->system_changed)
        return TIDE_OK;
    tide_system *system;
    TIDE_TRY(build_system(world, &system, error));
    tide_system_destroy(world->system);
    world->system = system;
    world->elastic_of = NULL;
    world->system_changed = false;
    world->solver_changed = world->contacts_changed = true;
    return TIDE_OK;
}

// Returns the index of the first group that a body has in the system, or with `body` NULL the number of all bodies'
// groups. Groups are in the order of the bodies, without empty ones; those of pins and attachments follow.
static uint32_t first_group(const tide_world *world, const tide_body *body)
{
    uint32_t first = 0;
    for (size_t b = 0; b < world->body_count && world->bodies[b] != body; b++)
        for (uint32_t g = 0; g < world->bodies[b]->group_count; g++)
            first += world->bodies[b]->groups[g].count > 0;
    return first;
}

uint32_t tide_world_held_groups(const tide_world *world)
{
    return first_group(world, NULL) + tide_world_has_rigid(world);
}

// Moves the anchors, which build_system adds after the bodies, to their pins' targets.
static void move_anchors(tide_world *world)
{
    if (!tide_world_has_anchors(world))
        return;
    tide_elements *anchors = &world->system->groups[tide_world_held_groups(world)];
    for (uint32_t e = 0; e < anchors->count; e++) {
        const tide_pin *pin = tide_world_pin_of(world, anchors->vertices[e]);
        for (size_t k = 0; k < 3; k++)
            anchors->parameters[(TIDE_ANCHOR_X + k) * anchors->count + e] = pin->target[k];
    }
}

void tide_world_refresh_system(tide_world *world)
{
    uint32_t next = tide_world_held_groups(world) + tide_world_has_anchors(world);
    move_anchors(world);
    if (tide_world_has_rigid_pins(world))
        tide_world_move_rigid_pins(world, &world->system->groups[next++]);
    if (tide_world_has_carried_links(world))
        tide_world_move_carried_links(world, &world->system->groups[next]);
    tide_world_apply_contractions(world);
}

tide_status tide_world_system(tide_world *world, const tide_system **system, tide_error *error)
{
    TIDE_TRY(tide_world_update_system(world, error));
    if (!world->stepping)
        tide_world_follow_frames(world);
    tide_world_refresh_system(world);
    *system = world->system;
    return TIDE_OK;
}

tide_status tide_world_groups(tide_world *world, tide_body_id id, const tide_elements **groups, uint32_t *count,
                              tide_error *error)
{
    tide_body_info info;
    const tide_system *system;
    TIDE_TRY(tide_world_check_body(world, id, &info, error));
    TIDE_TRY(tide_world_system(world, &system, error));
    *groups = system->groups + first_group(world, tide_world_lookup(world, id));
    *count = 0;
    for (uint32_t g = 0; g < info.group_count; g++)
        *count += info.groups[g].count > 0;
    return TIDE_OK;
}

tide_status tide_world_attribute_error(const tide_world *world, uint32_t particle, const char *remedy,
                                       tide_error *error)
{
    const tide_body *body = tide_world_body_of_particle(world, particle);
    char object[96], value[32];
    tide_body_object(body->name, object);
    uint32_t vertex = particle - body->first_particle;
    if (vertex >= body->mesh->vertex_count) // the frame of an edge
        vertex = body->mesh->edges[2 * (size_t)(vertex - body->mesh->vertex_count)];
    snprintf(value, sizeof value, "%u", vertex + 1);
    tide_fail(error, TIDE_ERROR_NUMERIC, object, "vertex", value, "%s", remedy);
    tide_error_locate(error, body->script_file, body->script_line);
    return TIDE_ERROR_NUMERIC;
}

static tide_status attribute_matrix_error(const tide_world *world, tide_status status, uint32_t bad_particle,
                                          tide_error *error)
{
    if (status == TIDE_ERROR_NUMERIC && bad_particle < world->particle_count)
        return tide_world_attribute_error(
            world, bad_particle,
            "the matrix M + h^2 L is not positive definite here: the stiffness is too large for the mass and "
            "timestep in double precision; raise the mass or lower the stiffness",
            error);
    return status;
}

tide_status tide_world_prepare(tide_world *world, tide_solver *solver, tide_error *error)
{
    uint32_t bad_particle = UINT32_MAX;
    tide_status status =
        tide_solver_prepare(solver, world->system, world->settings.timestep, world->positions, &bad_particle, error);
    return attribute_matrix_error(world, status, bad_particle, error);
}

uint32_t tide_world_find_invalid(const tide_world *world, const double *numbers, double limit)
{
    for (size_t i = 0; i < 3 * (size_t)world->particle_count; i++)
        if (!(fabs(numbers[i]) <= limit))
            return (uint32_t)(i / 3);
    return world->particle_count;
}
