// The step: updates the system and the solver, takes one step, checks the result, and then accepts it.
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "solver/objective.h"
#include "world/deform_state.h"
#include "world/world_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static tide_status add_group(const tide_body *body, const tide_elements *group, tide_system *system, tide_error *error)
{
    size_t corners = group->kind->vertex_count * (size_t)group->count;
    uint32_t *vertices = tide_allocate_array(corners, sizeof *vertices);
    if (!vertices)
        return tide_fail_memory(error, "elements");
    for (size_t c = 0; c < corners; c++)
        vertices[c] = body->first_particle + group->vertices[c];
    tide_status status = tide_system_add(system, group->kind, group->count, vertices, group->parameters, error);
    tide_free(vertices);
    return status;
}

static tide_status add_body(const tide_world *world, const tide_body *body, tide_system *system, tide_error *error)
{
    tide_status status = TIDE_OK;
    size_t first = tide_world_first_element(world, body);
    for (uint32_t g = 0; g < body->group_count && status == TIDE_OK; g++) {
        status = add_group(body, &body->groups[g], system, error);
        if (status == TIDE_OK && body->groups[g].count)
            tide_world_cut_stiffnesses(world, first, &system->groups[system->group_count - 1]);
        first += body->groups[g].count;
    }
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
        status = add_body(world, world->bodies[b], system, error);
    if (status == TIDE_OK)
        status = add_anchors(world, system, error);
    if (status == TIDE_OK)
        status = tide_world_add_attachments(world, system, error);
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
    world->elastic_of = NULL;
    world->system_changed = false;
    world->solver_changed = world->contacts_changed = true;
    return TIDE_OK;
}

// Returns the index of the first group that a body has in the system, or with `body` NULL the number of all bodies'
// groups. Groups are in the order of the bodies, without empty ones; those of pins and attachments follow.
static uint32_t first_group(const tide_world *world, const tide_body *body)
{
    uint32_t first = 0;
    for (size_t b = 0; b < world->body_count && world->bodies[b] != body; b++)
        for (uint32_t g = 0; g < world->bodies[b]->group_count; g++)
            first += world->bodies[b]->groups[g].count > 0;
    return first;
}

// Moves the anchors, which build_system adds after the bodies, to their pins' targets.
static void move_anchors(tide_world *world)
{
    if (!tide_world_has_anchors(world))
        return;
    tide_elements *anchors = &world->system->groups[first_group(world, NULL)];
    for (uint32_t e = 0; e < anchors->count; e++) {
        const tide_pin *pin = tide_world_pin_of(world, anchors->vertices[e]);
        for (size_t k = 0; k < 3; k++)
            anchors->parameters[(TIDE_ANCHOR_X + k) * anchors->count + e] = pin->target[k];
    }
}

tide_status tide_world_system(tide_world *world, const tide_system **system, tide_error *error)
{
    tide_status status = tide_world_update_system(world, error);
    if (status == TIDE_OK) {
        move_anchors(world);
        tide_world_apply_contractions(world);
        *system = world->system;
    }
    return status;
}

tide_status tide_world_groups(tide_world *world, tide_body_id id, const tide_elements **groups, uint32_t *count,
                              tide_error *error)
{
    tide_body_info info;
    const tide_system *system;
    tide_status status = tide_world_check_body(world, id, &info, error);
    if (status == TIDE_OK)
        status = tide_world_system(world, &system, error);
    if (status != TIDE_OK)
        return status;
    *groups = system->groups + first_group(world, tide_world_lookup(world, id));
    *count = 0;
    for (uint32_t g = 0; g < info.group_count; g++)
        *count += info.groups[g].count > 0;
    return TIDE_OK;
}

// --- the solver -----------------------------------------------------------------------------------------------------

tide_status tide_world_attribute_error(const tide_world *world, uint32_t particle, const char *remedy,
                                       tide_error *error)
{
    const tide_body *body = tide_world_body_of_particle(world, particle);
    char object[96], value[32];
    tide_body_object(body->name, object);
    snprintf(value, sizeof value, "%u", particle - body->first_particle + 1);
    tide_fail(error, TIDE_ERROR_NUMERIC, object, "vertex", value, "%s", remedy);
    tide_error_locate(error, body->script_file, body->script_line);
    return TIDE_ERROR_NUMERIC;
}

static tide_status attribute_matrix_error(const tide_world *world, tide_status status, uint32_t bad_particle,
                                          tide_error *error)
{
    if (status == TIDE_ERROR_NUMERIC && bad_particle < world->particle_count)
        return tide_world_attribute_error(
            world, bad_particle,
            "the matrix M + h^2 L is not positive definite here: the stiffness is too large for the mass and "
            "timestep in double precision; raise the mass or lower the stiffness",
            error);
    return status;
}

tide_status tide_world_prepare(tide_world *world, tide_solver *solver, tide_error *error)
{
    uint32_t bad_particle = UINT32_MAX;
    tide_status status =
        tide_solver_prepare(solver, world->system, world->settings.timestep, world->positions, &bad_particle, error);
    return attribute_matrix_error(world, status, bad_particle, error);
}

tide_status tide_world_update_solver(tide_world *world, tide_error *error)
{
    tide_status status = tide_world_update_system(world, error);
    if (status == TIDE_OK && world->solver_changed)
        status = tide_world_prepare(world, world->solver, error);
    if (status != TIDE_OK)
        return status;
    world->solver_changed = false;
    world->solver_prepared = true;
    return tide_world_load_history(world, error);
}

// --- the step -------------------------------------------------------------------------------------------------------

static void gather_inputs(tide_world *world)
{
    const double *gravity = world->settings.gravity;
    tide_world_damp_velocities(world);
    for (uint32_t p = 0; p < world->particle_count; p++)
        for (size_t i = 3 * (size_t)p, k = 0; k < 3; k++, i++)
            world->total_forces[i] = world->forces[i] + world->system->masses[p] * gravity[k];
    for (size_t p = 0; p < world->pin_count; p++)
        memcpy(world->pinned_positions + 3 * world->pins[p].particle, world->pins[p].target,
               sizeof world->pins[p].target);
    move_anchors(world);
    tide_world_apply_contractions(world);
}

uint32_t tide_world_find_invalid(const tide_world *world, const double *numbers, double limit)
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
        uint32_t particle = tide_world_find_invalid(world, checks[c].numbers, c == 0 ? TIDE_FARTHEST : TIDE_LARGEST);
        if (particle < world->particle_count)
            return tide_world_attribute_error(world, particle, checks[c].remedy, error);
    }
    for (size_t p = 0; p < world->pin_count; p++)
        for (int k = 0; k < 3; k++)
            if (!(fabs(world->pins[p].target[k]) <= TIDE_FARTHEST))
                return tide_world_attribute_error(
                    world, (uint32_t)world->pins[p].particle,
                    "its pin is to go farther than 1e9 m from the origin; move it with :move_pin", error);
    return tide_world_check_deforms(world, error);
}

static bool is_sound(const tide_world *world)
{
    return tide_world_find_invalid(world, world->next_positions, TIDE_FARTHEST) == world->particle_count &&
           tide_world_find_invalid(world, world->next_velocities, TIDE_LARGEST) == world->particle_count;
}

static tide_step inputs(const tide_world *world)
{
    return (tide_step) { .system = world->system,
                         .h = world->settings.timestep,
                         .q = world->positions,
                         .velocity = world->damped_velocities,
                         .force = world->total_forces,
                         .pinned = world->pinned_positions,
                         .undamped = world->velocities,
                         .to = 1 };
}

tide_status tide_world_inputs(tide_world *world, tide_step *step, tide_error *error)
{
    tide_status status = tide_world_check_idle(world, "inputs", error);
    if (status == TIDE_OK)
        status = check_state(world, error);
    if (status == TIDE_OK)
        status = tide_world_update_system(world, error);
    if (status != TIDE_OK)
        return status;
    world->stepped = false;
    gather_inputs(world);
    *step = inputs(world);
    return TIDE_OK;
}

tide_status tide_world_predict(tide_world *world, double *y, tide_error *error)
{
    tide_step step;
    tide_objective objective = { 0 };
    tide_status status = tide_world_inputs(world, &step, error);
    if (status == TIDE_OK)
        status = tide_objective_prepare(&objective, world->system, step.h, NULL, error);
    if (status == TIDE_OK) {
        tide_objective_predict(&objective, &step);
        memcpy(y, objective.y, 3 * (size_t)world->particle_count * sizeof *y);
    }
    tide_objective_free(&objective);
    return status;
}

// Returns whether two warnings differ only in their numbers.
static bool say_the_same(const char *a, const char *b)
{
    static const char digits[] = "0123456789.+-e";
    for (;;) {
        a += strspn(a, digits);
        b += strspn(b, digits);
        if (*a != *b || !*a)
            return *a == *b;
        a++;
        b++;
    }
}

// Logs the warning of a step unless the last one logged says the same.
static void log_warning(tide_world *world)
{
    const char *warning = world->report.warning;
    if (!warning[0] || say_the_same(warning, world->warned))
        return;
    memcpy(world->warned, warning, sizeof world->warned);
    char object[96];
    tide_log(TIDE_LOG_WARNING, "%s: %s", tide_solver_object(tide_solver_kind_of(world->solver), object), warning);
}

// Does all preparations that may fail, before the step changes anything.
static tide_status begin_step(tide_world *world, tide_error *error)
{
    tide_status status = tide_world_check_idle(world, "step", error);
    if (status == TIDE_OK)
        status = tide_world_mark_initial(world, error);
    if (status == TIDE_OK)
        status = check_state(world, error);
    if (status == TIDE_OK)
        status = tide_world_update_solver(world, error);
    if (status == TIDE_OK)
        status = tide_world_update_contacts(world, error);
    if (status == TIDE_OK)
        status = tide_world_keep_history(world, &world->before_step, error);
    if (status == TIDE_OK) // so that the step can be undone
        status = tide_world_reserve_history(world, world->before_step.size, error);
    return status;
}

static tide_status take_step(tide_world *world, tide_report *report, tide_error *error)
{
    tide_step step = inputs(world);
    step.x = world->next_positions;
    step.v = world->next_velocities;
    step.contact = tide_contacts_response(world->contacts);
    tide_error failure;
    double elastic = tide_world_elastic_before(world);
    world->elastic_of = NULL;
    memcpy(step.x, world->positions, 3 * (size_t)world->particle_count * sizeof *step.x);
    world->stepping = true;
    tide_status status = tide_solver_step(world->solver, &step, report, &failure);
    world->stepping = false;
    bool sound = is_sound(world);
    if (status == TIDE_OK && sound) {
        tide_world_balance_energy(world, &step, elastic, report);
        return TIDE_OK;
    }
    if (status == TIDE_OK || (status == TIDE_ERROR_NUMERIC && world->particle_count))
        return tide_world_fail_diverged(world, report, sound ? &failure : NULL, error);
    if (error)
        *error = failure;
    return status;
}

tide_status tide_world_step(tide_world *world, tide_error *error)
{
    double start = tide_clock_seconds();
    tide_report report = { 0 };
    bool fresh = tide_world_history_size(world) == 0; // the first step: there is no history to restore
    tide_status status = begin_step(world, error);
    if (status != TIDE_OK)
        return status;
    world->stepped = false;
    tide_world_begin_contacts(world); // also moves pins that are attached to colliders
    gather_inputs(world);
    status = take_step(world, &report, error);
    if (status == TIDE_OK)
        status = tide_world_end_contacts(world, error);
    if (status != TIDE_OK) {
        tide_world_undo_contacts(world);
        const tide_history *before = &world->before_step;
        tide_world_await_history(world, before->solver, before->bytes, fresh ? 0 : before->size);
        return status;
    }
    size_t size = 3 * (size_t)world->particle_count * sizeof(double);
    memcpy(world->last_positions, world->positions, size);
    memcpy(world->positions, world->next_positions, size);
    memcpy(world->velocities, world->next_velocities, size);
    tide_world_clear_forces(world);
    world->stepped = true;
    world->frame++;
    world->time += world->settings.timestep;
    world->report = report;
    world->report.step_seconds = tide_clock_seconds() - start;
    log_warning(world);
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
