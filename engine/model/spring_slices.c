#include "model/spring_slices.h"

#include "base/memory.h"

#include <string.h>

enum { MOST_EMPTY = 4 }; // largest number of lanes for each one that holds a spring

// The springs at each particle: entries first[p] ... first[p + 1] - 1.
typedef struct incidence {
    uint32_t *first;  // (particle_count + 1)
    uint32_t *spring; // springs are numbered through the groups of springs
    uint32_t *other;
    uint8_t *second;
} incidence;

static void free_incidence(incidence *of)
{
    tide_free(of->first);
    tide_free(of->spring);
    tide_free(of->other);
    tide_free(of->second);
}

static uint32_t count_springs(const tide_system *system)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < system->group_count; g++)
        count += system->groups[g].kind->in_slices ? system->groups[g].count : 0;
    return count;
}

static void count_ends(const tide_system *system, uint32_t *first)
{
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        for (size_t i = 0; group->kind->in_slices && i < 2 * (size_t)group->count; i++)
            first[group->vertices[i] + 1]++;
    }
    for (uint32_t p = 0; p < system->particle_count; p++)
        first[p + 1] += first[p];
}

static tide_status find_incidence(const tide_system *system, incidence *of, tide_error *error)
{
    size_t ends = 2 * (size_t)count_springs(system), count = system->particle_count;
    of->first = tide_allocate_zeroed(count + 1, sizeof *of->first);
    of->spring = tide_allocate_array(ends, sizeof *of->spring);
    of->other = tide_allocate_array(ends, sizeof *of->other);
    of->second = tide_allocate_array(ends, sizeof *of->second);
    if (!of->first || !of->spring || !of->other || !of->second)
        return tide_fail_memory(error, "system");
    count_ends(system, of->first);
    uint32_t spring = 0;
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        for (uint32_t e = 0; group->kind->in_slices && e < group->count; e++, spring++)
            for (uint32_t c = 0; c < 2; c++) {
                uint32_t at = of->first[group->vertices[2 * (size_t)e + c]]++;
                of->spring[at] = spring;
                of->other[at] = group->vertices[2 * (size_t)e + 1 - c];
                of->second[at] = (uint8_t)c;
            }
    }
    memmove(of->first + 1, of->first, count * sizeof *of->first); // each had moved to the start of the next
    of->first[0] = 0;
    return TIDE_OK;
}

static uint32_t springs_of(const incidence *of, uint32_t p)
{
    return of->first[p + 1] - of->first[p];
}

// Sorts the particles of a window by their number of springs, most first, then by index; a selection sort over the
// numbers of springs.
static void sort_window(const incidence *of, uint32_t begin, uint32_t end, uint32_t *sorted)
{
    uint32_t most = 0, n = 0;
    for (uint32_t p = begin; p < end; p++)
        most = springs_of(of, p) > most ? springs_of(of, p) : most;
    for (uint32_t next = 0; n < end - begin; most = next, next = 0)
        for (uint32_t p = begin; p < end; p++) {
            uint32_t springs = springs_of(of, p);
            if (springs == most)
                sorted[n++] = p;
            else if (springs < most && springs > next)
                next = springs;
        }
}

static bool is_worth_it(const tide_spring_slices *s, const incidence *of)
{
    uint64_t lanes = TIDE_SLICE * (uint64_t)s->start[s->count], ends = of->first[s->particle_count];
    return lanes <= UINT32_MAX && lanes <= MOST_EMPTY * ends + TIDE_SLICE * TIDE_SLICE_WINDOW;
}

static void choose_lanes(tide_spring_slices *s, const incidence *of)
{
    uint32_t count = s->particle_count;
    for (uint32_t p = 0; p < count; p += TIDE_SLICE_WINDOW)
        sort_window(of, p, count - p < TIDE_SLICE_WINDOW ? count : p + TIDE_SLICE_WINDOW, s->particles + p);
    for (uint32_t lane = count; lane < TIDE_SLICE * s->count; lane++)
        s->particles[lane] = s->particles[count - 1];
    s->start[0] = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t most = 0;
        for (uint32_t lane = 0; lane < TIDE_SLICE && TIDE_SLICE * i + lane < count; lane++) {
            uint32_t springs = springs_of(of, s->particles[TIDE_SLICE * (size_t)i + lane]);
            most = springs > most ? springs : most;
        }
        s->start[i + 1] = s->start[i] + most;
    }
}

static void fill_slots(tide_spring_slices *s, const incidence *of)
{
    memset(s->seconds, 0, s->start[s->count]);
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t lane = 0; lane < TIDE_SLICE; lane++) {
            uint32_t number = TIDE_SLICE * i + lane, p = s->particles[number], first = of->first[p];
            uint32_t springs = number < s->particle_count ? springs_of(of, p) : 0;
            for (uint32_t slot = s->start[i], k = 0; slot < s->start[i + 1]; slot++, k++) {
                size_t at = TIDE_SLICE * (size_t)slot + lane;
                // An empty place names the other end of the particle's first spring, so that its ends do not coincide;
                // without springs, the particle itself.
                s->others[at] = 4 * (k < springs ? of->other[first + k] : springs ? of->other[first] : p);
                s->stiffnesses[at] = s->rest_lengths[at] = 0;
                if (k >= springs)
                    continue;
                s->filled[slot] |= (uint8_t)(1 << lane);
                s->seconds[slot] |= (uint8_t)(of->second[first + k] << lane);
                s->places[2 * (size_t)of->spring[first + k] + of->second[first + k]] = (uint32_t)at;
            }
        }
}

static tide_status make_lanes(tide_spring_slices *s, const tide_system *system, const incidence *of, tide_error *error)
{
    s->particle_count = system->particle_count;
    s->count = (system->particle_count + TIDE_SLICE - 1) / TIDE_SLICE;
    size_t lanes = TIDE_SLICE * (size_t)s->count;
    s->start = tide_allocate_array(s->count + (size_t)1, sizeof *s->start);
    s->particles = tide_allocate_array(lanes, sizeof *s->particles);
    s->masses = tide_allocate_array(lanes, sizeof *s->masses);
    s->present = tide_allocate_array(s->count, sizeof *s->present);
    s->free = tide_allocate_array(s->count, sizeof *s->free);
    s->alike = tide_allocate_array(s->count, sizeof *s->alike);
    s->positions = tide_allocate_zeroed(s->particle_count, 4 * sizeof *s->positions);
    if (!s->start || !s->particles || !s->masses || !s->present || !s->free || !s->alike || !s->positions)
        return tide_fail_memory(error, "system");
    choose_lanes(s, of);
    return TIDE_OK;
}

static tide_status make_slots(tide_spring_slices *s, const tide_system *system, const incidence *of, tide_error *error)
{
    size_t slots = s->start[s->count], ends = of->first[s->particle_count];
    s->others = tide_allocate_array(TIDE_SLICE * slots, sizeof *s->others);
    s->stiffnesses = tide_allocate_array(TIDE_SLICE * slots, sizeof *s->stiffnesses);
    s->rest_lengths = tide_allocate_array(TIDE_SLICE * slots, sizeof *s->rest_lengths);
    s->common = tide_allocate_array(slots, sizeof *s->common);
    s->filled = tide_allocate_zeroed(slots, sizeof *s->filled);
    s->seconds = tide_allocate_array(slots, sizeof *s->seconds);
    s->places = tide_allocate_array(ends, sizeof *s->places);
    if (!s->others || !s->stiffnesses || !s->rest_lengths || !s->common || !s->filled || !s->seconds || !s->places)
        return tide_fail_memory(error, "system");
    fill_slots(s, of);
    tide_spring_slices_refresh(s, system);
    return TIDE_OK;
}

tide_status tide_spring_slices_make(const tide_system *system, tide_spring_slices **out, tide_error *error)
{
    *out = NULL;
    if (count_springs(system) == 0)
        return TIDE_OK;
    tide_spring_slices *s = tide_allocate_zeroed(1, sizeof *s);
    if (!s)
        return tide_fail_memory(error, "system");
    incidence of = { 0 };
    tide_status status = find_incidence(system, &of, error);
    if (status == TIDE_OK)
        status = make_lanes(s, system, &of, error);
    bool worth_it = status == TIDE_OK && is_worth_it(s, &of);
    if (worth_it)
        status = make_slots(s, system, &of, error);
    free_incidence(&of);
    if (status == TIDE_OK && worth_it)
        *out = s;
    else
        tide_spring_slices_destroy(s);
    return status;
}

void tide_spring_slices_destroy(tide_spring_slices *s)
{
    if (!s)
        return;
    tide_free(s->start);
    tide_free(s->particles);
    tide_free(s->masses);
    tide_free(s->present);
    tide_free(s->free);
    tide_free(s->others);
    tide_free(s->stiffnesses);
    tide_free(s->rest_lengths);
    tide_free(s->common);
    tide_free(s->filled);
    tide_free(s->alike);
    tide_free(s->seconds);
    tide_free(s->places);
    tide_free(s->positions);
    tide_free(s);
}

static void refresh_springs(tide_spring_slices *s, const tide_system *system)
{
    const uint32_t *place = s->places;
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        const double *stiffness = group->parameters + TIDE_SPRING_STIFFNESS * (size_t)group->count;
        const double *rest_length = group->parameters + TIDE_SPRING_REST_LENGTH * (size_t)group->count;
        for (uint32_t e = 0; group->kind->in_slices && e < group->count; e++, place += 2)
            for (uint32_t c = 0; c < 2; c++) {
                s->stiffnesses[place[c]] = stiffness[e];
                s->rest_lengths[place[c]] = rest_length[e];
            }
    }
}

// Returns true if all springs of a slot have the same stiffness, bit for bit: 0 and -0 differ.
static bool find_common(tide_spring_slices *s, uint32_t slot)
{
    const double *stiffness = s->stiffnesses + TIDE_SLICE * (size_t)slot;
    uint32_t first = 0;
    while (first + 1 < TIDE_SLICE && !(s->filled[slot] >> first & 1))
        first++;
    s->common[slot] = stiffness[first];
    for (uint32_t lane = first; lane < TIDE_SLICE; lane++)
        if (s->filled[slot] >> lane & 1 && memcmp(&stiffness[lane], &stiffness[first], sizeof *stiffness) != 0)
            return false;
    return true;
}

static void find_alike(tide_spring_slices *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        s->alike[i] = true;
        for (uint32_t slot = s->start[i]; slot < s->start[i + 1]; slot++)
            s->alike[i] &= find_common(s, slot);
    }
}

void tide_spring_slices_refresh(tide_spring_slices *s, const tide_system *system)
{
    for (uint32_t i = 0; i < s->count; i++) {
        s->present[i] = s->free[i] = 0;
        for (uint32_t lane = 0; lane < TIDE_SLICE; lane++) {
            uint32_t number = TIDE_SLICE * i + lane, p = s->particles[number];
            bool present = number < s->particle_count, is_free = present && system->rows[p] != TIDE_PINNED;
            s->masses[number] = is_free ? system->masses[p] : 0;
            s->present[i] |= (uint8_t)(present << lane);
            s->free[i] |= (uint8_t)(is_free << lane);
        }
    }
    refresh_springs(s, system);
    find_alike(s);
}
