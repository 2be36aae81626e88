// Muscles: elements whose lengths at rest, or areas, change between steps. The factors are state, so snapshots contain
// them (element_numbers.h). The matrix of the system does not depend on them, except on the factor 0 of a cut element
// (cuts.h) and on factors of stiffnesses.
#include "model/membrane_flow.h"
#include "model/rod_twist.h"
#include "model/solid_flow.h"
#include "world/element_numbers.h"

#include <stdio.h>

// Applies the factors, and plastic strain, to the sizes at rest of one group of the system. `first` is the index of its
// first element among those of all bodies. Returns whether a size changed.
static bool apply_factors(const tide_world *world, size_t first, const tide_elements *described, tide_elements *group)
{
    const tide_element_kind *kind = group->kind;
    if (!tide_element_has_rest(kind))
        return false;
    size_t total = group->count;
    const double *rest = described->parameters + kind->rest_parameter * total;
    const double *scale = described->parameters + kind->strain_parameter * total;
    double *now = group->parameters + kind->rest_parameter * total;
    bool changed = false;
    for (size_t e = 0; e < total && first + e < world->number_count; e++) {
        double factor = world->numbers[first + e], size = factor == TIDE_CUT ? rest[e] : rest[e] * factor;
        if (kind->strain_parameter && scale[e] > 0)
            size += (tide_world_number(world, TIDE_NUMBER_SHIFT, first + e) - 1) / scale[e];
        changed = changed || now[e] != size;
        now[e] = size;
    }
    return changed;
}

void tide_world_apply_contractions(tide_world *world)
{
    bool changed = false;
    size_t first = 0;
    tide_elements *group = world->system->groups; // the groups of bodies come first, without empty ones
    for (size_t b = 0; b < world->body_count && first < world->number_count; b++)
        for (uint32_t g = 0; g < world->bodies[b]->group_count; g++) {
            const tide_elements *described = &world->bodies[b]->groups[g];
            if (described->count)
                changed = apply_factors(world, first, described, group++) || changed;
            first += described->count;
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

double tide_body_stiffness(const tide_body *body, uint32_t element)
{
    const tide_elements *group = group_of(body, &element);
    return tide_element_stiffness(group, element);
}

static tide_status find_element(const tide_world *world, tide_body_id id, uint32_t element, const char *field,
                                const tide_body **body, tide_error *error)
{
    tide_body_info info;
    TIDE_TRY(tide_world_check_body(world, id, &info, error));
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

// Applies the plastic strains of a rod that twists.
static void apply_strains(const tide_world *world, size_t element, tide_elements *elements, uint32_t e)
{
    double strains[3];
    for (uint32_t i = 0; i < 3; i++)
        strains[i] = tide_world_number(world, (tide_element_number)(TIDE_NUMBER_PLASTIC + i), element) - 1;
    tide_rod_twist_add_rest(elements, e, strains);
}

void tide_world_apply_lasting(const tide_world *world, size_t first, tide_elements *elements)
{
    double *stiffness = elements->parameters + elements->kind->stiffness_parameter * (size_t)elements->count;
    bool flows = world->number_count > TIDE_NUMBER_PLASTIC * tide_world_element_total(world);
    bool solid = flows && tide_is_solid(elements->kind), membrane = flows && tide_is_membrane(elements->kind);
    bool rod = flows && elements->kind == &tide_rod_twist;
    for (uint32_t e = 0; e < elements->count && first + e < world->number_count; e++) {
        bool cut = world->numbers[first + e] == TIDE_CUT;
        double plastic[9];
        stiffness[e] = cut ? 0 : stiffness[e] * tide_world_number(world, TIDE_NUMBER_STIFFNESS, first + e);
        if (!(solid || membrane || rod) || tide_world_number(world, TIDE_NUMBER_FLOW, first + e) == 1)
            continue;
        if (rod) {
            apply_strains(world, first + e, elements, e);
            continue;
        }
        tide_world_get_plastic(world, first + e, plastic);
        (solid ? tide_solid_set_plastic : tide_membrane_set_plastic)(elements, e, plastic);
    }
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
        status = tide_world_reserve_numbers(world, TIDE_NUMBER_REST, error);
    for (uint32_t e = 0; e < count && status == TIDE_OK; e++)
        if (world->numbers[first + elements[e]] != TIDE_CUT)
            world->numbers[first + elements[e]] = factor;
    return status;
}

tide_status tide_world_spring(const tide_world *world, tide_body_id id, uint32_t spring, tide_extra_spring *out,
                              tide_error *error)
{
    tide_body_info info;
    TIDE_TRY(tide_world_check_body(world, id, &info, error));
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
    double factor = tide_world_number(world, TIDE_NUMBER_REST, of);
    double scale = tide_world_number(world, TIDE_NUMBER_STIFFNESS, of);
    *out = (tide_extra_spring) {
        .i = springs->vertices[2 * s],
        .j = springs->vertices[2 * s + 1],
        .stiffness =
            factor == TIDE_CUT ? 0 : scale * springs->parameters[springs->kind->stiffness_parameter * count + s],
        .rest_length =
            springs->parameters[springs->kind->rest_parameter * count + s] * (factor == TIDE_CUT ? 1 : factor),
    };
    return TIDE_OK;
}
