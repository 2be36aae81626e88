// The step: prepares the system and the solver, takes one step, checks the result, and then accepts it.
#include "base/clock.h"

#include "base/log.h"
#include "base/memory.h"
#include "solver/objective.h"
#include "world/deform_state.h"
#include "world/lasting.h"
#include "world/rod_frames.h"
#include "world/world_state.h"

#include <math.h>
#include <string.h>

tide_status tide_world_update_solver(tide_world *world, tide_error *error)
{
    TIDE_TRY(tide_world_update_system(world, error));
    if (world->solver_changed)
        TIDE_TRY(tide_world_prepare(world, world->solver, error));
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
        if (!tide_pin_is_of_rigid(world->pins[p].particle))
            memcpy(world->pinned_positions + 3 * world->pins[p].particle, world->pins[p].target,
                   sizeof world->pins[p].target);
    tide_world_apply_motors(world);
    tide_world_place_frames(world);
    tide_world_refresh_system(world);
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
                    world, tide_world_pinned_particle(world, world->pins[p].particle),
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
    TIDE_TRY(tide_world_check_idle(world, "inputs", error));
    tide_world_follow_frames(world);
    TIDE_TRY(check_state(world, error));
    TIDE_TRY(tide_world_update_system(world, error));
    world->stepped = false;
    gather_inputs(world);
    *step = inputs(world);
    return TIDE_OK;
}

tide_status tide_world_predict(tide_world *world, double *y, tide_error *error)
{
    tide_step step;
    TIDE_SCOPED_BY(tide_objective_free) tide_objective objective = { 0 };
    TIDE_TRY(tide_world_inputs(world, &step, error));
    TIDE_TRY(tide_objective_prepare(&objective, world->system, step.h, NULL, error));
    tide_objective_predict(&objective, &step);
    memcpy(y, objective.y, 3 * (size_t)world->particle_count * sizeof *y);
    return TIDE_OK;
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
        tide_world_follow_frames(world);
    if (status == TIDE_OK)
        status = check_state(world, error);
    if (status == TIDE_OK)
        status = tide_world_reserve_changes(world, error);
    if (status == TIDE_OK)
        status = tide_world_update_solver(world, error);
    if (status == TIDE_OK)
        status = tide_world_update_contacts(world, error);
    if (status == TIDE_OK)
        status = tide_world_untangle(world, error);
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
    const tide_untangling untangling = world->untangling;
    bool fresh = tide_world_history_size(world) == 0; // the first step: there is no history to restore
    tide_status status = begin_step(world, error);
    if (status != TIDE_OK)
        return status;
    world->stepped = false;
    tide_world_begin_contacts(world); // also moves pins that are attached to colliders
    gather_inputs(world);
    tide_world_pull_tangle(world);
    tide_contacts_begin_couples(world->contacts, world->positions, world->total_forces);
    status = take_step(world, &report, error);
    if (status == TIDE_OK)
        status = tide_world_end_contacts(world, error);
    if (status != TIDE_OK) {
        tide_world_undo_contacts(world);
        world->untangling = untangling;
        const tide_history *before = &world->before_step;
        tide_world_await_history(world, before->solver, before->bytes, fresh ? 0 : before->size);
        return status;
    }
    tide_contacts_end_couples(world->contacts, world->positions, world->total_forces);
    size_t size = 3 * (size_t)world->particle_count * sizeof(double);
    memcpy(world->last_positions, world->positions, size);
    memcpy(world->positions, world->next_positions, size);
    memcpy(world->velocities, world->next_velocities, size);
    tide_world_clear_forces(world);
    tide_world_settle_frames(world);
    tide_world_settle_joints(world);
    tide_world_note_frames(world);
    world->stepped = true;
    world->frame++;
    world->time += world->settings.timestep;
    tide_world_change_elements(world);
    world->report = report;
    world->report.step_seconds = tide_clock_seconds() - start;
    log_warning(world);
    tide_world_warn_of_unresolved(world);
    tide_world_settle_tangle(world);
    return TIDE_OK;
}

tide_status tide_world_energy(tide_world *world, tide_energy *energy, tide_error *error)
{
    const tide_system *system;
    TIDE_TRY(tide_world_system(world, &system, error));
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
