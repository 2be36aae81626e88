// Muscles: springs whose rest lengths change between steps. The factors are state, so snapshots contain them. The
// matrix of the system does not depend on them, except on the factor 0 of a cut spring (cuts.h).
#include "base/memory.h"
#include "world/world_state.h"

#include <stdio.h>
#include <string.h>

size_t tide_world_first_spring(const tide_world *world, const tide_body *body)
{
    size_t first = 0;
    for (size_t b = 0; world->bodies[b] != body; b++)
        first += tide_body_springs(world->bodies[b])->count;
    return first;
}

size_t tide_world_spring_total(const tide_world *world)
{
    size_t total = 0;
    for (size_t b = 0; b < world->body_count; b++)
        total += tide_body_springs(world->bodies[b])->count;
    return total;
}

tide_status tide_world_reserve_contractions(tide_world *world, size_t count, tide_error *error)
{
    if (count <= world->contraction_count)
        return TIDE_OK;
    if (!tide_grow(&world->contractions, &world->contraction_capacity, count, sizeof *world->contractions))
        return tide_fail_memory(error, "muscles");
    for (; world->contraction_count < count; world->contraction_count++)
        world->contractions[world->contraction_count] = 1;
    return TIDE_OK;
}

size_t tide_world_contraction_count(const tide_world *world)
{
    size_t count = world->contraction_count;
    while (count && world->contractions[count - 1] == 1)
        count--;
    return count;
}

void tide_world_set_contractions(tide_world *world, const double *factors, size_t count)
{
    for (size_t s = 0; s < world->contraction_count; s++)
        if ((world->contractions[s] == TIDE_CUT) != (s < count && factors[s] == TIDE_CUT))
            world->system_changed = true;
    if (count)
        memcpy(world->contractions, factors, count * sizeof *factors);
    for (size_t s = count; s < world->contraction_count; s++)
        world->contractions[s] = 1;
}

void tide_world_carry_contractions(tide_world *world, const tide_body *body, const tide_world *old,
                                   const tide_body *before)
{
    size_t to = tide_world_first_spring(world, body), from = tide_world_first_spring(old, before);
    size_t count = tide_body_springs(body)->count;
    for (size_t s = 0; s < count && count == tide_body_springs(before)->count; s++)
        if (from + s < old->contraction_count && to + s < world->contraction_count &&
            world->contractions[to + s] == 1) {
            world->contractions[to + s] = old->contractions[from + s];
            world->system_changed = world->system_changed || old->contractions[from + s] == TIDE_CUT;
        }
}

void tide_world_apply_contractions(tide_world *world)
{
    const double *factors = world->contractions;
    size_t left = world->contraction_count;
    bool changed = false;
    tide_elements *group = world->system->groups; // the groups of bodies come first, without empty ones
    for (size_t b = 0; b < world->body_count && left; b++) {
        const tide_elements *springs = tide_body_springs(world->bodies[b]);
        const double *rest = springs->parameters + springs->kind->rest_parameter * (size_t)springs->count;
        double *now = group->parameters + springs->kind->rest_parameter * (size_t)springs->count;
        size_t count = left < springs->count ? left : springs->count;
        for (size_t s = 0; s < count; s++) {
            double length = factors[s] == TIDE_CUT ? rest[s] : rest[s] * factors[s];
            changed = changed || now[s] != length;
            now[s] = length;
        }
        group += world->bodies[b]->group_count - (springs->count == 0);
        factors += count;
        left -= count;
    }
    if (changed)
        tide_system_refresh(world->system);
}

static tide_status find_spring(const tide_world *world, tide_body_id id, uint32_t spring, const char *field,
                               const tide_body **body, tide_error *error)
{
    tide_body_info info;
    tide_status status = tide_world_check_body(world, id, &info, error);
    if (status != TIDE_OK)
        return status;
    *body = tide_world_lookup(world, id);
    if (spring < tide_body_springs(*body)->count)
        return TIDE_OK;
    char object[96], value[32];
    tide_body_object((*body)->name, object);
    snprintf(value, sizeof value, "%llu", 1ULL + spring);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, value, "expected a spring from 1 to %u",
                     tide_body_springs(*body)->count);
}

tide_status tide_world_check_springs(const tide_world *world, tide_body_id id, const uint32_t *springs, uint32_t count,
                                     const char *field, const tide_body **body, size_t *first, tide_error *error)
{
    *body = NULL;
    tide_status status = tide_world_check_idle(world, field, error);
    for (uint32_t s = 0; s < count && status == TIDE_OK; s++)
        status = find_spring(world, id, springs[s], field, body, error);
    if (status == TIDE_OK && *body)
        *first = tide_world_first_spring(world, *body);
    return status;
}

void tide_world_cut_stiffnesses(const tide_world *world, const tide_body *body, tide_elements *springs)
{
    size_t first = tide_world_first_spring(world, body);
    for (size_t s = 0; s < springs->count && first + s < world->contraction_count; s++)
        if (world->contractions[first + s] == TIDE_CUT)
            springs->parameters[springs->kind->stiffness_parameter * (size_t)springs->count + s] = 0;
}

tide_status tide_world_contract(tide_world *world, tide_body_id id, const uint32_t *springs, uint32_t count,
                                double factor, tide_error *error)
{
    const tide_body *body;
    size_t first;
    tide_status status = tide_world_check_springs(world, id, springs, count, "contract", &body, &first, error);
    if (status != TIDE_OK || count == 0)
        return status;
    if (!(factor > 0 && factor <= 100)) {
        char object[96], value[32];
        tide_body_object(body->name, object);
        snprintf(value, sizeof value, "%.10g", factor);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "contract", value,
                         "expected a factor greater than 0 and at most 100; 1 is as long as at rest");
    }
    status = tide_world_reserve_contractions(world, first + tide_body_springs(body)->count, error);
    for (uint32_t s = 0; s < count && status == TIDE_OK; s++)
        if (world->contractions[first + springs[s]] != TIDE_CUT)
            world->contractions[first + springs[s]] = factor;
    return status;
}

tide_status tide_world_spring(const tide_world *world, tide_body_id id, uint32_t spring, tide_extra_spring *out,
                              tide_error *error)
{
    const tide_body *body;
    tide_status status = find_spring(world, id, spring, "spring", &body, error);
    if (status != TIDE_OK)
        return status;
    const tide_elements *springs = tide_body_springs(body);
    size_t count = springs->count, s = spring, of = tide_world_first_spring(world, body) + s;
    double factor = of < world->contraction_count ? world->contractions[of] : 1;
    *out = (tide_extra_spring) {
        .i = springs->vertices[2 * s],
        .j = springs->vertices[2 * s + 1],
        .stiffness = factor == TIDE_CUT ? 0 : springs->parameters[springs->kind->stiffness_parameter * count + s],
        .rest_length =
            springs->parameters[springs->kind->rest_parameter * count + s] * (factor == TIDE_CUT ? 1 : factor),
    };
    return TIDE_OK;
}
