// Snapshots: the complete state of a world as one block of bytes with a hash. Also reset, undo and fork.
#include "world/snapshot.h"
#include "base/hash.h"
#include "base/memory.h"
#include "world/collider_state.h"
#include "world/contact_keys.h"
#include "world/deform_state.h"
#include "world/world_state.h"

#include <string.h>

// The layout of the bytes: this header, positions, velocities, forces, pins, states of colliders, contractions, solver
// history, contact history, extra state, padding to a multiple of 8 bytes, vertices of colliders (deform_state.h). The
// padding is left out if there are no such vertices.
typedef struct snapshot_header {
    uint64_t identity; // of the bodies
    uint64_t frame, random;
    double time;
    uint64_t particle_count, pin_count;
    uint64_t solver; // hash of the solver's name
    uint64_t collider_count, contraction_count, history_size, contact_size, extra_size;
} snapshot_header;

uint64_t tide_world_identity(const tide_world *world)
{
    uint64_t hash = TIDE_HASH_START;
    for (size_t b = 0; b < world->body_count; b++) {
        hash = tide_hash_string(hash, world->bodies[b]->name);
        hash = tide_hash_bytes(hash, &world->bodies[b]->mesh->topology_hash, sizeof(uint64_t));
        if (world->bodies[b]->surface) // the contact history refers to its points
            hash = tide_hash_bytes(hash, &world->bodies[b]->surface->topology_hash, sizeof(uint64_t));
    }
    return hash;
}

static unsigned char *put(unsigned char *to, const void *from, size_t size)
{
    if (size)
        memcpy(to, from, size);
    return to + size;
}

// Rounds up to the alignment of a double.
static size_t aligned(size_t size)
{
    return (size + sizeof(double) - 1) / sizeof(double) * sizeof(double);
}

static size_t deforms_at(const snapshot_header *header)
{
    return aligned(sizeof *header + 9 * (size_t)header->particle_count * sizeof(double) +
                   (size_t)header->pin_count * sizeof(tide_pin) +
                   (size_t)header->collider_count * sizeof(tide_collider_state) +
                   (size_t)header->contraction_count * sizeof(double) + (size_t)header->history_size +
                   (size_t)header->contact_size + (size_t)header->extra_size);
}

static tide_status create(size_t size, tide_snapshot **out, tide_error *error)
{
    tide_snapshot *snapshot = tide_allocate(sizeof *snapshot);
    unsigned char *bytes = tide_allocate(size);
    if (!snapshot || !bytes) {
        tide_free(snapshot);
        tide_free(bytes);
        return tide_fail_memory(error, "snapshot");
    }
    *snapshot = (tide_snapshot) { size, bytes };
    *out = snapshot;
    return TIDE_OK;
}

tide_status tide_world_snapshot(tide_world *world, tide_snapshot **out, tide_error *error)
{
    void *extra = NULL;
    size_t extra_size = 0;
    tide_status status = TIDE_OK;
    if (world->extra.save)
        status = world->extra.save(world->extra.context, &extra, &extra_size, error);
    if (status != TIDE_OK)
        return status;
    size_t array = 3 * (size_t)world->particle_count * sizeof(double), pins = world->pin_count * sizeof(tide_pin);
    size_t history = tide_world_history_size(world), contacts = world->contact_history.size;
    size_t collider_count = tide_world_collider_state_count(world);
    size_t colliders = collider_count * sizeof(tide_collider_state);
    size_t contractions = tide_world_contraction_count(world) * sizeof(double), deforms = tide_world_deform_size(world);
    snapshot_header header = { .identity = tide_world_identity(world),
                               .frame = world->frame,
                               .random = world->random.state,
                               .time = world->time,
                               .particle_count = world->particle_count,
                               .pin_count = world->pin_count,
                               .solver = tide_world_solver_identity(world),
                               .collider_count = collider_count,
                               .contraction_count = contractions / sizeof(double),
                               .history_size = history,
                               .contact_size = contacts,
                               .extra_size = extra_size };
    tide_snapshot *snapshot;
    size_t size = sizeof header + 3 * array + pins + colliders + contractions + history + contacts + extra_size;
    status = create(deforms ? aligned(size) + deforms : size, &snapshot, error);
    if (status == TIDE_OK) {
        unsigned char *next = put(snapshot->bytes, &header, sizeof header);
        next = put(next, world->positions, array);
        next = put(next, world->velocities, array);
        next = put(next, world->forces, array);
        next = put(next, world->pins, pins);
        tide_world_get_collider_states(world, (tide_collider_state *)(void *)next);
        next = put(next + colliders, world->contractions, contractions);
        tide_world_save_history(world, next);
        next = put(next + history, world->contact_history.bytes, contacts);
        put(next, extra, extra_size);
        memset(snapshot->bytes + size, 0, snapshot->size - size);
        tide_world_save_deforms(world, snapshot->bytes + aligned(size));
        *out = snapshot;
    }
    tide_free(extra);
    return status;
}

static snapshot_header header_of(const tide_snapshot *snapshot)
{
    snapshot_header header;
    memcpy(&header, snapshot->bytes, sizeof header);
    return header;
}

uint64_t tide_snapshot_hash(const tide_snapshot *snapshot)
{
    return tide_hash_bytes(TIDE_HASH_START, snapshot->bytes, snapshot->size);
}

uint64_t tide_snapshot_frame(const tide_snapshot *snapshot)
{
    return header_of(snapshot).frame;
}

double tide_snapshot_time(const tide_snapshot *snapshot)
{
    return header_of(snapshot).time;
}

const tide_collider_state *tide_snapshot_colliders(const tide_snapshot *snapshot, size_t *count)
{
    snapshot_header header = header_of(snapshot);
    *count = header.collider_count;
    return (const tide_collider_state *)(const void *)(snapshot->bytes + sizeof header +
                                                       9 * header.particle_count * sizeof(double) +
                                                       header.pin_count * sizeof(tide_pin));
}

size_t tide_snapshot_size(const tide_snapshot *snapshot)
{
    return snapshot->size;
}

bool tide_world_fits(const tide_world *world, const tide_snapshot *snapshot)
{
    return header_of(snapshot).identity == tide_world_identity(world);
}

// Returns whether these pins hold the same particles with the same stiffness as the world's, so that its system remains
// valid.
static bool same_pins(const tide_world *world, const tide_pin *pins, size_t count)
{
    bool same = world->pin_count == count;
    for (size_t p = 0; p < count && same; p++)
        same = world->pins[p].particle == pins[p].particle &&
               memcmp(&world->pins[p].stiffness, &pins[p].stiffness, sizeof pins[p].stiffness) == 0;
    return same;
}

tide_status tide_world_restore(tide_world *world, const tide_snapshot *snapshot, tide_error *error)
{
    snapshot_header header = header_of(snapshot);
    tide_status status = tide_world_check_idle(world, "restore", error);
    if (status != TIDE_OK)
        return status;
    if (header.identity != tide_world_identity(world))
        return tide_fail(error, TIDE_ERROR_STATE, "snapshot", NULL, NULL,
                         "it is of other bodies than those of the scene; restore it in the scene where it was taken");
    size_t array = 3 * (size_t)header.particle_count * sizeof(double);
    const unsigned char *positions = snapshot->bytes + sizeof header, *pins = positions + 3 * array;
    const unsigned char *colliders = pins + header.pin_count * sizeof(tide_pin);
    const unsigned char *contractions = colliders + header.collider_count * sizeof(tide_collider_state);
    const unsigned char *history = contractions + header.contraction_count * sizeof(double);
    const unsigned char *contacts = history + header.history_size, *extra = contacts + header.contact_size;
    const tide_collider_state *states = (const tide_collider_state *)(const void *)colliders;
    tide_contact_keys keys = { 0 };
    if (!tide_grow(&world->pins, &world->pin_capacity, header.pin_count, sizeof *world->pins) ||
        !tide_grow(&world->contact_history.bytes, &world->contact_history.capacity, header.contact_size, 1))
        return tide_fail_memory(error, "snapshot");
    status = tide_world_reserve_history(world, header.history_size, error);
    if (status == TIDE_OK)
        status = tide_world_reserve_contractions(world, header.contraction_count, error);
    if (status == TIDE_OK)
        status = tide_contact_keys_create(world, NULL, states, header.collider_count, &keys, error);
    if (status == TIDE_OK && world->extra.load)
        status = world->extra.load(world->extra.context, extra, header.extra_size, error);
    if (status != TIDE_OK) {
        tide_contact_keys_free(&keys);
        return status;
    }
    tide_world_set_contact_history(world, contacts, header.contact_size, NULL); // there is room
    tide_contact_keys_apply(&keys, &world->contact_history);
    tide_contact_keys_free(&keys);
    memcpy(world->positions, positions, array);
    memcpy(world->velocities, positions + array, array);
    memcpy(world->forces, positions + 2 * array, array);
    if (!same_pins(world, (const tide_pin *)(const void *)pins, header.pin_count))
        world->system_changed = true;
    if (header.pin_count)
        memcpy(world->pins, pins, header.pin_count * sizeof *world->pins);
    world->pin_count = header.pin_count;
    tide_world_set_collider_states(world, states, header.collider_count);
    tide_world_set_contractions(world, (const double *)(const void *)contractions, header.contraction_count);
    world->time = header.time;
    world->frame = header.frame;
    world->random.state = header.random;
    size_t rest = deforms_at(&header);
    tide_world_load_deforms(world, snapshot->bytes + rest, snapshot->size > rest ? snapshot->size - rest : 0);
    tide_world_await_history(world, header.solver, history, header.history_size);
    return TIDE_OK;
}

tide_status tide_world_hash(tide_world *world, uint64_t *hash, tide_error *error)
{
    tide_snapshot *snapshot;
    tide_status status = tide_world_snapshot(world, &snapshot, error);
    if (status == TIDE_OK) {
        *hash = tide_snapshot_hash(snapshot);
        tide_snapshot_destroy(snapshot);
    }
    return status;
}

// --- snapshots from outside -----------------------------------------------------------------------------------------

const void *tide_snapshot_bytes(const tide_snapshot *snapshot, size_t *size)
{
    *size = snapshot->size;
    return snapshot->bytes;
}

static tide_status refuse(const char *field, const char *remedy, tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_FORMAT, "saved world", field, NULL, "%s", remedy);
}

// Subtracts the size of a part from the bytes left. Returns false if there are fewer.
static bool take(size_t *left, uint64_t count, size_t size)
{
    if (count > *left / size)
        return false;
    *left -= (size_t)count * size;
    return true;
}

static tide_status check_header(const tide_world *world, const snapshot_header *header, size_t size, tide_error *error)
{
    size_t left = size - sizeof *header;
    if (header->identity != tide_world_identity(world) || header->particle_count != world->particle_count)
        return tide_fail(error, TIDE_ERROR_STATE, "saved world", NULL, NULL,
                         "it is of other bodies than those of the scene; open it in the scene that it was saved in");
    if (!take(&left, header->particle_count, 9 * sizeof(double)) || header->pin_count > header->particle_count ||
        !take(&left, header->pin_count, sizeof(tide_pin)) ||
        !take(&left, header->collider_count, sizeof(tide_collider_state)) ||
        header->contraction_count > tide_world_element_total(world) ||
        !take(&left, header->contraction_count, sizeof(double)) || !take(&left, header->history_size, 1) ||
        !take(&left, header->contact_size, 1) || !take(&left, header->extra_size, 1) ||
        (left > 0 && size <= deforms_at(header)))
        return refuse("size", "the lengths of its parts do not match its header; save it again", error);
    if (!(header->time >= 0 && header->time <= 1e15) || header->frame > UINT64_C(1) << 53)
        return refuse("time", "expected a time and a frame of at least 0", error);
    return TIDE_OK;
}

static bool all_within(const double *numbers, size_t count, double limit)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabs(numbers[i]) <= limit))
            return false;
    return true;
}

static bool pins_are_valid(const tide_pin *pins, size_t count, uint64_t particles)
{
    for (size_t p = 0; p < count; p++) {
        const tide_pin *pin = &pins[p];
        bool stiff = !tide_given(pin->stiffness) || (pin->stiffness > 0 && pin->stiffness <= 1e15);
        if (pin->particle >= particles || (p && pin->particle <= pins[p - 1].particle) || !stiff ||
            !all_within(pin->described, 3, TIDE_FARTHEST) || !all_within(pin->target, 3, TIDE_FARTHEST))
            return false;
    }
    return true;
}

static bool pose_is_valid(const tide_pose *pose)
{
    const double *q = pose->rotation;
    return all_within(pose->position, 3, TIDE_POSE_FARTHEST) &&
           fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) <= 1e-6;
}

static bool colliders_are_valid(const tide_collider_state *states, size_t count)
{
    for (size_t c = 0; c < count; c++) {
        tide_collider_def def = tide_collider_def_default();
        def.friction = states[c].values.friction;
        def.restitution = states[c].values.restitution;
        def.thickness = states[c].values.thickness;
        if (!pose_is_valid(&states[c].start) || !pose_is_valid(&states[c].end) ||
            tide_fields_check(tide_collider_fields, "collider", &def, NULL) != TIDE_OK)
            return false;
    }
    return true;
}

static bool contractions_are_valid(const double *factors, size_t count)
{
    for (size_t s = 0; s < count; s++)
        if (!(factors[s] >= 0 && factors[s] <= 100))
            return false;
    return true;
}

static tide_status check_parts(const snapshot_header *header, const unsigned char *bytes, size_t size,
                               tide_error *error)
{
    size_t count = 3 * (size_t)header->particle_count;
    const double *numbers = (const double *)(const void *)(bytes + sizeof *header);
    const tide_pin *pins = (const tide_pin *)(const void *)(numbers + 3 * count);
    const tide_collider_state *colliders = (const tide_collider_state *)(const void *)(pins + header->pin_count);
    const double *factors = (const double *)(const void *)(colliders + header->collider_count);
    if (!all_within(numbers, count, TIDE_FARTHEST))
        return refuse("positions", "expected positions within 1e9 m of the origin", error);
    if (!all_within(numbers + count, 2 * count, TIDE_LARGEST))
        return refuse("velocities", "expected finite velocities and forces", error);
    if (!pins_are_valid(pins, header->pin_count, header->particle_count))
        return refuse("pins", "expected vertices in ascending order, finite places and stiffnesses", error);
    size_t rest = deforms_at(header);
    if (size > rest && !tide_world_deforms_are_valid(bytes + rest, size - rest))
        return refuse("colliders", "expected finite positions of the vertices of its colliders", error);
    if (!colliders_are_valid(colliders, header->collider_count))
        return refuse("colliders", "expected poses and values that a collider can have", error);
    return contractions_are_valid(factors, header->contraction_count)
               ? TIDE_OK
               : refuse("springs", "expected factors of rest lengths from 0 to 100", error);
}

tide_status tide_snapshot_read(const tide_world *world, const void *bytes, size_t size, tide_snapshot **out,
                               tide_error *error)
{
    snapshot_header header;
    tide_snapshot *snapshot;
    if (size < sizeof header)
        return refuse("size", "it is too short to be one", error);
    memcpy(&header, bytes, sizeof header);
    tide_status status = check_header(world, &header, size, error);
    if (status == TIDE_OK)
        status = create(size, &snapshot, error); // aligned memory
    if (status != TIDE_OK)
        return status;
    memcpy(snapshot->bytes, bytes, size);
    status = check_parts(&header, snapshot->bytes, size, error);
    if (status != TIDE_OK)
        tide_snapshot_destroy(snapshot);
    else
        *out = snapshot;
    return status;
}

// --- reset and fork -------------------------------------------------------------------------------------------------

tide_status tide_world_mark_initial(tide_world *world, tide_error *error)
{
    if (world->initial)
        return TIDE_OK;
    tide_status status = tide_world_snapshot(world, &world->initial, error);
    if (status != TIDE_OK)
        return status;
    world->described_attachments = world->attachment_count;
    if (world->system && world->system->late_group != UINT32_MAX)
        world->system_changed = true; // rebuild it without late groups
    return TIDE_OK;
}

tide_status tide_world_reset(tide_world *world, tide_error *error)
{
    if (!world->initial)
        return TIDE_OK;
    tide_status status = tide_world_restore(world, world->initial, error);
    if (status == TIDE_OK)
        world->report = (tide_report) { 0 };
    return status;
}

tide_status tide_world_keep(tide_world *world, tide_error *error)
{
    tide_kept_state *kept = &world->kept;
    size_t count = 3 * (size_t)world->particle_count;
    if (!tide_grow(&kept->arrays, &kept->number_capacity, 2 * count, sizeof *kept->arrays) ||
        !tide_grow(&kept->pins, &kept->pin_capacity, world->pin_count, sizeof *kept->pins) ||
        !tide_grow(&kept->colliders, &kept->collider_capacity, world->collider_count, sizeof *kept->colliders) ||
        !tide_grow(&kept->contractions, &kept->contraction_capacity, world->contraction_count, sizeof(double)) ||
        !tide_grow(&kept->contacts.bytes, &kept->contacts.capacity, world->contact_history.size, 1) ||
        !tide_grow(&kept->deforms.bytes, &kept->deforms.capacity, tide_world_deform_size(world), 1))
        return tide_fail_memory(error, "world");
    if (count) {
        memcpy(kept->arrays, world->positions, count * sizeof *kept->arrays);
        memcpy(kept->arrays + count, world->velocities, count * sizeof *kept->arrays);
    }
    if (world->pin_count)
        memcpy(kept->pins, world->pins, world->pin_count * sizeof *kept->pins);
    if (world->contact_history.size)
        memcpy(kept->contacts.bytes, world->contact_history.bytes, world->contact_history.size);
    kept->contacts.size = world->contact_history.size;
    if (world->contraction_count)
        memcpy(kept->contractions, world->contractions, world->contraction_count * sizeof(double));
    kept->contraction_count = world->contraction_count;
    kept->collider_count = tide_world_collider_state_count(world);
    tide_world_get_collider_states(world, kept->colliders);
    kept->deforms.size = tide_world_deform_size(world);
    tide_world_save_deforms(world, kept->deforms.bytes);
    kept->pin_count = world->pin_count;
    kept->time = world->time;
    kept->frame = world->frame;
    kept->random = world->random;
    tide_status status = tide_world_keep_history(world, &kept->history, error);
    return status == TIDE_OK ? tide_world_reserve_history(world, kept->history.size, error) : status;
}

void tide_world_undo(tide_world *world)
{
    const tide_kept_state *kept = &world->kept;
    size_t count = 3 * (size_t)world->particle_count;
    if (count) {
        memcpy(world->positions, kept->arrays, count * sizeof *kept->arrays);
        memcpy(world->velocities, kept->arrays + count, count * sizeof *kept->arrays);
    }
    if (!same_pins(world, kept->pins, kept->pin_count))
        world->system_changed = true;
    if (kept->pin_count) // there is room: the world's array never shrinks
        memcpy(world->pins, kept->pins, kept->pin_count * sizeof *kept->pins);
    world->pin_count = kept->pin_count;
    tide_world_set_collider_states(world, kept->colliders, kept->collider_count);
    tide_world_set_contractions(world, kept->contractions, kept->contraction_count);
    tide_world_set_contact_history(world, kept->contacts.bytes, kept->contacts.size, NULL); // there is room
    world->time = kept->time;
    world->frame = kept->frame;
    world->random = kept->random;
    tide_world_load_deforms(world, kept->deforms.bytes, kept->deforms.size);
    tide_world_await_history(world, kept->history.solver, kept->history.bytes, kept->history.size);
    tide_world_clear_forces(world);
}

static tide_status copy_snapshot(const tide_snapshot *snapshot, tide_snapshot **copy, tide_error *error)
{
    tide_status status = create(snapshot->size, copy, error);
    if (status == TIDE_OK)
        memcpy((*copy)->bytes, snapshot->bytes, snapshot->size);
    return status;
}

// Copies bodies (at rest, under the same ids), attachments, colliders and the solver's options to a fork.
static tide_status copy_description(const tide_world *world, tide_world *fork, tide_error *error)
{
    tide_status status = TIDE_OK;
    for (size_t b = 0; b < world->body_count && status == TIDE_OK; b++) {
        tide_body *copy;
        status = tide_body_copy(world->bodies[b], &copy, error);
        if (status == TIDE_OK)
            status = tide_world_insert_body(fork, copy, error);
    }
    if (status == TIDE_OK)
        status = tide_world_copy_attachments(fork, world, error);
    if (status == TIDE_OK)
        status = tide_world_copy_collider_attachments(fork, world, error);
    if (status == TIDE_OK)
        status = tide_world_copy_colliders(fork, world, error);
    if (status == TIDE_OK)
        status =
            tide_world_set_solver(fork, tide_solver_kind_of(world->solver), tide_solver_options(world->solver), error);
    return status;
}

tide_status tide_world_fork(tide_world *world, tide_world **out, tide_error *error)
{
    tide_world *fork;
    tide_snapshot *now = NULL;
    tide_status status = tide_world_create(&world->settings, world, &fork, error);
    if (status != TIDE_OK)
        return status;
    status = copy_description(world, fork, error);
    if (status == TIDE_OK)
        status = tide_world_snapshot(world, &now, error);
    if (status == TIDE_OK)
        status = tide_world_restore(fork, now, error);
    tide_snapshot_destroy(now);
    if (status == TIDE_OK && world->initial)
        status = copy_snapshot(world->initial, &fork->initial, error);
    fork->described_attachments = world->described_attachments;
    if (status != TIDE_OK) {
        tide_world_destroy(fork);
        return status;
    }
    fork->report = world->report;
    *out = fork;
    return TIDE_OK;
}
