// Reconciling: a newly described world goes on where the old one is.
#include "base/clock.h"
#include "base/memory.h"
#include "world/contact_keys.h"
#include "world/internal.h"

#include <string.h>

static const tide_body *old_body(const tide_world *old, const tide_body *body)
{
    return tide_world_lookup(old, tide_world_find_body(old, body->name));
}

static bool same_topology(const tide_body *a, const tide_body *b)
{
    return a->mesh->topology_hash == b->mesh->topology_hash && a->mesh->vertex_count == b->mesh->vertex_count;
}

// A pin described as before goes on from where it was moved to; one that is new on a moving body holds its vertex where
// it is. A pin that the new script has moved itself stays where that put it.
static void carry_pin(tide_pin *pin, const tide_pin *before, const double *position)
{
    if (memcmp(pin->target, pin->described, sizeof pin->target) != 0)
        return;
    if (!before)
        memcpy(pin->target, position, sizeof pin->target);
    else if (memcmp(before->described, pin->described, sizeof pin->described) == 0)
        memcpy(pin->target, before->target, sizeof pin->target);
}

static void carry_body(tide_world *world, const tide_body *body, const tide_world *old, const tide_body *before)
{
    uint32_t count = body->mesh->vertex_count;
    size_t to = 3 * (size_t)body->first_particle, from = 3 * (size_t)before->first_particle;
    memcpy(world->positions + to, old->positions + from, 3 * (size_t)count * sizeof(double));
    memcpy(world->velocities + to, old->velocities + from, 3 * (size_t)count * sizeof(double));
    for (size_t p = 0; p < world->pin_count; p++) {
        tide_pin *pin = &world->pins[p];
        if (pin->particle < body->first_particle || pin->particle - body->first_particle >= count)
            continue;
        uint64_t vertex = pin->particle - body->first_particle;
        carry_pin(pin, tide_world_pin_of(old, before->first_particle + (uint32_t)vertex),
                  world->positions + 3 * pin->particle);
    }
    tide_world_carry_contractions(world, body, old, before);
}

// A script's solver is of another kind after every run: its history goes on by its name.
static tide_status carry_history(tide_world *world, const tide_world *old, tide_error *error)
{
    uint64_t solver = tide_world_solver_identity(world);
    if (solver != tide_world_solver_identity(old) || tide_world_identity(world) != tide_world_identity(old))
        return TIDE_OK;
    tide_history *carried = &world->before_step;
    tide_status status = tide_world_keep_history(old, carried, error);
    if (status == TIDE_OK)
        status = tide_world_reserve_history(world, carried->size, error);
    if (status == TIDE_OK)
        tide_world_await_history(world, solver, carried->bytes, carried->size);
    return status;
}

// Readies the solver for the new world. One of the same kind is taken over with all it can keep; *taken tells.
static tide_status take_solver(tide_world *world, tide_world *old, bool *taken, tide_error *error)
{
    *taken = tide_solver_kind_of(world->solver) == tide_solver_kind_of(old->solver);
    if (!*taken) {
        tide_status status = tide_world_update_solver(world, error);
        return status == TIDE_OK ? carry_history(world, old, error) : status;
    }
    void *options = tide_copy_bytes(tide_solver_options(old->solver), tide_solver_kind_of(old->solver)->options_size);
    if (!options)
        return tide_fail_memory(error, "solver");
    tide_solver_set_options(old->solver, tide_solver_options(world->solver));
    tide_status status = tide_world_prepare(world, old->solver, error);
    if (status != TIDE_OK)
        tide_solver_set_options(old->solver, options);
    old->solver_changed = true;
    tide_free(options);
    return status;
}

// Histories are of the particles in their order.
static void swap_solvers(tide_world *world, tide_world *old)
{
    tide_solver *solver = world->solver;
    tide_history awaited = world->awaited;
    world->solver = old->solver;
    world->solver_changed = false;
    world->solver_prepared = true;
    world->awaited = old->awaited;
    world->awaits_history = old->awaits_history;
    old->solver = solver;
    old->awaited = awaited;
    old->awaits_history = false;
    if (tide_world_identity(world) != tide_world_identity(old))
        tide_world_await_history(world, 0, NULL, 0);
}

// What contacts of the old world, whose bodies are the same, are known by in the new.
static tide_status find_keys(const tide_world *world, const tide_world *old, tide_contact_keys *keys, tide_error *error)
{
    tide_collider_state *states = tide_allocate_array(old->collider_count, sizeof *states);
    if (!states)
        return tide_fail_memory(error, "world");
    tide_world_get_collider_states(old, states);
    tide_status status = tide_contact_keys_create(world, old, states, old->collider_count, keys, error);
    tide_free(states);
    return status;
}

static void carry_contacts(tide_world *world, tide_world *old, const tide_contact_keys *keys)
{
    if (tide_world_identity(world) != tide_world_identity(old))
        return;
    tide_history own = world->contact_history;
    world->contact_history = old->contact_history;
    world->contact_history_awaits = true;
    old->contact_history = own;
    tide_contact_keys_apply(keys, &world->contact_history);
}

static void carry_colliders(tide_world *world, const tide_world *old)
{
    size_t count;
    tide_world_carry_colliders(world, old);
    if (!old->initial) // never stepped: nothing was changed since it was described
        return;
    const tide_collider_state *described = tide_snapshot_colliders(old->initial, &count);
    tide_world_carry_collider_values(world, old, described, count);
}

tide_status tide_world_adopt(tide_world *world, tide_world *old, tide_adoption *adoption, tide_error *error)
{
    double start = tide_clock_seconds();
    bool taken;
    tide_contact_keys keys = { 0 };
    uint64_t factorizations = tide_solver_describe(old->solver).factorizations;
    tide_status status = tide_world_mark_initial(world, error);
    if (status == TIDE_OK && old->contraction_count)
        status = tide_world_reserve_contractions(world, tide_world_spring_total(world), error);
    if (status == TIDE_OK)
        status = tide_world_update_system(world, error);
    if (status == TIDE_OK)
        status = find_keys(world, old, &keys, error);
    if (status == TIDE_OK)
        status = take_solver(world, old, &taken, error);
    if (status != TIDE_OK) {
        tide_contact_keys_free(&keys);
        return status;
    }

    // Nothing fails from here on.
    if (taken)
        swap_solvers(world, old);
    *adoption = (tide_adoption) { 0 };
    for (size_t b = 0; b < world->body_count; b++) {
        const tide_body *body = world->bodies[b], *before = old_body(old, body);
        if (before && same_topology(body, before)) {
            carry_body(world, body, old, before);
            adoption->kept++;
        } else if (before)
            adoption->rebuilt++;
        else
            adoption->added++;
    }
    adoption->removed = (uint32_t)old->body_count - adoption->kept - adoption->rebuilt;
    carry_colliders(world, old);
    carry_contacts(world, old, &keys);
    tide_contact_keys_free(&keys);
    tide_slots_release(&world->body_slots);
    tide_slots_release(&world->collider_slots);
    world->time = old->time;
    world->frame = old->frame;
    world->random = old->random;
    world->report = old->report;
    memcpy(world->warned, old->warned, sizeof world->warned);
    adoption->refactored = tide_solver_describe(world->solver).factorizations != (taken ? factorizations : 0);
    adoption->seconds = tide_clock_seconds() - start;
    return TIDE_OK;
}
