// Greedy colourings: each item takes the first colour that no neighbour has.
#include "model/colouring.h"

#include "base/memory.h"

#include <string.h>

#define UNCOLOURED UINT32_MAX

static tide_status count_corners(const tide_system *system, uint64_t *corners, tide_error *error)
{
    *corners = 0;
    for (uint32_t g = 0; g < system->group_count; g++)
        *corners += (uint64_t)system->groups[g].count * system->groups[g].kind->vertex_count;
    if (*corners < UINT32_MAX)
        return TIDE_OK;
    return tide_fail(error, TIDE_ERROR_ARGUMENT, "system", "elements", NULL,
                     "expected less than 2^32 ends of elements in all; use a smaller mesh");
}

static void fill_incidence(const tide_system *system, tide_incidence *incidence)
{
    uint32_t *first = incidence->first;
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        for (size_t i = 0; i < (size_t)group->count * group->kind->vertex_count; i++)
            first[group->vertices[i] + 1]++;
    }
    for (uint32_t p = 0; p < system->particle_count; p++)
        first[p + 1] += first[p];
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        const uint32_t *vertex = group->vertices;
        for (uint32_t e = 0; e < group->count; e++)
            for (uint32_t c = 0; c < group->kind->vertex_count; c++)
                incidence->corners[first[*vertex++]++] = (tide_corner) { g, e, c };
    }
    // Each first index has moved to where the next particle's begins.
    memmove(first + 1, first, system->particle_count * sizeof *first);
    first[0] = 0;
}

tide_status tide_incidence_make(const tide_system *system, tide_incidence *incidence, tide_error *error)
{
    uint64_t corners;
    tide_status status = count_corners(system, &corners, error);
    if (status)
        return status;
    tide_incidence made = { .first = tide_allocate_zeroed(system->particle_count + (size_t)1, sizeof *made.first),
                            .corners = tide_allocate_array((size_t)corners, sizeof *made.corners) };
    if (!made.first || !made.corners) {
        tide_incidence_free(&made);
        return tide_fail_memory(error, "elements of each particle");
    }
    fill_incidence(system, &made);
    tide_incidence_free(incidence);
    *incidence = made;
    return TIDE_OK;
}

void tide_incidence_free(tide_incidence *incidence)
{
    tide_free(incidence->first);
    tide_free(incidence->corners);
    *incidence = (tide_incidence) { 0 };
}

// State of a colouring. Colour c is taken by a neighbour of item n when taken[c] is n + 1.
typedef struct painter {
    const tide_system *system;
    tide_incidence incidence;
    uint32_t count, colours; // number of items; number of colours in use
    uint32_t *colour;        // (count) colour of each item
    uint32_t *taken;         // (count + 1)
} painter;

static void free_painter(painter *p)
{
    tide_incidence_free(&p->incidence);
    tide_free(p->colour);
    tide_free(p->taken);
}

static tide_status make_painter(const tide_system *system, uint32_t count, painter *p, tide_error *error)
{
    *p = (painter) { .system = system, .count = count };
    tide_status status = tide_incidence_make(system, &p->incidence, error);
    if (status)
        return status;
    p->colour = tide_allocate_array(count, sizeof *p->colour);
    p->taken = tide_allocate_zeroed(count + (size_t)1, sizeof *p->taken);
    if (!p->colour || !p->taken) {
        free_painter(p);
        return tide_fail_memory(error, "colouring");
    }
    for (uint32_t i = 0; i < count; i++)
        p->colour[i] = UNCOLOURED;
    return TIDE_OK;
}

static void take(painter *p, uint32_t item, uint32_t neighbour)
{
    if (p->colour[neighbour] != UNCOLOURED)
        p->taken[p->colour[neighbour]] = item + 1;
}

static void paint(painter *p, uint32_t item)
{
    uint32_t colour = 0;
    while (p->taken[colour] == item + 1)
        colour++;
    p->colour[item] = colour;
    if (colour >= p->colours)
        p->colours = colour + 1;
}

// Sorts the items by colour. `names` (may be NULL) maps items to the numbers that the colouring stores.
static tide_status sort_by_colour(const painter *p, const uint32_t *names, tide_colouring *colouring, tide_error *error)
{
    tide_colouring made = { .colours = p->colours,
                            .count = p->count,
                            .start = tide_allocate_zeroed(p->colours + (size_t)2, sizeof *made.start),
                            .items = tide_allocate_array(p->count, sizeof *made.items) };
    if (!made.start || !made.items) {
        tide_colouring_free(&made);
        return tide_fail_memory(error, "colouring");
    }
    uint32_t *next = made.start + 1; // next[c] becomes the start of colour c + 1
    for (uint32_t i = 0; i < p->count; i++)
        next[p->colour[i] + 1]++;
    for (uint32_t c = 1; c <= p->colours; c++)
        next[c] += next[c - 1];
    for (uint32_t i = 0; i < p->count; i++)
        made.items[next[p->colour[i]]++] = names ? names[i] : i;
    tide_colouring_free(colouring);
    *colouring = made;
    return TIDE_OK;
}

static void paint_particle(painter *p, uint32_t row)
{
    uint32_t particle = p->system->free_particles[row];
    for (uint32_t k = p->incidence.first[particle]; k < p->incidence.first[particle + 1]; k++) {
        tide_corner corner = p->incidence.corners[k];
        const tide_elements *group = &p->system->groups[corner.group];
        uint32_t corners = group->kind->vertex_count;
        for (uint32_t c = 0; c < corners; c++) {
            uint32_t neighbour = p->system->rows[group->vertices[(size_t)corners * corner.element + c]];
            if (neighbour != TIDE_PINNED)
                take(p, row, neighbour);
        }
    }
    paint(p, row);
}

tide_status tide_colour_particles(const tide_system *system, tide_colouring *colouring, tide_error *error)
{
    painter p;
    tide_status status = make_painter(system, system->free_count, &p, error);
    if (status)
        return status;
    for (uint32_t row = 0; row < system->free_count; row++)
        paint_particle(&p, row);
    status = sort_by_colour(&p, system->free_particles, colouring, error);
    free_painter(&p);
    return status;
}

// Colours an element. `before` (group_count) is the number of elements before each group.
static void paint_element(painter *p, const uint32_t *before, uint32_t g, uint32_t e)
{
    const tide_elements *group = &p->system->groups[g];
    uint32_t corners = group->kind->vertex_count, item = before[g] + e;
    for (uint32_t c = 0; c < corners; c++) {
        uint32_t particle = group->vertices[(size_t)corners * e + c];
        if (p->system->rows[particle] == TIDE_PINNED)
            continue;
        for (uint32_t k = p->incidence.first[particle]; k < p->incidence.first[particle + 1]; k++)
            take(p, item, before[p->incidence.corners[k].group] + p->incidence.corners[k].element);
    }
    paint(p, item);
}

tide_status tide_colour_elements(const tide_system *system, tide_colouring *colouring, tide_error *error)
{
    uint32_t count = 0, *before = tide_allocate_array(system->group_count, sizeof *before);
    if (!before)
        return tide_fail_memory(error, "colouring");
    for (uint32_t g = 0; g < system->group_count; g++) {
        before[g] = count;
        count += system->groups[g].count;
    }
    painter p;
    tide_status status = make_painter(system, count, &p, error);
    if (!status) {
        for (uint32_t g = 0; g < system->group_count; g++)
            for (uint32_t e = 0; e < system->groups[g].count; e++)
                paint_element(&p, before, g, e);
        status = sort_by_colour(&p, NULL, colouring, error);
        free_painter(&p);
    }
    tide_free(before);
    return status;
}

void tide_colouring_free(tide_colouring *colouring)
{
    tide_free(colouring->start);
    tide_free(colouring->items);
    *colouring = (tide_colouring) { 0 };
}
