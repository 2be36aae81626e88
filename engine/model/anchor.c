// Anchors: E = k/2 |p - a|^2. Their energy is quadratic, so the Hessian is constant and the local projection is a.
#include "model/no_length.h"

static inline double parameter(const tide_elements *elements, size_t which, uint32_t e)
{
    return elements->parameters[which * elements->count + e];
}

static tide_vec3 target(const tide_elements *elements, uint32_t e)
{
    return (tide_vec3) { parameter(elements, TIDE_ANCHOR_X, e), parameter(elements, TIDE_ANCHOR_Y, e),
                         parameter(elements, TIDE_ANCHOR_Z, e) };
}

static tide_vec3 offset(const tide_elements *elements, const double *x, uint32_t e)
{
    return tide_vec3_subtract(tide_vec3_load(x + 3 * (size_t)elements->vertices[e]), target(elements, e));
}

static double energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end)
{
    double sum = 0;
    for (uint32_t e = begin; e < end; e++) {
        tide_vec3 d = offset(elements, x, e);
        sum += 0.5 * parameter(elements, TIDE_ANCHOR_STIFFNESS, e) * tide_vec3_dot(d, d);
    }
    return sum;
}

static void gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, out += 3)
        tide_vec3_store(out, tide_vec3_scale(offset(elements, x, e), parameter(elements, TIDE_ANCHOR_STIFFNESS, e)));
}

static void hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out)
{
    (void)x;
    double k = parameter(elements, TIDE_ANCHOR_STIFFNESS, element);
    memset(out, 0, 9 * sizeof *out);
    out[0] = out[4] = out[8] = project ? fmax(k, 0) : k;
}

static void laplacian(const tide_elements *elements, uint32_t element, double *out)
{
    *out = parameter(elements, TIDE_ANCHOR_STIFFNESS, element);
}

static void project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    (void)x;
    for (uint32_t e = begin; e < end; e++, out += 3)
        tide_vec3_store(out, target(elements, e));
}

static void compact(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, bool project,
                    double a, double b, double *out)
{
    (void)x;
    for (uint32_t e = begin; e < end; e++) {
        double k = parameter(elements, TIDE_ANCHOR_STIFFNESS, e);
        *out++ = a * (project ? fmax(k, 0) : k) + b * k;
    }
}

static void multiply(const tide_elements *elements, const double *compact, const double *v, uint32_t begin,
                     uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, out += 3)
        tide_vec3_store(out, tide_vec3_scale(tide_vec3_load(v + 3 * (size_t)elements->vertices[e]), *compact++));
}

static void blocks(const tide_elements *elements, const double *compact, uint32_t begin, uint32_t end, double *out)
{
    (void)elements;
    memset(out, 0, 9 * (size_t)(end - begin) * sizeof *out);
    for (uint32_t e = begin; e < end; e++, out += 9)
        out[0] = out[4] = out[8] = *compact++;
}

static void corner(const tide_elements *elements, const double *x, uint32_t element, uint32_t corner,
                   double gradient_out[3], double hessian_out[9])
{
    (void)corner;
    tide_no_length_corner(parameter(elements, TIDE_ANCHOR_STIFFNESS, element), 1, offset(elements, x, element),
                          gradient_out, hessian_out);
}

static double constraint(const tide_elements *elements, const double *x, uint32_t element, double *gradient_out,
                         double *compliance)
{
    tide_vec3 direction;
    double length = tide_no_length_constraint(parameter(elements, TIDE_ANCHOR_STIFFNESS, element),
                                              offset(elements, x, element), &direction, compliance);
    tide_vec3_store(gradient_out, direction);
    return length;
}

const tide_element_kind tide_anchor = {
    .name = "anchor",
    .help = "a zero-length spring from a particle to a fixed point: a pin with a stiffness",
    .vertex_count = 1,
    .parameter_count = TIDE_ANCHOR_PARAMETERS,
    .projection_size = 3,
    .compact_size = 1,
    .stiffness_parameter = TIDE_ANCHOR_STIFFNESS,
    .rest_parameter = TIDE_ELEMENT_NO_PARAMETER,
    .energy = energy,
    .gradient = gradient,
    .hessian = hessian,
    .laplacian = laplacian,
    .project = project,
    .compact = compact,
    .multiply = multiply,
    .blocks = blocks,
    .corner = corner,
    .constraint = constraint,
    .strain = tide_no_length_strain,
};
