#include "model/coupling.h"

#include "base/memory.h"

#include <string.h>

static uint32_t count_coupled(const tide_system *system, size_t *corners)
{
    uint32_t count = 0;
    *corners = 0;
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        size_t own = (size_t)group->count * group->kind->vertex_count;
        count += group->kind->couple != NULL;
        *corners = group->kind->couple && own > *corners ? own : *corners;
    }
    return count;
}

tide_status tide_coupling_prepare(tide_coupling *coupling, const tide_system *system, tide_error *error)
{
    size_t corners;
    uint32_t count = count_coupled(system, &corners);
    tide_coupling_free(coupling);
    if (!count)
        return TIDE_OK;
    void *memory = tide_allocate(0);
    *coupling = (tide_coupling) {
        .count = count,
        .particle_count = system->particle_count,
        .memory = memory,
        .slopes = tide_own_zeroed(memory, system->particle_count, 3 * count * sizeof *coupling->slopes),
        .curvatures = tide_own_array(memory, count, sizeof *coupling->curvatures),
        .corners = tide_own_array(memory, 3 * corners, sizeof *coupling->corners),
    };
    if (tide_owns_all(memory))
        return TIDE_OK;
    tide_coupling_free(coupling);
    return tide_fail_memory(error, "system");
}

void tide_coupling_free(tide_coupling *coupling)
{
    tide_free(coupling->memory);
    *coupling = (tide_coupling) { 0 };
}

static void find_slope(const tide_coupling *c, const tide_elements *group, const double *x, double *slope)
{
    uint32_t corners = group->count * group->kind->vertex_count;
    memset(slope, 0, 3 * (size_t)c->particle_count * sizeof *slope);
    group->kind->slope(group, x, 0, group->count, c->corners);
    for (uint32_t i = 0; i < corners; i++)
        for (size_t k = 0; k < 3; k++)
            slope[3 * (size_t)group->vertices[i] + k] += c->corners[3 * (size_t)i + k];
}

void tide_coupling_evaluate(tide_coupling *coupling, const tide_system *system, const double *x, double factor)
{
    tide_coupling *c = coupling;
    uint32_t next = 0;
    c->system = system;
    for (uint32_t g = 0; g < system->group_count && next < c->count; g++) {
        const tide_elements *group = &system->groups[g];
        if (!group->kind->couple)
            continue;
        group->kind->couple(group, x);
        find_slope(c, group, x, c->slopes + 3 * (size_t)next * c->particle_count);
        c->curvatures[next++] = factor * group->kind->curvature(group);
    }
}

void tide_coupling_add_product(const tide_coupling *coupling, const double *v, double *out)
{
    const tide_coupling *c = coupling;
    size_t numbers = 3 * (size_t)c->particle_count;
    for (uint32_t g = 0; g < c->count; g++) {
        const double *s = c->slopes + g * numbers;
        double along = 0;
        for (size_t i = 0; i < numbers; i++)
            along += s[i] * v[i];
        along *= c->curvatures[g];
        for (uint32_t row = 0; row < c->system->free_count; row++)
            for (size_t k = 0, i = 3 * (size_t)c->system->free_particles[row]; k < 3; k++, i++)
                out[i] += along * s[i];
    }
}
