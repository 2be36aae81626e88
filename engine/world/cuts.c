#include "world/cuts.h"

#include "base/memory.h"
#include "world/world_state.h"

#include <string.h>

tide_status tide_world_cut(tide_world *world, tide_body_id id, const uint32_t *springs, uint32_t count,
                           tide_error *error)
{
    const tide_body *body;
    size_t first;
    tide_status status = tide_world_check_springs(world, id, springs, count, "cut", &body, &first, error);
    if (status != TIDE_OK || !count)
        return status;
    status = tide_world_reserve_contractions(world, first + tide_body_springs(body)->count, error);
    for (uint32_t s = 0; s < count && status == TIDE_OK; s++)
        world->contractions[first + springs[s]] = TIDE_CUT;
    if (status == TIDE_OK)
        world->system_changed = true;
    return status;
}

// Returns the factors of the first *count springs of a body; the factors of the others are 1.
static const double *factors_of(const tide_world *world, tide_body_id id, size_t *count)
{
    const tide_body *body = tide_world_lookup(world, id);
    size_t first = body ? tide_world_first_spring(world, body) : 0;
    *count = 0;
    if (!body || first >= world->contraction_count)
        return NULL;
    size_t left = world->contraction_count - first;
    *count = left < tide_body_springs(body)->count ? left : tide_body_springs(body)->count;
    return world->contractions + first;
}

bool tide_world_is_cut(const tide_world *world, tide_body_id id, uint32_t spring)
{
    size_t count;
    const double *factors = factors_of(world, id, &count);
    return spring < count && factors[spring] == TIDE_CUT;
}

bool tide_world_has_cuts(const tide_world *world, tide_body_id id)
{
    size_t count;
    const double *factors = factors_of(world, id, &count);
    for (size_t s = 0; s < count; s++)
        if (factors[s] == TIDE_CUT)
            return true;
    return false;
}

static bool has_edge(const uint32_t *corners, uint32_t a, uint32_t b)
{
    int found = 0;
    for (int k = 0; k < 3; k++)
        found += corners[k] == a || corners[k] == b;
    return found == 2;
}

uint32_t tide_world_whole_triangles(const tide_world *world, tide_body_id id, uint32_t *triangles)
{
    size_t cut_count;
    const tide_body *body = tide_world_lookup(world, id);
    const double *factors = factors_of(world, id, &cut_count);
    uint32_t count = 0;
    for (uint32_t t = 0; body && t < body->mesh->triangle_count; t++)
        memcpy(triangles + 3 * (size_t)count++, body->mesh->triangles + 3 * (size_t)t, 3 * sizeof *triangles);
    // Removes the triangles at each cut spring in turn, because few springs are cut.
    for (size_t s = 0; s < cut_count; s++) {
        const uint32_t *ends = tide_body_springs(body)->vertices + 2 * s;
        uint32_t kept = 0;
        for (uint32_t t = 0; t < count && factors[s] == TIDE_CUT; t++)
            if (!has_edge(triangles + 3 * (size_t)t, ends[0], ends[1]))
                memmove(triangles + 3 * (size_t)kept++, triangles + 3 * (size_t)t, 3 * sizeof *triangles);
        count = factors[s] == TIDE_CUT ? kept : count;
    }
    return count;
}
