// The solver's history. It is stored before a step and restored when the step is undone; snapshots contain it. The
// solver loads a history when the next step begins, because it must be prepared first.
#include "base/hash.h"
#include "base/memory.h"
#include "world/world_state.h"

#include <string.h>

uint64_t tide_world_solver_identity(const tide_world *world)
{
    return tide_hash_string(TIDE_HASH_START, tide_solver_kind_of(world->solver)->name);
}

size_t tide_world_history_size(const tide_world *world)
{
    if (world->awaits_history)
        return world->awaited.size;
    return world->solver_prepared ? tide_solver_history_size(world->solver) : 0;
}

void tide_world_save_history(const tide_world *world, void *bytes)
{
    size_t size = tide_world_history_size(world);
    if (size && world->awaits_history)
        memcpy(bytes, world->awaited.bytes, size);
    else if (size)
        tide_solver_save_history(world->solver, bytes);
}

tide_status tide_world_keep_history(const tide_world *world, tide_history *kept, tide_error *error)
{
    size_t size = tide_world_history_size(world);
    if (!tide_grow(&kept->bytes, &kept->capacity, size, 1))
        return tide_fail_memory(error, "world");
    kept->size = size;
    kept->solver = tide_world_solver_identity(world);
    tide_world_save_history(world, kept->bytes);
    return TIDE_OK;
}

tide_status tide_world_reserve_history(tide_world *world, size_t size, tide_error *error)
{
    tide_history *awaited = &world->awaited;
    return tide_grow(&awaited->bytes, &awaited->capacity, size, 1) ? TIDE_OK : tide_fail_memory(error, "world");
}

void tide_world_await_history(tide_world *world, uint64_t solver, const void *bytes, size_t size)
{
    tide_history *awaited = &world->awaited;
    awaited->size = solver == tide_world_solver_identity(world) ? size : 0;
    if (awaited->size)
        memcpy(awaited->bytes, bytes, awaited->size);
    world->awaits_history = true;
}

// Replaces the world's solver by a new one of the same kind and options.
static tide_status renew_solver(tide_world *world, tide_error *error)
{
    tide_solver *fresh;
    tide_status status =
        tide_solver_create(tide_solver_kind_of(world->solver), tide_solver_options(world->solver), &fresh, error);
    if (status == TIDE_OK && (status = tide_world_prepare(world, fresh, error)) != TIDE_OK)
        tide_solver_destroy(fresh);
    if (status != TIDE_OK)
        return status;
    tide_solver_destroy(world->solver);
    world->solver = fresh;
    return TIDE_OK;
}

tide_status tide_world_load_history(tide_world *world, tide_error *error)
{
    if (!world->awaits_history)
        return TIDE_OK;
    const tide_history *awaited = &world->awaited;
    tide_status status = TIDE_OK;
    if (awaited->size)
        status = tide_solver_load_history(world->solver, awaited->bytes, awaited->size, error);
    if (status == TIDE_ERROR_MEMORY)
        return status;
    // A history that does not fit is of other options: begin without one.
    if (status != TIDE_OK || (!awaited->size && tide_solver_history_size(world->solver)))
        status = renew_solver(world, error);
    world->awaits_history = status != TIDE_OK;
    return status;
}
