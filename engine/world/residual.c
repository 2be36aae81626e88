// The residual of the last step, for display.
#include "solver/objective.h"

#include "base/memory.h"
#include "world/world_state.h"

#include <string.h>

bool tide_world_is_of_last_step(const tide_world *world)
{
    size_t size = 3 * (size_t)world->particle_count * sizeof(double);
    return world->stepped && world->system && !world->system_changed &&
           memcmp(world->velocities, world->next_velocities, size) == 0;
}

tide_status tide_world_residual(tide_world *world, double *out, bool *known, tide_error *error)
{
    size_t count = 3 * (size_t)world->particle_count;
    memset(out, 0, count * sizeof *out);
    *known = tide_world_is_of_last_step(world);
    if (!*known)
        return TIDE_OK;
    double h = world->settings.timestep;
    const tide_step step = { .system = world->system,
                             .h = h,
                             .q = world->last_positions,
                             .velocity = world->damped_velocities,
                             .force = world->total_forces,
                             .pinned = world->pinned_positions };
    TIDE_SCOPED_BY(tide_objective_free) tide_objective objective = { 0 };
    TIDE_TRY(tide_objective_prepare(&objective, world->system, h, NULL, error));
    tide_objective_predict(&objective, &step);
    if (world->contacts && !world->contacts_changed)
        tide_contacts_add_displacements(world->contacts, h, objective.y);
    tide_system_objective_gradient(world->system, h, objective.y, world->positions, out);
    for (size_t i = 0; i < count; i++)
        out[i] /= h * h;
    return TIDE_OK;
}
