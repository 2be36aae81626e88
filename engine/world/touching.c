// Contact in the step of a world: settings, the ground, histories, warnings, and the list of contacts.
#include "base/log.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "world/collider_state.h"
#include "world/world_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// --- settings -------------------------------------------------------------------------------------------------------

tide_status tide_world_set_touching(tide_world *world, tide_body_id a, tide_body_id b, bool touching, tide_error *error)
{
    tide_body_info info;
    TIDE_TRY(tide_world_check_idle(world, "set_touching", error));
    TIDE_TRY(tide_world_check_body(world, a, &info, error));
    TIDE_TRY(tide_world_check_body(world, b, &info, error));
    uint64_t first = world->body_slots.items[a.index - 1].owner, second = world->body_slots.items[b.index - 1].owner;
    tide_world_body_pair pair = { { first < second ? first : second, first < second ? second : first }, touching };
    world->contacts_changed = world->untangling.edited = true;
    for (size_t i = 0; i < world->body_pair_count; i++)
        if (memcmp(world->body_pairs[i].bodies, pair.bodies, sizeof pair.bodies) == 0) {
            world->body_pairs[i].touching = touching;
            return TIDE_OK;
        }
    if (!tide_grow(&world->body_pairs, &world->body_pair_capacity, world->body_pair_count + 1,
                   sizeof *world->body_pairs))
        return tide_fail_memory(error, "world");
    world->body_pairs[world->body_pair_count++] = pair;
    return TIDE_OK;
}

// --- points of the surface ------------------------------------------------------------------------------------------

// Returns the body of a point, or NULL for a point of a collider. Sets *vertex to the point's vertex or, on a fine
// surface, to the vertex with the largest weight. Vertices of a rigid body are those of its surface.
static const tide_body *body_of_point(const tide_world *world, uint32_t point, uint32_t *vertex)
{
    if (point < world->particle_count) {
        const tide_body *body = tide_world_body_of_particle(world, point);
        *vertex = point - body->first_particle;
        return body;
    }
    uint32_t first = world->particle_count;
    for (size_t b = 0; b < world->body_count; b++) {
        const tide_embedding *e = world->bodies[b]->embedding;
        if (e && point - first < e->fine_count) {
            const double *weights = e->weights + 4 * (size_t)(point - first);
            size_t most = 0;
            for (size_t c = 1; c < 4; c++)
                most = weights[c] > weights[most] ? c : most;
            *vertex = world->bodies[b]->rigid ? point - first : e->vertices[4 * (size_t)(point - first) + most];
            return world->bodies[b];
        }
        first += e ? e->fine_count : 0;
    }
    return NULL;
}

// --- the step -------------------------------------------------------------------------------------------------------

// Returns the lowest height along the normal of the fine surfaces of bodies, which reach beyond their particles.
static double lowest_of_surfaces(const tide_world *world, const double normal[3])
{
    double lowest = INFINITY;
    for (size_t b = 0; b < world->body_count; b++) {
        const tide_embedding *e = world->bodies[b]->embedding;
        const double *x = world->positions + 3 * (size_t)world->bodies[b]->first_particle;
        for (size_t i = 0; e && i < e->fine_count; i++) {
            double height = 0;
            for (size_t k = 4 * i; k < 4 * i + 4; k++) {
                const double *p = x + 3 * (size_t)e->vertices[k];
                height += e->weights[k] * (normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2]);
            }
            lowest = height < lowest ? height : lowest;
        }
    }
    return lowest;
}

// Returns whether the next step may bring a particle to the ground. If not, the ground is left out of the contacts: it
// then costs nothing, and the step is bitwise that of a world without ground. The result depends on the state alone, so
// that a repeated step gives the same result. The bound on the fall in a step is 4 (h max |v| + h^2 |g|), plus 0.05 of
// the diagonal of the particles' bounds for the effect of springs, plus thickness.
static bool ground_is_in_reach(const tide_world *world)
{
    const double *g = world->settings.gravity, h = world->settings.timestep;
    double normal[3], lowest = INFINITY;
    tide_collider_gap_at(world->ground, &world->ground->start, world->ground->start.position, normal);
    double lower[3] = { INFINITY, INFINITY, INFINITY }, upper[3] = { -INFINITY, -INFINITY, -INFINITY }, fastest = 0;
    for (size_t i = 0; i < world->particle_count; i++) {
        const double *x = world->positions + 3 * i, *v = world->velocities + 3 * i;
        double height = normal[0] * x[0] + normal[1] * x[1] + normal[2] * x[2];
        double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        lowest = height < lowest ? height : lowest; // fmin and fmax would be function calls
        fastest = square > fastest ? square : fastest;
        for (int k = 0; k < 3; k++) {
            lower[k] = x[k] < lower[k] ? x[k] : lower[k];
            upper[k] = x[k] > upper[k] ? x[k] : upper[k];
        }
    }
    lowest = fmin(lowest, lowest_of_surfaces(world, normal));
    double size = 0, thickness = world->ground->thickness;
    for (int k = 0; k < 3; k++)
        size += (upper[k] - lower[k]) * (upper[k] - lower[k]);
    for (size_t b = 0; b < world->body_count; b++)
        thickness = fmax(thickness, world->ground->thickness +
                                        fmax(world->bodies[b]->look.thickness, 2 * world->bodies[b]->look.radius));
    double fall = h * sqrt(fastest) + h * h * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    const double *at = world->ground->start.position;
    lowest -= normal[0] * at[0] + normal[1] * at[1] + normal[2] * at[2];
    return !(lowest > 4 * fall + 0.05 * sqrt(size) + thickness);
}

// Returns the number of colliders in contact detection. The ground is the last one if it may be left out.
static uint32_t count_colliders(const tide_world *world)
{
    size_t count = tide_world_collider_state_count(world);
    return (uint32_t)(count < world->collider_count && ground_is_in_reach(world) ? world->collider_count : count);
}

static tide_status renew_contacts(tide_world *world, tide_error *error)
{
    tide_contact_surface *surface;
    tide_contacts *contacts;
    TIDE_TRY(tide_world_make_surface(world, false, &surface, error));
    TIDE_TRY(tide_contacts_create(surface, world->particle_count, world->colliders, world->touchable_count,
                                  &world->settings.contact, &contacts, error));
    tide_contacts_destroy(world->contacts);
    world->contacts = contacts;
    world->contacts_serial++;
    world->contacts_changed = false;
    world->contact_history_awaits = true;
    return TIDE_OK;
}

tide_status tide_world_update_contacts(tide_world *world, tide_error *error)
{
    tide_status status = tide_world_update_system(world, error);
    uint32_t touchable = count_colliders(world);
    world->contacts_changed = world->contacts_changed || touchable != world->touchable_count;
    world->touchable_count = touchable;
    if (status == TIDE_OK && (world->contacts_changed || !world->contacts))
        status = renew_contacts(world, error);
    if (status != TIDE_OK || !world->contact_history_awaits)
        return status;
    const tide_history *history = &world->contact_history;
    status = tide_contacts_load_history(world->contacts, history->bytes, history->size, error);
    if (status == TIDE_ERROR_STATE) // the history is of other contacts: begin without one
        status = tide_contacts_load_history(world->contacts, NULL, 0, error);
    world->contact_history_awaits = status != TIDE_OK;
    return status;
}

void tide_world_begin_contacts(tide_world *world)
{
    world->contacts_listed = false;
    for (size_t c = 0; c < world->collider_count; c++)
        tide_collider_follow(world->colliders[c], world->time + world->settings.timestep);
    tide_world_move_collider_attachments(world);
}

#define TOLD_AGAIN 1.5 // a depth is told again when it has grown by this factor

enum { PLACE = 96 };

// Writes " at (x, y, z)" as the step began, or nothing for a point of a fine surface.
static void write_place(const tide_world *world, uint32_t point, char place[PLACE])
{
    const double *at = world->positions + 3 * (size_t)point;
    place[0] = '\0';
    if (point < world->particle_count)
        snprintf(place, PLACE, " at (%.4g, %.4g, %.4g)", at[0], at[1], at[2]);
}

static void warn_of_initial_penetration(tide_world *world)
{
    tide_initial_penetration penetration = tide_contacts_initial_penetration(world->contacts);
    bool news = penetration.depth > TOLD_AGAIN * world->initial_penetration;
    if (news || penetration.depth == 0)
        world->initial_penetration = penetration.depth;
    if (!news || world->untangling.active) // which has told it
        return;
    char place[PLACE];
    write_place(world, penetration.point, place);
    uint32_t vertex;
    const tide_body *body = body_of_point(world, penetration.point, &vertex);
    tide_log(TIDE_LOG_WARNING,
             "body \"%s\": vertex %u began the step %.3g m inside collider \"%s\"%s and is brought out over the next "
             "steps; place it outside",
             body->name, vertex + 1, penetration.depth, world->colliders[penetration.collider]->name, place);
}

// Warns if colliders leave a body no room. A few points without room are normal where limbs overlap at a joint, so the
// warning needs a larger part of the body.
static void warn_of_squeeze(tide_world *world)
{
    enum { PART = 20 }; // the warning needs one vertex in so many
    tide_squeezed squeezed = tide_contacts_squeezed(world->contacts);
    if (world->told_of_squeeze || !(squeezed.lack > 0))
        return;
    uint32_t vertex;
    const tide_body *body = body_of_point(world, squeezed.point, &vertex);
    if (!body || squeezed.points < (body->surface ? body->surface : body->mesh)->vertex_count / PART)
        return;
    world->told_of_squeeze = true;
    char place[PLACE];
    write_place(world, squeezed.point, place);
    tide_log(
        TIDE_LOG_WARNING,
        "body \"%s\": colliders \"%s\" and \"%s\" leave it no room%s: %u of its vertices are squeezed, %.3g m too "
        "near to both; keep the colliders apart by more than the body is thick, or its folds crumple and steps become "
        "slow",
        body->name, world->colliders[squeezed.colliders[0]]->name, world->colliders[squeezed.colliders[1]]->name, place,
        squeezed.points, squeezed.lack);
}

// Warns if colliders press folds together: steps become slow and may fail later.
static void warn_of_press(tide_world *world)
{
    uint32_t vertex;
    tide_pressed pressed;
    if (world->told_of_squeeze || !tide_contacts_are_crowded(world->contacts) ||
        !tide_contacts_pressed(world->contacts, &pressed))
        return;
    const tide_body *body = body_of_point(world, pressed.point, &vertex);
    if (!body)
        return;
    world->told_of_squeeze = true;
    tide_log(
        TIDE_LOG_WARNING,
        "body \"%s\": colliders \"%s\" and \"%s\" press its folds together: there are %zu contacts, and steps become "
        "slow; keep these colliders farther apart than the folds are thick, or give the body a smaller `thickness`",
        body->name, world->colliders[pressed.colliders[0]]->name, world->colliders[pressed.colliders[1]]->name,
        pressed.contacts);
}

tide_status tide_world_end_contacts(tide_world *world, tide_error *error)
{
    tide_history *history = &world->contact_history;
    size_t size = tide_contacts_response(world->contacts) ? tide_contacts_history_size(world->contacts) : 0;
    if (!tide_grow(&history->bytes, &history->capacity, size, 1))
        return tide_fail_memory(error, "world");
    if (size)
        tide_contacts_save_history(world->contacts, history->bytes);
    history->size = size;
    for (size_t c = 0; c < world->collider_count; c++)
        tide_collider_end_motion(world->colliders[c]);
    if (size)
        warn_of_initial_penetration(world);
    if (size)
        warn_of_squeeze(world);
    if (size)
        warn_of_press(world);
    return TIDE_OK;
}

void tide_world_warn_of_unresolved(tide_world *world)
{
    uint64_t left = world->report.contact_phases.unresolved;
    if (left && !world->told_of_unresolved)
        tide_log(TIDE_LOG_WARNING,
                 "contact: continuous collision has left %" PRIu64 " impacts in frame %" PRIu64
                 ": held vertices or colliders leave no room, or the state before crosses; scene:certify() or "
                 "--certify tells where",
                 left, world->frame);
    world->told_of_unresolved = left > 0;
}

void tide_world_undo_contacts(tide_world *world)
{
    world->contact_history_awaits = true;
}

tide_status tide_world_set_contact_history(tide_world *world, const void *bytes, size_t size, tide_error *error)
{
    tide_history *history = &world->contact_history;
    if (!tide_grow(&history->bytes, &history->capacity, size, 1))
        return tide_fail_memory(error, "world");
    if (size)
        memcpy(history->bytes, bytes, size);
    history->size = size;
    world->contact_history_awaits = true;
    return TIDE_OK;
}

// --- the list of contacts -------------------------------------------------------------------------------------------

// Describes a touch by ids. Returns false for a touch with the mesh of a collider, which has no body on one side.
static bool contact_of(const tide_world *world, const tide_touch *touch, tide_contact *out)
{
    tide_contact contact = { .depth = touch->depth, .force = touch->force };
    const tide_body *body = body_of_point(world, touch->point, &contact.vertex);
    if (!body)
        return false;
    contact.body = body->id;
    memcpy(contact.point, touch->position, sizeof contact.point);
    memcpy(contact.normal, touch->normal, sizeof contact.normal);
    memcpy(contact.friction, touch->friction, sizeof contact.friction);
    if (touch->collider != TIDE_NO_COLLIDER)
        contact.collider = tide_world_collider_at(world, touch->collider);
    else {
        const tide_body *other = body_of_point(world, touch->other, &contact.other_vertex);
        if (!other)
            return false;
        contact.other = other->id;
    }
    *out = contact;
    return true;
}

const tide_contact *tide_world_contacts(tide_world *world, uint32_t *count)
{
    uint32_t touches = 0;
    *count = world->contact_count;
    if (world->contacts_listed)
        return world->contact_list;
    const tide_touch *touch = world->contacts && !world->contacts_changed && !world->contact_history_awaits
                                  ? tide_contacts_touches(world->contacts, &touches)
                                  : NULL;
    *count = 0;
    if (!tide_grow(&world->contact_list, &world->contact_capacity, touches, sizeof *world->contact_list))
        return NULL;
    for (uint32_t i = 0; i < touches; i++)
        *count += contact_of(world, &touch[i], &world->contact_list[*count]);
    return world->contact_list;
}

bool tide_world_collider_force(tide_world *world, tide_collider_id id, double force[3], double torque[3])
{
    const tide_collider *collider = tide_world_collider(world, id);
    if (!collider)
        return false;
    uint32_t count;
    const tide_contact *contacts = tide_world_contacts(world, &count);
    tide_vec3 sum = { 0 }, turn = { 0 }, centre = tide_vec3_load(collider->start.position);
    for (uint32_t i = 0; i < count; i++) {
        const tide_contact *c = &contacts[i];
        if (c->collider.index != id.index)
            continue;
        tide_vec3 on_body = tide_vec3_scale(tide_vec3_load(c->normal), c->force);
        tide_vec3 f = tide_vec3_scale(tide_vec3_add(on_body, tide_vec3_load(c->friction)), -1);
        tide_vec3 arm = tide_vec3_subtract(tide_vec3_load(c->point), centre);
        sum = tide_vec3_add(sum, f);
        turn = tide_vec3_add(turn, tide_vec3_cross(arm, f));
    }
    tide_vec3_store(force, sum);
    tide_vec3_store(torque, turn);
    for (uint32_t c = 0; c < world->touchable_count && count > 0; c++)
        if (world->colliders[c] == collider)
            tide_contacts_add_rolling_torque(world->contacts, c, torque);
    return true;
}
