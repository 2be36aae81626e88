// Damping of velocities before a step: drag on all motion, and deformation drag, which keeps the rigid motion of each
// body (Mueller et al. 2007, sec. 3.5):
//
//     v_i <- v_i + k (v_cm + omega x r_i - v_i),    omega = I^-1 L,    k = 1 - exp(-deformation_drag h)
//
// with r_i from the centre of mass, L the angular momentum about it and I the inertia tensor, all of the body's free
// particles. Linear and angular momentum are conserved.
#include "base/vec3.h"
#include "world/world_state.h"

typedef struct rigid_motion {
    tide_vec3 centre, velocity, omega;
} rigid_motion;

// Returns a solution of A x = b for a positive semidefinite A with b in its range, by Gauss-Jordan elimination with
// diagonal pivoting; overwrites A and b. Pivots that are 0 within rounding are skipped and give x = 0 there, because
// that part of x has no effect.
static tide_vec3 solve_semidefinite(double a[3][3], double b[3])
{
    double x[3] = { 0 }, least = 1e-13 * (a[0][0] + a[1][1] + a[2][2]);
    bool used[3] = { false };
    for (int round = 0; round < 3; round++) {
        int p = -1;
        for (int i = 0; i < 3; i++)
            if (!used[i] && a[i][i] > least && (p < 0 || a[i][i] > a[p][p]))
                p = i;
        if (p < 0)
            break;
        used[p] = true;
        for (int i = 0; i < 3; i++) {
            double factor = i == p ? 0 : a[i][p] / a[p][p];
            for (int j = 0; j < 3; j++)
                a[i][j] -= factor * a[p][j];
            b[i] -= factor * b[p];
        }
    }
    for (int i = 0; i < 3; i++)
        x[i] = used[i] ? b[i] / a[i][i] : 0;
    return tide_vec3_load(x);
}

static tide_vec3 angular_velocity(const tide_world *world, const tide_body *body, const double *velocities,
                                  const rigid_motion *motion)
{
    const tide_system *system = world->system;
    double inertia[3][3] = { { 0 } }, angular[3];
    tide_vec3 sum = { 0, 0, 0 };
    for (uint32_t p = body->first_particle; p < body->first_particle + tide_body_particle_count(body); p++) {
        if (system->rows[p] == TIDE_PINNED)
            continue;
        double r[3], mass = system->masses[p];
        tide_vec3 arm = tide_vec3_subtract(tide_vec3_load(world->positions + 3 * (size_t)p), motion->centre);
        tide_vec3 v = tide_vec3_subtract(tide_vec3_load(velocities + 3 * (size_t)p), motion->velocity);
        sum = tide_vec3_add(sum, tide_vec3_scale(tide_vec3_cross(arm, v), mass));
        tide_vec3_store(r, arm);
        double square = tide_vec3_dot(arm, arm);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                inertia[i][j] += mass * ((i == j ? square : 0) - r[i] * r[j]);
    }
    tide_vec3_store(angular, sum);
    return solve_semidefinite(inertia, angular);
}

// Computes the rigid motion of a body's free particles. Returns false if there are none.
static bool find_rigid_motion(const tide_world *world, const tide_body *body, const double *velocities,
                              rigid_motion *motion)
{
    const tide_system *system = world->system;
    double mass = 0;
    *motion = (rigid_motion) { 0 };
    for (uint32_t p = body->first_particle; p < body->first_particle + tide_body_particle_count(body); p++) {
        if (system->rows[p] == TIDE_PINNED)
            continue;
        double m = system->masses[p];
        tide_vec3 x = tide_vec3_load(world->positions + 3 * (size_t)p);
        tide_vec3 v = tide_vec3_load(velocities + 3 * (size_t)p);
        mass += m;
        motion->centre = tide_vec3_add(motion->centre, tide_vec3_scale(x, m));
        motion->velocity = tide_vec3_add(motion->velocity, tide_vec3_scale(v, m));
    }
    if (!(mass > 0))
        return false;
    motion->centre = tide_vec3_scale(motion->centre, 1 / mass);
    motion->velocity = tide_vec3_scale(motion->velocity, 1 / mass);
    motion->omega = angular_velocity(world, body, velocities, motion);
    return true;
}

static void damp_deformation(tide_world *world, const tide_body *body, double k)
{
    rigid_motion motion;
    if (!find_rigid_motion(world, body, world->damped_velocities, &motion))
        return;
    for (uint32_t p = body->first_particle; p < body->first_particle + tide_body_particle_count(body); p++) {
        if (world->system->rows[p] == TIDE_PINNED)
            continue;
        double *v = world->damped_velocities + 3 * (size_t)p;
        tide_vec3 now = tide_vec3_load(v);
        tide_vec3 arm = tide_vec3_subtract(tide_vec3_load(world->positions + 3 * (size_t)p), motion.centre);
        tide_vec3 rigid = tide_vec3_add(motion.velocity, tide_vec3_cross(motion.omega, arm));
        tide_vec3_store(v, tide_vec3_add(now, tide_vec3_scale(tide_vec3_subtract(rigid, now), k)));
    }
}

void tide_world_damp_velocities(tide_world *world)
{
    const tide_world_settings *settings = &world->settings;
    double factor = exp(-settings->drag * settings->timestep);
    for (size_t i = 0; i < 3 * (size_t)world->particle_count; i++)
        world->damped_velocities[i] = factor * world->velocities[i];
    if (settings->deformation_drag == 0)
        return;
    double k = -expm1(-settings->deformation_drag * settings->timestep);
    for (size_t b = 0; b < world->body_count; b++)
        damp_deformation(world, world->bodies[b], k);
}

tide_status tide_world_motion(tide_world *world, tide_body_id id, tide_body_motion *out, tide_error *error)
{
    tide_body_info info;
    rigid_motion motion;
    TIDE_TRY(tide_world_check_body(world, id, &info, error));
    TIDE_TRY(tide_world_update_system(world, error));
    find_rigid_motion(world, tide_world_lookup(world, id), world->velocities, &motion);
    tide_vec3_store(out->centre, motion.centre);
    tide_vec3_store(out->velocity, motion.velocity);
    tide_vec3_store(out->spin, motion.omega);
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
    for (uint32_t p = body->first_particle; p < body->first_particle + body->mesh->vertex_count; p++) {
        tide_vec3 arm =
            tide_vec3_subtract(tide_vec3_load(world->positions + 3 * (size_t)p), tide_vec3_load(now.centre));
        tide_vec3_store(
            world->velocities + 3 * (size_t)p,
            tide_vec3_add(tide_vec3_load(motion->velocity), tide_vec3_cross(tide_vec3_load(motion->spin), arm)));
    }
    return TIDE_OK;
}
