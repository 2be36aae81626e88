// Discrete shells (Grinspun et al. 2003): E = B/2 f (t - t0)^2 for a hinge (hinge.h) with the angle t between the
// normals of its triangles, the angle t0 at rest and f = |e|^2 / (A + A') at rest. t - t0 is taken in (-pi, pi]: E has
// a kink where it jumps. A triangle without area has no normal and adds nothing to the derivatives.
//
// The constant matrix is L = B c c', c the weights of the quadratic model: the Hessian at a flat rest is B c c' along
// the normal and 0 in the plane. The local projection is t0 and t, as no point has L x - J d = dE/dx.
#include "model/dense_element.h"
#include "model/hinge.h"
#include "model/shell.h"

#include <math.h>

#define PI 3.14159265358979323846

enum {
    STIFFNESS = TIDE_SHELL_DISCRETE_STIFFNESS,
    REST_ANGLE = TIDE_SHELL_DISCRETE_REST_ANGLE,
    STRAIN = TIDE_SHELL_DISCRETE_STRAIN,
    FACTOR,
    WEIGHTS, // 1/m
    PARAMETERS = WEIGHTS + 4
};

static inline double parameter(const tide_elements *elements, size_t which, uint32_t e)
{
    return elements->parameters[which * elements->count + e];
}

// Returns the angle from the one at rest, in (-pi, pi].
static double turn(const tide_elements *elements, uint32_t e, double angle)
{
    double away = remainder(angle - parameter(elements, REST_ANGLE, e), 2 * PI);
    return away > -PI ? away : PI;
}

static double stiffness(const tide_elements *elements, uint32_t e)
{
    return parameter(elements, STIFFNESS, e) * parameter(elements, FACTOR, e);
}

static double energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end)
{
    double sum = 0;
    for (uint32_t e = begin; e < end; e++) {
        double away = turn(elements, e, tide_hinge_angle(x, elements->vertices + 4 * (size_t)e));
        sum += 0.5 * stiffness(elements, e) * away * away;
    }
    return sum;
}

static void gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, out += 12) {
        double angle = tide_hinge_derivatives(x, elements->vertices + 4 * (size_t)e, out, NULL);
        double torque = stiffness(elements, e) * turn(elements, e, angle);
        for (int i = 0; i < 12; i++)
            out[i] *= torque;
    }
}

static void hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out)
{
    double slope[12], k = stiffness(elements, element);
    double angle = tide_hinge_derivatives(x, elements->vertices + 4 * (size_t)element, slope, out);
    double torque = k * turn(elements, element, angle);
    for (size_t i = 0; i < 12; i++)
        for (size_t j = 0; j < 12; j++)
            out[12 * i + j] = torque * out[12 * i + j] + k * (slope[i] * slope[j]);
    if (project)
        tide_dense_make_semidefinite(out, 12);
}

static void laplacian(const tide_elements *elements, uint32_t element, double *out)
{
    double k = parameter(elements, STIFFNESS, element);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++)
            out[4 * i + j] =
                k * (parameter(elements, WEIGHTS + i, element) * parameter(elements, WEIGHTS + j, element));
}

static void project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, out += 2) {
        out[0] = parameter(elements, REST_ANGLE, e);
        out[1] = tide_hinge_angle(x, elements->vertices + 4 * (size_t)e);
    }
}

// C = sqrt(f) (t - t0), in radians; the compliance is 1 / B.
static double constraint(const tide_elements *elements, const double *x, uint32_t element, double *gradient_out,
                         double *compliance)
{
    double k = parameter(elements, STIFFNESS, element), root = sqrt(parameter(elements, FACTOR, element));
    double angle = tide_hinge_derivatives(x, elements->vertices + 4 * (size_t)element, gradient_out, NULL);
    for (int i = 0; i < 12; i++)
        gradient_out[i] *= root;
    *compliance = k == 0 ? INFINITY : 1 / k;
    return root * turn(elements, element, angle);
}

static void strain(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++) {
        double scale = parameter(elements, STRAIN, e);
        *out++ = scale > 0 ? scale * turn(elements, e, tide_hinge_angle(x, elements->vertices + 4 * (size_t)e)) : 0;
    }
}

static const char *rest(const tide_element_kind *kind, const double *x, const uint32_t *vertices, double *parameters)
{
    (void)kind;
    tide_hinge_shape shape = tide_hinge_at_rest(x, vertices);
    if (!tide_given(parameters[REST_ANGLE]))
        parameters[REST_ANGLE] = tide_hinge_angle(x, vertices);
    if (!tide_given(parameters[FACTOR]))
        parameters[FACTOR] = shape.factor;
    for (int i = 0; i < 4; i++)
        if (!tide_given(parameters[WEIGHTS + i]))
            parameters[WEIGHTS + i] = shape.weights[i];
    return isfinite(shape.factor + shape.weights[0] + shape.weights[1])
               ? NULL
               : "has a triangle without area at rest; move its vertices apart";
}

#define WEIGHT(name, index)                                                                                            \
    TIDE_REST_FIELD(name, WEIGHTS + (index), -1e15, 1e15, "1/m", "weight of a corner in the constant matrix")

static const tide_field fields[] = {
    TIDE_STIFFNESS_FIELD(STIFFNESS, 1e15, "N m", "bending stiffness"),
    TIDE_REST_FIELD("rest_angle", REST_ANGLE, -PI, PI, "rad", "angle between the normals at rest"),
    { .name = "strain",
      .type = TIDE_FIELD_REAL,
      .offset = STRAIN * sizeof(double),
      .maximum = 1e15,
      .unit = "1/rad",
      .help = "strain of the faces of the sheet, relative to the change of the angle; 0: plasticity leaves it out" },
    TIDE_REST_FIELD("factor", FACTOR, 0, 1e15, NULL,
                    "squared length of the edge, relative to the area of both triangles"),
    WEIGHT("weight_1", 0),
    WEIGHT("weight_2", 1),
    WEIGHT("weight_3", 2),
    WEIGHT("weight_4", 3),
    { .name = NULL },
};

static const unsigned char edges[] = { 0, 1 };

const tide_element_kind tide_shell_discrete = {
    .name = "shell_discrete",
    .help = "a hinge between two triangles that resists a change of its angle (discrete shells)",
    .parameter_count = PARAMETERS,
    .projection_size = 2,
    .fields = fields,
    .stiffness_parameter = STIFFNESS,
    .rest_parameter = REST_ANGLE,
    .strain_parameter = STRAIN,
    .signed_rest = true,
    .exceeds_laplacian = true,
    TIDE_OWN_EDGES,
    TIDE_DENSE_FUNCTIONS(4),
    .constraint = constraint,
    TIDE_OWN_FUNCTIONS,
};
