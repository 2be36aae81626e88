// Reconciling: a newly described world takes over the state of the old one.
#include "base/clock.h"
#include "base/memory.h"
#include "world/contact_keys.h"
#include "world/element_numbers.h"
#include "world/exchange.h"
#include "world/reconciliation_text.h"
#include "world/reshape.h"
#include "world/rigid_reload.h"
#include "world/rod_frames.h"
#include "world/world_state.h"

#include <math.h>
#include <string.h>

static const tide_body *old_body(const tide_world *old, const tide_body *body)
{
    return tide_world_lookup(old, tide_world_find_body(old, body->name));
}

static bool same_topology(const tide_body *a, const tide_body *b)
{
    return a->mesh->topology_hash == b->mesh->topology_hash && a->mesh->vertex_count == b->mesh->vertex_count;
}

// Carries over the target of a pin. A pin with the same description takes the old target, a new pin the present
// position of its vertex. A pin with another description, or one that the new script has already moved, keeps its
// target.
static void carry_pin(tide_pin *pin, const tide_pin *before, const double *position)
{
    if (memcmp(pin->target, pin->described, sizeof pin->target) != 0)
        return;
    if (!before)
        memcpy(pin->target, position, sizeof pin->target);
    else if (memcmp(before->described, pin->described, sizeof pin->described) == 0)
        memcpy(pin->target, before->target, sizeof pin->target);
}

// Finds the vertex of a body that a pin holds. Frames of rods count as the vertices after those of the mesh. Returns
// false for pins of other bodies.
static bool vertex_of_pin(const tide_world *world, const tide_body *body, const tide_pin *pin, uint32_t *vertex)
{
    *vertex = (uint32_t)pin->particle;
    if (body->rigid)
        return *vertex < body->surface->vertex_count && pin->particle == tide_world_rigid_pin(world, body, *vertex);
    *vertex -= body->first_particle;
    return !tide_pin_is_of_rigid(pin->particle) && pin->particle >= body->first_particle &&
           *vertex < tide_body_particle_count(body);
}

static const tide_pin *pin_of_vertex(const tide_world *world, const tide_body *body, uint32_t vertex)
{
    return tide_world_pin_of(world, body->rigid ? tide_world_rigid_pin(world, body, vertex)
                                                : (uint64_t)body->first_particle + vertex);
}

static void place_of_pin(const tide_world *world, const tide_body *body, uint32_t vertex, double place[3])
{
    if (body->rigid)
        tide_world_vertex(world, body->id, vertex, place, NULL);
    else
        memcpy(place, world->positions + 3 * (size_t)(body->first_particle + vertex), 3 * sizeof *place);
}

// Carries over the targets of the pins of a body with the same vertices, the first `count`.
static void carry_pins(tide_world *world, const tide_body *body, uint32_t count, const tide_world *old,
                       const tide_body *before)
{
    for (size_t p = 0; p < world->pin_count; p++) {
        uint32_t vertex;
        double place[3];
        if (!vertex_of_pin(world, body, &world->pins[p], &vertex) || vertex >= count)
            continue;
        place_of_pin(world, body, vertex, place);
        carry_pin(&world->pins[p], pin_of_vertex(old, before, vertex), place);
    }
}

static void carry_body(tide_world *world, const tide_body *body, const tide_world *old, const tide_body *before)
{
    uint32_t count = body->mesh->vertex_count;
    bool frames = body->frame_count == before->frame_count; // the topology is the same: all or none
    if (frames)
        count += body->frame_count;
    size_t to = 3 * (size_t)body->first_particle, from = 3 * (size_t)before->first_particle;
    memcpy(world->positions + to, old->positions + from, 3 * (size_t)count * sizeof(double));
    memcpy(world->velocities + to, old->velocities + from, 3 * (size_t)count * sizeof(double));
    carry_pins(world, body, body->rigid ? body->surface->vertex_count : count, old, before);
    // Frames that are new follow their edges from where they were described.
    if (frames)
        tide_world_note_body_frames(world, body);
    tide_world_carry_numbers(world, body, old, before);
}

// --- bodies on another mesh ------------------------------------------------------------------------------------------

// The maps of old shapes to bodies on another mesh, made before anything changes.
typedef struct reshaping {
    tide_reshape **shapes;     // (body_count); NULL: not reshaped
    tide_placement *described; // (body_count): of bodies that are or were rigid, and are `kept`
    bool *kept;                // (body_count): the body keeps its place and shape
    size_t count;
} reshaping;

static void free_reshaping(reshaping *plan)
{
    for (size_t b = 0; b < plan->count; b++)
        tide_reshape_destroy(plan->shapes[b]);
    tide_free(plan->shapes);
    tide_free(plan->described);
    tide_free(plan->kept);
}

static tide_status plan_reshaping(const tide_world *world, const tide_world *old, reshaping *plan, tide_error *error)
{
    plan->shapes = tide_allocate_zeroed(world->body_count, sizeof(tide_reshape *));
    plan->described = tide_allocate_zeroed(world->body_count, sizeof *plan->described);
    plan->kept = tide_allocate_zeroed(world->body_count, sizeof *plan->kept);
    if (!plan->shapes || !plan->described || !plan->kept)
        return tide_fail_memory(error, "world");
    plan->count = world->body_count;
    tide_status status = TIDE_OK;
    for (size_t b = 0; b < world->body_count && status == TIDE_OK; b++) {
        const tide_body *body = world->bodies[b], *before = old_body(old, body);
        bool rigid = before && tide_rigid_differs(body, before);
        if (rigid)
            plan->kept[b] = tide_rigid_matches(body, before, &plan->described[b]);
        else if (before && !same_topology(body, before))
            status = tide_reshape_create(before->mesh, body->mesh, &plan->shapes[b], error);
        plan->kept[b] = plan->kept[b] || plan->shapes[b];
    }
    return status;
}

// Returns the old body's pin that was described within `near` (m, per coordinate) of a place; NULL if there is none.
static const tide_pin *pin_at(const tide_world *old, const tide_body *before, const double place[3], double near)
{
    for (size_t p = 0; p < old->pin_count; p++) {
        const tide_pin *pin = &old->pins[p];
        uint32_t vertex;
        if (!vertex_of_pin(old, before, pin, &vertex) || vertex >= tide_body_face(before)->vertex_count)
            continue;
        if (fabs(pin->described[0] - place[0]) <= near && fabs(pin->described[1] - place[1]) <= near &&
            fabs(pin->described[2] - place[2]) <= near)
            return pin;
    }
    return NULL;
}

// Carries over the target of a pin to another mesh: that of the old pin at the same place, or else the present position
// of the vertex.
static void carry_pin_over(tide_pin *pin, const tide_pin *before, const double *position)
{
    if (memcmp(pin->target, pin->described, sizeof pin->target) == 0)
        memcpy(pin->target, before ? before->target : position, sizeof pin->target);
}

static void carry_pins_over(tide_world *world, const tide_body *body, const tide_world *old, const tide_body *before)
{
    const tide_mesh *face = tide_body_face(body);
    double largest = 0;
    for (size_t i = 0; i < 3 * (size_t)face->vertex_count; i++)
        largest = fmax(largest, fabs(face->vertices[i]));
    for (size_t p = 0; p < world->pin_count; p++) {
        tide_pin *pin = &world->pins[p];
        uint32_t vertex;
        double place[3];
        if (!vertex_of_pin(world, body, pin, &vertex) || vertex >= face->vertex_count)
            continue;
        place_of_pin(world, body, vertex, place);
        carry_pin_over(pin, pin_at(old, before, pin->described, 1e-9 * largest), place);
    }
}

static void reshape_body(tide_world *world, const tide_body *body, const tide_world *old, const tide_body *before,
                         const tide_reshape *shape)
{
    size_t to = 3 * (size_t)body->first_particle, from = 3 * (size_t)before->first_particle;
    tide_reshape_apply(shape, old->positions + from, old->velocities + from, world->positions + to,
                       world->velocities + to);
    if (before->frame_count)
        tide_world_reshape_frames(world, body, old, before);
    carry_pins_over(world, body, old, before);
}

// Carries over a body that is or was rigid.
static void carry_rigid(tide_world *world, const tide_body *body, const tide_world *old, const tide_body *before,
                        const tide_placement *described)
{
    tide_rigid_carry(world, body, old, before, described);
    if (tide_rigid_same_faces(body, before))
        carry_pins(world, body, tide_body_face(body)->vertex_count, old, before);
    else
        carry_pins_over(world, body, old, before);
    tide_world_note_body_frames(world, body);
}

// --- solver, contacts and colliders ----------------------------------------------------------------------------------

// Carries over the history between solvers of different kinds with the same name. The kind of a solver in a script is a
// new one after every run.
static tide_status carry_history(tide_world *world, const tide_world *old, tide_error *error)
{
    uint64_t solver = tide_world_solver_identity(world);
    if (solver != tide_world_solver_identity(old) || tide_world_identity(world) != tide_world_identity(old))
        return TIDE_OK;
    tide_history *carried = &world->before_step;
    TIDE_TRY(tide_world_keep_history(old, carried, error));
    TIDE_TRY(tide_world_reserve_history(world, carried->size, error));
    tide_world_await_history(world, solver, carried->bytes, carried->size);
    return TIDE_OK;
}

// Prepares the solver for the new world. A solver of the same kind is taken over from the old world (*taken) and keeps
// what still fits.
static tide_status take_solver(tide_world *world, tide_world *old, bool *taken, tide_error *error)
{
    *taken = tide_solver_kind_of(world->solver) == tide_solver_kind_of(old->solver);
    if (!*taken) {
        tide_status status = tide_world_update_solver(world, error);
        return status == TIDE_OK ? carry_history(world, old, error) : status;
    }
    TIDE_SCOPED void *options =
        tide_copy_bytes(tide_solver_options(old->solver), tide_solver_kind_of(old->solver)->options_size);
    if (!options)
        return tide_fail_memory(error, "solver");
    tide_solver_set_options(old->solver, tide_solver_options(world->solver));
    tide_status status = tide_world_prepare(world, old->solver, error);
    if (status != TIDE_OK)
        tide_solver_set_options(old->solver, options);
    old->solver_changed = true;
    return status;
}

// Exchanges the solvers. A history depends on the particles and their order, so it is kept only for the same bodies.
static void swap_solvers(tide_world *world, tide_world *old)
{
    tide_solver *solver = world->solver;
    tide_history awaited = world->awaited;
    world->solver = old->solver;
    world->solver_changed = false;
    world->solver_prepared = true;
    world->awaited = old->awaited;
    world->awaits_history = old->awaits_history;
    old->solver = solver;
    old->awaited = awaited;
    old->awaits_history = false;
    if (tide_world_identity(world) != tide_world_identity(old))
        tide_world_await_history(world, 0, NULL, 0);
}

// Maps contacts of the old world to the new one, if the bodies are the same.
static tide_status find_keys(const tide_world *world, const tide_world *old, tide_contact_keys *keys, tide_error *error)
{
    TIDE_SCOPED tide_collider_state *states = tide_allocate_array(old->collider_count, sizeof *states);
    if (!states)
        return tide_fail_memory(error, "world");
    tide_world_get_collider_states(old, states);
    return tide_contact_keys_create(world, old, states, tide_world_collider_state_count(old), keys, error);
}

static void carry_contacts(tide_world *world, tide_world *old, const tide_contact_keys *keys)
{
    if (tide_world_identity(world) != tide_world_identity(old))
        return;
    tide_history own = world->contact_history;
    world->contact_history = old->contact_history;
    world->contact_history_awaits = true;
    old->contact_history = own;
    tide_contact_keys_apply(keys, &world->contact_history);
}

// A scene that has changed in what may cross is searched again.
static void carry_untangling(tide_world *world, const tide_world *old, bool same_colliders)
{
    bool same = same_colliders && tide_world_identity(world) == tide_world_identity(old) &&
                world->particle_count == old->particle_count && !old->untangling.edited;
    if (!same)
        return;
    world->untangling = old->untangling;
    if (world->particle_count)
        memcpy(world->known_positions, old->known_positions,
               3 * (size_t)world->particle_count * sizeof *world->known_positions);
}

static void carry_colliders(tide_world *world, const tide_world *old)
{
    size_t count;
    tide_world_carry_colliders(world, old);
    if (!old->initial) // never stepped: the values are as described
        return;
    const tide_collider_state *described = tide_snapshot_colliders(old->initial, &count);
    tide_world_carry_collider_values(world, old, described, count);
}

static void carry_bodies(tide_world *world, const tide_world *old, const reshaping *plan,
                         tide_reconciliation *reconciliation)
{
    for (size_t b = 0; b < world->body_count; b++) {
        const tide_body *body = world->bodies[b], *before = old_body(old, body);
        if (before && tide_rigid_differs(body, before)) {
            if (plan->kept[b])
                carry_rigid(world, body, old, before, &plan->described[b]);
            reconciliation->rebuilt++;
        } else if (before && same_topology(body, before)) {
            carry_body(world, body, old, before);
            reconciliation->kept++;
        } else if (before) {
            if (plan->shapes[b])
                reshape_body(world, body, old, before, plan->shapes[b]);
            reconciliation->rebuilt++;
        } else {
            reconciliation->added++;
        }
    }
    reconciliation->removed = (uint32_t)old->body_count - reconciliation->kept - reconciliation->rebuilt;
}

// Does everything that can fail, except preparing the solver.
static tide_status ready(tide_world *world, const tide_world *old, reshaping *plan, tide_contact_keys *keys,
                         tide_error *error)
{
    tide_status status = tide_world_mark_initial(world, error);
    if (status == TIDE_OK)
        status = tide_world_carry_splits(world, old, error);
    size_t total = tide_world_element_total(old);
    if (status == TIDE_OK && old->number_count)
        status = tide_world_reserve_numbers(world, (tide_element_number)((old->number_count - 1) / total), error);
    if (status == TIDE_OK)
        status = tide_world_update_system(world, error);
    if (status == TIDE_OK)
        status = plan_reshaping(world, old, plan, error);
    if (status == TIDE_OK)
        status = find_keys(world, old, keys, error);
    return status;
}

static void tell_of_factor(const tide_reconciliation *reconciliation, tide_text *notice)
{
    bool lines = notice->length && memchr(notice->bytes, '\n', notice->length);
    double milliseconds = 1e3 * reconciliation->seconds;
    if (!notice->length)
        tide_text_format(notice, "nothing changed"); // a factorisation can then only be the first
    else if (reconciliation->refactored)
        tide_text_format(notice, "%srefactored in %.*f ms", lines ? "\n" : "; ", milliseconds < 9.95 ? 1 : 0,
                         milliseconds);
}

tide_status tide_world_reconcile_with_notice(tide_world *world, tide_world *old, tide_reconciliation *reconciliation,
                                             tide_text *notice, tide_error *error)
{
    double start = tide_clock_seconds();
    bool taken;
    reshaping plan = { 0 };
    tide_contact_keys keys = { 0 };
    uint64_t factorizations = tide_solver_describe(old->solver).factorizations;
    if (notice)
        tide_text_clear(notice);
    tide_status status = ready(world, old, &plan, &keys, error);
    if (status == TIDE_OK && notice)
        tide_reconciliation_write(world, old, plan.kept, notice);
    if (status == TIDE_OK)
        status = take_solver(world, old, &taken, error);
    if (status != TIDE_OK) {
        free_reshaping(&plan);
        tide_contact_keys_free(&keys);
        return status;
    }

    // Nothing can fail from here on.
    if (taken)
        swap_solvers(world, old);
    *reconciliation = (tide_reconciliation) { 0 };
    tide_world_follow_frames(old);
    carry_bodies(world, old, &plan, reconciliation);
    tide_world_carry_joints(world, old);
    carry_colliders(world, old);
    carry_contacts(world, old, &keys);
    carry_untangling(world, old, keys.same);
    free_reshaping(&plan);
    tide_contact_keys_free(&keys);
    tide_slots_release(&world->body_slots);
    tide_slots_release(&world->collider_slots);
    world->time = old->time;
    world->frame = old->frame;
    world->random = old->random;
    world->report = old->report;
    memcpy(world->warned, old->warned, sizeof world->warned);
    reconciliation->refactored = tide_solver_describe(world->solver).factorizations != (taken ? factorizations : 0);
    reconciliation->seconds = tide_clock_seconds() - start;
    if (notice)
        tell_of_factor(reconciliation, notice);
    return TIDE_OK;
}

tide_status tide_world_reconcile(tide_world *world, tide_world *old, tide_reconciliation *reconciliation,
                                 tide_error *error)
{
    return tide_world_reconcile_with_notice(world, old, reconciliation, NULL, error);
}
