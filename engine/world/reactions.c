#include "world/reactions.h"

#include "base/memory.h"
#include "base/vec3.h"
#include "world/world_state.h"

#include <string.h>

// Adds `factor` dE/dx of groups [begin, end) of the system to `out` (3 * body's vertices), at the body's particles.
static void add_gradients(const tide_world *world, const tide_body *body, uint32_t begin, uint32_t end, double factor,
                          double *out)
{
    enum { BLOCK = 64 };
    double block[BLOCK * TIDE_ELEMENT_MAX_NUMBERS];
    for (uint32_t g = begin; g < end; g++) {
        const tide_elements *group = &world->system->groups[g];
        uint32_t corners = group->kind->vertex_count;
        for (uint32_t first = 0; first < group->count; first += BLOCK) {
            uint32_t last = group->count - first < BLOCK ? group->count : first + BLOCK;
            group->kind->gradient(group, world->positions, first, last, block);
            for (uint32_t i = 0; i < corners * (last - first); i++) {
                uint32_t vertex = group->vertices[(size_t)corners * first + i] - body->first_particle;
                for (size_t k = 0; k < 3 && vertex < tide_body_particle_count(body); k++) // other bodies wrap around
                    out[3 * (size_t)vertex + k] += factor * block[3 * i + k];
            }
        }
    }
}

// Adds the forces of the contacts of the last step to `out` (3 * particle_count).
static void add_contacts(const tide_world *world, double *out)
{
    if (world->stepped && world->contacts && !world->contacts_changed && !world->contact_history_awaits &&
        tide_contacts_response(world->contacts))
        tide_contacts_add_forces(world->contacts, world->positions, out);
}

// Returns m a - f_external of a particle along an axis.
static double inertia_and_load(const tide_world *world, bool known, uint32_t particle, size_t axis)
{
    size_t i = 3 * (size_t)particle + axis;
    double mass = world->system->masses[particle];
    if (!known)
        return -mass * world->settings.gravity[axis];
    double change = world->velocities[i] - world->damped_velocities[i];
    return mass * change / world->settings.timestep - world->total_forces[i];
}

// Adds the reactions at pinned frames of rods, one half to each end of the edge, and keeps their couples, N m.
static void add_frames(const tide_world *world, const tide_body *body, bool known, const double *inner, double *out)
{
    for (uint32_t e = 0; e < body->frame_count; e++) {
        size_t vertex = body->mesh->vertex_count + (size_t)e, particle = body->first_particle + vertex;
        const uint32_t *edge = body->mesh->edges + 2 * (size_t)e;
        double force[3] = { 0 }, arm[3];
        for (size_t k = 0; k < 3; k++) {
            const double *x = world->positions + 3 * (size_t)body->first_particle + k;
            if (world->system->rows[particle] == TIDE_PINNED)
                force[k] = inertia_and_load(world, known, (uint32_t)particle, k) + inner[3 * vertex + k];
            arm[k] = x[3 * vertex] - (x[3 * (size_t)edge[0]] + x[3 * (size_t)edge[1]]) / 2;
            out[3 * (size_t)edge[0] + k] += force[k] / 2;
            out[3 * (size_t)edge[1] + k] += force[k] / 2;
        }
        tide_vec3_store(body->couples + 3 * (size_t)e, tide_vec3_cross(tide_vec3_load(arm), tide_vec3_load(force)));
    }
}

// Computes the reactions from `inner` (dE/dx of the body's own elements) and `contact` (3 * particle_count), both
// zeroed.
static tide_status compute(tide_world *world, tide_body_id id, double *inner, double *contact, double *out,
                           tide_error *error)
{
    const tide_elements *own;
    uint32_t count;
    bool known = tide_world_is_of_last_step(world); // before the system is rebuilt
    TIDE_TRY(tide_world_groups(world, id, &own, &count, error));
    const tide_body *body = tide_world_lookup(world, id);
    uint32_t first = (uint32_t)(own - world->system->groups), held = tide_world_held_groups(world);
    add_gradients(world, body, first, first + count, 1, inner);
    if (known)
        add_contacts(world, contact);
    memset(out, 0, 3 * (size_t)body->mesh->vertex_count * sizeof *out);
    // The places where a rigid body is held have moved to the rigid shape since their forces acted. The sum of these
    // follows from the motion.
    for (uint32_t v = 0; body->rigid && v < body->mesh->vertex_count; v++)
        for (size_t k = 0, n = 3 * (size_t)v; k < 3; k++, n++)
            out[n] = inertia_and_load(world, known, body->first_particle + v, k) -
                     contact[3 * ((size_t)body->first_particle + v) + k];
    if (body->rigid)
        return TIDE_OK;
    add_gradients(world, body, held, world->system->group_count, -1, out);
    for (uint32_t v = 0; v < body->mesh->vertex_count; v++) {
        uint32_t particle = body->first_particle + v;
        for (size_t k = 0, n = 3 * (size_t)v; world->system->rows[particle] == TIDE_PINNED && k < 3; k++, n++)
            out[n] = inertia_and_load(world, known, particle, k) + inner[n] - contact[3 * (size_t)particle + k];
    }
    add_frames(world, body, known, inner, out);
    return TIDE_OK;
}

tide_status tide_world_reactions(tide_world *world, tide_body_id id, double *out, tide_error *error)
{
    tide_body_info info;
    TIDE_TRY(tide_world_check_body(world, id, &info, error));
    uint32_t particles = tide_body_particle_count(tide_world_lookup(world, id));
    TIDE_SCOPED double *inner = tide_allocate_zeroed(particles, 3 * sizeof *inner);
    TIDE_SCOPED double *contact = tide_allocate_zeroed(world->particle_count, 3 * sizeof *contact);
    return inner && contact ? compute(world, id, inner, contact, out, error) : tide_fail_memory(error, "reactions");
}

tide_status tide_world_contact_forces(tide_world *world, tide_body_id id, double *out, tide_error *error)
{
    tide_body_info info;
    TIDE_TRY(tide_world_check_body(world, id, &info, error));
    TIDE_SCOPED double *all = tide_allocate_zeroed(world->particle_count, 3 * sizeof *all);
    if (!all)
        return tide_fail_memory(error, "contact forces");
    if (tide_world_is_of_last_step(world))
        add_contacts(world, all);
    memcpy(out, all + 3 * (size_t)info.first_particle, 3 * (size_t)info.vertex_count * sizeof *out);
    return TIDE_OK;
}

bool tide_world_sum_forces(const tide_world *world, tide_body_id id, const double *forces, const uint32_t *vertices,
                           uint32_t count, const double point[3], double force[3], double torque[3])
{
    const tide_body *body = tide_world_lookup(world, id);
    tide_vec3 sum = { 0 }, turn = { 0 }, centre = tide_vec3_load(point);
    if (!body)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        size_t vertex = vertices ? vertices[i] : i;
        tide_vec3 f = tide_vec3_load(forces + 3 * vertex);
        tide_vec3 at = tide_vec3_load(world->positions + 3 * (body->first_particle + vertex));
        sum = tide_vec3_add(sum, f);
        turn = tide_vec3_add(turn, tide_vec3_cross(tide_vec3_subtract(at, centre), f));
    }
    tide_vec3_store(force, sum);
    tide_vec3_store(torque, turn);
    return true;
}

void tide_world_add_couples(const tide_world *world, tide_body_id id, const uint32_t *vertices, uint32_t count,
                            double torque[3])
{
    const tide_body *body = tide_world_lookup(world, id);
    for (uint32_t e = 0; body && e < body->frame_count; e++) {
        const uint32_t *edge = body->mesh->edges + 2 * (size_t)e;
        bool found[2] = { !vertices, !vertices };
        for (uint32_t i = 0; vertices && i < count; i++)
            for (int k = 0; k < 2; k++)
                found[k] = found[k] || vertices[i] == edge[k];
        for (size_t k = 0; found[0] && found[1] && k < 3; k++)
            torque[k] += body->couples[3 * (size_t)e + k];
    }
}
