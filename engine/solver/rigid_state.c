#include "solver/rigid_state.h"

#include "model/svd3.h"
#include "solver/rigid_motion.h"

#include <string.h>

uint32_t tide_rigid_count(const tide_system *system)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < system->group_count; g++)
        count += system->groups[g].kind == &tide_rigid ? system->groups[g].count : 0;
    return count;
}

tide_vec3 tide_rigid_times(const double m[9], tide_vec3 a)
{
    return (tide_vec3) { m[0] * a.x + m[1] * a.y + m[2] * a.z, m[3] * a.x + m[4] * a.y + m[5] * a.z,
                         m[6] * a.x + m[7] * a.y + m[8] * a.z };
}

// Inverts a symmetric positive definite matrix.
void tide_rigid_invert(const double s[9], double out[9])
{
    out[0] = s[4] * s[8] - s[5] * s[5];
    out[1] = out[3] = s[2] * s[5] - s[1] * s[8];
    out[2] = out[6] = s[1] * s[5] - s[2] * s[4];
    double determinant = s[0] * out[0] + s[1] * out[1] + s[2] * out[2];
    out[4] = s[0] * s[8] - s[2] * s[2];
    out[5] = out[7] = s[1] * s[2] - s[0] * s[5];
    out[8] = s[0] * s[4] - s[1] * s[1];
    for (int k = 0; k < 9; k++)
        out[k] /= determinant;
}

tide_vec3 tide_rigid_mean(const tide_vec3 points[4])
{
    tide_vec3 sum = tide_vec3_add(tide_vec3_add(points[0], points[1]), tide_vec3_add(points[2], points[3]));
    return tide_vec3_scale(sum, 1.0 / 4);
}

// Computes the inertia about the centre of four particles of this mass, for the arms r_i from it.
void tide_rigid_inertia(double mass, const tide_vec3 arms[4], double out[9])
{
    memset(out, 0, 9 * sizeof *out);
    for (int i = 0; i < 4; i++) {
        const double r[3] = { arms[i].x, arms[i].y, arms[i].z }, square = tide_vec3_dot(arms[i], arms[i]);
        for (int k = 0; k < 9; k++)
            out[k] += mass * ((k % 4 == 0 ? square : 0) - r[k / 3] * r[k % 3]);
    }
}

static void set_inertia(tide_rigid_state *state)
{
    double inertia[9];
    tide_rigid_inertia(state->mass, state->arms, inertia);
    tide_rigid_invert(inertia, state->inverse_inertia);
}

tide_rigid_state tide_rigid_state_of(const double *x, const double *v, double mass)
{
    tide_vec3 q[4], w[4], momentum = { 0, 0, 0 };
    tide_rigid_state state = { .mass = mass };
    for (size_t i = 0; i < 4; i++) {
        q[i] = tide_vec3_load(x + 3 * i);
        w[i] = tide_vec3_load(v + 3 * i);
    }
    state.centre = tide_rigid_mean(q);
    state.velocity = tide_rigid_mean(w);
    for (int i = 0; i < 4; i++) {
        state.arms[i] = tide_vec3_subtract(q[i], state.centre);
        momentum = tide_vec3_add(
            momentum, tide_vec3_scale(tide_vec3_cross(state.arms[i], tide_vec3_subtract(w[i], state.velocity)), mass));
    }
    set_inertia(&state);
    state.spin = tide_rigid_times(state.inverse_inertia, momentum);
    return state;
}

tide_rigid_state tide_rigid_state_after(const tide_rigid_state *state, double h)
{
    tide_rigid_state after = *state;
    after.centre = tide_vec3_add(state->centre, tide_vec3_scale(state->velocity, h));
    for (int i = 0; i < 4; i++)
        after.arms[i] = tide_rigid_turned(state->arms[i], tide_vec3_scale(state->spin, h));
    set_inertia(&after);
    return after;
}

void tide_rigid_state_add_torque(const tide_rigid_state *state, tide_vec3 torque, double *forces)
{
    tide_vec3 turning = tide_rigid_times(state->inverse_inertia, torque);
    for (size_t i = 0; i < 4; i++) {
        tide_vec3 force = tide_vec3_scale(tide_vec3_cross(turning, state->arms[i]), state->mass);
        tide_vec3_store(forces + 3 * i, tide_vec3_add(tide_vec3_load(forces + 3 * i), force));
    }
}

void tide_rigid_fit(const double shape[12], tide_vec3 centre, tide_vec3 points[4])
{
    double a[9] = { 0 }, rotation[9];
    for (int i = 0; i < 4; i++) {
        tide_vec3 arm = tide_vec3_subtract(points[i], centre);
        const double from[3] = { arm.x, arm.y, arm.z };
        for (int k = 0; k < 9; k++)
            a[k] += from[k / 3] * shape[3 * i + k % 3];
    }
    tide_polar3(a, rotation);
    for (int i = 0; i < 4; i++)
        points[i] = tide_rigid_times(rotation, tide_vec3_load(shape + 3 * i));
}
