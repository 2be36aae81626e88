#include "world/links.h"

#include "base/memory.h"
#include "base/vec3.h"
#include "solver/rigid_bodies.h"
#include "world/world_state.h"

#include <stdio.h>
#include <string.h>

// --- points ---------------------------------------------------------------------------------------------------------

static tide_point point_of_rigid(const tide_body *body, uint32_t vertex)
{
    tide_point point = { .count = 4, .corner_count = 1, .corners = { vertex } };
    for (size_t i = 0; i < 4; i++) {
        point.particles[i] = body->first_particle + body->embedding->vertices[4 * (size_t)vertex + i];
        point.weights[i] = body->embedding->weights[4 * (size_t)vertex + i];
    }
    return point;
}

bool tide_world_is_rigid(const tide_world *world, tide_body_id id)
{
    const tide_body *body = tide_world_lookup(world, id);
    return body && body->rigid;
}

tide_status tide_world_find_point(const tide_world *world, tide_body_id id, uint32_t vertex, const char *field,
                                  tide_point *point, tide_error *error)
{
    const tide_body *body = tide_world_lookup(world, id);
    if (body && body->rigid && vertex < body->surface->vertex_count) {
        *point = point_of_rigid(body, vertex);
        return TIDE_OK;
    }
    *point = (tide_point) { .count = 1, .weights = { 1 } };
    return tide_world_find_vertex(world, id, vertex, field, &point->particles[0], error);
}

void tide_point_apply(const tide_point *point, const double *array, double out[3])
{
    for (size_t k = 0; k < 3; k++) {
        out[k] = 0;
        for (uint32_t i = 0; i < point->count; i++)
            out[k] += point->weights[i] * array[3 * (size_t)point->particles[i] + k];
    }
}

bool tide_world_vertex(const tide_world *world, tide_body_id id, uint32_t vertex, double position[3],
                       double velocity[3])
{
    tide_point point;
    const tide_body *body = tide_world_lookup(world, id);
    if (!body || vertex >= tide_body_face(body)->vertex_count)
        return false;
    point = body->rigid ? point_of_rigid(body, vertex)
                        : (tide_point) { .count = 1, .particles = { body->first_particle + vertex }, .weights = { 1 } };
    tide_point_apply(&point, world->positions, position);
    if (velocity)
        tide_point_apply(&point, world->velocities, velocity);
    return true;
}

// The weights are the barycentric coordinates: ratios of volumes.
tide_point tide_world_point_at(const tide_world *world, const tide_body *body, const double place[3])
{
    tide_point point = { .count = 4 };
    tide_vec3 from[4], p = tide_vec3_load(place);
    for (uint32_t i = 0; i < 4; i++) {
        point.particles[i] = body->first_particle + i;
        from[i] = tide_vec3_subtract(tide_vec3_load(world->positions + 3 * (size_t)point.particles[i]), p);
    }
    double volumes[4], sum = 0;
    for (int i = 0; i < 4; i++) {
        tide_vec3 across = tide_vec3_cross(from[(i + 1) % 4], from[(i + 2) % 4]);
        volumes[i] = tide_vec3_dot(across, from[(i + 3) % 4]) * (i % 2 ? -1 : 1);
        sum += volumes[i];
    }
    for (int i = 0; i < 4; i++)
        point.weights[i] = volumes[i] / sum;
    return point;
}

// --- elements -------------------------------------------------------------------------------------------------------

tide_status tide_world_add_link(tide_world *world, const tide_link *link, tide_error *error)
{
    if (!tide_grow(&world->links, &world->link_capacity, world->link_count + 1, sizeof *world->links))
        return tide_fail_memory(error, "attachments");
    world->links[world->link_count++] = *link;
    world->system_changed = true;
    world->contacts_changed = true; // attached places do not touch each other
    return TIDE_OK;
}

static double mass_of(const tide_world *world, const tide_point *point)
{
    double mass = 0;
    for (uint32_t i = 0; i < point->count; i++) {
        const tide_body *body = tide_world_body_of_particle(world, point->particles[i]);
        mass += body->masses[point->particles[i] - body->first_particle];
    }
    return mass;
}

static double stiffness_of(const tide_world *world, const tide_link *link)
{
    if (tide_given(link->stiffness))
        return link->stiffness;
    const tide_solver_common *common = tide_solver_options(world->solver);
    double rate = common->substeps / world->settings.timestep, mass = mass_of(world, &link->ends[0]);
    if (link->ends[1].count)
        mass = fmin(mass, mass_of(world, &link->ends[1]));
    return TIDE_LINK_EXACT * mass * rate * rate;
}

static uint32_t size_of(const tide_link *link)
{
    return link->ends[0].count + link->ends[1].count;
}

static void find_target(const tide_world *world, const tide_link *link, double target[3])
{
    memcpy(target, link->target, sizeof link->target);
    if (link->carrier)
        tide_pose_apply(&world->colliders[link->carrier - 1]->end, link->target, target);
}

static void set_target(const tide_world *world, const tide_link *link, double *parameters, size_t count, size_t e)
{
    double target[3] = { 0 };
    if (!link->ends[1].count)
        find_target(world, link, target);
    for (size_t k = 0; k < 3; k++)
        parameters[(TIDE_LINK_X + k) * count + e] = target[k];
}

static void fill_link(const tide_world *world, const tide_link *link, uint32_t *vertices, double *parameters,
                      size_t count, size_t e)
{
    uint32_t size = size_of(link), next = 0;
    parameters[TIDE_LINK_STIFFNESS * count + e] = stiffness_of(world, link);
    set_target(world, link, parameters, count, e);
    for (int end = 0; end < 2; end++)
        for (uint32_t i = 0; i < link->ends[end].count; i++, next++) {
            vertices[size * e + next] = link->ends[end].particles[i];
            parameters[(TIDE_LINK_WEIGHTS + next) * count + e] = (end ? -1 : 1) * link->ends[end].weights[i];
        }
}

static tide_status add_links(const tide_world *world, const tide_link *links, size_t total, uint32_t size,
                             const tide_element_kind *kind, tide_system *system, tide_error *error)
{
    size_t count = 0, next = 0;
    for (size_t i = 0; i < total; i++)
        count += size_of(&links[i]) == size;
    if (!count)
        return TIDE_OK;
    TIDE_SCOPED uint32_t *vertices = tide_allocate_array(count, size * sizeof *vertices);
    TIDE_SCOPED double *parameters = tide_allocate_array(count, kind->parameter_count * sizeof *parameters);
    if (!vertices || !parameters)
        return tide_fail_memory(error, "attachments");
    for (size_t i = 0; i < total; i++)
        if (size_of(&links[i]) == size)
            fill_link(world, &links[i], vertices, parameters, count, next++);
    return tide_system_add(system, kind, (uint32_t)count, vertices, parameters, error);
}

uint64_t tide_world_rigid_pin(const tide_world *world, const tide_body *body, uint32_t vertex)
{
    uint64_t index = tide_slots_owner(&world->body_slots, body->id.index, body->id.generation);
    return (index + 1) << 32 | vertex;
}

uint32_t tide_world_pinned_particle(const tide_world *world, uint64_t particle)
{
    uint64_t index = (particle >> 32) - 1;
    if (!tide_pin_is_of_rigid(particle))
        return (uint32_t)particle;
    return index < world->body_count ? world->bodies[index]->first_particle : 0;
}

// Finds the link of a pin on a rigid body. Returns false for other pins, and for a vertex that the body does not have,
// as a snapshot of another mesh may name.
static bool link_of_pin(const tide_world *world, const tide_pin *pin, tide_link *link)
{
    if (!tide_pin_is_of_rigid(pin->particle))
        return false;
    uint64_t index = (pin->particle >> 32) - 1;
    const tide_body *body = index < world->body_count ? world->bodies[index] : NULL;
    uint32_t vertex = (uint32_t)pin->particle;
    if (!body || !body->rigid || vertex >= body->surface->vertex_count)
        return false;
    *link = (tide_link) { .ends = { point_of_rigid(body, vertex) }, .stiffness = pin->stiffness };
    memcpy(link->target, pin->target, sizeof link->target);
    return true;
}

bool tide_world_has_rigid_pins(const tide_world *world)
{
    tide_link link;
    for (size_t p = 0; p < world->pin_count; p++)
        if (link_of_pin(world, &world->pins[p], &link))
            return true;
    return false;
}

void tide_world_move_rigid_pins(const tide_world *world, tide_elements *elements)
{
    uint32_t next = 0;
    tide_link link;
    for (size_t p = 0; p < world->pin_count; p++) {
        if (!link_of_pin(world, &world->pins[p], &link))
            continue;
        for (size_t k = 0; k < 3; k++)
            elements->parameters[(TIDE_LINK_X + k) * elements->count + next] = link.target[k];
        next++;
    }
}

bool tide_world_has_carried_links(const tide_world *world)
{
    for (size_t i = 0; i < world->link_count; i++)
        if (world->links[i].carrier)
            return true;
    return false;
}

void tide_world_move_carried_links(const tide_world *world, tide_elements *elements)
{
    size_t next = 0;
    for (size_t i = 0; i < world->link_count; i++)
        if (size_of(&world->links[i]) == 4)
            set_target(world, &world->links[i], elements->parameters, elements->count, next++);
}

static tide_status add_pins(const tide_world *world, tide_system *system, tide_error *error)
{
    TIDE_SCOPED tide_link *links = tide_allocate_array(world->pin_count, sizeof *links);
    size_t count = 0;
    if (!links)
        return tide_fail_memory(error, "pins");
    for (size_t p = 0; p < world->pin_count; p++)
        count += link_of_pin(world, &world->pins[p], &links[count]);
    return add_links(world, links, count, 4, &tide_link_4, system, error);
}

tide_status tide_world_add_links(const tide_world *world, tide_system *system, tide_error *error)
{
    static const struct {
        uint32_t size;
        const tide_element_kind *kind;
    } kinds[] = { { 4, &tide_link_4 }, { 5, &tide_link_5 }, { 7, &tide_link_7 }, { 8, &tide_link_8 } };
    tide_status status = add_pins(world, system, error);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && status == TIDE_OK; i++)
        status = add_links(world, world->links, world->link_count, kinds[i].size, kinds[i].kind, system, error);
    return status;
}
