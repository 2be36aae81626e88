// Muscles: elements whose lengths at rest, or areas, change between steps. The factors are state, so snapshots contain
// them. The matrix of the system does not depend on them, except on the factor 0 of a cut element (cuts.h).
#include "base/memory.h"
#include "world/world_state.h"

#include <stdio.h>
#include <string.h>

size_t tide_world_first_element(const tide_world *world, const tide_body *body)
{
    size_t first = 0;
    for (size_t b = 0; world->bodies[b] != body; b++)
        first += tide_body_element_count(world->bodies[b]);
    return first;
}

size_t tide_world_element_total(const tide_world *world)
{
    size_t total = 0;
    for (size_t b = 0; b < world->body_count; b++)
        total += tide_body_element_count(world->bodies[b]);
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
    size_t to = tide_world_first_element(world, body), from = tide_world_first_element(old, before);
    for (uint32_t g = 0; g < body->group_count && g < before->group_count; g++) {
        const tide_elements *now = &body->groups[g], *then = &before->groups[g];
        bool same = now->kind == then->kind && now->count == then->count;
        for (size_t e = 0; e < now->count && same; e++)
            if (from + e < old->contraction_count && to + e < world->contraction_count &&
                world->contractions[to + e] == 1) {
                world->contractions[to + e] = old->contractions[from + e];
                world->system_changed = world->system_changed || old->contractions[from + e] == TIDE_CUT;
            }
        to += now->count;
        from += then->count;
    }
}

// Applies the factors to the sizes at rest of one group of the system. Returns whether one changed.
static bool apply_factors(const double *factors, size_t count, const tide_elements *described, tide_elements *group)
{
    if (!tide_element_has_rest(group->kind))
        return false;
    const double *rest = described->parameters + described->kind->rest_parameter * (size_t)described->count;
    double *now = group->parameters + group->kind->rest_parameter * (size_t)group->count;
    bool changed = false;
    for (size_t e = 0; e < count; e++) {
        double size = factors[e] == TIDE_CUT ? rest[e] : rest[e] * factors[e];
        changed = changed || now[e] != size;
        now[e] = size;
    }
    return changed;
}

void tide_world_apply_contractions(tide_world *world)
{
    const double *factors = world->contractions;
    size_t left = world->contraction_count;
    bool changed = false;
    tide_elements *group = world->system->groups; // the groups of bodies come first, without empty ones
    for (size_t b = 0; b < world->body_count && left; b++)
        for (uint32_t g = 0; g < world->bodies[b]->group_count && left; g++) {
            const tide_elements *described = &world->bodies[b]->groups[g];
            size_t count = left < described->count ? left : described->count;
            if (count)
                changed = apply_factors(factors, count, described, group++) || changed;
            factors += count;
            left -= count;
        }
    if (changed)
        tide_system_refresh(world->system);
}

// Returns the group of a body's element and makes *element its index in the group. It must be one of the body's.
static const tide_elements *group_of(const tide_body *body, uint32_t *element)
{
    const tide_elements *group = body->groups;
    for (; *element >= group->count; group++)
        *element -= group->count;
    return group;
}

static tide_status find_element(const tide_world *world, tide_body_id id, uint32_t element, const char *field,
                                const tide_body **body, tide_error *error)
{
    tide_body_info info;
    tide_status status = tide_world_check_body(world, id, &info, error);
    if (status != TIDE_OK)
        return status;
    *body = tide_world_lookup(world, id);
    if (element < info.element_count)
        return TIDE_OK;
    char object[96], value[32];
    tide_body_object((*body)->name, object);
    snprintf(value, sizeof value, "%llu", 1ULL + element);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, value, "expected %s from 1 to %u",
                     info.group_count > 1 ? "an element" : "a spring", info.element_count);
}

tide_status tide_world_check_elements(const tide_world *world, tide_body_id id, const uint32_t *elements,
                                      uint32_t count, const char *field, const tide_body **body, size_t *first,
                                      tide_error *error)
{
    *body = NULL;
    tide_status status = tide_world_check_idle(world, field, error);
    for (uint32_t e = 0; e < count && status == TIDE_OK; e++)
        status = find_element(world, id, elements[e], field, body, error);
    if (status == TIDE_OK && *body)
        *first = tide_world_first_element(world, *body);
    return status;
}

void tide_world_cut_stiffnesses(const tide_world *world, size_t first, tide_elements *elements)
{
    for (size_t e = 0; e < elements->count && first + e < world->contraction_count; e++)
        if (world->contractions[first + e] == TIDE_CUT)
            elements->parameters[elements->kind->stiffness_parameter * (size_t)elements->count + e] = 0;
}

static tide_status check_sizes(const tide_body *body, const uint32_t *elements, uint32_t count, tide_error *error)
{
    for (uint32_t e = 0; e < count; e++) {
        uint32_t own = elements[e];
        const tide_element_kind *kind = group_of(body, &own)->kind;
        char object[96], value[32];
        if (tide_element_has_rest(kind))
            continue;
        tide_body_object(body->name, object);
        snprintf(value, sizeof value, "%llu", 1ULL + elements[e]);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "contract", value,
                         "this element is of the kind %s, which has no size at rest; expected another one", kind->name);
    }
    return TIDE_OK;
}

tide_status tide_world_contract(tide_world *world, tide_body_id id, const uint32_t *elements, uint32_t count,
                                double factor, tide_error *error)
{
    const tide_body *body;
    size_t first;
    tide_status status = tide_world_check_elements(world, id, elements, count, "contract", &body, &first, error);
    if (status != TIDE_OK || count == 0)
        return status;
    if (!(factor > 0 && factor <= 100)) {
        char object[96], value[32];
        tide_body_object(body->name, object);
        snprintf(value, sizeof value, "%.10g", factor);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "contract", value,
                         "expected a factor greater than 0 and at most 100; 1 is as long as at rest");
    }
    status = check_sizes(body, elements, count, error);
    if (status == TIDE_OK)
        status = tide_world_reserve_contractions(world, first + tide_body_element_count(body), error);
    for (uint32_t e = 0; e < count && status == TIDE_OK; e++)
        if (world->contractions[first + elements[e]] != TIDE_CUT)
            world->contractions[first + elements[e]] = factor;
    return status;
}

tide_status tide_world_spring(const tide_world *world, tide_body_id id, uint32_t spring, tide_extra_spring *out,
                              tide_error *error)
{
    tide_body_info info;
    tide_status status = tide_world_check_body(world, id, &info, error);
    if (status != TIDE_OK)
        return status;
    const tide_body *body = tide_world_lookup(world, id);
    if (spring >= info.spring_count) {
        char object[96], value[32];
        tide_body_object(body->name, object);
        snprintf(value, sizeof value, "%llu", 1ULL + spring);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "spring", value, "expected a spring from 1 to %u",
                         info.spring_count);
    }
    const tide_elements *springs = tide_body_springs(body);
    size_t count = springs->count, s = spring, of = tide_world_first_element(world, body) + s;
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
