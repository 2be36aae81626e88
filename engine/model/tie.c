// Ties: E = k/2 |d|^2 with d = p0 - w1 p1 - w2 p2 - w3 p3 = sum c_i p_i, c = (1, -w). The energy is quadratic: the
// Hessian, k c c' times I3, is constant, and the local projection is 0. Weights that sum to 1 conserve momentum.
#include "model/no_length.h"

enum { CORNERS = 4 };

typedef struct tie {
    double stiffness, weights[CORNERS]; // c
} tie;

static inline tie tie_at(const tide_elements *elements, uint32_t e)
{
    const double *p = elements->parameters + e;
    size_t count = elements->count;
    return (tie) { p[TIDE_TIE_STIFFNESS * count],
                   { 1, -p[TIDE_TIE_WEIGHT_1 * count], -p[TIDE_TIE_WEIGHT_2 * count], -p[TIDE_TIE_WEIGHT_3 * count] } };
}

static inline tide_vec3 offset(const tide_elements *elements, const tie *tie, const double *x, uint32_t e)
{
    const uint32_t *vertices = elements->vertices + CORNERS * (size_t)e;
    tide_vec3 d = tide_vec3_load(x + 3 * (size_t)vertices[0]);
    for (int c = 1; c < CORNERS; c++)
        d = tide_vec3_add(d, tide_vec3_scale(tide_vec3_load(x + 3 * (size_t)vertices[c]), tie->weights[c]));
    return d;
}

static double energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end)
{
    double sum = 0;
    for (uint32_t e = begin; e < end; e++) {
        tie tie = tie_at(elements, e);
        tide_vec3 d = offset(elements, &tie, x, e);
        sum += 0.5 * tie.stiffness * tide_vec3_dot(d, d);
    }
    return sum;
}

// Computes the force on each corner: its weight times `force`.
static inline void share(const tie *tie, tide_vec3 force, double *out)
{
    for (int c = 0; c < CORNERS; c++)
        tide_vec3_store(out + 3 * c, tide_vec3_scale(force, tie->weights[c]));
}

static void gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, out += 3 * CORNERS) {
        tie tie = tie_at(elements, e);
        share(&tie, tide_vec3_scale(offset(elements, &tie, x, e), tie.stiffness), out);
    }
}

static inline double convex(double stiffness, bool project)
{
    return project ? fmax(stiffness, 0) : stiffness;
}

static void hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out)
{
    (void)x;
    tie tie = tie_at(elements, element);
    double k = convex(tie.stiffness, project);
    memset(out, 0, 9 * CORNERS * CORNERS * sizeof *out);
    for (size_t i = 0; i < CORNERS; i++)
        for (size_t j = 0; j < CORNERS; j++)
            for (size_t axis = 0; axis < 3; axis++)
                out[(3 * i + axis) * 3 * CORNERS + 3 * j + axis] = k * (tie.weights[i] * tie.weights[j]);
}

static void laplacian(const tide_elements *elements, uint32_t element, double *out)
{
    tie tie = tie_at(elements, element);
    for (size_t i = 0; i < CORNERS; i++)
        for (size_t j = 0; j < CORNERS; j++)
            out[CORNERS * i + j] = tie.stiffness * (tie.weights[i] * tie.weights[j]);
}

static void project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    (void)elements, (void)x;
    memset(out, 0, 3 * (size_t)(end - begin) * sizeof *out);
}

static void compact(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, bool project,
                    double a, double b, double *out)
{
    (void)x;
    for (uint32_t e = begin; e < end; e++) {
        double k = elements->parameters[TIDE_TIE_STIFFNESS * (size_t)elements->count + e];
        *out++ = a * convex(k, project) + b * k;
    }
}

static void multiply(const tide_elements *elements, const double *compact, const double *v, uint32_t begin,
                     uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, out += 3 * CORNERS) {
        tie tie = tie_at(elements, e);
        share(&tie, tide_vec3_scale(offset(elements, &tie, v, e), *compact++), out);
    }
}

static void blocks(const tide_elements *elements, const double *compact, uint32_t begin, uint32_t end, double *out)
{
    memset(out, 0, 9 * (size_t)(CORNERS * (CORNERS + 1) / 2) * (end - begin) * sizeof *out);
    for (uint32_t e = begin; e < end; e++, compact++) {
        tie tie = tie_at(elements, e);
        for (int i = 0; i < CORNERS; i++)
            for (int j = 0; j <= i; j++, out += 9)
                out[0] = out[4] = out[8] = *compact * (tie.weights[i] * tie.weights[j]);
    }
}

static void corner(const tide_elements *elements, const double *x, uint32_t element, uint32_t corner,
                   double gradient_out[3], double hessian_out[9])
{
    tie tie = tie_at(elements, element);
    tide_no_length_corner(tie.stiffness, tie.weights[corner], offset(elements, &tie, x, element), gradient_out,
                          hessian_out);
}

static double constraint(const tide_elements *elements, const double *x, uint32_t element, double *gradient_out,
                         double *compliance)
{
    tie tie = tie_at(elements, element);
    tide_vec3 direction;
    double length =
        tide_no_length_constraint(tie.stiffness, offset(elements, &tie, x, element), &direction, compliance);
    share(&tie, direction, gradient_out);
    return length;
}

const tide_element_kind tide_tie = {
    .name = "tie",
    .help = "a zero-length spring from a particle to a point of a triangle",
    .vertex_count = CORNERS,
    .parameter_count = TIDE_TIE_PARAMETERS,
    .projection_size = 3,
    .compact_size = 1,
    .stiffness_parameter = TIDE_TIE_STIFFNESS,
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
