// Contact in the step of a world, and what is told of it.
#include "base/log.h"
#include "base/memory.h"
#include "world/internal.h"

#include <stdio.h>
#include <string.h>

// --- settings -------------------------------------------------------------------------------------------------------

tide_status tide_world_set_touching(tide_world *world, tide_body_id a, tide_body_id b, bool touching, tide_error *error)
{
    tide_body_info info;
    tide_status status = tide_world_check_idle(world, "set_touching", error);
    if (status == TIDE_OK)
        status = tide_world_check_body(world, a, &info, error);
    if (status == TIDE_OK)
        status = tide_world_check_body(world, b, &info, error);
    if (status != TIDE_OK)
        return status;
    uint64_t first = world->body_slots.items[a.index - 1].owner, second = world->body_slots.items[b.index - 1].owner;
    tide_world_body_pair pair = { { first < second ? first : second, first < second ? second : first }, touching };
    world->contacts_changed = true;
    for (size_t i = 0; i < world->body_pair_count; i++)
        if (memcmp(world->body_pairs[i].bodies, pair.bodies, sizeof pair.bodies) == 0) {
            world->body_pairs[i].touching = touching;
            return TIDE_OK;
        }
    if (!tide_grow(&world->body_pairs, &world->body_pair_capacity, world->body_pair_count + 1,
                   sizeof *world->body_pairs))
        return tide_fail_memory(error, "world");
    world->body_pairs[world->body_pair_count++] = pair;
    return TIDE_OK;
}

// --- points of the surface ------------------------------------------------------------------------------------------

// The body that a point is of, NULL for one of a collider, and the vertex that is or carries most of it.
static const tide_body *body_of_point(const tide_world *world, uint32_t point, uint32_t *vertex)
{
    if (point < world->particle_count) {
        const tide_body *body = tide_world_body_of_particle(world, point);
        *vertex = point - body->first_particle;
        return body;
    }
    uint32_t first = world->particle_count;
    for (size_t b = 0; b < world->body_count; b++) {
        const tide_embedding *e = world->bodies[b]->embedding;
        if (e && point - first < e->fine_count) {
            const double *weights = e->weights + 4 * (size_t)(point - first);
            size_t most = 0;
            for (size_t c = 1; c < 4; c++)
                most = weights[c] > weights[most] ? c : most;
            *vertex = e->vertices[4 * (size_t)(point - first) + most];
            return world->bodies[b];
        }
        first += e ? e->fine_count : 0;
    }
    return NULL;
}

// --- the step -------------------------------------------------------------------------------------------------------

static tide_status renew_contacts(tide_world *world, tide_error *error)
{
    tide_contact_surface *surface;
    tide_contacts *contacts;
    tide_status status = tide_world_make_surface(world, &surface, error);
    if (status == TIDE_OK)
        status = tide_contacts_create(surface, world->particle_count, world->colliders, (uint32_t)world->collider_count,
                                      &world->settings.contact, &contacts, error);
    if (status != TIDE_OK)
        return status;
    tide_contacts_destroy(world->contacts);
    world->contacts = contacts;
    world->contacts_changed = false;
    world->contact_history_awaits = true;
    return TIDE_OK;
}

tide_status tide_world_update_contacts(tide_world *world, tide_error *error)
{
    tide_status status = tide_world_update_system(world, error);
    if (status == TIDE_OK && (world->contacts_changed || !world->contacts))
        status = renew_contacts(world, error);
    if (status != TIDE_OK || !world->contact_history_awaits)
        return status;
    const tide_history *history = &world->contact_history;
    status = tide_contacts_load_history(world->contacts, history->bytes, history->size, error);
    if (status == TIDE_ERROR_STATE) // of other contacts: these begin anew
        status = tide_contacts_load_history(world->contacts, NULL, 0, error);
    world->contact_history_awaits = status != TIDE_OK;
    return status;
}

void tide_world_begin_contacts(tide_world *world)
{
    for (size_t c = 0; c < world->collider_count; c++)
        tide_collider_follow(world->colliders[c], world->time + world->settings.timestep);
}

static void warn_of_born_inside(tide_world *world)
{
    tide_born_inside born = tide_contacts_born_inside(world->contacts);
    bool news = born.depth > world->born_inside;
    world->born_inside = born.depth;
    if (!news)
        return;
    uint32_t vertex;
    const tide_body *body = body_of_point(world, born.point, &vertex);
    tide_log(TIDE_LOG_WARNING,
             "body \"%s\": vertex %u began the step %.3g m inside collider \"%s\" and was pushed out; place it outside",
             body->name, vertex + 1, born.depth, world->colliders[born.collider]->name);
}

tide_status tide_world_end_contacts(tide_world *world, tide_error *error)
{
    tide_history *history = &world->contact_history;
    size_t size = tide_contacts_response(world->contacts) ? tide_contacts_history_size(world->contacts) : 0;
    if (!tide_grow(&history->bytes, &history->capacity, size, 1))
        return tide_fail_memory(error, "world");
    if (size)
        tide_contacts_save_history(world->contacts, history->bytes);
    history->size = size;
    for (size_t c = 0; c < world->collider_count; c++)
        tide_collider_settle(world->colliders[c]);
    if (size)
        warn_of_born_inside(world);
    return TIDE_OK;
}

void tide_world_undo_contacts(tide_world *world)
{
    world->contact_history_awaits = true;
}

tide_status tide_world_set_contact_history(tide_world *world, const void *bytes, size_t size, tide_error *error)
{
    tide_history *history = &world->contact_history;
    if (!tide_grow(&history->bytes, &history->capacity, size, 1))
        return tide_fail_memory(error, "world");
    if (size)
        memcpy(history->bytes, bytes, size);
    history->size = size;
    world->contact_history_awaits = true;
    return TIDE_OK;
}

// --- what is told ---------------------------------------------------------------------------------------------------

// False for a touch with a mesh that is fixed to a collider, which has no body on one side.
static bool contact_of(const tide_world *world, const tide_touch *touch, tide_contact *out)
{
    tide_contact contact = { .depth = touch->depth, .force = touch->force };
    const tide_body *body = body_of_point(world, touch->point, &contact.vertex);
    if (!body)
        return false;
    contact.body = body->id;
    memcpy(contact.point, touch->position, sizeof contact.point);
    memcpy(contact.normal, touch->normal, sizeof contact.normal);
    if (touch->collider != TIDE_NO_COLLIDER)
        contact.collider = tide_world_collider_at(world, touch->collider);
    else {
        const tide_body *other = body_of_point(world, touch->other, &contact.other_vertex);
        if (!other)
            return false;
        contact.other = other->id;
    }
    *out = contact;
    return true;
}

const tide_contact *tide_world_contacts(tide_world *world, uint32_t *count)
{
    uint32_t touches = 0;
    const tide_touch *touch = world->contacts && !world->contacts_changed && !world->contact_history_awaits
                                  ? tide_contacts_touches(world->contacts, &touches)
                                  : NULL;
    *count = 0;
    if (!tide_grow(&world->contact_list, &world->contact_capacity, touches, sizeof *world->contact_list))
        return NULL;
    for (uint32_t i = 0; i < touches; i++)
        *count += contact_of(world, &touch[i], &world->contact_list[*count]);
    return world->contact_list;
}
