// What all files of world/ ask a world: its bodies, colliders, particles and numbers.
#include "world/world_state.h"

#include "base/hash.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void tide_body_object(const char *name, char text[96])
{
    snprintf(text, 96, "body \"%.80s\"", name ? name : "");
}

tide_status tide_world_check_idle(const tide_world *world, const char *what, tide_error *error)
{
    return world->stepping ? tide_fail(error, TIDE_ERROR_STATE, "scene", what, NULL,
                                       "its solver is taking a step; leave this until the step is over")
                           : TIDE_OK;
}

tide_body *tide_world_lookup(const tide_world *world, tide_body_id id)
{
    uint32_t owner = tide_slots_owner(&world->body_slots, id.index, id.generation);
    return owner == TIDE_NO_OWNER ? NULL : world->bodies[owner];
}

const tide_body *tide_world_body_of_particle(const tide_world *world, uint32_t particle)
{
    size_t low = 0, high = world->body_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (world->bodies[middle]->first_particle <= particle)
            low = middle;
        else
            high = middle;
    }
    return world->bodies[low];
}

uint32_t tide_body_element_count(const tide_body *body)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < body->group_count; g++)
        count += body->groups[g].count;
    return count;
}

uint64_t tide_body_identity(const tide_body *body, uint64_t hash)
{
    hash = tide_hash_string(hash, body->name);
    hash = tide_hash_bytes(hash, &body->mesh->topology_hash, sizeof(uint64_t));
    if (body->frame_count) // particles beside the vertices
        hash = tide_hash_bytes(hash, &body->frame_count, sizeof body->frame_count);
    if (body->surface) // the contact history refers to its points
        hash = tide_hash_bytes(hash, &body->surface->topology_hash, sizeof(uint64_t));
    return hash;
}

bool tide_world_body_info(const tide_world *world, tide_body_id id, tide_body_info *info)
{
    const tide_body *body = tide_world_lookup(world, id);
    if (!body)
        return false;
    *info = (tide_body_info) { .name = body->name,
                               .mesh = body->mesh,
                               .first_particle = body->first_particle,
                               .vertex_count = body->mesh->vertex_count,
                               .spring_count = tide_body_springs(body)->count,
                               .triangle_count = body->mesh->triangle_count,
                               .groups = body->groups,
                               .group_count = body->group_count,
                               .element_count = tide_body_element_count(body),
                               .face = tide_body_face(body),
                               .rigid = body->rigid,
                               .look = &body->look,
                               .script_file = body->script_file,
                               .script_line = body->script_line };
    return true;
}

static tide_status fail_stale(tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_STATE, "body", NULL, NULL,
                     "it is gone: the scene no longer has it; look it up again with scene:body(name)");
}

tide_status tide_world_check_body(const tide_world *world, tide_body_id id, tide_body_info *info, tide_error *error)
{
    return tide_world_body_info(world, id, info) ? TIDE_OK : fail_stale(error);
}

tide_status tide_world_find_vertex(const tide_world *world, tide_body_id id, uint32_t vertex, const char *field,
                                   uint32_t *particle, tide_error *error)
{
    const tide_body *body = tide_world_lookup(world, id);
    if (!body)
        return fail_stale(error);
    uint32_t count = tide_body_face(body)->vertex_count;
    if (vertex >= count || body->rigid) {
        char object[96], value[32];
        tide_body_object(body->name, object);
        snprintf(value, sizeof value, "%.0f", (double)vertex + 1);
        if (vertex < count)
            return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, value,
                             "the vertices of a rigid body do not move one by one; this works on other bodies only");
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, value, "expected a vertex from 1 to %u", count);
    }
    *particle = body->first_particle + vertex;
    return TIDE_OK;
}

tide_status tide_world_check_vector(const tide_world *world, tide_body_id id, const char *field, const double vector[3],
                                    tide_error *error)
{
    if (isfinite(vector[0]) && isfinite(vector[1]) && isfinite(vector[2]))
        return TIDE_OK;
    char object[96], value[96];
    const tide_body *body = tide_world_lookup(world, id);
    tide_body_object(body ? body->name : "", object);
    snprintf(value, sizeof value, "(%g, %g, %g)", vector[0], vector[1], vector[2]);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, value, "expected finite numbers");
}

void tide_world_clear_forces(tide_world *world)
{
    memset(world->forces, 0, 3 * (size_t)world->particle_count * sizeof(double));
}

tide_collider *tide_world_lookup_collider(const tide_world *world, tide_collider_id id)
{
    uint32_t owner = tide_slots_owner(&world->collider_slots, id.index, id.generation);
    return owner == TIDE_NO_OWNER ? NULL : world->colliders[owner];
}

tide_status tide_world_refuse_stale_collider(tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_STATE, "collider", NULL, NULL,
                     "it is gone: the scene no longer has it; look it up again with scene:collider(name)");
}

uint32_t tide_world_collider_count(const tide_world *world)
{
    return (uint32_t)world->collider_count;
}

static tide_collider_id id_of(const tide_world *world, uint32_t index)
{
    for (size_t s = 0; s < world->collider_slots.count; s++)
        if (world->collider_slots.items[s].owner == index)
            return (tide_collider_id) { (uint32_t)s + 1, world->collider_slots.items[s].generation };
    return (tide_collider_id) { 0, 0 };
}

tide_collider_id tide_world_collider_at(const tide_world *world, uint32_t index)
{
    return index < world->collider_count ? id_of(world, index) : (tide_collider_id) { 0, 0 };
}

tide_collider_id tide_world_find_collider(const tide_world *world, const char *name)
{
    for (uint32_t c = 0; c < world->collider_count; c++)
        if (strcmp(world->colliders[c]->name, name) == 0)
            return id_of(world, c);
    return (tide_collider_id) { 0, 0 };
}

const tide_collider *tide_world_collider(const tide_world *world, tide_collider_id id)
{
    return tide_world_lookup_collider(world, id);
}

void tide_snapshot_destroy(tide_snapshot *snapshot)
{
    if (snapshot)
        tide_free(snapshot->bytes);
    tide_free(snapshot);
}
