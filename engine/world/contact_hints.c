#include "world/contact_hints.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "world/world_state.h"

#include <inttypes.h>
#include <stdlib.h>

#define MOST_BODIES 1000 // more are not compared
#define SHARED 3         // pins at the places of as many of another body hold a triangle in it

// --- thickness ------------------------------------------------------------------------------------------------------

// Returns the largest edge of a mesh, m, and where its middle is.
static double largest_edge(const tide_mesh *mesh, double place[3])
{
    double largest = 0;
    for (uint32_t e = 0; e < mesh->edge_count; e++) {
        tide_vec3 a = tide_vec3_load(mesh->vertices + 3 * (size_t)mesh->edges[2 * (size_t)e]),
                  b = tide_vec3_load(mesh->vertices + 3 * (size_t)mesh->edges[2 * (size_t)e + 1]);
        double length = tide_vec3_length(tide_vec3_subtract(a, b));
        if (!(length > largest))
            continue;
        largest = length;
        tide_vec3_store(place, tide_vec3_scale(tide_vec3_add(a, b), 0.5));
    }
    return largest;
}

// A body that collides with itself cannot keep its thickness from itself within an edge.
static void hint_thickness(tide_world *world)
{
    for (size_t b = 0; b < world->body_count && !world->hinted.thickness; b++) {
        const tide_body *body = world->bodies[b];
        const tide_mesh *mesh = body->surface ? body->surface : body->mesh;
        double at[3], edge;
        if (!body->look.self_collide || !tide_given(body->look.thickness) || !mesh->triangle_count)
            continue;
        edge = largest_edge(mesh, at);
        if (!(edge > 0) || !(body->look.thickness > edge))
            continue;
        world->hinted.thickness = true;
        tide_log(TIDE_LOG_WARNING,
                 "body \"%s\": thickness %.3g m is larger than its longest edge, %.3g m at (%.4g, %.4g, %.4g): folds "
                 "cannot keep that distance; lower its `thickness`, or make its edges longer",
                 body->name, body->look.thickness, edge, at[0], at[1], at[2]);
    }
}

// --- pins -----------------------------------------------------------------------------------------------------------

typedef struct placed {
    double at[3];
    uint32_t body;
} placed;

static int compare_places(const placed *a, const placed *b)
{
    for (int k = 0; k < 3; k++)
        if (a->at[k] != b->at[k])
            return a->at[k] < b->at[k] ? -1 : 1;
    return 0;
}

static int order(const void *a, const void *b)
{
    const placed *p = a, *q = b;
    int places = compare_places(p, q);
    return places ? places : (p->body > q->body) - (p->body < q->body);
}

static bool may_touch(const tide_world *world, uint32_t a, uint32_t b)
{
    const tide_body *first = world->bodies[a], *second = world->bodies[b];
    bool touching = first->look.collide == TIDE_COLLIDE_ALL && second->look.collide == TIDE_COLLIDE_ALL;
    for (size_t i = 0; i < world->body_pair_count; i++) {
        const tide_world_body_pair *pair = &world->body_pairs[i];
        if (pair->bodies[0] == (a < b ? a : b) && pair->bodies[1] == (a < b ? b : a))
            touching = pair->touching;
    }
    return touching;
}

static size_t list_pins(const tide_world *world, placed *list)
{
    size_t count = 0;
    uint32_t b = 0;
    for (size_t i = 0; i < world->pin_count && world->pins[i].particle < world->particle_count; i++) {
        const tide_pin *pin = &world->pins[i];
        while (b + 1 < world->body_count && world->bodies[b + 1]->first_particle <= pin->particle)
            b++;
        if (tide_given(pin->stiffness) || !world->bodies[b]->mesh->triangle_count)
            continue;
        placed *p = &list[count++];
        p->body = b;
        for (size_t k = 0; k < 3; k++)
            p->at[k] = world->positions[3 * pin->particle + k];
    }
    return count;
}

// Tells of the first two bodies that share the places of pins.
static void hint_pins(tide_world *world)
{
    TIDE_SCOPED placed *list = tide_allocate_array(world->pin_count, sizeof *list);
    TIDE_SCOPED uint32_t *shared = tide_allocate_zeroed(world->body_count * world->body_count, sizeof *shared);
    if (!list || !shared)
        return;
    size_t count = list_pins(world, list);
    if (count)
        qsort(list, count, sizeof *list, order);
    for (size_t i = 0; i + 1 < count; i++)
        for (size_t k = i + 1; k < count && compare_places(&list[i], &list[k]) == 0; k++) {
            uint32_t a = list[i].body, b = list[k].body;
            if (a == b || ++shared[a * world->body_count + b] < SHARED || !may_touch(world, a, b))
                continue;
            world->hinted.pins = true;
            tide_log(
                TIDE_LOG_WARNING,
                "contact: body \"%s\" and body \"%s\" are pinned in the same places, the first at (%.4g, %.4g, %.4g): "
                "contact cannot part them; move one of them, or let them pass (scene:set_touching)",
                world->bodies[a]->name, world->bodies[b]->name, list[i].at[0], list[i].at[1], list[i].at[2]);
            return;
        }
}

void tide_world_hint_contacts(tide_world *world)
{
    bool same = world->hinted.body_count == world->body_count && world->hinted.pin_count == world->pin_count;
    if (same)
        return;
    world->hinted.body_count = world->body_count;
    world->hinted.pin_count = world->pin_count;
    hint_thickness(world);
    if (world->body_count > 1 && world->body_count <= MOST_BODIES && world->pin_count >= 2 * SHARED &&
        !world->hinted.pins)
        hint_pins(world);
}
