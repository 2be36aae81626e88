// Snapshots: the complete state of a world as one block of bytes with a hash. Also reset, undo and fork.
#include "world/snapshot.h"
#include "base/hash.h"
#include "base/memory.h"
#include "world/collider_state.h"
#include "world/contact_keys.h"
#include "world/deform_state.h"
#include "world/element_numbers.h"
#include "world/exchange.h"
#include "world/rigid_reload.h"
#include "world/rod_frames.h"
#include "world/split_state.h"

#include <string.h>

// The layout of the bytes: this header, positions, velocities, forces, pins, states of colliders, states of
// joints, numbers, solver history, contact history, extra state, padding to a multiple of 8 bytes, vertices of
// colliders (deform_state.h). The padding is left out if there are no such vertices. If bodies are split, padding, the
// words of split_state.h and a split_footer follow. The hash leaves these out: it is that of the pieces, however they
// came about.
typedef struct snapshot_header {
    uint64_t identity; // of the bodies
    uint64_t frame, random;
    double time;
    uint64_t particle_count, pin_count;
    uint64_t solver; // hash of the solver's name
    uint32_t collider_count, joint_count;
    uint64_t number_count, history_size, contact_size, extra_size;
} snapshot_header;

uint64_t tide_world_identity(const tide_world *world)
{
    uint64_t hash = TIDE_HASH_START;
    for (size_t b = 0; b < world->body_count; b++)
        hash = tide_body_identity(world->bodies[b], hash);
    return hash;
}

typedef struct split_footer {
    uint64_t identity;         // of the bodies as described
    uint64_t word_count, size; // bytes from the padding on, this included
    uint64_t mark;
} split_footer;
#define SPLIT_MARK UINT64_C(0x7ff5717467645e5f) // no finite number, which vertices of colliders are

// Returns the footer of bytes, all 0 without one.
static split_footer footer_of(const unsigned char *bytes, size_t size)
{
    split_footer footer = { 0 };
    if (size >= sizeof(snapshot_header) + sizeof footer)
        memcpy(&footer, bytes + size - sizeof footer, sizeof footer);
    bool valid = footer.mark == SPLIT_MARK && footer.size <= size - sizeof(snapshot_header) &&
                 footer.size >= sizeof footer && footer.word_count <= (footer.size - sizeof footer) / sizeof(uint32_t);
    return valid ? footer : (split_footer) { 0 };
}

static const uint32_t *split_words(const unsigned char *bytes, size_t size, const split_footer *footer)
{
    return (const uint32_t *)(const void *)(bytes + size - sizeof *footer - footer->word_count * sizeof(uint32_t));
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
    return aligned(
        sizeof *header + 9 * (size_t)header->particle_count * sizeof(double) +
        (size_t)header->pin_count * sizeof(tide_pin) + (size_t)header->collider_count * sizeof(tide_collider_state) +
        (size_t)header->joint_count * sizeof(tide_joint_state) + (size_t)header->number_count * sizeof(double) +
        (size_t)header->history_size + (size_t)header->contact_size + (size_t)header->extra_size);
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

// Returns the size of the part of a snapshot about splits, after `before` bytes.
static size_t split_size(size_t before, const tide_words *words)
{
    return words->count ? aligned(before) - before + (words->count + words->count % 2) * sizeof *words->items +
                              sizeof(split_footer)
                        : 0;
}

static void put_splits(const tide_world *world, const tide_words *words, size_t size, tide_snapshot *snapshot)
{
    if (!words->count)
        return;
    split_footer footer = { tide_world_described_identity(world), words->count, size, SPLIT_MARK };
    unsigned char *end = snapshot->bytes + snapshot->size - sizeof footer;
    put(end - words->count * sizeof *words->items, words->items, words->count * sizeof *words->items);
    put(end, &footer, sizeof footer);
}

tide_status tide_world_snapshot(tide_world *world, tide_snapshot **out, tide_error *error)
{
    void *extra = NULL;
    size_t extra_size = 0;
    tide_status status = TIDE_OK;
    if (!world->stepping)
        tide_world_follow_frames(world);
    if (world->extra.save)
        status = world->extra.save(world->extra.context, &extra, &extra_size, error);
    if (status != TIDE_OK)
        return status;
    status = tide_world_put_untangling(world, error);
    if (status != TIDE_OK) {
        tide_free(extra);
        return status;
    }
    size_t array = 3 * (size_t)world->particle_count * sizeof(double), pins = world->pin_count * sizeof(tide_pin);
    size_t history = tide_world_history_size(world), contacts = world->contact_history.size;
    size_t collider_count = tide_world_collider_state_count(world);
    size_t colliders = collider_count * sizeof(tide_collider_state);
    size_t joints = world->joint_count * sizeof(tide_joint_state);
    size_t numbers = tide_world_number_count(world) * sizeof(double), deforms = tide_world_deform_size(world);
    snapshot_header header = { .identity = tide_world_identity(world),
                               .frame = world->frame,
                               .random = world->random.state,
                               .time = world->time,
                               .particle_count = world->particle_count,
                               .pin_count = world->pin_count,
                               .solver = tide_world_solver_identity(world),
                               .collider_count = (uint32_t)collider_count,
                               .joint_count = (uint32_t)world->joint_count,
                               .number_count = numbers / sizeof(double),
                               .history_size = history,
                               .contact_size = contacts,
                               .extra_size = extra_size };
    tide_snapshot *snapshot;
    size_t size = sizeof header + 3 * array + pins + colliders + joints + numbers + history + contacts + extra_size;
    size_t whole = deforms ? aligned(size) + deforms : size;
    tide_words words = { 0 };
    if (!tide_world_put_splits(world, &words))
        status = tide_fail_memory(error, "snapshot");
    if (status == TIDE_OK)
        status = create(whole + split_size(whole, &words), &snapshot, error);
    if (status == TIDE_OK) {
        unsigned char *next = put(snapshot->bytes, &header, sizeof header);
        next = put(next, world->positions, array);
        next = put(next, world->velocities, array);
        next = put(next, world->forces, array);
        next = put(next, world->pins, pins);
        tide_world_get_collider_states(world, (tide_collider_state *)(void *)next);
        next += colliders;
        tide_world_get_joint_states(world, (tide_joint_state *)(void *)next);
        next = put(next + joints, world->numbers, numbers);
        tide_world_save_history(world, next);
        next = put(next + history, world->contact_history.bytes, contacts);
        put(next, extra, extra_size);
        memset(snapshot->bytes + size, 0, snapshot->size - size);
        tide_world_save_deforms(world, snapshot->bytes + aligned(size));
        put_splits(world, &words, split_size(whole, &words), snapshot);
        *out = snapshot;
    }
    tide_free(words.items);
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
    size_t splits = footer_of(snapshot->bytes, snapshot->size).size;
    return tide_hash_bytes(TIDE_HASH_START, snapshot->bytes, snapshot->size - splits);
}

static uint64_t described_identity(const unsigned char *bytes, size_t size)
{
    snapshot_header header;
    split_footer footer = footer_of(bytes, size);
    memcpy(&header, bytes, sizeof header);
    return footer.size ? footer.identity : header.identity;
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
    return described_identity(snapshot->bytes, snapshot->size) == tide_world_described_identity(world);
}

// Makes the bodies of a snapshot, and room for them.
static tide_status make_bodies(tide_world *world, const unsigned char *bytes, size_t size, tide_body **bodies,
                               tide_error *error)
{
    split_footer footer = footer_of(bytes, size);
    TIDE_TRY(
        tide_world_make_bodies(world, split_words(bytes, size, &footer), (size_t)footer.word_count, bodies, error));
    tide_status status = tide_world_reserve_exchange(world, bodies, error);
    if (status != TIDE_OK)
        tide_world_drop_bodies(world, bodies);
    return status;
}

// Returns whether bodies are the world's own, which then need no exchange.
static bool are_present(const tide_world *world, tide_body *const *bodies)
{
    return !world->body_count || memcmp(bodies, world->bodies, world->body_count * sizeof *bodies) == 0;
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

// Exchanges the bodies if they differ, with `numbers` numbers of elements, all 1, for which there is room.
static void take_bodies(tide_world *world, tide_body **bodies, size_t numbers)
{
    if (are_present(world, bodies)) {
        tide_world_drop_bodies(world, bodies);
        return;
    }
    tide_world_exchange(world, bodies);
    tide_world_reserve_number_count(world, numbers, NULL);
}

tide_status tide_world_restore(tide_world *world, const tide_snapshot *snapshot, tide_error *error)
{
    snapshot_header header = header_of(snapshot);
    tide_status status = tide_world_check_idle(world, "restore", error);
    if (status != TIDE_OK)
        return status;
    if (!tide_world_fits(world, snapshot))
        return tide_fail(error, TIDE_ERROR_STATE, "snapshot", NULL, NULL,
                         "it is of other bodies than those of the scene; restore it in the scene where it was taken");
    size_t array = 3 * (size_t)header.particle_count * sizeof(double);
    const unsigned char *positions = snapshot->bytes + sizeof header, *pins = positions + 3 * array;
    const unsigned char *colliders = pins + header.pin_count * sizeof(tide_pin);
    const unsigned char *joints = colliders + header.collider_count * sizeof(tide_collider_state);
    const unsigned char *numbers = joints + header.joint_count * sizeof(tide_joint_state);
    const unsigned char *history = numbers + header.number_count * sizeof(double);
    const unsigned char *contacts = history + header.history_size, *extra = contacts + header.contact_size;
    const tide_collider_state *states = (const tide_collider_state *)(const void *)colliders;
    tide_contact_keys keys = { 0 };
    TIDE_SCOPED tide_body **bodies = tide_allocate_array(world->body_count, sizeof *bodies);
    if (!bodies || !tide_grow(&world->pins, &world->pin_capacity, header.pin_count, sizeof *world->pins) ||
        !tide_grow(&world->contact_history.bytes, &world->contact_history.capacity, header.contact_size, 1))
        return tide_fail_memory(error, "snapshot");
    TIDE_TRY(make_bodies(world, snapshot->bytes, snapshot->size, bodies, error));
    status = tide_world_reserve_history(world, header.history_size, error);
    if (status == TIDE_OK)
        status = tide_world_reserve_number_count(world, header.number_count, error);
    if (status == TIDE_OK)
        status = tide_contact_keys_create(world, NULL, states, header.collider_count, &keys, error);
    if (status == TIDE_OK && world->extra.load)
        status = world->extra.load(world->extra.context, extra, header.extra_size, error);
    if (status != TIDE_OK) {
        tide_contact_keys_free(&keys);
        tide_world_drop_bodies(world, bodies);
        return status;
    }
    bool fits = keys.same || are_present(world, bodies); // else the keys are of other surfaces
    take_bodies(world, bodies, header.number_count);
    tide_world_set_contact_history(world, contacts, fits ? header.contact_size : 0, NULL); // there is room
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
    tide_world_set_joint_states(world, (const tide_joint_state *)(const void *)joints, header.joint_count);
    tide_world_set_numbers(world, (const double *)(const void *)numbers, header.number_count);
    world->time = header.time;
    world->frame = header.frame;
    world->random.state = header.random;
    tide_world_fit_rigid(world);
    size_t rest = deforms_at(&header), end = snapshot->size - footer_of(snapshot->bytes, snapshot->size).size;
    tide_world_load_deforms(world, snapshot->bytes + rest, end > rest ? end - rest : 0);
    tide_world_await_history(world, header.solver, history, header.history_size);
    tide_world_note_frames(world);
    tide_world_take_untangling(world, contacts, header.contact_size, header.frame);
    return TIDE_OK;
}

tide_status tide_world_hash(tide_world *world, uint64_t *hash, tide_error *error)
{
    tide_snapshot *snapshot;
    TIDE_TRY(tide_world_snapshot(world, &snapshot, error));
    *hash = tide_snapshot_hash(snapshot);
    tide_snapshot_destroy(snapshot);
    return TIDE_OK;
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

// How many particles and elements the bodies of bytes have.
typedef struct extent {
    uint64_t particles;
    size_t elements;
} extent;

// Finds the extent. Fails for bytes of other bodies than those of the world.
static tide_status find_extent(const tide_world *world, const unsigned char *bytes, size_t size, extent *found,
                               tide_error *error)
{
    split_footer footer = footer_of(bytes, size);
    TIDE_SCOPED tide_body **bodies = tide_allocate_array(world->body_count, sizeof *bodies);
    if (!bodies)
        return tide_fail_memory(error, "saved world");
    if (described_identity(bytes, size) != tide_world_described_identity(world))
        return tide_fail(error, TIDE_ERROR_STATE, "saved world", NULL, NULL,
                         "it is of other bodies than those of the scene; open it in the scene that it was saved in");
    TIDE_TRY(
        tide_world_make_bodies(world, split_words(bytes, size, &footer), (size_t)footer.word_count, bodies, error));
    *found = (extent) { 0 };
    for (size_t b = 0; b < world->body_count; b++) {
        found->particles += tide_body_particle_count(bodies[b]);
        found->elements += tide_body_element_count(bodies[b]);
    }
    tide_world_drop_bodies(world, bodies);
    return TIDE_OK;
}

static tide_status check_header(const extent *all, const snapshot_header *header, size_t size, tide_error *error)
{
    size_t left = size - sizeof *header;
    if (header->particle_count != all->particles)
        return refuse("size", "it has another number of particles than its bodies; save it again", error);
    if (!take(&left, header->particle_count, 9 * sizeof(double)) || !take(&left, header->pin_count, sizeof(tide_pin)) ||
        !take(&left, header->collider_count, sizeof(tide_collider_state)) ||
        !take(&left, header->joint_count, sizeof(tide_joint_state)) ||
        header->number_count > TIDE_NUMBER_KINDS * all->elements ||
        !take(&left, header->number_count, sizeof(double)) || !take(&left, header->history_size, 1) ||
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
        bool is_there = pin->particle < particles || tide_pin_is_of_rigid(pin->particle); // links.c checks these
        if (!is_there || (p && pin->particle <= pins[p - 1].particle) || !stiff ||
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

static tide_status check_parts(const extent *all, const snapshot_header *header, const unsigned char *bytes,
                               size_t size, tide_error *error)
{
    size_t count = 3 * (size_t)header->particle_count;
    const double *numbers = (const double *)(const void *)(bytes + sizeof *header);
    const tide_pin *pins = (const tide_pin *)(const void *)(numbers + 3 * count);
    const tide_collider_state *colliders = (const tide_collider_state *)(const void *)(pins + header->pin_count);
    const tide_joint_state *joints = (const tide_joint_state *)(const void *)(colliders + header->collider_count);
    const double *factors = (const double *)(const void *)(joints + header->joint_count);
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
    if (!tide_joint_states_are_valid(joints, header->joint_count))
        return refuse("joints", "expected motors that a hinge can have, and finite angles and torques", error);
    return tide_world_numbers_are_valid(factors, header->number_count, all->elements)
               ? TIDE_OK
               : refuse("elements", "expected factors of rest lengths and stiffnesses, and plastic strains, in range",
                        error);
}

tide_status tide_snapshot_read(const tide_world *world, const void *bytes, size_t size, tide_snapshot **out,
                               tide_error *error)
{
    snapshot_header header;
    tide_snapshot *snapshot;
    if (size < sizeof header)
        return refuse("size", "it is too short to be one", error);
    memcpy(&header, bytes, sizeof header);
    extent all = { 0 };
    TIDE_TRY(create(size, &snapshot, error)); // aligned memory
    memcpy(snapshot->bytes, bytes, size);
    tide_status status = find_extent(world, snapshot->bytes, size, &all, error);
    size -= footer_of(snapshot->bytes, size).size;
    if (status == TIDE_OK)
        status = check_header(&all, &header, size, error);
    if (status == TIDE_OK)
        status = check_parts(&all, &header, snapshot->bytes, size, error);
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
    TIDE_TRY(tide_world_snapshot(world, &world->initial, error));
    world->described_attachments = world->attachment_count;
    if (world->system && world->system->late_group != UINT32_MAX)
        world->system_changed = true; // rebuild it without late groups
    return TIDE_OK;
}

tide_status tide_world_reset(tide_world *world, tide_error *error)
{
    if (!world->initial)
        return TIDE_OK;
    TIDE_TRY(tide_world_restore(world, world->initial, error));
    world->report = (tide_report) { 0 };
    return TIDE_OK;
}

tide_status tide_world_keep(tide_world *world, tide_error *error)
{
    tide_kept_state *kept = &world->kept;
    size_t count = 3 * (size_t)world->particle_count;
    TIDE_TRY(tide_world_put_untangling(world, error));
    if (!tide_grow(&kept->arrays, &kept->array_capacity, 2 * count, sizeof *kept->arrays) ||
        !tide_grow(&kept->pins, &kept->pin_capacity, world->pin_count, sizeof *kept->pins) ||
        !tide_grow(&kept->colliders, &kept->collider_capacity, world->collider_count, sizeof *kept->colliders) ||
        !tide_grow(&kept->joints, &kept->joint_capacity, world->joint_count, sizeof *kept->joints) ||
        !tide_grow(&kept->numbers, &kept->number_capacity, world->number_count, sizeof(double)) ||
        !tide_grow(&kept->contacts.bytes, &kept->contacts.capacity, world->contact_history.size, 1) ||
        !tide_grow(&kept->deforms.bytes, &kept->deforms.capacity, tide_world_deform_size(world), 1) ||
        !tide_grow(&kept->bodies, &kept->body_capacity, world->body_count, sizeof(tide_body *)))
        return tide_fail_memory(error, "world");
    tide_world_drop_kept_bodies(world);
    for (; kept->body_count < world->body_count; kept->body_count++)
        kept->bodies[kept->body_count] = tide_body_retain(world->bodies[kept->body_count]);
    if (count) {
        memcpy(kept->arrays, world->positions, count * sizeof *kept->arrays);
        memcpy(kept->arrays + count, world->velocities, count * sizeof *kept->arrays);
    }
    if (world->pin_count)
        memcpy(kept->pins, world->pins, world->pin_count * sizeof *kept->pins);
    if (world->contact_history.size)
        memcpy(kept->contacts.bytes, world->contact_history.bytes, world->contact_history.size);
    kept->contacts.size = world->contact_history.size;
    if (world->number_count)
        memcpy(kept->numbers, world->numbers, world->number_count * sizeof(double));
    kept->number_count = world->number_count;
    kept->collider_count = tide_world_collider_state_count(world);
    tide_world_get_collider_states(world, kept->colliders);
    tide_world_get_joint_states(world, kept->joints);
    kept->deforms.size = tide_world_deform_size(world);
    tide_world_save_deforms(world, kept->deforms.bytes);
    kept->pin_count = world->pin_count;
    kept->time = world->time;
    kept->frame = world->frame;
    kept->random = world->random;
    tide_status status = tide_world_keep_history(world, &kept->history, error);
    return status == TIDE_OK ? tide_world_reserve_history(world, kept->history.size, error) : status;
}

// Puts the kept bodies back if others are in their place. There is room: arrays never shrink.
static void undo_bodies(tide_world *world)
{
    tide_kept_state *kept = &world->kept;
    if (kept->body_count != world->body_count || are_present(world, kept->bodies))
        return;
    for (size_t b = 0; b < kept->body_count; b++)
        tide_body_retain(kept->bodies[b]);
    tide_world_exchange(world, kept->bodies);
    tide_world_reserve_number_count(world, kept->number_count, NULL);
}

void tide_world_undo(tide_world *world)
{
    undo_bodies(world);
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
    tide_world_set_joint_states(world, kept->joints, world->joint_count);
    tide_world_set_numbers(world, kept->numbers, kept->number_count);
    tide_world_set_contact_history(world, kept->contacts.bytes, kept->contacts.size, NULL); // there is room
    world->time = kept->time;
    world->frame = kept->frame;
    world->random = kept->random;
    tide_world_load_deforms(world, kept->deforms.bytes, kept->deforms.size);
    tide_world_await_history(world, kept->history.solver, kept->history.bytes, kept->history.size);
    tide_world_clear_forces(world);
    tide_world_note_frames(world);
    tide_world_take_untangling(world, kept->contacts.bytes, kept->contacts.size, kept->frame);
}

static tide_status copy_snapshot(const tide_snapshot *snapshot, tide_snapshot **copy, tide_error *error)
{
    TIDE_TRY(create(snapshot->size, copy, error));
    memcpy((*copy)->bytes, snapshot->bytes, snapshot->size);
    return TIDE_OK;
}

// Copies bodies (at rest, under the same ids), attachments, colliders and the solver's options to a fork.
static tide_status copy_description(const tide_world *world, tide_world *fork, tide_error *error)
{
    for (size_t b = 0; b < world->body_count; b++) {
        tide_body *copy;
        TIDE_TRY(tide_body_copy(world->bodies[b], &copy, error));
        TIDE_TRY(tide_world_insert_body(fork, copy, error));
    }
    TIDE_TRY(tide_world_copy_attachments(fork, world, error));
    TIDE_TRY(tide_world_copy_joints(fork, world, error));
    TIDE_TRY(tide_world_copy_collider_attachments(fork, world, error));
    TIDE_TRY(tide_world_copy_colliders(fork, world, error));
    return tide_world_set_solver(fork, tide_solver_kind_of(world->solver), tide_solver_options(world->solver), error);
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
