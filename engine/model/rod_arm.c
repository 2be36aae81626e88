// Holds the particle of an edge's frame (rod_frame.h) at its arm:
//
//     E = k/2 ((r - r0)^2 + (z - z0)^2)
//
// The energy of the rod depends only on the directions of the frame. So E is 0 in equilibrium, and its stiffness does
// not change the rod. It does not resist a change of the edge's length.
//
//     dr = d . dp - z d . da / l,    dz = t . dp + r d . da / l
//
// L = 2 k (w w' + (r0^2 + z0^2) / l^2 v v') with w = (-1/2, -1/2, 1), v = (-1, 1, 0) bounds the Hessian where E is 0.
#include "model/dense_element.h"
#include "model/rod_frame.h"
#include "model/rod_twist.h"

#include <string.h>

enum { SIDE = 9 };

typedef struct arm {
    tide_rod_frame frame;
    double k, r, z; // r - r0, z - z0
} arm;

static inline double parameter(const tide_elements *elements, size_t which, uint32_t e)
{
    return elements->parameters[which * elements->count + e];
}

static arm arm_at(const tide_elements *elements, const double *x, uint32_t e)
{
    const uint32_t *v = elements->vertices + 3 * (size_t)e;
    arm a = { .frame = tide_rod_frame_of(x + 3 * (size_t)v[0], x + 3 * (size_t)v[1], x + 3 * (size_t)v[2], 1) };
    a.k = parameter(elements, TIDE_ROD_ARM_STIFFNESS, e);
    a.r = a.frame.arm - parameter(elements, TIDE_ROD_ARM_RADIUS, e);
    a.z = a.frame.z - parameter(elements, TIDE_ROD_ARM_OFFSET, e);
    return a;
}

static double energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end)
{
    double sum = 0;
    for (uint32_t e = begin; e < end; e++) {
        arm a = arm_at(elements, x, e);
        sum += 0.5 * a.k * (a.r * a.r + a.z * a.z);
    }
    return sum;
}

// Stores forces on a and p as those on the three points.
static void store(tide_vec3 on_edge, tide_vec3 on_point, double *out)
{
    tide_vec3 half = tide_vec3_scale(on_point, 0.5);
    tide_vec3_store(out, tide_vec3_subtract(tide_vec3_scale(on_edge, -1), half));
    tide_vec3_store(out + 3, tide_vec3_subtract(on_edge, half));
    tide_vec3_store(out + 6, on_point);
}

static void gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, out += SIDE) {
        arm a = arm_at(elements, x, e);
        const tide_rod_frame *f = &a.frame;
        double across = a.k * (a.z * f->arm - a.r * f->z) * f->inverse_length;
        store(tide_vec3_scale(f->d, across),
              tide_vec3_add(tide_vec3_scale(f->d, a.k * a.r), tide_vec3_scale(f->t, a.k * a.z)), out);
    }
}

// Computes the derivatives of the gradient by a motion of the three points.
static void change(const arm *a, tide_vec3 da, tide_vec3 dp, double *out)
{
    const tide_rod_frame *f = &a->frame;
    tide_rod_turn w = tide_rod_frame_turn(f, da, dp);
    double across = (a->z * f->arm - a->r * f->z) * f->inverse_length;
    double faster = (w.z * f->arm + a->z * w.arm - w.arm * f->z - a->r * w.z - across * w.length) * f->inverse_length;
    tide_vec3 on_edge = tide_vec3_add(tide_vec3_scale(f->d, faster), tide_vec3_scale(w.d, across));
    tide_vec3 radial = tide_vec3_add(tide_vec3_scale(f->d, w.arm), tide_vec3_scale(w.d, a->r));
    tide_vec3 axial = tide_vec3_add(tide_vec3_scale(f->t, w.z), tide_vec3_scale(w.t, a->z));
    store(tide_vec3_scale(on_edge, a->k), tide_vec3_scale(tide_vec3_add(radial, axial), a->k), out);
}

static void hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out)
{
    static const double on_edge[3] = { -1, 1, 0 }, on_point[3] = { -0.5, -0.5, 1 };
    arm a = arm_at(elements, x, element);
    double rows[SIDE * SIDE];
    memset(out, 0, SIDE * SIDE * sizeof *out);
    if (!(a.frame.length > 0))
        return;
    for (size_t i = 0; i < SIDE; i++) {
        tide_vec3 axis = { i % 3 == 0, i % 3 == 1, i % 3 == 2 };
        change(&a, tide_vec3_scale(axis, on_edge[i / 3]), tide_vec3_scale(axis, on_point[i / 3]), rows + SIDE * i);
    }
    for (size_t i = 0; i < SIDE; i++)
        for (size_t j = 0; j <= i; j++)
            out[SIDE * i + j] = out[SIDE * j + i] = 0.5 * (rows[SIDE * i + j] + rows[SIDE * j + i]);
    if (project)
        tide_dense_make_semidefinite(out, SIDE);
}

static void laplacian(const tide_elements *elements, uint32_t element, double *out)
{
    static const double w[3] = { -0.5, -0.5, 1 }, v[3] = { -1, 1, 0 };
    double k = parameter(elements, TIDE_ROD_ARM_STIFFNESS, element);
    double r = parameter(elements, TIDE_ROD_ARM_RADIUS, element), z = parameter(elements, TIDE_ROD_ARM_OFFSET, element);
    double length = parameter(elements, TIDE_ROD_ARM_LENGTH, element), tilt = (r * r + z * z) / (length * length);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = 2 * k * (w[i] * w[j] + tilt * (v[i] * v[j]));
}

// The arm is no material: it neither flows nor tears.
static void strain(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    (void)elements;
    (void)x;
    memset(out, 0, (end - begin) * sizeof *out);
}

static const char *rest(const tide_element_kind *kind, const double *x, const uint32_t *v, double *parameters)
{
    (void)kind;
    tide_rod_frame f = tide_rod_frame_of(x + 3 * (size_t)v[0], x + 3 * (size_t)v[1], x + 3 * (size_t)v[2], 1);
    if (!(f.length > 0 && f.arm > 0))
        return "has no length or no arm at rest; move its vertices apart";
    parameters[TIDE_ROD_ARM_RADIUS] = f.arm;
    parameters[TIDE_ROD_ARM_OFFSET] = f.z;
    parameters[TIDE_ROD_ARM_LENGTH] = f.length;
    return NULL;
}

const tide_element_kind tide_rod_arm = {
    .name = "rod_arm",
    .help = "holds the particle of a rod's frame beside an edge",
    .hidden_count = 1,
    .parameter_count = TIDE_ROD_ARM_PARAMETERS,
    .projection_size = SIDE,
    .stiffness_parameter = TIDE_ROD_ARM_STIFFNESS,
    .rest_parameter = TIDE_ELEMENT_NO_PARAMETER,
    .exceeds_laplacian = true,
    .rest = rest,
    .energy = energy,
    .gradient = gradient,
    .hessian = hessian,
    .laplacian = laplacian,
    .project = tide_dense_project,
    TIDE_DENSE_FUNCTIONS(3),
    .constraint = tide_dense_constraint,
    .strain = strain,
};
