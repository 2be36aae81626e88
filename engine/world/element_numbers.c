#include "world/element_numbers.h"

#include "base/memory.h"

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
    return world->element_total;
}

tide_status tide_world_reserve_number_count(tide_world *world, size_t count, tide_error *error)
{
    if (count <= world->number_count)
        return TIDE_OK;
    if (!tide_grow(&world->numbers, &world->number_capacity, count, sizeof *world->numbers))
        return tide_fail_memory(error, "elements");
    for (; world->number_count < count; world->number_count++)
        world->numbers[world->number_count] = 1;
    return TIDE_OK;
}

tide_status tide_world_reserve_numbers(tide_world *world, tide_element_number kind, tide_error *error)
{
    return tide_world_reserve_number_count(world, ((size_t)kind + 1) * tide_world_element_total(world), error);
}

double tide_world_number(const tide_world *world, tide_element_number kind, size_t element)
{
    size_t index = (kind ? kind * tide_world_element_total(world) : 0) + element;
    return index < world->number_count ? world->numbers[index] : 1;
}

void tide_world_put_number(tide_world *world, tide_element_number kind, size_t element, double value)
{
    world->numbers[(kind ? kind * tide_world_element_total(world) : 0) + element] = value;
}

void tide_world_get_plastic(const tide_world *world, size_t element, double plastic[9])
{
    for (size_t i = 0; i < 9; i++)
        plastic[i] = tide_world_number(world, (tide_element_number)(TIDE_NUMBER_PLASTIC + i), element) - (i % 4 != 0);
}

void tide_world_put_plastic(tide_world *world, size_t element, const double plastic[9])
{
    for (size_t i = 0; i < 9; i++)
        tide_world_put_number(world, (tide_element_number)(TIDE_NUMBER_PLASTIC + i), element,
                              plastic[i] + (i % 4 != 0));
}

size_t tide_world_number_count(const tide_world *world)
{
    size_t count = world->number_count;
    while (count && world->numbers[count - 1] == 1)
        count--;
    return count;
}

// Returns whether the matrix of the system depends on the difference of two numbers.
static bool changes_system(size_t kind, double before, double after)
{
    if (kind == TIDE_NUMBER_REST)
        return (before == TIDE_CUT) != (after == TIDE_CUT);
    return (kind == TIDE_NUMBER_STIFFNESS || kind >= TIDE_NUMBER_PLASTIC) && before != after;
}

void tide_world_set_numbers(tide_world *world, const double *numbers, size_t count)
{
    size_t total = tide_world_element_total(world);
    for (size_t i = 0; i < world->number_count; i++) {
        double after = i < count ? numbers[i] : 1;
        world->system_changed = world->system_changed || changes_system(i / total, world->numbers[i], after);
        world->numbers[i] = after;
    }
}

bool tide_world_numbers_are_valid(const double *numbers, size_t count, size_t total)
{
    if (count > TIDE_NUMBER_KINDS * total)
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t kind = i / total;
        double least = kind == TIDE_NUMBER_FLOW    ? 1
                       : kind >= TIDE_NUMBER_SHIFT ? -1e15
                                                   : 0,
               most = kind == TIDE_NUMBER_REST ? 100 : 1e15;
        if (!(numbers[i] >= least && numbers[i] <= most))
            return false;
    }
    return true;
}

tide_status tide_world_extend_numbers(tide_world *world, size_t before, tide_error *error)
{
    size_t total = tide_world_element_total(world), count = world->number_count;
    if (count <= before || total == before)
        return TIDE_OK;
    size_t kinds = (count + before - 1) / before;
    TIDE_TRY(tide_world_reserve_number_count(world, kinds * total, error));
    for (size_t kind = kinds; kind-- > 1;)
        for (size_t e = total; e-- > 0;) {
            size_t from = kind * before + e;
            world->numbers[kind * total + e] = e < before && from < count ? world->numbers[from] : 1;
        }
    for (size_t e = before; e < total; e++)
        world->numbers[e] = 1;
    return TIDE_OK;
}

// Tells whether elements of two kinds correspond: also those of a script whose energy a reload changed.
static bool correspond(const tide_element_kind *a, const tide_element_kind *b)
{
    return a == b ||
           (a->identity && b->identity && a->vertex_count == b->vertex_count && strcmp(a->name, b->name) == 0);
}

void tide_world_carry_numbers(tide_world *world, const tide_body *body, const tide_world *old, const tide_body *before)
{
    size_t total = tide_world_element_total(world), to = tide_world_first_element(world, body);
    size_t from = tide_world_first_element(old, before);
    for (uint32_t g = 0; g < body->group_count && g < before->group_count; g++) {
        const tide_elements *now = &body->groups[g], *then = &before->groups[g];
        bool same = correspond(now->kind, then->kind) && now->count == then->count;
        for (size_t kind = 0; kind < TIDE_NUMBER_KINDS && same; kind++)
            for (size_t e = 0; e < now->count && kind * total + to + e < world->number_count; e++) {
                double value = tide_world_number(old, (tide_element_number)kind, from + e);
                double *own = &world->numbers[kind * total + to + e];
                if (value == 1 || *own != 1) // one that the new description sets stays
                    continue;
                world->system_changed = world->system_changed || changes_system(kind, *own, value);
                *own = value;
            }
        to += now->count;
        from += then->count;
    }
}
