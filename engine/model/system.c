// Creation and changes of a system; energies and gradients are in evaluate.c, matrices in matrices.c.
#include "model/system.h"

#include "base/memory.h"
#include "model/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void number_rows(tide_system *system, const bool *pinned)
{
    system->free_count = 0;
    for (uint32_t i = 0; i < system->particle_count; i++)
        if (pinned && pinned[i])
            system->rows[i] = TIDE_PINNED;
        else {
            system->free_particles[system->free_count] = i;
            system->rows[i] = system->free_count++;
        }
}

tide_status tide_system_create(uint32_t particle_count, tide_system **system, tide_error *error)
{
    if (particle_count > TIDE_SYSTEM_MAX_PARTICLES) {
        char value[32];
        snprintf(value, sizeof value, "%u", particle_count);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "system", "particles", value, "expected at most %d",
                         TIDE_SYSTEM_MAX_PARTICLES);
    }
    tide_system *made = tide_allocate_zeroed(1, sizeof *made);
    if (!made)
        return tide_fail_memory(error, "system");
    made->particle_count = particle_count;
    made->late_group = UINT32_MAX;
    made->masses = tide_allocate_array(particle_count, sizeof *made->masses);
    made->rows = tide_allocate_array(particle_count, sizeof *made->rows);
    made->free_particles = tide_allocate_array(particle_count, sizeof *made->free_particles);
    if (!made->masses || !made->rows || !made->free_particles) {
        tide_system_destroy(made);
        return tide_fail_memory(error, "system");
    }
    for (uint32_t i = 0; i < particle_count; i++)
        made->masses[i] = 1;
    number_rows(made, NULL);
    *system = made;
    return TIDE_OK;
}

static void free_plan(struct tide_system_plan *plan)
{
    if (!plan)
        return;
    tide_free(plan->slot_start);
    tide_free(plan->slots);
    tide_free(plan->element_gradients);
    tide_free(plan->slot_rows);
    if (!plan->slices)
        tide_free(plan->positions);
    tide_spring_slices_destroy(plan->slices);
    tide_constant_rows_destroy(plan->rows);
    tide_free(plan->energies);
    tide_free(plan->sums);
    tide_free(plan);
}

void tide_system_destroy(tide_system *system)
{
    if (!system)
        return;
    for (uint32_t g = 0; g < system->group_count; g++) {
        tide_element_release(system->groups[g].kind);
        tide_free(system->groups[g].vertices);
        tide_free(system->groups[g].parameters);
    }
    tide_free(system->groups);
    free_plan(system->plan);
    tide_free(system->masses);
    tide_free(system->rows);
    tide_free(system->free_particles);
    tide_free(system->origins);
    tide_free(system->may_split);
    tide_free(system);
}

static tide_status refuse_particle(const tide_element_kind *kind, uint32_t e, uint32_t particle, const char *expected,
                                   tide_error *error)
{
    char object[64], value[32];
    snprintf(object, sizeof object, "%s %u", kind->name, e);
    snprintf(value, sizeof value, "%u", particle);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "particle", value, "%s", expected);
}

static tide_status check_element(const tide_system *system, const tide_element_kind *kind, uint32_t count,
                                 const uint32_t *vertices, const double *parameters, uint32_t e, tide_error *error)
{
    const uint32_t *corners = vertices + (size_t)kind->vertex_count * e;
    for (uint32_t i = 0; i < kind->vertex_count; i++) {
        if (corners[i] >= system->particle_count) {
            char expected[64];
            snprintf(expected, sizeof expected, "expected a particle below %u, counted from 0", system->particle_count);
            return refuse_particle(kind, e, corners[i], expected, error);
        }
        for (uint32_t j = 0; j < i; j++)
            if (corners[j] == corners[i])
                return refuse_particle(kind, e, corners[i], "is named twice; join different particles", error);
    }
    for (uint32_t p = 0; p < kind->parameter_count; p++) {
        double parameter = parameters[(size_t)p * count + e];
        if (isfinite(parameter))
            continue;
        char object[64], value[32];
        snprintf(object, sizeof object, "%s %u", kind->name, e);
        snprintf(value, sizeof value, "%g", parameter);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "parameter", value, "expected a finite number");
    }
    return TIDE_OK;
}

static uint64_t corner_count(const tide_system *system)
{
    uint64_t corners = 0;
    for (uint32_t g = 0; g < system->group_count; g++)
        corners += (uint64_t)system->groups[g].count * system->groups[g].kind->vertex_count;
    return corners;
}

tide_status tide_system_add(tide_system *system, const tide_element_kind *kind, uint32_t count,
                            const uint32_t *vertices, const double *parameters, tide_error *error)
{
    if (count == 0)
        return TIDE_OK;
    if (corner_count(system) + (uint64_t)count * kind->vertex_count > INT32_MAX)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "system", "elements", NULL,
                         "expected less than 2^31 ends of elements in all; use a smaller mesh");
    for (uint32_t e = 0; e < count; e++) {
        tide_status status = check_element(system, kind, count, vertices, parameters, e, error);
        if (status)
            return status;
    }
    size_t corners = (size_t)count * kind->vertex_count, numbers = (size_t)count * kind->parameter_count;
    tide_elements made = { .kind = kind,
                           .count = count,
                           .vertices = tide_copy_bytes(vertices, corners * sizeof *vertices),
                           .parameters = tide_copy_bytes(parameters, numbers * sizeof *parameters) };
    tide_elements *groups = tide_reallocate(system->groups, (system->group_count + (size_t)1) * sizeof *groups);
    if (groups)
        system->groups = groups;
    if (!groups || !made.vertices || !made.parameters) {
        tide_free(made.vertices);
        tide_free(made.parameters);
        return tide_fail_memory(error, "system");
    }
    system->groups[system->group_count++] = made;
    tide_element_retain(kind);
    free_plan(system->plan);
    system->plan = NULL;
    return TIDE_OK;
}

void tide_system_add_late(tide_system *system)
{
    system->late_group = system->group_count;
}

tide_status tide_system_set_splits(tide_system *system, const uint32_t *origins, const bool *may_split,
                                   tide_error *error)
{
    for (uint32_t p = 0; p < system->particle_count; p++)
        if (origins[p] > p || origins[origins[p]] != origins[p]) {
            char value[32];
            snprintf(value, sizeof value, "%u", origins[p]);
            return tide_fail(error, TIDE_ERROR_ARGUMENT, "system", "origins", value,
                             "expected the particle %u itself, or a lower one that is no copy", p);
        }
    tide_free(system->origins);
    tide_free(system->may_split);
    system->origins = tide_copy_bytes(origins, system->particle_count * sizeof *origins);
    system->may_split = tide_copy_bytes(may_split, system->particle_count * sizeof *may_split);
    return system->origins && system->may_split ? TIDE_OK : tide_fail_memory(error, "system");
}

tide_status tide_system_set_pinned(tide_system *system, const bool *pinned, tide_error *error)
{
    (void)error; // the arrays have room for every particle from the start
    number_rows(system, pinned);
    return TIDE_OK;
}

// Lists the slots of the groups that are in rows, or of the others.
static void list_slots(const tide_system *system, struct tide_system_plan *plan, bool in_rows)
{
    uint32_t *next = plan->slot_start, slot = 0;
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        size_t corners = (size_t)group->count * group->kind->vertex_count;
        for (size_t i = 0; i < corners && tide_plan_in_rows(plan, group) == in_rows; i++)
            plan->slots[next[group->vertices[i]]++] = slot + (uint32_t)i;
        slot += (uint32_t)corners;
    }
}

// Slots of a particle are in the order in which a serial loop over the elements would add their gradients.
static void fill_plan(const tide_system *system, struct tide_system_plan *plan)
{
    uint32_t *start = plan->slot_start;
    memset(start, 0, (system->particle_count + (size_t)1) * sizeof *start);
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        for (size_t i = 0; i < (size_t)group->count * group->kind->vertex_count; i++)
            start[group->vertices[i] + 1]++;
    }
    for (uint32_t i = 0; i < system->particle_count; i++)
        start[i + 1] += start[i];
    list_slots(system, plan, false);
    if (plan->rows) {
        memcpy(plan->slot_rows, start, system->particle_count * sizeof *start);
        list_slots(system, plan, true);
    }
    // Each start has moved to where the next particle begins.
    memmove(start + 1, start, system->particle_count * sizeof *start);
    start[0] = 0;
}

static bool has_others(const tide_system *system)
{
    for (uint32_t g = 0; g < system->group_count; g++)
        if (!system->groups[g].kind->in_slices)
            return true;
    return false;
}

static tide_status make_sums(const tide_system *system, struct tide_system_plan *plan, tide_error *error)
{
    uint32_t count = system->particle_count;
    plan->others = has_others(system);
    plan->sums = tide_allocate_array(count, 4 * sizeof *plan->sums);
    plan->positions = plan->slices ? plan->slices->positions : tide_allocate_zeroed(count, 4 * sizeof *plan->positions);
    if (plan->rows)
        plan->slot_rows = tide_allocate_array(count, sizeof *plan->slot_rows);
    if (!plan->sums || !plan->positions || (plan->rows && !plan->slot_rows))
        return tide_fail_memory(error, "system");
    return TIDE_OK;
}

static tide_status make_plan(tide_system *system, tide_error *error)
{
    struct tide_system_plan *plan = tide_allocate_zeroed(1, sizeof *plan);
    if (!plan)
        return tide_fail_memory(error, "system");
    size_t corners = (size_t)corner_count(system);
    plan->slot_start = tide_allocate_array(system->particle_count + (size_t)1, sizeof *plan->slot_start);
    plan->slots = tide_allocate_array(corners, sizeof *plan->slots);
    plan->element_gradients = tide_allocate_array(corners, 3 * sizeof *plan->element_gradients);
    plan->energies = tide_allocate_array(system->group_count, sizeof *plan->energies);
    tide_status status = TIDE_OK;
    if (!plan->slot_start || !plan->slots || !plan->element_gradients || !plan->energies)
        status = tide_fail_memory(error, "system");
    if (status == TIDE_OK)
        status = tide_spring_slices_make(system, &plan->slices, error);
    if (status == TIDE_OK)
        status = tide_constant_rows_make(system, &plan->rows, error);
    if (status == TIDE_OK)
        status = make_sums(system, plan, error);
    if (status != TIDE_OK) {
        free_plan(plan);
        return status;
    }
    fill_plan(system, plan);
    system->plan = plan;
    return TIDE_OK;
}

tide_status tide_system_finish(tide_system *system, tide_error *error)
{
    for (uint32_t i = 0; i < system->particle_count; i++) {
        double mass = system->masses[i];
        if (isfinite(mass) && (mass > 0 || (mass == 0 && system->rows[i] == TIDE_PINNED)))
            continue;
        char object[48], value[48];
        snprintf(object, sizeof object, "particle %u", i);
        snprintf(value, sizeof value, "%g", mass);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "mass", value, "expected a finite mass above 0 kg");
    }
    if (!system->plan)
        return make_plan(system, error);
    tide_system_refresh(system);
    if (system->plan->rows)
        tide_constant_rows_refresh(system->plan->rows, system);
    return TIDE_OK;
}

bool tide_system_exceeds_laplacian(const tide_system *system)
{
    bool exceeds = false;
    for (uint32_t g = 0; g < system->group_count; g++)
        exceeds = exceeds || system->groups[g].kind->exceeds_laplacian;
    return exceeds;
}

void tide_system_refresh(tide_system *system)
{
    if (system->plan && system->plan->slices)
        tide_spring_slices_refresh(system->plan->slices, system);
}

void tide_system_couple(const tide_system *system, const double *x)
{
    for (uint32_t g = 0; g < system->group_count; g++)
        if (system->groups[g].kind->couple)
            system->groups[g].kind->couple(&system->groups[g], x);
}

const tide_elements *tide_system_coupled(const tide_system *system)
{
    for (uint32_t g = 0; g < system->group_count; g++)
        if (system->groups[g].kind->couple)
            return &system->groups[g];
    return NULL;
}
