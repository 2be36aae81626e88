#include "model/rod_frame.h"

#define LEAST_SUM 1e-12 // of 1 + cos of the angle of a transport

tide_rod_frame tide_rod_frame_of(const double *x0, const double *x1, const double *g, double sign)
{
    tide_vec3 start = tide_vec3_load(x0), end = tide_vec3_load(x1);
    tide_vec3 a = tide_vec3_subtract(end, start), middle = tide_vec3_scale(tide_vec3_add(start, end), 0.5);
    tide_rod_frame f = { .p = tide_vec3_subtract(tide_vec3_load(g), middle), .length = tide_vec3_length(a) };
    f.inverse_length = f.length > 0 ? 1 / f.length : 0;
    f.t = tide_vec3_scale(a, f.inverse_length);
    f.z = tide_vec3_dot(f.p, f.t);
    tide_vec3 across = tide_vec3_subtract(f.p, tide_vec3_scale(f.t, f.z));
    f.arm = copysign(tide_vec3_length(across), sign);
    f.inverse_arm = f.arm != 0 ? 1 / f.arm : 0;
    f.d = tide_vec3_scale(across, f.inverse_arm);
    f.e = tide_vec3_cross(f.t, f.d);
    return f;
}

tide_rod_turn tide_rod_frame_turn(const tide_rod_frame *f, tide_vec3 da, tide_vec3 dp)
{
    tide_vec3 slope = tide_vec3_scale(da, f->inverse_length);
    tide_vec3 slip = tide_vec3_subtract(dp, tide_vec3_scale(slope, f->z));
    double spin = tide_vec3_dot(f->e, slip) * f->inverse_arm;
    tide_rod_turn turn = { .w = tide_vec3_add(tide_vec3_cross(f->t, slope), tide_vec3_scale(f->t, spin)) };
    turn.t = tide_vec3_cross(turn.w, f->t);
    turn.d = tide_vec3_cross(turn.w, f->d);
    turn.e = tide_vec3_cross(turn.w, f->e);
    turn.length = tide_vec3_dot(f->t, da);
    turn.z = tide_vec3_dot(dp, f->t) + tide_vec3_dot(f->p, turn.t);
    turn.arm = tide_vec3_dot(dp, f->d) + tide_vec3_dot(f->p, turn.d);
    return turn;
}

tide_vec3 tide_rod_transport(tide_vec3 v, tide_vec3 from, tide_vec3 to)
{
    double sum = 1 + tide_vec3_dot(from, to);
    if (!(sum > LEAST_SUM))
        return v;
    tide_vec3 axis = tide_vec3_cross(from, to), across = tide_vec3_cross(axis, v);
    // v + axis x v + axis x (axis x v) / (1 + cos)
    return tide_vec3_add(v, tide_vec3_add(across, tide_vec3_scale(tide_vec3_cross(axis, across), 1 / sum)));
}
