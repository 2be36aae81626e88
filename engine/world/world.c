// Creating and destroying a world, its settings, bodies and their ids, and access to its state.
#include "base/memory.h"
#include "world/element_numbers.h"
#include "world/friction_pairs.h"

#include <string.h>

#define FIELD(field) .offset = offsetof(tide_world_settings, field)

const tide_field tide_world_fields[] = {
    { .name = "timestep",
      .type = TIDE_FIELD_REAL,
      FIELD(timestep),
      .initial = { 1.0 / 30 },
      .maximum = 10,
      .positive = true,
      .unit = "s",
      .help = "duration of one step",
      .initial_text = "1/30" },
    { .name = "gravity",
      .type = TIDE_FIELD_VECTOR,
      FIELD(gravity),
      .initial = { 0, -9.81, 0 },
      .minimum = -1e6,
      .maximum = 1e6,
      .unit = "m/s^2",
      .help = "acceleration of every particle; y is up" },
    { .name = "drag",
      .type = TIDE_FIELD_REAL,
      FIELD(drag),
      .initial = { 0 },
      .maximum = 1e6,
      .unit = "1/s",
      .help = "drag on all velocities: each step multiplies them by exp(-drag * timestep)" },
    { .name = "deformation_drag",
      .type = TIDE_FIELD_REAL,
      FIELD(deformation_drag),
      .initial = { 0 },
      .maximum = 1e6,
      .unit = "1/s",
      .help = "drag on the deformation of each body: the difference of its velocities from a rigid motion is "
              "multiplied by exp(-deformation_drag * timestep)" },
    { .name = NULL },
};

tide_world_settings tide_world_settings_default(void)
{
    tide_world_settings settings = { 0 };
    tide_fields_default(tide_world_fields, &settings);
    tide_fields_default(tide_contact_fields, &settings.contact);
    return settings;
}

void tide_world_list_arrays(tide_world *world, double **arrays[TIDE_PARTICLE_ARRAYS])
{
    double **all[TIDE_PARTICLE_ARRAYS] = { &world->positions,      &world->velocities,       &world->forces,
                                           &world->next_positions, &world->next_velocities,  &world->damped_velocities,
                                           &world->total_forces,   &world->pinned_positions, &world->last_positions,
                                           &world->known_positions };
    memcpy(arrays, all, sizeof all);
}

bool tide_world_reserve_particles(tide_world *world, uint32_t count)
{
    double **arrays[TIDE_PARTICLE_ARRAYS];
    size_t size = 3 * (size_t)count * sizeof(double);
    tide_world_list_arrays(world, arrays);
    if (world->positions && count <= world->particle_capacity)
        return true;
    for (size_t a = 0; a < TIDE_PARTICLE_ARRAYS; a++) {
        double *resized = tide_reallocate(*arrays[a], size);
        if (!resized)
            return false;
        *arrays[a] = resized;
    }
    world->particle_capacity = count;
    return true;
}

// Adds particles at the end of every array of the world; their entries are zero.
static bool add_particles(tide_world *world, uint32_t added)
{
    double **arrays[TIDE_PARTICLE_ARRAYS];
    size_t old = 3 * (size_t)world->particle_count, more = 3 * (size_t)added;
    // Half as many again: bodies that are added one after another must not copy all particles each time.
    uint32_t wanted = world->particle_count + added;
    wanted += wanted > world->particle_capacity ? world->particle_count / 2 : 0;
    if (!tide_world_reserve_particles(world, wanted))
        return false;
    tide_world_list_arrays(world, arrays);
    for (size_t a = 0; a < TIDE_PARTICLE_ARRAYS; a++)
        memset(*arrays[a] + old, 0, more * sizeof(double));
    world->particle_count += added;
    return true;
}

tide_status tide_world_create(const tide_world_settings *settings, const tide_world *predecessor, tide_world **out,
                              tide_error *error)
{
    tide_world *world = tide_allocate_zeroed(1, sizeof *world);
    if (!world)
        return tide_fail_memory(error, "world");
    world->settings = tide_world_settings_default();
    world->random = tide_random_seed(0);
    world->joint_generation = predecessor ? predecessor->joint_generation + 1 : 1;
    world->system_changed = world->solver_changed = world->contacts_changed = world->untangling.edited = true;
    // Allocates the arrays even without particles.
    tide_status status = add_particles(world, 0) ? TIDE_OK : tide_fail_memory(error, "world");
    if (status == TIDE_OK && settings)
        status = tide_world_set_settings(world, settings, error);
    if (status == TIDE_OK)
        status = tide_world_set_solver(world, tide_solver_kind_at(0), NULL, error);
    if (status == TIDE_OK && predecessor)
        status = tide_slots_reserve(&world->body_slots, &predecessor->body_slots, error);
    if (status == TIDE_OK && predecessor)
        status = tide_slots_reserve(&world->collider_slots, &predecessor->collider_slots, error);
    if (status != TIDE_OK) {
        tide_world_destroy(world);
        return status;
    }
    *out = world;
    return TIDE_OK;
}

void tide_world_drop_kept_bodies(tide_world *world)
{
    while (world->kept.body_count)
        tide_body_destroy(world->kept.bodies[--world->kept.body_count]);
}

void tide_world_destroy(tide_world *world)
{
    if (!world)
        return;
    for (size_t b = 0; b < world->body_count; b++)
        tide_body_destroy(world->bodies[b]);
    tide_world_destroy_colliders(world);
    tide_contacts_destroy(world->contacts);
    tide_free(world->certifier);
    tide_slots_free(&world->body_slots);
    tide_slots_free(&world->collider_slots);
    tide_free(world->bodies);
    tide_free(world->attachments);
    tide_free(world->links);
    tide_free(world->joints);
    tide_free(world->kept.joints);
    tide_free(world->collider_attachments);
    tide_free(world->body_pairs);
    tide_free(world->friction_pairs);
    tide_free(world->contact_history.bytes);
    tide_free(world->contact_list);
    tide_free(world->positions);
    tide_free(world->velocities);
    tide_free(world->forces);
    tide_free(world->next_positions);
    tide_free(world->last_positions);
    tide_free(world->known_positions);
    tide_free(world->next_velocities);
    tide_free(world->damped_velocities);
    tide_free(world->total_forces);
    tide_free(world->pinned_positions);
    tide_free(world->pins);
    tide_free(world->numbers);
    tide_free(world->torn);
    tide_system_destroy(world->system);
    tide_solver_destroy(world->solver);
    tide_snapshot_destroy(world->initial);
    tide_free(world->kept.arrays);
    tide_free(world->kept.pins);
    tide_free(world->kept.history.bytes);
    tide_free(world->kept.contacts.bytes);
    tide_free(world->kept.deforms.bytes);
    tide_free(world->kept.colliders);
    tide_free(world->kept.numbers);
    tide_world_drop_kept_bodies(world);
    tide_free(world->kept.bodies);
    tide_free(world->before_step.bytes);
    tide_free(world->awaited.bytes);
    tide_free(world);
}

// --- settings -------------------------------------------------------------------------------------------------------

const tide_world_settings *tide_world_get_settings(const tide_world *world)
{
    return &world->settings;
}

tide_status tide_world_set_settings(tide_world *world, const tide_world_settings *settings, tide_error *error)
{
    tide_status status = tide_world_check_idle(world, "settings", error);
    tide_world_settings complete = *settings;
    if (complete.contact.sweeps == 0)
        complete.contact.sweeps = tide_world_settings_default().contact.sweeps;
    settings = &complete;
    if (status == TIDE_OK)
        status = tide_fields_check(tide_world_fields, "scene", settings, error);
    if (status == TIDE_OK)
        status = tide_fields_check(tide_contact_fields, "contact", &settings->contact, error);
    if (status != TIDE_OK)
        return status;
    if (settings->timestep != world->settings.timestep) {
        world->solver_changed = true;
        world->system_changed = world->system_changed || tide_world_has_rigid(world);
        world->warned[0] = '\0';
    }
    const tide_contact_settings *old = &world->settings.contact, *new = &settings->contact;
    if (old->continuous != new->continuous || old->lines != new->lines || old->sweeps != new->sweeps)
        world->contacts_changed = true;
    world->settings = *settings;
    return TIDE_OK;
}

tide_status tide_world_set_solver(tide_world *world, const tide_solver_kind *kind, const void *options,
                                  tide_error *error)
{
    tide_status status = tide_world_check_idle(world, "solver", error);
    if (status != TIDE_OK)
        return status;
    if (world->solver && tide_solver_kind_of(world->solver) == kind && options) {
        tide_solver_set_options(world->solver, options);
    } else {
        tide_solver *solver;
        status = tide_solver_create(kind, options, &solver, error);
        if (status != TIDE_OK)
            return status;
        tide_solver_destroy(world->solver);
        world->solver = solver;
        world->awaits_history = world->solver_prepared = false;
    }
    world->solver_changed = true;
    world->system_changed = world->system_changed || tide_world_has_rigid(world); // stiffnesses of rigid bodies
    world->warned[0] = '\0';
    return TIDE_OK;
}

const tide_solver *tide_world_solver(const tide_world *world)
{
    return world->solver;
}

void tide_world_set_seed(tide_world *world, uint64_t seed)
{
    world->random = tide_random_seed(seed);
}

tide_random *tide_world_random(tide_world *world)
{
    return &world->random;
}

// --- bodies ---------------------------------------------------------------------------------------------------------

tide_status tide_world_insert_body(tide_world *world, tide_body *body, tide_error *error)
{
    world->untangling.edited = true;
    char object[96];
    tide_body_object(body->name, object);
    uint32_t first = world->particle_count, vertices = body->mesh->vertex_count;
    uint32_t count = tide_body_particle_count(body);
    tide_status status = tide_world_check_idle(world, "body", error);
    if (status == TIDE_OK && count > (uint32_t)TIDE_SYSTEM_MAX_PARTICLES - first)
        status =
            tide_fail(error, TIDE_ERROR_ARGUMENT, object, "mesh", NULL,
                      "the scene would have more than %d particles; use coarser meshes", TIDE_SYSTEM_MAX_PARTICLES);
    else if (status == TIDE_OK &&
             (!tide_grow(&world->bodies, &world->body_capacity, world->body_count + 1, sizeof *world->bodies) ||
              !add_particles(world, count)))
        status = tide_fail_memory(error, object);
    tide_slot *slot = status == TIDE_OK ? tide_slots_claim(&world->body_slots, body->name) : NULL;
    if (status == TIDE_OK && !slot)
        status = tide_fail_memory(error, object);
    if (status != TIDE_OK) {
        world->particle_count = first;
        tide_body_destroy(body);
        return status;
    }
    slot->owner = (uint32_t)world->body_count;
    body->id = (tide_body_id) { (uint32_t)(slot - world->body_slots.items) + 1, slot->generation };
    body->first_particle = first;
    memcpy(world->positions + 3 * (size_t)first, body->mesh->vertices, 3 * (size_t)vertices * sizeof(double));
    if (body->frame_count)
        memcpy(world->positions + 3 * (size_t)(first + vertices), body->frames,
               3 * (size_t)body->frame_count * sizeof(double));
    if (body->frame_count)
        memcpy(body->seen, body->mesh->vertices, 3 * (size_t)vertices * sizeof(double));
    world->bodies[world->body_count++] = body;
    uint32_t elements = tide_body_element_count(body);
    world->element_total += elements;
    status = tide_world_extend_numbers(world, world->element_total - elements, error);
    if (status != TIDE_OK) {
        slot->owner = TIDE_NO_OWNER;
        world->body_count--;
        world->element_total -= elements;
        world->particle_count = first;
        tide_body_destroy(body);
        return status;
    }
    world->system_changed = true;
    tide_snapshot_destroy(world->initial); // reset must restore a state with this body
    world->initial = NULL;
    return TIDE_OK;
}

static tide_status check_contact_material(const tide_world *world, const tide_body_def *def, tide_error *error)
{
    char object[96];
    tide_body_object(def->name ? def->name : "", object);
    return tide_world_check_contact_material(world, object, def->contact_material, error);
}

tide_status tide_world_add_body(tide_world *world, const tide_body_def *def, tide_body_id *id, tide_error *error)
{
    tide_body *body;
    tide_status status;
    if (def->name && tide_world_find_body(world, def->name).index) {
        char object[96];
        tide_body_object(def->name, object);
        status = tide_fail(error, TIDE_ERROR_ARGUMENT, object, NULL, NULL,
                           "the scene has a body of this name already; a name is a body's identity, choose another");
    } else if ((status = check_contact_material(world, def, error)) == TIDE_OK &&
               (status = tide_body_create(def, &body, error)) == TIDE_OK &&
               (status = tide_world_insert_body(world, body, error)) == TIDE_OK)
        *id = body->id;
    if (status != TIDE_OK)
        tide_error_locate(error, def->script_file, def->script_line);
    return status;
}

uint32_t tide_world_body_count(const tide_world *world)
{
    return (uint32_t)world->body_count;
}

tide_body_id tide_world_body_at(const tide_world *world, uint32_t index)
{
    return index < world->body_count ? world->bodies[index]->id : (tide_body_id) { 0, 0 };
}

tide_body_id tide_world_find_body(const tide_world *world, const char *name)
{
    for (size_t b = 0; b < world->body_count; b++)
        if (strcmp(world->bodies[b]->name, name) == 0)
            return world->bodies[b]->id;
    return (tide_body_id) { 0, 0 };
}

// --- state ----------------------------------------------------------------------------------------------------------

double *tide_world_positions(tide_world *world, tide_body_id id)
{
    const tide_body *body = tide_world_lookup(world, id);
    return body ? world->positions + 3 * (size_t)body->first_particle : NULL;
}

double *tide_world_velocities(tide_world *world, tide_body_id id)
{
    const tide_body *body = tide_world_lookup(world, id);
    return body ? world->velocities + 3 * (size_t)body->first_particle : NULL;
}

tide_status tide_world_add_force(tide_world *world, tide_body_id id, uint32_t vertex, const double force[3],
                                 tide_error *error)
{
    tide_point point;
    TIDE_TRY(tide_world_check_idle(world, "force", error));
    TIDE_TRY(tide_world_find_point(world, id, vertex, "force", &point, error));
    TIDE_TRY(tide_world_check_vector(world, id, "force", force, error));
    for (uint32_t i = 0; i < point.count; i++)
        for (size_t k = 0; k < 3; k++)
            world->forces[3 * (size_t)point.particles[i] + k] += point.weights[i] * force[k];
    return TIDE_OK;
}

const double *tide_world_last_forces(const tide_world *world)
{
    return world->total_forces;
}

uint32_t tide_world_particle_count(const tide_world *world)
{
    return world->particle_count;
}

const double *tide_world_all_positions(const tide_world *world)
{
    return world->positions;
}

const double *tide_world_all_velocities(const tide_world *world)
{
    return world->velocities;
}

double tide_world_time(const tide_world *world)
{
    return world->time;
}

uint64_t tide_world_frame(const tide_world *world)
{
    return world->frame;
}

const tide_report *tide_world_report(const tide_world *world)
{
    return &world->report;
}

void tide_world_set_extra_state(tide_world *world, const tide_world_extra_state *extra)
{
    world->extra = extra ? *extra : (tide_world_extra_state) { 0 };
}
