#include "world/contact_keys.h"

#include "base/hash.h"
#include "base/memory.h"

// --- numbers of features, in the order of contact_surface.c ----------------------------------------------------------

static tide_status add_mesh(const tide_mesh *mesh, uint32_t count[TIDE_HISTORY_FEATURES], tide_error *error)
{
    uint32_t *edges, edge_count = mesh->edge_count;
    count[TIDE_HISTORY_POINTS] += mesh->vertex_count;
    count[TIDE_HISTORY_TRIANGLES] += mesh->triangle_count;
    if (mesh->triangle_count) {
        tide_status status = tide_mesh_edges_of(mesh->vertex_count, mesh->triangles, mesh->triangle_count, NULL, 0,
                                                &edges, &edge_count, error);
        if (status != TIDE_OK)
            return status;
        tide_free(edges);
    }
    count[TIDE_HISTORY_EDGES] += edge_count;
    return TIDE_OK;
}

static tide_status add_bodies(const tide_world *world, tide_contact_history_block *block, tide_error *error)
{
    tide_status status = TIDE_OK;
    for (size_t b = 0; b < world->body_count && status == TIDE_OK; b++) {
        const tide_body *body = world->bodies[b];
        status = add_mesh(body->surface ? body->surface : body->mesh, block->count, error);
        if (body->surface)
            block->count[TIDE_HISTORY_POINTS] += body->mesh->vertex_count;
        block->count[TIDE_HISTORY_POINTS] += body->frame_count;
    }
    return status;
}

static void advance(uint32_t next[TIDE_HISTORY_FEATURES], const uint32_t count[TIDE_HISTORY_FEATURES])
{
    for (int f = 0; f < TIDE_HISTORY_FEATURES; f++)
        next[f] += count[f];
}

// --- colliders -------------------------------------------------------------------------------------------------------

// Finds a collider by the hash of its name. Tries the index `near` first, because the order is mostly the same.
static uint32_t find(const tide_world *world, uint64_t name, uint32_t near)
{
    if (near < world->collider_count && tide_hash_string(TIDE_HASH_START, world->colliders[near]->name) == name)
        return near;
    for (uint32_t c = 0; c < world->collider_count; c++)
        if (tide_hash_string(TIDE_HASH_START, world->colliders[c]->name) == name)
            return c;
    return TIDE_HISTORY_GONE;
}

// Finds the first features of each of the world's colliders: `to` in (collider_count + 1) blocks.
static tide_status find_places(const tide_world *world, const tide_contact_history_block *bodies,
                               tide_contact_history_block *places, tide_error *error)
{
    uint32_t next[TIDE_HISTORY_FEATURES] = { 0 };
    tide_status status = TIDE_OK;
    advance(next, bodies->count);
    for (uint32_t c = 0; c < world->collider_count && status == TIDE_OK; c++) {
        uint32_t count[TIDE_HISTORY_FEATURES] = { 0 };
        for (int f = 0; f < TIDE_HISTORY_FEATURES; f++)
            places[c].to[f] = next[f];
        if (tide_world_has_fixed_part(world, world->colliders[c]))
            status = add_mesh(world->colliders[c]->shape.surface, count, error);
        advance(next, count);
    }
    return status;
}

// Adds the blocks of mesh colliders that are in both worlds with the same topology.
static tide_status add_parts(const tide_world *world, const tide_world *old, const tide_contact_history_block *places,
                             tide_contact_keys *keys, tide_error *error)
{
    uint32_t next[TIDE_HISTORY_FEATURES] = { 0 };
    tide_status status = TIDE_OK;
    advance(next, keys->blocks[0].count);
    for (uint32_t c = 0; c < keys->count && status == TIDE_OK; c++) {
        uint32_t now = keys->colliders[c];
        const tide_collider *then = old->colliders[old == world ? now : c];
        tide_contact_history_block *block = &keys->blocks[keys->block_count];
        if (!tide_world_has_fixed_part(old, then))
            continue;
        *block = (tide_contact_history_block) { 0 };
        advance(block->from, next);
        status = add_mesh(then->shape.surface, block->count, error);
        advance(next, block->count);
        if (now == TIDE_HISTORY_GONE || !tide_world_has_fixed_part(world, world->colliders[now]) ||
            world->colliders[now]->shape.surface->topology_hash != then->shape.surface->topology_hash)
            continue;
        advance(block->to, places[now].to);
        keys->block_count++;
    }
    return status;
}

static tide_status fill(const tide_world *world, const tide_world *old, tide_contact_keys *keys, tide_error *error)
{
    TIDE_SCOPED tide_contact_history_block *places = tide_allocate_zeroed(world->collider_count + 1, sizeof *places);
    keys->blocks = tide_allocate_zeroed((size_t)keys->count + 2, sizeof *keys->blocks);
    TIDE_TRY(places && keys->blocks ? TIDE_OK : tide_fail_memory(error, "contact"));
    TIDE_TRY(add_bodies(world, &keys->blocks[keys->block_count++], error));
    TIDE_TRY(find_places(world, &keys->blocks[0], places, error));
    return add_parts(world, old, places, keys, error);
}

static bool has_ground(const tide_world *world, const tide_collider_state *states, size_t count)
{
    bool found = false;
    for (size_t c = 0; c < count && !found; c++)
        found = states[c].name == world->ground_state->name;
    return found;
}

tide_status tide_contact_keys_create(const tide_world *world, const tide_world *old, const tide_collider_state *states,
                                     size_t count, tide_contact_keys *keys, tide_error *error)
{
    // A ground that has no state in `states` is the last collider.
    const tide_world *source = old ? old : world;
    bool grounded = source->ground && (old ? old->collider_count > count : !has_ground(world, states, count));
    size_t all = count + grounded;
    *keys = (tide_contact_keys) { .same = all == world->collider_count, .count = (uint32_t)all };
    keys->colliders = tide_allocate_array(all, sizeof *keys->colliders);
    if (!keys->colliders)
        return tide_fail_memory(error, "contact");
    bool known = true;
    for (uint32_t c = 0; c < count; c++) {
        keys->colliders[c] = find(world, states[c].name, c);
        keys->same = keys->same && keys->colliders[c] == c;
        known = known && keys->colliders[c] != TIDE_HISTORY_GONE;
    }
    if (grounded) {
        keys->colliders[count] = find(world, tide_hash_string(TIDE_HASH_START, source->ground->name), (uint32_t)count);
        keys->same = keys->same && keys->colliders[count] == count;
    }
    if (!old && !known) // the features of the missing colliders are unknown
        keys->count = 0;
    tide_status status = keys->same ? TIDE_OK : fill(world, old ? old : world, keys, error);
    if (status != TIDE_OK)
        tide_contact_keys_free(keys);
    return status;
}

void tide_contact_keys_apply(const tide_contact_keys *keys, tide_history *history)
{
    tide_contact_history_mapping map = { keys->colliders, keys->count, keys->blocks, keys->block_count };
    if (!keys->same)
        history->size = tide_contact_history_map(history->bytes, history->size, &map);
}

void tide_contact_keys_free(tide_contact_keys *keys)
{
    tide_free(keys->colliders);
    tide_free(keys->blocks);
    *keys = (tide_contact_keys) { 0 };
}
