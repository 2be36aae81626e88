// Damping of velocities before a step: drag on all motion, and deformation drag, which keeps the rigid motion of each
// body (Mueller et al. 2007, sec. 3.5):
//
//     v_i <- v_i + k (v_cm + omega x r_i - v_i),    omega = I^-1 L,    k = 1 - exp(-deformation_drag h)
//
// with r_i from the centre of mass, L the angular momentum about it and I the inertia tensor, all of the body's free
// particles. Linear and angular momentum are conserved.
#include "base/elementary.h"
#include "world/rigid_fit.h"
#include "world/rod_frames.h"

// Computes the rigid motion of a body's free particles. Returns false if there are none.
static bool find_motion(const tide_world *world, const tide_body *body, const double *velocities,
                        tide_motion_fit *motion)
{
    size_t first = body->first_particle;
    return tide_fit_motion(tide_body_particle_count(body), world->system->masses + first, world->system->rows + first,
                           world->positions + 3 * first, velocities + 3 * first, motion);
}

static void damp_deformation(tide_world *world, const tide_body *body, double k)
{
    tide_motion_fit motion;
    if (!find_motion(world, body, world->damped_velocities, &motion))
        return;
    for (uint32_t p = body->first_particle; p < body->first_particle + tide_body_particle_count(body); p++) {
        if (world->system->rows[p] == TIDE_PINNED)
            continue;
        double *v = world->damped_velocities + 3 * (size_t)p;
        tide_vec3 now = tide_vec3_load(v);
        tide_vec3 arm = tide_vec3_subtract(tide_vec3_load(world->positions + 3 * (size_t)p), motion.centre);
        tide_vec3 rigid = tide_vec3_add(motion.velocity, tide_vec3_cross(motion.spin, arm));
        tide_vec3_store(v, tide_vec3_add(now, tide_vec3_scale(tide_vec3_subtract(rigid, now), k)));
    }
}

void tide_world_damp_velocities(tide_world *world)
{
    const tide_world_settings *settings = &world->settings;
    double factor = tide_exp(-settings->drag * settings->timestep);
    for (size_t i = 0; i < 3 * (size_t)world->particle_count; i++)
        world->damped_velocities[i] = factor * world->velocities[i];
    if (settings->deformation_drag == 0)
        return;
    double k = -tide_expm1(-settings->deformation_drag * settings->timestep);
    for (size_t b = 0; b < world->body_count; b++)
        damp_deformation(world, world->bodies[b], k);
}

tide_status tide_world_motion(tide_world *world, tide_body_id id, tide_body_motion *out, tide_error *error)
{
    tide_body_info info;
    tide_motion_fit motion;
    TIDE_TRY(tide_world_check_body(world, id, &info, error));
    TIDE_TRY(tide_world_update_system(world, error));
    find_motion(world, tide_world_lookup(world, id), world->velocities, &motion);
    tide_vec3_store(out->centre, motion.centre);
    tide_vec3_store(out->velocity, motion.velocity);
    tide_vec3_store(out->spin, motion.spin);
    return TIDE_OK;
}

tide_status tide_world_set_motion(tide_world *world, tide_body_id id, const tide_body_motion *motion, tide_error *error)
{
    tide_body_motion now;
    TIDE_TRY(tide_world_check_idle(world, "set_motion", error));
    TIDE_TRY(tide_world_motion(world, id, &now, error));
    TIDE_TRY(tide_world_check_vector(world, id, "set_motion.velocity", motion->velocity, error));
    TIDE_TRY(tide_world_check_vector(world, id, "set_motion.spin", motion->spin, error));
    const tide_body *body = tide_world_lookup(world, id);
    tide_world_follow_frames(world);
    for (uint32_t p = body->first_particle; p < body->first_particle + tide_body_particle_count(body); p++) {
        tide_vec3 arm =
            tide_vec3_subtract(tide_vec3_load(world->positions + 3 * (size_t)p), tide_vec3_load(now.centre));
        tide_vec3_store(
            world->velocities + 3 * (size_t)p,
            tide_vec3_add(tide_vec3_load(motion->velocity), tide_vec3_cross(tide_vec3_load(motion->spin), arm)));
    }
    tide_world_note_body_frames(world, body);
    return TIDE_OK;
}
