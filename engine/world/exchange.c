#include "world/exchange.h"

#include "base/memory.h"
#include "world/element_numbers.h"
#include "world/split_state.h"

#include <string.h>

static uint32_t count_particles(const tide_world *world, tide_body *const *bodies)
{
    uint32_t count = 0;
    for (size_t b = 0; b < world->body_count; b++)
        count += tide_body_particle_count(bodies[b]);
    return count;
}

// --- attachments -----------------------------------------------------------------------------------------------------

// Returns the particle of a particle of the old bodies: itself, or the vertex that it was a copy of.
static uint32_t map_particle(const tide_world *world, tide_body *const *bodies, uint32_t particle)
{
    uint32_t first = 0;
    size_t b = 0;
    while (b + 1 < world->body_count && particle >= world->bodies[b + 1]->first_particle)
        first += tide_body_particle_count(bodies[b++]);
    const tide_body *old = world->bodies[b];
    uint32_t vertex = particle - old->first_particle;
    while (vertex >= bodies[b]->mesh->vertex_count)
        vertex = old->split->origins[vertex - old->split->described->mesh->vertex_count];
    return first + vertex;
}

static bool is_held(const tide_world *world, size_t count, uint64_t pin)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++)
        found = world->collider_attachments[i].pin == pin;
    return found;
}

static void map_attachments(tide_world *world, tide_body *const *bodies)
{
    size_t kept = 0;
    for (size_t i = 0; i < world->attachment_count; i++)
        for (size_t k = 0; k < (world->attachments[i].tied ? 4 : 2); k++)
            world->attachments[i].particles[k] = map_particle(world, bodies, world->attachments[i].particles[k]);
    for (size_t i = 0; i < world->link_count; i++)
        for (int end = 0; end < 2; end++)
            for (uint32_t k = 0; k < world->links[i].ends[end].count; k++) {
                uint32_t *particle = &world->links[i].ends[end].particles[k];
                *particle = map_particle(world, bodies, *particle);
            }
    for (size_t i = 0; i < world->collider_attachment_count; i++) {
        tide_collider_attachment held = world->collider_attachments[i];
        if (!tide_pin_is_of_rigid(held.pin)) // a rigid body does not come apart
            held.pin = map_particle(world, bodies, (uint32_t)held.pin);
        if (!is_held(world, kept, held.pin)) // else it was held by a copy alone
            world->collider_attachments[kept++] = held;
    }
    world->collider_attachment_count = kept;
}

// Lets copies be held as the vertices that they are copies of.
static void hold_copies(tide_world *world)
{
    for (size_t b = 0; b < world->body_count; b++) {
        const tide_body *body = world->bodies[b];
        uint32_t copies = tide_body_copies(body), first = body->first_particle;
        for (uint32_t i = 0; i < copies && world->collider_attachment_count; i++) {
            uint32_t copy = first + body->mesh->vertex_count - copies + i, origin = first + body->split->origins[i];
            size_t count = world->collider_attachment_count, h = 0;
            while (h < count && world->collider_attachments[h].pin != origin)
                h++;
            if (h == count || is_held(world, count, copy) || count == world->collider_attachment_capacity)
                continue;
            world->collider_attachments[count] = world->collider_attachments[h];
            world->collider_attachments[count].pin = copy;
            world->collider_attachment_count++;
        }
    }
}

// --- the exchange ----------------------------------------------------------------------------------------------------

tide_status tide_world_reserve_exchange(tide_world *world, tide_body *const *bodies, tide_error *error)
{
    size_t elements = 0, holds = world->collider_attachment_count;
    for (size_t b = 0; b < world->body_count; b++) {
        elements += tide_body_element_count(bodies[b]);
        holds += holds ? tide_body_copies(bodies[b]) : 0;
    }
    size_t kinds = world->element_total ? (world->number_count + world->element_total - 1) / world->element_total : 0;
    bool made = tide_world_reserve_particles(world, count_particles(world, bodies)) &&
                tide_grow(&world->numbers, &world->number_capacity, kinds * elements, sizeof *world->numbers) &&
                tide_grow(&world->collider_attachments, &world->collider_attachment_capacity, holds,
                          sizeof *world->collider_attachments);
    return made ? TIDE_OK : tide_fail_memory(error, "world");
}

void tide_world_exchange(tide_world *world, tide_body **bodies)
{
    uint32_t first = 0;
    map_attachments(world, bodies);
    world->element_total = 0;
    for (size_t b = 0; b < world->body_count; b++) {
        tide_body *old = world->bodies[b];
        world->bodies[b] = bodies[b];
        bodies[b]->id = old->id;
        tide_body_destroy(old);
        bodies[b]->first_particle = first;
        first += tide_body_particle_count(bodies[b]);
        world->element_total += tide_body_element_count(bodies[b]);
    }
    world->particle_count = first;
    world->number_count = 0;
    hold_copies(world);
    if (tide_world_history_size(world))
        tide_world_await_history(world, 0, NULL, 0);
    world->contact_history.size = 0;
    world->contact_history_awaits = true;
    world->system_changed = world->contacts_changed = true;
    world->stepped = world->contacts_listed = false;
    world->elastic_of = NULL;
}

// --- opening faces ---------------------------------------------------------------------------------------------------

// The world while a body of it grows.
typedef struct growing {
    tide_world *world;
    size_t body;          // index
    uint32_t first, size; // its particles before
    const tide_body *made;
} growing;

// Moves the particles of later bodies, and copies those of the body that it has more of.
static void grow_arrays(const growing *g, uint32_t before)
{
    double **arrays[TIDE_PARTICLE_ARRAYS];
    uint32_t added = g->made->mesh->vertex_count - g->size, end = g->first + g->size;
    const uint32_t *origins = g->made->split->origins + tide_body_copies(g->made) - added;
    tide_world_list_arrays(g->world, arrays);
    for (size_t a = 0; a < TIDE_PARTICLE_ARRAYS; a++) {
        double *x = *arrays[a];
        memmove(x + 3 * (size_t)(end + added), x + 3 * (size_t)end, 3 * (size_t)(before - end) * sizeof *x);
        for (uint32_t i = 0; i < added; i++)
            memcpy(x + 3 * (size_t)(end + i), x + 3 * (size_t)(g->first + origins[i]), 3 * sizeof *x);
    }
    memset(g->world->forces + 3 * (size_t)end, 0, 3 * (size_t)added * sizeof(double)); // the vertex keeps its force
}

static void grow_pins(const growing *g, size_t pin_count)
{
    tide_world *world = g->world;
    uint32_t added = g->made->mesh->vertex_count - g->size, end = g->first + g->size;
    const uint32_t *origins = g->made->split->origins + tide_body_copies(g->made) - added;
    size_t later = 0, own = 0;
    if (!world->pin_count)
        return;
    while (later < world->pin_count && world->pins[later].particle < end)
        later++;
    memmove(world->pins + pin_count - (world->pin_count - later), world->pins + later,
            (world->pin_count - later) * sizeof *world->pins);
    for (size_t p = pin_count - (world->pin_count - later); p < pin_count; p++)
        world->pins[p].particle += tide_pin_is_of_rigid(world->pins[p].particle) ? 0 : added;
    for (uint32_t i = 0; i < added; i++)
        for (size_t p = 0; p < later + own; p++) // a copy may be one of a copy
            if (world->pins[p].particle == g->first + origins[i]) {
                world->pins[later + own] = world->pins[p];
                world->pins[later + own++].particle = end + i;
            }
    world->pin_count = pin_count;
}

static size_t count_pins(const growing *g)
{
    uint32_t added = g->made->mesh->vertex_count - g->size;
    const uint32_t *origins = g->made->split->origins + tide_body_copies(g->made) - added;
    size_t count = g->world->pin_count;
    for (uint32_t i = 0; i < added; i++) {
        uint32_t vertex = origins[i];
        while (vertex >= g->size)
            vertex = origins[vertex - g->size];
        count += tide_world_pin_of(g->world, g->first + vertex) != NULL;
    }
    return count;
}

// Moves the numbers of elements to their new places: those of the body's elements are of those that they were made of.
static void grow_numbers(const growing *g, size_t start, uint32_t old_count, size_t old_total, size_t count,
                         const double *before, const tide_split_elements *elements)
{
    tide_world *world = g->world;
    size_t total = world->element_total, kinds = old_total ? (count + old_total - 1) / old_total : 0;
    world->number_count = kinds * total;
    for (size_t kind = 0; kind < kinds; kind++)
        for (size_t e = 0; e < total; e++) {
            size_t from = e;
            if (e >= start)
                from =
                    e - start < elements->count ? start + elements->from[e - start] : e - elements->count + old_count;
            from += kind * old_total;
            world->numbers[kind * total + e] = from < count ? before[from] : 1;
        }
    for (uint32_t e = 0; e < elements->count; e++) {
        if (elements->shares[e] == 0)
            tide_world_put_number(world, TIDE_NUMBER_REST, start + e, TIDE_CUT);
        else if (elements->shares[e] > 1)
            tide_world_put_number(world, TIDE_NUMBER_STIFFNESS, start + e,
                                  tide_world_number(world, TIDE_NUMBER_STIFFNESS, start + e) / elements->shares[e]);
    }
}

// Returns the kind of number up to which the split elements need room.
static tide_element_number last_kind(const tide_split_elements *elements)
{
    tide_element_number last = TIDE_NUMBER_REST;
    for (uint32_t e = 0; e < elements->count; e++)
        last = elements->shares[e] > 1 ? TIDE_NUMBER_STIFFNESS : last;
    return last;
}

static bool changes_elements(const tide_split_elements *elements)
{
    bool changes = false;
    for (uint32_t e = 0; e < elements->count && !changes; e++)
        changes = elements->shares[e] != 1;
    return changes;
}

static tide_status put_in(tide_world *world, size_t index, tide_body *made, const tide_split_elements *elements,
                          tide_error *error)
{
    tide_body *old = world->bodies[index];
    growing g = { world, index, old->first_particle, old->mesh->vertex_count, made };
    size_t start = tide_world_first_element(world, old), total = world->element_total;
    uint32_t old_count = tide_body_element_count(old), before = world->particle_count;
    TIDE_SCOPED tide_body **bodies = tide_copy_bytes(world->bodies, world->body_count * sizeof *bodies);
    if (!bodies)
        return tide_fail_memory(error, "cut");
    if (changes_elements(elements))
        TIDE_TRY(tide_world_reserve_numbers(world, last_kind(elements), error));
    bodies[index] = made;
    TIDE_TRY(tide_world_reserve_exchange(world, bodies, error));
    size_t pin_count = count_pins(&g), number_count = world->number_count;
    TIDE_SCOPED double *numbers = tide_copy_bytes(world->numbers, number_count * sizeof *numbers);
    if (!numbers || !tide_grow(&world->pins, &world->pin_capacity, pin_count, sizeof *world->pins))
        return tide_fail_memory(error, "cut");
    for (size_t b = 0; b < world->body_count; b++)
        if (b != index)
            tide_body_retain(bodies[b]);
    grow_pins(&g, pin_count);
    tide_world_exchange(world, bodies);
    grow_arrays(&g, before);
    grow_numbers(&g, start, old_count, total, number_count, numbers, elements);
    return TIDE_OK;
}

tide_status tide_world_open_faces(tide_world *world, tide_body_id id, const uint32_t *faces, size_t count,
                                  uint32_t *added, tide_error *error)
{
    tide_body *body = tide_world_lookup(world, id), *made;
    tide_split_elements elements;
    *added = 0;
    if (!count)
        return TIDE_OK;
    TIDE_TRY(tide_body_open_faces(body, faces, count, &made, &elements, error));
    uint32_t new_vertices = made->mesh->vertex_count - body->mesh->vertex_count;
    uint32_t index = world->body_slots.items[id.index - 1].owner;
    tide_status status = put_in(world, index, made, &elements, error);
    tide_split_elements_free(&elements);
    if (status != TIDE_OK)
        tide_body_destroy(made);
    else
        *added = new_vertices;
    return status;
}

// --- reconciling -----------------------------------------------------------------------------------------------------

static bool same_groups(const tide_body *a, const tide_body *b)
{
    bool same = a->mesh->topology_hash == b->mesh->topology_hash && a->group_count == b->group_count;
    for (uint32_t g = 0; g < a->group_count && same; g++)
        same = a->groups[g].count == b->groups[g].count &&
               a->groups[g].kind->vertex_count == b->groups[g].kind->vertex_count;
    return same;
}

// Makes the origins of all elements of a body that was split as another one: its described elements and their twins.
static bool find_origins(const tide_body *made, tide_split_elements *elements)
{
    uint32_t count = tide_body_element_count(made), next = 0, twin = 0;
    *elements = (tide_split_elements) { .from = tide_allocate_array(count, sizeof *elements->from),
                                        .shares = tide_allocate_array(count, sizeof *elements->shares),
                                        .count = count };
    if (!elements->from || !elements->shares)
        return false;
    for (uint32_t g = 0; g < made->group_count; g++)
        for (uint32_t e = 0; e < made->groups[g].count; e++, next++) {
            uint32_t described = made->split->described->group_count, from = next;
            if (g >= described) {
                from = made->split->twins[twin++];
                for (uint32_t k = 0; k < made->split->sources[g - described]; k++)
                    from += made->groups[k].count;
            }
            elements->from[next] = from;
            elements->shares[next] = 1;
        }
    return true;
}

static tide_status carry_split(tide_world *world, size_t index, const tide_body *before, tide_error *error)
{
    tide_body *made;
    tide_split_elements elements;
    TIDE_TRY(tide_body_split_as(world->bodies[index], before, &made, error));
    tide_status status = find_origins(made, &elements) ? put_in(world, index, made, &elements, error)
                                                       : tide_fail_memory(error, "a body");
    tide_split_elements_free(&elements);
    if (status != TIDE_OK)
        tide_body_destroy(made);
    return status;
}

tide_status tide_world_carry_splits(tide_world *world, const tide_world *old, tide_error *error)
{
    tide_status status = TIDE_OK;
    for (size_t b = 0; b < world->body_count && status == TIDE_OK; b++) {
        const tide_body *body = world->bodies[b];
        const tide_body *before = tide_world_lookup(old, tide_world_find_body(old, body->name));
        if (before && before->split && !body->split && same_groups(body, before->split->described))
            status = carry_split(world, b, before, error);
    }
    return status;
}
