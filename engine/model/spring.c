// Springs: E = k/2 (l - r)^2 with l = |p1 - p2|, and n = (p1 - p2) / l their direction.
#include "base/vec3.h"
#include "model/element.h"

#include <stddef.h>

// Below this, the square of a length has lost digits to underflow or is 0: the ends coincide, and n = (1, 0, 0).
#define COINCIDENT_SQUARED 1e-280
// The Hessian takes a spring shorter than this fraction of its rest length to be of this fraction; r / l is then
// finite.
#define SHORTEST_FRACTION 1e-8

typedef struct spring {
    double stiffness, rest_length, length;
    tide_vec3 direction;
} spring;

static inline tide_vec3 between(const tide_elements *elements, const double *x, uint32_t e)
{
    const double *p1 = x + 3 * (size_t)elements->vertices[2 * (size_t)e];
    const double *p2 = x + 3 * (size_t)elements->vertices[2 * (size_t)e + 1];
    return tide_vec3_subtract(tide_vec3_load(p1), tide_vec3_load(p2));
}

static inline const double *stiffnesses(const tide_elements *elements)
{
    return elements->parameters + TIDE_SPRING_STIFFNESS * (size_t)elements->count;
}

static inline const double *rest_lengths(const tide_elements *elements)
{
    return elements->parameters + TIDE_SPRING_REST_LENGTH * (size_t)elements->count;
}

static spring spring_at(const tide_elements *elements, const double *x, uint32_t e)
{
    tide_vec3 d = between(elements, x, e);
    double squared = tide_vec3_dot(d, d), length = sqrt(squared);
    return (spring) { .stiffness = stiffnesses(elements)[e],
                      .rest_length = rest_lengths(elements)[e],
                      .length = length,
                      .direction =
                          squared < COINCIDENT_SQUARED ? (tide_vec3) { 1, 0, 0 } : tide_vec3_scale(d, 1 / length) };
}

static double energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end)
{
    const double *stiffness = stiffnesses(elements), *rest_length = rest_lengths(elements);
    double sum = 0;
    for (uint32_t e = begin; e < end; e++) {
        double stretch = tide_vec3_length(between(elements, x, e)) - rest_length[e];
        sum += 0.5 * stiffness[e] * stretch * stretch;
    }
    return sum;
}

static void gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    const double *stiffness = stiffnesses(elements), *rest_length = rest_lengths(elements);
    for (uint32_t e = begin; e < end; e++, out += 6) {
        tide_vec3 d = between(elements, x, e);
        double squared = tide_vec3_dot(d, d), k = stiffness[e];
        tide_vec3 force = squared < COINCIDENT_SQUARED ? (tide_vec3) { -k * rest_length[e], 0, 0 }
                                                       : tide_vec3_scale(d, k - k * rest_length[e] / sqrt(squared));
        tide_vec3_store(out, force);
        tide_vec3_store(out + 3, tide_vec3_scale(force, -1));
    }
}

// k [n n' + c (I - n n')] with c = 1 - r / l: eigenvalues k along the spring and k c across it. With both at least 0
// it is the nearest positive semidefinite matrix, in 3 dimensions and in the 6 of both ends.
static void hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out)
{
    spring s = spring_at(elements, x, element);
    double ratio = s.length > SHORTEST_FRACTION * s.rest_length ? s.rest_length / s.length : 1 / SHORTEST_FRACTION;
    if (s.rest_length == 0)
        ratio = 0;
    double along = s.stiffness, across = s.stiffness * (1 - ratio);
    if (project) {
        along = fmax(along, 0);
        across = fmax(across, 0);
    }
    const double n[3] = { s.direction.x, s.direction.y, s.direction.z };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double entry = (along - across) * (n[i] * n[j]) + (i == j ? across : 0);
            out[6 * i + j] = out[6 * (i + 3) + j + 3] = entry;
            out[6 * (i + 3) + j] = out[6 * i + j + 3] = -entry;
        }
}

static void laplacian(const tide_elements *elements, uint32_t element, double *out)
{
    double k = stiffnesses(elements)[element];
    out[0] = out[3] = k;
    out[1] = out[2] = -k;
}

static void project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, out += 3) {
        spring s = spring_at(elements, x, e);
        tide_vec3_store(out, tide_vec3_scale(s.direction, s.rest_length));
    }
}

static void strain(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    const double *rest_length = rest_lengths(elements);
    for (uint32_t e = begin; e < end; e++)
        *out++ = rest_length[e] > 0 ? tide_vec3_length(between(elements, x, e)) / rest_length[e] - 1 : 0;
}

const tide_element_kind tide_spring = {
    .name = "spring",
    .help = "a Hookean spring between two particles",
    .vertex_count = 2,
    .parameter_count = TIDE_SPRING_PARAMETERS,
    .projection_size = 3,
    .energy = energy,
    .gradient = gradient,
    .hessian = hessian,
    .laplacian = laplacian,
    .project = project,
    .strain = strain,
};
