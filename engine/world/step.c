// The step: the system and solver brought up to date, one step taken, its result checked, then taken over.
#include "base/clock.h"
#include "base/memory.h"
#include "world/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A particle farther out than this has diverged, whatever the scene.
#define FARTHEST 1e9 // m

// --- the system -----------------------------------------------------------------------------------------------------

static tide_status add_anchors(const tide_world *world, tide_system *system, tide_error *error)
{
    uint32_t count = 0;
    for (size_t p = 0; p < world->pin_count; p++)
        count += tide_given(world->pins[p].stiffness);
    uint32_t *vertices = tide_allocate_array(count, sizeof *vertices);
    double *parameters = tide_allocate_array(TIDE_ANCHOR_PARAMETERS * (size_t)count, sizeof *parameters);
    tide_status status = vertices && parameters ? TIDE_OK : tide_fail_memory(error, "pins");
    uint32_t next = 0;
    for (size_t p = 0; p < world->pin_count && status == TIDE_OK; p++) {
        const tide_pin *pin = &world->pins[p];
        if (!tide_given(pin->stiffness))
            continue;
        vertices[next] = (uint32_t)pin->particle;
        parameters[TIDE_ANCHOR_STIFFNESS * (size_t)count + next] = pin->stiffness;
        for (size_t k = 0; k < 3; k++)
            parameters[(TIDE_ANCHOR_X + k) * count + next] = pin->target[k];
        next++;
    }
    if (status == TIDE_OK)
        status = tide_system_add(system, &tide_anchor, count, vertices, parameters, error);
    tide_free(vertices);
    tide_free(parameters);
    return status;
}

static tide_status set_pinned(const tide_world *world, tide_system *system, tide_error *error)
{
    bool *pinned = tide_allocate_zeroed(world->particle_count, sizeof *pinned);
    if (!pinned)
        return tide_fail_memory(error, "pins");
    for (size_t p = 0; p < world->pin_count; p++)
        pinned[world->pins[p].particle] = !tide_given(world->pins[p].stiffness);
    tide_status status = tide_system_set_pinned(system, pinned, error);
    tide_free(pinned);
    return status;
}

static tide_status add_body(const tide_body *body, tide_system *system, tide_error *error)
{
    size_t corners = 2 * (size_t)body->spring_count;
    uint32_t *vertices = tide_allocate_array(corners, sizeof *vertices);
    if (!vertices)
        return tide_fail_memory(error, "springs");
    for (size_t c = 0; c < corners; c++)
        vertices[c] = body->first_particle + body->spring_vertices[c];
    tide_status status =
        tide_system_add(system, &tide_spring, body->spring_count, vertices, body->spring_parameters, error);
    tide_free(vertices);
    memcpy(system->masses + body->first_particle, body->masses, body->mesh->vertex_count * sizeof *body->masses);
    return status;
}

static tide_status build_system(const tide_world *world, tide_system **out, tide_error *error)
{
    tide_system *system;
    tide_status status = tide_system_create(world->particle_count, &system, error);
    if (status != TIDE_OK)
        return status;
    for (size_t b = 0; b < world->body_count && status == TIDE_OK; b++)
        status = add_body(world->bodies[b], system, error);
    if (status == TIDE_OK)
        status = add_anchors(world, system, error);
    if (status == TIDE_OK)
        status = set_pinned(world, system, error);
    if (status == TIDE_OK)
        status = tide_system_finish(system, error);
    if (status != TIDE_OK) {
        tide_system_destroy(system);
        return status;
    }
    *out = system;
    return TIDE_OK;
}

tide_status tide_world_update_system(tide_world *world, tide_error *error)
{
    if (world->system && !world->system_changed)
        return TIDE_OK;
    tide_system *system;
    tide_status status = build_system(world, &system, error);
    if (status != TIDE_OK)
        return status;
    tide_system_destroy(world->system);
    world->system = system;
    world->system_changed = false;
    world->solver_changed = true;
    return TIDE_OK;
}

// Moves the anchors to their pins' targets.
static void move_anchors(tide_world *world)
{
    for (uint32_t g = 0; g < world->system->group_count; g++) {
        tide_elements *group = &world->system->groups[g];
        if (group->kind != &tide_anchor)
            continue;
        for (uint32_t e = 0; e < group->count; e++) {
            const tide_pin *pin = tide_world_pin_of(world, group->vertices[e]);
            for (size_t k = 0; k < 3; k++)
                group->parameters[(TIDE_ANCHOR_X + k) * group->count + e] = pin->target[k];
        }
    }
}

tide_status tide_world_system(tide_world *world, const tide_system **system, tide_error *error)
{
    tide_status status = tide_world_update_system(world, error);
    if (status == TIDE_OK) {
        move_anchors(world);
        *system = world->system;
    }
    return status;
}

// --- the solver -----------------------------------------------------------------------------------------------------

// Makes an error be about a particle: object the body, value the vertex, where the script line that made the body.
static tide_status blame(const tide_world *world, uint32_t particle, const char *field, const char *remedy,
                         tide_error *error)
{
    const tide_body *body = tide_world_body_of_particle(world, particle);
    char object[96], value[32];
    tide_body_object(body->name, object);
    snprintf(value, sizeof value, "%u", particle - body->first_particle + 1);
    tide_fail(error, TIDE_ERROR_NUMERIC, object, field, value, "%s", remedy);
    tide_error_locate(error, body->script_file, body->script_line);
    return TIDE_ERROR_NUMERIC;
}

tide_status tide_world_prepare(tide_world *world, tide_solver *solver, tide_error *error)
{
    uint32_t bad_particle = UINT32_MAX;
    tide_status status = tide_solver_prepare(solver, world->system, world->settings.timestep, &bad_particle, error);
    if (status == TIDE_ERROR_NUMERIC && bad_particle < world->particle_count)
        return blame(world, bad_particle, "vertex",
                     "the matrix M + h^2 L is not positive definite here: the stiffness is too large for the mass and "
                     "timestep in double precision; raise the mass or lower the stiffness",
                     error);
    return status;
}

tide_status tide_world_update_solver(tide_world *world, tide_error *error)
{
    tide_status status = tide_world_update_system(world, error);
    if (status != TIDE_OK || !world->solver_changed)
        return status;
    status = tide_world_prepare(world, world->solver, error);
    if (status == TIDE_OK)
        world->solver_changed = false;
    return status;
}

// --- the step -------------------------------------------------------------------------------------------------------

static void gather_inputs(tide_world *world)
{
    double damping = exp(-world->settings.drag * world->settings.timestep);
    const double *gravity = world->settings.gravity;
    for (uint32_t p = 0; p < world->particle_count; p++)
        for (size_t i = 3 * (size_t)p, k = 0; k < 3; k++, i++) {
            world->damped_velocities[i] = damping * world->velocities[i];
            world->total_forces[i] = world->forces[i] + world->system->masses[p] * gravity[k];
        }
    for (size_t p = 0; p < world->pin_count; p++)
        memcpy(world->pinned_positions + 3 * world->pins[p].particle, world->pins[p].target,
               sizeof world->pins[p].target);
    move_anchors(world);
}

// The first particle of which one of `numbers` is not finite or beyond the limit; the particle count when all are
// sound.
static uint32_t find_unsound(const tide_world *world, const double *numbers, double limit)
{
    for (size_t i = 0; i < 3 * (size_t)world->particle_count; i++)
        if (!(fabs(numbers[i]) <= limit))
            return (uint32_t)(i / 3);
    return world->particle_count;
}

static tide_status check_state(const tide_world *world, tide_error *error)
{
    const struct {
        const double *numbers;
        const char *remedy;
    } checks[] = { { world->positions, "its position is not within 1e9 m of the origin; set it with :set_position" },
                   { world->velocities, "its velocity is not finite or beyond 1e300 m/s; set it with :set_velocity" },
                   { world->forces, "the force on it is not finite or beyond 1e300 N" } };
    for (size_t c = 0; c < sizeof checks / sizeof checks[0]; c++) {
        uint32_t particle = find_unsound(world, checks[c].numbers, c == 0 ? FARTHEST : 1e300);
        if (particle < world->particle_count)
            return blame(world, particle, "vertex", checks[c].remedy, error);
    }
    return TIDE_OK;
}

static tide_status check_result(const tide_world *world, tide_error *error)
{
    uint32_t particle = find_unsound(world, world->next_positions, FARTHEST);
    if (particle == world->particle_count)
        particle = find_unsound(world, world->next_velocities, 1e300);
    if (particle == world->particle_count)
        return TIDE_OK;
    char remedy[400];
    snprintf(remedy, sizeof remedy,
             "the step to frame %llu diverged here under %s with a timestep of %g s; lower the timestep or the "
             "stiffness, or choose an implicit solver",
             (unsigned long long)world->frame + 1, tide_solver_kind_of(world->solver)->name, world->settings.timestep);
    return blame(world, particle, "vertex", remedy, error);
}

tide_status tide_world_step(tide_world *world, tide_error *error)
{
    double start = tide_clock_seconds();
    tide_status status = tide_world_mark_initial(world, error);
    if (status == TIDE_OK)
        status = tide_world_update_solver(world, error);
    if (status == TIDE_OK)
        status = check_state(world, error);
    if (status != TIDE_OK)
        return status;
    gather_inputs(world);
    tide_step step = { .system = world->system,
                       .h = world->settings.timestep,
                       .q = world->positions,
                       .velocity = world->damped_velocities,
                       .force = world->total_forces,
                       .pinned = world->pinned_positions,
                       .x = world->next_positions,
                       .v = world->next_velocities };
    tide_report report = { 0 };
    status = tide_solver_step(world->solver, &step, &report, error);
    if (status == TIDE_OK)
        status = check_result(world, error);
    if (status != TIDE_OK)
        return status;
    size_t size = 3 * (size_t)world->particle_count * sizeof(double);
    memcpy(world->positions, world->next_positions, size);
    memcpy(world->velocities, world->next_velocities, size);
    tide_world_clear_forces(world);
    world->frame++;
    world->time += world->settings.timestep;
    world->report = report;
    world->report.step_seconds = tide_clock_seconds() - start;
    return TIDE_OK;
}

tide_status tide_world_energy(tide_world *world, tide_energy *energy, tide_error *error)
{
    const tide_system *system;
    tide_status status = tide_world_system(world, &system, error);
    if (status != TIDE_OK)
        return status;
    double kinetic = 0, potential = 0;
    const double *g = world->settings.gravity;
    for (uint32_t p = 0; p < world->particle_count; p++) {
        const double *x = world->positions + 3 * (size_t)p, *v = world->velocities + 3 * (size_t)p;
        kinetic += 0.5 * system->masses[p] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        potential -= system->masses[p] * (g[0] * x[0] + g[1] * x[1] + g[2] * x[2]);
    }
    double elastic = tide_system_energy(system, world->positions);
    *energy = (tide_energy) { kinetic, elastic, potential, kinetic + elastic + potential };
    return TIDE_OK;
}
