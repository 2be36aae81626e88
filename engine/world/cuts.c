#include "world/cuts.h"

#include "base/memory.h"
#include "world/world_state.h"

#include <string.h>

tide_status tide_world_cut(tide_world *world, tide_body_id id, const uint32_t *elements, uint32_t count,
                           tide_error *error)
{
    const tide_body *body;
    size_t first;
    tide_status status = tide_world_check_elements(world, id, elements, count, "cut", &body, &first, error);
    if (status != TIDE_OK || !count)
        return status;
    status = tide_world_reserve_contractions(world, first + tide_body_element_count(body), error);
    for (uint32_t e = 0; e < count && status == TIDE_OK; e++)
        world->contractions[first + elements[e]] = TIDE_CUT;
    if (status == TIDE_OK)
        world->system_changed = true;
    return status;
}

// Returns the factors of the first *count elements of a body; the factors of the others are 1.
static const double *factors_of(const tide_world *world, tide_body_id id, size_t *count)
{
    const tide_body *body = tide_world_lookup(world, id);
    size_t first = body ? tide_world_first_element(world, body) : 0;
    *count = 0;
    if (!body || first >= world->contraction_count)
        return NULL;
    size_t left = world->contraction_count - first, own = tide_body_element_count(body);
    *count = left < own ? left : own;
    return world->contractions + first;
}

bool tide_world_is_cut(const tide_world *world, tide_body_id id, uint32_t element)
{
    size_t count;
    const double *factors = factors_of(world, id, &count);
    return element < count && factors[element] == TIDE_CUT;
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

// Returns whether a cut of an element cuts a triangle: all vertices of the smaller one are vertices of the other.
static bool cuts(const tide_elements *group, size_t e, const uint32_t *triangle)
{
    const uint32_t corners = group->kind->vertex_count, *vertices = group->vertices + corners * e;
    uint32_t found = 0;
    for (uint32_t c = 0; c < corners; c++)
        for (int k = 0; k < 3; k++)
            found += vertices[c] == triangle[k];
    return corners > 1 && found == (corners < 3 ? corners : 3);
}

uint32_t tide_world_whole_triangles(const tide_world *world, tide_body_id id, uint32_t *triangles)
{
    size_t cut_count;
    const tide_body *body = tide_world_lookup(world, id);
    const double *factors = factors_of(world, id, &cut_count);
    uint32_t count = 0;
    for (uint32_t t = 0; body && t < body->mesh->triangle_count; t++)
        memcpy(triangles + 3 * (size_t)count++, body->mesh->triangles + 3 * (size_t)t, 3 * sizeof *triangles);
    // Removes the triangles of each cut element in turn, because few elements are cut.
    const tide_elements *group = body ? body->groups : NULL;
    for (size_t i = 0, first = 0; i < cut_count; i++) {
        for (; i - first >= group->count; group++)
            first += group->count;
        if (factors[i] != TIDE_CUT)
            continue;
        uint32_t kept = 0;
        for (uint32_t t = 0; t < count; t++)
            if (!cuts(group, i - first, triangles + 3 * (size_t)t))
                memmove(triangles + 3 * (size_t)kept++, triangles + 3 * (size_t)t, 3 * sizeof *triangles);
        count = kept;
    }
    return count;
}
